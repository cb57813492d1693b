//! Program texts in a program's own language: small readers that accept what can do nothing but filter.

use hookgate_shell::Span;

use crate::table::is_listed;
use crate::{Proven, refuse};

/// Is the text harmless in that language?
pub(crate) fn prove(language: &str, text: &str) -> Result<(), String> {
    match language {
        "sed" => sed(text),
        "awk" => awk(text),
        "jq" => jq(text),
        "yaml-query" => jq(text).and_then(|()| yq(text)),
        "sql-read" => sql(text),
        "sql-plain" => plain_sql(text),
        _ => Err("a program text in a language that isn't read".to_owned()),
    }
}

/// A backslash at the very end is one to some shells, and nothing to others.
pub(crate) fn ends_plainly(text: &str) -> Proven<()> {
    let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if backslashes % 2 == 0 {
        return Ok(());
    }
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    refuse("ends in a backslash", Span { start: end.saturating_sub(1), end })
}

/// Addresses, then one of the commands that only change what is printed.
fn sed(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("an empty sed text".to_owned());
    }
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | '{' | '}'));
        if rest.is_empty() {
            return Ok(());
        }
        rest = address(rest)?;
        if let Some(second) = rest.strip_prefix(',') {
            rest = address(second.trim_start().trim_start_matches(['+', '~']))?;
        }
        rest = rest.trim_start_matches([' ', '!']);
        let mut letters = rest.chars();
        let command = letters.next().ok_or("a sed address without a command")?;
        rest = letters.as_str();
        rest = match command {
            '{' | 'p' | 'd' | 'D' | 'P' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'l' | 'z' => rest,
            'q' | 'Q' => rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' '),
            'a' | 'i' | 'c' => added(rest)?,
            ':' | 'b' | 't' | 'T' => label(rest, command == ':')?,
            'y' => delimited(rest, 2)?,
            's' => {
                let flags = delimited(rest, 2)?;
                let after = flags.trim_start_matches(|c: char| c.is_ascii_digit() || "gpiIM".contains(c));
                if after.starts_with(['e', 'w', 'm']) {
                    return Err(format!("the flag `{}` of sed's `s`", after.chars().next().unwrap_or(' ')));
                }
                after
            }
            other => return Err(format!("sed's `{other}`")),
        };
        let after = rest.trim_start_matches([' ', '\t']);
        if !(after.is_empty() || after.starts_with(['\n', ';', '}', '{']) || "aic{".contains(command)) {
            return Err("a sed command that isn't read".to_owned());
        }
        rest = after;
    }
}

/// Behind the text of one line; a backslash would carry it on, by rules that differ between seds.
fn added(rest: &str) -> Result<&str, String> {
    let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
    if line.trim_start().starts_with('\\') || line.ends_with('\\') {
        return Err("a text of sed with a backslash at its edge".to_owned());
    }
    Ok(behind)
}

/// Behind a label of one word. What else stands on its line is a command to some seds.
fn label(rest: &str, needed: bool) -> Result<&str, String> {
    let rest = rest.trim_start_matches([' ', '\t']);
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let after = behind.trim_start_matches([' ', '\t']);
    let named = behind.len() < rest.len();
    if (named || !needed) && (after.is_empty() || after.starts_with(['\n', ';', '}'])) {
        return Ok(after);
    }
    Err("a label of sed that isn't plain".to_owned())
}

fn address(text: &str) -> Result<&str, String> {
    if let Some(rest) = text.strip_prefix('/') {
        return delimited_from(rest, '/', 1).map(|rest| rest.trim_start_matches(['I', 'M']));
    }
    if text.starts_with('\\') {
        return Err("a sed address with a delimiter of its own".to_owned());
    }
    Ok(text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | '~')))
}

/// The longest bracket of a pattern that is read, in bytes.
const LONGEST_BRACKET: usize = 400;

