//! `hookgate doctor`: is the gate armed, and would it hold?

mod canary;
mod coverage;
mod programs;
mod settings_file;

use std::path::PathBuf;

use clap::Args;
use hookgate_clients::Registration;
use serde_json::{Value, json};

use crate::answering::record_crashes;
use crate::commands::init::CLIENT;
use crate::commands::log::{audit, records};
use crate::commands::overrides;
use crate::environment::Environment;
use crate::error::CommandError;
use crate::installed;
use crate::terminal::{painted, printable};

/// How good something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    Good,
    Note,
    Problem,
}

impl Health {
    fn name(self) -> &'static str {
        match self {
            Health::Good => "ok",
            Health::Note => "note",
            Health::Problem => "problem",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug)]
struct Finding {
    check: &'static str,
    health: Health,
    text: String,
    fix: Option<&'static str>,
}

impl Finding {
    fn good(check: &'static str, text: impl Into<String>) -> Finding {
        Finding { check, health: Health::Good, text: text.into(), fix: None }
    }

    fn note(check: &'static str, text: impl Into<String>, fix: &'static str) -> Finding {
        Finding { check, health: Health::Note, text: text.into(), fix: Some(fix) }
    }

    fn problem(check: &'static str, text: impl Into<String>, fix: &'static str) -> Finding {
        Finding { check, health: Health::Problem, text: text.into(), fix: Some(fix) }
    }
}

/// Test the installation, and find what would let calls through. Exit code 1 if there is a problem.
#[derive(Args, Debug)]
pub(crate) struct Doctor {
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Count the tool calls in this transcript that were never judged.
    #[arg(long, value_name = "TRANSCRIPT")]
    session: Option<PathBuf>,
}

impl Doctor {
    /// True if nothing is wrong.
    pub(crate) fn run(&self, environment: &Environment) -> Result<bool, CommandError> {
        let findings = match &self.session {
            Some(transcript) => coverage::examine(environment, transcript)?,
            None => examine(environment),
        };
        let healthy = findings.iter().all(|finding| finding.health != Health::Problem);
        if self.json {
            let rows: Vec<Value> = findings
                .iter()
                .map(|f| json!({ "check": f.check, "health": f.health.name(), "text": f.text, "fix": f.fix }))
                .collect();
            println!("{:#}", json!({ "healthy": healthy, "findings": rows }));
            return Ok(healthy);
        }
        for finding in &findings {
            println!("{} {}: {}", painted(finding.health.name(), 8), finding.check, finding.text);
            if let Some(fix) = finding.fix {
                println!("         -> {fix}");
            }
        }
        Ok(healthy)
    }
}

/// What `init` ends with: whatever is not as it should be, or that all is.
pub(crate) fn report(environment: &Environment) {
    let findings = examine(environment);
    let worth_saying = || findings.iter().filter(|finding| finding.health != Health::Good);
    for finding in worth_saying() {
        println!("{} {}: {}", painted(finding.health.name(), 8), finding.check, finding.text);
        if let Some(fix) = finding.fix {
            println!("         -> {fix}");
        }
    }
    if !worth_saying().any(|finding| finding.health == Health::Problem) {
        println!("hookgate is installed, and a call that would loosen it was denied.");
    }
}

