//! Where a regular expression goes wrong. The engine says what, not where.

use super::reader::{Item, Reader, inner};

impl Reader<'_> {
    /// Reports a regular expression (`/.../` as written) that does not compile.
    pub(super) fn bad_expression(&mut self, item: &Item<'_>, key: &'static str, text: &str, message: &str) {
        let inside = text.strip_prefix('/').unwrap_or(text);
        let inside = inside.strip_suffix("/i").or_else(|| inside.strip_suffix('/')).unwrap_or(inside);
        let span = match fault(inside) {
            Some(offset) => {
                let whole = inner(self.source.text, item.span(), text, offset + 1);
                if whole == item.span() { whole } else { whole.start..whole.start + 1 }
            }
            None => item.span(),
        };
        self.error(span, key, format!("bad regular expression `{inside}`: {message}"), "", None);
    }
}

/// The byte at which an expression goes wrong, for the usual faults: a bracket that is not closed or not opened,
/// a repetition of nothing, a backslash at the end.
fn fault(expression: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut class: Option<usize> = None;
    let mut nothing_to_repeat = true;
    let mut characters = expression.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let starts = nothing_to_repeat;
        nothing_to_repeat = false;
        match (class, character) {
            (_, '\\') if characters.next().is_none() => return Some(at),
            (Some(start), ']') if at > start + 1 => class = None,
            (None, '[') => {
                class = Some(at);
                characters.next_if(|(_, next)| *next == '^');
                characters.next_if(|(_, next)| *next == ']');
            }
            (None, '(') => {
                open.push(at);
                nothing_to_repeat = true;
                if characters.next_if(|(_, next)| *next == '?').is_some() {
                    while characters.next_if(|(_, next)| !matches!(next, ':' | '>' | ')')).is_some() {}
                    characters.next_if(|(_, next)| matches!(next, ':' | '>'));
                }
            }
            (None, ')') if open.pop().is_none() => return Some(at),
            (None, '|') => nothing_to_repeat = true,
            (None, '*' | '+' | '?') if starts => return Some(at),
            _ => {}
        }
    }
    class.or_else(|| open.pop())
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn the_fault_is_where_a_reader_would_point() {
        for (expression, offset) in [
            ("a(b", Some(1)),
            ("ab)", Some(2)),
            ("a[b-", Some(1)),
            ("*a", Some(0)),
            ("a|+", Some(2)),
            ("a\\", Some(1)),
            ("(?:*)", Some(3)),
            ("a[]b](c)?d+|e", None),
        ] {
            assert_eq!(fault(expression), offset, "{expression}");
        }
    }
}
