//! Hostile and very long text costs bounded time and stack, and ends as a problem or as what it is.

#![expect(clippy::expect_used, reason = "a test may fail")]

use std::time::{Duration, Instant};

use hookgate_shell::{Limits, ProblemKind, Script, foreign, parse, powershell};

/// An optimised build takes less than 50 ms of a processor.
const MOST: Duration =
    if cfg!(debug_assertions) { Duration::from_secs(5) } else { Duration::from_millis(200) };

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
