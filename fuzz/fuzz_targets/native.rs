//! Any text as a client's settings file, and any command under its permission rules: reading ends, and a call that a plain deny rule
//! of that file names is denied.

#![no_main]

use hookgate_agents::{Event, EventName, ToolCall};
use hookgate_clients::{Client, Reading, Scope, Settings, Source, reading};
use hookgate_effects::Places;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &str| {
    let (text, command) = bytes.split_once('\0').unwrap_or((bytes, "rm -rf x"));
    let places = Places { cwd: "/home/dev/app".into(), home: "/home/dev".into(), project: "/home/dev/app".into(), ..Places::default() };
    let call = Some(ToolCall::bash(command));
    let event = Event { cwd: places.cwd.clone(), call, ..Event::new(EventName::PreToolUse) };
    let source = |path: &str, text: &str| Source { scope: Scope::User, path: path.to_owned(), text: text.to_owned() };
    let theirs = source("/home/dev/.claude/settings.json", text);
    let _ = reading(&event, &Settings::read(&[theirs]), &places);
    for client in Client::ALL {
        let _ = ((client.registrations)(text), (client.handlers)(text), (client.faults)("settings.json", text));
    }
    // One more file never takes a denial back.
    let theirs = source("/home/dev/.claude/settings.json", text);
    let all = source("/home/dev/.claude/all.json", r#"{"permissions":{"deny":["Bash"]}}"#);
    assert!(matches!(reading(&event, &Settings::read(&[theirs, all]), &places), Reading::Deny(_)));
});
