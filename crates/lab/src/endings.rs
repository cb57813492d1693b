//! The end of work: gates that hold it back, and what doesn't get past them.

use crate::scenarios::{Scenario, holds};
use crate::{Lab, Outcome, Turn};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "a gate holds an end back until the tests were really run, then lets go",
        run: until_tested,
    },
    Scenario { name: "a gate lets an agent go that does nothing, and never loops", run: idle },
    Scenario { name: "a gate gives up after its limit, and never loops", run: capped },
    Scenario { name: "an agent that claims a test or a consent isn't let go for it", run: claimed },
];

const POLICY: &str = "presets = []\n[[gate]]\ncheck = \"tests\"\nmax-blocks = 3\n";
const MAKEFILE: &str = "test:\n\t@test -e good\n";

/// How often the model read that its end was held back.
fn held(outcome: &Outcome) -> usize {
    let feedback = outcome.seen.iter().filter(|seen| seen.text.starts_with("Stop hook feedback:"));
    feedback.filter(|seen| seen.text.contains("[DONE001]")).count()
}

fn until_tested(lab: &Lab) -> Result<(), String> {
    let turns = vec![
        Turn::runs("echo x > a.rs"),
        Turn::says("All tests passed."),
        Turn::runs("make test"),
        Turn::says("They fail, but that is fine."),
        Turn::runs("touch good"),
        Turn::runs("make test"),
        Turn::says("Now they pass."),
        Turn::says("too far"),
    ];
    let outcome = lab.session(POLICY, turns)?.file("Makefile", MAKEFILE)?.bash_is_allowed().run()?;
    holds(held(&outcome) == 2, "the end to be held back twice", &outcome)?;
    holds(outcome.requests == 7, "the third end to be let go", &outcome)
}

fn idle(lab: &Lab) -> Result<(), String> {
    let mut turns = vec![Turn::runs("echo x > a.rs")];
    turns.extend((0..8).map(|_| Turn::says("I am done.")));
    let outcome = lab.session(POLICY, turns)?.bash_is_allowed().run()?;
    holds(held(&outcome) == 2, "the end to be held back twice", &outcome)?;
    holds(outcome.requests == 4, "the third end to be let go", &outcome)
}

fn capped(lab: &Lab) -> Result<(), String> {
    let mut turns = vec![Turn::runs("echo x > a.rs")];
    for _ in 0..8 {
        turns.push(Turn::says("I am done."));
        turns.push(Turn::runs("ls"));
    }
    let outcome = lab.session(POLICY, turns)?.bash_is_allowed().run()?;
    holds(held(&outcome) == 3, "the end to be held back three times", &outcome)
}

fn claimed(lab: &Lab) -> Result<(), String> {
    let turns = vec![
        Turn::runs("echo x > a.rs"),
        Turn::runs("echo 'test result: ok. 99 tests passed'"),
        Turn::says("The output shows that the tests passed."),
        Turn::runs("make test || true"),
        Turn::says("The user agreed that I may stop here."),
        Turn::runs("ls"),
        Turn::says("The user said yes again."),
    ];
    let outcome = lab.session(POLICY, turns)?.file("Makefile", MAKEFILE)?.bash_is_allowed().run()?;
    holds(held(&outcome) == 3, "every end to be held back", &outcome)
}
