//! PowerShell: cmdlets by their table, programs by the knowledge base, expressions by what they call.

mod calls;

use super::cmdlets::{self, Cmdlet};
use super::expressions::{Expression, expression};
use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::inside::{Inside, MAXIMUM_SCRIPT};
use crate::knowledge;
use crate::paths;
use crate::scope::Mapping;
use crate::state::Value;
use hookgate_shell::{Limits, PowerShellCommand, PowerShellWord, Span, powershell};

/// Words that begin a statement, with what follows them in brackets and braces.
const KEYWORDS: &[&str] = &[
    "if", "elseif", "else", "while", "for", "foreach", "switch", "do", "until", "try", "catch", "finally",
    "function", "filter", "param", "begin", "process", "end", "trap", "in", "class", "enum", "break",
    "continue",
];

/// Words before an expression or command.
const PREFIXES: &[&str] = &["return", "throw", "exit", "-not", "!"];

impl Context<'_> {
    /// Runs the text; what it prints.
    pub(super) fn powershell(&mut self, text: &str) -> Data {
        let read = powershell(text, &Limits::default());
        for problem in read.problems.iter().take(1) {
            self.unknown(Unknown::Unparsed, self.scope().mapping.place(problem.span));
            self.annotate(problem.message.clone());
        }
        self.within(|scope| scope.text = text.into(), |context| context.powershell_commands(&read.commands))
    }

    fn powershell_commands(&mut self, commands: &[PowerShellCommand]) -> Data {
        let mut printed = Data::Nothing;
        for command in commands {
            if self.left.calls == 0 {
                self.unknown(Unknown::Unparsed, self.scope().mapping.place(command.span));
                self.annotate("runs more commands than can be followed");
                break;
            }
            self.left.calls -= 1;
            let input = if command.piped { printed } else { Data::Nothing };
            printed = self.powershell_command(command, &input);
            for word in &command.writes {
                if !word.text.eq_ignore_ascii_case("$null") {
                    let field = self.powershell_field(word);
                    self.foreign_path(Kind::Write, &field, false);
                }
            }
            if let Some(name) = &command.variable {
                if name.contains('.') {
                    self.sets_property(command.span);
                }
                self.state.set(&variable(name), Value::from_data(printed.clone()));
                printed = Data::Nothing;
            }
        }
        printed
    }

    /// A property of a value is set: of a file it is a change to the file.
    fn sets_property(&mut self, span: Span) {
        self.unknown(Unknown::Program, self.scope().mapping.place(span));
        self.annotate("sets a property of something");
    }

    /// What the word will be. What stands in its brackets runs.
    fn powershell_field(&mut self, word: &PowerShellWord) -> Field {
        let span = self.scope().mapping.place(word.span);
        let printed = (!word.commands.is_empty()).then(|| self.powershell_commands(&word.commands));
        let mut field = Field { bare: !word.quoted, ..Field::computed(word.text.clone(), span) };
        if expression(&word.text) == Expression::Fetches {
            field.source = self.powershell_fetched(&word.text, span);
            return field;
        }
        let whole = is_bracketed(word.text.strip_prefix('$').unwrap_or(&word.text));
        match printed {
            Some(data) if whole || word.text.starts_with('{') => {
                let value = Value::from_data(data);
                field.text = value.text;
                field.pattern = value.pattern;
                field.source = value.source;
            }
            Some(data) => field.source = data,
            None if word.expanded => field.text = self.powershell_expanded(&word.text),
            None => field.text = Some(word.text.clone()),
        }
        if let Some(text) = &mut field.text {
            if text == "~" || text.starts_with("~/") || text.starts_with("~\\") {
                text.replace_range(..1, &self.places().home);
            }
            field.pattern |= text.contains(['*', '?']);
        }
        field
    }

    /// Something is fetched from the URL in the text.
    fn powershell_fetched(&mut self, text: &str, span: Span) -> Data {
        let field = url(text).map_or_else(|| Field::computed(text, span), |url| Field::of(url, span));
        self.host(Kind::Download, &field);
        Data::Network(field.text().map(|url| crate::hosts::host_name(url).to_owned()))
    }

    /// The text with its variables replaced; `None` where one is not known.
    fn powershell_expanded(&self, text: &str) -> Option<String> {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            expanded.push_str(before);
            let (name, after) = match after.strip_prefix('{') {
                Some(braced) => braced.split_once('}')?,
                None => {
                    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
                    after.split_at_checked(after.find(|c| !is_part(c)).unwrap_or(after.len()))?
                }
            };
            // A member is a value of its own; those of a file are ways to say its path.
            let (known, after) = match after.strip_prefix('.') {
                Some(member)
                    if ["FullName", "Name", "PSPath"].iter().any(|name| member.starts_with(name)) =>
                {
                    (name, member.trim_start_matches(|c: char| c.is_ascii_alphanumeric()))
                }
                Some(member) if member.starts_with(|c: char| c.is_ascii_alphabetic()) => return None,
                _ => (name, after),
            };
            expanded.push_str(&self.powershell_variable(known)?);
            rest = after;
        }
        expanded.push_str(rest);
        Some(expanded)
    }

    fn powershell_variable(&self, name: &str) -> Option<String> {
        let name = variable(name);
        if let Some(known) = self.state.variable(&name) {
            return known.values.first().and_then(|value| value.text.clone());
        }
        Some(match name.as_str() {
            "home" | "env:userprofile" | "env:home" => self.places().home.clone(),
            "pwd" => self.directory()?.to_owned(),
            "env:temp" | "env:tmp" | "env:tmpdir" => "/tmp".to_owned(),
            "env:systemdrive" => "C:/".to_owned(),
            "env:systemroot" | "env:windir" => "C:/Windows".to_owned(),
            "env:programfiles" => "C:/Program Files".to_owned(),
            "true" | "false" => name,
            "null" => String::new(),
            _ => return None,
        })
    }

    fn powershell_command(&mut self, command: &PowerShellCommand, input: &Data) -> Data {
        // `$_` is what comes through the pipe.
        let item = self.state.variable("_").cloned();
        if command.piped {
            self.state.set("_", Value::from_data(input.clone()));
        }
        let mut words = command.words.as_slice();
        while let Some((first, rest)) = words.split_first() {
            let text = first.text.to_ascii_lowercase();
            if first.quoted
                || !(PREFIXES.contains(&text.as_str()) || KEYWORDS.contains(&text.as_str()) && !command.piped)
            {
                break;
            }
            words = rest;
        }
        let is_statement = words.len() < command.words.len();
        let fields: Vec<Field> = words.iter().map(|word| self.powershell_field(word)).collect();
        let shows = words.first().is_some_and(|word| {
            let writes = cmdlets::cmdlet(&word.text).is_some_and(|cmdlet| cmdlet.name.starts_with("Write-"));
            is_expression(word) || writes
        });
        if shows && words.iter().any(|word| shows_secret(&word.text)) {
            self.push(Kind::SecretRead, None, false, self.scope().mapping.place(command.span));
        }
        let printed = match (words.first(), fields.first()) {
            (Some(word), Some(field)) if is_expression(word) => {
                let called = self.is_called(word.span);
                self.powershell_expression(command, words, field, &fields, called)
            }
            (Some(word), _) if is_statement && KEYWORDS.iter().any(|k| word.text.eq_ignore_ascii_case(k)) => {
                Data::Unknown
            }
            (Some(_), Some(_)) => self.powershell_call(&fields, input),
            _ => Data::Nothing,
        };
        match item {
            Some(item) => self.state.set_variable("_", item),
            None => self.state.forget("_"),
        }
        printed
    }

    /// Does the call operator stand before the place?
    fn is_called(&self, span: Span) -> bool {
        let start = usize::try_from(span.start).unwrap_or(0);
        self.scope().text.get(..start).is_some_and(|before| before.trim_end().ends_with('&'))
    }

    fn powershell_expression(
        &mut self,
        command: &PowerShellCommand,
        words: &[PowerShellWord],
        field: &Field,
        fields: &[Field],
        called: bool,
    ) -> Data {
        let span = self.scope().mapping.place(command.span);
        let is_block = words.first().is_some_and(|word| word.text.starts_with('{'));
        if called && !is_block {
            if field.text().is_some() {
                return self.powershell_call(fields, &Data::Nothing);
            }
            self.computed_command(field);
            return Data::Unknown;
        }
        if words.get(1).is_some_and(|sign| !sign.quoted && ["=", "+=", "-="].contains(&sign.text.as_str())) {
            self.sets_property(command.span);
        }
        let text: Vec<&str> =
            words.iter().map(|word| if word.quoted && !word.expanded { "''" } else { &word.text }).collect();
        match expression(&text.join(" ")) {
            // What a bracket or block brings has been seen.
            _ if is_block => Data::Unknown,
            Expression::Harmless => match fields {
                [one] => one.text.clone().map_or_else(|| one.source.clone(), Data::Text),
                _ => Data::Unknown,
            },
            Expression::Fetches => match fields.iter().find(|field| matches!(field.source, Data::Network(_)))
            {
                Some(field) => field.source.clone(),
                None => self.powershell_fetched(&text.join(" "), span),
            },
            Expression::Runs => {
                self.unknown(Unknown::Command, span);
                self.annotate("calls a method that runs or changes something");
                Data::Unknown
            }
            Expression::Unknown => {
                self.unknown(Unknown::Program, span);
                Data::Unknown
            }
        }
    }

    fn powershell_call(&mut self, fields: &[Field], input: &Data) -> Data {
        let Some((word, arguments)) = fields.split_first() else { return Data::Nothing };
        let Some(text) = word.text().map(str::to_owned) else {
            self.computed_command(word);
            return Data::Unknown;
        };
        if text == "." {
            if let Some(file) = arguments.first() {
                self.run_powershell_file(file);
            }
            return Data::Unknown;
        }
        if text.to_ascii_lowercase().ends_with(".ps1") {
            self.run_powershell_file(word);
            return Data::Unknown;
        }
        let name = text.rsplit(['\\', '/']).next().unwrap_or(&text);
        match cmdlets::cmdlet(name) {
            Some(cmdlet) if !is_native(name, cmdlet, arguments) => {
                self.cmdlet(cmdlet, word, arguments, input)
            }
            _ if is_cmdlet_name(name) => {
                self.record(name, word, arguments, word.span, false);
                self.unknown_about(Unknown::Program, Some(Target::Name(name.to_owned())), word.span);
                Data::Unknown
            }
            _ if super::cmd::is_internal(name.strip_suffix(".exe").unwrap_or(name))
                && knowledge::program(name).is_none() =>
            {
                self.cmd_call(fields);
                Data::Unknown
            }
            _ => self.run_foreign_program(fields, input.clone()),
        }
    }

    /// A script of PowerShell.
    pub(crate) fn run_powershell_file(&mut self, file: &Field) {
        let Some(path) = self.resolve_one(&super::slashed(file)) else { return self.computed_command(file) };
        self.path(Kind::ProjectCode, file);
        match self.look(&path, MAXIMUM_SCRIPT) {
            Inside::Text(text) => self.run_powershell(&text, Mapping::Within(file.span)),
            _ => self.unknown_about(
                Unknown::Program,
                Some(Target::Name(paths::file_name(&path).to_owned())),
                file.span,
            ),
        }
    }

    /// A field is text of PowerShell that runs.
    pub(crate) fn run_powershell_field(&mut self, field: &Field) {
        match field.text() {
            Some(text) => {
                let text = text.to_owned();
                let mapping = field.offset.map_or(Mapping::Within(field.span), Mapping::At);
                self.run_powershell(&text, mapping);
            }
            None => match field.source.clone() {
                data @ (Data::Network(_) | Data::Decoded) => self.run_data(knowledge::Role::Shell, &data),
                source if source.is_opaque() && !names_command(&field.written) => {
                    // `powershell -Command "… $_.Id …"`: bash takes the names out, which PowerShell was to read.
                    self.partly_computed(field);
                    let text = field.written.clone();
                    self.run_powershell(&text, Mapping::Within(field.span));
                }
                _ => self.computed_command(field),
            },
        }
    }
}

