//! How fast content is searched: 100 MB, in time of the processor, which a busy machine does not change.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and says what it measured")]

use std::fs;
use std::path::Path;

use hookgate_secrets::scan;

/// As much is searched, in bytes.
const CONTENT: usize = 100_000_000;
/// The longest that it takes, in nanoseconds of the processor, in a build that is optimised.
const LONGEST: u64 = 1_000_000_000;

/// The time that this thread has had a processor, in nanoseconds; `None` where the system doesn't say.
fn used() -> Option<u64> {
    fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// The sources of this crate and of others in the workspace, one after the other.
fn sources(directory: &Path, text: &mut String) {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut entries: Vec<_> = entries.collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "toml") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
#[ignore = "needs an optimised build: scripts/slow.sh runs it"]
fn a_hundred_megabytes_take_less_than_a_second() {
    let mut one = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut one);
    let mut text = String::with_capacity(CONTENT + one.len());
    while text.len() < CONTENT {
        text.push_str(&one);
    }
    let Some(before) = used() else { return };
    let found = scan(&text).len();
    let took = used().unwrap() - before;
    let speed = u64::try_from(text.len()).unwrap() * 1000 / took.max(1);
    println!(
        "{} MB in {} ms of the processor, {speed} MB/s, {found} found",
        text.len() / 1_000_000,
        took / 1_000_000
    );
    assert!(took < LONGEST, "{took} ns");
}
