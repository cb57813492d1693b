//! npm's packages: one with the binary for each platform, and one that starts the right one.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{Target, VERSION, copied, read, remove, run, write};

/// The package that holds the binary for one platform. npm skips it on any other.
pub(super) fn platform(
    workspace: &Path,
    target: &Target,
    binary: &Path,
    to: &Path,
) -> Result<PathBuf, String> {
    let (system, processor) = target.node;
    let mut about = about(&name(target));
    about.insert("description".to_owned(), json!(format!("hookgate for {system} on {processor}")));
    about.insert("os".to_owned(), json!([system]));
    about.insert("cpu".to_owned(), json!([processor]));
    // Without this, a package without dependencies may be packed without its binary's mode.
    about.insert("files".to_owned(), json!(["bin/hookgate"]));
    let root = to.join("tree").join(format!("npm-{system}-{processor}"));
    remove(&root)?;
    write(&root.join("bin/hookgate"), &read(binary)?, 0o755)?;
    packed(workspace, about, &root, to)
}

/// The package that people install. Its program is only for terminals: `hookgate init` registers the binary itself.
pub(super) fn main<'a>(
    workspace: &Path,
    targets: impl Iterator<Item = &'a Target>,
    to: &Path,
) -> Result<PathBuf, String> {
    let mut about = about("hookgate");
    about.insert("description".to_owned(), json!("One fast gate behind every hook of a coding agent"));
    about.insert("bin".to_owned(), json!({ "hookgate": "bin/hookgate.js" }));
    about.insert("files".to_owned(), json!(["bin/hookgate.js"]));
    about.insert("engines".to_owned(), json!({ "node": ">=18" }));
    let platforms: Map<String, Value> = targets.map(|target| (name(target), json!(VERSION))).collect();
    about.insert("optionalDependencies".to_owned(), Value::Object(platforms));
    let root = to.join("tree/npm");
    remove(&root)?;
    copied(&workspace.join("packaging/npm/hookgate.js"), &root.join("bin/hookgate.js"))?;
    packed(workspace, about, &root, to)
}

fn name(target: &Target) -> String {
    format!("@hookgate/{}-{}", target.node.0, target.node.1)
}

fn about(name: &str) -> Map<String, Value> {
    let fields = [
        ("name", json!(name)),
        ("version", json!(VERSION)),
        ("license", json!("MIT OR Apache-2.0")),
        (
            "repository",
            json!({ "type": "git", "url": concat!("git+", env!("CARGO_PKG_REPOSITORY"), ".git") }),
        ),
    ];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn packed(workspace: &Path, about: Map<String, Value>, root: &Path, to: &Path) -> Result<PathBuf, String> {
    let file = about
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim_start_matches('@')
        .replace('/', "-");
    let text = serde_json::to_string_pretty(&Value::Object(about)).map_err(|error| error.to_string())?;
    write(&root.join("package.json"), text.as_bytes(), 0o644)?;
    for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        copied(&workspace.join(file), &root.join(file))?;
    }
    run("npm", &["pack", "--silent", "--pack-destination", &to.display().to_string()], root)?;
    Ok(to.join(format!("{file}-{VERSION}.tgz")))
}
