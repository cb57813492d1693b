//! One decision as a line of the audit log: version 1, as `schema/audit-record.json` describes it. A field is only ever added; what
//! has another meaning gets another version.

use hookgate_agents::{Decision, Event, EventName, Outcome};
use hookgate_effects::{Certainty, Effect, Target};
use hookgate_policy::{AuditContent, digest};
use serde_json::{Value, json};

use crate::{Excuse, Finding, Judged, redact};

/// The version of the record's form. Lines of earlier releases have none.
const VERSION: u32 = 1;

/// What the record says beside the judgement.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// Milliseconds since the Unix epoch.
    pub now: u64,
    /// Microseconds from the start of the process to the answer.
    pub micros: u64,
    /// The policy's hash, shortened.
    pub policy: &'a str,
    /// How much of what was judged is written down.
    pub content: AuditContent,
    /// The project's directory.
    pub project: &'a str,
}

/// The line, without its line break.
#[must_use]
pub fn record(event: &Event, judgement: &Judged, circumstances: &Circumstances<'_>) -> String {
    let mut fields = base(event, &judgement.id, circumstances.now);
    let content = circumstances.content;
    if let Some(tool) = event.tool() {
        fields.push(("tool", json!(tool.name)));
        if let Some(id) = &tool.id {
            fields.push(("tool_use_id", json!(id)));
        }
        for (key, value) in [("command", tool.text("command")), ("path", tool.path())] {
            if let Some(value) = value {
                fields.push((key, json!(written(value, content))));
            }
        }
        let effects = judgement.effects.effects.iter().map(|effect| {
            let certainty = if effect.certainty == Certainty::Certain { "certain" } else { "possible" };
            json!({ "effect": written(&describe(effect), content), "certainty": certainty })
        });
        fields.push(("effects", effects.collect()));
    }
    fields.push(("attended", json!(judgement.attended)));
    if !circumstances.project.is_empty() {
        fields.push(("project", json!(circumstances.project)));
    }
    fields.push(("findings", judgement.findings.iter().map(finding).collect()));
    let codes: Vec<&str> = judgement.findings.iter().map(|finding| finding.code.as_str()).collect();
    if judgement.verdict.decision >= Decision::Ask
        && let Some(name) = call_name(event)
    {
        fields.push(("call", json!(name)));
    }
    fields.push(("decision", json!(judgement.verdict.decision.as_str())));
    fields.push(("would", json!(judgement.would.as_str())));
    fields.push(("before", json!(judgement.before.as_str())));
    let answered = event.capabilities().carry(judgement.verdict.decision);
    fields.push(("answered", json!(answered.as_str())));
    let causes: Vec<&str> = judgement.causes.iter().map(|cause| cause.name()).collect();
    fields.push(("causes", json!(causes)));
    fields.push(("codes", json!(codes)));
    if !judgement.verdict.reasons.is_empty() {
        fields.push(("reason", json!(written(&judgement.verdict.reasons.join("\n"), content))));
    }
    if let Some(command) = judgement.verdict.rewrite.as_ref().and_then(|input| input.get("command")?.as_str())
    {
        fields.push(("rewrite", json!(written(command, content))));
    }
    if let Some(command) = &judgement.planned {
        fields.push(("would_rewrite", json!(written(command, content))));
    }
    if !judgement.hook_failures.is_empty() {
        let failures = judgement.hook_failures.iter();
        let failures: Vec<Value> = failures
            .map(|(code, problem)| json!({ "code": code, "problem": written(problem, content) }))
            .collect();
        fields.push(("hook_failures", json!(failures)));
    }
    if !judgement.rungs.is_empty() {
        let rungs = judgement.rungs.iter().map(|rung| {
            let mut step = json!({
                "code": rung.code, "rung": rung.step, "outcome": rung.outcome.name(),
                "detail": written(&rung.detail, content), "micros": rung.micros,
            });
            if let (Some((read, wrote)), Some(step)) = (rung.tokens, step.as_object_mut()) {
                step.insert("tokens".to_owned(), json!([read, wrote]));
            }
            step
        });
        fields.push(("ladder", json!(rungs.collect::<Vec<Value>>())));
    }
    if !judgement.times.is_empty() {
        let times = judgement.times.iter();
        let times: Vec<Value> = times
            .map(|time| json!({ "tool": time.tool, "phase": time.phase, "millis": time.millis }))
            .collect();
        fields.push(("linters", json!(times)));
    }
    fields.push(("micros", json!(circumstances.micros)));
    fields.push(("policy", json!(circumstances.policy)));
    line(fields)
}

/// A finding: what it asked for, and why that did not count if it didn't.
fn finding(finding: &Finding) -> Value {
    let mut fields = json!({ "code": finding.code, "level": finding.level.name() });
    let excuse = finding.excuse.filter(|_| finding.exception.is_some()).map(Excuse::name);
    if let (Some(fields), Some(excuse)) =
        (fields.as_object_mut(), excuse.or(finding.shadow.then_some("shadow")))
    {
        fields.insert("excused".to_owned(), json!(excuse));
    }
    fields
}

