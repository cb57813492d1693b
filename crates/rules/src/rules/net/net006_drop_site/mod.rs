//! NET006: data goes to a place where nobody can say who gets it.

use hookgate_effects::{Kind, Manner, Target};
use hookgate_knowledge::shipped;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "NET006",
    name: "drop-site",
    summary: "data goes to a paste, a file drop, a catcher of requests, a webhook or a tunnel",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Upload, Kind::Download, Kind::RemoteRead]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let Some(Target::Host(host) | Target::Name(host)) = &seen.effect.target else { return None };
    // What is only fetched tells what its address says.
    let says = seen.effect.kind == Kind::Upload || seen.happens(Manner::COMPUTED);
    (says && is_drop_site(host)).then(|| {
        seen.hit(say!(
            "sends data to {}, where anyone who knows the address can read it",
            seen.target("a drop")
        ))
        .fix("show the user what would be sent, and let them send it")
    })
}

/// Is it one of the hosts that `knowledge/commands/places.toml` lists, or a name below one?
fn is_drop_site(host: &str) -> bool {
    let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
    let table = shipped().table("commands/places/drop-sites");
    let mut name = host.as_str();
    loop {
        if table.contains(name) {
            return true;
        }
        match name.split_once('.') {
            Some((_, above)) if above.contains('.') => name = above,
            _ => return false,
        }
    }
}
