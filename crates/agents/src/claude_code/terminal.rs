//! Which terminal sequences the client passes on; any other voids the answer's field.

/// Is the text made only of BEL and of the operating system commands that Claude Code passes on?
///
/// Those are OSC 0, 1, 2, 9, 99 and 777, ended by BEL or `ESC \`. After `9;` no digit may follow, except in
/// the progress report `9;4`.
pub(super) fn is_passed_on(sequence: &str) -> bool {
    let mut rest = sequence;
    while !rest.is_empty() {
        let after = rest.strip_prefix('\x07').or_else(|| command(rest));
        match after {
            Some(after) => rest = after,
            None => return false,
        }
    }
    !sequence.is_empty()
}

/// What follows the operating system command at the start of the text.
fn command(text: &str) -> Option<&str> {
    let text = text.strip_prefix("\x1b]")?;
    let (number, body) = text.split_once(';')?;
    if !matches!(number, "0" | "1" | "2" | "9" | "99" | "777") {
        return None;
    }
    let (body, end) = body.split_at_checked(body.find(char::is_control)?)?;
    let is_progress = body == "4" || body.starts_with("4;");
    if number == "9" && body.starts_with(|first: char| first.is_ascii_digit()) && !is_progress {
        return None;
    }
    end.strip_prefix('\x07').or_else(|| end.strip_prefix("\x1b\\"))
}

#[cfg(test)]
mod tests {
    use super::is_passed_on;

    #[test]
    fn titles_notifications_progress_and_bells_pass() {
        for sequence in [
            "\x07",
            "\x1b]0;build: red\x07",
            "\x1b]2;title\x1b\\\x07",
            "\x1b]9;done\x07",
            "\x1b]9;4;1;50\x07",
            "\x1b]777;notify;hookgate;held back\x07",
            "\x1b]99;i=1;text\x1b\\",
        ] {
            assert!(is_passed_on(sequence), "{sequence:?}");
        }
    }

    #[test]
    fn everything_else_is_dropped() {
        for sequence in [
            "",
            "plain",
            "\x1b[31m",
            "\x1b]52;c;aGk=\x07",
            "\x1b]8;;http://x\x07",
            "\x1b]9;1;200\x07",
            "\x1b]0;no end",
            "\x1b]0;a\x1b[2J\x07",
            "\x1b]0;a\x07tail",
        ] {
            assert!(!is_passed_on(sequence), "{sequence:?}");
        }
    }
}