/// A name for exactly this call in this session: what a person's grant is bound to. A digest, since the record's text of
/// a call may be redacted or cut; like any digest it lets somebody who can read the log try out guesses.
#[must_use]
pub fn call_name(event: &Event) -> Option<String> {
    let tool = event.tool()?;
    let mut whole = format!("{}\0{}\0{}\0", event.session_id, event.cwd, tool.name);
    whole.push_str(&Value::Object(tool.input.clone()).to_string());
    digest(&whole).get(..32).map(str::to_owned)
}

/// What became of a call, joined with its decision by `tool_use_id`: it ran, it ran and failed, it was refused by the agent itself, or
/// it failed or was refused, which the agent does not tell apart.
#[must_use]
pub fn outcome(event: &Event, now: u64) -> Option<String> {
    let outcome = match event.outcome {
        Some(Outcome::Ran) => "ran",
        Some(Outcome::Failed) => "failed",
        Some(Outcome::Unclear) => "failed-or-refused",
        None if event.name == EventName::PermissionDenied => "refused",
        None => return None,
    };
    let mut fields = base(event, "", now);
    fields.push(("tool_use_id", json!(event.tool()?.id.as_deref()?)));
    fields.push(("outcome", json!(outcome)));
    Some(line(fields))
}

/// A gate that could not judge, as a line of the audit log: what was wrong and what was answered instead, if anything was.
#[must_use]
pub fn failure(
    id: &str,
    now: u64,
    event: Option<&EventName>,
    problem: &str,
    answered: Option<Decision>,
) -> String {
    let mut fields = head();
    fields.extend([("id", json!(id)), ("time", json!(timestamp(now)))]);
    fields.extend(event.map(|name| ("event", json!(name.as_str()))));
    fields.push(("decision", json!(answered.map_or("none", Decision::as_str))));
    fields.push(("failure", json!(cut(problem))));
    line(fields)
}

/// An effect in one line: kind and target.
#[must_use]
pub fn describe(effect: &Effect) -> String {
    let target = match &effect.target {
        Some(Target::Path(path)) => path.path.as_str(),
        Some(Target::Host(name) | Target::Name(name) | Target::Unresolved(name)) => name,
        None => return effect.kind.name().to_owned(),
    };
    format!("{} {target}", effect.kind.name())
}

/// What every line begins with.
fn head() -> Vec<(&'static str, Value)> {
    let mut fields = Vec::with_capacity(30);
    fields.push(("version", json!(VERSION)));
    fields.push(("hookgate", json!(env!("CARGO_PKG_VERSION"))));
    fields
}

fn base(event: &Event, id: &str, now: u64) -> Vec<(&'static str, Value)> {
    let mut fields = head();
    if !id.is_empty() {
        fields.push(("id", json!(id)));
    }
    fields.push(("time", json!(timestamp(now))));
    fields.push(("agent", json!(event.agent.name)));
    fields.push(("session", json!(event.session_id)));
    if let Some(subagent) = &event.agent_id {
        fields.push(("subagent", json!(subagent)));
    }
    if let Some(kind) = &event.agent_type {
        fields.push(("agent_type", json!(kind)));
    }
    if let Some(mode) = &event.permission_mode {
        fields.push(("permission_mode", json!(mode.as_str())));
    }
    fields.push(("event", json!(event.name.as_str())));
    if !event.cwd.is_empty() {
        fields.push(("cwd", json!(event.cwd)));
    }
    fields
}

fn line(fields: Vec<(&'static str, Value)>) -> String {
    let map: serde_json::Map<String, Value> =
        fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Value::Object(map).to_string()
}

/// Longer texts are cut: the log is for what was decided, not for what was written into a file.
const LONGEST: usize = 4_000;

fn written(text: &str, content: AuditContent) -> String {
    match content {
        AuditContent::Full => cut(text),
        AuditContent::Redacted => cut(&redact(&cut(text))),
        AuditContent::Digest => format!("digest:{:016x} ({} bytes)", fingerprint(text), text.len()),
    }
}

fn cut(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(LONGEST).collect();
    short.push_str(&format!("… ({} bytes in total)", text.len()));
    short
}

/// FNV-1a: equal texts can be recognised in the log, short ones can be guessed; it is no protection against somebody
/// who tries candidates, and the documentation says so.
fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// RFC 3339 in UTC, to the millisecond.
#[must_use]
pub fn timestamp(millis: u64) -> String {
    let (seconds, rest) = (millis / 1000, millis % 1000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Civil date from days, counted in eras of 400 years that start on 1 March.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{rest:03}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn timestamps_are_rfc_3339() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(951_827_696_789), "2000-02-29T12:34:56.789Z");
        assert_eq!(timestamp(1_795_302_000_001), "2026-11-21T23:00:00.001Z");
    }
}
