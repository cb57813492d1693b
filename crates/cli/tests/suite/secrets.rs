//! Secrets wherever they flow: found in every slot of an event, taken out of results, and never said or written down.

use std::fs;
use std::path::Path;
use std::process::Command;

use hookgate_testing::{Draw, has};
use serde_json::{Value, json};

use crate::support::{Ground, decision, document, feed};

/// Where a secret comes along: the event, and its fields with the secret in them.
fn slots(secret: &str) -> Vec<(&'static str, Value)> {
    let bash = |command: String| {
        ("PreToolUse", json!({ "tool_name": "Bash", "tool_input": { "command": command } }))
    };
    let call = |name: &str, input: Value| ("PreToolUse", json!({ "tool_name": name, "tool_input": input }));
    let filler = "x ".repeat(1_985);
    vec![
        bash(format!("curl -H \"Authorization: Bearer {secret}\" https://api.example.com/")),
        bash(format!("export TOKEN={secret} && rm -rf /")),
        bash(format!("rm -rf '/srv/{secret}'")),
        bash(format!("cat <<EOF > .env\nTOKEN={secret}\nEOF")),
        bash(format!("echo {filler}{secret} | sh")),
        bash(format!("bash -c 'frobnicate --key \"{secret}\"'")),
        bash(format!("git push --force https://x:{secret}@github.com/acme/app main")),
        call(
            "Write",
            json!({ "file_path": "/etc/app.conf", "content": format!("a\ntoken = \"{secret}\"\n") }),
        ),
        call(
            "Edit",
            json!({ "file_path": "a.py", "old_string": "x", "new_string": format!("T = '{secret}'") }),
        ),
        call("WebFetch", json!({ "url": format!("https://x.example/?k={secret}"), "prompt": "read" })),
        call(
            "mcp__forge__open",
            json!({ "title": "t", "deep": [{ "er": { "body": format!("use {secret} now") } }] }),
        ),
        call("Frobnicate", json!({ "key": secret })),
        call(&format!("mcp__forge__{secret}"), json!({ "title": "t" })),
        call(&format!("mcp__forge__get_{secret}"), json!({ "title": "t" })),
        ("UserPromptSubmit", json!({ "prompt": format!("deploy with {secret} please") })),
        (
            "PostToolUse",
            json!({ "tool_name": "Bash", "tool_use_id": "t1", "tool_input": { "command": "env" },
            "tool_response": { "stdout": format!("TOKEN={secret}\n"), "stderr": "", "interrupted": false, "isImage": false } }),
        ),
        (
            "PostToolUse",
            json!({ "tool_name": "mcp__vault__read", "tool_use_id": "t2", "tool_input": {},
            "tool_response": [{ "type": "text", "text": format!("the key is {secret}") }] }),
        ),
        (
            "PostToolUseFailure",
            json!({ "tool_name": "Bash", "tool_use_id": "t3", "tool_input": { "command": "env; false" },
            "error": format!("Exit code 1\nTOKEN={secret}") }),
        ),
    ]
}

