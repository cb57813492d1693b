//! What is written one a line: options, operands, effects.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use toml::{Table, Value};

use super::{Compiler, join};

impl Compiler {
    pub(super) fn options(&mut self, table: &Table, path: &str) -> String {
        let key = join(path, "options");
        let text = match table.get("options") {
            None => return String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(_) => {
                self.error(&key, "is text with one option per line");
                return String::new();
            }
        };
        let mut seen = BTreeSet::new();
        let mut code = String::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            code += &self.option(line, &format!("{key}: `{line}`"), &mut seen);
        }
        code
    }

    fn option(&mut self, line: &str, key: &str, seen: &mut BTreeSet<String>) -> String {
        let (left, right) = match line.split_once("=>") {
            Some((left, right)) => (left, right),
            None => (line, ""),
        };
        let mut names = Vec::new();
        let mut value: Option<String> = None;
        let mut marks = BTreeSet::new();
        for token in left.split_whitespace() {
            let (name, given) = if token.starts_with('<') {
                ("", Some(("Required", token)))
            } else if let Some(at) = token.find("[=<") {
                let (name, rest) = token.split_at(at);
                match rest.strip_prefix("[=").and_then(|rest| rest.strip_suffix(']')) {
                    Some(role) => (name, Some(("Optional", role))),
                    None => {
                        self.error(key, format_args!("\"{token}\" has no `]`"));
                        (name, None)
                    }
                }
            } else if let Some(at) = token.find("=<") {
                let (name, rest) = token.split_at(at);
                (name, Some(("Attached", rest.trim_start_matches('='))))
            } else {
                (token, None)
            };
            match name {
                "" => {}
                "+recursive" | "+stdin" | "+rest" | "+first" | "+last" | "+name" => {
                    marks.insert(name);
                }
                name if name.contains(['<', '>', '[', ']']) => {
                    self.error(
                        key,
                        format_args!("\"{name}\" is no name; a value is <role>, [=<role>] or =<role>"),
                    );
                }
                name if value.is_some() => {
                    self.error(key, format_args!("name \"{name}\" after the value; names come first"));
                }
                name => {
                    if !seen.insert(name.to_owned()) {
                        self.error(key, format_args!("\"{name}\" is there twice"));
                    }
                    names.push(name.to_owned());
                }
            }
            if let Some((form, role)) = given {
                let role = role.trim_start_matches('<').trim_end_matches('>');
                let role = self.role(key, role);
                if value.replace(format!("{form}(Role::{role})")).is_some() {
                    self.error(key, "has two values");
                }
            }
        }
        if names.is_empty() {
            self.error(key, "has no name");
        }
        let mut changes = String::new();
        for word in right.split_whitespace() {
            let change = match word {
                "nothing" => "Change::Nothing".to_owned(),
                "!*" => "Change::RemoveAll".to_owned(),
                word => match word.strip_prefix('!') {
                    Some(kind) => format!("Change::Remove({})", self.kind(key, kind)),
                    None => format!("Change::Add({})", self.kind(key, word)),
                },
            };
            changes += &change;
            changes.push(',');
        }
        if line.contains("=>") && changes.is_empty() {
            self.error(key, "has nothing after `=>`");
        }
        let names: String = names.iter().map(|name| format!("{name:?},")).collect();
        let value = value.map_or("ValueForm::None".to_owned(), |value| format!("ValueForm::{value}"));
        format!(
            "OptionSpecification {{ names: &[{names}], value: {value}, recursive: {}, standard_input: {}, rest: {}, \
             first: {}, last: {}, named: {}, changes: &[{changes}] }},",
            marks.contains("+recursive"),
            marks.contains("+stdin"),
            marks.contains("+rest"),
            marks.contains("+first"),
            marks.contains("+last"),
            marks.contains("+name"),
        )
    }

    pub(super) fn operands(&mut self, table: &Table, path: &str) -> String {
        let key = join(path, "operands");
        let mut code = String::new();
        let mut repeating = 0;
        for text in self.strings(table, path, "operands") {
            let (left, kind) = match text.split_once("=>") {
                Some((left, kind)) => (left.trim(), Some(kind.trim().to_owned())),
                None => (text.trim(), None),
            };
            let (role, count) = if let Some(role) = left.strip_suffix("...?") {
                (role, "Any")
            } else if let Some(role) = left.strip_suffix("...") {
                (role, "Some")
            } else if let Some(role) = left.strip_suffix('?') {
                (role, "Optional")
            } else {
                (left, "One")
            };
            // Variables end at the first word without `=`, commands and their like take everything that is left.
            if matches!(count, "Any" | "Some") && role != "variable" {
                repeating += 1;
            }
            let role = self.role(&key, role.trim());
            let effect = match kind {
                None => "None".to_owned(),
                Some(kind) => format!("Some({})", self.kind(&key, &kind)),
            };
            let _ =
                write!(code, "Operand {{ role: Role::{role}, count: Count::{count}, effect: {effect} }},");
        }
        if repeating > 1 {
            self.error(&key, "has more than one that repeats");
        }
        code
    }

    pub(super) fn effects(&mut self, value: Option<&Value>, key: &str) -> String {
        let Some(value) = value else { return String::new() };
        let Some(list) = value.as_array() else {
            self.error(key, "is a list of kinds of effect");
            return String::new();
        };
        let mut code = String::new();
        for entry in list {
            let Some(text) = entry.as_str() else {
                self.error(key, "is a list of texts");
                continue;
            };
            let (kind, target) = match text.trim().split_once(' ') {
                Some((kind, target)) => (kind, format!("Some({:?})", target.trim())),
                None => (text.trim(), "None".to_owned()),
            };
            let kind = self.kind(key, kind);
            let _ = write!(code, "EffectSpecification {{ kind: {kind}, target: {target} }},");
        }
        code
    }
}
