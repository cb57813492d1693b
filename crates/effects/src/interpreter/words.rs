//! Words to fields: expansion and splitting.

use super::alternatives::Alternatives;
use super::expansion::Expanded;
use crate::context::Context;
use crate::effect::{Output, Place, Unknown};
use crate::field::{Data, Field, LONGEST_TEXT};
use crate::paths;
use crate::scope::Mapping;
use crate::state::{NUMBER, PARENT_NUMBER, PLAIN_WORD, Value, Variable};
use hookgate_shell::{Direction, Part, Script, Span, Word};

/// The most fields that one word may become; beyond, one glob stands for all of them.
const MAXIMUM_FIELDS: usize = 128;

/// A field in the making.
#[derive(Default)]
struct Draft {
    text: String,
    /// Part of it is computed.
    computed: bool,
    written: String,
    pattern: bool,
    names: bool,
    /// It is there even if it is empty: something was quoted or literal.
    solid: bool,
    expanded: bool,
    process: Option<Box<Data>>,
    source: Data,
    doubtful: bool,
}

impl Context<'_> {
    /// The fields that a word becomes.
    pub(super) fn fields(&mut self, word: &Word) -> Vec<Field> {
        if let [Part::Literal { text, quoted }] = word.parts.as_slice() {
            return vec![self.literal(text, *quoted, word.span)];
        }
        if let Some(alternatives) = Alternatives::of(word) {
            return self.alternatives(word, &alternatives);
        }
        let mut fields = self.expand(word, true);
        let opens = |part: &Part| matches!(part, Part::Literal { text, quoted: false } if text == "(");
        if word.parts.iter().any(opens) {
            fields.iter_mut().for_each(|field| field.array = true);
        }
        fields
    }

    /// The fields of a word with braces. Too many words are no reason to lose an alternative, only their combinations.
    fn alternatives(&mut self, word: &Word, alternatives: &Alternatives<'_>) -> Vec<Field> {
        let mut fields = Vec::new();
        if alternatives.count() <= MAXIMUM_FIELDS {
            alternatives.all().for_each(|word| fields.extend(self.fields(&word)));
            return fields;
        }
        self.unknown(Unknown::Unparsed, self.scope().mapping.place(word.span));
        self.annotate("braces stand for too many words");
        let length = usize::try_from(word.span.end.saturating_sub(word.span.start)).unwrap_or(0);
        for word in alternatives.cover() {
            // A long word many times is a longer text than was written.
            let Some(left) = self.left.text.get().checked_sub(length) else { break };
            self.left.text.set(left);
            fields.extend(self.expand(&word, true));
        }
        fields
    }

    /// The one field that a word becomes where nothing is split: an assignment's value, a redirection's target.
    pub(super) fn field(&mut self, word: &Word) -> Field {
        if let [Part::Literal { text, quoted }] = word.parts.as_slice() {
            return self.literal(text, *quoted, word.span);
        }
        let mut fields = self.expand(word, false);
        fields.pop().unwrap_or_else(|| Field::of("", self.scope().mapping.place(word.span)))
    }

    fn literal(&self, text: &str, quoted: bool, span: Span) -> Field {
        let place = self.scope().mapping.place(span);
        let length = usize::try_from(span.end.saturating_sub(span.start)).unwrap_or(0);
        let offset = match self.scope().mapping {
            Mapping::At(_) if length == text.len() => Some(place.start),
            Mapping::At(_) if quoted && length == text.len() + 2 => Some(place.start + 1),
            _ => None,
        };
        if offset.is_none() {
            self.pieces.borrow_mut().note(text, place);
        }
        Field { bare: !quoted, literal: true, offset, ..Field::of(text, place) }
    }

    fn expand(&mut self, word: &Word, split: bool) -> Vec<Field> {
        let mut done: Vec<Draft> = Vec::new();
        let mut draft = Draft::default();
        for part in &word.parts {
            match part {
                Part::Literal { text, .. } => {
                    draft.push(text);
                    draft.solid = true;
                }
                Part::Glob(text) => {
                    draft.push(text);
                    draft.pattern = true;
                    draft.solid = true;
                }
                Part::Tilde(user) => {
                    draft.solid = true;
                    match self.home_of(user.trim_start_matches('~')) {
                        Some(home) => draft.push(&home),
                        None => draft.compute(&self.written(word.span)),
                    }
                }
                Part::Brace(words) => {
                    draft.solid = true;
                    match words.as_slice() {
                        // Too many to list.
                        [] => {
                            draft.push(PLAIN_WORD);
                            draft.pattern = true;
                        }
                        [one, ..] => {
                            let field = self.field(one);
                            draft.push(field.shown());
                        }
                    }
                }
                Part::Parameter { name, subscript, expansion, quoted, span } => {
                    let mut expanded = self.parameter(name, subscript.as_deref(), expansion, *span);
                    if name == "*" && *quoted {
                        expanded = self.in_one_word(expanded);
                    }
                    let written = self.written(*span);
                    draft.expanded = true;
                    draft.solid |= *quoted;
                    self.push_expanded(expanded, &written, *quoted || !split, &mut draft, &mut done);
                }
                Part::Command { script, quoted, span } => {
                    let value = Value::from_data(self.substitute(script));
                    let written = self.written(*span);
                    draft.expanded = true;
                    draft.solid |= *quoted;
                    self.push_expanded(
                        Expanded::One(value),
                        &written,
                        *quoted || !split,
                        &mut draft,
                        &mut done,
                    );
                }
                Part::Process { script, direction, .. } => {
                    let data = match direction {
                        Direction::Read => self.substitute(script),
                        Direction::Write => {
                            self.substitute(script);
                            Data::Nothing
                        }
                    };
                    draft.push("/dev/fd/63");
                    draft.solid = true;
                    draft.expanded = true;
                    draft.process = Some(Box::new(data));
                }
                Part::Arithmetic { expression, .. } => {
                    self.arithmetic(expression);
                    draft.push(NUMBER);
                    draft.pattern = true;
                    draft.solid = true;
                    draft.expanded = true;
                }
            }
        }
        if draft.solid || !draft.written.is_empty() {
            done.push(draft);
        }
        let place = self.scope().mapping.place(word.span);
        done.truncate(MAXIMUM_FIELDS);
        let fields: Vec<Field> = done.into_iter().map(|draft| draft.finish(place)).collect();
        for text in fields.iter().filter_map(Field::text) {
            self.pieces.get_mut().note(text, place);
        }
        for field in fields.iter().filter(|field| field.pattern) {
            self.glob_qualifiers(field);
        }
        fields
    }

    /// `"$*"`: all of them, with the first separator between them.
    fn in_one_word(&self, expanded: Expanded) -> Expanded {
        let Expanded::Many(values) = expanded else { return expanded };
        let separator = match self.state.variable("IFS").map(Variable::text) {
            None => Some(" ".to_owned()),
            Some(separators) => {
                separators.map(|separators| separators.chars().next().map(String::from).unwrap_or_default())
            }
        };
        let known: Option<Vec<String>> =
            values.into_iter().map(|value| value.text.filter(|_| !value.pattern)).collect();
        Expanded::One(match known.zip(separator) {
            Some((texts, separator)) => Value::of(texts.join(&separator)),
            None => Value::computed(),
        })
    }

    /// Puts an expansion into the draft, beginning new ones where it is split.
    fn push_expanded(
        &self,
        expanded: Expanded,
        written: &str,
        whole: bool,
        draft: &mut Draft,
        done: &mut Vec<Draft>,
    ) {
        let values = match expanded {
            Expanded::One(value) => vec![value],
            // `"$@"`: fields, even inside quotes.
            Expanded::Many(values) => {
                for (index, value) in values.into_iter().enumerate() {
                    if index > 0 {
                        done.push(std::mem::take(draft));
                    }
                    draft.solid = true;
                    draft.expanded = true;
                    if whole {
                        draft.push_value(self.afforded(value), written);
                    } else {
                        // Without quotes each of them is split again.
                        self.push_expanded(Expanded::One(value), written, whole, draft, done);
                    }
                }
                return;
            }
        };
        for value in values {
            let value = self.afforded(value);
            if whole || value.pattern {
                draft.push_value(value, written);
                continue;
            }
            let separators = self.state.variable("IFS").map(Variable::text);
            let (text, separators) = match (&value.text, separators) {
                (Some(text), None) => (text, " \t\n"),
                (Some(text), Some(Some(separators))) => (text, separators),
                (None, None | Some(Some(" \t\n"))) => {
                    draft.push_value(value, written);
                    continue;
                }
                // Where the text splits what it expands in its own way, a piece can be any word.
                _ => {
                    draft.push_value(Value::unassigned(), written);
                    continue;
                }
            };
            draft.doubtful |= value.doubtful;
            let blank = |c: char| separators.contains(c);
            let mut first = true;
            for piece in text.split(blank) {
                if !first && (draft.solid || !draft.written.is_empty()) {
                    done.push(std::mem::take(draft));
                    draft.expanded = true;
                }
                first = false;
                if !piece.is_empty() {
                    draft.push(piece);
                    draft.pattern |= piece.contains(['*', '?', '[']);
                }
                if done.len() > MAXIMUM_FIELDS {
                    return;
                }
            }
        }
    }

    /// The value, as long as the event's texts have room for it; otherwise a computed one.
    fn afforded(&self, value: Value) -> Value {
        let length = value.text.as_ref().map_or(0, String::len);
        match self.left.text.get().checked_sub(length) {
            Some(left) => {
                self.left.text.set(left);
                value
            }
            None => Value::computed(),
        }
    }

    /// The part of the text as it is written.
    pub(super) fn written(&self, span: Span) -> String {
        span.of(&self.scope().text).to_owned()
    }
    /// `~N`, `~+N`: the directory with that number from the top of `pushd`'s stack, `~-N` from its bottom.
    fn stacked(&self, number: &str) -> Option<String> {
        let mut stack: Vec<&Vec<String>> = self.state.stack.iter().collect();
        stack.push(&self.state.directories);
        let count: usize = number.trim_start_matches(['+', '-']).parse().ok()?;
        let found = match number.strip_prefix('-') {
            Some(_) => stack.get(count),
            None => stack.iter().rev().nth(count),
        };
        match found?.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        }
    }

    pub(super) fn home_of(&self, user: &str) -> Option<String> {
        match user {
            "" => self.variable("HOME"),
            "+" => self.directory().map(str::to_owned),
            "-" => match self.state.previous.as_slice() {
                [one] => Some(one.clone()),
                _ => None,
            },
            "root" => Some("/root".to_owned()),
            number if is_place_in_stack(number) => self.stacked(number),
            user => {
                let own = &self.places().home;
                if paths::file_name(own) == user {
                    return Some(own.clone());
                }
                // A home below a temporary directory was made for a trial.
                let homes = match paths::parent(own) {
                    homes if homes == "/" || paths::place_of(homes, self.places()) == Place::Temporary => {
                        "/home"
                    }
                    homes => homes,
                };
                Some(format!("{homes}/{user}"))
            }
        }
    }

    /// Runs a substitution and says what it prints.
    pub(super) fn substitute(&mut self, script: &Script) -> Data {
        self.capture(Output::Substitution, |context| context.in_subshell(|context| context.run(script)))
    }
}

