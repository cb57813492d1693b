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
    let of_person = folders.named.map(|folder| folder.join("settings.json"));
    let usual = || folders.home.map(|home| home.join(".claude/settings.json"));
    files.extend(of_person.or_else(usual).map(|file| (Scope::User, file)));
    let project = Path::new(folders.project);
    files.push((Scope::Project, project.join(".claude/settings.json")));
    files.push((Scope::Local, project.join(".claude/settings.local.json")));
    files
}

/// The file with the projects that the person trusts.
pub(super) fn trust(folders: &Folders<'_>) -> Option<PathBuf> {
    Some(folders.named.or(folders.home)?.join(".claude.json"))
}
