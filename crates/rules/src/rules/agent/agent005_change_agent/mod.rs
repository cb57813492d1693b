//! AGENT005: an agent's process is ended, or its program is changed.

use hookgate_effects::{Kind, Traits, is_agent};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "AGENT005",
    name: "change-agent",
    summary: "an agent's process is ended, or its program is changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES.and(Kinds::of(&[Kind::Kill, Kind::Install, Kind::InstallGlobal, Kind::Uninstall])),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    if seen.effect.kind == Kind::Kill {
        let ended = seen.name().is_some_and(|name| name == "$PPID" || is_agent(name));
        return ended.then(|| {
            seen.hit("kills an agent's process").fix("let the agent end its turn, or ask the user")
        });
    }
    if let Some(path) = seen.path() {
        let program = path.path.rsplit('/').next().is_some_and(is_agent);
        return (program && path.traits.contains(Traits::PROGRAMS)).then(|| {
            seen.hit(say!("{} {}, an agent's program", seen.verb(), seen.target("a file")))
                .fix("ask the user to change it")
        });
    }
    seen.name().is_some_and(is_agents_package).then(|| {
        seen.hit(say!("changes {}, an agent's program", seen.target("a package")))
            .fix("ask the user to install it")
    })
}

/// `@scope/NAME@VERSION`.
fn is_agents_package(package: &str) -> bool {
    let name = package.rsplit('/').next().unwrap_or(package);
    is_agent(name.split(['@', '=', ':']).next().unwrap_or(name))
}
