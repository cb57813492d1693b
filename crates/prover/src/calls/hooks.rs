//! Hooks of git: code of the project that runs at git's own steps.

use hookgate_shell::Span;

use crate::statements::Prover;
use crate::table::Row;
use crate::{Proven, refuse};

impl Prover<'_> {
    /// Might git run a hook of that name, or any, in a repository that the call may be about?
    pub(super) fn has_hook(&self, name: Option<&str>) -> bool {
        self.may_work_in(|path| self.ground.files.has_hook(path, name))
    }

    /// Git goes by itself into repositories that its index lists, and obeys their settings.
    pub(super) fn holds_no_repositories(&self, span: Span) -> Proven<()> {
        if self.may_work_in(|path| self.ground.files.holds_repositories(path)) {
            return refuse("a repository inside of the project: its configuration can name programs", span);
        }
        Ok(())
    }

    /// Is it so of a directory that git may work in, as far as that is known?
    fn may_work_in(&self, is_so: impl Fn(&str) -> bool) -> bool {
        let directories =
            if self.repositories.is_empty() { &self.state.directories } else { &self.repositories };
        directories.is_empty() || directories.iter().any(|path| path.is_empty() || is_so(path))
    }

    /// Git runs the call's hooks. `brought` says whether the text had brought files into the project before.
    pub(super) fn runs_hooks(&mut self, row: &Row, brought: bool, span: Span) -> Proven<()> {
        if brought && self.has_hook(None) {
            return refuse("runs hooks of git behind what this text brings into the project", span);
        }
        // Hooks that run behind the call find what the call itself has brought.
        let brings = row.links || self.deeds.brought && !brought;
        if brings && row.after.iter().any(|hook| self.has_hook(Some(hook))) {
            return refuse("brings files, and git runs a hook behind that", span);
        }
        if self.since.is_some() && self.has_hook(None) {
            self.runs(span);
        }
        self.deeds.ran = self.deeds.ran.or(Some(span));
        Ok(())
    }
}
