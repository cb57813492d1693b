//! Interpreters of other languages: text in the call, a script, a module, or standard input.

use super::{agents, brought};
use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::inside::language_of_program;
use crate::knowledge::{self, Matched, Role, shipped};
use crate::languages::{self, Language};

/// `bun` and `deno` without arguments: a console, or the program that is on standard input.
pub(crate) fn javascript_input(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    // With a text of its own the input is what that text reads.
    if !call.has("-e") && !call.has("-p") {
        context.run_input(Role::JavaScript);
    }
}

/// Does the text come from standard input, or from a process substitution?
fn piped(context: &mut Context<'_>, call: &Matched<'_>, language: Role) -> bool {
    let Some(first) = call.operands.first() else { return false };
    if let Some(data) = &first.process {
        let data = (**data).clone();
        context.run_data(language, &data);
        return true;
    }
    if first.is("-") || first.is("/dev/stdin") {
        context.run_input(language);
        return true;
    }
    false
}

/// `python -c TEXT`, `python -m MODULE`, `python FILE`, `python - <<EOF`.
pub(crate) fn python(context: &mut Context<'_>, call: &Matched<'_>) {
    if !call.has("-c") && !call.has("-m") {
        context.run_framework(&call.operands);
    }
    if let Some(module) = call.value("-m") {
        return module_call(context, call, module);
    }
    if call.has("-c") {
        if matches!(context.input(), Data::Network(_)) {
            context.doubt(call.span, "a program that is fed from the network");
        }
        return context.standard(call);
    }
    if !piped(context, call, Role::Python) {
        context.standard(call);
        if call.operands.is_empty() {
            context.run_input(Role::Python);
        }
    }
}

/// `serve DIRECTORY`: all that lies in it is shown.
pub(crate) fn served_tree(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    for directory in &call.operands {
        context.tree(Kind::Read, directory);
    }
}

/// The directory that a server shows: the one that it is given, or the working directory.
fn served(context: &mut Context<'_>, arguments: &[Field]) {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let written = argument.written.as_str();
        let directory = match written.strip_prefix("--directory=") {
            Some(_) => Some(argument.after("--directory=".len())),
            None if matches!(written, "-d" | "--directory") => rest.next().cloned(),
            None => None,
        };
        if let Some(directory) = directory {
            return context.tree(Kind::Read, &directory);
        }
    }
    if context.directory().is_some_and(|here| here == context.places().home || here == "/") {
        context.path_text(Kind::Read, ".", true);
    }
}

/// `python -m MODULE ARGUMENTS`
fn module_call(context: &mut Context<'_>, call: &Matched<'_>, module: &Field) {
    let operands = call.operands.as_slice();
    let Some(name) = module.text() else {
        context.effect_on(Kind::ProjectCode, Target::Unresolved(module.written.clone()));
        return;
    };
    if let Some(path) = context.module_beside(name.split('.').next().unwrap_or(name)) {
        return context.run_script(&Field::of(path, module.span));
    }
    match name {
        "json.tool" => {
            let counted = operands.windows(2).any(|pair| match pair {
                [option, value] => option.is("--indent") && value.is_dashed(),
                _ => false,
            });
            if counted {
                context.doubt(call.span, "an option lacks its value");
            }
            let before = |at: usize| at.checked_sub(1).and_then(|at| operands.get(at));
            let named = operands.iter().enumerate().filter(|(at, field)| {
                let counts = before(*at).is_some_and(|field| field.is("--indent"));
                !counts && (!field.is_dashed() || field.is("-"))
            });
            let mut files = named.map(|(_, field)| field);
            if let Some(file) = files.next() {
                context.path(Kind::Read, file);
            }
            if let Some(file) = files.next() {
                context.path(Kind::Write, file);
            }
        }
        "http.server" | "SimpleHTTPServer" => {
            context.effect(Kind::Listen);
            served(context, operands);
        }
        _ => {
            let row = shipped().table("python/modules").find(name);
            let cells: Vec<&str> = row.into_iter().flat_map(hookgate_knowledge::Row::cells).collect();
            match cells.as_slice() {
                ["program", program, ..] => {
                    let mut fields = vec![Field::of(*program, module.span), module.clone()];
                    fields.extend(operands.iter().cloned());
                    context.run_command(&fields);
                }
                [does, ..] => listed_module(context, operands, does),
                [] => named_like_a_program(context, module, name, operands),
            }
        }
    }
}

/// What a module does, as its row says it.
fn listed_module(context: &mut Context<'_>, operands: &[Field], does: &str) {
    let files = || operands.iter().filter(|field| !field.is_dashed());
    match does {
        "nothing" => {}
        "reads" => files().for_each(|file| context.path(Kind::Read, file)),
        "writes" => files().for_each(|directory| context.path(Kind::Write, directory)),
        "archives" => {
            files().for_each(|file| context.path(Kind::Read, file));
            let does = |names: [&str; 2]| operands.iter().any(|field| names.contains(&&*field.written));
            if does(["-e", "--extract"]) {
                let here = Field::of(".", context.scope().span);
                let directory = files().nth(1).unwrap_or(&here).clone();
                brought::unpack_archive(context, files().next(), &directory);
            } else if does(["-c", "--create"]) {
                context.path_text(Kind::Write, ".", false);
            }
        }
        "runs" => match operands.iter().find(|field| field.written.ends_with(".py")) {
            Some(script) => context.run_script(script),
            None => context.effect(Kind::ProjectCode),
        },
        // It runs what it is told on its standard input.
        "console" => context.run_input(Role::Python),
        kind => {
            if let Some(kind) = Kind::from_name(kind) {
                context.effect(kind);
            }
        }
    }
}

