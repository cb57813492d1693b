//! Other tools than a shell: which a grant may rest on, and on which fields of their input.

use hookgate_shell::Span;

use crate::state::Value;
use crate::statements::Prover;
use crate::table::{cells, is_listed};
use crate::{Ground, Proven, Refusal, places, refuse};

/// The fields of a tool's input that the prover looks at: every text in it, by its key.
type Fields<'a> = [(&'a str, &'a str)];

/// Proves that a tool call is of a known kind. `fields` are the texts of its input, by key, those of nested values too.
///
/// # Errors
/// What isn't on the list.
pub fn prove_tool(name: &str, fields: &Fields<'_>, ground: &Ground<'_>) -> Result<(), Refusal> {
    let key = format!("tool.{name}");
    let Some(cells) = cells(&key) else {
        return refuse(format!("the tool `{name}` is not reviewed"), Span::default());
    };
    let (mut roles, mut prints) = (Vec::new(), None);
    for cell in cells.flat_map(included) {
        match cell.strip_prefix("prints:") {
            Some(when) => prints = Some(when),
            None => roles.extend(cell.split_once('=')),
        }
    }
    roles.sort_unstable();
    for (key, text) in fields {
        match roles.iter().find(|(known, _)| known == key) {
            Some((_, role)) => field(role, text, ground)?,
            None => {
                return refuse(
                    format!("the field `{key}` of the tool `{name}` is not reviewed"),
                    Span::default(),
                );
            }
        }
    }
    let text_of = |key: &str| fields.iter().find(|(known, _)| *known == key).map(|(_, text)| *text);
    let only_names = match (prints, text_of("output_mode")) {
        (None, _) | (_, Some("files_with_matches" | "count")) => true,
        (Some(when), mode) => when != "always" && mode.is_none(),
    };
    let mut globs = fields.iter().filter(|(key, _)| matches!(*key, "glob" | "include")).peekable();
    let only_code = text_of("type").is_some_and(|kind| is_listed("code-types", kind))
        || globs.peek().is_some() && globs.all(|(_, glob)| means_code(glob));
    if only_names || only_code {
        return Ok(());
    }
    prints_a_tree(text_of("path").unwrap_or("."), ground)
}

/// The cells of the row that a cell includes, or the cell.
fn included(cell: &'static str) -> Vec<&'static str> {
    let row = cell.strip_prefix('@').and_then(cells);
    row.map_or_else(|| vec![cell], Iterator::collect)
}

/// Is it one pattern of names, all of which end like code? Blanks and commas part several, and `!` means all others.
fn means_code(glob: &str) -> bool {
    let (before, ending) = glob.rsplit_once('.').unwrap_or((glob, ""));
    let endings = ending.strip_prefix('{').and_then(|endings| endings.strip_suffix('}')).unwrap_or(ending);
    endings.split(',').all(|ending| is_listed("code-endings", ending))
        && !before.contains(['!', ',', '{', '}'])
        && !glob.contains(char::is_whitespace)
}

/// A search that prints what it finds looks into hidden files too, but through no links.
fn prints_a_tree(directory: &str, ground: &Ground<'_>) -> Proven<()> {
    let span = Span::default();
    let directory = places::reached(ground.cwd, directory, ground);
    let all = Prover::new("", ground).below(&[directory], false, |name, _| {
        if name.starts_with('.') && !is_listed("known-hidden", name) || places::names_a_secret(name) {
            return refuse(format!("prints what is in everything here, and in `{name}` with it"), span);
        }
        Ok(true)
    })?;
    if all {
        Ok(())
    } else {
        refuse("prints what is in everything here, which is too much to look through", span)
    }
}

fn field(role: &str, text: &str, ground: &Ground<'_>) -> Proven<()> {
    let span = Span::default();
    match role {
        "text" => Ok(()),
        "shell" => crate::prove_shell(text, ground),
        "off" if text == "false" => Ok(()),
        "fetched-url" if crate::roles::is_public(text) => Ok(()),
        "path" | "tree" | "write" => {
            let text = text.strip_prefix("file://").unwrap_or(text);
            let whole = match text.strip_prefix('~') {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", ground.home),
                Some(_) => return refuse("the home of somebody else", span),
                None => text.to_owned(),
            };
            let path = places::reached(ground.cwd, &whole, ground);
            let resolved = ground.files.resolve(&path).unwrap_or_else(|| path.clone());
            if role == "write" {
                return Prover::new("", ground).writes(&Value::of(path), span);
            }
            places::may_read(&path, ground, span)?;
            if resolved == path { Ok(()) } else { places::may_read(&resolved, ground, span) }
        }
        // A pattern of names: hidden ones have to be named by it.
        "glob" => {
            let hidden =
                text.split(['/', ',', '{', '(', '|']).find(|part| part.starts_with('.') && part.len() > 1);
            let named = text
                .split(['/', ',', '{', '}', '*', '(', ')', '|'])
                .find(|part| places::names_a_secret(part));
            if let Some(part) = text.split('/').find(|part| crate::roles::may_match_hidden(part)) {
                return refuse(format!("`{part}` may match a hidden file"), span);
            }
            if let Some(part) = named.or(hidden.filter(|part| !is_listed("known-hidden", part))) {
                return refuse(format!("`{part}` is hidden or may hold a secret"), span);
            }
            if text.starts_with(['/', '~']) || text.contains("..") {
                let path = places::reached(
                    ground.cwd,
                    text.split(['*', '?', '[', '{']).next().unwrap_or_default(),
                    ground,
                );
                return places::may_read(&path, ground, span);
            }
            Ok(())
        }
        _ => refuse("a field that no grant rests on", span),
    }
}
