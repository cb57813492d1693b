//! From questions to what becomes of each: samples with retries inside the deadline, and a second sample before anything blocks.

use std::time::Duration;

use crate::{Evidence, Prompt, Question, Unreadable, Verdict, VerdictKind, prompt, read_answer};

/// How often a sample is asked for.
const ATTEMPTS: u32 = 5;
/// The first pause between attempts; each is twice the one before.
const PAUSE: Duration = Duration::from_millis(150);
/// Less time than this isn't worth a call.
const SHORTEST: Duration = Duration::from_millis(50);

/// Whoever answers.
pub trait Model {
    /// Asks once.
    ///
    /// # Errors
    /// Why there is no text.
    fn ask(&mut self, prompt: &Prompt, within: Duration) -> Result<Reply, Failure>;
    /// The time that is left for all of it.
    fn left(&self) -> Duration;
    /// Waits.
    fn pause(&mut self, length: Duration);
}

/// A model's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// What it cost, where it is said.
    pub cost: Cost,
}

/// What asking a model cost, as its provider says. What isn't said is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How many tokens it read.
    pub read: u64,
    /// How many tokens it wrote.
    pub written: u64,
    /// The price, in millionths of a dollar. Agents say it, the APIs don't.
    pub microdollars: u64,
}

impl Cost {
    /// Adds what another call cost.
    pub fn add(&mut self, other: Cost) {
        self.read = self.read.saturating_add(other.read);
        self.written = self.written.saturating_add(other.written);
        self.microdollars = self.microdollars.saturating_add(other.microdollars);
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Asking again may help: a server that is busy, a connection that broke, an answer that can't be read.
    Passing(String),
    /// Asking again doesn't help: no key, no such model.
    Lasting(String),
    /// The time is up.
    Deadline,
    /// Models aren't asked here.
    NotAsked,
}

impl Failure {
    /// Why, in words.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Failure::Passing(why) | Failure::Lasting(why) => why,
            Failure::Deadline => "time ran out",
            Failure::NotAsked => "models aren't asked here",
        }
    }
}

/// What becomes of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is so.
    Pass {
        /// What shows it, from the evidence, where the model named that.
        quote: Option<String>,
    },
    /// It isn't, both samples say so, and this is the quote.
    Block {
        /// From the evidence.
        quote: String,
    },
    /// It depends on somebody or something else, or can't be done.
    Yields(VerdictKind),
    /// It can't be told: no evidence, or a second sample that doesn't confirm the first.
    Inconclusive(&'static str),
    /// There is no answer.
    Failed(Failure),
}

impl Outcome {
    /// Is it so?
    #[must_use]
    pub fn is_pass(&self) -> bool {
        matches!(self, Outcome::Pass { .. })
    }
}

/// What a judge came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What becomes of each question, in their order.
    pub results: Vec<Outcome>,
    /// How often the model was asked.
    pub calls: u32,
    /// What that cost.
    pub cost: Cost,
}

/// The verdicts of one sample.
pub type Sample = Vec<Verdict>;

/// Asks all questions in one call, and once more before anything blocks.
pub fn judge(questions: &[Question<'_>], evidence: &[Evidence], model: &mut dyn Model) -> Judgement {
    let prompt = prompt(questions, evidence);
    let mut judgement = Judgement { results: Vec::new(), calls: 0, cost: Cost::default() };
    let first = match sample(&prompt, questions, evidence, model, &mut judgement) {
        Ok(first) => first,
        Err(failure) => {
            judgement.results = vec![Outcome::Failed(failure); questions.len()];
            return judgement;
        }
    };
    let accuses = first.iter().any(|verdict| verdict.kind == VerdictKind::NotMet);
    let second =
        if accuses { sample(&prompt, questions, evidence, model, &mut judgement).ok() } else { None };
    let confirmed = |at: usize| {
        second
            .as_ref()
            .map(|second| second.get(at).is_some_and(|verdict| verdict.kind == VerdictKind::NotMet))
    };
    let result = |(at, verdict): (usize, &Verdict)| match verdict.kind {
        VerdictKind::Met => Outcome::Pass { quote: verdict.quote.clone() },
        VerdictKind::NotMet => match (confirmed(at), &verdict.quote) {
            (Some(true), Some(quote)) => Outcome::Block { quote: quote.clone() },
            (Some(_), _) => Outcome::Inconclusive("a second sample doesn't confirm it"),
            (None, _) => Outcome::Inconclusive("there was no second sample"),
        },
        VerdictKind::NoEvidence => Outcome::Inconclusive("the evidence doesn't show it"),
        other => Outcome::Yields(other),
    };
    judgement.results = first.iter().enumerate().map(result).collect();
    judgement
}

/// One sample: asked again, with pauses, as long as it may help and there is time.
fn sample(
    prompt: &Prompt,
    questions: &[Question<'_>],
    evidence: &[Evidence],
    model: &mut dyn Model,
    judgement: &mut Judgement,
) -> Result<Sample, Failure> {
    let mut last = Failure::Deadline;
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            let pause = PAUSE * 2_u32.pow(attempt - 1);
            if model.left() < pause + SHORTEST {
                break;
            }
            model.pause(pause);
        }
        // A call that hangs must leave time to ask again.
        let share = if attempt + 1 < ATTEMPTS { model.left() / 2 } else { model.left() };
        if share < SHORTEST {
            break;
        }
        judgement.calls += 1;
        match model.ask(prompt, share) {
            Ok(reply) => {
                judgement.cost.add(reply.cost);
                match read_answer(&reply.text, questions, evidence) {
                    Ok(verdicts) => return Ok(verdicts),
                    Err(why) => last = Failure::Passing(unreadable(why).to_owned()),
                }
            }
            Err(failure @ (Failure::Lasting(_) | Failure::NotAsked)) => return Err(failure),
            Err(failure) => last = failure,
        }
    }
    Err(last)
}

fn unreadable(why: Unreadable) -> &'static str {
    match why {
        Unreadable::Empty => "the model's answer was empty",
        Unreadable::NoObject => "the model gave no verdict",
        Unreadable::CutOff => "the model's answer was cut off",
        Unreadable::WrongShape => "the model's answer had the wrong form",
        Unreadable::Contradiction => "the model contradicted itself",
    }
}
