//! READ007: fetching from this machine is granted.

use hookgate_effects::{Certainty, Kind, Manner, Target};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "READ007",
    name: "fetch-here",
    summary: "fetching from this machine is granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Download]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let Some(Target::Host(host)) = &seen.effect.target else { return None };
    let written = !seen.happens(Manner::COMPUTED);
    (is_loopback(host) && written && seen.effect.certainty == Certainty::Certain)
        .then(|| seen.cover("fetches from this machine"))
        .flatten()
}

/// `localhost` and the addresses that mean this machine, with or without a port.
fn is_loopback(host: &str) -> bool {
    if matches!(host, "::1" | "[::1]") || host.starts_with("[::1]:") {
        return true;
    }
    let name = host.split_once(':').map_or(host, |(name, _)| name);
    name == "localhost" || name.ends_with(".localhost") || name == "0.0.0.0" || is_loopback_address(name)
}

/// `127.x.y.z`
fn is_loopback_address(name: &str) -> bool {
    name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}
