//! `hookgate log`: what was decided.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use clap::Args;
use hookgate_host::Audit;
use serde_json::Value;

use crate::environment::Environment;
use crate::error::CommandError;
use crate::terminal::printable;

/// How often a followed log is looked at.
const POLL: Duration = Duration::from_millis(300);

/// Show what was decided, oldest first.
#[derive(Args, Debug)]
pub(crate) struct Log {
    /// Only these decisions (pass, allow, ask, deny, halt, handoff).
    #[arg(long, value_name = "DECISION")]
    decision: Vec<String>,
    /// Only decisions with one of these codes; `GIT` means the whole group.
    #[arg(long, value_name = "CODE")]
    code: Vec<String>,
    /// Only this session, by the first characters of its id.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only this event.
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Only this tool.
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Only the last N.
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    last: usize,
    /// Keep printing new decisions.
    #[arg(long, short)]
    follow: bool,
    /// Only what the rules alone would have stopped: what shadow mode, a pause, an exception, a grant or an answer let through.
    #[arg(long)]
    shadow: bool,
    /// Print the records as JSON, one object per line.
    #[arg(long)]
    json: bool,
}

impl Log {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let audit = audit(environment)?;
        let mut chosen = Vec::new();
        let mut skipped = 0;
        for file in audit.files() {
            let found = records(&file)?;
            skipped += found.skipped;
            chosen.extend(found.records.into_iter().filter(|record| self.wants(record)));
            // Only the last ones are shown, so that a long history needs no more memory than they do.
            let surplus = chosen.len().saturating_sub(self.last);
            chosen.drain(..surplus);
        }
        if chosen.is_empty() && !self.follow {
            println!("nothing in {}", audit.path().display());
        }
        for record in &chosen {
            self.print(record)?;
        }
        if skipped > 0 {
            eprintln!("hookgate: {skipped} lines of the log are no records and were skipped");
        }
        if self.follow { self.follow(audit.path()) } else { Ok(()) }
    }

    fn wants(&self, record: &Value) -> bool {
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or("");
        let any =
            |wanted: &[String], test: &dyn Fn(&String) -> bool| wanted.is_empty() || wanted.iter().any(test);
        let codes: Vec<&str> = record
            .get("codes")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let stops = |key: &str| matches!(text(key), "ask" | "deny" | "halt");
        record.get("decision").is_some()
            && (!self.shadow || (stops("would") && !stops("before")))
            && any(&self.decision, &|decision| text("decision").eq_ignore_ascii_case(decision))
            && any(&self.code, &|code| codes.iter().any(|found| in_group(found, code)))
            && self.session.as_deref().is_none_or(|id| text("session").starts_with(id))
            && self.event.as_deref().is_none_or(|name| text("event") == name)
            && self.tool.as_deref().is_none_or(|name| text("tool") == name)
    }

    fn print(&self, record: &Value) -> Result<(), CommandError> {
        let line = if self.json { record.to_string() } else { summary(record) };
        match writeln!(std::io::stdout(), "{line}") {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
            other => other.map_err(|error| CommandError::usage(error.to_string())),
        }
    }

    fn follow(&self, path: &Path) -> Result<(), CommandError> {
        let mut position = fs::metadata(path).map_or(0, |metadata| metadata.len());
        loop {
            thread::sleep(POLL);
            let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
            if length < position {
                // The log was rotated.
                position = 0;
            }
            if length == position {
                continue;
            }
            let Ok(mut file) = File::open(path) else { continue };
            file.seek(SeekFrom::Start(position)).map_err(|error| CommandError::file(path, &error))?;
            let mut reader = BufReader::new(file);
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 0) && line.ends_with('\n') {
                position += u64::try_from(line.len()).unwrap_or(0);
                if let Ok(record) = serde_json::from_str::<Value>(&line)
                    && self.wants(&record)
                {
                    self.print(&record)?;
                }
                line.clear();
            }
        }
    }
}

/// The audit log of this person.
pub(crate) fn audit(environment: &Environment) -> Result<Audit, CommandError> {
    environment
        .gate()
        .audit()
        .ok_or_else(|| CommandError::usage("neither HOME nor XDG_STATE_HOME is set, so there is no log"))
}

/// The records of a file.
pub(crate) struct Records {
    /// Every one that is whole.
    pub(crate) records: Vec<Value>,
    /// How many lines are no record: a process was killed, or the disk was full.
    pub(crate) skipped: usize,
}

/// Every record of a file.
pub(crate) fn records(path: &Path) -> Result<Records, CommandError> {
    let file = File::open(path).map_err(|error| CommandError::file(path, &error))?;
    let mut found = Records { records: Vec::new(), skipped: 0 };
    for line in BufReader::new(file).split(b'\n').map_while(Result::ok).filter(|line| !line.is_empty()) {
        match serde_json::from_slice(&line) {
            Ok(record) => found.records.push(record),
            Err(_) => found.skipped += 1,
        }
    }
    Ok(found)
}

fn in_group(code: &str, wanted: &str) -> bool {
    code == wanted || code.strip_prefix(wanted).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

fn summary(record: &Value) -> String {
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or("");
    let codes: Vec<&str> = record
        .get("codes")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let what = [text("command"), text("path"), text("failure")]
        .into_iter()
        .find(|text| !text.is_empty())
        .unwrap_or("");
    let what: String = printable(what).chars().take(100).collect();
    // What was let through says what it would have been.
    let would = text("would");
    let decision = match text("decision") {
        decided if would.is_empty() || would == text("before") => decided.to_owned(),
        decided => format!("{decided} ({would})"),
    };
    let tool = if text("tool").is_empty() { text("event") } else { text("tool") };
    format!("{} {} {:7} {:12} {:20} {}", text("time"), text("id"), decision, tool, codes.join(","), what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_its_letters() {
        assert!(in_group("GIT004", "GIT") && in_group("GIT004", "GIT004"));
        assert!(!in_group("GITX04", "GIT"));
    }
}
