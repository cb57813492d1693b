//! What calling a function of a language's library does: the words of the rows in `knowledge/libraries/`.

use crate::kind::Kind;

/// In the place of an argument's index: what the method is called on.
pub const RECEIVER: usize = usize::MAX;

/// In the place of an argument's index: none of them.
pub const NOWHERE: usize = usize::MAX - 1;

/// Ends what a command does where more than that may happen.
pub(crate) const DOUBT: &str = " +doubt";

/// What calling a function does. A number is an argument's index, or [`RECEIVER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act<'k> {
    /// It computes something.
    Nothing,
    /// Its value is that argument.
    Same(usize),
    /// Its value is this path, below which it may choose a name, as long as its arguments say nothing about the place.
    Gives(&'k str),
    /// It makes a path object of its arguments, joined; a receiver comes first.
    Path,
    /// The home directory.
    Home,
    /// Its value is that argument, with a `~` at the beginning expanded.
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
    /// Makes a function of the text at that argument, which runs where something calls it.
    Compile(usize),
    /// Makes a function of the text in the last argument; those before are its parameters.
    CompileLast,
    /// Loads the module in the argument.
    Import,
    /// The attribute of the first argument that the second names.
    Attribute,
    /// Runs the argument as SQL.
    Sql(usize),
    /// The same, if the argument reads like it.
    Query(usize),
    /// Reads the directory in the argument; its value is what is in it.
    Listing(usize),
    /// Reads the directory in the argument; its value is the names in it.
    Entries(usize),
    /// Reads the directory in the argument; its value is what a walk through it gives.
    Walk(usize),
    /// Its value is some of what is in that argument; a function in another one is called for each.
    Among(usize),
    /// Its value is one of what is in that argument.
    Item(usize),
    /// Its value is what is in all of its arguments.
    Chained,
    /// Its value is what is in that argument, each in a pair with a number.
    Numbered(usize),
    /// Its value is lists of one of what is in each of its arguments.
    Zipped,
    /// A function in an argument is called for each of what the method is called on.
    ForEach,
    /// The same, and its value is what that gives.
    Mapped,
    /// A function in the first argument is called for everything below the directory in the second.
    Found,
    /// Unpacks the archive in the first argument, or what it is called on, into the directory in the second, else into the working one.
    Unpack(usize, usize),
    /// The second argument becomes a symbolic link to the first.
    Linked(usize, usize),
    /// Fetches the URL in the first argument into the file in the second.
    Fetch(usize, usize),
    /// Its value is decoded text.
    Decode,
    /// Reads an environment variable.
    Variable,
    /// Sets a variable of the environment: its name and its value, or a table of both.
    Export,
    /// Sends a command of Redis: its words, or lines of them.
    Redis,
    /// Says the method of a request, in that argument.
    Verb(usize),
    /// Changes the directory.
    Directory(usize),
    /// Calls the function that the first argument names or is.
    Apply,
    /// Its value is this, of the library.
    Named(&'k str),
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

/// Acts that take nothing, and what takes one argument's index.
type Indexed = fn(usize) -> Act<'static>;
const PLAIN: &[(&str, Act<'static>)] = &[
    ("nothing", Act::Nothing),
    ("path", Act::Path),
    ("home", Act::Home),
    ("join-text", Act::JoinText),
    ("open-perl", Act::OpenPerl),
    ("run", Act::Run),
    ("system", Act::System),
    ("spawn", Act::Spawn),
    ("compile-last", Act::CompileLast),
    ("import", Act::Import),
    ("attribute", Act::Attribute),
    ("decode", Act::Decode),
    ("variable", Act::Variable),
    ("export", Act::Export),
    ("apply", Act::Apply),
    ("function", Act::Function),
    ("spread", Act::Spread),
    ("map", Act::Map),
    ("chained", Act::Chained),
    ("zipped", Act::Zipped),
    ("for-each", Act::ForEach),
    ("redis", Act::Redis),
    ("mapped", Act::Mapped),
    ("found", Act::Found),
    ("callback", Act::Callback),
    ("thread", Act::Thread),
    ("names", Act::Names),
    ("unknown", Act::Unknown),
];
const INDEXED: &[(&str, Indexed)] = &[
    ("same", Act::Same),
    ("expand", Act::Expand),
    ("parent", Act::Parent),
    ("shell", Act::Shell),
    ("program", Act::Program),
    ("replaced", Act::Replaced),
    ("eval", Act::Eval),
    ("compile", Act::Compile),
    ("sql", Act::Sql),
    ("query", Act::Query),
    ("listing", Act::Listing),
    ("walk", Act::Walk),
    ("entries", Act::Entries),
    ("verb", Act::Verb),
    ("among", Act::Among),
    ("item", Act::Item),
    ("numbered", Act::Numbered),
    ("directory", Act::Directory),
    ("command", Act::Command),
];

/// Every word with which an act may begin, besides the kinds of effects.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    let plain = PLAIN.iter().map(|(word, _)| *word);
    let indexed = INDEXED.iter().map(|(word, _)| *word);
    plain.chain(indexed).chain(["open", "fetch", "unpack", "linked", "gives", "named"])
}

impl<'k> Act<'k> {
    /// Reads an act: a word of its own (`shell 0`, `run`), or a kind of effect with what it is done to (`delete 0`,
    /// `delete 0 +recursive`, `delete 0...`, `move 0, write 1`, `kill`).
    ///
    /// # Errors
    ///
    /// The word that isn't one.
    pub fn read(text: &'k str) -> Result<Act<'k>, &'k str> {
        let (first, second) = match text.split_once(',') {
            Some((first, second)) => (first.trim(), Some(second.trim())),
            None => (text.trim(), None),
        };
        let (word, rest) = first.split_once(' ').unwrap_or((first, ""));
        if let Some(second) = second {
            let (kind, at) = kind_and_index(first)?;
            let (other, place) = kind_and_index(second)?;
            return Ok(Act::Two(kind, at, other, place));
        }
        if let Some((_, act)) = PLAIN.iter().find(|(known, _)| *known == word) {
            return if rest.is_empty() { Ok(*act) } else { Err(rest) };
        }
        if let Some((_, make)) = INDEXED.iter().find(|(known, _)| *known == word) {
            return Ok(make(index(rest)?));
        }
        match word {
            "gives" => return Ok(Act::Gives(rest)),
            "named" => return Ok(Act::Named(rest)),
            "open" | "fetch" | "unpack" | "linked" => {
                let (one, two) = rest.split_once(' ').ok_or(rest)?;
                let (one, two) = (index(one)?, index(two)?);
                return Ok(match word {
                    "open" => Act::Open(one, two),
                    "fetch" => Act::Fetch(one, two),
                    "linked" => Act::Linked(one, two),
                    _ => Act::Unpack(one, two),
                });
            }
            _ => {}
        }
        if let Some(tree) = first.strip_suffix("+recursive") {
            let (kind, at) = kind_and_index(tree.trim_end())?;
            return Ok(Act::Tree(kind, at));
        }
        if let Some(each) = first.strip_suffix(" 0...") {
            return Ok(Act::Each(Kind::from_name(each).ok_or(each)?));
        }
        let (kind, at) = kind_and_index(first)?;
        Ok(match (kind, at) {
            (kind, NOWHERE) => Act::Does(kind),
            (Kind::Download | Kind::Upload | Kind::RemoteDelete, at) => Act::Web(kind, at),
            (kind, at) => Act::On(kind, at),
        })
    }
}

/// `delete 0`, or a kind alone.
fn kind_and_index(text: &str) -> Result<(Kind, usize), &str> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let kind = Kind::from_name(word).ok_or(word)?;
    Ok((kind, if rest.is_empty() { NOWHERE } else { index(rest)? }))
}

/// An argument's index, or `self`.
fn index(text: &str) -> Result<usize, &str> {
    match text {
        "self" => Ok(RECEIVER),
        text => text.parse().ok().filter(|index: &usize| *index < 16).ok_or(text),
    }
}
