//! `[[hook]]` and `[[judge]]` entries that came from an agent's settings: found again for the way back, and written.

use std::fmt::Write as _;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A hook that was moved from an agent's settings into a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedHook {
    /// Where it stands in the policy's text, line breaks included.
    pub span: Range<usize>,
    /// The settings file that it was in.
    pub settings: String,
    /// The event that it was for, by the agent's name.
    pub event: String,
    /// The matcher of its group.
    pub matcher: Option<String>,
    /// The handler, as JSON text.
    pub handler: String,
}

impl ImportedHook {
    /// A hook of these settings that stands in no policy yet: its span is of no meaning.
    #[must_use]
    pub fn of(settings: &str, event: &str, matcher: Option<&str>, handler: &serde_json::Value) -> Self {
        Self {
            span: 0..0,
            settings: settings.to_owned(),
            event: event.to_owned(),
            matcher: matcher.map(str::to_owned),
            handler: handler.to_string(),
        }
    }
}

/// What a hook of an agent's settings becomes in a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportEntry {
    /// A program under supervision.
    Hook(ImportHook),
    /// A criterion of a judge.
    Question(ImportQuestion),
}

/// A question to a model, on its way from an agent's settings into a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportQuestion {
    /// Where it comes from; its span is of no meaning.
    pub from: ImportedHook,
    /// The condition as TOML; `None` for always.
    pub when: Option<String>,
    /// The question.
    pub ask: String,
    /// Who is asked, as `judge.model` says it.
    pub model: String,
    /// Its time limit, in milliseconds.
    pub deadline: u64,
}

/// The text of judges that ask these questions: one for all that are asked of one model about one event, so that they cost one call.
/// Each begins with a blank line.
#[must_use]
pub fn judges(questions: &[ImportQuestion]) -> String {
    let key = |one: &ImportQuestion| {
        (one.from.event.clone(), one.from.matcher.clone(), one.model.clone(), one.from.settings.clone())
    };
    let mut groups: Vec<Vec<&ImportQuestion>> = Vec::new();
    for question in questions {
        let full = |group: &[&ImportQuestion]| group.len() >= crate::judge::MOST_CRITERIA;
        let own = |group: &&mut Vec<&ImportQuestion>| {
            group.first().is_some_and(|first| key(first) == key(question)) && !full(group)
        };
        match groups.iter_mut().find(own) {
            Some(group) => group.push(question),
            None => groups.push(vec![question]),
        }
    }
    groups.iter().map(|group| judge(group)).collect()
}

fn judge(questions: &[&ImportQuestion]) -> String {
    let Some(first) = questions.first() else { return String::new() };
    let mut text = "\n[[judge]] # moved here by `hookgate init --import`\n".to_owned();
    let _ = writeln!(text, "on = {}", quoted(&first.from.event));
    if let Some(when) = &first.when {
        let _ = writeln!(text, "when = {when}");
    }
    let _ = writeln!(text, "model = {}\ncriteria = [", quoted(&first.model));
    for (at, question) in questions.iter().enumerate() {
        let _ = writeln!(text, "  {{ id = \"check-{}\", ask = {} }},", at + 1, quoted(&question.ask));
    }
    let longest = questions.iter().map(|question| question.deadline).max().unwrap_or_default();
    // The hooks held back unmeasured, too.
    let _ = writeln!(text, "]\ndeadline = \"{}\"\nunmeasured = true", length(longest));
    let handlers: Vec<String> = questions.iter().map(|question| question.from.handler.clone()).collect();
    let _ = writeln!(text, "imported = {{ {}, handlers = {} }}", origin(&first.from), list(&handlers));
    text
}

/// The fields of `imported` that say which group of the settings a hook was in.
fn origin(from: &ImportedHook) -> String {
    let matcher = from.matcher.as_ref().map(|matcher| format!(", matcher = {}", quoted(matcher)));
    let (settings, event) = (quoted(&from.settings), quoted(&from.event));
    format!("settings = {settings}, event = {event}{}", matcher.unwrap_or_default())
}

