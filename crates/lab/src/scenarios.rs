//! What must hold with the real client.

use std::time::Duration;

use serde_json::json;

use crate::{Lab, Outcome, Turn};

/// One thing that must hold.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// What holds, in words.
    pub name: &'static str,
    /// Runs the client; the error says what did not hold.
    pub run: fn(&Lab) -> Result<(), String>,
}

/// All of them.
pub fn scenarios() -> impl Iterator<Item = &'static Scenario> {
    let more = crate::files::SCENARIOS
        .iter()
        .chain(crate::endings::SCENARIOS)
        .chain(crate::installing::SCENARIOS)
        .chain(crate::taken_away::SCENARIOS);
    let more = more.chain(crate::models::SCENARIOS).chain(crate::worktrees::SCENARIOS);
    let more = more.chain(crate::carried::SCENARIOS);
    SCENARIOS.iter().chain(crate::beside::SCENARIOS).chain(more)
}

const SCENARIOS: &[Scenario] = &[
    Scenario { name: "a denial reaches the model word for word, and the tool does not run", run: denial },
    Scenario { name: "a denial holds in bypass mode", run: denial_in_bypass_mode },
    Scenario { name: "a halt ends the turn, and the tool does not run", run: halt },
    Scenario {
        name: "a halt set by a prompt's hook refuses that prompt, and the tool does not run",
        run: halt_set,
    },
    Scenario { name: "a halt set before a session lets no prompt through", run: halt_standing },
    Scenario { name: "a pause lets a denied command run, and says so", run: paused },
    Scenario { name: "after a resume the gate decides as before", run: resumed },
    Scenario { name: "a pass leaves the decision to the client: allowed runs", run: pass_allowed },
    Scenario { name: "a pass leaves the decision to the client: not allowed is refused", run: pass_refused },
    Scenario { name: "an allow runs what the client would have refused", run: allow },
    Scenario { name: "an allow covers no more than its own rule", run: allow_covers_one },
    Scenario { name: "a rewritten input is what runs", run: rewrite },
    Scenario { name: "a rewrite grants nothing", run: rewrite_grants_nothing },
    Scenario {
        name: "an allow with a rewrite runs what the client would have refused",
        run: rewrite_and_allow,
    },
    Scenario { name: "a pass with a rewrite leaves the new command to the client", run: rewrite_and_pass },
    Scenario { name: "a command that the client denies is handed off as it is", run: rewrite_handed_off },
    Scenario {
        name: "a rewrite into a command that the client denies does not run",
        run: rewrite_into_denied,
    },
    Scenario { name: "a rewrite and an ask without a person run neither command", run: rewrite_and_ask },
    Scenario { name: "an ask without a person does not run", run: ask },
    Scenario { name: "a warning is told to the model and stops nothing", run: warning },
    Scenario { name: "a warning grants nothing", run: warning_grants_nothing },
    Scenario { name: "a blocked prompt never reaches the model", run: prompt },
    Scenario { name: "context of a session's start reaches the model", run: session_start },
    Scenario { name: "a stop is held back once and then released", run: stop },
    Scenario { name: "context at a stop holds it back only once", run: stop_context },
    Scenario { name: "a task is refused, and the model reads why", run: task },
    Scenario { name: "a policy of the repository denies without being trusted", run: untrusted_policy },
    Scenario {
        name: "a policy of the repository grants nothing without being trusted",
        run: untrusted_grant,
    },
    Scenario { name: "a policy that can't be read opens nothing, and is told", run: broken_policy },
    Scenario { name: "a hook that fails open in the client alone is refused as it says", run: failing_hook },
    Scenario { name: "what once ended the gate leaves a denied command not run", run: ended_once },
    Scenario {
        name: "what once ended the gate leaves a denied command not run in a client without `onFailure`",
        run: ended_once_before_on_failure,
    },
    Scenario { name: "a replaced output is all that the model reads of it", run: replaced_output },
    Scenario { name: "a killed gate leaves the tool not run", run: killed },
    Scenario { name: "a hanging gate leaves the tool not run", run: hanging },
    Scenario { name: "a missing gate leaves the tool not run", run: missing },
    Scenario {
        name: "an allow does not run what the client denies or asks about",
        run: allow_against_native,
    },
    Scenario { name: "a rewrite into what the client denies does not run", run: rewrite_against_native },
    Scenario { name: "what the client's deny rule misses does not run", run: missed_by_native },
    Scenario { name: "a subagent's call is judged", run: subagent },
    Scenario { name: "two parallel calls are each judged", run: parallel },
];

