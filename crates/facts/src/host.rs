//! Hosts by their names.

use std::net::IpAddr;

/// Is it this machine: `localhost` or a name below it, a loopback address, or the address that stands for all of its own?
/// `host` is a name or an address alone, IPv6 with or without brackets; no scheme, login, port or path.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    let name = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = name.parse::<IpAddr>() {
        return address.is_loopback() || address.is_unspecified();
    }
    let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
    last.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_told_from_names_that_only_look_like_it() {
        for host in
            ["localhost", "app.localhost", "127.0.0.1", "127.8.0.1", "::1", "[::1]", "0.0.0.0", "LOCALHOST"]
        {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "localhost.evil.example",
            "127.evil.example",
            "127.0.0.1.evil.example",
            "evil.example",
            "",
            "10.0.0.1",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
