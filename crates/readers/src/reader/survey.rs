//! Which names take several values, before the walk: one value at a time is followed only where every assignment surely
//! happens, one behind the other.

use std::collections::{HashMap, HashSet};

use super::super::Language;
use super::super::lexer::{Token, TokenKind};
use super::Lines;

/// How many tokens are looked at to see what is assigned.
const FARTHEST: usize = 64;

/// In statements of more tokens nothing is taken for sure.
const LONGEST: usize = 512;

/// What a text does with a name.
#[derive(Default)]
struct Use {
    assignments: usize,
    /// A module, or something in one, has that name.
    imported: bool,
    /// Something is added to its end.
    changed: bool,
    /// It is changed in a way that is not followed.
    lost: bool,
    /// So it is, if it is a list.
    reordered: bool,
    /// One of the assignments may not happen, or more than once.
    nested: bool,
}

/// What becomes of the names of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// Their values can't be followed.
    pub(super) changing: HashSet<String>,
    /// They begin with the value that they are given; more may come behind it.
    pub(super) growing: HashSet<String>,
    /// A list that they are given does not stay as it is.
    pub(super) reordered: HashSet<String>,
}

/// What a survey was before that of a function joined it.
pub(super) struct Outer {
    added: [Vec<String>; 3],
    hidden: Vec<String>,
}

impl Survey {
    fn sets(&mut self) -> [&mut HashSet<String>; 3] {
        [&mut self.changing, &mut self.growing, &mut self.reordered]
    }

    /// Takes in what becomes of the names of a function, whose parameters are names of its own.
    pub(super) fn join(&mut self, mut inner: Survey, parameters: &[String]) -> Outer {
        let hidden = parameters.iter().filter(|name| self.changing.remove(*name)).cloned().collect();
        let mut added = [const { Vec::new() }; 3];
        for ((outer, inner), added) in self.sets().into_iter().zip(inner.sets()).zip(&mut added) {
            added.extend(inner.drain().filter(|name| outer.insert(name.clone())));
        }
        Outer { added, hidden }
    }

    /// Behind the function everything is as it was.
    pub(super) fn part(&mut self, outer: Outer) {
        for (set, added) in self.sets().into_iter().zip(outer.added) {
            for name in added {
                set.remove(&name);
            }
        }
        self.changing.extend(outer.hidden);
    }
}

