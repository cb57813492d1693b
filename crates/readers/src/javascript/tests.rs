//! JavaScript texts and what they do.

use super::super::testing::check;
use crate::Language::Javascript as Js;

#[test]
fn ordinary_analysis_code_is_understood() {
    for text in [
        "console.log(Object.keys({a: 1}).sort().join(' '))",
        "let s='';process.stdin.on('data',d=>s+=d).on('end',()=>{const j=JSON.parse(s);console.log(j.a?.b ?? `x${j.c}`)})",
        "const x = [1,2,3].map(n => n * 2)\nfor (const y of x) { console.log(y) }\nif (x.length > 2) console.log('rm -rf /')",
        "console.log(/a\\/b[/]c/.test('x'), process.version, process.argv.slice(2))",
        "function f(a) { return a.replace(/'/g, \"\") }\nconsole.log(f('x')) // require('fs').rmSync('/')",
        "const path = require('path'); console.log(path.join('a', 'b'))",
    ] {
        check(Js, text, &[], true);
    }
}

#[test]
fn file_operations_name_their_paths() {
    check(Js, "require('fs').rmSync('/', {recursive: true})", &["delete / +recursive"], true);
    check(Js, "process.report.writeReport('/etc/x')", &["write /etc/x"], true);
    let worker = "new (require('worker_threads').Worker)('require(\"fs\").rmSync(\"/a\")', {eval: true})";
    check(Js, worker, &["delete /a +recursive"], true);
    check(Js, "new (require('worker_threads').Worker)('./a.js')", &["project-code ./a.js"], true);
    check(Js, "new Function('r', 'require(\"fs\").rmSync(\"/a\")')(1)", &["delete /a +recursive"], true);
    check(
        Js,
        "import('data:text/javascript,import fs from %22fs%22;fs.rmSync(%22/a%22)')",
        &["delete /a +recursive"],
        true,
    );
    check(Js, "const d=require('./package.json');console.log(d.name)", &["read ./package.json"], true);
    check(Js, "import { writeFileSync as w } from 'node:fs';\nw('/etc/x', 'y')", &["write /etc/x"], true);
    check(Js, "import fs from 'fs'\nfs.promises.unlink('a').then(() => console.log(1))", &["delete a"], true);
    check(
        Js,
        "const { rmSync: r } = require('fs'); const p = '/et' + 'c'; r(p)",
        &["delete /etc +recursive"],
        true,
    );
    check(Js, "require('fs')['rm' + 'Sync']('/x')", &["delete /x +recursive"], true);
    check(Js, "const fs=require('fs');fs.writeFileSync(`${__dirname}/x`, '')", &["write {}/x"], true);
    check(Js, "console.log(process.env.API_TOKEN, process.env['HOME'])", &["secret-read API_TOKEN"], true);
}

#[test]
fn shells_are_found_however_they_are_called() {
    for text in [
        "require('child_process').execSync('rm -rf /')",
        "const {execSync} = require('child_process'); execSync(`rm -rf /`, {stdio: 'inherit'})",
        "import {exec as e} from 'child_process'; e('rm -rf /')",
        "process['mainModule'], (await import('child_process')).exec('rm -rf /')",
        "eval(\"require('child_process').execSync('rm -rf /')\")",
    ] {
        let code = super::analyse(text);
        assert_eq!(
            code.shell.first().and_then(|shell| shell.0.as_deref()),
            Some("rm -rf /"),
            "{text}\n{code:?}"
        );
    }
    check(Js, "require('child_process').spawnSync('rm', ['-rf', '/'])", &["argv rm -rf /"], true);
    check(Js, "import {$} from 'bun'; await $`rm -rf /`", &["shell rm -rf /"], true);
    check(Js, "const cp=require('child_process'); cp.exec(x)", &["shell ?"], true);
}

#[test]
fn what_cannot_be_followed_is_not_complete() {
    check(Js, "eval(x)", &["unknown-command"], false);
    check(Js, "require(x)", &[], false);
    check(Js, "require('./lib').go()", &["project-code ./lib"], false);
    check(Js, "const f = require('fs'); g(f)", &[], false);
    check(Js, "[].constructor.constructor('return 1')()", &[], false);
    check(Js, "eval(Buffer.from('cm0=', 'base64').toString())", &["hidden-code", "unknown-command"], false);
}

#[test]
fn a_function_that_is_only_made_does_not_run() {
    check(
        Js,
        "const s = require('fs').readFileSync('a.js', 'utf8'); new Function(s); console.log('fine')",
        &["read a.js"],
        true,
    );
    check(Js, "try { new Function(t) } catch (e) { console.log(e.message) }", &[], true);
    check(Js, "new Function(t)()", &["unknown-command"], false);
    check(Js, "const f = new Function(t); f()", &["unknown-command"], false);
    check(Js, "[1].map(new Function(t))", &["unknown-command"], false);
}

