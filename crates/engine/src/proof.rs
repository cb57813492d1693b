//! The second key: where a grant is about to be given, the prover is asked as well.

use hookgate_agents::{Event, Map, Value};
use hookgate_effects::{Effects, EntryKind};
use hookgate_policy::Level;
use hookgate_prover::{Files, Ground, MAXIMUM_LISTED, Refusal, prove_tool};
use hookgate_shell::Span;

use crate::input::At;
use crate::{Finding, Host, Source};

/// Proves that the call is of known kinds throughout. What the person's own rules allow stands for itself; the text around
/// it is proven.
pub(crate) fn prove(
    at: &At<'_>,
    event: &Event,
    effects: &Effects,
    findings: &[Finding],
) -> Result<(), Refusal> {
    let Some(call) = event.tool() else { return Ok(()) };
    let own: Vec<&Finding> = findings
        .iter()
        .filter(|finding| {
            finding.level == Level::Allow && finding.applies() && finding.source != Source::BuiltIn
        })
        .collect();
    let places = at.places;
    let ground = Ground {
        cwd: &places.cwd,
        home: &places.home,
        project: &places.project,
        also_project: &places.also_project,
        temporary: &places.temporary,
        path: &at.host.search_path(),
        named_exist: at.host.assume_present(),
        code: at.policy.level("DEV002") == Level::Allow,
        granted: &spans(&own, effects),
        files: &Machine(at.host),
    };
    let mut fields = Vec::new();
    texts(&call.input, &mut fields);
    let fields: Vec<(&str, &str)> = fields.iter().map(|(key, text)| (*key, text.as_str())).collect();
    match prove_tool(&call.name, &fields, &ground) {
        // Another tool has no parts: an own rule about it is about all of it.
        Err(_) if !own.is_empty() && !runs_text(&fields) => Ok(()),
        proven => proven,
    }
}

/// The largest settings of a tool that are looked through, in bytes.
const LARGEST_SETTINGS: usize = 256 * 1024;

/// The machine's files, as the prover asks for them.
struct Machine<'a>(&'a dyn Host);

impl Files for Machine<'_> {
    fn resolve(&self, path: &str) -> Option<String> {
        self.0.resolve(path)
    }

    fn names(&self, path: &str, most: usize) -> Vec<String> {
        self.0.list(path, most)
    }

    fn list(&self, path: &str) -> Vec<String> {
        self.0.list(path, MAXIMUM_LISTED)
    }

    fn is_there(&self, path: &str) -> bool {
        self.0.entry(path).is_some()
    }

    fn can_enter(&self, path: &str) -> bool {
        self.0.entry(&format!("{}/.", path.trim_end_matches('/'))).is_some()
    }

    fn staged(&self, directory: &str, paths: &[String], known: bool) -> Option<Vec<String>> {
        let found = self.0.additions(directory, paths, known)?;
        Some(found.into_iter().map(|addition| addition.path).collect())
    }

    fn knows_dashes(&self, directory: &str) -> bool {
        let above = |path: &str| Some(path.rsplit_once('/')?.0.to_owned());
        let mut around = std::iter::successors(Some(directory.to_owned()), |path| above(path));
        match self.0.git_tracked(directory) {
            Some(known) => known.iter().any(|path| path.split('/').any(|part| part.starts_with('-'))),
            // A repository that can't be read, or none.
            None => around.any(|path| self.is_there(&format!("{path}/.git"))),
        }
    }

    fn has_hook(&self, directory: &str, name: Option<&str>) -> bool {
        self.0.has_hook(directory, name)
    }

    fn text(&self, path: &str) -> Option<String> {
        let bytes = self.0.read(path, LARGEST_SETTINGS)?;
        String::from_utf8(bytes).ok()
    }

    fn holds_repositories(&self, directory: &str) -> bool {
        self.0.holds_repositories(directory)
    }

    fn is_link(&self, path: &str) -> bool {
        self.0.entry(path).is_some_and(|entry| entry.kind == EntryKind::Link)
    }
}

/// Is one of the fields a text that a shell runs?
fn runs_text(fields: &[(&str, &str)]) -> bool {
    fields.iter().any(|(key, _)| matches!(*key, "command" | "cmd"))
}

/// The commands that these findings are about.
fn spans(findings: &[&Finding], effects: &Effects) -> Vec<Span> {
    let mut spans: Vec<Span> = findings.iter().map(|finding| finding.span).collect();
    for index in findings.iter().flat_map(|finding| &finding.effects) {
        let call = effects.effects.get(*index).and_then(|effect| effect.call);
        spans.extend(call.and_then(|call| effects.calls.get(call)).map(|call| call.span));
    }
    spans
}

/// Every text, number and switch of a tool's input, by its key.
fn texts<'a>(input: &'a Map, found: &mut Vec<(&'a str, String)>) {
    for (key, value) in input {
        value_texts(key, value, found);
    }
}

fn value_texts<'a>(key: &'a str, value: &'a Value, found: &mut Vec<(&'a str, String)>) {
    match value {
        Value::Null => {}
        Value::String(text) => found.push((key, text.clone())),
        Value::Bool(_) | Value::Number(_) => found.push((key, value.to_string())),
        Value::Array(values) => values.iter().for_each(|value| value_texts(key, value, found)),
        Value::Object(map) => texts(map, found),
    }
}
