//! The files that a release is made of: `cargo xtask package` on each machine that builds, `cargo xtask release` on the one that
//! gathers what they built.

mod debian;
mod formula;
mod npm;

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use crate::dist;

/// What all files of a release are named after.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A machine that hookgate is released for, by each of the names that it goes by.
struct Target {
    /// For the compiler.
    triple: &'static str,
    /// For node: the platform and the processor, as in `process.platform` and `process.arch`.
    node: (&'static str, &'static str),
    /// For Debian, where it is one of Debian's.
    debian: Option<&'static str>,
    /// For Homebrew: the blocks of a formula.
    brew: (&'static str, &'static str),
}

const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-gnu",
        node: ("linux", "x64"),
        debian: Some("amd64"),
        brew: ("on_linux", "on_intel"),
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        node: ("linux", "arm64"),
        debian: Some("arm64"),
        brew: ("on_linux", "on_arm"),
    },
    Target {
        triple: "x86_64-apple-darwin",
        node: ("darwin", "x64"),
        debian: None,
        brew: ("on_macos", "on_intel"),
    },
    Target {
        triple: "aarch64-apple-darwin",
        node: ("darwin", "arm64"),
        debian: None,
        brew: ("on_macos", "on_arm"),
    },
];

/// Builds for one target (this machine, if none is named) and packs what was built: an archive, npm's package for the
/// platform, and Debian's.
pub(crate) fn package(workspace: &Path, triple: Option<&str>) -> Result<String, String> {
    let triple = triple.map_or_else(dist::host, |triple| Ok(triple.to_owned()))?;
    let target = TARGETS.iter().find(|target| target.triple == triple).ok_or_else(|| {
        let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
        format!("hookgate is not released for {triple}, but for {}", known.join(", "))
    })?;
    let binary = dist::build_for(workspace, &triple)?;
    let to = folder(workspace);
    let name = format!("hookgate-{VERSION}-{triple}");
    let tree = to.join("tree").join(&name);
    remove(&tree)?;
    lay_out(workspace, &binary, &tree)?;
    let archive = to.join(format!("{name}.tar.gz"));
    archive_of(&tree, &archive)?;
    let mut made = vec![archive, npm::platform(workspace, target, &binary, &to)?];
    if let Some(architecture) = target.debian {
        made.push(debian::package(workspace, architecture, &tree, &to)?);
    }
    Ok(list(&made))
}

/// Adds what names the others: npm's main package, the formula and the checksums of everything in the folder.
pub(crate) fn release(workspace: &Path) -> Result<String, String> {
    let to = folder(workspace);
    let archives: Vec<(&Target, String)> = TARGETS
        .iter()
        .filter_map(|target| {
            let bytes = fs::read(to.join(format!("hookgate-{VERSION}-{}.tar.gz", target.triple))).ok()?;
            Some((target, hex(&bytes)))
        })
        .collect();
    if archives.is_empty() {
        return Err(format!("no archive in {}: run `cargo xtask package` first", to.display()));
    }
    let made = [
        npm::main(workspace, archives.iter().map(|(target, _)| *target), &to)?,
        formula::write(workspace, &archives, &to)?,
        copied(&workspace.join("packaging/install.sh"), &to.join("install.sh"))?,
        checksums(&to)?,
    ];
    let left: Vec<&str> = TARGETS
        .iter()
        .filter(|target| !archives.iter().any(|(built, _)| built.triple == target.triple))
        .map(|target| target.triple)
        .collect();
    let note = if left.is_empty() { String::new() } else { format!("\nnot built here: {}", left.join(", ")) };
    Ok(list(&made) + &note)
}

/// Where everything goes.
fn folder(workspace: &Path) -> PathBuf {
    dist::target_folder(workspace).join("package")
}

/// The tree that the archive holds and Debian's package is laid out from.
fn lay_out(workspace: &Path, binary: &Path, tree: &Path) -> Result<(), String> {
    write(&tree.join("hookgate"), &read(binary)?, 0o755)?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        copied(&workspace.join(file), &tree.join(file))?;
    }
    write(&tree.join("man/hookgate.1"), &said(workspace, &["man"])?, 0o644)?;
    for (shell, file) in [("bash", "hookgate.bash"), ("zsh", "_hookgate"), ("fish", "hookgate.fish")] {
        write(&tree.join("completions").join(file), &said(workspace, &["completions", shell])?, 0o644)?;
    }
    Ok(())
}

/// What this workspace's own program prints, whatever machine the released one is for.
fn said(workspace: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(workspace)
        .args(["run", "--quiet", "--locked", "--package", "hookgate", "--"])
        .args(arguments);
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// One archive of a folder: the same bytes from the same files, whoever packs them and when.
fn archive_of(tree: &Path, to: &Path) -> Result<(), String> {
    let packed = || -> std::io::Result<()> {
        let name = tree.file_name().unwrap_or_default();
        let gzip = flate2::GzBuilder::new().write(fs::File::create(to)?, flate2::Compression::best());
        let mut archive = tar::Builder::new(gzip);
        archive.mode(tar::HeaderMode::Deterministic);
        for path in files_below(tree)? {
            let inside = Path::new(name).join(path.strip_prefix(tree).unwrap_or(&path));
            archive.append_path_with_name(&path, inside)?;
        }
        archive.into_inner()?.finish()?.flush()
    };
    packed().map_err(|error| format!("{}: {error}", to.display()))
}

fn files_below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files_below(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

/// `SHA256SUMS`, as `sha256sum --check` reads it.
fn checksums(folder: &Path) -> Result<PathBuf, String> {
    let mut lines = String::new();
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && path.file_name().is_some_and(|name| name != "SHA256SUMS"))
        .collect();
    files.sort();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        lines.push_str(&format!("{}  {name}\n", hex(&read(&path)?)));
    }
    let to = folder.join("SHA256SUMS");
    write(&to, lines.as_bytes(), 0o644)?;
    Ok(to)
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn list(paths: &[PathBuf]) -> String {
    let lines: Vec<String> = paths.iter().map(|path| format!("made {}", path.display())).collect();
    lines.join("\n")
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<(), String> {
    let written = || -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, bytes)?;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    };
    written().map_err(|error| format!("{}: {error}", path.display()))
}

fn copied(from: &Path, to: &Path) -> Result<PathBuf, String> {
    let mode = fs::metadata(from).map_or(0o644, |metadata| metadata.permissions().mode() & 0o755);
    write(to, &read(from)?, mode)?;
    Ok(to.to_owned())
}

/// Runs a packer in a folder; what it prints is shown where it fails.
fn run(program: &str, arguments: &[&str], folder: &Path) -> Result<(), String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{program} failed: {}", String::from_utf8_lossy(&output.stderr).trim_end()))
}
