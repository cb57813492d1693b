//! R: the calls that reach files and programs.

use super::reader::Dialect;
use super::value::Act;
use super::{Code, Language, only_calls};
use hookgate_facts::Kind;

static DIALECT: Dialect = only_calls::dialect(Language::Statistics, function, module, keyword);

/// What a text does.
pub(super) fn analyse(text: &str) -> Code {
    only_calls::analyse(&DIALECT, text)
}

fn module(name: &str) -> bool {
    matches!(name, "file" | "base" | "Sys" | "download" | "readRDS")
}

fn keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "else" | "for" | "while" | "repeat" | "function" | "in" | "next" | "break" | "return"
    )
}

fn function(name: &str) -> Option<Act> {
    use Act::{Each, Nothing, On, Shell, Tree, Two};
    let name = name.strip_prefix("base.").unwrap_or(name);
    Some(match name {
        "file.remove" => Each(Kind::Delete),
        "unlink" => Tree(Kind::Delete, 0),
        "file.rename" => Two(Kind::Move, 0, Kind::Write, 1),
        "file.copy" => Two(Kind::Read, 0, Kind::Write, 1),
        "file.create" => Each(Kind::Write),
        "file.append" => On(Kind::Append, 0),
        "file.symlink" | "file.link" => On(Kind::Link, 1),
        "Sys.chmod" => On(Kind::Permission, 0),
        "writeLines" => On(Kind::Write, 1),
        "readLines" | "readRDS" => On(Kind::Read, 0),
        "system" | "system2" | "shell" => Shell(0),
        "source" => On(Kind::ProjectCode, 0),
        "download.file" => Two(Kind::Download, usize::MAX - 1, Kind::Write, 1),
        "Sys.getenv" => Act::Variable,
        "print" | "cat" | "paste" | "paste0" | "c" | "library" | "file.exists" | "file.path" => Nothing,
        _ => return None,
    })
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
