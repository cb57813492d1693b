//! Whatever stands in a policy file, it is read or refused, and every error can be shown.

use hookgate_policy::keys::KEYS;
use hookgate_policy::{Check, Date, KnownRule, LayerKind, Level, Policy, Source, Vocabulary};
use proptest::prelude::*;

const RULES: &[KnownRule<'_>] = &[KnownRule { code: "GIT007" }];

/// Examples run together, with a piece cut out and another put in.
fn damaged() -> impl Strategy<Value = String> {
    let examples = prop::collection::vec(prop::sample::select(KEYS), 1..4);
    (examples, any::<prop::sample::Index>(), 0..12_usize, "[\\[\\]{}=\"'\\\\a-zü0-9 \n.*/#-]{0,8}").prop_map(
        |(keys, at, cut, put)| {
            let text = keys.iter().map(|key| key.example).collect::<Vec<_>>().join("\n");
            let mut characters: Vec<char> = text.chars().collect();
            let at = at.index(characters.len());
            let end = (at + cut).min(characters.len());
            characters.splice(at..end, put.chars());
            characters.into_iter().collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_damaged_policy_is_read_or_refused(text in damaged()) {
        let vocabulary = Vocabulary { rules: RULES };
        let today = Date { year: 2026, month: 11, day: 21 };
        let source = |trusted| Source { kind: LayerKind::Project, path: "p", text: &text, trusted };
        let (_, diagnostics) = Policy::load(&[source(true)], &vocabulary, Check::Thorough { today });
        for diagnostic in &diagnostics {
            prop_assert!(diagnostic.span.end <= text.len(), "{:?}", diagnostic);
            prop_assert!(diagnostic.render(&text).contains("hookgate/blob/main/docs/policy-reference.md"));
            prop_assert_eq!(diagnostic.line(&text).lines().count(), 1);
        }
        let (untrusted, _) = Policy::load(&[source(false)], &vocabulary, Check::Quick);
        prop_assert!(untrusted.rules.iter().all(|rule| rule.then != Level::Allow && rule.reason.is_empty()));
        prop_assert_eq!(untrusted.exceptions.len(), 0);
    }
}
