//! `cargo xtask dist`: the binary as it is released.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// On Linux the released binary is static and not relocated: the loader has nothing to do.
const STATIC: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// The linker for a machine that isn't this one, by Debian's name, where cargo isn't told of another.
const LINKERS: &[(&str, &str, &str)] = &[(
    "aarch64-unknown-linux-gnu",
    "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
    "aarch64-linux-gnu-gcc",
)];

/// Builds the released binary, and the bare process that budgets compare it with; the folder that holds both.
pub(crate) fn build(workspace: &Path) -> Result<PathBuf, String> {
    let from = build_for(workspace, &host()?)?;
    let folder = target_folder(workspace).join("dist");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    fs::copy(&from, folder.join("hookgate")).map_err(|error| format!("{}: {error}", from.display()))?;
    bare(&folder.join("bare"))?;
    Ok(folder)
}

/// Builds the released binary for a machine; the binary.
pub(crate) fn build_for(workspace: &Path, target: &str) -> Result<PathBuf, String> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(workspace).args(["build", "--release", "--locked", "--target", target]);
    command.args(["-p", "hookgate", "--bin", "hookgate"]);
    if target.contains("linux") {
        command.env("RUSTFLAGS", STATIC);
    }
    let is_foreign = host()? != target;
    for (_, variable, linker) in LINKERS.iter().filter(|(name, ..)| is_foreign && *name == target) {
        if std::env::var_os(variable).is_none() {
            command.env(variable, linker);
        }
    }
    if !command.status().map_err(|error| error.to_string())?.success() {
        return Err(format!("the build for {target} failed"));
    }
    Ok(target_folder(workspace).join(target).join("release/hookgate"))
}

/// Where cargo builds.
pub(crate) fn target_folder(workspace: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from)
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

/// The machine that this runs on, by the compiler's name.
pub(crate) fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "rustc does not say its host".to_owned())
}
