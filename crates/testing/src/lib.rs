//! What the suites of several crates share. Not published, and never part of the binary.

mod draw;

use std::io::Write as _;
use std::process::{Command, Stdio};

pub use draw::Draw;

/// Whether a test's tool works here: `tool` called with `arguments` starts.
///
/// See [`needs`] for what happens when it doesn't.
#[must_use]
pub fn has(tool: &str, arguments: &[&str]) -> bool {
    let call = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    needs(tool, call.is_ok())
}

/// Returns `here`, whether a test has the tool that it needs.
///
/// A test that passes because its tool is missing looks like one that passed. So this says it on the terminal, past the
/// test harness, which shows the output of failed tests only.
///
/// # Panics
/// Where `CI` is set to `true` and the tool is missing: there, a check that didn't run is a failure.
#[must_use]
pub fn needs(tool: &str, here: bool) -> bool {
    if here {
        return true;
    }
    let test = std::thread::current();
    let message = format!(
        "SKIPPED {}: it needs {tool}; scripts/install-tools.sh installs it",
        test.name().unwrap_or("a test")
    );
    assert!(std::env::var_os("CI").is_none_or(|value| value != "true"), "{message}");
    // The harness captures the printing macros only.
    drop(writeln!(std::io::stderr(), "{message}"));
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_exists_is_found_whatever_it_answers() {
        assert!(has("sh", &["-c", "exit 3"]));
        assert!(needs("anything", true));
    }
}
