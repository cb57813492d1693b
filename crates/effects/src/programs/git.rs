//! git: the calls whose options and operands change what they do.

use super::git_branches::{branch, hold, tag, worktree};
use super::git_environment;
use super::git_hooks;
use super::git_hosts;
use super::git_names;
use super::git_places;
use super::git_reach;
use super::git_settings::{self, Setting};
use super::git_shown;
use super::git_sparse;
use super::git_stash;
use super::git_tree::{self, checkout, clean, reset, restore};
use super::patches;
use crate::context::Context;
use crate::effect::{Kind, Manner, Output, Part, Said, Target, Traits, Unknown};
use crate::field::Field;
use crate::knowledge::Matched;

/// Reads one call of git.
pub(crate) fn git(context: &mut Context<'_>, call: &Matched<'_>) {
    settings_of_the_call(context, call);
    git_environment::hooks(context, call);
    let first = context.found.effects.len();
    context.standard(call);
    if let Some(directory) = call.value("-C") {
        let text = context.directory().map(str::to_owned);
        context.says(Said { part: Part::Repository, text, span: directory.span });
    }
    if let Some(other) = ["--git-dir", "--work-tree"].iter().find_map(|name| call.value(name)) {
        context.says(Said { part: Part::Repository, text: None, span: other.span });
    }
    let path: Vec<&str> = call.subcommand.iter().map(String::as_str).collect();
    if path != ["clone"] {
        call.operands.iter().for_each(|address| external_transport(context, address));
    }
    subcommand(context, call, &path);
    git_sparse::left_out(context, call, &path);
    git_names::noted(context, call, &path);
    git_places::fill(context, call, &path, first);
    if context.found.effects.iter().skip(first).any(|effect| effect.kind == Kind::Move) {
        super::copies::moved(context, call, first);
    }
    if path.is_empty() && call.after_dashes == Some(0) && !call.operands.is_empty() {
        // git takes no `--` before its subcommand; what passes the words on may.
        let mut fields = vec![Field::of("git", call.span)];
        fields.extend(call.operands.iter().cloned());
        context.possibly(|context| context.run_command(&fields));
    }
    git_stash::follow(context, call, first);
    git_hooks::follow(context, call, first);
}

/// What the subcommand does beyond what its rows say.
fn subcommand(context: &mut Context<'_>, call: &Matched<'_>, path: &[&str]) {
    match path {
        ["push"] => push(context, call),
        ["add"] if !call.has("--dry-run") => {
            for file in &call.operands {
                if context.has_traits(file, Traits::SECRET) {
                    context.path(Kind::Read, file);
                    context.happens(Manner::STAGED);
                }
            }
        }
        ["remote", "add"] => {
            new_remote(context, call.operands.first());
            git_tree::remote(context, call);
            if let Some(address) = call.operands.get(1) {
                git_hosts::set(context, address);
            }
        }
        ["remote", "set-url"] => {
            if let Some(address) = call.operands.get(1).filter(|_| !call.has("--delete")) {
                git_hosts::set(context, address);
            }
        }
        ["archive"] => git_tree::archived(context, call),
        ["remote", "rename"] => new_remote(context, call.operands.get(1)),
        ["checkout"] => {
            if call.has("-B") {
                hold(context, call.operands.first());
            }
            checkout(context, call);
        }
        ["switch"] => git_tree::switched(context, call),
        ["symbolic-ref"] => git_tree::renamed_head(context, call),
        ["merge" | "rebase" | "cherry-pick" | "revert"] if !call.has("--abort") => {
            git_tree::joined(context, call);
        }
        ["stash", "pop" | "apply" | "branch"] => git_tree::unstashed(context, call),
        ["bisect", ..] => git_tree::bisected(context, call),
        ["stash"] | ["stash", "push" | "save"] => git_stash::takes(context, call),
        ["restore"] => restore(context, call),
        ["reset"] => reset(context, call),
        ["clean"] => clean(context, call),
        ["gc"] => gc(context, call),
        ["branch"] => branch(context, call),
        ["worktree", "add"] => worktree(context, call),
        ["tag"] => tag(context, call),
        ["config"] => config(context, call),
        ["clone"] => clone(context, call),
        ["fetch" | "pull" | "ls-remote"] => match path {
            ["fetch"] => {
                fetched_over(context, call);
                git_tree::fetched(context, call);
            }
            ["pull"] => git_tree::pulled(context, call),
            _ => {}
        },
        ["send-pack"] => {
            if let Some(address) = call.operands.first() {
                git_hosts::sent(context, address);
            }
            for branch in call.operands.iter().skip(1).filter_map(Field::text) {
                if let Some(forced) = branch.strip_prefix('+') {
                    context.effect_on(Kind::GitForcePush, Target::Name(forced.to_owned()));
                }
            }
        }
        ["show" | "cat-file"] => {
            shown_files(context, call);
            git_shown::shown_changes(context, call);
        }
        ["log" | "blame" | "annotate" | "grep"] => git_shown::shown_changes(context, call),
        ["diff"] => {
            compared_files(context, call);
            git_shown::shown_changes(context, call);
        }
        ["rebase" | "cherry-pick" | "revert" | "am"] if call.has("--abort") => {
            context.doubt(call.span, "what was done to resolve conflicts goes");
        }
        ["apply" | "am"] => {
            patches::git(context, call);
            // What comes through a pipe is the work that is not committed yet, most likely.
            let reverses = call.has("-R") || call.has("--reverse");
            if reverses && call.operands.is_empty() && !call.has("--check") {
                context.effect(Kind::GitDiscard);
            }
        }
        _ => {}
    }
}

