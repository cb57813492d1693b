//! Compiles the files below `knowledge/` (a link to the folder at the top of the repository, so that the published crate holds them) into the base that every program is built with.

#[expect(unreachable_pub, reason = "the reader needs the rest")]
#[path = "src/act.rs"]
mod act;
#[expect(dead_code, unreachable_pub, reason = "a crate has this module as well")]
#[path = "src/compiler/mod.rs"]
mod compiler;
#[expect(unreachable_pub, reason = "the reader needs the rest")]
#[path = "src/facet.rs"]
mod facet;
#[expect(dead_code, reason = "the reader needs the rest")]
#[path = "src/format.rs"]
mod format;
#[expect(dead_code, unreachable_pub, reason = "the reader needs the rest")]
#[path = "src/glob.rs"]
mod glob;
#[expect(dead_code, unreachable_pub, reason = "the reader needs the rest")]
#[path = "src/kind.rs"]
mod kind;
#[expect(dead_code, unreachable_pub, reason = "the reader needs the rest")]
#[path = "src/manner.rs"]
mod manner;
#[expect(unreachable_pub, reason = "the reader needs the rest")]
#[path = "src/part.rs"]
mod part;
#[expect(dead_code, unreachable_pub, reason = "the reader needs the rest")]
#[path = "src/role.rs"]
mod role;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use compiler::Compiler;

fn main() -> ExitCode {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let directory = manifest.join("knowledge");
    let mut stdout = std::io::stdout();
    for path in [directory.as_path(), &manifest.join("build.rs"), &manifest.join("src")] {
        let _ = writeln!(stdout, "cargo::rerun-if-changed={}", path.display());
    }
    let target = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default().join("knowledge");
    match compile(&directory).and_then(|bytes| Ok(std::fs::write(target, bytes)?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn compile(directory: &Path) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut compiler = Compiler::new();
    for path in files(directory)? {
        let name = path.strip_prefix(directory)?.to_string_lossy().into_owned();
        compiler.add(&name, &std::fs::read_to_string(&path)?);
    }
    compiler.finish().map_err(|mistakes| {
        let lines: Vec<_> = mistakes.iter().map(|mistake| format!("error: knowledge/{mistake}")).collect();
        let count = match mistakes.len() {
            1 => "1 mistake".to_owned(),
            count => format!("{count} mistakes"),
        };
        format!("{}\n{count}; knowledge/README.md has the format", lines.join("\n")).into()
    })
}

/// The files of the directory and of those in it that hold knowledge, in the order of their names.
fn files(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            files.append(&mut self::files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
