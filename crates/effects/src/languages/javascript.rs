//! JavaScript and TypeScript, for node, deno, bun and the mongo shell.

use super::reader::{Dialect, Reader, read};
use super::value::{Act, RECEIVER, Value};
use super::{Code, Language};
use crate::Kind;

static JAVASCRIPT: Dialect = Dialect {
    language: Language::Javascript,
    function,
    method,
    harmless,
    module,
    keyword,
    statement,
    undefined_fails: true,
    bare_calls: false,
};

static MONGO: Dialect =
    Dialect { method: mongo_method, function: mongo_function, module: mongo_module, ..JAVASCRIPT };

/// What a JavaScript text does.
pub(super) fn analyse(text: &str) -> Code {
    read(&JAVASCRIPT, text, 0)
}

/// What a text of the mongo shell does.
pub(super) fn analyse_with_shell(text: &str) -> Code {
    read(&MONGO, text, 0)
}

fn keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "else"
            | "for"
            | "while"
            | "do"
            | "return"
            | "throw"
            | "try"
            | "catch"
            | "finally"
            | "new"
            | "typeof"
            | "instanceof"
            | "in"
            | "of"
            | "await"
            | "async"
            | "yield"
            | "void"
            | "delete"
            | "break"
            | "continue"
            | "switch"
            | "case"
            | "default"
            | "const"
            | "let"
            | "var"
            | "function"
            | "class"
            | "extends"
            | "static"
            | "get"
            | "set"
            | "export"
            | "as"
            | "type"
            | "interface"
            | "debugger"
            | "true"
    )
}

fn statement(reader: &mut Reader<'_>, word: &str) -> bool {
    match word {
        "import" if reader.symbol_at(1) != Some("(") && reader.symbol_at(1) != Some(".") => {
            reader.advance();
            imports(reader);
        }
        "const" | "let" | "var" => {
            reader.advance();
            declaration(reader);
        }
        "function" | "class" => {
            reader.advance();
            reader.take("*");
            if reader.symbol() != Some("(") && reader.symbol() != Some("{") {
                reader.advance();
            }
        }
        "export" | "default" => reader.advance(),
        _ => return false,
    }
    true
}

/// Names in braces with their own names: `{a, b: c}`, `{a as c}`.
fn pattern(reader: &mut Reader<'_>) -> Vec<(String, String)> {
    let mut names = Vec::new();
    while let Some(kind) = reader.peek() {
        if *kind == super::lexer::TokenKind::Symbol("}") {
            reader.advance();
            break;
        }
        let Some(name) = reader.take_name() else {
            reader.advance();
            continue;
        };
        let renamed = reader.take(":") || reader.take_word("as");
        let alias = if renamed { reader.take_name().unwrap_or_default() } else { name.clone() };
        names.push((name, alias));
        if reader.take("=") {
            let value = reader.expression();
            reader.escape(&value);
        }
    }
    names
}

fn bind(reader: &mut Reader<'_>, names: Vec<(String, String)>, value: &Value) {
    for (name, alias) in names {
        let value = match value {
            Value::Name(module) => Value::Name(format!("{module}.{name}")),
            _ => Value::Unknown,
        };
        reader.assign(&alias, value);
    }
}

fn declaration(reader: &mut Reader<'_>) {
    loop {
        if reader.take("{") {
            let names = pattern(reader);
            if reader.take("=") {
                let value = reader.expression();
                bind(reader, names, &value);
            }
        } else if reader.symbol() == Some("[") {
            reader.expression();
            if reader.take("=") {
                reader.assignment(None);
            }
        } else if let Some(name) = reader.take_name() {
            if reader.take(":") {
                // A type.
                while !matches!(reader.symbol(), Some("=" | ";" | ",")) && reader.peek().is_some() {
                    reader.advance();
                }
            }
            if reader.take("=") {
                reader.skip_lines();
                reader.assignment(Some(&name));
            }
        }
        if !reader.take(",") {
            return;
        }
        reader.skip_lines();
    }
}

