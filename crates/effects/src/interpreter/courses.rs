//! Which of several courses a text takes: `&&` and `||`, `if`, `case`, and what each leaves in the variables.

use crate::context::Context;
use crate::knowledge::shipped;
use crate::paths;
use crate::state::{Ended, State, Value, Variable, Variables};
use hookgate_shell::{Case, Command, Expansion, Joint, Node, Part, Script, Statement, Word};

/// The most variables of conditions that are kept in mind.
const MAXIMUM_TESTED: usize = 64;

/// How a statement ends, as far as its text says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Succeeds,
    Fails,
    /// It depends.
    Either,
}

impl Context<'_> {
    pub(super) fn branches(&mut self, branches: &[(Script, Script)], otherwise: Option<&Script>) {
        let mut ends = Vec::new();
        let mut tested = Vec::new();
        for (condition, body) in branches {
            self.as_condition(|context| context.run(condition));
            condition.statements.iter().for_each(|statement| note_mentioned(statement, &mut tested));
            let start = self.state.clone();
            self.run(body);
            ends.push(std::mem::replace(&mut self.state, start));
        }
        if let Some(script) = otherwise {
            self.run(script);
        }
        self.join_courses(ends, &tested);
    }

    pub(super) fn arms(&mut self, subject: &Word, arms: &[Case]) {
        self.field(subject);
        let start = self.state.clone();
        let mut ends = Vec::new();
        let mut exhaustive = false;
        for arm in arms {
            for pattern in &arm.patterns {
                self.field(pattern);
                exhaustive |= matches!(pattern.parts.as_slice(), [Part::Glob(glob)] if glob == "*");
            }
            self.state = start.clone();
            self.run(&arm.body);
            ends.push(std::mem::take(&mut self.state));
        }
        self.state = start;
        if exhaustive && let Some(last) = ends.pop() {
            self.state = last;
        }
        let mut tested = Vec::new();
        mentioned(subject, &mut |name| tested.push(name.to_owned()));
        self.join_courses(ends, &tested);
    }

    /// What holds after one of several courses: the one whose state this is, or one of the others. A condition about a
    /// variable is there to assign it where it has no value yet, so that it has one in the end.
    fn join_courses(&mut self, others: Vec<State>, tested: &[String]) {
        for mut other in others {
            if self.state.ended == Ended::No && other.ended == Ended::No {
                self.level(&mut other, tested);
            }
            self.state.merge(other);
        }
    }

    /// Behind a loop. One that is there to run has most likely run.
    pub(super) fn leave_loop(&mut self, before: State, never: bool) {
        if never {
            let judged = std::mem::replace(&mut self.state, before);
            let variables = self.state.take_variables();
            let variables = self.with_missing(variables, judged.variables(), &[]);
            self.state.put_variables(variables);
            self.state.keep_files_of(judged);
        } else {
            self.state.merge(before);
        }
    }

    /// A variable that only one of both courses assigns may be unassigned after them.
    fn level(&mut self, other: &mut State, tested: &[String]) {
        let here = self.state.take_variables();
        let there = other.take_variables();
        let there_too = self.with_missing(there, &here, tested);
        let here_too = self.with_missing(here, &there_too, tested);
        other.put_variables(there_too);
        self.state.put_variables(here_too);
    }

    /// The variables, and those of the other course as unassigned.
    fn with_missing(&self, mut variables: Variables, other: &Variables, tested: &[String]) -> Variables {
        for (at, (name, variable)) in other.iter().enumerate() {
            // Most often both courses have the same ones, in the same order.
            let known = variables.get(at).is_some_and(|(known, _)| known == name)
                || variables.iter().any(|(known, _)| known == name);
            if known || variable.elements.is_some() || tested.contains(name) {
                continue;
            }
            let value = self.environment(name).map_or_else(Value::unassigned, Value::of);
            variables.push((name.clone(), Variable { values: vec![value], ..Variable::default() }));
        }
        variables
    }

    pub(super) fn list(&mut self, first: &Statement, rest: &[(Joint, Statement)]) {
        let mut before = self.state.directories.clone();
        let mut tested = Vec::new();
        self.statement(first);
        let start = self.state.clone();
        let mut courses = Courses::after(outcome(first), &self.state);
        let mut previous = first;
        let mut judged_only = Variables::new();
        for (joint, statement) in rest {
            note_mentioned(previous, &mut tested);
            previous = statement;
            let ended = self.state.ended;
            let after = self.state.clone();
            match joint {
                Joint::And if ended == Ended::No => {
                    self.on_course(&courses.success, statement, &mut judged_only);
                    // What stands before an `&& exit` can fail, and then the text goes on.
                    if self.state.ended != Ended::No {
                        courses.success = None;
                        self.state.merge(after.clone());
                    } else if courses.success.take().is_some() {
                        let ends = Courses::after(outcome(statement), &self.state);
                        courses.success = ends.success;
                        courses.failure = self.joined_courses(courses.failure.take(), ends.failure, &tested);
                    }
                }
                Joint::And => {
                    self.unreached(statement);
                    // Nobody writes what can't run: the end was most likely not meant as one.
                    self.state.ended = Ended::No;
                    self.possibly(|context| context.in_subshell(|context| context.statement(statement)));
                    self.state.ended = ended;
                }
                Joint::Or => {
                    // It runs if what is before it failed: a `cd` has not happened then.
                    self.state.directories.clone_from(&before);
                    self.state.held_commits.clear();
                    self.state.ended = Ended::No;
                    self.state.stashed = None;
                    self.on_course(&courses.failure, statement, &mut judged_only);
                    if self.state.ended != Ended::No {
                        courses.failure = None;
                    } else if courses.failure.take().is_some() {
                        let ends = Courses::after(outcome(statement), &self.state);
                        courses.success = self.joined_courses(courses.success.take(), ends.success, &tested);
                        courses.failure = ends.failure;
                    }
                    let other = std::mem::replace(&mut self.state, after.clone());
                    self.state.merge(other);
                }
            }
            before = after.directories;
        }
        if let Some(variables) = self.joined_courses(courses.success, courses.failure, &tested) {
            self.state.put_variables(self.with_missing(variables, &judged_only, &tested));
        }
        self.state.doubt_changes(&start);
    }

    /// Runs a statement with the variables of the course that leads to it. Where none does, it is judged all the same.
    fn on_course(&mut self, course: &Option<Variables>, statement: &Statement, judged_only: &mut Variables) {
        if let Some(variables) = course {
            self.state.put_variables(variables.clone());
        }
        self.statement(statement);
        if course.is_none() {
            judged_only.extend(self.state.variables().iter().cloned());
        }
    }

    fn joined_courses(
        &self,
        one: Option<Variables>,
        other: Option<Variables>,
        tested: &[String],
    ) -> Option<Variables> {
        let (Some(one), Some(other)) = (&one, &other) else { return one.or(other) };
        if one == other {
            return Some(one.clone());
        }
        let mut joined = State::default();
        joined.put_variables(self.with_missing(one.clone(), other, tested));
        joined.merge_variables(self.with_missing(other.clone(), one, tested));
        Some(joined.take_variables())
    }
}

