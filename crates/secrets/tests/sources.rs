//! What packages ship as source holds no secrets: on real files, nearly nothing is found.

use std::fs;
use std::path::{Path, PathBuf};

use hookgate_secrets::scan;
use hookgate_testing::needs;

/// The least of lines that says anything.
const ENOUGH: usize = 20_000;
/// Lines taken of each place.
const OF_EACH: usize = 60_000;
/// The most findings in a million lines.
const MOST_IN_A_MILLION: usize = 200;

/// Where sources of others lie: what cargo unpacked for this very build, and the libraries of scripting languages.
fn places() -> Vec<PathBuf> {
    let home = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let cargo = home("CARGO_HOME").or_else(|| Some(home("HOME")?.join(".cargo")));
    let mut places: Vec<PathBuf> = cargo.iter().map(|cargo| cargo.join("registry/src")).collect();
    places.extend(["/usr/lib/node_modules", "/usr/share/nodejs", "/usr/lib/python3"].map(PathBuf::from));
    places.extend((8..20).map(|minor| PathBuf::from(format!("/usr/lib/python3.{minor}"))));
    places
}

/// The files below a directory, in the order of their names, until `visit` has had enough.
fn walk(directory: &Path, visit: &mut dyn FnMut(&Path) -> bool) -> bool {
    let Ok(entries) = fs::read_dir(directory) else { return true };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.iter().all(|path| match path.symlink_metadata() {
        Ok(is) if is.is_dir() => walk(path, visit),
        Ok(is) if is.is_file() => visit(path),
        _ => true,
    })
}

#[test]
fn sources_that_packages_ship_hold_no_secrets() {
    let kinds = ["rs", "toml", "md", "json", "yml", "yaml", "js", "ts", "py", "c", "h", "sh", "txt"];
    let (mut lines, mut found) = (0, Vec::new());
    for place in places() {
        let before = lines;
        walk(&place, &mut |path| {
            let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
            if let Some(text) = kinds.contains(&kind).then(|| fs::read_to_string(path).ok()).flatten() {
                lines += text.lines().count();
                let secrets = scan(&text);
                found.extend(secrets.iter().map(|one| format!("{}: {}", path.display(), one.name)));
            }
            lines - before < OF_EACH
        });
    }
    if needs("sources of packages, as cargo unpacks them,", lines >= ENOUGH) {
        assert!(
            found.len() * 1_000_000 <= lines * MOST_IN_A_MILLION,
            "{} in {lines} lines: {found:#?}",
            found.len()
        );
    }
}
