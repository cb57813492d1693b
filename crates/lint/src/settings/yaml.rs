//! YAML to values, without recursion and without aliases, by which a small text stands for a huge one.

use serde_json::{Map, Number, Value};
use yaml_rust2::parser::{Event, Parser};

/// How deep lists and tables may be nested.
const DEEPEST: usize = 64;

/// A list or a table that is still being read.
enum Open {
    List(Vec<Value>),
    Table(Map<String, Value>, Option<String>),
}

/// The first document of a text.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    loop {
        let (event, _) = parser.next_token().ok()?;
        let value = match event {
            Event::Nothing | Event::StreamStart | Event::DocumentStart => continue,
            Event::StreamEnd | Event::DocumentEnd => return Some(Value::Null),
            Event::Alias(_) => return None,
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                None
            }
            Event::MappingStart(..) => {
                open.push(Open::Table(Map::new(), None));
                None
            }
            Event::SequenceEnd | Event::MappingEnd => Some(match open.pop()? {
                Open::List(list) => Value::Array(list),
                Open::Table(table, _) => Value::Object(table),
            }),
            Event::Scalar(text, style, ..) => {
                let is_plain = matches!(style, yaml_rust2::scanner::TScalarStyle::Plain);
                Some(if is_plain { plain(&text) } else { Value::String(text) })
            }
        };
        if open.len() > DEEPEST {
            return None;
        }
        let Some(value) = value else { continue };
        match open.last_mut() {
            None => return Some(value),
            Some(Open::List(list)) => list.push(value),
            Some(Open::Table(table, name)) => match name.take() {
                Some(name) => drop(table.insert(name, value)),
                None => *name = Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            },
        }
    }
}

/// What a scalar without quotes is.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match text.parse::<i64>() {
            Ok(number) => Value::Number(Number::from(number)),
            Err(_) => text
                .parse::<f64>()
                .ok()
                .and_then(Number::from_f64)
                .map_or_else(|| Value::String(text.to_owned()), Value::Number),
        },
    }
}
