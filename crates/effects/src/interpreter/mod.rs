//! Walks a shell text and says what runs, with what arguments, where.

mod alternatives;
mod builtins;
mod command;
mod courses;
mod declarations;
mod evaluation;
mod expansion;
mod redirections;
mod unclosed;
mod words;
mod zsh;

use std::rc::Rc;
use std::sync::Arc;

use crate::bounds::{MAXIMUM_DEPTH, MAXIMUM_HELD, limits_at};
use crate::calls::masking;
use crate::context::Context;
use crate::effect::{Effect, Kind, Output, Place, Target, Traits, Unknown};
use crate::field::{Data, Field, LONGEST_TEXT};
use crate::knowledge;
use crate::paths;
use crate::run::Run;
use crate::scope::{Lasts, Mapping, Scope};
use crate::state::{Ended, NUMBER, Opened, State, Value, Variable};
use courses::mentioned;
use hookgate_shell::{
    Assignment, Command, LoopKind, Node, Part, Problem, ProblemKind, Redirection, RedirectionKind, Script,
    Span, Statement, Word, pieces,
};

/// The most words of a `for` that are followed one by one.
const MAXIMUM_ITERATIONS: usize = 32;
/// How deep loops are followed into a second round.
const MAXIMUM_LOOPS: u32 = 3;
/// The most combinations of values with which one command is run.
const MAXIMUM_CHOICES: usize = 2;

/// Runs texts and commands; see [`Run`].
pub(crate) struct Interpreter;

impl Run for Interpreter {
    fn text(&self, context: &mut Context<'_>, text: &str, mapping: Mapping) {
        context.read_text(text, mapping);
    }

    fn program(&self, context: &mut Context<'_>, fields: &[Field]) {
        context.call_external(fields);
    }
}

