//! The reviewed rows: what a program may be called with, as `[rows.reviewed]` in its file says.

use hookgate_knowledge::{Table, shipped};

/// Rows of several programs, of the shell's own commands, and of other tools.
const SHARED: &[&str] = &["reviewed/shared/reviewed", "reviewed/shell/reviewed", "reviewed/tools/reviewed"];

/// The reviewed call of that name (`git.log`) with its table: the one of the row that includes it, its program's, or a shared one.
fn find(
    key: &str,
    beside: Option<Table<'static>>,
) -> Option<(Table<'static>, hookgate_knowledge::Row<'static>)> {
    let program = key.split('.').next().and_then(|name| shipped().exact_program(name));
    let own = program
        .map(|program| shipped().table(&format!("{}/reviewed", program.file().trim_end_matches(".toml"))));
    let shared = SHARED.iter().map(|name| shipped().table(name));
    beside.into_iter().chain(own).chain(shared).find_map(|table| Some((table, table.find(key)?)))
}

/// The cells of a reviewed call, if it has a row.
pub(crate) fn cells(key: &str) -> Option<impl Iterator<Item = &'static str>> {
    find(key, None).map(|(_, row)| row.cells())
}

/// Is the name on that list?
pub(crate) fn is_listed(list: &str, name: &str) -> bool {
    names(list).any(|known| known == name)
}

/// Does the service show nobody else what it was asked for?
pub(crate) fn is_public_service(host: &str) -> bool {
    shipped().table("commands/places/public-services").contains(host)
}

/// The names of a list.
pub(crate) fn names(list: &str) -> impl Iterator<Item = &'static str> {
    let row = shipped().table("reviewed/lists/lists").find(list);
    row.into_iter().flat_map(hookgate_knowledge::Row::cells)
}

