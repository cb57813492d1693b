//! Rewrites (law 8): a command that a policy wants to be another one.
//!
//! Matched are parsed calls, replaced are exactly the bytes of the matched command in the text. Whatever could make the
//! new text another sentence than the old one drops the rewrite, and the command gets what the rewrite's `else` says.

use std::ops::Range;

use hookgate_agents::{Event, EventName, Map, Value};
use hookgate_effects::{Call, Effects, Output, Places};
use hookgate_policy::{
    Date, LayerKind, Level, Policy, Requirement, Rewrite, RewriteDecision, RewriteFallback, RunPattern,
    Template,
};
use hookgate_rules::{Remedy, Replacement};
use hookgate_shell::Span;

use crate::requirement::missing;
use crate::rewrite_template::{fill, is_image};
use crate::rewrite_text::{Text, Written, same_structure};
use crate::{Finding, Host, Source};

/// Tools whose `command` is one text for a POSIX shell.
const SHELLS: &[&str] = &["Bash", "bash", "shell", "run_shell_command", "local_shell", "exec_command"];

/// Programs that run a command of this machine, in this place, and hand its output on as it is.
const CARRIERS: &[&str] = &[
    "sudo",
    "doas",
    "env",
    "command",
    "builtin",
    "exec",
    "time",
    "nice",
    "ionice",
    "nohup",
    "setsid",
    "stdbuf",
    "timeout",
    "noglob",
    "nocorrect",
    "bash",
    "sh",
    "zsh",
    "dash",
    "ksh",
    "uv",
    "chronic",
    "caffeinate",
];

/// What the rewrites of a policy make of an event.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The complete new tool input.
    pub(crate) input: Option<Map>,
    /// What was replaced by what.
    pub(crate) applied: Vec<Applied>,
    /// What each rewrite has to say, but for grants: those need the effects of the new text.
    pub(crate) findings: Vec<Finding>,
    /// What the person hears.
    pub(crate) notices: Vec<String>,
}

/// One command that was replaced.
#[derive(Debug)]
pub(crate) struct Applied {
    /// Where the new command stands in the new text.
    pub(crate) range: Range<usize>,
    /// What it gets.
    pub(crate) then: RewriteDecision,
    /// What asked for it.
    pub(crate) code: String,
    reason: String,
}

impl Applied {
    /// The grant of the new command: what it does, and what it runs does.
    pub(crate) fn grant(&self, effects: &Effects) -> Finding {
        let inside = |span: Span| {
            let range = bytes(span);
            !range.is_empty() && self.range.start <= range.start && range.end <= self.range.end
        };
        let covered = effects.effects.iter().enumerate().filter(|(_, effect)| inside(effect.span));
        let mut finding = finding(&self.code, Level::Allow, self.reason.clone(), self.range.clone());
        finding.effects = covered.map(|(index, _)| index).collect();
        finding
    }

    /// The grant that the agent's own rules gave the old command: with `whole`, that of all of the text.
    pub(crate) fn inherit(&self, effects: &Effects, whole: bool) -> Finding {
        let mut finding = self.grant(effects);
        "the agent's own rules allow the command that this one replaces".clone_into(&mut finding.message);
        if whole {
            finding.effects = (0..effects.effects.len()).collect();
        }
        finding
    }
}

/// A rewrite of one command.
struct Candidate<'p> {
    rewrite: &'p Rewrite,
    range: Range<usize>,
    /// What it becomes, or why that can't be.
    new: Result<String, Dropped>,
    /// A built-in rule asks for it, and says itself what holds where it can't be done.
    by_rule: bool,
}

/// Why a command stays as it is though a rewrite is about it.
#[derive(Clone, Debug)]
struct Dropped {
    why: &'static str,
    /// What it would have become.
    instead: Option<String>,
}

