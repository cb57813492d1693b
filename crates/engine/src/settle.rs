//! The merge: what all sources say about the old input and the new one becomes one decision and its answer.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use hookgate_agents::{Decision, Event, EventClass, EventName, Extras, Verdict};
use hookgate_clients::Settings;
use hookgate_effects::Effects;
use hookgate_policy::{Level, Mode, Unattended};
use hookgate_prover::Refusal;
use hookgate_rules::Facts;
use hookgate_rules::own::Question;

use crate::change::{Change, Changed, Outcome};
use crate::input::{At, is_call};
use crate::judge::Judged;
use crate::pass::Pass;
use crate::{
    Cause, Excuse, Finding, Note, Source, Standing, cause, claims, consequence, join, notify, overrides,
    prompts, proof, questions, secrets, text,
};

/// Joins both passes and words the answer.
pub(crate) fn settle<'a>(
    at: &At<'a>,
    mut first: Pass<'a>,
    mut second: Option<Changed<'a>>,
    outcome: Outcome,
) -> Judged {
    let question = questions::name(at, &first, second.as_ref().map(|new| &new.pass));
    excuse(&mut first, at, question.as_deref());
    if let Some(second) = &mut second {
        excuse(&mut second.pass, at, question.as_deref());
    }
    let mut merged = merge(at, first, second);
    let before = merged.standing.decide(&merged.effects);
    let degraded = degrade(before, at, merged.change.is_some());
    let decision = release_stop(at.event, degraded, &merged.findings);
    let (would, mut causes) =
        cause::by_the_rules(at, &merged.findings, &merged.standing, &merged.effects, before);
    causes.extend(merged.refusal.as_ref().map(|_| Cause::NotProven));
    let (mut verdict, closing) = compose(at, decision, before, &merged.findings);
    verdict.notices.extend(at.heard.notices.iter().cloned());
    if let Some(pause) = at.host.paused() {
        verdict.notices.push(text::paused(pause, at.host.now()));
    }
    verdict.extras = std::mem::take(&mut merged.extras);
    let runs = decision < Decision::Deny && decision != Decision::Handoff;
    match &merged.change {
        Some(change) if runs => verdict.rewrite = Some(change.input.clone()),
        Some(change) => verdict.context.extend(change.command().map(text::judged_as)),
        None => verdict.rewrite = outcome.unjudged.filter(|_| runs),
    }
    let mut verdict = verdict.carriable(at.event).into_owned();
    secrets::conceal(at.event, &merged.effects, &merged.findings, &mut verdict);
    causes.extend(cause::by_the_session(at.event, before, degraded, decision, verdict.decision));
    let mut notes = outcome.notes;
    notes.extend(closing);
    notes.extend(at.native.notes());
    notes.extend(questions::asked(at, question, &merged.findings, decision, verdict.rewrite.as_ref()));
    notes.extend(questions::ran(at));
    notes.extend(prompts::held_back(at, &merged.findings));
    let notifications = notifications(at, &merged, &mut verdict);
    Judged {
        id: at.id.to_owned(),
        would,
        before,
        causes,
        attended: at.attended,
        findings: merged.findings,
        spared: merged.spared,
        effects: merged.effects,
        verdict,
        planned: outcome.planned,
        notifications,
        refusal: merged.refusal,
        hook_failures: at.heard.failures.clone(),
        rungs: at.heard.rungs.clone(),
        times: at.heard.times.clone(),
        notes,
    }
}

/// Everything that was said, in one.
struct Merged {
    findings: Vec<Finding>,
    /// What git was found to keep.
    spared: Vec<Finding>,
    /// What the call does as it will run.
    effects: Effects,
    standing: Standing,
    extras: Extras,
    /// The agent's own rules as far as they could be about what will run.
    native: OnceCell<Settings>,
    change: Option<Change>,
    /// What the prover didn't know, where rules would have granted the call.
    refusal: Option<Refusal>,
}

/// Takes out of the decision what the gate's mode, an exception, a person's grant or an earlier yes excuses. The gate's
/// protection of itself has no excuse. What still stands is told with what it amounts to.
fn excuse(pass: &mut Pass<'_>, at: &At<'_>, question: Option<&str>) {
    let effects = &pass.effects;
    if !at.policy.exceptions.is_empty() && at.policy.mode != Mode::Off {
        let facts = Facts::of(at.event, effects, at.places);
        except(&Question::new(facts, at), at, &mut pass.findings);
    }
    if at.silent {
        for finding in &mut pass.findings {
            finding.shadow |= !finding.guards_gate();
        }
        pass.extras = Extras::default();
    }
    pass.spared = consequence::spare(&mut pass.findings, &pass.effects, at.places, at.host);
    overrides::grant(at, &mut pass.findings);
    questions::accept(at, question, &mut pass.findings);
    prompts::accept(at, &mut pass.findings);
    if claims::accept(at, &mut pass.findings) {
        // What the agent excuses itself runs only if the person's own rules let it.
        pass.standing = std::mem::take(&mut pass.standing).join(Standing::withheld());
    }
    consequence::add(&mut pass.findings, &pass.effects, at.places, at.host);
}

