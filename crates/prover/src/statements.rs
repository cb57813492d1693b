//! Statements: which forms may stand in a text, and what each leaves behind.

use hookgate_shell::{
    Assignment, Command, Joint, Limits, Node, Redirection, RedirectionKind, Script, Span, Statement, Word,
    parse,
};

use crate::calls::prints_number;
use crate::state::{Deeds, State, Value};
use crate::table::is_listed;
use crate::{Ground, MAXIMUM_LISTED, Proven, Refusal, places, refuse, texts};

/// Statements that a proof may walk over, loops counted as often as they are walked.
const MAXIMUM_STEPS: u32 = 2_000;

/// Names of a directory that are looked at one by one; more may be cut off.
const MAXIMUM_NAMES: usize = 150;

/// Texts within texts (`bash -c`, `xargs sh -c`).
const MAXIMUM_TEXTS: u8 = 4;

/// What a statement's standard input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// What the whole call has; nothing of this text.
    Own,
    /// A pipe, a file or a heredoc.
    Fed,
    /// A pipe from programs that print names of the places that they were given.
    Names,
}

/// One walk over a text.
pub(crate) struct Prover<'a> {
    pub(crate) ground: &'a Ground<'a>,
    /// The text that spans point into.
    pub(crate) text: &'a str,
    pub(crate) state: State,
    pub(crate) deeds: Deeds,
    pub(crate) input: Input,
    /// Places that the last call was given.
    pub(crate) listed: Vec<(Value, Span)>,
    /// Directories that the call names for the repository it works in.
    pub(crate) repositories: Vec<String>,
    /// Directories that options name for the call to work in.
    pub(crate) placed: Vec<String>,
    /// What `xargs` replaces, if an option names it.
    pub(crate) placeholder: Option<String>,
    /// The last pipeline printed names of files, as `prints_names` says.
    pub(crate) named: bool,
    /// How all names end that the last search looked for, where one pattern says so.
    pub(crate) pattern: Option<String>,
    /// The last search looked only for files or only for directories, not for links.
    pub(crate) plain_files: bool,
    /// At these letters what this call is fed becomes other words than the names that it holds.
    pub(crate) splits: fn(char) -> bool,
    /// Where searches looked whose names something may read.
    pub(crate) searched: Vec<String>,
    /// Where the names begin that the last stage printed.
    pub(crate) place: Option<String>,
    /// It may have printed hidden names.
    pub(crate) hidden: bool,
    /// The text that standard input holds, if all of it is known.
    pub(crate) fed: Option<String>,
    /// What held at each `break` and `continue` so far: behind a loop, any of it may.
    pub(crate) jumps: Vec<State>,
    /// What holds where the last `cd` failed, if it may.
    pub(crate) failed: Option<State>,
    steps: u32,
    pub(crate) texts: u8,
    /// Since so many touched files, steps may happen in another order than they are written.
    pub(crate) since: Option<usize>,
    /// Something runs beside the text.
    pub(crate) background: bool,
}

pub(crate) fn prove(text: &str, ground: &Ground<'_>) -> Proven<()> {
    let mut prover = Prover::new(text, ground);
    let script = parse(text, &Limits::default());
    texts::ends_plainly(text)?;
    prover.whole(&script)?;
    prover.fresh_code()
}

impl<'a> Prover<'a> {
    /// At the beginning of a text.
    pub(crate) fn new(text: &'a str, ground: &'a Ground<'a>) -> Prover<'a> {
        Prover {
            ground,
            text,
            state: State::new(ground),
            deeds: Deeds::default(),
            input: Input::Own,
            listed: Vec::new(),
            repositories: Vec::new(),
            placed: Vec::new(),
            placeholder: None,
            named: false,
            pattern: None,
            plain_files: false,
            splits: |_| true,
            searched: Vec::new(),
            place: None,
            hidden: true,
            fed: None,
            jumps: Vec::new(),
            failed: None,
            steps: 0,
            texts: 0,
            since: None,
            background: false,
        }
    }
}

impl Prover<'_> {
    fn whole(&mut self, script: &Script) -> Proven<()> {
        match script.problems.first() {
            Some(problem) => refuse(format!("can't be read: {}", problem.message), problem.span),
            None => self.script(script),
        }
    }

