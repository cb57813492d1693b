//! What is written in the place of other managers' calls, parsed by the real managers that scripts/install-managers.sh fetches. Each
//! command runs in a folder of its own, without network: what it can't fetch is no matter, what it doesn't understand is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use hookgate_policy::PackageManager::{self, Bun, Npm, Pnpm, Poetry, Uv, Yarn};

use super::dialect::{self, Flag, Verb};
use super::parse::parse;
use super::translate::{Project, translate};
use super::words::Word;

/// A manager that a project may use, by the name of its program here, and what it says of words that it doesn't understand.
struct Real {
    manager: PackageManager,
    program: &'static str,
    modern: bool,
    /// Starting it takes so little that every option is tried with every subcommand.
    quick: bool,
    refuses: &'static [&'static str],
}

const CLAP: [&str; 6] = [
    "unexpected argument",
    "unrecognized subcommand",
    "cannot be used with",
    "required arguments were not",
    "a value is required",
    "invalid value",
];

const ALL: [Real; 7] = [
    Real { manager: Uv, program: "uv", modern: false, quick: true, refuses: &CLAP },
    Real {
        manager: Bun,
        program: "bun",
        modern: false,
        quick: true,
        refuses: &["has no -", "Script not found", "Invalid Argument", "Unrecognized", "Usage:"],
    },
    Real { manager: Pnpm, program: "pnpm", modern: false, quick: false, refuses: &CLAP },
    Real {
        manager: Npm,
        program: "npm",
        modern: false,
        quick: false,
        refuses: &["Unknown cli config", "Unknown command", "Missing script"],
    },
    Real {
        manager: Yarn,
        program: "yarn1",
        modern: false,
        quick: false,
        refuses: &["error Command \"", "Invalid subcommand", "error Missing list", "Invalid argument"],
    },
    Real {
        manager: Yarn,
        program: "yarn4",
        modern: true,
        quick: false,
        refuses: &["Syntax Error", "find a script named"],
    },
    Real {
        manager: Poetry,
        program: "poetry",
        modern: false,
        quick: false,
        refuses: &["does not exist", "arguments expected", "Not enough arguments", "Too many arguments"],
    },
];

/// Options that are tried with every manager; the others with those that start quickly.
const USUAL: [Flag; 9] = [
    Flag::Dev,
    Flag::Production,
    Flag::Exact,
    Flag::Global,
    Flag::Group,
    Flag::Workspace,
    Flag::Directory,
    Flag::DryRun,
    Flag::Optional,
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/managers")
}

/// What stands behind a subcommand that needs something.
fn operands(verb: Verb) -> &'static [&'static str] {
    match verb {
        Verb::Add | Verb::Remove | Verb::Environment | Verb::Uninstall | Verb::Show | Verb::Why => &["six"],
        Verb::Run => &["build"],
        Verb::Execute | Verb::ExecuteLocal | Verb::Fetch => &["six", "--flag"],
        Verb::Create => &["vite", "demo"],
        Verb::Environs => &["env"],
        _ => &[],
    }
}

fn value(flag: Flag) -> &'static str {
    match flag {
        Flag::Directory | Flag::Workspace => "web",
        Flag::Registry | Flag::Index | Flag::ExtraIndex => "http://127.0.0.1:9/",
        Flag::Python => "3.11",
        Flag::Requirements | Flag::Constraint => "requirements.txt",
        Flag::Editable => ".",
        _ => "docs",
    }
}

/// Every command that a call of another manager becomes for this one: each subcommand, alone and with each option.
fn written(real: &Real) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let project = Project { has_manifest: true, is_modern_yarn: real.modern, ..Project::default() };
    let others = PackageManager::ALL.iter().copied();
    for from in others.filter(|from| from.ecosystem() == real.manager.ecosystem() && *from != real.manager) {
        let dialect = dialect::of(from);
        for (verb, _) in Verb::ALL {
            let Some(name) = dialect.subcommand(*verb) else { continue };
            let flags = Flag::ALL.iter().map(|(flag, _)| *flag);
            let tried = flags.filter(|flag| real.quick || USUAL.contains(flag));
            for flag in std::iter::once(None).chain(tried.map(Some)) {
                let mut words: Vec<&str> = name.split('_').collect();
                if let Some(flag) = flag {
                    let Some(option) = dialect.option(flag) else { continue };
                    words.push(option);
                    words.extend(flag.takes_value().then(|| value(flag)));
                }
                words.extend(operands(*verb));
                let parsed = parse(from, words.into_iter().map(Word::plain).collect());
                if parsed.asks || parsed.verb == Some(Verb::Itself) {
                    continue;
                }
                found.extend(
                    translate(&parsed, real.manager, project)
                        .filter(|one| one.missing.is_empty())
                        .map(|one| one.command),
                );
            }
        }
    }
    found
}

