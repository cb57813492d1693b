//! From the parser library's statements to ours. The only file that knows the library.

use shuck_ast::{
    ArrayElem, Assignment as LibraryAssignment, AssignmentValue, BackgroundOperator, BinaryOp,
    BuiltinCommand, Command as LibraryCommand, CompoundCommand, ConditionalCommand, DeclOperand, ForSyntax,
    FunctionDef, IfSyntax, Redirect, RedirectTarget, SimpleCommand, Stmt, StmtSeq, StmtTerminator,
    Word as LibraryWord,
};
use shuck_parser::parser::{ParseResult, ParseStatus, Parser};

use super::Reader;
use super::account::Ranges;
use super::mask::Masked;
use super::scan::HeredocPlace;
use super::word::{Context, Stop};
use crate::tree::{
    Assignment, Case, Command, Heredoc, Joint, LoopKind, Node, Part, Problem, ProblemKind, Redirection,
    RedirectionKind, Script, Span, Statement, Word,
};

/// The script that is the reader's text.
pub(super) fn script(reader: &Reader<'_>, masked: &Masked<'_>) -> Script {
    if too_deep(&masked.text) {
        reader.problem(ProblemKind::Limit, 0, reader.text.len(), "more open brackets than the limit");
        return Script::default();
    }
    let result = Parser::new(&masked.text).parse();
    if result.status != ParseStatus::Clean {
        note_failure(reader, &result);
        return Script::default();
    }
    let mut converter = Converter { reader: *reader, masked, ranges: Ranges::default() };
    let script = converter.script(&result.file.body);
    if !reader.failed()
        && let Some(at) = converter.ranges.first_gap(&masked.text)
    {
        reader.syntax(at, reader.text.len(), "text that belongs to no command");
    }
    script
}

fn note_failure(reader: &Reader<'_>, result: &ParseResult) {
    let (message, start, end) = match result.diagnostics.first() {
        Some(diagnostic) => {
            (diagnostic.message.clone(), diagnostic.span.start.offset(), diagnostic.span.end.offset())
        }
        None => (result.strict_error().to_string(), 0, reader.text.len()),
    };
    let limit = ["fuel", "too deep", "too large", "too long"].iter().any(|sign| message.contains(sign));
    let kind = if limit { ProblemKind::Limit } else { ProblemKind::Syntax };
    let length = reader.text.len();
    let problem = Problem {
        kind,
        span: reader.span(start.min(length), end.min(length)),
        message: message.to_lowercase(),
    };
    reader.shared.problems.borrow_mut().push(problem);
}

/// The bytes of a library span.
fn range(span: shuck_ast::Span) -> (usize, usize) {
    (span.start.offset(), span.end.offset())
}

struct Converter<'a> {
    reader: Reader<'a>,
    masked: &'a Masked<'a>,
    ranges: Ranges,
}

