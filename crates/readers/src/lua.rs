//! Lua: the calls that reach files and programs.

use super::reader::Dialect;
use super::{Code, Language, only_calls};

static DIALECT: Dialect = only_calls::dialect(Language::Lua, "lua");

/// What a text does.
pub(super) fn analyse(text: &str) -> Code {
    only_calls::analyse(&DIALECT, text)
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
