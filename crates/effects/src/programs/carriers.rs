//! Programs that run the command in their arguments, where a table can't say how.

use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Facet, Matched, Role, ValueForm, listed_operands, match_call};
use crate::paths;
use crate::texts::joined;

/// The most commands that one carrier is followed into.
const MOST: usize = 16;
/// How an item from an input that can't be read is shown.
const STANDARD_INPUT: &str = "$(standard input)";
/// How it is written inside of a text that a shell reads again.
const STANDARD_INPUT_VARIABLE: &str = "$STANDARD_INPUT";

/// `sudo`: the command, or with `-s` and `-i` a shell, or with `-e` an editor.
pub(crate) fn sudo(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.has("--edit") {
        context.effect(Kind::Privilege);
        for file in &call.operands {
            context.path(Kind::Read, file);
            context.path(Kind::Write, file);
        }
        return;
    }
    let text = call.operands.first().and_then(Field::text).unwrap_or_default();
    if (call.has("--shell") || call.has("--login")) && text.contains(' ') {
        context.effect(Kind::Privilege);
        context.run_shell(&joined(&call.operands));
        return;
    }
    context.standard(call);
}

/// `su NAME -c TEXT`, `runuser -u NAME -- COMMAND`.
pub(crate) fn su(context: &mut Context<'_>, call: &Matched<'_>) {
    context.effect(Kind::Privilege);
    if let Some(shell) = call.value("--shell") {
        context.run_program(shell);
    }
    for text in call.values("--command").chain(call.values("--session-command")) {
        context.run_shell(text);
    }
    if call.has("--user") {
        context.run_command(&call.operands);
    } else if let Some(words) = call.operands.get(1..).filter(|words| !words.is_empty())
        && !call.has("--command")
    {
        // What follows the name goes to the shell.
        run_shell_arguments(context, words);
    }
}

/// Words that become the arguments of a shell: `-c TEXT`.
fn run_shell_arguments(context: &mut Context<'_>, words: &[Field]) {
    let mut fields = vec![Field::of("sh", context.scope().span)];
    fields.extend(words.iter().cloned());
    context.run_command(&fields);
}

/// `env`: with no command it shows the environment.
pub(crate) fn env(context: &mut Context<'_>, call: &Matched<'_>) {
    if let Some(text) = call.value("--split-string") {
        let mut whole = vec![text.clone()];
        whole.extend(call.operands.iter().cloned());
        context.run_shell(&joined(&whole));
        // Its quotes and escapes are its own, not a shell's.
        context.unknown(Unknown::Program, text.span);
        return;
    }
    context.standard(call);
    let shows = call.operands.iter().all(|field| field.written.contains('='));
    if shows && !call.has("--ignore-environment") && !context.scope().chosen {
        context.effect(Kind::SecretRead);
    }
}

/// `printenv NAME`
pub(crate) fn printenv(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.operands.is_empty() && !context.scope().chosen {
        context.effect(Kind::SecretRead);
    }
    for name in &call.operands {
        match name.text() {
            Some(text) if !hookgate_secrets::names_a_secret(text) => {}
            _ => context.named(Kind::SecretRead, name),
        }
    }
}

/// `flock FILE COMMAND`, `flock FILE -c TEXT`.
pub(crate) fn flock(context: &mut Context<'_>, call: &Matched<'_>) {
    // Behind the file only: what follows a command is that command's own.
    if let [_, option, text, ..] = call.operands.as_slice()
        && (option.is("-c") || option.is("--command"))
    {
        if let Some(file) = call.operands.first() {
            context.path(Kind::Write, file);
        }
        context.run_shell(text);
        return;
    }
    context.standard(call);
}

/// `watch TEXT`: what a shell runs; with `-x` the command itself.
pub(crate) fn watch(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.has("-x") {
        context.run_command(&call.operands);
    } else {
        context.standard(call);
    }
}

/// `script FILE COMMAND`
pub(crate) fn script(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if call.operands.is_empty() && !call.has("--command") {
        context.path_text(Kind::Write, "typescript", false);
    }
}

