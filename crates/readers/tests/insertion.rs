//! Real programs with a deletion put into them at a random line: the reader finds it. Whether the line is one where a
//! statement can stand is for the language's own interpreter to say: there the deletion is accepted and nonsense isn't.
//! Where both are accepted, the line is in a comment or a text, and nothing may be found.
//!
//! `cargo test --profile quick -p hookgate-readers --test insertion -- --ignored --nocapture`

#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic and print, and says where"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hookgate_facts::Kind;
use hookgate_readers::{Language, analyse};

/// Insertions for each language, if `INSERTIONS` is not set.
const INSERTIONS: usize = 1_500;
/// One in so many may be missed, or be found where there is none.
const RARELY: usize = 100;
/// Larger files are left out; a script that runs is read up to about this size.
const LARGEST: u64 = 100_000;
/// No statement of any of the languages.
const NONSENSE: &str = "1 2 3 insertion";
/// What is deleted.
const MARK: &str = "/zz9/insertion";

/// One language and its interpreter.
struct Subject {
    language: Language,
    program: &'static str,
    /// Prints directories with programs in them, one a line.
    places: &'static [&'static str],
    ending: &'static str,
    /// Reads a program without running it.
    check: &'static [&'static str],
    deletion: &'static str,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        language: Language::Python,
        program: "python3",
        places: &["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"],
        ending: "py",
        check: &["-c", "import sys; compile(open(sys.argv[1]).read(), 'x', 'exec')"],
        deletion: "import os; os.remove('/zz9/insertion')",
    },
    Subject {
        language: Language::Javascript,
        program: "node",
        places: &["-p", "require('path').resolve(process.execPath, '../../lib/node_modules')"],
        ending: "js",
        check: &["--check"],
        deletion: ";require('fs').rmSync('/zz9/insertion');",
    },
    Subject {
        language: Language::Perl,
        program: "perl",
        places: &["-e", "print join qq(\\n), @INC"],
        ending: "pm",
        check: &["-c"],
        deletion: ";unlink('/zz9/insertion');",
    },
    Subject {
        language: Language::Ruby,
        program: "ruby",
        places: &["-e", "puts $LOAD_PATH"],
        ending: "rb",
        check: &["-c"],
        deletion: ";File.delete('/zz9/insertion');",
    },
    Subject {
        language: Language::Php,
        program: "php",
        places: &[
            "-r",
            "echo get_include_path() === '' ? '' : str_replace(':', PHP_EOL, get_include_path());",
        ],
        ending: "php",
        check: &["-l"],
        deletion: ";unlink('/zz9/insertion');",
    },
];

/// A sequence that looks random and is the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

fn files_below(directory: &Path, ending: &str, depth: usize, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth < 8 {
            files_below(&path, ending, depth + 1, found);
        } else if kind.is_file()
            && path.extension().is_some_and(|extension| extension == ending)
            && entry.metadata().is_ok_and(|data| (200..LARGEST).contains(&data.len()))
        {
            found.push(path);
        }
    }
}

impl Subject {
    /// Programs that are installed on this machine; `None` where the interpreter isn't.
    fn files(&self) -> Option<Vec<PathBuf>> {
        let output = Command::new(self.program).args(self.places).stderr(Stdio::null()).output().ok()?;
        let mut found = Vec::new();
        for line in String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.starts_with('/')) {
            files_below(Path::new(line), self.ending, 0, &mut found);
        }
        found.sort();
        found.dedup();
        Some(found)
    }

    /// Does the interpreter take the text for a program?
    fn accepts(&self, text: &str, file: &Path) -> bool {
        std::fs::write(file, text).unwrap();
        let mut command = Command::new(self.program);
        command.args(self.check).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    fn finds(&self, text: &str) -> bool {
        let code = analyse(self.language, text);
        code.effects
            .iter()
            .any(|effect| effect.kind == Kind::Delete && effect.target.as_deref() == Some(MARK))
    }
}

/// The text with a line more at that place, indented like the one that follows.
fn with_line(lines: &[&str], at: usize, line: &str) -> String {
    let next = lines.get(at).copied().unwrap_or_default();
    let indentation = &next[..next.len() - next.trim_start().len()];
    let (before, after) = lines.split_at(at);
    format!("{}\n{indentation}{line}\n{}\n", before.join("\n"), after.join("\n"))
}

fn insert(subject: &Subject, files: &[PathBuf]) {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<usize>().ok());
    let insertions = number("INSERTIONS").unwrap_or(INSERTIONS);
    let mut random = Random(number("INSERTION_SEED").unwrap_or(1) as u64);
    let place = std::env::temp_dir().join(format!("hookgate-insertion-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    let file = place.join(format!("insertion.{}", subject.ending));
    let (mut made, mut missed, mut quiet, mut wrong) = (0, Vec::new(), 0, Vec::new());
    for _ in 0..insertions * 6 {
        if made == insertions {
            break;
        }
        let path = &files[random.below(files.len())];
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        let at = random.below(lines.len());
        let text = with_line(&lines, at, subject.deletion);
        if !subject.accepts(&text, &file) {
            continue;
        }
        // Of modules of JavaScript the check accepts everything.
        if subject.language == Language::Javascript
            && subject.accepts(&with_line(&lines, lines.len(), NONSENSE), &file)
        {
            continue;
        }
        if subject.accepts(&with_line(&lines, at, NONSENSE), &file) {
            quiet += 1;
            if subject.finds(&text) {
                wrong.push(format!("{}:{}", path.display(), at + 1));
            }
            continue;
        }
        made += 1;
        if !subject.finds(&text) {
            missed.push(format!("{}:{}", path.display(), at + 1));
        }
    }
    std::fs::remove_dir_all(&place).unwrap();
    println!(
        "{:?}: {} of {made} deletions found, {} of {quiet} texts and comments taken for one",
        subject.language,
        made - missed.len(),
        wrong.len()
    );
    for place in &missed {
        println!("  missed {place}");
    }
    for place in &wrong {
        println!("  wrong {place}");
    }
    assert!(missed.len() * RARELY <= made, "{:?} misses {}", subject.language, missed.len());
    assert!(wrong.len() * RARELY <= quiet, "{:?} finds {} that are none", subject.language, wrong.len());
}

#[test]
#[ignore = "starts interpreters thousands of times"]
fn deletions_put_into_real_programs_are_found() {
    let mut missing = Vec::new();
    for subject in SUBJECTS {
        if std::env::var("INSERTION_LANGUAGE").is_ok_and(|only| only != format!("{:?}", subject.language)) {
            continue;
        }
        match subject.files() {
            Some(files) if !files.is_empty() => insert(subject, &files),
            _ => missing.push(subject.program),
        }
    }
    assert!(missing.is_empty(), "install {} and some of its packages; not tried", missing.join(", "));
}
