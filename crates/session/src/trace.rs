//! What a session leaves of itself in a repository, for other sessions that work there at the same time.

use serde::{Deserialize, Serialize};

/// The longest line of a trace, in bytes: it is written in one piece.
const LONGEST_LINE: usize = 3_500;

/// What one call of a session did in a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// When, in milliseconds since the Unix epoch.
    pub at: u64,
    /// The files that it changes, by their absolute paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The programs that it leaves running.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub started: Vec<String>,
}

/// Another session that works in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// Its id.
    pub session: String,
    /// How long nothing was heard of it, in milliseconds.
    pub quiet: u64,
    /// The files that it changed, by their absolute paths, each once.
    pub changed: Vec<String>,
    /// The programs that it left running.
    pub started: Vec<String>,
}

impl Trace {
    /// The line, without its line break; of too many paths those that fit.
    #[must_use]
    pub fn line(&self) -> String {
        let mut short = self.clone();
        loop {
            let line = serde_json::to_string(&short).unwrap_or_default();
            if line.len() <= LONGEST_LINE || (short.changed.is_empty() && short.started.is_empty()) {
                return line;
            }
            short.changed.truncate(short.changed.len() / 2);
            short.started.truncate(short.started.len() / 2);
        }
    }
}

impl Neighbour {
    /// From the lines of its traces; what is older than `oldest` and torn lines are left out.
    #[must_use]
    pub fn read(session: &str, quiet: u64, lines: &str, oldest: u64) -> Neighbour {
        let traces = lines.lines().filter_map(|line| serde_json::from_str::<Trace>(line).ok());
        let mut one =
            Neighbour { session: session.to_owned(), quiet, changed: Vec::new(), started: Vec::new() };
        for trace in traces.filter(|trace| trace.at >= oldest) {
            one.changed.extend(trace.changed);
            one.started.extend(trace.started);
        }
        for list in [&mut one.changed, &mut one.started] {
            list.sort();
            list.dedup();
        }
        one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_fits_into_one_write_and_torn_lines_cost_no_other() {
        let many =
            Trace { at: 7, changed: (0..500).map(|n| format!("/p/file-{n}")).collect(), started: vec![] };
        assert!(many.line().len() <= LONGEST_LINE);
        let lines = format!(
            "{}\n{{\"at\":9,\"cha\n{}\n",
            Trace { at: 1, changed: vec!["/p/old".into()], started: vec![] }.line(),
            Trace { at: 9, changed: vec!["/p/b".into()], started: vec!["vite".into()] }.line()
        );
        let one = Neighbour::read("s", 5, &lines, 2);
        assert_eq!((one.changed, one.started), (vec!["/p/b".to_owned()], vec!["vite".to_owned()]));
    }
}
