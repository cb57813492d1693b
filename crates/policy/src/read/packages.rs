//! `[packages]`.

use super::reader::{Item, Reader};
use crate::keys;
use crate::level::Level;
use crate::packages::{Ecosystem, PackageEntries, PackageEntry, PackageLevel, PackageManager};

/// The keys of one ecosystem, in full.
struct Paths {
    whole: &'static str,
    manager: &'static str,
    level: &'static str,
    unlisted: &'static str,
    allow: &'static str,
    managers: &'static [&'static str],
}

const PYTHON: Paths = Paths {
    whole: "packages.python",
    manager: "packages.python.use",
    level: "packages.python.level",
    unlisted: "packages.python.unlisted",
    allow: "packages.python.allow",
    managers: keys::PYTHON_MANAGERS,
};

const JAVASCRIPT: Paths = Paths {
    whole: "packages.javascript",
    manager: "packages.javascript.use",
    level: "packages.javascript.level",
    unlisted: "packages.javascript.unlisted",
    allow: "packages.javascript.allow",
    managers: keys::JAVASCRIPT_MANAGERS,
};

impl Reader<'_> {
    pub(super) fn packages(&mut self, item: &Item<'_>) -> PackageEntries {
        let mut entries = PackageEntries::default();
        let Some(table) = self.table(item, "packages") else { return entries };
        for (name, item) in table {
            let (ecosystem, paths) = match name.get_ref().as_ref() {
                "python" => (Ecosystem::Python, &PYTHON),
                "javascript" => (Ecosystem::JavaScript, &JAVASCRIPT),
                other => {
                    self.unknown_key(name.span(), "packages", other);
                    continue;
                }
            };
            if let Some(entry) = self.ecosystem(item, paths) {
                entries.set(ecosystem, entry);
            }
        }
        entries
    }

    fn ecosystem(&mut self, item: &Item<'_>, paths: &Paths) -> Option<PackageEntry> {
        let mut entry = PackageEntry::default();
        for (name, item) in self.table(item, paths.whole)? {
            match name.get_ref().as_ref() {
                "use" => {
                    let at = self.one_of(item, paths.manager, paths.managers);
                    let name = at.and_then(|at| paths.managers.get(at).copied());
                    entry.manager = name.and_then(PackageManager::named);
                }
                "level" => {
                    use PackageLevel::{Ask, Deny, Off, Rewrite, Warn};
                    let at = self.one_of(item, paths.level, keys::PACKAGE_LEVELS);
                    entry.level = at.and_then(|at| [Off, Warn, Rewrite, Ask, Deny].get(at).copied());
                }
                "unlisted" => {
                    let at = self.one_of(item, paths.unlisted, keys::UNLISTED_LEVELS);
                    let levels = [Level::Off, Level::Warn, Level::Ask, Level::Deny];
                    entry.unlisted = at.and_then(|at| levels.get(at).copied());
                }
                "allow" => {
                    for (text, item) in self.texts(item, paths.allow).unwrap_or_default() {
                        if text.split_whitespace().count() >= 1 {
                            entry.allow.push(text.to_owned());
                        } else {
                            let help = Some("name a program and its first arguments".to_owned());
                            self.error(item.span(), paths.allow, "allows nothing", "", help);
                        }
                    }
                }
                other => self.unknown_key(name.span(), paths.whole, other),
            }
        }
        Some(entry)
    }
}
