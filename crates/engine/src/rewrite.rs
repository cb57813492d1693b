//! Rewrites (law 8): a command that a policy wants to be another one.
//!
//! Matched are parsed calls, replaced are exactly the bytes of the matched command in the text. Whatever could make the
//! new text another sentence than the old one drops the rewrite, and the command gets what the rewrite's `else` says.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use hookgate_agents::{Event, EventName, Map, ToolCall};
use hookgate_effects::{Call, Effects, Output, Places};
use hookgate_policy::{
    Date, LayerKind, Level, Requirement, Rewrite, RewriteDecision, RewriteFallback, RunPattern, Template,
};
use hookgate_rules::Replacement;
use hookgate_shell::Span;
use hookgate_text::{Message, Quoted, say};

use crate::input::At;
use crate::requirement::missing;
use crate::rewrite_template::{fill, is_image};
use crate::rewrite_text::{Text, Written, same_structure};
use crate::{Finding, Host, Note, Source};

/// Commands of the shell itself that run a command, and one that hands its output on: no file is about them.
const CARRIERS: &[&str] = &["command", "builtin", "exec", "noglob", "nocorrect", "chronic"];

/// Does the call run a command of this machine, in this place, and hand its output on as it is?
fn carries(call: &Call) -> bool {
    call.acts_as("carrier") || CARRIERS.contains(&call.program.as_str())
}

/// What rewrites make of a call.
pub(crate) struct Plan<'p> {
    text: String,
    /// By their place in the text.
    candidates: Vec<Candidate<'p>>,
    /// What the person hears.
    pub(crate) notes: Vec<Note>,
}

/// One command that was replaced.
#[derive(Debug)]
pub(crate) struct Applied {
    /// Where the old command stands in the old text.
    old: Range<usize>,
    /// Where the new command stands in the new text.
    new: Range<usize>,
    /// What it gets.
    pub(crate) then: RewriteDecision,
    /// What asked for it.
    code: String,
    reason: String,
    answers: Vec<String>,
}

impl Applied {
    /// Is it the answer to what was found about the old text: about the old command and nothing beside it?
    pub(crate) fn answers(&self, finding: &Finding, old: &Effects) -> bool {
        let about =
            |index: &usize| old.effects.get(*index).is_some_and(|effect| holds(&self.old, effect.span));
        self.answers.contains(&finding.code)
            && if finding.effects.is_empty() {
                holds(&self.old, finding.span)
            } else {
                finding.effects.iter().all(about)
            }
    }

    /// The grant of the new command: what it does, and what it runs does.
    pub(crate) fn grant(&self, effects: &Effects) -> Finding {
        let covered = effects.effects.iter().enumerate().filter(|(_, effect)| holds(&self.new, effect.span));
        let mut finding =
            finding(&self.code, Level::Allow, Message::in_their_words(&self.reason), self.new.clone());
        finding.effects = covered.map(|(index, _)| index).collect();
        finding
    }

    /// The grant that the agent's own rules gave the old command: with `whole`, that of all of the text.
    pub(crate) fn inherit(&self, effects: &Effects, whole: bool) -> Finding {
        let mut finding = self.grant(effects);
        finding.message = "the agent's own rules allow the original command".into();
        if whole {
            finding.effects = (0..effects.effects.len()).collect();
        }
        finding
    }
}

/// A rewrite of one command.
struct Candidate<'p> {
    rewrite: Cow<'p, Rewrite>,
    range: Range<usize>,
    /// What it becomes, or why that can't be.
    new: Result<String, Dropped>,
    /// A built-in rule asks for it, and says itself what holds where it can't be done.
    by_rule: bool,
}

impl Candidate<'_> {
    fn drop_it(&mut self, why: &'static str) {
        if let Ok(new) = &self.new {
            self.new = Err(Dropped { why, instead: Some(new.clone()) });
        }
    }

    /// What it becomes, where that has an effect.
    fn live(&self) -> Option<&str> {
        self.new.as_deref().ok().filter(|_| !self.rewrite.shadow)
    }
}

/// Why a command stays as it is though a rewrite is about it.
#[derive(Clone, Debug)]
struct Dropped {
    why: &'static str,
    /// What it would have become.
    instead: Option<String>,
}

