//! The tree that the rest of hookgate reads. Small, owned, complete enough to follow what runs.

/// Bytes `start..end` of the text that was parsed. Nested scripts keep the coordinates of the outermost text;
/// text that was unescaped before it was parsed again (backquotes) has the span of the whole construct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A list of statements, run one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// What runs.
    pub statements: Vec<Statement>,
    /// What could not be read, in nested scripts too: all problems stand in the outermost script. A script with a
    /// problem is *cannot analyse*, never *nothing found*.
    pub problems: Vec<Problem>,
}

/// Why a piece of text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem.
    pub kind: ProblemKind,
    /// Where.
    pub span: Span,
    /// In words: lowercase, no full stop.
    pub message: String,
}

/// The kinds of [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Not a sentence of the language.
    Syntax,
    /// A quote, a backquote or a `$(` is open where the text ends, and that is all that is wrong: the statements are
    /// those of the text with all of it closed there. A shell runs none of the line in which it was opened.
    Unclosed,
    /// Longer, deeper or more work than the limits take.
    Limit,
    /// Text of another shell (PowerShell, cmd).
    Foreign,
}

/// One statement and how it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it is.
    pub node: Node,
    /// Redirections of the whole statement (a simple command's own are here too).
    pub redirections: Vec<Redirection>,
    /// Ends in `&`.
    pub background: bool,
    /// Where.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `FOO=1 git push`; no words: assignments only.
    Command(Command),
    /// `a | b`, `! a`, `a |& b`.
    Pipeline {
        /// The stages, left to right; one for `! a`.
        stages: Vec<Statement>,
        /// Starts with `!`.
        negated: bool,
    },
    /// `a && b || c`: the first statement, then joint and statement, left to right.
    List {
        /// The first.
        first: Box<Statement>,
        /// The others.
        rest: Vec<(Joint, Statement)>,
    },
    /// `{ ...; }`.
    Group(Script),
    /// `( ... )`.
    Subshell(Script),
    /// `if`, `elif`, `else`: conditions with bodies, then the last body.
    If {
        /// Condition and body of `if` and of each `elif`.
        branches: Vec<(Script, Script)>,
        /// The body of `else`.
        otherwise: Option<Script>,
    },
    /// `while` and `until`.
    Loop {
        /// Which.
        kind: LoopKind,
        /// What is tested.
        condition: Script,
        /// What is repeated.
        body: Script,
    },
    /// `for x in a b; do`, `select x in`.
    For {
        /// The variable.
        variable: String,
        /// The words; `None` where `in` is missing: the positional parameters.
        words: Option<Vec<Word>>,
        /// What is repeated.
        body: Script,
    },
    /// `for ((a; b; c))`: the three expressions, as words for the substitutions in them.
    ForArithmetic {
        /// The expressions.
        expressions: Vec<Word>,
        /// What is repeated.
        body: Script,
    },
    /// `case x in a) ... ;; esac`.
    Case {
        /// What is matched.
        subject: Word,
        /// The arms.
        arms: Vec<Case>,
    },
    /// `f() { ...; }`.
    Function {
        /// The name.
        name: String,
        /// The body.
        body: Box<Statement>,
    },
    /// `[[ ... ]]`: its operands, for the substitutions in them.
    Test(Vec<Word>),
    /// `(( ... ))`: the expression, for the substitutions in it.
    Arithmetic(Word),
    /// `coproc a`.
    Coprocess(Box<Statement>),
}

/// One arm of a `case`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// `a|b`.
    pub patterns: Vec<Word>,
    /// What runs.
    pub body: Script,
}

/// `&&` or `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// `while` or `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// `while`
    While,
    /// `until`
    Until,
}

/// A simple command: assignments, then words. `words[0]` is the command word. `declare`, `export`, `local`,
/// `readonly` and `alias` are commands like any other; `export A=b` has `A=b` as a word.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Command {
    /// `FOO=1` before the command word, or alone.
    pub assignments: Vec<Assignment>,
    /// The command word and its arguments.
    pub words: Vec<Word>,
    /// From the first assignment or word to the last word; redirections between them included.
    pub span: Span,
}

/// `name=value`, `name+=value`, `name[i]=value`, `name=(a b)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// `+=`.
    pub append: bool,
    /// `name[i]=`: the subscript, for the substitutions in it.
    pub subscript: Option<Word>,
    /// One word, or for an array its elements.
    pub value: Vec<Word>,
    /// The value is an array.
    pub array: bool,
    /// Where.
    pub span: Span,
}

