//! The top of a policy file: everything but rules, exceptions and cases.

use super::reader::{Item, Reader, integer};
use crate::code::group_of;
use crate::diagnostic::nearest;
use crate::keys;
use crate::layer::{Layer, LevelEntry, Reference};
use crate::level::Level;
use crate::preset::Preset;
use crate::settings::{Audit, AuditContent, ExceptionLimits, Mode, OnError, Retries, Unattended};
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Groups all of whose findings can be mended afterwards.
const MENDABLE: [&str; 9] = ["ADD", "BRANCH", "COMMIT", "CONF", "ISSUE", "PKG", "PR", "PUSH", "SRC"];

/// The hexadecimal digits of a fingerprint that count.
const FINGERPRINT: usize = 16;

impl Reader<'_> {
    pub(super) fn file(&mut self, document: &DeTable<'_>) -> Layer {
        let mut layer = Layer::empty(self.source);
        let mut codes = BTreeMap::new();
        for (name, item) in document {
            match name.get_ref().as_ref() {
                "presets" => layer.presets = self.presets(item),
                "mode" => {
                    let modes = [Mode::Off, Mode::Shadow, Mode::Enforce];
                    layer.mode = self.choice(item, "mode", keys::MODES, &modes);
                }
                spelt @ ("on-error" | "on_error") => {
                    if spelt == "on_error" {
                        self.old_spelling(name.span(), "on-error");
                    }
                    let choices = [OnError::Pass, OnError::Ask, OnError::Deny];
                    layer.on_error = self.choice(item, "on-error", keys::ON_ERROR, &choices);
                }
                "unknown" => self.unknown(item, &mut layer),
                "unattended" => {
                    let Some(table) = self.table(item, "unattended") else { continue };
                    for (name, item) in table {
                        if name.get_ref() == "ask" {
                            let choices = [Unattended::Handoff, Unattended::Deny];
                            layer.unattended =
                                self.choice(item, "unattended.ask", keys::UNATTENDED, &choices);
                        } else {
                            self.unknown_key(name.span(), "unattended", name.get_ref());
                        }
                    }
                }
                "audit" => layer.audit = self.audit(item),
                "brief" => layer.brief = self.boolean(item, "brief"),
                "ask" => self.ask(item, &mut layer),
                "knowledge" => layer.knowledge = self.knowledge(item),
                "agent-exceptions" => layer.exception_limits = self.exception_limits(item),
                "retries" => layer.retries = self.retries(item),
                "secrets" => self.secrets(item, &mut layer),
                "packages" => layer.packages = self.packages(item),
                "commit" => layer.conventions.commits.extend(self.commit_convention(item)),
                "pull-request" => layer.conventions.pull_requests.extend(self.pull_request_convention(item)),
                "issue" => layer.conventions.issues.extend(self.issue_convention(item)),
                "branch" => layer.conventions.branches.extend(self.branch_convention(item)),
                "push" => layer.conventions.pushes.extend(self.push_convention(item)),
                "add" => layer.conventions.additions.extend(self.add_convention(item)),
                "rules" => self.levels(item, &mut layer),
                "rule" => self.entries(item, "rule", |reader, table, span| {
                    let rule = reader.rule(table, span, &mut codes);
                    layer.rules.extend(rule);
                }),
                "hook" => self.entries(item, "hook", |reader, table, span| {
                    let hook = reader.hook(table, span);
                    layer.hooks.extend(hook);
                }),
                "gate" => self.entries(item, "gate", |reader, table, span| {
                    let gate = reader.gate(table, span);
                    layer.gates.extend(gate);
                }),
                "judge" => self.entries(item, "judge", |reader, table, span| {
                    let judge = reader.judge(table, span);
                    layer.judges.extend(judge);
                }),
                "notify" => self.entries(item, "notify", |reader, table, span| {
                    let notify = reader.notify(table, span);
                    layer.notify.extend(notify);
                }),
                "protect" => self.entries(item, "protect", |reader, table, span| {
                    layer.protect.extend(reader.protect(table, span));
                }),
                "lint" => self.entries(item, "lint", |reader, table, span| {
                    layer.lint.extend(reader.lint(table, span));
                }),
                "rewrite" => self.entries(item, "rewrite", |reader, table, span| {
                    let rewrite = reader.rewrite(table, span, &mut layer.foreign);
                    layer.rewrites.extend(rewrite);
                }),
                "exception" => self.entries(item, "exception", |reader, table, span| {
                    let exception = reader.exception(table, span, &mut layer.foreign);
                    layer.exceptions.extend(exception);
                }),
                "case" => self.entries(item, "case", |reader, table, span| {
                    let case = reader.case(table, span, &mut layer.foreign);
                    layer.cases.extend(case);
                }),
                unknown => self.unknown_key(name.span(), "", unknown),
            }
        }
        self.worktrees(&layer);
        let rules = &layer.rules;
        layer.foreign.retain(|reference| {
            !rules.iter().any(|rule| rule.code == reference.code || group_of(&rule.code) == reference.code)
        });
        layer
    }

    /// `agent-exceptions` of a code, or of a group all of whose findings can be mended afterwards.
    fn agent_exceptions(&mut self, item: &Item<'_>, selector: &str) -> Option<bool> {
        let lets = self.boolean(item, "rules")?;
        let is_group = !selector.ends_with(|c: char| c.is_ascii_digit());
        if lets && (selector.starts_with("GATE") || is_group && !MENDABLE.contains(&selector)) {
            let help = if is_group && !selector.starts_with("GATE") {
                format!("name the codes one by one: not all that {selector} finds can be undone")
            } else {
                "what guards hookgate takes no exception".to_owned()
            };
            let message = format!("agents can't take exceptions to all of `{selector}`");
            self.error(item.span(), "rules", message, "", Some(help));
            return None;
        }
        Some(lets)
    }

    fn exception_limits(&mut self, item: &Item<'_>) -> Option<ExceptionLimits> {
        let mut limits = ExceptionLimits::default();
        for (name, item) in self.table(item, "agent-exceptions")? {
            let (place, key) = match name.get_ref().as_ref() {
                "per-hour" => (&mut limits.per_hour, "agent-exceptions.per-hour"),
                "per-day" => (&mut limits.per_day, "agent-exceptions.per-day"),
                other => {
                    self.unknown_key(name.span(), "agent-exceptions", other);
                    continue;
                }
            };
            *place = self.count(item, key).unwrap_or(*place);
        }
        Some(limits)
    }

    fn retries(&mut self, item: &Item<'_>) -> Option<Retries> {
        let mut retries = Retries::default();
        for (name, item) in self.table(item, "retries")? {
            match name.get_ref().as_ref() {
                "after" => retries.after = self.count(item, "retries.after").unwrap_or(retries.after),
                "then" => {
                    let levels = [Level::Ask, Level::Halt];
                    let then = self.choice(item, "retries.then", keys::RETRIED, &levels);
                    retries.then = then.unwrap_or(retries.then);
                }
                other => self.unknown_key(name.span(), "retries", other),
            }
        }
        Some(retries)
    }

    fn secrets(&mut self, item: &Item<'_>, layer: &mut Layer) {
        let Some(table) = self.table(item, "secrets") else { return };
        for (name, item) in table {
            if name.get_ref() != "allow" {
                self.unknown_key(name.span(), "secrets", name.get_ref());
                continue;
            }
            for (text, item) in self.texts(item, "secrets.allow").unwrap_or_default() {
                let digits = text.strip_prefix("sha256:").and_then(|digits| digits.get(..FINGERPRINT));
                match digits.filter(|_| text.bytes().skip(7).all(|byte| byte.is_ascii_hexdigit())) {
                    Some(digits) => layer.secrets.push(digits.to_ascii_lowercase()),
                    None => {
                        let help = "a fingerprint is `sha256:` and 16 hexadecimal digits; `hookgate secrets scan` prints it";
                        // The text isn't repeated: it may be the secret itself.
                        let message = "this is no fingerprint";
                        self.error(item.span(), "secrets.allow", message, "", Some(help.to_owned()));
                    }
                }
            }
        }
    }

    fn presets(&mut self, item: &Item<'_>) -> Option<Vec<&'static Preset>> {
        let mut presets = Vec::new();
        for (name, item) in self.texts(item, "presets")? {
            match Preset::named(name) {
                Some(preset) => presets.push(preset),
                None => {
                    let names = Preset::ALL.iter().map(|preset| preset.name);
                    let help = match nearest(name, names.clone()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("presets: {}", names.collect::<Vec<_>>().join(", ")),
                    };
                    self.error(item.span(), "presets", format!("unknown preset `{name}`"), "", Some(help));
                }
            }
        }
        Some(presets)
    }

    fn unknown(&mut self, item: &Item<'_>, layer: &mut Layer) {
        let Some(table) = self.table(item, "unknown") else { return };
        let [program, target, command, unparsed] = &mut layer.unknown;
        for (name, item) in table {
            let (slot, key) = match name.get_ref().as_ref() {
                "program" => (&mut *program, "unknown.program"),
                "target" => (&mut *target, "unknown.target"),
                "command" => (&mut *command, "unknown.command"),
                "unparsed" => (&mut *unparsed, "unknown.unparsed"),
                other => {
                    self.unknown_key(name.span(), "unknown", other);
                    continue;
                }
            };
            let levels = [Level::Off, Level::Warn, Level::Ask, Level::Deny];
            *slot = self.choice(item, key, keys::UNKNOWN_LEVELS, &levels);
        }
    }

    fn knowledge(&mut self, item: &Item<'_>) -> Vec<String> {
        let mut files = Vec::new();
        for (name, item) in self.texts(item, "knowledge").unwrap_or_default() {
            let below =
                !name.starts_with(['/', '~']) && !name.split('/').any(|part| part == ".." || part == "**");
            if below && name.ends_with(".toml") {
                files.push(name.to_owned());
            } else {
                let help = "name a file below the policy's directory that ends in `.toml`: `tools/*.toml`";
                let message = format!("`{name}` can't be a file of knowledge");
                self.error(item.span(), "knowledge", message, "", Some(help.to_owned()));
            }
        }
        files
    }

    fn audit(&mut self, item: &Item<'_>) -> Option<Audit> {
        let mut audit = Audit::default();
        for (name, item) in self.table(item, "audit")? {
            match name.get_ref().as_ref() {
                "content" => {
                    let choices = [AuditContent::Full, AuditContent::Redacted, AuditContent::Digest];
                    if let Some(content) = self.choice(item, "audit.content", keys::AUDIT_CONTENT, &choices) {
                        audit.content = content;
                    }
                }
                "path" => {
                    audit.path = self.owned(item, "audit.path");
                    if audit
                        .path
                        .as_ref()
                        .is_some_and(|path| !path.starts_with("~/") && !path.starts_with('/'))
                    {
                        let help = Some("start it with `/` or `~/`".to_owned());
                        self.error(item.span(), "audit.path", "a relative path", "relative path", help);
                    }
                }
                "max-size" => {
                    if let Some(size) = self.size(item, "audit.max-size") {
                        audit.max_size = size;
                    }
                }
                other => self.unknown_key(name.span(), "audit", other),
            }
        }
        Some(audit)
    }

    pub(super) fn size(&mut self, item: &Item<'_>, key: &'static str) -> Option<u64> {
        let size = match item.get_ref() {
            DeValue::Integer(number) => integer(number).and_then(|number| u64::try_from(number).ok()),
            DeValue::String(text) => {
                let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
                let factor = match text.strip_prefix(digits).unwrap_or("").trim() {
                    "" | "B" => Some(1),
                    "kB" | "KB" => Some(1_000),
                    "MB" => Some(1_000_000),
                    "GB" => Some(1_000_000_000),
                    _ => None,
                };
                factor.and_then(|factor| digits.parse::<u64>().ok()?.checked_mul(factor))
            }
            _ => None,
        };
        match size {
            Some(size) if size >= 4096 => Some(size),
            Some(_) => {
                self.error(item.span(), key, "too small", "", Some("at least 4096 bytes".to_owned()));
                None
            }
            None => {
                let help = Some("a number of bytes, or a text such as \"10MB\" (kB, MB, GB)".to_owned());
                self.error(item.span(), key, "not a size", "", help);
                None
            }
        }
    }

    fn levels(&mut self, item: &Item<'_>, layer: &mut Layer) {
        let Some(table) = self.table(item, "rules") else { return };
        for (name, item) in table {
            let selector = name.get_ref().as_ref();
            let is_known = self.vocabulary.rule(selector).is_some() || self.vocabulary.has_group(selector);
            if !is_known {
                layer.foreign.push(Reference { code: selector.to_owned(), span: name.span(), key: "rules" });
            }
            let mut entry = LevelEntry { selector: selector.to_owned(), level: None, agent_exceptions: None };
            match item.get_ref() {
                DeValue::Table(table) => {
                    for (name, item) in table {
                        match name.get_ref().as_ref() {
                            "level" => entry.level = self.level(item, "rules"),
                            "agent-exceptions" => {
                                entry.agent_exceptions = self.agent_exceptions(item, selector);
                            }
                            other => {
                                let message = format!("`{selector}` has no option `{other}`");
                                let help = Some("its options are `level` and `agent-exceptions`".to_owned());
                                self.error(name.span(), "rules", message, "", help);
                            }
                        }
                    }
                }
                _ => entry.level = self.level(item, "rules"),
            }
            layer.levels.push(entry);
        }
        layer.levels.sort_by(|one, other| one.selector.cmp(&other.selector));
    }
}
