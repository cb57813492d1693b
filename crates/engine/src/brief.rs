//! The policy as a short text for an agent's context, so that it does it right the first time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hookgate_policy::{CommitConvention, Level, Mode, Policy, References, ScopeUse, TitleStyle};
use hookgate_rules::{Rule, lookup, telling};
use hookgate_text::{Message, Quoted};

use crate::pass::level;

/// The longest brief, in bytes.
pub const LONGEST_BRIEF: usize = 2_000;
/// How many rules are told first because they hit most.
const FREQUENT: usize = 5;

/// What holds, in at most [`LONGEST_BRIEF`] bytes: how commits and their like are written, what hit most here (`hits`: how often by
/// code), and then what is denied and asked about, as much as fits. The same policy and figures give the same text. Empty where the
/// policy decides nothing.
#[must_use]
pub fn brief(policy: &Policy, hits: &BTreeMap<String, usize>) -> String {
    if policy.mode != Mode::Enforce {
        return String::new();
    }
    let mut text = Brief { text: String::new(), left: LONGEST_BRIEF };
    text.line("hookgate checks each tool call here. What it refuses comes back with the reason; correct that and go on.");
    for line in conventions(policy) {
        text.line(&format!("- {line}"));
    }
    let mut told: Vec<&str> = Vec::new();
    for (rule, instead) in frequent(policy, hits) {
        if text.line(&format!("- {} ({}) hit here often: {instead}", sentence(rule.summary), rule.code)) {
            told.push(rule.code);
        }
    }
    for own in policy.rules.iter().filter(|own| stops(own.then) && !own.shadow && !own.reason.is_empty()) {
        let what = if own.then == Level::Ask { "Asked about" } else { "Denied" };
        text.line(&format!("- {what} ({}): {}", own.code, Message::in_their_words(&own.reason)));
    }
    for (title, wanted) in [("Denied", Level::Deny), ("Asked about", Level::Ask)] {
        let rules = lookup::all().iter().filter(|rule| !told.contains(&rule.code));
        let rules = rules.filter(|rule| level(policy, rule.code) == wanted && !is_convention(rule.group()));
        let summaries: Vec<&str> = rules.map(|rule| rule.summary).collect();
        text.list(title, &summaries);
    }
    text.text
}

/// A text that takes lines as long as there is room.
struct Brief {
    text: String,
    left: usize,
}

impl Brief {
    /// Adds a line, if it fits. Says whether it did.
    fn line(&mut self, line: &str) -> bool {
        let fits = line.len() < self.left;
        if fits {
            self.text.push_str(line);
            self.text.push('\n');
            self.left -= line.len() + 1;
        }
        fits
    }

    /// Adds as many items as fit on a line of their own.
    fn list(&mut self, title: &str, items: &[&str]) {
        let mut line = format!("- {title}: ");
        let room = self.left.saturating_sub(" and more".len() + 2);
        let mut added = 0;
        for item in items {
            if line.len() + item.len() + 2 > room {
                break;
            }
            let separator = if added == 0 { "" } else { "; " };
            let _ = write!(line, "{separator}{item}");
            added += 1;
        }
        if added == 0 {
            return;
        }
        line.push_str(if added < items.len() { " and more" } else { "" });
        self.line(&line);
    }
}

fn stops(level: Level) -> bool {
    matches!(level, Level::Ask | Level::Deny | Level::Halt)
}

/// Rules of these groups are told by what the policy states.
fn is_convention(group: &str) -> bool {
    matches!(group, "COMMIT" | "PR" | "ISSUE" | "BRANCH" | "PUSH" | "ADD" | "UNK")
}

/// The rules that are in force and hit most, each with what to do instead.
fn frequent(policy: &Policy, hits: &BTreeMap<String, usize>) -> Vec<(&'static Rule, String)> {
    let mut counted: Vec<(&String, &usize)> = hits.iter().collect();
    counted.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
    let in_force = counted
        .into_iter()
        .filter(|(code, _)| stops(level(policy, code)) || level(policy, code) == Level::Warn);
    let rules = in_force.filter_map(|(code, _)| lookup::find(code));
    rules.take(FREQUENT).filter_map(|rule| Some((rule, instead(rule)?))).collect()
}

