//! The end of work, through the program: gates from the record that the hook itself writes, and judges whose model is a server that
//! misbehaves.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Ground, document, feed, write_program};

impl Ground {
    fn send(&self, name: &str, fields: &Value, variables: &[(&str, &str)]) -> Option<Value> {
        let mut command = self.command();
        command.args(["hook", "--event", name, "--deadline", "12s"]).envs(variables.iter().copied());
        document(&feed(command, &self.event(name, fields)))
    }

    fn edit(&self) {
        let path = self.project().join("a.rs");
        let input = json!({ "file_path": path, "old_string": "a", "new_string": "b" });
        self.send(
            "PostToolUse",
            &json!({ "tool_name": "Edit", "tool_input": input, "tool_response": {} }),
            &[],
        );
    }

    fn ran(&self, command: &str) {
        let response = json!({ "stdout": "99 tests passed", "stderr": "", "interrupted": false });
        let fields = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_response": response,
            "duration_ms": 0 });
        self.send("PostToolUse", &fields, &[]);
    }

    fn stop(&self) -> Option<Value> {
        self.send("Stop", &json!({ "stop_hook_active": false, "last_assistant_message": "Done." }), &[])
    }
}

/// What a `Stop` is answered with: `block` and its reason, or nothing.
fn blocked(answer: Option<&Value>) -> String {
    let Some(answer) = answer else { return String::new() };
    let text = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("decision") == "block" { text("reason").to_owned() } else { String::new() }
}

#[test]
fn a_gate_holds_until_the_tests_were_really_run_and_explain_shows_its_steps() {
    let ground = Ground::new();
    ground.policy("[[gate]]\ncheck = \"tests\"");
    assert_eq!(ground.stop(), None);
    ground.edit();
    ground.ran("echo tests passed");
    let held = ground.stop();
    let reason = blocked(held.as_ref());
    assert!(reason.contains("[DONE001] changed `a.rs` and ran no tests"), "{held:?}");
    let id = reason.rsplit("check ").next().unwrap().trim_end_matches('.').to_owned();
    let told = String::from_utf8(ground.run(&["explain", &id]).stdout).unwrap();
    assert!(
        told.contains("  steps\n    block        DONE001 tests: changed `a.rs` and ran no tests"),
        "{told}"
    );
    assert!(told.contains("  `hookgate rule DONE001` shows the gate"), "{told}");
    assert!(told.contains("hookgate.toml, line 1) makes it only record"), "{told}");
    assert!(!told.contains("hookgate except") && !told.contains("--level"), "neither is possible: {told}");
    // An edit and a run in one millisecond can't be put in order.
    std::thread::sleep(Duration::from_millis(5));
    ground.ran("cargo test");
    assert_eq!(ground.stop(), None);
}

#[test]
fn a_gates_command_is_run_and_one_that_hangs_holds_nobody() {
    let ground = Ground::new();
    ground.policy("[[gate]]\nrun = \"test -e good || { echo no good; exit 3; }\"");
    let reason = blocked(ground.stop().as_ref());
    assert!(reason.contains("ended with exit code 3: `no good`"), "{reason}");
    std::fs::write(ground.project().join("good"), "").unwrap();
    assert_eq!(ground.stop(), None);
    ground.policy("[[gate]]\nrun = \"sleep 60\"\ndeadline = \"300ms\"");
    let start = Instant::now();
    let answer = ground.stop().unwrap();
    assert_eq!(answer.get("decision"), None, "{answer}");
    assert!(
        answer["systemMessage"]
            .as_str()
            .unwrap()
            .contains("couldn't verify: [DONE001] `sleep 60` didn't finish within"),
        "{answer}"
    );
    assert!(start.elapsed() < Duration::from_secs(8));
}

/// A server whose every answer is the next of a list, over and over; counts the calls, and keeps the last request.
fn server(answers: Vec<Vec<u8>>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let at = counted.fetch_add(1, Ordering::SeqCst);
            let answer = answers[at % answers.len()].clone();
            std::thread::spawn(move || answer_with(stream, &answer));
        }
    });
    (url, calls)
}

fn answer_with(mut stream: TcpStream, answer: &[u8]) {
    let mut request = Vec::new();
    let mut buffer = [0; 65_536];
    while let Ok(count) = stream.read(&mut buffer) {
        request.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if count == 0 || body.len() >= length.unwrap_or(0) {
            assert!(
                head.contains("authorization: Bearer sesame")
                    && body.contains("chat") | body.contains("messages"),
                "{head}"
            );
            break;
        }
    }
    if answer.is_empty() {
        std::thread::sleep(Duration::from_secs(60));
    }
    let _ = stream.write_all(answer);
}

fn http(status: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
        .into_bytes()
}

