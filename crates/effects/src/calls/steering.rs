//! Variables that decide what else a program runs, or which files and machines it trusts.

use super::reach::is_scoped;
use crate::context::Context;
use crate::effect::{Kind, Place, Target};
use crate::field::Field;
use crate::knowledge::{self, Facet};
use crate::paths;
use crate::scope::Lasts;
use crate::world::Places;
use hookgate_knowledge::Row;

/// Directories of a search path beyond so many are not looked at.
const MOST_SEARCHED: usize = 64;

impl Context<'_> {
    /// Notes what a variable makes later programs do.
    pub(crate) fn hijack(&mut self, name: &str, value: &Field, lasts: Lasts) {
        self.options_in(name, value);
        let hijacks = self.hijacks(name, value, lasts);
        // A number, or a word that switches it on, is no file.
        if adds_to_file(name) && value.shown().contains('/') {
            self.possibly(|context| context.path(Kind::Append, value));
        }
        let target = Some(Target::Name(name.to_owned()));
        if hijacks && lasts == Lasts::ForCall && is_scoped(name) {
            self.defer(name, value);
            self.possibly(|context| context.push(Kind::Hijack, target, false, value.span));
        } else if hijacks {
            if names_command(name) && value.text.is_some() {
                self.possibly(|context| context.run_shell(value));
            }
            self.push(Kind::Hijack, target, false, value.span);
        } else {
            let builds = is_listed("make-commands", name)
                && value.shown().contains([' ', ';', '|', '&', '$', '`', '/']);
            if value.text.is_some() && (builds || may_name_command(name)) {
                self.possibly(|context| context.run_shell(value));
            }
            if steers(name, value, self.places()) {
                // Nothing says that harm is meant, but what later programs do is no longer known.
                self.possibly(|context| context.push(Kind::Hijack, target, false, value.span));
            }
        }
    }

    /// The directories of a search path that aren't computed.
    pub(crate) fn known_directories(&self, list: &Field) -> Vec<String> {
        let parts = list.text().unwrap_or(&list.written).split(':').filter(|part| !part.contains(['$', '`']));
        parts.take(MOST_SEARCHED).filter_map(|part| paths::absolute(part, self.directory())).collect()
    }

    /// What the options do that a variable holds for a program: they are judged in a call of it that does nothing else.
    fn options_in(&mut self, name: &str, value: &Field) {
        let row = hookgate_knowledge::shipped().table("commands/variables/options").find(name);
        let (Some(row), Some(text)) = (row, value.text()) else { return };
        let field = |word: &str| Field::of(word, value.span);
        let mut cells = row.cells().map(field);
        let program = cells.next();
        let words: Vec<Field> =
            program.into_iter().chain(text.split_whitespace().map(field)).chain(cells).collect();
        if text.contains('=') || text.contains(' ') {
            self.possibly(|context| context.run_command(&words));
        }
    }

    /// Does the variable, so set, make programs run other code for certain?
    fn hijacks(&self, name: &str, value: &Field, lasts: Lasts) -> bool {
        let text = value.text();
        match name {
            _ if is_listed("loads-code", name) => {
                !text.is_some_and(|text| is_value("loads-nothing", text))
                    && (name != "ENV" || text.is_none_or(|text| text.contains('/')))
                    && (name != "JAVA_TOOL_OPTIONS"
                        || text.is_none_or(|text| text.contains("-javaagent") || text.contains("-agent")))
            }
            // Old shells run what follows a function in a variable.
            _ if text.is_some_and(|text| text.starts_with("() {")) => true,
            "NODE_OPTIONS" => text.is_none_or(loads_a_path),
            "RUBYOPT" => text.is_none_or(|text| text.split_whitespace().any(|flag| flag.starts_with("-r"))),
            "PATH" => self.path_hijack(value),
            "SHELL" => text.is_some_and(|text| !is_shell(paths::file_name(text))),
            "LD_LIBRARY_PATH" => self.library_hijack(value),
            "ZDOTDIR" => {
                lasts == Lasts::ForCall
                    && text.is_none_or(|text| !text.is_empty() && text != self.places().home)
            }
            // How the program is called that connects: other programs than ssh read the same words as other options.
            "GIT_SSH_VARIANT" => !matches!(text, Some("" | "auto" | "ssh" | "simple")),
            "TAR_OPTIONS" => text.is_none_or(|text| {
                ["exec", "command", "program", "script", "rsh", ":", "-I", "-F"]
                    .iter()
                    .any(|mark| text.contains(mark))
            }),
            "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" => !matches!(text, Some("/dev/null" | "")),
            // Settings, certificates and protocols that git trusts, and what it writes about the environment.
            "GIT_CONFIG_PARAMETERS"
            | "GIT_SSL_NO_VERIFY"
            | "GIT_SSL_CAPATH"
            | "GIT_SSL_CAINFO"
            | "GIT_SSL_VERSION"
            | "GIT_TRACE2_CONFIG_PARAMS"
            | "GIT_TRACE2_ENV_VARS" => !matches!(text, Some("" | "0" | "false")),
            _ if names_command(name) => !text.is_some_and(is_harmless_command),
            _ => false,
        }
    }

    /// A variable or function that the text did not set is taken away, or passed on: what depends on it is not seen.
    pub(crate) fn unseen_change(&mut self, name: &str) {
        if self.state.variable(name).is_none() && self.state.function(name).is_none() {
            let target = Some(Target::Name(name.to_owned()));
            self.possibly(|context| context.push(Kind::Hijack, target, false, context.scope().span));
        }
    }

    /// A variable gets a value that nothing is known about.
    pub(crate) fn hijack_unseen(&mut self, name: &str) {
        let value = Field::computed(name, self.scope().span);
        if steers(name, &value, self.places()) {
            let target = Some(Target::Name(name.to_owned()));
            self.possibly(|context| context.push(Kind::Hijack, target, false, value.span));
        }
    }

    /// A directory of its own at the root, not named as those of programs are: nobody installs into it.
    fn is_odd_program_directory(&self, part: &str) -> bool {
        let named = ["bin", "shim", "script", "tool", "exec", "node_modules", "venv"];
        part.starts_with('/')
            && paths::place_of(&paths::normalise(part), self.places()) == Place::Elsewhere
            && !part.contains(['$', '`'])
            && !part.starts_with("/mnt/")
            && !named.iter().any(|word| part.to_ascii_lowercase().contains(word))
    }

    /// Are libraries looked for where neither the system nor the project has them?
    fn library_hijack(&self, value: &Field) -> bool {
        let theirs = |part: &str| {
            let kept =
                part.is_empty() || part.starts_with("$LD_LIBRARY_PATH") || part.starts_with("${LD_LIBRARY");
            let computed = part.starts_with(['$', '`']) && !part.starts_with("$HOME/");
            let installed =
                ["/usr/", "/lib", "/opt/", "/nix/", "/snap/"].iter().any(|start| part.starts_with(start));
            if kept || computed || (installed && !part.contains("/..")) {
                return false;
            }
            match self.resolve_one(&Field::of(part.replacen("$HOME", &self.places().home, 1), value.span)) {
                Some(path) => paths::place_of(&path, self.places()) != Place::Project,
                None => false,
            }
        };
        value.written.split(':').any(theirs)
    }

    /// Does a new `PATH` look first where anybody can write, or no longer where programs are?
    fn path_hijack(&self, value: &Field) -> bool {
        let text = &value.written;
        let system = ["/usr/bin", "/bin"];
        for part in text.split(':') {
            // What comes behind those is asked last.
            if system.contains(&part) || matches!(part, "$PATH" | "${PATH}") {
                return false;
            }
            if !self.places().home.is_empty() && part.starts_with(&self.places().home) {
                continue;
            }
            let writable = part.is_empty()
                || part == "."
                || part.starts_with("/tmp")
                || part.starts_with("/var/tmp")
                || part.starts_with("/dev/shm")
                || self.is_odd_program_directory(part);
            if writable {
                return true;
            }
        }
        false
    }
}

