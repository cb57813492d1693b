//! FILE010: files are made writable by everyone.

use hookgate_effects::{Kind, Manner, Traits};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE010",
    name: "open-to-everyone",
    summary: "files are made writable by everyone",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Permission]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let reaches_far = seen.wide() || seen.outside() || seen.has(Traits::SECRET);
    (reaches_far && seen.happens(Manner::EVERYONE)).then(|| {
        seen.hit(say!("makes {} writable by everyone", seen.target("files")))
            .fix("give only the permissions needed, such as `chmod u+rwX PATH`")
    })
}