/// A module that is a program as well, or one of the project.
fn named_like_a_program(context: &mut Context<'_>, module: &Field, name: &str, operands: &[Field]) {
    let program = name.replace('_', "-");
    let program = [name, program.as_str()].into_iter().find(|name| knowledge::program(name).is_some());
    match program {
        Some(program) => {
            let mut fields = vec![Field::of(program, module.span)];
            fields.extend(operands.iter().cloned());
            context.run_command(&fields);
        }
        None => context.named(Kind::ProjectCode, module),
    }
}

/// `node -e TEXT`, `node FILE`, `node < FILE`.
pub(crate) fn node(context: &mut Context<'_>, call: &Matched<'_>) {
    let inline = call.has("--eval") || call.has("--print");
    if call.has("--check") && ["--require", "--import"].iter().any(|name| call.has(name)) {
        // What is loaded before runs all the same.
        return context.standard(call);
    }
    if call.has("--check") {
        for file in &call.operands {
            context.path(Kind::Read, file);
        }
        return;
    }
    if call.has("--test") {
        context.effect(Kind::Test);
        return;
    }
    if call.value("--print").is_some_and(|text| text.written.trim() == "process.env") {
        context.effect(Kind::SecretRead);
    }
    for option in ["--require", "--import", "--loader"] {
        for module in call.values(option).filter_map(Field::text).filter_map(languages::data_module) {
            context.run_code(Role::JavaScript, &Field::of(module, call.span));
        }
    }
    if !inline && let Some((script, rest)) = call.operands.split_first() {
        agents::from_package(context, script, rest);
    }
    if inline || !piped(context, call, Role::JavaScript) {
        context.standard(call);
        if !inline && call.operands.is_empty() {
            context.run_input(Role::JavaScript);
        }
    }
}

/// `perl -ne TEXT FILES`, `ruby -pi -e TEXT FILES`, `php -r TEXT`.
pub(crate) fn script_language(context: &mut Context<'_>, call: &Matched<'_>) {
    let language = language_of_program(call.program).unwrap_or(Role::Php);
    let inline: Vec<&Field> =
        call.values("-e").chain(call.values("-r").filter(|_| language == Role::Php)).collect();
    if language == Role::Php && inline.is_empty() {
        context.run_framework(&call.operands);
    }
    if call.has("-c") || (language == Role::Php && call.has("-l")) {
        // Only the syntax is checked; but what is loaded before runs, and what Perl calls `BEGIN` and `use`.
        for file in &call.operands {
            context.path(Kind::Read, file);
        }
        if language == Role::Perl || language == Role::Ruby && (call.has("-r") || call.has("-I")) {
            context.doubt(call.span, "checking the syntax runs what the text does at its beginning");
        }
        return;
    }
    if inline.is_empty() {
        if !piped(context, call, language) {
            context.standard(call);
            if call.operands.is_empty() && !call.has("-S") {
                context.run_input(language);
            }
        }
        return;
    }
    context.standard(call);
    if library_command(context, call, &inline) {
        return;
    }
    let said = |mark: &str| inline.iter().any(|text| text.written.contains(mark));
    let perl = language == Role::Perl;
    let loops = call.has("-n") || call.has("-p");
    let mut magic = Vec::new();
    let edits = call.has("-i") || (perl && said("$^I"));
    // `<<>>` opens nothing but files.
    if perl && (loops || edits || ["<>", "<ARGV>"].iter().any(|mark| said(mark) && !said("<<>>"))) {
        magic = call.operands.iter().map(|operand| opened_by_magic(context, operand)).collect();
    }
    if language != Role::Php && (loops || edits) {
        for (index, file) in call.operands.iter().enumerate() {
            if magic.get(index) == Some(&true) {
                continue;
            }
            context.path(Kind::Read, file);
            if edits {
                context.path(Kind::Write, file);
                let suffix = call.value("-i").and_then(Field::text).filter(|suffix| !suffix.is_empty());
                if let Some(suffix) = suffix.map(str::to_owned) {
                    super::copies::beside(context, file, &suffix);
                }
            }
        }
    }
}

