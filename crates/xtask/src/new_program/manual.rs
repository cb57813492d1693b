//! The source of a manual page, as it would be printed.

/// Is it such a source, and no printed text?
pub(super) fn is_source(text: &str) -> bool {
    text.lines().any(|line| line.starts_with(".TH ") || line.starts_with(".Dd "))
}

/// The page with headings at the margin, options indented, and what they do further in.
pub(super) fn printed(text: &str) -> String {
    let mut printed = String::new();
    // The line after `.TP` is an option, the lines after that are about it.
    let mut tagged = false;
    let mut inside = false;
    for line in text.lines() {
        let (request, rest) = match line.strip_prefix('.') {
            Some(request) => request.split_once(' ').unwrap_or((request, "")),
            None => ("", line),
        };
        let text = plain(rest);
        match request {
            "SH" | "SS" => {
                (tagged, inside) = (false, false);
                printed.push_str(&text);
            }
            "TP" => {
                (tagged, inside) = (true, false);
                continue;
            }
            "PP" | "P" | "LP" => {
                inside = false;
                continue;
            }
            "" | "B" | "BR" | "I" | "IR" | "BI" | "RB" | "RI" | "IB" if text.trim().is_empty() => continue,
            "" | "B" | "BR" | "I" | "IR" | "BI" | "RB" | "RI" | "IB" => {
                // Two faces that alternate print without the blanks between the words.
                let text = if request.len() == 2 { without_blanks(&text) } else { text };
                printed.push_str(if tagged || !inside { "    " } else { "          " });
                printed.push_str(&text);
                inside |= tagged;
                tagged = false;
            }
            _ => continue,
        }
        printed.push('\n');
    }
    printed
}

/// The text without what changes its face.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('f')) => {
                characters.next();
                characters.next();
            }
            ('\\', Some('&')) => {
                characters.next();
            }
            ('\\', Some(_)) => plain.extend(characters.next()),
            ('"', _) => {}
            (character, _) => plain.push(character),
        }
    }
    plain
}

/// The words joined, but for a comma's blank.
fn without_blanks(text: &str) -> String {
    text.split(' ').fold(String::new(), |mut joined, word| {
        joined.push_str(word);
        if word.ends_with(',') {
            joined.push(' ');
        }
        joined
    })
}
