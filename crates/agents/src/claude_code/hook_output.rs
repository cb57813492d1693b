//! What a hook program written for Claude Code answered: read as the client reads it, or better. Where the client would let a
//! call run because an answer is malformed, a refusal that can still be made out counts, and everything else is a problem
//! that is told.

use std::borrow::Cow;

use crate::{Decision, EventName, Extras, Map, Value};

use crate::repair::repair;

/// What a hook program printed, and how it ended.
#[derive(Clone, Debug)]
pub struct HookOutput {
    /// The exit code, or why there is none.
    pub exit: Result<i32, String>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// Nothing of standard output is missing.
    pub complete: bool,
}

/// What it meant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookReply {
    /// The decision; pass if it has none.
    pub decision: Decision,
    /// The reason of the decision; empty if it gave none.
    pub reason: String,
    /// Facts for the model.
    pub context: Vec<String>,
    /// Notices for the person.
    pub notices: Vec<String>,
    /// The complete new tool input.
    pub updated_input: Option<Map>,
    /// Other fields of the answer.
    pub extras: Extras,
    /// What is wrong with the program or its answer.
    pub problem: Option<String>,
}

/// Reads the answer of a hook program to an event.
#[must_use]
pub fn read_hook_output(event: &EventName, output: &HookOutput) -> HookReply {
    let mut reply = HookReply::default();
    let (text, encoding) = decoded(&output.stdout);
    let text = text.trim_start_matches('\u{feff}').trim();
    let found = documents(text);
    for document in &found.documents {
        reply.take(event, document);
    }
    if found.documents.is_empty() && found.problem.is_none() && !text.is_empty() {
        reply.take_text(event, text);
    }
    let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    match &output.exit {
        Ok(0) => {}
        Ok(2) => {
            if reply.decision < Decision::Deny {
                reply.decision = Decision::Deny;
                reply.reason = if stderr.is_empty() { "refused without a reason".to_owned() } else { stderr };
            }
            reply.updated_input = None;
            return reply;
        }
        Ok(code) if found.documents.is_empty() => {
            let line = stderr.lines().next().unwrap_or("no text on standard error").to_owned();
            reply.problem.get_or_insert(format!("exited with {code} ({line})"));
        }
        Ok(_) => {}
        Err(why) => reply.problem = Some(why.clone()),
    }
    if reply.problem.is_none() {
        reply.problem = found.problem.or_else(|| encoding.map(str::to_owned));
    }
    // What may be missing a part can refuse, and grants nothing.
    if !output.complete || output.exit.is_err() || found.cut {
        if reply.decision == Decision::Allow {
            reply.decision = Decision::Pass;
        }
        reply.updated_input = None;
        reply.problem.get_or_insert("kept its standard output open, or wrote too much".to_owned());
    }
    reply
}

/// The text of an output, and what is wrong with its encoding. A refusal in UTF-16 is read, so that it counts.
fn decoded(bytes: &[u8]) -> (Cow<'_, str>, Option<&'static str>) {
    let order: Option<fn([u8; 2]) -> u16> = match bytes {
        [0xff, 0xfe, ..] | [b'{', 0, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] | [0, b'{', ..] => Some(u16::from_be_bytes),
        _ => None,
    };
    if let Some(order) = order {
        let units = bytes.chunks_exact(2).filter_map(|pair| Some(order([*pair.first()?, *pair.get(1)?])));
        let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect();
        return (Cow::Owned(text), Some("wrote UTF-16 instead of UTF-8"));
    }
    let text = String::from_utf8_lossy(bytes);
    let problem = if matches!(text, Cow::Owned(_)) {
        Some("wrote bytes that aren't UTF-8")
    } else if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{1b}')) {
        Some("wrote control characters")
    } else {
        None
    };
    (text, problem)
}

/// The JSON objects of a text.
#[derive(Default)]
struct Documents {
    documents: Vec<Map>,
    problem: Option<String>,
    /// Not all of the text was looked at.
    cut: bool,
}

/// How many bytes are looked at for documents, those behind each beginning again: a megabyte of braces would be looked at for
/// minutes.
const WORK: usize = 8 << 20;

