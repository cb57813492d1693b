//! Any bytes as an agent's transcript or as the record of a session: reading ends, and no more turns come than were wanted.

#![no_main]

use hookgate_session::{Record, Tail, last_turns};
use libfuzzer_sys::fuzz_target;

struct Bytes<'a>(&'a [u8]);

impl Tail for Bytes<'_> {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, offset: u64, count: usize) -> Vec<u8> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        self.0[start..start.saturating_add(count).min(self.0.len())].to_vec()
    }
}

fuzz_target!(|bytes: &[u8]| {
    for count in [0, 1, 20] {
        assert!(last_turns(&Bytes(bytes), count).len() <= count);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let record = Record::read(text);
        let again = Record::read(&record.text());
        assert_eq!(record.text(), again.text(), "a record that is written is read as it was");
        let _ = (record.since_prompt(), record.open_findings(), record.open_subagents(), record.halved());
    }
});
