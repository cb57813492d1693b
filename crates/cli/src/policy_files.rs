//! The policy files of a place: found, read within bounds, and held against the last version of each that was good.
//!
//! What can't be found out is not taken for absent: only a plain *not found* is. A file in the middle of being saved does not
//! count, and one that is broken gives way to its last good version (law 11).

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hookgate_host::{Directories, LayerFile, RegularFile, Trust, is_below, policy_files, read_regular};
use hookgate_policy::{Check, Date, Diagnostic, LayerKind, OnError, Policy, Severity, Source, Vocabulary};
use hookgate_rules::lookup::vocabulary;
use hookgate_text::{Quoted, escaped};

use crate::error::CommandError;
use crate::gate::{decision_on_error, on_failure};

/// The largest policy file that is read: a thousand rules need a fifth of it.
const LARGEST: u64 = 1 << 20;
/// The most keys, tables and values that a policy file may have: a thousand rules need a quarter of them, and each takes a
/// kilobyte while the file is read.
const MOST_PARTS: usize = 40_000;
/// A file that was written less than this ago may still be written.
const SETTLING: Duration = Duration::from_secs(1);
/// For how long an empty file counts as one that could not be saved whole.
const EMPTY: Duration = Duration::from_secs(600);

/// A policy file's text and where it came from.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) kind: LayerKind,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) trusted: bool,
    /// Why the file could not be read, where it could not.
    fault: Option<Diagnostic>,
    /// It is the last good version, in the place of a file that does not count yet.
    held: bool,
    /// It was written a moment ago: its last good version is kept until it has settled.
    settling: bool,
}

/// What the files of a place come to.
pub(crate) struct Loaded {
    pub(crate) policy: Policy,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) texts: Vec<Text>,
    /// What a person should hear about them.
    pub(crate) notices: Vec<String>,
}

impl Text {
    /// The text of a policy that a person named.
    pub(crate) fn named(path: &Path) -> Result<Text, CommandError> {
        let file = read_regular(path, LARGEST).map_err(|error| CommandError::file(path, &error))?;
        Ok(Text::new(LayerKind::User, path.to_path_buf(), file.bytes))
    }

    /// A text that no file holds.
    pub(crate) fn made(path: &str, text: String) -> Text {
        Text::new(LayerKind::User, PathBuf::from(path), text.into_bytes())
    }

    /// The file of cases beside a policy: `.hookgate.cases.toml` beside `.hookgate.toml`.
    pub(crate) fn cases_beside(&self) -> Option<Text> {
        let path = self.path.with_extension("cases.toml");
        let file = read_regular(&path, LARGEST).ok()?;
        Some(Text { trusted: self.trusted, ..Text::new(self.kind, path, file.bytes) })
    }

    fn new(kind: LayerKind, path: PathBuf, bytes: Vec<u8>) -> Text {
        let mut text = Text {
            kind,
            path,
            text: String::new(),
            trusted: true,
            fault: None,
            held: false,
            settling: false,
        };
        match String::from_utf8(bytes) {
            Ok(content) => {
                text.text = content;
                text.fault = text.too_many_parts();
            }
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                text.text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let fault = text.fault_at(at, "not UTF-8".to_owned());
                text.fault = Some(Diagnostic {
                    label: "this byte begins no character".to_owned(),
                    help: Some("save the file as UTF-8".to_owned()),
                    ..fault
                });
            }
        }
        text
    }

    /// What is wrong with a text of more parts than are read. Each begins behind one of these characters; those in comments and in
    /// texts are few beside them.
    fn too_many_parts(&self) -> Option<Diagnostic> {
        let begins =
            |byte: u8| (byte == b'=') | (byte == b'[') | (byte == b'{') | (byte == b',') | (byte == b'.');
        // Every start counts them: sums of single bytes are added up many at a time.
        let few = |bytes: &[u8]| usize::from(bytes.iter().map(|byte| u8::from(begins(*byte))).sum::<u8>());
        if self.text.as_bytes().chunks(usize::from(u8::MAX)).map(few).sum::<usize>() <= MOST_PARTS {
            return None;
        }
        let mut parts = self.text.bytes().enumerate().filter(|(_, byte)| begins(*byte));
        let (at, _) = parts.nth(MOST_PARTS)?;
        let fault = self.fault_at(at, format!("more than {MOST_PARTS} keys and values"));
        Some(Diagnostic { help: Some("split the file, or say less in it".to_owned()), ..fault })
    }

    fn unreadable(kind: LayerKind, path: PathBuf, problem: String) -> Text {
        let mut text = Text::new(kind, path, Vec::new());
        text.fault = Some(text.fault_at(0, problem));
        text
    }

    fn fault_at(&self, at: usize, message: String) -> Diagnostic {
        let end =
            self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(at, |one| at + one.len_utf8());
        Diagnostic {
            severity: Severity::Error,
            message,
            path: self.path.display().to_string(),
            span: at..end,
            label: String::new(),
            help: None,
            key: "",
        }
    }

    fn holding(self, kept: String, trust: &Trust) -> Text {
        let trusted = !self.kind.is_in_repository() || trust.holds(&self.path, &kept);
        Text { text: kept, trusted, fault: None, held: true, ..self }
    }

    /// The last good version of a file that is gone or has just changed. Whoever took it away or changed it may have meant to
    /// take back what it loosened, so it counts as a stranger's file, which can only tighten.
    fn stale(path: &Path, kept: String) -> Text {
        let text = Text::new(LayerKind::Project, path.to_path_buf(), kept.into_bytes());
        Text { trusted: false, held: true, ..text }
    }
}

