//! JavaScript on the command line of Node: a reader that accepts what computes and prints, and reads files by literal names.
//!
//! Code is reached from a value by three ways: a call, a tagged text, and an access whose name is computed. Only methods, functions and
//! names that are listed or written as functions are called, no text is tagged, and what is accessed has a literal name that leads to
//! no function of functions. Where a sign has two meanings, the text isn't read.

use std::collections::BTreeSet;

use crate::table::is_listed;

/// What a text does besides computing.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Files that it reads.
    pub(crate) files: Vec<String>,
    /// Files of data that it loads as Node looks for modules: another ending may stand behind such a name.
    pub(crate) modules: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    /// A name behind a dot.
    Property(String),
    Number(String),
    /// A string without values in it, as it is written.
    Text(String),
    /// A string with values in it, which stand before it, or a pattern.
    Value,
    Sign(char),
    /// `...`
    Spread,
}

impl Token {
    fn is(&self, sign: char) -> bool {
        *self == Token::Sign(sign)
    }

    fn name(&self) -> Option<&str> {
        match self {
            Token::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// How many signs may be open at a time.
const DEPTH: usize = 64;

/// Reads the text.
pub(crate) fn read(text: &str) -> Result<Found, String> {
    // Each of these would end a line for Node, or begin a comment, where it doesn't here.
    let odd = |letter: char| {
        (letter.is_control() && !matches!(letter, '\n' | '\t')) || "\u{2028}\u{2029}\u{feff}".contains(letter)
    };
    if text.contains(odd) || text.contains("<!--") || text.contains("-->") {
        return Err("a line break or a comment of JavaScript that isn't plain".to_owned());
    }
    let tokens = tokens(text, 0)?;
    let reading = Reading {
        functions: functions(&tokens),
        bound: bound(&tokens),
        keys: keys(&tokens)?,
        tokens: &tokens,
    };
    let mut found = Found::default();
    reading.check(&mut found)?;
    Ok(found)
}

/// What is known of the names of a text.
struct Reading<'t> {
    tokens: &'t [Token],
    /// Functions of the text.
    functions: BTreeSet<&'t str>,
    /// Names that the text binds somewhere.
    bound: BTreeSet<&'t str>,
    /// Where a name is one of a property: `{ path: 1 }`.
    keys: BTreeSet<usize>,
}

fn tokens(text: &str, depth: u8) -> Result<Vec<Token>, String> {
    if depth > 3 {
        return Err("strings within strings of JavaScript".to_owned());
    }
    let mut found: Vec<Token> = Vec::new();
    // What is opened is searched for its end, so its depth bounds the time.
    let mut open = 0_usize;
    let mut rest = text;
    // Where a line ended behind the last of so many tokens.
    let (mut held, mut broken) = (0, false);
    while let Some(letter) = rest.chars().next() {
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        if found.len() != held {
            (held, broken) = (found.len(), false);
        }
        broken |= letter == '\n';
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or_default();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some((inside, behind)) = comment.split_once("*/") else { return unread("an open comment") };
            broken |= inside.contains('\n');
            rest = behind;
        } else if matches!(letter, '"' | '\'') {
            let Some(end) = end_of(after, letter) else { return unread("an open string") };
            let (body, behind) = after.split_at_checked(end).unwrap_or_default();
            if body.replace("\\\n", "").contains('\n') {
                return unread("an open string");
            }
            found.push(Token::Text(body.to_owned()));
            rest = behind.get(1..).unwrap_or_default();
        } else if letter == '`' {
            if may_end_value(&found) {
                return unread("a tagged text");
            }
            rest = template(after, &mut found, depth)?;
        } else if letter == '/' {
            // A line may end what stands before it.
            if broken && found.last().is_some_and(ends_value) {
                return unread("a `/` that may begin a pattern");
            }
            rest = slash(after, &mut found)?;
        } else if letter.is_ascii_alphabetic() || matches!(letter, '_' | '$') {
            let end = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '$'))
                .unwrap_or(rest.len());
            let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let property = found.last().is_some_and(|token| token.is('.'));
            let token = if property { Token::Property } else { Token::Name };
            found.push(token(name.to_owned()));
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("...") {
            found.push(Token::Spread);
            rest = behind;
        } else if letter.is_ascii_digit() {
            let (number, behind) = number(rest)?;
            found.push(Token::Number(number.to_owned()));
            rest = behind;
        } else if letter.is_ascii_whitespace() {
            rest = after;
        } else if letter.is_ascii() && !matches!(letter, '\\' | '#' | '@') {
            match letter {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open = open.saturating_sub(1),
                _ => {}
            }
            if open > DEPTH {
                return unread("a sign that is opened too deep");
            }
            found.push(Token::Sign(letter));
            rest = after;
        } else {
            return unread(&format!("`{}`", letter.escape_debug()));
        }
    }
    Ok(found)
}

