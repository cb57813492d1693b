//! A person's overrides: halt, pause and grant, as files in the state directory.
//!
//! A halt counts by its mere presence, whoever made it: stopping is anybody's. A pause or a grant loosens, so it counts
//! only while it is whole: a file of this user that nobody else may write, not yet expired, from this boot of the machine, and
//! not from a future that a clock set back has made.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hookgate_engine::{Grant, GrantUse, Halt, Pause};
use serde_json::{Value, json};

use crate::Directories;
use crate::names::inside;

/// The longest time for which a pause or a grant may hold, in milliseconds: a working day.
pub const LONGEST_OVERRIDE: u64 = 8 * 60 * 60 * 1000;

/// How long a grant waits for the one call that it is for, in milliseconds.
pub const ONCE: u64 = 60 * 60 * 1000;

/// How long a grant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantLength {
    /// For the next such call, within [`ONCE`].
    Once,
    /// For every such call within this time, at most [`LONGEST_OVERRIDE`].
    Millis(u64),
}

/// The most that is read of any of these files, in bytes.
const LIMIT: u64 = 4096;

/// The overrides of a machine and of one of its users.
#[derive(Clone, Debug)]
pub struct Overrides {
    state: Option<PathBuf>,
    managed: PathBuf,
}

impl Overrides {
    /// The overrides below these directories.
    #[must_use]
    pub fn new(directories: &Directories) -> Overrides {
        Overrides { state: directories.state.clone(), managed: directories.managed.clone() }
    }

    /// The sentinels that stand: the machine's first, then the user's.
    pub fn sentinels(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let files = [Some(&self.managed), self.state.as_ref()];
        files
            .into_iter()
            .flatten()
            .map(|folder| inside(folder, "halt"))
            .filter(|p| p.symlink_metadata().is_ok())
    }

    /// Is every agent to stop? The sentinel's content is the reason.
    #[must_use]
    pub fn halted(&self) -> Option<Halt> {
        let sentinel = self.sentinels().next()?;
        let reason = read_bounded(&sentinel).unwrap_or_default();
        Some(Halt { reason: reason.trim().to_owned(), sentinel: sentinel.display().to_string() })
    }

    /// Stops every agent of this user. Whoever says so once more erases no reason that was given before: theirs is added.
    ///
    /// # Errors
    /// Where there is no state directory or it can't be written.
    pub fn halt(&self, reason: &str) -> io::Result<PathBuf> {
        let path = self.file("halt")?;
        let before = read_bounded(&path).unwrap_or_default();
        let before = before.trim();
        let said = before.split("; ").any(|known| known == reason.trim());
        let all = match (before, reason.trim()) {
            ("", reason) => reason.to_owned(),
            (before, _) if said || reason.trim().is_empty() => before.to_owned(),
            (before, reason) => format!("{before}; {reason}"),
        };
        write_whole(&path, &all)?;
        Ok(path)
    }

    /// The pause that holds now.
    #[must_use]
    pub fn paused(&self) -> Option<Pause> {
        let value = self.read_lease(&self.file("pause").ok()?)?;
        Some(Pause { until: value.get("until")?.as_u64()? })
    }

    /// Silences the gate for `millis`, at most [`LONGEST_OVERRIDE`].
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn pause(&self, millis: u64) -> io::Result<Pause> {
        let (lease, until) = lease(millis);
        write_whole(&self.file("pause")?, &lease.to_string())?;
        Ok(Pause { until })
    }

    /// The grant for the call with this name, if one holds now, as it stands for this event of it.
    #[must_use]
    pub fn granted(&self, call: &str, of: GrantUse<'_>) -> Option<Grant> {
        let file = self.file("grants").ok()?.join(file_name(call)?);
        let value = self.read_lease(&file)?;
        let used = Used::read(&used_file(&file, &value)?).filter(|used| !used.is_by(of));
        grant(&value, used.map(|used| used.at))
    }

    /// Uses the grant for the call with this name, if it is for one call; false where another one has it, or where it can't be
    /// noted. Of calls that come at the same time, one has it.
    #[must_use]
    pub fn use_grant(&self, call: &str, of: GrantUse<'_>) -> bool {
        let Some((file, value)) = self.file("grants").ok().zip(file_name(call)).and_then(|(folder, name)| {
            let file = folder.join(name);
            let value = self.read_lease(&file)?;
            Some((file, value))
        }) else {
            return false;
        };
        if !is_once(&value) {
            return true;
        }
        let Some(used) = used_file(&file, &value) else { return false };
        match write_new(&used, &Used::text(of)) {
            Ok(()) => true,
            Err(_) => Used::read(&used).is_some_and(|used| used.is_by(of)),
        }
    }

