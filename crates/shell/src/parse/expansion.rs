//! `$...`, backquotes and arithmetic.

use super::word::{Builder, Context};
use super::{Parsed, Parser, Place};
use crate::tree::{Expansion, Part, Word, Zsh};

/// The letters that begin a modifier of zsh: "Modifiers" in its manual on expansion.
const ZSH_MODIFIERS: &[u8] = b"aAcehlpPqQrs&tuxfFwWg";
/// More brackets open at once than any real expression has.
const OPEN: usize = 64;

impl Parser<'_> {
    /// At `$`.
    pub(super) fn dollar(&mut self, builder: &mut Builder, context: Context) -> Parsed<()> {
        let start = self.at;
        let quoted = context.is_quoted();
        match self.peek(1) {
            b'(' => self.parenthesis(builder, quoted),
            b'{' => {
                self.count()?;
                self.nest(|parser| parser.braced(builder, quoted))
            }
            b'[' => {
                self.count()?;
                self.at += 2;
                let expression = self.nest(|parser| parser.balanced(b'[', b']'))?;
                if self.peek(0) != b']' {
                    return self.syntax(start, self.end, "an arithmetic expansion is not closed");
                }
                self.at += 1;
                let span = self.span(start, self.at);
                builder.push(Part::Arithmetic { expression: Box::new(expression), span });
                Ok(())
            }
            b'\'' if !quoted => self.ansi_quotes(builder),
            b'"' if !matches!(context, Context::Double | Context::Heredoc { .. }) => {
                self.at += 1;
                self.double_quotes(builder)
            }
            // The shell takes the line break out before it looks at what follows.
            b'\\' if self.peek(2) == b'\n' => {
                self.syntax(start, start + 3, "a line continuation inside an expansion")
            }
            _ => {
                let signs = self.zsh_signs(start + 1);
                let name_start = start + 1 + signs;
                let length = match self.name_length(name_start) {
                    0 if is_special(self.byte(name_start)) => 1,
                    length => length,
                };
                if length == 0 {
                    self.at += 1;
                    builder.add("$", quoted);
                    return Ok(());
                }
                self.at = name_start + length;
                if self.peek(0) == b'\\' && self.peek(1) == b'\n' && self.name_length(self.at + 2) > 0 {
                    return self.syntax(start, self.at + 3, "a line continuation inside a name");
                }
                self.count()?;
                let name = self.slice(name_start, self.at).to_owned();
                let span = self.span(start, self.at);
                let expansion = match self.zsh_continues(&name) {
                    _ if signs > 0 => Expansion::Zsh(Zsh::Sign),
                    Some(kind) => Expansion::Zsh(kind),
                    None => Expansion::Plain,
                };
                // `"$=x"` is split all the same.
                let quoted = quoted && !self.slice(start, name_start).contains('=');
                builder.push(Part::Parameter { name, subscript: None, expansion, quoted, span });
                Ok(())
            }
        }
    }

    /// Bytes of the signs at `at` that zsh takes for a part of the expansion, where a name follows them.
    fn zsh_signs(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..self.end).unwrap_or_default();
        let signs = rest.iter().take_while(|byte| matches!(byte, b'~' | b'=' | b'^' | b'+')).count();
        let is_name = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        // `$^1` of a makefile and `$+` of a pattern are more likely text.
        let is_place = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'@' | b'*');
        let splits = !rest.iter().take(signs).any(|byte| matches!(byte, b'^' | b'+'));
        match rest.get(signs) {
            Some(byte) if is_name(byte) || splits && is_place(byte) => signs,
            _ => 0,
        }
    }

    /// Does zsh take what follows the name for a part of the expansion?
    fn zsh_continues(&self, name: &str) -> Option<Zsh> {
        let next = self.peek(0);
        let counts = name == "#" && (next.is_ascii_alphanumeric() || next == b'_');
        if counts || next == b'[' {
            return Some(Zsh::Subscript);
        }
        (next == b':' && ZSH_MODIFIERS.contains(&self.peek(1))).then_some(Zsh::Modifier)
    }

    /// At `$(`.
    fn parenthesis(&mut self, builder: &mut Builder, quoted: bool) -> Parsed<()> {
        self.count()?;
        let start = self.at;
        if self.peek(2) == b'(' {
            let expression = self.attempt(|parser| {
                parser.at += 3;
                parser.nest(Self::arithmetic_until_brackets)
            })?;
            if let Some(expression) = expression {
                let span = self.span(start, self.at);
                builder.push(Part::Arithmetic { expression: Box::new(expression), span });
                return Ok(());
            }
        }
        self.at += 2;
        let script = self.substitution()?;
        let span = self.span(start, self.at);
        builder.push(Part::Command { script, quoted, span });
        Ok(())
    }

    /// After `((`: the expression and `))`. `None` where the brackets close apart, as in `((a) | b)`.
    pub(super) fn arithmetic_until_brackets(&mut self) -> Parsed<Option<Word>> {
        let word = self.balanced(b'(', b')')?;
        if self.peek(0) != b')' || self.peek(1) != b')' {
            return Ok(None);
        }
        self.at += 2;
        Ok(Some(word))
    }

    /// After `for ((`: the three expressions and `))`.
    pub(super) fn arithmetic_expressions(&mut self, start: usize) -> Parsed<Vec<Word>> {
        let mut words = Vec::with_capacity(3);
        let mut begin = self.at;
        let mut builder = Builder::default();
        let mut open = 0_usize;
        loop {
            self.read(&mut builder, Context::Arithmetic, b"();")?;
            match self.peek(0) {
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                b';' => {
                    self.count()?;
                    words.push(self.finish(std::mem::take(&mut builder), begin)?);
                    self.at += 1;
                    begin = self.at;
                    continue;
                }
                b')' if self.peek(1) == b')' && words.len() == 2 => {
                    words.push(self.finish(builder, begin)?);
                    self.at += 2;
                    return Ok(words);
                }
                _ => return self.syntax(start, self.end, "not three arithmetic expressions"),
            }
            builder.add(self.slice(self.at, self.at + 1), false);
            self.at += 1;
        }
    }

    /// An arithmetic expression up to the bracket that closes it, which is not taken.
    pub(super) fn balanced(&mut self, opening: u8, closing: u8) -> Parsed<Word> {
        let start = self.at;
        let stop: &[u8] = if opening == b'(' { b"()" } else { b"[]" };
        let mut builder = Builder::default();
        let mut open = 0_usize;
        loop {
            self.read(&mut builder, Context::Arithmetic, stop)?;
            let byte = self.peek(0);
            if self.at_end() || (byte == closing && open == 0) {
                return self.finish(builder, start);
            }
            open = if byte == opening { open + 1 } else { open - 1 };
            if open > OPEN && opening == b'(' {
                // Subshells, if anything.
                return self.syntax(start, self.at, "more open brackets than an expression has");
            }
            if open > OPEN {
                return self.limit("more open brackets than the limit");
            }
            builder.add(self.slice(self.at, self.at + 1), false);
            self.at += 1;
        }
    }

    pub(super) fn backquotes(&mut self, builder: &mut Builder, quoted: bool) -> Parsed<()> {
        self.count()?;
        let start = self.at;
        let mut at = start + 1;
        let mut escaped = false;
        loop {
            match self.byte(at) {
                b'`' => break,
                b'\\' => {
                    escaped = true;
                    at += 2;
                }
                _ if at >= self.end => {
                    self.unclosed(start, "a backquote is not closed")?;
                    at = self.end;
                    break;
                }
                _ => at += 1,
            }
        }
        let raw = self.slice(start + 1, at);
        self.at = (at + 1).min(self.end);
        let span = self.span(start, self.at);
        let script = if escaped {
            self.inner_script(&unescape_backquoted(raw, quoted), Place::Whole(span))?
        } else {
            let place = self.place(start + 1);
            self.inner_script(raw, place)?
        };
        builder.push(Part::Command { script, quoted, span });
        Ok(())
    }

    /// At `${`.
    fn braced(&mut self, builder: &mut Builder, quoted: bool) -> Parsed<()> {
        let start = self.at;
        self.at += 2;
        let mut indirect = false;
        let mut length = false;
        match (self.peek(0), self.peek(1), self.peek(2)) {
            // `${!#}` is the last argument, and no `$!` without a prefix.
            (b'!', b'#' | b'?', b'}') => {
                indirect = true;
                self.at += 1;
            }
            (b'!', next, _)
                if !matches!(next, b'}' | b':' | b'-' | b'=' | b'+' | b'?' | b'#' | b'%' | b'/') =>
            {
                indirect = true;
                self.at += 1;
            }
            (b'#', b'-' | b'?' | b'#', next) if next != b'}' => {}
            (b'#', next, _) if !matches!(next, b'}' | b':' | b'=' | b'+' | b'%' | b'/') => {
                length = true;
                self.at += 1;
            }
            _ => {}
        }
        let name_start = self.at;
        self.at += self.name_length(name_start);
        while self.byte(name_start).is_ascii_digit() && self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        if self.at == name_start && is_special(self.peek(0)) {
            self.at += 1;
        }
        if self.at == name_start {
            return self.syntax(start, start + 3, "not a parameter expansion");
        }
        let name = self.slice(name_start, self.at).to_owned();
        let mut subscript = None;
        if self.peek(0) == b'[' {
            self.at += 1;
            subscript = Some(Box::new(self.balanced(b'[', b']')?));
            if self.peek(0) != b']' {
                return self.syntax(start, self.end, "a subscript is not closed");
            }
            self.at += 1;
        }
        let operation = self.operation(quoted)?;
        if self.peek(0) != b'}' {
            return self.syntax(start, self.end, "a parameter expansion is not closed");
        }
        self.at += 1;
        let expansion = match (indirect, length, operation) {
            (true, _, Expansion::Plain) => Expansion::Indirect,
            // The operand is kept, for the substitutions in it; the value is that of another variable.
            (true, _, Expansion::Default(word) | Expansion::Assign(word) | Expansion::Alternative(word)) => {
                Expansion::Other(vec![*word])
            }
            (false, true, Expansion::Plain) => Expansion::Length,
            (_, _, operation) => operation,
        };
        let span = self.span(start, self.at);
        builder.push(Part::Parameter { name, subscript, expansion, quoted, span });
        Ok(())
    }

    /// What follows the name, up to the `}`.
    fn operation(&mut self, quoted: bool) -> Parsed<Expansion> {
        let colon = self.peek(0) == b':';
        let sign = self.peek(usize::from(colon));
        Ok(match sign {
            b'-' | b'=' | b'+' | b'?' => {
                self.at += 1 + usize::from(colon);
                let context = if quoted { Context::QuotedOperand } else { Context::Operand };
                let word = self.operand_until(context, b"}")?;
                match sign {
                    b'-' => Expansion::Default(word),
                    b'=' => Expansion::Assign(word),
                    b'+' => Expansion::Alternative(word),
                    _ => Expansion::Require(word),
                }
            }
            _ if colon => {
                self.at += 1;
                Expansion::Other(vec![*self.operand_until(Context::Arithmetic, b"}")?])
            }
            b'#' | b'%' => {
                self.at += if self.peek(1) == sign { 2 } else { 1 };
                let word = self.operand_until(Context::Operand, b"}")?;
                if sign == b'#' { Expansion::RemovePrefix(word) } else { Expansion::RemoveSuffix(word) }
            }
            b'/' => {
                self.at += if matches!(self.peek(1), b'/' | b'#' | b'%') { 2 } else { 1 };
                let pattern = self.operand_until(Context::Operand, b"/}")?;
                let mut replacement = Box::default();
                if self.peek(0) == b'/' {
                    self.at += 1;
                    replacement = self.operand_until(Context::Operand, b"}")?;
                }
                Expansion::Replace(pattern, replacement)
            }
            b'^' | b',' | b'@' | b'*' | b'~' => {
                self.at += 1;
                Expansion::Other(vec![*self.operand_until(Context::Operand, b"}")?])
            }
            _ => Expansion::Plain,
        })
    }

    fn operand_until(&mut self, context: Context, stop: &'static [u8]) -> Parsed<Box<Word>> {
        self.word_until(context, stop).map(Box::new)
    }

    /// Bytes of the variable name at `at`; digits count one by one (`$12` is `$1` and `2`).
    fn name_length(&self, at: usize) -> usize {
        if self.byte(at).is_ascii_digit() {
            return 1;
        }
        let rest = self.text.as_bytes().get(at..self.end).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
    }
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
