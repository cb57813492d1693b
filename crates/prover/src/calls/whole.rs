//! What lies in and above the directories of a call: all that a search there reads, and files that make its program load code.

use hookgate_shell::Span;

use super::{Found, own};
use crate::state::Value;
use crate::statements::{Input, Prover};
use crate::table::{Row, is_listed};
use crate::{MAXIMUM_LISTED, MOST_IN_A_TREE, Proven, places, refuse};

impl Prover<'_> {
    /// Is it `--include=*.rs`, which the shell leaves as it is where no name begins so?
    pub(super) fn is_pattern_of_names(
        &self,
        row: &Row,
        value: &Value,
        at: Span,
        found: &mut Found,
    ) -> Proven<bool> {
        self.no_dashes(at)?;
        let name = value.text.strip_suffix('=').unwrap_or_default();
        if row.option(name).and_then(|option| option.value) != Some("only-names") {
            return Ok(false);
        }
        found.only.push(own::ending(value));
        found.options.push(name.to_owned());
        Ok(true)
    }

    /// Directories that are read with all that is in them hold nothing that a file by itself wouldn't be read for.
    pub(super) fn reads_everything(&self, row: &Row, found: &Found, span: Span) -> Proven<()> {
        let Some((options, hidden)) = row.whole else { return Ok(()) };
        let has = |names: &str| {
            names.split(',').any(|name| name == "always" || found.options.iter().any(|option| option == name))
        };
        // A word that isn't known may be such an option, and the next one no file.
        let computed = found.operands.iter().any(|(value, _)| value.can_be_option());
        if !has(options) && !computed {
            return Ok(());
        }
        let mut directories: Vec<String> =
            self.listed.iter().filter_map(|(value, _)| value.known().map(str::to_owned)).collect();
        // A path that only an option names, such as a file of patterns, isn't where it searches.
        let is_named = found.operands.iter().any(|operand| self.listed.contains(operand));
        // What looks at hidden files unasked (`grep -r`) searches here, whatever it is fed.
        if computed || !is_named && (self.input == Input::Own || has(hidden)) {
            directories.push(".".to_owned());
        }
        let mut left = MOST_IN_A_TREE;
        let mut open: Vec<String> =
            directories.iter().flat_map(|directory| self.absolute(directory)).collect();
        while let Some(directory) = open.pop() {
            let names = self.ground.files.list(&directory);
            left = left.saturating_sub(names.len());
            if names.len() >= MAXIMUM_LISTED || left == 0 {
                return refuse("reads everything here, which is too much to look through", span);
            }
            for name in names {
                let path = format!("{directory}/{name}");
                if !found.reads(&name) && self.ground.files.list(&path).is_empty() {
                    continue;
                }
                let is_hidden = name.starts_with('.') && !is_listed("known-hidden", &name);
                if is_hidden && has(hidden)
                    || !name.starts_with('.') && places::names_a_secret(&name)
                    || self.leads_where_nothing_is_read(&path, span)
                {
                    return refuse(format!("reads everything here, and `{name}` with it"), span);
                }
                open.push(path);
            }
        }
        Ok(())
    }

    /// Looks at each name below the directories, but for git's own, through links or not; not below one
    /// that `look` says no to. Says whether these were all.
    pub(crate) fn below(
        &self,
        directories: &[String],
        follows: bool,
        look: impl Fn(&str, &str) -> Proven<bool>,
    ) -> Proven<bool> {
        let mut left = MOST_IN_A_TREE;
        let mut open: Vec<(String, bool)> = directories.iter().map(|path| (path.clone(), true)).collect();
        while let Some((directory, root)) = open.pop() {
            let names = self.ground.files.names(&directory, left);
            if names.is_empty() || !root && !follows && self.ground.files.is_link(&directory) {
                continue;
            }
            left = left.saturating_sub(names.len());
            if left == 0 {
                return Ok(false);
            }
            for name in names.iter().filter(|name| *name != ".git") {
                let path = format!("{}/{name}", directory.trim_end_matches('/'));
                if look(name, &path)? {
                    open.push((path, false));
                }
            }
        }
        Ok(true)
    }

    /// Does a name below the directory that ends so lead elsewhere? What is too large to look through may hold one.
    pub(crate) fn may_find_a_link(&self, directory: &str, ends: &str, at: Span) -> bool {
        let found = self.below(&[directory.to_owned()], false, |name, path| {
            match name.ends_with(ends) && self.ground.files.is_link(path) {
                true => refuse("a link", at),
                false => Ok(true),
            }
        });
        found != Ok(true)
    }

    /// `xargs` splits what it is fed at blanks, and takes quotes and backslashes away: a name with one of them becomes other names.
    pub(super) fn no_names_that_split(&self, at: Span) -> Proven<()> {
        let splits = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '\\');
        let why = "names that are split where one has a blank in it";
        let all = self.below(&self.searched, false, |name, _| match name.contains(splits) {
            true => refuse(why, at),
            false => Ok(true),
        })?;
        if all { Ok(()) } else { refuse(why, at) }
    }

    /// Does one of these files lie in a directory that the text may stand in, or above it in the same project or home?
    pub(super) fn has_one_of(&self, names: &[&str]) -> bool {
        let there = |directory: &str| {
            names.iter().any(|name| self.ground.files.is_there(&format!("{directory}/{name}")))
        };
        let above = |start: &String| {
            let mut directory = start.as_str();
            while !directory.is_empty() && directory != self.ground.home {
                if there(directory) {
                    return true;
                }
                directory = directory.rsplit_once('/').map_or("", |(above, _)| above);
            }
            false
        };
        !names.is_empty()
            && (self.state.directories.is_empty()
                || self.deeds.written.iter().any(|path| {
                    path.as_deref().is_none_or(|path| names.iter().any(|name| path.ends_with(name)))
                })
                || self.state.directories.iter().any(above))
    }
}