    /// All grants whose time isn't over, with when each was used.
    #[must_use]
    pub fn grants(&self) -> Vec<Grant> {
        let entries = self.file("grants").and_then(fs::read_dir).into_iter().flatten().filter_map(Result::ok);
        let standing = entries.filter_map(|entry| {
            let value = self.read_lease(&entry.path())?;
            let used = Used::read(&used_file(&entry.path(), &value)?);
            grant(&value, used.map(|used| used.at))
        });
        let mut grants: Vec<Grant> = standing.collect();
        grants.sort_by(|one, other| (one.until, &one.decision).cmp(&(other.until, &other.decision)));
        grants
    }

    /// Lets the call with this name pass the rules with these codes: the next one, or every such call for `millis`. What was
    /// granted for it before ends, and so does what is left of grants whose time is over.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn grant(
        &self,
        call: &str,
        decision: &str,
        codes: &[String],
        length: GrantLength,
    ) -> io::Result<Grant> {
        let name = file_name(call).ok_or(io::ErrorKind::InvalidInput)?;
        let (once, millis) = match length {
            GrantLength::Once => (true, ONCE),
            GrantLength::Millis(millis) => (false, millis),
        };
        let (mut value, until) = lease(millis);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("decision".to_owned(), json!(decision));
            fields.insert("codes".to_owned(), json!(codes));
            fields.insert("once".to_owned(), json!(once));
        }
        let folder = self.file("grants")?;
        self.clear_ended(&folder);
        write_whole(&folder.join(name), &value.to_string())?;
        Ok(Grant { decision: decision.to_owned(), codes: codes.to_vec(), until, once, used: None })
    }

    /// Removes the grants whose time is over, and the notes of their use. What can't be removed does no harm.
    fn clear_ended(&self, folder: &Path) {
        let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        // Drafts, which another process may be writing, begin with a dot.
        let whole = files.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
        let (leases, others): (Vec<PathBuf>, Vec<PathBuf>) =
            whole.map(|entry| entry.path()).partition(|path| path.extension().is_none());
        let standing: Vec<PathBuf> = leases
            .iter()
            .filter_map(|lease| {
                let used = self.read_lease(lease).and_then(|value| used_file(lease, &value));
                if used.is_none() {
                    drop(fs::remove_file(lease));
                }
                used
            })
            .collect();
        for note in others.iter().filter(|path| !standing.contains(path)) {
            drop(fs::remove_file(note));
        }
    }

    /// Ends every halt, pause and grant. The names of the files that were removed.
    ///
    /// # Errors
    /// Where one can't be removed.
    pub fn resume(&self) -> io::Result<Vec<PathBuf>> {
        let mut files: Vec<PathBuf> = self.sentinels().collect();
        if let Some(state) = &self.state {
            files.push(state.join("pause"));
            let grants = fs::read_dir(state.join("grants")).into_iter().flatten().filter_map(Result::ok);
            files.extend(grants.map(|entry| entry.path()));
        }
        let mut removed = Vec::new();
        for file in files {
            match fs::remove_file(&file) {
                Ok(()) => removed.push(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(removed)
    }

    fn file(&self, name: &str) -> io::Result<PathBuf> {
        let state = self.state.as_ref().ok_or(io::ErrorKind::NotFound)?;
        Ok(inside(state, name))
    }

    /// The content of a file that loosens, if it counts.
    fn read_lease(&self, path: &Path) -> Option<Value> {
        let metadata = path.symlink_metadata().ok()?;
        if !metadata.is_file() || !is_mine(&metadata) {
            return None;
        }
        let value: Value = serde_json::from_str(&read_bounded(path)?).ok()?;
        let (from, until) = (value.get("from")?.as_u64()?, value.get("until")?.as_u64()?);
        let now = now();
        let in_time = from <= now && now < until && until - from <= LONGEST_OVERRIDE;
        let same_boot = value.get("boot")?.as_str()? == boot();
        (in_time && same_boot).then_some(value)
    }
}

fn grant(value: &Value, used: Option<u64>) -> Option<Grant> {
    let codes = value.get("codes")?.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
    Some(Grant {
        decision: value.get("decision")?.as_str()?.to_owned(),
        codes: codes.collect(),
        until: value.get("until")?.as_u64()?,
        once: is_once(value),
        used: used.filter(|_| is_once(value)),
    })
}

/// A grant is for one call unless it says otherwise.
fn is_once(value: &Value) -> bool {
    value.get("once") != Some(&Value::Bool(false))
}

/// The note of a grant's use: it has the time of the grant in its name, so a later grant for the same call isn't used by it.
fn used_file(file: &Path, value: &Value) -> Option<PathBuf> {
    Some(file.with_extension(format!("{}-used", value.get("from")?.as_u64()?)))
}

/// Which call used a grant, and when.
struct Used {
    at: u64,
    id: Option<String>,
    follows: bool,
}

impl Used {
    fn text(of: GrantUse<'_>) -> String {
        json!({ "when": now(), "id": of.id, "follows": of.follows }).to_string()
    }

    /// A note that can't be read is one of a use by another call.
    fn read(path: &Path) -> Option<Used> {
        path.symlink_metadata().ok()?;
        let value: Value =
            read_bounded(path).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        Some(Used {
            at: value.get("when").and_then(Value::as_u64).unwrap_or_default(),
            id: value.get("id").and_then(Value::as_str).map(str::to_owned),
            follows: value.get("follows") != Some(&Value::Bool(false)),
        })
    }

    /// Was it used by the call of this event? An event without the call's id is one of it where it follows a call that was let
    /// through: what it is about has passed there.
    fn is_by(&self, of: GrantUse<'_>) -> bool {
        match (self.id.as_deref(), of.id) {
            (Some(used), Some(id)) => used == id,
            _ => of.follows && !self.follows,
        }
    }
}

fn lease(millis: u64) -> (Value, u64) {
    let from = now();
    let until = from.saturating_add(millis.min(LONGEST_OVERRIDE));
    (json!({ "from": from, "until": until, "boot": boot() }), until)
}

/// A call's name is a digest; anything else could leave the folder.
fn file_name(call: &str) -> Option<&str> {
    (!call.is_empty() && call.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(call)
}

fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The name of this boot of the machine; empty where the system has none.
fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

#[cfg(unix)]
pub(crate) fn is_mine(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0
}

#[cfg(not(unix))]
pub(crate) fn is_mine(_: &fs::Metadata) -> bool {
    true
}

/// A regular file's text, cut at [`LIMIT`].
pub(crate) fn read_bounded(path: &Path) -> Option<String> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(LIMIT).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes a file that only its owner may read, in one step.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let draft = draft(path, text)?;
    fs::rename(&draft, path).inspect_err(|_| drop(fs::remove_file(&draft)))
}

/// Writes a file that isn't there yet, in one step: whoever finds it finds all of it.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let draft = draft(path, text)?;
    let linked = fs::hard_link(&draft, path);
    drop(fs::remove_file(&draft));
    linked
}

/// The text in a new file beside that path, which only its owner may read.
fn draft(path: &Path, text: &str) -> io::Result<PathBuf> {
    let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!(".{}", crate::decision_id()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&draft).and_then(|mut file| file.write_all(text.as_bytes()));
    written.inspect_err(|_| drop(fs::remove_file(&draft)))?;
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overrides(folder: &Path) -> Overrides {
        Overrides { state: Some(folder.join("state")), managed: folder.join("managed") }
    }

    #[test]
    fn touching_either_sentinel_halts_and_its_content_is_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let overrides = overrides(folder.path());
        assert_eq!(overrides.halted(), None);
        overrides.halt("deploy broke").unwrap();
        assert_eq!(overrides.halted().unwrap().reason, "deploy broke");
        for (again, reason) in [
            ("", "deploy broke"),
            ("deploy broke", "deploy broke"),
            ("disk full", "deploy broke; disk full"),
            ("disk full", "deploy broke; disk full"),
        ] {
            overrides.halt(again).unwrap();
            assert_eq!(overrides.halted().unwrap().reason, reason);
        }
        fs::create_dir_all(folder.path().join("managed")).unwrap();
        fs::write(folder.path().join("managed/halt"), "").unwrap();
        assert_eq!(overrides.halted().unwrap().reason, "");
        assert_eq!(overrides.resume().unwrap().len(), 2);
        assert_eq!(overrides.halted(), None);
    }

    #[test]
    fn a_pause_holds_until_it_expires_and_never_longer_than_eight_hours() {
        let folder = tempfile::tempdir().unwrap();
        let overrides = overrides(folder.path());
        assert_eq!(overrides.paused(), None);
        let pause = overrides.pause(u64::MAX).unwrap();
        assert!(pause.until <= now() + LONGEST_OVERRIDE);
        assert_eq!(overrides.paused(), Some(pause));
        overrides.pause(0).unwrap();
        assert_eq!(overrides.paused(), None);
    }

    #[test]
    fn a_pause_that_is_malformed_of_another_boot_or_from_the_future_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let overrides = overrides(folder.path());
        overrides.pause(60_000).unwrap();
        let file = folder.path().join("state/pause");
        let (from, until, boot) = (now(), now() + 60_000, boot());
        for text in [
            String::new(),
            "{}".to_owned(),
            "until tomorrow".to_owned(),
            json!({ "from": from, "until": until, "boot": "another" }).to_string(),
            json!({ "from": from + 30_000, "until": until, "boot": boot }).to_string(),
            json!({ "from": 0, "until": until, "boot": boot }).to_string(),
            json!({ "until": until, "boot": boot }).to_string(),
        ] {
            fs::write(&file, &text).unwrap();
            assert_eq!(overrides.paused(), None, "{text}");
        }
        fs::write(&file, json!({ "from": from, "until": until, "boot": boot }).to_string()).unwrap();
        assert!(overrides.paused().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn files_that_loosen_are_private_and_one_that_others_can_write_does_not_count() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let overrides = overrides(folder.path());
        overrides.pause(60_000).unwrap();
        let file = folder.path().join("state/pause");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(overrides.paused(), None);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        fs::rename(&file, folder.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), &file).unwrap();
        assert_eq!(overrides.paused(), None, "a link is not the file that a person wrote");
    }

    fn call(id: &str) -> GrantUse<'_> {
        GrantUse { id: Some(id).filter(|id| !id.is_empty()), follows: false }
    }

    #[test]
    fn a_grant_is_for_one_call_and_ends() {
        let folder = tempfile::tempdir().unwrap();
        let overrides = overrides(folder.path());
        let codes = ["FS001".to_owned()];
        overrides.grant("ab12", "0000000000000", &codes, GrantLength::Millis(60_000)).unwrap();
        assert_eq!(overrides.granted("ab12", call("a")).unwrap().codes, ["FS001"]);
        assert_eq!(overrides.granted("ab13", call("a")), None);
        assert_eq!(overrides.granted("../pause", call("a")), None);
        assert_eq!(overrides.grants().len(), 1);
        for id in ["a", "b", "", ""] {
            assert!(overrides.use_grant("ab12", call(id)), "it holds for every such call");
            assert_eq!(overrides.granted("ab12", call(id)).unwrap().used, None);
        }
        overrides.grant("ab12", "0000000000000", &codes, GrantLength::Millis(0)).unwrap();
        assert_eq!(overrides.granted("ab12", call("a")), None);
        assert!(!overrides.use_grant("ab12", call("a")));
    }

    #[test]
    fn one_call_uses_a_grant_with_all_of_its_events_and_no_other_call_does() {
        let folder = tempfile::tempdir().unwrap();
        let overrides = overrides(folder.path());
        let codes = ["FS001".to_owned()];
        let later = |id| GrantUse { follows: true, ..call(id) };
        let is_open = |of| overrides.granted("ab12", of).unwrap().used.is_none();
        for first in ["a", ""] {
            overrides.grant("ab12", "0000000000000", &codes, GrantLength::Once).unwrap();
            assert!(is_open(call(first)) && overrides.grants()[0].used.is_none());
            assert!(overrides.use_grant("ab12", call(first)));
            assert!(overrides.grants()[0].used.is_some());
            assert!(!overrides.use_grant("ab12", call("b")) && !is_open(call("b")), "another call");
            assert!(!overrides.use_grant("ab12", call("")) && !is_open(call("")), "a call without a name");
            assert!(is_open(later("")) && overrides.use_grant("ab12", later("")), "the question about it");
            assert_eq!(is_open(call(first)), first == "a", "the same event, told to two hooks");
            assert_eq!(is_open(later("b")), first.is_empty());
            // Grants are told apart by their time.
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        overrides.grant("ab12", "0000000000000", &codes, GrantLength::Once).unwrap();
        assert!(overrides.use_grant("ab12", later("")), "where only questions are judged, one uses it");
        assert!(!overrides.use_grant("ab12", later("")) && !is_open(call("a")));
        let notes = fs::read_dir(folder.path().join("state/grants")).unwrap().count();
        assert!(notes <= 4, "notes of earlier grants are removed: {notes}");
        assert!(!overrides.resume().unwrap().is_empty());
        assert_eq!(fs::read_dir(folder.path().join("state/grants")).unwrap().count(), 0);
    }

    #[test]
    fn of_parallel_calls_one_uses_a_grant() {
        let folder = tempfile::tempdir().unwrap();
        let overrides = overrides(folder.path());
        overrides.grant("ab12", "0000000000000", &["FS001".to_owned()], GrantLength::Once).unwrap();
        for named in [true, false] {
            let taken = std::thread::scope(|scope| {
                let calls: Vec<_> = (0..16)
                    .map(|number| {
                        let id = if named { number.to_string() } else { String::new() };
                        let overrides = &overrides;
                        scope.spawn(move || overrides.use_grant("ab12", call(&id)))
                    })
                    .collect();
                calls.into_iter().map(|call| call.join().unwrap()).filter(|taken| *taken).count()
            });
            assert_eq!(taken, usize::from(named), "the second time it is used up");
        }
    }
}
