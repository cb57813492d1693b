//! What a log adds up to.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::clock;

/// How many of each list are shown.
const SHOWN: usize = 10;

/// Counts over records.
#[derive(Default)]
pub(super) struct Stats {
    first: String,
    last: String,
    records: usize,
    decisions: BTreeMap<String, usize>,
    codes: BTreeMap<String, usize>,
    /// What the rules alone would have stopped and something else let through, by what that was.
    let_through: BTreeMap<String, usize>,
    micros: Vec<u64>,
}

impl Stats {
    /// Counts a record.
    pub(super) fn add(&mut self, record: &Value) {
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
        let list = |key: &str| {
            record.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        };
        let stops = |decision: &str| matches!(decision, "ask" | "deny" | "halt");
        if self.records == 0 {
            text("time").clone_into(&mut self.first);
        }
        text("time").clone_into(&mut self.last);
        self.records += 1;
        *self.decisions.entry(text("decision").to_owned()).or_default() += 1;
        if stops(text("decision")) || stops(text("would")) {
            for code in list("codes").filter(|code| !code.starts_with("READ")) {
                *self.codes.entry(code.to_owned()).or_default() += 1;
            }
        }
        if stops(text("would")) && !stops(text("before")) {
            let cause = list("causes").next().unwrap_or("other");
            *self.let_through.entry(cause.to_owned()).or_default() += 1;
        }
        self.micros.extend(record.get("micros").and_then(Value::as_u64));
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.records == 0 {
            return writeln!(out, "nothing was decided");
        }
        let (first, last) = (clock::shown_record(&self.first), clock::shown_record(&self.last));
        writeln!(out, "{} decisions from {first} to {last}", self.records)?;
        let share = |count: usize| count.saturating_mul(100) / self.records.max(1);
        for (name, count) in most(&self.decisions) {
            writeln!(out, "  {name:8} {count:>7} {:>4} %", share(count))?;
        }
        section(out, "stopped by", &self.codes)?;
        section(out, "would have been stopped, but for", &self.let_through)?;
        let mut micros = self.micros.clone();
        micros.sort_unstable();
        let at = |percent: usize| {
            micros.get(micros.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default()
        };
        writeln!(out, "time to decide: half within {} µs, 95 % within {} µs", at(50), at(95))
    }
}

fn section(out: &mut fmt::Formatter<'_>, title: &str, counts: &BTreeMap<String, usize>) -> fmt::Result {
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}")?;
    for (name, count) in most(counts) {
        writeln!(out, "  {name:12} {count:>7}")?;
    }
    Ok(())
}

/// The largest counts, largest first.
fn most(counts: &BTreeMap<String, usize>) -> Vec<(&str, usize)> {
    let mut all: Vec<(&str, usize)> = counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all.truncate(SHOWN);
    all
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Stats;

    #[test]
    fn shadow_mode_answers_what_would_have_been_stopped() {
        let mut stats = Stats::default();
        for (decision, would, before, causes) in [
            ("deny", "deny", "deny", json!([])),
            ("pass", "deny", "pass", json!(["shadow"])),
            ("pass", "pass", "pass", json!([])),
        ] {
            stats.add(&json!({
                "time": "2026-11-22T19:18:58.529Z", "decision": decision, "would": would, "before": before,
                "causes": causes, "codes": ["GIT002", "READ001"], "micros": 500,
            }));
        }
        let text = stats.to_string();
        assert!(text.starts_with("3 decisions from 2026-11-2"), "{text}");
        for line in ["  pass           2   66 %", "  GIT002             2", "  shadow             1"] {
            assert!(text.contains(line), "{line}:\n{text}");
        }
        assert!(!text.contains("READ001"), "{text}");
    }
}
