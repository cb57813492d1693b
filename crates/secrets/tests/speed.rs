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

/// What a command of everyday work is like: words, options, paths, assignments, a URL.
const LINE: &str = "RUST_LOG=debug cargo run --release -- --config ./config/local.toml --url https://api.example.com/v1/items?limit=20 | tee out/run.log\n";
/// The most instructions that a command of 2 KB may take.
const MOST_INSTRUCTIONS: u64 = 150_000;

/// A command of 2 KB is scanned as often as the environment says: nothing where it says nothing.
#[test]
#[ignore = "the measurement of instructions runs it"]
fn scans_a_command() {
    let times = std::env::var("HOOKGATE_SCANS").ok().and_then(|times| times.parse().ok()).unwrap_or(0);
    let text = LINE.repeat(2048 / LINE.len() + 1);
    let text = text.get(..2048).unwrap();
    for _ in 0..times {
        assert_eq!(scan(std::hint::black_box(text)), []);
    }
}

/// The instructions of this program with so many scans, as valgrind counts them.
fn instructions(scans: u64) -> Option<u64> {
    let output = std::process::Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args(["--ignored", "--exact", "scans_a_command"])
        .env("HOOKGATE_SCANS", scans.to_string())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = text.lines().find_map(|line| line.split_once("Collected :"))?.1.trim();
    count.replace(',', "").parse().ok()
}

#[test]
#[ignore = "needs an optimised build and valgrind: scripts/slow.sh runs it"]
fn a_command_of_two_kilobytes_takes_few_instructions() {
    if !hookgate_testing::has("valgrind", &["--version"]) {
        return;
    }
    let (one, many) = (instructions(1).unwrap(), instructions(101).unwrap());
    let each = many.saturating_sub(one) / 100;
    println!("{each} instructions for 2 KB");
    assert!((1..=MOST_INSTRUCTIONS).contains(&each), "{each}");
}
