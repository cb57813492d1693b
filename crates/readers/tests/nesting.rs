//! Every form that nests, in every language, far deeper than anyone writes it: the reader answers in time on a small
//! stack, and what it gave up on is said to be unparsed.

#![expect(clippy::unwrap_used, reason = "a test that can't go on says so by failing")]

use std::time::{Duration, Instant};

use hookgate_facts::{Kind, Unknown};
use hookgate_readers::Language::{
    self, Awk, Javascript, Lua, Mongo, Perl, Php, Python, Redis, Ruby, Sed, Sql, Statistics,
};
use hookgate_readers::analyse;

/// The stack that a reader must make do with.
const STACK: usize = 2 << 20;

/// What one text may take on a processor. Without optimisation the same work takes about ten times as long.
const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 500 });

/// Longer texts than this don't reach the readers.
const LARGEST: usize = 1 << 18;

/// A language, what opens a level, what is innermost, what closes a level.
type Form = (Language, &'static str, &'static str, &'static str);

const FORMS: &[Form] = &[
    (Python, "(", "1", ")"),
    (Python, "[", "1", "]"),
    (Python, "{1:", "1", "}"),
    (Python, "f(", "1", ")"),
    (Python, "a[", "1", "]"),
    (Python, "a.b(", "1", ").c"),
    (Python, "lambda:", "1", ""),
    (Python, "lambda a:", "a", ""),
    (Python, "lambda a=lambda:", "1", ":1"),
    (Python, "[lambda:", "1", "]"),
    (Python, "a=", "1", ""),
    (Python, "(a:=", "1", ")"),
    (Python, "not ", "1", ""),
    (Python, "-", "1", ""),
    (Python, "~", "1", ""),
    (Python, "*", "a", ""),
    (Python, "await ", "a", ""),
    (Python, "def f():", "pass", ""),
    (Python, "def f(a=", "1", "): pass"),
    (Python, "def f(a:", "1", "): pass"),
    (Python, "async def f():", "pass", ""),
    (Python, "class A:", "pass", ""),
    (Python, "class A(", "pass", "): pass"),
    (Python, "class A:\n def f(self):", "pass", ""),
    (Python, "if 1:", "pass", ""),
    (Python, "for a in ", "b", ""),
    (Python, "for ", "b", ""),
    (Javascript, "for(", "b", ")"),
    (Javascript, "a\n", "", ""),
    (Javascript, "\n", "a.b", ""),
    (Python, "[a for a in ", "b", "]"),
    (Python, "[a for b in c if ", "b", "]"),
    (Python, "with a(", "b", ") as c: pass"),
    (Python, "with ", "b", ""),
    (Python, "return ", "b", ""),
    (Python, "import ", "b", ""),
    (Python, "from ", "b", ""),
    (Python, "1 if 1 else ", "1", ""),
    (Python, "1+", "1", ""),
    (Python, "'a'+", "'b'", ""),
    (Python, "'a'", "'b'", ""),
    (Python, "f\"{", "1", "}\""),
    (Python, "f'{f\"{", "1", "}\"}'"),
    (Python, "f'", "1", "'"),
    (Python, "f'''{", "1", "}'''"),
    (Python, "exec('", "1", "')"),
    (Python, "eval(\"", "1", "\")"),
    (Python, "exec(", "1", ")"),
    (Python, "os.system(", "1", ")"),
    (Python, "getattr(", "1", ",'a')"),
    (Python, "map(", "1", ",[1])"),
    (Python, "__import__(", "1", ")"),
    (Python, "print(", "1", ")"),
    (Python, "a.b.c", "", ""),
    (Python, "a,", "b", ""),
    (Python, "a=[a]\n", "a", ""),
    (Python, "a=[a,a]\n", "a", ""),
    (Python, "a={'b':a}\n", "a", ""),
    (Python, "a='x'\na+=a\n", "a", ""),
    (Python, "x=[1,2,3,4,5,6,7,8]\nx=x+x\n", "x", ""),
    (Python, "def f(x): return [x]\ng=f(f(f(1)))\n", "x", ""),
    (Python, "def f(): f()\n", "f()", ""),
    (Python, "f()\n", "f()", ""),
    (Python, "os.environ.items()\n", "f()", ""),
    (Python, "os.environ\n", "f()", ""),
    (Python, "'\\N{", "a", "}'"),
    (Python, "'\\x{", "a", ""),
    (Python, "\"\"\"", "", ""),
    (Javascript, "(", "1", ")"),
    (Javascript, "[", "1", "]"),
    (Javascript, "{", "1", "}"),
    (Javascript, "({a:", "1", "})"),
    (Javascript, "({", "1", "})"),
    (Javascript, "({...", "1", "})"),
    (Javascript, "f(", "1", ")"),
    (Javascript, "f(a,", "1", ")"),
    (Javascript, "a.b(", "1", ").c"),
    (Javascript, "a=>", "1", ""),
    (Javascript, "a=>{", "1", "}"),
    (Javascript, "()=>", "1", ""),
    (Javascript, "(a,b)=>", "1", ""),
    (Javascript, "async()=>", "1", ""),
    (Javascript, "(a=>", "1", ")()"),
    (Javascript, "[a].map(a=>", "1", ")"),
    (Javascript, "fs.then(a=>", "1", ")"),
    (Javascript, "function(){", "1", "}"),
    (Javascript, "function f(){", "1", "}"),
    (Javascript, "(function(){", "1", "})()"),
    (Javascript, "function ", "1", ""),
    (Javascript, "class A{", "1", "}"),
    (Javascript, "class A extends ", "1", "{}"),
    (Javascript, "a=", "1", ""),
    (Javascript, "let a=", "1", ""),
    (Javascript, "const {a=", "1", "}=b"),
    (Javascript, "const [a=", "1", "]=b"),
    (Javascript, "let [", "a", "]=b"),
    (Javascript, "!", "1", ""),
    (Javascript, "typeof ", "1", ""),
    (Javascript, "new ", "a", ""),
    (Javascript, "await ", "a", ""),
    (Javascript, "void ", "a", ""),
    (Javascript, "return ", "a", ""),
    (Javascript, "export default ", "a", ""),
    (Javascript, "import ", "a", ""),
    (Javascript, "import(", "'a'", ")"),
    (Javascript, "if(1){", "a", "}"),
    (Javascript, "if(1)", "a", ""),
    (Javascript, "for(;;){", "a", "}"),
    (Javascript, "for(a of ", "a", ")"),
    (Javascript, "a?", "b", ":c"),
    (Javascript, "a?b:", "c", ""),
    (Javascript, "`${", "1", "}`"),
    (Javascript, "`", "1", ""),
    (Javascript, "a`b`", "", ""),
    (Javascript, "$`b`", "", ""),
    (Javascript, "a[`${", "1", "}`]"),
    (Javascript, "eval('", "1", "')"),
    (Javascript, "eval(", "1", ")"),
    (Javascript, "require(", "1", ")"),
    (Javascript, "require('child_process').exec(", "1", ")"),
    (Javascript, "new Function(", "1", ")()"),
    (Javascript, "setTimeout(()=>{", "1", "},1)"),
    (Javascript, "a=[a]\n", "1", ""),
    (Javascript, "a=[a,a];", "1", ""),
    (Javascript, "/", "1", "/"),
    (Javascript, "/[", "1", "]/"),
    (Javascript, "/*", "1", "*/"),
    (Javascript, "<!--", "1", "-->"),
    (Javascript, "process.env;", "1", ""),
    (Javascript, "console.log(process.env);", "1", ""),
    (Perl, "(", "1", ")"),
    (Perl, "[", "1", "]"),
    (Perl, "{", "1", "}"),
    (Perl, "+{a=>", "1", "}"),
    (Perl, "f(", "1", ")"),
    (Perl, "f ", "1", ""),
    (Perl, "eval ", "1", ""),
    (Perl, "eval{", "1", "}"),
    (Perl, "eval '", "1", "'"),
    (Perl, "do{", "1", "}"),
    (Perl, "sub{", "1", "}"),
    (Perl, "sub a{", "1", "}"),
    (Perl, "system ", "'a'", ""),
    (Perl, "system(", "'a'", ")"),
    (Perl, "unlink ", "'a'", ""),
    (Perl, "open ", "'a'", ""),
    (Perl, "print ", "'a'", ""),
    (Perl, "return ", "'a'", ""),
    (Perl, "my $a=", "1", ""),
    (Perl, "my ", "1", ""),
    (Perl, "$a=", "1", ""),
    (Perl, "$a->", "b", ""),
    (Perl, "$a->{", "b", "}"),
    (Perl, "$a{", "b", "}"),
    (Perl, "$$", "a", ""),
    (Perl, "${", "a", "}"),
    (Perl, "@{", "$a", "}"),
    (Perl, "\"@{[", "1", "]}\""),
    (Perl, "\"$a{", "1", "}\""),
    (Perl, "\"${\\", "1", "}\""),
    (Perl, "\\", "$a", ""),
    (Perl, "!", "1", ""),
    (Perl, "if(1){", "1", "}"),
    (Perl, "for my $a (", "1", "){}"),
    (Perl, "map{", "1", "}"),
    (Perl, "qw(", "a", ")"),
    (Perl, "q{", "a", "}"),
    (Perl, "qq{@{[", "a", "]}}"),
    (Perl, "qx{", "a", "}"),
    (Perl, "s{", "a", "}{b}e"),
    (Perl, "s/a/s{b}{", "c", "}e/e;"),
    (Perl, "s/", "a", "/"),
    (Perl, "m/", "a", "/"),
    (Perl, "/", "a", "/"),
    (Perl, "<<A;", "a", "\nA\n"),
    (Perl, "<", "a", ">"),
    (Perl, "a::", "b", ""),
    (Perl, "use a;", "b", ""),
    (Perl, "1?", "2", ":3"),
    (Perl, "'a'.", "'b'", ""),
    (Perl, "$a='x';$a.=$a;", "$a", ""),
    (Perl, "-e ", "'b'", ""),
    (Perl, "//", "'b'", ""),
    (Perl, "y,", "'b'", ","),
    (Ruby, "(", "1", ")"),
    (Ruby, "[", "1", "]"),
    (Ruby, "{", "1", "}"),
    (Ruby, "f(", "1", ")"),
    (Ruby, "f ", "1", ""),
    (Ruby, "f a,", "1", ""),
    (Ruby, "eval ", "1", ""),
    (Ruby, "eval '", "1", "'"),
    (Ruby, "eval(", "1", ")"),
    (Ruby, "system ", "1", ""),
    (Ruby, "puts ", "1", ""),
    (Ruby, "File.delete ", "1", ""),
    (Ruby, "a.b ", "1", ""),
    (Ruby, "a=", "1", ""),
    (Ruby, "a||=", "1", ""),
    (Ruby, "def a;", "1", ";end"),
    (Ruby, "class A;", "1", ";end"),
    (Ruby, "if 1;", "1", ";end"),
    (Ruby, "begin;", "1", ";end"),
    (Ruby, "a do;", "1", ";end"),
    (Ruby, "a{|b|", "1", "}"),
    (Ruby, "[1].each{|a|", "1", "}"),
    (Ruby, "->{", "1", "}"),
    (Ruby, "->(){", "1", "}.()"),
    (Ruby, "not ", "1", ""),
    (Ruby, "!", "1", ""),
    (Ruby, "\"#{", "1", "}\""),
    (Ruby, "`#{", "1", "}`"),
    (Ruby, "`", "1", "`"),
    (Ruby, "%q(", "1", ")"),
    (Ruby, "%Q(#{", "1", "})"),
    (Ruby, "%w[", "1", "]"),
    (Ruby, "%x(", "1", ")"),
    (Ruby, "/#{", "1", "}/"),
    (Ruby, "<<A\n", "1", "\nA\n"),
    (Ruby, ":a ", "1", ""),
    (Ruby, ":", "a", ""),
    (Ruby, "1?", "2", ":3"),
    (Ruby, "send(:a,", "2", ")"),
    (Ruby, "File.send(:send,", ":unlink", ")"),
    (Ruby, "ENV.each ", ":unlink", ""),
    (Ruby, "*", "a", ""),
    (Ruby, "Dir[", "1", "]"),
    (Php, "(", "1", ")"),
    (Php, "[", "1", "]"),
    (Php, "{", "1", "}"),
    (Php, "f(", "1", ")"),
    (Php, "array(", "1", ")"),
    (Php, "$a=", "1", ";"),
    (Php, "$a[", "1", "]"),
    (Php, "$$", "a", ""),
    (Php, "${", "a", "}"),
    (Php, "$a->", "b", ""),
    (Php, "$a->b(", "b", ")"),
    (Php, "function(){", "1", "}"),
    (Php, "function f(){", "1", "}"),
    (Php, "fn()=>", "1", ""),
    (Php, "class A{", "1", "}"),
    (Php, "if(1){", "1", "}"),
    (Php, "if(1):", "1", "endif;"),
    (Php, "foreach(", "$a", " as $b){}"),
    (Php, "include ", "'a'", ""),
    (Php, "require ", "'a'", ";"),
    (Php, "print ", "'a'", ""),
    (Php, "new ", "a", ""),
    (Php, "clone ", "$a", ""),
    (Php, "eval('", "1", "');"),
    (Php, "eval(", "1", ");"),
    (Php, "system(", "1", ");"),
    (Php, "call_user_func(", "1", ");"),
    (Php, "array_map(", "1", ",[1]);"),
    (Php, "\"{$a[", "1", "]}\""),
    (Php, "\"{$", "a", "}\""),
    (Php, "\"${", "a", "}\""),
    (Php, "<<<A\n", "a", "\nA;\n"),
    (Php, "<?php ", "a", "?>"),
    (Php, "`", "a", "`"),
    (Php, "1?", "2", ":3"),
    (Php, "!", "2", ""),
    (Php, "@", "f()", ""),
    (Php, "'a'.", "'b'", ""),
    (Php, "var_dump(getenv());", "", ""),
    (Lua, "(", "1", ")"),
    (Lua, "{", "1", "}"),
    (Lua, "f(", "1", ")"),
    (Lua, "f{", "1", "}"),
    (Lua, "a=", "1", ""),
    (Lua, "local a=", "1", ""),
    (Lua, "function a()", "1", " end "),
    (Lua, "if 1 then ", "1", " end "),
    (Lua, "load(\"", "1", "\")()"),
    (Lua, "load(", "1", ")()"),
    (Lua, "not ", "1", ""),
    (Lua, "[[", "1", "]]"),
    (Lua, "a[", "1", "]"),
    (Lua, "'a'..", "'b'", ""),
    (Statistics, "(", "1", ")"),
    (Statistics, "{", "1", "}"),
    (Statistics, "f(", "1", ")"),
    (Statistics, "a=", "1", ""),
    (Statistics, "a<-", "1", ""),
    (Statistics, "function(a) ", "1", ""),
    (Statistics, "eval(parse(text=", "1", "))"),
    (Statistics, "system(", "1", ")"),
    (Statistics, "a[[", "1", "]]"),
    (Statistics, "if(1) ", "1", ""),
    (Awk, "{", "1", "}"),
    (Awk, "(", "1", ")"),
    (Awk, "BEGIN{", "1", "}"),
    (Awk, "system(", "\"a\"", ")"),
    (Awk, "BEGIN{x=\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"} {system(x x x x)}", "", ""),
    (Awk, "\"a\"|getline ", "a", ""),
    (Awk, "getline<", "\"a\"", ""),
    (Awk, "\"a\" ", "|getline", ""),
    (Awk, "print|", "\"a\"", ""),
    (Awk, "print>", "\"a\"", ""),
    (Awk, "print ", "\"a\"", ">\"b\""),
    (Awk, "if(1)", "a", ""),
    (Awk, "function f(){", "a", "}"),
    (Awk, "a[", "1", "]"),
    (Awk, "\"", "1", "\""),
    (Awk, "/[", "1", "]/"),
    (Awk, "$", "1", ""),
    (Awk, "!", "1", ""),
    (Sed, "{", "p", "}"),
    (Sed, "s/a/b/;", "p", ""),
    (Sed, "s/[", "p", "/b/"),
    (Sed, "s/[/", "p", ""),
    (Sed, "/[/", "p", ""),
    (Sed, "s/a/b/e;", "p", ""),
    (Sed, "w a\n", "p", ""),
    (Sed, "!", "p", ""),
    (Sed, "a\\\n", "p", ""),
    (Sed, "b;", "p", ""),
    (Sql, "(", "1", ")"),
    (Sql, "SELECT (", "1", ")"),
    (Sql, "SELECT ", "1", ""),
    (Sql, "EXPLAIN ANALYZE ", "SELECT 1", ""),
    (Sql, "SET ", "DROP TABLE a", ""),
    (Sql, "SET a DROP ", "TABLE a", ""),
    (Sql, "DO $a$ BEGIN ", "DROP TABLE a", " END $a$"),
    (Sql, "WITH a AS (", "SELECT 1", ") SELECT 1"),
    (Sql, "BEGIN;", "DROP TABLE a", ""),
    (Sql, ";", "DROP TABLE a", ""),
    (Sql, "\\", "DROP TABLE a", ""),
    (Sql, "\\! ", "a", ""),
    (Sql, ".shell ", "a", ""),
    (Sql, "\n.shell a", "a", ""),
    (Sql, "SELECT 1 \\g |", "a", ""),
    (Sql, "/*", "a", "*/"),
    (Sql, "/*!", "a", "*/"),
    (Sql, "--", "a", "\n"),
    (Sql, "'", "a", "'"),
    (Sql, "$a", "a", "$"),
    (Sql, "$a$", "a", "$b$"),
    (Sql, "[", "a", "]"),
    (Sql, "COPY a FROM PROGRAM ", "'a'", ""),
    (Sql, "CASE WHEN ", "1", " END"),
    (Mongo, "db.a.find(", "1", ")"),
    (Mongo, "db.a.find({a:", "1", "})"),
    (Mongo, "db.", "a", ""),
    (Mongo, "a=>", "1", ""),
    (Mongo, "show ", "a", ""),
    (Mongo, "db.runCommand({", "1", "})"),
    (Redis, "eval ", "1", ""),
    (Redis, "get a\n", "1", ""),
];

/// Time that this thread had a processor, where the system tells; else time on the clock.
fn used(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// Reads a text on a small stack: how long that took, and whether some of it was given up.
fn read(language: Language, text: String) -> (Duration, bool) {
    let reader = move || {
        let since = Instant::now();
        let code = analyse(language, &text);
        let unparsed = code.effects.iter().any(|effect| effect.kind == Kind::Unknown(Unknown::Unparsed));
        (used(since), unparsed)
    };
    std::thread::Builder::new().stack_size(STACK).spawn(reader).unwrap().join().unwrap()
}

fn nested((_, open, innermost, close): &Form, depth: usize) -> String {
    format!("{}{innermost}{}", open.repeat(depth), close.repeat(depth))
}

/// Reads every form that deep: none overflows the stack, which would end the process, or takes too long.
fn read_all(depths: &[usize]) {
    let mut slow = Vec::new();
    for form in FORMS {
        for depth in depths {
            let text = nested(form, *depth);
            if text.len() > LARGEST {
                break;
            }
            // Where the stack overflows, the last line names the form.
            eprintln!("{form:?} {depth}");
            let (took, _) = read(form.0, text);
            if took > LONGEST {
                slow.push(format!("{form:?} {depth}: {took:?}"));
                break;
            }
        }
    }
    assert!(slow.is_empty(), "{} too slow:\n{}", slow.len(), slow.join("\n"));
}

#[test]
fn no_form_exhausts_the_stack_or_the_time() {
    read_all(&[100, 5_000]);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn no_form_exhausts_the_stack_or_the_time_however_deep() {
    read_all(&[100, 1_000, 10_000, 40_000, 120_000]);
}

#[test]
fn what_is_too_deep_is_unparsed_and_what_came_before_it_stands() {
    for (language, open, close) in [
        (Python, "(", ")"),
        (Python, "lambda:", ""),
        (Python, "def f():", "pass"),
        (Python, "a=", "1"),
        (Javascript, "a=>", "1"),
        (Javascript, "{", "}"),
        (Javascript, "a=", "1"),
        (Perl, "{", "}"),
        (Ruby, "eval ", "1"),
        (Php, "f(", ")"),
        (Lua, "f(", ")"),
    ] {
        let delete = match language {
            Python => "import os\nos.remove('a')\n",
            Javascript => "require('fs').rmSync('a');",
            Lua => "os.remove('a');",
            Ruby => "File.delete('a');",
            _ => "unlink('a');",
        };
        let text = format!("{delete}{}{}", open.repeat(1_000), close.repeat(1_000));
        let kinds: Vec<Kind> = analyse(language, &text).effects.iter().map(|effect| effect.kind).collect();
        let expected = [Kind::Delete, Kind::Unknown(Unknown::Unparsed)];
        assert!(kinds.starts_with(&expected), "{language:?} {open} {kinds:?}");
        let text = format!("{}{}{delete}", open.repeat(12), close.repeat(12));
        assert!(!read(language, text).1, "{language:?} {open}");
    }
}

#[test]
fn what_lies_deep_but_not_too_deep_is_found() {
    for depth in [1, 5, 20, 45] {
        let mut text = String::from("import os\n");
        for level in 0..depth {
            text.push_str(&format!("{}def f{level}():\n", " ".repeat(level)));
        }
        text.push_str(&format!("{}os.remove('a')\n", " ".repeat(depth)));
        let kinds: Vec<Kind> = analyse(Python, &text).effects.iter().map(|effect| effect.kind).collect();
        assert_eq!(kinds, [Kind::Delete], "{depth}");
        let text =
            format!("{}require('fs').rmSync('a'){}", "(()=>{".repeat(depth / 2), "})()".repeat(depth / 2));
        let kinds: Vec<Kind> = analyse(Javascript, &text).effects.iter().map(|effect| effect.kind).collect();
        assert_eq!(kinds, [Kind::Delete], "{depth}");
    }
}
