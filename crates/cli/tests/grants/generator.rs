//! Texts for the oracle: every form, with every payload in every place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hookgate_knowledge::shipped;
use hookgate_testing::Draw;

use crate::forms::{BETWEEN, BUILTINS, EXPANSIONS, FRAMES, READS, REDIRECTIONS, WRAPS};
use crate::languages;
use crate::payloads::{LETTERS, PAYLOADS, SECRET_NAMES, VARIABLES};

/// How the payload gets there.
const QUOTES: &[fn(&str) -> String] = &[single, double_escaped, ansi];

fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn double_escaped(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        if matches!(letter, '"' | '\\' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('"');
    quoted
}

fn ansi(text: &str) -> String {
    format!("$'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

/// The forms of bash, as a seed draws them.
pub(crate) struct Shell {
    draw: Draw,
    develops: bool,
    frames: Vec<String>,
    drawn: usize,
    portion: usize,
}

/// So many forms are drawn. After them granted ones are put together.
const DRAWN: usize = 300_000;

/// How many texts are judged at once, if so many granted ones are wanted.
fn portion(wanted: usize) -> usize {
    (wanted * 8).clamp(500, 20_000)
}

impl Shell {
    /// `develops`: what a payload does has to be something that isn't granted by itself, as a file in the project may be.
    pub(crate) fn new(seed: u64, develops: bool, wanted: usize) -> Shell {
        let draw = Draw::new(seed ^ 0x9e37_79b9);
        Shell { draw, develops, frames: frames(), drawn: 0, portion: portion(wanted) }
    }

    pub(crate) fn more(&mut self, granted: &[String]) -> Vec<String> {
        self.drawn += self.portion;
        let develops = self.develops;
        let together = self.drawn > DRAWN && !granted.is_empty();
        (0..self.portion)
            .map(|_| if together { self.together(granted) } else { form(&self.frames, &mut self.draw) })
            .map(|text| payload_for(text, develops))
            .collect()
    }

    /// Granted texts, one within or behind another.
    fn together(&mut self, granted: &[String]) -> String {
        let mut one = || {
            let text = &granted[self.draw.below(granted.len())];
            // A heredoc ends at its own line.
            if text.contains("<<E") || text.len() > 400 { "echo a".to_owned() } else { text.clone() }
        };
        let mut text = one();
        let (first, second) = (one(), one());
        for other in [first, second] {
            match self.draw.below(5) {
                0 => text = format!("{text}{}{other}", BETWEEN[self.draw.below(BETWEEN.len())]),
                1 => text = format!("{other}{}{text}", BETWEEN[self.draw.below(BETWEEN.len())]),
                2 => text = format!("bash -c {}", single(&text)),
                _ => text = WRAPS[self.draw.below(WRAPS.len())].replace('§', &text),
            }
        }
        text
    }
}

/// Calls of the reviewed programs that are installed, in an order in which all of them have their turn.
pub(crate) struct Programs {
    develops: bool,
    /// The calls of each program, how many of them are taken at a turn, and how many turns it sits out.
    calls: Vec<(Vec<String>, usize, usize)>,
    turn: usize,
    portion: usize,
    names: BTreeSet<String>,
}

impl Programs {
    pub(crate) fn new(
        seed: u64,
        develops: bool,
        wanted: usize,
        installed: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Programs {
        let mut draw = Draw::new(seed ^ 0x79b9);
        let mut by_program: BTreeMap<&str, (Vec<String>, usize)> = BTreeMap::new();
        for name in shipped().tables().filter(|name| name.ends_with("/reviewed")) {
            for row in shipped().table(name).rows() {
                let program = row.key().split('.').next().unwrap_or_default();
                if row.key().starts_with("tool.") || row.key().contains('*') || installed(program).is_none() {
                    continue;
                }
                let (calls, rows) = by_program.entry(program).or_default();
                *rows += 1;
                row_calls(&row.key().replace('.', " "), row.cells(), calls);
            }
        }
        let names = by_program.keys().map(|name| (*name).to_owned()).collect();
        let turn = |(program, (mut calls, rows)): (&str, (Vec<String>, usize))| {
            shuffle(&mut calls, &mut draw);
            // Scripts take long to start.
            let script = installed(program).is_some_and(|file| is_script(&file));
            let many = 4 + 4 * usize::try_from(rows.ilog2()).unwrap_or_default();
            if script { (calls, 1, 3) } else { (calls, many, 1) }
        };
        Programs {
            develops,
            calls: by_program.into_iter().map(turn).collect(),
            turn: 0,
            portion: portion(wanted),
            names,
        }
    }

    pub(crate) fn more(&mut self) -> Vec<String> {
        let mut texts = Vec::new();
        while texts.len() < self.portion && self.calls.iter().any(|(calls, ..)| !calls.is_empty()) {
            self.turn += 1;
            for (calls, many, every) in &mut self.calls {
                if !self.turn.is_multiple_of(*every) {
                    continue;
                }
                let left = calls.len().saturating_sub(*many);
                texts.extend(calls.split_off(left));
            }
        }
        texts.into_iter().map(|text| payload_for(text, self.develops)).collect()
    }

    /// The program of one of the texts.
    pub(crate) fn program(&self, text: &str) -> String {
        let call =
            text.rsplit_once("' | ").filter(|_| text.starts_with("echo '")).map_or(text, |(_, call)| call);
        let plain = call.split([' ', '\n']).find(|word| self.names.contains(*word));
        plain.unwrap_or_default().to_owned()
    }
}

fn is_script(file: &Path) -> bool {
    use std::io::Read as _;
    let mut begin = [0; 2];
    std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && &begin == b"#!"
}

fn payload_for(text: String, develops: bool) -> String {
    if develops { text.replace("canary", "../canary") } else { text }
}

fn shuffle(texts: &mut [String], draw: &mut Draw) {
    for index in (1..texts.len()).rev() {
        texts.swap(index, draw.below(index + 1));
    }
}

/// The names of programs with a row that says so, by itself or by a row that it includes.
pub(crate) fn names_with(word: &str) -> BTreeSet<&'static str> {
    let rows = || {
        let tables = shipped().tables().filter(|name| name.ends_with("/reviewed"));
        tables.flat_map(|name| shipped().table(name).rows())
    };
    let includes: BTreeSet<String> = rows()
        .filter(|row| row.cells().any(|cell| cell == word))
        .map(|row| format!("@{}", row.key()))
        .collect();
    rows()
        .filter(|row| row.cells().any(|cell| cell == word || includes.contains(cell)))
        .map(|row| row.key().split('.').next().unwrap_or_default())
        .collect()
}

/// Every place for a word.
fn frames() -> Vec<String> {
    let redirected = REDIRECTIONS.iter().flat_map(|sign| {
        [format!("cat {sign} §"), format!("echo a {sign} §"), format!("{{ cat a.txt; }} {sign}§")]
    });
    let options = |(name, letters): &(&str, &str)| {
        let each = |letter| [format!("{name} -{letter} §"), format!("{name} -{letter} y §")];
        letters.chars().flat_map(each).collect::<Vec<_>>()
    };
    FRAMES
        .iter()
        .map(|frame| (*frame).to_owned())
        .chain(redirected)
        .chain(BUILTINS.iter().flat_map(options))
        .chain(VARIABLES.iter().map(|name| format!("{name}=§ ls")))
        .collect()
}

/// Some payload in some place, by itself or in a variable that is expanded somehow, or that within another form.
fn form(frames: &[String], draw: &mut Draw) -> String {
    let frame = &frames[draw.below(frames.len())];
    let payload = QUOTES[draw.below(QUOTES.len())](PAYLOADS[draw.below(PAYLOADS.len())]);
    let kind = draw.below(14);
    if kind >= 12 {
        let quote = QUOTES[draw.below(QUOTES.len())];
        return languages::program(draw, quote);
    }
    if kind >= 8 {
        return disguised(draw);
    }
    if kind == 0 {
        return frame.replace('§', &payload);
    }
    if kind == 1 {
        return format!("y={payload}; {}", frame.replace('§', "\"$y\""));
    }
    let text = frame.replace('§', EXPANSIONS[draw.below(EXPANSIONS.len())]);
    let other = &frames[draw.below(frames.len())];
    match kind {
        2 => format!("x={payload}; {}", other.replace('§', &format!("\"$({text})\""))),
        3 => format!("x={payload}; {text} | {}", other.replace('§', "$x")),
        _ => format!("x={payload}; {text}"),
    }
}

/// A text that reads a secret, with some letters of its name written in other ways.
fn disguised(draw: &mut Draw) -> String {
    let name = SECRET_NAMES[draw.below(SECRET_NAMES.len())];
    let most = 1 + draw.below(3);
    let at: Vec<usize> = (0..most).map(|_| draw.below(name.len())).collect();
    let mut word = String::new();
    let mut letter = 'a';
    for (index, own) in name.chars().enumerate() {
        if at.contains(&index) && !matches!(own, '/' | '~') {
            let way = LETTERS[draw.below(LETTERS.len())];
            if way.contains('y') {
                letter = own;
            }
            word.push_str(&way.replace('§', &own.to_string()));
        } else {
            word.push(own);
        }
    }
    let read = READS[draw.below(READS.len())];
    let quoted = read.replace('§', &word);
    if word.contains('y') || draw.below(4) == 0 { format!("y={letter}; {quoted}") } else { quoted }
}

/// Each option and operand of a reviewed row, with each payload.
fn row_calls<'c>(call: &str, cells: impl Iterator<Item = &'c str>, texts: &mut Vec<String>) {
    let options: Vec<&str> = cells.filter(|cell| cell.starts_with('-') && *cell != "--*").collect();
    texts.push(call.to_owned());
    for (turn, payload) in PAYLOADS.iter().enumerate() {
        let payload = single(payload);
        texts.push(format!("{call} {payload}"));
        texts.push(format!("{call} -- {payload}"));
        texts.push(format!("{call} a.txt {payload}"));
        texts.push(format!("{call} src {payload}"));
        texts.push(format!("echo {payload} | {call}"));
        texts.push(format!("{call} < a.txt {payload}"));
        let variable = VARIABLES[(turn + call.len()) % VARIABLES.len()];
        texts.push(format!("{variable}={payload} {call} a.txt"));
        for (index, cell) in options.iter().enumerate() {
            for name in cell.split(['=', '[']).next().unwrap_or_default().split(',') {
                let value = match (cell.contains('='), name.starts_with("--")) {
                    (false, _) => name.to_owned(),
                    (true, true) => format!("{name}={payload}"),
                    (true, false) => format!("{name} {payload}"),
                };
                texts.push(format!("{call} {value} a.txt"));
                texts.push(format!("{call} {value} {payload}"));
                // Beside another option.
                if turn % 3 == 0 {
                    let other = options[(index + turn + 1) % options.len()];
                    let other = other.split(['=', '[', ',']).next().unwrap_or_default();
                    texts.push(format!("{call} {other} {value} a.txt"));
                    texts.push(format!("{call} {value} {other} {payload}"));
                }
            }
        }
    }
}
