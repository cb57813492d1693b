//! What is known about one program stands in its file below `knowledge/`. Text in Rust that is a program's name is
//! counted here, by room, so that it only gets less; each room says why what is left stays. A literal that is only spelled
//! like a program is listed with the place where it stands and what it is there.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a test that can't read the sources fails"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hookgate_knowledge::shipped;

/// A place below `crates/`, how many names it may hold, and why. A file counts where the longest path holds it.
const ROOMS: &[(&str, usize, &str)] = &[
    (
        "effects/src",
        109,
        "handlers that tell their programs apart, and commands of the shell that it carries out itself",
    ),
    ("rules/src", 5, "package managers, whose commands are translated into one another"),
    ("clients/src", 2, "the shell in which a client runs its hooks"),
    ("lab/src", 27, "commands that the lab has run"),
    ("xtask/src", 13, "tools that builds and measurements run, and the shells that get completions"),
    ("", 61, "agents and package managers that policies name, and programs that hookgate runs itself"),
];

/// Texts that are names of programs as well, and are none where they are in the sources outside of `effects` and
/// `rules`: punctuation, keys and values of JSON and of policies, the gate's own name, and that of its first host, which is also a
/// package's.
const WORDS: &[&str] = &[
    ":",
    "[",
    "[[",
    "type",
    "file",
    "column",
    "kind",
    "id",
    "time",
    "yes",
    "true",
    "false",
    "pass",
    "halt",
    "shadow",
    "code",
    "hookgate",
    "claude-code",
];

