//! What is tried again after a denial (SESS001): the effects of denied calls are remembered for the session, and a call that has one of
//! them and breaks the same rule is recognised, whatever it goes through.

use hookgate_agents::{Decision, Event};
use hookgate_effects::Effect;
use hookgate_policy::{Level, Mode, Policy, digest};
use hookgate_session::{Entry, What};
use hookgate_text::{Message, Quoted, say};

use crate::claims::Claims;
use crate::input::is_call;
use crate::{Finding, Judged, Memory, Source, describe};

const CODE: &str = "SESS001";
/// How long a denial is remembered, in milliseconds.
const REMEMBERED: u64 = 2 * 60 * 60 * 1000;
/// As many effects of one call are remembered.
const MOST: usize = 32;

/// What a call does that was denied before, as a finding. What it does without breaking the rule any more is forgotten.
pub(crate) fn find(event: &Event, policy: &Policy, memory: &dyn Memory, judged: &Judged) -> Option<Finding> {
    let level = level(event, policy, memory)?;
    let host = memory.host();
    let record = host.session_record(&event.session_id);
    let denials = record.denials(host.now().saturating_sub(REMEMBERED));
    if denials.is_empty() {
        return None;
    }
    let (mut forgotten, mut last, mut tries, mut found) = (Vec::new(), None, 0_usize, None);
    let claims = Claims::of(event);
    let is_read = |id: &str| claims.acknowledged.iter().any(|known| known == id);
    let read: Vec<&str> =
        denials.iter().filter(|(id, ..)| is_read(id)).flat_map(|(_, _, effects)| effects).copied().collect();
    if !read.is_empty() {
        forgotten.push(What::Forgotten { effects: read.iter().map(|&effect| effect.to_owned()).collect() });
    }
    for (id, codes, effects) in &denials {
        if effects.iter().any(|effect| read.contains(effect)) {
            continue;
        }
        let again =
            judged.findings.iter().filter(|one| one.applies() && codes.contains(&one.code)).find_map(|one| {
                let mut about = one.effects.iter().filter_map(|index| judged.effects.effects.get(*index));
                about.find(|effect| effects.contains(&name(effect).as_str()))
            });
        if let Some(effect) = again {
            (last, found) = (Some(*id), Some(effect));
            tries += 1;
            continue;
        }
        let names: Vec<String> =
            judged.effects.effects.iter().map(name).filter(|name| effects.contains(&name.as_str())).collect();
        if !names.is_empty() {
            forgotten.push(What::Forgotten { effects: names });
        }
    }
    let now = host.now();
    let entries: Vec<Entry> = forgotten.into_iter().map(|what| Entry::new(now, what)).collect();
    if !entries.is_empty() {
        memory.note_entries(&event.session_id, &entries);
    }
    let (id, effect) = last.zip(found)?;
    let escalates = tries >= policy.retries.after;
    let message = say!(
        "does again what decision {} denied: {}{}; tried {} before",
        Quoted::new(id),
        Quoted::new(&describe(effect)),
        way(event, judged, effect),
        if tries == 1 { say!("once") } else { say!("{} times", tries) }
    );
    let fix = say!(
        "do what the denial said or ask the user; `# hookgate: ack {}` in the command if this is another matter",
        Message::in_their_words(id)
    );
    Some(Finding {
        level: if escalates { policy.retries.then.stricter(level) } else { level },
        fix: Some(fix),
        ..Finding::new(CODE, Source::Check, message)
    })
}

/// Remembers what the answer denies.
pub(crate) fn remember(event: &Event, policy: &Policy, memory: &dyn Memory, judged: &Judged) {
    if level(event, policy, memory).is_none() || judged.verdict.decision < Decision::Deny {
        return;
    }
    let denying = judged.findings.iter().filter(|one| one.applies() && one.level.stops() && one.code != CODE);
    let (mut codes, mut effects): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for finding in denying {
        let about = finding.effects.iter().filter_map(|index| judged.effects.effects.get(*index)).map(name);
        effects.extend(about.take(MOST));
        codes.push(finding.code.clone());
    }
    for list in [&mut codes, &mut effects] {
        list.sort();
        list.dedup();
        list.truncate(MOST);
    }
    if !effects.is_empty() {
        let what = What::Denied { id: judged.id.clone(), codes, effects };
        memory.note_entries(&event.session_id, &[Entry::new(memory.host().now(), what)]);
    }
}

/// The level of the rule, where it looks at the event.
fn level(event: &Event, policy: &Policy, memory: &dyn Memory) -> Option<Level> {
    let level = crate::pass::level(policy, CODE);
    let looks = (level == Level::Warn || level.stops()) && is_call(event) && !event.session_id.is_empty();
    (looks && policy.mode == Mode::Enforce && memory.host().paused().is_none()).then_some(level)
}

/// A name for an effect: a digest, since its target may be anything.
fn name(effect: &Effect) -> String {
    digest(&describe(effect)).get(..16).unwrap_or_default().to_owned()
}

/// Through what the call does it: the programs that carry the one that does.
fn way(event: &Event, judged: &Judged, effect: &Effect) -> Message {
    let calls = &judged.effects.calls;
    let Some(tool) = event.tool() else { return Message::default() };
    if tool.shell_text().is_none() {
        return say!(", by {}", Quoted::new(&tool.name));
    }
    let own = effect.call.and_then(|index| calls.get(index));
    let carrier = own.and_then(|call| call.carrier).and_then(|index| calls.get(index));
    carrier.map_or_else(Message::default, |carrier| say!(", through {}", Quoted::new(&carrier.word)))
}
