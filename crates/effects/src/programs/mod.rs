//! Handlers: what calls do that a table can't say.
//!
//! `handler = "find"` in `knowledge/find.toml` (or in a `[sub.x]` of it) names a function in the list of [`handler`]. A handler is
//!
//! ```ignore
//! pub(crate) fn find(context: &mut Context<'_>, call: &Matched<'_>) { ... }
//! ```
//!
//! It **replaces** what the table would say about the call; [`Context::standard`] says it (effects, options' effects,
//! operands by role), so a handler that only adds something begins with that. The handler of the deepest subcommand
//! that has one is the one that runs, for the whole call. It runs for calls with unlisted options too (those are in
//! [`Matched::unlisted`], and the `unknown-program` effect for them is already there); it does not run where an option
//! said `=> nothing` (`--help`, `--dry-run`).
//!
//! What a handler has:
//!
//! - `call`: [`Matched`], the options in order with their values, the operands, all arguments as they came.
//!   Every word is a [`Field`]: `text` is `None` where it is computed, `pattern` where it holds a glob.
//! - effects: [`Context::effect`] (a kind alone), [`Context::effect_on`] (any target), [`Context::path`] and
//!   [`Context::tree`] (a file effect on the path in a field; the tree under it), [`Context::path_text`] (on a path that
//!   the handler made up), [`Context::named`] (a name as target), [`Context::host`] (a URL or host as target).
//!   A computed field becomes an unresolved target, with `unknown-target` beside it where the kind is harmful.
//! - nested things: [`Context::run_command`] (fields are a command and its arguments), [`Context::run_shell`] (a field is
//!   text that a shell runs), [`Context::run_shell_text`] (text that the handler put together),
//!   [`Context::run_code`] (program text in a language), [`Context::run_script`] (a path of a script),
//!   [`Context::run_program`] (a field names a program or command line: a pager, an editor, `GIT_SSH_COMMAND`),
//!   [`Context::run_data`] (data that is fed to an interpreter).
//! - data: [`Context::input`] (what is on standard input), [`Context::print`] (what the call prints, for pipes and
//!   substitutions: `find` prints [`Data::Paths`], `curl` [`Data::Network`], `base64 -d` decoded text or
//!   [`Data::Decoded`]), [`Context::remember`] (a file now has this content: `curl -o f`), [`Context::content`].
//! - where: [`Context::directory`] (the working directory, `None` where unknown), [`Context::in_directory`] (run
//!   something in another one: `find -execdir`, `git -C`; an option of role `directory` has already been applied),
//!   [`Context::resolve`] (a field to absolute paths), [`Context::variable`] (shell or environment),
//!   [`Context::places`], [`Context::world`].
//! - doubt: [`Context::unknown`] with one of [`Unknown`]'s kinds; [`Context::possibly`] (effects inside it are
//!   possible, not certain).
//!
//! A handler never panics, never loops without bound, and never looks at the machine but through `context.world()`.
//! Its cases stand in the knowledge file.

pub(crate) mod agents;
mod android;
mod archives;
pub(crate) mod brought;
mod carriers;
mod chooser;
mod containers;
mod copies;
mod databases;
mod disks;
mod editors;
mod endless;
mod filters;
mod foreign;
mod git;
mod git_branches;
pub(crate) mod git_environment;
mod git_hooks;
mod git_hosts;
mod git_names;
mod git_places;
pub(crate) mod git_reach;
pub(crate) mod git_settings;
mod git_shown;
mod git_sparse;
mod git_stash;
mod git_tree;
mod interpreters;
mod mounts;
#[expect(clippy::match_same_arms, reason = "the arms are sorted by what they are, not by what they do")]
pub(crate) mod network;
mod outputs;
mod packages;
mod patches;
mod remote;
mod removal;
mod requests;
pub(crate) mod search;
mod search_names;
mod settings;
mod shells;
pub(crate) mod tar;
pub(crate) mod unread;
mod zsh;

pub use agents::is_agent;
pub(crate) use agents::{is_the_gate, whose_processes};
pub(crate) use git::settings_of_the_call as git_settings_of_the_call;
pub(crate) use shells::waits_for_commands;

use crate::context::Context;
use crate::knowledge::Matched;

/// Reads one call.
pub(crate) type Handler = fn(&mut Context<'_>, &Matched<'_>);

/// The handler of that name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    // A handler is called as its function is.
    macro_rules! handlers {
        ($($module:ident: $($function:ident),+;)+) => {
            match name {
                $($(stringify!($function) => $module::$function,)+)+
                "standard" => standard,
                _ => return None,
            }
        };
    }
    let handler: Handler = handlers! {
        agents: agent, session_variable, signal_names, signal_users;
        android: adb_shell;
        archives: extract, unzip, zip;
        carriers: each_shell, entr, env, flock, hookgate, java, make, multicall, parallel, printenv, script, su, sudo, watch, xargs;
        chooser: fzf;
        containers: docker, kubectl, kustomize;
        copies: compress, copy, link, plutil, split;
        databases: mongo, redis, sql, sql_files, sqlite;
        disks: dd, parted, truncate;
        editors: editor;
        filters: jq, less, yq;
        foreign: foreign_shell;
        git: git;
        interpreters: awk, javascript_input, node, python, script_language, sed, served_tree, unread_language;
        mounts: unmount;
        network: ansible, curl, httpie, netcat, rsync, scp, sftp, socat, ssh, wget;
        outputs: format_and_file, in_place, mktemp;
        packages: fetched, package, unencrypted;
        patches: patch;
        remote: api, aws, aws_s3, az_request, chain, graphql_text, kubectl_get, kubectl_patch, kubectl_scale, kubectl_taint, scale_words, stored_variables, told_commands;
        removal: cleared, rm, trees;
        search: fd, find;
        settings: setting_words;
        shells: at, crontab, expect, screen, shell, tmux;
        tar: tar;
        unread: cmake, evaluates, evaluates_operands, typesets;
    };
    Some(handler)
}

/// What a call without a handler gets.
fn standard(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
}

#[cfg(test)]
mod tests {
    use super::handler;
    use crate::knowledge::shipped;
    use hookgate_knowledge::Specification;

    #[test]
    fn every_handler_that_a_file_names_exists() {
        fn check(path: &str, specification: Specification<'_>, missing: &mut Vec<String>) {
            if let Some(name) = specification.handler().filter(|name| handler(name).is_none()) {
                missing.push(format!("{path}: handler \"{name}\""));
            }
            for sub in specification.subcommands() {
                check(&format!("{path}.{}", sub.name), sub.specification, missing);
            }
            if let Some(default) = specification.default() {
                check(&format!("{path}.default"), default, missing);
            }
        }
        let mut missing = Vec::new();
        for (name, program) in shipped().programs() {
            check(name, program.specification(), &mut missing);
        }
        assert!(missing.is_empty(), "no function in src/programs for:\n{}", missing.join("\n"));
    }
}
