//! Does a condition hold for a subject?

use hookgate_agents::{Tool, ToolCall};
use hookgate_effects::{Call, Effect, Kind, Target, file_name};
use hookgate_policy::{Condition, Glob, RunPattern, TextPattern};

use super::asked::Asked;
use super::{Branch, Question, field, path, written};

/// What a condition is tested against: indices into the effects and calls of the event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    pub(super) call: Option<usize>,
    pub(super) effect: Option<usize>,
}

impl<'a> Question<'a> {
    /// Does the condition hold?
    pub(super) fn holds(&self, condition: &Condition, subject: Subject, asked: Asked) -> bool {
        let (event, certain) = (self.facts.event, asked.certain);
        match condition {
            Condition::All(parts) => parts.iter().all(|part| self.holds(part, subject, asked)),
            Condition::Any(parts) => parts.iter().any(|part| self.holds(part, subject, asked)),
            Condition::Not(part) => !self.holds(part, subject, asked.negated()),
            Condition::Run(patterns) => self.runs(patterns, subject, certain),
            Condition::Effect(kinds) => {
                self.effect(subject).is_some_and(|effect| kinds.contains(&effect.kind))
            }
            Condition::Path(access, patterns) => self.effect(subject).is_some_and(|effect| {
                access.includes(effect.kind, certain)
                    && matches!(&effect.target, Some(Target::Path(fact))
                        if path::matches(patterns, fact, effect.recursive, self.facts.places, certain))
            }),
            Condition::Host(globs) => self
                .effect(subject)
                .is_some_and(|effect| matches!(&effect.target, Some(Target::Host(host)) if any(globs, host))),
            Condition::Url(globs) => self.reaches(globs, subject, asked),
            Condition::Content(patterns) => self.adds(patterns, subject, asked),
            Condition::Message(patterns) => {
                self.call(subject).and_then(written::message).is_some_and(|message| match message {
                    Some(text) => says(patterns, &text),
                    None => asked.unseen(),
                })
            }
            Condition::Input(name, globs) => written::input(event, name, |value| any(globs, value)),
            Condition::Tool(globs) => event.tool().is_some_and(|tool| any(globs, &tool.name)),
            Condition::McpServer(globs) => {
                event.tool().and_then(mcp).is_some_and(|(server, _)| any(globs, server))
            }
            Condition::McpTool(globs) => event.tool().and_then(mcp).is_some_and(|(_, tool)| any(globs, tool)),
            Condition::Prompt(patterns) => event.prompt().is_some_and(|text| says(patterns, text)),
            Condition::LastMessage(patterns) => {
                event.last_assistant_message().is_some_and(|text| says(patterns, text))
            }
            Condition::PermissionMode(modes) => event
                .permission_mode
                .as_ref()
                .is_some_and(|mode| modes.iter().any(|one| one == mode.as_str())),
            Condition::Attended(attended) => self.session.attended() == *attended,
            Condition::AgentType(globs) => event.agent_type.as_ref().is_some_and(|kind| any(globs, kind)),
            Condition::Agent(agents) => agents.iter().any(|agent| agent == event.agent.name),
            Condition::Branch(globs) => match self.branch.get_or_init(|| self.session.branch()) {
                Branch::Named(branch) => any(globs, branch),
                Branch::None => false,
                Branch::Unknown => !certain,
            },
            Condition::Environment(name, globs) => self.environment(name, globs, subject, certain),
            Condition::Field(name, globs) => {
                field::value(event, name).is_some_and(|value| any(globs, &value))
            }
            Condition::Subagent(subagent) => event.agent_id.is_some() == *subagent,
        }
    }

