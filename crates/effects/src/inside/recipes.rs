//! Makefiles and justfiles, as far as their recipes can be read off line by line.

/// One target or recipe.
#[derive(Debug, PartialEq)]
pub(super) struct Recipe {
    pub(super) name: String,
    /// What runs before it.
    pub(super) needs: Vec<String>,
    /// Shell texts.
    pub(super) lines: Vec<String>,
}

/// The rules of a makefile. Variables of simple assignments are followed; others stay as shell variables of that
/// name, which are computed.
pub(super) fn make_recipes(text: &str, given: &[(String, String)]) -> Vec<Recipe> {
    let mut variables: Vec<(String, String)> = given.to_vec();
    let joined = text.replace("\\\n", " ");
    let mut recipes: Vec<Recipe> = Vec::new();
    let mut current = 0..0;
    for line in joined.lines() {
        if let Some(command) = line.strip_prefix('\t') {
            let command = command.trim_start().trim_start_matches(['@', '-', '+']);
            for recipe in recipes.get_mut(current.clone()).unwrap_or_default() {
                let command = command.replace("$@", &recipe.name);
                recipe.lines.push(expand(&command, &variables, 0));
            }
            continue;
        }
        let line = line.split(" #").next().unwrap_or(line).trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((name, value)) = assignment(line) {
            if !given.iter().any(|(known, _)| known == name) {
                variables.retain(|(known, _)| known != name);
                variables.push((name.to_owned(), value.to_owned()));
            }
            continue;
        }
        if let Some((targets, needs)) = line.split_once(':') {
            let needs = needs.trim_start_matches(':');
            let (needs, first) =
                needs.split_once(';').map_or((needs, None), |(needs, first)| (needs, Some(first)));
            let start = recipes.len();
            for target in expand(targets, &variables, 0).split_whitespace() {
                recipes.push(Recipe {
                    name: target.to_owned(),
                    needs: expand(needs, &variables, 0)
                        .split_whitespace()
                        .filter(|need| *need != "|")
                        .map(str::to_owned)
                        .collect(),
                    lines: first.map(|line| expand(line.trim(), &variables, 0)).into_iter().collect(),
                });
            }
            current = start..recipes.len();
        }
    }
    recipes
}

/// `NAME = value` in its forms.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!']).trim();
    let name = name.strip_prefix("export ").or_else(|| name.strip_prefix("override ")).unwrap_or(name).trim();
    let plain =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    plain.then_some((name, value.trim()))
}

/// Replaces `$(NAME)`, `${NAME}`, `$(shell ...)` and `$$`.
fn expand(text: &str, variables: &[(String, String)], depth: u32) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        result.push_str(before);
        if let Some(after) = after.strip_prefix('$') {
            result.push('$');
            rest = after;
            continue;
        }
        let close = match after.chars().next() {
            Some('(') => ')',
            Some('{') => '}',
            Some(automatic) => {
                // `$<`, `$^`: paths that the rule names.
                result.push_str("$MAKE_AUTOMATIC");
                rest = after.get(automatic.len_utf8()..).unwrap_or_default();
                continue;
            }
            None => break,
        };
        let Some((name, behind)) = balanced(after, close) else {
            result.push('$');
            rest = after;
            continue;
        };
        rest = behind;
        if let Some(command) = name.strip_prefix("shell ") {
            result.push_str("$(");
            result.push_str(&expand(command, variables, depth + 1));
            result.push(')');
        } else if let Some((_, value)) =
            variables.iter().find(|(known, _)| known == name).filter(|_| depth < 8)
        {
            result.push_str(&expand(value, variables, depth + 1));
        } else {
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
            result.push_str(if name == "MAKE" { "make" } else { "$" });
            if name != "MAKE" {
                result.push_str(if plain { name } else { "MAKE_FUNCTION" });
            }
        }
    }
    result.push_str(rest);
    result.truncate(64 * 1024);
    result
}

/// What stands between the first character and the closing one that belongs to it, and what is behind.
fn balanced(text: &str, close: char) -> Option<(&str, &str)> {
    let open = text.chars().next()?;
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        if character == open {
            depth += 1;
        } else if character == close {
            depth -= 1;
            if depth == 0 {
                let inner = text.get(open.len_utf8()..at)?;
                return Some((inner, text.get(at + close.len_utf8()..)?));
            }
        }
    }
    None
}

/// The recipes of a justfile.
pub(super) fn just_recipes(text: &str) -> Vec<Recipe> {
    let mut recipes: Vec<Recipe> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(recipe) = recipes.last_mut().filter(|_| inside) {
                let command = line.trim().trim_start_matches(['@', '-']);
                // A recipe with a first line of its own is one script.
                match recipe.lines.first_mut().filter(|first| first.starts_with("#!")) {
                    Some(script) => {
                        script.push('\n');
                        script.push_str(&interpolated(command));
                    }
                    None if !command.is_empty() => recipe.lines.push(interpolated(command)),
                    None => {}
                }
            }
            continue;
        }
        inside = false;
        if line.trim().is_empty() || line.starts_with(['#', '[']) || line.contains(":=") {
            continue;
        }
        if let Some((head, needs)) = line.split_once(':') {
            let name = head.split_whitespace().next().unwrap_or_default().trim_start_matches('@');
            let needs = needs.replace(['(', ')', '&'], " ");
            recipes.push(Recipe {
                name: name.to_owned(),
                needs: needs.split_whitespace().map(str::to_owned).collect(),
                lines: Vec::new(),
            });
            inside = true;
        }
    }
    recipes
}

/// `{{name}}` as a variable of a shell, which is computed.
fn interpolated(line: &str) -> String {
    let mut result = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        result.push_str(before);
        match after.split_once("}}") {
            Some((_, behind)) => {
                result.push_str("$JUST");
                rest = behind;
            }
            None => {
                rest = after;
                break;
            }
        }
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_makefile_gives_targets_with_what_they_need_and_run() {
        let text =
            "OUT = build\n.PHONY: all clean\nall: main\n\t@echo $(OUT)\nclean:\n\t-rm -rf $(OUT) $$HOME\n";
        let recipes = make_recipes(text, &[]);
        let clean = recipes.iter().find(|recipe| recipe.name == "clean").unwrap();
        assert_eq!(clean.lines, ["rm -rf build $HOME"]);
        let all = recipes.iter().find(|recipe| recipe.name == "all").unwrap();
        assert_eq!(
            (all.needs.as_slice(), all.lines.as_slice()),
            (&["main".to_owned()][..], &["echo build".to_owned()][..])
        );
    }

    #[test]
    fn a_justfile_gives_recipes() {
        let recipes = just_recipes("x := '1'\n\nbuild target: prepare\n    @cargo build {{target}}\n");
        assert_eq!(
            recipes,
            [Recipe {
                name: "build".to_owned(),
                needs: vec!["prepare".to_owned()],
                lines: vec!["cargo build $JUST".to_owned()]
            }]
        );
    }
}
