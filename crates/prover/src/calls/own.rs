//! What lies in the project and around it: its own programs, databases and names like options, and what its tools may be asked.

use hookgate_shell::Span;

use super::{Argument, Found};
use crate::state::Value;
use crate::statements::Prover;
use crate::table::{Row, is_listed};
use crate::{MAXIMUM_LISTED, Proven, places, refuse, roles};

impl Prover<'_> {
    /// A database that isn't there is made, empty: written like any file.
    pub(super) fn database_is_there(&mut self, key: &str, found: &Found, span: Span) -> Proven<()> {
        let Some((value, at)) = found.operands.first() else { return Ok(()) };
        let there = |path: &str| {
            let paths = self.absolute(path);
            path == ":memory:"
                || !paths.is_empty() && paths.iter().all(|path| self.ground.files.is_there(path))
        };
        if self.ground.named_exist || value.known().is_some_and(there) {
            return Ok(());
        }
        if !self.ground.code {
            return refuse("makes a database where none is there", span);
        }
        self.role(key, "write", &value.clone(), *at)
    }

    /// The views of a database are expressions, with functions that start an editor or read files.
    pub(super) fn database_is_own(&mut self, key: &str, found: &Found) -> Proven<()> {
        match found.operands.first() {
            Some((value, _)) if value.known().is_some_and(|path| self.is_new(path)) => Ok(()),
            Some((value, at)) => {
                self.needs_code(key, *at)?;
                self.script_file(&value.clone(), *at)
            }
            None => Ok(()),
        }
    }

    /// Is no database there, so that an empty one is made?
    fn is_new(&self, path: &str) -> bool {
        let paths = self.absolute(path);
        path == ":memory:"
            || !self.ground.named_exist
                && !paths.is_empty()
                && !paths.iter().any(|path| self.ground.files.is_there(path))
    }

    /// The words of a module of Python: those of the program of that name, if it is reviewed.
    pub(super) fn module(&mut self, module: &str, words: &[Argument], span: Span) -> Proven<()> {
        if Row::of(module).is_some() {
            return self.program(module, words, span);
        }
        if let Some((first, at)) = words.first().filter(|(value, _)| !value.text.starts_with('-')) {
            self.script_file(first, *at)?;
        }
        self.own_arguments(words)
    }

    /// Arguments of the project's own code: words that are written out and name nothing outside of the project, and no file that
    /// keeps secrets.
    pub(super) fn own_arguments(&mut self, arguments: &[Argument]) -> Proven<()> {
        for (value, at) in arguments {
            let attached = value.text.get(2..).filter(|_| value.text.starts_with('-'));
            let pieces = value.text.split(['=', ',', ':', '"', '\'', ' ', '[', '{', '(']).chain(attached);
            if let Some(kept) = pieces.clone().find(|piece| piece.len() > 1 && places::is_kept(piece)) {
                return refuse(format!("names `{kept}` to the project's code, which may show it"), *at);
            }
            for piece in pieces.clone().filter(|piece| piece.starts_with(['/', '~']) || piece.contains(".."))
            {
                let inside = self.absolute(piece).iter().all(|path| places::in_project(path, self.ground));
                let packages = piece.starts_with("...") || value.text.ends_with("/...");
                if piece != "/" && !packages && (!inside || piece.starts_with('~')) {
                    return refuse(format!("names `{piece}` to the project's code"), *at);
                }
            }
            for piece in pieces.filter(|piece| !piece.is_empty() && !piece.starts_with(['/', '~'])) {
                // What it names it may take for code, whatever its ending says.
                let paths = self.absolute(piece);
                for path in &paths {
                    if let Some(real) = self.ground.files.resolve(path).filter(|real| real != path) {
                        places::may_read(&real, self.ground, *at)?;
                    }
                }
                self.deeds.loaded.extend(paths.into_iter().map(|path| (path, *at)));
            }
            if !value.exact && !value.globbed && !value.number {
                return refuse("a computed word for the project's code", *at);
            }
            if !value.exact && value.globbed {
                self.reads(value, *at)?;
            }
            if value.text.contains("data:") && value.text.contains(',') {
                return refuse("an address that holds code", *at);
            }
            if value.text.contains("://") && !roles::is_local(&value.text) {
                return refuse("an address for the project's code", *at);
            }
        }
        Ok(())
    }

    /// Does the search for programs come to a directory of the project first, or to one that anybody fills?
    pub(super) fn is_found_in_project(&self, name: &str) -> bool {
        let ground = self.ground;
        let is_there = |directory: &str| ground.files.is_there(&format!("{directory}/{name}"));
        let first = ground.path.iter().find(|directory| !directory.starts_with('/') || is_there(directory));
        first.is_some_and(|directory| {
            let real = ground.files.resolve(directory).unwrap_or_else(|| directory.clone());
            !directory.starts_with('/')
                || places::in_project(&real, ground)
                || ground.temporary.iter().any(|root| places::lies_in(&real, root))
        })
    }

    /// Does a file here, or in a place that the last call was given, have a name like an option?
    pub(super) fn finds_dashes(&self) -> bool {
        let listed = self.listed.iter().filter_map(|(value, _)| value.known());
        let mut directories: Vec<String> = listed.flat_map(|path| self.absolute(path)).collect();
        directories.extend(self.state.directories.iter().cloned());
        directories.iter().any(|path| self.has_dashes(path))
    }

    /// May a name in the directory begin with a dash?
    pub(super) fn has_dashes(&self, directory: &str) -> bool {
        let names = self.ground.files.list(directory);
        names.len() >= MAXIMUM_LISTED || names.iter().any(|name| name.starts_with('-'))
    }

    /// A glob finds no name here that a program would take for an option.
    pub(super) fn no_dashes(&self, at: Span) -> Proven<()> {
        let directories = &self.state.directories;
        if directories.is_empty() || directories.iter().any(|path| self.has_dashes(path)) {
            refuse("a glob where a file is named like an option", at)
        } else {
            Ok(())
        }
    }
}

