//! Where things are: places for paths, files of the policy.

use std::path::{Component, Path, PathBuf};

use hookgate_agents::Profile;
use hookgate_clients::{Client, Folders, Scope};
use hookgate_effects::Places;
use hookgate_facts::paths::normalise;
use hookgate_policy::LayerKind;

use crate::git::repository_root;
use crate::names::{inside, is_below};

/// hookgate's own directories, after the XDG base directory specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directories {
    /// The person's home; `None` where the environment names none.
    pub home: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME/hookgate`.
    pub config: Option<PathBuf>,
    /// `$XDG_STATE_HOME/hookgate`: the audit log, session state, trust.
    pub state: Option<PathBuf>,
    /// `/etc/hookgate`.
    pub managed: PathBuf,
    /// The variables that point into the project, by name. They aren't followed: a repository could set them, in an agent's
    /// settings or where it starts one, and what they point to is the repository's.
    pub not_followed: Vec<&'static str>,
    /// The folders of configuration that they point to: what a policy there restricts holds, as of any file of a repository.
    pub passed_over: Vec<PathBuf>,
    /// The folders of the project and of its repository, where they are known.
    pub roots: Vec<PathBuf>,
}

impl Directories {
    /// From the environment; where that names no home, the system may know the person's.
    #[must_use]
    pub fn from_environment() -> Directories {
        let found = Directories::new(|name| match std::env::var_os(name) {
            Some(value) => Some(PathBuf::from(value)),
            None if name == "HOME" => std::env::home_dir(),
            None => None,
        });
        // A home that is not there is not made by keeping something in it.
        let is_there = |home: &PathBuf| {
            home.is_dir() || !found.state.as_ref().is_some_and(|state| is_below(state, home))
        };
        let state = found.state.clone().filter(|_| found.home.as_ref().is_none_or(is_there));
        Directories { state, ..found }
    }

    /// From any environment. A relative XDG path counts as unset, as the specification says.
    #[must_use]
    pub fn new(variable: impl Fn(&str) -> Option<PathBuf>) -> Directories {
        let absolute = |name: &str| variable(name).filter(|path| path.is_absolute());
        let home = absolute("HOME");
        let base = |name: &str, under: &str| {
            absolute(name)
                .or_else(|| home.as_ref().map(|home| inside(home, under)))
                .map(|base| inside(&base, "hookgate"))
        };
        Directories {
            config: base("XDG_CONFIG_HOME", ".config"),
            state: base("XDG_STATE_HOME", ".local/state"),
            managed: PathBuf::from("/etc/hookgate"),
            not_followed: Vec::new(),
            passed_over: Vec::new(),
            roots: Vec::new(),
            home,
        }
    }

    /// The same for an agent that works in this directory. What an environment names inside of its project is not the person's.
    #[must_use]
    pub fn around(mut self, cwd: &Path) -> Directories {
        let set = |name: &'static str| std::env::var_os(name).is_some().then_some(name);
        let based: Vec<&'static str> =
            ["XDG_CONFIG_HOME", "XDG_STATE_HOME"].into_iter().filter_map(set).collect();
        let project = project_directory(cwd);
        let is_within = is_below(cwd, &project);
        self.roots = vec![project];
        if !is_within {
            self.roots.push(repository_root(cwd).unwrap_or_else(|| cwd.to_path_buf()));
        }
        // Whoever works in their home has it in the project, and the system knows that it is theirs. A home that is no repository
        // can't have come with one.
        let named = named_project();
        let holds = |home: &Path, root: &Path| {
            is_below(home, root)
                && (home != root
                    || named.as_deref() == Some(root)
                    || root.join(".git").symlink_metadata().is_ok())
        };
        if let Some(home) = self.home.clone() {
            if self.roots.iter().any(|root| holds(&home, root)) && home_of_the_user().as_ref() != Some(&home)
            {
                self.passed_over.extend(self.config.take());
                self.state = None;
                self.not_followed = std::iter::once("HOME").chain(based).collect();
                return self;
            }
            self.roots.retain(|root| !is_below(&home, root));
        }
        for name in based {
            let (path, under) = match name {
                "XDG_CONFIG_HOME" => (&self.config, ".config/hookgate"),
                _ => (&self.state, ".local/state/hookgate"),
            };
            if path.as_ref().is_some_and(|path| self.is_in_project(path)) {
                let instead = self.home.as_ref().map(|home| home.join(under));
                match name {
                    "XDG_CONFIG_HOME" => {
                        self.passed_over.extend(std::mem::replace(&mut self.config, instead));
                    }
                    _ => self.state = instead,
                }
                self.not_followed.push(name);
            }
        }
        self
    }

    /// Does a path lie in the project, by its name or by where its links lead?
    fn is_in_project(&self, path: &Path) -> bool {
        let real = path.ancestors().find_map(|above| above.canonicalize().ok());
        let inside = |root: &PathBuf| {
            let is_below = |path: &Path| path.starts_with(root);
            is_below(&normalised(path))
                || real.as_ref().is_some_and(|real| {
                    is_below(real) || root.canonicalize().is_ok_and(|root| real.starts_with(root))
                })
        };
        self.roots.iter().any(inside)
    }
}

/// The home that the system knows of whoever runs this.
#[cfg(unix)]
fn home_of_the_user() -> Option<PathBuf> {
    let user = rustix::process::getuid().as_raw().to_string();
    let known = crate::regular::read_text(Path::new("/etc/passwd"), LARGEST_PASSWD)?;
    let fields = known.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let mut homes = fields.filter(|fields| fields.get(2) == Some(&user.as_str()));
    match homes.next() {
        Some(fields) => fields.get(5).map(PathBuf::from).filter(|home| home.is_absolute()),
        None if cfg!(target_os = "macos") => home_among_the_users(Path::new("/Users")),
        None => None,
    }
}

/// The home that the environment names, if it is a folder of this user's own among the homes. macOS keeps its people in a directory
/// service and not in a file; but only an administrator puts a folder among the homes.
#[cfg(unix)]
fn home_among_the_users(homes: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    let home = std::env::home_dir().filter(|home| home.parent() == Some(homes))?;
    let owner = home.symlink_metadata().ok()?.uid();
    (owner == rustix::process::getuid().as_raw()).then_some(home)
}

/// There is no such file on this system: whatever the environment says is as good as anything.
#[cfg(not(unix))]
fn home_of_the_user() -> Option<PathBuf> {
    std::env::home_dir()
}

/// The largest list of users that is read, in bytes.
#[cfg(unix)]
const LARGEST_PASSWD: u64 = 1024 * 1024;

/// One place where a policy file may be, and which layer it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFile {
    /// The file.
    pub path: PathBuf,
    /// Its layer.
    pub kind: LayerKind,
}

/// The project that the agent names.
fn named_project() -> Option<PathBuf> {
    let variables = Profile::ALL.iter().filter_map(|agent| agent.project_variable);
    variables.filter_map(std::env::var_os).map(PathBuf::from).find(|path| path.is_absolute())
}

/// The project's directory: the one that the agent names, else the repository around `cwd`, else `cwd`.
#[must_use]
pub fn project_directory(cwd: &Path) -> PathBuf {
    match named_project() {
        Some(project) => project,
        None => repository_root(cwd).unwrap_or_else(|| cwd.to_path_buf()),
    }
}

/// The policy files that apply: managed, user, then project and local ones from the project directory and from
/// `cwd` and the directories between it and its repository's root. Files that don't exist are listed too.
#[must_use]
pub fn policy_files(directories: &Directories, project: &Path, cwd: &Path) -> Vec<LayerFile> {
    let mut files =
        vec![LayerFile { path: inside(&directories.managed, "hookgate.toml"), kind: LayerKind::Managed }];
    if let Some(config) = &directories.config {
        files.push(LayerFile { path: inside(config, "hookgate.toml"), kind: LayerKind::User });
    }
    let passed_over = directories.passed_over.iter().map(|folder| inside(folder, "hookgate.toml"));
    files.extend(passed_over.map(|path| LayerFile { path, kind: LayerKind::Project }));
    let mut folders = vec![project.to_path_buf()];
    let top = if is_below(cwd, project) {
        project.to_path_buf()
    } else {
        repository_root(cwd).unwrap_or_else(|| cwd.to_path_buf())
    };
    folders.extend(cwd.ancestors().take_while(|folder| is_below(folder, &top)).map(Path::to_path_buf));
    folders.dedup();
    let mut seen = Vec::new();
    for folder in folders {
        if seen.contains(&folder) {
            continue;
        }
        files.push(LayerFile { path: inside(&folder, ".hookgate.toml"), kind: LayerKind::Project });
        files.push(LayerFile { path: inside(&folder, ".hookgate.local.toml"), kind: LayerKind::Local });
        seen.push(folder);
    }
    files
}

/// A client's settings files, by authority. Files that don't exist are listed too.
#[must_use]
pub fn settings_files(client: &Client, directories: &Directories, project: &str) -> Vec<(Scope, PathBuf)> {
    let mut files = in_folders(client, directories, project, client.files);
    // An answer that the person wants kept is written at the repository's root.
    let root = repository_root(Path::new(project)).filter(|root| root != Path::new(project));
    if let Some(root) = root.as_deref().and_then(Path::to_str) {
        let local = in_folders(client, directories, root, client.files);
        files.extend(local.into_iter().filter(|(scope, _)| *scope == Scope::Local));
    }
    files
}

/// The file in which a client keeps which projects the person trusts.
#[must_use]
pub(crate) fn trust_file(client: &Client, directories: &Directories) -> Option<PathBuf> {
    in_folders(client, directories, "", client.trust_file)
}

fn in_folders<T>(
    client: &Client,
    directories: &Directories,
    project: &str,
    files: fn(&Folders<'_>) -> T,
) -> T {
    let named = std::env::var_os(client.folder_variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let named = named.filter(|path| !directories.is_in_project(path));
    files(&Folders { named: named.as_deref(), home: directories.home.as_deref(), project })
}

/// The places that paths are judged against.
#[must_use]
pub fn places(directories: &Directories, project: &Path, cwd: &Path) -> Places {
    let text = |path: &Path| {
        let mut text = match path.to_str().filter(|text| text.starts_with('/')) {
            Some(text) => normalise(text),
            None => normalised(path).to_string_lossy().into_owned(),
        };
        text.truncate(text.trim_end_matches('/').len());
        text
    };
    let home = directories.home.as_deref().map(text).unwrap_or_default();
    let mut temporary: Vec<String> =
        ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"].map(str::to_owned).to_vec();
    if let Some(folder) =
        std::env::var("TMPDIR").ok().filter(|folder| folder.starts_with('/') && folder.len() > 1)
    {
        temporary.push(folder.trim_end_matches('/').to_owned());
    }
    let mut gate = vec![text(&directories.managed)];
    gate.extend(directories.config.as_deref().map(text));
    gate.extend(directories.state.as_deref().map(text));
    gate.extend(std::env::current_exe().ok().map(|path| text(&path)));
    Places {
        cwd: text(cwd),
        project: text(project),
        also_project: Vec::new(),
        temporary,
        gate,
        agent_settings: Vec::new(),
        home,
    }
}

/// Without `.` and `..`: paths in a call are compared with these name by name.
fn normalised(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                result.pop();
            }
            _ => result.push(part),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_normalised() {
        let places =
            places(&Directories::new(|_| None), Path::new("/p/x/../y"), Path::new("/p/./x/../y//z/"));
        assert_eq!((places.project.as_str(), places.cwd.as_str()), ("/p/y", "/p/y/z"));
    }

    #[test]
    fn a_relative_xdg_path_counts_as_unset() {
        let directories = Directories::new(|name| match name {
            "HOME" => Some(PathBuf::from("/home/dev")),
            "XDG_CONFIG_HOME" => Some(PathBuf::from("relative")),
            _ => None,
        });
        assert_eq!(directories.config.unwrap(), Path::new("/home/dev/.config/hookgate"));
        assert_eq!(Directories::new(|_| None).state, None);
    }

    #[test]
    fn policies_come_from_the_project_and_from_every_directory_down_to_the_cwd() {
        let directories = Directories::new(|_| None);
        let files = policy_files(&directories, Path::new("/p"), Path::new("/p/a/b"));
        let names: Vec<String> = files
            .iter()
            .filter(|file| file.kind == LayerKind::Project)
            .map(|file| file.path.display().to_string())
            .collect();
        assert_eq!(names, ["/p/.hookgate.toml", "/p/a/b/.hookgate.toml", "/p/a/.hookgate.toml"]);
    }
}
