//! Which calls of git come to run a program that a setting or a variable names.
//!
//! Only what is certainly out of reach is told apart (git's manual, and git 2.47 under `strace`); a call that is not
//! listed is within reach.

use crate::knowledge::Matched;

/// What a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It talks to another repository (`core.sshCommand`, credential helpers).
    Remote,
    /// It shows a difference (`diff.external`).
    Difference,
    /// It signs, or checks signatures (`gpg.program`).
    Signature,
}

/// Calls that read or note something in the repository itself.
const LOCAL: [&str; 20] = [
    "blame",
    "check-attr",
    "check-ignore",
    "config",
    "count-objects",
    "describe",
    "for-each-ref",
    "help",
    "init",
    "ls-files",
    "merge-base",
    "remote",
    "rev-list",
    "rev-parse",
    "show-ref",
    "status",
    "symbolic-ref",
    "update-ref",
    "var",
    "version",
];

/// What besides these talks to nobody. In a repository that was cloned in part, git may fetch what it lacks at any time.
const ALONE: [&str; 9] = ["add", "branch", "log", "mv", "notes", "reflog", "shortlog", "stash", "tag"];

/// What besides these runs no other program for a difference.
const WITHOUT_DIFFERENCE: [&str; 12] = [
    "add",
    "branch",
    "checkout",
    "clone",
    "fetch",
    "ls-remote",
    "mv",
    "push",
    "reset",
    "rm",
    "switch",
    "tag",
];

/// What besides these neither signs nor checks signatures.
const WITHOUT_SIGNATURE: [&str; 12] = [
    "add",
    "branch",
    "checkout",
    "diff",
    "fetch",
    "grep",
    "ls-remote",
    "mv",
    "reset",
    "restore",
    "rm",
    "switch",
];

/// May the call run a program of that purpose?
pub(crate) fn reaches(call: &Matched<'_>, purpose: Purpose) -> bool {
    let path: Vec<&str> = call.subcommand.iter().map(String::as_str).collect();
    let Some((name, deeper)) = path.split_first() else {
        // `git --version`, or a subcommand that nobody knows.
        return !call.unlisted.is_empty() || !call.operands.is_empty();
    };
    if !call.unlisted.is_empty() {
        return true;
    }
    let local = LOCAL.contains(name);
    match purpose {
        Purpose::Remote => {
            let asks = *name == "remote"
                && (matches!(deeper, ["update" | "show" | "prune" | "set-head", ..])
                    || (deeper.first() == Some(&"add") && has_any(call, &["-f", "--fetch"])));
            asks || !(local || ALONE.contains(name))
        }
        Purpose::Difference => {
            // `git blame` has files changed to text before it looks at them.
            let chosen = has_any(call, &["-p", "--patch", "-i", "--interactive"]) || *name == "blame";
            chosen || !(local || WITHOUT_DIFFERENCE.contains(name))
        }
        Purpose::Signature => !(local || WITHOUT_SIGNATURE.contains(name)),
    }
}

/// Is one of the options among the arguments, listed or not, whole or begun?
fn has_any(call: &Matched<'_>, names: &[&str]) -> bool {
    call.arguments.iter().any(|field| {
        let written = field.written.as_str();
        let long = written.starts_with("--");
        field.text.is_none()
            || names.iter().any(|name| match name.strip_prefix("--") {
                Some(_) => long && written.len() > 3 && name.starts_with(written),
                // One letter, perhaps among others.
                None => written.starts_with('-') && !long && written.contains(name.trim_start_matches('-')),
            })
    })
}
