//! The description of the keys and the reader agree.

use hookgate_policy::keys::{KEYS, children};
use hookgate_policy::{Check, Date, KnownRule, LayerKind, Policy, Source, Vocabulary};

const TODAY: Date = Date { year: 2026, month: 11, day: 21 };
const RULES: &[KnownRule<'_>] =
    &[KnownRule { code: "FS001", options: &[] }, KnownRule { code: "GIT007", options: &[] }];

#[test]
fn the_example_of_every_key_is_read_without_a_word() {
    for key in KEYS {
        let source =
            Source { kind: LayerKind::User, path: "hookgate.toml", text: key.example, trusted: true };
        let (_, diagnostics) =
            Policy::load(&[source], &Vocabulary { rules: RULES }, Check::Thorough { today: TODAY });
        let text: String = diagnostics.iter().map(|one| one.render(key.example)).collect();
        assert_eq!(text, "", "{}", key.path);
        let name = key.path.rsplit('.').next().unwrap();
        assert!(key.example.contains(name), "the example of {} does not use it", key.path);
    }
}

#[test]
fn every_key_stands_below_one_that_has_keys() {
    for key in KEYS {
        if let Some((parent, name)) = key.path.rsplit_once('.') {
            assert!(KEYS.iter().any(|other| other.path == parent), "{} has no parent", key.path);
            assert!(children(parent).any(|child| child == name), "{}", key.path);
        }
    }
}