/// `entr COMMAND`, with `-s` a shell.
pub(crate) fn entr(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.has("-s") {
        context.run_shell(&joined(&call.operands));
    } else {
        context.run_command(&call.operands);
    }
}

/// Every operand is a text that a shell runs (`concurrently`).
pub(crate) fn each_shell(context: &mut Context<'_>, call: &Matched<'_>) {
    for text in call.operands.iter().take(MOST) {
        context.run_shell(text);
    }
    if call.operands.len() > MOST {
        context.unknown(Unknown::Unparsed, call.span);
    }
}

/// `busybox NAME ARGUMENTS`: the operand is a program of that name.
pub(crate) fn multicall(context: &mut Context<'_>, call: &Matched<'_>) {
    if !call.arguments.is_empty() {
        context.run_command(call.arguments);
    }
}

/// `java -jar jenkins-cli.jar ARGUMENTS`: a client that is known by its own name.
pub(crate) fn java(context: &mut Context<'_>, call: &Matched<'_>) {
    let archive = call.option("-jar").and_then(|option| Some((option.index, option.value.as_ref()?.text()?)));
    if let Some((index, path)) = archive
        && let Some(name) = paths::file_name(path).strip_suffix(".jar")
        && knowledge::program(name).is_some()
    {
        let mut fields = vec![Field::of(name, call.span)];
        fields.extend(call.arguments.iter().skip(index + 2).cloned());
        return context.run_command(&fields);
    }
    context.standard(call);
    super::unread::options(context, call);
}

/// What stands for the items that a carrier takes from its standard input: its words, or its lines.
fn items(context: &Context<'_>, call: &Matched<'_>, lines: bool) -> Vec<Field> {
    let ends = |c: char| c == '\0' || if lines { c == '\n' } else { c.is_whitespace() };
    let data = match call.value("--arg-file") {
        Some(file) => context.resolve_one(file).map_or(Data::Unknown, |path| context.content(&path)),
        None => context.input().clone(),
    };
    match data {
        // The terminal, or what the text's own surroundings bring.
        Data::Nothing if call.program == "parallel" => {
            vec![Field::computed(STANDARD_INPUT, call.span)]
        }
        Data::Nothing => Vec::new(),
        Data::Text(text) => text
            .split(ends)
            .filter(|word| !word.is_empty())
            .take(MOST * 4)
            .map(|word| {
                let word = word.trim_matches(['"', '\'']);
                Field::of(word, call.span)
            })
            .collect(),
        Data::Paths(glob) => {
            let mut field = Field::of(glob, call.span);
            field.pattern = true;
            vec![field]
        }
        source => vec![Field { source, ..Field::computed(STANDARD_INPUT, call.span) }],
    }
}

/// Runs what a carrier runs on items that a person would type: mostly there are none, so that nothing is read, but
/// what would be done to them is shown.
fn run_on_typed(context: &mut Context<'_>, run: impl FnOnce(&mut Context<'_>, Field)) {
    let first = context.found.effects.len();
    let item = Field::computed(STANDARD_INPUT, context.scope().span);
    run(context, item);
    let mut index = 0;
    context.found.effects.retain(|effect| {
        index += 1;
        let reads = effect.kind == Kind::Read && matches!(effect.target, Some(Target::Unresolved(_)));
        index <= first || !reads
    });
}

