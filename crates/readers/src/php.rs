//! PHP.

use super::reader::{Dialect, Reader, read};
use super::value::Act;
use super::{Code, Language};
use hookgate_facts::Kind;

static PHP: Dialect = Dialect {
    language: Language::Php,
    function,
    method,
    harmless,
    module: harmless,
    keyword,
    statement,
    undefined_fails: false,
    bare_calls: false,
};

/// What a PHP text does: with `php -r` it is code, in a file what stands behind `<?php`.
pub(super) fn analyse(text: &str) -> Code {
    match text.split_once("<?php") {
        Some((_, code)) => read(&PHP, code),
        None => read(&PHP, text),
    }
}

fn keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "else"
            | "elseif"
            | "while"
            | "for"
            | "foreach"
            | "as"
            | "do"
            | "switch"
            | "case"
            | "default"
            | "break"
            | "continue"
            | "return"
            | "echo"
            | "print"
            | "new"
            | "instanceof"
            | "and"
            | "or"
            | "xor"
            | "try"
            | "catch"
            | "finally"
            | "throw"
            | "function"
            | "fn"
            | "class"
            | "use"
            | "namespace"
            | "public"
            | "private"
            | "protected"
            | "static"
            | "const"
            | "global"
            | "match"
            | "yield"
            | "clone"
            | "declare"
            | "true"
    )
}

fn statement(reader: &mut Reader<'_>, word: &str) -> bool {
    match word {
        "include" | "include_once" | "require" | "require_once" => {
            let start = reader.start();
            reader.advance();
            let value = reader.expression();
            let end = reader.end();
            reader.code.push(Kind::ProjectCode, value.text(), start, end);
            reader.code.lose();
        }
        "foreach" => {
            reader.advance();
            if reader.take("(") {
                let items = reader.expression_until_as();
                if reader.take_word("as")
                    && let Some(name) = reader.take_name()
                {
                    reader.loop_over(&name, items);
                }
            }
        }
        "function" | "class" => {
            reader.advance();
            if reader.symbol() != Some("(") {
                reader.advance();
            }
        }
        _ => return false,
    }
    true
}

fn harmless(name: &str) -> bool {
    let root = name.split('.').next().unwrap_or_default();
    matches!(
        root,
        "DateTime"
            | "DateTimeImmutable"
            | "DateInterval"
            | "Exception"
            | "ArrayObject"
            | "stdClass"
            | "JSON_PRETTY_PRINT"
    )
}