/// Plans the rewrites of a call: those of the policy, then those that built-in rules ask for.
pub(crate) fn plan<'p>(at: &At<'p>, effects: &Effects, replacements: &[Replacement]) -> Plan<'p> {
    let mut plan = Plan { text: String::new(), candidates: Vec::new(), notes: Vec::new() };
    let Some(text) = at.event.tool().and_then(ToolCall::shell_text) else { return plan };
    text.clone_into(&mut plan.text);
    let whole = OnceCell::new();
    let whole = || whole.get_or_init(|| Text::new(text));
    let today = Date::from_unix_seconds(at.host.now() / 1000);
    for (index, call) in effects.calls.iter().enumerate() {
        let range = bytes(call.span);
        if plan.candidates.iter().any(|one| one.range == range) {
            continue;
        }
        let mut matching = at
            .policy
            .rewrites
            .iter()
            .filter(|rewrite| rewrite.until.is_none_or(|until| today <= until))
            .filter(|rewrite| matches(rewrite, call) && !is_kept(rewrite, call, effects, at.host));
        let Some(rewrite) = matching.next().filter(|rewrite| plan.has_all(rewrite, at)) else { continue };
        let written = whole().command(&range);
        let Some(new) = replacement(rewrite, call, index, effects, whole(), written.as_ref()) else {
            continue;
        };
        if let Some(other) = matching.find(|other| other.code != rewrite.code) {
            plan.conflict(&range, rewrite, other);
        }
        let new = match new {
            Ok(new) if at.event.name != EventName::PreToolUse => {
                Err(Dropped { why: "a permission request can't be rewritten", instead: Some(new) })
            }
            new => new,
        };
        plan.candidates.push(Candidate { rewrite: Cow::Borrowed(rewrite), range, new, by_rule: false });
    }
    for asked in replacements.iter().filter(|_| at.event.name == EventName::PreToolUse) {
        let range = bytes(asked.span);
        let rewrite = asked_by_rule(asked);
        if !plan.candidates.iter().any(|one| one.range == range) && plan.has_all(&rewrite, at) {
            let new = replacement_by_rule(asked, replacements, effects, whole());
            plan.candidates.push(Candidate { rewrite: Cow::Owned(rewrite), range, new, by_rule: true });
        }
    }
    if !plan.candidates.is_empty() {
        plan.fit(whole(), effects, at.places, at.host);
    }
    plan
}

impl Plan<'_> {
    /// Is everything there that the rewrite needs? If not, the person is told.
    fn has_all(&mut self, rewrite: &Rewrite, at: &At<'_>) -> bool {
        let problem = missing(&rewrite.requires, &rewrite.name(), "has no effect", at.host);
        let key = format!("rewrite-requires-{}", rewrite.code);
        let is_there = problem.is_none();
        self.notes.extend(problem.map(|notice| Note::Once { key, notice }));
        is_there
    }

    fn conflict(&mut self, range: &Range<usize>, first: &Rewrite, other: &Rewrite) {
        let key = format!("rewrite-conflict-{}-{}", first.code, other.code);
        let notice = format!(
            "two rewrites match {}: hookgate uses {} of the {} policy, not {} of the {} policy",
            Quoted::new(self.text.get(range.clone()).unwrap_or_default()),
            first.name(),
            first.layer.name(),
            other.name(),
            other.layer.name(),
        );
        self.notes.push(Note::Once { key, notice });
    }

    /// Is anything replaced?
    pub(crate) fn changes(&self) -> bool {
        self.candidates.iter().any(|one| one.live().is_some())
    }

    /// Leaves every command as it is.
    pub(crate) fn drop_all(&mut self, why: &'static str) {
        for one in &mut self.candidates {
            one.drop_it(why);
        }
    }

    /// The places that are replaced, and by what.
    fn replaced(&self) -> Vec<(Range<usize>, &str)> {
        self.candidates.iter().filter_map(|one| Some((one.range.clone(), one.live()?))).collect()
    }

    /// The complete new tool input, if anything is replaced.
    pub(crate) fn input(&self, event: &Event) -> Option<Map> {
        let tool = event.tool().filter(|_| self.changes())?;
        let (new, _) = splice(&self.text, &self.replaced());
        tool.with_shell_text(&new)
    }

    /// What was replaced by what.
    pub(crate) fn applied(&self) -> Vec<Applied> {
        let (_, ranges) = splice(&self.text, &self.replaced());
        let live = self.candidates.iter().filter(|one| one.live().is_some());
        live.zip(ranges)
            .map(|(one, new)| Applied {
                old: one.range.clone(),
                new,
                then: one.rewrite.then,
                code: one.rewrite.code.clone(),
                reason: one.rewrite.reason.clone(),
                answers: one.rewrite.answers.clone(),
            })
            .collect()
    }

    /// What each rewrite has to say, but for grants: those need the effects of the new text. With `silent` it is only
    /// recorded.
    pub(crate) fn findings(&self, silent: bool) -> Vec<Finding> {
        let told = self.candidates.iter().filter(|one| !(one.by_rule && one.new.is_err()));
        told.map(|one| Finding { shadow: one.rewrite.shadow || silent, ..self.finding(one) }).collect()
    }

    fn finding(&self, one: &Candidate<'_>) -> Finding {
        let old = self.text.get(one.range.clone()).unwrap_or_default();
        let rewrite = &one.rewrite;
        let why = Message::in_their_words(&rewrite.reason);
        let because = if why.is_empty() { why } else { say!(": {}", why) };
        match &one.new {
            Ok(new) => {
                let level = if rewrite.then == RewriteDecision::Ask { Level::Ask } else { Level::Note };
                let message = say!("{} runs instead of {}{}", Quoted::new(new), Quoted::new(old), because);
                finding(&rewrite.code, level, message, one.range.clone())
            }
            Err(dropped) => {
                let level = match rewrite.otherwise {
                    RewriteFallback::Pass => Level::Note,
                    RewriteFallback::Ask => Level::Ask,
                    RewriteFallback::Deny => Level::Deny,
                };
                let message =
                    say!("{} can't be rewritten here: {}{}", Quoted::new(old), dropped.why, because);
                let instead = dropped.instead.as_ref();
                let fix = instead.map(|new| say!("run {} on its own", Quoted::new(new)));
                Finding { fix, ..finding(&rewrite.code, level, message, one.range.clone()) }
            }
        }
    }

    /// Drops what can't be done together with the rest: nested replacements, and everything if the whole would not be the
    /// same sentence.
    fn fit(&mut self, text: &Text, effects: &Effects, places: &Places, host: &dyn Host) {
        self.candidates.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
        let mut end = 0;
        for one in self.candidates.iter_mut().filter(|one| !one.rewrite.shadow) {
            if one.range.start < end {
                one.drop_it("it is part of another rewritten command");
            } else if one.new.is_ok() {
                end = one.range.end;
            }
        }
        let replaced = self.replaced();
        if replaced.is_empty() {
            return;
        }
        let (new, ranges) = splice(text.text, &replaced);
        let old: Vec<Range<usize>> = replaced.into_iter().map(|(range, _)| range).collect();
        let after = hookgate_effects::of_command(&new, places, host);
        // A function or an alias of the text may have taken the new program's name.
        let is_there = |range: &Range<usize>| after.calls.iter().any(|call| bytes(call.span) == *range);
        if !same_structure(text, &old, &new, &ranges)
            || outside(effects, &old) != outside(&after, &ranges)
            || !ranges.iter().all(is_there)
        {
            self.drop_all("the new text would parse differently");
        }
    }
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

