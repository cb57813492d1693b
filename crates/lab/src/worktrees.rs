//! Worktrees: the client makes them itself unless a hook answers for them.

use crate::scenarios::{Scenario, holds};
use crate::{Lab, Turn};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "a policy without a word on worktrees leaves the client to make them", run: left_alone },
    Scenario { name: "a worktree is where the policy says, and a refused one isn't made", run: named },
];

fn left_alone(lab: &Lab) -> Result<(), String> {
    let policy = "presets = [\"recommended\"]\n\n[[notify]]\non = \"WorktreeCreate\"\nby = \"bell\"\n";
    let session = lab.session(policy, vec![Turn::runs("touch passed")])?.committed()?;
    let outcome = session.arguments(&["--worktree", "fine"]).bash_is_allowed().run()?;
    holds(outcome.made(".claude/worktrees/fine/passed"), "the tool to run in the worktree", &outcome)
}

const NAMED: &str = r#"
presets = ["recommended"]

[[rule]]
code = "LAB401"
on = "WorktreeCreate"
set = { worktree-path = "elsewhere" }

[[rule]]
code = "LAB402"
on = "WorktreeCreate"
when = { field = { name = "forbidden" } }
then = "deny"
reason = "no such worktree in the lab"
"#;

fn named(lab: &Lab) -> Result<(), String> {
    let run = |name: &str| {
        let session = lab.session(NAMED, vec![Turn::runs("touch passed")])?.worktree("elsewhere")?;
        session.arguments(&["--worktree", name]).bash_is_allowed().run()
    };
    let outcome = run("fine")?;
    holds(outcome.made("elsewhere/passed"), "the tool to run where the policy says", &outcome)?;
    let outcome = run("forbidden")?;
    holds(outcome.requests == 0 && !outcome.made("passed"), "nothing to run", &outcome)?;
    holds(!outcome.made("elsewhere/passed"), "nothing to run elsewhere", &outcome)
}
