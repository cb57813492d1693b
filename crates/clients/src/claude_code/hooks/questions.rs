//! Which hooks that ask a model can become a judge's criteria.

use hookgate_agents::EventName;
use hookgate_policy::imported::{ImportQuestion, ImportedHook};
use serde_json::{Map, Value};

use super::movable::condition;
use crate::Handler;

/// Fields of such a handler that are kept or have no effect at the end of work.
const FIELDS: &[&str] =
    &["type", "prompt", "model", "timeout", "continueOnBlock", "onFailure", "statusMessage", "once"];
/// What the client asks where the handler names no model: the small one of its own account.
const USUAL_MODEL: &str = "haiku";
/// How long it waits, in milliseconds.
const PROMPT_TIMEOUT: u64 = 30_000;
const AGENT_TIMEOUT: u64 = 60_000;
/// The longest prompt that a criterion takes, in bytes; the rest of it is the frame below.
const LONGEST: usize = 3_600;

/// The criterion that asks what this handler asks, or why it has to stay.
pub(super) fn question(
    handler: &Handler,
    event: &EventName,
    fields: &Map<String, Value>,
    settings: &str,
) -> Result<ImportQuestion, String> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    match event {
        EventName::Stop | EventName::SubagentStop => {}
        // There its refusal ends the turn unless this says otherwise; a judge's sends the agent back to work.
        EventName::TaskCompleted if fields.get("continueOnBlock") == Some(&Value::Bool(true)) => {}
        EventName::TaskCompleted => {
            return Err("its refusal ends the turn, but a judge's goes back to the agent".to_owned());
        }
        _ => return Err("it asks a model, but judges are asked only at the end of work".to_owned()),
    }
    if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(format!("unknown field `{unknown}`"));
    }
    let prompt = text("prompt").filter(|prompt| !prompt.trim().is_empty()).ok_or("it has no prompt")?;
    if prompt.len() > LONGEST {
        return Err(format!("its prompt is longer than {LONGEST} bytes"));
    }
    let usual = if text("type") == Some("agent") { AGENT_TIMEOUT } else { PROMPT_TIMEOUT };
    let model = text("model").unwrap_or(USUAL_MODEL);
    if model.is_empty() || !model.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '@' | '/')) {
        return Err(format!("its model `{model}` is no name"));
    }
    Ok(ImportQuestion {
        from: ImportedHook::of(settings, &handler.event, handler.matcher.as_deref(), &handler.value),
        when: condition(event, handler.matcher.as_deref().unwrap_or(""))?,
        ask: framed(prompt),
        model: format!("agent:claude@{model}"),
        deadline: super::movable::deadline(usual, fields)?,
    })
}

/// The prompt as a question whose yes means that all is well. What it says about the form of an answer is void: hookgate has one.
fn framed(prompt: &str) -> String {
    let prompt = prompt.trim().replace("$ARGUMENTS", "the evidence");
    format!(
        "Does the work pass this check, which was written for another program? Leave out what it says about the form of an \
         answer. The check: {prompt}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claude_code::hooks::entry;
    use hookgate_policy::imported::ImportEntry;
    use serde_json::json;

    fn moved(event: &str, matcher: Option<&str>, value: Value) -> Result<ImportQuestion, String> {
        let handler = Handler { event: event.to_owned(), matcher: matcher.map(str::to_owned), value };
        match entry(&handler, "/s.json")? {
            ImportEntry::Question(question) => Ok(question),
            ImportEntry::Hook(hook) => panic!("a program: {hook:?}"),
        }
    }

    #[test]
    fn a_prompt_becomes_a_question_with_its_model_and_its_time() {
        let one = json!({ "type": "prompt", "prompt": "Are all tasks of $ARGUMENTS done?\n" });
        let question = moved("Stop", None, one).unwrap();
        assert!(question.ask.ends_with("The check: Are all tasks of the evidence done?"), "{}", question.ask);
        assert_eq!((question.model.as_str(), question.deadline), ("agent:claude@haiku", 30_000));
        let other = json!({ "type": "agent", "prompt": "p", "model": "sonnet", "continueOnBlock": true });
        let question = moved("SubagentStop", Some("Explore"), other.clone()).unwrap();
        assert_eq!(question.when.as_deref(), Some(r#"{ field = { agent_type = ["Explore"] } }"#));
        assert_eq!((question.model.as_str(), question.deadline), ("agent:claude@sonnet", 60_000));
        assert_eq!(moved("TaskCompleted", None, other).unwrap().deadline, 60_000);
    }

    #[test]
    fn what_no_judge_can_ask_stays_with_its_reason() {
        let prompt = json!({ "type": "prompt", "prompt": "p" });
        for (event, value, says) in [
            ("PreToolUse", prompt.clone(), "only at the end of work"),
            ("TeammateIdle", prompt.clone(), "only at the end of work"),
            ("TaskCompleted", prompt, "ends the turn"),
            ("Stop", json!({ "type": "prompt" }), "no prompt"),
            ("Stop", json!({ "type": "agent", "prompt": " \n" }), "no prompt"),
            ("Stop", json!({ "type": "prompt", "prompt": "p".repeat(4_000) }), "longer than"),
            ("Stop", json!({ "type": "prompt", "prompt": "p", "surprise": 1 }), "`surprise`"),
            ("Stop", json!({ "type": "prompt", "prompt": "p", "model": "a b" }), "no name"),
            ("Stop", json!({ "type": "prompt", "prompt": "p", "timeout": 601 }), "10 minutes"),
        ] {
            let error = moved(event, None, value.clone()).unwrap_err();
            assert!(error.contains(says), "{event} {value}: {error}");
        }
    }
}