/// Accepted exceptions: the finding is told and decides nothing.
fn except(question: &Question<'_>, at: &At<'_>, findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| is_excusable(finding)) {
        let accepted = at.policy.exceptions.iter().find(|exception| {
            exception.code == finding.code
                && exception.until.is_none_or(|until| question.today() <= until)
                && question.covers(&exception.when, &finding.effects)
        });
        finding.exception = accepted.map(|exception| exception.reason.clone());
        finding.excuse = accepted.map(|_| Excuse::Exception);
    }
}

fn is_excusable(finding: &Finding) -> bool {
    (finding.level == Level::Warn || finding.level.stops()) && !finding.guards_gate()
}

/// The one merge (laws 4 and 8). What was said of the old input stands beside what is said of the new one, but for grants,
/// which were for what no longer runs, and for what the new input is the answer to.
fn merge<'a>(at: &At<'_>, first: Pass<'a>, second: Option<Changed<'a>>) -> Merged {
    let halt = at.host.halted().map(|halt| overrides::halt(&halt));
    let mut merged = match second {
        None => alone(at, first),
        Some(new) => joined(at, first, new),
    };
    merged.findings.extend(halt);
    // Strictest first, so that what is cut from a long text is the least of it.
    merged
        .findings
        .sort_by(|a, b| b.level.strictness().cmp(&a.level.strictness()).then_with(|| a.code.cmp(&b.code)));
    merged.standing = merged.standing.join(join(&merged.findings));
    if is_call(at.event) && merged.standing.decide(&merged.effects) == Decision::Allow {
        prove(at, &mut merged);
        merged.standing = merged.standing.clone().join(second_key(at, &merged));
    }
    merged
}

/// The second key of a grant: without a proof it is withheld.
fn prove(at: &At<'_>, merged: &mut Merged) {
    let event = merged.change.as_ref().map_or(at.event, |change| &change.event);
    if let Err(refusal) = proof::prove(at, event, &merged.effects, &merged.findings) {
        merged.standing = std::mem::take(&mut merged.standing).join(Standing::withheld());
        merged.refusal = Some(refusal);
    }
}

/// What has a say only where a grant of ours is about to be given: the agent's own rules, which it would go past.
fn second_key(at: &At<'_>, merged: &Merged) -> Standing {
    let event = merged.change.as_ref().map_or(at.event, |change| &change.event);
    if !at.native.stops(event, &merged.effects, &merged.native) {
        return Standing::default();
    }
    // A rewrite stays where the agent stops only what it makes of the call, so that it is stopped.
    if merged.change.is_some() { Standing::withheld() } else { Standing::handoff() }
}

fn alone(at: &At<'_>, first: Pass<'_>) -> Merged {
    let mut findings = first.findings;
    findings.extend(
        at.heard.grants(&first.effects).into_iter().map(|grant| Finding { shadow: at.silent, ..grant }),
    );
    Merged {
        findings,
        spared: first.spared,
        effects: first.effects,
        standing: first.standing,
        extras: first.extras,
        native: first.native,
        change: None,
        refusal: None,
    }
}

fn joined(at: &At<'_>, first: Pass<'_>, new: Changed<'_>) -> Merged {
    let Changed { change, pass } = new;
    let stands: Vec<Finding> = first
        .findings
        .iter()
        .filter(|old| old.level != Level::Allow && !change.answers(old, &first))
        .filter(|old| !pass.findings.iter().any(|new| says_as_much(new, old)))
        // The effects that it was about are no longer there.
        .map(|old| Finding { effects: Vec::new(), ..old.clone() })
        .collect();
    let mut findings = stands;
    findings.extend(change.grants(&pass, at.heard));
    findings.extend(pass.findings);
    let mut extras = pass.extras;
    extras.fill_from(&first.extras);
    Merged {
        findings,
        spared: pass.spared,
        effects: pass.effects,
        standing: first.standing.join(pass.standing),
        extras,
        native: pass.native,
        change: Some(change),
        refusal: None,
    }
}

