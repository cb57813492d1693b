//! From an event to a verdict.

use hookgate_agents::{Body, Decision, Event, EventClass, EventName, Extras, Map, PermissionMode, Verdict};
use hookgate_effects::{Effects, Kind, Places};
use hookgate_policy::{Date, Level, Mode, OwnRule, Policy, RewriteDecision, Unattended};
use hookgate_rules::own::{Question, Session};
use hookgate_rules::{Facts, PackageFacts, Replacement};

use crate::native::Native;
use crate::{
    Finding, Host, Notification, Source, Standing, consequence, hooks, join, missing, notify, overrides,
    questions, rewrite, text,
};

/// Everything that was found out about one event.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The decision's name.
    pub id: String,
    /// The decision before shadow mode and unattended sessions had their say.
    pub before: Decision,
    /// Everything that hit, shadowed and excepted findings included.
    pub findings: Vec<Finding>,
    /// What the tool call does.
    pub effects: Effects,
    /// What is answered.
    pub verdict: Verdict,
    /// The command that would have been put in the call's place if the gate were not silent.
    pub planned: Option<String>,
    /// What is sent beside the answer.
    pub notifications: Vec<Notification>,
    /// Supervised hooks that failed, by their code, and how.
    pub hook_failures: Vec<(String, String)>,
}

/// Judges an event.
#[must_use]
pub fn decide(event: &Event, policy: &Policy, places: &Places, host: &dyn Host) -> Judgement {
    let id = host.decision_id();
    let pause = host.paused();
    let quiet = pause.is_some() || policy.mode != Mode::Enforce;
    let attended = attended(event, host);
    let native = Native::new(host, places);
    let at = At { policy, places, host, native: &native, attended };
    let mut collected = collect(event, &at);
    let mut rewritten = None;
    // Where nothing may be changed, it is the original that runs, so it is the original that is judged.
    let mut planned = None;
    if collected.wanted.is_none()
        && !(policy.rewrites.is_empty() && collected.replacements.is_empty())
        && matches!(event.name, EventName::PreToolUse | EventName::PermissionRequest)
        && policy.mode != Mode::Off
    {
        if quiet {
            planned = rewrite_in_shadow(event, &at, &mut collected);
        } else {
            rewritten = rewrite(event, &at, &mut collected);
        }
    }
    let again = |collected: &mut Collected| {
        let input = collected.wanted.take().filter(|_| !quiet)?;
        Some(judge_again(event, input, &at, collected))
    };
    rewritten = again(&mut collected).flatten().or(rewritten);
    let halt = host.halted();
    if halt.is_none() && policy.mode != Mode::Off && !policy.hooks.is_empty() {
        supervise(event, &at, &mut collected);
        rewritten = again(&mut collected).flatten().or(rewritten);
    }
    if quiet {
        collected.silence();
    }
    collected.findings.extend(halt.as_ref().map(overrides::halt));
    overrides::grant(event, host, &mut collected.findings);
    questions::accept(event, policy, host, &collected.effects, &mut collected.findings);
    questions::settle(event, policy, host, attended);
    let Collected {
        mut findings,
        extras,
        rewrite,
        effects,
        notices,
        breaks_native,
        handed_off,
        failures,
        ..
    } = collected;
    consequence::add(&mut findings, &effects, places, host);
    // Strictest first, so that what is cut from a long text is the least of it.
    findings.sort_by(|a, b| b.level.cmp(&a.level).then_with(|| a.code.cmp(&b.code)));

    let mut standing = join(&findings);
    if breaks_native {
        standing = standing.join(Standing::withheld());
    }
    if handed_off {
        standing = standing.join(Standing::handoff());
    }
    let alone = standing.decide(&effects);
    if is_call(event) && (matches!(alone, Decision::Ask | Decision::Allow) || rewrite.is_some()) {
        standing = standing.join(native.standing(event, rewrite.as_ref()));
    }
    let before = standing.decide(&effects);
    let decision = release_stop(event, degrade(before, attended, policy.unattended));
    let mut verdict = compose(event, &id, decision, before, &findings);
    verdict.extras = extras;
    verdict.notices.extend(notices);
    verdict.notices.extend(native.notices(&event.session_id));
    verdict.notices.extend(pause.map(|pause| text::paused(pause, host.now())));
    if decision < Decision::Deny && decision != Decision::Handoff {
        verdict.rewrite = rewrite;
    } else if let Some(command) = rewritten {
        verdict.context.push(text::judged_as(&command));
    }
    questions::note(event, policy, host, &effects, &findings, decision, attended);
    let notifications = if policy.notify.is_empty() || policy.mode == Mode::Off {
        Vec::new()
    } else {
        let facts = Facts { event, effects: &effects, places, native: &[], packages: None };
        let question = Question::new(facts, &at);
        notify::plan(event, &question, &policy.notify, &mut verdict, &findings)
    };
    Judgement { id, before, findings, effects, verdict, notifications, hook_failures: failures, planned }
}

