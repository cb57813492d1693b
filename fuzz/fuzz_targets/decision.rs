//! Any situation: the engine decides as the model of its decisions does.

#![no_main]

#[path = "../../crates/engine/tests/reference/mod.rs"]
mod reference;

use hookgate_agents::Decision;
use hookgate_policy::{Level, Mode, RewriteDecision, RewriteFallback};
use libfuzzer_sys::fuzz_target;
use reference::world::judged;
use reference::{COMMANDS, Rewrite, Rule, Situation};

/// Choices, one byte each; where there are no more, the first one.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, end: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % end
    }

    fn of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// Once in so many.
    fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == 1
    }
}

fn rule(from: &mut Choices<'_>) -> Rule {
    Rule {
        about: from.below(COMMANDS.len()),
        level: from.of(&Level::STRICTNESS),
        shadow: from.rarely(8),
        excepted: from.rarely(4),
        granted: from.rarely(4),
        answered: from.rarely(2),
    }
}

fn rewrite(choices: &mut Choices<'_>) -> Rewrite {
    let from = choices.below(COMMANDS.len());
    let to = (from + 1 + choices.below(COMMANDS.len() - 1)) % COMMANDS.len();
    let then = choices.of(&[RewriteDecision::Pass, RewriteDecision::Allow, RewriteDecision::Ask]);
    let otherwise = choices.of(&[RewriteFallback::Pass, RewriteFallback::Ask, RewriteFallback::Deny]);
    Rewrite { from, to, then, otherwise }
}

fuzz_target!(|bytes: &[u8]| {
    let mut from = Choices(bytes.iter());
    let mut commands: Vec<usize> = (0..COMMANDS.len()).collect();
    commands.rotate_left(from.below(COMMANDS.len()));
    commands.truncate(1 + from.below(COMMANDS.len()));
    let said = [Decision::Pass, Decision::Allow, Decision::Ask, Decision::Deny, Decision::Halt];
    let situation = Situation {
        commands,
        rewrite: from.rarely(2).then(|| rewrite(&mut from)),
        hook: from.rarely(4).then(|| from.of(&said)),
        native: from.rarely(4).then(|| from.below(COMMANDS.len())),
        mode: from.of(&[Mode::Enforce, Mode::Enforce, Mode::Enforce, Mode::Shadow, Mode::Off]),
        paused: from.rarely(8),
        halted: from.rarely(8),
        attended: from.rarely(2),
        hand_off: from.rarely(2),
        rules: (0..from.below(6)).map(|_| rule(&mut from)).collect(),
    };
    let judged = judged(&situation);
    let decided = (judged.before, judged.verdict.decision);
    assert_eq!(decided, situation.decide(), "{}\n{}", situation.text(), situation.policy());
});
