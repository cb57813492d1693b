//! SECRET001: a secret is read.

use hookgate_effects::{Kind, Manner, Target, Traits};
use hookgate_text::say;

use crate::{Check, Deed, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET001",
    name: "read-secret",
    summary: "a secret is read",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Read, Kind::SecretRead]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let secret = seen.effect.kind == Kind::SecretRead
        || (seen.has(Traits::SECRET) && !seen.lists() && !seen.happens(Manner::USED) && !is_public(seen));
    if secret && seen.happens(Manner::STAGED) {
        return Some(
            seen.hit(say!("puts {}, which holds a secret, into the repository", seen.target("a file")))
                .fix("list the file in `.gitignore`, and commit an example without values"),
        );
    }
    (secret && !is_hidden(seen) && !is_copied_beside(seen)).then(|| {
        seen.hit(say!("reads {}, which holds a secret", seen.target("a stored credential")))
            .fix("let the program read the secret from its own file or environment")
    })
}

/// Is it one of the files among the keys of ssh that hold public parts only, or does the call show nothing but certificates?
fn is_public(seen: &Seen<'_>) -> bool {
    if seen.happens(Manner::PUBLIC) {
        return true;
    }
    let path = seen.path().filter(|path| !path.pattern && !seen.effect.recursive);
    path.is_some_and(|path| {
        path.path.contains("/.ssh/authorized_keys") || path.path.ends_with("/.ssh/config")
    })
}

/// Does nobody see a value of it? A variable keeps it, or names, counts and masked text come out. What a host hands out
/// is somebody's to use, seen or not.
fn is_hidden(seen: &Seen<'_>) -> bool {
    seen.call().is_some_and(Deed::hidden) && !matches!(seen.effect.target, Some(Target::Host(_)))
}

/// Does `cp .env .env.old` keep it beside itself, under a name that is asked about just as well?
fn is_copied_beside(seen: &Seen<'_>) -> bool {
    let Some(directory) = settings(seen).filter(|_| seen.call().is_some_and(Deed::copies)) else {
        return false;
    };
    let mut written = seen.of_call().filter(|other| other.effect.kind == Kind::Write).peekable();
    written.peek().is_some() && written.all(|other| settings(&other) == Some(directory))
}

/// The directory of a file of settings.
fn settings<'a>(seen: &Seen<'a>) -> Option<&'a str> {
    let path =
        seen.path().filter(|path| !path.pattern && path.names_environment() && seen.has(Traits::SECRET))?;
    path.path.rsplit_once('/').map(|(directory, _)| directory)
}
