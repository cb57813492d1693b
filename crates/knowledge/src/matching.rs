//! Sorts a program's arguments by what its file says: options with their values, subcommands, operands.

use hookgate_shell::Span;

use crate::kind::Kind;
use crate::reader::{
    Count, MAXIMUM_PATH, Operand, OptionSpecification, Program, Specification, Unlisted, ValueForm,
};
use crate::role::Role;

/// A word of a command, as a program gets it: all of it may be known, or only a part.
pub trait Word: Clone {
    /// The text with its computed parts as they are written (`build-$X`).
    fn written(&self) -> &str;
    /// The text, if all of it is known.
    fn text(&self) -> Option<&str>;
    /// Is the text exactly this, and stands for nothing else?
    fn is(&self, text: &str) -> bool;
    /// What is left after the first `count` bytes: the value in `--name=value`.
    #[must_use]
    fn after(&self, count: usize) -> Self;
}

/// A call, with its arguments sorted by the knowledge base.
#[derive(Debug)]
pub struct Matched<'a, W> {
    /// The program's name in the knowledge base.
    pub program: &'a str,
    /// The subcommand path that was recognised, canonical names: `["stash", "drop"]`.
    pub subcommand: Vec<String>,
    /// What is known about that subcommand (about the program, where it has none).
    pub specification: Specification<'a>,
    /// The options of every level, in order.
    pub options: Vec<MatchedOption<'a, W>>,
    /// The words that are no options and no subcommands, `--` taken out.
    pub operands: Vec<W>,
    /// How many of `operands` came after `--`; 0 where there is no `--`.
    pub after_dashes: Option<usize>,
    /// Options and subcommands that the file does not list.
    pub unlisted: Vec<W>,
    /// Options of which the file says that they may exist, but not what they do.
    pub doubted: Vec<W>,
    /// Everything after the command word, as it came.
    pub arguments: &'a [W],
    /// The command word, as it will be.
    pub word: &'a W,
    /// The whole command in the event's text.
    pub span: Span,
    /// The handler that reads it.
    pub handler: Option<&'a str>,
}

/// An option that is there.
#[derive(Clone, Debug)]
pub struct MatchedOption<'a, W> {
    /// Its line in the file.
    pub specification: OptionSpecification<'a>,
    /// The spelling that was met, in full: `--recursive` for `--rec`.
    pub name: &'a str,
    /// Its value, if it has one here.
    pub value: Option<W>,
    /// The index of the option in [`Matched::arguments`].
    pub index: usize,
}

impl<'a, W> Matched<'a, W> {
    /// Is the option there, under any of its file's spellings?
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    /// Is it there as an option of the subcommand itself, not of a level above it? (`git -C DIR branch` is no
    /// `git branch -C`.)
    #[must_use]
    pub fn has_own(&self, name: &str) -> bool {
        self.options.iter().any(|option| {
            option.specification.is_named(name)
                && self.specification.options().any(|own| own == option.specification)
        })
    }

    /// The last use of the option, under any of its file's spellings.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&MatchedOption<'a, W>> {
        self.options.iter().rev().find(|option| option.specification.is_named(name))
    }

    /// The value of its last use.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&W> {
        self.option(name)?.value.as_ref()
    }

    /// The values of all its uses, in order.
    pub fn values<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s W> {
        self.options
            .iter()
            .filter(move |option| option.specification.is_named(name))
            .filter_map(|option| option.value.as_ref())
    }
}

