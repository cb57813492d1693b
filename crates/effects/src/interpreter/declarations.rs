//! The shell's own commands that set variables: `declare` and its like, `read` and its like.

use crate::context::Context;
use crate::effect::{Kind, Unknown};
use crate::field::{Data, Field};
use crate::state::{Value, Variable};
use crate::texts::{operands, option_value};
use hookgate_secrets::names_a_secret;

impl Context<'_> {
    /// `declare -n NAME=VARIABLE`: what is assigned to the name from here on goes to the variable.
    fn declare_references(&mut self, arguments: &[Field]) {
        for field in arguments.iter().filter(|field| !field.is_dashed()) {
            let (name, target) = match field.written.split_once('=') {
                Some((name, _)) => (name, field.after(name.len() + 1)),
                None => (field.shown(), Field::of("", field.span)),
            };
            match target.text().filter(|text| !text.is_empty()) {
                Some(text) => {
                    self.name(&target);
                    self.hijack_unseen(text);
                    self.state.refer(name, text);
                }
                None => {
                    self.state.set(name, Value::computed());
                    self.unknown(Unknown::Unparsed, field.span);
                }
            }
        }
    }

    pub(super) fn declare(&mut self, builtin: &str, arguments: &[Field]) {
        let exports = builtin == "export"
            || arguments
                .iter()
                .take_while(|field| field.is_dashed())
                .any(|field| field.written.contains('x'));
        let names = arguments.iter().any(|field| !field.is_dashed());
        let lists = matches!(builtin, "export" | "declare" | "typeset")
            && !arguments
                .iter()
                .any(|field| matches!(field.written.as_str(), "-f" | "-F" | "-a" | "-A" | "-i"));
        if !names && lists {
            // They print the environment, with the tokens in it.
            if !self.scope().chosen {
                self.effect(Kind::SecretRead);
            }
            return;
        }
        let functions = arguments.iter().any(|field| field.is("-f") || field.is("-F") || field.is("-p"));
        if functions {
            let prints = arguments.iter().any(|field| field.is("-p")) && lists;
            let shown = arguments.iter().filter(|field| prints && !field.is_dashed());
            for name in shown.filter(|field| field.text().is_none_or(names_a_secret)) {
                self.named(Kind::SecretRead, name);
            }
            return;
        }
        let reference = matches!(builtin, "declare" | "typeset" | "local")
            && arguments
                .iter()
                .take_while(|field| field.is_dashed())
                .any(|field| field.written.contains('n'));
        if reference {
            return self.declare_references(arguments);
        }
        let letters: Vec<&Field> = arguments.iter().take_while(|field| field.is_dashed()).collect();
        let has = |letter: char| letters.iter().any(|field| field.written.contains(letter));
        let (integer, associative) = (has('i'), has('A'));
        for field in arguments.iter().filter(|field| !field.is_dashed()) {
            let declared = field.written.split_once('=').map_or(field.shown(), |(name, _)| name);
            let declared = declared.trim_end_matches('+').to_owned();
            if integer {
                self.state.count(&declared);
            }
            if associative {
                self.state.associate(&declared);
            }
            self.name(&Field::of(declared, field.span));
            let Some((name, _)) = field.written.split_once('=') else {
                if builtin == "export" || builtin == "readonly" {
                    self.unseen_change(field.shown());
                }
                if exports {
                    self.state.export(field.shown());
                } else if builtin == "local" {
                    self.state.shadow(field.shown());
                    self.state.set(field.shown(), Value::of(""));
                }
                continue;
            };
            let append = name.ends_with('+');
            if builtin == "local" && !append {
                self.state.shadow(name);
            }
            let value = field.after(name.len() + 1);
            let name = name.trim_end_matches('+').to_owned();
            // With the attribute a text in brackets is read as elements too.
            let elements = value.text().filter(|_| field.array || has('a') || associative);
            match elements.and_then(|text| text.strip_prefix('(')?.strip_suffix(')')) {
                Some(list) => {
                    let elements = list
                        .split_whitespace()
                        .map(|item| Value::of(item.trim_matches(['"', '\''])))
                        .collect();
                    let variable = Variable { elements: Some(elements), ..Variable::default() };
                    self.state.set_variable(&name, variable);
                }
                None => {
                    let source = field.source.clone();
                    let value = Field { source, ..value };
                    self.named_element_for_shell(&name, &value);
                    self.assign_field(&name, value, append);
                }
            }
            if exports {
                self.state.export(&name);
            }
        }
    }

    /// `unset NAMES`, `unset -v NAMES`, `unset -f FUNCTIONS`, `unset 'ARRAY[I]'`: what isn't sure to be gone stays possible.
    pub(super) fn unset(&mut self, arguments: &[Field]) {
        let has = |letter: char| {
            let mut options = arguments.iter().take_while(|field| field.is_dashed());
            options.any(|field| field.written.contains(letter))
        };
        let (functions, variables) = (!has('v'), !has('f'));
        for field in operands(arguments, "") {
            self.name(field);
            let Some(name) = field.text() else { continue };
            let whole = name.split_once('[').map_or(name, |(name, _)| name);
            self.unseen_change(whole);
            // Of an array an element goes: what the others hold stays.
            let is_there = self.state.variable(name).is_some();
            if variables && whole == name {
                self.state.unset(name);
            }
            // Without an option a function goes only where there is no such variable.
            if functions && !(variables && is_there) {
                self.state.undefine(name);
            }
        }
    }

    /// The value as a word of the command that runs.
    pub(super) fn field_of(&self, value: &Value) -> Field {
        let span = self.scope().span;
        match &value.text {
            Some(text) => Field { pattern: value.pattern, ..Field::of(text.clone(), span) },
            None => Field::computed("", span),
        }
    }

    pub(super) fn read_variables(&mut self, builtin: &str, arguments: &[Field]) {
        let reads = builtin == "read";
        // What other descriptors hold is not followed; without an input given here, it is the terminal's or a pipe's.
        let descriptor = arguments
            .iter()
            .any(|field| field.written.strip_prefix('-').is_some_and(|letters| letters.contains('u')));
        let input = if descriptor { &Data::Unknown } else { self.input() };
        let values: Vec<Value> = match input {
            Data::Text(text) => text.lines().map(Value::of).collect(),
            Data::Nothing => vec![Value::unassigned()],
            data => vec![Value::from_data(data.clone())],
        };
        let names: Vec<String> =
            operands(arguments, "pntdNiuOsCc").map(|field| field.shown().to_owned()).collect();
        for name in &names {
            self.name(&Field::of(name, self.scope().span));
            self.hijack_unseen(name);
            for value in &values {
                self.named_element_for_shell(name, &self.field_of(value));
            }
        }
        if !reads && let Some(callback) = option_value(arguments, 'C') {
            // It is called with a number and a line that was read.
            let text = callback.text.map(|text| format!("{text} 0 \"$__line__\""));
            let offset = None;
            self.run_shell(&Field { text, offset, ..callback });
        }
        if !reads || arguments.iter().any(|field| field.is("-a") || field.is("-ra")) {
            // `read` makes elements of the words of a line, `mapfile` of lines.
            let elements = match values.as_slice() {
                [Value { text: Some(text), pattern: false, .. }] if reads => {
                    self.words_of_line(text).iter().map(Value::of).collect()
                }
                _ => values,
            };
            for name in names {
                let variable = Variable { elements: Some(elements.clone()), ..Variable::default() };
                self.state.set_variable(&name, variable);
            }
            return;
        }
        match names.as_slice() {
            [] => self.state.set_variable("REPLY", Variable { values, ..Variable::default() }),
            [one] => self.state.set_variable(one, Variable { values, ..Variable::default() }),
            several => {
                let splits = self.splits();
                for (index, name) in several.iter().enumerate() {
                    let last = index + 1 == several.len();
                    let part = |value: &Value| match &value.text {
                        Some(text) if !value.pattern => Value::of(nth_word(text, index, last, &splits)),
                        _ => Value { text: None, ..value.clone() },
                    };
                    let values = values.iter().map(part).collect();
                    self.state.set_variable(name, Variable { values, ..Variable::default() });
                }
            }
        }
    }
}

impl Context<'_> {
    /// Where `read` splits a line.
    fn splits(&self) -> impl Fn(char) -> bool + use<> {
        let separators = self.state.variable("IFS").and_then(Variable::text).map(str::to_owned);
        move |c: char| match &separators {
            Some(separators) => separators.contains(c),
            None => c.is_whitespace(),
        }
    }

    fn words_of_line(&self, text: &str) -> Vec<String> {
        let splits = self.splits();
        let text = text.lines().next().unwrap_or_default();
        text.split(&splits).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }
}

/// What `read` puts into the variable at that place; the last one gets all that is left.
fn nth_word(text: &str, index: usize, last: bool, splits: impl Fn(char) -> bool) -> String {
    let mut rest = text;
    for _ in 0..index {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() && splits(c));
        rest = rest.split_once(&splits).map_or("", |(_, rest)| rest);
    }
    rest = rest.trim_matches(|c: char| c.is_whitespace() && splits(c));
    if last { rest.to_owned() } else { rest.split(&splits).next().unwrap_or_default().to_owned() }
}
