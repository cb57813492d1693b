//! Everyday commands.

use hookgate_shell::{Limits, parse};

#[test]
fn everyday_commands_parse_without_problems() {
    for text in
        ["git status", "a | b && c >f 2>&1 &", "cat <<'EOF' > x\na $(b)\nEOF\n", "echo \"$(date)\" ${x:-y}"]
    {
        assert_eq!(parse(text, &Limits::default()).problems, [], "{text}");
    }
}
