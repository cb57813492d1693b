//! `hookgate trust`: let a repository's policy loosen, grant and speak to the model.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use hookgate_host::{Trust as Records, policy_files};
use hookgate_policy::{Check, LayerKind, Severity};
use similar::TextDiff;

use crate::environment::Environment;
use crate::error::CommandError;
use crate::policy_files::{Text, read};
use crate::terminal::{confirm_person, printable};

/// Trust the policy files of this repository as they are now. Only a person at a terminal can.
#[derive(Args, Debug)]
pub(crate) struct Trust {
    /// The policy file (default: those of this project).
    file: Option<PathBuf>,
    /// Withdraw the trust.
    #[arg(long)]
    revoke: bool,
}

impl Trust {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let files: Vec<PathBuf> = match &self.file {
            Some(file) => vec![file.canonicalize().map_err(|error| CommandError::file(file, &error))?],
            None => policy_files(&environment.directories, &environment.project(), &environment.cwd)
                .into_iter()
                .filter(|file| file.kind.is_in_repository() && file.path.exists())
                .map(|file| file.path)
                .collect(),
        };
        if files.is_empty() {
            return Err(CommandError::usage("there is no .hookgate.toml here to trust"));
        }
        let records = Records::new(&environment.directories);
        for file in files {
            let failed = |error: std::io::Error| CommandError::file(&file, &error);
            if self.revoke {
                records.revoke(&file).map_err(failed)?;
                println!("{} is no longer trusted: it can only tighten.", file.display());
                continue;
            }
            let text = fs::read_to_string(&file).map_err(failed)?;
            refuse_broken(&file, &text)?;
            println!("{}:\n", file.display());
            match records.trusted(&file).filter(|before| *before != text) {
                Some(before) => {
                    println!("    what changed since it was trusted last\n");
                    let changes =
                        TextDiff::from_lines(&before, &text).unified_diff().context_radius(3).to_string();
                    changes.lines().for_each(|line| println!("    {}", printable(line)));
                }
                None => text.lines().for_each(|line| println!("    {}", printable(line))),
            }
            confirm_person(
                "Trust exactly this? It may then loosen the policy, grant, and put text before the model.",
            )?;
            records.grant(&file, &text).map_err(failed)?;
            println!("Trusted. Any change to the file ends the trust.");
        }
        Ok(())
    }
}

/// A file that can't be read has nothing to trust: to mend it is to change it, which would end the trust.
fn refuse_broken(file: &Path, text: &str) -> Result<(), CommandError> {
    let mut source = Text::made(&file.to_string_lossy(), text.to_owned());
    source.kind = LayerKind::Project;
    let (_, diagnostics) = read(std::slice::from_ref(&source), Check::Changed);
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| diagnostic.render(&source.text))
        .collect();
    if errors.is_empty() {
        return Ok(());
    }
    Err(CommandError::usage(format!("fix the policy first, then trust it\n{}", errors.join("\n"))))
}