/// What becomes of the names of a text, or of the body of a function with these parameters.
pub(super) fn survey(language: Language, lines: &Lines, tokens: &[Token], parameters: &[String]) -> Survey {
    let mut uses: HashMap<&str, Use> = HashMap::new();
    for parameter in parameters {
        uses.entry(parameter).or_default().assignments += 1;
    }
    let base =
        tokens.iter().find(|token| token.kind != TokenKind::Line).map_or(0, |token| lines.column(token));
    // Where words open blocks, nobody counts them.
    let unread = match language {
        Language::Ruby | Language::Lua | Language::Statistics => {
            tokens.iter().any(|token| opens_block(&token.kind))
        }
        Language::Php => tokens.iter().any(
            |token| matches!(&token.kind, TokenKind::Name(word) if word.starts_with("end") && word.len() > 4),
        ),
        _ => false,
    };
    let branching = branching(language, tokens);
    let (mut depth, mut brackets) = (0usize, 0usize);
    let mut nested = unread;
    let mut begins = true;
    let mut imports = false;
    for (at, token) in tokens.iter().enumerate() {
        if begins {
            let before = at.checked_sub(2).and_then(|at| tokens.get(at)).map(|token| &token.kind);
            // `if (x)` without braces, and the one statement that belongs to it on the next line.
            let belongs = nested
                && language == Language::Javascript
                && match before {
                    Some(TokenKind::Symbol(symbol)) => *symbol == ")",
                    Some(TokenKind::Name(word)) => matches!(word.as_str(), "else" | "do"),
                    _ => false,
                };
            let indented = language == Language::Python && lines.column(token) > base;
            let branches = branching.get(at).copied().unwrap_or(true);
            nested = unread || depth > 0 || belongs || indented || branches;
            begins = false;
            imports = language == Language::Python
                && matches!(&token.kind, TokenKind::Name(word) if matches!(word.as_str(), "import" | "from"));
        }
        match &token.kind {
            TokenKind::Line => begins = true,
            TokenKind::Symbol(";") if language != Language::Python && brackets == 0 => begins = true,
            TokenKind::Symbol("{") => {
                depth += 1;
                begins = language != Language::Python;
            }
            TokenKind::Symbol("}") => {
                depth = depth.saturating_sub(1);
                begins = language != Language::Python;
            }
            TokenKind::Symbol("(" | "[") => brackets += 1,
            TokenKind::Symbol(")" | "]") => brackets = brackets.saturating_sub(1),
            TokenKind::Name(name) => {
                if imports {
                    let known = uses.entry(name).or_default();
                    known.imported = true;
                    known.nested |= nested;
                    continue;
                }
                let note = how(tokens, at, brackets, language);
                if note != Note::Nothing {
                    let known = uses.entry(name).or_default();
                    known.assignments += usize::from(note == Note::Assigned);
                    known.changed |= note == Note::Changed;
                    known.lost |= note == Note::Lost;
                    known.reordered |= note == Note::Reordered;
                    known.nested |= nested;
                }
            }
            _ => {}
        }
    }
    let mut found = Survey::default();
    for (name, known) in uses {
        if known.lost || (known.nested && known.assignments + usize::from(known.imported) > 1) {
            found.changing.insert(name.to_owned());
        } else if known.nested && known.changed {
            found.growing.insert(name.to_owned());
        }
        if known.reordered {
            found.reordered.insert(name.to_owned());
        }
    }
    found
}

/// What happens to a name at one place.
#[derive(PartialEq)]
enum Note {
    Nothing,
    Assigned,
    /// `+=`, `.append(`
    Changed,
    /// Changed in a way that is not followed.
    Lost,
    /// `.insert(`, `.pop(`: so is a list.
    Reordered,
}

fn how(tokens: &[Token], at: usize, brackets: usize, language: Language) -> Note {
    let kind = |offset: usize| tokens.get(at + offset).map(|token| &token.kind);
    let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map(|token| &token.kind);
    if matches!(before, Some(TokenKind::Symbol("." | "->" | "::"))) {
        return Note::Nothing;
    }
    match kind(1) {
        Some(TokenKind::Symbol("=" | ":=")) if brackets == 0 || language != Language::Python => {
            Note::Assigned
        }
        Some(TokenKind::Symbol("," | ")" | "]")) if brackets < 2 || language == Language::Perl => {
            if is_unpacked(tokens, at) {
                Note::Assigned
            } else {
                Note::Nothing
            }
        }
        Some(TokenKind::Symbol("+=" | ".=")) => Note::Changed,
        Some(TokenKind::Symbol(
            "/=" | "||=" | "??=" | "//=" | "%=" | "-=" | "*=" | "|=" | "&=" | "++" | "--",
        )) => Note::Lost,
        Some(TokenKind::Symbol("." | "&.")) if let Some(TokenKind::Name(method)) = kind(2) => {
            match method.as_str() {
                "append" | "extend" | "push" => Note::Changed,
                "insert" | "unshift" | "pop" | "shift" | "splice" | "remove" | "clear" | "prepend"
                | "reverse" | "sort" => Note::Reordered,
                "concat" if language != Language::Javascript => Note::Reordered,
                _ => Note::Nothing,
            }
        }
        Some(TokenKind::Symbol("<<")) if language == Language::Ruby => Note::Lost,
        Some(TokenKind::Symbol("[")) if is_element_assigned(tokens, at + 1) => Note::Lost,
        _ => match before {
            Some(TokenKind::Name(word)) if word == "for" || word == "foreach" => Note::Assigned,
            Some(TokenKind::Name(word))
                if matches!(word.as_str(), "push" | "unshift" | "shift" | "pop" | "splice") =>
            {
                Note::Lost
            }
            Some(TokenKind::Symbol("("))
                if matches!(
                    at.checked_sub(2).and_then(|at| tokens.get(at)).map(|token| &token.kind),
                    Some(TokenKind::Name(word)) if matches!(
                        word.as_str(),
                        "push" | "unshift" | "shift" | "pop" | "splice" | "array_push" | "array_unshift"
                    )
                ) =>
            {
                Note::Lost
            }
            _ => Note::Nothing,
        },
    }
}

