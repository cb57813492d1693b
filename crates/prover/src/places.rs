//! Where a path may lie for a grant to rest on it.

use crate::table::{is_listed, names};
use crate::{Ground, Refusal};
use hookgate_shell::Span;

/// Is the file hidden, or one whose name says that it keeps secrets?
pub(crate) fn is_kept(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    // `./...` of Go is every package.
    let hidden = name.starts_with('.') && name != "..." && !is_listed("known-hidden", name);
    hidden && !hidden_by_kind(name) || name.contains('.') && names_a_secret(name)
}

/// Whether a word means itself however often a shell expands it.
pub(crate) fn is_plain_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./,:+@%=".contains(&byte))
}

/// An absolute path without `.`, `..` and double slashes.
pub(crate) fn normal(base: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let whole = if path.starts_with('/') { String::new() } else { base.to_owned() };
    for part in whole.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The same as the kernel goes: `..` behind a link leaves the directory that the link leads to.
pub(crate) fn reached(base: &str, path: &str, ground: &Ground<'_>) -> String {
    if !path.split('/').any(|part| part == "..") {
        return normal(base, path);
    }
    let mut at = if path.starts_with('/') { "/".to_owned() } else { normal("", base) };
    for part in path.split('/') {
        if part == ".." {
            at = ground.files.resolve(&at).unwrap_or(at);
        }
        at = normal(&at, part);
    }
    at
}

/// Does the path lie in the directory, or is it the directory?
pub(crate) fn lies_in(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        && !directory.is_empty()
}

/// In the project?
pub(crate) fn in_project(path: &str, ground: &Ground<'_>) -> bool {
    std::iter::once(ground.project)
        .chain(ground.also_project.iter().map(String::as_str))
        .any(|root| lies_in(path, root))
}

/// In the project, with its links followed?
pub(crate) fn leads_into_project(path: &str, ground: &Ground<'_>) -> bool {
    let real = ground.files.resolve(path);
    in_project(real.as_deref().unwrap_or(path), ground)
}

/// The rest of a path below the project's root; nothing of a path that lies elsewhere.
pub(crate) fn within_project<'p>(path: &'p str, ground: &Ground<'_>) -> &'p str {
    roots(ground)
        .filter(|root| lies_in(path, root))
        .find_map(|root| path.strip_prefix(root))
        .unwrap_or_default()
}

/// Where the content of a file may be read from: the project, temporary folders, what isn't hidden below a home, and public
/// places of the system. `whole` is for a path that is read with everything below it.
pub(crate) fn may_read(path: &str, ground: &Ground<'_>, span: Span) -> Result<(), Refusal> {
    let refuse = |reason: String| Err(Refusal { reason, span });
    if is_listed("readable-devices", path) || is_listed("public-places", path) && path.starts_with("/etc/") {
        return Ok(());
    }
    let shown = path.rsplit('/').next().unwrap_or(path);
    let inside = in_project(path, ground);
    let at_home = lies_in(path, ground.home);
    let temporary = !at_home && ground.temporary.iter().any(|root| lies_in(path, root));
    let below = if inside {
        roots(ground).find_map(|root| path.strip_prefix(root)).unwrap_or_default()
    } else if temporary {
        path
    } else if let Some(rest) = below_a_home(path, ground) {
        if rest.is_empty() {
            return refuse("a home directory is read as a whole".to_owned());
        }
        rest
    } else if names("public-places").any(|place| lies_in(path, place)) {
        path
    } else {
        return refuse(format!("`{shown}` lies in no place that may be read without a question"));
    };
    let parts: Vec<&str> = below.split('/').filter(|part| !part.is_empty()).collect();
    let leaf = parts.last().copied().unwrap_or_default();
    let home = !inside && !temporary && below_a_home(path, ground).is_some();
    if home && let Some(kept) = kept_by_programs(&parts) {
        return refuse(format!("`{kept}` holds what programs keep for a person"));
    }
    // A hidden directory of a work tree holds what its tools keep; one that lies in a home itself is the person's.
    let work_tree = inside || home && !parts.first().is_some_and(|part| part.starts_with('.'));
    let prose = work_tree && has_plain_ending(leaf);
    for (depth, part) in parts.iter().enumerate() {
        // What lies hidden directly in a home is the person's; deeper it is like in a project.
        let list = if home && depth == 0 { "known-in-a-home" } else { "known-hidden" };
        let known = is_listed(list, part) || !home && hidden_by_kind(part);
        if part.starts_with('.') && !known && !(prose && *part != leaf && !is_listed("never-read", part)) {
            return refuse(format!("`{part}` is hidden"));
        }
        if is_listed("secret-directories", part) && !prose {
            return refuse(format!("`{part}` may hold secrets"));
        }
    }
    let own = parts.contains(&".git") && matches!(leaf, "config" | "credentials");
    if own || names_a_secret(leaf) {
        return refuse(format!("`{leaf}` may hold a secret"));
    }
    Ok(())
}

/// The folder of a home in which programs keep what is theirs: mail, messages, sessions, wallets. No name tells which of it is
/// harmless, so what may be read there is listed, with everything below it.
fn kept_by_programs(parts: &[&str]) -> Option<String> {
    let lower: Vec<String> = parts.iter().take(3).map(|part| part.to_lowercase()).collect();
    let shown = (1..=lower.len()).any(|length| {
        lower.get(..length).is_some_and(|names| is_listed("readable-of-programs", &names.join("/")))
    });
    let folder = (1..=lower.len()).find_map(|length| {
        let folder = lower.get(..length)?.join("/");
        is_listed("kept-by-programs", &folder).then_some(folder)
    });
    // The folder that holds such a one is read with it.
    let whole = lower.join("/");
    let above = || names("kept-by-programs").any(|kept| lies_in(kept, &whole) && kept != whole);
    match folder {
        Some(folder) if !shown => Some(folder),
        None if above() => Some(whole),
        _ => None,
    }
}

/// A file that its ending says to hold code, prose or data.
pub(crate) fn has_plain_ending(leaf: &str) -> bool {
    let ending = leaf.rsplit_once('.').map_or("", |(_, ending)| ending);
    is_listed("code-endings", ending) || is_listed("plain-endings", ending)
}

fn roots<'a>(ground: &Ground<'a>) -> impl Iterator<Item = &'a str> {
    std::iter::once(ground.project).chain(ground.also_project.iter().map(String::as_str))
}

