//! The real client: a public npm package, fetched once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The release that the protocol was written down from.
pub(crate) const CLIENT_VERSION: &str = "2.1.330";
/// Its program for this platform.
const PACKAGE: &str = "@anthropic-ai/claude-code-linux-x64@2.1.330";

/// Why there is no client.
#[derive(Debug)]
pub enum ClientError {
    /// It can't be had here; the lab is skipped.
    Unavailable(String),
    /// It was fetched, but can't be used.
    Broken(String),
}

impl std::fmt::Display for ClientError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unavailable(why) | Self::Broken(why) => formatter.write_str(why),
        }
    }
}

impl std::error::Error for ClientError {}

/// Claude Code's program, fetched with `npm pack` into `folder` unless it is there already.
///
/// # Errors
/// [`ClientError::Unavailable`] where this platform has no package, or npm is missing or can't reach the
/// registry; [`ClientError::Broken`] where the package can't be unpacked.
pub fn claude_code(folder: &Path) -> Result<PathBuf, ClientError> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(ClientError::Unavailable(format!("{PACKAGE} runs on Linux on x86-64 only")));
    }
    let home = folder.join(format!("claude-code-{CLIENT_VERSION}"));
    let program = home.join("package/claude");
    if program.is_file() {
        return Ok(program);
    }
    std::fs::create_dir_all(&home)
        .map_err(|error| ClientError::Broken(format!("can't create {}: {error}", home.display())))?;
    let packed = Command::new("npm")
        .args(["pack", "--loglevel=error", PACKAGE])
        .current_dir(&home)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| ClientError::Unavailable(format!("npm can't be started: {error}")))?;
    if !packed.status.success() {
        let why = String::from_utf8_lossy(&packed.stderr).lines().next().unwrap_or_default().to_owned();
        return Err(ClientError::Unavailable(format!("npm can't fetch {PACKAGE}: {why}")));
    }
    let archive =
        String::from_utf8_lossy(&packed.stdout).lines().last().unwrap_or_default().trim().to_owned();
    // Unpacked beside its place and moved there, so that an interrupted run leaves no half of a client.
    let fresh = home.join(format!("unpacking-{}", std::process::id()));
    std::fs::create_dir_all(&fresh).map_err(|error| ClientError::Broken(error.to_string()))?;
    let unpacked = Command::new("tar")
        .arg("-xzf")
        .arg(home.join(&archive))
        .arg("-C")
        .arg(&fresh)
        .status()
        .map_err(|error| ClientError::Broken(format!("tar can't be started: {error}")))?;
    if !unpacked.success() {
        return Err(ClientError::Broken(format!("{archive} can't be unpacked")));
    }
    std::fs::rename(fresh.join("package"), home.join("package"))
        .map_err(|error| ClientError::Broken(format!("{archive} holds no package: {error}")))?;
    // What is left over is of no use, and nothing depends on its being gone.
    let _ = std::fs::remove_dir(fresh);
    let _ = std::fs::remove_file(home.join(archive));
    if program.is_file() {
        Ok(program)
    } else {
        Err(ClientError::Broken(format!("{PACKAGE} holds no `claude`")))
    }
}
