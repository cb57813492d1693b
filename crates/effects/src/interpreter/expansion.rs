//! `$x`, `${x:-y}` and their relatives.

use crate::context::Context;
use crate::field::{Data, LONGEST_TEXT};
use crate::paths::glob_matches;
use crate::scope::Lasts;
use crate::state::{NUMBER, PARENT_NUMBER, PLAIN_WORD, Value};
use hookgate_secrets::names_a_secret;
use hookgate_shell::{Expansion, Span, Word, Zsh};

/// What an expansion puts into a word.
pub(super) enum Expanded {
    One(Value),
    /// `"$@"`, `"${a[@]}"`
    Many(Vec<Value>),
}

impl Context<'_> {
    /// Expands a parameter.
    pub(super) fn parameter(
        &mut self,
        name: &str,
        subscript: Option<&Word>,
        expansion: &Expansion,
        span: Span,
    ) -> Expanded {
        let subscript = subscript.map(|word| self.subscript(name, word));
        let index = subscript.as_ref().map(|field| field.shown().to_owned());
        match expansion {
            Expansion::Plain | Expansion::Zsh(Zsh::Subscript | Zsh::Modifier) => {
                self.look_up(name, index.as_deref())
            }
            // zsh takes a `~` in the value for a home as well.
            Expansion::Zsh(Zsh::Sign) => {
                let home = self.home_of("").unwrap_or_default();
                self.change(name, index.as_deref(), |text| match text.strip_prefix('~') {
                    Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(format!("{home}{rest}")),
                    _ => Some(text.to_owned()),
                })
            }
            Expansion::Length => Expanded::One(Value::pattern(NUMBER)),
            Expansion::Indirect => self.indirect(name, index.as_deref(), span),
            Expansion::Default(word) => self.default(name, index.as_deref(), word, false, span),
            Expansion::Assign(word) => self.default(name, index.as_deref(), word, true, span),
            Expansion::Alternative(word) => {
                let empty = matches!(self.look_up(name, index.as_deref()),
                    Expanded::One(Value { text: Some(text), .. }) if text.is_empty());
                if empty && self.state.variable(name).is_some() {
                    return Expanded::One(Value::of(""));
                }
                let field = self.field(word);
                Expanded::One(Value::from_field(field))
            }
            Expansion::Require(word) => {
                self.field(word);
                match self.look_up(name, index.as_deref()) {
                    // The shell ends there.
                    Expanded::One(value) if value.is_unassigned() => {
                        Expanded::One(Value::pattern(PLAIN_WORD))
                    }
                    value => value,
                }
            }
            Expansion::RemovePrefix(word) => {
                let longest = self.operator(span, name).starts_with("##");
                let pattern = self.field(word);
                self.change(name, index.as_deref(), |text| remove_prefix(text, pattern.text()?, longest))
            }
            Expansion::RemoveSuffix(word) => {
                let longest = self.operator(span, name).starts_with("%%");
                let pattern = self.field(word);
                self.change(name, index.as_deref(), |text| remove_suffix(text, pattern.text()?, longest))
            }
            Expansion::Replace(pattern, replacement) => {
                let all = self.operator(span, name).starts_with("//");
                let pattern = self.field(pattern);
                let replacement = self.field(replacement);
                self.change(name, index.as_deref(), |text| {
                    replace(text, pattern.text()?, pattern.pattern, replacement.text()?, all)
                })
            }
            Expansion::Other(words) => {
                let operator = self.operator(span, name);
                let operator = operator.strip_suffix('}').unwrap_or(&operator).to_owned();
                for word in words {
                    if operator.starts_with(':') {
                        self.arithmetic(word);
                    } else {
                        self.field(word);
                    }
                }
                if operator == "@P" {
                    let values = match self.look_up(name, index.as_deref()) {
                        Expanded::One(value) => vec![value],
                        Expanded::Many(values) => values,
                    };
                    for value in values {
                        self.prompt(&value, self.scope().mapping.place(span));
                    }
                }
                let lists = matches!(name, "@" | "*") || matches!(index.as_deref(), Some("@" | "*"));
                if let Some(slice) = operator.strip_prefix(':').filter(|_| lists) {
                    return self.sliced(name, index.as_deref(), slice);
                }
                self.change(name, index.as_deref(), |text| other(text, &operator))
            }
        }
    }

    /// `${@:2}`, `${a[@]:0:3}`: some of the values; all of them, any of which it may be, where the numbers are computed.
    fn sliced(&mut self, name: &str, index: Option<&str>, slice: &str) -> Expanded {
        let Expanded::Many(mut values) = self.look_up(name, index) else {
            return Expanded::One(Value::computed());
        };
        if matches!(name, "@" | "*")
            && let Expanded::One(own) = self.look_up("0", None)
        {
            values.insert(0, own);
        }
        match bounds(slice, values.len()) {
            Some((start, end)) => {
                Expanded::Many(values.get(start..end).map(<[Value]>::to_vec).unwrap_or_default())
            }
            None => {
                values.iter_mut().for_each(|value| value.doubtful = true);
                Expanded::Many(values)
            }
        }
    }

    /// `${!NAME}`: the variable that its value names.
    fn indirect(&mut self, name: &str, index: Option<&str>, span: Span) -> Expanded {
        // `${!#}`: the last argument.
        if name == "#" {
            let count = self.state.positional.as_ref().map_or(0, Vec::len);
            return self.look_up(&count.to_string(), None);
        }
        // `${!?}`: `$0`, or an argument whose number a command ends with.
        if name == "?" {
            return Expanded::One(Value::computed());
        }
        let inner = self.look_up(name, index);
        if let Expanded::One(value) = &inner
            && (value.text.is_some() || self.state.variable(name).is_some())
        {
            self.name_in(value, self.scope().mapping.place(span));
        }
        match inner {
            Expanded::One(Value { text: Some(other), pattern: false, .. }) => {
                // `A[@]`: all elements of it.
                match other.strip_suffix(']').and_then(|other| other.split_once('[')) {
                    Some((array, index)) => self.look_up(array, Some(index)),
                    None => self.look_up(&other, None),
                }
            }
            _ => Expanded::One(Value::computed()),
        }
    }

    /// `${NAME:-WORD}`, `${NAME:=WORD}`: the word, where the variable has no value.
    fn default(
        &mut self,
        name: &str,
        index: Option<&str>,
        word: &Word,
        assigns: bool,
        span: Span,
    ) -> Expanded {
        // Without the colon an empty value counts.
        let empty_counts = !self.operator(span, name).starts_with(':');
        let set = self.state.variable(name).is_some();
        let value = self.look_up(name, index);
        // What the text does not set is most likely not set at all.
        let missing = match &value {
            Expanded::One(value) => match &value.text {
                Some(text) => text.is_empty() && !(empty_counts && set),
                None => {
                    value.is_unassigned()
                        || (value.source == Data::Unknown && self.state.variable(name).is_none())
                }
            },
            Expanded::Many(values) => values.is_empty(),
        };
        // A secret of the environment that is there is shown, and the word's commands run where it isn't.
        let is_secret = matches!(&value, Expanded::One(value) if value.source == Data::Secret) && !set;
        if !missing && !is_secret {
            return value;
        }
        let default = self.field(word);
        if is_secret {
            return value;
        }
        let default = Value::from_field(default);
        if assigns {
            let field = self.field_of(&default);
            match index {
                Some(index) => self.named_element_for_shell(&format!("{name}[{index}]"), &field),
                None => self.hijack(name, &field, Lasts::FromHere),
            }
            self.state.set(name, default.clone());
        }
        Expanded::One(default)
    }

    /// What stands behind the name in `${name...}`.
    fn operator(&self, span: Span, name: &str) -> String {
        let written = span.of(&self.scope().text);
        let inner = written.strip_prefix("${").unwrap_or(written);
        let rest = inner.strip_prefix(name).unwrap_or(inner);
        match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((_, rest)) => rest.to_owned(),
            None => rest.to_owned(),
        }
    }

    fn change(
        &mut self,
        name: &str,
        index: Option<&str>,
        change: impl Fn(&str) -> Option<String>,
    ) -> Expanded {
        let apply = |value: Value| match value.text.as_deref().map(&change) {
            Some(Some(text)) => Value { text: Some(text), source: Data::Unknown, ..value },
            Some(None) => Value::computed(),
            None => Value { pattern: false, ..value },
        };
        match self.look_up(name, index) {
            Expanded::One(value) => Expanded::One(apply(value)),
            Expanded::Many(values) => Expanded::Many(values.into_iter().map(apply).collect()),
        }
    }

    /// The value of a variable or special parameter.
    pub(super) fn look_up(&self, name: &str, index: Option<&str>) -> Expanded {
        let number = || Expanded::One(Value::pattern(NUMBER));
        match name {
            "@" | "*" => return Expanded::Many(self.state.positional.clone().unwrap_or_default()),
            "#" | "?" | "$" | "!" => return number(),
            "0" => {
                let name = self.state.own_name.clone();
                return Expanded::One(name.unwrap_or_else(|| Value::of("bash")));
            }
            "-" => return Expanded::One(Value::from_data(Data::Word)),
            // The last word of the command before, whatever was assigned to it.
            "_" => return Expanded::One(self.state.last_word.clone()),
            _ => {}
        }
        if let Ok(position) = name.parse::<usize>() {
            let positional = self.state.positional.as_deref().unwrap_or_default();
            let value = position.checked_sub(1).and_then(|at| positional.get(at)).cloned();
            return Expanded::One(value.unwrap_or_else(|| Value::of("")));
        }
        if let Some(variable) = self.state.variable(name) {
            if let Some(elements) = &variable.elements {
                return match index {
                    Some("@" | "*") => Expanded::Many(elements.clone()),
                    None => Expanded::One(elements.first().cloned().unwrap_or_default()),
                    Some(index) => {
                        let value =
                            index.parse::<usize>().ok().and_then(|index| elements.get(index)).cloned();
                        Expanded::One(value.unwrap_or_default())
                    }
                };
            }
            return match variable.values.as_slice() {
                [one] => {
                    let mut value = one.clone();
                    // What the text has assigned since then is not what was meant.
                    value.written = value.written.filter(|written| !self.mentions_assigned(written));
                    Expanded::One(value)
                }
                _ => Expanded::One(Value::computed()),
            };
        }
        match name {
            "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "BASHPID" | "COLUMNS" | "LINES"
            | "EPOCHSECONDS" | "SRANDOM" | "SHLVL" => return number(),
            // Of the number of the shell's parent it is known whose it is.
            "PPID" => return Expanded::One(Value::pattern(PARENT_NUMBER)),
            "HOSTNAME" | "OSTYPE" | "MACHTYPE" | "HOSTTYPE" | "EPOCHREALTIME" | "BASH_VERSION" => {
                return Expanded::One(Value::from_data(Data::Word));
            }
            // The person's own shell may have set it to another directory.
            "TMPDIR" => {
                let value = self.environment(name).map_or_else(Value::computed, Value::of);
                return Expanded::One(Value { doubtful: true, ..value });
            }
            "IFS" => return Expanded::One(Value::of(" \t\n")),
            "OLDPWD" => {
                return Expanded::One(match self.state.previous.as_slice() {
                    [one] => Value::of(one.clone()),
                    _ => Value::computed(),
                });
            }
            _ => {}
        }
        let of_environment =
            || Value::from_data(if names_a_secret(name) { Data::Secret } else { Data::Unknown });
        Expanded::One(self.environment(name).map_or_else(of_environment, Value::of))
    }
}