fn documents(text: &str) -> Documents {
    if let Some(document) = object(text) {
        return Documents { documents: vec![document], ..Documents::default() };
    }
    let mut found = Documents::default();
    let mut rest = Cow::Borrowed(text);
    let mut work = WORK;
    // A document begins at the start of a line; what stands before it is a banner or a log.
    while let Some(at) = beginning(&rest) {
        let tail = rest.get(at..).unwrap_or_default();
        let Some(left) = work.checked_sub(tail.len()) else {
            found.cut = true;
            break;
        };
        work = left;
        let repaired = repair(tail.as_bytes());
        let mut stream = serde_json::Deserializer::from_slice(&repaired).into_iter::<Value>();
        let next = match stream.next() {
            Some(Ok(Value::Object(document))) => {
                found.documents.push(document);
                // A repaired text has other lengths: what follows is looked for in it, not in the original.
                let end = stream.byte_offset();
                String::from_utf8_lossy(repaired.get(end..).unwrap_or_default()).trim().to_owned()
            }
            _ => {
                found.problem = Some("printed invalid JSON".to_owned());
                tail.strip_prefix('{').unwrap_or("").to_owned()
            }
        };
        rest = Cow::Owned(next);
    }
    // JSON that is no object was meant as an answer; text is what hooks say beside it, and the client takes it for that.
    if found.documents.is_empty() && is_other_json(text) {
        found.problem.get_or_insert("printed JSON that is no object".to_owned());
    }
    // A log line in braces beside a whole answer is no problem.
    if !found.documents.is_empty() {
        found.problem = None;
    } else if ["permissionDecision", "hookSpecificOutput", "\"decision\""]
        .iter()
        .any(|key| text.contains(key))
    {
        found.problem.get_or_insert("printed an answer that isn't JSON".to_owned());
    }
    found
}

fn is_other_json(text: &str) -> bool {
    text.starts_with(['[', '"']) && serde_json::from_str::<Value>(text).is_ok()
}

fn object(text: &str) -> Option<Map> {
    serde_json::from_str(text).ok()
}

/// The first `{` at the start of a line.
fn beginning(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('{') {
            return Some(at + line.len() - line.trim_start().len());
        }
        at += line.len();
    }
    None
}

impl HookReply {
    fn decide(&mut self, decision: Decision, reason: Option<&str>) {
        if decision > self.decision {
            self.decision = decision;
            self.reason = reason.unwrap_or("").to_owned();
        }
    }

    fn wrong(&mut self, what: impl Into<String>) {
        self.problem.get_or_insert(what.into());
    }

    /// Plain text: the model's on some events, nobody's on others.
    fn take_text(&mut self, event: &EventName, text: &str) {
        match event {
            EventName::UserPromptSubmit
            | EventName::UserPromptExpansion
            | EventName::SessionStart
            | EventName::PostModelSwitch => self.context.push(text.to_owned()),
            EventName::PreCompact => self.extras.compact_instructions = Some(text.to_owned()),
            EventName::PostCompact => self.notices.push(text.to_owned()),
            EventName::WorktreeCreate => self.extras.worktree_path = text.lines().next().map(str::to_owned),
            _ => {}
        }
    }

    fn take(&mut self, event: &EventName, document: &Map) {
        let text = |key: &str| document.get(key).and_then(Value::as_str);
        if document.get("async") == Some(&Value::Bool(true)) {
            return self
                .wrong("answered that it continues in the background, which supervised hooks can't do");
        }
        match document.get("continue") {
            Some(Value::Bool(false)) => self.decide(Decision::Halt, text("stopReason").or(text("reason"))),
            None | Some(Value::Bool(true)) => {}
            Some(_) => self.wrong("`continue` is neither true nor false"),
        }
        match text("decision").map(str::to_ascii_lowercase).as_deref() {
            Some("block" | "deny") => self.decide(Decision::Deny, text("reason")),
            Some("ask") => self.decide(Decision::Ask, text("reason")),
            Some("approve") => self.decide(Decision::Allow, text("reason")),
            Some(other) => self.wrong(format!("`decision` is `{other}`")),
            None if document.get("decision").is_some_and(|decision| !decision.is_null()) => {
                self.wrong("`decision` is not a string");
            }
            None => {}
        }
        self.notices.extend(text("systemMessage").map(str::to_owned));
        if let Some(sequence) = text("terminalSequence") {
            self.extras.terminal_sequence = Some(sequence.to_owned());
        }
        match document.get("hookSpecificOutput") {
            Some(Value::Object(specific)) => self.take_specific(event, specific),
            None | Some(Value::Null) => {
                // An answer of this event at the wrong place: a refusal counts, a grant does not.
                if let Some(misplaced) = text("permissionDecision") {
                    self.wrong("`permissionDecision` is outside `hookSpecificOutput`");
                    self.permission(misplaced, text("permissionDecisionReason"), false);
                }
            }
            Some(_) => self.wrong("`hookSpecificOutput` is not an object"),
        }
    }

