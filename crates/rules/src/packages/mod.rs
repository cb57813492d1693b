//! Calls of package managers other than the project's, and what they are in the words of the project's.

mod detect;
mod dialect;
mod parse;
mod translate;
mod words;

#[cfg(test)]
mod real_test;
#[cfg(test)]
mod tests;

use std::fmt;

use hookgate_effects::{Call, World};
use hookgate_knowledge::shipped;
use hookgate_policy::{Ecosystem, Level, PackageLevel, PackageManager, PackagePolicy, Packages};
use hookgate_shell::Span;
use hookgate_text::{Message, Quoted, say};

use crate::rule::{Facts, Hit, Remedy, Replacement};
use dialect::Verb;
use parse::{Parsed, parse};
use translate::{Project, Translation, translate};
use words::Word;

/// What rules about package managers need: what the policy says, and the machine, on which lockfiles are looked for
/// once such a manager is called.
#[derive(Clone, Copy)]
pub struct PackageFacts<'a> {
    /// What the policy says.
    pub policy: &'a Packages,
    /// The machine.
    pub world: &'a dyn World,
}

impl fmt::Debug for PackageFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackageFacts").field("policy", self.policy).finish_non_exhaustive()
    }
}

/// A call of a manager that is not the project's.
struct Foreign<'a> {
    /// The call's index.
    index: usize,
    /// The call that is to be replaced: the carrier of `python -m pip`.
    replaced: usize,
    /// Its place.
    span: Span,
    /// What it is called: `python -m venv`.
    name: String,
    parsed: Parsed,
    /// The project's manager, and the file that says so.
    wanted: detect::Found,
    translation: Option<Translation>,
    policy: &'a PackagePolicy,
}

/// The hits of PKG001, for which the project's manager has a counterpart.
pub(crate) fn counterparts(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    for found in foreign(facts) {
        let Some(translation) = &found.translation else { continue };
        let level = found.policy.level;
        if level == PackageLevel::Off {
            continue;
        }
        let stands = stands_in_text(facts, &found);
        let command = in_context(facts, &found, &translation.command);
        let mut fix = if stands {
            say!("run {}", Quoted::new(&command))
        } else {
            // A recipe or a script runs it: what the person typed is not what is to change.
            say!("change what runs it to {}", Quoted::new(&translation.command))
        };
        if !translation.missing.is_empty() {
            let missing = translation.missing.join(", ");
            fix.push(&say!("; it has no equivalent of {}", Quoted::new(&missing)));
        }
        let exact = level == PackageLevel::Rewrite && stands && translation.missing.is_empty();
        let mut hit = hit(facts, &found, level.level()).fix(fix);
        hit.replacement = exact.then(|| Replacement {
            code: "PKG001",
            call: found.replaced,
            span: found.span,
            command: translation.command.clone(),
        });
        hits.push(hit);
    }
}

/// The hits of PKG002: no counterpart is known.
pub(crate) fn unlisted(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    for found in foreign(facts) {
        if found.translation.is_some() || found.policy.unlisted == Level::Off {
            continue;
        }
        let (manager, ecosystem) = (found.wanted.0, found.wanted.0.ecosystem());
        let entry = [found.name.as_str(), &found.parsed.subcommand].join(" ");
        let fix = say!(
            "use {}, or ask the user to list {} under `allow` in [packages.{}]",
            manager.name(),
            Quoted::new(entry.trim()),
            ecosystem.name()
        );
        hits.push(hit(facts, &found, found.policy.unlisted).fix(fix));
    }
}

