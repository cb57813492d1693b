//! PowerShell text to commands and words. A tokenizer, not a parser: it knows quotes, escapes, here-strings,
//! comments, substitutions and script blocks, so that what runs can be named; expressions come out as words.
//!
//! Source: about_Quoting_Rules, about_Parsing, about_Operators of the PowerShell documentation.

use crate::parse::Limits;
use crate::tree::{Problem, ProblemKind, Span};

/// What a PowerShell text runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PowerShell {
    /// The commands in the order of the text. Those of substitutions and script blocks stand in their words.
    pub commands: Vec<PowerShellCommand>,
    /// What could not be read; such a text is *cannot analyse*.
    pub problems: Vec<Problem>,
}

/// One command of a pipeline, or one expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PowerShellCommand {
    /// `$x = ...`: the name of the variable.
    pub variable: Option<String>,
    /// The words; the first is the command. The call operator `&` isn't among them, the dot of `. x.ps1` is.
    pub words: Vec<PowerShellWord>,
    /// The files that `>` and `>>` write, `$null` included.
    pub writes: Vec<PowerShellWord>,
    /// It reads what the command before it prints.
    pub piped: bool,
    /// Where.
    pub span: Span,
}

/// A word.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PowerShellWord {
    /// The text, quotes and backticks resolved; variables and substitutions as written.
    pub text: String,
    /// Some of it was quoted.
    pub quoted: bool,
    /// It holds a variable, a substitution or a script block: the text isn't what it will be.
    pub expanded: bool,
    /// The commands inside: of `$( )`, `@( )`, `( )`, `{ }`.
    pub commands: Vec<PowerShellCommand>,
    /// Where.
    pub span: Span,
}

/// Read PowerShell text. Never fails, as [`parse`](crate::parse()) doesn't.
pub fn powershell(text: &str, limits: &Limits) -> PowerShell {
    let mut reader = Reader { text, limits, at: 0, depth: 0, nodes: 0, problem: None };
    let commands = if text.len() > limits.bytes {
        reader.stop(ProblemKind::Limit, 0, "more code than the limit");
        Vec::new()
    } else {
        reader.commands(None)
    };
    PowerShell { commands, problems: reader.problem.into_iter().collect() }
}

