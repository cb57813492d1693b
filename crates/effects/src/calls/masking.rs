//! Filters that let no value through: of a file of settings they show names, counts, digests or masked values.

use hookgate_secrets::finds_secrets;

use crate::knowledge::{self, Facet};

/// Does the program, with these arguments, let nothing of the values in its input out? There are no
/// arguments where one of them is computed.
pub(crate) fn hides<'a>(program: &str, arguments: impl FnOnce() -> Option<Vec<&'a str>>) -> bool {
    let hides = match knowledge::facet(program, Facet::Hides) {
        Some("all") => return true,
        Some("search") => counts,
        Some("first-field") => first_field,
        Some("names") => prints_names,
        Some("masks") => masks,
        _ => return false,
    };
    arguments().is_some_and(|arguments| hides(&arguments))
}

/// Does the program pass on the lines that a pattern finds?
pub(crate) fn searches(program: &str) -> bool {
    knowledge::facet(program, Facet::Hides) == Some("search")
}

/// Does the program, with these arguments, leave its input alone, so that what is piped into it is lost?
pub(crate) fn takes_nothing(program: &str, arguments: &[String]) -> bool {
    match program {
        "ssh" => arguments.first().is_some_and(|word| word == "-n"),
        "wget" => {
            let inputs = ["-i", "--input-file", "--post-file", "--body-file", "/dev/stdin"];
            !arguments.iter().any(|word| word == "-" || inputs.iter().any(|input| word.contains(input)))
        }
        _ => false,
    }
}

/// Does the program only pass on what it reads, changed or not?
pub(crate) fn passes_on(program: &str) -> bool {
    let passes = ["input", "lines", "reversed", "translated", "decoded", "echo", "format"];
    knowledge::facet(program, Facet::Prints).is_some_and(|prints| passes.contains(&prints))
        || knowledge::facet(program, Facet::Hides).is_some_and(|hides| hides != "all")
}

/// `grep -c`, and the other options that show no line: names of files, the exit code alone.
fn counts(arguments: &[&str]) -> bool {
    arguments.iter().any(|word| shows_no_line(word))
}

fn shows_no_line(word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => {
            matches!(long, "count" | "quiet" | "silent" | "files-with-matches" | "files-without-match")
        }
        // An option with a value ends the cluster: `-ec` looks for a `c`.
        None => word.strip_prefix('-').is_some_and(|letters| {
            let flags = letters.split(['e', 'f', 'A', 'B', 'C', 'm', 'g', 't']).next().unwrap_or_default();
            flags.contains(['c', 'q', 'l'])
        }),
    }
}

/// Does a search, with these arguments, look for names, and for none of a secret?
pub(crate) fn picks(arguments: &[String]) -> bool {
    let (options, patterns): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|word| word.starts_with('-'));
    // None of these shows another line, or takes a value.
    let plain = |option: &&String| {
        option
            .strip_prefix('-')
            .is_some_and(|letters| letters.bytes().all(|letter| b"EFPinowx".contains(&letter)))
    };
    let [pattern] = patterns.as_slice() else { return false };
    let names = |part: &str| {
        let from_beginning = part.trim_start_matches('(').starts_with('^');
        let name = part.trim_matches(['^', '(', ')', '\\']).trim_end_matches(".*").trim_end_matches('=');
        name.len() >= 3
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !finds_secrets(name, from_beginning)
    };
    options.iter().all(plain) && pattern.split('|').all(names)
}

/// What stands between a name and its value.
const SEPARATORS: [char; 2] = ['=', ':'];

/// `cut -d= -f1`: the names.
fn first_field(arguments: &[&str]) -> bool {
    let value = |short: &str, long: &str| {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if let Some(rest) = word.strip_prefix(short) {
                return if rest.is_empty() { words.next().copied() } else { Some(rest) };
            }
            if let Some(rest) = word.strip_prefix(long) {
                return rest.strip_prefix('=').or_else(|| words.next().copied());
            }
        }
        None
    };
    let separated =
        value("-d", "--delimiter").is_some_and(|text| SEPARATORS.iter().any(|c| text.starts_with(*c)));
    let complement = arguments.contains(&"--complement");
    separated && !complement && value("-f", "--fields") == Some("1")
}

