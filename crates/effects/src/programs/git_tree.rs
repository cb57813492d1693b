//! The calls of git that write over files of the working tree, or remove them.

use super::brought;
use super::git_branches::hold;
use super::git_environment;
use crate::context::{Context, Ready};
use crate::effect::Kind;
use crate::field::Field;
use crate::knowledge::Matched;
use crate::world::{EntryKind, Step, Taken};

pub(super) fn checkout(context: &mut Context<'_>, call: &Matched<'_>) {
    let makes = ["-b", "-B", "--orphan", "-t", "--track", "--detach"].iter().any(|name| call.has(name));
    let (names, paths): (&[Field], &[Field]) = match call.after_dashes {
        Some(at) => call.operands.split_at_checked(at).unwrap_or((&call.operands, &[])),
        None if makes => (&call.operands, &[]),
        None => match call.operands.split_first() {
            Some((first, [])) if is_path(context, first) => (&[], &call.operands),
            Some((first, rest)) if !rest.is_empty() && is_path(context, first) => (&[], &call.operands),
            Some((_, rest)) if !rest.is_empty() => {
                call.operands.split_at_checked(1).unwrap_or((&call.operands, &[]))
            }
            _ => (&call.operands, &[]),
        },
    };
    if !makes
        && call.after_dashes.is_some()
        && names.len() > 1
        && names.iter().all(|name| name.text.is_some())
    {
        // One commit to take them from, it says, and refuses.
        return;
    }
    if makes && call.operands.len() > 1 && (call.has("--track") || call.has("-t")) {
        context.doubt(call.span, "names more than a branch to follow");
    }
    if call.has("--force") && paths.is_empty() {
        taken_away(context, call, Taken::Known);
    }
    if !paths.is_empty() || call.has("--ours") || call.has("--theirs") {
        overwrite(context, paths);
        arrives(context, call, names.first());
        if names.is_empty() {
            brought::unstage(context, call, paths);
        }
    } else if makes || !names.is_empty() {
        context.effect(Kind::GitChange);
        arrives(context, call, names.first());
        if let [_, path] = call.operands.as_slice()
            && call.has("--track")
            && is_path(context, path)
        {
            // It may be refused, or taken for the path that it looks like.
            let paths = std::slice::from_ref(path);
            context.possibly(|context| overwrite(context, paths));
        }
    }
}

/// `git switch`, which the table has said the rest of.
pub(super) fn switched(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.has("--discard-changes") || call.has("--force") {
        taken_away(context, call, Taken::Known);
    }
    if !call.has("--orphan") {
        arrives(context, call, call.operands.first());
    }
}

/// `git symbolic-ref HEAD BRANCH`: the next `reset` or `checkout` brings what that branch has.
pub(super) fn renamed_head(context: &mut Context<'_>, call: &Matched<'_>) {
    if let [name, branch] = call.operands.as_slice()
        && name.is("HEAD")
        && let Some(branch) = branch.text()
    {
        let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
        brought::step(context, call, Step::To(branch));
    }
}

/// `git pull`, which merges what it fetches. Of a repository on this machine it is known, of others what was fetched last. `git pull
/// . BRANCH` fetches nothing.
pub(super) fn pulled(context: &mut Context<'_>, call: &Matched<'_>) {
    let Some((source, names)) = source_of(context, call) else { return };
    for name in &names {
        let step = if source == "." { Step::Onto(name) } else { Step::Pulled { source: &source, name } };
        brought::step(context, call, step);
    }
}

/// `git fetch`: what it brings can be checked out by the same text.
pub(super) fn fetched(context: &mut Context<'_>, call: &Matched<'_>) {
    let Some((source, names)) = source_of(context, call) else { return };
    for name in names {
        Ready::keep(&mut context.ready.fetched, (source.clone(), name));
    }
}

/// `git remote add NAME URL`
pub(super) fn remote(context: &mut Context<'_>, call: &Matched<'_>) {
    if let [name, address] = call.operands.as_slice()
        && let Some(name) = name.text()
    {
        let address = place(context, address);
        Ready::keep(&mut context.ready.remotes, (name.to_owned(), address));
    }
}

/// Where a call fetches from, and which branches; both empty where it doesn't say.
fn source_of(context: &Context<'_>, call: &Matched<'_>) -> Option<(String, Vec<String>)> {
    let Some((source, names)) = call.operands.split_first() else {
        return Some((String::new(), vec![String::new()]));
    };
    let written = source.text()?;
    let told = context.ready.remotes.iter().find(|(name, _)| name == written);
    let source = told.map_or_else(|| place(context, source), |(_, address)| address.clone());
    let source = if written == "." { written.to_owned() } else { source };
    let branch = |field: &Field| {
        let name = field.text()?.trim_start_matches('+');
        Some(name.split_once(':').map_or(name, |(from, _)| from).to_owned())
    };
    let mut names: Vec<String> = names.iter().filter_map(branch).collect();
    if names.is_empty() {
        names.push(String::new());
    }
    Some((source, names))
}

