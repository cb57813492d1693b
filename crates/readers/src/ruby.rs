//! Ruby.

use super::reader::{Dialect, Reader, read};
use super::value::{Act, RECEIVER};
use super::{Code, Language};
use hookgate_facts::Kind;

static RUBY: Dialect = Dialect {
    language: Language::Ruby,
    function,
    method,
    harmless,
    module,
    keyword,
    statement,
    undefined_fails: false,
    bare_calls: true,
};

/// What a Ruby text does.
pub(super) fn analyse(text: &str) -> Code {
    read(&RUBY, text)
}

fn keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "unless"
            | "else"
            | "elsif"
            | "end"
            | "while"
            | "until"
            | "for"
            | "in"
            | "do"
            | "and"
            | "or"
            | "not"
            | "return"
            | "break"
            | "next"
            | "redo"
            | "retry"
            | "begin"
            | "rescue"
            | "ensure"
            | "raise"
            | "then"
            | "case"
            | "when"
            | "yield"
            | "self"
            | "super"
            | "true"
            | "class"
            | "module"
            | "def"
            | "lambda"
            | "proc"
            | "BEGIN"
            | "END"
            | "defined?"
            | "alias"
            | "__FILE__"
            | "__dir__"
    )
}

fn statement(reader: &mut Reader<'_>, word: &str) -> bool {
    match word {
        "def" | "class" | "module" => {
            reader.advance();
            reader.take_name();
            true
        }
        _ => false,
    }
}

fn module(name: &str) -> bool {
    harmless(name)
        || matches!(
            name,
            "File"
                | "FileUtils"
                | "IO"
                | "Dir"
                | "Kernel"
                | "Process"
                | "Open3"
                | "Net"
                | "URI"
                | "Pathname"
                | "Socket"
                | "TCPSocket"
                | "TCPServer"
                | "ENV"
                | "ARGV"
                | "STDIN"
                | "STDOUT"
                | "STDERR"
                | "fileutils"
                | "open3"
                | "open-uri"
                | "net/http"
                | "uri"
                | "pathname"
                | "socket"
                | "YAML"
                | "yaml"
                | "Object"
                | "Module"
                | "Class"
                | "Tempfile"
                | "PTY"
                | "pty"
                | "Base64"
                | "base64"
                | "rake"
                | "tempfile"
                | "tmpdir"
        )
}

fn harmless(name: &str) -> bool {
    let root = name.split('.').next().unwrap_or_default();
    matches!(
        root,
        "JSON"
            | "json"
            | "Time"
            | "Date"
            | "DateTime"
            | "date"
            | "time"
            | "Math"
            | "Set"
            | "set"
            | "CSV"
            | "csv"
            | "Hash"
            | "Array"
            | "String"
            | "Integer"
            | "Float"
            | "Regexp"
            | "Struct"
            | "OpenStruct"
            | "ostruct"
            | "Comparable"
            | "Random"
            | "SecureRandom"
            | "securerandom"
            | "Digest"
            | "digest"
            | "StringIO"
            | "stringio"
            | "ERB"
            | "erb"
            | "optparse"
            | "pp"
            | "Benchmark"
            | "benchmark"
            | "RUBY_VERSION"
            | "RUBY_PLATFORM"
            | "Shellwords"
            | "shellwords"
            | "RbConfig"
            | "Gem"
            | "bigdecimal"
            | "BigDecimal"
            | "Rational"
            | "Complex"
            | "Range"
            | "Enumerator"
            | "StandardError"
            | "RuntimeError"
            | "ArgumentError"
            | "GC"
            | "ObjectSpace"
            | "strscan"
            | "StringScanner"
    )
}

