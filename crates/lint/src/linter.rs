//! A linter's rows.

use hookgate_knowledge::{Table, glob, shipped};

use crate::output::Output;
use crate::settings::{Format, Meanings};

/// A linter or formatter that a file below `knowledge/linters/` describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linter {
    name: &'static str,
}

/// What a linter is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// To bring files into their standard form.
    Format,
    /// To correct what it can.
    Fix,
    /// To say what is wrong.
    Check,
    /// To say what was wrong with a file's former text, which it reads from standard input.
    Before,
}

impl Phase {
    /// The name of the row.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Format => "format",
            Phase::Fix => "fix",
            Phase::Check => "check",
            Phase::Before => "before",
        }
    }
}

/// One place where a linter's settings are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whose settings they are.
    pub linter: Linter,
    /// What is in the file.
    pub format: Format,
    /// The tables of the file that are the linter's, with dots (`tool.ruff`); empty where the whole file is.
    pub tables: Vec<String>,
}

/// The directory of the rows.
const DIRECTORY: &str = "linters/";

impl Linter {
    /// Every linter, sorted by name.
    pub fn all() -> impl Iterator<Item = Linter> {
        let run = shipped().tables().filter_map(|table| table.strip_prefix(DIRECTORY)?.strip_suffix("/run"));
        run.map(|name| Linter { name })
    }

    /// The linter of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Linter> {
        Linter::all().find(|linter| linter.name == name)
    }

    /// Its name: that of its file.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    fn table(self, table: &str) -> Table<'static> {
        shipped().table(&[DIRECTORY, self.name, "/", table].concat())
    }

    /// The globs of the files that it reads: names at any depth, or paths that begin with `**/`.
    pub fn files(self) -> impl Iterator<Item = &'static str> {
        self.table("files").rows().map(hookgate_knowledge::Row::key)
    }

    /// Does it read a file at that path?
    #[must_use]
    pub fn reads(self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.files().any(|pattern| {
            if pattern.contains('/') {
                glob::matches_path(pattern, path.trim_start_matches('/'))
            } else {
                glob::matches(pattern, name)
            }
        })
    }

    /// Directories of a project that may hold the program, nearest first: `node_modules/.bin`.
    pub fn local(self) -> impl Iterator<Item = &'static str> {
        self.table("local").rows().map(hookgate_knowledge::Row::key)
    }

    /// The files that mark the directory in which it runs (`Cargo.toml`); nothing where the file's own will do.
    pub fn root(self) -> impl Iterator<Item = &'static str> {
        self.table("root").rows().map(hookgate_knowledge::Row::key)
    }

    /// Does a change of one line cause findings in others, as in checkers of types? Then all that it finds in a changed file
    /// counts where it isn't known what it found before.
    #[must_use]
    pub fn looks_at_whole_files(self) -> bool {
        let table = shipped().table(&[DIRECTORY, self.name].concat());
        table.find("scope").and_then(|row| row.cell(0)) == Some("whole")
    }

    /// The program and its arguments, with `{file}` or `{files}` for what it is run on. One without either looks at all
    /// that is below its directory.
    #[must_use]
    pub fn command(self, phase: Phase) -> Option<Vec<&'static str>> {
        Some(self.table("run").find(phase.name())?.cells().collect())
    }

    /// How its output is read.
    #[must_use]
    pub fn output(self) -> Output {
        let table = self.table("output");
        Output::of(|key| Some(table.find(key)?.cells().map(str::to_owned).collect()))
    }

    /// What makes its settings stricter.
    pub(crate) fn meanings(self) -> Meanings {
        Meanings::new(self.table("meaning").rows().map(|row| (row.key(), row.cells().collect())))
    }

    /// The marks by which a source text turns it off, by their short names.
    pub fn suppressions(self) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
        self.table("suppressions").rows().map(|row| (row.key(), row.cells().collect()))
    }

    /// Does a file of that name only leave files out (`.prettierignore`)? A first one takes something away, unlike first settings.
    #[must_use]
    pub fn only_leaves_out(path: &str) -> bool {
        path.ends_with("ignore")
    }

    /// Whose settings a file at that path may hold.
    #[must_use]
    pub fn configured_by(path: &str) -> Vec<Settings> {
        Linter::all().filter_map(|linter| linter.settings_in(path)).collect()
    }

    /// Its settings in a file at that path, or of that name.
    #[must_use]
    pub fn settings_in(self, path: &str) -> Option<Settings> {
        let table = self.table("config");
        let name = path.rsplit('/').next().unwrap_or(path);
        // `.cargo/config.toml`
        let is_below = |key: &str| {
            let rest = path.strip_suffix(key).filter(|_| key.contains('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let row = table
            .find(name)
            .or_else(|| table.rows().find(|row| glob::matches(row.key(), name) || is_below(row.key())))?;
        let mut cells = row.cells();
        let format = Format::named(cells.next()?)?;
        Some(Settings { linter: self, format, tables: cells.map(str::to_owned).collect() })
    }

    /// The names of the files that may hold its settings, with `*` in some.
    pub fn settings_files(self) -> impl Iterator<Item = &'static str> {
        self.table("config").rows().map(hookgate_knowledge::Row::key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linter_knows_its_files() {
        let reads = |name: &str, path: &str| Linter::named(name).unwrap().reads(path);
        assert!(reads("ruff", "/p/a/b.py") && !reads("ruff", "/p/a/b.pyc"));
        assert!(reads("hadolint", "/p/Dockerfile.dev") && reads("hadolint", "Dockerfile"));
        assert!(reads("actionlint", "/p/.github/workflows/ci.yml"));
        assert!(!reads("actionlint", "/p/ci.yml") && !reads("actionlint", "/p/x.github/workflows/ci.yml"));
    }

    #[test]
    fn settings_are_found_by_the_files_name() {
        let of = |name: &str| {
            Linter::configured_by(name)
                .into_iter()
                .map(|found| format!("{}:{}", found.linter.name(), found.tables.join(",")))
                .collect::<Vec<_>>()
        };
        assert_eq!(of("ruff.toml"), ["ruff:"]);
        assert_eq!(of("tsconfig.build.json"), ["tsc:"]);
        assert_eq!(of("Cargo.toml"), ["clippy:lints,workspace.lints"]);
        assert_eq!(
            of("pyproject.toml"),
            ["mypy:tool.mypy", "ruff:tool.ruff", "sqlfluff:tool.sqlfluff", "ty:tool.ty"]
        );
        assert_eq!(of("main.rs"), Vec::<String>::new());
        assert_eq!(of("/p/.cargo/config.toml"), ["clippy:build.rustflags,target,env"]);
        assert_eq!(of("config.toml"), Vec::<String>::new());
    }

    #[test]
    fn every_linter_has_a_command_an_output_that_can_be_read_and_known_meanings() {
        assert_eq!(Linter::all().count(), 22);
        for linter in Linter::all() {
            assert!(linter.files().next().is_some(), "{linter:?} reads nothing");
            assert!(linter.command(Phase::Check).is_some(), "{linter:?} checks nothing");
            assert_eq!(linter.output().problem(), None, "{linter:?}");
            assert_eq!(linter.meanings().mistakes(), Vec::<String>::new(), "{linter:?}");
            for name in linter.settings_files() {
                assert!(linter.settings_in(name).is_some(), "{linter:?}: {name}");
            }
        }
    }
}