/// What a row says of one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) options: Vec<OptionCell>,
    /// Roles of the operands, in order, with `?` or `...` for how many.
    pub(crate) operands: Vec<&'static str>,
    /// Options end at the first operand.
    pub(crate) ordered: bool,
    /// No option does more than read what it names: a word that turns into one is harmless.
    pub(crate) any: bool,
    /// Standard input is data, or isn't read.
    pub(crate) input: bool,
    /// Loads and runs code of the project.
    pub(crate) code: bool,
    /// Loads none, though its program's other subcommands do.
    pub(crate) inert: bool,
    /// Loads code of the project only where one of these files lies in it.
    pub(crate) code_if: Vec<&'static str>,
    /// Leaves hidden files out, but for those that one of these ignore files takes back.
    pub(crate) ignores: Vec<&'static str>,
    /// Talks to a service: every argument has to be written out.
    pub(crate) remote: bool,
    /// Prints names of files, one to a line, of the places that it was given.
    pub(crate) names: bool,
    /// Passes on the lines that it is fed, some of them.
    pub(crate) filter: bool,
    /// They are names that git knows, whether they are there or not.
    pub(crate) tracked: bool,
    /// Prints names where one of these options stands.
    pub(crate) names_with: Vec<&'static str>,
    /// Loads the project's code where git may run a hook of that name.
    pub(crate) hook: Option<&'static str>,
    /// Loads the project's code where one of these files holds one of those words.
    pub(crate) code_if_says: Option<(&'static str, &'static str)>,
    /// Reads what lies below the directory that it stands in, where it is given none.
    pub(crate) walks: bool,
    /// Takes options of its own between the words for the project's code.
    pub(crate) interspersed: bool,
    /// Options that count only where every address is one of a public service.
    pub(crate) public: Vec<&'static str>,
    /// Its first word, or the one behind options, is one of these.
    pub(crate) only: Vec<&'static str>,
    /// Loads the project's code with one of these options.
    pub(crate) code_with: Vec<&'static str>,
    /// Hooks that git runs behind it.
    pub(crate) after: Vec<&'static str>,
    /// With one of these options it reads what it would else only list.
    pub(crate) reads: Vec<&'static str>,
    /// Options that aren't listed are plain words to it.
    pub(crate) loose: bool,
    /// Reads the configuration of the repository that it stands in.
    pub(crate) repository: bool,
    /// With one of these options its files are changed in place.
    pub(crate) edits: Vec<&'static str>,
    /// These options only beside one of those words.
    pub(crate) beside: Option<(&'static str, &'static str)>,
    /// Its first operand is a subcommand with a row of its own.
    pub(crate) subcommands: bool,
    /// May be called without a subcommand.
    pub(crate) bare: bool,
    /// `-5`
    pub(crate) counts: bool,
    /// Any long option that isn't refused by name or by an abbreviation of it, with a value of that role.
    pub(crate) open: Option<&'static str>,
    /// Long options that are refused.
    pub(crate) refused: Vec<&'static str>,
    /// Subcommands that the pattern doesn't stand for.
    pub(crate) except: Vec<&'static str>,
    /// None of these options beside one of those.
    pub(crate) apart: Option<(&'static str, &'static str)>,
    /// It prints hidden names only with one of these options; always where nothing is said.
    pub(crate) hidden: Option<&'static str>,
    /// The names that it prints begin with the place that it was given.
    pub(crate) prefixed: bool,
    /// It brings files from elsewhere into the project: other commits, stashes, remotes.
    pub(crate) brings: bool,
    /// It brings them with one of these options.
    pub(crate) brings_with: Vec<&'static str>,
    /// With one of these options and no words it brings nothing.
    pub(crate) stays: Vec<&'static str>,
    /// It puts back what the repository has of its files.
    pub(crate) restores: bool,
    /// Its first operand is a commit, if no file has that name, from which something may be put back later.
    pub(crate) resets: bool,
    /// With one of these options (or always) what it writes may be links, or a tree with links in it.
    pub(crate) fills: Vec<&'static str>,
    /// It makes links.
    pub(crate) links: bool,
    /// What it changes in place stays the same code.
    pub(crate) same: bool,
    /// With one of these options it only says what it would do: no hooks run.
    pub(crate) dry: Vec<&'static str>,
    /// Long names with one dash; letters don't cluster.
    pub(crate) single: bool,
    /// One of these options has to be there.
    pub(crate) needs: Vec<&'static str>,
    /// One of these options has to be there if words are.
    pub(crate) needs_with_words: Vec<&'static str>,
    /// It makes something where words stand without one of these: hooks run.
    pub(crate) makes: bool,
    /// The language of its program texts, on standard input and behind `-c`.
    pub(crate) language: Option<&'static str>,
    /// With these options it prints more than names that it found, or other ones.
    pub(crate) rewrites: Vec<&'static str>,
    /// With one of these options (or always) it reads everything below its directories; hidden files only with one of the others.
    pub(crate) whole: Option<(&'static str, &'static str)>,
    /// With one of these options (or always) it puts what it is given, or all that is new, into the repository.
    pub(crate) stages: Vec<&'static str>,
    /// It runs hooks of the repository.
    pub(crate) hooks: bool,
    /// Words that ask for help or the version, where they are the only argument.
    pub(crate) idle: Vec<&'static str>,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionCell {
    names: &'static str,
    pub(crate) value: Option<&'static str>,
    pub(crate) form: Form,
}

/// How an option takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    None,
    Required,
    Optional,
}

impl OptionCell {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.names.split(',').any(|known| known == name)
    }
}

impl Row {
    /// The row of that name, with the rows that it includes.
    pub(crate) fn of(key: &str) -> Option<Row> {
        let mut row = Row::default();
        let (table, found) = find(key, None)?;
        row.read(found.cells(), table, 0);
        Some(row)
    }

