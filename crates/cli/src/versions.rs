//! Asks programs for their versions, away from the hot path, and writes down what they say.

use std::path::PathBuf;
use std::time::Duration;

use hookgate_engine::{Host, ProgramFile, missing};
use hookgate_host::{Directories, Machine, record_version};
use hookgate_policy::Policy;
use hookgate_run::{End, Program, run};

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(1);
/// How much of what it says is read, in characters.
const LONGEST_ANSWER: usize = 4096;

/// What was found out, and whether it is about `rewrites` or `hooks`.
pub(crate) type Said = (&'static str, String);

/// Asks every program that a rewrite or a hook requires and that was not asked yet. Returns what is missing, in words, and what is there.
pub(crate) fn ask(policy: &Policy, directories: &Directories) -> (Vec<Said>, Vec<Said>) {
    let machine = Machine::new(directories.clone());
    let (mut problems, mut good) = (Vec::new(), Vec::new());
    let rewrites = policy.rewrites.iter();
    let rewrites = rewrites.map(|one| ("rewrites", &one.requires, one.name(), "has no effect"));
    let hooks = policy.hooks.iter().map(|one| ("hooks", &one.requires, one.code.clone(), "doesn't run"));
    for (kind, requires, name, idle) in rewrites.chain(hooks) {
        for requirement in requires {
            if let (Some(program), Some(state)) = (machine.program(&requirement.program), &directories.state)
                && requirement.minimum.is_some()
                && machine.version(&program).is_none()
                && let Some(said) = said(&program)
            {
                // Where nothing can be written, `missing` says below that nobody was asked.
                let _ = record_version(state, &program, &said);
            }
            let (list, text) = match missing(std::slice::from_ref(requirement), &name, idle, &machine) {
                Some(problem) => (&mut problems, problem),
                None => (&mut good, format!("`{}` is installed, for {name}", requirement.program)),
            };
            let text = (kind, text);
            if !list.contains(&text) {
                list.push(text);
            }
        }
    }
    (problems, good)
}

/// What the program prints for `--version`: bounded in time and size, whatever it leaves behind.
fn said(program: &ProgramFile) -> Option<String> {
    printed(&program.path)
}

/// What the program of that name or path prints for `--version`, on standard output or, where nothing is there, on standard error.
/// Nothing where it fails or takes too long.
pub(crate) fn printed(program: &str) -> Option<String> {
    let call = Program {
        command: program.to_owned(),
        arguments: vec!["--version".to_owned()],
        directory: PathBuf::from("/"),
        deadline: PATIENCE,
    };
    let outcome = run(&call, b"");
    let text =
        if outcome.stdout.iter().all(u8::is_ascii_whitespace) { outcome.stderr } else { outcome.stdout };
    let text = String::from_utf8(text).ok()?;
    (outcome.end == End::Exit(0)).then(|| text.chars().take(LONGEST_ANSWER).collect())
}
