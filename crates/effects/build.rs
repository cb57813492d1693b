//! Compiles `knowledge/*.toml` into static tables.
//!
//! `knowledge/README.md` describes the format. Every mistake is reported with file, key and what is wrong, all of
//! them in one run; nothing is generated from a directory with a mistake in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use toml::{Table, Value};

/// Names of roles and the variants of `Role` in `src/knowledge.rs`.
const ROLES: &[(&str, &str)] = &[
    ("text", "Text"),
    ("number", "Number"),
    ("name", "Name"),
    ("format", "Format"),
    ("read", "Read"),
    ("write", "Write"),
    ("append", "Append"),
    ("delete", "Delete"),
    ("move", "Move"),
    ("link", "Link"),
    ("destroy", "Destroy"),
    ("permission", "Permission"),
    ("ownership", "Ownership"),
    ("edit", "Edit"),
    ("directory", "Directory"),
    ("url", "Url"),
    ("host", "Host"),
    ("package", "Package"),
    ("branch", "Branch"),
    ("resource", "Resource"),
    ("service", "Service"),
    ("process", "Process"),
    ("container", "Container"),
    ("image", "Image"),
    ("command", "Command"),
    ("shell", "Shell"),
    ("program", "Program"),
    ("script", "Script"),
    ("python", "Python"),
    ("javascript", "JavaScript"),
    ("perl", "Perl"),
    ("ruby", "Ruby"),
    ("php", "Php"),
    ("awk", "Awk"),
    ("sed", "Sed"),
    ("sql", "Sql"),
    ("variable", "Variable"),
    ("key-value", "KeyValue"),
];

fn main() -> ExitCode {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let knowledge = manifest.join("../../knowledge");
    let effect = manifest.join("src/effect.rs");
    let mut stdout = std::io::stdout();
    for path in [&knowledge, &effect, &manifest.join("build.rs")] {
        let _ = writeln!(stdout, "cargo::rerun-if-changed={}", path.display());
    }

    let mut compiler = Compiler { kinds: kinds(&effect), ..Compiler::default() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(&knowledge)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    for path in &files {
        compiler.file(path);
    }
    compiler.check_names();

    if !compiler.errors.is_empty() {
        for error in &compiler.errors {
            let _ = writeln!(std::io::stderr(), "error: {error}");
        }
        let _ = writeln!(
            std::io::stderr(),
            "{} mistakes; knowledge/README.md has the format",
            compiler.errors.len()
        );
        return ExitCode::FAILURE;
    }
    let target = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default().join("knowledge.rs");
    match std::fs::write(&target, compiler.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {}: {error}", target.display());
            ExitCode::FAILURE
        }
    }
}

/// The kinds of effect, name to variant, read off the macro call in `src/effect.rs`.
fn kinds(source: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    let listed = text.lines().filter_map(|line| {
        let (variant, name) = line.trim().strip_suffix("\",")?.split_once(" = \"")?;
        variant.chars().all(char::is_alphanumeric).then(|| (name.to_owned(), format!("Kind::{variant}")))
    });
    let unknown = [
        ("unknown-program", "Kind::Unknown(Unknown::Program)"),
        ("unknown-target", "Kind::Unknown(Unknown::Target)"),
        ("unknown-command", "Kind::Unknown(Unknown::Command)"),
        ("unparsed", "Kind::Unknown(Unknown::Unparsed)"),
    ];
    listed.chain(unknown.map(|(name, variant)| (name.to_owned(), variant.to_owned()))).collect()
}

#[derive(Default)]
struct Compiler {
    kinds: BTreeMap<String, String>,
    errors: Vec<String>,
    /// The statics written so far.
    code: String,
    count: usize,
    /// Name to specification and file.
    programs: BTreeMap<String, (String, String)>,
    /// Every name of every program, with the program's own name.
    names: Vec<(String, String)>,
    /// The file being read.
    file: String,
}

impl Compiler {
    fn error(&mut self, key: &str, what: impl std::fmt::Display) {
        let place = if key.is_empty() { self.file.clone() } else { format!("{}: {key}", self.file) };
        self.errors.push(format!("knowledge/{place}: {what}"));
    }