/// Plans the rewrites of an event. With `quiet` they are only recorded: nobody is told, and nothing they say counts.
pub(crate) fn plan(
    event: &Event,
    effects: &Effects,
    policy: &Policy,
    places: &Places,
    host: &dyn Host,
    replacements: &[Replacement],
    quiet: bool,
) -> Plan {
    let mut plan = Plan::default();
    let Some(tool) = event.tool().filter(|tool| SHELLS.contains(&tool.name.as_str())) else { return plan };
    let Some(text) = tool.text("command") else { return plan };
    let today = Date::from_unix_seconds(host.now() / 1000);
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let mut whole: Option<Text> = None;
    for (index, call) in effects.calls.iter().enumerate() {
        let range = bytes(call.span);
        if candidates.iter().any(|one| one.range == range) {
            continue;
        }
        let mut matching = policy
            .rewrites
            .iter()
            .filter(|rewrite| rewrite.until.is_none_or(|until| today <= until))
            .filter(|rewrite| matches(rewrite, call) && !is_kept(rewrite, call, effects, host));
        let Some(rewrite) = matching.next() else { continue };
        if let Some(problem) = missing(&rewrite.requires, &rewrite.code, "rewrites nothing", host) {
            tell_once(&mut plan, event, host, quiet, &format!("requires-{}", rewrite.code), problem);
            continue;
        }
        let whole = whole.get_or_insert_with(|| Text::new(text));
        let written = whole.command(&range);
        let Some(new) = replacement(rewrite, call, index, effects, whole, written.as_ref()) else { continue };
        if let Some(other) = matching.find(|other| other.code != rewrite.code) {
            let notice = format!(
                "two rewrites are about `{}`: {} of the {} policy counts, {} of the {} policy does not",
                text.get(range.clone()).unwrap_or_default(),
                rewrite.code,
                rewrite.layer.name(),
                other.code,
                other.layer.name(),
            );
            tell_once(
                &mut plan,
                event,
                host,
                quiet,
                &format!("conflict-{}-{}", rewrite.code, other.code),
                notice,
            );
        }
        let new = new.and_then(|new| {
            if event.name == EventName::PreToolUse {
                Ok(new)
            } else {
                Err(Dropped {
                    why: "nothing can be rewritten any more where a permission is asked for",
                    instead: Some(new),
                })
            }
        });
        candidates.push(Candidate { rewrite, range, new, by_rule: false });
    }
    let rules: Vec<Rewrite> = replacements.iter().map(asked_by_rule).collect();
    for (rewrite, asked) in rules.iter().zip(replacements) {
        let range = bytes(asked.span);
        if event.name != EventName::PreToolUse || candidates.iter().any(|one| one.range == range) {
            continue;
        }
        if let Some(problem) = missing(&rewrite.requires, &rewrite.code, "rewrites nothing", host) {
            tell_once(&mut plan, event, host, quiet, &format!("requires-{}", rewrite.code), problem);
            continue;
        }
        let whole = whole.get_or_insert_with(|| Text::new(text));
        let new = replacement_by_rule(asked, replacements, effects, whole);
        candidates.push(Candidate { rewrite, range, new, by_rule: true });
    }
    let Some(whole) = whole.filter(|_| !candidates.is_empty()) else { return plan };
    settle(&mut candidates, &whole, effects, places, host);
    conclude(plan, candidates, text, quiet, &tool.input)
}

/// Drops what can't be done together with the rest: nested replacements, and everything if the whole would not be the
/// same sentence.
fn settle(
    candidates: &mut Vec<Candidate<'_>>,
    text: &Text,
    effects: &Effects,
    places: &Places,
    host: &dyn Host,
) {
    candidates.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let mut end = 0;
    for one in candidates.iter_mut().filter(|one| !one.rewrite.shadow) {
        if one.range.start < end {
            drop_it(one, "it is part of a command that is rewritten itself");
        } else if one.new.is_ok() {
            end = one.range.end;
        }
    }
    let replaced = replacements(candidates);
    if replaced.is_empty() {
        return;
    }
    let (new, ranges) = splice(text.text, &replaced);
    let old: Vec<Range<usize>> = replaced.iter().map(|(range, _)| range.clone()).collect();
    let after = hookgate_effects::of_command(&new, places, host);
    // A function or an alias of the text may have taken the new program's name.
    let is_there = |range: &Range<usize>| after.calls.iter().any(|call| bytes(call.span) == *range);
    if !same_structure(text, &old, &new, &ranges)
        || outside(effects, &old) != outside(&after, &ranges)
        || !ranges.iter().all(is_there)
    {
        for one in candidates.iter_mut() {
            drop_it(one, "the new text would not be the same command line");
        }
    }
}

