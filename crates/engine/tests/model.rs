//! The engine and the [model](reference) of its decisions say the same.

#![expect(clippy::panic, clippy::indexing_slicing, reason = "a test may panic, and says where")]

mod reference;

use hookgate_agents::Decision;
use hookgate_policy::{Level, Mode, RewriteDecision, RewriteFallback};
use proptest::prelude::*;
use reference::world::judged;
use reference::{COMMANDS, Rewrite, Rule, Situation};

prop_compose! {
    fn any_rule()(
        about in 0..COMMANDS.len(),
        level in prop::sample::select(&Level::STRICTNESS[..]),
        (shadow, excepted, granted, answered) in (prop::bool::weighted(0.1), prop::bool::weighted(0.2), prop::bool::weighted(0.2), any::<bool>()),
    ) -> Rule {
        Rule { about, level, shadow, excepted, granted, answered }
    }
}

prop_compose! {
    fn any_rewrite()(
        from in 0..COMMANDS.len(),
        by in 1..COMMANDS.len(),
        then in prop::sample::select(vec![RewriteDecision::Allow, RewriteDecision::Ask, RewriteDecision::Pass]),
        otherwise in prop::sample::select(vec![RewriteFallback::Pass, RewriteFallback::Ask, RewriteFallback::Deny]),
    ) -> Rewrite {
        Rewrite { from, to: (from + by) % COMMANDS.len(), then, otherwise }
    }
}

prop_compose! {
    fn any_situation()(
        commands in prop::sample::subsequence(vec![0, 1, 2, 3], 1..4).prop_shuffle(),
        rules in prop::collection::vec(any_rule(), 0..5),
        rewrite in prop::option::of(any_rewrite()),
        hook in prop::option::weighted(0.3, prop::sample::select(vec![Decision::Pass, Decision::Allow, Decision::Ask, Decision::Deny, Decision::Halt])),
        native in prop::option::weighted(0.3, 0..COMMANDS.len()),
        mode in prop_oneof![6 => Just(Mode::Enforce), 1 => Just(Mode::Shadow), 1 => Just(Mode::Off)],
        (paused, halted) in (prop::bool::weighted(0.1), prop::bool::weighted(0.1)),
        (attended, hand_off) in any::<(bool, bool)>(),
    ) -> Situation {
        Situation { commands, rules, rewrite, hook, native, mode, paused, halted, attended, hand_off }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_decides_as_the_model_does(situation in any_situation()) {
        let judged = judged(&situation);
        prop_assert_eq!((judged.before, judged.verdict.decision), situation.decide(), "{}\n{}", situation.text(), situation.policy());
    }
}