/// Behind `count` pieces, each ended by the delimiter that the text begins with.
fn delimited(text: &str, count: usize) -> Result<&str, String> {
    let mut letters = text.chars();
    match letters.next() {
        Some(delimiter) if delimiter != '\\' && delimiter != '\n' => {
            delimited_from(letters.as_str(), delimiter, count)
        }
        _ => Err("a sed command without a delimiter".to_owned()),
    }
}

fn delimited_from(text: &str, delimiter: char, count: usize) -> Result<&str, String> {
    let mut left = count;
    let mut letters = text.chars();
    // What stands in the bracket that is open.
    let mut bracket: Option<String> = None;
    while let Some(letter) = letters.next() {
        if let Some(inside) = &mut bracket
            && !matches!(letter, '\n' | '\\')
            && letter != delimiter
        {
            inside.push(letter);
            // Looking for its end goes over all of it.
            if inside.len() > LONGEST_BRACKET {
                return Err("a sed bracket with very much in it".to_owned());
            }
            if ends_bracket(inside) {
                bracket = None;
            }
            continue;
        }
        match letter {
            // Seds differ in where a label ends: a line of this piece could be a command.
            '\n' => return Err("a sed piece of several lines".to_owned()),
            '\\' if letters.next() == Some('\n') => return Err("a sed piece of several lines".to_owned()),
            '\\' => {}
            // A delimiter within brackets ends the piece in some seds and not in others.
            '[' if bracket.is_none() => bracket = Some(String::new()),
            letter if letter == delimiter && bracket.is_some() => {
                return Err("sed brackets with the delimiter in them".to_owned());
            }
            letter if letter == delimiter => {
                left -= 1;
                if left == 0 {
                    return Ok(letters.as_str());
                }
            }
            _ => {}
        }
    }
    Err("a sed command that isn't closed".to_owned())
}

/// Does the last letter end the bracket? Not where it stands first, or in the name of a class: `[]a]`, `[[:alpha:]]`.
fn ends_bracket(inside: &str) -> bool {
    let Some(before) = inside.strip_suffix(']').map(|text| text.strip_prefix('^').unwrap_or(text)) else {
        return false;
    };
    let open = |mark: char| {
        let begin = before.rfind(&format!("[{mark}"));
        begin.is_some_and(|at| !before.get(at + 2..).unwrap_or_default().contains(&format!("{mark}]")))
    };
    !before.is_empty() && ![':', '.', '='].into_iter().any(open)
}

/// No function that runs something, no redirection, no pipe, nothing of the environment.
fn awk(text: &str) -> Result<(), String> {
    let mut bare = String::new();
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                quoted(&mut letters, '"')?;
                bare.push('"');
                before = '"';
                continue;
            }
            '/' if is_unclear(&bare, before) && letters.clone().any(|letter| letter == '/') => {
                return Err("a slash in awk's text that may divide or begin a pattern".to_owned());
            }
            '/' if !(before.is_alphanumeric() || matches!(before, ')' | ']' | '_' | '$' | '"')) => {
                quoted(&mut letters, '/')?;
                bare.push('"');
                before = '"';
                continue;
            }
            '#' => {
                for letter in letters.by_ref() {
                    if letter == '\n' {
                        break;
                    }
                }
                bare.push('\n');
                before = ' ';
                continue;
            }
            // What a line begins with isn't divided by anything.
            '\n' => {
                bare.push('\n');
                before = ' ';
                continue;
            }
            '\\' => return Err("a backslash in awk's text".to_owned()),
            letter => bare.push(letter),
        }
        if !letter.is_whitespace() {
            before = letter;
        }
    }
    for word in bare.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        if matches!(
            word,
            "system"
                | "getline"
                | "ENVIRON"
                | "ARGV"
                | "SYMTAB"
                | "close"
                | "fflush"
                | "load"
                | "include"
                | "PROCINFO"
                | "function"
                | "func"
        ) {
            return Err(format!("awk's `{word}`"));
        }
    }
    if bare.contains('@') {
        return Err("awk's `@`".to_owned());
    }
    if bare.replace("||", "").contains('|') {
        return Err("a pipe in awk's text".to_owned());
    }
    // A line that ends in a comma or an operator goes on: line breaks end nothing here.
    for statement in bare.split([';', '{', '}']) {
        let Some(at) = statement.find("print") else { continue };
        let mut depth = 0_u32;
        for letter in statement.get(at..).unwrap_or_default().chars() {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                '>' if depth == 0 => return Err("awk writes a file".to_owned()),
                _ => {}
            }
        }
    }
    Ok(())
}

