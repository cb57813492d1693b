//! Files that may not be weakened: which they are, and what a call makes of them.

use std::fmt;

use hookgate_agents::Tool;
use hookgate_effects::{Effect, EntryKind, Kind, PathFact, Place, Places, Target, World, file_name};
use hookgate_knowledge::glob;
use hookgate_lint::{Change, Direction, Format, Linter, compare};
use hookgate_policy::{Access, Protect};
use hookgate_text::{Message, Quoted, say};

use crate::own::matches_path;
use crate::rule::{Facts, Hit, Remedy};

/// What rules about protected files need.
#[derive(Clone, Copy)]
pub struct ProtectedFacts<'a> {
    /// What is protected.
    pub policy: &'a [Protect],
    /// The machine.
    pub world: &'a dyn World,
}

impl fmt::Debug for ProtectedFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProtectedFacts").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// One part of a file that an entry protects.
#[derive(Clone, Debug, PartialEq)]
pub struct Guarded<'a> {
    /// The entry.
    pub entry: &'a Protect,
    /// What is in the file.
    pub format: Format,
    /// The table; empty for all of the file.
    pub table: String,
    /// Whose settings these are, if they are a linter's.
    pub linter: Option<Linter>,
}

/// The largest file that is compared, in bytes.
const LARGEST: usize = 1 << 20;
/// How many settings a message names.
const NAMED: usize = 3;
/// How many names of a directory are looked at.
const MOST_NAMES: usize = 512;
/// The most names below a directory that a glob is compared with.
const MOST_BELOW: usize = 4_096;

fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

/// What of a file is protected. Unless the file `was_there`, `world` says whether a linter has settings in the project already: a first settings file
/// takes nothing away.
pub fn guarded<'a>(
    policy: &'a [Protect],
    fact: &PathFact,
    recursive: bool,
    places: &Places,
    world: &dyn World,
    was_there: bool,
) -> Vec<Guarded<'a>> {
    let mut found = Vec::new();
    let file = fact.real.as_deref().unwrap_or(&fact.path);
    let name = file_name(file);
    for entry in policy {
        for path in &entry.paths {
            if !matches_path(std::slice::from_ref(&path.pattern), fact, recursive, places) {
                continue;
            }
            let settings = Linter::configured_by(file);
            let own = settings.iter().find(|one| {
                if path.table.is_empty() { one.tables.is_empty() } else { one.tables.contains(&path.table) }
            });
            found.push(Guarded {
                entry,
                format: own.map_or_else(|| Format::of_file(name), |own| own.format),
                table: path.table.clone(),
                linter: own.map(|own| own.linter),
            });
        }
        if fact.place != Place::Project || entry.linters.is_empty() {
            continue;
        }
        for settings in
            Linter::configured_by(file).into_iter().filter(|one| entry.linters.contains(&one.linter))
        {
            let is_new = !Linter::only_leaves_out(name) && !was_there && world.entry(&fact.path).is_none();
            if is_new && !is_configured(settings.linter, &fact.path, places, world) {
                continue;
            }
            let tables = if settings.tables.is_empty() { vec![String::new()] } else { settings.tables };
            found.extend(tables.into_iter().map(|table| Guarded {
                entry,
                format: settings.format,
                table,
                linter: Some(settings.linter),
            }));
        }
    }
    found
}

/// Does a linter have settings in the file's directory, or in one above it within the project?
fn is_configured(linter: Linter, path: &str, places: &Places, world: &dyn World) -> bool {
    let mut directory = parent(path);
    for _ in 0..64 {
        let names = world.list(directory, MOST_NAMES);
        let has = names.iter().filter_map(|name| Some((name, linter.settings_in(name)?))).any(
            |(name, settings)| {
                let text = world.read(&format!("{directory}/{name}"), LARGEST).unwrap_or_default();
                let text = String::from_utf8_lossy(&text);
                settings.tables.is_empty()
                    || settings
                        .tables
                        .iter()
                        .any(|table| !compare(settings.format, table, None, None, Some(&text)).is_empty())
            },
        );
        if has {
            return true;
        }
        if directory == places.project || directory == "/" {
            return false;
        }
        directory = parent(directory);
    }
    false
}

