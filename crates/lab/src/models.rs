//! Models that hookgate asks itself: by an agent without tools, as a judge, and by an agent with few, as a linter's delegate.

use serde_json::json;

use crate::scenarios::{Scenario, holds};
use crate::{Lab, Turn};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "a judge's agent holds an end back with a quote, then lets it go", run: judged },
    Scenario { name: "a judge's agent that talks holds nothing back, and the user reads so", run: talked },
    Scenario { name: "a delegate corrects what a linter found before the agent hears of it", run: delegated },
];

const JUDGE: &str = r#"
presets = []

[[judge]]
model = "agent:claude@haiku"
unmeasured = true
deadline = "80s"
criteria = [{ id = "asked", ask = "Is everything done?" }]
"#;

/// What only a judge's prompt says.
const JUDGES_PROMPT: &str = "You check the work of a coding agent.";

fn judged(lab: &Lab) -> Result<(), String> {
    let accuses = r#"{"verdicts":[{"id":"asked","verdict":"not-met","quote":"the rest follows tomorrow","reason":"r"}]}"#;
    let content = r#"{"verdicts":[{"id":"asked","verdict":"met","quote":"","reason":"r"}]}"#;
    let answers =
        vec![Turn::says(&format!("```json\n{accuses}\n```")), Turn::says(accuses), Turn::says(content)];
    let turns = vec![
        Turn::says("Half of it is done, the rest follows tomorrow."),
        Turn::runs("touch passed"),
        Turn::says("Everything is done."),
    ];
    let session = lab.session(JUDGE, turns)?.client_is_on_path()?.asked(JUDGES_PROMPT, answers);
    let outcome = session.bash_is_allowed().run()?;
    let reason =
        "[JUDGE001] doesn't meet the criterion `asked` (`Is everything done?`): `the rest follows tomorrow`";
    let feedback = outcome.seen.iter().filter(|seen| seen.text.starts_with("Stop hook feedback:"));
    let held = feedback.filter(|seen| seen.text.contains(reason)).count();
    holds(held == 1, "the end to be held back once, with the quote", &outcome)?;
    holds(outcome.made("passed"), "the agent to go on", &outcome)?;
    // Two samples for the first end, one for the second, and no judge about a judge.
    holds(outcome.asked == [3], "three questions to the judge's model", &outcome)?;
    holds(outcome.requests == 3, "the judge's agent to have no tools", &outcome)
}

fn talked(lab: &Lab) -> Result<(), String> {
    let answers = vec![Turn::says("I would rather not judge anybody.")];
    let session = lab.session(JUDGE, vec![Turn::says("Done.")])?.client_is_on_path()?;
    let outcome = session.asked(JUDGES_PROMPT, answers).run()?;
    holds(outcome.requests == 1, "the end to be let go", &outcome)?;
    let told = outcome.answers("Stop").any(|answer| answer.contains("criterion `asked` couldn't be judged"));
    holds(told, "the user to read that it isn't verified", &outcome)
}

const DELEGATE: &str = r#"
presets = ["recommended"]

[[lint]]
files = "*.txt"
run = ["sh", "-c", "grep -n wrong \"$@\" /dev/null | sed 's/\\(.*\\):\\([0-9]*\\):.*/\\1:\\2:1: L1 the lab finds this wrong/'", "sh", "{files}"]
output = { shape = "pattern", pattern = '(?m)^(?<file>[^:]+):(?<line>\d+):(?<column>\d+): (?<code>\w+) (?<message>.+)$' }
deadline = "80s"
delegate = [{ agent = "claude-code", model = "haiku", turns = 5, deadline = "60s" }]
"#;

fn delegated(lab: &Lab) -> Result<(), String> {
    let write = json!({ "file_path": "a.txt", "content": "right\nwrong\n" });
    let edit = json!({ "file_path": "a.txt", "old_string": "wrong", "new_string": "right indeed" });
    let work = vec![
        Turn::calls(&[("Read", json!({ "file_path": "a.txt" }))]),
        Turn::calls(&[("Edit", edit)]),
        Turn::says("corrected"),
    ];
    let turns = vec![Turn::calls(&[("Write", write)]), Turn::says("done")];
    let session = lab.session(DELEGATE, turns)?.client_is_on_path()?;
    let session = session.conversation("Linters found problems in files that were just edited.", work);
    let outcome = session.arguments(&["--allowedTools", "Write,Edit"]).run()?;
    holds(outcome.text("a.txt") == "right\nright indeed\n", "the delegate to correct the file", &outcome)?;
    holds(outcome.told("[LINT]") == 0, "the agent not to hear of what is corrected", &outcome)?;
    holds(outcome.answers("PostToolUse").count() == 1, "the delegate's edit to have no hook", &outcome)
}
