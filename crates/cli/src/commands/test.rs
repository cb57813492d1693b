//! `hookgate test`: run the policy's own cases.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use hookgate_agents::{CLAUDE_CODE, Decoded, Event, PermissionMode, Value};
use hookgate_policy::{Case, CaseInput};

use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::{Gate, Selection};
use crate::terminal::painted;
use crate::writing::replace_own;

/// Run the policy's cases, and those in the file next to it (`.hookgate.cases.toml`).
///
/// Cases are judged in the project's directory, by the files as if they were trusted. Exit code 1 if one fails, 2 if the policy has errors.
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Policy files (default: those that apply here).
    files: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Write the results into this file, in JUnit's form.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

impl Test {
    /// True if every case holds.
    pub(crate) fn run(&self, environment: &Environment) -> Result<bool, CommandError> {
        let isolated = !self.files.is_empty();
        let selection =
            Selection { presets: &[], policies: &self.files, settings: &[], isolated, cases: true };
        let project = self.project(environment);
        let gate = Gate::select(environment.directories.clone(), &project, selection)?;
        eprint!("{}", gate.rendered_diagnostics());
        for notice in gate.notices() {
            eprintln!("note: {notice}");
        }
        let policy = gate.policy();
        let mut hit = BTreeSet::new();
        let mut results = Vec::new();
        for case in &policy.cases {
            let event = event(&gate, &project, case)?;
            let judgement = gate.judge_supposing(&event, case.branch.clone(), case.environment.clone());
            let applied = judgement.findings.iter().filter(|finding| finding.applies());
            let codes: BTreeSet<&str> = applied.map(|finding| finding.code.as_str()).collect();
            let decision = judgement.verdict.decision.as_str();
            results.push(Outcome {
                case,
                decision,
                codes: codes.iter().map(|code| (*code).to_owned()).collect(),
                problems: problems(case, decision, &codes),
            });
            hit.extend(judgement.findings.into_iter().map(|finding| finding.code));
        }
        let never: Vec<&str> =
            policy.rules.iter().map(|rule| rule.code.as_str()).filter(|code| !hit.contains(*code)).collect();
        if let Some(path) = &self.junit {
            replace_own(&gate, path, "report in JUnit's form", is_report, &junit(&results))?;
        }
        if self.json {
            println!("{:#}", json(&results, &never));
        } else {
            print_for_people(&results, policy.rules.len(), &never);
        }
        Ok(results.iter().all(|result| result.problems.is_empty()))
    }

    /// The project that the cases are judged in: that of the first file that is named, else the one around the working directory.
    fn project(&self, environment: &Environment) -> PathBuf {
        let named = self.files.first().and_then(|file| file.canonicalize().ok());
        let folder = named.as_deref().and_then(Path::parent).unwrap_or(&environment.cwd);
        hookgate_host::repository_root(folder).unwrap_or_else(|| folder.to_path_buf())
    }
}

/// What became of a case.
struct Outcome<'c> {
    case: &'c Case,
    decision: &'static str,
    codes: Vec<String>,
    problems: Vec<String>,
}

fn print_for_people(results: &[Outcome<'_>], rules: usize, never: &[&str]) {
    let failed: Vec<&Outcome<'_>> = results.iter().filter(|result| !result.problems.is_empty()).collect();
    for Outcome { case, problems, .. } in &failed {
        println!(
            "{} {}:{} {}: {}",
            painted("FAIL", 0),
            case.path,
            case.line,
            title(case),
            problems.join("; ")
        );
    }
    println!(
        "{} of {} {}; {} of {rules} rules in the policy hit",
        results.len() - failed.len(),
        results.len(),
        if results.len() == 1 { "case passes" } else { "cases pass" },
        rules - never.len()
    );
    if !never.is_empty() {
        println!("never hit: {}", never.join(", "));
    }
}

fn json(results: &[Outcome<'_>], never: &[&str]) -> Value {
    let cases: Vec<Value> = results
        .iter()
        .map(|Outcome { case, decision, codes, problems }| {
            serde_json::json!({
                "case": title(case), "file": case.path, "line": case.line, "passed": problems.is_empty(),
                "expected": case.expect.as_str(), "decision": decision, "codes": codes, "problems": problems,
            })
        })
        .collect();
    serde_json::json!({ "cases": cases, "never_hit": never })
}

/// What every report begins with.
const REPORT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"hookgate\" ";

/// Did `--junit` write it?
fn is_report(text: &str) -> bool {
    text.starts_with(REPORT)
}

/// The form that CI systems read.
fn junit(results: &[Outcome<'_>]) -> String {
    let failed = results.iter().filter(|result| !result.problems.is_empty()).count();
    let mut out = format!("{REPORT}tests=\"{}\" failures=\"{failed}\">\n", results.len());
    for Outcome { case, problems, .. } in results {
        let (name, file) = (escaped(&title(case)), escaped(&case.path));
        let _ = write!(out, "  <testcase name=\"{name}\" file=\"{file}\" line=\"{}\"", case.line);
        if problems.is_empty() {
            out.push_str("/>\n");
        } else {
            let _ = writeln!(out, "><failure message=\"{}\"/></testcase>", escaped(&problems.join("; ")));
        }
    }
    out.push_str("</testsuite>\n");
    out
}

/// Text inside an attribute of XML, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

fn problems(case: &Case, decision: &str, codes: &BTreeSet<&str>) -> Vec<String> {
    let mut problems = Vec::new();
    if decision != case.expect.as_str() {
        problems.push(format!("expected {}, got {decision}", case.expect.as_str()));
    }
    if let Some(expected) = &case.codes {
        let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
        let holds = if case.exactly { expected == *codes } else { expected.is_subset(codes) };
        if !holds {
            let exactly = if case.exactly { " exactly" } else { "" };
            problems.push(format!("expected{exactly} the codes {}, got {}", list(&expected), list(codes)));
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

fn event(gate: &Gate, project: &Path, case: &Case) -> Result<Event, CommandError> {
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
        event.cwd = project.join(cwd).to_string_lossy().into_owned();
    }
    if let Some(mode) = &case.permission_mode {
        event.permission_mode = Some(PermissionMode::from(mode.as_str()));
    }
    Ok(event)
}
