//! One permission rule, typed.

use super::command::CommandPattern;
use super::path::PathPattern;
use hookgate_agents::{ToolCall, Value};

/// The settings that a rule stands in, by authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The administrator's.
    Managed,
    /// Named for this very look (`hookgate check --settings`).
    Named,
    /// The project's, of this person only.
    Local,
    /// The project's.
    Project,
    /// The person's.
    User,
}

/// The list that a rule is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum List {
    /// `permissions.deny`
    Deny,
    /// `permissions.ask`
    Ask,
    /// `permissions.allow`
    Allow,
}

impl List {
    /// The list's name in the settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            List::Deny => "deny",
            List::Ask => "ask",
            List::Allow => "allow",
        }
    }
}

/// One permission rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The list that it is in.
    pub list: List,
    /// The rule as it is written.
    pub text: String,
    /// The file that it is in.
    pub file: String,
    pub(crate) tool: String,
    pub(crate) what: What,
    /// The client doesn't consult it, though its meaning is plain: blanks where none belong, a file that it drops as a whole.
    pub(crate) is_void: bool,
}

/// What of a tool's calls a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// All of them.
    Everything,
    /// Commands.
    Command(CommandPattern),
    /// Files.
    Path(PathPattern),
    /// `WebFetch(domain:HOST)`
    Domain(String),
    /// `Tool(parameter:value)`
    Parameter(String, CommandPattern),
    /// `Agent(NAME)`, `Skill(NAME)`
    Name(String),
    /// Accepted by the client and never consulted.
    Nothing,
}

/// The parameters that have a syntax of their own, so that `Tool(param:value)` is no rule about them.
const PRIMARY: [&str; 6] = ["command", "file_path", "path", "notebook_path", "url", "domain"];

impl Rule {
    /// Reads a rule. Every text is one: what the client would not consult matches nothing.
    pub(crate) fn parse(list: List, text: &str, file: &str, scope: Scope) -> Rule {
        let (name, content) = match text.split_once('(') {
            Some((tool, content)) => (tool, content.trim_end().strip_suffix(')')),
            None => (text, None),
        };
        let is_void = text.trim() != text || name.trim() != name || content.is_some_and(str::is_empty);
        let tool = name.trim();
        let tool = match tool {
            "Task" => "Agent",
            tool => tool,
        };
        let what = match content.map(unescape) {
            None if text.contains('(') => What::Nothing,
            None => What::Everything,
            Some(content) if content.is_empty() || content == "*" => What::Everything,
            Some(content) => what(list, tool, &content, scope, file),
        };
        Rule { list, text: text.to_owned(), file: file.to_owned(), tool: tool.to_owned(), what, is_void }
    }

    /// Is the rule about this tool?
    pub(crate) fn is_about(&self, tool: &str) -> bool {
        let tool = if tool == "Task" { "Agent" } else { tool };
        if self.tool == tool {
            return true;
        }
        if let Some(server) = self.tool.strip_prefix("mcp__").filter(|_| self.what == What::Everything)
            && let Some(called) = tool.strip_prefix("mcp__")
        {
            // `mcp__server` is the whole server.
            if !server.contains("__") && called.split("__").next() == Some(server) {
                return true;
            }
        }
        if !self.tool.contains('*') {
            return false;
        }
        let literal_server = self.tool.strip_prefix("mcp__").and_then(|name| name.split_once("__"));
        let may_glob =
            self.list != List::Allow || literal_server.is_some_and(|(server, _)| !server.contains('*'));
        may_glob && hookgate_policy::Glob::parse(&self.tool).is_ok_and(|glob| glob.matches_text(tool))
    }

    /// Does it match a call by a parameter?
    pub(crate) fn matches_parameter(&self, call: &ToolCall) -> bool {
        let What::Parameter(name, value) = &self.what else { return false };
        match call.input.get(name) {
            Some(Value::String(text)) => value.matches(text),
            Some(scalar @ (Value::Bool(_) | Value::Number(_))) => value.matches(&scalar.to_string()),
            _ => false,
        }
    }
}

