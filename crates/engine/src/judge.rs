//! From an event to what is decided about it: a pure function of what it is given.
//!
//! Every source (built-in rules, a policy's own, the agent's own rules, rewrites, supervised hooks, a person's orders) yields
//! findings and elements of the join. A [pass](crate::pass) looks at one input of the call. Where something puts another
//! input in the call's place, a second pass looks at that one, and [`settle`](crate::settle) merges both.

use hookgate_agents::{Decision, Verdict};
use hookgate_effects::Effects;
use hookgate_policy::Level;
use hookgate_prover::Refusal;
use hookgate_shell::Span;
use hookgate_text::Quoted;

use crate::change::{self, Outcome};
use crate::input::{At, Input};
use crate::native::Native;
use crate::pass::Pass;
use crate::settle::settle;
use crate::times::Time;
use crate::{Cause, Finding, Note, Notification, Rung, describe};

/// Everything that was found out about one event.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The decision's name.
    pub id: String,
    /// The decision by the rules alone: without shadow, pause, exceptions, grants and answers.
    pub would: Decision,
    /// The decision before unattended sessions and second stops had their say.
    pub before: Decision,
    /// What made the answer another than the rules did, in the order in which it had its say.
    pub causes: Vec<Cause>,
    /// Could somebody answer a question?
    pub attended: bool,
    /// Everything that hit, shadowed and excepted findings included, strictest first.
    pub findings: Vec<Finding>,
    /// What would have hit, but git keeps all that the call takes, or nothing is there.
    pub spared: Vec<Finding>,
    /// What the tool call does.
    pub effects: Effects,
    /// What is answered.
    pub verdict: Verdict,
    /// The command that would have been put in the call's place if the gate were not silent.
    pub planned: Option<String>,
    /// What is sent beside the answer.
    pub notifications: Vec<Notification>,
    /// Why the call isn't granted, where rules would have granted it and the prover didn't know all of it.
    pub refusal: Option<Refusal>,
    /// Supervised hooks that failed, by their code, and how.
    pub hook_failures: Vec<(String, String)>,
    /// The steps of an ending, each with what became of it.
    pub rungs: Vec<Rung>,
    /// What the runs of linters took.
    pub times: Vec<Time>,
    /// What is to be remembered and told once: the caller's to do, by [`Judged::carry_out`].
    pub notes: Vec<Note>,
}

impl Judged {
    /// Why the call isn't granted where rules would have granted it, or a part of it: `not granted: REASON, 14..22`.
    #[must_use]
    pub fn not_granted(&self) -> Option<String> {
        let (reason, span) = match &self.refusal {
            Some(refusal) => (refusal.reason.clone(), refusal.span),
            None => self.uncovered()?,
        };
        let place =
            if span.start == span.end { String::new() } else { format!(", {}..{}", span.start, span.end) };
        Some(format!("not granted: {reason}{place}"))
    }

    /// The first effect that no grant covers, where rules grant something of the call and nothing stops it.
    fn uncovered(&self) -> Option<(String, Span)> {
        let is_grant = |finding: &&Finding| finding.level == Level::Allow && finding.applies();
        if self.before != Decision::Pass || !self.findings.iter().any(|finding| is_grant(&finding)) {
            return None;
        }
        let is_covered =
            |index: usize| self.findings.iter().filter(is_grant).any(|grant| grant.effects.contains(&index));
        let mut effects = self.effects.effects.iter().enumerate();
        let (_, effect) = effects.find(|(index, _)| !is_covered(*index))?;
        Some((format!("no rule grants {}", Quoted::new(&describe(effect))), effect.span))
    }
}

/// Judges an event. The same input gives the same judgement, as often as it is asked for; nothing is written.
#[must_use]
pub fn judge(input: &Input<'_>) -> Judged {
    let native = Native::new(input.host, input.places);
    let at = At::new(input, &native);
    let mut first = Pass::of(input.event, &at);
    let proposed = change::propose(&mut first, &at, input.heard);
    settle(&at, first, proposed.changed, proposed.outcome)
}

/// Judges an event by what was found of it before the reading of it failed. Nothing puts another input in its place. What this
/// grants or passes counts for nothing: the rest isn't known.
#[must_use]
pub fn judge_found(input: &Input<'_>, found: Effects) -> Judged {
    let native = Native::new(input.host, input.places);
    let at = At::new(input, &native);
    let pass = Pass::of_effects(input.event, &at, found);
    settle(&at, pass, None, Outcome::default())
}