/// The policy of all scenarios, so that none of its rules may get in another's way.
const POLICY: &str = r#"
presets = ["recommended"]
on-error = "deny"

[[rule]]
code = "LAB001"
when = { run = "touch denied**" }
then = "deny"
reason = "denied by the lab: \"quoted\", two\nlines and \u00fcnicode"
fix = "touch something else"

[[rule]]
code = "LAB002"
when = { run = "touch halted" }
then = "halt"
reason = "halted by the lab"

[[rule]]
code = "LAB003"
when = { run = "touch allowed" }
then = "allow"
reason = "allowed by the lab"

[[rule]]
code = "LAB004"
when = { run = "touch asked" }
then = "ask"
reason = "asked by the lab"

[[rule]]
code = "LAB005"
when = { run = "touch warned" }
then = "warn"
reason = "warned by the lab"

[[rule]]
code = "LAB006"
on = "UserPromptSubmit"
when = { prompt = "the secret word" }
then = "deny"
reason = "the prompt was blocked by the lab"

[[rule]]
code = "LAB007"
on = "SessionStart"
context = "the lab's context"

[[rule]]
code = "LAB008"
on = "Stop"
when = { last-message = "premature" }
then = "deny"
reason = "held back by the lab"

[[rule]]
code = "LAB009"
on = "Stop"
when = { last-message = "nothing said" }
context = "say what was done"

[[rule]]
code = "LAB010"
on = "TaskCreated"
when = { field = { task_subject = "forbidden*" } }
then = "deny"
reason = "no such tasks in the lab"

[[rule]]
code = "LAB011"
when = { run = "touch original" }
updated-input = { command = "touch rewritten", description = "rewritten" }
"#;

/// The reason of LAB001, as the model must read it: on one line, as all that hookgate says.
const DENIAL: &str = "denied by the lab: \"quoted\", two | lines and \u{fc}nicode";

pub(crate) fn holds(condition: bool, expectation: &str, outcome: &Outcome) -> Result<(), String> {
    if condition { Ok(()) } else { Err(format!("expected {expectation}\n{}", outcome.describe())) }
}

fn denial(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch denied")])?.bash_is_allowed().run()?;
    holds(!outcome.made("denied"), "the tool not to run", &outcome)?;
    let answer = outcome.answers("PreToolUse").next().unwrap_or_default();
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    let reason =
        answer.pointer("/hookSpecificOutput/permissionDecisionReason").and_then(|reason| reason.as_str());
    holds(reason.is_some_and(|reason| reason.contains(DENIAL)), "the reason in the answer", &outcome)?;
    holds(
        outcome
            .results()
            .any(|result| result.is_error && reason.is_some_and(|reason| result.text.contains(reason))),
        "the whole reason in the tool's result",
        &outcome,
    )
}

fn denial_in_bypass_mode(lab: &Lab) -> Result<(), String> {
    let outcome = lab
        .session(POLICY, vec![Turn::runs("touch denied")])?
        .arguments(&["--permission-mode", "bypassPermissions"])
        .run()?;
    holds(!outcome.made("denied"), "the tool not to run", &outcome)?;
    holds(outcome.told(DENIAL) > 0, "the reason to reach the model", &outcome)
}

fn halt(lab: &Lab) -> Result<(), String> {
    let turns = vec![Turn::runs("touch halted"), Turn::runs("touch afterwards")];
    let outcome = lab.session(POLICY, turns)?.bash_is_allowed().run()?;
    holds(!outcome.made("halted"), "the tool not to run", &outcome)?;
    holds(!outcome.made("afterwards") && outcome.requests == 1, "the turn to end", &outcome)
}

/// The gate itself is the hook that sets the halt, which holds from that very event on: the prompt is refused.
fn halt_set(lab: &Lab) -> Result<(), String> {
    let policy = "presets = [\"recommended\"]\n\n[[hook]]\non = \"UserPromptSubmit\"\n\
                  run = \"../bin/hookgate halt the lab is on fire >/dev/null\"\non-error = \"deny\"\n";
    let turns = vec![Turn::runs("touch passed"), Turn::runs("touch afterwards")];
    let outcome = lab.session(policy, turns)?.bash_is_allowed().run()?;
    holds(!outcome.made("passed"), "the tool not to run", &outcome)?;
    holds(!outcome.made("afterwards") && outcome.requests == 0, "no request", &outcome)?;
    let told = outcome.answers("UserPromptSubmit").any(|answer| answer.contains("the lab is on fire"));
    holds(told, "the reason in the answer", &outcome)
}

