//! What puts another input in the call's place: a rule's `updated-input`, a rewrite, a supervised hook. At most one does.

use hookgate_agents::{Event, EventName, Map};
use hookgate_policy::{Level, Mode, RewriteDecision};

use crate::hooks::Heard;
use crate::input::{At, is_call};
use crate::pass::Pass;
use crate::rewrite::{self, Applied};
use crate::{Finding, Note, Standing};

/// Another input in the call's place, which is judged by a pass of its own.
pub(crate) struct Change {
    /// The event with that input.
    pub(crate) event: Event,
    /// The input.
    pub(crate) input: Map,
    by: By,
}

/// Who wants it.
enum By {
    /// An own rule, with what it says if it allows it.
    Rule(Option<Finding>),
    /// Rewrites, each of its part.
    Rewrites {
        applied: Vec<Applied>,
        /// The agent's own rules allow the old text.
        inherited: bool,
    },
    /// A supervised hook.
    Hook,
}

/// Another input, and what a pass says about it.
pub(crate) struct Changed<'a> {
    pub(crate) change: Change,
    pub(crate) pass: Pass<'a>,
}

/// What was proposed, and what is known already of how it ends.
pub(crate) struct Proposed<'a> {
    pub(crate) changed: Option<Changed<'a>>,
    pub(crate) outcome: Outcome,
}

/// What is said about proposals beside findings.
#[derive(Default)]
pub(crate) struct Outcome {
    /// An input of an event that is no call, which nothing judges.
    pub(crate) unjudged: Option<Map>,
    /// The command that the rewrites would have made if the gate were not silent.
    pub(crate) planned: Option<String>,
    pub(crate) notes: Vec<Note>,
}

/// Adds what rewrites and hooks say to the first pass, and picks the new input: the first own rule's, else what the rewrites
/// make of the call, else the first hook's. Where the agent stops the call by itself, it meets the call that its rules were
/// written for, and there is none.
pub(crate) fn propose<'a>(first: &mut Pass<'a>, at: &At<'a>, heard: &Heard) -> Proposed<'a> {
    let mut outcome = Outcome::default();
    let wanted = first.wanted.take().filter(|_| !at.silent);
    let mut changed = None;
    if let Some(wanted) = wanted {
        if !is_call(at.event) {
            outcome.unjudged = Some(wanted.input.clone());
        } else if !is_handed_off(first, at) {
            let allows = wanted.rule.then == Level::Allow;
            let own = first.findings.iter().find(|finding| allows && finding.code == wanted.rule.code);
            changed = Some(Changed::new(wanted.input.clone(), By::Rule(own.cloned()), at));
        }
    } else if rewrites(first, at) {
        changed = rewritten(first, at, &mut outcome);
    }
    if changed.is_none()
        && at.event.name == EventName::PreToolUse
        && let Some(input) = heard.new_input().filter(|_| !at.silent)
        && !is_handed_off(first, at)
    {
        changed = Some(Changed::new(input.clone(), By::Hook, at));
    }
    first.findings.extend(heard.restrictions());
    first.extras.fill_from(&heard.extras());
    outcome.notes.extend(heard.notes.iter().cloned());
    Proposed { changed, outcome }
}

/// Does the agent stop the call by itself? Then nothing of ours is granted.
fn is_handed_off(first: &mut Pass<'_>, at: &At<'_>) -> bool {
    let stops = at.native.stops(at.event, &first.effects, &first.native);
    if stops && !at.silent {
        first.standing = std::mem::take(&mut first.standing).join(Standing::handoff());
    }
    stops
}

/// Is there anything to rewrite?
fn rewrites(first: &Pass<'_>, at: &At<'_>) -> bool {
    !(at.policy.rewrites.is_empty() && first.replacements.is_empty())
        && is_call(at.event)
        && at.policy.mode != Mode::Off
}

fn rewritten<'a>(first: &mut Pass<'a>, at: &At<'a>, outcome: &mut Outcome) -> Option<Changed<'a>> {
    let mut plan = rewrite::plan(at, &first.effects, &first.replacements);
    if plan.changes() && is_handed_off(first, at) {
        plan.drop_all("the agent's own rules decide about it");
    }
    let mut changed = plan.input(at.event).map(|input| {
        let applied = plan.applied();
        let inherited = applied.iter().any(|one| one.then == RewriteDecision::Inherit)
            && at.native.allows(at.event, &first.effects);
        Changed::new(input, By::Rewrites { applied, inherited }, at)
    });
    // What the rules would make of that one would have to be judged in its turn.
    if changed.as_ref().is_some_and(|new| new.pass.wanted.is_some()) {
        plan.drop_all("a rule wants another command in the place of the new one");
        changed = None;
    }
    first.findings.extend(plan.findings(at.silent));
    if at.silent {
        outcome.planned = changed.and_then(|new| new.change.command().map(str::to_owned));
        return None;
    }
    outcome.notes.append(&mut plan.notes);
    changed
}

impl<'a> Changed<'a> {
    fn new(input: Map, by: By, at: &At<'a>) -> Changed<'a> {
        let change = Change { event: at.event.with_input(&input), input, by };
        let pass = Pass::of(&change.event, at);
        Changed { change, pass }
    }
}

impl Change {
    /// Is the new input the answer to what was found about the old one?
    pub(crate) fn answers(&self, finding: &Finding, old: &Pass<'_>) -> bool {
        match &self.by {
            By::Rewrites { applied, .. } if !finding.guards_gate() => {
                applied.iter().any(|one| one.answers(finding, &old.effects))
            }
            _ => false,
        }
    }

    /// The grants that come with it. What was granted to the old input is none to the new one.
    pub(crate) fn grants(&self, new: &Pass<'_>, heard: &Heard) -> Vec<Finding> {
        let effects = &new.effects;
        match &self.by {
            By::Rule(own) => own
                .iter()
                .map(|own| Finding { effects: (0..effects.effects.len()).collect(), ..own.clone() })
                .collect(),
            By::Hook => heard.grants_of_new_input(effects),
            By::Rewrites { applied, inherited } => {
                let whole = applied.iter().all(|one| one.then == RewriteDecision::Inherit);
                let grants = applied.iter().filter_map(|one| match one.then {
                    RewriteDecision::Allow => Some(one.grant(effects)),
                    RewriteDecision::Inherit if *inherited => Some(one.inherit(effects, whole)),
                    _ => None,
                });
                grants.collect()
            }
        }
    }

    /// The new command, if the tool takes one.
    pub(crate) fn command(&self) -> Option<&str> {
        self.event.tool()?.shell_text()
    }
}
