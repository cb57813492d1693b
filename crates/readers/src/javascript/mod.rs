//! JavaScript and TypeScript, for node, deno, bun and the mongo shell: statements and imports.

#[cfg(test)]
mod tests;

use super::reader::{Dialect, Reader, read};
use super::value::{Act, Value};
use super::{Code, Language};
use hookgate_knowledge::Library;

pub(super) static JAVASCRIPT: Dialect = Dialect {
    language: Language::Javascript,
    library: "javascript",
    called,
    statement,
    undefined_fails: true,
    bare_calls: false,
};

/// What a JavaScript text does.
pub(super) fn analyse(text: &str) -> Code {
    read(&JAVASCRIPT, text)
}

/// `fs.default.rm` is `fs.rm`, and the synchronous forms do the same.
pub(super) fn called(library: &Library<'static>, name: &str) -> Option<Act> {
    let plain = name.replace(".default.", ".");
    library.function(plain.strip_suffix("Sync").unwrap_or(&plain))
}

fn statement(reader: &mut Reader<'_>, word: &str) -> bool {
    match word {
        "import" if reader.symbol_at(1) != Some("(") && reader.symbol_at(1) != Some(".") => {
            reader.advance();
            imports(reader);
        }
        "const" | "let" | "var" => {
            reader.advance();
            declaration(reader);
        }
        "function" => {
            reader.advance();
            reader.function();
        }
        "return" => {
            reader.advance();
            let value = reader.expression();
            reader.returns(value);
        }
        "class" => {
            reader.advance();
            if reader.symbol() != Some("{") {
                reader.advance();
            }
        }
        "export" | "default" => reader.advance(),
        _ => return false,
    }
    true
}

/// Names in braces with their own names: `{a, b: c}`, `{a as c}`.
fn pattern(reader: &mut Reader<'_>) -> Vec<(String, String)> {
    let mut names = Vec::new();
    while let Some(kind) = reader.peek() {
        if *kind == super::lexer::TokenKind::Symbol("}") {
            reader.advance();
            break;
        }
        let Some(name) = reader.take_name() else {
            reader.advance();
            continue;
        };
        let renamed = reader.take(":") || reader.take_word("as");
        let alias = if renamed { reader.take_name().unwrap_or_default() } else { name.clone() };
        names.push((name, alias));
        if reader.take("=") {
            let value = reader.expression();
            reader.escape(&value);
        }
    }
    names
}

fn bind(reader: &mut Reader<'_>, names: Vec<(String, String)>, value: &Value) {
    for (name, alias) in names {
        let value = match value {
            Value::Name(module) => Value::Name(format!("{module}.{name}")),
            Value::Foreign => Value::Foreign,
            _ => Value::Unknown,
        };
        reader.assign(&alias, value);
    }
}

fn declaration(reader: &mut Reader<'_>) {
    loop {
        if reader.take("{") {
            let names = pattern(reader);
            if reader.take("=") {
                let value = reader.expression();
                bind(reader, names, &value);
            }
        } else if reader.symbol() == Some("[") {
            reader.expression();
            if reader.take("=") {
                reader.assignment(None);
            }
        } else if let Some(name) = reader.take_name() {
            if reader.take(":") {
                // A type.
                while !matches!(reader.symbol(), Some("=" | ";" | ",")) && reader.peek().is_some() {
                    reader.advance();
                }
            }
            if reader.take("=") {
                reader.skip_lines();
                reader.assignment(Some(&name));
            }
        }
        if !reader.take(",") {
            return;
        }
        reader.skip_lines();
    }
}

fn imports(reader: &mut Reader<'_>) {
    reader.take_word("type");
    let mut whole: Vec<String> = Vec::new();
    let mut names = Vec::new();
    loop {
        if reader.take("{") {
            names = pattern(reader);
        } else if reader.take("*") {
            reader.take_word("as");
            whole.extend(reader.take_name());
        } else if reader.take_word("from") || reader.peek().is_none() {
            break;
        } else if let Some(name) = reader.take_name() {
            whole.push(name);
        } else if !reader.take(",") {
            break;
        }
    }
    let (start, end) = (reader.start(), reader.end());
    let value = match reader.peek().cloned() {
        Some(super::lexer::TokenKind::Text(literal)) => {
            reader.advance();
            match literal.pieces.as_slice() {
                [super::lexer::Piece::Text(module)] => reader.import(module, start, end.max(start)),
                _ => Value::Unknown,
            }
        }
        _ => Value::Unknown,
    };
    for name in whole {
        reader.assign(&name, value.clone());
    }
    bind(reader, names, &value);
}
