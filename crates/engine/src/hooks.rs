//! Hook programs under supervision: their answers as findings, joined like any other.

use hookgate_agents::{Decision, Event, EventClass, Extras, HookOutput, HookReply, Map, read_hook_output};
use hookgate_effects::{Effects, Places};
use hookgate_policy::{HookFailure, Level, Mode, Policy, SupervisedHook};
use hookgate_rules::Facts;
use hookgate_rules::own::Question;
use hookgate_text::{Message, Quoted, say};

use crate::input::{At, Input};
use crate::native::Native;
use crate::pass::effects_of;
use crate::times::Time;
use crate::{Finding, Host, Note, Rung, Source, missing};

/// What the hooks of an event said.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    said: Vec<Said>,
    /// What the person hears of them.
    pub(crate) notices: Vec<String>,
    /// Hooks that failed, by their code, and how.
    pub(crate) failures: Vec<(String, String)>,
    pub(crate) notes: Vec<Note>,
    /// What the checks of the session's work found; they join like any other finding.
    pub(crate) found: Vec<Finding>,
    /// The steps of an ending, each with what became of it.
    pub(crate) rungs: Vec<Rung>,
    /// What the runs of linters took.
    pub(crate) times: Vec<Time>,
    /// No exception is left to the agent.
    pub(crate) exceptions_used_up: bool,
    /// The grant for the call went to another one.
    pub(crate) grant_is_used: bool,
}

/// What one of them said.
#[derive(Clone, Debug)]
struct Said {
    reply: HookReply,
    findings: Vec<Finding>,
}

/// Has the hooks run that are due on an event, all at once, and reads what they say: the one thing about an event that
/// can't be asked twice. `run` gives their outputs in the same order.
pub fn hear(
    event: &Event,
    policy: &Policy,
    places: &Places,
    host: &dyn Host,
    run: impl FnOnce(&[&SupervisedHook]) -> Vec<HookOutput>,
) -> Heard {
    let mut heard = Heard::default();
    if policy.hooks.is_empty() || policy.mode == Mode::Off || host.halted().is_some() {
        return heard;
    }
    let due = due(event, policy, places, host, &mut heard.notes);
    if due.is_empty() {
        return heard;
    }
    for (hook, output) in due.iter().zip(run(&due)) {
        let reply = read_hook_output(&event.name, &output);
        let mut findings = Vec::new();
        findings.extend(decision(hook, &reply));
        findings.extend(reply.problem.as_deref().map(|problem| failure(hook, problem, event)));
        findings.extend(reply.context.iter().map(|context| Finding {
            context: Some(context.clone()),
            ..finding(hook, Level::Note, "adds context".into())
        }));
        heard.failures.extend(reply.problem.clone().map(|problem| (hook.code.clone(), problem)));
        heard.notices.extend(reply.notices.iter().cloned());
        heard.said.push(Said { reply, findings });
    }
    heard
}

/// The hooks that are about the event, and have what they need.
fn due<'p>(
    event: &Event,
    policy: &'p Policy,
    places: &Places,
    host: &dyn Host,
    notes: &mut Vec<Note>,
) -> Vec<&'p SupervisedHook> {
    let effects = effects_of(event, places, host);
    let native = Native::new(host, places);
    let nothing = Heard::default();
    let at = At::new(&Input { event, policy, places, host, id: "", heard: &nothing }, &native);
    let facts = Facts::of(event, &effects, places);
    let question = Question::new(facts, &at);
    let about = policy.hooks.iter().filter(|hook| question.applies(hook.on, &hook.when));
    about
        .filter(|hook| {
            let problem = missing(&hook.requires, &hook.code, "doesn't run", host);
            let key = format!("requires-{}", hook.code);
            notes.extend(problem.clone().map(|notice| Note::Once { key, notice }));
            problem.is_none()
        })
        .collect()
}

impl Heard {
    /// The new input that the first hook with one wants.
    pub(crate) fn new_input(&self) -> Option<&Map> {
        self.said.iter().find_map(|said| said.reply.updated_input.as_ref())
    }

    /// Adds what a check of the session's work found.
    pub fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.found.extend(findings);
    }

    /// All that they say, but for grants.
    pub(crate) fn restrictions(&self) -> impl Iterator<Item = Finding> {
        let findings = self.said.iter().flat_map(|said| &said.findings);
        findings.chain(&self.found).filter(|finding| finding.level != Level::Allow).cloned()
    }

    /// The grants of the call as it was made. A hook that allows it allows all that it does.
    pub(crate) fn grants(&self, effects: &Effects) -> Vec<Finding> {
        granted(self.said.iter(), effects)
    }

    /// The grant of the new input, by the hook that wants it.
    pub(crate) fn grants_of_new_input(&self, effects: &Effects) -> Vec<Finding> {
        granted(self.said.iter().find(|said| said.reply.updated_input.is_some()).into_iter(), effects)
    }

    /// The fields of the answer that they set.
    pub(crate) fn extras(&self) -> Extras {
        let mut extras = Extras::default();
        for said in &self.said {
            extras.fill_from(&said.reply.extras);
        }
        extras
    }
}

fn granted<'s>(said: impl Iterator<Item = &'s Said>, effects: &Effects) -> Vec<Finding> {
    let findings = said.flat_map(|said| &said.findings);
    findings
        .filter(|finding| finding.level == Level::Allow)
        .map(|finding| Finding { effects: (0..effects.effects.len()).collect(), ..finding.clone() })
        .collect()
}

fn decision(hook: &SupervisedHook, reply: &HookReply) -> Option<Finding> {
    let level = match reply.decision {
        Decision::Pass | Decision::Handoff => return None,
        Decision::Allow => Level::Allow,
        Decision::Ask => Level::Ask,
        Decision::Deny => Level::Deny,
        Decision::Halt => Level::Halt,
    };
    let message = match reply.reason.trim().trim_end_matches('.') {
        "" => say!("the hook {} answered {} without a reason", name(hook), reply.decision.as_str()),
        reason => Message::in_their_words(reason),
    };
    Some(finding(hook, level, message))
}

/// What a hook's failure gets: what its policy says on a tool call, and a notice on everything else (law 13).
fn failure(hook: &SupervisedHook, problem: &str, event: &Event) -> Finding {
    let level = match hook.on_error {
        HookFailure::Ask if event.name.class() == EventClass::ToolCall => Level::Ask,
        HookFailure::Deny if event.name.class() == EventClass::ToolCall => Level::Deny,
        _ => Level::Note,
    };
    let message = say!("the hook {} {}", name(hook), Message::in_their_words(problem));
    let notice = (hook.on_error != HookFailure::Pass).then(|| format!("hookgate: {message} ({})", hook.code));
    Finding { notice, ..finding(hook, level, message) }
}

fn finding(hook: &SupervisedHook, level: Level, message: Message) -> Finding {
    Finding { level, ..Finding::new(&hook.code, Source::Hook, message) }
}

/// The hook's program, for messages.
fn name(hook: &SupervisedHook) -> Message {
    say!("{}", Quoted::new(&hook.run.name()))
}
