//! Judges: the evidence that is gathered for a model, and the calls to it.

use std::time::{Duration, Instant};

use hookgate_judge::{
    Cost, Evidence, Failure, Judgement, Model, Outcome, PROMPT_VERSION, Prompt, Question, Reply, Wire, body,
    judge, read_body,
};
use hookgate_policy::{EvidenceKind, HookProgram, Judge, JudgeFailure, KeySource, Provider, digest};
use hookgate_session::{Entry, Speaker, What, bounded, last_turns};
use hookgate_text::{Message, Quoted, say};

use super::caps::Limits;
use super::{Climbed, Found, RungOutcome, Scene};
use crate::{Memory, ProgramCall, ProgramEnd, redact};

/// Set below a judge's own agent, so that no judge is asked about a judge.
pub(super) const SENTINEL: &str = "HOOKGATE_JUDGE";
/// The fewest labelled cases that measure a judge, and the least agreement with them.
const LABELS: u32 = 50;
const AGREEMENT: f64 = 0.85;
/// How many of the last things of a kind are evidence.
const LAST: usize = 20;

/// Names what a measure of a judge holds for: its questions, its model and the wording around them.
#[must_use]
pub fn judge_name(judge: &Judge) -> String {
    let mut whole = format!("{PROMPT_VERSION}\0{}\0{}", judge.model.provider.name(), judge.model.model);
    for criterion in &judge.criteria {
        whole.push_str(&format!("\0{}\0{}", criterion.id, criterion.ask));
    }
    digest(&whole).chars().take(32).collect()
}

/// Asks a judge's model about evidence.
pub fn ask_judge(judge_: &Judge, evidence: &[Evidence], memory: &dyn Memory) -> Judgement {
    let questions: Vec<Question<'_>> =
        judge_.criteria.iter().map(|one| Question { id: &one.id, ask: &one.ask }).collect();
    let mut caller = Caller { judge: judge_, memory, end_by: Instant::now() + judge_.deadline, key: None };
    judge(&questions, evidence, &mut caller)
}

