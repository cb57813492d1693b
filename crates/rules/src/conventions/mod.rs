//! How a team writes and names things: what `[commit]`, `[pull-request]`, `[issue]`, `[branch]`, `[push]` and `[add]` ask, against
//! what calls say. The rules COMMIT, PR, ISSUE, BRANCH, PUSH and ADD each report one kind of problem.

pub(crate) mod additions;
pub(crate) mod attribution;
pub(crate) mod followed;
pub(crate) mod message;
pub(crate) mod names;
pub(crate) mod pushes;
pub(crate) mod sections;
pub(crate) mod title;

use hookgate_effects::{Kind, Part, Said};
use hookgate_policy::{CommitConvention, PullRequestConvention};
use hookgate_shell::Span;
use hookgate_text::{Message, Quoted, say};

use crate::rule::{Hit, Remedy};
use crate::scene::{Deed, Scene};
use message::Text;

/// What is wrong with something that a call says.
pub(crate) struct Problem {
    what: Message,
    fix: Option<Message>,
    span: Span,
}

impl Problem {
    /// `what`: lowercase, no full stop. `span`: the place in the command text.
    pub(crate) fn new(what: impl Into<Message>, span: Span) -> Problem {
        Problem { what: what.into(), fix: None, span }
    }

    /// Adds what to do instead.
    pub(crate) fn fix(mut self, fix: impl Into<Message>) -> Problem {
        self.fix = Some(fix.into());
        self
    }
}

/// A commit that is made with a message, or without one.
pub(crate) struct Commit<'a> {
    call: Deed<'a>,
    /// Its message; `None` where an editor asks for it, an older one is used again that can't be read, or it is computed.
    pub(crate) text: Option<Text>,
    /// The place of the call.
    pub(crate) span: Span,
}

impl Commit<'_> {
    /// Does the call say that part?
    pub(crate) fn says(&self, part: Part) -> bool {
        self.call.said().iter().any(|said| said.part == part)
    }

    /// Advice to add an option that says nothing but this.
    pub(crate) fn option_advice(&self, part: Part, otherwise: &'static str) -> Message {
        match self.call.saying(part) {
            Some(option) => say!("add {}, and keep the rest of the command", Quoted::new(option)),
            None => otherwise.into(),
        }
    }

    /// The lines of its trailers, those of options included.
    pub(crate) fn trailers(&self) -> impl Iterator<Item = &str> {
        let options = self.call.said().iter().filter(|said| said.part == Part::Trailer);
        let message = self.text.iter().flat_map(|text| text.lines().map(|(_, line)| line));
        message.chain(options.filter_map(|said| said.text.as_deref()))
    }
}

/// Advice to say something, with the option of the call's program that says it.
pub(crate) fn advice(what: &'static str, call: &Deed<'_>, part: Part) -> Message {
    match call.saying(part) {
        Some(option) => say!("{}, with {}", what, Quoted::new(&format!("{option} TEXT"))),
        None => what.into(),
    }
}

/// What a rule finds in one commit by one convention.
type Look = fn(&CommitConvention, &Commit<'_>, &mut Vec<Problem>);

/// Looks at each commit by each convention.
pub(crate) fn commits(scene: &Scene<'_>, hits: &mut Vec<Hit>, look: Look) {
    for (index, call) in calls(scene, &[Kind::GitCommit]) {
        let commit = Commit { call, text: commit_text(scene, &call), span: call.span() };
        let mut problems = Vec::new();
        for convention in &scene.conventions().commits {
            look(convention, &commit, &mut problems);
        }
        report(problems, index, hits);
    }
}

/// The kinds of effect that calls with a message have.
pub(crate) const WITH_MESSAGE: &[Kind] = &[Kind::GitCommit, Kind::GitChange, Kind::GitDeleteRef];

/// Looks at the message of each commit and merge by each convention.
pub(crate) fn messages(scene: &Scene<'_>, hits: &mut Vec<Hit>, look: Look) {
    commits(scene, hits, look);
    with_part(scene, hits, Part::MergeMessage, look);
}

/// Looks at each message by each convention, those of tags and notes included.
pub(crate) fn all_messages(scene: &Scene<'_>, hits: &mut Vec<Hit>, look: Look) {
    messages(scene, hits, look);
    with_part(scene, hits, Part::Annotation, look);
}

/// Looks at what calls say in that part as if it were the message of a commit.
fn with_part(scene: &Scene<'_>, hits: &mut Vec<Hit>, part: Part, look: Look) {
    for (index, call) in calls(scene, WITH_MESSAGE) {
        let Some(text) = text_of(&call, part) else { continue };
        let message = Commit { call, text: Some(text), span: call.span() };
        let mut problems = Vec::new();
        for convention in &scene.conventions().commits {
            look(convention, &message, &mut problems);
        }
        report(problems, index, hits);
    }
}

/// The message of a commit: what the call says, or what an older commit says whose message it repeats.
fn commit_text(scene: &Scene<'_>, call: &Deed<'_>) -> Option<Text> {
    if call.said().iter().any(|said| said.part == Part::Reused) {
        return None;
    }
    match call.said().iter().find(|said| said.part == Part::Repeated) {
        Some(said) => {
            let revision = said.text.as_deref()?;
            let message = scene.repositories()?.message_of(repository(call)?, revision)?;
            Some(Text::new(&message, said.span))
        }
        None => text_of(call, Part::Message),
    }
}

/// The directory in whose repository a call works; `None` where it isn't known.
pub(crate) fn repository<'a>(call: &Deed<'a>) -> Option<&'a str> {
    match call.said().iter().find(|said| said.part == Part::Repository) {
        Some(said) => said.text.as_deref(),
        None => call.directory(),
    }
}

