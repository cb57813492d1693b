//! Handlers: what calls do that a table can't say.
//!
//! `handler = "find"` in `knowledge/find.toml` (or in a `[sub.x]` of it) names a line of [`handler`]. A handler is
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

mod agents;
mod android;
mod archives;
mod carriers;
mod chooser;
mod containers;
mod copies;
mod databases;
mod disks;
mod endless;
mod filters;
mod foreign;
mod git;
mod git_branches;
mod git_environment;
mod git_hooks;
pub(crate) mod git_reach;
pub(crate) mod git_settings;
mod git_shown;
mod git_stash;
mod git_tree;
mod interpreters;
mod mounts;
#[expect(clippy::match_same_arms, reason = "the arms are sorted by what they are, not by what they do")]
mod network;
mod outputs;
mod packages;
mod patches;
mod remote;
mod removal;
mod requests;
pub(crate) mod search;
mod settings;
mod shells;
pub(crate) mod tar;
pub(crate) mod unread;

pub use agents::is_agent;
pub(crate) use agents::{is_the_gate, whose_processes};
pub(crate) use git::settings_of_the_call as git_settings_of_the_call;
pub(crate) use git_environment::setting_by_number;

use crate::context::Context;
use crate::knowledge::Matched;

/// Reads one call.
pub(crate) type Handler = fn(&mut Context<'_>, &Matched<'_>);

/// The handler of that name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    let handler: Handler = match name {
        "adb_shell" => android::adb_shell,
        "agent" => agents::agent,
        "ansible" => network::ansible,
        "api" => remote::api,
        "at" => shells::at,
        "awk" => interpreters::awk,
        "aws" => remote::aws,
        "aws_s3" => remote::aws_s3,
        "az" | "standard" => standard,
        "az_request" => remote::az_request,
        "bun" | "bunx" | "npm" | "npx" | "pnpm" | "uv" | "yarn" => packages::package,
        "chain" => remote::chain,
        "cmake" => unread::cmake,
        "compress" => copies::compress,
        "copy" => copies::copy,
        "crontab" => shells::crontab,
        "curl" => network::curl,
        "dd" => disks::dd,
        "docker" => containers::docker,
        "each_shell" => carriers::each_shell,
        "editor" => interpreters::editor,
        "entr" => carriers::entr,
        "env" => carriers::env,
        "evaluates" => unread::evaluates,
        "evaluates_operands" => unread::evaluates_operands,
        "expect" => shells::expect,
        "fd" => search::fd,
        "find" => search::find,
        "flock" => carriers::flock,
        "foreign_shell" => foreign::foreign_shell,
        "format_and_file" => outputs::format_and_file,
        "fzf" => chooser::fzf,
        "git" => git::git,
        "graphql_text" => remote::graphql_text,
        "hookgate" => carriers::hookgate,
        "httpie" => network::httpie,
        "in_place" => outputs::in_place,
        "java" => carriers::java,
        "javascript_input" => interpreters::javascript_input,
        "jq" => filters::jq,
        "kubectl" => containers::kubectl,
        "kubectl_get" => remote::kubectl_get,
        "kubectl_patch" => remote::kubectl_patch,
        "kubectl_scale" => remote::kubectl_scale,
        "kubectl_taint" => remote::kubectl_taint,
        "kustomize" => containers::kustomize,
        "less" => filters::less,
        "link" => copies::link,
        "make" => carriers::make,
        "mktemp" => outputs::mktemp,
        "mongo" => databases::mongo,
        "multicall" => carriers::multicall,
        "mysql" | "psql" => databases::sql,
        "netcat" => network::netcat,
        "node" => interpreters::node,
        "parallel" => carriers::parallel,
        "parted" => disks::parted,
        "patch" => patches::patch,
        "plutil" => copies::plutil,
        "printenv" => carriers::printenv,
        "python" => interpreters::python,
        "redis" => databases::redis,
        "rm" => removal::rm,
        "rsync" => network::rsync,
        "scale_words" => remote::scale_words,
        "session_variable" => agents::session_variable,
        "signal_names" => agents::signal_names,
        "signal_users" => agents::signal_users,
        "scp" => network::scp,
        "screen" => shells::screen,
        "script" => carriers::script,
        "script_language" => interpreters::script_language,
        "sed" => interpreters::sed,
        "setting_words" => settings::setting_words,
        "shell" => shells::shell,
        "socat" => network::socat,
        "split" => copies::split,
        "sql_files" => databases::sql_files,
        "sqlite" => databases::sqlite,
        "ssh" => network::ssh,
        "stored_variables" => remote::stored_variables,
        "su" => carriers::su,
        "sudo" => carriers::sudo,
        "tar" => tar::tar,
        "tmux" => shells::tmux,
        "trees" => removal::trees,
        "truncate" => disks::truncate,
        "unencrypted" => packages::unencrypted,
        "unmount" => mounts::unmount,
        "unread_language" => interpreters::unread_language,
        "unzip" => archives::unzip,
        "watch" => carriers::watch,
        "wget" => network::wget,
        "xargs" => carriers::xargs,
        "yq" => filters::yq,
        "zip" => archives::zip,
        _ => return None,
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
