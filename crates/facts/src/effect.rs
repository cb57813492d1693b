//! The words in which everything to the right of this room thinks.

use hookgate_shell::Span;

/// Everything that one event would do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// The programs that run, in the order in which they were met. Nested ones follow the one that runs them.
    pub calls: Vec<Call>,
    /// What happens. A call without effects of its own does nothing that outlasts it.
    pub effects: Vec<Effect>,
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
    /// The environment that is set for it in the text.
    pub environment: Vec<(String, Option<String>)>,
    /// Every option and subcommand is listed in the knowledge base. Where not, there is an
    /// [`Kind::Unknown`] effect as well.
    pub listed: bool,
    /// Who reads its output.
    pub output: Output,
    /// Nobody sees the values in what it reads: names, counts or masked text come out, or a variable keeps it.
    pub hidden: bool,
}

/// One argument after expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The text; `None` where it is computed.
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

/// The four kinds of *undecidable*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unknown {
    /// A program, subcommand, option or inline program text that nothing is known about.
    Program,
    /// A harmful effect on a target that is computed. The effect itself stands beside it.
    Target,
    /// The command word, or the text that a shell runs, is computed.
    Command,
    /// The text could not be analysed.
    Unparsed,
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// The kinds of effect. The names are what policies, knowledge files and JSON say.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[doc = $doc])+ $variant,)+
            /// Something that can't be decided.
            Unknown(Unknown),
        }

        /// The kinds without what they carry, for [`Kind::index`].
        enum Index { $($variant,)+ Unknown }

        impl Kind {
            /// The kind's place in a bit set, under 128: the four unknowns follow the others.
            #[must_use]
            pub const fn index(self) -> u8 {
                match self {
                    $(Kind::$variant => Index::$variant as u8,)+
                    Kind::Unknown(unknown) => Index::Unknown as u8 + unknown as u8,
                }
            }

            /// Every kind but the unknowns, with its name and what it means.
            pub const ALL: &'static [(Kind, &'static str, &'static str)] =
                &[$((Kind::$variant, $name, concat!($($doc),+)),)+];
        }
    };
}

