//! Any bytes on stdin: decoded or unreadable, and answered with nothing or one JSON object.

#![no_main]

use hookgate_agents::{Answer, Decision, Decoded, EventName, Profile, Verdict, failure_answer, respond};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    Profile::everyone().for_each(|agent| of(agent, bytes));
});

fn of(agent: &'static Profile, bytes: &[u8]) {
    match agent.decode(bytes, None) {
        Decoded::Event(event) => {
            let texts = vec![String::from_utf8_lossy(bytes).into_owned()];
            for decision in [Decision::Pass, Decision::Allow, Decision::Ask, Decision::Deny, Decision::Halt] {
                let verdict = Verdict {
                    decision,
                    reasons: texts.clone(),
                    context: texts.clone(),
                    notices: texts.clone(),
                    rewrite: event.tool().map(|call| call.input.clone()),
                    ..Verdict::default()
                };
                check(Some(&event.name), &respond(&event, &verdict));
            }
        }
        Decoded::Unreadable { name, problem } => {
            check(name.as_ref(), &failure_answer(agent, name.as_ref(), Decision::Ask, &problem.to_string()));
        }
    }
}

fn check(name: Option<&EventName>, answer: &Answer) {
    let takes_plain_text =
        matches!(name, Some(EventName::PreCompact | EventName::PostCompact | EventName::WorktreeCreate));
    if answer.stdout.is_empty() || takes_plain_text && !answer.stdout.starts_with(b"{") {
        return;
    }
    let document: serde_json::Value = serde_json::from_slice(&answer.stdout).expect("one JSON document");
    assert!(document.is_object(), "{document}");
}
