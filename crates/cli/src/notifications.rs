//! Sends notifications by processes that nobody waits for.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hookgate_engine::Notification;
use hookgate_policy::{HookProgram, NotifyBy};
use hookgate_run::{Program, detach};

use crate::bounds;

/// The desktop's own notifier.
pub(crate) const DESKTOP: &str = if cfg!(target_os = "macos") { "osascript" } else { "notify-send" };
/// What posts to an address.
pub(crate) const POSTER: &str = "curl";

/// Starts everything that is to be sent. What can't be started is left: `doctor` finds it, and no answer depends on it.
pub(crate) fn send(notifications: &[Notification], directory: &Path) {
    for notification in notifications {
        if let Some((program, input)) = program(notification, directory.to_path_buf()) {
            bounds::lift();
            let _ = detach(&program, input.as_bytes());
        }
    }
}

fn program(notification: &Notification, directory: PathBuf) -> Option<(Program, String)> {
    let Notification { by, title, text, json } = notification;
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (command, arguments, input) = match by {
        NotifyBy::Terminal(_) | NotifyBy::Bell => return None,
        NotifyBy::Desktop if cfg!(target_os = "macos") => {
            // The texts are arguments, never part of the script.
            let script = [
                "on run argv",
                "display notification (item 2 of argv) with title (item 1 of argv)",
                "end run",
            ];
            let mut arguments: Vec<String> = script.iter().flat_map(|line| words(&["-e", line])).collect();
            arguments.extend([title.clone(), text.clone()]);
            (DESKTOP.to_owned(), arguments, String::new())
        }
        NotifyBy::Desktop => {
            (DESKTOP.to_owned(), words(&["--app-name=hookgate", "--", title, text]), String::new())
        }
        NotifyBy::Program(HookProgram::Shell(script)) => {
            ("sh".to_owned(), words(&["-c", script]), json.clone())
        }
        NotifyBy::Program(HookProgram::Arguments(list)) => {
            let (command, arguments) = list.split_first()?;
            (command.clone(), arguments.to_vec(), json.clone())
        }
        NotifyBy::Webhook(url) => {
            // The address may be a secret, so it goes in by the configuration and not by the list of processes.
            let arguments = words(&["-q", "--silent", "--max-time", "10", "--config", "-"]);
            (POSTER.to_owned(), arguments, configuration(url, json))
        }
    };
    Some((Program { command, arguments, directory, deadline: Duration::ZERO }, input))
}

fn configuration(url: &str, json: &str) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "url = \"{}\"\nheader = \"Content-Type: application/json\"\ndata-raw = \"{}\"\n",
        quoted(url),
        quoted(json)
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_in_a_text_or_an_address_can_leave_its_quotes() {
        let text = super::configuration("https://h/\"x", r#"{"text":"a \"b\" \\ c"}"#);
        assert_eq!(
            text,
            "url = \"https://h/\\\"x\"\nheader = \"Content-Type: application/json\"\ndata-raw = \"{\\\"text\\\":\\\"a \\\\\\\"b\\\\\\\" \\\\\\\\ c\\\"}\"\n"
        );
    }
}
