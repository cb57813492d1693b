//! Values that are put together: operators, and literals with code in them.

use super::super::Language;
use super::super::lexer::{Literal, Piece, tokens};
use super::super::texts;
use super::super::value::{HOLE, Value};
use super::{MOST_ALTERNATIVES, Reader, join};

impl Reader<'_> {
    pub(super) fn combine(&mut self, left: &Value, operator: Option<&'static str>, right: &Value) -> Value {
        self.spend(left.weight() + right.weight());
        // Perl's `print $handle "text"`
        if self.dialect.language == Language::Perl && operator.is_none() {
            let (start, end) = (self.start().min(self.end()), self.end());
            self.feed(left, right, start, end);
        }
        let adds = match (self.dialect.language, operator) {
            (Language::Php | Language::Perl, operator) => operator == Some("."),
            (Language::Lua, operator) => operator == Some(".."),
            (_, operator) => operator == Some("+"),
        };
        match (operator, left, right) {
            (Some("+"), Value::List(a), Value::List(b)) => {
                return Value::List(a.iter().chain(b).cloned().collect()).bounded();
            }
            (Some("+"), Value::List(items), found @ Value::File(_))
            | (Some("+"), found @ Value::File(_), Value::List(items)) => {
                return Value::List(items.iter().chain([found]).cloned().collect()).bounded();
            }
            // Ruby's paths are joined with a plus.
            (Some("/" | "+"), Value::File(Some(path)), right)
                if operator == Some("/") || self.dialect.language == Language::Ruby =>
            {
                self.escape(right);
                return Value::File(Some(join(path, &right.shape().unwrap_or_else(|| HOLE.to_string()))));
            }
            (Some("%"), Value::Text(form), right)
                if matches!(self.dialect.language, Language::Python | Language::Ruby) =>
            {
                self.escape(right);
                return match right {
                    Value::List(items) => texts::percent(form, items),
                    right if right.taint() != Value::Unknown => right.taint(),
                    right => texts::percent(form, std::slice::from_ref(right)),
                };
            }
            (_, Value::OneOf(values), other) | (_, other, Value::OneOf(values))
                if adds && values.len() <= MOST_ALTERNATIVES && !matches!(other, Value::OneOf(_)) =>
            {
                let first = matches!(left, Value::OneOf(_));
                let added = values.clone().into_iter().map(|value| {
                    let (one, two) = if first { (&value, right) } else { (left, &value) };
                    self.combine(one, operator, two)
                });
                return Value::OneOf(added.collect());
            }
            _ => {}
        }
        self.escape(left);
        self.escape(right);
        match (left, right) {
            (Value::Fetched, _) | (_, Value::Fetched) => Value::Fetched,
            (Value::Decoded(_), _) | (_, Value::Decoded(_)) => {
                let whole = left.text().zip(right.text()).filter(|_| adds);
                Value::Decoded(whole.map(|(one, two)| one + &two))
            }
            (Value::Text(_) | Value::Partial(_), _) | (_, Value::Text(_) | Value::Partial(_)) if adds => {
                let part = |value: &Value| value.shape().unwrap_or_else(|| HOLE.to_string());
                Value::of_shape(part(left) + &part(right)).bounded()
            }
            _ => {
                let taint = left.taint();
                if taint == Value::Unknown { right.taint() } else { taint }
            }
        }
    }

    pub(super) fn literal(&mut self, literal: &Literal, start: usize) -> Value {
        let mut whole = Value::Text(String::new());
        for piece in &literal.pieces {
            let part = match piece {
                Piece::Text(text) => Value::Text(text.clone()),
                Piece::Code(from, to) if from == to => Value::Unknown,
                Piece::Code(from, to) => self.nested(*from, *to),
            };
            whole = self.concatenate(&whole, part);
        }
        if let (true, Value::Text(words)) = (literal.words, &whole) {
            return Value::List(words.split_whitespace().map(|word| Value::Text(word.to_owned())).collect());
        }
        if literal.shell {
            let end = self.end();
            self.shell(&whole, start, end);
            return Value::Unknown;
        }
        whole
    }

    fn concatenate(&mut self, one: &Value, other: Value) -> Value {
        let operator = match self.dialect.language {
            Language::Php | Language::Perl => ".",
            Language::Lua => "..",
            _ => "+",
        };
        let other = match other {
            Value::Number(number) => Value::Text(number.to_string()),
            other => other,
        };
        self.combine(one, Some(operator), &other)
    }

    /// Code inside a string.
    fn nested(&mut self, from: usize, to: usize) -> Value {
        let (inner, sound) = tokens(self.dialect.language, self.text, from, to);
        if !sound {
            self.code.lose();
            return Value::Unknown;
        }
        let outer = std::mem::replace(&mut self.tokens, inner.into());
        let at = std::mem::replace(&mut self.at, 0);
        let to = std::mem::replace(&mut self.to, self.tokens.len());
        let bracketed = std::mem::replace(&mut self.bracketed, true);
        let mut value = Value::Unknown;
        while self.at < self.to {
            let first = self.at == 0;
            let part = self.expression();
            if first {
                // What stands behind it says how it is written.
                value = if self.at < self.to { part.taint() } else { part };
            } else {
                self.escape(&part);
            }
            if self.at < self.to {
                self.advance();
            }
        }
        self.tokens = outer;
        self.at = at;
        self.to = to;
        self.bracketed = bracketed;
        value
    }
}
