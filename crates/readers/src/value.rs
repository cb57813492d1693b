//! What the reader of a scripting language knows about values, and what it knows about functions.

/// What calling a function of the shipped libraries does.
pub(super) type Act = hookgate_knowledge::Act<'static>;
pub(super) use hookgate_knowledge::RECEIVER;

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
    /// Another program that was started with these words of a shell, and takes what is written to it.
    Child(String),
    /// Something of the library, by its full name: `os`, `os.path.join`, `fs.rmSync`.
    Name(String),
    /// A path object; `None` where the path is computed, [`HOLE`]s in it where parts of it are.
    File(Option<String>),
    /// A file that was opened to be written from its beginning.
    Opened(String),
    /// A file that was opened, of which it isn't known what is in it.
    Stream,
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
            | Value::Child(text)
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

    /// A list of nobody knows how many of these.
    pub(super) fn any_number(self) -> Value {
        match self {
            value @ (Value::Unknown | Value::File(_) | Value::Decoded(_) | Value::Fetched) => value,
            value => Value::List(vec![Value::OneOf(value.alternatives())]),
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
