//! What a model says that knows the truth, and what becomes of it on the way.

use serde_json::json;

/// The ways of misbehaving.
pub(crate) const WAYS: usize = 13;

/// A source of numbers that are the same in every run.
#[derive(Clone, Copy)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn of(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

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

/// What is sent for an answer.
pub(crate) struct Sent {
    pub(crate) status: u32,
    pub(crate) body: String,
    /// How much of the body comes, if not all of it.
    pub(crate) cut: Option<usize>,
    /// Nothing is sent, and nothing is closed.
    pub(crate) hangs: bool,
}

/// The answer by what is true, misbehaving in one way, or where none is named in each of them at once, 30 times of 100.
pub(crate) fn answer(numbers: &mut Numbers, done: bool, only: Option<usize>) -> Sent {
    let mut text = truth(done);
    let mut sent = Sent { status: 200, body: String::new(), cut: None, hangs: false };
    for way in 0..WAYS - 1 {
        if only.is_some_and(|only| only != way) || !numbers.is_one_of(30) {
            continue;
        }
        match way {
            0 => text = format!("```json\n{text}\n```"),
            1 => text = format!("Sure! Here is my analysis {{as asked}}:\n{text}\nLet me know."),
            2 => text = json!({ "decision": "block", "reason": "tests failed" }).to_string(),
            3 => text = json!({ "ok": false, "reason": "no" }).to_string(),
            4 => "I'm sorry, I can't help with that.".clone_into(&mut text),
            5 => text.clear(),
            6 => text = beginning(&text, 60),
            7 => text = text.replace("met\"", "done\""),
            // An accusation with a quote that nobody wrote.
            8 => {
                text = text
                    .replace("\"met\"", "\"not-met\"")
                    .replace("test result: ok", "everything is on fire");
            }
            9 => {
                sent.status = [429, 500, 529, 0].get((numbers.next() % 4) as usize).copied().unwrap_or(500);
            }
            10 => sent.hangs = true,
            _ => {
                let other = text.replace("not-met", "met").replace("\"met\"", "\"impossible\"");
                text = format!("{text}\n{other}");
            }
        }
    }
    let content = json!([{ "type": "text", "text": text }]);
    sent.body = json!({ "content": content, "usage": { "input_tokens": 9, "output_tokens": 1 } }).to_string();
    // A stream that was cut.
    if only.is_none_or(|only| only == WAYS - 1) && numbers.is_one_of(30) {
        sent.cut = Some(sent.body.len() * 7 / 10);
    }
    sent
}

fn truth(done: bool) -> String {
    let verdict = if done { "met" } else { "not-met" };
    let quote = if done { "test result: ok" } else { "2 tests failed" };
    json!({ "verdicts": [
        { "id": "tested", "verdict": verdict, "quote": quote, "reason": "r" },
        { "id": "asked", "verdict": "met", "quote": "", "reason": "r" },
    ] })
    .to_string()
}

fn beginning(text: &str, hundredths: usize) -> String {
    text.get(..text.len() * hundredths / 100).unwrap_or_default().to_owned()
}