/// `git fetch origin +main:main` puts another branch in the place of one that is here.
fn fetched_over(context: &mut Context<'_>, call: &Matched<'_>) {
    let force = call.has("--force");
    for reference in call.operands.iter().skip(1).filter_map(Field::text) {
        let forced = reference.starts_with('+') || force;
        let Some((_, here)) = reference.split_once(':').filter(|_| forced) else { continue };
        if here.starts_with("refs/") && !here.starts_with("refs/heads/") {
            continue;
        }
        let name = here.strip_prefix("refs/heads/").unwrap_or(here);
        context.effect_on(Kind::GitDeleteRef, Target::Name(name.to_owned()));
        context.annotate("another one is put in its place");
    }
}

/// `git diff A B` of files that no repository needs to hold.
fn compared_files(context: &mut Context<'_>, call: &Matched<'_>) {
    let any = call.has("--no-index");
    for file in &call.operands {
        if any || ["/", "~", "../"].iter().any(|start| file.written.starts_with(start)) {
            context.path(Kind::Read, file);
        }
    }
}

/// `-c key=value`, `--exec-path`, and settings in variables.
pub(crate) fn settings_of_the_call(context: &mut Context<'_>, call: &Matched<'_>) {
    let elsewhere = ["-C", "--git-dir", "--work-tree"].iter().flat_map(|name| call.values(name));
    for directory in elsewhere.filter(|directory| directory.text.is_none()) {
        context.doubt(directory.span, "a repository that is not known may set what git runs");
    }
    git_environment::settings(context, call);
    if call.value("--exec-path").is_some() {
        context.effect_on(Kind::Hijack, Target::Name("exec-path".to_owned()));
    }
    for option in &call.options {
        let Some(value) = option.value.as_ref() else { continue };
        if option.name == "--config-env" {
            let key = value.written.split('=').next().unwrap_or_default();
            let target = Target::Name(key.to_owned());
            if key.contains(['$', '`']) && value.text().is_none() {
                context.unknown_about(
                    Unknown::Command,
                    Some(Target::Unresolved(value.written.clone())),
                    value.span,
                );
                continue;
            }
            // The value stands in a variable.
            let far = git_settings::purpose(key).is_some_and(|purpose| !git_reach::reaches(call, purpose));
            match git_settings::meaning(key, "?") {
                Setting::Harmless => {}
                _ if far => context.possibly(|context| context.effect_on(Kind::Hijack, target)),
                Setting::Steers => context.possibly(|context| context.effect_on(Kind::Hijack, target)),
                _ => context.effect_on(Kind::Hijack, target),
            }
            continue;
        }
        if !matches!(option.name, "-c" | "--config") || option.specification.changes().next().is_some() {
            continue;
        }
        if !matches!(
            option.specification.value(),
            crate::knowledge::ValueForm::Required(crate::knowledge::Role::KeyValue)
        ) {
            continue;
        }
        let (key, text) = value.written.split_once('=').unwrap_or((&value.written, "true"));
        let Some(_) = value.text() else {
            // Where the key is computed it can be any.
            if key.contains(['$', '`']) || git_settings::meaning(key, "?") != Setting::Harmless {
                context.unknown_about(
                    Unknown::Command,
                    Some(Target::Unresolved(value.written.clone())),
                    value.span,
                );
            }
            continue;
        };
        // An alias that is called has been followed already.
        if key.starts_with("alias.") {
            if text.starts_with('!') {
                // A name for one call only hides what runs.
                context.effect_on(Kind::Hijack, Target::Name(key.to_owned()));
            }
            context.doubt(value.span, "an alias that only this call knows");
            continue;
        }
        git_settings::apply(context, call, key, text);
    }
}

