//! Redirections.

use super::word::Context;
use super::{Parsed, Parser};
use crate::tree::{Redirection, RedirectionKind};

/// The operators, longer ones before their beginnings.
const OPERATORS: [(&str, RedirectionKind); 12] = [
    ("&>>", RedirectionKind::AppendBoth),
    ("&>", RedirectionKind::WriteBoth),
    ("<<<", RedirectionKind::HereString),
    ("<<-", RedirectionKind::Heredoc),
    ("<<", RedirectionKind::Heredoc),
    ("<>", RedirectionKind::ReadWrite),
    ("<&", RedirectionKind::DuplicateInput),
    (">>", RedirectionKind::Append),
    (">&", RedirectionKind::DuplicateOutput),
    (">|", RedirectionKind::Write),
    ("<", RedirectionKind::Read),
    (">", RedirectionKind::Write),
];

impl Parser<'_> {
    /// The redirection that begins here, if one does.
    pub(super) fn redirection(&mut self) -> Parsed<Option<Redirection>> {
        let start = self.at;
        let numbered = match self.peek(0) {
            b'<' | b'>' | b'&' => 0,
            b'0'..=b'9' => self.digits(),
            b'{' => self.variable(),
            _ => return Ok(None),
        };
        self.at += numbered;
        let found = OPERATORS.iter().find(|(operator, _)| self.looking_at(operator));
        // `<(` begins a word, and nothing stands before `&>`.
        let word = matches!(self.peek(0), b'<' | b'>') && self.peek(1) == b'(';
        let Some((operator, kind)) =
            found.filter(|(operator, _)| !word && (numbered == 0 || !operator.starts_with('&')))
        else {
            self.at = start;
            return Ok(None);
        };
        self.count()?;
        let descriptor = self.slice(start, start + numbered).parse().ok();
        let at = self.at;
        self.at += operator.len();
        if *kind == RedirectionKind::Heredoc {
            return self.heredoc(start, at, descriptor, *operator == "<<-").map(Some);
        }
        self.blanks();
        if !self.word_ahead() {
            return self.syntax(start, self.end, "the target of a redirection is missing");
        }
        let target = self.word(Context::Plain)?;
        let kind = match *kind {
            // `>& file` writes both; with a number or `-` it duplicates.
            RedirectionKind::DuplicateOutput if numbered == 0 => {
                let to_descriptor = target.bare().is_some_and(|text| {
                    let digits = text.strip_suffix('-').unwrap_or(text);
                    digits.bytes().all(|byte| byte.is_ascii_digit())
                });
                if to_descriptor { RedirectionKind::DuplicateOutput } else { RedirectionKind::WriteBoth }
            }
            kind => kind,
        };
        Ok(Some(Redirection { descriptor, kind, target, heredoc: None, span: self.span(start, self.at) }))
    }

    /// How many digits stand here.
    fn digits(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..self.end).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    /// The length of `{name}`; 0 if it isn't there.
    fn variable(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at + 1..self.end).unwrap_or_default();
        let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        if name > 0 && rest.get(name) == Some(&b'}') { name + 2 } else { 0 }
    }
}
