//! Words: which expansions can run nothing, and what comes out of them.

use hookgate_shell::{Expansion, Node, Part, Script, Span, Word, Zsh};

use crate::state::Value;
use crate::statements::Prover;
use crate::table::is_listed;
use crate::{Proven, places, refuse};

/// The most words that braces may stand for.
const MAXIMUM_ALTERNATIVES: usize = 32;

impl Prover<'_> {
    /// What a word of a command becomes; several where braces say so.
    pub(crate) fn words(&mut self, word: &Word) -> Proven<Vec<Value>> {
        self.expanded(word, true)
    }

    /// What a word becomes that never turns into names of files: an operand of `[[ ]]`, a pattern.
    pub(crate) fn pattern(&mut self, word: &Word) -> Proven<Vec<Value>> {
        self.expanded(word, false)
    }

    fn expanded(&mut self, word: &Word, names: bool) -> Proven<Vec<Value>> {
        if names && has_range_of_zsh(&word.parts) {
            return refuse(
                "braces with a range in them, which zsh may take for letters of any kind",
                word.span,
            );
        }
        let values = self.behind(vec![Value::of("")], &word.parts, names, word.span)?;
        if word.parts.len() == 1 && !word.is_quoted() {
            return Ok(values);
        }
        Ok(values
            .into_iter()
            .map(|value| match value.known() {
                Some(text) => Value { splits: value.splits, ..Value::of(text) },
                None => value,
            })
            .collect())
    }

    /// The values with these parts behind them.
    fn behind(
        &mut self,
        mut values: Vec<Value>,
        parts: &[Part],
        names: bool,
        span: Span,
    ) -> Proven<Vec<Value>> {
        for (index, part) in parts.iter().enumerate() {
            if let Part::Brace(words) = part {
                let mut all = Vec::new();
                for word in words {
                    if names && has_range_of_zsh(&word.parts) {
                        return refuse("a range within braces", span);
                    }
                    all.extend(self.behind(values.clone(), &word.parts, names, span)?);
                }
                values = all;
            } else {
                match part {
                    Part::Literal { text, quoted: false } if names => {
                        self.means_the_same_to_zsh(&values, text, index + 1 == parts.len(), span)?;
                    }
                    Part::Glob(text) if names && text == "[" => {
                        return refuse("a bracket with quotes, braces or a value in it", span);
                    }
                    _ => {}
                }
                let piece = self.part(part, span)?;
                values = values.into_iter().map(|value| value.followed_by(&piece)).collect();
            }
            if values.is_empty() || values.len() > MAXIMUM_ALTERNATIVES {
                return refuse("too many alternatives", span);
            }
        }
        Ok(values)
    }

    /// A word that can only be one.
    pub(crate) fn word(&mut self, word: &Word) -> Proven<Value> {
        let values = self.words(word)?;
        only(values, word.span)
    }

    /// Such a word that never turns into names of files.
    pub(crate) fn operand(&mut self, word: &Word) -> Proven<Value> {
        let values = self.pattern(word)?;
        only(values, word.span)
    }

    /// Is the text to zsh what it is to bash, behind one of these values? To zsh, `~$x` is a home or what a name stands for, and where
    /// `EXTENDED_GLOB` is set, as many people have it, `^a`, `a#` and `a~b` are patterns.
    fn means_the_same_to_zsh(&self, values: &[Value], text: &str, last: bool, span: Span) -> Proven<()> {
        let begins = values.iter().any(|value| value.known() == Some(""));
        let behind_colon = text.rsplit_once(':').is_some_and(|(_, rest)| rest.starts_with('~'));
        if text.starts_with('~') && begins || behind_colon && !last {
            return refuse("a tilde that zsh expands behind its value or its quotes", span);
        }
        let sign = text.find(['^', '#', '~']).and_then(|at| text.split_at_checked(at));
        let Some((before, behind)) = sign else { return Ok(()) };
        for value in values.iter().filter(|value| value.exact || value.globbed) {
            let mut begin = value.text.clone();
            if value.exact {
                begin.push_str(before);
                // It repeats the letter before it, as often as none.
                if behind.starts_with('#') && !begin.ends_with('/') {
                    begin.pop();
                }
            }
            if self.fits_a_name(&begin, value.exact && behind.starts_with('~')) {
                return refuse("a sign that zsh may take for a pattern, which fits names here", span);
            }
        }
        Ok(())
    }

    fn part(&mut self, part: &Part, around: Span) -> Proven<Value> {
        match part {
            Part::Literal { text, .. } => Ok(Value::of(text.clone())),
            Part::Glob(text) if text == "[" => {
                refuse("a bracket with quotes, braces or a value in it", around)
            }
            Part::Glob(text) if text.contains('(') => refuse("a glob with alternatives", around),
            Part::Glob(_) => Ok(Value { globbed: true, splits: true, ..Value::unknown() }),
            Part::Tilde(text) if text == "~" => Ok(Value::of(self.ground.home)),
            Part::Tilde(text) => refuse(format!("`{text}`: the home of somebody else"), around),
            Part::Brace(_) => refuse("alternatives within alternatives", around),
            Part::Parameter { name, subscript, expansion, quoted, span } => {
                if let Some(subscript) = subscript {
                    self.subscript(subscript, *span)?;
                    self.expansion(name, expansion, *span)?;
                    return Ok(Value { splits: true, ..Value::unknown() });
                }
                let value = self.parameter(name, expansion, *span)?;
                if *quoted && name != "@" {
                    return Ok(Value { splits: false, ..value });
                }
                if value.globbed && self.no_blanks(*span).is_ok() {
                    return Ok(Value { splits: true, ..value });
                }
                Ok(split(value))
            }
            Part::Command { script, quoted, .. } => {
                let value = self.substitution(script)?;
                if let Some(here) = self.place_printed(script) {
                    return Ok(if *quoted { here } else { split(here) });
                }
                if value.globbed && !quoted {
                    self.no_blanks(around)?;
                }
                // Within quotes the names are one word, which names nothing.
                let value = if value.globbed && *quoted { Value::unknown() } else { value };
                Ok(Value { splits: !quoted && !value.number, ..value })
            }
            Part::Process { script, .. } => {
                self.runs_beside();
                self.substitution(script)?;
                Ok(Value { text: "/dev/fd/".to_owned(), ..Value::unknown() })
            }
            Part::Arithmetic { expression, span } => {
                self.arithmetic(expression, *span)?;
                Ok(Value::some_number())
            }
        }
    }

    /// No name here has a blank in it, so that names stay one word each.
    fn no_blanks(&self, at: Span) -> Proven<()> {
        let mut directories = self.state.directories.clone();
        directories.extend(
            self.listed.iter().filter_map(|(value, _)| value.known()).flat_map(|path| self.absolute(path)),
        );
        let why = "names that are split where one has a blank in it";
        for path in &directories {
            if self.ground.files.list(path).iter().any(|name| name.contains(char::is_whitespace)) {
                return refuse(why, at);
            }
        }
        let all = self.below(&self.searched, false, |name, _| match name.contains(char::is_whitespace) {
            true => refuse(why, at),
            false => Ok(true),
        })?;
        if all { Ok(()) } else { refuse(why, at) }
    }

    /// What `pwd` prints, where that is known: the same as `$PWD`.
    fn place_printed(&self, script: &Script) -> Option<Value> {
        let ([statement], [directory]) = (script.statements.as_slice(), self.state.directories.as_slice())
        else {
            return None;
        };
        let Node::Command(command) = &statement.node else { return None };
        let plain = statement.redirections.is_empty() && command.assignments.is_empty();
        let says_place = |word: &Word| word.literal().is_some_and(|name| is_listed("says-place", &name));
        let is_alone = matches!(command.words.as_slice(), [word] if says_place(word));
        (plain && is_alone).then(|| Value::of(directory.clone()))
    }

    /// `$x` and what is done to it.
    fn parameter(&mut self, name: &str, expansion: &Expansion, span: Span) -> Proven<Value> {
        let own = self.state.variables.get(name).cloned();
        let set = own.is_some();
        let value = match own {
            Some(value) => value,
            None if is_listed("numeric-parameters", name) => Value::some_number(),
            None if name == "HOME" => Value::of(self.ground.home),
            None if name == "PWD" => match self.state.directories.as_slice() {
                [one] => Value::of(one.clone()),
                _ => Value { text: "/".to_owned(), ..Value::unknown() },
            },
            None if is_listed("readable-variables", name) => Value { splits: true, ..Value::unknown() },
            // Positional parameters: the call of a text has none, or they are words of the text around it.
            None if name.len() == 1
                && name.bytes().all(|byte| byte.is_ascii_digit() || b"@*".contains(&byte)) =>
            {
                Value { splits: true, ..Value::unknown() }
            }
            // Nobody keeps a secret under such a name; of what it holds nothing is known.
            None if names_nothing_secret(name) => Value { splits: true, ..Value::unknown() },
            // A default says that the variable may be missing; its value would be anything.
            None => return refuse(format!("the value of `{name}` isn't known and may be a secret"), span),
        };
        self.expansion(name, expansion, span)?;
        Ok(match expansion {
            Expansion::Plain | Expansion::Require(_) => value,
            Expansion::Default(_) if set && value.known().is_some_and(|text| !text.is_empty()) => value,
            Expansion::Length => Value::some_number(),
            _ => Value { splits: true, ..Value::unknown() },
        })
    }

    /// Is it an expansion that can run nothing?
    fn expansion(&mut self, name: &str, expansion: &Expansion, span: Span) -> Proven<()> {
        match expansion {
            Expansion::Plain | Expansion::Length | Expansion::Zsh(Zsh::Modifier) => Ok(()),
            Expansion::Zsh(Zsh::Sign) => refuse("signs before a variable, which zsh obeys", span),
            Expansion::Zsh(Zsh::Subscript) => {
                refuse("a variable, and what follows it, which zsh calculates", span)
            }
            Expansion::Indirect => refuse("a name that is computed", span),
            Expansion::Assign(_) => refuse("an assignment inside of an expansion", span),
            Expansion::Default(word)
            | Expansion::Alternative(word)
            | Expansion::Require(word)
            | Expansion::RemovePrefix(word)
            | Expansion::RemoveSuffix(word) => self.pattern(word).map(drop),
            Expansion::Replace(pattern, replacement) => {
                self.pattern(pattern)?;
                self.pattern(replacement).map(drop)
            }
            Expansion::Other(_) if self.texts == 0 && is_plain_operation(span.of(self.text), name) => Ok(()),
            Expansion::Other(_) => refuse("an expansion that isn't on the list", span),
        }
    }

    /// A number, `@` or `*`; a name only where it holds a number.
    pub(crate) fn subscript(&mut self, subscript: &Word, span: Span) -> Proven<()> {
        match subscript.literal().as_deref() {
            Some("@" | "*") => Ok(()),
            None if matches!(subscript.parts.as_slice(), [Part::Glob(text)] if text == "*" || text == "@") => {
                Ok(())
            }
            _ if self.arithmetic(subscript, span).is_ok() => Ok(()),
            _ => refuse("a subscript that isn't a number", span),
        }
    }

    /// Arithmetic on numbers, and on variables that hold numbers.
    pub(crate) fn arithmetic(&mut self, expression: &Word, span: Span) -> Proven<()> {
        let mut text = String::new();
        for part in &expression.parts {
            match part {
                Part::Literal { text: literal, .. } | Part::Glob(literal) => text.push_str(literal),
                Part::Parameter { name, subscript: None, expansion, span, .. } => {
                    if !self.parameter(name, expansion, *span)?.number {
                        return refuse(format!("arithmetic on the variable `{name}`"), *span);
                    }
                    text.push('1');
                }
                Part::Command { script, span, .. } => {
                    if !self.substitution(script)?.number {
                        return refuse("arithmetic on what a command prints", *span);
                    }
                    text.push('1');
                }
                Part::Arithmetic { expression, span } => {
                    self.arithmetic(expression, *span)?;
                    text.push('1');
                }
                _ => return refuse("arithmetic on more than numbers", span),
            }
        }
        let is_sign = |c: char| c.is_ascii_alphanumeric() || "_+-*/%<>=!&|^~?:(), \t\n".contains(c);
        if !text.chars().all(is_sign) {
            return refuse("arithmetic on more than numbers", span);
        }
        for name in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if is_name && !self.state.variables.get(name).is_some_and(|value| value.number) {
                return refuse(format!("arithmetic on the variable `{name}`"), span);
            }
        }
        Ok(())
    }

    /// Is there a name that begins so, or is that, to a pattern? It finds no hidden one, unless it begins like one.
    fn fits_a_name(&self, path: &str, whole: bool) -> bool {
        let (directory, begin) = path.rsplit_once('/').unwrap_or((".", path));
        let directory = if path.starts_with('/') && directory.is_empty() { "/" } else { directory };
        let fits = |name: &String| match begin {
            _ if whole => name == begin,
            "" => !name.starts_with('.'),
            begin => name.starts_with(begin),
        };
        let directories = self.absolute(directory);
        directories.is_empty()
            || directories.iter().any(|directory| {
                let names = self.ground.files.list(directory);
                names.len() >= crate::MAXIMUM_LISTED || names.iter().any(fits)
            })
    }

    /// `[[ ... ]]`
    pub(crate) fn conditional(&mut self, words: &[Word]) -> Proven<()> {
        let mut values = Vec::new();
        for word in words {
            values.push((self.operand(word)?, word.span));
        }
        for (index, (value, span)) in values.iter().enumerate() {
            match value.known() {
                Some("-t") if !values.get(index + 1).is_some_and(|(value, _)| value.number) => {
                    return refuse("a test of a terminal that isn't a number", *span);
                }
                Some("-v" | "-o" | "-R") => return refuse("a test of a name", *span),
                Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") => {
                    let around = [index.checked_sub(1), index.checked_add(1)];
                    let operands = around.iter().flatten().filter_map(|at| values.get(*at));
                    if !operands.clone().all(|(value, _)| value.number) {
                        return refuse("a comparison of more than numbers", *span);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A path that is written out, absolute, for each directory that the text may stand in.
    pub(crate) fn absolute(&self, path: &str) -> Vec<String> {
        if self.state.directories.iter().any(|base| self.leaves_unseen(base, path)) {
            return Vec::new();
        }
        if path.starts_with('/') {
            return vec![places::reached("", path, self.ground)];
        }
        self.state.directories.iter().map(|base| places::reached(base, path, self.ground)).collect()
    }
}

/// `{....}`, `{$x..$y}`: text to bash, letters to zsh.
fn has_range_of_zsh(parts: &[Part]) -> bool {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Literal { text: own, quoted: false } | Part::Glob(own) => text.push_str(own),
            _ => text.push('$'),
        }
    }
    let mut closed: Vec<&str> = text.split('}').collect();
    closed.pop();
    closed.iter().any(|piece| piece.split_once('{').is_some_and(|(_, inside)| inside.contains("..")))
}

fn only(mut values: Vec<Value>, span: Span) -> Proven<Value> {
    match values.pop().filter(|_| values.is_empty()) {
        Some(value) => Ok(value),
        None => refuse("alternatives where one word is expected", span),
    }
}

/// A name that is made of everyday words: `dir`, `MAX_COUNT`, `f1`.
fn names_nothing_secret(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    !name.is_empty()
        && upper.split('_').all(|word| {
            let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
            word.is_empty() || is_listed("everyday-words", word)
        })
}

/// A value that stands without quotes: it splits at blanks, and its globs count.
fn split(value: Value) -> Value {
    let plain = value.exact && !value.text.chars().any(|c| c.is_whitespace() || "*?[\\".contains(c));
    if plain && !value.text.is_empty() || value.number {
        return Value { splits: value.splits && !value.number, ..value };
    }
    if value.exact && value.text.is_empty() {
        return Value { splits: true, exact: false, ..value };
    }
    Value {
        splits: true,
        exact: false,
        globbed: false,
        deep: false,
        searched: false,
        hidden: false,
        ends: String::new(),
        number: false,
        name: value.name,
        text: value.text.split_whitespace().next().unwrap_or_default().to_owned(),
    }
}

/// `${x^^}`, `${x,,}`, `${x:1:2}` with numbers.
fn is_plain_operation(raw: &str, name: &str) -> bool {
    let Some(rest) = raw.strip_prefix("${").and_then(|rest| rest.strip_prefix(name)) else { return false };
    let Some(rest) = rest.strip_suffix('}') else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match rest.strip_prefix(':') {
        Some(range) => range.splitn(2, ':').all(|text| is_number(text.trim().trim_start_matches('-'))),
        None => matches!(rest, "^" | "^^" | "," | ",,"),
    }
}