    fn file(&mut self, path: &Path) {
        self.file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut table = match std::fs::read_to_string(path).map(|text| text.parse::<Table>()) {
            Ok(Ok(table)) => table,
            Ok(Err(error)) => return self.error("", error.to_string().trim_end()),
            Err(error) => return self.error("", error),
        };
        match table.get("summary") {
            Some(Value::String(summary)) if !summary.is_empty() && !summary.contains('\n') => {}
            Some(_) => self.error("summary", "is one line of text"),
            None => self.error("summary", "is missing: one line that says what the program is for"),
        }
        self.names.push((name.clone(), name.clone()));
        for alias in self.strings(&table, "", "aliases") {
            self.names.push((alias, name.clone()));
        }
        self.cases(&table);
        push_down(&mut table);
        let specification = self.specification(&table, "", true);
        self.programs.insert(name, (specification, self.file.clone()));
    }

    fn cases(&mut self, table: &Table) {
        let Some(value) = table.get("case") else { return };
        let Some(cases) = value.as_array() else {
            return self.error("case", "is a list of tables: [[case]]");
        };
        for (index, case) in cases.iter().enumerate() {
            let key = format!("case {}", index + 1);
            let Some(case) = case.as_table() else {
                self.error(&key, "is a table: [[case]]");
                continue;
            };
            for name in case.keys() {
                if !["run", "effects", "note", "files", "links"].contains(&name.as_str()) {
                    self.error(
                        &key,
                        format_args!(
                            "key \"{name}\" is unknown; a case has run, effects, note, files, links"
                        ),
                    );
                }
            }
            let run = case.get("run").and_then(Value::as_str).unwrap_or_default().to_owned();
            if run.is_empty() {
                self.error(&key, "run is missing: the command text");
            }
            if !case.contains_key("effects") {
                self.error(&key, format_args!("effects are missing for `{run}`: a list, empty for none"));
            }
            for effect in self.strings(case, &key, "effects") {
                let kind = effect.split_whitespace().next().unwrap_or_default().to_owned();
                self.kind(&format!("{key} (`{run}`)"), &kind);
            }
        }
    }

