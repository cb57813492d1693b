//! `hookgate judge`: how well a judge of the policy agrees with labelled cases.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use hookgate_engine::{ask_judge, judge_name};
use hookgate_host::{Machine, note_measure};
use hookgate_judge::{Cost, Evidence, Outcome};
use serde_json::Value;

use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::Gate;
use crate::supervised::Supervisor;

/// The most time that one measurement may take.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Measure the policy's judges.
#[derive(Args, Debug)]
pub(crate) struct Judge {
    #[command(subcommand)]
    command: JudgeCommand,
}

#[derive(Subcommand, Debug)]
enum JudgeCommand {
    /// Ask a judge about labelled cases, and print how often it agrees.
    ///
    /// A case is a line of JSON: {"id", "label": "done" | "not-done" | "unknown", "evidence": [{"origin", "text"}]}. The result is kept: a judge
    /// holds nothing back before it was measured on 50 cases with an agreement of 0.85.
    Eval {
        /// The folder with the cases (`*.jsonl`).
        folder: PathBuf,
        /// The judge's code, if the policy has several.
        #[arg(long)]
        code: Option<String>,
        /// Stop after this many cases.
        #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
        limit: usize,
    },
}

/// A labelled case.
struct Case {
    id: String,
    label: String,
    evidence: Vec<Evidence>,
}

impl Judge {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let JudgeCommand::Eval { folder, code, limit } = &self.command;
        let supervisor = Supervisor::new(Vec::new(), environment.cwd.clone(), Instant::now() + LONGEST);
        let machine = Machine::new(environment.directories.clone()).with_runner(supervisor);
        let gate = Gate::load(environment.directories.clone(), &environment.cwd, machine.clone());
        let judges = &gate.policy().judges;
        let chosen = judges.iter().find(|judge| code.as_ref().is_none_or(|code| judge.code == *code));
        let judge = chosen.ok_or_else(|| {
            CommandError::usage(
                "the policy has no such judge; add a `[[judge]]`, see docs/stop.md".to_owned(),
            )
        })?;
        let cases = read(folder)?;
        if cases.is_empty() {
            return Err(CommandError::usage(format!("no cases in {}", folder.display())));
        }
        let mut table: BTreeMap<(String, &str), usize> = BTreeMap::new();
        let (mut agreed, mut cost, mut wrong) = (0_u32, Cost::default(), Vec::new());
        let mut count = 0_u32;
        for case in cases.iter().take(*limit) {
            let judgement = ask_judge(judge, &case.evidence, &machine);
            let said = said(&judgement.results);
            let expected = match case.label.as_str() {
                "done" => "pass",
                "not-done" => "block",
                _ => "inconclusive",
            };
            count += 1;
            if said == expected {
                agreed += 1;
            } else {
                wrong.push(format!("{} ({}): {said}", case.id, case.label));
            }
            cost.add(judgement.cost);
            *table.entry((case.label.clone(), said)).or_default() += 1;
        }
        let answers = ["pass", "block", "inconclusive", "error"];
        println!("{:10} {}", "label", answers.map(|answer| format!("{answer:>13}")).concat());
        for label in ["done", "not-done", "unknown"] {
            let number = |answer: &&str| table.get(&(label.to_owned(), *answer)).copied().unwrap_or_default();
            let row: String = answers.iter().map(|answer| format!("{:>13}", number(answer))).collect();
            println!("{label:10} {row}");
        }
        let agreement = f64::from(agreed) / f64::from(count.max(1));
        println!(
            "{}: agrees on {agreed} of {count} cases ({agreement:.2}); {} tokens read, {} written{}",
            judge.code,
            cost.read,
            cost.written,
            price(cost.microdollars)
        );
        for line in wrong.iter().take(20) {
            println!("  {line}");
        }
        if let Some(state) = &environment.directories.state {
            note_measure(state, &judge_name(judge), count, agreement)
                .map_err(|error| CommandError::usage(format!("the measure can't be kept: {error}")))?;
        }
        Ok(())
    }
}

/// What all criteria come to.
fn said(results: &[Outcome]) -> &'static str {
    let any = |is: fn(&Outcome) -> bool| results.iter().any(is);
    if any(|result| matches!(result, Outcome::Block { .. })) {
        "block"
    } else if any(|result| matches!(result, Outcome::Failed(_))) {
        "error"
    } else if results.iter().all(Outcome::is_pass) {
        "pass"
    } else {
        "inconclusive"
    }
}

fn read(folder: &Path) -> Result<Vec<Case>, CommandError> {
    let unreadable = |path: &Path, error: &dyn std::fmt::Display| {
        CommandError::usage(format!("can't read {}: {error}", path.display()))
    };
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let case = serde_json::from_str::<Value>(line).ok().and_then(|value| case(&value));
            cases.push(case.ok_or_else(|| {
                CommandError::usage(format!(
                    "{}:{}: not a case; it needs `id`, `label` (done, not-done, unknown) and `evidence`",
                    path.display(),
                    index + 1
                ))
            })?);
        }
    }
    Ok(cases)
}

fn case(value: &Value) -> Option<Case> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let label =
        text(value, "label").filter(|label| matches!(label.as_str(), "done" | "not-done" | "unknown"))?;
    let pieces = value.get("evidence")?.as_array()?;
    let pieces: Option<Vec<Evidence>> = pieces
        .iter()
        .map(|piece| Some(Evidence { origin: text(piece, "origin")?, text: text(piece, "text")? }))
        .collect();
    Some(Case { id: text(value, "id")?, label, evidence: pieces? })
}

/// What a price adds to a line: dollars to the hundredth of a cent, nothing where no price is said.
pub(super) fn price(microdollars: u64) -> String {
    if microdollars == 0 {
        return String::new();
    }
    let hundredths = microdollars.div_ceil(100);
    format!(", ${}.{:04}", hundredths / 10_000, hundredths % 10_000)
}