/// A pull request that is opened or edited.
pub(crate) struct PullRequest<'a> {
    call: Deed<'a>,
    pub(crate) title: Option<Text>,
    pub(crate) body: Option<Text>,
    /// The place of the call.
    pub(crate) span: Span,
}

impl PullRequest<'_> {
    /// Advice to write a body, as the call's program takes one.
    pub(crate) fn body_advice(&self) -> Message {
        advice("say what changes and why", &self.call, Part::PullBody)
    }

    /// Does the call say that part?
    pub(crate) fn says(&self, part: Part) -> bool {
        self.call.said().iter().any(|said| said.part == part)
    }

    /// Does the call open it, and not change one that exists?
    pub(crate) fn opens(&self) -> bool {
        !self.says(Part::Existing)
    }

    /// What it says in that part, where it is known.
    pub(crate) fn all(&self, part: Part) -> impl Iterator<Item = (&str, Span)> {
        let said = self.call.said().iter().filter(move |said| said.part == part);
        said.filter_map(|said| Some((said.text.as_deref()?, said.span)))
    }
}

/// Looks at each pull request by each convention.
pub(crate) fn pull_requests(
    scene: &Scene<'_>,
    hits: &mut Vec<Hit>,
    look: fn(&PullRequestConvention, &PullRequest<'_>, &mut Vec<Problem>),
) {
    for (index, call) in calls(scene, &[Kind::RemoteChange]) {
        let (title, body) = (text_of(&call, Part::PullTitle), text_of(&call, Part::PullBody));
        let about = |said: &Said| matches!(said.part, Part::PullTitle | Part::PullBody | Part::Base);
        if !call.said().iter().any(about) {
            continue;
        }
        let request = PullRequest { call, title, body, span: call.span() };
        let mut problems = Vec::new();
        for convention in &scene.conventions().pull_requests {
            look(convention, &request, &mut problems);
        }
        report(problems, index, hits);
    }
}

/// The calls that do something of these kinds, each with the index of its first effect of them.
pub(crate) fn calls<'a>(
    scene: &Scene<'a>,
    kinds: &'static [Kind],
) -> impl Iterator<Item = (usize, Deed<'a>)> + use<'a> {
    let scene = *scene;
    let mut last = None;
    scene.seen().filter(move |seen| kinds.contains(&seen.effect.kind)).filter_map(move |seen| {
        let at = seen.effect.call.filter(|at| last != Some(*at))?;
        last = Some(at);
        Some((seen.index, scene.call(at)?))
    })
}

/// What a call says in a part, several paragraphs with a blank line between them; `None` if it says nothing there or a
/// paragraph isn't known.
pub(crate) fn text_of(call: &Deed<'_>, part: Part) -> Option<Text> {
    let said: Vec<&Said> = call.said().iter().filter(|said| said.part == part).collect();
    let paragraphs: Vec<&str> = said.iter().map(|said| said.text.as_deref()).collect::<Option<_>>()?;
    let span = said.first()?.span;
    Some(Text::new(&paragraphs.join("\n\n"), span))
}

/// Turns problems into hits; the same problem by two conventions is one.
pub(crate) fn report(problems: Vec<Problem>, effect: usize, hits: &mut Vec<Hit>) {
    for problem in problems {
        let hit = Hit {
            message: problem.what,
            fix: problem.fix,
            remedy: Remedy::Fixable,
            span: problem.span,
            effects: vec![effect],
            level: None,
            unless_kept: None,
            replacement: None,
        };
        if !hits.contains(&hit) {
            hits.push(hit);
        }
    }
}
