//! Settings files to rules.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::rule::{List, Rule, Scope};

/// One settings file that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Whose settings these are.
    pub scope: Scope,
    /// The file, absolute.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// The permission rules of all settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The rules in the order in which they are consulted: deny, ask, allow.
    pub rules: Vec<Rule>,
    /// Directories that count as the project besides it, as written.
    pub additional_directories: Vec<String>,
    /// Files that could not be read as settings: they count as absent.
    pub problems: Vec<Problem>,
}

/// A settings file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub path: String,
    /// What is wrong with it: lowercase, no full stop.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(borrow)]
    permissions: Option<Permissions<'a>>,
    #[serde(default)]
    allow_managed_permission_rules_only: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Permissions<'a> {
    #[serde(borrow)]
    allow: Vec<Entry<'a>>,
    #[serde(borrow)]
    ask: Vec<Entry<'a>>,
    #[serde(borrow)]
    deny: Vec<Entry<'a>>,
    #[serde(borrow)]
    additional_directories: Vec<Entry<'a>>,
}

/// A rule, or something else, which is skipped.
enum Entry<'a> {
    Text(Cow<'a, str>),
    Other,
}

/// Written out, because what serde derives keeps a copy of every entry before it looks at it.
impl<'de: 'a, 'a> Deserialize<'de> for Entry<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a permission rule")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Entry::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Entry::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Entry::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Entry::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Entry::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Entry::Other)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Entry::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Entry::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Entry::Other)
    }
}

impl Entry<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            Entry::Text(text) => Some(text),
            Entry::Other => None,
        }
    }
}

impl Settings {
    /// Reads settings files, in any order.
    #[must_use]
    pub fn read(sources: &[Source]) -> Settings {
        Settings::read_where(sources, |_| true)
    }

    /// Reads settings files, in any order, for one call: rules about commands that begin with a word which is not in
    /// `text` can't match it, and are not even parsed. `text` is everything that the call could be known by: its command and
    /// the programs that it runs. Neither are rules about files, where the call does nothing to any (`files`).
    #[must_use]
    pub fn read_for(sources: &[Source], text: &str, files: bool) -> Settings {
        let about_files = |rule: &str| rule.starts_with("Read(") || rule.starts_with("Edit(");
        // Most words have a letter that the call does not: that is told without a search.
        let letters = text.bytes().fold(0_u128, |letters, byte| letters | bit(byte));
        let may_hold = |word: &str| word.bytes().all(|byte| letters & bit(byte) != 0) && text.contains(word);
        Settings::read_where(sources, |rule| {
            (files || !about_files(rule)) && command_word(rule).is_none_or(may_hold)
        })
    }

    fn read_where(sources: &[Source], wanted: impl Fn(&str) -> bool) -> Settings {
        let mut settings = Settings::default();
        let mut files = Vec::new();
        for source in sources {
            match serde_json::from_str::<File<'_>>(source.text.trim_start_matches('\u{feff}')) {
                Ok(file) => files.push((source, file)),
                Err(error) => settings
                    .problems
                    .push(Problem { path: source.path.clone(), message: error.to_string().to_lowercase() }),
            }
        }
        let managed_only = files.iter().any(|(source, file)| {
            source.scope == Scope::Managed && file.allow_managed_permission_rules_only == Some(true)
        });
        for (source, file) in files {
            if managed_only && source.scope != Scope::Managed {
                continue;
            }
            let Some(permissions) = file.permissions else { continue };
            let known = settings.rules.len();
            for (list, entries) in [
                (List::Deny, permissions.deny),
                (List::Ask, permissions.ask),
                (List::Allow, permissions.allow),
            ] {
                let texts = entries.iter().filter_map(Entry::text).filter(|text| wanted(text));
                settings.rules.extend(texts.map(|text| Rule::parse(list, text, &source.path, source.scope)));
            }
            // Looked at closely only where something depends on it.
            if settings.rules.len() > known && is_dropped(&source.text) {
                settings.rules.iter_mut().skip(known).for_each(|rule| rule.is_void = true);
            }
            let directories = permissions.additional_directories.iter().filter_map(Entry::text);
            settings.additional_directories.extend(directories.map(str::to_owned));
        }
        settings.rules.sort_by_key(|rule| rule.list);
        settings
    }

    /// The rules of a list, as a person means them.
    pub(crate) fn list(&self, list: List) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.list == list)
    }

    /// The rules of a list that the client consults.
    pub(crate) fn consulted(&self, list: List) -> impl Iterator<Item = &Rule> {
        self.list(list).filter(|rule| !rule.is_void)
    }
}

/// Is a value of some kind?
type IsKind = fn(&Value) -> bool;

/// The keys whose values the client wants to have this kind; else it drops the whole file.
const KINDS: [(&str, IsKind); 8] = [
    ("model", Value::is_string),
    ("hooks", Value::is_object),
    ("apiKeyHelper", Value::is_string),
    ("cleanupPeriodDays", Value::is_number),
    ("includeCoAuthoredBy", Value::is_boolean),
    ("disableAllHooks", Value::is_boolean),
    ("enabledPlugins", Value::is_object),
    ("statusLine", Value::is_object),
];

/// The modes that the client knows.
const MODES: [&str; 8] =
    ["default", "acceptEdits", "plan", "auto", "manual", "dontAsk", "bypassPermissions", "delegate"];