/// What the rules say about an event.
fn collect(event: &Event, at: &At<'_>) -> Collected {
    let &At { policy, places, host, native, .. } = at;
    let effects = match event.tool() {
        Some(_) if judges_effects(&event.name) => hookgate_effects::of_event(event, places, host),
        _ => Effects::default(),
    };
    // A rule of the agent's that the call breaks takes away every grant, so that it is looked for where one may be given.
    let missed = if is_call(event) && (judges_native(policy) || grants(policy)) {
        native.missed(event, &effects)
    } else {
        Vec::new()
    };
    let packages =
        (!policy.packages.is_empty()).then_some(PackageFacts { policy: &policy.packages, world: host });
    let facts = Facts { event, effects: &effects, places, native: &missed, packages };
    let mut collected = Collected { breaks_native: !missed.is_empty(), ..Collected::default() };
    if is_call(event) {
        built_in(&facts, policy, &mut collected);
    }
    let question = Question::new(facts, at);
    if policy.mode != Mode::Off {
        own(&question, policy, &mut collected);
        except(&question, policy, &mut collected.findings);
    }
    collected.effects = effects;
    collected
}

/// Law 8: what the policy's rewrites make of the event is judged as if the agent had called it so. What they hide
/// nothing of takes the old command's place; otherwise what was said about the old one stands beside it. Returns the new
/// command.
fn rewrite(event: &Event, at: &At<'_>, collected: &mut Collected) -> Option<String> {
    let &At { policy, places, host, native, .. } = at;
    let plan = rewrite::plan(event, &collected.effects, policy, places, host, &collected.replacements, false);
    let mut command = None;
    if plan.input.is_some() && native.stops(event) {
        // The agent's own rules meet the command that they were written for, and ours judge that one.
        let denials = plan.findings.into_iter().filter(|finding| finding.level >= Level::Deny);
        collected.findings.extend(denials);
        collected.notices = plan.notices;
        collected.handed_off = true;
        return None;
    }
    if let Some(input) = plan.input {
        let new = with_input(event, &input);
        command = new.tool().and_then(|call| call.text("command")).map(str::to_owned);
        let before = std::mem::replace(collected, collect(&new, at));
        collected.breaks_native |= before.breaks_native;
        let keeps = plan.applied.iter().any(|one| one.then == RewriteDecision::Inherit)
            || unknowns(&collected.effects) > unknowns(&before.effects);
        if keeps {
            let known: Vec<String> = collected.findings.iter().map(|finding| finding.code.clone()).collect();
            let stands = before.findings.into_iter().filter(|finding| finding.level != Level::Allow);
            // What asked for the rewrite has got it; the new text is judged by it as well.
            let asked = |code: &str| plan.applied.iter().any(|one| one.code == code);
            collected
                .findings
                .extend(stands.filter(|finding| !known.contains(&finding.code) && !asked(&finding.code)));
        }
        let inherits = |one: &rewrite::Applied| one.then == RewriteDecision::Inherit;
        let inherited = plan.applied.iter().any(inherits) && native.allows(event);
        let whole = inherited && plan.applied.iter().all(inherits);
        for one in &plan.applied {
            let grant = match one.then {
                RewriteDecision::Allow => Some(one.grant(&collected.effects)),
                RewriteDecision::Inherit if inherited => Some(one.inherit(&collected.effects, whole)),
                _ => None,
            };
            collected.findings.extend(grant);
        }
        collected.rewrite = Some(input);
    }
    collected.findings.extend(plan.findings);
    collected.notices = plan.notices;
    command
}

