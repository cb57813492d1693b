//! `[packages]`, from the policy and the lockfiles to the answer.

use std::fs;

use crate::support::{Ground, decision, document, feed};

/// What a command gets, and why.
fn judged(ground: &Ground, command: &str) -> (String, String) {
    decision(&ground.hook(&ground.bash(command)))
}

#[test]
fn a_policy_names_the_manager_and_the_denial_names_the_exact_command() {
    let ground = Ground::new();
    ground.policy("packages = { python = { use = \"uv\" }, javascript = { use = \"bun\" } }");
    fs::write(ground.project().join("pyproject.toml"), "[project]\nname = \"demo\"\n").unwrap();
    for (command, instead) in [
        ("pip install 'httpx>=0.27'", "run `uv add 'httpx>=0.27'`"),
        ("pip install -r dev-requirements.txt", "run `uv pip install -r dev-requirements.txt`"),
        ("python3.12 -m venv \"$HOME/env\"", "run `uv venv --python 3.12 \"$HOME/env\"`"),
        ("sudo pip install httpx | tee log", "run `sudo uv add httpx`"),
        ("cd web; npm ci", "run `bun install --frozen-lockfile`"),
        ("npx {prettier,eslint}", "run `bunx {prettier,eslint}`"),
        ("npm run build -- --watch && uv sync", "run `bun run build --watch`"),
        ("bash -c \"npm i -D vitest\"", "run `bun add --dev vitest`"),
        ("make \"$(npm run -s target)\"", "run `bun run target`"),
    ] {
        let (decision, reason) = judged(&ground, command);
        assert_eq!(decision, "deny", "{command}");
        assert!(reason.contains("[PKG001]") && reason.contains(instead), "{command}: {reason}");
    }
}

#[test]
fn every_call_of_a_compound_command_is_named() {
    let ground = Ground::new();
    ground.policy("packages = { python = { use = \"uv\" }, javascript = { use = \"bun\" } }");
    let (_, reason) = judged(&ground, "pip install -r a.txt && npm install left-pad; bun run build");
    assert!(
        reason.contains("`uv pip install -r a.txt`") && reason.contains("`bun add left-pad`"),
        "{reason}"
    );
}

#[test]
fn what_only_mentions_a_manager_is_free() {
    let ground = Ground::new();
    ground.policy("packages = { python = { use = \"uv\" }, javascript = { use = \"bun\" } }");
    for command in [
        "cat yarn.lock package-lock.json",
        "git add pnpm-lock.yaml",
        "git commit -m 'drop the pip install step'",
        "pip --version && npm -v",
        "uv pip install httpx",
        "bunx vite",
        "grep -rn 'npm install' .",
    ] {
        assert_eq!(judged(&ground, command), ("pass".to_owned(), String::new()), "{command}");
    }
}

#[test]
fn lockfiles_of_the_nearest_directory_say_which_manager_it_is() {
    let ground = Ground::new();
    ground.policy("packages = { javascript = { use = \"detect\", level = \"ask\" } }");
    assert_eq!(judged(&ground, "npm install").0, "pass", "without a lockfile nothing is judged");

    let web = ground.project().join("web");
    fs::create_dir_all(&web).unwrap();
    fs::write(ground.project().join("yarn.lock"), "").unwrap();
    fs::write(web.join("pnpm-lock.yaml"), "").unwrap();
    let (decision, reason) = judged(&ground, "npm install");
    assert_eq!(decision, "ask");
    assert!(reason.contains("uses yarn (yarn.lock)"), "{reason}");
    assert!(judged(&ground, "cd web && npm install").1.contains("uses pnpm (pnpm-lock.yaml)"));
    assert_eq!(judged(&ground, "cd web && pnpm install").0, "pass");
    assert!(judged(&ground, "cd web/src && yarn").1.contains("`pnpm install`"));

    fs::write(web.join("package-lock.json"), "").unwrap();
    assert_eq!(judged(&ground, "cd web && npm install").0, "pass", "both lockfiles count");
    fs::write(web.join("package.json"), "{ \"packageManager\": \"pnpm@9.1.0\" }").unwrap();
    assert!(judged(&ground, "cd web && npm install").1.contains("uses pnpm (package.json)"));
}

