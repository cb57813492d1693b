//! Tools that are no shell text have the same effects.

#[expect(dead_code, reason = "the cases in files are for the other test programs")]
mod support;

use hookgate_agents::{CLAUDE_CODE, Event, EventName, Map, ToolCall, Value};
use hookgate_effects::{Effects, Entry, EntryKind, Kind, World, of_command, of_event};

fn effects_of(tool: &str, input: &[(&str, &str)]) -> Effects {
    let input: Map =
        input.iter().map(|(key, value)| ((*key).to_owned(), Value::String((*value).to_owned()))).collect();
    let call = ToolCall::new(&CLAUDE_CODE, tool, input);
    let event = Event { call: Some(call), ..Event::new(EventName::PreToolUse) };
    of_event(&event, &support::places(), &support::MadeUp::default())
}

fn assert_effects(tool: &str, input: &[(&str, &str)], expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|text| (*text).to_owned()).collect();
    let found = effects_of(tool, input);
    assert_eq!(support::difference(&found, &expected), None, "{tool} {input:?}");
}

#[test]
fn a_shell_tool_is_its_command() {
    assert_effects("Bash", &[("command", "rm old")], &["delete old"]);
    assert_effects("Monitor", &[("command", "rm old")], &["delete old"]);
    assert_effects("Bash", &[], &["unparsed"]);
}

#[test]
fn file_tools_read_and_write_their_path() {
    assert_effects("Write", &[("file_path", "/home/dev/project/a")], &["write a"]);
    assert_effects("Edit", &[("file_path", "a")], &["read a", "write a"]);
    assert_effects("MultiEdit", &[("file_path", "a")], &["read a", "write a"]);
    assert_effects("NotebookEdit", &[("notebook_path", "a.ipynb")], &["read a.ipynb", "write a.ipynb"]);
    assert_effects("Read", &[("file_path", "~/.ssh/id_rsa")], &["read ~/.ssh/id_rsa"]);
    assert_effects("Glob", &[("pattern", "**/*.rs")], &["read **/*.rs"]);
    assert_effects("Grep", &[("pattern", "x"), ("path", "src")], &["read src"]);
    assert_effects("LS", &[("path", "/etc")], &["read /etc"]);
    assert_effects("Write", &[], &["unknown-target"]);
}

#[test]
fn the_network_tools_name_their_host() {
    assert_effects("WebFetch", &[("url", "https://example.com/a?b")], &["download example.com"]);
    assert_effects("WebSearch", &[("query", "x")], &["remote-read"]);
}

#[test]
fn tools_of_the_agent_itself_do_nothing() {
    for tool in ["TodoWrite", "ToolSearch", "Skill", "BashOutput"] {
        assert_effects(tool, &[], &[]);
    }
    assert_effects("Task", &[("prompt", "rm -rf /")], &["agent"]);
}

#[test]
fn what_only_a_person_can_answer_is_never_covered() {
    assert_effects("AskUserQuestion", &[], &["unknown-program AskUserQuestion"]);
    assert_effects("ExitPlanMode", &[], &["unknown-program ExitPlanMode"]);
}

#[test]
fn file_tools_of_mcp_servers_are_judged_by_their_verb() {
    assert_effects("mcp__filesystem__write_file", &[("path", "a"), ("content", "x")], &["write a"]);
    assert_effects("mcp__filesystem__read_text_file", &[("path", "a")], &["read a"]);
    assert_effects("mcp__filesystem__edit_file", &[("path", "a")], &["read a", "write a"]);
    assert_effects("mcp__fs__deleteDirectory", &[("path", "a")], &["delete a"]);
    assert_effects("mcp__fs__move_file", &[("source", "a"), ("destination", "b")], &["move a", "write b"]);
    assert_effects("mcp__shell__run_command", &[("command", "rm old")], &["delete old"]);
    assert_effects(
        "mcp__github__create_issue",
        &[("title", "x")],
        &["unknown-program mcp__github__create_issue"],
    );
    assert_effects("SomethingNew", &[], &["unknown-program SomethingNew"]);
}

