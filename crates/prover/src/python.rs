//! Python on the command line: a reader that accepts what computes and prints, and reads files by literal names.
//!
//! A name that is neither a builtin nor bound by the text is an error when it runs, so only builtins have to be known;
//! attributes and modules are closed lists, so that nothing leads from a value to a function that does more.

use std::collections::{BTreeMap, BTreeSet};

use crate::state::Value;
use crate::table::is_listed;

/// What a text does besides computing.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Modules that it imports: a file of that name beside it would be loaded in their place.
    pub(crate) modules: Vec<String>,
    /// Files that it reads.
    pub(crate) files: Vec<String>,
    /// Files that it writes.
    pub(crate) written: Vec<String>,
    /// Programs that it runs, each with its words.
    pub(crate) commands: Vec<Vec<Value>>,
    /// Names that hold one text throughout, and what that is.
    constants: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Text(String),
    /// A text with values in it, and how it begins.
    Filled(String),
    Sign(char),
    Line,
}

/// Reads the text of an interpreter that may be one of Python 2.
pub(crate) fn read(text: &str, old: bool) -> Result<Found, String> {
    let mut found = Found::default();
    let tokens = tokens(text, 0)?;
    found.constants = constants(&tokens);
    check(&tokens, &mut found)?;
    if binds_attributes(&tokens) {
        return Err("an attribute that Python's text binds".to_owned());
    }
    let named =
        |is: fn(&str) -> bool| tokens.iter().any(|token| matches!(token, Token::Name(name) if is(name)));
    if old && named(|name| is_listed("python-2-refused", name)) {
        return Err("a name that does more in Python 2: say `python3`".to_owned());
    }
    if named(|name| name == "Path") && named(|name| is_listed("python-turns", name)) {
        return Err("Python's `.parent`, perhaps of a path".to_owned());
    }
    // A name behind it may lead anywhere.
    if named(|name| name == "Path") && tokens.contains(&Token::Sign('/')) {
        return Err("a path of Python that is put together".to_owned());
    }
    // What makes a path would make any other.
    if named(|name| name == "Path") && named(|name| name == "type") {
        return Err("Python's `type`, perhaps of a path".to_owned());
    }
    // Of a path these move and copy files.
    if named(|name| name == "Path") && named(|name| is_listed("python-moves", name)) {
        return Err("Python's `.replace` or `.copy`, perhaps of a path".to_owned());
    }
    Ok(found)
}

fn tokens(text: &str, depth: u8) -> Result<Vec<Token>, String> {
    if depth > 3 {
        return Err("strings within strings of Python".to_owned());
    }
    if text.contains(['\r', '\u{c}']) {
        return Err("a line break in Python's text that isn't plain".to_owned());
    }
    let mut found = Vec::new();
    // Within brackets a line break means nothing, as within the braces of a text.
    let mut open = usize::from(depth > 0);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        if letter == '#' {
            let (comment, behind) = after.split_once('\n').unwrap_or((after, ""));
            // It could say in which encoding everything else is read.
            if comment.contains("coding") {
                return Err("a comment of Python that may name an encoding".to_owned());
            }
            rest = behind;
            if open == 0 {
                ends_line(&mut found);
            }
        } else if matches!(letter, '"' | '\'') {
            rest = string(rest, "", &mut found, depth)?;
        } else if letter.is_ascii_alphabetic() || letter == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let lower = name.to_ascii_lowercase();
            let prefix = name.len() <= 2 && lower.bytes().all(|byte| b"rbuf".contains(&byte));
            if prefix && behind.starts_with(['"', '\'']) {
                rest = string(behind, &lower, &mut found, depth)?;
            } else if behind.starts_with(['"', '\'']) {
                return Err(format!("a string of Python with the prefix `{name}`"));
            } else {
                found.push(Token::Name(name.to_owned()));
                rest = behind;
            }
        } else if letter == ';' && open > 0 {
            return Err("a statement of Python within brackets".to_owned());
        } else if letter == '\n' || letter == ';' {
            if open == 0 {
                ends_line(&mut found);
            }
            rest = after;
        } else if letter.is_ascii_digit() {
            rest = number(rest)?;
            found.push(Token::Sign('0'));
        } else if letter == '\\' {
            return Err("a backslash in Python's text".to_owned());
        } else if letter.is_ascii() {
            match letter {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open = open.saturating_sub(1),
                _ => {}
            }
            if !letter.is_whitespace() {
                found.push(Token::Sign(letter));
            }
            rest = after;
        } else {
            return Err("a letter of another script in Python's text".to_owned());
        }
    }
    Ok(found)
}

