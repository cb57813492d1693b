//! What is accepted, against `bash -n`, which reads a text without running anything.

#![expect(clippy::expect_used, reason = "a test may fail")]

use std::io::Write;
use std::process::{Command, Stdio};

use hookgate_shell::{Limits, parse};

/// Whether bash 5 is here: older ones differ in what they accept.
fn has_bash() -> bool {
    let output = Command::new("bash").args(["--norc", "--version"]).output();
    output.is_ok_and(|output| {
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        ["version 5.", "version 6."].iter().any(|sign| version.contains(sign))
    })
}

/// `bash -n` takes the text. Errors inside `[[ ]]` are only said, with exit code 0.
fn bash_accepts(text: &str) -> bool {
    let mut child = Command::new("bash")
        .args(["--norc", "-n"])
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash starts");
    // Bash stops reading at an error.
    let _ = child.stdin.take().expect("a pipe").write_all(text.as_bytes());
    let output = child.wait_with_output().expect("bash ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    output.status.success() && said.lines().all(|line| line.contains("warning:"))
}

/// The texts of the structure tests, put into one another, and beginnings of them.
fn corpus() -> Vec<String> {
    let lines: Vec<String> = include_str!("data/structure.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("= ") && *line != "=" && !line.starts_with("! "))
        .map(|line| line.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r"))
        .collect();
    let frames = [
        "@",
        "(@\n)",
        "x=$(@\n)",
        "if @\nthen b; fi",
        "f() { @\n}",
        "a && @",
        "@\nb",
        "case x in a) @\n;; esac",
        "! @",
    ];
    let mut texts = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        for (turn, frame) in frames.iter().enumerate() {
            if turn == 0 || (index + turn) % 3 == 0 {
                texts.push(frame.replace('@', line));
            }
        }
        for (turn, (cut, _)) in line.char_indices().enumerate() {
            if (index + turn) % 3 == 0 {
                texts.extend(line.get(..cut).map(str::to_owned));
            }
        }
    }
    texts.sort();
    texts.dedup();
    texts
}

/// Where we know better, or other than, `bash -n`.
fn is_known_difference(text: &str) -> bool {
    // Patterns of `shopt -s extglob`; `for $x`, a runtime error; substitutions that bash only reads when it runs them;
    // line continuations within operators and expansions.
    text.contains("@(")
        || text.contains("for $x")
        || text.contains('`')
        || text.contains("${")
        || text.contains("$\\\n")
        || text.contains("<<$x")
        || text.contains("a[ # ]")
        || text.contains("=([ # ]")
        // Where versions of bash differ, and an error that bash 5.2 doesn't report.
        || text.contains("=$(cat <<E) b")
        || text.contains("a && ]]")
}

#[test]
fn acceptance_agrees_with_bash() {
    if !hookgate_testing::needs("bash 5", has_bash()) {
        return;
    }
    let texts: Vec<String> = corpus().into_iter().filter(|text| !is_known_difference(text)).collect();
    assert!(texts.len() > 800, "only {} texts", texts.len());
    let mut lenient = Vec::new();
    let mut strict = Vec::new();
    for text in &texts {
        let ours = parse(text, &Limits::default()).problems.is_empty();
        match (ours, bash_accepts(text)) {
            (true, false) => lenient.push(format!("{text:?}")),
            (false, true) => strict.push(format!("{text:?}")),
            _ => {}
        }
    }
    let wrong = lenient.len() + strict.len();
    eprintln!(
        "{} texts, {wrong} differ\nwe accept: {}\nbash accepts: {}",
        texts.len(),
        lenient.join(" "),
        strict.join(" ")
    );
    assert!(wrong * 1000 <= texts.len() * 5, "{wrong} of {} texts differ", texts.len());
}
