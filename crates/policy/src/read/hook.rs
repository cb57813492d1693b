//! `[[hook]]`.

use std::ops::Range;
use std::time::Duration;

use toml::de::{DeTable, DeValue};

use super::reader::{Item, Reader};
use crate::event_set::EventSet;
use crate::hook::{HookFailure, HookProgram, SupervisedHook};
use crate::keys;
use crate::rule::Condition;

/// What a hook gets that names no deadline; below hookgate's own.
const DEADLINE: Duration = Duration::from_secs(3);

impl Reader<'_> {
    pub(super) fn hook(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<SupervisedHook> {
        let told = self.diagnostics.len();
        let (mut on, mut run) = (None, None);
        let mut hook = SupervisedHook {
            code: String::new(),
            layer: self.source.kind,
            line: self.line(span.start),
            on: EventSet::NONE,
            when: Condition::All(Vec::new()),
            run: HookProgram::Arguments(Vec::new()),
            requires: Vec::new(),
            deadline: DEADLINE,
            on_error: HookFailure::default(),
        };
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "code" => hook.code = self.owned(item, "hook.code").unwrap_or_default(),
                "on" => on = self.hook_events(item),
                "run" => run = self.program(item, "hook.run"),
                "when" => hook.when = self.condition(item, 0)?,
                "requires" => hook.requires = self.requirements(item, "hook.requires"),
                "deadline" => hook.deadline = self.length(item, "hook.deadline")?,
                "on-error" => {
                    let choices =
                        [HookFailure::Pass, HookFailure::Notice, HookFailure::Ask, HookFailure::Deny];
                    let found = self.one_of(item, "hook.on-error", keys::HOOK_FAILURES)?;
                    hook.on_error = choices.get(found).copied().unwrap_or_default();
                }
                // What `init --import` notes for the way back.
                "imported" => drop(self.table(item, "hook.imported")),
                other => self.unknown_key(name.span(), "hook", other),
            }
        }
        if self.diagnostics.len() > told {
            return None;
        }
        for (key, missing) in [("hook.on", on.is_none()), ("hook.run", run.is_none())] {
            if missing {
                let name = key.trim_start_matches("hook.");
                let help = Some(format!("add `{name}`"));
                self.error(span.clone(), key, format!("a hook without `{name}`"), "", help);
            }
        }
        (hook.on, hook.run) = (on?, run?);
        Some(hook)
    }

    fn hook_events(&mut self, item: &Item<'_>) -> Option<EventSet> {
        let mut set = EventSet::NONE;
        for (name, item) in self.texts(item, "hook.on")? {
            match EventSet::from_name(name) {
                Some(event) => set = set.union(event),
                None => self.unknown_value(item.span(), "hook.on", name, EventSet::all_names()),
            }
        }
        Some(set)
    }

    pub(super) fn program(&mut self, item: &Item<'_>, key: &'static str) -> Option<HookProgram> {
        let program = match item.get_ref() {
            DeValue::String(text) => HookProgram::Shell(text.to_string()),
            _ => {
                let words = self.texts(item, key)?;
                HookProgram::Arguments(words.into_iter().map(|(word, _)| word.to_owned()).collect())
            }
        };
        if program.name().trim().is_empty() {
            self.error(item.span(), key, format!("`{key}` is empty"), "", None);
            return None;
        }
        Some(program)
    }

    /// A length of time: `500ms`, `2s`, `1m`.
    pub(super) fn length(&mut self, item: &Item<'_>, key: &'static str) -> Option<Duration> {
        let text = self.text(item, key)?;
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let millis = match text.strip_prefix(digits).unwrap_or("") {
            "ms" => Some(1),
            "s" => Some(1_000),
            "m" => Some(60_000),
            _ => None,
        };
        let length = millis.and_then(|factor| digits.parse::<u64>().ok()?.checked_mul(factor));
        match length.filter(|millis| (1..=600_000).contains(millis)) {
            Some(millis) => Some(Duration::from_millis(millis)),
            None => {
                let help = Some("write it as 500ms, 2s or 1m; at most 10m".to_owned());
                self.error(item.span(), key, format!("not a length of time: `{text}`"), "", help);
                None
            }
        }
    }
}
