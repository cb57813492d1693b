//! The calls of git that move, rename and delete branches and tags.

use crate::context::Context;
use crate::effect::{Kind, Part, Said};
use crate::field::Field;
use crate::knowledge::Matched;
use crate::paths;

pub(super) fn branch(context: &mut Context<'_>, call: &Matched<'_>) {
    let forced = call.has("--force");
    if call.has("-D") || (call.has("--delete") && forced) {
        // The table says it for `-D`.
        let remote = call.has("--remotes");
        for name in &call.operands {
            let held =
                name.text().is_some_and(|name| context.state.held_commits.iter().any(|held| held == name));
            if remote || held {
                context.effect(Kind::GitChange);
            } else {
                context.named(Kind::GitDeleteRef, name);
            }
        }
        return;
    }
    if ["--delete", "-m", "-M", "-c", "-C"].iter().any(|name| call.has_own(name)) {
        context.effect(Kind::GitChange);
        context.doubt(call.span, "a name of commits goes, or stands for others from here on");
        if let Some(name) = call.operands.last().filter(|_| !call.has("--delete")) {
            context.says(Said { part: Part::NewBranch, text: name.text.clone(), span: name.span });
        }
        let clobbers = call.has_own("-M") || call.has_own("-C") || (forced && !call.has("--delete"));
        if let ([_, over], true) = (call.operands.as_slice(), clobbers) {
            // The branch of that name is replaced, if there is one.
            context.possibly(|context| context.named(Kind::GitDeleteRef, over));
        }
        return;
    }
    let lists = [
        "--list",
        "--all",
        "--remotes",
        "--contains",
        "--no-contains",
        "--merged",
        "--no-merged",
        "--points-at",
        "--show-current",
        "--edit-description",
        "-u",
        "--unset-upstream",
    ];
    if lists.iter().any(|name| call.has(name)) || call.operands.is_empty() {
        return;
    }
    match call.operands.first() {
        Some(name) if forced => {
            hold(context, call.operands.get(1));
            context.named(Kind::GitDeleteRef, name);
        }
        Some(name) if name.text.is_none() => {
            context.effect(Kind::GitChange);
            context.doubt(name.span, "a computed word may be an option");
        }
        Some(name) => {
            context.effect(Kind::GitChange);
            context.says(Said { part: Part::NewBranch, text: name.text.clone(), span: name.span });
        }
        None => context.effect(Kind::GitChange),
    }
}

/// Without the name of a branch or a commit, a new work tree gets a branch of the directory's name.
pub(super) fn worktree(context: &mut Context<'_>, call: &Matched<'_>) {
    let named = ["-b", "-B", "--detach", "--orphan"].iter().any(|name| call.has(name));
    if let ([path], false) = (call.operands.as_slice(), named) {
        let text = path.text().map(|text| paths::file_name(text.trim_end_matches('/')).to_owned());
        context.says(Said { part: Part::NewBranch, text, span: path.span });
    }
}

/// A branch stands on the commit of that name from here on.
pub(super) fn hold(context: &mut Context<'_>, name: Option<&Field>) {
    if let Some(name) = name.and_then(Field::text) {
        context.state.held_commits.push(name.to_owned());
    }
}

pub(super) fn tag(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.has("--delete") {
        for name in &call.operands {
            context.named(Kind::GitDeleteRef, name);
        }
        return;
    }
    let lists =
        ["--list", "-n", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--verify"];
    if call.operands.is_empty() || lists.iter().any(|name| call.has(name)) {
        return;
    }
    match call.operands.first() {
        Some(name) if call.has("--force") => context.named(Kind::GitDeleteRef, name),
        _ => context.effect(Kind::GitChange),
    }
}
