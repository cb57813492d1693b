//! The same call in another manager's words.

use hookgate_policy::PackageManager;

use super::dialect::{self, Flag, Verb};
use super::parse::Parsed;
use super::words::{Word, joined};

/// What of the project matters for a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Project {
    /// There is a `pyproject.toml` to add packages to.
    pub(super) has_manifest: bool,
    /// It is a project of Yarn 2 or later.
    pub(super) is_modern_yarn: bool,
    /// The program that is run is one of an installed package.
    pub(super) has_program: bool,
}

/// A command of another manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Translation {
    /// The command.
    pub(super) command: String,
    /// Options that it lacks, for want of a counterpart.
    pub(super) missing: Vec<String>,
}

/// What `parsed` is for the manager `to`; `None` where no counterpart is known.
pub(super) fn translate(parsed: &Parsed, to: PackageManager, project: Project) -> Option<Translation> {
    let mut parsed = parsed.clone();
    let verb = suited(parsed.verb?, &mut parsed, to, project);
    let dialect = dialect::of(to);
    let own = dialect.subcommand(verb).filter(|_| !is_from_the_other_yarn(to, verb, &parsed, project))?;
    let name = match (to, verb) {
        (PackageManager::Yarn, Verb::Frozen) if project.is_modern_yarn => "install_--immutable",
        (PackageManager::Yarn, Verb::Update) if project.is_modern_yarn => "up",
        (PackageManager::Yarn, Verb::Show) if project.is_modern_yarn => "npm_info",
        (PackageManager::Yarn, Verb::Audit) if project.is_modern_yarn => "npm_audit",
        _ => own,
    };
    let mut missing: Vec<String> = parsed.unknown.iter().map(|word| word.written.clone()).collect();
    let runs = matches!(verb, Verb::Execute | Verb::ExecuteLocal | Verb::Fetch);
    let mut words = match to {
        PackageManager::Pip if verb == Verb::Environs => ["python", "-m"].map(Word::plain).to_vec(),
        PackageManager::Npm if runs => vec![Word::plain("npx")],
        PackageManager::Bun if runs => vec![Word::plain("bunx")],
        _ => vec![Word::plain(to.name())],
    };
    let key = if runs { "x" } else { name };
    let directory = leading(&mut parsed, to, project, &mut words, &mut missing);
    if !matches!(words.first().map(Word::text), Some("npx" | "bunx")) {
        words.extend(name.split('_').map(Word::plain));
    }
    words.extend(directory);
    for (flag, value) in std::mem::take(&mut parsed.flags) {
        let spelled = spelling(to, flag);
        match (flag, spelled) {
            (Flag::Noise | Flag::NoiseValue | Flag::Verbose, _) => {}
            // Only who makes a project is asked.
            (Flag::Unasked, spelled) => words.extend(spelled.filter(|_| verb == Verb::Init).map(Word::plain)),
            (_, Some(spelled)) if !dialect.refuses(key, spelled) => {
                words.push(Word::plain(spelled));
                words.extend(value);
            }
            (flag, _) => missing.push(spelling(parsed.manager, flag).unwrap_or_default().to_owned()),
        }
    }
    if dialect.refuses(key, "...") {
        missing.extend(std::mem::take(&mut parsed.operands).into_iter().map(|word| word.written));
    }
    if parsed.manager != to && is_python(to) {
        missing.extend(
            parsed.operands.iter().filter(|word| is_dialect(word.text())).map(|word| word.written.clone()),
        );
    }
    let upgrades = to == PackageManager::Uv && verb == Verb::Update && !parsed.operands.is_empty();
    if upgrades {
        words.retain(|word| word.text() != "--upgrade");
        for operand in parsed.operands {
            words.extend([Word::plain("--upgrade-package"), operand]);
        }
    } else {
        words.extend(parsed.operands);
    }
    let separates = to == PackageManager::Npm && !runs && verb.carries() && !parsed.tail.is_empty();
    words.extend(separates.then(|| Word::plain("--")));
    words.extend(parsed.tail);
    Some(Translation { command: joined(&words), missing })
}

