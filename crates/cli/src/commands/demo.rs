//! `hookgate demo`: a scripted session through the real pipeline.

use std::fs;
use std::path::Path;
use std::time::Instant;

use clap::Args;
use hookgate_agents::{CLAUDE_CODE, Decoded, respond};
use serde_json::{Value, json};

use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::{Gate, Selection};

/// The policy of the session: presets, and rules of one's own.
const POLICY: &str = include_str!("demo/policy.toml");
/// Its events, one per line, each with what happens.
const SESSION: &str = include_str!("demo/session.jsonl");

/// Play a scripted session: each event with its verdict, what the model would read, and how long it took.
#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Show the bytes of each answer.
    #[arg(long)]
    answers: bool,
}

impl Demo {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let project = std::env::temp_dir().join(format!("hookgate-demo-{}", std::process::id()));
        let result = self.play(environment, &project);
        let _ = fs::remove_dir_all(&project);
        result
    }

    fn play(&self, environment: &Environment, folder: &Path) -> Result<(), CommandError> {
        let failed = |error: std::io::Error| CommandError::file(folder, &error);
        // The project is not in the temporary directory's own words: a home of its own makes the demo's paths telling.
        let project = folder.join("shop");
        fs::create_dir_all(project.join(".git")).map_err(failed)?;
        fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n").map_err(failed)?;
        let policy = folder.join("hookgate.toml");
        fs::write(&policy, POLICY).map_err(failed)?;
        let selection =
            Selection { policies: std::slice::from_ref(&policy), isolated: true, ..Selection::default() };
        let gate = Gate::select(environment.directories.clone(), &project, selection)?;
        println!("A session under this policy:\n");
        POLICY.lines().for_each(|line| println!("    {line}"));
        for line in SESSION.lines() {
            let Ok(Value::Object(mut step)) = serde_json::from_str(line) else { continue };
            let title = step
                .remove("happens")
                .and_then(|title| title.as_str().map(str::to_owned))
                .unwrap_or_default();
            for (key, value) in [
                ("session_id", json!("demo")),
                ("cwd", json!(project)),
                ("permission_mode", json!("default")),
            ] {
                step.insert(key.to_owned(), value);
            }
            let bytes = Value::Object(step).to_string();
            let start = Instant::now();
            let Decoded::Event(event) = CLAUDE_CODE.decode(bytes.as_bytes(), None) else { continue };
            let judgement = gate.judge(&event);
            let answer = respond(&event, &judgement.verdict);
            let micros = start.elapsed().as_micros();
            println!("\n{title}\n  {:8} {micros} µs", judgement.verdict.decision.as_str());
            for text in judgement.verdict.reasons.iter().chain(&judgement.verdict.context) {
                text.replace(&judgement.id, "ID").lines().for_each(|line| println!("  | {line}"));
            }
            if self.answers {
                let stdout = String::from_utf8_lossy(&answer.stdout);
                println!("  {}", stdout.trim_end().replace(&judgement.id, "ID"));
            }
        }
        println!("\nNothing of this is in the log. In a real session, ID is what `hookgate explain` takes.");
        println!("Now for real: `hookgate init`, then `hookgate doctor`.");
        Ok(())
    }
}
