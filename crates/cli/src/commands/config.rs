//! `hookgate config`: what is in force, and every key of the policy.

use clap::Args;
use hookgate_agents::CLAUDE_CODE;
use hookgate_policy::keys::{self, Strictness};
use hookgate_policy::{Level, Mode, Unattended, stated};

use crate::commands::own;
use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::{Gate, decision_on_error};
use crate::installed::not_in_force_notice;
use crate::terminal::{dim, printable};

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
    for (kind, path, trusted, _) in gate.files() {
        none = false;
        let note = if trusted { "" } else { " (not trusted: can only tighten)" };
        println!("  {:8} {}{note}", kind.name(), path.display());
    }
    if none {
        println!("  no policy file: the preset `recommended`");
    }
    print_values(&gate);
    own::print(&gate);
    for notice in gate.notices() {
        println!("note: {notice}");
    }
    if let Some(notice) = not_in_force_notice(&gate.not_in_force(&CLAUDE_CODE)) {
        println!("note: {notice}");
    }
    eprint!("{}", gate.rendered_diagnostics());
}

/// Each value that holds, with the file that set it; and what a file says that doesn't hold.
fn print_values(gate: &Gate) {
    let policy = gate.policy();
    let unknown = &policy.unknown;
    let presets: Vec<String> = policy.presets().iter().map(|preset| format!("\"{}\"", preset.name)).collect();
    let quoted = |text: &str| format!("\"{text}\"");
    let mode = match policy.mode {
        Mode::Off => "off",
        Mode::Shadow => "shadow",
        Mode::Enforce => "enforce",
    };
    let unattended = match policy.unattended {
        Unattended::Handoff => "handoff",
        Unattended::Deny => "deny",
    };
    let level = |level: Level| quoted(if level == Level::Off { "pass" } else { level.name() });
    let mut values = vec![
        ("presets".to_owned(), format!("[{}]", presets.join(", "))),
        ("mode".to_owned(), quoted(mode)),
        ("on-error".to_owned(), quoted(decision_on_error(policy.on_error).as_str())),
        ("unattended.ask".to_owned(), quoted(unattended)),
        ("unknown.program".to_owned(), level(unknown.program)),
        ("unknown.target".to_owned(), level(unknown.target)),
        ("unknown.command".to_owned(), level(unknown.command)),
        ("unknown.unparsed".to_owned(), level(unknown.unparsed)),
    ];
    let files: Vec<File> = gate
        .files()
        .map(|(_, path, trusted, text)| File {
            path: printable(&path.display().to_string()),
            stated: stated(text)
                .into_iter()
                .map(|(key, value)| (printable(&key), printable(&value)))
                .collect(),
            trusted,
        })
        .collect();
    for (key, value) in files.iter().flat_map(|file| &file.stated) {
        if values.iter().any(|(known, _)| known == key) {
            continue;
        }
        let holds = match key.strip_prefix("rules.") {
            // A group's level is what it says; each of its rules may have another one.
            Some(code) if code.ends_with(|c: char| c.is_ascii_digit()) => quoted(policy.level(code).name()),
            // Without trust a file may say what it likes: what holds is what others say.
            _ => match files.iter().filter(|file| file.trusted).find_map(|file| file.says(key)) {
                Some(trusted) => trusted.to_owned(),
                None if restricts(key) => value.clone(),
                None => DEFAULT.to_owned(),
            },
        };
        values.push((key.clone(), holds));
    }
    println!();
    for (key, holds) in &values {
        let spoken: Vec<(&File, &str)> =
            files.iter().filter_map(|file| Some((file, file.says(key)?))).collect();
        // Files of more authority come first; lists of presets are joined.
        let source = spoken.iter().find(|(_, value)| value == holds || key == "presets");
        println!(
            "  {key:18} {holds:24} {}",
            dim(source.map_or("preset or default", |(file, _)| file.path.as_str()))
        );
        for (file, value) in spoken.iter().filter(|(_, value)| value != holds && key != "presets") {
            let why =
                if file.trusted { "is overruled" } else { "has no effect without trust, or only tightens" };
            println!("  {:18} {}", "", dim(&format!("{} says {value}, which {why}", file.path)));
        }
    }
}

/// Instead of a value that nobody may set who tried to.
const DEFAULT: &str = "(default)";

/// A policy file and what it says: keys and values.
struct File {
    path: String,
    stated: Vec<(String, String)>,
    trusted: bool,
}

impl File {
    fn says(&self, key: &str) -> Option<&str> {
        self.stated.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }
}

/// Can a file that isn't trusted set the key, because it can only restrict?
fn restricts(key: &str) -> bool {
    // Groups of rules and what belongs to a rule have names that no row lists.
    keys::key(key).is_some_and(|row| matches!(row.strictness, Strictness::Part | Strictness::Entry))
}
