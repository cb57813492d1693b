//! Compiles `presets/*.toml` into static tables, so that a preset costs nothing at start. What is not understood
//! here is an error of the build; a test holds the tables against what the policy reader makes of the same text.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=presets");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("presets");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut out = String::from("const PRESETS: &[Preset] = &[\n");
    for file in files {
        let text = fs::read_to_string(&file)?;
        let name = file.file_stem().and_then(|stem| stem.to_str()).ok_or("a file without a name")?;
        preset(&mut out, name, &text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    out.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("presets.rs"), out)?;
    Ok(())
}

/// What is read from a preset's text when a policy names it.
const TABLES: [&str; 8] = ["rewrite", "protect", "commit", "pull-request", "issue", "branch", "push", "add"];

fn preset(out: &mut String, name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let table: toml::Table = text.parse()?;
    let mut rules = Vec::new();
    let mut unknown = ["None".to_owned(), "None".to_owned(), "None".to_owned(), "None".to_owned()];
    for (key, value) in table.iter().filter(|(key, _)| !TABLES.contains(&key.as_str())) {
        let entries = value.as_table().ok_or_else(|| format!("`{key}` is no table"))?;
        for (name, value) in entries {
            let level = level(value.as_str().ok_or_else(|| format!("`{key}.{name}` is no text"))?)?;
            match key.as_str() {
                "rules" => rules.push((name, level)),
                "unknown" => {
                    let kinds = ["program", "target", "command", "unparsed"];
                    let at = kinds.iter().position(|kind| kind == name);
                    let slot = at.and_then(|at| unknown.get_mut(at));
                    *slot.ok_or_else(|| format!("no kind `{name}`"))? = format!("Some(Level::{level})");
                }
                _ => return Err(format!("a preset has no `{key}`").into()),
            }
        }
    }
    rules.sort();
    let keys: Vec<_> = rules.iter().map(|(code, _)| format!("key({code:?})")).collect();
    let rules: Vec<_> = rules.iter().map(|(code, level)| format!("({code:?}, Level::{level})")).collect();
    writeln!(
        out,
        "Preset {{ name: {name:?}, text: {text:?}, rules: &[{}], keys: &[{}], unknown: [{}], rewrites: {}, has_tables: {} }},",
        rules.join(", "),
        keys.join(", "),
        unknown.join(", "),
        table.contains_key("rewrite"),
        table.keys().any(|key| TABLES.contains(&key.as_str()))
    )?;
    Ok(())
}

fn level(name: &str) -> Result<&'static str, String> {
    Ok(match name {
        "off" | "pass" => "Off",
        "note" => "Note",
        "allow" => "Allow",
        "warn" => "Warn",
        "ask" => "Ask",
        "deny" => "Deny",
        "halt" => "Halt",
        _ => return Err(format!("no level `{name}`")),
    })
}