    /// The row of a pattern: `describe-*` beside `describe-instances`, `list` of every group, a group of its own.
    pub(crate) fn by_pattern(key: &str, name: &str) -> Option<Row> {
        if names("withheld-subcommands").any(|word| name.contains(word)) {
            return None;
        }
        let group = key.split('.').next().unwrap_or(key);
        let depth = key.split('.').count();
        let verb = name.split('-').next().unwrap_or(name);
        let meant = |row: &Row| {
            let within = |word: &str| key.strip_suffix(word).is_some_and(|rest| rest.ends_with('.'));
            !row.except.iter().any(|word| name == *word || within(word))
        };
        let by_verb =
            (depth > 1 && verb != name).then(|| Row::of(&format!("{key}.{verb}-*"))).flatten().filter(meant);
        let by_name = || (depth > 1).then(|| Row::of(&format!("{group}.**.{name}"))).flatten().filter(meant);
        // Where every other word is a script of the project, these are not.
        let by_group = || {
            Row::of(&format!("{group}.*"))
                .filter(|row| row.subcommands && depth < 5 || depth == 1)
                .filter(meant)
                .filter(|row| !row.code || !is_listed("changing-subcommands", name))
        };
        by_verb.or_else(by_name).or_else(by_group)
    }

    fn read(&mut self, cells: impl Iterator<Item = &'static str>, table: Table<'static>, depth: u8) {
        let mut operands = false;
        for cell in cells {
            if operands {
                self.operands.push(cell);
                continue;
            }
            match cell {
                ":" => operands = true,
                "=ordered" => self.ordered = true,
                "=any" => self.any = true,
                "=input" => self.input = true,
                "=code" => self.code = true,
                "=inert" => self.inert = true,
                "=remote" => self.remote = true,
                "=names" => self.names = true,
                "=tracked" => self.tracked = true,
                "=brings" => self.brings = true,
                "=walks" => self.walks = true,
                "=interspersed" => self.interspersed = true,
                "=restores" => self.restores = true,
                "=resets" => self.resets = true,
                "=links" => self.links = true,
                "=same" => self.same = true,
                "=prefixed" => self.prefixed = true,
                "=filter" => self.filter = true,
                "=loose" => self.loose = true,
                "=repo" => self.repository = true,
                "=hooks" => self.hooks = true,
                "=sub" => self.subcommands = true,
                "=makes" => self.makes = true,
                "=bare" => self.bare = true,
                "=single" => self.single = true,
                "-NUM" => self.counts = true,
                _ => self.read_named(cell, table, depth),
            }
        }
    }

