//! Perl.

use super::reader::{Dialect, Reader, read};
use super::value::{Act, Value};
use super::{Code, Language};
use hookgate_facts::Kind;

static PERL: Dialect = Dialect {
    language: Language::Perl,
    function,
    method,
    harmless,
    module,
    keyword,
    statement,
    undefined_fails: false,
    bare_calls: true,
};

/// What a Perl text does.
pub(super) fn analyse(text: &str) -> Code {
    read(&PERL, text)
}

fn keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "unless"
            | "else"
            | "elsif"
            | "while"
            | "until"
            | "for"
            | "foreach"
            | "and"
            | "or"
            | "not"
            | "xor"
            | "eq"
            | "ne"
            | "lt"
            | "gt"
            | "le"
            | "ge"
            | "cmp"
            | "x"
            | "last"
            | "next"
            | "redo"
            | "my"
            | "our"
            | "local"
            | "return"
            | "sub"
            | "BEGIN"
            | "END"
            | "do"
            | "print"
            | "say"
            | "printf"
            | "STDIN"
            | "STDOUT"
            | "STDERR"
            | "defined"
            | "ref"
            | "scalar"
            | "undef"
            | "exists"
            | "delete"
            | "given"
            | "when"
            | "default"
            | "continue"
            | "wantarray"
            | "map"
            | "grep"
            | "sort"
            | "keys"
            | "values"
            | "each"
    )
}

fn statement(reader: &mut Reader<'_>, word: &str) -> bool {
    match word {
        "use" | "no" | "require" => {
            reader.advance();
            let start = reader.start();
            let Some(name) = reader.take_name() else { return true };
            if !matches!(
                name.as_str(),
                "strict" | "warnings" | "utf8" | "feature" | "v5" | "integer" | "bytes"
            ) {
                reader.import(&name, start, start + name.len());
            }
        }
        "for" | "foreach" => {
            reader.advance();
            if !reader.take_word("my") {
                reader.take_word("our");
            }
            if let (Some(name), Some("(")) = (reader.name(), reader.symbol_at(1)) {
                reader.advance();
                reader.advance();
                let items = match reader.items(")").as_slice() {
                    [one] => one.clone(),
                    items => Value::List(items.to_vec()),
                };
                reader.loop_over(&name, items);
            }
        }
        "my" | "our" | "local" => {
            reader.advance();
            if reader.symbol() == Some("(") {
                return true;
            }
            if let (Some(name), Some("=")) = (reader.name(), reader.symbol_at(1)) {
                reader.advance();
                reader.advance();
                reader.assignment(Some(&name));
            }
        }
        "sub" => {
            reader.advance();
            reader.take_name();
        }
        _ => return false,
    }
    true
}

fn module(name: &str) -> bool {
    harmless(name)
        || matches!(
            name,
            "File::Path"
                | "Fcntl"
                | "File::Copy"
                | "IO::File"
                | "LWP::Simple"
                | "LWP::UserAgent"
                | "HTTP::Tiny"
                | "IO::Socket"
                | "IPC::Open3"
                | "IPC::Open2"
                | "MIME::Base64"
                | "File::Find"
                | "POSIX"
                | "IO::Handle"
                | "Cwd"
                | "IPC::Run"
                | "Path::Tiny"
                | "File::Slurp"
                | "File::Slurper"
                | "DBI"
                | "IPC::System::Simple"
        )
}

