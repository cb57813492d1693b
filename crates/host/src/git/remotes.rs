//! Remotes, and where a push without a name goes.

use std::path::{Path, PathBuf};

use crate::regular::read_text;

use super::Repository;

/// The largest settings that are read.
const LARGEST: u64 = 1024 * 1024;

/// One setting: section, name of the subsection, key, value.
pub(super) type Setting = (String, String, String, String);

/// The names of the remotes of the repository around a directory; `None` where its settings include others, which may have more.
pub(crate) fn remotes(directory: &Path) -> Option<Vec<String>> {
    let repository = Repository::around(directory)?;
    let settings = settings(&repository)?;
    if settings.iter().any(|(section, ..)| section.starts_with("include")) {
        return None;
    }
    let mut names: Vec<String> = settings
        .into_iter()
        .filter(|(section, name, ..)| section == "remote" && !name.is_empty())
        .map(|(_, name, ..)| name)
        .collect();
    names.sort();
    names.dedup();
    Some(names)
}

/// The remote to which `git push` goes without a name: `branch.NAME.pushRemote`, `remote.pushDefault`, `branch.NAME.remote`, or
/// `origin`.
pub(crate) fn usual_remote(directory: &Path) -> Option<String> {
    let repository = Repository::around(directory)?;
    let settings = settings(&repository)?;
    let branch = repository.branch().unwrap_or_default();
    let value = |section: &str, name: &str, key: &str| {
        let found = settings.iter().rev().find(|one| one.0 == section && one.1 == name && one.2 == key);
        found.map(|(.., value)| value.clone())
    };
    value("branch", &branch, "pushremote")
        .or_else(|| value("remote", "", "pushdefault"))
        .or_else(|| value("branch", &branch, "remote"))
        .or_else(|| Some("origin".to_owned()))
}

impl Repository {
    /// The folder in which a source of `pull` lies: the folder itself, or that of a remote of the name.
    pub(super) fn folder_of(&self, source: &str) -> Option<PathBuf> {
        let path = |text: &str| {
            let text = text.strip_prefix("file://").unwrap_or(text);
            let local = text.starts_with('/') || text.starts_with('.');
            local.then(|| self.root.join(text)).filter(|path| path.is_dir())
        };
        path(source).or_else(|| {
            let found = settings(self)?.into_iter().rev();
            let mut urls = found.filter(|one| one.0 == "remote" && one.1 == source && one.2 == "url");
            path(&urls.next()?.3)
        })
    }
}

/// Is it the name of a tag, and of no branch?
pub(crate) fn is_tag(directory: &Path, name: &str) -> bool {
    let Some(repository) = Repository::around(directory) else { return false };
    let has = |kind: &str| repository.reference(&format!("refs/{kind}/{name}")).is_some();
    has("tags") && !has("heads")
}

fn settings(repository: &Repository) -> Option<Vec<Setting>> {
    read_text(&repository.common.join("config"), LARGEST).map(|text| settings_in(&text))
}

/// The settings of a file, in its order.
pub(super) fn settings_in(text: &str) -> Vec<Setting> {
    let mut all = Vec::new();
    let (mut section, mut name) = (String::new(), String::new());
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.split(']').next().unwrap_or_default();
            let (kind, rest) = header.split_once(' ').unwrap_or((header, ""));
            section = kind.to_ascii_lowercase();
            name = rest.trim().trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\");
            // A section says something by being there.
            all.push((section.clone(), name.clone(), String::new(), String::new()));
        } else if !line.starts_with(['#', ';']) && !line.is_empty() {
            let (key, value) = line.split_once('=').unwrap_or((line, "true"));
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim().trim_matches('"').to_owned());
            all.push((section.clone(), name.clone(), key, value));
        }
    }
    all
}
