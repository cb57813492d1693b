//! Files that a call writes beside those that it names: backups, compressed files, pieces.

use super::brought;
use crate::context::{Context, Ready};
use crate::effect::{Kind, Target};
use crate::field::Field;
use crate::knowledge::{self, Matched};
use crate::world::EntryKind;

/// A file is written whose name is that of another with this behind it; with a `*` in it, that stands for the name.
pub(super) fn beside(context: &mut Context<'_>, file: &Field, suffix: &str) {
    let named = |text: &str| {
        let (folder, name) = text.rsplit_once('/').map_or(("", text), |(folder, name)| (folder, name));
        let name = if suffix.contains('*') { suffix.replace('*', name) } else { format!("{name}{suffix}") };
        if text.contains('/') { format!("{folder}/{name}") } else { name }
    };
    let beside = Field {
        text: file.text().map(named),
        written: named(&file.written),
        span: file.span,
        pattern: file.pattern,
        ..Field::default()
    };
    context.path(Kind::Write, &beside);
}

/// A pattern of files is written.
fn pieces(context: &mut Context<'_>, prefix: &Field) {
    let field = Field {
        text: prefix.text().map(|text| format!("{text}*")),
        written: format!("{}*", prefix.written),
        span: prefix.span,
        pattern: true,
        ..Field::default()
    };
    context.path(Kind::Write, &field);
}

/// `plutil -extract KEY FORMAT`: what it takes out replaces the file, but a raw value, which is printed.
pub(crate) fn plutil(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let replaces = call.value("-extract").is_some_and(|format| format.text() != Some("raw"));
    if replaces && !call.has("-o") {
        context.effect(Kind::Write);
    }
}

/// `cp`, `mv`, `install`: with backups, and with whole directories.
pub(crate) fn copy(context: &mut Context<'_>, call: &Matched<'_>) {
    let first = context.found.effects.len();
    context.standard(call);
    let Some(Destination { field: destination, sources, inside }) = Destination::of(context, call) else {
        return;
    };
    if call.has("-b") || call.has("--backup") {
        let simple = call.value("--suffix").and_then(Field::text).unwrap_or("~").to_owned();
        let numbered = call.value("--backup").is_some();
        let kept = if numbered { destination } else { &suffixed(destination, &simple) };
        if numbered {
            pieces(context, kept);
        } else {
            context.path(Kind::Write, kept);
        }
    }
    // With `--parents` it always is a directory, and the whole path goes into it.
    let whole = call.has("--parents");
    if inside || whole {
        name_files(context, first, Kind::Write, destination, sources, whole);
    }
    if call.has("--link") {
        second_names(context, sources);
    }
    let whole_folders = ["--recursive", "--archive"].iter().any(|name| call.has(name));
    let moves = call.program == "mv";
    let meant: Vec<Field> = if whole_folders || moves {
        sources.iter().flat_map(|source| hidden(context, source)).collect()
    } else {
        Vec::new()
    };
    for source in &meant {
        folder(context, source, destination, inside);
    }
    for source in meant.iter().filter(|_| moves) {
        let entry = context.resolve_one(source).and_then(|path| context.world().entry(&path));
        if entry.is_some_and(|entry| entry.kind == EntryKind::Directory) {
            let target = if inside { below(destination, source, false) } else { Some(destination.clone()) };
            context.tree(Kind::Move, source);
            if let Some(target) = target {
                context.tree(Kind::Write, &target);
            }
        }
    }
}

/// What a pattern of hidden names stands for; anything else is itself.
fn hidden(context: &Context<'_>, source: &Field) -> Vec<Field> {
    let is_hidden = source.pattern
        && !source.names
        && source.text().is_some_and(|text| crate::paths::file_name(text).starts_with('.'));
    if is_hidden { brought::meant(context, source) } else { vec![source.clone()] }
}

/// A folder is copied or moved: what guards are about in it lies elsewhere then.
fn folder(context: &mut Context<'_>, source: &Field, destination: &Field, inside: bool) {
    let contents = matches!(source.shown().rsplit('/').next(), Some("." | ".."));
    match below(destination, source, false).filter(|_| inside && !contents) {
        Some(target) => brought::copied(context, source, &target),
        None => brought::copied(context, source, destination),
    }
}

/// `rsync A/ B`: what is in the folder, without the slash the folder itself.
pub(super) fn synchronised(context: &mut Context<'_>, source: &Field, destination: &Field) {
    for source in hidden(context, source) {
        folder(context, &source, destination, !source.shown().ends_with('/'));
    }
}

/// `git mv`, whose effects begin at `first`.
pub(super) fn moved(context: &mut Context<'_>, call: &Matched<'_>, first: usize) {
    let Some(Destination { field, sources, inside }) = Destination::of(context, call) else { return };
    if inside {
        name_files(context, first, Kind::Write, field, sources, false);
    }
}

/// `ln`: the link lies in a directory, or has the name that is given.
pub(crate) fn link(context: &mut Context<'_>, call: &Matched<'_>) {
    let first = context.found.effects.len();
    context.standard(call);
    let Some(Destination { field, sources, inside }) = Destination::of(context, call) else { return };
    if !call.has("--symbolic") {
        second_names(context, sources);
    }
    if inside && !call.has("--no-dereference") {
        name_files(context, first, Kind::Link, field, sources, false);
    }
}

/// A second name of the same file: whoever writes to that one writes to it.
fn second_names(context: &mut Context<'_>, files: &[Field]) {
    for file in files {
        if context.is_guarded(file) {
            context.possibly(|context| context.path(Kind::Write, file));
        }
    }
}