/// A place below `crates/`, literals there that are only spelled like programs, and what they are.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("agents/src/tool.rs", "dir cmd bash patch view grep", "tools of agents, and keys of their inputs"),
    ("agents/src/claude_code/tools.rs", "skill", "a key of a tool's input"),
    (
        "cli/src/commands",
        "batch start init help test granted",
        "commands and options of hookgate, and words of its reports",
    ),
    (
        "clients/src",
        "timeout http skill granted env",
        "keys and values of a client's settings, of its tools' inputs and of its rows",
    ),
    ("effects/src/calls", "echo link compress interpreter", "values of facets, and a handler"),
    ("effects/src/calls/flows.rs", "diff log", "subcommands of git"),
    ("effects/src/calls", "script : false test", "values, and parts of them"),
    ("effects/src/foreign", "start view help file time", "commands of cmd, and words behind its `net`"),
    (
        "effects/src/foreign",
        "env pwd true false code script",
        "a drive and variables of PowerShell, roles of its parameters",
    ),
    ("effects/src/interpreter/zsh.rs", ":", "what stands between the directories of `PATH`"),
    ("effects/src/inside/repository.rs", "install script", "a script of a package, and a value of a facet"),
    ("effects/src/interpreter/builtins.rs", "match", "an option of zsh"),
    (
        "effects/src/interpreter/command.rs",
        "hookgate view truncate",
        "this program's own name, and words of SQL",
    ),
    ("effects/src/programs/android.rs", "size", "a word of a device's command"),
    ("effects/src/programs/carriers.rs", "hookgate", "this program's own name"),
    ("effects/src/programs/chooser.rs", "cancel", "an action of a chooser"),
    (
        "effects/src/programs/containers.rs",
        "cp host pod kustomize",
        "subcommands, kinds and namespaces of containers",
    ),
    ("effects/src/programs/copies.rs", "kill", "a subcommand"),
    ("effects/src/programs/databases.rs", "unlink", "a command of Redis"),
    ("effects/src/programs/disks.rs", "rm type", "commands of parted"),
    ("effects/src/programs/filters.rs", "env envsubst", "functions of filters"),
    ("effects/src/programs/foreign.rs", "ex w file help", "options of PowerShell"),
    (
        "effects/src/programs/git.rs",
        "reset log grep diff true",
        "subcommands of git, and a value of a setting",
    ),
    ("effects/src/programs/git_environment.rs", "false", "a value of a setting"),
    ("effects/src/programs/git_settings.rs", "false cmd", "a value of a setting, and the end of a key"),
    ("effects/src/programs/git_shown.rs", "log grep", "subcommands of git"),
    ("effects/src/programs/git_stash.rs", "reset", "a subcommand of git"),
    ("effects/src/programs/mod.rs", "standard", "a handler"),
    (
        "effects/src/programs/network.rs",
        "reboot help info ping head patch",
        "modules, commands and methods of requests",
    ),
    ("effects/src/programs/packages.rs", "install sync", "subcommands"),
    ("effects/src/programs/remote.rs", "help file sync mv", "subcommands, and a scheme"),
    ("effects/src/programs/requests.rs", "shutdown truncate clear cancel", "parts of addresses"),
    ("effects/src/run.rs", "yes true", "answers"),
    ("effects/src/tools/unlisted.rs", "cmd", "a key of a tool's input"),
    ("engine/src/consequence/git.rs", "reset", "a subcommand of git"),
    ("engine/src/proof.rs", "cmd", "a key of a tool's input"),
    ("engine/src/redact.rs", "bearer", "a word of logins"),
    ("cli/src/commands/secrets.rs", "diff", "a subcommand of git"),
    ("testing/src/draw.rs", "base32", "an encoding"),
    ("facts/src/paths/mod.rs", "tty boot nix snap users", "devices and directories"),
    ("host/src", "tree boot", "objects of git, and keys of files of hookgate's"),
    ("knowledge/src/act.rs", "expand open named", "words of the format of libraries"),
    ("lab/src/client.rs", "x86_64", "an architecture"),
    ("knowledge/src/compiler/windows.rs", "script", "a role of a cmdlet's parameter"),
    ("knowledge/src/facet.rs", "echo link python perl ruby php awk sed script", "values of facets"),
    ("knowledge/src/kind.rs", "link test install kill service", "kinds of effects"),
    ("knowledge/src/manner.rs", "fresh", "a manner"),
    ("knowledge/src/role.rs", "link host service script python perl ruby php awk sed", "roles"),
    (
        "lab/src",
        "alternatives granted delta timeout test go boot init",
        "keys of JSON, suites and words of the lab",
    ),
    ("lint/src", "checkstyle flake8", "forms of a linter's output, and of settings"),
    ("policy/src", "checkstyle cancel delta host env expect date python", "keys and values of policies"),
    ("lab/src/opinions.rs", "expect", "a field of a row"),
    ("prover/src/calls", "fd script", "roles of reviewed rows"),
    ("prover/src/python.rs", "open as", "words of Python"),
    ("prover/src/roles.rs", "awk sed jq env", "roles of reviewed rows, and a column of `ps`"),
    ("prover/src/texts.rs", "awk sed jq func env vacuum", "roles of reviewed rows, and words of jq and SQL"),
    ("prover/src/tools.rs", "tree", "a key of a tool's input"),
    ("readers/src/awk.rs", "printf", "a statement of awk"),
    ("readers/src/calls", "dir cmd env clear", "parameters of functions"),
    ("readers/src/environment.rs", "grep say", "functions of Perl"),
    ("readers/src/lexer", "q tr split grep", "operators and functions of Perl"),
    ("readers/src/mongo.rs", "mongo help", "a library, and a command of its client"),
    ("readers/src/lua.rs", "lua", "a library"),
    ("readers/src/perl.rs", "perl", "a library"),
    ("readers/src/php.rs", "php as", "a library, and a word of PHP"),
    ("readers/src/ruby.rs", "ruby", "a library"),
    ("readers/src/reader", "as cp clear sort", "words, methods and modules of languages"),
    ("readers/src/sql", "w gx sv q echo help watch tee log open timeout", "commands of database clients"),
    ("readers/src/texts.rs", "strip split join base64", "methods of texts, and an encoding"),
    ("effects/src/programs/git.rs", "rename", "a subcommand of git's"),
    (
        "policy/src/keys/words.rs",
        "commitlint commitizen semantic-release cocogitto",
        "words of a policy: whose settings are followed",
    ),
    ("readers/src/value.rs", "cmd", "a parameter of functions"),
    (
        "rules/src/conventions/followed.rs",
        "commitlint commitizen perf test",
        "keys of settings, and types of commits",
    ),
    ("source/src/language.rs", "env", "what finds the interpreter of a first line"),
    (
        "rules/src/packages/dialect.rs",
        "sync init tree test start python clear",
        "what a call or an option wants",
    ),
    ("rules/src/packages/parse.rs", "ts tsx", "endings of files"),
    ("rules/src/rules/gate", "hookgate", "this program's own name"),
    ("rules/src/rules/git", "info", "a directory of git's"),
    ("rules/src/rules/sys", "service install kill", "names of rules"),
    (
        "secrets/src",
        "passwd pwd postgres test mysql mongo pw git host sample base64 base32",
        "values that stand in for secrets, and encodings",
    ),
    (
        "xtask/src/new_program.rs",
        "install kill host reset script dir cmd",
        "words of a manual, and what they hint at",
    ),
    ("xtask/src", "tree man", "a folder, and a command of hookgate"),
    ("xtask/src/messages.rs", "dialog", "a column of a table"),
    ("xtask/src/package/npm.rs", "git", "a kind of repository"),
];

