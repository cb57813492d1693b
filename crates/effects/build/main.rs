//! Compiles `knowledge/*.toml` and `knowledge/families/*.toml` into static tables.
//!
//! `knowledge/README.md` describes the format. Every mistake is reported with file, key and what is wrong, all of
//! them in one run; nothing is generated from a directory with a mistake in it.

mod compiler;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use compiler::Compiler;

fn main() -> ExitCode {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let knowledge = manifest.join("../../knowledge");
    let effect = manifest.join("../facts/src/effect.rs");
    let mut stdout = std::io::stdout();
    for path in [&knowledge, &effect, &manifest.join("build")] {
        let _ = writeln!(stdout, "cargo::rerun-if-changed={}", path.display());
    }

    let mut compiler = Compiler::new(kinds(&effect));
    for path in files(&knowledge) {
        compiler.program(&path);
    }
    for path in files(&knowledge.join("families")) {
        compiler.family(&path);
    }
    compiler.check_names();

    if !compiler.errors.is_empty() {
        for error in &compiler.errors {
            let _ = writeln!(std::io::stderr(), "error: {error}");
        }
        let _ = writeln!(
            std::io::stderr(),
            "{} mistakes; knowledge/README.md has the format",
            compiler.errors.len()
        );
        return ExitCode::FAILURE;
    }
    let target = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default().join("knowledge.rs");
    match std::fs::write(&target, compiler.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {}: {error}", target.display());
            ExitCode::FAILURE
        }
    }
}

/// The files of a directory that hold knowledge, in the order of their names.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// The kinds of effect, name to variant, read off the macro call in `crates/facts/src/effect.rs`.
fn kinds(source: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    let listed = text.lines().filter_map(|line| {
        let (variant, name) = line.trim().strip_suffix("\",")?.split_once(" = \"")?;
        variant.chars().all(char::is_alphanumeric).then(|| (name.to_owned(), format!("Kind::{variant}")))
    });
    let unknown = [
        ("unknown-program", "Kind::Unknown(Unknown::Program)"),
        ("unknown-target", "Kind::Unknown(Unknown::Target)"),
        ("unknown-command", "Kind::Unknown(Unknown::Command)"),
        ("unparsed", "Kind::Unknown(Unknown::Unparsed)"),
    ];
    listed.chain(unknown.map(|(name, variant)| (name.to_owned(), variant.to_owned()))).collect()
}