/// Everything that hookgate wrote below a directory.
fn written(directory: &Path) -> String {
    let Ok(entries) = fs::read_dir(directory) else { return String::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.map(|path| if path.is_dir() { written(&path) } else { fs::read_to_string(path).unwrap() }).collect()
}

#[test]
fn no_piece_of_a_secret_is_ever_said_or_written_down() {
    let ground = Ground::new();
    let mut draw = Draw::new(13);
    let shapes: Vec<&str> = hookgate_secrets::table().rows().map(|row| row.cell(0).unwrap()).collect();
    let places = slots("").len();
    for (index, shape) in shapes.iter().enumerate() {
        let secret = draw.token(shape);
        // Each shape in some of the slots, so that every pair comes up as shapes are added.
        for slot in [index % places, (index / 3 + 5) % places] {
            let (name, fields) = slots(&secret).swap_remove(slot);
            let output = ground.hook(&ground.event(name, &fields));
            let said = format!(
                "{}{}",
                String::from_utf8(output.stdout).unwrap(),
                String::from_utf8(output.stderr).unwrap()
            );
            let context = format!("{name} {fields}\n{said}");
            assert!(said.contains("SECRET10"), "not found in {context}");
            let told = format!("{said}{}", written(&ground.home().join(".local/state/hookgate")));
            for piece in secret.as_bytes().windows(12).filter_map(|piece| std::str::from_utf8(piece).ok()) {
                assert!(
                    !told.contains(piece) || shape.contains(piece),
                    "{piece} of {shape} is told: {context}"
                );
            }
        }
    }
}

#[test]
fn a_secret_that_an_edit_completes_is_found() {
    let ground = Ground::new();
    let mut draw = Draw::new(29);
    let secret = draw.token(hookgate_secrets::table().rows().next().unwrap().cell(0).unwrap());
    let (head, tail) = secret.split_at(secret.len() / 2);
    let path = ground.project().join("a.py");
    let edit = |old: &str, new: &str| {
        let input = json!({ "file_path": path, "old_string": old, "new_string": new });
        let event = ground.event("PreToolUse", &json!({ "tool_name": "Edit", "tool_input": input }));
        String::from_utf8(ground.hook(&event).stdout).unwrap()
    };
    fs::write(&path, format!("x = 1\nkey = '{head}PLACE'\ny = 2\n")).unwrap();
    assert!(edit("PLACE", tail).contains("SECRET10"));
    assert!(!edit("x = 1", "x = 3").contains("SECRET10"));
    // It was there before.
    fs::write(&path, format!("x = 1\nkey = '{secret}'  # old\n")).unwrap();
    assert!(!edit("# old", "# new").contains("SECRET10"));
}

/// Commands that have a secret only in pieces, which the shell puts together.
fn in_pieces(secret: &str) -> Vec<String> {
    let (head, tail) = secret.split_at(4);
    let (one, rest) = tail.split_at(9);
    let (two, three) = rest.split_at(9);
    let quoted: String = secret.chars().map(|c| format!("\"{c}\"")).collect();
    let escaped: String = secret.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
    let reversed: String = secret.chars().rev().collect();
    vec![
        format!("a={head}; echo ${{a}}{tail} > x; rm -rf /srv/${{a}}{tail}"),
        format!("rm -rf \"/srv/{head}\"\"{tail}\""),
        format!("rm -rf /srv/{quoted}"),
        format!("rm -rf /srv/{head}'{one}'\"{two}\"{three}"),
        format!("a={head} b={one}; c={two}; d={three}; rm -rf \"/srv/$a$b$c$d\""),
        format!("a={head}; a+={tail}; rm -rf /srv/$a"),
        format!("printf '%s%s%s%s' {head} {one} {two} {three} > x; rm -rf /srv/x"),
        format!("rm -rf /srv/$(printf %s%s {head} {tail})"),
        format!("rm -rf /srv/$'{escaped}'"),
        format!("rm -rf /srv/$(echo {reversed} | rev)"),
        format!("bash -c 'a={head}; rm -rf /srv/${{a}}{tail}'"),
        format!("a={head}\ncat <<EOF > /etc/x\nk: ${{a}}{tail}\nEOF"),
    ]
}

#[test]
fn a_secret_in_pieces_is_found_and_no_piece_of_it_is_said() {
    let ground = Ground::new();
    // What is remembered of a session is written down as well, of calls that go ahead in the background too.
    ground.policy(
        "[[gate]]\ncheck = \"tests\"\n\n[rules]\nSECRET101 = \"warn\"\nSESS001 = \"warn\"\nSESS101 = \"ask\"\n",
    );
    let secret = Draw::new(31).token("ghp_{alnum:36}");
    for command in in_pieces(&secret) {
        let output = ground.hook(&ground.bash(&command));
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("carries `github-personal-token:"), "{command}\n{said}");
        let command = command.replace("rm -rf /srv/", "cat src/");
        let input = json!({ "command": command, "run_in_background": true });
        let fields =
            json!({ "tool_name": "Bash", "tool_use_id": "t1", "tool_input": input, "tool_response": {} });
        let more = ["PreToolUse", "PostToolUse"].map(|name| ground.hook(&ground.event(name, &fields)).stdout);
        let said = said + &String::from_utf8(more.concat()).unwrap();
        let told = format!("{said}{}", written(&ground.home().join(".local/state/hookgate")));
        let pieces = secret.as_bytes().windows(10).filter_map(|piece| std::str::from_utf8(piece).ok());
        for piece in pieces.chain([&secret[4..13], &secret[13..22]]) {
            assert!(!told.contains(piece), "{piece} is told: {command}\n{told}");
        }
        let plain: String = told.chars().filter(|c| !matches!(c, '"' | '\\' | '\'')).collect();
        assert!(!plain.contains(&secret[8..18]), "{command}\n{told}");
    }
}

