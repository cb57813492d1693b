//! What an expression of `find` says about the names and paths of what it acts on.

use crate::field::Field;

/// The most names and alternatives that are told apart.
const MOST: usize = 64;
/// Parentheses deeper than this say nothing.
const DEEPEST: usize = 8;

/// Patterns of which one fits everything found: below the roots (`**/NAME`), or with a root before them (`ROOT/NAME`), as
/// `-path` compares them. `None` is anything.
type Names = Option<Vec<Name>>;

/// A pattern for what is found.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// As `-path` has it where it begins with a root, and below any directory otherwise.
    text: String,
    /// Its text is a pattern of the whole path, from the root on.
    rooted: bool,
}

/// What everything has in common that an action of the expression, or its silent `-print`, is done to. `None` where that is more than
/// is followed.
pub(super) fn acted_on(
    expression: &[Field],
    is_action: impl Fn(&str) -> bool,
    arity: Arity,
) -> Option<Vec<Name>> {
    let says = |word: &Field| word.written.ends_with("name") || word.written.ends_with("path");
    let alternatives = |word: &Field| usize::from(says(word)) + word.written.matches('|').count();
    if expression.iter().map(alternatives).sum::<usize>() > MOST {
        return None;
    }
    let mut reader = Reader {
        words: expression,
        at: 0,
        acts: Vec::new(),
        is_action: &is_action,
        arity,
        depth: 0,
        cut: false,
    };
    let all = reader.list();
    if reader.cut {
        return None;
    }
    if reader.at < expression.len() {
        return Some(Vec::new());
    }
    let acts = if reader.acts.is_empty() { vec![all] } else { reader.acts };
    let names = acts.into_iter().reduce(either).flatten().unwrap_or_default();
    (names.len() <= 8 * MOST).then_some(names)
}

/// How many words a primary takes.
type Arity = fn(&str) -> Option<usize>;

struct Reader<'a> {
    words: &'a [Field],
    at: usize,
    /// What each action is done to.
    acts: Vec<Names>,
    is_action: &'a dyn Fn(&str) -> bool,
    arity: Arity,
    depth: usize,
    /// It is nested deeper than is followed.
    cut: bool,
}

impl Reader<'_> {
    fn next_is(&self, texts: &[&str]) -> bool {
        self.words.get(self.at).is_some_and(|word| texts.contains(&word.written.as_str()))
    }

    fn takes(&mut self, texts: &[&str]) -> bool {
        let is = self.next_is(texts);
        self.at += usize::from(is);
        is
    }

    /// Alternatives up to a closing parenthesis or the end.
    fn list(&mut self) -> Names {
        let mut all = self.chain();
        while self.takes(&["-o", "-or", ","]) {
            let other = self.chain();
            all = either(all, other);
        }
        all
    }

    /// What must all be true.
    fn chain(&mut self) -> Names {
        let mut names = None;
        let outer = self.acts.len();
        while self.at < self.words.len() && !self.next_is(&["-o", "-or", ",", ")"]) {
            if self.takes(&["-a", "-and"]) {
                continue;
            }
            let mut negated = false;
            while self.takes(&["!", "-not"]) {
                negated = !negated;
            }
            let before = self.acts.len();
            let found = self.primary();
            // What acts inside of parentheses is behind what is before them.
            for act in self.acts.iter_mut().skip(before.max(outer)) {
                *act = both(names.clone(), act.take());
            }
            names = if negated { names } else { both(names, found) };
        }
        names
    }

    fn primary(&mut self) -> Names {
        let word = self.words.get(self.at)?;
        self.at += 1;
        let text = word.written.as_str();
        if text == "(" && self.depth == DEEPEST {
            self.cut = true;
            self.at = self.words.len();
            return None;
        }
        if text == "(" {
            self.depth += 1;
            let found = self.list();
            self.takes(&[")"]);
            self.depth -= 1;
            return found;
        }
        if (self.is_action)(text) {
            self.acts.push(None);
        }
        if matches!(text, "-exec" | "-execdir" | "-ok" | "-okdir") {
            let rest = self.words.get(self.at..).unwrap_or_default();
            let ends = |at: &usize| {
                let is = |at: usize, text: &str| rest.get(at).is_some_and(|word| word.is(text));
                is(*at, ";") || (is(*at, "+") && at.checked_sub(1).is_some_and(|last| is(last, "{}")))
            };
            self.at += (0..rest.len()).find(ends).map_or(rest.len(), |end| end + 1);
            return None;
        }
        let value = self.words.get(self.at);
        self.at += (self.arity)(text).unwrap_or(0);
        let value = value.and_then(Field::text)?;
        match text {
            "-name" | "-iname" if value != "*" => Some(vec![Name::plain(value)]),
            "-path" | "-ipath" | "-wholename" | "-iwholename" => paths(&[value.to_owned()]),
            "-regex" | "-iregex" => paths(&globs(value, 0)?),
            _ => None,
        }
    }
}

fn either(left: Names, right: Names) -> Names {
    let (mut left, right) = (left?, right?);
    for name in right {
        if !left.contains(&name) {
            left.push(name);
        }
    }
    Some(left)
}

