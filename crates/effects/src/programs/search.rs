//! `find` and `fd`: what they do to what they find.

use std::collections::BTreeSet;

use super::carriers::replaced;
use super::search_names::{Name, acted_on};
use crate::context::Context;
use crate::effect::{Effect, Kind, Place, Target, Unknown};
use crate::field::Field;
use crate::knowledge::Matched;
use crate::paths;

/// How many words a primary of `find` takes; `None` for one that does not exist.
fn arity(primary: &str) -> Option<usize> {
    Some(match primary {
        "-a"
        | "-and"
        | "-o"
        | "-or"
        | "-not"
        | "!"
        | "("
        | ")"
        | ","
        | "-d"
        | "-daystart"
        | "-depth"
        | "-empty"
        | "-executable"
        | "-false"
        | "-follow"
        | "-ignore_readdir_race"
        | "-noignore_readdir_race"
        | "-ls"
        | "-mount"
        | "-nogroup"
        | "-nouser"
        | "-noleaf"
        | "-nowarn"
        | "-print"
        | "-print0"
        | "-prune"
        | "-quit"
        | "-readable"
        | "-true"
        | "-warn"
        | "-writable"
        | "-xdev"
        | "-delete"
        | "-x"
        | "-s"
        | "-E"
        | "-X" => 0,
        "-amin" | "-anewer" | "-atime" | "-cmin" | "-cnewer" | "-context" | "-ctime" | "-fstype" | "-gid"
        | "-group" | "-ilname" | "-iname" | "-inum" | "-ipath" | "-iregex" | "-iwholename" | "-links"
        | "-lname" | "-maxdepth" | "-mindepth" | "-mmin" | "-mtime" | "-name" | "-newer" | "-path"
        | "-perm" | "-printf" | "-regex" | "-regextype" | "-samefile" | "-size" | "-type" | "-uid"
        | "-used" | "-user" | "-wholename" | "-xtype" | "-files0-from" | "-fls" | "-fprint" | "-fprint0"
        | "-flags" | "-Bmin" | "-Btime" => 1,
        "-fprintf" => 2,
        _ if primary.starts_with("-newer") => 1,
        _ => return None,
    })
}

/// `find PATHS EXPRESSION`
pub(crate) fn find(context: &mut Context<'_>, call: &Matched<'_>) {
    let (mut starts, expression) = parted(call.arguments);
    if starts.is_empty() {
        starts.push(Field::of(".", call.span));
    }
    if call.arguments.iter().any(|word| matches!(word.written.as_str(), "-L" | "-follow")) {
        let linked: Vec<Field> = starts.iter().flat_map(|start| context.links_below(start)).collect();
        starts.extend(linked);
    }
    for start in &starts {
        context.path(Kind::Read, start);
    }
    let names = names(expression);
    if names.is_none() {
        context.unknown(Unknown::Unparsed, call.span);
        context.annotate("more names than are followed");
    }
    let mut names = names.unwrap_or_default();
    let only_some = names.is_empty() && is_narrowed(expression);
    if only_some {
        names.push(Name::plain(SOME));
    }
    looks_for_secrets(context, &starts, expression);
    let with_repositories = only_some && takes_hidden(expression);
    let search = Search { starts, names, only_some, with_repositories };
    let mut at = 0;
    while let Some(word) = expression.get(at) {
        at += 1;
        match word.written.as_str() {
            "-delete" => search.delete(context),
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                at += search.run(context, word, expression.get(at..).unwrap_or_default());
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(file) = expression.get(at) {
                    context.path(Kind::Write, file);
                }
                at += arity(&word.written).unwrap_or(1);
            }
            "-files0-from" => {
                if let Some(file) = expression.get(at) {
                    context.path(Kind::Read, file);
                    // A name that isn't there is shown in the complaint about it.
                    if context.is_secret_file(file) {
                        context.effect(Kind::SecretRead);
                    }
                }
                at += 1;
            }
            text => match arity(text) {
                Some(count) => at += count,
                None => {
                    context.unknown_about(Unknown::Program, Some(Target::Name(text.to_owned())), word.span);
                }
            },
        }
    }
}

