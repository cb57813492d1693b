//! What a path is besides its place.

use super::folding::folded;
use super::known::{self, Known};
use super::secrets::is_secret;
use super::{file_name, glob_matches, is_within, parent};
use crate::effect::Traits;
use crate::world::Places;
use hookgate_knowledge::Row;

/// Other guards of agents' commands, by the name of their program. What they keep is below a home directory, in
/// `.NAME` or `.config/NAME`.
pub const GUARDS: &[&str] = &["nah", "dcg", "tirith", "cc-safety-net", "longline", "toolgate", "cupcake"];

/// What the gate keeps in its directories.
const GATE_STATE: &[&str] = &["halt", "pause", "grants", "audit.jsonl", "hookgate.toml", "trust", "hookgate"];

/// The traits of an absolute path, which may hold a glob.
pub(super) fn of(path: &str, pattern: bool, places: &Places) -> Traits {
    // File systems that ignore case open `.ENV` as `.env`; and nobody has both.
    let lower = folded(path);
    let mut traits = Traits::default();
    let mut set = |holds: bool, one: Traits| {
        if holds {
            traits = traits.union(one);
        }
    };
    let name = file_name(&lower);
    let directory = parent(path);
    let known = Known::of(&lower);
    set(is_root(path, places), Traits::ROOT);
    if pattern && matches_everything(name) {
        set(is_root(directory, places), Traits::ROOT);
    }
    set(is_secret(&lower, known, pattern, places), Traits::SECRET);
    let named = |what: &str| pattern && may_be_named(name, what);
    set(known.gate || named("gate") || is_gate(path, &lower, name, pattern, places), Traits::GATE);
    let settings = known.agent
        || places.agent_settings.iter().any(|settings| is_meant(path, &lower, settings))
        || (pattern && may_end_in_settings(&lower))
        || is_guard(path, directory, places);
    set(settings, Traits::AGENT_SETTINGS);
    set(known.loads, Traits::AGENT_LOADS);
    set(known.startup || named("startup"), Traits::STARTUP);
    set(known.settings || is_setting(path, places), Traits::SETTINGS);
    let git = git_traits(&lower, name, known);
    // `rm -rf .g*`
    let finds_git = pattern && name.starts_with('.') && glob_matches(name, ".git");
    set(git.contains(Traits::GIT) || finds_git, Traits::GIT);
    set(git.contains(Traits::GIT_HOOK), Traits::GIT_HOOK);
    set(is_program_directory(directory, places), Traits::PROGRAMS);
    traits
}

/// Is the path that place or below it, by its own spelling or by another of the same name?
fn is_meant(path: &str, folded: &str, place: &str) -> bool {
    is_within(path, place) || {
        let ends = matches!(folded.as_bytes().get(place.len()), None | Some(b'/'));
        ends && folded.get(..place.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(place))
    }
}

/// Is it a directory of `PATH`-like programs?
fn is_program_directory(directory: &str, places: &Places) -> bool {
    known::programs().contains(directory)
        || below_home(directory, places).is_some_and(|rest| known::home_programs().contains(rest))
}

/// The rest of a path below somebody's home directory.
fn below_home<'a>(path: &'a str, places: &Places) -> Option<&'a str> {
    let own = path.strip_prefix(places.home.as_str()).filter(|_| places.home.len() > 1);
    let root = path.strip_prefix("/root");
    if let Some(rest) = own.or(root).and_then(|rest| rest.strip_prefix('/')) {
        return Some(rest);
    }
    let users = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"))?;
    users.split_once('/').map(|(_, rest)| rest)
}

/// Is it hidden below somebody's home, where programs keep what they read or run when they start? Caches and data are
/// listed; what is hidden and isn't listed counts as settings. A project that lies there is a project.
fn is_setting(path: &str, places: &Places) -> bool {
    let own = || std::iter::once(&places.project).chain(&places.also_project);
    let Some(rest) = below_home(path, places).filter(|rest| rest.starts_with('.')) else { return false };
    if own().any(|project| !project.is_empty() && is_within(path, project)) {
        return false;
    }
    // Any number of leading components may be listed: `.cache`, `.local/share`.
    let listed = rest
        .match_indices('/')
        .map(|(end, _)| end)
        .chain([rest.len()])
        .any(|end| rest.get(..end).is_some_and(|head| known::home_data().contains(head)));
    !listed
}

