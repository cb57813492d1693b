//! What archives, patches, branches and copied folders bring: the files themselves, where they can be listed.

use std::collections::BTreeSet;

use crate::context::{Context, Ready};
use crate::effect::{Kind, Traits};
use crate::field::{Data, Field};
use crate::knowledge::Matched;
use crate::world::{EntryKind, Step, Taken};

/// How many files are named one by one.
const MOST: usize = 64;
/// How many more of those that may be guarded.
const MOST_HIDDEN: usize = 256;
/// How many files of a folder are looked at, and how deep.
const MOST_LISTED: usize = 1_024;
const DEEPEST: usize = 6;

/// These files are written, seen from the working directory: one by one where they are few. Of many, those that guards are
/// about are named, and the folders that the others lie in.
pub(super) fn bring(context: &mut Context<'_>, names: &[String]) {
    let names: BTreeSet<&str> = names
        .iter()
        .map(|name| name.trim_start_matches("./").trim_end_matches('/'))
        .filter(|name| !name.is_empty() && *name != ".")
        .collect();
    if names.len() <= MOST {
        for name in names {
            write(context, name, false);
        }
        return;
    }
    let root = context.places().project.clone();
    let mut folders = BTreeSet::new();
    let mut hidden = 0;
    for name in names {
        if name.split('/').any(|part| part.starts_with('.')) && hidden < MOST_HIDDEN {
            hidden += 1;
            if context.is_guarded(&Field::of(name, context.scope().span)) {
                write(context, name, false);
            }
        }
        let below = name.strip_prefix(&*root).map_or(name, |rest| rest.trim_start_matches('/'));
        let before = name.strip_suffix(below).unwrap_or_default();
        match below.split_once('/') {
            Some((folder, _)) => folders.insert((format!("{before}{folder}"), true)),
            None => folders.insert((name.to_owned(), false)),
        };
    }
    if folders.len() > MOST {
        return context.path_text(Kind::Write, ".", true);
    }
    for (folder, whole) in folders {
        write(context, &folder, whole);
    }
}

/// A name in a list is no pattern, whatever it looks like.
fn write(context: &mut Context<'_>, name: &str, whole: bool) {
    let field = Field { literal: true, ..Field::of(name, context.scope().span) };
    context.file_effect(Kind::Write, &field, whole);
}

/// What comes out of an archive, seen from the working directory: its members where they can be listed, else anything.
/// `picked` are the members that the call names, `strip` how many folders their names lose.
pub(super) fn unpack(context: &mut Context<'_>, archive: &Data, picked: &[Field], strip: usize) {
    let listed = match archive {
        Data::File(path) => context.world().members(path),
        _ => None,
    };
    let Some(members) = listed else {
        packed(context, strip);
        return context.path_text(Kind::Write, ".", true);
    };
    let plain: Option<Vec<&str>> =
        picked.iter().map(|field| field.text().filter(|_| !field.pattern)).collect();
    let is_picked = |member: &str| match &plain {
        // A pattern of members may be any of them.
        None => true,
        Some(names) if names.is_empty() => true,
        Some(names) => names.iter().any(|name| {
            let member = member.trim_start_matches("./");
            let name = name.trim_start_matches("./").trim_end_matches('/');
            member.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                || name.contains(['*', '?', '['])
        }),
    };
    let picked = members.iter().filter(|member| is_picked(member));
    let names: Vec<String> = picked.filter_map(|member| stripped(member, strip)).collect();
    bring(context, &names);
}

/// The name of a member without its first folders.
fn stripped(member: &str, strip: usize) -> Option<String> {
    let mut rest = member.trim_start_matches('/');
    for _ in 0..strip {
        rest = rest.split_once('/')?.1;
    }
    // `a/../../b` and its like are refused, or lose what leads up.
    Some(rest.split('/').filter(|part| *part != "..").collect::<Vec<_>>().join("/"))
}

/// What the text itself has packed comes out, where guards are about it.
fn packed(context: &mut Context<'_>, strip: usize) {
    let names = context.ready.packed.iter().filter_map(|name| stripped(name, strip));
    for name in names.collect::<Vec<_>>() {
        let field = Field { literal: true, ..Field::of(name, context.scope().span) };
        if context.is_guarded(&field) || context.has_traits(&field, Traits::GIT_HOOK) {
            context.possibly(|context| context.file_effect(Kind::Write, &field, false));
        }
    }
}

/// An archive is made of a tree: keeps the names of what guards may be about in it.
pub(super) fn pack(context: &mut Context<'_>, source: &Field) {
    let Some(name) = source.text().map(|text| text.trim_start_matches("./").trim_end_matches('/').to_owned())
    else {
        return;
    };
    let is_hidden = |name: &str| name.split('/').any(|part| part.starts_with('.') && part.len() > 1);
    let below =
        if context.is_directory(source) { files_in(context, source, is_hidden(&name)) } else { Vec::new() };
    let name = if name == "." { String::new() } else { name };
    let names = below.iter().map(|below| format!("{name}/{below}"));
    for name in names.chain(Some(name.clone())).filter(|name| is_hidden(name)) {
        Ready::keep(&mut context.ready.packed, name.trim_start_matches('/').to_owned());
    }
}

