//! Hidden names that an ignore file takes back (`!.env`): a program that leaves hidden files out shows these all the same.

use std::cell::RefCell;

use crate::statements::Prover;
use crate::table::{Row, is_listed};

/// What a line behind `!` takes back, as far as it may be hidden.
struct TakenBack {
    /// How each of the names ends.
    ends: String,
    /// Directories alone.
    directories: bool,
}

impl Prover<'_> {
    /// Where a search looks: in the directories that it was given, or here.
    pub(super) fn searched_directories(&self) -> Vec<String> {
        if self.listed.is_empty() { self.absolute(".") } else { self.listed_directories() }
    }

    /// Does an ignore file that the program obeys take back a hidden name below these directories? One that can't be read may.
    pub(super) fn takes_hidden_names_back(&self, row: &Row, directories: &[String]) -> bool {
        if row.ignores.is_empty() {
            return false;
        }
        let writes_one = |path: &Option<String>| {
            path.as_deref().is_none_or(|path| row.ignores.iter().any(|name| path.ends_with(name)))
        };
        if directories.is_empty() || self.deeds.brought || self.deeds.written.iter().any(writes_one) {
            return true;
        }
        let taken = RefCell::new(Vec::new());
        let obey = |directory: &str| {
            for path in row.ignores.iter().map(|name| format!("{directory}/{name}")) {
                if self.ground.files.is_there(&path) {
                    taken.borrow_mut().extend(taken_back(self.ground.files.text(&path).as_deref()));
                }
            }
        };
        // Those of the directories above hold here as well.
        for start in directories {
            let real = self.ground.files.resolve(start);
            for path in [Some(start), real.as_ref()].into_iter().flatten() {
                path.match_indices('/').for_each(|(end, _)| obey(path.get(..end).unwrap_or_default()));
                obey(path);
            }
        }
        let hidden = RefCell::new(Vec::new());
        let all = self.below(directories, true, |name, path| {
            if row.ignores.iter().any(|file| file.split('/').next() == Some(name)) {
                obey(path.rsplit_once('/').map_or("", |(directory, _)| directory));
            } else if name.starts_with('.') && !is_listed("known-hidden", name) {
                hidden.borrow_mut().push((name.to_owned(), path.to_owned()));
            }
            Ok(true)
        });
        let is_directory = |path: &str| !self.ground.files.names(path, 1).is_empty();
        all != Ok(true) && !taken.borrow().is_empty()
            || hidden.borrow().iter().any(|(name, path)| {
                taken.borrow().iter().any(|pattern| {
                    name.ends_with(&pattern.ends) && (!pattern.directories || is_directory(path))
                })
            })
    }
}

/// The lines of an ignore file that may take hidden names back.
fn taken_back(text: Option<&str>) -> Vec<TakenBack> {
    let Some(text) = text else { return vec![TakenBack { ends: String::new(), directories: false }] };
    let taken = text.lines().filter_map(|line| {
        let pattern = line.strip_prefix('!')?.trim_end();
        let named = pattern.trim_end_matches('/');
        let leaf = named.rsplit('/').next().unwrap_or(named);
        let may_be_hidden = leaf.starts_with(['.', '*', '?', '[', '{', '\\']);
        may_be_hidden.then(|| TakenBack {
            ends: leaf.rsplit(['*', '?', ']', '}', '\\']).next().unwrap_or_default().to_owned(),
            directories: pattern.ends_with('/'),
        })
    });
    taken.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_take_hidden_names_back_are_told_from_others() {
        let ends = |text: &str| -> Vec<(String, bool)> {
            taken_back(Some(text)).into_iter().map(|taken| (taken.ends, taken.directories)).collect()
        };
        assert_eq!(ends("*.log\n!src\n!docs/a.md\n# !.env\n!dist/\n!a*"), Vec::new());
        assert_eq!(ends("!.env\r\n"), [(".env".to_owned(), false)]);
        assert_eq!(ends("!/config/.env "), [(".env".to_owned(), false)]);
        assert_eq!(ends("!*/\n!**/*.md"), [(String::new(), true), (".md".to_owned(), false)]);
        assert_eq!(
            ends("!src/**\n![.]env\n!{.env,x}"),
            [(String::new(), false), ("env".to_owned(), false), (String::new(), false)]
        );
        assert_eq!(ends("!\\.env"), [(".env".to_owned(), false)]);
        assert_eq!(taken_back(None).len(), 1);
    }
}