fn unread<T>(what: &str) -> Result<T, String> {
    Err(format!("{what} in JavaScript's text"))
}

/// A number: no name may stand right behind it, and a dot belongs to it only before a digit.
fn number(text: &str) -> Result<(&str, &str), String> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
    };
    let mut end = digits(0);
    let behind = text.get(end..).and_then(|rest| rest.strip_prefix('.'));
    // `1.` may end there, or be accessed: of two dots the second accesses.
    if behind.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())) {
        return unread("a number that isn't plain");
    }
    if behind.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        end = digits(end + 1);
    }
    let (number, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let plain = |extra: &str| number.chars().all(|c| c.is_ascii_digit() || extra.contains(c));
    if plain("_.en")
        || number.strip_prefix("0x").is_some_and(|hex| hex.bytes().all(|c| c.is_ascii_hexdigit()))
    {
        Ok((number, rest))
    } else {
        unread("a number that isn't plain")
    }
}

/// Where a string ends.
fn end_of(text: &str, quote: char) -> Option<usize> {
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            letter if letter == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// Does a value end here, so that what follows divides, calls or accesses it?
fn ends_value(token: &Token) -> bool {
    match token {
        Token::Name(name) => !["javascript-words-before-a-value", "javascript-words-that-declare"]
            .iter()
            .any(|list| is_listed(list, name)),
        Token::Sign(sign) => ")]}".contains(*sign),
        Token::Property(_) | Token::Number(_) | Token::Text(_) | Token::Value => true,
        Token::Spread => false,
    }
}

/// The same, also where Node takes the text for TypeScript: types in `<>` stand behind what is called.
fn may_end_value(before: &[Token]) -> bool {
    match before {
        [.., Token::Sign('='), Token::Sign('>')] | [] => false,
        [.., Token::Sign('.' | '>')] => true,
        [.., last] => ends_value(last),
    }
}

/// `` `${a} of ${b}` ``: the code in it stands in parentheses before it.
fn template<'t>(text: &'t str, found: &mut Vec<Token>, depth: u8) -> Result<&'t str, String> {
    let mut rest = text;
    let mut filled = false;
    let mut body = String::new();
    loop {
        let Some(at) = rest.find(['`', '\\', '$']) else { return unread("an open string") };
        body.push_str(rest.get(..at).unwrap_or_default());
        let here = rest.get(at..).unwrap_or_default();
        if let Some(behind) = here.strip_prefix('`') {
            found.push(if filled { Token::Value } else { Token::Text(body) });
            return Ok(behind);
        }
        if let Some(code) = here.strip_prefix("${") {
            // Nothing in it may open or close what it stands in.
            let Some((code, behind)) = code.split_once('}') else { return unread("an open string") };
            if code.contains(['{', '`', '"', '\'', '/', '\\']) {
                return unread("a string with more than plain code in its braces");
            }
            found.extend(filled.then_some(Token::Sign(',')));
            found.push(Token::Sign('('));
            found.extend(tokens(code, depth + 1)?);
            found.push(Token::Sign(')'));
            filled = true;
            rest = behind;
            continue;
        }
        let escape = here.starts_with('\\');
        let mut letters = here.chars();
        body.extend(letters.next());
        body.extend(letters.next().filter(|_| escape));
        rest = here.get(1..).unwrap_or_default();
        if escape {
            rest = letters.as_str();
        }
    }
}