/// `find / -name id_rsa`: where somebody keeps their keys is what is asked for, whatever is done with it then.
fn looks_for_secrets(context: &mut Context<'_>, starts: &[Field], expression: &[Field]) {
    let aside = |start: &Field| {
        let place = context.resolve_one(start).map(|path| paths::place_of(&path, context.places()));
        place.is_none_or(|place| matches!(place, Place::Project | Place::Temporary | Place::Null))
    };
    // `.aws` and `credentials` are a secret only together.
    let names_secret = |name: &Field| {
        let text = name.text().filter(|text| !text.contains(['*', '?', '[', '/']));
        text.is_some_and(|text| {
            starts.iter().filter_map(Field::text).any(|start| {
                let path = format!("{}/{text}", start.trim_end_matches('/'));
                context.is_secret_file(&Field::of(path, name.span))
            })
        })
    };
    let is_secret = |pair: &[Field]| match pair {
        [test, name] => matches!(test.written.as_str(), "-name" | "-iname") && names_secret(name),
        _ => false,
    };
    if !starts.iter().all(aside) && expression.windows(2).any(is_secret) {
        context.effect(Kind::SecretRead);
        context.annotate("which it looks for outside of the project");
    }
}

/// The roots that are named, and the expression behind them.
fn parted(arguments: &[Field]) -> (Vec<Field>, &[Field]) {
    let mut first = 0;
    while let Some(word) = arguments.get(first) {
        match word.written.as_str() {
            "-H" | "-L" | "-P" => first += 1,
            "-D" => first += 2,
            text if text.starts_with("-O") => first += 1,
            _ => break,
        }
    }
    let rest = arguments.get(first..).unwrap_or_default();
    let roots = rest.iter().position(is_expression).unwrap_or(rest.len());
    let (roots, expression) = rest.split_at(roots);
    (roots.to_vec(), expression)
}

/// What a call of `find` looks for, and where.
struct Search {
    starts: Vec<Field>,
    names: Vec<Name>,
    /// It finds a part of what lies there, and no name says which.
    only_some: bool,
    /// Nothing keeps it from what a repository is made of.
    with_repositories: bool,
}

impl Search {
    /// The repositories that lie right where it starts: some of what they are made of is found as well, and none can do without.
    fn repositories(&self, context: &Context<'_>) -> Vec<Field> {
        let repository = |start: &Field| {
            let text = format!("{}/.git", start.text()?.trim_end_matches('/'));
            let field = Field::of(text, start.span);
            let path = context.resolve_one(&field)?;
            context.world().entry(&path).map(|_| field)
        };
        let starts = self.starts.iter().filter(|_| self.with_repositories);
        starts.filter_map(repository).collect()
    }

    fn delete(&self, context: &mut Context<'_>) {
        for repository in self.repositories(context) {
            context.possibly(|context| context.tree(Kind::Delete, &repository));
        }
        for start in &self.starts {
            let found = found(start, &self.names);
            if found.is_empty() {
                context.tree(Kind::Delete, start);
            }
            for found in &found {
                context.path(Kind::Delete, found);
            }
        }
    }