/// The folder that an address is, where it is one; else the address.
pub(super) fn place(context: &Context<'_>, address: &Field) -> String {
    let written = address.text().unwrap_or_default();
    let folder = context.resolve_one(address).filter(|path| {
        !written.contains(':')
            && context.world().entry(path).is_some_and(|entry| entry.kind == EntryKind::Directory)
    });
    folder.unwrap_or_else(|| written.to_owned())
}

/// `git archive COMMIT`: what it has, in an archive that can't be listed before it is there.
pub(super) fn archived(context: &mut Context<'_>, call: &Matched<'_>) {
    let Some(directory) = context.directory().map(str::to_owned) else { return };
    let Some((commit, folder)) = call.operands.first().and_then(Field::text).map(|text| {
        let (commit, folder) = text.split_once(':').unwrap_or((text, ""));
        (commit.to_owned(), folder.trim_matches('/').to_owned())
    }) else {
        return;
    };
    let prefix = call.value("--prefix").and_then(Field::text).unwrap_or_default().to_owned();
    let Some(files) = context.world().brought(&directory, Step::Whole(&commit)) else { return };
    let root = context.places().project.clone();
    for file in files {
        let file = file.strip_prefix(&*root).map_or(&*file, |rest| rest.trim_start_matches('/'));
        let Some(rest) = file.strip_prefix(&*folder) else { continue };
        let name = format!("{prefix}{}", rest.trim_start_matches('/'));
        if name.split('/').any(|part| part.starts_with('.')) {
            Ready::keep(&mut context.ready.packed, name);
        }
    }
}

/// The work tree becomes that commit, or the parts of it that the call names.
fn arrives(context: &mut Context<'_>, call: &Matched<'_>, name: Option<&Field>) {
    match name.map(|name| (name, name.text())) {
        Some((name, Some(text))) if !name.pattern => brought::step(context, call, Step::To(text)),
        Some(_) => brought::any(context, call, false),
        None => {}
    }
}

/// `git merge`, `rebase`, `cherry-pick`, `revert`: what other commits have comes along.
pub(super) fn joined(context: &mut Context<'_>, call: &Matched<'_>) {
    let picks = call.subcommand.first().is_some_and(|name| matches!(&**name, "cherry-pick" | "revert"));
    for field in call.value("--onto").into_iter().chain(&call.operands) {
        let Some(name) = field.text().filter(|_| !field.pattern) else {
            brought::any(context, call, true);
            continue;
        };
        match name.split_once("..") {
            Some((_, last)) => brought::step(context, call, Step::Onto(last.trim_start_matches('.'))),
            None if picks => brought::step(context, call, Step::Of(name)),
            None => brought::step(context, call, Step::Onto(name)),
        }
    }
}

/// `git bisect`: a commit between those that it is told is checked out.
pub(super) fn bisected(context: &mut Context<'_>, call: &Matched<'_>) {
    for commit in &call.operands {
        arrives(context, call, Some(commit));
    }
    if call.operands.is_empty() {
        brought::step(context, call, Step::To("refs/bisect/bad"));
    }
}

/// `git stash pop`, `apply`.
pub(super) fn unstashed(context: &mut Context<'_>, call: &Matched<'_>) {
    for commit in context.ready.told("stash", false) {
        match commit {
            Some(commit) => brought::step(context, call, Step::Of(&commit)),
            None => brought::any(context, call, false),
        }
    }
    let named = call.operands.last().and_then(Field::text).unwrap_or("0");
    let number = named.strip_prefix("stash@{").and_then(|rest| rest.strip_suffix('}')).unwrap_or(named);
    brought::step(context, call, Step::Stash(number.parse().unwrap_or(0)));
}

/// What a call takes out of the work tree that guards are about. A call before it in the text may have told git of files that it
/// didn't know.
pub(super) fn taken_away(context: &mut Context<'_>, call: &Matched<'_>, what: Taken) {
    let adds = |path: &[String]| matches!(path.first().map(String::as_str), Some("add" | "update-index"));
    let own = context.scope().call;
    let told =
        context.found.calls.iter().enumerate().any(|(index, other)| {
            Some(index) != own && other.program == call.program && adds(&other.subcommand)
        });
    let what = if told { Taken::Ignored } else { what };
    brought::away(context, call, what);
}

/// Paths whose content in the work tree is replaced.
pub(super) fn overwrite(context: &mut Context<'_>, paths: &[Field]) {
    context.effect(Kind::GitDiscard);
    for path in paths {
        match path.text() {
            Some(text) if text.starts_with(':') => {
                let root = context.places().project.clone();
                context.path_text(Kind::Write, &root, false);
            }
            _ => context.tree(Kind::Write, path),
        }
    }
}

