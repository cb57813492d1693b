//! The schema accepts what the reader accepts.

use hookgate_policy::keys::KEYS;
use hookgate_policy::schema;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::from(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(boolean) => Value::from(boolean),
        toml::Value::Datetime(when) => Value::from(when.to_string()),
        toml::Value::Array(items) => items.into_iter().map(json).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(key, value)| (key, json(value))).collect(),
    }
}

fn problems(text: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(&schema()).unwrap_or_default();
    let policy = json(toml::Value::Table(text.parse().unwrap_or_default()));
    match jsonschema::validator_for(&schema) {
        Ok(validator) => validator.iter_errors(&policy).map(|error| error.to_string()).collect(),
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn every_example_and_every_valid_policy_fits() {
    for key in KEYS {
        assert_eq!(problems(key.example), [""; 0], "{}", key.path);
    }
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/valid")).unwrap() {
        let file = entry.unwrap().path();
        assert_eq!(problems(&fs::read_to_string(&file).unwrap()), [""; 0], "{}", file.display());
    }
}

#[test]
fn unknown_keys_and_values_do_not_fit() {
    for name in ["unknown_keys", "values", "wrong_types"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/invalid/{name}.toml"));
        assert_ne!(problems(&fs::read_to_string(file).unwrap()), [""; 0], "{name}");
    }
}
