//! `[[notify]]`: what a person hears of beside the answer. What goes to the terminal is part of the answer; the rest is
//! handed to whoever sends it.

use hookgate_agents::{Decision, Event, EventName, Verdict};
use hookgate_policy::{EventSet, Notify, NotifyBy, TerminalForm};
use hookgate_rules::own::Question;
use hookgate_text::escaped;
use serde_json::json;

use crate::{Finding, redact};

/// The most that is said, in characters: a notification is a line, and all of it must fit into a pipe that nobody reads yet.
const LONGEST: usize = 200;

/// A notification for whoever sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// How.
    pub by: NotifyBy,
    /// Its title: one line.
    pub title: String,
    /// Its text: one line, without secrets.
    pub text: String,
    /// All of it as JSON, for programs and addresses.
    pub json: String,
}

/// The notifications of an event that was judged. Those of the terminal are put into the verdict.
pub(crate) fn plan(
    event: &Event,
    question: &Question<'_>,
    entries: &[Notify],
    verdict: &mut Verdict,
    findings: &[Finding],
) -> Vec<Notification> {
    let mut sent = Vec::new();
    for entry in entries {
        let decided = matches(event, entry, verdict.decision);
        let on = if decided { EventSet::ALL } else { entry.on };
        let held_back = is_stop(&event.name) && verdict.decision >= Decision::Deny;
        if (held_back && !decided) || !question.applies(on, &entry.when) {
            continue;
        }
        let (title, text) = words(event, decided, verdict.decision, findings);
        let text = line(entry.text.as_ref().unwrap_or(&text));
        match &entry.by {
            NotifyBy::Terminal(form) => add_sequence(verdict, &sequence(*form, &title, &text)),
            NotifyBy::Bell => add_sequence(verdict, "\u{7}"),
            by => {
                let json = body(event, verdict.decision, findings, &title, &text);
                sent.push(Notification { by: by.clone(), title, text, json });
            }
        }
    }
    sent
}

/// Is it sent for what was decided? A prompt that is shown anyhow is not hookgate's question.
fn matches(event: &Event, entry: &Notify, decision: Decision) -> bool {
    match decision {
        Decision::Ask => entry.decisions.ask && event.name != EventName::PermissionRequest,
        Decision::Deny | Decision::Halt => entry.decisions.deny,
        Decision::Pass | Decision::Handoff | Decision::Allow => false,
    }
}

fn is_stop(name: &EventName) -> bool {
    matches!(name, EventName::Stop | EventName::SubagentStop)
}

/// Title and text.
fn words(event: &Event, decided: bool, decision: Decision, findings: &[Finding]) -> (String, String) {
    let place = event.cwd.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("a session");
    if decided {
        let verb = if decision == Decision::Ask { "asks" } else { "stopped a call" };
        let mut hits = findings.iter().filter(|finding| finding.applies() && finding.level.stops());
        let what =
            hits.next().map_or_else(String::new, |first| format!(": [{}] {}", first.code, first.message));
        let more = match hits.count() {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        return ("hookgate".to_owned(), format!("{verb} in {place}{what}{more}"));
    }
    let agent = event.agent.title;
    match &event.name {
        EventName::Notification => {
            let message = event.text("message").unwrap_or("").to_owned();
            (line(event.text("title").unwrap_or(agent)), message)
        }
        name if is_stop(name) => (agent.to_owned(), format!("the agent stopped in {place}")),
        name => (agent.to_owned(), format!("{} in {place}", name.as_str())),
    }
}

/// Secrets out, on one line, cut.
fn line(text: &str) -> String {
    let redacted = redact(text);
    let one_line: String =
        redacted.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c }).collect();
    let plain = escaped(&one_line);
    let mut short: String = plain.chars().take(LONGEST).collect();
    if plain.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

fn body(event: &Event, decision: Decision, findings: &[Finding], title: &str, text: &str) -> String {
    let codes: Vec<&str> = findings
        .iter()
        .filter(|finding| finding.applies())
        .map(|finding| finding.code.as_str())
        .take(8)
        .collect();
    json!({
        "title": title,
        "text": text,
        "event": event.name.as_str(),
        "decision": decision.as_str(),
        "codes": codes,
        "session": line(&event.session_id),
        "cwd": line(&event.cwd),
    })
    .to_string()
}

/// Behind what a rule sets and what other entries say.
fn add_sequence(verdict: &mut Verdict, sequence: &str) {
    verdict.extras.terminal_sequence.get_or_insert_default().push_str(sequence);
}

/// The control sequence. A `;` would end a field, and the client lets no text through that begins with a digit.
fn sequence(form: TerminalForm, title: &str, text: &str) -> String {
    let field = |text: &str| text.replace(';', ",");
    let (title, text) = (field(title), field(text));
    match form {
        TerminalForm::Osc9 if title.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("\u{1b}]9; {title}: {text}\u{7}")
        }
        TerminalForm::Osc9 => format!("\u{1b}]9;{title}: {text}\u{7}"),
        TerminalForm::Osc777 => format!("\u{1b}]777;notify;{title};{text}\u{7}"),
        TerminalForm::Osc99 => {
            format!("\u{1b}]99;i=hookgate:d=0:p=title;{title}\u{7}\u{1b}]99;i=hookgate:p=body;{text}\u{7}")
        }
    }
}
