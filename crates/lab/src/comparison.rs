//! hookgate's reading of permission rules, and what the gate makes of it, held to what the client was seen to do.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hookgate_agents::{Event, EventName, ToolCall};
use hookgate_clients::{Reading, Scope, Settings, Source, reading};
use hookgate_effects::Places;
use serde_json::{Value, json};

use crate::permissions::{BASES, Place};

/// What was measured of one command under one set of rules.
struct Row {
    set: u64,
    place: Place,
    permissions: Value,
    command: String,
    client: String,
    words: String,
}

impl Row {
    fn parse(line: &str) -> Result<Row, String> {
        let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(Row {
            set: row.get("set").and_then(Value::as_u64).unwrap_or_default(),
            place: Place::named(&text("place")).ok_or("a line without the place of its rules")?,
            permissions: row.get("permissions").cloned().unwrap_or_default(),
            command: text("command"),
            client: text("client"),
            words: text("default").lines().next().unwrap_or_default().to_owned(),
        })
    }

    /// Did the client run it, at least where nothing but rules stops a call?
    fn runs(&self) -> bool {
        matches!(&*self.client, "allow" | "nothing")
    }
}

/// Holds the reading, and with it the gate, to what was measured: every difference as a line, then the table of all pairs,
/// then what the gate does about those that the reading has wrong.
///
/// # Errors
/// Where the file can't be read, or holds something else; where the gate can't be run; where a difference does harm.
pub fn compare(gate: &Path, file: &Path) -> Result<String, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("can't read {}: {error}", file.display()))?;
    let rows: Vec<Row> = text.lines().map(Row::parse).collect::<Result<_, _>>()?;
    let mut report = String::new();
    let mut table = BTreeMap::<(&str, &str), usize>::new();
    let (mut unsafe_pairs, mut unasked, mut ungranted) = (0, 0, 0);
    for set in rows.chunk_by(|one, other| one.set == other.set) {
        let answers = asked(gate, set)?;
        for (row, answer) in set.iter().zip(&answers) {
            let read = read(row);
            *table.entry((&row.client, read)).or_default() += 1;
            let mut problems = Vec::new();
            if row.runs() && matches!(read, "deny" | "ask") {
                unsafe_pairs += 1;
                problems.push("taken for stopped");
                if !answer.asks {
                    unasked += 1;
                    problems.push("NOBODY ASKS");
                }
            }
            if answer.grants && row.client != "allow" {
                ungranted += 1;
                problems.push("GRANTED BY INHERITANCE");
            }
            if row.client != read || !problems.is_empty() {
                let _ = writeln!(
                    report,
                    "client {}, read as {read}: {:?} {}\n    {} {}\n    client: {}",
                    row.client,
                    row.command,
                    problems.join(", "),
                    row.place.name(),
                    row.permissions,
                    row.words,
                );
            }
        }
    }
    let same: usize = table.iter().filter(|((client, read), _)| client == read).map(|(_, count)| count).sum();
    for ((client, read), count) in &table {
        let _ = writeln!(report, "client {client:8} read as {read:8} {count:5}");
    }
    let _ = writeln!(report, "{same} of {} pairs alike", rows.len());
    let _ = writeln!(
        report,
        "{unsafe_pairs} that the client runs were taken for stopped; about {unasked} of them nobody asks"
    );
    let _ = writeln!(report, "{ungranted} were granted by inheritance that the client doesn't grant");
    if unsafe_pairs * 100 > rows.len() || unasked + ungranted > 0 { Err(report) } else { Ok(report) }
}

