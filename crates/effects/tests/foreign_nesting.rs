//! Commands of `cmd` and PowerShell that carry one another, far deeper than anyone writes them, are answered in time.

use std::time::{Duration, Instant};

use hookgate_effects::{Entry, Places, World, of_command};

/// What one text may take on a processor. Without optimisation the same work takes about ten times as long.
const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 500 });

/// A machine with nothing on it.
struct Nothing;

impl World for Nothing {
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    fn read(&self, _path: &str, _limit: usize) -> Option<Vec<u8>> {
        None
    }
    fn entry(&self, _path: &str) -> Option<Entry> {
        None
    }
    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }
    fn list(&self, _path: &str, _limit: usize) -> Vec<String> {
        Vec::new()
    }
}

/// Time that this thread had a processor, where the system tells; else time on the clock.
fn used(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

#[test]
fn commands_that_carry_one_another_are_cut_in_time() {
    for inner in ["cmd /c ", "call ", "start ", "if 1==1 ", "for %a in (1) do ", "powershell -c ", "& ", "("]
    {
        for outer in ["cmd /c ", "powershell -c "] {
            let text = format!("{outer}'{}rm x'", inner.repeat(10_000));
            eprintln!("{outer}{inner}");
            let read = move || {
                let since = Instant::now();
                let places = Places { cwd: "/proj".to_owned(), ..Places::default() };
                let effects = of_command(&text, &places, &Nothing).effects;
                (used(since), effects)
            };
            let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(read).unwrap();
            let (took, effects) = thread.join().unwrap();
            assert!(took < LONGEST, "{outer}{inner}: {took:?}");
            // In PowerShell not all of them are commands.
            assert!(!effects.is_empty() || outer.starts_with("powershell"), "{outer}{inner}");
        }
    }
}
