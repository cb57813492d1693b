//! Edits of a policy file's text, which leave everything else as its author wrote it.

use toml::de::DeTable;

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

#[cfg(test)]
mod tests {
    use super::with_presets;

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