/// Reads what applies in `cwd`. It always comes to a policy: a file that can't be read is replaced by its last version that
/// could be, and where there is none, what `readonly` would not grant is asked about. With `today` there are warnings, too.
pub(crate) fn load(
    directories: &Directories,
    project: &Path,
    cwd: &Path,
    instead: &[(&Path, &str)],
    today: Option<Date>,
) -> Loaded {
    let trust = Trust::new(directories);
    let (mut notices, mut stale) = (Vec::new(), Vec::new());
    let texts: Vec<Text> = policy_files(directories, project, cwd)
        .into_iter()
        .filter_map(|file| {
            let supposed = instead.iter().find(|(path, _)| *path == file.path);
            match supposed {
                Some((_, text)) => {
                    Some(trusted(Text::new(file.kind, file.path, text.as_bytes().to_vec()), &trust))
                }
                None => settled(file, directories, &trust, &mut notices, &mut stale),
            }
        })
        .chain(nowhere_to_look(directories))
        .collect();
    let check = match today {
        Some(today) => Check::Thorough { today },
        // What has been read without an error before can be read again.
        None if texts.iter().all(|text| text.held || trust.is_kept(&text.path, &text.text)) => Check::Quick,
        None => Check::Changed,
    };
    let (mut policy, diagnostics) = read(&texts, check);
    if is_broken(&diagnostics) {
        let (kept, lost) = last_good(&texts, &trust);
        policy = read(&kept, Check::Quick).0;
        tighten(&mut policy, kept, stale);
        let problem = problem(&diagnostics, &texts);
        if lost {
            policy.unreadable = Some(problem.clone());
        }
        notices.push(broken_notice(&problem, lost));
    } else {
        if instead.is_empty() {
            keep(&texts, &trust);
        }
        tighten(&mut policy, texts.clone(), stale);
    }
    if instead.is_empty() {
        let (choice, usual) = (on_failure(&policy), decision_on_error(OnError::default()));
        trust.keep_on_error(project, choice.as_str(), choice == usual);
    }
    notices.extend(policy.notices.iter().map(|notice| escaped(notice).into_owned()));
    notices.extend(directories.not_followed.iter().map(|name| not_followed_notice(name)));
    Loaded { policy, diagnostics, texts, notices }
}

/// Keeps what has settled and says something.
fn keep(texts: &[Text], trust: &Trust) {
    for text in texts.iter().filter(|text| !text.held && !text.settling && !text.text.trim().is_empty()) {
        trust.keep(&text.path, &text.text);
    }
}

/// Notes what a command wrote at a person's word: it is whole, and holds at once.
pub(crate) fn written(directories: &Directories, path: &Path, text: &str) {
    let trust = Trust::new(directories);
    if text.trim().is_empty() {
        trust.forget(path);
    } else if !is_broken(&read(&[Text::made(&path.to_string_lossy(), text.to_owned())], Check::Changed).1) {
        trust.keep(path, text);
    }
}

