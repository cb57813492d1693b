//! What each package manager calls things: one table per manager, read in both directions.

use hookgate_policy::PackageManager;

/// What a call wants, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// Installs what the project names.
    Sync,
    /// Installs exactly what the lockfile says.
    Frozen,
    /// Adds packages to the project.
    Add,
    /// Installs into the environment, whatever the project names (`pip install -r`).
    Environment,
    /// Removes packages from the project.
    Remove,
    /// Removes packages from the environment.
    Uninstall,
    /// Brings packages up to date.
    Update,
    /// Writes the lockfile.
    Lock,
    /// Runs a command in the environment, or a script of the project.
    Run,
    /// Runs the project's tests.
    Test,
    /// Starts the project.
    Start,
    /// Runs a program of a package: the installed one, else a fetched one.
    Execute,
    /// Runs a program of an installed package.
    ExecuteLocal,
    /// Fetches a package and runs its program.
    Fetch,
    /// Makes a project.
    Init,
    /// Makes a project from a template.
    Create,
    /// Builds a package.
    Build,
    /// Makes an environment.
    Environs,
    /// Lists what is installed.
    List,
    /// Lists what is installed, as requirements.
    Freeze,
    /// Shows what depends on what.
    Tree,
    /// Says more about a package.
    Show,
    /// Writes the lockfile in another form.
    Export,
    /// Checks that what is installed fits together.
    Check,
    /// Lists what is out of date.
    Outdated,
    /// Says why a package is there.
    Why,
    /// Looks for known weaknesses.
    Audit,
    /// About the manager itself: free.
    Itself,
}

impl Verb {
    /// Is what follows the first operand somebody else's arguments?
    pub(super) fn carries(self) -> bool {
        use Verb::{Create, Execute, ExecuteLocal, Fetch, Run, Start, Test};
        matches!(self, Run | Test | Start | Execute | ExecuteLocal | Fetch | Create)
    }
}

/// What an option wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Dev,
    Peer,
    Optional,
    Exact,
    Tilde,
    Global,
    Production,
    Locked,
    IgnoreScripts,
    Force,
    Recursive,
    IfPresent,
    Workspace,
    Directory,
    Registry,
    Package,
    Upgrade,
    Prerelease,
    Requirements,
    Editable,
    Constraint,
    Group,
    With,
    Without,
    Only,
    Extra,
    AllExtras,
    AllGroups,
    NoProject,
    Index,
    ExtraIndex,
    FindLinks,
    NoIndex,
    NoDependencies,
    NoCache,
    NoBinary,
    OnlyBinary,
    Target,
    Prefix,
    Reinstall,
    Python,
    System,
    SystemPackages,
    Prompt,
    Clear,
    Hashes,
    NoHashes,
    Output,
    DryRun,
    Verbose,
    Tree,
    Outdated,
    /// Changes nothing that matters to another manager.
    Noise,
    /// The same, with a value.
    NoiseValue,
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

/// A manager's words: names of a thing, separated by blanks, the first of them for writing. A name of two words has an
/// underscore between them.
pub(super) struct Dialect {
    pub(super) subcommands: &'static [(Verb, &'static str)],
    pub(super) options: &'static [(Flag, &'static str)],
    /// Where a word that is no subcommand runs a script of the project: the subcommands that no row names.
    pub(super) others: Option<&'static str>,
}

/// The words of a manager.
pub(super) fn of(manager: PackageManager) -> &'static Dialect {
    match manager {
        PackageManager::Uv => &UV,
        PackageManager::Poetry => &POETRY,
        PackageManager::Pipenv => &PIPENV,
        PackageManager::Pip => &PIP,
        PackageManager::Bun => &BUN,
        PackageManager::Pnpm => &PNPM,
        PackageManager::Yarn => &YARN,
        PackageManager::Npm => &NPM,
    }
}