/// CONF001: what is protected is weakened, or changed in a way that can't be seen.
pub(crate) fn weakened(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let Some(protected) = facts.protected.filter(|protected| !protected.policy.is_empty()) else { return };
    let mut seen: Vec<&str> = Vec::new();
    for (index, effect) in facts.effects.effects.iter().enumerate() {
        let Some(Target::Path(fact)) = &effect.target else { continue };
        let changes = Access::Write.includes(effect.kind, false) || effect.kind == Kind::GitDiscard;
        if !changes
            || matches!(effect.kind, Kind::Permission | Kind::Ownership | Kind::Format)
            || seen.contains(&fact.path.as_str())
        {
            continue;
        }
        let before = hits.len();
        for (path, one) in each_of(facts, fact, effect, protected) {
            hits.extend(judged(facts, protected, index, effect, &path, &one));
        }
        if hits.len() > before {
            seen.push(&fact.path);
        }
    }
}

/// The protected parts of what an effect is done to: a file, or files right in a directory of which all goes.
fn each_of<'a>(
    facts: &Facts<'_>,
    fact: &PathFact,
    effect: &Effect,
    protected: ProtectedFacts<'a>,
) -> Vec<(String, Guarded<'a>)> {
    let path = fact.real.as_deref().unwrap_or(&fact.path);
    let own = guarded(protected.policy, fact, effect.recursive, facts.places, protected.world, false);
    let mut found: Vec<(String, Guarded<'a>)> = own.into_iter().map(|one| (path.to_owned(), one)).collect();
    // The names that a glob stands for.
    if fact.pattern {
        for path in meant(path, protected.world) {
            let inner = PathFact { path, real: None, pattern: false, ..fact.clone() };
            if found.iter().all(|(path, _)| *path != inner.path) {
                let parts = guarded(protected.policy, &inner, false, facts.places, protected.world, false);
                found.extend(parts.into_iter().map(|one| (inner.path.clone(), one)));
            }
        }
    }
    if effect.recursive && found.is_empty() && !fact.pattern && is_directory(path, protected.world) {
        for name in protected.world.list(path, MOST_NAMES) {
            let inner = PathFact { path: format!("{path}/{name}"), real: None, ..fact.clone() };
            let parts = guarded(protected.policy, &inner, false, facts.places, protected.world, false);
            found.extend(parts.into_iter().map(|one| (inner.path.clone(), one)));
        }
    }
    found
}

/// What is there and meant by a glob, within a bound: a search may mean all of a project.
fn meant(pattern: &str, world: &dyn World) -> Vec<String> {
    let first = pattern.find(['*', '?', '[']).unwrap_or(pattern.len());
    let base = parent(pattern.get(..first).unwrap_or_default());
    let deep = pattern.get(first..).is_some_and(|rest| rest.contains('/')) || pattern.ends_with("**");
    let mut found = Vec::new();
    let mut open = vec![base.to_owned()];
    let mut left = MOST_BELOW;
    while let Some(directory) = open.pop().filter(|_| left > 0) {
        for name in world.list(&directory, MOST_NAMES) {
            left = left.saturating_sub(1);
            let path = format!("{}/{name}", directory.trim_end_matches('/'));
            if deep && !matches!(name.as_str(), ".git" | "node_modules") && is_directory(&path, world) {
                open.push(path);
            } else if glob::matches_path(pattern, &path) {
                found.push(path);
            }
        }
    }
    found
}

fn is_directory(path: &str, world: &dyn World) -> bool {
    world.entry(path).is_some_and(|entry| entry.kind == EntryKind::Directory)
}

fn judged(
    facts: &Facts<'_>,
    protected: ProtectedFacts<'_>,
    index: usize,
    effect: &Effect,
    path: &str,
    part: &Guarded<'_>,
) -> Option<Hit> {
    let before = protected.world.read(path, LARGEST).and_then(|bytes| String::from_utf8(bytes).ok());
    let call = facts
        .event
        .tool()
        .filter(|call| effect.call.is_none() && matches!(call.tool(), Tool::Write(_) | Tool::Edit(_)));
    let after = call.and_then(|call| call.text_after(before.as_deref()));
    let (message, fix, remedy) = match after {
        Some(after) => {
            let changes = compare(part.format, &part.table, part.linter, before.as_deref(), Some(&after));
            let counted = told(&changes, part.entry);
            let fix = if part.linter.is_some() {
                "correct the code instead, or ask the user to change the settings"
            } else {
                "leave it as it is, or ask the user to change it"
            };
            let message = if !counted.is_empty() {
                changed(path, part, &counted, facts)
            } else if let Some(linter) = replaces(path, part, facts, protected) {
                let shown = shown(path, part, facts);
                say!("adds {}, which takes the place of the settings that {} has there", shown, linter)
            } else {
                return None;
            };
            (message, fix, Remedy::Fixable)
        }
        // A table that isn't there holds nothing that a command could weaken.
        None if !part.table.is_empty() && !has_table(part, before.as_deref()) => return None,
        None => {
            let shown = shown(path, part, facts);
            let what = match effect.kind {
                Kind::Delete | Kind::Move | Kind::Destroy => say!("removes {}, which is protected", shown),
                _ => say!("changes {}, which is protected, in a way that hookgate can't preview", shown),
            };
            let fix = if part.table.is_empty() {
                "leave it as it is, or ask the user to change it"
            } else {
                "use the edit tool; changes outside the protected table pass"
            };
            (what, fix, if part.table.is_empty() { Remedy::Forbidden } else { Remedy::Fixable })
        }
    };
    Some(Hit {
        message,
        fix: Some(fix.into()),
        remedy,
        span: effect.span,
        effects: vec![index],
        level: Some(part.entry.level),
        unless_kept: None,
        replacement: None,
    })
}

/// The linter whose settings a new file takes out of force, whatever it says itself.
fn replaces(
    path: &str,
    part: &Guarded<'_>,
    facts: &Facts<'_>,
    protected: ProtectedFacts<'_>,
) -> Option<Quoted<'static>> {
    let linter = part.linter.filter(|_| part.table.is_empty() && protected.world.entry(path).is_none())?;
    is_configured(linter, path, facts.places, protected.world).then(|| Quoted::new(linter.name()))
}

