//! Database clients: statements in options, operands and on standard input.

use crate::context::Context;
use crate::effect::Kind;
use crate::field::{Data, Field};
use crate::knowledge::{Matched, Role};
use crate::languages::Language;
use crate::texts::joined;

/// The options of clients that name a file of statements.
const FILES: [&str; 6] = ["--file", "--queries-file", "--input-file", "--filename", "-f", "-init"];

/// What the files say that hold statements, where they can be read.
fn look_into_files(context: &mut Context<'_>, call: &Matched<'_>) {
    for file in FILES.iter().flat_map(|name| call.values(name)) {
        context.look_into(Role::Sql, file);
    }
}

/// Clients that only take statements from options: what their files say.
pub(crate) fn sql_files(context: &mut Context<'_>, call: &Matched<'_>) {
    staying(context, |context| {
        context.standard(call);
        look_into_files(context, call);
    });
}

/// Statements of a client may take it to another directory, not the shell.
fn staying(context: &mut Context<'_>, run: impl FnOnce(&mut Context<'_>)) {
    let directories = context.state.directories.clone();
    run(context);
    context.state.directories = directories;
}

/// `psql`, `mysql`: without statements in the call, those on standard input.
pub(crate) fn sql(context: &mut Context<'_>, call: &Matched<'_>) {
    staying(context, |context| sql_here(context, call));
}

fn sql_here(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    look_into_files(context, call);
    let given = FILES
        .iter()
        .chain(&["--command", "--list", "--execute", "--query", "--initial-query"])
        .any(|name| call.has(name));
    if !given && call.operands.iter().all(|operand| !operand.written.contains(char::is_whitespace)) {
        context.run_input(Role::Sql);
    }
}

/// `sqlite3 FILE TEXT`: the file is written where a statement changes something.
pub(crate) fn sqlite(context: &mut Context<'_>, call: &Matched<'_>) {
    let first = context.found.effects.len();
    staying(context, |context| sqlite_here(context, call));
    let changes = context
        .found
        .effects
        .iter()
        .skip(first)
        .any(|effect| matches!(effect.kind, Kind::DatabaseChange | Kind::DatabaseDestroy));
    if let Some(file) = call.operands.first().filter(|file| changes && !file.is(":memory:")) {
        context.path(Kind::Write, file);
    }
}

fn sqlite_here(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    look_into_files(context, call);
    if call.operands.len() < 2 && !["-cmd", "-c", "-f"].iter().any(|name| call.has(name)) {
        context.run_input(Role::Sql);
    }
}

fn text_in(context: &mut Context<'_>, language: Language, field: &Field) {
    match field.text() {
        Some(text) => {
            let text = text.to_owned();
            context.run_language(language, &text, field);
        }
        None => context.run_shell(field),
    }
}

/// `mongosh --eval TEXT`
pub(crate) fn mongo(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    for text in call.values("--eval") {
        match text.text() {
            Some(_) => text_in(context, Language::Mongo, text),
            None => context.effect(Kind::DatabaseDestroy),
        }
    }
    if let Data::Text(text) = context.input().clone()
        && !call.has("--eval")
    {
        context.run_language(Language::Mongo, &text, &Field::of(text.clone(), call.span));
    } else if !call.has("--eval") && call.operands.is_empty() {
        context.doubt(call.span, "it takes commands from its standard input");
    }
    for file in
        call.operands.iter().filter(|word| [".js", ".mongodb"].iter().any(|end| word.written.ends_with(end)))
    {
        context.run_script(file);
    }
}

/// `redis-cli COMMAND`
pub(crate) fn redis(context: &mut Context<'_>, call: &Matched<'_>) {
    if !call.operands.is_empty() {
        let whole = joined(&call.operands);
        // Only the command's name and its first word decide.
        context.run_language(Language::Redis, whole.shown(), &whole);
        // One key by its name is a row; whatever a list brings is the table.
        let (deletes, keys) = (["del", "unlink"], call.operands.get(1..).unwrap_or_default());
        let named = |key: &Field| key.text().is_some_and(|key| !key.contains(['*', '?', '[']));
        if call
            .operands
            .first()
            .is_some_and(|name| deletes.iter().any(|one| name.shown().eq_ignore_ascii_case(one)))
            && (keys.is_empty() || !keys.iter().all(named))
        {
            context.effect(Kind::DatabaseDestroy);
        }
        return;
    }
    if let Data::Text(text) = context.input().clone() {
        context.run_language(Language::Redis, &text, &Field::of(text.clone(), call.span));
        return;
    }
    context.standard(call);
    if call
        .options
        .iter()
        .any(|option| matches!(option.name, "--scan" | "--bigkeys" | "--stat" | "--latency"))
    {
        context.effect(Kind::DatabaseRead);
    }
}
