//! The pieces of a shape: literals, and classes with counts.

/// The length of what a shape without an anchor takes of the beginning of `text`.
pub(crate) fn length_of(text: &str, shape: &str) -> Option<usize> {
    matched(text.as_bytes(), shape)
}

/// How many bytes the pieces take from the beginning of `bytes`; `None` where they don't fit, or where the last class could go
/// on.
pub(crate) fn matched(bytes: &[u8], pieces: &str) -> Option<usize> {
    let Some(rest) = pieces.strip_prefix('{') else {
        let (literal, more) = pieces.split_at_checked(pieces.find('{').unwrap_or(pieces.len()))?;
        if !bytes.starts_with(literal.as_bytes()) {
            return None;
        }
        return match more {
            "" => Some(literal.len()),
            _ => Some(literal.len() + matched(bytes.get(literal.len()..)?, more)?),
        };
    };
    let (class, more) = rest.split_once('}')?;
    let piece = Piece::class(class)?;
    let run = bytes.iter().take(piece.most.saturating_add(1)).take_while(|b| piece.accepts(**b)).count();
    if run < piece.least {
        return None;
    }
    if more.is_empty() {
        return (run <= piece.most).then_some(run);
    }
    // What follows may be of the same class: the shortest run behind which the rest fits.
    let last = run.min(piece.most);
    let exact = if piece.least == piece.most { last } else { piece.least };
    (exact..=last).find_map(|count| Some(count + matched(bytes.get(count..)?, more)?))
}

/// `{class:N-M}`.
pub(crate) struct Piece {
    class: Class,
    pub(crate) least: usize,
    pub(crate) most: usize,
}

#[derive(Clone, Copy)]
enum Class {
    Digit,
    Hex,
    Upper,
    Lower,
    Alpha,
    Alnum,
    Token,
    Unreserved,
    Base64,
    Base32,
}

impl Piece {
    /// Reads `alnum:36`, `token:20-`, `digit:8-10`.
    pub(crate) fn class(text: &str) -> Option<Piece> {
        let (class, count) = text.split_once(':')?;
        let class = match class {
            "digit" => Class::Digit,
            "hex" => Class::Hex,
            "upper" => Class::Upper,
            "lower" => Class::Lower,
            "alpha" => Class::Alpha,
            "alnum" => Class::Alnum,
            "token" => Class::Token,
            "unreserved" => Class::Unreserved,
            "base64" => Class::Base64,
            "base32" => Class::Base32,
            _ => return None,
        };
        let (least, most) = match count.split_once('-') {
            None => (count.parse().ok()?, count.parse().ok()?),
            Some((least, "")) => (least.parse().ok()?, usize::MAX),
            Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
        };
        Some(Piece { class, least, most })
    }

    /// Is the byte of the class?
    pub(crate) fn accepts(&self, byte: u8) -> bool {
        match self.class {
            Class::Digit => byte.is_ascii_digit(),
            Class::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Class::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Class::Lower => byte.is_ascii_digit() || byte.is_ascii_lowercase(),
            Class::Alpha => byte.is_ascii_alphabetic(),
            Class::Alnum => byte.is_ascii_alphanumeric(),
            Class::Token => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Class::Unreserved => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~'),
            Class::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Class::Base32 => byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte),
        }
    }
}
