//! The oracle of grants: what `readonly` grants is really run, and must do nothing.
//!
//! A generator goes over bash's grammar (expansions, builtins with options, redirections, compounds, assignments) and over the reviewed
//! rows of the programs that are installed here, and puts a payload into each place for a text. What the gate grants
//! is run in a namespace without network, in a project with planted secrets. A finding is a payload that ran, a secret that was printed, or
//! a file that changed. `scripts/grants.sh` runs the long form.

#![expect(clippy::expect_used, reason = "a test may panic, and says where")]

mod generator;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hookgate_agents::Value;

/// Texts that are granted and run, unless `HOOKGATE_GRANTS` says how many.
const QUICK: usize = 2_000;

/// What the planted secrets say.
const SECRET: &str = "PLANTED-SECRET-4711";

/// Programs that ask their maker for a newer version, whatever they are called with.
const LOOKS_FOR_UPDATES: [&str; 1] = ["terraform"];

/// Programs that open what they are given only so that it is mounted.
const OPENS_WITHOUT_READING: [&str; 1] = ["df"];

/// Makes everything but the base read-only, with temporary folders of its own, and runs the rest under strace.
const ROOM: &str = r#"
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
for place in /tmp /dev/shm /run; do mount -t tmpfs none "$place"; done
mount -o remount,bind,ro /
if touch /usr/hookgate-canary 2>/dev/null; then exit 8; fi
exec strace -f --seccomp-bpf -qq -e trace=open,openat,connect -e signal=none -s 200 -o "$1/trace" bash -c "$5" driver "$2" "$3" "$4"
"#;

/// Runs each text of a file, NUL between them, and says which left the canary or printed a secret. Opening `/mark/N` tells the trace apart.
const DRIVER: &str = r#"
cd "$1" || exit 9
index=0
while IFS= read -r -d '' text; do
    { : <"/mark/$index"; } 2>/dev/null
    said=$(timeout -k 1 2 bash -c "$text" 2>&1 </dev/null | tr -d '\0' | head -c 200000)
    if compgen -G 'canary*' >/dev/null || [ -e ../canary ] || [ -e "$HOME/canary" ] || [ -e /tmp/canary ]; then
        rm -f canary* ../canary "$HOME/canary" /tmp/canary
        printf 'ran %s\n' "$index"
    fi
    # Written so that a listing of processes doesn't show it.
    case $said in *'PLANTED-SECRET''-4711'*) printf 'revealed %s\n' "$index" ;; esac
    index=$((index + 1))
    if [ -n "$3" ]; then git reset -q --hard 2>/dev/null; git clean -qfdx -e .env -e token.json 2>/dev/null; fi
done <"$2"
printf 'end %s\n' "$index"
"#;

#[test]
#[ignore = "minutes long: scripts/grants.sh runs it"]
fn what_readonly_grants_does_nothing_when_it_is_run() {
    let Some(wanted) = wanted() else { return };
    let base = tempfile::Builder::new().prefix("grants-").tempdir_in("/var/tmp").expect("a directory");
    let (home, project) = plant(base.path(), true);
    let texts = granted(&project, &home, &["readonly"], &generator::texts(wanted, true), wanted);
    assert!(texts.len() * 10 >= wanted.min(QUICK), "only {} texts were granted", texts.len());
    let before = snapshot(&home);
    let findings = run(base.path(), &project, &home, &texts, false);
    report(&findings, &texts);
    assert_eq!(before, snapshot(&home), "a granted text changed a file");
}

/// With `develop`, in a project whose own code is harmless: nothing runs, leaves the project, or is revealed all the same.
#[test]
#[ignore = "minutes long: scripts/grants.sh runs it"]
fn what_develop_grants_stays_in_the_project() {
    let Some(wanted) = wanted() else { return };
    let base = tempfile::Builder::new().prefix("grants-").tempdir_in("/var/tmp").expect("a directory");
    let (home, project) = plant(base.path(), false);
    let only_develop = |home: &Path| {
        let all = snapshot(home);
        let inside = project.to_string_lossy().into_owned();
        all.into_iter().filter(|(path, _)| !path.starts_with(&inside)).collect::<BTreeMap<_, _>>()
    };
    // What a payload does has to be something that isn't granted by itself: `sort -ocanary` may write into the project.
    let outside = |text: String| text.replace("canary", "../canary");
    let texts: Vec<String> = generator::texts(wanted, false).into_iter().map(outside).collect();
    let texts = granted(&project, &home, &["readonly", "develop"], &texts, wanted);
    let before = only_develop(&home);
    let findings = run(base.path(), &project, &home, &texts, true);
    report(&findings, &texts);
    assert_eq!(before, only_develop(&home), "a granted text changed a file outside of the project");
}

