//! The entries of a policy file (`[[rule]]`, `[[gate]]` and their like) as their author wrote them.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// One entry of a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name in the double brackets, such as `gate`.
    pub table: String,
    /// The line that it begins on, from 1.
    pub line: usize,
    /// Its own keys with their values, in TOML, in the order of the file. Tables below it are left out.
    pub values: Vec<(String, String)>,
    /// All of it, in TOML.
    pub text: String,
}

/// The entries of a policy's text, in the order of the file; what can't be read is left out.
#[must_use]
pub fn entries(text: &str) -> Vec<Entry> {
    let (document, _) = DeTable::parse_recoverable(text);
    let mut found: Vec<(usize, Entry)> = Vec::new();
    for (name, list) in document.get_ref() {
        let DeValue::Array(items) = list.get_ref() else { continue };
        for item in items {
            let Some(table) = item.get_ref().as_table() else { continue };
            let span = whole(table, item.span());
            let from = text.get(..span.start).unwrap_or_default();
            let mut values: Vec<(usize, (String, String))> = table
                .iter()
                .filter_map(|(key, value)| {
                    let value_text = text.get(value.span())?.to_owned();
                    let is_below = value_text.starts_with('[') && value.get_ref().as_table().is_some();
                    (!is_below).then(|| (value.span().start, (key.get_ref().to_string(), value_text)))
                })
                .collect();
            values.sort_by_key(|(at, _)| *at);
            let entry = Entry {
                table: name.get_ref().to_string(),
                line: from.bytes().filter(|byte| *byte == b'\n').count() + 1,
                values: values.into_iter().map(|(_, value)| value).collect(),
                text: text.get(span.clone()).unwrap_or_default().trim().to_owned(),
            };
            found.push((span.start, entry));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// From where a table begins to where the last of its values ends.
fn whole(table: &DeTable<'_>, span: Range<usize>) -> Range<usize> {
    table.iter().fold(span, |span, (_, value)| {
        let end = match value.get_ref() {
            DeValue::Table(below) => whole(below, value.span()).end,
            _ => value.span().end,
        };
        span.start..span.end.max(end)
    })
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn entries_are_listed_as_they_were_written() {
        let text = "mode = \"shadow\"\n\n# why\n[[gate]]\ncheck = [\"tests\",\n  \"marks\"] # both\nmax-blocks = 2\n\n\
                    [rules]\nGIT002 = \"ask\"\n\n[[rule]]\ncode = \"ACME001\"\n[rule.when]\nwrite = \"x/**\"\n\n\
                    [[gate]]\nrun = \"make lint\"\n";
        let found = entries(text);
        let heads: Vec<(&str, usize)> =
            found.iter().map(|entry| (entry.table.as_str(), entry.line)).collect();
        assert_eq!(heads, [("gate", 4), ("rule", 12), ("gate", 17)]);
        let texts: Vec<&str> = found.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "[[gate]]\ncheck = [\"tests\",\n  \"marks\"] # both\nmax-blocks = 2",
                "[[rule]]\ncode = \"ACME001\"\n[rule.when]\nwrite = \"x/**\"",
                "[[gate]]\nrun = \"make lint\"",
            ]
        );
        let keys: Vec<&str> =
            found.iter().flat_map(|entry| &entry.values).map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["check", "max-blocks", "code", "run"]);
    }

    #[test]
    fn a_list_on_one_line_and_what_cant_be_read_are_no_surprise() {
        let found = entries("rule = [{ code = \"A1\", then = \"deny\" }, { code = \"A2\" }]\nhook = 3\n");
        let texts: Vec<&str> = found.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(texts, ["{ code = \"A1\", then = \"deny\" }", "{ code = \"A2\" }"]);
        assert_eq!(entries("[[gate]]\ncheck = \"te"), entries("[[gate]]\ncheck = \"te"));
        assert!(entries("= = =").is_empty());
    }
}
