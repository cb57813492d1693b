//! Which calls of git come to run a program that a setting or a variable names.
//!
//! Only what is certainly out of reach is told apart (git's manual, and git 2.47 under `strace`); a call that is not
//! listed is within reach. The rows stand in `knowledge/git.toml`.

use crate::knowledge::{Matched, row_says};

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
    let says = |what| row_says("git/reach", name, what);
    let local = says("local");
    match purpose {
        Purpose::Remote => {
            let asks = *name == "remote"
                && (matches!(deeper, ["update" | "show" | "prune" | "set-head", ..])
                    || (deeper.first() == Some(&"add") && has_any(call, &["-f", "--fetch"])));
            asks || !(local || says("no-remote"))
        }
        Purpose::Difference => {
            // `git blame` has files changed to text before it looks at them.
            let chosen = has_any(call, &["-p", "--patch", "-i", "--interactive"]) || *name == "blame";
            chosen || !(local || says("no-difference"))
        }
        Purpose::Signature => !(local || says("no-signature")),
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
