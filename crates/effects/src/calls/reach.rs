//! Variables that are set for one call, and steer only some programs: what they make run is said where it is reached.
//!
//! `GIT_SSH_COMMAND=./x git status` runs no `./x`, `BASH_ENV=./x bash -i` reads no `./x`. What is not certainly out of
//! a variable's reach is within it. An editor of one's own is always asked about: what opens one is hard to tell, and
//! what does nothing in its place is known. A variable that is exported, or set for all that follows, is not looked at here.

use crate::context::Context;
use crate::effect::{Certainty, Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::inside::MAXIMUM_SCRIPT;
use crate::knowledge::{self, Facet, Matched};
use crate::paths::file_name;
use crate::programs::git_reach::{self, Purpose};
use crate::programs::unread::written_by_text;
use crate::scope::Deferred;

/// What a variable steers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// bash, where nobody types: it names a file that is read first.
    Scripts,
    /// POSIX shells, where somebody types.
    Typed,
    /// zsh: it names the directory of the files that are read first.
    Directory,
    /// Calls of git, and everything else that may call git for that purpose.
    Git(Purpose),
    /// An interpreter that reads this variable, and everything else that may run one.
    Language(&'static str),
    /// Python, where somebody types.
    TypedPython,
    /// tar, which has read it already, and everything that may run it.
    Archiver,
    /// Whatever shows a text.
    Shown,
}

/// How a variable reaches a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// It does not.
    No,
    /// One file that it names is read.
    File,
    /// In whatever way.
    Yes,
}

/// The variables whose reach is known.
const SCOPES: [(&str, Scope); 20] = [
    ("BASH_ENV", Scope::Scripts),
    ("ENV", Scope::Typed),
    ("GIT_SSH", Scope::Git(Purpose::Remote)),
    ("GIT_SSH_COMMAND", Scope::Git(Purpose::Remote)),
    ("GIT_SSH_VARIANT", Scope::Git(Purpose::Remote)),
    ("GIT_PROXY_COMMAND", Scope::Git(Purpose::Remote)),
    ("GIT_ASKPASS", Scope::Git(Purpose::Remote)),
    ("GIT_EXTERNAL_DIFF", Scope::Git(Purpose::Difference)),
    ("NODE_OPTIONS", Scope::Language("NODE_OPTIONS")),
    ("PERL5OPT", Scope::Language("PERL5OPT")),
    ("PERL5DB", Scope::Language("PERL5DB")),
    ("RUBYOPT", Scope::Language("RUBYOPT")),
    ("JAVA_TOOL_OPTIONS", Scope::Language("JAVA_TOOL_OPTIONS")),
    ("PYTHONSTARTUP", Scope::TypedPython),
    ("TAR_OPTIONS", Scope::Archiver),
    ("PAGER", Scope::Shown),
    ("GIT_PAGER", Scope::Shown),
    ("MANPAGER", Scope::Shown),
    ("BROWSER", Scope::Shown),
    ("ZDOTDIR", Scope::Directory),
];

fn scope(name: &str) -> Option<Scope> {
    SCOPES.iter().find(|(known, _)| *known == name).map(|(_, scope)| *scope)
}

/// Is it known which programs the variable steers?
pub(crate) fn is_scoped(name: &str) -> bool {
    scope(name).is_some()
}