    /// Nothing that the text writes may be what the project's code, or a program that it runs, is made of.
    fn fresh_code(&self) -> Proven<()> {
        for (path, span) in &self.deeds.loaded {
            if self.deeds.written.iter().any(|written| written.as_ref().is_none_or(|written| written == path))
            {
                return refuse("reads as code what this text writes", *span);
            }
        }
        if let Some(span) = self.deeds.imported {
            let module = |path: &Option<String>| {
                let leaf = path.as_deref().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
                // Without an ending it may be a directory.
                let ending = leaf.rsplit_once('.').map_or("", |(_, ending)| ending);
                ending.is_empty() || is_listed("python-module-endings", ending)
            };
            if self.deeds.written.iter().any(module) {
                return refuse("loads what this text may write as a module of Python", span);
            }
        }
        if let Some(span) = self.deeds.ran
            && !self.deeds.written.iter().all(|path| path.as_deref().is_some_and(places::is_data))
        {
            return refuse("runs the project's code beside files that this text writes", span);
        }
        let is_prose = |path: &String| places::in_project(path, self.ground) && places::is_prose(path);
        match self.deeds.built {
            Some(span) if self.deeds.written.iter().flatten().any(is_prose) => refuse(
                "runs the project's code beside prose that this text writes, which may hold tests",
                span,
            ),
            _ => Ok(()),
        }
    }

    /// A text that a shell runs.
    pub(crate) fn nested(&mut self, text: &str, span: Span) -> Proven<()> {
        if self.texts >= MAXIMUM_TEXTS {
            return refuse("texts within texts", span);
        }
        let script = parse(text, &Limits::default());
        let before = self.state.clone();
        self.texts += 1;
        // Spans of the inner text mean nothing outside of it.
        let proven = texts::ends_plainly(text).and_then(|()| self.whole(&script));
        let proven = proven.map_err(|refusal| Refusal { span, ..refusal });
        self.texts -= 1;
        self.state = before;
        proven
    }

    pub(crate) fn script(&mut self, script: &Script) -> Proven<()> {
        script.statements.iter().try_for_each(|statement| self.settled(statement))
    }

    /// Behind it, it may have failed.
    fn settled(&mut self, statement: &Statement) -> Proven<()> {
        self.statement(statement)?;
        if let Some(failed) = self.failed.take() {
            self.state.join(&failed);
        }
        Ok(())
    }

    /// `$( ... )`: what is known of what it prints.
    pub(crate) fn substitution(&mut self, script: &Script) -> Proven<Value> {
        let before = std::mem::take(&mut self.named);
        // It is run before its command's own input is opened.
        let fed = self.fed.take();
        self.apart(|prover| prover.script(script))?;
        self.fed = fed;
        let named = match script.statements.as_slice() {
            [only] if matches!(only.node, Node::Command(_)) => self.prints_names(only, Input::Own),
            [only] => self.named && matches!(only.node, Node::Pipeline { .. }),
            _ => false,
        };
        self.named = before;
        if named {
            return Ok(self.named());
        }
        Ok(Value { number: prints_number(script), name: self.prints_plain_names(script), ..Value::unknown() })
    }

    /// In a process of its own: what it sets and where it goes is gone behind it.
    fn apart(&mut self, run: impl FnOnce(&mut Self) -> Proven<()>) -> Proven<()> {
        let (state, input) = (self.state.clone(), self.input);
        let proven = run(self);
        self.state = state;
        self.input = input;
        proven
    }

    fn statement(&mut self, statement: &Statement) -> Proven<()> {
        self.steps += 1;
        if self.steps > MAXIMUM_STEPS {
            return refuse("too many statements", statement.span);
        }
        let (input, fed) = (self.input, self.fed.clone());
        let may_fail = statement.redirections.iter().any(may_fail);
        let before = may_fail.then(|| self.state.clone());
        for redirection in &statement.redirections {
            self.redirection(redirection)?;
        }
        let proven = if statement.background {
            self.runs_beside();
            self.apart(|prover| prover.node(&statement.node, statement.span))
        } else {
            self.node(&statement.node, statement.span)
        };
        self.input = input;
        // What it didn't have for itself it may have read, in part or as a whole.
        let own = statement
            .redirections
            .iter()
            .any(|redirection| redirection.descriptor.unwrap_or(0) == 0 && feeds(redirection.kind));
        self.fed = fed.filter(|_| own);
        // Nothing of it ran where a file can't be opened.
        if let Some(before) = before {
            match &mut self.failed {
                Some(failed) => failed.join(&before),
                None => self.failed = Some(before),
            }
        }
        proven
    }

