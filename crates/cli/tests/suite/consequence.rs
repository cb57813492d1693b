//! What is stopped says what it amounts to.

use std::fs;
use std::process::Command;

use crate::support::{Ground, decision};

/// A repository with three files that git knows and two that it doesn't.
fn repository(version: &str) -> Option<Ground> {
    let ground = Ground::new();
    let project = ground.project();
    fs::remove_dir_all(project.join(".git")).unwrap();
    fs::create_dir_all(project.join("src/deep")).unwrap();
    for name in ["src/a.rs", "src/deep/b.rs", "README.md"] {
        fs::write(project.join(name), "0123456789").unwrap();
    }
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(&project).env("HOME", ground.home());
        command.output().is_ok_and(|output| output.status.success())
    };
    if !hookgate_testing::needs("git", git(&["init", "-q"])) {
        return None;
    }
    assert!(git(&["add", "."]));
    assert!(git(&["update-index", "--index-version", version]));
    fs::write(project.join("src/new.rs"), "0123456789").unwrap();
    fs::write(project.join("notes.md"), "0123456789").unwrap();
    Some(ground)
}

#[test]
fn a_denied_deletion_says_how_many_files_and_how_many_of_them_git_has_not() {
    for version in ["2", "4"] {
        let Some(ground) = repository(version) else { return };
        ground.policy(
            "[[rule]]\ncode = \"X001\"\nwhen = { delete = \"src\" }\nthen = \"deny\"\nreason = \"no\"\n",
        );
        let (decided, reason) = decision(&ground.hook(&ground.bash("rm -rf src")));
        assert_eq!(decided, "deny", "{reason}");
        assert!(
            reason.contains("3 files (30 bytes), 1 of them not in git"),
            "index version {version}: {reason}"
        );
    }
}

#[test]
fn what_is_not_there_is_not_counted() {
    let ground = Ground::new();
    ground
        .policy("[[rule]]\ncode = \"X001\"\nwhen = { delete = \"src\" }\nthen = \"deny\"\nreason = \"no\"\n");
    let (decided, reason) = decision(&ground.hook(&ground.bash("rm -rf src")));
    assert_eq!(decided, "deny");
    assert!(!reason.contains("files ("), "{reason}");
}

/// A repository with four files in three commits, two of them pushed.
struct Project {
    ground: Ground,
}

impl Project {
    fn new() -> Option<Project> {
        let project = Project { ground: Ground::new() };
        fs::remove_dir_all(project.ground.project().join(".git")).unwrap();
        if !hookgate_testing::needs("git", project.git("init -q -b main")) {
            return None;
        }
        assert!(project.git("init -q --bare ../remote.git"));
        assert!(project.git("remote add origin ../remote.git"));
        for name in ["a.txt", "b.txt", "src/c.txt", "src/deep/d.txt"] {
            project.write(name, "one\n");
        }
        project.write(".gitignore", "*.log\n/target/\n");
        project.commit("first");
        project.write("a.txt", "two\n");
        project.commit("second");
        assert!(project.git("push -q -u origin main"));
        project.write("a.txt", "three\n");
        project.commit("third");
        Some(project)
    }

