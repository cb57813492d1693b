//! What the policy's files add to the built-in rules: rules of one's own, gates, judges and their like.

use std::path::PathBuf;

use hookgate_policy::{Entry, LayerKind, Level, Policy, Rewrite, entries};

use crate::gate::Gate;
use crate::terminal::{dim, printable, width};

/// An entry of a policy file, and what became of it.
pub(super) struct Own {
    pub(super) path: PathBuf,
    pub(super) entry: Entry,
    /// The code of its findings, where it has one.
    pub(super) code: Option<String>,
    /// What it makes of what it finds, where that is one level.
    pub(super) level: Option<Level>,
    /// Does it apply? What runs a program or asks a model needs trust.
    in_force: bool,
}

impl Own {
    /// A line on what is in it: the keys that say most about entries of its kind, as they were written.
    pub(super) fn summary(&self) -> String {
        let keys: &[&str] = match self.entry.table.as_str() {
            "rule" => &["reason", "on", "then", "when"],
            "gate" => &["on", "check", "run"],
            "judge" => &["on", "model", "criteria"],
            "lint" => &["on", "use", "run", "files"],
            "protect" => &["linters", "paths"],
            "hook" => &["on", "run"],
            "rewrite" => &["run", "to"],
            "notify" => &["on", "by"],
            _ => &["code", "when", "reason"],
        };
        let stated = keys.iter().filter_map(|key| Some((key, self.value(key)?)));
        let stated: Vec<String> = stated.map(|(key, value)| format!("{key} = {value}")).collect();
        printable(&stated.join(", ").split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Where it is: `/home/dev/app/.hookgate.toml, line 12`.
    pub(super) fn place(&self) -> String {
        printable(&format!("{}, line {}", self.path.display(), self.entry.line))
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.entry.values.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }
}

/// The entries of the policy's files, but for cases.
pub(super) fn all(gate: &Gate) -> Vec<Own> {
    let mut all = Vec::new();
    for (kind, path, trusted, text) in gate.files() {
        for entry in entries(text).into_iter().filter(|entry| entry.table != "case") {
            let found = found(gate.policy(), kind, &entry);
            let is_joined = matches!(entry.table.as_str(), "rule" | "gate" | "judge" | "hook" | "rewrite");
            let in_force =
                if is_joined { found.is_some() } else { trusted || entry.table.as_str() == "protect" };
            let (code, level) = found.map_or((None, None), |(code, level)| (Some(code.to_owned()), level));
            let code = code.filter(|code| code != Rewrite::CODE);
            all.push(Own { path: path.to_path_buf(), entry, code, level, in_force });
        }
    }
    all
}

/// The code that the joined policy has for an entry, and its level. Nothing where the entry isn't in force.
fn found<'p>(policy: &'p Policy, kind: LayerKind, entry: &Entry) -> Option<(&'p str, Option<Level>)> {
    let is_it = |layer: LayerKind, line: usize| layer == kind && line == entry.line;
    let holds = |shadow: bool| Some(if shadow { Level::Note } else { Level::Deny });
    match entry.table.as_str() {
        "rule" => {
            let rule = policy.rules.iter().find(|rule| is_it(rule.layer, rule.line))?;
            Some((&rule.code, Some(if rule.shadow { Level::Note } else { rule.then })))
        }
        "gate" => {
            let gate = policy.gates.iter().find(|gate| is_it(gate.layer, gate.line))?;
            Some((&gate.code, holds(gate.shadow)))
        }
        "judge" => {
            let judge = policy.judges.iter().find(|judge| is_it(judge.layer, judge.line))?;
            // Whether it was measured is kept elsewhere.
            Some((&judge.code, if judge.unmeasured { holds(judge.shadow) } else { None }))
        }
        "hook" => {
            let hook = policy.hooks.iter().find(|hook| is_it(hook.layer, hook.line))?;
            Some((&hook.code, None))
        }
        "rewrite" => {
            let rewrite = policy.rewrites.iter().find(|rewrite| is_it(rewrite.layer, rewrite.line))?;
            Some((&rewrite.code, None))
        }
        _ => None,
    }
}

/// The entry whose findings have that code.
pub(super) fn coded(gate: &Gate, code: &str) -> Option<Own> {
    all(gate).into_iter().find(|own| own.code.as_deref() == Some(code))
}

/// Prints the entries of each file.
pub(super) fn print(gate: &Gate) {
    let all = all(gate);
    let room = width().unwrap_or(usize::MAX).saturating_sub(30).max(30);
    for (index, own) in all.iter().enumerate() {
        if index
            .checked_sub(1)
            .and_then(|before| all.get(before))
            .is_none_or(|before| before.path != own.path)
        {
            println!("\n  {}", dim(&printable(&own.path.display().to_string())));
        }
        let without = if own.in_force { "" } else { "(no effect without trust) " };
        let summary: String = format!("{without}{}", own.summary()).chars().take(room).collect();
        println!(
            "  {:>4}  {:10} {:10} {summary}",
            own.entry.line,
            own.entry.table,
            own.code.as_deref().unwrap_or_default()
        );
    }
}