    /// Runs the command behind `-exec` and its like for what is found. Returns how many words it takes, its end included.
    fn run(&self, context: &mut Context<'_>, word: &Field, rest: &[Field]) -> usize {
        if word.written.starts_with("-ok") {
            context.doubt(word.span, "asks a person before it runs something");
        }
        let first = context.found.effects.len();
        let ends = |(index, field): (usize, &Field)| {
            let last = index.checked_sub(1).and_then(|last| rest.get(last));
            field.is(";") || (field.is("+") && last.is_some_and(|last| last.is("{}")))
        };
        let length = rest.iter().enumerate().position(ends).unwrap_or_else(|| {
            // Without its end `find` refuses all of it: a shell took it for its own `;`. A word that isn't known may bring one.
            if !rest.iter().all(|field| field.text().is_some()) {
                context.unknown(Unknown::Program, word.span);
            }
            rest.len()
        });
        let command = rest.get(..length).unwrap_or_default();
        // In a text with quotes a pattern would be a name, and no longer stand for what lies below the root.
        let embedded = command.iter().any(|field| field.written.contains("{}") && !field.is("{}"));
        for start in &self.starts {
            let anywhere = self.only_some && embedded && start.is("/");
            let named = if anywhere { Vec::new() } else { found(start, &self.names) };
            let items = if named.is_empty() { std::slice::from_ref(start) } else { &named };
            let before = context.found.effects.len();
            // It runs where it finds something, which need not be named.
            let inside = matches!(word.written.as_str(), "-execdir" | "-okdir")
                && !command.iter().any(|field| field.written.contains("{}"));
            if inside {
                context.possibly(|context| {
                    context.in_directory(start, |context| context.run_command(command));
                });
            }
            for item in items {
                let fields: Vec<Field> = command.iter().map(|field| replaced(field, "{}", item)).collect();
                context.run_command(&fields);
            }
            if named.is_empty() {
                takes_all_below(context, before);
            }
        }
        for repository in self.repositories(context) {
            let fields: Vec<Field> = command.iter().map(|field| replaced(field, "{}", &repository)).collect();
            let before = context.found.effects.len();
            context.possibly(|context| context.run_command(&fields));
            keep_losses(context, before, &repository);
            takes_all_below(context, before);
        }
        let remote = |effect: &Effect| effect.kind == Kind::RemoteRead;
        if context.found.effects.iter().skip(first).any(remote) {
            context.doubt(word.span, "asks a remote service as often as files are found");
        }
        // A carrier inside has holes of its own. Whether a find fills them is up to it.
        let nested = |field: &Field| {
            let text = field.written.as_str();
            text.contains("{}") && CARRIERS.iter().any(|carrier| text.contains(carrier))
        };
        if command.iter().any(nested) {
            context.possibly(|context| context.run_command(command));
        }
        length + 1
    }
}

/// What the text of a command with holes of its own holds.
const CARRIERS: [&str; 4] = ["-exec", "-ok", "xargs", "parallel"];

fn is_expression(word: &Field) -> bool {
    let text = word.written.as_str();
    (text.starts_with('-') && text.len() > 1) || matches!(text, "(" | ")" | "!" | ",")
}

/// The names of what is acted on; `None` where they are too many.
fn names(expression: &[Field]) -> Option<Vec<Name>> {
    let acts = |word: &str| {
        is_action(word) || matches!(word, "-printf" | "-ls" | "-fprint" | "-fprint0" | "-fls" | "-fprintf")
    };
    acted_on(expression, acts, arity)
}

/// Some of what lies in a directory, nobody knows which: a glob that is none of those that stand for everything.
const SOME: &str = "*?";

/// A glob for some that are nobody knows which.
pub(crate) fn some(call: &Matched<'_>) -> Field {
    Field { pattern: true, ..Field::of(SOME, call.span) }
}

/// What the paths have in common that a search prints: a name, or that they are only some of those that lie there.
pub(crate) fn printed(call: &Matched<'_>) -> Option<Field> {
    match call.program {
        "fd" => {
            let name = wanted(call, call.operands.len())?;
            Some(Field { pattern: true, ..Field::of(name, call.span) })
        }
        "find" => {
            let (_, expression) = parted(call.arguments);
            let names = names(expression).unwrap_or_default();
            let names: Vec<Field> = names.iter().map(|name| Field::of(name.anywhere(), call.span)).collect();
            in_common(&names).or_else(|| is_narrowed(expression).then(|| some(call)))
        }
        _ => None,
    }
}

