//! `hookgate rule`: every rule's page.

use clap::Args;
use hookgate_rules::Rule;

use crate::environment::Environment;
use crate::error::CommandError;

/// Show a rule's page, a group's rules, or all rules with their levels here.
#[derive(Args, Debug)]
pub(crate) struct RulePage {
    /// A code (`GIT004`), a name or a group (`GIT`).
    code: Option<String>,
}

impl RulePage {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let Some(wanted) = &self.code else {
            list(environment, hookgate_rules::lookup::all().iter().copied());
            return Ok(());
        };
        if let Some(rule) = hookgate_rules::lookup::find(wanted) {
            println!("{}", rule.page.trim_end());
            println!(
                "\nLevel here: {}",
                hookgate_engine::level(environment.gate().policy(), rule.code).name()
            );
            return Ok(());
        }
        let mut group = hookgate_rules::lookup::group(wanted).peekable();
        if group.peek().is_some() {
            list(environment, group);
            return Ok(());
        }
        let hint = hookgate_rules::lookup::nearest(wanted)
            .map(|code| format!("; did you mean `{code}`?"))
            .unwrap_or_default();
        Err(CommandError::usage(format!("no rule `{wanted}`{hint}")))
    }
}

fn list(environment: &Environment, rules: impl Iterator<Item = &'static Rule>) {
    let gate = environment.gate();
    for rule in rules {
        println!(
            "{:11} {:5} {}",
            rule.code,
            hookgate_engine::level(gate.policy(), rule.code).name(),
            rule.summary
        );
    }
}
