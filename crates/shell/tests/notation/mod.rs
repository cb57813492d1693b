//! A compact notation of the tree, for tests.
//!
//! Commands are their words; `[kind ...]` is everything else. In words: `'quoted'`, `<glob>`, `$x`, `${x:-w}`,
//! `$[script]`, `$((expression))`, `{a|b}` for braces.

use hookgate_shell::{
    Assignment, Direction, Expansion, Joint, LoopKind, Node, Part, Redirection, RedirectionKind, Script,
    Statement, Word,
};

pub(crate) fn script(script: &Script) -> String {
    script.statements.iter().map(statement).collect::<Vec<_>>().join("; ")
}

fn statement(statement: &Statement) -> String {
    let mut pieces = vec![node(&statement.node)];
    pieces.retain(|piece| !piece.is_empty());
    pieces.extend(statement.redirections.iter().map(redirection));
    if statement.background {
        pieces.push("&".to_owned());
    }
    pieces.join(" ")
}

fn node(node: &Node) -> String {
    match node {
        Node::Command(command) => {
            let assignments = command.assignments.iter().map(assignment);
            assignments.chain(command.words.iter().map(word)).collect::<Vec<_>>().join(" ")
        }
        Node::Pipeline { stages, negated } => {
            let stages = stages.iter().map(statement).collect::<Vec<_>>().join(" | ");
            format!("[pipe{} {stages}]", if *negated { " !" } else { "" })
        }
        Node::List { first, rest } => {
            let rest = rest.iter().map(|(joint, next)| {
                format!("{} {}", if *joint == Joint::And { "&&" } else { "||" }, statement(next))
            });
            let pieces: Vec<_> = std::iter::once(statement(first)).chain(rest).collect();
            format!("[list {}]", pieces.join(" "))
        }
        Node::Group(inner) => format!("[group {}]", script(inner)),
        Node::Subshell(inner) => format!("[subshell {}]", script(inner)),
        Node::If { branches, otherwise } => {
            let mut pieces: Vec<_> = branches
                .iter()
                .map(|(condition, body)| format!("{} ? {}", script(condition), script(body)))
                .collect();
            pieces.extend(otherwise.as_ref().map(script));
            format!("[if {}]", pieces.join(" : "))
        }
        Node::Loop { kind, condition, body } => {
            let kind = if *kind == LoopKind::While { "while" } else { "until" };
            format!("[{kind} {} ? {}]", script(condition), script(body))
        }
        Node::For { variable, words, body } => {
            let words = words.as_ref().map_or_else(|| "@".to_owned(), |list| all(list));
            format!("[for {variable} in {words} : {}]", script(body))
        }
        Node::ForArithmetic { expressions, body } => {
            let expressions = expressions.iter().map(word).collect::<Vec<_>>().join(";");
            format!("[for (({expressions})) : {}]", script(body))
        }
        Node::Case { subject, arms } => {
            let arms = arms.iter().map(|arm| format!("{}) {}", all(&arm.patterns), script(&arm.body)));
            format!("[case {} {}]", word(subject), arms.collect::<Vec<_>>().join(" ;; "))
        }
        Node::Function { name, body } => format!("[function {name} {}]", statement(body)),
        Node::Test(words) => format!("[test {}]", all(words)),
        Node::Arithmetic(expression) => format!("[arithmetic {}]", word(expression)),
        Node::Coprocess(body) => format!("[coproc {}]", statement(body)),
    }
}

fn all(words: &[Word]) -> String {
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn assignment(assignment: &Assignment) -> String {
    let subscript = assignment.subscript.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let value =
        if assignment.array { format!("({})", all(&assignment.value)) } else { all(&assignment.value) };
    format!("{}{subscript}{}={value}", assignment.name, if assignment.append { "+" } else { "" })
}

fn redirection(redirection: &Redirection) -> String {
    let sign = match redirection.kind {
        RedirectionKind::Read => "<",
        RedirectionKind::Write => ">",
        RedirectionKind::Append => ">>",
        RedirectionKind::ReadWrite => "<>",
        RedirectionKind::WriteBoth => "&>",
        RedirectionKind::AppendBoth => "&>>",
        RedirectionKind::DuplicateOutput => ">&",
        RedirectionKind::DuplicateInput => "<&",
        RedirectionKind::Heredoc => "<<",
        RedirectionKind::HereString => "<<<",
    };
    let number = redirection.descriptor.map_or(String::new(), |number| number.to_string());
    let body =
        redirection.heredoc.as_ref().map_or(String::new(), |heredoc| format!(" {}", word(&heredoc.body)));
    format!("{number}{sign}{}{body}", word(&redirection.target))
}

pub(crate) fn word(word: &Word) -> String {
    word.parts.iter().map(part).collect()
}

fn part(part: &Part) -> String {
    match part {
        Part::Literal { text, quoted: false } => text.replace('\n', "\\n"),
        Part::Literal { text, quoted: true } => format!("'{}'", text.replace('\n', "\\n")),
        Part::Parameter { name, subscript, expansion, .. } => {
            let index = subscript.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
            match expansion {
                Expansion::Plain => format!("${name}{index}"),
                Expansion::Default(operand) => format!("${{{name}{index}:-{}}}", word(operand)),
                Expansion::Assign(operand) => format!("${{{name}{index}:={}}}", word(operand)),
                Expansion::Alternative(operand) => format!("${{{name}{index}:+{}}}", word(operand)),
                Expansion::Require(operand) => format!("${{{name}{index}:?{}}}", word(operand)),
                Expansion::Length => format!("${{#{name}{index}}}"),
                Expansion::Indirect => format!("${{!{name}{index}}}"),
                Expansion::RemovePrefix(operand) => format!("${{{name}{index}#{}}}", word(operand)),
                Expansion::RemoveSuffix(operand) => format!("${{{name}{index}%{}}}", word(operand)),
                Expansion::Replace(pattern, replacement) => {
                    format!("${{{name}{index}/{}/{}}}", word(pattern), word(replacement))
                }
                Expansion::Other(words) => format!("${{{name}{index} {}}}", all(words)),
                Expansion::Zsh(kind) => format!("${name}({kind:?})"),
            }
        }
        Part::Command { script: inner, .. } => format!("$[{}]", script(inner)),
        Part::Process { script: inner, direction, .. } => {
            format!("{}[{}]", if *direction == Direction::Read { "<" } else { ">" }, script(inner))
        }
        Part::Arithmetic { expression, .. } => format!("$(({}))", word(expression)),
        Part::Glob(text) => format!("<{text}>"),
        Part::Tilde(text) => text.clone(),
        Part::Brace(words) => format!("{{{}}}", words.iter().map(word).collect::<Vec<_>>().join("|")),
    }
}
