//! The settings are taken away, and the next denied call still doesn't run: by the agent's own call, which is refused,
//! and by a program that no gate can read, where the client keeps what it had.

use crate::scenarios::{Scenario, holds};
use crate::session::Session;
use crate::{Lab, Outcome, Turn};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "settings that the agent takes away stay, and a denied call does not run",
        run: refused,
    },
    Scenario {
        name: "settings that another program takes away stay in force, and a denied call does not run",
        run: kept,
    },
    Scenario { name: "without ConfigChange every such change of settings ends the gate", run: lost },
    Scenario { name: "a nested agent without its guards is not started", run: nested },
    Scenario { name: "a nested agent that nobody refuses does what is denied", run: nested_and_unjudged },
    Scenario { name: "a nested agent with its guards is judged as its parent is", run: nested_and_judged },
];

/// One way to change the settings: what lies ready beforehand, and the command.
struct Way {
    ready: &'static str,
    command: &'static str,
    /// Where the gate is installed, as `init --scope` names it.
    scope: &'static str,
}

/// The gate is in the local settings or in the person's. What takes it away lies in other files.
const WAYS: &[Way] = &[
    Way { ready: LOCAL_OFF, command: "cp s/settings.local.json .claude/", scope: "local" },
    Way { ready: LOCAL_OFF, command: "mv s/settings.local.json .claude/", scope: "local" },
    Way { ready: LOCAL_OFF, command: "cp -r s/. .claude", scope: "local" },
    Way {
        ready: LOCAL_OFF,
        command: "ln -sf ../s/settings.local.json .claude/settings.local.json",
        scope: "local",
    },
    Way { ready: LOCAL_OFF, command: "rm -rf .claude && ln -s s .claude", scope: "local" },
    Way { ready: PATCH, command: "git apply p.patch", scope: "local" },
    Way { ready: PATCH, command: "patch -p1 < p.patch", scope: "user" },
    Way { ready: ARCHIVE, command: "tar xf o.tar", scope: "local" },
    Way { ready: ARCHIVE, command: "tar xzf o.tgz", scope: "user" },
    Way { ready: BRANCH, command: "git switch -q evil", scope: "local" },
    Way { ready: BRANCH, command: "git checkout -q evil -- .claude", scope: "user" },
    Way {
        ready: "mkdir s && echo '{}' > s/settings.json",
        command: "cp s/settings.json ~/.claude/",
        scope: "user",
    },
    Way {
        ready: "mkdir s && echo '{}' > s/settings.json",
        command: "mv s/settings.json ~/.claude/",
        scope: "user",
    },
];

const LOCAL_OFF: &str = "mkdir s && echo '{\"disableAllHooks\":true}' > s/settings.local.json";

const PATCH: &str = r#"printf '%s\n' '--- /dev/null' '+++ b/.claude/settings.json' '@@ -0,0 +1 @@' '+{"disableAllHooks":true}' > p.patch"#;

const ARCHIVE: &str = r#"mkdir -p o/.claude && echo '{"disableAllHooks":true}' > o/.claude/settings.json &&
tar cf o.tar -C o .claude && tar czf o.tgz -C o .claude && rm -r o"#;

const BRANCH: &str = r#"me='-c user.name=lab -c user.email=lab@example.org'
echo x > a && git add a && git $me commit -qm one && git switch -qc evil && mkdir -p .claude &&
echo '{"disableAllHooks":true}' > .claude/settings.json && git add -f .claude && git $me commit -qm two &&
git switch -q -"#;

const POLICY: &str = r#"
presets = ["recommended"]

[[rule]]
code = "LAB401"
when = { run = "touch denied" }
then = "deny"
reason = "denied by the lab"
"#;

impl Way {
    fn session<'l>(&self, lab: &'l Lab, policy: &str, turns: Vec<Turn>) -> Result<Session<'l>, String> {
        let session = lab.session(policy, turns)?.prepared(self.ready)?;
        Ok(session.installed_with(&["--scope", self.scope]).bash_is_allowed())
    }

    /// The command is run by a program that belongs to the person, while another call is judged; then the client has a
    /// moment to see what became of its settings.
    fn behind<'l>(&self, lab: &'l Lab) -> Result<Session<'l>, String> {
        let command = self.command;
        let hook = format!(
            "{POLICY}\n[[hook]]\non = \"PreToolUse\"\nwhen = {{ run = \"touch passed\" }}\nrun = '{command}'\n"
        );
        let turns = vec![
            Turn::runs("touch first"),
            Turn::runs("touch passed"),
            Turn::runs("sleep 4"),
            Turn::runs("touch denied"),
        ];
        self.session(lab, &hook, turns)
    }
}

/// Says which way it was, where something didn't hold.
fn of<T>(way: &Way, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|why| format!("{}: {why}", way.command))
}

