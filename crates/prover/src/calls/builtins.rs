//! Builtins of the shell: what they do to directories and variables.

use hookgate_shell::Span;

use super::Argument;
use crate::state::Value;
use crate::statements::{Input, Prover};
use crate::table::is_listed;
use crate::{Proven, places, refuse};

impl Prover<'_> {
    pub(super) fn change_directory(&mut self, arguments: &[Argument], span: Span) -> Proven<()> {
        let target = match arguments {
            [] => Some(self.ground.home.to_owned()),
            [(value, _)]
                if value.text != "-" && !value.text.starts_with('-')
                    || value.exact && value.text.is_empty() =>
            {
                value.known().map(str::to_owned)
            }
            [(dash, _), (value, _)] if dash.known() == Some("--") => value.known().map(str::to_owned),
            [(value, _)] if value.known() == Some("-") => None,
            _ => return refuse("`cd` with options", span),
        };
        let before = self.state.clone();
        let certain = target.as_deref().is_some_and(|path| self.surely_enters(path));
        self.state.directories = match target {
            // The shell keeps the names that led there: `..` takes away the last of them.
            Some(path) if path.starts_with('/') => vec![places::normal("", &path)],
            Some(path) => self.state.directories.iter().map(|base| places::normal(base, &path)).collect(),
            None => Vec::new(),
        };
        if !certain {
            self.failed = Some(before);
        }
        Ok(())
    }

    /// Is it a directory now, wherever the text may stand, and does nothing that the text did change that?
    fn surely_enters(&self, path: &str) -> bool {
        let there = |base: &str| {
            let (way, end) = (format!("{base}/{path}"), places::normal(base, path));
            let written = |written: &Option<String>| {
                written.as_ref().is_none_or(|written| places::lies_in(&end, written))
            };
            let files = self.ground.files;
            let is_there = self.ground.named_exist || files.can_enter(&end) && files.can_enter(&way);
            is_there && !self.deeds.brought && !self.deeds.written.iter().any(written)
        };
        if path.starts_with('/') { there("") } else { self.state.directories.iter().all(|base| there(base)) }
    }

    pub(super) fn declaration(&mut self, name: &str, arguments: &[Argument]) -> Proven<()> {
        for (value, at) in arguments {
            let text = value.text.as_str();
            if value.exact && text == "-p" && arguments.len() == 1 {
                continue;
            }
            let Some((variable, start)) = text.split_once('=') else {
                return refuse(format!("`{name}` of `{text}`"), *at);
            };
            let set = if value.exact {
                Value::of(start)
            } else {
                Value { text: start.to_owned(), ..value.clone() }
            };
            let set = Value { splits: false, ..set };
            self.inert(variable, &set, *at)?;
            self.state.variables.insert(variable.to_owned(), set);
        }
        Ok(())
    }

    /// `unset x`: what it held is gone.
    pub(super) fn unset(&mut self, arguments: &[Argument]) {
        for (value, _) in arguments {
            self.state.variables.insert(value.text.clone(), Value::unknown());
        }
    }

    /// `read -r line`
    pub(super) fn read_variables(&mut self, arguments: &[Argument], span: Span) -> Proven<()> {
        let mut values = arguments.iter();
        while let Some((value, at)) = values.next() {
            match value.known() {
                Some(option) if option.len() > 1 && option.starts_with('-') => {
                    let rest = option.trim_start_matches('-').trim_start_matches(['r', 's', 'e']);
                    let mut letters = rest.chars();
                    match (letters.next(), letters.as_str()) {
                        (Some('d' | 'p' | 'i'), "") => drop(values.next()),
                        // zsh calculates these.
                        (Some('n' | 't'), "") if values.next().is_some_and(|(value, _)| is_number(value)) => {
                        }
                        (Some('n' | 't'), digits)
                            if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {}
                        (None | Some('d' | 'p'), _) => {}
                        _ => return refuse("`read` with an option that isn't plain", span),
                    }
                }
                Some(name) if !name.starts_with('-') => {
                    self.own_name(name, *at)?;
                    let names = self.input == Input::Names;
                    if names {
                        self.no_names_that_split(super::printed::ends_line, span)?;
                    }
                    let read = if names { self.named() } else { Value::unknown() };
                    self.state.variables.insert(name.to_owned(), read);
                }
                _ => return refuse("`read` of a name that isn't plain", span),
            }
        }
        Ok(())
    }

    /// `set -euo pipefail`
    #[expect(clippy::unused_self, reason = "it reads as one of the steps")]
    pub(super) fn shell_options(&self, arguments: &[Argument], span: Span) -> Proven<()> {
        let plain =
            |(value, _): &Argument| value.known().is_some_and(|text| is_listed("shell-options", text));
        if !arguments.is_empty() && arguments.iter().all(plain) {
            return Ok(());
        }
        refuse("`set` with more than options that stop a text", span)
    }

    /// `printf '%d' 5`: zsh calculates what stands for a number, subscripts with commands included.
    #[expect(clippy::unused_self, reason = "it reads as one of the steps")]
    pub(super) fn printed_numbers(&self, arguments: &[Argument], span: Span) -> Proven<()> {
        let ended = arguments.first().is_some_and(|(value, _)| value.known() == Some("--"));
        let Some(((format, _), values)) = arguments.get(usize::from(ended)..).and_then(<[_]>::split_first)
        else {
            return Ok(());
        };
        // A format that is computed is refused by its role.
        let Some(format) = format.known() else { return Ok(()) };
        let kinds = conversions(format);
        let texts_only = kinds.as_ref().is_some_and(|kinds| !kinds.contains(&true));
        let aligned = kinds.filter(|_| values.iter().all(|(value, _)| !value.splits));
        let calculated = values.iter().enumerate().any(|(index, (value, _))| {
            let number = aligned.as_ref().is_none_or(|kinds| kinds.iter().cycle().nth(index) == Some(&true));
            number && !is_number(value)
        });
        if calculated && !texts_only {
            return refuse("a number of `printf` that isn't one", span);
        }
        Ok(())
    }

    /// `exit 1`: zsh calculates the word.
    #[expect(clippy::unused_self, reason = "it reads as one of the steps")]
    pub(super) fn counts(&self, arguments: &[Argument], span: Span) -> Proven<()> {
        if arguments.iter().all(|(value, _)| is_number(value)) {
            Ok(())
        } else {
            refuse("a number of the shell's that isn't one", span)
        }
    }

    /// `[ -f x ]`: the names of variables are the only operands that a shell reads again.
    #[expect(clippy::unused_self, reason = "it reads as one of the steps")]
    pub(super) fn test(&self, arguments: &[Argument], span: Span) -> Proven<()> {
        let names = |(value, _): &Argument| match value.known() {
            Some(text) => matches!(text, "-v" | "-R" | "-o" | "-a"),
            None => value.can_be_option() && value.splits,
        };
        if arguments
            .windows(2)
            .any(|pair| matches!(pair, [first, second] if may_be_test(&first.0, &second.0)))
        {
            return refuse("a test that is computed, or of a terminal that isn't a number", span);
        }
        if arguments.iter().any(names) {
            refuse("a test of a name, or of a word that may be one", span)
        } else {
            Ok(())
        }
    }
}