/// May a slash here divide, or begin a pattern as well?
fn is_unclear(bare: &str, before: char) -> bool {
    let bare = bare.trim_end();
    let word = bare.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let keyword = is_listed("awk-words", word);
    matches!(before, ')' | '$' | '.') || bare.ends_with("++") || bare.ends_with("--") || keyword
}

/// Goes behind the closing sign.
fn quoted(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, sign: char) -> Result<(), String> {
    let mut bracket = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '[' if sign == '/' => bracket = true,
            ']' if sign == '/' => bracket = false,
            '\n' => return Err("awk's text with a line break in a string".to_owned()),
            letter if letter == sign && bracket => {
                return Err("awk's brackets with a slash in them".to_owned());
            }
            letter if letter == sign => return Ok(()),
            _ => {}
        }
    }
    Err("awk's text with an open string".to_owned())
}

/// Nothing of the environment, no modules, no further input by name.
fn jq(text: &str) -> Result<(), String> {
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        if matches!(
            word,
            "env" | "ENV" | "import" | "include" | "input_filename" | "modulemeta" | "get_search_list"
        ) {
            return Err(format!("jq's `{word}`"));
        }
    }
    Ok(())
}

/// yq has functions that evaluate what stands in the data, run programs and load files: only those that are listed.
fn yq(text: &str) -> Result<(), String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (at, _) in text.match_indices('(') {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let name = before.rsplit(|c: char| !is_part(c)).next().unwrap_or_default();
        if !(name.is_empty() || is_listed("yq-functions", name)) {
            return Err(format!("yq's `{name}`"));
        }
    }
    let refused = |word: &&str| is_listed("yq-refused", word) || word.starts_with("load");
    match text.split(|c: char| !is_part(c)).find(refused) {
        Some(word) => Err(format!("yq's `{word}`")),
        None => Ok(()),
    }
}

/// One question to a server: no quoted names, no comments, no commands of the client, and functions only of a closed list.
fn plain_sql(text: &str) -> Result<(), String> {
    let statement = text.trim().trim_end_matches(';').trim_end();
    let plain = |c: char| c.is_ascii_alphanumeric() || " _,*=<>()'%:+-\t".contains(c);
    if !statement.chars().all(plain)
        || statement.contains("--")
        || !statement.matches('\'').count().is_multiple_of(2)
    {
        return Err("SQL with more than plain words".to_owned());
    }
    // What stands in quotes is text.
    let bare: String = statement.split('\'').step_by(2).collect::<Vec<_>>().join(" '' ").to_ascii_lowercase();
    let words: Vec<&str> =
        bare.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    if !words.first().is_some_and(|word| is_listed("sql-questions", word)) {
        return Err("SQL that isn't a question".to_owned());
    }
    if let Some(word) = words.iter().find(|word| is_listed("sql-refused", word)) {
        return Err(format!("SQL's `{word}`"));
    }
    if bare.replace(' ', "").contains("from''") || bare.replace(' ', "").contains("join''") {
        return Err("a file in a text of SQL".to_owned());
    }
    for (at, _) in bare.match_indices('(') {
        let before = bare.get(..at).unwrap_or_default().trim_end();
        let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        if !(name.is_empty() || is_listed("sql-functions", name)) {
            return Err(format!("SQL's function `{name}`"));
        }
    }
    Ok(())
}