fn finding(code: &str, level: Level, message: Message, range: Range<usize>) -> Finding {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span { start: offset(range.start), end: offset(range.end) };
    Finding { level, span, ..Finding::new(code, Source::Rewrite, message) }
}

/// Is there something in the span, and all of it in the range?
fn holds(range: &Range<usize>, span: Span) -> bool {
    let inner = bytes(span);
    !inner.is_empty() && range.start <= inner.start && inner.end <= range.end
}

/// A span as bytes of the text.
pub(crate) fn bytes(span: Span) -> Range<usize> {
    let at = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
    at(span.start)..at(span.end)
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
        if !carries(carrier) {
            return refused("another program runs it, possibly elsewhere or with more arguments");
        }
    }
    let Some(written) = written.filter(|written| written.is(call)) else {
        return refused("it doesn't appear literally in the text");
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
        return Some(Err(Dropped { why: "it runs several times with different arguments", instead }));
    }
    let read_by_others =
        call.output != Output::Agent || same().any(|(_, other)| other.output != Output::Agent);
    if read_by_others && !rewrite.anywhere {
        return Some(Err(Dropped { why: "the agent doesn't read its output directly", instead }));
    }
    if text.has_problems {
        return Some(Err(Dropped { why: "the text can't be parsed completely", instead }));
    }
    if !text.has_word(written) && marks(&new) != marks(text.text.get(own).unwrap_or_default()) {
        return Some(Err(Dropped { why: "it is inside quotes", instead }));
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
        answers: vec![asked.code.to_owned()],
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
    if chain(call, effects).skip(1).any(|carrier| !carries(carrier)) {
        return refused("another program runs it, possibly elsewhere or with more arguments");
    }
    let Some(written) = text.command(&range).filter(|written| written.is(call)) else {
        return refused("it doesn't appear literally in the text");
    };
    if all.iter().any(|other| other.span == asked.span && other.command != asked.command) {
        return refused("it runs several times with different arguments");
    }
    if effects.calls.iter().any(|other| other.span == asked.span && other.output != Output::Agent) {
        return refused("the agent doesn't read its output directly");
    }
    if text.has_problems {
        return refused("the text can't be parsed completely");
    }
    if !text.has_word(&written) && asked.command.contains(['\'', '"', '\\', '`', '$', '\n']) {
        return refused("it is inside quotes");
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
