//! What the reader of a scripting language knows about values, and what it knows about functions.

use crate::Kind;

/// What is known about the value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing, except that getting it did nothing.
    Unknown,
    /// A literal text.
    Text(String),
    /// A literal list.
    List(Vec<Value>),
    /// Something of the library, by its full name: `os`, `os.path.join`, `fs.rmSync`.
    Name(String),
    /// A path object; `None` where the path is computed.
    File(Option<String>),
    /// A file that was opened to be written from its beginning.
    Opened(String),
    /// Decoded or assembled text: what runs it runs hidden code.
    Decoded,
    /// Text that came from the network.
    Fetched,
    /// A number, or one of the constants that say no.
    Plain,
}

impl Value {
    /// The text or path that is surely meant.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Value::Text(text) => Some(text.clone()),
            Value::File(path) => path.clone(),
            _ => None,
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
    /// A list is a program, a text goes to a shell if `shell=True` (Python's `subprocess`).
    Run,
    /// A single text goes to a shell, several are a program (`system` in Perl and Ruby).
    System,
    /// Node's `spawn`: program, list of arguments, `shell: true` somewhere.
    Spawn,
    /// Runs the argument as code of the same language.
    Eval(usize),
    /// Loads the module in the argument.
    Import,
    /// The attribute of the first argument that the second names.
    Attribute,
    /// Runs the argument as SQL.
    Sql(usize),
    /// Its value is decoded text.
    Decode,
    /// Reads an environment variable.
    Variable,
    /// Changes the directory.
    Directory(usize),
    /// Calls the function that the first argument names or is.
    Apply,
    /// What it does can't be said.
    Unknown,
}
