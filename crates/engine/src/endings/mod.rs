//! What must be so before the agent may end its work: gates on what hookgate knows for certain, then judges on what only reading
//! can tell.
//!
//! Every step of the way is a [`Rung`], whatever became of it; only a rung that blocks becomes a finding that holds back. Holding
//! back is bounded: by a number per prompt, and by progress.

mod caps;
mod checks;
mod judges;
mod observe;

use std::time::Instant;

use hookgate_agents::{Event, EventName, PermissionMode};
use hookgate_effects::{Effects, Places};
use hookgate_judge::Cost;
use hookgate_policy::{EventSet, Gate, Judge, Level, Mode, Policy};
use hookgate_rules::Facts;
use hookgate_rules::own::Question;
use hookgate_session::{Entry, Record, What};
use hookgate_text::{Message, say};

use crate::hooks::Heard;
use crate::input::{At, Input};
use crate::native::Native;
use crate::{Finding, Host, Memory, Source};

pub use judges::{ask_judge, judge_name};
use observe::observe;

/// A step of the ladder that an ending climbs: a check of a gate, or a criterion of a judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The gate's or the judge's code.
    pub code: String,
    /// The check's name, or the criterion's.
    pub step: String,
    /// What became of it.
    pub outcome: RungOutcome,
    /// What was found out, or why nothing was.
    pub detail: String,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// What asking the model cost; none where no model is asked.
    pub cost: Option<Cost>,
}

/// What became of a step. None of these ever stands for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RungOutcome {
    /// It is so.
    Pass,
    /// It isn't so, and the ending is held back.
    Block,
    /// It can't be told.
    Inconclusive,
    /// It isn't so, and the ending has been held back often enough.
    Capped,
    /// It wasn't looked at.
    Skipped,
    /// Looking failed.
    Error,
}

impl RungOutcome {
    /// The name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RungOutcome::Pass => "pass",
            RungOutcome::Block => "block",
            RungOutcome::Inconclusive => "inconclusive",
            RungOutcome::Capped => "capped",
            RungOutcome::Skipped => "skipped",
            RungOutcome::Error => "error",
        }
    }
}

/// What a check found out.
pub(crate) struct Found {
    pub(crate) outcome: RungOutcome,
    pub(crate) message: Message,
    pub(crate) fix: Option<Message>,
}

impl Found {
    pub(crate) fn pass(message: Message) -> Found {
        Found { outcome: RungOutcome::Pass, message, fix: None }
    }

    pub(crate) fn block(message: Message, fix: Message) -> Found {
        Found { outcome: RungOutcome::Block, message, fix: Some(fix) }
    }

    pub(crate) fn of(outcome: RungOutcome, message: Message) -> Found {
        Found { outcome, message, fix: None }
    }
}

/// What the ladder of an ending came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Climbed {
    pub(crate) findings: Vec<Finding>,
    pub(crate) rungs: Vec<Rung>,
}

/// What the session's record and its gates and judges make of an event.
pub(crate) fn consider(event: &Event, policy: &Policy, places: &Places, memory: &dyn Memory) -> Climbed {
    if policy.mode == Mode::Off || (policy.gates.is_empty() && policy.judges.is_empty()) {
        return Climbed::default();
    }
    let climbed =
        if names(policy, &event.name) { climb(event, policy, places, memory) } else { Climbed::default() };
    // A subagent that is held back hasn't ended.
    let goes_on = climbed.findings.iter().any(|finding| finding.level.stops() && !finding.shadow);
    if !(goes_on && event.name == EventName::SubagentStop) {
        observe(event, policy, places, memory);
    }
    climbed
}

/// Climbs the ladder for an ending.
fn climb(event: &Event, policy: &Policy, places: &Places, memory: &dyn Memory) -> Climbed {
    let host = memory.host();
    let mut climbed = Climbed::default();
    if host.halted().is_some() || host.paused().is_some() {
        return climbed;
    }
    let effects = Effects::default();
    let native = Native::new(host, places);
    let nothing = Heard::default();
    let at = At::new(&Input { event, policy, places, host, id: "", heard: &nothing }, &native);
    let facts = Facts::of(event, &effects, places);
    let question = Question::new(facts, &at);
    let due: Vec<&Gate> = policy.gates.iter().filter(|gate| question.applies(gate.on, &gate.when)).collect();
    let judges = policy.judges.iter().filter(|judge| question.applies(judge.on, &judge.when));
    let judges: Vec<&Judge> = judges.collect();
    if due.is_empty() && judges.is_empty() {
        return climbed;
    }
    let record = host.session_record(&event.session_id);
    let scene = Scene { event, policy, places, memory, record: &record };
    for gate in due {
        scene.gate(gate, &mut climbed);
    }
    // What is held back for certain needs no opinion.
    let is_held = climbed.findings.iter().any(|finding| finding.level.stops() && !finding.shadow);
    for judge in judges.into_iter().filter(|_| !is_held) {
        scene.judge(judge, &mut climbed);
    }
    scene.remember(&mut climbed);
    climbed
}

/// An ending, and what is known of what came before it.
pub(crate) struct Scene<'a> {
    pub(crate) event: &'a Event,
    pub(crate) policy: &'a Policy,
    pub(crate) places: &'a Places,
    pub(crate) memory: &'a dyn Memory,
    pub(crate) record: &'a Record,
}

