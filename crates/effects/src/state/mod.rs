//! What earlier commands of a text leave for later ones.

mod merging;

use std::borrow::Cow;
use std::rc::Rc;

use crate::effect::{FileText, Kind, Target};
use crate::field::{Data, Field};
use crate::paths::{MadeLink, is_within};
use crate::scope::Mapping;
use crate::world::Places;
use hookgate_shell::Statement;

/// The most values that a variable is followed through.
pub(crate) const MAXIMUM_VALUES: usize = 16;
/// The most variables that are followed. Others are computed, as if the text did not set them.
const MAXIMUM_VARIABLES: usize = 128;
/// The most elements of an array that are followed.
const MAXIMUM_ELEMENTS: usize = 256;
/// How many bytes all variables may hold, and all files that are remembered. A state is copied for every course of a text.
const MAXIMUM_TEXT: usize = 256 * 1024;
/// Texts up to this length are not counted: there are only so many.
const SHORT: usize = 1024;
/// The most files whose content is remembered.
const MAXIMUM_FILES: usize = 64;

/// A function that is running.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    /// The function itself: another one may be defined under its name while it runs.
    pub(crate) function: Rc<Function>,
    /// What it was called with.
    pub(crate) positional: Vec<Value>,
    /// In how many background commands and pipes it was called; in more of them at the next call of itself, it multiplies.
    pub(crate) forks: u32,
}

/// A file that the text wrote.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// Its absolute path.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) data: Data,
    /// The call that wrote it; none for a redirection.
    pub(crate) call: Option<usize>,
}

/// Variables by name.
pub(crate) type Variables = Vec<(String, Variable)>;

/// What is open under a descriptor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Opened {
    /// It is read: what it holds.
    Input(Data),
    /// It is a file that is written.
    File(Field),
    /// It is the input of a program (`exec 3> >(tee log)`).
    Program,
    /// It is another name of a standard output around this (`3>&1`).
    Output,
    /// What is written to it is gone.
    Nowhere,
    /// It is a connection.
    Connection(Target),
}

/// The state of a shell.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The directories that the shell can be in; none where that is unknown.
    pub(crate) directories: Vec<String>,
    /// `pushd`'s stack.
    pub(crate) stack: Vec<Vec<String>>,
    /// Where `cd -` goes.
    pub(crate) previous: Vec<String>,
    /// Where the shell still is if the last `cd`, into what isn't there, has failed.
    pub(crate) stayed: Vec<String>,
    variables: Variables,
    functions: Vec<(String, Rc<Function>)>,
    aliases: Vec<(String, Option<String>)>,
    /// Of the aliases, those that `hash -p` made.
    remembered_programs: Vec<String>,
    /// What `hash -p` said about names that are commands of the shell itself, which come first.
    behind_builtins: Vec<(String, Option<String>)>,
    git_aliases: Vec<(String, String)>,
    /// Names of commits that a branch was put on.
    pub(crate) held_commits: Vec<String>,
    /// `$1` and so on.
    pub(crate) positional: Option<Vec<Value>>,
    /// `$_`: the last word of the command before.
    pub(crate) last_word: Value,
    /// `declare -n NAME=VARIABLE`: names that stand for other variables.
    references: Vec<(String, String)>,
    /// Variables of `declare -i`: what is assigned to them is arithmetic.
    integers: Vec<String>,
    /// Variables of `declare -A`: their subscripts are texts.
    associative: Vec<String>,
    /// Variables whose values are being evaluated as arithmetic.
    pub(crate) evaluating: Vec<String>,
    /// What the variables held that functions that are running have made their own.
    pub(crate) shadowed: Variables,
    /// What a `trap ... DEBUG` assigns before each command.
    pub(crate) assigned_by_trap: Variables,
    /// `$0`, where the call of the shell names it.
    pub(crate) own_name: Option<Value>,
    /// The directories that the text has put into `PATH`, as far as they are known.
    pub(crate) searched: Vec<String>,
    /// `set -k`: a word `NAME=value` is a variable of its call wherever it stands.
    pub(crate) keywords: bool,
    /// Links that were made.
    pub(crate) links: Vec<MadeLink>,
    files: Vec<Written>,
    /// More files were written than are remembered.
    more_files: bool,
    /// What is open under numbers beyond the three that every program has.
    pub(crate) descriptors: Vec<(u32, Opened)>,
    /// Functions that are running, so that a call of themselves is seen.
    pub(crate) running: Vec<Running>,
    /// Uncommitted work that is safe, as long as everything that ran since succeeded.
    pub(crate) stashed: Option<Stashed>,
    /// Nothing behind this runs.
    pub(crate) ended: Ended,
}

