//! What each package manager calls things: `knowledge/packages/NAME.toml`, read in both directions.

use hookgate_knowledge::{Row, Table, shipped};
use hookgate_policy::PackageManager;

macro_rules! wanted {
    ($(#[doc = $about:literal])* $kind:ident: $($(#[doc = $text:literal])* $wanted:ident = $name:literal,)*) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $kind {
            $($(#[doc = $text])* $wanted,)*
        }

        impl $kind {
            /// All of them with their names. Where a manager has one name for several, the first of them is meant.
            pub(super) const ALL: &'static [($kind, &'static str)] = &[$(($kind::$wanted, $name),)*];

            fn name(self) -> &'static str {
                match self {
                    $($kind::$wanted => $name,)*
                }
            }
        }
    };
}

wanted! {
    /// What a call wants, whatever it is called.
    Verb:
    /// Installs what the project names.
    Sync = "sync",
    /// Installs exactly what the lockfile says.
    Frozen = "frozen",
    /// Adds packages to the project.
    Add = "add",
    /// Installs into the environment, whatever the project names (`pip install -r`).
    Environment = "environment",
    /// Removes packages from the project.
    Remove = "remove",
    /// Removes packages from the environment.
    Uninstall = "uninstall",
    /// Brings packages up to date.
    Update = "update",
    /// Writes the lockfile.
    Lock = "lock",
    /// Runs a command in the environment, or a script of the project.
    Run = "run",
    /// Runs the project's tests.
    Test = "test",
    /// Starts the project.
    Start = "start",
    /// Runs a program of a package: the installed one, else a fetched one.
    Execute = "execute",
    /// Runs a program of an installed package.
    ExecuteLocal = "execute-local",
    /// Fetches a package and runs its program.
    Fetch = "fetch",
    /// Makes a project.
    Init = "init",
    /// Makes a project from a template.
    Create = "create",
    /// Builds a package.
    Build = "build",
    /// Makes an environment.
    Environs = "environs",
    /// Lists what is installed.
    List = "list",
    /// Lists what is installed, as requirements.
    Freeze = "freeze",
    /// Shows what depends on what.
    Tree = "tree",
    /// Says more about a package.
    Show = "show",
    /// Writes the lockfile in another form.
    Export = "export",
    /// Checks that what is installed fits together.
    Check = "check",
    /// Lists what is out of date.
    Outdated = "outdated",
    /// Says why a package is there.
    Why = "why",
    /// Looks for known weaknesses.
    Audit = "audit",
    /// About the manager itself: free.
    Itself = "itself",
}

impl Verb {
    /// Is what follows the first operand somebody else's arguments?
    pub(super) fn carries(self) -> bool {
        use Verb::{Create, Execute, ExecuteLocal, Fetch, Run, Start, Test};
        matches!(self, Run | Test | Start | Execute | ExecuteLocal | Fetch | Create)
    }
}

wanted! {
    /// What an option wants.
    Flag:
    Dev = "dev",
    Peer = "peer",
    Optional = "optional",
    Exact = "exact",
    Tilde = "tilde",
    Global = "global",
    Production = "production",
    Locked = "locked",
    IgnoreScripts = "ignore-scripts",
    Force = "force",
    Recursive = "recursive",
    IfPresent = "if-present",
    Workspace = "workspace",
    Directory = "directory",
    Registry = "registry",
    Package = "package",
    Upgrade = "upgrade",
    Prerelease = "prerelease",
    Requirements = "requirements",
    Editable = "editable",
    Constraint = "constraint",
    Group = "group",
    With = "with",
    Without = "without",
    Only = "only",
    Extra = "extra",
    AllExtras = "all-extras",
    AllGroups = "all-groups",
    NoProject = "no-project",
    Index = "index",
    ExtraIndex = "extra-index",
    FindLinks = "find-links",
    NoIndex = "no-index",
    NoDependencies = "no-dependencies",
    NoCache = "no-cache",
    NoBinary = "no-binary",
    OnlyBinary = "only-binary",
    Target = "target",
    Prefix = "prefix",
    Reinstall = "reinstall",
    Python = "python",
    System = "system",
    SystemPackages = "system-packages",
    Prompt = "prompt",
    Clear = "clear",
    Hashes = "hashes",
    NoHashes = "no-hashes",
    Output = "output",
    DryRun = "dry-run",
    Verbose = "verbose",
    Tree = "tree",
    Outdated = "outdated",
    /// Asks nothing.
    Unasked = "unasked",
    /// Changes nothing that matters to another manager.
    Noise = "noise",
    /// The same, with a value.
    NoiseValue = "noise-value",
}

