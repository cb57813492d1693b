//! `cmd`: its own commands, and programs by the knowledge base.

use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::{Data, Field};
use hookgate_knowledge::{Row, shipped};
use hookgate_shell::Span;

/// The most text that is read.
const LONGEST: usize = 256 * 1024;

/// Is it a command of Windows that the knowledge base has no file for?
pub(super) fn is_internal(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    shipped().table("windows/cmd/commands").contains(&name) || is_named(&name, "read")
}

/// Does the table of names say that of it?
pub(super) fn is_named(name: &str, what: &str) -> bool {
    shipped().table("windows/cmd/names").all(name).any(|row| row.cell(0) == Some(what))
}

impl Context<'_> {
    /// Runs the text.
    pub(super) fn cmd(&mut self, text: &str) {
        if text.len() > LONGEST {
            self.unknown(Unknown::Unparsed, self.scope().span);
            return self.annotate("more text than the limit");
        }
        for command in commands(text) {
            if self.left.calls == 0 {
                return self.unknown(Unknown::Unparsed, self.scope().span);
            }
            let place = |span: Span, context: &Self| context.scope().mapping.place(span);
            let field = |word: &Word, context: &Self| {
                let span = place(word.span, context);
                let text = context.cmd_expanded(&word.text);
                let pattern = text.as_deref().is_some_and(|text| text.contains(['*', '?']));
                Field { text, written: word.text.clone(), pattern, span, ..Field::default() }
            };
            let fields: Vec<Field> = command.words.iter().map(|word| field(word, self)).collect();
            for word in &command.writes {
                if !word.text.eq_ignore_ascii_case("nul") && !word.text.starts_with('&') {
                    let target = field(word, self);
                    self.foreign_path(Kind::Write, &target, false);
                }
            }
            self.cmd_call(&fields);
        }
    }

    /// The text with `%NAME%` replaced; `None` where one is not known.
    fn cmd_expanded(&self, text: &str) -> Option<String> {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            expanded.push_str(before);
            let (name, after) = after.split_once('%')?;
            expanded.push_str(&match name.to_ascii_lowercase().as_str() {
                "userprofile" | "homepath" => self.places().home.clone(),
                "temp" | "tmp" => "/tmp".to_owned(),
                "cd" => self.directory()?.to_owned(),
                "systemdrive" => "C:/".to_owned(),
                "systemroot" | "windir" => "C:/Windows".to_owned(),
                "programfiles" => "C:/Program Files".to_owned(),
                _ => return None,
            });
            rest = after;
        }
        expanded.push_str(rest);
        Some(expanded)
    }

    /// One command.
    pub(super) fn cmd_call(&mut self, fields: &[Field]) {
        let Some((word, arguments)) = fields.split_first() else { return };
        // `call` and `start` carry all of their words on to what they run.
        if self.left.calls == 0 {
            self.unknown(Unknown::Unparsed, self.scope().span);
            return self.annotate("carries more commands than can be followed");
        }
        let Some(name) = word.text().map(|text| text.trim_start_matches('@').to_ascii_lowercase()) else {
            return self.computed_command(word);
        };
        let name = name.rsplit(['\\', '/']).next().unwrap_or(&name).trim_end_matches(".exe").to_owned();
        if !is_internal(&name) {
            self.run_foreign_program(fields, Data::Nothing);
            return;
        }
        self.within(
            |_| {},
            |context| {
                context.record(&name, word, arguments, word.span, true);
                context.internal(&name, arguments);
            },
        );
    }

    fn internal(&mut self, name: &str, arguments: &[Field]) {
        let operands: Vec<&Field> = arguments.iter().filter(|field| !is_option(field)).collect();
        match shipped().table("windows/cmd/commands").find(name) {
            Some(row) => self.windows_row(row, &operands, arguments),
            None => self.windows_words(name, &operands, arguments),
        }
    }

    /// A command of which its row says everything.
    fn windows_row(&mut self, row: Row<'static>, operands: &[&Field], arguments: &[Field]) {
        let parameters: Vec<&str> = row.cells().skip(2).collect();
        let recursive = parameters.contains(&"+recursive") || given(arguments, "/s");
        let mut operands = operands;
        let signed: Vec<&Field> =
            operands.iter().filter(|field| !field.written.starts_with(['+', '-'])).copied().collect();
        if parameters.contains(&"+signs") {
            operands = &signed;
        }
        if parameters.contains(&"into") {
            match operands.split_last() {
                Some((last, rest)) if !rest.is_empty() => {
                    operands = rest;
                    self.foreign_path(Kind::Write, last, false);
                }
                _ => self.path_text(Kind::Write, ".", false),
            }
        }
        let mut roles = parameters.iter().filter(|role| !role.starts_with(['/', '+']) && **role != "into");
        let mut role = roles.next();
        for field in operands {
            let Some(current) = role else { break };
            self.windows_operand(current.trim_end_matches("..."), field, recursive);
            if !current.ends_with("...") {
                role = roles.next();
            }
        }
        for (option, role) in parameters.iter().filter_map(|text| text.split_once('=')) {
            let value =
                arguments.iter().skip_while(|field| !field.written.eq_ignore_ascii_case(option)).nth(1);
            if let Some(field) = value {
                self.windows_operand(role, field, given(arguments, "/r"));
            }
        }
        let shown = operands.is_empty() && parameters.iter().any(|role| role.ends_with("..."));
        let effects = row.cell(1).unwrap_or_default().split(' ').filter_map(Kind::from_name);
        // Without an operand these show something; what takes none at all does it anyway.
        for kind in effects.filter(|_| !shown) {
            self.effect(kind);
        }
    }

    fn windows_operand(&mut self, role: &str, field: &Field, recursive: bool) {
        match (role, Kind::from_name(role)) {
            ("directory", _) => {
                self.state.directories = self.resolve(&super::slashed(field)).unwrap_or_default();
            }
            (_, Some(kind)) if kind.is_about_file() => self.foreign_path(kind, field, recursive),
            (_, Some(kind)) => self.effect_on(kind, Target::Name(field.shown().to_owned())),
            _ => {}
        }
    }

    /// A command whose words say more than a row can.
    fn windows_words(&mut self, name: &str, operands: &[&Field], arguments: &[Field]) {
        let has = |option: &str| given(arguments, option);
        let words: Vec<String> = arguments.iter().map(|field| field.shown().to_ascii_lowercase()).collect();
        let says = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let first = operands.first().map(|field| field.shown().to_ascii_lowercase()).unwrap_or_default();
        match name {
            "robocopy" => self.robocopy(operands, arguments),
            "call" => self.deeper(|context| context.cmd_call(arguments)),
            "start" => {
                let rest: Vec<Field> = operands
                    .iter()
                    .filter(|field| !field.written.contains(' '))
                    .map(|field| (*field).clone())
                    .collect();
                self.deeper(|context| context.cmd_call(&rest));
            }
            "if" | "for" => self.carried(name, arguments),
            "fsutil" if first != "fsinfo" => self.effect(Kind::Device),
            "cipher" if words.iter().any(|word| word.starts_with("/w")) => self.effect(Kind::Device),
            "vssadmin" | "wbadmin" | "bcdedit"
                if !matches!(first.as_str(), "list" | "get" | "") || arguments.iter().any(is_option) =>
            {
                self.effect(Kind::System);
            }
            "schtasks" if !["/query", "/showsid", "/?"].iter().any(|option| has(option)) => {
                self.effect(Kind::Schedule);
            }
            "reg" => self.registry(&first, operands),
            "net" => self.net(&first, operands, arguments.len()),
            "sc" => self.service_control(operands),
            "wmic" if first == "process" && says(&["delete", "terminate"]) => self.effect(Kind::Kill),
            "wmic" if says(&["delete", "call", "create", "set"]) => self.effect(Kind::System),
            "set" if arguments.is_empty() => self.effect(Kind::SecretRead),
            _ => {}
        }
    }

    /// `robocopy SOURCE DESTINATION`, which deletes what it has moved, or what the source doesn't have.
    fn robocopy(&mut self, operands: &[&Field], arguments: &[Field]) {
        let has = |option: &str| given(arguments, option);
        let kind = if has("/mov") || has("/move") { Kind::Move } else { Kind::Read };
        if let Some(source) = operands.first() {
            self.foreign_path(kind, source, true);
        }
        match operands.get(1) {
            Some(destination) => {
                self.foreign_path(Kind::Write, destination, false);
                if has("/mir") || has("/purge") {
                    self.foreign_path(Kind::Delete, destination, true);
                }
            }
            None => self.path_text(Kind::Write, ".", false),
        }
    }

    fn changes_system(&mut self, operands: &[&Field]) {
        match operands.get(1) {
            Some(field) => self.named(Kind::System, field),
            None => self.effect(Kind::System),
        }
    }

    /// `reg add KEY`, `reg export KEY FILE`.
    fn registry(&mut self, verb: &str, operands: &[&Field]) {
        match verb {
            "" | "query" | "compare" | "flags" => {}
            "export" | "save" => {
                if let Some(file) = operands.get(2) {
                    self.foreign_path(Kind::Write, file, false);
                }
            }
            "import" => {
                if let Some(file) = operands.get(1) {
                    self.foreign_path(Kind::Read, file, false);
                }
                self.effect(Kind::System);
            }
            _ => self.changes_system(operands),
        }
    }

    /// `net stop SERVICE`, `net user NAME /add`. A name alone is shown.
    fn net(&mut self, verb: &str, operands: &[&Field], count: usize) {
        match verb {
            "view" | "help" | "helpmsg" | "statistics" => {}
            "start" | "stop" | "pause" | "continue" => {
                if let Some(service) = operands.get(1) {
                    self.named(Kind::Service, service);
                }
            }
            "user" | "group" | "localgroup" | "accounts" | "session" | "file" | "config" | "share"
            | "time"
                if count == operands.len() && count < 3 => {}
            _ if count > 1 => self.changes_system(operands),
            _ => {}
        }
    }

    /// `sc stop SERVICE`, `sc \\\\SERVER query`.
    fn service_control(&mut self, operands: &[&Field]) {
        let mut words = operands.iter().skip_while(|field| field.shown().starts_with("\\\\"));
        let verb = words.next().map(|field| field.shown().to_ascii_lowercase()).unwrap_or_default();
        let reads = verb.starts_with('q')
            || matches!(
                verb.as_str(),
                "" | "enumdepend" | "getdisplayname" | "getkeyname" | "sdshow" | "showsid"
            );
        if reads {
            return;
        }
        match words.next() {
            Some(service) => self.named(Kind::Service, service),
            None => self.effect(Kind::Service),
        }
    }

    /// `if exist x COMMAND`, `for %i in (...) do COMMAND`.
    fn carried(&mut self, name: &str, arguments: &[Field]) {
        let at = if name == "for" {
            arguments.iter().position(|field| field.shown().eq_ignore_ascii_case("do")).map(|at| at + 1)
        } else {
            let mut at =
                usize::from(arguments.first().is_some_and(|field| field.shown().eq_ignore_ascii_case("not")));
            let test = arguments.get(at).map(|field| field.shown().to_ascii_lowercase()).unwrap_or_default();
            at += if matches!(test.as_str(), "exist" | "defined" | "errorlevel") { 2 } else { 1 };
            Some(at)
        };
        let command: Vec<Field> = at.and_then(|at| arguments.get(at..)).unwrap_or_default().to_vec();
        let trimmed = command.first().map(|field| field.shown().trim_start_matches('(').to_owned());
        if let (Some(text), Some((first, rest))) = (trimmed, command.split_first()) {
            let mut fields = vec![Field::of(text, first.span)];
            fields.extend(rest.iter().cloned());
            self.deeper(|context| context.cmd_call(&fields));
        }
    }
}