/// There is a remote of that name from here on.
fn new_remote(context: &mut Context<'_>, name: Option<&Field>) {
    if let Some(name) = name {
        context.says(Said { part: Part::NewRemote, text: name.text.clone(), span: name.span });
    }
}

fn push(context: &mut Context<'_>, call: &Matched<'_>) {
    let remote = call.operands.first();
    if let Some(named) = call.value("--repo").or(remote) {
        context.says(Said { part: Part::Remote, text: named.text.clone(), span: named.span });
    }
    if let Some(remote) = remote {
        external_transport(context, remote);
        git_hosts::sent(context, remote);
    }
    // A beginning that several options share is refused by one version and taken by another.
    let begun = call.unlisted.iter().any(|field| field.written.starts_with("--f"));
    let force = call.has("--force") || call.has("-f") || begun;
    let ordinary = if force {
        Kind::GitForcePush
    } else if call.has("--force-with-lease") || call.has("--force-if-includes") {
        Kind::GitLeasePush
    } else {
        Kind::GitPush
    };
    if call.has("--mirror") {
        context.effect(Kind::GitForcePush);
        context.effect(Kind::GitDeleteRemote);
        return;
    }
    let deletes = call.has("--delete");
    let references: Vec<&Field> = call.operands.iter().skip(usize::from(!call.has("--repo"))).collect();
    if references.is_empty() {
        context.effect(if deletes { Kind::GitDeleteRemote } else { ordinary });
    }
    for reference in references {
        let Some(text) = reference.text() else {
            // A computed reference can be `+main` or `:main`; what stands before the computed part is known.
            let written = reference.written.as_str();
            let kind = match written.chars().next() {
                Some('+') => Kind::GitForcePush,
                Some(':') => Kind::GitDeleteRemote,
                _ if deletes => Kind::GitDeleteRemote,
                _ => ordinary,
            };
            context.named(kind, reference);
            continue;
        };
        let (forced, text) = text.strip_prefix('+').map_or((false, text), |text| (true, text));
        let (source, destination) = text.split_once(':').unwrap_or((text, text));
        let destination = destination.strip_prefix("refs/heads/").unwrap_or(destination);
        let kind = if deletes || (source.is_empty() && !destination.is_empty()) {
            Kind::GitDeleteRemote
        } else if forced {
            Kind::GitForcePush
        } else {
            ordinary
        };
        context.effect_on(kind, Target::Name(destination.to_owned()));
    }
    if call.has("--prune") {
        context.effect(Kind::GitDeleteRemote);
    }
}

/// `ext::command` as a remote runs the command.
fn external_transport(context: &mut Context<'_>, remote: &Field) {
    let Some(command) = remote.written.strip_prefix("ext::") else { return };
    if remote.text().is_none() {
        context.unknown(Unknown::Command, remote.span);
        return;
    }
    let command = command.replace("% ", "\\ ").replace("%%", "%");
    // `ext::sh -c rm% -rf% x`: blanks inside of a word are written with a percent sign.
    context.run_shell_text(&command);
}

fn clone(context: &mut Context<'_>, call: &Matched<'_>) {
    let Some(source) = call.operands.first() else { return };
    if source.written.starts_with("ext::") {
        external_transport(context, source);
    } else if source.written.contains("://") || source.written.contains(':') || source.text().is_none() {
        context.host(Kind::Download, source);
    } else {
        context.path(Kind::Read, source);
    }
}