/// Goes behind a number. A word may stand right behind one (`1if x else y`): that isn't read.
fn number(text: &str) -> Result<&str, String> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
    };
    let mut end = digits(0);
    if text.get(end..).is_some_and(|rest| rest.starts_with('.')) {
        end = digits(end + 1);
    }
    let (number, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let of = |text: &str, extra: &str| text.chars().all(|c| c.is_ascii_digit() || extra.contains(c));
    let based = ["0x", "0o", "0b"].iter().find_map(|begin| number.strip_prefix(begin));
    let plain = match (based, number.split_once('e')) {
        (Some(digits), _) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        (None, Some((number, power))) => of(number, "._") && of(power, ""),
        (None, None) => of(number, "._"),
    };
    if plain { Ok(rest) } else { Err("a number of Python that isn't plain".to_owned()) }
}

/// Lines without anything in them are one, so that nobody goes back over thousands of them for each.
fn ends_line(found: &mut Vec<Token>) {
    if found.last() != Some(&Token::Line) {
        found.push(Token::Line);
    }
}

/// Goes behind a string; what stands in the braces of an f-string is code.
fn string<'t>(text: &'t str, prefix: &str, found: &mut Vec<Token>, depth: u8) -> Result<&'t str, String> {
    let quote = text.get(..1).unwrap_or_default();
    let triple = quote.repeat(3);
    let quote = if text.starts_with(&triple) { triple.as_str() } else { quote };
    let body = text.get(quote.len()..).unwrap_or_default();
    let mut at = 0;
    loop {
        let here = body.get(at..).unwrap_or_default();
        if here.starts_with(quote) {
            break;
        }
        match here.chars().next() {
            None => return Err("an open string of Python".to_owned()),
            Some('\n') if quote.len() == 1 => return Err("an open string of Python".to_owned()),
            Some('\\') => at += 1 + here.chars().nth(1).map_or(0, char::len_utf8),
            Some(letter) => at += letter.len_utf8(),
        }
    }
    let content = body.get(..at).unwrap_or_default();
    if prefix.contains('f') && content.contains(['{', '}']) {
        found.push(Token::Sign('('));
        for (code, how) in fields(content, quote)? {
            found.push(Token::Sign('{'));
            found.extend(tokens(code, depth + 1)?);
            // What is filled in is another text then.
            found.extend((!how.is_empty()).then_some(Token::Sign('!')));
            found.push(Token::Sign('}'));
        }
        found.push(Token::Sign(')'));
        let begins = content.split(['{', '\\']).next().unwrap_or_default();
        found.push(Token::Filled(begins.to_owned()));
    } else {
        found.push(Token::Text(content.to_owned()));
    }
    Ok(body.get(at + quote.len()..).unwrap_or_default())
}

/// What stands in the braces of an f-string. Every version of Python has to see the same end of the string and of each
/// field: newer ones take the string's own quotes inside of the braces. With each, how it is written.
fn fields<'t>(content: &'t str, quote: &str) -> Result<Vec<(&'t str, &'t str)>, String> {
    let unread = || Err("a string of Python with more than plain code in its braces".to_owned());
    let mut found = Vec::new();
    let mut rest = content;
    while let Some(at) = rest.find(['{', '}']) {
        let here = rest.get(at..).unwrap_or_default();
        if here.starts_with("{{") || here.starts_with("}}") {
            rest = here.get(2..).unwrap_or_default();
            continue;
        }
        let Some(field) = here.strip_prefix('{') else { return unread() };
        let Some(end) = end_of_code(field, quote) else { return unread() };
        let (code, behind) = field.split_at_checked(end).unwrap_or((field, ""));
        // `=`, `!r`, `:>10`; a field within would be code again.
        let Some((how, after)) = behind.split_once('}') else { return unread() };
        if !how.chars().all(|c| c.is_ascii_alphanumeric() || "!:=<>^+-.,_% #*|".contains(c)) {
            return unread();
        }
        found.push((code, how));
        rest = after;
    }
    Ok(found)
}

