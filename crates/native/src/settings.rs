//! Settings files to rules.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::rule::{List, Rule, Scope};

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
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Other(IgnoredAny),
}

impl Entry<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            Entry::Text(text) => Some(text),
            Entry::Other(_) => None,
        }
    }
}

impl Settings {
    /// Reads settings files, in any order.
    #[must_use]
    pub fn read(sources: &[Source]) -> Settings {
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
            for (list, entries) in [
                (List::Deny, permissions.deny),
                (List::Ask, permissions.ask),
                (List::Allow, permissions.allow),
            ] {
                let texts = entries.iter().filter_map(Entry::text);
                settings.rules.extend(texts.map(|text| Rule::parse(list, text, &source.path, source.scope)));
            }
            let directories = permissions.additional_directories.iter().filter_map(Entry::text);
            settings.additional_directories.extend(directories.map(str::to_owned));
        }
        settings.rules.sort_by_key(|rule| rule.list);
        settings
    }

    /// The rules of a list.
    pub(crate) fn list(&self, list: List) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.list == list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(scope: Scope, text: &str) -> Source {
        Source { scope, path: "/s.json".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn rules_of_all_files_are_joined_with_denials_first() {
        let settings = Settings::read(&[
            source(
                Scope::User,
                r#"{"permissions": {"allow": ["Bash(ls)", 7], "deny": ["Bash(rm:*)"]}, "x": [1]}"#,
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
