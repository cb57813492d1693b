//! What a tool writes and writes again, where git can't be asked about it (`knowledge/paths/regenerated.toml`).

use hookgate_knowledge::shipped;

/// Is it such a directory or file, or below such a directory? The path is seen from the project's root.
pub(crate) fn is_regenerated(below: &str) -> bool {
    let lower = below.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    let directories = shipped().table("paths/regenerated/directories");
    is_lock_file(name)
        || lower.split('/').any(|part| {
            // `build-arm64`, `dist.old`: one of several outputs.
            let first = part.split(['-', '.']).next().filter(|first| !first.is_empty()).unwrap_or(part);
            directories.contains(part) || directories.contains(first) || part.ends_with(".egg-info")
        })
}

/// Is it itself a directory for what programs can fetch or compute again, by its name? What lies in one may be more.
pub(crate) fn is_named_cache(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    name.ends_with("cache") && shipped().table("paths/regenerated/directories").contains(&name)
}

/// Is it a file that a package manager writes?
fn is_lock_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    shipped().table("paths/regenerated/files").contains(&name)
}

/// Is it a file that programs go on writing, and that is emptied to start afresh?
pub(crate) fn is_written_again(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| shipped().table("paths/regenerated/endings").contains(ending))
}

/// Is it what git leaves behind when it is stopped, and then tells people to remove?
pub(crate) fn is_git_lock(path: &str) -> bool {
    let inside = path.split_once(".git/").filter(|(before, _)| before.is_empty() || before.ends_with('/'));
    inside.is_some_and(|(_, inside)| inside.ends_with(".lock"))
}

/// Is it below a cache? The path is seen from somebody's home. A whole `.cache` has everybody's in it.
pub(crate) fn is_cache(below: &str) -> bool {
    let below = below.trim_matches('/');
    let behind = |cache: &str| {
        let rest = below.strip_prefix(cache)?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    };
    let whole = [".cache", "Library/Caches"].into_iter().filter_map(behind);
    let mut inside = whole.filter_map(|rest| rest.strip_prefix('/'));
    inside.any(|name| !name.starts_with('*'))
        || shipped().table("paths/regenerated/caches").rows().any(|row| behind(row.key()).is_some())
}

/// Is it below a directory for temporary files that somebody keeps in a home? The path is seen from that home.
pub(crate) fn is_scratch(below: &str) -> bool {
    let mut parts = below.split('/');
    parts.next_back();
    parts.any(|part| matches!(part, "tmp" | "temp" | ".tmp"))
}