static UV: Dialect = Dialect {
    subcommands: &[
        (Verb::Sync, "sync"),
        (Verb::Frozen, "sync_--locked"),
        (Verb::Add, "add"),
        (Verb::Environment, "pip_install"),
        (Verb::Remove, "remove"),
        (Verb::Uninstall, "pip_uninstall"),
        (Verb::Update, "sync_--upgrade"),
        (Verb::Lock, "lock"),
        (Verb::Run, "run"),
        (Verb::Init, "init"),
        (Verb::Build, "build"),
        (Verb::Environs, "venv"),
        (Verb::List, "pip_list"),
        (Verb::Freeze, "pip_freeze"),
        (Verb::Tree, "tree"),
        (Verb::Show, "pip_show"),
        (Verb::Export, "export"),
        (Verb::Check, "pip_check"),
        (Verb::Itself, "help version self tool cache python generate-shell-completion auth"),
    ],
    options: &[
        (Flag::Dev, "--dev"),
        (Flag::Group, "--group"),
        (Flag::With, "--group"),
        (Flag::Without, "--no-group"),
        (Flag::Only, "--only-group"),
        (Flag::Extra, "--extra"),
        (Flag::AllExtras, "--all-extras"),
        (Flag::AllGroups, "--all-groups"),
        (Flag::Production, "--no-dev"),
        (Flag::NoProject, "--no-install-project"),
        (Flag::Locked, "--locked --frozen"),
        (Flag::Requirements, "-r --requirements --requirement"),
        (Flag::Editable, "-e --editable"),
        (Flag::Constraint, "-c --constraints --constraint"),
        (Flag::Upgrade, "--upgrade -U"),
        (Flag::Prerelease, "--prerelease=allow"),
        (Flag::Index, "--index-url -i"),
        (Flag::ExtraIndex, "--extra-index-url"),
        (Flag::FindLinks, "--find-links -f"),
        (Flag::NoIndex, "--no-index"),
        (Flag::NoDependencies, "--no-deps"),
        (Flag::NoCache, "--no-cache -n"),
        (Flag::NoBinary, "--no-binary"),
        (Flag::OnlyBinary, "--only-binary"),
        (Flag::Target, "--target -t"),
        (Flag::Prefix, "--prefix"),
        (Flag::Reinstall, "--reinstall"),
        (Flag::Python, "--python -p"),
        (Flag::System, "--break-system-packages"),
        (Flag::SystemPackages, "--system-site-packages"),
        (Flag::Prompt, "--prompt"),
        (Flag::Clear, "--clear"),
        (Flag::Hashes, "--require-hashes"),
        (Flag::NoHashes, "--no-hashes"),
        (Flag::Output, "--output-file -o"),
        (Flag::Directory, "--directory"),
        (Flag::DryRun, "--dry-run"),
        (Flag::Verbose, "--verbose -v"),
        (Flag::Outdated, "--outdated"),
        (Flag::Noise, "-q --quiet --seed --no-progress --offline"),
        (Flag::NoiseValue, "--color"),
    ],
    others: None,
};

static POETRY: Dialect = Dialect {
    subcommands: &[
        (Verb::Sync, "install sync"),
        (Verb::Frozen, "sync"),
        (Verb::Add, "add"),
        (Verb::Remove, "remove"),
        (Verb::Uninstall, "remove"),
        (Verb::Update, "update"),
        (Verb::Lock, "lock"),
        (Verb::Run, "run"),
        (Verb::Init, "init new"),
        (Verb::Build, "build"),
        (Verb::List, "show"),
        (Verb::Tree, "show_--tree"),
        (Verb::Show, "show"),
        (Verb::Export, "export"),
        (Verb::Itself, "help about list self"),
    ],
    options: &[
        (Flag::Dev, "--group=dev --dev -D"),
        (Flag::Group, "--group -G"),
        (Flag::With, "--with"),
        (Flag::Without, "--without"),
        (Flag::Only, "--only"),
        (Flag::Extra, "--extras -E"),
        (Flag::AllExtras, "--all-extras"),
        (Flag::AllGroups, "--all-groups"),
        (Flag::Production, "--only=main --no-dev"),
        (Flag::NoProject, "--no-root"),
        (Flag::Prerelease, "--allow-prereleases"),
        (Flag::NoCache, "--no-cache"),
        (Flag::Directory, "--directory -C --project -P"),
        (Flag::NoHashes, "--without-hashes"),
        (Flag::Output, "--output -o"),
        (Flag::DryRun, "--dry-run"),
        (Flag::Verbose, "-v -vv -vvv --verbose"),
        (Flag::Tree, "--tree -t"),
        (Flag::Noise, "-n --no-interaction -q --quiet --no-ansi --ansi --sync --no-update --no-plugins"),
        (Flag::NoiseValue, "-f --format"),
    ],
    others: None,
};

