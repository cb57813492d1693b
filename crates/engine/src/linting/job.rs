//! Correct, format, collect, keep what is new: one entry on some files.

use std::collections::BTreeMap;
use std::time::Duration;

use hookgate_effects::{EntryKind, Places};
use hookgate_lint::{Finding, Output, Phase, in_new_lines, new_findings};
use hookgate_policy::{Lint, LintTool};

use super::plan::{Found, Group, locate};
use crate::{Host, ProgramCall, ProgramEnd, ProgramOutcome, Time};

/// A file that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its absolute path.
    pub path: String,
    /// Its text before; `None` where that is not known.
    pub before: Option<String>,
}

/// What an entry of the policy does to some files.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The entry.
    pub entry: &'a Lint,
    /// The files that were changed, whether or not they are the entry's.
    pub files: &'a [Changed],
    /// Where paths are.
    pub places: &'a Places,
    /// The machine.
    pub host: &'a dyn Host,
    /// Nothing is changed: a look by hand.
    pub look_only: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What is new, by file and line, with absolute paths.
    pub findings: Vec<Finding>,
    /// How many findings each tool has in each file now, old ones included.
    pub open: Vec<(String, String, usize)>,
    /// Files that formatters and fixes have changed.
    pub changed: Vec<String>,
    /// Tools that aren't there.
    pub missing: Vec<String>,
    /// Tools that failed, and how.
    pub failures: Vec<(String, String)>,
    /// What each run took.
    pub times: Vec<Time>,
}

/// The largest file that is linted, in bytes.
const LARGEST: usize = 4 << 20;

type Run<'r> = &'r mut dyn FnMut(&[ProgramCall]) -> Vec<ProgramOutcome>;

/// Runs an entry's tools on the files that they read: first what changes files, one tool after the other on the same file; then
/// all checks at once, those of former texts among them.
pub fn lint(job: &Job<'_>, run: Run<'_>) -> Report {
    let mut report = Report::default();
    let groups = groups(job, &mut report);
    if groups.is_empty() {
        return report;
    }
    let mut left = job.entry.deadline;
    let texts = texts(job, &groups);
    if !job.look_only {
        // What corrects leaves gaps and blank lines that what formats removes.
        let phases = job.entry.phases;
        for (phase, wanted) in [(Phase::Fix, phases.fix), (Phase::Format, phases.format)] {
            if wanted {
                change(phase, &groups, &mut left, run, &mut report);
            }
        }
    }
    let after = self::texts(job, &groups);
    report.changed = after
        .iter()
        .filter(|(path, text)| texts.get(*path) != Some(text))
        .map(|(path, _)| path.clone())
        .collect();
    if !job.entry.phases.check {
        return report;
    }
    let found = check(job, &groups, &mut left, run, &mut report);
    count_open(&groups, &found, &mut report);
    report.findings = found.into_iter().flat_map(|one| one.fresh(job, &after)).collect();
    if let Some(delegate) = delegate(job, &report.findings) {
        let task = ProgramCall {
            run: hookgate_policy::HookProgram::Arguments(
                ["env".to_owned(), format!("{DELEGATED}=1")]
                    .into_iter()
                    .chain(delegate.run.iter().cloned())
                    .collect(),
            ),
            directory: job.places.project.clone(),
            deadline: delegate.deadline,
            input: task(&report.findings).into_bytes(),
        };
        for outcome in run(&[task]) {
            report.times.push(time("delegate", "delegate", &outcome));
            if outcome.end != ProgramEnd::Exit(0) {
                report.failures.push(("delegate".to_owned(), ended(&outcome)));
            }
        }
        let mut left = job.entry.deadline;
        report.open.clear();
        let after = self::texts(job, &groups);
        let found = check(job, &groups, &mut left, run, &mut report);
        count_open(&groups, &found, &mut report);
        report.findings = found.into_iter().flat_map(|one| one.fresh(job, &after)).collect();
    }
    report
}

/// Set for a delegate, so that its own edits start no further one.
pub(super) const DELEGATED: &str = "HOOKGATE_DELEGATED";

/// The tools that read one of the files, each with its files.
fn groups<'a>(job: &Job<'a>, report: &mut Report) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for tool in &job.entry.tools {
        for file in job.files {
            let reads = match tool {
                LintTool::Known(linter) => linter.reads(&file.path),
                LintTool::Own { .. } => true,
            };
            let is_named = job.entry.files.is_empty()
                || hookgate_rules::own::matches(&job.entry.files, &file.path, job.places);
            let is_file = |kind: EntryKind| kind == EntryKind::File;
            if !reads || !is_named || !job.host.entry(&file.path).is_some_and(|entry| is_file(entry.kind)) {
                continue;
            }
            let (program, directory) = match locate(tool, &file.path, job.places, job.host) {
                Found::At(program, directory) => (program, directory),
                Found::Elsewhere => continue,
                Found::Missing => {
                    let name = tool.name().to_owned();
                    if !report.missing.contains(&name) {
                        report.missing.push(name);
                    }
                    continue;
                }
            };
            let same = |group: &&mut Group<'_>| {
                group.tool == tool && group.program == program && group.directory == directory
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.files.push(file.path.clone()),
                None => groups.push(Group { tool, program, directory, files: vec![file.path.clone()] }),
            }
        }
    }
    groups
}

