//! Text of other shells, recognised by what bash text doesn't begin with.

/// A shell that isn't bash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// Windows PowerShell or PowerShell 7; see [`powershell`](crate::powershell()).
    PowerShell,
    /// `cmd.exe`.
    Cmd,
}

/// Which other shell a text is written for; `None`: bash, as far as can be told. Looks at how the first command
/// begins. In doubt it is bash: that reading is the strict one.
pub fn foreign(text: &str) -> Option<Foreign> {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if is_powershell(text) {
        Some(Foreign::PowerShell)
    } else if is_cmd(text) {
        Some(Foreign::Cmd)
    } else {
        None
    }
}

/// The verbs of cmdlets that begin a command of an agent; the approved ones of PowerShell's documentation.
const VERBS: [&str; 64] = [
    "Add",
    "Clear",
    "Close",
    "Compare",
    "Complete",
    "Compress",
    "Confirm",
    "Connect",
    "Convert",
    "ConvertFrom",
    "ConvertTo",
    "Copy",
    "Debug",
    "Disable",
    "Disconnect",
    "Dismount",
    "Enable",
    "Enter",
    "Exit",
    "Expand",
    "Export",
    "Find",
    "ForEach",
    "Format",
    "Get",
    "Group",
    "Hide",
    "Import",
    "Initialize",
    "Install",
    "Invoke",
    "Join",
    "Measure",
    "Mount",
    "Move",
    "New",
    "Open",
    "Out",
    "Pop",
    "Push",
    "Read",
    "Receive",
    "Register",
    "Remove",
    "Rename",
    "Reset",
    "Resolve",
    "Restart",
    "Restore",
    "Resume",
    "Save",
    "Search",
    "Select",
    "Send",
    "Set",
    "Show",
    "Sort",
    "Split",
    "Start",
    "Stop",
    "Test",
    "Uninstall",
    "Wait",
    "Write",
];

fn is_powershell(text: &str) -> bool {
    if text.starts_with("<#") || text.starts_with("@'\n") || text.starts_with("@\"\n") {
        return true;
    }
    if let Some(rest) = text.strip_prefix('$') {
        let name = rest.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric() || sign == '_');
        let named = name.len() < rest.len();
        // `$env:PATH`, `$script:x`, and an assignment, in bash a command called `=`.
        let scoped =
            name.strip_prefix(':').is_some_and(|rest| rest.starts_with(|sign: char| sign.is_alphabetic()));
        let after = name.trim_start_matches([' ', '\t']);
        let assigned = ["=", "+=", "-=", "|="].iter().any(|sign| after.starts_with(sign));
        return named && (scoped || (assigned && !after.starts_with("==")));
    }
    if let Some(rest) = text.strip_prefix('[') {
        // `[IO.File]::Delete(...)`, `[string]$x = ...`
        let name =
            rest.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '_'));
        return name.len() < rest.len() && (name.starts_with("]::") || name.starts_with("]$"));
    }
    let first = first_word(text);
    if let Some((verb, noun)) = first.split_once('-') {
        let known = VERBS.iter().any(|known| known.eq_ignore_ascii_case(verb));
        let capital = |word: &str| word.starts_with(|sign: char| sign.is_ascii_uppercase());
        return known
            && (capital(verb) || capital(noun))
            && noun.bytes().all(|byte| byte.is_ascii_alphanumeric());
    }
    let rest = text.get(first.len()..).unwrap_or("").trim_start();
    match first {
        "param" | "foreach" | "switch" => rest.starts_with('('),
        "if" | "while" => rest.starts_with('(') && rest.contains('$') && rest.contains(") {"),
        "try" => rest.starts_with('{'),
        "using" => ["namespace ", "module "].iter().any(|word| rest.starts_with(word)),
        _ => false,
    }
}

/// Commands of cmd that take switches such as `/s`; with anything else they could be programs.
const SWITCHED: [&str; 16] = [
    "cd", "copy", "del", "dir", "erase", "move", "rd", "ren", "rmdir", "start", "tasklist", "taskkill",
    "type", "xcopy", "robocopy", "attrib",
];

fn is_cmd(text: &str) -> bool {
    let first = first_word(text);
    let lower = first.to_ascii_lowercase();
    let rest = text.get(first.len()..).unwrap_or("").trim_start_matches([' ', '\t']);
    let mut words = rest.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
    match lower.as_str() {
        "@echo" | "setlocal" | "endlocal" | "rem" => true,
        "echo" => matches!(rest.get(..3), Some("off" | "OFF")) && rest.contains('\n'),
        "set" => {
            let name = rest.trim_start_matches(['"']);
            let length =
                name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            length > 0 && name.get(length..).is_some_and(|rest| rest.starts_with('='))
        }
        "if" => {
            let word = words.next().unwrap_or("").to_ascii_lowercase();
            matches!(word.as_str(), "exist" | "errorlevel" | "defined")
                || (word == "not" && matches!(words.next(), Some("exist" | "errorlevel" | "defined")))
        }
        "for" => words.next().is_some_and(|word| word.starts_with('%') || word.starts_with('/')),
        name if SWITCHED.contains(&name) => words.take(8).any(is_switch),
        _ => false,
    }
}

/// `/s`, `/F`, `/Q`: a letter, where bash would have a folder of one letter in the root.
fn is_switch(word: &str) -> bool {
    match word.as_bytes() {
        [b'/', letter] => letter.is_ascii_alphabetic() || *letter == b'?',
        [b'/', letter, b':', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

fn first_word(text: &str) -> &str {
    let length = text.find(|sign: char| sign.is_whitespace() || ";|&<>(){}'\"`".contains(sign));
    text.get(..length.unwrap_or(text.len())).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powershell_text_is_recognised() {
        for text in [
            "Get-ChildItem -Recurse | Remove-Item",
            "remove-Item x",
            "$x = 5",
            "$env:PATH",
            "$files += 'a'",
            "[IO.File]::Delete('x')",
            "[string]$x = 1",
            "<# note #> ls",
            "foreach ($f in $files) { del $f }",
            "try { ls } catch { }",
            "if ($x -eq 1) { Remove-Item y }",
            "\u{feff}Write-Host hi",
        ] {
            assert_eq!(foreign(text), Some(Foreign::PowerShell), "{text}");
        }
    }

    #[test]
    fn cmd_text_is_recognised() {
        for text in [
            "del /f /q x",
            "rmdir build /s",
            "dir /s",
            "@echo off\r\necho a",
            "if exist x del x",
            "for %i in (*) do del %i",
            "cd /d C:\\x",
            "set A=b&& del x",
        ] {
            assert_eq!(foreign(text), Some(Foreign::Cmd), "{text}");
        }
    }

    #[test]
    fn bash_text_is_not_foreign() {
        for text in [
            "",
            "git status",
            "$x y",
            "$x -rf /",
            "$(a) = b",
            "rm -rf /s",
            "cd /d/x",
            "type git",
            "[ -f x ]",
            "[[ a ]]",
            "if (a) then b; fi",
            "if [ -e x ]; then y; fi",
            "for f in *; do a; done",
            "set -e",
            "apt-get update",
            "start-server --x",
            "echo Get-ChildItem",
            "pwsh -c 'Get-ChildItem'",
            "set -- a=b",
            "echo off",
        ] {
            assert_eq!(foreign(text), None, "{text}");
        }
    }
}
