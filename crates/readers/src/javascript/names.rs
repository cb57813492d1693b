//! Which modules of JavaScript are known, and which names only compute.

pub(super) fn module(name: &str) -> bool {
    let name = name.strip_suffix("/promises").unwrap_or(name);
    harmless(name)
        || matches!(
            name,
            "fs" | "fs-extra"
                | "graceful-fs"
                | "mz/fs"
                | "zx/globals"
                | "cross-spawn"
                | "del"
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

pub(super) fn harmless(name: &str) -> bool {
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