impl Scene<'_> {
    pub(super) fn judge(&self, judge: &Judge, climbed: &mut Climbed) {
        let start = Instant::now();
        let measured = judge.unmeasured
            || self
                .host()
                .judge_measure(&judge_name(judge))
                .is_some_and(|(labels, agreement)| labels >= LABELS && agreement >= AGREEMENT);
        let limits =
            Limits { code: &judge.code, max_blocks: judge.max_blocks, shadow: judge.shadow || !measured };
        let skipped = if self.host().variable(SENTINEL).is_some() {
            Some(say!("this is a judge's own agent"))
        } else if self.asked(&judge.code) >= judge.max_calls {
            Some(say!("its model was asked {} times in this session, which is the limit", judge.max_calls))
        } else {
            self.yields(&judge.code)
        };
        if let Some(why) = skipped {
            for criterion in &judge.criteria {
                let found = Found::of(RungOutcome::Skipped, why.clone());
                self.settle(&limits, &criterion.id, found, 0, None, climbed);
            }
            return;
        }
        let judgement = self.judgement(judge);
        let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        for (criterion, outcome) in judge.criteria.iter().zip(&judgement.results) {
            let found = found(&criterion.id, &criterion.ask, outcome, judge.on_error);
            self.settle(&limits, &criterion.id, found, micros, Some(judgement.cost), climbed);
        }
    }

    /// The judgement: an earlier one of the same question, or the model's.
    fn judgement(&self, judge: &Judge) -> Judgement {
        let evidence = self.evidence(judge);
        let mut whole = format!("{:016x}\0{}", self.policy.fingerprint, judge_name(judge));
        for piece in &evidence {
            whole.push_str(&format!("\0{}\0{}", piece.origin, piece.text));
        }
        let key = digest(&whole);
        let cached = self.record.entries.iter().rev().find_map(|entry| match &entry.what {
            What::Judged { key: known, verdicts } if *known == key => read_cached(verdicts),
            _ => None,
        });
        if let Some(results) = cached.filter(|results| results.len() == judge.criteria.len()) {
            return Judgement { results, calls: 0, cost: Cost::default() };
        }
        let judgement = ask_judge(judge, &evidence, self.memory);
        let now = self.host().now();
        let mut entries: Vec<Entry> =
            (0..judgement.calls).map(|_| Entry::new(now, What::Asked { code: judge.code.clone() })).collect();
        // Only what the model did say is kept.
        if let Some(verdicts) = cached_text(&judgement.results) {
            entries.push(Entry::new(now, What::Judged { key, verdicts }));
        }
        self.memory.note_entries(&self.event.session_id, &entries);
        judgement
    }

    fn asked(&self, code: &str) -> u32 {
        let calls = self.record.entries.iter();
        let calls = calls.filter(|entry| matches!(&entry.what, What::Asked { code: own } if own == code));
        u32::try_from(calls.count()).unwrap_or(u32::MAX)
    }

    /// What the model reads, each piece with where it comes from.
    fn evidence(&self, judge: &Judge) -> Vec<Evidence> {
        let mut evidence = Vec::new();
        let mut add = |origin: &str, text: String| {
            if !text.trim().is_empty() {
                evidence.push(Evidence { origin: origin.to_owned(), text });
            }
        };
        let has = |kind| judge.evidence.contains(&kind);
        let record = |of: fn(&What) -> Option<String>| {
            let texts: Vec<String> =
                self.record.entries.iter().rev().filter_map(|entry| of(&entry.what)).take(LAST).collect();
            texts.into_iter().rev().collect::<Vec<_>>().join("\n\n")
        };
        if has(EvidenceKind::Messages) {
            let said = record(|what| match what {
                What::Prompt { text } => Some(text.clone()),
                What::Answer { question, answer } => Some(format!("(asked: {question}) {answer}")),
                _ => None,
            });
            add("what the user wrote, recorded by hookgate", said);
        }
        if has(EvidenceKind::Edits) {
            let edits = record(|what| match what {
                What::Edit { paths, .. } => Some(paths.join("\n")),
                _ => None,
            });
            add("files that were changed, recorded by hookgate, oldest first", edits);
        }
        if has(EvidenceKind::Commands) {
            let commands = record(|what| match what {
                What::Ran { command, ok, output, .. } => {
                    let end = match ok {
                        Some(true) => "exit code 0",
                        Some(false) => "failed",
                        None => "exit code not known",
                    };
                    Some(format!("$ {command}\n({end})\n{output}"))
                }
                _ => None,
            });
            add("commands with their exit code, recorded by hookgate; what they printed is theirs", commands);
        }
        if has(EvidenceKind::Diff) {
            add("the difference of the work tree from the last commit, by git", self.diff());
        }
        if has(EvidenceKind::Messages) {
            let last = self.event.last_assistant_message().unwrap_or_default();
            let transcript = self.host().transcript(&self.event.transcript_path);
            let turns = transcript.map(|tail| last_turns(&*tail, LAST)).unwrap_or_default();
            let own = turns.iter().filter(|turn| turn.speaker == Speaker::Agent && turn.text != last);
            let own: Vec<String> = own.map(|turn| redact(&bounded(&turn.text))).collect();
            add("the agent's own earlier messages, which may claim anything", own.join("\n\n"));
            add("the agent's own last message, which may claim anything", redact(&bounded(last)));
        }
        evidence
    }

    fn diff(&self) -> String {
        let words = "git -c core.fsmonitor=false diff --no-ext-diff --no-textconv --no-color HEAD";
        let call = ProgramCall {
            run: HookProgram::Arguments(words.split(' ').map(str::to_owned).collect()),
            directory: self.places.project.clone(),
            deadline: Duration::from_secs(3),
            input: Vec::new(),
        };
        let outcome = self.memory.run_programs(&[call]).pop();
        let text = outcome.filter(|outcome| outcome.end == ProgramEnd::Exit(0)).map(|outcome| outcome.stdout);
        text.map(|bytes| redact(&String::from_utf8_lossy(&bytes))).unwrap_or_default()
    }
}

