//! Secrets, many findings at once, and what excuses a denial.

use serde_json::json;

use crate::scenarios::{Scenario, holds};
use crate::{Lab, Turn};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "seven findings of one call reach the model with line and column", run: seven_findings },
    Scenario { name: "an exception in the command lets that call through, and no other", run: exception },
    Scenario { name: "an exception never skips the person's own prompt", run: exception_grants_nothing },
    Scenario { name: "a person's grant lets that call through once, and no other", run: grant },
    Scenario { name: "a person's grant never skips the person's own prompt", run: grant_grants_nothing },
    Scenario {
        name: "a result of an MCP tool reaches the model without the secret in it, in the tool's own form",
        run: redacted,
    },
    Scenario { name: "a secret in the prompt never reaches the model", run: held_back_prompt },
    Scenario { name: "a secret that the shell puts together does not run", run: in_pieces },
];

/// A token that was never real: its letters are drawn by hand.
const HEAD: &str = "ghp_";
const TAIL: &str = "q7Zt0WbXk3Lr9VdYs5Ne2HgPjUcMf8RaT1oK";

fn seven_findings(lab: &Lab) -> Result<(), String> {
    let policy = "presets = [\"recommended\"]\n\n[rules]\nSRC010 = \"deny\"\n";
    let steps: String = (1..=7).map(|number| format!("      - uses: acme/action-{number}@v1\n")).collect();
    let text = format!("on: push\npermissions: {{}}\njobs:\n  a:\n    steps:\n{steps}");
    let session = lab.session(policy, Vec::new())?;
    let path = session.path(".github/workflows/a.yml");
    let write = Turn::calls(&[("Write", json!({ "file_path": path, "content": text }))]);
    let outcome = session.conversation("", vec![write]).arguments(&["--allowedTools", "Write"]).run()?;
    holds(!outcome.made(".github/workflows/a.yml"), "the file not to be written", &outcome)?;
    let result = outcome.results().find(|result| result.is_error).map(|result| result.text.as_str());
    let result = result.unwrap_or_default();
    for number in 1..=7 {
        let found = format!("line {}, column 9", number + 5);
        let named = result.contains(&format!("`acme/action-{number}@v1`")) && result.contains(&found);
        holds(named, "each finding with its place in the tool's result", &outcome)?;
    }
    holds(result.len() < 10_000, "an answer within the client's bound", &outcome)
}

const EXCUSABLE: &str = "presets = [\"recommended\"]\n\n[commit]\nstyle = \"conventional\"\n\n[rules]\n\
                         COMMIT = { agent-exceptions = true }\n";
const EXCUSED: &str = "git commit -q --allow-empty -m wip; touch excused # hookgate: allow COMMIT003 because the branch is thrown away";

fn exception(lab: &Lab) -> Result<(), String> {
    let turns = vec![
        Turn::runs("git commit -q --allow-empty -m wip; touch before"),
        Turn::runs(EXCUSED),
        Turn::runs("git commit -q --allow-empty -m wip; touch after"),
    ];
    let outcome = lab.session(EXCUSABLE, turns)?.bash_is_allowed().run()?;
    holds(outcome.made("excused"), "the excused call to run", &outcome)?;
    holds(!outcome.made("before") && !outcome.made("after"), "no other call to run", &outcome)?;
    holds(outcome.told("EXC:COMMIT003 accepted") > 0, "the model to read that it was accepted", &outcome)
}

fn exception_grants_nothing(lab: &Lab) -> Result<(), String> {
    let outcome = lab.session(EXCUSABLE, vec![Turn::runs(EXCUSED)])?.run()?;
    holds(!outcome.made("excused"), "the client's own refusal", &outcome)
}

const GRANTABLE: &str = "presets = [\"recommended\"]\n\n[[rule]]\ncode = \"LAB401\"\n\
                         when = { write = \"granted*\" }\nthen = \"deny\"\nreason = \"denied by the lab\"\n";

