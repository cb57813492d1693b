//! Law 1 under limits: whatever the process may not have, it ends by answering.

use std::fs::OpenOptions;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::support::{Ground, decision, feed};
use serde_json::json;

/// Runs the hook on a machine where these system calls on this file take far longer than the deadline, as on a network that is gone.
fn with_slow_file(
    ground: &Ground,
    file: &std::path::Path,
    calls: &str,
    deadline: &str,
    bytes: &[u8],
) -> Output {
    let hook = ground.command();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-P"]).arg(file);
    strace.args(["-e", &format!("inject={calls}:delay_enter=3500ms"), env!("CARGO_BIN_EXE_hookgate")]);
    strace.args(["hook", "--event", "PreToolUse", "--deadline", deadline]);
    strace.current_dir(ground.project()).env_clear();
    strace.envs(hook.get_envs().filter_map(|(name, value)| Some((name, value?))));
    strace.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    strace.stderr(std::process::Stdio::piped());
    feed(strace, bytes)
}

#[test]
fn what_was_found_before_the_deadline_holds() {
    if !hookgate_testing::has("strace", &["-V"]) {
        return;
    }
    let ground = Ground::new();
    ground.policy("[[rule]]\ncode = \"OWN001\"\nwhen = { run = \"touch denied.txt\" }\nthen = \"deny\"\nreason = \"not this\"\n");
    ground.hook(&ground.bash("git status"));
    let slow = ground.project().join("slow");
    std::fs::write(&slow, "x").unwrap();
    let calls = "statx,newfstatat,lstat,readlink,openat";
    for (text, code, known) in [
        ("rm -rf / ; cat slow", "deny", "[FILE001]"),
        ("touch denied.txt; cat slow", "deny", "[OWN001]"),
        ("bash -c 'touch denied.txt; cat slow'", "deny", "[OWN001]"),
        ("git status; cat slow", "ask", ""),
    ] {
        let answered = decision(&with_slow_file(&ground, &slow, calls, "2s", &ground.bash(text)));
        assert_eq!(answered.0, code, "{text}: {}", answered.1);
        assert!(
            answered.1.contains(known) && answered.1.contains("didn't decide within 2000 ms"),
            "{}",
            answered.1
        );
        if code == "deny" {
            let id = answered.1.split("hookgate check ").nth(1).and_then(|rest| rest.get(..13)).unwrap();
            let told = ground.run(&["explain", id]);
            assert!(String::from_utf8_lossy(&told.stdout).contains(known), "the denial can be explained");
        }
    }
    let log = std::fs::read_to_string(ground.audit()).unwrap();
    assert_eq!(log.matches("\"failure\":\"hookgate didn't decide within 2000 ms\"").count(), 4, "{log}");
}

/// Shadow mode stops nothing, but for what is done to hookgate itself.
#[test]
fn a_failure_in_shadow_mode_stops_only_what_was_found_about_the_gate() {
    if !hookgate_testing::has("strace", &["-V"]) {
        return;
    }
    let ground = Ground::new();
    ground.policy("mode = \"shadow\"\non-error = \"deny\"\n[[rule]]\ncode = \"OWN001\"\nwhen = { run = \"touch denied.txt\" }\nthen = \"deny\"\nreason = \"no\"\n");
    ground.hook(&ground.bash("git status"));
    let slow = ground.project().join("slow");
    std::fs::write(&slow, "x").unwrap();
    let calls = "statx,newfstatat,lstat,readlink,openat";
    for (text, expected) in [
        ("git status; cat slow", ""),
        ("touch denied.txt; cat slow", ""),
        ("rm -rf ~/.config/hookgate; cat slow", "deny"),
    ] {
        let answered = decision(&with_slow_file(&ground, &slow, calls, "2s", &ground.bash(text)));
        assert_eq!(answered.0, expected, "{text}: {}", answered.1);
    }
}

#[test]
fn a_decision_that_cannot_be_recorded_in_time_holds() {
    if !hookgate_testing::has("strace", &["-V"]) {
        return;
    }
    let ground = Ground::new();
    ground.hook(&ground.bash("git status"));
    for (text, expected) in [("rm -rf /", "deny"), ("git status", "pass")] {
        let answered =
            decision(&with_slow_file(&ground, &ground.audit(), "openat,write", "2s", &ground.bash(text)));
        assert_eq!(answered.0, expected, "{text}: {}", answered.1);
    }
}

#[test]
fn a_call_with_more_effects_than_are_kept_is_no_milder_for_the_last_of_them() {
    let ground = Ground::new();
    for count in 7_996..8_001 {
        let many: String = (0..count).map(|at| format!(" f{at}")).collect();
        let [alone, followed] = ["", "; touch z"]
            .map(|rest| decision(&ground.hook(&ground.bash(&format!("touch{many}; rm -rf /{rest}")))).0);
        assert_eq!(alone, followed, "behind {count} files");
        assert!(matches!(alone.as_str(), "ask" | "deny"), "{alone}");
    }
}