    /// Writes a specification as a static and returns the static's name.
    fn specification(&mut self, table: &Table, path: &str, top: bool) -> String {
        let known: &[&str] = &[
            "options",
            "operands",
            "effects",
            "any-options",
            "handler",
            "sub",
            "subs",
            "default",
            "aliases",
        ];
        let only_top = ["summary", "case"];
        for key in table.keys() {
            let is_known = known.contains(&key.as_str()) || (top && only_top.contains(&key.as_str()));
            if !is_known {
                let near = nearest(key, known.iter().copied());
                self.error(path, format_args!("key \"{key}\" is unknown{near}"));
            }
        }
        let options = self.options(table, path);
        let operands = self.operands(table, path);
        let effects = self.effects(table.get("effects"), &join(path, "effects"));
        let any_options = match table.get("any-options") {
            None => false,
            Some(Value::Boolean(value)) => *value,
            Some(_) => {
                self.error(&join(path, "any-options"), "is true or false");
                false
            }
        };
        let handler = match table.get("handler") {
            None => "None".to_owned(),
            Some(Value::String(name))
                if name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit()) =>
            {
                format!("Some({name:?})")
            }
            Some(_) => {
                self.error(
                    &join(path, "handler"),
                    "is the name of a function: lowercase letters, digits, `_`",
                );
                "None".to_owned()
            }
        };
        let subcommands = self.subcommands(table, path);
        let (exact, patterns) = self.short_subcommands(table, path);
        let default = match table.get("default") {
            None => "None".to_owned(),
            Some(Value::Table(inner)) => {
                let name = self.specification(inner, &join(path, "default"), false);
                format!("Some(&{name})")
            }
            Some(_) => {
                self.error(&join(path, "default"), "is a table: [default]");
                "None".to_owned()
            }
        };
        self.write_specification(&format!(
            "options: &[{options}], any_options: {any_options}, operands: &[{operands}], effects: &[{effects}], \
             subcommands: &[{subcommands}], exact: &[{exact}], patterns: &[{patterns}], default: {default}, \
             handler: {handler}"
        ))
    }

    /// Writes a static with these fields and returns its name.
    fn write_specification(&mut self, fields: &str) -> String {
        let name = format!("S{}", self.count);
        self.count += 1;
        let _ = writeln!(self.code, "static {name}: Specification = Specification {{ {fields} }};");
        name
    }

    fn subcommands(&mut self, table: &Table, path: &str) -> String {
        let mut found: BTreeMap<String, (String, String)> = BTreeMap::new();
        match table.get("sub") {
            None => {}
            Some(Value::Table(subs)) => {
                for (name, value) in subs {
                    let key = join(path, &format!("sub.{name}"));
                    let Some(inner) = value.as_table() else {
                        self.error(&key, "is a table: [sub.NAME]");
                        continue;
                    };
                    if name.is_empty() || name.contains(char::is_whitespace) || name.contains('*') {
                        self.error(&key, "is one name; lists and patterns go into [subs]");
                    }
                    let specification = self.specification(inner, &key, false);
                    let mut names = self.strings(inner, &key, "aliases");
                    names.push(name.clone());
                    for spelled in names {
                        let entry = (name.clone(), specification.clone());
                        if found.insert(spelled.clone(), entry).is_some() {
                            self.error(
                                &key,
                                format_args!("name \"{spelled}\" is taken by another subcommand"),
                            );
                        }
                    }
                }
            }
            Some(_) => self.error(&join(path, "sub"), "holds tables: [sub.NAME]"),
        }
        found
            .iter()
            .map(|(spelled, (name, specification))| {
                format!(
                    "Subcommand {{ spelled: {spelled:?}, name: {name:?}, specification: &{specification} }},"
                )
            })
            .collect()
    }

    /// `[subs]`: the exact paths, sorted, and the patterns, most specific first.
    fn short_subcommands(&mut self, table: &Table, path: &str) -> (String, String) {
        let mut exact: BTreeMap<String, String> = BTreeMap::new();
        let mut patterns: Vec<(String, String)> = Vec::new();
        match table.get("subs") {
            None => {}
            Some(Value::Table(subs)) => {
                for (names, effects) in subs {
                    let key = join(path, &format!("subs.\"{names}\""));
                    let effects = self.effects(Some(effects), &key);
                    let effects = self.write_specification(&format!(
                        "any_options: true, effects: &[{effects}], \
                         operands: &[Operand {{ role: Role::Text, count: Count::Any, effect: None }}], \
                         ..Specification::EMPTY"
                    ));
                    for name in names.split_whitespace() {
                        if name.split('.').any(str::is_empty) {
                            self.error(
                                &key,
                                format_args!("\"{name}\" has an empty part; a path is like pr.list"),
                            );
                        }
                        let taken = if name.contains('*') {
                            let taken = patterns.iter().any(|(pattern, _)| pattern == name);
                            patterns.push((name.to_owned(), effects.clone()));
                            taken
                        } else {
                            exact.insert(name.to_owned(), effects.clone()).is_some()
                        };
                        if taken {
                            self.error(&key, format_args!("\"{name}\" is there twice"));
                        }
                    }
                }
            }
            Some(_) => self.error(&join(path, "subs"), "is a table of names and effects"),
        }
        // `*.delete` goes before `*.*.list`: the first word that is a verb decides, not an operand that looks like one.
        // Patterns that end in `*` come last, the longest first.
        patterns.sort_by_key(|(pattern, _)| {
            let literal = pattern.chars().filter(|c| *c != '*').count();
            let open = pattern.ends_with(".*") || pattern == "*";
            let count = pattern.split('.').count();
            (open, if open { usize::MAX - count } else { count }, std::cmp::Reverse(literal), pattern.clone())
        });
        let write = |path: &str, effects: &str| {
            format!("ShortSubcommand {{ path: {path:?}, specification: &{effects} }},")
        };
        (
            exact.iter().map(|(path, effects)| write(path, effects)).collect(),
            patterns.iter().map(|(path, effects)| write(path, effects)).collect(),
        )
    }

    fn options(&mut self, table: &Table, path: &str) -> String {
        let key = join(path, "options");
        let text = match table.get("options") {
            None => return String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(_) => {
                self.error(&key, "is text with one option per line");
                return String::new();
            }
        };
        let mut seen = BTreeSet::new();
        let mut code = String::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            code += &self.option(line, &format!("{key}: `{line}`"), &mut seen);
        }
        code
    }

    fn option(&mut self, line: &str, key: &str, seen: &mut BTreeSet<String>) -> String {
        let (left, right) = match line.split_once("=>") {
            Some((left, right)) => (left, right),
            None => (line, ""),
        };
        let mut names = Vec::new();
        let mut value: Option<String> = None;
        let mut marks = BTreeSet::new();
        for token in left.split_whitespace() {
            let (name, given) = if token.starts_with('<') {
                ("", Some(("Required", token)))
            } else if let Some(at) = token.find("[=<") {
                let (name, rest) = token.split_at(at);
                match rest.strip_prefix("[=").and_then(|rest| rest.strip_suffix(']')) {
                    Some(role) => (name, Some(("Optional", role))),
                    None => {
                        self.error(key, format_args!("\"{token}\" has no `]`"));
                        (name, None)
                    }
                }
            } else if let Some(at) = token.find("=<") {
                let (name, rest) = token.split_at(at);
                (name, Some(("Attached", rest.trim_start_matches('='))))
            } else {
                (token, None)
            };
            match name {
                "" => {}
                "+recursive" | "+stdin" | "+rest" | "+first" | "+last" | "+name" => {
                    marks.insert(name);
                }
                name if name.contains(['<', '>', '[', ']']) => {
                    self.error(
                        key,
                        format_args!("\"{name}\" is no name; a value is <role>, [=<role>] or =<role>"),
                    );
                }
                name if value.is_some() => {
                    self.error(key, format_args!("name \"{name}\" after the value; names come first"));
                }
                name => {
                    if !seen.insert(name.to_owned()) {
                        self.error(key, format_args!("\"{name}\" is there twice"));
                    }
                    names.push(name.to_owned());
                }
            }
            if let Some((form, role)) = given {
                let role = role.trim_start_matches('<').trim_end_matches('>');
                let role = self.role(key, role);
                if value.replace(format!("{form}(Role::{role})")).is_some() {
                    self.error(key, "has two values");
                }
            }
        }
        if names.is_empty() {
            self.error(key, "has no name");
        }
        let mut changes = String::new();
        for word in right.split_whitespace() {
            let change = match word {
                "nothing" => "Change::Nothing".to_owned(),
                "!*" => "Change::RemoveAll".to_owned(),
                word => match word.strip_prefix('!') {
                    Some(kind) => format!("Change::Remove({})", self.kind(key, kind)),
                    None => format!("Change::Add({})", self.kind(key, word)),
                },
            };
            changes += &change;
            changes.push(',');
        }
        if line.contains("=>") && changes.is_empty() {
            self.error(key, "has nothing after `=>`");
        }
        let names: String = names.iter().map(|name| format!("{name:?},")).collect();
        let value = value.map_or("ValueForm::None".to_owned(), |value| format!("ValueForm::{value}"));
        format!(
            "OptionSpecification {{ names: &[{names}], value: {value}, recursive: {}, standard_input: {}, rest: {}, \
             first: {}, last: {}, named: {}, changes: &[{changes}] }},",
            marks.contains("+recursive"),
            marks.contains("+stdin"),
            marks.contains("+rest"),
            marks.contains("+first"),
            marks.contains("+last"),
            marks.contains("+name"),
        )
    }

    fn operands(&mut self, table: &Table, path: &str) -> String {
        let key = join(path, "operands");
        let mut code = String::new();
        let mut repeating = 0;
        for text in self.strings(table, path, "operands") {
            let (left, kind) = match text.split_once("=>") {
                Some((left, kind)) => (left.trim(), Some(kind.trim().to_owned())),
                None => (text.trim(), None),
            };
            let (role, count) = if let Some(role) = left.strip_suffix("...?") {
                (role, "Any")
            } else if let Some(role) = left.strip_suffix("...") {
                (role, "Some")
            } else if let Some(role) = left.strip_suffix('?') {
                (role, "Optional")
            } else {
                (left, "One")
            };
            // Variables end at the first word without `=`, commands and their like take everything that is left.
            if matches!(count, "Any" | "Some") && role != "variable" {
                repeating += 1;
            }
            let role = self.role(&key, role.trim());
            let effect = match kind {
                None => "None".to_owned(),
                Some(kind) => format!("Some({})", self.kind(&key, &kind)),
            };
            let _ =
                write!(code, "Operand {{ role: Role::{role}, count: Count::{count}, effect: {effect} }},");
        }
        if repeating > 1 {
            self.error(&key, "has more than one that repeats");
        }
        code
    }

    fn effects(&mut self, value: Option<&Value>, key: &str) -> String {
        let Some(value) = value else { return String::new() };
        let Some(list) = value.as_array() else {
            self.error(key, "is a list of kinds of effect");
            return String::new();
        };
        let mut code = String::new();
        for entry in list {
            let Some(text) = entry.as_str() else {
                self.error(key, "is a list of texts");
                continue;
            };
            let (kind, target) = match text.trim().split_once(' ') {
                Some((kind, target)) => (kind, format!("Some({:?})", target.trim())),
                None => (text.trim(), "None".to_owned()),
            };
            let kind = self.kind(key, kind);
            let _ = write!(code, "EffectSpecification {{ kind: {kind}, target: {target} }},");
        }
        code
    }

    fn strings(&mut self, table: &Table, path: &str, name: &str) -> Vec<String> {
        let key = join(path, name);
        match table.get(name) {
            None => Vec::new(),
            Some(Value::Array(list)) => {
                if list.iter().any(|value| !value.is_str()) {
                    self.error(&key, "is a list of texts");
                }
                list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            Some(_) => {
                self.error(&key, "is a list of texts");
                Vec::new()
            }
        }
    }

    fn kind(&mut self, key: &str, name: &str) -> String {
        if let Some(variant) = self.kinds.get(name) {
            return variant.clone();
        }
        let near = nearest(name, self.kinds.keys().map(String::as_str));
        self.error(key, format_args!("\"{name}\" is no kind of effect{near}"));
        "Kind::Read".to_owned()
    }

    fn role(&mut self, key: &str, name: &str) -> &'static str {
        if let Some((_, variant)) = ROLES.iter().find(|(role, _)| *role == name) {
            return variant;
        }
        let near = nearest(name, ROLES.iter().map(|(role, _)| *role));
        self.error(key, format_args!("\"{name}\" is no role{near}"));
        "Text"
    }

    fn check_names(&mut self) {
        self.names.sort();
        let mut previous: Option<(String, String)> = None;
        for (name, program) in self.names.clone() {
            if let Some((_, other)) = previous.filter(|(before, _)| *before == name) {
                self.errors.push(format!(
                    "knowledge/{program}.toml: \"{name}\" is also a name of knowledge/{other}.toml; a name has one file"
                ));
            }
            previous = Some((name, program));
        }
    }

    fn finish(&self) -> String {
        let mut code = self.code.clone();
        code += "static PROGRAMS: &[Program] = &[\n";
        for (name, (specification, _)) in &self.programs {
            let _ = writeln!(code, "Program {{ name: {name:?}, specification: &{specification} }},");
        }
        code += "];\nstatic NAMES: &[(&str, u16)] = &[\n";
        for (name, program) in &self.names {
            let index = self.programs.keys().position(|known| known == program).unwrap_or_default();
            let _ = writeln!(code, "({name:?}, {index}),");
        }
        code += "];\n";
        code
    }
}

