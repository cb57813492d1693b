//! A text that ends inside of a quote: a shell runs nothing of the line in which it was opened.

use crate::context::Context;
use crate::effect::{Effect, Kind, Output, Place, Target, Unknown};
use crate::scope::Mapping;
use hookgate_shell::Problem;

impl Context<'_> {
    /// Something is open at the end of the text, which is read as if it were closed there. That does no harm by itself,
    /// unless another reader finds the end of the quote elsewhere.
    pub(super) fn unclosed(&mut self, problem: &Problem) {
        let text = std::rc::Rc::clone(&self.scope().text);
        let behind = opened(problem.span.of(&text));
        let harmful = self.scope().fragment
            || reads_differ(&text)
            || WORDS.iter().any(|word| self.would_harm(word, behind));
        let place = self.scope().mapping.place(problem.span);
        if harmful {
            self.unknown(Unknown::Unparsed, place);
            self.annotate(problem.message.clone());
        } else {
            self.unknown(Unknown::Program, place);
            self.annotate(format!("{}: a shell runs nothing of that line", problem.message));
        }
    }

    /// Would the text, behind a quote that closes, do more than read? It begins inside of that word then.
    fn would_harm(&mut self, word: &str, behind: &str) -> bool {
        let text = format!("{word}{behind}");
        let (effects, calls) = (self.found.effects.len(), self.found.calls.len());
        let state = self.state.clone();
        let span = self.scope().span;
        // What is open in there is not looked behind again.
        self.within(
            |scope| scope.fragment = true,
            |context| {
                context.capture(Output::Agent, |context| {
                    context.possibly(|context| context.run_text(&text, Mapping::Within(span)));
                })
            },
        );
        self.state = state;
        let harms = self.found.effects.iter().skip(effects).any(harms);
        self.found.effects.truncate(effects);
        self.found.calls.truncate(calls);
        harms
    }
}

/// Where the quote that closes was opened: in an argument, or in a value that is assigned.
const WORDS: [&str; 2] = ["true x", "X=x"];

/// May another shell find the end of the quote elsewhere? Before a single quote the backslash is a character in some
/// shells, and keeps the quote open in others (fish, xonsh); and where names stand for texts, one may hold a quote.
fn reads_differ(text: &str) -> bool {
    text.contains("\\'") || text.contains("alias ")
}

/// What stands behind the sign that opens.
fn opened(inside: &str) -> &str {
    let signs = ['\'', '"', '`', '('];
    // Inside of backquotes that are closed, the place of the sign itself is not known.
    let inside = match inside.strip_prefix('`').and_then(|inside| inside.strip_suffix('`')) {
        Some(within) if within.contains(signs) => within,
        _ => inside,
    };
    let rest = inside.find(signs).and_then(|at| inside.get(at..)).unwrap_or(inside);
    let mut characters = rest.chars();
    characters.next();
    characters.as_str()
}

fn harms(effect: &Effect) -> bool {
    match effect.kind {
        Kind::Read
        | Kind::RemoteRead
        | Kind::DatabaseRead
        | Kind::Build
        | Kind::Test
        | Kind::Lint
        | Kind::Format
        | Kind::ProjectCode => false,
        Kind::Unknown(unknown) => unknown == Unknown::Command,
        Kind::Write | Kind::Append => {
            !matches!(&effect.target, Some(Target::Path(fact)) if fact.place <= Place::Project)
        }
        _ => true,
    }
}
