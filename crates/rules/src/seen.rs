//! One effect, as a rule sees it, and the words in which it speaks of it.

use hookgate_effects::{Effect, Kind, Manner, PathFact, Place, Places, Target, Traits};

use hookgate_text::{Message, Quoted, say};

use crate::pattern::{self, Relation};
use crate::rule::{Facts, Hit, Remedy};
use crate::scene::Deed;

/// One effect in its event.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    facts: &'a Facts<'a>,
    /// The effect's index.
    pub index: usize,
    /// The effect.
    pub effect: &'a Effect,
}

impl<'a> Seen<'a> {
    /// All effects of an event.
    pub(crate) fn each(facts: &'a Facts<'a>) -> impl Iterator<Item = Seen<'a>> + use<'a> {
        facts.effects.effects.iter().enumerate().map(move |(index, effect)| Seen { facts, index, effect })
    }

    /// The same with another of the event's effects in its place.
    pub(crate) fn instead(&self, effect: &'a Effect) -> Seen<'a> {
        Seen { effect, ..*self }
    }

    /// The places that paths were judged against.
    pub(crate) fn places(&self) -> &'a Places {
        self.facts.places
    }

    /// Does it happen so?
    pub(crate) fn happens(&self, manner: Manner) -> bool {
        self.effect.manner.contains(manner)
    }

    /// A hit on this effect. The effect's note is appended.
    pub(crate) fn hit(&self, message: impl Into<Message>) -> Hit {
        let mut message = message.into();
        if let Some(note) = &self.effect.note {
            message.push(&say!(", {}", Message::in_their_words(note)));
        }
        Hit {
            message,
            fix: None,
            remedy: Remedy::Fixable,
            span: self.effect.span,
            effects: vec![self.index],
            level: None,
            unless_kept: None,
            replacement: None,
        }
    }

    /// A hit that covers this effect, for rules of the level `allow`.
    pub(crate) fn cover(&self, message: &'static str) -> Option<Hit> {
        Some(Hit {
            message: message.into(),
            fix: None,
            remedy: Remedy::Fixable,
            span: self.effect.span,
            effects: vec![self.index],
            level: None,
            unless_kept: None,
            replacement: None,
        })
    }

    /// All effects of the event, this one among them.
    pub(crate) fn all(&self) -> impl Iterator<Item = Seen<'a>> + use<'a> {
        Seen::each(self.facts)
    }

    /// The effects of the same call, this one among them; what no call does (a redirection, another tool) goes together.
    pub(crate) fn of_call(&self) -> impl Iterator<Item = Seen<'a>> + use<'a> {
        let call = self.effect.call;
        self.all().filter(move |other| other.effect.call == call)
    }

    /// The path that it is done to, if it is one.
    pub(crate) fn path(&self) -> Option<&'a PathFact> {
        match &self.effect.target {
            Some(Target::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// Where that path lies.
    pub(crate) fn place(&self) -> Option<Place> {
        self.path().map(|path| path.place)
    }

    /// Is it done to a path with all of these traits?
    pub(crate) fn has(&self, traits: Traits) -> bool {
        self.path().is_some_and(|path| path.traits.contains(traits))
    }

    /// Does it reach several files: a tree, or what a pattern matches?
    pub(crate) fn wide(&self) -> bool {
        self.effect.recursive || self.path().is_some_and(|path| path.pattern)
    }

    /// Is it done to a whole root: the filesystem's, a home, the project's, a temporary directory, something above one
    /// of these, or a pattern that stands for all that one of them holds?
    pub(crate) fn is_root(&self) -> bool {
        let Some(path) = self.path() else { return false };
        if path.traits.contains(Traits::ROOT) {
            return true;
        }
        let places = self.facts.places;
        let compare = comparison(path);
        let path = if path.literal { &path.path } else { pattern::without_wildcards(&path.path) };
        [&places.home, &places.project]
            .into_iter()
            .chain(&places.also_project)
            .chain(&places.temporary)
            .any(|root| matches!(compare(path, root), Relation::Same | Relation::Above))
    }

    /// Is it done to a directory itself in which the person's own programs are looked up (`~/.local/bin`)?
    pub(crate) fn is_program_directory(&self) -> bool {
        self.has(Traits::PROGRAMS)
            && self.outside()
            && self.path().is_some_and(|path| path.path.ends_with("/bin"))
    }

    /// Is it done outside the project and the temporary directories?
    pub(crate) fn outside(&self) -> bool {
        self.place().is_some_and(|place| place > Place::Project)
    }

    /// The name or host that it is done to, if it is one.
    pub(crate) fn name(&self) -> Option<&'a str> {
        match &self.effect.target {
            Some(Target::Name(name) | Target::Host(name)) => Some(name),
            _ => None,
        }
    }

    /// The call that does it.
    pub(crate) fn call(&self) -> Option<Deed<'a>> {
        self.facts.effects.calls.get(self.effect.call?).map(Deed::of)
    }

