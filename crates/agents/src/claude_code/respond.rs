//! A [`Verdict`] to the bytes that say it.

use std::borrow::Cow;

use crate::placed::Placed;
use crate::text::{CLASSIFIER_LIMIT, LIMIT, join, limited};
use crate::{Answer, Capabilities, Decision, ElicitationAction, Event, EventName, NoticeForm, Verdict};

use super::document::{Document, Permission, RequestDecision, Specific, SwitchDecision, ToolDecision};
use super::terminal::is_passed_on;
use super::tool_output;

/// The answer that says the verdict, in the form that Claude Code honours on this event.
pub(super) fn respond(event: &Event, verdict: &Verdict) -> Answer {
    let verdict = &*with_taken_output(event, verdict);
    let reply = Reply::new(event, verdict);
    let mut answer = Answer { stdout: reply.stdout(), ..Answer::default() };
    match event.name {
        // The client reads no JSON here: only an exit code keeps the worktree from being made.
        EventName::WorktreeCreate if reply.denies() => {
            answer.exit = 2;
            answer.stderr = reply.placed.refusal().into_bytes();
        }
        // The prompt is about to be shown: that is the ask.
        EventName::PermissionRequest if !reply.denies() => {}
        _ if reply.placed.decision >= Decision::Ask => answer.refusal = reply.placed.refusal(),
        _ => {}
    }
    answer
}

/// The verdict with a new output of the tool in the form that the client takes. Where it has none, the client shows the model the
/// original, which the person has to know.
fn with_taken_output<'a>(event: &Event, verdict: &'a Verdict) -> Cow<'a, Verdict> {
    let original = tool_output::original(event).filter(|_| event.name == EventName::PostToolUse);
    let (Some(new), Some(original)) = (&verdict.extras.tool_output, original) else {
        return Cow::Borrowed(verdict);
    };
    let mut taken = verdict.clone();
    taken.extras.tool_output = tool_output::in_form(new, original);
    if taken.extras.tool_output.is_none() {
        let told = "hookgate can't replace this tool's output, so the model reads the original: `tool-output` has another form";
        taken.notices.push(told.to_owned());
    }
    Cow::Owned(taken)
}

/// A verdict with its texts at the places that the event has for them.
struct Reply<'a> {
    name: &'a EventName,
    verdict: &'a Verdict,
    capabilities: Capabilities,
    placed: Placed,
}

impl<'a> Reply<'a> {
    fn new(event: &'a Event, verdict: &'a Verdict) -> Self {
        let name = &event.name;
        let capabilities = event.capabilities();
        // Declining has no place for a reason; whoever sits before the dialogue should still learn it.
        let declines = matches!(name, EventName::Elicitation | EventName::ElicitationResult);
        Self { name, verdict, capabilities, placed: Placed::new(event, verdict, capabilities, !declines) }
    }

    fn denies(&self) -> bool {
        self.placed.denies()
    }

    fn stdout(&self) -> Vec<u8> {
        match self.name {
            EventName::WorktreeCreate if self.denies() => Vec::new(),
            EventName::WorktreeCreate => plain_line(self.verdict.extras.worktree_path.as_deref()),
            EventName::PreCompact if !self.denies() => {
                let instructions = self.verdict.extras.compact_instructions.as_deref().into_iter();
                plain(join(instructions.chain(self.placed.context.as_deref()), "\n\n", LIMIT))
            }
            _ if self.capabilities.notice == NoticeForm::Plain => plain(self.placed.notice.clone()),
            _ => self.document().to_bytes(),
        }
    }

