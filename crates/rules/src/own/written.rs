//! What a call says and sends: messages, addresses, parts of its input.

use hookgate_agents::{Event, Value};
use hookgate_effects::{Call, Effect, Part, Target};

/// The message of a commit, a merge or a tag; the outer `None` where the call has none, the inner one where it is computed.
pub(super) fn message(call: &Call) -> Option<Option<String>> {
    const MESSAGES: [Part; 3] = [Part::Message, Part::MergeMessage, Part::Annotation];
    let said = || call.said.iter().filter(|said| MESSAGES.contains(&said.part));
    said().next()?;
    let paragraphs: Option<Vec<&str>> = said().map(|said| said.text.as_deref()).collect();
    Some(paragraphs.map(|paragraphs| paragraphs.join("\n\n")))
}

/// The addresses on the effect's host that its call or its tool's input names, as `HOST/PATH`. None where only the host is known.
pub(super) fn addresses(event: &Event, call: Option<&Call>, effect: &Effect) -> Vec<String> {
    let Some(Target::Host(host)) = &effect.target else { return Vec::new() };
    let words: Vec<&str> = match call {
        Some(call) => call.arguments.iter().filter_map(|argument| argument.text.as_deref()).collect(),
        None => event.tool().iter().flat_map(|tool| tool.input.values()).filter_map(Value::as_str).collect(),
    };
    words.into_iter().filter_map(|word| address(word, host)).collect()
}

/// The address that a word is, or that an option has as its value, if it is on the host.
fn address(word: &str, host: &str) -> Option<String> {
    let word = match word.split_once('=') {
        Some((option, value)) if option.starts_with('-') => value,
        _ => word,
    };
    let rest = word.split_once("://").map_or(word, |(_, rest)| rest);
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    // `git@host:path`, as git names a place that it reaches by ssh.
    let (authority, path) = match rest.split_once('/') {
        Some((authority, path)) if !authority.contains(':') || word.contains("://") => (authority, path),
        _ => rest.split_once(':').filter(|_| !word.contains("://")).unwrap_or((rest, "")),
    };
    let name = authority.rsplit('@').next().unwrap_or(authority);
    let name = name.split(':').next().unwrap_or(name);
    name.eq_ignore_ascii_case(host).then(|| format!("{}/{path}", host.to_ascii_lowercase()))
}

/// Does a part of the tool's input match? `path`: names with dots between them.
pub(super) fn input(event: &Event, path: &str, matches: impl Fn(&str) -> bool) -> bool {
    let Some(tool) = event.tool() else { return false };
    let mut names = path.split('.');
    let first = names.next().and_then(|name| tool.input.get(name));
    let Some(value) = names.try_fold(first, |value, name| Some(value?.get(name))).flatten() else {
        return false;
    };
    let plain = |value: &Value| match value {
        Value::String(text) => matches(text),
        Value::Bool(_) | Value::Number(_) => matches(&value.to_string()),
        _ => false,
    };
    match value {
        Value::Array(items) => items.iter().any(plain),
        value => plain(value),
    }
}