/// May what is found be part of a repository: does no test say what it must be, where it must not be, or how deep at most?
fn takes_hidden(expression: &[Field]) -> bool {
    let says = |word: &Field| {
        let word = word.written.as_str();
        word.contains(".git")
            || word.contains("/.*")
            || matches!(
                word,
                "-empty" | "-xtype" | "-inum" | "-samefile" | "-prune" | "-maxdepth" | "-executable"
            )
            || matches!(word, "-lname" | "-ilname" | "-links" | "-nouser" | "-nogroup")
    };
    let is_name = |word: &Field| {
        matches!(
            word.written.as_str(),
            "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-iwholename" | "-regex" | "-iregex"
        )
    };
    let (mut named, mut negated, mut depth, mut negated_at) = (false, false, 0_usize, None);
    for word in expression {
        match word.written.as_str() {
            "!" | "-not" => negated = !negated,
            "(" => {
                depth += 1;
                if std::mem::take(&mut negated) && negated_at.is_none() {
                    negated_at = Some(depth);
                }
            }
            ")" => {
                negated_at = negated_at.filter(|at| *at != depth);
                depth = depth.saturating_sub(1);
            }
            _ => named |= is_name(word) && !std::mem::take(&mut negated) && negated_at.is_none(),
        }
    }
    !named && !expression.iter().any(says)
}

/// Does each alternative of the expression test something before it acts that everything rarely has: a name that it
/// must not have, a time, a size, an owner?
fn is_narrowed(expression: &[Field]) -> bool {
    let tests = |word: &Field| {
        let text = word.written.as_str();
        matches!(
            text,
            "-empty"
                | "-size"
                | "-mtime"
                | "-atime"
                | "-ctime"
                | "-mmin"
                | "-amin"
                | "-cmin"
                | "-xtype"
                | "-inum"
                | "-regex"
                | "-iregex"
                | "-path"
                | "-ipath"
                | "-wholename"
                | "-iwholename"
                | "-user"
                | "-uid"
                | "-group"
                | "-gid"
                | "-perm"
                | "-links"
                | "-lname"
                | "-ilname"
                | "-samefile"
                | "-nouser"
                | "-nogroup"
                | "-executable"
                | "-used"
                | "-name"
                | "-iname"
        ) || text.starts_with("-newer")
    };
    let all = |value: &Field| matches!(value.text(), None | Some("*" | "**" | "./*" | ".*" | "." | "/*"));
    expression.split(|word| matches!(word.written.as_str(), "-o" | "-or" | ",")).all(|branch| {
        let end = branch.iter().position(|word| is_action(&word.written)).unwrap_or(branch.len());
        let before = branch.get(..end).unwrap_or_default();
        let prunes = end == branch.len() && before.iter().any(|word| word.is("-prune"));
        prunes
            || before.iter().enumerate().any(|(at, word)| {
                tests(word) && (arity(&word.written) == Some(0) || !before.get(at + 1).is_none_or(all))
            })
    })
}

fn is_action(word: &str) -> bool {
    matches!(word, "-delete" | "-exec" | "-execdir" | "-ok" | "-okdir" | "-print" | "-print0")
}

/// One pattern for all of these names: how they begin, one of the next characters, and what follows.
pub(crate) fn in_common(names: &[Field]) -> Option<Field> {
    let (first, rest) = names.split_first()?;
    if rest.is_empty() {
        return Some(first.clone());
    }
    let texts: Vec<&str> = names.iter().map(Field::text).collect::<Option<_>>()?;
    let mut prefix = first.text()?;
    while !texts.iter().all(|text| text.starts_with(prefix)) {
        prefix = prefix.get(..prefix.char_indices().next_back()?.0)?;
    }
    let next: Option<BTreeSet<char>> = texts
        .iter()
        .map(|text| text.get(prefix.len()..)?.chars().next().filter(char::is_ascii_alphanumeric))
        .collect();
    let text = match next {
        Some(next) => format!("{prefix}[{}]*", next.into_iter().collect::<String>()),
        None if prefix.contains(char::is_alphanumeric) => format!("{prefix}*"),
        None => return None,
    };
    Some(Field { pattern: true, ..Field::of(text, first.span) })
}