fn halt_standing(lab: &Lab) -> Result<(), String> {
    let session = lab.session(POLICY, vec![Turn::runs("touch passed")])?;
    let outcome = session.halted("the lab is closed")?.bash_is_allowed().run()?;
    let told = outcome.answers("UserPromptSubmit").any(|answer| answer.contains("the lab is closed"));
    holds(told, "the reason in the answer", &outcome)?;
    holds(outcome.requests == 0, "no request", &outcome)?;
    holds(!outcome.made("passed"), "nothing to run", &outcome)
}

fn paused(lab: &Lab) -> Result<(), String> {
    let session = lab.session(POLICY, vec![Turn::runs("touch denied")])?.paused()?;
    let outcome = session.bash_is_allowed().run()?;
    holds(outcome.made("denied"), "the tool to run", &outcome)?;
    let told = outcome.answers("PreToolUse").all(|answer| answer.contains("hookgate is paused for"));
    holds(told, "every answer to say that the gate is paused", &outcome)
}

fn resumed(lab: &Lab) -> Result<(), String> {
    let turns = vec![Turn::runs("touch passed"), Turn::runs("touch denied")];
    let session = lab.session(POLICY, turns)?.halted("the lab is closed")?.paused()?.resumed();
    let outcome = session.bash_is_allowed().run()?;
    holds(outcome.made("passed"), "the halt to be over", &outcome)?;
    holds(!outcome.made("denied"), "the pause to be over", &outcome)?;
    holds(outcome.told(DENIAL) > 0, "the reason to reach the model", &outcome)
}

fn pass_allowed(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch passed")])?.bash_is_allowed().run()?;
    holds(outcome.made("passed"), "the tool to run", &outcome)?;
    holds(outcome.answers("PreToolUse").all(str::is_empty), "no output at all", &outcome)
}

fn pass_refused(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch passed")])?.run()?;
    holds(!outcome.made("passed"), "the client's own refusal", &outcome)
}

fn allow(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch allowed")])?.run()?;
    holds(outcome.made("allowed"), "the tool to run", &outcome)
}

fn allow_covers_one(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch allowed && touch beside")])?.run()?;
    holds(!outcome.made("allowed") && !outcome.made("beside"), "the client's own refusal", &outcome)
}

fn allow_against_native(lab: &Lab) -> Result<(), String> {
    for list in ["deny", "ask"] {
        let settings = json!({"permissions": {list: ["Bash(touch allowed:*)"]}});
        let outcome =
            lab.session(POLICY, vec![Turn::runs("touch allowed")])?.project_settings(&settings)?.run()?;
        holds(!outcome.made("allowed"), "the client's own rule to hold", &outcome)?;
        holds(outcome.answers("PreToolUse").all(|answer| !answer.contains("allow")), "no allow", &outcome)?;
    }
    Ok(())
}

fn rewrite_against_native(lab: &Lab) -> Result<(), String> {
    let settings = json!({"permissions": {"deny": ["Bash(touch rewritten)"]}});
    let outcome = lab
        .session(POLICY, vec![Turn::runs("touch original")])?
        .project_settings(&settings)?
        .bash_is_allowed()
        .run()?;
    holds(!outcome.made("rewritten") && !outcome.made("original"), "neither command to run", &outcome)
}

fn missed_by_native(lab: &Lab) -> Result<(), String> {
    let settings = json!({"permissions": {"deny": ["Bash(touch:*)"]}});
    let outcome = lab
        .session(POLICY, vec![Turn::runs("bash -c 'touch missed'")])?
        .project_settings(&settings)?
        .bash_is_allowed()
        .run()?;
    holds(!outcome.made("missed"), "the tool not to run", &outcome)
}

fn rewrite(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch original")])?.bash_is_allowed().run()?;
    holds(outcome.made("rewritten") && !outcome.made("original"), "the new command to run", &outcome)
}

fn rewrite_grants_nothing(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch original")])?.run()?;
    holds(!outcome.made("rewritten") && !outcome.made("original"), "the client's own refusal", &outcome)
}

/// Rewrites of plain commands, one for each state.
const REWRITES: &str = r#"
presets = ["recommended"]

[[rewrite]]
run = "touch first **"
to = "touch granted {args}"
then = "allow"
reason = "granted by the lab"

[[rewrite]]
run = "touch second **"
to = "touch passed {args}"