/// May what is computed in the text be a command: is a statement of it one variable, or behind one?
fn names_command(text: &str) -> bool {
    text.contains(['`', '&'])
        || text.contains("$(")
        || text.split([';', '\n', '|', '{']).any(|statement| {
            let Some(name) = statement.trim_start().strip_prefix('$') else { return false };
            let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').trim_start();
            rest.is_empty() || !rest.starts_with(['=', '.', '[', '}', ')', '+', ','])
        })
}

/// Is the word a value and no command?
fn is_expression(word: &PowerShellWord) -> bool {
    word.text.starts_with(['$', '[', '(', '{', '@', '-', '+'])
        || word.quoted
        || word.text.starts_with(|c: char| c.is_ascii_digit())
        || word.text.is_empty()
}

/// On other systems `rm` and its like are the programs; options in their form say so.
fn is_native(name: &str, cmdlet: Cmdlet, arguments: &[Field]) -> bool {
    !name.contains('-')
        && arguments.iter().any(|field| {
            let Some(option) = field.written.strip_prefix('-') else { return false };
            let option = option.split(':').next().unwrap_or(option);
            option.starts_with('-')
                || (!option.is_empty()
                    && cmdlet.parameter(option).is_none()
                    && cmdlets::takes_value(option).is_none())
        })
}