/// Does the word of `git checkout` name a path and no branch?
fn is_path(context: &Context<'_>, field: &Field) -> bool {
    let Some(text) = field.text() else { return false };
    if field.pattern || matches!(text, "." | "..") || text.starts_with("./") || text.starts_with(':') {
        return true;
    }
    if text.ends_with('/') || text.starts_with("../") || text.starts_with('/') {
        return true;
    }
    if text.contains(['~', '^', '@']) {
        return false;
    }
    let git = format!("{}/.git", context.places().project);
    let known = ["refs/heads", "refs/tags", "refs/remotes"]
        .iter()
        .any(|folder| context.world().entry(&format!("{git}/{folder}/{text}")).is_some());
    if known && !context.world().assume_present() {
        return false;
    }
    let name = text.rsplit('/').next().unwrap_or(text);
    let extension =
        name.rsplit_once('.').map_or("", |(stem, extension)| if stem.is_empty() { name } else { extension });
    let named =
        !extension.is_empty() && extension.len() <= 5 && !extension.bytes().any(|b| b.is_ascii_digit());
    if context.world().assume_present() {
        return named;
    }
    let there = context.resolve_one(field).is_some_and(|path| context.world().entry(&path).is_some());
    there || (named && !text.starts_with("release"))
}

pub(super) fn restore(context: &mut Context<'_>, call: &Matched<'_>) {
    // Of an option and the one that takes it back the last one counts.
    let last = |names: [&str; 2], back: &str| {
        let said =
            call.options.iter().rev().find(|option| names.contains(&option.name) || option.name == back);
        said.map(|option| option.name != back)
    };
    let staged = last(["--staged", "-S"], "--no-staged");
    let worktree = last(["--worktree", "-W"], "--no-worktree");
    if worktree == Some(false) && staged != Some(true) {
        // It refuses.
    } else if staged == Some(true) && worktree != Some(true) {
        context.effect(Kind::GitChange);
        if let Some(commit) = call.value("--source") {
            brought::stage(context, call, commit);
        }
    } else {
        // Without a path it refuses, unless a person is to choose.
        let chosen = call.has("--pathspec-from-file") || call.has("--patch");
        if !call.operands.is_empty() || chosen || !call.unlisted.is_empty() {
            overwrite(context, &call.operands);
            arrives(context, call, call.value("--source"));
            if !call.has("--source") {
                brought::unstage(context, call, &call.operands);
            }
        }
    }
}

/// `git clean` refuses without `-f`, unless the configuration of the call says otherwise; with `-i` it asks first.
pub(super) fn clean(context: &mut Context<'_>, call: &Matched<'_>) {
    let configured = call
        .values("-c")
        .any(|setting| setting.written.to_ascii_lowercase().starts_with("clean.requireforce"));
    let computed = call.operands.iter().any(|field| field.text().is_none());
    if let Some(tree) = git_environment::temporary_tree(context, call) {
        return context.path_text(Kind::Delete, &tree, true);
    }
    if (call.has("--force") && !call.has("--interactive")) || configured || !call.unlisted.is_empty() {
        context.effect(Kind::GitDiscard);
        let ignored = call.has("-x") || call.has("-X");
        taken_away(context, call, if ignored { Taken::Ignored } else { Taken::Untracked });
    } else if computed && call.after_dashes.is_none() {
        context.possibly(|context| context.effect(Kind::GitDiscard));
    }
}

pub(super) fn reset(context: &mut Context<'_>, call: &Matched<'_>) {
    if ["--hard", "--merge", "--keep"].iter().any(|name| call.has(name)) {
        taken_away(context, call, Taken::Known);
    }
    // With `--soft` the index stays, and the next call that takes what was committed last brings it.
    if !["--hard", "--keep", "--merge"].iter().any(|name| call.has(name))
        && call.after_dashes != Some(0)
        && let Some(commit) = call.operands.first()
        && !is_path(context, commit)
    {
        brought::stage(context, call, commit);
    }
    let with_paths = call.after_dashes.is_some() || call.operands.len() > 1 || call.has("--patch");
    let back = call.operands.first().is_some_and(|field| match field.text() {
        Some(text) => !matches!(text, "HEAD" | "@") && !is_path(context, field),
        None => true,
    });
    if back && !with_paths {
        if ["--hard", "--keep", "--merge"].iter().any(|name| call.has(name)) {
            arrives(context, call, call.operands.first());
        }
        hold(context, call.operands.first());
        context.effect(Kind::GitRewrite);
    } else if !call.has("--hard") && !call.has("--merge") {
        context.effect(Kind::GitChange);
    }
}
