//! SECRET003: a secret is read and data is sent in the same command.

use hookgate_effects::{Kind, Manner, Target, Traits, is_loopback};
use hookgate_text::say;

use super::secret002_exfiltrate::reads_secret;
use crate::{Check, Hit, Kinds, Rule, Scene, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET003",
    name: "secret-and-upload",
    summary: "a secret is read and data is sent in the same command",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Upload, Kind::Listen]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let secret = scene.seen().find(|seen| {
        seen.effect.kind == Kind::SecretRead
            || (READS.contains(seen.effect.kind)
                && seen.has(Traits::SECRET)
                && !seen.lists()
                && !seen.happens(Manner::USED))
    });
    let sent = scene
        .seen()
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
        && matches!(&seen.effect.target, Some(Target::Host(host)) if is_loopback(host))
}
