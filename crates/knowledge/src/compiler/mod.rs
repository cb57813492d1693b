//! From the text of knowledge files to one array of bytes. `knowledge/README.md` describes the files.
//!
//! Every mistake is reported with its line and column, all of them at once.

mod libraries;
mod likeness;
mod lines;
mod mistake;
mod model;
mod source;
mod subcommands;
mod tables;
mod windows;
mod write;

use std::collections::BTreeMap;
use std::rc::Rc;

use toml::de::{DeTable, DeValue};

use likeness::Resolver;
pub use mistake::Mistake;
use model::Specification;
use source::{Source, entry};

/// Reads one file after the other; [`Compiler::finish`] has the compiled base.
#[derive(Default)]
pub struct Compiler {
    mistakes: Vec<Mistake>,
    /// Name to what is said of the program.
    programs: BTreeMap<String, Entry>,
    /// Every name of every program, with the program's own name.
    names: BTreeMap<String, String>,
    /// Table to its rows.
    tables: BTreeMap<String, Vec<(String, Vec<String>)>>,
    /// Libraries that a file refers to, and where.
    likes: Vec<(String, Mistake)>,
}

/// One program.
struct Entry {
    file: String,
    specification: Rc<Specification>,
}

impl Compiler {
    /// A compiler that has read nothing.
    #[must_use]
    pub fn new() -> Compiler {
        Compiler::default()
    }

    /// Reads a file. Its path is relative to the base's directory and says what it is: `tee.toml` is about the program
    /// `tee`, `families/x.toml` about those that it lists, and `libraries/x.toml` has rows.
    pub fn add(&mut self, path: &str, text: &str) {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.strip_suffix(".toml").unwrap_or(name);
        self.read(path, text, |compiler, source, table| match directory {
            "" => compiler.program(source, table, Some(stem)),
            "families" => compiler.program(source, table, None),
            "libraries" => compiler.library(source, table, &format!("libraries/{stem}")),
            "windows" => compiler.windows(source, table, &format!("windows/{stem}")),
            directory => compiler.rows(source, table, &format!("{directory}/{stem}")),
        });
    }

    /// Reads a person's own file: about the program that it is named after, or about those that it lists.
    pub fn add_own(&mut self, path: &str, text: &str) {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = name.strip_suffix(".toml").unwrap_or(name);
        self.read(path, text, |compiler, source, table| {
            compiler.program(source, table, entry(table, "programs").is_none().then_some(stem));
        });
    }

