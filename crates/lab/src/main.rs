//! `lab claude`: runs every scenario against the real Claude Code, one line each. `lab permissions`: what the client
//! alone does with commands under permission rules.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use hookgate_lab::alternatives::Hook;
use hookgate_lab::{ClientError, Lab, claude_code, scenarios};

const USAGE: &str = "\
usage: lab claude [--gate PROGRAM] [--keep] [WORD]
       lab permissions [--keep] FILE
       lab compare FILE
       lab alternatives SUITE NAME=COMMAND...

  claude           the scenarios with hookgate behind the client's hooks
  permissions      what the client alone does with commands under permission rules, as JSON lines into FILE
  compare          what hookgate's reading of the rules says of the lines in FILE
  alternatives     the project's own suite (scripts/alternatives.sh writes it) through the hooks of several tools
  --gate PROGRAM   the hookgate to put behind the hooks (default: the newest of target/{release,quick,debug}/hookgate)
  --keep           keep the folders of the runs
  WORD             only scenarios whose name holds it";

#[derive(Debug, Default)]
struct Options {
    gate: Option<PathBuf>,
    keep: bool,
    permissions: bool,
    compare: bool,
    word: String,
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("alternatives") {
        return alternatives(std::env::args().skip(2));
    }
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if options.compare {
        return report(hookgate_lab::permissions::compare(Path::new(&options.word)));
    }
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let Some(gate) = options.gate.or_else(|| newest_gate(&target)) else {
        eprintln!("there is no hookgate in target/; build it, or name one with --gate");
        return ExitCode::from(2);
    };
    let client = match claude_code(&target.join("lab")) {
        Ok(client) => client,
        Err(ClientError::Unavailable(why)) => {
            eprintln!("skipped: {why}");
            return ExitCode::SUCCESS;
        }
        Err(broken @ ClientError::Broken(_)) => {
            eprintln!("{broken}");
            return ExitCode::FAILURE;
        }
    };
    let lab = Lab { client, gate, keep: options.keep };
    if options.permissions {
        let file = Path::new(&options.word);
        let measured = hookgate_lab::permissions::measure(&lab, file);
        return report(measured.and_then(|()| hookgate_lab::permissions::compare(file)));
    }
    let mut failures = 0;
    let mut count = 0;
    for scenario in scenarios().filter(|scenario| scenario.name.contains(&options.word)) {
        let started = Instant::now();
        let result = (scenario.run)(&lab);
        let seconds = started.elapsed().as_secs_f64();
        let verdict = if result.is_ok() { "ok  " } else { "FAIL" };
        eprintln!("{verdict} {seconds:4.1} s  {}", scenario.name);
        count += 1;
        if let Err(why) = result {
            eprintln!("  {why}");
            failures += 1;
        }
    }
    eprintln!("{count} scenarios with the real client, {failures} failed");
    if failures == 0 && count > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn alternatives(mut arguments: impl Iterator<Item = String>) -> ExitCode {
    let suite = arguments.next();
    let hooks: Option<Vec<Hook>> = arguments.map(|text| Hook::parse(&text)).collect();
    let (Some(suite), Some(hooks)) = (suite, hooks) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/alternatives");
    report(hookgate_lab::alternatives::run(Path::new(&suite), &hooks, &folder))
}

fn report(result: Result<String, String>) -> ExitCode {
    match result {
        Ok(text) => {
            eprint!("{text}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, &'static str> {
    let (permissions, compare) = match arguments.next().as_deref() {
        Some("claude") => (false, false),
        Some("permissions") => (true, false),
        Some("compare") => (false, true),
        _ => return Err(USAGE),
    };
    let mut options = Options { permissions, compare, ..Options::default() };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--gate" => options.gate = Some(PathBuf::from(arguments.next().ok_or(USAGE)?)),
            "--keep" => options.keep = true,
            word if !word.starts_with('-') => word.clone_into(&mut options.word),
            _ => return Err(USAGE),
        }
    }
    if (options.permissions || options.compare) && options.word.is_empty() {
        return Err(USAGE);
    }
    Ok(options)
}

/// The gate that was built last.
fn newest_gate(target: &Path) -> Option<PathBuf> {
    ["release", "quick", "debug"]
        .map(|profile| target.join(profile).join("hookgate"))
        .into_iter()
        .filter_map(|program| Some((std::fs::metadata(&program).ok()?.modified().ok()?, program)))
        .max()
        .map(|(_, program)| program)
}
