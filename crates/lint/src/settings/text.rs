//! From the text of a settings file to its values.

use serde_json::{Map, Value};

use super::yaml;

/// What is in a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON, with comments and trailing commas.
    Json,
    /// YAML, and so JSON too.
    Yaml,
    /// Sections with `name = value`, as in `setup.cfg`.
    Ini,
    /// Lines `name=value`, each of which adds to the one before.
    Lines,
    /// Anything else, such as a program: two texts are the same if their lines are, but for blanks at their ends.
    Text,
}

impl Format {
    /// The format of that name in `knowledge/linters/`.
    #[must_use]
    pub fn named(name: &str) -> Option<Format> {
        Some(match name {
            "toml" => Format::Toml,
            "json" => Format::Json,
            "yaml" => Format::Yaml,
            "ini" => Format::Ini,
            "lines" => Format::Lines,
            "text" => Format::Text,
            _ => return None,
        })
    }

    /// The format of a file by its name.
    #[must_use]
    pub fn of_file(name: &str) -> Format {
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "toml" => Format::Toml,
            "json" | "jsonc" | "json5" => Format::Json,
            "yaml" | "yml" => Format::Yaml,
            "ini" | "cfg" | "flake8" | "editorconfig" => Format::Ini,
            _ => Format::Text,
        }
    }
}

/// The largest settings file that is read, in bytes.
pub(crate) const LARGEST: usize = 1 << 20;

/// The values of a settings file; `None` where the text can't be read as that.
#[must_use]
pub fn read(format: Format, text: &str) -> Option<Value> {
    if text.len() > LARGEST {
        return None;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match format {
        Format::Toml => toml::from_str(text).ok(),
        Format::Json if text.trim().is_empty() => Some(Value::Object(Map::new())),
        Format::Json => serde_json::from_str(&without_comments(text)).ok(),
        Format::Yaml => yaml::read(text),
        Format::Ini => Some(sections(text)),
        Format::Lines => Some(lines(text)),
        Format::Text => {
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            Some(Value::String(lines.join("\n").trim_end().to_owned()))
        }
    }
}

/// JSON without comments and without commas at the end of lists and tables.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut in_string = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' if in_string => {
                out.push(character);
                out.extend(characters.next());
            }
            '"' => {
                in_string = !in_string;
                out.push(character);
            }
            '/' if !in_string && characters.peek() == Some(&'/') => {
                while characters.next_if(|next| *next != '\n').is_some() {}
            }
            '/' if !in_string && characters.peek() == Some(&'*') => {
                characters.next();
                let mut last = ' ';
                for next in characters.by_ref() {
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
                out.push(' ');
            }
            ']' | '}' if !in_string => {
                let kept = out.trim_end().len();
                if out.get(..kept).is_some_and(|kept| kept.ends_with(',')) {
                    out.truncate(kept - 1);
                }
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

/// Sections of `name = value`; a line that begins with a blank goes on with the value above.
fn sections(text: &str) -> Value {
    let mut top = Map::new();
    let mut section: Option<String> = None;
    let mut name = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(header) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = Some(header.trim().to_owned());
            top.entry(header.trim()).or_insert_with(|| Value::Object(Map::new()));
            name.clear();
            continue;
        }
        let table = match &section {
            Some(section) => match top.get_mut(section) {
                Some(Value::Object(table)) => table,
                _ => continue,
            },
            None => &mut top,
        };
        if line.starts_with([' ', '\t']) && !name.is_empty() {
            if let Some(Value::String(value)) = table.get_mut(&name) {
                value.push('\n');
                value.push_str(trimmed);
            }
            continue;
        }
        let (key, value) = trimmed.split_once(['=', ':']).unwrap_or((trimmed, ""));
        key.trim().clone_into(&mut name);
        table.insert(name.clone(), Value::String(value.trim().to_owned()));
    }
    Value::Object(top)
}

/// Lines of `name=value`: a name's values together.
fn lines(text: &str) -> Value {
    let mut table = Map::new();
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        let Some((key, value)) = line.split_once('=') else { continue };
        let values = table.entry(key.trim()).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(values) = values {
            let texts = value.split(',').map(str::trim).filter(|text| !text.is_empty());
            values.extend(texts.map(|text| Value::String(text.to_owned())));
        }
    }
    Value::Object(table)
}