impl Context<'_> {
    /// A variable of one call makes something run, if that is reached.
    pub(crate) fn defer(&mut self, name: &str, value: &Field) {
        self.deferred.push(Deferred { name: name.to_owned(), value: value.clone(), reached: false });
    }

    /// A call whose effects begin there has been read: which variables reach it?
    pub(crate) fn reach(&mut self, call: &Matched<'_>, first_effect: usize) {
        if self.deferred.iter().all(|deferred| deferred.reached) {
            return;
        }
        let own = self.scope().call;
        let unread = self.found.effects.iter().skip(first_effect).any(|effect| {
            effect.call == own
                && match effect.kind {
                    Kind::ProjectCode => effect.certainty == Certainty::Possible,
                    Kind::Unknown(unknown) => unknown != Unknown::Target,
                    Kind::RemoteCode | Kind::HiddenCode => true,
                    _ => false,
                }
        });
        self.each_reached(|scope| match scope {
            _ if !is_within_reach(scope, call, unread) => Reach::No,
            Scope::Scripts | Scope::Typed if is_shell(call.program) => Reach::File,
            Scope::Directory if !call.has("-i") && !call.has("-l") && has_text(call) => Reach::File,
            _ => Reach::Yes,
        });
    }

    /// A program that nobody knows runs: all that is set reaches it, but for what is read where somebody types.
    pub(crate) fn reach_unknown(&mut self) {
        self.each_reached(|scope| match scope {
            Scope::Typed | Scope::Directory => Reach::No,
            _ => Reach::Yes,
        });
    }

    fn each_reached(&mut self, reaches: impl Fn(Scope) -> Reach) {
        for index in 0..self.deferred.len() {
            let Some(deferred) = self.deferred.get_mut(index) else { return };
            let Some(scope) = scope(&deferred.name).filter(|_| !deferred.reached) else { continue };
            let reach = reaches(scope);
            if reach == Reach::No {
                continue;
            }
            deferred.reached = true;
            let Deferred { name, value, .. } = deferred.clone();
            let file = match scope {
                Scope::Directory => Field::of(format!("{}/.zshenv", value.shown()), value.span),
                _ => value.clone(),
            };
            if reach == Reach::File && value.text.is_some() && self.reads_first(&file) {
                continue;
            }
            if super::steering::names_command(&name) && value.text.is_some() {
                self.possibly(|context| context.run_shell(&value));
            }
            self.push(Kind::Hijack, Some(Target::Name(name)), false, value.span);
        }
    }

    /// A file that a shell reads before anything else, if it is known what is in it: it is judged by that.
    fn reads_first(&mut self, file: &Field) -> bool {
        // The shell expands the name.
        let name = file.text().filter(|text| !text.contains(['$', '`', '~']));
        let Some(path) = name.and_then(|_| self.resolve_one(file)) else { return false };
        let data = self.content(&path);
        let known = match &data {
            Data::Text(_) => true,
            Data::File(path) => self.look(path, MAXIMUM_SCRIPT).text().is_some(),
            _ => false,
        };
        if known {
            self.in_subshell(|context| context.run_sourced(&data, file));
        }
        known
    }
}

fn is_within_reach(scope: Scope, call: &Matched<'_>, unread: bool) -> bool {
    let program = call.program;
    let shell = is_shell(program);
    match scope {
        Scope::Typed => return shell && types(call),
        // `-f` leaves all of them out.
        Scope::Directory => return program == "zsh" && !call.has("-f"),
        _ => {}
    }
    if knowledge::has_facet(program, Facet::Plain) {
        return false;
    }
    match scope {
        Scope::Scripts if shell => reads_for_scripts(call),
        Scope::Git(purpose) if program == "git" => git_reach::reaches(call, purpose),
        Scope::Language(variable) if reads(program, variable) => true,
        Scope::TypedPython if program == "python" => {
            call.has("-i") || (call.operands.is_empty() && !call.has("-c") && !call.has("-m"))
        }
        Scope::Archiver if program == "tar" => false,
        Scope::Scripts | Scope::Language(_) | Scope::TypedPython | Scope::Archiver if program == "git" => {
            // Hooks, helpers and aliases are programs of any kind.
            git_reach::reaches(call, Purpose::Remote)
        }
        // Its text is followed: what it runs beyond that is unread.
        _ if knowledge::acts_as(program, "interpreter") => unread,
        _ => true,
    }
}

