//! `hookgate explain`: the whole story of a decision, or of a command.

mod outline;

use std::path::{Path, PathBuf};

use clap::Args;
use hookgate_agents::{Decision, Event, EventName, Support, respond};
use hookgate_effects::{Certainty, Effect};
use hookgate_engine::{Judged, describe};
use hookgate_host::Machine;
use hookgate_policy::Level;
use hookgate_shell::Span;
use serde_json::Value;

use crate::clock;
use crate::commands::check::{SelectionArguments, command_line, print_findings, read_event};
use crate::commands::log::{audit, records, telling_codes};
use crate::commands::own::{self, Own};
use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::Gate;
use crate::terminal::printable;

/// Explain a decision (by its id), a command or an event.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    #[command(flatten)]
    selection: SelectionArguments,
    /// Explain the event in this file (`-` for standard input).
    #[arg(long, value_name = "FILE", conflicts_with = "subject")]
    event: Option<PathBuf>,
    /// Print a report of a wrong decision, to read through and send.
    #[arg(long)]
    report: bool,
    /// A decision's id or its first characters, or a command; `-` reads one from standard input (default: what was stopped last).
    #[arg(value_name = "ID | COMMAND", trailing_var_arg = true)]
    subject: Vec<String>,
}

impl Explain {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let named = match self.subject.as_slice() {
            [] if self.event.is_none() => Some(last_stop(environment)?),
            [id] if is_id(id) => Some(id.clone()),
            [start] => {
                let found = begun(environment, start)?;
                if found.is_none() && may_begin(start) {
                    eprintln!("hookgate: no decision begins with `{start}`; it's explained as a command");
                }
                found
            }
            _ => None,
        };
        if let Some(id) = named {
            let (record, outcome) = find(environment, &id)?;
            if self.report {
                print_report(&record);
            } else {
                print_record(environment, &record, outcome.as_ref());
            }
            return Ok(());
        }
        let gate = self.selection.gate(environment)?;
        let event = match &self.event {
            Some(path) => read_event(path, self.selection.agent())?,
            None => self.selection.command_event(&gate, &command_line(&self.subject)?),
        };
        print_judgement(&gate, &event, &gate.judge(&event));
        Ok(())
    }
}

/// The id of the last decision that stopped something.
fn last_stop(environment: &Environment) -> Result<String, CommandError> {
    let text = |record: &Value, key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_stop = |record: &Value| {
        text(record, "decision").is_some_and(|decision| matches!(decision.as_str(), "ask" | "deny" | "halt"))
    };
    let audit = audit(environment)?;
    let mut last = None;
    for file in audit.files() {
        let found = records(&file)?.records;
        last =
            found.iter().rev().find(|record| is_stop(record)).and_then(|record| text(record, "id")).or(last);
    }
    let nothing = || format!("nothing has been stopped yet, according to {}", audit.path().display());
    last.ok_or_else(|| CommandError::usage(nothing()))
}

/// The id that somebody means by it or its first characters.
pub(crate) fn named(environment: &Environment, id: &str) -> Result<String, CommandError> {
    if is_id(id) {
        return Ok(id.to_owned());
    }
    begun(environment, id)?.ok_or_else(|| CommandError::usage(format!("no decision begins with `{id}`")))
}

/// The id that these are the first characters of. Nothing where no id can begin so or none does: then it is a command.
fn begun(environment: &Environment, start: &str) -> Result<Option<String>, CommandError> {
    if !may_begin(start) {
        return Ok(None);
    }
    let mut found = Vec::new();
    for file in audit(environment)?.files() {
        let ids = records(&file)?.records.into_iter().filter(|record| record.get("decision").is_some());
        let ids = ids.filter_map(|record| Some(record.get("id")?.as_str()?.to_owned()));
        found.extend(ids.filter(|id| id.starts_with(start)));
    }
    match found.len() {
        0 | 1 => Ok(found.pop()),
        count => Err(CommandError::usage(format!("{count} decisions begin with `{start}`; add a character"))),
    }
}

/// May an id begin so? No program of that name is known.
fn may_begin(start: &str) -> bool {
    start.len() >= 3
        && start.contains(|c: char| c.is_ascii_digit())
        && start.chars().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase())
        && hookgate_knowledge::shipped().program(start).is_none()
}

/// Thirteen digits and lower-case letters, both among them: no command looks like that.
fn is_id(text: &str) -> bool {
    text.len() == 13
        && text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase())
}

/// The record of a decision, and of what became of the call.
pub(crate) fn find(environment: &Environment, id: &str) -> Result<(Value, Option<Value>), CommandError> {
    let audit = audit(environment)?;
    let mut all = Vec::new();
    for file in audit.files() {
        all.extend(records(&file)?.records);
    }
    let text = |record: &Value, key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
    let record =
        all.iter().find(|record| text(record, "id").as_deref() == Some(id)).cloned().ok_or_else(|| {
            CommandError::usage(format!("no decision {id} in {}; it may be too old", audit.path().display()))
        })?;
    let call = text(&record, "tool_use_id");
    let outcome = all
        .into_iter()
        .find(|other| other.get("outcome").is_some() && call.is_some() && text(other, "tool_use_id") == call);
    Ok((record, outcome))
}

