//! Standard input, bounded and always drained: an agent takes a hook that leaves input unread for a failed one.

use std::io::{self, ErrorKind, Read};

/// The largest event that is read. What is beyond is drained and the event counts as unreadable.
pub(crate) const LIMIT: usize = 32 * 1024 * 1024;

/// What was read.
pub(crate) struct Input {
    /// At most [`LIMIT`] bytes.
    pub(crate) bytes: Vec<u8>,
    /// There was more.
    pub(crate) cut: bool,
}

/// Reads to the end. An error of the pipe ends the input like its end does.
pub(crate) fn read(mut input: impl Read) -> Input {
    let mut bytes = Vec::with_capacity(16 * 1024);
    let limit = u64::try_from(LIMIT).unwrap_or(u64::MAX);
    // `read_to_end` retries interrupted reads itself and keeps what it read before an error.
    let _ = input.by_ref().take(limit).read_to_end(&mut bytes);
    let mut cut = false;
    if bytes.len() >= LIMIT {
        let mut rest = vec![0; 64 * 1024];
        loop {
            match input.read(&mut rest) {
                Ok(0) => break,
                Ok(_) => cut = true,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }
    Input { bytes, cut }
}

/// Reads the process's own standard input.
pub(crate) fn read_all() -> Input {
    read(io::stdin().lock())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_limit_is_drained_and_told() {
        let mut endless = io::repeat(b'x').take(u64::try_from(LIMIT).unwrap() + 5);
        let input = read(&mut endless);
        assert_eq!(input.bytes.len(), LIMIT);
        assert!(input.cut);
        assert_eq!(endless.limit(), 0);
    }

    #[test]
    fn a_short_input_is_whole() {
        let input = read(&b"{}"[..]);
        assert_eq!(input.bytes, b"{}");
        assert!(!input.cut);
    }
}
