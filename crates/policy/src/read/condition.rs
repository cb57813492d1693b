//! `when`: conditions.

use super::reader::{Check, Item, Reader};
use crate::diagnostic::nearest;
use crate::event_set::EventSet;
use crate::glob::Glob;
use crate::keys;
use crate::pattern::{PathPattern, RunPattern, TextPattern};
use crate::rule::{Access, Condition};
use hookgate_effects::Kind;
use toml::de::DeTable;

/// How deep `all`, `any` and `not` may be nested.
const DEPTH: usize = 16;

/// The fields that events carry besides those that conditions have keys for.
const FIELDS: &[&str] = &[
    "action",
    "command_args",
    "command_name",
    "command_source",
    "compact_summary",
    "custom_instructions",
    "directory",
    "elicitation_id",
    "error",
    "error_details",
    "event",
    "expansion_type",
    "file_path",
    "final",
    "from_model",
    "is_interrupt",
    "load_reason",
    "mcp_server_name",
    "memory_type",
    "message",
    "mode",
    "model",
    "name",
    "new_cwd",
    "notification_type",
    "old_cwd",
    "reason",
    "requested_model",
    "session_id",
    "session_title",
    "source",
    "stop_hook_active",
    "task_description",
    "task_id",
    "task_subject",
    "teammate_name",
    "team_name",
    "title",
    "to_model",
    "trigger",
    "trigger_file_path",
    "url",
    "worktree_path",
    "cwd",
    "delta",
    "duration_ms",
    "transcript_path",
    "agent_id",
    "agent_transcript_path",
    "parent_file_path",
];

