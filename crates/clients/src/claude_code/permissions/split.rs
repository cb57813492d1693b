//! The commands that the client itself finds in a text, in the forms in which it compares them with its rules.

use std::cell::Cell;

use hookgate_shell::{
    Command, Expansion, Heredoc, Limits, Node, Part, Redirection, RedirectionKind, Script, Span, Statement,
    Visitor, Word, parse,
};

use super::programs::Wrapper;

/// What the client finds in a text.
#[derive(Debug, Default)]
pub(crate) struct Split {
    /// The simple commands, wherever they stand.
    pub(crate) commands: Vec<Simple>,
    /// Files that output is redirected to.
    pub(crate) outputs: Vec<File>,
    /// Files that input is redirected from.
    pub(crate) inputs: Vec<File>,
    /// Something that the client always has approved: substitutions, groups, functions, computed targets, `&`.
    pub(crate) needs_approval: bool,
}

/// A file that a text names, and where it is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// As written.
    pub(crate) path: String,
    /// The directory that it is named in.
    pub(crate) place: Place,
}

/// The directory of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where the text is run.
    #[default]
    Here,
    /// Where commands before it have gone, as they say it, one after the other.
    Gone(Vec<String>),
    /// Where commands before it have gone, and nobody can say where that is.
    Unknown,
}

impl Place {
    /// The place after a command of these words.
    fn after(&self, words: &[String]) -> Option<Place> {
        let (program, arguments) = words.split_first()?;
        let target = match (program.as_str(), arguments) {
            ("cd" | "pushd", [target])
                if !target.starts_with('-') && !target.contains(['$', '`', '*', '?']) =>
            {
                target
            }
            ("cd" | "pushd" | "popd", _) => return Some(Place::Unknown),
            _ => return None,
        };
        Some(match self {
            Place::Here => Place::Gone(vec![target.clone()]),
            Place::Gone(steps) => Place::Gone(steps.iter().chain([target]).cloned().collect()),
            Place::Unknown if target.starts_with(['/', '~']) => Place::Gone(vec![target.clone()]),
            Place::Unknown => Place::Unknown,
        })
    }
}

/// One simple command.
#[derive(Debug)]
pub(crate) struct Simple {
    /// As written, assignments included.
    pub(crate) written: String,
    /// The words after expansion of what is known, the command word without its directory.
    pub(crate) words: Vec<String>,
    /// The command word as written.
    pub(crate) word: String,
    /// The variables set for it.
    pub(crate) variables: Vec<String>,
    /// It stands in a substitution, where the client does not look for files.
    pub(crate) is_nested: bool,
    /// Where it runs. The client follows `cd`, to the end of the text.
    pub(crate) place: Place,
}

/// How many bytes the words of a text may come to that variables are part of.
const LARGEST: usize = 1 << 20;

/// Splits a text; `None` where it can't be read.
pub(crate) fn split(text: &str) -> Option<Split> {
    let script = parse(text, &Limits::default());
    if !script.problems.is_empty() {
        return None;
    }
    let mut finder = Finder {
        text,
        split: Split::default(),
        known: Vec::new(),
        substitutions: Vec::new(),
        place: Place::Here,
        room: Cell::new(LARGEST),
    };
    script.walk(&mut finder);
    Some(finder.split)
}

struct Finder<'t> {
    text: &'t str,
    split: Split,
    /// Variables with a literal value that earlier commands set.
    known: Vec<(String, String)>,
    /// The substitutions met so far.
    substitutions: Vec<Span>,
    /// Where the next command runs.
    place: Place,
    /// How many more bytes variables may put into words.
    room: Cell<usize>,
}

