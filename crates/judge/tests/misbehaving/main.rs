//! A model that misbehaves in every way that was seen, each in 30 of 100 answers: ten thousand endings are judged validly, in time,
//! and none is held back that shouldn't be; in memory, and through real connections.

#![expect(clippy::print_stdout, reason = "figures that a person reads")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may panic, and says where"
)]

mod sockets;
mod wild;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hookgate_judge::{Evidence, Failure, Model, Outcome, Prompt, Question, Reply, Wire, judge, read_body};
use sockets::{Remote, serve};
use wild::{Numbers, WAYS, answer};

const QUESTIONS: &[Question<'_>] =
    &[Question { id: "tested", ask: "Did the tests pass?" }, Question { id: "asked", ask: "Is all done?" }];
const DEADLINE: Duration = Duration::from_secs(20);

/// Answers by what is true, and misbehaves.
struct Wild {
    numbers: Numbers,
    done: bool,
    only: Option<usize>,
    /// Time that has passed, of the deadline.
    passed: Duration,
}

impl Model for Wild {
    fn ask(&mut self, _: &Prompt, within: Duration) -> Result<Reply, Failure> {
        let sent = answer(&mut self.numbers, self.done, self.only);
        let took = Duration::from_millis(if sent.hangs { 3_600_000 } else { 400 });
        // The client ends a call that takes longer than it may.
        self.passed += took.min(within);
        if took > within {
            return Err(Failure::Deadline);
        }
        let body = &sent.body.as_bytes()[..sent.cut.unwrap_or(sent.body.len())];
        read_body(Wire::Messages, Some(sent.status), body)
    }

    fn left(&self) -> Duration {
        DEADLINE.saturating_sub(self.passed)
    }

    fn pause(&mut self, length: Duration) {
        self.passed += length;
    }
}

/// What became of the endings: held back of those undone, passed, without an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Became {
    blocked: u32,
    passed: u32,
    open: u32,
}

/// One ending: nothing that is done is held back, and nobody is kept waiting.
fn ending(seed: u64, model: &mut dyn Model) -> Became {
    let done = seed.is_multiple_of(2);
    let text = if done { "test result: ok" } else { "error: 2 tests failed" };
    let evidence = vec![Evidence { origin: "command 1".to_owned(), text: text.to_owned() }];
    let judgement = judge(QUESTIONS, &evidence, model);
    assert_eq!(judgement.results.len(), QUESTIONS.len());
    let blocks = judgement.results.iter().any(|result| matches!(result, Outcome::Block { .. }));
    assert!(!(done && blocks), "held back what is done, seed {seed}: {:?}", judgement.results);
    Became {
        blocked: u32::from(blocks),
        passed: u32::from(judgement.results.iter().all(Outcome::is_pass)),
        open: u32::from(judgement.results.iter().any(|result| matches!(result, Outcome::Failed(_)))),
    }
}

impl std::ops::AddAssign for Became {
    fn add_assign(&mut self, other: Became) {
        self.blocked += other.blocked;
        self.passed += other.passed;
        self.open += other.open;
    }
}

fn endings(count: u64, only: Option<usize>) -> Became {
    let mut all = Became::default();
    for seed in 0..count {
        let numbers = Numbers::of(seed);
        let mut model = Wild { numbers, done: seed.is_multiple_of(2), only, passed: Duration::ZERO };
        all += ending(seed, &mut model);
        assert!(model.passed <= DEADLINE, "{:?} of {DEADLINE:?}", model.passed);
    }
    all
}

/// The same through connections, several at once.
fn endings_through_sockets(count: u64, only: Option<usize>) -> Became {
    const AT_ONCE: usize = 32;
    let port = serve(only);
    let next = AtomicU64::new(0);
    let one_after_the_other = || {
        let mut all = Became::default();
        loop {
            let seed = next.fetch_add(1, Ordering::SeqCst);
            if seed >= count {
                return all;
            }
            let mut model = Remote { port, seed, passed: Duration::ZERO, deadline: DEADLINE };
            all += ending(seed, &mut model);
            assert!(model.passed <= DEADLINE, "{:?} of {DEADLINE:?}", model.passed);
        }
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(one_after_the_other)).collect();
        let mut all = Became::default();
        running.into_iter().for_each(|thread| all += thread.join().unwrap());
        all
    })
}

#[test]
fn one_way_of_misbehaving_costs_no_verdict_worth_having() {
    for way in 0..WAYS {
        let Became { blocked, passed, open } = endings(200, Some(way));
        println!(
            "way {way}: of 100 undone {blocked} held back, of 100 done {passed} passed, {open} without an answer"
        );
        assert!(blocked + passed >= 130 && open <= 10, "way {way}: {blocked} {passed} {open}");
    }
}

#[test]
fn every_way_at_once_holds_nothing_back_that_is_done_and_is_never_late() {
    let Became { blocked, passed, .. } = endings(1_000, None);
    assert!(blocked > 0 && passed > 0, "a judge that never says anything is none");
}

#[test]
fn a_connection_changes_nothing_of_what_a_judge_comes_to() {
    for way in 0..WAYS {
        let Became { blocked, passed, open } = endings_through_sockets(20, Some(way));
        assert!(blocked + passed >= 12 && open <= 2, "way {way}: {blocked} {passed} {open}");
    }
}

#[test]
#[ignore = "10,000 endings; scripts/slow.sh runs it"]
fn ten_thousand_endings_are_judged_validly_in_time_and_without_a_false_block() {
    for (how, Became { blocked, passed, open }) in
        [("in memory", endings(10_000, None)), ("through connections", endings_through_sockets(10_000, None))]
    {
        println!(
            "{how}: of 5000 undone {blocked} held back, of 5000 done {passed} passed, {open} of 10000 without an answer"
        );
    }
}
