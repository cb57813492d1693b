//! A small model of the decision, written down apart from the engine: over made-up situations it must say the same.
//!
//! A situation is a text of commands of which everything is known, and whatever can have a say about it. The property test
//! `model` and the fuzz target `decision` compare the two.

pub(crate) mod world;

use hookgate_agents::Decision;
use hookgate_policy::{Level, Mode, RewriteDecision, RewriteFallback};

/// The commands: nothing is done by the first, one thing by the next two, nothing is known of the last.
pub(crate) const COMMANDS: [&str; 4] = ["true", "touch", "mkdir", "mystery"];
const UNKNOWN: usize = 3;

/// A rule of the policy about one command.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) about: usize,
    pub(crate) level: Level,
    pub(crate) shadow: bool,
    /// There is an exception to it.
    pub(crate) excepted: bool,
    /// A person has granted this call past it.
    pub(crate) granted: bool,
    /// The rewrite says that it answers it.
    pub(crate) answered: bool,
}

/// A rewrite of one command into another.
#[derive(Clone, Debug)]
pub(crate) struct Rewrite {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) then: RewriteDecision,
    pub(crate) otherwise: RewriteFallback,
}

/// Everything that has a say.
#[derive(Clone, Debug)]
pub(crate) struct Situation {
    /// Which commands the text has, each at most once.
    pub(crate) commands: Vec<usize>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) rewrite: Option<Rewrite>,
    /// What a supervised hook says.
    pub(crate) hook: Option<Decision>,
    /// The agent's own rules stop this command.
    pub(crate) native: Option<usize>,
    pub(crate) mode: Mode,
    pub(crate) paused: bool,
    pub(crate) halted: bool,
    pub(crate) attended: bool,
    /// Where nobody can answer the agent's own rules decide.
    pub(crate) hand_off: bool,
}

fn rank(level: Level) -> u8 {
    match level {
        Level::Ask => 1,
        Level::Deny => 2,
        Level::Halt => 3,
        _ => 0,
    }
}

impl Situation {
    fn silent(&self) -> bool {
        self.paused || self.mode != Mode::Enforce
    }

    fn applies(&self, rule: &Rule) -> bool {
        let stops = rank(rule.level) > 0;
        let excepted = rule.excepted && (stops || rule.level == Level::Warn);
        !(self.silent() || rule.shadow || excepted || (rule.granted && stops))
    }

    /// The rules that apply to a text of these commands.
    fn about<'s>(&'s self, commands: &'s [usize]) -> impl Iterator<Item = &'s Rule> {
        self.rules.iter().filter(|rule| commands.contains(&rule.about) && self.applies(rule))
    }

    /// What comes out: the decision before it is known whether somebody can answer, and the decision.
    pub(crate) fn decide(&self) -> (Decision, Decision) {
        let stops = |commands: &[usize]| self.native.is_some_and(|one| commands.contains(&one));
        let wanted = self.rewrite.as_ref().filter(|one| self.commands.contains(&one.from));
        let handed_off = wanted.is_some() && !self.silent() && stops(&self.commands);
        let done = wanted.filter(|_| !self.silent() && !handed_off);
        let replaced = |one: &usize| done.filter(|done| done.from == *one).map_or(*one, |done| done.to);
        let new: Vec<usize> = self.commands.iter().map(replaced).collect();

        // What stops: rules about the old text that the rewrite does not answer, rules about the new one, the rest.
        let mut strictest = if self.halted { 3 } else { 0 };
        let answered = |rule: &Rule| done.is_some_and(|done| rule.answered && rule.about == done.from);
        let old = self.about(&self.commands).filter(|rule| !answered(rule));
        for rule in old.chain(self.about(&new)) {
            strictest = strictest.max(rank(rule.level));
        }
        let said = self.hook.filter(|_| !self.silent() && !self.halted);
        strictest = strictest.max(match said {
            Some(Decision::Ask) => 1,
            Some(Decision::Deny) => 2,
            Some(Decision::Halt) => 3,
            _ => 0,
        });
        if let Some(rewrite) = wanted.filter(|_| !self.silent()) {
            strictest = strictest.max(match (done.is_some(), rewrite.then, rewrite.otherwise) {
                (true, RewriteDecision::Ask, _) | (false, _, RewriteFallback::Ask) => 1,
                (false, _, RewriteFallback::Deny) => 2,
                _ => 0,
            });
        }

        // What is granted: each command by a rule, by the rewrite that made it, or all of them by the hook.
        let hook = said == Some(Decision::Allow) && done.is_none();
        let by_rewrite = |one: usize| {
            done.is_some_and(|done| done.then == RewriteDecision::Allow && done.to == one)
                // The same program may stand in the text of its own.
                && !self.commands.contains(&one)
        };
        let by_rule =
            |one: usize| self.about(&new).any(|rule| rule.level == Level::Allow && rule.about == one);
        let covered =
            |one: &usize| *one != UNKNOWN && (*one == 0 || hook || by_rewrite(*one) || by_rule(*one));
        let granted = hook
            || new.iter().any(|one| by_rule(*one))
            || done.is_some_and(|done| done.then == RewriteDecision::Allow);
        let allowed = granted && new.iter().all(covered);

        let before = match strictest {
            3 => Decision::Halt,
            2 => Decision::Deny,
            1 => Decision::Ask,
            _ if handed_off || (allowed && done.is_none() && stops(&new)) => Decision::Handoff,
            _ if allowed && !stops(&new) => Decision::Allow,
            _ => Decision::Pass,
        };
        let after = match before {
            Decision::Ask if !self.attended && self.hand_off && done.is_none() => Decision::Handoff,
            Decision::Ask if !self.attended => Decision::Deny,
            other => other,
        };
        (before, after)
    }
}
