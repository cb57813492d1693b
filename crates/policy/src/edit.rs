//! Edits of a policy file's text, which leave everything else as its author wrote it.

use toml::de::{DeTable, DeValue};

use crate::level::Level;

/// The policy's text with these presets in the place of those that it names.
#[must_use]
pub fn with_presets(text: &str, names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let list = format!("[{}]", quoted.join(", "));
    let (document, _) = DeTable::parse_recoverable(text);
    let stated = document.get_ref().get("presets").map(toml::Spanned::span);
    match stated.and_then(|span| Some((text.get(..span.start)?, text.get(span.end..)?))) {
        Some((before, after)) => format!("{before}{list}{after}"),
        None => format!("presets = {list}\n{text}"),
    }
}

/// The policy's text with this level for a rule or a group.
#[must_use]
pub fn with_level(text: &str, selector: &str, level: Level) -> String {
    let value = format!("\"{}\"", level.name());
    let (document, _) = DeTable::parse_recoverable(text);
    let rules = document.get_ref().get("rules");
    let stated = rules.and_then(|rules| rules.get_ref().as_table()?.get(selector)).map(toml::Spanned::span);
    if let Some((before, after)) =
        stated.and_then(|span| Some((text.get(..span.start)?, text.get(span.end..)?)))
    {
        return format!("{before}{value}{after}");
    }
    let header = text.lines().position(|line| line.trim() == "[rules]");
    let line = format!("{selector} = {value}\n");
    match header {
        Some(at) => {
            let lines = text.split_inclusive('\n').enumerate();
            lines
                .map(
                    |(number, text)| {
                        if number == at { format!("{}\n{line}", text.trim_end()) } else { text.to_owned() }
                    },
                )
                .collect()
        }
        None => appended(text, &format!("[rules]\n{line}")),
    }
}

/// The policy's text with an exception at its end. `when` is the condition in TOML, without its key.
#[must_use]
pub fn with_exception(text: &str, code: &str, when: &str, reason: &str) -> String {
    let reason = crate::imported::quoted(reason);
    appended(text, &format!("[[exception]]\ncode = \"{code}\"\nwhen = {when}\nreason = {reason}\n"))
}

fn appended(text: &str, table: &str) -> String {
    match text {
        "" => table.to_owned(),
        text if text.ends_with('\n') => format!("{text}\n{table}"),
        text => format!("{text}\n\n{table}"),
    }
}

/// What a policy's text states: the path of each key that holds a value, with the value as TOML. Lists of tables (`[[rule]]`) are
/// left out, and so is what can't be read.
#[must_use]
pub fn stated(text: &str) -> Vec<(String, String)> {
    let (document, _) = DeTable::parse_recoverable(text);
    let mut found = Vec::new();
    collect(text, "", document.get_ref(), &mut found);
    found
}

fn collect(text: &str, above: &str, table: &DeTable<'_>, found: &mut Vec<(String, String)>) {
    for (key, value) in table {
        let name = key.get_ref();
        let path = if above.is_empty() { name.to_string() } else { format!("{above}.{name}") };
        match value.get_ref() {
            DeValue::Table(inner) => collect(text, &path, inner, found),
            DeValue::Array(items) if items.iter().any(|item| item.get_ref().as_table().is_some()) => {}
            _ => found.extend(text.get(value.span()).map(|value| (path, value.to_owned()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, stated, with_exception, with_level, with_presets};

    #[test]
    fn a_level_replaces_the_one_that_is_stated_or_joins_the_others() {
        assert_eq!(with_level("", "GIT002", Level::Ask), "[rules]\nGIT002 = \"ask\"\n");
        assert_eq!(
            with_level("[rules] \nGIT = \"deny\" # why\n", "GIT", Level::Off),
            "[rules] \nGIT = \"off\" # why\n"
        );
        assert_eq!(
            with_level("mode = \"shadow\"\n[rules]\nA = \"ask\"\n[audit]\n", "B", Level::Off),
            "mode = \"shadow\"\n[rules]\nB = \"off\"\nA = \"ask\"\n[audit]\n"
        );
        assert_eq!(with_level("rules.A = \"ask\"", "A", Level::Off), "rules.A = \"off\"");
    }

    #[test]
    fn an_exception_is_a_table_at_the_end() {
        assert_eq!(
            with_exception(
                "mode = \"shadow\"",
                "FILE015",
                "{ delete = \"./dist/\" }",
                "made anew by the build"
            ),
            "mode = \"shadow\"\n\n[[exception]]\ncode = \"FILE015\"\nwhen = { delete = \"./dist/\" }\nreason = \"made anew by the build\"\n"
        );
    }

    #[test]
    fn values_are_listed_with_their_keys() {
        let text = "mode = \"shadow\"\n[rules]\nGIT = \"deny\"\n[unknown]\nprogram = \"ask\"\n[[rule]]\ncode = \"A1\"\n";
        let found = stated(text);
        let found: Vec<String> = found.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(found, ["mode=\"shadow\"", "rules.GIT=\"deny\"", "unknown.program=\"ask\""]);
    }

    #[test]
    fn presets_replace_those_that_are_named_and_leave_the_rest() {
        let names = ["recommended".to_owned(), "infra".to_owned()];
        assert_eq!(with_presets("", &names), "presets = [\"recommended\", \"infra\"]\n");
        assert_eq!(
            with_presets("# mine\npresets = [\"quiet\"] # why\nmode = \"shadow\"\n", &names),
            "# mine\npresets = [\"recommended\", \"infra\"] # why\nmode = \"shadow\"\n"
        );
        assert_eq!(
            with_presets("[rules]\nGIT = \"deny\"\n", &names),
            "presets = [\"recommended\", \"infra\"]\n[rules]\nGIT = \"deny\"\n"
        );
    }
}