[[rewrite]]
run = "touch third **"
to = "touch asked {args}"
then = "ask"
"#;

fn rewrite_and_allow(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(REWRITES, vec![Turn::runs("touch first 'a b'")])?.run()?;
    holds(outcome.made("granted") && outcome.made("a b"), "the new command to run", &outcome)?;
    holds(!outcome.made("first"), "the old one not to run", &outcome)
}

fn rewrite_and_pass(lab: &Lab) -> Result<(), String> {
    let refused = lab.session(REWRITES, vec![Turn::runs("touch second")])?.run()?;
    holds(!refused.made("passed") && !refused.made("second"), "the client's own refusal", &refused)?;
    let outcome = lab.session(REWRITES, vec![Turn::runs("touch second")])?.bash_is_allowed().run()?;
    holds(outcome.made("passed") && !outcome.made("second"), "the new command to run", &outcome)
}

fn rewrite_handed_off(lab: &Lab) -> Result<(), String> {
    let denied = json!({"permissions": {"deny": ["Bash(touch first:*)"]}});
    let session = lab.session(REWRITES, vec![Turn::runs("touch first")])?.project_settings(&denied)?;
    let outcome = session.bash_is_allowed().run()?;
    holds(!outcome.made("first") && !outcome.made("granted"), "the client's own denial", &outcome)?;
    let answers = outcome.answers("PreToolUse").all(|answer| !answer.contains("updatedInput"));
    holds(answers, "no rewrite in the answer", &outcome)
}

fn rewrite_into_denied(lab: &Lab) -> Result<(), String> {
    let denied = json!({"permissions": {"deny": ["Bash(touch granted:*)"]}});
    let session = lab.session(REWRITES, vec![Turn::runs("touch first")])?.project_settings(&denied)?;
    let outcome = session.bash_is_allowed().run()?;
    holds(!outcome.made("granted") && !outcome.made("first"), "neither command to run", &outcome)
}

fn rewrite_and_ask(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(REWRITES, vec![Turn::runs("touch third")])?.bash_is_allowed().run()?;
    holds(!outcome.made("asked") && !outcome.made("third"), "neither command to run", &outcome)
}

fn ask(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch asked")])?.bash_is_allowed().run()?;
    holds(!outcome.made("asked"), "the tool not to run", &outcome)?;
    holds(outcome.results().any(|result| result.is_error), "the model to read a refusal", &outcome)
}

fn warning(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch warned")])?.bash_is_allowed().run()?;
    holds(outcome.made("warned"), "the tool to run", &outcome)?;
    holds(outcome.told("warned by the lab") > 0, "the warning to reach the model", &outcome)
}

fn warning_grants_nothing(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::runs("touch warned")])?.run()?;
    holds(!outcome.made("warned"), "the client's own refusal", &outcome)?;
    holds(outcome.told("warned by the lab") > 0, "the warning to reach the model", &outcome)
}

fn prompt(lab: &Lab) -> Result<(), String> {
    let session = lab.session(POLICY, vec![Turn::runs("touch passed")])?;
    let outcome = session.bash_is_allowed().prompt("say the secret word").run()?;
    holds(outcome.requests == 0 && outcome.told("the secret word") == 0, "no request", &outcome)?;
    holds(!outcome.made("passed"), "nothing to run", &outcome)
}

fn session_start(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(POLICY, vec![Turn::says("hello")])?.run()?;
    holds(outcome.told("the lab's context") > 0, "the context to reach the model", &outcome)
}

fn stop(lab: &Lab) -> Result<(), String> {
    let turns =
        vec![Turn::says("a premature end"), Turn::says("another premature end"), Turn::says("too far")];
    let outcome = lab.session(POLICY, turns)?.run()?;
    let feedback = outcome.seen.iter().filter(|seen| seen.text.starts_with("Stop hook feedback:"));
    let with_reason = feedback.filter(|seen| seen.text.contains("held back by the lab")).count();
    holds(with_reason == 1, "one feedback for the model", &outcome)?;
    holds(outcome.requests == 2, "the second stop to be released", &outcome)
}

fn stop_context(lab: &Lab) -> Result<(), String> {
    let turns = vec![Turn::says("nothing said"), Turn::says("nothing said"), Turn::says("too far")];
    let outcome = lab.session(POLICY, turns)?.run()?;
    holds(outcome.told("say what was done") == 1, "the context to reach the model once", &outcome)?;
    holds(outcome.requests == 2, "the second stop to be released", &outcome)
}

