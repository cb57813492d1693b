//! INFRA002: infrastructure is changed without a reviewed plan.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "INFRA002",
    name: "apply-unseen",
    summary: "infrastructure is changed without a reviewed plan",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::InfrastructureChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let unseen = |argument: &str| {
        let (name, value) = argument.split_once('=').unwrap_or((argument, "true"));
        matches!(
            name,
            "-auto-approve"
                | "-force-copy"
                | "--auto-approve"
                | "--yes"
                | "-y"
                | "-f"
                | "--force"
                | "--skip-preview"
        ) && value != "false"
    };
    // A playbook shows no plan before it runs; `run-all apply` answers for the person by itself.
    let shows_none = seen.call().is_some_and(|call| {
        let words = |word: &str| call.arguments.iter().any(|argument| argument.text.as_deref() == Some(word));
        call.program == "ansible-playbook"
            || (call.program == "terragrunt"
                && (words("run-all") || words("apply-all") || words("--all") || words("stack")))
    });
    // What is asked is answered already, by what is fed to it or by what is set for it.
    let answered = seen.call().is_some_and(|call| {
        call.agreed
            || call.environment.iter().any(|(name, value)| {
                name.starts_with("TF_CLI_ARGS")
                    && value.as_deref().is_none_or(|value| value.split_whitespace().any(unseen))
            })
            || call.arguments.windows(2).any(|pair| {
                let [name, value] = pair else { return false };
                name.text.as_deref() == Some("--require-approval") && value.text.as_deref() == Some("never")
            })
    });
    (shows_none || answered || seen.argument(unseen)).then(|| {
        seen.hit(say!("changes {} without a reviewed plan", seen.target("infrastructure"))).fix(fix(seen))
    })
}

/// What shows the change before it happens.
fn fix(seen: &Seen<'_>) -> &'static str {
    match seen.call().map(|call| call.program.as_str()) {
        Some("ansible-playbook") => "run it with `--check --diff` first, and show the user the result",
        _ => "show the user the plan first, and apply exactly that",
    }
}