    fn node(&mut self, node: &Node, span: Span) -> Proven<()> {
        match node {
            Node::Command(command) => self.command(command),
            Node::Pipeline { stages, .. } if stages.len() > 1 => {
                self.unordered(|prover| prover.pipeline(stages))
            }
            Node::Pipeline { stages, .. } => self.pipeline(stages),
            Node::List { first, rest } => self.list(first, rest),
            Node::Group(script) => self.script(script),
            Node::Subshell(script) => self.apart(|prover| prover.script(script)),
            Node::If { branches, otherwise } => self.branches(branches, otherwise.as_ref()),
            Node::Loop { condition, body, .. } => self.repeated(span, |prover| {
                prover.script(condition)?;
                prover.script(body)
            }),
            Node::For { words: None, .. } => refuse("a loop over positional parameters", span),
            Node::For { variable, words: Some(words), body } => self.for_each(variable, words, body, span),
            Node::ForArithmetic { expressions, body } => self.counted(expressions, body, span),
            Node::Case { subject, arms } => {
                self.pattern(subject)?;
                let mut after = self.state.clone();
                for arm in arms {
                    // An arm before it may fall through (`;&`).
                    self.state = after.clone();
                    for pattern in &arm.patterns {
                        self.pattern(pattern)?;
                    }
                    self.script(&arm.body)?;
                    after.join(&self.state);
                }
                self.state = after;
                Ok(())
            }
            Node::Test(words) => self.conditional(words),
            Node::Arithmetic(word) => self.arithmetic(word, span),
            Node::Function { name, .. } => refuse(format!("the function `{name}`"), span),
            Node::Coprocess(_) => refuse("a coprocess", span),
        }
    }

    fn pipeline(&mut self, stages: &[Statement]) -> Proven<()> {
        let [stage] = stages else {
            let mut input = self.input;
            let mut last = self.state.clone();
            for stage in stages {
                self.apart(|prover| {
                    prover.input = input;
                    prover.fed = None;
                    prover.settled(stage)?;
                    last = prover.state.clone();
                    Ok(())
                })?;
                let names = input != Input::Fed && self.prints_names(stage, input);
                input = if names { Input::Names } else { Input::Fed };
            }
            self.named = input == Input::Names;
            // zsh runs the last stage in the shell itself.
            self.state.join(&last);
            return Ok(());
        };
        // `! cd x && y`
        self.settled(stage)
    }

    fn list(&mut self, first: &Statement, rest: &[(Joint, Statement)]) -> Proven<()> {
        // What may hold behind the list: any of its statements can have been the last that ran.
        let mut any = self.state.clone();
        self.statement(first)?;
        for (joint, statement) in rest {
            if let Some(failed) = self.failed.take() {
                any.join(&failed);
            }
            any.join(&self.state);
            if *joint == Joint::Or {
                self.state = any.clone();
            }
            self.statement(statement)?;
            if *joint == Joint::Or {
                self.state.join(&any);
            }
        }
        if let Some(failed) = self.failed.take() {
            any.join(&failed);
        }
        self.state.join(&any);
        Ok(())
    }

    fn branches(&mut self, branches: &[(Script, Script)], otherwise: Option<&Script>) -> Proven<()> {
        let mut after: Option<State> = None;
        let add = |after: &mut Option<State>, state: &State| match after {
            Some(all) => all.join(state),
            None => *after = Some(state.clone()),
        };
        for (condition, body) in branches {
            self.script(condition)?;
            let before = self.state.clone();
            self.script(body)?;
            add(&mut after, &self.state);
            self.state = before;
        }
        if let Some(script) = otherwise {
            self.script(script)?;
        }
        add(&mut after, &self.state);
        self.state = after.unwrap_or_else(|| self.state.clone());
        Ok(())
    }

    /// What is repeated holds whatever an earlier turn has left.
    fn repeated(&mut self, span: Span, mut body: impl FnMut(&mut Self) -> Proven<()>) -> Proven<()> {
        let jumps = self.jumps.len();
        for _ in 0..4 {
            let before = self.state.clone();
            self.unordered(&mut body)?;
            self.state.join(&before);
            self.join_jumps(jumps);
            if self.state == before {
                return Ok(());
            }
        }
        refuse("a loop that doesn't come to rest", span)
    }

