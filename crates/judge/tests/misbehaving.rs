//! A model that misbehaves in every way that was seen, each in 30 of 100 answers: ten thousand endings are judged validly, in time,
//! and none is held back that shouldn't be.

#![expect(clippy::print_stdout, reason = "figures that a person reads")]

use std::time::Duration;

use hookgate_judge::{Evidence, Failure, Model, Outcome, Prompt, Question, Reply, Wire, judge, read_body};
use serde_json::json;

const QUESTIONS: &[Question<'_>] =
    &[Question { id: "tested", ask: "Did the tests pass?" }, Question { id: "asked", ask: "Is all done?" }];

/// A source of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn is_one_of(&mut self, hundred: u64) -> bool {
        self.next() % 100 < hundred
    }
}

/// Answers by what is true, and misbehaves.
struct Wild {
    numbers: Numbers,
    done: bool,
    /// The one way in which it misbehaves; every way at once where there is none.
    only: Option<usize>,
    /// Time that has passed, of the deadline.
    passed: Duration,
    deadline: Duration,
}

impl Wild {
    fn truth(&self) -> String {
        let verdict = if self.done { "met" } else { "not-met" };
        let quote = if self.done { "test result: ok" } else { "2 tests failed" };
        json!({ "verdicts": [
            { "id": "tested", "verdict": verdict, "quote": quote, "reason": "r" },
            { "id": "asked", "verdict": "met", "quote": "", "reason": "r" },
        ] })
        .to_string()
    }
}

impl Model for Wild {
    fn ask(&mut self, _: &Prompt, within: Duration) -> Result<Reply, Failure> {
        let mut text = self.truth();
        let end =
            |text: &str, share: usize| text.get(..text.len() * share / 100).unwrap_or_default().to_owned();
        let mut status = 200;
        let mut took = Duration::from_millis(400);
        for way in 0..WAYS - 1 {
            if self.only.is_some_and(|only| only != way) || !self.numbers.is_one_of(30) {
                continue;
            }
            match way {
                0 => text = format!("```json\n{text}\n```"),
                1 => text = format!("Sure! Here is my analysis {{as asked}}:\n{text}\nLet me know."),
                2 => text = json!({ "decision": "block", "reason": "tests failed" }).to_string(),
                3 => text = json!({ "ok": false, "reason": "no" }).to_string(),
                4 => "I'm sorry, I can't help with that.".clone_into(&mut text),
                5 => text.clear(),
                6 => text = end(&text, 60),
                7 => text = text.replace("met\"", "done\""),
                // An accusation with a quote that nobody wrote.
                8 => {
                    text = text
                        .replace("\"met\"", "\"not-met\"")
                        .replace("test result: ok", "everything is on fire");
                }
                9 => {
                    status =
                        [429, 500, 529, 0].get((self.numbers.next() % 4) as usize).copied().unwrap_or(500);
                }
                10 => took = Duration::from_secs(3_600),
                _ => {
                    text = format!(
                        "{text}\n{}",
                        text.replace("not-met", "met").replace("\"met\"", "\"impossible\"")
                    );
                }
            }
        }
        // The client ends a call that takes longer than it may.
        self.passed += took.min(within);
        if took > within {
            return Err(Failure::Deadline);
        }
        let body = json!({ "content": [{ "type": "text", "text": text }], "usage": { "input_tokens": 9, "output_tokens": 1 } });
        // A stream that was cut.
        let is_cut = self.only.is_none_or(|only| only == WAYS - 1) && self.numbers.is_one_of(30);
        let body = if is_cut { end(&body.to_string(), 70) } else { body.to_string() };
        read_body(Wire::Messages, Some(status), body.as_bytes())
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_sub(self.passed)
    }

    fn pause(&mut self, length: Duration) {
        self.passed += length;
    }
}

/// The ways of misbehaving.
const WAYS: usize = 13;

/// What became of the endings: held back of those undone, passed, without an answer.
fn endings(count: u64, only: Option<usize>) -> (u32, u32, u32) {
    let deadline = Duration::from_secs(20);
    let (mut blocked, mut passed, mut open) = (0, 0, 0);
    for seed in 0..count {
        let done = seed % 2 == 0;
        let text = if done { "test result: ok" } else { "error: 2 tests failed" };
        let evidence = vec![Evidence { origin: "command 1".to_owned(), text: text.to_owned() }];
        let numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut model = Wild { numbers, done, only, passed: Duration::ZERO, deadline };
        let judgement = judge(QUESTIONS, &evidence, &mut model);
        assert_eq!(judgement.results.len(), QUESTIONS.len());
        assert!(model.passed <= deadline, "{:?} of {deadline:?}", model.passed);
        let blocks = judgement.results.iter().any(|result| matches!(result, Outcome::Block { .. }));
        assert!(!(done && blocks), "held back what is done, seed {seed}: {:?}", judgement.results);
        blocked += u32::from(blocks);
        passed += u32::from(judgement.results.iter().all(|result| *result == Outcome::Pass));
        open += u32::from(judgement.results.iter().any(|result| matches!(result, Outcome::Failed(_))));
    }
    (blocked, passed, open)
}

#[test]
fn one_way_of_misbehaving_costs_no_verdict_worth_having() {
    for way in 0..WAYS {
        let (blocked, passed, open) = endings(200, Some(way));
        println!(
            "way {way}: of 100 undone {blocked} held back, of 100 done {passed} passed, {open} without an answer"
        );
        assert!(blocked + passed >= 130 && open <= 10, "way {way}: {blocked} {passed} {open}");
    }
}

#[test]
fn every_way_at_once_holds_nothing_back_that_is_done_and_is_never_late() {
    let (blocked, passed, _) = endings(1_000, None);
    assert!(blocked > 0 && passed > 0, "a judge that never says anything is none");
}

#[test]
#[ignore = "10,000 endings; scripts/slow.sh runs it"]
fn ten_thousand_endings_are_judged_validly_in_time_and_without_a_false_block() {
    let (blocked, passed, open) = endings(10_000, None);
    println!(
        "of 5000 undone {blocked} held back, of 5000 done {passed} passed, {open} of 10000 without an answer"
    );
}
