//! Which paths hold keys, tokens and passwords.

use super::known::{self, Known};
use super::traits::is_telling;
use super::{file_name, is_within, parent};
use crate::world::Places;
use hookgate_knowledge::{Row, shipped};

/// Does the path, in lower case, hold a secret, or may it, being a glob?
pub(super) fn is_secret(lower: &str, known: Known, pattern: bool, places: &Places) -> bool {
    let name = file_name(lower);
    if let Some(directory) = known.secret_directory {
        let shared = directory == "/.ssh" && (name.ends_with(".pub") || name.starts_with("known_hosts"));
        return !known.public && !shared;
    }
    if known.secret || is_environment_file(name) {
        return true;
    }
    if name.starts_with("id_") && name.contains("rsa") && !name.ends_with(".pub") {
        return true;
    }
    if name == ".npmrc" && parent(lower) == places.home.to_ascii_lowercase() {
        return true;
    }
    if lower.starts_with("/proc/") && matches!(name, "environ" | "mem" | "kcore") {
        return true;
    }
    if let Some((stem, ending)) = name.rsplit_once('.')
        && known::keys().contains(ending)
    {
        // Certificates are public, and so is what a system keeps of them.
        let public = ["cert", "chain", "cacert", "ca-"].iter().any(|part| stem.contains(part))
            || stem == "ca"
            || stem.ends_with(".pub")
            || is_within(lower, "/etc/ssl/certs")
            || is_within(lower, "/usr/share");
        return !public;
    }
    pattern && may_be_secret(lower, name, places)
}

/// `.env`, `.env.production`, `prod.env`; not `.env.example`.
fn is_environment_file(name: &str) -> bool {
    let variant = match name.strip_prefix(".env") {
        Some("") => return true,
        Some(rest) => match rest.strip_prefix(['.', '-', '_']) {
            Some(variant) => variant,
            None => return false,
        },
        None => match name.strip_suffix(".env") {
            Some(variant) => variant,
            None => return false,
        },
    };
    let shared = variant
        .char_indices()
        .filter_map(
            |(at, one)| if at == 0 { Some(variant) } else { variant.get(at + 1..).filter(|_| one == '.') },
        )
        .any(|end| known::shared_environments().contains(end));
    !shared && !variant.ends_with(".d.ts") && !variant.contains("example")
}

/// Does the name of a directory say that there are keys in it?
fn keeps_keys(name: &str) -> bool {
    let name = name.trim_start_matches('.').to_ascii_lowercase();
    known::key_directories().contains(&name)
}

/// The alternatives of the first `@(a|b)` in a glob, each in its place.
fn alternatives(glob: &str) -> Option<Vec<String>> {
    let open = ["@(", "+(", "?(", "*("].iter().filter_map(|sign| glob.find(sign)).min()?;
    let (before, rest) = glob.split_at_checked(open)?;
    let (inner, after) = rest.get(2..)?.split_once(')')?;
    Some(inner.split('|').map(|one| format!("{before}{one}{after}")).collect())
}

/// A glob that stands for the name of a secret.
fn may_be_secret(lower: &str, name: &str, places: &Places) -> bool {
    let directory = parent(lower);
    if let Some(alternatives) = alternatives(lower) {
        // Deeper groups come with the next round, each shorter than the one before.
        return alternatives
            .iter()
            .take(8)
            .any(|one| is_secret(one, Known::of(one), one.contains(['*', '?', '[']), places));
    }
    let stands_for = |key: &str| glob_matches(name, key);
    if keeps_keys(file_name(directory))
        && shipped().table("paths/kinds/key-names").rows().any(|row| stands_for(row.key()))
    {
        return true;
    }
    // `.env?`: the variants of that file are named by anybody as they like.
    if name.strip_prefix(".env").is_some_and(|rest| rest.starts_with(['*', '?', '['])) {
        return true;
    }
    let secret = |row: &Row<'_>| row.cell(0) == Some("secret");
    known::names().rows().filter(secret).any(|row| is_telling(name, row.key()) && stands_for(row.key()))
        || known::places().rows().filter(|row| secret(row) && row.cell(1).is_none()).any(|row| {
            let file = row.key();
            let close = directory.ends_with(parent(file)) && parent(file) != "/" && parent(file) != "/etc";
            let telling = is_telling(name, file_name(file));
            (close || (telling && parent(file) == "/") || (telling && directory == parent(file)))
                && glob_matches(name, file_name(file))
        })
        || is_secret_directory_glob(lower)
}

/// A glob in a directory's name that stands for a directory of secrets (`~/.s*/id_rsa`).
fn is_secret_directory_glob(lower: &str) -> bool {
    lower.split('/').any(|part| {
        part.contains(['*', '?', '['])
            && part.starts_with('.')
            && [".ssh", ".gnupg", ".aws", ".kube"]
                .iter()
                .any(|known| is_telling(part, known) && glob_matches(part, known))
    })
}

/// Does a shell glob match the name? A leading dot must be written.
pub fn glob_matches(glob: &str, name: &str) -> bool {
    (glob.starts_with('.') || !name.starts_with('.')) && hookgate_knowledge::glob::matches(glob, name)
}
