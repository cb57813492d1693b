//! Policies as people write and test them.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ground, document, feed};

fn text(output: &std::process::Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn cases_run_from_the_policy_and_from_the_file_beside_it() {
    let ground = Ground::new();
    let policy = ground.project().join(".hookgate.toml");
    fs::write(
        &policy,
        "[[rule]]\ncode = \"OWN001\"\nwhen = { run = \"make deploy\" }\nthen = \"deny\"\nreason = \"not from here\"\n\n\
         [[rule]]\ncode = \"OWN002\"\nwhen = { run = \"make never\" }\nthen = \"deny\"\nreason = \"no\"\n\n\
         [[case]]\ncommand = \"make deploy\"\nexpect = \"deny\"\ncodes = [\"OWN001\"]\n",
    )
    .unwrap();
    fs::write(
        ground.project().join(".hookgate.cases.toml"),
        "[[case]]\nname = \"reading is fine\"\ncommand = \"git status\"\nexpect = \"pass\"\n",
    )
    .unwrap();
    let output = ground.run(&["test"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("2 of 2 cases pass; 1 of 2 rules in the policy hit"), "{}", text(&output));
    assert!(text(&output).contains("never hit: OWN002"), "{}", text(&output));

    fs::write(
        ground.project().join(".hookgate.cases.toml"),
        "[[case]]\ncommand = \"git status\"\nexpect = \"deny\"\n",
    )
    .unwrap();
    let output = ground.run(&["test"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("expected deny, got pass"), "{}", text(&output));
}

#[test]
fn every_error_of_a_policy_is_shown_at_once_with_its_place() {
    let ground = Ground::new();
    fs::write(
        ground.project().join(".hookgate.toml"),
        "mod = \"shadow\"\n\n[rules]\nGIT999 = \"deny\"\nGIT002 = \"dney\"\n",
    )
    .unwrap();
    let output = ground.run(&["test"]);
    assert_eq!(output.status.code(), Some(2));
    let text = text(&output);
    for part in
        [".hookgate.toml:1:1", "did you mean `mode`?", ":4:1", "GIT999", ":5:10", "did you mean `deny`?"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn keys_rules_and_the_schema_are_explained_and_a_misspelling_gets_the_nearest_name() {
    let ground = Ground::new();
    assert!(text(&ground.run(&["config", "rule.when.run"])).contains("rule.when.run"));
    assert!(text(&ground.run(&["config", "rule.when.rnu"])).contains("did you mean `rule.when.run`?"));
    assert!(text(&ground.run(&["rule", "GIT002"])).contains("## Instead"));
    assert!(text(&ground.run(&["rule", "GIT"])).contains("GIT001"));
    assert!(text(&ground.run(&["rule", "GTI002"])).contains("did you mean"));
    assert!(serde_json::from_slice::<Value>(&ground.run(&["schema"]).stdout).is_ok());
}

#[test]
fn a_policy_of_the_repository_only_tightens_until_it_is_trusted() {
    let ground = Ground::new();
    fs::write(ground.project().join(".hookgate.toml"), "mode = \"off\"\nrules = { GIT002 = \"off\" }\n")
        .unwrap();
    let (decision, _) = crate::support::decision(&ground.hook(&ground.bash("git push --force")));
    assert_eq!(decision, "deny");
    assert!(text(&ground.run(&["config"])).contains("not trusted"));
}

#[test]
fn the_demo_plays_a_session_and_leaves_nothing_behind() {
    let ground = Ground::new();
    let output = ground.run(&["demo", "--answers"]);
    assert!(output.status.success());
    let text = text(&output);
    for part in ["[DEMO001]", "[EXEC001]", "[GIT002]", "[GATE001]", "deny", "allow", "µs"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!ground.home().join(".local").exists());
    assert!(text.contains("Automated hookgate check ID."), "an id that leads nowhere in\n{text}");
}

#[test]
fn entries_of_ones_own_are_listed_with_their_place_and_shown_by_their_code() {
    let ground = Ground::new();
    let user = "[[rule]]\ncode = \"ACME001\"\nwhen = { write = \"x/**\" }\nthen = \"ask\"\n\n[[gate]]\ncheck = \"tests\"\n\n\
                [[lint]]\nuse = \"ruff\"\n\n[[case]]\ncommand = \"ls\"\nexpect = \"pass\"\n";
    ground.policy(user);
    let project = "[[judge]]\nmodel = \"agent:claude\"\ncriteria = [{ id = \"a\", ask = \"b\" }]\n[[gate]]\ncheck = \"marks\"\nshadow = true\n";
    fs::write(ground.project().join(".hookgate.toml"), project).unwrap();
    let told = text(&ground.run(&["config"]));
    assert!(told.starts_with("enforcing; presets recommended; 1 rule, 2 gates of your own\n"), "{told}");
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    for line in [
        "1  rule       ACME001    then = \"ask\", when = { write = \"x/**\" }",
        "6  gate       DONE001    check = \"tests\"",
        "9  lint                  use = \"ruff\"",
        "1  judge                 (no effect without trust) model = \"agent:claude\", criteria = [{ id = \"a\", ask = \"b\" }]",
        "4  gate       DONE002    check = \"marks\"",
    ] {
        assert!(lines.contains(&line), "{line} in\n{told}");
    }
    assert!(!told.contains("  case "), "{told}");
    let rules = text(&ground.run(&["rule"]));
    assert!(
        rules.contains("ACME001     ask   then = \"ask\"") && rules.contains("DONE002     note  check"),
        "{rules}"
    );
    let told = text(&ground.run(&["rule", "DONE001"]));
    assert!(
        told.contains("hookgate.toml, line 6\n\n    [[gate]]\n    check = \"tests\"\n\nLevel here: deny"),
        "{told}"
    );
    let refused = ground.run(&["rule", "DONE001", "--level", "warn"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        said.contains("DONE001 is a gate of") && said.contains("`shadow = true` there makes it only record"),
        "{said}"
    );
    assert_eq!(ground.run(&["rule", "DONE009"]).status.code(), Some(2));
}

#[test]
fn a_check_in_isolation_grants_without_a_search_for_programs() {
    let output = Ground::new().run(&["check", "--isolated", "--preset", "readonly", "--json", "ls -la"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["decision"], "allow", "{answer}");
}

#[test]
fn check_speaks_in_exit_codes_and_json() {
    let ground = Ground::new();
    let code = |command: &str| {
        ground.run(&["check", "--isolated", "--preset", "recommended", command]).status.code()
    };
    assert_eq!(code("git status"), Some(0));
    assert_eq!(code("rm -rf /"), Some(1));
    assert_eq!(code("eval \"$X\""), Some(3));
    assert_eq!(ground.run(&["check", "--isolated", "--preset", "recomended", "ls"]).status.code(), Some(2));
    let output = ground.run(&["check", "--isolated", "--json", "rm -rf /"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in ["decision", "codes", "effects", "reason", "rewrite", "context", "level"] {
        assert!(answer.get(key).is_some(), "{key} in {answer}");
    }
}

/// A reader that leaves (`| head -1`) ends a command; it doesn't make it fail.
#[test]
fn a_closed_pipe_ends_a_command_quietly() {
    let ground = Ground::new();
    let mut command = ground.command();
    command.args(["explain", &"rm -rf /etc;".repeat(400)]);
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn named_settings_of_the_agent_are_read_beside_the_policy() {
    let ground = Ground::new();
    let file = ground.project().join("agent.json");
    fs::write(&file, r#"{"permissions":{"deny":["Bash(make deploy:*)"],"allow":["Bash(make:*)"]}}"#).unwrap();
    let check = |command: &str, more: &[&str]| {
        let mut arguments = vec!["check", "--isolated", "--json"];
        arguments.extend(more);
        arguments.push(command);
        let output = ground.run(&arguments);
        let row: Value = serde_json::from_slice(&output.stdout).unwrap();
        (row["decision"].as_str().unwrap().to_owned(), row["codes"].to_string(), output.status.code())
    };
    let settings = ["--settings", "agent.json"];
    // What the client would miss is found by what the call does; without the file nothing is said.
    let (decision, codes, code) = check("bash -c 'make deploy prod'", &settings);
    assert!(decision == "ask" && codes.contains("PERM001") && code == Some(3), "{decision} {codes}");
    assert!(!check("bash -c 'make deploy prod'", &[]).1.contains("PERM001"));
    // What it stops by itself takes no question of ours away.
    let (decision, codes, _) = check("make deploy prod; eval \"$X\"", &settings);
    assert!(decision == "ask" && codes.contains("UNK003"), "{decision} {codes}");
    let output = ground.run(&["check", "--isolated", "--settings", "missing.json", "git status"]);
    assert_eq!(output.status.code(), Some(2), "a file that was named and is not there");
}

#[test]
fn a_command_may_be_typed_as_it_is() {
    let ground = Ground::new();
    for words in [
        &["check", "git", "push", "--force"][..],
        &["check", "--json", "git", "push", "--force"],
        &["check", "git push --force"],
    ] {
        let output = ground.run(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("GIT002"));
    }
    let output = ground.run(&["check", "git", "commit", "-m", "it's && rm -rf /"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("FILE001"), "words stay words");
}

#[test]
fn a_command_may_come_on_standard_input() {
    let ground = Ground::new();
    let fed = |name: &str, input: &[u8]| {
        let mut command = ground.command();
        command.args([name, "--isolated", "-"]);
        feed(command, input)
    };
    for (name, code) in [("check", 1), ("explain", 0)] {
        let told = fed(name, b"git status\nrm -rf /etc\n");
        assert_eq!(told.status.code(), Some(code), "{name}: {}", text(&told));
        assert!(text(&told).contains("FILE002"), "{}", text(&told));
    }
    let refused = fed("check", b"ls \xff");
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("the command on standard input isn't UTF-8"), "{error}");
}

#[test]
fn each_value_in_force_is_shown_with_the_file_that_set_it() {
    let ground = Ground::new();
    ground.policy("on-error = \"deny\"\n[rules]\nGIT002 = \"ask\"\n");
    crate::support::write_settled(&ground.project().join(".hookgate.toml"), "[rules]\nGIT002 = \"off\"\n");
    let output = ground.run(&["config"]);
    let said = String::from_utf8_lossy(&output.stdout);
    let line = |key: &str| said.lines().find(|line| line.trim_start().starts_with(key)).unwrap_or_default();
    assert!(
        line("on-error").contains("\"deny\"") && line("on-error").ends_with(".config/hookgate/hookgate.toml"),
        "{said}"
    );
    assert!(line("mode").contains("\"enforce\"") && line("mode").ends_with("preset or default"), "{said}");
    assert!(line("rules.GIT002").contains("\"ask\""), "{said}");
    assert!(
        said.contains("project/.hookgate.toml says \"off\", which has no effect without trust"),
        "{said}"
    );
}

/// In any folder of the project, on any machine and branch, a policy's cases say the same.
#[test]
fn cases_are_judged_in_the_project_with_the_branch_and_the_environment_that_they_name() {
    let ground = Ground::new();
    let example =
        include_str!("../../../../README.md").split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    fs::write(ground.project().join(".hookgate.toml"), example).unwrap();
    fs::write(
        ground.project().join(".hookgate.cases.toml"),
        r#"
[[rule]]
code = "OWN001"
when = { run = "make deploy", branch = "release/*", env = { STAGE = "prod" } }
then = "allow"
reason = "the pipeline checks it"

[[case]]
command = "make deploy"
branch = "release/1"
env = { STAGE = "prod" }
expect = "allow"
codes = ["OWN001"]

[[case]]
command = "make deploy"
branch = "main"
expect = "pass"

[[case]]
command = "git push --force"
permission-mode = "dontAsk"
expect = "deny"
codes = []
"#,
    )
    .unwrap();
    fs::create_dir_all(ground.project().join("web/src")).unwrap();
    let test = |arguments: &[&str]| {
        let mut command = ground.command();
        command.current_dir(ground.project().join("web/src")).arg("test").args(arguments);
        feed(command, b"")
    };
    let output = test(&["--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    assert_eq!(report["cases"].as_array().unwrap().len(), 4);

    let cases = ground.project().join(".hookgate.cases.toml");
    let exact = fs::read_to_string(&cases).unwrap().replace("codes = []", "codes = []\nexactly = true");
    fs::write(&cases, exact).unwrap();
    let junit = ground.folder.path().join("junit.xml");
    let output = test(&["--junit", junit.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("expected exactly the codes none, got GIT002"), "{}", text(&output));
    let junit = fs::read_to_string(junit).unwrap();
    assert!(junit.contains("tests=\"4\" failures=\"1\"") && junit.contains("<failure message="), "{junit}");
}

#[test]
fn what_a_file_says_without_trust_is_not_shown_as_in_force() {
    let ground = Ground::new();
    fs::write(
        ground.project().join(".hookgate.toml"),
        "brief = true\nagent-exceptions = { per-hour = 999 }\nsecrets = { allow = [\"sha256:00\"] }\nmode = \"off\"\n\
         rules = { GIT = \"off\", FILE015 = \"off\" }\nadd = { max-size = \"2MB\" }\n",
    )
    .unwrap();
    let said = text(&ground.run(&["config"]));
    let line = |key: &str| {
        let found = said.lines().find(|line| line.trim_start().starts_with(&format!("{key} ")));
        found.unwrap_or_else(|| panic!("{key}: {said}")).split_whitespace().nth(1).unwrap().to_owned()
    };
    for key in ["brief", "agent-exceptions.per-hour", "secrets.allow", "rules.GIT"] {
        assert_eq!(line(key), "(default)", "{said}");
    }
    assert_eq!(line("mode"), "\"enforce\"", "{said}");
    assert_ne!(line("rules.FILE015"), "\"off\"", "{said}");
    assert_eq!(line("add.max-size"), "\"2MB\"", "what only restricts holds: {said}");
    assert!(said.contains("says true, which has no effect without trust, or only tightens"), "{said}");
}

/// Point by point what a call writes, sends and says, through the program.
#[test]
fn rules_look_at_what_is_written_sent_and_said() {
    let ground = Ground::new();
    fs::create_dir_all(ground.project().join("src")).unwrap();
    fs::write(ground.project().join("src/a.js"), "let a = 1;\nconsole.log(a);\n").unwrap();
    ground.policy(
        "[[rule]]\ncode = \"ACME001\"\nwhen = { write = \"src/**\", content = \"console.log(\" }\nthen = \"deny\"\nreason = \"r\"\n\
         [[rule]]\ncode = \"ACME002\"\nwhen = { message = \"/^wip/i\" }\nthen = \"deny\"\nreason = \"r\"\n\
         [[rule]]\ncode = \"ACME003\"\nwhen = { url = \"api.acme.dev/v1/*\" }\nthen = \"deny\"\nreason = \"r\"\n\
         [[rule]]\ncode = \"ACME004\"\nwhen = { mcp-server = \"github\", input = { repo = \"billing*\" } }\nthen = \"deny\"\nreason = \"r\"\n",
    );
    let js = ground.project().join("src/a.js");
    let edit = |old: &str, new: &str| json!({ "tool_name": "Edit", "tool_input": { "file_path": js, "old_string": old, "new_string": new } });
    let bash = |command: &str| json!({ "tool_name": "Bash", "tool_input": { "command": command } });
    let mcp =
        |repo: &str| json!({ "tool_name": "mcp__github__create_issue", "tool_input": { "repo": repo } });
    let fetch = |url: &str| json!({ "tool_name": "WebFetch", "tool_input": { "url": url, "prompt": "x" } });
    for (fields, code) in [
        (edit("let a = 1;", "let a = 2;\nconsole.log(a + 1);"), Some("ACME001")),
        (edit("let a = 1;", "let a = 2;"), None),
        (edit("console.log(a);", ""), None),
        (bash("echo 'Console.log(b)' >> src/a.js"), Some("ACME001")),
        (bash("cat > src/b.js <<'EOF'\nconsole.log(1)\nEOF"), Some("ACME001")),
        (bash("cat > other.js <<'EOF'\nconsole.log(1)\nEOF"), None),
        (bash("echo 'console.log(1)'"), None),
        (bash("sed -i s/a/b/ src/a.js"), None),
        (bash("git commit -am 'WIP: a'"), Some("ACME002")),
        (bash("git commit --message='fix: b' -m 'wip below'"), None),
        (bash("printf 'wip' | git commit -F -"), Some("ACME002")),
        (bash("echo wip"), None),
        (bash("curl -s https://api.acme.dev/v1/pay"), Some("ACME003")),
        (bash("curl -s https://api.acme.dev/v2/pay"), None),
        (fetch("https://api.acme.dev/v1/pay?x=1"), Some("ACME003")),
        (fetch("https://api.acme.dev/"), None),
        (mcp("billing-core"), Some("ACME004")),
        (mcp("site"), None),
    ] {
        let answer = document(&ground.hook(&ground.event("PreToolUse", &fields)));
        let reason =
            answer.as_ref().and_then(|answer| answer.pointer("/hookSpecificOutput/permissionDecisionReason"));
        let reason = reason.and_then(Value::as_str).unwrap_or_default();
        assert_eq!(reason.contains("[ACME"), code.is_some(), "{fields}: {answer:?}");
        assert!(code.is_none_or(|code| reason.contains(code)), "{fields}: {reason}");
    }
}

#[test]
fn a_call_that_is_granted_in_part_says_which_part_is_not() {
    let ground = Ground::new();
    let told = text(&ground.run(&["check", "--isolated", "--preset", "develop", "echo x > a && git push"]));
    assert!(
        told.starts_with("pass\n") && told.contains("  not granted: no rule grants `git-push`, 14..22"),
        "{told}"
    );
    let output =
        ground.run(&["check", "--isolated", "--preset", "develop", "--json", "echo x > a && git push"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["not_granted"], "not granted: no rule grants `git-push`, 14..22", "{answer}");
    // Where nothing would have been granted, nothing is missing.
    let output = ground.run(&["check", "--isolated", "--preset", "develop", "--json", "frobnicate"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answer["not_granted"].is_null(), "{answer}");
}