/// Sorts the arguments.
pub fn match_call<'a, W: Word>(
    program: Program<'a>,
    word: &'a W,
    arguments: &'a [W],
    span: Span,
) -> Matched<'a, W> {
    let specification = program.specification();
    let mut matcher = Matcher {
        help: program.knowledge().help(),
        levels: vec![specification],
        call: Matched {
            program: program.name(),
            subcommand: Vec::new(),
            specification,
            options: Vec::new(),
            operands: Vec::new(),
            after_dashes: None,
            unlisted: Vec::new(),
            doubted: Vec::new(),
            arguments,
            word,
            span,
            handler: None,
        },
        only_operands: false,
        leading: Leading::default(),
        takes_the_rest: None,
        short: false,
        handler_level: specification,
        has_bare: None,
    };
    matcher.run(arguments);
    let mut call = matcher.call;
    last_one_wins(&mut call.options);
    if call.operands.is_empty()
        && call.specification.has_subcommands()
        && let Some(default) = call.specification.default()
    {
        call.specification = default;
    }
    call.handler = call.specification.handler().or(matcher.handler_level.handler());
    call
}

/// `--no-force` takes an earlier `--force` back, and the other way round.
fn last_one_wins<W: Word>(options: &mut Vec<MatchedOption<'_, W>>) {
    fn plain<'a, W>(option: &MatchedOption<'a, W>) -> Option<&'a str> {
        option.specification.names().find_map(|name| name.strip_prefix("--"))
    }
    fn negated(name: &str) -> &str {
        name.strip_prefix("--no-").unwrap_or_default()
    }
    if !options.iter().any(|option| option.name.starts_with("--no-")) {
        return;
    }
    let later = options.clone();
    let mut index = 0;
    options.retain(|option| {
        index += 1;
        let mut rest = later.iter().skip(index);
        let own = negated(option.name);
        if own.is_empty() {
            plain(option).is_none_or(|plain| !rest.any(|other| negated(other.name) == plain))
        } else {
            !rest.any(|other| plain(other) == Some(own))
        }
    });
}

struct Matcher<'a, W> {
    /// `--help` and `--version`, where the file does not list them.
    help: Option<OptionSpecification<'a>>,
    /// The specification of the program, then of each subcommand.
    levels: Vec<Specification<'a>>,
    call: Matched<'a, W>,
    /// After `--`, or after an operand that takes everything that is left.
    only_operands: bool,
    /// What the operands so far are, where one of them can take everything that is left.
    leading: Leading,
    /// Whether one of them can, beside so many options.
    takes_the_rest: Option<(usize, bool)>,
    /// The subcommand is an entry of `[subs]`.
    short: bool,
    /// The deepest level that has a handler.
    handler_level: Specification<'a>,
    /// Is an option listed that looks like an operand (`tar xf`, `dd of=`)? Nothing until the first operand asks.
    has_bare: Option<bool>,
}

/// An option and the spelling that was met.
type Found<'a> = (OptionSpecification<'a>, &'a str);

impl<'a, W: Word> Matcher<'a, W> {
    fn run(&mut self, arguments: &'a [W]) {
        let mut index = 0;
        while let Some(argument) = arguments.get(index) {
            index += if self.only_operands {
                self.call.operands.push(argument.clone());
                1
            } else {
                self.argument(argument, arguments, index)
            };
        }
    }

    /// Takes the argument; returns how many arguments that used up.
    fn argument(&mut self, argument: &'a W, arguments: &'a [W], index: usize) -> usize {
        if argument.is("--") && self.find_exact("--").is_none() {
            self.only_operands = true;
            self.call.after_dashes = Some(self.call.operands.len());
            return 1;
        }
        let dashed = is_dashed(argument) && argument.written().len() > 1;
        if dashed || argument.written().starts_with('+') || argument.written().contains('=') {
            if let Some(used) = self.option(argument, arguments.get(index + 1), index) {
                return self.past_name(used, arguments, index);
            }
        } else if let Some(option) = self.find_bare(argument) {
            return self.push(option, argument.clone(), None, arguments.get(index + 1), index);
        }
        if dashed {
            match self.unlisted() {
                Unlisted::Unknown => self.call.unlisted.push(argument.clone()),
                Unlisted::Doubt => self.call.doubted.push(argument.clone()),
                Unlisted::Operand => return self.operand(argument),
            }
            return 1;
        }
        if self.call.operands.is_empty() && self.call.specification.has_subcommands() {
            if let Some(used) = self.subcommand(argument, arguments, index) {
                return used;
            }
            if let Some(used) = self.group_help(arguments, index) {
                return used;
            }
            if !self.call.specification.has_operands() {
                self.call.unlisted.push(argument.clone());
                // What an unknown subcommand takes is not known either.
                self.call.operands.extend(arguments.iter().skip(index + 1).cloned());
                return arguments.len() - index;
            }
        }
        self.operand(argument)
    }

