//! The labelled endings in `corpus/stop/`: whole, and such that a model that is right comes to what the label says.

#![expect(clippy::unwrap_used, reason = "a test may panic, and says where")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use hookgate_judge::{Evidence, Failure, Model, Outcome, Prompt, Question, Reply, judge, prompt};
use serde_json::{Value, json};

const QUESTIONS: &[Question<'_>] =
    &[Question { id: "asked", ask: "Did the agent do everything that the user asked for?" }];

fn cases() -> Vec<Value> {
    let text = include_str!("../../../corpus/stop/cases.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn evidence(case: &Value) -> Vec<Evidence> {
    let text = |piece: &Value, key: &str| piece[key].as_str().unwrap().to_owned();
    let pieces = case["evidence"].as_array().unwrap();
    pieces.iter().map(|piece| Evidence { origin: text(piece, "origin"), text: text(piece, "text") }).collect()
}

/// Says the same each time.
struct Says(String);

impl Model for Says {
    fn ask(&mut self, _: &Prompt, _: Duration) -> Result<Reply, Failure> {
        Ok(Reply { text: self.0.clone(), cost: hookgate_judge::Cost::default() })
    }

    fn left(&self) -> Duration {
        Duration::from_secs(20)
    }

    fn pause(&mut self, _: Duration) {}
}

#[test]
fn there_are_enough_of_each_kind_and_every_one_is_shown_whole() {
    let cases = cases();
    let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = BTreeSet::new();
    for case in &cases {
        *labels.entry(case["label"].as_str().unwrap()).or_default() += 1;
        assert!(names.insert(case["id"].as_str().unwrap()), "{} is there twice", case["id"]);
        let evidence = evidence(case);
        assert!(!evidence.is_empty(), "{} shows nothing", case["id"]);
        let shown = prompt(QUESTIONS, &evidence).user;
        assert!(!shown.contains("(its beginning is left out)"), "{} is cut", case["id"]);
        for line in evidence.iter().flat_map(|piece| piece.text.lines()) {
            assert!(shown.contains(&format!("| {line}")), "{}: {line:?} isn't shown", case["id"]);
        }
    }
    let hard = cases.iter().filter(|case| case["hard"] == true).count();
    assert!(cases.len() >= 200 && 2 * hard >= cases.len(), "{} cases, {hard} hard", cases.len());
    assert_eq!(labels.keys().copied().collect::<Vec<_>>(), ["done", "not-done", "unknown"]);
    assert!(labels.values().all(|count| *count >= 50), "{labels:?}");
}

#[test]
fn a_model_that_is_right_comes_to_what_the_label_says() {
    for case in cases() {
        let evidence = evidence(&case);
        let quote = evidence.iter().map(|piece| piece.text.trim()).max_by_key(|text| text.len()).unwrap();
        let quote = quote.lines().next().unwrap();
        let verdict = match case["label"].as_str().unwrap() {
            "done" => "met",
            "not-done" => "not-met",
            _ => "no-evidence",
        };
        let answer = json!({ "verdicts": [{ "id": "asked", "verdict": verdict, "quote": quote }] });
        let results = judge(QUESTIONS, &evidence, &mut Says(answer.to_string())).results;
        let is_right = match case["label"].as_str().unwrap() {
            "done" => results[0].is_pass(),
            "not-done" => matches!(&results[0], Outcome::Block { .. }),
            _ => matches!(results[0], Outcome::Inconclusive(_)),
        };
        assert!(is_right, "{}: {results:?}", case["id"]);
    }
}
