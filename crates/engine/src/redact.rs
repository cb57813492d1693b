//! Takes secrets out of text that is written down. Recognised by shape and by the name beside them, without patterns.

use hookgate_secrets::{begins_as_token, is_masked_after};

/// How many bytes behind the beginning of a token are enough to mask it.
const RANDOM: usize = 12;

/// Stands where a secret was.
const MASK: &str = "[redacted]";

/// The text with its secrets masked. Everything else stays as it is.
#[must_use]
pub fn redact(text: &str) -> String {
    // One short word that is given to no name: most are paths in the project.
    let parts = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b':' | b'"' | b'\'');
    if text.len() <= RANDOM && text.is_ascii() && !text.bytes().any(parts) {
        return text.to_owned();
    }
    let masked = hookgate_secrets::mask(text);
    let text = masked.as_deref().unwrap_or(text);
    let mut out = String::with_capacity(text.len());
    let mut secret_follows = false;
    let mut open_quote = None;
    for piece in pieces(text) {
        // A quoted secret may hold blanks: everything up to its closing quote belongs to it.
        if let Some(quote) = open_quote {
            if let Some((_, rest)) = piece.split_once(quote) {
                out.push(quote);
                out.push_str(rest);
                open_quote = None;
            }
            continue;
        }
        if piece.chars().all(char::is_whitespace) {
            out.push_str(piece);
            continue;
        }
        if secret_follows && !piece.starts_with('-') {
            // `Authorization: Bearer x`: the scheme is no secret, what follows is.
            if is_name(piece) || piece.eq_ignore_ascii_case("basic") {
                out.push_str(piece);
                continue;
            }
            open_quote = unclosed(piece);
            mask(&mut out, piece);
            secret_follows = false;
            continue;
        }
        let before = out.len();
        secret_follows = word(&mut out, piece);
        if out.get(before..).is_some_and(|written| written.ends_with(MASK)) {
            open_quote = piece.split_once(['=', ':']).and_then(|(_, value)| unclosed(value));
        }
    }
    out
}

/// Writes one word, masked where it is secret; true if the next one is a value to mask.
fn word(out: &mut String, piece: &str) -> bool {
    let bare = piece.trim_matches(is_quote);
    if let Some((name, value)) = bare.split_once(['=', ':']).filter(|(_, value)| !value.starts_with("//")) {
        if is_name(name) {
            if value.is_empty() {
                out.push_str(piece);
                return true;
            }
            let lead = piece.len() - piece.trim_start_matches(is_quote).len();
            out.push_str(piece.get(..lead + name.len() + 1).unwrap_or(""));
            out.push_str(MASK);
            return false;
        }
    } else if bare.starts_with('-') && is_name(bare) || bare.eq_ignore_ascii_case("bearer") {
        out.push_str(piece);
        return true;
    }
    if let Some(user) = piece.contains(':').then(|| url_with_password(piece)).flatten() {
        out.push_str(&user);
    } else if begins_as_token(bare, RANDOM)
        || bare
            .split_once('=')
            .is_some_and(|(_, value)| begins_as_token(value.trim_matches(is_quote), RANDOM))
    {
        mask(out, piece);
    } else {
        out.push_str(piece);
    }
    false
}

fn mask(out: &mut String, piece: &str) {
    let quotes: String = piece.chars().take_while(|c| is_quote(*c)).collect();
    out.push_str(&quotes);
    out.push_str(MASK);
    out.push_str(&piece.chars().rev().take_while(|c| is_quote(*c)).collect::<String>());
}

/// The quote that `text` opens and does not close.
fn unclosed(text: &str) -> Option<char> {
    let quote = text.chars().next().filter(|c| is_quote(*c))?;
    (text.matches(quote).count() == 1).then_some(quote)
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'')
}

fn is_name(text: &str) -> bool {
    is_masked_after(text.trim_start_matches('-').trim_end_matches(':'))
}

/// `https://user:password@host/` with the password masked.
fn url_with_password(piece: &str) -> Option<String> {
    let (scheme, rest) = piece.split_once("://")?;
    let (authority, tail) = rest.split_once('@')?;
    let (user, _) = authority.split_once(':').filter(|(user, _)| !user.contains('/'))?;
    Some(format!("{scheme}://{user}:{MASK}@{tail}"))
}

/// Words and the white space between them, in turn.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let white = first.is_whitespace();
        let end = rest.find(|c: char| c.is_whitespace() != white).unwrap_or(rest.len());
        let (piece, tail) = rest.split_at_checked(end)?;
        rest = tail;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn secrets_are_masked_and_the_rest_stays() {
        for (text, expected) in [
            ("git push", "git push"),
            (
                "curl -H 'Authorization: Bearer abc' https://x.example",
                "curl -H 'Authorization: Bearer [redacted]' https://x.example",
            ),
            ("mysql --password hunter2 -u root", "mysql --password [redacted] -u root"),
            ("mysql --password=hunter2", "mysql --password=[redacted]"),
            ("DB_PASSWORD=x ./run", "DB_PASSWORD=[redacted] ./run"),
            ("export GITHUB_TOKEN='a b c' ; ls", "export GITHUB_TOKEN=[redacted]' ; ls"),
            ("mysql --password 'a b' -u root", "mysql --password '[redacted]' -u root"),
            ("git clone https://me:pw@example.com/x", "git clone https://me:[redacted]@example.com/x"),
            ("echo ghp_abcdefghijklmnop1234", "echo [redacted]"),
            ("cat compass token.txt", "cat compass token.txt"),
            ("date +%H:%M", "date +%H:%M"),
        ] {
            assert_eq!(redact(text), expected, "{text}");
        }
    }
}
