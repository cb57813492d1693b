//! Redirections: their own effects, and where a statement's input comes from and its output goes.

use std::rc::Rc;

use crate::context::Context;
use crate::effect::{Call, Kind, Output, Place, Target, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Facet};
use crate::paths;
use crate::programs::network::ARCHIVE;
use crate::state::{Opened, Value};
use hookgate_shell::{Direction, Node, Part, Redirection, RedirectionKind, Statement, Word};

/// What stands for a computed part of a heredoc, in case that a shell reads it again.
const HOLE: &str = "${__computed__}";

/// Where standard output goes.
enum Destination {
    /// Where it went before.
    Same,
    /// Nowhere, or where nobody reads it.
    Away,
    /// To standard error: the agent reads it, wherever standard output goes.
    Error,
    /// To a standard output around this one.
    Around,
    /// To a file; the old content stays where the flag says so.
    File(Field, bool),
    /// To another machine.
    Connection(Target),
}

/// The first number that a shell gives to a descriptor that is named by a variable (`exec {log}> FILE`).
const FIRST_NAMED: u32 = 10;

impl Context<'_> {
    /// Runs the statement with its redirections.
    pub(super) fn with_redirections(&mut self, statement: &Statement) {
        if statement.redirections.is_empty() {
            return self.node(statement);
        }
        let open: Vec<u32> = self.state.descriptors.iter().map(|(number, _)| *number).collect();
        let (input, joins) = self.within(
            |scope| {
                scope.jumps.redirected = true;
                scope.joins_here = false;
            },
            |context| {
                // A redirection is the shell's, also in a text that a call carries.
                let destination = context.without_call(|context| context.redirections(statement));
                if context.scope().joins_here {
                    let around = std::mem::replace(&mut context.aside, Data::Nothing);
                    context.with_destination(statement, destination);
                    context.printed_aside(statement, around);
                } else {
                    context.with_destination(statement, destination);
                }
                (Rc::clone(&context.scope().input), context.scope().errors_join)
            },
        );
        if is_for_the_shell(statement) {
            // `exec < FILE`: from here on. What will go to `exec > >(COMMAND)` isn't known yet.
            self.feed((*input).clone());
            self.errors_join_from_here(joins);
            self.feed_processes(statement, &Data::Unknown);
        } else {
            self.state.descriptors.retain(|(number, _)| *number >= FIRST_NAMED || open.contains(number));
        }
    }

    /// Applies the redirections; where standard output goes then.
    fn redirections(&mut self, statement: &Statement) -> Destination {
        let mut destination = Destination::Same;
        let mut network = None;
        for redirection in &statement.redirections {
            self.redirection(redirection, &mut destination, &mut network);
        }
        if let Some(host) = network.filter(|_| runs_shell(statement)) {
            self.effect_on(Kind::RemoteShell, host);
            self.annotate("a shell whose input or output is a network connection");
            // What it reads is what the other side types.
            self.feed(Data::Text(String::new()));
        }
        // What a file of the system holds ends up in a file: more than a look at it.
        let system = matches!(self.input(), Data::File(path)
            if paths::place_of(path, self.places()) == Place::System);
        if system && matches!(destination, Destination::File(..)) {
            self.doubt(self.scope().mapping.place(statement.span), "takes the content of a system file over");
        }
        destination
    }

    /// Runs what the redirections are for.
    fn with_destination(&mut self, statement: &Statement, destination: Destination) {
        match destination {
            Destination::Same => self.node(statement),
            Destination::Away => {
                self.capture(Output::File, |context| context.node(statement));
            }
            Destination::Error => {
                let joins = self.scope().errors_join;
                let data = self.within(
                    |scope| scope.hidden = false,
                    |context| context.capture(Output::Agent, |context| context.node(statement)),
                );
                if joins {
                    self.print_aside(data);
                }
            }
            Destination::Around => {
                let data = self.capture(Output::Pipe, |context| context.node(statement));
                self.print_aside(data);
            }
            Destination::File(field, append) => {
                let first = self.found.effects.len();
                let data = self.capture(Output::File, |context| context.node(statement));
                if field.process.is_some() {
                    return self.feed_processes(statement, &data);
                }
                if !append && self.shows_version_of(&field, first) {
                    self.push(Kind::GitDiscard, None, false, field.span);
                    self.annotate("a version out of git takes the place of the file");
                }
                let nothing = data == Data::Nothing || data == Data::Text(String::new());
                if !append && nothing {
                    self.emptied(&field);
                }
                let data = if append { self.appended(&field, data) } else { data };
                self.remember(&field, data);
            }
            Destination::Connection(host) => {
                let data = self.capture(Output::File, |context| context.node(statement));
                if data == Data::Archive {
                    self.effect_on(Kind::Exfiltrate, host);
                    self.annotate(ARCHIVE);
                }
            }
        }
    }

    /// Something is printed to a descriptor that stands for a standard output around this one.
    fn print_aside(&mut self, data: Data) {
        let before = std::mem::replace(&mut self.aside, Data::Nothing);
        self.aside = if before == Data::Nothing { data } else { before.followed_by(data) };
    }

    /// What was printed aside comes out where the statement with the redirections prints to, or goes to the command behind `2> >(COMMAND)`.
    pub(super) fn printed_aside(&mut self, statement: &Statement, around: Data) {
        let data = std::mem::replace(&mut self.aside, around);
        if data == Data::Nothing {
            return;
        }
        let taps = |redirection: &Redirection| {
            let process = |part: &Part| matches!(part, Part::Process { direction: Direction::Write, .. });
            redirection.descriptor == Some(2) && redirection.target.parts.iter().any(process)
        };
        match statement.redirections.iter().any(taps) {
            true => self.feed_processes(statement, &data),
            false => self.print_to_sink(data),
        }
    }

    /// `> >(COMMAND)`: the command reads what is written.
    fn feed_processes(&mut self, statement: &Statement, data: &Data) {
        let parts = statement.redirections.iter().flat_map(|redirection| &redirection.target.parts);
        let processes = parts.filter_map(|part| match part {
            Part::Process { script, direction: Direction::Write, .. } => Some(script),
            _ => None,
        });
        for script in processes {
            self.within(
                |scope| scope.input = Rc::new(data.clone()),
                |context| context.in_subshell(|context| context.run(script)),
            );
        }
    }

    /// Does one of the new effects show that file as git has it?
    fn shows_version_of(&self, file: &Field, first: usize) -> bool {
        let Some(path) = self.resolve_one(file) else { return false };
        let shows = |call: &Call| {
            let subcommand = call.subcommand.first().map(String::as_str);
            call.program == "git" && matches!(subcommand, Some("show" | "cat-file"))
        };
        self.found.effects.iter().skip(first).any(|effect| {
            let same = matches!(&effect.target, Some(Target::Path(fact)) if fact.path == path);
            effect.kind == Kind::Read
                && same
                && effect.call.and_then(|at| self.found.calls.get(at)).is_some_and(shows)
        })
    }

    fn redirection(
        &mut self,
        redirection: &Redirection,
        destination: &mut Destination,
        network: &mut Option<Target>,
    ) {
        let number = self.number(redirection);
        self.expanded_twice(redirection);
        // `>&$log` is told from `>& FILE` by what the word becomes.
        let kind = if redirection.kind == RedirectionKind::WriteBoth
            && self.written(redirection.span).starts_with(">&")
            && self.is_number(&redirection.target)
        {
            RedirectionKind::DuplicateOutput
        } else {
            redirection.kind
        };
        let is_output = number.is_none() && matches!(redirection.descriptor, None | Some(1));
        match kind {
            RedirectionKind::Heredoc => {
                if let Some(heredoc) = &redirection.heredoc {
                    let data = self.document(&heredoc.body);
                    self.take_input(number, data);
                }
            }
            RedirectionKind::HereString => {
                let data = self.text_input(&redirection.target, "\n");
                self.take_input(number, data);
            }
            RedirectionKind::DuplicateInput => {
                let field = self.field(&redirection.target);
                if field.is("-") {
                    number.into_iter().for_each(|number| self.state.close(number));
                } else if matches!(redirection.descriptor, None | Some(0)) {
                    self.read_from_descriptor(&field, network);
                }
            }
            // Nothing is written to a standard input by those that read it; a file that is missing is made.
            RedirectionKind::ReadWrite if matches!(redirection.descriptor, None | Some(0)) => {
                let field = self.field(&redirection.target);
                if connection(&field).is_some() {
                    self.write_to(&field, Kind::Write, &mut Destination::Same, network);
                } else {
                    let path = self.resolve_one(&field);
                    if path.is_none_or(|path| self.world().entry(&path).is_none()) {
                        self.path(Kind::Write, &field);
                    }
                    self.path(Kind::Read, &field);
                }
            }
            RedirectionKind::Read => {
                let field = self.field(&redirection.target);
                // `3< FILE` is for those that ask for it.
                match number {
                    Some(number) => {
                        let data = self.read_from(&field, &mut None);
                        self.state.open(number, Opened::Input(data));
                    }
                    None => {
                        let data = self.read_from(&field, network);
                        self.feed(data);
                    }
                }
            }
            RedirectionKind::DuplicateOutput => {
                self.duplicate_output(redirection, number, is_output, destination, network);
            }
            RedirectionKind::Write
            | RedirectionKind::WriteBoth
            | RedirectionKind::Append
            | RedirectionKind::AppendBoth
            | RedirectionKind::ReadWrite => {
                self.output(redirection, number, is_output, destination, network);
            }
        }
    }

    /// `>&2`, `2>&1`, `3>&1`, `>&$log`.
    fn duplicate_output(
        &mut self,
        redirection: &Redirection,
        number: Option<u32>,
        is_output: bool,
        destination: &mut Destination,
        network: &mut Option<Target>,
    ) {
        let field = self.field(&redirection.target);
        let text = field.shown();
        let is_output_around = match text.parse() {
            Ok(1) => matches!(destination, Destination::Same),
            Ok(number) => self.state.opened(number) == Some(&Opened::Output),
            Err(_) => false,
        };
        if redirection.descriptor == Some(2) {
            self.join_errors(is_output_around);
        }
        if let Some(number) = number.filter(|_| is_output_around) {
            self.state.open(number, Opened::Output);
            return self.joins_here();
        }
        let descriptor = text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        if !descriptor {
            self.write_to(&field, Kind::Write, destination, network);
        } else if text == "-" {
            number.into_iter().for_each(|number| self.state.close(number));
        } else {
            let to = self.descriptor(&field);
            if let (None, Some(Destination::Connection(host))) = (number, &to) {
                *network = Some(host.clone());
            }
            if is_output && text != "1" {
                let other = if text == "2" { Destination::Error } else { Destination::Away };
                *destination = to.unwrap_or(other);
            }
        }
    }

    /// `> FILE`, `>> FILE`, `&> FILE`, `<> FILE`.
    fn output(
        &mut self,
        redirection: &Redirection,
        number: Option<u32>,
        is_output: bool,
        destination: &mut Destination,
        network: &mut Option<Target>,
    ) {
        let field = self.field(&redirection.target);
        let append = matches!(redirection.kind, RedirectionKind::Append | RedirectionKind::AppendBoth);
        let kind = if append { Kind::Append } else { Kind::Write };
        let mut elsewhere = Destination::Same;
        let both = matches!(redirection.kind, RedirectionKind::WriteBoth | RedirectionKind::AppendBoth);
        if both || redirection.descriptor == Some(2) {
            self.join_errors(field.process.is_some());
        }
        let slot = if is_output || both { destination } else { &mut elsewhere };
        match number {
            None => self.write_to(&field, kind, slot, network),
            Some(number) => {
                self.write_to(&field, kind, &mut elsewhere, &mut None);
                let opened = self.opened(&field, elsewhere);
                self.state.open(number, opened);
            }
        }
        if kind == Kind::Write && is_anywhere(&field) {
            let target = Target::Unresolved(field.written.clone());
            self.unknown_about(Unknown::Target, Some(target), field.span);
        }
        if redirection.kind == RedirectionKind::ReadWrite && connection(&field).is_none() {
            self.path(Kind::Read, &field);
        }
    }

    /// Data is what is read from a descriptor: standard input, or one of its own number.
    fn take_input(&mut self, number: Option<u32>, data: Data) {
        match number {
            Some(number) => self.state.open(number, Opened::Input(data)),
            None => self.feed(data),
        }
    }

    /// The number that a redirection opens or closes, if it is none of the three that every program has.
    fn number(&mut self, redirection: &Redirection) -> Option<u32> {
        if let Some(number) = redirection.descriptor {
            return Some(number).filter(|number| *number > 2);
        }
        let written = self.written(redirection.span);
        let (variable, rest) = written.strip_prefix('{')?.split_once('}')?;
        if rest.ends_with('-') {
            return self.variable(variable)?.parse().ok();
        }
        let taken = self.state.descriptors.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
        let number = taken.max(FIRST_NAMED);
        self.state.set(variable, Value::of(number.to_string()));
        Some(number)
    }

    /// Does the word become a number that is open here?
    fn is_number(&mut self, word: &Word) -> bool {
        let text = self.field(word).text;
        text.and_then(|text| text.parse().ok()).is_some_and(|number| self.state.opened(number).is_some())
    }

    /// What a descriptor of its own number is, once this is opened for it.
    fn opened(&mut self, field: &Field, destination: Destination) -> Opened {
        match destination {
            _ if field.process.is_some() => Opened::Program,
            Destination::File(file, append) => {
                if !append {
                    self.remember(&file, Data::Text(String::new()));
                }
                Opened::File(file)
            }
            Destination::Connection(host) => Opened::Connection(host),
            Destination::Same | Destination::Away | Destination::Error | Destination::Around => {
                Opened::Nowhere
            }
        }
    }

    /// `<&3`
    fn read_from_descriptor(&mut self, field: &Field, network: &mut Option<Target>) {
        let opened =
            field.text().and_then(|text| text.parse().ok()).and_then(|number| self.state.opened(number));
        match opened.cloned() {
            Some(Opened::Input(data)) => self.feed(data),
            Some(Opened::Connection(host)) => {
                let name = match &host {
                    Target::Host(name) => Some(name.clone()),
                    _ => None,
                };
                self.feed(Data::Network(name));
                *network = Some(host);
            }
            _ if field.is("0") => {}
            _ => {
                self.feed(Data::Unknown);
                self.doubt(field.span, "nothing here says what the descriptor is");
            }
        }
    }

    /// `>&3`: where that goes; nothing for the three that every program has.
    fn descriptor(&mut self, field: &Field) -> Option<Destination> {
        let number: Option<u32> = field.text().and_then(|text| text.trim_end_matches('-').parse().ok());
        if number.is_some_and(|number| number <= 2) {
            return None;
        }
        match number.and_then(|number| self.state.opened(number)).cloned() {
            Some(Opened::File(file)) => Some(Destination::File(file, true)),
            Some(Opened::Connection(host)) => {
                self.effect_on(Kind::Upload, host.clone());
                Some(Destination::Connection(host))
            }
            Some(Opened::Output) => Some(Destination::Around),
            Some(Opened::Nowhere) => Some(Destination::Away),
            Some(Opened::Program) => {
                self.unknown(Unknown::Command, field.span);
                self.annotate("what a program is fed through a descriptor");
                Some(Destination::Away)
            }
            _ => {
                self.doubt(field.span, "nothing here says what the descriptor is");
                None
            }
        }
    }

    /// What a heredoc holds.
    fn document(&mut self, body: &Word) -> Data {
        if let [] | [_] = body.parts.as_slice() {
            return self.text_input(body, "");
        }
        let place = self.scope().mapping.place(body.span);
        let mut text = String::new();
        let mut source = Data::Unknown;
        let mut whole = true;
        for part in &body.parts {
            let field = self.field(&Word { parts: vec![part.clone()], span: body.span });
            match field.text {
                Some(known) if !field.pattern => text.push_str(&known),
                _ => {
                    whole = false;
                    text.push_str(HOLE);
                    source = source.followed_by_origin(field.source);
                }
            }
        }
        match source {
            _ if whole => {
                self.pieces.get_mut().note(&text, place);
                Data::Text(text)
            }
            Data::Unknown | Data::Unassigned | Data::Word | Data::Paths(_) => Data::Partial(text),
            source => source,
        }
    }

    fn text_input(&mut self, word: &Word, end: &str) -> Data {
        let field = self.field(word);
        match field.text {
            Some(text) if !field.pattern => Data::Text(text + end),
            Some(_) => Data::Unknown,
            None => field.source,
        }
    }

    fn read_from(&mut self, field: &Field, network: &mut Option<Target>) -> Data {
        if let Some(data) = &field.process {
            return (**data).clone();
        }
        if let Some(host) = connection(field) {
            self.effect_on(Kind::Download, host.clone());
            let name = match &host {
                Target::Host(name) => Some(name.clone()),
                _ => None,
            };
            *network = Some(host);
            return Data::Network(name);
        }
        self.redirected(Kind::Read, field);
        match self.resolve_one(field) {
            Some(path) if path == "/dev/null" => Data::Text(String::new()),
            Some(path) => self.content(&path),
            None => Data::Unknown,
        }
    }

    fn write_to(
        &mut self,
        field: &Field,
        kind: Kind,
        destination: &mut Destination,
        network: &mut Option<Target>,
    ) {
        if let Some(host) = connection(field) {
            self.effect_on(Kind::Upload, host.clone());
            *network = Some(host.clone());
            *destination = Destination::Connection(host);
            return;
        }
        if let Some(number) = descriptor_named(field)
            && let Some(to) = self.descriptor(&number)
        {
            *destination = to;
            return;
        }
        self.redirected(kind, field);
        if kind == Kind::Write && field.text().is_some_and(is_descriptor) {
            self.doubt(field.span, "opens again, and empties, whatever file is behind the descriptor");
        }
        *destination = match field.text() {
            _ if field.process.is_some() => Destination::File(field.clone(), false),
            Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => Destination::Same,
            Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => Destination::Error,
            Some(text) if paths::is_within(text, "/dev") => Destination::Away,
            _ => Destination::File(field.clone(), kind == Kind::Append),
        };
    }
}

