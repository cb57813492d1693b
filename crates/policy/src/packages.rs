//! `[packages]`: which package manager a project uses, and what the others get.

use crate::level::Level;

/// A world of packages with managers of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ecosystem {
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
}

impl Ecosystem {
    /// Every ecosystem.
    pub const ALL: [Ecosystem; 2] = [Ecosystem::Python, Ecosystem::JavaScript];

    /// The name that policies use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Ecosystem::Python => "python",
            Ecosystem::JavaScript => "javascript",
        }
    }
}

macro_rules! managers {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal in $ecosystem:ident,)+) => {
        /// A package manager.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum PackageManager { $($(#[doc = $doc])+ $variant,)+ }

        impl PackageManager {
            /// Every package manager.
            pub const ALL: &'static [PackageManager] = &[$(PackageManager::$variant,)+];

            /// Its name, which is its program's.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(PackageManager::$variant => $name,)+ }
            }

            /// Whose packages it manages.
            #[must_use]
            pub const fn ecosystem(self) -> Ecosystem {
                match self { $(PackageManager::$variant => Ecosystem::$ecosystem,)+ }
            }
        }
    };
}

managers! {
    /// uv.
    Uv = "uv" in Python,
    /// Poetry.
    Poetry = "poetry" in Python,
    /// Pipenv.
    Pipenv = "pipenv" in Python,
    /// pip, with venv beside it.
    Pip = "pip" in Python,
    /// Bun.
    Bun = "bun" in JavaScript,
    /// pnpm.
    Pnpm = "pnpm" in JavaScript,
    /// Yarn.
    Yarn = "yarn" in JavaScript,
    /// npm, with npx beside it.
    Npm = "npm" in JavaScript,
}

impl PackageManager {
    /// The manager of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<PackageManager> {
        PackageManager::ALL.iter().copied().find(|manager| manager.name() == name)
    }
}

/// What a call of another manager gets. The order is that of strictness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackageLevel {
    /// Nothing.
    Off,
    /// Context for the agent.
    Warn,
    /// It becomes the project's manager's call; it is refused, with that call named, where it can't.
    Rewrite,
    /// A person is asked.
    Ask,
    /// Refused.
    #[default]
    Deny,
}

impl PackageLevel {
    /// The level of the finding.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            PackageLevel::Off => Level::Off,
            PackageLevel::Warn => Level::Warn,
            PackageLevel::Ask => Level::Ask,
            PackageLevel::Rewrite | PackageLevel::Deny => Level::Deny,
        }
    }
}

/// What holds for one ecosystem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackagePolicy {
    /// The project's manager; `None` where its lockfiles say it.
    pub manager: Option<PackageManager>,
    /// What the other managers get.
    pub level: PackageLevel,
    /// What those of their subcommands get for which the project's manager has no known counterpart.
    pub unlisted: Level,
    /// Calls that stay free: the program, then what its arguments begin with (`pip download`).
    pub allow: Vec<String>,
}

/// What holds for every ecosystem; one that no policy names is not judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packages([Option<PackagePolicy>; Ecosystem::ALL.len()]);

impl Packages {
    /// What holds for an ecosystem.
    #[must_use]
    pub fn of(&self, ecosystem: Ecosystem) -> Option<&PackagePolicy> {
        self.0.get(ecosystem as usize)?.as_ref()
    }

    /// Is no ecosystem judged?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// The strictest that a call of another manager can get, and the strictest for a subcommand without counterpart.
    #[must_use]
    pub fn strictest(&self) -> (Level, Level) {
        self.0.iter().flatten().fold((Level::Off, Level::Off), |(other, unlisted), policy| {
            (other.stricter(policy.level.level()), unlisted.stricter(policy.unlisted))
        })
    }

    /// Joins what the files say, each with whether it is trusted; they are sorted by authority. The manager is the one that the file of most authority
    /// names, levels are the strictest, and only trusted files free calls or rewrite them.
    pub(crate) fn join<'e>(files: impl Iterator<Item = (bool, &'e PackageEntries)>) -> Packages {
        let files: Vec<_> = files.collect();
        Packages(Ecosystem::ALL.map(|ecosystem| {
            let entries =
                files.iter().filter_map(|(trusted, entries)| Some((*trusted, entries.of(ecosystem)?)));
            join(&entries.collect::<Vec<_>>())
        }))
    }
}

fn join(entries: &[(bool, &PackageEntry)]) -> Option<PackagePolicy> {
    let said = |wanted: Option<bool>| {
        let entries =
            entries.iter().filter(move |(trusted, _)| wanted.is_none_or(|wanted| *trusted == wanted));
        entries.map(|(_, entry)| *entry)
    };
    said(None).next()?;
    let level = said(Some(true)).filter_map(|entry| entry.level).max();
    let unlisted = said(Some(true)).filter_map(|entry| entry.unlisted).reduce(Level::stricter);
    // Where a trusted file judges the ecosystem, others can't go below what holds without them.
    let judged = said(Some(true)).next().is_some();
    let (mut level, mut unlisted) =
        (level.or(judged.then(PackageLevel::default)), unlisted.or(judged.then_some(Level::Ask)));
    for entry in said(Some(false)) {
        // What an untrusted file can't have rewritten, it can have refused.
        let refused =
            entry.level.map(|level| if level == PackageLevel::Rewrite { PackageLevel::Deny } else { level });
        level = level.max(refused);
        unlisted = unlisted.into_iter().chain(entry.unlisted).reduce(Level::stricter);
    }
    Some(PackagePolicy {
        manager: said(None).find_map(|entry| entry.manager),
        level: level.unwrap_or_default(),
        unlisted: unlisted.unwrap_or(Level::Ask),
        allow: said(Some(true)).flat_map(|entry| entry.allow.iter().cloned()).collect(),
    })
}

/// What one file says about an ecosystem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackageEntry {
    pub(crate) manager: Option<PackageManager>,
    pub(crate) level: Option<PackageLevel>,
    pub(crate) unlisted: Option<Level>,
    pub(crate) allow: Vec<String>,
}

/// What one file says about all ecosystems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackageEntries([Option<PackageEntry>; Ecosystem::ALL.len()]);

impl PackageEntries {
    pub(crate) fn of(&self, ecosystem: Ecosystem) -> Option<&PackageEntry> {
        self.0.get(ecosystem as usize)?.as_ref()
    }

    pub(crate) fn set(&mut self, ecosystem: Ecosystem, entry: PackageEntry) {
        if let Some(slot) = self.0.get_mut(ecosystem as usize) {
            *slot = Some(entry);
        }
    }

    /// Does it free calls?
    pub(crate) fn frees(&self) -> bool {
        self.0.iter().flatten().any(|entry| !entry.allow.is_empty())
    }
}
