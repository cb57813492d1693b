//! Drives the real client: with hookgate behind its hooks, or alone; and other tools beside hookgate.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use hookgate_lab::alternatives::Hook;
use hookgate_lab::{
    ClientError, Lab, alternatives, claude_code, compare, opinions, permissions, scenarios, six_hooks,
};

/// Drives the real client, and the tools that hookgate is compared with.
#[derive(Debug, Parser)]
#[command(name = "lab")]
enum Task {
    /// Run the scenarios with hookgate behind the client's hooks
    Claude {
        /// The hookgate to put there; without it the newest of target/{release,quick,debug}/hookgate
        #[arg(long, value_name = "PROGRAM")]
        gate: Option<PathBuf>,
        /// Keep the folders of the runs
        #[arg(long)]
        keep: bool,
        /// Only scenarios whose name holds this
        #[arg(default_value = "")]
        word: String,
    },
    /// Write down what the client alone does with commands under permission rules, as JSON lines
    Permissions {
        /// The hookgate to compare with; without it the newest of target/{release,quick,debug}/hookgate
        #[arg(long, value_name = "PROGRAM")]
        gate: Option<PathBuf>,
        /// Which of the possible rules and commands are tried
        #[arg(long, default_value_t = 20_261_121)]
        seed: u64,
        /// Keep the folders of the runs
        #[arg(long)]
        keep: bool,
        file: PathBuf,
    },
    /// Hold hookgate's reading of permission rules against such a file, and what the gate makes of it
    Compare {
        /// The hookgate to ask; without it the newest of target/{release,quick,debug}/hookgate
        #[arg(long, value_name = "PROGRAM")]
        gate: Option<PathBuf>,
        file: PathBuf,
    },
    /// Let a model misbehave that six prompt hooks ask, and then one judge with the same criteria
    SixHooks {
        /// The hookgate to put there; without it the newest of target/{release,quick,debug}/hookgate
        #[arg(long, value_name = "PROGRAM")]
        gate: Option<PathBuf>,
        /// Of how many of 100 answers something is wrong
        #[arg(long, default_value_t = 5)]
        rate: u64,
        /// How often the agent ends
        #[arg(default_value_t = 100)]
        ends: usize,
    },
    /// Run the project's own suite (scripts/alternatives.sh writes it) through the hooks of several tools
    Alternatives {
        suite: PathBuf,
        #[arg(required = true, value_name = "NAME=COMMAND")]
        hooks: Vec<Hook>,
    },
    /// Leave out of a corpus of others' verdicts what is a matter of opinion, by the predicates of corpus/opinions.jsonl
    Opinions {
        corpus: PathBuf,
        /// Where the other rows go
        rest: PathBuf,
        /// The hookgate that says what commands do
        #[arg(long, value_name = "PROGRAM")]
        gate: Option<PathBuf>,
        #[arg(long, default_value = "corpus/opinions.jsonl")]
        opinions: PathBuf,
    },
}

fn main() -> ExitCode {
    match Task::parse() {
        Task::Claude { gate, keep, word } => with_client(gate, keep, |lab| run_scenarios(lab, &word)),
        Task::Permissions { gate, seed, keep, file } => with_client(gate, keep, |lab| {
            report(permissions::measure(lab, seed, &file).and_then(|()| compare(&lab.gate, &file)))
        }),
        Task::SixHooks { gate, rate, ends } => {
            with_client(gate, false, |lab| report(six_hooks::run(lab, ends, rate)))
        }
        Task::Compare { gate, file } => with_gate(gate, |gate| report(compare(&gate, &file))),
        Task::Alternatives { suite, hooks } => {
            report(alternatives::run(&suite, &hooks, &target().join("alternatives")))
        }
        Task::Opinions { corpus, rest, gate, opinions: file } => report(
            gate.or_else(|| newest_gate(&target()))
                .ok_or_else(|| "no hookgate in target/".to_owned())
                .and_then(|gate| {
                    opinions::leave_out(&corpus, &file, &gate, &rest, &target().join("opinions"))
                }),
        ),
    }
}

/// Does something with the real client, or skips it where there is none.
fn with_client(gate: Option<PathBuf>, keep: bool, work: impl Fn(&Lab) -> ExitCode) -> ExitCode {
    with_gate(gate, |gate| match claude_code(&target().join("lab")) {
        Ok(client) => work(&Lab { client, gate, keep }),
        Err(ClientError::Unavailable(why)) => {
            eprintln!("skipped: {why}");
            ExitCode::SUCCESS
        }
        Err(broken @ ClientError::Broken(_)) => {
            eprintln!("{broken}");
            ExitCode::FAILURE
        }
    })
}

/// Does something with the gate that was named, or with the newest one.
fn with_gate(gate: Option<PathBuf>, work: impl Fn(PathBuf) -> ExitCode) -> ExitCode {
    let Some(gate) = gate.or_else(|| newest_gate(&target())) else {
        eprintln!("there is no hookgate in target/; build it, or name one with --gate");
        return ExitCode::from(2);
    };
    work(gate)
}

fn run_scenarios(lab: &Lab, word: &str) -> ExitCode {
    let mut failures = 0;
    let mut count = 0;
    for scenario in scenarios().filter(|scenario| scenario.name.contains(word)) {
        let started = Instant::now();
        let result = (scenario.run)(lab);
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

/// Where the workspace builds, and where what the lab installs is kept.
fn target() -> PathBuf {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(own, PathBuf::from)
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