struct Reader<'a> {
    text: &'a str,
    limits: &'a Limits,
    at: usize,
    depth: usize,
    nodes: usize,
    problem: Option<Problem>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn span(&self, start: usize) -> Span {
        let offset = |at: usize| u32::try_from(at.min(self.text.len())).unwrap_or(u32::MAX);
        Span { start: offset(start), end: offset(self.at.max(start)) }
    }

    /// Note a problem; nothing is read after the first.
    fn stop(&mut self, kind: ProblemKind, start: usize, message: &str) {
        self.at = self.text.len();
        let span = self.span(start);
        self.problem.get_or_insert_with(|| Problem { kind, span, message: message.to_owned() });
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            self.stop(ProblemKind::Limit, self.at, "more commands and words than the limit");
        }
    }

    /// Add the character at the cursor to a text.
    fn take(&mut self, text: &mut String) {
        if let Some(character) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            text.push(character);
            self.at += character.len_utf8();
        } else {
            self.at = self.text.len();
        }
    }

    /// Commands up to a closing bracket, which is taken, or to the end.
    fn commands(&mut self, closing: Option<u8>) -> Vec<PowerShellCommand> {
        let opened = self.at.saturating_sub(1);
        let mut commands: Vec<PowerShellCommand> = Vec::new();
        let mut piped = false;
        loop {
            self.blanks();
            if self.at_end() {
                if closing.is_some() {
                    self.stop(ProblemKind::Syntax, opened, "a bracket is not closed");
                }
                return commands;
            }
            match self.peek(0) {
                byte if Some(byte) == closing => {
                    self.at += 1;
                    return commands;
                }
                b')' | b'}' => {
                    self.stop(ProblemKind::Syntax, self.at, "nothing opens this bracket");
                    return commands;
                }
                b'|' if self.peek(1) == b'|' => {
                    self.at += 2;
                    piped = false;
                }
                b'|' => {
                    self.at += 1;
                    piped = true;
                }
                b'\n' if piped => self.at += 1,
                b';' | b'\n' | b',' => {
                    self.at += 1;
                    piped = false;
                }
                b'&' => {
                    // The call operator, a background sign, or half of `&&`: the command that follows runs.
                    self.at += 1;
                    piped = false;
                }
                _ => {
                    let command = self.command(piped);
                    commands.push(command);
                    piped = false;
                }
            }
        }
    }

    /// Blanks, comments and continued lines.
    fn blanks(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'`', b'\n') => self.at += 2,
                (b'`', b'\r') if self.peek(2) == b'\n' => self.at += 3,
                (b'#', _) => {
                    while !self.at_end() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'<', b'#') => {
                    let rest = self.text.get(self.at..).unwrap_or("");
                    match rest.find("#>") {
                        Some(length) => self.at += length + 2,
                        None => self.stop(ProblemKind::Syntax, self.at, "a comment is not closed"),
                    }
                }
                _ => return,
            }
        }
    }

    fn command(&mut self, piped: bool) -> PowerShellCommand {
        self.count();
        let start = self.at;
        let mut command = PowerShellCommand { piped, ..PowerShellCommand::default() };
        loop {
            self.blanks();
            if self.at_end() {
                break;
            }
            match self.peek(0) {
                b'\n' | b';' | b'|' | b')' | b'}' => break,
                b'&' if command.words.is_empty() || self.peek(1) == b'&' => break,
                b'&' => {
                    self.at += 1;
                    break;
                }
                b',' => self.at += 1,
                b'0'..=b'9' | b'*' if self.peek(1) == b'>' => self.at += 1,
                b'>' => self.redirection(&mut command),
                b'<' => {
                    self.stop(ProblemKind::Syntax, self.at, "`<` is reserved in PowerShell");
                }
                b'-' if self.is_verbatim() => {
                    // Everything up to the end of the line is one text for the program.
                    let line = self.text.get(self.at..).unwrap_or("");
                    let length = line.find('\n').unwrap_or(line.len());
                    let word_start = self.at;
                    let text = line.get(..length).unwrap_or("").to_owned();
                    self.at += length;
                    let span = self.span(word_start);
                    command.words.push(PowerShellWord {
                        text,
                        expanded: true,
                        span,
                        ..PowerShellWord::default()
                    });
                }
                _ => {
                    let word = self.word();
                    command.words.push(word);
                    assigns(&mut command);
                }
            }
        }
        command.span = self.span(start);
        command
    }

    /// At `--%`.
    fn is_verbatim(&self) -> bool {
        self.peek(1) == b'-'
            && self.peek(2) == b'%'
            && matches!(self.peek(3), 0 | b' ' | b'\t' | b'\r' | b'\n')
    }

    /// At `>`.
    fn redirection(&mut self, command: &mut PowerShellCommand) {
        self.at += if self.peek(1) == b'>' { 2 } else { 1 };
        if self.peek(0) == b'&' {
            self.at += 2;
            return;
        }
        self.blanks();
        let start = self.at;
        let word = self.word();
        if self.at == start {
            self.stop(ProblemKind::Syntax, start, "the target of a redirection is missing");
        }
        command.writes.push(word);
    }

    fn word(&mut self) -> PowerShellWord {
        self.count();
        let start = self.at;
        let mut word = PowerShellWord::default();
        while !self.at_end() {
            match self.peek(0) {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'|' | b'&' | b')' | b'}' | b',' | b'<' | b'>' => break,
                b'`' if self.peek(1) == b'\n' => break,
                b'`' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => break,
                b'`' => self.escape(&mut word.text),
                b'@' if matches!(self.peek(1), b'\'' | b'"') && self.opens_here_string() => {
                    self.here_string(&mut word);
                }
                b'\'' => self.verbatim_string(&mut word),
                b'"' => self.string(&mut word),
                b'@' if matches!(self.peek(1), b'(' | b'{') => self.at += 1,
                b'(' => self.nested(&mut word, b')'),
                b'{' => self.nested(&mut word, b'}'),
                b'$' => self.variable(&mut word),
                _ => self.take(&mut word.text),
            }
        }
        word.span = self.span(start);
        word
    }

    /// A backtick and what it escapes.
    fn escape(&mut self, text: &mut String) {
        self.at += 1;
        let known = match self.peek(0) {
            b'0' => '\0',
            b'a' => '\u{7}',
            b'b' => '\u{8}',
            b'e' => '\u{1b}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'v' => '\u{b}',
            b'u' if self.peek(1) == b'{' => {
                let rest = self.text.get(self.at + 2..).unwrap_or("");
                let digits = rest.split_once('}').map_or("", |(digits, _)| digits);
                let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                self.at += digits.len() + 3;
                self.at = self.at.min(self.text.len());
                text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
                return;
            }
            _ => return self.take(text),
        };
        text.push(known);
        self.at += 1;
    }

    fn verbatim_string(&mut self, word: &mut PowerShellWord) {
        let start = self.at;
        word.quoted = true;
        self.at += 1;
        while !self.at_end() {
            if self.peek(0) == b'\'' {
                self.at += 1;
                if self.peek(0) != b'\'' {
                    return;
                }
            }
            self.take(&mut word.text);
        }
        self.stop(ProblemKind::Syntax, start, "a single quote is not closed");
    }

    fn string(&mut self, word: &mut PowerShellWord) {
        let start = self.at;
        word.quoted = true;
        self.at += 1;
        while !self.at_end() {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    if self.peek(0) != b'"' {
                        return;
                    }
                    self.take(&mut word.text);
                }
                b'`' => self.escape(&mut word.text),
                b'$' => self.variable(word),
                _ => self.take(&mut word.text),
            }
        }
        self.stop(ProblemKind::Syntax, start, "a double quote is not closed");
    }

    /// Only a line break may stand between `@'` and the text.
    fn opens_here_string(&self) -> bool {
        let rest = self.text.get(self.at + 2..).unwrap_or("");
        rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
    }

    fn here_string(&mut self, word: &mut PowerShellWord) {
        let start = self.at;
        let quote = self.peek(1);
        word.quoted = true;
        while !self.at_end() && self.peek(0) != b'\n' {
            self.at += 1;
        }
        let mut line_start = true;
        self.at += 1;
        while !self.at_end() {
            let byte = self.peek(0);
            if line_start && byte == quote && self.peek(1) == b'@' {
                self.at += 2;
                // The last line break belongs to the mark.
                word.text
                    .truncate(word.text.trim_end_matches('\n').len().max(word.text.len().saturating_sub(1)));
                return;
            }
            line_start = byte == b'\n';
            match byte {
                b'`' if quote == b'"' => self.escape(&mut word.text),
                b'$' if quote == b'"' => self.variable(word),
                _ => self.take(&mut word.text),
            }
        }
        self.stop(ProblemKind::Syntax, start, "a here-string is not closed");
    }

    /// At a bracket: the commands inside, whose text stays in the word as written.
    fn nested(&mut self, word: &mut PowerShellWord, closing: u8) {
        let start = self.at;
        if self.depth >= self.limits.depth {
            return self.stop(ProblemKind::Limit, start, "nested deeper than the limit");
        }
        self.depth += 1;
        self.at += 1;
        let commands = self.commands(Some(closing));
        self.depth -= 1;
        word.expanded = true;
        // Of a text in a bracket in a bracket only the outermost is kept: the work stays linear.
        if self.depth == 0 {
            word.text.push_str(self.text.get(start..self.at).unwrap_or(""));
        }
        word.commands.extend(commands);
    }

    /// At `$`.
    fn variable(&mut self, word: &mut PowerShellWord) {
        match self.peek(1) {
            b'(' => {
                word.text.push('$');
                self.at += 1;
                self.nested(word, b')');
            }
            b'{' => {
                let start = self.at;
                let rest = self.text.get(start..).unwrap_or("");
                let Some(length) = rest.find('}') else {
                    return self.stop(ProblemKind::Syntax, start, "a variable's name is not closed");
                };
                word.expanded = true;
                word.text.push_str(rest.get(..=length).unwrap_or(""));
                self.at += length + 1;
            }
            byte => {
                word.expanded |= byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'?' | b'^' | b'$');
                self.take(&mut word.text);
            }
        }
    }
}

