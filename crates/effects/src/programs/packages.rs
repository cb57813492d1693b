//! Package managers that run the programs of packages: `npx`, `pnpm dlx`, `uv run`.

use crate::context::Context;
use crate::effect::{Kind, Target};
use crate::field::Field;
use crate::hosts::host_name;
use crate::inside::kind_by_name;
use crate::knowledge::{self, Matched, Role};
use hookgate_facts::is_loopback;

/// Runs the command in the operands where the subcommand says so, with the version taken off its name.
pub(crate) fn package(context: &mut Context<'_>, call: &Matched<'_>) {
    let carries = matches!(call.program, "npx" | "bunx")
        || matches!(call.subcommand.last().map(String::as_str), Some("exec" | "dlx" | "x"));
    if !carries || (call.program == "bun" && call.subcommand.iter().any(|name| name == "exec")) {
        return script_or_standard(context, call);
    }
    let Some((word, rest)) = call.operands.split_first() else { return context.standard(call) };
    if let Some(host) = crate::calls::leaving::address(word) {
        return context.effect_on(Kind::RemoteCode, Target::Host(host.to_owned()));
    }
    run_text(context, call);
    let mut fields = vec![without_scope(without_version(word))];
    fields.extend(rest.iter().cloned());
    context.run_command(&fields);
}

/// `npx -c TEXT`.
fn run_text(context: &mut Context<'_>, call: &Matched<'_>) {
    for option in &call.options {
        if let (Some(text), true) = (&option.value, option.name == "--call") {
            context.run_shell(text);
        }
    }
}

/// The same of what fetches the package: `npx`, `npm exec` and `dlx`, but not `pnpm exec`, which runs what is here.
pub(crate) fn fetched(context: &mut Context<'_>, call: &Matched<'_>) {
    let named = call.operands.split_first().map(|(word, rest)| (without_scope(without_version(word)), rest));
    let slash = |text: &&str| text.contains('/') && !text.contains(':');
    let Some((word, rest)) = named else { return package(context, call) };
    if let Some(file) = made_here(context, &word) {
        context.possibly(|context| context.run_executable(&file, rest));
    }
    match word.text().filter(slash).map(package_name) {
        Some(Package::Scoped) => {
            run_text(context, call);
            context.unlisted_package(&word, rest);
        }
        Some(Package::Hosted) => {
            run_text(context, call);
            context.effect_on(Kind::RemoteCode, Target::Host("github.com".to_owned()));
        }
        Some(Package::Path) => {
            let folder = context.resolve_one(&word).unwrap_or_default();
            let is_inside = |path: &&String| crate::paths::is_within(path, &folder);
            let made = context.state.written().iter().map(|file| &file.path).filter(is_inside);
            let made: Vec<Field> = made.map(|path| Field::of(path.clone(), word.span)).collect();
            for file in made {
                context.possibly(|context| context.run_executable(&file, rest));
            }
            package(context, call);
        }
        None => package(context, call),
    }
}

/// The program of that name that the text has put where those of the project's packages are, here or above.
fn made_here(context: &Context<'_>, word: &Field) -> Option<Field> {
    let name = word.text().filter(|name| !name.contains('/'))?;
    let mut directory = context.directory()?;
    loop {
        let path = format!("{}/node_modules/.bin/{name}", directory.trim_end_matches('/'));
        if context.state.has_made(&path) {
            return Some(Field::of(path, word.span));
        }
        if directory == "/" {
            return None;
        }
        directory = crate::paths::parent(directory);
    }
}

/// What a word with a slash is to a manager that fetches packages.
enum Package {
    /// `@scope/name`, by its name.
    Scoped,
    /// `user/repository`, from GitHub, whatever lies here under that path.
    Hosted,
    /// `./name`, or a path that is no such name.
    Path,
}