impl Context<'_> {
    /// bash expands what became of the word behind `>&` and `1>&` once more.
    fn expanded_twice(&mut self, redirection: &Redirection) {
        let both = matches!(redirection.kind, RedirectionKind::WriteBoth | RedirectionKind::DuplicateOutput);
        let output = matches!(redirection.descriptor, None | Some(1));
        // What a command prints isn't known here, and the command runs once.
        let runs = |part: &Part| matches!(part, Part::Command { .. } | Part::Process { .. });
        let computed = redirection.target.parts.iter().any(runs);
        if !both || !output || computed {
            return;
        }
        if !self.written(redirection.span).trim_start_matches('1').starts_with(">&") {
            return;
        }
        let field = self.field(&redirection.target);
        if let Some(text) = field.text().filter(|text| text.contains(['$', '`'])) {
            self.expand_again(text, field.span);
        }
    }

    /// The file that a redirection names: `-` is one too, unlike where a program is given it.
    fn redirected(&mut self, kind: Kind, field: &Field) {
        match field.is("-") {
            true => self.path_text(kind, "./-", false),
            false => self.path(kind, field),
        }
    }
}

/// A path that means what is open already.
fn is_descriptor(path: &str) -> bool {
    matches!(path, "/dev/stdout" | "/dev/stderr" | "/dev/stdin")
        || paths::is_within(path, "/dev/fd")
        || paths::is_within(path, "/proc/self/fd")
}

