//! One decision as a line of the audit log: version 1, as `schema/audit-record.json` describes it. A field is only ever added; what
//! has another meaning gets another version.

use std::borrow::Cow;

use hookgate_agents::{Decision, Event, EventName, Outcome, PermissionMode, ToolCall};
use hookgate_effects::{Certainty, Effect, Kind, Target};
use hookgate_policy::{AuditContent, Date, digest};
use hookgate_secrets::{mask, mask_name};
use serde::Serialize;
use serde_json::Value;

use crate::secrets::Concealed;
use crate::{Excuse, Finding, Judged, Rung, redact};

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

/// What every line begins with. A field that says nothing is left out.
#[derive(Default, Serialize)]
struct Head<'a> {
    version: u32,
    hookgate: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
    time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subagent: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_mode: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    cwd: Cow<'a, str>,
}

/// A name that others are joined by, as it is but for a secret in it.
fn plain(text: &str) -> Cow<'_, str> {
    mask(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A server chooses the names of its tools, and their parts are words of their own.
fn name_of(tool: &str) -> Cow<'_, str> {
    mask_name(tool).map_or(Cow::Borrowed(tool), Cow::Owned)
}

impl<'a> Head<'a> {
    fn new(id: &'a str, now: u64) -> Head<'a> {
        let hookgate = env!("CARGO_PKG_VERSION");
        Head { version: VERSION, hookgate, id, time: timestamp(now), ..Head::default() }
    }

    fn of(event: &'a Event, id: &'a str, now: u64) -> Head<'a> {
        Head {
            agent: Some(event.agent.name),
            session: Some(plain(&event.session_id)),
            subagent: event.agent_id.as_deref().map(plain),
            agent_type: event.agent_type.as_deref().map(plain),
            permission_mode: event.permission_mode.as_ref().map(PermissionMode::as_str),
            event: Some(event.name.as_str()),
            cwd: plain(&event.cwd),
            ..Head::new(id, now)
        }
    }
}

/// The codes of what was found, each once.
fn codes(judgement: &Judged) -> Vec<&str> {
    let mut codes: Vec<&str> = Vec::new();
    for finding in &judgement.findings {
        if !codes.contains(&finding.code.as_str()) {
            codes.push(&finding.code);
        }
    }
    codes
}

/// A decision.
#[derive(Serialize)]
struct Decided<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effects: Option<Vec<Done>>,
    attended: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    project: Cow<'a, str>,
    findings: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    decision: &'a str,
    would: &'a str,
    before: &'a str,
    answered: &'a str,
    causes: Vec<&'a str>,
    codes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rewrite: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    would_rewrite: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hook_failures: Vec<HookFailed<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ladder: Vec<Step<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    linters: Vec<Ran<'a>>,
    micros: u64,
    policy: &'a str,
}

/// An effect.
#[derive(Serialize)]
struct Done {
    effect: String,
    certainty: &'static str,
}

/// A finding: what it asked for, and why that did not count if it didn't.
#[derive(Serialize)]
struct Found<'a> {
    code: &'a str,
    level: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    excused: Option<&'a str>,
    /// The agent's own, where that excuses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// A supervised hook that failed.
#[derive(Serialize)]
struct HookFailed<'a> {
    code: &'a str,
    problem: String,
}

/// A step of an ending.
#[derive(Serialize)]
struct Step<'a> {
    code: &'a str,
    rung: &'a str,
    outcome: &'a str,
    detail: String,
    micros: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<(u64, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    microdollars: Option<u64>,
}

/// A linter's run.
#[derive(Serialize)]
struct Ran<'a> {
    tool: &'a str,
    phase: &'a str,
    millis: u64,
}

/// The line, without its line break.
#[must_use]
pub fn record(event: &Event, judgement: &Judged, circumstances: &Circumstances<'_>) -> String {
    let content = circumstances.content;
    let secrets = Concealed::of(event, &judgement.effects, &judgement.findings);
    let kept = |text: &str| written(text, content, &secrets);
    let tool = event.tool();
    let head = Head::of(event, &judgement.id, circumstances.now);
    let effects = || {
        let effects = judgement.effects.effects.iter();
        effects.map(|effect| done(effect, content, &event.cwd, &head.cwd, &kept)).collect()
    };
    let verdict = &judgement.verdict;
    let rewrite = verdict.rewrite.as_ref().and_then(|input| input.get("command")?.as_str());
    let effects = tool.map(|_| effects());
    line(&Decided {
        head,
        tool: tool.map(|tool| name_of(&tool.name)),
        tool_use_id: tool.and_then(|tool| tool.id.as_deref()).map(plain),
        command: tool.and_then(|tool| tool.text("command")).map(kept),
        path: tool.and_then(ToolCall::path).map(kept),
        effects,
        attended: judgement.attended,
        project: plain(circumstances.project),
        findings: judgement.findings.iter().map(|finding| found(finding, &kept)).collect(),
        call: (verdict.decision >= Decision::Ask).then(|| call_name(event)).flatten(),
        decision: verdict.decision.as_str(),
        would: judgement.would.as_str(),
        before: judgement.before.as_str(),
        answered: event.capabilities().carry(verdict.decision).as_str(),
        causes: judgement.causes.iter().map(|cause| cause.name()).collect(),
        codes: codes(judgement),
        reason: (!verdict.reasons.is_empty()).then(|| kept(&verdict.reasons.join("\n"))),
        rewrite: rewrite.map(kept),
        would_rewrite: judgement.planned.as_deref().map(kept),
        hook_failures: judgement
            .hook_failures
            .iter()
            .map(|(code, problem)| HookFailed { code, problem: kept(problem) })
            .collect(),
        ladder: judgement.rungs.iter().map(|rung| step(rung, &kept)).collect(),
        linters: judgement
            .times
            .iter()
            .map(|time| Ran { tool: &time.tool, phase: time.phase, millis: time.millis })
            .collect(),
        micros: circumstances.micros,
        policy: circumstances.policy,
    })
}