    /// What an option is that no level lists.
    fn unlisted(&self) -> Unlisted {
        match self.call.specification.unlisted() {
            Unlisted::Unknown => {
                self.call.specification.default().map_or(Unlisted::Unknown, Specification::unlisted)
            }
            unlisted => unlisted,
        }
    }

    fn operand(&mut self, argument: &W) -> usize {
        self.call.operands.push(argument.clone());
        if !self.only_operands && self.may_take_the_rest() {
            let listed = listed_operands(&self.call);
            self.only_operands =
                self.leading.role(listed, &self.call.operands).is_some_and(Role::takes_the_rest);
        }
        1
    }

    /// Is an operand listed that takes everything behind it? Most programs have none, and only options and subcommands change that.
    fn may_take_the_rest(&mut self) -> bool {
        let options = self.call.options.len();
        match self.takes_the_rest {
            Some((beside, takes)) if beside == options => takes,
            _ => {
                let takes = listed_operands(&self.call).iter().any(|operand| operand.role.takes_the_rest());
                self.takes_the_rest = Some((options, takes));
                takes
            }
        }
    }

    /// Where a name stands before the value of the option just taken, what was taken as the value is the name.
    fn past_name(&mut self, used: usize, arguments: &'a [W], index: usize) -> usize {
        match self.call.options.last_mut() {
            Some(option) if option.specification.named() => {
                option.value = arguments.get(index + used).cloned();
                used + 1
            }
            _ => used,
        }
    }

    /// `az vm --help`: names that only begin a path of `[subs]`, and a question about them that ends the call.
    fn group_help(&mut self, arguments: &'a [W], index: usize) -> Option<usize> {
        let (last, names) = arguments.get(index..)?.split_last()?;
        let asks = last.text().filter(|text| matches!(*text, "--help" | "-h"))?;
        let words: Vec<&str> = names.iter().map(|name| name.text()).collect::<Option<_>>()?;
        if !self.call.specification.is_group(&words) || self.find_exact(asks).is_some() {
            return None;
        }
        let option = self.help(asks)?;
        Some(self.push(option, last.clone(), None, None, index) + names.len())
    }

    fn subcommand(&mut self, argument: &'a W, arguments: &'a [W], index: usize) -> Option<usize> {
        let name = argument.text()?;
        if let Some(sub) = self.call.specification.subcommand(name) {
            self.enter(sub.name.to_owned(), sub.specification);
            return Some(1);
        }
        let mut words: [&str; MAXIMUM_PATH] = [""; MAXIMUM_PATH];
        let mut places: [usize; MAXIMUM_PATH] = [0; MAXIMUM_PATH];
        let mut found = 0;
        let mut is_value = false;
        let names = arguments.iter().enumerate().skip(index).map_while(|(at, field)| {
            if std::mem::take(&mut is_value) {
                return Some(None);
            }
            if !is_dashed(field) {
                return Some(Some((at, field)));
            }
            // The value of a general option is no name: `gcloud alpha --project acme storage rm`. Behind an option
            // that is not listed any word may be its value: `az group delete --name list`.
            let listed = self.find(field.written());
            is_value = listed.is_some_and(|(option, _)| matches!(option.value(), ValueForm::Required(_)));
            (listed.is_some() || field.written().contains('=') || self.help(field.written()).is_some())
                .then_some(None)
        });
        let following = names.flatten();
        for ((at, field), (word, place)) in following.zip(words.iter_mut().zip(places.iter_mut())) {
            let Some(text) = field.text().filter(|text| !text.is_empty()) else { break };
            (*word, *place) = (text, at);
            found += 1;
        }
        let (short, count) = self.call.specification.short_subcommand(words.get(..found)?)?;
        for word in words.iter().take(count) {
            self.call.subcommand.push((*word).to_owned());
        }
        // Options between the names of the path change nothing: an entry of [subs] accepts any.
        let last = places.get(count.saturating_sub(1)).copied().unwrap_or(index);
        self.call.specification = short.specification;
        self.takes_the_rest = None;
        self.levels.push(short.specification);
        self.has_bare = None;
        self.short = true;
        Some(last - index + 1)
    }

