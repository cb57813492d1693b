//! What a call does to other sessions that work in the same repository.

use hookgate_effects::Kind;
use hookgate_session::Neighbour;
use hookgate_shell::Span;
use hookgate_text::{Message, Quoted, say};

use crate::conventions::{calls, repository};
use crate::repositories::Addition;
use crate::rule::{Hit, Remedy};
use crate::scene::{Deed, Scene};

/// How many of its files a message names.
const NAMED: usize = 3;

/// The calls with one of these effects, each with the directory of its repository and the sessions alongside.
pub(crate) fn neighbours<'a>(
    scene: &Scene<'a>,
    kinds: &'static [Kind],
) -> Vec<(usize, Deed<'a>, &'a str, Vec<Neighbour>)> {
    let found = calls(scene, kinds).filter_map(|(index, call)| {
        let directory = repository(&call)?;
        let alongside = scene.alongside(directory);
        (!alongside.is_empty()).then_some((index, call, directory, alongside))
    });
    found.collect()
}

/// The files that the neighbour changed and hasn't committed.
pub(crate) fn open_files(scene: &Scene<'_>, directory: &str, neighbour: &Neighbour) -> Vec<String> {
    if neighbour.changed.is_empty() {
        return Vec::new();
    }
    let asked = scene.repositories().and_then(|asked| asked.additions(directory, &[], false));
    match asked {
        Some(open) => {
            let is_open = |path: &&String| open.iter().any(|Addition { path: one, .. }| one == *path);
            neighbour.changed.iter().filter(is_open).cloned().collect()
        }
        // What can't be told may be open.
        None => neighbour.changed.clone(),
    }
}

/// Who it is, for messages: ``the session `1a2b3c4d`, active 4 minutes ago``.
pub(crate) fn named(neighbour: &Neighbour) -> Message {
    let short: String = neighbour.session.chars().take(8).collect();
    let minutes = neighbour.quiet / 60_000;
    let when = match minutes {
        0 => say!("active now"),
        1 => say!("active a minute ago"),
        minutes => say!("active {} minutes ago", minutes),
    };
    say!("the session {}, {}", Quoted::new(&short), when)
}

/// Its files, for messages.
pub(crate) fn files(paths: &[String], scene: &Scene<'_>) -> Message {
    let mut shown = Message::default();
    for (at, path) in paths.iter().take(NAMED).enumerate() {
        if at > 0 {
            shown.push(&", ".into());
        }
        let below = path.strip_prefix(&scene.places().project).and_then(|rest| rest.strip_prefix('/'));
        shown.push(&say!("{}", Quoted::new(below.unwrap_or(path))));
    }
    if paths.len() > NAMED {
        shown.push(&say!(" and {} more", paths.len() - NAMED));
    }
    shown
}

/// A hit on that effect.
pub(crate) fn hit(index: usize, span: Span, message: Message, fix: &'static str) -> Hit {
    Hit {
        message,
        fix: Some(fix.into()),
        remedy: Remedy::Fixable,
        span,
        effects: vec![index],
        level: None,
        unless_kept: None,
        replacement: None,
    }
}
