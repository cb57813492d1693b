//! PHP.

use super::reader::{Dialect, Reader, read};
use super::value::Act;
use super::{Code, Language};
use hookgate_facts::Kind;
use hookgate_knowledge::Library;

static PHP: Dialect = Dialect {
    language: Language::Php,
    library: "php",
    called,
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

/// Names of functions are the same in any case.
fn called(library: &Library<'static>, name: &str) -> Option<Act> {
    let lower = name.to_ascii_lowercase();
    library.function(lower.strip_prefix('\\').unwrap_or(&lower))
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
                    reader.loop_over(&name, &items);
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
            check(Php, text, &[], true);
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
    fn what_is_gone_through_is_followed() {
        check(Php, "array_map('unlink', array_filter(glob('/a/*'), 'is_file'));", &["delete /a/*"], true);
        check(Php, "array_map(fn($f) => unlink($f), glob('/a/*'));", &["delete /a/*"], true);
        check(Php, "array_map(function ($f) { unlink($f); }, glob('/a/*'));", &["delete /a/*"], true);
        check(
            Php,
            "foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('/a')) as $f) unlink($f->getPathname());",
            &["read /a", "delete /a/{}"],
            true,
        );
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