/// The reading of a command under rules.
fn read(row: &Row) -> &'static str {
    let (scope, path) = match row.place {
        Place::User => (Scope::User, "/room/home/.claude/settings.json"),
        Place::Local => (Scope::Local, "/room/project/.claude/settings.local.json"),
        Place::Project | Place::Stranger => (Scope::Project, "/room/project/.claude/settings.json"),
    };
    let mut permissions = row.permissions.clone();
    if let (Place::Stranger, Some(lists)) = (row.place, permissions.as_object_mut()) {
        // As the gate does, which reads the client's own file for it.
        lists.remove("allow");
    }
    let settings = Settings::read(&[Source {
        scope,
        path: path.to_owned(),
        text: json!({"permissions": permissions}).to_string(),
    }]);
    let places = Places {
        cwd: "/room/project".to_owned(),
        project: "/room/project".to_owned(),
        home: "/room/home".to_owned(),
        ..Places::default()
    };
    let mut event = Event::new(EventName::PreToolUse);
    event.call = Some(ToolCall::bash(&row.command));
    match reading(&event, &settings, &places) {
        Reading::Deny(_) => "deny",
        Reading::Ask(_) => "ask",
        Reading::Allow => "allow",
        Reading::Nothing => "nothing",
    }
}

/// What the gate said about a command.
struct Answer {
    /// Somebody is asked, or it is refused.
    asks: bool,
    /// With every command rewritten and the rewrite inheriting: it is granted.
    grants: bool,
}

/// The gate's own answers to the commands of a set, where these rules are.
fn asked(gate: &Path, set: &[Row]) -> Result<Vec<Answer>, String> {
    let Some(first) = set.first() else { return Ok(Vec::new()) };
    let room = Room::new(first)?;
    let inherits: String = BASES
        .iter()
        .filter_map(|base| base.first())
        .map(|program| {
            format!(
                "[[rewrite]]\nrun = \"{program} **\"\nto = \"rtk {program} {{args}}\"\nthen = \"inherit\"\n"
            )
        })
        .collect();
    let plain = room.decisions(gate, "presets = [\"recommended\"]\n", set)?;
    let inherited = room.decisions(gate, &format!("presets = []\n{inherits}"), set)?;
    let answers = plain.iter().zip(&inherited).map(|(plain, inherited)| Answer {
        asks: matches!(&**plain, "ask" | "deny" | "halt"),
        grants: inherited == "allow",
    });
    Ok(answers.collect())
}

/// A home and a project with the rules of a set.
struct Room(PathBuf);

impl Room {
    fn new(row: &Row) -> Result<Room, String> {
        let room = Room(std::env::temp_dir().join(format!("hookgate-compare-{}", std::process::id())));
        let project = room.0.join("project");
        let trust =
            json!({ "projects": { (project.display().to_string()): { "hasTrustDialogAccepted": true } } });
        let settings = json!({ "permissions": row.permissions }).to_string();
        let file = match row.place {
            Place::User => "home/.claude/settings.json",
            Place::Local => "project/.claude/settings.local.json",
            Place::Project | Place::Stranger => "project/.claude/settings.json",
        };
        for (name, text) in [
            ("project/notes.txt", "a note\n"),
            ("project/.env", "A=1\n"),
            ("project/.git/HEAD", "ref: refs/heads/main\n"),
            (file, &*settings),
        ] {
            room.write(name, text)?;
        }
        if row.place != Place::Stranger {
            room.write("home/.claude.json", &trust.to_string())?;
        }
        Ok(room)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.0.join(name);
        let failed = |error: std::io::Error| format!("can't write {}: {error}", path.display());
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(failed)?;
        std::fs::write(&path, text).map_err(failed)
    }

    /// The gate's decisions under a policy, in order.
    fn decisions(&self, gate: &Path, policy: &str, set: &[Row]) -> Result<Vec<String>, String> {
        self.write("home/.config/hookgate/hookgate.toml", policy)?;
        let failed = |error: std::io::Error| format!("{}: {error}", gate.display());
        let mut child = Command::new(gate)
            .args(["check", "--batch", "--json"])
            .current_dir(self.0.join("project"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.0.join("home"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let lines: String =
            set.iter().map(|row| format!("{}\n", json!({ "command": row.command }))).collect();
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(lines.as_bytes()).map_err(failed)?;
        }
        let output = child.wait_with_output().map_err(failed)?;
        let decisions: Vec<String> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| {
                Some(serde_json::from_str::<Value>(line).ok()?.get("decision")?.as_str()?.to_owned())
            })
            .collect();
        if decisions.len() == set.len() {
            Ok(decisions)
        } else {
            Err(format!("{} gave {} answers to {} commands", gate.display(), decisions.len(), set.len()))
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // What can't be deleted is left to the system's own cleaning of temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
