//! Arguments, as they are meant and as they are written.

use hookgate_effects::Call;
use hookgate_shell::{Span, quoted_if_needed};

/// One argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// What it is; `None` where that is computed.
    pub(super) text: Option<String>,
    /// How it is written: quoted where it must be.
    pub(super) written: String,
    /// Its place, so that `{a,b}`, which is two arguments, is written once.
    place: Option<Span>,
}

impl Word {
    /// A word of our own.
    pub(super) fn plain(text: &str) -> Word {
        Word { text: Some(text.to_owned()), written: quoted_if_needed(text), place: None }
    }

    /// The text, or nothing.
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("")
    }

    /// What stands behind the `=` of `--option=value`, as it is written.
    pub(super) fn value(&self) -> Option<Word> {
        let (_, text) = self.text.as_deref()?.split_once('=')?;
        let written = self.written.split_once('=').map(|(_, value)| value).filter(|_| self.place.is_some());
        let quotes_around = self.written.starts_with(['\'', '"']);
        Some(match written {
            Some(written) if !quotes_around => {
                Word { text: Some(text.to_owned()), written: written.to_owned(), place: self.place }
            }
            _ => Word::plain(text),
        })
    }
}

/// The arguments of a call. One that is computed and not written out in the command (`xargs`) is written as nothing.
pub(super) fn of(call: &Call, command: &str) -> Vec<Word> {
    call.arguments
        .iter()
        .map(|argument| {
            let raw = raw(call, argument.span, command);
            let written = match (raw, &argument.text) {
                (Some(raw), _) => raw.to_owned(),
                (None, Some(text)) => quoted_if_needed(text),
                (None, None) => String::new(),
            };
            Word { text: argument.text.clone(), written, place: raw.map(|_| argument.span) }
        })
        .collect()
}

/// The argument as it stands in the command, if it stands there letter by letter: then it lies behind the call's
/// first word.
fn raw<'c>(call: &Call, span: Span, command: &'c str) -> Option<&'c str> {
    let inside = span.start > call.span.start && span.end <= call.span.end && span.end > span.start;
    command.get(span.start as usize..span.end as usize).filter(|_| inside)
}

/// Words as one command.
pub(super) fn joined(words: &[Word]) -> String {
    let mut text = String::new();
    let mut last = None;
    for word in words {
        if word.written.is_empty() || (word.place.is_some() && word.place == last) {
            continue;
        }
        last = word.place;
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word.written);
    }
    text
}
