//! What is written one a line: options, operands, effects.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::model::{Change, Count, Effect, Operand, OptionLine, ValueForm};
use super::source::{Source, entry, join};
use crate::format::mark;
use crate::role::Role;

impl Source<'_> {
    pub(super) fn options(&mut self, table: &DeTable<'_>, path: &str) -> Vec<OptionLine> {
        let key = join(path, "options");
        let mut seen = BTreeSet::new();
        let lines = self.lines(table, path, "options");
        let mut options = Vec::new();
        for (line, span) in lines {
            let key = format!("{key}: `{line}`");
            let (left, right) = match line.split_once("=>") {
                Some((left, right)) => (left, Some(right)),
                None => (line.as_str(), None),
            };
            for part in left.split(", ") {
                options.extend(self.option(part, right, span.clone(), &key, &mut seen));
            }
        }
        options
    }

    /// The lines of a text, without empty ones and comments, each with its place.
    pub(super) fn lines(
        &mut self,
        table: &DeTable<'_>,
        path: &str,
        name: &str,
    ) -> Vec<(String, Range<usize>)> {
        let Some(value) = entry(table, name) else { return Vec::new() };
        let DeValue::String(text) = value.get_ref() else {
            self.error(Some(value.span()), &join(path, name), "is text, one entry a line");
            return Vec::new();
        };
        let mut lines = Vec::new();
        let mut at = value.span().start;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            // The text holds no escapes worth the name: its lines stand in the file as they are.
            let found = self.text.get(at..value.span().end).and_then(|rest| rest.find(line));
            let span = found.map_or(value.span(), |found| at + found..at + found + line.len());
            at = span.end.min(value.span().end);
            lines.push((line.to_owned(), span));
        }
        lines
    }

    /// One option: its names, value and marks, and its effects.
    fn option(
        &mut self,
        left: &str,
        right: Option<&str>,
        span: Range<usize>,
        key: &str,
        seen: &mut BTreeSet<String>,
    ) -> Vec<OptionLine> {
        let mut option = OptionLine::default();
        let mut negated = OptionLine::default();
        for token in left.split_whitespace() {
            // `--[no-]x`: what takes `--x` back has no value and does nothing.
            let token = match token.strip_prefix("--[no-]") {
                Some(name) => {
                    let bare = name.split(['=', '[', '<']).next().unwrap_or(name);
                    negated.names.push(format!("--no-{bare}"));
                    &format!("--{name}")
                }
                None => token,
            };
            let (name, given) = match split_value(token) {
                Some(parts) => parts,
                None => {
                    self.error(Some(span.clone()), key, format_args!("\"{token}\" has no `]`"));
                    continue;
                }
            };
            if let Some((_, bit)) = mark::ALL.iter().find(|(mark, _)| *mark == name) {
                option.marks |= bit;
            } else if name.contains(['<', '>', '[', ']']) {
                let what = format_args!("\"{name}\" is not a name; a value is <role>, [=<role>] or =<role>");
                self.error(Some(span.clone()), key, what);
            } else if !name.is_empty() && option.value.is_some() {
                let what = format_args!("name \"{name}\" after the value; names come first");
                self.error(Some(span.clone()), key, what);
            } else if !name.is_empty() {
                option.names.push(name.to_owned());
            }
            if let Some((form, role)) = given {
                let role = self.role(span.clone(), key, role);
                if option.value.replace((form, role)).is_some() {
                    self.error(Some(span.clone()), key, "has two values");
                }
            }
        }
        for name in option.names.iter().chain(&negated.names) {
            if !seen.insert(name.clone()) {
                self.error(Some(span.clone()), key, format_args!("\"{name}\" is there twice"));
            }
        }
        if option.names.iter().any(|name| name.contains('*') && name.starts_with("--")) {
            option.marks |= mark::PATTERN;
        }
        if option.names.is_empty() {
            self.error(Some(span.clone()), key, "has no name");
        }
        for word in right.unwrap_or_default().split_whitespace() {
            option.changes.push(match word {
                "nothing" => Change::Nothing,
                "!*" => Change::RemoveAll,
                word => match (word.strip_prefix('!'), word.strip_prefix('~'), word.strip_prefix("says:")) {
                    (Some(kind), ..) => Change::Remove(self.kind(span.clone(), key, kind)),
                    (_, Some(manner), _) => Change::How(self.manner(span.clone(), key, manner)),
                    (_, _, Some(part)) => Change::Says(self.part(span.clone(), key, part)),
                    _ => Change::Add(self.kind(span.clone(), key, word)),
                },
            });
        }
        if right.is_some() && option.changes.is_empty() {
            self.error(Some(span), key, "has nothing after `=>`");
        }
        if negated.names.is_empty() { vec![option] } else { vec![option, negated] }
    }

    pub(super) fn operands(&mut self, table: &DeTable<'_>, path: &str) -> Option<Vec<Operand>> {
        let value = entry(table, "operands")?;
        let key = join(path, "operands");
        let mut operands = Vec::new();
        let mut repeating = 0;
        for (text, span) in self.strings(table, path, "operands") {
            let (left, kind) = match text.split_once("=>") {
                Some((left, kind)) => (left.trim(), Some(kind.trim())),
                None => (text.trim(), None),
            };
            let (role, count) = if let Some(role) = left.strip_suffix("...?") {
                (role, Count::Any)
            } else if let Some(role) = left.strip_suffix("...") {
                (role, Count::Some)
            } else if let Some(role) = left.strip_suffix('?') {
                (role, Count::Optional)
            } else {
                (left, Count::One)
            };
            let role = self.role(span.clone(), &key, role.trim());
            // Variables end at the first word without `=`, commands and their like take everything that is left.
            if matches!(count, Count::Any | Count::Some) && role != Role::Variable {
                repeating += 1;
            }
            let says = kind.and_then(|kind| kind.strip_prefix("says:"));
            let effect = kind.filter(|_| says.is_none()).map(|kind| self.kind(span.clone(), &key, kind));
            let says = says.map(|part| self.part(span, &key, part));
            operands.push(Operand { role, count, effect, says });
        }
        if repeating > 1 {
            self.error(Some(value.span()), &key, "has more than one that repeats");
        }
        Some(operands)
    }

    pub(super) fn effects(&mut self, value: &Spanned<DeValue<'_>>, key: &str) -> Vec<Effect> {
        let texts = self.texts(value, key);
        texts.into_iter().map(|(text, span)| self.effect(&text, span, key)).collect()
    }

    /// `kind` or `kind target`.
    pub(super) fn effect(&mut self, text: &str, span: Range<usize>, key: &str) -> Effect {
        let (kind, target) = match text.trim().split_once(' ') {
            Some((kind, target)) => (kind, Some(target.trim().to_owned())),
            None => (text.trim(), None),
        };
        Effect { kind: self.kind(span, key, kind), target }
    }
}

/// The name and the value in one word of an option's line; `None` for a value that does not end.
fn split_value(token: &str) -> Option<(&str, Option<(ValueForm, &str)>)> {
    let role = |text: &'_ str| -> Option<()> { text.contains('<').then_some(()) };
    if token.starts_with('<') {
        return Some(("", Some((ValueForm::Required, inner(token)))));
    }
    if let Some(at) = token.find("[=<") {
        let (name, rest) = token.split_at(at);
        let value = rest.strip_prefix("[=").and_then(|rest| rest.strip_suffix(']'))?;
        role(value)?;
        return Some((name, Some((ValueForm::Optional, inner(value)))));
    }
    if let Some(at) = token.find("=<") {
        let (name, rest) = token.split_at(at);
        return Some((name, Some((ValueForm::Attached, inner(rest.trim_start_matches('='))))));
    }
    Some((token, None))
}

/// What stands between `<` and `>`.
fn inner(role: &str) -> &str {
    role.trim_start_matches('<').trim_end_matches('>')
}
