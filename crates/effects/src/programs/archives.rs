//! Archives: `zip` and `unzip`.

use super::brought;
use crate::context::Context;
use crate::effect::{Effect, Kind};
use crate::field::{Data, Field};
use crate::knowledge::Matched;
use crate::world::EntryKind;

/// `unzip A.zip -d DIRECTORY`
pub(crate) fn unzip(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if ["-l", "-t", "-z", "-p", "-c", "-v", "-Z"].iter().any(|name| call.has(name)) {
        return;
    }
    let Some((archive, picked)) = call.operands.split_first() else { return };
    let unpack = |context: &mut Context<'_>, data: &Data| {
        // Without their folders the members have other names.
        let data = if call.has("-j") { &Data::Unknown } else { data };
        brought::unpack(context, data, picked, 0);
    };
    let data = match archive.text().filter(|text| !text.contains('.')) {
        Some(text) => Field::of(format!("{text}.zip"), archive.span),
        None => archive.clone(),
    };
    let data = context.resolve_one(&data).map_or(Data::Unknown, |path| context.content(&path));
    match call.value("-d") {
        Some(directory) if context.resolve(directory).is_none() => context.tree(Kind::Write, directory),
        Some(directory) => context.in_directory(directory, |context| unpack(context, &data)),
        None => unpack(context, &data),
    }
}

/// What takes everything out of the archive that it names: `7z x`, `jar xf`, `ar x`.
pub(crate) fn extract(context: &mut Context<'_>, call: &Matched<'_>) {
    let first = context.found.effects.len();
    context.standard(call);
    let writes = |effect: &Effect| effect.kind == Kind::Write && effect.recursive;
    if !context.found.effects.iter().skip(first).any(writes) {
        return;
    }
    let there = call.operands.iter().filter_map(|field| context.resolve_one(field));
    let files = there.filter(|path| context.world().entry(path).is_some_and(|it| it.kind == EntryKind::File));
    let Some(archive) = files.last() else { return };
    let unpack = |context: &mut Context<'_>| brought::unpack(context, &Data::File(archive), &[], 0);
    match ["-o", "--output"].iter().find_map(|name| call.value(name)).cloned() {
        Some(directory) => context.in_directory(&directory, unpack),
        None => unpack(context),
    }
}

/// `zip ARCHIVE FILES`: with `-m` the files go.
pub(crate) fn zip(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if let Some(archive) = call.operands.first().filter(|archive| !archive.is("-"))
        && call.subcommand.is_empty()
        && !crate::paths::file_name(archive.shown()).contains('.')
    {
        super::copies::beside(context, archive, ".zip");
    }
    let whole = call.has("-sdel");
    if !(call.has("-m") || whole) {
        return;
    }
    for file in call.operands.iter().skip(1) {
        if whole || call.has("-r") {
            context.tree(Kind::Delete, file);
        } else {
            context.path(Kind::Delete, file);
        }
    }
}