    /// Joins what held at the jumps since the first so many.
    fn join_jumps(&mut self, since: usize) {
        for state in self.jumps.iter().skip(since) {
            self.state.join(state);
        }
    }

    fn for_each(&mut self, variable: &str, words: &[Word], body: &Script, span: Span) -> Proven<()> {
        self.own_name(variable, span)?;
        let mut values = Vec::new();
        for word in words {
            values.extend(self.words(word)?);
        }
        let each: Vec<Value> = if values.len() <= 12 {
            values.into_iter().map(|value| Value { splits: false, ..value }).collect()
        } else {
            let number = values.iter().all(|value| value.number);
            let safe = values.iter().all(|value| !value.can_be_option() && value.exact);
            let globbed =
                safe && values.iter().all(|value| !value.text.contains('/') && !value.text.starts_with('.'));
            // Some word of the list: it begins with no dash, and names something here.
            let text = if globbed { "./".to_owned() } else { String::new() };
            vec![Value { number, globbed, text, ..Value::unknown() }]
        };
        let jumps = self.jumps.len();
        for value in each {
            self.repeated(span, |prover| {
                prover.state.variables.insert(variable.to_owned(), value.clone());
                prover.script(body)
            })?;
        }
        self.join_jumps(jumps);
        Ok(())
    }

    /// `for ((i = 0; i < 5; i++))`
    fn counted(&mut self, expressions: &[Word], body: &Script, span: Span) -> Proven<()> {
        if let Some(first) = expressions.first().and_then(Word::literal) {
            let (name, value) = first.split_once('=').unwrap_or_default();
            let is_name = !name.is_empty() && name.trim().bytes().all(|byte| byte.is_ascii_alphabetic());
            if is_name && value.trim().bytes().all(|byte| byte.is_ascii_digit()) {
                self.own_name(name.trim(), span)?;
                self.state.variables.insert(name.trim().to_owned(), Value::some_number());
            }
        }
        for expression in expressions {
            self.arithmetic(expression, span)?;
        }
        self.repeated(span, |prover| prover.script(body))
    }

    fn command(&mut self, command: &Command) -> Proven<()> {
        if command.words.is_empty() {
            return command.assignments.iter().try_for_each(|assignment| self.assignment(assignment));
        }
        for assignment in &command.assignments {
            self.exported(assignment)?;
        }
        let mut words = Vec::new();
        for word in &command.words {
            for value in self.words(word)? {
                words.push((value, word.span));
            }
        }
        if self.texts == 0 && self.ground.granted.contains(&command.span) {
            return self.vouched(&words, command.span);
        }
        self.call(&words, command.span)
    }

    /// A call that a person's own rule allows. What it leaves behind counts for what the text does next: of a call that can't be
    /// followed that may be anything, in the project.
    fn vouched(&mut self, words: &[(Value, Span)], span: Span) -> Proven<()> {
        if self.call(words, span).is_ok() {
            return Ok(());
        }
        self.deeds.brought = true;
        self.fills_project(span)
    }

    /// `x=1`, for this shell.
    fn assignment(&mut self, assignment: &Assignment) -> Proven<()> {
        let span = assignment.span;
        if let Some(subscript) = &assignment.subscript {
            self.subscript(subscript, span)?;
        }
        let mut value = Value::unknown();
        for word in &assignment.value {
            value =
                if assignment.array { self.words(word).map(|_| Value::unknown())? } else { self.word(word)? };
        }
        if assignment.value.is_empty() {
            value = Value::of("");
        }
        self.set(&assignment.name, &value, span)?;
        let plain = !(assignment.append || assignment.array || assignment.subscript.is_some());
        let value = if plain { Value { splits: false, ..value } } else { Value::unknown() };
        self.state.variables.insert(assignment.name.clone(), value);
        Ok(())
    }

    /// `CI=1 cmd`, `export CI=1`.
    fn exported(&mut self, assignment: &Assignment) -> Proven<()> {
        let [word] = assignment.value.as_slice() else {
            return refuse(format!("the variable `{}` of a call", assignment.name), assignment.span);
        };
        let value = self.word(word)?;
        // Shells don't take it from the environment; `read` splits its line by it.
        if assignment.name == "IFS" && value.exact {
            return Ok(());
        }
        self.inert(&assignment.name, &value, assignment.span)
    }