fn what(list: List, tool: &str, content: &str, scope: Scope, file: &str) -> What {
    let parameter = content.split_once(':').map(|(name, value)| (name.trim(), value.trim()));
    if let Some((name, value)) = parameter
        && list != List::Allow
        && is_parameter(tool, name)
        && value != "*"
    {
        return What::Parameter(name.to_owned(), CommandPattern::parse(value));
    }
    match tool {
        "Bash" | "Monitor" | "PowerShell" => What::Command(CommandPattern::parse(content)),
        "Read" | "Edit" => What::Path(PathPattern::parse(content, scope, file, list)),
        "WebFetch" => match parameter {
            Some(("domain", host)) => What::Domain(host.to_ascii_lowercase()),
            _ => What::Nothing,
        },
        "Agent" | "Skill" => What::Name(content.to_owned()),
        _ => What::Nothing,
    }
}

/// Is that the name of a parameter that rules may be about? For tools whose rules are commands only the client's own
/// parameters count: `npm:*` is a command.
fn is_parameter(tool: &str, name: &str) -> bool {
    match tool {
        "Bash" | "Monitor" | "PowerShell" => {
            matches!(name, "run_in_background" | "timeout" | "description" | "dangerouslyDisableSandbox")
        }
        "WebFetch" => name == "prompt",
        _ => {
            !PRIMARY.contains(&name)
                && !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        }
    }
}

/// `\(`, `\)` and `\\` stand for the character.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&next @ ('(' | ')' | '\\'))) => {
                plain.push(next);
                characters.next();
            }
            (character, _) => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(list: List, text: &str) -> Rule {
        Rule::parse(list, text, "/home/dev/.claude/settings.json", Scope::User)
    }

    #[test]
    fn a_rule_without_content_is_about_the_whole_tool() {
        for text in ["Bash", "Bash()", "Bash(*)"] {
            assert_eq!(rule(List::Deny, text).what, What::Everything, "{text}");
        }
        assert_eq!(rule(List::Deny, "Bash(ls").what, What::Nothing);
        assert_eq!(rule(List::Deny, "Write(x)").what, What::Nothing);
    }

    #[test]
    fn the_client_takes_no_rule_with_blanks_around_its_name() {
        for text in [" Bash(touch:*)", "Bash(touch:*) ", "Bash (touch:*)", "Bash()", " Bash"] {
            assert!(rule(List::Deny, text).is_void, "{text:?}");
        }
        for text in ["Bash(touch:*)", "Bash(git  push)", "Bash( touch)", "Bash"] {
            assert!(!rule(List::Deny, text).is_void, "{text:?}");
        }
    }

    #[test]
    fn servers_and_globs_name_several_tools() {
        assert!(rule(List::Deny, "mcp__git").is_about("mcp__git__push"));
        assert!(!rule(List::Deny, "mcp__git").is_about("mcp__github__push"));
        assert!(rule(List::Deny, "mcp__*").is_about("mcp__git__push"));
        assert!(!rule(List::Allow, "mcp__*").is_about("mcp__git__push"));
        assert!(rule(List::Allow, "mcp__git__get_*").is_about("mcp__git__get_log"));
        assert!(rule(List::Deny, "Task(Explore)").is_about("Agent"));
    }

    #[test]
    fn a_parameter_is_told_from_a_command_with_a_colon() {
        assert!(matches!(rule(List::Deny, "Bash(run_in_background: true)").what, What::Parameter(..)));
        assert!(matches!(rule(List::Deny, "Bash(npm:*)").what, What::Command(_)));
        assert!(matches!(rule(List::Ask, "Agent(model:opus)").what, What::Parameter(..)));
        assert!(matches!(rule(List::Allow, "Agent(model:opus)").what, What::Name(_)));
    }

    #[test]
    fn escapes_stand_for_brackets() {
        let pattern = CommandPattern::parse("python -c print(1)");
        assert_eq!(rule(List::Deny, r"Bash(python -c print\(1\))").what, What::Command(pattern));
    }
}
