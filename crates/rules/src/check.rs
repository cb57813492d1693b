//! The one entry: which rules hit.

use crate::kinds::Kinds;
use crate::rule::{Check, Facts, Hit, Rule};
use crate::rules::RULES;
use crate::scene::Scene;
use crate::seen::Seen;

/// Runs the rules that the event can interest and that are `enabled`, and hands every hit to `found`.
///
/// Rules are picked by the kinds of the event's effects first, so `enabled` is asked about few of them: it may be a
/// look-up. An event without a tool call interests no rule but those about what a prompt carries.
pub fn check(
    facts: &Facts<'_>,
    enabled: &mut dyn FnMut(&'static Rule) -> bool,
    found: &mut dyn FnMut(&'static Rule, Hit),
) {
    let is_call = facts.event.tool().is_some();
    if !is_call && (facts.effects.effects.is_empty() || facts.event.prompt().is_none()) {
        return;
    }
    let kinds: Kinds = facts.effects.effects.iter().map(|effect| effect.kind).collect();
    let mut hits = Vec::new();
    for rule in RULES {
        if !(is_call && rule.kinds.is_empty() || rule.kinds.meets(kinds)) || !enabled(rule) {
            continue;
        }
        match rule.check {
            Check::Each(check) => {
                let seen = Seen::each(facts).filter(|seen| rule.kinds.contains(seen.effect.kind));
                hits.extend(seen.filter_map(|seen| check(&seen)));
            }
            Check::Whole(check) => check(&Scene::of(facts), &mut hits),
            Check::Text(check) => check(facts, &mut hits),
        }
        for hit in hits.drain(..) {
            found(rule, hit);
        }
    }
}