/// The variables where a list has succeeded so far, and where it has failed; none where that can't be.
struct Courses {
    success: Option<Variables>,
    failure: Option<Variables>,
}

impl Courses {
    fn after(outcome: Outcome, state: &State) -> Courses {
        let variables = state.variables();
        Courses {
            success: (outcome != Outcome::Fails).then(|| variables.clone()),
            failure: (outcome != Outcome::Succeeds).then(|| variables.clone()),
        }
    }
}

/// How does a statement end? Commands that fail only where something is wrong with the machine count as succeeding.
fn outcome(statement: &Statement) -> Outcome {
    match &statement.node {
        Node::Command(command) => match command.words.first() {
            None => {
                let substitutes = |part: &Part| matches!(part, Part::Command { .. });
                let values = command.assignments.iter().flat_map(|assignment| &assignment.value);
                let computed = values.flat_map(|word| &word.parts).any(substitutes);
                if computed { Outcome::Either } else { Outcome::Succeeds }
            }
            Some(word) => {
                let row = word.literal().and_then(|word| {
                    shipped().table("commands/shell/outcomes").find(paths::file_name(&word))
                });
                match row.and_then(|row| row.cell(0)) {
                    Some("fails") => Outcome::Fails,
                    Some(_) => Outcome::Either,
                    None => Outcome::Succeeds,
                }
            }
        },
        Node::Pipeline { stages, negated } => match (stages.last().map(outcome), negated) {
            (Some(Outcome::Succeeds), true) => Outcome::Fails,
            (Some(Outcome::Fails), true) => Outcome::Succeeds,
            (Some(outcome), _) => outcome,
            (None, _) => Outcome::Either,
        },
        _ => Outcome::Either,
    }
}

