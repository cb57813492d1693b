//! Files that need one another form a circle: none of them can be read, tested or moved alone. Here they are counted,
//! for every crate, so that none grows.
//!
//! A file needs another where it names a path into it (`use`, or in the middle of the code), and where it calls a method
//! that the other one adds to somebody else's type: one type with methods in forty files is one file of forty.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that can't read the sources fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The most files that may need one another.
const MOST: usize = 12;

type Module = Vec<String>;

#[test]
fn files_that_need_one_another_are_few() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut grown = Vec::new();
    let mut names: Vec<_> = fs::read_dir(&crates).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names {
        let mut files = BTreeMap::new();
        read(&path.join("src"), &mut Vec::new(), &mut files);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let largest = largest_circle(&edges(&files));
        println!("{} of {} files in {name}", largest.len(), files.len());
        if largest.len() > MOST {
            let files: Vec<String> = largest.iter().map(|module| module.join("/")).collect();
            grown.push(format!("{name}: {} files, at most {MOST}: {}", files.len(), files.join(", ")));
        }
    }
    assert!(grown.is_empty(), "hand down a trait, or move what both need:\n{}", grown.join("\n"));
}

#[test]
fn a_circle_is_found_through_paths_and_through_methods() {
    let file = |name: &str, text: &str| (vec![name.to_owned()], text.to_owned());
    let files = BTreeMap::from([
        file("a", "use crate::b::{self, Thing};\npub(crate) struct A;\n"),
        file("b", "pub(crate) struct Thing;\nfn f(a: &crate::a::A) { a.go() }\n"),
        file("c", "use crate::a::A;\nimpl A {\n    pub(crate) fn go(&self) { crate::d::run(); }\n}\n"),
        file("d", "pub(crate) fn run() {}\n"),
    ]);
    let largest: Vec<String> = largest_circle(&edges(&files)).iter().map(|module| module.concat()).collect();
    assert_eq!(largest, ["a", "b", "c"]);
}

/// The sources below a folder, by module: without comments, texts and tests.
fn read(path: &Path, module: &mut Module, files: &mut BTreeMap<Module, String>) {
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            module.push(name);
            read(&path, module, files);
            module.pop();
        } else if path.extension().is_some_and(|ending| ending == "rs") && !name.contains("test") {
            let mut module = module.clone();
            if !matches!(name.as_str(), "mod" | "lib" | "main") {
                module.push(name);
            }
            files.insert(module, bare(&fs::read_to_string(&path).unwrap()));
        }
    }
}

fn bare(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines
        .map(|line| line.split('"').step_by(2).collect::<Vec<_>>().join("\"\""))
        .collect::<Vec<_>>()
        .join("\n")
}

/// What each module needs.
fn edges(files: &BTreeMap<Module, String>) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let added = added_methods(files);
    let mut edges = BTreeMap::new();
    for (module, text) in files {
        let mut paths = Vec::new();
        let mut rest = String::new();
        for statement in text.split(';') {
            let used = statement.rsplit_once("use ").filter(|(before, _)| {
                let line = before.lines().last().unwrap_or_default().trim();
                matches!(line, "" | "pub" | "pub(crate)" | "pub(super)")
            });
            match used {
                Some((before, tree)) => {
                    rest.push_str(before);
                    expand(&tree.split_whitespace().collect::<Vec<_>>().join(" "), "", &mut paths);
                }
                None => rest.push_str(statement),
            }
            rest.push('\n');
        }
        let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
        paths.extend(rest.split(|c| !is_path(c)).filter(|path| path.contains("::")).map(str::to_owned));
        let mut needed: BTreeSet<&Module> =
            paths.iter().filter_map(|path| resolve(path, module, files)).collect();
        for call in rest.split('.').skip(1) {
            let end = call.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(call.len());
            let Some((name, behind)) = call.split_at_checked(end) else { continue };
            if behind.starts_with('(') {
                let visible = added.iter().filter(|(known, ..)| *known == name);
                needed.extend(
                    visible.filter(|(_, _, within)| module.starts_with(within)).map(|(_, owner, _)| *owner),
                );
            }
        }
        // The root of a crate only says what there is.
        needed.retain(|other| *other != module && !other.is_empty());
        edges.insert(module, needed);
    }
    edges
}

