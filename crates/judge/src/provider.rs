//! The forms in which providers take a prompt and give an answer.

use serde_json::{Value, json};

use crate::{Cost, Failure, Prompt, Reply};

/// A provider's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// The Messages API.
    Messages,
    /// Chat completions.
    ChatCompletions,
    /// A headless agent that prints one JSON object with its result.
    Agent,
}

/// How much a model may write: reasons are one sentence each.
const MOST_TOKENS: u32 = 4_096;

/// What is posted. A model that takes a form for its answer gets one.
#[must_use]
pub fn body(wire: Wire, model: &str, prompt: &Prompt) -> String {
    let body = match wire {
        Wire::Messages => json!({
            "model": model, "max_tokens": MOST_TOKENS, "system": prompt.system,
            "messages": [{ "role": "user", "content": prompt.user }],
            "tools": [{ "name": "verdicts", "description": "Give the verdicts.", "input_schema": schema() }],
            "tool_choice": { "type": "tool", "name": "verdicts" },
        }),
        Wire::ChatCompletions => json!({
            "model": model, "max_completion_tokens": MOST_TOKENS,
            "messages": [
                { "role": "system", "content": prompt.system }, { "role": "user", "content": prompt.user },
            ],
            "response_format": { "type": "json_object" },
        }),
        Wire::Agent => return format!("{}\n\n{}", prompt.system, prompt.user),
    };
    body.to_string()
}

fn schema() -> Value {
    let names: Vec<&str> = crate::VerdictKind::ALL.iter().map(|(_, name)| *name).collect();
    let text = json!({ "type": "string" });
    json!({
        "type": "object", "required": ["verdicts"],
        "properties": { "verdicts": { "type": "array", "items": {
            "type": "object", "required": ["id", "verdict", "quote", "reason"],
            "properties": { "id": text, "verdict": { "enum": names }, "quote": text, "reason": text },
        } } },
    })
}

/// The answer in what came back, with the status of HTTP where there is one.
///
/// # Errors
/// Where there is none.
pub fn read_body(wire: Wire, status: Option<u32>, bytes: &[u8]) -> Result<Reply, Failure> {
    match status {
        None | Some(200..=299) => {}
        // Busy, overloaded, timed out, or broken for the moment.
        Some(status @ (408 | 409 | 425 | 429 | 500..=599)) => {
            return Err(Failure::Passing(format!("the provider answered with status {status}")));
        }
        Some(0) => return Err(Failure::Passing("the provider could not be reached".to_owned())),
        Some(status) => return Err(Failure::Lasting(format!("the provider answered with status {status}"))),
    }
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        // An agent that prints plain text has answered as well.
        return match wire {
            Wire::Agent => {
                Ok(Reply { text: String::from_utf8_lossy(bytes).into_owned(), cost: Cost::default() })
            }
            _ => Err(Failure::Passing("the provider's answer was no JSON".to_owned())),
        };
    };
    let text = match wire {
        Wire::Messages => messages(&value),
        Wire::ChatCompletions => {
            value.pointer("/choices/0/message/content").and_then(Value::as_str).map(str::to_owned)
        }
        Wire::Agent => match value.get("result") {
            Some(Value::String(text)) => Some(text.clone()),
            _ => Some(value.to_string()),
        },
    };
    let count = |one: &str, other: &str| {
        let usage = value.get("usage");
        let usage = usage.and_then(|usage| usage.get(one).or_else(|| usage.get(other)));
        usage.and_then(Value::as_u64).unwrap_or_default()
    };
    let cost = Cost {
        read: count("input_tokens", "prompt_tokens"),
        written: count("output_tokens", "completion_tokens"),
        microdollars: value.get("total_cost_usd").and_then(Value::as_f64).map_or(0, microdollars),
    };
    Ok(Reply { text: text.unwrap_or_default(), cost })
}

/// A price in millionths of a dollar. One that is below nothing, or isn't a number, is nothing.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float stays within the bounds of its type"
)]
fn microdollars(dollars: f64) -> u64 {
    (dollars * 1_000_000.0).round() as u64
}

/// What is given to the tool, else the text.
fn messages(value: &Value) -> Option<String> {
    let blocks = value.get("content")?.as_array()?;
    let input = blocks.iter().find_map(|block| block.get("input"));
    let text = || blocks.iter().find_map(|block| block.get("text")?.as_str().map(str::to_owned));
    input.map(Value::to_string).or_else(text)
}

/// A call of a provider's API.
#[derive(Clone, Copy, Debug)]
pub struct Call<'c> {
    /// The form.
    pub wire: Wire,
    /// The address, up to and including the API's version.
    pub url: &'c str,
    /// The key.
    pub key: Option<&'c str>,
    /// What is posted.
    pub body: &'c str,
    /// How long it may take.
    pub within: std::time::Duration,
}

impl Call<'_> {
    /// The words of a program that makes the call, and its standard input: the key is in the input, never among the words. It
    /// prints the answer, a line break and the status. A redirection is not followed, so that the key goes nowhere else.
    #[must_use]
    pub fn words(&self) -> (Vec<String>, String) {
        let words = ["curl", "--disable", "--silent", "--config", "-"].map(str::to_owned).to_vec();
        let path = match self.wire {
            Wire::Messages => "messages",
            Wire::ChatCompletions | Wire::Agent => "chat/completions",
        };
        let seconds = self.within.as_millis().div_ceil(1000).max(1);
        let mut lines = vec![
            ("url", format!("{}/{path}", self.url)),
            ("request", "POST".to_owned()),
            ("max-time", seconds.to_string()),
            ("header", "content-type: application/json".to_owned()),
            ("write-out", "\n%{http_code}".to_owned()),
            ("data-raw", self.body.to_owned()),
        ];
        if self.wire == Wire::Messages {
            lines.push(("header", "anthropic-version: 2023-06-01".to_owned()));
        }
        if let Some(key) = self.key {
            lines.push((
                "header",
                match self.wire {
                    Wire::Messages => format!("x-api-key: {key}"),
                    Wire::ChatCompletions | Wire::Agent => format!("authorization: Bearer {key}"),
                },
            ));
        }
        let input: String =
            lines.iter().map(|(name, value)| format!("{name} = \"{}\"\n", escaped(value))).collect();
        (words, format!("proto = \"=http,https\"\n{input}"))
    }
}

/// A value as it stands between quotes in the input.
fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 16);
    for c in value.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