/// Each bound cuts the smallest thing that goes beyond it, and what stands behind it is judged.
#[test]
fn a_denied_command_behind_a_limit_is_denied() {
    let ground = Ground::new();
    ground.policy("[[rule]]\ncode = \"OWN001\"\nwhen = { run = \"touch denied.txt\" }\nthen = \"deny\"\nreason = \"not this\"\n");
    for before in [
        format!("if false; then echo {}; fi", "{a,b} ".repeat(30_000)),
        format!("echo {}", "word ".repeat(40_000)),
        format!("echo \"{}\"", "$a".repeat(60_000)),
        format!("# {}", "x".repeat(262_144)),
        format!("# {}", "x".repeat(3_000_000)),
        format!("{}true", "true; ".repeat(5_000)),
        format!("{}true", "true && ".repeat(5_000)),
        format!("{}true", "true | ".repeat(5_000)),
        format!("bash -c '{}'", "true; ".repeat(5_000)),
        format!("f() {{ {}}}; f", "true; ".repeat(5_000)),
        format!("for x in {}; do {} done", "{1..64} ".repeat(60), "true; ".repeat(200)),
        format!("touch {}", "a{1..50} ".repeat(200)),
        format!("{} true{}", "{ ".repeat(40), "; }".repeat(40)),
        format!("{} true{}", "$(echo ".repeat(40), ")".repeat(40)),
        format!("{} true{}", "if true; then ".repeat(40), "; fi".repeat(40)),
        format!("{}true", "A=b ".repeat(20_000)),
        format!("{} true", "cd a; ".repeat(10_000)),
        format!("f() {{ python3 -c '{}'; }}\n{}", "x = 1\n".repeat(4_000), "f; ".repeat(300)),
    ] {
        let shown = before.get(..40).unwrap_or(&before);
        let (decided, reason) =
            decision(&ground.hook(&ground.bash(&format!("{before}\ntouch denied.txt; rm -rf /etc/ssh"))));
        assert_eq!(decided, "deny", "{shown}: {reason}");
        assert!(reason.contains("OWN001") && reason.contains("FILE002"), "{shown}: {reason}");
        // What isn't followed is said.
        let (decided, reason) = decision(&ground.hook(&ground.bash(&format!("{before}\nls"))));
        let comment = before.starts_with('#');
        assert_eq!(decided, if comment { "pass" } else { "ask" }, "{shown}: {reason}");
    }
    // A script of the repository, too.
    std::fs::write(ground.project().join("a.sh"), "true\n".repeat(5_000) + "touch denied.txt\n").unwrap();
    let (decided, reason) = decision(&ground.hook(&ground.bash("bash a.sh")));
    assert_eq!(decided, "deny", "{reason}");
}

/// What costs each word a look at all the others, or each call a copy of all that it is given, is felt at once.
#[test]
fn a_command_of_very_many_words_is_judged_within_its_memory() {
    let ground = Ground::new();
    let many: String = (0..10_000).map(|at| format!(" f{at}")).collect();
    let set: String = (0..5_000).map(|at| format!("A{at}=b ")).collect();
    std::fs::write(ground.project().join("words.sh"), "true ".to_owned() + &"w ".repeat(60_000)).unwrap();
    for text in [
        format!("chmod 644{many}"),
        format!("docker rm{many}"),
        format!("env {set} true"),
        format!("f() {{ {}}}; {set} f", "true; ".repeat(3_000)),
        format!("cd {}; {}", "a/".repeat(400), "true; ".repeat(20_000)),
        format!("node -e '{}'", "require(\"fs\").rmSync(".repeat(10_000)),
        // A text that carries itself is read at every depth, and each tree is held until the innermost has been read.
        format!("x='echo {} eval \"$x\"'; eval \"$x\"", "w ".repeat(25_000) + ";"),
        format!("export x='echo {} bash -c \"$x\"'; bash -c \"$x\"", "w ".repeat(25_000) + ";"),
        // So is one that is read many times, one after the other: each call keeps its words.
        format!("x='true {}'; {}", "w ".repeat(25_000), "eval \"$x\";".repeat(100)),
        ". ./words.sh; ".repeat(200),
    ] {
        // 64 MB beside the stack that is reserved.
        let before = format!("ulimit -d {}", 128 << 10);
        let output = from_shell(
            &ground,
            "PreToolUse",
            &before,
            "--deadline 60s",
            &ground.bash(&format!("rm -rf /; {text}")),
        );
        let (decided, reason) = decision(&output);
        assert_eq!(decided, "deny", "{}: {reason}", text.get(..40).unwrap());
        assert!(!reason.contains("didn't decide"), "{}: {reason}", text.get(..40).unwrap());
    }
}

