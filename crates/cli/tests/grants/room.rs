//! Rooms: namespaces without network, with everything but a throw-away home read-only, in which texts are run under strace.
//!
//! Each room has its own copy of the home at the same place, so that what was judged there holds in it. The trace is read while it
//! is written. A finding names its text.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::driver::{Orders, Shell};
use crate::{SECRET, generator};

/// Programs that ask their maker for a newer version, or for the rest of themselves, whatever they are called with.
const LOOKS_FOR_UPDATES: [&str; 3] = ["terraform", "pyright", "basedpyright"];

/// Programs that open what they are given only so that it is mounted.
const OPENS_WITHOUT_READING: [&str; 1] = ["df"];

/// Programs that give the project's own code its settings.
const LOADS_SETTINGS: [&str; 2] = ["vitest", "vite"];

/// The ends of the planted secrets' names.
const SECRETS: [&str; 6] = ["id_rsa", ".aws/credentials", ".netrc", ".env", "token.json", "etc/shadow"];

/// What changes the machine, and not a file.
const OF_THE_SYSTEM: &str = "mount,umount2,sethostname,setdomainname,settimeofday,clock_settime,reboot,swapon,swapoff,init_module,finit_module";

/// The names of namespaces, for `unshare`.
pub(crate) const NAMESPACES: [&str; 8] = ["-r", "-n", "-m", "-p", "-u", "-i", "--fork", "--mount-proc"];

/// Makes everything but the home read-only, with temporary folders of its own, and runs the rest under strace.
const ROOM: &str = r#"
set -e
home=$1; calls=$2; shift 2
mount --make-rprivate /
for place in /tmp /dev/shm /run; do mount -t tmpfs -o size=256m none "$place"; done
cp -a "$home" /run/home
mount -t tmpfs -o size=512m none "$home"
cp -a /run/home/. "$home"
rm -rf /run/home
mount -o remount,bind,ro /
if touch /usr/hookgate-canary 2>/dev/null; then exit 8; fi
ulimit -f 32768
exec strace -f --seccomp-bpf -qq -o /dev/stderr -e trace="$calls" -e signal=none -s 200 "$@"
"#;

/// What is run, and where.
pub(crate) struct Rooms<'a> {
    /// A directory for what the rooms are given.
    pub base: &'a Path,
    /// This program, where a room sees it.
    pub driver: &'a Path,
    /// The home, with the project in it.
    pub home: &'a Path,
    pub project: &'a Path,
    /// Whether a text may change the project.
    pub develops: bool,
    /// Whether the programs of `scripts/grants.sh install` are there too.
    pub more: bool,
    /// Whether findings are expected: then none is shown.
    pub quiet: bool,
    /// How long a text may run.
    pub limit: Duration,
    /// The shell that runs them.
    pub shell: &'a Shell,
}

/// What a run showed.
#[derive(Default)]
pub(crate) struct Run {
    /// What was wrong, by the number of the text.
    pub findings: BTreeMap<usize, Vec<String>>,
    /// Texts that ended because the program isn't there: nothing was run.
    pub missing: Vec<usize>,
    /// How many were ended because they took too long.
    pub late: usize,
}