/// What `git stash` has put away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stashed {
    /// The directory in which it was called.
    pub(crate) directory: String,
    /// How many effects there were when it was done.
    pub(crate) effects: usize,
    /// Which files.
    pub(crate) files: StashedFiles,
}

/// Which files `git stash` has put away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StashedFiles {
    /// Those that git knows.
    Tracked,
    /// And those that it doesn't, but for ignored ones.
    Untracked,
    /// Ignored ones too.
    All,
}

/// Whether, and how much of, what follows runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ended {
    /// All of it.
    #[default]
    No,
    /// `break`, `continue`: not the rest of the loop's body.
    Loop,
    /// `return`: not the rest of the function.
    Function,
    /// `exit`, `exec`: nothing.
    Shell,
}

/// One value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Value {
    /// The text; `None` where it is computed.
    pub(crate) text: Option<String>,
    /// It holds a glob, or is some plain word.
    pub(crate) pattern: bool,
    /// Where a computed text comes from.
    pub(crate) source: Data,
    /// It may be another: only one of two courses set it, or the environment holds it.
    pub(crate) doubtful: bool,
    /// A computed text as it was assigned, where that is a plain path with variables: `$ROOT/bin/tool`.
    pub(crate) written: Option<Rc<str>>,
}

/// Longer texts are not kept as they were written.
const MAXIMUM_WRITTEN: usize = 200;

impl Value {
    /// The value of a field.
    pub(crate) fn from_field(field: Field) -> Value {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"$_{}/.-".contains(&byte);
        let kept = field.text.is_none()
            && field.written.len() <= MAXIMUM_WRITTEN
            && field.written.contains('/')
            && field.written.bytes().all(plain);
        Value {
            written: kept.then(|| Rc::from(field.written.as_str())),
            text: field.text,
            pattern: field.pattern,
            source: field.source,
            doubtful: field.doubtful,
        }
    }

    /// A value that is known.
    pub(crate) fn of(text: impl Into<String>) -> Value {
        Value { text: Some(text.into()), ..Value::default() }
    }

    /// A value that can't be known.
    pub(crate) fn computed() -> Value {
        Value::default()
    }

    /// Nothing may have been assigned: what it holds then is the environment's, most likely nothing.
    pub(crate) fn unassigned() -> Value {
        Value { source: Data::Unassigned, ..Value::default() }
    }

    /// Is it what a variable holds to which nothing was assigned?
    pub(crate) fn is_unassigned(&self) -> bool {
        self.text.is_none() && self.source == Data::Unassigned
    }

    /// A text of which only the form is known.
    pub(crate) fn pattern(text: impl Into<String>) -> Value {
        Value { text: Some(text.into()), pattern: true, ..Value::default() }
    }

    /// What a substitution puts into the text for data.
    pub(crate) fn from_data(data: Data) -> Value {
        match data {
            Data::Text(text) => Value::of(text.trim_end_matches('\n')),
            Data::Nothing => Value::of(""),
            Data::Word => Value::pattern(PLAIN_WORD),
            Data::Paths(glob) => Value::pattern(glob),
            source => Value { source, ..Value::default() },
        }
    }
}

/// The glob of a plain word without a slash. Not `*`, which would stand for all that is in a directory.
pub(crate) const PLAIN_WORD: &str = "[!/]*";
/// The glob of a number.
pub(crate) const NUMBER: &str = "[0-9]*";
/// The glob of the number of the shell's parent, the agent: no other number is written like that.
pub(crate) const PARENT_NUMBER: &str = "[1-9]*";

/// A function, with the text that it stands in.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) body: Statement,
    pub(crate) text: Rc<str>,
    pub(crate) mapping: Mapping,
}

/// A variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variable {
    /// What it can hold: one value where that is certain, several after a branch or in a loop.
    pub(crate) values: Vec<Value>,
    /// The elements of an array.
    pub(crate) elements: Option<Vec<Value>>,
    pub(crate) exported: bool,
}

impl Variable {
    /// Every value of it may be another.
    fn doubt(&mut self) {
        self.values
            .iter_mut()
            .chain(self.elements.iter_mut().flatten())
            .for_each(|value| value.doubtful = true);
    }

    /// How many bytes it holds.
    fn length(&self) -> usize {
        let values = self.values.iter().chain(self.elements.iter().flatten());
        values.filter_map(|value| value.text.as_ref()).map(String::len).sum()
    }