fn harmless(name: &str) -> bool {
    matches!(
        name,
        "JSON"
            | "JSON::PP"
            | "JSON::XS"
            | "Data::Dumper"
            | "List::Util"
            | "Scalar::Util"
            | "Time::HiRes"
            | "Time::Local"
            | "Time::Piece"
            | "Text::Wrap"
            | "Text::ParseWords"
            | "Getopt::Long"
            | "Encode"
            | "Digest::MD5"
            | "Digest::SHA"
            | "File::Basename"
            | "File::Spec"
            | "constant"
            | "open"
            | "Carp"
            | "Storable"
            | "Term::ANSIColor"
            | "Math::BigInt"
            | "Unicode::Normalize"
            | "English"
            | "Config"
            | "vars"
            | "lib"
            | "bigint"
    ) || ["Data::Dumper", "JSON::", "List::Util", "File::Basename", "File::Spec"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

fn function(name: &str) -> Option<Act> {
    use Act::{Decode, Does, Each, Nothing, On, Shell, System, Tree, Two, Web};
    let name = name.strip_prefix("CORE::").unwrap_or(name);
    let name = name.strip_prefix("GLOBAL::").unwrap_or(name);
    Some(match name {
        "system" | "exec" => System,
        "path" => Act::Path,
        "write_file" | "overwrite_file" | "edit_file" => On(Kind::Write, 0),
        "append_file" => On(Kind::Append, 0),
        "IO::File.new" => Act::Open(0, 1),
        "DBI" | "DBI.connect" | "DBI.connect_cached" => Nothing,
        "readpipe" | "backtick" => Shell(0),
        "capture" | "capturex" | "systemx" | "IPC::System::Simple::capture" => System,
        "open3" | "IPC::Open3::open3" => Act::Command(3),
        "open2" | "IPC::Open2::open2" => Act::Command(2),
        "IPC::Run::run" | "run" => Act::Program(0),
        "eval" => Act::Eval(0),
        "unlink" => Each(Kind::Delete),
        "rmdir" => On(Kind::Delete, 0),
        "rmtree" | "remove_tree" | "File::Path::rmtree" | "File::Path::remove_tree" => Tree(Kind::Delete, 0),
        "ENV" | "$ENV" => Act::Variable,
        "sysopen" => On(Kind::Write, 1),
        "mkpath" | "make_path" | "mkdir" => On(Kind::Write, 0),
        "rename" | "move" | "File::Copy::move" => Two(Kind::Move, 0, Kind::Write, 1),
        "copy" | "cp" | "File::Copy::copy" => Two(Kind::Read, 0, Kind::Write, 1),
        "link" | "symlink" => On(Kind::Link, 1),
        "chmod" => On(Kind::Permission, 1),
        "chown" => On(Kind::Ownership, 2),
        "truncate" => On(Kind::Destroy, 0),
        "utime" => On(Kind::Write, 2),
        "chdir" => Act::Directory(0),
        "open" => Act::OpenPerl,
        "opendir" => On(Kind::Read, 1),
        "do" => On(Kind::ProjectCode, 0),
        "kill" => Does(Kind::Kill),
        "fork" => Does(Kind::Exhaust),
        "socket" | "connect" => Does(Kind::Upload),
        "listen" | "bind" => Does(Kind::Listen),
        "syscall" | "ioctl" => Act::Unknown,
        "getstore" => Two(Kind::Download, usize::MAX - 1, Kind::Write, 1),
        "get" | "LWP::Simple::get" => Web(Kind::Download, 0),
        "decode_base64" | "unpack" | "pack" | "chr" | "hex" => Decode,
        "glob" => Act::Expand(0),
        "<>" => Act::Same(0),
        "reverse" | "join" | "split" | "length" | "substr" | "index" | "rindex" | "uc" | "lc" | "ucfirst"
        | "lcfirst" | "sprintf" | "push" | "pop" | "shift" | "unshift" | "splice" | "chomp" | "chop"
        | "ord" | "oct" | "abs" | "int" | "sqrt" | "sin" | "cos" | "atan2" | "exp" | "log" | "rand"
        | "srand" | "time" | "localtime" | "gmtime" | "sleep" | "die" | "warn" | "exit" | "close"
        | "closedir" | "readdir" | "readline" | "eof" | "binmode" | "seek" | "tell" | "read" | "sysread"
        | "print" | "say" | "printf" | "pos" | "quotemeta" | "lstat" | "stat" | "caller" | "bless"
        | "encode_base64" | "basename" | "dirname" | "fileparse" | "encode_json" | "decode_json"
        | "to_json" | "from_json" | "Dumper" | "max" | "min" | "sum" | "sum0" | "first" | "uniq" | "any"
        | "all" | "none" | "reduce" | "shuffle" | "strftime" | "floor" | "ceil" | "md5_hex" | "sha1_hex"
        | "sha256_hex" | "encode" | "decode" | "getcwd" | "cwd" | "STDIN" | "STDOUT" | "ARGV" | "wait"
        | "waitpid" | "local" | "lc_all" | "select" | "fileno" | "study" | "reset" | "use" | "no"
        | "sprintf_s" | "qr" | "GetOptions" | "croak" | "confess" | "carp" | "vec" | "formline" => Nothing,
        _ => return None,
    })
}

fn method(name: &str, _arguments: usize) -> Option<Act> {
    use super::value::RECEIVER;
    use Act::On;
    Some(match name {
        "new" | "pretty" | "canonical" | "utf8" | "encode" | "decode" | "autoflush" | "print" | "printf"
        | "say" | "close" | "getline" | "getlines" | "ymd" | "strftime" | "epoch" | "allow_nonref"
        | "indent" => Act::Nothing,
        "spew" | "spew_utf8" | "spew_raw" | "touch" | "mkpath" | "mkdir" => On(Kind::Write, RECEIVER),
        "append_utf8" => On(Kind::Append, RECEIVER),
        "remove" => On(Kind::Delete, RECEIVER),
        "remove_tree" => Act::Tree(Kind::Delete, RECEIVER),
        "slurp" | "slurp_utf8" | "lines" => On(Kind::Read, RECEIVER),
        "do" | "prepare" | "selectall_arrayref" | "selectrow_array" => Act::Query(0),
        "get" | "head" | "mirror" => Act::Web(Kind::Download, 0),
        "post" | "put" | "request" => Act::Web(Kind::Upload, 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Perl;

    #[test]
    fn ordinary_one_liners_are_understood() {
        for text in [
            "print if /foo/",
            "s/foo/bar/g",
            "$s += $F[1]; END { print $s }",
            "print join(\",\", sort keys %h), \"\\n\"",
            "my %h; while (<STDIN>) { chomp; $h{$_}++ } print \"$_ $h{$_}\\n\" for sort keys %h",
            "print \"rm -rf /\\n\"; # system('x')",
            "use JSON::PP; print JSON::PP->new->pretty->encode(decode_json(join '', <>))",
            "tr/a-z/A-Z/; print",
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
        check(Perl, "system('rm -rf /')", &["shell rm -rf /"], true);
        check(Perl, "system \"rm -rf /\"", &["shell rm -rf /"], true);
        check(Perl, "exec 'rm', '-rf', '/'", &["argv rm -rf /"], true);
        check(Perl, "print `rm -rf /`", &["shell rm -rf /"], true);
        check(Perl, "my $c = 'rm -rf /'; qx($c)", &["shell rm -rf /"], true);
        check(Perl, "unlink 'a', 'b'", &["delete a", "delete b"], true);
        check(Perl, "open(my $f, '>', 'out'); print $f 'x'", &["write out"], true);
        check(Perl, "open(F, '>>log')", &["append log"], true);
        check(Perl, "open(F, 'rm -rf / |')", &["shell rm -rf /"], true);
        check(Perl, "s/x/`rm -rf \\/`/e", &["shell rm -rf /"], true);
    }

    #[test]
    fn lists_pipes_and_modules_are_read() {
        check(Perl, "my @c = ('rm', 'x'); system(@c);", &["argv rm x"], true);
        check(Perl, "unlink qw(a b);", &["delete a", "delete b"], true);
        check(Perl, "unlink </srv/*>;", &["delete /srv/*"], true);
        check(Perl, "for my $f ('a', 'b') { unlink $f }", &["delete a", "delete b"], true);
        check(Perl, "open(my $f, '-|', 'rm', 'x');", &["argv rm x"], true);
        check(Perl, "open my $f, '>', 'out';", &["write out"], true);
        check(Perl, "use IPC::Open3; open3($i, $o, $e, 'rm x');", &["shell rm x"], true);
        check(Perl, "use IPC::Open3; open3($i, $o, $e, 'rm', 'x');", &["argv rm x"], true);
        check(Perl, "use IO::File; IO::File->new('> out');", &["write out"], true);
        // The text's own function does not take the place of Perl's.
        check(Perl, "sub system { 1 } system('rm x');", &["shell rm x"], true);
        check(
            Perl,
            "use DBI; my $d = DBI->connect('x'); $d->do('DROP TABLE t');",
            &["database-destroy t"],
            true,
        );
    }

    #[test]
    fn slashes_dashes_and_commas_end_where_perl_ends_them() {
        check(Perl, "my $x = shift // 1; system('rm x')", &["shell rm x"], true);
        check(Perl, "my $x = $h{a} // $y // 'z'; unlink 'a'", &["delete a"], true);
        check(Perl, "$x //= 1; unlink 'a'", &["delete a"], true);
        check(Perl, "my @a = split //, $x; unlink 'a'", &["delete a"], true);
        check(Perl, "my @a = split /=/, $x; unlink 'a'", &["delete a"], true);
        check(Perl, "unlink 'a';\n__END__\nunlink 'b';", &["delete a"], true);
        check(Perl, "if (-s $b) { system('rm x') }", &["shell rm x"], true);
        check(Perl, "if (-e $b && -d '/') { unlink 'a' } # -y'", &["delete a"], true);
        check(Perl, "$m =~ s,/+,.,g; unlink 'a'", &["delete a"], true);
        check(Perl, "$m =~ y=a=b=; unlink 'a'", &["delete a"], true);
        check(Perl, "my %h = (s => 1, y => 2, q=>3); unlink 'a'; $h{y}", &["delete a"], true);
        check(Perl, "sub y { 1 } unlink 'a'; $n-s/a/b/; unlink 'b'", &["delete a", "delete b"], true);
    }

    #[test]
    fn what_cannot_be_followed_is_not_complete() {
        check(Perl, "eval $x", &["unknown-command"], false);
        check(Perl, "use Some::Module; go()", &[], false);
    }
}
