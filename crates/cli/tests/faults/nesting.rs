//! Texts that nest, repeat or double themselves beyond every limit.

use std::fs;

use serde_json::json;

use crate::support::Ground;
use crate::{DENIED, Dice, Fault, Rule, held, hook};

pub(crate) fn faults() -> Vec<Fault> {
    vec![
        Fault { name: "a nested command", run: commands },
        Fault { name: "a nested program text", run: programs },
        Fault { name: "a nested file", run: files },
        Fault { name: "a doubling", run: doublings },
        Fault { name: "a wide event", run: wide },
        Fault { name: "an event of many values", run: many_values },
    ]
}

/// What stands before, what stands behind: both as often as the depth says.
const FORMS: [(&str, &str); 46] = [
    ("command ", ""),
    ("exec ", ""),
    ("builtin ", ""),
    ("noglob ", ""),
    ("eval ", ""),
    ("env ", ""),
    ("sudo ", ""),
    ("nohup ", ""),
    ("nice ", ""),
    ("time ", ""),
    ("! ", ""),
    ("coproc ", ""),
    ("xargs ", ""),
    ("timeout 1 ", ""),
    ("stdbuf -o0 ", ""),
    ("busybox ", ""),
    ("env -S ", ""),
    ("sh -c ", ""),
    ("cmd /c ", ""),
    ("pwsh -c ", ""),
    ("A=b ", ""),
    ("$(", ")"),
    ("`", ""),
    ("{ ", "; }"),
    ("( ", ")"),
    ("if true; then ", "; fi"),
    ("while true; do ", "; done"),
    ("for i in a; do ", "; done"),
    ("case a in a) ", ";; esac"),
    ("f() { ", "; }"),
    ("\"$(", ")\""),
    ("${a:-", "}"),
    ("$((", "))"),
    ("[[ ", " ]]"),
    ("<(", ")"),
    ("a=(", ")"),
    ("{a,", "}"),
    ("\\", ""),
    ("'", "'"),
    ("\"", "\""),
    ("true && ", ""),
    ("true | ", ""),
    ("true; ", ""),
    ("true & ", ""),
    ("find . -exec ", " \\;"),
    ("trap '", "' EXIT"),
];

fn commands(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let (before, behind) = *dice.one_of(&FORMS);
    let depth = depth(dice, before, behind);
    let inner = *dice.one_of(&["ls", DENIED, "rm -rf /", ""]);
    let text = format!("{}{inner}{}", before.repeat(depth), behind.repeat(depth));
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(&text), Rule::Shape)
        .map_err(|problem| format!("{before}{behind} x {depth}: {problem}"))?;
    Ok(())
}

/// Deep, but not longer than texts that are read.
fn depth(dice: &mut Dice, before: &str, behind: &str) -> usize {
    let longest = 120_000 / (before.len() + behind.len());
    let depths = [30, 60, 500, 3_000, 30_000, longest];
    (*dice.one_of(&depths)).min(longest)
}

/// A program, and how its text nests.
const PROGRAMS: [(&str, &str, &str); 39] = [
    ("node -e", "a=>", "1"),
    ("node -e", "async()=>", "1"),
    ("node -e", "a=", "1"),
    ("node -e", "(", "1"),
    ("node -e", "[", "1"),
    ("node -e", "{", "1"),
    ("node -e", "`${", "1"),
    ("node -e", "!", "1"),
    ("node -e", "new ", "A"),
    ("node -e", "f(", "1"),
    ("python3 -c", "a=", "1"),
    ("python3 -c", "lambda:", "1"),
    ("python3 -c", "(", "1"),
    ("python3 -c", "[", "1"),
    ("python3 -c", "f\"{", "1"),
    ("python3 -c", "not ", "1"),
    ("python3 -c", "f(", "1"),
    ("python3 -c", "-", "1"),
    ("python3 -c", "a.", "b"),
    ("ruby -e", "eval ", "1"),
    ("ruby -e", "a=", "1"),
    ("ruby -e", "(", "1"),
    ("ruby -e", "-> {", "1"),
    ("perl -e", "$a=", "1"),
    ("perl -e", "(", "1"),
    ("perl -e", "eval {", "1"),
    ("php -r", "$a=", "1"),
    ("php -r", "f(", "1"),
    ("awk", "system(", "1"),
    ("awk", "{", "1"),
    ("jq", "(", "1"),
    ("sqlite3 x.db", "(", "1"),
    ("psql -c", "select (", "1"),
    ("pwsh -c", "{", "1"),
    ("pwsh -c", "& ", "x"),
    ("cmd /c", "start ", "x"),
    ("cmd /c", "call ", "x"),
    ("cmd /c", "if exist x ", "del y"),
    ("cmd /c", "for %i in (a) do ", "del y"),
];

