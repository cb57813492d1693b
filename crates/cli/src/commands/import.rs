//! `hookgate import`: the policy of another gate as one of hookgate's.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use hookgate_knowledge::shipped;
use toml::{Table, Value};

use crate::error::CommandError;

/// Print the policy of another gate as one of hookgate's.
#[derive(Args, Debug)]
pub(crate) struct Import {
    #[command(subcommand)]
    from: From,
}

/// Whose policy.
#[derive(Subcommand, Debug)]
enum From {
    /// A configuration of klaudiush: `.klaudiush/config.toml`, `klaudiush.toml`.
    ///
    /// What has no counterpart is listed in a comment at the end. Nothing is written: redirect it into `.hookgate.toml`.
    Klaudiush {
        /// The file.
        file: PathBuf,
    },
}

impl Import {
    pub(crate) fn run(&self) -> Result<(), CommandError> {
        let From::Klaudiush { file } = &self.from;
        let text = fs::read_to_string(file).map_err(|error| CommandError::file(file, &error))?;
        let table = text.parse().map_err(|error: toml::de::Error| {
            CommandError::usage(format!("{}: {}", file.display(), error.message()))
        })?;
        print!("{}", klaudiush(&table));
        Ok(())
    }
}

/// Where a key of klaudiush's goes: its path, the table and the key here.
const KEYS: &[(&str, &str, &str)] = &[
    ("validators.git.commit.check_staging_area", "commit", "staged"),
    ("validators.git.commit.message.title_max_length", "commit", "title-max"),
    ("validators.git.commit.message.body_max_line_length", "commit", "body-max"),
    ("validators.git.commit.message.valid_types", "commit", "types"),
    ("validators.git.commit.message.block_ai_attribution", "commit", "no-attribution"),
    ("validators.git.commit.message.expected_signoff", "commit", "identity"),
    ("validators.git.push.blocked_remotes", "push", "forbid-remotes"),
    ("validators.git.add.blocked_patterns", "add", "forbid"),
    ("validators.git.branch.valid_types", "branch", "types"),
    ("validators.git.pr.title_max_length", "pull-request", "title-max"),
    ("validators.git.pr.valid_types", "pull-request", "types"),
    ("validators.git.pr.forbidden_patterns", "pull-request", "forbid"),
    ("validators.github.issue.require_body", "issue", "body"),
];

/// The rules here that a validator's codes are; `severity` and `enabled` become their levels.
const VALIDATORS: &[(&str, &[&str])] = &[
    ("validators.git.commit", &["COMMIT"]),
    ("validators.git.push", &["PUSH"]),
    ("validators.git.add", &["ADD"]),
    ("validators.git.branch", &["BRANCH"]),
    ("validators.git.pr", &["PR"]),
    ("validators.git.no_verify", &["GIT015"]),
    ("validators.file.markdown", &["SRC009"]),
    ("validators.file.workflow", &["SRC010", "SRC011"]),
    ("validators.file.linter_ignore", &["CONF002"]),
    ("validators.github.issue", &["ISSUE"]),
    ("validators.secrets.secrets", &["SECRET101", "SECRET102"]),
];

/// The rules here that a code of klaudiush's is.
fn codes_of(code: &str) -> Option<Vec<&'static str>> {
    Some(shipped().table("people/gates/klaudiush").find(code)?.cells().collect())
}

/// What is being put together.
#[derive(Default)]
struct Policy {
    tables: Table,
    rules: Table,
    left: Vec<String>,
}

impl Policy {
    fn set(&mut self, table: &str, key: &str, value: Value) {
        let entry = self.tables.entry(table.to_owned()).or_insert_with(|| Value::Table(Table::new()));
        if let Some(table) = entry.as_table_mut() {
            table.insert(key.to_owned(), value);
        }
    }

    fn level(&mut self, codes: &[&str], level: &str) {
        for code in codes {
            self.rules.insert((*code).to_owned(), Value::String(level.to_owned()));
        }
    }
}

/// The policy, with what has no counterpart as a comment.
fn klaudiush(configuration: &Table) -> String {
    let mut policy = Policy::default();
    let mut all = Vec::new();
    flatten("", configuration, &mut all);
    for (path, value) in all {
        take(&mut policy, &path, value);
    }
    let mut text = String::from("presets = [\"recommended\", \"klaudiush\"]\n");
    for (name, table) in &policy.tables {
        let _ = write!(text, "\n[{name}]\n{}", table.as_table().cloned().unwrap_or_default());
    }
    if !policy.rules.is_empty() {
        let _ = write!(text, "\n[rules]\n{}", policy.rules);
    }
    if !policy.left.is_empty() {
        text.push_str(
            "\n# Without a counterpart here, or to be written as a [[rule]], [[lint]] or [[exception]]:\n",
        );
        for path in &policy.left {
            let _ = writeln!(text, "# {}", path.escape_debug());
        }
    }
    text
}

/// Every value with its path. Lists of tables stay whole.
fn flatten<'t>(above: &str, table: &'t Table, all: &mut Vec<(String, &'t Value)>) {
    for (key, value) in table {
        let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        match value {
            Value::Table(inner) => flatten(&path, inner, all),
            _ => all.push((path, value)),
        }
    }
}

