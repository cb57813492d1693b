//! Agents that a call starts, and processes of agents and of the gate that it ends.

use std::sync::OnceLock;

use hookgate_knowledge::shipped;
use regex_lite::RegexBuilder;

use crate::calls::steering::is_steering;
use crate::context::Context;
use crate::effect::{Kind, Target};
use crate::field::Field;
use crate::knowledge::{self, Facet, Matched};
use crate::paths;
use crate::state::PARENT_NUMBER;

/// How large a pattern of process names may become.
const MAXIMUM_PATTERN: usize = 100_000;

/// What `kill` is given that stands for all processes of a user.
const EVERYTHING: &str = "-1";

/// An agent is started. What its file lists keeps its guards on; a value or a variable beside those takes them away, or is
/// not known.
pub(crate) fn agent(context: &mut Context<'_>, call: &Matched<'_>) {
    let first = context.found.effects.len();
    context.standard(call);
    let own = context.scope().call;
    let mut effects = context.found.effects.iter().skip(first);
    if !effects.any(|effect| effect.kind == Kind::Agent && effect.call == own) {
        return;
    }
    let words = call.unlisted.iter().chain(&call.doubted).chain(&call.operands);
    for word in words.filter(|word| leaves_questions_out(word)) {
        context.effect_on(Kind::Gate, Target::Name(word.shown().to_owned()));
    }
    if gets_variables_of_a_file(context) {
        context.doubt(call.span, "a file says which variables it gets");
    }
    let Some(program) = knowledge::program(call.program) else { return };
    let specification = program.specification();
    for row in specification.facets(Facet::Values) {
        let mut words = row.split(' ');
        let Some(name) = words.next() else { continue };
        let options = call.options.iter().filter(|option| option.specification.is_named(name));
        for value in options.filter_map(|option| option.value.as_ref()) {
            match value.text() {
                None => context.doubt(value.span, "the value of this option is computed"),
                Some(text) if is_among(words.clone(), text) => {}
                Some(_) => context.effect_on(Kind::Gate, Target::Name(value.shown().to_owned())),
            }
        }
    }
    let set: Vec<(String, Option<String>)> = context.scope().environment.to_vec();
    let listed = |facet: Facet, name: &str| {
        specification.facets(facet).any(|known| match known.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => known == name,
        })
    };
    // What the person's environment holds stays exported, however it is assigned.
    let handed_on = context
        .state
        .variables()
        .iter()
        .filter(|(name, variable)| variable.exported || listed(Facet::Unguards, name));
    let exported: Vec<(String, Option<String>)> =
        handed_on.map(|(name, variable)| (name.clone(), variable.text().map(str::to_owned))).collect();
    let home = context.places().home.clone();
    for (at, (name, value)) in set.iter().chain(&exported).enumerate() {
        let same = name == "HOME" && value.as_deref() == Some(home.as_str());
        if same || listed(Facet::Inherits, name) {
            continue;
        }
        if listed(Facet::Unguards, name) {
            context.effect_on(Kind::Gate, Target::Name(name.clone()));
        } else if at < set.len() || is_steering(name) {
            context.doubt(call.span, "a variable of which it isn't known what it does to an agent");
        }
    }
}

/// Does what runs the current call give it the variables of a file?
fn gets_variables_of_a_file(context: &Context<'_>) -> bool {
    let table = shipped().table("commands/words/variable-files");
    let calls = &context.found.calls;
    let above = |at: Option<usize>| calls.get(at?)?.carrier;
    std::iter::successors(above(context.scope().call), |at| above(Some(*at)))
        .filter_map(|at| calls.get(at))
        .take(calls.len())
        .any(|call| {
            let words = call.arguments.iter().filter_map(|argument| argument.text.as_deref());
            let mut names = words.map(|word| word.split('=').next().unwrap_or_default());
            table.contains(&format!("program:{}", call.program)) || names.any(|name| table.contains(name))
        })
}

/// Does an option that the agent's file doesn't know, or that comes behind `--`, say that nobody is asked?
fn leaves_questions_out(word: &Field) -> bool {
    let name = word.shown().split('=').next().unwrap_or_default().to_ascii_lowercase();
    shipped().table("commands/words/unasking").rows().any(|row| match row.key().strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => row.key() == name,
    })
}

