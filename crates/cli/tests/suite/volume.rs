//! What only shows in very many texts: two and three wrappers around a command, and commands that were damaged. A change waits for a
//! few of each; `HOOKGATE_WRAPS` and `HOOKGATE_MUTATIONS` say how many in the slow part, `HOOKGATE_SEED` which.

use std::io::{BufRead, BufReader, Write};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bypass::{Place, fill, table, texts};
use crate::monotone::{commands, goes_on, is_simple, rank};

/// How many of each a change waits for.
const FEW: usize = 3_000;
/// How many are judged by one process.
const BATCH: usize = 5_000;
/// What one command may take of the processor. Without optimisation the same work takes about ten times as long.
const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 500 });
const PRESETS: [&str; 3] = ["recommended", "infra", "readonly"];

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Numbers that look random and are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end.max(1)
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Makes texts, judges them in batches on every processor, and gives each batch to `look`.
fn in_batches<T: Send>(
    name: &str,
    count: usize,
    make: impl Fn(&mut Dice) -> (String, T) + Sync,
    look: impl Fn(&[(String, T)], &[Value]) + Sync,
) -> Vec<String> {
    let seed = number("HOOKGATE_SEED", 1);
    let batches = Mutex::new(0..count.div_ceil(BATCH));
    let slow = Mutex::new(Vec::new());
    let place = Place::new(name);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(batch) = batches.lock().unwrap().next() else { return };
                    let mixed = u64::try_from(seed * 1_000_003 + batch).unwrap();
                    let mut dice = Dice(mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
                    let rows: Vec<_> = (0..BATCH.min(count)).map(|_| make(&mut dice)).collect();
                    let texts: Vec<&str> = rows.iter().map(|(text, _)| text.as_str()).collect();
                    let (judged, long) = judged(&place, &texts);
                    slow.lock().unwrap().extend(long);
                    look(&rows, &judged);
                }
            });
        }
    });
    slow.into_inner().unwrap()
}

/// The verdicts, and the texts that took too long.
fn judged(place: &Place, texts: &[&str]) -> (Vec<Value>, Vec<String>) {
    let mut child = place.batch(&PRESETS).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    thread::scope(|scope| {
        scope.spawn(move || {
            for text in texts {
                // A process that ended is found by the answers that are missing.
                let _ = writeln!(stdin, "{}", json!({ "command": text }));
            }
        });
        let (mut answers, mut slow) = (Vec::new(), Vec::new());
        let clock = Clock::of(child.id());
        let mut since = clock.now();
        for line in stdout.lines() {
            answers.push(serde_json::from_str(&line.unwrap()).unwrap());
            let text = texts[answers.len() - 1];
            let now = clock.now();
            // It may have gone on to the next ones before this line was read: alone it counts.
            if now.saturating_sub(since) > LONGEST && alone(place, text) > LONGEST {
                slow.push(text.to_owned());
            }
            since = now;
        }
        let end = child.wait().unwrap();
        let missing = texts.get(answers.len()).copied().unwrap_or_default();
        assert!(end.success() && answers.len() == texts.len(), "{end} at {missing:?}");
        (answers, slow)
    })
}

/// What one text takes in a process of its own.
fn alone(place: &Place, text: &str) -> Duration {
    let mut child = place.batch(&PRESETS).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let clock = Clock::of(child.id());
    writeln!(stdin, "{}", json!({ "command": text })).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    // It waits for the next text once it has answered.
    stdout.read_line(&mut String::new()).unwrap();
    let took = clock.now();
    drop(stdin);
    child.wait().unwrap();
    took
}

/// What a process has had of the processors, so that it doesn't count what others took of them. Where the system doesn't say, time.
struct Clock {
    process: u32,
    start: Instant,
}

impl Clock {
    fn of(process: u32) -> Clock {
        Clock { process, start: Instant::now() }
    }

    fn now(&self) -> Duration {
        self.used().unwrap_or_else(|| self.start.elapsed())
    }

    /// In hundredths of a second, by Linux.
    fn used(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.process)).ok()?;
        // The name before the bracket may hold anything.
        let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut ticks = || fields.next()?.parse::<u64>().ok();
        Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
    }
}

/// The texts and what may stand around any and around a simple command.
struct Wrappers {
    around_text: Vec<String>,
    around_command: Vec<String>,
}

impl Wrappers {
    fn new() -> Wrappers {
        let file = table(include_str!("bypass/wrappers.toml"));
        Wrappers { around_text: texts(&file["around-text"]), around_command: texts(&file["around-command"]) }
    }

