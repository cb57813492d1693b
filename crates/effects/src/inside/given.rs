//! What a program's text can get from its call: arguments, the environment, standard input. Where it doesn't say which path
//! it works on, it may be one of these.

use crate::effect::Call;
use crate::field::Data;
use crate::knowledge::{self, Facet, shipped};
use crate::languages::{self, CodeEffect};
use crate::scope::Scope;
use crate::state::State;

/// As many words of a call are looked at.
const MOST: usize = 64;

/// Longer words are no paths.
const LONGEST: usize = 4096;

/// Of so many words every pair is tried, where two parts of a path are computed.
const MOST_PAIRED: usize = 8;

/// A word that the text can get, or a path with such a word in it.
pub(super) struct Given {
    pub(super) text: String,
    /// It stands by itself, so that it may well be meant as a path: others count only where they name what is guarded.
    pub(super) whole: bool,
}

/// The words that a program's text can get from its call.
pub(super) fn words(text: &str, call: Option<&Call>, scope: &Scope, state: &State, home: &str) -> Vec<Given> {
    let whole = |text: &str| Given { text: text.to_owned(), whole: true };
    let mut found: Vec<Given> = Vec::new();
    let arguments = call.map(|call| call.arguments.as_slice()).unwrap_or_default();
    let others =
        arguments.iter().filter_map(|argument| argument.text.as_deref()).filter(|word| *word != text);
    for word in others {
        found.extend(word.split_once('=').map(|(_, value)| whole(value)));
        found.extend((!word.starts_with('-')).then(|| whole(word)));
    }
    let named = scope.environment.iter().filter(|(name, _)| text.contains(name.as_str()));
    found.extend(named.filter_map(|(_, value)| value.as_deref()).map(whole));
    for name in state.names().filter(|name| text.contains(*name)) {
        let variable = state.variable(name).filter(|variable| variable.exported);
        found.extend(variable.and_then(|variable| variable.text()).map(whole));
    }
    match &*scope.input {
        Data::Text(text) | Data::Partial(text) => {
            let lines = text.trim_end().lines().take(MOST);
            let one = lines.clone().count() == 1;
            found.extend(lines.map(|line| Given { text: line.trim().to_owned(), whole: one }));
        }
        Data::Paths(glob) => found.push(whole(glob)),
        _ => {}
    }
    found.truncate(MOST);
    let parts: Vec<Given> = found.iter().flat_map(|given| parts(&given.text)).take(MOST).collect();
    found.extend(parts);
    found.push(Given { text: home.to_owned(), whole: false });
    found.retain(|given| {
        !given.text.is_empty() && given.text.len() <= LONGEST && !given.text.contains(['\n', '\0'])
    });
    found
}

/// The word that an effect's place in a text says by its number (`sys.argv[1]`), where that is its one path.
pub(super) fn numbered(text: &str, effect: &CodeEffect, call: Option<&Call>) -> Option<String> {
    let call = call?;
    let language = knowledge::facet(&call.program, Facet::Scripts)?;
    let row = shipped().table("commands/scripts/arguments").find(language)?;
    let (name, first) = (row.cell(0)?, row.cell(1)?.parse::<usize>().ok()?);
    let (before, behind) = text.get(effect.start..effect.end)?.split_once(name)?;
    let begins = before.trim_end().ends_with('(') || (before.ends_with(' ') && !before.contains(['(', ',']));
    let (number, rest) = behind.strip_prefix('[')?.split_once(']')?;
    let ends = rest.trim_start().is_empty() || rest.trim_start().starts_with([',', ')', ';', '}']);
    if !begins || !ends || rest.contains(name) {
        return None;
    }
    let number = number.trim().parse::<usize>().ok()?.checked_sub(first)?;
    let mut words = call.arguments.iter().skip_while(|word| word.text.as_deref() != Some(text)).skip(1);
    let word = words.nth(number)?.text.clone()?;
    (!word.starts_with('-')).then_some(word)
}

/// The paths that a computed one can be, by what the text is given.
pub(super) fn paths(shape: Option<&str>, given: &[Given]) -> Vec<Given> {
    let Some(shape) = shape else {
        return given.iter().map(|word| Given { text: word.text.clone(), whole: word.whole }).collect();
    };
    let holes = languages::holes(shape);
    let mut found = Vec::new();
    for (at, word) in given.iter().enumerate() {
        let once = languages::filled(shape, &word.text);
        if holes == 2 && at < MOST_PAIRED {
            let others = given.iter().take(MOST_PAIRED);
            let both =
                others.flat_map(|other| once.iter().flat_map(|once| languages::filled(once, &other.text)));
            found.extend(both.map(|text| Given { text, whole: false }));
        } else if holes == 1 {
            found.extend(once.into_iter().map(|text| Given { text, whole: word.whole }));
        }
    }
    found
}

/// The paths in a word that holds more than one: of a text in JSON, of a line of several words.
fn parts(word: &str) -> impl Iterator<Item = Given> {
    word.split(|c: char| c.is_whitespace() || "\"'`,;(){}[]=<>|".contains(c))
        .filter(|part| part.len() < word.len() && part.contains('/') && !part.contains("://"))
        .map(|part| Given { text: part.to_owned(), whole: false })
}