fn hit(facts: &Facts<'_>, found: &Foreign<'_>, level: Level) -> Hit {
    let (manager, file) = found.wanted;
    let known_by = if file.is_empty() { Message::default() } else { say!(" ({})", file) };
    let effects = facts.effects.effects.iter().enumerate();
    Hit {
        message: say!(
            "runs {}, but this project uses {}{}",
            Quoted::new(&found.name),
            manager.name(),
            known_by
        ),
        fix: None,
        remedy: Remedy::Fixable,
        span: found.span,
        effects: effects
            .filter(|(_, effect)| effect.call == Some(found.index))
            .map(|(index, _)| index)
            .collect(),
        level: Some(level),
        unless_kept: None,
        replacement: None,
    }
}

/// Every call of a manager that is not the project's and that nothing allows.
fn foreign<'a>(facts: &Facts<'a>) -> Vec<Foreign<'a>> {
    let Some(packages) = facts.packages else { return Vec::new() };
    let command = facts.event.tool().and_then(|tool| tool.text("command")).unwrap_or("");
    let calls = &facts.effects.calls;
    let mut found = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        let Some(manager) = manager_of(call).filter(|_| runs_here(calls, call)) else { continue };
        let Some(policy) = packages.policy.of(manager.ecosystem()) else { continue };
        let directory = call.cwd.as_deref().unwrap_or(&facts.places.cwd);
        let project = &facts.places.project;
        let used = match policy.manager {
            Some(manager) => vec![(manager, "")],
            None => detect::managers(manager.ecosystem(), directory, project, packages.world),
        };
        let Some(wanted) = used.first().copied() else { continue };
        if used.iter().any(|(used, _)| *used == manager) {
            continue;
        }
        // `python -m pip` is replaced with its carrier.
        let is_python = |index: &usize| calls.get(*index).is_some_and(|carrier| carrier.program == "python");
        let replaced = call.carrier.filter(is_python).unwrap_or(index);
        let span = calls.get(replaced).map_or(call.span, |call| call.span);
        let (name, words) = words_of(call, command);
        let mut parsed = parse(manager, words);
        if parsed.asks
            || parsed.verb == Some(Verb::Itself)
            || allowed(&policy.allow, &name, manager, call, &parsed)
        {
            continue;
        }
        let program = parsed.operands.first().map_or("", Word::text).to_owned();
        let above = |file: &str| detect::has(file, directory, project, packages.world);
        let is_installed = !program.is_empty() && above(&format!("node_modules/.bin/{program}"));
        if parsed.verb == Some(Verb::Run)
            && parsed.subcommand.is_empty()
            && is_installed
            && !detect::has_script(&program, directory, project, packages.world)
        {
            // A word that is neither a subcommand nor a script runs a program of an installed package.
            parsed.verb = Some(Verb::Execute);
        }
        let state = Project {
            has_manifest: manager.ecosystem() == Ecosystem::Python && above("pyproject.toml"),
            is_modern_yarn: wanted.0 == PackageManager::Yarn && above(".yarnrc.yml"),
            has_program: parsed.verb == Some(Verb::Execute) && is_installed,
        };
        let translation = translate(&parsed, wanted.0, state);
        found.push(Foreign { index, replaced, span, name, parsed, wanted, translation, policy });
    }
    found
}

/// Does the call run on this machine and among these files, and in no container?
fn runs_here(calls: &[Call], call: &Call) -> bool {
    let elsewhere = shipped().table("commands/words/elsewhere");
    let above = |call: &&Call| call.carrier.and_then(|index| calls.get(index));
    let mut carriers = std::iter::successors(Some(call), above).take(calls.len() + 1);
    !carriers.any(|call| elsewhere.contains(&call.program))
}

/// Does the call stand in the text of the event, and not in a file that something there runs?
fn stands_in_text(facts: &Facts<'_>, found: &Foreign<'_>) -> bool {
    let text = facts.event.tool().and_then(|tool| tool.text("command")).unwrap_or("");
    let calls = &facts.effects.calls;
    let own = text.get(found.span.start as usize..found.span.end as usize).unwrap_or("");
    let carrier = calls.get(found.replaced).and_then(|call| call.carrier).and_then(|index| calls.get(index));
    let Some(carrier) = carrier else { return true };
    let name = calls.get(found.replaced).map_or("", |call| call.word.rsplit('/').next().unwrap_or(""));
    carrier.span != found.span && (own.contains(name) || own.contains(['$', '`', '\\', '\'', '"']))
}