    fn enter(&mut self, name: String, specification: Specification<'a>) {
        self.call.subcommand.push(name);
        self.call.specification = specification;
        self.levels.push(specification);
        self.has_bare = None;
        self.takes_the_rest = None;
        if specification.handler().is_some() {
            self.handler_level = specification;
        }
    }

    /// Takes the argument as an option, if it is a listed one.
    fn option(&mut self, argument: &'a W, next: Option<&'a W>, index: usize) -> Option<usize> {
        let written = argument.written();
        if self.is_no_question(written, next, index) {
            return None;
        }
        if let Some((specification, name)) = self.find_exact(written) {
            return Some(self.push((specification, name), argument.clone(), None, next, index));
        }
        if let Some((name, _)) = written.split_once('=') {
            let found = self.find(name).or_else(|| self.find_prefix(name));
            if let Some((specification, name)) = found.filter(|(option, _)| option.value() != ValueForm::None)
            {
                let start = written.find('=').map_or(0, |at| at + 1);
                let value = Some(argument.after(start));
                return Some(self.push((specification, name), argument.clone(), value, next, index));
            }
        }
        if written.starts_with("--") {
            let found = self.find_prefix(written).or_else(|| self.help(written));
            let found = found.or_else(|| self.find(written))?;
            return Some(self.push(found, argument.clone(), None, next, index));
        }
        if let Some(found) = self.number(written) {
            return Some(self.push(found, argument.clone(), Some(argument.after(1)), next, index));
        }
        if written == "-h" && !self.call.subcommand.is_empty() {
            return Some(self.push(self.help(written)?, argument.clone(), None, next, index));
        }
        if let Some(used) = self.cluster(argument, next, index) {
            return Some(used);
        }
        let found = self.help(written)?;
        Some(self.push(found, argument.clone(), None, next, index))
    }

    /// Is it something else that only looks like a question for help or for the version? `-h` and `--version` may have
    /// a value where no file lists what they are (`gh auth token -h HOST`, `az ml model delete --version 3`), and behind
    /// an option that nobody listed any word may be its value.
    fn is_no_question(&self, written: &str, next: Option<&'a W>, index: usize) -> bool {
        if !matches!(written, "--help" | "--version" | "-h") {
            return false;
        }
        let own = self.call.specification.options().any(|option| option.is_named(written));
        let listed = if self.short { own } else { self.find_exact(written).is_some() };
        let behind = index.checked_sub(1).and_then(|before| self.call.arguments.get(before));
        let is_value = behind.is_some_and(|before| {
            is_dashed(before) && !before.written().contains('=') && self.find(before.written()).is_none()
        });
        let alone =
            written == "--help" || next.is_none() || self.call.subcommand.is_empty() && written != "-h";
        !listed && (!alone || self.short && is_value)
    }

