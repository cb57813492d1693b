//! One line of a session's record.

use serde::{Deserialize, Serialize};

/// The most characters of a text that an entry holds.
pub const LONGEST_TEXT: usize = 2_000;

/// Something that happened in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was over, in milliseconds since the Unix epoch.
    pub at: u64,
    /// The subagent that did it; `None` for the main thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// The user wrote a prompt.
    Prompt {
        /// Its text, bounded and without secrets.
        text: String,
    },
    /// The user answered a question of the agent's in its dialogue.
    Answer {
        /// What was asked.
        question: String,
        /// What the user chose or wrote.
        answer: String,
    },
    /// Files were changed.
    Edit {
        /// Their absolute paths, where they are known.
        paths: Vec<String>,
        /// Lines that were added and hold a mark such as `TODO`: path and line.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        marks: Vec<(String, String)>,
    },
    /// A command ran.
    Ran {
        /// Its text, bounded and without secrets.
        command: String,
        /// Did it succeed? `None` where that isn't known, as of one that runs in the background.
        ok: Option<bool>,
        /// How long it took, in milliseconds.
        took: u64,
        /// The calls of tests in it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tests: Vec<TestRun>,
        /// The end of what it printed, bounded and without secrets.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        output: String,
    },
    /// Another tool was called.
    Called {
        /// The tool.
        tool: String,
    },
    /// A subagent started.
    SubagentStarted {
        /// Its id.
        id: String,
    },
    /// A subagent ended.
    SubagentEnded {
        /// Its id.
        id: String,
    },
    /// What a linter has to say about a file after its last edit.
    Findings {
        /// The linter.
        tool: String,
        /// The file's absolute path.
        file: String,
        /// How many findings are open.
        open: u32,
    },
    /// A call was denied.
    Denied {
        /// The decision.
        id: String,
        /// The codes that denied it.
        codes: Vec<String>,
        /// Names for the effects that they were about.
        effects: Vec<String>,
    },
    /// Denials that count no more: the agent does what they asked for, or a person let it.
    Forgotten {
        /// Names for their effects.
        effects: Vec<String>,
    },
    /// A stop was held back.
    Held {
        /// The event.
        event: String,
        /// The codes that held it back.
        codes: Vec<String>,
    },
    /// A judge's model answered: what it said, for the same question again.
    Judged {
        /// Names policy, criteria, evidence and model.
        key: String,
        /// The verdicts, as JSON.
        verdicts: String,
    },
    /// A judge asked its model.
    Asked {
        /// The judge's code.
        code: String,
    },
    /// Something that a newer release writes.
    #[serde(other)]
    Unknown,
}

/// A call of tests in a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRun {
    /// The call's words, bounded.
    pub call: String,
    /// The success of the whole command shows that the tests passed: nothing hides their exit code.
    pub shown: bool,
}

impl Entry {
    /// An entry of the main thread.
    #[must_use]
    pub fn new(at: u64, what: What) -> Entry {
        Entry { at, by: None, what }
    }

    /// The line, without its line break.
    #[must_use]
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The entry of a line; `None` for a torn one.
    #[must_use]
    pub fn read(line: &str) -> Option<Entry> {
        serde_json::from_str(line).ok()
    }
}

/// A text of at most [`LONGEST_TEXT`] characters: of a longer one the beginning and, mostly, the end.
#[must_use]
pub fn bounded(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST_TEXT {
        return text.to_owned();
    }
    let begin = LONGEST_TEXT / 4;
    let end = LONGEST_TEXT - begin - 5;
    let mut short: String = text.chars().take(begin).collect();
    short.push_str("\n[…]\n");
    short.extend(text.chars().skip(length - end));
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_survives_its_line_and_one_of_a_newer_release_is_still_an_entry() {
        let test = TestRun { call: "cargo test".to_owned(), shown: true };
        let what = What::Ran {
            command: "cargo test".to_owned(),
            ok: Some(true),
            took: 12,
            tests: vec![test],
            output: String::new(),
        };
        let entry = Entry { by: Some("a1".to_owned()), ..Entry::new(7, what) };
        assert_eq!(Entry::read(&entry.line()), Some(entry));
        let newer = Entry::read(r#"{"at":1,"kind":"dreamt","of":["sheep"]}"#).unwrap();
        assert_eq!(newer.what, What::Unknown);
        assert_eq!(Entry::read(r#"{"at":1,"kind":"pro"#), None);
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let long = format!("begin{}end", "é".repeat(10_000));
        let short = bounded(&long);
        assert!(short.starts_with("begin") && short.ends_with("end"), "{short}");
        assert_eq!(short.chars().count(), LONGEST_TEXT);
    }
}
