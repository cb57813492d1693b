//! A made-up machine, and events on it.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "test support: each file uses its own part")]

use std::path::PathBuf;

use hookgate_agents::{CLAUDE_CODE, Event, EventName, Map, ToolCall, Value};
use hookgate_clients::{Scope, Settings, Source, missed};
use hookgate_effects::{
    Argument, Call, Certainty, Effect, Effects, Entry, EntryKind, Kind, Manner, PathFact, Place, Places,
    Target, Traits, World, of_command, of_event,
};
use hookgate_policy::{Conventions, LayerKind, Policy, Source as PolicySource, Vocabulary};
use hookgate_rules::own::Branch;
use hookgate_rules::{
    Addition, Facts, Hit, PackageFacts, ProtectedFacts, Repositories, RepositoryFacts, Rule, check,
};
use serde::Deserialize;

/// `cases.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cases {
    pub(crate) case: Vec<Case>,
}

/// One case: a command, or effects by hand.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) command: Option<String>,
    /// `KIND [TARGET] [+MARK]...`: a path, `=NAME`, `@HOST`, `?COMPUTED`.
    #[serde(default)]
    pub(crate) effects: Vec<String>,
    /// The call that has these effects: program and arguments.
    #[serde(default)]
    pub(crate) call: Vec<String>,
    /// A call of another tool: its name and its input.
    pub(crate) tool: Option<String>,
    #[serde(default)]
    pub(crate) input: Map,
    pub(crate) hit: bool,
    pub(crate) message: Option<String>,
}

impl Case {
    pub(crate) fn of_command(command: &str, hit: bool) -> Case {
        // `Edit {"file_path": …}` is a call of that tool.
        if let Some((tool, input)) = command.split_once(' ').filter(|(_, input)| input.starts_with('{')) {
            let input = serde_json::from_str(input).unwrap();
            return Case { tool: Some(tool.to_owned()), input, hit, ..Case::default() };
        }
        Case { command: Some(command.to_owned()), hit, ..Case::default() }
    }

    pub(crate) fn what(&self) -> String {
        let tool = self.tool.as_ref().map(|tool| format!("{tool} {:?}", self.input));
        self.command.clone().or(tool).unwrap_or_else(|| format!("{:?}", self.effects))
    }
}

/// An event and what it does.
pub(crate) struct Sample {
    pub(crate) event: Event,
    pub(crate) effects: Effects,
    pub(crate) places: Places,
}

/// The event of a case.
pub(crate) fn sample(case: &Case) -> Sample {
    let mut input = Map::new();
    if let Some(command) = &case.command {
        input.insert("command".to_owned(), Value::String(command.clone()));
    }
    let call = match &case.tool {
        Some(tool) => ToolCall::new(&CLAUDE_CODE, tool, case.input.clone()),
        None => ToolCall::new(&CLAUDE_CODE, "Bash", input),
    };
    let event =
        Event { cwd: "/home/dev/app".to_owned(), call: Some(call), ..Event::new(EventName::PreToolUse) };
    let places = places();
    let effects = match &case.command {
        Some(command) => of_command(command, &places, &Machine),
        None if case.tool.is_some() => of_event(&event, &places, &Machine),
        None => by_hand(case),
    };
    Sample { event, effects, places }
}

/// A machine on which every path that a case names exists, and two scripts can be read.
struct Machine;

impl World for Machine {
    fn variable(&self, name: &str) -> Option<String> {
        match name {
            "HOME" => Some("/home/dev".to_owned()),
            "PATH" => Some("/home/dev/.local/bin:/usr/local/bin:/usr/bin:/bin".to_owned()),
            _ => None,
        }
    }

    fn read(&self, path: &str, _limit: usize) -> Option<Vec<u8>> {
        let text = match path {
            "/home/dev/app/scripts/report.sh" => "wc -l src/main.rs\n",
            "/home/dev/app/scripts/wipe.sh" => "rm -rf ~/data\n",
            "/home/dev/app/ruff.toml" => "line-length = 88\nlint.ignore = [\"E501\"]\n",
            "/home/dev/app/pyproject.toml" => "[project]\nname = \"app\"\n\n[tool.ruff]\nline-length = 88\n",
            "/home/dev/app/tsconfig.json" => {
                "{\n  // strict, please\n  \"compilerOptions\": { \"strict\": true },\n}\n"
            }
            "/home/dev/app/settings/limits.json" => "{ \"most\": 10 }\n",
            "/home/dev/app/src/main.py" => "x = 1  # noqa: E501\n",
            _ => return None,
        };
        Some(text.as_bytes().to_vec())
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        // What lies in a directory of programs is one.
        let name = path.rsplit('/').next().unwrap_or_default();
        let kind =
            if name.contains('.') || path.strip_suffix(name).is_some_and(|above| above.ends_with("/bin/")) {
                EntryKind::File
            } else {
                EntryKind::Directory
            };
        Some(Entry { kind, size: 1 })
    }

    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }

    fn list(&self, _path: &str, _limit: usize) -> Vec<String> {
        Vec::new()
    }

    fn assume_present(&self) -> bool {
        true
    }
}

