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
    let name = below.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    if LOCK_FILES.contains(&name.as_str()) || is_git_lock(below) {
        return true;
    }
    below.split('/').any(|part| {
        // Hidden directories of a project are caches and environments, but for these.
        let hidden = part.starts_with('.') && !matches!(part, ".git" | ".github");
        let name = part.to_ascii_lowercase();
        let made = DIRECTORIES.iter().any(|known| {
            name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '*', '.']))
        });
        hidden
            || made
            || name == "__snapshots__"
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
    "podfile.lock",
    "pubspec.lock",
    "mix.lock",
    "deno.lock",
    "pdm.lock",
    "pixi.lock",
    "packages.lock.json",
    "package.resolved",
    "gradle.lockfile",
];

/// Is it a file that a tool wrote, and that nobody edits?
pub(crate) fn is_never_edited(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.split('/');
    let name = parts.next_back().unwrap_or_default();
    LOCK_FILES.contains(&name) || parts.any(|part| NEVER_EDITED.contains(&part))
}

/// Is it what git leaves behind when it is stopped, and then tells people to remove?
pub(crate) fn is_git_lock(path: &str) -> bool {
    let inside = path.split_once(".git/").filter(|(before, _)| before.is_empty() || before.ends_with('/'));
    inside.is_some_and(|(_, inside)| inside.ends_with(".lock"))
}

/// Caches in a home: directories of which the programs that fill them say that they can be emptied at any time.
const CACHES: &[&str] = &[
    ".cache",
    "Library/Caches",
    "Library/Developer/Xcode/DerivedData",
    "Library/Developer/CoreSimulator/Caches",
    ".npm/_cacache",
    ".npm/_npx",
    ".yarn/cache",
    ".gradle/caches",
    ".gradle/daemon",
    ".m2/repository",
    ".cargo/registry/cache",
    ".cargo/registry/src",
    ".cargo/registry/index",
    ".pub-cache",
    ".nuget/packages",
    ".cocoapods/repos",
    ".ccache",
    "go/pkg/mod",
    "AppData/Local/Temp",
    "AppData/Local/npm-cache",
];

/// Is it below a cache? The path is seen from somebody's home. A whole `.cache` has everybody's in it.
pub(crate) fn is_cache(below: &str) -> bool {
    let below = below.trim_matches('/');
    CACHES.iter().any(|cache| {
        below.strip_prefix(cache).is_some_and(|rest| match *cache {
            ".cache" | "Library/Caches" => rest.strip_prefix('/').is_some_and(|name| !name.starts_with('*')),
            _ => rest.is_empty() || rest.starts_with('/'),
        })
    })
}

/// Is it below a directory for temporary files that somebody keeps in a home? The path is seen from that home.
pub(crate) fn is_scratch(below: &str) -> bool {
    let mut parts = below.split('/');
    parts.next_back();
    parts.any(|part| matches!(part, "tmp" | "temp" | ".tmp"))
}
