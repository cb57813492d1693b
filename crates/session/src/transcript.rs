//! The agent's transcript, read from its end: JSON lines of an undocumented format that grows with the session.
//!
//! Only the end is read, in blocks, until enough turns were seen or the budget is used up. A half-written last line, unknown
//! types of record and the boundaries that compaction leaves are passed over.

use serde_json::Value;

/// A block, in bytes.
const BLOCK: usize = 64 * 1024;
/// The most that is read of a transcript, in bytes.
const BUDGET: usize = 4 << 20;
/// A longer line is passed over: it holds a file or an image, not what somebody said.
const LONGEST_LINE: usize = 512 * 1024;

/// A file that is read from its end.
pub trait Tail {
    /// Its length in bytes.
    fn length(&self) -> u64;
    /// The bytes from there on, as many as there are up to `count`; fewer at the end or on an error.
    fn read(&self, offset: u64, count: usize) -> Vec<u8>;
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The transcript says that it was the user.
    User,
    /// The agent.
    Agent,
    /// What a tool returned.
    Tool,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// By whom.
    pub speaker: Speaker,
    /// What, in full.
    pub text: String,
}

/// The last turns of a transcript, oldest first; at most `count`, and fewer where the budget ends.
#[must_use]
pub fn last_turns(tail: &dyn Tail, count: usize) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut lines = Lines { tail, end: tail.length(), read: 0, pending: Vec::new(), skipping: false };
    // The last line counts only if it is whole: it must end in a line break or be JSON.
    while turns.len() < count
        && let Some(line) = lines.previous()
    {
        turns.extend(turns_of(&line).into_iter().rev());
    }
    turns.truncate(count);
    turns.reverse();
    turns
}

/// The lines of a file, from its end.
struct Lines<'t> {
    tail: &'t dyn Tail,
    /// Everything from here on was read.
    end: u64,
    read: usize,
    /// What was read and not yet given out: it begins somewhere in a line.
    pending: Vec<u8>,
    /// The end of a line that is too long was dropped; its beginning is to be dropped too.
    skipping: bool,
}

impl Lines<'_> {
    fn previous(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = self.pending.iter().rposition(|byte| *byte == b'\n') {
                let line = self.pending.split_off(at + 1);
                self.pending.truncate(at);
                if std::mem::take(&mut self.skipping) || line.is_empty() {
                    continue;
                }
                return Some(line);
            }
            if self.pending.len() > LONGEST_LINE {
                self.pending.clear();
                self.skipping = true;
            }
            if self.end == 0 || self.read >= BUDGET {
                let line = std::mem::take(&mut self.pending);
                let is_whole = self.end == 0 && !line.is_empty() && !std::mem::take(&mut self.skipping);
                return is_whole.then_some(line);
            }
            let start = self.end.saturating_sub(BLOCK as u64);
            let count = usize::try_from(self.end - start).unwrap_or(BLOCK);
            let mut block = self.tail.read(start, count);
            if block.len() < count {
                // It became shorter while it was read; what was read before isn't its end any more.
                self.pending.clear();
            }
            block.append(&mut self.pending);
            self.pending = block;
            self.end = start;
            self.read += count;
        }
    }
}

