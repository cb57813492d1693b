//! Any text as a command: no panic, and every span lies inside the text.

#![no_main]

use hookgate_shell::{Limits, Span, Statement, Visitor, Word, foreign, pieces, powershell};
use libfuzzer_sys::fuzz_target;

struct Inside<'a>(&'a str);

impl Inside<'_> {
    fn check(&self, span: Span) {
        assert!(self.0.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
    }
}

impl Visitor for Inside<'_> {
    fn statement(&mut self, statement: &Statement) {
        self.check(statement.span);
    }

    fn word(&mut self, word: &Word) {
        self.check(word.span);
    }
}

fuzz_target!(|text: &str| {
    let mut inside = Inside(text);
    // The usual limits, and some that even a short text goes beyond.
    for limits in [Limits::default(), Limits { depth: 3, nodes: 12, ..Limits::default() }] {
        for piece in pieces(text, &limits) {
            piece.script.walk(&mut inside);
            for problem in &piece.script.problems {
                inside.check(problem.span);
            }
        }
    }
    let _ = foreign(text);
    for command in powershell(text, &Limits::default()).commands {
        inside.check(command.span);
    }
});
