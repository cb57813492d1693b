//! What a person has ordered beside the policy: the halt and the grant, as findings and exceptions like any other.

use hookgate_policy::Level;
use hookgate_rules::Remedy;
use hookgate_text::{Message, Quoted, say};

use crate::input::At;
use crate::{Excuse, Finding, Halt, Source, call_name, text};

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
    let Some(grant) = call_name(at.event).and_then(|name| at.host.granted(&name)) else { return };
    for finding in findings.iter_mut().filter(|finding| open(finding)) {
        if grant.codes.contains(&finding.code) {
            finding.exception = Some(text::granted(&grant, at.host.now()));
            finding.excuse = Some(Excuse::Grant);
        }
    }
}
