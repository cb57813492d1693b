//! The inside of words: quotes, escapes, globs, tildes. Expansions are in `expansion.rs`, braces in `braces.rs`.

use super::ansi::unescape_ansi;
use super::pieces::KEPT;
use super::statement::is_metacharacter;
use super::{Parsed, Parser};
use crate::tree::{Direction, Part, Word};

/// The longest class of letters within a bracket, `[:xdigit:]` and the like, with its marks.
const LONGEST_CLASS: usize = 32;

/// What surrounds the text that is read; it decides which characters are special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// A word of a command.
    Plain,
    /// The value of an assignment: a tilde also after `:`, no braces.
    Value,
    /// A pattern of `case`, an operand of `[[ ]]`: no braces.
    Pattern,
    /// The right side of `=~`: brackets and bars are ordinary characters.
    Regex,
    /// The delimiter of a heredoc: only quotes are special.
    Delimiter,
    /// Within the brackets of `@(a|b)` or of a regular expression: blanks are ordinary characters.
    Bracketed,
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
    pub(super) fn is_quoted(self) -> bool {
        matches!(self, Self::Double | Self::QuotedOperand | Self::Heredoc { .. })
    }

    /// A word here ends at a blank or an operator.
    fn ends_at_metacharacters(self) -> bool {
        matches!(self, Self::Plain | Self::Value | Self::Pattern | Self::Regex | Self::Delimiter)
    }

    fn has_globs(self) -> bool {
        matches!(self, Self::Plain | Self::Value | Self::Pattern | Self::Operand | Self::Bracketed)
    }

    fn has_processes(self) -> bool {
        self.has_globs() || self == Self::Regex
    }

    fn has_tildes(self) -> bool {
        matches!(self, Self::Plain | Self::Value | Self::Pattern | Self::Operand)
    }
}

/// The parts of one word while it is read.
#[derive(Default)]
pub(super) struct Builder {
    parts: Vec<Part>,
    text: String,
    text_quoted: bool,
    has_text: bool,
    /// There is an unquoted `{`.
    has_braces: bool,
}

impl Builder {
    /// Add literal text, to the last literal if that is quoted alike.
    pub(super) fn add(&mut self, text: &str, quoted: bool) {
        if self.has_text && self.text_quoted != quoted {
            self.flush();
        }
        self.has_text = true;
        self.text_quoted = quoted;
        if self.text.is_empty() {
            text.clone_into(&mut self.text);
        } else {
            self.text.push_str(text);
        }
    }

    fn flush(&mut self) {
        if self.has_text {
            let text = std::mem::take(&mut self.text);
            // Most words are this one part.
            if self.parts.is_empty() {
                self.parts.reserve_exact(1);
            }
            self.parts.push(Part::Literal { text, quoted: self.text_quoted });
            self.has_text = false;
        }
    }

    pub(super) fn push(&mut self, part: Part) {
        self.flush();
        self.parts.push(part);
    }

    /// There are very many parts, and the last one runs nothing: it is dropped.
    fn is_long(&mut self) -> bool {
        let runs = |part: &Part| matches!(part, Part::Command { .. } | Part::Process { .. } | Part::Brace(_));
        let long = self.parts.len() > KEPT && !self.parts.last().is_some_and(runs);
        if long {
            self.parts.truncate(KEPT);
        }
        long
    }

    /// What has been read so far is a variable's name.
    fn is_name(&self) -> bool {
        self.parts.is_empty()
            && self.has_text
            && !self.text_quoted
            && !self.text.starts_with(|first: char| first.is_ascii_digit())
            && self.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }
}

