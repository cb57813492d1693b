//! Verdicts of others that are matters of opinion, told by what a command does and never by how it is spelled.
//!
//! Other tools' suites say of a command what their authors want of it, and they want different things: one asks before
//! every deletion, one lets secrets be read. An opinion says on which effects this project takes a side. The rows of
//! which it holds are left out of a comparison whatever hookgate answered, and counted.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The most opinions there may be: with more of them any comparison could be won.
const MOST: usize = 15;

/// One predicate over effects.
#[derive(Debug)]
struct Opinion {
    suite: String,
    expect: String,
    /// Every effect is of one of these kinds.
    all: Vec<String>,
    /// Some effect is.
    any: Vec<String>,
    /// The paths of these effects lie there.
    places: Vec<String>,
    reason: String,
}

impl Opinion {
    fn read(line: &str) -> Result<Opinion, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let list = |key: &str| {
            let items = value.get(key).and_then(Value::as_array).into_iter().flatten();
            items.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let missing = |key: &str| format!("an opinion without `{key}`: {line}");
        let opinion = Opinion {
            suite: text("suite").ok_or_else(|| missing("suite"))?,
            expect: text("expect").ok_or_else(|| missing("expect"))?,
            all: list("all"),
            any: list("any"),
            places: list("places"),
            reason: text("reason").ok_or_else(|| missing("reason"))?,
        };
        if opinion.all.is_empty() == opinion.any.is_empty() {
            return Err(missing("all` or `any"));
        }
        Ok(opinion)
    }

    /// Is it about a row with these effects? What isn't known of a command is no effect, and makes no opinion.
    fn holds(&self, row: &Value, effects: &[Effect<'_>]) -> bool {
        let is = |key: &str, wanted: &str| row.get(key).and_then(Value::as_str) == Some(wanted);
        let lies = |effect: &Effect<'_>| {
            self.places.is_empty()
                || effect.place.is_none_or(|place| self.places.iter().any(|known| known == place))
        };
        let among = |kinds: &[String], effect: &Effect<'_>| kinds.iter().any(|kind| kind == effect.kind);
        let mut known = effects.iter().filter(|effect| effect.kind != "unknown-program").peekable();
        is("suite", &self.suite)
            && is("expect", &self.expect)
            && known.peek().is_some()
            && if self.any.is_empty() {
                known.all(|effect| among(&self.all, effect) && lies(effect))
            } else {
                known.any(|effect| among(&self.any, effect) && lies(effect))
            }
    }
}

/// An effect as `check --json` writes it, and where its path lies.
struct Effect<'a> {
    kind: &'a str,
    place: Option<&'static str>,
}

