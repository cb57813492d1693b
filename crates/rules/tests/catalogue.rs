//! What holds for every rule: its folder, its page, its code, its place in the presets.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use hookgate_rules::{Check, lookup};
use support::{examples, folder_of};

#[test]
fn every_page_has_the_headings_in_order_and_starts_with_code_and_name() {
    for rule in lookup::all() {
        let headings: Vec<&str> =
            rule.page.lines().filter(|line| line.starts_with('#') && !line.starts_with("# ")).collect();
        assert_eq!(headings, ["## What it does", "## Why", "## Instead", "## Examples"], "{}", rule.code);
        assert!(rule.page.starts_with(&format!("# {} {}\n\n", rule.code, rule.name)), "{}", rule.code);
        for section in rule.page.split("\n## ").skip(1) {
            let text = section.split_once('\n').map_or("", |(_, text)| text.trim());
            assert!(text.len() > 20, "{}: a section is empty", rule.code);
        }
    }
}

/// Rules that no command breaks: what they are about is found by the engine, and tested in `crates/cli/tests/suite`.
const FOUND_ELSEWHERE: &[&str] = &["GATE007", "SECRET103", "SESS001"];

#[test]
fn every_page_shows_a_hit_and_a_miss() {
    for rule in lookup::all() {
        let examples = examples(rule);
        let hits = examples.iter().any(|(_, hit)| *hit);
        assert!(hits || FOUND_ELSEWHERE.contains(&rule.code), "{} shows no hit", rule.code);
        assert!(examples.iter().any(|(_, hit)| !*hit), "{} shows no miss", rule.code);
    }
}

#[test]
fn every_rule_has_a_case_that_hits_and_one_that_does_not() {
    for rule in lookup::all() {
        let text = std::fs::read_to_string(folder_of(rule).join("cases.toml")).unwrap();
        let cases: support::Cases = toml::from_str(&text).unwrap();
        let hits = cases.case.iter().any(|case| case.hit);
        assert!(hits || FOUND_ELSEWHERE.contains(&rule.code), "{}", rule.code);
        assert!(cases.case.iter().any(|case| !case.hit), "{}", rule.code);
    }
}

#[test]
fn codes_and_names_are_unique_ordered_and_never_used_again() {
    let retired = include_str!("../retired-codes.txt");
    let mut codes = BTreeSet::new();
    let mut names = BTreeSet::new();
    for rule in lookup::all() {
        assert!(codes.insert(rule.code), "{} is there twice", rule.code);
        assert!(names.insert(rule.name), "{} is there twice", rule.name);
        assert!(
            !retired.lines().any(|line| line.split(' ').next() == Some(rule.code)),
            "{} is retired",
            rule.code
        );
        let digits = rule.code.strip_prefix(rule.group()).unwrap();
        assert!(digits.len() == 3 && rule.group().bytes().all(|b| b.is_ascii_uppercase()), "{}", rule.code);
        assert!(
            rule.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{}",
            rule.name
        );
    }
    for group in lookup::groups() {
        let codes: Vec<_> = lookup::group(group).map(|rule| rule.code).collect();
        assert!(codes.is_sorted(), "{codes:?}");
    }
    let mut groups = lookup::groups();
    let count = groups.len();
    groups.sort_unstable();
    groups.dedup();
    assert_eq!(groups.len(), count, "a group stands in two places of the registry");
}

#[test]
fn summaries_are_one_lowercase_line_without_full_stop() {
    for rule in lookup::all() {
        let summary = rule.summary;
        assert!((10..=90).contains(&summary.len()), "{}: {summary}", rule.code);
        assert!(!summary.ends_with('.') && !summary.contains('\n'), "{}: {summary}", rule.code);
        assert!(summary.starts_with(|c: char| c.is_lowercase()), "{}: {summary}", rule.code);
    }
}

#[test]
fn every_folder_is_in_the_registry() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/src/rules");
    let known: BTreeSet<_> = lookup::all().iter().map(|rule| folder_of(rule)).collect();
    for group in
        std::fs::read_dir(&rules).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for folder in std::fs::read_dir(&group).unwrap() {
            let folder = folder.unwrap().path();
            assert!(known.contains(&folder), "{} has no row", folder.display());
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "{}", folder.display());
        }
    }
}

/// `cargo fmt` does not follow modules that a macro declares.
#[test]
fn rule_files_are_formatted() {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rustfmt.toml");
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024", "--config-path"]).arg(config);
    for rule in lookup::all() {
        rustfmt.arg(folder_of(rule).join("mod.rs"));
    }
    if hookgate_testing::has("rustfmt", &["--version"]) {
        let output = rustfmt.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn presets_name_rules_and_groups_that_exist_and_strict_names_every_rule() {
    let presets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../policy/presets");
    let levels = ["off", "note", "allow", "warn", "ask", "deny", "halt"];
    for entry in std::fs::read_dir(presets).unwrap() {
        let path = entry.unwrap().path();
        let table: toml::Table = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let Some(rules) = table.get("rules").and_then(toml::Value::as_table) else { continue };
        for (code, level) in rules {
            let known = lookup::find(code).is_some_and(|rule| rule.code == code)
                || lookup::groups().contains(&code.as_str());
            assert!(known, "{}: no rule or group {code}", path.display());
            let level = level.as_str().unwrap();
            assert!(levels.contains(&level), "{}: {code} = {level}", path.display());
        }
        if path.ends_with("strict.toml") {
            for rule in lookup::all() {
                // Grants are other presets' business; package managers and the first four unknowns have keys of their own.
                let elsewhere = ["READ", "DEV", "PKG"].contains(&rule.group())
                    || ["UNK001", "UNK002", "UNK003", "UNK004"].contains(&rule.code);
                let named = rules.contains_key(rule.code) || rules.contains_key(rule.group());
                assert!(named != elsewhere, "strict.toml and {}", rule.code);
            }
        }
    }
}

#[test]
fn only_what_writes_commands_and_compares_files_sees_texts() {
    for rule in lookup::all() {
        let sees_texts = matches!(rule.check, Check::Text(_));
        let may = matches!(rule.group(), "PKG" | "CONF");
        assert!(!sees_texts || may, "{} reads texts; say what it needs as an effect", rule.code);
    }
}
