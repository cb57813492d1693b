//! The compiled knowledge base: what `knowledge/*.toml` says, as static tables. `knowledge/README.md` is the contract.

use crate::effect::{Kind, Unknown};

include!(concat!(env!("OUT_DIR"), "/knowledge.rs"));

/// One program.
#[derive(Debug)]
pub(crate) struct Program {
    /// The file's name.
    pub(crate) name: &'static str,
    /// What its file says.
    pub(crate) specification: &'static Specification,
}

/// What a file, or one subcommand in it, says.
#[derive(Debug)]
pub(crate) struct Specification {
    pub(crate) options: &'static [OptionSpecification],
    /// No option changes what the call does, listed or not.
    pub(crate) any_options: bool,
    pub(crate) operands: &'static [Operand],
    /// What every call does besides.
    pub(crate) effects: &'static [EffectSpecification],
    /// `[sub.x]`, sorted by spelling.
    pub(crate) subcommands: &'static [Subcommand],
    /// Paths of `[subs]` without `*`, sorted.
    pub(crate) exact: &'static [ShortSubcommand],
    /// Paths of `[subs]` with `*`, the most specific first.
    pub(crate) patterns: &'static [ShortSubcommand],
    /// What a call without a subcommand does.
    pub(crate) default: Option<&'static Specification>,
    /// The function in `programs` that reads the call instead of the table.
    pub(crate) handler: Option<&'static str>,
}

/// One line of `options`.
#[derive(Debug)]
pub(crate) struct OptionSpecification {
    /// Every spelling.
    pub(crate) names: &'static [&'static str],
    pub(crate) value: ValueForm,
    /// `+recursive`
    pub(crate) recursive: bool,
    /// `+stdin`
    pub(crate) standard_input: bool,
    /// `+rest`
    pub(crate) rest: bool,
    /// `+first`: the value stands in for the first operand.
    pub(crate) first: bool,
    /// `+last`: the value stands in for the last operand.
    pub(crate) last: bool,
    /// `+name`: a name stands before the value, as an argument of its own.
    pub(crate) named: bool,
    pub(crate) changes: &'static [Change],
}

/// How an option takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueForm {
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
pub(crate) enum Change {
    /// The option's own effect; its value is the target where it has a name-like role.
    Add(Kind),
    /// `!kind`
    Remove(Kind),
    /// `!*`
    RemoveAll,
    /// `nothing`
    Nothing,
}

/// One entry of `operands`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) role: Role,
    pub(crate) count: Count,
    /// `=> kind`
    pub(crate) effect: Option<Kind>,
}

/// How many words an operand stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    One,
    /// `?`
    Optional,
    /// `...`
    Some,
    /// `...?`
    Any,
}

/// One entry of `effects`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EffectSpecification {
    pub(crate) kind: Kind,
    /// A fixed target: a path for the kinds that have one, else a name.
    pub(crate) target: Option<&'static str>,
}

/// `[sub.x]` under one of its spellings.
#[derive(Debug)]
pub(crate) struct Subcommand {
    pub(crate) spelled: &'static str,
    pub(crate) name: &'static str,
    pub(crate) specification: &'static Specification,
}

/// An entry of `[subs]`.
#[derive(Debug)]
pub(crate) struct ShortSubcommand {
    /// Names with dots between them; a name may hold `*`.
    pub(crate) path: &'static str,
    /// Its effects; any options and operands.
    pub(crate) specification: &'static Specification,
}

/// What an operand or a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Text,
    Number,
    Name,
    Format,
    Read,
    Write,
    Append,
    Delete,
    Move,
    Link,
    Destroy,
    Permission,
    Ownership,
    Edit,
    Directory,
    Url,
    Host,
    Package,
    Branch,
    Resource,
    Service,
    Process,
    Container,
    Image,
    Command,
    Shell,
    Program,
    Script,
    Python,
    JavaScript,
    Perl,
    Ruby,
    Php,
    Awk,
    Sed,
    Sql,
    Variable,
    KeyValue,
}

impl Role {
    /// Is a word of this role the target of the call's effects?
    pub(crate) fn names_target(self) -> bool {
        matches!(
            self,
            Role::Package
                | Role::Branch
                | Role::Resource
                | Role::Service
                | Role::Process
                | Role::Container
                | Role::Image
        )
    }

    /// The file effects of a path of this role.
    pub(crate) fn file_effects(self) -> &'static [Kind] {
        match self {
            Role::Read => &[Kind::Read],
            Role::Write => &[Kind::Write],
            Role::Append => &[Kind::Append],
            Role::Delete => &[Kind::Delete],
            Role::Move => &[Kind::Move],
            Role::Link => &[Kind::Link],
            Role::Destroy => &[Kind::Destroy],
            Role::Permission => &[Kind::Permission],
            Role::Ownership => &[Kind::Ownership],
            Role::Edit => &[Kind::Read, Kind::Write],
            _ => &[],
        }
    }

    /// Does everything after the first word of this role belong to it, dashes or not?
    pub(crate) fn takes_the_rest(self) -> bool {
        matches!(self, Role::Command | Role::Script | Role::Shell)
    }
}