/// The number in `/dev/fd/3`.
fn descriptor_named(field: &Field) -> Option<Field> {
    let start = ["/dev/fd/", "/proc/self/fd/"].into_iter().find(|start| field.written.starts_with(start))?;
    let number = field.after(start.len());
    (!number.written.contains('/')).then_some(number)
}

/// `/dev/tcp/HOST/PORT`.
fn connection(field: &Field) -> Option<Target> {
    let rest = field.written.strip_prefix("/dev/tcp/").or_else(|| field.written.strip_prefix("/dev/udp/"))?;
    let host = rest.split('/').next().unwrap_or(rest);
    let known = field.text.is_some() || !host.contains('$');
    Some(if known { Target::Host(host.to_owned()) } else { Target::Unresolved(field.written.clone()) })
}

/// Is it `exec` with redirections alone?
fn is_for_the_shell(statement: &Statement) -> bool {
    match &statement.node {
        Node::Command(command) => match command.words.as_slice() {
            [word] => word.literal().as_deref() == Some("exec"),
            _ => false,
        },
        _ => false,
    }
}

/// Variables that name a temporary directory, or the files that a build service reads its results from.
const NAMED_PLACES: [&str; 8] =
    ["TMPDIR", "TEMP", "TMP", "TEMPDIR", "RUNNER_TEMP", "GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"];

