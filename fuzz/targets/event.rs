//! Any bytes as an event on stdin: no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = hookgate_agents::decode(bytes, None);
    let _ = hookgate_agents::decode(bytes, Some("PreToolUse"));
});