impl Visitor for Finder<'_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.node {
            Node::Command(command) => self.command(command),
            Node::Pipeline { .. }
            | Node::List { .. }
            | Node::If { .. }
            | Node::Test(_)
            | Node::Loop { .. }
            | Node::For { .. } => {}
            _ => self.split.needs_approval = true,
        }
        self.split.needs_approval |= statement.background;
        for redirection in &statement.redirections {
            self.redirection(redirection);
        }
    }

    fn word(&mut self, word: &Word) {
        self.substitutions.extend(word.parts.iter().filter_map(|part| match part {
            Part::Command { span, .. } | Part::Process { span, .. } => Some(*span),
            _ => None,
        }));
        self.split.needs_approval |= word.parts.iter().any(|part| {
            matches!(
                part,
                Part::Command { .. }
                    | Part::Process { .. }
                    | Part::Arithmetic { .. }
                    | Part::Brace(_)
                    | Part::Glob(_)
            )
        });
    }

    fn script(&mut self, _script: &Script) {}
}

impl Finder<'_> {
    fn command(&mut self, command: &Command) {
        if command.words.is_empty() {
            for assignment in &command.assignments {
                if let ([value], false) = (assignment.value.as_slice(), assignment.append)
                    && let Some(value) = self.value(value)
                {
                    // The client has every use of a variable approved.
                    self.split.needs_approval |= self.text.contains('$');
                    self.known.push((assignment.name.clone(), value));
                }
            }
            return;
        }
        let values: Vec<String> = command.words.iter().map(|word| self.expanded(word)).collect();
        let Some(word) = values.first().cloned() else { return };
        let mut words = values;
        if let Some(first) = words.first_mut() {
            *first = name(first).to_owned();
        }
        let next = self.place.after(&words);
        self.split.commands.push(Simple {
            place: self.place.clone(),
            written: command.span.of(self.text).trim().to_owned(),
            words,
            word,
            is_nested: self
                .substitutions
                .iter()
                .any(|outer| outer.start <= command.span.start && command.span.end <= outer.end),
            variables: command.assignments.iter().map(|assignment| assignment.name.clone()).collect(),
        });
        if let Some(next) = next {
            self.place = next;
        }
    }

    fn redirection(&mut self, redirection: &Redirection) {
        let into = match redirection.kind {
            RedirectionKind::Write
            | RedirectionKind::Append
            | RedirectionKind::ReadWrite
            | RedirectionKind::WriteBoth
            | RedirectionKind::AppendBoth => &mut self.split.outputs,
            RedirectionKind::Read => &mut self.split.inputs,
            RedirectionKind::Heredoc => {
                self.split.needs_approval |=
                    redirection.heredoc.as_ref().is_some_and(|Heredoc { literal, .. }| !literal);
                return;
            }
            _ => return,
        };
        match redirection.target.literal() {
            Some(target) if target == "/dev/null" => {}
            Some(path) => into.push(File { path, place: self.place.clone() }),
            None => self.split.needs_approval = true,
        }
    }

    /// The word's text, computed parts as written.
    fn expanded(&self, word: &Word) -> String {
        self.value(word).unwrap_or_else(|| word.span.of(self.text).to_owned())
    }

    fn value(&self, word: &Word) -> Option<String> {
        // The client reads neither `$'..'` and `$".."` nor `${..}`.
        if ["$'", "$\"", "${"].iter().any(|start| word.span.of(self.text).contains(start)) {
            return None;
        }
        let parts: Option<Vec<&str>> = word
            .parts
            .iter()
            .map(|part| match part {
                Part::Literal { text, .. } | Part::Glob(text) => Some(text.as_str()),
                Part::Parameter { name, expansion: Expansion::Plain, .. } if name == "PWD" => Some("$PWD"),
                Part::Parameter { name, subscript: None, expansion: Expansion::Plain, .. } => {
                    self.known.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
                }
                _ => None,
            })
            .collect();
        let parts = parts?;
        // A text that doubles itself thirty times has no end. What stands there as written is as long as it is.
        let is_written = |part: &Part| matches!(part, Part::Literal { .. } | Part::Glob(_));
        if !word.parts.iter().all(is_written) {
            let length = parts.iter().map(|part| part.len()).sum();
            self.room.set(self.room.get().checked_sub(length)?);
        }
        Some(parts.concat())
    }
}