/// Does the condition say that the body of a loop never runs?
pub(super) fn never_runs(condition: &Script, until: bool) -> bool {
    let Some(last) = condition.statements.last() else { return false };
    let constant = match &last.node {
        Node::Command(command) => match command.words.as_slice() {
            [word] => word.literal(),
            _ => None,
        },
        _ => None,
    };
    matches!((constant.as_deref(), until), (Some("false"), false) | (Some("true" | ":"), true))
}

/// The words of a command in which variables count.
pub(super) fn words_of<'a>(command: &'a Command, statement: &'a Statement) -> impl Iterator<Item = &'a Word> {
    command
        .words
        .iter()
        .chain(command.assignments.iter().flat_map(|assignment| &assignment.value))
        .chain(statement.redirections.iter().map(|redirection| &redirection.target))
}

/// Does it make a difference to the statement that nothing is assigned to that variable? An argument that is the
/// variable and nothing else is left out then, and a command word that is one is no command.
pub(super) fn matters_unassigned(name: &str, statement: &Statement) -> bool {
    let Node::Command(command) = &statement.node else { return true };
    let mentions = |word: &Word| {
        let mut found = false;
        mentioned(word, &mut |known| found |= known == name);
        found
    };
    if command.words.first().is_some_and(mentions) {
        return false;
    }
    // `${NAME:?}` ends the shell.
    let required = |part: &Part| matches!(part, Part::Parameter { name: known, expansion: Expansion::Require(_), .. } if known == name);
    if words_of(command, statement).any(|word| word.parts.iter().any(required)) {
        return false;
    }
    let arguments = command.words.get(1..).unwrap_or_default();
    let left_out = |word: &Word| matches!(word.parts.as_slice(), [Part::Parameter { quoted: false, .. }]);
    arguments.iter().any(|word| !left_out(word) && mentions(word))
        || command.assignments.iter().flat_map(|assignment| &assignment.value).any(mentions)
        || statement.redirections.iter().any(|redirection| mentions(&redirection.target))
}

/// Calls back with the name of each variable that the word mentions at its surface or in its expansions.
pub(super) fn mentioned(word: &Word, found: &mut dyn FnMut(&str)) {
    for part in &word.parts {
        match part {
            Part::Parameter { name, .. } => found(name),
            Part::Command { script, .. } | Part::Process { script, .. } => {
                for statement in &script.statements {
                    mentioned_in_statement(statement, found);
                }
            }
            Part::Brace(words) => words.iter().for_each(|word| mentioned(word, found)),
            Part::Arithmetic { .. } | Part::Literal { .. } | Part::Glob(_) | Part::Tilde(_) => {}
        }
    }
}

fn mentioned_in_statement(statement: &Statement, found: &mut dyn FnMut(&str)) {
    match &statement.node {
        Node::Command(command) => command.words.iter().for_each(|word| mentioned(word, found)),
        Node::Test(words) => words.iter().for_each(|word| mentioned(word, found)),
        Node::Pipeline { stages, .. } => stages.iter().for_each(|stage| mentioned_in_statement(stage, found)),
        Node::List { first, rest } => {
            mentioned_in_statement(first, found);
            rest.iter().for_each(|(_, statement)| mentioned_in_statement(statement, found));
        }
        _ => {}
    }
}

fn note_mentioned(statement: &Statement, names: &mut Vec<String>) {
    mentioned_in_statement(statement, &mut |name| {
        if names.len() < MAXIMUM_TESTED && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    });
}
