//! Rules that a call breaks without the client noticing: the same program behind another one, the same file by another
//! tool, the same host by another client.

use hookgate_agents::Event;
use hookgate_effects::{Call, Effect, Effects, Kind, PathFact, Places, Target};
use hookgate_shell::Span;

use super::reading::{Reading, domain_matches, reading};
use super::rule::{List, Rule, What};
use super::settings::Settings;
use hookgate_text::{Message, Quoted, say};

/// A deny or ask rule that a call breaks, and which the client would not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// Its list.
    pub list: List,
    /// The rule as it is written.
    pub rule: String,
    /// The settings file that it is in.
    pub file: String,
    /// What breaks it, in words: ``"runs `rm -rf build`"``.
    pub how: Message,
    /// Where in the command text.
    pub span: Span,
    /// The effects that break it.
    pub effects: Vec<usize>,
}

/// The deny and ask rules that the event's call breaks while the client does not apply them.
///
/// Where the client denies by itself there is nothing to add, and where it asks by itself only denials are.
#[must_use]
pub(crate) fn missed(event: &Event, effects: &Effects, settings: &Settings, places: &Places) -> Vec<Missed> {
    let Some(tool) = event.tool() else { return Vec::new() };
    // Most people have no rules that could be missed.
    if settings.rules.iter().all(|rule| rule.list == List::Allow) {
        return Vec::new();
    }
    let lists: &[List] = match reading(event, settings, places) {
        Reading::Deny(_) => &[],
        Reading::Ask(_) => &[List::Deny],
        Reading::Allow | Reading::Nothing => &[List::Deny, List::Ask],
    };
    let text = tool.text("command").unwrap_or_default();
    let mut found = Vec::new();
    for rule in lists.iter().flat_map(|list| settings.list(*list)) {
        let broken = match &rule.what {
            What::Command(_) => by_call(rule, effects, text),
            What::Everything if matches!(rule.tool.as_str(), "Read" | "Edit" | "Write") => {
                by_effect(effects, &|effect| {
                    let path = path_of(effect)?;
                    let touched = if rule.tool == "Read" {
                        effect.kind == Kind::Read
                    } else {
                        effect.kind.changes_file()
                    };
                    (touched && effect.call.is_some())
                        .then(|| say!("{} {}", verb(effect), Quoted::new(&path.path)))
                })
            }
            What::Path(pattern) => by_effect(effects, &|effect| {
                let path = path_of(effect)?;
                let is_change = effect.kind.changes_file();
                if !(is_change || rule.tool == "Read" && effect.kind == Kind::Read) {
                    return None;
                }
                let is_covered = std::iter::once(&path.path)
                    .chain(&path.real)
                    .any(|one| pattern.covers(one, path.pattern, places))
                    || (effect.recursive && is_change && pattern.is_below(&path.path, places));
                is_covered.then(|| say!("{} {}", verb(effect), Quoted::new(&path.path)))
            }),
            What::Domain(domain) => by_effect(effects, &|effect| match &effect.target {
                Some(Target::Host(name)) if domain_matches(domain, &super::reading::host(name)) => {
                    Some(say!("reaches {}", Quoted::new(name)))
                }
                _ => None,
            }),
            _ => None,
        };
        if let Some((how, span, effects)) = broken {
            found.push(Missed {
                list: rule.list,
                rule: rule.text.clone(),
                file: rule.file.clone(),
                how,
                span,
                effects,
            });
        }
    }
    found
}

type Broken = Option<(Message, Span, Vec<usize>)>;

/// A program that runs, by its name, its path, or as the client would write it.
fn by_call(rule: &Rule, effects: &Effects, text: &str) -> Broken {
    let What::Command(pattern) = &rule.what else { return None };
    if rule.tool == "PowerShell" {
        return None;
    }
    let (index, words) = effects.calls.iter().enumerate().find_map(|(index, call)| {
        spellings(call, text).into_iter().find(|words| pattern.matches(words)).map(|words| (index, words))
    })?;
    let call = effects.calls.get(index)?;
    let own = effects.effects.iter().enumerate().filter(|(_, effect)| effect.call == Some(index));
    Some((say!("runs {}", Quoted::new(&words)), call.span, own.map(|(index, _)| index).collect()))
}

fn spellings(call: &Call, text: &str) -> Vec<String> {
    let arguments: Vec<String> = call
        .arguments
        .iter()
        .map(|argument| argument.text.clone().unwrap_or_else(|| argument.span.of(text).to_owned()))
        .collect();
    let bare = call.word.rsplit_once('/').map_or(call.word.as_str(), |(_, name)| name);
    let mut spellings: Vec<String> = [call.word.as_str(), bare, call.program.as_str()]
        .into_iter()
        .map(|word| {
            std::iter::once(word).chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
        })
        .collect();
    spellings.dedup();
    spellings
}

fn by_effect(effects: &Effects, test: &dyn Fn(&Effect) -> Option<Message>) -> Broken {
    let mut hits =
        effects.effects.iter().enumerate().filter_map(|(index, effect)| Some((index, effect, test(effect)?)));
    let (index, effect, how) = hits.next()?;
    let others = hits.map(|(index, ..)| index);
    Some((how, effect.span, std::iter::once(index).chain(others).collect()))
}

fn path_of(effect: &Effect) -> Option<&PathFact> {
    match &effect.target {
        Some(Target::Path(path)) => Some(path),
        _ => None,
    }
}

fn verb(effect: &Effect) -> &'static str {
    match effect.kind {
        Kind::Read => "reads",
        Kind::Delete => "deletes",
        Kind::Move => "moves away",
        _ => "changes",
    }
}