/// What the policy's rewrites would make of the event, for the record. Returns the new command.
fn rewrite_in_shadow(event: &Event, at: &At<'_>, collected: &mut Collected) -> Option<String> {
    let &At { policy, places, host, native, .. } = at;
    let plan = rewrite::plan(event, &collected.effects, policy, places, host, &collected.replacements, true);
    collected.findings.extend(plan.findings);
    let input = plan.input.filter(|_| !native.stops(event))?;
    input.get("command")?.as_str().map(str::to_owned)
}

/// The event with another input of its tool.
fn with_input(event: &Event, input: &Map) -> Event {
    let mut new = event.clone();
    if let Body::Tool(call) | Body::PermissionRequest { call, .. } = &mut new.body {
        call.input.clone_from(input);
    }
    new
}

/// Law 8 for a whole new input, of a rule's `updated-input` or of a hook: it is judged as if the agent had sent it, beside
/// what was said about the old one. A rule that allows its own new input allows all that it does. Returns the new command.
fn judge_again(event: &Event, input: Map, at: &At<'_>, collected: &mut Collected) -> Option<String> {
    if !is_call(event) {
        collected.rewrite = Some(input);
        return None;
    }
    let new = with_input(event, &input);
    let mut before = std::mem::replace(collected, collect(&new, at));
    collected.breaks_native |= before.breaks_native;
    collected.extras.fill_from(&before.extras);
    let all: Vec<usize> = (0..collected.effects.effects.len()).collect();
    let granted = before.findings.iter().find(|finding| {
        finding.applies()
            && finding.level == Level::Allow
            && before.allows_wanted.as_ref() == Some(&finding.code)
    });
    let granted = granted.map(|finding| Finding { effects: all, ..finding.clone() });
    for mut finding in before.findings.drain(..).filter(|finding| finding.level > Level::Allow) {
        // The effects that it was about are no longer there.
        finding.effects.clear();
        let is_known = |known: &Finding| known.code == finding.code && known.message == finding.message;
        if !collected.findings.iter().any(is_known) {
            collected.findings.push(finding);
        }
    }
    collected.findings.extend(granted);
    collected.notices.append(&mut before.notices);
    collected.failures.append(&mut before.failures);
    // The first new input counts: what the rules would make of that one would have to be judged in its turn.
    collected.wanted = None;
    let command = new.tool().and_then(|call| call.text("command")).map(str::to_owned);
    collected.rewrite = Some(input);
    command
}

/// Runs the policy's hooks and adds what they say. A new input that one wants is judged as if the agent had sent it, beside
/// what was said about the old one.
fn supervise(event: &Event, at: &At<'_>, collected: &mut Collected) {
    let &At { policy, places, host, .. } = at;
    let facts = Facts { event, effects: &collected.effects, places, native: &[], packages: None };
    let question = Question::new(facts, at);
    let mut hooks: Vec<_> =
        policy.hooks.iter().filter(|hook| question.applies(hook.on, &hook.when)).collect();
    drop(question);
    hooks.retain(|hook| {
        let problem = missing(&hook.requires, &hook.code, "is not run", host);
        let key = format!("requires-{}", hook.code);
        collected.notices.extend(problem.clone().filter(|_| host.first_time(&event.session_id, &key)));
        problem.is_none()
    });
    if hooks.is_empty() {
        return;
    }
    let said = hooks::run(&hooks, event, host);
    if collected.rewrite.is_none()
        && let (Some(input), Body::Tool(_)) = (said.rewrite(), &event.body)
    {
        judge_again(event, input.clone(), at, collected);
    }
    let all: Vec<usize> = (0..collected.effects.effects.len()).collect();
    collected.findings.extend(said.findings.into_iter().map(|finding| match finding.level {
        Level::Allow => Finding { effects: all.clone(), ..finding },
        _ => finding,
    }));
    collected.notices.extend(said.notices);
    collected.failures.extend(said.failures);
    for reply in &said.replies {
        collected.extras.fill_from(&reply.extras);
    }
}

/// How much of it can't be decided.
fn unknowns(effects: &Effects) -> usize {
    effects.effects.iter().filter(|effect| matches!(effect.kind, Kind::Unknown(_))).count()
}

/// Is it a tool call that can still be stopped?
fn is_call(event: &Event) -> bool {
    matches!(event.name, EventName::PreToolUse | EventName::PermissionRequest) && event.tool().is_some()
}

/// Is one of the rules about the agent's own rules in force?
fn judges_native(policy: &Policy) -> bool {
    ["PERM001", "PERM002"].into_iter().any(|code| policy.level(code) != Level::Off)
}