fn says(text: &str) -> Vec<u8> {
    let body = json!({ "choices": [{ "message": { "content": text } }], "usage": { "prompt_tokens": 7, "completion_tokens": 3 } });
    http("200 OK", &body.to_string())
}

fn judged(url: &str, more: &str) -> Ground {
    let ground = Ground::new();
    ground.policy(&format!(
        "[[judge]]\nmodel = \"openai:m\"\nurl = \"{url}\"\nkey = {{ run = \"echo sesame\" }}\ndeadline = \"6s\"\n{more}\n\
         criteria = [{{ id = \"asked\", ask = \"Is everything done?\" }}]"
    ));
    ground
}

#[test]
fn only_a_confirmed_quote_holds_back_through_every_way_of_misbehaving() {
    let accuses = r#"{"verdicts":[{"id":"asked","verdict":"not-met","quote":"Done for now, the rest"}]}"#;
    let mut answers = vec![
        http("529 Overloaded", "{}"),
        says("I'm sorry."),
        says(&format!("```json\n{accuses}\n```")),
        says("{\"decision\":\"block\",\"reason\":\"no\"}"),
        says(accuses),
    ];
    let (url, calls) = server(answers.clone());
    let ground = judged(&url, "unmeasured = true");
    let fields = json!({ "last_assistant_message": "Done for now, the rest follows." });
    let answer = ground.send("Stop", &fields, &[]);
    let reason = blocked(answer.as_ref());
    assert!(
        reason.starts_with("[JUDGE001] doesn't meet the criterion `asked` (`Is everything done?`): `Done for now, the rest`. Fix: do what is missing"),
        "{answer:?}"
    );
    assert_eq!(calls.load(Ordering::SeqCst), 5);
    // The same question is not asked again, and the key is in no file.
    assert!(!blocked(ground.send("Stop", &fields, &[]).as_ref()).is_empty());
    assert_eq!(calls.load(Ordering::SeqCst), 5);
    let told = std::fs::read_to_string(ground.audit()).unwrap();
    assert!(told.contains("\"ladder\"") && !told.contains("sesame"), "{told}");
    // Nothing but garbage: the end passes and the user reads so.
    answers.truncate(2);
    let ground = judged(&server(answers).0, "unmeasured = true");
    let answer = ground.send("Stop", &fields, &[]).unwrap();
    assert_eq!(answer.get("decision"), None);
    assert!(
        answer["systemMessage"]
            .as_str()
            .unwrap()
            .contains("couldn't verify: [JUDGE001] criterion `asked` couldn't be judged"),
        "{answer}"
    );
}

#[test]
fn what_an_agent_says_that_its_judgement_cost_is_in_the_ladder() {
    let ground = Ground::new();
    ground.policy(
        "[[judge]]\nmodel = \"agent:claude\"\nunmeasured = true\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]",
    );
    let programs = ground.home().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let verdict = json!({ "asked": { "verdict": "not-met", "quote": "Not at all done" } }).to_string();
    let says = json!({ "type": "result", "result": verdict, "total_cost_usd": 0.01234, "usage": { "input_tokens": 7, "output_tokens": 3 } });
    write_program(&programs.join("claude"), &format!("#!/bin/sh\ncat >/dev/null\ncat <<'E'\n{says}\nE\n"));
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let fields = json!({ "last_assistant_message": "Not at all done." });
    let answer = ground.send("Stop", &fields, &[("PATH", &path)]);
    assert!(blocked(answer.as_ref()).contains("[JUDGE001]"), "{answer:?}");
    // Two samples, each with its price.
    let told = String::from_utf8(ground.run(&["explain"]).stdout).unwrap();
    assert!(told.contains("ms, 14 tokens read and 6 written, $0.0247)"), "{told}");
}

