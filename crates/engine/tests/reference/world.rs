//! A situation as the engine meets it: a policy, an event, a machine.

use hookgate_agents::{CLAUDE_CODE, Decision, Decoded, Event, HookOutput};
use hookgate_clients::{Scope, Source as NativeSource};
use hookgate_effects::Places;
use hookgate_engine::{Grant, Halt, Judged, Pause, call_name, decide};
use hookgate_host::Fake;
use hookgate_policy::{Check, LayerKind, Policy, Source, Vocabulary};
use serde_json::json;

use super::{COMMANDS, Rule, Situation};

/// What the engine makes of a situation.
pub(crate) fn judged(situation: &Situation) -> Judged {
    let event = json!({ "session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": { "command": situation.text() } });
    let event: Event = match CLAUDE_CODE.decode(event.to_string().as_bytes(), None) {
        Decoded::Event(event) => event,
        unreadable @ Decoded::Unreadable { .. } => panic!("{unreadable:?}"),
    };
    let text = situation.policy();
    let source = Source { kind: LayerKind::User, path: "test.toml", text: &text, trusted: true };
    let known = hookgate_rules::lookup::vocabulary();
    let (policy, diagnostics) = Policy::load(&[source], &Vocabulary { rules: &known }, Check::Quick);
    assert!(
        diagnostics.is_empty(),
        "{}",
        diagnostics.iter().map(|one| one.render(&text)).collect::<String>()
    );
    let mut host = Fake::default();
    host.pause = situation.paused.then_some(Pause { until: 60_000 });
    host.halt = situation.halted.then(|| Halt { reason: String::new(), sentinel: "/h".to_owned() });
    let mark = if situation.attended { "1" } else { "0" };
    host.variables.insert("CLAUDE_CODE_SESSION_ATTENDED".to_owned(), mark.to_owned());
    let denied: Vec<String> =
        situation.native.iter().map(|one| format!("Bash({}:*)", COMMANDS[*one])).collect();
    let text = json!({ "permissions": { "deny": denied } }).to_string();
    host.settings = vec![NativeSource { scope: Scope::User, path: "/s.json".to_owned(), text }];
    host.hooks.extend(situation.output().map(|output| ("HOOK1".to_owned(), output)));
    let grant = Grant {
        decision: "d".to_owned(),
        codes: situation.codes(|rule| rule.granted),
        until: 60_000,
        once: true,
        used: None,
    };
    host.grants.extend(call_name(&event).map(|name| (name, grant)));
    let places = Places {
        cwd: "/p".to_owned(),
        project: "/p".to_owned(),
        home: "/home/me".to_owned(),
        ..Places::default()
    };
    decide(&event, &policy, &places, &host)
}

impl Situation {
    /// The text of the call.
    pub(crate) fn text(&self) -> String {
        let commands = self.commands.iter().map(|one| format!("{} a", COMMANDS[*one]));
        commands.collect::<Vec<_>>().join("; ")
    }

    /// The policy that says all of it.
    pub(crate) fn policy(&self) -> String {
        let mode = ["off", "shadow", "enforce"][self.mode as usize];
        let hand_off = if self.hand_off { "handoff" } else { "deny" };
        let mut text = format!(
            "presets = []\nmode = \"{mode}\"\nunknown = {{ program = \"pass\", target = \"pass\", command = \"pass\", unparsed = \"pass\" }}\n[unattended]\nask = \"{hand_off}\"\n"
        );
        for (index, rule) in self.rules.iter().enumerate() {
            let (program, level) = (COMMANDS[rule.about], rule.level.name());
            text += &format!(
                "[[rule]]\ncode = \"OWN{index}\"\nwhen = {{ run = \"{program} **\" }}\nthen = \"{level}\"\nshadow = {}\nreason = \"r\"\n",
                rule.shadow
            );
            if rule.excepted {
                text += &format!("[[exception]]\ncode = \"OWN{index}\"\nreason = \"so it is\"\n");
            }
        }
        if let Some(rewrite) = &self.rewrite {
            let (from, to) = (COMMANDS[rewrite.from], COMMANDS[rewrite.to]);
            let then = ["allow", "ask", "pass", "inherit"][rewrite.then as usize];
            let otherwise = ["pass", "ask", "deny"][rewrite.otherwise as usize];
            let answers: Vec<String> = self.codes(|rule| rule.answered);
            text += &format!(
                "[[rewrite]]\ncode = \"NEW1\"\nrun = \"{from} **\"\nto = \"{to} {{args}}\"\nthen = \"{then}\"\nelse = \"{otherwise}\"\nanswers = {answers:?}\nreason = \"r\"\n"
            );
        }
        if self.hook.is_some() {
            text += "[[hook]]\ncode = \"HOOK1\"\non = \"PreToolUse\"\nrun = \"./check\"\n";
        }
        text
    }

    /// The codes of these rules.
    pub(crate) fn codes(&self, which: impl Fn(&Rule) -> bool) -> Vec<String> {
        let rules = self.rules.iter().enumerate().filter(|(_, rule)| which(rule));
        rules.map(|(index, _)| format!("OWN{index}")).collect()
    }

    /// What the hook prints.
    pub(crate) fn output(&self) -> Option<HookOutput> {
        let said = self.hook?;
        let decision = json!({ "hookEventName": "PreToolUse", "permissionDecision": said.as_str(), "permissionDecisionReason": "r" });
        let printed = match said {
            Decision::Halt => json!({ "continue": false, "stopReason": "r" }),
            Decision::Pass | Decision::Handoff => json!({}),
            _ => json!({ "hookSpecificOutput": decision }),
        };
        let stdout = printed.to_string().into_bytes();
        Some(HookOutput { exit: Ok(0), stdout, stderr: Vec::new(), complete: true })
    }
}
