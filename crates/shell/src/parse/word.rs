//! The inside of words: quotes, escapes, globs, tildes. Expansions are in `expansion.rs`, braces in `braces.rs`.

use super::Reader;
use super::scan::Scan;
use crate::tree::{Direction, Part, Word};

/// What surrounds the text that is read; it decides which characters are special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// A word of a command.
    Plain,
    /// The value of an assignment: a tilde also after `:`, no braces.
    Value,
    /// A pattern of `case`, an operand of `[[ ]]`: brackets and bars are ordinary characters.
    Pattern,
    /// Between double quotes.
    Double,
    /// The operand of `${...}` outside of double quotes.
    Operand,
    /// The operand of `${...}` inside double quotes.
    QuotedOperand,
    /// The body of a heredoc; `strip` for `<<-`.
    Heredoc {
        /// Tabs at the start of a line are dropped.
        strip: bool,
    },
    /// An arithmetic expression or a subscript.
    Arithmetic,
}

impl Context {
    /// Text here is neither split nor globbed.
    fn is_quoted(self) -> bool {
        matches!(self, Self::Double | Self::QuotedOperand | Self::Heredoc { .. })
    }

    /// Single quotes quote here.
    fn has_single_quotes(self) -> bool {
        !self.is_quoted()
    }

    fn has_globs(self) -> bool {
        matches!(self, Self::Plain | Self::Value | Self::Pattern | Self::Operand)
    }
}

/// Where reading stops, if not at the end: at one of these bytes, unquoted.
#[derive(Clone, Copy, Default)]
pub(super) struct Stop(pub(super) &'static [u8]);

impl<'a> Reader<'a> {
    /// The word that fills `start..end`.
    pub(super) fn word(&self, start: usize, end: usize, context: Context) -> Word {
        self.word_until(start, end, context, Stop::default()).0
    }

    /// The word from `start` to the first byte of `stop`, or to `end`; and where it stopped.
    pub(super) fn word_until(&self, start: usize, end: usize, context: Context, stop: Stop) -> (Word, usize) {
        let mut builder = Builder::new(*self, end);
        let at = match self.deeper(start) {
            Some(reader) => {
                builder.reader = reader;
                builder.read(start, context, stop)
            }
            None => end,
        };
        (Word { parts: builder.finish(), span: self.span(start, at) }, at)
    }
}

/// The parts of one word while it is read.
pub(super) struct Builder<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) end: usize,
    parts: Vec<Part>,
    text: String,
    text_quoted: bool,
    has_text: bool,
}

