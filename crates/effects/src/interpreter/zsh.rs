//! zsh's reading of a command, where it is another one than bash's: `$x:h` is the directory of `$x`.

use hookgate_shell::{Assignment, Command, Expansion, Node, Part, Statement, Word, Zsh};

use super::courses::mentioned;
use super::expansion::Expanded;
use crate::context::Context;
use crate::field::Field;
use crate::knowledge::shipped;
use crate::scope::Lasts;
use crate::state::Value;

impl Context<'_> {
    /// `functions[NAME]=TEXT`, `commands[NAME]=PATH`: what the name runs from here on.
    pub(super) fn element_for_shell(&mut self, array: &str, subscript: &Word, value: &Field) {
        match meaning(self.state.referred(array)) {
            Some("text") => self.may_run(value),
            Some("program") => {
                let name = self.field(subscript);
                self.state.remember_program(name.shown(), value.text.clone(), false);
            }
            _ => {}
        }
    }

    /// The same where the element is named by a word: `printf -v 'commands[NAME]' PATH`, `commands=([NAME]=PATH)`.
    pub(super) fn named_element_for_shell(&mut self, named: &str, value: &Field) {
        let named = self.state.referred(named).to_owned();
        let Some((array, rest)) = named.split_once('[') else { return };
        match meaning(self.state.referred(array)) {
            Some("text") => self.may_run(value),
            Some("program") => {
                let name = rest.split(']').next().unwrap_or_default().trim_matches(['"', '\'']);
                self.state.remember_program(name, value.text.clone(), false);
            }
            _ => {}
        }
    }

    /// `chpwd_functions=(NAME)`: zsh calls these by itself. `path=(. $path)` is `PATH=.:$PATH`; bash knows no such array.
    pub(super) fn listed_for_shell(&mut self, assignment: &Assignment, elements: &[Value], lasts: Lasts) {
        let span = self.scope().mapping.place(assignment.span);
        let row = shipped().table("commands/shell/arrays").find(&assignment.name);
        if let Some(row) = row.filter(|row| row.cell(0) == Some("tied")) {
            let mut extends = assignment.append;
            for word in &assignment.value {
                mentioned(word, &mut |name| extends |= name == assignment.name);
            }
            if let Some(name) = row.cell(1).filter(|_| extends) {
                let parts =
                    elements.iter().map(|value| value.text.clone().unwrap_or_else(|| format!("${name}")));
                let field = Field::of(parts.collect::<Vec<_>>().join(":"), span);
                self.assign_for(name, field, false, lasts);
            }
        }
        if meaning(&assignment.name) != Some("functions") {
            return;
        }
        for name in elements.iter().filter_map(|value| value.text.as_deref()) {
            if self.state.function(name).is_some() {
                let field = Field { bare: true, ..Field::of(name, span) };
                self.possibly(|context| context.in_subshell(|context| context.call_words(&[field])));
            }
        }
    }

    /// Does an array of functions that zsh calls name it?
    pub(super) fn is_listed_for_shell(&self, name: &str) -> bool {
        let arrays = shipped().table("commands/shell/arrays");
        arrays.rows().filter(|row| row.cell(0) == Some("functions")).any(|row| {
            let elements = self.state.variable(row.key()).and_then(|variable| variable.elements.as_ref());
            elements.is_some_and(|elements| elements.iter().any(|value| value.text.as_deref() == Some(name)))
        })
    }

    /// The command as zsh reads it; `None` where bash reads it alike.
    pub(super) fn in_zsh(&self, statement: &Statement) -> Option<Statement> {
        let Node::Command(command) = &statement.node else { return None };
        let values = command.assignments.iter().flat_map(|assignment| &assignment.value);
        let targets = statement.redirections.iter().map(|redirection| &redirection.target);
        let forces = statement.redirections.iter().any(|redirection| is_forced(&redirection.target));
        let mut words = command.words.iter().chain(values).chain(targets);
        if !forces && !words.any(|word| is_modified(word) || self.expanded_late(word).is_some()) {
            return None;
        }
        let words = |words: &[Word]| -> Vec<Word> { words.iter().map(|word| self.modified(word)).collect() };
        let mut command: Command = command.clone();
        command.words = words(&command.words);
        for assignment in &mut command.assignments {
            assignment.value = words(&assignment.value);
        }
        let mut redirections = statement.redirections.clone();
        for redirection in &mut redirections {
            if is_forced(&redirection.target) {
                let behind = command.words.iter().position(|word| word.span.start >= redirection.span.end);
                if let Some(index) = behind {
                    redirection.target = command.words.remove(index);
                }
            }
            redirection.target = self.modified(&redirection.target);
        }
        Some(Statement { node: Node::Command(command), redirections, ..statement.clone() })
    }

    /// `*(e:TEXT:)` runs the text for each name, `*(+NAME)` the command.
    pub(super) fn glob_qualifiers(&mut self, glob: &Field) {
        let group =
            glob.text().and_then(|text| text.strip_suffix(')')).and_then(|text| text.rsplit_once('('));
        let Some((_, qualifiers)) = group else { return };
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "/.@=%*^-".contains(c);
        let begin = qualifiers.trim_start_matches(|c| is_letter(c) && c != 'e');
        let text = if let Some(name) = begin.strip_prefix('+') {
            name
        } else if let Some(rest) = begin.strip_prefix('e') {
            let Some(mark) = rest.chars().next().filter(|mark| !is_letter(*mark)) else { return };
            let close = match mark {
                '[' => ']',
                '{' => '}',
                '<' => '>',
                mark => mark,
            };
            let text = rest.get(mark.len_utf8()..).unwrap_or_default();
            text.split(close).next().unwrap_or_default()
        } else {
            return;
        };
        self.may_run(&Field::of(text, glob.span));
    }

    /// The word as zsh expands it behind its values: `~$x` is a home or a directory's name, `~x` what `$x` holds, and `^x` and `*~x`
    /// are all names but those. `None` where nothing of that is in it.
    fn expanded_late(&self, word: &Word) -> Option<Word> {
        let with = |first: Part, rest: &[Part]| {
            let parts = std::iter::once(first).chain(rest.iter().cloned()).collect();
            Some(Word { parts, span: word.span })
        };
        let (first, rest) = word.parts.split_first()?;
        match first {
            Part::Tilde(name) => {
                let Expanded::One(value) = self.look_up(name.strip_prefix('~')?, None) else { return None };
                let text = value.text.filter(|text| text.starts_with('/'))?;
                with(Part::Literal { text, quoted: true }, rest)
            }
            Part::Literal { text, quoted: false } if text == "~" => match rest.split_first()? {
                (Part::Literal { text, .. }, rest) => with(Part::Tilde(format!("~{text}")), rest),
                (Part::Parameter { name, .. }, behind) => match self.look_up(name, None) {
                    Expanded::One(Value { text: Some(text), .. }) if !text.starts_with('/') => {
                        with(Part::Tilde(format!("~{text}")), behind)
                    }
                    _ => with(Part::Tilde("~".to_owned()), rest),
                },
                _ => with(Part::Tilde("~".to_owned()), rest),
            },
            Part::Literal { text, quoted: false } if letters_of_range(text).is_some() => {
                let (letters, behind) = letters_of_range(text)?;
                let one = |letter: char| Word {
                    parts: vec![Part::Literal { text: letter.to_string(), quoted: true }],
                    span: word.span,
                };
                let all = Part::Brace(letters.map(one).collect());
                let end = Part::Literal { text: behind.to_owned(), quoted: false };
                let parts = [all, end].into_iter().chain(rest.iter().cloned()).collect();
                Some(Word { parts, span: word.span })
            }
            Part::Literal { text, quoted: false } if text.starts_with('^') => {
                with(Part::Glob("*".to_owned()), &[])
            }
            Part::Glob(_) => {
                let excepts = |part: &Part| matches!(part, Part::Literal { text, quoted: false } if text.starts_with('~') && text != "~");
                let end = rest.iter().position(excepts)?;
                with(first.clone(), rest.get(..end).unwrap_or_default())
            }
            _ => None,
        }
    }

    /// The word with its modifiers carried out; the value is computed where they do more than is known here.
    fn modified(&self, word: &Word) -> Word {
        if let Some(word) = self.expanded_late(word) {
            return word;
        }
        let mut parts = Vec::with_capacity(word.parts.len());
        let mut rest = word.parts.as_slice();
        while let Some((part, behind)) = rest.split_first() {
            rest = behind;
            let Part::Parameter { name, expansion: Expansion::Zsh(Zsh::Modifier), quoted, span, .. } = part
            else {
                parts.push(part.clone());
                continue;
            };
            // The colon is text to bash: it is there.
            let Some((Part::Literal { text, .. }, behind)) = behind.split_first() else { continue };
            rest = behind;
            let value = match self.look_up(name, None) {
                Expanded::One(value) if !value.pattern => value.text,
                _ => None,
            };
            let done = value.and_then(|value| modify(value, text));
            let (part, text) = match done {
                Some((value, left)) => (Part::Literal { text: value, quoted: *quoted }, left.to_owned()),
                None => {
                    let (name, expansion) = (name.clone(), Expansion::Other(Vec::new()));
                    let quoted = *quoted;
                    (Part::Parameter { name, subscript: None, expansion, quoted, span: *span }, String::new())
                }
            };
            parts.push(part);
            if !text.is_empty() {
                parts.push(Part::Literal { text, quoted: *quoted });
            }
        }
        Word { parts, span: word.span }
    }
}

