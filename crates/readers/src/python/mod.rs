//! Python: its statements and imports.

#[cfg(test)]
mod tests;

use super::reader::{Dialect, Reader, read};
use super::value::Value;
use super::{Code, Language};
use hookgate_knowledge::Library;

static PYTHON: Dialect = Dialect {
    language: Language::Python,
    library: "python",
    called: Library::function,
    statement,
    undefined_fails: true,
    bare_calls: false,
};

/// What a Python text does.
pub(super) fn analyse(text: &str) -> Code {
    read(&PYTHON, text)
}

fn statement(reader: &mut Reader<'_>, word: &str) -> bool {
    match word {
        "import" => {
            reader.advance();
            imports(reader);
        }
        "from" => {
            reader.advance();
            from(reader);
        }
        "def" => {
            let method = reader.in_class();
            reader.advance();
            reader.define(method);
        }
        "return" => {
            reader.advance();
            let value = reader.expression();
            reader.returns(value);
        }
        "class" => {
            let header = reader.line_column();
            reader.advance();
            if let Some(name) = reader.take_name() {
                reader.assign(&name, Value::Unknown);
            }
            if reader.take("(") {
                let parameters = reader.arguments();
                reader.pass(&parameters);
            }
            // A class in a class ends with it at the latest.
            if !reader.in_class() {
                reader.class_end = reader.end_of_block(header);
            }
        }
        "async" => reader.advance(),
        "for" => {
            reader.advance();
            reader.loop_target();
        }
        "with" => {
            reader.advance();
            loop {
                let value = reader.expression_until_as();
                if reader.take_word("as") {
                    match reader.take_name() {
                        Some(name) => reader.assign(&name, value),
                        None => {
                            reader.expression();
                        }
                    }
                }
                if !reader.take(",") {
                    break;
                }
            }
        }
        _ => return false,
    }
    true
}

/// `a.b.c`
fn dotted(reader: &mut Reader<'_>) -> String {
    let mut path = String::new();
    while reader.take(".") || reader.take("...") {
        path.push('.');
    }
    while let Some(name) = reader.name() {
        if reader.library.keyword(&name) {
            break;
        }
        reader.advance();
        path.push_str(&name);
        if reader.take(".") {
            path.push('.');
        } else {
            break;
        }
    }
    path
}

fn imports(reader: &mut Reader<'_>) {
    loop {
        let start = reader.start();
        let path = dotted(reader);
        let value = reader.import(&path, start, start + path.len());
        if reader.take_word("as") {
            if let Some(alias) = reader.take_name() {
                reader.import_as(&alias, value);
            }
        } else {
            let root = path.split('.').next().unwrap_or_default().to_owned();
            let value = if let Value::Name(_) = value { Value::Name(root.clone()) } else { value };
            reader.import_as(&root, value);
        }
        if !reader.take(",") {
            return;
        }
    }
}

fn from(reader: &mut Reader<'_>) {
    let start = reader.start();
    let path = dotted(reader);
    let value = reader.import(&path, start, start + path.len());
    reader.take_word("import");
    let bracket = reader.take("(");
    loop {
        if reader.take("*") {
            if let Value::Name(_) = value {
                let names: Vec<&str> = reader.library.names_in(&path).collect();
                for name in names {
                    reader.import_as(name, Value::Name(format!("{path}.{name}")));
                }
            } else {
                reader.code.complete = false;
            }
            return;
        }
        let Some(name) = reader.take_name() else { break };
        let value =
            if let Value::Name(_) = value { Value::Name(format!("{path}.{name}")) } else { value.clone() };
        if reader.take_word("as") {
            if let Some(alias) = reader.take_name() {
                reader.import_as(&alias, value);
            }
        } else {
            reader.import_as(&name, value);
        }
        if !reader.take(",") {
            break;
        }
    }
    if bracket {
        reader.take(")");
    }
}
