//! What the engine may ask of the machine. The `host` crate answers for real; tests answer with `hookgate_host::Fake`.

use std::collections::BTreeSet;
use std::time::Duration;

use hookgate_agents::HookOutput;
use hookgate_clients::{Client, Source};
use hookgate_effects::Places;
use hookgate_policy::{ExceptionLimits, HookProgram, SupervisedHook};
use hookgate_rules::Repositories;
use hookgate_rules::own::Branch;
use hookgate_session::{Entry, Record, Tail, Trace};

/// The machine, as far as a decision reads it. Every answer is bounded in time and size by the implementor.
pub trait Host: Repositories {
    /// Milliseconds since the Unix epoch.
    fn now(&self) -> u64;
    /// The agent's settings files that are there, with their texts.
    fn native_settings(&self, _client: &Client, _places: &Places) -> Vec<Source> {
        Vec::new()
    }
    /// Those of the agent's settings files into which `init` put the gate here, by its own records.
    fn installed_settings(&self, _client: &Client, _places: &Places) -> Vec<String> {
        Vec::new()
    }
    /// Has the person told the agent that they trust the project? `None` where that is not known.
    fn is_trusted_project(&self, _client: &Client, _places: &Places) -> Option<bool> {
        None
    }
    /// The directories in which the agent's programs are looked for, in their order; empty where that isn't known.
    fn search_path(&self) -> Vec<String> {
        Vec::new()
    }
    /// The branch that is checked out in `directory`.
    fn branch(&self, directory: &str) -> Branch;
    /// The files that git knows in the repository around a directory, below its root.
    fn git_tracked(&self, _directory: &str) -> Option<BTreeSet<String>> {
        None
    }
    /// What a call of git there is about, counted; `None` where that is not cheap to know.
    fn git_count(&self, _directory: &str, _question: &GitQuestion) -> Option<Count> {
        None
    }
    /// The codes that a person said yes to, for that question in that session.
    fn consented(&self, _session: &str, _question: &str) -> Vec<String> {
        Vec::new()
    }
    /// A name for the process that feeds this one its events: the same for all hooks of one agent, and another for whatever a
    /// call of that agent starts. `None` where it can't be told.
    fn feeder(&self) -> Option<String> {
        Some(String::new())
    }
    /// What hookgate recorded of a session; empty where nothing was.
    fn session_record(&self, _session: &str) -> Record {
        Record::default()
    }
    /// How well the judge of this name (see [`judge_name`](crate::judge_name)) agreed with labelled cases, and with how many.
    fn judge_measure(&self, _judge: &str) -> Option<(u32, f64)> {
        None
    }
    /// The agent's transcript, to be read from its end; `None` where there is no regular file.
    fn transcript(&self, _path: &str) -> Option<Box<dyn Tail>> {
        None
    }
    /// What was kept for the session under that name.
    fn kept(&self, _session: &str, _name: &str) -> Option<String> {
        None
    }
    /// The program of that name, as `PATH` finds it.
    fn program(&self, name: &str) -> Option<ProgramFile>;
    /// What this very file said when it was asked for its version; `None` if it was never asked. Starts no process.
    fn version(&self, program: &ProgramFile) -> Option<String>;
    /// Is every agent to stop?
    fn halted(&self) -> Option<Halt>;
    /// Is the gate silenced now?
    fn paused(&self) -> Option<Pause>;
    /// A person's grant that holds now for the call of this name (see [`crate::call_name`]), as it stands for this event of it.
    fn granted(&self, call: &str, of: GrantUse<'_>) -> Option<Grant>;
}

/// What happens on the machine because of an event, which whoever asks for a judgement does: see
/// [`decide`](crate::decide).
pub trait Memory {
    /// The machine that is read.
    fn host(&self) -> &dyn Host;
    /// A short identifier that no other decision of this machine has.
    fn decision_id(&self) -> String;
    /// Notes `key` for the session; true the first time. Where nothing can be stored, true every time.
    fn first_time(&self, session: &str, key: &str) -> bool;
    /// Notes that a person is asked about the call of that id. Bounded per session; a note that is lost is asked again.
    fn note_question(&self, session: &str, call: &str, question: &str, codes: &[String]);
    /// The call of that id ran: if it was asked about, the person said yes to that question.
    fn settle_question(&self, session: &str, call: &str);
    /// Runs hook programs at the same time on the event in hand; their outputs in the same order. Nothing where programs
    /// are not run, as when a command is judged by hand.
    fn run_hooks(&self, hooks: &[&SupervisedHook]) -> Vec<HookOutput>;
    /// Keeps a text for the session under a name, in the place of what was kept there. Bounded; where nothing can be stored,
    /// nothing is.
    fn keep(&self, _session: &str, _name: &str, _text: &str) {}
    /// Gives a file its old text back, or removes it where it had none. Says whether that was done.
    fn put_back(&self, _path: &str, _text: Option<&str>) -> bool {
        false
    }
    /// Halts every agent of this user, until a person lifts it.
    fn halt(&self, _reason: &str) {}
    /// The time that is left of the event's own deadline.
    fn time_left(&self) -> Duration {
        Duration::MAX
    }
    /// Waits, at most until the event's deadline.
    fn wait(&self, _length: Duration) {}
    /// Takes one of the exceptions that the limits leave to agents; false where they leave none. Where nothing is counted, there is
    /// always one left.
    fn take_exception(&self, _limits: ExceptionLimits) -> bool {
        true
    }
    /// Uses the grant for the call of this name; false where another call has used it, or where that can't be noted.
    fn use_grant(&self, _call: &str, _of: GrantUse<'_>) -> bool {
        true
    }
    /// Adds to the session's record, in one piece. Bounded; where nothing can be stored, nothing is.
    fn note_entries(&self, _session: &str, _entries: &[Entry]) {}
    /// Notes what a session does in the project's repository, for other sessions there. Bounded; where nothing can be stored,
    /// nothing is.
    fn note_trace(&self, _project: &str, _session: &str, _trace: &Trace) {}
    /// The session has ended: nothing of it is left in the project's repository.
    fn leave(&self, _project: &str, _session: &str) {}
    /// Runs programs at the same time, none beyond its own deadline and the event's; their outcomes in the same order. Nothing
    /// where programs are not run.
    fn run_programs(&self, _programs: &[ProgramCall]) -> Vec<ProgramOutcome> {
        Vec::new()
    }
}

/// A program to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCall {
    /// What is run.
    pub run: HookProgram,
    /// The directory that it runs in.
    pub directory: String,
    /// How long it may take.
    pub deadline: Duration,
    /// Its standard input.
    pub input: Vec<u8>,
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramOutcome {
    /// How it ended.
    pub end: ProgramEnd,
    /// Its standard output, bounded.
    pub stdout: Vec<u8>,
    /// Its standard error, bounded.
    pub stderr: Vec<u8>,
    /// All of its standard output is there.
    pub complete: bool,
    /// How long it took.
    pub took: Duration,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramEnd {
    /// With this exit code.
    Exit(i32),
    /// By a signal that isn't hookgate's.
    Signal,
    /// It was killed when its time was up.
    Deadline,
    /// It couldn't be started, for this reason.
    NotStarted(String),
}

/// A program's file, as it is now: what was learnt about it holds as long as all of this is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramFile {
    /// Where it is.
    pub path: String,
    /// The file's number.
    pub inode: u64,
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since the Unix epoch at which its content was changed.
    pub modified: i128,
    /// Nanoseconds since the Unix epoch at which anything about it was changed.
    pub changed: i128,
}

/// A stop of every agent, which anybody may order and only a person lifts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// Why; empty if nobody said it.
    pub reason: String,
    /// The file whose presence it is.
    pub sentinel: String,
}