/// Does a finding about the new input stand for the same one about the old input?
fn says_as_much(new: &Finding, old: &Finding) -> bool {
    new.code == old.code
        && new.source == old.source
        && (new.applies() || !old.applies())
        && new.level.strictness() >= old.level.strictness()
        && (new.level.stops() || new.message == old.message)
}

/// What an ask becomes where nobody can answer: a denial that says so, or the agent's own rules. Where the call was to run
/// with another input, those would let the old one run, so it is refused.
fn degrade(decision: Decision, at: &At<'_>, is_changed: bool) -> Decision {
    match (decision, at.policy.unattended) {
        (Decision::Ask, Unattended::Handoff) if !at.attended && !is_changed => Decision::Handoff,
        (Decision::Ask, _) if !at.attended => Decision::Deny,
        (decision, _) => decision,
    }
}

/// A stop is held back once: the agent marks the second one, and holding that back again is a loop. What counts its own
/// times, as gates and judges do, is let through to be held back again.
fn release_stop(event: &Event, decision: Decision, findings: &[Finding]) -> Decision {
    let stop = matches!(event.name, EventName::Stop | EventName::SubagentStop);
    let is_counted = |finding: &Finding| {
        finding.applies() && finding.level.refuses() && finding.source == Source::Check && finding.bounded
    };
    if stop && event.stop_hook_active() && decision == Decision::Deny && !findings.iter().any(is_counted) {
        Decision::Pass
    } else {
        decision
    }
}

/// The words of the answer, and the line in them that is shorter the next time.
fn compose(
    at: &At<'_>,
    decision: Decision,
    before: Decision,
    findings: &[Finding],
) -> (Verdict, Option<Note>) {
    let mut verdict = Verdict { decision, ..Verdict::default() };
    let mut closing = None;
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
    let deciding = text::distinct(deciding);
    match decision {
        Decision::Deny | Decision::Halt => {
            verdict.reasons = text::reasons(&deciding);
            // Where the event can't carry it, the reasons are what the person sees.
            let is_told = at.event.capabilities().carry(decision) != Decision::Pass;
            let is_for_the_model = is_for_the_model(at.event);
            if is_told && is_for_the_model {
                let asked = before == Decision::Ask;
                let line = if asked { text::nobody_to_ask() } else { text::closing(at.id, &deciding) };
                verdict.reasons.push(line.clone());
                closing = Some(Note::Closing {
                    key: denied(&deciding),
                    line,
                    again: text::closing_again(&deciding, asked),
                });
            } else if is_told {
                verdict.reasons.push(text::where_to_look(at.id));
            }
            if is_told && is_for_the_model {
                let has_run = at.event.outcome.is_some();
                let verb = match decision {
                    Decision::Halt => "halted",
                    _ if has_run && deciding.iter().all(|finding| finding.source == Source::Check) => {
                        "reported"
                    }
                    _ => "denied",
                };
                verdict.notices.insert(0, text::notice(verb, at.id, &deciding));
            }
        }
        Decision::Ask => verdict.reasons = text::reasons(&deciding),
        Decision::Allow => verdict.reasons = text::grants(&deciding),
        Decision::Pass if before >= Decision::Ask => {
            let verb = "held this back once, and now released it";
            verdict.notices.insert(0, text::notice(verb, at.id, &deciding));
        }
        Decision::Pass | Decision::Handoff => {}
    }
    (verdict, closing)
}

/// A name for a denial by these rules.
fn denied(findings: &[&Finding]) -> String {
    let codes: BTreeSet<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
    format!("denied-{}", codes.into_iter().collect::<Vec<_>>().join("-"))
}

/// Is the reason of a denial read by the model, rather than by whoever wrote a prompt or opened a dialogue?
fn is_for_the_model(event: &Event) -> bool {
    event.name.class() != EventClass::Gate || event.name == EventName::PostToolBatch
}

/// Does a finding of this level speak for that decision? Everything that asks or denies is told beside a denial, so
/// that the agent can mend all of it at once.
fn decides(level: Level, decision: Decision) -> bool {
    match decision {
        Decision::Deny | Decision::Halt | Decision::Ask => level.stops(),
        Decision::Allow => level == Level::Allow,
        Decision::Pass | Decision::Handoff => false,
    }
}

fn notifications(at: &At<'_>, merged: &Merged, verdict: &mut Verdict) -> Vec<crate::Notification> {
    if at.policy.notify.is_empty() || at.policy.mode == Mode::Off {
        return Vec::new();
    }
    let effects = &merged.effects;
    let facts = Facts::of(at.event, effects, at.places);
    notify::plan(at.event, &Question::new(facts, at), &at.policy.notify, verdict, &merged.findings)
}
