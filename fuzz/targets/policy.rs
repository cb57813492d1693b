//! Any text as a policy file, in every layer: no panic.

#![no_main]

use hookgate_policy::{Check, Date, LayerKind, Policy, Source, Vocabulary};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let vocabulary = Vocabulary { rules: &[] };
    for kind in [LayerKind::Managed, LayerKind::User, LayerKind::Project, LayerKind::Local] {
        let source = Source { kind, path: "policy.toml", text, trusted: text.len() % 2 == 0 };
        let _ = Policy::load(&[source], &vocabulary, Check::Quick);
        let today = Date::from_unix_seconds(1_800_000_000);
        let _ = Policy::load(&[source], &vocabulary, Check::Thorough { today });
    }
});
