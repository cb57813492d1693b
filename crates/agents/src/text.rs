//! Texts within the client's limits.

/// The most that one text field may hold, in UTF-16 code units, as the client counts; more would reach the
/// model only as a preview and a path.
pub(crate) const LIMIT: usize = 10_000;
/// The same for `classifierContext`, which all hooks of a call share.
pub(crate) const CLASSIFIER_LIMIT: usize = 2_000;

/// Room for the line that counts what was left out.
const NOTE_ROOM: usize = 40;

/// Joins texts, leaving out as many whole ones at the end as the limit demands, and says how many.
///
/// A first text that is too long by itself is cut between two characters. Control characters other than line
/// breaks and tabs, which a terminal might act upon, become U+FFFD. No text at all is `None`.
pub(crate) fn join<'a>(
    texts: impl Iterator<Item = &'a str> + Clone,
    separator: &str,
    limit: usize,
) -> Option<String> {
    let texts = texts.filter(|text| !text.is_empty());
    let count = texts.clone().count();
    let mut joined = String::new();
    let mut units = 0;
    for (index, text) in texts.enumerate() {
        let is_last = index + 1 == count;
        let room = limit.saturating_sub(if is_last { 0 } else { NOTE_ROOM });
        let separator = if index == 0 { "" } else { separator };
        let wanted = utf16_length(separator) + utf16_length(text);
        if units + wanted <= room {
            joined.push_str(separator);
            push_safe(&mut joined, text);
            units += wanted;
            continue;
        }
        if index == 0 {
            push_safe(&mut joined, prefix(text, limit.saturating_sub(NOTE_ROOM)));
            joined.push_str("...");
            if !is_last {
                joined.push_str(&note(count - 1));
            }
        } else {
            joined.push_str(&note(count - index));
        }
        break;
    }
    (!joined.is_empty()).then_some(joined)
}

/// One text within the limit.
pub(crate) fn limited(text: &str, limit: usize) -> Option<String> {
    join(std::iter::once(text), "", limit)
}

fn note(left_out: usize) -> String {
    format!("\n\n({left_out} more omitted)")
}

fn push_safe(joined: &mut String, text: &str) {
    if text.bytes().any(|byte| byte < 0x20 || byte == 0x7f || byte == 0xc2) {
        joined.extend(text.chars().map(|character| match character {
            '\n' | '\t' => character,
            control if control.is_control() => char::REPLACEMENT_CHARACTER,
            other => other,
        }));
    } else {
        joined.push_str(text);
    }
}

fn utf16_length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

/// As much of the text as fits, between two characters.
fn prefix(text: &str, limit: usize) -> &str {
    let mut units = 0;
    let end = text
        .char_indices()
        .find(|(_, character)| {
            units += character.len_utf16();
            units > limit
        })
        .map_or(text.len(), |(index, _)| index);
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(texts: &[&str], limit: usize) -> Option<String> {
        join(texts.iter().copied(), "\n\n", limit)
    }

    #[test]
    fn texts_that_fit_are_joined_word_for_word() {
        assert_eq!(joined(&["[GIT001] no", "", "[GIT002] no"], 100).unwrap(), "[GIT001] no\n\n[GIT002] no");
        assert_eq!(joined(&[], 100), None);
        assert_eq!(joined(&[""], 100), None);
        let exact = "x".repeat(LIMIT);
        assert_eq!(joined(&[&exact], LIMIT).unwrap(), exact);
    }

    #[test]
    fn whole_texts_are_left_out_and_counted() {
        let finding = "f".repeat(30);
        assert_eq!(
            joined(&[&finding, &finding, &finding, &finding], 110).unwrap(),
            format!("{finding}\n\n{finding}\n\n(2 more omitted)")
        );
    }

    #[test]
    fn a_text_that_is_too_long_is_cut_between_characters() {
        let long = "\u{1f600}".repeat(6_000);
        let cut = joined(&[&long, "second"], LIMIT).unwrap();
        assert!(cut.encode_utf16().count() <= LIMIT);
        assert!(cut.ends_with("\u{1f600}...\n\n(1 more omitted)"));
    }

    #[test]
    fn no_field_is_ever_above_the_limit() {
        for length in [59, 60, 61, 99, 100, 101, 300] {
            for count in 1..5 {
                let text = "\u{e9}".repeat(length);
                let texts = vec![text.as_str(); count];
                let joined = joined(&texts, 100).unwrap();
                assert!(joined.encode_utf16().count() <= 100, "{length} x {count}: {joined}");
            }
        }
    }

    #[test]
    fn terminal_control_is_made_visible() {
        assert_eq!(joined(&["a\x1b[31mb\n\tc\r\u{9b}"], 100).unwrap(), "a\u{fffd}[31mb\n\tc\u{fffd}\u{fffd}");
    }
}
