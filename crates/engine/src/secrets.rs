//! Secrets beside the calls that carry them: in what a tool returned, in what a person wrote, and in our own words about both.

use std::collections::HashSet;

use hookgate_agents::{Event, EventName, Map, Value, Verdict};
use hookgate_effects::{Effects, Kind, Target};
use hookgate_policy::{Level, Policy, Secrets, digest};
use hookgate_secrets::{Certainty, Found, fingerprint, mask, masked, scan};
use hookgate_text::{Message, Quoted, say};

use crate::input::At;
use crate::pass::{Pass, level};
use crate::{Excuse, Finding, Note, Source};

/// The rule about what a tool returned.
const IN_RESULT: &str = "SECRET103";
/// The rules about what a call or a prompt carries.
const CARRIED: [&str; 2] = ["SECRET101", "SECRET102"];
/// As many secrets of a result are named.
const MOST_NAMED: usize = 5;
/// As many bytes in a row of a secret tell something of it.
const TELLING: usize = 10;
/// Our own texts are searched for as many secrets.
const MOST_CONCEALED: usize = 64;

/// Takes out what the policy lets be seen.
pub(crate) fn retain(effects: &mut Effects, secrets: &Secrets) {
    if !secrets.allow.is_empty() {
        effects.effects.retain(|effect| match (effect.kind, &effect.target) {
            (Kind::EmbedSecret, Some(Target::Name(name))) => {
                name.rsplit_once(':').is_none_or(|(_, digits)| !allows(secrets, digits))
            }
            _ => true,
        });
    }
}

fn allows(secrets: &Secrets, digits: &str) -> bool {
    secrets.allow.iter().any(|allowed| allowed == digits)
}

/// Takes the secrets out of what a tool returned, where a rule of the policy's own hasn't put something else in its place.
pub(crate) fn take_out(pass: &mut Pass<'_>, event: &Event, policy: &Policy) {
    let field = match event.name {
        EventName::PostToolUse => "tool_response",
        EventName::PostToolUseFailure => "error",
        _ => return,
    };
    let level = level(policy, IN_RESULT);
    let is_told = level == Level::Warn || level.stops();
    if !is_told && level != Level::Note {
        return;
    }
    let Some(result) = event.fields.get(field) else { return };
    let mut names = Vec::new();
    let Some(new) = without_secrets(result, &policy.secrets, &mut names) else { return };
    let replaces = event.capabilities().output && is_told;
    let mut what = Message::default();
    for (at, name) in names.iter().take(MOST_NAMED).enumerate() {
        what.push(&if at == 0 { say!("{}", Quoted::new(name)) } else { say!(", {}", Quoted::new(name)) });
    }
    if let Some(more) = names.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        what.push(&say!(" and {} more", more));
    }
    let (message, fix, notice) = if replaces {
        let fix = "let the program read it itself: name the variable or the file, not the value";
        (say!("the result held {}, which hookgate took out", what), fix, None)
    } else {
        let agent = event.agent.title;
        let notice = format!(
            "hookgate: this result holds {what}, and {agent} takes no other in its place: the model reads it, so rotate it"
        );
        (
            say!("the result holds {}", what),
            "don't repeat it or write it anywhere; tell the user to rotate it",
            Some(notice),
        )
    };
    let notice = notice.filter(|_| is_told);
    pass.findings.push(Finding {
        level,
        fix: Some(fix.into()),
        notice,
        ..Finding::new(IN_RESULT, Source::BuiltIn, message)
    });
    if replaces && pass.extras.tool_output.is_none() {
        pass.extras.tool_output = Some(new);
    }
}

