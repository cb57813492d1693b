//! Words after expansion, and what flows between programs.

use hookgate_knowledge::Word;
use hookgate_shell::Span;

/// The longest text, in bytes, that is followed where texts are put together. Doubled thirty times, ten bytes are ten gigabytes.
pub const LONGEST_TEXT: usize = 64 * 1024;

/// One word after expansion and splitting: what a program gets as an argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// The text; `None` where part of it is computed.
    pub text: Option<String>,
    /// The text with the computed parts as written (`build-$X`); equal to `text` where that is known.
    pub written: String,
    /// A computed text with `*` for each computed part: what it is one of. Empty where nothing of it is known.
    pub shape: String,
    /// The text holds an unquoted glob, or a part that is some plain word: it stands for several texts.
    pub pattern: bool,
    /// Names of files stand in it, in the place of a variable or a substitution: a glob says which.
    pub names: bool,
    /// A shell has read the word and found no glob in it: `*`, `?` and `[` in the text were quoted.
    pub literal: bool,
    /// Nothing of it was quoted or expanded: an alias could apply.
    pub bare: bool,
    /// It was written as the elements of an array: `x=(a b)`.
    pub array: bool,
    /// The place in the event's text.
    pub span: Span,
    /// Where the text begins in the event's text, if it stands there letter by letter.
    pub offset: Option<u32>,
    /// `<( ... )`: what can be read from it.
    pub process: Option<Box<Data>>,
    /// Where a computed text comes from.
    pub source: Data,
    /// The text may be another: a variable in it is set on one of two courses, or by the environment.
    pub doubtful: bool,
}

impl Field {
    /// A field of that text.
    pub fn of(text: impl Into<String>, span: Span) -> Field {
        let text = text.into();
        Field { written: text.clone(), text: Some(text), span, ..Field::default() }
    }

    /// A field that can't be known.
    pub fn computed(written: impl Into<String>, span: Span) -> Field {
        Field { written: written.into(), span, ..Field::default() }
    }

    /// The text, if all of it is known.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The text if it is known, else as written.
    pub fn shown(&self) -> &str {
        self.text.as_deref().unwrap_or(&self.written)
    }

    /// Is the text exactly this?
    pub fn is(&self, text: &str) -> bool {
        !self.pattern && self.text.as_deref() == Some(text)
    }

    /// Does it begin with a dash, as far as can be seen?
    pub fn is_dashed(&self) -> bool {
        self.written.starts_with('-')
    }

    /// The first `count` bytes: the source in `source:target`.
    pub fn before(&self, count: usize) -> Field {
        let cut = |text: &str| text.get(..count).unwrap_or_default().to_owned();
        // Where the rest is computed, the beginning may be known.
        let written = cut(&self.written);
        let text = match self.text.as_deref() {
            Some(text) => Some(cut(text)),
            None => (!written.contains(['$', '`'])).then(|| written.clone()),
        };
        Field { text, written, shape: String::new(), process: None, ..self.clone() }
    }

    /// What is left after the first `count` bytes: the value in `--name=value`.
    pub fn after(&self, count: usize) -> Field {
        let cut = |text: &str| text.get(count..).unwrap_or_default().to_owned();
        let known = self.shape.get(..count).is_some_and(|begin| self.written.get(..count) == Some(begin));
        Field {
            text: self.text.as_deref().map(cut),
            written: cut(&self.written),
            shape: if known { cut(&self.shape) } else { String::new() },
            pattern: self.pattern,
            names: self.names,
            literal: self.literal,
            bare: false,
            array: false,
            span: self.span,
            offset: self.offset.map(|offset| offset.saturating_add(u32::try_from(count).unwrap_or(u32::MAX))),
            process: None,
            source: Data::Unknown,
            doubtful: self.doubtful,
        }
    }
}

/// What flows: through a pipe, from a file, out of a substitution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Data {
    /// Nothing is known about it.
    #[default]
    Unknown,
    /// Nothing is known about it, and it may well be nothing: of a variable that the text assigns elsewhere, or only on
    /// some course.
    Unassigned,
    /// There is none (the terminal, `/dev/null`).
    Nothing,
    /// Exactly this text.
    Text(String),
    /// This text, but for the computed parts: in their place it mentions a variable that nobody sets.
    Partial(String),
    /// Text that is unknown but for being one plain word or number without a slash (`date +%F`, `$$`).
    Word,
    /// Lines that are paths matching this absolute glob (`find`, `ls`, `git ls-files`).
    Paths(String),
    /// The content of the file at that absolute path.
    File(String),
    /// It comes from the network; the host, where known.
    Network(Option<String>),
    /// An archive of files that were named as trees, or a dump of a database.
    Archive,
    /// It was decoded or decrypted from something that can't be read.
    Decoded,
    /// It was written in letters and digits that fit into any word (`base64`, `xxd -p`).
    Encoded,
    /// A variable that keeps a secret, or text with one in it.
    Secret,
}

impl Data {
    /// What comes out of a filter that changes text in a way that nobody follows.
    pub fn filtered(&self) -> Data {
        match self {
            Data::Network(host) => Data::Network(host.clone()),
            Data::Decoded => Data::Decoded,
            Data::Encoded => Data::Encoded,
            Data::Secret => Data::Secret,
            Data::Archive => Data::Archive,
            Data::Nothing => Data::Nothing,
            Data::Paths(_)
            | Data::Unknown
            | Data::Unassigned
            | Data::Partial(_)
            | Data::Text(_)
            | Data::Word
            | Data::File(_) => Data::Unknown,
        }
    }

    /// Does it say nothing that a text could be judged by: neither what it holds nor who wrote it?
    pub fn is_opaque(&self) -> bool {
        matches!(
            self,
            Data::Unknown
                | Data::Unassigned
                | Data::Nothing
                | Data::Word
                | Data::Encoded
                | Data::Secret
                | Data::Paths(_)
        )
    }

    /// The origin of a text of which both are parts.
    pub fn followed_by_origin(self, other: Data) -> Data {
        match self {
            Data::Unknown => other,
            origin => origin.followed_by(other),
        }
    }

    /// This, then the other. Of what would be longer than [`LONGEST_TEXT`] nothing is known.
    pub fn followed_by(self, other: Data) -> Data {
        match (self, other) {
            (Data::Nothing, data)
            | (data, Data::Nothing)
            | (data @ Data::Network(_), _)
            | (_, data @ Data::Network(_)) => data,
            (Data::Text(one), Data::Text(other)) if one.len() + other.len() <= LONGEST_TEXT => {
                Data::Text(one + &other)
            }
            (Data::Partial(one), Data::Text(other) | Data::Partial(other))
            | (Data::Text(one), Data::Partial(other))
                if one.len() + other.len() <= LONGEST_TEXT =>
            {
                Data::Partial(one + &other)
            }
            (Data::Decoded, _) | (_, Data::Decoded) => Data::Decoded,
            (Data::Secret, _) | (_, Data::Secret) => Data::Secret,
            (Data::Encoded, _) | (_, Data::Encoded) => Data::Encoded,
            (Data::Unassigned, _) | (_, Data::Unassigned) => Data::Unassigned,
            _ => Data::Unknown,
        }
    }
}

impl Word for Field {
    fn written(&self) -> &str {
        &self.written
    }

    fn text(&self) -> Option<&str> {
        Field::text(self)
    }

    fn is(&self, text: &str) -> bool {
        Field::is(self, text)
    }

    fn after(&self, count: usize) -> Field {
        Field::after(self, count)
    }
}