fn drop_it(candidate: &mut Candidate<'_>, why: &'static str) {
    if let Ok(new) = &candidate.new {
        candidate.new = Err(Dropped { why, instead: Some(new.clone()) });
    }
}

fn replacements<'c>(candidates: &'c [Candidate<'_>]) -> Vec<(Range<usize>, &'c str)> {
    let live = candidates.iter().filter(|one| !one.rewrite.shadow);
    live.filter_map(|one| Some((one.range.clone(), one.new.as_deref().ok()?))).collect()
}

/// The programs that run outside of these places, in order.
fn outside<'e>(effects: &'e Effects, ranges: &[Range<usize>]) -> Vec<&'e str> {
    let is_inside = |call: &Call| {
        let own = bytes(call.span);
        ranges.iter().any(|range| range.start <= own.start && own.end <= range.end)
    };
    effects.calls.iter().filter(|call| !is_inside(call)).map(|call| call.program.as_str()).collect()
}

/// The text with these places replaced, and where the new pieces stand.
fn splice(text: &str, replaced: &[(Range<usize>, &str)]) -> (String, Vec<Range<usize>>) {
    let (mut out, mut ranges, mut at) = (String::with_capacity(text.len() + 64), Vec::new(), 0);
    for (range, new) in replaced {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        ranges.push(out.len()..out.len() + new.len());
        out.push_str(new);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, ranges)
}

/// What was planned, as findings and as the new input.
fn conclude(mut plan: Plan, candidates: Vec<Candidate<'_>>, text: &str, quiet: bool, input: &Map) -> Plan {
    let replaced = replacements(&candidates);
    if !replaced.is_empty() {
        let (new, ranges) = splice(text, &replaced);
        let mut input = input.clone();
        input.insert("command".to_owned(), Value::String(new));
        plan.input = Some(input);
        let live = candidates.iter().filter(|one| !one.rewrite.shadow && one.new.is_ok());
        plan.applied = live
            .zip(ranges)
            .map(|(one, range)| Applied {
                range,
                then: one.rewrite.then,
                code: one.rewrite.code.clone(),
                reason: one.rewrite.reason.trim_end_matches('.').to_owned(),
            })
            .collect();
    }
    for one in candidates {
        if one.by_rule && one.new.is_err() {
            continue;
        }
        let old = text.get(one.range.clone()).unwrap_or_default();
        let rewrite = one.rewrite;
        let why = rewrite.reason.trim_end_matches('.');
        let because = if why.is_empty() { String::new() } else { format!(": {why}") };
        let mut found = match one.new {
            Ok(new) => {
                let level = if rewrite.then == RewriteDecision::Ask { Level::Ask } else { Level::Note };
                finding(&rewrite.code, level, format!("`{new}` runs in place of `{old}`{because}"), one.range)
            }
            Err(dropped) => {
                let level = match rewrite.otherwise {
                    RewriteFallback::Pass => Level::Note,
                    RewriteFallback::Ask => Level::Ask,
                    RewriteFallback::Deny => Level::Deny,
                };
                let message = format!("`{old}` can't be rewritten here: {}{because}", dropped.why);
                let mut found = finding(&rewrite.code, level, message, one.range);
                found.fix = dropped.instead.map(|new| format!("run `{new}`, as a command of its own"));
                found
            }
        };
        found.shadow = rewrite.shadow || quiet;
        plan.findings.push(found);
    }
    plan
}

fn finding(code: &str, level: Level, message: String, range: Range<usize>) -> Finding {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Finding {
        code: code.to_owned(),
        level,
        message,
        fix: None,
        remedy: Remedy::Fixable,
        span: Span { start: offset(range.start), end: offset(range.end) },
        effects: Vec::new(),
        source: Source::Rewrite,
        shadow: false,
        exception: None,
        context: None,
        notice: None,
    }
}

