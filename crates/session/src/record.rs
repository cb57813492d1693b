//! A session's record: its entries in the order in which they were written.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Entry, What};

/// How many denials are kept of the older half of a record.
const KEPT_DENIALS: usize = 64;

/// How many marks are kept of the older half of a record.
const KEPT_MARKS: usize = 100;

/// What hookgate knows of a session from the events that it saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The entries, oldest first.
    pub entries: Vec<Entry>,
}

impl Record {
    /// Reads a record's text. Lines that can't be read are left out: another process may be writing the last one.
    #[must_use]
    pub fn read(text: &str) -> Record {
        Record { entries: text.lines().filter_map(Entry::read).collect() }
    }

    /// The entries after the user's last prompt, or all where there is none.
    #[must_use]
    pub fn since_prompt(&self) -> &[Entry] {
        let last = self.entries.iter().rposition(|entry| matches!(entry.what, What::Prompt { .. }));
        self.entries.get(last.map_or(0, |at| at + 1)..).unwrap_or_default()
    }

    /// The findings of linters that are open, per linter and file.
    #[must_use]
    pub fn open_findings(&self) -> Vec<(&str, &str, u32)> {
        let mut last: BTreeMap<(&str, &str), u32> = BTreeMap::new();
        for entry in &self.entries {
            if let What::Findings { tool, file, open } = &entry.what {
                last.insert((tool, file), *open);
            }
        }
        let open = last.into_iter().filter(|(_, open)| *open > 0);
        open.map(|((tool, file), open)| (tool, file, open)).collect()
    }

    /// The subagents that started and haven't ended.
    #[must_use]
    pub fn open_subagents(&self) -> BTreeSet<&str> {
        let mut open = BTreeSet::new();
        for entry in &self.entries {
            match &entry.what {
                What::SubagentStarted { id } => drop(open.insert(id.as_str())),
                What::SubagentEnded { id } => drop(open.remove(id.as_str())),
                _ => {}
            }
        }
        open
    }

    /// The denials since `since`, in milliseconds since the Unix epoch, that weren't forgotten since, oldest first: the decision, its
    /// codes, and the names of its effects.
    #[must_use]
    pub fn denials(&self, since: u64) -> Vec<(&str, &[String], Vec<&str>)> {
        let mut open: Vec<(&str, &[String], Vec<&str>)> = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.at >= since) {
            match &entry.what {
                What::Denied { id, codes, effects } => {
                    open.push((id, codes, effects.iter().map(String::as_str).collect()));
                }
                What::Forgotten { effects: gone } => {
                    for (_, _, effects) in &mut open {
                        effects.retain(|effect| !gone.iter().any(|gone| gone == effect));
                    }
                    open.retain(|(_, _, effects)| !effects.is_empty());
                }
                _ => {}
            }
        }
        open
    }

    /// The record without the older half of its history, but with all of it that a gate still looks at.
    #[must_use]
    pub fn halved(&self) -> Record {
        let (older, newer) = self.entries.split_at(self.entries.len() / 2);
        let last = |is: fn(&What) -> bool| older.iter().rposition(|entry| is(&entry.what));
        let mut kept: BTreeSet<usize> = BTreeSet::new();
        kept.extend(last(|what| matches!(what, What::Edit { .. })));
        kept.extend(last(|what| matches!(what, What::Prompt { .. })));
        kept.extend(last(|what| matches!(what, What::Held { .. })));
        kept.extend(last(|what| matches!(what, What::Ran { tests, .. } if !tests.is_empty())));
        kept.extend(last(
            |what| matches!(what, What::Ran { tests, ok: Some(true), .. } if tests.iter().any(|run| run.shown)),
        ));
        let open = self.open_subagents();
        let mut marked = 0;
        let mut denied = 0;
        for (at, entry) in older.iter().enumerate().rev() {
            let keeps = match &entry.what {
                What::SubagentStarted { id } => open.contains(id.as_str()),
                What::Findings { open, .. } => *open > 0,
                What::Denied { .. } | What::Forgotten { .. } => {
                    denied += 1;
                    denied <= KEPT_DENIALS
                }
                What::Edit { marks, .. } if !marks.is_empty() && marked < KEPT_MARKS => {
                    marked += marks.len();
                    true
                }
                _ => false,
            };
            if keeps {
                kept.insert(at);
            }
        }
        let kept = kept.into_iter().filter_map(|at| older.get(at)).map(without_output);
        // What only grows is bounded by what is kept of it.
        let kept: Vec<Entry> = kept.collect();
        let excess = kept.len().saturating_sub(older.len() / 2 + 8);
        Record { entries: kept.into_iter().skip(excess).chain(newer.iter().cloned()).collect() }
    }

    /// The record's text.
    #[must_use]
    pub fn text(&self) -> String {
        self.entries.iter().fold(String::new(), |mut text, entry| {
            text.push_str(&entry.line());
            text.push('\n');
            text
        })
    }
}

