//! Short names for decisions.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Thirteen letters and digits (no i, l, o, u): the millisecond, the process and a counter, so that two decisions
/// of one machine never share a name within a process's and a millisecond's reach.
#[must_use]
pub fn decision_id() -> String {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let millis =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(0));
    let count = u64::from(COUNTER.fetch_add(1, Ordering::Relaxed));
    encode(millis, u64::from(std::process::id()), count)
}

fn encode(millis: u64, process: u64, count: u64) -> String {
    // 41 bits of milliseconds last until 2039 and then wrap; 22 bits hold any Linux process id.
    let bits = (u128::from(millis & ((1 << 41) - 1)) << 24)
        | u128::from((process.wrapping_mul(4) ^ count) & ((1 << 24) - 1));
    (0..13)
        .rev()
        .map(|place| {
            let digit = usize::try_from((bits >> (place * 5)) & 31).unwrap_or(0);
            char::from(DIGITS.get(digit).copied().unwrap_or(b'0'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    #[test]
    fn names_are_short_sortable_and_unique_within_a_process() {
        let names: Vec<String> = (0..1000).map(|_| super::decision_id()).collect();
        assert!(names.iter().all(|name| name.len() == 13));
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        assert!(super::encode(1, 5, 0) < super::encode(2, 1, 0));
    }
}
