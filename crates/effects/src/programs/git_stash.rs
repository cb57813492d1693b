//! What `git stash` has put away, a reset or checkout behind it can't throw away.

use super::git_tree;
use crate::context::Context;
use crate::effect::{Certainty, Kind};
use crate::field::Field;
use crate::knowledge::Matched;
use crate::state::{Stashed, StashedFiles};
use crate::world::Taken;

/// Notes what the call puts away or brings back, and takes back that it discards what is in the stash. The call's own effects
/// begin at `first`.
pub(super) fn follow(context: &mut Context<'_>, call: &Matched<'_>, first: usize) {
    let path: Vec<&str> = call.subcommand.iter().map(String::as_str).collect();
    match path.as_slice() {
        ["stash"] | ["stash", "push"] => context.state.stashed = put_away(context, call),
        ["stash", "list" | "show"] => {}
        ["stash", ..] => context.state.stashed = None,
        _ => keep(context, call, first),
    }
}

/// What the stash takes out of the work tree: the paths that it names, and what guards are about.
pub(super) fn takes(context: &mut Context<'_>, call: &Matched<'_>) {
    let what = if call.has("--all") {
        Taken::Ignored
    } else if call.has("--include-untracked") {
        Taken::Untracked
    } else {
        Taken::Known
    };
    let named = call.subcommand.last().is_some_and(|name| name != "save");
    let plain = |field: &&Field| field.text().is_some_and(|text| !text.contains(['*', '?', '[', ':', '!']));
    let plain = named && !call.operands.is_empty() && call.operands.iter().all(|field| plain(&field));
    if named {
        for path in
            call.operands.iter().filter(|field| field.text().is_some_and(|text| !text.starts_with(':')))
        {
            context.tree(Kind::Write, path);
        }
    }
    if !plain {
        git_tree::taken_away(context, call, what);
    }
}

fn put_away(context: &Context<'_>, call: &Matched<'_>) -> Option<Stashed> {
    // Carried by another program it may not run at all, and a condition of that program's it may be.
    let carried = context.scope().call.and_then(|index| context.found.calls.get(index)?.carrier).is_some();
    let elsewhere = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];
    let moved = elsewhere.iter().any(|name| context.state.variable(name).is_some());
    let whole = call.operands.is_empty() && call.unlisted.is_empty() && call.options.iter().all(is_whole);
    if carried || moved || !whole || context.scope().certainty != Certainty::Certain {
        return None;
    }
    let files = if call.has("--all") {
        StashedFiles::All
    } else if call.has("--include-untracked") {
        StashedFiles::Untracked
    } else {
        StashedFiles::Tracked
    };
    let directory = context.directory()?.to_owned();
    Some(Stashed { directory, effects: context.found.effects.len(), files })
}

/// Does the stash hold everything, with that option?
fn is_whole(option: &crate::knowledge::MatchedOption<'_>) -> bool {
    option.specification.names().any(|name| {
        matches!(
            name,
            "--quiet"
                | "--include-untracked"
                | "--all"
                | "--message"
                | "--keep-index"
                | "--no-keep-index"
                | "-C"
        )
    })
}

fn keep(context: &mut Context<'_>, call: &Matched<'_>, first: usize) {
    let Some(stashed) = &context.state.stashed else { return };
    let needed = match call.subcommand.first().map(String::as_str) {
        Some("reset" | "checkout" | "switch" | "restore") => StashedFiles::Tracked,
        Some("clean") if call.has("-x") || call.has("-X") => StashedFiles::All,
        Some("clean") => StashedFiles::Untracked,
        _ => return,
    };
    let between = context.found.effects.get(stashed.effects..first).unwrap_or_default();
    // What changes files, or can't be read, is work of its own.
    let by_git = |index: usize| context.found.calls.get(index).is_some_and(|call| call.program == "git");
    let quiet = between.iter().all(|effect| match effect.kind {
        Kind::Read | Kind::RemoteRead | Kind::GitChange | Kind::GitFetch | Kind::GitCommit => true,
        Kind::Write => effect.call.is_some_and(by_git),
        _ => false,
    });
    if !quiet || stashed.files < needed || context.directory() != Some(stashed.directory.as_str()) {
        return;
    }
    let own = context.scope().call;
    for effect in context.found.effects.iter_mut().skip(first) {
        if effect.kind == Kind::GitDiscard && effect.call == own {
            effect.kind = Kind::GitChange;
            effect.note = Some("what it throws away was stashed before".to_owned());
        }
    }
}
