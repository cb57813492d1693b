//! What is remembered for a session: an empty file per thing that was said, and what a person was asked and said yes to.
//!
//! Questions that wait for their outcome have a fixed number of places per session; a later one may take an earlier one's place, which
//! is then asked again. Answers are lines of one file, whose older half goes when it is full. So nothing grows without bound, no
//! folder is listed and no lock is needed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hookgate_policy::{digest, fingerprint};
use serde_json::{Value, json};

use crate::names::inside;
use crate::overrides::{is_mine, read_bounded, write_whole};
use crate::record::ends_within_a_line;

/// How long a session without news is remembered.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The longest text that is a file's name as it is.
const LONGEST_NAME: usize = 80;
/// How many questions may wait for their outcome.
const PLACES: u64 = 64;
/// The size in bytes at which the older half of a session's answers is forgotten.
const LARGEST: u64 = 64 * 1024;

/// Notes `key` for the session under the state directory; true the first time. Where nothing can be stored, true:
/// said too often is better than never.
#[must_use]
pub fn first_time(state: &Path, session: &str, key: &str) -> bool {
    let folder = inside(state, &format!("sessions/{}", file_name(session)));
    let file = inside(&folder, &file_name(key));
    let note = || OpenOptions::new().write(true).create_new(true).open(&file);
    // The folder is there but for the first note of a session.
    let noted = note().or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => fs::create_dir_all(&folder).and_then(|()| note()),
        _ => Err(error),
    });
    noted.err().is_none_or(|error| error.kind() != io::ErrorKind::AlreadyExists)
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
    let _ = write_whole(&place(state, session, call), &note.to_string());
}

/// The call of that id ran: what was asked about it is answered.
pub(crate) fn settle_question(state: &Path, session: &str, call: &str) {
    let asked = place(state, session, call);
    let Some(note) = read_note(&asked).filter(|note| text(note, "call") == Some(call)) else { return };
    if append(&answers(state, session), &note).is_ok() {
        let _ = fs::remove_file(asked);
    }
}

/// The codes that a person said yes to for that question.
pub(crate) fn consented(state: &Path, session: &str, question: &str) -> Vec<String> {
    let Some(lines) = read_answers(&answers(state, session)) else { return Vec::new() };
    let notes = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let notes = notes.filter(|note| text(note, "question") == Some(question));
    notes
        .filter_map(|note| note.get("codes")?.as_array().cloned())
        .flatten()
        .filter_map(|code| code.as_str().map(str::to_owned))
        .collect()
}

fn answers(state: &Path, session: &str) -> PathBuf {
    state.join("sessions").join(file_name(session)).join("yes")
}

/// Adds an answer with one write; of a file that has grown too large the older half is forgotten first.
fn append(path: &Path, note: &Value) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() || !is_mine(&metadata) => fs::remove_file(path)?,
        Ok(metadata) if metadata.len() > LARGEST => {
            let text = read_answers(path).unwrap_or_default();
            let half = text.get(text.len() / 2..).and_then(|rest| rest.split_once('\n'));
            write_whole(path, half.map_or("", |(_, newer)| newer))?;
        }
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let begin = if ends_within_a_line(path) { "\n" } else { "" };
    options.open(path)?.write_all(format!("{begin}{note}\n").as_bytes())
}

/// The largest text that is kept for a session, in bytes.
const LARGEST_KEPT: usize = 8 << 20;

/// Keeps a text for the session under a name.
pub(crate) fn keep(state: &Path, session: &str, name: &str, text: &str) {
    if text.len() <= LARGEST_KEPT {
        let path = state.join("sessions").join(file_name(session)).join(format!("kept-{}", file_name(name)));
        // What can't be kept is missing where it is looked for.
        let _ = write_whole(&path, text);
    }
}