/// Is already the beginning of the path computed, so that the file can be any file?
fn is_anywhere(field: &Field) -> bool {
    let Some(rest) = field.written.strip_prefix('$').filter(|_| field.text.is_none()) else { return false };
    let rest = rest.strip_prefix('{').unwrap_or(rest);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    !rest.get(..end).is_some_and(|name| NAMED_PLACES.contains(&name))
}

/// Commands of the shell itself that run a text, or a command.
const RUNNING: [&str; 4] = ["exec", "eval", "source", "command"];

/// Does a shell, or this shell itself, run with these redirections?
fn runs_shell(statement: &Statement) -> bool {
    let Node::Command(command) = &statement.node else { return true };
    let acts_as = |word: &Word, what: &str| {
        let program = word.literal().and_then(|word| knowledge::program(paths::file_name(&word)));
        program.is_some_and(|program| program.specification().facets(Facet::ActsAs).any(|acts| acts == what))
    };
    let runs = |word: &Word| word.literal().is_some_and(|word| RUNNING.contains(&word.as_str()));
    let Some(first) = command.words.first() else { return false };
    let carries = acts_as(first, "carrier") || runs(first);
    first.literal().is_none_or(|word| word == ".")
        || command
            .words
            .iter()
            .any(|word| acts_as(word, "shell") || runs(word) || (carries && word.literal().is_none()))
}
