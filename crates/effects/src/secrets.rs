//! Secrets that a call carries in its own input: in a command, in what it writes, in what it hands to another tool.

use crate::context::Context;
use crate::effect::{Kind, Target};
use hookgate_agents::{Command, Map, Tool, ToolCall, Value};
use hookgate_secrets::{Certainty, Found, fingerprint, scan};
use hookgate_shell::Span;

/// Inputs that say what stands in a file already: what is taken out of it reveals nothing.
const REPLACED: [&str; 3] = ["old_string", "old_str", "old_text"];

/// How deep an input is searched.
const MAXIMUM_DEPTH: u32 = 16;

/// The secrets in a call's input, each once.
pub(crate) fn carried(context: &mut Context<'_>, call: &ToolCall) {
    let mut carried = Carried { context, command: None, seen: Vec::new() };
    if let Tool::Shell { command: Some(Command::Text(text)), .. } = call.tool() {
        carried.command = Some(text);
    }
    carried.map(&call.input, 0);
}

/// The secrets in a text of a person's, each once, with their places.
pub(crate) fn written(context: &mut Context<'_>, text: &str) {
    Carried { context, command: Some(text), seen: Vec::new() }.text(text);
}

struct Carried<'c, 'w, 'e> {
    context: &'c mut Context<'w>,
    /// The text in which places can be named: that of a shell, or a person's.
    command: Option<&'e str>,
    seen: Vec<String>,
}

impl Carried<'_, '_, '_> {
    fn map(&mut self, map: &Map, depth: u32) {
        for (key, value) in map.iter().filter(|(key, _)| !REPLACED.contains(&key.as_str())) {
            self.text(key);
            self.value(value, depth);
        }
    }

    fn value(&mut self, value: &Value, depth: u32) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) if depth < MAXIMUM_DEPTH => {
                for item in items {
                    self.value(item, depth + 1);
                }
            }
            Value::Object(map) if depth < MAXIMUM_DEPTH => self.map(map, depth + 1),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        for found in scan(text) {
            let secret = text.get(found.range.clone()).unwrap_or_default();
            let name = format!("{}:{}", found.name, fingerprint(secret));
            if self.seen.contains(&name) {
                continue;
            }
            let span = if self.command == Some(text) { place(&found) } else { Span::default() };
            let target = Some(Target::Name(name.clone()));
            match found.certainty {
                Certainty::Certain => self.context.push(Kind::EmbedSecret, target, false, span),
                Certainty::Likely => self.context.possibly(|context| {
                    context.push(Kind::EmbedSecret, target, false, span);
                }),
            }
            self.seen.push(name);
        }
    }
}

fn place(found: &Found<'_>) -> Span {
    let at = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    Span { start: at(found.range.start), end: at(found.range.end) }
}