    /// `-rf`, `-n5`, `-ofile`.
    fn cluster(&mut self, argument: &'a W, next: Option<&'a W>, index: usize) -> Option<usize> {
        let written = argument.written();
        let sign = written.chars().next().filter(|sign| matches!(sign, '-' | '+'))?;
        let mut taken: Vec<(OptionSpecification<'a>, &'a str, Option<W>)> = Vec::new();
        let mut used = 1;
        let mut doubted = false;
        let letters: Vec<(usize, char)> = written.char_indices().skip(1).collect();
        for &(at, letter) in &letters {
            let mut buffer = [0_u8; 8];
            let name = short_name(sign, letter, &mut buffer)?;
            let Some((specification, name)) = self.find_exact(name) else {
                // A letter that an entry of [subs] may have may take the rest for its value.
                if self.call.specification.unlisted() == Unlisted::Doubt && sign == '-' && !self.short {
                    doubted = true;
                    continue;
                }
                return None;
            };
            let end = at + letter.len_utf8();
            let rest = (end < written.len()).then(|| argument.after(end));
            match specification.value() {
                ValueForm::None => taken.push((specification, name, None)),
                ValueForm::Required(_) => {
                    let value = rest.or_else(|| {
                        used = 2;
                        next.cloned()
                    });
                    taken.push((specification, name, value));
                    break;
                }
                ValueForm::Optional(_) | ValueForm::Attached(_) => {
                    taken.push((specification, name, rest));
                    break;
                }
            }
        }
        if doubted {
            self.call.doubted.push(argument.clone());
        }
        for (specification, name, value) in taken {
            self.note(specification, name, value, index);
        }
        Some(used)
    }

    /// Notes an option that stands alone in its argument; returns how many arguments it used up.
    fn push(
        &mut self,
        (specification, name): Found<'a>,
        argument: W,
        value: Option<W>,
        next: Option<&'a W>,
        index: usize,
    ) -> usize {
        // One that stands for many may have no value.
        let has_none = specification.is_pattern() && next.is_none_or(is_dashed);
        let takes_next =
            value.is_none() && !has_none && matches!(specification.value(), ValueForm::Required(_));
        let value = if takes_next { next.cloned() } else { value };
        let used = if takes_next && next.is_some() { 2 } else { 1 };
        let missing = match specification.value() {
            ValueForm::Attached(_) => value.is_none(),
            // Behind it there is nothing, or what is no number: the call fails, or means something else.
            ValueForm::Required(role) => match value.as_ref() {
                // Of some options the value is optional where nothing follows.
                None => role != Role::Text,
                Some(value) => role == Role::Number && takes_next && value.text().is_some_and(is_plain_word),
            },
            _ => false,
        };
        if missing {
            self.call.unlisted.push(argument);
        }
        self.note(specification, name, value, index);
        used
    }

    fn note(
        &mut self,
        specification: OptionSpecification<'a>,
        name: &'a str,
        value: Option<W>,
        index: usize,
    ) {
        if specification.rest() {
            self.only_operands = true;
            self.call.after_dashes = self.call.after_dashes.or(Some(self.call.operands.len()));
        }
        self.call.options.push(MatchedOption { specification, name, value, index });
    }

    /// The option of exactly that spelling, in the innermost level that lists it.
    fn find_exact(&self, name: &str) -> Option<Found<'a>> {
        // An entry of [subs] may have options of its own that nobody listed: a letter may well be one of those. What
        // would write a file or run a program is taken at its word.
        let letter = self.short && name.len() == 2 && name.starts_with('-');
        let own = self.call.specification.options().filter(|_| letter);
        let above = self.listed().filter(|option| !letter || writes_or_runs(option.value()));
        own.chain(above).find_map(|option| option.spelling(name).map(|known| (option, known)))
    }

    /// The option of that spelling, which looks like an operand.
    fn find_bare(&mut self, argument: &W) -> Option<Found<'a>> {
        let has_bare =
            self.has_bare.unwrap_or_else(|| self.listed().any(OptionSpecification::is_spelled_without_sign));
        self.has_bare = Some(has_bare);
        if has_bare { argument.text().and_then(|_| self.find_exact(argument.written())) } else { None }
    }

    /// The option of that spelling, or the one that stands for all that look like it (`--*`).
    fn find(&self, name: &str) -> Option<Found<'a>> {
        self.find_exact(name).or_else(|| {
            let long = name.starts_with("--") && name.len() > 2;
            let mut patterns = self.listed().filter(|_| long);
            patterns.find_map(|option| option.pattern(name).map(|known| (option, known)))
        })
    }

    /// The option that a beginning of a long name stands for.
    fn find_prefix(&self, name: &str) -> Option<Found<'a>> {
        if !name.starts_with("--") || name.len() < 3 {
            return None;
        }
        // What the subcommand itself has is meant first.
        let own = self.call.specification.options();
        match abbreviated(own, name) {
            (Some(found), true) => Some(found),
            (Some(_), false) => None,
            (None, _) => match abbreviated(self.listed(), name) {
                (found, true) => found.filter(|_| name.len() > 3),
                _ => None,
            },
        }
    }

    /// The question for help or for the version.
    fn help(&self, written: &str) -> Option<Found<'a>> {
        let help = self.help?;
        help.spelling(written).map(|name| (help, name))
    }

    /// `-20`, listed as `-#`.
    fn number(&self, written: &str) -> Option<Found<'a>> {
        let digits = written.strip_prefix('-')?;
        let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if all { self.find_exact("-#") } else { None }
    }

    fn listed(&self) -> impl Iterator<Item = OptionSpecification<'a>> {
        // As long as no subcommand was met, the call may be the one without.
        let default = self.call.specification.default().map(Specification::options);
        default.into_iter().flatten().chain(self.levels.iter().rev().flat_map(|level| level.options()))
    }
}