fn take(policy: &mut Policy, path: &str, value: &Value) {
    if let Some((_, table, key)) = KEYS.iter().find(|(known, ..)| *known == path) {
        // An identity that is empty is none.
        if value.as_str() != Some("") {
            policy.set(table, key, value.clone());
        }
        return;
    }
    if let Some((section, key)) = path.rsplit_once('.')
        && let Some((_, codes)) = VALIDATORS.iter().find(|(known, _)| *known == section)
    {
        match (key, value) {
            ("enabled", Value::Boolean(false)) => return policy.level(codes, "off"),
            ("enabled", Value::Boolean(true)) if section.ends_with("linter_ignore") => {
                return policy.level(codes, "deny");
            }
            ("enabled", Value::Boolean(true)) | ("block_on_detection", Value::Boolean(true)) => return,
            ("block_on_detection", Value::Boolean(false)) => return policy.level(codes, "warn"),
            ("severity", Value::String(severity)) => {
                return policy.level(codes, if severity == "warning" { "warn" } else { "deny" });
            }
            _ => {}
        }
    }
    if let Some((code, "disabled")) =
        path.strip_prefix("overrides.entries.").and_then(|rest| rest.split_once('.'))
        && let Some(codes) = codes_of(code)
        && value.as_bool() == Some(true)
    {
        return policy.level(&codes, "off");
    }
    match (path, value) {
        // What holds without a word.
        ("version", _) | ("validators.git.commit.message.block_infra_scope_misuse", Value::Boolean(true)) => {
        }
        ("validators.git.commit.required_flags", Value::Array(flags)) => {
            let has = |names: [&str; 2]| {
                flags.iter().any(|flag| flag.as_str().is_some_and(|flag| names.contains(&flag)))
            };
            policy.set("commit", "sign-off", Value::Boolean(has(["-s", "--signoff"])));
            policy.set("commit", "signature", Value::Boolean(has(["-S", "--gpg-sign"])));
        }
        ("validators.git.commit.message.commit_style", Value::String(style)) => {
            let style = match style.as_str() {
                "conventional" => "conventional",
                "scope-only" => "scoped",
                _ => "any",
            };
            policy.set("commit", "style", Value::String(style.to_owned()));
            // A scope is a matter of conventional titles only.
            if style != "conventional" {
                policy.set("commit", "scope", Value::String("optional".to_owned()));
            }
        }
        ("validators.git.commit.message.title_pattern", Value::String(pattern)) if !pattern.is_empty() => {
            policy.set("commit", "title", Value::String(format!("/{pattern}/")));
        }
        ("validators.git.commit.message.require_scope", Value::Boolean(required)) => {
            let scope = if *required { "required" } else { "optional" };
            policy.set("commit", "scope", Value::String(scope.to_owned()));
        }
        ("validators.git.commit.message.block_pr_references", Value::Boolean(blocked)) => {
            let references = if *blocked { "forbidden" } else { "any" };
            policy.set("commit", "references", Value::String(references.to_owned()));
        }
        ("validators.git.commit.message.block_infra_scope_misuse", Value::Boolean(false)) => {
            policy.set("commit", "misplaced-scopes", Value::Array(Vec::new()));
        }
        ("validators.shell.backtick.enabled", Value::Boolean(enabled)) => {
            policy.set("commit", "no-substitution", Value::Boolean(*enabled));
        }
        _ => policy.left.push(path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_becomes_a_policy_that_can_be_read_and_says_what_is_left() {
        let text = r#"
            version = 1
            [validators.git.commit]
            required_flags = ["-s"]
            severity = "warning"
            [validators.git.commit.message]
            title_max_length = 60
            commit_style = "scope-only"
            title_pattern = "^[a-z/]+: "
            [validators.git.push]
            blocked_remotes = ["upstream"]
            [validators.git.branch]
            enabled = false
            [validators.secrets.secrets]
            block_on_detection = false
            [overrides.entries.GIT021]
            disabled = true
            [[rules.rules]]
            name = "no-force"
            [exceptions]
            enabled = true
        "#;
        let policy = klaudiush(&text.parse().unwrap());
        let read: Table = policy.parse().unwrap();
        assert_eq!(read["commit"]["sign-off"].as_bool(), Some(true));
        assert_eq!(read["commit"]["signature"].as_bool(), Some(false));
        assert_eq!(read["commit"]["title-max"].as_integer(), Some(60));
        assert_eq!(
            (read["commit"]["style"].as_str(), read["commit"]["title"].as_str()),
            (Some("scoped"), Some("/^[a-z/]+: /"))
        );
        assert_eq!(read["push"]["forbid-remotes"][0].as_str(), Some("upstream"));
        let level = |code: &str| read["rules"][code].as_str().unwrap().to_owned();
        assert_eq!(
            (level("COMMIT"), level("BRANCH"), level("GIT015"), level("SECRET101")),
            ("warn".into(), "off".into(), "off".into(), "warn".into())
        );
        assert!(policy.contains("# rules.rules\n") && policy.contains("# exceptions.enabled\n"), "{policy}");
        let source = hookgate_policy::Source {
            kind: hookgate_policy::LayerKind::User,
            path: "p",
            text: &policy,
            trusted: true,
        };
        let rules = hookgate_rules::lookup::vocabulary();
        let vocabulary = hookgate_policy::Vocabulary { rules: &rules };
        let (_, problems) =
            hookgate_policy::Policy::load(&[source], &vocabulary, hookgate_policy::Check::Quick);
        assert!(problems.is_empty(), "{problems:?}\n{policy}");
    }
}
