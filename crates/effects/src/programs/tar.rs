//! GNU tar: packs and unpacks, through programs that it is told of.
//!
//! What is said here of `-I` and of `TAR_OPTIONS` was seen with tar 1.34 under `strace`.

use std::rc::Rc;

use super::brought;
use super::network::ARCHIVE;
use crate::context::Context;
use crate::effect::{Kind, Unknown};
use crate::field::{Data, Field};
use crate::inside::MAXIMUM_SCRIPT;
use crate::knowledge::{Matched, shipped};
use crate::state::Opened;

/// How many names of a list are followed.
const MOST_LISTED: usize = 256;

/// The letters of the old spelling that take a value.
const WITH_VALUE: &str = "bCfFgHIKLNTVX";

/// The arguments as tar reads them: those of `TAR_OPTIONS` first, the old spelling without a dash (`xzf NAME`) spelled
/// out, so that the word that is its archive is never taken for an option. The number is that of the first ones.
pub(crate) fn spelled_out(context: &Context<'_>, arguments: &[Field]) -> Option<(Vec<Field>, usize)> {
    let mut all = from_environment(context).unwrap_or_default();
    let count = all.len();
    let old = arguments.split_first().filter(|(first, _)| {
        !first.written.is_empty() && first.written.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    let Some((letters, rest)) = old else {
        all.extend(arguments.iter().cloned());
        return (count > 0).then_some((all, count));
    };
    let mut rest = rest.iter();
    for letter in letters.written.chars() {
        all.push(Field { bare: false, ..Field::of(format!("-{letter}"), letters.span) });
        if WITH_VALUE.contains(letter) {
            all.extend(rest.next().cloned());
        }
    }
    all.extend(rest.cloned());
    Some((all, count))
}

/// The words of `TAR_OPTIONS`, where it is known: tar parts them at blanks and takes quotes and backslashes off.
fn from_environment(context: &Context<'_>) -> Option<Vec<Field>> {
    let text = context.state.variable("TAR_OPTIONS")?.text()?;
    Some(words(text).into_iter().map(|word| Field::of(word, context.scope().span)).collect())
}

/// The words of a text; nothing in it is expanded.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), character) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, character) if character.is_whitespace() => words.extend(word.take()),
            (_, character) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// What `tar` does.
pub(crate) fn tar(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let packs = call.has("--create");
    let adds = call.has("--append") || call.has("--update");
    match compressor(context, call) {
        Compressor::None => {}
        Compressor::Refused => {
            context.doubt(call.span, "names two programs that compress, which tar refuses");
        }
        Compressor::Runs(_) if adds && !packs => {
            context.doubt(call.span, "adds to an archive that is compressed, which tar refuses");
        }
        Compressor::Runs(program) if packs => context.run_shell(&program),
        Compressor::Runs(program) => unpacks_with(context, &program),
    }
    for action in call.values("--checkpoint-action") {
        if let Some(command) = action.written.strip_prefix("exec=") {
            match action.text() {
                Some(_) => context.run_shell_text(command),
                None => context.run_shell(&action.after("exec=".len())),
            }
        }
    }
    let archive = call.value("--file").cloned();
    // Each member of an archive that is unpacked is given to the command, unless all of them are printed.
    if let Some(command) = call.value("--to-command")
        && !call.has("--list")
        && !packs
        && !call.has("--to-stdout")
    {
        context.within(|scope| scope.input = Rc::new(Data::Archive), |context| context.run_shell(command));
    }
    // It is what is called at the other end.
    let far = match &archive {
        Some(archive) => archive.written.contains(':') && !call.has("--force-local"),
        None => context.variable("TAPE").is_none_or(|tape| tape.contains(':')),
    };
    if let Some(command) = call.values("--rmt-command").last().filter(|_| far) {
        context.run_shell(command);
    }
    files(context, call, archive.as_ref(), packs || adds || call.has("--delete"));
}

/// The names in the lists that `-T` names; `None` where one of them isn't known.
fn listed(context: &mut Context<'_>, call: &Matched<'_>) -> Option<Vec<Field>> {
    let mut names = Vec::new();
    for list in call.values("--files-from") {
        let data = match &list.process {
            Some(data) => (**data).clone(),
            None if list.is("-") => context.input().clone(),
            None => Data::File(context.resolve_one(list)?),
        };
        let text = match data {
            Data::Text(text) => text,
            Data::File(path) => context.look(&path, MAXIMUM_SCRIPT).text()?,
            _ => return None,
        };
        let lines = text.split(['\n', '\0']).filter(|line| !line.is_empty()).take(MOST_LISTED);
        names.extend(lines.map(|line| Field { literal: true, ..Field::of(line, list.span) }));
    }
    Some(names)
}

/// The files that are packed, or those that come out.
fn files(context: &mut Context<'_>, call: &Matched<'_>, archive: Option<&Field>, changes: bool) {
    if let Some(archive) = archive {
        if let Some(Opened::Connection(host)) =
            descriptor(archive).and_then(|number| context.state.opened(number)).cloned()
            && changes
            && !call.has("--no-recursion")
        {
            context.effect_on(Kind::Exfiltrate, host);
            context.annotate(ARCHIVE);
        }
        if archive.written.contains(':') && !archive.written.starts_with('/') && !call.has("--force-local") {
            context.host(if changes { Kind::Upload } else { Kind::Download }, archive);
        } else {
            context.path(if changes { Kind::Write } else { Kind::Read }, archive);
        }
    }
    let directory = call.value("--directory");
    if changes {
        let listed = listed(context, call);
        if listed.is_none() && call.has("--remove-files") {
            context.unknown_about(Unknown::Target, None, call.span);
            context.annotate("which files are removed stands in a list that isn't known");
        }
        for source in call.operands.iter().chain(&listed.unwrap_or_default()) {
            let from = |context: &mut Context<'_>| {
                context.tree(Kind::Read, source);
                brought::pack(context, source);
                if call.has("--remove-files") {
                    context.tree(Kind::Delete, source);
                }
            };
            match directory {
                Some(directory) => context.in_directory(directory, from),
                None => from(context),
            }
        }
    } else if call.has("--extract") && !call.has("--to-stdout") && !call.has("--to-command") {
        let data = held(context, call, archive);
        let strip = call.value("--strip-components").and_then(Field::text);
        let strip = strip.and_then(|text| text.parse().ok()).unwrap_or(0);
        // bsdtar's `-s`, which is a flag of GNU's: `,OLD,NEW,`
        let is_expression = |field: &&Field| {
            field.written.starts_with([',', '|', '#', '@', '/']) && call.has("--preserve-order")
        };
        let expressions = call.values("--transform").chain(call.operands.iter().filter(is_expression));
        let renamed: Vec<Field> = expressions.flat_map(replacements).collect();
        let unpack = |context: &mut Context<'_>| {
            brought::unpack(context, &data, &call.operands, strip);
            for name in &renamed {
                if context.is_guarded(name) || context.is_guarded_tree(name) {
                    context.possibly(|context| context.tree(Kind::Write, name));
                }
            }
        };
        match directory {
            Some(directory) if context.resolve(directory).is_none() => context.tree(Kind::Write, directory),
            Some(directory) => context.in_directory(directory, unpack),
            None => unpack(context),
        }
    }
}