static PIPENV: Dialect = Dialect {
    subcommands: &[
        (Verb::Sync, "install"),
        (Verb::Frozen, "sync"),
        (Verb::Add, "install"),
        (Verb::Environment, "install"),
        (Verb::Remove, "uninstall"),
        (Verb::Uninstall, "uninstall"),
        (Verb::Update, "update upgrade"),
        (Verb::Lock, "lock"),
        (Verb::Run, "run"),
        (Verb::Tree, "graph"),
        (Verb::Export, "requirements"),
        (Verb::Freeze, "requirements"),
        (Verb::Itself, "help"),
    ],
    options: &[
        (Flag::Dev, "--dev -d"),
        (Flag::Group, "--categories"),
        (Flag::Locked, "--deploy --ignore-pipfile"),
        (Flag::Requirements, "-r --requirements"),
        (Flag::Editable, "-e --editable"),
        (Flag::Prerelease, "--pre"),
        (Flag::Index, "--index -i"),
        (Flag::Python, "--python"),
        (Flag::System, "--system"),
        (Flag::Verbose, "--verbose -v"),
        (Flag::Clear, "--clear"),
        (Flag::Noise, "-q --quiet --skip-lock --keep-outdated --site-packages --bare"),
    ],
    others: None,
};

static PIP: Dialect = Dialect {
    subcommands: &[
        (Verb::Environment, "install"),
        (Verb::Add, "install"),
        (Verb::Uninstall, "uninstall"),
        (Verb::Remove, "uninstall"),
        (Verb::List, "list"),
        (Verb::Freeze, "freeze"),
        (Verb::Show, "show"),
        (Verb::Check, "check"),
        (Verb::Environs, "venv"),
        (Verb::Itself, "help debug completion"),
    ],
    options: &[
        (Flag::Requirements, "-r --requirement"),
        (Flag::Editable, "-e --editable"),
        (Flag::Constraint, "-c --constraint"),
        (Flag::Upgrade, "--upgrade -U"),
        (Flag::Prerelease, "--pre"),
        (Flag::Index, "--index-url -i --pypi-url"),
        (Flag::ExtraIndex, "--extra-index-url"),
        (Flag::FindLinks, "--find-links -f"),
        (Flag::NoIndex, "--no-index"),
        (Flag::NoDependencies, "--no-deps"),
        (Flag::NoCache, "--no-cache-dir"),
        (Flag::NoBinary, "--no-binary"),
        (Flag::OnlyBinary, "--only-binary"),
        (Flag::Target, "--target -t"),
        (Flag::Prefix, "--prefix"),
        (Flag::Reinstall, "--force-reinstall -I --ignore-installed"),
        (Flag::Python, "--python -p"),
        (Flag::System, "--break-system-packages"),
        (Flag::Group, "--group"),
        (Flag::Hashes, "--require-hashes"),
        (Flag::DryRun, "--dry-run"),
        (Flag::Verbose, "-v -vv -vvv --verbose"),
        (Flag::SystemPackages, "--system-site-packages"),
        (Flag::Prompt, "--prompt"),
        (Flag::Clear, "--clear"),
        (Flag::Outdated, "--outdated -o"),
        (
            Flag::Noise,
            "-q -qq --quiet -y --yes --no-input --disable-pip-version-check --no-color --isolated --no-warn-script-location --without-pip --upgrade-deps --no-python-version-warning --prefer-binary",
        ),
        (Flag::NoiseValue, "--progress-bar --root-user-action --retries --upgrade-strategy"),
    ],
    others: None,
};

