//! Files as a call would leave them: the whole text, whatever tool or command writes it.

use std::cell::OnceCell;
use std::fmt;

use hookgate_agents::{Tool, ToolCall};
use hookgate_effects::{Effect, Kind, PathFact, Place as Where, Target, World};
use hookgate_shell::Span;
use hookgate_source::{Changed, LARGEST, Language, Place, Problem, broken, is_template};
use hookgate_text::{Message, Quoted, say};

use crate::rule::{Facts, Hit, Remedy};
use crate::scene::Scene;

/// How many findings of one rule about one file are told.
const TOLD: usize = 12;

/// The files that a call leaves, worked out when the first rule asks.
pub struct Sources<'a> {
    world: &'a dyn World,
    files: OnceCell<Vec<Resulting>>,
}

impl<'a> Sources<'a> {
    /// None is worked out yet.
    #[must_use]
    pub fn new(world: &'a dyn World) -> Sources<'a> {
        Sources { world, files: OnceCell::new() }
    }

    /// The lines that the call adds to the file that an effect writes; `None` where they can't be seen.
    pub(crate) fn added(&self, facts: &Facts<'_>, effect: &Effect) -> Option<String> {
        let fact = written(effect)?;
        let path = fact.real.as_deref().unwrap_or(&fact.path);
        let is_meant = |file: &&Resulting| {
            file.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with("/cell."))
        };
        let file = self.files(facts).iter().find(is_meant)?;
        let lines = file.after.lines().enumerate().filter(|(at, _)| file.is_new(at + 1));
        Some(lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n"))
    }

    pub(crate) fn files(&self, facts: &Facts<'_>) -> &[Resulting] {
        self.files.get_or_init(|| resulting(facts, self.world))
    }
}

impl fmt::Debug for Sources<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").field("files", &self.files).finish_non_exhaustive()
    }
}

/// A file as a call would leave it.
#[derive(Clone, Debug)]
pub(crate) struct Resulting {
    /// The effect that writes it.
    effect: usize,
    span: Span,
    /// Its absolute path, with links resolved.
    pub(crate) path: String,
    /// It is shown so.
    shown: String,
    /// It lies in the project.
    pub(crate) in_project: bool,
    /// Its text now; `None` where it isn't there.
    pub(crate) before: Option<String>,
    /// Its text then.
    pub(crate) after: String,
    changed: Changed,
}

impl Resulting {
    /// Is the line one that the file doesn't have now?
    pub(crate) fn is_new(&self, line: usize) -> bool {
        self.changed.has(line)
    }

    /// The problems in lines that are new; of many, the first.
    pub(crate) fn fresh(&self, problems: Vec<Problem>) -> impl Iterator<Item = Problem> {
        problems.into_iter().filter(|problem| self.changed.has(problem.place.line)).take(TOLD)
    }

    /// A hit that says where: `WHAT in FILE, line 3, column 5`.
    pub(crate) fn at(&self, place: Place, what: &Message, fix: impl Into<Message>) -> Hit {
        let file = Quoted::new(&self.shown);
        self.hit(say!("{} in {}, line {}, column {}", what.clone(), file, place.line, place.column), fix)
    }

    /// A hit about the file as a whole: `WHAT FILE`.
    pub(crate) fn about(&self, what: &'static str, fix: impl Into<Message>) -> Hit {
        self.hit(say!("{} {}", what, Quoted::new(&self.shown)), fix)
    }

    /// A hit in the file, in any words.
    pub(crate) fn hit(&self, message: Message, fix: impl Into<Message>) -> Hit {
        Hit {
            message,
            fix: Some(fix.into()),
            remedy: Remedy::Fixable,
            span: self.span,
            effects: vec![self.effect],
            level: None,
            unless_kept: None,
            replacement: None,
        }
    }
}

fn resulting(facts: &Facts<'_>, world: &dyn World) -> Vec<Resulting> {
    let Some(call) = facts.event.tool() else { return Vec::new() };
    let mut files: Vec<Resulting> = Vec::new();
    for (index, effect) in facts.effects.effects.iter().enumerate() {
        let Some(fact) = written(effect) else { continue };
        let path = fact.real.as_deref().unwrap_or(&fact.path);
        if files.iter().any(|file| file.path == path) {
            continue;
        }
        let before = match (world.entry(path), world.read(path, LARGEST)) {
            // What is too large to be compared isn't judged.
            (Some(entry), None) if usize::try_from(entry.size).is_ok_and(|size| size > LARGEST) => continue,
            (_, None) => None,
            (_, Some(bytes)) => match String::from_utf8(bytes) {
                Ok(text) => Some(text),
                Err(_) => continue,
            },
        };
        let shown = fact.path.strip_prefix(&facts.places.project).and_then(|rest| rest.strip_prefix('/'));
        let mut shown = shown.unwrap_or(&fact.path).to_owned();
        let cell = call.cell_after(before.as_deref()).filter(|_| effect.call.is_none());
        let (path, before, after) = match cell {
            // The file is an envelope: what somebody writes is the cell.
            Some(cell) => {
                shown.push_str(&cell.id.map_or_else(|| " (new cell)".to_owned(), |id| format!("#{id}")));
                (format!("{path}/cell.{}", if cell.is_text { "md" } else { "txt" }), cell.before, cell.after)
            }
            None => match text_after(call, effect, fact, facts, before.as_deref()) {
                Some(after) => (path.to_owned(), before, after),
                None => continue,
            },
        };
        if before.as_ref() == Some(&after) {
            continue;
        }
        files.push(Resulting {
            effect: index,
            span: effect.span,
            path,
            shown,
            in_project: fact.place == Where::Project,
            changed: Changed::between(before.as_deref(), &after),
            before,
            after,
        });
    }
    files
}

/// The one file that an effect writes.
fn written(effect: &Effect) -> Option<&PathFact> {
    match &effect.target {
        Some(Target::Path(fact))
            if matches!(effect.kind, Kind::Write | Kind::Append)
                && !fact.pattern
                && !effect.recursive
                && fact.place != Where::Null
                && fact.place != Where::Device =>
        {
            Some(fact)
        }
        _ => None,
    }
}

/// What the file holds then, where that is known.
fn text_after(
    call: &ToolCall,
    effect: &Effect,
    fact: &PathFact,
    facts: &Facts<'_>,
    before: Option<&str>,
) -> Option<String> {
    match call.tool() {
        Tool::Write(_) | Tool::Edit(_) if effect.call.is_none() => call.text_after(before),
        Tool::Patch(_) if effect.call.is_none() => call.patched(&fact.path, before),
        _ => facts.effects.files.iter().find(|file| file.path == fact.path).map(|file| file.text.clone()),
    }
}

/// The files that can't be read as their language, with the language, why, and whether they could be read before.
pub(crate) fn unreadable<'s>(
    scene: &Scene<'s>,
) -> impl Iterator<Item = (&'s Resulting, Language, Problem, bool)> + use<'s> {
    scene.sources().iter().filter_map(|file| {
        let language = Language::of(&file.path, &file.after)?;
        let problem = broken(language, &file.after)?;
        let was_valid = file
            .before
            .as_deref()
            .is_some_and(|before| !before.trim().is_empty() && broken(language, before).is_none());
        (was_valid || !is_template(&file.after)).then_some((file, language, problem, was_valid))
    })
}
