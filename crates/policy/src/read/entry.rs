//! `[[rule]]`, `[[exception]]` and `[[case]]`.

use super::carried::Marks;
use super::condition::possible_events;
use super::reader::{Item, Reader, json, json_map};
use crate::code::group_of;
use crate::diagnostic::nearest;
use crate::event_set::EventSet;
use crate::keys;
use crate::layer::Reference;
use crate::level::Level;
use crate::rule::{Case, CaseInput, Condition, Exception, OwnRule};
use hookgate_agents::{Decision, ElicitationAction, Extras, PermissionUpdate};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The fields of `set`, and the events that carry them.
const SET_EVENTS: &[(&str, &[&str])] = &[
    ("session-title", &["SessionStart", "UserPromptSubmit"]),
    ("initial-message", &["SessionStart"]),
    ("watch-paths", &["SessionStart", "CwdChanged", "FileChanged"]),
    ("reload-skills", &["SessionStart"]),
    ("tool-output", &["PostToolUse"]),
    ("mcp-tool-output", &["PostToolUse"]),
    ("classifier-context", &["PostToolUse"]),
    ("suppress-prompt", &["UserPromptSubmit", "UserPromptExpansion"]),
    ("retry", &["PermissionDenied"]),
    ("elicitation", &["Elicitation", "ElicitationResult"]),
    ("display", &["MessageDisplay"]),
    ("worktree-path", &["WorktreeCreate"]),
    ("compact-instructions", &["PreCompact"]),
    ("interrupt", &["PermissionRequest"]),
];

fn events(names: &[&str]) -> EventSet {
    names.iter().filter_map(|name| EventSet::from_name(name)).fold(EventSet::NONE, EventSet::union)
}

/// The longest code of a rule. A model reads it, whoever has chosen it.
const LONGEST_CODE: usize = 24;

