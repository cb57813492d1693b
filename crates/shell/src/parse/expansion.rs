//! `$...` and backquotes.

use super::word::{Builder, Context, Stop};
use crate::tree::{Expansion, Part, Word};

impl Builder<'_> {
    /// At `$`. Returns the place after what it opens.
    pub(super) fn dollar(&mut self, at: usize, context: Context) -> usize {
        let quoted = matches!(context, Context::Double | Context::QuotedOperand | Context::Heredoc { .. });
        match self.byte(at + 1) {
            b'(' => self.parenthesis(at, quoted),
            b'{' => self.braced(at, quoted),
            b'[' => {
                let end = self.scan().square(at + 2, 0);
                self.arithmetic(at, at + 2, end, 1)
            }
            b'\'' if !quoted => self.ansi_quotes(at + 2),
            b'"' if !matches!(context, Context::Double | Context::Heredoc { .. }) => {
                self.double_quotes(at + 2)
            }
            byte => {
                let length = name_length(self, at + 1);
                let length = if length == 0 && is_special(byte) { 1 } else { length };
                if length == 0 {
                    self.add_text("$", quoted);
                    return at + 1;
                }
                let end = at + 1 + length;
                let name = self.reader.slice(at + 1, end).to_owned();
                let span = self.reader.span(at, end);
                self.push(Part::Parameter {
                    name,
                    subscript: None,
                    expansion: Expansion::Plain,
                    quoted,
                    span,
                });
                end
            }
        }
    }

    fn parenthesis(&mut self, at: usize, quoted: bool) -> usize {
        if self.byte(at + 2) == b'('
            && let Some(after) = self.scan().arithmetic(at + 3, 0)
        {
            return self.arithmetic(at, at + 3, Some(after), 2);
        }
        let Some(after) = self.scan().script(at + 2, 0) else {
            self.reader.syntax(at, self.end, "a command substitution is not closed");
            return self.end;
        };
        let script = self.reader.nested(at + 2, after - 1);
        let span = self.reader.span(at, after);
        self.push(Part::Command { script, quoted, span });
        after
    }

    /// `$((...))` and `$[...]`: the expression begins at `start`, and `closing` bytes before `after` end it.
    fn arithmetic(&mut self, at: usize, start: usize, after: Option<usize>, closing: usize) -> usize {
        let Some(after) = after else {
            self.reader.syntax(at, self.end, "an arithmetic expansion is not closed");
            return self.end;
        };
        let expression = Box::new(self.reader.word(start, after - closing, Context::Arithmetic));
        let span = self.reader.span(at, after);
        self.push(Part::Arithmetic { expression, span });
        after
    }

    pub(super) fn backquotes(&mut self, at: usize, quoted: bool) -> usize {
        let Some(after) = self.scan().backquote(at + 1) else {
            self.reader.syntax(at, self.end, "a backquote is not closed");
            return self.end;
        };
        let raw = self.reader.slice(at + 1, after - 1);
        let script = if raw.contains('\\') {
            self.reader.changed(&unescape_backquoted(raw, quoted), at, after)
        } else {
            self.reader.nested(at + 1, after - 1)
        };
        let span = self.reader.span(at, after);
        self.push(Part::Command { script, quoted, span });
        after
    }

    /// `${...}`.
    fn braced(&mut self, at: usize, quoted: bool) -> usize {
        let open = at + 2;
        let mut place = open;
        let mut indirect = false;
        let mut length = false;
        match self.byte(place) {
            b'!' if !matches!(
                self.byte(place + 1),
                b'}' | b':' | b'-' | b'=' | b'+' | b'?' | b'#' | b'%' | b'/'
            ) =>
            {
                indirect = true;
                place += 1;
            }
            b'#' if !matches!(self.byte(place + 1), b'}' | b':' | b'=' | b'+' | b'%' | b'/')
                && !(matches!(self.byte(place + 1), b'-' | b'?' | b'#') && self.byte(place + 2) != b'}') =>
            {
                length = true;
                place += 1;
            }
            _ => {}
        }
        let name_start = place;
        let mut name_end = place + name_length(self, place);
        while self.byte(name_start).is_ascii_digit() && self.byte(name_end).is_ascii_digit() {
            name_end += 1;
        }
        if name_end == place && is_special(self.byte(place)) {
            name_end += 1;
        }
        if name_end == name_start {
            self.reader.syntax(at, (at + 3).min(self.end), "not a parameter expansion");
            return self.end;
        }
        let name = self.reader.slice(name_start, name_end).to_owned();
        place = name_end;
        let mut subscript = None;
        if self.byte(place) == b'[' {
            let Some(after) = self.scan().square(place + 1, 0) else {
                self.reader.syntax(at, self.end, "a subscript is not closed");
                return self.end;
            };
            subscript = Some(Box::new(self.reader.word(place + 1, after - 1, Context::Arithmetic)));
            place = after;
        }
        let (operation, place) = self.operation(place, quoted);
        if self.byte(place) != b'}' {
            if !self.reader.failed() {
                self.reader.syntax(at, self.end, "a parameter expansion is not closed");
            }
            return self.end;
        }
        let expansion = match (indirect, length, operation) {
            (true, _, Expansion::Plain) => Expansion::Indirect,
            // The operand is kept, for the substitutions in it; the value is that of another variable.
            (true, _, Expansion::Default(word) | Expansion::Assign(word) | Expansion::Alternative(word)) => {
                Expansion::Other(vec![*word])
            }
            (false, true, Expansion::Plain) => Expansion::Length,
            (_, _, operation) => operation,
        };
        let span = self.reader.span(at, place + 1);
        self.push(Part::Parameter { name, subscript, expansion, quoted, span });
        place + 1
    }

    /// What follows the name, up to the `}`.
    fn operation(&mut self, at: usize, quoted: bool) -> (Expansion, usize) {
        let colon = self.byte(at) == b':';
        let sign = if colon { self.byte(at + 1) } else { self.byte(at) };
        let after_sign = if colon { at + 2 } else { at + 1 };
        let pattern_context = Context::Operand;
        match sign {
            b'}' if !colon => (Expansion::Plain, at),
            b'-' | b'=' | b'+' | b'?' => {
                let context = if quoted { Context::QuotedOperand } else { Context::Operand };
                let (word, end) = self.operand(after_sign, context, b"}");
                let expansion = match sign {
                    b'-' => Expansion::Default(word),
                    b'=' => Expansion::Assign(word),
                    b'+' => Expansion::Alternative(word),
                    _ => Expansion::Require(word),
                };
                (expansion, end)
            }
            b'#' | b'%' if !colon => {
                let start = if self.byte(after_sign) == sign { after_sign + 1 } else { after_sign };
                let (word, end) = self.operand(start, pattern_context, b"}");
                let expansion =
                    if sign == b'#' { Expansion::RemovePrefix(word) } else { Expansion::RemoveSuffix(word) };
                (expansion, end)
            }
            b'/' if !colon => {
                let doubled = matches!(self.byte(after_sign), b'/' | b'#' | b'%');
                let start = if doubled { after_sign + 1 } else { after_sign };
                let (pattern, mut end) = self.operand(start, pattern_context, b"/}");
                let mut replacement = Box::new(Word::default());
                if self.byte(end) == b'/' {
                    (replacement, end) = self.operand(end + 1, pattern_context, b"}");
                }
                (Expansion::Replace(pattern, replacement), end)
            }
            _ if colon => {
                let (word, end) = self.operand(at + 1, Context::Arithmetic, b"}");
                (Expansion::Other(vec![*word]), end)
            }
            b'^' | b',' | b'@' | b'*' | b'~' => {
                let (word, end) = self.operand(after_sign, pattern_context, b"}");
                (Expansion::Other(vec![*word]), end)
            }
            _ => (Expansion::Plain, at),
        }
    }

    fn operand(&self, start: usize, context: Context, stop: &'static [u8]) -> (Box<Word>, usize) {
        let (word, end) = self.reader.word_until(start, self.end, context, Stop(stop));
        (Box::new(word), end)
    }
}

/// Bytes of the variable name at `at`; digits count one by one (`$12` is `$1` and `2`).
fn name_length(builder: &Builder<'_>, at: usize) -> usize {
    if builder.byte(at).is_ascii_digit() {
        return 1;
    }
    let mut end = at;
    while builder.byte(end).is_ascii_alphanumeric() || builder.byte(end) == b'_' {
        end += 1;
    }
    end - at
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

/// Undo the escapes that backquotes ask for: before `$`, a backquote and a backslash; inside double quotes also
/// before a double quote.
fn unescape_backquoted(raw: &str, quoted: bool) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut characters = raw.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\\'
            && let Some(next) = characters.peek().copied()
            && (matches!(next, '$' | '`' | '\\') || (quoted && next == '"'))
        {
            out.push(next);
            characters.next();
        } else {
            out.push(character);
        }
    }
    out
}