/// Where something is copied, moved or linked to.
struct Destination<'a> {
    field: &'a Field,
    sources: &'a [Field],
    /// It is a directory that is there: the sources keep their names in it.
    inside: bool,
}

impl<'a> Destination<'a> {
    fn of(context: &Context<'_>, call: &'a Matched<'_>) -> Option<Destination<'a>> {
        let named = call.value("--target-directory");
        let (field, sources) = match (named, call.operands.split_last()) {
            (Some(directory), _) => (directory, call.operands.as_slice()),
            (None, Some((last, sources))) => (last, sources),
            (None, None) => return None,
        };
        let makes_directories = call.program == "install" && (call.has("-d") || call.has("--directory"));
        let inside = !makes_directories
            && !call.has("--no-target-directory")
            && (named.is_some() || sources.len() > 1 || is_directory(context, field));
        Some(Destination { field, sources, inside })
    }
}

/// Is it a directory, by how it is written or by what is there?
fn is_directory(context: &Context<'_>, field: &Field) -> bool {
    let text = field.shown();
    if text.ends_with('/') || matches!(text.rsplit('/').next(), Some("." | "..")) {
        return true;
    }
    let Some(path) = context.resolve_one(field) else { return false };
    let places = context.places();
    path == places.project
        || path == places.home
        || places.temporary.contains(&path)
        || context.world().entry(&path).is_some_and(|entry| entry.kind == EntryKind::Directory)
}

/// The source's name in a directory, or its whole path; none where that isn't known.
fn below(directory: &Field, source: &Field, whole: bool) -> Option<Field> {
    let text = source.text()?.trim_end_matches('/');
    let name = if whole { text } else { crate::paths::file_name(text) };
    if name.is_empty() || matches!(name, "." | ".." | "*") {
        return None;
    }
    let inside = suffixed(directory, if directory.shown().ends_with('/') { "" } else { "/" });
    Some(Field { pattern: directory.pattern || source.pattern, ..suffixed(&inside, name) })
}

/// Names the files in a directory that a call writes, in the place of the directory.
fn name_files(
    context: &mut Context<'_>,
    first: usize,
    kind: Kind,
    directory: &Field,
    sources: &[Field],
    whole: bool,
) {
    let sources = sources.iter().flat_map(|source| hidden(context, source));
    let named: Option<Vec<Field>> = sources.map(|source| below(directory, &source, whole)).collect();
    let (Some(named), Some(paths)) = (named, context.resolve(directory)) else { return };
    if named.is_empty() {
        return;
    }
    let mut recursive = false;
    let mut index = 0;
    context.found.effects.retain(|effect| {
        index += 1;
        let is_directory = index > first
            && effect.kind == kind
            && matches!(&effect.target, Some(Target::Path(fact)) if paths.contains(&fact.path));
        recursive |= is_directory && effect.recursive;
        !is_directory
    });
    for file in named {
        context.file_effect(kind, &file, recursive);
    }
}

fn suffixed(field: &Field, suffix: &str) -> Field {
    Field {
        text: field.text().map(|text| format!("{text}{suffix}")),
        written: format!("{}{suffix}", field.written),
        span: field.span,
        pattern: field.pattern,
        ..Field::default()
    }
}

/// `gzip FILES` and its like: each file becomes another one.
pub(crate) fn compress(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let word = crate::paths::file_name(call.word.shown()).to_owned();
    // What is unpacked from it may be an archive of files.
    for path in call.operands.iter().filter_map(|file| context.resolve_one(file)).collect::<Vec<_>>() {
        Ready::keep(&mut context.ready.archives, path);
    }
    let quiet = ["--stdout", "--test", "--list", "--output"].iter().any(|name| call.has(name));
    if quiet || word.ends_with("cat") {
        return;
    }
    let program = word.trim_start_matches("un").trim_start_matches("pb").trim_start_matches('p');
    let endings = knowledge::shipped().table("families/compressors/endings");
    let Some(own) = endings.find(program).and_then(|row| row.cell(0)) else { return };
    let suffix = call.value("--suffix").and_then(Field::text).unwrap_or(own).to_owned();
    let suffix = if suffix.starts_with('.') { suffix } else { format!(".{suffix}") };
    let unpacks = call.has("--decompress") || word.contains("un");
    for file in call.operands.iter().filter(|_| !call.has("--recursive")) {
        match file.text().filter(|_| unpacks).and_then(|text| text.rsplit_once('.')) {
            Some((stem, _)) => {
                context.path(Kind::Write, &Field { text: Some(stem.to_owned()), ..file.clone() });
            }
            None if unpacks => {}
            None => beside(context, file, &suffix),
        }
    }
}

/// `split FILE PREFIX`, `csplit -f PREFIX FILE PATTERNS`: files that begin like the prefix.
pub(crate) fn split(context: &mut Context<'_>, call: &Matched<'_>) {
    // The feature flags of Split have a client of the same name: more words than a file and a prefix.
    let words: Vec<&str> = call.operands.iter().map(Field::shown).collect();
    if words.windows(3).any(
        |three| matches!(three, [what, "delete" | "kill" | "remove" | "archive", _] if what.ends_with('s')),
    ) {
        return context.effect(Kind::RemoteDelete);
    }
    context.standard(call);
    let (prefix, otherwise) = match call.program {
        "csplit" => (call.value("--prefix"), "xx"),
        _ => (call.operands.get(1), "x"),
    };
    if !call.has("--filter") {
        pieces(context, &prefix.cloned().unwrap_or_else(|| Field::of(otherwise, call.span)));
    }
}
