//! The shell's own commands: those that change the shell.

use crate::context::Context;
use crate::effect::{Kind, Place, Target, Traits, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::shipped;
use crate::paths::{self, Spelling};
use crate::programs::brought;
use crate::state::{Ended, NUMBER, Value, Variable};
use crate::texts::{formatted, joined, operands, option_value, shown_place};

/// A directory with a longer path, in bytes, is not followed: every command has its own note of it.
const LONGEST_DIRECTORY: usize = 1_024;
/// How many directories `pushd` remembers.
const DEEPEST_STACK: usize = 64;

impl Context<'_> {
    /// Runs a command of the shell itself; `false` where the name is none of them.
    pub(super) fn builtin(&mut self, name: &str, arguments: &[Field]) -> bool {
        self.moving_builtin(name, arguments)
            || self.naming_builtin(name, arguments)
            || self.running_builtin(name, arguments)
            || self.remembering_builtin(name, arguments)
            || self.completing_builtin(name, arguments)
            || self.quiet_builtin(name)
    }

    /// Commands that change where the shell is, or what of the text still runs.
    fn moving_builtin(&mut self, name: &str, arguments: &[Field]) -> bool {
        match name {
            "cd" | "chdir" => self.change_directory(arguments),
            "pushd" => {
                let before = self.state.directories.clone();
                if operands(arguments, "").next().is_some() {
                    self.change_directory(arguments);
                    if self.state.stack.len() >= DEEPEST_STACK {
                        self.state.stack.remove(0);
                    }
                    self.state.stack.push(before);
                } else if let Some(top) = self.state.stack.pop() {
                    self.state.stack.push(before);
                    self.state.directories = top;
                }
            }
            "popd" => {
                let back = self.state.stack.pop().unwrap_or_default();
                self.state.previous = std::mem::replace(&mut self.state.directories, back);
            }
            "return" => self.jump(Ended::Function, arguments),
            "break" | "continue" => self.jump(Ended::Loop, arguments),
            "exit" => self.jump(Ended::Shell, arguments),
            // Fails but in a login shell.
            "logout" => {}
            _ => return false,
        }
        true
    }

    /// A jump that isn't sure to be taken leaves what stands behind it as what runs: one out of its place, one with an operand
    /// that the shell may refuse, and one that a failing redirection would skip.
    fn jump(&mut self, to: Ended, arguments: &[Field]) {
        let jumps = self.scope().jumps;
        let is_in_place = match to {
            Ended::Function => jumps.from_function,
            Ended::Loop => jumps.from_loop,
            Ended::Shell | Ended::No => true,
        };
        let is_plain = match arguments {
            [] => true,
            [one] => one.text().is_some_and(|text| {
                matches!(text.len(), 1..=3)
                    && text.bytes().all(|byte| byte.is_ascii_digit())
                    && (to != Ended::Loop || text != "0")
            }),
            _ => false,
        };
        if is_in_place && is_plain && !jumps.redirected {
            self.state.ended = to;
        }
    }

    /// Commands that set, read and test variables, aliases and options.
    fn naming_builtin(&mut self, name: &str, arguments: &[Field]) -> bool {
        match name {
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(name, arguments),
            "unset" => self.unset(arguments),
            "alias" => {
                let is_of_zsh = arguments.iter().take_while(|field| field.is_dashed()).next().is_some();
                for field in operands(arguments, "") {
                    if let Some((name, _)) = field.written.split_once('=') {
                        let text = field.after(name.len() + 1);
                        // `-s`: runs for every word that ends so; `-g`: stands for a word anywhere.
                        if is_of_zsh && !arguments.first().is_some_and(|field| field.is("-p")) {
                            self.may_run(&text);
                        }
                        self.state.define_alias(name, text.text);
                    }
                }
            }
            "unalias" => {
                for field in arguments {
                    self.state.remove_alias(field.shown());
                }
            }
            // Without arguments it prints every variable.
            "set" if arguments.is_empty() => {
                if !self.scope().chosen {
                    self.effect(Kind::SecretRead);
                }
            }
            "set" | "setopt" | "unsetopt" | "shopt" => self.set_options(name, arguments),
            "shift" => {
                let count =
                    arguments.first().and_then(Field::text).and_then(|text| text.parse().ok()).unwrap_or(1);
                if let Some(positional) = &mut self.state.positional {
                    positional.drain(..positional.len().min(count));
                }
            }
            "read" | "mapfile" | "readarray" => self.read_variables(name, arguments),
            "printf" if arguments.first().is_some_and(|field| field.written.starts_with("-v")) => {
                if let Some(variable) = option_value(arguments, 'v') {
                    self.name(&variable);
                    let words = if arguments.first().is_some_and(|field| field.is("-v")) { 2 } else { 1 };
                    let value = formatted(arguments.get(words..).unwrap_or_default());
                    if let Some(name) = variable.text() {
                        self.hijack_unseen(name);
                        let value = Value::from_data(value);
                        self.named_element_for_shell(name, &self.field_of(&value));
                        self.state.set(name, value);
                    }
                }
            }
            "getopts" => {
                if let Some(variable) = arguments.get(1) {
                    self.name(variable);
                }
                if let Some(variable) = arguments.get(1).and_then(Field::text).map(str::to_owned) {
                    self.state.set(&variable, Value::from_data(Data::Word));
                    self.state.set("OPTARG", Value::computed());
                }
            }
            "let" => {
                for field in arguments {
                    self.arithmetic_argument(field);
                    if let Some((name, _)) = field.written.split_once('=') {
                        self.state.set(name, Value::pattern(NUMBER));
                    }
                }
            }
            "wait" => {
                if let Some(variable) = option_value(arguments, 'p') {
                    self.name(&variable);
                }
                self.print(Data::Nothing);
            }
            "test" | "[" => {
                for pair in arguments.windows(2) {
                    if let [operator, operand] = pair
                        && (operator.is("-v") || operator.is("-R"))
                    {
                        self.name(operand);
                    }
                }
                self.print(Data::Nothing);
            }
            _ => return false,
        }
        true
    }

    /// Commands that run others, or change what a name runs.
    fn running_builtin(&mut self, name: &str, arguments: &[Field]) -> bool {
        match name {
            "eval" => {
                let rest = match arguments.split_first() {
                    Some((first, rest)) if first.is("--") => rest,
                    _ => arguments,
                };
                if rest.is_empty() {
                    self.doubt(self.scope().span, "there is no text to run");
                } else {
                    self.run_here(&joined(rest));
                }
            }
            "source" | "." => self.source(arguments),
            "exec" => {
                let rest = skip_options(arguments, "a");
                if !rest.is_empty() {
                    // Where there is no such program, a shell may go on.
                    self.deeper(|context| context.call_external(rest));
                }
            }
            "command" => {
                let rest = skip_options(arguments, "");
                let asks = arguments
                    .iter()
                    .take_while(|field| field.is_dashed())
                    .any(|field| field.written.contains('v') || field.written.contains('V'));
                if asks {
                    if !arguments.first().is_some_and(|field| field.is("-v") || field.is("-V")) {
                        self.doubt(
                            self.scope().span,
                            "looks a command up in another way than this shell does",
                        );
                    }
                    self.print(shown_place(self.places(), rest));
                } else if !rest.is_empty() {
                    self.deeper(|context| context.call_without_functions(rest));
                }
            }
            "builtin" => {
                let arguments = skip_options(arguments, "");
                if let Some((word, rest)) = arguments.split_first() {
                    let known = word.text().map(str::to_owned);
                    self.deeper(|context| match known {
                        Some(name) if context.builtin(&name, rest) => {}
                        _ => context.call_without_functions(arguments),
                    });
                }
            }
            "noglob" | "nocorrect" | "coproc" | "-" => self.deeper(|context| context.call_words(arguments)),
            "trap" => self.trap(arguments),
            _ => return false,
        }
        true
    }

    /// Commands that change what a name stands for, and what the shell remembers.
    fn remembering_builtin(&mut self, name: &str, arguments: &[Field]) -> bool {
        match name {
            "hash" => {
                // `hash -p PATH NAME`: the name is that program from here on.
                if let [flag, path, names @ ..] = arguments
                    && flag.is("-p")
                {
                    // A command of the shell itself is found before.
                    let own = |name: &str| {
                        is_builtin(name) || shipped().table("commands/shell/also-programs").contains(name)
                    };
                    for name in names {
                        self.state.remember_program(name.shown(), path.text.clone(), own(name.shown()));
                    }
                }
                // `hash NAME=PATH` of zsh; `-d` names directories.
                if !arguments.first().is_some_and(Field::is_dashed) {
                    for field in arguments {
                        if let Some((name, _)) = field.written.split_once('=') {
                            let path = field.after(name.len() + 1).text;
                            self.state.remember_program(name, path, is_builtin(name));
                        }
                    }
                }
                self.print(Data::Nothing);
            }
            "enable" if arguments.first().is_some_and(|field| field.is("-n")) => {
                for name in arguments.iter().skip(1) {
                    self.state.disable_builtin(name.shown());
                    // Nobody knows any more what of the text runs.
                    if matches!(name.shown(), "exit" | "return" | "break" | "continue") {
                        self.unknown(Unknown::Unparsed, self.scope().span);
                    }
                }
                self.doubt(self.scope().span, "a command of the shell is a program from here on");
                self.print(Data::Nothing);
            }
            // `fc -s` runs what it keeps.
            "history" if arguments.first().is_some_and(|field| field.is("-s")) => {
                let text = joined(arguments.get(1..).unwrap_or_default());
                self.may_run(&text);
                self.doubt(self.scope().span, "changes the list of commands");
                self.print(Data::Nothing);
            }
            "zmodload" => {
                let opens =
                    |field: &&Field| shipped().table("commands/shell/modules").find(field.shown()).is_some();
                if let Some(module) = arguments.iter().find(opens) {
                    self.unknown(Unknown::Unparsed, module.span);
                    self.annotate("a module of zsh that opens files without a program");
                }
                self.print(Data::Nothing);
            }
            "history" if arguments.iter().any(Field::is_dashed) => {
                let own =
                    self.state.variable("HISTFILE").and_then(|variable| variable.values.first()).cloned();
                let own = own
                    .map(|value| self.field_of(&value))
                    .filter(|_| operands(arguments, "").next().is_none());
                let reads = arguments.first().is_some_and(|field| field.written.contains(['r', 'n']));
                for file in operands(arguments, "").chain(&own) {
                    self.path(if reads { Kind::Read } else { Kind::Write }, file);
                }
                self.doubt(self.scope().span, "changes the list of commands, or the file that keeps it");
                self.print(Data::Nothing);
            }
            "fc" if !arguments.first().is_some_and(|field| field.written.starts_with("-l")) => {
                // The editor is a command, and what it leaves is run.
                if let Some(editor) = option_value(arguments, 'e').filter(|editor| !editor.is("-")) {
                    self.may_run(&editor);
                }
                self.doubt(self.scope().span, "runs a command of before again");
                self.print(Data::Unknown);
            }
            "enable" if arguments.iter().any(|field| field.written.starts_with("-f")) => {
                self.effect_on(Kind::Hijack, Target::Name("enable -f".to_owned()));
                self.annotate("a library becomes a command of the shell");
                self.print(Data::Nothing);
            }
            _ => return false,
        }
        true
    }

    /// The text may run later on, by another name.
    pub(super) fn may_run(&mut self, text: &Field) {
        // Of a text that isn't known the name says nothing worse than before.
        if text.text().is_some() && !text.pattern {
            self.possibly(|context| context.run_shell(text));
        }
    }

    /// `trap TEXT SIGNALS`: the text runs at some time; before each command, where the signal is `DEBUG`.
    fn trap(&mut self, arguments: &[Field]) {
        let mut operands = operands(arguments, "");
        let action = operands.next().cloned();
        let signals: Vec<&Field> = operands.collect();
        if signals.iter().any(|signal| matches!(signal.shown(), "DEBUG" | "RETURN" | "ERR")) {
            self.doubt(self.scope().span, "runs between the commands that follow");
        }
        if let Some(action) = action.filter(|action| !signals.is_empty() && !action.is("-")) {
            let before = self.state.clone();
            self.run_here(&action);
            let after = std::mem::replace(&mut self.state, before);
            // At the end of the shell nothing follows any more; every other signal may come at any time.
            if signals.iter().any(|signal| !matches!(signal.shown(), "EXIT" | "0")) {
                self.state.assign_by_trap(&after);
            }
            self.state.keep_files_of(after);
        }
    }

    /// Commands that complete words, bind keys and look names up.
    fn completing_builtin(&mut self, name: &str, arguments: &[Field]) -> bool {
        match name {
            "compgen" | "complete" => {
                self.completions(name, arguments);
                self.print(if name == "compgen" { Data::Unknown } else { Data::Nothing });
            }
            "bind" => {
                if let Some(bound) = option_value(arguments, 'x') {
                    match bound.written.split_once(':') {
                        Some((key, _)) => {
                            let command = bound.after(key.len() + 1);
                            self.possibly(|context| context.run_shell(&command));
                        }
                        None => self.doubt(bound.span, "binds a key to a command"),
                    }
                }
                self.print(Data::Nothing);
            }
            "type" => {
                let names: Vec<_> = operands(arguments, "").cloned().collect();
                self.print(shown_place(self.places(), &names));
            }
            _ => return false,
        }
        true
    }

    /// Commands that change nothing which is followed here.
    fn quiet_builtin(&mut self, name: &str) -> bool {
        let Some(row) = shipped().table("commands/shell/quiet").find(name) else { return false };
        self.print(if row.cell(0) == Some("prints") { Data::Unknown } else { Data::Nothing });
        true
    }

    /// `compgen -W TEXT`, `-C COMMAND`, `-F FUNCTION`: what makes the completions runs, for `complete` at a later time.
    fn completions(&mut self, builtin: &str, arguments: &[Field]) {
        if builtin == "complete" {
            return self.possibly(|context| context.complete_words(arguments));
        }
        self.complete_words(arguments);
    }

    fn complete_words(&mut self, arguments: &[Field]) {
        if let Some(words) = option_value(arguments, 'W') {
            match words.text() {
                Some(text) => self.expand_again(text, words.span),
                None => self.doubt(words.span, "a computed text is expanded again"),
            }
        }
        if let Some(command) = option_value(arguments, 'C') {
            self.run_shell(&command);
        }
        if let Some(function) = option_value(arguments, 'F') {
            self.in_subshell(|context| context.call_words(&[Field { bare: true, ..function }]));
            self.doubt(self.scope().span, "runs what makes the completions");
        }
    }

    fn change_directory(&mut self, arguments: &[Field]) {
        let target = operands(arguments, "").next();
        let before = self.state.directories.clone();
        self.state.directories = match target {
            None => vec![self.variable("HOME").unwrap_or_default()],
            Some(field) if field.is("-") => self.state.previous.clone(),
            Some(field) if field.pattern => self.only_directory(field).into_iter().collect(),
            Some(field) if field.is("") => before.clone(),
            // What is open under a number is the directory itself.
            Some(field)
                if field.text().is_some_and(|text| text.starts_with("/dev/fd/") || text.contains("/fd/")) =>
            {
                let inside = Field { text: field.text().map(|text| format!("{text}/.")), ..field.clone() };
                self.resolve(&inside).unwrap_or_default()
            }
            Some(field) => self.resolve(field).unwrap_or_else(|| {
                self.guarded_elsewhere(field, true).map(|fact| fact.path).into_iter().collect()
            }),
        };
        if let Some(field) = target.filter(|_| !before.is_empty()) {
            self.found_by_search(field, &before);
        }
        if self.state.directories.iter().any(|directory| directory.len() > LONGEST_DIRECTORY) {
            self.state.directories = Vec::new();
        }
        self.state.previous = before;
        self.state.forget("OLDPWD");
        // The shell sets it, but keeps what the text has assigned where there is no such directory. Those of the system
        // are there.
        let there = |directory: &str| paths::place_of(directory, self.places()) == Place::System;
        match (self.state.variable("PWD").cloned(), self.directory()) {
            (Some(assigned), Some(directory)) if !there(directory) => {
                let new = Value::of(directory);
                let mut values = assigned.values;
                values.retain(|value| *value != new);
                values.push(new);
                self.state.set_variable("PWD", Variable { values, elements: None, ..assigned });
            }
            (Some(_), None) => self.state.set("PWD", Value::computed()),
            _ => self.state.forget("PWD"),
        }
    }

    /// The one directory that a pattern stands for: with several the shell stays where it is.
    fn only_directory(&self, field: &Field) -> Option<String> {
        let meant = brought::meant(self, field);
        let mut found = meant.iter().filter(|one| !one.pattern).filter_map(|one| self.resolve_one(one));
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// With `CDPATH` in the text a plain name may be that of a directory in any of those that it lists.
    fn found_by_search(&mut self, field: &Field, before: &[String]) {
        let Some(list) = self.variable_of_call("CDPATH") else { return };
        let is_plain =
            |text: &str| !text.starts_with('/') && !matches!(text.split('/').next(), Some("." | ".."));
        let Some(name) = field.text().filter(|text| is_plain(text)) else { return };
        let Some(list) = list else {
            self.state.directories = Vec::new();
            return;
        };
        for directory in list.split(':').filter(|directory| !directory.is_empty()) {
            for base in before {
                let found = paths::absolute(&format!("{directory}/{name}"), Some(base));
                for found in found
                    .into_iter()
                    .filter(|found| !self.state.directories.contains(found))
                    .collect::<Vec<_>>()
                {
                    self.state.directories.push(found);
                }
            }
        }
    }

    fn set_options(&mut self, builtin: &str, arguments: &[Field]) {
        let named = arguments.iter().enumerate().filter(|(index, field)| match builtin {
            "set" => index.checked_sub(1).and_then(|before| arguments.get(before)).is_some_and(|before| {
                before.written.starts_with(['-', '+']) && before.written.ends_with('o')
            }),
            _ => !field.is_dashed(),
        });
        let letters = arguments.iter().take_while(|field| !field.is("--")).filter(|field| field.is_dashed());
        let plain = named.map(|(_, field)| field).all(is_plain_option)
            && (builtin != "set" || letters.clone().all(|field| !field.written.contains(['a', 'k', 'p'])));
        if !plain {
            self.unknown(Unknown::Program, self.scope().span);
            self.annotate("sets an option that changes how the shell reads or passes on what follows");
        }
        if builtin != "set" {
            return;
        }
        self.state.keywords |= letters.clone().any(|field| field.written.contains('k'))
            || arguments.iter().any(|field| field.is("keyword"));
        let at = arguments.iter().position(|field| field.is("--"));
        let positional = match at {
            Some(at) => arguments.get(at + 1..).unwrap_or_default(),
            None => {
                let first = arguments.iter().position(|field| !field.written.starts_with(['-', '+']));
                match first {
                    // `set -o pipefail`
                    Some(at)
                        if at > 0
                            && arguments.get(at - 1).is_some_and(|field| field.written.ends_with('o')) =>
                    {
                        return;
                    }
                    Some(at) => arguments.get(at..).unwrap_or_default(),
                    None => return,
                }
            }
        };
        self.state.positional = Some(positional.iter().cloned().map(Value::from_field).collect());
    }

    fn source(&mut self, arguments: &[Field]) {
        let Some((file, rest)) = arguments.split_first() else { return };
        let data = match &file.process {
            Some(data) if **data == Data::Nothing => {
                self.doubt(file.span, "what a program prints for the shell's start is run");
                Data::Nothing
            }
            Some(data) => (**data).clone(),
            None if file.is("/dev/stdin") || file.is("-") => self.input().clone(),
            None if file.text().and_then(|text| self.descriptor_data(text)).is_some() => {
                file.text().and_then(|text| self.descriptor_data(text)).unwrap_or_default()
            }
            None => match self.file_key(file) {
                Some(path) => {
                    let spelling = Spelling::of(false, false);
                    let fact =
                        paths::fact(path.clone(), spelling, self.places(), self.world(), &self.state.links);
                    if fact.traits.contains(Traits::SECRET) && !fact.names_environment() {
                        // What can't be run is shown in the complaints about it.
                        self.possibly(|context| context.path(Kind::Read, file));
                    }
                    self.content(&path)
                }
                None => return self.computed_command(file),
            },
        };
        if !rest.is_empty() {
            self.state.positional = Some(rest.iter().cloned().map(Value::from_field).collect());
        }
        let change = |scope: &mut crate::scope::Scope| {
            scope.jumps.from_function = true;
            scope.jumps.from_loop = false;
        };
        self.within(change, |context| context.run_sourced(&data, file));
        if self.state.ended == Ended::Function {
            self.state.ended = Ended::No;
        }
    }
}

/// Options of shells that change neither the meaning of what follows nor what is passed on; spelled as bash or zsh does.
fn is_plain_option(field: &Field) -> bool {
    let Some(text) = field.text() else { return false };
    let name = text.to_ascii_lowercase().replace('_', "");
    let name = name.strip_prefix("no").filter(|rest| *rest == "match" || rest.len() > 5).unwrap_or(&name);
    matches!(
        name,
        "errexit"
            | "errtrace"
            | "functrace"
            | "nounset"
            | "unset"
            | "pipefail"
            | "xtrace"
            | "verbose"
            | "glob"
            | "clobber"
            | "noclobber"
            | "noglob"
            | "nullglob"
            | "failglob"
            | "globstar"
            | "extglob"
            | "extendedglob"
            | "dotglob"
            | "globdots"
            | "nocaseglob"
            | "caseglob"
            | "nocasematch"
            | "match"
            | "nomatch"
            | "shwordsplit"
            | "monitor"
            | "notify"
            | "history"
            | "histexpand"
            | "banghist"
            | "lastpipe"
            | "inheriterrexit"
            | "expandaliases"
            | "localoptions"
            | "interactivecomments"
            | "checkwinsize"
            | "numericglobsort"
            | "bareglobqual"
    )
}

/// What follows the leading options.
fn skip_options<'a>(arguments: &'a [Field], with_value: &str) -> &'a [Field] {
    let mut index = 0;
    while let Some(field) = arguments.get(index) {
        if field.is("--") {
            index += 1;
            break;
        }
        if !field.is_dashed() {
            break;
        }
        let takes = field.written.chars().last().is_some_and(|last| with_value.contains(last));
        index += if takes { 2 } else { 1 };
    }
    arguments.get(index..).unwrap_or_default()
}

