//! `[[lint]]`.

use std::ops::Range;
use std::time::Duration;

use hookgate_knowledge::shipped;
use hookgate_lint::{Output, Shape};
use toml::de::DeTable;

use super::reader::{Item, Reader};
use crate::event_set::EventSet;
use crate::glob::Glob;
use crate::hook::HookProgram;
use crate::keys;
use crate::level::Level;
use crate::lint::{Delegate, Lint, LintPhases, LintTool};
use crate::pattern::PathPattern;

/// What a delegate gets that names no deadline.
const DELEGATE_DEADLINE: Duration = Duration::from_secs(120);

impl Reader<'_> {
    pub(super) fn lint(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Lint> {
        let told = self.diagnostics.len();
        let mut lint = Lint::new(self.source.kind);
        let (mut run, mut output) = (None, None);
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "on" => lint.on = self.lint_events(item),
                "files" => lint.files = self.lint_files(item),
                "use" => {
                    let known = self.linters(item, "lint.use");
                    lint.tools.extend(known.into_iter().map(LintTool::Known));
                }
                "run" => run = self.program(item, "lint.run"),
                "output" => output = self.output(item),
                "phases" => lint.phases = self.phases(item),
                "level" => {
                    let levels = [Level::Note, Level::Warn, Level::Deny];
                    let at = self.one_of(item, "lint.level", keys::LINT_LEVELS)?;
                    lint.level = levels.get(at).copied().unwrap_or(Level::Deny);
                }
                "deadline" => lint.deadline = self.length(item, "lint.deadline")?,
                "delegate" => self.entries(item, "lint.delegate", |reader, table, span| {
                    lint.delegates.extend(reader.delegate(table, span));
                }),
                other => self.unknown_key(name.span(), "lint", other),
            }
        }
        if self.diagnostics.len() > told {
            return None;
        }
        let lacks = |reader: &mut Self, message: &str, help: &str| {
            reader.error(span.clone(), "lint", message.to_owned(), "", Some(help.to_owned()));
        };
        match (run, output) {
            (Some(run), Some(output)) if !lint.files.is_empty() => {
                lint.tools.push(LintTool::Own { run: words(run), output: Box::new(output) });
            }
            (Some(_), Some(_)) => {
                lacks(self, "a program of your own without `files`", "name the files that it reads");
                return None;
            }
            (Some(_), None) => {
                let help = "add `output = { shape = \"sarif\" }`, or another shape";
                lacks(self, "a program of your own without `output`", help);
                return None;
            }
            (None, Some(_)) => lacks(self, "`output` without `run`", "linters in `use` have their own"),
            (None, None) => {}
        }
        if lint.tools.is_empty() {
            lacks(self, "an entry without linters", "add `use`, or `run` with `output`");
            return None;
        }
        Some(lint)
    }

    fn lint_events(&mut self, item: &Item<'_>) -> EventSet {
        let mut set = EventSet::NONE;
        for (name, item) in self.texts(item, "lint.on").unwrap_or_default() {
            match EventSet::from_name(name).filter(|_| keys::LINT_EVENTS.contains(&name)) {
                Some(event) => set = set.union(event),
                None => self.unknown_value(item.span(), "lint.on", name, keys::LINT_EVENTS.iter().copied()),
            }
        }
        set
    }

    fn lint_files(&mut self, item: &Item<'_>) -> Vec<PathPattern> {
        let mut files = Vec::new();
        for (text, item) in self.texts(item, "lint.files").unwrap_or_default() {
            match PathPattern::parse(text) {
                Ok(pattern) => files.push(pattern),
                Err(error) => {
                    let message = format!("`{text}` {}", error.message);
                    self.error(item.span(), "lint.files", message, "", None);
                }
            }
        }
        files
    }

    fn phases(&mut self, item: &Item<'_>) -> LintPhases {
        let mut phases = LintPhases { format: false, fix: false, check: false };
        for (name, item) in self.texts(item, "lint.phases").unwrap_or_default() {
            match name {
                "format" => phases.format = true,
                "fix" => phases.fix = true,
                "check" => phases.check = true,
                _ => {
                    let known = keys::LINT_PHASES.iter().copied();
                    self.unknown_value(item.span(), "lint.phases", name, known);
                }
            }
        }
        phases
    }

    fn output(&mut self, item: &Item<'_>) -> Option<Output> {
        let mut found: Vec<(String, String)> = Vec::new();
        for (name, value) in self.table(item, "lint.output")? {
            let key = match name.get_ref().as_ref() {
                "shape" => {
                    let at = self.one_of(value, "lint.output.shape", keys::LINT_SHAPES)?;
                    found.push(("shape".to_owned(), keys::LINT_SHAPES.get(at).copied()?.to_owned()));
                    continue;
                }
                "pattern" => "lint.output.pattern",
                "items" => "lint.output.items",
                "file" => "lint.output.file",
                "line" => "lint.output.line",
                "column" => "lint.output.column",
                "code" => "lint.output.code",
                "message" => "lint.output.message",
                other => {
                    self.unknown_key(name.span(), "lint.output", other);
                    continue;
                }
            };
            found.push((name.get_ref().to_string(), self.owned(value, key)?));
        }
        let output = Output::of(|key| {
            let (_, text) = found.iter().find(|(name, _)| name == key)?;
            Some(vec![text.clone()])
        });
        // Compiling a pattern costs more than a hook may: it is tried where a person looks at the file.
        let is_left =
            matches!(output.shape, Some(Shape::Pattern(_))) && self.check == super::reader::Check::Quick;
        if let Some(problem) = output.problem().filter(|_| !is_left) {
            self.error(item.span(), "lint.output", problem, "", None);
            return None;
        }
        Some(output)
    }

    fn delegate(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Delegate> {
        let mut delegate =
            Delegate { run: Vec::new(), codes: Vec::new(), at_least: 1, deadline: DELEGATE_DEADLINE };
        let (mut model, mut turns) = (None, 10);
        let mut agent = None;
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "agent" => {
                    let at = self.one_of(item, "lint.delegate.agent", keys::LINT_DELEGATES)?;
                    agent = keys::LINT_DELEGATES.get(at).copied();
                }
                "run" => delegate.run = words(self.program(item, "lint.delegate.run")?),
                "model" => model = self.owned(item, "lint.delegate.model"),
                "turns" => turns = self.count(item, "lint.delegate.turns")?,
                "at-least" => delegate.at_least = self.count(item, "lint.delegate.at-least")?,
                "codes" => {
                    for (text, item) in self.texts(item, "lint.delegate.codes")? {
                        match Glob::parse(text) {
                            Ok(glob) => delegate.codes.push(glob),
                            Err(error) => {
                                let message = format!("`{text}` {}", error.message);
                                self.error(item.span(), "lint.delegate.codes", message, "", None);
                            }
                        }
                    }
                }
                "deadline" => delegate.deadline = self.length(item, "lint.delegate.deadline")?,
                other => self.unknown_key(name.span(), "lint.delegate", other),
            }
        }
        if let Some(agent) = agent {
            let row = shipped().table(&format!("delegates/{agent}/run"));
            let model = model.unwrap_or_else(|| "haiku".to_owned());
            let fill = |word: &str| word.replace("{model}", &model).replace("{turns}", &turns.to_string());
            delegate.run =
                row.find("command").into_iter().flat_map(hookgate_knowledge::Row::cells).map(fill).collect();
        }
        if delegate.run.is_empty() {
            let help = Some("add `agent` or `run`".to_owned());
            self.error(span, "lint.delegate", "a delegate without a program", "", help);
            return None;
        }
        Some(delegate)
    }
}

fn words(program: HookProgram) -> Vec<String> {
    match program {
        HookProgram::Shell(text) => vec!["sh".to_owned(), "-c".to_owned(), text],
        HookProgram::Arguments(words) => words,
    }
}