/// A text that is the name of a function in a library made for that: `perl -MExtUtils::Command -e rm_rf x`, `ruby -run -e rm x`.
fn library_command(context: &mut Context<'_>, call: &Matched<'_>, texts: &[&Field]) -> bool {
    let table = shipped().table(&format!("{}/library-commands", call.program));
    let libraries = ["-M", "-m", "-r"].iter().flat_map(|option| call.values(option));
    let libraries: Vec<&str> = libraries.filter_map(Field::text).collect();
    let [text] = texts else { return false };
    let name = text.written.trim().trim_end_matches(';').trim_end_matches("()").trim();
    let row = libraries.iter().find_map(|library| {
        let library = library.split('=').next().unwrap_or(library);
        table.find(&format!("{library}:{name}"))
    });
    let Some(row) = row else { return false };
    let mut fields: Vec<Field> = row.cells().map(|word| Field::of(word, text.span)).collect();
    fields.extend(call.operands.iter().cloned());
    context.run_command(&fields);
    true
}

/// An operand that Perl opens with its old `open`: `>file` is written, `command|` runs. Is it such a one?
fn opened_by_magic(context: &mut Context<'_>, operand: &Field) -> bool {
    let Some(text) = operand.text().map(str::trim) else { return false };
    if let Some(command) = text.strip_prefix('|').or_else(|| text.strip_suffix('|')) {
        context.run_shell_text(command);
    } else if let Some(file) = text.strip_prefix(">>") {
        context.path_text(Kind::Append, file.trim(), false);
    } else if let Some(file) = ["+>", "+<", ">"].iter().find_map(|mark| text.strip_prefix(mark)) {
        context.path_text(Kind::Write, file.trim_start_matches('>').trim(), false);
    } else {
        return false;
    }
    true
}

/// An interpreter of a language that nobody reads here: what it is told through a pipe is unknown at best.
pub(crate) fn unread_language(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let inline = call.has("-e");
    let word = call.word.shown();
    let name = crate::paths::file_name(word).trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let language =
        shipped().table("commands/scripts/languages").find(name).and_then(|row| match row.cell(0)? {
            "libraries/lua" => Some(Language::Lua),
            "libraries/r" => Some(Language::Statistics),
            _ => None,
        });
    if let Some(language) = language {
        for field in call.values("-e") {
            match field.text() {
                Some(text) => context.run_language(language, text, field),
                None => context.unknown(Unknown::Program, field.span),
            }
        }
        if let Data::Text(text) = context.input().clone()
            && !inline
        {
            let field = Field::of(text.as_str(), call.span);
            context.run_language(language, &text, &field);
        }
    }
    if language.is_none() {
        super::unread::options(context, call);
    }
    let inline = inline || call.has("-c");
    if !inline
        && language.is_none()
        && let Some(script) = call.operands.first()
        && let Some(text) = super::unread::written_by_text(context, script)
    {
        super::unread::text(context, &Field::of(text, script.span));
    }
    if inline || call.operands.first().is_some_and(|first| !first.is("-") && !first.is("/dev/stdin")) {
        return;
    }
    match context.input().clone() {
        Data::Text(text) if language.is_none() => {
            super::unread::text(context, &Field::of(text, call.span));
        }
        data @ (Data::Network(_) | Data::Decoded) => context.run_data(Role::Shell, &data),
        _ => context.unknown(Unknown::Program, context.scope().span),
    }
}

/// `sed SCRIPT FILES`, with `-i` in place; BSD's `-i ''` too.
pub(crate) fn sed(context: &mut Context<'_>, call: &Matched<'_>) {
    let mut operands = call.operands.as_slice();
    let in_place = call.option("-i");
    let suffix = in_place.and_then(|option| option.value.as_ref());
    if in_place.is_some() && suffix.is_none() && operands.first().is_some_and(|field| field.is("")) {
        operands = operands.get(1..).unwrap_or_default();
    }
    for text in call.values("-e") {
        context.run_code(Role::Sed, text);
    }
    for file in call.values("-f") {
        context.path(Kind::Read, file);
        context.run_script_in(file, Role::Sed, &[]);
    }
    if !call.has("-e") && !call.has("-f") {
        let Some((text, rest)) = operands.split_first() else { return };
        context.run_code(Role::Sed, text);
        operands = rest;
    }
    for file in operands {
        context.path(Kind::Read, file);
        if in_place.is_some() {
            context.path(Kind::Write, file);
            if let Some(suffix) = suffix.and_then(Field::text).filter(|suffix| !suffix.is_empty()) {
                super::copies::beside(context, file, suffix);
            }
        }
    }
}

/// `awk TEXT FILES`; `name=value` among the files is no file.
pub(crate) fn awk(context: &mut Context<'_>, call: &Matched<'_>) {
    let mut operands = call.operands.as_slice();
    for text in call.values("-e") {
        context.run_code(Role::Awk, text);
    }
    for file in call.values("-f") {
        context.run_script_in(file, Role::Awk, &[]);
    }
    if !call.has("-e") && !call.has("-f") {
        let Some((text, rest)) = operands.split_first() else { return };
        context.run_code(Role::Awk, text);
        operands = rest;
    }
    let in_place = call.values("-i").any(|value| value.is("inplace"));
    for file in operands.iter().filter(|field| !is_assignment(field)) {
        context.path(Kind::Read, file);
        if in_place {
            context.path(Kind::Write, file);
        }
    }
}

fn is_assignment(field: &Field) -> bool {
    field.written.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
    })
}