/// `git gc` takes lost commits away that are older than two weeks, or than the time that it is told.
fn gc(context: &mut Context<'_>, call: &Matched<'_>) {
    let setting = call
        .values("-c")
        .filter_map(|setting| setting.written.split_once('='))
        .find(|(key, value)| git_settings::expires(key, value))
        .map(|(_, value)| value.to_owned());
    let told = call.value("--prune").map(|value| value.written.clone()).or(setting);
    let recent = git_settings::is_recent;
    if call.options.iter().any(|option| option.name == "--no-prune") {
        return;
    }
    if told.is_some_and(|text| recent(&text)) {
        context.effect(Kind::GitPrune);
    }
}

fn config(context: &mut Context<'_>, call: &Matched<'_>) {
    let mut operands = call.operands.as_slice();
    let reads =
        ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "--get-color", "--get-colorbool"];
    let verb = match operands.split_first() {
        Some((first, rest)) if call.unlisted.is_empty() => match first.text() {
            Some(
                verb @ ("list" | "get" | "set" | "unset" | "edit" | "rename-section" | "remove-section"),
            ) => {
                operands = rest;
                verb
            }
            _ => "",
        },
        _ => "",
    };
    let takes_away = ["--unset", "--unset-all", "--remove-section", "--rename-section", "--edit"];
    let changes = takes_away.iter().any(|name| call.has(name));
    if reads.iter().any(|name| call.has(name)) || matches!(verb, "list" | "get") {
        return;
    }
    if !changes && verb.is_empty() && operands.len() < 2 {
        // A key holds no `=`: what was meant is not what happens.
        if let Some(key) = operands.first().filter(|key| key.written.contains('=')) {
            context.unknown(Unknown::Program, key.span);
            let (name, value) = key.written.split_once('=').unwrap_or_default();
            if matches!(git_settings::meaning(name, value), Setting::Runs(_) | Setting::Hijacks) {
                context.effect_on(Kind::Hijack, Target::Name(name.to_owned()));
            }
        }
        return;
    }
    context.effect(Kind::GitConfig);
    if let [key, value, ..] = operands
        && git_settings::is_address(&key.written)
    {
        git_hosts::set(context, value);
    }
    if let Some(file) = call.value("--file").filter(|file| context.is_guarded(file)) {
        context.path(Kind::Write, file);
    }
    // Without the setting git looks for hooks where none are.
    let unset = ["--unset", "--unset-all"].iter().any(|name| call.has(name)) || verb == "unset";
    if unset && operands.first().is_some_and(|key| key.written.eq_ignore_ascii_case("core.hookspath")) {
        context.effect(Kind::GitBypass);
    }
    if changes || matches!(verb, "unset" | "edit" | "rename-section" | "remove-section") {
        return;
    }
    let Some(key) = operands.first() else { return };
    let value = operands.get(1).and_then(Field::text).unwrap_or("!");
    if let Some(name) = key.text().and_then(|key| key.strip_prefix("alias.")) {
        context.state.define_git_alias(name, value);
    }
    match key.text().map(|key| git_settings::meaning(key, value)) {
        Some(Setting::Harmless | Setting::Steers) => {}
        Some(Setting::Bypass) => context.effect(Kind::GitBypass),
        Some(Setting::Forces) => {
            context.effect(Kind::GitForcePush);
            context.annotate("with every push from here on");
        }
        Some(Setting::Prunes) => context.effect(Kind::GitPrune),
        _ => context.named(Kind::Hijack, key),
    }
}

/// `git show HEAD:path` prints a file.
fn shown_files(context: &mut Context<'_>, call: &Matched<'_>) {
    for operand in &call.operands {
        let Some(at) = operand.written.find(':').filter(|at| *at > 0 && !operand.written.contains("{"))
        else {
            continue;
        };
        let mut path = operand.after(at + 1);
        // No way leads up out of a commit: a path in it whose end is known is one of its files of that name, and where
        // nothing is known it is what `git log -p` shows as well.
        if let Some((_, shape)) = operand.shape.split_once(':') {
            if shape.ends_with('*') {
                continue;
            }
            path.text = Some(shape.to_owned());
            path.pattern = true;
        }
        if !path.written.is_empty() {
            context.path(Kind::Read, &path);
            if context.scope().reader == Output::File {
                context.doubt(operand.span, "the file of a commit goes over one that lies here");
            }
        }
    }
}
