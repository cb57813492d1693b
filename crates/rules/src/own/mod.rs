//! A policy's own rules, tested against an event.
//!
//! A condition is tested against one *subject* at a time: an effect with the call that has it, a call without
//! effects, or the event itself where there is neither. So `{ run = "sed **", write = "db/**" }` means a `sed` that
//! writes there, not a `sed` beside something else that does.
//!
//! What is not known counts against the agent: a rule that restricts holds where it may hold, a rule that allows
//! only where it surely does.

mod asked;
mod field;
mod path;
mod test;
mod written;

use std::cell::OnceCell;

use hookgate_effects::{PathFact, Place, Places, Target, Traits};
use hookgate_policy::{Condition, Date, EventSet, Level, OwnRule, PathPattern};
use hookgate_shell::Span;
use hookgate_text::{Message, Quoted, say};

use crate::{Facts, Remedy};
use asked::Asked;
use test::Subject;

/// Does one of the patterns match an absolute path, as for a rule that restricts?
#[must_use]
pub fn path_matches(patterns: &[PathPattern], path: &str, places: &Places) -> bool {
    let fact = PathFact {
        path: path.to_owned(),
        real: None,
        place: Place::Elsewhere,
        traits: Traits::default(),
        pattern: false,
        literal: true,
    };
    path::matches(patterns, &fact, false, places, false)
}

/// What is checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Branch {
    /// This branch.
    Named(String),
    /// None: there is no repository, or its head is detached.
    None,
    /// It can't be told. A rule that restricts a branch holds then, and one that grants does not.
    Unknown,
}

/// What an own rule may ask besides the facts. Nothing of it is looked up before a rule asks.
pub trait Session {
    /// The branch that is checked out where the call runs.
    fn branch(&self) -> Branch;
    /// An environment variable of the session.
    fn variable(&self, name: &str) -> Option<String>;
    /// Today.
    fn today(&self) -> Date;
    /// Whether a person is available to answer.
    fn attended(&self) -> bool;
}

/// May one of the patterns match what is done to a path?
pub(crate) fn matches_path(
    patterns: &[PathPattern],
    fact: &PathFact,
    recursive: bool,
    places: &Places,
) -> bool {
    path::matches(patterns, fact, recursive, places, false)
}

/// May one of the patterns match a file at an absolute path?
#[must_use]
pub fn matches(patterns: &[PathPattern], file: &str, places: &Places) -> bool {
    path::matches_file(patterns, file, places)
}

/// An event, ready to be tested against own rules.
pub struct Question<'a> {
    facts: Facts<'a>,
    session: &'a dyn Session,
    subjects: Vec<Subject>,
    /// The arguments of each call.
    arguments: Vec<OnceCell<Vec<Option<&'a str>>>>,
    branch: OnceCell<Branch>,
    today: OnceCell<Date>,
}

/// An own rule that holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<'p> {
    /// The rule.
    pub rule: &'p OwnRule,
    /// Where, and what is said about it.
    pub hit: crate::Hit,
}