/// Adds what stale versions restrict. What is told about the policy is about the files as they are now.
fn tighten(policy: &mut Policy, mut texts: Vec<Text>, stale: Vec<Text>) {
    if stale.is_empty() {
        return;
    }
    texts.extend(stale);
    let notices = std::mem::take(&mut policy.notices);
    *policy = read(&texts, Check::Quick).0;
    policy.notices = notices;
}

/// The texts of the files that apply in `cwd`, as they are now.
pub(crate) fn texts(directories: &Directories, project: &Path, cwd: &Path) -> Vec<Text> {
    let trust = Trust::new(directories);
    let files = policy_files(directories, project, cwd).into_iter();
    let texts = files.filter_map(|file| match read_regular(&file.path, LARGEST) {
        Ok(found) => Some(trusted(Text::new(file.kind, file.path, found.bytes), &trust)),
        Err(error) => absent(file, &error, directories),
    });
    texts.chain(nowhere_to_look(directories)).collect()
}

/// Joins texts.
pub(crate) fn read(texts: &[Text], check: Check) -> (Policy, Vec<Diagnostic>) {
    let whole: Vec<&Text> = texts.iter().filter(|text| text.fault.is_none()).collect();
    let faults = texts.iter().filter_map(|text| text.fault.clone());
    let paths: Vec<String> = whole.iter().map(|text| text.path.display().to_string()).collect();
    let sources: Vec<Source<'_>> = whole
        .iter()
        .zip(&paths)
        .map(|(text, path)| Source { kind: text.kind, path, text: &text.text, trusted: text.trusted })
        .collect();
    if sources.is_empty() {
        // Without a file there is nothing to name: the vocabulary is not even gathered.
        return (Policy::join(Vec::new()), faults.collect());
    }
    let (policy, mut diagnostics) = Policy::load(&sources, &Vocabulary { rules: &vocabulary() }, check);
    diagnostics.extend(faults);
    (policy, diagnostics)
}

