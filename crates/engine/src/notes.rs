//! What a judgement leaves to be done: judging itself writes nothing.

use hookgate_agents::{Decision, Event};
use hookgate_effects::Places;
use hookgate_policy::Policy;

use crate::guardian::guard_event;
use crate::hooks::Heard;
use crate::linting::lint_event;
use crate::{Excuse, Input, Judged, Memory, alongside, endings, hear, installed, judge, overrides, retries};

/// Something to be remembered for the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Told to the person the first time in the session.
    Once {
        /// What is told, as a key for the session.
        key: String,
        /// The text.
        notice: String,
    },
    /// The last line of a denial, which gets shorter when the same rules deny again in the session.
    Closing {
        /// The rules, as a key for the session.
        key: String,
        /// The line of a first denial.
        line: String,
        /// What is said in its place.
        again: Option<&'static str>,
    },
    /// A person is asked now.
    Asked {
        /// The call's name in the session.
        call: String,
        /// A name for what is asked.
        question: String,
        /// The codes that it is asked about.
        codes: Vec<String>,
    },
    /// A text to be kept for the session under a name.
    Keep {
        /// The name.
        name: String,
        /// The text.
        text: String,
    },
    /// The call of this name ran: if a person was asked about it, the answer was yes.
    Ran {
        /// The call's name in the session.
        call: String,
    },
}

impl Judged {
    /// Does what the judgement leaves to be done, and adds to the answer what is told for the first time.
    pub fn carry_out(&mut self, session: &str, memory: &dyn Memory) {
        for note in std::mem::take(&mut self.notes) {
            match note {
                Note::Once { key, notice } => {
                    let notices = &mut self.verdict.notices;
                    if !notices.contains(&notice) && memory.first_time(session, &key) {
                        notices.push(notice);
                    }
                }
                Note::Closing { key, line, again } => {
                    if !memory.first_time(session, &key) {
                        let reasons = &mut self.verdict.reasons;
                        reasons.retain(|reason| *reason != line);
                        reasons.extend(again.map(str::to_owned));
                    }
                }
                Note::Asked { call, question, codes } => {
                    memory.note_question(session, &call, &question, &codes);
                }
                Note::Keep { name, text } => memory.keep(session, &name, &text),
                Note::Ran { call } => memory.settle_question(session, &call),
            }
        }
    }
}

/// The whole course of an event: the hooks that are due are run, what they say is judged with the rest, and what that
/// leaves to be done is done.
#[must_use]
pub fn decide(event: &Event, policy: &Policy, places: &Places, memory: &dyn Memory) -> Judged {
    let host = memory.host();
    let mut heard = hear(event, policy, places, host, |hooks| memory.run_hooks(hooks));
    guard_event(event, policy, places, memory, &mut heard);
    lint_event(event, policy, places, memory, &mut heard);
    let climbed = endings::consider(event, policy, places, memory);
    heard.add(climbed.findings);
    heard.rungs = climbed.rungs;
    heard.add(installed::check(event, policy, places, memory));
    let id = memory.decision_id();
    let look = |heard: &Heard| judge(&Input { event, policy, places, host, id: &id, heard });
    let mut judged = look(&heard);
    let is_excused = judged.findings.iter().any(|finding| finding.excuse == Some(Excuse::Agent));
    // What is denied all the same used none up.
    let runs = !matches!(judged.verdict.decision, Decision::Deny | Decision::Halt);
    if is_excused && runs && !memory.take_exception(policy.exception_limits) {
        heard.exceptions_used_up = true;
        judged = look(&heard);
    }
    if let Some(again) = retries::find(event, policy, memory, &judged) {
        heard.add([again]);
        judged = look(&heard);
    }
    if !overrides::use_grant(event, memory, &judged) {
        heard.grant_is_used = true;
        judged = look(&heard);
    }
    retries::remember(event, policy, memory, &judged);
    judged.carry_out(&event.session_id, memory);
    alongside::note(event, policy, places, memory, &judged);
    judged
}