/// The rest of a path below somebody's home.
fn below_a_home<'p>(path: &'p str, ground: &Ground<'_>) -> Option<&'p str> {
    if lies_in(path, ground.home) {
        return path.strip_prefix(ground.home);
    }
    if let Some(rest) = path.strip_prefix("/root") {
        return (rest.is_empty() || rest.starts_with('/')).then_some(rest);
    }
    let rest = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"))?;
    Some(rest.split_once('/').map_or("", |(_, rest)| rest))
}

/// `.eslintrc.json` is known by `.eslintrc`.
pub(crate) fn hidden_by_kind(part: &str) -> bool {
    let stem = part.get(1..).and_then(|rest| rest.split('.').next()).unwrap_or_default();
    stem.len() > 2 && is_listed("known-hidden-kinds", stem)
}

/// Does the name of a file say that it keeps something?
pub(crate) fn names_a_secret(part: &str) -> bool {
    let lower = part.trim_end_matches('~').to_ascii_lowercase();
    let (stem, ending) = lower.rsplit_once('.').unwrap_or((lower.as_str(), ""));
    if is_listed("secret-endings", ending) {
        return true;
    }
    let code = is_listed("code-endings", ending);
    // `prod.pem.gz`, `server.key.bak`
    if !code && stem.split('.').skip(1).any(|ending| is_listed("secret-endings", ending)) {
        return true;
    }
    let mut words = stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    !code && words.any(|word| is_listed("secret-words", word))
}

/// A file that some test runners and builds take examples or pages from.
pub(crate) fn is_prose(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    is_listed("prose-endings", name.rsplit_once('.').map_or("", |(_, ending)| ending))
}

/// A file that nothing takes for code, configuration or a list of names by its own name.
pub(crate) fn is_data(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    is_listed("data-endings", ending) && !name.starts_with('.') && !is_listed("code-by-name", name)
}