/// What was kept under that name. It may loosen, so it counts only as a file of this user's that nobody else may write.
pub(crate) fn kept(state: &Path, session: &str, name: &str) -> Option<String> {
    let path = state.join("sessions").join(file_name(session)).join(format!("kept-{}", file_name(name)));
    let metadata = path.symlink_metadata().ok()?;
    if !metadata.is_file() || !is_mine(&metadata) || metadata.len() > LARGEST_KEPT as u64 {
        return None;
    }
    fs::read_to_string(path).ok()
}

/// Gives a file its old text back, in place, so that its rights and links to it stay; or removes it where it had none.
pub(crate) fn put_back(path: &Path, text: Option<&str>) -> bool {
    let done = match text {
        Some(text) => {
            let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
            folder.and_then(|()| fs::write(path, text))
        }
        None => fs::remove_file(path),
    };
    done.is_ok()
}

/// What loosens counts only in a file of this user's that nobody else may write.
fn read_answers(path: &Path) -> Option<String> {
    let metadata = path.symlink_metadata().ok()?;
    if !metadata.is_file() || !is_mine(&metadata) {
        return None;
    }
    let mut bytes = Vec::new();
    // A little more than the largest, for what parallel calls have added.
    File::open(path).ok()?.take(2 * LARGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where the question about a call waits for the outcome.
fn place(state: &Path, session: &str, call: &str) -> PathBuf {
    let slot = fingerprint(call) % PLACES;
    state.join("sessions").join(file_name(session)).join(format!("asked-{slot}"))
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

/// A file name for a text, which no other text has: the text itself where it is plain and short, else a digest behind a dot.
pub(crate) fn file_name(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !text.is_empty() && text.len() <= LONGEST_NAME && text.chars().all(plain) {
        return text.to_owned();
    }
    let shown: String = text.chars().take(40).map(|c| if plain(c) { c } else { '_' }).collect();
    let digest = digest(text);
    format!("{shown}.{}", digest.get(..32).unwrap_or(&digest))
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
    fn thousands_of_questions_and_answers_take_a_bounded_place_and_the_last_ones_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let name = |kind: &str, number: usize| format!("{kind}{number}");
        for number in 0..3_000 {
            note_question(
                folder.path(),
                "s",
                &name("call", number),
                &name("question", number),
                &["A001".to_owned()],
            );
            if number % 2 == 0 {
                settle_question(folder.path(), "s", &name("call", number));
            }
        }
        let entries: Vec<_> =
            std::fs::read_dir(folder.path().join("sessions/s")).unwrap().flatten().collect();
        let bytes: u64 = entries.iter().map(|entry| entry.metadata().unwrap().len()).sum();
        assert!(entries.len() <= 65 && bytes < 100_000, "{} files, {bytes} bytes", entries.len());
        for number in (2_800..3_000).step_by(2) {
            assert_eq!(consented(folder.path(), "s", &name("question", number)), ["A001"], "{number}");
        }
        assert!(consented(folder.path(), "s", "question2999").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_note_that_others_may_write_and_a_link_count_for_nothing() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path();
        note_question(state, "s", "call", "question", &["A001".to_owned()]);
        settle_question(state, "s", "call");
        let note = super::answers(state, "s");
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
        let sessions: Vec<_> = std::fs::read_dir(folder.path().join("sessions")).unwrap().flatten().collect();
        assert_eq!(sessions.len(), 3);
        assert!(sessions.iter().any(|entry| entry.file_name().to_str().unwrap().starts_with("______x.")));
    }

    #[test]
    fn no_two_texts_share_a_file_name() {
        let long = |length: usize| "a".repeat(length);
        let texts =
            ["a/b", "a_b", "a.b", "", "none", "_", "ä", "ö", &long(80), &long(81), &long(300), &long(301)];
        let names: std::collections::BTreeSet<String> =
            texts.iter().map(|text| super::file_name(text)).collect();
        assert_eq!(names.len(), texts.len(), "{names:?}");
        assert!(names.iter().all(|name| name.len() <= 80 && !name.contains('/')));
    }
}
