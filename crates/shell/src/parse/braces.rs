//! Brace expansion: `{a,b}` and `{1..3}`.

use super::word::{Builder, Context};
use crate::tree::{Part, Word};

/// A sequence with more steps than this is given without its alternatives.
const MOST: i64 = 64;

impl Builder<'_> {
    /// At an unquoted `{`: the expansion that it opens, or the character itself.
    pub(super) fn brace(&mut self, at: usize) -> usize {
        match self.brace_end(at) {
            Some((close, commas)) if !commas.is_empty() => {
                let mut words = Vec::with_capacity(commas.len() + 1);
                let mut start = at + 1;
                for end in commas.into_iter().chain([close]) {
                    words.push(self.reader.word(start, end, Context::Plain));
                    start = end + 1;
                }
                self.push(Part::Brace(words));
                close + 1
            }
            Some((close, _)) => match self.sequence(at, close) {
                Some(words) => {
                    self.push(Part::Brace(words));
                    close + 1
                }
                None => self.plain(at),
            },
            None => self.plain(at),
        }
    }

    fn plain(&mut self, at: usize) -> usize {
        self.add_text("{", false);
        at + 1
    }

    /// The matching `}`, and the commas between on the same level.
    fn brace_end(&self, at: usize) -> Option<(usize, Vec<usize>)> {
        let scan = self.scan();
        let mut place = at + 1;
        let mut open = 0_usize;
        let mut commas = Vec::new();
        while place < self.end {
            match self.byte(place) {
                b'{' => {
                    open += 1;
                    place += 1;
                }
                b'}' if open == 0 => return Some((place, commas)),
                b'}' => {
                    open -= 1;
                    place += 1;
                }
                b',' => {
                    if open == 0 {
                        commas.push(place);
                    }
                    place += 1;
                }
                b'\\' => place += 2,
                b'\'' => place = scan.single(place + 1)?,
                b'"' => place = scan.double(place + 1, 0)?,
                b'`' => place = scan.backquote(place + 1)?,
                b'$' => place = scan.dollar(place, false, 0)?,
                b'<' | b'>' if self.byte(place + 1) == b'(' => place = scan.script(place + 2, 0)?,
                _ => place += 1,
            }
        }
        None
    }

    /// `{1..9}`, `{a..e}`, `{01..10..2}`. An empty list if there are too many; `None` if it is no sequence.
    fn sequence(&self, open: usize, close: usize) -> Option<Vec<Word>> {
        let text = self.reader.slice(open + 1, close);
        let mut pieces = text.split("..");
        let (first, last) = (pieces.next()?, pieces.next()?);
        let step = pieces.next().map_or(Some(1), |step| step.parse::<i64>().ok())?;
        if pieces.next().is_some() {
            return None;
        }
        let (start, end, render): (i64, i64, Render) = match (first.parse::<i64>(), last.parse::<i64>()) {
            (Ok(start), Ok(end)) => {
                let padded = [first, last].iter().any(|text| {
                    let digits = text.trim_start_matches('-');
                    digits.len() > 1 && digits.starts_with('0')
                });
                let width = if padded { first.len().max(last.len()) } else { 0 };
                (start, end, Render::Number(width))
            }
            _ => {
                let (&[start], &[end]) = (first.as_bytes(), last.as_bytes()) else { return None };
                if !start.is_ascii_alphabetic() || !end.is_ascii_alphabetic() {
                    return None;
                }
                (i64::from(start), i64::from(end), Render::Letter)
            }
        };
        let step = step.checked_abs()?.max(1);
        let count = end.checked_sub(start)?.checked_abs()? / step + 1;
        if count > MOST {
            return Some(Vec::new());
        }
        let span = self.reader.span(open, close + 1);
        let direction = if end < start { -step } else { step };
        let words = (0..count)
            .map(|index| {
                let value = start.saturating_add(index.saturating_mul(direction));
                let text = match render {
                    Render::Number(width) => format!("{value:0width$}"),
                    Render::Letter => u8::try_from(value).map(char::from).unwrap_or('?').to_string(),
                };
                Word { parts: vec![Part::Literal { text, quoted: false }], span }
            })
            .collect();
        Some(words)
    }
}

#[derive(Clone, Copy)]
enum Render {
    /// Padded with zeros to this width.
    Number(usize),
    Letter,
}
