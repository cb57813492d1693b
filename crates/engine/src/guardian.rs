//! Protected files at the end of a turn: compared with what they were when the session began, whoever changed them and whether or
//! not it is committed. The user decides what becomes of a change, and hookgate hears it from the user's own answer.
//!
//! What is kept for the session: `protected` (the files' texts), `pending` (the question that is open), `approved` (digests of
//! path and content that the user keeps), and a backup of what was put back.

use std::collections::BTreeMap;

use hookgate_agents::{Event, EventName, Outcome, Tool, Value};
use hookgate_effects::{EntryKind, PathFact, Place, Places, Traits};
use hookgate_knowledge::shipped;
use hookgate_lint::{Change, Direction, Linter, compare};
use hookgate_policy::{Level, Mode, Policy, digest};
use hookgate_rules::{Guarded, guarded, listed};
use hookgate_text::{Message, Quoted, say};
use serde_json::json;

use crate::hooks::Heard;
use crate::input::attended;
use crate::{Finding, Host, Memory, Source};

/// The code of what is found here.
const CODE: &str = "GUARD";
/// The largest file that is kept, in bytes.
const LARGEST: usize = 256 << 10;
/// How many protected files are kept.
const MOST_FILES: usize = 256;
/// How many entries of directories are looked at, and for how many milliseconds.
const MOST_ENTRIES: usize = 20_000;
const MOST_MILLISECONDS: u64 = 200;
/// How many changed settings a message names.
const NAMED: usize = 12;

/// What the user can choose.
const KEEP: &str = "Keep";
const RESTORE: &str = "Restore";

type Texts = BTreeMap<String, String>;

/// Looks at protected files where an event asks for it, and adds what is found to what was heard. Without `[[protect]]`,
/// nothing is done.
pub(crate) fn guard_event(
    event: &Event,
    policy: &Policy,
    places: &Places,
    memory: &dyn Memory,
    heard: &mut Heard,
) {
    if policy.protect.is_empty() || policy.mode != Mode::Enforce || event.session_id.is_empty() {
        return;
    }
    let host = memory.host();
    let Some(start) = kept_texts(host, &event.session_id) else {
        // The session's first event.
        let texts = protected_texts(policy, places, host);
        memory.keep(&event.session_id, "protected", &json!(texts).to_string());
        return;
    };
    match event.name {
        EventName::Stop | EventName::SubagentStop => stop(event, policy, places, memory, &start, heard),
        EventName::PreToolUse => refuse_own_answer(event, heard),
        EventName::PostToolUse if event.outcome == Some(Outcome::Ran) => {
            answer(event, places, memory, &start, heard);
        }
        _ => {}
    }
}

/// Protected files whose changes since the session's start no user approved, by their absolute paths.
pub fn protected_changes(host: &dyn Host, policy: &Policy, places: &Places, session: &str) -> Vec<String> {
    let Some(start) = kept_texts(host, session).filter(|_| !policy.protect.is_empty()) else {
        return Vec::new();
    };
    changed(host, policy, places, session, &start).into_iter().map(|file| file.path).collect()
}

/// A protected file that has changed.
struct ChangedFile {
    path: String,
    /// Its text now; `None` where it is gone.
    now: Option<String>,
    changes: Vec<Change>,
    level: Level,
}

impl ChangedFile {
    fn digest(&self) -> String {
        digest_of(&self.path, self.now.as_deref())
    }
}

fn digest_of(path: &str, text: Option<&str>) -> String {
    digest(&format!("{path}\0{}\0{}", text.is_some(), text.unwrap_or_default()))
}

fn kept_texts(host: &dyn Host, session: &str) -> Option<Texts> {
    serde_json::from_str(&host.kept(session, "protected")?).ok()
}

fn changed(
    host: &dyn Host,
    policy: &Policy,
    places: &Places,
    session: &str,
    start: &Texts,
) -> Vec<ChangedFile> {
    let approved = host.kept(session, "approved").unwrap_or_default();
    let now = protected_texts(policy, places, host);
    let mut paths: Vec<&String> = start.keys().chain(now.keys()).collect();
    paths.sort();
    paths.dedup();
    let mut found = Vec::new();
    for path in paths {
        let (before, after) = (start.get(path).map(String::as_str), now.get(path).map(String::as_str));
        if before == after {
            continue;
        }
        let mut changes = Vec::new();
        let mut level = Level::Warn;
        for part in parts(policy, path, places, host) {
            let is_first = before.is_none()
                && !Linter::only_leaves_out(path)
                && part.linter.is_some_and(|linter| !was_configured(linter, start));
            if is_first {
                continue;
            }
            let all = compare(part.format, &part.table, part.linter, before, after);
            let counted =
                all.into_iter().filter(|one| !(part.entry.stricter && one.direction == Direction::Stricter));
            let known = changes.len();
            changes.extend(counted);
            // A settings file that is gone is a change, even if it said what holds without it; and so is a new one, which takes the
            // place of those that were there, whatever it says.
            let replaces = before.is_none() && part.linter.is_some();
            if (after.is_none() || replaces) && part.table.is_empty() && changes.len() == known {
                let setting = String::new();
                changes.push(Change { setting, direction: Direction::Different, before: None, after: None });
            }
            if changes.len() > known {
                level = level.stricter(part.entry.level);
            }
        }
        changes.dedup();
        let file = ChangedFile { path: path.clone(), now: after.map(str::to_owned), changes, level };
        if !file.changes.is_empty() && !approved.lines().any(|line| line == file.digest()) {
            found.push(file);
        }
    }
    found
}