    /// The text, where exactly one is possible.
    pub(crate) fn text(&self) -> Option<&str> {
        match self.values.as_slice() {
            [one] if !one.pattern => one.text.as_deref(),
            _ => None,
        }
    }
}

impl State {
    /// A shell that has just started.
    pub(crate) fn new(places: &Places) -> State {
        State { directories: vec![places.cwd.clone()], ..State::default() }
    }

    /// The variable, if the text set it.
    pub(crate) fn variable(&self, name: &str) -> Option<&Variable> {
        let name = self.referred(name);
        self.variables.iter().find(|(known, _)| known == name).map(|(_, variable)| variable)
    }

    /// Sets a variable.
    pub(crate) fn set_variable(&mut self, name: &str, mut variable: Variable) {
        if variable.values.len() > MAXIMUM_VALUES {
            variable.values.truncate(MAXIMUM_VALUES);
            variable.values.push(Value::computed());
        }
        if let Some(elements) =
            variable.elements.as_mut().filter(|elements| elements.len() > MAXIMUM_ELEMENTS)
        {
            elements.truncate(MAXIMUM_ELEMENTS);
            elements.push(Value::computed());
        }
        if variable.length() > SHORT {
            let others =
                self.variables.iter().filter(|(known, _)| known != name).map(|(_, other)| other.length());
            if variable.length() + others.sum::<usize>() > MAXIMUM_TEXT {
                variable = Variable { values: vec![Value::computed()], ..Variable::default() };
            }
        }
        let referred;
        let name = if self.references.is_empty() {
            name
        } else {
            referred = self.referred(name).to_owned();
            &referred
        };
        let room = self.has_room_for(name);
        match self.variables.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => {
                variable.exported |= known.exported;
                *known = variable;
            }
            None if room => {
                variable.exported |= is_of_environment(name);
                self.variables.push((name.to_owned(), variable));
            }
            None => {}
        }
    }

    /// Is the variable followed? Those that would be known without the text always are.
    fn has_room_for(&self, name: &str) -> bool {
        self.variables.len() < MAXIMUM_VARIABLES || is_known_anyway(name)
    }

    /// A name stands for another variable from here on.
    pub(crate) fn refer(&mut self, name: &str, target: &str) {
        let target = self.referred(target).to_owned();
        self.references.retain(|(known, _)| known != name);
        if target != name {
            self.references.push((name.to_owned(), target));
        }
    }

    /// The variable that a name stands for.
    pub(crate) fn referred<'a>(&'a self, name: &'a str) -> &'a str {
        self.references.iter().find(|(known, _)| known == name).map_or(name, |(_, target)| target)
    }

    /// `declare -i NAME`
    pub(crate) fn count(&mut self, name: &str) {
        if !self.is_integer(name) {
            self.integers.push(name.to_owned());
        }
    }

    /// Is what is assigned to the variable arithmetic?
    pub(crate) fn is_integer(&self, name: &str) -> bool {
        self.integers.iter().any(|known| known == name)
    }

    /// `declare -A NAME`
    pub(crate) fn associate(&mut self, name: &str) {
        if !self.is_associative(name) {
            self.associative.push(name.to_owned());
        }
    }

    /// Are the variable's subscripts texts?
    pub(crate) fn is_associative(&self, name: &str) -> bool {
        self.associative.iter().any(|known| known == name)
    }

    /// A running function makes the variable its own.
    pub(crate) fn shadow(&mut self, name: &str) {
        if !self.running.is_empty() {
            let missing = || Variable { values: vec![Value::unassigned()], ..Variable::default() };
            let before = self.variable(name).cloned().unwrap_or_else(missing);
            self.shadowed.push((name.to_owned(), before));
        }
    }

    /// The function has ended that began with so many shadowed variables.
    pub(crate) fn unshadow(&mut self, count: usize) {
        while self.shadowed.len() > count {
            if let Some((name, variable)) = self.shadowed.pop() {
                self.set_variable(&name, variable);
            }
        }
    }

    /// Sets a variable to one value.
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.set_variable(name, Variable { values: vec![value], ..Variable::default() });
    }

    /// Marks a variable as part of the environment.
    pub(crate) fn export(&mut self, name: &str) {
        if let Some((_, variable)) = self.variables.iter_mut().find(|(known, _)| known == name) {
            variable.exported = true;
        }
    }

    /// Takes a variable away: it is empty from here on.
    pub(crate) fn unset(&mut self, name: &str) {
        self.set(name, Value::of(""));
    }

    /// Takes a function away.
    pub(crate) fn undefine(&mut self, name: &str) {
        self.functions.retain(|(known, _)| known != name);
    }

    /// The variables that have more than one value.
    pub(crate) fn ambiguous(&self) -> impl Iterator<Item = (&str, &Variable)> {
        self.variables
            .iter()
            .filter(|(_, variable)| variable.values.len() > 1)
            .map(|(name, variable)| (name.as_str(), variable))
    }

    /// The variable is as it was before the text began.
    pub(crate) fn forget(&mut self, name: &str) {
        self.variables.retain(|(known, _)| known != name);
    }

    /// Notes an alias that `git config` sets.
    pub(crate) fn define_git_alias(&mut self, name: &str, text: &str) {
        self.git_aliases.retain(|(known, _)| known != name);
        self.git_aliases.push((name.to_owned(), text.to_owned()));
    }

    /// The alias of git that the text set.
    pub(crate) fn git_alias(&self, name: &str) -> Option<&str> {
        self.git_aliases.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// Defines a function.
    pub(crate) fn define(&mut self, name: &str, body: &Statement, text: Rc<str>, mapping: Mapping) {
        self.functions.retain(|(known, _)| known != name);
        self.functions.push((name.to_owned(), Rc::new(Function { body: body.clone(), text, mapping })));
    }

    /// The function of that name.
    pub(crate) fn function(&self, name: &str) -> Option<Rc<Function>> {
        self.functions.iter().find(|(known, _)| known == name).map(|(_, body)| Rc::clone(body))
    }

    /// Defines an alias; `None` for a computed text.
    pub(crate) fn define_alias(&mut self, name: &str, text: Option<String>) {
        self.aliases.retain(|(known, _)| known != name);
        self.aliases.push((name.to_owned(), text));
    }

    /// A name is that program, as long as programs are looked up in the same directories.
    pub(crate) fn remember_program(&mut self, name: &str, path: Option<String>, is_builtin: bool) {
        if is_builtin {
            return self.behind_builtins.push((name.to_owned(), path));
        }
        self.define_alias(name, path);
        self.remembered_programs.push(name.to_owned());
    }

    /// The program that the shell remembers for the name.
    pub(crate) fn remembered_program(&self, name: &str) -> Option<Option<String>> {
        self.alias(name).filter(|_| self.remembered_programs.iter().any(|known| known == name))
    }

    /// `enable -n NAME`: the program of that name comes to light.
    pub(crate) fn disable_builtin(&mut self, name: &str) {
        if let Some(at) = self.behind_builtins.iter().position(|(known, _)| known == name) {
            let (name, path) = self.behind_builtins.swap_remove(at);
            self.remember_program(&name, path, false);
        }
    }

    /// Programs are looked up anew.
    pub(crate) fn forget_programs(&mut self) {
        self.behind_builtins.clear();
        for name in std::mem::take(&mut self.remembered_programs) {
            self.remove_alias(&name);
        }
    }

    /// Takes an alias away.
    pub(crate) fn remove_alias(&mut self, name: &str) {
        self.aliases.retain(|(known, _)| known != name);
    }

    /// The alias of that name.
    pub(crate) fn alias(&self, name: &str) -> Option<Option<String>> {
        self.aliases.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone())
    }

    /// Do the variables hold the same?
    pub(crate) fn has_variables_of(&self, other: &State) -> bool {
        self.variables == other.variables
    }

    /// A file has this content from here on, by what that call did.
    pub(crate) fn remember(&mut self, path: String, data: Data, call: Option<usize>) {
        self.files.retain(|known| known.path != path);
        let length = |data: &Data| match data {
            Data::Text(text) | Data::Partial(text) => text.len(),
            _ => 0,
        };
        let others = || self.files.iter().map(|known| length(&known.data)).sum::<usize>();
        let fits = length(&data) <= SHORT || length(&data) + others() <= MAXIMUM_TEXT;
        if self.files.len() < MAXIMUM_FILES {
            let data = if fits { data } else { Data::Unknown };
            self.files.push(Written { path, data, call });
        } else {
            self.more_files = true;
        }
    }

    /// The files that `matches` holds of are written by a call, and nothing says what they hold then.
    pub(crate) fn forget_files(&mut self, call: usize, matches: impl Fn(&Written) -> bool) {
        for file in self.files.iter_mut().filter(|file| file.call != Some(call) && matches(file)) {
            file.data = Data::Unknown;
            file.call = Some(call);
        }
    }

    /// What the text wrote into a file.
    pub(crate) fn remembered(&self, path: &str) -> Option<&Data> {
        const UNKNOWN: &Data = &Data::Unknown;
        let known = self.files.iter().find(|known| known.path == path).map(|known| &known.data);
        known.or(self.more_files.then_some(UNKNOWN))
    }

    /// The files whose whole text is known in the end.
    pub(crate) fn texts(self) -> Vec<FileText> {
        let known = self.files.into_iter().filter_map(|file| match file.data {
            Data::Text(text) => Some(FileText { path: file.path, text }),
            _ => None,
        });
        known.collect()
    }

    /// The files that the text wrote.
    pub(crate) fn written(&self) -> &[Written] {
        &self.files
    }

    /// Did the text make a file, or a link, of that path?
    pub(crate) fn has_made(&self, path: &str) -> bool {
        self.files.iter().any(|known| known.path == path) || self.links.iter().any(|(link, _)| link == path)
    }

    /// The links that are followed where that happens to the path: a link that is made, deleted or moved isn't, it is the link itself
    /// that changes.
    pub(crate) fn links_followed(&self, kind: Kind, path: &str, whole: bool) -> Cow<'_, [MadeLink]> {
        match kind {
            Kind::Link => Cow::Borrowed(&[]),
            Kind::Delete | Kind::Move if whole && !self.links.is_empty() => {
                let depth = |path: &str| path.replace("[!/]", "").matches('/').count();
                let above = self.links.iter().filter(|(link, _)| depth(link) < depth(path));
                Cow::Owned(above.cloned().collect())
            }
            _ => Cow::Borrowed(&self.links),
        }
    }

    /// The names of the links that the text made below one of these folders.
    pub(crate) fn links_below<'a>(&'a self, folders: &'a [String]) -> impl Iterator<Item = &'a str> {
        let below = |link: &str| folders.iter().any(|folder| link != folder && is_within(link, folder));
        self.links.iter().map(|(link, _)| link.as_str()).filter(move |link| below(link)).take(MAXIMUM_FILES)
    }

    /// Opens a descriptor.
    pub(crate) fn open(&mut self, number: u32, opened: Opened) {
        self.close(number);
        if self.descriptors.len() < MAXIMUM_FILES {
            self.descriptors.push((number, opened));
        }
    }

    /// Closes a descriptor.
    pub(crate) fn close(&mut self, number: u32) {
        self.descriptors.retain(|(known, _)| *known != number);
    }

    /// What is open under that number.
    pub(crate) fn opened(&self, number: u32) -> Option<&Opened> {
        self.descriptors.iter().find(|(known, _)| *known == number).map(|(_, opened)| opened)
    }

    /// The directory that is open under that number, given what is on standard input.
    pub(crate) fn directory_at(&self, number: u32, input: &Data) -> Option<String> {
        let data = match (number, self.opened(number)) {
            (_, Some(Opened::Input(data))) => data,
            (0, _) => input,
            _ => return None,
        };
        match data {
            Data::File(path) => Some(path.clone()),
            _ => None,
        }
    }

    /// The names of all variables that the text set.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|(name, _)| name.as_str())
    }

    /// All variables, taken out.
    pub(crate) fn take_variables(&mut self) -> Variables {
        std::mem::take(&mut self.variables)
    }

    /// All variables.
    pub(crate) fn variables(&self) -> &Variables {
        &self.variables
    }

    /// Other variables instead.
    pub(crate) fn put_variables(&mut self, variables: Variables) {
        self.variables = variables;
    }
}