impl Context<'_> {
    /// The arguments of a call with the options that the text has put into a variable, or into a file, for the program; and that
    /// variable.
    pub(crate) fn with_inherited_options(
        &self,
        call: &Matched<'_>,
        arguments: &[Field],
    ) -> Option<(String, Vec<Field>)> {
        let specification = knowledge::program(call.program)?.specification();
        let in_variable = |name: &str| {
            let text = self.variable_of_call(name)??;
            Some((name.to_owned(), text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()))
        };
        let in_file = |name: &str| {
            let file = match name.starts_with('-') {
                true => call.value(name)?.clone(),
                false => Field::of(self.variable_of_call(name)??, call.span),
            };
            let text = match (file.written.as_str(), self.input()) {
                ("-", Data::Text(text) | Data::Partial(text)) => text.clone(),
                _ => written_by_text(self, &file)?,
            };
            Some((name.to_owned(), options_of_lines(&text)))
        };
        let mut found = specification.facets(Facet::OptionsIn).filter_map(in_variable);
        let (name, given) =
            found.next().or_else(|| specification.facets(Facet::OptionsFrom).find_map(in_file))?;
        if given.is_empty() {
            return None;
        }
        let behind =
            arguments.iter().zip(&call.subcommand).take_while(|(field, name)| field.is(name)).count();
        let (before, rest) = arguments.split_at_checked(behind)?;
        // What names the file is not read again.
        let value = call.value(&name).map(|value| value.written.as_str());
        let rest = rest.iter().filter(|field| value.is_none_or(|value| !field.written.ends_with(value)));
        let given = given.into_iter().map(|word| Field::of(word, call.span));
        Some((name, before.iter().cloned().chain(given).chain(rest.cloned()).collect()))
    }
}

/// The options in a file of settings: `name = value`, `name value`, `--name=value`, or a name alone.
fn options_of_lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let option = |line: &str| {
        let (name, value) = match line.split_once(|c: char| c == '=' || c == ':' || c.is_whitespace()) {
            Some((name, value)) => (name, value.trim_start_matches(['=', ':', ' ', '\t']).trim_matches('"')),
            None => (line, ""),
        };
        let name = name.trim().trim_start_matches('-').replace('_', "-");
        if value.is_empty() { format!("--{name}") } else { format!("--{name}={value}") }
    };
    lines.map(option).collect()
}

/// Does the program run code that a variable names?
fn reads(program: &str, variable: &str) -> bool {
    knowledge::program(program).is_some_and(|program| {
        program.specification().facets(Facet::Variables).any(|known| known == variable)
    })
}

fn is_shell(program: &str) -> bool {
    knowledge::acts_as(program, "interpreter") && knowledge::acts_as(program, "shell")
}

/// Does a shell read the file that `BASH_ENV` names? bash does, under its own name, where nobody types; not in its
/// POSIX mode and not with other privileges (seen with bash 5.2).
fn reads_for_scripts(call: &Matched<'_>) -> bool {
    let privileged = call.has("-p") || call.values("-o").any(|option| option.is("privileged"));
    is_bash(call) && !call.has("-i") && !is_posix(call) && !privileged
}

/// Does somebody type into the shell, and does it read `ENV` then? bash does so in its POSIX mode only.
fn types(call: &Matched<'_>) -> bool {
    let typed = call.has("-i") || !has_text(call);
    // The Korn shells have read it for scripts as well.
    let korn = call.word.text().map(file_name).is_none_or(|name| name.ends_with("ksh"));
    (typed && (!is_bash(call) || is_posix(call))) || korn
}

/// Is the shell told what to run?
fn has_text(call: &Matched<'_>) -> bool {
    call.has("-c") || !call.operands.is_empty()
}

/// May it be bash, under its own name?
fn is_bash(call: &Matched<'_>) -> bool {
    call.word.text().map(file_name).is_none_or(|name| matches!(name, "bash" | "rbash"))
}

fn is_posix(call: &Matched<'_>) -> bool {
    call.has("--posix") || call.values("-o").any(|option| option.is("posix"))
}
