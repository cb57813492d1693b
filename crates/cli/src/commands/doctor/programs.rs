//! The programs that a policy runs: are they there, and how did supervised hooks do?

use std::collections::BTreeMap;
use std::path::Path;

use hookgate_agents::Profile;
use hookgate_host::find_program;
use hookgate_knowledge::shipped;
use hookgate_policy::{HookProgram, NotifyBy};
use serde_json::Value;

use super::Finding;
use crate::commands::log::{audit, records};
use crate::environment::Environment;
use crate::notifications::{DESKTOP, POSTER};

pub(super) fn examine(environment: &Environment) -> Vec<Finding> {
    let gate = environment.gate();
    let mut findings = Vec::new();
    let mut failures = failures(environment);
    for hook in &gate.policy().hooks {
        let name: String = hook.run.name().chars().take(80).collect();
        if let Some(program) = absent(&hook.run, environment) {
            let what = format!("{} runs `{name}`, but `{program}` isn't installed", hook.code);
            findings.push(Finding::problem(
                "hooks",
                what,
                "install it, or remove the [[hook]] from the policy",
            ));
            continue;
        }
        match failures.remove(&hook.code) {
            Some(failed) => findings.push(Finding::problem(
                "hooks",
                format!(
                    "{} (`{name}`) failed on {} of its events in a week, last at {}: it {}",
                    hook.code, failed.count, failed.time, failed.problem
                ),
                "run it by hand on an event; `on-error` says what a failure gets",
            )),
            None => findings.push(Finding::good("hooks", format!("{} runs `{name}`", hook.code))),
        }
    }
    for notify in &gate.policy().notify {
        let (what, program) = match &notify.by {
            NotifyBy::Terminal(_) | NotifyBy::Bell => continue,
            NotifyBy::Desktop => ("the desktop", missing(DESKTOP, environment)),
            NotifyBy::Webhook(_) => ("an address", missing(POSTER, environment)),
            NotifyBy::Program(run) => ("a program", absent(run, environment)),
        };
        findings.push(match program {
            Some(program) => Finding::problem(
                "notify",
                format!("a [[notify]] goes to {what}, but `{program}` isn't installed: nothing is sent"),
                "install it, or choose another way with `by`",
            ),
            None => Finding::good("notify", format!("notifications go to {what}")),
        });
    }
    findings
}

/// For how long a failure is news, in milliseconds: a week.
const RECENT: u64 = 7 * 24 * 60 * 60 * 1000;

/// How a hook failed lately.
struct Failed {
    count: usize,
    time: String,
    problem: String,
}

/// The failures of hooks in the current file of the audit log, by code.
fn failures(environment: &Environment) -> BTreeMap<String, Failed> {
    let mut failures: BTreeMap<String, Failed> = BTreeMap::new();
    let Some(file) = audit(environment).ok().and_then(|audit| audit.files().pop()) else { return failures };
    // Times in the log compare as texts.
    let since = hookgate_engine::timestamp(environment.gate().now().saturating_sub(RECENT));
    for record in records(&file).map(|found| found.records).unwrap_or_default() {
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
        if text(&record, "time") < since {
            continue;
        }
        for failure in record.get("hook_failures").and_then(Value::as_array).into_iter().flatten() {
            let failed = failures.entry(text(failure, "code")).or_insert_with(|| Failed {
                count: 0,
                time: String::new(),
                problem: String::new(),
            });
            failed.count += 1;
            failed.time = text(&record, "time");
            failed.problem = crate::terminal::printable(&text(failure, "problem"));
        }
    }
    failures
}

/// The program that is run and is not there; nothing where that can't be told without running a shell.
fn absent(run: &HookProgram, environment: &Environment) -> Option<String> {
    match run {
        HookProgram::Arguments(words) => missing(words.first()?, environment),
        HookProgram::Shell(text) => {
            let word = text.split_whitespace().next()?;
            let project = environment.project().display().to_string();
            let variables = Profile::ALL.iter().filter_map(|agent| agent.project_variable);
            let word = variables.fold(word.to_owned(), |word, variable| {
                let plain = word.replace(&format!("\"${variable}\""), &project);
                plain.replace(&format!("\"${{{variable}}}\""), &project)
            });
            let word = match (word.strip_prefix('"'), word.strip_suffix('"')) {
                (Some(_), Some(_)) => word.trim_matches('"').to_owned(),
                _ => word,
            };
            let word = named(&word, &project);
            // Anything else is the shell's: a word of its grammar, an assignment, an expansion.
            let is_plain =
                word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+'));
            let is_path = word.contains('/');
            let is_own = || shipped().table("commands/shell/begins-scripts").contains(&word);
            if is_plain && (is_path || !is_own()) { missing(&word, environment) } else { None }
        }
    }
}

fn named(word: &str, project: &str) -> String {
    let variables = Profile::ALL.iter().filter_map(|agent| agent.project_variable);
    variables.fold(word.to_owned(), |word, variable| {
        word.replace(&format!("${{{variable}}}"), project).replace(&format!("${variable}"), project)
    })
}

fn missing(program: &str, environment: &Environment) -> Option<String> {
    let program = named(program, &environment.project().display().to_string());
    let is_there = if program.contains('/') {
        let path = Path::new(&program);
        // The agent starts it where its session works: mostly in the project, at times below.
        environment.project().join(path).exists() || environment.cwd.join(path).exists()
    } else {
        std::env::var("PATH").is_ok_and(|path| find_program(&program, &path).is_some())
    };
    (!is_there).then_some(program)
}
