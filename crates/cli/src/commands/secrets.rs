//! `hookgate secrets`: the search for secrets, by hand and before a commit.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};

use clap::{Args, Subcommand};
use hookgate_host::read_regular;
use hookgate_secrets::{Certainty, fingerprint, mask, scan};
use hookgate_text::escaped;
use ignore::WalkBuilder;
use serde_json::{Value, json};

use crate::environment::Environment;
use crate::error::CommandError;
use crate::writing::replace_own;

/// Look for secrets in files.
#[derive(Args, Debug)]
pub(crate) struct Secrets {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Scan(Scan),
}

/// Look for secrets in files, as rules SECRET101 and SECRET102 do in calls.
///
/// Exit code 1 if there are any. A secret itself is never printed: its kind, its place and its fingerprint are. Line 0 is the
/// file's name. Known are the
/// fingerprints of `secrets.allow` in the policy and of the baseline.
#[derive(Args, Debug)]
struct Scan {
    /// Files and directories (default: the working directory). What git ignores and binary files are left out.
    paths: Vec<PathBuf>,
    /// What is staged for the next commit, instead of files.
    #[arg(long, conflicts_with = "paths")]
    staged: bool,
    /// A file of known findings, a line each that begins with a fingerprint.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write what is found into the baseline, as known from now on.
    #[arg(long, requires = "baseline")]
    write_baseline: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// A larger file is left out, and said to be: in bytes.
const LARGEST: u64 = 512 << 20;
/// As many bytes tell whether a file is binary.
const BEGINNING: usize = 8192;

/// A secret in a file.
struct Finding {
    file: String,
    line: usize,
    column: usize,
    name: &'static str,
    certain: bool,
    fingerprint: String,
}

impl Secrets {
    pub(crate) fn run(&self, environment: &Environment) -> Result<ExitCode, CommandError> {
        let Action::Scan(scan) = &self.action;
        scan.run(environment)
    }
}

impl Scan {
    fn run(&self, environment: &Environment) -> Result<ExitCode, CommandError> {
        let mut known: BTreeSet<String> = environment.gate().policy().secrets.allow.iter().cloned().collect();
        if let Some(path) = self.baseline.as_ref().filter(|_| !self.write_baseline) {
            let read = read_regular(path, LARGEST).map_err(|error| CommandError::file(path, &error))?;
            let text = String::from_utf8_lossy(&read.bytes);
            known.extend(text.lines().filter_map(digits_of).map(str::to_owned));
        }
        let mut findings = Vec::new();
        let mut look = |file: &str, bytes: &[u8]| {
            findings.extend(findings_in(file, bytes).filter(|one| !known.contains(&one.fingerprint)));
        };
        if self.staged {
            staged(&environment.cwd, &mut look)?;
        } else {
            self.files(&mut look)?;
        }
        if let Some(path) = self.baseline.as_ref().filter(|_| self.write_baseline) {
            let lines: String = findings.iter().map(|one| format!("{}\n", one.known())).collect();
            replace_own(&environment.gate(), path, "baseline", is_baseline, &lines)?;
            let are = if findings.len() == 1 { "finding is" } else { "findings are" };
            println!("{} {are} known from now on", findings.len());
            return Ok(ExitCode::SUCCESS);
        }
        if self.json {
            let all: Vec<Value> = findings.iter().map(Finding::json).collect();
            println!("{}", Value::Array(all));
        } else {
            findings.iter().for_each(|one| println!("{}", one.line()));
        }
        Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// The files below the paths, in the order of their names.
    fn files(&self, look: &mut dyn FnMut(&str, &[u8])) -> Result<(), CommandError> {
        let here = PathBuf::from(".");
        let (first, rest) = match self.paths.split_first() {
            Some((first, rest)) => (first, rest),
            None => (&here, [].as_slice()),
        };
        for path in &self.paths {
            let found = fs::metadata(path).or_else(|_| fs::symlink_metadata(path));
            let kind = found.map_err(|error| CommandError::file(path, &error))?.file_type();
            // A pipe would be waited for, and nothing of it searched.
            if !(kind.is_file() || kind.is_dir() || kind.is_symlink()) {
                let shown = masked(&path.display().to_string());
                return Err(CommandError::usage(format!("{shown} is neither a file nor a directory")));
            }
        }
        let mut walk = WalkBuilder::new(first);
        for path in rest {
            walk.add(path);
        }
        // Settings that begin with a dot are where secrets are.
        walk.hidden(false).require_git(false).sort_by_file_path(Ord::cmp);
        let around = [first].into_iter().chain(rest).filter_map(|path| fs::canonicalize(path).ok());
        for directory in around.flat_map(|path| path.ancestors().map(Path::to_owned).collect::<Vec<_>>()) {
            readable_rules(&directory)?;
        }
        let refused = Arc::new(Mutex::new(None));
        let stopped = Arc::clone(&refused);
        walk.git_global(global_rules().iter().all(|path| is_readable(path)));
        walk.filter_entry(move |entry| {
            let error = readable_rules(entry.path()).err();
            let is_refused = error.is_some();
            if let (Some(error), Ok(mut first)) = (error, stopped.lock()) {
                first.get_or_insert(error);
            }
            entry.file_name() != ".git" && !is_refused
        });
        for entry in walk.build() {
            let entry = entry.map_err(|error| CommandError::usage(error.to_string()))?;
            if entry.file_type().is_none_or(|kind| !kind.is_file()) {
                continue;
            }
            let path = entry.path();
            let name = path.strip_prefix(".").unwrap_or(path).display().to_string();
            if entry.metadata().is_ok_and(|metadata| metadata.len() > LARGEST) {
                eprintln!("hookgate: {} is too large and was left out", masked(&name));
                continue;
            }
            match read_regular(path, LARGEST) {
                Ok(read) => look(&name, &read.bytes),
                Err(error) => eprintln!("hookgate: {}: {error}", masked(&name)),
            }
        }
        let refused = refused.lock().ok().and_then(|mut refused| refused.take());
        refused.map_or(Ok(()), Err)
    }
}

impl Finding {
    fn line(&self) -> String {
        let likely = if self.certain { "" } else { " (likely)" };
        let Finding { line, column, name, fingerprint, .. } = self;
        let file = masked(&self.file);
        format!("{file}:{line}:{column}: {name}{likely} sha256:{fingerprint}")
    }