    fn read_named(&mut self, cell: &'static str, table: Table<'static>, depth: u8) {
        if let Some(other) = cell.strip_prefix('@') {
            if let Some((table, row)) = find(other, Some(table)).filter(|_| depth < 3) {
                let cells: Vec<&str> = row.cells().collect();
                self.read(cells.into_iter(), table, depth + 1);
            }
        } else if let Some(role) = cell.strip_prefix("--*=") {
            self.open = Some(role);
        } else if let Some(names) = cell.strip_prefix("not:") {
            self.except.extend(names.split(','));
        } else if let Some(options) = cell.strip_prefix("apart:") {
            self.apart = options.split_once('>');
        } else if let Some(files) = cell.strip_prefix("code-if:") {
            self.code_if.extend(files.split(','));
        } else if let Some(files) = cell.strip_prefix("code-if-says:") {
            self.code_if_says = files.split_once('>');
        } else if let Some(files) = cell.strip_prefix("ignores:") {
            self.ignores.extend(files.split(','));
        } else if let Some(words) = cell.strip_prefix("only:") {
            self.only.extend(words.split(','));
        } else if let Some(options) = cell.strip_prefix("code-with:") {
            self.code_with.extend(options.split(','));
        } else if let Some(hook) = cell.strip_prefix("code-if-hook:") {
            self.hook = Some(hook);
        } else if let Some(hooks) = cell.strip_prefix("after:") {
            self.after.extend(hooks.split(','));
        } else if let Some(options) = cell.strip_prefix("reads:") {
            self.reads.extend(options.split(','));
        } else if let Some(options) = cell.strip_prefix("hidden:") {
            self.hidden = Some(options);
        } else if let Some(options) = cell.strip_prefix("brings:") {
            self.brings_with.extend(options.split(','));
        } else if let Some(options) = cell.strip_prefix("stays:") {
            self.stays.extend(options.split(','));
        } else if let Some(options) = cell.strip_prefix("fills:") {
            self.fills.extend(options.split(','));
        } else if let Some(options) = cell.strip_prefix("stages:") {
            self.stages.extend(options.split(','));
        } else if let Some(options) = cell.strip_prefix("public:") {
            self.public.extend(options.split(','));
        } else if let Some(options) = cell.strip_prefix("dry:") {
            self.dry.extend(options.split(','));
        } else if let Some(name) = cell.strip_prefix('!') {
            self.refused.push(name);
        } else if let Some(names) = cell.strip_prefix("needs:") {
            self.needs.extend(names.split(','));
        } else if let Some(names) = cell.strip_prefix("needs-with-words:") {
            self.needs_with_words.extend(names.split(','));
        } else if let Some(names) = cell.strip_prefix("names-with:") {
            self.names_with.extend(names.split(','));
        } else if let Some(options) = cell.strip_prefix("rewrites:") {
            self.rewrites.extend(options.split(','));
        } else if let Some(options) = cell.strip_prefix("whole:") {
            self.whole = options.split_once('>');
        } else if let Some(language) = cell.strip_prefix("text:") {
            self.language = Some(language);
        } else if let Some(options) = cell.strip_prefix("edits:") {
            self.edits.extend(options.split(','));
        } else if let Some(options) = cell.strip_prefix("beside:") {
            self.beside = options.split_once('>');
        } else if let Some(names) = cell.strip_prefix("idle:") {
            self.idle.extend(names.split(','));
        } else {
            self.options.push(option(cell));
        }
    }

    /// The option of that name.
    pub(crate) fn option(&self, name: &str) -> Option<OptionCell> {
        self.options.iter().find(|option| option.is(name)).copied()
    }
}

/// `-n,--lines=number`, `--color[=text]`, `-v`
fn option(cell: &'static str) -> OptionCell {
    if let Some((names, role)) = cell.split_once("[=") {
        return OptionCell { names, value: role.strip_suffix(']'), form: Form::Optional };
    }
    match cell.split_once('=') {
        Some((names, role)) => OptionCell { names, value: Some(role), form: Form::Required },
        None => OptionCell { names: cell, value: None, form: Form::None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_listed_once_and_found() {
        let mut keys = Vec::new();
        for table in shipped().tables().filter(|name| name.ends_with("/reviewed")) {
            let sources = table.trim_end_matches("reviewed");
            let program = shipped().programs().find(|(_, program)| {
                program.file().strip_suffix(".toml") == Some(sources.trim_end_matches('/'))
            });
            assert!(
                program.is_some_and(|(_, program)| program.specification().reviewed().is_some())
                    || !shipped().table(&format!("{sources}from")).is_empty(),
                "{table} doesn't say what was reviewed"
            );
            for row in shipped().table(table).rows() {
                let includes = |other: hookgate_knowledge::Row<'_>| {
                    other.cells().any(|cell| cell.strip_prefix('@') == Some(row.key()))
                };
                assert!(
                    cells(row.key()).is_some() || shipped().table(table).rows().any(includes),
                    "{} of {table} is not found",
                    row.key()
                );
                let included = row.cells().filter_map(|cell| cell.strip_prefix('@'));
                for other in included {
                    assert!(find(other, Some(shipped().table(table))).is_some(), "{other} in {table}");
                }
                keys.push(row.key());
            }
        }
        keys.sort_unstable();
        let twice: Vec<_> = keys.windows(2).filter(|pair| pair.first() == pair.last()).collect();
        assert!(twice.is_empty(), "{twice:?}");
        assert!(keys.len() > 900, "{}", keys.len());
    }
}
