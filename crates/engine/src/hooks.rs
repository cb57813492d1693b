//! Hook programs under supervision: their answers as findings, joined like any other.

use hookgate_agents::{Decision, Event, EventClass, HookReply, Map, read_hook_output};
use hookgate_policy::{HookFailure, Level, SupervisedHook};
use hookgate_rules::Remedy;
use hookgate_shell::Span;

use crate::{Finding, Host, Source};

/// What the hooks of an event said.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) replies: Vec<HookReply>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) notices: Vec<String>,
    /// What went wrong, by the hook's code.
    pub(crate) failures: Vec<(String, String)>,
}

impl Said {
    /// The new input that the first hook with one wants.
    pub(crate) fn rewrite(&self) -> Option<&Map> {
        self.replies.iter().find_map(|reply| reply.updated_input.as_ref())
    }
}

/// Runs the hooks and reads what they say.
pub(crate) fn run(hooks: &[&SupervisedHook], event: &Event, host: &dyn Host) -> Said {
    let mut said = Said::default();
    for (hook, output) in hooks.iter().zip(host.run_hooks(hooks)) {
        let reply = read_hook_output(&event.name, &output);
        said.findings.extend(decision(hook, &reply));
        said.findings.extend(reply.problem.as_deref().map(|problem| failure(hook, problem, event)));
        said.failures.extend(reply.problem.clone().map(|problem| (hook.code.clone(), problem)));
        said.findings.extend(reply.context.iter().map(|context| Finding {
            context: Some(context.clone()),
            ..finding(hook, Level::Note, "adds context".to_owned())
        }));
        said.notices.extend(reply.notices.iter().cloned());
        said.replies.push(reply);
    }
    said
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
        "" => format!("the hook `{}` says {} and gives no reason", short(hook), reply.decision.as_str()),
        reason => reason.to_owned(),
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
    let message = format!("the hook `{}` {problem}", short(hook));
    let notice = (hook.on_error != HookFailure::Pass).then(|| format!("hookgate: {message} ({})", hook.code));
    Finding { notice, ..finding(hook, level, message) }
}

fn finding(hook: &SupervisedHook, level: Level, message: String) -> Finding {
    Finding {
        code: hook.code.clone(),
        level,
        message,
        fix: None,
        remedy: Remedy::Fixable,
        span: Span::default(),
        effects: Vec::new(),
        source: Source::Hook,
        shadow: false,
        exception: None,
        context: None,
        notice: None,
    }
}

/// The hook's program, for messages.
fn short(hook: &SupervisedHook) -> String {
    hook.run.name().chars().take(80).collect()
}
