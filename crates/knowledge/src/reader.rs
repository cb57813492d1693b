//! The compiled base as views: cheap to copy, read where they lie.

use std::cmp::Ordering;

use crate::blob::{Blob, List, Text};
use crate::facet::Facet;
use crate::format::{
    CHANGE, EFFECT, FLAGS, KEYED, NAME, OPERAND, OPTION, REFERENCE, SHORT, SUBCOMMAND, field, header, mark,
};
use crate::glob;
use crate::kind::Kind;
use crate::manner::Manner;
use crate::part::Part;
use crate::role::Role;
use crate::table::Table;

/// A compiled base of knowledge.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'k> {
    blob: Blob<'k>,
}

/// One program.
#[derive(Clone, Copy, Debug)]
pub struct Program<'k> {
    blob: Blob<'k>,
    at: usize,
}

/// What a file, or one subcommand in it, says.
#[derive(Clone, Copy, Debug)]
pub struct Specification<'k> {
    blob: Blob<'k>,
    at: usize,
}

/// One line of `options`.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpecification<'k> {
    blob: Blob<'k>,
    at: usize,
}

/// How an option takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// It takes none.
    None,
    /// `<role>`
    Required(Role),
    /// `[=<role>]`
    Optional(Role),
    /// `=<role>`
    Attached(Role),
}

/// What an option changes about its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The option's own effect; its value is the target where it has a name-like role.
    Add(Kind),
    /// `!kind`
    Remove(Kind),
    /// `!*`
    RemoveAll,
    /// `says:part`: its value, or that it is given, is part of what the call says.
    Says(Part),
    /// `nothing`
    Nothing,
    /// `~manner`: how the call's effects happen then.
    How(Manner),
}

/// One entry of `operands`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// What it is.
    pub role: Role,
    /// How many words it stands for.
    pub count: Count,
    /// `=> kind`
    pub effect: Option<Kind>,
    /// `=> says:part`
    pub says: Option<Part>,
}

/// How many words an operand stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly one.
    One,
    /// `?`
    Optional,
    /// `...`
    Some,
    /// `...?`
    Any,
}

/// One entry of `effects`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectSpecification<'k> {
    /// What happens.
    pub kind: Kind,
    /// A fixed target: a path for the kinds that have one, else a name.
    pub target: Option<&'k str>,
}

/// `[sub.x]` under one of its spellings.
#[derive(Clone, Copy, Debug)]
pub struct Subcommand<'k> {
    /// The spelling.
    pub spelled: &'k str,
    /// Its own name.
    pub name: &'k str,
    /// What it says.
    pub specification: Specification<'k>,
}

/// An entry of `[subs]`.
#[derive(Clone, Copy, Debug)]
pub struct ShortSubcommand<'k> {
    /// Names with dots between them; a name may hold `*`.
    pub path: &'k str,
    /// Its options and effects; any operands.
    pub specification: Specification<'k>,
}

/// What a word is that looks like an option and is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// Nothing is known about the call.
    Unknown,
    /// No reason to blame the call, and none to grant it.
    Doubt,
    /// An operand like any other: the program takes no more options (`echo`, `test`).
    Operand,
}

/// What a call does with its standard input where no operand says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardInput {
    /// It runs it.
    Program,
    /// It reads it.
    Data,
    /// It leaves it alone.
    None,
}

impl<'k> Knowledge<'k> {
    /// A base in which nothing is known.
    pub(crate) const EMPTY: Knowledge<'static> = Knowledge { blob: Blob::EMPTY };

    /// The base in bytes that [`Compiler`](crate::Compiler) wrote; `None` where they are something else.
    #[must_use]
    pub fn new(bytes: &'k [u8]) -> Option<Knowledge<'k>> {
        Blob::new(bytes).map(|blob| Knowledge { blob })
    }

    /// The program of that name: exactly, or without a version (`python3.12`, `gcc-12`) or the ending and the letter case
    /// of another system (`git.exe`, `NPM.CMD`).
    #[must_use]
    pub fn program(self, name: &str) -> Option<Program<'k>> {
        self.exact_program(name).or_else(|| {
            let lower = name.to_ascii_lowercase();
            let foreign = [".exe", ".cmd", ".bat"].iter().find_map(|ending| lower.strip_suffix(ending));
            let name = foreign.unwrap_or(name);
            let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            let unversioned = unversioned.strip_suffix('-').unwrap_or(unversioned);
            // `w1` is no version of `w`.
            self.exact_program(name)
                .or_else(|| self.exact_program(unversioned).filter(|_| unversioned.len() > 1))
        })
    }

