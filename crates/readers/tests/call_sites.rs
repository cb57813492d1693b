//! Calls that change files, in the programs that come with Python and with Node: those that the language's kept parser sees
//! (Python's own, and the acorn that Node brings along), the reader sees too.
//!
//! `cargo test --profile quick -p hookgate-readers --test call_sites -- --ignored --nocapture`

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a test says what it found, and may panic")]

use std::collections::BTreeMap;
use std::process::Command;

use hookgate_readers::{Language, analyse};

/// One in so many calls may be missed.
const RARELY: usize = 50;
/// Text that a reader gives up on is longer.
const LARGEST: usize = 100_000;

/// Prints `path TAB first byte TAB one past the last TAB name` for each call of these functions, in files where nothing else
/// has the module's name.
const PYTHON: &str = r#"
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

/// The same of Node: calls on a name that is bound once in its file, to the module.
const JAVASCRIPT: &str = r#"
const acorn = require('internal/deps/acorn/acorn/dist/acorn');
const walk = require('internal/deps/acorn/acorn-walk/dist/walk');
const fs = require('fs');
const path = require('path');
const CHANGES = /^(rm|unlink|rmdir|rename|chmod|chown|mkdir|symlink|link|truncate|writeFile|appendFile|copyFile|cp)(Sync)?$/;
const MODULES = ['fs', 'node:fs', 'fs-extra', 'graceful-fs', 'fs/promises', 'node:fs/promises'];
const required = node => node && node.type === 'CallExpression' && node.callee.name === 'require'
  && node.arguments.length === 1 && MODULES.includes(node.arguments[0].value);
function parse(text) {
  for (const sourceType of ['script', 'module']) {
    try {
      return acorn.parse(text, { ecmaVersion: 'latest', sourceType, allowHashBang: true, allowReturnOutsideFunction: true });
    } catch {}
  }
}
function names(pattern, found) {
  walk.full(pattern, node => { if (node.type === 'Identifier') found.push(node.name); }, { ...walk.base, Pattern: (node, state, next) => next(node, state) });
}
function* files(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* files(file);
    else if (entry.isFile() && /\.[cm]?js$/.test(entry.name)) yield file;
  }
}
for (const file of files(path.resolve(process.execPath, '../../lib/node_modules'))) {
  const text = fs.readFileSync(file, 'utf8');
  const tree = parse(text);
  if (!tree) continue;
  const modules = new Set(), bound = new Map();
  const bind = name => bound.set(name, (bound.get(name) ?? 0) + 1);
  const calls = [];
  walk.full(tree, node => {
    if (node.type === 'VariableDeclarator') {
      if (node.id.type === 'Identifier') {
        bind(node.id.name);
        if (required(node.init)) modules.add(node.id.name);
      } else { const found = []; names(node.id, found); found.forEach(bind); }
    } else if (/Function/.test(node.type)) {
      const found = [];
      node.params.forEach(one => names(one, found));
      found.forEach(bind);
      if (node.id) bind(node.id.name);
    } else if (node.type === 'ImportDefaultSpecifier' || node.type === 'ImportNamespaceSpecifier' || node.type === 'ImportSpecifier') {
      bind(node.local.name);
    } else if (node.type === 'ImportDeclaration' && MODULES.includes(node.source.value)) {
      for (const one of node.specifiers) if (one.type !== 'ImportSpecifier') modules.add(one.local.name);
    } else if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier') {
      bind(node.left.name);
    } else if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && !node.callee.computed
      && node.callee.object.type === 'Identifier' && CHANGES.test(node.callee.property.name)) {
      calls.push(node);
    }
  });
  for (const node of calls) {
    const name = node.callee.object.name;
    if (modules.has(name) && bound.get(name) === 1) {
      const at = index => Buffer.byteLength(text.slice(0, index));
      console.log([file, at(node.start), at(node.end), name + '.' + node.callee.property.name].join('\t'));
    }
  }
}
"#;

/// Holds the reader to what the parser lists; `least` says how many calls there must be.
fn compare(language: Language, parser: &mut Command, least: usize) {
    let output = parser.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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
        let code = analyse(language, &text);
        for (first, last, name) in calls {
            let inside = |start: usize, end: usize| start < last && end > first;
            if code.effects.iter().any(|effect| inside(effect.start, effect.end)) {
                seen += 1;
            } else {
                missed.push(format!("{path}: {name} at byte {first}"));
            }
        }
    }
    println!("{language:?}: {seen} calls seen, {} missed", missed.len());
    for call in &missed {
        println!("    {call}");
    }
    assert!(seen > least, "these functions are called more often than {seen} times");
    assert!(missed.len() * RARELY <= seen, "{} of {} calls are missed", missed.len(), seen + missed.len());
}

#[test]
#[ignore = "reads all of Python's library"]
fn calls_that_python_parses_are_seen() {
    if hookgate_testing::has("python3", &["-V"]) {
        compare(Language::Python, Command::new("python3").args(["-c", PYTHON]), 100);
    }
}

#[test]
#[ignore = "reads all programs that come with Node"]
fn calls_that_javascript_parses_are_seen() {
    if hookgate_testing::has("node", &["--version"]) {
        compare(
            Language::Javascript,
            Command::new("node").args(["--expose-internals", "-e", JAVASCRIPT]),
            50,
        );
    }
}
