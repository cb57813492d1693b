//! The kinds of effect: the words that knowledge files, policies and JSON share.

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
    /// Carries a secret in its own text: a token, a private key, a password in a URL.
    EmbedSecret = "embed-secret",
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
    #[must_use]
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

    /// The kind with that [`Kind::index`].
    #[must_use]
    pub fn from_index(index: u8) -> Option<Kind> {
        const UNKNOWN: [Unknown; 4] =
            [Unknown::Program, Unknown::Target, Unknown::Command, Unknown::Unparsed];
        let index = usize::from(index);
        match Kind::ALL.get(index) {
            Some((kind, ..)) => Some(*kind),
            None => UNKNOWN.get(index - Kind::ALL.len()).copied().map(Kind::Unknown),
        }
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
