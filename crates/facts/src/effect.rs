//! The words in which everything to the right of this room thinks.

use std::fmt;
use std::sync::Arc;

use hookgate_knowledge::{Change, Facet, OptionSpecification, Specification, program, shipped};
pub use hookgate_knowledge::{Kind, Manner, Part, Unknown};
use hookgate_shell::Span;

/// Everything that one event would do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// The programs that run, in the order in which they were met. Nested ones follow the one that runs them.
    pub calls: Vec<Call>,
    /// What happens. A call without effects of its own does nothing that outlasts it.
    pub effects: Vec<Effect>,
    /// The files whose whole text behind a shell's command is known.
    pub files: Vec<FileText>,
    /// The secrets that the event has only in pieces.
    pub composed: Vec<Composed>,
}

/// A secret that the event's text has only in pieces, which quotes, variables or a format put together.
#[derive(Clone, PartialEq, Eq)]
pub struct Composed {
    /// What it is, as its shape is named.
    pub name: String,
    /// The secret itself: never shown, only taken out of what is.
    pub secret: String,
    /// Only its name and its randomness speak for it.
    pub likely: bool,
    /// Where it is put together.
    pub span: Span,
}

impl fmt::Debug for Composed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Composed").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a file holds when the command is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// Its absolute path.
    pub path: String,
    /// All of its text.
    pub text: String,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// What.
    pub kind: Kind,
    /// To what; `None` where the kind says it all.
    pub target: Option<Target>,
    /// The whole tree under the target.
    pub recursive: bool,
    /// Is it sure to happen if the call runs?
    pub certainty: Certainty,
    /// The place in the command text; empty for other tools.
    pub span: Span,
    /// Index into [`Effects::calls`]; `None` for redirections and for tools without a command.
    pub call: Option<usize>,
    /// More about it, for messages: lowercase, no full stop (`"through a script fetched from example.com"`).
    pub note: Option<String>,
    /// How it happens, as far as somebody who judges it may want to know.
    pub manner: Manner,
}

/// How sure an effect is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It depends on something that can't be seen.
    Possible,
    /// It happens if the call runs.
    #[default]
    Certain,
}

/// What an effect is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A path, resolved and classed.
    Path(PathFact),
    /// A host name or address.
    Host(String),
    /// A branch, package, container, table, service, process, resource: by name.
    Name(String),
    /// Something computed: the text as written.
    Unresolved(String),
}

/// A path and what it is to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFact {
    /// Absolute, normalised, as the command names it (links not resolved). May end in a glob.
    pub path: String,
    /// With links resolved, where that differs.
    pub real: Option<String>,
    /// Where it lies; the worse of `path` and `real`.
    pub place: Place,
    /// What it is besides.
    pub traits: Traits,
    /// It holds a glob or stands for several paths.
    pub pattern: bool,
    /// What looks like a glob in it is part of the name: it was quoted, and the program expands none itself.
    pub literal: bool,
}

impl PathFact {
    /// Does its name say that it is a file of settings for the environment (`.env`, `.env.local`)?
    #[must_use]
    pub fn names_environment(&self) -> bool {
        self.path.rsplit('/').next().is_some_and(|name| name.starts_with(".env"))
    }
}

/// Where a path lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// `/dev/null`, `/dev/stdout` and their like: no effect at all.
    Null,
    /// A temporary directory, or below one.
    Temporary,
    /// Inside the project.
    Project,
    /// Below the home directory.
    Home,
    /// Anywhere else that is not the system's (`/data`, `/mnt/x`, `/srv`).
    Elsewhere,
    /// `/etc`, `/usr`, `/bin`, `/lib`, `/boot`, `/var`, `/System`, `/Library`, `/opt` and the like.
    System,
    /// `/dev/...` other than the harmless ones.
    Device,
}

/// What a path is besides its place: a set of the constants below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits(pub u16);

impl Traits {
    /// Keys, tokens, password stores, `.env` files.
    pub const SECRET: Traits = Traits(1);
    /// The filesystem root, a home directory, the project's root, or a directory above one of these.
    pub const ROOT: Traits = Traits(1 << 1);
    /// The gate's own policy, state or binary.
    pub const GATE: Traits = Traits(1 << 2);
    /// Hook settings of an agent.
    pub const AGENT_SETTINGS: Traits = Traits(1 << 3);
    /// Run at login, at the start of a shell, or on a schedule.
    pub const STARTUP: Traits = Traits(1 << 4);
    /// Inside a `.git` directory.
    pub const GIT: Traits = Traits(1 << 5);
    /// A git hook, or git configuration that can run programs.
    pub const GIT_HOOK: Traits = Traits(1 << 6);
    /// In a directory of `PATH`-like programs (`/usr/local/bin`, `~/.local/bin`).
    pub const PROGRAMS: Traits = Traits(1 << 7);
    /// What an agent loads: its servers, commands, skills, plugins, other agents.
    pub const AGENT_LOADS: Traits = Traits(1 << 8);
    /// What programs read or run when they start: their settings, plugins and launchers below a home.
    pub const SETTINGS: Traits = Traits(1 << 9);

