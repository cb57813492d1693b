//! What is read off a repository, compared with what git says of it.

// The whole file is a test; what counts names in sources stops here.
#[cfg(test)]
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hookgate_engine::Untracked;
use hookgate_testing::{Draw, has};

use super::*;

/// A repository that git has made, with another one that it was pushed to.
struct Ground {
    folder: tempfile::TempDir,
}

impl Ground {
    /// `None` without git.
    fn new() -> Option<Ground> {
        if !has("git", &["--version"]) {
            return None;
        }
        let ground = Ground { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(ground.root().join("src/deep")).unwrap();
        ground.git(&["init", "-q", "-b", "main", "."]);
        ground.git(&["init", "-q", "--bare", "../remote.git"]);
        ground.git(&["remote", "add", "origin", "../remote.git"]);
        for name in ["a.txt", "src/b.txt", "src/deep/c.txt"] {
            ground.write(name, &format!("{name}\n").repeat(200));
        }
        ground.commit("Begin");
        ground.git(&["push", "-q", "-u", "origin", "main"]);
        Some(ground)
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "."]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// The lines that git prints.
    fn git(&self, arguments: &[&str]) -> Vec<String> {
        git_in(&self.root(), arguments)
    }
}

fn git_in(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "core.quotePath=false"]);
    git.args(arguments).current_dir(directory).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", directory);
    let done = git.output().unwrap();
    assert!(done.status.success(), "git {arguments:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Everything that the reader says, beside what git says.
fn compare(directory: &Path) {
    let root = repository_root(directory).unwrap();
    let git = |arguments: &[&str]| git_in(&root, arguments);
    let listed: BTreeSet<String> = git(&["ls-files"]).into_iter().collect();
    assert_eq!(tracked(directory).unwrap(), listed);
    let count = |arguments: &[&str]| git(arguments).len();
    assert_eq!(changed(directory, &[], false).unwrap().number, count(&["diff", "--name-only"]));
    assert_eq!(
        changed(directory, &[], true).unwrap().number,
        count(&["diff", "--name-only", "--no-renames", "HEAD"])
    );
    assert_eq!(has_staged(directory).unwrap(), count(&["diff", "--cached", "--name-only"]) > 0);
    let others = Untracked { ignored: false, others: true, directories: true };
    let listed = count(&["ls-files", "--others", "--exclude-standard"]);
    assert_eq!(untracked(directory, &[], others).unwrap().number, listed);
    let ignored = Untracked { ignored: true, others: false, directories: true };
    let listed = count(&["ls-files", "--others", "--ignored", "--exclude-standard"]);
    assert_eq!(untracked(directory, &[], ignored).unwrap().number, listed);
    let current = git(&["symbolic-ref", "--short", "HEAD"]).concat();
    assert_eq!(branch(directory), Branch::Named(current));
    assert_eq!(remotes(directory).unwrap(), git(&["remote"]));
    for revision in ["HEAD", "HEAD~1", "main", "HEAD^"] {
        let message = git(&["log", "-1", "--format=%B", revision]).join("\n");
        assert_eq!(message_of(directory, revision).unwrap().trim_end(), message.trim_end(), "{revision}");
    }
}

#[test]
fn the_reader_says_what_git_says_of_loose_and_of_packed_objects() {
    let Some(ground) = Ground::new() else { return };
    let root = ground.root();
    let mut draw = Draw::new(5);
    for number in 0..12 {
        // Much stays as it is, so that packs hold differences.
        let text: String = (0..200).map(|line| format!("line {line}\n")).collect();
        ground.write("a.txt", &format!("{text}{}\n", draw.text("alnum", 40)));
        ground.write(&format!("src/new-{number}.txt"), &draw.text("alnum", 3_000));
        ground.commit(&format!("Change {number}\n\nWith a body.\n"));
    }
    ground.write(".gitignore", "*.log\n/build/\n!keep.log\n");
    fs::create_dir_all(root.join("build/deep")).unwrap();
    for name in ["x.log", "keep.log", "build/deep/y", "src/z.log", "src/untracked"] {
        ground.write(name, "x\n");
    }
    for packs in [false, true] {
        if packs {
            ground.git(&["gc", "-q"]);
        }
        compare(&root);
        compare(&root.join("src/deep"));
    }
    ground.write("a.txt", "another\n");
    ground.write("src/b.txt", "another\n");
    ground.git(&["add", "src/b.txt"]);
    fs::remove_file(root.join("src/deep/c.txt")).unwrap();
    ground.git(&["mv", "src/new-1.txt", "moved.txt"]);
    compare(&root);
    ground.git(&["reset", "-q", "--hard"]);
    ground.git(&["worktree", "add", "-q", "../side", "-b", "side"]);
    let side = ground.folder.path().join("side");
    fs::write(side.join("a.txt"), "in the other tree\n").unwrap();
    compare(&side);
    compare(&root);
}

#[test]
fn commits_that_others_have_are_told_from_those_that_they_have_not() {
    let Some(ground) = Ground::new() else { return };
    let root = ground.root();
    for number in 0..5 {
        ground.write("a.txt", &format!("{number}\n"));
        ground.commit("Change");
    }
    let count =
        |found: Option<hookgate_engine::Count>| found.map(|count| (count.number, count.about.unwrap()));
    let main = || "origin/main".to_owned();
    assert_eq!(count(published(&root, Some("HEAD~3"))), Some((0, main())), "none of them is pushed");
    ground.git(&["push", "-q"]);
    for packs in [false, true] {
        if packs {
            ground.git(&["gc", "-q"]);
            ground.git(&["pack-refs", "--all"]);
        }
        assert_eq!(count(published(&root, Some("HEAD~3"))), Some((3, main())));
        assert_eq!(count(published(&root, None)), Some((6, main())));
        assert_eq!(count(overwritten(&root, None, Some("HEAD~2"))), Some((2, main())));
        assert_eq!(count(overwritten(&root, Some("main"), None)), Some((0, main())));
        assert_eq!(overwritten(&root, Some("nowhere"), None), None);
    }
    // On a side of its own.
    ground.git(&["reset", "-q", "--hard", "HEAD~2"]);
    ground.write("b.txt", "x\n");
    ground.commit("Aside");
    assert_eq!(count(overwritten(&root, None, None)), Some((2, main())));
}

#[test]
fn commits_that_only_a_branch_has_are_counted_as_git_counts_them() {
    let Some(ground) = Ground::new() else { return };
    let root = ground.root();
    let names = ["one", "two", "deep/three", "four"];
    let mut draw = Draw::new(11);
    for number in 0..12 {
        let start = if number < 4 { "main" } else { names[draw.below(4)] };
        let name = if number < 4 { names[number] } else { names[draw.below(4)] };
        ground.git(&["checkout", "-q", "-B", name, start]);
        ground.write("a.txt", &format!("{number}\n"));
        ground.commit("Change");
        match draw.below(4) {
            0 => drop(ground.git(&["tag", &format!("v{number}")])),
            1 => drop(ground.git(&["push", "-q", "-f", "origin", name])),
            2 => drop(ground.git(&["pack-refs", "--all"])),
            _ => {}
        }
        ground.git(&["checkout", "-q", "main"]);
        for remotes in [false, true] {
            for gone in [vec!["one"], vec!["two", "four"], vec!["deep/three", "one", "v3"]] {
                let branches: Vec<String> = gone
                    .iter()
                    .filter(|name| !name.starts_with('v'))
                    .map(|name| (*name).to_owned())
                    .collect();
                let gone: Vec<String> = gone.into_iter().map(str::to_owned).collect();
                let there = ground.git(&["branch", "--format=%(refname:short)"]);
                let mut words = vec!["rev-list".to_owned(), "--count".to_owned()];
                words.extend(branches.iter().filter(|name| there.contains(name)).cloned());
                words.push("--not".to_owned());
                words.extend(gone.iter().map(|name| format!("--exclude={name}")));
                words.push("--branches".to_owned());
                words.extend(gone.iter().map(|name| format!("--exclude={name}")));
                words.push("--tags".to_owned());
                words.extend(remotes.then(|| "--remotes".to_owned()));
                let said = ground.git(&words.iter().map(String::as_str).collect::<Vec<_>>());
                let wanted = said.first().and_then(|line| line.parse::<usize>().ok()).unwrap_or_default();
                let found = unmerged(&root, &branches, &gone, remotes).unwrap();
                assert_eq!((found.number, found.more), (wanted, false), "{branches:?}, {gone:?}, {remotes}");
            }
        }
    }
    assert_eq!(unmerged(&root, &["nowhere".to_owned()], &[], true).unwrap().number, 0);
}

#[test]
fn remotes_and_tags_are_told_by_their_names() {
    let Some(ground) = Ground::new() else { return };
    let root = ground.root();
    assert_eq!(usual_remote(&root).as_deref(), Some("origin"));
    ground.git(&["remote", "add", "fork", "../fork.git"]);
    assert_eq!(remotes(&root).unwrap(), ["fork", "origin"]);
    ground.git(&["config", "remote.pushDefault", "fork"]);
    assert_eq!(usual_remote(&root).as_deref(), Some("fork"));
    ground.git(&["config", "branch.main.pushRemote", "origin"]);
    assert_eq!(usual_remote(&root).as_deref(), Some("origin"));
    ground.git(&["tag", "v1"]);
    ground.git(&["tag", "-a", "v2", "-m", "x"]);
    ground.git(&["tag", "main"]);
    let told = |name: &str| is_tag(&root, name);
    assert_eq!(["v1", "v2", "main", "nowhere"].map(told), [true, true, false, false]);
    ground.git(&["config", "include.path", "others"]);
    assert_eq!(remotes(&root), None, "the other file may have more");
}

#[test]
fn a_repository_that_is_damaged_anywhere_gives_no_answer_and_no_panic() {
    let Some(ground) = Ground::new() else { return };
    let root = ground.root();
    ground.write("a.txt", "x\n");
    ground.commit("Change");
    let mut draw = Draw::new(6);
    for packs in [false, true] {
        if packs {
            ground.git(&["gc", "-q"]);
        }
        for path in files(&root.join(".git")) {
            let whole = fs::read(&path).unwrap();
            let mut permissions = fs::metadata(&path).unwrap().permissions();
            #[expect(clippy::permissions_set_readonly_false, reason = "in a temporary folder")]
            permissions.set_readonly(false);
            fs::set_permissions(&path, permissions).unwrap();
            for _ in 0..6 {
                let mut damaged = whole.clone();
                let at = draw.below(whole.len().max(1));
                match damaged.get_mut(at).filter(|_| draw.below(2) == 0) {
                    Some(byte) => *byte ^= 1 << draw.below(8),
                    None => damaged.truncate(at),
                }
                fs::write(&path, damaged).unwrap();
                drop((tracked(&root), changed(&root, &[], true), has_staged(&root), branch(&root)));
                drop((published(&root, Some("HEAD~1")), overwritten(&root, None, Some("HEAD~1"))));
                drop((message_of(&root, "HEAD"), remotes(&root), usual_remote(&root), is_tag(&root, "v1")));
            }
            fs::write(&path, whole).unwrap();
        }
    }
}

/// The files below a directory that say something about the repository.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "hooks") {
                found.extend(files(&path));
            }
        } else {
            found.push(path);
        }
    }
    found
}
