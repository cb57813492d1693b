//! What variables do to a call of git: settings by number, and managers of hooks that are told to stand aside.

use super::git_settings;
use crate::context::Context;
use crate::effect::{Kind, Place};
use crate::knowledge::Matched;
use crate::paths;

/// The subcommands that run hooks which can refuse.
const WITH_HOOKS: [&str; 8] = ["commit", "push", "merge", "rebase", "am", "cherry-pick", "revert", "pull"];

/// The most settings that are read from `GIT_CONFIG_KEY_<n>`.
const MOST_SETTINGS: usize = 16;

/// The settings that variables of the text give to the call.
pub(super) fn settings(context: &mut Context<'_>, call: &Matched<'_>) {
    if context.state.variable("GIT_CONFIG_COUNT").is_some() {
        for number in 0..MOST_SETTINGS {
            let Some(key) = context.variable(&format!("GIT_CONFIG_KEY_{number}")) else { break };
            let value = context.variable(&format!("GIT_CONFIG_VALUE_{number}"));
            git_settings::apply(context, call, &key, value.as_deref().unwrap_or("?"));
        }
    }
}

/// What the variables of the text do to the hooks of the call.
pub(super) fn hooks(context: &mut Context<'_>, call: &Matched<'_>) {
    let hooked = call.subcommand.first().is_some_and(|name| WITH_HOOKS.contains(&name.as_str()));
    if hooked && MANAGERS.iter().any(|(name, stands_aside)| is_set(context, name, *stands_aside)) {
        context.effect(Kind::GitBypass);
    }
}

/// The work tree that the call names, where it is a temporary directory.
pub(super) fn temporary_tree(context: &Context<'_>, call: &Matched<'_>) -> Option<String> {
    let named = named_tree(context, call)?;
    (paths::place_of(&named, context.places()) == Place::Temporary).then_some(named)
}

/// The work tree that the call names.
pub(super) fn named_tree(context: &Context<'_>, call: &Matched<'_>) -> Option<String> {
    match call.value("--work-tree") {
        Some(tree) => context.resolve_one(tree),
        None => {
            let variable = context.state.variable("GIT_WORK_TREE").filter(|variable| variable.exported)?;
            paths::absolute(variable.text()?, context.directory())
        }
    }
}

/// The value that the variables give to a setting.
pub(crate) fn setting_by_number(context: &Context<'_>, setting: &str) -> Option<String> {
    context.state.variable("GIT_CONFIG_COUNT")?;
    let mut numbers = 0..MOST_SETTINGS;
    let number = numbers.find(|number| {
        context.variable(&format!("GIT_CONFIG_KEY_{number}")).is_some_and(|key| key == setting)
    })?;
    context.variable(&format!("GIT_CONFIG_VALUE_{number}"))
}

fn is_set(context: &Context<'_>, name: &str, stands_aside: fn(&str) -> bool) -> bool {
    context
        .state
        .variable(name)
        // What is computed may be anything.
        .is_some_and(|variable| variable.text().is_none_or(stands_aside))
}

/// A manager's variable, and the values with which it runs no hooks or not all of them.
type Manager = (&'static str, fn(&str) -> bool);

/// husky, its version 4, lefthook, pre-commit, overcommit, simple-git-hooks.
const MANAGERS: [Manager; 7] = [
    ("HUSKY", is_off),
    ("HUSKY_SKIP_HOOKS", is_on),
    ("LEFTHOOK", is_off),
    ("LEFTHOOK_EXCLUDE", is_some),
    ("SKIP", is_some),
    ("OVERCOMMIT_DISABLE", is_on),
    ("SKIP_SIMPLE_GIT_HOOKS", is_on),
];

fn is_off(value: &str) -> bool {
    matches!(value, "0" | "false")
}

fn is_on(value: &str) -> bool {
    !matches!(value, "" | "0" | "false")
}

fn is_some(value: &str) -> bool {
    !value.is_empty()
}
