//! What calling the functions and methods of JavaScript does.

use super::super::value::{Act, RECEIVER};
use hookgate_facts::Kind;

#[expect(clippy::too_many_lines, reason = "one flat table")]
pub(super) fn function(name: &str) -> Option<Act> {
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
    let plain = name
        .replace("fs/promises", "fs")
        .replace("fs.promises", "fs")
        .replace("fs-extra.", "fs.")
        .replace("graceful-fs.", "fs.")
        .replace("mz/fs.", "fs.");
    let plain = plain.replace(".default.", ".");
    let plain = plain.strip_suffix("Sync").unwrap_or(&plain);
    Some(match plain {
        "require"
        | "import"
        | "module.require"
        | "process.mainModule.require"
        | "process.getBuiltinModule" => Import,
        "createRequire" | "module.createRequire" => Act::Named("require"),
        "util.promisify" => Same(0),
        "Reflect.apply" => Act::Apply,
        "require.resolve" | "import.meta" | "require.main" | "require.cache" => Nothing,
        "Function" => Act::Compile(0),
        "eval"
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
        "os.homedir" => Act::Home,
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
        "del" | "del.sync" | "del.deleteAsync" | "del.deleteSync" => Tree(Kind::Delete, 0),
        "fs.rename" | "fs.move" | "Deno.rename" => Two(Kind::Move, 0, Kind::Write, 1),
        "fs.copyFile" | "fs.cp" | "fs.copy" | "Deno.copyFile" => Two(Kind::Read, 0, Kind::Write, 1),
        "fs.symlink" | "fs.link" | "Deno.symlink" | "Deno.link" => On(Kind::Link, 1),
        "fs.chmod" | "fs.lchmod" | "fs.fchmod" | "Deno.chmod" => On(Kind::Permission, 0),
        "fs.chown" | "fs.lchown" | "Deno.chown" => On(Kind::Ownership, 0),
        "fs.truncate" | "Deno.truncate" => On(Kind::Destroy, 0),
        "fs.open" | "Deno.open" => Open(0, 1),
        "process.chdir" | "Deno.chdir" => Directory(0),
        "child_process.exec" | "execa.execaCommand" | "execa.command" | "shelljs.exec" | "zx.$"
        | "zx.$.sync" | "bun.$" | "Bun.$" | "execa.$" | "execa.$.sync" => Shell(0),
        "child_process.spawn"
        | "child_process.execFile"
        | "execa"
        | "execa.execa"
        | "execa.sync"
        | "Deno.Command"
        | "cross-spawn"
        | "cross-spawn.sync"
        | "cross-spawn.spawn" => Act::Spawn,
        "Bun.spawn" | "Deno.run" => Program(0),
        "child_process.fork" | "worker_threads.Worker" | "Worker" => On(Kind::ProjectCode, 0),
        "process.env" | "Deno.env.get" | "Bun.env" | "Deno.env" => Act::Variable,
        "process.exit" | "process.abort" => Nothing,
        "process.kill" => Does(Kind::Kill),
        "process.setuid" | "process.setgid" => Does(Kind::Privilege),
        "process.binding" | "process.dlopen" | "process.mainModule" => Act::Unknown,
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

pub(super) fn method(name: &str, arguments: usize) -> Option<Act> {
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
        "exec" | "query" | "execute" | "run" | "raw" | "unsafe" if arguments > 0 => Act::Query(0),
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
        // The clients of search services call them so.
        "deleteIndex" | "clearObjects" | "clearIndex" | "deleteByQuery" => Act::Does(Kind::RemoteDelete),
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
