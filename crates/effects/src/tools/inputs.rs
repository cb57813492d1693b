//! What stands in a tool's input: texts under their keys, lists of arguments, the directory that it names.

use crate::context::Context;
use crate::field::Field;
use crate::knowledge::shipped;
use hookgate_agents::{Map, ToolCall, Value};

use super::path_field;

/// How many texts of an unknown tool's input are read, and how deep they may stand.
const MOST_TEXTS: usize = 64;
const MOST_DEPTH: u32 = 8;

/// How many lists of arguments are read.
const MOST_LISTS: usize = 16;

/// A text with the key that it stands under.
pub(super) type Keyed = (String, String);

/// The directory that an input says a call is about.
pub(super) enum Told {
    /// It names none.
    No,
    /// That one.
    At(Field),
    /// One that can't be read off it.
    Computed,
}

/// The directory in a call's input.
pub(super) fn told(context: &Context<'_>, input: &Map) -> Told {
    let found = input.iter().find(|(key, value)| is_directory(key) && !value.is_null());
    match found {
        None => Told::No,
        Some((_, Value::String(text))) if text.is_empty() => Told::No,
        Some((_, Value::String(text))) => Told::At(path_field(context, text)),
        Some(_) => Told::Computed,
    }
}

/// Does the key say where something runs? All of its words count: `directory_count` is a number.
pub(super) fn is_directory(key: &str) -> bool {
    let words: Vec<String> = words_of(key).into_iter().filter(|word| !word.is_empty()).collect();
    shipped().table("commands/words/directory-keys").contains(&words.join("-"))
}

/// Has the key a word of that list?
pub(super) fn is_under(list: &str, key: &str) -> bool {
    words_of(key).iter().any(|word| shipped().table(list).contains(word))
}

/// The texts in a call's input with the keys that they stand under, up to a bound.
pub(super) fn texts_of(call: &ToolCall) -> Vec<Keyed> {
    let mut texts = Vec::new();
    collect_all(&call.input, 0, &mut texts);
    texts
}

fn collect_all(map: &Map, depth: u32, texts: &mut Vec<Keyed>) {
    for (key, value) in map {
        collect(key, value, depth, texts);
    }
    joined(map, texts);
}

/// A directory under one key and a name under another one, as the path that they make.
fn joined(map: &Map, texts: &mut Vec<Keyed>) {
    let strings = || map.iter().filter_map(|(key, value)| Some((key, value.as_str()?)));
    for (_, directory) in strings().filter(|(key, text)| is_directory(key) && is_line(text)) {
        let is_name =
            |key: &str| words_of(key).last().is_some_and(|word| is_under("commands/words/name-keys", word));
        let inside = strings().filter(|(key, text)| {
            !is_directory(key)
                && is_line(text)
                && !text.starts_with(['/', '~'])
                && (is_name(key) || names_file(key, text))
        });
        for (_, name) in inside {
            if texts.len() < MOST_TEXTS {
                texts.push(("path".to_owned(), format!("{}/{name}", directory.trim_end_matches('/'))));
            }
        }
    }
}

/// Is it one line that says something?
fn is_line(text: &str) -> bool {
    !text.is_empty() && !text.contains('\n')
}

fn collect(key: &str, value: &Value, depth: u32, texts: &mut Vec<Keyed>) {
    if texts.len() >= MOST_TEXTS || depth > MOST_DEPTH {
        return;
    }
    match value {
        Value::String(text) => texts.push((key.to_owned(), text.clone())),
        Value::Array(items) => items.iter().for_each(|item| collect(key, item, depth + 1, texts)),
        Value::Object(map) => {
            let names = is_under("commands/words/path-keys", key);
            let is_path = |name: &str| names && (name.contains(['/', '.']) || name.starts_with('~'));
            for name in map.keys().filter(|name| is_path(name) && is_line(name)) {
                texts.push((key.to_owned(), name.clone()));
            }
            collect_all(map, depth + 1, texts);
        }
        _ => {}
    }
}

/// Does a key of this name hold the name of a file? The last word of a key says what it is: `file_text` is a text.
pub(super) fn names_file(key: &str, text: &str) -> bool {
    let words = words_of(key);
    let said = words.iter().rfind(|word| !word.is_empty() && *word != "name");
    let is = |list: &str| said.is_some_and(|word| shipped().table(list).contains(word));
    let local = text.starts_with("file:") || !text.contains("://");
    local && is_line(text) && (is("commands/words/path-keys") || is("commands/words/place-keys"))
}

/// The commands that an input gives as a program and its arguments, or as a list that begins with a program.
pub(super) fn argument_lists(input: &Map) -> Vec<String> {
    let mut found = Vec::new();
    lists_in(input, 0, &mut found);
    found
}

fn lists_in(map: &Map, depth: u32, found: &mut Vec<String>) {
    if depth > MOST_DEPTH {
        return;
    }
    let program = map.iter().find_map(|(key, value)| {
        let names =
            is_under("commands/words/command-keys", key) || is_under("commands/words/program-keys", key);
        value.as_str().filter(|_| names)
    });
    for (key, value) in map {
        let arguments = is_under("commands/words/argument-keys", key);
        match value {
            Value::String(text) if found.len() < MOST_LISTS && arguments => {
                found.extend(
                    program.filter(|program| program != text).map(|program| format!("{program} {text}")),
                );
            }
            Value::Array(items) if found.len() < MOST_LISTS => {
                let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                let named = arguments || is_under("commands/words/command-keys", key);
                let own = words.first().is_some_and(|first| is_program(first));
                let told = program.filter(|_| arguments && !words.is_empty());
                if named && (own || told.is_some()) {
                    let line = line_of(&words);
                    found.push(told.map_or(line.clone(), |program| format!("{program} {line}")));
                }
                for item in items.iter().filter_map(Value::as_object) {
                    lists_in(item, depth + 1, found);
                }
            }
            Value::Object(inner) => lists_in(inner, depth + 1, found),
            _ => {}
        }
    }
}

/// The words as a shell would read them.
pub(super) fn line_of(words: &[&str]) -> String {
    words.iter().map(|word| hookgate_shell::quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Is it the name or the path of a program that is known?
pub(super) fn is_program(word: &str) -> bool {
    crate::knowledge::program(crate::paths::file_name(word)).is_some()
}

/// The words of a name in any of the usual styles.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.chars() {
        if !character.is_alphanumeric() || character.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
    }
    words
}