impl Draft {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.written.push_str(text);
    }

    fn compute(&mut self, written: &str) {
        self.computed = true;
        self.text.push('*');
        self.written.push_str(written);
    }

    fn push_value(&mut self, value: Value, written: &str) {
        self.doubtful |= value.doubtful;
        match value.text.filter(|text| self.text.len() + text.len() <= LONGEST_TEXT) {
            Some(text) => {
                self.push(&text);
                self.pattern |= value.pattern;
                self.names |= value.pattern && stands_for_names(&text);
            }
            None => {
                // The origin of all of a text says what running it would mean; of a part of one it is the worst.
                self.source = std::mem::take(&mut self.source).followed_by_origin(value.source);
                self.compute(value.written.as_deref().unwrap_or(written));
            }
        }
    }

    fn finish(self, span: Span) -> Field {
        let (text, shape) = if self.computed { (None, self.text) } else { (Some(self.text), String::new()) };
        Field {
            text,
            written: self.written,
            shape,
            pattern: self.pattern,
            names: self.names,
            literal: !self.computed && !self.pattern,
            bare: !self.expanded,
            array: false,
            span,
            offset: None,
            process: self.process,
            source: self.source,
            doubtful: self.doubtful,
        }
    }
}

/// Is there a glob in the text besides the marks of numbers and plain words?
fn stands_for_names(text: &str) -> bool {
    text.replace(NUMBER, "").replace(PARENT_NUMBER, "").replace(PLAIN_WORD, "").contains(['*', '?', '['])
}

/// Is what stands behind a tilde a number, with or without a sign?
fn is_place_in_stack(user: &str) -> bool {
    let number = user.strip_prefix(['+', '-']).unwrap_or(user);
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}
