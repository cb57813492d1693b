//! Looking into a file: the one way to what a script, a makefile or a package file holds. It sees what the text itself
//! wrote, and says where nothing can be seen.

use crate::context::Context;
use crate::effect::Unknown;
use crate::field::Data;
use crate::paths;
use crate::texts::noted;
use crate::world::EntryKind;
use hookgate_shell::Span;

/// What some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What is found where a file is looked into.
#[derive(Debug)]
pub(crate) enum Inside {
    /// The text.
    Text(String),
    /// The text but for computed parts.
    Partial(String),
    /// The text wrote it, and what is known is only where it comes from.
    Origin(Data),
    /// It is there, but it is too large, no plain file, or one more than are opened.
    Unread,
    /// It is there, and no text.
    Binary,
    /// It isn't there.
    Missing,
}

impl Inside {
    /// The text, if all of it or most of it is known.
    pub(crate) fn text(self) -> Option<String> {
        match self {
            Inside::Text(text) | Inside::Partial(text) => Some(text),
            Inside::Origin(_) | Inside::Unread | Inside::Binary | Inside::Missing => None,
        }
    }
}

impl Context<'_> {
    /// Looks into the file at an absolute path.
    pub(crate) fn look(&mut self, path: &str, limit: usize) -> Inside {
        match self.content(path) {
            Data::Text(text) => Inside::Text(text),
            Data::Partial(text) => Inside::Partial(text),
            Data::File(file) => self.read(&file, limit),
            origin => Inside::Origin(origin),
        }
    }

    fn read(&mut self, path: &str, limit: usize) -> Inside {
        let Some(entry) = self.world().entry(path) else { return Inside::Missing };
        if entry.kind == EntryKind::Directory {
            return Inside::Missing;
        }
        if self.left.files == 0 {
            return Inside::Unread;
        }
        self.left.files -= 1;
        self.pieces.get_mut().read_a_file();
        let Some(bytes) = self.world().read(path, limit) else { return Inside::Unread };
        if bytes.contains(&0) {
            return Inside::Binary;
        }
        let text = String::from_utf8_lossy(&bytes);
        Inside::Text(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text).to_owned())
    }

    /// A file that decides what runs can't be read: that is never nothing.
    pub(crate) fn unread(&mut self, path: &str, span: Span) {
        self.unknown(Unknown::Unparsed, span);
        self.annotate(format!("{} can't be read to see what it runs", noted(paths::file_name(path))));
    }
}
