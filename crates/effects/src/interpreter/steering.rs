//! Variables that decide what else a program runs, or which files and machines it trusts.

use crate::field::Field;
use crate::paths;
use crate::world::Places;

/// Names, or their beginnings where they end in `*`.
const STEERING: &[&str] = &[
    "AWS_PAGER",
    "BASH_ENV",
    "BAT_PAGER",
    "BROWSER",
    "CDPATH",
    "CLASSPATH",
    "DYLD_*",
    "EDITOR",
    "ENV",
    "GH_*",
    "GITHUB_TOKEN",
    "GITLAB_*",
    "GIT_*",
    "GOFLAGS",
    "GREP_OPTIONS",
    "HOME",
    "JAVA_TOOL_OPTIONS",
    "LD_*",
    "LESSCLOSE",
    "LESSOPEN",
    "MAKEFLAGS",
    "MANPAGER",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PAGER",
    "PATH",
    "PERL5*",
    "PGOPTIONS",
    "PROMPT_COMMAND",
    "PYTHON*",
    "RSYNC_RSH",
    "RUBYLIB",
    "RUBYOPT",
    "RUSTC",
    "RUSTC_WRAPPER",
    "SHELL",
    "SHELLOPTS",
    "SYSTEMD_PAGER",
    "TAR_OPTIONS",
    "VISUAL",
    "XDG_CONFIG_HOME",
    "ZDOTDIR",
];

/// Variables that would be caught by a beginning and steer nothing.
const HARMLESS: &[&str] = &[
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_MERGE_AUTOEDIT",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
];

/// Values that name a program which only ends or prints, or nothing at all.
const INERT: &[&str] = &["", "true", "false", ":", "cat", "less", "0", "1", "/dev/null"];

/// Directories of programs that only root, or what installs programs, writes to.
const PROGRAMS: &[&str] = &["/usr", "/bin", "/sbin", "/opt/homebrew", "/snap/bin", "/nix"];

/// Does the variable, so set, decide what later programs run?
pub(super) fn steers(name: &str, value: &Field, places: &Places) -> bool {
    let listed = STEERING.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *known,
    });
    if !listed || HARMLESS.contains(&name) {
        return false;
    }
    // What git edits with, and settings that are passed on as a variable, are more than a way to show things.
    let inert: &[&str] = match name {
        "GIT_CONFIG_PARAMETERS" => &[],
        // Only where it is spelled out letter by letter.
        _ if name.ends_with("EDITOR") && value.offset.is_some() => &["true", ":"],
        _ if name.ends_with("EDITOR") => &[],
        _ => INERT,
    };
    if value.text().is_some_and(|text| inert.contains(&text)) {
        return false;
    }
    match name {
        "PATH" => !value.written.split(':').all(|part| is_program_directory(part, places)),
        "SHELL" => !value.text().is_some_and(is_installed),
        _ => true,
    }
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
    !path.contains("/..") && PROGRAMS.iter().any(|directory| paths::is_within(path, directory))
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