/// Runs the hook for an event from a shell that does something before, with `rest` behind the command.
fn from_shell(ground: &Ground, event: &str, before: &str, rest: &str, bytes: &[u8]) -> Output {
    let hook = ground.command();
    let mut shell = Command::new("bash");
    let text = format!("{before}\nexec {} hook --event {event} {rest}", env!("CARGO_BIN_EXE_hookgate"));
    shell.args(["-c", &text]).current_dir(ground.project()).env_clear();
    shell.envs(hook.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    shell.stderr(std::process::Stdio::piped());
    feed(shell, bytes)
}

#[test]
fn a_command_nested_beyond_every_depth_is_answered() {
    let ground = Ground::new();
    let groups = format!("{}true; {}", "{ ".repeat(3_000), "}; ".repeat(3_000));
    let aliases: String = (0..500).map(|at| format!("alias a{at}=a{}\n", at + 1)).collect();
    for text in [
        "command ".repeat(3_000) + "ls",
        "exec ".repeat(3_000) + "ls",
        "builtin ".repeat(3_000) + "ls",
        "noglob ".repeat(3_000) + "ls",
        "env ".repeat(3_000) + "ls",
        format!("bash -c '{}ls'", "command ".repeat(3_000)),
        groups,
        "$(".repeat(3_000),
    ] {
        let (decision, reason) = decision(&ground.hook(&ground.bash(&text)));
        assert_eq!(decision, "ask", "{}", text.get(..40).unwrap());
        assert!(reason.contains("[UNK004]"), "{reason}");
    }
    let output = ground.hook(&ground.bash(&format!("shopt -s expand_aliases\n{aliases}a0")));
    assert_eq!(output.status.code(), Some(0));
}

/// Each level of a command that carries itself has all the words that follow.
#[test]
fn a_command_of_many_words_that_carries_itself_stays_within_its_memory() {
    let ground = Ground::new();
    for word in ["exec ", "command ", "builtin ", "noglob "] {
        for text in [word.repeat(24_000) + "ls", format!("rm -rf / ; {}", word.repeat(24_000))] {
            // 64 MB beside the stack that is reserved.
            let before = format!("ulimit -d {}", 128 << 10);
            let (decided, reason) =
                decision(&from_shell(&ground, "PreToolUse", &before, "", &ground.bash(&text)));
            let expected = if text.starts_with("rm") { "deny" } else { "ask" };
            assert_eq!(decided, expected, "{word}: {reason}");
            assert!(reason.contains("[UNK004]"), "{reason}");
        }
    }
}

#[test]
fn a_search_with_thousands_of_alternatives_is_answered() {
    let ground = Ground::new();
    let start = Instant::now();
    let names = |with: &str| (0..3_000).map(|at| format!("{with} a{at}")).collect::<Vec<_>>().join(" -o ");
    let regex = (0..20_000).map(|at| format!("a{at}")).collect::<Vec<_>>().join("\\|");
    for text in [
        format!("find . '(' {} ')' '(' {} ')' -delete", names("-name"), names("-path")),
        format!("find . -regex '.*/\\({regex}\\)' -delete"),
        format!("find . {} -name a {} -delete", "'(' ".repeat(3_000), "')' ".repeat(3_000)),
    ] {
        let (decision, reason) = decision(&ground.hook(&ground.bash(&text)));
        assert_eq!(decision, "ask", "{}", text.get(..40).unwrap());
        assert!(reason.contains("[UNK004]"), "{reason}");
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn files_of_the_repository_nested_beyond_every_depth_are_answered() {
    let ground = Ground::new();
    let deep = "command ".repeat(3_000) + "ls";
    std::fs::write(ground.project().join("a.sh"), format!("{deep}\n")).unwrap();
    std::fs::write(ground.project().join("Makefile"), format!("all:\n\t{deep}\n")).unwrap();
    let package = json!({ "scripts": { "test": deep } });
    std::fs::write(ground.project().join("package.json"), package.to_string()).unwrap();
    for text in ["bash a.sh", "make", "npm test"] {
        let output = ground.hook(&ground.bash(text));
        assert_eq!(output.status.code(), Some(0), "{text}");
    }
}

#[test]
fn a_text_that_doubles_itself_is_followed_up_to_a_bound() {
    let ground = Ground::new();
    let start = Instant::now();
    // Each of these texts is small, and would be gigabytes once it is run.
    for text in [
        format!("a=xxxxxxxxxx\n{}rm -rf $a", "a=$a$a\n".repeat(40)),
        format!("a=xxxxxxxxxx\n{}rm -rf $a", "a+=$a\n".repeat(40)),
        format!("a=xxxxxxxxxx\n{}rm -rf $a", "printf -v a %s%s $a $a\n".repeat(40)),
        format!("a=xxxxxxxxxx\n{}rm -rf $a", "a=${a//x/xx}\n".repeat(40)),
        format!("a=xxxxxxxxxx\n{}rm -rf $a", "read a <<< $a$a\n".repeat(40)),
        format!("echo xxxxxxxxxx > f\n{}rm -rf $(cat f)", "cat f f > g\ncat g g > f\n".repeat(20)),
    ] {
        let (decision, reason) = decision(&ground.hook(&ground.bash(&text)));
        assert_eq!(decision, "ask", "{}: {reason}", text.get(..40).unwrap());
        assert!(reason.contains("[UNK002]"), "{}: {reason}", text.get(..40).unwrap());
    }
    assert!(start.elapsed() < Duration::from_secs(50));
}

#[test]
fn braces_that_multiply_hide_nothing_that_stands_beside_them() {
    let ground = Ground::new();
    for many in [
        format!("echo {}", "{a,b}".repeat(1_000)),
        format!("echo {}", "{{a,b},{c,d}}".repeat(400)),
        format!("for x in {}; do :; done", "{a,b}".repeat(1_000)),
        format!("a=({})", "{1..60}".repeat(100)),
        format!("cat < {}", "{a,b}".repeat(1_000)),
    ] {
        for text in [
            format!("rm -rf /etc/ssh; {many}"),
            format!("if false; then {many}; fi; git push --force origin main"),
            format!("{many}; echo x > ~/.claude/settings.json"),
        ] {
            let (decision, reason) = decision(&ground.hook(&ground.bash(&text)));
            assert_eq!(decision, "deny", "{}: {reason}", text.get(..60).unwrap());
        }
    }
    let words: String = (0..200).map(|at| format!("x{at},")).collect();
    let (decision, reason) = decision(&ground.hook(&ground.bash(&format!("rm -rf {{{words}/etc/ssh}}"))));
    assert_eq!(decision, "deny", "{reason}");
}

#[test]
fn closed_standard_output_refuses_what_can_be_refused() {
    let ground = Ground::new();
    for rest in [">&-", "1</dev/null", "> /dev/null"] {
        let output = from_shell(&ground, "PreToolUse", "", rest, &ground.bash("rm -rf /"));
        assert_eq!(output.status.code(), Some(2), "{rest}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("[FILE001]"), "{rest}");
        let output = from_shell(&ground, "PreToolUse", "", rest, &ground.bash("git status"));
        assert_eq!(output.status.code(), Some(0), "a pass needs no stdout: {rest}");
    }
}

#[test]
fn every_event_that_can_be_stopped_is_stopped_by_its_exit_code_where_the_answer_cannot_be_written() {
    let ground = Ground::new();
    ground.policy(
        "[[rule]]\ncode = \"OWN001\"\non = [\"UserPromptSubmit\", \"PreCompact\", \"ConfigChange\", \"PreModelSwitch\", \
         \"TaskCreated\", \"TaskCompleted\", \"PostToolBatch\", \"Stop\"]\nwhen = { permission-mode = \"default\" }\nthen = \"deny\"\nreason = \"not today\"\n",
    );
    for event in [
        "UserPromptSubmit",
        "PreCompact",
        "ConfigChange",
        "PreModelSwitch",
        "TaskCreated",
        "TaskCompleted",
        "PostToolBatch",
        "Stop",
    ] {
        let mut command = ground.command();
        command.args(["hook", "--event", event]);
        command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
        let output = feed(command, &ground.event(event, &json!({ "prompt": "go" })));
        assert_eq!(output.status.code(), Some(2), "{event}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("not today"), "{event}");
    }
}

#[test]
fn a_limit_on_the_size_of_files_costs_the_record_and_not_the_answer() {
    let ground = Ground::new();
    ground.hook(&ground.bash("git status"));
    for limit in ["0", "1"] {
        let before = format!("ulimit -f {limit}");
        let output = from_shell(&ground, "PreToolUse", &before, "", &ground.bash("rm -rf /"));
        assert_eq!(decision(&output).0, "deny", "{limit}");
    }
}

#[test]
fn a_tool_call_without_a_tool_is_a_failure() {
    let ground = Ground::new();
    for bytes in [
        &b"{}"[..],
        b"{\"hook_event_name\":\"PreToolUse\",\"tool_input\":{\"command\":\"ls\"}}",
        b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":7}",
        b"{\"hook_event_name\":\"PreToolUze\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf /\"}}",
    ] {
        let (decision, reason) = decision(&ground.hook(bytes));
        assert_eq!(decision, "ask", "{}", String::from_utf8_lossy(bytes));
        assert!(reason.contains("the agent sent"), "{reason}");
    }
}
