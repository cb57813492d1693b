//! From an event to a verdict.

use hookgate_agents::{Decision, Event, EventName, Extras, Map, PermissionMode, Verdict};
use hookgate_effects::{Effects, Places};
use hookgate_policy::{Level, Mode, Policy, Unattended};
use hookgate_rules::own::{Hit as OwnHit, Question};
use hookgate_rules::{Facts, Hit, Rule};

use crate::{Finding, Host, Source, Standing, join, text};

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
}

/// Judges an event.
#[must_use]
pub fn decide(event: &Event, policy: &Policy, places: &Places, host: &dyn Host) -> Judgement {
    let id = host.decision_id();
    if policy.mode == Mode::Off {
        return Judgement {
            id,
            before: Decision::Pass,
            findings: Vec::new(),
            effects: Effects::default(),
            verdict: Verdict::default(),
        };
    }
    let effects = match event.tool() {
        Some(_) if judges_effects(&event.name) => hookgate_effects::of_event(event, places, host),
        _ => Effects::default(),
    };
    let attended = attended(event, host);
    let facts = Facts { event, effects: &effects, places };
    let mut collected = Collected::default();
    if matches!(event.name, EventName::PreToolUse | EventName::PermissionRequest) {
        built_in(&facts, policy, &mut collected);
    }
    own(&facts, policy, host, attended, &mut collected);
    except(&facts, policy, host, attended, &mut collected.findings);
    let Collected { mut findings, extras, rewrite } = collected;
    if policy.mode == Mode::Shadow {
        for finding in &mut findings {
            // Law 10: the gate guards itself in shadow mode too.
            finding.shadow |= !finding.code.starts_with("GATE");
        }
    }
    // Strictest first, so that what is cut from a long text is the least of it.
    findings.sort_by(|a, b| b.level.cmp(&a.level).then_with(|| a.code.cmp(&b.code)));

    let before = join(&findings).decide(&effects);
    let decision = release_stop(event, degrade(before, attended, policy.unattended));
    let mut verdict = compose(&id, decision, before, &findings);
    verdict.extras = extras;
    if decision < Decision::Deny && decision != Decision::Handoff {
        verdict.rewrite = rewrite;
    }
    Judgement { id, before, findings, effects, verdict }
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

#[derive(Default)]
struct Collected {
    findings: Vec<Finding>,
    extras: Extras,
    rewrite: Option<Map>,
}

fn built_in(facts: &Facts<'_>, policy: &Policy, collected: &mut Collected) {
    hookgate_rules::check(
        facts,
        &mut |rule| policy.level(rule.code) != Level::Off,
        &mut |rule, hit| {
            collected.findings.push(Finding {
                code: rule.code.to_owned(),
                level: policy.level(rule.code),
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
        },
    );
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

fn compose(id: &str, decision: Decision, before: Decision, findings: &[Finding]) -> Verdict {
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
            verdict.context.insert(0, text::nature(&deciding));
            verdict.notices.insert(0, text::notice("stopped", id, &deciding));
        }
        Decision::Ask => {
            verdict.reasons = text::reasons(&deciding);
            verdict.reasons.push(text::way_out(id, &deciding));
        }
        Decision::Allow => verdict.reasons = text::grants(&deciding),
        Decision::Pass if before >= Decision::Ask => {
            verdict.notices.insert(0, text::notice("would have stopped", id, &deciding));
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
