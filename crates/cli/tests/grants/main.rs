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
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use hookgate_agents::Value;

/// Texts that are granted and run, unless `HOOKGATE_GRANTS` says how many.
const QUICK: usize = 2_000;

/// What the planted secrets say.
const SECRET: &str = "PLANTED-SECRET-4711";

/// Runs each text of a file, NUL between them, and says which left the canary or printed a secret.
const DRIVER: &str = r#"
cd "$1" || exit 9
index=0
while IFS= read -r -d '' text; do
    said=$(timeout -k 1 2 bash -c "$text" 2>&1 </dev/null | tr -d '\0' | head -c 200000)
    if compgen -G 'canary*' >/dev/null || [ -e ../canary ] || [ -e "$HOME/canary" ]; then
        rm -f canary* ../canary "$HOME/canary"
        printf 'ran %s\n' "$index"
    fi
    # Written so that a listing of processes doesn't show it.
    case $said in *'PLANTED-SECRET''-4711'*) printf 'revealed %s\n' "$index" ;; esac
    index=$((index + 1))
done <"$2"
printf 'end %s\n' "$index"
"#;

#[test]
#[ignore = "minutes long: scripts/grants.sh runs it"]
fn what_is_granted_does_nothing_when_it_is_run() {
    let status = Command::new("unshare").args(["-r", "-n", "-m", "bash", "-c", "true"]).status();
    if !hookgate_testing::needs("unshare -r -n -m bash", status.is_ok_and(|status| status.success())) {
        return;
    }
    let wanted = std::env::var("HOOKGATE_GRANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(QUICK);
    let base = tempfile::Builder::new().prefix("grants-").tempdir_in("/var/tmp").expect("a directory");
    let home = base.path().join("home/dev");
    let project = home.join("project");
    plant(&home, &project);
    let texts = granted(&project, &home, wanted);
    assert!(texts.len() * 10 >= wanted.min(QUICK), "only {} texts were granted", texts.len());
    let before = snapshot(&home);
    let findings = run(base.path(), &project, &home, &texts);
    assert!(
        findings.is_empty(),
        "{} of {} grants were wrong:\n{}",
        findings.len(),
        texts.len(),
        findings.join("\n")
    );
    assert_eq!(before, snapshot(&home), "a granted text changed a file");
    eprintln!("{} granted texts were run; none did anything", texts.len());
}

/// A project with files of every kind that programs read by themselves, each of which would leave the canary.
fn plant(home: &Path, project: &Path) {
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
        ("project/Makefile", "all:\n\ttouch canary-make\n"),
        ("project/json.py", "open('canary-python', 'w')\n"),
        ("project/conftest.py", "open('canary-pytest', 'w')\n"),
        ("project/.vimrc", "!touch canary-vim\n"),
        ("project/package.json", "{\"scripts\": {\"test\": \"touch canary-npm\"}}\n"),
        ("project/-o", ""),
        ("project/-exec touch canary ;", ""),
        ("project/$(touch canary-name)", ""),
    ];
    for (path, content) in files {
        fs::write(home.join(path), content).expect("a file");
    }
    let git = |arguments: &[&str]| {
        let status = Command::new("git").args(arguments).current_dir(project).env("HOME", home).output();
        assert!(status.expect("git").status.success(), "git {arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "a.txt", "b.txt", "src"]);
    git(&["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "Begin"]);
}

/// The first texts of the generator that the gate grants.
fn granted(project: &Path, home: &Path, wanted: usize) -> Vec<String> {
    let mut granted = Vec::new();
    for part in generator::texts(wanted).chunks(20_000) {
        let input: String =
            part.iter().map(|text| format!("{}\n", serde_json::json!({ "command": text }))).collect();
        let mut child = Command::new(env!("CARGO_BIN_EXE_hookgate"))
            .args(["check", "--batch", "--isolated", "--json", "--preset", "readonly", "--cwd"])
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
fn run(base: &Path, project: &Path, home: &Path, texts: &[String]) -> Vec<String> {
    let list = base.join("texts");
    fs::write(&list, texts.iter().map(|text| format!("{text}\0")).collect::<String>()).expect("a file");
    let output = Command::new("unshare")
        .args(["-r", "-n", "-m", "bash", "-c", DRIVER, "driver"])
        .arg(project)
        .arg(&list)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", home)
        .env("LANG", "C.UTF-8")
        .env("AWS_SECRET_ACCESS_KEY", SECRET)
        .env("GITHUB_TOKEN", SECRET)
        .output()
        .expect("unshare");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(&format!("end {}", texts.len())), "the driver stopped: {said}");
    said.lines()
        .filter_map(|line| {
            let (what, index) = line.split_once(' ')?;
            let text = texts.get(index.parse::<usize>().ok()?)?;
            Some(format!("{what}: {text}"))
        })
        .collect()
}

/// Every file below the home with its content, but for what git keeps for itself.
fn snapshot(home: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![home.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory").flatten() {
            let path = entry.path();
            // What clients keep for themselves: an index, logs, caches.
            let kept = [".git/index", ".npm", ".cache", ".local"].iter().any(|name| path.ends_with(name));
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
