//! Inside of a room: runs one text after the other, and puts everything back behind each.
//!
//! Runs in the namespace that `room.rs` makes, as the only process there that isn't one of a text. What it sees of a text (a planted
//! payload that left its mark, a file that changed, a secret that was printed) it says on its standard output, by the text's number.
//! Opening `/mark/N` tells the trace, which `room.rs` reads, whose calls follow.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::SECRET;

/// Of what a text prints, no more is kept: a file system that is full would hide what comes later.
const MOST_PRINTED: u64 = 16 << 20;

/// What the room says to its driver, by its environment.
pub(crate) struct Orders {
    /// The texts, with a NUL behind each.
    pub texts: PathBuf,
    /// The home, with the project in it.
    pub home: PathBuf,
    pub project: PathBuf,
    /// Whether a text may change the project.
    pub develops: bool,
    /// How long a text may run.
    pub limit: Duration,
    /// The shell that runs them.
    pub shell: Shell,
}

/// A shell that runs texts, and what stands in front of each.
#[derive(Clone)]
pub(crate) struct Shell {
    pub program: PathBuf,
    pub prelude: String,
}

impl Orders {
    /// What the environment says, where this process is a driver.
    pub(crate) fn read() -> Option<Orders> {
        let get = |name: &str| std::env::var_os(format!("HOOKGATE_ROOM_{name}"));
        let limit = get("LIMIT")?.to_string_lossy().parse().ok()?;
        Some(Orders {
            texts: get("TEXTS")?.into(),
            home: get("HOME")?.into(),
            project: get("PROJECT")?.into(),
            develops: get("DEVELOPS").is_some(),
            limit: Duration::from_millis(limit),
            shell: Shell { program: get("SHELL")?.into(), prelude: get("PRELUDE")?.into_string().ok()? },
        })
    }

    /// What [`Orders::read`] reads.
    pub(crate) fn variables(&self) -> Vec<(String, std::ffi::OsString)> {
        let mut variables: Vec<(&str, std::ffi::OsString)> = vec![
            ("TEXTS", self.texts.clone().into()),
            ("HOME", self.home.clone().into()),
            ("PROJECT", self.project.clone().into()),
            ("LIMIT", self.limit.as_millis().to_string().into()),
            ("SHELL", self.shell.program.clone().into()),
            ("PRELUDE", self.shell.prelude.clone().into()),
        ];
        if self.develops {
            variables.push(("DEVELOPS", "1".into()));
        }
        variables.into_iter().map(|(name, value)| (format!("HOOKGATE_ROOM_{name}"), value)).collect()
    }
}

/// Runs all texts.
pub(crate) fn drive(orders: &Orders) {
    let texts = fs::read(&orders.texts).expect("the texts");
    let clock = Clock::start();
    let mut printed =
        fs::File::options().create(true).read(true).append(true).open("/run/printed").expect("a file");
    let secrets = spellings(SECRET);
    let mut kept = Kept::new(orders);
    let own = processes();
    let mut count = 0;
    for (index, text) in texts.split(|byte| *byte == 0).filter(|text| !text.is_empty()).enumerate() {
        // Nothing is there; the trace has the name.
        drop(fs::File::open(format!("/mark/{index}")));
        printed.set_len(0).expect("the output is emptied");
        let (code, late) = run(text, orders, &printed, &clock, &own);
        // What is opened from here on is no text's.
        drop(fs::File::open("/mark/none"));
        if late {
            say(index, "late", "");
        }
        if code == Some(127) {
            say(index, "missing", "");
        }
        printed.rewind().expect("the output");
        let mut said = Vec::new();
        (&printed).take(MOST_PRINTED).read_to_end(&mut said).expect("the output");
        said.make_ascii_lowercase();
        if secrets.iter().any(|secret| contains(&said, secret)) {
            say(index, "printed a secret", "");
        }
        // Enough of them to see what it was.
        for (what, path) in kept.put_back().into_iter().take(4) {
            say(index, what, &path.to_string_lossy());
        }
        for place in ["/tmp", "/dev/shm", "/run"] {
            if emptied(Path::new(place)) {
                say(index, "ran a payload", place);
            }
        }
        count = index + 1;
    }
    say(count, "end", "");
}

/// One line for the room: `#`, the number of the text, what it is, and where.
fn say(index: usize, what: &str, place: &str) {
    let line = format!("\n#{index}\t{what}\t{}\n", place.escape_debug());
    std::io::stdout().write_all(line.as_bytes()).expect("the room listens");
}