fn examine(environment: &Environment) -> Vec<Finding> {
    let mut findings = policy(environment);
    let client = CLIENT;
    let files =
        installed::settings(client, &environment.directories, &environment.project().to_string_lossy());
    for file in &files {
        findings.extend(settings_file::examine(client, file));
    }
    let usage = environment.policy_usage();
    findings.extend(settings_file::examine_together(client, &files, &usage));
    findings.extend(environment.directories.not_followed.iter().map(|name| {
        let text = format!("{name} points into the project, so it isn't followed");
        Finding::problem("environment", text, "unset it, or let it point to a folder of your own")
    }));
    let judging = files.iter().flat_map(|file| &file.registrations).filter(|one| one.event == "PreToolUse");
    let judging: Vec<&Registration> = judging.collect();
    for registration in judging.iter().filter(|one| settings_file::scope(one).is_none() || judging.len() == 1)
    {
        findings.extend(canary::examine(environment, registration));
    }
    findings.push(settings_file::trust(client, environment));
    findings.extend(overrides::standing(environment).into_iter().map(|line| {
        Finding::note("overrides", line, "`hookgate resume` in a terminal ends halts, pauses and grants")
    }));
    findings.extend(required_programs(environment));
    findings.extend(programs::examine(environment));
    findings.push(match audit(environment).map(|audit| (audit.check(), audit)) {
        Ok((Ok(()), audit)) => Finding::good("audit", format!("{} can be written", audit.path().display())),
        Ok((Err(error), audit)) => Finding::problem(
            "audit",
            format!("{}: {error}", audit.path().display()),
            "until it can be written, decisions aren't recorded",
        ),
        Err(error) => Finding::problem("audit", error.to_string(), "set HOME or XDG_STATE_HOME"),
    });
    findings.extend(recorded(environment));
    findings
}

/// What the log tells about the gate itself: when it failed, and what was lost of the log.
fn recorded(environment: &Environment) -> Vec<Finding> {
    let Ok(audit) = audit(environment) else { return Vec::new() };
    if let Some(state) = &environment.directories.state {
        record_crashes(state, Some(&audit));
    }
    let (mut failures, mut skipped, mut last) = (0, 0, String::new());
    for found in audit.files().iter().filter_map(|file| records(file).ok()) {
        skipped += found.skipped;
        let text = |record: &Value, key: &str| record.get(key).and_then(Value::as_str).map(printable);
        for record in &found.records {
            if let Some(failure) = text(record, "failure") {
                failures += 1;
                last = format!("{}: {failure}", text(record, "time").unwrap_or_default());
            }
        }
    }
    let mut findings = Vec::new();
    if failures > 0 {
        let times = if failures == 1 { "once".to_owned() } else { format!("{failures} times") };
        let text = format!("the gate could not judge {times}, as the log says; last at {last}");
        findings.push(Finding::note("failures", text, "`hookgate log --json` has each of them"));
    }
    if skipped > 0 {
        let text = if skipped == 1 {
            "1 line of the log is no record".to_owned()
        } else {
            format!("{skipped} lines of the log are no records")
        };
        findings.push(Finding::note(
            "audit",
            text,
            "a process was killed or a disk full when they were written",
        ));
    }
    findings
}

/// The programs that rewrites and hooks need; those that were never asked for their version are asked now.
fn required_programs(environment: &Environment) -> Vec<Finding> {
    let (problems, good) = crate::versions::ask(environment.gate().policy(), &environment.directories);
    let missing =
        |(kind, text)| Finding::problem(kind, text, "install or update it, then run `hookgate doctor` again");
    let good = good.into_iter().map(|(kind, text)| Finding::good(kind, text));
    problems.into_iter().map(missing).chain(good).collect()
}

fn policy(environment: &Environment) -> Vec<Finding> {
    let gate = environment.gate();
    let mut findings = Vec::new();
    if gate.is_broken() {
        findings.push(Finding::problem(
            "policy",
            gate.rendered_diagnostics(),
            "fix it; until then its last valid version is in force",
        ));
    } else {
        findings.push(Finding::good("policy", gate.summary()));
        if !gate.rendered_diagnostics().is_empty() {
            let warnings = gate.rendered_diagnostics();
            findings.push(Finding::note(
                "policy",
                warnings,
                "a pattern that never matches guards nothing; correct or remove it",
            ));
        }
    }
    findings.extend(
        gate.notices().iter().map(|notice| Finding::note("policy", notice.as_str(), "see `hookgate config`")),
    );
    findings
}
