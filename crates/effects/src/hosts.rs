//! The names of hosts in words.

use crate::state::PLAIN_WORD;

/// The host in a URL, `user@host:path` or `host:port`.
pub(crate) fn host_name(text: &str) -> &str {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    // `10.0.0.0/24` is a network.
    let is_network = |(address, size): (&str, &str)| {
        size.parse::<u8>().is_ok() && address.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    if text.split_once('/').is_some_and(is_network) {
        return text;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if let Some((inside, _)) = host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        return inside;
    }
    host.split(':').next().unwrap_or(host)
}

/// Does the host's name hold a part of which only the kind is known (`$(hostname)`)? It is written with a slash.
pub(crate) fn host_of_part(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let before = rest.split_once(PLAIN_WORD).map(|(before, _)| before);
    before.is_some_and(|before| !before.contains(['/', '?', '#']))
}

/// The host of a URL whose later part is computed.
pub(crate) fn known_host(written: &str) -> Option<&str> {
    let (_, rest) = written.split_once("://")?;
    let (authority, _) = rest.split_once('/')?;
    (!authority.contains(['$', '`', '*'])).then(|| host_name(written))
}