/// An old command matters for what it proved, not for what it printed.
fn without_output(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    if let What::Ran { output, .. } = &mut entry.what {
        output.clear();
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestRun;

    fn ran(at: u64, ok: bool) -> Entry {
        let tests = vec![TestRun { call: "make test".to_owned(), shown: true }];
        let what = What::Ran {
            command: "make test".to_owned(),
            ok: Some(ok),
            took: 1,
            tests,
            output: "x".repeat(100),
        };
        Entry::new(at, what)
    }

    fn edit(at: u64, mark: Option<&str>) -> Entry {
        let marks = mark.iter().map(|mark| ("/p/a.rs".to_owned(), (*mark).to_owned())).collect();
        Entry::new(at, What::Edit { paths: vec!["/p/a.rs".to_owned()], marks })
    }

    fn called(at: u64) -> Entry {
        Entry::new(at, What::Called { tool: "Read".to_owned() })
    }

    #[test]
    fn halving_keeps_what_a_gate_still_looks_at() {
        let start = |id: &str| Entry::new(1, What::SubagentStarted { id: id.to_owned() });
        let end = |id: &str| Entry::new(1, What::SubagentEnded { id: id.to_owned() });
        let findings = |open| {
            let (tool, file) = ("ruff".to_owned(), "/p/a.py".to_owned());
            Entry::new(2, What::Findings { tool, file, open })
        };
        let mut entries = vec![start("a"), start("b"), end("a"), findings(3), edit(3, Some("// TODO: x"))];
        entries.extend([ran(4, true), edit(5, None)]);
        entries.extend((10..200).map(called));
        let record = Record { entries };
        let mut half = record.halved();
        for _ in 0..6 {
            half = half.halved();
        }
        assert!(half.entries.len() < 20, "{}", half.entries.len());
        assert_eq!(half.open_subagents().into_iter().collect::<Vec<_>>(), ["b"]);
        assert_eq!(half.open_findings(), [("ruff", "/p/a.py", 3)]);
        assert!(half.text().contains("TODO: x") && half.text().contains("make test"), "{}", half.text());
        assert!(!half.text().contains("xxxx"), "what an old command printed is kept");
        assert_eq!(Record::read(&half.text()), half);
    }

    #[test]
    fn a_finding_is_open_until_its_linter_says_otherwise_of_that_file() {
        let said = |tool: &str, open| {
            let what = What::Findings { tool: tool.to_owned(), file: "/p/a.py".to_owned(), open };
            Entry::new(0, what)
        };
        let record = Record { entries: vec![said("ruff", 2), said("mypy", 1), said("ruff", 0)] };
        assert_eq!(record.open_findings(), [("mypy", "/p/a.py", 1)]);
    }

    #[test]
    fn a_torn_line_costs_no_other_entry() {
        let text = format!("{}\n{{\"at\":2,\"ki\n{}\n", called(1).line(), called(3).line());
        assert_eq!(Record::read(&text).entries, [called(1), called(3)]);
    }
}
