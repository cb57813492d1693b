//! A person at the controlling terminal: what an agent can't be.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};

use hookgate_agents::Profile;

use crate::error::CommandError;

/// Asks the person at the controlling terminal to type a code that is shown only there.
///
/// # Errors
/// Where there is no terminal, where an agent is above this process, or where something else was typed.
pub(crate) fn confirm_person(question: &str) -> Result<(), CommandError> {
    if let Some(agent) = agent_above() {
        return Err(CommandError::usage(format!(
            "this needs a person, but {agent} started this process; run it in your own terminal"
        )));
    }
    let mut terminal = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/tty")
        .map_err(|_| CommandError::usage("this needs a person at a terminal"))?;
    let failed = |error: std::io::Error| CommandError::usage(format!("the terminal: {error}"));
    let code = code().map_err(failed)?;
    write!(terminal, "{question}\nType {code} to confirm: ").map_err(failed)?;
    let mut line = String::new();
    BufReader::new(terminal).read_line(&mut line).map_err(failed)?;
    if line.trim() == code { Ok(()) } else { Err(CommandError::usage("not confirmed; nothing was changed")) }
}

/// Lets scripts of a person through, and no agent: for what loosens the gate and needs no terminal.
///
/// # Errors
/// Where an agent is above this process.
pub(crate) fn refuse_agents() -> Result<(), CommandError> {
    agent_above().map_or(Ok(()), |agent| {
        Err(CommandError::usage(format!(
            "this loosens the gate, and {agent} started this process; run it in your own terminal"
        )))
    })
}

/// The agent in whose process tree this runs, by its environment or by the names of the processes above.
fn agent_above() -> Option<String> {
    let mut marks = Profile::everyone().flat_map(|agent| agent.marks);
    if let Some(mark) = marks.find(|mark| std::env::var_os(mark).is_some()) {
        return Some(format!("an agent ({mark} is set)"));
    }
    let mut process = std::process::id();
    // The tree is finite; the bound is for a table that changes while it is read.
    for _ in 0..64 {
        process = parent(process)?;
        if process <= 1 {
            return None;
        }
        let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let found = words.split(|byte| *byte == 0).take(2).find_map(|word| {
            let word = String::from_utf8_lossy(word);
            let name = word.rsplit('/').next().unwrap_or("").trim_end_matches(".js");
            let is_agent = Profile::everyone().any(|agent| agent.programs.contains(&name));
            is_agent.then(|| name.to_owned())
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

fn parent(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// Four digits that can't be known beforehand.
fn code() -> std::io::Result<String> {
    let mut bytes = [0; 4];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:04}", u32::from_le_bytes(bytes) % 10_000))
}

/// The text with its control characters shown: a command that was written to drive a terminal must not drive the
/// reader's.
pub(crate) fn printable(text: &str) -> String {
    hookgate_text::escaped(text).into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(super::printable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
    }
}
