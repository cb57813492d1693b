//! The exceptions that agents took: a line each with its time, counted and added to under a lock.

use std::fs;
use std::path::Path;

use hookgate_policy::ExceptionLimits;

use crate::overrides::{is_mine, write_whole};
use crate::record::lock;

const HOUR: u64 = 60 * 60 * 1000;
const DAY: u64 = 24 * HOUR;
/// A larger file isn't read, in bytes: nobody takes as many in a day.
const LARGEST: u64 = 1 << 20;

/// Takes one, at this time in milliseconds since the Unix epoch, if the limits leave one. Where that can't be told or written
/// down, they don't.
pub(crate) fn take(state: &Path, now: u64, limits: ExceptionLimits) -> bool {
    let path = state.join("agent-exceptions");
    if fs::create_dir_all(state).is_err() {
        return false;
    }
    let Some(_lock) = lock(&state.join("agent-exceptions.lock")) else { return false };
    let mut taken = match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() || !is_mine(&metadata) || metadata.len() > LARGEST => {
            return false;
        }
        Ok(_) => times(&fs::read_to_string(&path).unwrap_or_default(), now),
        Err(_) => Vec::new(),
    };
    let within = |length: u64| taken.iter().filter(|at| **at > now.saturating_sub(length)).count();
    let leaves = |limit: usize, length| within(length) < limit;
    if !leaves(limits.per_hour, HOUR) || !leaves(limits.per_day, DAY) {
        return false;
    }
    taken.push(now);
    let text: String = taken.iter().map(|at| format!("{at}\n")).collect();
    write_whole(&path, &text).is_ok()
}

/// The times of the last day. One of the future counts: a clock that was set back gives no exception away.
fn times(text: &str, now: u64) -> Vec<u64> {
    let all = text.lines().filter_map(|line| line.parse::<u64>().ok());
    all.filter(|at| *at > now.saturating_sub(DAY)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_are_taken_than_an_hour_and_a_day_leave() {
        let folder = tempfile::tempdir().unwrap();
        let limits = ExceptionLimits { per_hour: 2, per_day: 3 };
        let take = |now: u64| take(folder.path(), 10 * DAY + now, limits);
        assert!(take(0) && take(1));
        assert!(!take(2), "two in an hour");
        assert!(take(HOUR + 5));
        assert!(!take(2 * HOUR + 6), "three in a day");
        assert!(take(DAY + 5));
    }

    #[test]
    fn parallel_calls_share_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let limits = ExceptionLimits { per_hour: 5, per_day: 50 };
        let taken = std::thread::scope(|scope| {
            let calls: Vec<_> =
                (0..16).map(|_| scope.spawn(|| take(folder.path(), DAY * 9, limits))).collect();
            calls.into_iter().map(|call| call.join().unwrap()).filter(|taken| *taken).count()
        });
        assert!((1..=5).contains(&taken), "{taken}");
    }
}