#[test]
fn a_guarded_path_is_written_by_any_tool_that_does_not_plainly_read() {
    let settings = "/home/dev/project/.claude/settings.json";
    for (tool, key) in [
        ("mcp__fs__edit", "path"),
        ("mcp__fs__put", "path"),
        ("mcp__fs__str_replace", "path"),
        ("mcp__fs__edit_block", "path"),
        ("mcp__fs__replace_regex", "relative_path"),
        ("mcp__fs__write_file", "file"),
        ("mcp__fs__write_file", "filename"),
        ("mcp__fs__write_file", "uri"),
        ("mcp__fs__write_file", "absolute_path"),
        ("mcp__fs__frobnicate", "whatever"),
        ("SomethingNew", "whatever"),
    ] {
        let found = effects_of(tool, &[(key, settings), ("content", "{}")]);
        let written = found.effects.iter().any(|effect| effect.kind == Kind::Write);
        assert!(written, "{tool} {key}: {:?}", found.effects);
    }
    for (tool, key, text) in [
        ("mcp__fs__read_file", "path", settings),
        ("mcp__fs__get_file_info", "path", settings),
        ("mcp__github__create_issue", "body", "see https://example.com/x/.claude/settings.json"),
        ("mcp__fs__frobnicate", "path", "src/main.rs"),
        ("mcp__fs__frobnicate", "file_text", "CLAUDE.md"),
    ] {
        let found = effects_of(tool, &[(key, text)]);
        let written = found.effects.iter().any(|effect| effect.kind == Kind::Write);
        assert!(!written, "{tool} {key}: {:?}", found.effects);
    }
}

#[test]
fn a_list_of_arguments_is_the_command_that_it_makes() {
    let deletes = |input: Value| {
        let Value::Object(input) = input else { return false };
        let call = ToolCall::new(&CLAUDE_CODE, "mcp__t__run", input);
        let event = Event { call: Some(call), ..Event::new(EventName::PreToolUse) };
        let found = of_event(&event, &support::places(), &support::MadeUp::default());
        found.effects.iter().any(|effect| effect.kind == Kind::Delete)
    };
    for input in [
        serde_json::json!({ "args": ["rm", "-rf", "/srv/data"] }),
        serde_json::json!({ "command": "rm", "args": ["-rf", "/srv/data"] }),
        serde_json::json!({ "program": "/bin/rm", "arguments": ["-rf", "/srv/data"] }),
        serde_json::json!({ "steps": [{ "argv": ["bash", "-c", "rm -rf /srv/data"] }] }),
        serde_json::json!({ "command": "rm -rf /srv/data" }),
    ] {
        assert!(deletes(input.clone()), "{input}");
    }
    assert!(!deletes(serde_json::json!({ "args": ["the", "rm", "-rf"] })));
}

/// A machine where every folder holds the same thousand files, which counts how many it was asked about.
#[derive(Default)]
struct Crowded {
    asked: std::cell::Cell<usize>,
}

impl World for Crowded {
    fn variable(&self, _: &str) -> Option<String> {
        None
    }
    fn read(&self, _: &str, _: usize) -> Option<Vec<u8>> {
        None
    }
    fn entry(&self, path: &str) -> Option<Entry> {
        self.asked.set(self.asked.get() + 1);
        let kind = if path.contains("/.f") { EntryKind::File } else { EntryKind::Directory };
        Some(Entry { kind, size: 1 })
    }
    fn resolve(&self, _: &str) -> Option<String> {
        None
    }
    fn list(&self, _: &str, limit: usize) -> Vec<String> {
        (0..1_000.min(limit)).map(|number| format!(".f{number}")).collect()
    }
}

#[test]
fn folders_that_are_moved_are_looked_into_up_to_a_bound_of_all() {
    let world = Crowded::default();
    let command = format!("mv {} /tmp/x", "big/ ".repeat(500));
    let _ = of_command(&command, &support::places(), &world);
    let asked = world.asked.get();
    assert!(asked > 2_000 && asked < 20_000, "asked about {asked} files");
}
