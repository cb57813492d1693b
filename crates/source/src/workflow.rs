//! Workflows of GitHub's: what they run that isn't theirs, what they may do, and what somebody from outside can put into them.

use hookgate_knowledge::shipped;

use crate::{Place, Problem};

/// What is wrong with the action that a step uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionProblem {
    /// A tag or a branch names it, which can be another commit tomorrow.
    Unpinned,
    /// A digest names it, and nothing says which version that is.
    Unversioned,
}

/// The actions that aren't pinned by the digest of a commit, and those whose digest has no comment. An action of the repository
/// itself and an image are neither. A tag with a comment that says why, on its line or on the one above, is a decision.
#[must_use]
pub fn actions(text: &str) -> Vec<(ActionProblem, Problem)> {
    let mut found = Vec::new();
    let mut above = "";
    for (index, line) in text.lines().enumerate() {
        let words = line.trim_start().trim_start_matches("- ").trim_start();
        if let Some(value) = words.strip_prefix("uses:") {
            let (value, comment) = value.split_once(" #").unwrap_or((value, ""));
            let name = value.trim().trim_matches(['"', '\'']);
            let column =
                line.find("uses:").map_or(1, |at| line.get(..at).unwrap_or_default().chars().count() + 1);
            let place = Place { line: index + 1, column };
            let problem = |what| (what, Problem { place, what: name.to_owned() });
            let comments = [comment.trim(), above.trim_start().strip_prefix('#').unwrap_or_default().trim()];
            if name.starts_with("./")
                || name.starts_with("docker://")
                || name.is_empty()
                || name.contains("${{")
            {
                // Its own, or no action.
            } else if name.rsplit_once('@').is_some_and(|(_, revision)| is_digest(revision)) {
                if comments.iter().all(|comment| comment.is_empty()) {
                    found.push(problem(ActionProblem::Unversioned));
                }
            } else if !comments.iter().any(|comment| !comment.is_empty() && !is_version(comment)) {
                found.push(problem(ActionProblem::Unpinned));
            }
        }
        above = line;
    }
    found
}

fn is_digest(revision: &str) -> bool {
    matches!(revision.len(), 40 | 64) && revision.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `v1.2.3`, `4`, `1.0-rc.1`: it repeats what the tag says.
fn is_version(text: &str) -> bool {
    let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))
}

/// Expressions in scripts that hold what somebody from outside writes: the title of an issue is code there.
#[must_use]
pub fn injections(text: &str) -> Vec<Problem> {
    let contexts = shipped().table("paths/sources/workflow-untrusted");
    let mut found = Vec::new();
    // The indentation of the key whose script this is.
    let mut script: Option<usize> = None;
    for (index, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let words = line.trim_start();
        let dashes = words.len() - words.trim_start_matches("- ").len();
        let key = words.trim_start_matches("- ");
        let begins = key.starts_with("run:") || key.starts_with("script:");
        if begins {
            script = Some(indent + dashes);
        } else if !words.is_empty() && script.is_some_and(|at| indent <= at) {
            script = None;
        }
        if script.is_none() {
            continue;
        }
        for (at, _) in line.match_indices("${{") {
            let inside = line.get(at + 3..).unwrap_or_default();
            let inside = inside.split("}}").next().unwrap_or_default();
            let plain: String = inside.chars().filter(|c| !c.is_whitespace()).collect();
            if let Some(row) = contexts.rows().find(|row| names(&plain, row.key())) {
                let column = line.get(..at).unwrap_or_default().chars().count() + 1;
                found.push(Problem { place: Place { line: index + 1, column }, what: row.key().to_owned() });
            }
        }
    }
    found
}

/// Does an expression name that context, and not one whose name only begins so?
fn names(expression: &str, context: &str) -> bool {
    expression.match_indices(context).any(|(at, _)| {
        let after = expression.get(at + context.len()..).and_then(|rest| rest.chars().next());
        after.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_')
    })
}

/// What is wrong with the permissions of a workflow: it has none at its top and none in each job, or asks for all.
#[must_use]
pub fn permissions(text: &str) -> Option<Problem> {
    let mut jobs = None;
    let (mut stated, mut in_jobs) = (false, 0_usize);
    let mut names = 0_usize;
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let words = line.split(" #").next().unwrap_or_default().trim_end();
        let indent = words.len() - words.trim_start().len();
        let words = words.trim_start();
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        if indent == 0 {
            inside = words == "jobs:";
            if inside {
                jobs = Some(index + 1);
            }
        } else if inside && indent == 2 && words.ends_with(':') {
            names += 1;
        }
        if let Some(value) = words.strip_prefix("permissions:") {
            if value.trim() == "write-all" {
                let place = Place { line: index + 1, column: indent + 1 };
                return Some(Problem { place, what: "may write everything".to_owned() });
            }
            stated |= indent == 0;
            in_jobs += usize::from(indent > 0);
        }
    }
    let line = jobs?;
    (!stated && in_jobs < names.max(1)).then(|| {
        let place = Place { line, column: 1 };
        Problem { place, what: "sets no `permissions`, so jobs get the repository's defaults".to_owned() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(step: &str) -> Vec<ActionProblem> {
        let text = format!("jobs:\n  test:\n    steps:\n{step}\n");
        actions(&text).into_iter().map(|(problem, _)| problem).collect()
    }

    #[test]
    fn an_action_is_pinned_by_a_digest_with_its_version() {
        let digest = "b4ffde65f46336ab88eb53be808477a3936bae11";
        assert_eq!(kinds("      - uses: actions/checkout@v4"), [ActionProblem::Unpinned]);
        assert_eq!(kinds(&format!("      - uses: actions/checkout@{digest} # v4.1.1")), []);
        assert_eq!(kinds(&format!("      - uses: actions/checkout@{digest}")), [ActionProblem::Unversioned]);
        assert_eq!(kinds("      - uses: vendor/custom-action@v1 # Third-party marketplace action"), []);
        assert_eq!(kinds("      # v1.2.3\n      - uses: vendor/action@v1"), [ActionProblem::Unpinned]);
        assert_eq!(kinds("      # moves on purpose\n      - uses: \"vendor/action@main\""), []);
        assert_eq!(kinds("      - uses: docker://alpine:3.8\n      - uses: ./local"), []);
    }

    #[test]
    fn what_outsiders_write_is_found_in_scripts_alone() {
        let text = "jobs:\n  a:\n    steps:\n      - run: |\n          echo \"${{ github.event.issue.title }}\"\n        env:\n          T: ${{ github.event.issue.title }}\n      - run: echo ${{ github.head_ref }}\n      - run: echo ${{ github.event.issue.number }}\n";
        let found = injections(text);
        let lines: Vec<(usize, &str)> = found.iter().map(|one| (one.place.line, one.what.as_str())).collect();
        assert_eq!(lines, [(5, "github.event.issue.title"), (8, "github.head_ref")]);
    }

    #[test]
    fn a_workflow_says_what_it_may_do() {
        assert!(permissions("on: push\njobs:\n  a:\n    steps: []\n").is_some());
        assert!(
            permissions("on: push\npermissions:\n  contents: read\njobs:\n  a:\n    steps: []\n").is_none()
        );
        assert!(permissions("on: push\njobs:\n  a:\n    permissions: {}\n    steps: []\n").is_none());
        assert_eq!(permissions("permissions: write-all\njobs:\n  a:\n").map(|one| one.place.line), Some(1));
        // An action has no jobs.
        assert!(permissions("name: x\nruns:\n  using: composite\n").is_none());
    }
}
