//! Passwords in URLs: `scheme://user:password@host`.

use crate::{Certainty, Found, placeholder};

/// Passwords that stand in every tutorial.
const TUTORIAL: [&str; 22] = [
    "password", "passwd", "pass", "pwd", "secret", "postgres", "root", "admin", "user", "username", "test",
    "guest", "token", "mysql", "redis", "mongo", "rabbitmq", "pw", "hunter2", "foo", "bar", "git",
];

/// The password in the URL whose `://` begins at `colon`.
pub(crate) fn at(text: &str, colon: usize) -> Option<Found<'static>> {
    let rest = text.get(colon..)?.strip_prefix("://")?;
    let end =
        rest.find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '`' | '<' | '>' | '#' | '?'));
    let authority = rest.get(..end.unwrap_or(rest.len()).min(rest.len()))?;
    let (login, host) = authority.rsplit_once('@')?;
    let (user, password) = login.split_once(':')?;
    let scheme =
        text.get(..colon)?.rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '.'))).next()?;
    let references =
        password.contains(['$', '{', '}', '%', '(', '[', '*', '\\', ',']) && !password.contains("%2");
    let local =
        ["localhost", "127.", "0.0.0.0", "[::1]", "db:", "host"].iter().any(|name| host.starts_with(name))
            || host.contains("example")
            || !host.contains(['.', ':']) && host.len() < 12;
    let known = TUTORIAL.contains(&password.to_ascii_lowercase().as_str())
        || password.eq_ignore_ascii_case(user)
        || placeholder::is_example(password);
    let weak = password.len() < 6 || references || known || local;
    if scheme.is_empty() || weak {
        return None;
    }
    let begin = colon + "://".len() + user.len() + 1;
    Some(Found { name: "url-password", range: begin..begin + password.len(), certainty: Certainty::Certain })
}