/// The program's name without its directory.
fn name(word: &str) -> &str {
    word.rsplit_once('/').map_or(word, |(_, name)| name)
}

/// Is it a time as the client reads one: `5`, `0.5`, `10s`?
fn is_duration(word: &str) -> bool {
    let number = word.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(word);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    [whole, fraction]
        .iter()
        .all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Takes one wrapper off: the words of the command behind it.
fn unwrap(words: &[String]) -> Option<&[String]> {
    let (first, mut rest) = words.split_first()?;
    let wrapper = Wrapper::of(name(first))?;
    let mut operands = usize::from(wrapper.is("operand"));
    while let Some((word, behind)) = rest.split_first() {
        let is_assignment = wrapper.is("variables")
            && word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && !name.starts_with('-'));
        if word.starts_with('-') {
            let takes = wrapper.takes_value(word)?;
            rest = if takes { behind.split_first().map_or(behind, |(_, behind)| behind) } else { behind };
        } else if is_assignment {
            rest = behind;
        } else if operands > 0 {
            if wrapper.is("duration") && !is_duration(word) {
                return None;
            }
            operands -= 1;
            rest = behind;
        } else {
            let hides = wrapper.is("ends-here") && Wrapper::of(name(word)).is_some();
            return (!hides).then_some(rest);
        }
    }
    None
}

impl Simple {
    /// The texts that deny and ask rules are compared with.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut texts = vec![self.written.clone(), self.words.join(" ")];
        if let Some((_, arguments)) = self.words.split_first() {
            texts.push(std::iter::once(&self.word).chain(arguments).cloned().collect::<Vec<_>>().join(" "));
        }
        for words in self.unwrapped() {
            texts.push(words.join(" "));
            if let Some((first, arguments)) = words.split_first() {
                let bare = name(first).to_owned();
                texts.push(std::iter::once(&bare).chain(arguments).cloned().collect::<Vec<_>>().join(" "));
            }
        }
        texts.dedup();
        texts
    }

    /// Does it run behind a program that the client only looks behind for patterns, not for exact rules?
    pub(crate) fn is_behind_another(&self) -> bool {
        self.words.first().and_then(|first| Wrapper::of(first)).is_some_and(|wrapper| wrapper.is("patterns"))
    }

    /// The command behind every wrapper.
    pub(crate) fn innermost(&self) -> &[String] {
        self.unwrapped().last().unwrap_or(&self.words)
    }

    fn unwrapped(&self) -> impl Iterator<Item = &[String]> {
        std::iter::successors(unwrap(&self.words), |words| unwrap(words)).take(16)
    }

    /// The command behind the wrappers that the client takes off for a grant: without options of their own.
    pub(crate) fn plainly_unwrapped(&self) -> &[String] {
        let mut words: &[String] = &self.words;
        while let [first, second, behind @ ..] = words
            && let Some(wrapper) = Wrapper::of(first)
        {
            words = if wrapper.is("granted-number") && second.bytes().all(|byte| byte.is_ascii_digit()) {
                behind
            } else if wrapper.is("granted") && !second.starts_with('-') {
                words.split_first().map_or(behind, |(_, rest)| rest)
            } else {
                return words;
            };
        }
        words
    }

    /// The text that allow rules are compared with: only what changes nothing is taken off.
    pub(crate) fn granted_text(&self) -> Option<String> {
        const HARMLESS: [&str; 12] = [
            "LANG",
            "LC_ALL",
            "NODE_ENV",
            "TZ",
            "NO_COLOR",
            "FORCE_COLOR",
            "TERM",
            "COLUMNS",
            "RUST_BACKTRACE",
            "RUST_LOG",
            "PYTHONUNBUFFERED",
            "CI",
        ];
        if self.variables.iter().any(|variable| !HARMLESS.contains(&variable.as_str())) {
            return None;
        }
        let words = self.plainly_unwrapped();
        if words.len() == self.words.len() && self.word.contains('/') {
            return Some(self.written.clone());
        }
        Some(words.join(" "))
    }
}