/// Runs a text until all that it started has ended: its code, and whether it took too long.
fn run(
    text: &[u8],
    orders: &Orders,
    printed: &fs::File,
    clock: &Clock,
    own: &BTreeSet<i32>,
) -> (Option<i32>, bool) {
    use std::os::unix::ffi::OsStrExt as _;
    let whole = [orders.shell.prelude.as_bytes(), text].concat();
    let mut command = Command::new(&orders.shell.program);
    command.arg("-c").arg(OsStr::from_bytes(&whole)).current_dir(&orders.project).process_group(0);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("HOOKGATE_ROOM_") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
        .stdout(printed.try_clone().expect("a descriptor"))
        .stderr(printed.try_clone().expect("a descriptor"));
    let begun = Instant::now();
    let Ok(mut child) = command.spawn() else { return (None, false) };
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process");
    clock.set(group, begun + orders.limit);
    let status = child.wait().expect("an end");
    clock.clear();
    let mut late = status.signal() == Some(9) && begun.elapsed() >= orders.limit;
    // What it left in the background belongs to it.
    let mut pause = Duration::from_micros(100);
    loop {
        let left = processes().into_iter().filter(|process| !own.contains(process));
        let left: Vec<Pid> = left.filter_map(Pid::from_raw).collect();
        if left.is_empty() {
            break;
        }
        if begun.elapsed() >= orders.limit {
            late = true;
            let _ = kill_process_group(group, Signal::KILL);
            for process in left {
                let _ = kill_process(process, Signal::KILL);
            }
        }
        if begun.elapsed() >= orders.limit * 2 {
            break;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    (status.code(), late)
}

/// All processes of the room, those too that left their group.
fn processes() -> BTreeSet<i32> {
    let entries = fs::read_dir("/proc").expect("the processes");
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Ends a group of processes when its time is over.
struct Clock {
    due: Arc<Due>,
}

/// The group that has to end, and when.
type Due = (Mutex<Option<(Pid, Instant)>>, Condvar);

impl Clock {
    fn start() -> Clock {
        let due: Arc<Due> = Arc::new((Mutex::new(None), Condvar::new()));
        let theirs = Arc::clone(&due);
        std::thread::spawn(move || {
            let (due, changed) = &*theirs;
            let mut guard = due.lock().expect("the clock");
            loop {
                guard = match *guard {
                    None => changed.wait(guard).expect("the clock"),
                    Some((group, end)) => {
                        let left = end.saturating_duration_since(Instant::now());
                        if left.is_zero() {
                            let _ = kill_process_group(group, Signal::KILL);
                            *guard = None;
                        }
                        changed.wait_timeout(guard, left).expect("the clock").0
                    }
                };
            }
        });
        Clock { due }
    }

    fn set(&self, group: Pid, end: Instant) {
        *self.due.0.lock().expect("the clock") = Some((group, end));
        self.due.1.notify_one();
    }

    /// No wake: the thread sees at its next one that nothing is due.
    fn clear(&self) {
        *self.due.0.lock().expect("the clock") = None;
    }
}

/// What a file is by its metadata. A change moves the time of its change, which no program can set.
type Stamp = (u64, u32, u64, i64, i64);

fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::symlink_metadata(path).ok()?;
    // A directory's time moves with every file in it, which is looked at by itself.
    let time = if data.is_dir() { (0, 0, 0) } else { (data.size(), data.ctime(), data.ctime_nsec()) };
    Some((data.ino(), data.mode(), time.0, time.1, time.2))
}

#[derive(PartialEq)]
enum Content {
    Directory,
    Link(PathBuf),
    /// With the time of its last change, which `touch` moves.
    File(Vec<u8>, Option<SystemTime>),
    Other,
}

fn content(path: &Path) -> Option<(u32, Content)> {
    let data = fs::symlink_metadata(path).ok()?;
    let content = if data.is_dir() {
        Content::Directory
    } else if data.is_symlink() {
        Content::Link(fs::read_link(path).ok()?)
    } else if data.is_file() {
        Content::File(fs::read(path).unwrap_or_default(), data.modified().ok())
    } else {
        Content::Other
    };
    Some((data.mode(), content))
}

/// The home as it was before the first text.
struct Kept {
    home: PathBuf,
    /// Where a text may change files.
    free: Option<PathBuf>,
    /// What clients keep for themselves: an index, logs, caches.
    own: Vec<PathBuf>,
    files: BTreeMap<PathBuf, (u32, Content)>,
    stamps: BTreeMap<PathBuf, Stamp>,
}

impl Kept {
    fn new(orders: &Orders) -> Kept {
        let mut own: Vec<PathBuf> = [".npm", ".cache", ".local", ".terraform.d", ".config", ".ansible"]
            .map(|name| orders.home.join(name))
            .into();
        own.push(orders.project.join(".git/index"));
        // It ignores itself, and holds what was found.
        own.push(orders.project.join(".ruff_cache"));
        let stamps = walk(&orders.home);
        let files = stamps.keys().filter_map(|path| Some((path.clone(), content(path)?))).collect();
        let free = orders.develops.then(|| orders.project.clone());
        Kept { home: orders.home.clone(), free, own, files, stamps }
    }

    /// Makes the home what it was, and says what was wrong in it.
    fn put_back(&mut self) -> Vec<(&'static str, PathBuf)> {
        let now = walk(&self.home);
        if now == self.stamps {
            return Vec::new();
        }
        let mut found = Vec::new();
        let other = |path: &&PathBuf| now.get(*path) != self.stamps.get(*path);
        let mut changed: Vec<PathBuf> = now.keys().chain(self.stamps.keys()).filter(other).cloned().collect();
        changed.sort();
        changed.dedup();
        changed.retain(|path| content(path).as_ref() != self.files.get(path));
        for path in &changed {
            let free = self.free.as_ref().is_some_and(|free| path.starts_with(free));
            if !free && !self.files.contains_key(path) && is_canary(path) {
                found.push(("ran a payload", path.clone()));
            } else if !free && path != &self.home && !self.own.iter().any(|own| path.starts_with(own)) {
                // `~/.config` itself belongs to all.
                found.push(("changed a file", path.clone()));
            }
        }
        // From below, so that directories are empty when they go; then from above, so that they are there for what was in them.
        for path in changed.iter().rev() {
            let same_kind = match (content(path), self.files.get(path)) {
                (Some((_, now)), Some((_, then))) => {
                    std::mem::discriminant(&now) == std::mem::discriminant(then)
                }
                (None, _) => true,
                (Some(_), None) => false,
            };
            if !same_kind {
                drop(fs::remove_dir_all(path));
                drop(fs::remove_file(path));
            }
        }
        for path in &changed {
            if let Some((mode, content)) = self.files.get(path) {
                match content {
                    Content::Directory => drop(fs::create_dir(path)),
                    Content::Link(to) => {
                        drop(fs::remove_file(path));
                        drop(symlink(to, path));
                    }
                    Content::File(bytes, time) => {
                        // Not into what another name may share by now.
                        drop(fs::remove_file(path));
                        drop(write(path, bytes, *time));
                    }
                    Content::Other => {}
                }
                if !matches!(content, Content::Link(_)) {
                    drop(fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7777)));
                }
            }
        }
        self.stamps = walk(&self.home);
        let left: Vec<&PathBuf> = self
            .stamps
            .keys()
            .chain(self.files.keys())
            .filter(|path| content(path).as_ref() != self.files.get(*path))
            .collect();
        assert!(left.is_empty(), "could not be put back: {left:?}");
        found
    }
}

