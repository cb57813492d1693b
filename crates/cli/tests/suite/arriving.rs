//! What git, archives and links bring into a project in the place of what guards are about, and what they bring that is harmless.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Ground, decision};

fn git(folder: &Path, words: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"])
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A project with a branch that switches the agent's hooks off, and another repository whose only branch does.
fn ground(with_settings: bool) -> Ground {
    let ground = Ground::new();
    let project = ground.project();
    let switched_off = "{\"disableAllHooks\":true}";
    git(&project, &["init", "-q"]);
    write(&project.join("README.md"), "1");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "one"]);
    git(&project, &["switch", "-qc", "evil"]);
    write(&project.join(".claude/settings.json"), switched_off);
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "two"]);
    let (other, origin) = (ground.home().join("other"), ground.home().join("origin.git"));
    git(&project, &["clone", "-q", ".", other.to_str().unwrap()]);
    git(&project, &["switch", "-q", "main"]);
    git(&project, &["clone", "-q", "--bare", ".", origin.to_str().unwrap()]);
    git(&project, &["remote", "add", "origin", origin.to_str().unwrap()]);
    git(&project, &["fetch", "-q"]);
    write(&project.join("conf/settings.json"), switched_off);
    write(&project.join("o/.claude/settings.json"), switched_off);
    write(&project.join(".hookgate.toml"), "");
    if with_settings {
        write(&project.join(".claude/settings.json"), "{}");
    }
    ground
}

#[test]
fn what_would_come_into_the_place_of_guarded_files_is_refused_by_whatever_means_it_comes() {
    let gate = env!("CARGO_BIN_EXE_hookgate");
    for (with_settings, code, commands) in [
        (
            true,
            "[GATE002]",
            &[
                "rm -rf .claude && ln -s conf .claude",
                "git symbolic-ref HEAD refs/heads/evil && git reset --hard",
                "git archive evil | tar x",
                "git archive evil -o x.tar; tar xf x.tar",
                "git archive --format=tar evil | (cd . && tar xf -)",
                "git archive evil:.claude | tar x -C .claude",
                "git archive --prefix=.claude/ evil:.claude | tar x",
                "git worktree add .claude evil",
                "git pull ../other evil",
                "git pull . evil",
                "git pull origin evil",
                "git fetch ../other && git checkout FETCH_HEAD",
                "git fetch ../other evil:fresh; git switch fresh",
                "git remote add far ../other && git pull far evil",
                "tar c -C conf settings.json | tar x -C .claude",
                "tar c -C o .claude | tar x",
                "tar c conf | tar x --transform s/conf/.claude/",
            ][..],
        ),
        (false, "[GATE002]", &["ln -s conf .claude", "ln -sT conf .claude", "ln -s \"$PWD/conf\" .claude"]),
        (
            true,
            "[GATE001]",
            &["git rm --cached .hookgate.toml; git clean -fd", "git add .hookgate.toml; git reset --hard"],
        ),
        (
            true,
            "[GATE003]",
            &[
                "cp B /tmp/other-name",
                "cp $(which hookgate) /tmp/other-name",
                "ln -s B ./other-name",
                "cat B > other-name",
                "install -m755 B other-name",
                "python3 -c \"import shutil; shutil.copy('B', '/tmp/other-name')\"",
            ],
        ),
    ] {
        let ground = ground(with_settings);
        for command in commands {
            let command = command.replace("B ", &format!("{gate} ")).replace("'B'", &format!("'{gate}'"));
            let (answer, reason) = decision(&ground.hook(&ground.bash(&command)));
            assert!(answer == "deny" && reason.contains(code), "{command}: {answer} {reason}");
        }
    }
}