    fn names(self) -> List<'k> {
        self.blob.list(header::NAMES, NAME)
    }

    /// The program of exactly that name.
    #[must_use]
    pub fn exact_program(self, name: &str) -> Option<Program<'k>> {
        let at = self.names().find(|text| text.compare(name))?;
        Some(Program { blob: self.blob, at: self.blob.place(at + REFERENCE) })
    }

    /// Every name with its program, sorted. A program stands there under each of its names.
    pub fn programs(self) -> impl Iterator<Item = (&'k str, Program<'k>)> {
        let blob = self.blob;
        self.names()
            .places()
            .map(move |at| (blob.text(at).get(), Program { blob, at: blob.place(at + REFERENCE) }))
    }

    /// The table of that name (`libraries/python/functions`); an empty one where there is none.
    #[must_use]
    pub fn table(self, name: &str) -> Table<'k> {
        let tables = self.blob.list(header::TABLES, KEYED);
        let rows = tables.find(|text| text.compare(name)).unwrap_or(self.end());
        Table::new(self.blob, self.blob.list(rows + REFERENCE, KEYED))
    }

    /// A place at which there is nothing.
    fn end(self) -> usize {
        usize::MAX / 2
    }

    /// The names of all tables, sorted.
    pub fn tables(self) -> impl Iterator<Item = &'k str> {
        self.blob.list(header::TABLES, KEYED).texts().map(Text::get)
    }

    /// `--help` and `--version`, where a file does not list them.
    pub(crate) fn help(self) -> Option<OptionSpecification<'k>> {
        let at = self.blob.list(header::HELP, OPTION).place(0)?;
        Some(OptionSpecification { blob: self.blob, at })
    }
}

impl<'k> Program<'k> {
    /// Its own name: the file's, or its name in a family.
    #[must_use]
    pub fn name(self) -> &'k str {
        self.blob.text(self.at).get()
    }

    /// What its file says.
    #[must_use]
    pub fn specification(self) -> Specification<'k> {
        Specification { blob: self.blob, at: self.blob.place(self.at + REFERENCE) }
    }

    /// The file, as it was given to the compiler: `tee.toml`, `families/compressors.toml`.
    #[must_use]
    pub fn file(self) -> &'k str {
        self.blob.text(self.at + 2 * REFERENCE).get()
    }

    /// The base in which it stands.
    #[must_use]
    pub fn knowledge(self) -> Knowledge<'k> {
        Knowledge { blob: self.blob }
    }
}

impl PartialEq for Specification<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.blob.is(other.blob)
    }
}

impl<'k> Specification<'k> {
    fn bits(self) -> u32 {
        self.blob.u32(self.at)
    }

    /// Where the value of a field stands.
    fn field(self, field: u32) -> Option<usize> {
        let bits = self.bits() & !FLAGS;
        let bit = 1_u32.checked_shl(field)?;
        let before = (bits & bit.wrapping_sub(1)).count_ones();
        (bits & bit != 0).then(|| self.at + REFERENCE * (1 + usize::try_from(before).unwrap_or_default()))
    }

