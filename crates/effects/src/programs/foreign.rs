//! The shells of Windows, as programs.

use crate::context::Context;
use crate::effect::Kind;
use crate::field::{Data, Field};
use crate::knowledge::{Matched, Role};
use crate::scope::Mapping;
use crate::texts::joined;

/// `pwsh -c TEXT`, `powershell -EncodedCommand TEXT`, `pwsh x.ps1`, `cmd /c TEXT`.
pub(crate) fn foreign_shell(context: &mut Context<'_>, call: &Matched<'_>) {
    let word = call.word.shown().to_ascii_lowercase();
    let name = word.rsplit(['/', '\\']).next().unwrap_or(&word);
    if name.trim_end_matches(".exe") == "cmd" {
        cmd(context, call.arguments);
    } else {
        powershell(context, call.arguments, !name.starts_with("powershell"));
    }
}

fn cmd(context: &mut Context<'_>, arguments: &[Field]) {
    let is_sign = |field: &Field| {
        let text = field.written.to_ascii_lowercase();
        matches!(text.trim_start_matches('/'), "/c" | "/k" | "/r" | "c" | "k" | "r") && text.starts_with('/')
    };
    // `/cdel FILE`: what follows the letter is the command already.
    let is_attached = |field: &Field| {
        let text = field.written.to_ascii_lowercase();
        ["/c", "/k", "/r"].iter().any(|sign| {
            text.strip_prefix(sign).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        })
    };
    let Some(at) = arguments.iter().position(|field| is_sign(field) || is_attached(field)) else {
        return input(context, true);
    };
    let attached = arguments.get(at).filter(|field| !is_sign(field)).map(|field| field.after(2));
    let words: Vec<Field> =
        attached.into_iter().chain(arguments.get(at + 1..).unwrap_or_default().iter().cloned()).collect();
    let text = joined(&words);
    match text.text() {
        Some("") => {}
        Some(known) => {
            let known = known.to_owned();
            context.run_cmd(&known, Mapping::Within(text.span));
        }
        None => context.computed_command(&text),
    }
}

/// Options of the program with a value in the next word.
const VALUED: &[&str] = &[
    "executionpolicy",
    "ep",
    "ex",
    "windowstyle",
    "w",
    "version",
    "v",
    "inputformat",
    "outputformat",
    "configurationname",
    "workingdirectory",
    "wd",
    "psconsolefile",
    "settingsfile",
    "custompipename",
];

fn powershell(context: &mut Context<'_>, arguments: &[Field], file_first: bool) {
    let mut rest = arguments;
    while let Some((field, after)) = rest.split_first() {
        rest = after;
        let lower = field.written.to_ascii_lowercase();
        let Some(option) = lower.strip_prefix(['-', '/']).map(|option| option.trim_start_matches('-')) else {
            if file_first {
                return context.run_powershell_file(field);
            }
            let whole: Vec<Field> = std::iter::once(field.clone()).chain(after.iter().cloned()).collect();
            return context.run_powershell_field(&joined(&whole));
        };
        match option {
            "" => {}
            _ if "command".starts_with(option) => {
                let text = joined(after);
                if text.is("-") {
                    return input(context, false);
                }
                return context.run_powershell_field(&text);
            }
            "ec" => return encoded(context, after.first()),
            _ if "encodedcommand".starts_with(option) => return encoded(context, after.first()),
            _ if "file".starts_with(option) => {
                match after.first() {
                    Some(file) => context.run_powershell_file(file),
                    None => context.run_typed(),
                }
                return;
            }
            _ if "help".starts_with(option) || option == "?" || option == "version" && after.is_empty() => {
                return;
            }
            _ if VALUED
                .iter()
                .any(|known| *known == option || (option.len() > 3 && known.starts_with(option))) =>
            {
                rest = after.get(1..).unwrap_or_default();
            }
            _ => {}
        }
    }
    input(context, false);
}

/// A text in base64 of UTF-16.
fn encoded(context: &mut Context<'_>, field: Option<&Field>) {
    let Some(field) = field else { return context.run_typed() };
    let text = field.text().and_then(crate::escapes::base64).and_then(|bytes| {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .filter_map(|pair| Some(u16::from_le_bytes(pair.try_into().ok()?)))
            .collect();
        String::from_utf16(&units).ok()
    });
    match text {
        Some(text) => context.run_powershell(&text, Mapping::Within(field.span)),
        None => context.effect(Kind::HiddenCode),
    }
}

/// The text is on standard input.
fn input(context: &mut Context<'_>, is_cmd: bool) {
    let mapping = Mapping::Within(context.scope().span);
    match context.input().clone() {
        Data::Nothing => context.run_typed(),
        Data::Text(text) if is_cmd => context.run_cmd(&text, mapping),
        Data::Text(text) => context.run_powershell(&text, mapping),
        data => context.run_data(Role::Shell, &data),
    }
}