impl Scene<'_> {
    pub(crate) fn host(&self) -> &dyn Host {
        self.memory.host()
    }

    /// The subagent whose end it is.
    pub(crate) fn subagent(&self) -> Option<&str> {
        let ends = self.event.name == EventName::SubagentStop;
        self.event.agent_id.as_deref().filter(|_| ends)
    }

    fn gate(&self, gate: &Gate, climbed: &mut Climbed) {
        let yields = self.yields(&gate.code);
        for check in &gate.checks {
            let start = Instant::now();
            let found = match &yields {
                Some(why) if checks::yields(*check) => Found::of(RungOutcome::Skipped, why.clone()),
                _ => checks::check(self, gate, *check),
            };
            let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
            let limits = caps::Limits { code: &gate.code, max_blocks: gate.max_blocks, shadow: gate.shadow };
            let found = Found {
                message: match gate.reason.trim().trim_end_matches('.') {
                    "" => found.message,
                    reason => say!("{} ({})", found.message, Message::in_their_words(reason)),
                },
                ..found
            };
            self.settle(&limits, check.name(), found, micros, None, climbed);
        }
    }

    /// Turns what was found out into a rung, and into a finding where somebody is to hear of it.
    pub(crate) fn settle(
        &self,
        limits: &caps::Limits<'_>,
        step: &str,
        mut found: Found,
        micros: u64,
        cost: Option<Cost>,
        climbed: &mut Climbed,
    ) {
        let code = limits.code;
        if found.outcome == RungOutcome::Block
            && let Some(cap) = caps::reached(self, limits)
        {
            found.outcome = RungOutcome::Capped;
            found.message = say!("{}; {}", found.message, cap);
        }
        let finding = |level| Finding {
            level,
            fix: found.fix.clone(),
            shadow: limits.shadow,
            bounded: true,
            ..Finding::new(code, Source::Check, found.message.clone())
        };
        let told = |verb: &str| format!("hookgate {verb}: [{code}] {}", found.message);
        match found.outcome {
            RungOutcome::Block => climbed.findings.push(finding(Level::Deny)),
            RungOutcome::Capped => {
                let notice = Some(told("gave up")).filter(|_| !limits.shadow);
                climbed.findings.push(Finding { notice, ..finding(Level::Note) });
            }
            RungOutcome::Inconclusive | RungOutcome::Error => {
                let notice = Some(told("couldn't verify")).filter(|_| !limits.shadow);
                climbed.findings.push(Finding { notice, ..finding(Level::Note) });
            }
            RungOutcome::Pass | RungOutcome::Skipped => {}
        }
        climbed.rungs.push(Rung {
            code: code.to_owned(),
            step: step.to_owned(),
            outcome: found.outcome,
            detail: found.message.to_string(),
            micros,
            cost,
        });
    }

    /// Why a check waits for something else: a plan that the user hasn't agreed to, or background tasks that will wake the agent
    /// again. For the same tasks it waits once, since a server in the background never ends.
    pub(crate) fn yields(&self, code: &str) -> Option<Message> {
        if self.event.permission_mode == Some(PermissionMode::Plan) {
            return Some(say!("the agent is only planning"));
        }
        let running = checks::running_tasks(self.event);
        if running.is_empty() {
            return None;
        }
        let mut ids: Vec<String> = running.iter().map(|task| task.id.clone()).collect();
        ids.sort();
        let key = format!("yields-{code}-{:016x}", hookgate_policy::fingerprint(&ids.join("\n")));
        let first = self.memory.first_time(&self.event.session_id, &key);
        first.then(|| say!("waits for background tasks"))
    }

    /// Notes that the ending is held back. Where that can't be remembered it isn't held back: nothing would bound it.
    fn remember(&self, climbed: &mut Climbed) {
        let mut codes: Vec<String> = climbed
            .findings
            .iter()
            .filter(|finding| finding.level.stops() && !finding.shadow)
            .map(|finding| finding.code.clone())
            .collect();
        codes.dedup();
        if codes.is_empty() || self.policy.mode != Mode::Enforce {
            return;
        }
        let held = What::Held { event: self.event.name.as_str().to_owned(), codes };
        let by = self.subagent().map(str::to_owned);
        let entry = Entry { by, ..Entry::new(self.host().now(), held) };
        self.memory.note_entries(&self.event.session_id, std::slice::from_ref(&entry));
        let is_kept = || self.host().session_record(&self.event.session_id).entries.contains(&entry);
        if !self.event.session_id.is_empty() && is_kept() {
            return;
        }
        for finding in climbed.findings.iter_mut().filter(|finding| finding.level.stops()) {
            finding.level = Level::Note;
            finding.notice = Some(format!(
                "hookgate can't remember that it holds this back, so it doesn't: [{}] {}",
                finding.code, finding.message
            ));
        }
        for rung in climbed.rungs.iter_mut().filter(|rung| rung.outcome == RungOutcome::Block) {
            rung.outcome = RungOutcome::Error;
            rung.detail.push_str("; it can't be remembered, so it isn't held back");
        }
    }
}

/// Does the policy look at the end of this very event?
fn names(policy: &Policy, event: &EventName) -> bool {
    let event = EventSet::of(event);
    let gates = policy.gates.iter().map(|gate| gate.on);
    let judges = policy.judges.iter().map(|judge| judge.on);
    gates.chain(judges).any(|on| !on.intersection(event).is_empty())
}