/// A span as bytes of the text.
pub(crate) fn bytes(span: Span) -> Range<usize> {
    let at = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
    at(span.start)..at(span.end)
}

fn tell_once(plan: &mut Plan, event: &Event, host: &dyn Host, quiet: bool, key: &str, notice: String) {
    if !quiet
        && !plan.notices.contains(&notice)
        && host.first_time(&event.session_id, &format!("rewrite-{key}"))
    {
        plan.notices.push(notice);
    }
}

/// Is the rewrite about this call?
fn matches(rewrite: &Rewrite, call: &Call) -> bool {
    rewrite.run.iter().any(|pattern| found(pattern, call).is_some())
}

/// Does something keep the command as it is: `unless`, or a variable of `unless-env`?
fn is_kept(rewrite: &Rewrite, call: &Call, effects: &Effects, host: &dyn Host) -> bool {
    let is_set = |name: &String| {
        host.variable(name).is_some_and(|value| !value.is_empty())
            || chain(call, effects).any(|call| call.environment.iter().any(|(own, _)| own == name))
    };
    rewrite.unless.iter().any(|pattern| found(pattern, call).is_some())
        || rewrite.unless_env.iter().any(is_set)
}

/// The call, what carries it, and so on.
fn chain<'e>(call: &'e Call, effects: &'e Effects) -> impl Iterator<Item = &'e Call> {
    // A carrier stands before what it carries; more steps than calls would be a loop.
    let carrier = |call: &&'e Call| call.carrier.and_then(|index| effects.calls.get(index));
    std::iter::successors(Some(call), carrier).take(effects.calls.len())
}

/// How a pattern matches a call.
pub(crate) struct Match {
    /// The options between the program and its subcommand, which the pattern does not name.
    pub(crate) before: usize,
    /// The arguments that each wildcard took, counted behind those options.
    pub(crate) captures: Vec<Range<usize>>,
}

/// How a pattern surely matches a call: as it stands, or behind the options before its subcommand.
pub(crate) fn found(pattern: &RunPattern, call: &Call) -> Option<Match> {
    let name = call.word.rsplit('/').next().unwrap_or(&call.word);
    let program = &pattern.program;
    let is_it = if program.as_str().contains('/') {
        program.matches_text(&call.word)
    } else {
        program.matches_text(&call.program) || program.matches_text(name)
    };
    if !is_it {
        return None;
    }
    let arguments: Vec<Option<&str>> =
        call.arguments.iter().map(|argument| argument.text.as_deref()).collect();
    if let Some(captures) = pattern.captures(&arguments) {
        return Some(Match { before: 0, captures });
    }
    let first = call.subcommand.first()?;
    let before =
        arguments.iter().position(|argument| *argument == Some(first.as_str())).filter(|at| *at > 0)?;
    let captures = pattern.captures(arguments.get(before..)?)?;
    Some(Match { before, captures })
}