/// How every name ends that the pattern means; `None` where it doesn't say so. What stands behind a glob isn't all of the word.
pub(super) fn ending(pattern: &Value) -> Option<String> {
    let text = if pattern.exact { pattern.text.as_str() } else { pattern.ends.as_str() };
    let ending = text.rsplit(['*', '?', ']']).next().filter(|ending| !ending.contains(['\\', '/', '{', '}']));
    ending.filter(|_| pattern.exact || pattern.globbed && !pattern.deep).map(str::to_owned)
}

/// Do a search's words mean other names than those of its one pattern: one of several, or what a test of names leaves out?
pub(super) fn widens(words: &[String]) -> bool {
    words.iter().enumerate().any(|(index, word)| match word.as_str() {
        "-o" | "-or" | "," | "-iname" => true,
        "-not" | "!" => !words.get(index + 1).is_some_and(|test| is_listed("narrowing-tests", test)),
        _ => false,
    })
}

/// `@FILE` of programs that read more words from there, and show those that they don't understand.
pub(super) fn no_files_of_words(name: &str, words: &[Argument]) -> Proven<()> {
    // `-x@FILE` is `-x @FILE`.
    let names_file = |value: &Value| {
        let text = value.text.as_str();
        let attached = text.get(2..).filter(|_| text.starts_with('-') && !text.starts_with("--"));
        attached.unwrap_or(text).starts_with('@')
    };
    match words.iter().find(|(value, _)| names_file(value)) {
        Some((_, at)) if is_listed("takes-words-from-files", name) => {
            refuse(format!("a file of words for `{name}`"), *at)
        }
        _ => Ok(()),
    }
}

/// Words for a program that takes what it is given for commands or for code where it is asked to: names, paths and patterns alone.
pub(super) fn only_words(key: &str, row: &Row, words: &[Argument]) -> Proven<()> {
    // A word behind an option may be its value: then the next one may still be a subcommand.
    let (mut open, mut behind_option) = (true, false);
    for (value, at) in words {
        let text = value.text.as_str();
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        let is_refused = |refused: &&str| match refused.strip_prefix("--") {
            Some(_) => name.starts_with("--") && refused.starts_with(name) && name.len() > 2,
            None => text.starts_with(refused),
        };
        if text == "-" || row.refused.iter().any(is_refused) {
            return refuse(
                format!("`{text}` of `{}` can name a command or code", key.replace('.', " ")),
                *at,
            );
        }
        let dashed = text.starts_with('-');
        if open && !dashed && is_listed("loose-subcommands", text) {
            return refuse(format!("`{} {text}` is not reviewed", key.replace('.', " ")), *at);
        }
        open &= (dashed || behind_option) && text != "--";
        behind_option = dashed;
        if text.contains(['(', ')', '{', '}', '`', '$', ';', '|', '&', '<', '>', '"', '\'', '\n']) {
            return refuse(format!("a word for `{}` that may be code", key.replace('.', " ")), *at);
        }
    }
    Ok(())
}

/// Words among which the program looks for options of its own: none before `--`.
pub(super) fn no_options(key: &str, words: &[Argument]) -> Proven<()> {
    let before = words.iter().take_while(|(value, _)| value.text != "--");
    match before.into_iter().find(|(value, _)| value.can_be_option()) {
        Some((value, at)) => refuse(
            format!("`{}` of `{}` is not reviewed behind words", value.text, key.replace('.', " ")),
            *at,
        ),
        None => Ok(()),
    }
}

/// The subcommand of a tool that has others than those which are reviewed. What stands behind an option that isn't known may be the
/// option's value or the subcommand.
pub(super) fn begins_as_listed(key: &str, row: &Row, words: &[Argument]) -> Proven<()> {
    if row.only.is_empty() {
        return Ok(());
    }
    let mut takes_value = false;
    for (value, at) in words {
        let text = value.text.as_str();
        if text == "--" || row.only.contains(&text) {
            return Ok(());
        }
        if text.starts_with('-') {
            takes_value = row.option(text).is_some_and(|option| option.value.is_some());
        } else if std::mem::take(&mut takes_value) {
            continue;
        } else {
            return refuse(format!("`{} {text}` is not reviewed", key.replace('.', " ")), *at);
        }
    }
    Ok(())
}