impl Reader<'_> {
    pub(super) fn condition(&mut self, item: &Item<'_>, depth: usize) -> Option<Condition> {
        if depth > DEPTH {
            self.error(item.span(), "rule.when", "conditions are nested too deeply", "", None);
            return None;
        }
        let table = self.table(item, "rule.when")?;
        if table.is_empty() {
            let help = Some("omit `when` for a rule that always applies".to_owned());
            self.error(item.span(), "rule.when", "an empty condition", "", help);
            return None;
        }
        self.parts(table, depth)
    }

    fn parts(&mut self, table: &DeTable<'_>, depth: usize) -> Option<Condition> {
        let mut parts = Vec::with_capacity(table.len());
        let mut whole = true;
        for (name, item) in table {
            let before = self.diagnostics.len();
            let part = match name.get_ref().as_ref() {
                "run" => self.runs(item).map(Condition::Run),
                "effect" => self.kinds(item).map(Condition::Effect),
                "read" => {
                    self.paths(item, "rule.when.read").map(|paths| Condition::Path(Access::Read, paths))
                }
                "write" => {
                    self.paths(item, "rule.when.write").map(|paths| Condition::Path(Access::Write, paths))
                }
                "delete" => {
                    self.paths(item, "rule.when.delete").map(|paths| Condition::Path(Access::Delete, paths))
                }
                "host" => self.globs(item, "rule.when.host").map(Condition::Host),
                "url" => self.globs(item, "rule.when.url").map(Condition::Url),
                "content" => self.messages(item, "rule.when.content").map(Condition::Content),
                "message" => self.messages(item, "rule.when.message").map(Condition::Message),
                "input" => self.named(item, "rule.when.input", Condition::Input),
                "tool" => self.globs(item, "rule.when.tool").map(Condition::Tool),
                "mcp-server" => self.globs(item, "rule.when.mcp-server").map(Condition::McpServer),
                "mcp-tool" => self.globs(item, "rule.when.mcp-tool").map(Condition::McpTool),
                "prompt" => self.messages(item, "rule.when.prompt").map(Condition::Prompt),
                "last-message" => self.messages(item, "rule.when.last-message").map(Condition::LastMessage),
                "permission-mode" => self
                    .some_of(item, "rule.when.permission-mode", keys::PERMISSION_MODES)
                    .map(Condition::PermissionMode),
                "attended" => self.boolean(item, "rule.when.attended").map(Condition::Attended),
                "agent-type" => self.globs(item, "rule.when.agent-type").map(Condition::AgentType),
                "agent" => self.some_of(item, "rule.when.agent", keys::AGENTS).map(Condition::Agent),
                "branch" => self.globs(item, "rule.when.branch").map(Condition::Branch),
                "env" => self.named(item, "rule.when.env", Condition::Environment),
                "field" => self.named(item, "rule.when.field", Condition::Field),
                "subagent" => self.boolean(item, "rule.when.subagent").map(Condition::Subagent),
                "all" => self.conditions(item, "rule.when.all", depth).map(Condition::All),
                "any" => self.conditions(item, "rule.when.any", depth).map(Condition::Any),
                "not" => self.condition(item, depth + 1).map(|part| Condition::Not(Box::new(part))),
                other => {
                    self.unknown_key(name.span(), "rule.when", other);
                    None
                }
            };
            whole &= part.is_some() && self.diagnostics.len() == before;
            parts.extend(part);
        }
        // A condition that lost a part would hold where its author did not mean it to.
        let only_warnings =
            whole || self.diagnostics.iter().all(|one| one.severity != crate::Severity::Error);
        only_warnings.then(|| if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) })
    }

    fn conditions(&mut self, item: &Item<'_>, key: &'static str, depth: usize) -> Option<Vec<Condition>> {
        let Some(items) = item.get_ref().as_array() else {
            self.wrong_type(item, key, "a list of conditions");
            return None;
        };
        if items.is_empty() {
            let label = if key == "rule.when.any" { "this never holds" } else { "this always holds" };
            self.error(item.span(), key, "an empty list of conditions", label, None);
            return None;
        }
        items.iter().map(|item| self.condition(item, depth + 1)).collect()
    }

    /// The texts of a list that must not be empty.
    fn values<'i>(&mut self, item: &'i Item<'_>, key: &'static str) -> Option<Vec<(&'i str, &'i Item<'i>)>> {
        let texts = self.texts(item, key)?;
        if texts.is_empty() {
            self.error(item.span(), key, format!("`{key}` is empty"), "this never holds", None);
            return None;
        }
        Some(texts)
    }

    fn runs(&mut self, item: &Item<'_>) -> Option<Vec<RunPattern>> {
        let mut runs = Vec::new();
        for (text, item) in self.values(item, "rule.when.run")? {
            match RunPattern::parse(text) {
                Ok(run) => {
                    self.doubt(item, "rule.when.run", text);
                    runs.push(run);
                }
                Err(error) => self.inside(item, "rule.when.run", "command pattern", text, &error),
            }
        }
        Some(runs)
    }

    fn kinds(&mut self, item: &Item<'_>) -> Option<Vec<Kind>> {
        let mut kinds = Vec::new();
        for (text, item) in self.values(item, "rule.when.effect")? {
            match Kind::from_name(text) {
                Some(kind) => kinds.push(kind),
                None => {
                    let help = nearest(text, keys::kind_names()).map_or_else(
                        || "`hookgate config rule.when.effect` lists the kinds".to_owned(),
                        |near| format!("did you mean `{near}`?"),
                    );
                    let message = format!("unknown kind of effect `{text}`");
                    self.error(item.span(), "rule.when.effect", message, "", Some(help));
                }
            }
        }
        Some(kinds)
    }

    pub(super) fn paths(&mut self, item: &Item<'_>, key: &'static str) -> Option<Vec<PathPattern>> {
        let mut paths = Vec::new();
        for (text, item) in self.values(item, key)? {
            match PathPattern::parse(text) {
                Ok(path) => paths.push(path),
                Err(error) => self.inside(item, key, "path pattern", text, &error),
            }
        }
        Some(paths)
    }

    fn globs(&mut self, item: &Item<'_>, key: &'static str) -> Option<Vec<Glob>> {
        let mut globs = Vec::new();
        for (text, item) in self.values(item, key)? {
            match Glob::parse(text) {
                Ok(glob) => {
                    self.doubt(item, key, text);
                    globs.push(glob);
                }
                Err(error) => self.inside(item, key, "glob", text, &error),
            }
        }
        Some(globs)
    }

    fn messages(&mut self, item: &Item<'_>, key: &'static str) -> Option<Vec<TextPattern>> {
        let mut patterns = Vec::new();
        for (text, item) in self.values(item, key)? {
            let pattern = TextPattern::parse(text);
            if let TextPattern::Expression(_) = &pattern
                && self.check != Check::Quick
                && let Err(message) = pattern.matches("")
            {
                self.bad_expression(item, key, text, &message);
            }
            patterns.push(pattern);
        }
        Some(patterns)
    }

    fn some_of(&mut self, item: &Item<'_>, key: &'static str, values: &[&str]) -> Option<Vec<String>> {
        let mut found = Vec::new();
        for (text, item) in self.values(item, key)? {
            if values.contains(&text) {
                found.push(text.to_owned());
            } else {
                self.unknown_value(item.span(), key, text, values.iter().copied());
            }
        }
        Some(found)
    }

    fn named(
        &mut self,
        item: &Item<'_>,
        key: &'static str,
        make: fn(String, Vec<Glob>) -> Condition,
    ) -> Option<Condition> {
        let mut parts = Vec::new();
        for (name, item) in self.table(item, key)? {
            if key == "rule.when.field"
                && self.check.is_thorough()
                && !FIELDS.contains(&name.get_ref().as_ref())
            {
                let help = nearest(name.get_ref(), FIELDS.iter().copied())
                    .map(|near| format!("did you mean `{near}`?"));
                let message = format!("no known event has the field `{}`", name.get_ref());
                self.warning(name.span(), key, message, "", help);
            }
            parts.push(make(name.get_ref().to_string(), self.globs(item, key)?));
        }
        if parts.is_empty() {
            self.error(item.span(), key, format!("`{key}` is empty"), "", None);
            return None;
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) })
    }
}

/// The events on which a condition can hold at all.
pub(super) fn possible_events(condition: &Condition) -> EventSet {
    let named = |names: &[&str]| {
        names.iter().filter_map(|name| EventSet::from_name(name)).fold(EventSet::NONE, EventSet::union)
    };
    match condition {
        Condition::All(parts) => {
            parts.iter().map(possible_events).fold(EventSet::ALL, EventSet::intersection)
        }
        Condition::Any(parts) => parts.iter().map(possible_events).fold(EventSet::NONE, EventSet::union),
        Condition::Run(_)
        | Condition::Effect(_)
        | Condition::Path(..)
        | Condition::Host(_)
        | Condition::Url(_)
        | Condition::Content(_)
        | Condition::Message(_)
        | Condition::Input(..)
        | Condition::Tool(_)
        | Condition::McpServer(_)
        | Condition::McpTool(_) => EventSet::TOOL,
        Condition::Prompt(_) => named(&["UserPromptSubmit", "UserPromptExpansion"]),
        Condition::LastMessage(_) => named(&["Stop", "SubagentStop", "StopFailure"]),
        _ => EventSet::ALL,
    }
}