impl Rooms<'_> {
    /// Runs the texts, in several rooms at once.
    pub(crate) fn run(&self, texts: &[String]) -> Run {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        // More than there are cores: many a text waits for something.
        let rooms = (cores + 2).min(texts.len()).max(1);
        let parts: Vec<Vec<usize>> =
            (0..rooms).map(|room| (room..texts.len()).step_by(rooms).collect()).collect();
        let mut all = Run::default();
        std::thread::scope(|scope| {
            let started: Vec<_> = parts
                .iter()
                .enumerate()
                .map(|(room, part)| scope.spawn(move || self.room(room, part, texts)))
                .collect();
            for room in started {
                let run = room.join().expect("a room");
                all.findings.extend(run.findings);
                all.missing.extend(run.missing);
                all.late += run.late;
            }
        });
        all
    }

    /// One room with the texts of these numbers.
    fn room(&self, room: usize, part: &[usize], texts: &[String]) -> Run {
        let list = self.base.join(format!("texts-{room}"));
        let content: String = part.iter().map(|index| format!("{}\0", texts[*index])).collect();
        std::fs::write(&list, content).expect("a file");
        let orders = Orders {
            texts: list,
            home: self.home.to_owned(),
            project: self.project.to_owned(),
            develops: self.develops,
            limit: self.limit,
            shell: self.shell.clone(),
        };
        let libraries = std::env::var_os("HOOKGATE_GRANTS_LIBRARIES").filter(|_| self.more);
        let mut child = Command::new("unshare")
            .args(NAMESPACES)
            .args(["bash", "-c", ROOM, "room"])
            .arg(self.home)
            .arg(format!(
                "open,openat,openat2,connect,sendto,sendmsg,sendmmsg,execve,execveat,{OF_THE_SYSTEM}"
            ))
            .arg(self.driver)
            .args(["--exact", "the_driver_of_a_room", "--nocapture", "--test-threads=1"])
            .env_clear()
            .envs(orders.variables())
            .env("PATH", path(self.more))
            .envs(libraries.map(|value| ("LD_LIBRARY_PATH", value)))
            .env("HOME", self.home)
            // Every program opens a dozen files for the other, which takes longer than what it does.
            .env("LANG", if room == 0 { "C.UTF-8" } else { "C" })
            .env("AWS_SECRET_ACCESS_KEY", SECRET)
            .env("GITHUB_TOKEN", SECRET)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("unshare");
        let said = std::io::BufReader::new(child.stdout.take().expect("its output"));
        let trace = std::io::BufReader::new(child.stderr.take().expect("its trace"));
        let mut run = Run::default();
        let mut traced = Trace::new(self.develops);
        let mut ended = None;
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                for line in trace.split(b'\n').map_while(Result::ok) {
                    traced.read(&String::from_utf8_lossy(&line), |at| {
                        part.get(at).map_or("", |index| texts[*index].as_str())
                    });
                }
            });
            for line in said.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                let Some((at, what, place)) = told(&line) else { continue };
                let number = part.get(at).copied().unwrap_or_default();
                match what {
                    "end" => ended = Some(at),
                    "late" => run.late += 1,
                    "missing" => run.missing.push(number),
                    _ => self.note(&mut run, number, format!("{what} {place}").trim(), texts),
                }
            }
            reader.join().expect("the trace");
        });
        let status = child.wait().expect("an end");
        assert_eq!(ended, Some(part.len()), "a room stopped, {status}:\n{}", traced.other.join("\n"));
        for (at, what) in traced.found {
            self.note(&mut run, part[at], &what, texts);
        }
        run
    }

    fn note(&self, run: &mut Run, number: usize, what: &str, texts: &[String]) {
        let found = run.findings.entry(number).or_default();
        if !found.iter().any(|known| known == what) {
            if !self.quiet {
                eprintln!("FINDING: {what}: {}", texts[number]);
            }
            found.push(what.to_owned());
        }
    }
}

/// The number, the word and the place of a line that the driver said.
fn told(line: &str) -> Option<(usize, &str, &str)> {
    let mut parts = line.strip_prefix('#')?.splitn(3, '\t');
    Some((parts.next()?.parse().ok()?, parts.next()?, parts.next()?))
}

/// Where the programs are: those of the machine, behind more if they are there.
fn path(more: bool) -> OsString {
    let own = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";
    match std::env::var("HOOKGATE_GRANTS_PATH") {
        Ok(first) if more => format!("{first}:{own}").into(),
        _ => own.into(),
    }
}

/// The shell that every text is run in.
pub(crate) fn bash() -> Shell {
    Shell { program: "/bin/bash".into(), prelude: String::new() }
}

/// The second shell, with what people switch on, if it's installed: an unpacked one is told where its modules are.
pub(crate) fn zsh() -> Option<Shell> {
    let program = installed("zsh")?;
    let mut prelude =
        "setopt extended_glob prompt_subst interactive_comments auto_cd auto_pushd\n".to_owned();
    if let Some(root) = program.to_str().and_then(|path| path.strip_suffix("/bin/zsh"))
        && !root.is_empty()
    {
        let functions = "usr/share/zsh/functions";
        prelude = format!(
            "module_path=({root}/usr/lib/*/zsh/*(N/)); fpath=({root}/{functions} {root}/{functions}/*(N/))\n{prelude}"
        );
    }
    Some(Shell { program, prelude })
}