/// Is the text one of these words, or none of those with `!` before them?
fn is_among<'a>(mut words: impl Iterator<Item = &'a str> + Clone, text: &str) -> bool {
    let mut excluded = words.clone().filter_map(|word| word.strip_prefix('!')).peekable();
    if excluded.peek().is_some() {
        return !excluded.any(|word| word == text);
    }
    words.any(|word| word == text)
}

/// Processes are ended: whose they are says how their numbers were found.
pub(crate) fn whose_processes(context: &mut Context<'_>, call: &Matched<'_>, first: usize) {
    let own = context.scope().call;
    let mut effects = context.found.effects.iter().skip(first);
    if !effects.any(|effect| effect.kind == Kind::Kill && effect.call == own) {
        return;
    }
    let values = call.options.iter().filter_map(|option| option.value.as_ref());
    let targets: Vec<&Field> = call.operands.iter().chain(values).collect();
    if targets.iter().any(|field| field.text() == Some(PARENT_NUMBER)) {
        context.effect_on(Kind::Kill, Target::Name("$PPID".to_owned()));
    }
    let last = call.arguments.last().filter(|_| call.operands.is_empty() && call.arguments.len() > 1);
    if targets.iter().copied().chain(last).any(|field| field.is(EVERYTHING)) {
        context.effect_on(Kind::Kill, Target::Name(EVERYTHING.to_owned()));
    }
    if targets.iter().any(|field| field.text().is_none() || field.pattern) {
        for name in looked_for(context) {
            context.effect_on(Kind::Kill, Target::Name(name));
        }
    }
}

/// The guards whose name another call of the text looks for: `kill $(pgrep NAME)`, `ps | grep NAME | xargs kill`.
fn looked_for(context: &Context<'_>) -> Vec<String> {
    let own = context.scope().call;
    let calls = context.found.calls.iter().enumerate().filter(|(index, _)| Some(*index) != own);
    let words = calls.flat_map(|(_, call)| &call.arguments).filter_map(|argument| argument.text.as_deref());
    let mut found: Vec<String> = words
        // What is shorter is an option, or a word that many names hold.
        .filter(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).len() > 3)
        .flat_map(|word| named_by(word.trim_matches('/'), true, false))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// `pkill PATTERN`, `killall NAME`.
pub(crate) fn signal_names(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let inverted = call.has("--inverse");
    let every = call.operands.is_empty() && (call.has("--user") || call.has("--uid"));
    if inverted || every {
        return context.effect_on(Kind::Kill, Target::Name(EVERYTHING.to_owned()));
    }
    let exact = call.has("--exact");
    let ignores_case = call.has("--ignore-case");
    for pattern in &call.operands {
        let names = match pattern.text() {
            Some(text) => named_by(text, !exact, ignores_case),
            // Said of all that end processes.
            None => Vec::new(),
        };
        for name in names {
            if pattern.text() != Some(name.as_str()) {
                context.effect_on(Kind::Kill, Target::Name(name));
            }
        }
    }
}

/// `fuser -k FILE`: ends whatever has it open or runs it.
pub(crate) fn signal_users(context: &mut Context<'_>, call: &Matched<'_>) {
    let first = context.found.effects.len();
    context.standard(call);
    if !context.found.effects.iter().skip(first).any(|effect| effect.kind == Kind::Kill) {
        return;
    }
    for field in &call.operands {
        let Some(path) = context.resolve_one(field).filter(|_| field.written.contains('/')) else { continue };
        let kept = context.places().gate.iter().any(|gate| paths::is_within(&path, gate));
        let mut parts = path.split('/').filter(|part| !part.is_empty());
        let named = parts.find(|part| is_guard(part)).map(str::to_owned);
        if let Some(name) = named.or_else(|| kept.then(|| path.clone())) {
            context.effect_on(Kind::Kill, Target::Name(name));
        }
    }
}

/// The guards that a pattern of process names meets, as `pkill` would take it.
fn named_by(pattern: &str, anywhere: bool, ignores_case: bool) -> Vec<String> {
    if pattern.is_empty() {
        return Vec::new();
    }
    let whole = if anywhere { pattern.to_owned() } else { format!("^({pattern})$") };
    let expression = RegexBuilder::new(&whole)
        .case_insensitive(ignores_case)
        .size_limit(MAXIMUM_PATTERN)
        .nest_limit(50)
        .build()
        .ok();
    let meets = |name: &str| match &expression {
        Some(expression) => expression.is_match(name),
        None => name.contains(pattern),
    };
    guards().filter(|name| meets(name)).map(str::to_owned).collect()
}

