//! What holds for any text.

#![expect(clippy::indexing_slicing, reason = "a test may fail")]

use hookgate_shell::{
    Limits, Node, Script, Span, Statement, Visitor, Word, foreign, parse, pieces, powershell,
};
use proptest::prelude::*;

/// Pieces that mean something to the parser.
const PIECES: &[&str] = &[
    "a",
    "b c",
    " ",
    " ",
    "\n",
    ";",
    "; ",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    "(",
    ")",
    "{",
    "{ ",
    "}",
    "; }",
    "$(",
    "`",
    "\\",
    "\\\n",
    "'",
    "\"",
    "$'",
    "$",
    "$x",
    "${x}",
    "${x:-",
    "${",
    "$((",
    "))",
    "((",
    "$[",
    "]",
    "[",
    "[[ ",
    " ]]",
    "<",
    ">",
    ">>",
    "<(",
    ">(",
    "<<E\n",
    "<<'E'\n",
    "<<-E\n",
    "\nE\n",
    "<<<",
    "2>&1",
    "&>",
    "{fd}>",
    "if ",
    "then ",
    "else ",
    "fi",
    "while ",
    "do ",
    "done",
    "for x in ",
    "case x in ",
    "a) ",
    ";;",
    "esac",
    "f() ",
    "function ",
    "coproc ",
    "time ",
    "! ",
    "#",
    "é",
    "\u{1F600}",
    "\r\n",
    "\t",
    "~",
    "*",
    "$=x",
    "$~x",
    "$#x",
    "$x:h",
    "$x:s,a,b,",
    "$x[1]",
    ">!",
    "*(e:ls:)",
    "=rm ",
    "@(",
    "{a,b}",
    "{1..3}",
    "x=",
    "x=(",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat()),
        any::<String>(),
        "[ -~\n]{0,60}",
    ]
}

/// Collects every span of a tree.
#[derive(Default)]
struct Spans(Vec<Span>);

impl Visitor for Spans {
    fn statement(&mut self, statement: &Statement) {
        self.0.push(statement.span);
        self.0.extend(statement.redirections.iter().map(|redirection| redirection.span));
        if let Node::Command(command) = &statement.node {
            self.0.push(command.span);
            self.0.extend(command.assignments.iter().map(|assignment| assignment.span));
        }
    }

    fn word(&mut self, word: &Word) {
        self.0.push(word.span);
    }
}

/// Collects the literal command words of a tree.
#[derive(Default)]
struct Commands(Vec<String>);

impl Visitor for Commands {
    fn statement(&mut self, statement: &Statement) {
        if let Node::Command(command) = &statement.node {
            self.0.extend(command.words.first().and_then(Word::literal));
        }
    }
}

fn commands(script: &Script) -> Vec<String> {
    let mut commands = Commands::default();
    script.walk(&mut commands);
    commands.0
}

