//! Where a command runs: its directories, the gate that stands there, and what that gate asks of the agent's settings.

use std::path::{Path, PathBuf};

use hookgate_clients::{Client, Scope};
use hookgate_host::{Directories, Machine};

use crate::error::CommandError;
use crate::gate::Gate;
use crate::usage::PolicyUsage;

/// Where a command runs.
pub(crate) struct Environment {
    /// hookgate's own directories.
    pub(crate) directories: Directories,
    /// The working directory.
    pub(crate) cwd: PathBuf,
}

impl Environment {
    /// That of this process.
    pub(crate) fn new() -> Environment {
        let cwd = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        Environment { directories: Directories::from_environment().around(&cwd), cwd }
    }

    /// The gate that stands here.
    pub(crate) fn gate(&self) -> Gate {
        Gate::load_to_look(self.directories.clone(), &self.cwd, Machine::new(self.directories.clone()))
    }

    /// What the policy that holds here asks of the agent's settings.
    pub(crate) fn policy_usage(&self) -> PolicyUsage {
        self.policy_usage_as_if(&[])
    }

    /// The same, if these files held these texts.
    pub(crate) fn policy_usage_as_if(&self, instead: &[(&Path, &str)]) -> PolicyUsage {
        let machine = Machine::new(self.directories.clone());
        let gate = Gate::load_as_if(self.directories.clone(), &self.cwd, machine, instead, None);
        PolicyUsage::of(gate.policy())
    }

    /// The root of the project around the working directory.
    pub(crate) fn project(&self) -> PathBuf {
        hookgate_host::repository_root(&self.cwd).unwrap_or_else(|| self.cwd.clone())
    }

    /// The settings files of a client for this project, those of the working directory's repository among them.
    pub(crate) fn client_files(&self, client: &Client) -> impl Iterator<Item = (Scope, PathBuf)> {
        let project = self.project().display().to_string();
        hookgate_host::settings_files(client, &self.directories, &project).into_iter()
    }

    /// This program's absolute path.
    pub(crate) fn program(&self) -> Result<String, CommandError> {
        let path = std::env::current_exe()
            .map_err(|error| CommandError::usage(format!("can't find hookgate's own path: {error}")))?;
        let path = stable(&path).unwrap_or(path);
        path.into_os_string().into_string().map_err(|path| {
            CommandError::usage(format!("hookgate's own path isn't UTF-8: {}", path.display()))
        })
    }
}

/// The name on `PATH` that leads to this program: package managers change where it leads, and keep the name.
fn stable(program: &Path) -> Option<PathBuf> {
    let real = program.canonicalize().ok()?;
    let folders = std::env::var_os("PATH")?;
    let mut names = std::env::split_paths(&folders).map(|folder| folder.join("hookgate"));
    names.find(|name| name.is_absolute() && name.canonicalize().is_ok_and(|path| path == real))
}
