//! `[[notify]]` and `[ask]`.

use std::ops::Range;

use toml::de::DeTable;

use super::reader::{Item, Reader};
use crate::event_set::EventSet;
use crate::keys;
use crate::layer::{Layer, Reference};
use crate::notify::{Notify, NotifyBy, NotifyDecisions, TerminalForm};
use crate::rule::Condition;

impl Reader<'_> {
    pub(super) fn ask(&mut self, item: &Item<'_>, layer: &mut Layer) {
        let Some(table) = self.table(item, "ask") else { return };
        for (name, item) in table {
            if name.get_ref() != "once" {
                self.unknown_key(name.span(), "ask", name.get_ref());
                continue;
            }
            for (selector, item) in self.texts(item, "ask.once").unwrap_or_default() {
                if selector.starts_with("GATE") {
                    let help = Some("rules that guard hookgate always ask".to_owned());
                    let message = format!("`{selector}` can't be asked once per session");
                    self.error(item.span(), "ask.once", message, "", help);
                    continue;
                }
                let known = self.vocabulary.rule(selector).is_some() || self.vocabulary.has_group(selector);
                if selector != "*" && !known {
                    let span = item.span();
                    layer.foreign.push(Reference { code: selector.to_owned(), span, key: "ask.once" });
                }
                layer.once.push(selector.to_owned());
            }
        }
    }

    pub(super) fn notify(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Notify> {
        let told = self.diagnostics.len();
        let (mut on, mut by, mut run, mut url, mut form) = (None, None, None, None, None);
        let (mut when, mut text) = (Condition::All(Vec::new()), None);
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "on" => on = self.notify_events(item),
                "when" => when = self.condition(item, 0)?,
                "by" => by = self.one_of(item, "notify.by", keys::NOTIFIERS),
                "run" => run = self.program(item, "notify.run"),
                "url" => url = self.address(item, "notify.url"),
                "form" => {
                    let forms = [TerminalForm::Osc9, TerminalForm::Osc777, TerminalForm::Osc99];
                    let found = self.one_of(item, "notify.form", keys::TERMINAL_FORMS)?;
                    form = forms.get(found).copied();
                }
                "text" => text = self.owned(item, "notify.text"),
                other => self.unknown_key(name.span(), "notify", other),
            }
        }
        if self.diagnostics.len() > told {
            return None;
        }
        let name = by.and_then(|at| keys::NOTIFIERS.get(at).copied());
        // `run` and `url` say by themselves how it is sent.
        let name = name.or(run.is_some().then_some("command")).or(url.is_some().then_some("webhook"));
        for (given, of, key) in [
            (run.is_some(), "command", "run"),
            (url.is_some(), "webhook", "url"),
            (form.is_some(), "terminal", "form"),
        ] {
            if given && name != Some(of) {
                let help = Some(format!("it belongs to `by = \"{of}\"`"));
                self.error(span.clone(), "notify", format!("`{key}` with another `by`"), "", help);
                return None;
            }
        }
        let way = match name {
            Some("terminal") => Some(NotifyBy::Terminal(form.unwrap_or_default())),
            Some("bell") => Some(NotifyBy::Bell),
            Some("desktop") => Some(NotifyBy::Desktop),
            Some("command") => run.map(NotifyBy::Program),
            Some("webhook") => url.map(NotifyBy::Webhook),
            _ => None,
        };
        let missing = match name {
            _ if on.is_none() => Some("on"),
            Some("command") if way.is_none() => Some("run"),
            Some("webhook") if way.is_none() => Some("url"),
            None => Some("by"),
            _ => None,
        };
        if let Some(missing) = missing {
            let help = Some(format!("add `{missing}`"));
            self.error(span, "notify", format!("a notification without `{missing}`"), "", help);
            return None;
        }
        let (on, decisions) = on?;
        Some(Notify { layer: self.source.kind, on, decisions, when, by: way?, text })
    }

    fn notify_events(&mut self, item: &Item<'_>) -> Option<(EventSet, NotifyDecisions)> {
        let (mut set, mut decisions) = (EventSet::NONE, NotifyDecisions::default());
        for (name, item) in self.texts(item, "notify.on")? {
            match (name, EventSet::from_name(name)) {
                ("ask", _) => decisions.ask = true,
                ("deny", _) => decisions.deny = true,
                (_, Some(event)) => set = set.union(event),
                _ => {
                    let names = EventSet::all_names().chain(["ask", "deny"]);
                    self.unknown_value(item.span(), "notify.on", name, names);
                }
            }
        }
        Some((set, decisions))
    }

    pub(super) fn address(&mut self, item: &Item<'_>, key: &'static str) -> Option<String> {
        let url = self.text(item, key)?;
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let good = |rest: &str| {
            !rest.starts_with('/') && !rest.is_empty() && !url.contains(|c: char| c.is_control() || c == ' ')
        };
        if rest.is_some_and(good) {
            return Some(url.to_owned());
        }
        let help = Some("start it with `https://`".to_owned());
        self.error(item.span(), key, "not a URL that hookgate can post to", "", help);
        None
    }
}