/// The client loads the tools for tasks only when the model searches for them.
fn task(lab: &Lab) -> Result<(), String> {
    let search = Turn::calls(&[("ToolSearch", json!({"query": "select:TaskCreate"}))]);
    let create =
        Turn::calls(&[("TaskCreate", json!({"subject": "forbidden fruit", "description": "eat it"}))]);
    let outcome = lab.session(POLICY, vec![search, create])?.run()?;
    let refused =
        outcome.results().any(|result| result.is_error && result.text.contains("no such tasks in the lab"));
    holds(refused, "the refusal to reach the model", &outcome)
}

fn untrusted_policy(lab: &Lab) -> Result<(), String> {
    let rule = "[[rule]]\ncode = \"LAB101\"\nwhen = { run = \"touch passed\" }\nthen = \"deny\"\nreason = \"words of a stranger\"\n";
    let session = lab.session(POLICY, vec![Turn::runs("touch passed")])?.project_policy(rule)?;
    let outcome = session.bash_is_allowed().run()?;
    not_run(&outcome)?;
    holds(outcome.told("LAB101") > 0, "the rule's code to reach the model", &outcome)?;
    holds(outcome.told("words of a stranger") == 0, "its text not to reach the model", &outcome)
}

fn untrusted_grant(lab: &Lab) -> Result<(), String> {
    let rule = "[[rule]]\ncode = \"LAB102\"\nwhen = { run = \"touch passed\" }\nthen = \"allow\"\nreason = \"a gift\"\ncontext = \"words of a stranger\"\n";
    let outcome = lab.session(POLICY, vec![Turn::runs("touch passed")])?.project_policy(rule)?.run()?;
    holds(!outcome.made("passed"), "the client's own refusal", &outcome)?;
    holds(outcome.told("words of a stranger") == 0, "its text not to reach the model", &outcome)
}

/// There is no valid version of it to fall back to: what `readonly` would not grant is a question, which nobody answers here.
fn broken_policy(lab: &Lab) -> Result<(), String> {
    let turns = vec![Turn::runs("touch denied"), Turn::runs("touch passed")];
    let outcome = lab.session(POLICY, turns)?.later_project_policy("[[rule]\n").bash_is_allowed().run()?;
    holds(!outcome.made("denied"), "the person's own rules to hold", &outcome)?;
    holds(!outcome.made("passed"), "what readonly would not grant not to run", &outcome)?;
    holds(outcome.told("POLICY001") > 0, "the broken policy to be told", &outcome)
}

/// Hooks that mean to refuse and get it wrong.
const FAILING_HOOKS: [&str; 3] =
    ["echo '{permissionDecision: deny}'", "echo refused >&2; exit 1", "./no-such-check.sh"];

fn failing_hook(lab: &Lab) -> Result<(), String> {
    for run in FAILING_HOOKS {
        let entry = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": run}]});
        let alone = lab
            .session(POLICY, vec![Turn::runs("touch passed")])?
            .project_settings(&json!({"hooks": {"PreToolUse": [entry]}}))?
            .bash_is_allowed()
            .without_gate(Duration::from_secs(30))
            .run()?;
        holds(alone.made("passed"), "the client alone to run the tool", &alone)?;
        let policy = format!(
            "presets = [\"recommended\"]\n\n[[hook]]\ncode = \"LAB201\"\non = \"PreToolUse\"\n\
             run = \"\"\"{run}\"\"\"\non-error = \"deny\"\n"
        );
        let outcome = lab.session(&policy, vec![Turn::runs("touch passed")])?.bash_is_allowed().run()?;
        not_run(&outcome)?;
        holds(outcome.told("LAB201") > 0, "the hook's code to reach the model", &outcome)?;
    }
    Ok(())
}

fn not_run(outcome: &Outcome) -> Result<(), String> {
    holds(!outcome.made("passed"), "the tool not to run", outcome)?;
    holds(outcome.results().any(|result| result.is_error), "the model to read why", outcome)
}

