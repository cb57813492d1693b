//! What a call leaves in the work tree or in a copy that nobody has looked at.

use hookgate_shell::Span;

use super::Found;
use crate::Proven;
use crate::statements::{Input, Prover};
use crate::table::Row;

impl Prover<'_> {
    /// Notes what the call brings or copies. What it wrote begins at `first`.
    pub(super) fn brings(&mut self, row: &Row, found: &Found, first: usize, span: Span) -> Proven<()> {
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