/// `xargs COMMAND`: the items come last, or take the place of a mark.
pub(crate) fn xargs(context: &mut Context<'_>, call: &Matched<'_>) {
    if let Some(file) = call.value("--arg-file") {
        context.path(Kind::Read, file);
    }
    if call.operands.is_empty() {
        if *context.input() == Data::Nothing {
            context.doubt(call.span, "there is no command, and a person would have to type what it shows");
        }
        return;
    }
    if call.has("--interactive") {
        context.doubt(call.span, "asks a person before it runs something");
    }
    let mark = call
        .option("--replace")
        .or_else(|| call.option("-I"))
        .map(|option| option.value.as_ref().and_then(Field::text).unwrap_or("{}").to_owned());
    let lines =
        mark.is_some() || call.has("--null") || call.value("--delimiter").is_some_and(|text| text.is("\\n"));
    let items = items(context, call, lines);
    if items.is_empty() && call.has("--no-run-if-empty") && *context.input() != Data::Nothing {
        return;
    }
    match mark {
        None if *context.input() == Data::Nothing && !call.has("--arg-file") => {
            run_on_typed(context, |context, item| {
                let mut fields = call.operands.clone();
                fields.push(item);
                context.run_command(&fields);
            });
        }
        None => {
            let mut fields = call.operands.clone();
            fields.extend(items);
            context.run_command(&fields);
        }
        Some(mark) if *context.input() == Data::Nothing && !call.has("--arg-file") => {
            run_on_typed(context, |context, item| {
                let fields: Vec<Field> =
                    call.operands.iter().map(|field| replaced(field, &mark, &item)).collect();
                context.run_command(&fields);
            });
        }
        Some(mark) => {
            let all = if items.is_empty() { vec![Field::of("", call.span)] } else { items };
            for item in all.iter().take(MOST) {
                let fields: Vec<Field> =
                    call.operands.iter().map(|field| replaced(field, &mark, item)).collect();
                context.run_command(&fields);
            }
            if !call.operands.iter().any(|field| field.written.contains(mark.as_str())) {
                // The mark stands nowhere: the items go nowhere, or where they go without one.
                let fields: Vec<Field> = call.operands.iter().chain(&all).cloned().collect();
                context.possibly(|context| context.run_command(&fields));
            }
            // `xargs -I{} sh -c 'ls {}'`: what the input holds becomes part of a text that a shell reads.
            let is_plain = call
                .operands
                .first()
                .and_then(Field::text)
                .is_some_and(|name| knowledge::has_facet(paths::file_name(name), Facet::Plain));
            let is_part =
                |field: &Field| field.written.contains(mark.as_str()) && field.written.contains(' ');
            if !is_plain && call.operands.iter().any(is_part) {
                context.doubt(call.span, "what the input holds becomes part of a text that runs");
            }
        }
    }
}

/// The field with every mark replaced by the item.
pub(super) fn replaced(field: &Field, mark: &str, item: &Field) -> Field {
    if mark.is_empty() || !field.written.contains(mark) {
        return field.clone();
    }
    if field.is(mark) {
        return Field { span: field.span, ..item.clone() };
    }
    let inside = if item.written == STANDARD_INPUT { STANDARD_INPUT_VARIABLE } else { &item.written };
    let written = field.written.replace(mark, inside);
    let text = match (field.text(), item.text()) {
        (Some(text), Some(item)) => Some(text.replace(mark, item)),
        _ => None,
    };
    Field { text, written, pattern: field.pattern || item.pattern, span: field.span, ..Field::default() }
}

/// `parallel COMMAND ::: ITEMS`: every line goes to a shell.
pub(crate) fn parallel(context: &mut Context<'_>, call: &Matched<'_>) {
    for file in call.values("--arg-file") {
        context.path(Kind::Read, file);
    }
    if call.has("--sshlogin") || call.has("--sshloginfile") {
        context.effect(Kind::RemoteShell);
    }
    let at = call
        .operands
        .iter()
        .position(|field| field.written.starts_with(":::"))
        .unwrap_or(call.operands.len());
    let (words, rest) = call.operands.split_at_checked(at).unwrap_or((&call.operands, &[]));
    context.doubt(call.span, "the lines that it puts together go to a shell");
    if call.has("--pipe") && !words.is_empty() {
        // The lines are the commands' input, not their arguments.
        return context.run_command(words);
    }
    let listed: Vec<Field> = rest.iter().filter(|field| !field.written.starts_with(":::")).cloned().collect();
    let items = if rest.is_empty() { items(context, call, true) } else { listed };
    if words.is_empty() {
        // The items are the commands.
        for item in items.iter().take(MOST) {
            context.run_shell(item);
        }
        return;
    }
    if rest.is_empty() && *context.input() == Data::Nothing && !call.has("--arg-file") {
        let first = context.found.effects.len();
        let item = Field::computed(STANDARD_INPUT_VARIABLE, context.scope().span);
        run_on_typed(context, |context, _| parallel_item(context, words, &item));
        return ask_what_is_unseen(context, words, &item, first);
    }
    for item in items.iter().take(MOST) {
        parallel_item(context, words, item);
    }
}

