//! `hookgate log`: what was decided.

mod stats;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use clap::Args;
use hookgate_host::Audit;
use serde_json::Value;

use crate::clock;
use crate::environment::Environment;
use crate::error::CommandError;
use crate::terminal::{dim, painted, printable, width};
use stats::Stats;

/// How often a followed log is looked at.
const POLL: Duration = Duration::from_millis(300);

/// Show what was decided, oldest first.
#[derive(Args, Debug)]
pub(crate) struct Log {
    /// Only these decisions.
    #[arg(long, value_name = "DECISION", value_parser = ["pass", "allow", "ask", "deny", "halt", "handoff"])]
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
    /// Only what was decided since then: 90m, 12h, 7d, or a day (2026-11-20).
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Since>,
    /// Print counts instead: decisions, rules, what only was let through, times.
    #[arg(long, conflicts_with_all = ["follow", "json"])]
    stats: bool,
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

/// Says how many lines of the log were no records.
fn say_skipped(skipped: usize) {
    match skipped {
        0 => {}
        1 => eprintln!("hookgate: 1 line of the log is no record and was skipped"),
        _ => eprintln!("hookgate: {skipped} lines of the log are no records and were skipped"),
    }
}

impl Log {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let audit = audit(environment)?;
        let start = self.since.as_ref().map(|since| since.start(environment.gate().now()));
        let is_new = |record: &Value| {
            let time = record.get("time").and_then(Value::as_str).unwrap_or_default();
            // Times in the log compare as texts.
            start.as_deref().is_none_or(|start| time >= start)
        };
        let mut chosen = Vec::new();
        let mut skipped = 0;
        let mut stats = Stats::default();
        for file in audit.files() {
            let found = records(&file)?;
            skipped += found.skipped;
            let wanted = found.records.into_iter().filter(|record| is_new(record) && self.wants(record));
            if self.stats {
                wanted.for_each(|record| stats.add(&record));
                continue;
            }
            chosen.extend(wanted);
            // Only the last ones are shown, so that a long history needs no more memory than they do.
            let surplus = chosen.len().saturating_sub(self.last);
            chosen.drain(..surplus);
        }
        if self.stats {
            print!("{stats}");
            say_skipped(skipped);
            return Ok(());
        }
        let width = width().filter(|_| !self.json);
        if let Some(width) = width.filter(|_| !chosen.is_empty()) {
            println!("{}", dim(&cut(&header(), width)));
        }
        if chosen.is_empty() && !self.follow {
            let is_chosen = !self.code.is_empty() || self.tool.is_some() || self.session.is_some();
            let none = if is_chosen { "no decision matches" } else { "nothing" };
            println!("{none} in {}", audit.path().display());
        }
        for record in &chosen {
            self.print(record)?;
        }
        say_skipped(skipped);
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
        let line = match width() {
            _ if self.json => record.to_string(),
            Some(width) => for_people(record, width),
            None => summary(record),
        };
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

/// When something counts from.
#[derive(Clone, Debug)]
enum Since {
    /// So many milliseconds ago.
    Ago(u64),
    /// From this text on, as the log writes times.
    Day(String),
}

impl Since {
    fn start(&self, now: u64) -> String {
        match self {
            Since::Ago(millis) => hookgate_engine::timestamp(now.saturating_sub(*millis)),
            Since::Day(day) => day.clone(),
        }
    }
}

fn since(text: &str) -> Result<Since, String> {
    let is_day = text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    if is_day {
        let start = clock::day_start(text).ok_or("there is no such day")?;
        return Ok(Since::Day(hookgate_engine::timestamp(start)));
    }
    let wrong = || "write it as 90m, 12h, 7d or 2026-11-20".to_owned();
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let minutes = match unit {
        "m" => 1,
        "h" => 60,
        "d" => 24 * 60,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    Ok(Since::Ago(number.saturating_mul(minutes).saturating_mul(60_000)))
}

fn header() -> String {
    format!("{:14} {:13} {:12} {:12} {:20} what", "when", "id", "decision", "tool", "rules")
}

/// A record on one line of a terminal of that width.
fn for_people(record: &Value, width: usize) -> String {
    let Row { time, id, decision, tool, codes, what } = Row::of(record);
    // 2026-11-22 19:18:58, less the year.
    let time = clock::shown_record(&time).get(5..19).unwrap_or_default().to_owned();
    let rest = cut(&format!("{tool:12} {codes:20} {what}"), width.saturating_sub(14 + 13 + 12 + 3));
    let (id, decision) = (cut(&id, 13), cut(&decision, 12));
    format!("{} {id} {} {rest}", dim(&format!("{time:14}")), painted(&decision, 12))
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// How much of a tool's name is shown: those of servers are long, and nobody's is longer.
const LONGEST_TOOL: usize = 60;

/// What a line of the log shows.
struct Row {
    time: String,
    id: String,
    decision: String,
    tool: String,
    codes: String,
    what: String,
}

fn summary(record: &Value) -> String {
    let Row { time, id, decision, tool, codes, what } = Row::of(record);
    let what: String = what.chars().take(100).collect();
    format!("{time} {id} {decision:7} {tool:12} {codes:20} {what}")
}

/// The codes that tell why it was decided so: what would have granted a call that was stopped does not.
pub(crate) fn telling_codes(record: &Value) -> Vec<&str> {
    let list = |key: &str| record.get(key).and_then(Value::as_array).into_iter().flatten();
    let text = |value: &'_ Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_stopped =
        text(record, "decision").is_some_and(|decision| ["ask", "deny", "halt"].contains(&decision.as_str()));
    let grants = |code: &str| {
        list("findings").any(|finding| {
            text(finding, "code").as_deref() == Some(code)
                && text(finding, "level").as_deref() == Some("allow")
        })
    };
    let mut codes: Vec<&str> = Vec::new();
    for code in list("codes").filter_map(Value::as_str).filter(|code| !is_stopped || !grants(code)) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}

impl Row {
    fn of(record: &Value) -> Row {
        // Whatever is in the record: names of tools come from the agent, and the file may have been written by others.
        let text = |key: &str| printable(record.get(key).and_then(Value::as_str).unwrap_or_default());
        let codes: Vec<String> = telling_codes(record).into_iter().map(printable).collect();
        let what = [text("command"), text("path"), text("failure")]
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or_default();
        // What was let through says what it would have been.
        let would = text("would");
        let decision = match text("decision") {
            decided if would.is_empty() || would == text("before") => decided,
            decided => format!("{decided} ({would})"),
        };
        let tool = if text("tool").is_empty() { text("event") } else { text("tool") };
        Row {
            time: text("time"),
            id: text("id"),
            decision,
            tool: cut(&tool, LONGEST_TOOL),
            codes: codes.join(","),
            what,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_length_or_a_day() {
        assert_eq!(since("2h").unwrap().start(7_200_000), "1970-01-01T00:00:00.000Z");
        let start = hookgate_engine::timestamp(clock::day_start("2026-11-20").unwrap());
        assert_eq!(since("2026-11-20").unwrap().start(0), start);
        assert!(["", "h", "2w", "2026-1-20", "2026-20-01", "\u{e9}"].iter().all(|text| since(text).is_err()));
    }

    #[test]
    fn a_line_fits_the_terminal() {
        let record = serde_json::json!({
            "time": "2026-11-22T19:18:58.529Z", "id": "t415jgvg01hk8", "decision": "deny", "tool": "Bash",
            "codes": ["GIT002"], "command": "git push --force ".repeat(20),
        });
        let line = for_people(&record, 90);
        assert!(line.chars().count() <= 90 && line.ends_with('…'), "{line}");
        let when = clock::shown_record("2026-11-22T19:18:58.529Z");
        assert!(line.starts_with(&format!("{} t415jgvg01hk8 deny ", when.get(5..).unwrap())), "{line}");
    }

    #[test]
    fn a_stopped_call_is_listed_by_what_stopped_it() {
        let record = |decision: &str| {
            serde_json::json!({
                "decision": decision, "codes": ["GIT002", "READ001", "GIT002"],
                "findings": [{ "code": "GIT002", "level": "deny" }, { "code": "READ001", "level": "allow" }],
            })
        };
        assert_eq!(telling_codes(&record("deny")), ["GIT002"]);
        assert_eq!(telling_codes(&record("pass")), ["GIT002", "READ001"]);
    }

    #[test]
    fn a_group_is_its_letters() {
        assert!(in_group("GIT004", "GIT") && in_group("GIT004", "GIT004"));
        assert!(!in_group("GITX04", "GIT"));
    }

    proptest::proptest! {
        /// Whatever anybody has put into a record: one line that fits the terminal, without anything that drives it.
        #[test]
        fn no_record_makes_more_of_a_line_than_a_line(
            texts in proptest::collection::vec("(\\PC|[\u{1b}\n\r\t\u{202e}\u{200b}\u{9b}\u{85}`'\"]){0,60}", 8),
            repeated in 1_usize..40,
            width in 60_usize..200,
        ) {
            let long = |at: usize| texts[at].repeat(repeated);
            let record = serde_json::json!({
                "time": long(0), "id": long(1), "decision": long(2), "tool": long(3), "codes": [long(4), long(5)],
                "command": long(6), "path": long(7), "failure": long(0), "would": long(1), "before": long(2),
                "findings": [{ "code": long(4), "level": long(5) }],
            });
            let line = for_people(&record, width);
            proptest::prop_assert_eq!(&*hookgate_text::escaped(&line), &*line);
            proptest::prop_assert!(line.chars().count() <= width, "{}: {}", line.chars().count(), line);
            let line = summary(&record);
            proptest::prop_assert_eq!(&*hookgate_text::escaped(&line), &*line);
        }
    }
}