/// `$x = ...`, `$x += ...`: what follows is the command.
fn assigns(command: &mut PowerShellCommand) {
    let [name, sign] = command.words.as_slice() else { return };
    let assigns =
        matches!(sign.text.as_str(), "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "??=") && !sign.quoted;
    if assigns && !name.quoted && command.variable.is_none() && name.text.contains('$') {
        command.variable = Some(name.text.trim_start_matches('$').to_owned());
        command.words.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commands as `word word; word`, nested ones in brackets, `|` before piped ones.
    fn shape(commands: &[PowerShellCommand]) -> String {
        let mut out = Vec::new();
        for command in commands {
            let mut words: Vec<String> = Vec::new();
            if command.piped {
                words.push("|".to_owned());
            }
            words.extend(command.variable.iter().map(|name| format!("{name}:=")));
            for word in &command.words {
                words.push(if word.commands.is_empty() {
                    word.text.clone()
                } else {
                    format!("[{}]", shape(&word.commands))
                });
            }
            words.extend(command.writes.iter().map(|word| format!(">{}", word.text)));
            out.push(words.join(" "));
        }
        out.join("; ")
    }

    #[test]
    fn statements_are_split_into_commands_and_words() {
        for (text, expected) in [
            ("Get-Item a; rm b", "Get-Item a; rm b"),
            ("ls | rm -Force", "ls; | rm -Force"),
            ("ls |\n rm", "ls; | rm"),
            ("a && b || c", "a; b; c"),
            ("& 'C:\\a b\\x.exe' y", "C:\\a b\\x.exe y"),
            (". ./x.ps1", ". ./x.ps1"),
            ("rm 'it''s' \"a\"\"b\"", "rm it's a\"b"),
            ("rm a` b", "rm a b"),
            ("rm `\n x", "rm x"),
            ("rm x # note\nls", "rm x; ls"),
            ("rm <# y #> x", "rm x"),
            ("$x = Get-Item a", "x:= Get-Item a"),
            ("rm $(ls a)", "rm [ls a]"),
            ("rm \"$(ls a)\"", "rm [ls a]"),
            ("ls | % { rm $_ }", "ls; | % [rm $_]"),
            ("if ($x) { rm y } else { ls }", "if [$x] [rm y] else [ls]"),
            ("echo a > b 2>&1", "echo a >b"),
            ("sc x @'\nrm -rf /\n'@", "sc x rm -rf /"),
            ("sc x @\"\n$(rm y)\n\"@", "sc x [rm y]"),
            ("rm a,b", "rm a b"),
            ("cmd --% /c del x & y", "cmd --% /c del x & y"),
            ("start-job { rm x } &\nls", "start-job [rm x]; ls"),
        ] {
            let read = powershell(text, &Limits::default());
            assert_eq!(read.problems, [], "{text}");
            assert_eq!(shape(&read.commands), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_is_a_problem() {
        for text in ["'a", "\"a", "rm (a", "rm {a", "$(", "@'\na", "<# a", "${a", ")", "a }", "rm x >"] {
            let problems = powershell(text, &Limits::default()).problems;
            assert_eq!(problems.first().map(|problem| problem.kind), Some(ProblemKind::Syntax), "{text}");
        }
    }

    #[test]
    fn hostile_text_is_bounded() {
        for piece in [
            "(", "{", "$(", "@(", "\"$(", "'", "`", "a ", ";", "|", "@'\n", "${a}", "#", "<#", "é", "\n",
            "`\r", "@", "<", "&", ",", ">",
        ] {
            let text = piece.repeat(100_000);
            let start = std::time::Instant::now();
            powershell(&text, &Limits::default());
            assert!(start.elapsed().as_secs() < 5, "{piece:?}");
        }
    }
}
