//! What the names in a path say: `knowledge/paths/known.toml`, looked up by the components of the path.

use std::cell::RefCell;
use std::sync::OnceLock;

use hookgate_knowledge::{Table, shipped};

/// The most components of a place in the table.
const LONGEST: usize = 4;

/// What the names in a path say it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// The directory of secrets that it is, or lies in.
    pub(super) secret_directory: Option<&'static str>,
    pub(super) secret: bool,
    /// It lies among secrets, and is none.
    pub(super) public: bool,
    pub(super) startup: bool,
    pub(super) agent: bool,
    /// An agent loads it.
    pub(super) loads: bool,
    pub(super) gate: bool,
    pub(super) git_hook: bool,
    /// A program reads or runs it when it starts.
    pub(super) settings: bool,
    /// Where the name of the repository's own directory ends that it lies in.
    pub(super) repository: Option<usize>,
}

/// Tables, each looked for when it is first asked.
macro_rules! tables {
    ($($(#[$about:meta])* $name:ident = $table:literal;)*) => {$(
        $(#[$about])*
        pub(super) fn $name() -> Table<'static> {
            static TABLE: OnceLock<Table<'static>> = OnceLock::new();
            *TABLE.get_or_init(|| shipped().table($table))
        }
    )*};
}

tables! {
    /// The places.
    places = "paths/known/places";
    /// The names of files.
    names = "paths/known/names";
    /// Directories of programs.
    programs = "paths/kinds/programs";
    /// The same, below a home directory.
    home_programs = "paths/kinds/home-programs";
    /// What is hidden in a home directory and holds no settings.
    home_data = "paths/kinds/home-data";
    /// Endings of files that hold keys.
    keys = "paths/kinds/keys";
    /// Directories that hold keys, by name.
    key_directories = "paths/kinds/key-directories";
    /// Endings of `.env` files that are there to be shared.
    shared_environments = "paths/kinds/shared-environments";
}

/// What the components of a path have said so far.
#[derive(Clone, Copy, Debug, Default)]
struct Walk {
    known: Known,
    /// Where the last components begin that a place may begin with, the last one first.
    starts: [Option<usize>; LONGEST],
}

thread_local! {
    /// The last directory, and what it says: the paths of one call mostly lie in the same one.
    static LAST: RefCell<(String, Walk)> = RefCell::default();
}

impl Walk {
    /// Down to the directory that a path lies in, which is its first so many bytes.
    fn to(path: &str, length: usize) -> Walk {
        let directory = path.get(..length).unwrap_or_default();
        LAST.with_borrow_mut(|(last, walk)| {
            if last != directory {
                *walk = Walk::default();
                let mut start = 0;
                while let Some(after) = directory.get(start + 1..) {
                    let length = after.bytes().position(|byte| byte == b'/').unwrap_or(after.len());
                    let end = start + 1 + length;
                    walk.step(path, start, end, false);
                    start = end;
                }
                last.clear();
                last.push_str(directory);
            }
            *walk
        })
    }

    /// Takes the component from `start`, its slash, to `end`.
    fn step(&mut self, path: &str, start: usize, end: usize, is_last: bool) {
        let places = places();
        self.starts.rotate_right(1);
        if let Some(first) = self.starts.first_mut() {
            // With most names no place begins; and of the last one only the place itself is looked for.
            let begins = is_last
                || path.get(start..=end).is_some_and(|name| places.has_beginning(name))
                || path.get(start..end).is_some_and(|name| places.contains(name));
            *first = begins.then_some(start);
        }
        if !is_last && self.known.repository.is_none() && path.get(start..end) == Some("/.git") {
            self.known.repository = Some(end);
        }
        for start in self.starts.iter().flatten() {
            let Some(row) = path.get(*start..end).and_then(|place| places.find(place)) else { continue };
            let how = row.cell(1).unwrap_or_default();
            let holds = match how {
                "below" => true,
                "inside" => !is_last,
                "root" => *start == 0,
                _ => is_last,
            };
            if holds {
                self.known.add(row.cell(0).unwrap_or_default(), how, row.key());
            }
        }
    }
}

impl Known {
    /// Of an absolute path in lower case.
    pub(super) fn of(lower: &str) -> Known {
        let blanks = lower.contains(' ').then(|| lower.replace(' ', "_"));
        let path = blanks.as_deref().unwrap_or(lower);
        let (slash, name) = match super::last_slash(path) {
            Some(slash) => (slash, path.get(slash + 1..).unwrap_or_default()),
            None => (0, path),
        };
        let mut walk = Walk::to(path, slash);
        walk.step(path, slash, path.len(), true);
        let mut known = walk.known;
        if let Some(row) = names().find(name) {
            known.add(row.cell(0).unwrap_or_default(), "", row.key());
        }
        known
    }

    fn add(&mut self, what: &str, how: &str, place: &'static str) {
        match what {
            "secret" if how.is_empty() => self.secret = true,
            "secret" => self.secret_directory = self.secret_directory.or(Some(place)),
            "public" => self.public = true,
            "startup" => self.startup = true,
            "agent" => self.agent = true,
            "loads" => self.loads = true,
            "gate" => self.gate = true,
            "git-hook" => self.git_hook = true,
            "settings" => self.settings = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_can_be_found_and_says_something() {
        for row in places().rows() {
            assert!(row.key().matches('/').count() <= LONGEST && row.key().starts_with('/'), "{}", row.key());
            let known = Known::of(&format!("{}/x", row.key()));
            let end = Known::of(row.key());
            let says = |known: Known| {
                known.secret_directory.is_some()
                    || known.secret
                    || known.public
                    || known.startup
                    || known.agent
                    || known.loads
                    || known.gate
                    || known.git_hook
                    || known.settings
            };
            assert!(says(known) || says(end), "{}", row.key());
        }
        assert!(names().rows().all(|row| row.cells().count() == 1));
    }

    #[test]
    fn what_lies_on_the_way_counts() {
        assert_eq!(Known::of("/home/x/.ssh/keys/id").secret_directory, Some("/.ssh"));
        assert!(Known::of("/x/.aws/credentials").secret);
        assert!(!Known::of("/x/.aws/credentials/y").secret);
        assert!(Known::of("/x/.config/fish/y").startup && !Known::of("/x/.config/fish").startup);
        assert!(Known::of("/etc/cron.d/y").startup && !Known::of("/x/etc/cron.d/y").startup);
        assert!(Known::of("/x/application support/firefox/y").secret_directory.is_some());
    }
}