/// However the commit is written that switches the hooks off: computed, by what it says, by a name that the same text makes, or by
/// way of the index.
const BY_OTHER_NAMES: &[&str] = &[
    "git merge -q $(git rev-parse evil)",
    "git merge -q :/two",
    "git merge -q 'evil^{commit}'",
    "git checkout -q $(git branch --list 'ev*')",
    "x=$(git rev-parse evil); git checkout -q $x",
    "git switch --detach \"$(git log -1 --format=%h evil)\"",
    "git rebase \"$base\"",
    "git cherry-pick $(git rev-parse evil)",
    "git reset --hard $(git rev-parse evil)",
    "git restore -s $(git rev-parse evil) .",
    "git branch z evil && git merge -q z",
    "git branch -q -f z evil; git checkout -q z",
    "git tag t evil; git checkout -q t",
    "git update-ref refs/heads/z evil; git merge z",
    "git branch z $(git rev-parse evil) && git merge z",
    "git merge -q $(git commit-tree -p main -m x 'evil^{tree}')",
    "git --git-dir=.git --work-tree=. merge -q evil",
    "git pull -q x.bundle evil",
    "git fetch -q x.bundle evil && git merge -q FETCH_HEAD",
    "git reset -q evil -- .; git restore .",
    "git reset -q evil; git checkout .",
    "git restore --staged -s evil .; git restore .",
    "git read-tree evil; git checkout-index -af",
    "git update-index --cacheinfo 100644,0123456789abcdef0123456789abcdef01234567,.claude/settings.json; git checkout .",
    "git diff main evil | git apply",
    "git diff main..evil | sed 's/x/y/' | patch -s -p1",
    "git show evil | git apply --index",
    "git log -p -1 evil | git apply --3way",
    "git format-patch -1 evil --stdout | git am",
    "git format-patch -1 evil; git am 0001-two.patch",
    "git diff-tree -p main evil > p.diff && git apply p.diff",
    "git diff --output=p.diff main evil; git am p.diff",
    "git apply <(git diff main evil)",
    "git diff main evil -- .claude src | git apply",
    "git diff main $(git rev-parse evil) | git apply --cached; git checkout .",
    "git worktree add -q ../w evil; cp -r ../w/. .",
    "git worktree add -q -b z ../w evil && rsync -a ../w/ .",
    "git worktree add ../w evil && cd ../w && cp -a . ../project",
    "git worktree add ../w evil && tar c -C ../w . | tar x",
    "git clone -q x.bundle ../c && cp -r ../c/. .",
    "git clone -q -b evil . ../c; mv ../c/.claude/* .claude/",
    "git reset -q evil; git stash",
    "git reset -q --soft evil; git stash",
    "git reset --soft evil && git reset --hard",
    "git branch -m evil z; git checkout z",
    "git branch -m evil z && git merge -q z",
    "git branch -c evil z; git switch z",
    "git switch -c z evil~0; git switch main; git merge z",
    "git symbolic-ref refs/heads/z refs/heads/evil; git merge z",
    "git remote rename origin o && git merge o/evil",
    "git bundle unbundle x.bundle; git merge -q abcdef1",
    "git push -q . evil:z; git merge -q z",
    "git push -q . evil:main; git stash",
    "git stash store evil; git stash pop",
    "git bisect start evil main",
    "git bisect start; git bisect bad evil",
];

#[test]
fn a_commit_that_cannot_be_told_is_one_of_those_that_have_names() {
    let ground = ground(true);
    write(&ground.project().join("x.bundle"), "a bundle");
    for command in BY_OTHER_NAMES {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(answer == "deny" && reason.contains("[GATE002]"), "{command}: {answer} {reason}");
    }
    for command in [
        "git checkout -b fresh && git checkout fresh",
        "git branch z main && git merge z",
        "git checkout README.md",
        "git diff main evil | head",
        "git diff main evil -- README.md | git apply",
        "git diff | git apply --cached",
        "git show evil; curl -s https://example.org/x.patch | git apply",
        "git show HEAD | git apply --check",
        "git switch -c z && git commit -qm x && git switch main && git merge z",
        "git worktree add ../w main && cp ../w/README.md .",
        "git reset -q --soft HEAD; git stash",
        "git bisect start HEAD main",
    ] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(matches!(answer.as_str(), "pass" | "allow" | ""), "{command}: {answer} {reason}");
    }
}