/// The manager that a call is one of.
fn manager_of(call: &Call) -> Option<PackageManager> {
    match call.program.as_str() {
        "npx" => Some(PackageManager::Npm),
        "pnpx" => Some(PackageManager::Pnpm),
        "bunx" => Some(PackageManager::Bun),
        "virtualenv" => Some(PackageManager::Pip),
        "python" => makes_environment(call).then_some(PackageManager::Pip),
        program => PackageManager::named(program),
    }
}

/// `python -m venv`
fn makes_environment(call: &Call) -> bool {
    let mut texts = call.arguments.iter().map(|argument| argument.text.as_deref());
    texts.next().flatten() == Some("-m") && matches!(texts.next().flatten(), Some("venv" | "virtualenv"))
}

/// What a call is called, and its arguments with the subcommand that its name stands for.
fn words_of(call: &Call, command: &str) -> (String, Vec<Word>) {
    let mut words = words::of(call, command);
    let mut before = Vec::new();
    let name = match call.program.as_str() {
        program @ ("npx" | "bunx") => {
            before.push(Word::plain("x"));
            program.to_owned()
        }
        program @ "pnpx" => {
            before.push(Word::plain("dlx"));
            program.to_owned()
        }
        program @ "virtualenv" => {
            before.push(Word::plain("venv"));
            program.to_owned()
        }
        "python" => {
            words.drain(..2.min(words.len()));
            before.push(Word::plain("venv"));
            // `python3.11 -m venv` makes one of that version.
            let version = call.word.rsplit('/').next().and_then(|word| word.strip_prefix("python"));
            if let Some(version) = version.filter(|version| version.contains('.')) {
                before.extend([Word::plain("--python"), Word::plain(version)]);
            }
            "python -m venv".to_owned()
        }
        program => program.to_owned(),
    };
    before.extend(words);
    (name, before)
}

/// Does one of the entries free the call?
fn allowed(entries: &[String], name: &str, manager: PackageManager, call: &Call, parsed: &Parsed) -> bool {
    entries.iter().any(|entry| {
        let program = [name, manager.name(), &call.program].into_iter().find_map(|name| {
            let rest = entry.trim().strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with(' ')).then_some(rest)
        });
        let Some(rest) = program else { return false };
        let (options, words): (Vec<&str>, Vec<&str>) =
            rest.split_whitespace().partition(|word| word.starts_with('-'));
        let mut own = parsed.plain_words();
        words.iter().all(|word| own.next() == Some(word))
            && options
                .iter()
                .all(|option| call.arguments.iter().any(|argument| argument.text.as_deref() == Some(*option)))
    })
}

/// The new command with what carries it: `sudo uv add x` for `sudo pip install x`.
fn in_context(facts: &Facts<'_>, found: &Foreign<'_>, command: &str) -> String {
    let text = facts.event.tool().and_then(|tool| tool.text("command")).unwrap_or("");
    let calls = &facts.effects.calls;
    let mut whole = found.span;
    let mut next = calls.get(found.index).and_then(|call| call.carrier);
    while let Some(call) = next.and_then(|index| calls.get(index)) {
        if call.span.start <= whole.start && call.span.end >= whole.end {
            whole = call.span;
        }
        next = call.carrier;
    }
    let part = |start: u32, end: u32| text.get(start as usize..end as usize);
    match (part(whole.start, found.span.start), part(found.span.end, whole.end)) {
        // Inside quotes the new command's own quotes would mean something else.
        (Some(before), Some(after)) if !before.contains(['\'', '"', '`', '(']) => {
            format!("{before}{command}{after}")
        }
        _ => command.to_owned(),
    }
}