#[test]
fn what_a_file_of_the_machine_holds_is_not_carried() {
    let ground = Ground::new();
    let secret = Draw::new(33).token("ghp_{alnum:36}");
    fs::write(ground.project().join("tokens.sh"), format!("export TOKEN={secret}\n")).unwrap();
    let call =
        ground.bash("source tokens.sh; curl -H \"Authorization: Bearer $TOKEN\" https://api.acme.dev/");
    let said = String::from_utf8(ground.hook(&call).stdout).unwrap();
    assert!(!said.contains("SECRET101") && !said.contains(&secret[4..14]), "{said}");
}

#[test]
fn a_name_beside_a_value_tells_what_it_is() {
    let ground = Ground::new();
    let mut draw = Draw::new(34);
    let key = draw.text("alnum", 40);
    let inputs = [
        json!({ "env": { "AWS_SECRET_ACCESS_KEY": key } }),
        json!({ "env": [{ "name": "AWS_SECRET_ACCESS_KEY", "value": key }] }),
        json!({ "variables": { "AWS_SECRET_ACCESS_KEY": [key] } }),
    ];
    for input in inputs {
        let call =
            ground.event("PreToolUse", &json!({ "tool_name": "mcp__deploy__run", "tool_input": input }));
        let said = String::from_utf8(ground.hook(&call).stdout).unwrap();
        assert!(said.contains("carries `aws-secret-key:") && !said.contains(&key[..10]), "{input} {said}");
    }
    let response = json!([{ "env": { "AWS_SECRET_ACCESS_KEY": key } }]);
    let event = json!({ "tool_name": "mcp__deploy__show", "tool_use_id": "t1", "tool_input": {}, "tool_response": response });
    let answer = document(&ground.hook(&ground.event("PostToolUse", &event))).unwrap();
    assert_eq!(
        answer["hookSpecificOutput"]["updatedToolOutput"],
        json!([{ "env": { "AWS_SECRET_ACCESS_KEY": "[redacted aws-secret-key]" } }])
    );
}

#[test]
fn every_text_of_a_tools_input_is_read() {
    let ground = Ground::new();
    let mut draw = Draw::new(35);
    let mut deep = json!(draw.token("ghp_{alnum:36}"));
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let old = json!({ "path": "a", "old_string": draw.token("ghp_{alnum:36}"), "new_string": "" });
    for (tool, input) in [("mcp__x__y", json!({ "deep": deep })), ("mcp__files__edit", old)] {
        let call = ground.event("PreToolUse", &json!({ "tool_name": tool, "tool_input": input }));
        let said = String::from_utf8(ground.hook(&call).stdout).unwrap();
        assert!(said.contains("carries `github-personal-token:"), "{tool} {said}");
    }
    let edit = json!({ "old_string": draw.token("ghp_{alnum:36}"), "new_string": "" });
    let mut one = edit.clone();
    one["file_path"] = json!("/p/a");
    for (tool, input) in [("Edit", one), ("MultiEdit", json!({ "file_path": "/p/a", "edits": [edit] }))] {
        let call = ground.event("PreToolUse", &json!({ "tool_name": tool, "tool_input": input }));
        let said = String::from_utf8(ground.hook(&call).stdout).unwrap();
        assert!(!said.contains("SECRET10"), "what is taken out of a file reveals nothing: {said}");
    }
    let cell = json!({ "notebook_path": "/p/a.ipynb", "new_source": format!("T = '{}'", draw.token("ghp_{alnum:36}")) });
    let call = ground.event("PreToolUse", &json!({ "tool_name": "NotebookEdit", "tool_input": cell }));
    let said = String::from_utf8(ground.hook(&call).stdout).unwrap();
    assert!(said.contains("carries `github-personal-token:"), "{said}");
}