/// Where the code of a field ends: at its brace, or at what says how it is written.
fn end_of_code(field: &str, quote: &str) -> Option<usize> {
    let mut open: u32 = 0;
    let mut string: Option<char> = None;
    for (at, letter) in field.char_indices() {
        match (string, letter) {
            (_, '\\' | '\n' | '#' | '{') => return None,
            (Some(mark), letter) if letter == mark => string = None,
            (None, '"' | '\'') if quote.starts_with(letter) => return None,
            (None, '"' | '\'') => string = Some(letter),
            (None, '(' | '[') => open += 1,
            (None, ')' | ']') => open = open.checked_sub(1)?,
            (None, '}' | ':') if open == 0 => return Some(at),
            // Not `!=`.
            (None, '!') if open == 0 && !field.get(at + 1..)?.starts_with('=') => return Some(at),
            (_, '}') => return None,
            _ => {}
        }
    }
    None
}

/// `'{} of {}'.format(a, b)`: a format that names attributes or items of what it is given leads anywhere.
fn formats_plainly(before: &[Token]) -> bool {
    let Some((Token::Sign('.'), before)) = before.split_last() else { return false };
    let Some((Token::Text(text), before)) = before.split_last() else { return false };
    // Texts that stand side by side are one.
    let alone = !matches!(before.last(), Some(Token::Text(_) | Token::Filled(_)));
    let plain = |field: &str| {
        let name = field.split([':', '!', '}', '{']).next().unwrap_or_default();
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    alone && !text.contains('\\') && text.split('{').skip(1).all(plain)
}

/// `path = "a.txt"`, where the name stands nowhere else but in `open(path`, in the braces of a text and as a word of a program: nothing
/// else can be bound to it.
fn constants(tokens: &[Token]) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut others = BTreeSet::new();
    for (index, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        let (before, rest) = tokens.split_at_checked(index).unwrap_or_default();
        let opened = matches!(
            (before, rest),
            ([.., Token::Name(open), Token::Sign('(')], [_, Token::Sign(',' | ')'), ..]) if open == "open"
        ) && !matches!(before, [.., Token::Name(word), _, _] if matches!(word.as_str(), "def" | "class"))
            && !matches!(before, [.., Token::Sign('.'), _, _]);
        let set = matches!(before, [] | [.., Token::Line])
            && matches!(rest, [_, Token::Sign('='), Token::Text(text), Token::Line, ..] if !text.contains('\\'))
            && !found.contains_key(name);
        let filled = matches!((before, rest), ([.., Token::Sign('{')], [_, Token::Sign('}'), ..]))
            || is_word(before, rest);
        match rest {
            [_, _, Token::Text(text), ..] if set => drop(found.insert(name.clone(), text.clone())),
            _ if opened || filled => {}
            _ => drop(others.insert(name)),
        }
    }
    found.retain(|name, _| !others.contains(name));
    found
}

/// Is the name a word of its own in a list that a program is run by?
fn is_word(before: &[Token], rest: &[Token]) -> bool {
    let alone =
        matches!(rest, [_, Token::Sign(',' | ']'), ..]) && matches!(before, [.., Token::Sign(',' | '[')]);
    let Some(start) = before.iter().rposition(|token| *token == Token::Sign('[')).filter(|_| alone) else {
        return false;
    };
    let (call, list) = before.split_at_checked(start).unwrap_or_default();
    // What else may open or close in between, or bind names.
    let plain = |token: &Token| match token {
        Token::Name(name) => !matches!(name.as_str(), "lambda" | "for"),
        Token::Sign(sign) => !"()]".contains(*sign),
        _ => true,
    };
    let runs = matches!(
        call,
        [.., Token::Name(module), Token::Sign('.'), Token::Name(verb), Token::Sign('(')]
            if module == "subprocess" && is_listed("python-runs", verb)
    );
    runs && list.iter().skip(1).all(plain)
}