#[test]
fn a_judge_that_nobody_measured_only_records_and_one_that_hangs_is_not_waited_for() {
    let (url, _) = server(vec![says(r#"{"asked":{"verdict":"not-met","quote":"Not at all done"}}"#)]);
    let fields = json!({ "last_assistant_message": "Not at all done." });
    let ground = judged(&url, "");
    assert_eq!(ground.send("Stop", &fields, &[]), None);
    let told = std::fs::read_to_string(ground.audit()).unwrap();
    assert!(told.contains("\"outcome\":\"block\""), "{told}");
    let start = Instant::now();
    let ground = judged(&server(vec![Vec::new()]).0, "unmeasured = true");
    let answer = ground.send("Stop", &fields, &[]).unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("couldn't verify"), "{answer}");
    assert!(start.elapsed() < Duration::from_secs(12), "{:?}", start.elapsed());
    // Below a judge's own agent no judge is asked.
    let ground = judged(&url, "unmeasured = true");
    assert_eq!(ground.send("Stop", &fields, &[("HOOKGATE_JUDGE", "1")]), None);
}

#[test]
fn a_measure_lets_a_judge_hold_back() {
    let (url, _) = server(vec![says(r#"{"asked":{"verdict":"not-met","quote":"Not at all done"}}"#)]);
    let ground = judged(&url, "");
    let cases = ground.project().join("cases");
    std::fs::create_dir(&cases).unwrap();
    let case = |id: usize| json!({ "id": id.to_string(), "label": "not-done", "evidence": [{ "origin": "o", "text": "Not at all done." }] });
    let lines: String = (0..50).map(|id| format!("{}\n", case(id))).collect();
    std::fs::write(cases.join("a.jsonl"), lines).unwrap();
    let output = ground.run(&["judge", "eval", "cases"]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains("JUDGE001: agrees on 50 of 50 cases (1.00); 700 tokens read, 300 written"),
        "{told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let fields = json!({ "last_assistant_message": "Not at all done." });
    assert!(!blocked(ground.send("Stop", &fields, &[]).as_ref()).is_empty());
}

#[test]
fn the_labelled_endings_of_the_project_are_read_and_counted() {
    let (url, _) = server(vec![says(r#"{"asked":"met"}"#)]);
    let ground = judged(&url, "");
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/stop");
    let output = ground.run(&["judge", "eval", cases, "--limit", "40"]);
    let told = String::from_utf8(output.stdout).unwrap();
    let row = |label: &str| {
        let line = told.lines().find(|line| line.split_whitespace().next() == Some(label));
        line.unwrap_or_default().split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    // A model that is content with everything is right about those that are done.
    assert_eq!(
        (row("done"), row("not-done"), row("unknown")),
        ("12 0 0 0".into(), "16 0 0 0".into(), "12 0 0 0".into()),
        "{told}"
    );
    assert!(told.contains("JUDGE001: agrees on 12 of 40 cases (0.30)"), "{told}");
}

/// git, in the ground's project, as somebody.
fn git(ground: &Ground, arguments: &str) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]);
    command.args(arguments.split(' ')).current_dir(ground.project()).env("HOME", ground.home());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What is said to an end of work after a new prompt, so that no cap holds.
fn said_at_the_end(ground: &Ground) -> String {
    ground.send("UserPromptSubmit", &json!({ "prompt": "go on" }), &[]);
    let answer = ground.stop();
    let held = blocked(answer.as_ref());
    let notice = answer.as_ref().and_then(|answer| answer["systemMessage"].as_str()).unwrap_or_default();
    if held.is_empty() { notice.to_owned() } else { held }
}

#[test]
fn a_work_tree_is_clean_where_git_says_so() {
    if !hookgate_testing::has("git", &["--version"]) {
        return;
    }
    let ground = Ground::new();
    ground.policy("[[gate]]\ncheck = \"clean\"");
    let project = ground.project();
    let write = |name: &str, text: &str| {
        std::fs::create_dir_all(project.join(name).parent().unwrap()).unwrap();
        std::fs::write(project.join(name), text).unwrap();
    };
    git(&ground, "init -q");
    write("src/a.rs", "fn a() {}\n");
    write(".gitignore", "*.log\n");
    git(&ground, "add -A");
    git(&ground, "commit -q -m one");
    let mark = |mode: u32| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(project.join("src/a.rs"), mode).unwrap();
    };
    let changed = |changed: usize, untracked: usize| {
        format!("[DONE001] leaves {changed} changed and {untracked} untracked files uncommitted")
    };
    assert_eq!(said_at_the_end(&ground), "");
    write("build.log", "x");
    assert_eq!(said_at_the_end(&ground), "");
    write("src/b.rs", "x");
    assert!(said_at_the_end(&ground).starts_with(&changed(0, 1)));
    git(&ground, "add -A");
    assert!(said_at_the_end(&ground).starts_with(&changed(1, 0)));
    git(&ground, "commit -q -m two");
    assert_eq!(said_at_the_end(&ground), "");
    mark(0o755);
    assert!(said_at_the_end(&ground).starts_with(&changed(1, 0)));
    mark(0o644);
    // What a person has told git to leave alone, and a repository inside of this one.
    write(".git/outside", "secret.txt\n");
    git(&ground, &format!("config core.excludesFile {}", project.join(".git/outside").display()));
    write("secret.txt", "x");
    assert_eq!(said_at_the_end(&ground), "");
    git(&ground, "init -q inner");
    write("inner/x", "x");
    assert!(said_at_the_end(&ground).starts_with(&changed(0, 1)));
    // Without a repository it can't be told.
    std::fs::remove_dir_all(project.join(".git")).unwrap();
    let said = said_at_the_end(&ground);
    assert!(said.contains("couldn't verify: [DONE001] the state of the work tree can't be read"), "{said}");
}

#[test]
fn a_protected_file_is_compared_by_meaning_whoever_changed_and_committed_it() {
    let ground = Ground::new();
    ground.policy("[[gate]]\ncheck = \"protected\"\n[[protect]]\npaths = \"ci.yml\"");
    let file = ground.project().join("ci.yml");
    std::fs::write(&file, "a: 1\n").unwrap();
    git(&ground, "init -q");
    git(&ground, "add -A");
    git(&ground, "commit -q -m one");
    ground.send("SessionStart", &json!({ "source": "startup" }), &[]);
    assert_eq!(said_at_the_end(&ground), "");
    std::fs::write(&file, "# a remark\na:   1\n").unwrap();
    assert_eq!(said_at_the_end(&ground), "");
    std::fs::write(&file, "a: 2\n").unwrap();
    let is_held = || {
        let said = said_at_the_end(&ground);
        said.starts_with("[DONE001] leaves `") && said.contains("ci.yml` changed, which is protected")
    };
    assert!(is_held());
    git(&ground, "commit -q -a -m two");
    assert!(is_held());
    std::fs::remove_file(&file).unwrap();
    assert!(is_held());
    std::fs::write(&file, "a: 1\n").unwrap();
    assert_eq!(said_at_the_end(&ground), "");
}

/// A transcript of at least that many bytes, whose end is torn, and whose last words stand behind what nobody knows.
fn transcript(path: &Path, bytes: usize) {
    let line = |value: &Value| format!("{value}\n");
    let turn = |text: &str| {
        line(&json!({ "type": "assistant", "message": { "content": [{ "type": "text", "text": text }] } }))
    };
    let said = turn(&"I looked at the parser and changed nothing yet. ".repeat(400));
    let block = said.repeat((1 << 20) / said.len());
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    for _ in 0..bytes.div_ceil(block.len()) {
        file.write_all(block.as_bytes()).unwrap();
    }
    let image = line(
        &json!({ "type": "user", "message": { "content": [{ "type": "image", "source": "A".repeat(900_000) }] } }),
    );
    let compacted = line(
        &json!({ "type": "system", "subtype": "compact_boundary", "compactMetadata": { "trigger": "auto" } }),
    );
    let of_tomorrow =
        line(&json!({ "type": "hologram", "message": 5, "content": { "text": "Everything is done." } }));
    let end = [
        &compacted,
        &turn("The second half of the tests is missing."),
        &image,
        &of_tomorrow,
        "not JSON\n",
        "\n",
    ]
    .concat();
    file.write_all(end.as_bytes()).unwrap();
    file.write_all(br#"{"type":"assistant","message":{"content":[{"type":"te"#).unwrap();
    file.flush().unwrap();
}

/// How long the end of a turn takes whose transcript is that long, with 50 MB beside the stack; the judge reads its last words.
fn end_of(bytes: usize) -> Duration {
    let accuses =
        r#"{"verdicts":[{"id":"asked","verdict":"not-met","quote":"half of the tests is missing"}]}"#;
    let (url, calls) = server(vec![says(accuses)]);
    let ground = judged(&url, "unmeasured = true");
    let path = ground.folder.path().join("transcript.jsonl");
    transcript(&path, bytes);
    let event = ground.event("Stop", &json!({ "last_assistant_message": "Done.", "transcript_path": path }));
    let mut shell = Command::new("bash");
    let program = env!("CARGO_BIN_EXE_hookgate");
    let script = format!("ulimit -d {}; exec {program} hook --event Stop --deadline 12s", (64 + 50) << 10);
    shell.args(["-c", &script]).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", ground.home());
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).current_dir(ground.project());
    let start = Instant::now();
    let answer = document(&feed(shell, &event));
    let took = start.elapsed();
    assert!(blocked(answer.as_ref()).contains("`half of the tests is missing`"), "{answer:?}");
    assert_eq!(calls.load(Ordering::SeqCst), 2, "the answer and its confirmation");
    took
}

/// `HOOKGATE_TRANSCRIPT` says how many megabytes in the slow part; there, the time counts too.
#[test]
fn a_transcript_of_any_length_is_judged_by_its_end() {
    let asked = std::env::var("HOOKGATE_TRANSCRIPT").ok().and_then(|text| text.parse::<usize>().ok());
    let short = end_of(1 << 16);
    let long = end_of(asked.unwrap_or(16) << 20);
    println!("64 kB: {short:?}, {} MB: {long:?}", asked.unwrap_or(16));
    assert!(asked.is_none() || long < short + Duration::from_millis(100), "{short:?} {long:?}");
}
