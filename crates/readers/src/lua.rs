//! Lua: the calls that reach files and programs.

use super::reader::Dialect;
use super::value::Act;
use super::{Code, Language, only_calls};
use hookgate_facts::Kind;

static DIALECT: Dialect = only_calls::dialect(Language::Lua, function, module, keyword);

/// What a text does.
pub(super) fn analyse(text: &str) -> Code {
    only_calls::analyse(&DIALECT, text)
}

fn module(name: &str) -> bool {
    matches!(name, "os" | "io" | "_G")
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
    let name = name.strip_prefix("_G.").unwrap_or(name);
    Some(match name {
        "require" => Act::Import,
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
    use crate::Language::Lua;

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