/// Did a linter have settings in the project when the session began? A first settings file takes nothing away.
fn was_configured(linter: Linter, start: &Texts) -> bool {
    start.keys().any(|path| linter.settings_in(path).is_some())
}

fn parts<'a>(policy: &'a Policy, path: &str, places: &Places, host: &dyn Host) -> Vec<Guarded<'a>> {
    let inside = path.strip_prefix(&places.project).is_some_and(|rest| rest.starts_with('/'));
    let place = if inside { Place::Project } else { Place::Elsewhere };
    let fact = PathFact {
        path: path.to_owned(),
        real: None,
        place,
        traits: Traits::default(),
        pattern: false,
        literal: true,
    };
    // What is gone is judged as if it were there.
    guarded(&policy.protect, &fact, false, places, host, true)
}

/// The protected files that there are, with their texts.
fn protected_texts(policy: &Policy, places: &Places, host: &dyn Host) -> Texts {
    let mut texts = Texts::new();
    let mut left = MOST_ENTRIES;
    let end = host.now().saturating_add(MOST_MILLISECONDS);
    let mut directories = vec![places.project.clone()];
    let regenerated = shipped().table("paths/regenerated/directories");
    while let Some(directory) = directories.pop() {
        if left == 0 || texts.len() >= MOST_FILES || host.now() > end {
            break;
        }
        for name in host.list(&directory, left) {
            left -= 1;
            let path = format!("{}/{name}", directory.trim_end_matches('/'));
            match host.entry(&path).map(|entry| entry.kind) {
                Some(EntryKind::Directory)
                    if name != ".git" && !regenerated.contains(&name.to_ascii_lowercase()) =>
                {
                    directories.push(path);
                }
                Some(EntryKind::File | EntryKind::Link) if !parts(policy, &path, places, host).is_empty() => {
                    let text = host.read(&path, LARGEST).and_then(|bytes| String::from_utf8(bytes).ok());
                    texts.extend(text.map(|text| (path, text)));
                }
                _ => {}
            }
        }
    }
    texts
}

fn stop(
    event: &Event,
    policy: &Policy,
    places: &Places,
    memory: &dyn Memory,
    start: &Texts,
    heard: &mut Heard,
) {
    let host = memory.host();
    let files = changed(host, policy, places, &event.session_id, start);
    if files.is_empty() {
        return;
    }
    let question = question(&files, places);
    let digests: BTreeMap<&str, String> =
        files.iter().map(|file| (file.path.as_str(), file.digest())).collect();
    let pending = json!({ "question": question, "files": digests, "feeder": host.feeder() });
    memory.keep(&event.session_id, "pending", &pending.to_string());
    let level = files.iter().map(|file| file.level).fold(Level::Warn, Level::stricter);
    // A stop can be held back, and not be asked about.
    let level = if level == Level::Ask { Level::Deny } else { level };
    let fix = if attended(event, host) {
        say!(
            "call AskUserQuestion with exactly this question: {}, and the options `{}` and `{}`; don't answer it \
             yourself. hookgate reads the answer itself, keeps the change or puts the old settings back, and then lets you stop",
            Quoted::new(&question),
            KEEP,
            RESTORE
        )
    } else {
        "put the old settings back: no one can approve the change now".into()
    };
    for (at, file) in files.iter().enumerate() {
        let finding = Finding::new(CODE, Source::Check, described(file, places));
        let fix = (at == 0).then(|| fix.clone());
        heard.add([Finding { level, fix, ..finding }]);
    }
}

/// The question that the user is asked: bound to these files with this content.
fn question(files: &[ChangedFile], places: &Places) -> String {
    // By the path within the project, so that the same change has the same name everywhere.
    let all: String =
        files.iter().map(|file| digest_of(below(&file.path, places), file.now.as_deref())).collect();
    let id = digest(&all);
    // In characters that no quotation changes, so that the question comes back as it was given.
    let plain = |character: &char| character.is_ascii_alphanumeric() || "/._-+@#".contains(*character);
    let name =
        |file: &ChangedFile| below(&file.path, places).chars().filter(plain).take(60).collect::<String>();
    let names: Vec<String> = files.iter().take(2).map(name).collect();
    let more = if files.len() > 2 { format!(" and {} more", files.len() - 2) } else { String::new() };
    let id = id.get(..8).unwrap_or_default();
    format!("[{id}] Keep the changed protected settings in {}{more}?", names.join(", "))
}

