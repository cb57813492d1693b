//! Subcommands: `[sub.NAME]` with a specification of its own, `[subs]` with names and patterns that share one.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::{Compiler, join};

impl Compiler {
    pub(super) fn subcommands(&mut self, table: &Table, path: &str) -> String {
        let mut found: BTreeMap<String, (String, String)> = BTreeMap::new();
        match table.get("sub") {
            None => {}
            Some(Value::Table(subs)) => {
                for (name, value) in subs {
                    let key = join(path, &format!("sub.{name}"));
                    let Some(inner) = value.as_table() else {
                        self.error(&key, "is a table: [sub.NAME]");
                        continue;
                    };
                    if name.is_empty() || name.contains(char::is_whitespace) || name.contains('*') {
                        self.error(&key, "is one name; lists and patterns go into [subs]");
                    }
                    let specification = self.specification(inner, &key, false);
                    let mut names = self.strings(inner, &key, "aliases");
                    names.push(name.clone());
                    for spelled in names {
                        let entry = (name.clone(), specification.clone());
                        if found.insert(spelled.clone(), entry).is_some() {
                            self.error(
                                &key,
                                format_args!("name \"{spelled}\" is taken by another subcommand"),
                            );
                        }
                    }
                }
            }
            Some(_) => self.error(&join(path, "sub"), "holds tables: [sub.NAME]"),
        }
        found
            .iter()
            .map(|(spelled, (name, specification))| {
                format!(
                    "Subcommand {{ spelled: {spelled:?}, name: {name:?}, specification: &{specification} }},"
                )
            })
            .collect()
    }

    /// `[subs]`: the exact paths, sorted, and the patterns, most specific first.
    pub(super) fn short_subcommands(&mut self, table: &Table, path: &str) -> (String, String) {
        let mut exact: BTreeMap<String, String> = BTreeMap::new();
        let mut patterns: Vec<(String, String)> = Vec::new();
        match table.get("subs") {
            None => {}
            Some(Value::Table(subs)) => {
                for (names, effects) in subs {
                    let key = join(path, &format!("subs.\"{names}\""));
                    let effects = self.effects(Some(effects), &key);
                    let effects = self.write_specification(&format!(
                        "any_options: true, effects: &[{effects}], \
                         operands: &[Operand {{ role: Role::Text, count: Count::Any, effect: None }}], \
                         ..Specification::EMPTY"
                    ));
                    for name in names.split_whitespace() {
                        if name.split('.').any(str::is_empty) {
                            self.error(
                                &key,
                                format_args!("\"{name}\" has an empty part; a path is like pr.list"),
                            );
                        }
                        let taken = if name.contains('*') {
                            let taken = patterns.iter().any(|(pattern, _)| pattern == name);
                            patterns.push((name.to_owned(), effects.clone()));
                            taken
                        } else {
                            exact.insert(name.to_owned(), effects.clone()).is_some()
                        };
                        if taken {
                            self.error(&key, format_args!("\"{name}\" is there twice"));
                        }
                    }
                }
            }
            Some(_) => self.error(&join(path, "subs"), "is a table of names and effects"),
        }
        // `*.delete` goes before `*.*.list`: the first word that is a verb decides, not an operand that looks like one.
        // Patterns that end in `*` come last, the longest first.
        patterns.sort_by_key(|(pattern, _)| {
            let literal = pattern.chars().filter(|c| *c != '*').count();
            let open = pattern.ends_with(".*") || pattern == "*";
            let count = pattern.split('.').count();
            (open, if open { usize::MAX - count } else { count }, std::cmp::Reverse(literal), pattern.clone())
        });
        let write = |path: &str, effects: &str| {
            format!("ShortSubcommand {{ path: {path:?}, specification: &{effects} }},")
        };
        (
            exact.iter().map(|(path, effects)| write(path, effects)).collect(),
            patterns.iter().map(|(path, effects)| write(path, effects)).collect(),
        )
    }
}

/// Gives every `[sub.x]` the entries of `[subs]` beside it that begin with its name, so that `"pr.list"` is found where
/// there is a `[sub.pr]`. Patterns only go to subcommands that do nothing themselves: elsewhere an operand could look
/// like one.
pub(super) fn push_down(table: &mut Table) {
    let mut entries: Vec<(String, Value)> = Vec::new();
    if let Some(Value::Table(subs)) = table.get("subs") {
        for (names, effects) in subs {
            entries.extend(names.split_whitespace().map(|name| (name.to_owned(), effects.clone())));
        }
    }
    let Some(Value::Table(subs)) = table.get_mut("sub") else { return };
    for (name, inner) in subs.iter_mut() {
        let Some(inner) = inner.as_table_mut() else { continue };
        let group = !inner.contains_key("operands") && !inner.contains_key("effects");
        let mut spelled = vec![name.clone()];
        if let Some(Value::Array(aliases)) = inner.get("aliases") {
            spelled.extend(aliases.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        let nested: BTreeSet<String> = match inner.get("sub") {
            Some(Value::Table(nested)) => nested.keys().cloned().collect(),
            _ => BTreeSet::new(),
        };
        let own = inner.entry("subs").or_insert_with(|| Value::Table(Table::new()));
        let Some(own) = own.as_table_mut() else { continue };
        let mut taken: BTreeSet<String> =
            own.keys().flat_map(|names| names.split_whitespace()).map(str::to_owned).collect();
        for (path, effects) in &entries {
            let Some((first, rest)) = path.split_once('.') else { continue };
            let fits = if first.contains('*') || rest.contains('*') {
                group && spelled.iter().any(|name| matches_pattern(first, name))
            } else {
                spelled.iter().any(|name| name == first)
            };
            if fits && !nested.contains(rest) && taken.insert(rest.to_owned()) {
                own.insert(rest.to_owned(), effects.clone());
            }
        }
        push_down(inner);
    }
}

/// Does the name match a pattern with at most one `*`?
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    }
}
