//! What the interpreter makes of shell text: the cases in `tests/cases`.

mod support;

use std::path::Path;

#[test]
fn every_case_holds() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let (count, failed) = support::failures(&directory);
    assert!(failed.is_empty(), "{} of {count} cases fail:\n{}", failed.len(), failed.join("\n"));
}
