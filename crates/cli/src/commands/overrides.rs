//! `hookgate halt`, `pause`, `grant` and `resume`: what a person orders beside the policy.

use std::io;
use std::time::Duration;

use clap::Args;
use hookgate_host::{GrantLength, LONGEST_OVERRIDE, Overrides};
use serde_json::Value;

use crate::clock;
use crate::commands::explain::{find, named};
use crate::environment::Environment;
use crate::error::CommandError;
use crate::terminal::{confirm_person, printable};

/// Stop every agent of this user at its next event. Anyone can; only a person at a terminal can `resume`.
///
/// The same as creating the file `halt` in hookgate's state directory. `/etc/hookgate/halt` stops all users' agents.
#[derive(Args, Debug)]
pub(crate) struct Halt {
    /// The reason, shown to the agents and their users. It is added to one that was given before.
    reason: Vec<String>,
}

impl Halt {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let overrides = Overrides::new(&environment.directories);
        let path = overrides.halt(&self.reason.join(" ")).map_err(|error| no_state(&error))?;
        println!("Every agent stops at its next event ({}).", path.display());
        println!("To let them continue, run `hookgate resume` in a terminal.");
        Ok(())
    }
}

/// Pause hookgate: it still judges, records and guards itself, but stops nothing else. Only a person at a terminal can.
#[derive(Args, Debug)]
pub(crate) struct Pause {
    /// For how long: 90s, 10m, 2h; at most 8h.
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    length: Duration,
}

impl Pause {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let minutes = millis(self.length).div_ceil(60_000);
        confirm_person(&format!(
            "Pause hookgate for {minutes} min? Until then it only guards itself, in every session."
        ))?;
        let pause = Overrides::new(&environment.directories)
            .pause(millis(self.length))
            .map_err(|error| no_state(&error))?;
        println!("Paused until {}; `hookgate resume` ends it sooner.", clock::shown(pause.until));
        Ok(())
    }
}

/// Let one stopped call through. Only a person at a terminal can.
///
/// The grant is for exactly that call, in its session and directory. The next one, within an hour, uses it up; a call that is
/// stopped all the same doesn't.
#[derive(Args, Debug)]
pub(crate) struct Grant {
    /// The decision's id, as shown with the denial.
    #[arg(required_unless_present = "list")]
    id: Option<String>,
    /// Let it through as often as it is made within this time: 90s, 10m, 2h; at most 8h.
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    length: Option<Duration>,
    /// List the grants of the last hours, with when each was used.
    #[arg(long, conflicts_with_all = ["id", "length"])]
    list: bool,
}

impl Grant {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let overrides = Overrides::new(&environment.directories);
        let Some(given) = self.id.as_deref().filter(|_| !self.list) else {
            let grants = overrides.grants();
            if grants.is_empty() {
                println!("Nothing is granted.");
            }
            for grant in grants {
                println!("{}", shown(&grant));
            }
            return Ok(());
        };
        let id = named(environment, given)?;
        let (record, _) = find(environment, &id)?;
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or("");
        let Some(call) = record.get("call").and_then(Value::as_str) else {
            return Err(CommandError::usage(format!(
                "decision {given} didn't stop a tool call, so there is nothing to grant"
            )));
        };
        let all = record.get("codes").and_then(Value::as_array).into_iter().flatten();
        let codes: Vec<String> =
            all.filter_map(Value::as_str).filter(|code| is_grantable(code)).map(str::to_owned).collect();
        if codes.is_empty() {
            return Err(CommandError::usage(
                "rules that guard hookgate, and a halt, can't be granted; run the command in your own terminal, or `hookgate resume`",
            ));
        }
        println!("{} in {}:", printable(text("tool")), printable(text("cwd")));
        println!("    {}", printable([text("command"), text("path")].concat().as_str()));
        println!("{}", text("reason").lines().map(printable).collect::<Vec<_>>().join("\n"));
        let (length, how) = match self.length {
            None => (GrantLength::Once, "once, within an hour".to_owned()),
            Some(length) => {
                let minutes = millis(length).div_ceil(60_000);
                (GrantLength::Millis(millis(length)), format!("for {minutes} min"))
            }
        };
        confirm_person(&format!(
            "Let exactly this call through {} {how}, in its session?",
            codes.join(", ")
        ))?;
        let grant = overrides.grant(call, &id, &codes, length).map_err(|error| no_state(&error))?;
        let once = if grant.once { "once, " } else { "" };
        println!(
            "Granted {once}until {}. Tell the agent to try the same call again.",
            clock::shown(grant.until)
        );
        Ok(())
    }
}