/// `/s`: short, and no path.
fn is_option(field: &Field) -> bool {
    field.written.len() <= 8 && field.written.strip_prefix('/').is_some_and(|option| !option.contains('/'))
}

/// Is the option there?
fn given(arguments: &[Field], option: &str) -> bool {
    arguments.iter().any(|field| field.written.eq_ignore_ascii_case(option))
}

#[derive(Debug, Default)]
struct Command {
    words: Vec<Word>,
    writes: Vec<Word>,
}

#[derive(Debug)]
struct Word {
    text: String,
    span: Span,
}

/// Splits a text at its separators, and its commands into words.
fn commands(text: &str) -> Vec<Command> {
    let mut found = vec![Command::default()];
    let mut word = String::new();
    let mut start: Option<usize> = None;
    let mut quoted = false;
    let mut writes = false;
    let mut characters = text.char_indices().peekable();
    let end = |word: &mut String,
               start: &mut Option<usize>,
               at: usize,
               writes: &mut bool,
               found: &mut Vec<Command>| {
        if let (Some(from), Some(command)) = (start.take(), found.last_mut()) {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let span = Span { start: offset(from), end: offset(at) };
            let word = Word { text: std::mem::take(word), span };
            if std::mem::take(writes) {
                command.writes.push(word);
            } else {
                command.words.push(word);
            }
        }
    };
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                quoted = !quoted;
                start.get_or_insert(at);
            }
            '^' if !quoted => {
                if let Some((_, next)) = characters.next()
                    && next != '\n'
                {
                    start.get_or_insert(at);
                    word.push(next);
                }
            }
            '&' | '|' | '\n' if !quoted => {
                end(&mut word, &mut start, at, &mut writes, &mut found);
                found.push(Command::default());
            }
            '>' if !quoted => {
                // A digit before it is a descriptor.
                if word.len() == 1 && word.starts_with(|c: char| c.is_ascii_digit()) {
                    word.clear();
                    start = None;
                }
                end(&mut word, &mut start, at, &mut writes, &mut found);
                while characters.next_if(|(_, next)| *next == '>').is_some() {}
                if characters.next_if(|(_, next)| *next == '&').is_some() {
                    characters.next();
                } else {
                    writes = true;
                }
            }
            '(' | ')' if !quoted && start.is_none() => {}
            ' ' | '\t' | '\r' | ',' | ';' | '=' if !quoted => {
                end(&mut word, &mut start, at, &mut writes, &mut found);
            }
            // `del/s` and `dir/b` need no blank.
            '/' if !quoted && word.bytes().all(|byte| byte.is_ascii_alphabetic()) && is_internal(&word) => {
                end(&mut word, &mut start, at, &mut writes, &mut found);
                start = Some(at);
                word.push('/');
            }
            // `/s/q` are two options.
            '/' if !quoted && word.starts_with('/') && word.len() <= 3 => {
                end(&mut word, &mut start, at, &mut writes, &mut found);
                start = Some(at);
                word.push('/');
            }
            character => {
                start.get_or_insert(at);
                word.push(character);
            }
        }
    }
    end(&mut word, &mut start, text.len(), &mut writes, &mut found);
    found.retain(|command| !command.words.is_empty() || !command.writes.is_empty());
    found
}