/// A rung of a criterion. What the agent reads is hookgate's own sentence around a quote of the evidence.
fn found(id: &str, ask: &str, outcome: &Outcome, on_error: JudgeFailure) -> Found {
    let id = Quoted::new(id);
    match outcome {
        Outcome::Pass { quote: None } => Found::pass(say!("criterion {} is met", id)),
        Outcome::Pass { quote: Some(quote) } => {
            Found::pass(say!("criterion {} is met: {}", id, Quoted::new(quote)))
        }
        Outcome::Block { quote } => Found::block(
            say!("doesn't meet the criterion {} ({}): {}", id, Quoted::new(ask), Quoted::new(quote)),
            say!("do what is missing, or tell the user why it can't be done"),
        ),
        Outcome::Yields(kind) => {
            Found::of(RungOutcome::Skipped, say!("criterion {}: {}", id, Quoted::new(kind.name())))
        }
        Outcome::Inconclusive(why) => {
            Found::of(RungOutcome::Inconclusive, say!("criterion {}: {}", id, Message::in_their_words(why)))
        }
        Outcome::Failed(Failure::NotAsked) => {
            Found::of(RungOutcome::Skipped, say!("criterion {}: models aren't asked here", id))
        }
        Outcome::Failed(failure) => {
            let why =
                say!("criterion {} couldn't be judged: {}", id, Message::in_their_words(failure.reason()));
            match on_error {
                JudgeFailure::Pass => Found::of(RungOutcome::Error, why),
                JudgeFailure::Deny => Found::block(why, say!("wait a moment, then stop again")),
            }
        }
    }
}

/// Results as they are kept; nothing where one of them is a failure.
fn cached_text(results: &[Outcome]) -> Option<String> {
    let one = |outcome: &Outcome| match outcome {
        Outcome::Pass { quote: None } => Some("pass".to_owned()),
        Outcome::Pass { quote: Some(quote) } => Some(format!("pass {quote}")),
        Outcome::Block { quote } => Some(format!("block {quote}")),
        Outcome::Inconclusive("the evidence doesn't show it") => Some("unshown".to_owned()),
        _ => None,
    };
    let texts: Option<Vec<String>> = results.iter().map(one).collect();
    serde_json::to_string(&texts?).ok()
}

fn read_cached(text: &str) -> Option<Vec<Outcome>> {
    let texts: Vec<String> = serde_json::from_str(text).ok()?;
    let one = |text: &String| match text.split_once(' ') {
        Some(("block", quote)) => Some(Outcome::Block { quote: quote.to_owned() }),
        Some(("pass", quote)) => Some(Outcome::Pass { quote: Some(quote.to_owned()) }),
        None if text == "pass" => Some(Outcome::Pass { quote: None }),
        None if text == "unshown" => Some(Outcome::Inconclusive("the evidence doesn't show it")),
        _ => None,
    };
    texts.iter().map(one).collect()
}

/// Calls a model by way of programs that are run under the event's deadline.
struct Caller<'a> {
    judge: &'a Judge,
    memory: &'a dyn Memory,
    end_by: Instant,
    key: Option<String>,
}

