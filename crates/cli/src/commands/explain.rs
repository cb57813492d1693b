//! `hookgate explain`: the whole story of a decision, or of a command.

mod outline;

use std::path::PathBuf;

use clap::Args;
use hookgate_agents::{Decision, Event, EventName, Support, respond};
use hookgate_effects::{Certainty, Effect};
use hookgate_engine::{Judged, describe};
use hookgate_policy::Level;
use hookgate_shell::Span;
use serde_json::Value;

use crate::commands::check::{SelectionArguments, finding_line, read_event};
use crate::commands::log::{audit, records};
use crate::commands::{CommandError, Environment};
use crate::gate::Gate;
use crate::terminal::printable;

/// Tell the whole story of a decision (by its id), of a command, or of an event.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    #[command(flatten)]
    selection: SelectionArguments,
    /// Explain the event in this file (`-` for standard input).
    #[arg(long, value_name = "FILE", conflicts_with = "subject")]
    event: Option<PathBuf>,
    /// Print a report of a wrong decision, to be read through and sent.
    #[arg(long)]
    report: bool,
    /// A decision's id, or a command as one argument.
    #[arg(required_unless_present = "event", value_name = "ID | COMMAND")]
    subject: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        if let Some(id) = self.subject.as_deref().filter(|subject| is_id(subject)) {
            let (record, outcome) = find(environment, id)?;
            if self.report {
                print_report(&record);
            } else {
                print_record(&record, outcome.as_ref());
            }
            return Ok(());
        }
        let gate = self.selection.gate(environment)?;
        let event = match (&self.event, &self.subject) {
            (Some(path), _) => read_event(path)?,
            (None, Some(command)) => gate.command_event(command),
            (None, None) => return Err(CommandError::usage("say an id, a command or --event FILE")),
        };
        print_judgement(&gate, &event, &gate.judge(&event));
        Ok(())
    }
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
            CommandError::usage(format!(
                "no decision {id} in {}; it may have been rotated out",
                audit.path().display()
            ))
        })?;
    let call = text(&record, "tool_use_id");
    let outcome = all
        .into_iter()
        .find(|other| other.get("outcome").is_some() && call.is_some() && text(other, "tool_use_id") == call);
    Ok((record, outcome))
}

fn print_record(record: &Value, outcome: Option<&Value>) {
    let text = |key: &str| match record.get(key) {
        Some(Value::String(text)) => printable(text),
        Some(Value::Array(items)) => {
            items.iter().filter_map(Value::as_str).map(printable).collect::<Vec<_>>().join(", ")
        }
        Some(other) => other.to_string(),
        None => String::new(),
    };
    println!("decision {}: {}", text("id"), text("decision"));
    if text("before") != text("decision") {
        println!("  it was {} before the mode and the session had their say", text("before"));
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
        let value = text(key);
        if !value.is_empty() {
            println!("  {label:9}{value}");
        }
    }
    if let Some(outcome) = outcome.and_then(|outcome| outcome.get("outcome")).and_then(Value::as_str) {
        println!("  afterwards the call {outcome}");
    }
    for code in record.get("codes").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    {
        println!("  `hookgate rule {code}` is the rule's page");
    }
}

fn print_report(record: &Value) {
    println!("### A wrong decision of hookgate {}\n", env!("CARGO_PKG_VERSION"));
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
    for finding in &judgement.findings {
        println!("  {}", finding_line(finding));
    }
    let policy = gate.policy();
    let considered =
        hookgate_rules::lookup::all().iter().filter(|rule| policy.level(rule.code) != Level::Off).count();
    println!("  in force: {considered} built-in rules and {} of the policy's own", policy.rules.len());
    println!("decision\n  {}", judgement.before.as_str());
    if let Some(refusal) = judgement.not_granted() {
        println!("  {}", printable(&refusal));
    }
    if judgement.verdict.decision != judgement.before {
        println!("  {} after the mode and the session had their say", judgement.verdict.decision.as_str());
    }
    let agent = event.agent.title;
    println!("{agent}'s own permission rules\n  {}", printable(&gate.native(event)));
    let answer = respond(event, &judgement.verdict);
    println!("answer to {agent}\n  exit {}", answer.exit);
    if answer.stdout.is_empty() {
        println!("  nothing on standard output: no opinion");
    } else {
        println!("  {}", String::from_utf8_lossy(&answer.stdout).trim_end());
    }
    println!("what it does with it\n  {}", consequence(event, judgement.verdict.decision));
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
            "asks the person; with `-p` there is nobody, and it refuses"
        }
        (EventName::PreToolUse, Decision::Deny) => "does not run it; the model reads the reason and goes on",
        (EventName::PreToolUse, Decision::Halt) => "does not run it and ends the turn",
        (EventName::Stop | EventName::SubagentStop, Decision::Deny) => {
            "keeps working, with the reason; after 8 in a row it stops all the same"
        }
        (_, Decision::Pass | Decision::Handoff) => "goes on as if there were no gate",
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
