//! What functions and methods of text give, where the text that they are given is known.

use super::Language;
use super::value::{Arguments, HOLE, LARGEST, Value};
use hookgate_facts::escapes::base64;

/// More than so many texts are not followed one by one.
const MOST: usize = 64;

/// What a method gives; `None` where it is none of text, or what it is given is not known.
pub(super) fn method(
    language: Language,
    receiver: &Value,
    name: &str,
    arguments: &Arguments,
) -> Option<Value> {
    match receiver {
        Value::OneOf(values) => {
            let values: Option<Vec<Value>> =
                values.iter().map(|value| method(language, value, name, arguments)).collect();
            values.map(Value::OneOf)
        }
        Value::Decoded(_) if is_same(name) || matches!(name, "strip" | "trim" | "chomp") => {
            Some(receiver.clone())
        }
        Value::Text(_) | Value::Partial(_) if is_same(name) => Some(receiver.clone()),
        Value::Text(text) => of_text(language, text, name, arguments),
        Value::List(items) => of_list(language, items, name, arguments),
        _ => None,
    }
}

/// Methods that give the text itself.
fn is_same(name: &str) -> bool {
    matches!(
        name,
        "encode"
            | "decode"
            | "toString"
            | "to_s"
            | "to_str"
            | "valueOf"
            | "dup"
            | "freeze"
            | "force_encoding"
    )
}

