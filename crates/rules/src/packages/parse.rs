//! A call of a package manager, read by its table.

use hookgate_policy::PackageManager;

use super::dialect::{self, Dialect, Flag, Verb};
use super::words::Word;

/// What a call says.
#[derive(Clone, Debug)]
pub(super) struct Parsed {
    pub(super) manager: PackageManager,
    /// What it wants; `None` where no table lists it.
    pub(super) verb: Option<Verb>,
    /// Its subcommand, as it is called.
    pub(super) subcommand: String,
    pub(super) flags: Vec<(Flag, Option<Word>)>,
    /// Options that no table lists.
    pub(super) unknown: Vec<Word>,
    pub(super) operands: Vec<Word>,
    /// The arguments of what it runs.
    pub(super) tail: Vec<Word>,
    /// It only asks for help or a version.
    pub(super) asks: bool,
}

impl Parsed {
    pub(super) fn has(&self, flag: Flag) -> bool {
        self.flags.iter().any(|(own, _)| *own == flag)
    }

    pub(super) fn take(&mut self, flag: Flag) -> bool {
        let count = self.flags.len();
        self.flags.retain(|(own, _)| *own != flag);
        self.flags.len() < count
    }

    /// The subcommand and what follows it, options left out.
    pub(super) fn plain_words(&self) -> impl Iterator<Item = &str> {
        let subcommand = self.subcommand.split(' ').filter(|word| !word.is_empty());
        subcommand.chain(self.operands.iter().chain(&self.tail).map(Word::text))
    }
}

/// Reads the arguments of a manager.
pub(super) fn parse(manager: PackageManager, words: Vec<Word>) -> Parsed {
    let dialect = dialect::of(manager);
    let mut parsed = Parsed {
        manager,
        verb: None,
        subcommand: String::new(),
        flags: Vec::new(),
        unknown: Vec::new(),
        operands: Vec::new(),
        tail: Vec::new(),
        asks: false,
    };
    let alone = words.len() == 1;
    let mut words = words.into_iter().peekable();
    let mut found = false;
    while let Some(word) = words.next() {
        let text = word.text().to_owned();
        let carries = parsed.verb.is_some_and(Verb::carries);
        // npm reads its options wherever they stand, up to `--`; others only before what they run.
        let behind = carries && manager != PackageManager::Npm || parsed.verb.is_some_and(runs_words);
        let has_name = !parsed.operands.is_empty() || matches!(parsed.verb, Some(Verb::Test | Verb::Start));
        if found && behind && has_name {
            parsed.tail.push(word);
            parsed.tail.extend(words.by_ref());
        } else if text == "--" {
            let rest = words.by_ref();
            if carries && has_name {
                parsed.tail.extend(rest);
            } else if carries {
                parsed.operands.extend(rest.by_ref().take(1));
                parsed.tail.extend(rest);
            } else {
                parsed.operands.extend(rest);
            }
        } else if text.starts_with('-') && text.len() > 1 {
            let help = matches!(text.as_str(), "--help" | "-h" | "--version" | "-V");
            if help || (text == "-v" && alone) {
                parsed.asks = true;
            } else {
                let next = words.peek().cloned();
                if option(dialect, &word, next.as_ref(), &mut parsed) {
                    words.next();
                }
            }
        } else if found {
            parsed.operands.push(word);
        } else if manager == PackageManager::Yarn && text == "global" {
            parsed.flags.push((Flag::Global, None));
        } else if manager == PackageManager::Yarn && text == "workspace" {
            parsed.flags.push((Flag::Workspace, words.next()));
        } else {
            found = true;
            let pair = words.peek().map(|next| format!("{text}_{}", next.text()));
            if let Some(verb) = pair.as_deref().and_then(|pair| dialect.verb(pair)) {
                parsed.verb = Some(verb);
                parsed.subcommand = pair.unwrap_or_default().replace('_', " ");
                words.next();
            } else {
                parsed.verb = dialect.verb(&text);
                let is_script =
                    !text.is_empty() && !dialect.others.is_empty() && !dialect.others.contains(&text);
                if parsed.verb.is_none() && is_script {
                    parsed.verb = Some(if is_file(&text) { Verb::Itself } else { Verb::Run });
                    parsed.operands.push(word);
                } else {
                    parsed.subcommand = text;
                }
            }
        }
    }
    if !found {
        parsed.verb = Some(if manager == PackageManager::Yarn { Verb::Sync } else { Verb::Itself });
    }
    settle(manager, &mut parsed);
    parsed
}

