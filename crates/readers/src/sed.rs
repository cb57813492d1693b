//! sed scripts: which of their commands leave the stream.

use super::Code;
use hookgate_facts::Kind;

/// What a script does.
pub(super) fn analyse(text: &str) -> Code {
    let mut sed = Sed { text, bytes: text.as_bytes(), at: 0, code: Code::new() };
    while sed.at < sed.bytes.len() {
        sed.command();
    }
    sed.code
}

struct Sed<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    code: Code,
}

impl Sed<'_> {
    fn byte(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), b' ' | b'\t') {
            self.at += 1;
        }
    }

    fn line(&mut self) -> (String, usize) {
        let start = self.at;
        while self.at < self.bytes.len() && self.byte() != b'\n' {
            self.at += 1;
        }
        (self.text.get(start..self.at).unwrap_or_default().trim().to_owned(), start)
    }

    /// A delimited piece; the cursor stands on the delimiter and ends after the closing one.
    fn piece(&mut self, delimiter: u8) {
        let mut class = false;
        while self.at < self.bytes.len() {
            match self.byte() {
                b'\\' => self.at += 1,
                b'[' if delimiter != b'[' => class = true,
                b']' => class = false,
                byte if byte == delimiter && (!class || !self.closes_later(delimiter)) => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.code.lose();
    }

    /// Inside a bracket expression a delimiter is an ordinary character, if the expression closes at all.
    fn closes_later(&self, delimiter: u8) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let first = rest.iter().position(|byte| *byte == b']' || *byte == delimiter);
        let (close, behind) = rest.split_at_checked(first.unwrap_or(rest.len())).unwrap_or((rest, &[]));
        close.len() < rest.len() && behind.starts_with(b"]") && behind.contains(&delimiter)
    }

    fn addresses(&mut self) {
        loop {
            self.blanks();
            match self.byte() {
                b'0'..=b'9' | b'$' | b',' | b'~' | b'+' | b'!' => self.at += 1,
                b'/' => {
                    self.at += 1;
                    self.piece(b'/');
                    while matches!(self.byte(), b'I' | b'M') {
                        self.at += 1;
                    }
                }
                b'\\' => {
                    self.at += 1;
                    let delimiter = self.byte();
                    self.at += 1;
                    self.piece(delimiter);
                    while matches!(self.byte(), b'I' | b'M') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn file(&mut self, kind: Kind) {
        self.blanks();
        let (path, start) = self.line();
        if !matches!(path.as_str(), "/dev/stdout" | "/dev/stderr" | "/dev/stdin") {
            self.code.push(kind, Some(path), start, self.at);
        }
    }

    fn command(&mut self) {
        while matches!(self.byte(), b' ' | b'\t' | b'\n' | b';' | b'}') {
            self.at += 1;
        }
        if self.at >= self.bytes.len() {
            return;
        }
        self.addresses();
        let start = self.at;
        let command = self.byte();
        self.at += 1;
        match command {
            b'{' | b'=' | b'd' | b'D' | b'g' | b'G' | b'h' | b'H' | b'n' | b'N' | b'p' | b'P' | b'x'
            | b'z' | b'F' => {}
            b'l' | b'q' | b'Q' | b'L' => {
                self.blanks();
                while self.byte().is_ascii_digit() {
                    self.at += 1;
                }
            }
            b'#' => {
                self.line();
            }
            // A label ends at a blank for some; what follows on the line is a command then.
            b':' | b'b' | b't' | b'T' => {
                self.blanks();
                while !matches!(self.byte(), 0 | b' ' | b'\t' | b'\n' | b';' | b'}') {
                    self.at += 1;
                }
            }
            b'a' | b'i' | b'c' => {
                // The text goes to the line's end; a backslash continues it.
                loop {
                    let (text, _) = self.line();
                    if !text.ends_with('\\') || self.at >= self.bytes.len() {
                        break;
                    }
                    self.at += 1;
                }
            }
            b'r' | b'R' => self.file(Kind::Read),
            b'w' | b'W' => self.file(Kind::Write),
            b'e' => {
                self.blanks();
                let (text, start) = self.line();
                let text = (!text.is_empty()).then_some(text);
                self.code.shell.push((text, start, self.at));
            }
            b's' | b'y' => {
                let delimiter = self.byte();
                self.at += 1;
                let pattern = self.at;
                self.piece(delimiter);
                let pattern = (pattern, self.at.saturating_sub(1));
                let replacement = self.at;
                // In the replacement brackets mean nothing.
                while self.at < self.bytes.len() && self.byte() != delimiter {
                    self.at += 1 + usize::from(self.byte() == b'\\');
                }
                if self.at >= self.bytes.len() {
                    self.code.lose();
                }
                let replacement = (replacement, self.at.min(self.bytes.len()));
                self.at += 1;
                if command == b's' {
                    self.flags(pattern, replacement, start);
                }
            }
            0 => {}
            _ => {
                self.code.lose();
                self.line();
            }
        }
    }

    fn flags(&mut self, pattern: (usize, usize), replacement: (usize, usize), start: usize) {
        loop {
            match self.byte() {
                b'g' | b'p' | b'i' | b'I' | b'm' | b'M' | b'0'..=b'9' => self.at += 1,
                b'e' => {
                    self.at += 1;
                    // Where the whole line is replaced the text is what the replacement says.
                    let whole =
                        matches!(self.text.get(pattern.0..pattern.1), Some(".*" | "^.*" | "^.*$" | ".*$"));
                    let text =
                        self.text.get(replacement.0..replacement.1).map(|text| text.replace("\\/", "/"));
                    let literal = text.filter(|text| whole && !text.contains(['&', '\\']));
                    self.code.shell.push((literal, start, self.at));
                }
                b'w' => {
                    self.at += 1;
                    return self.file(Kind::Write);
                }
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Sed;

    #[test]
    fn ordinary_scripts_only_change_the_stream() {
        for text in [
            "1,20p",
            "s/foo/bar/g",
            "s|a/e|b;e|",
            "/start/,/end/{s/w/r/;p}",
            "$!N;P;D",
            "s/[/]/e/",
            "y/abc/wer/",
            "5q",
            "/^#/d;s/ *$//",
            "a\\\nrm -rf /\\\nw x",
            ":a;N;$!ba;s/\\n/ /g",
            "i e w r",
            "\\,a/b,d",
            "s/\\(x\\)/\\1/2gI",
        ] {
            check(Sed, text, &[], true);
        }
    }

    #[test]
    fn commands_that_leave_the_stream_are_found() {
        check(Sed, "w out.txt", &["write out.txt"], true);
        check(Sed, "s/a/b/w /etc/x", &["write /etc/x"], true);
        check(Sed, "1e rm -rf /", &["shell rm -rf /"], true);
        check(Sed, "s/.*/rm -rf x/e", &["shell rm -rf x"], true);
        check(Sed, "s/a/b/ge", &["shell ?"], true);
        check(Sed, "e", &["shell ?"], true);
        check(Sed, "/x/r /etc/passwd", &["read /etc/passwd"], true);
        check(Sed, ":x e id", &["shell id"], true);
        check(Sed, ":x s/.*/id/e", &["shell id"], true);
        check(Sed, "b x w out", &["write out"], true);
        check(Sed, "1!{s/x/y/;e id\n}", &["shell id"], true);
    }

    #[test]
    fn what_is_no_sed_command_is_not_understood() {
        check(Sed, "s/a/b", &[], false);
        check(Sed, "K", &[], false);
    }
}
