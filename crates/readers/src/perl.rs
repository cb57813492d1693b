//! Perl.

use super::reader::{Dialect, Reader, read};
use super::value::{Act, Value};
use super::{Code, Language};
use hookgate_knowledge::Library;

static PERL: Dialect = Dialect {
    language: Language::Perl,
    library: "perl",
    called,
    statement,
    undefined_fails: false,
    bare_calls: true,
};

/// What a Perl text does.
pub(super) fn analyse(text: &str) -> Code {
    read(&PERL, text)
}

/// `CORE::GLOBAL::system` is `system`.
fn called(library: &Library<'static>, name: &str) -> Option<Act> {
    let name = name.strip_prefix("CORE::").unwrap_or(name);
    library.function(name.strip_prefix("GLOBAL::").unwrap_or(name))
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
            let named = match (reader.name(), reader.symbol(), reader.symbol_at(1)) {
                (Some(name), _, Some("(")) => Some(name),
                (None, Some("("), _) => Some("$_".to_owned()),
                _ => None,
            };
            if let Some(name) = named {
                if reader.symbol() != Some("(") {
                    reader.advance();
                }
                reader.advance();
                let items = match reader.items(")").as_slice() {
                    [one] => one.clone(),
                    items => Value::List(items.to_vec()),
                };
                reader.loop_over(&name, &items);
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
            check(Perl, text, &[], true);
        }
    }

    #[test]
    fn commands_and_files_are_found() {
        check(Perl, "system('rm -rf /')", &["shell rm -rf /"], true);
        check(Perl, "system \"rm -rf /\"", &["shell rm -rf /"], true);
        check(Perl, "exec 'rm', '-rf', '/'", &["argv rm -rf /"], true);
        check(Perl, "print `rm -rf /`", &["shell rm -rf /"], true);
        check(Perl, "my $c = 'rm -rf /'; qx($c)", &["shell rm -rf /"], true);
        check(Perl, "@ARGV = ('a'); $^I = ''; while(<>){print}", &["write a"], true);
        check(Perl, "@ARGV = ('rm a|', '>b'); while(<>){print}", &["write b", "shell rm a"], true);
        check(Perl, "@ARGV = ('a'); $^I = ''; while (<>) { print }", &["write a"], true);
        check(Perl, "@ARGV = ('rm a|', '>b'); while (<>) { print }", &["write b", "shell rm a"], true);
        check(Perl, "unlink 'a', 'b'", &["delete a", "delete b"], true);
        check(Perl, "for ('a') { unlink }", &["delete a"], true);
        check(Perl, "$_ = 'a'; unlink;", &["delete a"], true);
        check(Perl, "unlink for 'a'", &["delete a"], true);
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
    fn what_lists_are_made_of_is_followed() {
        check(Perl, "unlink grep { -f } glob '/srv/*';", &["delete /srv/*"], true);
        check(Perl, "unlink grep(-f, glob('/srv/*'));", &["delete /srv/*"], true);
        check(Perl, "unlink map { \"/srv/$_\" } 'a', 'b';", &["delete /srv/a", "delete /srv/b"], true);
        check(Perl, "for my $f (sort { $a cmp $b } glob('/srv/*')) { unlink $f }", &["delete /srv/*"], true);
        check(Perl, "use File::Find; find(sub { unlink }, '/srv');", &["delete /srv/{}"], true);
        check(Perl, "print join ',', map { $_ * 2 } grep { $_ } 1, 2", &[], true);
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
