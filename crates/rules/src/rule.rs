//! What a rule is, what it sees and what it says.

use hookgate_agents::Event;
use hookgate_clients::Missed;
use hookgate_effects::{Effects, Places};
use hookgate_shell::Span;
use hookgate_text::Message;

use hookgate_policy::{Conventions, Level};

use crate::kinds::Kinds;
use crate::packages::PackageFacts;
use crate::protected::ProtectedFacts;
use crate::repositories::RepositoryFacts;
use crate::scene::Scene;
use crate::seen::Seen;
use crate::sources::Sources;

/// What a rule may look at.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The event.
    pub event: &'a Event,
    /// What its tool call does.
    pub effects: &'a Effects,
    /// The places that its paths were judged against.
    pub places: &'a Places,
    /// The agent's own permission rules that the call breaks without the agent noticing.
    pub native: &'a [Missed],
    /// What the policy says about commits, pull requests, issues and branches.
    pub conventions: &'a Conventions,
    /// What the policy says about package managers; `None` where it says nothing.
    pub packages: Option<PackageFacts<'a>>,
    /// What may not be weakened, and the machine on which it is; `None` where no rule about that is in force.
    pub protected: Option<ProtectedFacts<'a>>,
    /// The repositories of the machine; `None` where no rule may ask about them.
    pub repositories: Option<RepositoryFacts<'a>>,
    /// The files that the call leaves; `None` where no rule may look at them.
    pub sources: Option<&'a Sources<'a>>,
}

impl<'a> Facts<'a> {
    /// The event and what it does, without what the policy and the agent's own rules say.
    #[must_use]
    pub fn of(event: &'a Event, effects: &'a Effects, places: &'a Places) -> Facts<'a> {
        const NOTHING: &Conventions = &Conventions::NONE;
        Facts {
            event,
            effects,
            places,
            native: &[],
            conventions: NOTHING,
            packages: None,
            protected: None,
            repositories: None,
            sources: None,
        }
    }
}

/// A built-in rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The stable code: group and three digits.
    pub code: &'static str,
    /// A short name in kebab case.
    pub name: &'static str,
    /// One line: what it is for.
    pub summary: &'static str,
    /// Its page, in Markdown; the examples in it are executed as tests.
    pub page: &'static str,
    /// The kinds of effect that it is about. An event without any of them is not shown to it; an empty set
    /// means every tool call.
    pub kinds: Kinds,
    /// What it finds.
    pub check: Check,
}

/// How a rule looks.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// At one effect at a time: called for each effect of the rule's kinds.
    Each(fn(&Seen<'_>) -> Option<Hit>),
    /// At the event as a whole: called once.
    Whole(fn(&Scene<'_>, &mut Vec<Hit>)),
    /// At the event's own texts, called once: for what puts another command in the place of one, and what compares a
    /// file before and after. No other rule sees the words of a command.
    Text(fn(&Facts<'_>, &mut Vec<Hit>)),
}

impl Rule {
    /// The letters of the code: `GIT` of `GIT004`.
    #[must_use]
    pub fn group(&self) -> &'static str {
        self.code.trim_end_matches(|c: char| c.is_ascii_digit())
    }
}

/// One place where a rule hit.
///
/// Under the level `allow`, a hit is a grant: `effects` are those that it covers, and an event is only allowed if
/// every one of its effects is covered and none is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// What is wrong: lowercase, no full stop.
    pub message: Message,
    /// What to do instead.
    pub fix: Option<Message>,
    /// Will a corrected command be accepted?
    pub remedy: Remedy,
    /// The place in the command text.
    pub span: Span,
    /// The effects that it is about (indices into [`Effects::effects`]): what a grant covers, or a denial names.
    pub effects: Vec<usize>,
    /// The level, where the policy gives it to this hit and not to its rule; a stricter one of the rule wins.
    pub level: Option<Level>,
    /// It is no hit where git can give back all that is lost, or nothing is. Where git can't be asked, this is taken for its
    /// answer; `None` where git isn't asked.
    pub unless_kept: Option<bool>,
    /// The command that is to run in its place, where the policy asks for that.
    pub replacement: Option<Replacement>,
}

/// A command in the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The code of the rule that asks for it.
    pub code: &'static str,
    /// The call that it replaces: an index into [`Effects::calls`].
    pub call: usize,
    /// Its place in the command text.
    pub span: Span,
    /// The new command, quoted for a shell.
    pub command: String,
}

impl Hit {
    /// Adds what to do instead: a command or a short sentence, lowercase, no full stop.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Message>) -> Hit {
        self.fix = Some(fix.into());
        self
    }

    /// It is no hit where git has all of it: ignored, or tracked and unchanged. `assumed` is its answer where it can't be
    /// asked. Asking costs more than judging, so the engine does it, for what would stop something.
    #[must_use]
    pub fn unless_git_keeps_it(mut self, assumed: bool) -> Hit {
        self.unless_kept = Some(assumed);
        self
    }

    /// No spelling of the command will be accepted.
    #[must_use]
    pub fn forbidden(mut self) -> Hit {
        self.remedy = Remedy::Forbidden;
        self
    }
}

/// What the agent can do about a denial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remedy {
    /// The corrected command will be accepted.
    #[default]
    Fixable,
    /// Not available by any tool.
    Forbidden,
}