impl<'a> Question<'a> {
    /// Prepares an event.
    #[must_use]
    pub fn new(facts: Facts<'a>, session: &'a dyn Session) -> Question<'a> {
        let effects = facts.effects;
        let mut subjects: Vec<Subject> = effects
            .effects
            .iter()
            .enumerate()
            .map(|(index, effect)| Subject { call: effect.call, effect: Some(index) })
            .collect();
        let mut idle = vec![true; effects.calls.len()];
        for call in effects.effects.iter().filter_map(|effect| effect.call) {
            if let Some(idle) = idle.get_mut(call) {
                *idle = false;
            }
        }
        let idle = idle.into_iter().enumerate().filter(|(_, idle)| *idle);
        subjects.extend(idle.map(|(call, _)| Subject { call: Some(call), effect: None }));
        if subjects.is_empty() {
            subjects.push(Subject { call: None, effect: None });
        }
        let arguments = effects.calls.iter().map(|_| OnceCell::new()).collect();
        Question { facts, session, subjects, arguments, branch: OnceCell::new(), today: OnceCell::new() }
    }

    /// The rules that hold, in the policy's order.
    #[must_use]
    pub fn check<'p>(&self, rules: &'p [OwnRule]) -> Vec<Hit<'p>> {
        let event = EventSet::of(&self.facts.event.name);
        let mut hits = Vec::new();
        for rule in rules {
            if rule.on.intersection(event).is_empty() || rule.until.is_some_and(|until| self.today() > until)
            {
                continue;
            }
            let asked = if rule.then == Level::Allow { Asked::TO_LOOSEN } else { Asked::TO_RESTRICT };
            let mut subjects =
                self.subjects.iter().copied().filter(|subject| self.holds(&rule.when, *subject, asked));
            if let Some(first) = subjects.next() {
                let rest: Vec<Subject> = subjects.collect();
                hits.push(Hit { rule, hit: self.hit(rule, first, &rest) });
            }
        }
        hits
    }

    /// Is the event one of these, and may the condition hold for anything about it? For programs that are run on events.
    #[must_use]
    pub fn applies(&self, on: EventSet, when: &Condition) -> bool {
        !on.intersection(EventSet::of(&self.facts.event.name)).is_empty()
            && self.subjects.iter().any(|subject| self.holds(when, *subject, Asked::TO_RESTRICT))
    }

    /// Does a condition surely hold for everything that a finding is about: for these effects, or for the event as a
    /// whole if there are none? For exceptions.
    #[must_use]
    pub fn covers(&self, condition: &Condition, effects: &[usize]) -> bool {
        if effects.is_empty() {
            return self.subjects.iter().all(|subject| self.holds(condition, *subject, Asked::TO_LOOSEN));
        }
        effects.iter().all(|effect| {
            let call = self.facts.effects.effects.get(*effect).and_then(|effect| effect.call);
            self.holds(condition, Subject { call, effect: Some(*effect) }, Asked::TO_LOOSEN)
        })
    }

    /// Today, for entries that expire.
    #[must_use]
    pub fn today(&self) -> Date {
        *self.today.get_or_init(|| self.session.today())
    }

    fn hit(&self, rule: &OwnRule, first: Subject, rest: &[Subject]) -> crate::Hit {
        let effects: Vec<usize> =
            std::iter::once(&first).chain(rest).filter_map(|subject| subject.effect).collect();
        let message = if rule.reason.is_empty() {
            let what = self.describe(first);
            say!("rule {} of the {} policy applies{}", Quoted::new(&rule.code), rule.layer.name(), what)
        } else {
            Message::in_their_words(&rule.reason)
        };
        crate::Hit {
            message,
            fix: rule.fix.as_deref().map(Message::in_their_words),
            remedy: if rule.fix.is_some() { Remedy::Fixable } else { Remedy::Forbidden },
            span: self.span(first),
            effects,
            level: None,
            unless_kept: None,
            replacement: None,
        }
    }

    /// What the subject is, for a message: ` to write /p/a` or nothing.
    fn describe(&self, subject: Subject) -> Message {
        let effects = self.facts.effects;
        if let Some(effect) = subject.effect.and_then(|index| effects.effects.get(index)) {
            let kind = effect.kind.name();
            return match &effect.target {
                Some(Target::Path(fact)) => say!(" to {} {}", kind, Quoted::new(&fact.path)),
                Some(Target::Host(text) | Target::Name(text) | Target::Unresolved(text)) => {
                    say!(" to {} {}", kind, Quoted::new(text))
                }
                None => say!(" to {}", kind),
            };
        }
        let call = subject.call.and_then(|index| effects.calls.get(index));
        call.map_or_else(Message::default, |call| say!(" to run {}", Quoted::new(&call.program)))
    }

    fn span(&self, subject: Subject) -> Span {
        let effects = self.facts.effects;
        let effect = subject.effect.and_then(|index| effects.effects.get(index)).map(|effect| effect.span);
        let call = || subject.call.and_then(|index| effects.calls.get(index)).map(|call| call.span);
        effect.filter(|span| span.end > span.start).or_else(call).unwrap_or_default()
    }
}
