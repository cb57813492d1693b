//! What a rule says that none of its events can carry: an error where the rule would be taken for a guard that it isn't, otherwise a
//! warning for whoever looks at the policy.

use std::ops::Range;

use hookgate_agents::{Decision, DenyForm, EventName, Profile};

use super::reader::Reader;
use crate::event_set::EventSet;
use crate::layer::Layer;
use crate::level::Level;
use crate::rule::{Condition, OwnRule};

/// The places in a rule's text that these findings point to.
pub(super) struct Marks {
    /// `then`, else the code.
    pub(super) then: Range<usize>,
    /// `context`.
    pub(super) context: Option<Range<usize>>,
    /// `set.suppress-prompt`.
    pub(super) suppress_prompt: Option<Range<usize>>,
    /// `set.tool-output`.
    pub(super) tool_output: Option<Range<usize>>,
}

impl Reader<'_> {
    /// Looks at one rule.
    pub(super) fn carried(&mut self, rule: &OwnRule, marks: &Marks) {
        let extras = rule.set.as_deref();
        if let Some(span) = &marks.suppress_prompt
            && extras.is_some_and(|extras| extras.suppress_original_prompt)
            && !stops(rule.then)
        {
            let help = "add `then = \"deny\"` and a `reason`".to_owned();
            let message = "`suppress-prompt` without a refusal: the agent sends the prompt to the model";
            self.error(span.clone(), "rule.set.suppress-prompt", message, "", Some(help));
        }
        if let Some(span) = &marks.tool_output
            && extras.is_some_and(|extras| extras.tool_output.as_ref().is_some_and(|new| !new.is_object()))
        {
            let help = "write a table with the fields of the tool's output, such as `{ stdout = \"(withheld)\" }` for Bash; an MCP tool's \
                        output is `mcp-tool-output`";
            let message =
                "`tool-output` isn't in a tool's form: the agent drops it and the model reads the original";
            self.error(span.clone(), "rule.set.tool-output", message, "", Some(help.to_owned()));
        }
        if !rule.on.intersection(worktree()).is_empty() {
            self.worktree.get_or_insert(marks.then.clone());
            let names_a_path = extras.is_some_and(|extras| extras.worktree_path.is_some());
            if !stops(rule.then) && !names_a_path {
                let message = "this rule leaves a worktree without a path: once hookgate is asked, the agent makes none itself";
                let help =
                    "add `set = { worktree-path = \"…\" }`, or refuse it with `then = \"deny\"`".to_owned();
                self.error(marks.then.clone(), "rule.set.worktree-path", message, "", Some(help));
            }
        }
        if self.check.is_thorough() {
            self.unheard(rule, marks);
        }
    }

    /// Looks at the file as a whole, once its rules, hooks and notifications are read.
    pub(super) fn worktrees(&mut self, layer: &Layer) {
        let Some(span) = self.worktree.take() else { return };
        let is_answered = layer.rules.iter().any(answers_every_worktree)
            || layer.hooks.iter().any(|hook| !hook.on.intersection(worktree()).is_empty());
        // What is wrong with a rule has been said; it would only be said again.
        let is_told = self.diagnostics.iter().any(|one| one.key == "rule.set.worktree-path");
        if !is_answered && !is_told {
            let message = "nothing here answers every WorktreeCreate: once hookgate is asked, the agent makes no worktree itself";
            let help =
                "add a rule without `when` that says `set = { worktree-path = \"…\" }` or `then = \"deny\"`"
                    .to_owned();
            self.error(span, "rule.set.worktree-path", message, "", Some(help));
        }
    }

    /// What every agent makes something weaker of, on each event of the rule.
    fn unheard(&mut self, rule: &OwnRule, marks: &Marks) {
        let events =
            || EventName::ALL.iter().filter(|name| !EventSet::of(name).intersection(rule.on).is_empty());
        let everywhere = |weaker: &dyn Fn(&Profile, &EventName) -> bool| {
            events().all(|name| {
                let mut agents = Profile::ALL.iter().filter(|agent| agent.events.contains(name)).peekable();
                agents.peek().is_some() && agents.all(|agent| weaker(agent, name))
            })
        };
        let names: Vec<&str> = rule.on.names().collect();
        let names = names.join(", ");
        let decision = match rule.then {
            Level::Ask => Decision::Ask,
            Level::Deny => Decision::Deny,
            Level::Halt => Decision::Halt,
            _ => Decision::Pass,
        };
        let then = rule.then.name();
        if decision >= Decision::Ask
            && everywhere(&|agent, name| {
                let can = agent.capabilities(name, None);
                can.deny == DenyForm::Notice && can.carry(decision) == Decision::Pass
            })
        {
            let message = format!("{names} can't be stopped: `{then}` only tells the user");
            self.warning(marks.then.clone(), "rule.then", message, "", Some("use `tell-user`".to_owned()));
        }
        if decision == Decision::Halt
            && everywhere(&|agent, name| {
                let can = agent.capabilities(name, None);
                can.deny == DenyForm::Feedback && !can.halt
            })
        {
            let message = format!("the agent goes on after {names}: `{then}` only tells the model");
            let help = "halt on PreToolUse, PostToolUse or PostToolBatch".to_owned();
            self.warning(marks.then.clone(), "rule.then", message, "", Some(help));
        }
        if let Some(span) = &marks.context
            && everywhere(&|agent, name| {
                agent.capabilities(name, None).context == hookgate_agents::ContextForm::None
            })
        {
            let message = format!("no model reads the context of {names}: it goes to the user");
            self.warning(span.clone(), "rule.context", message, "", Some("use `tell-user`".to_owned()));
        }
    }
}

fn stops(level: Level) -> bool {
    matches!(level, Level::Ask | Level::Deny | Level::Halt)
}

fn worktree() -> EventSet {
    EventSet::of(&EventName::WorktreeCreate)
}

/// Does the rule name a path for every worktree, or refuse each?
pub(crate) fn answers_every_worktree(rule: &OwnRule) -> bool {
    let names_a_path = rule.set.as_deref().is_some_and(|extras| extras.worktree_path.is_some());
    let always = matches!(&rule.when, Condition::All(parts) if parts.is_empty());
    always
        && !rule.shadow
        && !rule.on.intersection(worktree()).is_empty()
        && (names_a_path || stops(rule.then))
}
