//! What changed between two texts of a settings file, and which way.

use serde_json::Value;

use super::meaning::{Meanings, shown};
use super::text::{Format, read};
use crate::Linter;

/// Which way a setting changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// It means the same.
    Same,
    /// More is found than before.
    Stricter,
    /// Another value, and nothing is known of which is stricter.
    Different,
    /// Less is found than before.
    Weaker,
}

/// One setting that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path: `tool.ruff.lint.ignore`.
    pub setting: String,
    /// Which way.
    pub direction: Direction,
    /// Its value before; `None` where it was not there.
    pub before: Option<String>,
    /// Its value now; `None` where it is not there.
    pub after: Option<String>,
}

/// How deep settings are looked into; below that, values are compared as they are.
const DEEPEST: usize = 16;

/// What changed in a settings file, or in one of its tables (`tool.ruff`; the whole file if that is empty), by meaning: another
/// layout, order of keys or comment is no change. `None` for a text is a file that is not there.
///
/// Where one of the texts can't be read as what it should be, all of it is one change, named by an empty setting.
#[must_use]
pub fn compare(
    format: Format,
    table: &str,
    linter: Option<Linter>,
    before: Option<&str>,
    after: Option<&str>,
) -> Vec<Change> {
    if before == after {
        return Vec::new();
    }
    let value = |text: Option<&str>| match text {
        Some(text) => read(format, text).map(Some),
        None => Some(None),
    };
    let (Some(old), Some(new)) = (value(before), value(after)) else {
        return vec![Change {
            setting: String::new(),
            direction: Direction::Different,
            before: None,
            after: None,
        }];
    };
    let names: Vec<&str> = table.split('.').filter(|name| !name.is_empty()).collect();
    let old = old.as_ref().and_then(|value| within(value, &names));
    let new = new.as_ref().and_then(|value| within(value, &names));
    let meanings = linter.map(Linter::meanings);
    let mut changes = Vec::new();
    collect(&mut Path { table, names: Vec::new() }, meanings.as_ref(), old, new, &mut changes);
    changes.sort_by_key(|change| std::cmp::Reverse(change.direction));
    changes
}

/// Where a value is: the table that was looked for, and the names below it.
struct Path<'a> {
    table: &'a str,
    names: Vec<&'a str>,
}

fn within<'v>(value: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names.iter().try_fold(value, |value, name| value.get(name))
}

