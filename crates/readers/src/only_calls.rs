//! Languages of which only the calls that reach files and programs are known. The rest of the language is not told apart,
//! so no text of it counts as understood.

use super::reader::{Dialect, Reader, read};
use super::{Code, Language};
use hookgate_knowledge::Library;

/// A language with that library.
pub(super) const fn dialect(language: Language, library: &'static str) -> Dialect {
    Dialect {
        language,
        library,
        called: Library::function,
        statement,
        undefined_fails: false,
        bare_calls: false,
    }
}

/// What a text does.
pub(super) fn analyse(dialect: &'static Dialect, text: &str) -> Code {
    let mut code = read(dialect, text);
    code.lose();
    code
}

fn statement(reader: &mut Reader<'_>, word: &str) -> bool {
    let local = word == "local";
    if local {
        reader.advance();
    }
    local
}
