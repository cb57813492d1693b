//! Secrets beside the calls that carry them: in what a tool returned, in what a person wrote, and in our own words about both.

use std::collections::HashSet;

use hookgate_agents::{Event, EventName, Map, Value, Verdict};
use hookgate_effects::{Effects, Kind, Target, secret_name_of};
use hookgate_policy::{Level, Policy, Secrets};
use hookgate_secrets::{Certainty, Found, ends_of_name, fingerprint, mask, masked, scan_named};
use hookgate_text::{Message, Quoted, say};

use crate::pass::{Pass, level};
use crate::{Finding, Source, redact};

/// As many bytes of how a secret in pieces is written are looked for.
const MOST_WRITTEN: usize = 4096;

/// The rule about what a tool returned.
const IN_RESULT: &str = "SECRET103";
/// The rules about what a call or a prompt carries.
const CARRIED: [&str; 2] = ["SECRET101", "SECRET102"];
/// As many secrets of a result are named.
const MOST_NAMED: usize = 5;
/// As many bytes in a row of a secret tell something of it.
const TELLING: usize = 10;
/// As many bytes in a row of one that the event has only in pieces do.
const TELLING_PIECE: usize = 4;
/// The pieces of as many bytes of secrets are looked for in our own texts; whole ones are taken out of them in any case.
const MOST_CONCEALED: usize = 256 * 1024;

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
    let Some(new) = without_secrets("", result, &policy.secrets, &mut names) else { return };
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
/// added to `names`, each once. `name` is what the value is given to.
fn without_secrets(name: &str, value: &Value, secrets: &Secrets, names: &mut Vec<String>) -> Option<Value> {
    match value {
        Value::String(text) => {
            let found: Vec<Found<'_>> = scan_named(name, text)
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
                if let Some(item) = without_secrets(name, item, secrets, names)
                    && let Some(place) = new.get_or_insert_with(|| items.clone()).get_mut(at)
                {
                    *place = item;
                }
            }
            new.map(Value::Array)
        }
        Value::Object(fields) => {
            let mut new: Option<Map> = None;
            for (key, field) in fields {
                if let Some(field) = without_secrets(secret_name_of(fields, key), field, secrets, names) {
                    new.get_or_insert_with(|| fields.clone()).insert(key.clone(), field);
                }
            }
            new.map(Value::Object)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Is it about a secret in the event itself?
pub(crate) fn is_carried(finding: &Finding) -> bool {
    CARRIED.contains(&finding.code.as_str())
}

/// Takes every piece of the event's secrets out of what is said about it, and secrets of whatever origin that stand there whole:
/// a file's name may be one. The fields of the answer that replace an input or a result are left alone.
pub(crate) fn conceal(event: &Event, effects: &Effects, findings: &[Finding], verdict: &mut Verdict) {
    let secrets = Concealed::of(event, effects, findings);
    for text in verdict.reasons.iter_mut().chain(&mut verdict.context).chain(&mut verdict.notices) {
        secrets.take_out_of(text);
    }
    verdict.extras.suppress_original_prompt |= secrets.carries && event.prompt().is_some();
}

/// The secrets of an event, so that no piece of them is said or written down.
#[derive(Default)]
pub(crate) struct Concealed<'e> {
    /// Something found out about the event says that it has any.
    carries: bool,
    /// All runs of [`TELLING`] bytes of them.
    pieces: HashSet<&'e [u8]>,
    /// All runs of [`TELLING_PIECE`] bytes of those that the event has only in pieces.
    small: HashSet<&'e [u8]>,
    /// Those that are shorter than [`TELLING`].
    short: Vec<&'e str>,
}

impl<'e> Concealed<'e> {
    /// None of its secrets, where nothing found out about the event says that it has any.
    pub(crate) fn of(event: &'e Event, effects: &'e Effects, findings: &[Finding]) -> Concealed<'e> {
        let carries = effects.effects.iter().any(|effect| effect.kind == Kind::EmbedSecret);
        let returns = findings.iter().any(|finding| finding.code == IN_RESULT);
        let mut concealed = Concealed { carries, ..Concealed::default() };
        if !carries && !returns {
            return concealed;
        }
        let mut texts = Vec::new();
        if let Some(call) = event.tool() {
            strings_of(&call.input, &mut texts);
            texts.extend(ends_of_name(&call.name).map(|end| ("", end)));
        }
        strings_of(&event.fields, &mut texts);
        let secrets = texts.into_iter().flat_map(|(name, text)| {
            scan_named(name, text).into_iter().filter_map(|one| text.get(one.range))
        });
        let mut left = MOST_CONCEALED;
        for secret in secrets {
            left = left.saturating_sub(secret.len());
            if left == 0 {
                break;
            }
            concealed.add(secret);
        }
        let command = event.tool().and_then(|call| call.text("command")).unwrap_or_default();
        for one in &effects.composed {
            concealed.add(&one.secret);
            concealed.small.extend(one.secret.as_bytes().windows(TELLING_PIECE));
            // As it is written, with quotes and the like between its pieces.
            let written = one.span.of(command).as_bytes();
            concealed.pieces.extend(written.windows(TELLING).take(MOST_WRITTEN));
        }
        concealed
    }

    fn add(&mut self, secret: &'e str) {
        if secret.len() < TELLING {
            self.short.push(secret);
        }
        self.pieces.extend(secret.as_bytes().windows(TELLING));
    }

    /// A text as it is written down: without secrets and pieces of these.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let mut text = redact(text);
        self.take_out_of(&mut text);
        text
    }

    /// Masks every piece of them in a text, and whatever else is a secret there.
    pub(crate) fn take_out_of(&self, text: &mut String) {
        if let Some(masked) = mask(text) {
            *text = masked;
        }
        for short in &self.short {
            *text = text.replace(short, MASK);
        }
        without_pieces(&self.pieces, TELLING, text);
        without_pieces(&self.small, TELLING_PIECE, text);
    }
}

/// Masks the runs of `length` bytes that are pieces of a secret.
fn without_pieces(pieces: &HashSet<&[u8]>, length: usize, text: &mut String) {
    if pieces.is_empty() {
        return;
    }
    let (mut new, mut kept, mut masked_to) = (String::new(), 0, 0);
    for (at, window) in text.as_bytes().windows(length).enumerate() {
        if !pieces.contains(window) {
            continue;
        }
        if at > masked_to || masked_to == 0 {
            new.push_str(text.get(kept..at).unwrap_or_default());
            new.push_str(MASK);
        }
        masked_to = at + length;
        kept = masked_to;
    }
    if masked_to > 0 {
        new.push_str(text.get(kept..).unwrap_or_default());
        *text = new;
    }
}

/// Stands where a piece of a secret was.
const MASK: &str = "[redacted]";

/// The texts of a map, however deep, each with the name that it is given to.
fn strings_of<'e>(map: &'e Map, texts: &mut Vec<(&'e str, &'e str)>) {
    for (key, value) in map {
        strings(secret_name_of(map, key), value, texts);
    }
}

fn strings<'e>(name: &'e str, value: &'e Value, texts: &mut Vec<(&'e str, &'e str)>) {
    match value {
        Value::String(text) => texts.push((name, text)),
        Value::Array(items) => items.iter().for_each(|item| strings(name, item, texts)),
        Value::Object(fields) => strings_of(fields, texts),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