/// The files' texts now.
fn texts(job: &Job<'_>, groups: &[Group<'_>]) -> BTreeMap<String, String> {
    let paths = groups.iter().flat_map(|group| &group.files);
    paths
        .filter_map(|path| Some((path.clone(), String::from_utf8(job.host.read(path, LARGEST)?).ok()?)))
        .collect()
}

/// Runs what changes files: at the same time only what has no file in common.
fn change(phase: Phase, groups: &[Group<'_>], left: &mut Duration, run: Run<'_>, report: &mut Report) {
    let mut waiting: Vec<&Group<'_>> =
        groups.iter().filter(|group| group.command(phase, None).is_some()).collect();
    while !waiting.is_empty() && !left.is_zero() {
        let mut batch: Vec<&Group<'_>> = Vec::new();
        waiting.retain(|group| {
            let meets = batch.iter().any(|other| other.files.iter().any(|file| group.files.contains(file)));
            if !meets {
                batch.push(*group);
            }
            meets
        });
        let calls: Vec<ProgramCall> = batch
            .iter()
            .filter_map(|group| {
                let run = group.command(phase, None)?;
                Some(ProgramCall {
                    run,
                    directory: group.directory.clone(),
                    deadline: *left,
                    input: Vec::new(),
                })
            })
            .collect();
        let outcomes = run(&calls);
        let longest = outcomes.iter().map(|outcome| outcome.took).max().unwrap_or_default();
        *left = left.saturating_sub(longest);
        for (group, outcome) in batch.iter().zip(&outcomes) {
            report.times.push(time(group.tool.name(), phase.name(), outcome));
            // What it can't read is told by the check; what can't start or end is told here.
            if !matches!(outcome.end, ProgramEnd::Exit(_)) {
                report.failures.push((group.tool.name().to_owned(), ended(outcome)));
            }
        }
    }
}

/// What a check found in its files, and what it would have found in their former texts.
struct Checked<'a> {
    group: &'a Group<'a>,
    found: Vec<Finding>,
    /// By file.
    before: BTreeMap<String, Vec<Finding>>,
}

fn check<'a>(
    job: &Job<'_>,
    groups: &'a [Group<'a>],
    left: &mut Duration,
    run: Run<'_>,
    report: &mut Report,
) -> Vec<Checked<'a>> {
    let mut calls = Vec::new();
    let mut meant: Vec<(usize, Option<&str>)> = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let call =
            |run, input| ProgramCall { run, directory: group.directory.clone(), deadline: *left, input };
        if let Some(command) = group.command(Phase::Check, None) {
            calls.push(call(command, Vec::new()));
            meant.push((index, None));
        }
        for file in job.files.iter().filter(|file| group.files.contains(&file.path)) {
            let text = file.before.as_deref().filter(|text| !text.is_empty());
            if let (Some(text), Some(command)) = (text, group.command(Phase::Before, Some(&file.path))) {
                calls.push(call(command, text.as_bytes().to_vec()));
                meant.push((index, Some(&file.path)));
            }
        }
    }
    let outcomes = run(&calls);
    *left = left.saturating_sub(outcomes.iter().map(|outcome| outcome.took).max().unwrap_or_default());
    let mut checked: Vec<Checked<'a>> =
        groups.iter().map(|group| Checked { group, found: Vec::new(), before: BTreeMap::new() }).collect();
    for ((index, file), outcome) in meant.into_iter().zip(&outcomes) {
        let Some(one) = checked.get_mut(index) else { continue };
        let phase = if file.is_some() { Phase::Before } else { Phase::Check };
        report.times.push(time(one.group.tool.name(), phase.name(), outcome));
        match (read(one.group, outcome), file) {
            (Ok(found), None) => {
                one.found = found.into_iter().filter_map(|found| one.group.own(found)).collect();
            }
            (Ok(found), Some(file)) => drop(one.before.insert(file.to_owned(), found)),
            (Err(why), None) => report.failures.push((one.group.tool.name().to_owned(), why)),
            (Err(_), Some(_)) => {}
        }
    }
    checked
}

