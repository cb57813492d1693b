//! What the client's permission rules know of programs: the rows of `knowledge/clients/claude-code.toml`.

use hookgate_knowledge::{Row, Table, shipped};

/// A table of what is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    /// What a program does with its operands, and whether it runs without a rule.
    Programs,
    /// Options that make the client want an approval.
    ChangingOptions,
    /// Options that make operands files that are changed.
    InPlaceOptions,
    /// Programs that run what stands behind them.
    Wrappers,
}

impl Known {
    fn table(self) -> Table<'static> {
        shipped().table(match self {
            Known::Programs => "clients/claude-code/programs",
            Known::ChangingOptions => "clients/claude-code/changing-options",
            Known::InPlaceOptions => "clients/claude-code/in-place-options",
            Known::Wrappers => "clients/claude-code/wrappers",
        })
    }
}

/// Does a table say this of the program?
pub(crate) fn says(known: Known, program: &str, what: &str) -> bool {
    known.table().find(program).is_some_and(|row| row.cells().any(|cell| cell == what))
}

/// Does the table of subcommands say this of one?
pub(crate) fn says_of(program: &str, subcommand: &str, what: &str) -> bool {
    let row = shipped().table("clients/claude-code/subcommands").find(&format!("{program}:{subcommand}"));
    row.is_some_and(|row| row.cells().any(|cell| cell == what))
}

/// Is one of the arguments an option that a table has for the program?
pub(crate) fn has_option(known: Known, program: &str, arguments: &[String]) -> bool {
    let Some(row) = known.table().find(program) else { return false };
    arguments.iter().any(|argument| row.cells().any(|cell| fits(cell, argument)))
}

fn fits(cell: &str, argument: &str) -> bool {
    match cell.strip_suffix('*') {
        Some(start) => argument.starts_with(start),
        None => argument == cell,
    }
}

/// Are these arguments of a harmless program, or of a subcommand of one (`git:log`), known to leave it harmless?
pub(crate) fn stays_harmless(program: &str, arguments: &[String]) -> bool {
    let Some(row) = shipped().table("clients/claude-code/harmless-options").find(program) else {
        return true;
    };
    let is_number = |argument: &str| argument.get(1..).is_some_and(|rest| rest.parse::<u32>().is_ok());
    let is_known = |argument: &String| {
        row.cells().any(|cell| if cell == "-#" { is_number(argument) } else { fits(cell, argument) })
    };
    let options = arguments.iter().take_while(|argument| *argument != "--");
    options.filter(|argument| argument.starts_with('-') && argument.len() > 1).all(is_known)
}

/// A program that runs the command behind it.
#[derive(Clone, Copy)]
pub(crate) struct Wrapper(Row<'static>);

impl Wrapper {
    /// The wrapper of that name.
    pub(crate) fn of(program: &str) -> Option<Wrapper> {
        Known::Wrappers.table().find(program).map(Wrapper)
    }

    /// Does its row say so?
    pub(crate) fn is(self, what: &str) -> bool {
        self.0.cells().any(|cell| cell == what)
    }

    /// Does this option of it take the next word? `None` for options behind which the client was not seen to look.
    pub(crate) fn takes_value(self, option: &str) -> Option<bool> {
        let options = shipped().table("clients/claude-code/wrapper-options").find(self.0.key())?;
        if options.cells().any(|cell| cell.strip_suffix('=') == Some(option)) {
            return Some(true);
        }
        let is_alone = |cell: &str| match cell.strip_suffix('*') {
            Some(start) => option.starts_with(start),
            None => option == cell,
        };
        options.cells().any(is_alone).then_some(false)
    }
}
