//! What goes on beside the answers: a person's yes, notifications, and hooks that were moved.

use serde_json::json;

use crate::scenarios::{Scenario, holds};
use crate::{Lab, Turn};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "a question is put until a person says yes, and then no more", run: asked_once },
    Scenario { name: "a question that a person refused is put again", run: refused_twice },
    Scenario { name: "notifications go out beside a refusal and a stop, which stand", run: notified },
    Scenario { name: "a hook that was moved under supervision still refuses", run: moved },
    Scenario { name: "the plugin refuses as the installed gate does", run: plugin },
    Scenario { name: "the plugin without a binary says so, and the tool does not run", run: plugin_alone },
];

const ONCE: &str = r#"
presets = []
[ask]
once = ["LAB301"]
[[rule]]
code = "LAB301"
when = { run = "touch {one,two}" }
then = "ask"
reason = "asked by the lab"
"#;

fn asked_once(lab: &Lab) -> Result<(), String> {
    let turns = vec![
        Turn::runs("touch one"),
        Turn::runs("touch one"),
        Turn::runs("touch two"),
        Turn::runs("touch one"),
        Turn::says("done"),
    ];
    let outcome = lab.session(ONCE, turns)?.answered(&["yes", "yes"]).bash_is_allowed().run()?;
    holds(outcome.made("one") && outcome.made("two"), "both commands to run", &outcome)?;
    holds(outcome.questions == ["touch one", "touch two"], "one question for each", &outcome)
}

fn refused_twice(lab: &Lab) -> Result<(), String> {
    let turns = vec![Turn::runs("touch one"), Turn::runs("touch one"), Turn::says("done")];
    let outcome = lab.session(ONCE, turns)?.answered(&["no", "yes"]).bash_is_allowed().run()?;
    holds(outcome.questions == ["touch one", "touch one"], "two questions", &outcome)?;
    holds(outcome.made("one"), "the second answer to count", &outcome)
}

fn notified(lab: &Lab) -> Result<(), String> {
    let policy = r#"
presets = []
[[rule]]
code = "LAB302"
when = { run = "touch denied" }
then = "deny"
reason = "denied by the lab"
[[notify]]
on = ["deny", "Stop"]
by = "terminal"
[[notify]]
on = "deny"
run = "cat > told-of-a-denial; sleep 5"
[[notify]]
on = "Stop"
run = ["sh", "-c", "cat > told-of-a-stop"]
"#;
    let turns = vec![Turn::runs("touch denied"), Turn::runs("touch passed"), Turn::says("done")];
    let outcome = lab.session(policy, turns)?.bash_is_allowed().run()?;
    holds(!outcome.made("denied"), "the denied one not to run", &outcome)?;
    holds(outcome.made("passed"), "the other one to run", &outcome)?;
    holds(outcome.told("denied by the lab") > 0, "the reason to reach the model", &outcome)?;
    for file in ["told-of-a-denial", "told-of-a-stop"] {
        holds(outcome.made(file), "the program to be told", &outcome)?;
    }
    for event in ["PreToolUse", "Stop"] {
        let rings = outcome.answers(event).any(|answer| answer.contains("terminalSequence"));
        holds(rings, "the sequence to stand in the answer", &outcome)?;
    }
    Ok(())
}

fn moved(lab: &Lab) -> Result<(), String> {
    let refuses = "echo starting; echo '{\"decision\":\"block\",\"reason\":\"the old hook says no\"}'";
    let entry = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": refuses, "timeout": 3}]});
    let settings = json!({"hooks": {"PreToolUse": [entry]}});
    let alone =
        lab.session("presets = []", vec![Turn::runs("touch passed")])?.personal_settings(&settings)?;
    let alone = alone.bash_is_allowed().without_gate(std::time::Duration::from_secs(30)).run()?;
    holds(alone.made("passed"), "the client alone to run the tool, because of the banner", &alone)?;
    let session = lab.session("presets = []", vec![Turn::runs("touch passed")])?;
    let session = session.personal_settings(&settings)?.installed_with(&["--import", "--scope", "user"]);
    let outcome = session.bash_is_allowed().run()?;
    holds(!outcome.made("passed"), "the tool not to run", &outcome)?;
    holds(outcome.told("the old hook says no") > 0, "the hook's words to reach the model", &outcome)
}

const PLUGIN: &str = r#"
presets = []
[[rule]]
code = "LAB303"
when = { run = "touch denied" }
then = "deny"
reason = "denied by the lab"
"#;

fn plugin(lab: &Lab) -> Result<(), String> {
    let turns = vec![Turn::runs("touch denied"), Turn::runs("touch passed"), Turn::says("done")];
    let outcome = lab.session(PLUGIN, turns)?.as_plugin().bash_is_allowed().run()?;
    holds(!outcome.made("denied"), "the denied one not to run", &outcome)?;
    holds(outcome.told("denied by the lab") > 0, "the reason to reach the model", &outcome)?;
    holds(outcome.made("passed"), "the other one to run", &outcome)
}

fn plugin_alone(lab: &Lab) -> Result<(), String> {
    let session = lab.session(PLUGIN, vec![Turn::runs("touch passed")])?.as_plugin();
    let outcome = session.bash_is_allowed().gate_is_missing().run()?;
    holds(!outcome.made("passed"), "the tool not to run", &outcome)?;
    holds(outcome.answers("SessionStart").any(|answer| answer.contains("not on PATH")), "a notice", &outcome)
}
