//! Subcommands: `[sub.NAME]` with a specification of its own, `[subs]` with names and patterns that share one.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use toml::de::{DeTable, DeValue};

use crate::glob;

use super::model::{Short, Specification, Subcommand};
use super::source::{Place, Source, entry, join};

impl Source<'_> {
    pub(super) fn subcommands(&mut self, table: &DeTable<'_>, path: &str) -> BTreeMap<String, Subcommand> {
        let mut found = BTreeMap::new();
        let Some(value) = entry(table, "sub") else { return found };
        let DeValue::Table(subs) = value.get_ref() else {
            self.error(Some(value.span()), &join(path, "sub"), "holds tables: [sub.NAME]");
            return found;
        };
        let mut taken = BTreeSet::new();
        for (name, value) in subs {
            let key = join(path, &format!("sub.{}", name.get_ref()));
            let DeValue::Table(inner) = value.get_ref() else {
                self.error(Some(value.span()), &key, "is a table: [sub.NAME]");
                continue;
            };
            let span = name.span();
            let name = name.get_ref().to_string();
            if name.is_empty() || name.contains(char::is_whitespace) || name.contains('*') {
                self.error(Some(span.clone()), &key, "is one name; lists and patterns go into [subs]");
            }
            let specification = self.specification(inner, &key, Place::Inner);
            let aliases = self.strings(inner, &key, "aliases");
            for (spelled, span) in aliases.iter().cloned().chain([(name.clone(), span)]) {
                if !taken.insert(spelled.clone()) {
                    let what = format_args!("name \"{spelled}\" is taken by another subcommand");
                    self.error(Some(span), &key, what);
                }
            }
            let aliases = aliases.into_iter().map(|(alias, _)| alias).collect();
            found.insert(name, Subcommand { aliases, specification });
        }
        found
    }

    /// `[subs]`: each path with what is said of it.
    pub(super) fn short_subcommands(
        &mut self,
        table: &DeTable<'_>,
        path: &str,
    ) -> BTreeMap<String, Rc<Short>> {
        let mut short = BTreeMap::new();
        let Some(value) = entry(table, "subs") else { return short };
        let path = join(path, "subs");
        let DeValue::Table(subs) = value.get_ref() else {
            self.error(Some(value.span()), &path, "is a table: effects, and the names that have them");
            return short;
        };
        let options = Rc::new(self.options(subs, &path));
        for key in subs.keys().filter(|key| key.get_ref() != "options") {
            let effects = match key.get_ref().as_ref() {
                "nothing" => Vec::new(),
                effects => effects.split(',').map(|effect| self.effect(effect, key.span(), &path)).collect(),
            };
            let shared = Rc::new(Short { options: Rc::clone(&options), effects });
            for (line, span) in self.lines(subs, &path, key.get_ref()) {
                for name in line.split_whitespace() {
                    if name.split('.').any(str::is_empty) {
                        let what = format_args!("\"{name}\" has an empty part; a path is like pr.list");
                        self.error(Some(span.clone()), &path, what);
                    }
                    if short.insert(name.to_owned(), Rc::clone(&shared)).is_some() {
                        self.error(Some(span.clone()), &path, format_args!("\"{name}\" is there twice"));
                    }
                }
            }
        }
        short
    }
}

/// Gives every `[sub.x]` the entries of `[subs]` beside it that begin with its name, so that `"pr.list"` is found where
/// there is a `[sub.pr]`. Patterns only go to subcommands that do nothing themselves: elsewhere an operand could look
/// like one.
pub(super) fn push_down(specification: &mut Specification) {
    let short = &specification.short;
    for (name, sub) in &mut specification.subcommands {
        let inner = &mut sub.specification;
        let group = inner.operands.is_none() && inner.effects.is_none();
        for (path, said) in short {
            let Some((first, rest)) = path.split_once('.') else { continue };
            let mut spelled = sub.aliases.iter().chain([name]);
            let fits = if first.contains('*') || rest.contains('*') {
                group && spelled.any(|name| glob::matches(first, name))
            } else {
                spelled.any(|name| name == first)
            };
            if fits && !inner.subcommands.contains_key(rest) && !inner.short.contains_key(rest) {
                inner.short.insert(rest.to_owned(), Rc::clone(said));
            }
        }
        push_down(inner);
    }
}