fn print_record(environment: &Environment, record: &Value, outcome: Option<&Value>) {
    let text = |key: &str| match record.get(key) {
        // Its lines stand below each other; what is in them is shown as it is.
        Some(Value::String(text)) if key == "reason" => {
            text.lines().map(printable).collect::<Vec<_>>().join("\n           ")
        }
        Some(Value::String(text)) => printable(text),
        Some(Value::Array(items)) => {
            // Records of earlier releases have the effects as texts.
            let text = |item: &'_ Value| item.get("effect").unwrap_or(item).as_str().map(printable);
            items.iter().filter_map(text).collect::<Vec<_>>().join(", ")
        }
        Some(other) => other.to_string(),
        None => String::new(),
    };
    println!("decision {}: {}", text("id"), text("decision"));
    let causes = text("causes");
    if !causes.is_empty() {
        println!("  by the rules alone it was {}; what changed it: {causes}", text("would"));
    } else if text("before") != text("decision") {
        println!("  it was {} before the mode and the session were applied", text("before"));
    }
    for (key, label) in [
        ("time", "when"),
        ("session", "session"),
        ("subagent", "subagent"),
        ("event", "event"),
        ("tool", "tool"),
        ("cwd", "in"),
        ("command", "command"),
        ("path", "path"),
        ("effects", "does"),
        ("codes", "rules"),
        ("reason", "told"),
        ("failure", "failed"),
        ("policy", "policy"),
        ("micros", "µs"),
    ] {
        let value = match (key, text(key)) {
            ("time", time) if !time.is_empty() => format!("{} ({time})", clock::shown_record(&time)),
            ("codes", _) => telling_codes(record).into_iter().map(printable).collect::<Vec<_>>().join(", "),
            (_, value) => value,
        };
        if !value.is_empty() {
            println!("  {label:9}{value}");
        }
    }
    print_ladder(record);
    if let Some(outcome) = outcome.and_then(|outcome| outcome.get("outcome")).and_then(Value::as_str) {
        println!("  then the call {}", outcome.replace("refused", "was refused").replace('-', " "));
    }
    let codes = telling_codes(record);
    // What is in force now, where the call was: an entry may be gone since.
    let directories = environment.directories.clone();
    let gate = Gate::load(directories.clone(), Path::new(&text("cwd")), Machine::new(directories));
    let mut known: Vec<(&str, Option<Own>)> = Vec::new();
    for code in codes {
        let own = if hookgate_rules::lookup::find(code).is_some() { None } else { own::coded(&gate, code) };
        let is_known = own.is_some() || hookgate_rules::lookup::find(code).is_some();
        if is_known && known.iter().all(|(told, _)| *told != code) {
            known.push((code, own));
        }
    }
    for (code, own) in &known {
        let what = own
            .as_ref()
            .map_or("explains the rule".to_owned(), |own| format!("shows the {}", own.entry.table));
        println!("  `hookgate rule {code}` {what}");
    }
    if matches!(text("decision").as_str(), "ask" | "deny" | "halt") {
        print_ways_out(&text("id"), &known, record.get("call").is_some());
    }
}

/// The steps of an ending: each gate's check and each judge's criterion, with what became of it, the time and the cost.
fn print_ladder(record: &Value) {
    let steps = record.get("ladder").and_then(Value::as_array).into_iter().flatten();
    for (index, step) in steps.enumerate() {
        if index == 0 {
            println!("  steps");
        }
        let text = |key: &str| printable(step.get(key).and_then(Value::as_str).unwrap_or_default());
        let millis = step.get("micros").and_then(Value::as_u64).unwrap_or_default() / 1000;
        let tokens = step.get("tokens").and_then(Value::as_array).map(|counts| {
            let count = |at: usize| counts.get(at).and_then(Value::as_u64).unwrap_or_default();
            format!(", {} tokens read and {} written", count(0), count(1))
        });
        let price = super::judge::price(step.get("microdollars").and_then(Value::as_u64).unwrap_or_default());
        let (code, name, outcome) = (text("code"), text("rung"), text("outcome"));
        println!(
            "    {outcome:12} {code} {name}: {} ({millis} ms{}{price})",
            text("detail"),
            tokens.unwrap_or_default()
        );
    }
}

/// What a person can do about a decision. It is told here and not to the model, which can do none of it.
fn print_ways_out(id: &str, codes: &[(&str, Option<Own>)], is_call: bool) {
    println!("what you can do");
    if codes.iter().any(|(code, _)| *code == "HALT001") {
        println!("  `hookgate resume` in a terminal ends the halt");
    } else if codes.iter().any(|(code, own)| own.is_none() && code.starts_with("GATE")) {
        println!("  rules that guard hookgate have no exception: do it yourself, in your own terminal");
    } else {
        if is_call {
            println!("  `hookgate grant {id}` lets this one call through");
            println!("  `hookgate except {id}` lets the same through for good");
        }
        for (code, own) in codes.iter().filter(|(code, _)| !code.starts_with("READ")) {
            match own.as_ref().map(|own| (own.entry.table.as_str(), own.place())) {
                None | Some(("rule" | "rewrite", _)) => {
                    println!("  `hookgate rule {code} --level LEVEL` sets its level");
                }
                Some((table @ ("gate" | "judge"), place)) => {
                    println!("  `shadow = true` in this {table} ({place}) makes it only record");
                }
                Some(_) => {}
            }
        }
    }
    println!("  `hookgate explain --report {id}` prints a report, if the decision is wrong");
}

