//! Links that a call makes: what is done through one later is done where it leads.

use crate::context::Context;
use crate::effect::{Kind, Place, Traits};
use crate::field::{Data, Field};
use crate::knowledge::Matched;
use crate::paths::{self, Spelling};
use crate::state::PLAIN_WORD;

/// The most links of one call that are followed.
const MAXIMUM_LINKS: usize = 32;

impl Context<'_> {
    /// The call links its operands to names.
    pub(super) fn linked(&mut self, call: &Matched<'_>, symbolic: bool) {
        let (sources, name) = match (call.value("--target-directory"), call.operands.split_last()) {
            (Some(directory), _) => (call.operands.as_slice(), Some(directory)),
            (None, Some((one, []))) => (std::slice::from_ref(one), None),
            (None, Some((last, sources))) => (sources, Some(last)),
            (None, None) => return,
        };
        let is_folder = call.value("--target-directory").is_some() || sources.len() > 1;
        for source in sources.iter().take(MAXIMUM_LINKS) {
            if !symbolic {
                self.hard_link(source);
            }
            let own = paths::file_name(source.shown().trim_end_matches('/'));
            let Some(name) = name else {
                self.link_leads(source, &Field::of(own, source.span), symbolic);
                continue;
            };
            if source.is("/dev/null") && call.has("-f") {
                self.emptied(name);
            }
            if !is_folder {
                self.link_leads(source, name, symbolic);
            }
            // In a folder that is there it gets the name of what it leads to.
            let inside = |text: &str| format!("{}/{own}", text.trim_end_matches('/'));
            let text = name.text().map(inside);
            self.link_leads(
                source,
                &Field { text, written: inside(&name.written), ..name.clone() },
                symbolic,
            );
        }
    }

    /// A second name of the file itself: what is written under it is written to both, and nothing shows that.
    fn hard_link(&mut self, file: &Field) {
        let Some(path) = self.resolve_one(file) else { return };
        let fact = paths::fact(
            path,
            Spelling::of(file.pattern, false),
            self.places(),
            self.world(),
            &self.state.links,
        );
        if fact.traits != Traits::default() {
            self.path(Kind::Link, file);
        } else if fact.place > Place::Project {
            self.doubt(file.span, "a second name of a file that lies elsewhere");
        }
    }

    /// From here on the name leads to the target. Where only the shape of the name is known, every name of that shape may.
    fn link_leads(&mut self, target: &Field, name: &Field, symbolic: bool) {
        let Some(links) = self.resolve(name) else { return };
        for link in links {
            let target = match target.text() {
                // A symbolic link is read from where it lies.
                Some(text) if symbolic && !target.pattern => {
                    paths::absolute(text, Some(paths::parent(&link)))
                }
                _ => self.resolve_one(target),
            };
            let Some(target) = target.filter(|target| *target != link) else { continue };
            if !name.pattern {
                self.copies_gate(&Data::File(target.clone()), &link);
                if let Some(data) = self.state.remembered(&target).cloned() {
                    self.state.remember(link.clone(), data, self.scope().call);
                }
            }
            self.state.links.push((link, target));
        }
    }

    /// A patch, or whatever else, makes a link of that name.
    pub(crate) fn link_to(&mut self, name: &str, target: &str) {
        let span = self.scope().span;
        let (name, target) = (Field::of(name, span), Field::of(target, span));
        self.path(Kind::Link, &name);
        self.link_leads(&target, &name, true);
    }

    /// A link that the text made is moved, or copied: it leads to the same.
    pub(super) fn passes_links_on(&mut self, from: &str, to: &Field) {
        let leads = self.state.links.iter().rev().find(|(link, _)| link == from).cloned();
        if let (Some((_, target)), Some(to)) = (leads, self.resolve_one(to)) {
            self.state.links.push((format!("{to}/{}", paths::file_name(from)), target.clone()));
            self.state.links.push((to, target));
        }
    }

    /// The name that `mktemp` prints: below the directory that it is told, by an option, its template or the environment.
    pub(super) fn made_for_a_while(&self, call: &Matched<'_>) -> Data {
        let option = call.value("-p").or_else(|| call.value("--tmpdir"));
        let told = match (option, call.operands.first(), self.variable_of_call("TMPDIR")) {
            (Some(directory), ..) => self.resolve_one(directory),
            (None, Some(template), _) if !call.has("-t") => {
                self.resolve_one(template).map(|path| paths::parent(&path).to_owned())
            }
            (None, _, Some(directory)) => {
                directory.and_then(|directory| paths::absolute(&directory, self.directory()))
            }
            (None, ..) => Some("/tmp".to_owned()),
        };
        match told {
            Some(directory) => Data::Paths(format!("{}/{PLAIN_WORD}", directory.trim_end_matches('/'))),
            None => Data::Unknown,
        }
    }
}