/// How many grants to run; nothing where a program that this needs is missing.
fn wanted() -> Option<usize> {
    let room = ["-r", "-n", "-m", "strace", "-qq", "-o", "/dev/null", "mount", "--make-rprivate", "/"];
    let status = Command::new("unshare").args(room).status();
    if !hookgate_testing::needs("unshare -r -n -m strace", status.is_ok_and(|status| status.success())) {
        return None;
    }
    Some(std::env::var("HOOKGATE_GRANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(QUICK))
}

fn report(findings: &[String], texts: &[String]) {
    assert!(
        findings.is_empty(),
        "{} of {} grants were wrong:\n{}",
        findings.len(),
        texts.len(),
        findings.join("\n")
    );
    eprintln!("{} granted texts were run; none did anything", texts.len());
}

/// A home and a project in it, with planted secrets; `hostile` adds files of every kind that programs read by themselves, each of
/// which would leave the canary.
fn plant(base: &Path, hostile: bool) -> (PathBuf, PathBuf) {
    let home = base.join("home/dev");
    let project = home.join("project");
    for directory in [".ssh", ".aws", "project/src", "project/.vscode"] {
        fs::create_dir_all(home.join(directory)).expect("a directory");
    }
    let files = [
        (".ssh/id_rsa", SECRET),
        (".aws/credentials", SECRET),
        (".netrc", SECRET),
        ("project/.env", SECRET),
        ("project/token.json", SECRET),
        ("project/a.txt", "one\ntwo 2\n"),
        ("project/b.txt", "one\n"),
        ("project/data.json", "{\"a\": [1, 2]}\n"),
        ("project/src/main.rs", "fn main() {}\n"),
        ("project/.gitignore", ".env\ntoken.json\n"),
    ];
    let traps = [
        ("project/Makefile", "all:\n\ttouch canary-make\n"),
        ("project/json.py", "open('canary-python', 'w')\n"),
        ("project/conftest.py", "open('canary-pytest', 'w')\n"),
        ("project/.vimrc", "!touch canary-vim\n"),
        ("project/package.json", "{\"scripts\": {\"test\": \"touch canary-npm\"}}\n"),
        ("project/sitecustomize.py", "open('canary-site', 'w')\n"),
        ("project/setup.py", "open('canary-setup', 'w')\n"),
        ("project/.npmrc", "script-shell=./trap.sh\nbrowser=./trap.sh\neditor=./trap.sh\n"),
        ("project/trap.sh", "touch canary-script\n"),
        ("project/.exrc", "!touch canary-ex\n"),
        ("project/.screenrc", "exec touch canary-screen\n"),
        ("project/.gdbinit", "shell touch canary-gdb\n"),
        ("project/.ripgreprc", "--pre=touch\n"),
        ("project/.gitattributes", "*.txt diff=trap filter=trap\n"),
        ("project/pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-p canary'\n"),
        ("project/.tmux.conf", "run-shell 'touch canary-tmux'\n"),
        ("project/justfile", "default:\n\ttouch canary-just\n"),
        ("project/Taskfile.yml", "version: 3\ntasks:\n  default: touch canary-task\n"),
        ("project/.mise.toml", "[hooks]\nenter = 'touch canary-mise'\n"),
        ("project/.env.js", "require('fs').writeFileSync('canary-node', '')\n"),
        ("project/-o", ""),
        ("project/-exec touch canary ;", ""),
        ("project/$(touch canary-name)", ""),
    ];
    for (path, content) in files.iter().chain(traps.iter().filter(|_| hostile)) {
        fs::write(home.join(path), content).expect("a file");
    }
    let git = |arguments: &[&str]| {
        let status = Command::new("git").args(arguments).current_dir(&project).env("HOME", &home).output();
        assert!(status.expect("git").status.success(), "git {arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    // Tracked, so that what is put back before the next text leaves the secrets ignored.
    git(&["add", "a.txt", "b.txt", "src", ".gitignore"]);
    git(&["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "Begin"]);
    if hostile {
        // A repository inside of the project, as a checkout or an unpacked archive may bring it.
        let inner = project.join("inner");
        fs::create_dir_all(inner.join("objects")).expect("a directory");
        fs::create_dir_all(inner.join("refs")).expect("a directory");
        fs::write(inner.join("HEAD"), "ref: refs/heads/main\n").expect("a file");
        fs::write(
            inner.join("config"),
            "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch ../canary-git\n",
        )
        .expect("a file");
    }
    (home, project)
}

/// The first texts of the generator that the gate grants.
fn granted(project: &Path, home: &Path, presets: &[&str], texts: &[String], wanted: usize) -> Vec<String> {
    let mut granted = Vec::new();
    for part in texts.chunks(20_000) {
        let input: String =
            part.iter().map(|text| format!("{}\n", serde_json::json!({ "command": text }))).collect();
        let mut child = Command::new(env!("CARGO_BIN_EXE_hookgate"))
            .args(["check", "--batch", "--isolated", "--json"])
            .args(presets.iter().flat_map(|preset| ["--preset", preset]))
            .arg("--cwd")
            .arg(project)
            .env("HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("hookgate");
        let mut stdin = child.stdin.take().expect("its input");
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("its output");
        writer.join().expect("a thread").expect("all of the input");
        let answers = String::from_utf8_lossy(&output.stdout);
        for (text, line) in part.iter().zip(answers.lines()) {
            let answer: Value = serde_json::from_str(line).expect("an answer");
            if answer.get("decision").and_then(Value::as_str) == Some("allow") {
                granted.push(text.clone());
            }
        }
        if granted.len() >= wanted {
            granted.truncate(wanted);
            break;
        }
    }
    granted
}

/// What was wrong, by text.
fn run(base: &Path, project: &Path, home: &Path, texts: &[String], restore: bool) -> Vec<String> {
    let list = base.join("texts");
    fs::write(&list, texts.iter().map(|text| format!("{text}\0")).collect::<String>()).expect("a file");
    let output = Command::new("unshare")
        .args(["-r", "-n", "-m", "bash", "-c", ROOM, "room"])
        .arg(base)
        .arg(project)
        .arg(&list)
        .arg(if restore { "restore" } else { "" })
        .arg(DRIVER)
        .env_clear()
        .env(
            "PATH",
            std::env::var_os("HOOKGATE_GRANTS_PATH").unwrap_or("/usr/local/bin:/usr/bin:/bin".into()),
        )
        .env("HOME", home)
        .env("LANG", "C.UTF-8")
        .env("AWS_SECRET_ACCESS_KEY", SECRET)
        .env("GITHUB_TOKEN", SECRET)
        .output()
        .expect("unshare");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("end {}", texts.len())), "the driver stopped: {said}\n{errors}");
    let mut findings: Vec<String> = said
        .lines()
        .filter_map(|line| {
            let (what, index) = line.split_once(' ')?;
            let index = index.parse::<usize>().ok()?;
            let text = texts.get(index)?;
            let before = index.checked_sub(1).and_then(|index| texts.get(index));
            Some(format!("{what}: {text} (behind: {before:?})"))
        })
        .collect();
    findings.extend(traced(&base.join("trace"), texts));
    findings
}

/// Texts that opened a planted secret or called a host, by the trace.
fn traced(trace: &Path, texts: &[String]) -> Vec<String> {
    let mut asks = generator::names_with("=remote");
    asks.extend(LOOKS_FOR_UPDATES);
    let mut findings = Vec::new();
    let mut current = None;
    let reader = std::io::BufReader::new(fs::File::open(trace).expect("the trace"));
    for line in reader.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        if let Some((_, rest)) = line.split_once("\"/mark/") {
            let digits = rest.split('"').next().unwrap_or_default();
            current = digits.parse::<usize>().ok().and_then(|index| texts.get(index));
            continue;
        }
        let Some(text) = current else { continue };
        let opened =
            line.contains("open") && line.rsplit_once(" = ").is_some_and(|(_, fd)| !fd.starts_with('-'));
        let secret = [".ssh/id_rsa\"", "/.netrc\"", "/.env\"", "\".env\"", "token.json\"", "/etc/shadow\""]
            .iter()
            .any(|name| line.contains(name));
        let called = line.contains("connect(") && line.contains("AF_INET") && !line.contains("127.0.0.1");
        let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let secret = secret && !words().any(|word| OPENS_WITHOUT_READING.contains(&word));
        let what = match (opened && secret, called && !words().any(|word| asks.contains(word))) {
            (true, _) => "opened a secret",
            (_, true) => "called a host",
            _ => continue,
        };
        let finding = format!("{what}: {text}");
        if findings.last() != Some(&finding) {
            findings.push(finding);
        }
    }
    findings
}

/// Every file below the home with its content, but for what git keeps for itself.
fn snapshot(home: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![home.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory").flatten() {
            let path = entry.path();
            // What clients keep for themselves: an index, logs, caches.
            let kept = [".git/index", ".npm", ".cache", ".local", ".terraform.d", ".config/gcloud"]
                .iter()
                .any(|name| path.ends_with(name));
            if kept {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.to_string_lossy().into_owned(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}
