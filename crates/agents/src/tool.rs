//! A tool call, and what kind of tool it is by its agent's table.

use crate::{Map, Profile, Value};

/// A tool call: what `PreToolUse` and its relatives are about.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The tool's name as the agent gives it, such as `Bash` or `mcp__github__create_issue`.
    pub name: String,
    /// The whole input, unknown keys included.
    pub input: Map,
    /// The call's id, where the event carries one.
    pub id: Option<String>,
    /// The MCP server's name and source, for MCP tools of newer clients.
    pub mcp_server: Option<(String, String)>,
    /// The row of the agents' tables, looked up once.
    row: Option<&'static Row>,
}

/// What a tool call is, with the inputs that matter. `None` where an input is missing or has another type.
#[derive(Clone, Debug, PartialEq)]
pub enum Tool<'c> {
    /// A shell runs a text.
    Shell {
        /// Which shell reads it.
        language: Shell,
        /// The text.
        command: Option<Command<'c>>,
        /// It runs in the event's `cwd`; otherwise the agent may have passed another directory and not said so.
        runs_here: bool,
    },
    /// A file is written whole.
    Write(Option<&'c str>),
    /// A file is read and changed.
    Edit(Option<&'c str>),
    /// Several files are changed by a patch, which names them.
    Patch(Option<&'c str>),
    /// A file or a directory is read; without a path, the working directory.
    Read(Option<&'c str>),
    /// The files below a directory are searched.
    Search {
        /// The directory; the working directory if there is none.
        directory: Option<&'c str>,
        /// The glob that narrows them.
        files: Option<&'c str>,
    },
    /// An address is read.
    Fetch(Option<&'c str>),
    /// Something elsewhere is read, such as a search engine.
    Remote,
    /// Another agent is started, of this kind.
    Agent(Option<&'c str>),
    /// Instructions of that name are loaded.
    Skill(Option<&'c str>),
    /// A worktree of the repository is made or left.
    Worktree,
    /// Something is run later.
    Schedule,
    /// A person is asked, or has to agree.
    Person,
    /// Nothing outside of the agent itself.
    Own,
    /// A tool of an MCP server.
    Mcp {
        /// The server.
        server: &'c str,
        /// The tool, by the server's name for it.
        tool: &'c str,
    },
    /// A tool that no table lists.
    Other,
}

/// Which shell reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// bash, or a shell close enough to it.
    Bash,
    /// `PowerShell`.
    PowerShell,
}

/// What a shell tool is told to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'c> {
    /// A text that the shell reads.
    Text(&'c str),
    /// The words of one command, which no shell reads.
    Words(Vec<&'c str>),
}

/// One row of an agent's table of tools.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    name: &'static str,
    kind: Kind,
    /// The names of its first input, by preference.
    keys: &'static [&'static str],
    /// The name of its second one.
    second: &'static str,
}

/// What a row says that a tool is: [`Tool`] without the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Shell(Shell),
    /// A shell whose directory the agent does not tell.
    ShellElsewhere(Shell),
    Write,
    Edit,
    Patch,
    Read,
    Search,
    Fetch,
    Remote,
    Agent,
    Skill,
    Worktree,
    Schedule,
    Person,
    Own,
}

/// A row.
pub(crate) const fn row(name: &'static str, kind: Kind, keys: &'static [&'static str]) -> Row {
    Row { name, kind, keys, second: "" }
}

/// The row of a tool that searches below a directory for what a glob names.
pub(crate) const fn search(
    name: &'static str,
    directory: &'static [&'static str],
    files: &'static str,
) -> Row {
    Row { name, kind: Kind::Search, keys: directory, second: files }
}

impl Row {
    /// The tool's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl ToolCall {
    /// A call of that agent's tool.
    #[must_use]
    pub fn new(agent: &'static Profile, name: impl Into<String>, input: Map) -> Self {
        let name = name.into();
        let row = if mcp(&name).is_some() { None } else { find(agent, &name) };
        Self { name, input, id: None, mcp_server: None, row }
    }

    /// A call of Claude Code's shell, which commands are judged as that are typed by hand.
    #[must_use]
    pub fn bash(command: &str) -> Self {
        Self::shell(&crate::CLAUDE_CODE, command)
    }

    /// A call of that agent's shell; of an agent without a table, of Claude Code's.
    #[must_use]
    pub fn shell(agent: &'static Profile, command: &str) -> Self {
        let is_shell =
            |row: &&Row| matches!(row.kind, Kind::Shell(Shell::Bash) | Kind::ShellElsewhere(Shell::Bash));
        let row = agent.tools.iter().find(is_shell);
        let (name, key) =
            row.map_or(("Bash", "command"), |row| (row.name, row.keys.first().copied().unwrap_or("command")));
        let mut input = Map::new();
        input.insert(key.to_owned(), Value::String(command.to_owned()));
        Self::new(agent, name, input)
    }

    /// A string of the input, if it is there and is a string.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.input.get(key).and_then(Value::as_str)
    }

    /// What the call is.
    #[must_use]
    pub fn tool(&self) -> Tool<'_> {
        let Some(row) = self.row else {
            return match mcp(&self.name) {
                Some((server, tool)) => {
                    let server = self.mcp_server.as_ref().map_or(server, |(server, _)| server);
                    Tool::Mcp { server, tool }
                }
                None => Tool::Other,
            };
        };
        let first = || row.keys.iter().find_map(|key| self.text(key));
        match row.kind {
            Kind::Shell(language) => Tool::Shell { language, command: self.command(row), runs_here: true },
            Kind::ShellElsewhere(language) => {
                Tool::Shell { language, command: self.command(row), runs_here: false }
            }
            Kind::Write => Tool::Write(first()),
            Kind::Edit => Tool::Edit(first()),
            Kind::Patch => Tool::Patch(first()),
            Kind::Read => Tool::Read(first()),
            Kind::Search => Tool::Search { directory: first(), files: self.text(row.second) },
            Kind::Fetch => Tool::Fetch(first()),
            Kind::Remote => Tool::Remote,
            Kind::Agent => Tool::Agent(first()),
            Kind::Skill => Tool::Skill(first()),
            Kind::Worktree => Tool::Worktree,
            Kind::Schedule => Tool::Schedule,
            Kind::Person => Tool::Person,
            Kind::Own => Tool::Own,
        }
    }

    /// The text that bash reads, if the call is one of bash with such a text.
    #[must_use]
    pub fn shell_text(&self) -> Option<&str> {
        match self.tool() {
            Tool::Shell { language: Shell::Bash, command: Some(Command::Text(text)), .. } => Some(text),
            _ => None,
        }
    }

    /// The input with another text for the shell, if the call is one of bash with such a text.
    #[must_use]
    pub fn with_shell_text(&self, text: &str) -> Option<Map> {
        self.shell_text()?;
        let key = self.row?.keys.iter().find(|key| self.text(key).is_some())?;
        let mut input = self.input.clone();
        input.insert((*key).to_owned(), Value::String(text.to_owned()));
        Some(input)
    }

    /// The path of the file that the call writes, changes or reads, as it is written.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self.tool() {
            Tool::Write(path) | Tool::Edit(path) | Tool::Read(path) => path,
            _ => None,
        }
    }

    fn command(&self, row: &Row) -> Option<Command<'_>> {
        match row.keys.iter().find_map(|key| self.input.get(*key))? {
            Value::String(text) => Some(Command::Text(text)),
            Value::Array(words) => words.iter().map(Value::as_str).collect::<Option<_>>().map(Command::Words),
            _ => None,
        }
    }
}

