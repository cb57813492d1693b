//! Templates, filled with the words of a command.

use std::ops::Range;

use hookgate_effects::Call;
use hookgate_policy::{ArgumentPattern, Rewrite, RunPattern, TemplatePiece, TemplateWord};
use hookgate_shell::quoted_if_needed;

use crate::rewrite::{Match, found};
use crate::rewrite_text::Written;

/// What a rewrite makes of a call that stands in the text as `written`.
///
/// # Errors
/// Why nothing can be made of it.
pub(crate) fn fill(
    rewrite: &Rewrite,
    call: &Call,
    written: &Written,
    text: &str,
) -> Result<String, &'static str> {
    let matched =
        rewrite.run.iter().find_map(|pattern| found(pattern, call).map(|matched| (pattern, matched)));
    let Some((pattern, matched)) = matched else { return Err("its arguments vary") };
    let mut filling = Filling { call, written, text, pattern, matched, out: String::new(), placed: false };
    for (at, word) in rewrite.to.words.iter().enumerate() {
        filling.word(word, at == 0)?;
    }
    if filling.matched.before > 0 && !filling.placed {
        return Err("there are options before its subcommand");
    }
    Ok(filling.out)
}

struct Filling<'a> {
    call: &'a Call,
    written: &'a Written,
    text: &'a str,
    pattern: &'a RunPattern,
    matched: Match,
    out: String,
    /// The options before the subcommand have their place.
    placed: bool,
}

impl Filling<'_> {
    fn word(&mut self, word: &TemplateWord, first: bool) -> Result<(), &'static str> {
        match word {
            TemplateWord::Literal(text) if text == self.pattern.program.as_str() => {
                // The program's own name stands for the program as it was written, which may be a path or an alias.
                if !first && self.call.word != *text {
                    return Err("its program has another name");
                }
                self.written(0..1);
                if !self.placed {
                    self.written(1..1 + self.matched.before);
                    self.placed = true;
                }
            }
            TemplateWord::Literal(text) => self.push(&text.clone()),
            TemplateWord::Command => {
                if !first && self.call.word.contains('/') {
                    return Err("its program is named by a path");
                }
                self.written(0..self.written.words.len());
                self.placed = true;
            }
            TemplateWord::Arguments => {
                let wildcards = self.pattern.arguments.iter().filter(|argument| argument.is_wildcard());
                let rest = wildcards.enumerate().find(|(_, wildcard)| **wildcard == ArgumentPattern::Any);
                self.wildcard(rest.map_or(usize::MAX, |(number, _)| number));
            }
            TemplateWord::Wildcard(number) => self.wildcard(*number),
            TemplateWord::Joined(pieces) => {
                let mut joined = String::new();
                for piece in pieces {
                    match piece {
                        TemplatePiece::Literal(text) => joined.push_str(text),
                        TemplatePiece::Wildcard(number) => joined.push_str(self.argument(*number)?),
                    }
                }
                self.push(&quoted_if_needed(&joined));
            }
        }
        Ok(())
    }

    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    /// These words, with what stands between them.
    fn written(&mut self, words: Range<usize>) {
        let words = self.written.words.get(words).unwrap_or_default();
        if let (Some(first), Some(last)) = (words.first(), words.last()) {
            let text = self.text;
            self.push(text.get(first.start..last.end).unwrap_or_default());
        }
    }

    fn wildcard(&mut self, number: usize) {
        if let Some(range) = self.matched.captures.get(number) {
            let start = 1 + self.matched.before;
            self.written(start + range.start..start + range.end);
        }
    }

    /// The one argument that a wildcard took, as text.
    fn argument(&self, number: usize) -> Result<&str, &'static str> {
        let range = self.matched.captures.get(number).cloned().unwrap_or_default();
        let argument = self.call.arguments.get(self.matched.before + range.start);
        let text = argument.filter(|_| range.len() == 1).and_then(|argument| argument.text.as_deref());
        text.ok_or("a computed argument can't be part of a word")
    }
}

/// Can the call be what the rewrite makes of something?
pub(crate) fn is_image(rewrite: &Rewrite, call: &Call) -> bool {
    let mut shape = String::new();
    for (at, word) in rewrite.to.words.iter().enumerate() {
        if at > 0 {
            shape.push(' ');
        }
        match word {
            TemplateWord::Literal(text) => {
                shape.push_str(text);
                // Options between the program and its subcommand.
                if rewrite.run.iter().any(|pattern| pattern.program.as_str() == text) {
                    shape.push_str(" **");
                }
            }
            TemplateWord::Command if at == 0 => {
                shape.push_str(&call.program);
                shape.push_str(" **");
            }
            _ => shape.push_str("**"),
        }
    }
    RunPattern::parse(&shape).is_ok_and(|pattern| found(&pattern, call).is_some())
}
