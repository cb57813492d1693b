//! What the interpreter makes of shell text: the cases in `tests/cases`.

mod support;

use std::path::Path;

#[test]
fn every_case_holds() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = support::files(&directory);
    let failed: Vec<String> = files.iter().flat_map(|file| support::failures(file).1).collect();
    assert!(failed.is_empty(), "{} cases fail:\n{}", failed.len(), failed.join("\n"));
}