fn function(name: &str) -> Option<Act> {
    use Act::{Directory, Does, Each, Nothing, On, Open, Shell, System, Tree, Two, Web};
    let name = name.strip_prefix("Kernel.").unwrap_or(name);
    Some(match name {
        "system" | "exec" | "spawn" | "Process.spawn" | "PTY.spawn" | "PTY.getpty" | "sh"
        | "FileUtils.sh" => System,
        "IO.popen" => Shell(0),
        "Open3.capture2" | "Open3.capture3" | "Open3.capture2e" | "Open3.popen3" | "Open3.popen2"
        | "Open3.popen2e" | "Open3.pipeline" => System,
        "`" => Shell(0),
        "eval" | "instance_eval" | "class_eval" | "module_eval" | "Kernel.eval" => Act::Eval(0),
        "require" => Act::Import,
        "require_relative" | "load" | "autoload" => On(Kind::ProjectCode, 0),
        "send" | "public_send" | "__send__" => Act::Apply,
        "method" | "method_missing" => Act::Function,
        "const_get"
        | "Object.const_get"
        | "binding"
        | "define_method"
        | "instance_variable_get"
        | "Module.const_get"
        | "syscall"
        | "trap"
        | "at_exit"
        | "set_trace_func" => Act::Unknown,
        "File.delete" | "File.unlink" => Each(Kind::Delete),
        "Dir.rmdir" | "Dir.delete" | "Dir.unlink" | "FileUtils.rm" | "FileUtils.rm_f" | "FileUtils.rmdir" => {
            On(Kind::Delete, 0)
        }
        "rm_f" => On(Kind::Delete, 0),
        "rm_rf" | "rm_r" | "rmtree" | "remove_dir" | "remove_entry" => Tree(Kind::Delete, 0),
        "FileUtils.rm_r"
        | "FileUtils.rm_rf"
        | "FileUtils.remove_dir"
        | "FileUtils.remove_entry"
        | "FileUtils.rmtree"
        | "FileUtils.remove_entry_secure" => Tree(Kind::Delete, 0),
        "File.write" | "IO.write" | "File.binwrite" | "FileUtils.touch" | "FileUtils.mkdir"
        | "FileUtils.mkdir_p" | "Dir.mkdir" | "FileUtils.makedirs" => On(Kind::Write, 0),
        "File.read" | "IO.read" | "File.readlines" | "IO.readlines" | "File.foreach" | "IO.foreach"
        | "File.binread" | "Dir.children" | "Dir.entries" | "Dir.each_child" | "YAML.load_file"
        | "CSV.read" | "CSV.foreach" | "JSON.load_file" => On(Kind::Read, 0),
        "File.open" | "File.new" | "IO.open" | "open" => Open(0, 1),
        "URI.open" => Web(Kind::Download, 0),
        "File.rename" | "FileUtils.mv" | "FileUtils.move" => Two(Kind::Move, 0, Kind::Write, 1),
        "FileUtils.cp" | "FileUtils.cp_r" | "FileUtils.copy" | "FileUtils.install" | "IO.copy_stream" => {
            Two(Kind::Read, 0, Kind::Write, 1)
        }
        "File.symlink" | "File.link" | "FileUtils.ln_s" | "FileUtils.ln" | "FileUtils.ln_sf" => {
            On(Kind::Link, 1)
        }
        "File.chmod" | "FileUtils.chmod" => On(Kind::Permission, 1),
        "FileUtils.chmod_R" => Tree(Kind::Permission, 1),
        "File.chown" | "FileUtils.chown" => On(Kind::Ownership, 2),
        "FileUtils.chown_R" => Tree(Kind::Ownership, 2),
        "File.truncate" => On(Kind::Destroy, 0),
        "Dir.chdir" | "FileUtils.cd" => Directory(0),
        "Dir.glob" => Act::Path,
        "Dir.tmpdir" => Act::Gives("/tmp"),
        "Dir.mktmpdir" => Act::Gives("/tmp/mktmpdir"),
        "File.join" | "Pathname.new" | "Pathname" | "File.absolute_path" => Act::Path,
        "File.expand_path" => Act::Expand(0),
        "Dir.home" => Act::Home,
        "File.dirname" => Act::Parent(0),
        "File.exist?" | "File.file?" | "File.directory?" | "File.basename" | "File.extname" | "File.size"
        | "File.mtime" | "File.readable?" | "File.stat" | "Dir.pwd" | "Dir.exist?" | "File.realpath"
        | "File.symlink?" => Nothing,
        "ENV" | "ENV.fetch" => Act::Variable,
        "Process.kill" => Does(Kind::Kill),
        "fork" | "Process.fork" => Does(Kind::Exhaust),
        "Process.pid" | "Process.clock_gettime" | "Process.wait" | "Process.ppid" => Nothing,
        "Net.HTTP.get" | "Net.HTTP.get_response" => Web(Kind::Download, 0),
        "Net.HTTP.post" | "Net.HTTP.post_form" | "Net.HTTP.start" | "Net.HTTP.new" | "TCPSocket.new"
        | "TCPSocket.open" => Web(Kind::Upload, 0),
        "TCPServer.new" | "TCPServer.open" => Does(Kind::Listen),
        "URI.parse" | "URI" | "URI.join" => Act::Same(0),
        "YAML.safe_load" | "YAML.dump" | "YAML.load" | "Tempfile.new" | "Tempfile.create" => Nothing,
        "Marshal.load" => Act::Unknown,
        "Base64.decode64" | "Base64.strict_decode64" => Act::Decode,
        "puts" | "print" | "p" | "pp" | "printf" | "putc" | "gets" | "readline" | "readlines" | "sprintf"
        | "format" | "rand" | "sleep" | "exit" | "exit!" | "abort" | "warn" | "loop" | "catch" | "throw"
        | "Integer" | "Float" | "String" | "Array" | "Hash" | "Rational" | "attr_accessor"
        | "attr_reader" | "include" | "extend" | "private" | "freeze" | "srand" | "ARGV" | "ARGF"
        | "STDIN" | "STDOUT" | "STDERR" | "STDIN.read" | "STDIN.each_line" | "STDOUT.sync"
        | "ARGF.each_line" | "ARGF.read" | "$stdin" | "$stdout" | "$stderr" => Nothing,
        _ => return None,
    })
}