    /// Does the set hold all of `other`?
    #[must_use]
    pub const fn contains(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets.
    #[must_use]
    pub const fn union(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

/// One program that runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// The program's name without directory, after aliases of the knowledge base (`python3.12` is `python`).
    pub program: String,
    /// The command word as it will be, directory included.
    pub word: String,
    /// What follows it.
    pub arguments: Vec<Argument>,
    /// The subcommand path that the knowledge base recognised: `["stash", "drop"]`.
    pub subcommand: Vec<String>,
    /// The command in the event's text.
    pub span: Span,
    /// The call that runs this one (`sudo`, `xargs`, `bash -c`).
    pub carrier: Option<usize>,
    /// Where the directory of the call was known: the directory.
    pub cwd: Option<String>,
    /// The environment that is set for it in the text; calls side by side share it.
    pub environment: Arc<Vec<(String, Option<String>)>>,
    /// Every option and subcommand is listed in the knowledge base. Where not, there is an
    /// [`Kind::Unknown`] effect as well.
    pub listed: bool,
    /// Who reads its output.
    pub output: Output,
    /// Its standard input says yes to whatever it asks.
    pub agreed: bool,
    /// What it says to people, in the order in which it was given: messages, titles, labels.
    pub said: Vec<Said>,
    /// Nobody sees the values in what it reads: names, counts or masked text come out, or a variable keeps it.
    pub hidden: bool,
}

impl Call {
    /// Does the program's file say that it acts as that (`shell`, `connector`, `manager`, `carrier`)?
    #[must_use]
    pub fn acts_as(&self, what: &str) -> bool {
        program(&self.program)
            .is_some_and(|program| program.specification().facets(Facet::ActsAs).any(|known| known == what))
    }

    /// The option with which this call would only show what it does, where the program has one that takes this effect away.
    #[must_use]
    pub fn trial(&self, kind: Kind) -> Option<&'static str> {
        let (trials, others) =
            (shipped().table("commands/words/trials"), shipped().table("commands/words/no-trials"));
        if !self.listed || self.arguments.iter().flat_map(|one| &one.text).any(|text| others.contains(text)) {
            return None;
        }
        let stops = |change| match change {
            Change::Nothing | Change::RemoveAll => true,
            Change::Remove(removed) => removed == kind,
            _ => false,
        };
        let is_trial = |name: &str| trials.contains(name);
        self.options()?
            .find(|(name, option)| is_trial(name) && option.changes().any(stops))
            .map(|(name, _)| name)
    }

    /// The long option with which this call would say that, if its program has one.
    #[must_use]
    pub fn saying(&self, part: Part) -> Option<&'static str> {
        let says = |change| change == Change::Says(part);
        let is_long = |name: &str| name.starts_with("--");
        self.options()?
            .find(|(name, option)| is_long(name) && option.changes().any(says))
            .map(|(name, _)| name)
    }

    /// The options that the program's file lists for this call, by each of their spellings: those of the subcommand first.
    fn options(&self) -> Option<impl Iterator<Item = (&'static str, OptionSpecification<'static>)>> {
        let subcommands: Vec<&str> = self.subcommand.iter().map(String::as_str).collect();
        let within = program(&self.program)?.specification().within(&subcommands);
        let options = within.into_iter().flat_map(Specification::options);
        Some(options.flat_map(|option| option.names().map(move |name| (name, option))))
    }

    /// Does the program only make files that hold what others hold?
    #[must_use]
    pub fn copies(&self) -> bool {
        program(&self.program)
            .is_some_and(|program| program.specification().facet(Facet::Fills) == Some("copy"))
    }

    /// Does the program only show names, sizes and dates of what it reads?
    #[must_use]
    pub fn lists(&self) -> bool {
        program(&self.program).is_some_and(|program| program.specification().has_facet(Facet::Lists))
    }
}

/// One argument after expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The text; `None` where it is computed.
    pub text: Option<String>,
    /// The place in the event's text.
    pub span: Span,
}

/// Something that a call says to people, or how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What it is.
    pub part: Part,
    /// The words, those of a file included; empty for what has none (a commit that is signed). `None` where they aren't
    /// known.
    pub text: Option<String>,
    /// The place in the event's text.
    pub span: Span,
}

/// Who reads a call's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// The agent.
    #[default]
    Agent,
    /// The next program of a pipe.
    Pipe,
    /// A file.
    File,
    /// A substitution.
    Substitution,
    /// A condition: only the exit code counts.
    Condition,
}
