//! Lua: the calls that reach files and programs. The rest of the language is not told apart, so no text of it counts as
//! understood.

use super::reader::{Dialect, Reader, read};
use super::value::Act;
use super::{Code, Language};
use crate::Kind;

static DIALECT: Dialect = Dialect {
    language: Language::Lua,
    function,
    method,
    harmless,
    module,
    keyword,
    statement,
    undefined_fails: false,
    bare_calls: false,
};

/// What a text does.
pub(super) fn analyse(text: &str) -> Code {
    let mut code = read(&DIALECT, text, 0);
    code.lose();
    code
}

fn method(_name: &str, _arguments: usize) -> Option<Act> {
    None
}

fn harmless(_name: &str) -> bool {
    false
}

fn statement(_reader: &mut Reader<'_>, _word: &str) -> bool {
    false
}

fn module(name: &str) -> bool {
    matches!(name, "os" | "io")
}

fn keyword(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "break"
            | "do"
            | "else"
            | "elseif"
            | "end"
            | "for"
            | "function"
            | "if"
            | "in"
            | "local"
            | "not"
            | "or"
            | "repeat"
            | "return"
            | "then"
            | "until"
            | "while"
    )
}

fn function(name: &str) -> Option<Act> {
    use Act::{Eval, Nothing, On, Open, Shell, Two};
    Some(match name {
        "os.remove" => On(Kind::Delete, 0),
        "os.rename" => Two(Kind::Move, 0, Kind::Write, 1),
        "os.execute" | "io.popen" => Shell(0),
        "io.open" => Open(0, 1),
        "io.lines" | "io.input" => On(Kind::Read, 0),
        "io.output" => On(Kind::Write, 0),
        "os.getenv" => Act::Variable,
        "load" | "loadstring" => Eval(0),
        "dofile" | "loadfile" => On(Kind::ProjectCode, 0),
        "print" | "tostring" | "tonumber" | "pairs" | "ipairs" | "type" | "io.write" | "io.read" => Nothing,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::languages::Language::Lua;

    #[test]
    fn commands_and_files_are_found() {
        check(Lua, "os.remove('a') -- os.remove('b')", &["delete a"], false);
        check(Lua, "os.rename('a', 'b')", &["move a", "write b"], false);
        check(Lua, "local n = #t; os.execute(\"rm -rf /\")", &["shell rm -rf /"], false);
        check(Lua, "io.open('a', 'w'):write('x')", &["write a"], false);
        check(Lua, "load(\"os.remove('a')\")()", &["delete a"], false);
        check(Lua, "print('os.remove(1)')", &[], false);
        check(Lua, "print([[os.remove('a')]])", &[], false);
        check(Lua, "os.remove([[a]])", &["delete a"], false);
    }
}