impl Parser<'_> {
    /// The word that begins at the cursor, up to where one ends in this context.
    pub(super) fn word(&mut self, context: Context) -> Parsed<Word> {
        self.word_until(context, b"")
    }

    /// The word up to one of these bytes, unquoted, which are not taken.
    pub(super) fn word_until(&mut self, context: Context, stop: &'static [u8]) -> Parsed<Word> {
        let start = self.at;
        let mut builder = Builder::default();
        self.read(&mut builder, context, stop)?;
        self.finish(builder, start)
    }

    /// The word of what has been read since `start`.
    pub(super) fn finish(&mut self, mut builder: Builder, start: usize) -> Parsed<Word> {
        builder.flush();
        let span = self.span(start, self.at);
        if !builder.has_braces {
            return Ok(Word { parts: builder.parts, span });
        }
        let most = self.limits.nodes.saturating_sub(self.nodes).min(self.limits.nodes / 2);
        let mut budget = most;
        let parts = super::braces::expand(builder.parts, span, &mut budget);
        self.nodes += most - budget;
        self.count()?;
        Ok(Word { parts, span })
    }

    pub(super) fn read(
        &mut self,
        builder: &mut Builder,
        context: Context,
        stop: &'static [u8],
    ) -> Parsed<()> {
        if context.has_tildes() {
            self.tilde(builder, context);
        }
        if let Context::Heredoc { strip: true } = context {
            self.skip_tabs();
        }
        let mut nodes = self.nodes;
        while !self.at_end() {
            let byte = self.peek(0);
            if stop.contains(&byte) {
                return Ok(());
            }
            if builder.is_long() {
                self.nodes = nodes;
                self.leave_out("a word of more pieces than the limit");
            }
            nodes = self.nodes;
            match byte {
                b'\\' => self.backslash(builder, context),
                b'\'' if matches!(context, Context::QuotedOperand | Context::Arithmetic) => {
                    self.soft_quotes(builder, context)?;
                }
                b'\'' if !context.is_quoted() => self.single_quotes(builder)?,
                b'"' if !matches!(context, Context::Double | Context::Heredoc { .. }) => {
                    self.double_quotes(builder)?;
                }
                b'`' => self.backquotes(builder, context.is_quoted())?,
                b'$' => self.dollar(builder, context)?,
                b'<' | b'>' if context.has_processes() && self.peek(1) == b'(' => self.process(builder)?,
                b'?' | b'*' | b'+' | b'@' | b'!' if context.has_globs() && self.peek(1) == b'(' => {
                    self.extended_glob(builder)?;
                }
                b'(' if context == Context::Regex => self.regex_group(builder)?,
                b'(' if context == Context::Bracketed => self.bracketed(builder)?,
                b'(' if context == Context::Plain && self.is_path_group() => self.path_group(builder),
                b'|' if context == Context::Regex => self.run(builder, context, stop),
                byte if context.ends_at_metacharacters() && is_metacharacter(byte) => return Ok(()),
                b'*' | b'?' if context.has_globs() => self.glob(builder, 1),
                b'[' if context.has_globs() => self.bracket_glob(builder, context),
                b'{' if context == Context::Plain => {
                    self.count()?;
                    builder.has_braces = true;
                    self.run(builder, context, stop);
                }
                b'=' if context == Context::Plain && builder.is_name() => {
                    builder.add("=", false);
                    self.at += 1;
                    self.tilde(builder, Context::Value);
                }
                b':' if context == Context::Value => {
                    builder.add(":", false);
                    self.at += 1;
                    self.tilde(builder, context);
                }
                b'\n' if matches!(context, Context::Heredoc { strip: true }) => {
                    builder.add("\n", true);
                    self.at += 1;
                    self.skip_tabs();
                }
                _ => self.run(builder, context, stop),
            }
        }
        self.at = self.at.min(self.end);
        Ok(())
    }

    fn skip_tabs(&mut self) {
        while self.peek(0) == b'\t' {
            self.at += 1;
        }
    }

    /// A run of characters that mean themselves; the first has been found to do so.
    fn run(&mut self, builder: &mut Builder, context: Context, stop: &'static [u8]) {
        let start = self.at;
        let quoted = context.is_quoted();
        let bytes = self.text.as_bytes().get(start + 1..self.end).unwrap_or_default();
        let length = bytes
            .iter()
            .position(|byte| {
                let plain = *byte >= 0x80
                    || byte.is_ascii_alphanumeric()
                    || matches!(byte, b'-' | b'_' | b'.' | b'/' | b',' | b'%' | b'^' | b'#')
                    || (*byte == b'=' && context != Context::Plain)
                    || (quoted
                        && matches!(
                            byte,
                            b' ' | b'(' | b')' | b';' | b'&' | b'|' | b'<' | b'>' | b'!' | b'@' | b':'
                        ));
                !plain || stop.contains(byte)
            })
            .unwrap_or(bytes.len());
        self.at = start + 1 + length;
        builder.add(self.slice(start, self.at), quoted);
        if matches!(context, Context::Heredoc { .. }) {
            self.data += self.at - start;
        }
    }

    fn backslash(&mut self, builder: &mut Builder, context: Context) {
        let next = self.peek(1);
        if next == b'\n' {
            self.at += 2;
            return;
        }
        let special = match context {
            Context::Double => matches!(next, b'$' | b'`' | b'"' | b'\\'),
            Context::QuotedOperand => matches!(next, b'$' | b'`' | b'"' | b'\\' | b'}'),
            Context::Heredoc { .. } => matches!(next, b'$' | b'`' | b'\\'),
            _ => true,
        };
        self.at += 1;
        let rest = self.slice(self.at, self.end);
        match rest.chars().next().filter(|_| special) {
            Some(character) => {
                builder.add(rest.get(..character.len_utf8()).unwrap_or(""), true);
                self.at += character.len_utf8();
            }
            None => builder.add("\\", true),
        }
    }

    /// The place of the next such byte.
    fn find(&self, from: usize, wanted: u8) -> Option<usize> {
        let rest = self.text.as_bytes().get(from..self.end)?;
        rest.iter().position(|byte| *byte == wanted).map(|length| from + length)
    }

    fn single_quotes(&mut self, builder: &mut Builder) -> Parsed<()> {
        let start = self.at;
        let close = self.find(start + 1, b'\'');
        builder.add(self.slice(start + 1, close.unwrap_or(self.end)), true);
        let Some(close) = close else { return self.unclosed(start, "a single quote is not closed") };
        self.at = close + 1;
        Ok(())
    }

    /// Single quotes where they hide a bracket from bash's parser, but not an expansion from its expander.
    fn soft_quotes(&mut self, builder: &mut Builder, context: Context) -> Parsed<()> {
        let Some(close) = self.find(self.at + 1, b'\'') else {
            return self.syntax(self.at, self.end, "a single quote is not closed");
        };
        let end = std::mem::replace(&mut self.end, close);
        let quoted = context.is_quoted();
        builder.add("'", quoted);
        self.at += 1;
        // Another `'` can't stand in here, so this is no recursion without bounds.
        self.read(builder, context, b"")?;
        builder.add("'", quoted);
        self.end = end;
        self.at = close + 1;
        Ok(())
    }

    /// At `"`.
    pub(super) fn double_quotes(&mut self, builder: &mut Builder) -> Parsed<()> {
        let start = self.at;
        self.at += 1;
        if self.peek(0) == b'"' {
            builder.add("", true);
        }
        self.nest(|parser| parser.read(builder, Context::Double, b"\""))?;
        if self.peek(0) != b'"' {
            return self.unclosed_here(start, "a double quote is not closed");
        }
        self.at += 1;
        Ok(())
    }

    /// At `$'`.
    pub(super) fn ansi_quotes(&mut self, builder: &mut Builder) -> Parsed<()> {
        let start = self.at + 2;
        let mut at = start;
        loop {
            match self.byte(at) {
                b'\'' => break,
                b'\\' => at += 2,
                _ if at >= self.end => {
                    builder.add(&unescape_ansi(self.slice(start, self.end)), true);
                    return self.unclosed(self.at, "a single quote is not closed");
                }
                _ => at += 1,
            }
        }
        builder.add(&unescape_ansi(self.slice(start, at)), true);
        self.at = at + 1;
        Ok(())
    }

    fn process(&mut self, builder: &mut Builder) -> Parsed<()> {
        self.count()?;
        let start = self.at;
        let direction = if self.peek(0) == b'<' { Direction::Read } else { Direction::Write };
        self.at += 2;
        let script = self.substitution()?;
        let span = self.span(start, self.at);
        builder.push(Part::Process { script, direction, span });
        Ok(())
    }

    fn glob(&mut self, builder: &mut Builder, length: usize) {
        let text = self.slice(self.at, self.at + length).to_owned();
        builder.push(Part::Glob(text));
        self.at += length;
    }

    /// `[abc]`; a `[` without its end is an ordinary character. With quotes or values inside it is a glob of its own.
    fn bracket_glob(&mut self, builder: &mut Builder, context: Context) {
        let start = self.at;
        let mut place = start + 1;
        if start < self.unbracketed {
            place = self.end;
        }
        if matches!(self.byte(place), b'!' | b'^') {
            place += 1;
        }
        if self.byte(place) == b']' {
            place += 1;
        }
        while place < self.end {
            match self.byte(place) {
                b']' => return self.glob(builder, place + 1 - start),
                b'[' if matches!(self.byte(place + 1), b':' | b'.' | b'=') => match self.class_end(place) {
                    Some(end) => place = end,
                    None => return self.glob(builder, 1),
                },
                // Quotes, braces and expansions inside are read as parts of their own.
                b'$' | b'`' | b'"' | b'\'' | b'\\' | b'{' => return self.glob(builder, 1),
                b'}' if context == Context::Plain => return self.glob(builder, 1),
                b'/' | b'}' => break,
                byte if is_metacharacter(byte) => break,
                _ => place += 1,
            }
        }
        self.unbracketed = self.unbracketed.max(place.min(self.end));
        builder.add("[", false);
        self.at += 1;
    }

    /// Behind `[:alpha:]`, `[.a.]` or `[=a=]` within a bracket, which begins here.
    fn class_end(&self, start: usize) -> Option<usize> {
        let mark = self.byte(start + 1);
        let most = (start + LONGEST_CLASS).min(self.end);
        (start + 2..most).find(|at| self.byte(*at) == mark && self.byte(at + 1) == b']').map(|at| at + 2)
    }

    /// `@(a|b)`. One glob as written; with expansions inside, their parts stand between its pieces.
    fn extended_glob(&mut self, builder: &mut Builder) -> Parsed<()> {
        let start = self.at;
        self.count()?;
        self.glob(builder, 2);
        loop {
            self.nest(|parser| parser.read(builder, Context::Bracketed, b"|)"))?;
            match self.peek(0) {
                b'|' => self.glob(builder, 1),
                b')' => {
                    self.glob(builder, 1);
                    return Ok(());
                }
                _ => return self.syntax(start, self.end, "an extended pattern is not closed"),
            }
        }
    }

    /// `src/(group)/page`: a group of zsh's globs, which agents write for a directory of that name. bash refuses it.
    fn is_path_group(&self) -> bool {
        let name =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@' | b'|');
        let mut end = self.at + 1;
        while name(self.byte(end)) {
            end += 1;
        }
        self.byte(self.at.wrapping_sub(1)) == b'/'
            && end > self.at + 1
            && self.byte(end) == b')'
            && self.byte(end + 1) == b'/'
    }

    fn path_group(&mut self, builder: &mut Builder) {
        builder.push(Part::Glob("*".to_owned()));
        while self.peek(0) != b')' {
            self.at += 1;
        }
        self.at += 1;
    }

    fn regex_group(&mut self, builder: &mut Builder) -> Parsed<()> {
        let start = self.at;
        builder.add("(", false);
        self.at += 1;
        self.nest(|parser| parser.read(builder, Context::Bracketed, b")"))?;
        if self.peek(0) != b')' {
            return self.syntax(start, self.end, "a bracket is not closed");
        }
        builder.add(")", false);
        self.at += 1;
        Ok(())
    }

    /// A bracket inside brackets.
    fn bracketed(&mut self, builder: &mut Builder) -> Parsed<()> {
        self.regex_group(builder)
    }

    fn tilde(&mut self, builder: &mut Builder, context: Context) {
        if self.peek(0) != b'~' {
            return;
        }
        let mut end = self.at + 1;
        while self.byte(end).is_ascii_alphanumeric() || matches!(self.byte(end), b'-' | b'_' | b'.' | b'+') {
            end += 1;
        }
        let next = self.byte(end);
        let stops = end >= self.end
            || next == b'/'
            || (context.ends_at_metacharacters() && is_metacharacter(next))
            || (next == b':' && context == Context::Value)
            || (next == b'}' && context == Context::Operand);
        if stops {
            let text = self.slice(self.at, end).to_owned();
            builder.push(Part::Tilde(text));
            self.at = end;
        }
    }
}
