//! Patterns that are well formed and can never match: as people write them who think of the agent's own syntax, of a URL or
//! of a whole command line.

use super::reader::{Item, Reader};
use crate::keys::JAVASCRIPT_MANAGERS;
use hookgate_agents::Profile;

impl Reader<'_> {
    /// Warns of a pattern that can never match. Only where a person looks at the file.
    pub(super) fn doubt(&mut self, item: &Item<'_>, key: &'static str, text: &str) {
        if !self.check.is_thorough() {
            return;
        }
        if let Some((label, help)) = doubt(key, text) {
            let name = key.rsplit('.').next().unwrap_or(key);
            let message = format!("`{name} = \"{text}\"` can never match");
            self.warning(item.span(), key, message, label, Some(help));
        }
    }
}

/// Why a pattern of that key can never match, and what to write instead.
fn doubt(key: &str, text: &str) -> Option<(&'static str, String)> {
    match key {
        "rule.when.run" => run(text),
        "rule.when.tool" => tool(text),
        "rule.when.mcp-tool" => {
            let (server, tool) = text.strip_prefix("mcp__")?.split_once("__")?;
            Some((
                "this is the name without its server",
                format!("write `mcp-server = \"{server}\", mcp-tool = \"{tool}\"`"),
            ))
        }
        "rule.when.mcp-server" => {
            let server = text.strip_prefix("mcp__")?;
            let server = server.split_once("__").map_or(server, |(server, _)| server);
            Some(("servers are named without `mcp__`", format!("write `mcp-server = \"{server}\"`")))
        }
        "rule.when.host" => {
            let host = text.split_once("://").map_or(text, |(_, rest)| rest);
            let host = host.split(['/', '?', '#']).next().unwrap_or(host);
            (host != text).then(|| ("a host, not an address", format!("write `host = \"{host}\"`")))
        }
        "rule.when.url" => {
            let (_, rest) = text.split_once("://")?;
            Some(("addresses are matched without their scheme", format!("write `url = \"{rest}\"`")))
        }
        "rule.when.branch" => {
            let branch = text.strip_prefix("refs/heads/")?;
            Some(("branches are named without `refs/heads/`", format!("write `branch = \"{branch}\"`")))
        }
        _ => None,
    }
}

fn run(text: &str) -> Option<(&'static str, String)> {
    // The agent's own permission rules.
    let inside = text.split_once('(').and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?)));
    if let Some((_, inside)) = inside.filter(|(name, _)| is_tool(name)) {
        let command = prefix(inside).unwrap_or_else(|| inside.to_owned());
        return Some(("the agent's syntax for permissions", format!("write `run = \"{command}\"`")));
    }
    // The scripts of a package are named `deploy:staging`: after such a manager, `:*` says what it seems to.
    let of_a_package = text.split_whitespace().next().is_some_and(|name| JAVASCRIPT_MANAGERS.contains(&name));
    if let Some(command) = prefix(text).filter(|_| !of_a_package || text.split_whitespace().count() < 2) {
        return Some(("the agent's syntax for a prefix", format!("write `run = \"{command}\"`")));
    }
    let first = text.split_whitespace().next()?;
    if let Some((name, value)) = first.split_once('=')
        && !name.is_empty()
        && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
    {
        let help = format!("write `env = {{ {name} = \"{value}\" }}` beside `run`");
        return Some(("an assignment is no part of the command", help));
    }
    let joins = |word: &str| matches!(word, "|" | "||" | "&&" | ";" | "&" | ">" | ">>" | "<");
    text.split_whitespace().any(joins).then(|| {
        let help = "write a pattern for one of the commands; where data goes is an effect, such as `effect = \"remote-code\"`";
        ("each command of a line is matched alone", help.to_owned())
    })
}

/// `git push:*` as a pattern.
fn prefix(text: &str) -> Option<String> {
    text.strip_suffix(":*").map(|command| format!("{command} **"))
}

fn tool(text: &str) -> Option<(&'static str, String)> {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
    };
    if text.contains('|') && text.split('|').all(is_word) {
        let list: Vec<String> = text.split('|').map(|name| format!("\"{name}\"")).collect();
        return Some(("the agent's syntax for a matcher", format!("write `tool = [{}]`", list.join(", "))));
    }
    if !is_word(text) || is_tool(text) {
        return None;
    }
    let mut names = tools();
    let near = names.find(|name| name.eq_ignore_ascii_case(text))?;
    Some(("names are spelt as the agent spells them", format!("write `tool = \"{near}\"`")))
}

fn is_tool(name: &str) -> bool {
    tools().any(|known| known == name)
}

/// The tools of every agent that is known.
fn tools() -> impl Iterator<Item = &'static str> {
    Profile::ALL.iter().flat_map(|agent| agent.tools).map(hookgate_agents::Row::name)
}