/// What a tool printed; an error where that is nothing that can be read, or it failed without a finding.
fn read(group: &Group<'_>, outcome: &ProgramOutcome) -> Result<Vec<Finding>, String> {
    if !matches!(outcome.end, ProgramEnd::Exit(_)) {
        return Err(ended(outcome));
    }
    let output: Output = match group.tool {
        LintTool::Known(linter) => linter.output(),
        LintTool::Own { output, .. } => (**output).clone(),
    };
    let tool = group.tool.name();
    let (stdout, stderr) =
        (String::from_utf8_lossy(&outcome.stdout), String::from_utf8_lossy(&outcome.stderr));
    let mut found = output.read(tool, &stdout);
    // Some print their findings on the other stream.
    if !matches!(&found, Ok(found) if !found.is_empty())
        && let Ok(other) = output.read(tool, &stderr)
        && !other.is_empty()
    {
        found = Ok(other);
    }
    let found = found.map_err(|error| error.to_string())?;
    let code = if let ProgramEnd::Exit(code) = outcome.end { code } else { 0 };
    // 1 is what most say who found something; a formatter that only lists files says it too.
    if found.is_empty() && code > 1 {
        return Err(ended(outcome));
    }
    Ok(found)
}

impl Group<'_> {
    /// A finding in one of the group's files, with the file's absolute path.
    fn own(&self, finding: Finding) -> Option<Finding> {
        let named = finding.file.trim_start_matches("./");
        let absolute =
            if named.starts_with('/') { named.to_owned() } else { format!("{}/{named}", self.directory) };
        let file = self.files.iter().find(|file| **file == absolute || file.ends_with(&format!("/{named}")));
        let file =
            file.or_else(|| self.files.first().filter(|_| finding.file.is_empty() && self.files.len() == 1))?;
        Some(Finding { file: file.clone(), ..finding })
    }
}

impl Checked<'_> {
    /// What is new, file by file.
    fn fresh(self, job: &Job<'_>, after: &BTreeMap<String, String>) -> Vec<Finding> {
        let mut new = Vec::new();
        for file in &self.group.files {
            let found: Vec<Finding> = self.found.iter().filter(|one| one.file == *file).cloned().collect();
            let before = job.files.iter().find(|one| one.path == *file).and_then(|one| one.before.as_deref());
            let text = after.get(file).map_or("", String::as_str);
            let is_whole = self.group.linter().is_some_and(hookgate_lint::Linter::looks_at_whole_files);
            new.extend(match (before, self.before.get(file)) {
                (Some(before), Some(old)) => new_findings(old, before, found, text),
                (Some(before), None) if !is_whole && !before.is_empty() => in_new_lines(found, before, text),
                _ => found,
            });
        }
        new
    }
}

fn count_open(groups: &[Group<'_>], checked: &[Checked<'_>], report: &mut Report) {
    for (group, one) in groups.iter().zip(checked) {
        for file in &group.files {
            let count = one.found.iter().filter(|found| found.file == *file).count();
            report.open.push((group.tool.name().to_owned(), file.clone(), count));
        }
    }
}

/// Who works on the findings, if the policy says that somebody does.
fn delegate<'j>(job: &Job<'j>, findings: &[Finding]) -> Option<&'j hookgate_policy::Delegate> {
    if job.look_only || findings.is_empty() {
        return None;
    }
    job.entry.delegates.iter().find(|delegate| {
        findings.len() >= delegate.at_least
            && (delegate.codes.is_empty()
                || findings.iter().any(|one| delegate.codes.iter().any(|glob| glob.matches_text(&one.code))))
    })
}

/// What a delegate is asked to do. The findings are JSON, so that nothing in them reads like a sentence of ours.
fn task(findings: &[Finding]) -> String {
    let list = serde_json::to_string(findings).unwrap_or_default();
    format!(
        "Linters found problems in files that were just edited. Correct each of them with the smallest change to the code that \
         does so. Change no other file, no setting and no behaviour, and add no comment that turns a linter off. If one can't be \
         corrected so, leave it. The findings, as data:\n{list}\n"
    )
}

fn time(tool: &str, phase: &'static str, outcome: &ProgramOutcome) -> Time {
    let millis = u64::try_from(outcome.took.as_millis()).unwrap_or(u64::MAX);
    Time { tool: tool.to_owned(), phase, millis }
}

/// How a program failed, with the first line that it printed about it.
fn ended(outcome: &ProgramOutcome) -> String {
    let why = match &outcome.end {
        ProgramEnd::Exit(code) => format!("exited with {code}"),
        ProgramEnd::Signal => "was killed by a signal".to_owned(),
        ProgramEnd::Deadline => format!("was killed after {} ms", outcome.took.as_millis()),
        ProgramEnd::NotStarted(why) => format!("couldn't be started ({why})"),
    };
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    match stderr.lines().map(str::trim).find(|line| line.chars().any(char::is_alphanumeric)) {
        Some(line) => format!("{why}: {line}"),
        None => why,
    }
}
