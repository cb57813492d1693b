//! What makes an answer another than the rules alone would give: for the record, so that nobody has to guess.

use hookgate_agents::{Decision, Event};
use hookgate_effects::Effects;
use hookgate_policy::Mode;

use crate::input::At;
use crate::{Excuse, Finding, Standing, join};

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The policy's mode is `shadow`.
    ShadowMode,
    /// The policy's mode is `off`.
    ModeOff,
    /// A person has paused the gate.
    Pause,
    /// The rule itself is only tried out.
    ShadowRule,
    /// An exception, a grant or an earlier answer.
    Excused(Excuse),
    /// Rules would have granted the call, and the prover didn't know all of it.
    NotProven,
    /// The agent's own permission rules decide.
    ClientRules,
    /// Nobody could answer a question.
    Unattended,
    /// A stop is held back once.
    StopReleased,
    /// The agent can't take the new input.
    InputNotCarried,
    /// The event can't carry the decision.
    NotCarried,
}

impl Cause {
    /// Its name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ShadowMode => "shadow-mode",
            Self::ModeOff => "mode-off",
            Self::Pause => "pause",
            Self::ShadowRule => "shadow-rule",
            Self::Excused(excuse) => excuse.name(),
            Self::NotProven => "not-proven",
            Self::ClientRules => "client-rules",
            Self::Unattended => "unattended",
            Self::StopReleased => "stop-released",
            Self::InputNotCarried => "input-not-carried",
            Self::NotCarried => "not-carried",
        }
    }
}

/// The decision by the rules alone, and what came between it and `before`.
pub(crate) fn by_the_rules(
    at: &At<'_>,
    findings: &[Finding],
    standing: &Standing,
    effects: &Effects,
    before: Decision,
) -> (Decision, Vec<Cause>) {
    let mut causes = Vec::new();
    // Nearly no judgement has one, and then nothing is computed.
    if findings.iter().all(Finding::applies) {
        return (before, causes);
    }
    let strict: Vec<Finding> =
        findings.iter().map(|one| Finding { shadow: false, exception: None, ..one.clone() }).collect();
    let would = standing.clone().join(join(&strict)).decide(effects);
    if would == before {
        return (would, causes);
    }
    if at.host.paused().is_some() {
        causes.push(Cause::Pause);
    }
    match at.policy.mode {
        Mode::Shadow => causes.push(Cause::ShadowMode),
        Mode::Off => causes.push(Cause::ModeOff),
        Mode::Enforce => {}
    }
    if !at.silent && findings.iter().any(|one| one.shadow) {
        causes.push(Cause::ShadowRule);
    }
    for excuse in [Excuse::Exception, Excuse::Grant, Excuse::Answer, Excuse::Agent] {
        if findings.iter().any(|one| one.excuse == Some(excuse)) {
            causes.push(Cause::Excused(excuse));
        }
    }
    (would, causes)
}

/// What comes between `before` and what the agent is told: the decision after nobody could answer, after a second stop, and of the
/// verdict.
pub(crate) fn by_the_session(
    event: &Event,
    before: Decision,
    degraded: Decision,
    released: Decision,
    told: Decision,
) -> impl Iterator<Item = Cause> {
    [
        (before == Decision::Handoff).then_some(Cause::ClientRules),
        (degraded != before).then_some(Cause::Unattended),
        (released != degraded).then_some(Cause::StopReleased),
        (told != released).then_some(Cause::InputNotCarried),
        (event.capabilities().carry(told) != told).then_some(Cause::NotCarried),
    ]
    .into_iter()
    .flatten()
}