/// Where a program is, if it's installed.
pub(crate) fn installed(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&path(true)).map(|directory| directory.join(program)).find(|file| file.is_file())
}

/// Reads what strace writes.
struct Trace {
    develops: bool,
    /// The number of the text that is running.
    current: Option<usize>,
    /// Calls that another process interrupted, by their process.
    open: BTreeMap<String, String>,
    asks: std::collections::BTreeSet<&'static str>,
    found: Vec<(usize, String)>,
    /// What isn't of the trace: errors.
    other: Vec<String>,
}

impl Trace {
    fn new(develops: bool) -> Trace {
        let mut asks = generator::names_with("=remote");
        asks.extend(LOOKS_FOR_UPDATES);
        Trace { develops, current: None, open: BTreeMap::new(), asks, found: Vec::new(), other: Vec::new() }
    }

    /// One line: a whole call, its begin, or its end.
    fn read<'t>(&mut self, line: &str, text: impl Fn(usize) -> &'t str) {
        let Some((process, call)) =
            line.split_once(' ').filter(|(process, _)| process.parse::<u32>().is_ok())
        else {
            self.other.push(line.to_owned());
            return;
        };
        let call = call.trim_start();
        if let Some((_, rest)) = call.split_once("\"/mark/") {
            self.current = rest.split('"').next().and_then(|digits| digits.parse().ok());
            return;
        }
        if let Some(begin) = call.strip_suffix("<unfinished ...>") {
            self.open.insert(process.to_owned(), begin.to_owned());
            return;
        }
        let joined = match call.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>")) {
            Some((_, end)) => self.open.remove(process).unwrap_or_default() + end,
            None => call.to_owned(),
        };
        let Some(current) = self.current else { return };
        if let Some(what) = self.judged(&joined, text(current))
            && self.found.last().is_none_or(|last| last.0 != current || last.1 != what)
        {
            self.found.push((current, what));
        }
    }

    /// What is wrong with a call that a text made.
    fn judged(&self, call: &str, text: &str) -> Option<String> {
        let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let (name, _) = call.split_once('(')?;
        let worked = call.rsplit_once(" = ").is_some_and(|(_, result)| !result.starts_with('-'));
        let file = call.split('"').nth(1).unwrap_or_default();
        let ends =
            |end: &str| file.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        match name {
            "open" | "openat" | "openat2" => {
                let opens =
                    words().any(|word| OPENS_WITHOUT_READING.contains(&word)) || call.contains("O_PATH");
                // Perl asks for all that there is about an account, which is everything for the root of a room.
                let account = ends("etc/shadow") && !text.contains("etc");
                let own = self.develops && ends(".env") && words().any(|word| LOADS_SETTINGS.contains(&word));
                // A client's own, to ask its service with.
                let client = [".aws/credentials", ".netrc"].iter().any(|name| ends(name))
                    && words().any(|word| self.asks.contains(word));
                if worked && !(opens || account || own || client) && SECRETS.iter().any(|secret| ends(secret))
                {
                    return Some(format!("opened a secret {file}"));
                }
                // Tried, even where nothing can be written.
                let canary = file.rsplit('/').next().is_some_and(|name| name.starts_with("canary"));
                (canary && !self.develops && (call.contains("O_CREAT") || call.contains("O_WRONLY")))
                    .then(|| "ran a payload: it wrote".to_owned())
            }
            "execve" | "execveat" => {
                let touches = file.rsplit('/').next() == Some("touch") && worked;
                (touches && (!self.develops || call.contains("[\"touch\", \"../canary")))
                    .then(|| "ran a payload: touch".to_owned())
            }
            "connect" | "sendto" | "sendmsg" | "sendmmsg" => {
                let abroad = call.contains("sin_addr") && !call.contains("\"127.0.0.1\"")
                    || call.contains("sin6_addr") && !call.contains("\"::1\"");
                (abroad && !words().any(|word| self.asks.contains(word))).then(|| "called a host".to_owned())
            }
            _ if OF_THE_SYSTEM.split(',').any(|known| known == name) => {
                Some(format!("changed the system: {name}"))
            }
            _ => None,
        }
    }
}
