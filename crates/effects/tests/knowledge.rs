//! Every case of every knowledge file.

mod support;

use std::path::Path;

#[test]
fn every_case_of_every_knowledge_file_holds() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../knowledge");
    let (count, failed) = support::failures(&directory);
    assert!(failed.is_empty(), "{} of {count} cases fail:\n{}", failed.len(), failed.join("\n"));
}