fn method(name: &str, _arguments: usize) -> Option<Act> {
    use Act::{Nothing, On};
    Some(match name {
        "delete" | "unlink" | "rmdir" => On(Kind::Delete, RECEIVER),
        "rmtree" => Act::Tree(Kind::Delete, RECEIVER),
        "execute" | "exec" | "query" | "exec_params" => Act::Query(0),
        "write" => Nothing,
        "send"
        | "public_send"
        | "__send__"
        | "instance_eval"
        | "class_eval"
        | "method"
        | "const_get"
        | "call"
        | "define_method"
        | "instance_variable_set"
        | "constantize" => Act::Unknown,
        "expand_path" => Act::Expand(RECEIVER),
        "join" => Act::JoinText,
        "to_s" | "to_i" | "to_f" | "to_a" | "to_h" | "to_sym" | "to_json" | "to_yaml" | "inspect"
        | "length" | "size" | "count" | "first" | "last" | "each" | "each_with_index" | "each_line"
        | "each_char" | "each_slice" | "each_cons" | "each_with_object" | "each_key" | "each_value"
        | "each_pair" | "map" | "flat_map" | "collect" | "select" | "filter" | "filter_map" | "reject"
        | "find" | "detect" | "find_index" | "inject" | "reduce" | "sum" | "min" | "max" | "min_by"
        | "max_by" | "sort" | "sort_by" | "uniq" | "uniq!" | "reverse" | "flatten" | "compact"
        | "group_by" | "partition" | "zip" | "take" | "drop" | "take_while" | "drop_while" | "include?"
        | "any?" | "all?" | "none?" | "empty?" | "nil?" | "key?" | "has_key?" | "keys" | "values"
        | "fetch" | "dig" | "merge" | "merge!" | "update" | "push" | "pop" | "shift" | "unshift"
        | "append" | "concat" | "insert" | "index" | "slice" | "tally" | "times" | "upto" | "downto"
        | "step" | "split" | "strip" | "lstrip" | "rstrip" | "chomp" | "chop" | "chars" | "bytes"
        | "lines" | "gsub" | "gsub!" | "sub" | "sub!" | "tr" | "match" | "match?" | "scan"
        | "start_with?" | "end_with?" | "upcase" | "downcase" | "capitalize" | "center" | "ljust"
        | "rjust" | "encode" | "force_encoding" | "valid_encoding?" | "unpack1" | "hex" | "ord" | "chr"
        | "succ" | "round" | "floor" | "ceil" | "abs" | "zero?" | "positive?" | "even?" | "odd?"
        | "between?" | "divmod" | "strftime" | "iso8601" | "year" | "month" | "day" | "hour" | "name"
        | "new" | "class" | "is_a?" | "respond_to?" | "dup" | "clone" | "freeze" | "frozen?" | "tap"
        | "then" | "read" | "puts" | "print" | "close" | "gets" | "readlines" | "each_entry" | "rewind"
        | "eof?" | "body" | "code" | "headers" | "by_row" | "transform_values" | "transform_keys"
        | "slice_when" | "chunk_while" | "cycle" | "lazy" | "force" | "values_at" | "assoc" | "product"
        | "combination" | "permutation" | "transpose" | "rotate" | "sample" | "shuffle" | "message"
        | "backtrace" | "full_message" | "captures" | "named_captures" | "pre_match" | "post_match"
        | "success?" | "exitstatus" | "basename" | "extname" | "sync" | "squeeze" | "prepend" | "next"
        | "with_index" | "each_byte" | "bytesize" | "crypt" | "parse" => Nothing,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Ruby;

    #[test]
    fn ordinary_one_liners_are_understood() {
        for text in [
            "puts [1, 2, 3].map { |x| x * 2 }.join(', ')",
            "require 'json'; puts JSON.pretty_generate(JSON.parse(STDIN.read))",
            "STDIN.each_line do |line|\n  puts line if line =~ /foo/\nend",
            "puts 'rm -rf /' # system('x')",
            "puts \"a#{1 + 1}b\"",
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
    fn commands_and_files_are_found() {
        check(Ruby, "system('rm -rf /')", &["shell rm -rf /"], true);
        check(Ruby, "system 'rm', '-rf', '/'", &["argv rm -rf /"], true);
        check(Ruby, "puts `rm -rf /`", &["shell rm -rf /"], true);
        check(Ruby, "%x(rm -rf /)", &["shell rm -rf /"], true);
        check(Ruby, "File.public_send(:delete, 'a')", &["delete a"], true);
        check(Ruby, "File.unlink(\"\\u{2f}data\")", &["delete /data"], true);
        check(Ruby, "Kernel.send(:system, 'rm -rf /')", &["shell rm -rf /"], true);
        check(Ruby, "require 'fileutils'; FileUtils.rm_rf('/')", &["delete / +recursive"], true);
        check(Ruby, "File.delete 'a'", &["delete a"], true);
        check(Ruby, "File.write('a', 'b')", &["write a"], true);
        check(Ruby, "p = '/etc'; FileUtils.rm_rf(p)", &["delete /etc +recursive"], true);
    }

    #[test]
    fn blocks_pipes_and_paths_are_read() {
        check(Ruby, "['a'].each { |f| File.delete(f) }", &["delete a"], true);
        check(Ruby, "%w[a b].each do |f|\n  File.delete(f)\nend", &["delete a", "delete b"], true);
        check(Ruby, "Dir.glob('/srv/*').each { |f| File.delete(f) }", &["delete /srv/*"], true);
        check(Ruby, "open('|rm x')", &["shell rm x"], true);
        check(Ruby, "IO.popen('rm x', 'r')", &["shell rm x"], true);
        check(Ruby, "IO.popen(['rm', 'x'])", &["argv rm x"], true);
        check(Ruby, "method(:system).call('rm x')", &["shell rm x"], true);
        check(Ruby, "system('x mr'.reverse)", &["shell rm x"], true);
        check(Ruby, "(Pathname.new('/srv') + 'a').unlink", &["delete /srv/a"], true);
        check(Ruby, "Pathname.new('/srv').rmtree", &["delete /srv +recursive"], true);
        check(Ruby, "File.write(Dir.home + '/a', 'x')", &["write $HOME/a"], true);
    }

    #[test]
    fn what_cannot_be_followed_is_not_complete() {
        check(Ruby, "eval(x)", &["unknown-command"], false);
        check(Ruby, "frobnicate(1)", &[], false);
    }
}