    fn list(self, field: u32, size: usize) -> List<'k> {
        // A specification never stands at 0, and nothing there is a list.
        self.field(field).map_or_else(|| self.blob.list(usize::MAX / 2, size), |at| self.blob.list(at, size))
    }

    /// Its options.
    pub fn options(self) -> impl DoubleEndedIterator<Item = OptionSpecification<'k>> + Clone + 'k {
        let blob = self.blob;
        self.list(field::OPTIONS, OPTION).places().map(move |at| OptionSpecification { blob, at })
    }

    /// What a word is that looks like an option and is not listed.
    #[must_use]
    pub fn unlisted(self) -> Unlisted {
        match self.bits() {
            bits if bits & (1 << field::DOUBT) != 0 => Unlisted::Doubt,
            bits if bits & (1 << field::OPERAND) != 0 => Unlisted::Operand,
            _ => Unlisted::Unknown,
        }
    }

    /// Its operands, in order.
    #[must_use]
    pub fn operands(self) -> Vec<Operand> {
        let blob = self.blob;
        self.list(field::OPERANDS, OPERAND).places().filter_map(|at| operand(blob, at)).collect()
    }

    /// Does it list operands?
    #[must_use]
    pub fn has_operands(self) -> bool {
        !self.list(field::OPERANDS, OPERAND).is_empty()
    }

    /// What every call does besides.
    pub fn effects(self) -> impl DoubleEndedIterator<Item = EffectSpecification<'k>> + Clone + 'k {
        let blob = self.blob;
        self.list(field::EFFECTS, EFFECT).places().filter_map(move |at| {
            let kind = Kind::from_index(blob.u8(at))?;
            Some(EffectSpecification { kind, target: blob.text(at + REFERENCE).some() })
        })
    }

    /// Does every call do something besides?
    #[must_use]
    pub fn has_effects(self) -> bool {
        !self.list(field::EFFECTS, EFFECT).is_empty()
    }

    /// `[sub.x]`, sorted by spelling.
    pub fn subcommands(self) -> impl Iterator<Item = Subcommand<'k>> + Clone + 'k {
        self.list(field::SUBCOMMANDS, SUBCOMMAND).places().map(move |at| self.subcommand_at(at))
    }

    fn subcommand_at(self, at: usize) -> Subcommand<'k> {
        let blob = self.blob;
        Subcommand {
            spelled: blob.text(at).get(),
            name: blob.text(at + REFERENCE).get(),
            specification: Specification { blob, at: blob.place(at + 2 * REFERENCE) },
        }
    }

    /// The entries of `[subs]`: those without `*`, sorted, then those with it, the most specific first.
    pub fn short_subcommands(self) -> impl Iterator<Item = ShortSubcommand<'k>> + Clone + 'k {
        let lists = [self.list(field::EXACT, SHORT), self.list(field::PATTERNS, SHORT)];
        lists.into_iter().flat_map(List::places).map(move |at| self.short_at(at))
    }

    fn short_at(self, at: usize) -> ShortSubcommand<'k> {
        let blob = self.blob;
        ShortSubcommand {
            path: blob.text(at).get(),
            specification: Specification { blob, at: blob.place(at + REFERENCE) },
        }
    }

    /// What a call without a subcommand does.
    #[must_use]
    pub fn default(self) -> Option<Specification<'k>> {
        let at = self.field(field::DEFAULT)?;
        Some(Specification { blob: self.blob, at: self.blob.place(at) })
    }

    /// The handler that reads the call instead of the table.
    #[must_use]
    pub fn handler(self) -> Option<&'k str> {
        self.field(field::HANDLER).and_then(|at| self.blob.text(at).some())
    }

    fn facet_at(self, facet: Facet) -> Option<usize> {
        let position = Facet::ALL.iter().position(|(known, ..)| *known == facet)?;
        self.field(field::FACETS + u32::try_from(position).ok()?)
    }

    /// Does the file say this of the program?
    #[must_use]
    pub fn has_facet(self, facet: Facet) -> bool {
        self.facet_at(facet).is_some()
    }

    /// The value of a facet that is a word or a text.
    #[must_use]
    pub fn facet(self, facet: Facet) -> Option<&'k str> {
        self.facet_at(facet).and_then(|at| self.blob.text(at).some())
    }

    /// The values of a facet that is a list.
    pub fn facets(self, facet: Facet) -> impl DoubleEndedIterator<Item = &'k str> + Clone {
        let at = self.facet_at(facet).unwrap_or(usize::MAX / 2);
        self.blob.list(at, REFERENCE).texts().map(Text::get)
    }

    /// How the effects of its calls happen.
    #[must_use]
    pub fn manner(self) -> Manner {
        self.facets(Facet::Manner).filter_map(Manner::from_name).collect()
    }

    /// What a call without a file does with its standard input, where the file says so.
    #[must_use]
    pub fn standard_input(self) -> Option<StandardInput> {
        match self.facet(Facet::StandardInput)? {
            "program" => Some(StandardInput::Program),
            "data" => Some(StandardInput::Data),
            "none" => Some(StandardInput::None),
            _ => None,
        }
    }

    /// The version that the file was compared with: `NAME VERSION, YYYY-MM-DD`.
    #[must_use]
    pub fn reviewed(self) -> Option<&'k str> {
        self.facet(Facet::Reviewed)
    }

    /// Does the file list subcommands here?
    #[must_use]
    pub fn has_subcommands(self) -> bool {
        const ANY: u32 = (1 << field::SUBCOMMANDS) | (1 << field::EXACT) | (1 << field::PATTERNS);
        self.bits() & ANY != 0
    }

    /// The `[sub.x]` of that spelling.
    #[must_use]
    pub fn subcommand(self, spelled: &str) -> Option<Subcommand<'k>> {
        let at = self.list(field::SUBCOMMANDS, SUBCOMMAND).find(|text| text.compare(spelled))?;
        Some(self.subcommand_at(at))
    }

    /// Does the file list that one word as a subcommand, or a pattern that fits it?
    #[must_use]
    pub fn lists(self, subcommand: &str) -> bool {
        self.subcommand(subcommand).is_some() || self.short_subcommand(&[subcommand]).is_some()
    }

    /// What is listed for a call with these subcommands: the innermost first, this one last.
    #[must_use]
    pub fn within(self, subcommands: &[&str]) -> Vec<Specification<'k>> {
        let mut path = vec![self];
        let mut rest = subcommands;
        while let Some((first, behind)) = rest.split_first() {
            let last = path.last().copied().unwrap_or(self);
            let Some(inner) = last.subcommand(first) else {
                path.extend(last.short_subcommand(rest).map(|(entry, _)| entry.specification));
                break;
            };
            path.push(inner.specification);
            rest = behind;
        }
        path.reverse();
        path
    }

    /// Do the words only begin a path of `[subs]`?
    pub(crate) fn is_group(self, words: &[&str]) -> bool {
        let begins = |path: &str| {
            let mut names = path.split('.');
            words.iter().all(|word| names.next().is_some_and(|name| glob::matches(name, word)))
                && names.next().is_some()
        };
        !words.is_empty() && self.short_subcommands().any(|entry| begins(entry.path))
    }

    /// The entry of `[subs]` for the words, and how many of them it takes: the longest exact path, unless a pattern
    /// begins with that path and goes on, or goes on from one that does nothing. Of the patterns the first that fits;
    /// they are sorted.
    pub(crate) fn short_subcommand(self, words: &[&str]) -> Option<(ShortSubcommand<'k>, usize)> {
        let paths = self.list(field::EXACT, SHORT);
        let exact = (1..=words.len().min(MAXIMUM_PATH)).rev().find_map(|count| {
            let at = paths.find(|path| compare_path(path.bytes(), words, count))?;
            Some((self.short_at(at), count))
        });
        let exact_count = exact.map_or(0, |(_, count)| count);
        let harmless = exact.is_some_and(|(entry, _)| !entry.specification.has_effects());
        let pattern = self.list(field::PATTERNS, SHORT).places().find_map(|at| {
            let entry = self.short_at(at);
            let count = entry.path.split('.').count();
            let goes_on = harmless || entry.path.split('.').take(exact_count).all(|name| !name.contains('*'));
            let fits = goes_on
                && count > exact_count
                && words.len() >= count
                && entry.path.split('.').zip(words).all(|(pattern, word)| glob::matches(pattern, word));
            fits.then_some((entry, count))
        });
        pattern.or(exact)
    }
}

