//! SQL, and the commands of the clients that run it: `psql`'s backslash, `sqlite3`'s dot, `mysql`'s words.

mod client;
mod statements;
#[cfg(test)]
mod tests;

use super::Code;
use statements::judge;

/// Does a text begin like a statement that changes something?
pub(super) fn reads_like_it(text: &str) -> bool {
    const VERBS: [&str; 18] = [
        "ALTER", "ATTACH", "CALL", "COPY", "CREATE", "DELETE", "DO", "DROP", "EXEC", "GRANT", "INSERT",
        "MERGE", "PRAGMA", "REPLACE", "REVOKE", "TRUNCATE", "UPDATE", "VACUUM",
    ];
    let mut words = text.trim_start_matches(['(', ' ', '\n', '\t', ';']).split_whitespace();
    let verb = words.next().map(str::to_ascii_uppercase);
    verb.is_some_and(|verb| VERBS.contains(&verb.trim_end_matches(';'))) && words.next().is_some()
}

/// Blocks in blocks (`DO $a$ ... DO $b$ ...`) are read so many levels down.
const DEEPEST: usize = 16;

/// What a text of statements does.
pub(super) fn analyse(text: &str) -> Code {
    statements(text, 0)
}

fn statements(text: &str, depth: usize) -> Code {
    let mut code = Code::new();
    if depth > DEEPEST {
        code.give_up(0, text.len());
        return code;
    }
    let mut statement: Vec<Word> = Vec::new();
    let mut scanner = Scanner { text, at: 0 };
    loop {
        if statement.is_empty() && scanner.client_command(&mut code) {
            continue;
        }
        match scanner.next() {
            None => break,
            Some(Scanned::End) => {
                judge(&statement, &mut code, depth);
                statement.clear();
            }
            Some(Scanned::Meta(start)) => {
                // `select 1 \gexec`, `\g |cmd`: a client command ends the statement.
                judge(&statement, &mut code, depth);
                statement.clear();
                scanner.at = start;
                scanner.client_command(&mut code);
            }
            Some(Scanned::Word(word)) => statement.push(word),
            Some(Scanned::Broken) => code.lose(),
        }
    }
    judge(&statement, &mut code, depth);
    code
}

/// A word of a statement: upper case, except for quoted text.
#[derive(Debug)]
struct Word {
    upper: String,
    raw: String,
    quoted: bool,
    start: usize,
    end: usize,
}

enum Scanned {
    Word(Word),
    End,
    Meta(usize),
    Broken,
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn line(&mut self) -> &'a str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        line
    }

    fn next(&mut self) -> Option<Scanned> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            if first.is_whitespace() {
                self.at += first.len_utf8();
            } else if rest.starts_with("--") || (first == '#' && !rest.starts_with("#>")) {
                self.line();
            } else if rest.starts_with("/*") {
                // `/*! ... */` is code to MySQL.
                if rest.starts_with("/*!") {
                    self.at += rest
                        .find(|c: char| c != '/' && c != '*' && c != '!' && !c.is_ascii_digit())
                        .unwrap_or(3);
                    continue;
                }
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else {
                break;
            }
        }
        let start = self.at;
        let rest = self.rest();
        let first = rest.chars().next()?;
        match first {
            ';' => {
                self.at += 1;
                return Some(Scanned::End);
            }
            '\\' => return Some(Scanned::Meta(start)),
            '\'' | '"' | '`' | '[' => {
                let close = if first == '[' { ']' } else { first };
                let mut end = None;
                let mut escaped = false;
                for (index, character) in rest.char_indices().skip(1) {
                    if escaped {
                        escaped = false;
                    } else if character == '\\' && first == '\'' {
                        escaped = true;
                    } else if character == close {
                        end = Some(index);
                        break;
                    }
                }
                let Some(end) = end else {
                    self.at = self.text.len();
                    return Some(Scanned::Broken);
                };
                self.at += end + 1;
                let raw = rest.get(1..end).unwrap_or_default().to_owned();
                return Some(Scanned::Word(Word {
                    upper: String::new(),
                    raw,
                    quoted: true,
                    start,
                    end: self.at,
                }));
            }
            '$' => {
                // `$tag$ ... $tag$`: a function's body or a text.
                let tag =
                    rest.get(1..).and_then(|rest| rest.split_once('$')).map(|(tag, _)| format!("${tag}$"));
                if let Some(tag) =
                    tag.filter(|tag| tag.chars().all(|c| c == '$' || c == '_' || c.is_alphanumeric()))
                {
                    let body = rest.get(tag.len()..).unwrap_or_default();
                    let length = body.find(&tag).map_or(rest.len(), |end| end + 2 * tag.len());
                    self.at += length;
                    let raw = body.split(&tag).next().unwrap_or_default().to_owned();
                    return Some(Scanned::Word(Word {
                        upper: "$$".to_owned(),
                        raw,
                        quoted: true,
                        start,
                        end: self.at,
                    }));
                }
            }
            _ => {}
        }
        let length = rest.find(|c: char| c != '_' && c != '$' && !c.is_alphanumeric()).unwrap_or(rest.len());
        self.at += length.max(first.len_utf8());
        let raw = self.text.get(start..self.at).unwrap_or_default().to_owned();
        Some(Scanned::Word(Word { upper: raw.to_ascii_uppercase(), raw, quoted: false, start, end: self.at }))
    }
}