/// The program of that name: exactly, or without a version (`python3.12`, `gcc-12`) or the ending and the letter case
/// of another system (`git.exe`, `NPM.CMD`).
pub(crate) fn program(name: &str) -> Option<&'static Program> {
    exact_program(name).or_else(|| {
        let lower = name.to_ascii_lowercase();
        let foreign = [".exe", ".cmd", ".bat"].iter().find_map(|ending| lower.strip_suffix(ending));
        let name = foreign.unwrap_or(name);
        let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let unversioned = unversioned.strip_suffix('-').unwrap_or(unversioned);
        // `w1` is no version of `w`.
        exact_program(name).or_else(|| exact_program(unversioned).filter(|_| unversioned.len() > 1))
    })
}

fn exact_program(name: &str) -> Option<&'static Program> {
    let at = NAMES.binary_search_by(|(known, _)| known.cmp(&name)).ok()?;
    let (_, index) = NAMES.get(at)?;
    PROGRAMS.get(usize::from(*index))
}

/// Every program, by name.
#[cfg(test)]
pub(crate) fn programs() -> &'static [Program] {
    PROGRAMS
}

impl Specification {
    /// A specification that says nothing.
    pub(crate) const EMPTY: Specification = Specification {
        options: &[],
        any_options: false,
        operands: &[],
        effects: &[],
        subcommands: &[],
        exact: &[],
        patterns: &[],
        default: None,
        handler: None,
    };

    /// Does the file list subcommands here?
    pub(crate) fn has_subcommands(&self) -> bool {
        !(self.subcommands.is_empty() && self.exact.is_empty() && self.patterns.is_empty())
    }

    /// The `[sub.x]` of that spelling.
    pub(crate) fn subcommand(&self, spelled: &str) -> Option<&'static Subcommand> {
        let at = self.subcommands.binary_search_by(|sub| sub.spelled.cmp(spelled)).ok()?;
        self.subcommands.get(at)
    }

    /// Do the words only begin a path of `[subs]`?
    pub(crate) fn is_group(&self, words: &[&str]) -> bool {
        let begins = |path: &str| {
            let mut names = path.split('.');
            words.iter().all(|word| names.next().is_some_and(|name| matches_pattern(name, word)))
                && names.next().is_some()
        };
        !words.is_empty() && self.exact.iter().chain(self.patterns).any(|entry| begins(entry.path))
    }

    /// The entry of `[subs]` for the words, and how many of them it takes: the longest exact path, unless a pattern
    /// begins with that path and goes on, or goes on from one that does nothing. Of the patterns the first that fits;
    /// they are sorted.
    pub(crate) fn short_subcommand(&self, words: &[&str]) -> Option<(&'static ShortSubcommand, usize)> {
        let exact = (1..=words.len().min(MAXIMUM_PATH)).rev().find_map(|count| {
            let found = self.exact.binary_search_by(|entry| compare_path(entry.path, words, count));
            Some((self.exact.get(found.ok()?)?, count))
        });
        let exact_count = exact.map_or(0, |(_, count)| count);
        let harmless = exact.is_some_and(|(entry, _)| entry.specification.effects.is_empty());
        let pattern = self.patterns.iter().find_map(|entry| {
            let count = entry.path.split('.').count();
            let goes_on = harmless || entry.path.split('.').take(exact_count).all(|name| !name.contains('*'));
            let fits = goes_on
                && count > exact_count
                && words.len() >= count
                && entry.path.split('.').zip(words).all(|(pattern, word)| matches_pattern(pattern, word));
            fits.then_some((entry, count))
        });
        pattern.or(exact)
    }
}

/// The most names that a path of `[subs]` can have.
pub(crate) const MAXIMUM_PATH: usize = 7;

/// Compares a path with the first `count` words, as if these were joined with dots.
fn compare_path(path: &str, words: &[&str], count: usize) -> std::cmp::Ordering {
    let joined = words.iter().take(count).enumerate().flat_map(|(index, word)| {
        let dot: &[u8] = if index == 0 { b"" } else { b"." };
        dot.iter().chain(word.as_bytes())
    });
    path.as_bytes().iter().cmp(joined)
}

/// Does the name match a pattern with `*`?
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let Some((head, mut tail)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(head) else { return false };
    while let Some((piece, after)) = tail.split_once('*') {
        let Some((_, found)) = rest.split_once(piece) else { return false };
        (rest, tail) = (found, after);
    }
    rest.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_part_of_a_name() {
        assert!(matches_pattern("describe-*", "describe-instances"));
        assert!(matches_pattern("*-user", "delete-user"));
        assert!(!matches_pattern("describe-*", "delete-user"));
        assert!(matches_pattern("*", "anything"));
    }

    #[test]
    fn the_longest_exact_path_wins() {
        static EXACT: &[ShortSubcommand] = &[
            ShortSubcommand { path: "pr", specification: &Specification::EMPTY },
            ShortSubcommand { path: "pr.list", specification: &Specification::EMPTY },
        ];
        let specification = Specification { exact: EXACT, ..Specification::EMPTY };
        assert_eq!(specification.short_subcommand(&["pr", "list"]).map(|(_, count)| count), Some(2));
        assert_eq!(specification.short_subcommand(&["pr", "view"]).map(|(_, count)| count), Some(1));
        assert!(specification.short_subcommand(&["issue"]).is_none());
    }

    #[test]
    fn programs_and_names_are_sorted() {
        assert!(PROGRAMS.is_sorted_by(|a, b| a.name < b.name));
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
    }
}