impl Context<'_> {
    /// Reads a text in this shell.
    fn read_text(&mut self, text: &str, mapping: Mapping) {
        let held = self.left.held.saturating_add(text.len());
        // The event's own text is held already.
        let depth = self.scope().depth;
        if depth >= MAXIMUM_DEPTH || held > MAXIMUM_HELD && depth > 0 {
            self.unknown(Unknown::Unparsed, self.scope().span);
            self.annotate("nested too deep");
            return;
        }
        if !self.left.read_shell(text.len()) {
            return self.too_much_code(self.scope().span);
        }
        // A backslash at the very end is one to bash behind `-c`, and nothing to a script and to zsh.
        let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
        let text = text.strip_suffix('\\').filter(|_| backslashes % 2 == 1).unwrap_or(text);
        let limits = limits_at(depth);
        let change = |scope: &mut Scope| {
            scope.text = Rc::from(text);
            scope.mapping = mapping;
            scope.depth += 1;
        };
        let around = std::mem::replace(&mut self.left.held, held);
        self.within(change, |context| {
            for piece in pieces(text, &limits) {
                context.problems(&piece.script.problems);
                if piece.adrift {
                    context.possibly(|context| context.run(&piece.script));
                } else {
                    context.run(&piece.script);
                }
            }
        });
        self.left.held = around;
    }

    fn problems(&mut self, problems: &[Problem]) {
        for problem in problems.iter().take(8) {
            if problem.kind == ProblemKind::Unclosed {
                self.unclosed(problem);
                continue;
            }
            self.unknown(Unknown::Unparsed, self.scope().mapping.place(problem.span));
            self.annotate(problem.message.clone());
        }
    }

    /// Runs the statements, one after the other.
    fn run(&mut self, script: &Script) {
        for statement in &script.statements {
            if self.left.cut && self.is_run_once() {
                self.left.cut = false;
                self.state.ended = Ended::No;
            }
            if self.state.ended != Ended::No {
                self.unreached(statement);
                break;
            }
            let before = self.state.directories.clone();
            self.statement(statement);
            // Behind `;` nothing says that what was before it succeeded.
            self.state.stashed = None;
            if self.state.directories != before {
                let stays = matches!(statement.node, Node::Command(_)) && self.may_not_have_moved(&before);
                self.state.stayed = if stays { before } else { Vec::new() };
            }
        }
    }

    /// Has a `cd` gone from these directories to one that isn't there?
    fn may_not_have_moved(&self, before: &[String]) -> bool {
        let [new] = self.state.directories.as_slice() else { return false };
        let made = |effect: &Effect| match &effect.target {
            Some(Target::Path(fact)) if matches!(effect.kind, Kind::Write | Kind::Link) => {
                paths::is_within(&fact.path, new) || paths::is_within(new, &fact.path)
            }
            _ => false,
        };
        matches!(before, [old] if old != new)
            && !self.world().assume_present()
            && self.world().entry(new).is_none()
            && paths::place_of(new, self.places()) != Place::System
            && !self.found_so_far().any(made)
    }

    /// Is this text run once, not in a loop or function?
    fn is_run_once(&self) -> bool {
        let scope = self.scope();
        scope.loops == 0 && !scope.jumps.from_loop && !scope.jumps.from_function
    }

    /// Nothing more may run. A statement that is run once is looked at all the same, as long as the reserve lasts.
    fn draws(&mut self, statement: &Statement) -> bool {
        let goes_on = self.is_run_once() && self.left.draw();
        if !goes_on || !std::mem::replace(&mut self.left.drawn, true) {
            self.unknown(Unknown::Unparsed, self.scope().mapping.place(statement.span));
            self.annotate("runs more commands than can be followed");
        }
        goes_on
    }

    /// What stands behind an `exit` most likely never runs; it is not looked at, and so not granted either.
    fn unreached(&mut self, statement: &Statement) {
        if self.state.ended == Ended::Shell {
            self.doubt(self.scope().mapping.place(statement.span), "stands behind an end of the shell");
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.note_found();
        self.left.statements = self.left.statements.saturating_sub(1);
        if self.left.is_used_up() && !self.draws(statement) {
            self.state.ended = Ended::Shell;
            self.left.cut = true;
            return;
        }
        if !self.state.assigned_by_trap.is_empty() {
            self.state.merge_variables(self.state.assigned_by_trap.clone());
        }
        if statement.background {
            return self.within(
                |scope| scope.forks += 1,
                |context| context.in_subshell(|context| context.with_choices(statement)),
            );
        }
        self.with_choices(statement);
    }

    fn with_choices(&mut self, statement: &Statement) {
        if let Some(shows) = shows_input(statement) {
            return self.with_choices(&shows);
        }
        if let Some(other) = self.in_zsh(statement) {
            let before = self.state.clone();
            self.possibly(|context| context.in_either_shell(&other));
            let after = std::mem::replace(&mut self.state, before);
            self.in_either_shell(statement);
            return self.state.merge(after);
        }
        self.in_either_shell(statement);
    }

    fn in_either_shell(&mut self, statement: &Statement) {
        let choices = match &statement.node {
            Node::Command(command) => self.choices(command, statement),
            _ => Vec::new(),
        };
        self.with_each_value(&choices, statement);
    }

    /// Runs the statement once for each value that these variables can have.
    fn with_each_value(&mut self, names: &[String], statement: &Statement) {
        let Some((name, rest)) = names.split_first() else { return self.with_redirections(statement) };
        let Some(variable) = self.state.variable(name).cloned() else {
            return self.with_redirections(statement);
        };
        let start = self.state.clone();
        let mut merged: Option<State> = None;
        for value in &variable.values {
            if value.is_unassigned() && !courses::matters_unassigned(name, statement) {
                continue;
            }
            let mut state = start.clone();
            let single =
                Variable { values: vec![value.clone()], elements: None, exported: variable.exported };
            state.set_variable(name, single.clone());
            self.state = state;
            self.with_each_value(rest, statement);
            if self.state.variable(name) == Some(&single) {
                self.state.set_variable(name, variable.clone());
            }
            let state = std::mem::take(&mut self.state);
            match &mut merged {
                None => merged = Some(state),
                Some(merged) => merged.merge(state),
            }
        }
        self.state = merged.unwrap_or(start);
    }

    /// The variables with several values that the command's words mention.
    fn choices(&self, command: &Command, statement: &Statement) -> Vec<String> {
        let mut names = Vec::new();
        if self.state.ambiguous().next().is_none() {
            return names;
        }
        for word in courses::words_of(command, statement) {
            mentioned(word, &mut |name| {
                let ambiguous = self.state.ambiguous().any(|(known, _)| known == name);
                if ambiguous && names.len() < MAXIMUM_CHOICES && !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            });
        }
        names
    }

    /// What the statement does, its redirections applied.
    fn node(&mut self, statement: &Statement) {
        match &statement.node {
            Node::Command(command) => self.command(command),
            Node::Pipeline { stages, negated } => {
                self.pipeline(stages);
                if *negated {
                    self.state.stashed = None;
                }
            }
            Node::List { first, rest } => self.list(first, rest),
            Node::Group(script) => self.run(script),
            Node::Subshell(script) => self.in_subshell(|context| context.run(script)),
            Node::If { branches, otherwise } => self.branches(branches, otherwise.as_ref()),
            Node::Loop { kind, condition, body } => {
                let before = self.state.clone();
                self.as_condition(|context| context.run(condition));
                if multiplies(condition, *kind == LoopKind::Until, body) {
                    self.fork_bomb(statement);
                }
                let never = courses::never_runs(condition, *kind == LoopKind::Until);
                self.round(body);
                // What one round leaves in the variables the next begins with.
                let goes_on = !never && self.scope().loops < MAXIMUM_LOOPS && self.state.ended == Ended::No;
                if goes_on && !self.state.has_variables_of(&before) {
                    self.state.merge(before.clone());
                    self.within(|scope| scope.loops += 1, |context| context.round(body));
                }
                self.leave_loop(before, never);
            }
            Node::For { variable, words, body } => self.iterate(variable, words.as_deref(), body),
            Node::ForArithmetic { expressions, body } => {
                for expression in expressions {
                    self.arithmetic(expression);
                    mentioned_in_arithmetic(&self.written(expression.span), |name| {
                        self.state.set(name, Value::pattern(NUMBER));
                    });
                }
                // Without a condition between the semicolons it never ends.
                let endless = expressions.get(1).is_some_and(|condition| {
                    matches!(condition.literal().as_deref().map(str::trim), Some("" | "1"))
                });
                if endless && starts_without_pause(body) {
                    self.fork_bomb(statement);
                }
                let before = self.state.clone();
                self.round(body);
                self.state.merge(before);
            }
            Node::Case { subject, arms } => self.arms(subject, arms),
            Node::Function { name, body } => {
                self.state.define(name, body, Rc::clone(&self.scope().text), self.scope().mapping);
                self.defined_for_shell(name, self.scope().mapping.place(statement.span));
            }
            Node::Test(words) => self.test(words),
            Node::Arithmetic(word) => {
                self.arithmetic(word);
            }
            Node::Coprocess(inner) => self.coprocess(statement, inner),
        }
    }

    /// A loop multiplies processes.
    fn fork_bomb(&mut self, statement: &Statement) {
        self.push(Kind::Exhaust, None, false, self.scope().mapping.place(statement.span));
        self.annotate("a loop without an end that starts one background command after the other");
    }

    /// `[[ ... ]]`: operands of `-eq` and its like are arithmetic, that of `-v` is a name.
    fn test(&mut self, words: &[Word]) {
        let literal = |at: Option<usize>| at.and_then(|at| words.get(at)).and_then(Word::literal);
        let compares = |at: Option<usize>| {
            matches!(literal(at).as_deref(), Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge"))
        };
        for (at, word) in words.iter().enumerate() {
            if compares(at.checked_sub(1)) || compares(at.checked_add(1)) {
                self.arithmetic(word);
                continue;
            }
            let field = self.field(word);
            if matches!(literal(at.checked_sub(1)).as_deref(), Some("-v" | "-R")) {
                self.name(&field);
            }
        }
    }

    /// `coproc NAME { ...; }`: what it prints is read from the descriptor in `${NAME[0]}`.
    fn coprocess(&mut self, statement: &Statement, inner: &Statement) {
        let printed = self.capture(Output::Pipe, |context| {
            context.in_subshell(|context| context.statement(inner));
        });
        // zsh takes a whole pipe for the coprocess: what this one prints reaches the next stage there.
        self.print_to_sink(printed.clone());
        let before = self.written(Span { start: statement.span.start, end: inner.span.start });
        let name = before.split_whitespace().nth(1).unwrap_or("COPROC").to_owned();
        let (output, input) = (63, 60);
        self.state.open(output, Opened::Input(printed));
        self.state.open(input, Opened::Program);
        let elements = [output, input].map(|number| Value::of(number.to_string())).to_vec();
        let variable = Variable { elements: Some(elements), ..Variable::default() };
        self.state.set_variable(&name, variable);
    }

    fn as_condition(&mut self, run: impl FnOnce(&mut Self)) {
        let change = |scope: &mut Scope| {
            if scope.reader == Output::Agent {
                scope.reader = Output::Condition;
            }
        };
        self.within(change, run);
    }

    /// One round of a loop.
    fn round(&mut self, body: &Script) {
        self.within(|scope| scope.jumps.from_loop = true, |context| context.run(body));
        if self.state.ended == Ended::Loop {
            self.state.ended = Ended::No;
        }
    }

    fn pipeline(&mut self, stages: &[Statement]) {
        let Some((last, others)) = stages.split_last() else { return };
        if others.is_empty() {
            return self.statement(last);
        }
        let filter = stages.iter().rposition(|stage| self.is_mask(stage));
        self.within(
            |scope| scope.forks += 1,
            |context| {
                for (at, stage) in others.iter().enumerate() {
                    let behind = stages.get(at + 1).map_or(stage.span.end, |next| next.span.start);
                    let sign = context.written(Span { start: stage.span.end, end: behind });
                    let change = |scope: &mut Scope| {
                        scope.errors_join = sign.trim_start().starts_with("|&");
                        scope.hidden |= filter.is_some_and(|filter| at < filter);
                        scope.chosen = stages.get(at + 1).is_some_and(chooses_names);
                    };
                    let printed = context.within(change, |context| {
                        context.capture(Output::Pipe, |context| {
                            let around = std::mem::replace(&mut context.aside, Data::Nothing);
                            context.in_subshell(|context| context.statement(stage));
                            context.printed_aside(stage, around);
                        })
                    });
                    context.feed(printed);
                }
                context.within(
                    |scope| scope.chosen = false,
                    |context| context.in_subshell(|context| context.statement(last)),
                );
            },
        );
    }

    /// Does the stage of a pipe let no value through?
    fn is_mask(&self, stage: &Statement) -> bool {
        let Node::Command(command) = &stage.node else { return false };
        let Some((word, arguments)) = command.words.split_first() else { return false };
        let Some(word) = word.literal() else { return false };
        let mut texts = Vec::new();
        let literal = || arguments.iter().map(Word::literal).collect::<Option<Vec<String>>>();
        let program = paths::file_name(&word);
        let hides = masking::hides(program, || {
            texts = literal()?;
            Some(texts.iter().map(String::as_str).collect())
        });
        let takes_nothing = || literal().is_some_and(|arguments| masking::takes_nothing(program, &arguments));
        (hides || takes_nothing())
            && self.state.function(&word).is_none()
            && self.state.alias(&word).is_none()
    }

    fn iterate(&mut self, variable: &str, words: Option<&[Word]>, body: &Script) {
        let mut values: Vec<Value> = match words {
            None => self.state.positional.clone().unwrap_or_default(),
            Some(words) => {
                let fields: Vec<Field> = words.iter().flat_map(|word| self.fields(word)).collect();
                fields.into_iter().map(Value::from_field).collect()
            }
        };
        values.dedup();
        if values.len() > MAXIMUM_ITERATIONS {
            values.truncate(MAXIMUM_ITERATIONS);
            values.push(Value::computed());
        }
        for value in values {
            if self.state.ended != Ended::No {
                break;
            }
            self.state.set(variable, value);
            self.round(body);
        }
    }

    fn command(&mut self, command: &Command) {
        let mut fields: Vec<Field> = Vec::with_capacity(command.words.len());
        let first = self.found.effects.len();
        for word in &command.words {
            fields.extend(self.fields(word));
        }
        let assigns = ["export", "declare", "typeset", "local", "readonly", "env"];
        if fields.first().and_then(Field::text).is_some_and(|name| assigns.contains(&name)) {
            self.hide_settings(first);
        }
        self.substituted_words(&command.words, &fields);
        if fields.is_empty() {
            for assignment in &command.assignments {
                self.assign(assignment, Lasts::FromHere);
                if assignment.name == "IFS" && !self.splits_are_known() {
                    self.doubt(self.scope().mapping.place(assignment.span), "changes where words are split");
                }
            }
            if let Some(word) = command.words.first() {
                self.doubt(
                    self.scope().mapping.place(word.span),
                    "the command word is empty, as far as can be seen",
                );
            }
            self.state.last_word = Value::unassigned();
            return;
        }
        if let Some(last) = fields.last() {
            self.state.last_word = Value { doubtful: true, ..Value::from_field(last.clone()) };
        }
        if command.assignments.is_empty() {
            return self.call_words(&fields);
        }
        self.within(
            |scope| scope.environment = Arc::default(),
            |context| context.with_assignments(command, &fields),
        );
    }

    /// Runs a command with the assignments before it.
    fn with_assignments(&mut self, command: &Command, fields: &[Field]) {
        let mut before = Vec::new();
        let deferred = self.deferred.len();
        let searched = self.state.searched.clone();
        // What a command of the shell itself is told may stay.
        let lasting = fields.first().and_then(Field::text).is_none_or(builtins::is_builtin);
        let lasts = if lasting { Lasts::FromHere } else { Lasts::ForCall };
        for assignment in &command.assignments {
            before.push((assignment.name.clone(), self.state.variable(&assignment.name).cloned()));
            self.assign(assignment, lasts);
            self.state.export(&assignment.name);
            let value = self.state.variable(&assignment.name).and_then(Variable::text).map(str::to_owned);
            self.give_variable(&assignment.name, value);
        }
        self.call_words(fields);
        self.state.searched = searched;
        self.deferred.truncate(deferred);
        for (name, variable) in before {
            match variable {
                Some(variable) => self.state.set_variable(&name, variable),
                None => self.state.forget(&name),
            }
        }
    }

    /// A command, or the subcommand of one, that another program's output names: known as it may be, it is not certain.
    fn substituted_words(&mut self, words: &[Word], fields: &[Field]) {
        let substituted = |word: &&Word| word.parts.iter().any(|part| matches!(part, Part::Command { .. }));
        let has_subcommands = || {
            let name = fields.first().and_then(Field::text).map(paths::file_name);
            name.and_then(knowledge::program).is_some_and(|program| program.specification().has_subcommands())
        };
        let whole = |word: &&Word| matches!(word.parts.as_slice(), [Part::Command { .. }]);
        let named = match (words.first().filter(substituted), words.get(1).filter(whole)) {
            (Some(word), _) => Some(word),
            (None, Some(word)) if has_subcommands() => Some(word),
            _ => None,
        };
        if let Some(word) = named {
            self.doubt(self.scope().mapping.place(word.span), "what runs is named by what a program prints");
        }
    }

    /// Is it known where unquoted expansions are split?
    fn splits_are_known(&self) -> bool {
        self.state.variable("IFS").is_none_or(|separators| separators.text().is_some())
    }

    /// `name=value`, in this shell.
    fn assign(&mut self, assignment: &Assignment, lasts: Lasts) {
        if let Some(subscript) = &assignment.subscript {
            self.subscript(&assignment.name, subscript);
        }
        if assignment.array {
            let fields: Vec<Field> = assignment.value.iter().flat_map(|word| self.fields(word)).collect();
            for field in fields.iter().filter(|field| field.written.starts_with('[')) {
                let named = format!("{}{}", assignment.name, field.shown());
                if let Some(at) = field.written.find("]=") {
                    self.named_element_for_shell(&named, &field.after(at + 2));
                }
                self.name(&Field { text: Some(named), ..field.clone() });
            }
            let mut elements: Vec<Value> = fields.into_iter().map(Value::from_field).collect();
            if assignment.append {
                let known = self.state.variable(&assignment.name).cloned().unwrap_or_default();
                let before = known.elements.unwrap_or(known.values);
                elements.splice(0..0, before);
            }
            self.listed_for_shell(assignment, &elements, lasts);
            let variable = Variable { values: Vec::new(), elements: Some(elements), exported: false };
            return self.state.set_variable(&assignment.name, variable);
        }
        let field = match assignment.value.first() {
            Some(word) => self.kept(word),
            None => Field::of("", self.scope().mapping.place(assignment.span)),
        };
        if let Some(subscript) = &assignment.subscript {
            self.element_for_shell(&assignment.name, subscript, &field);
            // An element of which the place does not matter: anything in the array may be it.
            let known = self.state.variable(&assignment.name).cloned().unwrap_or_default();
            let mut elements = known.elements.unwrap_or(known.values);
            elements.push(Value::from_field(field));
            let variable = Variable { values: Vec::new(), elements: Some(elements), exported: false };
            return self.state.set_variable(&assignment.name, variable);
        }
        self.assign_for(&assignment.name, field, assignment.append, lasts);
    }

    /// The value of an assignment: what a substitution reads goes into a variable, where nobody sees it.
    fn kept(&mut self, word: &Word) -> Field {
        let first = self.found.effects.len();
        let mut field = self.within(|scope| scope.hidden = true, |context| context.field(word));
        let secret = |effect: &Effect| match &effect.target {
            Some(Target::Path(path)) => effect.kind == Kind::Read && path.traits.contains(Traits::SECRET),
            _ => effect.kind == Kind::SecretRead,
        };
        if field.text.is_none() && self.found.effects.get(first..).is_some_and(|new| new.iter().any(secret)) {
            field.source = Data::Secret;
        }
        field
    }

    /// `export $(grep -v '^#' .env | xargs)`: settings become variables, and nobody sees them. Of another file, whose
    /// lines are no assignments, the shell would show them in its complaint.
    fn hide_settings(&mut self, first: usize) {
        let is_settings = |effect: &&Effect| match &effect.target {
            Some(Target::Path(path)) => path.names_environment(),
            _ => false,
        };
        let reads = self.found.effects.iter().skip(first).filter(is_settings);
        for index in reads.filter_map(|effect| effect.call) {
            if let Some(call) = self.found.calls.get_mut(index).filter(|call| call.output != Output::Agent) {
                call.hidden = true;
            }
        }
    }

    /// Sets a variable, and notes what that does to later programs.
    fn assign_field(&mut self, name: &str, field: Field, append: bool) {
        self.assign_for(name, field, append, Lasts::FromHere);
    }

    fn assign_for(&mut self, name: &str, field: Field, append: bool, lasts: Lasts) {
        // The shell sets this one itself, with every command.
        if name == "_" {
            return;
        }
        self.hijack(name, &field, lasts);
        // `declare -n NAME='ARRAY[ELEMENT]'`
        self.named_element_for_shell(name, &field);
        self.assigned_prompt(name, &field);
        if self.state.is_integer(name) {
            self.arithmetic_argument(&field);
        }
        if name == "PATH" {
            self.state.forget_programs();
            self.state.searched = self.known_directories(&field);
        }
        let (span, as_written) = (field.span, field.offset.is_some() && !append);
        let mut value = Value::from_field(field);
        if append {
            let before = self.state.variable(name).cloned().unwrap_or_default();
            let head = match before.values.as_slice() {
                [] => Some(String::new()),
                [one] => one.text.clone(),
                _ => None,
            };
            let whole = head.zip(value.text).filter(|(head, tail)| head.len() + tail.len() <= LONGEST_TEXT);
            value.text = whole.map(|(head, tail)| head + &tail);
        }
        if let Some(text) = value.text.as_deref().filter(|_| !as_written) {
            self.pieces.get_mut().note_assigned(name, text, span);
        }
        self.state.set(name, value);
    }
}

/// Is the stage of a pipe a search for names that are no secrets'?
fn chooses_names(stage: &Statement) -> bool {
    let Node::Command(command) = &stage.node else { return false };
    let mut words = command.words.iter().map(Word::literal);
    let searches = |word: String| masking::searches(paths::file_name(&word));
    if !words.next().flatten().is_some_and(searches) {
        return false;
    }
    let words: Option<Vec<String>> = words.collect();
    words.is_some_and(|words| masking::picks(&words))
}

/// Does a loop without an end start background commands that nothing waits for?
fn multiplies(condition: &Script, until: bool, body: &Script) -> bool {
    let [Statement { node: Node::Command(command), .. }] = condition.statements.as_slice() else {
        return false;
    };
    let words: Option<Vec<_>> = command.words.iter().map(Word::literal).collect();
    let words = words.unwrap_or_default();
    let words: Vec<&str> = words.iter().map(|word| paths::file_name(word)).collect();
    let endless = match words.as_slice() {
        ["true" | ":"] | ["[", "true" | "1", "]"] | ["test", "true" | "1"] => !until,
        ["false"] => until,
        _ => false,
    };
    endless && starts_without_pause(body)
}

/// Does the body of a loop start commands in the background, and wait for nothing?
fn starts_without_pause(body: &Script) -> bool {
    let is = |statement: &Statement, names: &[&str]| match &statement.node {
        Node::Command(command) => command
            .words
            .first()
            .and_then(Word::literal)
            .is_some_and(|word| names.contains(&paths::file_name(&word))),
        _ => false,
    };
    let pauses = body.statements.iter().any(|statement| {
        let leaves = !matches!(statement.node, Node::Command(_) | Node::Subshell(_)) && !statement.background;
        leaves || (!statement.background && is(statement, &["sleep", "read", "break", "exit", "return"]))
    });
    let started = body.statements.iter().rposition(|statement| statement.background);
    let waited =
        body.statements.iter().rposition(|statement| !statement.background && is(statement, &["wait"]));
    !pauses && started.is_some() && started > waited
}

/// Calls back with each name in an arithmetic expression.
fn mentioned_in_arithmetic(text: &str, mut found: impl FnMut(&str)) {
    for name in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            found(name);
        }
    }
}

/// Analyses a whole text.
pub(crate) fn analyse(context: &mut Context<'_>, text: &str) {
    let span = Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    context.within(|scope| scope.span = span, |context| context.run_text(text, Mapping::At(0)));
}

/// `$(< FILE)`: a command of redirections alone prints what it reads, in a substitution of bash and everywhere in zsh.
fn shows_input(statement: &Statement) -> Option<Statement> {
    let Node::Command(command) = &statement.node else { return None };
    let reads = |redirection: &Redirection| {
        let kinds = matches!(
            redirection.kind,
            RedirectionKind::Read | RedirectionKind::HereString | RedirectionKind::Heredoc
        );
        kinds && redirection.descriptor.is_none_or(|descriptor| descriptor == 0)
    };
    let first = statement.redirections.first()?;
    if !command.words.is_empty()
        || !command.assignments.is_empty()
        || !statement.redirections.iter().any(reads)
    {
        return None;
    }
    let named = knowledge::shipped().table("commands/shell/unnamed").rows().next()?;
    let parts = vec![Part::Literal { text: named.key().to_owned(), quoted: false }];
    let command = Command { words: vec![Word { parts, span: first.span }], ..command.clone() };
    Some(Statement { node: Node::Command(command), ..statement.clone() })
}
