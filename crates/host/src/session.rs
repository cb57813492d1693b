//! What is remembered for a session: an empty file per thing that was said, and what a person was asked and said yes to.
//!
//! Questions have a fixed number of places per session. A later one may take an earlier one's place, which is then asked again;
//! so nothing grows, no folder is listed and no lock is needed.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hookgate_policy::fingerprint;
use serde_json::{Value, json};

use crate::overrides::{is_mine, read_bounded, write_whole};

/// How long a session without news is remembered.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How many questions may wait for their outcome, and how many answers are kept.
const PLACES: u64 = 64;

/// Notes `key` for the session under the state directory; true the first time. Where nothing can be stored, true:
/// said too often is better than never.
#[must_use]
pub fn first_time(state: &Path, session: &str, key: &str) -> bool {
    let folder = state.join("sessions").join(file_name(session));
    if fs::create_dir_all(&folder).is_err() {
        return true;
    }
    match OpenOptions::new().write(true).create_new(true).open(folder.join(file_name(key))) {
        Ok(_) => true,
        Err(error) => error.kind() != std::io::ErrorKind::AlreadyExists,
    }
}

/// Removes the notes of sessions that nothing was noted for in a month; a bounded number at a time.
pub(crate) fn forget_old(state: &Path) {
    let Ok(entries) = fs::read_dir(state.join("sessions")) else { return };
    for folder in entries.filter_map(Result::ok).take(512) {
        let changed = folder.metadata().and_then(|metadata| metadata.modified());
        if changed.is_ok_and(|when| when.elapsed().is_ok_and(|age| age > KEPT_FOR)) {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

/// Notes a question about the call of that id.
pub(crate) fn note_question(state: &Path, session: &str, call: &str, question: &str, codes: &[String]) {
    let note = json!({ "call": call, "question": question, "codes": codes });
    // Where it can't be noted, it is asked again.
    let _ = write_whole(&place(state, session, "asked", call), &note.to_string());
}

/// The call of that id ran: what was asked about it is answered.
pub(crate) fn settle_question(state: &Path, session: &str, call: &str) {
    let asked = place(state, session, "asked", call);
    let Some(note) = read_note(&asked).filter(|note| text(note, "call") == Some(call)) else { return };
    let Some(question) = text(&note, "question") else { return };
    if write_whole(&place(state, session, "yes", question), &note.to_string()).is_ok() {
        let _ = fs::remove_file(asked);
    }
}

/// The codes that a person said yes to for that question.
pub(crate) fn consented(state: &Path, session: &str, question: &str) -> Vec<String> {
    let note = read_note(&place(state, session, "yes", question));
    let note = note.filter(|note| text(note, "question") == Some(question));
    let codes = note.as_ref().and_then(|note| note.get("codes")?.as_array());
    codes.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn place(state: &Path, session: &str, kind: &str, name: &str) -> PathBuf {
    let slot = fingerprint(name) % PLACES;
    state.join("sessions").join(file_name(session)).join(format!("{kind}-{slot}"))
}

/// A note loosens, so it counts only as a file of this user's that nobody else may write.
fn read_note(path: &Path) -> Option<Value> {
    let metadata = path.symlink_metadata().ok()?;
    if !metadata.is_file() || !is_mine(&metadata) {
        return None;
    }
    serde_json::from_str(&read_bounded(path)?).ok()
}

fn text<'v>(note: &'v Value, key: &str) -> Option<&'v str> {
    note.get(key)?.as_str()
}

/// A file name that holds nothing but letters, digits, `-` and `_`, and is bounded.
pub(crate) fn file_name(text: &str) -> String {
    let name: String = text
        .chars()
        .take(80)
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' })
        .collect();
    if name.is_empty() { "none".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::{consented, note_question, settle_question};

    #[test]
    fn only_the_outcome_of_the_asked_call_answers_its_question_in_its_session() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        let codes = ["GIT007".to_owned()];
        note_question(state, "s1", "call1", "question", &codes);
        assert!(consented(state, "s1", "question").is_empty());
        settle_question(state, "s1", "call2");
        settle_question(state, "s2", "call1");
        assert!(consented(state, "s1", "question").is_empty());
        settle_question(state, "s1", "call1");
        assert_eq!(consented(state, "s1", "question"), codes);
        assert!(consented(state, "s1", "other").is_empty() && consented(state, "s2", "question").is_empty());
    }

    #[test]
    fn a_thousand_questions_take_no_more_places_than_there_are() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..1_000 {
            let (call, question) = (format!("call{number}"), format!("question{number}"));
            note_question(folder.path(), "s", &call, &question, &[]);
            if number % 2 == 0 {
                settle_question(folder.path(), "s", &call);
            }
        }
        let count = std::fs::read_dir(folder.path().join("sessions/s")).unwrap().count();
        assert!(count <= 128, "{count}");
    }

    #[cfg(unix)]
    #[test]
    fn a_note_that_others_may_write_and_a_link_count_for_nothing() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        note_question(state, "s", "call", "question", &["A001".to_owned()]);
        settle_question(state, "s", "call");
        let note = super::place(state, "s", "yes", "question");
        std::fs::set_permissions(&note, std::fs::Permissions::from_mode(0o666)).unwrap();
        assert!(consented(state, "s", "question").is_empty());
        std::fs::set_permissions(&note, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(consented(state, "s", "question"), ["A001"]);
        std::fs::rename(&note, state.join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(state.join("elsewhere"), &note).unwrap();
        assert!(consented(state, "s", "question").is_empty());
    }

    #[test]
    fn a_key_is_new_once_per_session_and_names_cannot_escape_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(super::first_time(folder.path(), "s1", "armed"));
        assert!(!super::first_time(folder.path(), "s1", "armed"));
        assert!(super::first_time(folder.path(), "s2", "armed"));
        assert!(super::first_time(folder.path(), "../../x", "a/b"));
        assert!(folder.path().join("sessions/______x/a_b").exists());
    }
}
