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

#[test]
fn a_mistyped_option_is_no_command() {
    let ground = Ground::new();
    for name in ["check", "explain"] {
        let output = ground.run(&[name, "--isolatd", "git push --force"]);
        assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
        let behind = ground.run(&[name, "git push --force", "--json"]);
        assert_eq!(behind.status.code(), Some(2), "{name}: {behind:?}");
        assert!(String::from_utf8_lossy(&behind.stderr).contains("`--json` goes before the command"));
    }
    let options_of_the_command = ground.run(&["check", "--isolated", "git", "push", "--force"]);
    assert_eq!(options_of_the_command.status.code(), Some(1), "{options_of_the_command:?}");
}

#[test]
fn what_is_found_twice_is_said_once() {
    let output = Ground::new().run(&["check", "--isolated", "dd if=/dev/zero of=/dev/sda"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("[SYS004]").count(), 1, "{output:?}");
}
