//! What was decided, as a line of the audit log.

use std::time::Instant;

use hookgate_agents::Event;
use hookgate_engine::{Circumstances, Judged};

use crate::gate::Gate;

/// The session of the event by which `hookgate doctor` tries the gate. Nobody made that call.
pub(crate) const CANARY_SESSION: &str = "hookgate-doctor";

/// Appends the record. A log that can't be written changes no decision; the person hears of it once per session.
pub(crate) fn record(gate: &Gate, event: &Event, judgement: &mut Judged, start: Instant) {
    let Some(audit) = gate.audit().filter(|_| event.session_id != CANARY_SESSION) else { return };
    let outcome = hookgate_engine::outcome(event, gate.now());
    // What was said about a call that has run already, or what linters took to find nothing, is a decision beside its outcome.
    let is_decision = outcome.is_none() || !judgement.findings.is_empty() || !judgement.times.is_empty();
    let decided = is_decision.then(|| {
        hookgate_engine::record(
            event,
            judgement,
            &Circumstances {
                now: gate.now(),
                micros: u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX),
                policy: &gate.policy_hash(),
                content: gate.policy().audit.content,
                project: gate.project(),
            },
        )
    });
    let written = decided.into_iter().chain(outcome).try_for_each(|line| audit.append(&line));
    if let Err(error) = written {
        gate.tell_unrecorded(event, &audit, &error, judgement);
    }
}
