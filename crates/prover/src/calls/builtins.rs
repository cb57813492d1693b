//! Builtins of the shell: what they do to directories and variables.

use hookgate_shell::Span;

use super::Argument;
use crate::state::Value;
use crate::statements::{Input, Prover};
use crate::table::is_listed;
use crate::{Proven, refuse};

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
        self.state.directories = match target {
            Some(path) => self.absolute(&path),
            None => Vec::new(),
        };
        Ok(())
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
                        (Some('d' | 'n' | 'p' | 't' | 'i'), "") => drop(values.next()),
                        (Some('n' | 't'), digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {}
                        (None | Some('d' | 'p'), _) => {}
                        _ => return refuse("`read` with an option that isn't plain", span),
                    }
                }
                Some(name) if !name.starts_with('-') => {
                    self.own_name(name, *at)?;
                    let names = self.input == Input::Names;
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

    /// `[ -f x ]`: the names of variables are the only operands that a shell reads again.
    #[expect(clippy::unused_self, reason = "it reads as one of the steps")]
    pub(super) fn test(&self, arguments: &[Argument], span: Span) -> Proven<()> {
        let names = |(value, _): &Argument| match value.known() {
            Some(text) => matches!(text, "-v" | "-R" | "-o" | "-a"),
            None => value.can_be_option() && value.splits,
        };
        if arguments.iter().any(names) {
            refuse("a test of a name, or of a word that may be one", span)
        } else {
            Ok(())
        }
    }
}