impl PartialEq for OptionSpecification<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.blob.is(other.blob)
    }
}

impl<'k> OptionSpecification<'k> {
    fn spellings(self) -> impl DoubleEndedIterator<Item = Text<'k>> + Clone {
        self.blob.list(self.at, REFERENCE).texts()
    }

    /// Every spelling.
    pub fn names(self) -> impl DoubleEndedIterator<Item = &'k str> + Clone {
        self.spellings().map(Text::get)
    }

    /// Is that one of its spellings?
    #[must_use]
    pub fn is_named(self, name: &str) -> bool {
        self.blob.list(self.at, REFERENCE).named(name).is_some()
    }

    /// Has it a spelling that begins with neither `-` nor `+`?
    pub(crate) fn is_spelled_without_sign(self) -> bool {
        !self.spellings().all(|known| known.starts_with("-") || known.starts_with("+"))
    }

    /// The spelling that is exactly this.
    pub(crate) fn spelling(self, name: &str) -> Option<&'k str> {
        self.blob.list(self.at, REFERENCE).named(name).map(Text::get)
    }

    /// The spelling with `*` that this name fits.
    pub(crate) fn pattern(self, name: &str) -> Option<&'k str> {
        if !self.is_pattern() {
            return None;
        }
        self.names().find(|known| known.contains('*') && glob::matches(known, name))
    }

    /// Does it stand for several options?
    pub(crate) fn is_pattern(self) -> bool {
        self.has_mark(mark::PATTERN)
    }

    /// The first spelling that begins so.
    pub(crate) fn beginning(self, name: &str) -> Option<&'k str> {
        self.spellings().find(|known| known.starts_with(name)).map(Text::get)
    }

    /// How it takes its value.
    #[must_use]
    pub fn value(self) -> ValueForm {
        let role =
            || Role::ALL.get(usize::from(self.blob.u8(self.at + 5))).map_or(Role::Text, |(role, _)| *role);
        match self.blob.u8(self.at + 4) {
            1 => ValueForm::Required(role()),
            2 => ValueForm::Optional(role()),
            3 => ValueForm::Attached(role()),
            _ => ValueForm::None,
        }
    }

    fn has_mark(self, mark: u8) -> bool {
        self.blob.u8(self.at + 6) & mark != 0
    }

    /// `+recursive`
    #[must_use]
    pub fn recursive(self) -> bool {
        self.has_mark(mark::RECURSIVE)
    }

    /// `+stdin`
    #[must_use]
    pub fn standard_input(self) -> bool {
        self.has_mark(mark::STANDARD_INPUT)
    }

    /// `+rest`
    #[must_use]
    pub fn rest(self) -> bool {
        self.has_mark(mark::REST)
    }

    /// `+first`: the value stands in for the first operand.
    #[must_use]
    pub fn first(self) -> bool {
        self.has_mark(mark::FIRST)
    }

    /// `+last`: the value stands in for the last operand.
    #[must_use]
    pub fn last(self) -> bool {
        self.has_mark(mark::LAST)
    }

    /// `+name`: a name stands before the value, as an argument of its own.
    #[must_use]
    pub fn named(self) -> bool {
        self.has_mark(mark::NAMED)
    }

    /// What it changes about its call.
    pub fn changes(self) -> impl DoubleEndedIterator<Item = Change> + Clone + 'k {
        let blob = self.blob;
        blob.list(self.at + 8, CHANGE).places().filter_map(move |at| {
            let kind = || Kind::from_index(blob.u8(at + 1));
            match blob.u8(at) {
                0 => Some(Change::Nothing),
                1 => Some(Change::RemoveAll),
                2 => kind().map(Change::Remove),
                4 => Manner::from_index(blob.u8(at + 1)).map(Change::How),
                5 => Part::ALL.get(usize::from(blob.u8(at + 1))).map(|(part, _)| Change::Says(*part)),
                _ => kind().map(Change::Add),
            }
        })
    }
}

fn operand(blob: Blob<'_>, at: usize) -> Option<Operand> {
    let (role, _) = Role::ALL.get(usize::from(blob.u8(at)))?;
    let count = match blob.u8(at + 1) {
        0 => Count::One,
        1 => Count::Optional,
        2 => Count::Some,
        _ => Count::Any,
    };
    let says = Part::ALL.get(usize::from(blob.u8(at + 3))).map(|(part, _)| *part);
    Some(Operand { role: *role, count, effect: Kind::from_index(blob.u8(at + 2)), says })
}

/// The most names that a path of `[subs]` can have.
pub(crate) const MAXIMUM_PATH: usize = 7;

/// Compares a path with the first `count` words, as if these were joined with dots.
fn compare_path(path: &[u8], words: &[&str], count: usize) -> Ordering {
    let joined = words.iter().take(count).enumerate().flat_map(|(index, word)| {
        let dot: &[u8] = if index == 0 { b"" } else { b"." };
        dot.iter().chain(word.as_bytes())
    });
    path.iter().cmp(joined)
}