#[test]
fn an_environment_that_is_shown_as_a_whole_shows_its_secrets() {
    check(Js, "console.log(process.env)", &["secret-read"], true);
    check(Js, "console.log(JSON.stringify(process.env, null, 2))", &["secret-read"], true);
    check(Js, "console.log({ ...process.env })", &["secret-read"], true);
    check(Js, "console.log(Object.keys(process.env).length)", &[], true);
    check(Js, "console.log(Object.entries(process.env))", &["secret-read"], true);
    check(Js, "console.log(process.env.HOME, process.env['LANG'])", &[], true);
}

#[test]
fn methods_of_unknown_modules_are_unknown() {
    for text in [
        "const s = require('thing'); s.writeFile('/srv/a', 'x')",
        "import s from 'thing'; s.rm('/srv/a')",
        "import {unlinkSync} from 'thing'; unlinkSync('/srv/a')",
        "const {rm} = require('thing'); rm('/srv/a')",
        "require('thing')().rm('/srv/a')",
    ] {
        check(Js, text, &[], false);
    }
    // What is built in, and what nobody bound, is what it is called.
    check(Js, "fs.unlinkSync('/srv/a')", &["delete /srv/a"], true);
    check(Js, "const s = require('graceful-fs'); s.unlinkSync('/srv/a')", &["delete /srv/a"], true);
    check(Js, "const {promises: p} = require('fs'); p.unlink('/srv/a')", &["delete /srv/a"], true);
    // A client of a database is told by what it is given.
    check(
        Js,
        "const {Client} = require('pg'); new Client().query('DROP TABLE t')",
        &["database-destroy t"],
        false,
    );
    check(Js, "require('better-sqlite3')('a').exec('DROP TABLE t')", &["database-destroy t"], true);
}

#[test]
fn parameters_hide_what_else_has_their_names() {
    check(Js, "const {rmSync: rm} = require('fs'); const f = (rm) => rm('/srv/a')", &[], true);
    check(Js, "const {rmSync: rm} = require('fs'); function f(rm) { rm('/srv/a') } f(1)", &[], true);
    check(
        Js,
        "const {rmSync: rm} = require('fs'); [1].map(rm => rm('/srv/a')); rm('/srv/b')",
        &["delete /srv/b +recursive"],
        true,
    );
}

#[test]
fn what_runs_programs_is_followed() {
    let cp = "const cp = require('child_process');";
    for text in [
        "cp.execSync('rm ' + 'x')",
        "let c = 'rm'; c += ' x'; cp.execSync(c)",
        "cp.execSync(['rm', 'x'].join(' '))",
        "for (const c of ['rm x']) cp.execSync(c)",
        "['rm x'].forEach(c => cp.execSync(c))",
        "function run(c) { return cp.execSync(c) } run('rm x')",
        "cp.exec.call(null, 'rm x')",
        "cp.execSync.apply(null, ['rm x'])",
        "const {promisify} = require('util'); promisify(cp.exec)('rm x')",
        "cp.execSync('x mr'.split('').reverse().join(''))",
        "import('child_process').then(m => m.execSync('rm x'))",
        "const o = {c: 'rm x'}; cp.execSync(o.c)",
    ] {
        check(Js, &format!("{cp} {text}"), &["shell rm x"], true);
    }
    for text in [
        "cp.spawnSync('rm', ['x'], {stdio: 'inherit'})",
        "const a = []; a.push('x'); cp.spawnSync('rm', a)",
        "require('cross-spawn').sync('rm', ['x'])",
        "new Deno.Command('rm', {args: ['x']}).outputSync()",
        "Bun.spawnSync({cmd: ['rm', 'x']})",
        "require('shelljs').rm('x')",
    ] {
        let code = super::analyse(&format!("{cp} {text}"));
        assert_eq!(code.argv, [vec![Some("rm".to_owned()), Some("x".to_owned())]], "{text}");
    }
    let code = super::analyse(&format!("{cp} cp.spawnSync('sh', {{input: 'rm x'}})"));
    assert_eq!(code.shell.first().and_then(|shell| shell.0.as_deref()), Some("rm x"));
    check(
        Js,
        &format!("{cp} let c = 'ls'; if (x)\n  c = 'rm x'\ncp.execSync(c)"),
        &["shell ls", "shell rm x", "shell ?"],
        true,
    );
}

#[test]
fn a_search_service_loses_an_index() {
    check(Js, "const c = connect('a'); c.deleteIndex('visits')", &["remote-delete"], true);
}

#[test]
fn what_is_gone_through_stays_known_when_it_is_chosen_from() {
    let js = Js;
    let lines = ["read /a", "delete /a/{}"];
    let names = "const fs = require('fs'), path = require('path'); let n = fs.readdirSync('/a'); ";
    let all = |text: &str| check(js, &format!("{names}{text}"), &lines, true);
    all("n.filter(f => f.endsWith('x')).map(f => path.join('/a', f)).forEach(fs.unlinkSync)");
    all("n.filter(f => f).map(f => `/a/${f}`).forEach(f => fs.unlinkSync(f))");
    all("n.map(function (f) { return f }); for (const f of n.map(f => '/a/' + f).sort()) fs.unlinkSync(f)");
    check(js, "console.log([3, 1].sort().map(x => x * 2).find(x => x), 'abc'.slice(1))", &[], true);
}