/// What fits both. A name within what a path says is looked for there; otherwise what says more.
fn both(left: Names, right: Names) -> Names {
    let (left, right) = match (left, right) {
        (Some(left), Some(right)) => (left, right),
        (left, right) => return left.or(right),
    };
    let joined = left.iter().flat_map(|left| right.iter().map(move |right| narrower(left, right)));
    let mut names: Vec<Name> = Vec::new();
    for name in joined {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

fn narrower(left: &Name, right: &Name) -> Name {
    let (path, name) = if right.rooted { (right, left) } else { (left, right) };
    let letters = |name: &Name| name.text.bytes().filter(u8::is_ascii_alphanumeric).count();
    if path.rooted && !name.rooted {
        if path.text.ends_with("/**") {
            return Name { text: format!("{}/{}", path.text, name.text), rooted: true };
        }
        let last = path.text.rsplit('/').next().unwrap_or_default();
        let last = Name::plain(last);
        return if letters(&last) >= letters(name) { path.clone() } else { name.clone() };
    }
    // Of two names the one that is said first.
    if path.rooted && letters(right) > letters(left) { right.clone() } else { left.clone() }
}

/// What patterns of whole paths say: in them a `*` is any text, directories and a leading dot included. `None` where one
/// says next to nothing.
fn paths(patterns: &[String]) -> Names {
    let mut names: Vec<Name> = Vec::new();
    for pattern in patterns {
        let says = |part: &str| part.bytes().filter(u8::is_ascii_alphanumeric).count() > 1;
        if !pattern.split('/').any(says) {
            return None;
        }
        let is_any = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte == b'*');
        let parts: Vec<&str> =
            pattern.split('/').map(|part| if is_any(&part) { "**" } else { part }).collect();
        let text = parts.join("/");
        let mut spelled = vec![text.clone()];
        if let Some(rest) = text.strip_prefix('*').filter(|rest| !rest.starts_with('*')) {
            spelled = vec![format!("**/{text}")];
            spelled.extend(rest.starts_with(char::is_alphanumeric).then(|| format!("**/.{text}")));
            spelled.extend(rest.starts_with('.').then(|| format!("**/{rest}")));
        }
        let across = |text: &String| {
            let (before, after) = text.rsplit_once('*')?;
            let inside = before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
            inside.then(|| format!("{before}*/**/*{after}"))
        };
        let more: Vec<String> = spelled.iter().filter_map(across).collect();
        spelled.extend(more);
        // What it begins may be a directory.
        let open = |text: &String| text.ends_with('*') && !text.ends_with("**");
        let more: Vec<String> =
            spelled.iter().filter(|text| open(text)).map(|text| format!("{text}/**")).collect();
        spelled.extend(more);
        names.extend(spelled.into_iter().map(|text| Name { text, rooted: true }));
    }
    Some(names)
}

/// A regular expression as patterns: one for each alternative. `None` where it can't be said so.
fn globs(regex: &str, depth: usize) -> Option<Vec<String>> {
    let opens = regex.find("\\(").map(|at| (at, 2)).or_else(|| regex.find('(').map(|at| (at, 1)));
    if let Some((open, width)) = opens {
        let (end, mark) = if width == 2 { ("\\)", "\\|") } else { (")", "|") };
        let inside = regex.get(open + width..)?;
        let close = inside.find(end)?;
        let (before, within) = (regex.get(..open)?, inside.get(..close)?);
        let after = inside.get(close + width..)?;
        if depth >= 2 || within.contains('(') {
            return None;
        }
        let each = within.split(mark).map(|one| globs(&format!("{before}{one}{after}"), depth + 1));
        return Some(each.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect());
    }
    let mut text = String::new();
    let mut rest = regex.strip_prefix('^').unwrap_or(regex).chars().peekable();
    while let Some(next) = rest.next() {
        let one = match next {
            '\\' => match rest.next()? {
                literal if literal.is_ascii_punctuation() && !matches!(literal, '|' | '(' | ')') => literal,
                _ => return None,
            },
            '.' => '?',
            '[' => {
                let _set: Vec<char> = rest.by_ref().take_while(|&other| other != ']').collect();
                '?'
            }
            '$' if rest.peek().is_none() => break,
            '|' | '{' | '*' | '+' | '?' => return None,
            other => other,
        };
        match rest.next_if(|next| matches!(next, '*' | '+' | '?')) {
            Some(_) => text.push('*'),
            None => text.push(one),
        }
    }
    Some(vec![text])
}

impl Name {
    /// A pattern for the last part of a path.
    pub(super) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), rooted: false }
    }

    /// The pattern of what is found below a root, without the root. `None` where nothing below it has such a path.
    pub(super) fn below(&self, root: &str) -> Option<String> {
        if !self.rooted {
            return Some(format!("**/{}", self.text));
        }
        if self.text.starts_with("**/") {
            return Some(self.text.clone());
        }
        let rest = self.text.strip_prefix(root)?;
        let rest = rest.strip_prefix('/').or_else(|| root.ends_with('/').then_some(rest))?;
        Some(rest.to_owned())
    }

    /// The pattern without what is in front of the directories that it may lie in.
    pub(super) fn anywhere(&self) -> &str {
        let text = self.text.strip_prefix("**/").unwrap_or(&self.text);
        text.strip_prefix("./").unwrap_or(text)
    }
}
