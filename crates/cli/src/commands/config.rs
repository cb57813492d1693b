//! `hookgate config`: what is in force, and every key of the policy.

use clap::Args;
use hookgate_agents::CLAUDE_CODE;
use hookgate_policy::keys;

use crate::environment::Environment;
use crate::error::CommandError;
use crate::installed::not_in_force_notice;

/// Show the policy in force here, or explain one of its keys.
#[derive(Args, Debug)]
pub(crate) struct Config {
    /// The key, such as `rule.when.run` (default: show the policy in force).
    key: Option<String>,
}

impl Config {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let Some(path) = &self.key else {
            print_in_force(environment);
            return Ok(());
        };
        match keys::key(path) {
            Some(key) => {
                println!("{}\n\n{}\n", key.path, key.summary);
                if !key.default.is_empty() {
                    println!("default     {}", key.default);
                }
                println!("strictness  {}\n", key.strictness.describe());
                key.example.lines().for_each(|line| println!("    {line}"));
                Ok(())
            }
            None => {
                let known =
                    keys::nearest(path).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Err(CommandError::usage(format!("unknown key `{path}`{known}")))
            }
        }
    }
}

fn print_in_force(environment: &Environment) {
    let gate = environment.gate();
    println!("{}", gate.summary());
    let mut none = true;
    for (kind, path, trusted) in gate.files() {
        none = false;
        let note = if trusted { "" } else { " (not trusted: can only tighten)" };
        println!("  {:8} {}{note}", kind.name(), path.display());
    }
    if none {
        println!("  no policy file: the preset `recommended`");
    }
    for notice in gate.notices() {
        println!("note: {notice}");
    }
    if let Some(notice) = not_in_force_notice(&gate.not_in_force(&CLAUDE_CODE)) {
        println!("note: {notice}");
    }
    eprint!("{}", gate.rendered_diagnostics());
}