impl Context<'_> {
    /// Does a text mention a variable that the text has assigned?
    fn mentions_assigned(&self, written: &str) -> bool {
        written.split('$').skip(1).any(|rest| {
            let rest = rest.strip_prefix('{').unwrap_or(rest);
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            rest.get(..end).is_none_or(|name| self.state.variable(name).is_some())
        })
    }
}

/// The beginnings of a text, shortest first.
fn cuts(text: &str) -> impl DoubleEndedIterator<Item = (&str, &str)> {
    text.char_indices()
        .map(|(at, _)| at)
        .chain(std::iter::once(text.len()))
        .filter_map(|at| text.split_at_checked(at))
        .collect::<Vec<_>>()
        .into_iter()
}

/// Texts longer than this are not searched for every glob at every place.
const MAXIMUM_SEARCHED: usize = 4096;

fn remove_prefix(text: &str, pattern: &str, longest: bool) -> Option<String> {
    if !pattern.contains(['*', '?', '[']) {
        return Some(text.strip_prefix(pattern).unwrap_or(text).to_owned());
    }
    if text.len() > MAXIMUM_SEARCHED {
        return None;
    }
    let fits = |(head, _): &(&str, &str)| loose_match(pattern, head);
    let found = if longest { cuts(text).rev().find(fits) } else { cuts(text).find(fits) };
    Some(found.map_or(text, |(_, tail)| tail).to_owned())
}