fn collect<'a>(
    path: &mut Path<'a>,
    meanings: Option<&Meanings>,
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    changes: &mut Vec<Change>,
) {
    if before == after {
        return;
    }
    let is_known = meanings.is_some_and(|meanings| meanings.is_known(&path.names, before, after));
    let table = |value: Option<&'a Value>| match value {
        Some(Value::Object(table)) => Some(Some(table)),
        None => Some(None),
        Some(_) => None,
    };
    if let (false, Some(old), Some(new)) =
        (is_known || path.names.len() >= DEEPEST, table(before), table(after))
        && (old.is_some() || new.is_some())
    {
        let old_names = old.into_iter().flat_map(|table| table.keys());
        let added = new.into_iter().flat_map(|table| table.keys());
        let added = added.filter(|name| old.is_none_or(|old| !old.contains_key(*name)));
        let mut any = false;
        for name in old_names.chain(added) {
            any = true;
            path.names.push(name);
            let (old, new) = (old.and_then(|table| table.get(name)), new.and_then(|table| table.get(name)));
            collect(path, meanings, old, new, changes);
            path.names.pop();
        }
        if any || path.names.is_empty() {
            return;
        }
    }
    let direction = match meanings {
        Some(meanings) => meanings.judge(&path.names, before, after),
        None => Direction::Different,
    };
    if direction != Direction::Same {
        let names = path.names.join(".");
        let dot = if path.table.is_empty() || names.is_empty() { "" } else { "." };
        changes.push(Change {
            setting: [path.table, dot, &names].concat(),
            direction,
            before: before.map(shown),
            after: after.map(shown),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(name: &str, linter: &str, before: &str, after: &str) -> Vec<String> {
        let linter = Linter::named(linter).unwrap();
        let settings = linter.settings_in(name).unwrap();
        let tables = if settings.tables.is_empty() { vec![String::new()] } else { settings.tables };
        tables
            .iter()
            .flat_map(|table| compare(settings.format, table, Some(linter), Some(before), Some(after)))
            .map(|change| format!("{:?} {}", change.direction, change.setting))
            .collect()
    }

    #[test]
    fn another_layout_and_what_is_outside_of_the_table_are_no_change() {
        let before = "[project]\nname='a'\n[tool.ruff]\nline-length = 88\nlint.select = ['E', 'F']\n";
        let after = "# why\n[project]\nname='b'\n\n[tool.ruff.lint]\nselect = [\n 'F',\n 'E',\n]\n[tool.ruff]\nline-length=88\n";
        assert_eq!(changes("pyproject.toml", "ruff", before, after), Vec::<String>::new());
        let (before, after) = ("{\"a\": 1, \"linter\": {}}", "{\n  // c\n  \"linter\": {},\n  \"a\": 1,\n}");
        assert_eq!(changes("biome.json", "biome", before, after), Vec::<String>::new());
    }

    #[test]
    fn each_tool_knows_which_way_is_stricter() {
        for (name, linter, before, after, expected) in [
            (
                "ruff.toml",
                "ruff",
                "lint.ignore = ['E501']",
                "lint.ignore = ['E501', 'F401']",
                "Weaker lint.ignore",
            ),
            ("ruff.toml", "ruff", "lint.ignore = ['E501']", "lint.ignore = []", "Stricter lint.ignore"),
            (
                "ruff.toml",
                "ruff",
                "lint.select = ['E', 'F']",
                "lint.select = ['ALL']",
                "Stricter lint.select",
            ),
            ("ruff.toml", "ruff", "lint.select = ['E']", "lint.select = ['E501']", "Weaker lint.select"),
            ("ruff.toml", "ruff", "line-length = 88", "line-length = 200", "Weaker line-length"),
            (
                "ruff.toml",
                "ruff",
                "",
                "lint.per-file-ignores.\"x.py\" = ['F']",
                "Weaker lint.per-file-ignores.x.py",
            ),
            (
                "ruff.toml",
                "ruff",
                "target-version = 'py39'",
                "target-version = 'py310'",
                "Different target-version",
            ),
            (
                ".eslintrc.json",
                "eslint",
                "{\"rules\":{\"eqeqeq\":2}}",
                "{\"rules\":{\"eqeqeq\":\"warn\"}}",
                "Weaker rules.eqeqeq",
            ),
            (
                ".eslintrc.yml",
                "eslint",
                "rules:\n  eqeqeq: off\n",
                "rules:\n  eqeqeq: error\n",
                "Stricter rules.eqeqeq",
            ),
            (
                "package.json",
                "eslint",
                "{\"eslintConfig\":{\"rules\":{\"a\":[2,{}]}}}",
                "{\"eslintConfig\":{\"rules\":{\"a\":0}}}",
                "Weaker eslintConfig.rules.a",
            ),
            (
                "biome.json",
                "biome",
                "{\"linter\":{\"rules\":{\"style\":{\"noVar\":\"error\"}}}}",
                "{\"linter\":{\"rules\":{\"style\":{\"noVar\":{\"level\":\"off\"}}}}}",
                "Weaker linter.rules.style.noVar",
            ),
            (
                "tsconfig.json",
                "tsc",
                "{\"compilerOptions\":{\"strict\":true}}",
                "{\"compilerOptions\":{\"strict\":false}}",
                "Weaker compilerOptions.strict",
            ),
            (
                "tsconfig.json",
                "tsc",
                "{\"compilerOptions\":{}}",
                "{\"compilerOptions\":{\"noUnusedLocals\":true}}",
                "Stricter compilerOptions.noUnusedLocals",
            ),
            (
                "Cargo.toml",
                "clippy",
                "[lints.clippy]\nunwrap_used='deny'",
                "[lints.clippy]\nunwrap_used='allow'",
                "Weaker lints.clippy.unwrap_used",
            ),
            (
                "clippy.toml",
                "clippy",
                "too-many-lines-threshold = 100",
                "too-many-lines-threshold = 60",
                "Stricter too-many-lines-threshold",
            ),
            ("mypy.ini", "mypy", "[mypy]\nstrict = True\n", "[mypy]\nstrict = False\n", "Weaker mypy.strict"),
            (
                "pyproject.toml",
                "mypy",
                "[tool.mypy]\nstrict = true",
                "[tool.mypy]\n",
                "Weaker tool.mypy.strict",
            ),
            (
                ".golangci.yml",
                "golangci-lint",
                "linters:\n  enable: [errcheck, govet]\n",
                "linters:\n  enable: [errcheck]\n",
                "Weaker linters.enable",
            ),
            (".shellcheckrc", "shellcheck", "", "disable=SC2086,SC2154\n", "Weaker disable"),
            (
                ".yamllint",
                "yamllint",
                "rules:\n  truthy: enable\n",
                "rules:\n  truthy: disable\n",
                "Weaker rules.truthy",
            ),
        ] {
            assert_eq!(changes(name, linter, before, after), [expected], "{name}: {before} -> {after}");
        }
    }

    #[test]
    fn one_weaker_setting_is_told_first_whatever_else_is_stricter() {
        let found = changes("ruff.toml", "ruff", "line-length = 88", "line-length = 80\nlint.ignore = ['F']");
        assert_eq!(found, ["Weaker lint.ignore", "Stricter line-length"]);
    }

    #[test]
    fn a_file_that_goes_or_breaks_is_a_change_and_hostile_ones_are_read_in_bounds() {
        let ruff = Linter::named("ruff");
        let gone = compare(Format::Toml, "", ruff, Some("lint.select = ['E']"), None);
        assert_eq!(gone.first().unwrap().direction, Direction::Different);
        let broken = compare(Format::Toml, "", ruff, Some("a = 1"), Some("a = "));
        assert_eq!(broken.len(), 1);
        for format in [Format::Json, Format::Yaml, Format::Toml, Format::Ini, Format::Lines, Format::Text] {
            for text in [
                "[".repeat(100_000),
                "{a: ".repeat(100_000),
                "a: &a [*a, *a]\n".repeat(1_000),
                "[a]\n\u{0}=".into(),
            ] {
                let _ = compare(format, "a.b", None, Some(&text), Some("x"));
            }
        }
    }
}
