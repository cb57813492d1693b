//! `[[rewrite]]`.

use super::entry::head;
use super::reader::{Item, Reader};
use crate::code::group_of;
use crate::glob::GlobError;
use crate::keys;
use crate::layer::Reference;
use crate::pattern::RunPattern;
use crate::rewrite::{Requirement, Rewrite, RewriteDecision, RewriteFallback, Template, Version};
use std::ops::Range;
use toml::de::DeTable;

impl Reader<'_> {
    pub(super) fn rewrite(
        &mut self,
        table: &DeTable<'_>,
        span: Range<usize>,
        foreign: &mut Vec<Reference>,
    ) -> Option<Rewrite> {
        let told = self.diagnostics.len();
        let (mut run, mut unless, mut to, mut requires) = (Vec::new(), Vec::new(), None, Vec::new());
        let (mut code, mut then, mut otherwise) = (None, None, RewriteFallback::default());
        let (mut unless_env, mut answers) = (Vec::new(), Vec::new());
        let (mut reason, mut until, mut anywhere, mut shadow) = (String::new(), None, false, false);
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "code" => code = self.rewrite_code(item),
                "run" => run = self.run_patterns(item, "rewrite.run"),
                "unless" => unless = self.run_patterns(item, "rewrite.unless"),
                "unless-env" => {
                    let names = self.texts(item, "rewrite.unless-env").unwrap_or_default();
                    unless_env = names.into_iter().map(|(name, _)| name.to_owned()).collect();
                }
                "to" => to = Some((self.template(item), item)),
                "then" => {
                    let choices = [
                        RewriteDecision::Allow,
                        RewriteDecision::Ask,
                        RewriteDecision::Pass,
                        RewriteDecision::Inherit,
                    ];
                    let found = self.one_of(item, "rewrite.then", keys::REWRITE_DECISIONS);
                    then = found.and_then(|at| choices.get(at).copied()).map(|then| (then, item.span()));
                }
                "else" => {
                    let choices = [RewriteFallback::Pass, RewriteFallback::Ask, RewriteFallback::Deny];
                    let found = self.one_of(item, "rewrite.else", keys::REWRITE_FALLBACKS);
                    otherwise = found.and_then(|at| choices.get(at).copied()).unwrap_or_default();
                }
                "answers" => answers = self.answers(item, foreign),
                "anywhere" => anywhere = self.boolean(item, "rewrite.anywhere").unwrap_or_default(),
                "requires" => requires = self.requirements(item, "rewrite.requires"),
                "reason" => reason = self.owned(item, "rewrite.reason").unwrap_or_default(),
                "shadow" => shadow = self.boolean(item, "rewrite.shadow").unwrap_or_default(),
                "until" => until = self.date(item, "rewrite.until"),
                other => self.unknown_key(name.span(), "rewrite", other),
            }
        }
        if let Some((RewriteDecision::Allow, span)) = &then
            && reason.trim().is_empty()
        {
            let help = "add `reason`: an allow skips the user's prompt, so it has to say why".to_owned();
            let message = "an allow without a reason";
            self.error(span.clone(), "rewrite.reason", message, "`reason` is missing", Some(help));
        }
        if self.diagnostics.len() == told {
            for (key, missing) in [("rewrite.run", run.is_empty()), ("rewrite.to", to.is_none())] {
                if missing {
                    let name = key.trim_start_matches("rewrite.");
                    let message = format!("a rewrite without `{name}`");
                    self.error(head(&span), key, message, "", Some(format!("add `{name}`")));
                }
            }
        }
        let (template, item) = to?;
        let template = template?;
        for (pattern, text) in &run {
            if let Err(problem) = template.fits(pattern) {
                let help = Some(format!("the pattern is `{text}`"));
                self.error(item.span(), "rewrite.to", problem, "", help);
            }
        }
        if self.diagnostics.iter().skip(told).any(|one| one.severity == crate::Severity::Error) {
            return None;
        }
        Some(Rewrite {
            code: code.unwrap_or_else(|| Rewrite::CODE.to_owned()),
            layer: self.source.kind,
            line: self.line(span.start),
            run: run.into_iter().map(|(pattern, _)| pattern).collect(),
            unless: unless.into_iter().map(|(pattern, _)| pattern).collect(),
            unless_env,
            to: template,
            then: then.map(|(then, _)| then).unwrap_or_default(),
            otherwise,
            anywhere,
            answers,
            requires,
            reason,
            shadow,
            until,
        })
    }

    fn rewrite_code(&mut self, item: &Item<'_>) -> Option<String> {
        let code = self.text(item, "rewrite.code")?;
        let group = group_of(code);
        let problem = if group.is_empty() || !group.bytes().all(|byte| byte.is_ascii_uppercase()) {
            Some((format!("bad code `{code}`"), "use capital letters, then digits: ACME001"))
        } else if self.vocabulary.has_group(group) {
            Some((format!("`{group}` is a built-in group"), "choose another group"))
        } else {
            None
        };
        if let Some((message, help)) = problem {
            self.error(item.span(), "rewrite.code", message, "", Some(help.to_owned()));
            return None;
        }
        Some(code.to_owned())
    }

    fn answers(&mut self, item: &Item<'_>, foreign: &mut Vec<Reference>) -> Vec<String> {
        let mut codes = Vec::new();
        for (code, item) in self.texts(item, "rewrite.answers").unwrap_or_default() {
            if group_of(code) == "GATE" {
                let help = Some("what guards the gate has no exception".to_owned());
                self.error(item.span(), "rewrite.answers", format!("no rewrite answers `{code}`"), "", help);
                continue;
            }
            self.refer(Some(code), item, "rewrite.answers", foreign);
            codes.push(code.to_owned());
        }
        codes
    }

    fn run_patterns(&mut self, item: &Item<'_>, key: &'static str) -> Vec<(RunPattern, String)> {
        let mut patterns = Vec::new();
        for (text, item) in self.texts(item, key).unwrap_or_default() {
            match RunPattern::parse(text) {
                Ok(pattern) => patterns.push((pattern, text.to_owned())),
                Err(error) => self.inside(item, key, "pattern", text, &error),
            }
        }
        patterns
    }

    fn template(&mut self, item: &Item<'_>) -> Option<Template> {
        let text = self.text(item, "rewrite.to")?;
        match Template::parse(text) {
            Ok(template) => Some(template),
            Err(error) => {
                let place = GlobError { offset: error.offset, message: "" };
                self.inside(item, "rewrite.to", "template", text, &place);
                if let Some(last) = self.diagnostics.last_mut() {
                    last.label = error.message;
                }
                None
            }
        }
    }

    pub(super) fn requirements(&mut self, item: &Item<'_>, key: &'static str) -> Vec<Requirement> {
        let mut requirements = Vec::new();
        let Some(table) = self.table(item, key) else { return requirements };
        for (name, item) in table {
            let program = name.get_ref().to_string();
            let Some(text) = self.text(item, key) else { continue };
            let minimum = match text.trim() {
                "*" => None,
                other => match other.strip_prefix(">=").and_then(|version| Version::parse(version.trim())) {
                    Some(version) => Some(version),
                    None => {
                        let help = "write `\">=1.2.3\"`, or `\"*\"` for any version".to_owned();
                        self.error(item.span(), key, format!("bad version `{text}`"), "", Some(help));
                        continue;
                    }
                },
            };
            if program.is_empty() || program.contains('/') {
                let help = "use the program's name on PATH".to_owned();
                self.error(name.span(), key, format!("bad program name `{program}`"), "", Some(help));
                continue;
            }
            requirements.push(Requirement { program, minimum });
        }
        requirements
    }
}