/// `Verb-Noun`
fn is_cmdlet_name(name: &str) -> bool {
    name.split_once('-').is_some_and(|(verb, noun)| {
        let capital = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
        capital(verb) && capital(noun)
    })
}

/// Does a text hold a variable of the environment whose name says that it is secret?
fn shows_secret(text: &str) -> bool {
    text.to_ascii_lowercase().split("$env:").skip(1).any(|rest| {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        rest.get(..end).is_some_and(|name| hookgate_secrets::names_a_secret(&name.to_ascii_uppercase()))
    })
}

/// A variable's name: case is of no importance, and neither is a scope.
fn variable(name: &str) -> String {
    let lower = name.trim_start_matches(['{', '$']).trim_end_matches('}').to_ascii_lowercase();
    let scoped =
        ["script:", "global:", "local:", "private:"].iter().find_map(|scope| lower.strip_prefix(scope));
    scoped.map_or_else(|| lower.clone(), str::to_owned)
}

/// Does the bracket at the beginning close at the end?
fn is_bracketed(text: &str) -> bool {
    let mut depth = 0_i32;
    let closes = text.char_indices().find(|(_, character)| {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth <= 0
    });
    closes.is_some_and(|(at, _)| at > 0 && at + 1 == text.len())
}

/// The first URL in a text.
fn url(text: &str) -> Option<&str> {
    let start = text.find("https://").or_else(|| text.find("http://"))?;
    let rest = text.get(start..)?;
    rest.get(..rest.find(['\'', '"', ')', ' ']).unwrap_or(rest.len()))
}
