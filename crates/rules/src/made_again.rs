//! What nobody misses, because a tool makes it again.

/// Directories that builds, package managers, tests and caches make, and make again.
const DIRECTORIES: &[&str] = &[
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

/// Is it one of these directories, or below one? The path is seen from the project's root.
pub(crate) fn is_made_again(below: &str) -> bool {
    below.split('/').any(|part| {
        // Hidden directories of a project are caches and environments, but for these.
        let hidden = part.starts_with('.') && !matches!(part, ".git" | ".github");
        let name = part.to_ascii_lowercase();
        let made = DIRECTORIES.iter().any(|known| {
            name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '*', '.']))
        });
        hidden
            || made
            || ["-cache", ".egg-info", "-tmp", "-output", "-build"].iter().any(|end| name.ends_with(end))
    })
}

/// Directories of reports and of what was fetched or compiled: nobody edits in them, not even where they are committed.
const NEVER_EDITED: &[&str] = &[
    "test-results",
    "playwright-report",
    "coverage",
    "htmlcov",
    "node_modules",
    "dist",
    "target",
    "__pycache__",
    "__snapshots__",
    ".next",
    ".turbo",
];

/// Files that a package manager writes.
const LOCK_FILES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "uv.lock",
    "poetry.lock",
    "pipfile.lock",
    "composer.lock",
    "gemfile.lock",
    "go.sum",
    "flake.lock",
];

/// Is it a file that a tool wrote, and that nobody edits?
pub(crate) fn is_never_edited(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.split('/');
    let name = parts.next_back().unwrap_or_default();
    LOCK_FILES.contains(&name) || parts.any(|part| NEVER_EDITED.contains(&part))
}

/// Is it below a directory for temporary files that somebody keeps in a home? The path is seen from that home.
pub(crate) fn is_scratch(below: &str) -> bool {
    let mut parts = below.split('/');
    parts.next_back();
    parts.any(|part| matches!(part, "tmp" | "temp" | ".tmp"))
}