/// Do options of Node load code from a path or an address? A name alone (`--import tsx`) is a package of the project's.
fn loads_a_path(options: &str) -> bool {
    let mut words = options.split_whitespace();
    while let Some(word) = words.next() {
        let (flag, value) = word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
        let loads = ["--require", "-r", "--import", "--loader", "--experimental-loader"].contains(&flag);
        let is_name =
            |value: &str| !value.starts_with(['.', '/', '~', '$', '"', '\'', '\\']) && !value.contains(':');
        if loads && !value.or_else(|| words.next()).is_some_and(is_name) {
            return true;
        }
    }
    false
}

/// Is the text in a list of values that change nothing, or empty?
fn is_value(list: &str, text: &str) -> bool {
    text.is_empty() || knowledge::is_listed(&format!("commands/variables/{list}"), text)
}

/// Is it in a list of variables or of words of them?
fn is_listed(list: &str, name: &str) -> bool {
    knowledge::is_listed(&format!("commands/variables/{list}"), name)
}

/// Does some program add to the file that the variable names?
fn adds_to_file(name: &str) -> bool {
    let fits = |listed: &str| match listed.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == listed,
    };
    knowledge::rows("commands/variables/adds-to-files").any(|row| fits(row.key()))
}

/// Is the variable's value a command line?
pub(crate) fn names_command(name: &str) -> bool {
    is_listed("command-lines", name)
}

/// Does the variable's name say that some program takes its value for a command line?
fn may_name_command(name: &str) -> bool {
    knowledge::rows("commands/variables/command-line-endings").any(|row| name.ends_with(row.key()))
}

