//! `like` and `same-as`: a program or subcommand of which the same can be said as of another, but for what it says itself.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Entry;
use super::mistake::{Mistake, nearest};
use super::model::{Specification, Subcommand};
use crate::facet::Facet;

/// What a specification starts from.
#[derive(Clone, Debug)]
pub(super) struct Base {
    /// Another program; `None` for the same one.
    pub(super) program: Option<String>,
    /// The subcommand.
    pub(super) path: Vec<String>,
    /// Subcommands and options that are left out.
    pub(super) without: Vec<String>,
    /// Where the file says so.
    pub(super) place: Mistake,
}

/// Fills in what every program and subcommand takes over from another.
pub(super) struct Resolver<'e> {
    programs: &'e BTreeMap<String, Entry>,
    done: BTreeMap<String, Rc<Specification>>,
    /// Programs and subcommands that are being filled in.
    open: Vec<(String, Vec<String>)>,
    pub(super) mistakes: Vec<Mistake>,
    /// How many specifications were filled in.
    count: usize,
}

/// The most specifications that are filled in: a short text can ask for copies of copies without end.
const MAXIMUM: usize = 200_000;

impl<'e> Resolver<'e> {
    pub(super) fn new(programs: &'e BTreeMap<String, Entry>) -> Resolver<'e> {
        Resolver { programs, done: BTreeMap::new(), open: Vec::new(), mistakes: Vec::new(), count: 0 }
    }

    /// All of what is said of a program; `None` where nobody knows it, or where it is like itself.
    pub(super) fn program(&mut self, name: &str) -> Option<Rc<Specification>> {
        if let Some(done) = self.done.get(name) {
            return Some(Rc::clone(done));
        }
        let open = (name.to_owned(), Vec::new());
        if self.open.contains(&open) {
            return None;
        }
        self.open.push(open);
        let root = self.root(name);
        let filled = root.map(|root| Rc::new(self.inner(name, &root, &root, &mut Vec::new())));
        self.open.pop();
        if let Some(filled) = &filled {
            self.done.insert(name.to_owned(), Rc::clone(filled));
        }
        filled
    }

    /// What a program says, on top of the program that it is like; its subcommands are not filled in yet, so that those
    /// that are the same as another are the same as this program's.
    fn root(&mut self, name: &str) -> Option<Specification> {
        let own = self.programs.get(name)?.specification.as_ref().clone();
        let Some(base) = own.base.clone() else { return Some(own) };
        let under = match &base.program {
            Some(program) if base.path.is_empty() => {
                let open = (program.clone(), vec![String::new()]);
                if self.open.contains(&open) {
                    None
                } else {
                    self.open.push(open);
                    let root = self.root(program);
                    self.open.pop();
                    root
                }
            }
            Some(program) => self.program(program).and_then(|under| find(&under, &base.path).cloned()),
            None => None,
        };
        match under {
            Some(under) => Some(overlay(&under, &own, &base)),
            None => {
                self.missing(&base, &Specification::default());
                Some(own)
            }
        }
    }

    /// The specification at `path` of a program, with everything below it filled in.
    fn inner(
        &mut self,
        program: &str,
        root: &Specification,
        specification: &Specification,
        path: &mut Vec<String>,
    ) -> Specification {
        self.count += 1;
        if self.count > MAXIMUM {
            if self.count == MAXIMUM + 1 {
                self.mistakes.push(Mistake::of_base(format!("{program}: more than {MAXIMUM} subcommands")));
            }
            return Specification::default();
        }
        let mut filled = match specification.base.as_ref().filter(|_| !path.is_empty()) {
            None => specification.clone(),
            Some(base) => match self.under(program, root, base, path) {
                Some(under) => overlay(&under, specification, base),
                None => {
                    self.missing(base, root);
                    specification.clone()
                }
            },
        };
        filled.base = None;
        for (name, sub) in &mut filled.subcommands {
            path.push(name.clone());
            sub.specification = self.inner(program, root, &sub.specification, path);
            path.pop();
        }
        if let Some(default) = &mut filled.default {
            path.push("default".to_owned());
            **default = self.inner(program, root, default, path);
            path.pop();
        }
        filled
    }

    /// What the specification at `path` starts from.
    fn under(
        &mut self,
        program: &str,
        root: &Specification,
        base: &Base,
        path: &[String],
    ) -> Option<Specification> {
        if let Some(other) = &base.program {
            let filled = self.program(other)?;
            return find(&filled, &base.path).cloned();
        }
        let open = (program.to_owned(), path.to_vec());
        if self.open.contains(&open) || path.starts_with(&base.path) {
            return None;
        }
        let found = find(root, &base.path)?;
        self.open.push(open);
        let filled = self.inner(program, root, found, &mut base.path.clone());
        self.open.pop();
        Some(filled)
    }

    fn missing(&mut self, base: &Base, root: &Specification) {
        let what = match (&base.program, base.path.join(" ")) {
            (Some(program), _) if !self.programs.contains_key(program) => {
                let near = nearest(program, self.programs.keys().map(String::as_str));
                format!("like: there is no program \"{program}\"{near}")
            }
            (Some(program), path) if path.is_empty() => format!("like: \"{program}\" is like this one"),
            (Some(program), path) => format!("like: \"{program}\" has no [sub] \"{path}\""),
            (None, path) => {
                let first = base.path.first().map_or("", String::as_str);
                let near = nearest(first, root.subcommands.keys().map(String::as_str));
                format!("same-as: there is no other [sub] \"{path}\"{near}")
            }
        };
        let mistake = Mistake { message: what, ..base.place.clone() };
        if !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
    }
}

/// The subcommand at the end of a path.
fn find<'s>(specification: &'s Specification, path: &[String]) -> Option<&'s Specification> {
    path.iter().try_fold(specification, |specification, name| {
        specification.subcommands.get(name).map(|sub| &sub.specification)
    })
}

