//! Every case of every knowledge file, as one test per file. Takes names, or parts of names, of the files to run.

#![expect(clippy::print_stdout, reason = "it is its own harness")]

mod support;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `--format terse` is how a runner asks for the list.
    let is_name = |argument: &&String| !argument.starts_with('-') && *argument != "terse";
    let wanted: Vec<&String> = arguments.iter().filter(is_name).collect();
    let exact = arguments.iter().any(|argument| argument == "--exact");
    let listing = arguments.iter().any(|argument| argument == "--list");
    // Runners ask once more for those that are ignored: none is.
    if arguments.iter().any(|argument| argument == "--ignored") {
        return ExitCode::SUCCESS;
    }
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../knowledge");
    let (mut files, mut cases, mut failed) = (0, 0, Vec::new());
    for path in support::files(&directory) {
        let name = path.strip_prefix(&directory).unwrap_or(&path).with_extension("").display().to_string();
        let is_wanted = |part: &&String| if exact { **part == name } else { name.contains(part.as_str()) };
        if !wanted.is_empty() && !wanted.iter().any(is_wanted) {
            continue;
        }
        if listing {
            println!("{name}: test");
            continue;
        }
        let (count, mut found) = support::failures(&path);
        if count == 0 {
            found.push(format!("{name}: a file has cases of what is not obvious in it: [[case]]"));
        }
        let result = if found.is_empty() { "ok" } else { "FAILED" };
        println!("test {name} ({count} cases) ... {result}");
        (files, cases) = (files + 1, cases + count);
        failed.append(&mut found);
    }
    if listing {
        return ExitCode::SUCCESS;
    }
    println!("\n{cases} cases in {files} files; {} failed", failed.len());
    for failure in &failed {
        println!("{failure}");
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
