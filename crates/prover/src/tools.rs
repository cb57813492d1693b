//! Other tools than a shell: which a grant may rest on, and on which fields of their input.

use hookgate_shell::Span;

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
    let mut roles: Vec<(&str, &str)> = cells.filter_map(|cell| cell.split_once('=')).collect();
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
    if text_of("output_mode") == Some("content") && text_of("type").is_none() {
        let kind = text_of("glob").and_then(|glob| glob.rsplit_once('.'));
        if !kind.is_some_and(|(_, ending)| is_listed("code-endings", ending)) {
            return prints_a_tree(text_of("path").unwrap_or("."), ground);
        }
    }
    Ok(())
}

/// A search that prints what it finds looks into hidden files too.
fn prints_a_tree(directory: &str, ground: &Ground<'_>) -> Proven<()> {
    let directory = places::reached(ground.cwd, directory, ground);
    let secret = |name: &String| {
        name.starts_with('.') && !is_listed("known-hidden", name) || places::names_a_secret(name)
    };
    match ground.files.list(&directory).iter().find(|name| secret(name)) {
        Some(name) => {
            refuse(format!("prints what is in everything here, and in `{name}` with it"), Span::default())
        }
        None => Ok(()),
    }
}

fn field(role: &str, text: &str, ground: &Ground<'_>) -> Proven<()> {
    let span = Span::default();
    match role {
        "text" => Ok(()),
        "shell" => crate::prove_shell(text, ground),
        "off" if text == "false" => Ok(()),
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
                let shown = |path: &str| {
                    let hidden = path.split('/').find(|part| part.starts_with('.'));
                    hidden.is_none_or(|part| is_listed("known-hidden", part))
                };
                // What `known-hidden` lists may be read; a link could lead to what git runs.
                let linked = resolved != path && resolved.split('/').any(|part| part == ".git");
                let known = shown(&path) && shown(&resolved) && !linked;
                let inside = |path: &str| {
                    places::in_project(path, ground)
                        || ground.temporary.iter().any(|root| places::lies_in(path, root))
                };
                if known && inside(&path) && inside(&resolved) {
                    return Ok(());
                }
                return refuse("writes outside of the project, or what is hidden in it", span);
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
