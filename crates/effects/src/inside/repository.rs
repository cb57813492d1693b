//! What the repository itself defines under a program's subcommands: package scripts, make targets, recipes, aliases.

use super::recipes::{Recipe, Recipes, just_recipes, make_recipes};
use super::{Inside, kind_by_name};
use crate::calls::steering::is_steering;
use crate::context::Context;
use crate::effect::{Certainty, Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Facet, Matched, Role};
use crate::paths;
use crate::programs::git_settings;
use crate::state::Value;
use serde_json::Value as Json;

/// The largest file with definitions.
const MAXIMUM_FILE: usize = 256 * 1024;
/// Scripts that installing the project's own packages runs, those before and after them included.
const LIFECYCLE: [&str; 2] = ["install", "prepare"];
/// How many files a makefile includes that are read.
const MAXIMUM_INCLUDED: usize = 8;
/// The most recipes that one target is followed through.
const MAXIMUM_RECIPES: usize = 64;

/// A file with definitions.
struct Definitions {
    /// Where it lies.
    directory: String,
    text: String,
    /// No part of it is computed.
    whole: bool,
}

impl Context<'_> {
    /// Runs what the repository defines under a subcommand that the program's file does not list; `false` where it
    /// defines nothing of that name.
    pub(crate) fn defined_subcommand(&mut self, call: &Matched<'_>) -> bool {
        let Some(name) = call.unlisted.iter().find(|field| !field.is_dashed()) else { return false };
        let Some(text) = name.text() else { return false };
        let at = call.arguments.iter().position(|field| field == name).unwrap_or(0);
        let rest = call.arguments.get(at + 1..).unwrap_or_default();
        match knowledge::facet(call.program, Facet::Project) {
            Some("git-aliases") => {
                let prefix = format!("alias.{text}=");
                let given = call
                    .values("-c")
                    .find_map(|field| field.text()?.strip_prefix(&prefix))
                    .map(str::to_owned)
                    .or_else(|| {
                        let key = prefix.trim_end_matches('=');
                        crate::programs::git_environment::setting_by_number(self, key)
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
            Some("cargo-aliases") => self.cargo_alias(text, rest, call.word),
            Some("scripts") => self.package_script(text, rest, name),
            _ => false,
        }
    }

    /// Looks inside what a listed call runs, and names the effect of running it by what it is.
    pub(crate) fn step_inside(&mut self, call: &Matched<'_>, first_effect: usize) {
        let subcommand = || call.subcommand.first().map_or("", String::as_str);
        let names: Vec<Field> = match call.specification.facet(Facet::Project) {
            Some("targets") => {
                let targets: Vec<Field> =
                    call.operands.iter().filter(|field| is_target(field)).cloned().collect();
                self.make_targets(call, &targets);
                targets
            }
            Some("recipes") => {
                self.just_targets(call);
                call.operands.iter().take(1).cloned().collect()
            }
            Some("script") => {
                let Some((name, rest)) = call.operands.split_first() else { return };
                let text = name.shown().to_owned();
                self.package_script(&text, rest, name);
                vec![name.clone()]
            }
            Some("same-script") => {
                let field = Field::of(subcommand(), call.span);
                self.package_script(subcommand(), &call.operands, &field);
                vec![field]
            }
            Some("name") => vec![Field::of(subcommand(), call.span)],
            Some("lifecycle") if call.operands.is_empty() && !call.has("--ignore-scripts") => {
                for name in LIFECYCLE {
                    self.package_script(name, &[], &Field::of(name, call.span));
                }
                return;
            }
            _ => return,
        };
        let Some(kind) = names.first().and_then(Field::text).map(kind_by_name) else { return };
        let index = self.scope().call;
        for effect in self.found.effects.iter_mut().skip(first_effect) {
            if effect.call == index && effect.kind == Kind::ProjectCode {
                effect.kind = kind;
            }
        }
    }

    /// The nearest file of one of these names, from the working directory up to the project's root. One that can't be
    /// read is none, but never nothing.
    fn nearest_file(&mut self, names: &[&str]) -> Option<Definitions> {
        let mut directory = self.directory()?.to_owned();
        let project = self.places().project.clone();
        loop {
            for name in names {
                let path = if name.starts_with('/') {
                    (*name).to_owned()
                } else {
                    paths::normalise(&format!("{directory}/{name}"))
                };
                let (text, whole) = match self.look(&path, MAXIMUM_FILE) {
                    Inside::Missing => continue,
                    Inside::Text(text) => (text, true),
                    Inside::Partial(text) => (text, false),
                    Inside::Origin(Data::Network(host)) => {
                        self.push(Kind::RemoteCode, host.map(Target::Host), false, self.scope().span);
                        return None;
                    }
                    Inside::Origin(_) | Inside::Unread | Inside::Binary => {
                        self.unread(&path, self.scope().span);
                        return None;
                    }
                };
                return Some(Definitions { directory, text, whole });
            }
            if directory == project || directory == "/" || !paths::is_within(&directory, &project) {
                return None;
            }
            directory = paths::parent(&directory).to_owned();
        }
    }

    /// Is there a package file around the working directory?
    pub(crate) fn has_package(&self) -> bool {
        let Some(directory) = self.directory() else { return false };
        let project = &self.places().project;
        let mut directory = directory;
        loop {
            let path = format!("{}/package.json", directory.trim_end_matches('/'));
            if self.state.remembered(&path).is_some() || self.world().entry(&path).is_some() {
                return true;
            }
            if directory == project || directory == "/" || !paths::is_within(directory, project) {
                return false;
            }
            directory = paths::parent(directory);
        }
    }

    /// Runs the script of that name in the nearest package file; `false` where there is none.
    pub(crate) fn package_script(&mut self, name: &str, arguments: &[Field], field: &Field) -> bool {
        let Some(file) = self.nearest_file(&["package.json"]) else { return false };
        let Definitions { directory, text, whole } = file;
        let Ok(package) = serde_json::from_str::<Json>(&text) else {
            self.doubt(field.span, "a package file that can't be read");
            return false;
        };
        if !whole {
            self.doubt(field.span, "part of the package file is computed");
        }
        let script = |name: &str| {
            package
                .get("scripts")
                .and_then(|scripts| scripts.get(name))
                .and_then(Json::as_str)
                .map(str::to_owned)
        };
        let main = script(name);
        let around = [script(&format!("pre{name}")), script(&format!("post{name}"))];
        if main.is_none() && (!LIFECYCLE.contains(&name) || around.iter().all(Option::is_none)) {
            return false;
        }
        let arguments: Vec<&Field> = arguments.iter().filter(|field| !field.is("--")).collect();
        let shown = |field: &&Field| match field.text() {
            Some(text) => hookgate_shell::quoted(text),
            None => field.written.clone(),
        };
        let tail: Vec<String> = arguments.iter().map(shown).collect();
        let [before, after] = around;
        let texts = [before, main.map(|main| format!("{main} {}", tail.join(" "))), after];
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

    /// The file of rules that an option names: standard input, and what a command prints, hold some as well.
    fn rules_named_by(&mut self, file: &Field) -> Option<Definitions> {
        let input = match file.process.as_deref() {
            Some(data) => data.clone(),
            None => self.input().clone(),
        };
        let name = if file.process.is_some() { Some("-") } else { file.text() };
        match (name, input) {
            (Some("-" | "/dev/stdin"), data @ (Data::Network(_) | Data::Decoded)) => {
                self.run_data(Role::Shell, &data);
                None
            }
            (Some("-" | "/dev/stdin"), Data::Text(text) | Data::Partial(text)) => {
                let directory = self.directory().unwrap_or_default().to_owned();
                Some(Definitions { directory, text, whole: true })
            }
            (Some(name), _) => self.nearest_file(&[name]),
            (None, _) => {
                self.doubt(file.span, "the file of rules is computed");
                None
            }
        }
    }

    fn make_targets(&mut self, call: &Matched<'_>, targets: &[Field]) {
        let given: Vec<(String, String)> = call
            .operands
            .iter()
            .filter_map(|field| field.text()?.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let files: Vec<Field> = call.values("-f").cloned().collect();
        let mut found: Vec<Definitions> = Vec::new();
        for file in &files {
            found.extend(self.rules_named_by(file));
        }
        if files.is_empty() {
            found.extend(self.nearest_file(&["GNUmakefile", "makefile", "Makefile"]));
        }
        // Files, and texts, that make reads before any other.
        for (name, is_text) in [("MAKEFILES", false), ("MAKEFLAGS", true), ("GNUMAKEFLAGS", true)] {
            let Some(value) = self.variable_of_call(name) else { continue };
            match value {
                None => self.doubt(call.span, "a variable of make's is computed"),
                Some(text) if is_text && text.contains("$(") => {
                    let directory = self.directory().unwrap_or_default().to_owned();
                    found.push(Definitions { directory, text: text.replace("--eval=", "\n"), whole: false });
                }
                Some(_) if is_text => {}
                Some(names) => {
                    for name in names.split_whitespace() {
                        found.extend(self.nearest_file(&[name]));
                    }
                }
            }
        }
        for text in call.values("--eval") {
            match text.text() {
                Some(text) => found.push(Definitions {
                    directory: self.directory().unwrap_or_default().to_owned(),
                    text: text.to_owned(),
                    whole: true,
                }),
                None => self.doubt(text.span, "the makefile is computed"),
            }
        }
        // The rules that make brings along run what these name.
        let commands = |name: &str| knowledge::is_listed("commands/variables/make-commands", name);
        for (_, value) in given.iter().filter(|(name, _)| commands(name.trim_end_matches([':', '?', '+']))) {
            let field = Field::of(value.clone(), call.span);
            self.possibly(|context| context.run_shell(&field));
        }
        let Some(first) = found.first() else { return };
        let directory = first.directory.clone();
        let whole = found.iter().all(|file| file.whole);
        let text: Vec<&str> = found.iter().map(|file| file.text.as_str()).collect();
        let text = self.with_included(&text.join("\n"), &directory);
        let mut recipes = make_recipes(&text, &given);
        recipes.understood &= whole;
        let place = targets.first().cloned().unwrap_or_else(|| Field::of("", call.span));
        self.run_recipes(recipes, targets, &directory, &place);
    }

    /// The makefile with the files that it includes in the places where it names them. The lines that name them stay: what they
    /// include besides is not known.
    fn with_included(&mut self, text: &str, directory: &str) -> String {
        let mut left: Vec<String> = text.lines().rev().map(str::to_owned).collect();
        let (mut whole, mut included) = (String::new(), 0);
        while let Some(line) = left.pop() {
            whole.push_str(&line);
            whole.push('\n');
            let mut words = line.split(" #").next().unwrap_or(&line).split_whitespace();
            let includes = matches!(words.next(), Some("include" | "-include" | "sinclude"));
            if !includes || line.starts_with('\t') {
                continue;
            }
            for name in words.filter(|name| !name.contains(['$', '*', '?', '[', ':', '='])) {
                included += 1;
                if included > MAXIMUM_INCLUDED {
                    break;
                }
                let path =
                    if name.starts_with('/') { name.to_owned() } else { format!("{directory}/{name}") };
                if let Inside::Text(text) | Inside::Partial(text) =
                    self.look(&paths::normalise(&path), MAXIMUM_FILE)
                {
                    left.extend(text.lines().rev().map(str::to_owned));
                }
            }
        }
        whole
    }

    fn just_targets(&mut self, call: &Matched<'_>) {
        let operands = call.operands.as_slice();
        let file = match call.value("--justfile").cloned() {
            Some(named) => self.rules_named_by(&named),
            None => self.nearest_file(&["justfile", "Justfile", ".justfile"]),
        };
        let Some(file) = file else { return };
        let mut recipes = just_recipes(&file.text);
        recipes.understood &= file.whole;
        let targets: Vec<Field> = operands.iter().take(1).cloned().collect();
        let place = operands.first().cloned().unwrap_or_else(|| Field::of("", self.scope().span));
        self.run_recipes(recipes, &targets, &file.directory, &place);
    }

    fn run_recipes(&mut self, found: Recipes, targets: &[Field], directory: &str, place: &Field) {
        let Recipes { recipes, while_reading, assigned, understood, cut } = found;
        let mut wanted: Vec<String> = targets.iter().filter_map(Field::text).map(str::to_owned).collect();
        if wanted.is_empty() {
            wanted.extend(
                recipes.iter().find(|recipe| !recipe.name.starts_with('.')).map(|recipe| recipe.name.clone()),
            );
        }
        let mut done: Vec<String> = Vec::new();
        let mut lines: Vec<String> = while_reading;
        let mut followed = true;
        while let Some(name) = wanted.pop() {
            if done.contains(&name) {
                continue;
            }
            if done.len() >= MAXIMUM_RECIPES {
                followed = false;
                break;
            }
            let own = |recipe: &&Recipe| recipe.name == name;
            let rules = |recipe: &&Recipe| !recipes.iter().any(|one| own(&one)) && recipe.may_make(&name);
            for recipe in recipes.iter().filter(|recipe| own(recipe) || rules(recipe)) {
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
        if !followed {
            self.unknown(Unknown::Unparsed, place.span);
            self.annotate("needs more targets than are followed");
        }
        if cut {
            self.unknown(Unknown::Unparsed, place.span);
            self.annotate("fills in more text than is followed");
        }
        if !understood || assigned.iter().any(|name| is_steering(name)) {
            self.doubt(place.span, "the file holds more than rules and plain variables");
        }
    }

    fn git_alias(&mut self, name: &str, given: Option<String>, rest: &[Field], field: &Field) -> bool {
        let project = self.places().project.clone();
        let files = git_settings::files(self.places());
        let given = given.or_else(|| self.state.git_alias(name).map(str::to_owned));
        let in_this_text = given.is_some();
        let alias = given.or_else(|| {
            files.iter().find_map(|file| {
                let text = self.look(file, git_settings::MAXIMUM_FILE).text()?;
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
        let Some(file) = self.nearest_file(&[".cargo/config.toml", ".cargo/config"]) else { return false };
        let Some(alias) = section_value(&file.text, "alias", name) else { return false };
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
