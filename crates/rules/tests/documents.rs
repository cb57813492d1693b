//! Every policy that the documentation shows can be pasted into a file: it is read without a word, with the rules that
//! there really are.

use std::path::{Path, PathBuf};

use hookgate_policy::keys::KEYS;
use hookgate_policy::{Check, Date, LayerKind, Policy, Source, Vocabulary};
use hookgate_rules::lookup;

const TODAY: Date = Date { year: 2026, month: 11, day: 21 };

/// What is said about a policy file; empty where nothing is.
fn said(text: &str) -> String {
    let source = Source { kind: LayerKind::User, path: "hookgate.toml", text, trusted: true };
    let rules = lookup::vocabulary();
    let (_, diagnostics) =
        Policy::load(&[source], &Vocabulary { rules: &rules }, Check::Thorough { today: TODAY });
    diagnostics.iter().map(|one| one.render(text)).collect()
}

#[test]
fn the_example_of_every_key_is_read_without_a_word() {
    for key in KEYS {
        assert_eq!(said(key.example), "", "{}", key.path);
        let name = key.path.rsplit('.').next().unwrap();
        assert!(key.example.contains(name), "the example of {} does not use it", key.path);
    }
}

#[test]
fn every_policy_in_the_documentation_is_read_without_a_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<PathBuf> = vec![root.join("README.md")];
    for folder in ["docs", "docs/design"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    let mut count = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for block in text.split("\n```toml\n").skip(1) {
            let policy = block.split("\n```").next().unwrap();
            assert_eq!(said(policy), "", "{}:\n{policy}", page.display());
            count += 1;
        }
    }
    assert!(count > 100, "only {count} examples");
}
