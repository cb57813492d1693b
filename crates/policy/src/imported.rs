//! `[[hook]]` entries that came from an agent's settings: found again for the way back, and written.

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

/// A hook on its way from an agent's settings into a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportEntry {
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

impl ImportEntry {
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
        let deadline = match self.deadline {
            millis if millis % 60_000 == 0 => format!("{}m", millis / 60_000),
            millis if millis % 1_000 == 0 => format!("{}s", millis / 1_000),
            millis => format!("{millis}ms"),
        };
        let _ = writeln!(text, "deadline = \"{deadline}\"\non-error = \"{}\"", self.on_error);
        let matcher = match &self.from.matcher {
            Some(matcher) => format!("matcher = {}, ", quoted(matcher)),
            None => String::new(),
        };
        let _ = writeln!(
            text,
            "imported = {{ settings = {}, event = {}, {matcher}handler = {} }}",
            quoted(&self.from.settings),
            quoted(&self.from.event),
            quoted(&self.from.handler)
        );
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
    let Some(DeValue::Array(hooks)) = document.get_ref().get("hook").map(Spanned::get_ref) else {
        return Vec::new();
    };
    let mut found: Vec<ImportedHook> = hooks.iter().filter_map(|hook| imported(text, hook)).collect();
    found.sort_by_key(|hook| hook.span.start);
    found
}

/// The policy's text without these hooks.
#[must_use]
pub fn without(text: &str, hooks: &[&ImportedHook]) -> String {
    let mut rest = text.to_owned();
    let mut spans: Vec<&Range<usize>> = hooks.iter().map(|hook| &hook.span).collect();
    spans.sort_by_key(|span| span.start);
    for span in spans.into_iter().rev() {
        if rest.is_char_boundary(span.start) && rest.is_char_boundary(span.end) && span.start <= span.end {
            rest.replace_range(span.clone(), "");
        }
    }
    rest
}

fn imported(text: &str, hook: &Spanned<DeValue<'_>>) -> Option<ImportedHook> {
    let table = hook.get_ref().as_table()?;
    let from = table.get("imported")?.get_ref().as_table()?;
    let field = |name: &str| from.get(name)?.get_ref().as_str().map(str::to_owned);
    let spans = table.iter().flat_map(|(key, value)| [key.span(), value.span()]);
    let end = spans.map(|span| span.end).chain([hook.span().end]).max()?;
    // Whole lines, with the blank line above that `to_toml` writes.
    let start = text.get(..hook.span().start)?.rfind('\n').map_or(0, |at| at + 1);
    let start = if text.get(..start)?.ends_with("\n\n") || text.get(..start) == Some("\n") {
        start - 1
    } else {
        start
    };
    let end = text.get(end..)?.find('\n').map_or(text.len(), |at| end + at + 1);
    Some(ImportedHook {
        span: start..end,
        settings: field("settings")?,
        event: field("event")?,
        matcher: field("matcher"),
        handler: field("handler")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HookProgram;

    fn entry(handler: &str) -> ImportEntry {
        ImportEntry {
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
}