fn check(tokens: &[Token], found: &mut Found) -> Result<(), String> {
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let before = index.checked_sub(1).and_then(|at| tokens.get(at));
        let attribute = before == Some(&Token::Sign('.'));
        index += 1;
        let Token::Name(name) = token else {
            if *token == Token::Sign('@') && matches!(before, None | Some(Token::Line)) {
                return Err("a decorator of Python".to_owned());
            }
            continue;
        };
        let rest = tokens.get(index..).unwrap_or_default();
        if name == "subprocess"
            && !attribute
            && let [Token::Sign('.'), Token::Name(verb), Token::Sign('('), words @ ..] = rest
            && is_listed("python-runs", verb)
        {
            let words = command(words, &found.constants)?;
            found.commands.push(words);
            // What stands in the words is looked at like everything else.
            index += 3;
            continue;
        }
        if let Some(known) = strict(name).filter(|_| !attribute) {
            let uses = known.map(|way| {
                let words: Vec<&str> = way.split('.').collect();
                let said = |(at, word): (usize, &&str)| {
                    matches!(rest.get(2 * at), Some(Token::Sign('.')))
                        && matches!(rest.get(2 * at + 1), Some(Token::Name(name)) if name == word)
                };
                words.iter().enumerate().all(said).then_some(2 * words.len())
            });
            match uses.flatten().max() {
                Some(used) => index += used,
                None => return Err(format!("Python's module `{name}` for more than is listed")),
            }
        } else if attribute {
            // A number with a dot and a letter is no attribute; it can't be told apart here and isn't needed.
            let formats = name == "format" && formats_plainly(tokens.get(..index - 1).unwrap_or_default());
            if !formats && !is_listed("python-attributes", name) {
                return Err(format!("Python's `.{name}`"));
            }
        } else if name == "type" {
            tells_a_type(tokens.get(..index - 1).unwrap_or_default(), rest)?;
        } else if name == "import" {
            index += import(rest, found)?;
        } else if name == "from" && before.is_none_or(|token| matches!(token, Token::Line | Token::Sign(':')))
        {
            index += from(rest, found)?;
        } else if name == "open" {
            index += open(rest, found)?;
        } else if name == "Path" {
            // More words are more of the path.
            if !matches!(rest, [Token::Sign('('), _, Token::Sign(')'), ..]) {
                return Err("a path of Python that is put together".to_owned());
            }
            index += open(rest, found)?;
        } else if name.contains("__") || is_listed("python-refused", name) {
            return Err(format!("Python's `{name}`"));
        }
    }
    Ok(())
}

/// Is an attribute bound by `=`, `for`, `as` or `del`? What a module then calls by that name would be something else.
fn binds_attributes(tokens: &[Token]) -> bool {
    tokens.split(|token| *token == Token::Line).any(|statement| {
        let dotted = |tokens: &[Token]| tokens.contains(&Token::Sign('.'));
        let binds = statement.iter().enumerate().any(|(at, token)| {
            let rest = statement.get(at + 1..).unwrap_or_default();
            is_word_of(token, &["for"]) && !is_names_in(rest)
                || is_word_of(token, &["as"])
                    && !matches!(rest, [Token::Name(_)] | [Token::Name(_), Token::Sign(':' | ',' | ')'), ..])
                || is_word_of(token, &["del"]) && dotted(rest)
        });
        binds || assigns_attributes(statement)
    })
}

/// `x in`, `a, (b, *c) in`: what a loop binds are names alone.
fn is_names_in(tokens: &[Token]) -> bool {
    let mut open = 0_u32;
    for token in tokens {
        match token {
            Token::Name(name) if name == "in" => return open == 0,
            Token::Sign('(' | '[') => open += 1,
            Token::Sign(')' | ']') => open = open.saturating_sub(1),
            Token::Name(_) | Token::Sign(',' | '*') => {}
            _ => return false,
        }
    }
    false
}

/// `type(x).__name__`, `print(type(x))`, `{type(x)}`: a type that could be called would make any other, with any attributes.
fn tells_a_type(before: &[Token], rest: &[Token]) -> Result<(), String> {
    let mut open = 0_u32;
    let end = rest.iter().position(|token| {
        match token {
            Token::Sign('(' | '[' | '{') => open += 1,
            Token::Sign(')' | ']' | '}') => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0
    });
    let behind = end.and_then(|end| rest.get(end + 1..)).unwrap_or_default();
    let shown = match (before, behind) {
        (_, [Token::Sign('.'), Token::Name(name), ..]) => name == "__name__",
        ([.., Token::Name(print), Token::Sign('(')], [Token::Sign(')' | ','), ..]) => print == "print",
        ([.., Token::Sign('{')], [Token::Sign('}'), ..]) => true,
        _ => false,
    };
    if shown && matches!(rest, [Token::Sign('('), ..]) {
        Ok(())
    } else {
        Err("Python's `type` for more than to show it".to_owned())
    }
}

fn is_word_of(token: &Token, words: &[&str]) -> bool {
    matches!(token, Token::Name(name) if words.contains(&name.as_str()))
}

/// `a.b = c`, `a.b += c`, `(a, b.c) = d`, `a.b: int = c`: an attribute that stands in front of `=` and is neither called nor looked
/// into.
fn assigns_attributes(statement: &[Token]) -> bool {
    let at = |at: Option<usize>| at.and_then(|at| statement.get(at));
    let mut open = 0_u32;
    let (mut begin, mut end) = (0, 0);
    let heads = statement.first().is_some_and(|token| {
        is_word_of(token, &["if", "elif", "else", "for", "while", "with", "try", "except", "finally"])
    });
    for (index, token) in statement.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => open += 1,
            Token::Sign(')' | ']' | '}') => open = open.saturating_sub(1),
            Token::Sign(':') if open == 0 && begin == 0 && heads => begin = index + 1,
            Token::Sign('=') if open == 0 => {
                let shifts = matches!(at(index.checked_sub(2)), Some(Token::Sign('<' | '>')));
                let compares = match at(index.checked_sub(1)) {
                    Some(Token::Sign('=' | '!')) => true,
                    Some(Token::Sign('<' | '>')) => !shifts,
                    _ => at(Some(index + 1)) == Some(&Token::Sign('=')),
                };
                if !compares {
                    end = index + 1;
                }
            }
            _ => {}
        }
    }
    let bound = |window: &[Token]| matches!(window, [Token::Sign('.'), Token::Name(_), next] if !matches!(next, Token::Sign('(' | '.' | '[')));
    statement.get(begin..end).unwrap_or_default().windows(3).any(bound)
}

