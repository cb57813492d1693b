//! Which manager a project uses, by its files.

use hookgate_effects::World;
use hookgate_policy::{Ecosystem, PackageManager};

/// How much of a `package.json` is read.
const MANIFEST_LIMIT: usize = 256 * 1024;

/// The files by which a manager is known.
const LOCKFILES: &[(PackageManager, &str)] = &[
    (PackageManager::Uv, "uv.lock"),
    (PackageManager::Poetry, "poetry.lock"),
    (PackageManager::Pipenv, "Pipfile.lock"),
    (PackageManager::Bun, "bun.lock"),
    (PackageManager::Bun, "bun.lockb"),
    (PackageManager::Pnpm, "pnpm-lock.yaml"),
    (PackageManager::Yarn, "yarn.lock"),
    (PackageManager::Npm, "package-lock.json"),
    (PackageManager::Npm, "npm-shrinkwrap.json"),
];

/// A manager and the file that names it.
pub(super) type Found = (PackageManager, &'static str);

/// The managers of the nearest directory that names any: several where it has lockfiles of several.
pub(super) fn managers(ecosystem: Ecosystem, from: &str, project: &str, world: &dyn World) -> Vec<Found> {
    for directory in upward(from, project) {
        if ecosystem == Ecosystem::JavaScript
            && let Some(manager) = declared(directory, world)
        {
            return vec![(manager, "package.json")];
        }
        let locks = LOCKFILES
            .iter()
            .filter(|(manager, file)| manager.ecosystem() == ecosystem && exists(directory, file, world));
        let found: Vec<Found> = locks.copied().collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Is there such a file in the directory or above it, within the project?
pub(super) fn has(file: &str, from: &str, project: &str, world: &dyn World) -> bool {
    upward(from, project).any(|directory| exists(directory, file, world))
}

/// Does the nearest `package.json` have a script of that name?
pub(super) fn has_script(name: &str, from: &str, project: &str, world: &dyn World) -> bool {
    let manifest = upward(from, project).find_map(|directory| {
        let path = format!("{}/package.json", directory.trim_end_matches('/'));
        world.read(&path, MANIFEST_LIMIT)
    });
    let manifest = manifest.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    manifest
        .is_some_and(|manifest| manifest.get("scripts").is_some_and(|scripts| scripts.get(name).is_some()))
}

/// The directory and those above it, up to the project's; only itself where it lies outside.
fn upward<'d>(from: &'d str, project: &'d str) -> impl Iterator<Item = &'d str> {
    let inside = from.strip_prefix(project).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    std::iter::successors(Some(from), move |directory| {
        let above = directory.rsplit_once('/').map(|(above, _)| above);
        above.filter(|above| inside && above.len() >= project.len())
    })
}

fn exists(directory: &str, file: &str, world: &dyn World) -> bool {
    world.entry(&format!("{}/{file}", directory.trim_end_matches('/'))).is_some()
}

/// The manager that `packageManager` of a `package.json` names.
fn declared(directory: &str, world: &dyn World) -> Option<PackageManager> {
    let path = format!("{}/package.json", directory.trim_end_matches('/'));
    let bytes = world.read(&path, MANIFEST_LIMIT)?;
    let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    let name = manifest.get("packageManager")?.as_str()?;
    let manager = PackageManager::named(name.split('@').next().unwrap_or(name))?;
    (manager.ecosystem() == Ecosystem::JavaScript).then_some(manager)
}