/// Could the policy allow anything?
fn grants(policy: &Policy) -> bool {
    policy.rules.iter().any(|rule| rule.then == Level::Allow)
        || !policy.rewrites.is_empty()
        || !policy.hooks.is_empty()
        || hookgate_rules::lookup::all().iter().any(|rule| policy.level(rule.code) == Level::Allow)
}

/// The events on which the effects of the call matter to rules.
fn judges_effects(name: &EventName) -> bool {
    matches!(
        name,
        EventName::PreToolUse
            | EventName::PermissionRequest
            | EventName::PermissionDenied
            | EventName::PostToolUse
            | EventName::PostToolUseFailure
    )
}

/// Is a person there to answer a question?
#[must_use]
pub fn attended(event: &Event, host: &dyn Host) -> bool {
    if event.permission_mode == Some(PermissionMode::DontAsk) {
        return false;
    }
    host.variable("CLAUDE_CODE_SESSION_ATTENDED").is_none_or(|mark| mark != "0")
}

/// What an event is judged by and where, whatever its input becomes.
struct At<'a> {
    policy: &'a Policy,
    places: &'a Places,
    host: &'a dyn Host,
    native: &'a Native<'a>,
    /// Somebody is there to answer a question.
    attended: bool,
}

impl Session for At<'_> {
    fn branch(&self) -> Option<String> {
        self.host.branch(&self.places.cwd)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.host.variable(name)
    }

    fn today(&self) -> Date {
        Date::from_unix_seconds(self.host.now() / 1000)
    }

    fn attended(&self) -> bool {
        self.attended
    }
}

/// What the rules say, before it is joined.
#[derive(Default)]
struct Collected {
    findings: Vec<Finding>,
    extras: Extras,
    rewrite: Option<Map>,
    /// The new input that an own rule wants, which nobody has judged yet.
    wanted: Option<Map>,
    /// The rule that wants it, if it allows it.
    allows_wanted: Option<String>,
    /// Commands that built-in rules want to run in place of others.
    replacements: Vec<Replacement>,
    effects: Effects,
    notices: Vec<String>,
    /// Supervised hooks that failed.
    failures: Vec<(String, String)>,
    /// A permission rule of the agent's is broken which the agent would not apply.
    breaks_native: bool,
    /// The agent stops the call by itself, so it is not rewritten.
    handed_off: bool,
}

impl Collected {
    /// Leaves only what the gate says to guard itself (law 10); the rest is recorded.
    fn silence(&mut self) {
        for finding in &mut self.findings {
            finding.shadow |= !finding.guards_gate();
        }
        self.extras = Extras::default();
        self.rewrite = None;
        self.wanted = None;
    }
}

/// The level of a built-in rule. What is undecidable has its level from `unknown`, package managers from `packages`;
/// and from `[rules]` if that is stricter.
fn level(policy: &Policy, code: &str) -> Level {
    let level = match code {
        "UNK001" => policy.unknown.program,
        "UNK002" => policy.unknown.target,
        "UNK003" => policy.unknown.command,
        "UNK004" => policy.unknown.unparsed,
        "PKG001" => policy.packages.strictest().0,
        "PKG002" => policy.packages.strictest().1,
        _ if policy.mode == Mode::Off && !code.starts_with("GATE") => return Level::Off,
        _ => return policy.level(code),
    };
    if policy.mode == Mode::Off {
        return Level::Off;
    }
    level.stricter(policy.level(code))
}

fn built_in(facts: &Facts<'_>, policy: &Policy, collected: &mut Collected) {
    hookgate_rules::check(facts, &mut |rule| level(policy, rule.code) != Level::Off, &mut |rule, hit| {
        collected.replacements.extend(hit.replacement);
        collected.findings.push(Finding {
            code: rule.code.to_owned(),
            level: match hit.level {
                Some(own) => own.stricter(policy.level(rule.code)),
                None => level(policy, rule.code),
            },
            message: hit.message,
            fix: hit.fix,
            remedy: hit.remedy,
            span: hit.span,
            effects: hit.effects,
            source: Source::BuiltIn,
            shadow: false,
            exception: None,
            context: None,
            notice: None,
        });
    });
}