    /// One more thing around a text; none where it does not fit.
    fn around(&self, text: &str, dice: &mut Dice) -> Option<String> {
        let simple = is_simple(text) && dice.below(2) == 0;
        let wrapper = dice.one_of(if simple { &self.around_command } else { &self.around_text });
        // A heredoc's end must be its own.
        let wrapper = wrapper.replace("UNUSUAL", &format!("UNUSUAL{}", text.len()));
        (!goes_on(&wrapper, text)).then(|| fill(&wrapper, text))
    }
}

#[test]
fn no_two_or_three_wrappers_make_a_verdict_milder() {
    let commands = commands();
    let bare: Vec<usize> = Place::new("bare").commands(&PRESETS, &commands).iter().map(rank).collect();
    let wrappers = Wrappers::new();
    let milder = Mutex::new(Vec::new());
    let count = number("HOOKGATE_WRAPS", FEW);
    let slow = in_batches(
        "wrapped",
        count,
        |dice| {
            let which = dice.below(commands.len());
            let mut text = commands[which].clone();
            for _ in 0..2 + dice.below(2) {
                text = wrappers.around(&text, dice).unwrap_or(text);
            }
            (text, bare[which])
        },
        |rows, judged| {
            for ((text, before), after) in rows.iter().zip(judged) {
                if rank(after) < *before {
                    milder.lock().unwrap().push(format!("{before} -> {}: {text}", after["decision"]));
                }
            }
        },
    );
    let milder = milder.into_inner().unwrap();
    println!("{count} wraps of two and three: {} milder, {} slow", milder.len(), slow.len());
    assert!(milder.is_empty(), "{} are milder:\n{}", milder.len(), milder.join("\n"));
    assert!(slow.is_empty(), "{} take too long:\n{}", slow.len(), slow.join("\n"));
}

/// Pieces that change what the rest of a text is.
const PIECES: &[&str] = &[
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "${",
    "}",
    "{",
    "(",
    "[[",
    "]]",
    "((",
    "))",
    "|",
    "||",
    "&&",
    "&",
    ";",
    ";;",
    "\n",
    "\\\n",
    "\\",
    "<<E\n",
    "\nE\n",
    "<<<",
    "<(",
    ">",
    ">&2",
    "2>&1",
    "$x",
    "${a//b/c}",
    "$'\\x41'",
    "#",
    "~",
    "*",
    "!",
    "\u{a0}",
    "\u{202e}",
    "\t",
    "é",
    "$=x",
    "$~x",
    "$#x",
    "$x:h",
    "$x:s,a,b,",
    "$x[1]",
    ">!",
    "*(e:ls:)",
    "=rm ",
    "path=(. $path)",
    "functions[f]=ls",
    "alias -s t=ls",
    "cd nosuch;",
];

/// The text with a part of it gone, doubled, replaced or moved.
fn mutated(text: &str, others: &[String], dice: &mut Dice) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(4) {
        let from = dice.below(chars.len() + 1);
        let to = from + dice.below((chars.len() - from).min(40) + 1);
        let part: Vec<char> = chars[from..to].to_vec();
        match dice.below(6) {
            0 => drop(chars.drain(from..to)),
            1 => {
                let most = *dice.one_of(&[2, 20, 400]);
                let times = 1 + dice.below(most);
                let copies = part.iter().copied().cycle().take(part.len() * times);
                chars.splice(from..from, copies.collect::<Vec<_>>());
            }
            2 | 3 => drop(chars.splice(from..from, dice.one_of(PIECES).chars().collect::<Vec<_>>())),
            4 => {
                let other: Vec<char> = dice.one_of(others).chars().collect();
                let cut = dice.below(other.len() + 1);
                chars.splice(from..to, other[cut..].iter().copied());
            }
            _ => {
                let at = dice.below(chars.len() - part.len() + 1);
                chars.drain(from..to);
                chars.splice(at..at, part);
            }
        }
        chars.truncate(20_000);
    }
    chars.into_iter().collect()
}

#[test]
fn no_damaged_command_ends_the_gate_or_takes_long() {
    let commands = commands();
    let count = number("HOOKGATE_MUTATIONS", FEW);
    let slow = in_batches(
        "mutated",
        count,
        |dice| {
            let which = dice.below(commands.len());
            (mutated(&commands[which], &commands, dice), ())
        },
        |rows, judged| assert_eq!(rows.len(), judged.len()),
    );
    println!("{count} damaged commands: each answered, {} slow", slow.len());
    assert!(slow.is_empty(), "{} take too long:\n{}", slow.len(), slow.join("\n"));
}
