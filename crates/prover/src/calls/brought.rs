//! What a call leaves in the work tree or in a copy that nobody has looked at.

use hookgate_shell::Span;

use super::Found;
use crate::statements::{Input, Prover};
use crate::table::Row;
use crate::{Proven, places, refuse, roles};

impl Prover<'_> {
    /// Notes what the call brings or copies. What it wrote begins at `first`.
    pub(super) fn brings(&mut self, row: &Row, found: &Found, first: usize, span: Span) -> Proven<()> {
        if row.stages.contains(&"always") || found.has(&row.stages) {
            self.stages(row, found, span)?;
        }
        if row.whole.is_some() && self.listed.is_empty() && self.input == Input::Own {
            for directory in self.state.directories.clone() {
                self.touches(&directory, span)?;
            }
        }
        let stays = found.operands.is_empty() && found.has(&row.stays);
        if row.brings && !stays || found.has(&row.brings_with) || row.resets && self.names_a_commit(found) {
            self.deeds.brought = true;
            return self.fills_project(span);
        }
        if row.restores {
            return self.fills_project(span);
        }
        let copies = row.fills.contains(&"always") || found.has(&row.fills);
        if !(row.links || copies) {
            return Ok(());
        }
        // Behind an option that names the target all words are sources.
        let targeted = found.has(&["-t", "--target-directory"]);
        let sources = found.operands.len() - usize::from(!targeted && !found.operands.is_empty());
        if !row.links
            && found.operands.iter().take(sources).all(|(value, _)| self.is_seen(value, first, span))
        {
            return Ok(());
        }
        let written: Vec<Option<String>> = self.deeds.written.iter().skip(first).cloned().collect();
        self.deeds.written.push(None);
        for place in written {
            match place {
                Some(place) => self.fills(place, span)?,
                None => self.fills_project(span)?,
            }
        }
        Ok(())
    }

    /// No file that is put into the repository keeps secrets, by its name.
    fn stages(&self, row: &Row, found: &Found, span: Span) -> Proven<()> {
        let directories = match self.repositories.as_slice() {
            [] => self.state.directories.clone(),
            [one] => vec![one.clone()],
            _ => Vec::new(),
        };
        let mut paths = Vec::new();
        let mut all = found.operands.is_empty();
        for (value, _) in &found.operands {
            match value.known() {
                Some(path) if !path.contains(['*', '?', '[', ':']) => {
                    paths.extend(directories.iter().map(|base| places::reached(base, path, self.ground)));
                }
                _ => all = true,
            }
        }
        let is_file = |path: &String| self.ground.files.list(path).is_empty();
        if found.has(&["-f", "--force"]) && (all || !paths.iter().all(is_file)) {
            return refuse("puts ignored files into the repository", span);
        }
        // `-u` of a stash means what git doesn't know.
        let known = row.stages.contains(&"always") && found.has(&["-u", "--update"]);
        let meant = |path: &&String| all || paths.iter().any(|place| places::lies_in(path, place));
        let written = self.deeds.written.iter().flatten().filter(meant).filter(|_| !known);
        let mut staged: Vec<String> = written.cloned().collect();
        // A file by its own name was looked at as such.
        let mut open = paths.clone();
        open.retain(|path| !is_file(path));
        let asks = all || !open.is_empty();
        if all {
            open.clear();
        }
        if directories.is_empty() {
            return refuse("puts files of a directory that isn't known into the repository", span);
        }
        for directory in directories.iter().filter(|_| asks) {
            match self.ground.files.staged(directory, &open, known) {
                Some(found) => staged.extend(found),
                None if self.ground.named_exist && !self.ground.files.is_there(directory) => {}
                None => return refuse("puts more files into the repository than are looked at", span),
            }
        }
        match staged.iter().find(|path| roles::takes("staged", path).is_err()) {
            Some(path) => {
                let leaf = path.rsplit('/').next().unwrap_or(path);
                refuse(format!("puts `{leaf}` into the repository"), span)
            }
            None => Ok(()),
        }
    }

    /// Is the first operand another commit than the current one, as far as can be seen?
    fn names_a_commit(&self, found: &Found) -> bool {
        let is_file = |name: &str| {
            let paths = self.absolute(name);
            !paths.is_empty() && paths.iter().all(|path| self.ground.files.is_there(path))
        };
        found.operands.first().is_some_and(|(value, _)| {
            value.known().is_none_or(|name| name != "HEAD" && !name.starts_with('.') && !is_file(name))
        })
    }
}
