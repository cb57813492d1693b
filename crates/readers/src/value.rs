//! What the reader of a scripting language knows about values, and what it knows about functions.

use hookgate_facts::Kind;

/// What is known about the value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing, except that getting it did nothing.
    Unknown,
    /// A number.
    Number(i64),
    /// A literal text.
    Text(String),
    /// A text with [`HOLE`] in the place of each part that is computed.
    Partial(String),
    /// One of these: what a loop goes through.
    OneOf(Vec<Value>),
    /// A literal list.
    List(Vec<Value>),
    /// Values by their names: a dictionary, an object.
    Table(Vec<(String, Value)>),
    /// Something of a module that nobody knows.
    Foreign,
    /// A shell that was started, and runs what is written to it.
    Shell,
    /// Something of the library, by its full name: `os`, `os.path.join`, `fs.rmSync`.
    Name(String),
    /// A path object; `None` where the path is computed, [`HOLE`]s in it where parts of it are.
    File(Option<String>),
    /// A file that was opened to be written from its beginning.
    Opened(String),
    /// Decoded or assembled text, where that is known: what runs it runs hidden code.
    Decoded(Option<String>),
    /// Text that came from the network.
    Fetched,
    /// One of the constants that say no.
    Plain,
    /// The names of the text by themselves (`globals()`).
    Scope,
}

/// Stands at the beginning of a path for the home directory. A `~` is a name like any other where no shell reads it.
pub(super) const HOME: char = '\u{1}';

/// Lists in lists, and so on, are not followed further.
const MOST_LEVELS: usize = 32;

/// Values of more bytes are not followed.
pub(super) const LARGEST: usize = 1 << 17;

/// Stands in a text for what is computed.
pub(super) const HOLE: char = '\0';

impl Value {
    /// The text or path that is surely meant.
    pub(super) fn text(&self) -> Option<String> {
        self.shape().filter(|text| !text.contains(HOLE))
    }

    /// The text or path, with [`HOLE`]s for what is computed.
    pub(super) fn shape(&self) -> Option<String> {
        match self {
            Value::Text(text) | Value::Partial(text) => Some(text.clone()),
            Value::File(path) | Value::Decoded(path) => path.clone(),
            _ => None,
        }
    }

    /// A text that may have [`HOLE`]s.
    pub(super) fn of_shape(text: String) -> Value {
        if text.contains(HOLE) { Value::Partial(text) } else { Value::Text(text) }
    }

    /// What is left of it where nobody follows what was done to it: decoded and fetched text stays what it is.
    pub(super) fn taint(&self) -> Value {
        match self {
            Value::Decoded(_) => Value::Decoded(None),
            Value::Fetched => Value::Fetched,
            Value::OneOf(values) => values
                .iter()
                .map(Value::taint)
                .find(|value| *value != Value::Unknown)
                .unwrap_or(Value::Unknown),
            _ => Value::Unknown,
        }
    }

    /// Itself, unless it is larger than what is followed.
    pub(super) fn bounded(self) -> Value {
        let mut left = LARGEST;
        if self.within(&mut left, MOST_LEVELS) { self } else { self.taint() }
    }

    /// Does it fit into what is left, in bytes and levels?
    fn within(&self, left: &mut usize, levels: usize) -> bool {
        match (left.checked_sub(16 + self.shape_length()), levels.checked_sub(1)) {
            (Some(rest), Some(levels)) => {
                *left = rest;
                match self {
                    Value::List(items) | Value::OneOf(items) => {
                        items.iter().all(|item| item.within(left, levels))
                    }
                    Value::Table(items) => items.iter().all(|(_, item)| item.within(left, levels)),
                    _ => true,
                }
            }
            _ => false,
        }
    }

    /// About how many bytes a copy of it takes.
    pub(super) fn weight(&self) -> usize {
        let inner = match self {
            Value::List(items) | Value::OneOf(items) => items.iter().map(Value::weight).sum(),
            Value::Table(items) => items.iter().map(|(_, item)| item.weight()).sum(),
            _ => 0,
        };
        16 + self.shape_length() + inner
    }

    fn shape_length(&self) -> usize {
        match self {
            Value::Text(text)
            | Value::Partial(text)
            | Value::File(Some(text))
            | Value::Decoded(Some(text)) => text.len(),
            _ => 0,
        }
    }

