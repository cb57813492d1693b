//! Names that say of a value that it is a secret, whatever joins their parts: `API_KEY`, `api-key` and `apiKey` are one.

use hookgate_knowledge::shipped;

include!(concat!(env!("OUT_DIR"), "/names.rs"));

/// The words that such a name ends in.
pub(crate) const LAST_WORDS: &[&str] = &WORDS;

/// Does a name end in the word, whatever joins its parts?
pub(crate) fn ends_in(name: &[u8], word: &str) -> bool {
    before(name, word).is_some()
}

/// What stands before the word that a name ends in.
fn before<'n>(name: &'n [u8], word: &str) -> Option<&'n [u8]> {
    let mut rest = name;
    for letter in word.bytes().rev() {
        while let Some((_, others)) = rest.split_last().filter(|(last, _)| is_joint(**last)) {
            rest = others;
        }
        let (last, others) = rest.split_last()?;
        if last.to_ascii_lowercase() != letter {
            return None;
        }
        rest = others;
    }
    Some(rest)
}

const fn is_joint(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b'.')
}

/// Is what follows the name masked where it is written down? The name ends in a word for a secret, or for what logs in, behind a
/// joint: `DB_PASSWORD` does, `compass` doesn't.
#[must_use]
pub fn is_masked_after(name: &str) -> bool {
    WORDS.iter().chain(&MASKED).any(|word| {
        before(name.as_bytes(), word).is_some_and(|before| before.last().is_none_or(|byte| is_joint(*byte)))
    })
}

/// Does the name of a variable say anywhere in it that it holds a secret?
#[must_use]
pub fn names_a_secret(name: &str) -> bool {
    let bare: String =
        name.chars().filter(|c| !matches!(c, '_' | '-' | '.')).map(|c| c.to_ascii_lowercase()).collect();
    WORDS.iter().any(|word| bare.contains(word))
}

/// Would a search for this word, from the names' beginning or anywhere in them, find variables of the environment that hold secrets?
#[must_use]
pub fn finds_secrets(word: &str, from_beginning: bool) -> bool {
    let upper = word.to_ascii_uppercase();
    let finds = |name: &str| if from_beginning { name.starts_with(&upper) } else { name.contains(&upper) };
    let has_part = |part: &str| upper.contains(&part.to_ascii_uppercase());
    let table = shipped().table("secrets/tokens/names");
    let any =
        |list: &str, test: &dyn Fn(&str) -> bool| table.find(list).is_some_and(|row| row.cells().any(test));
    names_a_secret(word) || any("parts", &has_part) || any("variables", &finds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_masked_after_by_its_last_word() {
        for name in
            ["DB_PASSWORD", "api-key", "apiKey", "client_secret", "PGPASSWD", "x.pwd", "AUTHORIZATION"]
        {
            assert_eq!(is_masked_after(name), name != "PGPASSWD", "{name}");
        }
        for name in ["compass", "monkey", "author", "token_count", ""] {
            assert!(!is_masked_after(name), "{name}");
        }
    }

    #[test]
    fn a_variable_that_holds_a_secret_is_known_by_its_name() {
        for name in
            ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "MY_API_KEY_2", "SIGNING_PASSPHRASE", "npm_token"]
        {
            assert!(names_a_secret(name), "{name}");
        }
        for name in ["HOME", "AWS_REGION", "KEYBOARD", "PASSAGE", "AUTHOR"] {
            assert!(!names_a_secret(name), "{name}");
        }
    }

    #[test]
    fn a_search_finds_secrets_by_part_of_a_name() {
        for (word, from_beginning) in
            [("AWS", false), ("aws_", true), ("tok", false), ("OPENAI", true), ("URL", false)]
        {
            assert!(finds_secrets(word, from_beginning), "{word}");
        }
        for (word, from_beginning) in [("proxy", true), ("HOME", false), ("SESSION", true), ("RUST", false)] {
            assert!(!finds_secrets(word, from_beginning), "{word}");
        }
    }
}