/// The server and the tool in `mcp__SERVER__TOOL`; a name with one part is the tool's.
fn mcp(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_prefix("mcp__")?;
    Some(rest.split_once("__").unwrap_or(("", rest)))
}

/// The agent's own row, else that of another agent: settings that were written for one agent are read by others, which call
/// their own tools.
fn find(agent: &'static Profile, name: &str) -> Option<&'static Row> {
    let others = Profile::ALL.iter().filter(|other| other.name != agent.name);
    let tables = std::iter::once(agent.tools).chain(others.map(|other| other.tools)).chain([OTHERS]);
    tables.flatten().find(|row| row.name == name)
}

/// The names under which these tools take a path.
pub(crate) const PATH: &[&str] = &[
    "file_path",
    "path",
    "notebook_path",
    "filePath",
    "absolute_path",
    "filepath",
    "file",
    "filename",
    "uri",
    "dir_path",
    "directory",
    "dir",
];

/// The names under which these tools take a command.
pub(crate) const COMMAND: &[&str] = &["command", "cmd"];

/// Tools of agents that have no profile yet.
const OTHERS: &[Row] = &[
    row("bash", Kind::ShellElsewhere(Shell::Bash), COMMAND),
    row("shell", Kind::ShellElsewhere(Shell::Bash), COMMAND),
    row("run_shell_command", Kind::ShellElsewhere(Shell::Bash), COMMAND),
    row("local_shell", Kind::ShellElsewhere(Shell::Bash), COMMAND),
    row("exec_command", Kind::ShellElsewhere(Shell::Bash), COMMAND),
    row("Execute", Kind::ShellElsewhere(Shell::Bash), COMMAND),
    row("write_file", Kind::Write, PATH),
    row("create_file", Kind::Write, PATH),
    row("replace", Kind::Edit, PATH),
    row("apply_patch_file", Kind::Edit, PATH),
    row("str_replace_editor", Kind::Edit, PATH),
    row("apply_patch", Kind::Patch, &["input", "patch", "command"]),
    row("read_file", Kind::Read, PATH),
    row("view", Kind::Read, PATH),
    row("list_directory", Kind::Read, PATH),
    search("glob", &["path"], "pattern"),
    search("grep", &["path"], "glob"),
    search("search_file_content", &["path"], "glob"),
    search("grep_search", &["path"], "glob"),
    row("web_fetch", Kind::Fetch, &["url"]),
    row("google_web_search", Kind::Remote, &[]),
    row("write_todos", Kind::Own, &[]),
    row("save_memory", Kind::Own, &[]),
    row("ask_user", Kind::Person, &[]),
    row("exit_plan_mode", Kind::Person, &[]),
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(name: &str, input: Value) -> ToolCall {
        ToolCall::new(&crate::CLAUDE_CODE, name, serde_json::from_value(input).unwrap())
    }

    #[test]
    fn a_new_text_goes_where_the_old_one_was() {
        let bash = call("Bash", json!({"command": "ls", "description": "d"}));
        assert_eq!(bash.shell_text(), Some("ls"));
        let new = bash.with_shell_text("ls -l").map(Value::Object);
        assert_eq!(new, Some(json!({"command": "ls -l", "description": "d"})));
        let other = call("exec_command", json!({"cmd": "ls"})).with_shell_text("ls -l").map(Value::Object);
        assert_eq!(other, Some(json!({"cmd": "ls -l"})));
        for (name, input) in [
            ("Bash", json!({})),
            ("Bash", json!({"command": 7})),
            ("Bash", json!({"command": ["ls"]})),
            ("PowerShell", json!({"command": "ls"})),
            ("Write", json!({"command": "ls"})),
        ] {
            assert_eq!(call(name, input).with_shell_text("x"), None, "{name}");
        }
    }

    #[test]
    fn an_mcp_tool_has_a_server_and_a_name() {
        assert_eq!(
            call("mcp__fs__read_file", json!({})).tool(),
            Tool::Mcp { server: "fs", tool: "read_file" }
        );
        assert_eq!(call("mcp__fs", json!({})).tool(), Tool::Mcp { server: "", tool: "fs" });
        let mut named = call("mcp__fs__read", json!({}));
        named.mcp_server = Some(("files".to_owned(), "project".to_owned()));
        assert_eq!(named.tool(), Tool::Mcp { server: "files", tool: "read" });
    }

    #[test]
    fn no_table_lists_a_tool_twice() {
        for table in Profile::ALL.iter().map(|profile| profile.tools).chain([OTHERS]) {
            for (index, row) in table.iter().enumerate() {
                assert!(table.iter().skip(index + 1).all(|other| other.name != row.name), "{}", row.name);
            }
        }
    }
}