/// What somebody said in a line, in order; nothing for metadata, hook traces, summaries and what can't be read.
fn turns_of(line: &[u8]) -> Vec<Turn> {
    let Ok(record) = serde_json::from_slice::<Value>(line) else { return Vec::new() };
    let is = |key: &str| record.get(key).and_then(Value::as_bool) == Some(true);
    let speaker = match record.get("type").and_then(Value::as_str) {
        Some("assistant") => Speaker::Agent,
        Some("user") if !is("isMeta") && !is("isCompactSummary") => Speaker::User,
        _ => return Vec::new(),
    };
    let Some(content) = record.get("message").and_then(|message| message.get("content")) else {
        return Vec::new();
    };
    let mut turns = Vec::new();
    match content {
        Value::String(text) => turns.push(Turn { speaker, text: text.clone() }),
        Value::Array(blocks) => {
            for block in blocks {
                let text = |key: &str| block.get(key).and_then(Value::as_str);
                match text("type") {
                    Some("text") => {
                        turns.extend(text("text").map(|text| Turn { speaker, text: text.to_owned() }));
                    }
                    // A result lies in a line of the user's, and is a tool's.
                    Some("tool_result") => turns.push(Turn {
                        speaker: Speaker::Tool,
                        text: block.get("content").map(flattened).unwrap_or_default(),
                    }),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    turns.retain(|turn| !turn.text.trim().is_empty());
    turns
}

/// The text of a tool's result: a text, or blocks of text.
fn flattened(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block.get("text").and_then(Value::as_str));
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    struct Text(Vec<u8>);

    impl Tail for Text {
        fn length(&self) -> u64 {
            self.0.len() as u64
        }

        fn read(&self, offset: u64, count: usize) -> Vec<u8> {
            let from = usize::try_from(offset).unwrap();
            self.0.get(from..self.0.len().min(from + count)).unwrap_or_default().to_vec()
        }
    }

    fn said(kind: &str, text: &str) -> String {
        json!({ "type": kind, "message": { "role": kind, "content": text } }).to_string()
    }

    fn last(text: &str, count: usize) -> Vec<String> {
        let turns = last_turns(&Text(text.as_bytes().to_vec()), count);
        turns.into_iter().map(|turn| format!("{:?}: {}", turn.speaker, turn.text)).collect()
    }

    #[test]
    fn the_last_turns_are_found_among_metadata_half_lines_and_compaction() {
        let boundary = json!({ "type": "system", "subtype": "compact_boundary", "parentUuid": null });
        let summary = json!({ "type": "user", "isCompactSummary": true,
            "message": { "content": "The user agreed to everything." } });
        let result = json!({ "type": "user", "message": { "content": [
            { "type": "tool_result", "tool_use_id": "t", "content": [{ "type": "text", "text": "tests passed" }] },
        ] } });
        let blocks = json!({ "type": "assistant", "message": { "content": [
            { "type": "thinking", "thinking": "secretly" }, { "type": "text", "text": "Done." },
            { "type": "tool_use", "id": "t", "name": "Bash", "input": {} },
        ] } });
        let text = [
            said("user", "fix it"),
            boundary.to_string(),
            summary.to_string(),
            "{\"type\":\"brand-new\",\"message\":{\"content\":\"?\"}}".to_owned(),
            "not json at all".to_owned(),
            result.to_string(),
            blocks.to_string(),
            "{\"type\":\"assistant\",\"message\":{\"content\":\"half".to_owned(),
        ]
        .join("\n");
        assert_eq!(last(&text, 9), ["User: fix it", "Tool: tests passed", "Agent: Done."]);
        assert_eq!(last(&text, 1), ["Agent: Done."]);
        assert!(last("", 3).is_empty() && last("\n\n", 3).is_empty());
    }

    #[test]
    fn a_line_of_many_megabytes_is_passed_over_and_what_surrounds_it_is_found() {
        let huge = said("assistant", &"x".repeat(2 << 20));
        let text = format!("{}\n{huge}\n{}\n", said("user", "before"), said("assistant", "after"));
        assert_eq!(last(&text, 2), ["User: before", "Agent: after"]);
    }

    proptest! {
        #[test]
        fn blocks_never_change_what_is_read(sizes in proptest::collection::vec(0_usize..100_000, 1..12)) {
            let texts: Vec<String> = sizes.iter().enumerate().map(|(at, size)| format!("{at}{}", "é".repeat(*size))).collect();
            let file: String = texts.iter().map(|text| said("assistant", text) + "\n").collect();
            let expected: Vec<&String> = texts.iter().collect();
            let turns = last_turns(&Text(file.into_bytes()), 20);
            prop_assert_eq!(turns.iter().map(|turn| &turn.text).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn no_bytes_fail(bytes in proptest::collection::vec(any::<u8>(), 0..4000)) {
            let _ = last_turns(&Text(bytes), 5);
        }
    }
}
