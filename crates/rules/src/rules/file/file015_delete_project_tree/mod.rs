//! FILE015: a directory of the project is deleted that no tool makes again.

use hookgate_effects::{Kind, Place};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE015",
    name: "delete-project-tree",
    summary: "a directory of the project is deleted that no tool makes again",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete]),
    check: Check::Each(check),
};

/// Directories that builds, package managers, tests and caches make, and make again.
const MADE_AGAIN: &[&str] = &[
    "node_modules",
    "dist",
    "build",
    "target",
    "out",
    "output",
    "bin",
    "obj",
    "vendor",
    "coverage",
    "htmlcov",
    "__pycache__",
    "venv",
    "site",
    "site-packages",
    "tmp",
    "temp",
    "cache",
    "logs",
    "log",
    "generated",
    "gen",
    "debug",
    "release",
    "artifacts",
    "test-results",
    "playwright-report",
    "storybook-static",
    "pods",
    "deriveddata",
    "_build",
    "deps",
    "bazel-out",
    "public",
    "docs",
    "worktrees",
    "scratch",
    "backup",
    "backups",
];

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // git itself refuses where work would be lost.
    let by_git = seen.call().is_some_and(|call| call.program == "git");
    let path =
        seen.path().filter(|_| seen.effect.recursive && seen.place() == Some(Place::Project) && !by_git)?;
    let below = path.path.strip_prefix(seen.facts.places.project.as_str()).unwrap_or(&path.path);
    let made_again = below.split('/').any(|part| {
        // Hidden directories of a project are caches and environments, but for these.
        let hidden = part.starts_with('.') && !matches!(part, ".git" | ".github");
        let name = part.to_ascii_lowercase();
        let made = MADE_AGAIN.iter().any(|known| {
            name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '*', '.']))
        });
        hidden
            || made
            || ["-cache", ".egg-info", "-tmp", "-output", "-build"].iter().any(|end| name.ends_with(end))
    });
    (!made_again && !path.pattern).then(|| {
        seen.hit(format!("deletes {}", seen.target("a directory of the project")))
            .fix("use `git rm -r`, which refuses where work would be lost")
    })
}
