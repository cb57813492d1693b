//! What a change of a setting amounts to: rows of `[meaning]`.
//!
//! A row names a setting by its path (`lint.per-file-ignores.*`: `*` is one name or a part of it) and says which way is stricter:
//!
//! | word | the stricter value |
//! |---|---|
//! | `more`, `fewer` | the list that has more or fewer entries: the other one is contained in it |
//! | `lower`, `higher` | the smaller or larger number |
//! | `true`, `false` | this one |
//! | `order A B …` | the later one; spellings of one value are joined by commas (`off,0`) |
//! | `same` | neither |
//!
//! `prefixes` behind `more` or `fewer`: an entry stands for all that begin with it, and `ALL` for everything. `absent VALUE` says
//! which value, as JSON, a setting has that is not there; without it, nothing is known of a setting that comes or goes.

use hookgate_knowledge::glob;
use serde_json::Value;

use super::compare::Direction;

/// The rows of one linter.
pub(crate) struct Meanings {
    rows: Vec<Row>,
}

struct Row {
    path: String,
    stricter: Option<Stricter>,
    prefixes: bool,
    absent: Option<Value>,
}

#[derive(Debug)]
enum Stricter {
    More,
    Fewer,
    Lower,
    Higher,
    Is(bool),
    Order(Vec<String>),
    Same,
}

impl Meanings {
    pub(crate) fn new<'a>(rows: impl Iterator<Item = (&'a str, Vec<&'a str>)>) -> Meanings {
        let rows = rows.map(|(path, cells)| row(path, &cells)).collect();
        Meanings { rows }
    }

    /// Rows that can't be read.
    #[cfg(test)]
    pub(crate) fn mistakes(&self) -> Vec<String> {
        self.rows.iter().filter(|row| row.stricter.is_none()).map(|row| row.path.clone()).collect()
    }

    /// What the change of a setting amounts to.
    pub(super) fn judge(&self, path: &[&str], before: Option<&Value>, after: Option<&Value>) -> Direction {
        let Some(row) = self.find(path) else { return Direction::Different };
        let before = before.or(row.absent.as_ref());
        let after = after.or(row.absent.as_ref());
        let (Some(before), Some(after)) = (before, after) else { return Direction::Different };
        row.judge(before, after)
    }

    /// Is something known of the setting itself, so that nothing in it is looked at alone? A level is a text, a list or a
    /// table with `level`; any other table in its place holds more settings.
    pub(super) fn is_known(&self, path: &[&str], before: Option<&Value>, after: Option<&Value>) -> bool {
        let holds_more = |value: Option<&Value>| {
            value.is_none_or(|value| value.as_object().is_some_and(|table| !table.contains_key("level")))
        };
        self.find(path).is_some_and(|row| {
            !(matches!(row.stricter, Some(Stricter::Order(_) | Stricter::Same))
                && holds_more(before)
                && holds_more(after))
        })
    }

    /// The row of most names without `*`.
    fn find(&self, path: &[&str]) -> Option<&Row> {
        let matching = self.rows.iter().filter(|row| {
            row.path.split('.').count() == path.len()
                && row.path.split('.').zip(path).all(|(pattern, name)| glob::matches(pattern, name))
        });
        matching.max_by_key(|row| row.path.split('.').filter(|name| !name.contains('*')).count())
    }
}

fn row(path: &str, cells: &[&str]) -> Row {
    let absent_at = cells.iter().position(|cell| *cell == "absent");
    let absent = absent_at.and_then(|at| cells.get(at + 1)).and_then(|text| serde_json::from_str(text).ok());
    let words = cells.get(..absent_at.unwrap_or(cells.len())).unwrap_or_default();
    let stricter = match words {
        ["more", ..] => Some(Stricter::More),
        ["fewer", ..] => Some(Stricter::Fewer),
        ["lower"] => Some(Stricter::Lower),
        ["higher"] => Some(Stricter::Higher),
        ["true"] => Some(Stricter::Is(true)),
        ["false"] => Some(Stricter::Is(false)),
        ["same"] => Some(Stricter::Same),
        ["order", values @ ..] if values.len() > 1 => {
            Some(Stricter::Order(values.iter().map(|value| (*value).to_owned()).collect()))
        }
        _ => None,
    };
    Row {
        path: path.to_owned(),
        stricter: stricter.filter(|_| absent_at.is_none() || absent.is_some()),
        prefixes: words.contains(&"prefixes"),
        absent,
    }
}