    fn read(&mut self, path: &str, text: &str, take: impl FnOnce(&mut Self, &mut Source<'_>, &DeTable<'_>)) {
        let mut source = Source::new(path, text);
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            source.error(error.span(), "", error.message().to_lowercase());
        }
        // What is missing behind broken syntax only follows from it.
        if errors.is_empty() {
            take(self, &mut source, document.get_ref());
        }
        source.mistakes.sort_by_key(|mistake| (mistake.line, mistake.column));
        self.mistakes.append(&mut source.mistakes);
    }

    /// A file about the program of that name, or about the programs that it lists.
    fn program(&mut self, source: &mut Source<'_>, table: &DeTable<'_>, name: Option<&str>) {
        let specification = Rc::new(source.whole(table, name.is_none()));
        let listed = source.strings(table, "", if name.is_some() { "aliases" } else { "programs" });
        let own = match name {
            Some(name) => vec![(name.to_owned(), 0..0)],
            None => listed.clone(),
        };
        if name.is_none() && own.len() < 2 {
            source.error(None, "programs", "is the list of the family's programs, at least two");
        }
        for (name, span) in &own {
            self.name(source, name, name, span.clone());
            let entry = Entry { file: source.path.to_owned(), specification: Rc::clone(&specification) };
            self.programs.insert(name.clone(), entry);
        }
        self.own_rows(source, table, name.unwrap_or(source.path.trim_end_matches(".toml")));
        if let Some(name) = name {
            for (alias, span) in listed {
                self.name(source, &alias, name, span);
            }
        }
    }

    fn name(&mut self, source: &mut Source<'_>, name: &str, program: &str, span: std::ops::Range<usize>) {
        let Some(other) = self.names.insert(name.to_owned(), program.to_owned()) else { return };
        let file = self.programs.get(&other).map_or(source.path, |entry| entry.file.as_str()).to_owned();
        source.error(
            Some(span),
            "",
            format_args!("\"{name}\" is also a name of knowledge/{file}; a name has one file"),
        );
    }

    /// The compiled base.
    ///
    /// # Errors
    ///
    /// Every mistake in the files, in the order in which they were read.
    pub fn finish(self) -> Result<Vec<u8>, Vec<Mistake>> {
        let mut mistakes = self.mistakes.clone();
        for (library, place) in &self.likes {
            if !self.tables.contains_key(&format!("{library}/functions")) {
                let message = format!("{}: there is no knowledge/{library}.toml", place.message);
                mistakes.push(Mistake { message, ..place.clone() });
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let mut resolver = Resolver::new(&self.programs);
        let mut filled: BTreeMap<String, Rc<Specification>> = BTreeMap::new();
        // The programs of a family share what is said of them.
        let mut shared: BTreeMap<&str, Rc<Specification>> = BTreeMap::new();
        for (name, entry) in &self.programs {
            let specification = match shared.get(entry.file.as_str()) {
                Some(specification) => Rc::clone(specification),
                None => {
                    let Some(specification) = resolver.program(name) else { continue };
                    let mut specification = specification.as_ref().clone();
                    subcommands::push_down(&mut specification);
                    let specification = Rc::new(specification);
                    shared.insert(&entry.file, Rc::clone(&specification));
                    specification
                }
            };
            filled.insert(name.clone(), specification);
        }
        if !resolver.mistakes.is_empty() {
            return Err(resolver.mistakes);
        }
        write::write(&self, &filled).map_err(|message| vec![Mistake::of_base(message)])
    }
}

impl Source<'_> {
    /// The specification of what a file says, but for the names.
    fn whole(&mut self, table: &DeTable<'_>, family: bool) -> Specification {
        match entry(table, "summary") {
            Some(summary) => match summary.get_ref() {
                DeValue::String(text) if !text.is_empty() && !text.contains('\n') => {}
                _ => self.error(
                    Some(summary.span()),
                    "summary",
                    "is one line that says what the program is for",
                ),
            },
            None => self.error(None, "summary", "is missing: one line that says what the program is for"),
        }
        self.cases(table);
        let mut specification = self.specification(
            table,
            "",
            if family { source::Place::Family } else { source::Place::Program },
        );
        subcommands::push_down(&mut specification);
        specification
    }

    fn cases(&mut self, table: &DeTable<'_>) {
        const KEYS: &[&str] = &["run", "effects", "calls", "note", "files", "links"];
        let Some(value) = entry(table, "case") else { return };
        let DeValue::Array(cases) = value.get_ref() else {
            return self.error(Some(value.span()), "case", "is a list of tables: [[case]]");
        };
        for (index, case) in cases.iter().enumerate() {
            let key = format!("case {}", index + 1);
            let DeValue::Table(inner) = case.get_ref() else {
                self.error(Some(case.span()), &key, "is a table: [[case]]");
                continue;
            };
            for name in inner.keys().filter(|name| !KEYS.contains(&name.get_ref().as_ref())) {
                self.unknown_key(name, &key, KEYS);
            }
            if entry(inner, "calls").is_some() {
                self.calls_of_case(inner, &key);
                continue;
            }
            let run = match entry(inner, "run").map(toml::Spanned::get_ref) {
                Some(DeValue::String(run)) if !run.is_empty() => run.to_string(),
                _ => {
                    self.error(Some(case.span()), &key, "run is missing: the command text");
                    String::new()
                }
            };
            if entry(inner, "effects").is_none() {
                let missing = format_args!("effects are missing for `{run}`: a list, empty for none");
                self.error(Some(case.span()), &key, missing);
            }
            for (effect, span) in self.strings(inner, &key, "effects") {
                let kind = effect.split_whitespace().next().unwrap_or_default();
                self.kind(span, &format!("{key} (`{run}`)"), kind);
            }
        }
    }

    /// `calls`: one call a line, `COMMAND => EFFECT, EFFECT`, or `COMMAND => nothing`.
    fn calls_of_case(&mut self, case: &DeTable<'_>, key: &str) {
        for other in ["run", "effects"] {
            if let Some(value) = entry(case, other) {
                self.error(Some(value.span()), key, format_args!("`{other}` and `calls` exclude each other"));
            }
        }
        for (line, span) in self.lines(case, key, "calls") {
            let Some((_, effects)) = line.rsplit_once(" => ") else {
                let what = format_args!("`{line}`: a call is `COMMAND => EFFECTS`, or `=> nothing`");
                self.error(Some(span), key, what);
                continue;
            };
            for effect in effects.split(", ").map(str::trim).filter(|effect| *effect != "nothing") {
                let kind = effect.split_whitespace().next().unwrap_or_default();
                self.kind(span.clone(), &format!("{key} (`{line}`)"), kind);
            }
        }
    }
}
