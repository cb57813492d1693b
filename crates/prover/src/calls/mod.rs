//! Calls: a program by a name that can be trusted, with arguments that its row lists.

mod brought;
mod builtins;
mod hooks;
mod ignored;
mod inline;
mod own;
mod printed;
mod values;
mod whole;

pub(crate) use printed::prints_number;

use hookgate_shell::Span;

use crate::state::Value;
use crate::statements::{Input, Prover};
use crate::table::{Form, Row, is_listed};
use crate::{Ground, Proven, places, refuse, roles};

/// An argument and where it stands.
type Argument = (Value, Span);

impl Prover<'_> {
    /// A command: its word, then its arguments.
    pub(crate) fn call(&mut self, words: &[Argument], span: Span) -> Proven<()> {
        let Some(((word, at), arguments)) = words.split_first() else { return Ok(()) };
        let Some(written) = word.known().filter(|_| !word.splits) else {
            return refuse("a command word that is computed", *at);
        };
        let name = match written.rsplit_once('/') {
            None if self.is_found_in_project(written) => {
                return refuse(
                    format!("`{written}` is found in the project's own directory of programs"),
                    *at,
                );
            }
            None => written,
            Some((directory, name)) if holds_programs(directory, self.ground) => name,
            Some(_) if self.ground.code => return self.own_program(word, arguments, *at),
            Some(_) => return refuse(format!("`{written}` is no installed program"), *at),
        };
        self.program(name, arguments, span)
    }

    /// A program of the project by its path, or a script: code of the project.
    fn own_program(&mut self, word: &Value, arguments: &[Argument], at: Span) -> Proven<()> {
        if let Some(part) = word.text.split('/').find(|part| is_listed("borrowed-programs", part)) {
            return refuse(format!("a program below `{part}` by its path"), at);
        }
        self.script_file(word, at)?;
        self.own_arguments(arguments)?;
        self.runs_code(at)
    }

    fn program(&mut self, name: &str, arguments: &[Argument], span: Span) -> Proven<()> {
        self.repositories.clear();
        self.placed.clear();
        match name {
            "cd" => return self.change_directory(arguments, span),
            "export" | "declare" | "typeset" => {
                return self.declaration(name, arguments);
            }
            "break" | "continue" => {
                self.counts(arguments, span)?;
                self.jumps.push(self.state.clone());
            }
            counted if is_listed("takes-numbers", counted) => self.counts(arguments, span)?,
            format if is_listed("prints-numbers", format) => self.printed_numbers(arguments, span)?,
            "unset" => self.unset(arguments),
            "read" => return self.read_variables(arguments, span),
            "set" => return self.shell_options(arguments, span),
            "test" | "[" => return self.test(arguments, span),
            // It says what the name stands for and runs nothing.
            "command"
                if arguments.first().is_some_and(|(value, _)| matches!(value.known(), Some("-v" | "-V"))) =>
            {
                return Ok(());
            }
            _ => {}
        }
        if let [(only, _)] = arguments
            && matches!(only.known(), Some("--help" | "--version" | "-h" | "-V"))
            && (is_listed("tells-about-itself", name) || is_listed("tells-about-itself", plain_name(name)))
        {
            // What loads the project's code may load it before it says what it is.
            return match Row::of(name).or_else(|| Row::of(plain_name(name))) {
                Some(row) if row.code && !row.idle.contains(&only.text.as_str()) || self.loads_code(&row) => {
                    self.loads(name, span)
                }
                _ => Ok(()),
            };
        }
        let plain = plain_name(name);
        let Some(row) = Row::of(name).or_else(|| Row::of(plain).filter(|_| is_python_3(name))) else {
            return refuse(format!("`{name}` is not reviewed"), span);
        };
        if let Some(proven) = self.inline(name, &row, arguments, span) {
            return proven;
        }
        own::no_files_of_words(name, arguments)?;
        self.row(name, &row, arguments, span)
    }

    fn row(&mut self, key: &str, row: &Row, arguments: &[Argument], span: Span) -> Proven<()> {
        if !row.code && self.loads_code(row) {
            return self.row(key, &Row { code: true, ..row.clone() }, arguments, span);
        }
        if let [(only, _)] = arguments
            && only.known().is_some_and(|text| row.idle.contains(&text))
        {
            return if row.code { self.loads(key, span) } else { Ok(()) };
        }
        let written = self.deeds.written.len();
        self.listed.clear();
        if row.names {
            self.pattern = None;
            self.plain_files = false;
        }
        if row.repository {
            self.own_repository(span)?;
        }
        let mut found = Found::default();
        let mut index = 0;
        while let Some(argument) = arguments.get(index) {
            index += self.argument(
                key,
                row,
                argument,
                arguments.get(index + 1..).unwrap_or_default(),
                &mut found,
            )?;
            if found.shell {
                // What follows are the text's own parameters.
                break;
            }
            if let Some(module) = found.module.take() {
                self.loads(key, span)?;
                return self.module(&module, arguments.get(index..).unwrap_or_default(), span);
            }
            if row.subcommands
                && let Some((word, at)) = found.operands.first()
            {
                let rest = arguments.get(index..).unwrap_or_default();
                self.subcommand((key, row.code), word, *at, rest, span)?;
                return self.loads_code_elsewhere(key, row, span);
            }
            let role = row.operands.get(found.operands.len().saturating_sub(1)).copied().unwrap_or_default();
            if !found.operands.is_empty()
                && matches!(
                    role.trim_end_matches('?'),
                    "command"
                        | "fed-command"
                        | "command-with-variables"
                        | "local-tool"
                        | "own"
                        | "rtk-command"
                        | "joined"
                )
            {
                let rest = arguments.get(index.saturating_sub(1)..).unwrap_or_default();
                return self.row_of_another(key, row, role, rest, &mut found, span);
            }
        }
        if row.subcommands && !row.bare {
            return refuse(format!("`{key}` without a subcommand"), span);
        }
        self.needs(key, row, &found, span)?;
        self.operands(key, row, &found, span)?;
        if is_listed("makes-databases", key) && !found.has(&["-readonly"]) {
            self.database_is_there(key, &found, span)?;
        }
        if is_listed("runs-what-databases-hold", key) && !found.has(&["-safe"]) {
            self.database_is_own(key, &found)?;
        }
        if row.names || found.has(&row.names_with) {
            let options = row.hidden.map(|options| options.split(',').collect::<Vec<_>>());
            self.hidden = options.is_none_or(|options| found.has(&options))
                || self.takes_hidden_names_back(row, &self.searched_directories());
        }
        if !row.input && self.input != Input::Own {
            return refuse(format!("`{key}` may take its standard input for more than data"), span);
        }
        self.reads_everything(row, &found, span)?;
        self.walks(key, row, &found, span)?;
        self.loads_code_elsewhere(key, row, span)?;
        if row.remote || self.asks_the_public(key, row, &found, span)? {
            self.written_out(key, arguments)?;
        }
        self.runs_and_brings(key, row, &found, written, span)
    }

    /// From here on the words are a command, or go to the project's code.
    fn row_of_another(
        &mut self,
        key: &str,
        row: &Row,
        role: &str,
        rest: &[Argument],
        found: &mut Found,
        span: Span,
    ) -> Proven<()> {
        found.operands.pop();
        found.carries = true;
        if row.loose {
            own::only_words(key, row, rest)?;
            if !found.ended {
                own::begins_as_listed(key, row, rest)?;
            }
        }
        if row.interspersed {
            own::no_options(key, rest)?;
        }
        self.operands(key, row, found, span)?;
        self.needs(key, row, found, span)?;
        if row.code {
            self.loads(key, span)?;
        }
        if row.walks {
            let words = rest.iter().filter(|(value, _)| !value.text.starts_with('-')).cloned().collect();
            self.walks(key, row, &Found { operands: words, ..Found::default() }, span)?;
            self.walks(key, row, &Found::default(), span)?;
        }
        self.splits = if found.has(&["-0", "--null"]) {
            |_| false
        } else if found.has(&["-d", "--delimiter"]) {
            printed::ends_line
        } else {
            |letter| letter.is_whitespace() || matches!(letter, '"' | '\'' | '\\')
        };
        self.carried(key, role, rest, span)
    }

    /// What runs of the project, what the call brings into it, and what git then runs. What it wrote begins at `first`.
    fn runs_and_brings(
        &mut self,
        key: &str,
        row: &Row,
        found: &Found,
        first: usize,
        span: Span,
    ) -> Proven<()> {
        if row.code || found.has(&row.code_with) {
            self.loads(key, span)?;
        }
        let brought = self.deeds.brought;
        self.brings(row, found, first, span)?;
        if row.hook.is_some() || row.hooks {
            self.holds_no_repositories(span)?;
        }
        if row.hooks && !found.has(&row.dry) {
            self.needs_code(key, span)?;
            self.runs_hooks(row, brought, span)?;
        }
        Ok(())
    }

    /// It loads code of the project, which runs here.
    fn loads(&mut self, key: &str, span: Span) -> Proven<()> {
        self.needs_code(key, span)?;
        self.runs_code(span)
    }

    fn needs_code(&self, key: &str, span: Span) -> Proven<()> {
        if self.ground.code {
            Ok(())
        } else {
            refuse(format!("`{}` loads the project's code", key.replace('.', " ")), span)
        }
    }

    fn needs(&mut self, key: &str, row: &Row, found: &Found, span: Span) -> Proven<()> {
        if let Some((these, those)) = row.apart {
            let given = |names: &str| names.split(',').any(|name| found.has(&[name]));
            if given(these) && given(those) {
                return refuse(format!("options of `{key}` that do more together"), span);
            }
        }
        if let Some((options, words)) = row.beside
            && found.options.iter().any(|option| options.split(',').any(|known| known == option))
        {
            let said = |word: &str| {
                found.options.iter().any(|option| option == word)
                    || found.operands.iter().any(|(value, _)| value.known() == Some(word))
            };
            if !words.split(',').any(said) {
                return refuse(format!("`{}` sends more than a question", key.replace('.', " ")), span);
            }
        }
        let missing = |needs: &[&str]| {
            !needs.is_empty() && !found.options.iter().any(|option| needs.contains(&option.as_str()))
        };
        if row.makes && !found.operands.is_empty() && missing(&row.needs_with_words) {
            self.needs_code(key, span)?;
            self.runs(span);
            return Ok(());
        }
        if missing(&row.needs) || !found.operands.is_empty() && missing(&row.needs_with_words) {
            return refuse(format!("`{}` without an option that only lists", key.replace('.', " ")), span);
        }
        Ok(())
    }

    /// Code of the project runs here.
    fn runs_code(&mut self, span: Span) -> Proven<()> {
        if self.deeds.brought {
            return refuse("runs code that this text may have brought into the project", span);
        }
        let own = |path: &String| places::leads_into_project(path, self.ground) && !self.is_embedded(path);
        if self.state.directories.is_empty() || !self.state.directories.iter().all(own) {
            return refuse("runs code of another directory than the project", span);
        }
        self.runs(span);
        self.deeds.built = self.deeds.built.or(Some(span));
        Ok(())
    }

    /// A subcommand of the program of that key. Whether it loads the project's code holds of its subcommands too.
    fn subcommand(
        &mut self,
        (key, code): (&str, bool),
        word: &Value,
        at: Span,
        rest: &[Argument],
        span: Span,
    ) -> Proven<()> {
        let Some(name) = word.known() else { return refuse("a subcommand that is computed", at) };
        let whole = format!("{key}.{name}");
        let row = Row::of(&whole).or_else(|| Row::by_pattern(key, name));
        match row {
            Some(mut row) => {
                // Rows that say with which files it loads code have asked the question.
                row.code |= code && !row.inert && row.code_if.is_empty();
                let root = key.split('.').next().unwrap_or(key);
                let asks = matches!(rest, [(only, _)] if matches!(only.known(), Some("--help" | "-h")));
                if asks && is_listed("helps-behind-a-subcommand", root) {
                    return if row.code { self.needs_code(&whole, span) } else { Ok(()) };
                }
                self.row(&whole, &row, rest, span)
            }
            None => refuse(format!("`{} {name}` is not reviewed", key.replace('.', " ")), at),
        }
    }

    /// Takes one argument; returns how many words that used up.
    fn argument(
        &mut self,
        key: &str,
        row: &Row,
        (value, at): &Argument,
        rest: &[Argument],
        found: &mut Found,
    ) -> Proven<usize> {
        let ended = found.ended || row.ordered && !found.operands.is_empty();
        let dashed = value.text.len() > 1 && value.text.starts_with('-');
        // `tar tf`: options without a dash, as the first word.
        if !dashed
            && found.operands.is_empty()
            && let Some(option) = value.known().filter(|_| !ended).and_then(|text| row.option(text))
        {
            return self.option(key, option, &value.text, None, rest, *at, found);
        }
        if ended || !value.can_be_option() || value.exact && !dashed {
            found.operands.push((value.clone(), *at));
            return Ok(1);
        }
        let Some(text) = value.known().filter(|_| !value.splits) else {
            if let Some((name, _)) = value.text.split_once('=').filter(|_| dashed)
                && let Some(option) = row.option(name)
                && !value.splits
            {
                self.role(key, option.value.unwrap_or_default(), &Value::unknown(), *at)?;
                found.options.push(name.to_owned());
                return Ok(1);
            }
            if row.any && value.globbed && self.is_pattern_of_names(row, value, *at, found)? {
                return Ok(1);
            }
            if row.any || row.loose {
                found.operands.push((value.clone(), *at));
                return Ok(1);
            }
            return refuse(format!("a word that may turn into an option of `{key}`"), *at);
        };
        if text == "--" {
            found.ended = true;
            return Ok(1);
        }
        if row.loose && row.operands.is_empty() {
            return Ok(1);
        }
        let unlisted = || refuse(format!("`{text}` of `{}` is not reviewed", key.replace('.', " ")), *at);
        if text.starts_with("--") || row.single {
            let (name, attached) =
                text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            if let Some(option) = row.option(name).or_else(|| row.option(text)) {
                return self.option(key, option, name, attached, rest, *at, found);
            }
            if let Some(role) = row.open.filter(|_| {
                text.starts_with("--") && !row.refused.iter().any(|refused| refused.starts_with(name))
            }) {
                if let Some(attached) = attached {
                    return self.role(key, role, &Value::of(attached), *at).map(|()| 1);
                }
                return match rest.first().filter(|(value, _)| !value.text.starts_with('-')) {
                    Some((value, at)) => self.role(key, role, value, *at).map(|()| 2),
                    None => Ok(1),
                };
            }
            if row.loose {
                found.operands.push((value.clone(), *at));
                return Ok(1);
            }
            return unlisted();
        }
        if row.counts && text.get(1..).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        {
            return Ok(1);
        }
        let letters = text.char_indices().skip(1);
        for (index, letter) in letters {
            let Some(option) = row.option(&format!("-{letter}")) else {
                if row.loose {
                    found.operands.push((value.clone(), *at));
                    return Ok(1);
                }
                return unlisted();
            };
            found.options.push(format!("-{letter}"));
            let attached = text.get(index + letter.len_utf8()..).filter(|attached| !attached.is_empty());
            match option.form {
                Form::None => {}
                Form::Optional if attached.is_none() => return Ok(1),
                Form::Required | Form::Optional => {
                    return self.option(key, option, "", attached, rest, *at, found);
                }
            }
        }
        Ok(1)
    }

    #[expect(clippy::too_many_arguments, reason = "an option, its value and where both stand")]
    fn option(
        &mut self,
        key: &str,
        option: crate::table::OptionCell,
        name: &str,
        attached: Option<&str>,
        rest: &[Argument],
        at: Span,
        found: &mut Found,
    ) -> Proven<usize> {
        if !name.is_empty() {
            found.options.push(name.to_owned());
        }
        let role = option.value.unwrap_or_default();
        match (option.form, attached) {
            (Form::None, Some(_)) => refuse(format!("a value for `{name}` of `{key}`"), at),
            (Form::None, None) | (Form::Optional, None) => Ok(1),
            (Form::Required | Form::Optional, Some(text)) => {
                Self::notes(role, &Value::of(text), found);
                self.role(key, role, &Value::of(text), at).map(|()| 1)
            }
            (Form::Required, None) => {
                match role {
                    "command;" => return self.until_semicolon(key, rest, at, found),
                    "fd-command" => {
                        return self
                            .until_semicolon(key, rest, at, found)
                            .map(|used| used.min(rest.len() + 1));
                    }
                    "jq-pair" | "jq-file" => return self.named_value(role, rest, at),
                    _ => {}
                }
                let Some((value, at)) = rest.first().filter(|(value, _)| !value.splits || value.globbed)
                else {
                    return refuse(format!("a value of `{key}` that may be several words"), at);
                };
                Self::notes(role, value, found);
                if value.splits && role != "file-name" {
                    // The first of the names is the value. The others are words of their own.
                    if value.can_be_option() {
                        self.no_dashes(*at)?;
                    }
                    found.operands.push((value.clone(), *at));
                }
                self.role(key, role, value, *at).map(|()| 2)
            }
        }
    }

    /// What an option's value says of the rest of the call: that it stands in for the first operand (`grep -e`), that the rest
    /// are another program's words (`python -m`), which files are read alone (`grep --include`).
    fn notes(role: &str, value: &Value, found: &mut Found) {
        found.shell |= role == "shell";
        found.first |= role.ends_with('^');
        match role {
            "python-module" => found.module = value.known().map(str::to_owned),
            "only-names" => found.only.push(own::ending(value)),
            "header" => found.identifies |= !value.known().is_some_and(roles::is_plain_header),
            _ => {}
        }
    }

    /// `find -exec CMD ... ;`
    fn until_semicolon(&mut self, key: &str, rest: &[Argument], at: Span, found: &Found) -> Proven<usize> {
        // `+` ends it only behind what is filled in.
        let ends = |(at, (value, _)): (usize, &Argument)| match value.known() {
            Some(";") => true,
            Some("+") => at
                .checked_sub(1)
                .and_then(|at| rest.get(at))
                .is_some_and(|(value, _)| value.known() == Some("{}")),
            _ => false,
        };
        let end = rest.iter().enumerate().position(ends);
        // Without its end `find` refuses all of its words, or a shell took it for its own `;`.
        let written = rest.iter().all(|(value, _)| value.exact && !value.splits);
        let end = if key.starts_with("fd") || written { end.or(Some(rest.len())) } else { end };
        let Some(end) = end else { return refuse(format!("a command of `{key}` without an end"), at) };
        let fd = key.starts_with("fd");
        if fd && rest.len() > end + 1 {
            return refuse(format!("words behind the command of `{key}`"), at);
        }
        let mut places: Vec<&str> = Vec::new();
        for (value, at) in found.operands.iter().skip(usize::from(fd)) {
            match value.known() {
                Some("(" | ")" | "!" | ",") => {}
                Some(place) => places.push(place),
                None => return refuse("a command for what is found in a place that is computed", *at),
            }
        }
        if places.is_empty() {
            places.push(".");
        }
        let places: Vec<String> = places.iter().flat_map(|place| self.absolute(place)).collect();
        let grouped = found.operands.iter().any(|(value, _)| value.known() == Some("("));
        if own::widens(&found.options)
            || grouped && found.has(&["-not"])
            || found.operands.iter().any(|(value, _)| matches!(value.known(), Some("!" | ",")))
        {
            self.pattern = None;
        }
        let row = Row::of(key).unwrap_or_default();
        self.hidden = row.hidden.is_none() || self.takes_hidden_names_back(&row, &places);
        let (input, directories) = (self.input, self.state.directories.clone());
        if places.is_empty() {
            return refuse("a command for what is found in a directory that isn't known", at);
        }
        for place in places {
            let mut command: Vec<Argument> = rest
                .iter()
                .take(end)
                .map(|(value, at)| match value.text.split_once("{}") {
                    // Names below the place; with words around them, only how these begin is known.
                    Some(("", _)) => (self.found(&place), *at),
                    Some((before, _)) => (Value { text: before.to_owned(), ..Value::unknown() }, *at),
                    // `{.}`, `{/}` of fd
                    None if fd && value.text.contains('{') => (Value::unknown(), *at),
                    None => (value.clone(), *at),
                })
                .collect();
            if fd && !rest.iter().take(end).any(|(value, _)| value.text.contains('{')) {
                command.push((self.found(&place), at));
            }
            self.input = Input::Own;
            if found.options.iter().any(|option| option == "-execdir" || option == "-okdir") {
                // It runs in the directories of what it finds.
                self.state.directories.clear();
            }
            self.unordered(|prover| prover.call(&command, at))?;
            self.state.directories.clone_from(&directories);
        }
        self.input = input;
        Ok((end + 2).min(rest.len() + 1))
    }

    /// A name that the last listing or search printed.
    pub(crate) fn named(&self) -> Value {
        self.found(self.place.as_deref().unwrap_or("."))
    }

    /// A name that the last listing or search printed, of something below the directory.
    pub(crate) fn found(&self, directory: &str) -> Value {
        let ends = self.pattern.clone().unwrap_or_default();
        Value { ends, hidden: self.hidden, deep: true, searched: true, ..Value::below(directory) }
    }

    /// `--arg NAME VALUE`
    fn named_value(&mut self, role: &str, rest: &[Argument], at: Span) -> Proven<usize> {
        match rest {
            [(name, _), (value, at), ..] if name.exact && !value.splits => {
                if role == "jq-file" {
                    self.reads(value, *at)?;
                }
                Ok(3)
            }
            _ => refuse("a name and a value that have to be written out", at),
        }
    }

    fn operands(&mut self, key: &str, row: &Row, found: &Found, span: Span) -> Proven<()> {
        let mut roles = row.operands.as_slice();
        if found.first {
            roles = roles.split_first().map_or(roles, |(_, rest)| rest);
        }
        let repeats = |role: &str| role.contains("...");
        let last =
            roles.last().copied().filter(|role| !repeats(role) && roles.iter().any(|role| repeats(role)));
        let count = found.operands.len();
        for (index, (value, at)) in found.operands.iter().enumerate() {
            let role = match last {
                Some(last) if index + 1 == count => Some(last),
                _ => roles
                    .get(index)
                    .copied()
                    .or_else(|| roles.iter().copied().rev().find(|role| role.contains("..."))),
            };
            let Some(role) = role else {
                return refuse(format!("more words than `{}` is reviewed for", key.replace('.', " ")), *at);
            };
            let role = role.trim_end_matches('?').trim_end_matches("...");
            let edits =
                role == "path" && found.options.iter().any(|option| row.edits.contains(&option.as_str()));
            let role = if role == "list" && found.has(&row.reads) { "path" } else { role };
            let role = match (edits, row.same && !found.has(&["-r"])) {
                (true, true) => "formatted",
                (true, false) => "edit",
                (false, _) => role,
            };
            if value.splits && !value.globbed && !value.name && !row.any && !matches!(role, "text" | "number")
            {
                return refuse("a word that may be several", *at);
            }
            self.role(key, role, value, *at)?;
        }
        let optional = |role: &&&str| role.ends_with('?') || matches!(**role, "own" | "script");
        let required = roles.iter().take_while(|role| !optional(role)).count();
        if count < required && !found.carries && !found.operands.iter().any(|(value, _)| value.splits) {
            let name = key.replace('.', " ");
            return match roles.get(count) {
                Some(role) if role.starts_with("command") => {
                    refuse(format!("`{name}` without a command for it to run"), span)
                }
                _ => refuse(format!("fewer words than `{name}` takes"), span),
            };
        }
        Ok(())
    }

    /// The rest of the words is a command of its own, or the arguments of the project's code.
    fn carried(&mut self, key: &str, role: &str, rest: &[Argument], span: Span) -> Proven<()> {
        match role.trim_end_matches('?') {
            // Its own subcommands read and list what they are given; every other word is a program.
            "rtk-command" => match rest.split_first() {
                // Not the shell's: it runs what follows.
                Some(((word, at), _)) if word.known() == Some("test") => {
                    refuse("`rtk test` runs a command", *at)
                }
                Some(((word, _), arguments)) if word.known() == Some("proxy") => self.call(arguments, span),
                Some(((word, _), arguments)) if word.known() == Some("read") => {
                    arguments.iter().try_for_each(|(value, at)| self.role(key, "path", value, *at))
                }
                Some(((word, _), []))
                    if matches!(word.known(), Some("gain" | "help" | "discover" | "verify")) =>
                {
                    Ok(())
                }
                _ => self.call(rest, span),
            },
            "local-tool" => match rest.split_first() {
                Some(((tool, at), arguments))
                    if tool.known().and_then(Row::of).is_some_and(|row| row.code) =>
                {
                    if !self.is_local_tool(&tool.text) {
                        return refuse(
                            "a tool that isn't installed in the project, and would be fetched",
                            *at,
                        );
                    }
                    self.program(&tool.text.clone(), arguments, span)
                }
                _ => refuse("a tool of the project that is not reviewed", span),
            },
            "own" => {
                self.own_arguments(rest)?;
                self.loads(key, span)
            }
            "fed-command" => self.fed_call(rest, span),
            "joined" => {
                let mut text = Vec::new();
                for (value, at) in rest {
                    match value.known() {
                        Some(word) if !value.splits => text.push(word),
                        _ => return refuse("a computed word in a text that a shell reads again", *at),
                    }
                }
                self.written_role(key, "shell", &text.join(" "), span)
            }
            "command-with-variables" => {
                let mut words = rest;
                while let Some(((word, at), others)) = words.split_first()
                    && let Some((name, value)) = word.text.split_once('=')
                {
                    let value = if word.exact { Value::of(value) } else { Value::unknown() };
                    self.inert(name, &value, *at)?;
                    words = others;
                }
                self.call(words, span)
            }
            _ => self.call(rest, span),
        }
    }
}

