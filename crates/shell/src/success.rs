//! What the success of a whole text shows: the commands that must have succeeded for it to end with 0.

use crate::{Joint, Node, Script, Span, Statement};

/// How deep groups are followed.
const DEEPEST: usize = 32;

/// The commands that have succeeded if the text ended with exit code 0: the last one, what `&&` joins to it, the last stage of a
/// pipe (every stage with `pipefail`), and with `errexit` the ones before. Nothing where the text has a problem.
///
/// What runs in the background, behind `||` or `!`, or in a condition or a loop shows nothing.
#[must_use]
pub fn shown_by_success(script: &Script) -> Vec<Span> {
    let mut shown = Vec::new();
    if script.problems.is_empty() {
        Options::default().script(script, &mut shown, 0);
    }
    shown
}

/// The shell's options as far as they were set so far.
#[derive(Clone, Copy, Default)]
struct Options {
    errexit: bool,
    pipefail: bool,
    /// A command took the exit code into its own hands: what follows may not run, or end as another code.
    replaced: bool,
}

impl Options {
    fn script(&mut self, script: &Script, shown: &mut Vec<Span>, depth: usize) {
        let Some((last, before)) = script.statements.split_last() else { return };
        for statement in before {
            // A list that isn't last ends the text only by its own last command, so it shows nothing here.
            let ends_the_text = self.errexit && !matches!(statement.node, Node::List { .. });
            let mut own = Vec::new();
            self.statement(statement, &mut own, depth);
            if ends_the_text {
                shown.append(&mut own);
            }
        }
        self.statement(last, shown, depth);
    }

    fn statement(&mut self, statement: &Statement, shown: &mut Vec<Span>, depth: usize) {
        if statement.background || depth > DEEPEST {
            return;
        }
        match &statement.node {
            Node::Command(command) => {
                if !self.replaced {
                    shown.push(command.span);
                }
                self.set(&command.words.iter().filter_map(plain).collect::<Vec<_>>());
                // A computed word counts as some word.
                let words: Vec<&str> = command.words.iter().map(|word| plain(word).unwrap_or("?")).collect();
                self.replaced |= replaces(&words);
            }
            Node::Pipeline { negated: true, .. } => {}
            Node::Pipeline { stages, .. } => {
                let first = if self.pipefail { 0 } else { stages.len().saturating_sub(1) };
                for stage in stages.iter().skip(first) {
                    self.statement(stage, shown, depth + 1);
                }
            }
            Node::List { first, rest } => {
                let mut own = Vec::new();
                self.statement(first, &mut own, depth + 1);
                for (joint, next) in rest {
                    let mut more = Vec::new();
                    self.statement(next, &mut more, depth + 1);
                    match joint {
                        Joint::And => own.append(&mut more),
                        // Either may be what succeeded.
                        Joint::Or => own.clear(),
                    }
                }
                shown.append(&mut own);
            }
            Node::Group(script) => self.script(script, shown, depth + 1),
            Node::Subshell(script) => { *self }.script(script, shown, depth + 1),
            _ => {}
        }
    }

    /// `set -e`, `set -euo pipefail`, `set +e`.
    fn set(&mut self, words: &[&str]) {
        let Some((&"set", arguments)) = words.split_first() else { return };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let on = argument.starts_with('-');
            let Some(letters) = argument.strip_prefix(['-', '+']) else { continue };
            if letters.contains('e') {
                self.errexit = on;
            }
            if letters.ends_with('o') {
                match arguments.next() {
                    Some(&"pipefail") => self.pipefail = on,
                    Some(&"errexit") => self.errexit = on,
                    _ => {}
                }
            }
        }
    }
}

/// Does a command decide with which code the text ends? `trap 'exit 0' EXIT`, `exec true`, `exit`. A bare `trap` or `exec` sets nothing.
fn replaces(words: &[&str]) -> bool {
    let words = match words {
        ["builtin" | "command", rest @ ..] => rest,
        _ => words,
    };
    match words {
        // `trap - EXIT` takes one away, `trap '' INT` ignores a signal.
        ["trap", "-" | "-p" | "-l" | "", ..] => false,
        ["exit" | "return" | "logout", ..] | ["trap" | "exec", _, ..] => true,
        _ => false,
    }
}

/// A word's text, if it is written out.
fn plain(word: &crate::Word) -> Option<&str> {
    match word.parts.as_slice() {
        [crate::Part::Literal { text, .. }] => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, parse};

    fn shown(text: &str) -> Vec<&str> {
        let spans = shown_by_success(&parse(text, &Limits::default()));
        spans.into_iter().filter_map(|span| text.get(span.start as usize..span.end as usize)).collect()
    }

    #[test]
    fn success_shows_the_last_command_and_what_it_rests_on() {
        for (text, expected) in [
            ("make test", vec!["make test"]),
            ("cd app && make test", vec!["cd app", "make test"]),
            ("make test; echo done", vec!["echo done"]),
            ("make test || true", vec![]),
            ("a || b && make test", vec!["make test"]),
            ("make test | tail -5", vec!["tail -5"]),
            ("set -o pipefail; make test | tail", vec!["make test", "tail"]),
            ("set -euo pipefail\nmake test | tail\necho ok", vec!["make test", "tail", "echo ok"]),
            ("set -e; make test || true; echo ok", vec!["echo ok"]),
            ("trap 'exit 0' EXIT; make test", vec![]),
            ("trap 'exit 0' EXIT && make test", vec!["trap 'exit 0' EXIT"]),
            ("set -e; builtin trap : ERR; make test", vec!["builtin trap : ERR"]),
            ("exec true; make test", vec![]),
            ("exec \"$RUN\"; make test", vec![]),
            ("exit; make test", vec![]),
            ("(trap 'exit 0' EXIT; make test)", vec![]),
            ("(exit); make test", vec!["make test"]),
            ("set -e; set +e; make test; echo ok", vec!["set +e", "echo ok"]),
            ("! make test", vec![]),
            ("make test &", vec![]),
            ("if make test; then echo ok; fi", vec![]),
            ("(cd app && make test)", vec!["cd app", "make test"]),
            ("{ make test; }", vec!["make test"]),
            ("for x in a b; do make test; done", vec![]),
            ("make test 2>&1 > log", vec!["make test"]),
            ("make test 'unclosed", vec![]),
            ("trap - EXIT; make test", vec!["make test"]),
            ("exec 2>&1; make test", vec!["make test"]),
        ] {
            let found = shown(text);
            let found: Vec<&str> = found.iter().map(|one| one.split(" 2>").next().unwrap_or(one)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
