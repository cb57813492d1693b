//! A call of a cmdlet: its arguments sorted, and what it does with them.

use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::foreign::cmdlets::{self, Cmdlet};
use crate::foreign::slashed;
use crate::knowledge;
use crate::scope::Mapping;
use crate::state::Value;

impl Context<'_> {
    pub(super) fn cmdlet(&mut self, cmdlet: Cmdlet, word: &Field, arguments: &[Field], input: &Data) -> Data {
        self.within(
            |_| {},
            |context| {
                context.record(cmdlet.name, word, arguments, word.span, true);
                let given = context.given(cmdlet, arguments);
                if given.only_shows { Data::Nothing } else { context.perform(cmdlet, &given, input) }
            },
        )
    }

    /// Sorts the arguments.
    fn given<'f>(&mut self, cmdlet: Cmdlet, arguments: &'f [Field]) -> Given<'f> {
        let mut given = Given::default();
        let mut loose: Vec<&Field> = Vec::new();
        let mut rest = arguments.iter().peekable();
        while let Some(field) = rest.next() {
            let name = Some(field.written.as_str())
                .filter(|_| field.bare)
                .and_then(|text| text.strip_prefix('-'))
                .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
            let Some(name) = name else {
                loose.push(field);
                continue;
            };
            let (name, has_value) = name.split_once(':').map_or((name, false), |(name, _)| (name, true));
            if cmdlets::begins("Recurse", name) && cmdlet.parameter(name).is_none() {
                given.recursive = true;
            } else if name.len() > 1 && cmdlets::begins("WhatIf", name) {
                given.only_shows = true;
            } else if name.eq_ignore_ascii_case("Verb") {
                given.raised = rest.peek().is_some_and(|value| value.shown().eq_ignore_ascii_case("runas"));
            }
            if has_value {
                continue;
            }
            match cmdlet.parameter(name) {
                Some(parameter) => {
                    // Of an array all values belong to it; the next word that begins a parameter ends it.
                    if let Some(value) = rest.next_if(|value| {
                        !value.bare || !value.written.starts_with('-') || value.written == "-"
                    }) {
                        given.values.push((parameter.role, value));
                    }
                }
                None => match cmdlets::takes_value(name) {
                    Some(true) => {
                        if name.eq_ignore_ascii_case("Filter") || name.eq_ignore_ascii_case("Include") {
                            given.filter = rest.peek().and_then(|value| value.text.clone());
                        }
                        if name.eq_ignore_ascii_case("Method") {
                            given.sends |=
                                rest.peek().is_some_and(|value| !value.shown().eq_ignore_ascii_case("get"));
                        }
                        rest.next();
                    }
                    Some(false) => {}
                    None => {
                        self.unknown_about(
                            Unknown::Program,
                            Some(Target::Name(field.written.clone())),
                            field.span,
                        );
                    }
                },
            }
        }
        let filled: Vec<&str> = given.values.iter().map(|(role, _)| *role).collect();
        let mut positions =
            cmdlet.parameters().filter(|parameter| parameter.positional && !filled.contains(&parameter.role));
        let mut current = positions.next();
        for field in loose {
            let Some(parameter) = current else {
                self.unknown_about(
                    Unknown::Program,
                    Some(Target::Name(field.shown().to_owned())),
                    field.span,
                );
                continue;
            };
            given.values.push((parameter.role, field));
            if !parameter.repeats {
                current = positions.next();
            }
        }
        given
    }

    fn perform(&mut self, cmdlet: Cmdlet, given: &Given<'_>, input: &Data) -> Data {
        if given.raised {
            self.effect(Kind::Privilege);
        }
        for effect in cmdlet.effects() {
            if let Some(kind) = Kind::from_name(effect) {
                self.effect(kind);
            }
        }
        let mut printed = Data::Unknown;
        let mut listed: Option<String> = None;
        let mut filter = given.filter.clone();
        for (role, field) in &given.values {
            match *role {
                "text" | "arguments" => {
                    if cmdlet.name == "Write-Output" {
                        printed = field.text.clone().map_or(Data::Unknown, Data::Text);
                    }
                    if cmdlet.name == "Get-ChildItem" {
                        filter.clone_from(&field.text);
                    }
                }
                "list" | "read" => {
                    self.foreign_path(Kind::Read, field, given.recursive);
                    listed = self.resolve(&slashed(field)).and_then(|paths| paths.into_iter().next());
                    if let (Some(path), true) = (&listed, *role == "read") {
                        printed = self.content(path);
                    }
                }
                "directory" => {
                    self.state.directories = self.resolve(&slashed(field)).unwrap_or_default();
                }
                "download" | "upload" | "remote-shell" => {
                    let kind = if given.sends && *role == "download" { "upload" } else { *role };
                    if let Some(kind) = Kind::from_name(kind) {
                        self.host(kind, field);
                    }
                    printed = Data::Network(field.text().map(|url| crate::hosts::host_name(url).to_owned()));
                }
                "send" => {
                    let url = given.values.iter().find(|(role, _)| *role == "download");
                    match url {
                        Some((_, url)) => self.host(Kind::Upload, url),
                        None => self.effect(Kind::Upload),
                    }
                }
                "code" => self.run_powershell_field(field),
                "script" => self.run_powershell_file(field),
                "command" => {
                    let mut words = vec![(*field).clone()];
                    for (_, argument) in given.values.iter().filter(|(role, _)| *role == "arguments") {
                        let split = argument
                            .text()
                            .map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
                        match split {
                            Some(parts) => {
                                words.extend(parts.into_iter().map(|part| Field::of(part, argument.span)));
                            }
                            None => words.push((*argument).clone()),
                        }
                    }
                    self.run_foreign_program(&words, Data::Nothing);
                }
                role => match Kind::from_name(role) {
                    Some(kind) if kind.is_about_file() => {
                        self.foreign_path(kind, field, given.recursive);
                    }
                    Some(kind) => self.named(kind, field),
                    None => {}
                },
            }
        }
        self.on_piped(cmdlet, given, input);
        match cmdlet.name {
            "Get-ChildItem" | "Get-Item" => {
                let base = listed.or_else(|| self.directory().map(str::to_owned));
                let name = filter.unwrap_or_else(|| "*".to_owned());
                match base {
                    Some(base) if base.contains(['*', '?']) => Data::Paths(base),
                    Some(base) if cmdlet.name == "Get-Item" => Data::Paths(base),
                    Some(base) => Data::Paths(format!("{}/**/{name}", base.trim_end_matches('/'))),
                    None => Data::Unknown,
                }
            }
            "Where-Object" | "Sort-Object" | "Select-Object" | "Get-Unique" | "Tee-Object" | "Out-String" => {
                input.clone()
            }
            _ => printed,
        }
    }

    /// A cmdlet that acts on what comes through the pipe.
    fn on_piped(&mut self, cmdlet: Cmdlet, given: &Given<'_>, input: &Data) {
        if *input == Data::Nothing {
            return;
        }
        let Some(first) = cmdlet
            .parameters()
            .next()
            .filter(|first| !given.values.iter().any(|(role, _)| *role == first.role))
        else {
            return;
        };
        if first.role == "code" {
            return match input {
                Data::Text(text) => {
                    let text = text.clone();
                    self.run_powershell(&text, Mapping::Within(self.scope().span));
                }
                data => self.run_data(knowledge::Role::Shell, data),
            };
        }
        let Some(kind) = Kind::from_name(first.role) else { return };
        if !kind.is_about_file() {
            return self.effect(kind);
        }
        let value = Value::from_data(input.clone());
        let field = Field {
            pattern: value.pattern,
            text: value.text,
            written: "$_".to_owned(),
            span: self.scope().span,
            ..Field::default()
        };
        self.foreign_path(kind, &field, given.recursive);
    }
}

/// A call's arguments, sorted.
#[derive(Default)]
struct Given<'f> {
    values: Vec<(&'static str, &'f Field)>,
    recursive: bool,
    /// `-WhatIf`
    only_shows: bool,
    /// `-Verb RunAs`
    raised: bool,
    /// A request that is no `GET`.
    sends: bool,
    filter: Option<String>,
}
