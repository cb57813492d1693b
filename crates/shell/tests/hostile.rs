//! Hostile and very long text costs bounded time and stack, and ends as a problem or as what it is.

#![expect(clippy::expect_used, reason = "a test may fail")]

use std::time::{Duration, Instant};

use hookgate_shell::{
    Limits, Node, ProblemKind, Script, Statement, Visitor, Word, foreign, parse, pieces, powershell,
};

/// An optimised build takes up to 180 ms of a processor for a text of two megabytes: what grows with the square takes minutes.
const MOST: Duration =
    if cfg!(debug_assertions) { Duration::from_secs(5) } else { Duration::from_millis(500) };

/// Time that this thread had a processor, where the system tells; else time on the clock.
fn used(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// Parse on a stack of one mebibyte, drop included, and watch the clock.
fn bounded(text: &str) -> Script {
    let text = text.to_owned();
    let work = move || {
        let start = Instant::now();
        let script = parse(&text, &Limits::default());
        drop(script.clone());
        for piece in pieces(&text, &Limits::default()) {
            drop(piece);
        }
        let _ = (foreign(&text), powershell(&text, &Limits::default()));
        let start_of_text: String = text.chars().take(20).collect();
        assert!(used(start) < MOST, "{start_of_text:?} took {:?}", used(start));
        script
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread").join().expect("no panic")
}

#[test]
fn repeated_openings_are_bounded() {
    let openings = [
        "(",
        "((",
        "{",
        "{ ",
        "$(",
        "$((",
        "\"$(",
        "\"${a:-",
        "${",
        "${a:-",
        "${a[",
        "${a/",
        "`",
        "`\\`",
        "'",
        "\"",
        "$'",
        "$[",
        "[",
        "[[ ",
        "[[ (",
        "[[ ! ",
        "[[ a =~ (",
        "@(",
        "<(",
        ">(",
        "a[",
        "a[$(",
        "a=(",
        "declare a=(",
        "if ",
        "if a; then ",
        "while ",
        "for ((",
        "for x in ",
        "for ((;;)) do ",
        "case x in ",
        "case x in a) ",
        "f() ",
        "f() { ",
        "function ",
        "coproc ",
        "! ",
        "time ",
        "a && ",
        "a | ",
        "a & ",
        "a; ",
        "<<E ",
        "cat <<E\n",
        "cat <<'E'\n$(",
        "{a,",
        "{1..9}",
        "{1..64}",
        "$",
        "\\",
        "\\\n",
        "#",
        "\n",
        ";",
        "&",
        "|",
        "<",
        ">",
        "<<",
        "<<<",
        "~",
        "=",
        "*",
        "é",
        "((a);b);",
        "$((a);b) ",
        "((1+",
        "a[1]b ",
        "$((`\"${x:-'",
        "`cat <<A\n\\`cat <<B\nB\n\\`\nA\n`",
        "cat <<A <<'B'\nA\n$(x)\nB\n",
        "$(cat <<A\n",
        "[\"",
        "a\r",
        "\r\n",
    ];
    for opening in openings {
        bounded(&opening.repeat(40_000));
        bounded(&format!("{}a", opening.repeat(25)));
    }
}

#[test]
fn balanced_nesting_is_bounded() {
    for (open, close) in [
        ("(", ")"),
        ("{ ", "; }"),
        ("$(", ")"),
        ("\"$(", ")\""),
        ("${a:-", "}"),
        ("$((", "))"),
        ("((", "))"),
        ("<(", ")"),
        ("if a; then ", "; fi"),
        ("while ", "; do a; done"),
        ("case x in a) ", ";; esac"),
        ("a=(", ")"),
        ("f() { ", "; }"),
        ("[[ (", ") ]]"),
        ("@(", ")"),
        ("{a,", "}"),
        ("a[$(", ")]=b"),
        ("$(cat <<E\n$(", ")\nE\n)"),
    ] {
        for depth in [10, 100, 1000, 100_000] {
            let text = format!("{}a{}", open.repeat(depth), close.repeat(depth));
            let script = bounded(&text);
            let shallow = depth == 10 || open == "{a,";
            assert!(shallow || !script.problems.is_empty(), "{open} {depth}");
        }
    }
}

#[test]
fn nesting_beyond_the_limit_is_a_limit() {
    for open in ["(", "{ ", "$(", "${a:-", "\"$(", "if "] {
        assert_eq!(bounded(&open.repeat(100)).problems[0].kind, ProblemKind::Limit, "{open}");
    }
}

/// Looks for a command with that name.
struct Finds(&'static str, bool);

impl Visitor for Finds {
    fn statement(&mut self, statement: &Statement) {
        if let Node::Command(command) = &statement.node {
            self.1 |= command.words.first().and_then(Word::literal).as_deref() == Some(self.0);
        }
    }
}

fn start_of(text: &str) -> String {
    text.chars().take(40).collect()
}

/// What a text is split into, and whether one of the pieces has that command.
fn split(text: &str, name: &'static str) -> (usize, bool) {
    let mut finds = Finds(name, false);
    let count = pieces(text, &Limits::default()).inspect(|piece| piece.script.walk(&mut finds)).count();
    (count, finds.1)
}

#[test]
fn a_command_behind_a_limit_is_read() {
    let many = |text: &str, count: usize| text.repeat(count);
    for text in [
        many("a;", 60_000),
        many("a | ", 30_000) + "a;",
        many("a && ", 30_000) + "a;",
        format!("echo {};", many("a ", 60_000)),
        format!("echo \"{}\";", many("$a", 60_000)),
        format!("echo {};", many("$a", 60_000)),
        format!("if false; then echo {}; fi;", many("{a,b} ", 30_000)),
        format!("echo {{{}}};", many("a,", 60_000)),
        format!("a=({});", many("a ", 60_000)),
        format!("declare a=({});", many("a ", 60_000)),
        format!("for x in {}; do a; done;", many("a ", 60_000)),
        format!("case x in {}) a;; esac;", many("a|", 60_000) + "a"),
        format!("case x in {}esac;", many("a) a;; ", 20_000)),
        format!("[[ {} ]];", many("a && ", 30_000) + "a"),
        format!("a {};", many("<a ", 60_000)),
        format!("f() {{ {}}};", many("a;", 60_000)),
        format!("$({});", many("a;", 60_000)),
        format!("{} a{};", many("{ ", 200), many("; }", 200)),
        format!("{} a{};", many("(", 200), many(")", 200)),
        format!("{} a{};", many("if a; then ", 200), many("; fi", 200)),
        format!("{} a{};", many("while a; do ", 200), many("; done", 200)),
        format!("{} a{};", many("case x in a) ", 200), many(";; esac", 200)),
        format!("{} a{};", many("$(a ", 200), many(")", 200)),
        format!("# {}\n", many("a", 1 << 20)),
    ] {
        let whole = format!("{text} evil");
        assert!(split(&whole, "evil").1, "{}", start_of(&whole));
        assert!(bounded(&whole).problems.len() <= 1);
    }
}

#[test]
fn a_command_in_front_of_a_limit_is_kept() {
    let deep = "{ ".repeat(40);
    let long = format!("echo {}", "{a,b} ".repeat(30_000));
    for limit in [&deep, &long] {
        for text in [
            format!("if evil; then {limit}"),
            format!("if a; then evil; else {limit}"),
            format!("while evil; do {limit}"),
            format!("case x in a) evil;; b) {limit}"),
            format!("{{ evil; {limit}"),
            format!("(evil; {limit}"),
            format!("evil | {limit}"),
            format!("evil && {limit}"),
            format!("a $(evil) $({limit}"),
            format!("a $(evil; {limit}"),
        ] {
            assert!(split(&text, "evil").1, "{}", start_of(&text));
        }
    }
}

#[test]
fn the_words_of_a_long_command_stay_its_own() {
    let text = format!("echo -n {}evil b; ls", "evil ".repeat(40_000));
    let mut names = Vec::new();
    for piece in pieces(&text, &Limits::default()) {
        for statement in &piece.script.statements {
            let Node::Command(command) = &statement.node else { continue };
            names.extend(command.words.first().and_then(Word::literal));
        }
    }
    assert_eq!(names.iter().filter(|name| *name == "evil").count(), 0);
    assert_eq!(names.last().map(String::as_str), Some("ls"));
}

#[test]
fn nothing_follows_a_text_beyond_every_limit() {
    for text in ["a ".repeat(1 << 20), "'a' ".repeat(1 << 20), "{ ".repeat(1 << 20), "${a:-".repeat(1 << 18)]
    {
        assert!(split(&text, "evil").0 <= 64);
        bounded(&text);
    }
}

#[test]
fn a_mebibyte_of_code_is_a_limit() {
    for text in
        ["a ".repeat(1 << 19), "a".repeat(1 << 20), "a;".repeat(1 << 19), "a 'b' \"c\"\n".repeat(1 << 17)]
    {
        assert_eq!(bounded(&text).problems[0].kind, ProblemKind::Limit);
    }
}

#[test]
fn a_long_heredoc_is_data() {
    let line = "It's a line with (brackets, `quotes` and $dollars.\n".repeat(40_000);
    let plain = "a plain line\n".repeat(150_000);
    for text in [
        format!("cat > x <<'END'\n{line}END\nls"),
        format!("cat > x <<END\n{plain}END\nls"),
        format!("cat <<'A' <<'B'\n{plain}A\n{line}B\nls"),
        format!("x=$(cat <<'END'\n{line}END\n)\nls"),
    ] {
        let script = bounded(&text);
        assert_eq!(script.problems, []);
        assert_eq!(script.statements.len(), 2);
    }
}

#[test]
fn code_after_a_long_heredoc_counts() {
    let text = format!("cat <<'E'\n{}E\n{}", "x\n".repeat(1 << 19), "a ".repeat(1 << 19));
    assert_eq!(bounded(&text).problems[0].kind, ProblemKind::Limit);
}