/// Digits, perhaps with a sign and a fraction; or a value that is known to be a number.
fn is_number(value: &Value) -> bool {
    let plain = |text: &str| {
        let text = text.strip_prefix('-').unwrap_or(text);
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    };
    value.number || !value.splits && value.known().is_some_and(plain)
}

/// Is the first a word that may be an operator before the second, or `-t` before what is no number?
fn may_be_test(first: &Value, second: &Value) -> bool {
    let compares = |text: &str| {
        let signs =
            ["]", "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
        signs.contains(&text)
    };
    match first.known() {
        Some("-t") => !is_number(second) && second.known() != Some("]"),
        Some(_) => false,
        None => first.can_be_option() && !second.known().is_some_and(compares),
    }
}

/// For each conversion of the format, whether it takes a number; nothing where that can't be told.
fn conversions(format: &str) -> Option<Vec<bool>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((_, behind)) = rest.split_once('%') {
        let behind = behind.trim_start_matches(|c: char| c.is_ascii_digit() || " #+-'.".contains(c));
        let letter = behind.chars().next()?;
        match letter {
            '*' | '$' | '(' => return None,
            '%' => {}
            letter => found.push(!matches!(letter, 's' | 'b' | 'c' | 'q')),
        }
        rest = behind.get(letter.len_utf8()..)?;
    }
    Some(found)
}