    fn git(&self, arguments: &str) -> bool {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]);
        command.args(arguments.split(' ')).current_dir(self.ground.project()).env("HOME", self.ground.home());
        command.output().is_ok_and(|output| output.status.success())
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.ground.project().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&self, message: &str) {
        assert!(self.git("add -A"));
        assert!(self.git(&format!("commit -q -m {message}")));
    }

    /// Nothing is said about the command: git has all that it takes.
    fn passes(&self, command: &str) {
        self.ground.policy("presets = [\"recommended\"]\n");
        let event = self.ground.bash(command);
        // Counting ends after some milliseconds, and a busy machine may use them up before anything is counted.
        let said = |_| self.ground.hook(&event).stdout;
        let said: Vec<Vec<u8>> = (0..4).map(said).take_while(|said| !said.is_empty()).collect();
        assert!(said.len() < 4, "{command}: {}", String::from_utf8_lossy(&said[0]));
    }

    /// The command is stopped, and its reason says this.
    fn says(&self, command: &str, expected: &str) {
        self.ground.policy("presets = [\"recommended\"]\n[rules]\nGIT007 = \"ask\"\n");
        let event = self.ground.bash(command);
        let mut answer = decision(&self.ground.hook(&event));
        // Counting ends after some milliseconds, and a busy machine may use them up before anything is counted.
        for _ in 0..4 {
            if answer.1.contains(expected) {
                break;
            }
            answer = decision(&self.ground.hook(&event));
        }
        let (decided, reason) = answer;
        assert!(matches!(decided.as_str(), "ask" | "deny"), "{command}: {decided} {reason}");
        assert!(reason.contains(expected), "{command}: {reason}");
    }
}

#[test]
fn discarded_changes_are_counted() {
    let Some(project) = Project::new() else { return };
    project.passes("git reset --hard");
    project.says("git reset --hard HEAD~2", "takes 2 commits off the branch, the newest `");
    project.write("a.txt", "33333\n");
    // As long as what was there.
    project.write("b.txt", "two\n");
    project.write("src/deep/d.txt", "longer than before\n");
    project.says("git reset --hard", "discards uncommitted changes in the work tree: 3 files");
    project.says("git checkout -- .", "discards uncommitted changes in the work tree: 3 files");
    project.says("git restore src", "discards uncommitted changes in the work tree: 1 file");
    project.says("git checkout -- b.txt src/c.txt", "discards uncommitted changes in the work tree: 1 file");
    project.says("cd src && git restore .", "discards uncommitted changes in the work tree: 1 file");
    project.says("git checkout -f", "discards uncommitted changes in the work tree: 3 files");
    // In the index they are safe from a checkout of files, and from nothing else.
    assert!(project.git("add b.txt"));
    project.passes("git checkout -- b.txt");
    project.says("git checkout HEAD -- b.txt", "discards uncommitted changes in the work tree: 1 file");
    project.says("git reset --hard", "discards uncommitted changes in the work tree: 3 files");
    fs::remove_file(project.ground.project().join("src/c.txt")).unwrap();
    project.says("git restore .", "discards uncommitted changes in the work tree: 3 files");
    // Written again with the same content.
    assert!(project.git("reset -q --hard"));
    project.write("a.txt", "three\n");
    project.passes("git restore .");
}

#[test]
fn a_branch_goes_silently_where_others_have_its_commits() {
    let Some(project) = Project::new() else { return };
    assert!(project.git("branch merged HEAD~1") && project.git("branch same"));
    project.passes("git branch -D merged same nowhere");
    let said = project.ground.run(&["explain", "git branch -D merged"]).stdout;
    let said = String::from_utf8(said).unwrap();
    let why =
        "pass  [GIT004] deletes `merged`, which may contain unmerged work: nothing is lost, git keeps it";
    assert!(said.contains(why), "{said}");
    project.passes("git checkout main && git branch -D merged && git checkout -b next");
    assert!(project.git("checkout -q -b side") && project.git("branch twin"));
    project.write("a.txt", "four\n");
    project.commit("fourth");
    assert!(project.git("checkout -q main") && project.git("branch -f twin side"));
    project.passes("git branch -D side");
    let only = |number: &str| {
        format!("deletes `side`, which may contain unmerged work: {number} that no other branch or tag has")
    };
    // Each of them would have the commits of the other.
    project.says("git branch -D side twin", &only("1 commit"));
    project.says("git branch -D side; git branch -D twin", &only("1 commit"));
    project.says("git branch -f twin main; git branch -D side", &only("1 commit"));
    assert!(project.git("push -q origin side") && project.git("branch -q -D twin"));
    project.passes("git branch -D side");
    project.says("git fetch -p && git branch -D side", &only("1 commit"));
    project.says("git push origin --delete side && git branch -D side", &only("1 commit"));
    // What moves another branch may take the commits from it.
    assert!(project.git("tag keep side"));
    project.says("git reset --hard HEAD~1; git branch -D side", "deletes `side`, which may contain unmerged");
    project.says("git tag -d keep", "deletes `keep`, which may contain unmerged work");
}

