//! R: the calls that reach files and programs.

use super::reader::Dialect;
use super::{Code, Language, only_calls};

static DIALECT: Dialect = only_calls::dialect(Language::Statistics, "r");

/// What a text does.
pub(super) fn analyse(text: &str) -> Code {
    only_calls::analyse(&DIALECT, text)
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Statistics;

    #[test]
    fn commands_and_files_are_found() {
        check(Statistics, "file.remove('a', \"b\") # unlink('c')", &["delete a", "delete b"], false);
        check(Statistics, "base::unlink('a')", &["delete a +recursive"], false);
        check(Statistics, "file.rename('a', 'b')", &["move a", "write b"], false);
        check(Statistics, "x <- 1; system('rm -rf /')", &["shell rm -rf /"], false);
        check(Statistics, "print('unlink(1)')", &[], false);
    }
}