/// A tracked file can leave the work tree without anything being deleted.
#[test]
fn files_that_git_knows_and_is_told_to_leave_out_are_gone() {
    let ground = Ground::new();
    let project = ground.project();
    git(&project, &["init", "-q"]);
    for name in [".claude/settings.json", ".hookgate.toml", "src/x", "docs/y.md"] {
        write(&project.join(name), "");
    }
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "one"]);
    for (command, code) in [
        ("git sparse-checkout set src", "[GATE002]"),
        ("git sparse-checkout set --stdin < src/x", "[GATE002]"),
        ("git sparse-checkout set \"$x\"", "[GATE002]"),
        ("git sparse-checkout init --cone", "[GATE002]"),
        ("git sparse-checkout reapply", "[GATE001]"),
        ("git sparse-checkout set --no-cone src", "[GATE001]"),
        ("git sparse-checkout set --no-cone '/*' '!/.hookgate.toml'", "[GATE001]"),
        ("git sparse-checkout set --no-cone '/*' '!/.claude/'", "[GATE002]"),
        ("git sparse-checkout set --no-cone '/*' '!*.json'", "[GATE002]"),
        ("git rm -q '*.json'", "[GATE002]"),
        ("git rm -rq ':/'", "[GATE001]"),
        ("git rm -q '*.toml'", "[GATE001]"),
    ] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(answer == "deny" && reason.contains(code), "{command}: {answer} {reason}");
    }
    for command in [
        "git sparse-checkout set src .claude",
        "git sparse-checkout list",
        "git sparse-checkout disable",
        "git sparse-checkout add docs",
        "git sparse-checkout set --no-cone '/*' '!/docs'",
        "git rm -q --cached '*.json'",
        "git rm -q 'docs/*.md'",
    ] {
        let (_, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(!reason.contains("GATE"), "{command}: {reason}");
    }
}

/// A project with archives and folders that hold the agent's settings, or get their name on the way.
#[test]
fn what_gets_its_name_on_the_way_is_found_under_that_name() {
    let ground = ground(true);
    let project = ground.project();
    write(&project.join("sub/evil.json"), "{}");
    let run = |program: &str, words: &[&str]| {
        let status = Command::new(program).args(words).current_dir(&project).status().unwrap();
        assert!(status.success(), "{program} {words:?}");
    };
    run("tar", &["czf", "o.tgz", "-C", "o", ".claude"]);
    run("tar", &["cf", "o.tar", "-C", "o", ".claude"]);
    let zipped = "import zipfile; zipfile.ZipFile('o.zip', 'w').write('README.md', '.claude/settings.json')";
    run("python3", &["-c", zipped]);
    write(&ground.home().join(".claude/settings.json"), "{}");
    for command in NAMED_ON_THE_WAY {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(answer == "deny" && reason.contains("[GATE002]"), "{command}: {answer} {reason}");
    }
    let gate = env!("CARGO_BIN_EXE_hookgate");
    for command in [
        "python3 -c \"import os; os.symlink('B', 'h')\"",
        "python3 -c \"from pathlib import Path; Path('h').symlink_to('B')\"",
        "node -e \"require('fs').symlinkSync('B', 'h')\"",
        "deno eval 'Deno.symlinkSync(\"B\", \"h\")'",
        "ruby -e 'File.symlink(\"B\", \"h\")'",
        "perl -e 'symlink \"B\", \"h\"'",
        "php -r 'symlink(\"B\", \"h\");'",
        "python3 -c \"import os; os.link('B', 'h')\"",
        "perl -e 'link \"B\", \"h\"'",
    ] {
        let command = command.replace("'B'", &format!("'{gate}'")).replace("\"B\"", &format!("\"{gate}\""));
        let (answer, reason) = decision(&ground.hook(&ground.bash(&command)));
        assert!(answer == "deny" && reason.contains("[GATE003]"), "{command}: {answer} {reason}");
    }
    for command in [
        "tar xf sub.tar --transform 's,sub/evil,lib/good,'",
        "gzip -c sub.tar | tar xz -C /tmp",
        "cp -r sub/e* .",
        "rsync -a sub/* lib/",
        "ls src | sed 's,^,src/,' | xargs wc -l",
        "sqlite3 :memory: '.cd build' '.output out.txt' 'select 1'",
        "python3 -c \"import os; os.symlink('README.md', 'second.md')\"",
        "perl -e 'for (\"a\", \"b\") { print }'",
    ] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(matches!(answer.as_str(), "pass" | "allow" | ""), "{command}: {answer} {reason}");
    }
}