    /// Is it surely no, nothing, or a number where a path is wanted?
    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Value::Plain | Value::Number(_))
    }

    /// One of these values.
    pub(super) fn one_of(mut values: Vec<Value>) -> Value {
        match values.pop() {
            Some(value) if values.is_empty() => value,
            last => Value::OneOf(values.into_iter().chain(last).collect()),
        }
    }

    /// The values that it can have; itself where it is one.
    pub(super) fn alternatives(self) -> Vec<Value> {
        match self {
            Value::OneOf(values) => values,
            value => vec![value],
        }
    }
}

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    pub(super) positional: Vec<Value>,
    pub(super) named: Vec<(String, Value)>,
}

impl Arguments {
    /// The positional argument, or the first named one of those that stand for it.
    pub(super) fn get(&self, index: usize) -> Option<&Value> {
        const FIRST: &[&str] =
            &["path", "src", "file", "filename", "name", "url", "args", "cmd", "command", "source"];
        const SECOND: &[&str] = &["dst", "mode", "target", "destination"];
        self.positional.get(index).or_else(|| {
            let names = match index {
                0 => FIRST,
                1 => SECOND,
                _ => return None,
            };
            self.named.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| value)
        })
    }

    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        self.named.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }
}

/// Stands for the receiver of a method where an argument's index is wanted.
pub(super) const RECEIVER: usize = usize::MAX;

/// What calling a function does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Act {
    /// It computes something.
    Nothing,
    /// Its value is its first argument (or its receiver).
    Same(usize),
    /// Its value is this path, below which it may choose a name, as long as its arguments say nothing about the place.
    Gives(&'static str),
    /// It makes a path object of its arguments, joined; a receiver comes first.
    Path,
    /// The home directory.
    Home,
    /// Its value is its first argument (or its receiver), with a `~` at the beginning expanded.
    Expand(usize),
    /// The directory above the argument.
    Parent(usize),
    /// Joins a list of texts with its receiver.
    JoinText,
    /// It does this to the path in the argument.
    On(Kind, usize),
    /// The same, to the whole tree.
    Tree(Kind, usize),
    /// The same, to every argument.
    Each(Kind),
    /// It does one thing to the first path and another to the second.
    Two(Kind, usize, Kind, usize),
    /// Opens the file in the first argument in the mode of the second.
    Open(usize, usize),
    /// Perl's `open`: handle, mode and path, or mode and path in one text; a pipe is a command.
    OpenPerl,
    /// It does this; what it is done to is not in the call.
    Does(Kind),
    /// It does this to the host of the URL in the argument; the value came from the network.
    Web(Kind, usize),
    /// Hands the argument to a shell.
    Shell(usize),
    /// Runs the program in the argument: a list, or the program with the arguments that follow.
    Program(usize),
    /// Runs the program in the argument; what follows are its arguments, of which the first is its name once more
    /// (`execv`).
    Replaced(usize),
    /// A list is a program, a text goes to a shell if `shell=True` (Python's `subprocess`).
    Run,
    /// A single text goes to a shell, several are a program (`system` in Perl and Ruby).
    System,
    /// Node's `spawn`: program, list of arguments, `shell: true` somewhere.
    Spawn,
    /// Runs the argument as code of the same language.
    Eval(usize),
    /// Makes a function of the text at that argument, which runs where somebody calls it.
    Compile(usize),
    /// Loads the module in the argument.
    Import,
    /// The attribute of the first argument that the second names.
    Attribute,
    /// Runs the argument as SQL.
    Sql(usize),
    /// The same, if the argument reads like it.
    Query(usize),
    /// Reads the directory in the argument; its value is what lies there, or what a walk through it gives.
    Listing(usize),
    Walk(usize),
    /// Fetches the URL in the first argument into the file in the second.
    Fetch(usize, usize),
    /// Its value is decoded text.
    Decode,
    /// Reads an environment variable.
    Variable,
    /// Changes the directory.
    Directory(usize),
    /// Calls the function that the first argument names or is.
    Apply,
    /// Its value is this, of the library.
    Named(&'static str),
    /// Its value is the function that the first argument names.
    Function,
    /// A text goes to a shell, or the program from that argument on is run.
    Command(usize),
    /// Calls the function in the first argument with the elements of the second.
    Spread,
    /// Calls the function in the first argument for each element of the second.
    Map,
    /// Calls the function that one of the arguments names with the elements of the others.
    Callback,
    /// Calls the function in `target` with `args`: a thread.
    Thread,
    /// Gives the names of the text, or those of the module in the first argument.
    Names,
    /// What it does can't be said.
    Unknown,
}
