//! What calls of git leave for those behind them in the same text: names of commits, what lies in the index, folders that are
//! filled, changes that are shown.

use super::{brought, git_tree};
use crate::context::{Context, Filling, Ready};
use crate::field::{Data, Field};
use crate::knowledge::{self, Matched, shipped};
use crate::world::EntryKind;

/// What a call behind this one finds otherwise than it is now.
pub(super) fn noted(context: &mut Context<'_>, call: &Matched<'_>, path: &[&str]) {
    match path {
        ["branch"] => branch(context, call),
        ["tag" | "symbolic-ref"] => keep(context, call.operands.first(), call.operands.get(1)),
        ["update-ref"] => moved(context, call, call.operands.first(), call.operands.get(1)),
        ["checkout" | "switch"] => {
            let made = ["-b", "-B", "-c", "-C"].iter().find_map(|name| call.value(name));
            let head = Field::of("HEAD", call.span);
            let (name, commit) = match made {
                Some(name) => (Some(name), call.operands.first()),
                None => (None, None),
            };
            keep(context, name, Some(commit.unwrap_or(&head)));
        }
        ["worktree", "add"] => worktree(context, call),
        ["clone"] => clone(context, call),
        ["stash", "store"] => {
            let stash = Field::of("stash", call.span);
            keep(context, Some(&stash), call.operands.last());
        }
        ["push"] if call.operands.first().is_some_and(|field| field.is(".")) => {
            for reference in call.operands.iter().skip(1) {
                let text = reference.text().unwrap_or_default().trim_start_matches('+');
                if let Some((from, to)) = text.split_once(':') {
                    let (from, to) = (Field::of(from, call.span), Field::of(to, call.span));
                    moved(context, call, Some(&to), Some(&from));
                }
            }
        }
        ["replace"] => {
            if let Some(commit) = call.operands.get(1) {
                brought::stage(context, call, commit);
            }
        }
        ["update-index" | "read-tree"] => indexed(context, call),
        _ => {}
    }
    let name = path.join(".");
    if knowledge::is_listed("git/names", &name) {
        Ready::keep(&mut context.ready.names, (Ready::ANY_NAME.to_owned(), None));
    }
    if let Some(shows) = shipped().table("git/patches").find(&name).and_then(|row| row.cell(0)) {
        shown(context, call, shows);
    }
}

/// From here on the name stands for that commit.
fn keep(context: &mut Context<'_>, name: Option<&Field>, commit: Option<&Field>) {
    if let (Some(name), Some(commit)) = (name.and_then(Field::text), commit) {
        let name = name.strip_prefix("refs/").map_or(name, |rest| rest.split_once('/').map_or(rest, |x| x.1));
        let commit = commit.text().map(str::to_owned);
        Ready::keep(&mut context.ready.names, (name.to_owned(), commit));
    }
}

/// The same, of a name that may be the branch that is checked out: what it stands for is what the next call takes for committed.
fn moved(context: &mut Context<'_>, call: &Matched<'_>, name: Option<&Field>, commit: Option<&Field>) {
    keep(context, name, commit);
    if let Some(commit) = commit {
        brought::stage(context, call, commit);
    }
}

/// `git branch NAME COMMIT`; `git branch -m OLD NEW`, or `NEW` of the branch that is checked out.
fn branch(context: &mut Context<'_>, call: &Matched<'_>) {
    let renames = ["-m", "-M", "-c", "-C"].iter().any(|name| call.has_own(name));
    let head = Field::of("HEAD", call.span);
    match call.operands.as_slice() {
        [name] if renames => keep(context, Some(name), Some(&head)),
        [commit, name] if renames => keep(context, Some(name), Some(commit)),
        [name, commit, ..] => keep(context, Some(name), Some(commit)),
        _ => {}
    }
}

