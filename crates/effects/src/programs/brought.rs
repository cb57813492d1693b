//! What archives, patches, branches and copied folders bring: the files themselves, where they can be listed.

use std::collections::BTreeSet;

use crate::context::{Context, Filling, Ready};
use crate::effect::{Kind, Target, Traits};
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
    let archives = context.ready.archives.clone();
    let others = archives.iter().filter_map(|path| context.world().members(path)).flatten();
    let others: Vec<String> = others.filter_map(|name| stripped(&name, strip)).collect();
    let names = context.ready.packed.iter().filter_map(|name| stripped(name, strip));
    for name in names.collect::<Vec<_>>().into_iter().chain(others) {
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
    let is_filled = context
        .resolve_one(source)
        .is_some_and(|path| context.ready.trees.iter().any(|(at, _)| crate::paths::is_within(&path, at)));
    let below = if is_filled || context.is_directory(source) {
        files_in(context, source, is_hidden(&name))
    } else {
        Vec::new()
    };
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

/// The work tree that a call of git is about, where it is the usual one of its repository.
fn tree_of(context: &Context<'_>, call: &Matched<'_>) -> Option<String> {
    let told = |name: &str| call.value(name).map(|field| context.resolve_one(field));
    let (own, tree) = (told("--git-dir"), told("--work-tree"));
    let around = match own {
        Some(own) => Some(own?.strip_suffix("/.git")?.to_owned()),
        None => None,
    };
    match (around, tree) {
        (None, None) => context.directory().map(str::to_owned),
        (Some(around), None) => Some(around),
        (around, Some(tree)) => tree.filter(|tree| around.is_none_or(|around| around == *tree)),
    }
}

/// What a call of git puts into the work tree.
pub(super) fn step(context: &mut Context<'_>, call: &Matched<'_>, by: Step<'_>) {
    let (files, is_known) = files_of(context, call, by);
    if is_known && !files.is_empty() {
        // It may refuse, or find that the files are the same already.
        context.possibly(|context| bring(context, &files));
    }
    if !is_known {
        any(context, call, !matches!(by, Step::To(_)));
    }
}

/// The commit can't be told: what guards are about and any of those brings that have a name here.
pub(super) fn any(context: &mut Context<'_>, call: &Matched<'_>, joined: bool) {
    for name in guarded_of_any(context, call, joined) {
        let field = Field { literal: true, ..Field::of(name, context.scope().span) };
        context.possibly(|context| context.file_effect(Kind::Write, &field, false));
    }
}

fn guarded_of_any(context: &Context<'_>, call: &Matched<'_>, joined: bool) -> Vec<String> {
    let directory = tree_of(context, call);
    let files = directory.and_then(|at| context.world().brought(&at, Step::Any { joined }));
    files.into_iter().flatten().filter(|name| is_guarded(context, name)).take(MOST).collect()
}

fn is_guarded(context: &Context<'_>, name: &str) -> bool {
    name.contains("/.")
        && context.is_guarded(&Field { literal: true, ..Field::of(name, context.scope().span) })
}

/// The files that a step brings, and whether its commit can be told at all. A plain name that is nowhere is no commit.
fn files_of(context: &Context<'_>, call: &Matched<'_>, by: Step<'_>) -> (Vec<String>, bool) {
    let Some(directory) = tree_of(context, call) else { return (Vec::new(), true) };
    let world = context.world();
    let known = world.brought(&directory, by);
    let mut is_known = true;
    let mut files = Vec::new();
    match by {
        Step::To(name) | Step::Onto(name) | Step::Of(name) => {
            let is_plain = !name.contains([':', '^', '@', '{', '*', '?', '[', '~', '$', '`']);
            is_known = known.is_some() || is_plain;
            // What a call before it in the text has fetched is not there yet; under which name is anybody's guess.
            if known.is_none() || name.ends_with("FETCH_HEAD") {
                for (source, name) in &context.ready.fetched {
                    match world.brought(&directory, Step::Pulled { source, name }) {
                        Some(pulled) => files.extend(pulled),
                        None => is_known &= !is_file(context, source),
                    }
                }
            }
            for commit in context.ready.told(name, known.is_none()) {
                match commit.as_ref().and_then(|commit| world.brought(&directory, Step::To(commit))) {
                    Some(of_it) => files.extend(of_it),
                    None => is_known = false,
                }
            }
        }
        // A bundle isn't opened. What it holds is most likely made of what is here.
        Step::Pulled { source, .. } => is_known = known.is_some() || !is_file(context, source),
        _ => {}
    }
    files.extend(known.into_iter().flatten());
    (files, is_known)
}

fn is_file(context: &Context<'_>, source: &str) -> bool {
    let path = context.resolve_one(&Field::of(source, context.scope().span));
    path.and_then(|path| context.world().entry(&path)).is_some_and(|entry| entry.kind == EntryKind::File)
}

/// A commit's files are put into the index: keeps those that guards are about.
pub(super) fn stage(context: &mut Context<'_>, call: &Matched<'_>, commit: &Field) {
    let (files, is_known) = match commit.text() {
        Some(name) => files_of(context, call, Step::To(name)),
        None => (Vec::new(), false),
    };
    let mut files: Vec<String> = files.into_iter().filter(|name| is_guarded(context, name)).collect();
    if !is_known {
        files.extend(guarded_of_any(context, call, false));
    }
    for name in files {
        Ready::keep(&mut context.ready.staged, name);
    }
}

/// What lies in the index otherwise than in the work tree comes out at these paths, or everywhere.
pub(super) fn unstage(context: &mut Context<'_>, call: &Matched<'_>, paths: &[Field]) {
    let there = tree_of(context, call).and_then(|at| context.world().brought(&at, Step::Staged));
    let there = there.into_iter().flatten().filter(|name| is_guarded(context, name));
    let files: Vec<String> = there.chain(context.ready.staged.iter().cloned()).collect();
    if files.is_empty() {
        return;
    }
    let places: Vec<Option<String>> = paths
        .iter()
        .map(|path| context.resolve_one(path).filter(|_| !path.pattern && !path.written.starts_with(':')))
        .collect();
    for name in files {
        let meant = places.is_empty()
            || places.iter().any(|place| {
                let Some(place) = place else { return true };
                name.strip_prefix(&**place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
        if meant {
            let field = Field { literal: true, ..Field::of(name, context.scope().span) };
            context.possibly(|context| context.file_effect(Kind::Write, &field, false));
        }
    }
}

/// A patch that nobody can read is most likely one that git was told to make by a call before.
pub(super) fn patched(context: &mut Context<'_>, call: &Matched<'_>) {
    for (alone, commit) in std::mem::take(&mut context.ready.shown) {
        let (files, is_known) = match &commit {
            Some(name) if alone => files_of(context, call, Step::Of(name)),
            Some(name) => files_of(context, call, Step::To(name)),
            None => (Vec::new(), false),
        };
        let mut files: Vec<String> = files.into_iter().filter(|name| is_guarded(context, name)).collect();
        if !is_known {
            files.extend(guarded_of_any(context, call, false));
        }
        for name in files {
            let field = Field { literal: true, ..Field::of(name, context.scope().span) };
            context.possibly(|context| context.file_effect(Kind::Write, &field, false));
        }
        Ready::keep(&mut context.ready.shown, (alone, commit));
    }
}

/// Files that git knows leave the work tree, but for those of which `stays` holds, by their paths in it.
pub(super) fn left_out(context: &mut Context<'_>, call: &Matched<'_>, stays: impl Fn(&str) -> bool) {
    let Some(directory) = tree_of(context, call) else { return };
    let known = context.world().brought(&directory, Step::Whole("HEAD"));
    let root = context.places().project.clone();
    for name in known.into_iter().flatten() {
        let below = name.strip_prefix(&*root).map_or(&*name, |rest| rest.trim_start_matches('/'));
        if !stays(below) && is_guarded(context, &name) {
            write(context, &name, false);
        }
    }
}

/// What a call of git takes out of the work tree that guards are about. Where it can't be told, what lies in the project itself.
pub(super) fn away(context: &mut Context<'_>, call: &Matched<'_>, what: Taken) {
    let root = context.places().project.clone();
    let told = tree_of(context, call).and_then(|at| context.world().brought(&at, Step::Away(what)));
    let is_told = told.is_some();
    let files = told.unwrap_or_else(|| {
        let names = context.world().list(&root, MOST_LISTED);
        names.into_iter().filter(|name| name.starts_with('.')).map(|name| format!("{root}/{name}")).collect()
    });
    // What the text has put into the index, or where it has moved the branch to, takes the place of what lies there.
    if is_told {
        for name in context.ready.staged.clone() {
            let field = Field { literal: true, ..Field::of(name, context.scope().span) };
            context.possibly(|context| context.file_effect(Kind::Write, &field, false));
        }
    }
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
    // Below one that is hidden itself everything is.
    let name = crate::paths::file_name(folder.shown());
    files_in(context, folder, name.len() > 2 && name.starts_with('.'))
}

fn files_in(context: &Context<'_>, folder: &Field, all: bool) -> Vec<String> {
    let Some(root) = context.resolve_one(folder) else { return Vec::new() };
    let world = context.world();
    let mut found = filled_with(context, &root, all);
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

/// The files that a pattern in the last part of a path stands for, as far as they are there.
pub(crate) fn meant(context: &Context<'_>, file: &Field) -> Vec<Field> {
    let hidden = |name: &str| name.starts_with('.');
    let found = || {
        let text = file.text().filter(|_| file.pattern)?;
        let (folder, pattern) = text.rsplit_once('/').unwrap_or((".", text));
        let path = context.resolve_one(&Field::of(folder, file.span))?;
        let names = context.world().list(&path, MOST_LISTED);
        let fits = names
            .into_iter()
            .filter(|name| {
                hidden(name) == hidden(pattern) && hookgate_knowledge::glob::matches(pattern, name)
            })
            .take(MOST);
        Some(fits.map(|name| Field::of(format!("{path}/{name}"), file.span)).collect::<Vec<_>>())
    };
    found().filter(|found| !found.is_empty()).unwrap_or_else(|| vec![file.clone()])
}

/// What lies in a folder that the text itself has had git fill, seen from there.
fn filled_with(context: &Context<'_>, folder: &str, all: bool) -> Vec<String> {
    let project = &context.places().project;
    let mut found = Vec::new();
    for (at, filling) in &context.ready.trees {
        if !crate::paths::is_within(folder, at) {
            continue;
        }
        let step = match filling {
            Filling::Commit(name) => Step::Whole(name),
            Filling::Branch(source, name) => Step::Pulled { source, name },
            Filling::Bundle => Step::Any { joined: false },
        };
        let files = context.world().brought(project, step).unwrap_or_default();
        let below = folder.strip_prefix(&**at).unwrap_or_default().trim_start_matches('/');
        for file in files {
            let Some(file) = file.strip_prefix(&**project).map(|file| file.trim_start_matches('/')) else {
                continue;
            };
            let Some(rest) = file.strip_prefix(below) else { continue };
            let rest = rest.trim_start_matches('/');
            if all || rest.split('/').any(|part| part.starts_with('.')) {
                found.push(rest.to_owned());
            }
        }
    }
    found
}

/// A call that writes to a folder which is there puts something into it, under names that nobody has said: of one that guards
/// are about any of them counts. Its effects begin at `first`.
pub(crate) fn fills_folders(context: &mut Context<'_>, first: usize) {
    let is_hidden = |path: &str| path.contains("/.");
    let written = context.found.effects.iter().skip(first);
    let folders: Vec<String> = written
        .filter(|effect| effect.kind == Kind::Write && !effect.recursive)
        .filter_map(|effect| match &effect.target {
            Some(Target::Path(fact)) if !fact.pattern && is_hidden(&fact.path) => Some(fact.path.clone()),
            _ => None,
        })
        .collect();
    for path in folders {
        let field = Field { literal: true, ..Field::of(path, context.scope().span) };
        if context.is_directory(&field) && context.is_guarded_tree(&field) {
            context.possibly(|context| context.tree(Kind::Write, &field));
        }
    }
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