/// Does a command line only show, edit or connect, by a program that the system has under that name?
fn is_harmless_command(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let program = words.next().unwrap_or_default();
    let is_plain = !text.contains([';', '|', '&', '$', '`', '>', '<', '(']) && !text.contains("ProxyCommand");
    let name = paths::file_name(program);
    let is_there = name == program || is_installed(program);
    let mut is_editor = || is_listed("editors", name) && words.all(|word| is_listed("editor-options", word));
    is_plain && is_there && (is_value("harmless-programs", name) || is_editor())
}

/// Is it the name of a shell, or of what refuses to be one?
fn is_shell(name: &str) -> bool {
    let program = knowledge::program(name);
    is_value("no-shells", name)
        || program
            .is_some_and(|program| program.specification().facets(Facet::ActsAs).any(|acts| acts == "shell"))
}

/// May the variable decide what later programs run, whatever it is set to?
pub(crate) fn is_steering(name: &str) -> bool {
    let begins = || knowledge::rows("commands/variables/steers-below").any(|row| name.starts_with(row.key()));
    (is_listed("steers", name) || begins()) && !is_listed("steers-nothing", name)
}

/// Does the variable, so set, decide what later programs run?
pub(crate) fn steers(name: &str, value: &Field, places: &Places) -> bool {
    if !is_steering(name) {
        return false;
    }
    // What git edits with, and settings that are passed on as a variable, are more than a way to show things.
    let is_inert = |text: &str| match name {
        "GIT_CONFIG_PARAMETERS" => false,
        // Only where it is spelled out letter by letter.
        _ if name.ends_with("EDITOR") => {
            value.offset.is_some() && knowledge::is_listed("commands/variables/inert-editors", text)
        }
        _ => is_value("inert", text),
    };
    if value.text().is_some_and(is_inert) {
        return false;
    }
    match name {
        "PATH" => !value.written.split(':').all(|part| is_program_directory(part, places)),
        "SHELL" => !value.text().is_some_and(is_installed),
        "NODE_OPTIONS" => !value.text().is_some_and(|text| text.split_whitespace().all(loads_nothing)),
        _ => true,
    }
}

/// Is it an option of Node that only says how it runs?
fn loads_nothing(option: &str) -> bool {
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    knowledge::is_listed("commands/variables/inert-node-options", name)
}

/// A part of `PATH` that was there before, or where programs are installed.
fn is_program_directory(part: &str, places: &Places) -> bool {
    if matches!(part, "$PATH" | "${PATH}") || is_installed(part) {
        return true;
    }
    let below_home = ["$HOME/", "${HOME}/", "~/"].iter().find_map(|home| part.strip_prefix(home));
    let path = match below_home {
        Some(rest) => format!("{}/{rest}", places.home),
        None => part.to_owned(),
    };
    paths::is_absolute_program_directory(&path, places)
}

fn is_installed(path: &str) -> bool {
    let below = |row: Row<'_>| paths::is_within(path, row.key());
    !path.contains("/..") && knowledge::rows("commands/variables/installed-below").any(below)
}

#[cfg(test)]
mod tests {
    use super::steers;
    use crate::field::Field;
    use crate::world::Places;
    use hookgate_shell::Span;

    fn steered(name: &str, value: Option<&str>) -> bool {
        let places = Places { home: "/home/dev".to_owned(), ..Places::default() };
        let field = match value {
            Some(text) => Field { offset: Some(0), ..Field::of(text, Span::default()) },
            None => Field::computed("$X", Span::default()),
        };
        steers(name, &field, &places)
    }

    #[test]
    fn variables_that_name_programs_steer_unless_the_program_is_inert() {
        assert!(steered("GIT_EDITOR", Some("vim")));
        assert!(steered("GIT_EDITOR", None));
        assert!(steered("LD_PRELOAD", Some("/tmp/x.so")));
        assert!(steered("TAR_OPTIONS", Some("--to-command=sh")));
        assert!(!steered("GIT_EDITOR", Some("true")));
        assert!(steered("GIT_EDITOR", Some("")));
        assert!(steered("GIT_CONFIG_PARAMETERS", Some("")));
        assert!(!steered("GIT_PAGER", Some("cat")));
    }

    #[test]
    fn a_search_path_of_installed_programs_steers_nothing() {
        assert!(!steered("PATH", Some("/usr/local/bin:/usr/bin")));
        assert!(!steered("PATH", Some("$HOME/.local/bin:$PATH")));
        assert!(steered("PATH", Some("/evil:$PATH")));
        assert!(steered("PATH", Some("/usr/../tmp")));
        assert!(steered("PATH", Some("./bin:$PATH")));
    }

    #[test]
    fn other_variables_do_not_steer() {
        assert!(!steered("FOO", Some("bar")));
        assert!(!steered("GIT_AUTHOR_NAME", Some("A")));
        assert!(!steered("ENVIRONMENT", Some("test")));
    }
}
