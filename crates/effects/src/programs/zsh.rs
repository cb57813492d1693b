//! What zsh reads otherwise than the shells whose syntax is parsed.

/// Redirections that insist, and how other shells write them.
const INSISTS: [(&str, &str); 9] = [
    (">>&!", ">>&"),
    (">>&|", ">>&"),
    (">>!", ">>"),
    (">>|", ">>"),
    (">&!", ">&"),
    (">&|", ">&"),
    ("&>!", "&>"),
    ("&>|", "&>"),
    (">!", ">"),
];

/// The text with the redirections and words (`=rm`) that only zsh has as other shells write them, and the codes that its
/// globs run (`*(e:code:)`), with a plus sign the functions that they call (`*(+function)`).
pub(super) fn as_others_write(text: &str) -> (String, Vec<String>) {
    let mut written = String::with_capacity(text.len());
    let mut codes = Vec::new();
    let mut rest = text;
    let mut quote = None;
    while let Some(character) = rest.chars().next() {
        let mut take = character.len_utf8();
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), character) if open == character => quote = None,
            (None | Some('"'), '\\') => take += rest.chars().nth(1).map_or(0, char::len_utf8),
            (None, '>' | '&') => {
                if let Some((zsh, others)) = INSISTS.iter().find(|(zsh, _)| rest.starts_with(zsh)) {
                    written.push_str(others);
                    rest = rest.get(zsh.len()..).unwrap_or_default();
                    continue;
                }
            }
            (None, '=') if begins_word(&written) && names_command(rest) => {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            (None, '(') if ends_glob(&written) => codes.extend(code_of(rest)),
            _ => {}
        }
        written.push_str(rest.get(..take).unwrap_or(rest));
        rest = rest.get(take..).unwrap_or_default();
    }
    (written, codes)
}

/// Does a word begin behind what is written so far?
fn begins_word(written: &str) -> bool {
    written.chars().next_back().is_none_or(|last| last.is_whitespace() || ";&|({`".contains(last))
}

/// `=rm`, but neither `==` nor `=` by itself.
fn names_command(rest: &str) -> bool {
    rest.chars().nth(1).is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | '.' | '/'))
}

/// Does what is written so far end in a word that a bracket makes a glob?
fn ends_glob(written: &str) -> bool {
    written.chars().next_back().is_some_and(|last| last.is_alphanumeric() || "*?]/.)}\"'#_-~^".contains(last))
}

/// The code that the qualifiers in the bracket run.
fn code_of(rest: &str) -> Option<String> {
    let inside = rest.strip_prefix('(')?.trim_start_matches(['#', 'q']);
    for (at, character) in inside.char_indices() {
        match character {
            'e' => {
                let behind = inside.get(at + 1..)?;
                let open = behind.chars().next().filter(|open| !open.is_alphanumeric() && *open != ')')?;
                let close = match open {
                    '{' => '}',
                    '[' => ']',
                    '<' => '>',
                    open => open,
                };
                let code = behind.get(open.len_utf8()..)?;
                let code = code.split(close).next().unwrap_or(code);
                return Some(code.trim_matches(['"', '\'']).to_owned());
            }
            '+' => {
                let name = inside.get(at + 1..)?;
                let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
                return Some(format!("+{}", name.get(..end)?)).filter(|name| name.len() > 1);
            }
            'a'..='z' | 'A'..='Z' | '0'..='9' | '^' | '-' | ',' | '.' | '/' | '@' | '=' | '*' | '%' | ':' => {
            }
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::as_others_write;

    #[test]
    fn redirections_and_words_are_written_as_others_do() {
        let written = |text: &str| as_others_write(text).0;
        assert_eq!(written("=rm -rf x"), "rm -rf x");
        assert_eq!(
            written("echo x >&! y; echo x >! y; echo x >>| y"),
            "echo x >& y; echo x > y; echo x >> y"
        );
        assert_eq!(
            written("a=1; [[ $a == b ]] && echo '>! =x' \">!\""),
            "a=1; [[ $a == b ]] && echo '>! =x' \">!\""
        );
    }

    #[test]
    fn globs_that_run_code_are_found() {
        let codes = |text: &str| as_others_write(text).1;
        assert_eq!(codes("echo *(e:\"rm x\":)"), ["rm x"]);
        assert_eq!(codes("echo *(.e{'rm x'})"), ["rm x"]);
        assert_eq!(codes("echo *(+f)"), ["+f"]);
        assert!(codes("ls *(.om[1,3]) *(/N); f() { echo x; }; (exit 1)").is_empty());
    }
}