fn function(name: &str) -> Option<Act> {
    use Act::{Decode, Directory, Does, Eval, Nothing, On, Open, Path, Shell, Two, Web};
    let lower = name.to_ascii_lowercase();
    let lower = lower.strip_prefix('\\').unwrap_or(&lower);
    Some(match lower {
        "exec" | "shell_exec" | "system" | "passthru" | "popen" | "proc_open" => Shell(0),
        "pcntl_exec" => Act::Program(0),
        "eval" | "assert" | "create_function" => Eval(0),
        "call_user_func" => Act::Apply,
        "call_user_func_array" => Act::Spread,
        "array_map" => Act::Map,
        "array_filter"
        | "array_walk"
        | "array_walk_recursive"
        | "usort"
        | "uasort"
        | "uksort"
        | "preg_replace_callback"
        | "array_reduce"
        | "iterator_apply" => Act::Callback,
        "register_shutdown_function" | "ob_start" => Act::Apply,
        "unlink" => On(Kind::Delete, 0),
        "rmdir" => On(Kind::Delete, 0),
        "sys_get_temp_dir" => Act::Gives("/tmp"),
        "file_put_contents" | "mkdir" | "touch" | "tempnam" => On(Kind::Write, 0),
        "file_get_contents"
        | "file"
        | "readfile"
        | "scandir"
        | "opendir"
        | "parse_ini_file"
        | "simplexml_load_file"
        | "highlight_file"
        | "show_source"
        | "php_strip_whitespace" => On(Kind::Read, 0),
        "fopen" | "splfileobject" => Open(0, 1),
        "rename" => Two(Kind::Move, 0, Kind::Write, 1),
        "copy" | "move_uploaded_file" => Two(Kind::Read, 0, Kind::Write, 1),
        "symlink" | "link" => On(Kind::Link, 1),
        "chmod" => On(Kind::Permission, 0),
        "chown" | "chgrp" => On(Kind::Ownership, 0),
        "ftruncate" => Nothing,
        "chdir" => Directory(0),
        "posix_kill" => Does(Kind::Kill),
        "mail" => Does(Kind::Upload),
        "fsockopen" | "stream_socket_client" | "socket_connect" => Web(Kind::Upload, 0),
        "curl_init" => Web(Kind::Upload, 0),
        "curl_exec" | "curl_setopt" | "curl_close" | "curl_getinfo" => Nothing,
        "getenv" | "$_server" | "$_env" => Act::Variable,
        "putenv" | "ini_set" | "dl" | "unserialize" | "extract" | "parse_str" => Act::Unknown,
        "base64_decode" | "gzinflate" | "gzuncompress" | "str_rot13" | "hex2bin" | "chr" | "gzdecode"
        | "convert_uudecode" => Decode,
        "mysqli_query" | "mysqli_multi_query" | "pg_query" => Act::Query(1),
        "mysql_query" | "sqlite_query" => Act::Query(0),
        "dirname" => Act::Parent(0),
        "realpath" => Act::Same(0),
        "glob" => Path,
        "strlen"
        | "count"
        | "in_array"
        | "implode"
        | "explode"
        | "join"
        | "json_encode"
        | "json_decode"
        | "var_dump"
        | "var_export"
        | "print_r"
        | "printf"
        | "sprintf"
        | "number_format"
        | "trim"
        | "ltrim"
        | "rtrim"
        | "substr"
        | "strpos"
        | "stripos"
        | "strrpos"
        | "str_replace"
        | "str_repeat"
        | "str_pad"
        | "str_contains"
        | "str_starts_with"
        | "str_ends_with"
        | "strtolower"
        | "strtoupper"
        | "ucfirst"
        | "ucwords"
        | "lcfirst"
        | "nl2br"
        | "htmlspecialchars"
        | "preg_match"
        | "preg_match_all"
        | "preg_replace"
        | "preg_split"
        | "preg_quote"
        | "is_array"
        | "is_string"
        | "is_null"
        | "is_numeric"
        | "is_int"
        | "isset"
        | "empty"
        | "unset"
        | "intval"
        | "floatval"
        | "strval"
        | "boolval"
        | "gettype"
        | "get_class"
        | "method_exists"
        | "function_exists"
        | "class_exists"
        | "extension_loaded"
        | "array_keys"
        | "array_values"
        | "array_merge"
        | "array_unique"
        | "array_slice"
        | "array_splice"
        | "array_sum"
        | "array_column"
        | "array_combine"
        | "array_flip"
        | "array_key_exists"
        | "array_push"
        | "array_pop"
        | "array_shift"
        | "array_unshift"
        | "array_reverse"
        | "array_search"
        | "array_diff"
        | "array_intersect"
        | "array_fill"
        | "array_chunk"
        | "range"
        | "sort"
        | "rsort"
        | "ksort"
        | "asort"
        | "arsort"
        | "krsort"
        | "max"
        | "min"
        | "abs"
        | "ceil"
        | "floor"
        | "round"
        | "sqrt"
        | "pow"
        | "rand"
        | "mt_rand"
        | "random_int"
        | "date"
        | "time"
        | "microtime"
        | "strtotime"
        | "mktime"
        | "md5"
        | "sha1"
        | "hash"
        | "crc32"
        | "base64_encode"
        | "bin2hex"
        | "urlencode"
        | "urldecode"
        | "http_build_query"
        | "parse_url"
        | "uniqid"
        | "ord"
        | "mb_strlen"
        | "mb_substr"
        | "mb_strtolower"
        | "file_exists"
        | "is_file"
        | "is_dir"
        | "is_readable"
        | "is_writable"
        | "filesize"
        | "filemtime"
        | "basename"
        | "pathinfo"
        | "getcwd"
        | "phpversion"
        | "php_uname"
        | "php_sapi_name"
        | "memory_get_usage"
        | "fgets"
        | "fread"
        | "fwrite"
        | "fputs"
        | "fclose"
        | "feof"
        | "stream_get_contents"
        | "fgetcsv"
        | "fputcsv"
        | "usleep"
        | "sleep"
        | "exit"
        | "die"
        | "define"
        | "defined"
        | "constant"
        | "error_log"
        | "error_reporting"
        | "ini_get"
        | "get_loaded_extensions"
        | "phpinfo"
        | "spl_autoload_register"
        | "password_hash"
        | "password_verify"
        | "ctype_digit"
        | "ctype_alpha"
        | "serialize"
        | "debug_zval_refcount"
        | "gc_collect_cycles"
        | "opcache_get_status"
        | "list"
        | "array"
        | "compact"
        | "iterator_to_array"
        | "wordwrap"
        | "similar_text"
        | "levenshtein"
        | "strcmp"
        | "strrev"
        | "ucwords_s"
        | "nl_langinfo"
        | "setlocale"
        | "date_default_timezone_set"
        | "version_compare" => Nothing,
        _ => return None,
    })
}

