//! What the repository itself defines under a program's subcommands: package scripts, make targets, recipes, aliases.

use super::kind_by_name;
use super::recipes::{Recipe, just_recipes, make_recipes};
use crate::context::Context;
use crate::effect::{Certainty, Kind, Target};
use crate::field::{Data, Field};
use crate::interpreter::Value;
use crate::paths;
use crate::programs::{Matched, git_settings};
use serde_json::Value as Json;

/// The largest file with definitions.
const MAXIMUM_FILE: usize = 256 * 1024;
/// The most recipes that one target is followed through.
const MAXIMUM_RECIPES: usize = 24;

impl Context<'_> {
    /// Runs what the repository defines under a subcommand that the program's file does not list; `false` where it
    /// defines nothing of that name.
    pub(crate) fn defined_subcommand(&mut self, call: &Matched<'_>) -> bool {
        let Some(name) = call.unlisted.iter().find(|field| !field.is_dashed()) else { return false };
        let Some(text) = name.text() else { return false };
        let at = call.arguments.iter().position(|field| field == name).unwrap_or(0);
        let rest = call.arguments.get(at + 1..).unwrap_or_default();
        match call.program {
            "git" => {
                let prefix = format!("alias.{text}=");
                let given = call
                    .values("-c")
                    .find_map(|field| field.text()?.strip_prefix(&prefix))
                    .map(str::to_owned)
                    .or_else(|| {
                        let key = prefix.trim_end_matches('=');
                        crate::programs::setting_by_number(self, key)
                    });
                if let Some(given) = &given {
                    if given.starts_with('!') {
                        // A name of a command line for one call only hides what runs.
                        self.push(
                            Kind::Hijack,
                            Some(Target::Name(format!("alias.{text}"))),
                            false,
                            name.span,
                        );
                    }
                    self.doubt(name.span, "an alias that only this call knows");
                }
                self.git_alias(text, given, rest, name)
            }
            "cargo" => self.cargo_alias(text, rest, call.word),
            "yarn" | "pnpm" | "bun" => self.package_script(text, rest, name),
            _ => false,
        }
    }

    /// Looks inside what a listed call runs, and names the effect of running it by what it is.
    pub(crate) fn step_inside(&mut self, call: &Matched<'_>, first_effect: usize) {
        let subcommand = call.subcommand.first().map(String::as_str);
        let names: Vec<Field> = match (call.program, subcommand) {
            ("make" | "gmake", _) => {
                let targets: Vec<Field> =
                    call.operands.iter().filter(|field| is_target(field)).cloned().collect();
                self.make_targets(call, &targets);
                targets
            }
            ("just", _) => {
                self.just_targets(&call.operands);
                call.operands.iter().take(1).cloned().collect()
            }
            ("npm" | "pnpm" | "yarn" | "bun", Some("run" | "run-script" | "rum" | "urn")) => {
                let Some((name, rest)) = call.operands.split_first() else { return };
                let text = name.shown().to_owned();
                self.package_script(&text, rest, name);
                vec![name.clone()]
            }
            ("npm" | "pnpm" | "yarn" | "bun", Some(name @ ("test" | "start" | "stop" | "restart"))) => {
                let field = Field::of(name, call.span);
                // `bun test` is bun's own runner.
                if call.program != "bun" {
                    self.package_script(name, &call.operands, &field);
                }
                vec![field]
            }
            _ => return,
        };
        let Some(kind) = names.first().and_then(Field::text).map(kind_by_name) else { return };
        let index = self.call;
        for effect in self.found.effects.iter_mut().skip(first_effect) {
            if effect.call == index && effect.kind == Kind::ProjectCode {
                effect.kind = kind;
            }
        }
    }

    /// The nearest file of one of these names, from the working directory up to the project's root.
    fn nearest_file(&mut self, names: &[&str]) -> Option<(String, String)> {
        let mut directory = self.directory()?.to_owned();
        let project = self.places().project.clone();
        loop {
            for name in names {
                let path = format!("{}/{name}", directory.trim_end_matches('/'));
                if let Some(text) =
                    self.world().read(&path, MAXIMUM_FILE).and_then(|bytes| String::from_utf8(bytes).ok())
                {
                    return Some((directory, text));
                }
            }
            if directory == project || directory == "/" || !paths::is_within(&directory, &project) {
                return None;
            }
            directory = paths::parent(&directory).to_owned();
        }
    }

    /// Is there a package file around the working directory?
    pub(crate) fn has_package(&mut self) -> bool {
        self.nearest_file(&["package.json"]).is_some()
    }

    /// Runs the script of that name in the nearest package file; `false` where there is none.
    pub(crate) fn package_script(&mut self, name: &str, arguments: &[Field], field: &Field) -> bool {
        let Some((directory, text)) = self.nearest_file(&["package.json"]) else { return false };
        let Ok(package) = serde_json::from_str::<Json>(&text) else { return false };
        let script = |name: &str| {
            package
                .get("scripts")
                .and_then(|scripts| scripts.get(name))
                .and_then(Json::as_str)
                .map(str::to_owned)
        };
        let Some(main) = script(name) else { return false };
        let arguments: Vec<&Field> = arguments.iter().filter(|field| !field.is("--")).collect();
        let shown = |field: &&Field| match field.text() {
            Some(text) => crate::interpreter::quoted(text),
            None => field.written.clone(),
        };
        let tail: Vec<String> = arguments.iter().map(shown).collect();
        let texts = [
            script(&format!("pre{name}")),
            Some(format!("{main} {}", tail.join(" "))),
            script(&format!("post{name}")),
        ];
        self.run_defined(
            &format!("script {name} of package.json"),
            &directory,
            name,
            field,
            |context, place| {
                for text in texts.into_iter().flatten() {
                    context.run_shell(&Field::of(text, place.span));
                }
            },
        );
        true
    }

    fn make_targets(&mut self, call: &Matched<'_>, targets: &[Field]) {
        let file = call.value("-f").and_then(Field::text).map(str::to_owned);
        let names: Vec<&str> = match &file {
            Some(file) => vec![file.as_str()],
            None => vec!["GNUmakefile", "makefile", "Makefile"],
        };
        let found = match (file.as_deref(), self.input()) {
            (Some("-" | "/dev/stdin"), Data::Text(text)) => {
                let text = text.clone();
                self.directory().map(|directory| (directory.to_owned(), text))
            }
            _ => self.nearest_file(&names),
        };
        let Some((directory, text)) = found else { return };
        let given: Vec<(String, String)> = call
            .operands
            .iter()
            .filter_map(|field| field.text()?.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let recipes = make_recipes(&text, &given);
        self.run_recipes(&recipes, targets, &directory, call);
    }

    fn just_targets(&mut self, operands: &[Field]) {
        let Some((directory, text)) = self.nearest_file(&["justfile", "Justfile", ".justfile"]) else {
            return;
        };
        let recipes = just_recipes(&text);
        let targets: Vec<Field> = operands.iter().take(1).cloned().collect();
        let place = operands.first().cloned().unwrap_or_else(|| Field::of("", self.span));
        self.run_recipe_names(&recipes, &targets, &directory, &place);
    }

    fn run_recipes(&mut self, recipes: &[Recipe], targets: &[Field], directory: &str, call: &Matched<'_>) {
        let place = targets.first().cloned().unwrap_or_else(|| Field::of("", call.span));
        self.run_recipe_names(recipes, targets, directory, &place);
    }

    fn run_recipe_names(&mut self, recipes: &[Recipe], targets: &[Field], directory: &str, place: &Field) {
        let mut wanted: Vec<String> = targets.iter().filter_map(Field::text).map(str::to_owned).collect();
        if wanted.is_empty() {
            wanted.extend(
                recipes.iter().find(|recipe| !recipe.name.starts_with('.')).map(|recipe| recipe.name.clone()),
            );
        }
        let mut done: Vec<String> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        while let Some(name) = wanted.pop() {
            if done.contains(&name) || done.len() >= MAXIMUM_RECIPES {
                continue;
            }
            for recipe in recipes.iter().filter(|recipe| recipe.name == name) {
                wanted.extend(recipe.needs.iter().cloned());
                lines.extend(recipe.lines.iter().cloned());
            }
            done.push(name);
        }
        let name = place.shown().to_owned();
        self.run_defined(&format!("target {name}"), directory, &name, place, |context, place| {
            for line in lines {
                context.run_shell(&Field::of(line, place.span));
            }
        });
    }

    fn git_alias(&mut self, name: &str, given: Option<String>, rest: &[Field], field: &Field) -> bool {
        let project = self.places().project.clone();
        let files = git_settings::files(self.places());
        let given = given.or_else(|| self.state.git_alias(name).map(str::to_owned));
        let in_this_text = given.is_some();
        let alias = given.or_else(|| {
            files.iter().find_map(|file| {
                let text = String::from_utf8(self.world().read(file, git_settings::MAXIMUM_FILE)?).ok()?;
                section_value(&text, "alias", name)
            })
        });
        let Some(alias) = alias else { return false };
        match alias.strip_prefix('!') {
            Some(shell) => {
                // What follows the alias becomes the last arguments of its text.
                let text = if rest.is_empty() { shell.to_owned() } else { format!("{shell} \"$@\"") };
                if in_this_text {
                    self.run_shell_with(&Field { offset: None, ..Field::of(text, field.span) }, None, rest);
                    return true;
                }
                self.run_defined(&format!("git alias {name}"), &project, name, field, |context, place| {
                    context.run_shell_with(&Field::of(text, place.span), None, rest);
                });
            }
            None => {
                let mut fields = vec![Field::of("git", field.span)];
                fields.extend(
                    alias
                        .split_whitespace()
                        .map(|word| Field::of(word.trim_matches(['"', '\'']), field.span)),
                );
                fields.extend(rest.iter().cloned());
                self.run_command(&fields);
            }
        }
        true
    }

    fn cargo_alias(&mut self, name: &str, rest: &[Field], word: &Field) -> bool {
        let Some((_, text)) = self.nearest_file(&[".cargo/config.toml", ".cargo/config"]) else {
            return false;
        };
        let Some(alias) = section_value(&text, "alias", name) else { return false };
        let words = alias.trim_matches(['[', ']']).replace([',', '"', '\''], " ");
        let mut fields = vec![Field::of("cargo", word.span)];
        fields.extend(words.split_whitespace().map(|text| Field::of(text, word.span)));
        fields.extend(rest.iter().cloned());
        self.run_command(&fields);
        true
    }

    /// Runs what the repository defines, in the directory of the definition.
    fn run_defined(
        &mut self,
        what: &str,
        directory: &str,
        name: &str,
        place: &Field,
        run: impl FnOnce(&mut Self, &Field),
    ) {
        self.push(kind_by_name(name), Some(Target::Name(name.to_owned())), false, place.span);
        self.annotate(what);
        if let Some(effect) = self.found.effects.last_mut() {
            effect.certainty = Certainty::Certain;
        }
        let place = place.clone();
        let before = std::mem::replace(&mut self.state.directories, vec![directory.to_owned()]);
        let positional = self.state.positional.replace(Vec::<Value>::new());
        self.within_file(what, |context| run(context, &place));
        self.state.positional = positional;
        self.state.directories = before;
    }
}

/// Is the word a target, rather than `NAME=value` or the number in `-j 4`?
fn is_target(field: &Field) -> bool {
    !field.written.contains('=') && !field.written.bytes().all(|byte| byte.is_ascii_digit())
}

/// The value of a key in a section of an ini-like file.
fn section_value(text: &str, section: &str, key: &str) -> Option<String> {
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            inside = header.trim_end_matches(']').trim() == section;
        } else if inside
            && let Some((name, value)) = line.split_once('=')
            && name.trim().trim_matches('"') == key
        {
            let value = value.trim();
            let unquoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            return Some(unquoted.unwrap_or(value).replace("\\\"", "\"").replace("\\\\", "\\"));
        }
    }
    None
}
