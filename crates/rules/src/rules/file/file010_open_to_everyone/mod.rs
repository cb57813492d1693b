//! FILE010: files are made writable by everyone.

use hookgate_effects::{Kind, Traits};
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
    (reaches_far && seen.argument(for_everyone)).then(|| {
        seen.hit(say!("makes {} writable by everyone", seen.target("files")))
            .fix("give only the permissions needed, such as `chmod u+rwX,go+rX`")
    })
}

/// Does the mode give others the right to write?
fn for_everyone(mode: &str) -> bool {
    let octal = mode.len() >= 3 && mode.bytes().all(|b| (b'0'..=b'7').contains(&b));
    if octal {
        return mode.bytes().last().is_some_and(|b| (b - b'0') & 2 != 0);
    }
    mode.split(',').any(|clause| {
        clause.split_once(['+', '=']).is_some_and(|(who, rights)| {
            who.bytes().all(|b| b"ugoa".contains(&b)) && who.contains(['o', 'a']) && rights.contains('w')
        })
    })
}