/// Commands that ended an earlier gate, or took all memory or time, each with a denied one in or behind it.
fn enders() -> Vec<String> {
    let denied = "touch denied";
    let mut all = vec![
        format!("{}{denied}", "command ".repeat(3_000)),
        format!("{}{denied}", "exec ".repeat(2_500)),
        format!("{}eval '{denied}'", "builtin ".repeat(3_000)),
        format!("{}{denied}", "env ".repeat(3_000)),
        format!("{}{denied}{}", "( ".repeat(2_000), " )".repeat(2_000)),
        format!("a=xxxxxxxxxx\n{}{denied}", "a=$a$a\n".repeat(28)),
        "npm test".to_owned(),
    ];
    for (program, nesting) in [
        ("node -e", "a=>".repeat(9_200)),
        ("node -e", "async()=>".repeat(9_200)),
        ("ruby -e", "eval ".repeat(6_000)),
        ("python3 -c", "lambda:".repeat(12_000)),
        ("python3 -c", "def f():\n".repeat(1_200)),
        ("perl -e", "$a=".repeat(20_000)),
    ] {
        all.push(format!("{program} '{nesting}1'; {denied}"));
    }
    all
}

fn ended_once(lab: &Lab) -> Result<(), String> {
    runs_none_of_the_enders(lab, &["--scope", "local"])
}

fn ended_once_before_on_failure(lab: &Lab) -> Result<(), String> {
    runs_none_of_the_enders(lab, &["--scope", "local", "--client-version", "2.1.200"])
}

fn runs_none_of_the_enders(lab: &Lab, installation: &[&str]) -> Result<(), String> {
    let enders = enders();
    let package = json!({"scripts": {"test": format!("{}touch denied", "command ".repeat(3_000))}});
    let turns = enders.iter().map(|command| Turn::runs(command)).collect();
    let session = lab.session(POLICY, turns)?.file("package.json", &package.to_string())?;
    let outcome = session.installed_with(installation).bash_is_allowed().run()?;
    let refused = outcome.results().filter(|result| result.is_error).count();
    if outcome.made("denied") || refused != enders.len() {
        let results: Vec<String> =
            outcome.results().map(|result| result.text.chars().take(200).collect()).collect();
        return Err(format!("{refused} of {} were refused: {results:#?}", enders.len()));
    }
    Ok(())
}

fn replaced_output(lab: &Lab) -> Result<(), String> {
    let policy = "presets = []\n[[rule]]\ncode = \"LAB301\"\non = \"PostToolUse\"\n\
                  set = { tool-output = { stdout = \"withheld by the lab\" } }\n";
    let turns = vec![Turn::runs("printf '%s-%s\\n' the original"), Turn::says("done")];
    let outcome = lab.session(policy, turns)?.bash_is_allowed().run()?;
    holds(outcome.told("withheld by the lab") > 0, "the new output to reach the model", &outcome)?;
    holds(outcome.told("the-original") == 0, "the original not to reach it", &outcome)
}

fn killed(lab: &Lab) -> Result<(), String> {
    let session = lab.session(POLICY, vec![Turn::runs("touch passed")])?;
    not_run(&session.bash_is_allowed().gate_becomes("case $* in *PreToolUse*) kill -9 $$ ;; esac").run()?)
}

fn hanging(lab: &Lab) -> Result<(), String> {
    let session = lab.session(POLICY, vec![Turn::runs("touch passed")])?;
    let session = session.gate_becomes("case $* in *PreToolUse*) exec sleep 60 ;; esac");
    not_run(&session.bash_is_allowed().run()?)
}

fn missing(lab: &Lab) -> Result<(), String> {
    let session = lab.session(POLICY, vec![Turn::runs("touch passed")])?;
    not_run(&session.bash_is_allowed().gate_is_missing().run()?)
}

fn subagent(lab: &Lab) -> Result<(), String> {
    let task = "count the lab's marbles";
    let call = json!({"description": "count", "prompt": task, "subagent_type": "general-purpose"});
    let session = lab.session(POLICY, vec![Turn::calls(&[("Agent", call)])])?;
    let outcome =
        session.conversation(task, vec![Turn::runs("touch denied-below")]).bash_is_allowed().run()?;
    holds(!outcome.made("denied-below"), "the subagent's tool not to run", &outcome)?;
    holds(outcome.told(DENIAL) > 0, "the reason to reach the subagent", &outcome)
}

fn parallel(lab: &Lab) -> Result<(), String> {
    let bash = |command: &str| ("Bash", json!({"command": command, "description": "scripted"}));
    let turn = Turn::calls(&[bash("touch denied"), bash("touch passed")]);
    let outcome = lab.session(POLICY, vec![turn])?.bash_is_allowed().run()?;
    holds(!outcome.made("denied"), "the denied one not to run", &outcome)?;
    holds(outcome.made("passed"), "the other one to run", &outcome)?;
    holds(outcome.told(DENIAL) == 1, "one denial to reach the model", &outcome)
}