/// `{....}` and `{-../}` at the beginning: zsh counts from any letter to any.
fn letters_of_range(text: &str) -> Option<(std::ops::RangeInclusive<char>, &str)> {
    let (inside, behind) = text.strip_prefix('{')?.split_at_checked(4)?;
    let (first, last) = (inside.chars().next()?, inside.chars().last()?);
    let few = u32::from(first) <= u32::from(last) && u32::from(last) - u32::from(first) < 64;
    let is_range = inside.get(1..3) == Some("..") && few;
    Some((first..=last, behind.strip_prefix('}')?)).filter(|_| is_range)
}

/// What an array of that name is to zsh.
fn meaning(array: &str) -> Option<&'static str> {
    shipped().table("commands/shell/arrays").find(array)?.cell(0)
}

/// `>! FILE`, which writes the file whatever is there.
fn is_forced(target: &Word) -> bool {
    matches!(target.parts.as_slice(), [Part::Literal { text, quoted: false }] if text == "!")
}

fn is_modified(word: &Word) -> bool {
    let modifier =
        |part: &Part| matches!(part, Part::Parameter { expansion: Expansion::Zsh(Zsh::Modifier), .. });
    word.parts.iter().any(modifier)
}

/// Carries out the modifiers at the beginning of the text. Returns the value and what is left of the text.
fn modify(mut value: String, text: &str) -> Option<(String, &str)> {
    let mut rest = text;
    while let Some(modifiers) = rest.strip_prefix(':') {
        let (everywhere, modifiers) = match modifiers.strip_prefix('g') {
            Some(behind) => (true, behind),
            None => (false, modifiers),
        };
        let mut letters = modifiers.chars();
        let Some(letter) = letters.next() else { break };
        rest = letters.as_str();
        let (directory, name) = value.rsplit_once('/').unwrap_or((".", &value));
        value = match letter {
            'h' if directory.is_empty() => "/".to_owned(),
            'h' => directory.to_owned(),
            't' => name.to_owned(),
            'r' => value
                .rsplit_once('.')
                .filter(|(_, end)| !end.contains('/'))
                .map_or(&*value, |(begin, _)| begin)
                .to_owned(),
            'e' => name.rsplit_once('.').map_or("", |(_, end)| end).to_owned(),
            'l' => value.to_lowercase(),
            'u' => value.to_uppercase(),
            'a' | 'A' | 'P' if value.starts_with('/') => value,
            's' => {
                let mark = letters.next()?;
                let mut fields = letters.as_str().splitn(3, mark);
                let (pattern, replacement) = (fields.next()?, fields.next()?);
                rest = fields.next().unwrap_or_default();
                if pattern.is_empty() || pattern.contains('\\') || replacement.contains(['\\', '&']) {
                    return None;
                }
                value.replacen(pattern, replacement, if everywhere { usize::MAX } else { 1 })
            }
            _ => return None,
        };
        if value.len() > crate::field::LONGEST_TEXT {
            return None;
        }
    }
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_make_other_values() {
        let modified = |value: &str, text: &str| {
            modify(value.to_owned(), text).map(|(value, rest)| format!("{value}|{rest}"))
        };
        for (value, text, wanted) in [
            ("/a/b.txt", ":h", "/a|"),
            ("/a", ":h", "/|"),
            ("a", ":h/x", ".|/x"),
            ("/a/b.txt", ":t", "b.txt|"),
            ("/a.d/b", ":r", "/a.d/b|"),
            ("/a/b.txt", ":r.json", "/a/b|.json"),
            ("/a/b.txt", ":t:e", "txt|"),
            ("src", ":s,src,.env,", ".env|"),
            ("src", ":s/c/h/x", "srh|x"),
            ("a.a", ":gs,a,b", "b.b|"),
            ("Ab", ":l:u", "AB|"),
        ] {
            assert_eq!(modified(value, text).as_deref(), Some(wanted), "{value} {text}");
        }
        for text in [":x", ":s", ":s,a\\,b,c,", ":q", ":s,a,&&,"] {
            assert_eq!(modified("a", text), None, "{text}");
        }
    }
}