/// One word, before expansion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// Its parts, in order. An empty word (`""`) has one empty quoted literal.
    pub parts: Vec<Part>,
    /// Where, quotes included.
    pub span: Span,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text as it will be: quotes, backslashes and `$'..'` escapes are resolved.
    Literal {
        /// The text.
        text: String,
        /// It was quoted or escaped: no globbing, no splitting, no tilde, no brace expansion.
        quoted: bool,
    },
    /// `$x`, `${x:-y}`, `$1`, `$@`.
    Parameter {
        /// The name, digit or sign. For `${!x}` the name is `x` and the expansion is [`Expansion::Indirect`].
        name: String,
        /// `${x[i]}`: the subscript.
        subscript: Option<Box<Word>>,
        /// What is done to the value.
        expansion: Expansion,
        /// Inside double quotes.
        quoted: bool,
        /// Where.
        span: Span,
    },
    /// `$( ... )` and backquotes.
    Command {
        /// What runs.
        script: Script,
        /// Inside double quotes.
        quoted: bool,
        /// Where.
        span: Span,
    },
    /// `<( ... )` and `>( ... )`.
    Process {
        /// What runs.
        script: Script,
        /// Which.
        direction: Direction,
        /// Where.
        span: Span,
    },
    /// `$(( ... ))`: the expression, for the substitutions in it.
    Arithmetic {
        /// The expression.
        expression: Box<Word>,
        /// Where.
        span: Span,
    },
    /// An unquoted `*`, `?`, `[abc]` or `@(a|b)`, as written.
    Glob(String),
    /// `~` or `~user` at the start of a word (or after `=` or `:` in an assignment).
    Tilde(String),
    /// `{a,b}` or `{1..3}`: the alternatives, already expanded where they are few; empty if they are too many.
    Brace(Vec<Word>),
}

/// What `${...}` does to the value.
#[derive(Clone, Debug, PartialEq)]
pub enum Expansion {
    /// `$x`, `${x}`.
    Plain,
    /// `${x:-w}`, `${x-w}`.
    Default(Box<Word>),
    /// `${x:=w}`, `${x=w}`.
    Assign(Box<Word>),
    /// `${x:+w}`, `${x+w}`.
    Alternative(Box<Word>),
    /// `${x:?w}`, `${x?w}`.
    Require(Box<Word>),
    /// `${#x}`.
    Length,
    /// `${!x}`, `${!x*}`.
    Indirect,
    /// `${x#w}`, `${x##w}`.
    RemovePrefix(Box<Word>),
    /// `${x%w}`, `${x%%w}`.
    RemoveSuffix(Box<Word>),
    /// `${x/a/b}` and its relatives: pattern and replacement.
    Replace(Box<Word>, Box<Word>),
    /// `${x:1:2}`, `${x^^}`, `${x@Q}` and whatever else: the words in it, for the substitutions in them.
    Other(Vec<Word>),
    /// Without braces, beside text that zsh takes for a part of it. To bash that is text: it is the next part of the word.
    Zsh(Zsh),
}

/// What zsh takes for a part of an expansion without braces, and bash doesn't.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zsh {
    /// `$=x`, `$~x`, `$^x`, `$+x`: signs that split the value, expand its patterns, or ask whether it is set.
    Sign,
    /// `$x[1]`, `$#x`: a subscript, which is calculated, or the length of what follows.
    Subscript,
    /// `$x:h`, `$x:s,a,b,`: another value made of this one.
    Modifier,
}

/// Which way a process substitution reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `<( ... )`: the command reads what the script prints.
    Read,
    /// `>( ... )`: the command writes to the script.
    Write,
}

/// `2>file`, `<<EOF`, `>&1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirection {
    /// The number before it, if there is one.
    pub descriptor: Option<u32>,
    /// What kind.
    pub kind: RedirectionKind,
    /// The file or descriptor; for a here-string the text; for a heredoc the delimiter.
    pub target: Word,
    /// The heredoc.
    pub heredoc: Option<Heredoc>,
    /// Where: operator and target; not the heredoc's body.
    pub span: Span,
}

/// The body of a heredoc.
#[derive(Clone, Debug, PartialEq)]
pub struct Heredoc {
    /// The text. With a quoted delimiter one literal; otherwise with its expansions.
    pub body: Word,
    /// The delimiter was quoted: nothing is expanded.
    pub literal: bool,
}

/// The kinds of redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectionKind {
    /// `<`
    Read,
    /// `>`, `>|`
    Write,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `&>`, `>& file`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `>&1`, `2>&1`, `>&-`
    DuplicateOutput,
    /// `<&0`, `<&-`
    DuplicateInput,
    /// `<<`, `<<-`
    Heredoc,
    /// `<<<`
    HereString,
}
