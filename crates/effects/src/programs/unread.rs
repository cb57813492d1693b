//! Texts in languages that nobody reads here (debuggers, calculators, Lisps, AppleScript): what they say is unknown, but
//! the commands that they name are judged as if they ran.

use crate::context::Context;
use crate::effect::Unknown;
use crate::field::{Data, Field};
use crate::knowledge::{self, Matched, Role, ValueForm, shipped};
use crate::paths;
use crate::texts::joined;

/// The options that hold such a text, in the spellings of their files.
const TEXTS: [&str; 9] = ["-e", "--eval", "-ex", "-iex", "-o", "-O", "-k", "-c", "--command"];
/// What stands before a command of a shell on a line of its own.
const ESCAPES: [&str; 5] = ["!", "shell ", "platform shell ", "syscmd ", "system "];
/// How many commands of one text are followed.
const MOST: usize = 16;

/// A program that is told what to do in a language of its own, by an option or on its standard input.
pub(crate) fn evaluates(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    options(context, call);
    if call.operands.is_empty() {
        match context.input().clone() {
            Data::Text(text) => self::text(context, &Field::of(text, call.span)),
            data @ (Data::Network(_) | Data::Decoded) => context.run_data(Role::Shell, &data),
            _ => {}
        }
    }
}

/// The texts in a call's options.
pub(super) fn options(context: &mut Context<'_>, call: &Matched<'_>) {
    for option in &call.options {
        let is_text = matches!(
            option.specification.value(),
            ValueForm::Required(Role::Text)
                | ValueForm::Optional(Role::Text)
                | ValueForm::Attached(Role::Text)
        );
        if let Some(value) = option.value.as_ref().filter(|_| is_text && TEXTS.contains(&option.name)) {
            text(context, value);
        }
    }
}

/// `cmake -E COMMAND ARGUMENTS`: a shell's everyday commands under names of its own.
pub(crate) fn cmake(context: &mut Context<'_>, call: &Matched<'_>) {
    let at = call.option("-E").map(|option| option.index);
    let Some((verb, rest)) = at.and_then(|at| call.arguments.get(at + 1..)).and_then(<[Field]>::split_first)
    else {
        return context.standard(call);
    };
    if verb.is("chdir")
        && let Some((directory, command)) = rest.split_first()
    {
        return context.in_directory(directory, |context| context.run_command(command));
    }
    let table = shipped().table("commands/cmake/names");
    match verb.text().and_then(|verb| table.find(verb)) {
        Some(row) => {
            let mut fields: Vec<Field> = row.cells().map(|word| Field::of(word, verb.span)).collect();
            fields.extend(rest.iter().cloned());
            if !fields.is_empty() {
                context.run_command(&fields);
            }
        }
        None => context.unknown(Unknown::Program, verb.span),
    }
}

/// A text in a language that nobody reads.
pub(super) fn text(context: &mut Context<'_>, field: &Field) {
    let Some(text) = field.text() else { return context.unknown(Unknown::Program, field.span) };
    context.doubt(field.span, "program text in a language that hookgate doesn't read");
    let text = text.to_owned();
    for line in text.lines().take(MOST) {
        let line = line.trim();
        if let Some(command) = ESCAPES.iter().find_map(|escape| line.strip_prefix(escape)) {
            context.run_shell_text(command);
        } else if let Some(script) = line.strip_prefix("python ").or_else(|| line.strip_prefix("script ")) {
            context.run_code(Role::Python, &Field::of(script, field.span));
        } else if is_command(line) && !line.contains('(') {
            context.possibly(|context| context.run_shell_text(line));
        }
    }
    for words in literals(&text).into_iter().take(MOST) {
        let fields: Vec<Field> = words.iter().map(|word| Field::of(*word, field.span)).collect();
        match words.as_slice() {
            [one] if is_command(one) => context.possibly(|context| context.run_shell_text(one)),
            [first, _, ..] if knows(first) => context.possibly(|context| context.run_command(&fields)),
            [_, ..] => {
                let whole = joined(&fields);
                for word in words.into_iter().filter(|word| is_command(word)) {
                    context.possibly(|context| {
                        context.run_shell(&Field { text: Some(word.to_owned()), ..whole.clone() });
                    });
                }
            }
            [] => {}
        }
    }
}

/// Is it a command of a known program, with arguments?
fn is_command(text: &str) -> bool {
    text.trim()
        .split_once(char::is_whitespace)
        .is_some_and(|(first, rest)| knows(first) && !rest.trim().is_empty())
}

fn knows(word: &str) -> bool {
    !word.is_empty() && knowledge::program(paths::file_name(word)).is_some()
}

/// The quoted texts: those with nothing but blanks, commas and brackets between them belong together.
fn literals(text: &str) -> Vec<Vec<&str>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    let mut rest = text;
    let mut together = false;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let (between, quoted) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let quote = quoted.chars().next().unwrap_or('"');
        let inner = quoted.get(1..).unwrap_or_default();
        // m4 closes a backquote with a quote.
        let close = if quote == '`' { inner.find(['`', '\'']) } else { inner.find(quote) };
        let Some(close) = close else { break };
        together &= between.chars().all(|c| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
        let word = inner.get(..close).unwrap_or_default();
        match found.last_mut().filter(|_| together) {
            Some(words) => words.push(word),
            None => found.push(vec![word]),
        }
        together = true;
        rest = inner.get(close + 1..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn quoted_words_beside_each_other_belong_together() {
        assert_eq!(literals(r#"(sh "rm" "-rf" "/data")"#), [["rm", "-rf", "/data"]]);
        assert_eq!(literals(r#"do shell script "rm x" & "y""#), [["rm x"], ["y"]]);
        assert_eq!(literals("syscmd(`rm x')"), [["rm x"]]);
        assert!(literals("it's").is_empty());
    }
}