impl<'a> Effect<'a> {
    fn read(text: &'a str, home: &str) -> Effect<'a> {
        let (kind, target) = text.split_once(' ').unwrap_or((text, ""));
        let within = |directory: &str| {
            target.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let place = if !target.starts_with('/') {
            None
        } else if within(&format!("{home}/project")) {
            Some("project")
        } else if within(home) || within("/home") || within("/Users") || within("/root") {
            Some("home")
        } else if within("/tmp") || within("/var/tmp") || within("/private/tmp") {
            Some("temporary")
        } else if [
            "/etc", "/usr", "/bin", "/sbin", "/lib", "/boot", "/var", "/dev", "/proc", "/sys", "/opt",
            "/System", "/Library",
        ]
        .iter()
        .any(|directory| within(directory))
        {
            Some("system")
        } else {
            Some("elsewhere")
        };
        Effect { kind, place }
    }
}

/// Writes the rows of `corpus` (JSON lines `{"suite", "expect", "command"}`) of which no opinion of the file `opinions`
/// holds to `rest`, and says how many each of them left out.
///
/// # Errors
/// In words: a file that can't be read or written, an opinion that is none, more than fifteen of them, a gate that fails.
pub fn leave_out(
    corpus: &Path,
    opinions: &Path,
    gate: &Path,
    rest: &Path,
    folder: &Path,
) -> Result<String, String> {
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let opinions: Vec<Opinion> = read(opinions)?.lines().map(Opinion::read).collect::<Result<_, _>>()?;
    if opinions.len() > MOST {
        return Err(format!("{} opinions; {MOST} are the most", opinions.len()));
    }
    let lines = read(corpus)?;
    let rows: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{}: {error}", corpus.display())))
        .collect::<Result<_, _>>()?;
    let home = folder.join("home");
    std::fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    // As effects write it.
    let home = home.canonicalize().map_err(|error| format!("{}: {error}", home.display()))?;
    let answers = answers(&rows, gate, &home)?;
    let home = home.to_string_lossy().into_owned();
    let mut kept = String::new();
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for ((line, row), answer) in lines.lines().zip(&rows).zip(&answers) {
        let effects = answer.get("effects").and_then(Value::as_array).into_iter().flatten();
        let effects: Vec<Effect<'_>> =
            effects.filter_map(Value::as_str).map(|text| Effect::read(text, &home)).collect();
        let share =
            all.entry(row.get("expect").and_then(Value::as_str).unwrap_or_default().to_owned()).or_default();
        share.0 += 1;
        match opinions.iter().find(|opinion| opinion.holds(row, &effects)) {
            Some(opinion) => {
                share.1 += 1;
                *left.entry(&opinion.reason).or_default() += 1;
            }
            None => kept.push_str(&format!("{line}\n")),
        }
    }
    std::fs::write(rest, kept).map_err(|error| format!("{}: {error}", rest.display()))?;
    let mut text = String::new();
    for (reason, count) in &left {
        text.push_str(&format!("{count:6}  {reason}\n"));
    }
    for (expect, (rows, left)) in &all {
        text.push_str(&format!("{left:6}  of {rows} rows that say `{expect}`\n"));
    }
    Ok(text)
}

/// What the gate finds in each command, in an empty repository of a home of its own.
fn answers(rows: &[Value], gate: &Path, home: &Path) -> Result<Vec<Value>, String> {
    let project = home.join("project");
    std::fs::create_dir_all(project.join(".git"))
        .map_err(|error| format!("{}: {error}", project.display()))?;
    std::fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n").map_err(|error| error.to_string())?;
    let mut input = String::new();
    for row in rows {
        input.push_str(&format!("{}\n", json!({ "command": row.get("command") })));
    }
    let mut child = Command::new(gate)
        .args([
            "check",
            "--batch",
            "--isolated",
            "--json",
            "--preset",
            "recommended",
            "--preset",
            "infra",
            "--cwd",
        ])
        .arg(&project)
        .current_dir(&project)
        .env("HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", gate.display()))?;
    let stdin = child.stdin.take();
    // It answers while it reads.
    let writer =
        std::thread::spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let _ = writer.join();
    let answers: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    if answers.len() == rows.len() {
        Ok(answers)
    } else {
        Err(format!("{} answers to {} commands", answers.len(), rows.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, MOST, Opinion};
    use serde_json::json;

    fn shipped() -> Vec<Opinion> {
        let text = include_str!("../../../corpus/opinions.jsonl");
        text.lines().map(|line| Opinion::read(line).unwrap()).collect()
    }

    #[test]
    fn opinions_are_few_and_about_kinds_that_exist() {
        let opinions = shipped();
        assert!(opinions.len() <= MOST, "{}", opinions.len());
        for opinion in &opinions {
            for kind in opinion.all.iter().chain(&opinion.any) {
                assert!(hookgate_effects::Kind::from_name(kind).is_some(), "`{kind}` is no kind of effect");
            }
        }
    }

    #[test]
    fn what_is_unknown_makes_no_opinion() {
        let row = json!({ "suite": "guard", "expect": "flag" });
        let about = |effects: &[&str]| {
            let effects: Vec<Effect<'_>> =
                effects.iter().map(|text| Effect::read(text, "/home/dev")).collect();
            shipped().iter().any(|opinion| opinion.holds(&row, &effects))
        };
        assert!(!about(&[]));
        assert!(!about(&["unknown-program"]));
        assert!(about(&["unknown-program", "delete /tmp/x"]));
        assert!(!about(&["delete /tmp/x", "delete /etc/x"]));
        assert!(!about(&["delete /home/dev/x"]));
    }
}