fn package_name(text: &str) -> Package {
    let one = text.matches('/').count() == 1 && !text.ends_with('/');
    match text.chars().next() {
        Some('@') if one => Package::Scoped,
        Some(first) if one && !matches!(first, '.' | '/' | '~') => Package::Hosted,
        _ => Package::Path,
    }
}

/// The program that an agent's package brings: `@scope/NAME`.
fn without_scope(word: Field) -> Field {
    let name = word.text().filter(|text| text.starts_with('@')).map(crate::paths::file_name);
    match name.filter(|name| super::is_agent(name)) {
        Some(name) => Field::of(name, word.span),
        None => word,
    }
}

/// `bun run x.ts`, `uv run x.py`: a path is a script.
fn script_or_standard(context: &mut Context<'_>, call: &Matched<'_>) {
    let runs = call.subcommand.last().is_some_and(|name| name == "run");
    let extensions = [".py", ".ts", ".js", ".mjs", ".cjs", ".tsx", ".jsx"];
    let piped = call.unlisted.first().or(call.operands.first()).is_some_and(|word| word.is("-"));
    match call.operands.split_first() {
        _ if piped && (runs || call.subcommand.is_empty()) && matches!(call.program, "bun" | "uv") => {
            context.run_input(if call.program == "uv" { Role::Python } else { Role::JavaScript });
        }
        // `yarn NAME` is a script of the package before it is a program.
        Some((word, rest))
            if call.subcommand.is_empty() && context.package_script(word.shown(), rest, word) => {}
        Some((word, _)) if call.subcommand.is_empty() && context.is_script_by_name(word) => {
            let kind = kind_by_name(word.shown());
            context.effect(kind);
        }
        Some((word, _)) if runs && extensions.iter().any(|extension| word.written.ends_with(extension)) => {
            context.run_script(word);
        }
        Some((word, rest)) if runs && call.program == "uv" && (call.has("--module") || call.has("-m")) => {
            let mut fields = vec![Field::of("python", call.span), Field::of("-m", call.span), word.clone()];
            fields.extend(rest.iter().cloned());
            context.run_command(&fields);
        }
        // Without a name it lists the scripts.
        None if runs && call.program != "uv" && call.unlisted.is_empty() => {}
        _ => context.standard(call),
    }
}

impl Context<'_> {
    /// `pnpm build` where nobody can see the package's scripts, and no program has that name.
    fn is_script_by_name(&mut self, word: &Field) -> bool {
        let is_name = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_lowercase() || b":-_0123456789".contains(&byte))
        };
        word.text().is_some_and(|text| is_name(text) && knowledge::program(text).is_none())
            && !self.has_package()
    }
}

/// `pip install http://...`: anybody on the way can put another package in its place, and what it holds runs at once.
pub(crate) fn unencrypted(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let installs = call.subcommand.iter().any(|name| matches!(name.as_str(), "install" | "add" | "sync"));
    if !installs {
        return;
    }
    let indexes =
        ["--index-url", "--extra-index-url", "--find-links", "--index", "--default-index", "--source"];
    let given = call.operands.iter().chain(indexes.iter().flat_map(|name| call.values(name)));
    for source in given {
        let address = source.written.strip_prefix("git+").unwrap_or(&source.written);
        if !address.starts_with("http://") {
            continue;
        }
        let host = host_name(address);
        if !is_loopback(host) {
            context.effect_on(Kind::RemoteCode, Target::Host(host.to_owned()));
        }
    }
}

/// `eslint@8` is `eslint`, `@scope/tool@1` is `tool` by convention of nobody: that stays as it is.
fn without_version(word: &Field) -> Field {
    let at = word.written.char_indices().skip(1).find(|(_, c)| *c == '@').map(|(at, _)| at);
    match at.and_then(|at| word.text()?.get(..at)) {
        Some(name) => Field { written: name.to_owned(), text: Some(name.to_owned()), ..word.clone() },
        None => word.clone(),
    }
}
