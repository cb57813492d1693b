//! However a program is cut off, what is found in it lies inside of what is left.

#![expect(clippy::string_slice, reason = "a test may panic, and says where")]

use hookgate_readers::{Language, analyse};

/// A program for each language, with calls, blocks, texts and comments to cut.
const PROGRAMS: &[(Language, &str)] = &[
    (
        Language::Python,
        "import os, shutil, subprocess\nfor name in [\"a\", f\"{os.getcwd()}/b\"]:\n    shutil.rmtree(name)\nsubprocess.run([\"rm\", \"-rf\", name], shell=True)\nopen(\"c\", \"w\").write('''x''')\neval(\"os.system('ls')\")\n",
    ),
    (
        Language::Javascript,
        "const fs = require(\"fs\"), c = require(\"child_process\");\nfs.rmSync(`${process.env.HOME}/a`, { recursive: true });\nc.execSync(\"rm b\");\n[1].map((x) => { eval(`fs.unlinkSync(\"c\")`); }); /* end */\n",
    ),
    (
        Language::Perl,
        "use File::Path;\nmy $a = \"x\" . \"y\";\nunlink($a); system(\"rm\", \"-rf\", \"b\"); open(my $f, \">\", \"c\"); `ls`; eval { unlink(qw(d e)) };\n",
    ),
    (
        Language::Ruby,
        "require 'fileutils'\nFileUtils.rm_rf(\"a\"); %x(rm b)\n%w[a b].each { |f| File.delete(\"#{f}/x\") }\nFile.open(\"c\", \"w\") do |f| f << <<~E\n  text\nE\nend\neval(\"system('ls')\")\n",
    ),
    (
        Language::Php,
        "<?php unlink(\"a\"); system(\"rm -rf \" . $b); foreach ([1] as $x) { file_put_contents(\"c\", \"{$x}\"); } eval('exec(\"ls\");'); `ls`;\n",
    ),
    (
        Language::Lua,
        "os.remove(\"a\"); os.execute([[rm -rf b]]) local f = io.open(\"c\", \"w\") f:write(\"x\") --[[ end ]]\n",
    ),
    (
        Language::Statistics,
        "unlink(c(\"a\", paste0(\"b\", 1)), recursive = TRUE); system(\"rm c\"); writeLines(\"x\", \"d\")\n",
    ),
    (
        Language::Awk,
        "BEGIN { system(\"rm a\"); print \"x\" > \"b\"; \"ls\" | getline y; print | \"sort\" } /x/ { close(\"b\") }\n",
    ),
    (Language::Sed, "s/a/rm b/e\nw c\n1e ls\n/x/{r d\n}\n"),
    (
        Language::Sql,
        "drop table a; copy b to program 'rm c'; select * from d where e = 'f''g'; /* x */ exec xp_cmdshell 'ls';\n",
    ),
    (Language::Mongo, "db.users.drop(); db.a.deleteMany({ x: { $gt: 1 } }); db.dropDatabase()\n"),
    (Language::Redis, "FLUSHALL\nDEL \"a b\"\nEVAL \"return redis.call('del', 'x')\" 0\n"),
];

fn lies_inside(language: Language, text: &str) {
    let code = analyse(language, text);
    for effect in &code.effects {
        assert!(effect.start <= effect.end && effect.end <= text.len(), "{effect:?} in {text:?}");
    }
    for (command, start, end) in &code.shell {
        assert!(start <= end && *end <= text.len(), "{command:?} at {start}..{end} in {text:?}");
    }
    for (name, start, end) in &code.imports {
        assert!(start <= end && *end <= text.len(), "{name:?} at {start}..{end} in {text:?}");
    }
}

#[test]
fn a_program_that_is_cut_off_anywhere_holds_its_places() {
    for (language, text) in PROGRAMS {
        let ends = (0..=text.len()).filter(|end| text.is_char_boundary(*end));
        for end in ends {
            let before = text.get(..end).unwrap();
            lies_inside(*language, before);
            // What follows the cut may close what was open, or open more.
            let rest = ["(", ")", "\"", "'", "`", "\n", " é", "{", "\\"][end % 9];
            lies_inside(*language, &format!("{before}{rest}"));
        }
    }
}

#[test]
fn what_is_taken_out_of_a_program_leaves_no_place_outside_of_it() {
    for (language, text) in PROGRAMS {
        let bytes: Vec<usize> = (0..text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        for (index, at) in bytes.iter().enumerate() {
            for length in [1, 5] {
                let Some(until) = bytes.get(index + length) else { continue };
                lies_inside(*language, &format!("{}{}", &text[..*at], &text[*until..]));
            }
        }
    }
}
