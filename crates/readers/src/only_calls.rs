//! Languages of which only the calls that reach files and programs are known. The rest of the language is not told apart,
//! so no text of it counts as understood.

use super::reader::{Dialect, Reader, read};
use super::value::Act;
use super::{Code, Language};

/// A language with these calls, modules and words.
pub(super) const fn dialect(
    language: Language,
    function: fn(&str) -> Option<Act>,
    module: fn(&str) -> bool,
    keyword: fn(&str) -> bool,
) -> Dialect {
    Dialect {
        language,
        function,
        method,
        harmless,
        module,
        keyword,
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

fn method(_name: &str, _arguments: usize) -> Option<Act> {
    None
}

fn harmless(_name: &str) -> bool {
    false
}

fn statement(reader: &mut Reader<'_>, word: &str) -> bool {
    let local = word == "local";
    if local {
        reader.advance();
    }
    local
}