/// A division, or a pattern: the sign alone doesn't say it.
fn slash<'t>(after: &'t str, found: &mut Vec<Token>) -> Result<&'t str, String> {
    match found.last() {
        // Behind a condition a pattern may begin, behind a sum it divides.
        Some(Token::Sign(')')) if !ends_condition(found) => {}
        Some(Token::Sign('>')) if matches!(found.as_slice(), [.., Token::Sign('='), _]) => {}
        Some(Token::Sign(')' | '}' | '>')) => return unread("a `/` that may begin a pattern"),
        Some(Token::Sign('+' | '-')) if matches!(found.as_slice(), [.., Token::Sign(a), Token::Sign(b)] if a == b) =>
        {
            return unread("a `/` that may begin a pattern");
        }
        // `const` can be a type, which ends there.
        Some(Token::Name(name))
            if ["javascript-words-of-two-kinds", "javascript-words-that-declare"]
                .iter()
                .any(|list| is_listed(list, name)) =>
        {
            return unread("a `/` that may begin a pattern");
        }
        _ => {}
    }
    if found.last().is_some_and(ends_value) {
        found.push(Token::Sign('/'));
        return Ok(after);
    }
    let mut class = false;
    let mut letters = after.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\n' => break,
            '\\' => drop(letters.next().filter(|(_, letter)| *letter != '\n')),
            '[' => class = true,
            ']' => class = false,
            '/' if !class => {
                let behind = after.get(at + 1..).unwrap_or_default();
                let end = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
                found.push(Token::Value);
                return Ok(behind.get(end..).unwrap_or_default());
            }
            _ => {}
        }
    }
    unread("an open pattern")
}

/// Does `)` end here what stands behind `if`, `for` or `while`?
fn ends_condition(before: &[Token]) -> bool {
    let mut open = 0_usize;
    let start = before.iter().rposition(|token| {
        match token {
            Token::Sign(')') => open += 1,
            Token::Sign('(') => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0
    });
    let head = start.and_then(|start| before.get(..start));
    head.is_none_or(|head| {
        matches!(head, [.., Token::Name(word)] if matches!(word.as_str(), "if" | "for" | "while" | "with"))
    })
}

/// Names that are functions of the text wherever they stand: `const f = x => ...`, `function f(x)`, and else only called.
fn functions(tokens: &[Token]) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut others = BTreeSet::new();
    for (index, token) in tokens.iter().enumerate() {
        let Some(name) = token.name() else { continue };
        let (before, rest) = tokens.split_at_checked(index).unwrap_or_default();
        let behind = rest.get(1..).unwrap_or_default();
        let declared = match before.last().and_then(Token::name) {
            Some("function") => true,
            Some("const" | "let" | "var") => {
                matches!(behind, [Token::Sign('='), rest @ ..] if begins_function(rest))
            }
            _ => false,
        };
        if declared {
            if !found.insert(name) {
                others.insert(name);
            }
        } else if !behind.first().is_some_and(|token| token.is('(')) {
            others.insert(name);
        }
    }
    found.retain(|name| !others.contains(name));
    found
}

/// `x => `, `(a, b) => `, `function (`
fn begins_function(tokens: &[Token]) -> bool {
    let tokens = match tokens {
        [Token::Name(word), rest @ ..] if word == "async" => rest,
        _ => tokens,
    };
    match tokens {
        [Token::Name(word), ..] if word == "function" => true,
        [Token::Name(_), Token::Sign('='), Token::Sign('>'), ..] => true,
        [Token::Sign('('), rest @ ..] => {
            let plain = |token: &&Token| matches!(token, Token::Name(_) | Token::Sign(','));
            let names = rest.iter().take_while(plain).count();
            matches!(rest.get(names..), Some([Token::Sign(')'), Token::Sign('='), Token::Sign('>'), ..]))
        }
        _ => false,
    }
}