    fn document(&self) -> Document<'_> {
        let notices_are_shown =
            matches!(self.capabilities.notice, NoticeForm::Message | NoticeForm::BesideBlock);
        Document {
            stop: self.stop(),
            block: self.block(),
            system_message: self.placed.notice.clone().filter(|_| notices_are_shown),
            terminal_sequence: self
                .verdict
                .extras
                .terminal_sequence
                .as_deref()
                .filter(|sequence| is_passed_on(sequence)),
            specific: self.specific(),
        }
    }

    /// `PermissionRequest` ends the turn by its own `interrupt`.
    fn stop(&self) -> Option<String> {
        let ends = self.placed.decision == Decision::Halt && *self.name != EventName::PermissionRequest;
        ends.then(|| self.placed.refusal())
    }

    /// The top-level block, on the events that have no decision of their own.
    fn block(&self) -> Option<String> {
        let has_own_form = matches!(
            self.name,
            EventName::PreToolUse
                | EventName::PermissionRequest
                | EventName::PreModelSwitch
                | EventName::Elicitation
                | EventName::ElicitationResult
        );
        // A block would keep the agent going that a halt is to stop.
        let would_go_on = self.placed.decision == Decision::Halt
            && matches!(self.name, EventName::Stop | EventName::SubagentStop | EventName::TeammateIdle);
        (self.denies() && !has_own_form && !would_go_on).then(|| self.placed.refusal())
    }

    fn specific(&self) -> Option<Specific<'_>> {
        let additional_context = self.placed.context.clone();
        match self.name {
            EventName::PreToolUse => self.tool_decision(),
            EventName::PermissionRequest => self.request_decision(),
            EventName::PreModelSwitch => self.switch_decision(),
            EventName::SubagentStart => {
                Some(Specific::SubagentStart { additional_context: additional_context? })
            }
            EventName::PostToolUseFailure => {
                Some(Specific::PostToolUseFailure { additional_context: additional_context? })
            }
            EventName::PostToolBatch => {
                Some(Specific::PostToolBatch { additional_context: additional_context? })
            }
            EventName::PostModelSwitch => {
                Some(Specific::PostModelSwitch { additional_context: additional_context? })
            }
            EventName::Stop => Some(Specific::Stop { additional_context: additional_context? }),
            EventName::SubagentStop => {
                Some(Specific::SubagentStop { additional_context: additional_context? })
            }
            _ => self.specific_extras(),
        }
    }

    fn tool_decision(&self) -> Option<Specific<'_>> {
        let kind = match self.placed.decision {
            Decision::Pass | Decision::Handoff => None,
            Decision::Allow => Some(ToolDecision::Allow),
            Decision::Ask => Some(ToolDecision::Ask),
            Decision::Deny | Decision::Halt => Some(ToolDecision::Deny),
        };
        let permission = kind.map(|permission_decision| Permission {
            permission_decision,
            permission_decision_reason: match permission_decision {
                ToolDecision::Deny => Some(self.placed.refusal()),
                ToolDecision::Allow | ToolDecision::Ask => self.placed.reason(),
            },
        });
        let runs = matches!(self.placed.decision, Decision::Pass | Decision::Allow | Decision::Ask);
        let updated_input = self.verdict.rewrite.as_ref().filter(|_| runs);
        let additional_context = self.placed.context.clone();
        let is_empty = permission.is_none() && updated_input.is_none() && additional_context.is_none();
        (!is_empty).then_some(Specific::PreToolUse { permission, updated_input, additional_context })
    }

    fn request_decision(&self) -> Option<Specific<'_>> {
        let decision = match self.placed.decision {
            Decision::Deny | Decision::Halt => RequestDecision::Deny {
                message: Some(self.placed.refusal()),
                interrupt: self.placed.decision == Decision::Halt || self.verdict.extras.interrupt,
            },
            Decision::Allow => RequestDecision::Allow {
                updated_input: self.verdict.rewrite.as_ref(),
                updated_permissions: &self.verdict.extras.updated_permissions,
            },
            // The prompt is about to be shown: that is the ask.
            Decision::Pass | Decision::Handoff | Decision::Ask => return None,
        };
        Some(Specific::PermissionRequest { decision })
    }

    fn switch_decision(&self) -> Option<Specific<'_>> {
        let permission_decision = match self.placed.decision {
            Decision::Pass | Decision::Handoff => return None,
            Decision::Allow => SwitchDecision::Allow,
            Decision::Ask => SwitchDecision::Ask,
            Decision::Deny | Decision::Halt => SwitchDecision::Deny,
        };
        let permission_decision_reason =
            if self.denies() { Some(self.placed.refusal()) } else { self.placed.reason() };
        Some(Specific::PreModelSwitch {
            permission: Permission { permission_decision, permission_decision_reason },
        })
    }

    /// The events whose output has fields of their own.
    fn specific_extras(&self) -> Option<Specific<'_>> {
        let extras = &self.verdict.extras;
        let additional_context = self.placed.context.clone();
        let text = |text: &Option<String>| text.as_deref().and_then(|text| limited(text, LIMIT));
        let watch_paths: Vec<&str> = extras
            .watch_paths
            .iter()
            .flatten()
            .map(String::as_str)
            .filter(|path| is_absolute(path))
            .collect();
        match self.name {
            EventName::PermissionDenied => extras.retry.then_some(Specific::PermissionDenied { retry: true }),
            EventName::PostToolUse => {
                let classifier_context =
                    extras.classifier_context.as_deref().and_then(|text| limited(text, CLASSIFIER_LIMIT));
                let is_empty = additional_context.is_none()
                    && classifier_context.is_none()
                    && extras.tool_output.is_none()
                    && extras.mcp_tool_output.is_none();
                (!is_empty).then_some(Specific::PostToolUse {
                    additional_context,
                    updated_tool_output: extras.tool_output.as_ref(),
                    updated_mcp_tool_output: extras.mcp_tool_output.as_ref(),
                    classifier_context,
                })
            }
            EventName::UserPromptSubmit => {
                let session_title = text(&extras.session_title);
                let suppress_original_prompt = extras.suppress_original_prompt && self.denies();
                let is_empty =
                    additional_context.is_none() && session_title.is_none() && !suppress_original_prompt;
                (!is_empty).then_some(Specific::UserPromptSubmit {
                    additional_context,
                    session_title,
                    suppress_original_prompt,
                })
            }
            EventName::UserPromptExpansion => {
                let suppress_original_prompt = extras.suppress_original_prompt && self.denies();
                let is_empty = additional_context.is_none() && !suppress_original_prompt;
                (!is_empty)
                    .then_some(Specific::UserPromptExpansion { additional_context, suppress_original_prompt })
            }
            EventName::SessionStart => {
                let initial_user_message = text(&extras.initial_user_message);
                let session_title = text(&extras.session_title);
                let is_empty = additional_context.is_none()
                    && initial_user_message.is_none()
                    && session_title.is_none()
                    && watch_paths.is_empty()
                    && !extras.reload_skills;
                (!is_empty).then_some(Specific::SessionStart {
                    additional_context,
                    initial_user_message,
                    session_title,
                    watch_paths,
                    reload_skills: extras.reload_skills,
                })
            }
            EventName::CwdChanged => {
                (!watch_paths.is_empty()).then_some(Specific::CwdChanged { watch_paths })
            }
            EventName::FileChanged => {
                (!watch_paths.is_empty()).then_some(Specific::FileChanged { watch_paths })
            }
            EventName::Elicitation | EventName::ElicitationResult => self.elicitation(),
            EventName::MessageDisplay => extras
                .display_content
                .as_deref()
                .map(|display_content| Specific::MessageDisplay { display_content }),
            _ => None,
        }
    }

    fn elicitation(&self) -> Option<Specific<'_>> {
        let (action, content) = match (&self.verdict.extras.elicitation, self.placed.decision) {
            (_, Decision::Deny | Decision::Halt) => (ElicitationAction::Decline, None),
            // The dialogue is the ask.
            (_, Decision::Ask) | (None, _) => return None,
            (Some((action, content)), _) => (*action, content.as_ref()),
        };
        Some(if *self.name == EventName::Elicitation {
            Specific::Elicitation { action, content }
        } else {
            Specific::ElicitationResult { action, content }
        })
    }
}

/// Plain text, in a form that the client does not take for JSON.
fn plain(text: Option<String>) -> Vec<u8> {
    match text {
        Some(text) if text.trim_start().starts_with('{') => format!("Note: {text}").into_bytes(),
        Some(text) => text.into_bytes(),
        None => Vec::new(),
    }
}

/// A path on one line, in a form that is no JSON; one with a line break in it would be read as another path.
fn plain_line(path: Option<&str>) -> Vec<u8> {
    match path {
        Some(path) if path.contains(char::is_control) => Vec::new(),
        Some(path) if path.starts_with('{') => format!("./{path}").into_bytes(),
        Some(path) => path.as_bytes().to_vec(),
        None => Vec::new(),
    }
}

/// On Unix or on Windows: the client wants absolute paths, and one that is not may void the answer.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && matches!(path.get(1..3), Some(":\\" | ":/"));
    path.starts_with('/') || path.starts_with("\\\\") || drive
}