fn remove_suffix(text: &str, pattern: &str, longest: bool) -> Option<String> {
    if !pattern.contains(['*', '?', '[']) {
        return Some(text.strip_suffix(pattern).unwrap_or(text).to_owned());
    }
    if text.len() > MAXIMUM_SEARCHED {
        return None;
    }
    let fits = |(_, tail): &(&str, &str)| loose_match(pattern, tail);
    let found = if longest { cuts(text).find(fits) } else { cuts(text).rev().find(fits) };
    Some(found.map_or(text, |(head, _)| head).to_owned())
}

/// A glob over text, where a leading dot is nothing special.
fn loose_match(pattern: &str, text: &str) -> bool {
    glob_matches(&format!("x{pattern}"), &format!("x{text}"))
}

fn replace(text: &str, pattern: &str, glob: bool, replacement: &str, all: bool) -> Option<String> {
    if glob || pattern.is_empty() {
        return None;
    }
    if let Some(prefix) = pattern.strip_prefix('#') {
        return Some(match text.strip_prefix(prefix) {
            Some(rest) => format!("{replacement}{rest}"),
            None => text.to_owned(),
        });
    }
    if let Some(suffix) = pattern.strip_prefix('%') {
        return Some(match text.strip_suffix(suffix) {
            Some(rest) => format!("{rest}{replacement}"),
            None => text.to_owned(),
        });
    }
    let times = if all { text.matches(pattern).count() } else { 1 };
    if text.len() + times.saturating_mul(replacement.len()) > LONGEST_TEXT {
        return None;
    }
    Some(text.replacen(pattern, replacement, times))
}