impl Reader<'_> {
    pub(super) fn rule(
        &mut self,
        table: &DeTable<'_>,
        span: Range<usize>,
        before: &mut BTreeMap<String, usize>,
    ) -> Option<OwnRule> {
        let mut code = None;
        let mut on = None;
        let mut when = None;
        let mut then = None;
        let mut context_span = None;
        let mut extras = Extras::default();
        let mut set_names = Vec::new();
        let told = self.diagnostics.len();
        let mut rule = OwnRule {
            code: String::new(),
            layer: self.source.kind,
            line: self.line(span.start),
            on: EventSet::NONE,
            when: Condition::All(Vec::new()),
            then: Level::Note,
            reason: String::new(),
            fix: None,
            context: None,
            tell_user: None,
            updated_input: None,
            set: None,
            shadow: false,
            until: None,
        };
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "code" => code = self.own_code(item, before).map(|code| (code, item.span())),
                "on" => on = Some((self.events(item)?, item.span())),
                "when" => when = Some((self.condition(item, 0), item.span())),
                "then" => then = Some((self.level(item, "rule.then"), item.span())),
                "reason" => rule.reason = self.owned(item, "rule.reason").unwrap_or_default(),
                "fix" => rule.fix = self.owned(item, "rule.fix"),
                "context" => {
                    context_span = Some(name.span());
                    rule.context = self.owned(item, "rule.context");
                }
                "tell-user" => rule.tell_user = self.owned(item, "rule.tell-user"),
                "updated-permissions" => {
                    self.permissions(item, &mut extras);
                    set_names.push(("updated-permissions", events(&["PermissionRequest"]), name.span()));
                }
                "updated-input" => {
                    rule.updated_input = self.table(item, "rule.updated-input").map(json_map);
                    let events = events(&["PreToolUse", "PermissionRequest"]);
                    set_names.push(("updated-input", events, name.span()));
                }
                "shadow" => rule.shadow = self.boolean(item, "rule.shadow").unwrap_or_default(),
                "until" => rule.until = self.date(item, "rule.until"),
                "set" => self.set(item, &mut extras, &mut set_names),
                other => self.unknown_key(name.span(), "rule", other),
            }
        }
        let says_something = rule.context.is_some() || rule.tell_user.is_some() || !set_names.is_empty();
        rule.then = match &then {
            Some((level, _)) => (*level)?,
            None if says_something => Level::Note,
            None => {
                if self.diagnostics.len() == told {
                    let help = Some(format!("add `then`: one of {}", keys::LEVELS.join(", ")));
                    let message = "a rule without an effect";
                    self.error(head(&span), "rule.then", message, "`then` is missing", help);
                }
                return None;
            }
        };
        let Some((code, code_span)) = code else {
            if self.diagnostics.len() == told {
                let help = Some("add one, such as `code = \"ACME001\"`".to_owned());
                self.error(head(&span), "rule.code", "a rule without a code", "`code` is missing", help);
            }
            return None;
        };
        rule.code = code;
        let then_span = then.map_or(code_span, |(_, span)| span);
        let given = on.is_some();
        (rule.on, _) = on.clone().unwrap_or_else(|| {
            let both = matches!(rule.then, Level::Allow | Level::Deny);
            let request = if both { EventSet::PERMISSION_REQUEST } else { EventSet::NONE };
            (EventSet::PRE_TOOL_USE.union(request), 0..0)
        });
        if let Some((when, span)) = when {
            rule.when = when?;
            let possible = possible_events(&rule.when);
            if possible.intersection(rule.on).is_empty() {
                self.never(&on.map_or(span, |(_, span)| span), possible, rule.on, given);
            }
        }
        if rule.then == Level::Allow {
            self.grant(&rule, &then_span);
        }
        let at = |key: &str| set_names.iter().find(|(name, ..)| *name == key).map(|(.., span)| span.clone());
        let marks = Marks {
            then: then_span,
            context: context_span,
            suppress_prompt: at("suppress-prompt"),
            tool_output: at("tool-output"),
        };
        self.uncarried(rule.on, &set_names);
        if extras != Extras::default() {
            rule.set = Some(Box::new(extras));
        }
        self.carried(&rule, &marks);
        Some(rule)
    }

    /// What a rule that allows has to say, and where it can.
    fn grant(&mut self, rule: &OwnRule, then: &Range<usize>) {
        if rule.reason.trim().is_empty() {
            let help = "add `reason`: an allow skips the user's prompt, so it has to say why".to_owned();
            let message = "an allow without a reason";
            self.error(then.clone(), "rule.reason", message, "`reason` is missing", Some(help));
        }
        let grants = events(&["PreToolUse", "PermissionRequest", "PreModelSwitch"]);
        if rule.on.intersection(grants).is_empty() {
            let names: Vec<_> = rule.on.names().collect();
            let help = "only PreToolUse, PermissionRequest and PreModelSwitch can be allowed".to_owned();
            let message = format!("{} can't be allowed", names.join(", "));
            self.error(then.clone(), "rule.then", message, "", Some(help));
        }
    }

    /// What a rule sets that none of its events can carry.
    fn uncarried(&mut self, on: EventSet, set: &[(&'static str, EventSet, Range<usize>)]) {
        for (name, events, span) in set.iter().filter(|(_, events, _)| events.intersection(on).is_empty()) {
            let names: Vec<_> = events.names().collect();
            let asked: Vec<_> = on.names().collect();
            let help = format!("add `on = \"{}\"`", names.first().unwrap_or(&""));
            let label = format!("only {} can", names.join(", "));
            let message = format!("{} can't carry `{name}`", asked.join(", "));
            self.error(span.clone(), "rule.set", message, label, Some(help));
        }
    }

    fn never(&mut self, span: &Range<usize>, possible: EventSet, on: EventSet, given: bool) {
        let asked: Vec<_> = on.names().collect();
        let message = format!("this rule can never fire on {}", asked.join(", "));
        let names: Vec<_> = possible.names().collect();
        let help = match names.as_slice() {
            [] => "its parts need different events: use `any`, or two rules".to_owned(),
            [first, ..] if given => {
                format!("its `when` can match on {}; use `on = \"{first}\"`, for example", names.join(", "))
            }
            [first, ..] => format!("add `on = \"{first}\"`; its `when` can match on {}", names.join(", ")),
        };
        self.error(span.clone(), "rule.on", message, "", Some(help));
    }

    fn own_code(&mut self, item: &Item<'_>, before: &mut BTreeMap<String, usize>) -> Option<String> {
        let code = self.text(item, "rule.code")?;
        let group = group_of(code);
        let well_formed = !group.is_empty()
            && group.len() < code.len()
            && group.bytes().all(|byte| byte.is_ascii_uppercase());
        let problem = if !well_formed {
            Some((format!("bad code `{code}`"), "use capital letters, then digits: ACME001".to_owned()))
        } else if code.len() > LONGEST_CODE {
            let help = format!("use at most {LONGEST_CODE} characters: ACME001");
            Some((format!("the code `{code}` is too long"), help))
        } else if self.vocabulary.rule(code).is_some() {
            Some((
                format!("`{code}` is a built-in rule"),
                format!("choose another group; to set its level: [rules] {code} = \"...\""),
            ))
        } else if self.vocabulary.has_group(group) {
            Some((
                format!("`{group}` is a built-in group"),
                "choose another group, so that no later rule has the same code".to_owned(),
            ))
        } else {
            let line = self.line(item.span().start);
            before
                .insert(code.to_owned(), line)
                .map(|other| (format!("duplicate code `{code}`"), format!("first used on line {other}")))
        };
        match problem {
            Some((message, help)) => {
                self.error(item.span(), "rule.code", message, "", Some(help));
                None
            }
            None => Some(code.to_owned()),
        }
    }

    fn events(&mut self, item: &Item<'_>) -> Option<EventSet> {
        let mut set = EventSet::NONE;
        let mut whole = true;
        for (name, item) in self.texts(item, "rule.on")? {
            match EventSet::from_name(name) {
                Some(event) => set = set.union(event),
                None => {
                    whole = false;
                    let help = nearest(name, EventSet::all_names()).map_or_else(
                        || "`hookgate config rule.on` lists the events".to_owned(),
                        |near| format!("did you mean `{near}`?"),
                    );
                    self.error(item.span(), "rule.on", format!("unknown event `{name}`"), "", Some(help));
                }
            }
        }
        if whole && set.is_empty() {
            self.error(item.span(), "rule.on", "this rule can never fire", "no event", None);
            whole = false;
        }
        whole.then_some(set)
    }

    fn set(
        &mut self,
        item: &Item<'_>,
        extras: &mut Extras,
        names: &mut Vec<(&'static str, EventSet, Range<usize>)>,
    ) {
        let Some(table) = self.table(item, "rule.set") else { return };
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "session-title" => extras.session_title = self.owned(item, "rule.set.session-title"),
                "initial-message" => {
                    extras.initial_user_message = self.owned(item, "rule.set.initial-message");
                }
                "watch-paths" => {
                    let paths = self.texts(item, "rule.set.watch-paths").unwrap_or_default();
                    for (path, item) in &paths {
                        if !path.starts_with('/') {
                            let help = Some("the agent accepts only absolute paths here".to_owned());
                            let message = format!("relative path `{path}`");
                            self.error(item.span(), "rule.set.watch-paths", message, "", help);
                        }
                    }
                    extras.watch_paths = Some(paths.into_iter().map(|(path, _)| path.to_owned()).collect());
                }
                "reload-skills" => extras.reload_skills = self.yes(item, "rule.set.reload-skills"),
                "tool-output" => extras.tool_output = Some(json(item.get_ref())),
                "mcp-tool-output" => extras.mcp_tool_output = Some(json(item.get_ref())),
                "classifier-context" => {
                    extras.classifier_context = self.owned(item, "rule.set.classifier-context");
                }
                "suppress-prompt" => {
                    extras.suppress_original_prompt = self.yes(item, "rule.set.suppress-prompt");
                }
                "retry" => extras.retry = self.yes(item, "rule.set.retry"),
                "elicitation" => self.elicitation(item, extras),
                "display" => extras.display_content = self.owned(item, "rule.set.display"),
                "worktree-path" => extras.worktree_path = self.owned(item, "rule.set.worktree-path"),
                "compact-instructions" => {
                    extras.compact_instructions = self.owned(item, "rule.set.compact-instructions");
                }
                "terminal-sequence" => {
                    extras.terminal_sequence = self.owned(item, "rule.set.terminal-sequence");
                }
                "interrupt" => extras.interrupt = self.yes(item, "rule.set.interrupt"),
                other => self.unknown_key(name.span(), "rule.set", other),
            }
            let known = SET_EVENTS.iter().find(|(known, _)| name.get_ref() == *known);
            names.push(match known {
                Some((known, on)) => (known, events(on), name.span()),
                None => ("", EventSet::ALL, name.span()),
            });
        }
    }

    fn permissions(&mut self, item: &Item<'_>, extras: &mut Extras) {
        let DeValue::Array(items) = item.get_ref() else {
            self.wrong_type(item, "rule.updated-permissions", "a list of tables");
            return;
        };
        for item in items {
            match PermissionUpdate::from_value(&json(item.get_ref())) {
                Ok(update) => extras.updated_permissions.push(update),
                Err(error) => {
                    let message = format!("not a permission update: {error}");
                    self.error(item.span(), "rule.updated-permissions", message, "", None);
                }
            }
        }
    }

    fn yes(&mut self, item: &Item<'_>, key: &'static str) -> bool {
        self.boolean(item, key).unwrap_or_default()
    }

    fn elicitation(&mut self, item: &Item<'_>, extras: &mut Extras) {
        let Some(table) = self.table(item, "rule.set.elicitation") else { return };
        let (mut action, mut content) = (None, None);
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "action" => {
                    let key = "rule.set.elicitation.action";
                    let actions =
                        [ElicitationAction::Accept, ElicitationAction::Decline, ElicitationAction::Cancel];
                    let found = self.one_of(item, key, keys::ELICITATION_ACTIONS);
                    action = Some(found.and_then(|at| actions.get(at).copied()));
                }
                "content" => content = self.table(item, "rule.set.elicitation.content").map(json_map),
                other => self.unknown_key(name.span(), "rule.set.elicitation", other),
            }
        }
        match action {
            Some(action) => extras.elicitation = action.map(|action| (action, content)),
            None => {
                let help = Some(format!("use one of {}", keys::ELICITATION_ACTIONS.join(", ")));
                let key = "rule.set.elicitation.action";
                self.error(item.span(), key, "this answer has no `action`", "`action` is missing", help);
            }
        }
    }

    pub(super) fn exception(
        &mut self,
        table: &DeTable<'_>,
        span: Range<usize>,
        foreign: &mut Vec<Reference>,
    ) -> Option<Exception> {
        let told = self.diagnostics.len();
        let (mut code, mut when, mut reason, mut until) = (None, Condition::All(Vec::new()), None, None);
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "code" => {
                    code = self.owned(item, "exception.code");
                    self.refer(code.as_deref(), item, "exception.code", foreign);
                }
                "when" => when = self.condition(item, 0)?,
                "reason" => reason = self.owned(item, "exception.reason"),
                "until" => until = self.date(item, "exception.until"),
                other => self.unknown_key(name.span(), "exception", other),
            }
        }
        for (key, missing) in [
            ("exception.code", code.is_none()),
            ("exception.reason", reason.as_ref().is_none_or(|reason| reason.trim().is_empty())),
        ] {
            if missing && self.diagnostics.len() == told {
                let name = key.trim_start_matches("exception.");
                self.error(
                    head(&span),
                    key,
                    format!("an exception without a {name}"),
                    "",
                    Some(format!("add `{name}`")),
                );
            }
        }
        Some(Exception { code: code?, layer: self.source.kind, when, reason: reason?, until })
    }

    /// Remembers a code that another file may define.
    pub(super) fn refer(
        &mut self,
        code: Option<&str>,
        item: &Item<'_>,
        key: &'static str,
        foreign: &mut Vec<Reference>,
    ) {
        if let Some(code) = code
            && self.vocabulary.rule(code).is_none()
        {
            foreign.push(Reference { code: code.to_owned(), span: item.span(), key });
        }
    }

    pub(super) fn case(
        &mut self,
        table: &DeTable<'_>,
        span: Range<usize>,
        foreign: &mut Vec<Reference>,
    ) -> Option<Case> {
        let told = self.diagnostics.len();
        let (mut name, mut input, mut cwd, mut expect, mut codes) = (None, Vec::new(), None, None, None);
        let (mut exactly, mut branch, mut environment, mut permission_mode) = (false, None, Vec::new(), None);
        for (key, item) in table {
            match key.get_ref().as_ref() {
                "name" => name = self.owned(item, "case.name"),
                "command" => input.extend(self.owned(item, "case.command").map(CaseInput::Command)),
                "event" => match item.get_ref() {
                    DeValue::Table(table) => input.push(CaseInput::Event(json_map(table))),
                    DeValue::String(file) => input.push(CaseInput::EventFile(file.to_string())),
                    _ => self.wrong_type(item, "case.event", "a table or the name of a file"),
                },
                "cwd" => cwd = self.owned(item, "case.cwd"),
                "exactly" => exactly = self.boolean(item, "case.exactly").unwrap_or_default(),
                "branch" => branch = self.owned(item, "case.branch"),
                "env" => {
                    for (variable, item) in self.table(item, "case.env")? {
                        let value = self.owned(item, "case.env");
                        environment.extend(value.map(|value| (variable.get_ref().to_string(), value)));
                    }
                }
                "permission-mode" => {
                    let modes = keys::PERMISSION_MODES;
                    let found = self.one_of(item, "case.permission-mode", modes)?;
                    permission_mode = modes.get(found).map(|mode| (*mode).to_owned());
                }
                "expect" => {
                    let decisions = [
                        Decision::Pass,
                        Decision::Handoff,
                        Decision::Allow,
                        Decision::Ask,
                        Decision::Deny,
                        Decision::Halt,
                    ];
                    let found = self.one_of(item, "case.expect", keys::DECISIONS)?;
                    expect = decisions.get(found).copied();
                }
                "codes" => {
                    let mut all = Vec::new();
                    for (code, item) in self.texts(item, "case.codes")? {
                        self.refer(Some(code), item, "case.codes", foreign);
                        all.push(code.to_owned());
                    }
                    codes = Some(all);
                }
                other => self.unknown_key(key.span(), "case", other),
            }
        }
        if self.diagnostics.len() > told {
            return None;
        }
        let Some(expect) = expect else {
            let help = Some(format!("add `expect`: one of {}", keys::DECISIONS.join(", ")));
            self.error(
                head(&span),
                "case.expect",
                "a case without an expectation",
                "`expect` is missing",
                help,
            );
            return None;
        };
        if input.len() != 1 {
            let help = Some("use either `command` or `event`".to_owned());
            self.error(head(&span), "case", "a case judges either a command or an event", "", help);
            return None;
        }
        let line = self.line(span.start);
        Some(Case {
            name,
            path: self.source.path.to_owned(),
            line,
            input: input.remove(0),
            cwd,
            expect,
            codes,
            exactly,
            branch,
            environment,
            permission_mode,
        })
    }
}

/// The header of a `[[table]]`: what is underlined when something is missing in it.
pub(super) fn head(span: &Range<usize>) -> Range<usize> {
    span.clone()
}