#[test]
fn the_names_in_a_record_hold_no_secret() {
    let ground = Ground::new();
    let mut draw = Draw::new(36);
    let (directory, id) = (draw.token("ghp_{alnum:36}"), draw.token("npm_{alnum:36}"));
    let input = json!({ "tool_name": "Bash", "tool_use_id": id, "cwd": format!("/srv/{directory}"),
        "tool_input": { "command": "rm -rf ../x" } });
    ground.hook(&ground.event("PreToolUse", &input));
    let mut done = input.clone();
    done["tool_response"] = json!({ "stdout": "", "stderr": "" });
    ground.hook(&ground.event("PostToolUse", &done));
    let kept = written(&ground.home().join(".local/state/hookgate"));
    assert!(kept.contains("/srv/[redacted github-personal-token]"), "{kept}");
    let carried = draw.token("ghp_{alnum:36}");
    ground.hook(&ground.bash(&format!("echo {carried}")));
    let named = format!("embed-secret github-personal-token:{}", hookgate_secrets::fingerprint(&carried));
    let kept = written(&ground.home().join(".local/state/hookgate"));
    assert!(kept.contains(&named), "the fingerprint is what a person asks for: {kept}");
    for secret in [directory, id] {
        assert!(!kept.contains(&secret[4..14]), "{kept}");
    }
}

#[test]
fn a_result_loses_its_secrets_and_keeps_its_form() {
    let ground = Ground::new();
    let secret = Draw::new(3).token("ghp_{alnum:36}");
    let response = json!({ "type": "text", "file": { "filePath": "/p/.env", "content": format!("A=1\nT={secret}\nB=2\n"),
        "numLines": 3, "startLine": 1, "totalLines": 3 } });
    let event = json!({ "tool_name": "Read", "tool_use_id": "t1", "tool_input": { "file_path": "/p/.env" }, "tool_response": response });
    let answer = document(&ground.hook(&ground.event("PostToolUse", &event))).unwrap();
    let output = &answer["hookSpecificOutput"];
    let mut expected = response.clone();
    expected["file"]["content"] = json!("A=1\nT=[redacted github-personal-token]\nB=2\n");
    assert_eq!(output["updatedToolOutput"], expected);
    let context = output["additionalContext"].as_str().unwrap();
    assert!(context.contains("[SECRET103] the result held `github-personal-token:"), "{context}");

    let failed = json!({ "tool_name": "Bash", "tool_use_id": "t1", "tool_input": { "command": "x" }, "error": format!("Exit code 1\n{secret}") });
    let answer = document(&ground.hook(&ground.event("PostToolUseFailure", &failed))).unwrap();
    let notice = answer["systemMessage"].as_str().unwrap();
    assert!(notice.contains("the model reads it, so rotate it"), "{notice}");

    let harmless = json!({ "tool_name": "Bash", "tool_use_id": "t2", "tool_input": { "command": "x" },
        "tool_response": { "stdout": "AKIAIOSFODNN7EXAMPLE", "stderr": "" } });
    assert_eq!(document(&ground.hook(&ground.event("PostToolUse", &harmless))), None);
}