    /// As a line of a baseline, which outlives a change of its line number.
    fn known(&self) -> String {
        format!("sha256:{} {} {}", self.fingerprint, self.name, masked(&self.file))
    }

    fn json(&self) -> Value {
        json!({
            "file": mask(&self.file).as_deref().unwrap_or(&self.file), "line": self.line, "column": self.column, "name": self.name,
            "certainty": if self.certain { "certain" } else { "likely" },
            "fingerprint": format!("sha256:{}", self.fingerprint),
        })
    }
}

/// A name as it is shown: escaped, without the secrets in it.
fn masked(name: &str) -> String {
    escaped(mask(name).as_deref().unwrap_or(name)).to_string()
}

/// The files that say what git ignores below a directory.
const RULES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// Those that say it everywhere.
fn global_rules() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let settings = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let settings = settings.or_else(|| home.as_ref().map(|home| home.join(".config")));
    let settings = settings.iter().flat_map(|path| [path.join("git/config"), path.join("git/ignore")]);
    settings.chain(home.map(|home| home.join(".gitconfig"))).collect()
}

/// Is it a file, or nothing at all? A pipe or a device under the name of a file of rules would be waited for.
fn is_readable(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |found| found.is_file() || found.is_dir())
}

/// Can the files be read that say what to leave out below a directory?
///
/// # Errors
/// Where one is a pipe or a device.
fn readable_rules(directory: &Path) -> Result<(), CommandError> {
    match RULES.iter().map(|name| directory.join(name)).find(|path| !is_readable(path)) {
        None => Ok(()),
        Some(path) => {
            let path = masked(&path.display().to_string());
            Err(CommandError::usage(format!(
                "{path} is no regular file; remove it, or name the files to scan"
            )))
        }
    }
}

/// Does a file hold nothing but known findings and comments?
fn is_baseline(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .all(|line| line.is_empty() || line.starts_with('#') || digits_of(line).is_some())
}