    fn effect(&self, subject: Subject) -> Option<&'a Effect> {
        self.facts.effects.effects.get(subject.effect?)
    }

    fn call(&self, subject: Subject) -> Option<&'a Call> {
        self.facts.effects.calls.get(subject.call?)
    }

    /// Does the effect reach one of the addresses? Where only the host is known, it may be any of that host.
    fn reaches(&self, globs: &[Glob], subject: Subject, asked: Asked) -> bool {
        let Some(effect) = self.effect(subject) else { return false };
        let Some(Target::Host(host)) = &effect.target else { return false };
        let known = written::addresses(self.facts.event, self.call(subject), effect);
        if known.is_empty() {
            let host = host.to_ascii_lowercase();
            let may_be = |glob: &Glob| glob.may_match_below(&host) || glob.matches_text(&format!("{host}/"));
            return !asked.certain && globs.iter().any(may_be);
        }
        known.iter().any(|address| any(globs, address))
    }

    /// Does the call add such a text to the file that the effect writes?
    fn adds(&self, patterns: &[TextPattern], subject: Subject, asked: Asked) -> bool {
        let Some(effect) = self.effect(subject).filter(|effect| effect.kind.changes_file()) else {
            return false;
        };
        match self.facts.sources.and_then(|sources| sources.added(&self.facts, effect)) {
            Some(text) => says(patterns, &text),
            None => asked.unseen(),
        }
    }

    fn runs(&self, patterns: &[RunPattern], subject: Subject, certain: bool) -> bool {
        let Some(call) = self.call(subject) else { return false };
        if !certain && self.runs_script(patterns, call, subject) {
            return true;
        }
        let mut patterns = patterns
            .iter()
            .filter(|pattern| is_named(&pattern.program, &call.word, Some(&call.program)))
            .peekable();
        if patterns.peek().is_none() {
            return false;
        }
        let Some(cell) = subject.call.and_then(|index| self.arguments.get(index)) else { return false };
        let arguments =
            cell.get_or_init(|| call.arguments.iter().map(|argument| argument.text.as_deref()).collect());
        // `git -C dir push` is a `git push` to a rule that restricts; to one that allows, options before the
        // subcommand are not what its author had in mind.
        let behind = if certain { None } else { behind_global_options(call, arguments) };
        patterns.any(|pattern| {
            pattern.matches_arguments(arguments, certain)
                || behind.as_ref().is_some_and(|arguments| pattern.matches_arguments(arguments, certain))
        })
    }

    /// Does the call run a script that a pattern names? `bash scripts/deploy.sh prod` is a `deploy.sh prod` to a rule that
    /// restricts.
    fn runs_script(&self, patterns: &[RunPattern], call: &Call, subject: Subject) -> bool {
        let effects = &self.facts.effects.effects;
        let code =
            effects.iter().filter(|effect| effect.call == subject.call && effect.kind == Kind::ProjectCode);
        let files = code.filter_map(|effect| match &effect.target {
            Some(Target::Path(fact)) => Some(file_name(&fact.path)),
            _ => None,
        });
        let words = || call.arguments.iter().map(|argument| argument.text.as_deref());
        files.into_iter().any(|file| {
            let is_file = |word: Option<&str>| word.is_some_and(|word| file_name(word) == file);
            let Some(at) = words().position(is_file) else { return false };
            let Some(script) = words().nth(at).flatten() else { return false };
            let rest: Vec<Option<&str>> = words().skip(at + 1).collect();
            patterns.iter().any(|pattern| {
                is_named(&pattern.program, script, None) && pattern.matches_arguments(&rest, false)
            })
        })
    }

    fn environment(&self, name: &str, globs: &[Glob], subject: Subject, certain: bool) -> bool {
        // A variable that is set for a carrier (`env X=1 sh -c ...`) holds for what it carries.
        let mut call = self.call(subject);
        // A carrier stands before what it carries; more steps than calls would be a loop.
        for _ in 0..self.facts.effects.calls.len() {
            let Some(own) = call else { break };
            if let Some((_, value)) = own.environment.iter().rev().find(|(own, _)| own == name) {
                return value.as_ref().map_or(!certain, |value| any(globs, value));
            }
            call = own.carrier.and_then(|index| self.facts.effects.calls.get(index));
        }
        self.session.variable(name).is_some_and(|value| any(globs, &value))
    }
}

/// Does a pattern name the program of that word? With a `/` in it, it names a place, whose `./` may be left out.
fn is_named(pattern: &Glob, word: &str, program: Option<&str>) -> bool {
    if !pattern.as_str().contains('/') {
        return program.is_some_and(|program| pattern.matches_text(program))
            || pattern.matches_text(file_name(word));
    }
    let plain = word.strip_prefix("./").filter(|plain| plain.contains('/'));
    let is_below = word.contains('/') && !word.starts_with(['/', '.', '~']);
    pattern.matches_text(word)
        || plain.is_some_and(|plain| pattern.matches_text(plain))
        || (is_below && pattern.matches_text(&format!("./{word}")))
}

/// The arguments from the subcommand on, where options stand before it.
fn behind_global_options<'a>(call: &Call, arguments: &[Option<&'a str>]) -> Option<Vec<Option<&'a str>>> {
    let mut rest = arguments;
    let mut found = Vec::new();
    for part in &call.subcommand {
        let at = rest.iter().position(|argument| *argument == Some(part.as_str()))?;
        found.push(rest.get(at).copied().flatten());
        rest = rest.get(at + 1..)?;
    }
    if found.is_empty() {
        return None;
    }
    found.extend(rest);
    (found.len() < arguments.len()).then_some(found)
}

fn any(globs: &[Glob], text: &str) -> bool {
    globs.iter().any(|glob| glob.matches_text(text))
}

/// A pattern that does not compile matches nothing: a prompt or a stop is never lost to a typing error, and
/// `hookgate doctor` reports it.
fn says(patterns: &[TextPattern], text: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(text).unwrap_or(false))
}

/// The server and the tool of an MCP call.
fn mcp(call: &ToolCall) -> Option<(&str, &str)> {
    match call.tool() {
        Tool::Mcp { server, tool } if !server.is_empty() => Some((server, tool)),
        _ => None,
    }
}