/// What is said of the one, on top of what is said of the other.
fn overlay(under: &Specification, own: &Specification, base: &Base) -> Specification {
    let mut merged = merge(under, own);
    for name in &base.without {
        merged.options.retain(|option| !option.names.contains(name));
        merged.short.remove(&name.replace(' ', "."));
        let path: Vec<&str> = name.split(' ').collect();
        remove(&mut merged, &path);
    }
    if base.program.is_some() {
        // Nobody compared this program with anything.
        let said = |facet: &Facet| own.facets.iter().any(|(known, _)| known == facet);
        merged.facets.retain(|(facet, _)| *facet != Facet::Reviewed || said(facet));
    }
    merged
}

fn remove(specification: &mut Specification, path: &[&str]) {
    let Some((first, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        specification.subcommands.remove(*first);
    } else if let Some(sub) = specification.subcommands.get_mut(*first) {
        remove(&mut sub.specification, rest);
    }
}

fn merge(under: &Specification, own: &Specification) -> Specification {
    let mut merged = own.clone();
    let taken: Vec<&String> = own.options.iter().flat_map(|option| &option.names).collect();
    let others = under.options.iter().filter(|option| !option.names.iter().any(|name| taken.contains(&name)));
    merged.options.splice(0..0, others.cloned());
    merged.unlisted = own.unlisted.or(under.unlisted);
    merged.operands = own.operands.clone().or_else(|| under.operands.clone());
    merged.effects = own.effects.clone().or_else(|| under.effects.clone());
    merged.handler = own.handler.clone().or_else(|| under.handler.clone());
    for (facet, saying) in &under.facets {
        if !own.facets.iter().any(|(known, _)| known == facet) {
            merged.facets.push((*facet, saying.clone()));
        }
    }
    for (path, said) in &under.short {
        if !own.subcommands.contains_key(path) {
            merged.short.entry(path.clone()).or_insert_with(|| Rc::clone(said));
        }
    }
    for (name, sub) in &under.subcommands {
        if own.short.contains_key(name) {
            continue;
        }
        let sub = match own.subcommands.get(name) {
            // What starts from another subcommand of its own doesn't start from this one.
            Some(own) if own.specification.base.is_some() => own.clone(),
            Some(own) => Subcommand {
                aliases: if own.aliases.is_empty() { sub.aliases.clone() } else { own.aliases.clone() },
                specification: merge(&sub.specification, &own.specification),
            },
            None => sub.clone(),
        };
        merged.subcommands.insert(name.clone(), sub);
    }
    merged.default = match (&under.default, &own.default) {
        (Some(under), Some(own)) if own.base.is_none() => Some(Box::new(merge(under, own))),
        (under, own) => own.clone().or_else(|| under.clone()),
    };
    if merged.base.is_none() {
        merged.base = under.base.clone();
    }
    merged
}