/// What the call becomes; `None` where it is what the rewrite makes of something already.
fn replacement(
    rewrite: &Rewrite,
    call: &Call,
    index: usize,
    effects: &Effects,
    text: &Text,
    written: Option<&Written>,
) -> Option<Result<String, Dropped>> {
    let refused = |why| Some(Err(Dropped { why, instead: None }));
    for carrier in chain(call, effects).skip(1) {
        if rewrite.to.program().is_some_and(|program| program == carrier.program || program == carrier.word) {
            return None;
        }
        if !CARRIERS.contains(&carrier.program.as_str()) {
            return refused("another program runs it, perhaps elsewhere or with more arguments");
        }
    }
    let Some(written) = written.filter(|written| written.is(call)) else {
        return refused("it does not stand in the text word for word");
    };
    let new = match fill(rewrite, call, written, text.text) {
        Ok(new) => new,
        Err(why) => return refused(why),
    };
    if is_image(rewrite, call) && is_still_matched(rewrite, &new) {
        return None;
    }
    let own = bytes(call.span);
    let same =
        || effects.calls.iter().enumerate().filter(|(other, one)| *other != index && bytes(one.span) == own);
    let instead = Some(new.clone());
    // The same words may run several times: in a loop, or in a function.
    let differs = same()
        .any(|(_, other)| written.is(other) && fill(rewrite, other, written, text.text).as_ref() != Ok(&new));
    if differs {
        return Some(Err(Dropped { why: "it runs several times, and not always the same", instead }));
    }
    let read_by_others =
        call.output != Output::Agent || same().any(|(_, other)| other.output != Output::Agent);
    if read_by_others && !rewrite.anywhere {
        return Some(Err(Dropped { why: "the agent does not read its output itself", instead }));
    }
    if text.has_problems {
        return Some(Err(Dropped { why: "the text can't be read completely", instead }));
    }
    if !text.has_word(written) && marks(&new) != marks(text.text.get(own).unwrap_or_default()) {
        return Some(Err(Dropped { why: "it stands in quotes", instead }));
    }
    Some(Ok(new))
}

/// What means something inside of quotes: it may only be what stood there before.
fn marks(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\'' | '"' | '\\' | '`' | '$' | '!' | '\n')).collect()
}

/// What a rule asks for, in the form of a rewrite.
fn asked_by_rule(asked: &Replacement) -> Rewrite {
    let program = asked.command.split(' ').next().unwrap_or_default().to_owned();
    Rewrite {
        code: asked.code.to_owned(),
        layer: LayerKind::User,
        line: 0,
        run: Vec::new(),
        unless: Vec::new(),
        unless_env: Vec::new(),
        to: Template { words: Vec::new() },
        then: RewriteDecision::Pass,
        otherwise: RewriteFallback::Deny,
        anywhere: false,
        reason: format!("this project uses {program}"),
        requires: vec![Requirement { program, minimum: None }],
        shadow: false,
        until: None,
    }
}

/// What the call becomes that a rule wants to be another one.
fn replacement_by_rule(
    asked: &Replacement,
    all: &[Replacement],
    effects: &Effects,
    text: &Text,
) -> Result<String, Dropped> {
    let refused = |why| Err(Dropped { why, instead: Some(asked.command.clone()) });
    let range = bytes(asked.span);
    let Some(call) = effects.calls.get(asked.call) else { return refused("nothing calls it") };
    if chain(call, effects).skip(1).any(|carrier| !CARRIERS.contains(&carrier.program.as_str())) {
        return refused("another program runs it, perhaps elsewhere or with more arguments");
    }
    let Some(written) = text.command(&range).filter(|written| written.is(call)) else {
        return refused("it does not stand in the text word for word");
    };
    if all.iter().any(|other| other.span == asked.span && other.command != asked.command) {
        return refused("it runs several times, and not always the same");
    }
    if effects.calls.iter().any(|other| other.span == asked.span && other.output != Output::Agent) {
        return refused("the agent does not read its output itself");
    }
    if text.has_problems {
        return refused("the text can't be read completely");
    }
    if !text.has_word(&written) && asked.command.contains(['\'', '"', '\\', '`', '$', '\n']) {
        return refused("it stands in quotes");
    }
    Ok(asked.command.clone())
}

/// Would the rewrite be applied to its own result?
fn is_still_matched(rewrite: &Rewrite, new: &str) -> bool {
    let places = Places::default();
    let effects = hookgate_effects::of_command(new, &places, &Nowhere);
    effects.calls.first().is_some_and(|call| matches(rewrite, call))
}

/// A machine that holds nothing.
struct Nowhere;

impl hookgate_effects::World for Nowhere {
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    fn read(&self, _path: &str, _limit: usize) -> Option<Vec<u8>> {
        None
    }
    fn entry(&self, _path: &str) -> Option<hookgate_effects::Entry> {
        None
    }
    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }
    fn list(&self, _path: &str, _limit: usize) -> Vec<String> {
        Vec::new()
    }
}