    /// Advice to let the program show what it would do, if it can; `otherwise` if it can't.
    pub(crate) fn tried_first(&self, otherwise: &'static str) -> Message {
        match self.call().and_then(|call| call.trial(self.effect.kind)) {
            Some(option) => say!("run it with {} first, and show the user the result", Quoted::new(option)),
            None => otherwise.into(),
        }
    }

    /// The target in words: a path with "and everything below it", a name, the text of a computed one; `otherwise`
    /// where the effect names none.
    pub(crate) fn target(&self, otherwise: &'static str) -> Message {
        match &self.effect.target {
            Some(Target::Path(path)) if self.effect.recursive => {
                say!("{} and everything below it", Quoted::new(&path.path))
            }
            Some(Target::Path(path)) => say!("{}", Quoted::new(&path.path)),
            Some(Target::Host(name) | Target::Name(name)) => say!("{}", Quoted::new(name)),
            Some(Target::Unresolved(text)) => say!("{}, which is computed", Quoted::new(text)),
            None => otherwise.into(),
        }
    }

    /// Does it change what has this trait, or one of these paths?
    pub(crate) fn changes(&self, traits: Traits, protected: &[String]) -> bool {
        // A tree has the traits of what it holds; permissions of the project as a whole are everyday work.
        let whole_project = self.effect.recursive
            && !self.outside()
            && match self.effect.kind {
                Kind::Permission | Kind::Ownership => true,
                // An archive that is unpacked there.
                Kind::Write => self.is_root(),
                _ => false,
            };
        (self.has(traits) && !whole_project) || self.reaches(protected)
    }

    /// Does the call only show names, sizes and dates of what it reads?
    pub(crate) fn lists(&self) -> bool {
        self.effect.kind == Kind::Read && self.call().is_some_and(Deed::lists)
    }

    /// Does a change to the target reach one of these paths: is it one of them, below one, or, where it takes what is
    /// below along, above one?
    pub(crate) fn reaches(&self, protected: &[String]) -> bool {
        let Some(path) = self.path() else { return false };
        let takes_along = match self.effect.kind {
            Kind::Move | Kind::Link => true,
            // `chmod -R u+rw .` is everyday work, and leaves the project's policy readable.
            Kind::Permission | Kind::Ownership => self.effect.recursive && self.outside(),
            Kind::Write => self.effect.recursive && (self.outside() || !self.is_root()),
            _ => self.effect.recursive,
        };
        // What somebody keeps in a temporary directory goes when it is cleared.
        let takes_along = takes_along && !self.facts.places.temporary.contains(&path.path);
        let compare = comparison(path);
        protected.iter().any(|kept| {
            [Some(&path.path), path.real.as_ref()].into_iter().flatten().any(|path| {
                match compare(path, kept) {
                    Relation::Same | Relation::Below => true,
                    Relation::Above => takes_along,
                    Relation::Apart => false,
                }
            })
        })
    }

    /// Does it change who may pass through a directory above one of these paths? The project's own directory is everyday work.
    pub(crate) fn shuts(&self, kept: &[String]) -> bool {
        let Some(path) = self.path() else { return false };
        let compare = comparison(path);
        let leads = |kept: &String| {
            let meant = [Some(&path.path), path.real.as_ref()];
            meant.into_iter().flatten().any(|path| compare(path, kept) == Relation::Above)
        };
        matches!(self.effect.kind, Kind::Permission | Kind::Ownership)
            && self.outside()
            && !self.facts.places.temporary.contains(&path.path)
            && kept.iter().any(leads)
    }

    /// What it does to a path, as a verb: "deletes".
    pub(crate) fn verb(&self) -> &'static str {
        match self.effect.kind {
            Kind::Append => "adds to",
            Kind::Delete => "deletes",
            Kind::Move => "moves away",
            Kind::Link => "puts a link at",
            Kind::Permission => "changes the permissions of",
            Kind::Ownership => "changes the owner of",
            Kind::Destroy => "empties",
            Kind::Read => "reads",
            _ => "writes",
        }
    }
}

/// How the path compares with a plain one.
fn comparison(path: &PathFact) -> fn(&str, &str) -> Relation {
    match (path.pattern, path.literal) {
        (true, _) => pattern::compare,
        (false, true) => pattern::compare_literal,
        (false, false) => pattern::compare_quoted,
    }
}