static BUN: Dialect = Dialect {
    subcommands: &[
        (Verb::Sync, "install i"),
        (Verb::Frozen, "install_--frozen-lockfile ci"),
        (Verb::Add, "add a"),
        (Verb::Remove, "remove rm uninstall"),
        (Verb::Update, "update"),
        (Verb::Run, "run"),
        (Verb::Test, "run_test"),
        (Verb::Start, "run_start"),
        (Verb::Execute, "x"),
        (Verb::Fetch, "x"),
        (Verb::ExecuteLocal, "x"),
        (Verb::Init, "init"),
        (Verb::Create, "create"),
        (Verb::List, "pm_ls"),
        (Verb::Outdated, "outdated"),
        (Verb::Why, "why"),
        (Verb::Audit, "audit"),
        (Verb::Show, "info"),
        (Verb::Itself, "upgrade repl completions test build"),
    ],
    options: &[
        (Flag::Dev, "--dev -d -D"),
        (Flag::Peer, "--peer"),
        (Flag::Optional, "--optional"),
        (Flag::Exact, "--exact -E"),
        (Flag::Global, "--global -g"),
        (Flag::Production, "--production -p"),
        (Flag::Locked, "--frozen-lockfile"),
        (Flag::IgnoreScripts, "--ignore-scripts"),
        (Flag::Force, "--force -f"),
        (Flag::IfPresent, "--if-present"),
        (Flag::Workspace, "--filter -F"),
        (Flag::Directory, "--cwd"),
        (Flag::Registry, "--registry"),
        (Flag::Package, "--package"),
        (Flag::DryRun, "--dry-run"),
        (Flag::Verbose, "--verbose"),
        (Flag::Noise, "--silent --no-progress --no-summary --no-save -y --yes"),
    ],
    others: Some("pm link unlink publish patch patch-commit exec"),
};

static PNPM: Dialect = Dialect {
    subcommands: &[
        (Verb::Sync, "install i"),
        (Verb::Frozen, "install_--frozen-lockfile ci"),
        (Verb::Add, "add"),
        (Verb::Remove, "remove rm uninstall un"),
        (Verb::Update, "update up upgrade"),
        (Verb::Run, "run run-script"),
        (Verb::Test, "test t tst"),
        (Verb::Start, "start"),
        (Verb::ExecuteLocal, "exec"),
        (Verb::Fetch, "dlx"),
        (Verb::Execute, "dlx"),
        (Verb::Init, "init"),
        (Verb::Create, "create"),
        (Verb::List, "list ls la ll"),
        (Verb::Outdated, "outdated"),
        (Verb::Why, "why"),
        (Verb::Audit, "audit"),
        (Verb::Show, "view info show"),
        (Verb::Itself, "help self-update env setup completion"),
    ],
    options: &[
        (Flag::Dev, "--save-dev -D"),
        (Flag::Peer, "--save-peer"),
        (Flag::Optional, "--save-optional -O"),
        (Flag::Exact, "--save-exact -E"),
        (Flag::Global, "--global -g"),
        (Flag::Production, "--prod -P"),
        (Flag::Locked, "--frozen-lockfile"),
        (Flag::IgnoreScripts, "--ignore-scripts"),
        (Flag::Force, "--force"),
        (Flag::Recursive, "--recursive -r"),
        (Flag::IfPresent, "--if-present"),
        (Flag::Workspace, "--filter -F"),
        (Flag::Directory, "--dir -C"),
        (Flag::Registry, "--registry"),
        (Flag::Package, "--package"),
        (Flag::Noise, "--silent -s --save-prod --prefer-offline --no-color"),
        (Flag::NoiseValue, "--reporter --loglevel"),
    ],
    others: Some(
        "store prune publish pack link unlink import rebuild rb patch patch-commit patch-remove config c get set licenses deploy fetch server root bin prefix doctor approve-builds dedupe install-test it cat-file cat-index find-hash stage owner whoami login logout deprecate dist-tag search ping profile access token adduser edit star stars unpublish team docs repo bugs",
    ),
};

