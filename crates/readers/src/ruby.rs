//! Ruby.

use super::reader::{Dialect, Reader, read};
use super::{Code, Language};
use hookgate_knowledge::Library;

static RUBY: Dialect = Dialect {
    language: Language::Ruby,
    library: "ruby",
    called: Library::function,
    statement,
    undefined_fails: false,
    bare_calls: true,
};

/// What a Ruby text does.
pub(super) fn analyse(text: &str) -> Code {
    read(&RUBY, text)
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
            check(Ruby, text, &[], true);
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
        check(Ruby, "Dir.glob('/srv/*') { |f| File.delete(f) }", &["delete /srv/*"], true);
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
    fn what_is_gone_through_is_followed() {
        check(Ruby, "File.delete(*Dir.glob('/srv/*'))", &["delete /srv/*"], true);
        check(Ruby, "Dir['/srv/*'].select { |f| f }.each { |f| File.delete(f) }", &["delete /srv/*"], true);
        check(Ruby, "Pathname.new('/srv').children.each(&:delete)", &["read /srv", "delete /srv/{}"], true);
        check(
            Ruby,
            "Pathname.new('/srv').each_child { |c| c.delete }",
            &["read /srv", "delete /srv/{}"],
            true,
        );
        check(
            Ruby,
            "Dir.children('/srv').map { |f| File.join('/srv', f) }.each { |f| File.delete(f) }",
            &["read /srv", "delete /srv/{}"],
            true,
        );
    }

    #[test]
    fn what_cannot_be_followed_is_not_complete() {
        check(Ruby, "eval(x)", &["unknown-command"], false);
        check(Ruby, "frobnicate(1)", &[], false);
    }
}