fn is_python(manager: PackageManager) -> bool {
    manager.ecosystem() == hookgate_policy::Ecosystem::Python
}

/// Is the requirement one that other managers read in another way, or not at all: `foo@^2`, `git+https://x#branch`?
fn is_dialect(requirement: &str) -> bool {
    let (name, address) =
        requirement.split_once("://").map_or((requirement, ""), |(scheme, rest)| (scheme, rest));
    (address.is_empty() && name.contains(['@', '^'])) || address.contains('#')
}

/// Is it what only one of the two generations of Yarn has?
fn is_from_the_other_yarn(to: PackageManager, verb: Verb, parsed: &Parsed, project: Project) -> bool {
    let lacks = if project.is_modern_yarn { "lacks-modern" } else { "lacks-classic" };
    let global = parsed.has(Flag::Global) && !project.is_modern_yarn;
    to == PackageManager::Yarn
        && (dialect::lacks_verb(to, lacks, verb) || (global && dialect::lacks_verb(to, "lacks-global", verb)))
}

/// What is wanted, given what the project has.
fn suited(verb: Verb, parsed: &mut Parsed, to: PackageManager, project: Project) -> Verb {
    let only_names =
        parsed.operands.iter().all(|word| !word.text().starts_with(['.', '/', '~']) && word.text.is_some());
    let adds = only_names
        && parsed.unknown.is_empty()
        && !parsed.operands.is_empty()
        && parsed.flags.iter().all(|(flag, _)| {
            matches!(
                flag,
                Flag::Upgrade
                    | Flag::Prerelease
                    | Flag::Index
                    | Flag::ExtraIndex
                    | Flag::NoCache
                    | Flag::Noise
                    | Flag::NoiseValue
                    | Flag::Verbose
            )
        });
    match (verb, to) {
        // The project's own source: what its manager installs anyhow.
        (Verb::Environment, PackageManager::Poetry | PackageManager::Pipenv) if adds => Verb::Add,
        (Verb::Environment, PackageManager::Uv) if adds && project.has_manifest => Verb::Add,
        (Verb::Uninstall, PackageManager::Uv) if project.has_manifest && !parsed.has(Flag::Requirements) => {
            Verb::Remove
        }
        (Verb::Execute, PackageManager::Pnpm | PackageManager::Yarn) if project.has_program => {
            Verb::ExecuteLocal
        }
        (Verb::Freeze, PackageManager::Pipenv) => Verb::Export,
        (verb, _) => verb,
    }
}

/// What a manager calls an option.
fn spelling(manager: PackageManager, flag: Flag) -> Option<&'static str> {
    dialect::of(manager).option(flag)
}

/// What stands before the subcommand: the directory, the workspace, `global`. Returns what stands right behind it instead.
fn leading(
    parsed: &mut Parsed,
    to: PackageManager,
    project: Project,
    words: &mut Vec<Word>,
    missing: &mut Vec<String>,
) -> Vec<Word> {
    let mut behind = Vec::new();
    let mut rest = Vec::with_capacity(parsed.flags.len());
    for (flag, value) in std::mem::take(&mut parsed.flags) {
        match (flag, to) {
            (Flag::Directory, _) => match spelling(to, flag) {
                Some(name) => {
                    // Before its subcommand bun takes that for the name of a script.
                    let place = if to == PackageManager::Bun { &mut behind } else { &mut *words };
                    place.push(Word::plain(name));
                    place.extend(value);
                }
                None => missing.push(spelling(parsed.manager, flag).unwrap_or_default().to_owned()),
            },
            (Flag::Workspace, PackageManager::Yarn) => {
                words.push(Word::plain("workspace"));
                words.extend(value);
            }
            (Flag::Global, PackageManager::Yarn) if !project.is_modern_yarn => {
                words.push(Word::plain("global"));
            }
            _ => rest.push((flag, value)),
        }
    }
    parsed.flags = rest;
    behind
}
