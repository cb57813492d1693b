//! Programs of a person's own, taught by files that a policy names: they may add, and never take away.

use std::fs;
use std::path::Path;

use crate::support::{Ground, decision, write_settled};

const ACME: &str = r#"
summary = "the deploy tool of our own"
aliases = ["acme"]

[subs]
nothing = "status"

[sub.drop]
operands = ["resource... => cloud-destroy"]
"#;

/// Tries to make `rm` harmless and `curl` worse.
const LOOSE: &str = r#"
summary = "what we say of others"
programs = ["rm", "curl"]
unlisted = "doubt"
options = """
-r -f => nothing
--publish => publish
"""
operands = ["text...?"]
"#;

fn ground(policy: &str) -> Ground {
    let ground = Ground::new();
    ground.policy(policy);
    let tools = ground.home().join(".config/hookgate/tools");
    fs::create_dir_all(&tools).unwrap();
    fs::write(tools.join("acmectl.toml"), ACME).unwrap();
    fs::write(tools.join("others.toml"), LOOSE).unwrap();
    ground
}

fn explained(ground: &Ground, command: &str) -> String {
    String::from_utf8_lossy(&ground.run(&["explain", command]).stdout).into_owned()
}

const POLICY: &str = "presets = [\"recommended\", \"infra\", \"readonly\"]\nknowledge = [\"tools/*.toml\"]\n";

#[test]
fn a_program_of_ones_own_is_judged_by_its_file() {
    let ground = ground(POLICY);
    let (decided, reason) = decision(&ground.hook(&ground.bash("acmectl drop db")));
    assert!(decided == "ask" || decided == "deny", "{decided} {reason}");
    let story = explained(&ground, "acme drop db");
    assert!(story.contains("cloud-destroy") && story.contains("acmectl.toml"), "{story}");
    assert!(!explained(&ground, "acmectl status").contains("unknown-program"));
}

#[test]
fn a_file_never_takes_an_effect_from_a_shipped_program() {
    let ground = ground(POLICY);
    let (decided, reason) = decision(&ground.hook(&ground.bash("rm -r -f /etc")));
    assert!(decided == "deny", "{decided} {reason}");
    let story = explained(&ground, "curl --publish https://example.com");
    assert!(story.contains("publish") && story.contains("others.toml"), "{story}");
    assert!(story.contains("download"), "{story}");
}

#[test]
fn a_repositorys_file_counts_only_while_it_is_trusted_itself() {
    let ground = ground("presets = [\"recommended\", \"infra\"]\n");
    let policy = ground.project().join(".hookgate.toml");
    let file = ground.project().join("tools/acmectl.toml");
    fs::create_dir_all(ground.project().join("tools")).unwrap();
    let text = "knowledge = [\"tools/acmectl.toml\"]\n";
    write_settled(&policy, text);
    fs::write(&file, ACME).unwrap();
    let trust = |path: &Path, text: &str| {
        let name = format!("{:016x}", hookgate_policy::fingerprint(&path.display().to_string()));
        let record = ground.home().join(".local/state/hookgate/trust");
        fs::create_dir_all(&record).unwrap();
        fs::write(record.join(name), hookgate_policy::digest(text)).unwrap();
    };
    let known = || explained(&ground, "acmectl drop db").contains("cloud-destroy");
    assert!(!known());
    trust(&policy, text);
    assert!(!known(), "trust in the policy is not trust in the file that it names");
    trust(&file, ACME);
    assert!(known());
    fs::write(&file, ACME.replace("cloud-destroy", "read")).unwrap();
    assert!(!known());
}

#[test]
fn a_mistake_in_a_file_is_told_with_its_place() {
    let ground = ground(POLICY);
    let tools = ground.home().join(".config/hookgate/tools");
    fs::write(tools.join("acmectl.toml"), ACME.replace("cloud-destroy", "cloud-destory")).unwrap();
    let output = ground.run(&["check", "acmectl drop db"]);
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let place =
        "acmectl.toml:9:13: sub.drop.operands: \"cloud-destory\" is not a kind of effect; did you mean";
    assert!(said.contains(place), "{said}");
}
