//! `[[protect]]`.

use std::ops::Range;

use hookgate_lint::Linter;
use toml::de::DeTable;

use super::reader::{Item, Reader};
use crate::keys;
use crate::level::Level;
use crate::pattern::PathPattern;
use crate::protect::{Protect, ProtectedPath};

impl Reader<'_> {
    pub(super) fn protect(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Protect> {
        let told = self.diagnostics.len();
        let mut protect = Protect::new(self.source.kind);
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "paths" => protect.paths = self.protected_paths(item),
                "linters" => protect.linters = self.linters(item, "protect.linters"),
                "level" => {
                    let levels = [Level::Warn, Level::Ask, Level::Deny];
                    let at = self.one_of(item, "protect.level", keys::PROTECT_LEVELS)?;
                    protect.level = levels.get(at).copied().unwrap_or(Level::Deny);
                }
                "stricter" => protect.stricter = self.boolean(item, "protect.stricter")?,
                other => self.unknown_key(name.span(), "protect", other),
            }
        }
        if self.diagnostics.len() > told {
            return None;
        }
        if protect.paths.is_empty() && protect.linters.is_empty() {
            let help = Some("add `paths` or `linters`".to_owned());
            self.error(span, "protect", "an entry that protects nothing", "", help);
            return None;
        }
        Some(protect)
    }

    fn protected_paths(&mut self, item: &Item<'_>) -> Vec<ProtectedPath> {
        let mut paths = Vec::new();
        for (text, item) in self.texts(item, "protect.paths").unwrap_or_default() {
            let (path, table) = text.split_once('#').unwrap_or((text, ""));
            let problem = match PathPattern::parse(path) {
                Ok(_) if text.contains('#') && table.split('.').any(str::is_empty) => {
                    Some("names no table after `#`: write `pyproject.toml#tool.ruff`")
                }
                Ok(pattern) => {
                    paths.push(ProtectedPath { pattern, table: table.to_owned() });
                    None
                }
                Err(error) => Some(error.message),
            };
            if let Some(problem) = problem {
                self.error(item.span(), "protect.paths", format!("`{text}` {problem}"), "", None);
            }
        }
        paths
    }

    /// Linters by name; `*` stands for all of them.
    pub(super) fn linters(&mut self, item: &Item<'_>, key: &'static str) -> Vec<Linter> {
        let mut linters = Vec::new();
        for (name, item) in self.texts(item, key).unwrap_or_default() {
            if name == "*" {
                linters.extend(Linter::all());
            } else if let Some(linter) = Linter::named(name) {
                linters.push(linter);
            } else {
                let names: Vec<&str> = Linter::all().map(Linter::name).collect();
                self.unknown_value(item.span(), key, name, names.into_iter());
            }
        }
        linters
    }
}