/// A length of time as a policy says it.
fn length(millis: u64) -> String {
    match millis {
        millis if millis % 60_000 == 0 => format!("{}m", millis / 60_000),
        millis if millis % 1_000 == 0 => format!("{}s", millis / 1_000),
        millis => format!("{millis}ms"),
    }
}

/// A program on its way from an agent's settings into a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportHook {
    /// Where it comes from; its span is of no meaning.
    pub from: ImportedHook,
    /// The condition as TOML; `None` for always.
    pub when: Option<String>,
    /// A text for the shell, or a program and its arguments.
    pub run: crate::HookProgram,
    /// Its time limit, in milliseconds.
    pub deadline: u64,
    /// What its failure gets.
    pub on_error: &'static str,
}

impl ImportHook {
    /// The entry's text, which begins with a blank line.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = "\n[[hook]] # moved here by `hookgate init --import`\n".to_owned();
        let _ = writeln!(text, "on = {}", quoted(&self.from.event));
        if let Some(when) = &self.when {
            let _ = writeln!(text, "when = {when}");
        }
        let run = match &self.run {
            crate::HookProgram::Shell(text) => quoted(text),
            crate::HookProgram::Arguments(words) => list(words),
        };
        let _ = writeln!(text, "run = {run}");
        let _ = writeln!(text, "deadline = \"{}\"\non-error = \"{}\"", length(self.deadline), self.on_error);
        let handler = quoted(&self.from.handler);
        let _ = writeln!(text, "imported = {{ {}, handler = {handler} }}", origin(&self.from));
        text
    }
}

/// Texts as a TOML list.
#[must_use]
pub fn list(words: &[String]) -> String {
    format!("[{}]", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", "))
}

/// A text as a TOML string: literal where that is possible, so that commands stay readable.
#[must_use]
pub fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) && !text.contains('\'') && !text.contains(char::is_control) {
        return format!("'{text}'");
    }
    // JSON's escapes are TOML's, but for one character that JSON lets stand.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// The hooks of a policy file that came from an agent's settings, in the file's order. None where it can't be read.
#[must_use]
pub fn imported_hooks(text: &str) -> Vec<ImportedHook> {
    let Ok(document) = DeTable::parse(text) else { return Vec::new() };
    let entries =
        ["hook", "judge"].into_iter().filter_map(|name| document.get_ref().get(name)?.get_ref().as_array());
    let mut found: Vec<ImportedHook> = entries.flatten().flat_map(|entry| imported(text, entry)).collect();
    found.sort_by_key(|hook| hook.span.start);
    found
}

/// The policy's text without these hooks.
#[must_use]
pub fn without(text: &str, hooks: &[&ImportedHook]) -> String {
    let mut rest = text.to_owned();
    let mut spans: Vec<&Range<usize>> = hooks.iter().map(|hook| &hook.span).collect();
    spans.sort_by_key(|span| span.start);
    // The criteria of a judge stand in one entry.
    spans.dedup();
    for span in spans.into_iter().rev() {
        if rest.is_char_boundary(span.start) && rest.is_char_boundary(span.end) && span.start <= span.end {
            rest.replace_range(span.clone(), "");
        }
    }
    rest
}

/// What an entry was in the settings: one hook, or one for each criterion of a judge.
fn imported(text: &str, entry: &Spanned<DeValue<'_>>) -> Vec<ImportedHook> {
    let one = |entry: &Spanned<DeValue<'_>>| {
        let table = entry.get_ref().as_table()?;
        let from = table.get("imported")?.get_ref().as_table()?;
        let field = |name: &str| from.get(name)?.get_ref().as_str().map(str::to_owned);
        let several = from.get("handlers").and_then(|list| list.get_ref().as_array());
        let several = several.into_iter().flatten().filter_map(|item| item.get_ref().as_str());
        let handlers: Vec<String> = field("handler").into_iter().chain(several.map(str::to_owned)).collect();
        let (settings, event, matcher) = (field("settings")?, field("event")?, field("matcher"));
        let span = lines(text, entry)?;
        let hook = |handler| ImportedHook {
            span: span.clone(),
            settings: settings.clone(),
            event: event.clone(),
            matcher: matcher.clone(),
            handler,
        };
        Some(handlers.into_iter().map(hook).collect::<Vec<_>>())
    };
    one(entry).unwrap_or_default()
}