fn write(path: &Path, bytes: &[u8], time: Option<SystemTime>) -> std::io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(bytes)?;
    time.map_or(Ok(()), |time| file.set_modified(time))
}

/// All that is below a directory, and itself.
fn walk(directory: &Path) -> BTreeMap<PathBuf, Stamp> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(path) = open.pop() {
        let Some(stamp) = stamp(&path) else { continue };
        if stamp.1 & 0o170_000 == 0o040_000 {
            open.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
        found.insert(path, stamp);
    }
    found
}

fn is_canary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains("canary"))
}

/// Empties a temporary folder; whether a payload left its mark there.
fn emptied(place: &Path) -> bool {
    let mut ran = false;
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        if path == Path::new("/run/printed") {
            continue;
        }
        ran |= walk(&path).keys().any(|path| is_canary(path));
        drop(fs::remove_dir_all(&path));
        drop(fs::remove_file(&path));
    }
    ran
}

/// What a text may print of a secret, in small letters: most of it, backwards, in hexadecimal digits and in base64.
fn spellings(secret: &str) -> Vec<Vec<u8>> {
    let inner: String = secret.chars().skip(5).take(11).collect();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut all = vec![inner.clone(), inner.chars().rev().collect(), hex(inner.as_bytes())];
    all.extend((0..3).map(|skip| base64(inner.as_bytes().get(skip..).unwrap_or_default())));
    all.into_iter().map(|text| text.to_ascii_lowercase().into_bytes()).collect()
}

/// The letters that whole groups of three bytes become.
fn base64(bytes: &[u8]) -> String {
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let mut text = String::new();
    for group in bytes.chunks_exact(3) {
        let number = group.iter().fold(0_usize, |number, byte| number << 8 | usize::from(*byte));
        text.extend([18, 12, 6, 0].map(|shift| letters[number >> shift & 63]));
    }
    text
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    let Some(first) = part.first() else { return false };
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = rest.split_at(at).1;
        if rest.starts_with(part) {
            return true;
        }
        rest = rest.split_at(1).1;
    }
    false
}
