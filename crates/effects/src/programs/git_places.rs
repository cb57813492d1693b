//! Directories that a call of git names and fills: a clone, another work tree, a module, and what lies in the index.

use super::{brought, git_environment};
use crate::context::Context;
use crate::effect::Kind;
use crate::field::Field;
use crate::knowledge::{Matched, shipped};
use crate::world::Step;

/// What comes into a directory that guards are about, besides what the table says. `first` is the first effect of the call.
pub(super) fn fill(context: &mut Context<'_>, call: &Matched<'_>, path: &[&str], first: usize) {
    let Some(row) = shipped().table("git/fills").find(&path.join(".")) else { return };
    let whole = row.cell(1) == Some("whole");
    let place: Option<usize> = row.cell(0).and_then(|cell| cell.parse().ok());
    let operand = place.and_then(|place| call.operands.get(place));
    let directory = operand.or_else(|| call.value("--prefix"));
    if path == ["checkout-index"] {
        from_index(context, call);
    }
    if let Some(directory) = directory {
        guarded(context, directory);
    }
    if whole {
        // Whatever is in the repository.
        let written = context.found.effects.iter_mut().skip(first);
        for effect in written.filter(|effect| effect.kind == Kind::Write) {
            effect.recursive = true;
        }
    } else if let Some(tree) = git_environment::named_tree(context, call) {
        let tree = Field { literal: true, ..Field::of(tree, call.span) };
        guarded(context, &tree);
    }
}

fn guarded(context: &mut Context<'_>, directory: &Field) {
    if context.is_guarded_tree(directory) || context.is_guarded(directory) {
        context.tree(Kind::Write, directory);
    }
}

/// `git checkout-index`: files as they lie in the index, all of them or those that it names.
fn from_index(context: &mut Context<'_>, call: &Matched<'_>) {
    let prefix = call.value("--prefix").cloned();
    if call.has("--all") && prefix.is_none() {
        brought::step(context, call, Step::Index);
        brought::unstage(context, call, &[]);
    }
    for file in &call.operands {
        let named = match &prefix {
            Some(prefix) => {
                let joined = |text: &str| prefix.text().map(|prefix| format!("{prefix}{text}"));
                Field { text: file.text().and_then(joined), ..file.clone() }
            }
            None => file.clone(),
        };
        context.possibly(|context| context.path(Kind::Write, &named));
    }
}