kinds! {
    /// Reads a file or lists a directory.
    Read = "read",
    /// Creates or overwrites a file or directory.
    Write = "write",
    /// Adds to the end of a file.
    Append = "append",
    /// Deletes a file or tree.
    Delete = "delete",
    /// Moves a file away from here (the destination is a write).
    Move = "move",
    /// Makes a link at the target.
    Link = "link",
    /// Changes permissions.
    Permission = "permission",
    /// Changes ownership.
    Ownership = "ownership",
    /// Empties or overwrites a file so that its content is lost (`truncate`, `shred`).
    Destroy = "destroy",

    /// Builds the project.
    Build = "build",
    /// Runs the project's tests.
    Test = "test",
    /// Checks the project's sources without changing them.
    Lint = "lint",
    /// Rewrites the project's sources into their standard form.
    Format = "format",
    /// Runs code of the project (a script of the package, a program of the repository).
    ProjectCode = "project-code",
    /// Generates files in the project (scaffolds, lock files, bindings).
    Generate = "generate",

    /// Installs packages or programs into the project.
    Install = "install",
    /// Installs packages or programs for the user or the machine.
    InstallGlobal = "install-global",
    /// Removes packages or programs.
    Uninstall = "uninstall",
    /// Publishes a package, image or release.
    Publish = "publish",

    /// Ends or signals processes.
    Kill = "kill",
    /// Runs with more rights than the person's own.
    Privilege = "privilege",
    /// Starts, stops or changes services.
    Service = "service",
    /// Changes the machine: power, kernel, mounts, users, firewall.
    System = "system",
    /// Writes to a disk or device, or makes a filesystem.
    Device = "device",
    /// Makes something run later (cron, at, launch agents).
    Schedule = "schedule",
    /// Sets what makes later programs run other code (`LD_PRELOAD`, `GIT_SSH_COMMAND`, a pager).
    Hijack = "hijack",
    /// Uses up the machine (fork bombs, endless output).
    Exhaust = "exhaust",

    /// Fetches from the network.
    Download = "download",
    /// Sends to the network.
    Upload = "upload",
    /// Listens on the network or opens a tunnel.
    Listen = "listen",
    /// Runs a command on another machine.
    RemoteShell = "remote-shell",
    /// Reads from a remote service by its own client (`gh pr list`), nothing secret.
    RemoteRead = "remote-read",
    /// Changes something at a remote service (`gh pr create`).
    RemoteChange = "remote-change",
    /// Deletes something at a remote service (`gh repo delete`), or takes it out of service.
    RemoteDelete = "remote-delete",
    /// Runs code that came from the network (`curl | sh`).
    RemoteCode = "remote-code",
    /// Runs code that was encoded or assembled (`base64 -d | sh`).
    HiddenCode = "hidden-code",

    /// Ordinary local git changes: add, switch, merge, stash, tag, new branch.
    GitChange = "git-change",
    /// A commit.
    GitCommit = "git-commit",
    /// Fetches or pulls.
    GitFetch = "git-fetch",
    /// An ordinary push.
    GitPush = "git-push",
    /// A push that can overwrite the remote's history.
    GitForcePush = "git-force-push",
    /// A forced push that checks first (`--force-with-lease`).
    GitLeasePush = "git-lease-push",
    /// Rewrites local history (rebase, amend, filter-branch).
    GitRewrite = "git-rewrite",
    /// Throws away uncommitted work (`reset --hard`, `checkout -- f`, `clean -f`).
    GitDiscard = "git-discard",
    /// Deletes a branch or tag that may hold unmerged work, here.
    GitDeleteRef = "git-delete-ref",
    /// Deletes a branch or tag at the remote.
    GitDeleteRemote = "git-delete-remote",
    /// Drops stashed work.
    GitDropStash = "git-drop-stash",
    /// Makes lost commits unrecoverable (reflog expire, gc --prune).
    GitPrune = "git-prune",
    /// Skips hooks or signatures.
    GitBypass = "git-bypass",
    /// Changes git's configuration.
    GitConfig = "git-config",

    /// Reads from a database.
    DatabaseRead = "database-read",
    /// Changes rows or schema.
    DatabaseChange = "database-change",
    /// Drops, truncates, or deletes without a condition.
    DatabaseDestroy = "database-destroy",
    /// Changes cloud resources.
    CloudChange = "cloud-change",
    /// Deletes cloud resources, or takes them out of service.
    CloudDestroy = "cloud-destroy",
    /// Changes a cluster.
    ClusterChange = "cluster-change",
    /// Deletes from a cluster, or takes part of it out of service.
    ClusterDestroy = "cluster-destroy",
    /// Applies infrastructure as code.
    InfrastructureChange = "infrastructure-change",
    /// Destroys infrastructure or its state.
    InfrastructureDestroy = "infrastructure-destroy",
    /// Runs or changes local containers.
    ContainerChange = "container-change",
    /// Deletes local containers, images or volumes.
    ContainerDestroy = "container-destroy",
    /// Gives a container the host (privileged, host root mounted).
    ContainerEscape = "container-escape",

    /// Reads or prints a secret.
    SecretRead = "secret-read",
    /// Sends a secret, or file content that may hold one, over the network.
    Exfiltrate = "exfiltrate",
    /// Changes keys, logins or other credentials.
    Credential = "credential",
    /// Reads or writes the clipboard.
    Clipboard = "clipboard",
    /// Starts another agent.
    Agent = "agent",
    /// Changes the gate or loosens it.
    Gate = "gate",
}

impl Kind {
    /// The kind's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Unknown(Unknown::Program) => "unknown-program",
            Kind::Unknown(Unknown::Target) => "unknown-target",
            Kind::Unknown(Unknown::Command) => "unknown-command",
            Kind::Unknown(Unknown::Unparsed) => "unparsed",
            kind => Kind::ALL.iter().find(|(k, ..)| *k == kind).map_or("", |(_, name, _)| name),
        }
    }

    /// Does it change a file, what it holds or what is known about it?
    #[must_use]
    pub const fn changes_file(self) -> bool {
        matches!(
            self,
            Kind::Write
                | Kind::Append
                | Kind::Delete
                | Kind::Move
                | Kind::Link
                | Kind::Permission
                | Kind::Ownership
                | Kind::Destroy
        )
    }

    /// Is it about a file?
    #[must_use]
    pub const fn is_about_file(self) -> bool {
        self.changes_file() || matches!(self, Kind::Read)
    }

    /// Is it about another machine?
    pub const fn is_about_host(self) -> bool {
        matches!(
            self,
            Kind::Download
                | Kind::Upload
                | Kind::Listen
                | Kind::RemoteShell
                | Kind::RemoteRead
                | Kind::RemoteChange
                | Kind::RemoteDelete
                | Kind::Exfiltrate
        )
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Kind> {
        Some(match name {
            "unknown-program" => Kind::Unknown(Unknown::Program),
            "unknown-target" => Kind::Unknown(Unknown::Target),
            "unknown-command" => Kind::Unknown(Unknown::Command),
            "unparsed" => Kind::Unknown(Unknown::Unparsed),
            name => Kind::ALL.iter().find(|(_, n, _)| *n == name)?.0,
        })
    }
}
