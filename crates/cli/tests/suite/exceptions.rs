//! Exceptions in a command, and what is tried again after a denial.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::audit::records;
use crate::support::{Ground, decision, document, feed};

const POLICY: &str = "[commit]\nstyle = \"conventional\"\n\n[rules]\nCOMMIT = { agent-exceptions = true }\n";

/// What the model reads beside the decision.
fn context(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

#[test]
fn an_exception_excuses_a_denial_is_recorded_and_grants_nothing() {
    let ground = Ground::new();
    ground.policy(&format!("{POLICY}[[rule]]\ncode = \"ACME001\"\nwhen = {{ run = \"git commit **\" }}\nthen = \"allow\"\nreason = \"ours\"\n"));
    let (denied, reason) = decision(&ground.hook(&ground.bash("git commit -m wip")));
    assert_eq!(denied, "deny");
    assert!(reason.contains("[COMMIT003]"), "{reason}");
    let excused = "git commit -m wip # hookgate: allow COMMIT003 because the branch is thrown away";
    let answer = document(&ground.hook(&ground.bash(excused))).unwrap();
    assert_eq!(answer["hookSpecificOutput"].get("permissionDecision"), None, "{answer}");
    assert!(
        context(&answer).contains("EXC:COMMIT003 accepted (your reason: the branch is thrown away)"),
        "{answer}"
    );
    let record = records(&ground).pop().unwrap();
    let finding =
        record["findings"].as_array().unwrap().iter().find(|one| one["code"] == "COMMIT003").unwrap();
    assert_eq!(
        (&finding["excused"], &finding["reason"]),
        (&json!("agent"), &json!("the branch is thrown away"))
    );
    for other in [
        "git commit -m 'wip # hookgate: allow COMMIT003 because the branch is thrown away'",
        "git commit -m wip # hookgate: allow COMMIT003",
        "git commit -m wip # hookgate: allow COMMIT003 because x",
        "git commit -m wip # hookgate: allow COMMIT004 because the branch is thrown away",
    ] {
        assert_eq!(decision(&ground.hook(&ground.bash(other))).0, "deny", "{other}");
    }
}

#[test]
fn what_can_not_be_undone_is_let_by_its_own_code_only_and_a_question_stays_one() {
    let ground = Ground::new();
    let push = "git push --force origin main # hookgate: allow GIT002 because nobody else uses it";
    let answer = document(&ground.hook(&ground.bash(push))).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    assert!(
        context(&answer).contains("EXC:GIT002 not accepted: the policy lets no agent except it"),
        "{answer}"
    );
    fs::write(ground.project().join(".hookgate.toml"), "[rules]\nGIT002 = { agent-exceptions = true }\n")
        .unwrap();
    assert_eq!(decision(&ground.hook(&ground.bash(push))).0, "deny", "a repository's file lets nobody");
    fs::remove_file(ground.project().join(".hookgate.toml")).unwrap();
    ground.policy("[rules]\nGIT002 = { agent-exceptions = true }\nFILE004 = { agent-exceptions = true }\n");
    assert_ne!(decision(&ground.hook(&ground.bash(push))).0, "deny");
    let delete = "rm -r /srv/app # hookgate: allow FILE004 because it is only a cache";
    let (asked, reason) = decision(&ground.hook(&ground.bash(delete)));
    assert_eq!(asked, "ask");
    assert!(reason.contains("the agent's reason: `it is only a cache`"), "{reason}");

    ground.policy("[rules]\nGIT = { agent-exceptions = true }\n");
    let told = String::from_utf8(ground.run(&["test"]).stderr).unwrap();
    assert!(told.contains("agents can't take exceptions to all of `GIT`"), "{told}");
}

#[test]
fn exceptions_are_limited_by_the_hour() {
    let ground = Ground::new();
    ground.policy(&format!("{POLICY}\n[agent-exceptions]\nper-hour = 2\n"));
    let excused = ground.bash("git commit -m wip # EXC:COMMIT003:the+branch+is+thrown+away");
    // What is denied for something else used none up.
    let denied = ground.bash("git commit -m wip; rm -rf / # EXC:COMMIT003:the+branch+is+thrown+away");
    for _ in 0..3 {
        assert_eq!(decision(&ground.hook(&denied)).0, "deny");
    }
    assert_eq!(decision(&ground.hook(&excused)).0, "");
    assert_eq!(decision(&ground.hook(&excused)).0, "");
    let answer = document(&ground.hook(&excused)).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    assert!(context(&answer).contains("no exception is left in this hour or day"), "{answer}");
}

#[test]
fn what_was_denied_is_recognised_through_another_program_and_escalates() {
    let ground = Ground::new();
    ground.policy("[rules]\nSESS001 = \"warn\"\n\n[retries]\nafter = 2\nthen = \"halt\"\n");
    let push = |command: &str| document(&ground.hook(&ground.bash(command))).unwrap();
    let first = push("git push --force origin main");
    assert!(!first.to_string().contains("SESS001"), "{first}");
    let again = push("sh -c 'git push --force origin main'");
    assert_eq!(again["hookSpecificOutput"]["permissionDecision"], "deny");
    let told = context(&again);
    assert!(
        told.contains("[SESS001] does again what decision")
            && told.contains("through `sh`; tried once before"),
        "{told}"
    );
    let id = told.split("hookgate: ack ").nth(1).and_then(|rest| rest.split('`').next()).unwrap().to_owned();
    let read = push(&format!("git push --force origin main # hookgate: ack {id}"));
    assert!(!read.to_string().contains("SESS001"), "{read}");
    assert_eq!(
        read["hookSpecificOutput"]["permissionDecision"], "deny",
        "an acknowledgement excuses nothing"
    );
    push("env git push --force origin main");
    let last = push("git -C . push --force origin main");
    assert_eq!(last["continue"], false, "{last}");
    assert!(last.to_string().contains("tried 2 times before"), "{last}");
}

#[test]
fn a_mended_call_is_forgotten() {
    let ground = Ground::new();
    ground.policy("[commit]\nstyle = \"conventional\"\n\n[rules]\nSESS001 = \"deny\"\n");
    assert_eq!(decision(&ground.hook(&ground.bash("git commit -m wip"))).0, "deny");
    assert!(decision(&ground.hook(&ground.bash("git commit -m wop"))).1.contains("SESS001"));
    assert_eq!(decision(&ground.hook(&ground.bash("git commit -m 'fix: it'"))).0, "pass");
    assert!(!decision(&ground.hook(&ground.bash("git commit -m wup"))).1.contains("SESS001"));
}

/// The denials in the session's record; panics at a torn line.
fn denials(ground: &Ground) -> usize {
    let sessions = ground.home().join(".local/state/hookgate/sessions");
    let record = fs::read_dir(sessions).unwrap().next().unwrap().unwrap().path().join("record");
    let text = fs::read_to_string(record).unwrap();
    text.lines().filter(|line| serde_json::from_str::<Value>(line).unwrap()["kind"] == "denied").count()
}

#[test]
fn parallel_hooks_of_one_session_lose_nothing() {
    let ground = Ground::new();
    ground.policy("[rules]\nSESS001 = \"warn\"\n");
    thread::scope(|scope| {
        for number in 0..64 {
            let event = ground.bash(&format!("git push --force origin branch-{number}"));
            let ground = &ground;
            scope.spawn(move || assert_eq!(decision(&ground.hook(&event)).0, "deny"));
        }
    });
    assert_eq!(denials(&ground), 64);
}

/// How often a traced hook slept for a lock, a millisecond each time. No lock is asked for in a way that waits.
fn sleeps(trace: &str) -> usize {
    let waiting = trace.lines().find(|line| line.contains("flock(") && !line.contains("LOCK_NB"));
    assert_eq!(waiting, None, "a lock is waited for without a bound");
    trace.lines().filter(|line| line.contains("nanosleep(") && line.contains("tv_nsec=1000000}")).count()
}

/// The most milliseconds that a hook may wait for the others' locks.
const LONGEST_WAIT: usize = 50;

#[cfg(target_os = "linux")]
#[test]
fn no_hook_waits_long_for_the_locks_of_others() {
    if !hookgate_testing::has("strace", &["-V"]) {
        return;
    }
    let ground = Ground::new();
    ground.policy("[rules]\nSESS001 = \"warn\"\nSESS101 = \"ask\"\nSESS103 = \"ask\"\n");
    let traced = |number: usize| {
        let path = ground.home().join(format!("trace-{number}"));
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-e", "trace=flock,nanosleep,clock_nanosleep", "-e", "signal=none", "-o"]);
        command.arg(&path).arg("--").arg(ground.command().get_program());
        // Traced and on a busy machine, all of them together may take longer than the deadline.
        command.args(["hook", "--event", "PreToolUse", "--deadline", "60s"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
            .current_dir(ground.project())
            .env_clear()
            .env("HOME", ground.home())
            .env("PATH", "/usr/bin:/bin");
        let output = feed(command, &ground.bash(&format!("git push --force origin branch-{number}")));
        assert_eq!(decision(&output).0, "deny", "{output:?}");
        sleeps(&fs::read_to_string(path).unwrap())
    };
    let longest = thread::scope(|scope| {
        let hooks: Vec<_> = (0..64)
            .map(|number| {
                scope.spawn({
                    let traced = &traced;
                    move || traced(number)
                })
            })
            .collect();
        hooks.into_iter().map(|hook| hook.join().unwrap()).max().unwrap()
    });
    println!("the longest wait for a lock of 64 hooks: {longest} ms");
    assert!(longest < LONGEST_WAIT, "{longest}");
    assert_eq!(denials(&ground), 64);

    // One who never lets go.
    let sessions = ground.home().join(".local/state/hookgate/sessions");
    let session = fs::read_dir(sessions).unwrap().next().unwrap().unwrap().path();
    let held = fs::File::options().write(true).open(session.join("record.lock")).unwrap();
    held.lock().unwrap();
    let waited = traced(64);
    assert!(waited < LONGEST_WAIT, "{waited}");
    assert_eq!(denials(&ground), 65, "what is added is added without the lock");
}

#[test]
fn a_killed_hook_loses_at_most_its_own_denial() {
    let ground = Ground::new();
    ground.policy("[rules]\nSESS001 = \"warn\"\n");
    let mut answered = 0;
    for number in 0..40_u64 {
        let mut command = ground.command();
        command.args(["hook", "--event", "PreToolUse"]);
        let mut child = command.spawn().unwrap();
        let event = ground.bash(&format!("git push --force origin branch-{number}"));
        drop(child.stdin.take().unwrap().write_all(&event));
        thread::sleep(Duration::from_micros(number * 500));
        child.kill().unwrap();
        answered += usize::from(!child.wait_with_output().unwrap().stdout.is_empty());
    }
    ground.hook(&ground.bash("git push --force origin last"));
    let kept = denials(&ground);
    assert!((answered + 1..=41).contains(&kept), "{kept} of {answered} that were answered");
}
