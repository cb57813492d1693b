//! Files that are generated from the code, and checked in so that they can be read without building it.

use std::path::Path;

use crate::answers;

/// A generated file: its path below the workspace's root, and what is in it.
type Generated = (&'static str, fn() -> Result<String, String>);

/// Every generated file.
const FILES: &[Generated] = &[
    ("docs/answers.md", answers::page),
    ("docs/policy-reference.md", || Ok(hookgate_policy::reference())),
    ("schema/policy.json", || Ok(hookgate_policy::schema())),
];

/// Writes all generated files.
pub(crate) fn write_all(root: &Path) -> Result<String, String> {
    for (path, content) in FILES {
        let path = root.join(path);
        std::fs::write(&path, content()?)
            .map_err(|error| format!("can't write {}: {error}", path.display()))?;
    }
    Ok(format!("{} generated files are up to date", FILES.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_up_to_date() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (path, content) in FILES {
            let written = std::fs::read_to_string(root.join(path)).unwrap_or_default();
            assert_eq!(written, content().unwrap(), "{path} is stale: run `cargo xtask gen`");
        }
    }
}
