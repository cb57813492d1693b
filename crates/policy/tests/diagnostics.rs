//! The exact text of every error, and silence about what is right.
//!
//! `tests/invalid/NAME.toml` must give exactly `tests/invalid/NAME.txt`; `UPDATE=1` writes the texts anew.

use hookgate_policy::{Check, Date, KnownRule, LayerKind, Policy, Source, Vocabulary};
use std::fs;
use std::path::{Path, PathBuf};

const TODAY: Date = Date { year: 2026, month: 11, day: 21 };
const RULES: &[KnownRule<'_>] = &[
    KnownRule { code: "FS001" },
    KnownRule { code: "GATE001" },
    KnownRule { code: "GIT007" },
    KnownRule { code: "GIT010" },
];

fn files(folder: &str) -> std::io::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(!files.is_empty());
    Ok(files)
}

fn render(text: &str) -> String {
    let source = Source { kind: LayerKind::User, path: "hookgate.toml", text, trusted: true };
    let (_, diagnostics) =
        Policy::load(&[source], &Vocabulary { rules: RULES }, Check::Thorough { today: TODAY });
    diagnostics.iter().map(|one| one.render(text)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_valid_policy_is_read_without_a_word() {
    for file in files("valid").unwrap() {
        assert_eq!(render(&fs::read_to_string(&file).unwrap()), "", "{}", file.display());
    }
}

#[test]
fn an_invalid_policy_gets_exactly_these_errors() {
    let update = std::env::var_os("UPDATE").is_some();
    for file in files("invalid").unwrap() {
        let text = render(&fs::read_to_string(&file).unwrap());
        assert_ne!(text, "", "{} is valid", file.display());
        let expected = file.with_extension("txt");
        if update {
            fs::write(&expected, text).unwrap();
        } else {
            assert_eq!(text, fs::read_to_string(&expected).unwrap_or_default(), "{}", file.display());
        }
    }
}