fn done(
    effect: &Effect,
    content: AuditContent,
    cwd: &str,
    shown_cwd: &str,
    kept: &dyn Fn(&str) -> String,
) -> Done {
    let certainty = if effect.certainty == Certainty::Certain { "certain" } else { "possible" };
    // The line names the call's directory as it is; what lies in it is redacted from there on.
    let below = match &effect.target {
        Some(Target::Path(fact)) if content == AuditContent::Redacted && fact.path.len() <= LONGEST => {
            fact.path.strip_prefix(cwd).filter(|rest| rest.starts_with('/') && cwd.len() > 1)
        }
        _ => None,
    };
    let effect = match below {
        // The name of a secret is a fingerprint, which looks like one.
        None if effect.kind == Kind::EmbedSecret && content == AuditContent::Redacted => describe(effect),
        Some(rest) => [effect.kind.name(), " ", shown_cwd, &kept(rest)].concat(),
        None => kept(&describe(effect)),
    };
    Done { effect, certainty }
}

fn found<'f>(finding: &'f Finding, kept: &dyn Fn(&str) -> String) -> Found<'f> {
    let excuse = finding.excuse.filter(|_| finding.exception.is_some()).map(Excuse::name);
    let excused = excuse.or(finding.shadow.then_some("shadow"));
    let reason = finding.exception.as_deref().filter(|_| finding.excuse == Some(Excuse::Agent)).map(kept);
    Found { code: &finding.code, level: finding.level.name(), excused, reason }
}

fn step<'r>(rung: &'r Rung, kept: &dyn Fn(&str) -> String) -> Step<'r> {
    Step {
        code: &rung.code,
        rung: &rung.step,
        outcome: rung.outcome.name(),
        detail: kept(&rung.detail),
        micros: rung.micros,
        tokens: rung.cost.map(|cost| (cost.read, cost.written)),
        microdollars: rung.cost.map(|cost| cost.microdollars).filter(|price| *price > 0),
    }
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
    #[derive(Serialize)]
    struct Became<'a> {
        #[serde(flatten)]
        head: Head<'a>,
        tool_use_id: Cow<'a, str>,
        outcome: &'a str,
    }
    let tool_use_id = plain(event.tool()?.id.as_deref()?);
    Some(line(&Became { head: Head::of(event, "", now), tool_use_id, outcome }))
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
    #[derive(Serialize)]
    struct Failed<'a> {
        #[serde(flatten)]
        head: Head<'a>,
        decision: &'a str,
        failure: String,
    }
    line(&Failed {
        head: Head { event: event.map(EventName::as_str), ..Head::new(id, now) },
        decision: answered.map_or("none", Decision::as_str),
        failure: cut(problem).into_owned(),
    })
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

/// Texts, numbers and lists of them: nothing that JSON can't say.
fn line(fields: &impl Serialize) -> String {
    let mut line = Vec::with_capacity(1024);
    let written = serde_json::to_writer(&mut line, fields);
    written.ok().and_then(|()| String::from_utf8(line).ok()).unwrap_or_default()
}

/// Longer texts are cut: the log is for what was decided, not for what was written into a file.
const LONGEST: usize = 4_000;

fn written(text: &str, content: AuditContent, secrets: &Concealed<'_>) -> String {
    match content {
        AuditContent::Full => cut(text).into_owned(),
        AuditContent::Redacted => {
            let mut redacted = redact(&cut(text));
            // The end of a text that was cut may be the beginning of a secret.
            secrets.take_out_of(&mut redacted);
            if redacted.len() <= LONGEST { redacted } else { cut(&redacted).into_owned() }
        }
        AuditContent::Digest => format!("digest:{:016x} ({} bytes)", fingerprint(text), text.len()),
    }
}

fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return text.into();
    }
    let mut short: String = text.chars().take(LONGEST).collect();
    short.push_str(&format!("… ({} bytes in total)", text.len()));
    short.into()
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
    let (date, second) = (Date::from_unix_seconds(seconds), seconds % 86_400);
    format!("{date}T{:02}:{:02}:{:02}.{rest:03}Z", second / 3600, second / 60 % 60, second % 60)
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
