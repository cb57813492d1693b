//! One rule that hit, whatever kind of rule it was.

use hookgate_policy::Level;
use hookgate_rules::Remedy;
use hookgate_shell::Span;
use hookgate_text::Message;

/// Who says so. Every source yields findings; [`join`](crate::join) treats them alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A built-in rule.
    BuiltIn,
    /// A rule of a policy file.
    Own,
    /// A rewrite.
    Rewrite,
    /// A hook under supervision.
    Hook,
    /// A check of the session's work: a gate, a judge, a linter.
    Check,
    /// A person's override: halt, pause, grant.
    Person,
}

/// What excuses a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuse {
    /// An exception of the policy.
    Exception,
    /// A person's grant of this very call.
    Grant,
    /// A person's yes to the same question in this session.
    Answer,
    /// The agent's own reason, which the policy lets it give.
    Agent,
}

impl Excuse {
    /// Its name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exception => "exception",
            Self::Grant => "grant",
            Self::Answer => "answer",
            Self::Agent => "agent",
        }
    }
}

/// One rule that hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The stable code.
    pub code: String,
    /// What it asks for, after the policy's levels.
    pub level: Level,
    /// What is wrong: lowercase, no full stop.
    pub message: Message,
    /// What to do instead.
    pub fix: Option<Message>,
    /// Will a corrected command be accepted?
    pub remedy: Remedy,
    /// The place in the command text.
    pub span: Span,
    /// The effects that it is about: what a grant covers, or a denial names.
    pub effects: Vec<usize>,
    /// It is none where git has all that is lost: what is assumed where git can't be asked.
    pub unless_kept: Option<bool>,
    /// Who says so.
    pub source: Source,
    /// Recorded, not applied.
    pub shadow: bool,
    /// The reason of the exception that was accepted for it.
    pub exception: Option<String>,
    /// What that exception is.
    pub excuse: Option<Excuse>,
    /// Text for the agent beside the decision.
    pub context: Option<String>,
    /// Text for the person beside the decision.
    pub notice: Option<String>,
    /// Whoever says so counts how often it holds back the end of work, so that it may do so again.
    pub bounded: bool,
}

impl Finding {
    /// A finding that is only recorded: its level and the rest are set by whoever finds it.
    #[must_use]
    pub fn new(code: &str, source: Source, message: Message) -> Finding {
        Finding {
            code: code.to_owned(),
            level: Level::Note,
            message,
            fix: None,
            remedy: Remedy::Fixable,
            span: Span::default(),
            effects: Vec::new(),
            unless_kept: None,
            source,
            shadow: false,
            exception: None,
            excuse: None,
            context: None,
            notice: None,
            bounded: false,
        }
    }

    /// Does it count in the join? Shadowed and excepted findings are only told.
    #[must_use]
    pub fn applies(&self) -> bool {
        !self.shadow && self.exception.is_none()
    }

    /// Does it guard the gate itself? Such a finding holds in every mode, and nothing is an exception to it.
    #[must_use]
    pub fn guards_gate(&self) -> bool {
        self.source == Source::BuiltIn && self.code.starts_with("GATE")
    }

    /// The sentence that the agent and the person read.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut text = format!("[{}] {}.", self.code, self.message);
        if let Some(fix) = &self.fix {
            text.push_str(" Fix: ");
            text.push_str(fix);
            text.push('.');
        }
        text
    }
}