/// The words with the item in them: in place of the marks, or behind them.
fn with_item(words: &[Field], item: &Field) -> Vec<Field> {
    let put = |field: &Field| MARKS.iter().fold(field.clone(), |field, mark| replaced(&field, mark, item));
    let mut fields: Vec<Field> = words.iter().map(put).collect();
    if !is_marked(words) {
        fields.push(item.clone());
    }
    fields
}

fn is_marked(words: &[Field]) -> bool {
    MARKS.iter().any(|mark| words.iter().any(|field| field.written.contains(mark)))
}

/// One command for each line of what nobody sees: where that can be an option, the command is any of its own.
fn ask_what_is_unseen(context: &mut Context<'_>, words: &[Field], item: &Field, first: usize) {
    let reads = |kind: Kind| matches!(kind, Kind::Read | Kind::RemoteRead);
    let only_reads = context.found.effects.iter().skip(first).all(|effect| reads(effect.kind));
    if !only_reads && may_steer(words, item) {
        context.unknown(Unknown::Command, context.scope().span);
        context.annotate("the arguments come from an input that nobody sees");
    }
}

/// Can the item be more to the command than an operand: an option, a subcommand, a program's text?
fn may_steer(words: &[Field], item: &Field) -> bool {
    let fields = with_item(words, item);
    let Some((word, arguments)) = fields.split_first() else { return false };
    let Some(program) = word.text().and_then(|text| knowledge::program(paths::file_name(text))) else {
        return true;
    };
    // It has marks of its own, and takes the others for parts of its expression.
    if program.name() == "find" && is_marked(words) {
        return false;
    }
    let call = match_call(program, word, arguments, word.span);
    let is_item = |field: &Field| field.written.contains(item.written.as_str());
    // The words behind a script are the script's own.
    let scripted = listed_operands(&call).first().is_some_and(|operand| operand.role == Role::Script);
    let certain = if scripted { 1 } else { call.after_dashes.unwrap_or(call.operands.len()) };
    let runs = |role: Role| {
        !role.names_target()
            && role.file_effects().is_empty()
            && !matches!(role, Role::Text | Role::Number | Role::Name | Role::Format | Role::Url | Role::Host)
    };
    let by_value = call.options.iter().any(|option| match option.specification.value() {
        ValueForm::Required(role) | ValueForm::Optional(role) | ValueForm::Attached(role) => {
            runs(role) && option.value.as_ref().is_some_and(is_item)
        }
        ValueForm::None => false,
    });
    by_value || call.unlisted.iter().chain(call.operands.iter().take(certain)).any(is_item)
}

/// The words are put together and go to a shell, the item in quotes.
fn parallel_item(context: &mut Context<'_>, words: &[Field], item: &Field) {
    let is_text =
        |field: &Field| field.written.contains(['|', ';', '&', '<', '>']) && !field.written.contains(' ');
    let fields = with_item(words, item);
    if words.len() == 1 || words.iter().any(is_text) {
        context.run_shell(&joined(&fields));
    } else {
        context.run_command(&fields);
    }
}

/// What `parallel` puts an item, or a part of one, in place of.
const MARKS: [&str; 9] = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{#}", "{%}"];

/// `hookgate`: what loosens the gate is a person's.
pub(crate) fn hookgate(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if call.has("--write-baseline") {
        call.values("--baseline").for_each(|file| context.path(Kind::Write, file));
    }
    // Nobody has said what such an option does: a writer of its own, at worst.
    if !call.unlisted.is_empty() || !call.doubted.is_empty() {
        context.effect_on(Kind::Gate, Target::Name("hookgate".to_owned()));
    }
}

/// `make --eval TEXT` and `make VARIABLE='$(shell ...)'` run what they say.
pub(crate) fn make(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let assigned = call.operands.iter().filter(|field| field.written.contains('='));
    for text in call.values("--eval").chain(assigned) {
        if text.written.contains("$(shell")
            || text.written.contains("!=")
            || (call.has("--eval") && text.text().is_none())
        {
            context.unknown(Unknown::Command, text.span);
        }
    }
}