/// The same, of an archive that a program text has opened, into a directory that it names.
pub(crate) fn unpack_archive(context: &mut Context<'_>, archive: Option<&Field>, directory: &Field) {
    let path = archive.and_then(|archive| context.resolve_one(archive));
    let listed = path.filter(|path| context.world().members(path).is_some());
    match listed {
        Some(path) if context.resolve(directory).is_some() => {
            context.in_directory(directory, |context| unpack(context, &Data::File(path), &[], 0));
        }
        _ => context.tree(Kind::Write, directory),
    }
}

/// What a call of git puts into the work tree.
pub(super) fn step(context: &mut Context<'_>, call: &Matched<'_>, by: Step<'_>) {
    let elsewhere = ["--git-dir", "--work-tree"].iter().any(|name| call.has(name));
    let Some(directory) = context.directory().map(str::to_owned).filter(|_| !elsewhere) else { return };
    let known = context.world().brought(&directory, by);
    // What a call before it in the text has fetched is not there yet; under which name is anybody's guess.
    let fetched = match by {
        Step::To(name) | Step::Onto(name) | Step::Of(name)
            if known.is_none() || name.ends_with("FETCH_HEAD") =>
        {
            context.ready.fetched.as_slice()
        }
        _ => &[],
    };
    let pulled = fetched
        .iter()
        .filter_map(|(source, name)| context.world().brought(&directory, Step::Pulled { source, name }));
    let files: Vec<String> = known.into_iter().chain(pulled).flatten().collect();
    if files.is_empty() {
        return;
    }
    // It may refuse, or find that the files are the same already.
    context.possibly(|context| bring(context, &files));
}

/// What a call of git takes out of the work tree that guards are about. Where it can't be told, what lies in the project itself.
pub(super) fn away(context: &mut Context<'_>, call: &Matched<'_>, what: Taken) {
    let elsewhere = ["--git-dir", "--work-tree"].iter().any(|name| call.has(name));
    let root = context.places().project.clone();
    let directory = if elsewhere { Some(root.clone()) } else { context.directory().map(str::to_owned) };
    let told = directory.filter(|_| !elsewhere).and_then(|at| context.world().brought(&at, Step::Away(what)));
    let is_told = told.is_some();
    let files = told.unwrap_or_else(|| {
        let names = context.world().list(&root, MOST_LISTED);
        names.into_iter().filter(|name| name.starts_with('.')).map(|name| format!("{root}/{name}")).collect()
    });
    for name in files.into_iter().take(MOST_LISTED) {
        let field = Field { literal: true, ..Field::of(name, context.scope().span) };
        if !context.is_guarded(&field) {
            continue;
        }
        if is_told {
            context.file_effect(Kind::Write, &field, false);
        } else {
            context.possibly(|context| context.file_effect(Kind::Write, &field, false));
        }
    }
}

/// The files in a folder that is copied, seen from there: those that guards may be about.
pub(super) fn hidden_in(context: &Context<'_>, folder: &Field) -> Vec<String> {
    files_in(context, folder, false)
}

fn files_in(context: &Context<'_>, folder: &Field, all: bool) -> Vec<String> {
    let Some(root) = context.resolve_one(folder) else { return Vec::new() };
    let world = context.world();
    let mut found = Vec::new();
    let mut seen = 0;
    let mut folders = vec![(String::new(), 0)];
    while let Some((below, depth)) = folders.pop().filter(|_| context.left.listed.get() > 0) {
        for name in world.list(&format!("{root}/{below}"), MOST_LISTED) {
            seen += 1;
            let left = context.left.listed.get();
            // One folder has its bound, and all folders of a text have theirs: the same one may be named a thousand times.
            if seen > MOST_LISTED || left == 0 {
                return found;
            }
            context.left.listed.set(left - 1);
            let path = format!("{below}{name}");
            match world.entry(&format!("{root}/{path}")).map(|entry| entry.kind) {
                Some(EntryKind::Directory) if depth < DEEPEST && name != ".git" => {
                    folders.push((format!("{path}/"), depth + 1));
                }
                Some(EntryKind::Directory) | None => {}
                Some(_) if all || path.split('/').any(|part| part.starts_with('.')) => found.push(path),
                Some(_) => {}
            }
        }
    }
    found
}

/// Where a function of a library puts a file that it is given a directory for; of a folder what guards are about is noted.
pub(crate) fn arriving(context: &mut Context<'_>, source: &Field, directory: Field) -> Field {
    if context.is_directory(source) {
        copied(context, source, &directory);
        return directory;
    }
    let Some(name) = source.text().map(crate::paths::file_name).filter(|name| !name.is_empty()) else {
        return directory;
    };
    let below = |text: &str| format!("{}/{name}", text.trim_end_matches('/'));
    Field { text: directory.text().map(below), written: below(&directory.written), ..directory }
}

/// Notes of what is copied from a folder what lies in the destination then and is guarded there.
pub(super) fn copied(context: &mut Context<'_>, folder: &Field, destination: &Field) {
    let hidden = hidden_in(context, folder);
    if hidden.is_empty() {
        return;
    }
    context.in_directory(destination, |context| {
        for name in hidden {
            let field = Field { literal: true, ..Field::of(name, context.scope().span) };
            if context.is_guarded(&field) || context.has_traits(&field, Traits::GIT_HOOK) {
                context.possibly(|context| context.file_effect(Kind::Write, &field, false));
            }
        }
    });
}