/// `["git", "show", f"HEAD:{name}"], text=True)`: a list that is written out, so that no shell reads it and each part of it is one
/// word, and options that change nothing of the program.
fn command(tokens: &[Token], constants: &BTreeMap<String, String>) -> Result<Vec<Value>, String> {
    let refused = || Err("a program that Python runs by more than a list of words".to_owned());
    let Some((Token::Sign('['), list)) = tokens.split_first() else { return refused() };
    let (mut words, mut word, mut open) = (Vec::new(), Vec::new(), 0_u32);
    let mut list = list;
    loop {
        match list.split_off_first() {
            None => return refused(),
            Some(Token::Sign(']')) if open == 0 => break,
            Some(Token::Sign(',')) if open == 0 => words.push(std::mem::take(&mut word)),
            // One part that makes many words.
            Some(Token::Name(name)) if open == 0 && name == "for" => return refused(),
            Some(Token::Sign('*')) if word.is_empty() => return refused(),
            Some(token) => {
                match token {
                    Token::Sign('(' | '[' | '{') => open += 1,
                    Token::Sign(')' | ']' | '}') => open = open.saturating_sub(1),
                    _ => {}
                }
                word.push(token);
            }
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    plain_options(list)?;
    Ok(words.iter().map(|word| value(word, constants)).collect())
}

/// What stands behind the list: `, text=True, check=True)`.
fn plain_options(mut tokens: &[Token]) -> Result<(), String> {
    loop {
        let (name, value) = match tokens {
            [Token::Sign(')'), ..] | [Token::Sign(','), Token::Sign(')'), ..] => return Ok(()),
            [Token::Sign(','), Token::Name(name), Token::Sign('='), value @ ..] => (name, value),
            _ => return Err("a program that Python runs by more than a list of words".to_owned()),
        };
        if !is_listed("python-run-options", name) {
            return Err(format!("`{name}` of a program that Python runs"));
        }
        let mut open = 0_u32;
        let end = value.iter().position(|token| {
            let ends = open == 0 && matches!(token, Token::Sign(',' | ')'));
            match token {
                Token::Sign('(' | '[' | '{') => open += 1,
                Token::Sign(')' | ']' | '}') => open = open.saturating_sub(1),
                _ => {}
            }
            ends
        });
        tokens = value.get(end.unwrap_or(value.len())..).unwrap_or_default();
    }
}

/// One word of the list.
fn value(word: &[&Token], constants: &BTreeMap<String, String>) -> Value {
    match word {
        [Token::Text(text)] if !text.contains('\\') => Value::of(text.clone()),
        [Token::Name(name)] => {
            constants.get(name).map_or_else(Value::unknown, |text| Value::of(text.clone()))
        }
        // How it begins is known; what stands in its braces comes before that.
        [.., Token::Sign(')'), Token::Filled(text)] if is_one_text(word) => {
            let first = match word {
                [_, Token::Sign('{'), Token::Name(name), Token::Sign('}'), ..] if text.is_empty() => {
                    constants.get(name)
                }
                _ => None,
            };
            Value { text: first.unwrap_or(text).clone(), ..Value::unknown() }
        }
        _ => Value::unknown(),
    }
}

/// Is it one text with values in it, and nothing else?
fn is_one_text(word: &[&Token]) -> bool {
    let mut open = 0_u32;
    let closes = word.iter().position(|token| {
        match token {
            Token::Sign('(' | '[' | '{') => open += 1,
            Token::Sign(')' | ']' | '}') => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0
    });
    closes.is_some_and(|at| at + 2 == word.len())
}

/// `import json, sys as s`
fn import(rest: &[Token], found: &mut Found) -> Result<usize, String> {
    let mut used = 0;
    let mut alias = false;
    let mut last = "";
    for token in rest {
        match token {
            Token::Line => break,
            // By another name its uses couldn't be told from others.
            Token::Name(word) if word == "as" && strict(last).is_some() => {
                return Err(format!("Python's module `{last}` by another name"));
            }
            Token::Name(word) if word == "as" => alias = true,
            Token::Name(word) if alias => {
                if word.contains("__")
                    || is_listed("python-refused", word)
                    || matches!(word.as_str(), "open" | "Path" | "type")
                {
                    return Err(format!("Python's `{word}`"));
                }
                alias = false;
            }
            Token::Name(word) => {
                module(word, found)?;
                last = word;
            }
            Token::Sign(',') => {}
            _ => return Err("an import that isn't plain".to_owned()),
        }
        used += 1;
    }
    Ok(used)
}

/// `from collections import Counter`
fn from(rest: &[Token], found: &mut Found) -> Result<usize, String> {
    let [Token::Name(name), Token::Name(word), others @ ..] = rest else {
        return Err("an import that isn't plain".to_owned());
    };
    module(name, found)?;
    if word != "import" || strict(name).is_some() {
        return Err("an import that isn't plain".to_owned());
    }
    let names = others.iter().take_while(|token| **token != Token::Line);
    let mut used = 2;
    for token in names {
        match token {
            Token::Name(name) if is_listed("python-attributes", name) || name == "Path" => {}
            Token::Sign(',' | '(' | ')') => {}
            _ => return Err("an import that isn't plain".to_owned()),
        }
        used += 1;
    }
    Ok(used)
}

/// The uses of a module that has functions beside them which do more: `os` has `path.exists`.
fn strict(module: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let list = match module {
        "os" => "python-of-os",
        "subprocess" => "python-of-subprocess",
        "yaml" => "python-of-yaml",
        _ => return None,
    };
    Some(crate::table::names(list))
}

fn module(name: &str, found: &mut Found) -> Result<(), String> {
    if !is_listed("python-libraries", name) {
        return Err(format!("Python's module `{name}`"));
    }
    found.modules.push(name.to_owned());
    Ok(())
}

/// `open("name")`, `open("name", "w")`; a name that holds one text stands for it.
fn open(rest: &[Token], found: &mut Found) -> Result<usize, String> {
    let refused = || Err("a file of Python that isn't opened by a literal name".to_owned());
    let name = match rest {
        [Token::Sign('('), Token::Text(name), Token::Sign(')' | ','), ..] if !name.contains('\\') => {
            name.clone()
        }
        [Token::Sign('('), Token::Name(name), Token::Sign(')' | ','), ..] => {
            match found.constants.get(name) {
                Some(text) => text.clone(),
                None => return refused(),
            }
        }
        _ => return refused(),
    };
    let mut used = 2;
    let mut reads = true;
    let mut more = rest.get(used..).unwrap_or_default();
    loop {
        match more {
            [Token::Sign(')'), ..] => break,
            [Token::Sign(','), Token::Text(mode), ..] if used == 2 => {
                reads = is_listed("python-modes-that-read", mode);
                if !reads && !is_listed("python-modes-that-write", mode) {
                    return refused();
                }
                used += 2;
            }
            [Token::Sign(','), Token::Name(keyword), Token::Sign('='), Token::Text(_), ..]
                if matches!(keyword.as_str(), "encoding" | "errors" | "newline") =>
            {
                used += 4;
            }
            _ => return refused(),
        }
        more = rest.get(used..).unwrap_or_default();
    }
    if reads {
        found.files.push(name);
    } else {
        found.written.push(name);
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_anything_in_them_are_one() {
        let lines = |text: &str| tokens(text, 0).map(|tokens| tokens.len());
        assert_eq!(lines(&"\n".repeat(120_000)), Ok(1));
        assert_eq!(lines(&format!("x{}y", " ;\n# a\n".repeat(10_000))), Ok(3));
    }
}
