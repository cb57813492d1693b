//! What texts come out as: `tests/data/structure.txt`, and where things stand.

mod notation;

use hookgate_shell::{Limits, Node, Part, ProblemKind, parse};

/// The cases of a data file: a line of text with `\n`, `\t`, `\r` for what can't stand in a line, then a line `= tree`
/// or `! problem`.
fn cases() -> Vec<(String, String)> {
    let mut lines =
        include_str!("data/structure.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("##"));
    let mut cases = Vec::new();
    while let (Some(text), Some(expected)) = (lines.next(), lines.next()) {
        let text = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r");
        cases.push((text, expected.replace("\\r", "\r")));
    }
    cases
}

#[test]
fn texts_have_the_structure_that_bash_gives_them() {
    let cases = cases();
    assert!(cases.len() > 100, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let script = parse(&text, &Limits::default());
        let found = match script.problems.first() {
            None => format!("= {}", notation::script(&script)),
            Some(problem) => format!("! {}", problem.message),
        };
        if found != expected {
            wrong.push(format!("{text:?}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A carriage return is a letter to bash, in a heredoc's delimiter too: what stands behind the heredoc is a command.
#[test]
fn a_heredoc_with_carriage_returns_ends_where_bash_ends_it() {
    let script = parse("cat <<E\r\nx\r\nE\r\ngit push", &Limits::default());
    assert_eq!(script.problems, []);
    assert_eq!(script.statements.len(), 2);
}

#[test]
fn spans_name_the_bytes_of_the_construct() {
    let text = "A=1 é >x \"$(b c)\" <<E; d\n$y\nE\n";
    let script = parse(text, &Limits::default());
    assert_eq!(script.problems, []);
    let first = &script.statements[0];
    assert_eq!(first.span.of(text), "A=1 é >x \"$(b c)\" <<E");
    let Node::Command(command) = &first.node else { panic!("not a command") };
    assert_eq!(command.span.of(text), "A=1 é >x \"$(b c)\"");
    assert_eq!(command.assignments[0].span.of(text), "A=1");
    assert_eq!(command.words[0].span.of(text), "é");
    let Part::Command { span, script: inner, .. } = &command.words[1].parts[0] else {
        panic!("not a substitution")
    };
    assert_eq!(span.of(text), "$(b c)");
    assert_eq!(inner.statements[0].span.of(text), "b c");
    assert_eq!(first.redirections[1].span.of(text), "<<E");
    let heredoc = first.redirections[1].heredoc.as_ref().expect("a heredoc");
    assert_eq!(heredoc.body.span.of(text), "$y\n");
    let Part::Parameter { span, .. } = &heredoc.body.parts[0] else { panic!("not a parameter") };
    assert_eq!(span.of(text), "$y");
    assert_eq!(script.statements[1].span.of(text), "d");
}

#[test]
fn statements_before_a_problem_are_kept() {
    let script = parse("rm -rf x\n)", &Limits::default());
    assert_eq!(script.problems[0].kind, ProblemKind::Syntax);
    assert_eq!(notation::script(&script), "rm -rf x");
}

#[test]
fn what_is_open_at_the_end_is_closed_there() {
    for (text, as_if) in [
        ("rm -f 'a b", "rm -f 'a b'"),
        ("rm x; echo \"a $(ls 'b", "rm x; echo \"a $(ls 'b')\""),
        ("echo \"a `ls b", "echo \"a `ls b`\""),
        ("echo `ls 'b`; rm x", "echo `ls 'b'`; rm x"),
        ("cat <(ls $'a\\n", "cat <(ls $'a\\n')"),
        ("cat <<E\na 'b\nE\nrm 'x", "cat <<E\na 'b\nE\nrm 'x'"),
    ] {
        let script = parse(text, &Limits::default());
        let kinds: Vec<_> = script.problems.iter().map(|problem| problem.kind).collect();
        assert_eq!(kinds, [ProblemKind::Unclosed], "{text}");
        let whole = parse(as_if, &Limits::default());
        assert_eq!(notation::script(&script), notation::script(&whole), "{text}");
    }
    for text in ["if ls 'a", "{ ls \"a", "( ls 'a", "ls ${a", "((a + 'b", "a=(b 'c", "[[ a == 'b", "ls 'a\0"]
    {
        let script = parse(text, &Limits::default());
        assert_eq!(script.problems[0].kind, ProblemKind::Syntax, "{text}");
    }
}

#[test]
fn a_problem_says_where_it_stands() {
    let script = parse("a; echo \"b $(c", &Limits::default());
    let problem = &script.problems[0];
    assert_eq!((problem.span.start, problem.span.end), (11, 14));
    assert_eq!(problem.message, "a substitution is not closed");
}

#[test]
fn what_an_open_group_holds_is_kept_beside_an_open_quote() {
    let script = parse("f() {\nrm 'a b\n}; f", &Limits::default());
    assert_eq!(script.problems[0].kind, ProblemKind::Syntax);
    assert!(notation::script(&script).starts_with("rm 'a b"), "{}", notation::script(&script));
}