/// The names of the programs that guard, or are guarded. All programs are looked through for them, so only once.
fn guards() -> impl Iterator<Item = &'static str> {
    static GUARDS: OnceLock<Vec<&'static str>> = OnceLock::new();
    let find = || shipped().programs().filter(|(name, _)| is_guard(name)).map(|(name, _)| name).collect();
    GUARDS.get_or_init(find).iter().copied()
}

/// Is it the name of the gate, or of an agent that it guards?
fn is_guard(name: &str) -> bool {
    is_the_gate(name) || is_agent(name)
}

/// Is it the name of the gate's program?
pub(crate) fn is_the_gate(name: &str) -> bool {
    acts_as(name, "gate")
}

/// Is it the name of an agent's program, or of the package that brings it?
pub fn is_agent(name: &str) -> bool {
    acts_as(name, "agent")
}

fn acts_as(name: &str, what: &str) -> bool {
    shipped()
        .exact_program(name)
        .is_some_and(|program| program.specification().facets(Facet::ActsAs).any(|acts| acts == what))
}

/// A script in the package of an agent (`node_modules/@anthropic-ai/claude-code/cli.js`) is that agent.
pub(super) fn from_package(context: &mut Context<'_>, script: &Field, rest: &[Field]) {
    let Some((_, package)) = script.text().and_then(|text| text.rsplit_once("node_modules/")) else { return };
    let mut parts = package.split('/').filter(|part| !part.starts_with('@'));
    let Some(agent) = parts.next().filter(|part| is_agent(part)) else { return };
    let mut fields = vec![Field::of(agent, script.span)];
    fields.extend(rest.iter().cloned());
    context.possibly(|context| context.run_command(&fields));
}

/// A program text that sets a variable which leads an agent past its settings, and starts one. Its calls begin at `first`.
pub(crate) fn told_by_text(context: &mut Context<'_>, text: &str, first: usize) {
    let calls = context.found.calls.iter().skip(first);
    let programs: Vec<String> =
        calls.map(|call| call.program.clone()).filter(|name| is_agent(name)).collect();
    for name in programs {
        let Some(program) = knowledge::program(&name) else { continue };
        let variables = program.specification().facets(Facet::Unguards);
        if let Some(name) = variables.into_iter().find(|name| is_assigned(text, name)) {
            context.effect_on(Kind::Gate, Target::Name(name.to_owned()));
        }
    }
}

/// Does the text give the variable a value, other than the home that it has?
fn is_assigned(text: &str, name: &str) -> bool {
    let start = name.trim_end_matches('*');
    text.match_indices(start).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let rest = text.get(at + start.len()..).unwrap_or_default();
        let rest = rest.trim_start_matches(|c: char| {
            matches!(c, '\'' | '"' | ']' | '}' | ' ')
                || (start != name && (c.is_ascii_alphanumeric() || c == '_'))
        });
        let given = match rest.strip_prefix(['=', ':']) {
            Some(given) => Some(given.trim_start_matches('>')).filter(|given| !given.starts_with('=')),
            None => rest.strip_prefix(',').filter(|_| before.trim_end_matches(['\'', '"']).ends_with("env(")),
        };
        let home = |given: &str| {
            let given: String = given.chars().take(48).collect::<String>().to_ascii_lowercase();
            name == "HOME"
                && ["environ", "env.", "env[", "env{", "getenv", "home"]
                    .iter()
                    .any(|word| given.contains(word))
        };
        given.is_some_and(|given| !home(given))
    })
}

/// A variable of all that is started later, `tmux set-environment NAME`, may lead the gate past its own settings.
pub(crate) fn session_variable(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let Some(name) = call.operands.first() else { return };
    let name = name.written.split('=').next().unwrap_or_default();
    let mut guards = guards().filter(|guard| is_the_gate(guard)).filter_map(knowledge::program);
    if guards.any(|guard| guard.specification().facets(Facet::Unguards).any(|known| known == name)) {
        context.effect_on(Kind::Gate, Target::Name(name.to_owned()));
    }
}