fn print_report(record: &Value) {
    println!("### A wrong decision by hookgate {}\n", env!("CARGO_PKG_VERSION"));
    println!("What I expected instead, and why:\n\n");
    println!("The record (read it through before you send it):\n\n```json\n{record:#}\n```");
}

fn print_judgement(gate: &Gate, event: &Event, judgement: &Judged) {
    let command = event.tool().and_then(|call| call.text("command")).unwrap_or("");
    if !command.is_empty() {
        print!("syntax\n{}", outline::of(command));
    }
    println!("effects");
    if judgement.effects.effects.is_empty() {
        println!("  none");
    }
    for (index, effect) in judgement.effects.effects.iter().enumerate() {
        print_effect(command, effect, index, judgement);
    }
    println!("rules");
    print_findings(judgement);
    let policy = gate.policy();
    let considered =
        hookgate_rules::lookup::all().iter().filter(|rule| policy.level(rule.code) != Level::Off).count();
    println!("  in force: {considered} built-in rules, {} from the policy", policy.rules.len());
    println!("decision\n  {}", judgement.before.as_str());
    if let Some(refusal) = judgement.not_granted() {
        println!("  {}", printable(&refusal));
    }
    if judgement.verdict.decision != judgement.before {
        println!("  {} after the mode and the session were applied", judgement.verdict.decision.as_str());
    }
    let agent = event.agent.title;
    println!("{agent}'s own permission rules\n  {}", printable(&gate.native(event)));
    let answer = respond(event, &judgement.verdict);
    println!("answer to {agent}\n  exit {}", answer.exit);
    if answer.stdout.is_empty() {
        println!("  nothing on standard output: no opinion");
    } else {
        // Nothing was recorded: an id in the answer would lead nowhere.
        println!("  {}", String::from_utf8_lossy(&answer.stdout).trim_end().replace(&judgement.id, "ID"));
    }
    println!("what {agent} does\n  {}", consequence(event, judgement.verdict.decision));
}

fn print_effect(command: &str, effect: &Effect, index: usize, judgement: &Judged) {
    let sure = match effect.certainty {
        Certainty::Certain => " (certain)",
        Certainty::Possible => " (possible)",
    };
    let users: Vec<&str> = judgement
        .findings
        .iter()
        .filter(|finding| finding.effects.contains(&index))
        .map(|finding| finding.code.as_str())
        .collect();
    let used = if users.is_empty() { String::new() } else { format!("  <- {}", users.join(", ")) };
    println!("  {}{sure}{used}", printable(&describe(effect)));
    if let Some(note) = &effect.note {
        println!("    {}", printable(note));
    }
    if let Some(text) = spanned(command, effect.span) {
        println!("    {}..{}: {}", effect.span.start, effect.span.end, printable(text));
    }
}

fn spanned(text: &str, span: Span) -> Option<&str> {
    let piece = text.get(usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?)?;
    (!piece.is_empty()).then_some(piece)
}

/// What the agent does with the answer, as it was measured with the version of its profile.
fn consequence(event: &Event, decision: Decision) -> &'static str {
    if event.capabilities().ask == Support::Denial && decision == Decision::Ask {
        return "does not run it: it has no question at this place";
    }
    match (&event.name, decision) {
        (EventName::PreToolUse, Decision::Pass | Decision::Handoff) => {
            "its own permission rules and mode decide"
        }
        (EventName::PreToolUse, Decision::Allow) => {
            "runs it without asking, unless one of its own deny or ask rules matches"
        }
        (EventName::PreToolUse, Decision::Ask) => {
            "asks the user; with `-p` no one can answer, and it denies the call"
        }
        (EventName::PreToolUse, Decision::Deny) => "doesn't run it; the model reads the reason and continues",
        (EventName::PreToolUse, Decision::Halt) => "doesn't run it, and ends the turn",
        (EventName::Stop | EventName::SubagentStop, Decision::Deny) => {
            "keeps working, with the reason; after 8 in a row it stops anyway"
        }
        (_, Decision::Pass | Decision::Handoff) => "continues as if there were no hook",
        _ => "see docs/answers.md for this event",
    }
}

#[cfg(test)]
mod tests {
    use super::is_id;

    #[test]
    fn an_id_is_told_from_a_command() {
        assert!(is_id(&hookgate_host::decision_id()));
        assert!(!is_id("git") && !is_id("cargo build x") && !is_id("verylongtools"));
    }
}