/// Does it run the words behind it, so that not even npm looks for options among them?
fn runs_words(verb: Verb) -> bool {
    matches!(verb, Verb::Execute | Verb::ExecuteLocal | Verb::Fetch)
}

fn is_file(text: &str) -> bool {
    text.contains('/')
        || text.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "ts" | "js" | "tsx" | "mjs"))
}

/// What the subcommand, its options and its operands mean together.
fn settle(manager: PackageManager, parsed: &mut Parsed) {
    let several = !parsed.operands.is_empty();
    let from_list = parsed.has(Flag::Requirements) || parsed.has(Flag::Editable);
    parsed.verb = parsed.verb.map(|verb| match verb {
        Verb::Sync if several || (from_list && manager == PackageManager::Pipenv) => Verb::Add,
        Verb::Sync if parsed.take(Flag::Locked) => Verb::Frozen,
        Verb::List if parsed.take(Flag::Tree) => Verb::Tree,
        Verb::List if several && manager == PackageManager::Poetry => Verb::Show,
        Verb::Init if several && manager.ecosystem() == hookgate_policy::Ecosystem::JavaScript => {
            Verb::Create
        }
        Verb::Run
            if manager == PackageManager::Bun
                && parsed.operands.first().is_some_and(|word| is_file(word.text())) =>
        {
            Verb::Itself
        }
        verb => verb,
    });
    for (flag, value) in &mut parsed.flags {
        let value_is = |name: &str| value.as_ref().is_some_and(|word| word.text() == name);
        match flag {
            Flag::Only if value_is("main") => (*flag, *value) = (Flag::Production, None),
            Flag::Without if value_is("dev") => (*flag, *value) = (Flag::Production, None),
            Flag::Group if value_is("dev") || value_is("dev-packages") => (*flag, *value) = (Flag::Dev, None),
            _ => {}
        }
    }
    if parsed.verb.is_some_and(Verb::carries) && parsed.operands.len() > 1 {
        let tail = parsed.operands.split_off(1);
        parsed.tail.splice(0..0, tail);
    }
    if matches!(parsed.verb, Some(Verb::Test | Verb::Start)) {
        let operands = std::mem::take(&mut parsed.operands);
        parsed.tail.splice(0..0, operands);
    }
}

/// Notes an option. Says whether the next word is its value.
fn option(dialect: Dialect, word: &Word, next: Option<&Word>, parsed: &mut Parsed) -> bool {
    let text = word.text();
    if let Some(found) = dialect.flag(text) {
        let takes = found.takes_value() && next.is_some();
        parsed.flags.push((found, next.filter(|_| takes).cloned()));
        return takes;
    }
    if let (Some((name, _)), Some(value)) = (text.split_once('='), word.value())
        && let Some(found) = dialect.flag(name)
    {
        parsed.flags.push((found, Some(value).filter(|_| found.takes_value())));
        return false;
    }
    // `-DE` is `-D -E`, `-rlist.txt` is `-r list.txt`.
    if !text.starts_with("--")
        && let Some((first, rest)) = text.split_at_checked(2)
        && !rest.is_empty()
    {
        if let Some(found) = dialect.flag(first).filter(|found| found.takes_value()) {
            parsed.flags.push((found, Some(Word::plain(rest))));
            return false;
        }
        let letters: Option<Vec<Flag>> = text
            .chars()
            .skip(1)
            .map(|letter| dialect.flag(&format!("-{letter}")).filter(|found| !found.takes_value()))
            .collect();
        if let Some(letters) = letters {
            parsed.flags.extend(letters.into_iter().map(|found| (found, None)));
            return false;
        }
    }
    parsed.unknown.push(word.clone());
    false
}