/// Does the path belong to another guard: what it keeps, or its program on the `PATH`?
fn is_guard(path: &str, directory: &str, places: &Places) -> bool {
    if GUARDS.contains(&file_name(path)) && is_program_directory(directory, places) {
        return true;
    }
    let Some(rest) = below_home(path, places) else { return false };
    let kept = rest.strip_prefix(".config/").or_else(|| rest.strip_prefix('.'));
    kept.is_some_and(|kept| GUARDS.contains(&kept.split('/').next().unwrap_or(kept)))
}

/// The traits of what lies below a path.
pub(super) fn of_tree(path: &str, places: &Places) -> Traits {
    let mut traits = Traits::default();
    let below = |inner: &str| inner != path && is_within(inner, path) && !is_temporary(path, places);
    if places.gate.iter().any(|gate| below(gate)) {
        traits = traits.union(Traits::GATE);
    }
    if places.agent_settings.iter().any(|settings| below(settings)) {
        traits = traits.union(Traits::AGENT_SETTINGS);
    }
    if !is_temporary(path, places)
        && (is_a_home(path, places) || holds_secrets(path) || matches!(path, "/" | "/home" | "/Users"))
    {
        traits = traits.union(Traits::SECRET);
    }
    if is_program_directory(path, places) {
        traits = traits.union(Traits::PROGRAMS);
    }
    let name = folded(file_name(path));
    if is_of_an_agent(&name) {
        traits = traits.union(Traits::AGENT_SETTINGS);
    }
    if name == ".config" && parent(path) == places.home {
        traits = traits.union(Traits::GATE);
    }
    traits
}

/// Is the directory one that an agent has for itself (`.claude`), by its name or by a glob that likely means it?
fn is_of_an_agent(name: &str) -> bool {
    let holds = |row: &Row<'_>| {
        row.cell(0) == Some("agent") && row.cell(1).is_none() && is_named(name, parent(row.key()))
    };
    known::places().rows().any(|row| holds(&row))
}

/// Does the last part of a path say this hidden directory (`/.claude`), as it is or as a glob?
fn is_named(name: &str, directory: &str) -> bool {
    let hidden = directory.strip_prefix('/').filter(|one| one.starts_with('.') && !one.contains('/'));
    hidden.is_some_and(|one| one == name || is_telling(name, one) && glob_matches(name, one))
}

fn is_a_home(path: &str, places: &Places) -> bool {
    path == places.home || path == "/root" || below_home(&format!("{path}/x"), places) == Some("x")
}

/// Does a hidden directory hold a file of secrets that is known by its path (`.aws` holds `.aws/credentials`)?
fn holds_secrets(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    let holds = |row: &Row<'_>| {
        let end = row.key().get(1..).and_then(|key| key.find('/'));
        let first = end.and_then(|end| row.key().get(..=end)).unwrap_or_default();
        row.cell(0) == Some("secret") && row.cell(1).is_none() && is_named(&name, first)
    };
    name.len() > 2 && known::places().rows().any(|row| holds(&row))
}

fn is_root(path: &str, places: &Places) -> bool {
    if path == "/" {
        return true;
    }
    let own = [&places.home, &places.project];
    let mut own = own.into_iter().chain(&places.also_project).filter(|root| !root.is_empty());
    // A home or project below a temporary directory was made for a trial; it doesn't make the directory precious.
    if own.any(|root| root == path || (is_within(root, path) && !is_temporary(path, places))) {
        return true;
    }
    // Other people's home directories, and where they are kept.
    match path.strip_prefix("/home").or_else(|| path.strip_prefix("/Users")) {
        Some("") => true,
        Some(rest) => rest.strip_prefix('/').is_some_and(|user| !user.contains('/') && !user.is_empty()),
        None => path == "/root",
    }
}