impl Row {
    fn judge(&self, before: &Value, after: &Value) -> Direction {
        use std::cmp::Ordering;
        let Some(stricter) = &self.stricter else { return Direction::Different };
        let order = match stricter {
            Stricter::More | Stricter::Fewer => {
                let (Some(old), Some(new)) = (entries(before), entries(after)) else {
                    return Direction::Different;
                };
                match (self.contains(&new, &old), self.contains(&old, &new)) {
                    (true, true) => Some(Ordering::Equal),
                    (true, false) => Some(Ordering::Greater),
                    (false, true) => Some(Ordering::Less),
                    // Something came and something went: what went or came to the wrong side counts.
                    (false, false) => return Direction::Weaker,
                }
            }
            Stricter::Lower | Stricter::Higher => match (number(before), number(after)) {
                (Some(before), Some(after)) => after.partial_cmp(&before),
                _ => None,
            },
            Stricter::Is(strict) => match (boolean(before), boolean(after)) {
                (Some(before), Some(after)) => Some((after == *strict).cmp(&(before == *strict))),
                _ => None,
            },
            Stricter::Order(values) => {
                let (old, old_rest) = head(before);
                let (new, new_rest) = head(after);
                let rank =
                    |value: &str| values.iter().position(|names| names.split(',').any(|name| name == value));
                match (rank(&old), rank(&new)) {
                    (Some(old), Some(new)) if old_rest == new_rest || new == 0 || old == 0 => {
                        Some(new.cmp(&old))
                    }
                    _ => None,
                }
            }
            Stricter::Same => None,
        };
        let order = if matches!(stricter, Stricter::Fewer | Stricter::Lower) {
            order.map(Ordering::reverse)
        } else {
            order
        };
        match order {
            Some(Ordering::Equal) => Direction::Same,
            Some(Ordering::Greater) => Direction::Stricter,
            Some(Ordering::Less) => Direction::Weaker,
            None => Direction::Different,
        }
    }

    /// Is each of `small` in `large`?
    fn contains(&self, large: &[String], small: &[String]) -> bool {
        small.iter().all(|entry| {
            large.iter().any(|other| {
                other == entry || (self.prefixes && (other == "ALL" || entry.starts_with(other.as_str())))
            })
        })
    }
}

/// The entries of a list; a text is a list too, as settings files without lists write it.
fn entries(value: &Value) -> Option<Vec<String>> {
    Some(match value {
        Value::Array(list) => list.iter().map(shown).collect(),
        Value::Object(table) => table.iter().map(|(name, value)| format!("{name}={value}")).collect(),
        Value::String(text) => text
            .split(|character: char| character == ',' || character.is_whitespace())
            .filter(|entry| !entry.is_empty())
            .map(str::to_owned)
            .collect(),
        Value::Null => Vec::new(),
        _ => return None,
    })
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// The level in a value, and what else is in it: `"warn"`, `["warn", options]`, `{ level = "warn", options }`.
fn head(value: &Value) -> (String, Value) {
    match value {
        Value::Array(list) => {
            (list.first().map(shown).unwrap_or_default(), list.get(1..).unwrap_or_default().into())
        }
        Value::Object(table) if table.contains_key("level") => {
            let mut rest = table.clone();
            let level = rest.remove("level").map(|level| shown(&level)).unwrap_or_default();
            (level, if rest.is_empty() { Value::Array(Vec::new()) } else { Value::Object(rest) })
        }
        value => (shown(value), Value::Array(Vec::new())),
    }
}

/// A text as it is, everything else as JSON.
pub(super) fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