/// Gives every `[sub.x]` the entries of `[subs]` beside it that begin with its name, so that `"pr.list"` is found where
/// there is a `[sub.pr]`. Patterns only go to subcommands that do nothing themselves: elsewhere an operand could look
/// like one.
fn push_down(table: &mut Table) {
    let mut entries: Vec<(String, Value)> = Vec::new();
    if let Some(Value::Table(subs)) = table.get("subs") {
        for (names, effects) in subs {
            entries.extend(names.split_whitespace().map(|name| (name.to_owned(), effects.clone())));
        }
    }
    let Some(Value::Table(subs)) = table.get_mut("sub") else { return };
    for (name, inner) in subs.iter_mut() {
        let Some(inner) = inner.as_table_mut() else { continue };
        let group = !inner.contains_key("operands") && !inner.contains_key("effects");
        let mut spelled = vec![name.clone()];
        if let Some(Value::Array(aliases)) = inner.get("aliases") {
            spelled.extend(aliases.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        let nested: BTreeSet<String> = match inner.get("sub") {
            Some(Value::Table(nested)) => nested.keys().cloned().collect(),
            _ => BTreeSet::new(),
        };
        let own = inner.entry("subs").or_insert_with(|| Value::Table(Table::new()));
        let Some(own) = own.as_table_mut() else { continue };
        let mut taken: BTreeSet<String> =
            own.keys().flat_map(|names| names.split_whitespace()).map(str::to_owned).collect();
        for (path, effects) in &entries {
            let Some((first, rest)) = path.split_once('.') else { continue };
            let fits = if first.contains('*') || rest.contains('*') {
                group && spelled.iter().any(|name| matches_pattern(first, name))
            } else {
                spelled.iter().any(|name| name == first)
            };
            if fits && !nested.contains(rest) && taken.insert(rest.to_owned()) {
                own.insert(rest.to_owned(), effects.clone());
            }
        }
        push_down(inner);
    }
}

/// Does the name match a pattern with at most one `*`?
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// `; did you mean ...?` where a known name is near.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    known
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= 2.max(candidate.len() / 3))
        .map_or(String::new(), |(_, candidate)| format!("; did you mean \"{candidate}\"?"))
}