impl<'a> Builder<'a> {
    fn new(reader: Reader<'a>, end: usize) -> Self {
        Self { reader, end, parts: Vec::new(), text: String::new(), text_quoted: false, has_text: false }
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.reader.byte(at) } else { 0 }
    }

    pub(super) fn scan(&self) -> Scan<'a> {
        Scan::new(self.reader.text, self.end)
    }

    /// Add literal text, to the last literal if that is quoted alike.
    pub(super) fn add_text(&mut self, text: &str, quoted: bool) {
        if self.has_text && self.text_quoted != quoted {
            self.flush();
        }
        self.has_text = true;
        self.text_quoted = quoted;
        self.text.push_str(text);
    }

    fn flush(&mut self) {
        if self.has_text {
            let text = std::mem::take(&mut self.text);
            self.parts.push(Part::Literal { text, quoted: self.text_quoted });
            self.has_text = false;
        }
    }

    pub(super) fn push(&mut self, part: Part) {
        self.flush();
        if self.reader.count(self.end) {
            self.parts.push(part);
        }
    }

    fn finish(mut self) -> Vec<Part> {
        self.flush();
        self.parts
    }

    /// Read from `start` until a byte of `stop` or the end. Returns where it stopped.
    fn read(&mut self, start: usize, context: Context, stop: Stop) -> usize {
        let mut at = start;
        if matches!(context, Context::Plain | Context::Value | Context::Operand | Context::Pattern) {
            at = self.tilde(at, context);
        }
        if let Context::Heredoc { strip: true } = context {
            at = self.skip_tabs(at);
        }
        while at < self.end && !self.reader.failed() {
            let byte = self.byte(at);
            if stop.0.contains(&byte) {
                return at;
            }
            at = match byte {
                b'\\' => self.backslash(at, context),
                b'\'' if context.has_single_quotes() => self.single_quotes(at),
                b'"' if !matches!(context, Context::Double | Context::Heredoc { .. }) => {
                    self.double_quotes(at + 1)
                }
                b'`' => self.backquotes(at, context.is_quoted()),
                b'$' => self.dollar(at, context),
                b'<' | b'>' if context.has_globs() && self.byte(at + 1) == b'(' => self.process(at),
                b'{' if context == Context::Plain => self.brace(at),
                b'?' | b'*' | b'+' | b'@' | b'!' if context.has_globs() && self.byte(at + 1) == b'(' => {
                    self.extended_glob(at)
                }
                b'*' | b'?' if context.has_globs() => {
                    self.glob(at, at + 1);
                    at + 1
                }
                b'[' if context.has_globs() => self.bracket_glob(at),
                b'=' if context == Context::Plain && self.is_name() => {
                    self.add_text("=", false);
                    self.tilde(at + 1, Context::Value)
                }
                b':' if context == Context::Value => {
                    self.add_text(":", false);
                    self.tilde(at + 1, context)
                }
                b'\n' if matches!(context, Context::Heredoc { strip: true }) => {
                    self.add_text("\n", true);
                    self.skip_tabs(at + 1)
                }
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
                    if matches!(context, Context::Plain | Context::Value) =>
                {
                    self.reader.syntax(at, at + 1, "an operator inside a word");
                    self.end
                }
                _ => self.run(at, context, stop),
            };
        }
        at.min(self.end)
    }

    /// What has been read so far is a variable's name.
    fn is_name(&self) -> bool {
        self.parts.is_empty()
            && self.has_text
            && !self.text_quoted
            && !self.text.starts_with(|first: char| first.is_ascii_digit())
            && self.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    fn skip_tabs(&self, mut at: usize) -> usize {
        while self.byte(at) == b'\t' {
            at += 1;
        }
        at
    }

    /// A run of characters that mean themselves.
    fn run(&mut self, start: usize, context: Context, stop: Stop) -> usize {
        // The first byte has been found to mean itself, or not to open anything here.
        let mut at = start + 1;
        while at < self.end {
            let byte = self.byte(at);
            let plain = byte >= 0x80
                || byte.is_ascii_alphanumeric()
                || matches!(byte, b'-' | b'_' | b'.' | b'/' | b',' | b'%' | b'^' | b'#')
                || (byte == b'=' && context != Context::Plain)
                || (matches!(
                    byte,
                    b' ' | b'(' | b')' | b';' | b'&' | b'|' | b'<' | b'>' | b'!' | b'@' | b':'
                ) && context.is_quoted());
            if !plain || stop.0.contains(&byte) {
                break;
            }
            at += 1;
        }
        // A first byte can be the middle of nothing: only ASCII bytes end a run.
        let text = self.reader.slice(start, at);
        self.add_text(text, context.is_quoted());
        at
    }

    fn backslash(&mut self, at: usize, context: Context) -> usize {
        let next = self.byte(at + 1);
        if at + 1 >= self.end {
            self.add_text("\\", true);
            return at + 1;
        }
        if next == b'\n' {
            return at + 2;
        }
        let special = match context {
            Context::Plain | Context::Value | Context::Pattern | Context::Operand | Context::Arithmetic => {
                true
            }
            Context::Double => matches!(next, b'$' | b'`' | b'"' | b'\\'),
            Context::QuotedOperand => matches!(next, b'$' | b'`' | b'"' | b'\\' | b'}'),
            Context::Heredoc { .. } => matches!(next, b'$' | b'`' | b'\\'),
        };
        if !special {
            self.add_text("\\", true);
            return at + 1;
        }
        let rest = self.reader.slice(at + 1, self.end);
        let length = rest.chars().next().map_or(1, char::len_utf8);
        self.add_text(rest.get(..length).unwrap_or(""), true);
        at + 1 + length
    }

    fn single_quotes(&mut self, at: usize) -> usize {
        let Some(after) = self.scan().single(at + 1) else {
            self.reader.syntax(at, self.end, "a single quote is not closed");
            return self.end;
        };
        let text = self.reader.slice(at + 1, after - 1);
        self.add_text(text, true);
        after
    }

    /// After `"`; returns the place after the closing one.
    pub(super) fn double_quotes(&mut self, start: usize) -> usize {
        let outer = self.reader;
        let Some(deeper) = outer.deeper(start) else { return self.end };
        self.reader = deeper;
        let stopped = self.read(start, Context::Double, Stop(b"\""));
        self.reader = outer;
        if stopped == start {
            self.add_text("", true);
        }
        if self.byte(stopped) != b'"' && !outer.failed() {
            outer.syntax(start.saturating_sub(1), self.end, "a double quote is not closed");
        }
        (stopped + 1).min(self.end)
    }

    /// After `$'`.
    pub(super) fn ansi_quotes(&mut self, start: usize) -> usize {
        let Some(after) = self.scan().ansi(start) else {
            self.reader.syntax(start.saturating_sub(2), self.end, "a single quote is not closed");
            return self.end;
        };
        let text = unescape_ansi(self.reader.slice(start, after - 1));
        self.add_text(&text, true);
        after
    }

    fn process(&mut self, at: usize) -> usize {
        let direction = if self.byte(at) == b'<' { Direction::Read } else { Direction::Write };
        let Some(after) = self.scan().script(at + 2, 0) else {
            self.reader.syntax(at, self.end, "a process substitution is not closed");
            return self.end;
        };
        let script = self.reader.nested(at + 2, after - 1);
        let span = self.reader.span(at, after);
        self.push(Part::Process { script, direction, span });
        after
    }

    fn glob(&mut self, start: usize, end: usize) {
        let text = self.reader.slice(start, end).to_owned();
        self.push(Part::Glob(text));
    }

    /// `[abc]`; a `[` without its end is an ordinary character.
    fn bracket_glob(&mut self, at: usize) -> usize {
        let mut place = at + 1;
        if matches!(self.byte(place), b'!' | b'^') {
            place += 1;
        }
        if self.byte(place) == b']' {
            place += 1;
        }
        let limit = (at + 256).min(self.end);
        while place < limit {
            match self.byte(place) {
                b']' => {
                    self.glob(at, place + 1);
                    return place + 1;
                }
                b'[' if self.byte(place + 1) == b':' => place += 2,
                // Quotes and expansions inside are read as parts of their own.
                b'$' | b'`' | b'"' | b'\'' | b'\\' => {
                    let rest = self.reader.slice(place, limit.max(place));
                    if rest.contains(']') {
                        self.glob(at, at + 1);
                        return at + 1;
                    }
                    break;
                }
                b'/' | b' ' | b'\t' | b'\n' | b'}' => break,
                _ => place += 1,
            }
        }
        self.add_text("[", false);
        at + 1
    }

    /// `@(a|b)`. One glob as written; with expansions inside, their parts stand between its pieces.
    fn extended_glob(&mut self, at: usize) -> usize {
        let outer = self.reader;
        let Some(deeper) = outer.deeper(at) else { return self.end };
        self.glob(at, at + 2);
        let mut place = at + 2;
        self.reader = deeper;
        let mut closed = false;
        while place < self.end && !outer.failed() {
            place = self.read_pattern(place);
            match self.byte(place) {
                b'|' => {
                    self.glob(place, place + 1);
                    place += 1;
                }
                b')' => {
                    self.glob(place, place + 1);
                    place += 1;
                    closed = true;
                    break;
                }
                _ => break,
            }
        }
        self.reader = outer;
        if !closed && !outer.failed() {
            outer.syntax(at, self.end, "an extended pattern is not closed");
        }
        place.min(self.end)
    }

    fn read_pattern(&mut self, at: usize) -> usize {
        let tilde_free = Context::Pattern;
        self.read(at, tilde_free, Stop(b"|)"))
    }

    fn tilde(&mut self, at: usize, context: Context) -> usize {
        if self.byte(at) != b'~' {
            return at;
        }
        let mut end = at + 1;
        while self.byte(end).is_ascii_alphanumeric() || matches!(self.byte(end), b'-' | b'_' | b'.' | b'+') {
            end += 1;
        }
        let stops = end >= self.end
            || self.byte(end) == b'/'
            || (self.byte(end) == b':' && context == Context::Value)
            || (self.byte(end) == b'}' && context == Context::Operand);
        if !stops {
            return at;
        }
        let text = self.reader.slice(at, end).to_owned();
        self.push(Part::Tilde(text));
        end
    }
}

