//! Where Claude Code keeps what.

use std::path::{Path, PathBuf};

use crate::{Folders, Scope};

/// The settings files. The client's own command line (`--settings`, `--disallowedTools`) can't be seen from a hook.
pub(super) fn settings(folders: &Folders<'_>) -> Vec<(Scope, PathBuf)> {
    let managed = if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode/managed-settings.json"
    } else {
        "/etc/claude-code/managed-settings.json"
    };
    let mut files = vec![(Scope::Managed, PathBuf::from(managed))];
    let of_person = folders.named.map(Path::to_path_buf);
    if let Some(folder) = of_person.or_else(|| folders.home.map(|home| home.join(".claude"))) {
        files.push((Scope::User, folder.join("settings.json")));
    }
    let project = Path::new(folders.project).join(".claude");
    files.push((Scope::Project, project.join("settings.json")));
    files.push((Scope::Local, project.join("settings.local.json")));
    files
}

/// The file with the projects that the person trusts.
pub(super) fn trust(folders: &Folders<'_>) -> Option<PathBuf> {
    Some(folders.named.or(folders.home)?.join(".claude.json"))
}
