//! Expressions of PowerShell: words that are no command.

/// What an expression may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// Nothing: a text, a variable, a comparison.
    Harmless,
    /// It calls something that is not known to be harmful.
    Unknown,
    /// It fetches.
    Fetches,
    /// It calls what changes files, runs programs or code.
    Runs,
}

/// Methods that change something, or run something.
const RUNS: &[&str] = &[
    "::delete",
    "::write",
    "::append",
    "::move",
    "::copy",
    "::start",
    "::create",
    "::invoke",
    "::load",
    "::replace",
    "::exit",
    "::kill",
    ".delete(",
    ".kill(",
    ".invoke(",
    ".invokescript(",
    ".start(",
    ".moveto(",
    ".copyto(",
    ".shellexecute(",
    ".run(",
    ".exec(",
    "invokecommand",
    ".uploadstring(",
    ".uploadfile(",
    ".setvalue(",
];

/// Methods that fetch.
const FETCHES: &[&str] =
    &[".downloadstring(", ".downloaddata(", ".downloadfile(", ".openread(", ".getstringasync("];

/// What the words of an expression may do.
pub(super) fn expression(text: &str) -> Expression {
    let lower = text.to_ascii_lowercase();
    let has = |names: &[&str]| names.iter().any(|name| lower.contains(name));
    if has(FETCHES) {
        Expression::Fetches
    } else if has(RUNS) {
        Expression::Runs
    } else if lower.contains("::") || lower.match_indices('(').any(|(at, _)| is_called(&lower, at)) {
        Expression::Unknown
    } else {
        Expression::Harmless
    }
}

/// Does a name stand right before the bracket?
fn is_called(text: &str, bracket: usize) -> bool {
    let before = text.get(..bracket).unwrap_or_default();
    before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_do_something() {
        assert_eq!(expression("$x"), Expression::Harmless);
        assert_eq!(expression("$x.Length -gt 3"), Expression::Harmless);
        assert_eq!(expression("($x)"), Expression::Harmless);
        assert_eq!(expression("$x.Trim()"), Expression::Unknown);
        assert_eq!(expression("[Math]::Pow(2, 3)"), Expression::Unknown);
        assert_eq!(expression("[IO.File]::Delete('a')"), Expression::Runs);
        assert_eq!(expression("$c.DownloadString('https://example.com')"), Expression::Fetches);
    }
}
