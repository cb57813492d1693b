//! The laws of the join (law 4), as properties.

use hookgate_agents::Decision;
use hookgate_effects::{Call, Certainty, Effect, Effects, Kind, Manner, Unknown};
use hookgate_engine::{Finding, Source, Standing, join};
use hookgate_policy::Level;
use hookgate_shell::Span;
use hookgate_text::Message;
use proptest::prelude::*;

const LEVELS: [Level; 7] =
    [Level::Off, Level::Note, Level::Allow, Level::Warn, Level::Ask, Level::Deny, Level::Halt];

fn finding(level: Level, effects: Vec<usize>, shadow: bool, excepted: bool) -> Finding {
    Finding {
        level,
        effects,
        shadow,
        exception: excepted.then(String::new),
        ..Finding::new("TEST001", Source::BuiltIn, Message::default())
    }
}

prop_compose! {
    fn any_finding()(
        level in prop::sample::select(&LEVELS[..]),
        effects in prop::collection::vec(0usize..4, 0..4),
        shadow in any::<bool>(),
        excepted in any::<bool>(),
    ) -> Finding {
        finding(level, effects, shadow, excepted)
    }
}

prop_compose! {
    /// Effects of calls, some of which carry others, and some of which the knowledge base does not list.
    fn any_effects()(
        kinds in prop::collection::vec(
            (prop::sample::select(vec![Kind::Read, Kind::Write, Kind::GitPush, Kind::Unknown(Unknown::Program)]), prop::option::of(0usize..4)),
            0..4,
        ),
        calls in prop::collection::vec((any::<bool>(), prop::option::of(0usize..4)), 0..4),
    ) -> Effects {
        let effects = kinds.into_iter().map(|(kind, call)| Effect {
            kind,
            target: None,
            recursive: false,
            certainty: Certainty::Certain,
            span: Span::default(),
            call: call.filter(|call| *call < calls.len()),
            note: None,
            manner: Manner::default(),
        });
        // A carrier stands before what it carries.
        let calls = calls.iter().enumerate().map(|(index, (listed, carrier))| Call {
            listed: *listed,
            carrier: carrier.filter(|carrier| *carrier < index),
            ..Call::default()
        });
        Effects { calls: calls.collect(), effects: effects.collect(), ..Effects::default() }
    }
}

/// The order in which adding a finding may move a decision: a grant is looser than silence.
fn strictness(decision: Decision) -> u8 {
    match decision {
        Decision::Allow => 0,
        Decision::Pass => 1,
        Decision::Handoff => 2,
        Decision::Ask => 3,
        Decision::Deny => 4,
        Decision::Halt => 5,
    }
}

proptest! {
    #[test]
    fn the_join_is_commutative_associative_and_idempotent(
        a in any_finding(), b in any_finding(), c in any_finding()
    ) {
        let [a, b, c] = [a, b, c].map(|finding| Standing::of(&finding));
        prop_assert_eq!(a.clone().join(b.clone()), b.clone().join(a.clone()));
        prop_assert_eq!(a.clone().join(b.clone()).join(c.clone()), a.clone().join(b.join(c)));
        prop_assert_eq!(a.clone().join(a.clone()), a);
    }

    #[test]
    fn the_order_of_findings_does_not_matter(
        findings in prop::collection::vec(any_finding(), 0..6), effects in any_effects(), turn in 0usize..6
    ) {
        let mut turned = findings.clone();
        turned.reverse();
        if !turned.is_empty() {
            let by = turn % turned.len();
            turned.rotate_left(by);
        }
        prop_assert_eq!(join(&findings).decide(&effects), join(&turned).decide(&effects));
    }

    #[test]
    fn a_denial_is_never_lost(
        findings in prop::collection::vec(any_finding(), 0..6), effects in any_effects(), handoff in any::<bool>()
    ) {
        let strictest = findings.iter().filter(|f| f.applies()).map(|f| f.level).filter(|l| l.refuses()).reduce(Level::stricter);
        let mut standing = join(&findings);
        if handoff {
            standing = standing.join(Standing::handoff());
        }
        let decision = standing.decide(&effects);
        match strictest {
            Some(Level::Halt) => prop_assert_eq!(decision, Decision::Halt),
            Some(_) => prop_assert_eq!(decision, Decision::Deny),
            None => prop_assert!(decision < Decision::Deny),
        }
    }

    #[test]
    fn allow_covers_every_effect_and_none_unknown(
        findings in prop::collection::vec(any_finding(), 0..6), effects in any_effects()
    ) {
        if join(&findings).decide(&effects) == Decision::Allow {
            for (index, effect) in effects.effects.iter().enumerate() {
                prop_assert!(!matches!(effect.kind, Kind::Unknown(_)));
                let covered = findings.iter().any(|finding| {
                    finding.applies() && finding.level == Level::Allow && finding.effects.contains(&index)
                });
                prop_assert!(covered);
            }
            for (index, call) in effects.calls.iter().enumerate() {
                let told = effects.effects.iter().any(|effect| effect.call == Some(index))
                    || effects.calls.iter().any(|call| call.carrier == Some(index));
                prop_assert!(call.listed || told, "a call of which nothing is known is granted");
            }
        }
    }

    #[test]
    fn what_is_withheld_takes_grants_away_and_nothing_else(
        findings in prop::collection::vec(any_finding(), 0..6), effects in any_effects()
    ) {
        let alone = join(&findings).decide(&effects);
        let withheld = join(&findings).join(Standing::withheld()).decide(&effects);
        prop_assert_eq!(withheld, if alone == Decision::Allow { Decision::Pass } else { alone });
    }

    #[test]
    fn what_is_shadowed_or_excepted_decides_nothing(
        findings in prop::collection::vec(any_finding(), 0..6), idle in any_finding(), shadow in any::<bool>(),
        effects in any_effects()
    ) {
        let idle = finding(idle.level, idle.effects, shadow, !shadow);
        prop_assert_eq!(join(findings.iter().chain([&idle])).decide(&effects), join(&findings).decide(&effects));
    }

    #[test]
    fn adding_a_rule_never_loosens_but_by_an_allow_rules_own_coverage(
        findings in prop::collection::vec(any_finding(), 0..6), added in any_finding(), effects in any_effects()
    ) {
        let before = join(&findings).decide(&effects);
        let after = join(findings.iter().chain([&added])).decide(&effects);
        if added.level == Level::Allow {
            prop_assert!(after == before || (before, after) == (Decision::Pass, Decision::Allow));
        } else {
            prop_assert!(strictness(after) >= strictness(before), "{before:?} became {after:?}");
        }
    }

    #[test]
    fn a_handoff_takes_grants_away_and_nothing_else(
        findings in prop::collection::vec(any_finding(), 0..6), effects in any_effects()
    ) {
        let alone = join(&findings).decide(&effects);
        let handed = join(&findings).join(Standing::handoff()).decide(&effects);
        prop_assert_eq!(handed, if alone >= Decision::Ask { alone } else { Decision::Handoff });
    }
}