#[test]
fn what_git_removes_or_ends_is_compared_first() {
    let Some(project) = Project::new() else { return };
    project.passes("git rm -rf src");
    project.passes("git checkout --orphan pages && git rm -rf .");
    project.passes("git merge --abort");
    project.write("untracked.txt", "x");
    project.passes("git rm -rf .");
    project.write("src/c.txt", "changed\n");
    project.passes("git rm -f a.txt");
    project.says("git rm -rf src", "discards uncommitted changes in the work tree: 1 file");
    project.says("git rm -rf '*.txt'", "discards uncommitted changes in the work tree: 1 file");
    project.says("git merge --abort", "discards uncommitted changes in the work tree: 1 file");
    // In a conflict the tree is as the merge left it.
    assert!(project.git("checkout -q -- src/c.txt") && project.git("checkout -q -b other HEAD~1"));
    project.write("a.txt", "the other side\n");
    project.commit("other");
    assert!(project.git("checkout -q -"));
    project.write("a.txt", "this side\n");
    project.commit("this");
    assert!(!project.git("merge -q other"));
    project.passes("git merge --abort");
    project.write("b.txt", "by hand\n");
    project.says("git merge --abort", "discards uncommitted changes in the work tree: 1 file");
}

#[test]
fn changes_are_counted_against_packed_objects_too() {
    let Some(project) = Project::new() else { return };
    assert!(project.git("gc -q"));
    project.write("a.txt", "four\n");
    assert!(project.git("add a.txt"));
    project.says("git reset --hard", "discards uncommitted changes in the work tree: 1 file");
    project.says("git rebase HEAD~2", "rewrites 1 commit that is already on `origin/main`");
}

#[test]
fn files_that_git_does_not_know_are_counted() {
    let Some(project) = Project::new() else { return };
    for name in ["new.txt", "src/new.txt", "fresh/e.txt", "fresh/f.txt", "x.log", "target/big.bin"] {
        project.write(name, "x");
    }
    project.says("git clean -fd", "deletes 4 untracked files");
    project.says("git clean -f", "deletes 2 untracked files");
    project.says("git clean -fdx", "deletes 6 untracked files");
    project.says("git clean -fdX", "deletes 2 untracked files");
    project.says("git clean -fd fresh", "deletes 2 untracked files");
}

#[test]
fn commits_that_others_have_are_counted() {
    let Some(project) = Project::new() else { return };
    project.says("git rebase -i HEAD~3 --root", "rewrites 2 commits that are already on `origin/main`");
    project.says("git reset --hard HEAD~2", "rewrites 1 commit that is already on `origin/main`");
    let (_, reason) = decision(&project.ground.hook(&project.ground.bash("git commit --amend --no-edit")));
    assert!(!reason.contains("already"), "{reason}");
    assert!(project.git("reset -q --hard HEAD~1"));
    project.says("git commit --amend --no-edit", "rewrites 1 commit that is already on `origin/main`");
    assert!(project.git("pack-refs --all"));
    project.says("git commit --amend --no-edit", "rewrites 1 commit that is already on `origin/main`");
    assert!(project.git("reset -q --hard HEAD~1"));
    project.write("b.txt", "other\n");
    project.commit("other");
    project.says("git push --force", "removes 1 commit from `origin/main`");
    project.says("git push -f origin HEAD", "removes 1 commit from `origin/main`");
    project.says("git push origin +main:main", "removes 1 commit from `origin/main`");
}

