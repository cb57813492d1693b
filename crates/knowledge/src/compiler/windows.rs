//! Commands of the shells of Windows: `knowledge/windows/`.
//!
//! ```toml
//! switches = "Recurse Force"                            # a list of names
//!
//! [cmdlets]
//! "Remove-Item ri rm" = "Path,LiteralPath=delete..."    # names; parameters; `=>` what the call does besides
//! ```
//!
//! A row is found by any of its names in lower case; its cells are the first name as it is written, the effects
//! with blanks between them, and the parameters.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::Compiler;
use super::mistake::nearest;
use super::source::{Source, join};
use crate::kind::Kind;

/// What a value can be besides the target of an effect.
const ROLES: &[&str] =
    &["text", "list", "send", "code", "script", "command", "arguments", "directory", "into"];

/// What may stand among the parameters.
const MARKS: &[&str] = &["+recursive", "+signs"];

impl Compiler {
    /// A file about the commands of a shell of Windows.
    pub(super) fn windows(&mut self, source: &mut Source<'_>, table: &DeTable<'_>, file: &str) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let rows = match (name, value.get_ref()) {
                ("summary", _) => continue,
                ("commands" | "cmdlets", DeValue::Table(entries)) => source.commands(entries, name),
                ("names", DeValue::Table(entries)) => {
                    source.table_rows(entries, name, &format!("{file}/{name}"))
                }
                ("switches" | "values", _) => {
                    let names = source.names(value, name).into_iter();
                    names.map(|(name, _)| (name, Vec::new())).collect()
                }
                _ => {
                    let known = ["summary", "commands", "cmdlets", "names", "switches", "values"];
                    source.unknown_key(key, "", &known);
                    continue;
                }
            };
            self.tables.entry(format!("{file}/{name}")).or_default().extend(rows);
        }
    }
}

impl Source<'_> {
    fn commands(&mut self, entries: &DeTable<'_>, table: &str) -> Vec<(String, Vec<String>)> {
        let mut rows = Vec::new();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for (names, value) in entries {
            let key = join(table, names.get_ref());
            let DeValue::String(text) = value.get_ref() else {
                self.error(Some(value.span()), &key, "is a text: parameters, `=>` and effects");
                continue;
            };
            let (parameters, effects) = text.split_once("=>").unwrap_or((text, ""));
            for effect in effects.split_whitespace() {
                self.kind(value.span(), &key, effect);
            }
            for parameter in parameters.split_whitespace().filter(|word| !MARKS.contains(word)) {
                let role = parameter.rsplit_once('=').map_or(parameter, |(_, role)| role);
                let role = role.strip_suffix("...").unwrap_or(role);
                if Kind::from_name(role).is_none() && !ROLES.contains(&role) {
                    let near = nearest(
                        role,
                        ROLES.iter().copied().chain(Kind::ALL.iter().map(|(_, name, _)| *name)),
                    );
                    let what = format_args!("\"{role}\" is not what a value can be{near}");
                    self.error(Some(value.span()), &key, what);
                }
            }
            let mut cells = Vec::new();
            cells.extend(names.get_ref().split_whitespace().next().map(str::to_owned));
            cells.push(effects.trim().to_owned());
            cells.extend(parameters.split_whitespace().map(str::to_owned));
            for name in names.get_ref().split_whitespace().map(str::to_ascii_lowercase) {
                if let Some(other) = seen.insert(name.clone(), key.clone()) {
                    let what = format_args!("\"{name}\" is there twice; it is in `{other}` as well");
                    self.error(Some(names.span()), &key, what);
                }
                rows.push((name, cells.clone()));
            }
        }
        rows
    }
}
