//! Which program runs where and on which files.

use hookgate_effects::Places;
use hookgate_lint::{Linter, Phase};
use hookgate_policy::{HookProgram, LintTool};

use crate::Host;

/// One tool in one directory, on some files.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    pub(super) tool: &'a LintTool,
    /// The program's path.
    pub(super) program: String,
    /// Where it runs.
    pub(super) directory: String,
    /// The files, absolute.
    pub(super) files: Vec<String>,
}

/// What a tool needs on a file, or why it can't run.
pub(super) enum Found {
    /// The program and its directory.
    At(String, String),
    /// There is no such program.
    Missing,
    /// The file isn't in a project of its kind.
    Elsewhere,
}

/// The most directories that are looked at above a file.
const HIGHEST: usize = 64;

/// Where a tool runs for a file, and what.
pub(super) fn locate(tool: &LintTool, file: &str, places: &Places, host: &dyn Host) -> Found {
    let above = || directories(file, places);
    let (name, local, root) = match tool {
        LintTool::Known(linter) => {
            let Some(name) = linter.command(Phase::Check).and_then(|words| words.first().copied()) else {
                return Found::Missing;
            };
            (name, linter.local().collect::<Vec<_>>(), linter.root().collect::<Vec<_>>())
        }
        LintTool::Own { run, .. } => (run.first().map_or("", String::as_str), Vec::new(), Vec::new()),
    };
    let has = |path: &str| host.entry(path).is_some();
    let directory = if root.is_empty() {
        let project = &places.project;
        if paths_below(file, project) { project.clone() } else { parent(file).to_owned() }
    } else {
        match above().find(|directory| root.iter().any(|mark| has(&format!("{directory}/{mark}")))) {
            Some(directory) => directory.to_owned(),
            None => return Found::Elsewhere,
        }
    };
    // A path is taken as it is written, from the project.
    if name.contains('/') {
        let path = if name.starts_with('/') { name.to_owned() } else { format!("{directory}/{name}") };
        return if has(&path) { Found::At(path, directory) } else { Found::Missing };
    }
    let own = above().flat_map(|above| local.iter().map(move |local| format!("{above}/{local}/{name}")));
    let mut own = own.filter(|path| has(path));
    match own.next().or_else(|| host.program(name).map(|program| program.path)) {
        Some(program) => Found::At(program, directory),
        None => Found::Missing,
    }
}

/// The directories above a file, within the project if it is there.
fn directories<'p>(file: &'p str, places: &'p Places) -> impl Iterator<Item = &'p str> {
    let inside = paths_below(file, &places.project);
    let ends = move |directory: &str| inside && directory == places.project;
    let mut next = Some(parent(file));
    std::iter::from_fn(move || {
        let directory = next?;
        next = (directory != "/" && !ends(directory)).then(|| parent(directory));
        Some(directory)
    })
    .take(HIGHEST)
}

fn paths_below(file: &str, directory: &str) -> bool {
    file.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

impl Group<'_> {
    /// The command for a phase; `None` where the tool has none. `file` is the one that `{file}` names.
    pub(super) fn command(&self, phase: Phase, file: Option<&str>) -> Option<HookProgram> {
        let words: Vec<String> = match self.tool {
            LintTool::Known(linter) => linter.command(phase)?.into_iter().map(str::to_owned).collect(),
            LintTool::Own { run, .. } if phase == Phase::Check => run.clone(),
            LintTool::Own { .. } => return None,
        };
        let mut command = vec![self.program.clone()];
        for word in words.into_iter().skip(1) {
            match (word.as_str(), file) {
                ("{files}", _) => command.extend(self.files.iter().cloned()),
                (_, Some(file)) => command.push(word.replace("{file}", file)),
                (_, None) => {
                    command.push(word.replace("{file}", self.files.first().map_or("", String::as_str)));
                }
            }
        }
        Some(HookProgram::Arguments(command))
    }

    /// The linter, if it is one that hookgate knows.
    pub(super) fn linter(&self) -> Option<Linter> {
        match self.tool {
            LintTool::Known(linter) => Some(*linter),
            LintTool::Own { .. } => None,
        }
    }
}
