//! `hookgate test`: run the policy's own cases.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use hookgate_agents::{CLAUDE_CODE, Decoded, Event, Value};
use hookgate_policy::{Case, CaseInput};

use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::{Gate, Selection};

/// Run the policy's cases, and those in the file next to it (`.hookgate.cases.toml`).
///
/// Exit code 1 if one fails, 2 if the policy has errors.
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Policy files (default: those that apply here).
    files: Vec<PathBuf>,
}

impl Test {
    /// True if every case holds.
    pub(crate) fn run(&self, environment: &Environment) -> Result<bool, CommandError> {
        let isolated = !self.files.is_empty();
        let selection =
            Selection { presets: &[], policies: &self.files, settings: &[], isolated, cases: true };
        let gate = Gate::select(environment.directories.clone(), &environment.cwd, selection)?;
        eprint!("{}", gate.rendered_diagnostics());
        for notice in gate.notices() {
            eprintln!("note: {notice}");
        }
        let policy = gate.policy();
        let mut failed = 0;
        let mut hit = BTreeSet::new();
        for case in &policy.cases {
            let judgement = gate.judge(&event(&gate, environment, case)?);
            let applied = judgement.findings.iter().filter(|finding| finding.applies());
            let codes: BTreeSet<&str> = applied.map(|finding| finding.code.as_str()).collect();
            let problems = problems(case, judgement.verdict.decision.as_str(), &codes);
            if !problems.is_empty() {
                failed += 1;
                println!("FAIL {}:{} {}: {}", case.path, case.line, title(case), problems.join("; "));
            }
            hit.extend(judgement.findings.into_iter().map(|finding| finding.code));
        }
        let never: Vec<&str> =
            policy.rules.iter().map(|rule| rule.code.as_str()).filter(|code| !hit.contains(*code)).collect();
        let (cases, rules) = (policy.cases.len(), policy.rules.len());
        println!(
            "{} of {cases} cases pass; {} of {rules} rules in the policy hit",
            cases - failed,
            rules - never.len()
        );
        if !never.is_empty() {
            println!("never hit: {}", never.join(", "));
        }
        Ok(failed == 0)
    }
}

fn problems(case: &Case, decision: &str, codes: &BTreeSet<&str>) -> Vec<String> {
    let mut problems = Vec::new();
    if decision != case.expect.as_str() {
        problems.push(format!("expected {}, got {decision}", case.expect.as_str()));
    }
    if let Some(expected) = &case.codes {
        let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
        if expected != *codes {
            problems.push(format!("expected the codes {}, got {}", list(&expected), list(codes)));
        }
    }
    problems
}

fn list(codes: &BTreeSet<&str>) -> String {
    if codes.is_empty() { "none".to_owned() } else { codes.iter().copied().collect::<Vec<_>>().join(", ") }
}

fn title(case: &Case) -> String {
    case.name.clone().unwrap_or_else(|| match &case.input {
        CaseInput::Command(command) => format!("`{command}`"),
        CaseInput::Event(_) => "an event".to_owned(),
        CaseInput::EventFile(file) => file.clone(),
    })
}

fn event(gate: &Gate, environment: &Environment, case: &Case) -> Result<Event, CommandError> {
    let read = |bytes: &[u8]| match CLAUDE_CODE.decode(bytes, None) {
        Decoded::Event(event) => Ok(event),
        Decoded::Unreadable { problem, .. } => {
            Err(CommandError::usage(format!("{}:{}: {problem}", case.path, case.line)))
        }
    };
    let mut event = match &case.input {
        CaseInput::Command(command) => gate.command_event(command),
        CaseInput::Event(fields) => read(Value::Object(fields.clone()).to_string().as_bytes())?,
        CaseInput::EventFile(file) => {
            let path = Path::new(&case.path).parent().unwrap_or(Path::new(".")).join(file);
            read(&fs::read(&path).map_err(|error| CommandError::file(&path, &error))?)?
        }
    };
    if let Some(cwd) = &case.cwd {
        event.cwd = environment.project().join(cwd).to_string_lossy().into_owned();
    }
    Ok(event)
}
