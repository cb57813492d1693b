//! What a person has ordered beside the policy: the halt and the grant, as findings and exceptions like any other.

use hookgate_agents::Event;
use hookgate_policy::Level;
use hookgate_rules::Remedy;
use hookgate_shell::Span;

use crate::{Finding, Halt, Host, Source, call_name, text};

/// The finding that a halt is. It holds for every event and in every mode.
pub(crate) fn halt(halt: &Halt) -> Finding {
    let message = if halt.reason.is_empty() {
        format!("every agent is stopped ({} stands)", halt.sentinel)
    } else {
        format!("every agent is stopped: {}", halt.reason.trim_end_matches('.'))
    };
    Finding {
        code: "HALT001".to_owned(),
        level: Level::Halt,
        message,
        fix: Some("end the turn; a person lifts it with `hookgate resume`".to_owned()),
        remedy: Remedy::Forbidden,
        span: Span::default(),
        effects: Vec::new(),
        source: Source::Person,
        shadow: false,
        exception: None,
        context: None,
        notice: None,
    }
}

/// Accepts what a person granted for exactly this call. Looked for only where something would be stopped.
pub(crate) fn grant(event: &Event, host: &dyn Host, findings: &mut [Finding]) {
    let open = |finding: &Finding| {
        finding.applies()
            && finding.level >= Level::Ask
            && finding.source != Source::Person
            && !finding.guards_gate()
    };
    if !findings.iter().any(open) {
        return;
    }
    let Some(grant) = call_name(event).and_then(|name| host.granted(&name)) else { return };
    for finding in findings.iter_mut().filter(|finding| open(finding)) {
        if grant.codes.contains(&finding.code) {
            finding.exception = Some(text::granted(&grant, host.now()));
        }
    }
}