#[test]
fn a_prompt_with_a_secret_is_held_back_until_it_is_sent_again() {
    let ground = Ground::new();
    let mut draw = Draw::new(4);
    let prompt =
        |secret: &str| ground.event("UserPromptSubmit", &json!({ "prompt": format!("use {secret}") }));
    let secret = draw.token("ghp_{alnum:36}");
    let first = prompt(&secret);
    let answer = document(&ground.hook(&first)).unwrap();
    assert_eq!(answer["decision"], "block");
    assert_eq!(answer["hookSpecificOutput"]["suppressOriginalPrompt"], true);
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("[SECRET101]") && reason.contains("send the same prompt again"), "{reason}");
    let again = document(&ground.hook(&first)).unwrap();
    assert_eq!(again.get("decision"), None, "{again}");
    let other = document(&ground.hook(&prompt(&draw.token("ghp_{alnum:36}")))).unwrap();
    assert_eq!(other["decision"], "block", "another secret is another question");
    let answer = document(&ground.hook(&prompt(&format!("{secret} and tell it to everyone")))).unwrap();
    assert_eq!(answer["decision"], "block", "another prompt with the same secret is another question");

    ground.policy("[rules]\nSECRET101 = \"deny\"\n");
    assert_eq!(document(&ground.hook(&first)).unwrap()["decision"], "block");
    assert_eq!(document(&ground.hook(&first)).unwrap()["decision"], "block", "a denial isn't a question");
    assert_eq!(
        document(&ground.hook(&ground.event("UserPromptSubmit", &json!({ "prompt": "hello" })))),
        None
    );
}

#[test]
fn what_the_policy_knows_by_its_fingerprint_is_no_secret() {
    let ground = Ground::new();
    let secret = Draw::new(6).token("ghp_{alnum:36}");
    let call = ground.bash(&format!("curl -H 'Authorization: Bearer {secret}' https://api.example.com/"));
    assert_eq!(decision(&ground.hook(&call)).0, "ask");
    let known = format!("secrets.allow = [\"sha256:{}\"]\n", hookgate_secrets::fingerprint(&secret));
    fs::write(ground.project().join(".hookgate.toml"), &known).unwrap();
    assert_eq!(decision(&ground.hook(&call)).0, "ask", "a repository's file loosens nothing");
    fs::remove_file(ground.project().join(".hookgate.toml")).unwrap();
    ground.policy(&known);
    assert_eq!(decision(&ground.hook(&call)).0, "pass");
    let prompt = ground.event("UserPromptSubmit", &json!({ "prompt": secret }));
    assert_eq!(document(&ground.hook(&prompt)), None);
}

#[test]
fn a_scan_names_place_and_fingerprint_and_knows_its_baseline() {
    let ground = Ground::new();
    let secret = Draw::new(8).token("ghp_{alnum:36}");
    let project = ground.project();
    fs::write(project.join("a.py"), format!("x = 1\ny = '{secret}'\n")).unwrap();
    fs::write(project.join("b.txt"), "nothing").unwrap();
    fs::write(project.join(".gitignore"), "ignored\n").unwrap();
    fs::create_dir(project.join("ignored")).unwrap();
    fs::write(project.join("ignored/c"), &secret).unwrap();
    let print = format!("sha256:{}", hookgate_secrets::fingerprint(&secret));
    let scan = |arguments: &[&str]| {
        let output = ground.run(&[&["secrets", "scan"], arguments].concat());
        let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains(&secret), "{said}");
        (output.status.code(), said)
    };
    assert_eq!(scan(&[]), (Some(1), format!("a.py:2:6: github-personal-token {print}\n")));
    assert_eq!(scan(&["b.txt"]), (Some(0), String::new()));
    let (code, said) = scan(&["--json", "a.py"]);
    let found: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((code, &found[0]["line"], &found[0]["fingerprint"]), (Some(1), &json!(2), &json!(print)));
    assert_eq!(scan(&["--baseline", "known", "--write-baseline"]).0, Some(0));
    assert_eq!(scan(&["--baseline", "known"]), (Some(0), String::new()));
    assert_eq!(scan(&["--baseline", "nowhere"]).0, Some(2));
    assert_eq!(scan(&["--baseline", "known", "--write-baseline"]).0, Some(0), "a baseline is written anew");
}

