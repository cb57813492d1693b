//! What stopped effects amount to, in numbers that a person can decide by: "347 files (12.4 MB), 12 of them not in git",
//! "discards uncommitted changes in the work tree: 3 files", "rewrites 14 commits that are already on origin/main".
//!
//! Counting costs more than judging, so it is done after the rules, for findings that stop something only, and within
//! bounds. What is not cheap to know is not said.

mod before;
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
        let call = found().find_map(|(_, effect)| {
            let (index, directory, mut questions) = git::questions(effect, effects)?;
            // A rewrite of commits is about them, also where the call discards changes besides.
            questions.retain(|question| effect.kind == Kind::GitDiscard || !of_files(question));
            Some((index, directory, questions))
        });
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
        if finding.unless_kept.is_some() {
            finding
                .message
                .push(&"; it couldn't be compared with git in time, so hookgate assumes unsaved work".into());
        }
    }
}

/// What git says of what an effect takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// It has all of it.
    All,
    /// It has not all of it.
    NotAll,
    /// There was no time to look at all of it.
    Late,
    /// It can't be asked.
    Unknown,
}

/// Leaves out what git can give back, or what loses nothing, and returns it: of these only what would have stopped something.
/// Of the others those keep `unless_kept` that may lose nothing: there was no time to look.
pub(crate) fn spare(
    findings: &mut Vec<Finding>,
    effects: &Effects,
    places: &Places,
    host: &dyn Host,
) -> Vec<Finding> {
    let mut spared = Vec::new();
    findings.retain_mut(|finding| {
        let Some(assumed) = finding.unless_kept.take() else { return true };
        if !finding.level.stops() || !finding.applies() {
            return !assumed;
        }
        let mut late = false;
        let mut kept = true;
        for effect in finding.effects.iter().filter_map(|index| effects.effects.get(*index)) {
            kept &= match in_time(effect, effects, places, host) {
                Kept::All => true,
                Kept::NotAll => return true,
                Kept::Late => {
                    late = true;
                    assumed
                }
                Kept::Unknown => assumed,
            };
        }
        finding.unless_kept = late.then_some(assumed);
        if kept {
            spared.push(finding.clone());
        }
        !kept
    });
    spared
}

/// Asks once more where the time was too short: the person who would be asked needs longer than that.
fn in_time(effect: &Effect, effects: &Effects, places: &Places, host: &dyn Host) -> Kept {
    match kept(effect, effects, places, host) {
        Kept::Late => kept(effect, effects, places, host),
        said => said,
    }
}

/// Does git have all that the effect takes?
fn kept(effect: &Effect, effects: &Effects, places: &Places, host: &dyn Host) -> Kept {
    if host.assume_present() {
        return Kept::Unknown;
    }
    // What is there now isn't what the effect will find.
    if before::changes_what_is_taken(effect, effects) {
        return Kept::NotAll;
    }
    if files::tree(effect).is_some_and(|root| files::is_absent(root, host)) {
        return Kept::All;
    }
    let (directory, questions) = match (files::tree(effect), git::questions(effect, effects)) {
        // A repository of its own keeps its own work.
        (Some(root), _) if files::holds_repository(root, host) => return Kept::NotAll,
        (Some(root), _) => (places.project.clone(), git::about_tree(root)),
        (None, Some((_, directory, questions))) => (directory, questions),
        (None, None) => return Kept::Unknown,
    };
    // A commit that goes is lost, whether others have it or not; but what discards work takes none of them.
    let questions: Vec<GitQuestion> = match effect.kind {
        Kind::GitDiscard => questions.into_iter().filter(of_files).collect(),
        _ => questions,
    };
    let counts = |question: &GitQuestion| matches!(question, GitQuestion::Unmerged { .. });
    if !questions.iter().all(|question| of_files(question) || counts(question)) {
        return Kept::NotAll;
    }
    let mut answers = questions.iter().map(|question| match host.git_count(&directory, question) {
        Some(count) if count.number > 0 => Kept::NotAll,
        Some(count) if !count.more => Kept::All,
        Some(_) => Kept::Late,
        None => Kept::Unknown,
    });
    let Some(first) = answers.next() else { return Kept::Unknown };
    answers.fold(first, |before, one| match (before, one) {
        (Kept::NotAll, _) | (_, Kept::NotAll) => Kept::NotAll,
        (Kept::Unknown, _) | (_, Kept::Unknown) => Kept::Unknown,
        (Kept::Late, _) | (_, Kept::Late) => Kept::Late,
        (Kept::All, Kept::All) => Kept::All,
    })
}

/// Is it about files, and not about commits?
fn of_files(question: &GitQuestion) -> bool {
    matches!(question, GitQuestion::Changed { .. } | GitQuestion::BesideMerge | GitQuestion::Untracked { .. })
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