/// The option that the name abbreviates, and whether it is the only one.
fn abbreviated<'a>(
    options: impl Iterator<Item = OptionSpecification<'a>>,
    name: &str,
) -> (Option<Found<'a>>, bool) {
    let mut found: Option<Found<'a>> = None;
    for option in options {
        if let Some(known) = option.beginning(name) {
            if found.is_some_and(|(other, _)| other != option) {
                return (found, false);
            }
            found = Some((option, known));
        }
    }
    (found, true)
}

/// Is an argument the beginning of more than one long option, in a program that would say so and stop?
#[must_use]
pub fn has_ambiguous<W: Word>(call: &Matched<'_, W>) -> bool {
    let plain = call.handler.is_none()
        && call.specification.unlisted() == Unlisted::Unknown
        && !call.specification.has_subcommands()
        && call.subcommand.is_empty();
    let is_ambiguous = |field: &W| {
        let written = field.written();
        let long = field.text().is_some() && written.len() > 3 && written.starts_with("--");
        long && !abbreviated(call.specification.options(), written).1
    };
    plain && call.unlisted.iter().any(is_ambiguous)
}

/// Does it begin with a dash, as far as can be seen?
fn is_dashed(word: &impl Word) -> bool {
    word.written().starts_with('-')
}

/// Does an option with that value write what it names, or run it?
fn writes_or_runs(value: ValueForm) -> bool {
    let (ValueForm::Required(role) | ValueForm::Optional(role) | ValueForm::Attached(role)) = value else {
        return false;
    };
    matches!(role, Role::Script | Role::Program | Role::Shell)
        || role.file_effects().iter().any(|kind| *kind != Kind::Read)
}

/// A word of letters that is no way to say how many.
fn is_plain_word(text: &str) -> bool {
    let letters = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    letters
        && !matches!(
            text,
            "auto" | "max" | "min" | "all" | "none" | "inf" | "infinity" | "unlimited" | "never"
        )
}

fn short_name(sign: char, letter: char, buffer: &mut [u8; 8]) -> Option<&str> {
    let length = letter.len_utf8() + 1;
    let (first, rest) = buffer.split_first_mut()?;
    *first = u8::try_from(sign).ok()?;
    letter.encode_utf8(rest);
    std::str::from_utf8(buffer.get(..length)?).ok()
}

/// The operands that the file lists for the call, without those that an option stands in for.
#[must_use]
pub fn listed_operands<W>(call: &Matched<'_, W>) -> Vec<Operand> {
    let mut operands = call.specification.operands();
    if call.options.iter().any(|option| option.specification.first()) && !operands.is_empty() {
        operands.remove(0);
    }
    if call.options.iter().any(|option| option.specification.last()) {
        operands.pop();
    }
    operands
}

