//! `hookgate lint`: the linters of the policy, by hand.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use hookgate_engine::{Changed, Host as _, Job, Memory as _, Report, lint};
use hookgate_host::Machine;
use hookgate_lint::Finding;
use hookgate_text::escaped;
use serde_json::{Value, json};

use crate::environment::Environment;
use crate::error::CommandError;
use crate::supervised::Supervisor;

/// Run the policy's linters on files, as after an edit.
///
/// Exit code 1 if they find anything, or fail. Without FILES: all files that git tracks below the working directory.
#[derive(Args, Debug)]
pub(crate) struct Lint {
    /// The files.
    files: Vec<PathBuf>,
    /// Change nothing: neither format nor correct.
    #[arg(long)]
    check: bool,
    /// How findings are printed.
    #[arg(long, value_enum, default_value = "text")]
    output: Output,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Output {
    /// One line each: `FILE:LINE:COLUMN: LINTER CODE MESSAGE`.
    Text,
    /// One JSON document a line.
    Json,
    /// SARIF 2.1, for code scanning.
    Sarif,
    /// Commands of GitHub's workflows, which annotate a pull request.
    Github,
}

/// How long all of it may take.
const DEADLINE: Duration = Duration::from_secs(600);

impl Lint {
    pub(crate) fn run(&self, environment: &Environment) -> Result<ExitCode, CommandError> {
        let gate = environment.gate();
        if gate.policy().lint.is_empty() {
            let mut message = "the policy has no `[[lint]]`".to_owned();
            for notice in gate.notices() {
                message.push_str("; ");
                message.push_str(notice);
            }
            return Err(CommandError::usage(message));
        }
        let runner = Supervisor::new(Vec::new(), environment.cwd.clone(), Instant::now() + DEADLINE);
        let machine = Machine::new(environment.directories.clone()).with_runner(runner);
        let files = self.changed(environment, &machine)?;
        let mut whole = Report::default();
        for entry in &gate.policy().lint {
            let job =
                Job { entry, files: &files, places: gate.places(), host: &machine, look_only: self.check };
            let report = lint(&job, &mut |calls| machine.run_programs(calls));
            whole.findings.extend(report.findings);
            whole.changed.extend(report.changed);
            whole.missing.extend(report.missing);
            whole.failures.extend(report.failures);
        }
        whole.findings.sort();
        whole.findings.dedup();
        self.print(&whole, environment);
        // A check that didn't run has found nothing out.
        let unseen = self.check && !whole.missing.is_empty();
        let failed = !whole.findings.is_empty() || !whole.failures.is_empty() || unseen;
        Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn changed(&self, environment: &Environment, machine: &Machine) -> Result<Vec<Changed>, CommandError> {
        let absolute = |path: &PathBuf| {
            let path = environment.cwd.join(path);
            let path = path.canonicalize().map_err(|error| CommandError::file(&path, &error))?;
            Ok(Changed { path: path.to_string_lossy().into_owned(), before: None })
        };
        if !self.files.is_empty() {
            return self.files.iter().map(absolute).collect();
        }
        let root = environment.project();
        let tracked = machine.git_tracked(&root.to_string_lossy()).ok_or_else(|| {
            CommandError::usage("no files are named, and this isn't a git repository: name the files")
        })?;
        let paths =
            tracked.iter().map(|path| root.join(path)).filter(|path| path.starts_with(&environment.cwd));
        Ok(paths.map(|path| Changed { path: path.to_string_lossy().into_owned(), before: None }).collect())
    }

    fn print(&self, report: &Report, environment: &Environment) {
        let below = |file: &str| {
            let cwd = format!("{}/", environment.cwd.display());
            file.strip_prefix(&cwd).unwrap_or(file).to_owned()
        };
        match self.output {
            Output::Text => {
                for one in &report.findings {
                    let line = format!(
                        "{}:{}:{}: {} {} {}",
                        below(&one.file),
                        one.line,
                        one.column,
                        one.tool,
                        one.code,
                        one.message
                    );
                    println!("{}", escaped(&line));
                }
            }
            Output::Json => {
                for one in &report.findings {
                    println!("{}", serde_json::to_string(one).unwrap_or_default());
                }
            }
            Output::Sarif => println!("{}", sarif(&report.findings, below)),
            Output::Github => {
                for one in &report.findings {
                    println!("{}", github(one, &below(&one.file)));
                }
            }
        }
        for path in &report.changed {
            eprintln!("hookgate: changed {}", escaped(&below(path)));
        }
        for tool in &report.missing {
            eprintln!("hookgate: {} isn't installed here, so it doesn't run", escaped(tool));
        }
        for (tool, why) in &report.failures {
            eprintln!("hookgate: {} {}", escaped(tool), escaped(why));
        }
    }
}

/// A workflow command. What would end one of its parts is escaped as GitHub wants it.
fn github(one: &Finding, file: &str) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let title = property(&format!("{} {}", one.tool, one.code));
    let (file, message) = (property(file), data(&one.message));
    format!("::error file={file},line={},col={},title={title}::{message}", one.line.max(1), one.column.max(1))
}

/// One run per linter.
fn sarif(findings: &[Finding], below: impl Fn(&str) -> String) -> Value {
    let mut tools: Vec<&str> = findings.iter().map(|one| one.tool.as_str()).collect();
    tools.sort_unstable();
    tools.dedup();
    let runs = tools.into_iter().map(|tool| {
        let of_tool = findings.iter().filter(|one| one.tool == tool);
        let results: Vec<Value> = of_tool
            .map(|one| {
                json!({
                    "ruleId": if one.code.is_empty() { tool } else { one.code.as_str() },
                    "level": "error",
                    "message": { "text": one.message },
                    "locations": [{ "physicalLocation": {
                        "artifactLocation": { "uri": below(&one.file) },
                        "region": { "startLine": one.line.max(1), "startColumn": one.column.max(1) },
                    }}],
                })
            })
            .collect();
        json!({ "tool": { "driver": { "name": tool } }, "results": results })
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_linter_says_can_end_no_workflow_command() {
        let one = Finding {
            file: "a,b:c.py".to_owned(),
            line: 3,
            message: "50 %\n::set-output name=x::y".to_owned(),
            tool: "ruff".to_owned(),
            code: "X1".to_owned(),
            ..Finding::default()
        };
        assert_eq!(
            github(&one, &one.file),
            "::error file=a%2Cb%3Ac.py,line=3,col=1,title=ruff X1::50 %25%0A::set-output name=x::y"
        );
        let sarif = sarif(&[one], str::to_owned);
        assert_eq!(sarif.pointer("/runs/0/results/0/ruleId"), Some(&json!("X1")));
        assert_eq!(sarif.pointer("/runs/0/tool/driver/name"), Some(&json!("ruff")));
    }
}