/// The whole lines of an entry.
fn lines(text: &str, entry: &Spanned<DeValue<'_>>) -> Option<Range<usize>> {
    let table = entry.get_ref().as_table()?;
    let spans = table.iter().flat_map(|(key, value)| [key.span(), value.span()]);
    let end = spans.map(|span| span.end).chain([entry.span().end]).max()?;
    // Whole lines, with the blank line above that `to_toml` writes.
    let start = text.get(..entry.span().start)?.rfind('\n').map_or(0, |at| at + 1);
    let start = if text.get(..start)?.ends_with("\n\n") || text.get(..start) == Some("\n") {
        start - 1
    } else {
        start
    };
    let end = text.get(end..)?.find('\n').map_or(text.len(), |at| end + at + 1);
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HookProgram;

    fn entry(handler: &str) -> ImportHook {
        ImportHook {
            from: ImportedHook {
                span: 0..0,
                settings: "/home/dev/.claude/settings.json".to_owned(),
                event: "PreToolUse".to_owned(),
                matcher: Some("Edit|Write".to_owned()),
                handler: handler.to_owned(),
            },
            when: Some(format!("{{ tool = {} }}", list(&["Edit".to_owned(), "Write".to_owned()]))),
            run: HookProgram::Shell("echo \"it's\"\n\u{7f}".to_owned()),
            deadline: 1_500,
            on_error: "notice",
        }
    }

    #[test]
    fn what_is_written_is_found_again_and_cut_out_without_a_trace() {
        for before in
            ["", "mode = \"shadow\"\n", "[[hook]]\non = \"Stop\"\nrun = \"x\"\n\n[rules]\nGIT = \"deny\"\n"]
        {
            let handler = "{ \"type\": \"command\", \"command\": \"a 'b' \\\"c\\\"\" }";
            let text = format!("{before}{}{}", entry(handler).to_toml(), entry("{}").to_toml());
            let found = imported_hooks(&text);
            let handlers: Vec<&str> = found.iter().map(|hook| hook.handler.as_str()).collect();
            assert_eq!(handlers, [handler, "{}"], "{text}");
            assert_eq!(found.first().unwrap().matcher.as_deref(), Some("Edit|Write"));
            assert_eq!(without(&text, &found.iter().collect::<Vec<_>>()), before);
            let first = without(&text, &found.iter().take(1).collect::<Vec<_>>());
            assert_eq!(first, format!("{before}{}", entry("{}").to_toml()));
        }
        assert!(imported_hooks("[[hook]]\nrun = \"x\"\n").is_empty());
        assert!(imported_hooks("not toml").is_empty());
    }
    #[test]
    fn questions_of_one_event_and_model_are_one_judge_that_is_found_again() {
        let question = |event: &str, model: &str, number: usize| ImportQuestion {
            from: ImportedHook::of("/s.json", event, None, &serde_json::json!({ "prompt": number })),
            when: None,
            ask: format!("is \"{number}\"\nso?"),
            model: model.to_owned(),
            deadline: 1_000 * u64::try_from(number).unwrap(),
        };
        let before = "mode = \"shadow\"\n";
        let mut all: Vec<ImportQuestion> =
            (1..=22).map(|number| question("Stop", "agent:claude@haiku", number)).collect();
        all.push(question("SubagentStop", "agent:claude@haiku", 1));
        all.push(question("Stop", "agent:claude@sonnet", 1));
        let text = format!("{before}{}", judges(&all));
        assert_eq!(text.matches("[[judge]]").count(), 4, "{text}");
        assert!(text.contains("deadline = \"20s\"\nunmeasured = true\n"), "{text}");
        let found = imported_hooks(&text);
        let mut handlers: Vec<&str> = found.iter().map(|hook| hook.handler.as_str()).collect();
        handlers.sort_unstable();
        let mut expected: Vec<&str> = all.iter().map(|one| one.from.handler.as_str()).collect();
        expected.sort_unstable();
        assert_eq!(handlers, expected);
        assert_eq!(without(&text, &found.iter().collect::<Vec<_>>()), before);
    }
}