/// Is a file broken?
pub(crate) fn is_broken(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// The file's text, or its last good version while it is half saved. What it said before it was changed or taken away is
/// `stale` until that has settled.
fn settled(
    file: LayerFile,
    directories: &Directories,
    trust: &Trust,
    notices: &mut Vec<String>,
    stale: &mut Vec<Text>,
) -> Option<Text> {
    let RegularFile { bytes, modified } = match read_regular(&file.path, LARGEST) {
        Ok(found) => found,
        Err(error) => {
            let path = file.path.clone();
            let found = absent(file, &error, directories);
            if found.is_none() {
                stale.extend(taken_away(&path, trust));
            }
            return found;
        }
    };
    let age = modified.and_then(age);
    let empty = bytes.iter().all(u8::is_ascii_whitespace);
    let written = age.is_some_and(|age| age < SETTLING);
    let cut = empty && age.is_some_and(|age| age < EMPTY);
    let text = Text::new(file.kind, file.path, bytes);
    let kept = (written || cut).then(|| trust.kept(&text.path)).flatten();
    let Some(kept) = kept.filter(|kept| *kept != text.text) else { return Some(trusted(text, trust)) };
    if !written {
        notices.push(empty_notice(&text.path));
    }
    if written && (empty || is_half_saved(&text, &kept)) {
        return Some(text.holding(kept, trust));
    }
    // Nobody knows whether a save failed or another file has come after one that was deleted: what that restricted holds.
    stale.push(Text::stale(&text.path, kept));
    Some(Text { settling: true, ..trusted(text, trust) })
}

/// Is the text the beginning of what was there, or broken? Then the rest of it is probably still to come.
fn is_half_saved(text: &Text, kept: &str) -> bool {
    kept.starts_with(&text.text) || is_broken(&read(std::slice::from_ref(text), Check::Changed).1)
}

/// What a file said that is not there any more, if that is only a moment ago; after that it is forgotten.
fn taken_away(path: &Path, trust: &Trust) -> Option<Text> {
    if was_just_taken_away(path) {
        return trust.kept(path).map(|kept| Text::stale(path, kept));
    }
    trust.forget(path);
    None
}

/// What a file is that could not be read: nothing if it is plainly not there, otherwise a broken one.
fn absent(file: LayerFile, error: &io::Error, directories: &Directories) -> Option<Text> {
    let problem = match error.kind() {
        io::ErrorKind::NotFound if file.kind == LayerKind::User => home_problem(directories)?,
        io::ErrorKind::NotFound => return None,
        _ => format!("can't be read: {error}"),
    };
    Some(Text::unreadable(file.kind, file.path, problem))
}

/// Where a home directory would have to be known to find the person's own policy, and is not.
fn nowhere_to_look(directories: &Directories) -> Option<Text> {
    if directories.config.is_some() {
        return None;
    }
    let in_project = directories.not_followed.contains(&"HOME");
    let why = if in_project { "HOME lies in the project" } else { "HOME isn't an absolute path" };
    let problem = format!("can't be found, because {why}");
    let path = PathBuf::from("~/.config/hookgate/hookgate.toml");
    Some(Text::unreadable(LayerKind::User, path, problem))
}

/// Why the home directory does not show whether the person has a policy.
fn home_problem(directories: &Directories) -> Option<String> {
    let (home, config) = (directories.home.as_ref()?, directories.config.as_ref()?);
    if !is_below(config, home) {
        return None;
    }
    let problem = home.metadata().err()?;
    Some(format!("can't be found in the home directory {}: {problem}", home.display()))
}

/// Did the folder of a file that is not there change a moment ago? Some editors take the old file away before they write the new one.
fn was_just_taken_away(path: &Path) -> bool {
    let changed = path.parent().and_then(|folder| folder.metadata().ok()?.modified().ok());
    changed.and_then(age).is_some_and(|age| age < SETTLING)
}

/// How long ago that was; `None` where a clock is wrong.
fn age(when: SystemTime) -> Option<Duration> {
    match when.elapsed() {
        Ok(age) => Some(age),
        // File systems stamp with a coarser clock than ours, or on another machine.
        Err(ahead) => (ahead.duration() < SETTLING).then_some(Duration::ZERO),
    }
}

fn trusted(text: Text, trust: &Trust) -> Text {
    let trusted = !text.kind.is_in_repository() || trust.holds(&text.path, &text.text);
    Text { trusted, ..text }
}

/// The files, each that has errors replaced by its last good version, or left out; and whether one was left out.
fn last_good(texts: &[Text], trust: &Trust) -> (Vec<Text>, bool) {
    let mut lost = false;
    let kept = texts.iter().filter_map(|text| {
        if !is_broken(&read(std::slice::from_ref(text), Check::Changed).1) {
            return Some(text.clone());
        }
        match trust.kept(&text.path) {
            Some(kept) => Some(text.clone().holding(kept, trust)),
            None => {
                lost = true;
                None
            }
        }
    });
    let kept = kept.collect();
    (kept, lost)
}

/// What is wrong, in short: the file and the line of the first error, and what it is. Of a file that a stranger may have written
/// only where: a model reads this, and what such a file calls its keys and codes is the stranger's to choose.
fn problem(diagnostics: &[Diagnostic], texts: &[Text]) -> String {
    let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let first = errors
        .next()
        .map(|error| {
            let text = texts.iter().find(|text| text.path.as_os_str() == error.path.as_str());
            let whole = text.filter(|text| text.fault.is_none());
            let line = whole.map_or(String::new(), |text| format!(":{}", error.position(&text.text).0));
            let place = format!("{}{line}", error.path);
            if whole.is_some_and(|text| text.kind.is_in_repository() && !text.trusted) {
                return format!("{}: an error", Quoted::new(&place));
            }
            format!("{}: {}", Quoted::new(&place), Quoted::new(&error.message))
        })
        .unwrap_or_default();
    match errors.count() {
        0 => first,
        others => format!("{first}; {} errors in total", others + 1),
    }
}

/// How the notice about a broken policy begins.
pub(crate) const BROKEN: &str = "hookgate can't read its policy";

fn broken_notice(problem: &str, lost: bool) -> String {
    let then = if lost {
        "there is no earlier version to use instead, so until it is fixed hookgate asks about every call that the preset \
         `readonly` would not grant"
    } else {
        "its last valid version stays in force"
    };
    format!("{BROKEN} ({problem}); {then}; `hookgate test` shows every error")
}

/// What a person hears of a variable that points into the project.
pub(crate) fn not_followed_notice(name: &str) -> String {
    format!(
        "{name} points into the project, which a repository can set: it isn't followed, and hookgate looks in the usual place"
    )
}

fn empty_notice(path: &Path) -> String {
    format!(
        "the policy {} is empty, as after a failed save; its last version stays in force for {} minutes (delete the file to \
         end that now)",
        Quoted::new(&path.display().to_string()),
        EMPTY.as_secs() / 60
    )
}
