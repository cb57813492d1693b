//! How much one event may cost, and what is left of it.
//!
//! A bound cuts the smallest thing that goes beyond it: what is behind goes on. So a command of the text itself that
//! stands behind one that used everything up is still looked at, with a small allowance of its own.

use std::cell::Cell;

use crate::effect::{Effect, Kind, Place, Target, Traits};
use hookgate_shell::Limits;

/// How deep commands may carry commands.
pub(crate) const MAXIMUM_DEPTH: u32 = 24;
/// How many commands one event may run, loops and functions unrolled.
pub(crate) const MAXIMUM_CALLS: u32 = 4_000;
/// How many words the commands of one event may have.
pub(crate) const MAXIMUM_WORDS: usize = 40_000;
/// How many statements one event may run, those of loops again for each value.
pub(crate) const MAXIMUM_STATEMENTS: u32 = 40_000;
/// How many bytes of variables and substitutions one event may put into its words.
pub(crate) const MAXIMUM_TEXT: usize = 2 << 20;
/// How many bytes the texts have together that carry one another: each is held, several times over, until the innermost
/// has been read.
pub(crate) const MAXIMUM_HELD: usize = 400 << 10;
/// How many bytes of program texts one event may have read, those of functions again for each call.
const MAXIMUM_CODE: usize = 2 << 20;
/// How many times as fast a shell's text is read as one in another language.
const SHELL_IS_FASTER: usize = 8;
/// How many variables one call may be given.
pub(crate) const MAXIMUM_VARIABLES: usize = 512;
/// How many effects are kept.
pub(crate) const MAXIMUM_EFFECTS: usize = 8_000;
/// How many more are kept of each kind in each place.
const MAXIMUM_ALIKE: u32 = 32;
/// How many files one event may open.
const MAXIMUM_FILES: u32 = 24;
/// How many files that the text wrote are run along with the project's code.
pub(crate) const MAXIMUM_WRITTEN: u32 = 64;
/// How many names are looked at in all of the folders that a text copies or moves.
const MAXIMUM_LISTED: usize = 4_096;

/// What a statement has where nothing is left but the reserve: commands, words, statements.
const ALLOWANCE: (u32, usize, u32) = (32, 1_024, 256);
/// What all of them have together.
const RESERVE: (u32, usize, u32) = (24_000, 160_000, 48_000);

/// How many words are kept of a call for which none are left.
const LEAST_WORDS: usize = 8;
/// The least that is read of a text at once, however deep it lies.
const LEAST_NODES: usize = 500;

/// The limits of a text that so many others carry. Their trees are all held until the innermost has been read, so each
/// may have a quarter of what the one around it has. What is longer is read in pieces.
pub(crate) fn limits_at(depth: u32) -> Limits {
    let whole = Limits::default();
    Limits { nodes: whole.nodes.checked_shr(2 * depth).unwrap_or_default().max(LEAST_NODES), ..whole }
}

/// A kind of effect in a place.
type Sort = (Kind, Option<(Place, Traits)>);

/// What is left of the bounds on one event.
pub(crate) struct Left {
    /// Commands that may run.
    pub(crate) calls: u32,
    /// Words that those commands may have.
    pub(crate) words: usize,
    /// Statements that may run.
    pub(crate) statements: u32,
    /// Bytes of variables and substitutions that may be put into words.
    pub(crate) text: Cell<usize>,
    /// Bytes of the shell's texts that are being read, one inside of the other.
    pub(crate) held: usize,
    /// Files of the machine that may be opened to look inside.
    pub(crate) files: u32,
    /// Files that the text wrote and that may be run along with the project's code.
    pub(crate) written: u32,
    /// Names in folders that are copied or moved.
    pub(crate) listed: Cell<usize>,
    /// Something was cut, and what stands behind it in the same text hasn't been looked at.
    pub(crate) cut: bool,
    /// Something lives on the reserve, and it has been said that not everything is followed.
    pub(crate) drawn: bool,
    /// Bytes of program texts that may be read.
    code: usize,
    /// For statements that stand behind one that was cut.
    reserve: (u32, usize, u32),
    /// Effects beyond those that are kept: how many there were of a kind in a place.
    alike: Vec<(Sort, u32)>,
}

impl Left {
    /// All of it.
    pub(crate) fn whole() -> Left {
        Left {
            calls: MAXIMUM_CALLS,
            words: MAXIMUM_WORDS,
            statements: MAXIMUM_STATEMENTS,
            text: Cell::new(MAXIMUM_TEXT),
            held: 0,
            files: MAXIMUM_FILES,
            written: MAXIMUM_WRITTEN,
            listed: Cell::new(MAXIMUM_LISTED),
            cut: false,
            drawn: false,
            code: MAXIMUM_CODE,
            reserve: RESERVE,
            alike: Vec::new(),
        }
    }

    /// Nothing more may run.
    pub(crate) fn is_used_up(&self) -> bool {
        self.calls == 0 || self.statements == 0
    }

    /// A statement of the text itself gets its allowance from the reserve. Is there any?
    pub(crate) fn draw(&mut self) -> bool {
        let calls = ALLOWANCE.0.saturating_sub(self.calls).min(self.reserve.0);
        let words = ALLOWANCE.1.saturating_sub(self.words).min(self.reserve.1);
        let statements = ALLOWANCE.2.saturating_sub(self.statements).min(self.reserve.2);
        self.calls += calls;
        self.words += words;
        self.statements += statements;
        self.reserve = (self.reserve.0 - calls, self.reserve.1 - words, self.reserve.2 - statements);
        !self.is_used_up()
    }

    /// Takes the words of a call that is noted, which are held until the event has been judged: from the reserve too, where
    /// there are not enough. How many of them may be kept?
    pub(crate) fn take_words(&mut self, count: usize) -> usize {
        if let Some(left) = self.words.checked_sub(count) {
            self.words = left;
            return count;
        }
        // A command of many words that carries itself has them once more at each level.
        self.calls = 0;
        let beyond = (count - self.words).min(self.reserve.1);
        self.reserve.1 -= beyond;
        (std::mem::take(&mut self.words) + beyond).max(LEAST_WORDS)
    }

    /// Takes the bytes of a program text. May it be read?
    pub(crate) fn read(&mut self, bytes: usize) -> bool {
        let left = self.code.checked_sub(bytes);
        self.code = left.unwrap_or(self.code);
        left.is_some()
    }

    /// The same for a text of a shell.
    pub(crate) fn read_shell(&mut self, bytes: usize) -> bool {
        self.read(bytes / SHELL_IS_FASTER)
    }

    /// Is the effect kept though there are as many as are kept? So are some of each kind in each place.
    pub(crate) fn keeps(&mut self, effect: &Effect) -> bool {
        let place = match &effect.target {
            Some(Target::Path(path)) => Some((path.place, path.traits)),
            _ => None,
        };
        let sort = (effect.kind, place);
        match self.alike.iter_mut().find(|(known, _)| *known == sort) {
            Some((_, count)) => {
                *count += 1;
                *count <= MAXIMUM_ALIKE
            }
            None => {
                self.alike.push((sort, 1));
                true
            }
        }
    }
}