#[test]
fn names_of_programs_only_get_less() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut sources = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        sources_below(&entry.unwrap().path().join("src"), &mut sources);
    }
    sources.sort();
    let mut grown = Vec::new();
    let mut unused: BTreeSet<(&str, &str)> = ELSEWHERE
        .iter()
        .flat_map(|(place, words, _)| words.split_whitespace().map(move |word| (*place, word)))
        .collect();
    let mut spelled = 0;
    let files: Vec<(&Path, Vec<String>)> = sources
        .iter()
        .map(|path| (path.strip_prefix(crates).unwrap(), names_in(path)))
        .map(|(path, mut names)| {
            let all = names.len();
            names.retain(|name| {
                let mut counts = true;
                for (place, words, _) in ELSEWHERE.iter().filter(|(place, ..)| path.starts_with(place)) {
                    if let Some(word) = words.split_whitespace().find(|word| word == name) {
                        counts = false;
                        unused.remove(&(place, word));
                    }
                }
                counts
            });
            spelled += all - names.len();
            (path, names)
        })
        .collect();
    let mut whole = 0;
    for (room, most, reason) in ROOMS {
        let is_deeper = |other: &str| other.len() > room.len() && other.starts_with(room);
        let held: Vec<_> = files
            .iter()
            .filter(|(path, names)| path.starts_with(room) && !names.is_empty())
            .filter(|(path, _)| !ROOMS.iter().any(|(other, ..)| is_deeper(other) && path.starts_with(other)))
            .collect();
        let count: usize = held.iter().map(|(_, names)| names.len()).sum();
        println!("{count} in {room}: {reason}");
        for (path, names) in held {
            println!("    {} {}: {}", names.len(), path.display(), names.join(" "));
        }
        whole += count;
        if count > *most {
            grown.push(format!("{room} holds {count} names of programs, and may hold {most}"));
        }
    }
    println!("{whole} in all, and {spelled} literals that are only spelled like programs");
    assert!(grown.is_empty(), "say it in the program's file instead:\n{}", grown.join("\n"));
    assert!(unused.is_empty(), "nothing of the kind stands there any more: {unused:?}");
}

/// Adds the files of the sources but for tests.
/// A table that isn't there is an empty one: nothing else would tell that a list was moved or misspelt.
#[test]
fn every_table_that_the_sources_name_is_there() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders: BTreeSet<String> = fs::read_dir(crates.join("../knowledge"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let mut sources = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        sources_below(&entry.unwrap().path().join("src"), &mut sources);
    }
    let (mut count, mut missing) = (0, Vec::new());
    for path in sources {
        let source = fs::read_to_string(&path).unwrap();
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        let is_plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        for text in literals(source) {
            let parts: Vec<&str> = text.split('/').collect();
            let names_a_table = parts.len() == 3
                && folders.contains(parts[0])
                && parts.iter().all(|part| !part.is_empty() && is_plain(part));
            if names_a_table {
                count += 1;
                if shipped().table(text).is_empty() {
                    missing.push(format!("{}: {text}", path.display()));
                }
            }
        }
    }
    assert!(count > 50, "{count} tables are named");
    assert!(missing.is_empty(), "no such table in knowledge/:\n{}", missing.join("\n"));
}

fn sources_below(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            sources_below(&entry.unwrap().path(), found);
        }
        return;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".rs") && !name.contains("test") {
        found.push(path.to_owned());
    }
}

/// The texts in a source that are names of programs.
fn names_in(path: &Path) -> Vec<String> {
    let source = fs::read_to_string(path).unwrap();
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let runs_programs = path.iter().any(|part| part == "effects" || part == "rules");
    literals(source)
        .into_iter()
        .filter(|text| runs_programs || !WORDS.contains(text))
        .filter(|text| shipped().exact_program(text).is_some())
        .map(str::to_owned)
        .collect()
}

/// The texts between quotes, raw ones included; not those in comments.
fn literals(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'', 'r']) {
        let before = rest[..at].chars().next_back();
        rest = &rest[at..];
        let raw =
            rest.strip_prefix('r').map(|raw| raw.trim_start_matches('#')).filter(|raw| raw.starts_with('"'));
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if let Some(raw) = raw.filter(|_| !before.is_some_and(|c| c.is_alphanumeric() && c != 'b')) {
            let closed = format!("\"{}", "#".repeat(rest.len() - raw.len() - 1));
            let (text, after) = raw[1..].split_once(&closed).unwrap();
            found.push(text);
            rest = after;
        } else if rest.starts_with('"') {
            let mut escaped = false;
            let is_end = |c: char| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            };
            let end = rest[1..].find(is_end).unwrap() + 1;
            found.push(&rest[1..end]);
            rest = &rest[end + 1..];
        } else if let Some(sign) = rest.strip_prefix('\'') {
            // A sign, or the name of a lifetime.
            let escaped = usize::from(sign.starts_with('\\'));
            let after = sign[escaped..].chars().next().map_or("", |c| &sign[escaped + c.len_utf8()..]);
            rest = after.strip_prefix('\'').unwrap_or(if escaped == 1 { after } else { sign });
        } else {
            rest = &rest[1..];
        }
    }
    found
}

#[test]
fn literals_are_what_stands_between_quotes() {
    let source = r##"let a = "tee"; // "cat"
        let b = ["://", "ls\"x"]; let c = ('"', '\'', b"dd", r"rm", r#"a "mv" b"#); fn d<'a>(_: &'a str) { "or" }"##;
    assert_eq!(literals(source), ["tee", "://", "ls\\\"x", "dd", "rm", "a \"mv\" b", "or"]);
}