impl Caller<'_> {
    /// The key, asked for once.
    fn key(&mut self) -> Result<Option<String>, Failure> {
        if let Some(key) = &self.key {
            return Ok(Some(key.clone()));
        }
        let usual = match self.judge.model.provider {
            Provider::Anthropic => "ANTHROPIC_API_KEY",
            Provider::OpenAi => "OPENAI_API_KEY",
            Provider::Agent => return Ok(None),
        };
        let variable = |name: &str| {
            let value = self.memory.host().variable(name).filter(|value| !value.trim().is_empty());
            value.ok_or_else(|| Failure::Lasting("the variable that holds its key isn't set".to_owned()))
        };
        let key = match &self.judge.key {
            KeySource::Nothing => return Ok(None),
            KeySource::Usual => variable(usual)?,
            KeySource::Variable(name) => variable(name)?,
            KeySource::Program(run) => {
                let outcome = self.run(run.clone(), Vec::new(), self.left())?;
                let text = String::from_utf8_lossy(&outcome).trim().to_owned();
                if text.is_empty() {
                    return Err(Failure::Lasting(
                        "the program that prints its key printed nothing".to_owned(),
                    ));
                }
                text
            }
        };
        self.key = Some(key.trim().to_owned());
        Ok(self.key.clone())
    }

    fn run(&self, run: HookProgram, input: Vec<u8>, within: Duration) -> Result<Vec<u8>, Failure> {
        let directory = self.memory.host().variable("HOME").unwrap_or_else(|| "/".to_owned());
        let program = run.name().split(' ').next().unwrap_or_default().to_owned();
        let call = ProgramCall { run, directory, deadline: within, input };
        let outcome = self.memory.run_programs(&[call]).pop().ok_or(Failure::NotAsked)?;
        match outcome.end {
            ProgramEnd::Exit(0) => Ok(outcome.stdout),
            ProgramEnd::Deadline => Err(Failure::Passing("the model didn't answer in time".to_owned())),
            ProgramEnd::NotStarted(_) => {
                Err(Failure::Lasting(format!("{} couldn't be started", Quoted::new(&program))))
            }
            ProgramEnd::Exit(_) | ProgramEnd::Signal => {
                Err(Failure::Passing("the provider could not be reached".to_owned()))
            }
        }
    }
}

impl Model for Caller<'_> {
    fn ask(&mut self, prompt: &Prompt, within: Duration) -> Result<Reply, Failure> {
        let model = self.judge.model.model.clone();
        let (wire, url) = match self.judge.model.provider {
            Provider::Anthropic => (Wire::Messages, "https://api.anthropic.com/v1"),
            Provider::OpenAi => (Wire::ChatCompletions, "https://api.openai.com/v1"),
            Provider::Agent => {
                let prompt = body(Wire::Agent, &model, prompt).into_bytes();
                let printed = self.run(HookProgram::Arguments(headless(&model)), prompt, within)?;
                return read_body(Wire::Agent, None, &printed);
            }
        };
        let url = self.judge.url.as_deref().unwrap_or(url).trim_end_matches('/').to_owned();
        let key = self.key()?;
        let call = hookgate_judge::Call {
            wire,
            url: &url,
            key: key.as_deref(),
            body: &body(wire, &model, prompt),
            within,
        };
        let (words, input) = call.words();
        let printed = self.run(HookProgram::Arguments(words), input.into_bytes(), within)?;
        // The status is the last line.
        let at = printed.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
        let (answer, status) = printed.split_at_checked(at).unwrap_or((&printed, b""));
        let status = String::from_utf8_lossy(status).trim().parse().unwrap_or(0);
        read_body(wire, Some(status), answer)
    }

    fn left(&self) -> Duration {
        self.end_by.saturating_duration_since(Instant::now()).min(self.memory.time_left())
    }

    fn pause(&mut self, length: Duration) {
        self.memory.wait(length);
    }
}

/// A headless agent without tools and hooks, below the sentinel: `PROGRAM`, or `PROGRAM@MODEL`.
fn headless(name: &str) -> Vec<String> {
    let (program, model) = match name.rsplit_once('@') {
        Some((program, model)) if !program.is_empty() && !model.contains('/') => (program, Some(model)),
        _ => (name, None),
    };
    let settings = format!(r#"{{"disableAllHooks":true,"env":{{"{SENTINEL}":"1"}}}}"#);
    let words = [program, "-p", "--output-format", "json", "--tools", "", "--settings", &settings];
    let chosen = model.into_iter().flat_map(|model| ["--model", model]);
    words.into_iter().chain(chosen).map(str::to_owned).collect()
}