/// The agent's settings get their name by an expression, a pattern, a directory that was gone to, or a second name.
const NAMED_ON_THE_WAY: &[&str] = &[
    "tar xf sub.tar --transform 's,sub/evil,.claude/settings,'",
    "tar xf sub.tar --xform 's,sub/evil,../.claude/settings,'",
    "tar xf sub.tar --transform='s,x,y,;s,sub/evil,.claude/settings,'",
    "bsdtar xf sub.tar -s ',sub/evil,.claude/settings,'",
    "gzip -c o.tar | tar xz",
    "zcat o.tgz | tar x",
    "python3 -m zipfile -e o.zip .",
    "python3 -m tarfile -e o.tar .",
    "7z x o.zip",
    "jar xf o.zip",
    "cd .claude && ar x ../s.a",
    "cd .claude && unrar x ../s.rar",
    "ar x s.a --output=.claude",
    "cp -r o/.cl* .",
    "cp -r o/.c?aude .",
    "mv o/.cl* .",
    "rsync -a o/.cl* .",
    "ls ~/.claude | sed \"s,^,$HOME/.claude/,\" | xargs rm",
    "ls ~/.claude | while read f; do cp README.md $HOME/.claude/$f; done",
    "sqlite3 :memory: \".cd $HOME/.claude\" \".output settings.json\" \"select 1\"",
    "printf '.cd %s/.claude\\n.once settings.json\\nselect 1;\\n' $HOME | sqlite3",
    "psql -c '\\cd .claude' -c '\\o settings.json'",
    "git fast-export --export-marks=$HOME/.claude/settings.json HEAD",
    "perl -e 'chdir; open F,\">.claude/settings.json\"'",
    "perl -e 'for(glob \"~/.claude/*.json\"){unlink}'",
    "perl -e 'unlink for glob \"$ENV{HOME}/.claude/*.json\"'",
    "ruby -e 'Dir.chdir; File.write(\".claude/settings.json\",\"\")'",
    "python3 -c \"import os; os.symlink(os.path.expanduser('~/.claude'), 'c'); open('c/settings.json', 'w')\"",
    "node -e \"require('fs').linkSync('.claude/settings.json', 'c')\"",
    "perl -e 'link \".claude/settings.json\", \"c\"'",
    "ruby -e 'File.link(\".claude/settings.json\", \"c\")'",
    "php -r 'link(\".claude/settings.json\", \"c\");'",
    "python3 -c \"from pathlib import Path; Path('c').hardlink_to('.claude/settings.json')\"",
];

/// The same where the branch is harmless.
#[test]
fn where_no_name_stands_for_a_change_of_guarded_files_a_computed_commit_is_not_stopped() {
    let ground = Ground::new();
    let project = ground.project();
    git(&project, &["init", "-q"]);
    write(&project.join(".claude/settings.json"), "{}");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "one"]);
    git(&project, &["switch", "-qc", "evil"]);
    write(&project.join("README.md"), "2");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "two"]);
    git(&project, &["switch", "-q", "main"]);
    write(&project.join("x.bundle"), "a bundle");
    let own = ["reset", "update-index", "restore", "cherry-pick", "worktree", "clone"];
    for command in BY_OTHER_NAMES.iter().filter(|text| !own.iter().any(|name| text.contains(name))) {
        let (_, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(!reason.contains("GATE"), "{command}: {reason}");
    }
    for command in [
        "git merge $(git rev-parse main)",
        "git rebase \"$base\"",
        "git pull",
        "git checkout $(git branch --list 'e*')",
    ] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(matches!(answer.as_str(), "pass" | "allow" | ""), "{command}: {answer} {reason}");
    }
}

#[test]
fn an_honest_pull_archive_or_link_is_not_stopped() {
    let ground = ground(true);
    for command in [
        "git pull",
        "git pull --rebase origin main",
        "git fetch && git status",
        "git fetch origin && git merge origin/main",
        "git archive HEAD | tar x -C /tmp/export",
        "git archive evil -o /tmp/export.tar",
        "tar cf /tmp/x.tar README.md && tar xf /tmp/x.tar",
        "curl -sL https://example.org/x.tgz | tar xz -C vendor",
        "ln -s README.md second.md",
        "ln -s ../other/README.md third.md",
        "git clone ../other copy",
    ] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(matches!(answer.as_str(), "pass" | "allow" | ""), "{command}: {answer} {reason}");
    }
}

/// A copy that was made before anybody looked is the gate as well: by what it holds.
#[test]
fn a_copy_of_the_gate_under_another_name_is_the_gate() {
    let ground = ground(true);
    fs::copy(env!("CARGO_BIN_EXE_hookgate"), ground.project().join("other-name")).unwrap();
    for command in ["./other-name uninstall --yes", "./other-name hook --event PostToolUse < forged.json"] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(answer == "deny" && reason.contains("[GATE003]"), "{command}: {answer} {reason}");
    }
}

