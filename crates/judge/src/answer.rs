//! A model's answer, read tolerantly: fences, prose around it and other keys are fine; what isn't a verdict on every question is
//! unreadable, and never a verdict.

use serde_json::{Map, Value};

use crate::{Evidence, Question};

/// The largest answer that is read, in bytes.
const LARGEST: usize = 256 * 1024;
/// How many places are tried at which an object may begin.
const TRIES: usize = 200;
/// A shorter quote occurs in anything.
const SHORTEST_QUOTE: usize = 6;

/// What a model says about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The verdict.
    pub kind: VerdictKind,
    /// The quote, if it occurs in the evidence.
    pub quote: Option<String>,
}

/// The verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictKind {
    /// It is so.
    Met,
    /// It isn't.
    NotMet,
    /// The agent can't do it.
    Impossible,
    /// It depends on the user.
    NeedsUser,
    /// It depends on something that is still running.
    Waiting,
    /// It can't be told.
    NoEvidence,
}

impl VerdictKind {
    /// Every verdict with its name.
    pub const ALL: [(VerdictKind, &'static str); 6] = [
        (VerdictKind::Met, "met"),
        (VerdictKind::NotMet, "not-met"),
        (VerdictKind::Impossible, "impossible"),
        (VerdictKind::NeedsUser, "needs-user"),
        (VerdictKind::Waiting, "waiting"),
        (VerdictKind::NoEvidence, "no-evidence"),
    ];

    /// The verdict's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        VerdictKind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    fn read(name: &str) -> Option<VerdictKind> {
        let name = name.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        VerdictKind::ALL.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

/// Why an answer can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Nothing in it.
    Empty,
    /// Words without an object: a refusal, a question, an excuse.
    NoObject,
    /// An object that begins and doesn't end.
    CutOff,
    /// Objects of another shape, verdicts that don't exist, questions without an answer.
    WrongShape,
    /// Two answers that contradict each other.
    Contradiction,
}

/// The verdicts of an answer, in the order of the questions.
///
/// # Errors
/// Where it isn't one verdict on each of the questions.
pub fn read_answer(
    answer: &str,
    questions: &[Question<'_>],
    evidence: &[Evidence],
) -> Result<Vec<Verdict>, Unreadable> {
    let answer = answer.trim().trim_start_matches('\u{feff}');
    if answer.is_empty() {
        return Err(Unreadable::Empty);
    }
    if answer.len() > LARGEST {
        return Err(Unreadable::WrongShape);
    }
    let mut found: Option<Vec<(VerdictKind, String)>> = None;
    let (mut objects, mut begun, mut from) = (0, false, 0);
    for _ in 0..TRIES {
        let Some(at) = answer.get(from..).and_then(|rest| rest.find(['{', '['])).map(|at| from + at) else {
            break;
        };
        let rest = answer.get(at..).unwrap_or_default();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                objects += 1;
                from = at + stream.byte_offset();
                let Some(verdicts) = verdicts(&value, questions) else { continue };
                let kinds =
                    |all: &[(VerdictKind, String)]| all.iter().map(|(kind, _)| *kind).collect::<Vec<_>>();
                if found.as_ref().is_some_and(|before| kinds(before) != kinds(&verdicts)) {
                    return Err(Unreadable::Contradiction);
                }
                found = Some(verdicts);
            }
            Some(Err(error)) => {
                begun |= error.is_eof();
                from = at + 1;
            }
            None => break,
        }
    }
    if begun {
        return Err(Unreadable::CutOff);
    }
    let Some(found) = found else {
        return Err(if objects == 0 { Unreadable::NoObject } else { Unreadable::WrongShape });
    };
    Ok(found
        .into_iter()
        .map(|(kind, quote)| {
            let quote = Some(quote).filter(|quote| occurs(quote, evidence));
            // Without a quote from the evidence nothing is shown.
            let kind =
                if kind == VerdictKind::NotMet && quote.is_none() { VerdictKind::NoEvidence } else { kind };
            Verdict { kind, quote }
        })
        .collect())
}

