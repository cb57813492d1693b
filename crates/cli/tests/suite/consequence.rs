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
    if !git(&["init", "-q"]) {
        eprintln!("skipped: git is not installed");
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
    assert!(!reason.contains("files"), "{reason}");
}
