//! Any text as a policy: read or refused, and every error can be shown.

#![no_main]

use hookgate_policy::{Check, Date, KnownRule, LayerKind, Level, Policy, Source, Vocabulary};
use libfuzzer_sys::fuzz_target;

const RULES: &[KnownRule<'_>] = &[
    KnownRule { code: "GATE001" },
    KnownRule { code: "GIT007" },
];

fuzz_target!(|text: &str| {
    let vocabulary = Vocabulary { rules: RULES };
    let today = Date { year: 2026, month: 11, day: 21 };
    let source = |trusted| Source { kind: LayerKind::Project, path: ".hookgate.toml", text, trusted };
    let (_, diagnostics) = Policy::load(&[source(true)], &vocabulary, Check::Thorough { today });
    for diagnostic in &diagnostics {
        assert!(diagnostic.span.end <= text.len());
        assert!(!diagnostic.render(text).is_empty());
        assert!(!diagnostic.line(text).contains('\n') || diagnostic.message.contains('\n'));
    }
    // Law 9: without trust nothing is looser than without the file.
    let (untrusted, _) = Policy::load(&[source(false)], &vocabulary, Check::Quick);
    let nothing = Policy::join(Vec::new());
    assert!(untrusted.mode >= nothing.mode);
    assert!(untrusted.level("GATE001").strictness() >= nothing.level("GATE001").strictness());
    assert!(untrusted.rules.iter().all(|rule| rule.then != Level::Allow && rule.reason.is_empty()));
    assert!(untrusted.exceptions.is_empty());
});
