//! `[[gate]]`.

use std::ops::Range;
use std::time::Duration;

use toml::de::{DeTable, DeValue};

use super::reader::{Item, Reader, integer};
use crate::event_set::EventSet;
use crate::gate::{Gate, GateCheck};
use crate::keys::ENDINGS;
use crate::pattern::RunPattern;
use crate::rule::Condition;

/// How long the command of a gate may take that names no deadline.
const DEADLINE: Duration = Duration::from_secs(60);
/// How often a gate holds back after one prompt, where it doesn't say so: below the agent's own limit.
pub(super) const MAX_BLOCKS: u32 = 3;

impl Reader<'_> {
    pub(super) fn gate(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Gate> {
        let told = self.diagnostics.len();
        let mut check = None;
        let mut gate = Gate {
            code: String::new(),
            layer: self.source.kind,
            line: self.line(span.start),
            on: EventSet::from_name("Stop").unwrap_or_default(),
            when: Condition::All(Vec::new()),
            checks: Vec::new(),
            run: None,
            deadline: DEADLINE,
            counts: Vec::new(),
            files: Vec::new(),
            reason: String::new(),
            max_blocks: MAX_BLOCKS,
            shadow: false,
        };
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "code" => gate.code = self.owned(item, "gate.code").unwrap_or_default(),
                "on" => gate.on = self.endings(item, "gate.on")?,
                "when" => gate.when = self.condition(item, 0)?,
                "check" => check = self.checks(item),
                "run" => gate.run = self.program(item, "gate.run"),
                "deadline" => gate.deadline = self.length(item, "gate.deadline")?,
                "counts" => gate.counts = self.counted(item),
                "files" => gate.files = self.paths(item, "gate.files")?,
                "reason" => gate.reason = self.owned(item, "gate.reason").unwrap_or_default(),
                "max-blocks" => gate.max_blocks = self.number(item, "gate.max-blocks", 1..=20)?,
                "shadow" => gate.shadow = self.boolean(item, "gate.shadow").unwrap_or_default(),
                other => self.unknown_key(name.span(), "gate", other),
            }
        }
        if self.diagnostics.len() > told {
            return None;
        }
        // A command is a check by itself.
        gate.checks =
            check.or_else(|| gate.run.is_some().then(|| vec![GateCheck::Command])).unwrap_or_default();
        let checks_command = gate.checks.contains(&GateCheck::Command);
        let problem = if gate.checks.is_empty() {
            Some(("a gate without `check`", "add `check = \"tests\"`"))
        } else if checks_command && gate.run.is_none() {
            Some(("a gate that runs no command", "add `run`"))
        } else if gate.run.is_some() && !checks_command {
            Some(("`run` without `check = \"command\"`", "add `\"command\"` to `check`"))
        } else {
            None
        };
        if let Some((message, help)) = problem {
            self.error(span, "gate", message, "", Some(help.to_owned()));
            return None;
        }
        Some(gate)
    }

    fn checks(&mut self, item: &Item<'_>) -> Option<Vec<GateCheck>> {
        let mut wanted = Vec::new();
        for (name, item) in self.texts(item, "gate.check")? {
            match GateCheck::ALL.iter().find(|(_, known)| *known == name) {
                Some((check, _)) => wanted.push(*check),
                None => {
                    let names = GateCheck::ALL.iter().map(|(_, name)| *name);
                    self.unknown_value(item.span(), "gate.check", name, names);
                }
            }
        }
        let order = GateCheck::ALL.iter().map(|(check, _)| *check);
        Some(order.filter(|check| wanted.contains(check)).collect())
    }

    /// Events on which work ends.
    pub(super) fn endings(&mut self, item: &Item<'_>, key: &'static str) -> Option<EventSet> {
        let mut set = EventSet::NONE;
        for (name, item) in self.texts(item, key)? {
            match EventSet::from_name(name).filter(|_| ENDINGS.contains(&name)) {
                Some(event) => set = set.union(event),
                None => self.unknown_value(item.span(), key, name, ENDINGS.iter().copied()),
            }
        }
        Some(set)
    }

    fn counted(&mut self, item: &Item<'_>) -> Vec<RunPattern> {
        let mut patterns = Vec::new();
        for (text, item) in self.texts(item, "gate.counts").unwrap_or_default() {
            match RunPattern::parse(text) {
                Ok(pattern) => patterns.push(pattern),
                Err(error) => self.inside(item, "gate.counts", "pattern", text, &error),
            }
        }
        patterns
    }

    /// A whole number of a few.
    pub(super) fn number(
        &mut self,
        item: &Item<'_>,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Option<u32> {
        let number = match item.get_ref() {
            DeValue::Integer(number) => integer(number).and_then(|number| u32::try_from(number).ok()),
            _ => {
                self.wrong_type(item, key, "a number");
                return None;
            }
        };
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            let help = Some(format!("a number from {} to {}", range.start(), range.end()));
            self.error(item.span(), key, format!("`{key}` is out of range"), "", help);
        }
        number
    }
}