    fn take_specific(&mut self, event: &EventName, specific: &Map) {
        let text = |key: &str| specific.get(key).and_then(Value::as_str);
        let own = text("hookEventName") == Some(event.as_str());
        if !own {
            self.wrong(format!("`hookEventName` is not {}", event.as_str()));
        }
        match specific.get("permissionDecision") {
            Some(Value::String(decision)) => {
                self.permission(decision, text("permissionDecisionReason"), own);
            }
            None | Some(Value::Null) => {}
            Some(_) => self.wrong("`permissionDecision` is not a string"),
        }
        if let Some(Value::Object(decision)) = specific.get("decision") {
            let message = decision.get("message").and_then(Value::as_str);
            match decision.get("behavior").and_then(Value::as_str) {
                Some("allow") if own => self.decide(Decision::Allow, message),
                Some("deny") if decision.get("interrupt") == Some(&Value::Bool(true)) => {
                    self.decide(Decision::Halt, message);
                }
                Some("deny") => self.decide(Decision::Deny, message),
                _ => self.wrong("`decision.behavior` is neither allow nor deny"),
            }
            if own {
                self.updated_input = decision.get("updatedInput").and_then(Value::as_object).cloned();
            }
        }
        self.context.extend(text("additionalContext").map(str::to_owned));
        if !own {
            return;
        }
        match specific.get("updatedInput") {
            Some(Value::Object(input)) => self.updated_input = Some(input.clone()),
            None | Some(Value::Null) => {}
            Some(_) => self.wrong("`updatedInput` is not an object"),
        }
        let extras = &mut self.extras;
        extras.tool_output = specific.get("updatedToolOutput").cloned();
        extras.mcp_tool_output = specific.get("updatedMCPToolOutput").cloned();
        extras.classifier_context = text("classifierContext").map(str::to_owned);
        extras.initial_user_message = text("initialUserMessage").map(str::to_owned);
        extras.session_title = text("sessionTitle").map(str::to_owned);
        extras.display_content = text("displayContent").map(str::to_owned);
        extras.retry = specific.get("retry") == Some(&Value::Bool(true));
        extras.reload_skills = specific.get("reloadSkills") == Some(&Value::Bool(true));
        extras.suppress_original_prompt = specific.get("suppressOriginalPrompt") == Some(&Value::Bool(true));
        let paths = specific.get("watchPaths").and_then(Value::as_array);
        extras.watch_paths =
            paths.map(|paths| paths.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    }

    /// A decision on a tool call. A misspelt refusal is still one; nothing but `allow` is a grant.
    fn permission(&mut self, decision: &str, reason: Option<&str>, grants: bool) {
        match decision {
            "allow" if grants => self.decide(Decision::Allow, reason),
            "allow" => {}
            "deny" => self.decide(Decision::Deny, reason),
            "ask" | "defer" => self.decide(Decision::Ask, reason),
            other => {
                self.wrong(format!("`permissionDecision` is `{other}`"));
                match other.to_ascii_lowercase().as_str() {
                    "deny" | "denied" | "block" | "blocked" | "reject" | "no" => {
                        self.decide(Decision::Deny, reason);
                    }
                    "ask" | "prompt" | "confirm" => self.decide(Decision::Ask, reason),
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn read(exit: i32, stdout: &str, stderr: &str) -> HookReply {
        let output = HookOutput {
            exit: Ok(exit),
            stdout: stdout.as_bytes().to_vec(),
            stderr: stderr.as_bytes().to_vec(),
            complete: true,
        };
        read_hook_output(&EventName::PreToolUse, &output)
    }

    const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    const ALLOW: &str =
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#;

    #[test]
    fn exit_codes_and_answers_decide_as_in_the_client() {
        for (exit, stdout, stderr, decision, reason) in [
            (0, "", "", Decision::Pass, ""),
            (0, "all good", "", Decision::Pass, ""),
            (0, DENY, "", Decision::Deny, "no"),
            (1, DENY, "", Decision::Deny, "no"),
            (0, ALLOW, "", Decision::Allow, ""),
            (2, ALLOW, "not here", Decision::Deny, "not here"),
            (2, "", "", Decision::Deny, "refused without a reason"),
            (0, r#"{"decision":"approve"}"#, "", Decision::Allow, ""),
            (0, r#"{"decision":"block","reason":"r"}"#, "", Decision::Deny, "r"),
            (0, r#"{"continue":false,"stopReason":"enough"}"#, "", Decision::Halt, "enough"),
            (0, "{}", "", Decision::Pass, ""),
        ] {
            let reply = read(exit, stdout, stderr);
            assert_eq!((reply.decision, reply.reason.as_str()), (decision, reason), "{exit} {stdout}");
            assert_eq!(reply.problem, None, "{exit} {stdout}");
        }
    }

    #[test]
    fn a_refusal_that_the_client_would_ignore_counts() {
        for stdout in [
            format!("starting up\n{DENY}"),
            format!("[log] {{x}}\n{{not json}}\n{DENY}\n"),
            format!("{ALLOW}\n{DENY}"),
            DENY.replace("no\"", "line one\nline two\""),
            DENY.replace("\"deny\"", "\"Deny\""),
            DENY.replace("PreToolUse", "pre-tool-use"),
            r#"{"permissionDecision":"deny"}"#.to_owned(),
            r#"{"decision":"deny"}"#.to_owned(),
        ] {
            assert_eq!(read(0, &stdout, "").decision, Decision::Deny, "{stdout}");
        }
    }

    #[test]
    fn garbage_is_a_problem_and_no_grant() {
        for (stdout, problem) in [
            ("{not json", "invalid JSON"),
            ("ok: permissionDecision allow", "answer that isn't JSON"),
            (r#"{"permissionDecision":"allow"}"#, "outside"),
            (r#"{"decision":"allow"}"#, "`decision` is `allow`"),
            (
                r#"{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"allow"}}"#,
                "hookEventName",
            ),
            (
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"yes"}}"#,
                "is `yes`",
            ),
            (r#"{"async":true}"#, "background"),
            (r#"["deny"]"#, "JSON that is no object"),
            (r#""deny""#, "JSON that is no object"),
        ] {
            let reply = read(0, stdout, "");
            assert_eq!(reply.decision, Decision::Pass, "{stdout}");
            assert!(
                reply.problem.as_deref().is_some_and(|text| text.contains(problem)),
                "{stdout}: {reply:?}"
            );
        }
        let crashed = read(1, "", "Traceback: x\nmore");
        assert_eq!(crashed.problem.as_deref(), Some("exited with 1 (Traceback: x)"));
    }

    #[test]
    fn what_is_no_text_is_a_problem_and_a_refusal_in_it_counts() {
        let read = |stdout: Vec<u8>| {
            let output = HookOutput { exit: Ok(0), stdout, stderr: Vec::new(), complete: true };
            read_hook_output(&EventName::PreToolUse, &output)
        };
        let wide = |text: &str, mark: &str| -> Vec<u8> {
            format!("{mark}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
        };
        for mark in ["\u{feff}", ""] {
            let reply = read(wide(DENY, mark));
            assert_eq!(reply.decision, Decision::Deny);
            assert_eq!(reply.problem.as_deref(), Some("wrote UTF-16 instead of UTF-8"));
        }
        let garbage = read(vec![0xff, 0x80, 0x81, 0x01]);
        assert_eq!(garbage.problem.as_deref(), Some("wrote bytes that aren't UTF-8"));
        assert_eq!(read(vec![1, 2, 3]).problem.as_deref(), Some("wrote control characters"));
        assert_eq!(read(b"\x1b[32mchecked\x1b[0m\n".to_vec()).problem, None);
    }

    #[test]
    fn an_output_that_may_be_cut_grants_nothing() {
        let mut output =
            HookOutput { exit: Ok(0), stdout: ALLOW.into(), stderr: Vec::new(), complete: false };
        assert_eq!(read_hook_output(&EventName::PreToolUse, &output).decision, Decision::Pass);
        output.stdout = DENY.into();
        assert_eq!(read_hook_output(&EventName::PreToolUse, &output).decision, Decision::Deny);
    }

    fn printed(stdout: String) -> HookReply {
        let output =
            HookOutput { exit: Ok(0), stdout: stdout.into_bytes(), stderr: Vec::new(), complete: true };
        read_hook_output(&EventName::PreToolUse, &output)
    }

    #[test]
    fn a_megabyte_of_beginnings_is_a_problem_and_not_waited_for() {
        let start = Instant::now();
        for text in ["{", "{\n", "{}\n", "{\"a\":"] {
            let reply = printed(text.repeat(1_000_000 / text.len()));
            assert!(reply.problem.is_some(), "{text}");
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn an_answer_behind_lines_of_a_log_counts() {
        let log = "{\"level\":\"info\"}\n".repeat(200);
        assert_eq!(printed(format!("{log}{DENY}\n")).decision, Decision::Deny);
        assert_eq!(printed(format!("{{ not json\n{DENY}\n")).decision, Decision::Deny);
    }
}
