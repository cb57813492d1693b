//! NET006: data goes to a place where nobody can say who gets it, or the repository to a host that it never had.

use hookgate_effects::{Kind, Manner, Target};
use hookgate_knowledge::shipped;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "NET006",
    name: "drop-site",
    summary: "data goes to a paste, a drop, a tunnel, the name of a host or a new remote",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Upload, Kind::Download, Kind::RemoteRead]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    if seen.happens(Manner::ENCODED) {
        return Some(
            seen.hit(say!("asks for a name made of encoded data, which the owner of the domain can read"))
                .fix("show the user what would be sent, and let them send it"),
        );
    }
    if seen.happens(Manner::ELSEWHERE) {
        return Some(
            seen.hit(say!(
                "sends the repository to {}, where none of its remotes is",
                seen.target("another host")
            ))
            .fix("ask the user whether it may go there"),
        );
    }
    let (Target::Host(host) | Target::Name(host) | Target::Unresolved(host)) = seen.effect.target.as_ref()?
    else {
        return None;
    };
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
    let (_, host) = host.split_once("://").unwrap_or(("", host));
    let host = host.split([':', '/', '?']).next().unwrap_or(host).to_ascii_lowercase();
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
