//! Going past the hooks of a repository that has none is no bypass.

use super::git_settings;
use crate::context::Context;
use crate::effect::Kind;
use crate::knowledge::{Matched, rows};
use crate::paths;

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
    let elsewhere = [
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "XDG_CONFIG_HOME",
    ];
    let set =
        |name: &&str| context.state.variable(name).is_some() || context.world().variable(name).is_some();
    let by_variable = elsewhere.iter().any(set);
    let places = context.places();
    let project = &places.project;
    let there = context.directory().is_some_and(|directory| belongs(context, directory, project));
    if moved || by_variable || !there || context.world().entry(&format!("{project}/.git/HEAD")).is_none() {
        return false;
    }
    let exists = |path: String| context.world().entry(&path).is_some();
    // Included files may name another folder of hooks.
    let configured = |path: &str| match context.world().read(path, git_settings::MAXIMUM_FILE) {
        Some(bytes) => {
            let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
            text.contains("hookspath") || text.contains("[include")
        }
        None => exists(path.to_owned()),
    };
    let mut hooks = rows("commands/words/hooks-verified");
    let mut installers = rows("commands/words/hook-installers");
    !hooks.any(|hook| exists(format!("{project}/.git/hooks/{}", hook.key())))
        && !installers.any(|name| exists(format!("{project}/{}", name.key())))
        && !git_settings::files(places).iter().any(|path| configured(path))
}

/// Is that directory part of the project's own repository? No repository of its own stands between them.
fn belongs(context: &Context<'_>, directory: &str, project: &str) -> bool {
    let mut directory = directory;
    while directory != project {
        let nested = context.world().entry(&format!("{directory}/.git")).is_some();
        if nested || !paths::is_within(directory, project) {
            return false;
        }
        directory = paths::parent(directory);
    }
    true
}
