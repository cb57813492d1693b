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

/// What a file with recipes says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Recipes {
    pub(super) recipes: Vec<Recipe>,
    /// Shell texts that run while the file is read, whatever target is asked for.
    pub(super) while_reading: Vec<String>,
    /// The variables that the file sets.
    pub(super) assigned: Vec<String>,
    /// Nothing is in the file but what is read here: rules, plain variables, functions that only change text.
    pub(super) understood: bool,
}

/// Targets with a dot that say nothing about what runs.
const INERT_TARGETS: [&str; 9] = [
    ".PHONY",
    ".SUFFIXES",
    ".SILENT",
    ".IGNORE",
    ".DELETE_ON_ERROR",
    ".NOTPARALLEL",
    ".PRECIOUS",
    ".ONESHELL",
    ".POSIX",
];

/// Functions of make that only change text, and `shell`, whose text is looked into.
const FUNCTIONS: [&str; 25] = [
    "abspath",
    "addprefix",
    "addsuffix",
    "and",
    "basename",
    "dir",
    "filter",
    "filter-out",
    "findstring",
    "firstword",
    "if",
    "join",
    "lastword",
    "notdir",
    "or",
    "patsubst",
    "realpath",
    "shell",
    "sort",
    "strip",
    "subst",
    "suffix",
    "wildcard",
    "word",
    "words",
];

/// The rules of a makefile. Variables of simple assignments are followed; others stay as shell variables of that
/// name, which are computed.
pub(super) fn make_recipes(text: &str, given: &[(String, String)]) -> Recipes {
    let mut variables: Vec<(String, String)> = given.to_vec();
    let mut found = Recipes { understood: !sets_specially(given), ..Recipes::default() };
    let joined = text.replace("\\\n", " ");
    let mut current = 0..0;
    for line in joined.lines() {
        if let Some(command) = line.strip_prefix('\t') {
            let command = command.trim_start().trim_start_matches(['@', '-', '+']);
            found.understood &= calls_are_understood(command);
            if command.contains("file ") {
                shell_texts(command, &variables, &mut found.while_reading);
            }
            for recipe in found.recipes.get_mut(current.clone()).unwrap_or_default() {
                let command = command.replace("$@", &recipe.name);
                recipe.lines.push(expand(&command, &variables, 0));
            }
            continue;
        }
        let line = line.split(" #").next().unwrap_or(line).trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        found.understood &= calls_are_understood(line);
        shell_texts(line, &variables, &mut found.while_reading);
        if let Some((name, value)) = assignment(line) {
            let before = line.split('=').next().unwrap_or_default().trim_end();
            if before.ends_with('!') {
                found.while_reading.push(expand(value, &variables, 0));
            }
            found.understood &= !is_special(name) && !before.starts_with("export");
            found.assigned.push(name.to_owned());
            if !given.iter().any(|(known, _)| known == name) {
                variables.retain(|(known, _)| known != name);
                variables.push((name.to_owned(), value.to_owned()));
            }
            continue;
        }
        let Some((targets, needs)) = line.split_once(':') else {
            // `include`, `define`, `ifeq`, `export`, `vpath`, a call of a function.
            found.understood = false;
            continue;
        };
        let needs = needs.trim_start_matches(':');
        let (needs, first) =
            needs.split_once(';').map_or((needs, None), |(needs, first)| (needs, Some(first)));
        let start = found.recipes.len();
        let targets = expand(targets, &variables, 0);
        let inert = |target: &str| {
            !target.starts_with('.') || target.contains('/') || INERT_TARGETS.contains(&target)
        };
        found.understood &=
            !line.contains('%') && !needs.contains('=') && targets.split_whitespace().all(inert);
        for target in targets.split_whitespace() {
            found.recipes.push(Recipe {
                name: target.to_owned(),
                needs: expand(needs, &variables, 0)
                    .split_whitespace()
                    .filter(|need| *need != "|")
                    .map(str::to_owned)
                    .collect(),
                lines: first.map(|line| expand(line.trim(), &variables, 0)).into_iter().collect(),
            });
        }
        current = start..found.recipes.len();
    }
    if found.recipes.iter().any(|recipe| recipe.name == ".ONESHELL") {
        for recipe in &mut found.recipes {
            recipe.lines = vec![recipe.lines.join("\n")];
        }
    }
    found
}

