//! Program texts on the command line, and what lies beside them.

use hookgate_shell::Span;

use super::Argument;
use crate::state::Value;
use crate::statements::{Input, Prover};
use crate::table::{Row, is_listed, names};
use crate::{Proven, javascript, python, refuse};

impl Prover<'_> {
    /// A program text on standard input or behind `-c`, in a language that is read here.
    pub(super) fn inline(
        &mut self,
        name: &str,
        row: &Row,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Proven<()>> {
        match row.language? {
            "javascript" => self.javascript(arguments, span),
            _ => self.python(name, arguments, span),
        }
    }

    /// `node -e TEXT WORDS`, `node -p TEXT`
    fn javascript(&mut self, arguments: &[Argument], span: Span) -> Option<Proven<()>> {
        let text = match arguments {
            [] if self.input == Input::Fed => self.fed.clone(),
            [(dash, _), ..] if dash.known() == Some("-") && self.input == Input::Fed => self.fed.clone(),
            [(option, _), (text, _), words @ ..]
                if option.known().is_some_and(|option| is_listed("javascript-evaluates", option)) =>
            {
                // Node takes options behind the text too.
                if let Some((_, at)) = words.iter().find(|(value, _)| value.can_be_option()) {
                    return Some(refuse("a word that may turn into an option of `node`", *at));
                }
                text.known().map(str::to_owned)
            }
            _ => return None,
        };
        let Some(text) = text else { return Some(refuse("a program text that is computed", span)) };
        Some(match javascript::read(&text) {
            Err(reason) => refuse(reason, span),
            Ok(found) => found
                .files
                .iter()
                .try_for_each(|file| self.reads(&Value::of(file.clone()), span))
                .and_then(|()| found.modules.iter().try_for_each(|file| self.loads_data(file, span))),
        })
    }

    /// A file of data that Node loads like a module. Where it isn't there, or is a directory, code of that name would be run.
    fn loads_data(&mut self, file: &str, span: Span) -> Proven<()> {
        let paths = self.absolute(file);
        let code = |path: &String| {
            let beside = |ending: &str| self.ground.files.is_there(&format!("{path}{ending}"));
            let files = self.ground.files;
            // Of a link Node looks at the ending that it leads to.
            files.can_enter(path) || files.is_link(path) || names("javascript-module-endings").any(beside)
        };
        if paths.is_empty() || self.deeds.brought || !self.deeds.written.is_empty() || paths.iter().any(code)
        {
            return refuse("a file of data in whose place Node may find code", span);
        }
        for path in paths {
            for ending in names("javascript-module-endings") {
                self.deeds.loaded.push((format!("{path}{ending}"), span));
            }
        }
        self.reads(&Value::of(file), span)
    }

    fn python(&mut self, name: &str, arguments: &[Argument], span: Span) -> Option<Proven<()>> {
        let plain =
            |value: &Value| matches!(value.known(), Some("-u" | "-B" | "-I" | "-P" | "-E" | "-s" | "-S"));
        let apart = |(value, _): &Argument| matches!(value.known(), Some("-I" | "-P"));
        let alone = arguments.iter().take_while(|(value, _)| plain(value)).any(apart);
        let arguments = arguments.iter().skip_while(|(value, _)| plain(value)).collect::<Vec<_>>();
        let fed = !matches!(arguments.as_slice(), [(option, _), ..] if option.known() == Some("-c"));
        let text = match arguments.as_slice() {
            [] if self.input == Input::Fed => self.fed.clone(),
            [(dash, _), ..] if dash.known() == Some("-") && self.input == Input::Fed => self.fed.clone(),
            [(option, _), (text, _), ..] if option.known() == Some("-c") => text.known().map(str::to_owned),
            [(option, _), (module, _), files @ ..]
                if option.known() == Some("-m") && module.known() == Some("json.tool") =>
            {
                return Some(
                    self.beside(&["json".to_owned()], alone, span).and_then(|()| self.json_tool(files)),
                );
            }
            _ => return None,
        };
        let Some(text) = text else { return Some(refuse("a program text that is computed", span)) };
        Some(match python::read(&text, !super::is_python_3(name)) {
            Err(reason) => refuse(reason, span),
            Ok(found) => self.beside(&found.modules, alone, span).and_then(|()| self.does(&found, fed, span)),
        })
    }

    /// What a program text reads, writes and runs, in whatever order.
    fn does(&mut self, found: &python::Found, fed: bool, span: Span) -> Proven<()> {
        // Each may come before the others.
        let turns = if found.commands.is_empty() { 1 } else { 2 };
        for _ in 0..turns {
            found.files.iter().try_for_each(|file| self.reads(&Value::of(file.clone()), span))?;
            found.written.iter().try_for_each(|file| self.writes(&Value::of(file.clone()), span))?;
            for words in &found.commands {
                self.runs_words(words, fed, span)?;
            }
        }
        Ok(())
    }

    /// A program that another program's text runs, without a shell.
    fn runs_words(&mut self, words: &[Value], fed: bool, span: Span) -> Proven<()> {
        let words: Vec<Argument> = words.iter().map(|word| (word.clone(), span)).collect();
        if let Some((word, _)) = words.first()
            && word.known().is_none_or(|name| is_listed("shell-words", name) || name.contains('/'))
        {
            return refuse("a program that Python runs by a name that isn't plain", span);
        }
        // A text on standard input was read to its end.
        let input = if fed { Input::Own } else { self.input };
        let before = std::mem::replace(&mut self.input, input);
        let proven = self.unordered(|prover| prover.call(&words, span));
        self.input = before;
        proven
    }

    /// `python -m json.tool IN OUT`
    fn json_tool(&mut self, words: &[&Argument]) -> Proven<()> {
        let mut operands = Vec::new();
        let mut words = words.iter();
        while let Some((value, at)) = words.next() {
            match value.known() {
                Some("--indent") => drop(words.next()),
                Some(flag) if is_listed("json-tool-flags", flag) => {}
                Some("-") => operands.push(None),
                _ if value.can_be_option() => {
                    return refuse("an option of `json.tool` that is not reviewed", *at);
                }
                _ => operands.push(Some((value, *at))),
            }
        }
        match operands.as_slice() {
            [Some((file, at))] => self.reads(file, *at),
            [from, Some((to, at))] => {
                if let Some((file, at)) = from {
                    self.reads(file, *at)?;
                }
                self.writes(to, *at)
            }
            _ => Ok(()),
        }
    }

    /// No file beside the text may stand in for a module.
    fn beside(&mut self, modules: &[String], alone: bool, span: Span) -> Proven<()> {
        if alone {
            return Ok(());
        }
        // Modules load others of the library, and Python looks for each of them here first.
        if self.deeds.brought || self.state.directories.iter().any(|directory| self.shadows(directory)) {
            return refuse("a file here may stand in for a module of Python's library", span);
        }
        // What the text writes may be such a file.
        self.deeds.imported = self.deeds.imported.or(Some(span));
        self.touches_project();
        for directory in &self.state.directories {
            for module in modules {
                let there = |path: &str| self.ground.files.is_there(path);
                let loaded = names("python-module-endings")
                    .any(|ending| there(&format!("{directory}/{module}.{ending}")));
                if loaded || there(&format!("{directory}/{module}")) {
                    return refuse(format!("a file here stands in for Python's module `{module}`"), span);
                }
            }
        }
        if self.state.directories.is_empty() {
            refuse("Python in a directory that isn't known", span)
        } else {
            Ok(())
        }
    }

    /// Does a file or a package in the directory bear the name of one of Python's own modules?
    fn shadows(&self, directory: &str) -> bool {
        let files = self.ground.files.list(directory);
        // More may be cut off.
        files.len() >= crate::MAXIMUM_LISTED
            || files.iter().any(|name| {
                let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
                let loaded = names("python-module-endings").any(|known| ending.ends_with(known));
                let package = |ending: &str| {
                    self.ground.files.is_there(&format!("{directory}/{name}/__init__.{ending}"))
                };
                // The library's own names change with its version, but for how they begin.
                let own = stem.starts_with('_') && !is_listed("python-names-of-packages", stem);
                (own || is_listed("python-own-modules", stem))
                    && (loaded || names("python-module-endings").any(package))
            })
    }
}
