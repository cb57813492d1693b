//! Secrets that a call carries in its own input: in a command, in what it writes, in what it hands to another tool.

use crate::context::Context;
use crate::effect::{Kind, Target};
use crate::field::Field;
use hookgate_agents::{Command, Map, OLD_TEXT, Tool, ToolCall, Value};
use hookgate_secrets::{Certainty, Found, ends_of_name, fingerprint, scan_named};
use hookgate_shell::Span;

/// The largest file of which it is looked at what an edit completes in it, in bytes.
const LARGEST: usize = 512 * 1024;

/// The secrets in a call's input, each once.
pub(crate) fn carried(context: &mut Context<'_>, call: &ToolCall) {
    let tool = call.tool();
    let is_edit = matches!(tool, Tool::Edit(_));
    let mut carried = Carried { context, command: None, is_edit, seen: Vec::new() };
    if let Tool::Shell { command: Some(Command::Text(text)), .. } = tool {
        carried.command = Some(text);
    }
    // Servers choose the names of their tools.
    for end in ends_of_name(&call.name) {
        carried.text("", end);
    }
    carried.values(&call.input);
    if let Tool::Edit(Some(path)) = tool {
        carried.completed(call, path);
    }
    let text = carried.command.unwrap_or_default();
    carried.pieces(text);
}

/// The secrets in a text of a person's, each once, with their places.
pub(crate) fn written(context: &mut Context<'_>, text: &str) {
    Carried { context, command: Some(text), is_edit: false, seen: Vec::new() }.text("", text);
}

/// The name that the value under `key` belongs to: the key, or what stands beside it in `{"name": NAME, "value": VALUE}`.
#[must_use]
pub fn name_of<'m>(map: &'m Map, key: &'m str) -> &'m str {
    let is = |known: &str| key.eq_ignore_ascii_case(known);
    let beside = || {
        let entry =
            map.iter().find(|(key, _)| ["name", "key"].iter().any(|one| key.eq_ignore_ascii_case(one)));
        entry.and_then(|(_, name)| name.as_str())
    };
    is("value").then(beside).flatten().unwrap_or(key)
}

struct Carried<'c, 'w, 'e> {
    context: &'c mut Context<'w>,
    /// The text in which places can be named: that of a shell, or a person's.
    command: Option<&'e str>,
    /// The call replaces text in a file.
    is_edit: bool,
    seen: Vec<String>,
}

impl<'e> Carried<'_, '_, 'e> {
    /// All of them with what lies in them, however deep, without recursion.
    fn values(&mut self, input: &'e Map) {
        let mut left: Vec<(&str, &Value)> = Vec::new();
        self.map(input, &mut left);
        while let Some((name, value)) = left.pop() {
            match value {
                Value::String(text) => self.text(name, text),
                Value::Array(items) => left.extend(items.iter().rev().map(|item| (name, item))),
                Value::Object(map) => self.map(map, &mut left),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
    }

    /// The keys of a map; its values are left for later.
    fn map(&mut self, map: &'e Map, left: &mut Vec<(&'e str, &'e Value)>) {
        map.keys().for_each(|key| self.text("", key));
        let is_edit = self.is_edit;
        // What is taken out of a file reveals nothing.
        let new = map.iter().rev().filter(|(key, _)| !(is_edit && OLD_TEXT.contains(&key.as_str())));
        left.extend(new.map(|(key, value)| (name_of(map, key), value)));
    }

    fn text(&mut self, name: &str, text: &str) {
        for found in scan_named(name, text) {
            let secret = text.get(found.range.clone()).unwrap_or_default();
            let span = if self.command == Some(text) { place(&found) } else { Span::default() };
            let name = format!("{}:{}", found.name, fingerprint(secret));
            self.found(name, found.certainty == Certainty::Likely, span);
        }
    }

    /// The secrets that an edit completes: the file holds one part, and the new text another.
    fn completed(&mut self, call: &ToolCall, path: &str) {
        let path = self.context.resolve_one(&Field::of(path, Span::default()));
        let bytes = path.and_then(|path| self.context.world().read(&path, LARGEST));
        let Some(before) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else { return };
        let Some(after) = call.text_after(Some(&before)) else { return };
        let changed = around_change(&before, &after);
        for found in scan_named("", changed) {
            let text = changed.get(found.range.clone()).unwrap_or_default();
            if !before.contains(text) {
                let name = format!("{}:{}", found.name, fingerprint(text));
                self.found(name, found.certainty == Certainty::Likely, Span::default());
            }
        }
    }

    /// The secrets that only the words of the command have.
    fn pieces(&mut self, text: &str) {
        let pieces = self.context.pieces.get_mut();
        let incomplete = pieces.is_incomplete();
        let mut composed = pieces.of_text(text);
        composed.retain(|one| self.found(one.name.clone(), one.likely, one.span));
        self.context.found.composed = composed;
        if incomplete {
            self.context
                .doubt(Span::default(), "more is put together of variables than is searched for secrets");
        }
    }

    /// Is it one that was not found before?
    fn found(&mut self, name: String, likely: bool, span: Span) -> bool {
        let is_new = !self.seen.contains(&name);
        if is_new {
            self.seen.push(name.clone());
            let target = Some(Target::Name(name));
            if likely {
                self.context.possibly(|context| context.push(Kind::EmbedSecret, target, false, span));
            } else {
                self.context.push(Kind::EmbedSecret, target, false, span);
            }
        }
        is_new
    }
}

/// What differs in the second text, with the rest of its first and last line.
fn around_change<'t>(before: &str, after: &'t str) -> &'t str {
    let same = |(one, other): &(u8, u8)| one == other;
    let begins = before.bytes().zip(after.bytes()).take_while(same).count();
    let room = before.len().min(after.len()) - begins;
    let ends = before.bytes().rev().zip(after.bytes().rev()).take_while(same).take(room).count();
    let line_start =
        after.as_bytes().get(..begins).and_then(|text| text.iter().rposition(|byte| *byte == b'\n'));
    let start = line_start.map_or(0, |at| at + 1);
    let last = after.len() - ends;
    let rest = after.as_bytes().get(last..).and_then(|text| text.iter().position(|byte| *byte == b'\n'));
    let end = rest.map_or(after.len(), |at| last + at);
    after.get(start..end).unwrap_or_default()
}

fn place(found: &Found<'_>) -> Span {
    let at = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    Span { start: at(found.range.start), end: at(found.range.end) }
}