/// `git worktree add -b NAME FOLDER COMMIT`: without a commit it is the branch that is called like the folder.
fn worktree(context: &mut Context<'_>, call: &Matched<'_>) {
    let Some((folder, rest)) = call.operands.split_first() else { return };
    let named = ["-b", "-B"].iter().find_map(|name| call.value(name));
    let head = Field::of("HEAD", call.span);
    if named.is_some() {
        keep(context, named, Some(rest.first().unwrap_or(&head)));
    }
    let Some(at) = context.resolve_one(folder) else { return };
    let commit = match rest.first() {
        Some(commit) => commit.text().map(str::to_owned),
        None if named.is_some() => Some("HEAD".to_owned()),
        None => Some(crate::paths::file_name(&at).to_owned()),
    };
    Ready::keep(&mut context.ready.trees, (at, commit.map_or(Filling::Bundle, Filling::Commit)));
}

/// `git clone SOURCE FOLDER`, of a source on this machine.
fn clone(context: &mut Context<'_>, call: &Matched<'_>) {
    let [source, folder, ..] = call.operands.as_slice() else { return };
    let (Some(at), Some(path)) = (context.resolve_one(folder), context.resolve_one(source)) else { return };
    let filling = match context.world().entry(&path).map(|entry| entry.kind) {
        Some(EntryKind::File) => Filling::Bundle,
        Some(_) => {
            let branch = call.value("--branch").and_then(Field::text).unwrap_or_default();
            Filling::Branch(git_tree::place(context, source), branch.to_owned())
        }
        None => return,
    };
    Ready::keep(&mut context.ready.trees, (at, filling));
}

/// `git read-tree COMMIT`, `git update-index --cacheinfo MODE,OBJECT,PATH`: what lies in the index from here on.
fn indexed(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.subcommand.last().is_some_and(|name| name == "read-tree") {
        if let Some(commit) = call.operands.last() {
            brought::stage(context, call, commit);
        }
        return;
    }
    let values = call.values("--cacheinfo").chain(&call.operands);
    // Of a computed object only the number of it isn't known.
    let told = values.map(|value| match value.text() {
        Some(text) => text.splitn(3, ',').last().unwrap_or(text).to_owned(),
        None => value.written.rsplit(',').next().unwrap_or_default().to_owned(),
    });
    let mut told: Vec<String> = told.collect();
    if let (true, Data::Text(text) | Data::Partial(text)) = (call.has("--index-info"), context.input()) {
        told.extend(text.lines().filter_map(|line| line.split_once('\t')).map(|(_, path)| path.to_owned()));
    }
    for path in told {
        let field = Field { literal: true, ..Field::of(path, call.span) };
        if context.is_guarded(&field)
            && let Some(path) = context.resolve_one(&field)
        {
            Ready::keep(&mut context.ready.staged, path);
        }
    }
}

/// The commits whose changes a call prints, or writes down as patches: each by itself, or against another.
fn shown(context: &mut Context<'_>, call: &Matched<'_>, shows: &str) {
    let (commits, paths) = match call.after_dashes {
        Some(at) => call.operands.split_at_checked(at).unwrap_or((&call.operands, &[])),
        None => (call.operands.as_slice(), [].as_slice()),
    };
    let reaches = |path: &Field| path.text().is_none() || path.pattern || context.is_guarded_tree(path);
    if !paths.is_empty() && !paths.iter().any(reaches) {
        return;
    }
    let mut found: Vec<(bool, Option<String>)> = Vec::new();
    for commit in commits {
        let Some(text) = commit.text() else {
            found.push((false, None));
            continue;
        };
        match text.split_once("..") {
            Some((one, other)) => {
                let ends = [one, other.trim_start_matches('.')];
                found.extend(
                    ends.iter().filter(|end| !end.is_empty()).map(|end| (false, Some((*end).to_owned()))),
                );
            }
            None => found.push((shows == "alone", Some(text.to_owned()))),
        }
    }
    match shows {
        "stash" => found = vec![(false, None)],
        // Without a commit it is the one that is checked out, or nothing but what isn't committed yet.
        "alone" | "newest" if found.is_empty() => found.push((true, Some("HEAD".to_owned()))),
        _ => {}
    }
    for one in found {
        Ready::keep(&mut context.ready.shown, one);
    }
}
