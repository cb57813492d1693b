//! Links a release build for this machine statically and without relocations, where that works.
//!
//! A hook starts once for each call of an agent, and more than half of a dynamic start is the loader's work. `cargo xtask
//! dist` has flags of the compiler against that; a plain `cargo install` has only this script. What it asks of the linker is
//! tried with a small program first, and anything unexpected leaves the build as it was.

use std::env::{var, var_os};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The libraries that the compiler asks for, and the static ones that take their places.
const LIBRARIES: [(&str, &[&str]); 3] = [
    ("libc.so", &["libc.a", "libgcc_eh.a", "libgcc.a"]),
    ("libgcc_s.so", &["libgcc_eh.a", "libgcc.a", "libc.a"]),
    ("libm.so", &["libm.a"]),
];

/// Uses a thread and the library of C, and prints a word.
const TRIAL: &str = r#"fn main() {
    let home = std::thread::spawn(|| std::env::var_os("PATH").is_some()).join();
    println!("{}", if home.is_ok() { "works" } else { "fails" });
}"#;

fn main() {
    let mut stdout = std::io::stdout();
    let mut say = |line: String| drop(writeln!(stdout, "cargo::{line}"));
    say("rerun-if-changed=build.rs".to_owned());
    if !is_wanted() {
        return;
    }
    if let Some(arguments) = var_os("OUT_DIR").and_then(|folder| arguments(Path::new(&folder))) {
        for argument in arguments {
            say(format!("rustc-link-arg-bins={argument}"));
        }
    }
}

/// Is it an optimised build for this machine, with glibc, that isn't static anyway?
fn is_wanted() -> bool {
    let says = |name: &str| var(name).unwrap_or_default();
    let is_static = says("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    says("PROFILE") == "release"
        && says("TARGET") == says("HOST")
        && says("CARGO_CFG_TARGET_OS") == "linux"
        && says("CARGO_CFG_TARGET_ENV") == "gnu"
        && !is_static
}

/// The linker's arguments, if a program that is linked with them runs.
fn arguments(folder: &Path) -> Option<[String; 3]> {
    let folder = folder.join("static");
    std::fs::create_dir_all(&folder).ok()?;
    let linker = var("RUSTC_LINKER").unwrap_or_else(|_| "cc".to_owned());
    for (name, parts) in LIBRARIES {
        let found: Option<Vec<String>> = parts.iter().map(|part| place(&linker, part)).collect();
        // The linker reads a text in a library's place as a script.
        std::fs::write(folder.join(name), format!("GROUP ( {} )\n", found?.join(" "))).ok()?;
    }
    let arguments = [format!("-L{}", folder.display()), "-no-pie".to_owned(), "-static".to_owned()];
    let (source, trial) = (folder.join("trial.rs"), folder.join("trial"));
    std::fs::write(&source, TRIAL).ok()?;
    let mut compile = Command::new(var_os("RUSTC")?);
    compile.args(["-Copt-level=1", "-Cpanic=abort"]).arg(&source).arg("-o").arg(&trial);
    if let Ok(linker) = var("RUSTC_LINKER") {
        compile.arg(format!("-Clinker={linker}"));
    }
    compile.args(
        var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().split('\x1f').filter(|flag| !flag.is_empty()),
    );
    compile.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    let built = compile.output().ok()?.status.success();
    let ran = built.then(|| Command::new(&trial).output().ok()).flatten()?;
    (ran.status.success() && ran.stdout == b"works\n").then_some(arguments)
}

/// Where the linker finds a library; it prints the bare name where it doesn't.
fn place(linker: &str, library: &str) -> Option<String> {
    let printed = Command::new(linker).arg(format!("-print-file-name={library}")).output().ok()?.stdout;
    let path = PathBuf::from(String::from_utf8(printed).ok()?.trim());
    (path.is_absolute() && path.is_file()).then(|| path.display().to_string())
}