/// Texts that programs carry: what they do is found through what puts them together, feeds them or leads them astray.
#[test]
fn what_carried_texts_do_to_guarded_files_is_found() {
    let ground = ground(true);
    write(&ground.home().join(".claude/settings.json"), "{}");
    fs::create_dir_all(ground.home().join(".claude/agents")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(ground.home().join(".claude/agents"), ground.project().join("there")).unwrap();
    for command in [
        "find ~/.claude -name settings.json -exec python3 -c 'import sys; open(sys.argv[1],\"w\").write(\"{}\")' {} \\;",
        "python3 -c 'import sys; open(sys.argv[1],\"w\")' ~/.claude/set*.json",
        "python3 -c 'import os,sys; open(os.path.join(sys.argv[1], sys.argv[2]),\"w\")' ~/.claude settings.json",
        "vim -es -c 'exe \"w! \" . $HOME . \"/.claude/settings.json\"' -c q",
        "vim -es -c 'exe \"w!\" \"~/.claude/settings.json\"' -c q",
        "echo 'echo {} > ~/.claude/settings.json' > /tmp/typed; tmux load-buffer /tmp/typed; tmux paste-buffer",
        "echo 'echo {} > ~/.claude/settings.json' > /tmp/typed; tmux load-buffer /tmp/typed \\; paste-buffer",
        "zsh <<< 'echo *(e:\"rm ~/.claude/settings.json\":)'",
        "echo 'echo *(e:\"rm ~/.claude/settings.json\":)' > x.zsh; zsh x.zsh",
        "zsh -c 'f() { rm ~/.claude/settings.json }; echo *(+f)'",
        "ln -s ~/.claude/agents l; echo {} > l/../settings.json",
        "echo {} > there/../settings.json",
        "cp README.md there/../settings.json",
        "cd there && cp ../../project/README.md ../settings.json",
    ] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        let meant = ["[GATE001]", "[GATE002]", "[GATE003]"].iter().any(|code| reason.contains(code));
        assert!(answer == "deny" && meant, "{command}: {answer} {reason}");
    }
    for command in [
        "python3 -c 'import os,sys; open(os.path.join(sys.argv[1], sys.argv[2]),\"w\")' build out.txt",
        "vim -es -c 'exe \"w! \" . \"notes.md\"' -c q",
        "echo hello > /tmp/typed; tmux load-buffer /tmp/typed",
        "zsh <<< 'ls *(.om[1,3])'",
        "echo x > ../project/notes.md",
        "cp README.md conf/../second.md",
    ] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(matches!(answer.as_str(), "pass" | "allow" | ""), "{command}: {answer} {reason}");
    }
}

/// What a person's rule allows stands for itself, and what it leaves behind isn't seen by anybody.
#[test]
fn what_a_persons_rule_allows_to_be_brought_is_not_read_by_a_grant_of_the_same_text() {
    let ground = ground(false);
    let project = ground.project();
    fs::write(ground.home().join("secret"), "s").unwrap();
    git(&project, &["switch", "-qc", "links"]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(ground.home().join("secret"), project.join("plain.txt")).unwrap();
    git(&project, &["add", "plain.txt"]);
    git(&project, &["commit", "-qm", "three"]);
    git(&project, &["switch", "-qf", "main"]);
    ground.policy(
        "presets = [\"recommended\", \"readonly\"]\n[[rule]]\ncode = \"ACME001\"\nwhen = { run = [\"git checkout **\", \"./bring **\"] }\nthen = \"allow\"\nreason = \"branches are ours\"\n",
    );
    for (command, expected) in [
        ("git checkout links", "allow"),
        ("git checkout links; head plain.txt", "pass"),
        ("git checkout links && cat plain.txt", "pass"),
        ("git checkout --quiet --no-guess links && cat plain.txt", "pass"),
        ("./bring other && cat plain.txt", "pass"),
        ("cat README.md", "allow"),
    ] {
        let (answer, reason) = decision(&ground.hook(&ground.bash(command)));
        let answer = if answer.is_empty() { "pass" } else { &answer };
        assert_eq!(answer, expected, "{command}: {reason}");
    }
}
