//! Variables that a command sets for a program and that decide what else the program runs or trusts.

use hookgate_effects::Call;

/// Names, or their beginnings where they end in `*`.
const STEERING: [&str; 26] = [
    "BASH_ENV",
    "BROWSER",
    "CDPATH",
    "CLASSPATH",
    "DYLD_*",
    "EDITOR",
    "ENV",
    "GIT_*",
    "IFS",
    "JAVA_TOOL_OPTIONS",
    "LD_*",
    "LESSOPEN",
    "LESSCLOSE",
    "MANPAGER",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PAGER",
    "PATH",
    "PERL5*",
    "PGOPTIONS",
    "PROMPT_COMMAND",
    "PYTHON*",
    "RUBYLIB",
    "RUBYOPT",
    "SHELLOPTS",
    "VISUAL",
];

/// Variables that would be caught by a beginning and steer nothing.
const HARMLESS: [&str; 14] = [
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
    "PYTHONUNBUFFERED",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "PYTHONHASHSEED",
];

/// Values that name a program which only ends or prints.
const INERT: [&str; 4] = ["true", ":", "cat", "less"];

/// Is one of them set for the call?
pub(crate) fn steers(call: &Call) -> bool {
    call.environment.iter().any(|(name, value)| {
        let steering = STEERING.iter().any(|known| match known.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == known,
        });
        let inert = value.as_deref().is_some_and(|value| INERT.contains(&value));
        steering && !inert && !HARMLESS.contains(&name.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: Option<&str>) -> Call {
        Call { environment: vec![(name.to_owned(), value.map(str::to_owned))], ..Call::default() }
    }

    #[test]
    fn variables_that_name_programs_steer_unless_the_program_is_inert() {
        assert!(steers(&with("GIT_EDITOR", Some("vim"))));
        assert!(steers(&with("GIT_EDITOR", None)));
        assert!(steers(&with("LD_PRELOAD", Some("/tmp/x.so"))));
        assert!(!steers(&with("GIT_EDITOR", Some("true"))));
        assert!(!steers(&with("GIT_PAGER", Some("cat"))));
    }

    #[test]
    fn other_variables_do_not_steer() {
        assert!(!steers(&with("FOO", Some("bar"))));
        assert!(!steers(&with("GIT_AUTHOR_NAME", Some("A"))));
        assert!(!steers(&with("ENVIRONMENT", Some("test"))));
    }
}
