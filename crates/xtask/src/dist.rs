//! `cargo xtask dist`: the binary as it is released.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// On Linux the released binary is static and not relocated: the loader has nothing to do.
const STATIC: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// Builds the released binary and the bare process that budgets compare it with; the folder that holds both.
pub(crate) fn build(workspace: &Path) -> Result<PathBuf, String> {
    let host = host()?;
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(workspace).args(["build", "--release", "--locked", "--target", &host]);
    command.args(["-p", "hookgate", "--bin", "hookgate", "--example", "bare"]);
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
    for (from, name) in [(built.join("hookgate"), "hookgate"), (built.join("examples/bare"), "bare")] {
        fs::copy(&from, folder.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(folder)
}

fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "rustc does not say its host".to_owned())
}