/// `awk -F= '{print $1}'`: the names.
fn prints_names(arguments: &[&str]) -> bool {
    let mut separated = false;
    let mut text = None;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if let Some(rest) = word.strip_prefix("-F") {
            let separator = if rest.is_empty() { words.next().copied().unwrap_or_default() } else { rest };
            separated = separator.starts_with(SEPARATORS) || separator.starts_with("[=");
        } else if word.starts_with('-') {
            return false;
        } else if text.is_none() {
            text = Some(*word);
        }
    }
    separated && text.is_some_and(prints_the_first)
}

/// Does a text of awk print first fields, and nothing else? A field that it assigns is none of what it reads.
fn prints_the_first(text: &str) -> bool {
    let mut parts = text.split("print");
    let before = parts.next().unwrap_or_default();
    let mut prints = 0;
    let mut rest = vec![before.to_owned()];
    for part in parts {
        let Some(behind) = part.strip_prefix(" $1").map(str::trim_start) else { return false };
        if !(behind.is_empty() || behind.starts_with([';', '}'])) {
            return false;
        }
        prints += 1;
        rest.push(behind.to_owned());
    }
    let compared = rest.concat().replace("==", "").replace("!=", "").replace("||", "");
    let does = ["system", "getline", "FS", "sub(", "=", "|", "@"];
    prints > 0 && is_one_action(text) && !does.iter().any(|word| compared.contains(word))
}

/// Is it one pattern at most, and one action? A pattern without an action prints all of the line.
fn is_one_action(text: &str) -> bool {
    let Some((pattern, action)) = text.trim().split_once('{') else { return false };
    let mut depth = 1_usize;
    let mut ends = 0;
    for character in action.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        ends += usize::from(depth == 0);
    }
    !pattern.contains([';', '\n']) && ends == 1 && action.ends_with('}')
}

/// `sed 's/=.*/=***/'`: a substitution that replaces what follows the name. `sed -i`: all goes back into the file.
fn masks(arguments: &[&str]) -> bool {
    let in_place = |word: &&str| word.starts_with("-i") || word.starts_with("--in-place");
    if arguments.iter().any(in_place) {
        // `w` and `e` of a script reach the terminal by its path.
        return !arguments.iter().any(|word| word.contains("/dev/") || word.contains("/proc/"));
    }
    let mut scripts = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "-e" | "--expression" => scripts.extend(words.next().copied()),
            "-f" | "--file" => return false,
            word if word.starts_with('-') => {}
            word if scripts.is_empty() => scripts.push(word),
            _ => {}
        }
    }
    scripts.iter().any(|script| masks_values(script))
}

/// One of the script's substitutions takes everything behind a separator, and puts nothing of it back.
fn masks_values(script: &str) -> bool {
    let mut rest = script;
    loop {
        let Some(at) = rest.find('s') else { return false };
        rest = rest.get(at + 1..).unwrap_or_default();
        let Some(delimiter) = rest.chars().next().filter(char::is_ascii_punctuation) else { continue };
        let body = rest.get(delimiter.len_utf8()..).unwrap_or_default();
        let Some((pattern, replacement)) = halves(body, delimiter) else { continue };
        if takes_values(pattern) && !puts_back(pattern, replacement) {
            return true;
        }
    }
}

/// The pattern and the replacement of a substitution.
fn halves(body: &str, delimiter: char) -> Option<(&str, &str)> {
    let (pattern, rest) = until(body, delimiter)?;
    let (replacement, _) = until(rest, delimiter)?;
    Some((pattern, replacement))
}

/// What stands before the first delimiter without a backslash, and what behind it.
fn until(text: &str, delimiter: char) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        if character == delimiter && !escaped {
            return Some((text.get(..at)?, text.get(at + delimiter.len_utf8()..)?));
        }
        escaped = character == '\\' && !escaped;
    }
    None
}

/// Is there a separator with text of any length behind it?
fn takes_values(pattern: &str) -> bool {
    let Some((_, value)) = pattern.split_once(SEPARATORS) else { return false };
    value.contains(".*") || value.contains(".+") || value.contains("]*") || value.contains("]+")
}