/// What `--transform s/OLD/NEW/` puts into names, of several expressions each, and the folders in it: what is put there may
/// be a beginning only. What leads up is taken off.
fn replacements(expression: &Field) -> Vec<Field> {
    let mut found = Vec::new();
    for one in expression.text().unwrap_or_default().split(';') {
        // `bsdtar -s ,OLD,NEW,` has no letter in front.
        let text = one.trim().strip_prefix('s').unwrap_or(one.trim());
        let Some(by) = text.chars().next() else { continue };
        let mut new = text.split(by).nth(2).unwrap_or_default();
        while let Some(rest) = new.strip_prefix("../").or_else(|| new.strip_prefix("./")) {
            new = rest;
        }
        while !new.is_empty() {
            found.push(Field { literal: true, ..Field::of(new, expression.span) });
            new = new.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
    }
    found
}

/// What the archive is that comes out; unknown where its members get other names.
fn held(context: &Context<'_>, call: &Matched<'_>, archive: Option<&Field>) -> Data {
    if call.has("--transform") {
        return Data::Unknown;
    }
    match archive.filter(|archive| !archive.is("-")) {
        Some(archive) => context.resolve_one(archive).map_or(Data::Unknown, |path| context.content(&path)),
        None => context.input().clone(),
    }
}

/// The number of the descriptor that a path names.
fn descriptor(path: &Field) -> Option<u32> {
    let text = path.text()?;
    ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|start| text.strip_prefix(start))?.parse().ok()
}

