//! What stopped effects amount to, in numbers that a person can decide by: "347 files (12.4 MB), 12 of them not in git",
//! "discards uncommitted changes in the work tree: 3 files", "rewrites 14 commits that are already on origin/main".
//!
//! Counting costs more than judging, so it is done after the rules, for findings that stop something only, and within
//! bounds. What is not cheap to know is not said.

mod files;
mod git;

use hookgate_effects::{Effect, Effects, Kind, Places};

use hookgate_text::{Message, say};

use crate::{Finding, GitQuestion, Host};

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

/// Leaves out what git can give back, or what loses nothing.
pub(crate) fn spare(findings: &mut Vec<Finding>, effects: &Effects, places: &Places, host: &dyn Host) {
    findings.retain(|finding| match finding.unless_kept {
        Some(assumed) if finding.level.stops() && finding.applies() => {
            let about = || finding.effects.iter().filter_map(|index| effects.effects.get(*index));
            !about().all(|effect| is_kept(effect, effects, places, host).unwrap_or(assumed))
        }
        Some(assumed) => !assumed,
        None => true,
    });
}

/// Does git have all that the effect takes? `None` where it can't be asked, or not to the end.
fn is_kept(effect: &Effect, effects: &Effects, places: &Places, host: &dyn Host) -> Option<bool> {
    if host.assume_present() {
        return None;
    }
    let (directory, questions) = match (files::tree(effect), git::questions(effect, effects)) {
        // A repository of its own keeps its own work.
        (Some(root), _) if files::holds_repository(root, host) => return Some(false),
        (Some(root), _) => (places.project.clone(), git::about_tree(root)),
        (None, Some((_, directory, questions))) => (directory, questions),
        (None, None) => return None,
    };
    // A commit that goes is lost, whether others have it or not; but what discards work takes none of them.
    let of_files =
        |one: &GitQuestion| matches!(one, GitQuestion::Changed { .. } | GitQuestion::Untracked { .. });
    let questions: Vec<GitQuestion> = match effect.kind {
        Kind::GitDiscard => questions.into_iter().filter(of_files).collect(),
        _ => questions,
    };
    if !questions.iter().all(of_files) {
        return Some(false);
    }
    let answers: Vec<Option<bool>> = questions
        .iter()
        .map(|question| match host.git_count(&directory, question) {
            Some(count) if count.number > 0 => Some(false),
            Some(count) if !count.more => Some(true),
            _ => None,
        })
        .collect();
    if answers.contains(&Some(false)) {
        return Some(false);
    }
    (!answers.is_empty() && answers.iter().all(Option::is_some)).then_some(true)
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
