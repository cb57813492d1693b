//! What a command is said to write and delete contains what it does write and delete: commands that touch nothing but a
//! fresh directory run there for real. What they did is the difference of the tree before and after, and, where strace is
//! installed, every successful call to the system that changes a file which was there before or is after.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use hookgate_effects::{Effect, Kind, Target, of_command};
use hookgate_host::{Directories, Machine, places};
use hookgate_policy::Glob;

use crate::bypass::{table, texts};

/// Every path below the folder: is it a directory, its rights, and its content or what it links to.
fn tree(folder: &Path) -> BTreeMap<String, (bool, u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let kind = path.symlink_metadata().unwrap();
            let content = if kind.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else if kind.is_symlink() {
                fs::read_link(&path).unwrap().to_str().unwrap().as_bytes().to_vec()
            } else if kind.is_file() {
                fs::read(&path).unwrap_or_default()
            } else {
                Vec::new()
            };
            let mode = kind.permissions().mode();
            found.insert(path.to_str().unwrap().to_owned(), (kind.is_dir(), mode, content));
        }
    }
    found
}

/// A directory with a few files, all of it new.
fn ground() -> tempfile::TempDir {
    let ground = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for (name, text) in [
        ("a.txt", "one\ntwo\n"),
        ("b.txt", "three\n"),
        ("d/c.txt", "four\n"),
        ("d/e/f.txt", "five\n"),
        ("g.log", "x\n"),
    ] {
        let path = ground.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    ground
}

fn command(folder: &Path, program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env_clear();
    command.env("HOME", folder).env("PATH", "/usr/local/bin:/usr/bin:/bin").env("GIT_CONFIG_NOSYSTEM", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn bash(folder: &Path, text: &str) -> bool {
    command(folder, "timeout").args(["10", "bash", "-c", text]).status().unwrap().success()
}

const CALLS: &str = "open,openat,creat,truncate,ftruncate,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,\
    symlink,symlinkat,link,linkat,chmod,fchmod,fchmodat,mknod,mknodat,chdir,clone,clone3,fork,vfork";

/// Runs the text; the paths that the system was told to change, or `None` where it failed.
fn traced(folder: &Path, text: &str) -> Option<BTreeSet<String>> {
    let log = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut run = command(folder, "timeout");
    run.args(["20", "strace", "-f", "-qq", "-y", "-s", "4096", "-e", "signal=none", "-e"]);
    run.arg(format!("trace={CALLS}")).arg("-o").arg(log.path()).args(["bash", "-c", text]);
    let succeeded = run.status().unwrap().success();
    let log = fs::read(log.path()).unwrap();
    succeeded.then(|| changed_by_calls(folder, &String::from_utf8_lossy(&log)))
}

/// The paths in the lines of strace that change something, absolute.
fn changed_by_calls(folder: &Path, log: &str) -> BTreeSet<String> {
    let mut changed = BTreeSet::new();
    let mut directories: BTreeMap<String, String> = BTreeMap::new();
    let first = folder.to_str().unwrap().to_owned();
    let mut started: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for line in log.lines() {
        let Some((process, call)) = line.split_once(' ') else { continue };
        let call = call.trim_start();
        let directory = directories.entry(process.to_owned()).or_insert_with(|| first.clone()).clone();
        if let Some(begun) = call.strip_suffix(" <unfinished ...>") {
            started.insert((process, begun.split('(').next().unwrap_or("")), begun);
            continue;
        }
        let whole = match call.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>")) {
            Some((name, rest)) => format!("{}{rest}", started.remove(&(process, name)).unwrap_or("")),
            None => call.to_owned(),
        };
        let Some((head, result)) = whole.rsplit_once(") = ").or_else(|| whole.rsplit_once(" = ")) else {
            continue;
        };
        let Some((name, arguments)) = head.split_once('(') else { continue };
        if result.starts_with('-') {
            continue;
        }
        let quoted: Vec<&str> = arguments.split('"').skip(1).step_by(2).collect();
        // The directory of each path: that of the descriptor before it, or of the process.
        let absolute = |index: usize| -> Option<String> {
            let path = *quoted.get(index)?;
            if path.starts_with('/') {
                return Some(path.to_owned());
            }
            let before = arguments.split('"').nth(index * 2)?;
            let base =
                before.rsplit_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(base, _)| base);
            Some(format!("{}/{path}", base.unwrap_or(&directory)))
        };
        match name {
            "chdir" => {
                if let Some(path) = absolute(0) {
                    directories.insert(process.to_owned(), normal(&path));
                }
            }
            "clone" | "clone3" | "fork" | "vfork" => {
                let child = result.split(['<', ' ']).next().unwrap_or("");
                directories.entry(child.to_owned()).or_insert(directory);
            }
            "open" | "openat" => {
                if ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| arguments.contains(flag)) {
                    changed.extend(absolute(0));
                }
            }
            "ftruncate" | "fchmod" => {
                let path = arguments.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
                changed.extend(path.map(|(path, _)| path.to_owned()));
            }
            // Of a link the new name changes, not what it is about.
            "link" | "linkat" | "symlink" | "symlinkat" => changed.extend(absolute(1)),
            _ => changed.extend((0..quoted.len()).filter_map(absolute)),
        }
    }
    changed.iter().map(|path| normal(path)).collect()
}

fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// A prediction.
#[derive(Debug)]
struct Said {
    /// The path, and the one behind links where that differs.
    paths: Vec<String>,
    pattern: bool,
    recursive: bool,
}

impl Said {
    fn all_below(folder: &str) -> Said {
        Said { paths: vec![folder.to_owned()], pattern: false, recursive: true }
    }
}

/// Programs that write below a directory what an archive or a repository holds, and those that act on what they find there:
/// nobody can say more of them than the directory.
const BELOW: [&str; 4] = ["tar", "unzip", "git", "find"];

/// The targets of the effects that change files.
fn predicted(folder: &Path, text: &str) -> Vec<Said> {
    let directories = Directories::new(|name| (name == "HOME").then(|| folder.to_path_buf()));
    let places = places(&directories, folder, folder);
    let effects = of_command(text, &places, &Machine::new(directories));
    let below = |effect: &Effect| {
        let mut call = effect.call;
        while let Some(found) = call.and_then(|index| effects.calls.get(index)) {
            if BELOW.contains(&found.program.as_str()) {
                return true;
            }
            call = found.carrier;
        }
        false
    };
    let said = |effect: &Effect| match (effect.kind, &effect.target) {
        (
            Kind::Write
            | Kind::Append
            | Kind::Delete
            | Kind::Move
            | Kind::Link
            | Kind::Destroy
            | Kind::Permission
            | Kind::Ownership,
            Some(Target::Path(fact)),
        ) => {
            let paths =
                std::iter::once(&fact.path).chain(&fact.real).map(|path| glob_of(path)).collect::<Vec<_>>();
            let pattern = fact.pattern || paths.iter().any(|path| path.contains('*'));
            Some(Said { paths, pattern, recursive: effect.recursive || below(effect) })
        }
        // What can't be known is said to be so.
        (Kind::Write | Kind::Append | Kind::Delete | Kind::Move, Some(Target::Unresolved(_)))
        | (
            Kind::Unknown(_)
            | Kind::HiddenCode
            | Kind::GitDiscard
            | Kind::GitChange
            | Kind::GitCommit
            | Kind::ProjectCode,
            _,
        ) => Some(Said::all_below(&places.project)),
        _ => None,
    };
    effects.effects.iter().filter_map(said).collect()
}

/// The glob of a plain word, and the letters that `mktemp` replaces, as globs of any text.
fn glob_of(path: &str) -> String {
    path.replace("[!/]*", "*").replace("XXXX", "*")
}