fn imports(reader: &mut Reader<'_>) {
    reader.take_word("type");
    let mut whole: Vec<String> = Vec::new();
    let mut names = Vec::new();
    loop {
        if reader.take("{") {
            names = pattern(reader);
        } else if reader.take("*") {
            reader.take_word("as");
            whole.extend(reader.take_name());
        } else if reader.take_word("from") || reader.peek().is_none() {
            break;
        } else if let Some(name) = reader.take_name() {
            whole.push(name);
        } else if !reader.take(",") {
            break;
        }
    }
    let (start, end) = (reader.start(), reader.end());
    let value = match reader.peek().cloned() {
        Some(super::lexer::TokenKind::Text(literal)) => {
            reader.advance();
            match literal.pieces.as_slice() {
                [super::lexer::Piece::Text(module)] => reader.import(module, start, end.max(start)),
                _ => Value::Unknown,
            }
        }
        _ => Value::Unknown,
    };
    for name in whole {
        reader.assign(&name, value.clone());
    }
    bind(reader, names, &value);
}

fn module(name: &str) -> bool {
    let name = name.strip_suffix("/promises").unwrap_or(name);
    harmless(name)
        || matches!(
            name,
            "fs" | "fs-extra"
                | "child_process"
                | "os"
                | "process"
                | "http"
                | "https"
                | "net"
                | "dgram"
                | "tls"
                | "http2"
                | "module"
                | "vm"
                | "worker_threads"
                | "axios"
                | "node-fetch"
                | "undici"
                | "bun"
                | "Deno"
                | "Bun"
                | "execa"
                | "zx"
                | "shelljs"
                | "rimraf"
                | "better-sqlite3"
                | "crypto"
                | "globalThis"
                | "global"
                | "cluster"
                | "repl"
                | "Buffer"
                | "dns"
                | "inspector"
                | "fast-glob"
                | "glob"
                | "js-yaml"
                | "yaml"
        )
}

