//! Programs that git runs at its own steps.

use std::fs;
use std::path::{Path, PathBuf};

use crate::regular::read_text;

use super::Repository;
use super::remotes::settings_in;

/// The largest settings that are read.
const LARGEST: u64 = 1024 * 1024;

/// Might git run a hook of that name, or any if there is none, in the repository around a directory? `own` are the person's and
/// the system's settings. Where it can't be told it might.
pub(crate) fn has_hook(directory: &Path, name: Option<&str>, own: &[PathBuf], home: &Path) -> bool {
    // Without a repository git does nothing.
    let Some(repository) = Repository::around(directory) else { return false };
    let mut folders = vec![repository.common.join("hooks")];
    let shared = repository.common.join("config");
    let of_tree = repository.own.join("config.worktree");
    let files = [&shared, &of_tree].into_iter().chain(own);
    for file in files.filter(|file| file.exists()) {
        let Some(text) = read_text(file, LARGEST) else { return true };
        for (section, _, key, value) in settings_in(&text) {
            match (section.as_str(), key.as_str()) {
                ("core", "hookspath") => folders.push(repository.root.join(expanded(&value, home))),
                // What it includes may say where hooks lie.
                ("include" | "includeif", "path") => {
                    let base = file.parent().unwrap_or(&repository.root);
                    if may_name_hooks(&base.join(expanded(&value, home))) {
                        return true;
                    }
                }
                _ => {}
            }
        }
    }
    folders.iter().any(|folder| match name {
        Some(name) => holds_hook(folder, name),
        None => holds_hooks(folder),
    })
}

/// Does the work tree around a directory hold another repository that git goes into by itself, with settings that came from elsewhere?
/// Those of a submodule lie in `.git/modules`, where only git writes. Where it can't be told it does.
pub(crate) fn holds_repositories(directory: &Path) -> bool {
    let Some(repository) = Repository::around(directory) else { return false };
    if !repository.own.join("index").exists() {
        return false;
    }
    let Some(entries) = super::changes::index(&repository) else { return true };
    entries.iter().filter(|entry| entry.repository).any(|entry| {
        let place = repository.root.join(&entry.path);
        let dot_git = place.join(".git");
        let Ok(metadata) = dot_git.symlink_metadata() else { return false };
        let target = super::git_directory(&place).and_then(|path| path.canonicalize().ok());
        let kept = repository.common.join("modules").canonicalize().ok();
        metadata.is_dir() || !target.zip(kept).is_some_and(|(target, kept)| target.starts_with(kept))
    })
}

fn expanded(path: &str, home: &Path) -> PathBuf {
    path.strip_prefix("~/").map_or_else(|| PathBuf::from(path), |rest| home.join(rest))
}

/// Does an included file name a folder of hooks, or include more?
fn may_name_hooks(file: &Path) -> bool {
    if file.symlink_metadata().is_err() {
        return false;
    }
    read_text(file, LARGEST).is_none_or(|text| {
        let text = text.to_ascii_lowercase();
        text.contains("hookspath") || text.contains("[include")
    })
}

/// Does the folder hold a hook of that name? husky's folder `_` has a text for each name, which looks for the hook in the folder
/// above.
fn holds_hook(folder: &Path, name: &str) -> bool {
    let file = folder.join(name);
    let passes_on = folder.ends_with("_")
        && read_text(&file, LARGEST)
            .is_some_and(|text| text.trim_end() == "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"");
    let file = if passes_on { folder.with_file_name(name) } else { file };
    file.symlink_metadata().is_ok()
}

/// Git makes a folder with samples, which it doesn't run.
fn holds_hooks(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| !entry.file_name().to_string_lossy().ends_with(".sample"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_found_where_git_looks_for_them() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), text).unwrap();
        };
        let own = [at("home/.gitconfig")];
        let has = |name: Option<&str>| has_hook(&at("work/src"), name, &own, &at("home"));
        assert!(!has(None), "no repository");
        write("work/.git/config", "[core]\n\tbare = false\n");
        write("work/.git/hooks/pre-commit.sample", "");
        fs::create_dir_all(at("work/src")).unwrap();
        assert!(!has(None));
        write("work/.git/hooks/pre-commit", "");
        assert!(has(None) && has(Some("pre-commit")) && !has(Some("post-index-change")));
        fs::remove_file(at("work/.git/hooks/pre-commit")).unwrap();
        write("work/tools/post-index-change", "");
        assert!(!has(Some("post-index-change")));
        write("work/.git/config", "[Core]\n\thooksPath = tools\n");
        assert!(has(Some("post-index-change")) && has(None));
        write("work/.git/config", "");
        write("home/hooks/post-index-change", "");
        write("home/.gitconfig", "[core]\n\thookspath = ~/hooks\n");
        assert!(has(Some("post-index-change")));
        write("home/.gitconfig", "[includeIf \"gitdir:~/work/\"]\n\tpath = work.inc\n");
        assert!(!has(None), "the file isn't there");
        write("home/work.inc", "[user]\n\tname = x\n");
        assert!(!has(None));
        write("home/work.inc", "[core]\n\thooksPath = y\n");
        assert!(has(Some("anything")), "which of them holds isn't known");
        fs::remove_file(at("home/.gitconfig")).unwrap();
        write("work/.git/config", "[core]\n\thooksPath = .husky/_\n");
        write("work/.husky/_/post-merge", "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n");
        assert!(!has(Some("post-merge")), "it only looks for the other");
        write("work/.husky/post-merge", "");
        assert!(has(Some("post-merge")));
        write("work/.husky/_/post-checkout", "#!/bin/sh\nmake\n");
        assert!(has(Some("post-checkout")));
    }

    #[test]
    fn a_repository_within_is_told_from_a_submodule() {
        let folder = tempfile::tempdir().unwrap();
        let git = |words: &[&str]| {
            let mut git = std::process::Command::new("git");
            git.args([
                "-c",
                "user.name=n",
                "-c",
                "user.email=n@example.com",
                "-c",
                "protocol.file.allow=always",
            ]);
            git.args(words).current_dir(folder.path());
            git.output().is_ok_and(|output| output.status.success())
        };
        if !hookgate_testing::needs("git", git(&["init", "-q", "."])) {
            return;
        }
        let holds = || holds_repositories(folder.path());
        assert!(!holds());
        assert!(
            git(&["init", "-q", "sub"]) && git(&["-C", "sub", "commit", "-q", "--allow-empty", "-m", "x"])
        );
        assert!(!holds(), "git doesn't know it");
        assert!(git(&["add", "sub"]));
        assert!(holds());
        let other = folder.path().join("sub");
        assert!(git(&["rm", "-q", "-f", "--cached", "sub"]));
        assert!(git(&["submodule", "add", "-q", other.to_str().unwrap(), "module"]));
        assert!(!holds(), "its settings lie where only git writes");
        fs::write(folder.path().join("module/.git"), "gitdir: ../sub/.git\n").unwrap();
        assert!(holds());
    }
}
