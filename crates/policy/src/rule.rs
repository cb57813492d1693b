//! A policy's own rules, exceptions and test cases.

use crate::date::Date;
use crate::event_set::EventSet;
use crate::glob::Glob;
use crate::level::Level;
use crate::pattern::{PathPattern, RunPattern, TextPattern};
use crate::source::LayerKind;
use hookgate_agents::{Decision, Extras, Map};
use hookgate_effects::Kind;

/// A `[[rule]]` of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnRule {
    /// Its code.
    pub code: String,
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// The line of its file where it starts, from 1.
    pub line: usize,
    /// The events that it applies to.
    pub on: EventSet,
    /// What must hold.
    pub when: Condition,
    /// What it asks for, after `[rules]` had its say.
    pub then: Level,
    /// Why; empty if nobody said it.
    pub reason: String,
    /// What to do instead.
    pub fix: Option<String>,
    /// A fact for the agent, whatever is decided.
    pub context: Option<String>,
    /// A notice for the person.
    pub tell_user: Option<String>,
    /// The complete new tool input.
    pub updated_input: Option<Map>,
    /// What else the answer holds (`set`, and `updated-permissions`).
    pub set: Option<Box<Extras>>,
    /// Judged and recorded, but without effect on the answer.
    pub shadow: bool,
    /// The last day on which it applies.
    pub until: Option<Date>,
}

/// A `[[exception]]`: a finding that it covers is told to the agent and decides nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Exception {
    /// The code that it is an exception to.
    pub code: String,
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// What must hold, for each effect that the finding is about.
    pub when: Condition,
    /// Why.
    pub reason: String,
    /// The last day on which it applies.
    pub until: Option<Date>,
}

/// A `[[case]]`: what the policy is expected to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The file that it stands in.
    pub path: String,
    /// The line where it starts, from 1.
    pub line: usize,
    /// What is judged.
    pub input: CaseInput,
    /// The directory that it is judged in, relative to the project.
    pub cwd: Option<String>,
    /// The decision.
    pub expect: Decision,
    /// The codes that must be found, if any are given.
    pub codes: Option<Vec<String>>,
    /// No other codes may be found.
    pub exactly: bool,
    /// The branch that is checked out, if it matters.
    pub branch: Option<String>,
    /// Environment variables of the session.
    pub environment: Vec<(String, String)>,
    /// The agent's permission mode, by its name.
    pub permission_mode: Option<String>,
}

/// What a case judges.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseInput {
    /// A shell command.
    Command(String),
    /// An event, as the agent would send it.
    Event(Map),
    /// A file with an event, relative to the policy.
    EventFile(String),
}

/// What must hold for a rule to apply.
///
/// It is tested against each effect of a tool call together with the command that has it (and against each
/// command without effects, and against an event without either): all parts must hold for the same one.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// All of them; nothing at all always holds.
    All(Vec<Condition>),
    /// One of them.
    Any(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
    /// A command of one of these forms.
    Run(Vec<RunPattern>),
    /// An effect of one of these kinds.
    Effect(Vec<Kind>),
    /// That is done to a path of one of these forms.
    Path(Access, Vec<PathPattern>),
    /// The effect's host.
    Host(Vec<Glob>),
    /// The effect's URL, without its scheme, name, query and fragment: `HOST/PATH`.
    Url(Vec<Glob>),
    /// What the call adds to the file that it writes.
    Content(Vec<TextPattern>),
    /// The message of the commit, merge or tag that the call makes.
    Message(Vec<TextPattern>),
    /// A part of the tool's input, by names with dots between them.
    Input(String, Vec<Glob>),
    /// The tool's name.
    Tool(Vec<Glob>),
    /// The MCP server's name.
    McpServer(Vec<Glob>),
    /// The MCP tool's name, without server.
    McpTool(Vec<Glob>),
    /// The person's prompt.
    Prompt(Vec<TextPattern>),
    /// The agent's last message.
    LastMessage(Vec<TextPattern>),
    /// The permission mode, by the agent's name for it.
    PermissionMode(Vec<String>),
    /// Is a person there to answer?
    Attended(bool),
    /// The subagent's type.
    AgentType(Vec<Glob>),
    /// The agent, by hookgate's name for it.
    Agent(Vec<String>),
    /// The checked-out branch.
    Branch(Vec<Glob>),
    /// An environment variable, of the command or of the session.
    Environment(String, Vec<Glob>),
    /// A field of the event, by the agent's name for it.
    Field(String, Vec<Glob>),
    /// Whether a subagent makes the call.
    Subagent(bool),
}

/// What is done to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is read.
    Read,
    /// It is created or changed. For a rule that restricts, moving it away and deleting it are changes too; a
    /// grant covers only what creates and fills a file.
    Write,
    /// It is deleted or its content is destroyed.
    Delete,
}

impl Access {
    /// Is an effect of this kind such an access? `grant` says that it is asked for a rule that allows.
    #[must_use]
    pub fn includes(self, kind: Kind, grant: bool) -> bool {
        match self {
            // What runs a file has read it.
            Access::Read => {
                kind == Kind::Read || (matches!(kind, Kind::SecretRead | Kind::ProjectCode) && !grant)
            }
            Access::Delete => matches!(kind, Kind::Delete | Kind::Destroy),
            Access::Write if grant => matches!(kind, Kind::Write | Kind::Append),
            Access::Write => kind.changes_file() || matches!(kind, Kind::Format | Kind::Generate),
        }
    }
}