/// Is the variable part of every environment, so that what is assigned to it is handed on?
fn is_of_environment(name: &str) -> bool {
    matches!(name, "HOME" | "PATH" | "USER" | "LOGNAME" | "SHELL" | "PWD" | "OLDPWD")
}

/// Does the variable have a value, or a meaning for the shell, where nothing sets it?
fn is_known_anyway(name: &str) -> bool {
    name.starts_with("XDG_")
        || name.starts_with("BASH_")
        || name.starts_with("GIT_")
        || matches!(
            name,
            "HOME"
                | "PWD"
                | "OLDPWD"
                | "USER"
                | "LOGNAME"
                | "TMPDIR"
                | "CLAUDE_PROJECT_DIR"
                | "SHELL"
                | "CARGO_HOME"
                | "IFS"
                | "PATH"
                | "POSIXLY_CORRECT"
                | "RANDOM"
                | "SECONDS"
                | "LINENO"
                | "UID"
                | "EUID"
                | "PPID"
                | "BASHPID"
                | "COLUMNS"
                | "LINES"
                | "EPOCHSECONDS"
                | "EPOCHREALTIME"
                | "SRANDOM"
                | "SHLVL"
                | "HOSTNAME"
                | "OSTYPE"
                | "MACHTYPE"
                | "HOSTTYPE"
                | "TAPE"
        )
}
