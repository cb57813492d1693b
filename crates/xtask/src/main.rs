//! The workspace's own chores: `cargo xtask CHORE`.

mod agents;
mod answers;
mod budget;
mod dist;
mod generate;
mod help_options;
mod messages;
mod new_program;
mod new_rule;
mod package;
mod picture;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  gen                   write the pages and schemas that are generated from the code
  new-program NAME [FILE]
                        write knowledge/NAME.toml from `NAME --help`, or from FILE: its help, manual page or fish completions
  help-options [--write]
                        compare the options in installed programs' help with those in their files; write the new figures
  new-rule GROUP NAME   scaffold a built-in rule: `cargo xtask new-rule git push-mirror`
  dist                  build the binary as it is released, into target/dist
  package [TARGET]      build for TARGET (this machine) and pack it: archive, npm's package, Debian's; into target/package
  release               add npm's main package, Homebrew's formula, the installer and the checksums to target/package
  picture               draw the README's picture from what the binary prints
  budget                count the hook's instructions on golden events and hold them to their budgets
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["gen"] => generate::write_all(&root()),
        ["dist"] => dist::build(&root()).map(|folder| format!("built {}", folder.join("hookgate").display())),
        ["package"] => package::package(&root(), None),
        ["package", target] => package::package(&root(), Some(target)),
        ["release"] => package::release(&root()),
        ["picture"] => picture::draw(&root()),
        ["budget"] => budget::run(&root()),
        ["help-options"] => help_options::compare(&root(), false),
        ["help-options", "--write"] => help_options::compare(&root(), true),
        ["new-program", name] => new_program::scaffold(&root(), name, None),
        ["new-program", name, source] => new_program::scaffold(&root(), name, Some(source)),
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