fn method(name: &str, _arguments: usize) -> Option<Act> {
    Some(match name {
        "format" | "modify" | "diff" | "getTimestamp" | "getMessage" | "getTraceAsString" | "getCode"
        | "add" | "sub" | "setTimezone" | "getArrayCopy" | "count" => Act::Nothing,
        "query" | "exec" | "prepare" => Act::Sql(0),
        "multi_query" | "real_query" | "statement" | "unprepared" => Act::Query(0),
        "extractTo" => Act::On(Kind::Write, 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Php;

    #[test]
    fn ordinary_code_is_understood() {
        for text in [
            "echo json_encode(['a' => 1, 'b' => [2]]), PHP_EOL;",
            "$d = json_decode(stream_get_contents(STDIN), true); foreach ($d as $k => $v) { echo \"$k: {$v['x']}\\n\"; }",
            "echo 'rm -rf /'; // system('x')",
            "function f($x) { return strtoupper($x); } echo f('a');",
        ] {
            let code = super::analyse(text);
            assert!(code.complete, "{text}\n{code:?}");
            assert!(code.effects.is_empty() && code.shell.is_empty(), "{text}\n{code:?}");
        }
    }

    #[test]
    fn callbacks_lists_and_clients_are_read() {
        check(Php, "array_walk($a, 'system');", &["shell ?"], true);
        check(Php, "call_user_func_array('system', ['rm x']);", &["shell rm x"], true);
        check(Php, "proc_open(['rm', 'x'], [], $p);", &["argv rm x"], true);
        check(Php, "foreach (['a', 'b'] as $f) { unlink($f); }", &["delete a", "delete b"], true);
        check(Php, "unlink($_SERVER['HOME'] . '/a');", &["delete $HOME/a"], true);
        check(Php, "system(strrev('x mr'));", &["shell rm x"], true);
        check(Php, "mysqli_query($c, 'DROP TABLE t');", &["database-destroy t"], true);
    }

    #[test]
    fn commands_and_files_are_found() {
        check(Php, "system('rm -rf /');", &["shell rm -rf /"], true);
        check(Php, "$f = 'system'; $f('rm -rf /');", &["shell rm -rf /"], true);
        check(Php, "echo `rm -rf /`;", &["shell rm -rf /"], true);
        check(Php, "call_user_func('exec', 'rm -rf /');", &["shell rm -rf /"], true);
        check(Php, "unlink('/etc/x');", &["delete /etc/x"], true);
        check(Php, "$p = '/e' . 'tc'; rmdir($p);", &["delete /etc"], true);
        check(Php, "file_put_contents('a', 'b');", &["write a"], true);
        check(Php, "array_map('system', ['rm -rf /']);", &["shell rm -rf /"], true);
        check(Php, "eval(base64_decode('eA=='));", &["hidden-code", "unknown-command"], false);
        check(Php, "include 'x.php';", &["project-code x.php"], false);
    }
}