static YARN: Dialect = Dialect {
    subcommands: &[
        (Verb::Sync, "install"),
        (Verb::Frozen, "install_--frozen-lockfile"),
        (Verb::Add, "add"),
        (Verb::Remove, "remove"),
        (Verb::Update, "upgrade up"),
        (Verb::Run, "run"),
        (Verb::Test, "test"),
        (Verb::Start, "start"),
        (Verb::ExecuteLocal, "exec"),
        (Verb::Fetch, "dlx"),
        (Verb::Execute, "dlx"),
        (Verb::Init, "init"),
        (Verb::Create, "create"),
        (Verb::List, "list"),
        (Verb::Outdated, "outdated"),
        (Verb::Why, "why"),
        (Verb::Audit, "audit"),
        (Verb::Show, "info"),
        (Verb::Itself, "help version versions policies set"),
    ],
    options: &[
        (Flag::Dev, "--dev -D"),
        (Flag::Peer, "--peer -P"),
        (Flag::Optional, "--optional -O"),
        (Flag::Exact, "--exact -E"),
        (Flag::Tilde, "--tilde -T"),
        (Flag::Production, "--production --prod"),
        (Flag::Locked, "--frozen-lockfile --immutable --pure-lockfile"),
        (Flag::IgnoreScripts, "--ignore-scripts"),
        (Flag::Force, "--force"),
        (Flag::Directory, "--cwd"),
        (Flag::Registry, "--registry"),
        (Flag::Package, "--package -p"),
        (Flag::Noise, "--silent -s --non-interactive --no-progress --prefer-offline --quiet -q"),
        (Flag::NoiseValue, "--network-timeout"),
    ],
    others: Some(
        "cache config global link login logout npm pack plugin publish workspaces dedupe autoclean generate-lock-entry import licenses node owner rebuild self-update tag team unlink unplug upgrade-interactive constraints patch patch-commit stage search bin check explain",
    ),
};

static NPM: Dialect = Dialect {
    subcommands: &[
        (Verb::Sync, "install i in ins inst insta instal isnt isnta isntal isntall"),
        (Verb::Frozen, "ci clean-install ic install-clean isntall-clean"),
        (Verb::Add, "install add"),
        (Verb::Remove, "uninstall remove rm r un unlink"),
        (Verb::Update, "update up upgrade udpate"),
        (Verb::Run, "run run-script rum urn"),
        (Verb::Test, "test t tst"),
        (Verb::Start, "start"),
        (Verb::Execute, "exec x"),
        (Verb::ExecuteLocal, "exec"),
        (Verb::Fetch, "exec"),
        (Verb::Init, "init"),
        (Verb::Create, "create innit"),
        (Verb::List, "ls list la ll"),
        (Verb::Outdated, "outdated"),
        (Verb::Why, "explain why"),
        (Verb::Audit, "audit"),
        (Verb::Show, "view info show v"),
        (Verb::Itself, "help help-search completion version"),
    ],
    options: &[
        (Flag::Dev, "--save-dev -D --also=dev --include=dev"),
        (Flag::Peer, "--save-peer"),
        (Flag::Optional, "--save-optional -O"),
        (Flag::Exact, "--save-exact -E"),
        (Flag::Global, "--global -g --location=global"),
        (Flag::Production, "--omit=dev --production --only=production --only=prod"),
        (Flag::IgnoreScripts, "--ignore-scripts"),
        (Flag::Force, "--force -f"),
        (Flag::Recursive, "--workspaces -ws"),
        (Flag::IfPresent, "--if-present"),
        (Flag::Workspace, "--workspace -w"),
        (Flag::Directory, "--prefix -C"),
        (Flag::Registry, "--registry"),
        (Flag::Package, "--package -p"),
        (Flag::DryRun, "--dry-run"),
        (Flag::Verbose, "--verbose"),
        (
            Flag::Noise,
            "--silent -s -q --quiet --no-audit --no-fund --audit=false --fund=false --legacy-peer-deps --prefer-offline --no-progress --progress=false -y --yes --save -S --save-prod -P --no-package-lock --color=false --no-color",
        ),
        (Flag::NoiseValue, "--loglevel"),
    ],
    others: None,
};
