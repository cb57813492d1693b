//! Calls that change files, in the programs of Python's own library: those that Python's parser sees, the reader sees too.
//!
//! `cargo test --profile quick -p hookgate-readers --test call_sites -- --ignored --nocapture`

#![expect(clippy::print_stdout, reason = "a test says what it found")]

use std::collections::BTreeMap;
use std::process::Command;

use hookgate_readers::{Language, analyse};

/// One in so many calls may be missed.
const RARELY: usize = 50;
/// Text that a reader gives up on is longer.
const LARGEST: usize = 100_000;

/// Prints `path TAB first byte TAB one past the last TAB name` for each call of these functions, in files where nothing else
/// has the module's name.
const LISTING: &str = r#"
import ast, os, sys, sysconfig
WANTED = {
    'os': 'remove unlink rmdir rename replace chmod chown mkdir makedirs symlink link truncate removedirs',
    'shutil': 'rmtree move copy copy2 copyfile copytree chown',
}
def names(tree):
    loaded, bound = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                (bound if name.asname else loaded).add(name.asname or name.name.split('.')[0])
        elif isinstance(node, ast.ImportFrom):
            bound |= {name.asname or name.name for name in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    return loaded - bound
for folder, _, files in sorted(os.walk(sysconfig.get_path('stdlib'))):
    if 'site-packages' in folder or 'test' in folder:
        continue
    for path in sorted(os.path.join(folder, file) for file in files if file.endswith('.py')):
        try:
            source = open(path, 'rb').read()
            tree = ast.parse(source)
            source.decode('utf-8')
        except (SyntaxError, ValueError, OSError):
            continue
        lines = [0]
        for line in source.splitlines(True):
            lines.append(lines[-1] + len(line))
        known = names(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in known and node.func.attr in WANTED.get(owner.id, '').split():
                first = lines[node.lineno - 1] + node.col_offset
                last = lines[node.end_lineno - 1] + node.end_col_offset
                print(path, first, last, owner.id + '.' + node.func.attr, sep='\t')
"#;

#[test]
#[ignore = "reads all of Python's library"]
fn calls_that_python_parses_are_seen() {
    if !hookgate_testing::has("python3", &["-V"]) {
        return;
    }
    let output = Command::new("python3").args(["-c", LISTING]).output().unwrap();
    let listing = String::from_utf8(output.stdout).unwrap();
    let mut files: BTreeMap<&str, Vec<(usize, usize, &str)>> = BTreeMap::new();
    for line in listing.lines() {
        let mut parts = line.split('\t');
        let path = parts.next().unwrap();
        let (first, last) = (parts.next().unwrap().parse().unwrap(), parts.next().unwrap().parse().unwrap());
        files.entry(path).or_default().push((first, last, parts.next().unwrap()));
    }
    let (mut seen, mut missed) = (0, Vec::new());
    for (path, calls) in files {
        let text = std::fs::read_to_string(path).unwrap();
        if text.len() > LARGEST {
            continue;
        }
        let code = analyse(Language::Python, &text);
        for (first, last, name) in calls {
            let inside = |start: usize, end: usize| start < last && end > first;
            if code.effects.iter().any(|effect| inside(effect.start, effect.end)) {
                seen += 1;
            } else {
                missed.push(format!("{path}: {name} at byte {first}"));
            }
        }
    }
    println!("{seen} calls seen, {} missed", missed.len());
    for call in &missed {
        println!("    {call}");
    }
    assert!(seen > 100, "Python's library calls these functions more often than {seen} times");
    assert!(missed.len() * RARELY <= seen, "{} of {} calls are missed", missed.len(), seen + missed.len());
}
