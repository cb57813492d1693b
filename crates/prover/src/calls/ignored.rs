//! Hidden names that an ignore file takes back (`!.env`): a program that leaves hidden files out shows these all the same.

/// What a line behind `!` takes back, as far as it may be hidden.
pub(super) struct TakenBack {
    /// How each of the names ends.
    ends: String,
    /// Directories alone.
    pub(super) directories: bool,
}

impl TakenBack {
    /// May it be a name of that kind?
    pub(super) fn is_meant(&self, name: &str) -> bool {
        name.ends_with(&self.ends)
    }
}

/// The lines of an ignore file that may take hidden names back; any name where it can't be read.
pub(super) fn taken_back(text: Option<&str>) -> Vec<TakenBack> {
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
