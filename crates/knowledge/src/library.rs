//! What is known about the library of a language: `knowledge/libraries/`.

use crate::act::{Act, DOUBT};
use crate::reader::Knowledge;
use crate::table::{Row, Table};

/// The library of a language.
#[derive(Clone, Copy, Debug)]
pub struct Library<'k> {
    own: Part<'k>,
    /// What it falls back to.
    base: Option<Part<'k>>,
}

/// What one file says.
#[derive(Clone, Copy, Debug)]
struct Part<'k> {
    stands_for: Table<'k>,
    functions: Table<'k>,
    methods: Table<'k>,
    collections: Table<'k>,
    commands: Table<'k>,
    keywords: Table<'k>,
    modules: Names<'k>,
    computes: Names<'k>,
    handles: Names<'k>,
    programs: Names<'k>,
    environment: Table<'k>,
    shows: Table<'k>,
}

/// Names, and beginnings of names.
#[derive(Clone, Copy, Debug)]
struct Names<'k> {
    whole: Table<'k>,
    beginnings: Table<'k>,
}

impl<'k> Library<'k> {
    /// The library `knowledge/libraries/NAME.toml`; an empty one where there is none.
    #[must_use]
    pub fn of(knowledge: Knowledge<'k>, name: &str) -> Library<'k> {
        let file = format!("libraries/{name}");
        let base = knowledge.table(&file).find("like").and_then(|row| row.cell(0));
        let base = base.map(|base| Part::of(knowledge, &format!("libraries/{base}")));
        Library { own: Part::of(knowledge, &file), base }
    }

    /// What calling the function of that full name does.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<Act<'k>> {
        self.parts().find_map(|part| part.functions.find(&part.full(name)).and_then(read))
    }

    /// What calling a method of that name with so many arguments does, on a value of which nothing is known.
    #[must_use]
    pub fn method(&self, name: &str, arguments: usize) -> Option<Act<'k>> {
        let own = self.parts().find_map(|part| {
            let rows = part.methods.all(name).filter(|row| fits(row.cell(1), arguments));
            // A row for a number of arguments goes before one for any.
            rows.min_by_key(|row| row.cell(1).is_none()).and_then(read)
        });
        own.or_else(|| self.collection(name))
    }

    /// Does everything of that full name, and below it, only compute?
    #[must_use]
    pub fn computes(&self, name: &str) -> bool {
        self.parts().any(|part| part.computes.has(&part.full(name)))
    }

    /// May what has that full name, or the method of that name, write to a path that it is given, though it only computes
    /// where it gets none?
    #[must_use]
    pub fn handles(&self, name: &str) -> bool {
        self.parts().any(|part| part.handles.has(&part.full(name)))
    }

    /// The functions of a module, by their names in it.
    pub fn names_in<'n>(&'n self, module: &str) -> impl Iterator<Item = &'k str> + use<'n, 'k> {
        let beginnings: Vec<String> = self.parts().map(|part| format!("{}.", part.full(module))).collect();
        self.parts().zip(beginnings).flat_map(|(part, beginning)| {
            part.functions
                .rows()
                .filter_map(move |row| row.key().strip_prefix(beginning.as_str()))
                .filter(|name| !name.contains('.'))
        })
    }

    /// Is the module known, so that loading it does nothing?
    #[must_use]
    pub fn module(&self, name: &str) -> bool {
        self.parts().any(|part| {
            let full = part.full(name);
            part.computes.has(&full) || part.modules.has(&full) || part.modules.has(name)
        })
    }

    /// Is the word part of the language's syntax, and no value?
    #[must_use]
    pub fn keyword(&self, word: &str) -> bool {
        self.parts().any(|part| part.keywords.contains(word))
    }

    /// The words of the program that a function runs by its own name: `git status` for `sh.git.status`.
    #[must_use]
    pub fn program<'n>(&self, function: &'n str) -> Option<&'n str> {
        self.parts().find_map(|part| {
            let beginning = part.programs.beginnings.rows().find_map(|row| function.strip_prefix(row.key()));
            let whole = || part.programs.whole.contains(function).then(|| function.rsplit('.').next());
            beginning.or_else(|| whole().flatten())
        })
    }

    /// Is it all of the environment?
    #[must_use]
    pub fn is_environment(&self, name: &str) -> bool {
        self.parts().any(|part| part.environment.contains(name))
    }

    /// The functions that show the values of what they get, or make a text of them.
    pub fn shows(&self) -> impl Iterator<Item = &'k str> {
        self.parts().flat_map(|part| part.shows.rows()).map(Row::key)
    }

    /// What a method of a collection of a database does.
    #[must_use]
    pub fn collection(&self, method: &str) -> Option<Act<'k>> {
        self.parts().find_map(|part| part.collections.find(method).and_then(read))
    }

    /// What a command does, and whether more may happen than that. One of two words has a dot between them.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<(Act<'k>, bool)> {
        let row = self.parts().find_map(|part| part.commands.find(name))?;
        let text = row.cell(0)?;
        let certain = text.strip_suffix(DOUBT);
        Some((Act::read(certain.unwrap_or(text)).ok()?, certain.is_some()))
    }

    fn parts(&self) -> impl Iterator<Item = &Part<'k>> {
        std::iter::once(&self.own).chain(&self.base)
    }
}

impl<'k> Part<'k> {
    fn of(knowledge: Knowledge<'k>, file: &str) -> Part<'k> {
        let table = |name: &str| knowledge.table(&format!("{file}/{name}"));
        let names = |name: &str| Names { whole: table(name), beginnings: table(&format!("{name}*")) };
        Part {
            stands_for: table("stands-for"),
            functions: table("functions"),
            methods: table("methods"),
            collections: table("collections"),
            commands: table("commands"),
            keywords: table("keywords"),
            modules: names("modules"),
            computes: names("computes"),
            handles: names("handles"),
            programs: names("programs"),
            environment: table("environment"),
            shows: table("shows"),
        }
    }

    /// The name without what only stands for something else.
    fn full<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        for row in self.stands_for.rows() {
            let Some(rest) = name.strip_prefix(row.key()) else { continue };
            let meant = row.cell(0).unwrap_or_default();
            match rest.strip_prefix('.') {
                Some(rest) if meant.is_empty() => return rest.into(),
                _ if rest.is_empty() || rest.starts_with('.') => return format!("{meant}{rest}").into(),
                _ => {}
            }
        }
        name.into()
    }
}

impl Names<'_> {
    /// Is it one of these names, or below one?
    fn has(&self, name: &str) -> bool {
        let dots = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
        dots.filter_map(|end| name.get(..end)).any(|name| self.whole.contains(name))
            || self.beginnings.rows().any(|row| name.starts_with(row.key()))
    }
}

/// What the row says that a call does.
fn read<'k>(row: Row<'k>) -> Option<Act<'k>> {
    Act::read(row.cell(0)?).ok()
}

/// Is `2` or `1+` so many?
fn fits(count: Option<&str>, arguments: usize) -> bool {
    let Some(count) = count else { return true };
    match count.strip_suffix('+') {
        Some(least) => least.parse().is_ok_and(|least: usize| arguments >= least),
        None => count.parse() == Ok(arguments),
    }
}