fn prepare(folder: &Path, real: &Real) {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    fs::create_dir_all(folder.join("web")).unwrap();
    fs::create_dir_all(folder.join("bin")).unwrap();
    let scripts = r#""scripts":{"build":"true","test":"true","start":"true"}"#;
    write(
        "package.json",
        &format!(r#"{{"name":"demo","version":"1.0.0","private":true,{scripts},"workspaces":["web"]}}"#),
    );
    write("web/package.json", &format!(r#"{{"name":"web","version":"1.0.0",{scripts}}}"#));
    let manifest = "version = \"1.0.0\"\nrequires-python = \">=3.8\"\ndependencies = []\n\
                    [project.optional-dependencies]\ndocs = []\n[dependency-groups]\ndocs = []\ndev = []\n";
    write("pyproject.toml", &format!("[project]\nname = \"demo\"\n{manifest}"));
    write("web/pyproject.toml", &format!("[project]\nname = \"web\"\n{manifest}"));
    write("requirements.txt", "");
    if real.manager == Yarn {
        // One name stands for two programs.
        let own =
            format!("#!/bin/sh\nexec '{}' \"$@\"\n", self::folder().join("bin").join(real.program).display());
        write("bin/yarn", &own);
        let mut chmod = Command::new("chmod");
        chmod.arg("755").arg(folder.join("bin/yarn"));
        assert!(chmod.status().unwrap().success());
        if real.modern {
            write(".yarnrc.yml", "enableTelemetry: false\n");
            write("yarn.lock", "");
            run(folder, "yarn install");
        }
    }
}

/// What the command says before it is done or 20 seconds are over, on both of its outputs.
fn run(folder: &Path, command: &str) -> String {
    let path = format!(
        "{}:{}:{}",
        folder.join("bin").display(),
        self::folder().join("bin").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut shell = Command::new("timeout");
    shell.args(["20", "sh", "-c", command]).current_dir(folder).stdin(Stdio::null());
    shell.env_clear().env("PATH", path).env("HOME", folder.join("home")).env("CI", "1");
    for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "npm_config_registry"] {
        shell.env(proxy, "http://127.0.0.1:9");
    }
    shell.env("npm_config_offline", "true").env("npm_config_fetch_retries", "0");
    shell.env("YARN_ENABLE_NETWORK", "0").env("UV_OFFLINE", "1").env("UV_PYTHON_DOWNLOADS", "never");
    shell.env("POETRY_VIRTUALENVS_CREATE", "false").env("NO_COLOR", "1");
    let output = shell.output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn parses(program: &str) {
    let real = ALL.iter().find(|real| real.program == program).unwrap();
    if !folder().is_dir() {
        use std::io::Write as _;
        drop(writeln!(
            std::io::stderr(),
            "SKIPPED what {program} parses: scripts/install-managers.sh fetches the package managers"
        ));
        return;
    }
    if !hookgate_testing::needs(program, folder().join("bin").join(program).is_file()) {
        return;
    }
    let commands = Mutex::new(written(real));
    let all = commands.lock().unwrap().len();
    assert!(all > 8, "{program}: {all} commands");
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some(command) = commands.lock().unwrap().pop_first() else { break };
                    let folder = tempfile::tempdir().unwrap();
                    prepare(folder.path(), real);
                    let said = run(folder.path(), &command);
                    if let Some(line) =
                        said.lines().find(|line| real.refuses.iter().any(|one| line.contains(one)))
                    {
                        wrong.lock().unwrap().push(format!("{command}: {}", line.trim()));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    assert!(wrong.is_empty(), "{program} refuses {} of {all}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn uv_parses_what_is_written_for_it() {
    parses("uv");
}

#[test]
fn bun_parses_what_is_written_for_it() {
    parses("bun");
}

#[test]
fn pnpm_parses_what_is_written_for_it() {
    parses("pnpm");
}

#[test]
fn npm_parses_what_is_written_for_it() {
    parses("npm");
}

#[test]
fn yarn_1_parses_what_is_written_for_it() {
    parses("yarn1");
}

#[test]
fn yarn_4_parses_what_is_written_for_it() {
    parses("yarn4");
}

#[test]
fn poetry_parses_what_is_written_for_it() {
    parses("poetry");
}