/// What the rule's page says to do instead, on one line.
fn instead(rule: &Rule) -> Option<String> {
    let section = rule.page.split("\n## Instead\n").nth(1)?;
    let section = section.split("\n## ").next()?.trim();
    let first = section.split("\n\n").next()?;
    Some(first.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn conventions(policy: &Policy) -> Vec<String> {
    let stated = &policy.conventions;
    let mut lines: Vec<String> = stated.commits.iter().map(commit).collect();
    for one in &stated.pull_requests {
        let mut parts = Vec::new();
        parts.extend(title(one.style, one.types.as_deref(), one.scope));
        parts.extend(one.title_max.map(|most| format!("title at most {most} characters")));
        parts.extend((one.body == Some(true)).then(|| "with a body".to_owned()));
        parts.extend(listed("body with the headings", one.sections.as_deref()));
        parts.extend(listed("without the words", one.forbid.as_deref()));
        parts.extend((one.no_attribution == Some(true)).then(|| "no line that names an agent".to_owned()));
        lines.push(joined("Pull requests", &parts));
    }
    for one in &stated.issues {
        let mut parts: Vec<String> =
            (one.body == Some(true)).then(|| "with a body".to_owned()).into_iter().collect();
        parts.extend(listed("with the headings", one.sections.as_deref()));
        lines.push(joined("Issues", &parts));
    }
    for one in &stated.branches {
        let mut parts: Vec<String> =
            listed("`type/name` with the types", one.types.as_deref()).into_iter().collect();
        parts.extend((one.plain == Some(true)).then(|| "lowercase letters, digits and hyphens".to_owned()));
        lines.push(joined("New branches", &parts));
    }
    for one in &stated.pushes {
        let mut parts: Vec<String> = listed("only to", one.remotes.as_deref()).into_iter().collect();
        parts.extend(listed("never to", one.forbid_remotes.as_deref()));
        let protected: Option<Vec<String>> =
            one.protected.as_ref().map(|globs| globs.iter().map(|glob| glob.as_str().to_owned()).collect());
        parts.extend(listed("not to the branches", protected.as_deref()));
        parts.extend((one.no_tags == Some(true)).then(|| "no tags".to_owned()));
        lines.push(joined("Push", &parts));
    }
    lines.retain(|line| !line.is_empty());
    lines.dedup();
    lines
}

fn commit(one: &CommitConvention) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend((one.sign_off == Some(true)).then(|| "`--signoff`".to_owned()));
    parts.extend((one.signature == Some(true)).then(|| "`--gpg-sign`".to_owned()));
    parts.extend(title(one.style, one.types.as_deref(), one.scope));
    parts.extend(one.title_max.map(|most| format!("title at most {most} characters")));
    parts.extend(one.body_max.map(|most| format!("body lines at most {most}")));
    parts.extend((one.list_spacing == Some(true)).then(|| "a blank line above lists".to_owned()));
    parts.extend(listed("without the words", one.forbid.as_deref()));
    parts.extend(match one.references {
        Some(References::Forbidden) => Some("no `#12`".to_owned()),
        Some(References::Required) => Some("with the issue's `#12`".to_owned()),
        _ => None,
    });
    parts.extend((one.no_attribution == Some(true)).then(|| "no line that names an agent".to_owned()));
    joined("Commits", &parts)
}

fn title(style: Option<TitleStyle>, types: Option<&[String]>, scope: Option<ScopeUse>) -> Option<String> {
    let form = match (style?, scope.unwrap_or_default()) {
        (TitleStyle::Any, _) => return None,
        (TitleStyle::Scoped, _) => "`scope: text`",
        (TitleStyle::Conventional, ScopeUse::Required) => "`type(scope): text`",
        (TitleStyle::Conventional, ScopeUse::Forbidden) => "`type: text`",
        (TitleStyle::Conventional, ScopeUse::Optional) => "`type(scope): text`, scope optional",
    };
    Some(match types.map(telling) {
        Some(types) if !types.is_empty() => {
            format!("{form}, types {}", Message::in_their_words(&types.join(" ")))
        }
        _ => form.to_owned(),
    })
}

fn listed(what: &str, words: Option<&[String]>) -> Option<String> {
    let words = words.filter(|words| !words.is_empty())?;
    let shown: Vec<String> = words.iter().take(8).map(|word| Quoted::new(word).to_string()).collect();
    Some(format!("{what} {}", shown.join(", ")))
}

fn joined(title: &str, parts: &[String]) -> String {
    if parts.is_empty() { String::new() } else { format!("{title}: {}.", parts.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookgate_policy::{Check, LayerKind, Source, Vocabulary};

    fn policy(text: &str) -> Policy {
        let source = Source { kind: LayerKind::User, path: "policy", text, trusted: true };
        let rules = lookup::vocabulary();
        let vocabulary = Vocabulary { rules: &rules };
        Policy::load(&[source], &vocabulary, Check::Quick).0
    }

    #[test]
    fn a_brief_says_the_conventions_and_what_hits_most_and_is_short() {
        let policy = policy("presets = [\"recommended\", \"klaudiush\"]\n");
        let hits = BTreeMap::from([("GIT015".to_owned(), 7), ("GIT002".to_owned(), 2)]);
        let text = brief(&policy, &hits);
        assert!(text.len() <= LONGEST_BRIEF && text.len() > 900, "{}: {text}", text.len());
        assert!(text.contains("Commits: `--signoff`; `--gpg-sign`; `type(scope): text`"), "{text}");
        assert!(text.contains("title at most 50 characters"), "{text}");
        let (first, second) = (text.find("(GIT015) hit here often"), text.find("(GIT002) hit here often"));
        assert!(first.is_some() && first < second, "{text}");
        assert_eq!(text, brief(&policy, &hits));
    }

    #[test]
    fn a_policy_that_decides_nothing_has_no_brief() {
        assert_eq!(brief(&policy("mode = \"shadow\"\n"), &BTreeMap::new()), "");
        let own = policy(
            "presets = []\n[[rule]]\ncode = \"ACME001\"\nwhen = { run = \"x\" }\nthen = \"deny\"\nreason = \"use y\"\n",
        );
        assert!(brief(&own, &BTreeMap::new()).contains("- Denied (ACME001): use y"));
    }
}
