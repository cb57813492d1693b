//! `hookgate doctor --session`: which tool calls of a transcript were never judged.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::Value;

use super::Finding;
use crate::commands::log::{audit, records};
use crate::environment::Environment;
use crate::error::CommandError;

/// Compares the transcript's tool calls with the audit log, by the calls' ids.
pub(super) fn examine(environment: &Environment, transcript: &Path) -> Result<Vec<Finding>, CommandError> {
    let calls = calls(transcript)?;
    let mut judged = BTreeSet::new();
    for file in audit(environment)?.files() {
        for record in records(&file)?.records {
            if record.get("decision").is_some()
                && let Some(id) = record.get("tool_use_id").and_then(Value::as_str)
            {
                judged.insert(id.to_owned());
            }
        }
    }
    let missing: Vec<&(String, String)> = calls.iter().filter(|(id, _)| !judged.contains(id)).collect();
    if missing.is_empty() {
        return Ok(vec![Finding::good("session", format!("all {} tool calls were judged", calls.len()))]);
    }
    let names: BTreeSet<&str> = missing.iter().map(|(_, name)| name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    Ok(vec![Finding::problem(
        "session",
        format!("{} of {} tool calls were never judged ({})", missing.len(), calls.len(), names.join(", ")),
        "run `hookgate doctor` in that session's directory",
    )])
}

/// The ids and names of the tool calls of a transcript, each once. Lines that are not understood are left out.
fn calls(transcript: &Path) -> Result<BTreeSet<(String, String)>, CommandError> {
    let file = File::open(transcript).map_err(|error| CommandError::file(transcript, &error))?;
    let mut calls = BTreeSet::new();
    for line in BufReader::new(file).lines().map_while(Result::ok) {
        // Most lines have no call: they are not parsed.
        if !line.contains("\"tool_use\"") {
            continue;
        }
        let Ok(entry) = serde_json::from_str::<Value>(&line) else { continue };
        let blocks = entry.pointer("/message/content").and_then(Value::as_array);
        for block in blocks.into_iter().flatten() {
            let text = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
            if text("type").as_deref() == Some("tool_use")
                && let (Some(id), Some(name)) = (text("id"), text("name"))
            {
                calls.insert((id, name));
            }
        }
    }
    Ok(calls)
}
