//! One line for each thing that a text does, for the tests of the languages.

use super::value::{HOLE, HOME};
use super::{Code, Language, analyse};

/// The effects of a code, as lines, with `{}` for what is computed.
pub(super) fn lines(code: &Code) -> Vec<String> {
    let shown = |text: &str| text.replace(HOLE, "{}").replace(HOME, "$HOME");
    let word = |word: &Option<String>| word.as_deref().map_or_else(|| "?".to_owned(), shown);
    let mut lines = Vec::new();
    for effect in &code.effects {
        let mut line = effect.kind.name().to_owned();
        if let Some(target) = &effect.target {
            line = format!("{line} {}", shown(target));
        }
        if effect.recursive {
            line.push_str(" +recursive");
        }
        lines.push(line);
    }
    lines.extend(code.shell.iter().map(|(text, ..)| format!("shell {}", word(text))));
    lines.extend(
        code.argv
            .iter()
            .map(|words| format!("argv {}", words.iter().map(word).collect::<Vec<_>>().join(" "))),
    );
    lines
}

/// Asserts what a text does and whether all of it was understood.
#[track_caller]
pub(super) fn check(language: Language, text: &str, expected: &[&str], complete: bool) {
    let code = analyse(language, text);
    assert_eq!(lines(&code), expected, "{text}");
    assert_eq!(code.complete, complete, "{text}\n{code:?}");
}
