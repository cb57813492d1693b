//! Heredocs: the delimiter where the operator stands, the body after the line.

use super::word::Context;
use super::{Parsed, Parser};
use crate::tree::{Heredoc, Part, Redirection, RedirectionKind, Word};

/// A heredoc whose body has not been reached.
#[derive(Clone)]
pub(super) struct Pending {
    operator: usize,
    delimiter: String,
    /// `<<-`: tabs at the start of lines don't count.
    strip: bool,
    /// The delimiter was quoted: nothing in the body is expanded, not even line continuations.
    quoted: bool,
}

/// Where the body of the heredoc at `operator` stands.
pub(super) struct Body {
    pub(super) operator: usize,
    start: usize,
    end: usize,
    /// Where the text goes on.
    after: usize,
}

impl Parser<'_> {
    /// After `<<` or `<<-`, which stands at `operator`.
    pub(super) fn heredoc(
        &mut self,
        start: usize,
        operator: usize,
        descriptor: Option<u32>,
        strip: bool,
    ) -> Parsed<Redirection> {
        self.blanks();
        let word_start = self.at;
        if !self.word_ahead() {
            return self.syntax(start, self.end, "the delimiter of a heredoc is missing");
        }
        let word = self.word(Context::Delimiter)?;
        let raw = self.slice(word_start, self.at);
        let quoted = raw.contains(['\'', '"', '\\']);
        let Some(delimiter) = word.literal().filter(|_| !raw.contains('\n')) else {
            return self.syntax(word_start, self.at, "the delimiter of a heredoc can't be determined");
        };
        let span = self.span(start, self.at);
        let target = Word {
            parts: vec![Part::Literal { text: delimiter.clone(), quoted }],
            span: self.span(word_start, self.at),
        };
        let body = if self.located {
            let place = self.bodies.binary_search_by_key(&operator, |body| body.operator).ok();
            let bounds = place.and_then(|index| self.bodies.get(index)).map(|body| (body.start, body.end));
            let (start, end) = bounds.unwrap_or((self.end, self.end));
            self.heredoc_word(start, end, strip, quoted)?
        } else {
            Word::default()
        };
        self.pending.push(Pending { operator, delimiter, strip, quoted });
        let heredoc = Some(Heredoc { body, literal: quoted });
        Ok(Redirection { descriptor, kind: RedirectionKind::Heredoc, target, heredoc, span })
    }

    fn heredoc_word(&mut self, start: usize, end: usize, strip: bool, quoted: bool) -> Parsed<Word> {
        let raw = self.slice(start, end);
        if quoted || !raw.contains(['$', '`', '\\']) {
            let text = if strip {
                raw.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
            } else {
                raw.to_owned()
            };
            let parts = vec![Part::Literal { text, quoted: true }];
            return Ok(Word { parts, span: self.span(start, end) });
        }
        let place = self.place(start);
        let mut inner = self.inner(raw, place)?;
        let word = inner.word(Context::Heredoc { strip });
        self.absorb(&inner);
        self.absorb_cut(&mut inner);
        Ok(Word { span: self.span(start, end), ..word? })
    }

    /// After a line break: skip the bodies that begin here.
    pub(super) fn skip_heredocs(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        for pending in std::mem::take(&mut self.pending) {
            let known = if self.located {
                let place = self.bodies.binary_search_by_key(&pending.operator, |body| body.operator).ok();
                place.and_then(|index| self.bodies.get(index)).map(|body| body.after)
            } else {
                None
            };
            let after = known.unwrap_or_else(|| {
                let body = self.find_body(&pending);
                let after = body.after;
                self.bodies.push(body);
                after
            });
            self.data += after.saturating_sub(self.at);
            self.at = after.max(self.at);
        }
    }

    /// At the end of the text: what is still pending has an empty body, about which bash only warns.
    pub(super) fn finish_heredocs(&mut self) {
        if self.at_end() {
            self.skip_heredocs();
        }
    }

    /// The body from the cursor to the line that is the delimiter, or to the end.
    fn find_body(&self, pending: &Pending) -> Body {
        let bytes = self.text.as_bytes().get(..self.end).unwrap_or_default();
        let start = self.at;
        let mut at = start;
        while at < bytes.len() {
            let (line, next) = if pending.quoted {
                let line = first_line(bytes, at);
                (Line::Whole(line), at + line.len() + 1)
            } else {
                joined_line(bytes, at)
            };
            let body = |after: usize| Body { operator: pending.operator, start, end: at, after };
            let mut text = line.bytes();
            while pending.strip
                && let [b'\t', rest @ ..] = text
            {
                text = rest;
            }
            if let Some(rest) = text.strip_prefix(pending.delimiter.as_bytes()) {
                if rest.is_empty() {
                    return body(next.min(bytes.len()));
                }
                // Inside `$(`, bash takes a line such as `EOF)` for the end.
                if self.substitutions > 0
                    && rest.contains(&b')')
                    && let Line::Whole(line) = &line
                {
                    return body(at + line.len() - rest.len());
                }
            }
            at = next;
        }
        Body { operator: pending.operator, start, end: self.end, after: self.end }
    }
}

/// One line of a heredoc.
enum Line<'a> {
    /// As it stands in the text.
    Whole(&'a [u8]),
    /// Several, joined by backslashes.
    Joined(Vec<u8>),
}

impl Line<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Line::Whole(bytes) => bytes,
            Line::Joined(bytes) => bytes,
        }
    }
}

/// The line at `at`, without its line break.
fn first_line(bytes: &[u8], at: usize) -> &[u8] {
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    rest.get(..length).unwrap_or_default()
}

/// The line at `at`, with those that a backslash at its end joins to it, and the start of the next one.
fn joined_line(bytes: &[u8], at: usize) -> (Line<'_>, usize) {
    let line = first_line(bytes, at);
    let mut next = at + line.len() + 1;
    if !is_continued(line) || next > bytes.len() {
        return (Line::Whole(line), next);
    }
    let mut joined = line.strip_suffix(b"\\").unwrap_or(line).to_vec();
    loop {
        let line = first_line(bytes, next);
        next += line.len() + 1;
        if !is_continued(line) || next > bytes.len() {
            joined.extend(line);
            return (Line::Joined(joined), next);
        }
        joined.extend(line.strip_suffix(b"\\").unwrap_or(line));
    }
}

/// It ends in an odd number of backslashes.
fn is_continued(line: &[u8]) -> bool {
    line.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}