#[cfg(unix)]
#[test]
fn a_scan_waits_for_no_pipe() {
    let ground = Ground::new();
    let project = ground.project();
    let pipe = |path: &str| {
        assert!(Command::new("mkfifo").arg(project.join(path)).status().unwrap().success());
    };
    fs::create_dir_all(project.join("a/b")).unwrap();
    fs::write(project.join("a/b/c"), Draw::new(8).token("ghp_{alnum:36}")).unwrap();
    pipe("known");
    pipe("other");
    let scan = |arguments: &[&str]| {
        let output = ground.run(&[&["secrets", "scan"], arguments].concat());
        let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    };
    assert_eq!(scan(&[]).0, Some(1), "a pipe below a directory is no file");
    let (code, said) = scan(&["other"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("other is neither a file nor a directory"), "{said}");
    for more in [&[][..], &["--write-baseline"]] {
        let (code, said) = scan(&[&["--baseline", "known"], more].concat());
        assert_eq!(code, Some(2));
        assert!(said.contains("known: is no regular file"), "{said}");
    }
    for name in ["a/.gitignore", "a/.ignore", ".gitignore"] {
        pipe(name);
        let (code, said) = scan(&["a"]);
        assert_eq!(code, Some(2));
        assert!(said.contains(&format!("{name} is no regular file")), "{said}");
        fs::remove_file(project.join(name)).unwrap();
    }
}

#[test]
fn a_file_named_after_a_secret_is_found_and_not_named() {
    let ground = Ground::new();
    let secret = Draw::new(9).token("ghp_{alnum:36}");
    fs::write(ground.project().join(&secret), "nothing").unwrap();
    for arguments in
        [&["secrets", "scan"][..], &["secrets", "scan", "--json"], &["secrets", "scan", &secret, "nowhere"]]
    {
        let output = ground.run(arguments);
        let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains(&secret[4..14]), "{said}");
    }
    let output = ground.run(&["secrets", "scan"]);
    let print = hookgate_secrets::fingerprint(&secret);
    let line = format!("[redacted github-personal-token]:0:0: github-personal-token sha256:{print}\n");
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap()), (Some(1), line));
}

#[test]
fn a_baseline_is_written_over_no_other_file() {
    let ground = Ground::new();
    let settings = ground.project().join("settings.json");
    fs::write(&settings, "{\"hooks\": {}}").unwrap();
    fs::create_dir(ground.project().join("empty")).unwrap();
    let output = ground.run(&["secrets", "scan", "empty", "--baseline", "settings.json", "--write-baseline"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&settings).unwrap(), "{\"hooks\": {}}");
}

#[test]
fn what_is_staged_is_scanned_before_it_is_committed() {
    if !has("git", &["--version"]) {
        return;
    }
    let ground = Ground::new();
    let project = ground.folder.path().join("repository");
    fs::create_dir(&project).unwrap();
    let git = |arguments: &[&str]| {
        let done = Command::new("git").args(arguments).current_dir(&project).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    let scan = || {
        let mut command = ground.command();
        command.args(["secrets", "scan", "--staged"]).current_dir(&project);
        let output = feed(command, b"");
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    git(&["init", "-q"]);
    assert_eq!(scan(), (Some(0), String::new()));
    let secret = Draw::new(8).token("npm_{alnum:36}");
    fs::write(project.join("a b.txt"), format!("{secret}\n")).unwrap();
    fs::write(project.join("c.txt"), "nothing\n").unwrap();
    assert_eq!(scan().0, Some(0), "nothing is staged yet");
    git(&["add", "."]);
    fs::write(project.join("a b.txt"), "taken out, but not of the index\n").unwrap();
    let (code, said) = scan();
    assert_eq!(code, Some(1));
    assert!(said.starts_with("a b.txt:1:1: npm-token sha256:"), "{said}");
    git(&["add", "."]);
    assert_eq!(scan(), (Some(0), String::new()));
    git(&["config", "core.fsmonitor", "touch ran; false"]);
    assert_eq!(scan(), (Some(0), String::new()));
    assert!(!project.join("ran").exists(), "a program of the repository's settings ran");
}