fn of_text(language: Language, text: &str, name: &str, arguments: &Arguments) -> Option<Value> {
    let argument = |index: usize| match arguments.positional.get(index) {
        Some(Value::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    let changed = match (name, arguments.positional.len()) {
        ("strip" | "trim", 0) => text.trim().to_owned(),
        ("lstrip" | "trimStart", 0) => text.trim_start().to_owned(),
        ("rstrip" | "trimEnd", 0) => text.trim_end().to_owned(),
        ("chomp", 0) => text.strip_suffix('\n').unwrap_or(text).to_owned(),
        ("lower" | "toLowerCase" | "downcase", 0) => text.to_lowercase(),
        ("upper" | "toUpperCase" | "upcase", 0) => text.to_uppercase(),
        ("reverse", 0) if language == Language::Ruby => text.chars().rev().collect(),
        ("removeprefix" | "delete_prefix", 1) => text.strip_prefix(argument(0)?).unwrap_or(text).to_owned(),
        ("removesuffix" | "delete_suffix", 1) => text.strip_suffix(argument(0)?).unwrap_or(text).to_owned(),
        ("replace", 2) if language == Language::Javascript => text.replacen(argument(0)?, argument(1)?, 1),
        ("sub", 2) if language == Language::Ruby => text.replacen(argument(0)?, argument(1)?, 1),
        ("replace" | "replaceAll" | "gsub", 2) if text.len() * argument(1)?.len() <= LARGEST => {
            text.replace(argument(0)?, argument(1)?)
        }
        ("split" | "shellsplit", 0) if language != Language::Javascript => return Some(words(text)),
        ("split", 1) if argument(0)? == " " && language == Language::Ruby => return Some(words(text)),
        ("split", 1) => return Some(list(pieces(text, argument(0)?)?)),
        ("unpack1", 1) if matches!(argument(0)?, "m" | "m0") => return Some(Value::Decoded(decoded(text))),
        ("chars", 0) => return Some(list(text.chars().map(String::from).collect())),
        ("format", _) if language == Language::Python => return Some(braces(text, arguments)),
        ("concat", _) if language == Language::Javascript => {
            let rest = arguments.positional.iter().map(|value| shape(Some(value)));
            return Some(Value::of_shape(std::iter::once(text.to_owned()).chain(rest).collect()));
        }
        ("join", 1) => match arguments.positional.first() {
            Some(Value::List(items)) => return Some(joined(items, text)),
            Some(value @ Value::Text(_)) if text.is_empty() => return Some(value.clone()),
            _ => return None,
        },
        _ => return None,
    };
    Some(Value::Text(changed))
}

fn of_list(language: Language, items: &[Value], name: &str, arguments: &Arguments) -> Option<Value> {
    match (name, arguments.positional.as_slice()) {
        ("join", [Value::Text(separator)]) => Some(joined(items, separator)),
        ("join", []) => Some(joined(items, if language == Language::Javascript { "," } else { "" })),
        ("reverse", []) if language != Language::Python => {
            Some(Value::List(items.iter().rev().cloned().collect()))
        }
        ("concat", [Value::List(more)]) => Some(Value::List(items.iter().chain(more).cloned().collect())),
        ("pack", [Value::Text(form)]) => match (form.as_str(), items) {
            ("H*", [Value::Text(digits)]) => Some(Value::Decoded(unhex(digits))),
            ("c*" | "C*" | "U*", _) => Some(Value::Decoded(characters(items))),
            _ => None,
        },
        _ => None,
    }
}

/// What a function gives; `None` where it is none of text, or what it is given is not known.
pub(super) fn function(language: Language, name: &str, arguments: &Arguments) -> Option<Value> {
    let positional = arguments.positional.as_slice();
    if let Some(at) = positional.iter().position(|value| matches!(value, Value::OneOf(_)))
        && let Some(Value::OneOf(values)) = positional.get(at)
    {
        let each = values.iter().map(|value| {
            let mut one = arguments.clone();
            *one.positional.get_mut(at)? = value.clone();
            function(language, name, &one)
        });
        return each.collect::<Option<_>>().map(Value::OneOf);
    }
    let lower = name.to_ascii_lowercase();
    let name = if language == Language::Php { lower.trim_start_matches('\\') } else { name };
    let value = match (language, name, positional) {
        (_, "chr" | "String.fromCharCode" | "String.fromCodePoint" | "bytes" | "bytearray", _) => {
            let numbers = match positional {
                [Value::List(items)] => items,
                _ => positional,
            };
            Value::Decoded(Some(characters(numbers)?))
        }
        (Language::Python, "map", [Value::Name(function), Value::List(items)]) if function == "chr" => {
            list(items.iter().map(|item| characters(std::slice::from_ref(item))).collect::<Option<_>>()?)
        }
        (Language::Python, "dict", []) => Value::Table(arguments.named.clone()),
        (Language::Python, "reversed", [Value::Text(text)])
        | (Language::Php, "strrev", [Value::Text(text)])
        | (Language::Perl, "reverse", [Value::Text(text)]) => Value::Text(text.chars().rev().collect()),
        (Language::Python, "shlex.split", [Value::Text(text)])
        | (Language::Ruby, "Shellwords.split" | "Shellwords.shellsplit", [Value::Text(text)]) => words(text),
        (Language::Python, "shlex.join", [Value::List(items)])
        | (Language::Ruby, "Shellwords.join", [Value::List(items)]) => {
            joined(&items.iter().map(quoted).collect::<Vec<_>>(), " ")
        }
        (Language::Python, "shlex.quote", [value])
        | (Language::Ruby, "Shellwords.escape", [value])
        | (Language::Php, "escapeshellarg", [value]) => quoted(value),
        (Language::Python, "textwrap.dedent" | "os.fsdecode" | "os.fsencode", [value @ Value::Text(_)])
        | (Language::Php, "trim", [value @ Value::Text(_)]) => value.clone(),
        (Language::Php, "implode" | "join", [Value::Text(separator), Value::List(items)])
        | (Language::Perl, "join", [Value::Text(separator), Value::List(items)]) => joined(items, separator),
        (Language::Perl, "join", [Value::Text(separator), items @ ..]) => joined(items, separator),
        (Language::Php, "str_replace", [Value::Text(from), Value::Text(to), Value::Text(text)])
            if text.len() * to.len() <= LARGEST =>
        {
            Value::Text(text.replace(from.as_str(), to))
        }
        (
            Language::Php | Language::Perl | Language::Ruby,
            "sprintf" | "format",
            [Value::Text(form), rest @ ..],
        ) => percent(form, rest),
        (Language::Perl, "pack", [Value::Text(form), Value::Text(digits)]) if form == "H*" => {
            Value::Decoded(unhex(digits))
        }
        (Language::Perl, "pack", [Value::Text(form), rest @ ..])
            if matches!(form.as_str(), "C*" | "c*" | "U*") =>
        {
            Value::Decoded(characters(rest))
        }
        (_, "Buffer.from", [Value::Text(text)]) => Value::Text(text.clone()),
        (_, "Buffer.from" | "codecs.decode", [Value::Text(text), Value::Text(encoding)]) => {
            Value::Decoded(match encoding.as_str() {
                "base64" | "base64url" | "base64_codec" => decoded(text),
                "hex" | "hex_codec" => unhex(text),
                "rot13" | "rot_13" | "rot-13" => Some(rotated(text)),
                _ => None,
            })
        }
        (_, "str_rot13", [Value::Text(text)]) => Value::Decoded(Some(rotated(text))),
        (
            _,
            "base64.b64decode"
            | "base64.urlsafe_b64decode"
            | "base64.standard_b64decode"
            | "base64.decodebytes"
            | "binascii.a2b_base64"
            | "atob"
            | "Base64.decode64"
            | "Base64.strict_decode64"
            | "Base64.urlsafe_decode64"
            | "base64_decode"
            | "decode_base64"
            | "MIME::Base64::decode_base64"
            | "MIME::Base64::decode",
            [Value::Text(text), ..],
        ) => Value::Decoded(decoded(text)),
        (
            _,
            "bytes.fromhex" | "bytearray.fromhex" | "binascii.unhexlify" | "binascii.a2b_hex"
            | "base64.b16decode" | "hex2bin",
            [Value::Text(text)],
        ) => Value::Decoded(unhex(text)),
        _ => return None,
    };
    Some(value)
}

/// The text of a value in a longer one.
fn shape(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(number)) => number.to_string(),
        value => value.and_then(Value::shape).unwrap_or_else(|| HOLE.to_string()),
    }
}

