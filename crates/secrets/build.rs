//! Indexes the shapes, and copies the names, of `knowledge/secrets/tokens.toml` (`tokens.toml` is a link to it, so that the published crate holds it).

#[expect(dead_code, reason = "the search needs the rest")]
#[path = "src/escape.rs"]
mod escape;
#[expect(dead_code, unreachable_pub, reason = "the search needs the rest")]
#[path = "src/index.rs"]
mod index;
#[expect(dead_code, reason = "the search needs the rest")]
#[path = "src/piece.rs"]
mod piece;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use index::{ANCHOR, ESCAPE, Entry, FIRST, INNER, SIGN, SLOTS, WINDOW, WORD, is_inner, is_word, slot};
use piece::Piece;

fn main() -> ExitCode {
    let mut stdout = std::io::stdout();
    for path in ["build.rs", "src", "tokens.toml"] {
        let _ = writeln!(stdout, "cargo::rerun-if-changed={path}");
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: knowledge/secrets/tokens.toml: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let target = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default().join("index.rs");
    let tokens: toml::Table = std::fs::read_to_string(manifest.join("tokens.toml"))?.parse()?;
    let shapes = tokens.get("shapes").and_then(toml::Value::as_table).ok_or("no table of shapes")?;
    let rows = shapes.iter().filter_map(|(name, shape)| {
        // A shape with a blank in it is written as a list of one.
        let shape = shape.as_array().and_then(|list| list.first()).unwrap_or(shape);
        Some((name.as_str(), shape.as_str()?))
    });
    let built = build(rows).ok_or("the shapes are too many or too long for the index's numbers")?;
    std::fs::write(&target, expression(&built)?)?;
    let names = tokens.get("names").and_then(toml::Value::as_table).ok_or("no table of names")?;
    let mut text = String::new();
    for key in ["words", "masked"] {
        let list = names.get(key).and_then(toml::Value::as_array).ok_or("a list of names is missing")?;
        let list: Vec<&str> = list.iter().filter_map(toml::Value::as_str).collect();
        writeln!(text, "const {}: [&str; {}] = {list:?};", key.to_uppercase(), list.len())?;
    }
    Ok(std::fs::write(target.with_file_name("names.rs"), text)?)
}

/// The index as an expression.
fn expression(built: &Built) -> Result<String, std::fmt::Error> {
    let mut text = String::from("Index {");
    write!(text, "bytes: {:?}, heads: {:?}, text: {:?}, entries: &[", built.bytes, built.heads, built.text)?;
    for Entry { next, start, name, before, anchor, after } in &built.entries {
        write!(text, "Entry {{ next: {next}, start: {start}, name: {name}, before: {before}, ")?;
        writeln!(text, "anchor: {anchor}, after: {after} }},")?;
    }
    text.push_str("] }");
    Ok(text)
}

/// What an index is made of.
struct Built {
    bytes: [u8; 256],
    heads: [u16; SLOTS],
    entries: Vec<Entry>,
    text: String,
}

/// Indexes rows of a name and a shape. Rows without a literal piece of [`ANCHOR`] bytes are left out; a test holds the data to
/// that. `None` where there are more than the index has numbers for.
fn build<'r>(rows: impl Iterator<Item = (&'r str, &'r str)>) -> Option<Built> {
    let mut built = Built { bytes: [0; 256], heads: [0; SLOTS], entries: Vec::new(), text: String::new() };
    for (byte, is) in (0..=u8::MAX).zip(&mut built.bytes) {
        *is = match byte {
            b'=' | b':' => SIGN,
            b'-' => INNER,
            _ if escape::begins(byte) => ESCAPE,
            _ if is_word(byte) => WORD,
            _ => 0,
        };
    }
    for (name, shape) in rows {
        if let Some((before, anchor, after)) = parse(shape) {
            built.add(name, before, anchor, after)?;
        }
    }
    Some(built)
}

impl Built {
    fn add(&mut self, name: &str, before: &str, anchor: &str, after: &str) -> Option<()> {
        let start = self.number()?;
        let mut ends = [0; 4];
        for (part, end) in [name, before, anchor, after].into_iter().zip(&mut ends) {
            self.text.push_str(part);
            *end = self.number()?;
        }
        let first = anchor.bytes().next().map_or(0, usize::from);
        *self.bytes.get_mut(first)? |= if is_inner(before, anchor) { INNER } else { FIRST };
        match *anchor.as_bytes() {
            [one, two, three, ..] => self.enter([one, two, three], start, ends)?,
            // A short one is entered with each byte that may follow it.
            [one, two] => {
                let class = after.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                let piece = class.and_then(|(class, _)| Piece::class(class))?;
                for three in (0..=u8::MAX).filter(|byte| piece.accepts(*byte)) {
                    self.enter([one, two, three], start, ends)?;
                }
            }
            _ => {}
        }
        Some(())
    }

    fn enter(&mut self, window: [u8; WINDOW], start: u16, ends: [u16; 4]) -> Option<()> {
        let [name, before, anchor, after] = ends;
        let head = self.heads.get_mut(slot(window))?;
        self.entries.push(Entry { next: *head, start, name, before, anchor, after });
        *head = u16::try_from(self.entries.len()).ok()?;
        Some(())
    }

    fn number(&self) -> Option<u16> {
        u16::try_from(self.text.len()).ok()
    }
}

/// Splits a shape at its anchor, the first literal piece: what stands before it, the anchor, and what stands behind it.
fn parse(shape: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) =
        if shape.starts_with('{') { shape.split_at_checked(shape.find('}')? + 1)? } else { ("", shape) };
    let (anchor, after) = rest.split_at_checked(rest.find('{').unwrap_or(rest.len()))?;
    (anchor.len() >= ANCHOR).then_some((before, anchor, after))
}