/// Two repositories: one at the project with something to stage, one below it in which nothing is staged.
impl Repositories for Machine {
    fn remotes(&self, _directory: &str) -> Option<Vec<String>> {
        Some(vec!["origin".to_owned(), "upstream".to_owned()])
    }

    fn usual_remote(&self, _directory: &str) -> Option<String> {
        Some("origin".to_owned())
    }

    fn checked_out(&self, _directory: &str) -> Branch {
        Branch::Named("feat/users".to_owned())
    }

    fn is_tag(&self, _directory: &str, name: &str) -> bool {
        name == "v1.0.0"
    }

    fn has_staged(&self, directory: &str) -> Option<bool> {
        Some(directory != "/home/dev/app/empty")
    }

    fn additions(&self, _directory: &str, paths: &[String], known: bool) -> Option<Vec<Addition>> {
        let all = [("dump.sql", 30_000_000, false), ("src/main.rs", 900, true), ("tmp/scratch.txt", 5, false)];
        let all = all.into_iter().filter(|(.., is_known)| *is_known || !known);
        let all = all.map(|(name, size, _)| Addition { path: format!("/home/dev/app/{name}"), size });
        let is_below = |path: &String, one: &Addition| {
            one.path.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        Some(all.filter(|one| paths.is_empty() || paths.iter().any(|path| is_below(path, one))).collect())
    }

    fn message_of(&self, _directory: &str, revision: &str) -> Option<String> {
        (revision == "HEAD~1").then(|| "Add users\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n".to_owned())
    }
}

/// The hits of one rule.
pub(crate) fn hits(rule: &'static Rule, sample: &Sample) -> Vec<Hit> {
    let missed = missed(&sample.event, &sample.effects, &settings(), &sample.places);
    let (policy, protect) = (policy().packages, policy().protect);
    let conventions = conventions();
    let facts = Facts {
        event: &sample.event,
        effects: &sample.effects,
        places: &sample.places,
        native: &missed,
        conventions: &conventions,
        packages: Some(PackageFacts { policy: &policy, world: &Machine }),
        protected: Some(ProtectedFacts { policy: &protect, world: &Machine }),
        repositories: Some(RepositoryFacts(&Machine)),
    };
    let mut hits = Vec::new();
    check(&facts, &mut |candidate| candidate.code == rule.code, &mut |_, hit| hits.push(hit));
    // Nobody asks git here.
    hits.retain(|hit| hit.unless_kept != Some(true));
    hits
}

/// The conventions of the made-up machine.
fn conventions() -> Conventions {
    let text = r#"
        [commit]
        sign-off = true
        signature = true
        style = "conventional"
        scope = "required"
        misplaced-scopes = ["ci", "test"]
        title-max = 50
        body-max = 72
        list-spacing = true
        forbid = ["tmp"]
        references = "forbidden"
        no-attribution = true
        identity = "Ada Lovelace <ada@example.com>"
        staged = true
        no-substitution = true

        [pull-request]
        style = "conventional"
        title-max = 50
        forbid = ["wip"]
        body = true
        sections = ["Motivation", "Tests"]
        unlabelled-bases = ["main"]
        no-attribution = true

        [issue]
        body = true
        sections = ["Steps"]

        [branch]
        types = ["feat", "fix"]
        plain = true

        [push]
        known-remote = true
        forbid-remotes = ["upstream"]
        protected = ["main", "release/*"]
        no-tags = true

        [add]
        forbid = ["tmp/"]
        max-size = "5MB"
    "#;
    let source = PolicySource { kind: LayerKind::User, path: "policy", text, trusted: true };
    let (policy, problems) = Policy::load(&[source], &Vocabulary::default(), hookgate_policy::Check::Quick);
    assert!(problems.is_empty(), "{problems:?}");
    policy.conventions
}

/// The agent's permission rules on the made-up machine.
fn settings() -> Settings {
    let text = r#"{"permissions": {"deny": ["Bash(curl:*)", "Read(./.env)"], "ask": ["Bash(git push:*)"]}}"#;
    let path = "/home/dev/.claude/settings.json".to_owned();
    Settings::read(&[Source { scope: Scope::User, path, text: text.to_owned() }])
}

/// A project that uses uv and Bun, and protects its linters' settings and some of its own.
fn policy() -> Policy {
    let text = "packages = { python = { use = \"uv\" }, javascript = { use = \"bun\" } }\n[[protect]]\nlinters = \"*\"\npaths = \"settings/*.json\"\n";
    let source = PolicySource { kind: LayerKind::User, path: "hookgate.toml", text, trusted: true };
    Policy::load(&[source], &Vocabulary::default(), hookgate_policy::Check::Quick).0
}

/// The folder of a rule's files.
pub(crate) fn folder_of(rule: &Rule) -> PathBuf {
    let module = format!("{}_{}", rule.code.to_ascii_lowercase(), rule.name.replace('-', "_"));
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("src/rules")
        .join(rule.group().to_ascii_lowercase())
        .join(module)
}

/// The examples of a rule's page: the command, and whether the rule hits.
pub(crate) fn examples(rule: &Rule) -> Vec<(String, bool)> {
    let mut examples = Vec::new();
    let mut command: Option<String> = None;
    let block =
        rule.page.split_once("```console\n").unwrap_or_else(|| panic!("{} has no examples", rule.code)).1;
    for line in block.split("```").next().unwrap().lines() {
        match (line.strip_prefix("$ "), &command) {
            (Some(text), None) => command = Some(text.to_owned()),
            (None, Some(text)) if line == "# hit" || line == "# no hit" => {
                examples.push((text.clone(), line == "# hit"));
                command = None;
            }
            _ => panic!("{}: `{line}` is neither a command nor its expectation", rule.code),
        }
    }
    assert!(command.is_none(), "{}: the last example has no expectation", rule.code);
    examples
}

/// The places of the made-up machine.
pub(crate) fn places() -> Places {
    let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    Places {
        cwd: "/home/dev/app".to_owned(),
        home: "/home/dev".to_owned(),
        project: "/home/dev/app".to_owned(),
        also_project: Vec::new(),
        temporary: owned(&["/tmp", "/var/tmp"]),
        gate: owned(&[
            "/home/dev/app/.hookgate.toml",
            "/home/dev/.config/hookgate",
            "/home/dev/.local/state/hookgate",
            "/home/dev/.local/bin/hookgate",
        ]),
        agent_settings: owned(&[
            "/home/dev/.claude/settings.json",
            "/home/dev/app/.claude/settings.json",
            "/home/dev/app/.claude/settings.local.json",
        ]),
    }
}

fn by_hand(case: &Case) -> Effects {
    let mut effects = Effects::default();
    if let Some((program, arguments)) = case.call.split_first() {
        let argument = |text: &String| Argument { text: Some(text.clone()), span: Default::default() };
        effects.calls.push(Call {
            program: program.clone(),
            word: program.clone(),
            arguments: arguments.iter().map(argument).collect(),
            listed: true,
            ..Call::default()
        });
    }
    effects.effects = case.effects.iter().map(|text| effect(text, !case.call.is_empty())).collect();
    effects
}

fn effect(text: &str, called: bool) -> Effect {
    let mut words = text.split(' ');
    let name = words.next().unwrap();
    let mut effect = Effect {
        kind: Kind::from_name(name).unwrap_or_else(|| panic!("no kind {name}")),
        target: None,
        recursive: false,
        certainty: Certainty::Certain,
        span: Default::default(),
        call: called.then_some(0),
        note: None,
        manner: Manner::default(),
    };
    let mut traits = Traits::default();
    let mut pattern = false;
    for word in words {
        let Some(mark) = word.strip_prefix('+') else {
            effect.target = Some(match (word.strip_prefix('='), word.strip_prefix('?')) {
                _ if word.starts_with('@') => Target::Host(word.trim_start_matches('@').to_owned()),
                (Some(name), _) => Target::Name(name.to_owned()),
                (_, Some(computed)) => Target::Unresolved(computed.to_owned()),
                _ => Target::Path(path(word)),
            });
            continue;
        };
        match mark {
            "recursive" => effect.recursive = true,
            "possible" => effect.certainty = Certainty::Possible,
            "pattern" => pattern = true,
            "secret" => traits = traits.union(Traits::SECRET),
            "root" => traits = traits.union(Traits::ROOT),
            "gate" => traits = traits.union(Traits::GATE),
            "settings" => traits = traits.union(Traits::AGENT_SETTINGS),
            "loads" => traits = traits.union(Traits::AGENT_LOADS),
            "configuration" => traits = traits.union(Traits::SETTINGS),
            "startup" => traits = traits.union(Traits::STARTUP),
            "git" => traits = traits.union(Traits::GIT),
            "githook" => traits = traits.union(Traits::GIT_HOOK),
            "programs" => traits = traits.union(Traits::PROGRAMS),
            mark => {
                let manner = Manner::from_name(mark).unwrap_or_else(|| panic!("no mark +{mark}"));
                effect.manner = effect.manner.and(manner);
            }
        }
    }
    if let Some(Target::Path(path)) = &mut effect.target {
        path.traits = traits;
        path.pattern = pattern;
    }
    effect
}

fn path(text: &str) -> PathFact {
    let place = [
        ("/dev/null", Place::Null),
        ("/dev/", Place::Device),
        ("/tmp", Place::Temporary),
        ("/home/dev/app", Place::Project),
        ("/home", Place::Home),
        ("/data", Place::Elsewhere),
    ]
    .into_iter()
    .find(|(prefix, _)| text.starts_with(prefix))
    .map_or(Place::System, |(_, place)| place);
    PathFact {
        path: text.to_owned(),
        real: None,
        place,
        traits: Traits::default(),
        pattern: false,
        literal: false,
    }
}