/// Is it a temporary directory itself?
pub(super) fn is_temporary(path: &str, places: &Places) -> bool {
    places.temporary.iter().any(|temporary| temporary == path)
}

/// Does the last component of a glob stand for all that is in its directory?
fn matches_everything(name: &str) -> bool {
    matches!(name, "*" | "**" | ".*" | ".[!.]*" | "{*,.*}" | "*.*" | ".??*" | "?*" | "[!.]*")
}

/// May a glob that starts above the gate's directories mean one of its state files?
fn is_gate_state(path: &str, name: &str, places: &Places) -> bool {
    let (directory, _) = super::literal_directory(path);
    GATE_STATE.contains(&name) && places.gate.iter().any(|gate| is_within(gate, directory))
}

fn is_gate(path: &str, lower: &str, name: &str, pattern: bool, places: &Places) -> bool {
    places.gate.iter().any(|gate| is_meant(path, lower, gate))
        || (pattern && is_gate_state(path, name, places))
        || (name == "hookgate" && matches!(file_name(parent(lower)), "bin" | "sbin"))
}

fn git_traits(lower: &str, name: &str, known: Known) -> Traits {
    let inside = known.repository.and_then(|end| lower.get(end + 1..));
    let Some(inside) = inside else {
        return if known.git_hook {
            Traits::GIT_HOOK
        } else if name == ".git" {
            Traits::GIT
        } else {
            Traits::default()
        };
    };
    let runs = is_within(inside, "hooks")
        || matches!(inside, "config" | "config.worktree")
        || inside.ends_with("/hooks")
        || inside.ends_with("/config");
    if runs { Traits::GIT.union(Traits::GIT_HOOK) } else { Traits::GIT }
}

/// May a glob stand for the name of a file that is that?
fn may_be_named(glob: &str, what: &str) -> bool {
    let is = |row: &Row<'_>| row.cell(0) == Some(what);
    // `.*.toml`: a hidden file, and its ending is spelled out.
    let ending = |name: &str| {
        let written = glob.rsplit(['*', '?', ']']).next().unwrap_or_default();
        glob.starts_with('.') && written.len() > 2 && written.starts_with('.') && name.ends_with(written)
    };
    let meant = |name: &str| is_telling(glob, name) || (what == "gate" && ending(name));
    known::names().rows().filter(is).any(|row| meant(row.key()) && glob_matches(glob, row.key()))
}

/// Does enough of a glob's text agree with the name, so that the name is likely meant?
pub(super) fn is_telling(glob: &str, name: &str) -> bool {
    let literal = glob.chars().filter(|c| !matches!(c, '*' | '?' | '[' | ']')).count();
    let prefix = glob.find(['*', '?', '[']).unwrap_or(glob.len());
    literal * 2 >= name.len() || prefix >= 3 || (prefix >= 2 && glob.starts_with('.'))
}

/// May a glob stand for the settings of an agent, in a directory for them?
fn may_end_in_settings(lower: &str) -> bool {
    // `**` stands for no directory as well.
    let flat = lower.replace("/**", "");
    let anywhere = lower.contains("/**/");
    let (name, inner) = (file_name(&flat), file_name(parent(&flat)));
    let is_glob = |text: &str| text.contains(['*', '?', '[']);
    known::places().rows().filter(|row| row.cell(0) == Some("agent") && row.cell(1).is_none()).any(|row| {
        let (directory, wanted) = (parent(row.key()), file_name(row.key()));
        // `.*` names every hidden directory; a row without a directory says nothing of one.
        let holder = file_name(directory);
        let likely = is_glob(inner)
            && !holder.is_empty()
            && (inner == ".*" || is_telling(inner, holder))
            && glob_matches(inner, holder);
        // `.claude/**` is everything in it.
        let whole = lower.ends_with("/**") && flat.ends_with(directory) && directory.len() > 1;
        let there = flat.ends_with(directory) || parent(&flat).ends_with(directory) || likely;
        whole
            || (there && glob_matches(name, wanted))
            || (anywhere && is_telling(name, wanted) && glob_matches(name, wanted))
    })
}
