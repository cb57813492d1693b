//! What stopped effects amount to, in numbers that a person can decide by: "347 files (12.4 MB), 12 of them not in git",
//! "discards changes in 3 files", "rewrites 14 commits that are already on origin/main".
//!
//! Counting costs more than judging, so it is done after the rules, for findings that stop something only, and within
//! bounds. What is not cheap to know is not said.

mod files;
mod git;

use hookgate_effects::{Effects, Places};

use hookgate_text::{Message, say};

use crate::{Finding, Host};

/// What is counted for one event. Each is counted once, however many findings are about it.
#[derive(Default)]
struct Counted {
    tree: Option<(usize, Option<Message>)>,
    git: Option<(usize, Option<Message>)>,
}

/// Adds to findings that stop something what their effects amount to.
pub(crate) fn add(findings: &mut [Finding], effects: &Effects, places: &Places, host: &dyn Host) {
    // What is only taken to exist can't be counted.
    if host.assume_present() {
        return;
    }
    let mut counted = Counted::default();
    for finding in findings.iter_mut().filter(|finding| finding.level.stops() && finding.applies()) {
        let found =
            || finding.effects.iter().filter_map(|index| Some((*index, effects.effects.get(*index)?)));
        let tree = found().find_map(|(index, effect)| Some((index, files::tree(effect)?)));
        let call = found().find_map(|(_, effect)| git::questions(effect, effects));
        let text = if let Some((index, root)) = tree {
            once(&mut counted.tree, index, || files::describe(root, places, host))
        } else if let Some((index, directory, questions)) = call {
            once(&mut counted.git, index, || git::describe(&directory, &questions, host))
        } else {
            None
        };
        if let Some(text) = text {
            finding.message.push(&say!(": {}", text));
        }
    }
}

/// Counts what has this index, unless something else was counted already.
fn once(
    counted: &mut Option<(usize, Option<Message>)>,
    index: usize,
    count: impl FnOnce() -> Option<Message>,
) -> Option<Message> {
    match counted {
        Some((known, text)) if *known == index => text.clone(),
        Some(_) => None,
        None => counted.insert((index, count())).1.clone(),
    }
}
