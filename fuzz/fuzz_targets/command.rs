//! Any text as a command: no panic, and every span lies inside the text.

#![no_main]

use hookgate_shell::{Limits, Span, Statement, Visitor, Word, foreign, parse, powershell};
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
    let script = parse(text, &Limits::default());
    let mut inside = Inside(text);
    script.walk(&mut inside);
    for problem in &script.problems {
        inside.check(problem.span);
    }
    let _ = foreign(text);
    for command in powershell(text, &Limits::default()).commands {
        inside.check(command.span);
    }
});