/// One of the names of `a, b = ...`?
fn is_unpacked(tokens: &[Token], at: usize) -> bool {
    let mut rest = tokens.iter().skip(at).take(FARTHEST).map(|token| &token.kind);
    loop {
        match (rest.next(), rest.next()) {
            (Some(TokenKind::Name(_)), Some(TokenKind::Symbol(","))) => {}
            (Some(TokenKind::Name(_)), Some(TokenKind::Symbol("="))) => return true,
            (Some(TokenKind::Name(_)), Some(TokenKind::Symbol(")" | "]"))) => {
                return rest.next() == Some(&TokenKind::Symbol("="));
            }
            _ => return false,
        }
    }
}

/// `[...] =` behind a name.
fn is_element_assigned(tokens: &[Token], open: usize) -> bool {
    let mut depth = 0usize;
    let mut rest = tokens.iter().skip(open).take(FARTHEST).map(|token| &token.kind);
    for kind in rest.by_ref() {
        match kind {
            TokenKind::Symbol("[") => depth += 1,
            TokenKind::Symbol("]") if depth == 1 => break,
            TokenKind::Symbol("]") => depth -= 1,
            TokenKind::Line => return false,
            _ => {}
        }
    }
    matches!(rest.next(), Some(TokenKind::Symbol("=" | "+=" | ".=")))
}

/// For each token, whether between it and the end of its statement something says that the statement may not happen, or
/// happen in another order; so it is where the end is too far away.
fn branching(language: Language, tokens: &[Token]) -> Vec<bool> {
    let mut found = vec![false; tokens.len()];
    let (mut branches, mut length) = (false, 0usize);
    for (token, found) in tokens.iter().zip(&mut found).rev() {
        let ends = match &token.kind {
            TokenKind::Line => true,
            TokenKind::Symbol(";") => language != Language::Python,
            _ => false,
        };
        length = if ends { 0 } else { length + 1 };
        branches = !ends && (branches || decides(&token.kind));
        *found = branches || length > LONGEST;
    }
    found
}

/// Does it say that what belongs to it may not happen, or happen in another order?
fn decides(kind: &TokenKind) -> bool {
    match kind {
        TokenKind::Name(word) => matches!(
            word.as_str(),
            "if" | "unless"
                | "while"
                | "until"
                | "for"
                | "foreach"
                | "else"
                | "elif"
                | "elsif"
                | "case"
                | "when"
                | "switch"
                | "try"
                | "except"
                | "catch"
                | "and"
                | "or"
                | "lambda"
                | "def"
                | "sub"
                | "function"
                | "class"
        ),
        TokenKind::Symbol(symbol) => matches!(*symbol, "&&" | "||" | "?" | "??" | "=>"),
        _ => false,
    }
}

fn opens_block(kind: &TokenKind) -> bool {
    match kind {
        TokenKind::Name(word) => matches!(
            word.as_str(),
            "do" | "def"
                | "if"
                | "unless"
                | "while"
                | "until"
                | "for"
                | "begin"
                | "case"
                | "class"
                | "module"
                | "function"
                | "repeat"
                | "loop"
        ),
        TokenKind::Symbol(symbol) => *symbol == "{",
        _ => false,
    }
}