/// Does the replacement hold the whole match, or a group that can be of any length?
fn puts_back(pattern: &str, replacement: &str) -> bool {
    let mut characters = replacement.chars();
    while let Some(character) = characters.next() {
        match character {
            '&' => return true,
            '\\' => {
                if let Some(number) = characters.next().and_then(|c| c.to_digit(10))
                    && group(pattern, number).is_none_or(|text| text.contains(".*") || text.contains(".+"))
                {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// The text of a group; `None` where there is none of that number.
fn group(pattern: &str, number: u32) -> Option<&str> {
    if number == 0 {
        return None;
    }
    let mut seen = 0;
    let mut open: Option<(usize, u32)> = None;
    let mut depth = 0_u32;
    for (at, character) in pattern.char_indices() {
        match character {
            '(' => {
                depth += 1;
                seen += 1;
                if seen == number {
                    open = Some((at + 1, depth));
                }
            }
            ')' => {
                if let Some((start, level)) = open
                    && level == depth
                {
                    return pattern.get(start..at);
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{hides, takes_nothing};

    fn hidden(words: &[&str]) -> bool {
        let program = words.first().copied().unwrap_or_default();
        hides(program, || Some(words.iter().skip(1).copied().collect()))
    }

    #[test]
    fn names_and_counts_are_no_values() {
        assert!(hidden(&["cut", "-d=", "-f1"]));
        assert!(hidden(&["cut", "-d", "=", "-f", "1"]));
        assert!(hidden(&["awk", "-F=", "/^A/ {print $1}"]));
        assert!(hidden(&["awk", "-F=", "{if ($1 ~ /A/) print $1}"]));
        assert!(!hidden(&["awk", "-F=", "{$1 = $2; print $1}"]));
        assert!(!hidden(&["awk", "-F=", "{print $1 $2}"]));
        assert!(!hidden(&["awk", "-F=", "{print $10}"]));
        assert!(!hidden(&["awk", "-F=", "{if ($1 ~ /A/) print $1; system($2)}"]));
        assert!(!hidden(&["awk", "-F=", "/A/; {print $1}"]));
        assert!(!hidden(&["awk", "-F=", "{print $1} /A/"]));
        assert!(!hidden(&["awk", "-F=", "{print $1} /A/ {print $1}"]));
        assert!(hidden(&["grep", "-ic", "token"]));
        assert!(!hidden(&["cut", "-d=", "-f2-"]));
        assert!(!hidden(&["cut", "-d=", "-f1", "--complement"]));
        assert!(!hidden(&["awk", "-F=", "{print $2}"]));
        assert!(!hidden(&["awk", "{print $1}"]));
        assert!(!hidden(&["grep", "-ec", "token"]));
        assert!(!hides("cut", || None));
    }

    #[test]
    fn a_mask_takes_the_value_and_puts_nothing_of_it_back() {
        assert!(hidden(&["sed", "s/=.*/=hidden/"]));
        assert!(hidden(&["sed", "-E", "s#(TOKEN=)(.{4}).*#\\1\\2...#"]));
        assert!(hidden(&["sed", "-E", "s#(user:)[^@]+@#\\1x@#"]));
        assert!(!hidden(&["sed", "s/=.*/&/"]));
        assert!(!hidden(&["sed", "-E", "s/=(.*)/: \\1/"]));
        assert!(!hidden(&["sed", "-n", "s/^A=//p"]));
        assert!(!hidden(&["sed", "s/a/b/"]));
        assert!(hidden(&["sed", "-i", "s/a/b/", "settings"]));
        assert!(!hidden(&["sed", "-i", "w /dev/stdout", "settings"]));
    }

    #[test]
    fn what_takes_no_input_loses_it() {
        let takes_nothing = |words: &[&str]| {
            let (program, rest) = words.split_first().unwrap_or((&"", &[]));
            takes_nothing(program, &rest.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
        };
        assert!(takes_nothing(&["ssh", "-n", "build1", "date"]));
        assert!(takes_nothing(&["wget", "https://example.com/x"]));
        assert!(!takes_nothing(&["ssh", "build1", "cat > x"]));
        assert!(!takes_nothing(&["wget", "--post-file=-", "https://example.com/x"]));
        assert!(!takes_nothing(&["wget", "-qi", "/dev/stdin"]));
        assert!(!takes_nothing(&["cat"]));
    }
}
