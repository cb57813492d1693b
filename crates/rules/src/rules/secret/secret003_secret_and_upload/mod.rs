//! SECRET003: a secret is read and data is sent in the same command.

use hookgate_effects::{Kind, Target, Traits};
use hookgate_text::say;

use super::secret002_exfiltrate::reads_secret;
use crate::{Check, Facts, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET003",
    name: "secret-and-upload",
    summary: "a secret is read and data is sent in the same command",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Upload, Kind::Listen]),
    check: Check::Whole(check),
};

fn check(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let effects =
        || facts.effects.effects.iter().enumerate().map(|(index, effect)| Seen { facts, index, effect });
    let secret = effects().find(|seen| {
        seen.effect.kind == Kind::SecretRead
            || (READS.contains(seen.effect.kind)
                && seen.has(Traits::SECRET)
                && !seen.lists()
                && !seen.is_identity())
    });
    let sent = effects()
        .find(|seen| RULE.kinds.contains(seen.effect.kind) && !stays_here(seen) && !reads_secret(seen));
    if let (Some(secret), Some(sent)) = (secret, sent) {
        let mut hit = sent
            .hit(say!(
                "reads {} and sends data to {}",
                secret.target("a stored credential"),
                sent.target("the network")
            ))
            .fix("don't read a secret and send data in the same command")
            .forbidden();
        hit.effects.insert(0, secret.index);
        hits.push(hit);
    }
}

/// What may carry the content on.
const READS: Kinds = Kinds::of(&[Kind::Read, Kind::Move, Kind::Link]);

/// Is it sent to a service on this very machine, such as the one under development?
fn stays_here(seen: &Seen<'_>) -> bool {
    seen.effect.kind == Kind::Upload
        && matches!(&seen.effect.target, Some(Target::Host(host)) if LOCAL.contains(&host.as_str()))
}

const LOCAL: [&str; 4] = ["localhost", "127.0.0.1", "::1", "0.0.0.0"];
