//! The JSON schema of a policy file, from the description of its keys.

use crate::keys::{Key, REQUIRED, Shape, children, key, values};
use serde_json::{Map, Value, json};

/// The JSON schema of a policy file, for editors.
#[must_use]
pub fn schema() -> String {
    let mut root = table("");
    root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    root.insert("title".to_owned(), json!("hookgate policy"));
    root.insert("$defs".to_owned(), json!({ "condition": table("rule.when") }));
    let mut text = serde_json::to_string_pretty(&Value::Object(root)).unwrap_or_default();
    text.push('\n');
    text
}

/// A table with the keys right below a path.
fn table(parent: &str) -> Map<String, Value> {
    let path = |name: &str| if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") };
    let mut properties = Map::new();
    for name in children(parent) {
        if let Some(key) = key(&path(name)) {
            properties.insert(name.to_owned(), value(key));
        }
    }
    let required: Vec<_> = children(parent).filter(|name| REQUIRED.contains(&path(name).as_str())).collect();
    let mut table = Map::new();
    table.insert("type".to_owned(), json!("object"));
    table.insert("properties".to_owned(), Value::Object(properties));
    table.insert("additionalProperties".to_owned(), json!(false));
    if !required.is_empty() {
        table.insert("required".to_owned(), json!(required));
    }
    table
}

fn value(key: &Key) -> Value {
    let text = || {
        let values = values(key);
        if values.is_empty() { json!({ "type": "string" }) } else { json!({ "enum": values }) }
    };
    let texts = || json!({ "anyOf": [text(), { "type": "array", "items": text() }] });
    let mut schema = match key.shape {
        Shape::Text | Shape::OneOf(_) => text(),
        Shape::Texts | Shape::SomeOf(_) => texts(),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Count => json!({ "type": "integer", "minimum": 1, "maximum": 1000 }),
        Shape::Size => json!({ "type": ["integer", "string"] }),
        Shape::Date => json!({ "type": "string", "format": "date" }),
        Shape::Table => Value::Object(table(key.path)),
        Shape::Tables => json!({ "type": "array", "items": table(key.path) }),
        Shape::TextsByName => json!({ "type": "object", "additionalProperties": texts() }),
        Shape::VersionsByName => {
            json!({ "type": "object", "additionalProperties": { "type": "string", "pattern": "^(\\*|>= *[0-9]+(\\.[0-9]+){0,2})$" } })
        }
        Shape::Levels => {
            let level = text();
            let entry = json!({
                "type": "object",
                "properties": { "level": level, "agent-exceptions": { "type": "boolean" } },
                "additionalProperties": false,
            });
            json!({ "type": "object", "additionalProperties": { "anyOf": [level, entry] } })
        }
        Shape::Condition => json!({ "$ref": "#/$defs/condition" }),
        Shape::Conditions => {
            json!({ "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/condition" } })
        }
        Shape::JsonTable => json!({ "type": "object" }),
        Shape::JsonList => json!({ "type": "array" }),
        Shape::Json => json!({}),
        Shape::TextOrJsonTable => json!({ "type": ["string", "object"] }),
    };
    if let Value::Object(fields) = &mut schema {
        fields.insert("description".to_owned(), json!(key.summary));
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::KEYS;

    #[test]
    fn the_schema_names_every_key_once() {
        let schema: Value = serde_json::from_str(&schema()).unwrap();
        fn count(value: &Value) -> usize {
            match value {
                Value::Object(fields) => {
                    usize::from(fields.get("description").is_some_and(Value::is_string))
                        + fields.values().map(count).sum::<usize>()
                }
                Value::Array(items) => items.iter().map(count).sum(),
                _ => 0,
            }
        }
        assert_eq!(count(&schema), KEYS.len());
        assert_eq!(schema.pointer("/properties/mode/enum/1"), Some(&json!("shadow")));
        assert_eq!(schema.pointer("/properties/rule/items/required"), Some(&json!(["code"])));
        assert_eq!(schema.pointer("/$defs/condition/properties/not/$ref"), Some(&json!("#/$defs/condition")));
    }
}
