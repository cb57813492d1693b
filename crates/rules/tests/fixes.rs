//! What a finding advises: every command in a fix exists for its program, passes under the policy that flagged the call, and
//! is no longer what was flagged.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic, and says where")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use hookgate_policy::{Check, LayerKind, Level, Policy, Source, Vocabulary};
use hookgate_rules::{Hit, Rule, lookup};
use support::{Case, Cases, Sample, examples, folder_of, hits, sample};

/// The presets that a person starts with; nothing in them says that advice may be refused.
const PRESETS: &str = "presets = [\"recommended\", \"infra\"]";

/// What stands for a word in advice, and a word that could be there.
const PLACEHOLDERS: [(&str, &str); 8] = [
    ("NAME=VALUE", "user.name=dev"),
    ("COMMAND", "status"),
    ("NAME", "kept"),
    ("FILE", "src/main.rs"),
    ("DIRECTORY", "docs"),
    ("PATH", "worktree"),
    ("URL", "https://example.com/acme/app.git"),
    ("TEXT", "text"),
];

/// A call and what its rule says of it.
struct Flagged {
    rule: &'static Rule,
    case: Case,
    sample: Rc<Sample>,
    hit: Hit,
}

/// Every call that the registry and the knowledge base show and that a rule flags.
fn flagged() -> Vec<Flagged> {
    let mut all = Vec::new();
    for &rule in lookup::all() {
        let text = std::fs::read_to_string(folder_of(rule).join("cases.toml")).unwrap();
        let cases: Cases = toml::from_str(&text).unwrap();
        let shown = examples(rule).into_iter().map(|(command, hit)| Case::of_command(&command, hit));
        for case in shown.chain(cases.case) {
            all.extend(by(rule, &case));
        }
    }
    for (code, command) in known_calls() {
        all.extend(by(lookup::find(code).unwrap(), &Case::of_command(&command, true)));
    }
    all
}

fn by(rule: &'static Rule, case: &Case) -> Vec<Flagged> {
    let sample = Rc::new(sample(case));
    let hits = hits(rule, &sample).into_iter();
    hits.map(|hit| Flagged { rule, case: case.clone(), sample: Rc::clone(&sample), hit }).collect()
}

/// The rules whose advice names what the call's program takes, and the effect that they look at: they are asked about the
/// knowledge base's own examples too.
const ADVISING: [(&str, &str); 4] = [
    ("CLUSTER001", "cluster-destroy"),
    ("INFRA002", "infrastructure-change"),
    ("PUBLISH001", "publish"),
    ("REMOTE001", "remote-delete"),
];

/// The calls in the cases of all knowledge files with such an effect.
fn known_calls() -> Vec<(&'static str, String)> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../knowledge");
    let mut calls = Vec::new();
    for directory in [base.clone(), base.join("families")] {
        for file in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let cases = text.split_once("[[case]]").map_or("", |(_, cases)| cases);
            for (command, effects) in cases.lines().filter_map(|line| line.split_once(" => ")) {
                let codes = ADVISING.iter().filter(|(_, kind)| effects.contains(kind)).map(|(code, _)| *code);
                calls.extend(codes.map(|code| (code, command.trim().to_owned())));
            }
        }
    }
    assert!(calls.len() > 100, "{} calls", calls.len());
    calls
}

/// What a fix quotes, but for what a person is asked to do.
fn quoted(fix: &str) -> impl Iterator<Item = &str> {
    let advice = fix.split("ask the user").next().unwrap_or_default();
    advice.split('`').skip(1).step_by(2)
}

/// The advice as a command that could be run: the call with the option, or the command itself. `None` for what is no command.
fn command(advice: &str, flagged: &Flagged) -> Option<String> {
    let mut advice = advice.to_owned();
    for (placeholder, word) in PLACEHOLDERS {
        advice = advice.replace(placeholder, word);
    }
    if advice.starts_with('-') {
        let whole = flagged.case.command.as_ref()?;
        let call = flagged.sample.effects.effects[*flagged.hit.effects.first()?].call?;
        let span = flagged.sample.effects.calls[call].span;
        return Some(format!("{} {advice}", whole.get(span.start as usize..span.end as usize)?));
    }
    let program = advice.split(' ').next()?;
    // A single word is a name: a program's, a variable's, a table's.
    let is_command = advice.contains(' ') && hookgate_knowledge::shipped().program(program).is_some();
    is_command.then_some(advice)
}

/// What is wrong with a command that is advised.
fn faults(command: &str, flagged: &Flagged, policy: &Policy) -> Vec<String> {
    let advised = sample(&Case::of_command(command, false));
    let mut faults = Vec::new();
    if advised.effects.calls.is_empty() || advised.effects.calls.iter().any(|call| !call.listed) {
        faults.push("isn't known".to_owned());
    }
    for &rule in lookup::all() {
        let again = hits(rule, &advised);
        let stops = matches!(policy.level(rule.code), Level::Ask | Level::Deny | Level::Halt);
        if stops && !again.is_empty() {
            faults.push(format!("is stopped by {}", rule.code));
        }
        if rule.code == flagged.rule.code && again.iter().any(|hit| hit.message == flagged.hit.message) {
            faults.push("still has what was flagged".to_owned());
        }
    }
    faults
}

#[test]
fn every_command_in_a_fix_exists_passes_and_solves_what_was_flagged() {
    let vocabulary = lookup::vocabulary();
    let source = Source { kind: LayerKind::User, path: "hookgate.toml", text: PRESETS, trusted: true };
    let (policy, problems) = Policy::load(&[source], &Vocabulary { rules: &vocabulary }, Check::Quick);
    assert!(problems.is_empty(), "{problems:?}");
    let mut wrong = BTreeSet::new();
    let mut commands = BTreeMap::new();
    for flagged in flagged() {
        let Some(fix) = &flagged.hit.fix else { continue };
        for command in quoted(fix).filter_map(|advice| command(advice, &flagged)) {
            let rule = flagged.rule.code;
            if commands.insert((rule, command.clone()), fix.to_string()).is_none() {
                let faults = faults(&command, &flagged, &policy);
                let what = flagged.case.what();
                wrong.extend(faults.into_iter().map(|fault| format!("{rule}: `{command}` {fault} ({what})")));
            }
        }
    }
    let rules: BTreeSet<_> = commands.keys().map(|(rule, _)| rule).collect();
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
    assert!(
        commands.len() >= 60 && rules.len() >= 20,
        "{} commands of {} rules",
        commands.len(),
        rules.len()
    );
}
