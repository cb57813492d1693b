//! Texts that print all of the environment, in the languages whose values are not followed that far.

use super::Language;

/// Words of a text that takes only some of the variables.
const CHOOSES: &[&str] = &["if ", "if(", "unless", "grep", "select", "reject", "filter", "slice", "~", "=="];

/// Does the text print the whole environment?
pub(super) fn is_shown(language: Language, text: &str) -> bool {
    let some = || CHOOSES.iter().any(|word| text.contains(word));
    let dense = || text.split_whitespace().collect::<String>();
    match language {
        Language::Perl => {
            text.contains("%ENV")
                && ["print", "say", "Dumper"].iter().any(|word| text.contains(word))
                && !some()
        }
        Language::Php => {
            let text = dense();
            ["print_r(", "var_dump(", "var_export(", "json_encode("]
                .iter()
                .any(|show| ["$_ENV)", "getenv())"].iter().any(|all| text.contains(&format!("{show}{all}"))))
        }
        Language::Awk => {
            let text = dense();
            text.contains("inENVIRON)") && text.contains("ENVIRON[") && text.contains("print") && !some()
        }
        Language::Ruby => text.match_indices("ENV").any(|(at, name)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + name.len()..).unwrap_or_default();
            let shown = before.trim_end().trim_end_matches('(');
            let shown = shown.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
            let whole = after.trim_start().is_empty()
                || after.starts_with([';', '\n', ')', ' '])
                || [".to_h", ".to_a", ".inspect", ".sort", ".values"]
                    .iter()
                    .any(|call| after.starts_with(call));
            let each = [".each", ".map"].iter().any(|call| after.starts_with(call)) && text.contains("put");
            (matches!(shown, "p" | "pp" | "puts" | "print") && whole || each) && !some()
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_told_from_some() {
        for (language, text) in [
            (Language::Perl, "print \"$_=$ENV{$_}\\n\" for sort keys %ENV"),
            (Language::Php, "print_r( $_ENV );"),
            (Language::Php, "var_dump(getenv());"),
            (Language::Ruby, "puts ENV.to_h"),
            (Language::Ruby, "p(ENV)"),
            (Language::Ruby, "ENV.each { |k, v| puts k, v }"),
            (Language::Awk, "BEGIN { for (k in ENVIRON) print k, ENVIRON[k] }"),
        ] {
            assert!(is_shown(language, text), "{text}");
        }
        for (language, text) in [
            (Language::Perl, "print $ENV{HOME}"),
            (Language::Perl, "print for grep { /^LC_/ } keys %ENV"),
            (Language::Php, "echo getenv('HOME');"),
            (Language::Ruby, "puts ENV['HOME'], ENV.fetch('LANG')"),
            (Language::Ruby, "system(ENV.to_h, 'ls')"),
            (Language::Awk, "{ print ENVIRON[\"HOME\"] }"),
        ] {
            assert!(!is_shown(language, text), "{text}");
        }
    }
}
