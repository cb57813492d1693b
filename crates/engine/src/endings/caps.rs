//! How often an ending is held back.

use hookgate_session::{Entry, What};
use hookgate_text::{Message, say};

use super::Scene;

/// How often the agent may come back with nothing done before it is let go.
const IDLE: usize = 2;

/// What bounds a gate or a judge.
pub(crate) struct Limits<'a> {
    pub(crate) code: &'a str,
    pub(crate) max_blocks: u32,
    pub(crate) shadow: bool,
}

/// Why it isn't held back once more.
pub(super) fn reached(scene: &Scene<'_>, limits: &Limits<'_>) -> Option<Message> {
    let subagent = scene.subagent();
    let event = scene.event.name.as_str();
    let is_held = |entry: &Entry| match &entry.what {
        What::Held { event: held, codes } => {
            held == event && entry.by.as_deref() == subagent && codes.iter().any(|code| code == limits.code)
        }
        _ => false,
    };
    let entries = scene.record.since_prompt();
    let held = entries.iter().filter(|entry| is_held(entry)).count();
    if held >= usize::try_from(limits.max_blocks).unwrap_or(usize::MAX) {
        return Some(say!("held back {} times after this prompt, which is the limit", held));
    }
    // The agent came back with nothing done, and again.
    let idle =
        entries.iter().rev().take_while(|entry| !is_progress(&entry.what)).filter(|entry| is_held(entry));
    let idle = idle.count();
    (idle >= IDLE).then(|| say!("held back {} times without any tool call in between", idle))
}

/// Did the agent do anything?
fn is_progress(what: &What) -> bool {
    matches!(
        what,
        What::Edit { .. }
            | What::Ran { .. }
            | What::Called { .. }
            | What::Answer { .. }
            | What::SubagentEnded { .. }
    )
}