/// Where `needle` stands as a command word, found by following quotes and brackets only. Knows no heredocs, comments,
/// `case` or arithmetic: texts with those are not given to it.
fn scan(text: &str, needle: &str) -> usize {
    let bytes: Vec<char> = text.chars().collect();
    let mut open = vec![')'];
    let mut found = 0;
    let mut commanding = true;
    let mut at = 0;
    while let Some(&sign) = bytes.get(at) {
        let quoted = open.last() == Some(&'"');
        let was_commanding = std::mem::replace(&mut commanding, false);
        match sign {
            '\\' => at += 1,
            '\'' if !quoted => at += 1 + bytes[at + 1..].iter().take_while(|sign| **sign != '\'').count(),
            '"' if quoted => drop(open.pop()),
            '"' => open.push('"'),
            '$' if bytes.get(at + 1) == Some(&'(') => {
                open.push(')');
                at += 1;
                commanding = true;
            }
            _ if quoted => {}
            '(' => {
                open.push(')');
                commanding = true;
            }
            ')' => drop(open.pop()),
            ';' | '&' | '|' | '\n' => commanding = true,
            ' ' | '\t' => commanding = was_commanding,
            _ if was_commanding => {
                let word: String =
                    bytes[at..].iter().take_while(|sign| sign.is_ascii_alphanumeric()).collect();
                let next = bytes.get(at + word.len());
                let ends = next.is_none_or(|next| " \t\n;&|)".contains(*next));
                if word == needle && ends {
                    found += 1;
                }
                commanding = ends && ["if", "then", "else", "while", "do"].contains(&word.as_str())
                    || (matches!(sign, '!' | '{') && bytes.get(at + 1) == Some(&' '));
                at += word.len().saturating_sub(1);
            }
            _ => {}
        }
        at += 1;
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_and_every_span_lies_inside_it(text in text()) {
        let script = parse(&text, &Limits::default());
        let mut spans = Spans::default();
        script.walk(&mut spans);
        spans.0.extend(script.problems.iter().map(|problem| problem.span));
        for span in spans.0 {
            let (start, end) = (span.start as usize, span.end as usize);
            prop_assert!(start <= end && text.get(start..end).is_some(), "{span:?} of {text:?}");
        }
        prop_assert!(script.problems.len() <= 1);
        for span in powershell(&text, &Limits::default()).commands.iter().map(|command| command.span) {
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some());
        }
        let _ = foreign(&text);
    }

    #[test]
    fn reading_twice_gives_the_same(text in text()) {
        prop_assert_eq!(parse(&text, &Limits::default()), parse(&text, &Limits::default()));
    }

    #[test]
    fn tight_limits_never_make_a_text_acceptable(text in text()) {
        let tight = Limits { bytes: 20, depth: 2, nodes: 6 };
        if parse(&text, &tight).problems.is_empty() {
            prop_assert_eq!(parse(&text, &Limits::default()).problems, []);
        }
    }

    /// However a text is cut by limits, the first piece is what is read without a second try, and every place is one of the text.
    #[test]
    fn pieces_are_of_the_text(text in text(), depth in 1_usize..5, nodes in 1_usize..12) {
        let tight = Limits { depth, nodes, ..Limits::default() };
        let mut first = true;
        for piece in pieces(&text, &tight) {
            if std::mem::take(&mut first) {
                prop_assert_eq!(&piece.script, &parse(&text, &tight));
            }
            let mut spans = Spans::default();
            piece.script.walk(&mut spans);
            for span in spans.0 {
                let (start, end) = (span.start as usize, span.end as usize);
                prop_assert!(start <= end && text.get(start..end).is_some(), "{span:?} of {text:?}");
            }
        }
    }

    /// Commands side by side and nested are all found, wherever a limit cuts them.
    #[test]
    fn no_limit_hides_a_command(
        pieces_of_text in proptest::collection::vec(proptest::sample::select(&[
            "evil; ", "evil a b c\n", "a; ", "{ evil; }; ", "( a; evil ); ", "if a; then evil; fi; ", "while a; do evil a; done; ",
            "a && evil; ", "a | evil; ", "{ { { { evil; }; }; }; }; ", "( ( ( ( evil ) ) ) ); ", "if a; then if a; then { evil; }; fi; fi; ",
            "a b c d e f g h i j k l m n o p q r s t u v w x y z; ",
        ][..]), 0..16), depth in 3_usize..6, nodes in 8_usize..24,
    ) {
        let text = pieces_of_text.concat();
        let tight = Limits { depth, nodes, ..Limits::default() };
        let found: usize = pieces(&text, &tight)
            .map(|piece| commands(&piece.script).iter().filter(|word| *word == "evil").count())
            .sum();
        let there = commands(&parse(&text, &Limits::default())).iter().filter(|word| *word == "evil").count();
        prop_assert!(found >= there, "{found} of {there}: {text:?}");
    }

    /// Mutated texts: what is accepted hides no command.
    #[test]
    fn no_accepted_text_hides_a_command(
        pieces in proptest::collection::vec(proptest::sample::select(&[
            "evil", "evil", "a", "b ", " ", "; ", "\n", "&& ", "| ", "& ", "$(", "$(evil", ")", ")", "\"", "\"", "'", "\\", "( ", "{ ",
            "; }", "if ", "; then ", "; fi", "while ", "; do ", "; done", "! ", "$x", "${x:-", "}", "x=", ">f ", "2>&1 ", "{a,b}", "[[ ", " ]]",
            "\r\n", "\\\n", "~", "*",
        ][..]), 0..16)
    ) {
        let text = pieces.concat();
        let script = parse(&text, &Limits::default());
        // Bodies of `${x:-...}` and `[[ ]]` and arithmetic are not the scanner's.
        let simple = ["((", "${", "[[", "=(", "\\\n"].iter().all(|sign| !text.contains(sign));
        if script.problems.is_empty() && simple {
            let found = commands(&script).iter().filter(|word| *word == "evil").count();
            prop_assert!(found >= scan(&text, "evil"), "{text:?}: {script:?}");
        }
    }
}

#[test]
fn the_scanner_sees_what_it_should() {
    assert_eq!(scan("evil; a \"$(evil)\" 'evil' evil && evil", "evil"), 3);
    assert_eq!(scan("if evil; then ! evil; fi", "evil"), 2);
    assert_eq!(scan("\"evil\" \\evil x=evil", "evil"), 0);
}