/// Would the client most likely drop this file, with every rule in it?
fn is_dropped(text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else { return true };
    let has_wrong_kind =
        KINDS.iter().any(|(key, is_right)| value.get(key).is_some_and(|value| !is_right(value)));
    let permissions = value.get("permissions");
    let mode = permissions.and_then(|permissions| permissions.get("defaultMode"));
    let has_wrong_mode = mode.is_some_and(|mode| !mode.as_str().is_some_and(|mode| MODES.contains(&mode)));
    let lists = ["allow", "ask", "deny"].into_iter();
    let mut lists = lists.filter_map(|list| permissions.and_then(|permissions| permissions.get(list)));
    let has_wrong_rule =
        lists.any(|list| !list.as_array().is_some_and(|rules| rules.iter().all(Value::is_string)));
    let mut groups =
        value.get("hooks").and_then(Value::as_object).into_iter().flat_map(|hooks| hooks.values());
    has_wrong_kind
        || has_wrong_mode
        || has_wrong_rule
        || groups.any(|groups| super::super::faults::invalid(groups).is_some())
}

/// The bit of an ASCII byte.
fn bit(byte: u8) -> u128 {
    1_u128.checked_shl(u32::from(byte)).unwrap_or(0)
}

/// The literal beginning of a rule's first word: `git` of `Bash(git push:*)`; `None` where there is none.
fn command_word(rule: &str) -> Option<&str> {
    let pattern = rule.trim_start().strip_prefix("Bash(")?.trim_start();
    let end = pattern
        .bytes()
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')))
        .unwrap_or(pattern.len());
    pattern
        .get(..end)
        .filter(|word| !word.is_empty() && pattern.get(end..).is_some_and(|rest| !rest.starts_with('=')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rules_that_could_match_the_call_are_parsed() {
        let text = r#"{"permissions":{"deny":["Bash(rm:*)","Bash(git push:*)","Bash(* --force)","Bash","Read(./.env)","Bash(A=1 rm)"]}}"#;
        let parsed = |call: &str| Settings::read_for(&[source(Scope::User, text)], call, true).rules.len();
        assert_eq!(parsed("git status"), 5);
        assert_eq!(Settings::read_for(&[source(Scope::User, text)], "git status", false).rules.len(), 4);
        assert_eq!(parsed("sudo rm x"), 5);
        assert_eq!(parsed("ls"), 4);
        assert_eq!(Settings::read(&[source(Scope::User, text)]).rules.len(), 6);
    }

    fn source(scope: Scope, text: &str) -> Source {
        Source { scope, path: "/s.json".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn rules_of_all_files_are_joined_with_denials_first() {
        let settings = Settings::read(&[
            source(
                Scope::User,
                r#"{"permissions": {"allow": ["Bash(ls)", 7, -1, 1.5, true, null, [1, "x"], {"a": ["b"]}], "deny": ["Bash(rm:*)"]}, "x": [1]}"#,
            ),
            source(
                Scope::Project,
                r#"{"permissions": {"deny": ["Read(./.env)"], "additionalDirectories": ["../b"]}}"#,
            ),
        ]);
        let texts: Vec<&str> = settings.rules.iter().map(|rule| rule.text.as_str()).collect();
        assert_eq!(texts, ["Bash(rm:*)", "Read(./.env)", "Bash(ls)"]);
        assert_eq!(settings.additional_directories, ["../b"]);
        assert!(settings.problems.is_empty());
    }

    #[test]
    fn the_client_drops_a_file_that_its_schema_refuses() {
        let rules = r#""permissions": {"deny": ["Bash(rm:*)"]}"#;
        let void = |rest: &str| {
            let settings = Settings::read(&[source(Scope::User, &format!("{{{rules}{rest}}}"))]);
            assert_eq!(settings.rules.len(), 1, "{rest}: what a person means stays known");
            settings.consulted(List::Deny).next().is_none()
        };
        assert!(!void(r#", "model": "opus", "env": {"A": "1"}, "anything": {"else": 5}"#));
        for rest in [
            r#", "model": 5"#,
            r#", "cleanupPeriodDays": "a week""#,
            r#", "hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}"#,
        ] {
            assert!(void(rest), "{rest}");
        }
        let mode = r#"{"permissions": {"deny": ["Bash(rm:*)"], "defaultMode": "nonsense"}}"#;
        assert_eq!(Settings::read(&[source(Scope::User, mode)]).consulted(List::Deny).count(), 0);
    }

    #[test]
    fn a_broken_file_counts_as_absent_and_is_told() {
        let settings = Settings::read(&[
            source(Scope::User, "{broken"),
            source(Scope::Local, r#"{"permissions": {"ask": ["Bash"]}}"#),
        ]);
        assert_eq!(settings.rules.len(), 1);
        assert_eq!(settings.problems.len(), 1);
    }

    #[test]
    fn the_administrator_can_shut_out_all_other_rules() {
        let managed = r#"{"allowManagedPermissionRulesOnly": true, "permissions": {"deny": ["Bash(a)"]}}"#;
        let settings = Settings::read(&[
            source(Scope::User, r#"{"permissions": {"deny": ["Bash(b)"]}}"#),
            source(Scope::Managed, managed),
        ]);
        assert_eq!(settings.rules.len(), 1);
    }
}
