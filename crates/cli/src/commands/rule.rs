//! `hookgate rule`: every rule's page.

use clap::Args;
use hookgate_policy::{Level, with_level};
use hookgate_rules::Rule;

use crate::commands::{except, own};
use crate::environment::Environment;
use crate::error::CommandError;
use crate::terminal::printable;

/// Show a rule's page, a group's rules, or all rules with their levels here, your own among them.
#[derive(Args, Debug)]
pub(crate) struct RulePage {
    /// A code (`GIT004`, `ACME001`), a name or a group (`GIT`).
    code: Option<String>,
    /// Set its level in your policy: shows the change and asks. Only a person at a terminal can.
    #[arg(long, value_name = "LEVEL", requires = "code", value_parser = level)]
    level: Option<Level>,
    /// Set it in the project's policy instead.
    #[arg(long, requires = "level")]
    project: bool,
}

fn level(text: &str) -> Result<Level, String> {
    let known = [Level::Off, Level::Note, Level::Allow, Level::Warn, Level::Ask, Level::Deny, Level::Halt];
    let names = known.map(Level::name).join(", ");
    Level::from_name(text).ok_or_else(|| format!("use one of {names}"))
}

impl RulePage {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let Some(wanted) = &self.code else {
            list(environment, hookgate_rules::lookup::all().iter().copied());
            list_own(environment);
            return Ok(());
        };
        if let Some(level) = self.level {
            let found = hookgate_rules::lookup::find(wanted).map(|rule| rule.code);
            let is_group = || hookgate_rules::lookup::group(wanted).next().is_some();
            let is_own = || own_level(environment, wanted);
            let selector = match found.or_else(|| is_group().then_some(wanted.as_str())) {
                None if is_own()? => Some(wanted.as_str()),
                selector => selector,
            };
            let selector = selector.ok_or_else(|| unknown(wanted))?;
            return except::change_policy(environment, self.project, |text| {
                with_level(text, selector, level)
            });
        }
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
        let Some(own) = own::coded(&environment.gate(), wanted) else { return Err(unknown(wanted)) };
        println!("{wanted} is a `[[{}]]` of {}\n", own.entry.table, own.place());
        own.entry.text.lines().for_each(|line| println!("    {}", printable(line)));
        if let Some(level) = own.level {
            println!("\nLevel here: {}", level.name());
        }
        Ok(())
    }
}

/// Does a policy's own rule or rewrite have this code, so that `[rules]` can set its level?
fn own_level(environment: &Environment, code: &str) -> Result<bool, CommandError> {
    let Some(own) = own::coded(&environment.gate(), code) else { return Ok(false) };
    match own.entry.table.as_str() {
        "rule" | "rewrite" => Ok(true),
        "gate" | "judge" => Err(CommandError::usage(format!(
            "{code} is a {table} of {}, which has no level; `shadow = true` there makes it only record",
            own.place(),
            table = own.entry.table,
        ))),
        table => Err(CommandError::usage(format!(
            "{code} is a `[[{table}]]` of {}, which has no level",
            own.place()
        ))),
    }
}

fn unknown(wanted: &str) -> CommandError {
    let hint = hookgate_rules::lookup::nearest(wanted)
        .map_or_else(|| "`hookgate rule` lists them".to_owned(), |code| format!("did you mean `{code}`?"));
    CommandError::usage(format!("no rule `{wanted}`; {hint}"))
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

/// The policy's own rules and what else has a code.
fn list_own(environment: &Environment) {
    for own in own::all(&environment.gate()) {
        if let Some(code) = &own.code {
            println!("{code:11} {:5} {}", own.level.map_or("-", Level::name), own.summary());
        }
    }
}