/// One question to a database, or a listing of its tables.
fn sql(text: &str) -> Result<(), String> {
    let lower = text.trim().trim_end_matches(';').trim_end().to_ascii_lowercase();
    if lower.starts_with('.') {
        let mut words = lower.split_whitespace();
        let known = matches!(
            words.next(),
            Some(".tables" | ".schema" | ".indexes" | ".databases" | ".dbinfo" | ".fullschema")
        );
        return if known && !lower.contains([';', '\n', '|']) {
            Ok(())
        } else {
            Err("a command of the client".to_owned())
        };
    }
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let asks = matches!(words.first(), Some(&("select" | "with" | "explain" | "pragma" | "values")));
    let does = words.iter().find(|word| {
        matches!(
            **word,
            "insert"
                | "update"
                | "delete"
                | "drop"
                | "alter"
                | "create"
                | "attach"
                | "detach"
                | "vacuum"
                | "replace"
                | "reindex"
                | "load_extension"
                | "writefile"
                | "readfile"
                | "fsdir"
                | "zipfile"
                | "lsmode"
                | "sqlite_dbdata"
                | "edit"
                | "fts3_tokenizer"
                | "analyze"
                | "begin"
                | "commit"
        )
    });
    if let Some(word) = does {
        return Err(format!("SQL's `{word}`"));
    }
    // What stands in quotes can be the text of another question.
    for (at, _) in lower.match_indices('(') {
        let before = lower.get(..at).unwrap_or_default().trim_end();
        let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let pragma = words.first() == Some(&"pragma") || name.starts_with("pragma_");
        if !(name.is_empty()
            || pragma
            || is_listed("sql-functions", name)
            || is_listed("sqlite-functions", name))
        {
            return Err(format!("SQL's function `{name}`"));
        }
    }
    let pragma = words.first() == Some(&"pragma");
    let listing = words.get(1).is_some_and(|name| {
        name.ends_with("_info")
            || name.ends_with("_list")
            || name.ends_with("_xinfo")
            || *name == "integrity_check"
    });
    if !asks
        || pragma && (!listing || lower.contains('='))
        || lower.contains(';') && lower.split(';').any(|rest| rest.trim_start().starts_with('.'))
        || lower.contains('\n') && lower.lines().any(|line| line.trim_start().starts_with('.'))
    {
        return Err("SQL that isn't one question".to_owned());
    }
    Ok(())
}

/// Does every shell read the text as bash does? `sh` is another one in many places: what only bash knows would be other words there.
pub(crate) fn is_read_alike(text: &str) -> Result<(), String> {
    let refused = || Err("a text that `sh` may read otherwise than bash".to_owned());
    // Quotes within substitutions aren't followed: everything counts there.
    let bare = if text.contains(['"', '`']) || text.contains("$(") {
        text.to_owned()
    } else {
        text.split('\'').step_by(2).collect::<Vec<_>>().join("''")
    };
    let signs = ["$'", "$\"", "((", "[[", "&>", "<(", ">(", "<<", "|&", ";&", ";;&", "+=", "<>", "]=", "$["];
    let bare = bare.replace("~/", "/");
    if bare.contains(['\\', '`', '~', '!', '^', '#']) || signs.iter().any(|sign| bare.contains(sign)) {
        return refused();
    }
    // `${x}` alone; `{a,b}` would be several words.
    let braces = bare.split('{').skip(1).zip(bare.split('{')).any(|(behind, before)| {
        let name = behind.split('}').next().unwrap_or_default();
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        !(before.ends_with('$') && plain || behind.starts_with([' ', '\n', '}']))
    });
    let patterns = ["?(", "*(", "+(", "@("].iter().any(|sign| bare.contains(sign));
    let copies = bare
        .match_indices(">&")
        .any(|(at, _)| !bare.get(at + 2..).unwrap_or_default().starts_with(['0', '1', '2', '-']));
    let word = |word: &str| is_listed("words-of-bash", word);
    let words = bare.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(word);
    if braces || patterns || copies || words { refused() } else { Ok(()) }
}
