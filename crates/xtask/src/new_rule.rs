//! `cargo xtask new-rule GROUP NAME`: one folder and one row.

use std::fs;
use std::path::Path;

/// Makes the folder of a new rule under `rules/src/rules/GROUP/` and adds its row to the registry. The code is the
/// group's next free one; retired codes are never given again.
///
/// # Errors
///
/// In words, if the names are not fit for a code and a folder, or a file can't be read or written.
pub(crate) fn scaffold(rules: &Path, group: &str, name: &str) -> Result<String, String> {
    let group = group.to_ascii_lowercase();
    if group.is_empty() || !group.bytes().all(|b| b.is_ascii_lowercase()) {
        return Err(format!("`{group}` is no group: letters only, such as `git`"));
    }
    let name = name.to_ascii_lowercase();
    let letters = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if !name.bytes().next().is_some_and(|b| b.is_ascii_lowercase()) || !name.bytes().all(letters) {
        return Err(format!("`{name}` is no name for a rule: kebab case, such as `push-mirror`"));
    }
    let registry_path = rules.join("src/rules/mod.rs");
    let registry = read(&registry_path)?;
    let retired = read(&rules.join("retired-codes.txt"))?;
    if registry.lines().any(|row| row.trim().ends_with(&format!("_{},", name.replace('-', "_")))) {
        return Err(format!("there is a rule `{name}` already"));
    }
    let code = next_code(&group, &registry, &retired);
    let module = format!("{code}_{}", name.replace('-', "_"));
    let folder = rules.join("src/rules").join(&group).join(&module);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let code = code.to_ascii_uppercase();
    for (file, template) in [
        ("mod.rs", include_str!("new_rule/mod.rs.template")),
        ("page.md", include_str!("new_rule/page.md.template")),
        ("cases.toml", include_str!("new_rule/cases.toml.template")),
    ] {
        write(&folder.join(file), &template.replace("{CODE}", &code).replace("{NAME}", &name))?;
    }
    write(&registry_path, &with_row(&registry, &group, &module)?)?;
    Ok(format!("{code}: fill in {}, then give it a level in the presets", folder.display()))
}

/// The next code of the group, lowercase: one above the highest that is or was in use.
fn next_code(group: &str, registry: &str, retired: &str) -> String {
    let highest = registry
        .lines()
        .chain(retired.lines())
        .filter_map(|line| {
            let line = line.trim().to_ascii_lowercase();
            line.strip_prefix(group)?.get(..3)?.parse::<u32>().ok()
        })
        .max()
        .unwrap_or(0);
    format!("{group}{:03}", highest + 1)
}

/// The registry with one row more, at the end of its group; a new group goes last.
fn with_row(registry: &str, group: &str, module: &str) -> Result<String, String> {
    let header = format!("    {group} {{\n");
    let row = format!("        {module},\n");
    let broken = || "the registry in rules/mod.rs has an unexpected form".to_owned();
    if let Some((before, inside)) = registry.split_once(&header) {
        let (rows, after) = inside.split_once("    }\n").ok_or_else(broken)?;
        return Ok(format!("{before}{header}{rows}{row}    }}\n{after}"));
    }
    let before = registry.strip_suffix("}\n").ok_or_else(broken)?;
    Ok(format!("{before}{header}{row}    }}\n}}\n"))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTRY: &str = "registry! {\n    git {\n        git001_discard_work,\n    }\n}\n";

    #[test]
    fn a_retired_code_is_never_given_again() {
        assert_eq!(next_code("git", REGISTRY, ""), "git002");
        assert_eq!(next_code("git", REGISTRY, "GIT002 push-tags\n"), "git003");
        assert_eq!(next_code("gate", REGISTRY, ""), "gate001");
    }

    #[test]
    fn a_row_goes_to_its_group_and_a_new_group_goes_last() {
        assert_eq!(
            with_row(REGISTRY, "git", "git002_x").unwrap(),
            "registry! {\n    git {\n        git001_discard_work,\n        git002_x,\n    }\n}\n"
        );
        assert_eq!(
            with_row(REGISTRY, "net", "net001_y").unwrap(),
            "registry! {\n    git {\n        git001_discard_work,\n    }\n    net {\n        net001_y,\n    }\n}\n"
        );
    }

    #[test]
    fn the_scaffold_is_one_folder_and_one_row() {
        let rules = std::env::temp_dir().join(format!("hookgate-new-rule-{}", std::process::id()));
        fs::create_dir_all(rules.join("src/rules")).unwrap();
        fs::write(rules.join("src/rules/mod.rs"), REGISTRY).unwrap();
        fs::write(rules.join("retired-codes.txt"), "").unwrap();
        scaffold(&rules, "GIT", "push-mirror").unwrap();
        let folder = rules.join("src/rules/git/git002_push_mirror");
        assert!(fs::read_to_string(folder.join("mod.rs")).unwrap().contains("code: \"GIT002\""));
        assert!(fs::read_to_string(folder.join("page.md")).unwrap().starts_with("# GIT002 push-mirror\n"));
        assert!(folder.join("cases.toml").exists());
        assert!(fs::read_to_string(rules.join("src/rules/mod.rs")).unwrap().contains("git002_push_mirror,"));
        assert_eq!(
            scaffold(&rules, "git", "push-mirror").unwrap_err(),
            "there is a rule `push-mirror` already"
        );
        assert!(scaffold(&rules, "g1t", "x").unwrap_err().contains("is no group"));
        assert!(scaffold(&rules, "git", "Push Mirror").unwrap_err().contains("kebab case"));
        fs::remove_dir_all(&rules).unwrap();
    }
}