/// What of these names is found below a start.
fn found(start: &Field, names: &[Name]) -> Vec<Field> {
    let Some(base) = start.text() else { return Vec::new() };
    let base = base.strip_suffix('/').unwrap_or(base);
    let below = |name: &Name| {
        // A path that can't lie there, as far as one sees, is still only some of what does.
        let rest = name.below(base).unwrap_or_else(|| format!("**/{SOME}"));
        let path = format!("{base}/{rest}");
        Field { pattern: true, ..Field::of(path, start.span) }
    };
    names.iter().map(below).collect()
}

/// `fd PATTERN PATHS -x COMMAND`
pub(crate) fn fd(context: &mut Context<'_>, call: &Matched<'_>) {
    let carries = ["--exec", "--exec-batch"].iter().find_map(|name| call.option(name));
    let Some(option) = carries else { return context.standard(call) };
    let command = call.arguments.get(option.index + 1..).unwrap_or_default();
    let before = call.operands.len().saturating_sub(command.len());
    let searched = call.operands.get(1..before).unwrap_or_default();
    let base = searched.first().and_then(Field::text).map_or(".", |path| path.trim_end_matches('/'));
    let mut item = match wanted(call, before) {
        Some(name) => Field::of(format!("{base}/**/{name}"), call.span),
        None => Field::of(format!("{base}/**"), call.span),
    };
    item.pattern = true;
    for path in searched {
        context.path(Kind::Read, path);
    }
    let end = command.iter().position(|field| field.is(";")).unwrap_or(command.len());
    let command = command.get(..end).unwrap_or_default();
    let marked = command.iter().any(|field| field.written.contains("{}"));
    let mut fields: Vec<Field> = command.iter().map(|field| replaced(field, "{}", &item)).collect();
    if !marked {
        fields.push(item);
    }
    context.run_command(&fields);
}

/// What `fd` finds, as a glob: names with its pattern in them, an ending, or some that are nobody knows which.
fn wanted(call: &Matched<'_>, operands: usize) -> Option<String> {
    let pattern = call.operands.first().filter(|_| operands > 0).and_then(Field::text);
    let plain = |text: &&str| {
        text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    };
    if let Some(pattern) = pattern.filter(plain) {
        return Some(format!("*{}*", pattern.replace('.', "?")));
    }
    if let Some(ending) = call.value("--extension").and_then(Field::text) {
        return Some(format!("*.{}", ending.trim_start_matches('.')));
    }
    let narrows = ["--size", "--changed-within", "--changed-before", "--owner"];
    let several = pattern.is_some_and(|text| !matches!(text, "" | "." | ".*" | "*"));
    (several || narrows.iter().any(|name| call.has(name))).then(|| SOME.to_owned())
}

/// Deleted one by one, what lies below is gone as a whole. In the project, and where all is temporary, a search without
/// a name is most likely narrowed by something else.
fn takes_all_below(context: &mut Context<'_>, first: usize) {
    for effect in context.found.effects.iter_mut().skip(first) {
        let elsewhere = matches!(&effect.target, Some(Target::Path(fact))
            if !matches!(fact.place, Place::Project | Place::Temporary | Place::Null));
        if elsewhere && matches!(effect.kind, Kind::Delete | Kind::Destroy) {
            effect.recursive = true;
        }
    }
}

/// Keeps what loses something: who may read a repository's files, and that they are read, changes none of them.
fn keep_losses(context: &mut Context<'_>, first: usize, repository: &Field) {
    let repository = context.resolve_one(repository);
    let found = context.found.effects.split_off(first.min(context.found.effects.len()));
    let loses = |effect: &Effect| {
        let within = match (&effect.target, &repository) {
            (Some(Target::Path(fact)), Some(repository)) => paths::is_within(&fact.path, repository),
            _ => false,
        };
        within
            && matches!(effect.kind, Kind::Delete | Kind::Destroy | Kind::Move | Kind::Write | Kind::Append)
    };
    context.found.effects.extend(found.into_iter().filter(loses));
}
