//! What a linter found, and which of it is new.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One thing that a linter found.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// The file, as the linter names it.
    pub file: String,
    /// The line, from 1; 0 where it names none.
    pub line: u32,
    /// The column, from 1; 0 where it names none.
    pub column: u32,
    /// The linter's own code; empty where it has none.
    pub code: String,
    /// What it says.
    pub message: String,
    /// The linter.
    pub tool: String,
}

/// The findings of `after` that were not there before: each of `before` accounts for one of the same linter with the same code
/// and message in a line with the same text. Where a line moved makes no difference, and a second one of the same kind is new.
///
/// `text_before` and `text_after` are the file's texts; where lines can't be compared, code and message do.
#[must_use]
pub fn new_findings(
    before: &[Finding],
    text_before: &str,
    after: Vec<Finding>,
    text_after: &str,
) -> Vec<Finding> {
    let old_lines: Vec<&str> = text_before.lines().collect();
    let new_lines: Vec<&str> = text_after.lines().collect();
    let mut known: BTreeMap<(String, String, String, String), usize> = BTreeMap::new();
    for finding in before {
        *known.entry(key(finding, &old_lines)).or_default() += 1;
    }
    let mut new = after;
    new.retain(|finding| match known.get_mut(&key(finding, &new_lines)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    new
}

/// The findings in lines that the file didn't have before: what can be told where the former text wasn't checked.
#[must_use]
pub fn in_new_lines(found: Vec<Finding>, text_before: &str, text_after: &str) -> Vec<Finding> {
    let old: std::collections::BTreeSet<&str> = text_before.lines().map(str::trim).collect();
    let new: Vec<&str> = text_after.lines().collect();
    let mut found = found;
    found.retain(|finding| {
        let at = usize::try_from(finding.line).ok().and_then(|line| line.checked_sub(1));
        at.and_then(|at| new.get(at)).is_none_or(|line| !old.contains(line.trim()))
    });
    found
}

fn key(finding: &Finding, lines: &[&str]) -> (String, String, String, String) {
    let at = usize::try_from(finding.line).ok().and_then(|line| line.checked_sub(1));
    let line = at.and_then(|at| lines.get(at)).map_or("", |line| line.trim());
    // Messages hold figures that change with what is around them ("41 > 40 lines"): the line's text says which one it is.
    let message = finding.message.chars().filter(|character| !character.is_ascii_digit()).collect();
    (finding.tool.clone(), finding.code.clone(), message, line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u32, code: &str, message: &str) -> Finding {
        Finding {
            file: "a.py".to_owned(),
            line,
            column: 1,
            code: code.to_owned(),
            message: message.to_owned(),
            tool: "ruff".to_owned(),
        }
    }

    #[test]
    fn an_old_finding_that_moved_is_not_new_and_a_second_one_is() {
        let before = "import os\nx = 1\n";
        let after = "y = 2\nimport os\nx = 1\nimport os\n";
        let old = [finding(1, "F401", "`os` imported but unused")];
        let found = vec![
            finding(2, "F401", "`os` imported but unused"),
            finding(4, "F401", "`os` imported but unused"),
            finding(1, "F841", "unused `y`"),
        ];
        let new = new_findings(&old, before, found, after);
        let lines: Vec<(u32, &str)> = new.iter().map(|new| (new.line, new.code.as_str())).collect();
        assert_eq!(lines, [(4, "F401"), (1, "F841")]);
    }

    #[test]
    fn a_figure_in_the_message_makes_no_new_finding() {
        let old = [finding(1, "E501", "Line too long (101 > 88)")];
        let new = new_findings(&old, "x\n", vec![finding(1, "E501", "Line too long (102 > 88)")], "x\n");
        assert_eq!(new, []);
    }
}