fn own(question: &Question<'_>, policy: &Policy, collected: &mut Collected) {
    for found in question.check(&policy.rules) {
        let (rule, hit) = (found.rule, found.hit);
        if !rule.shadow {
            take_extras(rule, collected);
        }
        collected.findings.push(Finding {
            code: rule.code.clone(),
            level: rule.then,
            message: hit.message,
            fix: hit.fix,
            remedy: hit.remedy,
            span: hit.span,
            effects: hit.effects,
            source: Source::Own,
            shadow: rule.shadow,
            exception: None,
            context: rule.context.clone(),
            notice: rule.tell_user.clone(),
        });
    }
}

/// Fields of the answer that rules set: the first rule that sets one wins, in the order of the policy, which is the
/// order of authority.
fn take_extras(rule: &OwnRule, collected: &mut Collected) {
    if let Some(set) = &rule.set {
        collected.extras.fill_from(set);
    }
    if collected.wanted.is_none() && rule.updated_input.is_some() {
        collected.wanted.clone_from(&rule.updated_input);
        collected.allows_wanted = (rule.then == Level::Allow).then(|| rule.code.clone());
    }
}

/// Accepted exceptions: the finding is told and decides nothing. The gate's protection of itself has none.
fn except(question: &Question<'_>, policy: &Policy, findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|f| f.level >= Level::Warn && !f.guards_gate()) {
        let accepted = policy.exceptions.iter().find(|exception| {
            exception.code == finding.code
                && exception.until.is_none_or(|until| question.today() <= until)
                && question.covers(&exception.when, &finding.effects)
        });
        finding.exception = accepted.map(|exception| exception.reason.clone());
    }
}

/// What an ask becomes where nobody can answer: a denial that says so, or the agent's own rules.
fn degrade(decision: Decision, attended: bool, unattended: Unattended) -> Decision {
    match (decision, unattended) {
        (Decision::Ask, Unattended::Deny) if !attended => Decision::Deny,
        (Decision::Ask, Unattended::Handoff) if !attended => Decision::Handoff,
        (decision, _) => decision,
    }
}

/// A stop is held back once: the agent marks the second one, and holding that back again is a loop.
fn release_stop(event: &Event, decision: Decision) -> Decision {
    let stop = matches!(event.name, EventName::Stop | EventName::SubagentStop);
    if stop && event.stop_hook_active() && decision == Decision::Deny { Decision::Pass } else { decision }
}

fn compose(event: &Event, id: &str, decision: Decision, before: Decision, findings: &[Finding]) -> Verdict {
    let mut verdict = Verdict { decision, ..Verdict::default() };
    for finding in findings.iter().filter(|finding| !finding.shadow) {
        if let Some(reason) = &finding.exception {
            verdict.context.push(text::exception(finding, reason));
            continue;
        }
        if finding.level == Level::Warn {
            verdict.context.push(text::warning(finding));
        }
        verdict.context.extend(finding.context.clone());
        verdict.notices.extend(finding.notice.clone());
    }
    let deciding: Vec<&Finding> =
        findings.iter().filter(|finding| finding.applies() && decides(finding.level, before)).collect();
    match decision {
        Decision::Deny | Decision::Halt => {
            verdict.reasons = text::reasons(&deciding);
            if before == Decision::Ask {
                verdict.reasons.push(text::nobody_to_ask());
            }
            verdict.reasons.push(text::way_out(id, &deciding));
            if event.name.class() == EventClass::ToolCall {
                verdict.context.insert(0, text::nature(&deciding));
            }
            verdict.notices.insert(0, text::notice("stopped this", id, &deciding));
        }
        Decision::Ask => {
            verdict.reasons = text::reasons(&deciding);
            verdict.reasons.push(text::way_out(id, &deciding));
        }
        Decision::Allow => verdict.reasons = text::grants(&deciding),
        Decision::Pass if before >= Decision::Ask => {
            verdict.notices.insert(0, text::notice("held this back once and now lets it go", id, &deciding));
        }
        Decision::Pass | Decision::Handoff => {}
    }
    verdict
}

/// Does a finding of this level speak for that decision? Everything that asks or denies is told beside a denial, so
/// that the agent can mend all of it at once.
fn decides(level: Level, decision: Decision) -> bool {
    match decision {
        Decision::Deny | Decision::Halt | Decision::Ask => level >= Level::Ask,
        Decision::Allow => level == Level::Allow,
        Decision::Pass | Decision::Handoff => false,
    }
}