/// Is what the call packs printed?
pub(crate) fn packs_to_output(call: &Matched<'_>) -> bool {
    let printed = |file: &Field| file.is("-") || file.is("/dev/stdout") || descriptor(file) == Some(1);
    packs(call) && call.value("--file").is_none_or(printed)
}

/// Does it pack whole trees?
pub(crate) fn packs(call: &Matched<'_>) -> bool {
    call.has("--create") && !call.has("--no-recursion")
}

/// What a call is told to compress with.
enum Compressor {
    /// Nothing, or one of tar's own programs.
    None,
    /// Two that differ: tar says so and stops.
    Refused,
    /// This command.
    Runs(Field),
}

/// The last one counts; of two different ones on the command line itself tar takes neither.
fn compressor(context: &Context<'_>, call: &Matched<'_>) -> Compressor {
    let inherited = spelled_out(context, &[]).map_or(0, |(_, count)| count);
    let own_programs = shipped().table("tar/programs");
    let mut named: Vec<(bool, &str, Option<&Field>)> = Vec::new();
    for option in &call.options {
        let own = option.index >= inherited;
        let has = |name: &str| option.specification.is_named(name);
        if has("--use-compress-program") {
            named.extend(option.value.as_ref().map(|value| (own, value.written.as_str(), Some(value))));
        } else if let Some(program) =
            own_programs.rows().find(|row| has(row.key())).and_then(|row| row.cell(0))
        {
            named.push((own, program, None));
        }
    }
    let Some((_, _, last)) = named.last() else { return Compressor::None };
    let mut own = named.iter().filter(|(own, ..)| *own).map(|(_, program, _)| program);
    let computed = named.iter().any(|(_, _, value)| value.is_some_and(|value| value.text.is_none()));
    let first = own.next();
    if !computed && own.any(|program| Some(program) != first) {
        return Compressor::Refused;
    }
    last.map_or(Compressor::None, |value| Compressor::Runs(value.clone()))
}

/// What unpacks gets its words from tar itself, not from a shell, and `-d` behind them.
fn unpacks_with(context: &mut Context<'_>, program: &Field) {
    let Some(text) = program.text() else { return context.run_shell(program) };
    let mut fields: Vec<Field> = words(text).into_iter().map(|word| Field::of(word, program.span)).collect();
    if fields.is_empty() {
        return;
    }
    for field in fields.iter_mut().filter(|field| field.written.contains('$')) {
        // Variables are expanded, and nothing else.
        field.text = None;
    }
    fields.push(Field::of("-d", program.span));
    context.run_command(&fields);
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_parted_and_lose_their_quotes() {
        assert_eq!(words("-I 'a b' --x=\"c d\"e f\\ g"), ["-I", "a b", "--x=c de", "f g"]);
        assert_eq!(words("a; b >c $(d)"), ["a;", "b", ">c", "$(d)"]);
        assert_eq!(words("  '' "), [""]);
    }
}
