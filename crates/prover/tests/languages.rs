//! Texts of programs in their own languages, and what an interpreter really reads of them.

mod machine;

use machine::reason;

#[test]
fn python_is_read_by_closed_lists() {
    for text in [
        "cat data.json | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"a\"])'",
        "python3 - <<'E'\nimport re\nfor line in open('a.txt'):\n    print(re.sub('x', 'y', line.strip()))\nE",
        "python3 -m json.tool data.json",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    for (text, why) in [
        ("python3 -c 'import os; os.system(\"x\")'", "Python's module `os` for more than is listed"),
        ("python3 -c 'import socket'", "Python's module `socket`"),
        ("python3 -c 'eval(\"x\")'", "Python's `eval`"),
        ("python3 -c 'import sys; (sys.\nmodules)'", "Python's `.modules`"),
        ("python3 -c 'f\"{__import__(1)}\"'", "Python's `__import__`"),
        ("python3 -c 'open(x, \"w\")'", "a file of Python that isn't opened by a literal name"),
        ("python3 -c 'open(\".env\")'", "`.env` is hidden"),
        ("python3 -c '# coding: utf-7\nx'", "a comment of Python that may name an encoding"),
        ("python3 -c 't\"{x}\"'", "a string of Python with the prefix `t`"),
        ("x=1; python3 -c \"$y\"", "a program text that is computed"),
    ] {
        assert_eq!(reason(text, false).as_deref(), Some(why), "{text}");
    }
}

/// GNU's sed ends a piece at the delimiter in a bracket, others don't.
#[test]
fn brackets_of_sed_hold_no_delimiter() {
    for text in [
        "sed 's/[]/]/;s/w src/x/p' a.txt",
        "sed 's/[^]/]/;s/w src/x/p' a.txt",
        "sed 's/[[:a/]:]]/;s/w src/x/p' a.txt",
        "sed 's/[[:alpha:]/;s/w src/x/p' a.txt",
    ] {
        assert!(reason(text, false).is_some(), "{text}");
    }
    for text in [
        "sed 's/[]a]/x/' a.txt",
        "sed 's/[[:space:]]*$//' a.txt",
        "sed 's/[^[:alnum:]_-]/x/g' a.txt",
        "sed -n '/[^]a]$/p' a.txt",
        "sed 's/^[^:]*: *\\[//; s/\\]$//' a.txt",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
}

/// A bracket may go on behind quotes, braces and values, and holds classes of its own.
#[test]
fn brackets_are_read_to_their_end() {
    for text in [
        "x=t; cat tokens/[$x]oken.json",
        "cat tokens/[\"t\"]oken.json",
        "cat tokens/[\\t]oken.json",
        "cat tokens/[{t,u}]oken.json",
        "cat tokens/[}t]oken.json",
        "x='t]'; cat tokens/[${x}oken.json",
        "cat tokens/[[:alpha:]]oken.json",
        "cat tokens/[[.t.]]oken.json",
        "cat tokens/[[=t=]a]oken.json",
        "cat tokens/[[:alpha:][:digit:]]oken.json",
        "cat tokens/[]t]oken.json",
        &format!("cat tokens/[{}]oken.json", "t".repeat(300)),
        "x=a; echo x > tokens/[$x]*",
        "echo x > tokens/[[:alpha:]]oken.json",
        "cp src/main.rs tokens/token.json",
    ] {
        assert!(reason(text, true).is_some(), "{text}");
    }
    for text in ["cat src/[[:alpha:]]*.rs", "ls [ab]*", "[ -f a.txt ]", "echo \"[$x]\" '[' [a"] {
        assert_eq!(reason(text, false), None, "{text}");
    }
}

#[test]
fn python_fills_texts_with_plain_code() {
    for text in [
        "python3 -c 'd = {}; print(f\"{d[0]} of {len(d)}\")'",
        "python3 - <<'E'\nimport json\nd = json.load(open('a.json'))\nprint(f\"{d['a']:>10} {d['b']!r} {{x}}\")\nE",
        "python3 -c 'print(\"{} of {:.2f}\".format(1, 2))'",
        "python3 -c 'import random; code = random.gauss(0, 1); print(code)'",
        "python3 -c 'print(open(f\"a.txt\").read())'",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    for (text, why) in [
        (
            "python3 -c 'open(f\"/etc/sudoers\")'",
            "`sudoers` lies in no place that may be read without a question",
        ),
        ("python3 -c 'open(f\"{x}\")'", "a file of Python that isn't opened by a literal name"),
        ("python3 -c 'f\"{eval(1)}\"'", "Python's `eval`"),
        ("python3 -c 'f\"{x:{eval(1)}}\"'", "a string of Python with more than plain code in its braces"),
        // Newer versions take the inner quotes for those of a string of its own.
        (
            "python3 -c 'f\"{x[\"}\"]}{eval(1)}\"'",
            "a string of Python with more than plain code in its braces",
        ),
        ("python3 - <<'E'\nf'{x['a']}'\nE", "a string of Python with more than plain code in its braces"),
        ("python3 -c 'f\"{x!r:{y}}\"'", "a string of Python with more than plain code in its braces"),
        ("python3 -c 'f\"}{x\"'", "a string of Python with more than plain code in its braces"),
        ("python3 -c 'import sys; print(\"{0.modules}\".format(sys))'", "Python's `.format`"),
        ("python3 -c 'import sys; print(\"{0\" \".modules}\".format(sys))'", "Python's `.format`"),
        ("python3 -c 'import sys; print((\"{0\" + \".modules}\").format(sys))'", "Python's `.format`"),
        ("python3 -c 'import sys; print(\"{:{0.modules}}\".format(sys))'", "Python's `.format`"),
        ("python3 -c 'import sys; print(\"\\x7b0.modules}\".format(sys))'", "Python's `.format`"),
        ("python3 -c 'import sys; t = sys.argv[1]; print(t.format(sys))'", "Python's `.format`"),
        ("python3 -c 'import sys; t = sys.argv[1]; print(f\"{t}\".format(sys))'", "Python's `.format`"),
    ] {
        assert_eq!(reason(text, true).as_deref(), Some(why), "{text}");
    }
}

#[test]
fn python_opens_files_by_names_that_are_written_out() {
    for text in [
        "python3 - <<'E'\npath = \"a.txt\"\nfor line in open(path):\n    print(line)\nE",
        "python3 - <<'E'\np = 'a.txt'\ns = open(p, encoding='utf8').read()\nopen(p, 'w', encoding='utf8').write(s)\nE",
        "python3 -c 'import os; print(os.path.exists(\"/etc/shadow\"), os.sep)'",
        "python3 -c 'import yaml; print(yaml.safe_load(open(\"a.yml\")))'",
        "python3 -c 'open(\"src/a.ts\", \"w\").write(\"x\")'; cat src/a.ts",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
    for text in [
        "python3 - <<'E'\nfor p in ['a', '/etc/sudoers']:\n    open(p)\np = 'a'\nE",
        "python3 - <<'E'\np = 'a'\np += '/etc/sudoers'\nopen(p)\nE",
        "python3 - <<'E'\np = 'a'\nif 1:\n  p = '/etc/sudoers'\nopen(p)\nE",
        "python3 - <<'E'\np = 'a' '/../../x'\nopen(p)\nE",
        "python3 - <<'E'\np = '/etc/sudoers'\nopen(p)\nE",
        "python3 - <<'E'\np = 'a'\ndef f(p):\n  open(p)\nf('/etc/sudoers')\nE",
        "python3 - <<'E'\np = '.git/hooks/post-commit'\nopen(p, 'w')\nE",
        "python3 - <<'E'\np = 'json.py'\nopen(p, 'w').write('x')\nimport json\nE",
        "python3 -c 'open(\"Makefile\", \"w\")'; make",
        "python3 -c 'open(\"a\", \"r+\")'",
        "python3 -c 'open(\"a\", opener=x)'",
        "python3 -c 'open(\"a\", \"w\", \"r\")'",
        "python3 -c 'import os; os.remove(\"a\")'",
        "python3 -c 'import os; x = os; x.remove(\"a\")'",
        "python3 -c 'import os as o; o.remove(\"a\")'",
        "python3 -c 'import json, os as o; o.remove(\"a\")'",
        "python3 -c 'from os import remove; remove(\"a\")'",
        "python3 -c 'import os; os.path.os.remove(\"a\")'",
        "python3 -c 'import yaml; yaml.load(open(\"a\"))'",
        "python3 -c 'import yaml; [yaml][0].load(open(\"a\"))'",
        "python3 -c 'from pathlib import Path; (Path(\"a\") / \"/etc/sudoers\").read_text()'",
        "python3 -c 'from pathlib import Path; Path(\"/\", \"etc/sudoers\").read_text()'",
        "python3 -c 'from pathlib import Path; Path(\"/\", \"r\").read_text()'",
        "python3 -c 'from pathlib import Path; type(Path(\"a\"))(\"/var/log/x\").read_text()'",
        "mkdir json; python3 -c 'import json'; cp a.txt json/__init__.py",
    ] {
        assert!(reason(text, true).is_some(), "{text}");
    }
}

#[test]
fn a_module_of_python_takes_the_words_of_its_program() {
    for text in
        ["python -m pytest -q", "python3 -m pytest -x tests", "python -m mypy src", "python -m unittest -v"]
    {
        assert_eq!(reason(text, true), None, "{text}");
    }
    for (text, wanted) in [
        ("python -m pytest -c /srv/x/conf", "`-c` of `pytest` is not reviewed"),
        ("python -m unittest /srv/x", "code that lies outside of the project"),
        ("python3 -m pytest -q", "`python3` loads the project's code"),
    ] {
        let code = wanted != "`python3` loads the project's code";
        assert_eq!(reason(text, code).as_deref(), Some(wanted), "{text}");
    }
}

#[test]
fn what_python_runs_is_proven_like_any_call() {
    for text in [
        "python3 -c \"import subprocess; print(subprocess.check_output(['git', 'log', '--oneline', '-3'], text=True))\"",
        "python3 - <<'E'\nimport subprocess, json\nfor p in ['a', 'b']:\n    out = subprocess.run(['git', 'show', f'main:src/{p}.json'], capture_output=True, text=True)\n    print(out.returncode, json.loads(out.stdout))\nE",
        "python3 - <<'E'\nimport subprocess\nbranch = 'a/b'\nfor p in subprocess.check_output(['git', 'ls-tree', '-r', '--name-only', branch], text=True).split():\n    print(subprocess.check_output(['git', 'show', f'{branch}:{p}'], text=True))\nE",
        "python3 - <<'E'\nimport subprocess\ntry:\n    subprocess.check_call(['rg', '-n',\n        'x', 'src'], stderr=subprocess.DEVNULL)\nexcept subprocess.CalledProcessError as e:\n    print(e)\nE",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    for (code, part) in [
        ("subprocess.run('touch x', shell=True)", "more than a list of words"),
        ("subprocess.run(['touch', 'x'])", "may write as a module"),
        ("subprocess.run(['sh', '-c', 'touch x'])", "may write as a module"),
        ("y = ['--output=z'][0]; subprocess.run(['git', 'log', y])", "may turn into an option"),
        ("subprocess.run(['git', 'log', '--out' + 'put=x'])", "may turn into an option"),
        ("subprocess.run(['git', 'log', '--out' f'put={x}'])", "may turn into an option"),
        ("subprocess.run(['git', 'log', f'--out{x}'])", "`git"),
        ("subprocess.run(['git', 'log', f'{x}']); x = '--output=y'", "may turn into an option"),
        ("subprocess.run(['git', 'log', x]); (x := '--output=y')", "may turn into an option"),
        ("[subprocess.run(['git', 'log', x]) for x in ['--output=y']]", "may turn into an option"),
        (
            "subprocess.run(['git', 'log', (lambda a, x, b: x)('', '--output=y', '')])",
            "may turn into an option",
        ),
        ("[a, x] = ['', '--output=y']; subprocess.run(['git', 'log', x])", "may turn into an option"),
        ("y = ['ls'][0]; subprocess.run([y, 'log'])", "a name that isn't plain"),
        ("y = ['ls'][0]; subprocess.run([f'{y}'])", "a name that isn't plain"),
        ("subprocess.run(['./ls'])", "a name that isn't plain"),
        ("subprocess.run(['cd', '/'])", "a name that isn't plain"),
        ("subprocess.run(['ls'], shell=True)", "`shell` of a program"),
        ("subprocess.run(['ls'], executable='./x')", "`executable` of a program"),
        ("subprocess.run(['ls'], env={'LD_PRELOAD': './x'})", "`env` of a program"),
        ("subprocess.run(['ls'], cwd='/x')", "`cwd` of a program"),
        ("subprocess.run(['ls'], **x)", "more than a list of words"),
        ("subprocess.run(['ls'], 1, './x')", "more than a list of words"),
        ("subprocess.run(['git'] + x)", "more than a list of words"),
        ("subprocess.run([*x])", "more than a list of words"),
        ("subprocess.run(['ls', y for y in x])", "more than a list of words"),
        ("subprocess.run(x)", "more than a list of words"),
        ("subprocess.Popen(['ls'])", "more than is listed"),
        ("subprocess.getoutput('ls')", "more than is listed"),
        ("s = subprocess; s.run('touch x')", "more than is listed"),
        ("subprocess.run(['ls', eval('1')])", "`eval`"),
        ("subprocess.run(['ls'], stdout=open('x', 'w'))", "may write as a module"),
    ] {
        let text = format!("python3 -c \"import subprocess; x = 'a'; {code}\"");
        let reason = reason(&text, false).unwrap_or_default();
        assert!(reason.contains(part), "{text}: {reason}");
    }
    // What it wrote before.
    let text = "python3 - <<'E'\nimport subprocess\nopen('x.sh', 'w').write('touch y')\nsubprocess.run(['bash', 'x.sh'])\nE";
    assert!(reason(text, true).is_some(), "{text}");
}

#[test]
fn javascript_that_computes_and_reads_is_known() {
    for code in [
        "console.log('ok')",
        "console.log(require('./package.json').version)",
        "console.log(process.version, process.argv.length)",
        "const fs = require('node:fs');\nconst text = fs.readFileSync('a.log', 'utf8');\nconst lines = text.split(/\\r?\\n/).filter(l => /[/x]y/.test(l));\nfor (const [i, l] of lines.entries()) console.log(`${i}: ${l.trim()}`);",
        "const d = JSON.parse(require('fs').readFileSync(0, 'utf8')); const sum = (a, b) => a + b; console.log(d.rows.map(r => r.n).reduce(sum, 0) / d.rows.length)",
        "const crypto = require('crypto'); console.log(crypto.createHash('sha256').update('abc').digest('hex'))",
        "let n = 0; for (let i = 0; i < 10; i++) { n += i % 2 ? i : -i } console.log(n)",
        "try { JSON.parse('{') } catch (e) { console.error(e.message) }",
        "const { name, version = '0', scripts: { build } } = require('./package.json'); console.log(name, version, build)",
        "function twice(x) { return [x, x] }\nconsole.log([...twice('a'), ...[1, 2]].join())",
        "console.log(Object.entries({ a: 1, 'b': 2 }).map(([k, v]) => k + v))",
        "console.log('🎉', new Date(0).toISOString(), [1, 2, 3].at(-1), 'abc'[0])",
    ] {
        for text in [
            format!("node - <<'E'\n{code}\nE"),
            format!("node -e {}", format_args!("'{}'", code.replace('\'', "'\\''"))),
        ] {
            assert_eq!(reason(&text, false), None, "{text}");
        }
    }
    assert_eq!(
        reason(
            "curl -s http://localhost:3000/a | node -p 'JSON.parse(require(\"fs\").readFileSync(0)).a'",
            false
        ),
        None
    );
    assert_eq!(reason("node -p 1+1 a b", false), None);
}

#[test]
fn javascript_that_reaches_code_is_refused() {
    for code in [
        "eval('1')",
        "Function('1')()",
        "(x => x).constructor('1')()",
        "''['constructor']",
        "const k = 'constructor'; [][k]",
        "const a = { of: x => x }, k = 'constructor'; a.of[k]",
        "const a = { in: x => x }, k = 'constructor'; const C = a.in[k]",
        "const a = { new: x => x }; a.new`x`",
        "const f = x => x; f`x`",
        "const f = x => x; f<T>`x`",
        "''['constr\\x75ctor']",
        "''.constr\\u0075ctor",
        "1..constructor",
        "1./a.b/1",
        "1. in /\"/, eval, /\"/",
        "let x\n/\"/; eval; /\"/",
        "let x\n /* a */ /\"/; eval; /\"/",
        "while (1) break\n/\"/; eval; /\"/",
        "while (1) break /* \n */ /\"/; eval; /\"/",
        "var let = 1\nlet\nvoid /\"/; eval; /\"/",
        "var a, let\nlet\ndelete /\"/",
        "let a; let /a/",
        "const f = (a, void) => 1; void /\"/",
        "let any = 1; any<null>/eval/1",
        "require('.prettierrc.json')",
        "1.5.constructor",
        "const { constructor: C } = ''",
        "const { constructor } = ''",
        "const { constructor = 1 } = ''",
        "const { 'constructor': C } = ''",
        "const { 'constr\\x75ctor': C } = ''",
        "const k = 'constructor', { [k]: C } = ''",
        "const k = 'x', o = { [k]() {} }",
        "({ get [k]() {} })",
        "[eval][0]('1')",
        "(0, eval)('1')",
        "(() => 1)()",
        "['1'].map(eval)",
        "[...eval]",
        "const p = { ...process }",
        "const r = [...require]",
        "const f = (x = WebAssembly) => x",
        "const f = (x = Intl) => x",
        "const f = ({ a = [Intl] }) => a",
        "const { Intl: x } = {}; console.log(Intl)",
        "x => x.__proto__",
        "Object.getPrototypeOf(x => x)",
        "[[x => x]].map(Object.getPrototypeOf)",
        "Reflect.construct",
        "this.process",
        "process.env.PATH",
        "process.binding('fs')",
        "process.mainModule.require('child_process')",
        "process.stdout.constructor",
        "const p = process",
        "process['env']",
        "require('child_process').execSync('id')",
        "require(process.argv[1])",
        "require('./a.js')",
        "require('./a')",
        "const { execSync } = require('child_process')",
        "const f = require('fs')",
        "const { readFileSync } = require('fs')",
        "require('fs').writeFileSync('a', '')",
        "require('fs').readFileSync('a', { flag: 'w' })",
        "require('fs').readFileSync('a', { encoding: 'utf8', flag: 'w' })",
        "const o = { flag: 'w' }; require('fs').readFileSync('a', o)",
        "const n = 'a'; require('fs').readFileSync(n)",
        "child_process.execSync('id')",
        "fs.rmSync('a')",
        "import('fs')",
        "import fs from 'fs'",
        "fetch('http://a.b')",
        "setTimeout('1')",
        "new Function('1')",
        "new (x => x).constructor('1')",
        "JSON.parse = x => x",
        "const fs = { readFileSync: 1 }",
        "const a = 1 <!-- 2",
        "if (1) /a/.test('b')",
        "let [a] = eval",
        "const a = 1; a![k]",
        "const f = x => x; f<T>('a')",
        "const f = x => x; const g = f; g('1')",
        "const x = [1].at(0); x()",
        "async () => 1",
        "class A { static { } }",
        "with ({}) { }",
        "gc()",
        "a\u{2028}b",
        "const a = 1\n#!b",
    ] {
        let text = format!("node - <<'E'\n{code}\nE");
        assert_ne!(reason(&text, false), None, "{text}");
    }
    for (text, part) in [
        ("node -p 1 -r ./x.js", "turn into an option"),
        ("node -p 1 \"$x\"", "turn into an option"),
        ("node -r ./x.js -p 1", "`node"),
        ("node -e \"$x\"", "computed"),
        ("NODE_OPTIONS='-r ./x.js' node -p 1", "NODE_OPTIONS"),
        ("cat a.js | node", "computed"),
        ("echo '{}' > a.json; node -p 'require(\"./a.json\")'", "may find code"),
        ("node -p 'require(\"./a.json\")' > a.json.js", "may find code"),
        ("node -p 'require(\"fs\").readFileSync(\".env\")'", "hidden"),
        ("node -p 'require(\"./link.json\")'", "may find code"),
    ] {
        let found = reason(text, false).unwrap_or_default();
        assert!(found.contains(part), "{text}: {found}");
    }
}

#[test]
fn python_is_cut_into_the_parts_that_python_sees() {
    let modules = "import subprocess, os, random\n";
    for (code, part) in [
        ("subprocess.run(['echo', 'x'], (-1), ('/usr/bin/touch'))", "more than a list of words"),
        ("subprocess.run(['echo', 'x'], *[1])", "more than a list of words"),
        ("subprocess.run(['echo', 'git', 'grep', '-Otouch x', 'y'][1:])", "more than a list of words"),
        ("x = ['pwd']\nsubprocess.run(['echo', x][1])", "more than a list of words"),
        ("from random import (sample,\n_os)\n_os.remove('x')", "import that isn't plain"),
        ("1.\ncompile == 1", "`compile`"),
        ("...\ncompile == 1", "`compile`"),
        ("def f(\np = 'a.txt'\n):\n  print(open(p).read())\nf('.env')", "literal name"),
        ("f = lambda\\\np = 'a': 1", "backslash"),
        ("os.path.join = lambda a, b: b'/usr/bin/touch'", "attribute that"),
        ("os.path.join: int = 1", "attribute that"),
        ("for os.path.join in [1]: pass", "attribute that"),
        ("[1 for a, os.path.join in [1]]", "attribute that"),
        ("with open('a') as os.path.join: pass", "attribute that"),
        ("if 1: os.path.join = 1", "attribute that"),
        ("if 1: a = os.path.join = 1", "attribute that"),
        ("(a, os.path.join) = 1, 2", "attribute that"),
        ("[os.path.join] = [1]", "attribute that"),
        ("random.random += 1", "attribute that"),
        ("random.random <<= 1", "attribute that"),
        ("x = 'output=y'\nsubprocess.run(['git', 'log', f'{x:->15}'])", "turn into an option"),
        ("x = 'output=y'\nsubprocess.run(['git', 'log', f'{x!r}'])", "turn into an option"),
        ("a = 'b'\nprint(f'{{0.{a}[os].environ' '}'.format(os.path.join))", "`.format`"),
        ("if 1: from requests import re", "module `requests`"),
        ("if 1: from os import system", "import that isn't plain"),
    ] {
        let text = format!("python3 - <<'E'\n{modules}{code}\nE");
        let found = reason(&text, false).unwrap_or_default();
        assert!(found.contains(part), "{text}: {found}");
    }
    for code in [
        "x = [\n  1, # one\n  2,\n]\nprint(x)",
        "x = 'a.txt'\nprint(\n  open(x).read())",
        "for l in open('a.txt'): n = len(l.strip())",
        "x = {}\nx['a'.lower()] = os.sep\nprint(x == os.sep, x != os.sep)",
        "try:\n  x = 1\nexcept ValueError as e:\n  raise KeyError(e) from e",
        "subprocess.run(['ls'], check=True,\n  stdout=subprocess.PIPE,)",
    ] {
        let text = format!("python3 - <<'E'\n{modules}{code}\nE");
        assert_eq!(reason(&text, false), None, "{text}");
    }
    for text in [
        "python2 -c \"print(1)\"",
        "python2.7 -c \"print(1)\"",
        "python -c \"file('x', 'w')\"",
        "python -c \"execfile('x')\"",
    ] {
        assert_ne!(reason(text, false), None, "{text}");
    }
    assert_eq!(reason("python3 -c \"for file in ['a']: print(file)\"", false), None);
}

#[test]
fn a_program_text_is_what_its_interpreter_really_reads() {
    for (text, part) in [
        ("cat a.txt | node - 2<<'E'\nconsole.log(1)\nE", "a descriptor of its own"),
        ("cat a.txt | { python3 - 1<<'E'\nprint(1)\nE\n}", "a descriptor of its own"),
        ("cat a.txt | python3 - <<'E' 0<&2\nprint(1)\nE", "computed"),
        ("cat a.txt | echo $(python3 -) <<'E'\nprint(1)\nE", "computed"),
        ("{ read x; node -; } <<'E'\nconsole.log(1)\nE", "computed"),
        ("while read -r x; do python3 -; done <<'E'\nprint(1)\nE", "computed"),
        ("if head -c 2; then node -; fi <<'E'\nconsole.log(1)\nE", "computed"),
        ("( head -c 2; node ) <<'E'\nconsole.log(1)\nE", "computed"),
    ] {
        let found = reason(text, false).unwrap_or_default();
        assert!(found.contains(part), "{text}: {found}");
    }
    assert_eq!(reason("{ python3 -; echo b; } <<'E' 2>&1\nprint(1)\nE", false), None);
    assert_eq!(reason("{ node - <<'A'; node - <<'B'; } < a.txt\n1\nA\n2\nB", false), None);
}

#[test]
fn what_another_shell_reads_otherwise_is_not_known() {
    for text in [
        "sh -c \"echo \\$'a\\\\'; ls; echo \\\\'' #'\"",
        "sh -c 'env=1; ((env))'",
        "sh -c '[[ a || ls ]]'",
        "dash -c 'cat {a,b}'",
        "ksh -c 'ls &> /dev/null'",
        "sh -c 'declare x=a; cat \"$x.txt\"'",
        "watch '((ls))'",
        "find . -exec sh -c 'cat <(ls)' {} +",
        "sh -c 'cat <<< a'",
        "sh -c 'ls |& cat'",
        "sh -c 'echo \"it'\\''s\"; ((a)); echo \"it'\\''s\"'",
    ] {
        let found = reason(text, false).unwrap_or_default();
        assert!(found.contains("otherwise than bash"), "{text}: {found}");
    }
    for text in [
        "sh -c 'ls src | head -3; echo done'",
        "find . -name '*.rs' -exec sh -c 'echo \"$1\"' _ {} \\;",
        "sh -c 'if test -d src; then ls src 2>&1; fi'",
        "timeout 5 sh -c \"awk '{ print NR }' a.txt\"",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
}
