//! The workspace's own chores: `cargo xtask CHORE`.

mod generate;
mod new_rule;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  gen                   write the pages and schemas that are generated from the code
  new-rule GROUP NAME   scaffold a built-in rule: `cargo xtask new-rule git push-mirror`
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["gen"] => generate::write_all(&root()),
        ["new-rule", group, name] => new_rule::scaffold(&rules_folder(), group, name),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(done) => {
            eprintln!("{done}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// The workspace, found from this crate.
fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rules crate, found from this one.
fn rules_folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("rules")
}