/// Does a variable decide how make reads the file, or what runs the recipes?
fn is_special(name: &str) -> bool {
    name.starts_with('.')
        || matches!(name, "SHELL" | "MAKE" | "MAKEFLAGS" | "GNUMAKEFLAGS" | "MAKEFILES" | "VPATH")
}

fn sets_specially(given: &[(String, String)]) -> bool {
    given.iter().any(|(name, _)| is_special(name.trim_end_matches([':', '?', '+', '!'])))
}

/// Are all functions that the line calls known to change text only?
fn calls_are_understood(line: &str) -> bool {
    line.split("$(").skip(1).chain(line.split("${").skip(1)).all(|call| {
        let end = call.find([' ', '\t', ')', '}', ':', '$', ',']).unwrap_or(call.len());
        let (name, rest) = call.split_at_checked(end).unwrap_or((call, ""));
        !rest.starts_with([' ', '\t']) || FUNCTIONS.contains(&name)
    })
}

/// The texts of `$(shell ...)`.
fn shell_texts(line: &str, variables: &[(String, String)], found: &mut Vec<String>) {
    for open in ["$(file ", "${file "] {
        for (at, _) in line.match_indices(open) {
            let close = if open.contains('(') { ')' } else { '}' };
            let inner = line.get(at + 1..).and_then(|rest| balanced(rest, close));
            let Some(text) = inner.and_then(|(inner, _)| inner.strip_prefix("file ")) else { continue };
            // `$(file >NAME,TEXT)`: what the shell would say so.
            let redirection = text.split(',').next().unwrap_or(text);
            found.push(expand(redirection, variables, 0));
        }
    }
    for open in ["$(shell ", "${shell "] {
        for (at, _) in line.match_indices(open) {
            let close = if open.contains('(') { ')' } else { '}' };
            let inner = line.get(at + 1..).and_then(|rest| balanced(rest, close));
            if let Some(text) = inner.and_then(|(inner, _)| inner.strip_prefix("shell ")) {
                found.push(expand(text, variables, 0));
            }
        }
    }
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

/// Attributes of a justfile's recipe that change nothing about what runs.
const ATTRIBUTES: [&str; 10] =
    ["private", "group", "doc", "confirm", "no-cd", "unix", "linux", "macos", "windows", "no-exit-message"];

/// The recipes of a justfile.
pub(super) fn just_recipes(text: &str) -> Recipes {
    let mut found = Recipes { understood: true, ..Recipes::default() };
    let mut variables: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(recipe) = found.recipes.last_mut().filter(|_| inside) {
                let command = line.trim().trim_start_matches(['@', '-']);
                // A recipe with a first line of its own is one script.
                match recipe.lines.first_mut().filter(|first| first.starts_with("#!")) {
                    Some(script) => {
                        script.push('\n');
                        script.push_str(&interpolated(command, &variables));
                    }
                    None if !command.is_empty() => recipe.lines.push(interpolated(command, &variables)),
                    None => {}
                }
            }
            continue;
        }
        inside = false;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(attributes) = line.strip_prefix('[') {
            let name = |part: &str| part.split(['(', ':']).next().unwrap_or_default().trim().to_owned();
            found.understood &= attributes
                .trim_end_matches(']')
                .split(',')
                .all(|part| ATTRIBUTES.contains(&name(part).as_str()) || part.contains(['"', '\'']));
            continue;
        }
        if let Some((name, value)) = line.split_once(":=") {
            let (name, value) = (name.trim(), value.trim());
            let plain = ['"', '\''].iter().find_map(|quote| {
                value.strip_prefix(*quote)?.strip_suffix(*quote).filter(|inner| !inner.contains(*quote))
            });
            if let Some(command) = value.strip_prefix('`').and_then(|value| value.strip_suffix('`')) {
                found.while_reading.push(command.trim_matches('`').to_owned());
            } else if let Some(plain) = plain {
                variables.push((name.to_owned(), plain.to_owned()));
            }
            let sets = name.starts_with("set ") || name.starts_with("export ");
            found.understood &=
                !sets && !value.contains("shell(") && (plain.is_some() || !value.contains('`'));
            continue;
        }
        if let Some((head, needs)) = line.split_once(':') {
            let name = head.split_whitespace().next().unwrap_or_default().trim_start_matches('@');
            let needs = needs.replace(['(', ')', '&'], " ");
            found.understood &= !line.contains('`');
            found.recipes.push(Recipe {
                name: name.to_owned(),
                needs: needs.split_whitespace().map(str::to_owned).collect(),
                lines: Vec::new(),
            });
            inside = true;
            continue;
        }
        // `import`, `mod`, `set`, `alias`.
        found.understood &= line.starts_with("set ") && !line.contains("shell");
    }
    found
}