fn programs(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let (program, form, inner) = *dice.one_of(&PROGRAMS);
    let depth = depth(dice, form, "").min(20_000);
    let text = format!("{program} '{}{inner}'", form.repeat(depth));
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(&text), Rule::Shape)
        .map_err(|problem| format!("{program} {form} x {depth}: {problem}"))?;
    Ok(())
}

/// A file that the repository brings nests the same.
fn files(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let (before, behind) = *dice.one_of(&FORMS);
    let depth = depth(dice, before, behind);
    let text = format!("{}ls{}", before.repeat(depth), behind.repeat(depth));
    let project = ground.project();
    let command = match dice.below(4) {
        0 => {
            fs::write(project.join("a.sh"), &text).unwrap();
            "bash a.sh"
        }
        1 => {
            fs::write(project.join("Makefile"), format!("all:\n\t{text}\n")).unwrap();
            "make"
        }
        2 => {
            let package = json!({ "scripts": { "test": text } });
            fs::write(project.join("package.json"), package.to_string()).unwrap();
            "npm test"
        }
        _ => {
            let (_, form, inner) = *dice.one_of(&PROGRAMS);
            fs::write(project.join("a.js"), format!("{}{inner}", form.repeat(depth.min(20_000)))).unwrap();
            "node a.js"
        }
    };
    let command = format!("{DENIED}; {command}");
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(&command), Rule::Stopped)
        .map_err(|problem| format!("{before}{behind} x {depth}, {command}: {problem}"))?;
    Ok(())
}

const DOUBLINGS: [&str; 10] = [
    "a=$a$a",
    "a+=$a",
    "printf -v a %s%s $a $a",
    "a=${a//x/xx}",
    "read a <<< $a$a",
    "a=$(echo $a$a)",
    "eval \"a=\\$a\\$a\"",
    "cat f f > g; cat g g > f",
    "set -- $a \"$@\" \"$@\"",
    "a=(\"${a[@]}\" \"${a[@]}\")",
];

fn doublings(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let form = *dice.one_of(&DOUBLINGS);
    let times = 1 + dice.below(60);
    let text = format!(
        "a=xxxxxxxxxx\necho xxxxxxxxxx > f\n{}{DENIED}\nrm -rf $a",
        format!("{form}\n").repeat(times)
    );
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(&text), Rule::Stopped)
        .map_err(|problem| format!("{form} x {times}: {problem}"))?;
    Ok(())
}

/// An event with up to a million keys, or as many small values.
fn many_values(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let count = *dice.one_of(&[1_000, 50_000, 95_000, 1_000_000]);
    let value = match dice.below(4) {
        0 => {
            (0..count).fold(String::from("{"), |text, number| text + &format!("\"k{number}\":{number},"))
                + "\"k\":0}"
        }
        1 => format!("[{}0]", "0,".repeat(count)),
        2 => format!("[{}{{}}]", "{},".repeat(count)),
        _ => format!("[{}[]]", "[],".repeat(count)),
    };
    let event = String::from_utf8(ground.bash(DENIED)).unwrap();
    let place = *dice.one_of(&["\"tool_input\":{", "\"hook_event_name\":\"PreToolUse\","]);
    let event = event.replace(place, &format!("{place}\"many\":{value},"));
    held(hook(ground, "PreToolUse", "", ""), event.as_bytes(), Rule::Stopped)
        .map_err(|problem| format!("{count} values: {problem}"))?;
    Ok(())
}

/// An event with very many or very long parts.
fn wide(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let command = match dice.below(6) {
        0 => format!("rm {}", "a/".repeat(60_000)),
        1 => format!("{DENIED} {}", "x ".repeat(20_000)),
        2 => "echo a; ".repeat(5_000) + DENIED,
        3 => format!("echo {}", "{a,b}".repeat(24)),
        4 => format!("echo '{}'; {DENIED}", "x".repeat(200_000)),
        _ => format!("cat {}; {DENIED}", "../".repeat(30_000)),
    };
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(&command), Rule::Shape)
        .map_err(|problem| format!("{}: {problem}", &command[..30]))?;
    Ok(())
}