impl Flag {
    /// Does a value follow it?
    pub(super) fn takes_value(self) -> bool {
        use Flag::{
            Constraint, Directory, Editable, Extra, ExtraIndex, FindLinks, Group, Index, NoBinary,
            NoiseValue, Only, OnlyBinary, Output, Package, Prefix, Prompt, Python, Registry, Requirements,
            Target, With, Without, Workspace,
        };
        matches!(
            self,
            Constraint
                | Directory
                | Editable
                | Extra
                | ExtraIndex
                | FindLinks
                | Group
                | Index
                | NoBinary
                | NoiseValue
                | Only
                | OnlyBinary
                | Output
                | Package
                | Prefix
                | Prompt
                | Python
                | Registry
                | Requirements
                | Target
                | With
                | Without
                | Workspace
        )
    }
}

/// A manager's words.
#[derive(Clone, Copy)]
pub(super) struct Dialect {
    pub(super) subcommands: Table<'static>,
    pub(super) options: Table<'static>,
    /// Where a word that is no subcommand runs a script of the project: the subcommands that no row names.
    pub(super) others: Table<'static>,
    /// Options that a subcommand doesn't take, though another one does; `...` where nothing may stand behind it.
    lacks: Table<'static>,
}

/// The words of a manager.
pub(super) fn of(manager: PackageManager) -> Dialect {
    let table = |part: &str| shipped().table(&format!("packages/{}/{part}", manager.name()));
    Dialect {
        subcommands: table("subcommands"),
        options: table("options"),
        others: table("others"),
        lacks: table("lacks"),
    }
}

/// Is the verb in that list of a manager's file, of those that some release of it hasn't?
pub(super) fn lacks_verb(manager: PackageManager, list: &str, verb: Verb) -> bool {
    shipped().table(&format!("packages/{}/{list}", manager.name())).contains(verb.name())
}

impl Dialect {
    /// What the manager's subcommand of that name wants.
    pub(super) fn verb(self, name: &str) -> Option<Verb> {
        meaning(self.subcommands, name, Verb::ALL)
    }

    /// What the manager's option of that name wants.
    pub(super) fn flag(self, name: &str) -> Option<Flag> {
        meaning(self.options, name, Flag::ALL)
    }

    /// What the manager calls it.
    pub(super) fn subcommand(self, verb: Verb) -> Option<&'static str> {
        let name = self.subcommands.find(verb.name())?.cells().find(|name| !name.starts_with('<'))?;
        Some(name.strip_prefix('>').unwrap_or(name))
    }

    /// Does the subcommand of that name refuse the option, or, for `...`, whatever stands behind it?
    pub(super) fn refuses(self, name: &str, option: &str) -> bool {
        self.lacks.find(name).is_some_and(|row| row.cells().any(|lacking| lacking == option))
    }

    /// What the manager calls the option.
    pub(super) fn option(self, flag: Flag) -> Option<&'static str> {
        self.options.find(flag.name())?.cell(0)
    }
}

/// The first of all things wanted that the table has that name for; a name with `>` is only written, one with `<` only read.
fn meaning<T: Copy>(table: Table<'static>, name: &str, all: &[(T, &str)]) -> Option<T> {
    let place = |row: Row<'_>| all.iter().position(|(_, wanted)| *wanted == row.key());
    let named = table.rows().filter(|row| row.cells().any(|own| own.trim_start_matches('<') == name));
    named.filter_map(place).min().and_then(|place| all.get(place)).map(|(wanted, _)| *wanted)
}