/// End the halt, the pause and every grant. Only a person at a terminal can lift a halt.
#[derive(Args, Debug)]
pub(crate) struct Resume {}

impl Resume {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let overrides = Overrides::new(&environment.directories);
        if let Some(halt) = overrides.halted() {
            let reason = if halt.reason.is_empty() { "no reason given" } else { &halt.reason };
            println!("all agents are halted by {}: {}", halt.sentinel, printable(reason));
            confirm_person("Let the agents continue?")?;
        }
        let removed = overrides.resume().map_err(|error| {
            CommandError::usage(format!("{error}; only an administrator can lift the machine's halt"))
        })?;
        if removed.is_empty() {
            println!("Nothing was halted, paused or granted.");
        }
        for file in removed {
            println!("removed {}", file.display());
        }
        Ok(())
    }
}

/// What holds now beside the policy, one line each.
pub(crate) fn standing(environment: &Environment) -> Vec<String> {
    let overrides = Overrides::new(&environment.directories);
    let mut lines = Vec::new();
    if let Some(halt) = overrides.halted() {
        let reason =
            if halt.reason.is_empty() { String::new() } else { format!(": {}", printable(&halt.reason)) };
        lines.push(format!("HALTED by {}{reason}", halt.sentinel));
    }
    if let Some(pause) = overrides.paused() {
        lines.push(format!("PAUSED until {}", clock::shown(pause.until)));
    }
    lines.extend(overrides.grants().iter().filter(|grant| grant.used.is_none()).map(shown));
    lines
}

/// A grant and what has become of it.
fn shown(grant: &hookgate_engine::Grant) -> String {
    let how = match (grant.used, grant.once) {
        (Some(used), _) => format!("granted once, used at {}", clock::shown(used)),
        (None, true) => format!("granted once, until {}", clock::shown(grant.until)),
        (None, false) => format!("granted until {}", clock::shown(grant.until)),
    };
    format!("decision {}: {} {how}", grant.decision, grant.codes.join(", "))
}

fn is_grantable(code: &str) -> bool {
    !code.starts_with("GATE") && !code.starts_with("HALT")
}

fn millis(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}

fn no_state(error: &io::Error) -> CommandError {
    CommandError::usage(format!("can't use the state directory: {error}; set HOME or XDG_STATE_HOME"))
}

/// `90s`, `10m`, `2h`.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.trim().split_at(text.trim().find(|c: char| !c.is_ascii_digit()).unwrap_or(0));
    let seconds = match unit {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        _ => return Err("write it as 90s, 10m or 2h".to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| "write it as 90s, 10m or 2h".to_owned())?;
    let length = Duration::from_secs(number.saturating_mul(seconds));
    if number == 0 || millis(length) > LONGEST_OVERRIDE {
        return Err("between 1s and 8h".to_owned());
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_bounded() {
        for (text, expected) in [("90s", Some(90)), ("10m", Some(600)), ("8h", Some(28_800))] {
            assert_eq!(duration(text).ok().map(|d| d.as_secs()), expected, "{text}");
        }
        for text in ["9h", "0m", "10", "m", "", "-5m", "10d", "99999999999999999999h", "ever"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
