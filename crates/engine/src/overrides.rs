//! What a person has ordered beside the policy: the halt and the grant, as findings and exceptions like any other.

use hookgate_agents::{Decision, Event, EventName};
use hookgate_policy::Level;
use hookgate_rules::Remedy;
use hookgate_text::{Message, Quoted, say};

use crate::input::{At, is_call};
use crate::{Excuse, Finding, GrantUse, Halt, Judged, Memory, Source, call_name, text};

/// The finding that a halt is. It holds for every event and in every mode.
pub(crate) fn halt(halt: &Halt) -> Finding {
    let message = if halt.reason.is_empty() {
        say!("all agents are halted ({} exists)", Quoted::new(&halt.sentinel))
    } else {
        say!("all agents are halted: {}", Quoted::new(&halt.reason))
    };
    Finding {
        level: Level::Halt,
        fix: Some("end the turn; a person lifts it with `hookgate resume`".into()),
        remedy: Remedy::Forbidden,
        ..Finding::new("HALT001", Source::Person, message)
    }
}

/// The finding that a lost policy is: nobody knows what it would have said about the call.
pub(crate) fn unread(problem: &str) -> Finding {
    let message = say!(
        "the policy can't be read ({}) and has no earlier version, so only what is shown to be harmless passes",
        Message::in_their_words(problem)
    );
    Finding {
        level: Level::Ask,
        fix: Some("ask the user to fix the file; `hookgate test` shows every error".into()),
        remedy: Remedy::Forbidden,
        ..Finding::new("POLICY001", Source::Own, message)
    }
}

/// Accepts what a person granted for exactly this call. Looked for only where something would be stopped.
pub(crate) fn grant(at: &At<'_>, findings: &mut [Finding]) {
    let open = |finding: &Finding| {
        finding.applies()
            && finding.level.stops()
            && finding.source != Source::Person
            && !finding.guards_gate()
    };
    if !findings.iter().any(open) {
        return;
    }
    let Some(grant) = call_name(at.event).and_then(|name| at.host.granted(&name, event_of(at.event))) else {
        return;
    };
    let is_used = grant.used.is_some() || at.heard.grant_is_used;
    for finding in findings.iter_mut().filter(|finding| open(finding)) {
        if !grant.codes.contains(&finding.code) {
            continue;
        }
        if is_used {
            finding.context = Some(text::grant_is_used(&grant));
        } else {
            finding.exception = Some(text::granted(&grant, at.host.now()));
            finding.excuse = Some(Excuse::Grant);
        }
    }
}

/// Uses the grant that lets the call through; false where it can't be used any more. A call that is stopped all the same uses none.
pub(crate) fn use_grant(event: &Event, memory: &dyn Memory, judged: &Judged) -> bool {
    let is_granted = judged.findings.iter().any(|finding| finding.excuse == Some(Excuse::Grant));
    if !is_granted || !is_call(event) || judged.verdict.decision >= Decision::Deny {
        return true;
    }
    call_name(event).is_none_or(|name| memory.use_grant(&name, event_of(event)))
}

fn event_of(event: &Event) -> GrantUse<'_> {
    GrantUse {
        id: event.tool().and_then(|call| call.id.as_deref()).filter(|id| !id.is_empty()),
        follows: event.name != EventName::PreToolUse,
    }
}
