//! Where calls push to, and what.

use hookgate_effects::{Kind, Part};
use hookgate_policy::PushConvention;
use hookgate_shell::Span;

use super::{Problem, calls, report, repository};
use crate::own::Branch;
use crate::repositories::Repositories;
use crate::rule::Hit;
use crate::scene::{Deed, Scene};

/// The kinds of effect that a push has.
pub(crate) const PUSHES: &[Kind] =
    &[Kind::GitPush, Kind::GitForcePush, Kind::GitLeasePush, Kind::GitDeleteRemote];

/// The kinds of effect that a call with a remote has.
pub(crate) const WITH_REMOTE: &[Kind] =
    &[Kind::GitPush, Kind::GitForcePush, Kind::GitLeasePush, Kind::GitDeleteRemote, Kind::GitFetch];

/// A call that talks to a remote.
pub(crate) struct Push<'a> {
    scene: Scene<'a>,
    call: Deed<'a>,
    /// The remote that it names, and where.
    pub(crate) remote: Option<(&'a str, Span)>,
}

impl<'a> Push<'a> {
    /// Its place.
    pub(crate) fn span(&self) -> Span {
        self.call.span()
    }

    /// The repository, where it can be asked.
    fn asked(&self) -> Option<(&'a dyn Repositories, &'a str)> {
        Some((self.scene.repositories()?, repository(&self.call)?))
    }

    /// The remotes that there are when it runs.
    pub(crate) fn remotes(&self) -> Option<Vec<String>> {
        let (repositories, directory) = self.asked()?;
        let mut remotes = repositories.remotes(directory)?;
        let added = self.scene.calls().flat_map(|call| call.said());
        let added = added.filter(|said| said.part == Part::NewRemote);
        remotes.extend(added.filter_map(|said| said.text.clone()));
        Some(remotes)
    }

    /// Where it pushes to if it names no remote.
    pub(crate) fn usual_remote(&self) -> Option<String> {
        let (repositories, directory) = self.asked()?;
        repositories.usual_remote(directory)
    }

    /// The branches that it pushes to, or deletes there.
    pub(crate) fn branches(&self) -> Vec<(String, Span)> {
        let checked_out = || match self.asked().map(|(repositories, at)| repositories.checked_out(at)) {
            Some(Branch::Named(name)) => Some(name),
            _ => None,
        };
        let effects = self.scene.seen().filter(|seen| PUSHES.contains(&seen.effect.kind));
        let own = effects.filter(|seen| seen.call().is_some_and(|call| call.span() == self.call.span()));
        let named = own.filter_map(|seen| {
            let name = match seen.name() {
                Some("HEAD" | "@") => checked_out()?,
                Some(name) => name.to_owned(),
                None if seen.effect.target.is_none() && !self.says(Part::Tags) => checked_out()?,
                None => return None,
            };
            Some((name, seen.effect.span))
        });
        named.collect()
    }

    /// Does the call say that part?
    pub(crate) fn says(&self, part: Part) -> bool {
        self.call.said().iter().any(|said| said.part == part)
    }

    /// Is it the name of a tag?
    pub(crate) fn is_tag(&self, name: &str) -> bool {
        name.starts_with("refs/tags/")
            || self.asked().is_some_and(|(repositories, directory)| repositories.is_tag(directory, name))
    }
}

/// Looks at each call that talks to a remote by each convention.
pub(crate) fn look_at(
    scene: &Scene<'_>,
    kinds: &'static [Kind],
    hits: &mut Vec<Hit>,
    look: fn(&PushConvention, &Push<'_>, &mut Vec<Problem>),
) {
    for (index, call) in calls(scene, kinds) {
        let named = call.said().iter().find(|said| said.part == Part::Remote);
        let remote = named.and_then(|said| Some((said.text.as_deref()?, said.span)));
        let push = Push { scene: *scene, call, remote };
        let mut problems = Vec::new();
        for convention in &scene.conventions().pushes {
            look(convention, &push, &mut problems);
        }
        report(problems, index, hits);
    }
}

/// Is it an address, and no name of a remote?
pub(crate) fn is_address(remote: &str) -> bool {
    remote.contains([':', '/', '\\']) || remote.starts_with('.') || remote.starts_with('~')
}