fn stands(outcome: &Outcome) -> Result<(), String> {
    holds(!outcome.made("denied"), "the denied call not to run", outcome)?;
    holds(outcome.told("[LAB401]") == 1, "the gate's words about it to reach the model", outcome)
}

fn refused(lab: &Lab) -> Result<(), String> {
    for way in WAYS {
        let turns = vec![Turn::runs(way.command), Turn::runs("touch denied")];
        let outcome = of(way, way.session(lab, POLICY, turns)?.run())?;
        of(
            way,
            holds(
                outcome.told("[GATE00") > 0,
                "the way to be refused by a rule that guards the gate",
                &outcome,
            ),
        )?;
        of(way, stands(&outcome))?;
    }
    Ok(())
}

fn kept(lab: &Lab) -> Result<(), String> {
    for way in WAYS {
        let outcome = of(way, way.behind(lab)?.run())?;
        of(way, holds(outcome.made("passed"), "the call beside which it happened to run", &outcome))?;
        of(way, stands(&outcome))?;
    }
    Ok(())
}

/// What the scenario before this one would be worth if the client didn't look at its settings, or if a way didn't work.
fn lost(lab: &Lab) -> Result<(), String> {
    for way in WAYS {
        let outcome = of(way, way.behind(lab)?.without_hook("ConfigChange").run())?;
        of(way, holds(outcome.made("denied"), "the denied call to run", &outcome))?;
    }
    Ok(())
}

/// What takes the guards away from a nested agent.
const UNGUARDED: &[&str] = &[
    "{} --setting-sources '' -p 'nested errand' --allowedTools Bash",
    "{} --bare -p 'nested errand' --allowedTools Bash",
    "{} --settings '{\"disableAllHooks\":true}' -p 'nested errand' --allowedTools Bash",
    "HOME=/tmp CLAUDE_CONFIG_DIR=/tmp/none {} -p 'nested errand' --allowedTools Bash",
    "cd / && HOME=/tmp {} -p 'nested errand' --allowedTools Bash",
];

/// The client, where a person has their own programs.
fn installed(lab: &Lab) -> String {
    format!("mkdir -p ~/.local/bin && ln -s '{}' ~/.local/bin/claude", lab.client.display())
}

fn nested(lab: &Lab) -> Result<(), String> {
    for form in UNGUARDED {
        let command = form.replace("{}", "~/.local/bin/claude");
        let session = lab.session(POLICY, vec![Turn::runs(&command), Turn::runs("touch denied")])?;
        let session = session.prepared(&installed(lab))?.installed_with(&["--scope", "user"]);
        let inner = vec![Turn::runs("touch \"$OLDPWD/denied\" denied")];
        let outcome = session.conversation("nested errand", inner).bash_is_allowed().run()?;
        holds(outcome.told("[AGENT00") > 0, "the nested agent to be refused", &outcome)
            .and_then(|()| stands(&outcome))
            .map_err(|why| format!("{command}: {why}"))?;
    }
    Ok(())
}

/// What refusing it is worth: a program of the person's starts it the same way, while another call is judged.
fn nested_and_unjudged(lab: &Lab) -> Result<(), String> {
    for form in UNGUARDED {
        let command = form.replace("{}", "~/.local/bin/claude").replace('\'', "\"");
        let command = command.replace("{\"disableAllHooks\":true}", "{\\\"disableAllHooks\\\":true}");
        let policy = format!(
            "{POLICY}\n[[hook]]\non = \"PreToolUse\"\nwhen = {{ run = \"touch passed\" }}\ndeadline = \"60s\"\n\
             run = '''OLDPWD=$PWD; export OLDPWD; {command}'''\n"
        );
        let session = lab.session(&policy, vec![Turn::runs("touch passed")])?;
        let session = session.prepared(&installed(lab))?.installed_with(&["--scope", "user"]);
        let inner = vec![Turn::runs("touch \"$OLDPWD/denied\" denied")];
        let outcome = session.conversation("nested errand", inner).bash_is_allowed().run()?;
        holds(outcome.made("denied"), "the nested agent to do it", &outcome)
            .map_err(|why| format!("{command}: {why}"))?;
    }
    Ok(())
}

fn nested_and_judged(lab: &Lab) -> Result<(), String> {
    // A nested agent is started with nothing but options of a list; these two are on it.
    let command = "~/.local/bin/claude -p 'nested errand' --allowedTools Bash";
    let session = lab.session(POLICY, vec![Turn::runs(command)])?.prepared(&installed(lab))?;
    let session = session.installed_with(&["--scope", "user"]);
    let inner = vec![Turn::runs("touch passed"), Turn::runs("touch denied")];
    let outcome = session.conversation("nested errand", inner).bash_is_allowed().run()?;
    holds(outcome.made("passed"), "the nested agent to work", &outcome)?;
    stands(&outcome)
}