/// The text of `$'...'`. A NUL ends it, as in bash.
fn unescape_ansi(raw: &str) -> String {
    let mut out: Vec<u8> = Vec::with_capacity(raw.len());
    let bytes = raw.as_bytes();
    let mut at = 0;
    let get = |at: usize| bytes.get(at).copied();
    while let Some(byte) = get(at) {
        at += 1;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some(escape) = get(at) else {
            out.push(b'\\');
            break;
        };
        at += 1;
        match escape {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'e' | b'E' => out.push(27),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(11),
            b'\\' | b'\'' | b'"' | b'?' => out.push(escape),
            b'c' => {
                if let Some(control) = get(at) {
                    out.push(control.to_ascii_uppercase() ^ 0x40);
                    at += 1;
                }
            }
            b'0'..=b'7' => {
                let (value, length) = digits(bytes, at - 1, 3, 8);
                at += length - 1;
                if value & 0xff == 0 {
                    break;
                }
                out.push(u8::try_from(value & 0xff).unwrap_or(b'?'));
            }
            b'x' | b'u' | b'U' => {
                let most = match escape {
                    b'x' => 2,
                    b'u' => 4,
                    _ => 8,
                };
                let (value, length) = digits(bytes, at, most, 16);
                at += length;
                if length == 0 {
                    out.extend([b'\\', escape]);
                } else if value == 0 {
                    break;
                } else if escape == b'x' {
                    out.push(u8::try_from(value & 0xff).unwrap_or(b'?'));
                } else {
                    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                    out.extend(character.encode_utf8(&mut [0; 4]).bytes());
                }
            }
            other => out.extend([b'\\', other]),
        }
    }
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The number in at most `most` digits from `at` on, and how many there are.
fn digits(bytes: &[u8], at: usize, most: usize, radix: u32) -> (u32, usize) {
    let mut value = 0_u32;
    let mut length = 0;
    while length < most
        && let Some(digit) = bytes.get(at + length).and_then(|byte| char::from(*byte).to_digit(radix))
    {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        length += 1;
    }
    (value, length)
}
