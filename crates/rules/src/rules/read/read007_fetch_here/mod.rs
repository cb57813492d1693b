//! READ007: fetching from this machine is granted.

use hookgate_effects::{Certainty, Kind, Manner, Target, is_loopback};

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
    (is_here(host) && written && seen.effect.certainty == Certainty::Certain)
        .then(|| seen.cover("fetches from this machine"))
        .flatten()
}

/// Is it this machine, with or without a port?
fn is_here(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(rest, |(name, _)| name),
        None if host.matches(':').count() == 1 => host.split_once(':').map_or(host, |(name, _)| name),
        None => host,
    };
    is_loopback(name)
}