    /// Does a variable of that name and value steer nothing, whoever reads it?
    pub(crate) fn inert(&self, name: &str, value: &Value, span: Span) -> Proven<()> {
        if is_listed("integer-parameters", name) && !value.number {
            return refuse(format!("the variable `{name}` is calculated by some shells"), span);
        }
        let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "_.,:=+-*@ ".contains(c));
        if is_listed("inert-variables", name) && value.known().is_some_and(plain) {
            return Ok(());
        }
        if name == "PATH" && value.known().is_none() && self.own_programs(&value.text) {
            return Ok(());
        }
        if name == "PATH" && value.known().is_some_and(|path| self.own_programs(&format!("{path}:"))) {
            return Ok(());
        }
        let row = format!("{name}={}", value.known().unwrap_or_default());
        if value.exact && is_listed("inert-settings", &row) {
            return Ok(());
        }
        refuse(format!("the variable `{name}` may steer the call"), span)
    }

    /// `~/.cargo/bin:$PATH`: only directories of installed programs in front.
    fn own_programs(&self, text: &str) -> bool {
        let Some(front) = text.strip_suffix(':') else { return false };
        front.split(':').all(|directory| crate::calls::holds_programs(directory, self.ground))
    }

    /// A name of this text's own: one that no shell and no program is known to read.
    pub(crate) fn own_name(&self, name: &str, span: Span) -> Proven<()> {
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let lower = plain && !name.bytes().any(|byte| byte.is_ascii_uppercase());
        let read_elsewhere = is_listed("read-by-programs", &name.to_ascii_lowercase())
            || name.ends_with("_proxy")
            || name.contains("config");
        let spoken = name.split('_').all(|word| {
            let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
            word.is_empty() || is_listed("own-words", word)
        });
        // `newName`: variables of the environment are written in one case.
        let humped = plain && name.starts_with(|c: char| c.is_ascii_lowercase());
        let counted = is_listed("integer-parameters", name);
        let own = !name.is_empty() && !counted && ((lower || humped) && !read_elsewhere || plain && spoken);
        if own { Ok(()) } else { refuse(format!("the variable `{name}` may steer a program"), span) }
    }

    fn set(&self, name: &str, value: &Value, span: Span) -> Proven<()> {
        self.own_name(name, span).or_else(|refusal| self.inert(name, value, span).map_err(|_| refusal))
    }

    fn redirection(&mut self, redirection: &Redirection) -> Proven<()> {
        let span = redirection.span;
        if feeds(redirection.kind) && redirection.descriptor.is_some_and(|descriptor| descriptor != 0) {
            return refuse("a descriptor of its own", span);
        }
        if let Some(heredoc) = &redirection.heredoc {
            let body = self.operand(&heredoc.body)?;
            self.fed = body.known().map(str::to_owned);
            self.input = Input::Fed;
            return Ok(());
        }
        let target = self.word(&redirection.target)?;
        if target.text.starts_with('!') {
            return refuse("a target with `!`, which zsh takes for a sign of its own", span);
        }
        let writes = match redirection.kind {
            RedirectionKind::DuplicateOutput | RedirectionKind::DuplicateInput => {
                let input = redirection.kind == RedirectionKind::DuplicateInput;
                if redirection.descriptor.map_or(input, |descriptor| descriptor == 0)
                    && target.known() != Some("0")
                {
                    self.fed = None;
                    self.input = Input::Fed;
                }
                return match target.known() {
                    Some("0" | "1" | "2" | "-") => Ok(()),
                    _ => refuse("a descriptor that isn't one of the three", span),
                };
            }
            RedirectionKind::HereString | RedirectionKind::Heredoc => {
                self.fed = None;
                self.input = Input::Fed;
                return Ok(());
            }
            RedirectionKind::ReadWrite => return refuse("a file that is read and written at once", span),
            // bash expands the word behind `>&` once more, whatever quotes it had.
            RedirectionKind::WriteBoth if !target.known().is_some_and(places::is_plain_name) => {
                return refuse("a target of `>&` that may be expanded twice", span);
            }
            RedirectionKind::Read => false,
            _ => true,
        };
        if redirection.descriptor.is_some_and(|descriptor| descriptor > 2) {
            return refuse("a descriptor of its own", span);
        }
        if writes {
            // Where an option or an operand may mean the output, a shell makes a file.
            if target.known() == Some("-") {
                return refuse("a file named `-`", span);
            }
            return self.writes(&target, span);
        }
        self.fed = None;
        self.input = if target.known() == Some("/dev/null") { self.input } else { Input::Fed };
        self.reads(&target, span)
    }

    /// The text writes the file.
    pub(crate) fn writes(&mut self, target: &Value, span: Span) -> Proven<()> {
        if target.text.starts_with("/dev/fd/") && !target.exact && !target.globbed {
            // `>(...)`, which is proven by itself.
            return Ok(());
        }
        if target.globbed && !target.exact {
            return self.writes_names(target, span);
        }
        let Some(path) = target.known() else {
            return refuse("writes a file whose name is computed", span);
        };
        if is_listed("written-devices", path) {
            return Ok(());
        }
        let paths = self.absolute(path);
        if paths.is_empty() {
            return refuse("writes a file in a directory that isn't known", span);
        }
        for path in paths {
            self.touches(&path, span)?;
            let resolved = self.ground.files.resolve(&path).unwrap_or_else(|| path.clone());
            // A link may lead to what is hidden.
            let hidden = [&path, &resolved].into_iter().find_map(|path| {
                let mut parts = places::within_project(path, self.ground).split('/');
                parts
                    .find(|part| part.starts_with('.') && !is_listed("written-hidden", part))
                    .map(str::to_owned)
            });
            let inside = places::in_project(&path, self.ground) && places::in_project(&resolved, self.ground);
            let temporary = self.ground.temporary.iter().any(|root| places::lies_in(&resolved, root));
            if !(inside || temporary) {
                return refuse("writes outside of the project", span);
            }
            if let Some(hidden) = hidden {
                return refuse(format!("writes `{hidden}`, which is hidden"), span);
            }
            // What it held is gone then, and git often doesn't know it.
            for path in [&path, &resolved] {
                let leaf = path.rsplit('/').next().unwrap_or(path);
                if places::names_a_secret(leaf) && self.ground.files.is_there(path) {
                    return refuse(format!("writes `{leaf}`, which may hold a secret"), span);
                }
            }
            if resolved != path {
                self.deeds.written.push(Some(resolved));
            }
            self.deeds.written.push(Some(path));
        }
        Ok(())
    }

    /// The text writes names that a glob or a search found: each one that may be meant, where that is known.
    fn writes_names(&mut self, target: &Value, span: Span) -> Proven<()> {
        let computed = || refuse("writes a file whose name is computed", span);
        let (before, leaf) = target.text.rsplit_once('/').unwrap_or((".", &target.text));
        let before = if target.text.starts_with('/') && before.is_empty() { "/" } else { before };
        let directories = self.absolute(before);
        if directories.is_empty() || leaf.starts_with('.') || target.ends.contains('/') {
            return computed();
        }
        for directory in directories {
            self.touches(&directory, span)?;
            let names = self.ground.files.list(&directory);
            if names.len() > MAXIMUM_NAMES || !places::in_project(&directory, self.ground) {
                return computed();
            }
            if target.hidden {
                // What a search found: it looks below, so no directory of a tool may lie there, nothing be a link,
                // and the names have to end like prose or code.
                let ending = target.ends.rsplit_once('.').map_or("", |(_, ending)| ending);
                let plain = is_listed("code-endings", ending) || is_listed("data-endings", ending);
                let tools =
                    names.iter().any(|name| name.starts_with('.') && !is_listed("inert-hidden", name));
                if !plain
                    || tools
                    || !self.plain_files && self.may_find_a_link(&directory, &target.ends, span)
                    || self.ground.files.resolve(&directory).is_some_and(|path| path != directory)
                {
                    return computed();
                }
                self.deeds.written.push(None);
                continue;
            }
            for name in names.iter().filter(|name| {
                name.starts_with(leaf) && name.ends_with(&target.ends) && !name.starts_with('.')
            }) {
                self.writes(&Value::of(format!("{}/{name}", directory.trim_end_matches('/'))), span)?;
            }
            self.deeds.written.push(None);
        }
        Ok(())
    }

    /// The text reads the content of the file.
    pub(crate) fn reads(&mut self, target: &Value, span: Span) -> Proven<()> {
        if target.text.starts_with("/dev/fd/") && !target.exact {
            return Ok(());
        }
        let text = match target.known() {
            Some(text) => text,
            // Names that a glob finds in a directory: none that is hidden.
            None if target.globbed => match target.text.rsplit_once('/') {
                None => ".",
                Some(("", _)) => "/",
                Some((directory, _)) => directory,
            },
            None => return refuse("reads a file whose name is computed", span),
        };
        let paths = self.absolute(text);
        if paths.is_empty() {
            return refuse("reads a file in a directory that isn't known", span);
        }
        for path in &paths {
            self.touches(path, span)?;
        }
        if target.deep {
            self.reads_below(&paths, target, span)?;
        } else if !target.exact {
            self.reads_names(&paths, target, span)?;
        }
        paths.iter().try_for_each(|path| {
            places::may_read(path, self.ground, span)?;
            match self.ground.files.resolve(path) {
                Some(resolved) if resolved != *path => places::may_read(&resolved, self.ground, span),
                _ => Ok(()),
            }
        })
    }

    /// The text reads names in directories that a glob or a search finds below these: those that end as the word does.
    fn reads_below(&self, directories: &[String], target: &Value, span: Span) -> Proven<()> {
        let ending = target.ends.rsplit_once('/').map_or(target.ends.as_str(), |(_, ending)| ending);
        let tail = ending.rsplit_once('.').map_or("", |(_, tail)| tail);
        let plain = is_listed("code-endings", tail) || is_listed("data-endings", tail);
        let found = target.searched && target.text == "./" && !self.searched.is_empty();
        let directories = if found { &self.searched } else { directories };
        let all = self.below(directories, !target.searched, |name, path| {
            if !target.hidden && name.starts_with('.') {
                return Ok(false);
            }
            let meant = name.ends_with(ending);
            let link = (meant || !target.searched) && self.ground.files.is_link(path);
            match link.then(|| self.ground.files.resolve(path)).flatten() {
                Some(resolved) => places::may_read(&resolved, self.ground, span)?,
                None if meant => places::may_read(path, self.ground, span)?,
                None => {}
            }
            Ok(true)
        })?;
        if all || plain {
            return Ok(());
        }
        refuse("names of directories with more than are looked at", span)
    }

    /// The text reads names in the directories: those that begin and end as the word does.
    fn reads_names(&self, directories: &[String], target: &Value, span: Span) -> Proven<()> {
        let leaf = target.text.rsplit_once('/').map_or(target.text.as_str(), |(_, leaf)| leaf);
        if leaf.starts_with('.') {
            return refuse("a glob that finds hidden names", span);
        }
        let ending = target.ends.rsplit_once('/').map_or(target.ends.as_str(), |(_, ending)| ending);
        let tail = ending.rsplit_once('.').map_or("", |(_, tail)| tail);
        let plain = is_listed("code-endings", tail) || is_listed("data-endings", tail);
        for directory in directories {
            let names = self.ground.files.list(directory);
            if names.len() >= MAXIMUM_LISTED && !plain {
                return refuse("names of a directory with more than are looked at", span);
            }
            for name in names {
                let meant = name.starts_with(leaf)
                    && name.ends_with(ending)
                    && (target.hidden || !name.starts_with('.'));
                if !meant || target.hidden && matches!(name.as_str(), ".git") {
                    continue;
                }
                let path = format!("{}/{name}", directory.trim_end_matches('/'));
                places::may_read(&path, self.ground, span)?;
                if let Some(resolved) = self.ground.files.resolve(&path).filter(|resolved| *resolved != path)
                {
                    places::may_read(&resolved, self.ground, span)?;
                }
            }
        }
        Ok(())
    }
}

/// Can it fail to open its file? Then the statement isn't run.
fn may_fail(redirection: &Redirection) -> bool {
    let opens = !matches!(
        redirection.kind,
        RedirectionKind::DuplicateOutput
            | RedirectionKind::DuplicateInput
            | RedirectionKind::HereString
            | RedirectionKind::Heredoc
    );
    opens && redirection.target.literal().as_deref() != Some("/dev/null")
}

/// Does standard input come from there?
fn feeds(kind: RedirectionKind) -> bool {
    matches!(kind, RedirectionKind::Read | RedirectionKind::HereString | RedirectionKind::Heredoc)
}
