//! A person at the controlling terminal: what an agent can't be.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};
use hookgate_agents::Profile;
use hookgate_knowledge::shipped;

use crate::error::CommandError;

/// How many processes are looked at.
const MOST_PROCESSES: usize = 65_536;

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
    refuse_unseen("needs a person")?;
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").map_err(|_| {
        CommandError::usage("this needs a person at a terminal; run it in a terminal of your own")
    })?;
    let failed = |error: io::Error| CommandError::usage(format!("the terminal: {error}"));
    let code = code().map_err(failed)?;
    write!(terminal, "{question}\nType {code} to confirm: ").map_err(failed)?;
    let mut line = String::new();
    BufReader::new(terminal).read_line(&mut line).map_err(failed)?;
    if line.trim() == code { Ok(()) } else { Err(CommandError::usage("not confirmed; nothing was changed")) }
}

/// Lets scripts of a person through, and no agent: for what loosens the gate and needs no terminal.
///
/// # Errors
/// Where an agent is above this process, or runs for the same home while this process has no terminal.
pub(crate) fn refuse_agents() -> Result<(), CommandError> {
    if let Some(agent) = agent_above() {
        return Err(CommandError::usage(format!(
            "this loosens the gate, and {agent} started this process; run it in your own terminal"
        )));
    }
    refuse_unseen("loosens the gate")
}

/// Lets nothing through that an agent may have started out of sight.
fn refuse_unseen(why: &str) -> Result<(), CommandError> {
    let Some(agent) = agent_of_this_home() else { return Ok(()) };
    // What has left the agent's tree (`setsid`, a double fork) is nobody's child, and what is scheduled never was the agent's.
    let (without, instead) = if File::open("/dev/tty").is_err() {
        ("without a terminal", "run it in your own terminal")
    } else if !hangs_on_what_is_older(agent.started) {
        // Anybody can open a terminal. One that a person has was opened by something that was there before.
        (
            "in a terminal that was opened by nothing that runs longer than it",
            "run it in a terminal that was there before",
        )
    } else {
        return Ok(());
    };
    let name = agent.name;
    Err(CommandError::usage(format!(
        "this {why}, and {without} nobody can tell that {name}, which is running, didn't start it; \
         {instead}, or end the agent first"
    )))
}

/// Is there a process above this one that is older than that, and that doesn't just take in what others leave behind?
fn hangs_on_what_is_older(started: u64) -> bool {
    let adopters = shipped().table("commands/words/adopters");
    let mut process = std::process::id();
    for _ in 0..64 {
        process = match parent(process) {
            // Its parent is outside of this container: nothing that is started in here has such a one.
            Some(0) if process > 1 => return true,
            Some(above) if above > 1 => above,
            _ => return false,
        };
        let Some((name, since)) = name_and_start(process) else { return false };
        if since < started && !adopters.contains(&name) {
            return true;
        }
    }
    false
}

/// A process's own name, and when it was started, in ticks since the machine was.
fn name_and_start(process: u32) -> Option<(String, u64)> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (before, rest) = text.rsplit_once(')')?;
    // The 22nd field of all, the 20th behind the name.
    let started = rest.split_whitespace().nth(19)?.parse().ok()?;
    Some((before.split_once('(')?.1.to_owned(), started))
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
        let found = agent_at(&process.to_string());
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The agent that this process is, by its name.
fn agent_at(process: &str) -> Option<String> {
    let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    words.split(|byte| *byte == 0).take(2).find_map(|word| {
        let word = String::from_utf8_lossy(word);
        let name = word.rsplit('/').next().unwrap_or("").trim_end_matches(".js");
        let is_agent = Profile::everyone().any(|agent| agent.programs.contains(&name));
        is_agent.then(|| name.to_owned())
    })
}

/// An agent that runs: its name, and when it was started.
struct Running {
    name: String,
    started: u64,
}

/// The agent that runs the longest with the same home. Another home is another person's, or a test's.
fn agent_of_this_home() -> Option<Running> {
    let home = [b"HOME=".as_slice(), std::env::var_os("HOME")?.as_encoded_bytes()].concat();
    let entries = fs::read_dir("/proc").ok()?.filter_map(Result::ok).take(MOST_PROCESSES);
    let agents = entries.filter_map(|entry| entry.file_name().into_string().ok()).filter_map(|process| {
        let name = agent_at(&process)?;
        let variables = fs::read(format!("/proc/{process}/environ")).ok()?;
        let is_here = variables.split(|byte| *byte == 0).any(|variable| variable == home);
        let (_, started) = name_and_start(process.parse().ok().filter(|_| is_here)?)?;
        Some(Running { name, started })
    });
    agents.min_by_key(|agent| agent.started)
}

fn parent(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// Four digits that can't be known beforehand.
fn code() -> io::Result<String> {
    let mut bytes = [0; 4];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:04}", u32::from_le_bytes(bytes) % 10_000))
}

/// The text with its control characters shown: a command that was written to drive a terminal must not drive the
/// reader's.
pub(crate) fn printable(text: &str) -> String {
    hookgate_text::escaped(text).into_owned()
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// Where standard output is a terminal.
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

static COLOURED: AtomicBool = AtomicBool::new(false);

/// Chooses for this process: what was asked for, then `NO_COLOR`, then whether a person reads.
pub(crate) fn choose(color: Color) {
    let is_wanted = || {
        let is_off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        !is_off && std::env::var_os("TERM").is_none_or(|name| name != "dumb") && io::stdout().is_terminal()
    };
    COLOURED.store(color == Color::Always || (color == Color::Auto && is_wanted()), Ordering::Relaxed);
}

/// A decision or a level, padded to a width, in its colour.
pub(crate) fn painted(name: &str, width: usize) -> String {
    let colour = match name.split(' ').next().unwrap_or_default() {
        "deny" | "halt" | "problem" | "FAIL" => AnsiColor::Red,
        "ask" | "warn" | "note" => AnsiColor::Yellow,
        "allow" | "ok" => AnsiColor::Green,
        _ => return format!("{name:width$}"),
    };
    styled(Style::new().fg_color(Some(colour.into())).bold(), &format!("{name:width$}"))
}

/// What matters less than its surroundings.
pub(crate) fn dim(text: &str) -> String {
    styled(Style::new().dimmed(), text)
}

fn styled(style: Style, text: &str) -> String {
    if COLOURED.load(Ordering::Relaxed) { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// How many characters a line of the terminal holds; nothing where standard output is none.
pub(crate) fn width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let named = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    Some(named.or_else(system_width).filter(|width| *width >= 40).unwrap_or(100))
}

#[cfg(unix)]
fn system_width() -> Option<usize> {
    rustix::termios::tcgetwinsize(io::stdout()).ok().map(|size| usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn system_width() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(super::printable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
    }
}
