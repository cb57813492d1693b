//! `[[judge]]`.

use std::ops::Range;
use std::time::Duration;

use toml::de::{DeTable, DeValue};

use super::gate::MAX_BLOCKS;
use super::reader::{Item, Reader};
use crate::event_set::EventSet;
use crate::judge::{
    Criterion, EvidenceKind, Judge, JudgeFailure, KeySource, MOST_CRITERIA, ModelName, Provider,
};
use crate::keys;
use crate::rule::Condition;

/// How long a judge may take that names no deadline.
const DEADLINE: Duration = Duration::from_secs(30);
/// How often a judge's model is asked in a session, where it doesn't say so.
const MAX_CALLS: u32 = 100;

impl Reader<'_> {
    pub(super) fn judge(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Judge> {
        let told = self.diagnostics.len();
        let (mut criteria, mut model) = (None, None);
        let mut judge = Judge {
            code: String::new(),
            layer: self.source.kind,
            line: self.line(span.start),
            on: EventSet::from_name("Stop").unwrap_or_default(),
            when: Condition::All(Vec::new()),
            criteria: Vec::new(),
            model: ModelName { provider: Provider::Anthropic, model: String::new() },
            url: None,
            key: KeySource::Usual,
            evidence: EvidenceKind::ALL.iter().map(|(kind, _)| *kind).collect(),
            deadline: DEADLINE,
            on_error: JudgeFailure::Pass,
            max_blocks: MAX_BLOCKS,
            max_calls: MAX_CALLS,
            shadow: false,
            unmeasured: false,
        };
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "code" => judge.code = self.owned(item, "judge.code").unwrap_or_default(),
                "on" => judge.on = self.endings(item, "judge.on")?,
                "when" => judge.when = self.condition(item, 0)?,
                "criteria" => criteria = self.criteria(item),
                "model" => model = self.model(item),
                "url" => judge.url = self.address(item, "judge.url"),
                "key" => judge.key = self.key(item)?,
                "evidence" => judge.evidence = self.evidence(item)?,
                "deadline" => judge.deadline = self.length(item, "judge.deadline")?,
                "on-error" => {
                    let choices = [JudgeFailure::Pass, JudgeFailure::Deny];
                    let found = self.one_of(item, "judge.on-error", keys::JUDGE_FAILURES)?;
                    judge.on_error = choices.get(found).copied().unwrap_or_default();
                }
                "max-blocks" => judge.max_blocks = self.number(item, "judge.max-blocks", 1..=20)?,
                "max-calls" => judge.max_calls = self.number(item, "judge.max-calls", 1..=1000)?,
                "shadow" => judge.shadow = self.boolean(item, "judge.shadow").unwrap_or_default(),
                "unmeasured" => judge.unmeasured = self.boolean(item, "judge.unmeasured").unwrap_or_default(),
                // What `init --import` notes for the way back.
                "imported" => drop(self.table(item, "judge.imported")),
                other => self.unknown_key(name.span(), "judge", other),
            }
        }
        if self.diagnostics.len() > told {
            return None;
        }
        for (key, missing) in [("judge.criteria", criteria.is_none()), ("judge.model", model.is_none())] {
            if missing {
                let name = key.trim_start_matches("judge.");
                let help = Some(format!("add `{name}`"));
                self.error(span.clone(), key, format!("a judge without `{name}`"), "", help);
            }
        }
        (judge.criteria, judge.model) = (criteria?, model?);
        Some(judge)
    }

    fn criteria(&mut self, item: &Item<'_>) -> Option<Vec<Criterion>> {
        let DeValue::Array(items) = item.get_ref() else {
            self.wrong_type(item, "judge.criteria", "a list of tables");
            return None;
        };
        let mut criteria: Vec<Criterion> = Vec::new();
        for item in items {
            let (mut id, mut ask) = (None, None);
            for (name, item) in self.table(item, "judge.criteria")? {
                match name.get_ref().as_ref() {
                    "id" => id = self.owned(item, "judge.criteria.id"),
                    "ask" => ask = self.owned(item, "judge.criteria.ask"),
                    other => self.unknown_key(name.span(), "judge.criteria", other),
                }
            }
            let (Some(id), Some(ask)) = (id, ask) else {
                let help = Some("write `{ id = \"tested\", ask = \"Did the tests pass?\" }`".to_owned());
                self.error(item.span(), "judge.criteria", "a criterion has an `id` and an `ask`", "", help);
                return None;
            };
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let problem = if id.is_empty() || id.len() > 40 || !id.chars().all(is_name) {
                Some("an `id` is made of letters, digits, `-` and `_`, at most 40 of them")
            } else if criteria.iter().any(|other| other.id == id) {
                Some("this `id` is another criterion's")
            } else if ask.trim().is_empty() || ask.len() > 4_000 {
                Some("an `ask` is a question of at most 4000 bytes")
            } else {
                None
            };
            if let Some(problem) = problem {
                self.error(item.span(), "judge.criteria", problem, "", None);
                return None;
            }
            criteria.push(Criterion { id, ask });
        }
        if criteria.is_empty() || criteria.len() > MOST_CRITERIA {
            let help = Some("split it into several judges".to_owned());
            let message = format!("a judge has 1 to {MOST_CRITERIA} criteria");
            self.error(item.span(), "judge.criteria", message, "", help);
            return None;
        }
        Some(criteria)
    }

    fn model(&mut self, item: &Item<'_>) -> Option<ModelName> {
        let text = self.text(item, "judge.model")?;
        let (provider, model) = text.split_once(':').unwrap_or((text, ""));
        let provider = Provider::ALL.iter().find(|(_, name)| *name == provider);
        match provider.filter(|_| !model.trim().is_empty()) {
            Some((provider, _)) => Some(ModelName { provider: *provider, model: model.trim().to_owned() }),
            None => {
                let help = "write `anthropic:MODEL`, `openai:MODEL` (with `url` for another server), or `agent:PROGRAM`";
                let message = format!("unknown model `{text}`");
                self.error(item.span(), "judge.model", message, "", Some(help.to_owned()));
                None
            }
        }
    }

    fn key(&mut self, item: &Item<'_>) -> Option<KeySource> {
        let help = "write `{ variable = \"NAME\" }`, `{ run = [\"pass\", \"show\", \"key\"] }` or `\"none\"`";
        if item.get_ref().as_str() == Some("none") {
            return Some(KeySource::Nothing);
        }
        let table = item.get_ref().as_table();
        let Some((name, value)) =
            table.filter(|table| table.len() == 1).and_then(|table| table.iter().next())
        else {
            let message = "a key itself is never in a policy; say where it comes from";
            self.error(item.span(), "judge.key", message, "", Some(help.to_owned()));
            return None;
        };
        match name.get_ref().as_ref() {
            "variable" => self.owned(value, "judge.key").map(KeySource::Variable),
            "run" => self.program(value, "judge.key").map(KeySource::Program),
            other => {
                let message = format!("a key doesn't come from `{other}`");
                self.error(name.span(), "judge.key", message, "", Some(help.to_owned()));
                None
            }
        }
    }

    fn evidence(&mut self, item: &Item<'_>) -> Option<Vec<EvidenceKind>> {
        let mut kinds = Vec::new();
        for (name, item) in self.texts(item, "judge.evidence")? {
            match EvidenceKind::ALL.iter().find(|(_, known)| *known == name) {
                Some((kind, _)) => kinds.push(*kind),
                None => {
                    let names = EvidenceKind::ALL.iter().map(|(_, name)| *name);
                    self.unknown_value(item.span(), "judge.evidence", name, names);
                }
            }
        }
        Some(kinds)
    }
}
