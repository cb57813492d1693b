//! Texts of the shells of Windows, judged by simple means: which cmdlets and commands they name, with what paths.

mod cmd;
mod cmdlets;
mod expressions;
mod powershell;

use std::rc::Rc;

use crate::bounds::MAXIMUM_DEPTH;
use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::scope::{Mapping, Scope};
use hookgate_shell::Span;

impl Context<'_> {
    /// Runs a text in a new PowerShell.
    pub(crate) fn run_powershell(&mut self, text: &str, mapping: Mapping) {
        self.in_foreign(text, mapping, |context| {
            context.powershell(text);
        });
    }

    /// Runs a text in a new `cmd`.
    pub(crate) fn run_cmd(&mut self, text: &str, mapping: Mapping) {
        self.in_foreign(text, mapping, |context| context.cmd(text));
    }

    fn in_foreign(&mut self, text: &str, mapping: Mapping, run: impl FnOnce(&mut Self)) {
        if self.scope().depth >= MAXIMUM_DEPTH {
            self.unknown(Unknown::Unparsed, self.scope().span);
            return self.annotate("nested too deep");
        }
        if !self.left.read(text.len()) {
            return self.too_much_code(self.scope().span);
        }
        let change = |scope: &mut Scope| {
            scope.mapping = mapping;
            scope.depth += 1;
        };
        self.within(change, |context| context.in_subshell(run));
    }

    /// A program, by the knowledge base, with what it reads from a pipe.
    fn run_foreign_program(&mut self, fields: &[Field], input: Data) -> Data {
        let Some((word, arguments)) = fields.split_first() else { return Data::Nothing };
        let mut fields = vec![without_extension(word)];
        fields.extend(arguments.iter().map(slashed));
        self.within(|scope| scope.input = Rc::new(input), |context| context.run_command(&fields));
        Data::Unknown
    }

    /// A program of Windows that the knowledge base has no file for, called by another shell, which has options with
    /// two slashes where one would be taken for a path. Is it one?
    pub(crate) fn windows_program(&mut self, name: &str, fields: &[Field]) -> bool {
        let lower = name.to_ascii_lowercase();
        let bare = lower.strip_suffix(".exe").unwrap_or(&lower);
        let is_one = cmd::is_named(bare, "windows") || (bare != lower && cmd::is_named(bare, "windows-exe"));
        if is_one {
            let single = |field: &Field| match field.text().and_then(|text| text.strip_prefix("//")) {
                Some(option) if !option.contains('/') => {
                    let text = format!("/{option}");
                    Field { written: text.clone(), text: Some(text), ..field.clone() }
                }
                _ => field.clone(),
            };
            let fields: Vec<Field> = fields.iter().map(single).collect();
            self.cmd_call(&fields);
        }
        is_one
    }

    /// A file effect on a path as Windows has them.
    fn foreign_path(&mut self, kind: Kind, field: &Field, recursive: bool) {
        let field = slashed(field);
        if let Some(share) = ["\\\\", "//"].iter().find_map(|start| field.shown().strip_prefix(start)) {
            let kind = if kind == Kind::Read { Kind::Download } else { Kind::Upload };
            let server = share.split(['\\', '/']).next().unwrap_or(share).to_owned();
            return self.effect_on(kind, Target::Host(server));
        }
        let lower = field.shown().to_ascii_lowercase();
        let drive = lower.split(':').next().filter(|drive| drive.len() > 1 && drive.len() < lower.len());
        match drive {
            // Variables of the environment, as files.
            Some("env") => self.effect(Kind::SecretRead),
            Some("hklm" | "hkcu" | "hkcr" | "hku" | "registry" | "cert" | "wsman") => {
                if kind != Kind::Read {
                    self.effect_on(Kind::System, Target::Name(field.shown().to_owned()));
                }
            }
            Some("variable" | "function" | "alias") => {}
            _ => self.file_effect(kind, &field, recursive),
        }
    }
}

/// Backslashes in a path that is no drive's are slashes; `~` is the home.
fn slashed(field: &Field) -> Field {
    let is_path = |text: &str| {
        text.contains('\\') && !text.contains([' ', '\n', '"', '\'', '$', '|']) && !text.starts_with("\\\\")
    };
    match field.text() {
        Some(text) if is_path(text) => Field { text: Some(text.replace('\\', "/")), ..field.clone() },
        _ => field.clone(),
    }
}

/// `git.exe` is `git`.
fn without_extension(word: &Field) -> Field {
    let field = slashed(word);
    let lower = field.shown().to_ascii_lowercase();
    let end = [".exe", ".cmd", ".bat"].iter().find(|end| lower.ends_with(*end));
    let bare = end.and_then(|end| field.text()?.get(..lower.len() - end.len()).map(str::to_owned));
    match bare {
        Some(text) => Field { text: Some(text), ..field },
        None => field,
    }
}

/// The whole text of a tool.
pub(crate) fn analyse_powershell(context: &mut Context<'_>, text: &str) {
    let span = Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    context.within(|scope| scope.span = span, |context| context.run_powershell(text, Mapping::At(0)));
}
