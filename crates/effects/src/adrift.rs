//! Names in a directory that isn't known (`cd $x; cat .env`, `cat $x/.env`): what they would be in the project or at home. And those in
//! one that is only open.

use hookgate_facts::field::Field;

use crate::effect::{PathFact, Traits};
use crate::paths::{self, MadeLink, Spelling};
use crate::state::{NUMBER, PARENT_NUMBER};
use crate::world::{Places, World};

/// What a rule may be about, wherever the name lies.
const GUARDED: [Traits; 7] = [
    Traits::SECRET,
    Traits::GATE,
    Traits::AGENT_SETTINGS,
    Traits::AGENT_LOADS,
    Traits::STARTUP,
    Traits::GIT_HOOK,
    Traits::SETTINGS,
];

/// What a relative name, or the known end of a path, would be in the project, or else at home, if something guarded is there.
/// `nowhere`: the directory isn't known. `tree`: it is about all that lies below.
pub(crate) fn guarded(
    field: &Field,
    nowhere: bool,
    tree: bool,
    places: &Places,
    world: &dyn World,
    links: &[MadeLink],
) -> Option<PathFact> {
    let text = match field.text() {
        Some(text) if nowhere && !text.starts_with('/') => text,
        Some(_) => return None,
        None => field.shape.rsplit_once('*').and_then(|(_, end)| end.strip_prefix('/'))?,
    };
    let spelling = Spelling::of(field.pattern, field.literal);
    [&places.project, &places.home].into_iter().filter(|_| !text.is_empty()).find_map(|base| {
        let path = paths::absolute(text, Some(base))?;
        let below = if tree && path != *base { paths::tree_traits(&path, places) } else { Traits::default() };
        let mut fact = paths::fact(path, spelling, places, world, links);
        fact.traits = fact.traits.union(below);
        GUARDED.into_iter().any(|one| fact.traits.contains(one)).then_some(fact)
    })
}

/// A path below a directory that is open (`/dev/fd/3/x`, `/proc/self/fd/3/x`): where it leads, `Some(None)` where nobody knows.
/// `None`: it is no such path.
pub(crate) fn through_descriptor(
    text: &str,
    opened: impl Fn(u32) -> Option<String>,
) -> Option<Option<String>> {
    let (number, rest) = if let Some(rest) = text.strip_prefix("/dev/stdin/") {
        ("0", rest)
    } else if let Some(rest) = text.strip_prefix("/dev/fd/") {
        rest.split_once('/')?
    } else {
        let (_, rest) = text.strip_prefix("/proc/")?.split_once("/fd/")?;
        rest.split_once('/')?
    };
    let directory = number.parse().ok().and_then(opened);
    Some(directory.map(|directory| paths::normalise(&format!("{directory}/{rest}"))))
}

/// Is the path known, but not for sure? A variable that one of two courses sets, a way up or a number in the middle that
/// comes out of an expansion, or what another shell would take for a variable.
pub(crate) fn is_doubtful(field: &Field) -> bool {
    let text = field.shown();
    let (directory, _) = text.rsplit_once('/').unwrap_or(("", text));
    let hidden = |part: &str| part.starts_with('.') && part.contains(['*', '?', '[']);
    let computed_directory = field.pattern
        && directory.split('/').any(|part| part == NUMBER || part == PARENT_NUMBER || hidden(part));
    let climbs = !field.bare && text.split('/').any(|part| part == "..");
    let foreign = text.starts_with('^') || text.split('%').nth(2).is_some();
    field.doubtful || computed_directory || climbs || foreign
}
