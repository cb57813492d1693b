//! Places that a text fills with what nobody has looked at: a link may lie there, and lead anywhere.

use hookgate_shell::Span;

use crate::state::Value;
use crate::statements::Prover;
use crate::{Proven, places, refuse};

/// The most names of a tree that are looked at before it counts as one that isn't known.
const MAXIMUM_SEEN: usize = 300;
/// How deep it is looked at.
const DEEPEST: usize = 8;

impl Prover<'_> {
    /// What lies there from now on isn't known. Where the order of the steps isn't either, nothing may have been used there.
    pub(crate) fn fills(&mut self, place: String, span: Span) -> Proven<()> {
        let before = self.since.and_then(|since| self.deeds.touched.get(since..)).unwrap_or_default();
        if before.iter().any(|path| meet(path, &place)) {
            return refuse("fills a place that this text reads or writes at the same time", span);
        }
        self.deeds.unseen.push(place);
        Ok(())
    }

    /// The project, and every other place: a step of git may change all of it.
    pub(crate) fn fills_project(&mut self, span: Span) -> Proven<()> {
        let roots = std::iter::once(self.ground.project.to_owned());
        let all: Vec<String> = roots.chain(self.ground.also_project.iter().cloned()).collect();
        let around = self.state.directories.clone();
        all.into_iter().chain(around).try_for_each(|place| self.fills(place, span))
    }

    /// The text reads or writes the file.
    pub(crate) fn touches(&mut self, path: &str, span: Span) -> Proven<()> {
        if self.deeds.unseen.iter().any(|place| meet(path, place)) {
            return refuse("uses a file that this text may have put a link in the place of", span);
        }
        self.deeds.touched.push(path.to_owned());
        Ok(())
    }

    /// Code of the project runs: it may use any file of it.
    pub(crate) fn runs(&mut self, span: Span) {
        self.deeds.ran = self.deeds.ran.or(Some(span));
        self.touches_project();
    }

    /// Something reads files of the project that nobody names.
    pub(crate) fn touches_project(&mut self) {
        let roots =
            std::iter::once(self.ground.project).chain(self.ground.also_project.iter().map(String::as_str));
        self.deeds.touched.extend(roots.map(str::to_owned));
    }

    /// Of these steps the order isn't known, or they come again.
    pub(crate) fn unordered<T>(&mut self, run: impl FnOnce(&mut Self) -> Proven<T>) -> Proven<T> {
        let before = self.since;
        self.since = before.or(Some(self.deeds.touched.len()));
        let proven = run(self);
        if !self.background {
            self.since = before;
        }
        proven
    }

    /// From here on something runs beside the text.
    pub(crate) fn runs_beside(&mut self) {
        self.background = true;
        self.since = self.since.or(Some(self.deeds.touched.len()));
    }

    /// A file or tree that was there before, within a bound, without a link or a secret in it. What the call itself wrote begins at `first`.
    pub(crate) fn is_seen(&self, value: &Value, first: usize, span: Span) -> bool {
        let Some(path) = value.known() else { return false };
        let mut waiting: Vec<(String, usize)> =
            self.absolute(path).into_iter().map(|path| (path, 0)).collect();
        if waiting.is_empty() || self.deeds.ran.is_some() || self.deeds.brought {
            return false;
        }
        let made = |path: &str| {
            let mut written = self.deeds.written.iter().take(first);
            written.any(|written| written.as_ref().is_none_or(|written| meet(written, path)))
        };
        if waiting.iter().any(|(path, _)| made(path)) {
            return false;
        }
        let mut seen = 0;
        while let Some((path, depth)) = waiting.pop() {
            seen += 1;
            let readable = places::may_read(&path, self.ground, span).is_ok();
            let linked = self.ground.files.resolve(&path).is_some_and(|real| real != path);
            if !readable || linked || seen > MAXIMUM_SEEN || depth > DEEPEST {
                return false;
            }
            let names = self.ground.files.list(&path);
            let below = |name| (format!("{}/{name}", path.trim_end_matches('/')), depth + 1);
            waiting.extend(names.iter().map(below));
        }
        true
    }

    /// `..` behind a name that may be a link leads anywhere.
    pub(crate) fn leaves_unseen(&self, base: &str, path: &str) -> bool {
        let Some(at) = path.split('/').position(|part| part == "..") else { return false };
        let front: Vec<&str> = path.split('/').take(at).collect();
        let front = places::normal(if path.starts_with('/') { "" } else { base }, &front.join("/"));
        self.deeds.unseen.iter().any(|place| places::lies_in(&front, place))
    }
}

/// Is one of them the other, or above it?
fn meet(one: &str, other: &str) -> bool {
    places::lies_in(one, other) || places::lies_in(other, one)
}
