//! Any bytes as what a model's provider sends back, one piece for each time that it is asked: judging ends, every question comes to
//! something, and nothing is held back but by two samples that say so, with a quote that the evidence holds.

#![no_main]

use std::time::Duration;

use hookgate_judge::{Evidence, Failure, Model, Outcome, Prompt, Question, Reply, Wire, judge, read_body};
use libfuzzer_sys::fuzz_target;

const QUESTIONS: &[Question<'_>] =
    &[Question { id: "tested", ask: "Did the tests pass?" }, Question { id: "asked", ask: "Is all done?" }];
const EVIDENCE: &str = "$ make test\n(failed)\nerror: 2 tests failed\n{\"verdicts\": []}";
/// More calls than this are a loop.
const MOST_CALLS: u32 = 10;

/// Answers with the next piece, and with nothing once there is none.
struct Pieces<'a> {
    wire: Wire,
    status: Option<u32>,
    left: std::slice::Split<'a, u8, fn(&u8) -> bool>,
    readable: u32,
    time: Duration,
}

impl Model for Pieces<'_> {
    fn ask(&mut self, _: &Prompt, within: Duration) -> Result<Reply, Failure> {
        self.time = self.time.saturating_sub(within.min(Duration::from_millis(20)));
        let reply = read_body(self.wire, self.status, self.left.next().unwrap_or_default());
        self.readable += u32::from(reply.is_ok());
        reply
    }

    fn left(&self) -> Duration {
        self.time
    }

    fn pause(&mut self, length: Duration) {
        self.time = self.time.saturating_sub(length);
    }
}

fn words(text: &str) -> String {
    text.lines()
        .map(|line| line.strip_prefix("| ").unwrap_or(line))
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ")
}

fuzz_target!(|bytes: &[u8]| {
    let [form, status, rest @ ..] = bytes else { return };
    let wire = [Wire::Messages, Wire::ChatCompletions, Wire::Agent][usize::from(*form) % 3];
    let status = [Some(200), Some(200), Some(200), None, Some(0), Some(429), Some(404)][usize::from(*status) % 7];
    let is_end: fn(&u8) -> bool = |byte| *byte == 0;
    let left = rest.split(is_end);
    let mut model = Pieces { wire, status, left, readable: 0, time: Duration::from_secs(30) };
    let evidence = [Evidence { origin: "command 1".to_owned(), text: EVIDENCE.to_owned() }];
    let judgement = judge(QUESTIONS, &evidence, &mut model);
    assert_eq!(judgement.results.len(), QUESTIONS.len());
    assert!(judgement.calls <= MOST_CALLS, "asked {} times", judgement.calls);
    for result in &judgement.results {
        if let Outcome::Block { quote } = result {
            assert!(model.readable >= 2, "held back by one sample");
            assert!(words(EVIDENCE).contains(&words(quote)), "held back by {quote:?}, which nobody wrote");
        }
    }
});