/// Names that the text binds somewhere: those that it declares, and parameters.
fn bound(tokens: &[Token]) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let arrow = |rest: &[Token]| matches!(rest, [Token::Sign('='), Token::Sign('>'), ..]);
    for (index, token) in tokens.iter().enumerate() {
        let (before, rest) = tokens.split_at_checked(index).unwrap_or_default();
        let rest = rest.get(1..).unwrap_or_default();
        let word = before.last().and_then(Token::name);
        let declares = matches!(word, Some("const" | "let" | "var" | "function"));
        match token {
            Token::Name(name) => {
                // `let a = 1, b = 2`
                let further = before.last().is_some_and(|token| token.is(','))
                    && matches!(rest, [Token::Sign('='), next, ..] if !next.is('='));
                if declares || arrow(rest) || further {
                    found.insert(name.as_str());
                }
            }
            Token::Sign('(' | '[' | '{') => {
                let inner = rest.get(..length(rest)).unwrap_or_default();
                let behind = rest.get(inner.len() + 1..).unwrap_or_default();
                let named = matches!(before, [.., Token::Name(word), Token::Name(_)] if word == "function");
                let parameters =
                    token.is('(') && (arrow(behind) || named || matches!(word, Some("function" | "catch")));
                if declares || parameters {
                    found.extend(pattern(inner));
                }
            }
            _ => {}
        }
    }
    found
}

/// The names that a pattern binds, not those in its defaults: `{ a: b, c = d }`.
fn pattern(tokens: &[Token]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        index += 1;
        match token {
            Token::Name(name) if !tokens.get(index).is_some_and(|token| token.is(':')) => {
                found.push(name.as_str());
            }
            Token::Sign('=') => {
                let rest = tokens.get(index..).unwrap_or_default();
                index += default_length(rest);
            }
            _ => {}
        }
    }
    found
}

/// How many tokens a default has.
fn default_length(tokens: &[Token]) -> usize {
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        match token {
            Token::Sign(',' | ')' | ']' | '}') => break,
            Token::Sign('(' | '[' | '{') => index += 2 + length(tokens.get(index + 1..).unwrap_or_default()),
            _ => index += 1,
        }
    }
    index
}

/// How many tokens stand before the closing sign of what has been opened.
fn length(tokens: &[Token]) -> usize {
    let mut open = 0_usize;
    let end = tokens.iter().position(|token| match token {
        Token::Sign('(' | '[' | '{') => {
            open += 1;
            false
        }
        Token::Sign(')' | ']' | '}') => match open.checked_sub(1) {
            Some(left) => {
                open = left;
                false
            }
            None => true,
        },
        _ => false,
    });
    end.unwrap_or(tokens.len())
}

/// Where names of properties stand. None of them is computed or leads to code: a pattern would take such a property out of a function.
fn keys(tokens: &[Token]) -> Result<BTreeSet<usize>, String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<(char, bool)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|at| tokens.get(at));
        let behind = |sign: char| tokens.get(index + 1).is_some_and(|token| token.is(sign));
        let first = open.last().is_some_and(|(sign, _)| *sign == '{')
            && before.is_some_and(|token| token.is('{') || token.is(','));
        match token {
            Token::Sign(sign @ ('(' | '[' | '{')) => open.push((*sign, first && *sign == '[')),
            Token::Sign(')' | ']' | '}') => match open.pop() {
                None => return unread("a closing sign without an opening one"),
                Some((_, true)) if behind(':') || behind('(') => {
                    return unread("a computed name of a property");
                }
                Some(_) => {}
            },
            Token::Text(text) if behind(':') && (text.contains('\\') || leads_on(text)) => {
                return unread("a name of a property that leads to code");
            }
            Token::Name(name) if first && behind(':') => {
                if leads_on(name) {
                    return unread("a name of a property that leads to code");
                }
                found.insert(index);
            }
            _ => {}
        }
    }
    if open.is_empty() { Ok(found) } else { unread("an opening sign without a closing one") }
}

/// Does a property of that name lead from a value to what makes code of text, or to its callers?
fn leads_on(name: &str) -> bool {
    name.contains("__") || is_listed("javascript-refused-properties", name)
}

