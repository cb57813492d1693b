//! `fzf`: the actions that its keys are bound to. fzf(1), "KEY/EVENT BINDINGS".

use crate::context::Context;
use crate::knowledge::Matched;

/// What an action does with what stands in its brackets.
enum Does {
    /// Shows, moves or chooses something.
    Nothing,
    /// A shell runs it.
    Runs,
    /// A shell runs it, and what it prints are further actions.
    Answers,
    /// Nobody knows.
    Anything,
}

/// `fzf --bind KEY:ACTION`: actions of its own do nothing outside of it, some carry a command.
pub(crate) fn fzf(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    // The letter `r` in a placeholder puts the line in without quotes, so that it is read as program text.
    let raw = |text: &str| {
        text.split('{').skip(1).any(|rest| {
            rest.split_once('}').is_some_and(|(inner, _)| {
                inner.contains('r') && inner.bytes().all(|byte| b"+*sfr0123456789.,-nq:".contains(&byte))
            })
        })
    };
    for option in &call.options {
        if let Some(text) = option.value.as_ref().filter(|_| matches!(option.name, "--preview" | "--become"))
            && raw(&text.written)
        {
            context.doubt(text.span, "a line is put in without quotes");
        }
    }
    for bindings in call.values("--bind") {
        let Some(actions) = bindings.text().and_then(actions) else {
            context.doubt(bindings.span, "bindings that can't be read");
            continue;
        };
        for (name, argument) in actions {
            let does = does(&name);
            if matches!(does, Does::Anything | Does::Answers) || raw(argument) {
                context.doubt(bindings.span, "an action that can do anything");
            }
            if matches!(does, Does::Runs | Does::Answers) {
                context.run_shell_text(argument);
            }
        }
    }
}

fn does(name: &str) -> Does {
    match name.strip_prefix("bg-").unwrap_or(name) {
        "transform" => Does::Answers,
        "execute" | "execute-silent" | "execute-multi" | "become" | "reload" | "reload-sync" | "preview"
        | "change-preview" => Does::Runs,
        name if name.starts_with("transform-") => Does::Runs,
        name if name.starts_with("change-") || name.starts_with("toggle-") => Does::Nothing,
        "put" | "print" | "pos" | "search" | "unbind" | "rebind" | "toggle-bind" | "trigger" | "exclude"
        | "cancel" => Does::Nothing,
        _ => Does::Anything,
    }
}

/// The actions of `KEY,KEY:ACTION+ACTION(TEXT),KEY:ACTION:TEXT` that carry a text, with it; those without one do
/// nothing outside of fzf.
fn actions(text: &str) -> Option<Vec<(String, &str)>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        // A key may be a colon or a comma itself, behind which another colon comes.
        let key = rest.chars().next()?.len_utf8();
        rest = rest.get(key..)?.split_once(':')?.1;
        loop {
            let end = rest.find(|c: char| !(c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit()));
            let (name, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
            let (argument, after) = argument(after)?;
            if let Some(argument) = argument {
                found.push((name.to_owned(), argument));
            } else if carries(name) {
                return None;
            }
            let mut following = after.chars();
            match following.next() {
                None => return Some(found),
                Some('+') => rest = following.as_str(),
                Some(',') => {
                    rest = following.as_str();
                    break;
                }
                Some(_) => return None,
            }
        }
    }
}

/// Does an action of that name need a text?
fn carries(name: &str) -> bool {
    matches!(does(name), Does::Runs | Does::Answers) && !matches!(name, "preview" | "change-preview")
}

/// The text in brackets, or behind a colon, that an action carries; and what follows it.
fn argument(text: &str) -> Option<(Option<&str>, &str)> {
    let mut characters = text.chars();
    let close = match characters.next() {
        Some(':') => return Some((Some(characters.as_str()), "")),
        Some('(') => ')',
        Some('[') => ']',
        Some('{') => '}',
        Some('<') => '>',
        Some(sign) if "~!@#$%^&*;/|".contains(sign) => sign,
        _ => return Some((None, text)),
    };
    let inner = characters.as_str();
    // The one that closes stands before the next action, the next key or the end.
    let (at, _) = inner.char_indices().find(|(at, c)| {
        let after = inner.get(at + c.len_utf8()..).unwrap_or_default();
        *c == close && (after.is_empty() || after.starts_with(['+', ',']))
    })?;
    Some((Some(inner.get(..at)?), inner.get(at + close.len_utf8()..)?))
}
