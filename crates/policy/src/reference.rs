//! The reference of a policy file's keys, from their description.

use crate::keys::{KEYS, Key, REQUIRED, Shape, Strictness, children, values};
use std::fmt::Write as _;

const HEAD: &str = "\
# The policy file

Generated from hookgate's description of the keys; `hookgate config KEY` prints the same.

Files are read from `/etc/hookgate/` (managed), `~/.config/hookgate/hookgate.toml` (user), `.hookgate.toml` (project)
and `.hookgate.local.toml` (local). Without any, `presets = [\"recommended\"]` holds.

## Who may say what

Every key has an order from loose to strict. A file never loosens what a file above it says: managed over user over the
repository's. What no file says comes from the presets and the defaults. The repository's files may tighten at once; what
loosens, grants, shows text or changes what is done has no effect until a person has read it and run `hookgate trust`.

| key | from loose to strict |
|---|---|
";

/// The reference page, in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    for key in KEYS.iter().filter(|key| key.strictness != Strictness::Part) {
        let _ = writeln!(page, "| `{}` | {} |", key.path, key.strictness.describe());
    }
    page.push_str("\n## Keys\n");
    for key in KEYS {
        let _ = write!(page, "\n### `{}`\n\n{}", key.path, describe(key));
    }
    page
}

/// What there is to say about a key, in Markdown.
#[must_use]
pub fn describe(key: &Key) -> String {
    let mut text = format!("{}\n\n", key.summary);
    let _ = writeln!(text, "- Type: {}", shape(key));
    if REQUIRED.contains(&key.path) {
        text.push_str("- Required.\n");
    } else if !key.default.is_empty() {
        let _ = writeln!(text, "- Default: {}", default(key));
    }
    if key.strictness != Strictness::Part {
        let _ = writeln!(text, "- Strictness: {}", key.strictness.describe());
    }
    let below: Vec<_> = children(key.path).map(|name| format!("`{name}`")).collect();
    if !below.is_empty() {
        let _ = writeln!(text, "- Keys: {}", below.join(", "));
    }
    let _ = writeln!(text, "\n```toml\n{}\n```", key.example);
    text
}

fn default(key: &Key) -> String {
    let is_value = values(key).contains(&key.default) || key.default.starts_with(['[', '"']);
    if is_value && !key.default.contains(' ') { format!("`{}`", key.default) } else { key.default.to_owned() }
}

fn shape(key: &Key) -> String {
    let list = || values(key).iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    match key.shape {
        Shape::Text => "text".to_owned(),
        Shape::OneOf(_) => format!("one of {}", list()),
        Shape::Texts if values(key).is_empty() => "text, or a list of texts".to_owned(),
        Shape::Texts | Shape::SomeOf(_) => format!("one, or a list, of {}", list()),
        Shape::Boolean => "`true` or `false`".to_owned(),
        Shape::Count => "whole number from 1 to 1000".to_owned(),
        Shape::Size => "bytes, or a text such as `\"10MB\"` (kB, MB, GB)".to_owned(),
        Shape::Date => "date, without quotes".to_owned(),
        Shape::Table | Shape::JsonTable => "table".to_owned(),
        Shape::Tables => format!("tables, each under `[[{}]]`", key.path),
        Shape::TextsByName => "table from names to a text or a list of texts".to_owned(),
        Shape::VersionsByName => {
            "table from programs to `\">=1.2.3\"`, or `\"*\"` for any version".to_owned()
        }
        Shape::Levels => format!("table from codes and groups to {}", list()),
        Shape::Condition => "condition".to_owned(),
        Shape::Conditions => "list of conditions".to_owned(),
        Shape::JsonList => "list".to_owned(),
        Shape::Json => "any value".to_owned(),
        Shape::TextOrJsonTable => "table, or the name of a file".to_owned(),
    }
}
