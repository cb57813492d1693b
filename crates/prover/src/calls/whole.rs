//! What lies in and above the directories of a call: all that a search there reads, and files that make its program load code.

use std::cell::RefCell;

use hookgate_shell::Span;

use super::ignored::taken_back;
use super::{Argument, Found, own};
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
                taken
                    .borrow()
                    .iter()
                    .any(|pattern| pattern.is_meant(name) && (!pattern.directories || is_directory(path)))
            })
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
        let mut directories = self.listed_directories();
        // A path that only an option names, such as a file of patterns, isn't where it searches.
        let is_named = found.operands.iter().any(|operand| self.listed.contains(operand));
        // What looks at hidden files unasked (`grep -r`) searches here, whatever it is fed.
        if computed || !is_named && (self.input == Input::Own || has(hidden)) {
            let here = self.absolute(".");
            if here.is_empty() {
                return refuse("reads everything in a directory that isn't known", span);
            }
            directories.extend(here);
        }
        let mut left = MOST_IN_A_TREE;
        let mut open = directories.clone();
        let refused = |name: &str| refuse(format!("reads everything here, and `{name}` with it"), span);
        let mut left_out = None;
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
                    return refused(&name);
                }
                if is_hidden {
                    left_out.get_or_insert(name);
                }
                open.push(path);
            }
        }
        match left_out {
            Some(name) if self.takes_hidden_names_back(row, &directories) => refused(&name),
            _ => Ok(()),
        }
    }

    /// The directories that the call reads or lists.
    pub(super) fn listed_directories(&self) -> Vec<String> {
        self.directories_of(&self.listed)
    }

    /// What these words name, or where names lie that only a search finds.
    fn directories_of(&self, words: &[Argument]) -> Vec<String> {
        let mut directories = Vec::new();
        for (value, _) in words {
            if let Some(path) = value.known() {
                directories.extend(self.absolute(path));
                continue;
            }
            // What another command prints.
            if value.text == "/dev/fd/" {
                continue;
            }
            let (place, begins) = value.text.rsplit_once('/').unwrap_or((".", &value.text));
            for place in self.absolute(if place.is_empty() { "/" } else { place }) {
                let names = self.ground.files.list(&place);
                let is_plain = value.globbed && !value.deep && !value.hidden && !value.ends.contains('/');
                if !is_plain || names.len() >= MAXIMUM_LISTED {
                    directories.push(place);
                    continue;
                }
                let fits = |name: &&String| {
                    name.starts_with(begins)
                        && name.ends_with(&value.ends)
                        && (!begins.is_empty() || !name.starts_with('.'))
                };
                directories.extend(names.iter().filter(fits).map(|name| format!("{place}/{name}")));
            }
        }
        directories
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

    /// `xargs` splits what it is fed at blanks, and takes quotes and backslashes away; `read` takes a line: a name with one of them
    /// becomes other names.
    pub(super) fn no_names_that_split(&self, splits: fn(char) -> bool, at: Span) -> Proven<()> {
        if !splits('\n') {
            return Ok(());
        }
        let why = "names that are split where one has a blank in it";
        let all = self.below(&self.searched, false, |name, _| match name.contains(splits) {
            true => refuse(why, at),
            false => Ok(true),
        })?;
        if all { Ok(()) } else { refuse(why, at) }
    }

    /// What lies below the directories that it is given, or where it stands, is read as well: no link there leads out of the project. Of a tree that is too large to look through only the project's code may make something.
    pub(super) fn walks(&mut self, key: &str, row: &Row, found: &Found, span: Span) -> Proven<()> {
        if !row.walks {
            return Ok(());
        }
        let mut directories = self.directories_of(&found.operands);
        if found.operands.is_empty() {
            directories.clone_from(&self.state.directories);
        }
        // It takes the settings next to each file.
        let settings = row.code_if_says.map_or("", |(files, _)| files);
        let mut says = self.above_here(&directories, |directory| self.says_so(row, directory));
        let says_below = std::cell::Cell::new(false);
        let all = self.below(&directories, false, |name, path| {
            // What it changes in place lies where the link leads; tools know files by their endings.
            let is_taken = || places::has_plain_ending(name) || !self.ground.files.names(path, 1).is_empty();
            let leads_out = self.ground.files.is_link(path)
                && !places::leads_into_project(path, self.ground)
                && is_taken();
            if leads_out || self.leads_where_nothing_is_read(path, span) {
                let why = format!("reads what lies below a directory, and through the link `{name}`");
                return refuse(why, span);
            }
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            if settings.split(',').any(|file| file == name) && self.says_so(row, directory) {
                says_below.set(true);
            }
            Ok(true)
        })?;
        says |= says_below.get();
        if all && !says {
            return Ok(());
        }
        self.loads(key, span)
    }

    /// Is a program of that name installed for the project, where the text may stand or above it?
    pub(super) fn is_local_tool(&self, name: &str) -> bool {
        let there =
            |directory: &str| self.ground.files.is_there(&format!("{directory}/node_modules/.bin/{name}"));
        let above = |start: &String| self.above_here(std::slice::from_ref(start), there);
        self.ground.named_exist
            || !self.state.directories.is_empty() && self.state.directories.iter().all(above)
    }

    /// Does something that lies here make the program load the project's code?
    pub(super) fn loads_code(&self, row: &Row) -> bool {
        let says = |directory: &str| self.says_so(row, directory);
        let asks = !row.code_if.is_empty() || row.code_if_says.is_some();
        asks && self.deeds.brought
            || self.has_one_of(&row.code_if)
            || row.code_if_says.is_some() && self.above_here(&self.state.directories, says)
            || row.hook.is_some_and(|hook| self.has_hook(Some(hook)))
    }

    /// Where options name directories for it to work in, it looks there; and beside the files that it is given.
    pub(super) fn loads_code_elsewhere(&mut self, key: &str, row: &Row, span: Span) -> Proven<()> {
        if row.code || row.code_if.is_empty() && row.code_if_says.is_none() {
            return Ok(());
        }
        let there = |directory: &str| {
            let is_there = |name: &&str| self.ground.files.is_there(&format!("{directory}/{name}"));
            row.code_if.iter().any(is_there) || self.says_so(row, directory)
        };
        let mut places = self.placed.clone();
        places.extend(self.listed_directories());
        let mut loads = !places.is_empty() && self.above_here(&places, there);
        // Names that a search found lie anywhere below.
        let found: Vec<Argument> = self.listed.iter().filter(|(value, _)| value.deep).cloned().collect();
        let mut places = self.directories_of(&found);
        if !found.is_empty() {
            places.extend(self.searched.iter().cloned());
        }
        let loads_below = std::cell::Cell::new(false);
        let all = self.below(&places, false, |_, path| {
            loads_below.set(loads_below.get() || there(path));
            Ok(true)
        })?;
        loads |= loads_below.get() || !all;
        if loads { self.loads(key, span) } else { Ok(()) }
    }

    /// Does a file of settings in the directory hold a word for which the program loads, reads or writes more?
    fn says_so(&self, row: &Row, directory: &str) -> bool {
        let Some((files, words)) = row.code_if_says else { return false };
        let words: Vec<&str> = words.split(',').collect();
        files.split(',').any(|name| {
            let path = format!("{directory}/{name}");
            self.ground.files.is_there(&path)
                && holds_one_of(self.ground.files.text(&path).as_deref(), &words)
                || self
                    .deeds
                    .written
                    .iter()
                    .any(|written| written.as_ref().is_none_or(|written| *written == path))
        })
    }

    /// Is it so of a directory, or of one above it in the same project or home?
    fn above_here(&self, directories: &[String], is_so: impl Fn(&str) -> bool) -> bool {
        let above = |start: &str| {
            let mut directory = start;
            while !directory.is_empty() && directory != self.ground.home {
                if is_so(directory) {
                    return true;
                }
                directory = directory.rsplit_once('/').map_or("", |(above, _)| above);
            }
            false
        };
        // Programs go up from where a link leads.
        let real = |start: &String| self.ground.files.resolve(start).filter(|real| real != start);
        directories.is_empty()
            || directories.iter().any(|start| above(start) || real(start).is_some_and(|real| above(&real)))
    }

    /// Does one of these files lie in a directory that the text may stand in, or above it in the same project or home?
    pub(super) fn has_one_of(&self, names: &[&str]) -> bool {
        let there = |directory: &str| {
            names.iter().any(|name| self.ground.files.is_there(&format!("{directory}/{name}")))
        };
        !names.is_empty()
            && (self.above_here(&self.state.directories, there)
                || self.deeds.written.iter().any(|path| {
                    path.as_deref().is_none_or(|path| names.iter().any(|name| path.ends_with(name)))
                }))
    }
}

/// Does the text of a file hold one of these words, with nothing that could belong to a word on either side? So it may where
/// it can't be read, or is written in signs that stand for others.
fn holds_one_of(text: Option<&str>, words: &[&str]) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.is_none_or(|text| {
        ["\\u", "\\U", "\\x"].iter().any(|sign| text.contains(sign))
            || text.split(|c| !is_part(c)).any(|word| words.contains(&word))
    })
}