/// Is the path the target, one that its pattern stands for, something right in a directory that it names, a directory on
/// the way to it, or, only where the effect is about a whole tree, anything below it?
fn covers(said: &Said, path: &str, is_directory: bool, directories: &BTreeSet<String>) -> bool {
    let is = |target: &str, path: &str| match said.pattern {
        true => Glob::parse(target).is_ok_and(|glob| glob.matches_path(path)),
        false => path == target,
    };
    let targets = || said.paths.iter().map(|target| target.trim_end_matches('/'));
    let same = |path: &str| targets().any(|target| is(target, path));
    let above = |path: &str| path.rsplit_once('/').map(|(above, _)| above.to_owned());
    let on_the_way = is_directory && targets().any(|target| target.starts_with(&format!("{path}/")));
    if same(path) || on_the_way {
        return true;
    }
    if above(path).is_some_and(|above| same(&above) && directories.contains(&above)) {
        return true;
    }
    let mut up = above(path);
    while let Some(folder) = up.filter(|_| said.recursive) {
        if same(&folder) {
            return true;
        }
        up = above(&folder);
    }
    false
}

#[test]
fn what_happens_was_said_before() {
    if cfg!(not(target_os = "linux")) {
        eprintln!("skipped: the commands are those of Linux");
        return;
    }
    // Without it the trees before and after are still compared.
    let has_strace = hookgate_testing::has("strace", &["-V"]);
    let file = table(include_str!("soundness.toml"));
    let commands = texts(&file["run"]);
    assert!(commands.len() >= 300, "{}", commands.len());
    let (mut ran, mut said, mut touched) = (0, 0, 0);
    let mut unsaid = Vec::new();
    let mut failed = Vec::new();
    for command in commands {
        let ground = ground();
        let folder = ground.path().canonicalize().unwrap();
        if command.starts_with("git ") {
            bash(
                &folder,
                "git init -q && git add . && git -c user.name=a -c user.email=a@b.c commit -qm x && echo z >> a.txt",
            );
        }
        let targets = predicted(&folder, &command);
        let before = tree(&folder);
        let by_calls =
            if has_strace { traced(&folder, &command) } else { bash(&folder, &command).then(BTreeSet::new) };
        let Some(by_calls) = by_calls else {
            failed.push(command);
            continue;
        };
        let after = tree(&folder);
        ran += 1;
        let mut changed: BTreeSet<&String> =
            before.keys().filter(|path| after.get(*path) != before.get(*path)).collect();
        changed.extend(after.keys().filter(|path| !before.contains_key(*path)));
        // What was not there before and is not after is a program's own business.
        changed
            .extend(by_calls.iter().filter(|path| before.contains_key(*path) || after.contains_key(*path)));
        // What git keeps for itself is part of what its effects mean; a directory's own rights are its time.
        changed.retain(|path| !path.contains("/.git/") && !path.ends_with("/.git"));
        let is_directory = |path: &String| {
            before.get(path).is_some_and(|(is, ..)| *is) || after.get(path).is_some_and(|(is, ..)| *is)
        };
        let mut directories: BTreeSet<String> =
            before.keys().chain(after.keys()).filter(|path| is_directory(path)).cloned().collect();
        directories.insert(folder.to_str().unwrap().to_owned());
        let is_covered =
            |target: &Said, path: &String| covers(target, path, is_directory(path), &directories);
        for path in &changed {
            if !targets.iter().any(|target| is_covered(target, path)) {
                let shown: Vec<String> = targets.iter().map(|said| format!("{said:?}")).collect();
                unsaid.push(format!("{command}\n    changed {path}, said {}", shown.join(" ")));
            }
        }
        said += targets.len();
        touched +=
            targets.iter().filter(|target| changed.iter().any(|path| is_covered(target, path))).count();
    }
    println!("{ran} commands ran; {touched} of {said} predicted targets were touched; not run: {failed:?}");
    assert!(unsaid.is_empty(), "{} changes were not said:\n{}", unsaid.len(), unsaid.join("\n"));
    assert!(ran >= 280, "only {ran} commands ran");
    assert!(touched * 100 >= said * 80, "only {touched} of {said} predicted targets were touched");
}
