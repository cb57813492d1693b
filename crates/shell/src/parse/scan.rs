//! Where a quoted or bracketed construct ends. Needed before it can be read by itself.

/// Finds ends in one text. Every method takes the place after the opening sign and returns the place after the
/// closing one; `None` if there is none, or the nesting is too deep.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    bytes: &'a [u8],
    /// Nothing from here on is looked at.
    end: usize,
}

const DEPTH: usize = 64;

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, end: usize) -> Self {
        Self { bytes: text.as_bytes(), end: end.min(text.len()) }
    }

    fn byte(self, at: usize) -> u8 {
        if at < self.end { self.bytes.get(at).copied().unwrap_or(0) } else { 0 }
    }

    fn at_end(self, at: usize) -> bool {
        at >= self.end
    }

    /// After `'`.
    pub(super) fn single(self, mut at: usize) -> Option<usize> {
        while !self.at_end(at) {
            if self.byte(at) == b'\'' {
                return Some(at + 1);
            }
            at += 1;
        }
        None
    }

    /// After `$'`.
    pub(super) fn ansi(self, mut at: usize) -> Option<usize> {
        while !self.at_end(at) {
            match self.byte(at) {
                b'\'' => return Some(at + 1),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        None
    }

    /// After a backquote.
    pub(super) fn backquote(self, mut at: usize) -> Option<usize> {
        while !self.at_end(at) {
            match self.byte(at) {
                b'`' => return Some(at + 1),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        None
    }

    /// After `"`.
    pub(super) fn double(self, mut at: usize, depth: usize) -> Option<usize> {
        while !self.at_end(at) {
            match self.byte(at) {
                b'"' => return Some(at + 1),
                b'\\' => at += 2,
                b'`' => at = self.backquote(at + 1)?,
                b'$' => at = self.dollar(at, true, depth)?,
                _ => at += 1,
            }
        }
        None
    }

    /// At `$`: past the construct that it opens, or past the sign.
    pub(super) fn dollar(self, at: usize, quoted: bool, depth: usize) -> Option<usize> {
        let depth = depth.checked_add(1).filter(|depth| *depth < DEPTH)?;
        match self.byte(at + 1) {
            b'(' => self.parenthesis(at + 1, depth),
            b'{' => self.parameter(at + 2, quoted, depth),
            b'[' => self.square(at + 2, depth),
            b'\'' if !quoted => self.ansi(at + 2),
            b'"' if !quoted => self.double(at + 2, depth),
            b'$' => Some(at + 2),
            _ => Some(at + 1),
        }
    }

    /// At `(` of `$(` or `<(`: an arithmetic expansion, if it can be one, or a script.
    fn parenthesis(self, at: usize, depth: usize) -> Option<usize> {
        if self.byte(at + 1) == b'('
            && let Some(end) = self.arithmetic(at + 2, depth)
        {
            return Some(end);
        }
        self.script(at + 1, depth)
    }

    /// After `$((` or `((`: past `))`. `None` also where the brackets close apart, as in `$((a) | b)`.
    pub(super) fn arithmetic(self, mut at: usize, depth: usize) -> Option<usize> {
        let mut open = 0_usize;
        while !self.at_end(at) {
            match self.byte(at) {
                b'(' => {
                    open += 1;
                    at += 1;
                }
                b')' if open > 0 => {
                    open -= 1;
                    at += 1;
                }
                b')' => return (self.byte(at + 1) == b')').then_some(at + 2),
                b'\\' => at += 2,
                b'\'' => at = self.single(at + 1)?,
                b'"' => at = self.double(at + 1, depth)?,
                b'`' => at = self.backquote(at + 1)?,
                b'$' => at = self.dollar(at, false, depth)?,
                _ => at += 1,
            }
        }
        None
    }

    /// After `$[` or the `[` of a subscript: past `]`.
    pub(super) fn square(self, mut at: usize, depth: usize) -> Option<usize> {
        let mut open = 0_usize;
        while !self.at_end(at) {
            match self.byte(at) {
                b'[' => {
                    open += 1;
                    at += 1;
                }
                b']' if open > 0 => {
                    open -= 1;
                    at += 1;
                }
                b']' => return Some(at + 1),
                b'\\' => at += 2,
                b'\'' => at = self.single(at + 1)?,
                b'"' => at = self.double(at + 1, depth)?,
                b'`' => at = self.backquote(at + 1)?,
                b'$' => at = self.dollar(at, false, depth)?,
                _ => at += 1,
            }
        }
        None
    }

    /// After `${`: past `}`. Inside double quotes a single quote is an ordinary character.
    pub(super) fn parameter(self, mut at: usize, quoted: bool, depth: usize) -> Option<usize> {
        while !self.at_end(at) {
            match self.byte(at) {
                b'}' => return Some(at + 1),
                b'\\' => at += 2,
                b'\'' if !quoted => at = self.single(at + 1)?,
                b'"' => at = self.double(at + 1, depth)?,
                b'`' => at = self.backquote(at + 1)?,
                b'$' => at = self.dollar(at, quoted, depth)?,
                _ => at += 1,
            }
        }
        None
    }

    /// After `$(`, `<(`, `>(` or `(`: past the `)` that ends the script.
    pub(super) fn script(self, at: usize, depth: usize) -> Option<usize> {
        let mut ignored = Vec::new();
        let end = self.commands(at, depth, &mut Marks { list: &mut ignored, wanted: false })?;
        (self.byte(end) == b')' && !self.at_end(end)).then_some(end + 1)
    }

    /// What in the text from `at` on is not for the statement parser. `Err`: a construct that begins at the byte is
    /// not closed.
    pub(super) fn marks(self, at: usize) -> Result<Vec<Mark>, usize> {
        let mut list = Vec::new();
        let end = self.commands(at, 0, &mut Marks { list: &mut list, wanted: true });
        match end {
            Some(end) if self.at_end(end) => Ok(list),
            Some(end) => Err(end),
            None => Err(list.last().map_or(at, |mark| mark.end)),
        }
    }

    /// Commands, up to a `)` that none of them opened or to the end. Knows comments, heredocs and the lone `)` of
    /// `case` patterns.
    fn commands(self, mut at: usize, depth: usize, marks: &mut Marks<'_>) -> Option<usize> {
        let depth = depth.checked_add(1).filter(|depth| *depth < DEPTH)?;
        let mut cases = 0_usize;
        let mut open = 0_usize;
        let mut heredocs: Vec<Heredoc<'a>> = Vec::new();
        let mut starts_word = true;
        let mut commanding = true;
        let mut after_for = false;
        while !self.at_end(at) {
            let start = at;
            let was_start = std::mem::replace(&mut starts_word, false);
            let was_for = std::mem::replace(&mut after_for, false);
            let was_commanding = commanding;
            let byte = self.byte(at);
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\\' | b'#') {
                commanding = false;
            }
            if was_start
                && was_commanding
                && let Some(word) = self.reserved_word(at)
            {
                match word {
                    b"case" => cases += 1,
                    b"esac" => cases = cases.saturating_sub(1),
                    b"for" => after_for = true,
                    _ => {}
                }
                commanding = !matches!(word, b"case" | b"for");
                at += word.len();
                continue;
            }
            match byte {
                b'\n' => {
                    at += 1;
                    for heredoc in std::mem::take(&mut heredocs) {
                        at = self.heredoc_body(at, &heredoc, marks);
                    }
                    starts_word = true;
                    commanding = true;
                }
                b'\r' if self.byte(at + 1) == b'\n' || self.at_end(at + 1) => {
                    at += 1;
                    marks.add(start, at, MarkKind::Blank);
                    starts_word = true;
                }
                b' ' | b'\t' => {
                    at += 1;
                    starts_word = true;
                    after_for = was_for;
                }
                b';' | b'&' | b'|' => {
                    at += 1;
                    starts_word = true;
                    commanding = true;
                }
                b'#' if was_start => {
                    while !self.at_end(at) && self.byte(at) != b'\n' {
                        at += 1;
                    }
                    marks.add(start, at, MarkKind::Blank);
                }
                b'(' if (was_commanding || was_for)
                    && self.byte(at + 1) == b'('
                    && let Some(end) = self.arithmetic(at + 2, depth) =>
                {
                    at = end;
                    let kind = if was_for { MarkKind::ForArithmetic } else { MarkKind::Arithmetic };
                    marks.add(start + 2, at - 2, kind);
                }
                b'(' => {
                    // Not in an array.
                    commanding = start == 0 || self.byte(start - 1) != b'=';
                    open += 1;
                    at += 1;
                    starts_word = true;
                }
                b')' if open > 0 => {
                    open -= 1;
                    at += 1;
                    starts_word = true;
                    commanding = true;
                }
                b')' if cases > 0 => {
                    at += 1;
                    starts_word = true;
                    commanding = true;
                }
                b')' => return Some(at),
                b'\\' if self.byte(at + 1) == b'\r' && self.byte(at + 2) == b'\n' => {
                    at += 3;
                    marks.add(start, at, MarkKind::Blank);
                    starts_word = was_start;
                }
                b'\\' => {
                    starts_word = was_start && self.byte(at + 1) == b'\n';
                    at += 2;
                }
                b'\'' | b'"' | b'`' | b'$' => {
                    at = match self.byte(at) {
                        b'\'' => self.single(at + 1),
                        b'"' => self.double(at + 1, depth),
                        b'`' => self.backquote(at + 1),
                        _ => self.dollar(at, false, depth),
                    }
                    .or_else(|| {
                        marks.add(start, start, MarkKind::Word);
                        None
                    })?;
                    if at > start + 1 {
                        marks.add(start, at, MarkKind::Word);
                    }
                }
                b'<' | b'>' if self.byte(at + 1) == b'(' => {
                    at = self.script(at + 2, depth).or_else(|| {
                        marks.add(start, start, MarkKind::Word);
                        None
                    })?;
                    marks.add(start, at, MarkKind::Word);
                }
                b'<' if self.byte(at + 1) == b'<' && self.byte(at + 2) == b'<' => {
                    at += 3;
                    starts_word = true;
                }
                b'<' if self.byte(at + 1) == b'<' => {
                    let (heredoc, after) = self.heredoc_start(at);
                    if let Some(heredoc) = heredoc {
                        heredocs.push(heredoc);
                    }
                    at = after;
                    starts_word = true;
                }
                b'<' | b'>' => {
                    at += 1;
                    starts_word = true;
                }
                _ => at += 1,
            }
        }
        // A heredoc without a line after it has an empty body.
        for heredoc in heredocs {
            self.heredoc_body(self.end, &heredoc, marks);
        }
        Some(at.min(self.end))
    }

    /// The reserved word at `at` that a command may follow, or that changes what a bracket means.
    fn reserved_word(self, at: usize) -> Option<&'static [u8]> {
        const WORDS: [&[u8]; 15] = [
            b"if", b"then", b"elif", b"else", b"while", b"until", b"do", b"case", b"esac", b"for", b"!",
            b"{", b"time", b"coproc", b"select",
        ];
        let rest = self.bytes.get(at..self.end).unwrap_or_default();
        WORDS.into_iter().find(|word| {
            rest.strip_prefix(*word).is_some_and(|rest| {
                matches!(
                    rest.first(),
                    None | Some(b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')')
                ) || rest.starts_with(b"\\\n")
            })
        })
    }

    /// At `<<`: the heredoc, and the place after its delimiter.
    fn heredoc_start(self, operator: usize) -> (Option<Heredoc<'a>>, usize) {
        let mut at = operator + 2;
        let strip = self.byte(at) == b'-';
        if strip {
            at += 1;
        }
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        let start = at;
        while !self.at_end(at) {
            match self.byte(at) {
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                b'\'' => at = self.single(at + 1).unwrap_or(self.end),
                b'"' => at = self.double(at + 1, 0).unwrap_or(self.end),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        let at = at.min(self.end);
        let raw = self.bytes.get(start..at).unwrap_or_default();
        ((!raw.is_empty()).then_some(Heredoc { operator, start, raw, strip }), at)
    }

    /// From the first line of the body past the line that ends it. A body that isn't closed runs to the end, about
    /// which bash only warns.
    fn heredoc_body(self, start: usize, heredoc: &Heredoc<'_>, marks: &mut Marks<'_>) -> usize {
        let mut at = start;
        let mut body_end = self.end;
        let mut after = self.end;
        while !self.at_end(at) {
            let rest = self.bytes.get(at..self.end).unwrap_or_default();
            let length = line_length(rest);
            let mut line = rest.get(..length).unwrap_or_default();
            if heredoc.strip {
                while let [b'\t', tail @ ..] = line {
                    line = tail;
                }
            }
            if heredoc.ends_at(line.strip_suffix(b"\r").unwrap_or(line)) {
                body_end = at;
                after = at + length;
                break;
            }
            at += length + 1;
        }
        if marks.wanted {
            let quoted = heredoc.raw.iter().any(|byte| matches!(byte, b'\'' | b'"' | b'\\'));
            let place = HeredocPlace {
                delimiter: (heredoc.start, heredoc.start + heredoc.raw.len()),
                body: (start, body_end),
                strip: heredoc.strip,
                quoted,
            };
            marks.add(heredoc.operator, heredoc.start, MarkKind::HeredocOperator(place));
            marks.add(heredoc.start, heredoc.start + heredoc.raw.len(), MarkKind::Word);
            marks.add(start, after, MarkKind::Blank);
        }
        after
    }
}

/// Bytes up to the line's end.
fn line_length(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

struct Marks<'m> {
    list: &'m mut Vec<Mark>,
    wanted: bool,
}

impl Marks<'_> {
    fn add(&mut self, start: usize, end: usize, kind: MarkKind) {
        if self.wanted {
            self.list.push(Mark { start, end, kind });
        }
    }
}

/// A part of the text that the statement parser sees as something simpler.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: MarkKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum MarkKind {
    /// Part of a word: a quoted text or an expansion.
    Word,
    /// A comment, the body of a heredoc, a carriage return.
    Blank,
    /// `<<` and the blanks after it.
    HeredocOperator(HeredocPlace),
    /// The inside of `(( ))`.
    Arithmetic,
    /// The inside of `for (( ))`.
    ForArithmetic,
}

/// Where the pieces of a heredoc stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeredocPlace {
    pub(super) delimiter: (usize, usize),
    /// Without the line that ends it.
    pub(super) body: (usize, usize),
    /// `<<-`.
    pub(super) strip: bool,
    /// The delimiter was quoted: nothing in the body is expanded.
    pub(super) quoted: bool,
}

struct Heredoc<'a> {
    operator: usize,
    /// First byte of the delimiter.
    start: usize,
    raw: &'a [u8],
    strip: bool,
}

impl Heredoc<'_> {
    /// Whether the line is the delimiter, quotes and backslashes of which don't count.
    fn ends_at(&self, line: &[u8]) -> bool {
        let plain = self.raw.iter().filter(|byte| !matches!(byte, b'\'' | b'"' | b'\\'));
        plain.eq(line.iter())
    }
}
