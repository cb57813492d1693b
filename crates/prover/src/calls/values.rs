//! Values of options and operands: what the program does with each, by its role.

use hookgate_shell::Span;

use super::{Argument, Found, own};
use crate::state::Value;
use crate::statements::{Input, Prover};
use crate::table::{Row, is_listed, names};
use crate::{Proven, places, refuse, roles, texts};

/// Two places, for none that is known.
const APART: [String; 2] = [String::new(), String::new()];

impl Prover<'_> {
    /// Does it fetch from a public service? Then nothing but what is asked for is said to it, and to nobody else.
    pub(super) fn asks_the_public(&self, key: &str, row: &Row, found: &Found, span: Span) -> Proven<bool> {
        let public = |(value, _): &Argument| value.known().is_some_and(roles::is_public);
        let asked = found.operands.iter().filter(|operand| public(operand)).count();
        if found.has(&row.public) && asked < found.operands.len() {
            return refuse(format!("`{key}` goes where an address leads"), span);
        }
        if asked > 0 && found.identifies {
            return refuse(format!("a header of `{key}` for a service"), span);
        }
        Ok(asked > 0)
    }

    /// What the program does with a word of that role.
    pub(super) fn role(&mut self, key: &str, role: &str, value: &Value, at: Span) -> Proven<()> {
        let role = role.trim_end_matches('^');
        match role {
            "text" | "number" | "only-names" => Ok(()),
            "list" => {
                if let Some(part) = value.text.split('/').find(|part| is_listed("never-read", part)) {
                    return refuse(format!("lists `{part}`"), at);
                }
                self.listed.push((value.clone(), at));
                Ok(())
            }
            "path" if value.known() == Some("-") => Ok(()),
            "path" => {
                self.listed.push((value.clone(), at));
                self.reads(value, at)
            }
            "shell-path" => self.shell_path(key, value, at),
            "packed" => self.packed(key, value, at),
            "database" if value.text.starts_with("file:") => {
                refuse("an address of a database, which can name any file", at)
            }
            // Some look for the pattern themselves, hidden names included.
            "archive" if value.exact && value.text.contains(['*', '?', '[']) => {
                refuse("an archive by a pattern that the program expands", at)
            }
            // A name with a colon lies on another machine.
            "archive" | "archive-write" if value.text.contains(':') || !value.exact && !value.globbed => {
                refuse("a file that may lie on another machine", at)
            }
            "found-type" => {
                self.plain_files = matches!(value.known(), Some("f" | "d"));
                Ok(())
            }
            // An address or the name of a service, but for the one in memory.
            "local-database" if value.text.contains(':') && value.known() != Some(":memory:") => {
                refuse("an address of a database", at)
            }
            "awk-file" if value.exact && value.text.contains('=') => Ok(()),
            "archive" | "database" | "local-database" | "awk-file" => self.role(key, "path", value, at),
            "names" if self.input == Input::Names => Ok(()),
            "placeholder" => match value.known() {
                Some(mark) if !mark.is_empty() => {
                    self.placeholder = Some(mark.to_owned());
                    Ok(())
                }
                _ => refuse("a mark of `xargs` that is computed", at),
            },
            // A pattern that the shell may expand before: to names here.
            "file-name" if value.globbed => {
                self.pattern = Some(String::new());
                self.no_dashes(at)
            }
            "file-name" if self.pattern.is_none() && value.exact => {
                let ending = value.text.rsplit(['*', '?', ']', '\\']).next();
                self.pattern = ending.map(str::to_owned);
                self.written_role(key, role, &value.text, at)
            }
            // Some take it for their output, and some make a file of that name.
            "write" | "product" | "directory" if value.known() == Some("-") => refuse("a file named `-`", at),
            "write" | "archive-write" => self.writes(value, at),
            // The names that it makes begin so.
            "prefix" => self.writes_names_from(value, at),
            // What is moved is read by another name from then on.
            "edit" | "moved" => self.changes(value, at),
            // The same code in another form.
            "formatted" => {
                self.reads(value, at)?;
                self.lies_here(value, at)?;
                self.role(key, "product", value, at)
            }
            // What the project's tools make, which nothing reads as code before they ran; a directory.
            "product" | "directory" => self.makes(value, at),
            "place" => self.place(value, at),
            "script" => {
                self.needs_code(key, at)?;
                self.script_file(value, at)?;
                self.runs_code(at)
            }
            "own-path" => self.own_path(value, at),
            "repository" | "git-directory" | "work-tree" => self.where_git_works(role, value, at),
            "own-name" if value.exact => self.own_name(&value.text, at),
            "git-object" => self.git_object(value, at),
            "pathspec" => self.pathspec(value, at),
            // Whole, links in it too; the name of one of a registry is no path here.
            "chart" if value.exact => {
                self.listed.push((value.clone(), at));
                self.written_role(key, role, &value.text, at)
            }
            _ => match value.known() {
                Some(text) => self.written_role(key, role, text, at),
                None if roles::is_computable(role) => Ok(()),
                None => {
                    refuse(format!("a value of `{}` that has to be written out", key.replace('.', " ")), at)
                }
            },
        }
    }

    fn changes(&mut self, value: &Value, at: Span) -> Proven<()> {
        self.reads(value, at)?;
        self.writes(value, at)
    }

    /// A path, or one with an ending that the program puts behind it.
    fn packed(&mut self, key: &str, value: &Value, at: Span) -> Proven<()> {
        for ending in names("packed-suffixes") {
            let Some(path) = value.known().map(|path| format!("{path}{ending}")) else { break };
            if self.absolute(&path).iter().any(|path| self.ground.files.is_there(path)) {
                self.reads(&Value::of(path), at)?;
            }
        }
        self.role(key, "path", value, at)
    }

    /// A path that the program puts into a text for a shell.
    fn shell_path(&mut self, key: &str, value: &Value, at: Span) -> Proven<()> {
        let plain = |text: &str| !text.contains(['$', '`', '"', '\'', '\\']);
        // The shell is asked for packed files alone.
        if !value.known().map_or_else(|| places::has_plain_ending(&value.ends), plain) {
            return refuse("a name that a shell reads", at);
        }
        self.role(key, "path", value, at)
    }

    /// Files of other names are made, which begin with the word.
    fn writes_names_from(&mut self, value: &Value, at: Span) -> Proven<()> {
        self.deeds.written.push(None);
        self.writes(value, at)
    }

    /// A file or directory is made that nothing in the text takes for code.
    fn makes(&mut self, value: &Value, at: Span) -> Proven<()> {
        let before = self.deeds.written.len();
        self.writes(value, at)?;
        self.deeds.written.truncate(before);
        Ok(())
    }

    /// Where an option says that git works.
    fn where_git_works(&mut self, role: &str, value: &Value, at: Span) -> Proven<()> {
        if role == "work-tree" {
            self.place(value, at)?;
        } else {
            self.repository(value, at)?;
        }
        if role == "repository" {
            let paths = value.known().map(|path| self.absolute(path));
            self.repositories.extend(paths.unwrap_or_default());
        } else {
            // Of a repository and a work tree that are named apart nothing is known but where they lie.
            self.repositories.extend(APART);
        }
        Ok(())
    }

    /// Git matches the whole path: every name that it prints ends as the pattern does.
    fn pathspec(&mut self, value: &Value, at: Span) -> Proven<()> {
        let ends = own::ending(value).filter(|_| value.text.contains('*') && !value.text.starts_with(':'));
        let alone = self.pattern.is_none();
        self.pattern = Some(ends.filter(|_| alone).unwrap_or_default());
        self.git_object(value, at)
    }

    /// A role that takes only words that are written out.
    pub(super) fn written_role(&mut self, key: &str, role: &str, text: &str, at: Span) -> Proven<()> {
        match role {
            "shell" => {
                if !is_listed("shells-like-bash", key)
                    && let Err(reason) = texts::is_read_alike(text)
                {
                    return refuse(reason, at);
                }
                self.nested(text, at)
            }
            "pytest-target" => {
                let file = text.split("::").next().unwrap_or(text);
                self.own_path(&Value::of(file), at)
            }
            "rspec-target" => {
                let file = text.split(':').next().unwrap_or(text);
                self.own_path(&Value::of(file), at)
            }
            "go-package" if text.starts_with(['/', '.']) => self.own_path(&Value::of(text), at),
            "make-target" if text.contains('=') => {
                let (name, value) = text.split_once('=').unwrap_or_default();
                self.inert(name, &Value::of(value), at)
            }
            "commit-message" if text == "-" => Ok(()),
            "commit-message" => self.reads(&Value::of(text), at),
            _ => match roles::takes(role, text) {
                Ok(()) => Ok(()),
                Err(reason) => refuse(format!("{reason} (`{}`)", key.replace('.', " ")), at),
            },
        }
    }

    /// Is it a link to what wouldn't be read by its own name?
    pub(super) fn leads_where_nothing_is_read(&self, path: &str, span: Span) -> bool {
        let target = || self.ground.files.resolve(path);
        self.ground.files.is_link(path)
            && target().is_some_and(|target| places::may_read(&target, self.ground, span).is_err())
    }

    /// A path in the project, whatever wrote it.
    fn lies_here(&self, value: &Value, at: Span) -> Proven<()> {
        let named = match value.known() {
            Some(path) => path,
            None if value.globbed => value.text.rsplit_once('/').map_or(".", |(directory, _)| directory),
            None => return refuse("changes a file whose name is computed", at),
        };
        let paths = self.absolute(named);
        if !paths.is_empty() && paths.iter().all(|path| places::leads_into_project(path, self.ground)) {
            return Ok(());
        }
        refuse("changes a file outside of the project", at)
    }

    /// A path in the project, of what its tools work on.
    pub(super) fn own_path(&mut self, value: &Value, at: Span) -> Proven<()> {
        if value.globbed && !value.exact {
            return self.place(
                &Value::of(
                    value
                        .text
                        .rsplit_once('/')
                        .map_or(".", |(directory, _)| if directory.is_empty() { "/" } else { directory }),
                ),
                at,
            );
        }
        if value.exact && value.text.contains(['*', '?', '[', '{']) {
            return self.own_pattern(&value.text, at);
        }
        if value.text.starts_with('@') {
            return refuse("a file of words", at);
        }
        self.script_file(value, at)
    }

    /// A pattern that the program expands itself: it shows the lines of whatever it finds, hidden or not.
    fn own_pattern(&mut self, pattern: &str, at: Span) -> Proven<()> {
        // What is left out is read by nobody.
        if pattern.starts_with('!') {
            return Ok(());
        }
        let first = pattern.find(['*', '?', '[', '{']).unwrap_or_default();
        let written = pattern.get(..first).unwrap_or_default();
        let directory = written.rsplit_once('/').map_or(".", |(directory, _)| directory);
        self.place(&Value::of(if directory.is_empty() { "/" } else { directory }), at)?;
        let ends = pattern.rsplit(['*', '?', ']']).next().unwrap_or_default();
        let alternatives = match ends.split_once('{').map(|(before, rest)| (before, rest.strip_suffix('}'))) {
            Some((before, Some(inner))) if !inner.contains(['{', '}']) => {
                inner.split(',').map(|one| format!("{before}{one}")).collect()
            }
            None if !ends.contains('}') => vec![ends.to_owned()],
            _ => vec![String::new()],
        };
        alternatives.into_iter().try_for_each(|ends| {
            let text = format!("{}/", directory.trim_end_matches('/'));
            self.reads(&Value { text, ends, globbed: true, deep: true, hidden: true, ..Value::default() }, at)
        })
    }

    /// A revision, a path, or a path in a revision.
    pub(super) fn git_object(&mut self, value: &Value, at: Span) -> Proven<()> {
        if !value.exact {
            return Ok(());
        }
        let path = value.text.rsplit_once(':').map_or(value.text.as_str(), |(_, path)| path);
        let named = value.text.contains(':');
        // Of a file that lies elsewhere git shows all: what its commits hold isn't asked.
        let leads_up = value.text.starts_with(['/', '~']) || value.text.split('/').any(|part| part == "..");
        if !named && leads_up {
            let paths = self.absolute(&value.text);
            if paths.is_empty() || !paths.iter().all(|path| places::leads_into_project(path, self.ground)) {
                return refuse("a file outside of the project", at);
            }
        }
        // In a work tree it may be read as well: what a tool keeps.
        let prose = path
            .rsplit('/')
            .next()
            .is_some_and(|leaf| !leaf.starts_with('.') && places::has_plain_ending(leaf));
        for part in path.split('/') {
            let hidden = part.starts_with('.') && part.trim_matches('.').len() > 1 && !part.starts_with("..");
            let known = is_listed("known-hidden", part)
                || places::hidden_by_kind(part)
                || prose && !is_listed("never-read", part);
            if hidden && !known || named && places::names_a_secret(part) {
                return refuse(format!("`{part}` is hidden or may hold a secret"), at);
            }
        }
        Ok(())
    }

    /// Git reads the configuration of the repository that it stands in, and that can name programs.
    pub(super) fn own_repository(&mut self, span: Span) -> Proven<()> {
        if self.state.directories.is_empty() {
            return refuse("a repository in a directory that isn't known", span);
        }
        for directory in self.state.directories.clone() {
            self.repository(&Value::of(directory), span)?;
        }
        Ok(())
    }

    pub(super) fn script_file(&mut self, value: &Value, at: Span) -> Proven<()> {
        let Some(path) = value.known() else { return refuse("code in a file whose name is computed", at) };
        for path in self.absolute(path) {
            let path = self.ground.files.resolve(&path).unwrap_or(path);
            let linked = path.split('/').any(|part| part == ".git");
            if !places::in_project(&path, self.ground) || linked || self.is_embedded(&path) {
                return refuse("code that lies outside of the project", at);
            }
            // A program shows the line that it doesn't understand.
            if places::is_kept(&path) {
                return refuse("a hidden or secret file for code", at);
            }
            self.deeds.loaded.push((path, at));
        }
        if self.state.directories.is_empty() {
            refuse("code in a directory that isn't known", at)
        } else {
            Ok(())
        }
    }

    pub(super) fn place(&mut self, value: &Value, at: Span) -> Proven<()> {
        let paths = value.known().map(|path| self.absolute(path)).unwrap_or_default();
        let own = |path: &String| places::leads_into_project(path, self.ground) && !self.is_embedded(path);
        let inside = !paths.is_empty() && paths.iter().all(own);
        self.placed.extend(paths);
        if inside { Ok(()) } else { refuse("works in a directory outside of the project", at) }
    }

    /// The directory of a repository: the project's, or one below a home.
    pub(super) fn repository(&mut self, value: &Value, at: Span) -> Proven<()> {
        let Some(path) = value.known() else { return refuse("a repository whose name is computed", at) };
        // Git goes up from where a link leads.
        let real = |path: String| self.ground.files.resolve(&path).unwrap_or(path);
        let paths: Vec<String> = self.absolute(path).into_iter().map(real).collect();
        // Git reads what is named for its directory, also where that is a file.
        if paths.iter().any(|path| places::is_kept(path)) {
            return refuse("a hidden or secret file for a repository", at);
        }
        let is_file =
            |path: &String| self.ground.files.is_there(path) && self.ground.files.names(path, 1).is_empty();
        if paths.iter().any(is_file) {
            return refuse("a file in the place of a repository, which may lead to another one", at);
        }
        let trusted = |path: &String| {
            let temporary = self.ground.temporary.iter().any(|root| places::lies_in(path, root));
            let shared = names("shared-roots").any(|root| places::lies_in(path, root));
            places::in_project(path, self.ground) || !temporary && !shared && persons(path)
        };
        if !paths.is_empty() && paths.iter().all(trusted) {
            return match paths.iter().find(|path| self.is_embedded(path)) {
                Some(_) => {
                    refuse("a repository inside of the project: its configuration can name programs", at)
                }
                None => Ok(()),
            };
        }
        refuse("a repository of another place: its configuration can name programs", at)
    }

    /// Does a directory of the project belong to a repository of its own?
    pub(super) fn is_embedded(&self, path: &str) -> bool {
        let mut directory = path;
        while places::in_project(directory, self.ground) && directory != self.ground.project {
            let named = |name: &str| self.ground.files.is_there(&format!("{directory}/{name}"));
            if !self.ground.also_project.iter().any(|root| root == directory)
                && (named(".git") || named("HEAD") && (named("objects") || named("commondir")))
            {
                return true;
            }
            directory = directory.rsplit_once('/').map_or("", |(above, _)| above);
        }
        false
    }

    pub(super) fn written_out(&self, key: &str, arguments: &[Argument]) -> Proven<()> {
        for (value, at) in arguments {
            if !value.exact || value.splits {
                return refuse(format!("`{}` sends a word that is computed", key.replace('.', " ")), *at);
            }
        }
        if self.input != Input::Own {
            let at = arguments.first().map_or_else(Span::default, |(_, at)| *at);
            return refuse(format!("`{}` is fed and talks to a service", key.replace('.', " ")), at);
        }
        Ok(())
    }
}

/// Not hidden. Git itself takes only the configuration of repositories that belong to the person who calls it.
fn persons(path: &str) -> bool {
    !path.split('/').any(|part| part.starts_with('.') && !is_listed("known-hidden", part))
}