/// The paths in `a::{b, c::d}`.
fn expand(tree: &str, before: &str, paths: &mut Vec<String>) {
    let Some((head, list)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or_default().trim();
        return paths.push(format!("{before}{name}"));
    };
    let head = format!("{before}{}", head.trim());
    let mut depth = 0;
    let inside = list.rsplit_once('}').map_or(list, |(inside, _)| inside);
    let split = inside.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    split.filter(|item| !item.trim().is_empty()).for_each(|item| expand(item.trim(), &head, paths));
}

/// The module that a path leads into.
fn resolve<'a>(path: &str, module: &Module, files: &'a BTreeMap<Module, String>) -> Option<&'a Module> {
    let mut parts: Vec<&str> = path.split("::").collect();
    let mut base = match parts.first().copied()? {
        "crate" => Module::new(),
        "self" | "super" => module.clone(),
        // A module of this one.
        first if files.contains_key(&[module.as_slice(), &[first.to_owned()]].concat()) => {
            parts.insert(0, "self");
            module.clone()
        }
        _ => return None,
    };
    while matches!(parts.first(), Some(&("crate" | "self" | "super"))) {
        if parts.remove(0) == "super" {
            base.pop();
        }
    }
    base.extend(parts.iter().map(|part| (*part).to_owned()));
    while !files.contains_key(&base) {
        base.pop()?;
    }
    files.get_key_value(&base).map(|(module, _)| module)
}

/// The methods that a file adds to a type of another one: their names, where they are, and from where they can be called.
fn added_methods(files: &BTreeMap<Module, String>) -> Vec<(&str, &Module, Module)> {
    let mut added = Vec::new();
    for (module, text) in files {
        for block in text.split("\nimpl").skip(1) {
            let block = block.split("\n}").next().unwrap_or_default();
            let (head, body) = block.split_once('{').unwrap_or((block, ""));
            if head.contains(" for ") {
                continue;
            }
            let head =
                head.strip_prefix('<').and_then(|head| head.split_once('>')).map_or(head, |(_, head)| head);
            let kind = head.trim().split(['<', ' ']).next().unwrap_or_default();
            let own = ["struct ", "enum ", "trait "].iter().any(|word| {
                text.split(word).skip(1).any(|rest| {
                    rest.strip_prefix(kind)
                        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
                })
            });
            if own {
                continue;
            }
            for (line, next) in body.lines().zip(body.lines().skip(1).chain([""])) {
                let Some((visibility, name)) = line.split_once("fn ") else { continue };
                // A function without `self` is called by its path.
                let takes = [name.split_once('(').map_or("", |(_, rest)| rest), next.trim_start()];
                if !takes.iter().any(|text| {
                    ["&self", "&mut self", "self", "mut self"].iter().any(|own| text.starts_with(own))
                }) {
                    continue;
                }
                let mut parent = module.clone();
                parent.pop();
                let within = match visibility.trim() {
                    "pub(crate)" | "pub" => Module::new(),
                    "pub(super)" => parent,
                    // Modules inside of this one see it as well.
                    _ => module.clone(),
                };
                let name = name.split(['(', '<']).next().unwrap_or_default();
                added.push((name, module, within));
            }
        }
    }
    added
}

/// The largest set of modules each of which needs, in some steps, every other one.
fn largest_circle<'a>(edges: &BTreeMap<&'a Module, BTreeSet<&'a Module>>) -> Vec<&'a Module> {
    let reached = |from: &'a Module| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for next in edges.get(module).into_iter().flatten() {
                if seen.insert(*next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&Module, BTreeSet<&Module>> =
        edges.keys().map(|module| (*module, reached(module))).collect();
    let reaches = |one: &Module, other: &Module| reach.get(one).is_some_and(|seen| seen.contains(other));
    let circle = |module: &'a Module| -> Vec<&'a Module> {
        edges.keys().copied().filter(|other| reaches(module, other) && reaches(other, module)).collect()
    };
    edges.keys().map(|module| circle(module)).max_by_key(Vec::len).unwrap_or_default()
}