/// The digits of the fingerprint that a line of a baseline begins with.
fn digits_of(line: &str) -> Option<&str> {
    line.trim().strip_prefix("sha256:")?.split_whitespace().next()
}

/// The secrets in a file's name, as those of line 0, and in its content; none in a binary one.
fn findings_in(file: &str, bytes: &[u8]) -> impl Iterator<Item = Finding> {
    let is_binary = bytes.iter().take(BEGINNING).any(|byte| *byte == 0);
    let text = if is_binary { Cow::Borrowed("") } else { String::from_utf8_lossy(bytes) };
    let (mut line, mut counted) = (1, 0);
    let found = scan(&text).into_iter().map(|one| {
        let before = text.get(counted..one.range.start).unwrap_or_default();
        line += before.matches('\n').count();
        counted = one.range.start;
        let start = text.get(..one.range.start).unwrap_or_default();
        let start = start.rsplit('\n').next().unwrap_or_default();
        Finding {
            file: file.to_owned(),
            line,
            column: start.chars().count() + 1,
            name: one.name,
            certain: one.certainty == Certainty::Certain,
            fingerprint: fingerprint(text.get(one.range).unwrap_or_default()),
        }
    });
    let named = scan(file).into_iter().map(|one| Finding {
        file: file.to_owned(),
        line: 0,
        column: 0,
        name: one.name,
        certain: one.certainty == Certainty::Certain,
        fingerprint: fingerprint(file.get(one.range).unwrap_or_default()),
    });
    named.chain(found).collect::<Vec<_>>().into_iter()
}

/// What is staged, as git has it in its index.
fn staged(cwd: &Path, look: &mut dyn FnMut(&str, &[u8])) -> Result<(), CommandError> {
    let raw = [
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--cached",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--diff-filter=ACMT",
        "-z",
    ];
    if git(cwd, &["rev-parse", "--git-dir"], Vec::new())
        .is_err_and(|error| error.to_string().contains("not a git repository"))
    {
        return Err(CommandError::usage("not a git repository"));
    }
    let listed = git(cwd, &raw, Vec::new())?;
    let listed = String::from_utf8_lossy(&listed);
    // `:MODE MODE OLD NEW STATUS`, then the path.
    let mut parts = listed.split('\0');
    let mut blobs = Vec::new();
    while let (Some(change), Some(path)) = (parts.next(), parts.next()) {
        let mut words = change.split(' ');
        let is_file = words.nth(1).is_some_and(|mode| mode.starts_with("100"));
        blobs.extend(words.nth(1).filter(|_| is_file).map(|new| (path, new)));
    }
    if blobs.is_empty() {
        return Ok(());
    }
    let asked: String = blobs.iter().map(|(_, new)| format!("{new}\n")).collect();
    let contents = git(cwd, &["cat-file", "--batch"], asked.into_bytes())?;
    let mut rest = contents.as_slice();
    for (path, _) in blobs {
        // `NAME blob SIZE`, a line break, the content, a line break.
        let unread = || CommandError::usage(format!("git doesn't show what is staged for {}", masked(path)));
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(unread)?;
        let head = rest.get(..end).map(String::from_utf8_lossy).unwrap_or_default();
        let size: usize = head.rsplit(' ').next().and_then(|size| size.parse().ok()).ok_or_else(unread)?;
        look(path, rest.get(end + 1..end + 1 + size).ok_or_else(unread)?);
        rest = rest.get(end + size + 2..).unwrap_or_default();
    }
    Ok(())
}

/// What git prints.
fn git(cwd: &Path, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, CommandError> {
    let failed = |error: io::Error| CommandError::usage(format!("can't run git: {error}"));
    let mut process = Command::new("git")
        // The repository's settings may name programs, which a scan of it does not run.
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        // Nor does it fetch what a partial clone lacks, which runs `core.sshCommand` and the like.
        .envs([("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "")])
        .current_dir(cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let stdin = process.stdin.take();
    // git answers while it reads.
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let output = process.wait_with_output().map_err(failed)?;
    drop(writer.join());
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or("it failed").to_owned();
    Err(CommandError::usage(format!("git can't say what is staged: {}", escaped(&said))))
}