fn harmless(name: &str) -> bool {
    let root = name.split('.').next().unwrap_or_default();
    matches!(
        root,
        "console"
            | "JSON"
            | "Math"
            | "Object"
            | "Array"
            | "String"
            | "Number"
            | "Boolean"
            | "Date"
            | "RegExp"
            | "Map"
            | "Set"
            | "WeakMap"
            | "WeakSet"
            | "Promise"
            | "Symbol"
            | "Error"
            | "TypeError"
            | "RangeError"
            | "SyntaxError"
            | "BigInt"
            | "Intl"
            | "URL"
            | "URLSearchParams"
            | "TextEncoder"
            | "TextDecoder"
            | "ArrayBuffer"
            | "DataView"
            | "Uint8Array"
            | "Uint16Array"
            | "Uint32Array"
            | "Int8Array"
            | "Int16Array"
            | "Int32Array"
            | "Float32Array"
            | "Float64Array"
            | "path"
            | "util"
            | "assert"
            | "events"
            | "readline"
            | "string_decoder"
            | "querystring"
            | "url"
            | "perf_hooks"
            | "performance"
            | "structuredClone"
            | "atob"
            | "btoa"
            | "isNaN"
            | "isFinite"
            | "parseInt"
            | "parseFloat"
            | "encodeURIComponent"
            | "decodeURIComponent"
            | "encodeURI"
            | "decodeURI"
            | "escape"
            | "unescape"
            | "clearTimeout"
            | "clearInterval"
            | "crypto"
            | "zlib"
            | "stream"
            | "buffer"
            | "timers"
            | "async_hooks"
            | "punycode"
            | "constants"
            | "semver"
            | "js-yaml"
            | "yaml"
            | "lodash"
            | "chalk"
            | "typescript"
            | "tty"
            | "v8"
            | "diagnostics_channel"
            | "Iterator"
            | "AbortController"
            | "AggregateError"
    ) || [
        "os.",
        "process.stdin",
        "process.stdout",
        "process.stderr",
        "process.argv",
        "process.version",
        "process.platform",
        "process.arch",
        "process.pid",
        "process.memoryUsage",
        "process.uptime",
        "process.hrtime",
        "process.cwd",
        "process.exitCode",
        "process.on",
        "process.nextTick",
        "process.execPath",
        "process.cpuUsage",
        "process.title",
        "process.emitWarning",
        "process.release",
        "process.features",
        "process.once",
        "module.builtinModules",
        "fs.constants",
        "http.STATUS_CODES",
        "Bun.version",
        "Deno.version",
        "Deno.args",
        "Deno.build",
        "Bun.argv",
        "module.exports",
        "Bun.inspect",
        "Bun.env",
        "Deno.cwd",
        "Deno.exit",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

#[expect(clippy::too_many_lines, reason = "one flat table")]
fn function(name: &str) -> Option<Act> {
    use Act::{
        Decode, Directory, Does, Eval, Import, Nothing, On, Open, Parent, Program, Same, Shell, Tree, Two,
        Web,
    };
    let name = name
        .strip_prefix("globalThis.")
        .or_else(|| name.strip_prefix("global."))
        .or_else(|| name.strip_prefix("window."))
        .unwrap_or(name);
    // `fs/promises`, `fs.promises.x` and `fs-extra` are `fs`; the synchronous forms do the same.
    let plain = name.replace("fs/promises", "fs").replace("fs.promises", "fs").replace("fs-extra.", "fs.");
    let plain = plain.replace(".default.", ".");
    let plain = plain.strip_suffix("Sync").unwrap_or(&plain);
    Some(match plain {
        "require" | "import" | "createRequire" | "module.createRequire" => Import,
        "require.resolve" | "import.meta" | "require.main" | "require.cache" => Nothing,
        "eval"
        | "Function"
        | "vm.runInThisContext"
        | "vm.runInNewContext"
        | "vm.runInContext"
        | "setTimeoutText"
        | "vm.Script" => Eval(0),
        "setTimeout" | "setInterval" | "setImmediate" | "queueMicrotask" | "Symbol" | "String" | "Number"
        | "Boolean" | "BigInt" | "Date" | "Array" | "Object" | "RegExp" | "Error" => Nothing,
        "String.fromCharCode"
        | "String.fromCodePoint"
        | "atob"
        | "Buffer.from"
        | "zlib.gunzip"
        | "zlib.inflate"
        | "zlib.unzip"
        | "unescape"
        | "decodeURIComponent" => Decode,
        "Buffer.alloc" | "Buffer.byteLength" | "Buffer.concat" | "Buffer.isBuffer" | "Buffer.compare" => {
            Nothing
        }
        "JSON.parse" | "JSON.stringify" => Nothing,
        "os.tmpdir" => Act::Gives("/tmp"),
        "path.join" | "path.resolve" | "path.posix.join" | "path.normalize" => Act::Path,
        "path.dirname" => Parent(0),
        "fs.readFile"
        | "fs.readdir"
        | "fs.stat"
        | "fs.lstat"
        | "fs.createReadStream"
        | "fs.readlink"
        | "fs.opendir"
        | "fs.readJson"
        | "fs.readJSON"
        | "Deno.readTextFile"
        | "Deno.readFile"
        | "Deno.readDir"
        | "Bun.file"
        | "fs.statfs" => On(Kind::Read, 0),
        "fs.exists" | "fs.access" | "fs.realpath" | "Deno.stat" | "Deno.lstat" | "Deno.realPath"
        | "fs.pathExists" | "fs.fstat" | "fs.close" | "fs.read" | "fs.watch" | "fs.watchFile"
        | "fs.write" | "fs.writev" => Nothing,
        "fs.writeFile"
        | "fs.createWriteStream"
        | "fs.mkdir"
        | "fs.mkdtemp"
        | "fs.utimes"
        | "fs.outputFile"
        | "fs.ensureDir"
        | "fs.ensureFile"
        | "fs.writeJson"
        | "fs.outputJson"
        | "Deno.writeTextFile"
        | "Deno.writeFile"
        | "Deno.mkdir"
        | "Deno.create"
        | "Bun.write" => On(Kind::Write, 0),
        "fs.appendFile" => On(Kind::Append, 0),
        "fs.unlink" | "Deno.remove" => On(Kind::Delete, 0),
        "fs.rmdir" | "fs.rm" | "fs.remove" | "fs.emptyDir" | "rimraf" | "rimraf.sync" | "rimraf.rimraf" => {
            Tree(Kind::Delete, 0)
        }
        "fs.rename" | "fs.move" | "Deno.rename" => Two(Kind::Move, 0, Kind::Write, 1),
        "fs.copyFile" | "fs.cp" | "fs.copy" | "Deno.copyFile" => Two(Kind::Read, 0, Kind::Write, 1),
        "fs.symlink" | "fs.link" | "Deno.symlink" | "Deno.link" => On(Kind::Link, 1),
        "fs.chmod" | "fs.lchmod" | "fs.fchmod" | "Deno.chmod" => On(Kind::Permission, 0),
        "fs.chown" | "fs.lchown" | "Deno.chown" => On(Kind::Ownership, 0),
        "fs.truncate" | "Deno.truncate" => On(Kind::Destroy, 0),
        "fs.open" | "Deno.open" => Open(0, 1),
        "process.chdir" | "Deno.chdir" => Directory(0),
        "child_process.exec" | "execa.execaCommand" | "shelljs.exec" | "zx.$" | "bun.$" | "Bun.$"
        | "execa.$" => Shell(0),
        "child_process.spawn" | "child_process.execFile" | "execa" | "execa.execa" | "Deno.Command" => {
            Act::Spawn
        }
        "Bun.spawn" | "Deno.run" => Program(0),
        "child_process.fork" | "worker_threads.Worker" | "Worker" => On(Kind::ProjectCode, 0),
        "process.env" | "Deno.env.get" | "Bun.env" | "Deno.env" => Act::Variable,
        "process.exit" | "process.abort" => Nothing,
        "process.kill" => Does(Kind::Kill),
        "process.setuid" | "process.setgid" => Does(Kind::Privilege),
        "process.binding" | "process.dlopen" | "process.mainModule" | "process.getBuiltinModule" => {
            Act::Unknown
        }
        "fetch" | "http.get" | "https.get" | "axios.get" | "axios.head" | "undici.fetch" | "node-fetch"
        | "EventSource" => Web(Kind::Download, 0),
        "http.request"
        | "https.request"
        | "axios"
        | "axios.post"
        | "axios.put"
        | "axios.patch"
        | "axios.delete"
        | "axios.request"
        | "undici.request"
        | "WebSocket"
        | "XMLHttpRequest"
        | "navigator.sendBeacon" => Web(Kind::Upload, 0),
        "http.createServer" | "https.createServer" | "net.createServer" | "Bun.serve" | "Deno.serve"
        | "Deno.listen" | "http2.createServer" => Does(Kind::Listen),
        "net.connect"
        | "net.createConnection"
        | "net.Socket"
        | "tls.connect"
        | "dgram.createSocket"
        | "Deno.connect"
        | "Bun.connect" => Does(Kind::Upload),
        "dns.lookup" | "dns.resolve" => Web(Kind::Download, 0),
        "better-sqlite3" | "glob.hasMagic" => Nothing,
        "glob" | "glob.glob" | "glob.globby" | "fast-glob" | "glob.sync" | "fast-glob.sync" => Same(0),
        _ => return None,
    })
}

fn method(name: &str, _arguments: usize) -> Option<Act> {
    use Act::{Nothing, On};
    Some(match name {
        "join" => Act::JoinText,
        "toString" | "trim" | "valueOf" | "concat" | "toLowerCase" | "toUpperCase" | "then" | "catch"
        | "finally" => Nothing,
        "text" | "json" | "arrayBuffer" | "blob" | "bytes" => Nothing,
        "map" | "filter" | "forEach" | "reduce" | "reduceRight" | "find" | "findIndex" | "findLast"
        | "findLastIndex" | "some" | "every" | "flat" | "flatMap" | "slice" | "splice" | "push" | "pop"
        | "shift" | "unshift" | "sort" | "reverse" | "indexOf" | "lastIndexOf" | "includes" | "fill"
        | "keys" | "values" | "entries" | "at" | "from" | "of" | "isArray" | "toSorted" | "toReversed"
        | "with" | "copyWithin" => Nothing,
        "split" | "replace" | "replaceAll" | "match" | "matchAll" | "test" | "exec" | "search"
        | "substring" | "substr" | "charAt" | "charCodeAt" | "codePointAt" | "padStart" | "padEnd"
        | "repeat" | "startsWith" | "endsWith" | "trimStart" | "trimEnd" | "localeCompare" | "normalize"
        | "toFixed" | "toPrecision" | "toLocaleString" | "toISOString" | "toJSON" | "getTime"
        | "getFullYear" | "getMonth" | "getDate" | "getDay" | "getHours" | "getMinutes" | "getSeconds"
        | "toDateString" | "toLocaleDateString" | "toLocaleTimeString" | "toUTCString"
        | "getTimezoneOffset" | "setDate" | "setHours" | "setMonth" => Nothing,
        "get" | "set" | "has" | "add" | "delete" | "clear" | "size" | "append" | "getAll"
        | "hasOwnProperty" | "call" | "isPrototypeOf" | "next" | "return" | "throw" | "resolve"
        | "reject" | "all" | "allSettled" | "race" | "any" => Nothing,
        "apply" | "bind" => Nothing,
        "on" | "once" | "off" | "emit" | "addListener" | "removeListener" | "addEventListener"
        | "setEncoding" | "resume" | "pause" | "pipe" | "end" | "write" | "close" | "read" | "destroy"
        | "unref" | "ref" | "question" | "setPrompt" | "prompt" | "abort" => Nothing,
        "isDirectory" | "isFile" | "isSymbolicLink" | "update" | "digest" | "log" | "error" | "warn"
        | "table" | "format" | "stringify" | "parse" | "encode" | "decode" | "readUInt8" | "readUInt16LE"
        | "readUInt32LE" | "readUInt16BE" | "readUInt32BE" | "readInt32LE" | "readInt32BE" | "subarray"
        | "equals" | "assign" | "freeze" => Nothing,
        "unlink" | "unlinkSync" | "rm" | "rmSync" | "rmdirSync" | "rmdir" => On(Kind::Delete, 0),
        "writeFile" | "writeFileSync" | "mkdirSync" => On(Kind::Write, 0),
        "readFile" | "readFileSync" | "readdirSync" => On(Kind::Read, 0),
        "execSync" | "execFileSync" | "spawnSync" => Act::Shell(RECEIVER),
        "listen" => Act::Does(Kind::Listen),
        "kill" => Act::Does(Kind::Kill),
        "prepare" => Act::Sql(0),
        _ => return None,
    })
}

fn mongo_module(name: &str) -> bool {
    name == "db" || name == "rs" || name == "sh" || module(name)
}

fn mongo_function(name: &str) -> Option<Act> {
    let Some(rest) = name.strip_prefix("db.") else {
        return match name {
            "print" | "printjson" | "ObjectId" | "ISODate" | "NumberInt" | "NumberLong" | "quit" | "exit" => {
                Some(Act::Nothing)
            }
            "load" => Some(Act::Eval(0)),
            "rs.status" | "rs.conf" | "sh.status" => Some(Act::Does(Kind::DatabaseRead)),
            "Mongo" | "connect" => Some(Act::Nothing),
            _ => function(name),
        };
    };
    let method = rest.rsplit('.').next().unwrap_or(rest);
    match method {
        "getCollection" | "getSiblingDB" | "getName" => Some(Act::Nothing),
        "shutdownServer" => Some(Act::Does(Kind::Service)),
        "createUser" | "dropUser" | "updateUser" | "changeUserPassword" | "grantRolesToUser" => {
            Some(Act::Does(Kind::Credential))
        }
        _ => collection_method(method),
    }
}

fn mongo_method(name: &str, arguments: usize) -> Option<Act> {
    match name {
        "limit" | "pretty" | "skip" | "project" | "toArray" | "itcount" | "hint" | "batchSize"
        | "hasNext" | "getIndexes" => Some(Act::Nothing),
        _ => method(name, arguments).or_else(|| collection_method(name)),
    }
}

fn collection_method(name: &str) -> Option<Act> {
    Some(Act::Does(match name {
        "find"
        | "findOne"
        | "count"
        | "countDocuments"
        | "estimatedDocumentCount"
        | "distinct"
        | "stats"
        | "explain"
        | "getIndexes"
        | "getCollectionNames"
        | "getCollectionInfos"
        | "serverStatus"
        | "version"
        | "currentOp"
        | "listCollections"
        | "hostInfo"
        | "getUsers"
        | "dataSize"
        | "isCapped"
        | "latencyStats" => Kind::DatabaseRead,
        "drop" | "dropDatabase" | "deleteMany" | "remove" | "dropIndexes" | "dropIndex"
        | "dropCollection" => Kind::DatabaseDestroy,
        "insertOne" | "insertMany" | "insert" | "updateOne" | "updateMany" | "update" | "replaceOne"
        | "deleteOne" | "findOneAndUpdate" | "findOneAndDelete" | "findOneAndReplace" | "findAndModify"
        | "save" | "createIndex" | "createIndexes" | "createCollection" | "createView"
        | "renameCollection" | "bulkWrite" => Kind::DatabaseChange,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::languages::Language::Javascript as Js;

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
            let code = super::analyse(text);
            assert!(code.complete, "{text}\n{code:?}");
            assert!(
                code.effects.is_empty() && code.shell.is_empty() && code.argv.is_empty(),
                "{text}\n{code:?}"
            );
        }
    }

    #[test]
    fn file_operations_name_their_paths() {
        check(Js, "require('fs').rmSync('/', {recursive: true})", &["delete / +recursive"], true);
        check(Js, "const d=require('./package.json');console.log(d.name)", &["read ./package.json"], true);
        check(Js, "import { writeFileSync as w } from 'node:fs';\nw('/etc/x', 'y')", &["write /etc/x"], true);
        check(
            Js,
            "import fs from 'fs'\nfs.promises.unlink('a').then(() => console.log(1))",
            &["delete a"],
            true,
        );
        check(
            Js,
            "const { rmSync: r } = require('fs'); const p = '/et' + 'c'; r(p)",
            &["delete /etc +recursive"],
            true,
        );
        check(Js, "require('fs')['rm' + 'Sync']('/x')", &["delete /x +recursive"], true);
        check(Js, "const fs=require('fs');fs.writeFileSync(`${__dirname}/x`, '')", &["write"], true);
        check(
            Js,
            "console.log(process.env.API_TOKEN, process.env['HOME'])",
            &["secret-read API_TOKEN"],
            true,
        );
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
        check(
            Js,
            "eval(Buffer.from('cm0=', 'base64').toString())",
            &["hidden-code", "unknown-command"],
            false,
        );
    }
}