/// `${x:1:2}`, `${x^^}`, `${x,,}`, `${x@L}`.
fn other(text: &str, operator: &str) -> Option<String> {
    match operator {
        "^^" | "@U" => return Some(text.to_uppercase()),
        ",," | "@L" => return Some(text.to_lowercase()),
        "^" | "@u" => return Some(change_first(text, |c| c.to_uppercase().collect())),
        "," => return Some(change_first(text, |c| c.to_lowercase().collect())),
        "@P" | "@E" | "@Q" => return (!text.contains(['\\', '$', '`', '\''])).then(|| text.to_owned()),
        _ => {}
    }
    let slice = operator.strip_prefix(':')?;
    let characters: Vec<char> = text.chars().collect();
    let (start, end) = bounds(slice, characters.len())?;
    Some(characters.get(start..end)?.iter().collect())
}

/// Where `OFFSET` or `OFFSET:LENGTH` begins and ends, of so many; negative numbers count from the end.
fn bounds(slice: &str, count: usize) -> Option<(usize, usize)> {
    let (offset, length) = match slice.split_once(':') {
        Some((offset, length)) => (offset, Some(length.trim().parse::<i64>().ok()?)),
        None => (slice, None),
    };
    let offset = offset.trim().trim_start_matches('(').trim_end_matches(')').parse::<i64>().ok()?;
    let count = i64::try_from(count).ok()?;
    let start = if offset < 0 { (count + offset).max(0) } else { offset.min(count) };
    let end = match length {
        None => count,
        Some(length) if length < 0 => (count + length).max(start),
        Some(length) => start.saturating_add(length).min(count),
    };
    Some((usize::try_from(start).ok()?, usize::try_from(end).ok()?))
}

fn change_first(text: &str, change: impl Fn(char) -> String) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => change(first) + characters.as_str(),
        None => String::new(),
    }
}