impl Converter<'_> {
    fn script(&mut self, body: &StmtSeq) -> Script {
        let mut statements = Vec::with_capacity(body.stmts.len());
        let mut last: Option<usize> = None;
        for statement in &body.stmts {
            let (start, end) = self.extent(statement);
            // The library takes `a(b)` for two commands in a row.
            let separated = last.is_none_or(|last| {
                self.masked.text.get(last..start).is_some_and(|gap| gap.contains([';', '&', '\n']))
            });
            if !separated {
                self.reader.syntax(start, end, "a command without a separator before it");
            }
            last = Some(end);
            statements.push(self.statement(statement));
        }
        Script { statements, problems: Vec::new() }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        self.reader.span(start, end)
    }

    /// A construct of a shell that isn't bash.
    fn foreign(&self, span: shuck_ast::Span) -> Node {
        let (start, end) = range(span);
        self.reader.syntax(start, end, "not a construct of bash");
        Node::Command(Command::default())
    }

    fn word(&mut self, span: shuck_ast::Span, context: Context) -> Word {
        let (start, end) = range(span);
        self.word_at(start, end, context)
    }

    fn word_at(&mut self, start: usize, end: usize, context: Context) -> Word {
        self.ranges.add(start, end);
        if !self.reader.count(start) {
            return Word::default();
        }
        self.reader.word(start, end, context)
    }

    fn statement(&mut self, statement: &Stmt) -> Statement {
        let (start, _) = range(statement.span);
        let empty = Statement {
            node: Node::Command(Command::default()),
            redirections: Vec::new(),
            background: false,
            span: self.span(start, start),
        };
        if self.reader.failed() || !self.reader.count(start) {
            return empty;
        }
        let Some(deeper) = self.reader.deeper(start) else { return empty };
        let outer = std::mem::replace(&mut self.reader, deeper);
        let converted = self.statement_inside(statement);
        self.reader = outer;
        converted
    }

    fn statement_inside(&mut self, statement: &Stmt) -> Statement {
        let background = match &statement.terminator {
            Some(StmtTerminator::Background(BackgroundOperator::Plain)) => true,
            Some(StmtTerminator::Background(_)) => {
                let _ = self.foreign(statement.span);
                false
            }
            _ => false,
        };
        let (start, mut end) = self.extent(statement);
        let mut node = self.node(&statement.command, statement);
        let mut redirections = Vec::with_capacity(statement.redirects.len());
        for redirect in &statement.redirects {
            let (redirection, after) = self.redirection(redirect);
            redirections.push(redirection);
            end = end.max(after);
        }
        if statement.negated {
            node = match node {
                Node::Pipeline { stages, negated: false } if redirections.is_empty() => {
                    Node::Pipeline { stages, negated: true }
                }
                node => {
                    let redirections = std::mem::take(&mut redirections);
                    let span = self.span(start, end);
                    let stage = Statement { node, redirections, background: false, span };
                    Node::Pipeline { stages: vec![stage], negated: true }
                }
            };
        }
        Statement { node, redirections, background, span: self.span(start, end) }
    }

    /// Where a statement stands, without the operator that ends it.
    fn extent(&self, statement: &Stmt) -> (usize, usize) {
        let (start, end) = range(statement.span);
        let end = statement.terminator_span.map_or(end, |terminator| terminator.start.offset().min(end));
        let text = self.masked.text.get(start..end).unwrap_or("");
        (start, start + text.trim_end_matches([' ', '\t', '\n', '\r', ';', '&', '|']).len())
    }

    fn node(&mut self, command: &LibraryCommand, statement: &Stmt) -> Node {
        match command {
            LibraryCommand::Simple(simple) => self.simple(simple),
            LibraryCommand::Builtin(builtin) => self.builtin(builtin),
            LibraryCommand::Decl(clause) => {
                let assignments = self.assignments(&clause.assignments);
                let mut words = vec![self.word(clause.variant_span, Context::Plain)];
                for operand in &clause.operands {
                    words.push(match operand {
                        DeclOperand::Flag(word) | DeclOperand::Dynamic(word) => {
                            self.word(word.span, Context::Plain)
                        }
                        DeclOperand::Name(name) => self.word(name.span, Context::Plain),
                        DeclOperand::Assignment(assignment) => self.assignment_word(assignment),
                    });
                }
                self.command(assignments, words)
            }
            LibraryCommand::Binary(_) => self.binary(statement),
            LibraryCommand::Compound(compound) => self.compound(compound),
            LibraryCommand::Function(function) => self.function(function),
            LibraryCommand::AnonymousFunction(function) => self.foreign(function.span),
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) -> Node {
        let assignments = self.assignments(&simple.assignments);
        let mut words = Vec::with_capacity(simple.args.len() + 1);
        if !simple.name.parts.is_empty() {
            words.push(self.word(simple.name.span, Context::Plain));
        }
        for word in &simple.args {
            words.push(self.word(word.span, Context::Plain));
        }
        // `a | ! b`: the library takes the sign for a command word.
        if words.len() > 1 && words.first().and_then(bare).is_some_and(|text| text == "!") {
            words.remove(0);
            let Node::Command(command) = self.command(assignments, words) else {
                return Node::Command(Command::default());
            };
            let span = command.span;
            let stage =
                Statement { node: Node::Command(command), redirections: Vec::new(), background: false, span };
            return Node::Pipeline { stages: vec![stage], negated: true };
        }
        self.command(assignments, words)
    }

    fn builtin(&mut self, builtin: &BuiltinCommand) -> Node {
        let (name, first, rest, assignments, span) = match builtin {
            BuiltinCommand::Break(c) => ("break", &c.depth, &c.extra_args, &c.assignments, c.span),
            BuiltinCommand::Continue(c) => ("continue", &c.depth, &c.extra_args, &c.assignments, c.span),
            BuiltinCommand::Return(c) => ("return", &c.code, &c.extra_args, &c.assignments, c.span),
            BuiltinCommand::Exit(c) => ("exit", &c.code, &c.extra_args, &c.assignments, c.span),
        };
        let assignments = self.assignments(assignments);
        let (mut start, end) = range(span);
        if let Some(last) = assignments.last() {
            start = (last.1).max(start);
        }
        // The library gives no span for the name itself.
        let found = self.masked.text.get(start..end).unwrap_or("").find(name).unwrap_or(0);
        let mut words = vec![self.word_at(start + found, start + found + name.len(), Context::Plain)];
        for word in first.iter().chain(rest) {
            words.push(self.word(word.span, Context::Plain));
        }
        self.command(assignments, words)
    }

    fn command(&mut self, assignments: Vec<(Assignment, usize)>, words: Vec<Word>) -> Node {
        let assignments: Vec<Assignment> =
            assignments.into_iter().map(|(assignment, _)| assignment).collect();
        let spans = || assignments.iter().map(|a| a.span).chain(words.iter().map(|w| w.span));
        let span = Span {
            start: spans().map(|span| span.start).min().unwrap_or(0),
            end: spans().map(|span| span.end).max().unwrap_or(0),
        };
        Node::Command(Command { assignments, words, span })
    }

    /// The assignments, each with the byte after it.
    fn assignments(&mut self, assignments: &[LibraryAssignment]) -> Vec<(Assignment, usize)> {
        assignments
            .iter()
            .map(|assignment| {
                let (start, end) = range(assignment.span);
                self.ranges.add(start, end);
                let name = assignment.target.name.to_string();
                let mut subscript = None;
                let bracket = start + name.len();
                if self.reader.byte(bracket) == b'[' {
                    let (word, _) = self.reader.word_until(bracket + 1, end, Context::Arithmetic, Stop(b"]"));
                    subscript = Some(word);
                }
                let (value, array) = match &assignment.value {
                    AssignmentValue::Scalar(word) => {
                        let (value_start, value_end) = range(word.span);
                        let word = if word.parts.is_empty() {
                            Word { parts: Vec::new(), span: self.span(end, end) }
                        } else {
                            self.word_at(value_start, value_end, Context::Value)
                        };
                        (vec![word], false)
                    }
                    AssignmentValue::Compound(array) => (self.elements(&array.elements), true),
                };
                let span = self.span(start, end);
                (Assignment { name, append: assignment.append, subscript, value, array, span }, end)
            })
            .collect()
    }

    fn elements(&mut self, elements: &[ArrayElem]) -> Vec<Word> {
        elements
            .iter()
            .map(|element| match element {
                ArrayElem::Sequential(value) => self.word(value.word.span, Context::Plain),
                ArrayElem::Keyed { key, value } | ArrayElem::KeyedAppend { key, value } => {
                    let (start, end) = range(key.text.span());
                    let mut word = self.word_at(start, end, Context::Arithmetic);
                    word.parts.insert(0, Part::Literal { text: "[".to_owned(), quoted: false });
                    word.parts.push(Part::Literal { text: "]=".to_owned(), quoted: false });
                    let value = self.word(value.word.span, Context::Value);
                    word.span.end = word.span.end.max(value.span.end);
                    word.parts.extend(value.parts);
                    word
                }
            })
            .collect()
    }

    /// `A=b` as an argument of `export` and its like.
    fn assignment_word(&mut self, assignment: &LibraryAssignment) -> Word {
        let (start, end) = range(assignment.span);
        let AssignmentValue::Compound(array) = &assignment.value else {
            return self.word_at(start, end, Context::Plain);
        };
        self.ranges.add(start, end);
        let open = self.reader.slice(start, end).find('(').map_or(end, |at| start + at + 1);
        let mut parts =
            vec![Part::Literal { text: self.reader.slice(start, open).to_owned(), quoted: false }];
        for (index, element) in self.elements(&array.elements).into_iter().enumerate() {
            if index > 0 {
                parts.push(Part::Literal { text: " ".to_owned(), quoted: true });
            }
            parts.extend(element.parts);
        }
        parts.push(Part::Literal { text: ")".to_owned(), quoted: true });
        Word { parts, span: self.span(start, end) }
    }

    /// Pipelines and lists, which the library nests to the left.
    fn binary(&mut self, statement: &Stmt) -> Node {
        let mut links = Vec::new();
        let mut first = statement;
        let is_pipe = |op: &BinaryOp| matches!(op, BinaryOp::Pipe | BinaryOp::PipeAll);
        let mut pipe = None;
        loop {
            let LibraryCommand::Binary(binary) = &first.command else { break };
            let own = first.negated || !first.redirects.is_empty();
            if *pipe.get_or_insert(is_pipe(&binary.op)) != is_pipe(&binary.op) || (own && !links.is_empty()) {
                break;
            }
            links.push((&binary.op, &*binary.right));
            first = &binary.left;
        }
        links.reverse();
        let first = self.statement(first);
        if pipe == Some(true) {
            let mut stages = vec![first];
            for (_, right) in links {
                stages.push(self.statement(right));
            }
            return Node::Pipeline { stages, negated: false };
        }
        let rest = links
            .into_iter()
            .map(|(op, right)| {
                (if *op == BinaryOp::And { Joint::And } else { Joint::Or }, self.statement(right))
            })
            .collect();
        Node::List { first: Box::new(first), rest }
    }

    fn compound(&mut self, compound: &CompoundCommand) -> Node {
        match compound {
            CompoundCommand::If(clause) => {
                if matches!(clause.syntax, IfSyntax::Brace { .. }) {
                    return self.foreign(clause.span);
                }
                let mut branches = vec![(self.script(&clause.condition), self.script(&clause.then_branch))];
                for (condition, body) in &clause.elif_branches {
                    branches.push((self.script(condition), self.script(body)));
                }
                let otherwise = clause.else_branch.as_ref().map(|body| self.script(body));
                Node::If { branches, otherwise }
            }
            CompoundCommand::For(clause) => {
                if !matches!(clause.syntax, ForSyntax::InDoDone { .. } | ForSyntax::InBrace { .. }) {
                    return self.foreign(clause.span);
                }
                let [target] = clause.targets.as_slice() else { return self.foreign(clause.span) };
                let variable = self.name(target.span);
                let words = clause.words.as_ref().map(|words| self.words(words));
                Node::For { variable, words, body: self.script(&clause.body) }
            }
            CompoundCommand::Select(clause) => {
                let variable = self.name(clause.variable_span);
                let words = Some(self.words(&clause.words));
                Node::For { variable, words, body: self.script(&clause.body) }
            }
            CompoundCommand::ArithmeticFor(clause) => {
                let (start, _) = range(clause.span);
                let Some((start, end)) = self.masked.arithmetic(start) else {
                    return self.foreign(clause.span);
                };
                self.ranges.add(start, end);
                let mut expressions = Vec::with_capacity(3);
                let mut at = start;
                while at <= end && !self.reader.failed() {
                    let (word, after) = self.reader.word_until(at, end, Context::Arithmetic, Stop(b";"));
                    expressions.push(word);
                    at = after + 1;
                }
                Node::ForArithmetic { expressions, body: self.script(&clause.body) }
            }
            CompoundCommand::While(clause) => Node::Loop {
                kind: LoopKind::While,
                condition: self.script(&clause.condition),
                body: self.script(&clause.body),
            },
            CompoundCommand::Until(clause) => Node::Loop {
                kind: LoopKind::Until,
                condition: self.script(&clause.condition),
                body: self.script(&clause.body),
            },
            CompoundCommand::Case(clause) => {
                let subject = self.word(clause.word.span, Context::Plain);
                let arms = clause
                    .cases
                    .iter()
                    .map(|arm| Case {
                        patterns: arm
                            .patterns
                            .iter()
                            .map(|pattern| self.word(pattern.span, Context::Pattern))
                            .collect(),
                        body: self.script(&arm.body),
                    })
                    .collect();
                Node::Case { subject, arms }
            }
            CompoundCommand::Subshell(body) => Node::Subshell(self.script(body)),
            CompoundCommand::BraceGroup(body) => Node::Group(self.script(body)),
            CompoundCommand::Arithmetic(clause) => {
                let (start, _) = range(clause.left_paren_span);
                let (start, end) = self.masked.arithmetic(start).unwrap_or((start, start));
                self.ranges.add(start, end);
                Node::Arithmetic(self.reader.word(start, end, Context::Arithmetic))
            }
            CompoundCommand::Conditional(clause) => self.conditional(clause),
            CompoundCommand::Time(clause) => match &clause.command {
                // `time` changes nothing about what runs.
                Some(command) => {
                    let timed = self.statement(command);
                    if timed.redirections.is_empty() && !timed.background {
                        timed.node
                    } else {
                        Node::Group(Script { statements: vec![timed], problems: Vec::new() })
                    }
                }
                None => Node::Command(Command::default()),
            },
            CompoundCommand::Coproc(clause) => {
                if let Some(span) = clause.name_span {
                    let (start, end) = range(span);
                    self.ranges.add(start, end);
                }
                Node::Coprocess(Box::new(self.statement(&clause.body)))
            }
            CompoundCommand::Repeat(clause) => self.foreign(clause.span),
            CompoundCommand::Foreach(clause) => self.foreign(clause.span),
            CompoundCommand::Always(clause) => self.foreign(clause.span),
        }
    }

    fn words(&mut self, words: &[LibraryWord]) -> Vec<Word> {
        words.iter().map(|word| self.word(word.span, Context::Plain)).collect()
    }

    /// The text of a name.
    fn name(&mut self, span: shuck_ast::Span) -> String {
        let (start, end) = range(span);
        self.ranges.add(start, end);
        self.reader.slice(start, end).to_owned()
    }

    fn function(&mut self, function: &FunctionDef) -> Node {
        let [entry] = function.header.entries.as_slice() else { return self.foreign(function.span) };
        let word = self.word(entry.word.span, Context::Plain);
        let name = word.literal().unwrap_or_else(|| self.name(entry.word.span));
        Node::Function { name, body: Box::new(self.statement(&function.body)) }
    }

    /// `[[ ... ]]`: its words, operators included, read here from blank to blank.
    fn conditional(&mut self, clause: &ConditionalCommand) -> Node {
        let (start, inside) = range(clause.left_bracket_span);
        let (inside_end, end) = range(clause.right_bracket_span);
        self.ranges.add(start, end);
        let mut words = Vec::new();
        let mut at = inside;
        while at < inside_end && !self.reader.failed() {
            if matches!(self.reader.byte(at), b' ' | b'\t' | b'\n' | b'\r') {
                at += 1;
                continue;
            }
            if self.reader.byte(at) == b'\\' && self.reader.byte(at + 1) == b'\n' {
                at += 2;
                continue;
            }
            if !self.reader.count(at) {
                break;
            }
            let (word, after) = self.reader.word_until(at, inside_end, Context::Pattern, Stop(b" \t\n\r"));
            words.push(word);
            at = after.max(at + 1);
        }
        Node::Test(words)
    }

    /// A redirection, and the byte after it.
    fn redirection(&mut self, redirect: &Redirect) -> (Redirection, usize) {
        let (mut start, mut end) = range(redirect.span);
        if let Some(span) = redirect.fd_var_span {
            start = start.min(span.start.offset().saturating_sub(1));
        }
        let mut at = start;
        let mut descriptor = None;
        if self.reader.byte(at) == b'{' {
            while at < end && self.reader.byte(at) != b'}' {
                at += 1;
            }
            at += 1;
        } else {
            while self.reader.byte(at).is_ascii_digit() {
                at += 1;
            }
            descriptor = self.reader.slice(start, at).parse().ok();
        }
        if let Some(place) = self.masked.heredoc(at) {
            let (delimiter_start, end) = place.delimiter;
            self.ranges.add(start, end);
            let raw = self.reader.slice(delimiter_start, end);
            let text = raw.chars().filter(|sign| !matches!(sign, '\'' | '"' | '\\')).collect();
            let target = Word {
                parts: vec![Part::Literal { text, quoted: place.quoted }],
                span: self.span(delimiter_start, end),
            };
            let heredoc = Some(self.heredoc(&place));
            let (kind, span) = (RedirectionKind::Heredoc, self.span(start, end));
            return (Redirection { descriptor, kind, target, heredoc, span }, end);
        }
        let operators = ["&>>", "<<<", "&>", "<>", "<&", ">>", ">&", ">|", "<", ">"];
        let rest = self.reader.slice(at, self.reader.text.len());
        let Some(operator) = operators.iter().find(|operator| rest.starts_with(**operator)) else {
            self.reader.syntax(start, end, "not a redirection");
            return (empty_redirection(self.span(start, end)), end);
        };
        at += operator.len();
        loop {
            match self.reader.byte(at) {
                b' ' | b'\t' => at += 1,
                b'\\' if self.reader.byte(at + 1) == b'\n' => at += 2,
                _ => break,
            }
        }
        if let RedirectTarget::Word(word) = &redirect.target {
            end = end.max(range(word.span).1);
        }
        self.ranges.add(start, end);
        let target = self.word_at(at, end, Context::Plain);
        let to_descriptor = bare(&target).is_some_and(|text| {
            let digits = text.strip_suffix('-').unwrap_or(text);
            digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        let kind = match *operator {
            "<" => RedirectionKind::Read,
            ">" | ">|" => RedirectionKind::Write,
            ">>" => RedirectionKind::Append,
            "<>" => RedirectionKind::ReadWrite,
            "&>" => RedirectionKind::WriteBoth,
            "&>>" => RedirectionKind::AppendBoth,
            "<<<" => RedirectionKind::HereString,
            "<&" => RedirectionKind::DuplicateInput,
            // `>&word` is a file unless the word is a number or `-`.
            _ if to_descriptor || descriptor.is_some() => RedirectionKind::DuplicateOutput,
            _ => RedirectionKind::WriteBoth,
        };
        (Redirection { descriptor, kind, target, heredoc: None, span: self.span(start, end) }, end)
    }

    fn heredoc(&self, place: &HeredocPlace) -> Heredoc {
        let (start, end) = place.body;
        let strip = place.strip;
        let literal = place.quoted;
        let body = if literal {
            let raw = self.reader.slice(start, end);
            let text = if strip {
                raw.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
            } else {
                raw.to_owned()
            };
            Word { parts: vec![Part::Literal { text, quoted: true }], span: self.span(start, end) }
        } else {
            self.reader.word(start, end, Context::Heredoc { strip })
        };
        Heredoc { body, literal }
    }
}

/// More brackets open at once than any real command has. The library's work grows with their square.
const OPEN_BRACKETS: i32 = 200;

fn too_deep(text: &str) -> bool {
    let mut open = 0;
    for byte in text.bytes() {
        match byte {
            b'(' | b'{' | b'[' => {
                open += 1;
                if open > OPEN_BRACKETS {
                    return true;
                }
            }
            b')' | b'}' | b']' => open = (open - 1).max(0),
            _ => {}
        }
    }
    false
}

/// The text of a word that is one literal without quotes.
fn bare(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Literal { text, quoted: false }] => Some(text),
        _ => None,
    }
}

fn empty_redirection(span: Span) -> Redirection {
    Redirection {
        descriptor: None,
        kind: RedirectionKind::Read,
        target: Word::default(),
        heredoc: None,
        span,
    }
}
