//! What becomes of a question about a prompt: no agent asks its user about one, so it is held back once, and the person who sends the
//! same prompt again has answered.

use hookgate_policy::{Level, digest};
use hookgate_text::{Message, say};

use crate::input::At;
use crate::{Excuse, Finding, Note, secrets};

/// Accepts what is asked about a prompt that was held back before, and says of a first one how it gets through.
pub(crate) fn accept(at: &At<'_>, findings: &mut [Finding]) {
    let Some(name) = name(at, findings) else { return };
    let sent = at.host.kept(&at.event.session_id, &name).is_some();
    for finding in findings.iter_mut().filter(|finding| is_asked(finding)) {
        if sent {
            finding.exception = Some("the person sent the prompt again".to_owned());
            finding.excuse = Some(Excuse::Answer);
        } else {
            finding.fix = Some(advice(finding));
        }
    }
}

fn advice(finding: &Finding) -> Message {
    let first = if secrets::is_carried(finding) {
        Some("take it out of the prompt".into())
    } else {
        finding.fix.clone()
    };
    match first {
        Some(first) => say!("{}, or send the same prompt again to let it through", first),
        None => "send the same prompt again to let it through".into(),
    }
}

/// Notes that a prompt is held back.
pub(crate) fn held_back(at: &At<'_>, findings: &[Finding]) -> Option<Note> {
    Some(Note::Keep { name: name(at, findings)?, text: "held back".to_owned() })
}

/// A name for exactly this prompt, if something is asked about it: another one with the same findings is another question.
fn name(at: &At<'_>, findings: &[Finding]) -> Option<String> {
    let prompt = at.event.prompt().filter(|_| !at.event.session_id.is_empty())?;
    let digits = findings.iter().any(is_asked).then(|| digest(prompt))?;
    Some(format!("prompt-{}", digits.get(..32)?))
}

fn is_asked(finding: &Finding) -> bool {
    finding.applies() && finding.level == Level::Ask && !finding.guards_gate()
}