/// Does the file have the protected table?
fn has_table(part: &Guarded<'_>, text: Option<&str>) -> bool {
    text.is_some() && !compare(part.format, &part.table, None, None, text).is_empty()
}

/// The changes that count: all but those that are surely stricter, where those may pass.
fn told<'c>(changes: &'c [Change], entry: &Protect) -> Vec<&'c Change> {
    changes.iter().filter(|change| !(entry.stricter && change.direction == Direction::Stricter)).collect()
}

fn shown(path: &str, part: &Guarded<'_>, facts: &Facts<'_>) -> Message {
    let below =
        path.strip_prefix(&facts.places.project).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path);
    if part.table.is_empty() {
        say!("{}", Quoted::new(below))
    } else {
        say!("{} of {}", Quoted::new(&part.table), Quoted::new(below))
    }
}

/// `weakens ruff: adds "E501" to lint.ignore in ruff.toml`.
fn changed(path: &str, part: &Guarded<'_>, changes: &[&Change], facts: &Facts<'_>) -> Message {
    let weaker = changes.iter().any(|change| change.direction == Direction::Weaker);
    let mut message = match (weaker, part.linter) {
        (true, Some(linter)) => {
            say!("weakens {} in {}", Quoted::new(linter.name()), shown(path, part, facts))
        }
        (true, None) => say!("weakens {}", shown(path, part, facts)),
        (false, _) => say!("changes {}, which is protected", shown(path, part, facts)),
    };
    message.push(&listed(changes.iter().copied(), NAMED));
    message
}

/// The settings that changed, as the end of a sentence: ``: `line-length` from `88` to `200`; and 2 more``. Empty where none
/// has a name; at most that many are named.
#[must_use]
pub fn listed<'c>(changes: impl Iterator<Item = &'c Change> + Clone, most: usize) -> Message {
    let mut message = Message::default();
    for (at, change) in changes.clone().filter(|change| !change.setting.is_empty()).take(most).enumerate() {
        message.push(&if at == 0 { ": ".into() } else { "; ".into() });
        let setting = Quoted::new(&change.setting);
        message.push(&match (&change.before, &change.after) {
            (Some(before), Some(after)) => {
                say!("{} from {} to {}", setting, Quoted::new(before), Quoted::new(after))
            }
            (None, Some(after)) => say!("{} becomes {}", setting, Quoted::new(after)),
            _ => say!("{} goes", setting),
        });
    }
    let more = changes.count().saturating_sub(most);
    if more > 0 {
        message.push(&say!("; and {} more", more));
    }
    message
}
