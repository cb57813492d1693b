//! The words of a verdict (law 3): what the model reads, and what the person reads.

use hookgate_rules::Remedy;
use hookgate_text::{Message, Quoted};

use crate::{Finding, Grant, Pause, Source};

/// Where every rule has its page; its anchor there is its code in lower case.
const PAGES: &str = "https://github.com/hookgate/hookgate/blob/main/docs/rules.md#";

/// Why this was refused or asked, one text per finding, worst first, then the way out. The encoder cuts between texts.
pub(crate) fn reasons(findings: &[&Finding]) -> Vec<String> {
    findings.iter().map(|finding| finding.sentence()).collect()
}

/// The last lines of every denial: its name, the way to an exception, and how to say that it is wrong.
pub(crate) fn way_out(id: &str, findings: &[&Finding]) -> String {
    if findings.iter().any(|finding| finding.source == Source::Person) {
        return format!("Decision {id}. Only a person can lift this, with `hookgate resume` in a terminal.");
    }
    if findings.iter().any(|finding| finding.guards_gate()) {
        return format!(
            "Decision {id}. What guards the gate has no exception; a person can do it in a terminal of their own, and see \
             why with `hookgate explain {id}`."
        );
    }
    let code = findings.first().map_or("CODE", |finding| finding.code.as_str());
    format!(
        "Decision {id}. The person can see all of it with `hookgate explain {id}`, let this one call pass with \
         `hookgate grant {id}`, except it with `[[exception]] code = \
         \"{code}\"` in a policy file, and report it as wrong with `hookgate explain {id} --report`."
    )
}

/// The fact that goes beside a denial as context, by kind.
pub(crate) fn nature(findings: &[&Finding]) -> String {
    let forbidden: Vec<&&Finding> = findings.iter().filter(|f| f.remedy == Remedy::Forbidden).collect();
    if forbidden.is_empty() {
        return "This was an automated hookgate check, not the user; the corrected command will be accepted."
            .to_owned();
    }
    let instead = forbidden.iter().find_map(|finding| finding.fix.as_deref());
    match instead {
        Some(fix) => format!(
            "This was an automated hookgate check, not the user. What it refused is not available by any tool; instead: {fix}."
        ),
        None => "This was an automated hookgate check, not the user. What it refused is not available by any tool.".to_owned(),
    }
}

/// What the person sees beside a denial or a question: the same sentences, with the page of each rule.
pub(crate) fn notice(verb: &str, id: &str, findings: &[&Finding]) -> String {
    let mut text = format!("hookgate {verb} ({id}):");
    for finding in findings {
        text.push_str("\n- ");
        text.push_str(&finding.sentence());
        if finding.source == Source::BuiltIn {
            text.push_str("\n  ");
            text.push_str(PAGES);
            text.push_str(&finding.code.to_ascii_lowercase());
        }
    }
    text
}

/// A warning: context without a decision.
pub(crate) fn warning(finding: &Finding) -> String {
    format!("hookgate warns: {}", finding.sentence())
}

/// An accepted exception: context naming the code.
pub(crate) fn exception(finding: &Finding, reason: &str) -> String {
    format!(
        "hookgate: EXC:{} accepted ({}): {}",
        finding.code,
        Message::in_their_words(reason),
        finding.message
    )
}

/// Beside a denial of what a rewrite made.
pub(crate) fn judged_as(command: &str) -> String {
    format!("The policy rewrites this command, and it was judged as {}.", Quoted::new(command))
}

/// Beside every answer while the gate is paused.
pub(crate) fn paused(pause: Pause, now: u64) -> String {
    format!(
        "hookgate is paused for {} more: it only guards itself. `hookgate resume` ends the pause.",
        remaining(pause.until, now)
    )
}

/// The reason of an exception that a person granted.
pub(crate) fn granted(grant: &Grant, now: u64) -> String {
    format!("granted by a person for decision {}, for {} more", grant.decision, remaining(grant.until, now))
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

/// Beside a question that became a denial.
pub(crate) fn nobody_to_ask() -> String {
    "This needs a person's consent and nobody is there to ask; leave it, go on elsewhere, and name it in your report."
        .to_owned()
}