/// `-rln` has `-l`.
fn is_cluster_with(word: &str, option: &str) -> bool {
    option.len() == 2
        && word.starts_with('-')
        && !word.starts_with("--")
        && option.chars().last().is_some_and(|letter| word.contains(letter))
}

/// What was found among the arguments.
#[derive(Debug, Default)]
struct Found {
    options: Vec<String>,
    operands: Vec<Argument>,
    /// Behind `--`.
    ended: bool,
    /// An option stands in for the first operand.
    first: bool,
    /// A text for a shell was given: what follows are its parameters.
    shell: bool,
    /// What follows is a command or the arguments of the project's code.
    carries: bool,
    /// What follows are the words of this module of Python.
    module: Option<String>,
    /// How the names end that alone are read; `None` for a pattern that doesn't say it.
    only: Vec<Option<String>>,
    /// A header says more than what is asked for.
    identifies: bool,
}

impl Found {
    /// May a file of that name be read, as far as patterns of names say? Behind one that leaves names out, others are read again.
    fn reads(&self, name: &str) -> bool {
        let meant =
            |ending: &Option<String>| ending.as_ref().is_none_or(|ending| name.ends_with(ending.as_str()));
        self.only.is_empty() || self.has(&["--exclude", "--exclude-from"]) || self.only.iter().any(meant)
    }

    /// Was one of these options given?
    fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|option| names.contains(&option.as_str()))
    }
}

/// Is the program named after that version, as `python3.12` is?
fn is_python_3(name: &str) -> bool {
    name.starts_with("python3")
}

/// `python3.12` is `python`.
fn plain_name(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// A directory of the system's or the person's installed programs.
pub(crate) fn holds_programs(directory: &str, ground: &Ground<'_>) -> bool {
    if is_listed("program-directories", directory) {
        return true;
    }
    let below = directory.strip_prefix(ground.home).and_then(|rest| rest.strip_prefix('/'));
    below.is_some_and(|below| is_listed("own-program-directories", below))
}
