//! Makefiles and justfiles, as far as their recipes can be read off line by line.

use hookgate_knowledge::shipped;

use super::make_text::{Filler, Variables, balanced};

/// One target or recipe.
#[derive(Debug, PartialEq)]
pub(super) struct Recipe {
    pub(super) name: String,
    /// What runs before it.
    pub(super) needs: Vec<String>,
    /// Shell texts.
    pub(super) lines: Vec<String>,
}

impl Recipe {
    /// Is it a rule for names of that kind (`clean-%`)?
    pub(super) fn may_make(&self, name: &str) -> bool {
        self.name.split_once('%').is_some_and(|(begin, end)| {
            name.len() > begin.len() + end.len() && name.starts_with(begin) && name.ends_with(end)
        })
    }
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
    /// More was to be filled in than the limit.
    pub(super) cut: bool,
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

/// The rules of a makefile. Variables of simple assignments are followed; others stay as shell variables of that
/// name, which are computed.
pub(super) fn make_recipes(text: &str, given: &[(String, String)]) -> Recipes {
    let mut variables: Vec<(String, String)> = given.to_vec();
    let mut found = Recipes { understood: !sets_specially(given), ..Recipes::default() };
    let joined = text.replace("\\\n", " ");
    let mut filler = Filler::new();
    let mut current = 0..0;
    let mut lines = joined.lines();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix('\t') {
            let command = command.trim_start().trim_start_matches(['@', '-', '+']);
            found.understood &= calls_are_understood(command);
            if command.contains("file ") {
                shell_texts(command, &variables, &mut filler, &mut found.while_reading);
            }
            for recipe in found.recipes.get_mut(current.clone()).unwrap_or_default() {
                recipe.lines.push(filler.fill_for(&recipe.name, command, &variables));
            }
            continue;
        }
        let line = line.split(" #").next().unwrap_or(line).trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        found.understood &= calls_are_understood(line);
        shell_texts(line, &variables, &mut filler, &mut found.while_reading);
        if let Some((name, value)) = assignment(line) {
            let before = line.split('=').next().unwrap_or_default().trim_end();
            if before.ends_with('!') {
                found.while_reading.push(filler.fill(value, &variables));
            }
            found.understood &= !is_special(name) && !before.starts_with("export");
            found.assigned.push(name.to_owned());
            if !given.iter().any(|(known, _)| known == name) {
                variables.retain(|(known, _)| known != name);
                variables.push((name.to_owned(), value.to_owned()));
            }
            continue;
        }
        // `define NAME` up to `endef`: a variable of several lines.
        if let Some(name) = line.trim_start().strip_prefix("define ") {
            let name = name.trim().trim_end_matches(['=', ':', '?', '+']).trim_end();
            let body: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "endef").collect();
            let body = body.iter().map(|line| line.trim_start().trim_start_matches(['@', '-', '+']));
            variables.push((name.to_owned(), body.collect::<Vec<_>>().join("\n")));
            found.understood = false;
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
        let targets = filler.fill(targets, &variables);
        let inert = |target: &str| {
            !target.starts_with('.') || target.contains('/') || INERT_TARGETS.contains(&target)
        };
        found.understood &=
            !line.contains('%') && !needs.contains('=') && targets.split_whitespace().all(inert);
        for target in targets.split_whitespace() {
            found.recipes.push(Recipe {
                name: target.to_owned(),
                needs: filler
                    .fill(needs, &variables)
                    .split_whitespace()
                    .filter(|need| *need != "|")
                    .map(str::to_owned)
                    .collect(),
                lines: first
                    .map(|line| filler.fill_for(target, line.trim(), &variables))
                    .into_iter()
                    .collect(),
            });
        }
        current = start..found.recipes.len();
    }
    if found.recipes.iter().any(|recipe| recipe.name == ".ONESHELL") {
        for recipe in &mut found.recipes {
            recipe.lines = vec![recipe.lines.join("\n")];
        }
    }
    found.cut = filler.is_spent();
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
        !rest.starts_with([' ', '\t']) || shipped().table("make/functions").find(name).is_some()
    })
}

/// The texts of `$(shell ...)`.
fn shell_texts(line: &str, variables: &Variables, filler: &mut Filler, found: &mut Vec<String>) {
    for open in ["$(file ", "${file "] {
        for (at, _) in line.match_indices(open) {
            let close = if open.contains('(') { ')' } else { '}' };
            let inner = line.get(at + 1..).and_then(|rest| balanced(rest, close));
            let Some(text) = inner.and_then(|(inner, _)| inner.strip_prefix("file ")) else { continue };
            // `$(file >NAME,TEXT)`: what the shell would say so.
            let redirection = text.split(',').next().unwrap_or(text);
            found.push(filler.fill(redirection, variables));
        }
    }
    for open in ["$(shell ", "${shell "] {
        for (at, _) in line.match_indices(open) {
            let close = if open.contains('(') { ')' } else { '}' };
            let inner = line.get(at + 1..).and_then(|rest| balanced(rest, close));
            if let Some(text) = inner.and_then(|(inner, _)| inner.strip_prefix("shell ")) {
                found.push(filler.fill(text, variables));
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