/// The role of the last operand of a call, as far as the words before it decide that. There can be thousands, so each is looked at
/// once.
#[derive(Default)]
struct Leading {
    listed: Vec<Operand>,
    /// How many of the call's operands have been looked at.
    seen: usize,
    /// The listed operand that the next one can be.
    at: usize,
    role: Option<Role>,
}

impl Leading {
    fn role<W: Word>(&mut self, listed: Vec<Operand>, fields: &[W]) -> Option<Role> {
        if self.listed != listed {
            *self = Leading { listed, ..Leading::default() };
        }
        for field in fields.iter().skip(self.seen) {
            let is_variable = field.written().contains('=');
            let skipped = |operand: &&Operand| operand.role == Role::Variable && !is_variable;
            self.at += self.listed.iter().skip(self.at).take_while(skipped).count();
            let operand = self.listed.get(self.at);
            self.role = operand.map(|operand| operand.role);
            self.at += operand
                .map_or(0, |operand| usize::from(matches!(operand.count, Count::One | Count::Optional)));
        }
        self.seen = fields.len();
        self.role
    }
}

/// Which listed operand each operand of the call is; `None` for one beyond those that are listed.
///
/// Where a command is the last of several, what stands behind `--`, or behind an option that takes the rest, is the command
/// (`mise exec node -- npm test`, `nix develop .#x -c make`).
#[must_use]
pub fn assign_operands<W: Word>(call: &Matched<'_, W>) -> Vec<Option<Operand>> {
    let listed = listed_operands(call);
    let command = listed.split_last().filter(|(last, _)| matches!(last.role, Role::Command | Role::Shell));
    let parts = call.after_dashes.and_then(|dashes| call.operands.split_at_checked(dashes));
    let (Some((last, before)), Some((fields, behind))) =
        (command, parts.filter(|(_, behind)| !behind.is_empty()))
    else {
        return assign(&listed, &call.operands);
    };
    let mut roles = assign(before, fields);
    roles.extend(behind.iter().map(|_| Some(*last)));
    roles
}

/// Which operand each of the fields is; `None` for a field beyond those that are listed.
fn assign<W: Word>(operands: &[Operand], fields: &[W]) -> Vec<Option<Operand>> {
    let mut roles: Vec<Option<Operand>> = vec![None; fields.len()];
    let mut front = operands.iter();
    let mut at = 0;
    while let Some(operand) = front.as_slice().first() {
        let variable = operand.role == Role::Variable;
        match operand.count {
            Count::Some | Count::Any if variable => {
                front.next();
                while fields.get(at).is_some_and(|field| field.written().contains('=')) {
                    if let Some(role) = roles.get_mut(at) {
                        *role = Some(*operand);
                    }
                    at += 1;
                }
            }
            _ if operand.role.takes_the_rest() && operand.role != Role::Script => {
                for role in roles.iter_mut().skip(at) {
                    *role = Some(*operand);
                }
                return roles;
            }
            Count::Some | Count::Any => {
                front.next();
                // What stands behind the repeating one is counted from the end.
                let behind = front.as_slice();
                let left = fields.len().saturating_sub(at);
                let required = behind.iter().filter(|other| other.count == Count::One).count();
                let after = behind.len().min(left.saturating_sub(1)).max(required.min(left));
                let middle = left.saturating_sub(after);
                for role in roles.iter_mut().skip(at).take(middle) {
                    *role = Some(*operand);
                }
                for (role, other) in roles.iter_mut().skip(at + middle).zip(behind) {
                    *role = Some(*other);
                }
                return roles;
            }
            Count::One | Count::Optional => {
                front.next();
                // An optional one gives way to the required ones behind it.
                let left = fields.len().saturating_sub(at);
                let required =
                    front.as_slice().iter().filter(|other| matches!(other.count, Count::One | Count::Some));
                if operand.count == Count::Optional && left <= required.count() {
                    continue;
                }
                if let Some(role) = roles.get_mut(at) {
                    *role = Some(*operand);
                }
                at += 1;
            }
        }
    }
    roles
}