#[test]
fn levels_and_allowed_calls_are_those_of_the_policy() {
    let ground = Ground::new();
    let policy = |level: &str| {
        ground.policy(&format!(
            "[packages.javascript]\nuse = \"bun\"\nlevel = \"{level}\"\nunlisted = \"deny\"\nallow = [\"npm audit\", \"npx\"]\n"
        ));
    };
    for (level, expected) in [("off", "pass"), ("ask", "ask"), ("deny", "deny"), ("rewrite", "deny")] {
        policy(level);
        assert_eq!(judged(&ground, "npm test").0, expected, "{level}");
    }
    policy("warn");
    let answer = document(&ground.hook(&ground.bash("npm test"))).unwrap();
    assert!(answer["hookSpecificOutput"]["permissionDecision"].is_null());
    assert!(answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("`bun run test`"));
    let (decision, reason) = judged(&ground, "npm publish");
    assert_eq!(decision, "deny");
    assert!(reason.contains("[PKG002]") && reason.contains("`npm publish` under `allow`"), "{reason}");
    for free in ["npm --registry=https://r.example.com audit", "npx cowsay"] {
        let (decision, reason) = judged(&ground, free);
        assert!(!reason.contains("PKG"), "{free}: {decision} {reason}");
    }
}

#[test]
fn without_a_table_nothing_is_judged() {
    let ground = Ground::new();
    ground.policy("[rules]\nPKG = \"deny\"\n");
    fs::write(ground.project().join("uv.lock"), "").unwrap();
    assert_eq!(judged(&ground, "pip install -r a.txt").0, "pass");
}

#[test]
fn a_rewrite_runs_the_counterpart_and_leaves_the_rest_as_it_is() {
    let ground = Ground::new();
    ground.policy("[packages.javascript]\nuse = \"bun\"\nlevel = \"rewrite\"\n");
    let folder = ground.home().join("bin");
    fs::create_dir_all(&folder).unwrap();
    for program in ["bun", "bunx"] {
        crate::support::write_program(&folder.join(program), "#!/bin/sh\n");
    }
    let judge = |command: &str, path: String| {
        let mut hook = ground.command();
        hook.args(["hook", "--event", "PreToolUse"]).env("PATH", path);
        let answer = document(&feed(hook, &ground.bash(command))).unwrap_or_default();
        let output = answer["hookSpecificOutput"].clone();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or("").to_owned();
        (text(&output["permissionDecision"]), text(&output["updatedInput"]["command"]), output.to_string())
    };
    let path = format!("{}:/usr/bin:/bin", folder.display());
    for (command, new) in [
        ("npm ci", "bun install --frozen-lockfile"),
        (
            "cd 'a  b'  &&  npm i -D \"vitest@^2\"; echo npm ci",
            "cd 'a  b'  &&  bun add --dev \"vitest@^2\"; echo npm ci",
        ),
        ("sudo npm i -g serve", "sudo bun add --global serve"),
        ("npx tsc --noEmit && npm test -- -u", "bunx tsc --noEmit && bun run test -u"),
    ] {
        let (decision, found, answer) = judge(command, path.clone());
        assert_eq!(found, new, "{command}: {answer}");
        assert_ne!(decision, "deny", "{command}: {answer}");
    }
    for command in ["npm ls | head -3", "npm ci --install-links", "xargs npm i"] {
        let (decision, new, answer) = judge(command, path.clone());
        assert_eq!((decision.as_str(), new.as_str()), ("deny", ""), "{command}: {answer}");
        assert!(answer.contains("PKG001"), "{command}: {answer}");
    }
    let (decision, new, answer) = judge("npm ci", "/usr/bin:/bin".to_owned());
    assert_eq!((decision.as_str(), new.as_str()), ("deny", ""), "without bun nothing is rewritten: {answer}");
}

#[test]
fn calls_elsewhere_are_free_and_those_of_recipes_are_named_where_they_stand() {
    let ground = Ground::new();
    ground.policy("packages = { python = { use = \"uv\" }, javascript = { use = \"npm\" } }");
    for command in [
        "docker exec web bun install",
        "docker run --rm node:20 yarn install",
        "docker compose exec web sh -c 'pnpm install'",
        "kubectl exec pod -- pip install six",
        "ssh host yarn install",
    ] {
        let (decision, reason) = judged(&ground, command);
        assert!(!reason.contains("PKG"), "{command}: {decision} {reason}");
    }
    fs::write(ground.project().join("Makefile"), "deps:\n\tpip install six\n").unwrap();
    let (decision, reason) = judged(&ground, "make deps");
    assert_eq!(decision, "deny", "{reason}");
    assert!(reason.contains("change what runs it to `uv pip install six`"), "{reason}");
    assert!(!reason.contains("make uv"), "{reason}");

    // `yarn NAME` is a script or a program.
    let bin = ground.project().join("node_modules/.bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("eslint"), "").unwrap();
    fs::write(
        ground.project().join("package.json"),
        r#"{"scripts":{"build":"x"},"devDependencies":{"eslint":"^9"}}"#,
    )
    .unwrap();
    assert!(judged(&ground, "yarn eslint .").1.contains("`npx eslint .`"));
    assert!(judged(&ground, "yarn build").1.contains("`npm run build`"));
}
