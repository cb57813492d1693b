//! Hosts that a repository is sent to: has it a remote there?

use super::git_settings::{self, MAXIMUM_FILE};
use crate::context::Context;
use crate::effect::{Kind, Manner};
use crate::field::Field;
use crate::hosts::host_name;

/// The repository goes to that address, by a push.
pub(super) fn sent(context: &mut Context<'_>, address: &Field) {
    if address.written.contains("://") || address.written.contains('@') {
        context.host(Kind::Upload, address);
        if is_new(context, address) {
            context.happens(Manner::ELSEWHERE);
        }
    }
}

/// Later pushes go to that address: an effect of its own only where none of its remotes is on that host.
pub(super) fn set(context: &mut Context<'_>, address: &Field) {
    if is_new(context, address) {
        context.host(Kind::Upload, address);
        context.happens(Manner::ELSEWHERE);
    }
}

/// Has the repository remotes, and none of them on that host? Settings that include others may have more.
fn is_new(context: &Context<'_>, address: &Field) -> bool {
    let Some(host) = address.text().and_then(host_of) else { return false };
    let [_, own, ..] = git_settings::files(context.places());
    let Some(text) = context.world().read(&own, MAXIMUM_FILE).and_then(|bytes| String::from_utf8(bytes).ok())
    else {
        return false;
    };
    let mut known = addresses(&text).filter_map(host_of).peekable();
    let below = |name: &str, above: &str| name.strip_suffix(above).is_some_and(|rest| rest.ends_with('.'));
    known.peek().is_some()
        && !known.any(|known| known == host || below(&known, &host) || below(&host, &known))
}

/// What stands for `url` and `pushurl` in a file of git's settings, in whatever section.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        let name = name.trim();
        (name.eq_ignore_ascii_case("url") || name.eq_ignore_ascii_case("pushurl"))
            .then(|| value.trim().trim_matches('"'))
    })
}

/// The host of `https://host/x` and `user@host:x`; a path has none.
fn host_of(address: &str) -> Option<String> {
    let far =
        address.contains("://") || address.split('/').next().is_some_and(|first| first.contains(['@', ':']));
    let name = host_name(address).to_ascii_lowercase();
    (far && !name.is_empty() && !address.starts_with("file://")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_in_every_form_of_an_address() {
        for (address, wanted) in [
            ("https://user:x@Git.Example:8443/a/b", Some("git.example")),
            ("git@git.example:a/b.git", Some("git.example")),
            ("git.example:a", Some("git.example")),
            ("ssh://git@git.example/a", Some("git.example")),
            ("../other", None),
            ("/srv/git/a@b", None),
            ("file:///srv/git", None),
            ("origin", None),
        ] {
            assert_eq!(host_of(address).as_deref(), wanted, "{address}");
        }
        let text = "[remote \"origin\"]\n\turl = https://git.example/a\n\tpushURL=\"git@b.example:a\"\n\tfetch = x\n";
        assert_eq!(addresses(text).collect::<Vec<_>>(), ["https://git.example/a", "git@b.example:a"]);
    }
}
