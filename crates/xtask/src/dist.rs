//! `cargo xtask dist`: the binary as it is released.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// On Linux the released binary is static and not relocated: the loader has nothing to do.
const STATIC: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// Builds the released binary, and the bare process that budgets compare it with; the folder that holds both.
pub(crate) fn build(workspace: &Path) -> Result<PathBuf, String> {
    let host = host()?;
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(workspace).args(["build", "--release", "--locked", "--target", &host]);
    command.args(["-p", "hookgate", "--bin", "hookgate"]);
    if host.contains("linux") {
        command.env("RUSTFLAGS", STATIC);
    }
    if !command.status().map_err(|error| error.to_string())?.success() {
        return Err("the build failed".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let built = target.join(&host).join("release");
    let folder = target.join("dist");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let from = built.join("hookgate");
    fs::copy(&from, folder.join("hookgate")).map_err(|error| format!("{}: {error}", from.display()))?;
    bare(&folder.join("bare"))?;
    Ok(folder)
}

/// Builds the process that budgets are set against: what anybody gets from a plain release build.
fn bare(to: &Path) -> Result<(), String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("bare/main.rs");
    let mut command = Command::new("rustc");
    command.args([
        "--edition",
        "2024",
        "-C",
        "opt-level=3",
        "-C",
        "panic=abort",
        "-C",
        "strip=symbols",
        "-o",
    ]);
    let built = command.arg(to).arg(source).status().map_err(|error| error.to_string())?;
    if built.success() { Ok(()) } else { Err("the bare process could not be built".to_owned()) }
}

fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "rustc does not say its host".to_owned())
}
