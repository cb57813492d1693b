//! The event, as rules see it: effects, and of the calls that have them what isn't in their words.
//!
//! Rules never see arguments. What a rule wants to know of a call's words is a kind of effect, or a manner of one, which the
//! interpreter or a row of the knowledge base says. The type holds them to it: nothing here gives the words out.

use hookgate_agents::Tool;
use hookgate_clients::Missed;
use hookgate_effects::{Call, Kind, Part, Places, Said};
use hookgate_policy::Conventions;
use hookgate_session::Neighbour;
use hookgate_shell::Span;
use hookgate_text::{Message, Quoted, say};

use crate::repositories::Repositories;
use crate::rule::Facts;
use crate::seen::Seen;
use crate::sources::Resulting;

/// One event.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    facts: &'a Facts<'a>,
}

/// A call, without its words.
#[derive(Clone, Copy, Debug)]
pub struct Deed<'a> {
    call: &'a Call,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(facts: &'a Facts<'a>) -> Scene<'a> {
        Scene { facts }
    }

    /// The effects.
    pub(crate) fn seen(&self) -> impl Iterator<Item = Seen<'a>> + use<'a> {
        Seen::each(self.facts)
    }

    /// The calls.
    pub(crate) fn calls(&self) -> impl Iterator<Item = Deed<'a>> + use<'a> {
        self.facts.effects.calls.iter().map(Deed::of)
    }

    /// The call at that place.
    pub(crate) fn call(&self, index: usize) -> Option<Deed<'a>> {
        self.facts.effects.calls.get(index).map(Deed::of)
    }

    /// The agent's own permission rules that the call breaks without the agent noticing.
    pub(crate) fn missed(&self) -> &'a [Missed] {
        self.facts.native
    }

    /// What the policy says about commits, pull requests, issues and branches.
    pub(crate) fn conventions(&self) -> &'a Conventions {
        self.facts.conventions
    }

    /// The repositories of the machine, where rules may ask about them.
    pub(crate) fn repositories(&self) -> Option<&'a dyn Repositories> {
        self.facts.repositories.map(|facts| facts.0)
    }

    /// The other sessions that work in the repository around a directory.
    pub(crate) fn alongside(&self, directory: &str) -> Vec<Neighbour> {
        let session = &self.facts.event.session_id;
        let asked = self.repositories().filter(|_| !session.is_empty());
        asked.map(|repositories| repositories.alongside(directory, session)).unwrap_or_default()
    }

    /// The files whose text the call leaves is known.
    pub(crate) fn sources(&self) -> &'a [Resulting] {
        self.facts.sources.map_or(&[], |sources| sources.files(self.facts))
    }

    /// The places that paths were judged against.
    pub(crate) fn places(&self) -> &'a Places {
        self.facts.places
    }

    /// The agent's name, as people write it.
    pub(crate) fn agent(&self) -> &'static str {
        self.facts.event.agent.title
    }

    /// Is it a question to the person? To allow it is to answer it.
    pub(crate) fn asks_person(&self) -> bool {
        self.facts.event.tool().is_none_or(|call| matches!(call.tool(), Tool::Person))
    }
}

impl<'a> Deed<'a> {
    /// Its place in the event's text.
    pub(crate) fn span(&self) -> Span {
        self.call.span
    }

    /// What it says to people.
    pub(crate) fn said(&self) -> &'a [Said] {
        &self.call.said
    }

    pub(crate) fn of(call: &'a Call) -> Deed<'a> {
        Deed { call }
    }

    /// The program and its subcommand, as they are typed.
    pub(crate) fn named(self) -> String {
        let words =
            std::iter::once(self.call.program.to_string()).chain(self.call.subcommand.iter().cloned());
        words.collect::<Vec<_>>().join(" ")
    }

    /// Does the program's file say that it acts as that (`shell`, `connector`, `manager`, `carrier`)?
    pub(crate) fn acts_as(self, what: &str) -> bool {
        self.call.acts_as(what)
    }

    /// Does the program only show names, sizes and dates of what it reads?
    pub(crate) fn lists(self) -> bool {
        self.call.lists()
    }

    /// The option with which the call would only show that it does this, if its program has one.
    pub(crate) fn trial(self, kind: Kind) -> Option<&'static str> {
        self.call.trial(kind)
    }

    /// The option with which the call would say that, if its program has one.
    pub(crate) fn saying(self, part: Part) -> Option<&'static str> {
        self.call.saying(part)
    }

    /// Does the program only make files that hold what others hold?
    pub(crate) fn copies(self) -> bool {
        self.call.copies()
    }

    /// Does nobody see the values in what it reads?
    pub(crate) fn hidden(self) -> bool {
        self.call.hidden
    }

    /// Does the knowledge base list all of it?
    pub(crate) fn listed(self) -> bool {
        self.call.listed
    }

    /// The call that runs this one.
    pub(crate) fn carrier(self) -> Option<usize> {
        self.call.carrier
    }

    /// Where it runs, if that is known.
    pub(crate) fn directory(self) -> Option<&'a str> {
        self.call.cwd.as_deref()
    }

    /// What it is called, for messages.
    pub(crate) fn shown(self) -> Message {
        say!("{}", Quoted::new(&self.call.word))
    }
}