/// What a person's `hookgate grant ID` leaves once the code was typed at a terminal, of which the lab has none: for the first call
/// that is denied, as soon as it is.
const PERSON: &str = r#"
state="$HOME/.local/state/hookgate"
(
  umask 077
  for try in $(seq 600); do
    line=$(cat "$state"/*.jsonl "$state"/*/*.jsonl 2>/dev/null | grep '"LAB401"' | grep '"call"' | head -n 1)
    [ -z "$line" ] || break
    sleep 0.05
  done
  call=$(printf %s "$line" | sed 's/.*"call":"\([0-9a-f]*\)".*/\1/')
  id=$(printf %s "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')
  now=$(date +%s)
  mkdir -p "$state/grants"
  printf '{"from":%s000,"until":%s000,"boot":"%s","decision":"%s","codes":["LAB401"]}' \
    $((now - 5)) $((now + 600)) "$(cat /proc/sys/kernel/random/boot_id)" "$id" > "$state/grants/new"
  mv "$state/grants/new" "$state/grants/$call"
  touch is-granted
) >/dev/null 2>&1 &
"#;

/// Says how often it ran.
const GRANTED: &str = "echo ran >> granted";

/// The agent waits until the person has answered.
const WAITS: &str = "for try in $(seq 100); do test -e is-granted && break; sleep 0.1; done";

fn granted_turns() -> Vec<Turn> {
    let call = |command: &str| ("Bash", json!({ "command": command }));
    vec![
        Turn::runs(GRANTED),
        Turn::runs(WAITS),
        Turn::calls(&[call(GRANTED), call(GRANTED), call(GRANTED)]),
        Turn::runs(GRANTED),
        Turn::runs("echo other >> granted-other"),
    ]
}

fn grant(lab: &Lab) -> Result<(), String> {
    let session = lab.session(GRANTABLE, granted_turns())?.afterwards(PERSON);
    let outcome = session.bash_is_allowed().run()?;
    holds(outcome.made("granted"), "the granted call to run", &outcome)?;
    holds(!outcome.made("granted-other"), "no other call to run", &outcome)?;
    let refused = outcome.results().filter(|result| result.is_error).count();
    holds(refused == 5, "one of three calls at once to run, and none before or after", &outcome)
}

fn grant_grants_nothing(lab: &Lab) -> Result<(), String> {
    let session = lab.session(GRANTABLE, granted_turns())?.afterwards(PERSON);
    let outcome = session.arguments(&["--allowedTools", "Bash(for try:*)"]).run()?;
    let granted = outcome.answers("PreToolUse").any(|answer| answer.contains("granted once by a person"));
    holds(granted, "the grant to be there in time", &outcome)?;
    holds(!outcome.made("granted"), "the client's own refusal", &outcome)
}

/// A server of one tool, whose result holds a token.
const SERVER: &str = r#"
while IFS= read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"keeper","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"show","description":"shows","inputSchema":{"type":"object","properties":{}}}]}}\n' "$id" ;;
    *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"the key is HEADTAIL today"}]}}\n' "$id" ;;
    *) [ -z "$id" ] || printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
  esac
done
"#;

fn redacted(lab: &Lab) -> Result<(), String> {
    let turns = vec![
        Turn::calls(&[("ToolSearch", json!({ "query": "select:mcp__keeper__show" }))]),
        Turn::calls(&[("mcp__keeper__show", json!({}))]),
        Turn::says("done"),
    ];
    let session = lab.session("presets = [\"secrets\"]\n", turns)?;
    let server = SERVER.replace("HEADTAIL", &format!("{HEAD}{TAIL}"));
    let servers =
        json!({ "mcpServers": { "keeper": { "command": "/bin/sh", "args": [session.path("server.sh")] } } });
    let session = session.file("server.sh", &server)?.file("servers.json", &servers.to_string())?;
    let path = session.path("servers.json");
    let outcome = session
        .arguments(&["--mcp-config", &path, "--allowedTools", "mcp__keeper__show", "ToolSearch"])
        .run()?;
    holds(
        outcome.told("the key is [redacted github-personal-token] today") > 0,
        "the rest of the result",
        &outcome,
    )?;
    holds(outcome.told(TAIL) == 0, "the secret not to reach the model", &outcome)
}

fn held_back_prompt(lab: &Lab) -> Result<(), String> {
    let session = lab.session("presets = [\"secrets\"]\n", vec![Turn::says("done")])?;
    let outcome = session.prompt(&format!("deploy with {HEAD}{TAIL} please")).run()?;
    holds(outcome.requests == 0 && outcome.told(TAIL) == 0, "no request", &outcome)
}

fn in_pieces(lab: &Lab) -> Result<(), String> {
    let command = format!("a={HEAD}; echo \"$a\"{TAIL} > kept");
    let outcome =
        lab.session("presets = [\"secrets\"]\n", vec![Turn::runs(&command)])?.bash_is_allowed().run()?;
    holds(!outcome.made("kept"), "the tool not to run", &outcome)?;
    let told = outcome.results().any(|result| result.is_error && result.text.contains("[SECRET101]"));
    holds(told, "the reason to reach the model", &outcome)?;
    let answers = outcome.answers("PreToolUse").all(|answer| !answer.contains(TAIL));
    holds(answers, "no piece of it in the answer", &outcome)
}