/// A person's pause of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// When it ends, in milliseconds since the Unix epoch.
    pub until: u64,
}

/// A person's override of one decision: the same call in the same session passes the rules that had stopped it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The decision that it is for.
    pub decision: String,
    /// The rules that it is an exception to.
    pub codes: Vec<String>,
    /// When it ends, in milliseconds since the Unix epoch.
    pub until: u64,
    /// It is for one call, not for every such call until it ends.
    pub once: bool,
    /// When another call used it, in milliseconds since the Unix epoch; `None` while it is open to the one in hand.
    pub used: Option<u64>,
}

/// The event of a call that a grant is looked for. The events of one call share one use of a grant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrantUse<'a> {
    /// The agent's own name of the call; agents don't name it on every event.
    pub id: Option<&'a str>,
    /// It follows the event on which the call is let through: the agent's own question about it, or its result.
    pub follows: bool,
}

/// What there is to count before a call of git throws it away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitQuestion {
    /// Files below these absolute paths (all, if there are none) with changes that are not in the index, or that are not in
    /// the last commit.
    Changed {
        /// The paths.
        paths: Vec<String>,
        /// Against the last commit.
        since_commit: bool,
    },
    /// Files with changes that are not in the index, but for those in which a merge has conflicts: a merge that is going on
    /// made none of these changes.
    BesideMerge,
    /// Commits of the current branch that a revision has not. Their newest is [`Count::about`].
    Dropped {
        /// The revision that the branch is set to.
        target: String,
    },
    /// Files below these absolute paths (all, if there are none) that git does not know.
    Untracked {
        /// The paths.
        paths: Vec<String>,
        /// Which.
        what: Untracked,
    },
    /// Commits of the current branch behind a base that its branch at the remote has already.
    Published {
        /// A revision; `None` is the start of history.
        base: Option<String>,
    },
    /// Commits of branches that no other branch and no tag has.
    Unmerged {
        /// The branches. One that isn't there has none.
        branches: Vec<String>,
        /// Names of branches and tags that go with them, so that these keep nothing.
        gone: Vec<String>,
        /// Branches of remotes, as far as they are known here, keep commits as well.
        remotes: bool,
    },
    /// Commits that a branch at the remote has and the local one has not.
    Overwritten {
        /// The branch at the remote; `None` is the current one.
        branch: Option<String>,
        /// What is pushed to it; `None` is the branch of the same name.
        source: Option<String>,
    },
}

/// Which files that git does not know are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untracked {
    /// Those that it is told to ignore.
    pub ignored: bool,
    /// The others.
    pub others: bool,
    /// Those in directories of which it knows nothing, too.
    pub directories: bool,
}

/// A number of files or commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many were found.
    pub number: usize,
    /// Not everything was looked at.
    pub more: bool,
    /// The branch at the remote (`origin/main`), or the newest of them.
    pub about: Option<String>,
}
