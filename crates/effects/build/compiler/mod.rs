//! Turns one file of knowledge after the other into the statics of its specifications.

mod lines;
mod subcommands;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use toml::{Table, Value};

use subcommands::push_down;

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

#[derive(Default)]
pub(super) struct Compiler {
    kinds: BTreeMap<String, String>,
    pub(super) errors: Vec<String>,
    /// The statics written so far.
    code: String,
    count: usize,
    /// Name to specification.
    programs: BTreeMap<String, String>,
    /// Every name of every program, with the program's own name and the file.
    names: Vec<(String, String, String)>,
    /// The file being read.
    file: String,
}

impl Compiler {
    /// A compiler that knows these kinds of effect, name to variant.
    pub(super) fn new(kinds: BTreeMap<String, String>) -> Compiler {
        Compiler { kinds, ..Compiler::default() }
    }

    fn error(&mut self, key: &str, what: impl std::fmt::Display) {
        let place = if key.is_empty() { self.file.clone() } else { format!("{}: {key}", self.file) };
        self.errors.push(format!("knowledge/{place}: {what}"));
    }

    /// A file about one program, which has its name.
    pub(super) fn program(&mut self, path: &Path) {
        self.file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some(mut table) = self.read(path) else { return };
        let aliases = self.taken(&mut table, "aliases");
        let specification = self.whole(table);
        self.insert(&name, &name, &specification);
        for alias in aliases {
            self.insert(&alias, &name, &specification);
        }
    }

    /// A file about several programs, each with a name of its own, of which the same can be said.
    pub(super) fn family(&mut self, path: &Path) {
        self.file = format!("families/{}", path.file_name().unwrap_or_default().to_string_lossy());
        let Some(mut table) = self.read(path) else { return };
        let programs = self.taken(&mut table, "programs");
        if programs.len() < 2 {
            self.error("programs", "is the list of the family's programs, at least two");
        }
        let specification = self.whole(table);
        for name in programs {
            self.insert(&name, &name, &specification);
        }
    }

    fn insert(&mut self, name: &str, program: &str, specification: &str) {
        self.names.push((name.to_owned(), program.to_owned(), self.file.clone()));
        self.programs.insert(program.to_owned(), specification.to_owned());
    }

    fn read(&mut self, path: &Path) -> Option<Table> {
        match std::fs::read_to_string(path).map(|text| text.parse::<Table>()) {
            Ok(Ok(table)) => return Some(table),
            Ok(Err(error)) => self.error("", error.to_string().trim_end()),
            Err(error) => self.error("", error),
        }
        None
    }

    /// A list of texts, which is taken out of the file.
    fn taken(&mut self, table: &mut Table, key: &str) -> Vec<String> {
        let list = self.strings(table, "", key);
        table.remove(key);
        list
    }

    /// The specification of what a file says, but for the names.
    fn whole(&mut self, mut table: Table) -> String {
        match table.get("summary") {
            Some(Value::String(summary)) if !summary.is_empty() && !summary.contains('\n') => {}
            Some(_) => self.error("summary", "is one line of text"),
            None => self.error("summary", "is missing: one line that says what the program is for"),
        }
        self.cases(&table);
        push_down(&mut table);
        self.specification(&table, "", true)
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

    pub(super) fn check_names(&mut self) {
        self.names.sort();
        for (first, second) in self.names.iter().zip(self.names.iter().skip(1)) {
            let ((name, _, file), (other, _, also)) = (first, second);
            if name == other {
                self.errors.push(format!(
                    "knowledge/{also}: \"{name}\" is also a name of knowledge/{file}; a name has one file"
                ));
            }
        }
    }

    pub(super) fn finish(&self) -> String {
        let mut code = self.code.clone();
        code += "static PROGRAMS: &[Program] = &[\n";
        for (name, specification) in &self.programs {
            let _ = writeln!(code, "Program {{ name: {name:?}, specification: &{specification} }},");
        }
        code += "];\nstatic NAMES: &[(&str, u16)] = &[\n";
        for (name, program, _) in &self.names {
            let index = self.programs.keys().position(|known| known == program).unwrap_or_default();
            let _ = writeln!(code, "({name:?}, {index}),");
        }
        code += "];\n";
        code
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
