//! The generated reference of the command line is fresh.

use crate::support::Ground;

#[test]
fn the_reference_of_the_command_line_is_up_to_date() {
    let written = include_str!("../../../../docs/cli.md");
    let generated = String::from_utf8(Ground::new().run(&["reference"]).stdout).unwrap();
    assert!(written == generated, "docs/cli.md is stale: run `cargo xtask gen`");
}

#[test]
fn completions_and_manual_pages_are_printed() {
    let ground = Ground::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = ground.run(&["completions", shell]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("hookgate"), "{shell}");
    }
    assert!(String::from_utf8_lossy(&ground.run(&["man"]).stdout).contains(".TH hookgate"));
    assert!(String::from_utf8_lossy(&ground.run(&["man", "check"]).stdout).contains("isolated"));
    assert_eq!(ground.run(&["man", "nothing"]).status.code(), Some(2));
}
