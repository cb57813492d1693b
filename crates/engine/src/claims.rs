//! What an agent claims in a comment of its command: exceptions to rules, each with a reason, and that it has read a denial.
//!
//! A comment is what the shell takes for one, on the command line itself. It grants nothing: only what is denied or warned about can be
//! excused, never what a person is to be asked, and only where the policy lets agents do so.

use hookgate_agents::Event;
use hookgate_knowledge::{Row, shipped};
use hookgate_policy::Level;
use hookgate_shell::{Limits, comments};
use hookgate_text::{Quoted, say};

use crate::input::At;
use crate::{Excuse, Finding, Source};

/// The least that a reason says, in characters.
const LEAST_REASON: usize = 10;
/// The most that is kept of one.
const LONGEST_REASON: usize = 200;
/// As many claims of one command count.
const MOST: usize = 16;

/// What a command's comments claim.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Claims {
    /// Codes with the reasons why they don't matter here.
    exceptions: Vec<(String, String)>,
    /// Decisions that the agent says it has read.
    pub(crate) acknowledged: Vec<String>,
}

impl Claims {
    /// Those of an event's command; nearly none has any, and then the text isn't parsed for them.
    pub(crate) fn of(event: &Event) -> Claims {
        let text = event.tool().and_then(|call| call.shell_text()).unwrap_or_default();
        if !text.contains('#') || !(text.contains("hookgate:") || text.contains("EXC:")) {
            return Claims::default();
        }
        let mut claims = Claims::default();
        for span in comments(text, &Limits::default()) {
            let range = usize::try_from(span.start).unwrap_or(usize::MAX)
                ..usize::try_from(span.end).unwrap_or(usize::MAX);
            claims.read(text.get(range).unwrap_or_default().trim_start_matches('#').trim());
        }
        claims.exceptions.truncate(MOST);
        claims.acknowledged.truncate(MOST);
        claims
    }

    fn read(&mut self, comment: &str) {
        // klaudiush's form: the reason has no blanks, they are `+` or `%20`.
        for word in comment.split_whitespace() {
            let claim = word.strip_prefix("EXC:").and_then(|claim| claim.split_once(':'));
            if let Some((code, reason)) = claim.filter(|(code, _)| is_code(code)) {
                let reason = bounded(&reason.replace("%20", " ").replace('+', " "));
                // It may be a code of that program's, or one of ours.
                let row = shipped().table("people/gates/klaudiush").find(code);
                let codes = row.into_iter().flat_map(Row::cells);
                let codes = std::iter::once(code).chain(codes);
                self.exceptions.extend(codes.map(|code| (code.to_owned(), reason.clone())));
            }
        }
        let Some(claim) = comment.strip_prefix("hookgate:").map(str::trim) else { return };
        if let Some(id) = claim.strip_prefix("ack ") {
            self.acknowledged.push(id.trim().to_owned());
        } else if let Some(claim) = claim.strip_prefix("allow ") {
            let (codes, reason) = claim.split_once(" because ").unwrap_or((claim, ""));
            let codes = codes.split([',', ' ']).filter(|code| is_code(code));
            self.exceptions.extend(codes.map(|code| (code.to_owned(), bounded(reason))));
        }
    }
}

fn bounded(reason: &str) -> String {
    reason.trim().chars().take(LONGEST_REASON).collect()
}

/// Letters, then digits.
fn is_code(text: &str) -> bool {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    !letters.is_empty() && letters.len() < text.len() && letters.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Accepts what the agent claims and may; true if anything was. What it may not is told.
pub(crate) fn accept(at: &At<'_>, findings: &mut [Finding]) -> bool {
    let is_open = |finding: &Finding| {
        finding.applies()
            && matches!(finding.source, Source::BuiltIn | Source::Own)
            && (finding.level == Level::Warn || finding.level.stops())
    };
    if !findings.iter().any(is_open) {
        return false;
    }
    let claims = Claims::of(at.event);
    let mut accepted = false;
    for finding in findings.iter_mut().filter(|finding| is_open(finding)) {
        let Some((_, reason)) = claims.exceptions.iter().find(|(code, _)| *code == finding.code) else {
            continue;
        };
        let refused = match finding.level {
            _ if finding.guards_gate() || !at.policy.lets_agents_except(&finding.code) => {
                Some("the policy lets no agent except it")
            }
            _ if reason.chars().count() < LEAST_REASON => {
                Some("it needs a reason: `# hookgate: allow CODE because ...`")
            }
            Level::Ask => {
                finding.message.push(&say!("; the agent's reason: {}", Quoted::new(reason)));
                continue;
            }
            Level::Halt => Some("a halt has no exception"),
            _ if at.heard.exceptions_used_up => Some("no exception is left in this hour or day"),
            _ => None,
        };
        match refused {
            Some(why) => {
                finding.context = Some(format!("hookgate: EXC:{} not accepted: {why}", finding.code));
            }
            None => {
                finding.exception = Some(reason.clone());
                finding.excuse = Some(Excuse::Agent);
                accepted = true;
            }
        }
    }
    accepted
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookgate_agents::{EventName, ToolCall};

    fn claims(command: &str) -> Claims {
        Claims::of(&Event { call: Some(ToolCall::bash(command)), ..Event::new(EventName::PreToolUse) })
    }

    #[test]
    fn a_comment_of_the_command_line_claims_and_nothing_else_does() {
        let reason = "it is a scratch branch";
        let both =
            vec![("COMMIT001".to_owned(), reason.to_owned()), ("FILE015".to_owned(), reason.to_owned())];
        for command in [
            "git commit -m x # hookgate: allow COMMIT001, FILE015 because it is a scratch branch",
            "# hookgate: allow COMMIT001 FILE015 because it is a scratch branch\ngit commit -m x",
            "git commit -m x #EXC:COMMIT001:it+is+a%20scratch+branch EXC:FILE015:it+is+a+scratch+branch",
            "cat <<E && git commit -m x # hookgate: allow COMMIT001,FILE015 because it is a scratch branch\nbody\nE",
        ] {
            assert_eq!(claims(command).exceptions, both, "{command}");
        }
        let claim = "# hookgate: allow FILE015 because it is a scratch branch";
        for command in [
            format!("git commit -m '{claim}'"),
            format!("git commit -m \"x {claim}\""),
            format!("cat <<E\n{claim}\nE"),
            format!("echo x{claim}"),
            format!("echo $(true {claim}\n)"),
            format!("(true {claim}\n)"),
            format!("sh -c 'true {claim}'"),
            format!("git commit {claim}\n'"),
            "git commit # hookgate allow FILE015 because it is a scratch branch".to_owned(),
            "git commit # hookgate: allow everything because it is a scratch branch".to_owned(),
        ] {
            assert_eq!(claims(&command), Claims::default(), "{command}");
        }
        let codes = |command: &str| -> Vec<String> {
            claims(command).exceptions.into_iter().map(|(code, _)| code).collect()
        };
        assert_eq!(
            codes("git commit -m x # EXC:GIT010:it+is+a+scratch+branch"),
            ["GIT010", "COMMIT001", "COMMIT002"],
            "a code of klaudiush's"
        );
        assert_eq!(codes("git commit -m x # hookgate: allow GIT010 because of the branch"), ["GIT010"]);
        assert_eq!(claims("ls # hookgate: ack 0abc").acknowledged, ["0abc"]);
    }
}
