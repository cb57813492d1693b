//! The first day and the last: what `init` and `uninstall` leave the client with.

use crate::scenarios::{Scenario, holds};
use crate::{Lab, Turn};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "after edits, an uninstallation and without the binary calls run again", run: left },
    Scenario { name: "settings that the client would ignore are refused", run: commented },
    Scenario {
        name: "a rule for an event that isn't registered is said not to be in force",
        run: unregistered,
    },
    Scenario { name: "hooks of the user and of the project judge a call once", run: once },
    Scenario {
        name: "with a policy that was never readable a denied command does not run",
        run: never_readable,
    },
];

const DENIES: &str =
    "[[rule]]\ncode = \"LAB001\"\nwhen = { run = \"touch denied\" }\nthen = \"deny\"\nreason = \"denied\"\n";
const USER: &[&str] = &["--scope", "user"];

fn left(lab: &Lab) -> Result<(), String> {
    // By a process of its own: below the lab, whose task is named after the client, hookgate takes it for the client's.
    let script = r#"
        cat > ../leave <<'END'
        sed -i '0,/{/s//{ "theme": "dark",/' "$HOME/.claude/settings.json"
        printf '[[rule]]\ncode = "LAB002"\non = "Stop"\nthen = "deny"\nreason = "x"\n' >> "$HOME/.config/hookgate/hookgate.toml"
        ../bin/hookgate init --yes --scope user --client-version 2.1.330
        ../bin/hookgate uninstall --yes
        grep -q dark "$HOME/.claude/settings.json"
        ! grep -q hookgate "$HOME/.claude/settings.json"
        rm ../bin/hookgate
END
        setsid -f sh -e ../leave > ../left 2>&1
        for turn in $(seq 100); do test -e ../bin/hookgate || exit 0; sleep 0.1; done
        cat ../left >&2; exit 1"#;
    let session = lab.session(DENIES, vec![Turn::runs("touch denied")])?;
    let outcome = session.installed_with(USER).afterwards(script).bash_is_allowed().run()?;
    holds(outcome.made("denied"), "the call to run", &outcome)
}

fn commented(lab: &Lab) -> Result<(), String> {
    let script = "mkdir -p \"$HOME/.claude\"; printf '{ // mine\\n \"model\": \"opus\" }' > \"$HOME/.claude/settings.json\"";
    let session = lab.session(DENIES, vec![Turn::runs("touch denied")])?.prepared(script)?;
    match session.installed_with(USER).bash_is_allowed().run() {
        Err(why) if why.contains("not valid JSON") => Ok(()),
        Err(why) => Err(why),
        Ok(outcome) => holds(false, "init to refuse the settings", &outcome),
    }
}

fn unregistered(lab: &Lab) -> Result<(), String> {
    let script = r#"printf '[[rule]]\ncode = "LAB003"\non = "PreCompact"\nthen = "deny"\nreason = "x"\n' >> "$HOME/.config/hookgate/hookgate.toml"; sleep 2"#;
    let session = lab.session(DENIES, vec![Turn::runs("touch denied")])?;
    let outcome = session.installed_with(USER).afterwards(script).bash_is_allowed().run()?;
    let told = outcome
        .events
        .iter()
        .any(|event| event.to_string().contains("not in force: what the policy says about PreCompact"));
    holds(told, "the session's start to say it", &outcome)?;
    holds(outcome.requests > 0 && !outcome.made("denied"), "the rest of the policy to hold", &outcome)
}

fn once(lab: &Lab) -> Result<(), String> {
    let script = "\"$GATE\" init --yes --scope project --client-version 2.1.330";
    let session = lab.session(DENIES, vec![Turn::runs("touch denied")])?.client_is_on_path()?;
    let outcome = session.installed_with(USER).afterwards(script).bash_is_allowed().run()?;
    holds(!outcome.made("denied"), "the denial to hold", &outcome)?;
    let log = outcome.text("../home/.local/state/hookgate/audit.jsonl");
    let records = log.lines().filter(|line| line.contains("LAB001")).count();
    holds(records == 1, &format!("one record, not {records}"), &outcome)
}

fn never_readable(lab: &Lab) -> Result<(), String> {
    let script = r#"
        rm -rf "$HOME/.local/state/hookgate/good"
        printf '[[rule]]\ncode = "LAB001"\nwhen = { run = "touch denied" }\nthen = "dney"\nreason = "x"\n' > "$HOME/.config/hookgate/hookgate.toml"
        sleep 2"#;
    let session = lab.session(DENIES, vec![Turn::runs("touch denied")])?;
    let outcome = session.installed_with(USER).afterwards(script).bash_is_allowed().run()?;
    holds(!outcome.made("denied"), "the call not to run", &outcome)
}
