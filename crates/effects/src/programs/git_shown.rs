//! git's commands that print what is in files: of a secret they print it.

use crate::context::Context;
use crate::effect::{Kind, Traits};
use crate::field::Field;
use crate::knowledge::Matched;
use crate::paths::{self, Spelling};

/// Options that leave names and counts of the changes.
const NO_CONTENT: &[&str] = &[
    "--check",
    "--compact-summary",
    "--count",
    "--dirstat",
    "--files-with-matches",
    "--name-only",
    "--name-status",
    "--no-patch",
    "--numstat",
    "--quiet",
    "--shortstat",
    "--stat",
    "--summary",
    "-l",
    "-q",
    "-s",
];

/// Options that print changes where otherwise there are only messages.
const CONTENT: &[&str] = &["--patch", "--patch-with-stat", "-p", "-u"];

/// `git diff .env`, `git log -p -- .env`, `git blame .env`
pub(crate) fn shown_changes(context: &mut Context<'_>, call: &Matched<'_>) {
    let name = call.subcommand.last().map(String::as_str).unwrap_or_default();
    let has = |options: &[&str]| {
        call.arguments.iter().any(|argument| {
            let option = argument.written.split('=').next().unwrap_or_default();
            options.contains(&option)
        })
    };
    let shows = match name {
        "log" => has(CONTENT),
        "blame" | "annotate" => true,
        _ => !has(NO_CONTENT) || has(CONTENT),
    };
    if !shows {
        return;
    }
    // What stands before the dashes may be a pattern or a commit.
    let dashes = call.arguments.iter().position(|argument| argument.is("--"));
    let first = match (name, dashes) {
        (_, Some(at)) => at + 1,
        ("grep", None) => return,
        _ => 0,
    };
    let secrets: Vec<Field> =
        call.arguments.iter().skip(first).filter(|word| is_secret(context, word)).cloned().collect();
    for field in &secrets {
        context.path(Kind::Read, field);
    }
}

fn is_secret(context: &Context<'_>, word: &Field) -> bool {
    // `:!path` takes a path out, and `commit:path` is looked at elsewhere.
    !word.is_dashed()
        && !word.written.contains(':')
        && context.resolve_one(word).is_some_and(|path| {
            let fact = paths::fact(path, Spelling::Plain, context.places(), context.world(), &[]);
            fact.traits.contains(Traits::SECRET)
        })
}
