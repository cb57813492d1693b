//! Going past the hooks of a repository that has none is no bypass.

use super::Matched;
use crate::context::Context;
use crate::effect::Kind;

/// The hooks that `--no-verify` goes past.
const HOOKS: &[&str] = &["pre-commit", "commit-msg", "pre-merge-commit", "pre-push", "pre-rebase"];
/// Files of programs that install hooks: a project that has one means to have hooks.
const INSTALLERS: &[&str] = &[
    ".husky",
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "lefthook.yml",
    ".lefthook.yml",
    ".overcommit.yml",
];
/// The largest configuration that is read.
const MAXIMUM_FILE: usize = 256 * 1024;

/// Takes back that the call goes past hooks where there are none. The call's own effects begin at `first`.
pub(super) fn follow(context: &mut Context<'_>, call: &Matched<'_>, first: usize) {
    if !call.has("--no-verify") || call.has("--no-gpg-sign") || !has_no_hooks(context, call) {
        return;
    }
    for effect in context.found.effects.iter_mut().skip(first) {
        if effect.kind == Kind::GitBypass {
            effect.kind = Kind::GitChange;
            effect.note = Some("there are no hooks to go past".to_owned());
        }
    }
}

/// Is it certain that no hook would run? Only of the project's own repository, and only where that can be looked at.
fn has_no_hooks(context: &Context<'_>, call: &Matched<'_>) -> bool {
    let moved = ["-C", "--git-dir", "--work-tree", "-c", "--config-env"].iter().any(|name| call.has(name));
    let by_variable =
        context.state.variable("GIT_DIR").is_some() || context.state.variable("GIT_CONFIG_COUNT").is_some();
    let places = context.places();
    let (project, home) = (&places.project, &places.home);
    let there = context.directory() == Some(project);
    if moved || by_variable || !there || context.world().entry(&format!("{project}/.git/HEAD")).is_none() {
        return false;
    }
    let exists = |path: String| context.world().entry(&path).is_some();
    // Included files may name another folder of hooks.
    let configured = |path: String| {
        let text = context.world().read(&path, MAXIMUM_FILE);
        let text = text.map(|bytes| String::from_utf8_lossy(&bytes).to_ascii_lowercase());
        text.is_some_and(|text| text.contains("hookspath") || text.contains("[include"))
    };
    !HOOKS.iter().any(|hook| exists(format!("{project}/.git/hooks/{hook}")))
        && !INSTALLERS.iter().any(|name| exists(format!("{project}/{name}")))
        && !configured(format!("{project}/.git/config"))
        && !configured(format!("{home}/.gitconfig"))
        && !configured(format!("{home}/.config/git/config"))
}