#[test]
fn a_directory_that_git_has_is_deleted_without_a_question() {
    let Some(project) = Project::new() else { return };
    // Committed and unchanged, or ignored; by no name that says so.
    project.passes("rm -rf src");
    project.write("target/x", "made");
    project.write("web/deep/a.log", "ignored");
    project.passes("rm -rf target");
    project.passes("rm -rf web");
    // Not known to git, or changed since.
    project.write("docs/notes.md", "mine");
    project.says("rm -rf docs", "1 file (4 bytes), not in git");
    project.write("dist/notes.md", "mine");
    project.says("rm -rf dist", "[FILE015]");
    project.write("src/deep/d.txt", "another text\n");
    project.says("rm -rf src", "[FILE015]");
    project.write("src/deep/d.txt", "one\n");
    project.passes("rm -rf src");
    // A repository of its own keeps its own work, ignored by the one around it or not.
    project.write("target/clone/.git/HEAD", "ref: refs/heads/main\n");
    project.says("rm -rf target", "[FILE015]");
    project.says("rm -rf .git", "deletes");
    // An own rule is about the deletion, and not about what git has.
    project.ground.policy("[[rule]]\ncode = \"X001\"\nwhen = { delete = \"src\" }\nthen = \"deny\"\n");
    assert_eq!(decision(&project.ground.hook(&project.ground.bash("rm -rf src"))).0, "deny");
}

/// What a call of the text brings there first isn't on the disk yet when the text is judged.
#[test]
fn what_the_same_text_puts_there_first_is_not_taken_for_kept() {
    let Some(project) = Project::new() else { return };
    project.write("mine/x", "mine");
    for text in [
        "mv mine nowhere && rm -rf nowhere",
        "mv mine src/ && rm -rf src",
        "mkdir new; mv mine/x new/; rm -rf new",
        "mv mine new; cd new; rm -rf deep",
        "ln -s mine new; rm -rf new/deep",
        "git stash pop; rm -rf src",
    ] {
        project.says(text, "[FILE015]");
    }
    for text in [
        "mv mine/x a.txt; git checkout a.txt",
        "git stash pop; git checkout .",
        "git stash pop && git reset --hard",
        "git add mine && git reset --hard",
        "git add -A; git rm -rf .",
        "git reset && git clean -fd",
    ] {
        project.says(text, "[GIT001]");
    }
    project.passes("mv mine other; rm -rf src");
    project.passes("git checkout -b next && rm -rf src");
    project.passes("git add a.txt && git branch -D nowhere");
}

#[test]
fn what_is_not_there_loses_nothing_without_git_either() {
    let ground = Ground::new();
    let project = ground.project();
    fs::remove_dir_all(project.join(".git")).unwrap();
    fs::write(project.join("a.txt"), "a").unwrap();
    fs::create_dir(project.join("empty")).unwrap();
    ground.policy("presets = [\"recommended\"]\n");
    for text in ["rm -rf build", "rm -rf build/deep/er", "rm -rf build; mkdir build"] {
        let said = ground.hook(&ground.bash(text)).stdout;
        assert!(said.is_empty(), "{text}: {}", String::from_utf8_lossy(&said));
    }
    // A directory in which nothing is seen may be one that can't be read.
    for text in ["rm -rf empty", "mv a.txt build; rm -rf build"] {
        assert_eq!(decision(&ground.hook(&ground.bash(text))).0, "ask", "{text}");
    }
}

/// A `cd` into what isn't there fails, and the next step runs where the shell was.
#[test]
fn what_follows_a_failing_cd_is_judged_in_both_directories() {
    let Some(project) = Project::new() else { return };
    project.write("mine/x", "mine");
    project.says("cd /tmp/nosuch-directory; rm -rf .git", "deletes");
    project.says("cd nosuch; rm -rf mine", "[FILE015]");
    project.says("rm -rf .g*", "[GIT012]");
    project.passes("mkdir fresh; cd fresh; rm -rf mine");
    project.passes("cd nosuch && rm -rf mine");
}