/// Is the name a command of the shell itself, whatever programs there are?
pub(super) fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "cd" | "chdir"
            | "pushd"
            | "popd"
            | "export"
            | "declare"
            | "typeset"
            | "local"
            | "readonly"
            | "unset"
            | "alias"
            | "unalias"
            | "set"
            | "shift"
            | "read"
            | "mapfile"
            | "readarray"
            | "printf"
            | "getopts"
            | "let"
            | "eval"
            | "source"
            | "."
            | "exec"
            | "command"
            | "builtin"
            | "noglob"
            | "nocorrect"
            | "coproc"
            | "trap"
            | "return"
            | "break"
            | "continue"
            | "exit"
            | "logout"
            | ":"
            | "true"
            | "false"
            | "wait"
            | "jobs"
            | "fg"
            | "bg"
            | "disown"
            | "hash"
            | "type"
            | "ulimit"
            | "umask"
            | "shopt"
            | "setopt"
            | "unsetopt"
            | "times"
            | "caller"
            | "dirs"
            | "bind"
            | "complete"
            | "compgen"
            | "compopt"
            | "suspend"
            | "test"
            | "["
            | "[["
            | "autoload"
            | "zmodload"
            | "rehash"
            | "whence"
            | "history"
            | "fc"
            | "enable"
            | "help"
    )
}