/// ``protected settings in `ruff.toml` changed since the session began: `line-length` from `88` to `200` ``.
fn described(file: &ChangedFile, places: &Places) -> Message {
    let name = Quoted::new(below(&file.path, places));
    if file.now.is_none() {
        return say!("the protected file {} was deleted after the session began", name);
    }
    let mut message = say!("protected settings in {} changed since the session began", name);
    message.push(&listed(file.changes.iter(), NAMED));
    message
}

/// A question that brings its answer along is no question.
fn refuse_own_answer(event: &Event, heard: &mut Heard) {
    let Some(call) = event.tool().filter(|call| matches!(call.tool(), Tool::Person)) else { return };
    let has_answers =
        call.input.get("answers").and_then(Value::as_object).is_some_and(|answers| !answers.is_empty());
    if has_answers {
        let message: Message = "answers a question that only the user can answer".into();
        let fix = Some("call it without `answers`".into());
        heard.add([Finding { level: Level::Deny, fix, ..Finding::new(CODE, Source::Check, message) }]);
    }
}

/// The user's answer, from the outcome of the question that hookgate dictated, in exactly its words.
fn answer(event: &Event, places: &Places, memory: &dyn Memory, start: &Texts, heard: &mut Heard) {
    let Some(call) = event.tool().filter(|call| matches!(call.tool(), Tool::Person)) else { return };
    let host = memory.host();
    let session = &event.session_id;
    let pending = host.kept(session, "pending").and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let Some(pending) = pending else { return };
    let Some(question) = pending.get("question").and_then(Value::as_str) else { return };
    let asked = call.input.get("questions").and_then(Value::as_array).into_iter().flatten();
    let is_ours =
        |one: &Value| one.get("question").and_then(Value::as_str) == Some(question) && offers_both(one);
    let answers = event.fields.get("tool_response").and_then(|response| response.get("answers"));
    let chosen = answers.and_then(|answers| answers.get(question)).and_then(Value::as_str);
    let (true, Some(chosen)) = (asked.into_iter().any(is_ours), chosen) else { return };
    // An outcome that comes from another process than the question did is nobody's answer.
    let feeder = pending.get("feeder").and_then(Value::as_str);
    let is_heard = feeder.is_some() && feeder == host.feeder().as_deref();
    if !is_heard || !attended(event, host) || ![KEEP, RESTORE].contains(&chosen) {
        return;
    }
    let files = pending.get("files").and_then(Value::as_object);
    let mut told = Vec::new();
    for (path, expected) in files.into_iter().flatten() {
        let now = host.read(path, LARGEST).and_then(|bytes| String::from_utf8(bytes).ok());
        // The answer is about what the user was asked about.
        if Some(digest_of(path, now.as_deref()).as_str()) != expected.as_str() {
            continue;
        }
        let name = Quoted::new(below(path, places));
        if chosen == KEEP {
            let approved = host.kept(session, "approved").unwrap_or_default();
            let line = expected.as_str().unwrap_or_default();
            memory.keep(session, "approved", &format!("{approved}{line}\n"));
            told.push(say!("the user keeps the changed {}", name));
        } else {
            let backup =
                format!("backup-{}", expected.as_str().and_then(|text| text.get(..16)).unwrap_or_default());
            memory.keep(session, &backup, now.as_deref().unwrap_or_default());
            let is_safe = now.is_none() || host.kept(session, &backup) == now;
            if is_safe && memory.put_back(path, start.get(path).map(String::as_str)) {
                told.push(say!("the user chose to restore {}: hookgate put the old settings back", name));
            } else {
                told.push(say!("{} couldn't be restored; ask the user to do it", name));
            }
        }
    }
    memory.keep(session, "pending", "{}");
    for message in told {
        let text = format!("hookgate: {message}");
        heard.add([Finding { context: Some(text), ..Finding::new(CODE, Source::Check, message) }]);
    }
}

/// Did the user have the two choices, and no other?
fn offers_both(question: &Value) -> bool {
    let options = question.get("options").and_then(Value::as_array);
    let mut labels: Vec<&str> =
        options.into_iter().flatten().filter_map(|option| option.get("label")?.as_str()).collect();
    labels.sort_unstable();
    labels == [KEEP, RESTORE]
}

fn below<'p>(path: &'p str, places: &Places) -> &'p str {
    path.strip_prefix(&places.project).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}
