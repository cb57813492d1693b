//! The same model behind six prompt hooks of the client and behind one judge: in how many ends something goes wrong.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{Lab, MODEL_API, Outcome, Turn};

const CRITERIA: [&str; 6] = [
    "is everything done that was asked for",
    "have the tests run and passed",
    "does the last message say what isn't done",
    "is no debugging output left",
    "are the documents up to date",
    "is nothing deleted that was not asked for",
];

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

/// So many answers that say what is true, of which something is wrong with `rate` of 100.
fn answers(truth: &Value, count: usize, rate: u64, seed: u64) -> Vec<Turn> {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let whole = truth.to_string();
    let one = |numbers: &mut Numbers| {
        if numbers.below(100) >= rate {
            return whole.clone();
        }
        match numbers.below(6) {
            0 => format!("```json\n{whole}\n```"),
            1 => format!("Looking at the transcript, I find:\n\n{whole}\n\nLet me know if you need more."),
            2 => json!({ "decision": "approve", "explanation": "all is well" }).to_string(),
            3 => "I'm sorry, but I can't help with that.".to_owned(),
            4 => String::new(),
            _ => whole.chars().take(whole.len() * 6 / 10).collect(),
        }
    };
    (0..count).map(|_| Turn::says(&one(&mut numbers))).collect()
}

/// Lets an agent end so often, with both, and says what came of it.
///
/// # Errors
/// Where the client can't be run, or ends less often.
pub fn run(lab: &Lab, ends: usize, rate: u64) -> Result<String, String> {
    let ways =
        [("six prompt hooks", prompt_hooks(lab, ends, rate)?), ("one `[[judge]]`", judge(lab, ends, rate)?)];
    let mut text =
        format!("{ends} ends of work that is done; something is wrong with {rate} of 100 answers\n\n");
    let _ = writeln!(
        text,
        "| | ends with a failure | held back wrongly | calls of the model per end |\n|---|---|---|---|"
    );
    for (name, figures) in ways {
        let calls = hundredths(figures.calls, ends);
        let _ = writeln!(text, "| {name} | {} of {ends} | {} | {calls} |", figures.failed, figures.held);
    }
    Ok(text)
}

/// A quotient with two decimals.
fn hundredths(count: usize, of: usize) -> String {
    let all = count * 100 / of.max(1);
    format!("{}.{:02}", all / 100, all % 100)
}

struct Figures {
    failed: usize,
    held: usize,
    calls: usize,
}

/// The ends in which the client or hookgate says that something went wrong, and those that were held back although all is done.
fn figures(outcome: &Outcome, ends: usize, is_failure: fn(&Value) -> bool) -> Result<Figures, String> {
    let rounds: Vec<&[Value]> = outcome.rounds().collect();
    if rounds.len() != ends {
        return Err(format!("{} ends of {ends}\n{}", rounds.len(), outcome.describe()));
    }
    let failed = rounds.iter().filter(|round| round.iter().any(is_failure)).count();
    Ok(Figures { failed, held: outcome.requests.saturating_sub(ends), calls: outcome.asked.iter().sum() })
}

/// How long so many ends may take.
fn patience(ends: usize) -> Duration {
    Duration::from_secs(60) + Duration::from_secs(10) * u32::try_from(ends).unwrap_or(u32::MAX)
}

fn turns(ends: usize) -> Vec<Turn> {
    (1..=2 * ends)
        .map(|end| Turn::says(&format!("Everything of part {end} is done, and the tests pass.")))
        .collect()
}

fn prompt_hooks(lab: &Lab, ends: usize, rate: u64) -> Result<Figures, String> {
    let hooks: Vec<Value> = CRITERIA
        .iter()
        .map(|one| json!({ "type": "prompt", "prompt": format!("Judge this: {one}?") }))
        .collect();
    let settings = json!({ "hooks": { "Stop": [{ "hooks": hooks }] } });
    let mut session = lab.session("presets = []", turns(ends))?.project_settings(&settings)?;
    for (seed, one) in (1..).zip(CRITERIA) {
        let truth = json!({ "ok": true, "reason": "the tests pass" });
        session = session.asked(&format!("Judge this: {one}?"), answers(&truth, 2 * ends, rate, seed));
    }
    let outcome = session.rounds(ends, patience(ends)).without_gate(patience(ends)).run()?;
    figures(&outcome, ends, |event| event.get("key").and_then(Value::as_str) == Some("stop-hook-error"))
}

fn judge(lab: &Lab, ends: usize, rate: u64) -> Result<Figures, String> {
    let criteria: Vec<String> = CRITERIA
        .iter()
        .enumerate()
        .map(|(at, one)| format!("{{ id = \"c{at}\", ask = \"{one}?\" }}"))
        .collect();
    let policy = format!(
        "presets = []\n\n[[judge]]\nmodel = \"anthropic:mock\"\nurl = \"{MODEL_API}/v1\"\nkey = \"none\"\nunmeasured = true\n\
         max-calls = 1000\ncriteria = [{}]\n",
        criteria.join(", ")
    );
    let verdict =
        |at: usize| json!({ "id": format!("c{at}"), "verdict": "met", "quote": "", "reason": "it shows" });
    let truth = json!({ "verdicts": (0..CRITERIA.len()).map(verdict).collect::<Vec<_>>() });
    let session = lab.session(&policy, turns(ends))?;
    let session = session.asked("\nQuestions\n- c0:", answers(&truth, 4 * ends, rate, 7));
    let outcome = session.rounds(ends, patience(ends)).run()?;
    figures(&outcome, ends, |event| {
        let is_stop = event.get("hook_event").and_then(Value::as_str) == Some("Stop");
        let stdout = event.get("stdout").and_then(Value::as_str).unwrap_or_default();
        is_stop && stdout.contains("couldn't verify")
    })
}