/// The value with its certain secrets masked, in the same form; `None` where there are none. Their names and fingerprints are
/// added to `names`, each once.
fn without_secrets(value: &Value, secrets: &Secrets, names: &mut Vec<String>) -> Option<Value> {
    match value {
        Value::String(text) => {
            let found: Vec<Found<'_>> = scan(text)
                .into_iter()
                .filter(|one| one.certainty == Certainty::Certain)
                .filter(|one| {
                    let digits = fingerprint(text.get(one.range.clone()).unwrap_or_default());
                    let is_secret = !allows(secrets, &digits);
                    let name = format!("{}:{digits}", one.name);
                    if is_secret && !names.contains(&name) {
                        names.push(name);
                    }
                    is_secret
                })
                .collect();
            (!found.is_empty()).then(|| Value::String(masked(text, &found)))
        }
        Value::Array(items) => {
            let mut new = None;
            for (at, item) in items.iter().enumerate() {
                if let Some(item) = without_secrets(item, secrets, names)
                    && let Some(place) = new.get_or_insert_with(|| items.clone()).get_mut(at)
                {
                    *place = item;
                }
            }
            new.map(Value::Array)
        }
        Value::Object(fields) => {
            let mut new: Option<Map> = None;
            for (name, field) in fields {
                if let Some(field) = without_secrets(field, secrets, names) {
                    new.get_or_insert_with(|| fields.clone()).insert(name.clone(), field);
                }
            }
            new.map(Value::Object)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// A prompt with a secret in it is held back once where the policy asks: the person who sends it again has answered.
pub(crate) fn accept(at: &At<'_>, effects: &Effects, findings: &mut [Finding]) {
    if at.event.prompt().is_none() || !findings.iter().any(is_asked) {
        return;
    }
    let sent = name(effects).and_then(|name| at.host.kept(&at.event.session_id, &name)).is_some();
    for finding in findings.iter_mut().filter(|finding| is_asked(finding)) {
        if sent {
            finding.exception = Some("the person sent the prompt again".to_owned());
            finding.excuse = Some(Excuse::Answer);
        } else {
            finding.fix =
                Some("take it out of the prompt, or send the same prompt again to let it through".into());
        }
    }
}

/// Notes that a prompt is held back for its secrets.
pub(crate) fn held_back(at: &At<'_>, effects: &Effects, findings: &[Finding]) -> Option<Note> {
    at.event.prompt()?;
    findings.iter().any(is_asked).then_some(())?;
    Some(Note::Keep { name: name(effects)?, text: "held back".to_owned() })
}

fn is_asked(finding: &Finding) -> bool {
    CARRIED.contains(&finding.code.as_str()) && finding.applies() && finding.level == Level::Ask
}

/// A name for the secrets that a prompt carries.
fn name(effects: &Effects) -> Option<String> {
    let names = effects.effects.iter().filter_map(|effect| match (effect.kind, &effect.target) {
        (Kind::EmbedSecret, Some(Target::Name(name))) => Some(name.as_str()),
        _ => None,
    });
    let names: Vec<&str> = names.collect();
    (!names.is_empty())
        .then(|| format!("secrets-{}", digest(&names.join("\n")).get(..16).unwrap_or_default()))
}

/// Takes every piece of the event's secrets out of what is said about it. The fields of the answer that replace an input or a
/// result are left alone.
pub(crate) fn conceal(event: &Event, effects: &Effects, findings: &[Finding], verdict: &mut Verdict) {
    let Some(secrets) = Concealed::of(event, effects, findings) else { return };
    for text in verdict.reasons.iter_mut().chain(&mut verdict.context).chain(&mut verdict.notices) {
        secrets.take_out_of(text);
    }
    verdict.extras.suppress_original_prompt |= event.prompt().is_some();
}

/// The secrets of an event, so that no piece of them is said or written down.
pub(crate) struct Concealed<'e> {
    /// All runs of [`TELLING`] bytes of them.
    pieces: HashSet<&'e [u8]>,
    /// Those that are shorter than that.
    short: Vec<&'e str>,
}

impl<'e> Concealed<'e> {
    /// `None` where nothing found out about the event says that it has any.
    pub(crate) fn of(event: &'e Event, effects: &Effects, findings: &[Finding]) -> Option<Concealed<'e>> {
        let carries = effects.effects.iter().any(|effect| effect.kind == Kind::EmbedSecret);
        let returns = findings.iter().any(|finding| finding.code == IN_RESULT);
        if !carries && !returns {
            return None;
        }
        let mut texts = Vec::new();
        event.tool().iter().for_each(|call| call.input.values().for_each(|value| strings(value, &mut texts)));
        event.fields.values().for_each(|value| strings(value, &mut texts));
        let secrets =
            texts.into_iter().flat_map(|text| scan(text).into_iter().filter_map(|one| text.get(one.range)));
        let (mut pieces, mut short) = (HashSet::new(), Vec::new());
        for secret in secrets.take(MOST_CONCEALED) {
            if secret.len() < TELLING {
                short.push(secret);
            }
            pieces.extend(secret.as_bytes().windows(TELLING));
        }
        Some(Concealed { pieces, short })
    }

    /// Masks every piece of them in a text.
    pub(crate) fn take_out_of(&self, text: &mut String) {
        if let Some(masked) = mask(text) {
            *text = masked;
        }
        for short in &self.short {
            *text = text.replace(short, MASK);
        }
        let bytes = text.as_bytes();
        let (mut new, mut kept, mut masked_to) = (String::new(), 0, 0);
        for (at, window) in bytes.windows(TELLING).enumerate() {
            if !self.pieces.contains(window) {
                continue;
            }
            if at > masked_to || masked_to == 0 {
                new.push_str(text.get(kept..at).unwrap_or_default());
                new.push_str(MASK);
            }
            masked_to = at + TELLING;
            kept = masked_to;
        }
        if masked_to > 0 {
            new.push_str(text.get(kept..).unwrap_or_default());
            *text = new;
        }
    }
}

/// Stands where a piece of a secret was.
const MASK: &str = "[redacted]";

fn strings<'e>(value: &'e Value, texts: &mut Vec<&'e str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| strings(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