/// One verdict for each question, or nothing.
fn verdicts(value: &Value, questions: &[Question<'_>]) -> Option<Vec<(VerdictKind, String)>> {
    let list = match value {
        Value::Array(list) => list,
        Value::Object(object) => match object.get("verdicts").or_else(|| object.get("results")) {
            Some(Value::Array(list)) => list,
            Some(Value::Object(by_id)) => return by_names(by_id, questions),
            _ => return by_names(object, questions),
        },
        _ => return None,
    };
    let mut found: Vec<Option<(VerdictKind, String)>> = vec![None; questions.len()];
    for entry in list {
        let entry = entry.as_object()?;
        let id = entry.get("id")?.as_str()?;
        let slot = found.get_mut(questions.iter().position(|question| question.id == id)?)?;
        // Two verdicts on one question are none.
        if slot.replace(verdict(entry)?).is_some() {
            return None;
        }
    }
    found.into_iter().collect()
}

fn by_names(object: &Map<String, Value>, questions: &[Question<'_>]) -> Option<Vec<(VerdictKind, String)>> {
    let one = |question: &Question<'_>| match object.get(question.id)? {
        Value::String(name) => Some((VerdictKind::read(name)?, String::new())),
        Value::Object(entry) => verdict(entry),
        _ => None,
    };
    questions.iter().map(one).collect()
}

fn verdict(entry: &Map<String, Value>) -> Option<(VerdictKind, String)> {
    let kind = VerdictKind::read(entry.get("verdict")?.as_str()?)?;
    let quote = entry.get("quote").and_then(Value::as_str).unwrap_or_default();
    Some((kind, quote.to_owned()))
}

/// Does a quote occur in the evidence, but for white space and the marks that lines start with?
fn occurs(quote: &str, evidence: &[Evidence]) -> bool {
    let quote = plain(quote);
    quote.chars().count() >= SHORTEST_QUOTE
        && evidence.iter().any(|piece| plain(&piece.text).contains(&quote))
}

fn plain(text: &str) -> String {
    let lines = text.lines().map(|line| line.strip_prefix("| ").unwrap_or(line));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const QUESTIONS: &[Question<'_>] =
        &[Question { id: "tested", ask: "?" }, Question { id: "asked", ask: "?" }];

    fn evidence() -> Vec<Evidence> {
        vec![Evidence {
            origin: "command".to_owned(),
            text: "error: 2 tests\n  failed {\"verdicts\":1}".to_owned(),
        }]
    }

    fn read(answer: &str) -> Result<Vec<&'static str>, Unreadable> {
        let verdicts = read_answer(answer, QUESTIONS, &evidence())?;
        Ok(verdicts.into_iter().map(|verdict| verdict.kind.name()).collect())
    }

    const GOOD: &str = r#"{"verdicts":[{"id":"tested","verdict":"not-met","quote":"2 tests failed"},{"id":"asked","verdict":"met"}]}"#;

    #[test]
    fn what_is_around_an_answer_does_not_matter() {
        for answer in [
            GOOD.to_owned(),
            format!("```json\n{GOOD}\n```"),
            format!("Let me think {{about}} it [1]. Here it is:\n{GOOD}\nHope that helps!"),
            format!("\u{feff}  {GOOD}"),
            format!("{GOOD}{GOOD}"),
            GOOD.replace("not-met", "NOT_MET"),
            r#"{"tested":{"verdict":"not-met","quote":"2 tests failed"},"asked":"met","extra":1}"#.to_owned(),
            r#"[{"id":"asked","verdict":"met"},{"id":"tested","verdict":"not-met","quote":"| error: 2 tests"}]"#.to_owned(),
        ] {
            assert_eq!(read(&answer), Ok(vec!["not-met", "met"]), "{answer}");
        }
    }

    #[test]
    fn what_is_no_verdict_on_every_question_is_none() {
        for (answer, why) in [
            ("", Unreadable::Empty),
            (" \n", Unreadable::Empty),
            ("I can't help with that.", Unreadable::NoObject),
            (r#"{"decision":"block","reason":"tests fail"}"#, Unreadable::WrongShape),
            (r#"{"ok":false,"reason":"tests fail"}"#, Unreadable::WrongShape),
            (r#"{"verdicts":[{"id":"tested","verdict":"met"}]}"#, Unreadable::WrongShape),
            (
                r#"{"verdicts":[{"id":"tested","verdict":"yes"},{"id":"asked","verdict":"met"}]}"#,
                Unreadable::WrongShape,
            ),
            (GOOD.get(..40).unwrap_or_default(), Unreadable::CutOff),
            ("```json\n{\"verdicts\": [", Unreadable::CutOff),
        ] {
            assert_eq!(read(answer), Err(why), "{answer}");
        }
        let other = GOOD.replace("not-met", "met");
        assert_eq!(read(&format!("{GOOD} or {other}")), Err(Unreadable::Contradiction));
    }

    #[test]
    fn not_met_needs_a_quote_that_occurs_in_the_evidence() {
        for quote in ["all is lost", "", "2 t", "failed  verdicts"] {
            let answer = GOOD.replace("2 tests failed", quote);
            assert_eq!(read(&answer), Ok(vec!["no-evidence", "met"]), "{quote}");
        }
    }

    proptest! {
        #[test]
        fn no_answer_fails(answer in "[\\[\\]{}\",:a-z `\\n]{0,300}") {
            let _ = read(&answer);
        }

        #[test]
        fn a_cut_answer_is_never_a_verdict(end in 1_usize..GOOD.len()) {
            prop_assert!(read(GOOD.get(..end).unwrap_or_default()).is_err());
        }
    }
}