/// `{{name}}` as its text, where that is plain, else as a variable of a shell, which is computed.
fn interpolated(line: &str, variables: &[(String, String)]) -> String {
    let mut result = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        result.push_str(before);
        match after.split_once("}}") {
            Some((name, behind)) => {
                let known = variables.iter().rfind(|(known, _)| known == name.trim());
                result.push_str(known.map_or("$JUST", |(_, value)| value));
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
        let Recipes { recipes, understood, .. } = make_recipes(text, &[]);
        assert!(understood);
        let clean = recipes.iter().find(|recipe| recipe.name == "clean").unwrap();
        assert_eq!(clean.lines, ["rm -rf build $HOME"]);
        let all = recipes.iter().find(|recipe| recipe.name == "all").unwrap();
        assert_eq!(
            (all.needs.as_slice(), all.lines.as_slice()),
            (&["main".to_owned()][..], &["echo build".to_owned()][..])
        );
    }

    #[test]
    fn what_is_more_than_rules_and_plain_variables_is_not_understood() {
        for line in [
            "include evil.mk",
            "SHELL := ./evil",
            "%: ; rm x",
            ".DEFAULT: ; rm x",
            ".RECIPEPREFIX = >",
            "ifeq (a,b)",
            "define X",
            "$(eval x)",
            "X := $(call f,1)",
            "export PATH := ./evil",
            "a: X = y",
        ] {
            assert!(!make_recipes(&format!("{line}\ntest:\n\techo a\n"), &[]).understood, "{line}");
        }
        assert!(make_recipes("X := $(wildcard *.c)\n.PHONY: a\na: b\n\techo $(X) $@\n", &[]).understood);
    }

    #[test]
    fn what_runs_while_the_file_is_read_is_found() {
        let found = make_recipes("A = x\nX := $(shell rm $(A))\nY != rm y\ntest:\n\techo a\n", &[]);
        assert_eq!(found.while_reading, ["rm x", "rm y"]);
    }

    #[test]
    fn a_justfile_gives_recipes() {
        let text = "x := '1'\ny := `rm z`\n\nbuild target: prepare\n    @cargo build {{target}} {{x}}\n";
        let found = just_recipes(text);
        assert_eq!(
            found.recipes,
            [Recipe {
                name: "build".to_owned(),
                needs: vec!["prepare".to_owned()],
                lines: vec!["cargo build $JUST 1".to_owned()]
            }]
        );
        assert_eq!(found.while_reading, ["rm z"]);
        assert!(!just_recipes("import 'x'\na:\n    echo\n").understood);
        assert!(!just_recipes("set shell := ['evil']\na:\n    echo\n").understood);
    }
}
