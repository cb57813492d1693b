//! `[[judge]]`: what only reading can tell about the agent's work, asked of a model.

use std::time::Duration;

use crate::event_set::EventSet;
use crate::hook::HookProgram;
use crate::rule::Condition;
use crate::source::LayerKind;

/// More criteria than this in one call aren't judged well by anybody.
pub(crate) const MOST_CRITERIA: usize = 20;

/// Questions to a model about the agent's work, asked when it wants to end.
#[derive(Clone, Debug, PartialEq)]
pub struct Judge {
    /// The code of its findings.
    pub code: String,
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// The line of its file that it begins on.
    pub line: usize,
    /// The events that it is asked on.
    pub on: EventSet,
    /// What must hold for it to be asked.
    pub when: Condition,
    /// What is asked, all in one call.
    pub criteria: Vec<Criterion>,
    /// Who is asked.
    pub model: ModelName,
    /// Where, instead of the provider's own address.
    pub url: Option<String>,
    /// Where the key comes from.
    pub key: KeySource,
    /// What the model reads.
    pub evidence: Vec<EvidenceKind>,
    /// How long all of it may take.
    pub deadline: Duration,
    /// What an ending gets that couldn't be judged.
    pub on_error: JudgeFailure,
    /// How often it may hold back after one prompt.
    pub max_blocks: u32,
    /// How often its model may be asked in a session.
    pub max_calls: u32,
    /// Recorded, not applied.
    pub shadow: bool,
    /// It may hold back without having been measured on labelled cases.
    pub unmeasured: bool,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// Its name.
    pub id: String,
    /// The question, as the model reads it.
    pub ask: String,
}

/// A provider and its model: `anthropic:claude-haiku-4-5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelName {
    /// The provider.
    pub provider: Provider,
    /// The model, by the provider's name.
    pub model: String,
}

/// Who runs the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// The Messages API of Anthropic.
    Anthropic,
    /// The chat completions of OpenAI, which many servers speak.
    OpenAi,
    /// An agent that is installed and logged in, without its tools and hooks: its program, and behind an `@` the model that it is to ask.
    Agent,
}

impl Provider {
    /// Every provider with its name.
    pub const ALL: [(Provider, &'static str); 3] =
        [(Provider::Anthropic, "anthropic"), (Provider::OpenAi, "openai"), (Provider::Agent, "agent")];

    /// The name in a policy.
    #[must_use]
    pub fn name(self) -> &'static str {
        Provider::ALL.iter().find(|(provider, _)| *provider == self).map_or("", |(_, name)| name)
    }
}

/// Where a provider's key comes from. It is never in a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// The variable that the provider's own tools read.
    Usual,
    /// This variable of the environment.
    Variable(String),
    /// What this program prints.
    Program(HookProgram),
    /// None is needed.
    Nothing,
}

/// What the model reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceKind {
    /// What the user wrote and answered, from hookgate's record, and the agent's last messages.
    Messages,
    /// The commands that ran, with their outcome and the end of their output, from hookgate's record.
    Commands,
    /// The files that were edited, from hookgate's record.
    Edits,
    /// The difference of the work tree from the last commit.
    Diff,
}

impl EvidenceKind {
    /// Every kind with its name.
    pub const ALL: [(EvidenceKind, &'static str); 4] = [
        (EvidenceKind::Messages, "messages"),
        (EvidenceKind::Commands, "commands"),
        (EvidenceKind::Edits, "edits"),
        (EvidenceKind::Diff, "changes"),
    ];
}

/// What an ending gets that couldn't be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JudgeFailure {
    /// It passes, and the user reads that it isn't verified.
    #[default]
    Pass,
    /// It is held back, as often as the caps allow.
    Deny,
}
