//! The words of a verdict (law 3): what the model reads, and what the person reads.

use std::collections::BTreeSet;

use hookgate_rules::Remedy;
use hookgate_text::{Message, Quoted};

use crate::{Excuse, Finding, Grant, Pause};

/// Those that say something of their own: two effects of one command can get the same text.
pub(crate) fn distinct(mut findings: Vec<&Finding>) -> Vec<&Finding> {
    let mut said = BTreeSet::new();
    findings.retain(|finding| said.insert(finding.sentence()));
    findings
}

/// What was refused or asked about, one text per finding, worst first. The encoder cuts between texts.
pub(crate) fn reasons(findings: &[&Finding]) -> Vec<String> {
    findings.iter().map(|finding| finding.sentence()).collect()
}

/// The last line of a denial that a model reads: that no person refused it, and whether another tool can do it.
///
/// What only a person can use (the grant, the exception, the report) is left to `hookgate explain`, which the person's own
/// notice names.
pub(crate) fn closing(id: &str, findings: &[&Finding]) -> String {
    let scope = scope(findings).map_or_else(String::new, |scope| format!(" {scope}"));
    format!("Automated hookgate check {id}.{scope}")
}

/// What of the last line is said again when the same rules deny again in the session. `asked` if no one could answer.
pub(crate) fn closing_again(findings: &[&Finding], asked: bool) -> Option<&'static str> {
    if asked { Some("No one can approve this now.") } else { scope(findings) }
}

fn scope(findings: &[&Finding]) -> Option<&'static str> {
    findings.iter().any(|finding| finding.remedy == Remedy::Forbidden).then_some("No tool can do this.")
}

/// The last line of a denial that only the person reads.
pub(crate) fn where_to_look(id: &str) -> String {
    format!("Details: `hookgate explain {id}`.")
}

/// What the person sees beside a denial: what happened in one line, and where to look.
pub(crate) fn notice(verb: &str, id: &str, findings: &[&Finding]) -> String {
    let what = findings.first().map(|first| format!("[{}] {}", first.code, first.message));
    let more = match findings.len() {
        0 | 1 => String::new(),
        count => format!(" (+{})", count - 1),
    };
    format!("hookgate {verb}: {}{more}; `hookgate explain {id}`", what.unwrap_or_default())
}

/// A warning: context without a decision.
pub(crate) fn warning(finding: &Finding) -> String {
    format!("hookgate warns: {}", finding.sentence())
}

/// An accepted exception: context naming the code.
pub(crate) fn exception(finding: &Finding, reason: &str) -> String {
    let by = if finding.excuse == Some(Excuse::Agent) { "your reason: " } else { "" };
    format!(
        "hookgate: EXC:{} accepted ({by}{}): {}",
        finding.code,
        Message::in_their_words(reason),
        finding.message
    )
}

/// Beside a denial of what a rewrite made.
pub(crate) fn judged_as(command: &str) -> String {
    format!("The policy rewrites this command; it was judged as {}.", Quoted::new(command))
}

/// Beside every answer while the gate is paused.
pub(crate) fn paused(pause: Pause, now: u64) -> String {
    format!(
        "hookgate is paused for {} more and only guards itself; `hookgate resume` ends the pause",
        remaining(pause.until, now)
    )
}

/// The reason of an exception that a person granted.
pub(crate) fn granted(grant: &Grant, now: u64) -> String {
    if grant.once {
        return format!("granted once by a person for decision {}", grant.decision);
    }
    format!("granted by a person for decision {}, for {} more", grant.decision, remaining(grant.until, now))
}

/// Beside a denial that a grant would have excused if another call hadn't used it.
pub(crate) fn grant_is_used(grant: &Grant) -> String {
    format!(
        "hookgate: the grant for decision {} was for one call, which has been made; only a person can grant another",
        grant.decision
    )
}

/// Whole minutes until then, rounded up.
fn remaining(until: u64, now: u64) -> String {
    match until.saturating_sub(now).div_ceil(60_000) {
        1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

/// Why something was allowed, for the person: each reason once.
pub(crate) fn grants(findings: &[&Finding]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for finding in findings {
        let text = format!("[{}] {}", finding.code, finding.message);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// The last line of a question that became a denial.
pub(crate) fn nobody_to_ask() -> String {
    "No one can approve this now; skip it and report it.".to_owned()
}
