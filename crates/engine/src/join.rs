//! The one function that joins findings into a decision (law 4).
//!
//! A [`Standing`] is an element of a join-semilattice: [`Standing::join`] is commutative, associative and idempotent, so
//! neither the order of rules, files and layers nor a finding said twice can change a verdict.

use std::collections::BTreeSet;

use hookgate_agents::Decision;
use hookgate_effects::{Effects, Kind};
use hookgate_policy::Level;

use crate::Finding;

/// What a set of findings amounts to, before it is known what there was to cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The strictest of ask, deny and halt; pass where none was said.
    strictest: Decision,
    /// An allow was said.
    granted: bool,
    /// The effects that allows cover.
    covered: BTreeSet<usize>,
    /// The agent's own rules decide: no grant of ours.
    handoff: bool,
    /// Nothing is granted, whatever else stands.
    withheld: bool,
}

impl Standing {
    /// What one finding amounts to.
    #[must_use]
    pub fn of(finding: &Finding) -> Standing {
        let mut standing = Standing::default();
        if !finding.applies() {
            return standing;
        }
        match finding.level {
            Level::Off | Level::Note | Level::Warn => {}
            Level::Allow => {
                standing.granted = true;
                standing.covered = finding.effects.iter().copied().collect();
            }
            Level::Ask => standing.strictest = Decision::Ask,
            Level::Deny => standing.strictest = Decision::Deny,
            Level::Halt => standing.strictest = Decision::Halt,
        }
        standing
    }

    /// What the agent's own permission rules amount to when they deny or ask by themselves.
    #[must_use]
    pub fn handoff() -> Standing {
        Standing { handoff: true, ..Standing::default() }
    }

    /// What withholds a grant, whatever else stands: a permission rule of the agent that the call breaks and the agent does
    /// not notice, a second key that is missing.
    #[must_use]
    pub fn withheld() -> Standing {
        Standing { withheld: true, ..Standing::default() }
    }

    /// Both.
    #[must_use]
    pub fn join(mut self, other: Standing) -> Standing {
        self.strictest = self.strictest.max(other.strictest);
        self.granted |= other.granted;
        self.handoff |= other.handoff;
        self.withheld |= other.withheld;
        self.covered.extend(other.covered);
        self
    }

    /// The decision on an event with these effects.
    ///
    /// Halt, deny and ask need one finding. Allow needs every effect covered, none unknown and every unlisted call told by
    /// one; a hand-off takes our own allow away, and nothing else.
    #[must_use]
    pub fn decide(&self, effects: &Effects) -> Decision {
        if self.strictest >= Decision::Ask {
            return self.strictest;
        }
        if self.handoff {
            return Decision::Handoff;
        }
        let coverable =
            effects.effects.iter().enumerate().all(|(index, effect)| {
                !matches!(effect.kind, Kind::Unknown(_)) && self.covered.contains(&index)
            });
        // What a call does that is not listed must be told by an effect of its own or by a call that it carries.
        let told = |index: usize| {
            effects.effects.iter().any(|effect| effect.call == Some(index))
                || effects.calls.iter().any(|call| call.carrier == Some(index))
        };
        let accounted = effects.calls.iter().enumerate().all(|(index, call)| call.listed || told(index));
        if self.granted && coverable && accounted && !self.withheld {
            Decision::Allow
        } else {
            Decision::Pass
        }
    }
}

/// Joins all findings.
#[must_use]
pub fn join<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Standing {
    findings.into_iter().map(Standing::of).fold(Standing::default(), Standing::join)
}