/// Texts one behind the other. What is decoded makes all of it decoded.
fn joined(items: &[Value], separator: &str) -> Value {
    if items.len() * separator.len() > LARGEST {
        return Value::Unknown;
    }
    let whole = items.iter().map(|item| shape(Some(item))).collect::<Vec<_>>().join(separator);
    if items.iter().any(|item| matches!(item, Value::Decoded(_))) {
        return Value::Decoded(Some(whole).filter(|whole| !whole.contains(HOLE)));
    }
    match items.iter().find(|item| **item == Value::Fetched) {
        Some(fetched) => fetched.clone(),
        None => Value::of_shape(whole),
    }
}

fn list(texts: Vec<String>) -> Value {
    Value::List(texts.into_iter().map(Value::Text).collect())
}

fn pieces(text: &str, separator: &str) -> Option<Vec<String>> {
    let pieces: Vec<String> = if separator.is_empty() {
        text.chars().map(String::from).collect()
    } else {
        text.split(separator).map(str::to_owned).collect()
    };
    (pieces.len() <= MOST).then_some(pieces)
}

/// The words of a text, as a shell parts them.
fn words(text: &str) -> Value {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    list(words)
}

/// One word for a shell.
fn quoted(value: &Value) -> Value {
    match value {
        Value::Text(text)
            if !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "@%+=:,./-_".contains(c)) =>
        {
            Value::Text(text.clone())
        }
        Value::Text(text) => Value::Text(format!("'{}'", text.replace('\'', "'\"'\"'"))),
        _ => Value::Unknown,
    }
}

/// `%s` and `%d` of a form, in order.
pub(super) fn percent(form: &str, values: &[Value]) -> Value {
    let mut values = values.iter();
    let mut text = String::new();
    let mut characters = form.chars();
    while let Some(character) = characters.next() {
        if text.len() > LARGEST {
            return Value::Unknown;
        }
        match (character, if character == '%' { characters.next() } else { None }) {
            ('%', Some('%')) => text.push('%'),
            ('%', Some('s' | 'd' | 'i')) => text.push_str(&shape(values.next())),
            ('%', _) => {
                // What else it may say is not followed from here on.
                text.push(HOLE);
                return Value::of_shape(text);
            }
            _ => text.push(character),
        }
    }
    Value::of_shape(text)
}

/// Python's `{}`, `{0}` and `{name}`.
fn braces(form: &str, arguments: &Arguments) -> Value {
    let mut text = String::new();
    let mut rest = form;
    let mut next = 0;
    while let Some(at) = rest.find(['{', '}']) {
        if text.len() > LARGEST {
            return Value::Unknown;
        }
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.push_str(before);
        if let Some(behind) = ["{{", "}}"].iter().find_map(|double| from.strip_prefix(double)) {
            text.push(if from.starts_with('{') { '{' } else { '}' });
            rest = behind;
            continue;
        }
        let Some((name, behind)) = from.split_once('}') else { break };
        let name = name.trim_start_matches('{');
        let value = match (name.is_empty(), name.parse::<usize>()) {
            (true, _) => {
                next += 1;
                arguments.positional.get(next - 1)
            }
            (_, Ok(index)) => arguments.positional.get(index),
            _ => arguments.named(name),
        };
        text.push_str(&shape(value));
        rest = behind;
    }
    text.push_str(rest);
    Value::of_shape(text)
}

/// The text that the numbers of characters make.
fn characters(numbers: &[Value]) -> Option<String> {
    let character = |value: &Value| match value {
        Value::Number(number) => u32::try_from(*number).ok().and_then(char::from_u32),
        _ => None,
    };
    numbers.iter().map(character).collect::<Option<String>>().filter(|text| !text.is_empty())
}

fn decoded(text: &str) -> Option<String> {
    let plain = text.replace('-', "+").replace('_', "/");
    base64(&plain).and_then(|bytes| String::from_utf8(bytes).ok())
}

fn unhex(text: &str) -> Option<String> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes: Option<Vec<u8>> = digits
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()))
        .collect();
    String::from_utf8(bytes?).ok()
}

fn rotated(text: &str) -> String {
    let rotate = |character: char, first: u8| {
        let byte = u8::try_from(character).unwrap_or(first);
        char::from((byte - first + 13) % 26 + first)
    };
    text.chars()
        .map(|character| match character {
            'a'..='z' => rotate(character, b'a'),
            'A'..='Z' => rotate(character, b'A'),
            other => other,
        })
        .collect()
}
