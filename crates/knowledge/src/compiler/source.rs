//! One file: its keys, and where in it something is wrong.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::likeness::Base;
use super::mistake::{Mistake, nearest};
use super::model::{Saying, Specification, Unlisted};
use crate::facet::{Facet, Form};
use crate::kind::{Kind, Unknown};
use crate::manner::Manner;
use crate::part::Part;
use crate::role::Role;

/// A file that is being read.
pub(super) struct Source<'s> {
    pub(super) path: &'s str,
    pub(super) text: &'s str,
    pub(super) mistakes: Vec<Mistake>,
}

/// Where a specification stands; the keys depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Program,
    Family,
    Inner,
}

/// The keys of every specification, besides the facets.
const KEYS: &[&str] = &[
    "options", "operands", "effects", "unlisted", "handler", "sub", "subs", "default", "like", "same-as",
    "without",
];

/// The value of a key.
pub(super) fn entry<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t Spanned<DeValue<'i>>> {
    table.get(key)
}

/// A key with the path that leads to it.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

impl<'s> Source<'s> {
    pub(super) fn new(path: &'s str, text: &'s str) -> Source<'s> {
        Source { path, text, mistakes: Vec::new() }
    }

    /// Notes a mistake; without a span the whole file is meant.
    pub(super) fn error(&mut self, span: Option<Range<usize>>, key: &str, what: impl std::fmt::Display) {
        let message = if key.is_empty() { what.to_string() } else { format!("{key}: {what}") };
        let mistake = self.mistake(span, message);
        self.mistakes.push(mistake);
    }

    /// A mistake that may turn out to be one when everything is read.
    pub(super) fn place(&self, span: Range<usize>, key: &str) -> Mistake {
        self.mistake(Some(span), key.to_owned())
    }

    /// A mistake that may be one.
    fn mistake(&self, span: Option<Range<usize>>, message: String) -> Mistake {
        let (line, column) = match span.filter(|span| span.end > 0) {
            None => (0, 0),
            Some(span) => {
                let before = self.text.get(..span.start).unwrap_or(self.text);
                let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
                (line, before.rsplit('\n').next().unwrap_or_default().chars().count() + 1)
            }
        };
        Mistake { path: self.path.to_owned(), line, column, message }
    }

    pub(super) fn unknown_key(&mut self, key: &Spanned<DeString<'_>>, path: &str, known: &[&str]) {
        let name = key.get_ref();
        let near = nearest(name, known.iter().copied());
        let near = if near.is_empty() { format!("; there are {}", known.join(", ")) } else { near };
        self.error(Some(key.span()), path, format_args!("key \"{name}\" is unknown{near}"));
    }

    /// A list of texts, each with its place.
    pub(super) fn strings(
        &mut self,
        table: &DeTable<'_>,
        path: &str,
        name: &str,
    ) -> Vec<(String, Range<usize>)> {
        match entry(table, name) {
            None => Vec::new(),
            Some(value) => self.texts(value, &join(path, name)),
        }
    }

    /// The same of a value.
    pub(super) fn texts(&mut self, value: &Spanned<DeValue<'_>>, key: &str) -> Vec<(String, Range<usize>)> {
        let DeValue::Array(list) = value.get_ref() else {
            self.error(Some(value.span()), key, "is a list of texts");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for value in list {
            match value.get_ref() {
                DeValue::String(text) => texts.push((text.to_string(), value.span())),
                _ => self.error(Some(value.span()), key, "is a list of texts"),
            }
        }
        texts
    }

    pub(super) fn kind(&mut self, span: Range<usize>, key: &str, name: &str) -> Kind {
        Kind::from_name(name).unwrap_or_else(|| {
            const UNKNOWN: [Unknown; 4] =
                [Unknown::Program, Unknown::Target, Unknown::Command, Unknown::Unparsed];
            let unknown = UNKNOWN.map(|unknown| Kind::Unknown(unknown).name());
            let near = nearest(name, Kind::ALL.iter().map(|(_, name, _)| *name).chain(unknown));
            self.error(Some(span), key, format_args!("\"{name}\" is not a kind of effect{near}"));
            Kind::Read
        })
    }

    pub(super) fn manner(&mut self, span: Range<usize>, key: &str, name: &str) -> Manner {
        Manner::from_name(name).unwrap_or_else(|| {
            let near = nearest(name, Manner::ALL.iter().map(|(_, name)| *name));
            self.error(Some(span), key, format_args!("\"{name}\" is not a manner{near}"));
            Manner::default()
        })
    }

    pub(super) fn part(&mut self, span: Range<usize>, key: &str, name: &str) -> Part {
        Part::from_name(name).unwrap_or_else(|| {
            let near = nearest(name, Part::ALL.iter().map(|(_, name)| *name));
            self.error(Some(span), key, format_args!("\"{name}\" is not a part of what a call says{near}"));
            Part::Message
        })
    }

    pub(super) fn role(&mut self, span: Range<usize>, key: &str, name: &str) -> Role {
        Role::from_name(name).unwrap_or_else(|| {
            let near = nearest(name, Role::ALL.iter().map(|(_, name)| *name));
            self.error(Some(span), key, format_args!("\"{name}\" is not a role{near}"));
            Role::Text
        })
    }

    pub(super) fn specification(&mut self, table: &DeTable<'_>, path: &str, place: Place) -> Specification {
        self.check_keys(table, path, place);
        let default = entry(table, "default").and_then(|value| match value.get_ref() {
            DeValue::Table(inner) => {
                Some(Box::new(self.specification(inner, &join(path, "default"), Place::Inner)))
            }
            _ => {
                self.error(Some(value.span()), &join(path, "default"), "is a table: [default]");
                None
            }
        });
        Specification {
            base: self.base(table, path, place),
            options: self.options(table, path),
            unlisted: self.unlisted(table, path),
            operands: self.operands(table, path),
            effects: entry(table, "effects").map(|value| self.effects(value, &join(path, "effects"))),
            subcommands: self.subcommands(table, path),
            short: self.short_subcommands(table, path),
            default,
            handler: self.handler(table, path),
            facets: self.facets(table, path),
        }
    }

    fn check_keys(&mut self, table: &DeTable<'_>, path: &str, place: Place) {
        let own: &[&str] = match place {
            Place::Program => &["summary", "case", "rows", "aliases"],
            Place::Family => &["summary", "case", "rows", "programs"],
            Place::Inner => &["aliases"],
        };
        let facets = Facet::ALL.iter().map(|(_, key, _)| *key);
        let known: Vec<&str> = KEYS.iter().chain(own).copied().chain(facets).collect();
        for key in table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            self.unknown_key(key, path, &known);
        }
    }

    fn unlisted(&mut self, table: &DeTable<'_>, path: &str) -> Option<Unlisted> {
        let value = entry(table, "unlisted")?;
        if let DeValue::String(text) = value.get_ref() {
            match text.as_ref() {
                "doubt" => return Some(Unlisted::Doubt),
                "operand" => return Some(Unlisted::Operand),
                "unknown" => return Some(Unlisted::Unknown),
                _ => {}
            }
        }
        let what = "is \"doubt\", \"operand\" or \"unknown\"";
        self.error(Some(value.span()), &join(path, "unlisted"), what);
        None
    }

    /// `like = "PROGRAM [SUBCOMMAND...]"`, `same-as = "SUBCOMMAND..."`, `without = [...]`.
    fn base(&mut self, table: &DeTable<'_>, path: &str, place: Place) -> Option<Base> {
        let mut base = None;
        for key in ["like", "same-as"] {
            let Some(value) = entry(table, key) else { continue };
            let text = match value.get_ref() {
                DeValue::String(text) if !text.trim().is_empty() => text.to_string(),
                _ => {
                    self.error(Some(value.span()), &join(path, key), "is the name of another");
                    continue;
                }
            };
            if key == "same-as" && place != Place::Inner {
                let what = "names a subcommand of this program; another program goes into `like`";
                self.error(Some(value.span()), &join(path, key), what);
                continue;
            }
            let mut words = text.split_whitespace().map(str::to_owned);
            base = Some(Base {
                program: if key == "like" { words.next() } else { None },
                path: words.collect(),
                without: Vec::new(),
                place: self.mistake(Some(value.span()), String::new()),
            });
        }
        let without = self.strings(table, path, "without");
        match &mut base {
            Some(base) => base.without = without.into_iter().map(|(name, _)| name).collect(),
            None => {
                if let Some((_, span)) = without.into_iter().next() {
                    self.error(Some(span), &join(path, "without"), "stands beside `like` or `same-as`");
                }
            }
        }
        base
    }

    fn handler(&mut self, table: &DeTable<'_>, path: &str) -> Option<String> {
        let value = entry(table, "handler")?;
        match value.get_ref() {
            DeValue::String(name)
                if name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit()) =>
            {
                return Some(name.to_string());
            }
            _ => {}
        }
        let what = "is the name of a function: lowercase letters, digits, `_`";
        self.error(Some(value.span()), &join(path, "handler"), what);
        None
    }

    fn facets(&mut self, table: &DeTable<'_>, path: &str) -> Vec<(Facet, Saying)> {
        let mut facets = Vec::new();
        for (facet, name, form) in Facet::ALL {
            let Some(value) = entry(table, name) else { continue };
            let key = join(path, name);
            match (form, value.get_ref()) {
                (Form::Flag, DeValue::Boolean(true)) => facets.push((*facet, Saying::Flag)),
                (Form::Flag, _) => self.error(Some(value.span()), &key, "is `true`, or left out"),
                (Form::Text, DeValue::String(text)) if !text.is_empty() && !text.contains('\n') => {
                    facets.push((*facet, Saying::Text(text.to_string())));
                }
                (Form::Text, _) => self.error(Some(value.span()), &key, "is text on one line"),
                (Form::Word(words), DeValue::String(text)) if words.contains(&text.as_ref()) => {
                    facets.push((*facet, Saying::Text(text.to_string())));
                }
                (Form::Word(words), value_of) => {
                    let near = match value_of {
                        DeValue::String(text) => nearest(text, words.iter().copied()),
                        _ => String::new(),
                    };
                    let what = format_args!("is one of \"{}\"{near}", words.join("\", \""));
                    self.error(Some(value.span()), &key, what);
                }
                (Form::Texts, _) => {
                    let texts = self.texts(value, &key);
                    if *facet == Facet::Manner {
                        for (text, span) in &texts {
                            self.manner(span.clone(), &key, text);
                        }
                    }
                    let texts = texts.into_iter().map(|(text, _)| text).collect();
                    facets.push((*facet, Saying::Texts(texts)));
                }
            }
        }
        facets
    }
}
