//! What a command prints: names that another one takes.

use hookgate_shell::{Node, Script, Span, Statement, Word};

use super::{Argument, is_cluster_with};
use crate::Proven;
use crate::state::Value;
use crate::statements::{Input, Prover};
use crate::table::{Row, is_listed};

impl Prover<'_> {
    /// Does the script print names that don't begin with a dash: of objects, dates, directories?
    #[expect(clippy::unused_self, reason = "it reads as one of the steps")]
    pub(crate) fn prints_plain_names(&self, script: &Script) -> bool {
        let [statement] = script.statements.as_slice() else { return false };
        let Node::Command(command) = &statement.node else { return false };
        let words: Vec<String> = command.words.iter().filter_map(Word::literal).collect();
        let Some(name) = words.first() else { return false };
        let sub = words
            .iter()
            .skip(1)
            .find(|word| !word.starts_with('-'))
            .filter(|_| Row::of(name).is_some_and(|row| row.subcommands));
        let key = sub.map_or_else(|| name.clone(), |sub| format!("{name}.{sub}"));
        // What it is given may be what it prints.
        let given = words.get(1 + usize::from(sub.is_some())..).unwrap_or_default();
        let computed = words.len() < command.words.len() && !is_listed("prints-none-of-its-words", &key);
        is_listed("prints-plain-names", &key)
            && !computed
            && given.iter().all(|word| is_plain_part(&key, word))
    }

    /// Does the stage, which was just walked, print names of files in places that may be read?
    pub(crate) fn prints_names(&mut self, stage: &Statement, input: Input) -> bool {
        let Node::Command(command) = &stage.node else { return false };
        let words: Vec<String> = command.words.iter().filter_map(Word::literal).collect();
        let Some(name) = words.first() else { return false };
        let row = Row::of(name).and_then(|row| match words.get(1) {
            Some(sub) if row.subcommands => Row::of(&format!("{name}.{sub}")),
            _ => Some(row),
        });
        let Some(row) = row else { return false };
        let rewrites = |word: &String| {
            let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
            row.rewrites.iter().any(|option| name == *option || !row.single && is_cluster_with(word, option))
        };
        let computed = words.len() < command.words.len();
        if words.iter().any(rewrites) || computed && !row.rewrites.is_empty() || self.finds_dashes() {
            return false;
        }
        let dashed = |directory: &String| self.ground.files.knows_dashes(directory);
        if row.tracked && self.state.directories.iter().any(dashed) {
            return false;
        }
        if row.filter
            && input == Input::Names
            && !row.names_with.iter().any(|option| words.iter().any(|word| word == option))
        {
            return true;
        }
        let negates = words.iter().any(|word| matches!(word.as_str(), "-not" | "!"));
        if super::own::widens(&words) || computed && negates {
            self.pattern = None;
        }
        let lists = row.names
            || row
                .names_with
                .iter()
                .any(|option| words.iter().any(|word| word == option || is_cluster_with(word, option)));
        let mut listed = std::mem::take(&mut self.listed);
        listed.retain(|(value, _)| !matches!(value.known(), Some("(" | ")" | "!" | ",")));
        self.place = match listed.as_slice() {
            [(only, _)] if row.prefixed => {
                only.known().filter(|path| path.starts_with('/')).map(str::to_owned)
            }
            _ => None,
        };
        let searched: Vec<String> =
            listed.iter().flat_map(|(value, _)| self.absolute(value.known().unwrap_or("."))).collect();
        let here = if searched.is_empty() { self.absolute(".") } else { searched };
        self.searched.extend(here);
        // Names that say where they lie are judged where they are read.
        let readable = |prover: &mut Self| {
            listed.iter().all(|(value, at)| match value.known() {
                Some(text) => {
                    let names = Value { deep: false, ..prover.found(text) };
                    prover.reads(&names, *at).is_ok()
                }
                None => prover.reads(value, *at).is_ok(),
            })
        };
        lists && (self.place.is_some() || readable(self))
    }

    /// `xargs CMD`: with what is fed to it behind the words, or in place of `{}`.
    pub(super) fn fed_call(&mut self, rest: &[Argument], span: Span) -> Proven<()> {
        if self.input == Input::Names {
            self.no_names_that_split(self.splits, span)?;
        }
        // Nothing feeds it: it is given nothing.
        let named = match self.input {
            Input::Fed => Value { splits: true, ..Value::unknown() },
            Input::Own | Input::Names => Value { splits: true, ..self.named() },
        };
        let mut words = rest.to_vec();
        let mark = self.placeholder.take();
        let mut place = mark.is_some();
        for (value, _) in &mut words {
            let mark = mark.as_deref().unwrap_or("{}");
            match value.text.split_once(mark) {
                Some(("", "")) => *value = Value { splits: false, ..named.clone() },
                // It stands in a word or a text: only how that begins is known.
                Some((before, _)) => *value = Value { text: before.to_owned(), ..Value::unknown() },
                None => continue,
            }
            place = true;
        }
        if !place {
            words.push((named, span));
        }
        let input = std::mem::replace(&mut self.input, Input::Own);
        let proven = self.unordered(|prover| prover.call(&words, span));
        self.input = input;
        proven
    }
}

/// Only a count or an arithmetic result comes out of it.
pub(crate) fn prints_number(script: &Script) -> bool {
    let [statement] = script.statements.as_slice() else { return false };
    let last = match &statement.node {
        Node::Pipeline { stages, .. } => stages.last().map(|stage| &stage.node),
        node => Some(node),
    };
    let Some(Node::Command(command)) = last else { return false };
    let words: Vec<String> = command.words.iter().filter_map(Word::literal).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["date", format] => matches!(*format, "+%s" | "+%Y" | "+%j"),
        ["wc", "-l" | "-c" | "-w"] => command.words.len() == 2,
        ["grep", "-c", pattern] => !pattern.starts_with('-') && command.words.len() == 3,
        ["nproc"] => true,
        _ => false,
    }
}

/// Does the program print a plain name, whatever it makes of this word?
fn is_plain_part(key: &str, word: &str) -> bool {
    if let Some(format) = word.strip_prefix('+').filter(|_| is_listed("prints-by-a-format", key)) {
        return format.starts_with('%')
            && format.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%_-:".contains(&byte));
    }
    if word.starts_with('-') {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let counts =
            word.bytes().skip(1).all(|byte| byte.is_ascii_digit()) && !is_listed("prints-its-numbers", key);
        return counts || is_listed("plain-name-options", name);
    }
    if is_listed("makes-temporary-names", key) {
        return word.starts_with("/tmp/");
    }
    !word.starts_with('/')
        && !word.contains(char::is_whitespace)
        && word.split('/').all(|part| !part.starts_with('.'))
}

/// Of names that stand on lines of their own.
pub(crate) fn ends_line(letter: char) -> bool {
    letter == '\n'
}