impl Reading<'_> {
    fn check(&self, found: &mut Found) -> Result<(), String> {
        let mut index = 0;
        while let Some(token) = self.tokens.get(index) {
            let at = index;
            let rest = self.tokens.get(at + 1..).unwrap_or_default();
            index += 1;
            match token {
                Token::Sign(sign) => signs(*sign, self.tokens.get(..at).unwrap_or_default(), rest)?,
                Token::Name(_) if self.keys.contains(&at) => {}
                Token::Property(name) => {
                    let called = rest.first().is_some_and(|token| token.is('('));
                    if leads_on(name) || called && !is_listed("javascript-methods", name) {
                        return Err(format!("JavaScript's `.{name}`"));
                    }
                }
                Token::Name(name) => index += self.free_name(name, at, found)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A name that isn't one of a property. Returns how many further tokens it took.
    fn free_name(&self, name: &str, at: usize, found: &mut Found) -> Result<usize, String> {
        let before = self.tokens.get(..at).unwrap_or_default();
        let rest = self.tokens.get(at + 1..).unwrap_or_default();
        let behind = |sign: char| rest.first().is_some_and(|token| token.is(sign));
        let refused = || Err(format!("JavaScript's `{name}`"));
        let word_before = before.last().and_then(Token::name);
        match name {
            "require" => return require(rest, found),
            "of" if is_loop(before) => return Ok(0),
            // Elsewhere these are names like others, which `[` and `/` behind them mean something else to.
            "of" => return refused(),
            // It can be a name too, which what stands behind it doesn't follow.
            "let" if !declares(before, rest) => return refused(),
            // Only what is listed is made, by its name.
            "new" => {
                let made = rest.first().and_then(Token::name);
                let alone = matches!(rest.get(1), Some(token) if token.is('('));
                return if alone && made.is_some_and(|made| is_listed("javascript-makers", made)) {
                    Ok(1)
                } else {
                    Err("JavaScript's `new` of what isn't listed".to_owned())
                };
            }
            _ if is_listed("javascript-words", name) => return Ok(0),
            _ if leads_on(name) || is_listed("javascript-refused", name) => return refused(),
            _ => {}
        }
        if is_listed("javascript-modules", name) {
            // Nothing else bears such a name: `const fs = require('fs')`.
            let loads = matches!(rest, [Token::Sign('='), Token::Name(word), Token::Sign('('), Token::Text(module), Token::Sign(')'), ..]
                if word == "require" && module.strip_prefix("node:").unwrap_or(module) == name)
                && !rest.get(5).is_some_and(|token| ".[(?".chars().any(|sign| token.is(sign)));
            if loads && matches!(word_before, Some("const" | "let" | "var")) {
                return Ok(5);
            }
            return of_module(name, rest, found);
        }
        if is_listed("javascript-types", name) {
            let passed = behind(')') || behind(',');
            let alone = behind('(') || passed && is_listed("javascript-converters", name);
            return if alone || word_before == Some("instanceof") {
                Ok(0)
            } else {
                of_module(name, rest, found)
            };
        }
        if behind('(') {
            let known = self.functions.contains(name) || is_listed("javascript-functions", name);
            return if known {
                Ok(0)
            } else {
                Err(format!("JavaScript's `{name}`, which may be any function"))
            };
        }
        if self.bound.contains(name) && !is_reserved(name) || is_listed("javascript-constants", name) {
            Ok(0)
        } else {
            Err(format!("JavaScript's `{name}`, which the text doesn't declare"))
        }
    }
}

/// `let x`, `let { x }`, where no name is declared as `let`.
fn declares(before: &[Token], rest: &[Token]) -> bool {
    let named = match rest {
        [Token::Sign('{'), ..] => true,
        [Token::Name(name), ..] => !is_reserved(name),
        _ => false,
    };
    let declared = match before {
        [.., Token::Name(word)] => matches!(word.as_str(), "const" | "let" | "var" | "function"),
        [.., Token::Sign(',')] => true,
        _ => false,
    };
    named && !declared
}

/// A word of the language, which is never a name.
fn is_reserved(name: &str) -> bool {
    ["javascript-words", "javascript-reserved"].iter().any(|list| is_listed(list, name))
}

/// `for (const x of`, `for (const [a, b] of`
fn is_loop(before: &[Token]) -> bool {
    let head = match before {
        [head @ .., Token::Name(name)] if !is_listed("javascript-words", name) => head,
        [head @ .., Token::Sign(']' | '}')] => {
            let mut open = 1_usize;
            let start = head.iter().rposition(|token| {
                match token {
                    Token::Sign(')' | ']' | '}') => open += 1,
                    Token::Sign('(' | '[' | '{') => open = open.saturating_sub(1),
                    _ => {}
                }
                open == 0
            });
            head.get(..start.unwrap_or_default()).unwrap_or_default()
        }
        _ => return false,
    };
    matches!(head, [.., Token::Name(loops), Token::Sign('('), Token::Name(word)]
        if loops == "for" && matches!(word.as_str(), "const" | "let" | "var"))
}

/// A sign that calls, accesses or, where Node takes the text for TypeScript, does so behind another.
fn signs(sign: char, before: &[Token], rest: &[Token]) -> Result<(), String> {
    let called = |behind: Option<&Token>| behind.is_some_and(|token| token.is('('));
    match sign {
        // Of a name it is asked there whether it may be called.
        '(' if matches!(before, [.., Token::Name(_) | Token::Property(_)]) => Ok(()),
        '(' if may_end_value(before) => unread("a call of what is computed"),
        '[' if may_end_value(before) => match rest {
            [Token::Number(_), Token::Sign(']'), behind @ ..] if !called(behind.first()) => Ok(()),
            [Token::Text(name), Token::Sign(']'), behind @ ..]
                if !called(behind.first()) && !name.contains('\\') && !leads_on(name) =>
            {
                Ok(())
            }
            _ => unread("an access by a computed name"),
        },
        '!' if may_end_value(before) && !rest.first().is_some_and(|token| token.is('=')) => {
            unread("a `!` behind a value")
        }
        _ => Ok(()),
    }
}

/// `require('fs').readFileSync('a')`, `require('./a.json')`
fn require(rest: &[Token], found: &mut Found) -> Result<usize, String> {
    let [Token::Sign('('), Token::Text(module), Token::Sign(')'), behind @ ..] = rest else {
        return Err("a module of JavaScript whose name is computed".to_owned());
    };
    let name = module.strip_prefix("node:").unwrap_or(module);
    if is_listed("javascript-modules", name) {
        return of_module(name, behind, found).map(|used| 3 + used);
    }
    let named = |path: &str| ["./", "../", "/"].iter().any(|begin| path.starts_with(begin));
    let data = module.strip_suffix(".json").is_some_and(named);
    if data && !module.contains('\\') && !behind.first().is_some_and(|token| token.is('(')) {
        found.modules.push(module.clone());
        return Ok(3);
    }
    Err(format!("JavaScript's module `{module}`"))
}

/// `.readFileSync('a.txt', 'utf8')`: the uses of a module, or of a type, that are listed.
fn of_module(module: &str, rest: &[Token], found: &mut Found) -> Result<usize, String> {
    let refused = || Err(format!("JavaScript's `{module}` for more than is listed"));
    let [Token::Sign('.'), Token::Property(name), behind @ ..] = rest else { return refused() };
    let name = format!("{module}.{name}");
    let called = behind.first().is_some_and(|token| token.is('('));
    if is_listed("javascript-reads", &name) {
        return match behind {
            // What is on its input.
            [Token::Sign('('), Token::Number(number), options @ ..]
                if number == "0" && reads_only(options) =>
            {
                Ok(2)
            }
            [Token::Sign('('), Token::Text(path), options @ ..]
                if !path.contains('\\') && reads_only(options) =>
            {
                found.files.push(path.clone());
                Ok(2)
            }
            _ => Err("a file of JavaScript that isn't opened by a literal name".to_owned()),
        };
    }
    if let [Token::Sign('.'), Token::Property(further), Token::Sign('('), ..] = behind
        && is_listed("javascript-uses", &format!("{name}.{further}"))
    {
        return Ok(4);
    }
    // Not `JSON.parse = f`.
    let set = matches!(behind, [Token::Sign('='), next, ..] if !next.is('='));
    let list = if called { "javascript-uses" } else { "javascript-values" };
    if is_listed(list, &name) && !set { Ok(2) } else { refused() }
}

/// `, 'utf8')`, `, { encoding: 'utf8' })`: with other options a file is opened for writing.
fn reads_only(options: &[Token]) -> bool {
    match options {
        [Token::Sign(')'), ..] | [Token::Sign(','), Token::Text(_), Token::Sign(')'), ..] => true,
        [
            Token::Sign(','),
            Token::Sign('{'),
            Token::Name(key),
            Token::Sign(':'),
            Token::Text(_) | Token::Name(_),
            Token::Sign('}'),
            Token::Sign(')'),
            ..,
        ] => matches!(key.as_str(), "encoding" | "withFileTypes"),
        _ => false,
    }
}
