//! What the client does with a call by itself, before and after any hook.

use hookgate_agents::{Event, PermissionMode, ToolCall};
use hookgate_effects::Places;

use super::command::CommandPattern;
use super::programs::{self, Known};
use super::rule::{List, Rule, What};
use super::settings::Settings;
use super::split::{File, Place, Simple, Split, split};

/// What the client's permission rules do with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading<'a> {
    /// A deny rule: the call does not run.
    Deny(&'a Rule),
    /// An ask rule: the person is asked.
    Ask(&'a Rule),
    /// Allow rules, or the client's own list of harmless commands: the call runs.
    Allow,
    /// No rule: the mode decides.
    Nothing,
}

/// What the client does with the event's call by itself.
#[must_use]
pub(crate) fn reading<'a>(event: &Event, settings: &'a Settings, places: &Places) -> Reading<'a> {
    let Some(call) = event.tool() else { return Reading::Nothing };
    let subject = Subject::of(call, places);
    match subject.stopped(settings, call, places) {
        Some(rule) if rule.list == List::Deny => return Reading::Deny(rule),
        Some(rule) => return Reading::Ask(rule),
        None => {}
    }
    if event.permission_mode == Some(PermissionMode::BypassPermissions)
        || subject.is_granted(settings, call, places)
    {
        Reading::Allow
    } else {
        Reading::Nothing
    }
}

/// What of a call the client compares with its rules.
enum Subject {
    /// Commands; `None` where the client can't read the text.
    Shell(Option<Split>),
    Read(Vec<String>),
    Edit(String),
    Host(String),
    Name(String),
    Other,
}

impl Subject {
    fn of(call: &ToolCall, places: &Places) -> Subject {
        let path = |key: &str| call.text(key).map(|path| absolute(path, places));
        match call.name.as_str() {
            "Bash" | "Monitor" => Subject::Shell(split(call.text("command").unwrap_or_default())),
            "Read" => Subject::Read(path("file_path").into_iter().collect()),
            "Grep" | "Glob" => Subject::Read(path("path").into_iter().collect()),
            "Edit" | "MultiEdit" | "Write" => path("file_path").map_or(Subject::Other, Subject::Edit),
            "NotebookEdit" => path("notebook_path").map_or(Subject::Other, Subject::Edit),
            "WebFetch" => Subject::Host(host(call.text("url").unwrap_or_default())),
            "Agent" | "Task" => Subject::Name(call.text("subagent_type").unwrap_or_default().to_owned()),
            "Skill" => Subject::Name(
                call.text("skill").or_else(|| call.text("command")).unwrap_or_default().to_owned(),
            ),
            _ => Subject::Other,
        }
    }

    /// The deny or ask rule that the client applies.
    ///
    /// For each command a rule that names it comes before one whose pattern matches it, so that an ask for
    /// `git push origin` stands before a denial of `git *`.
    fn stopped<'a>(&self, settings: &'a Settings, call: &ToolCall, places: &Places) -> Option<&'a Rule> {
        let hit = |list| settings.consulted(list).find(|rule| self.is_hit_by(rule, call, places));
        let Subject::Shell(Some(split)) = self else { return hit(List::Deny).or_else(|| hit(List::Ask)) };
        let mut asks = None;
        for command in &split.commands {
            let texts = command.texts();
            let by = |list, test: &dyn Fn(&CommandPattern, &str) -> bool| {
                settings.consulted(list).find(|rule| match &rule.what {
                    What::Command(pattern) => {
                        rule.is_about(&call.name) && texts.iter().any(|text| test(pattern, text))
                    }
                    _ => false,
                })
            };
            let matched = &CommandPattern::matches;
            let named: &dyn Fn(&CommandPattern, &str) -> bool =
                &|pattern, text| !command.is_nested && !command.is_behind_another() && pattern.names(text);
            let rule = by(List::Deny, named)
                .or_else(|| by(List::Ask, named))
                .or_else(|| by(List::Deny, matched))
                .or_else(|| by(List::Ask, matched));
            match rule {
                Some(rule) if rule.list == List::Deny => return Some(rule),
                Some(rule) => asks = asks.or(Some(rule)),
                None => {}
            }
        }
        match hit(List::Deny) {
            // What stands against a named ask has been weighed above.
            Some(rule) if asks.is_none() || !matches!(rule.what, What::Command(_)) => Some(rule),
            _ => asks.or_else(|| hit(List::Ask)),
        }
    }

    /// Does the client find that this deny or ask rule matches?
    fn is_hit_by(&self, rule: &Rule, call: &ToolCall, places: &Places) -> bool {
        let is_about_tool = rule.is_about(&call.name);
        match (&rule.what, self) {
            (What::Everything, _) => is_about_tool,
            (What::Parameter(..), _) => is_about_tool && rule.matches_parameter(call),
            (What::Command(pattern), Subject::Shell(Some(split))) => {
                is_about_tool
                    && split.commands.iter().flat_map(Simple::texts).any(|text| pattern.matches(&text))
            }
            (What::Command(pattern), Subject::Shell(None)) => {
                is_about_tool && pattern.matches(call.text("command").unwrap_or_default().trim())
            }
            // The client asks about files only where a tool for files names them, and denies those of known commands.
            (What::Path(pattern), Subject::Shell(Some(split))) if rule.list == List::Deny => {
                // Where the text has gone elsewhere, the client asks: that is no denial.
                let covers = |file: &File| {
                    file.place == Place::Here && pattern.covers(&absolute(&file.path, places), false, places)
                };
                let (reads, writes) = files(split);
                let is_written = writes.iter().any(covers);
                if rule.tool == "Read" { is_written || reads.iter().any(covers) } else { is_written }
            }
            (What::Path(pattern), Subject::Read(paths)) if rule.tool == "Read" => {
                paths.iter().any(|path| pattern.covers(path, false, places))
            }
            (What::Path(pattern), Subject::Edit(path)) => {
                let applies = rule.tool == "Edit" || (rule.list == List::Deny && call.name != "NotebookEdit");
                applies && pattern.covers(path, false, places)
            }
            (What::Domain(domain), Subject::Host(host)) => is_about_tool && domain_matches(domain, host),
            (What::Name(name), Subject::Name(called)) => is_about_tool && name == called,
            _ => false,
        }
    }

    /// Do allow rules, or the client's own list of harmless commands, cover the call?
    fn is_granted(&self, settings: &Settings, call: &ToolCall, places: &Places) -> bool {
        let mut allows = settings.consulted(List::Allow);
        let rule_hits = |rule: &Rule| self.is_hit_by(rule, call, places);
        match self {
            Subject::Shell(Some(split)) => {
                let is_allowed = |command: &Simple| {
                    let text = command.granted_text();
                    // A word with blanks in it is not what a rule with these words is about.
                    let is_plain = command.words.iter().all(|word| !word.contains(char::is_whitespace));
                    let by_rule = settings.consulted(List::Allow).any(|rule| match &rule.what {
                        What::Everything => rule.is_about(&call.name),
                        What::Command(pattern) if rule.is_about(&call.name) => {
                            let is_as_written =
                                command.variables.is_empty() && pattern.matches(&command.written);
                            !pattern.is_open()
                                && (is_as_written
                                    || is_plain && text.as_ref().is_some_and(|text| pattern.matches(text)))
                        }
                        _ => false,
                    });
                    ((by_rule && !changes_files(command.innermost()))
                        || (text.is_some() && is_harmless(command)))
                        && stays_inside(command, settings, places)
                };
                !split.needs_approval
                    && !may_be_stopped(settings, call)
                    && split.outputs.is_empty()
                    && split.inputs.iter().all(|input| {
                        located(input, places).is_some_and(|path| {
                            below(&path, &places.cwd) || is_additional(&path, settings, places)
                        })
                    })
                    && goes_nowhere_else(split, settings, places)
                    && !split.commands.is_empty()
                    && split.commands.iter().all(is_allowed)
            }
            Subject::Shell(None) => false,
            // Inside of the session's directory the client reads without a rule.
            Subject::Read(paths) => {
                paths.iter().all(|path| is_within(path, settings, places)) || allows.any(rule_hits)
            }
            _ => allows.any(rule_hits),
        }
    }
}

/// Does a deny or ask rule match the text as a whole, or is it timed? The client was seen to compare some texts of several
/// commands so and others not, and to want what stands behind `time` or holds a tab approved: no denial can be counted on
/// there, and no grant either.
fn may_be_stopped(settings: &Settings, call: &ToolCall) -> bool {
    let whole = call.text("command").unwrap_or_default().trim();
    let mut rules = settings.list(List::Deny).chain(settings.list(List::Ask));
    // `echo "$?"` is asked about, though `echo "$HOME"` is not.
    let special = |(at, _): (usize, &str)| {
        whole.get(at + 1..).unwrap_or_default().starts_with(['?', '$', '!', '#', '@', '*', '-'])
    };
    whole.contains('\t')
        || whole.match_indices('$').any(special)
        || whole.split_whitespace().any(|word| word == "time")
        || rules.any(|rule| {
            rule.is_about(&call.name)
                && matches!(&rule.what, What::Command(pattern) if pattern.matches(whole))
        })
}

/// Is it in a directory of the session, one that the settings add included?
fn is_within(path: &str, settings: &Settings, places: &Places) -> bool {
    below(path, &places.project) || below(path, &places.cwd) || is_additional(path, settings, places)
}

fn is_additional(path: &str, settings: &Settings, places: &Places) -> bool {
    let directories = &settings.additional_directories;
    directories.iter().any(|directory| below(path, &from(directory, &places.project, places)))
}

/// After `cd` the client looks at paths where they really are: does everything stay in the session's directories, and away
/// from what a denial of files covers?
fn goes_nowhere_else(split: &Split, settings: &Settings, places: &Places) -> bool {
    if split.commands.iter().all(|command| command.place == Place::Here)
        && split.inputs.iter().all(|input| input.place == Place::Here)
    {
        return true;
    }
    let stays = |command: &Simple| match directory(&command.place, places) {
        Some(directory) => is_within(&directory, settings, places),
        None => false,
    };
    let (reads, writes) = files(split);
    let is_free = |file: &File| {
        let Some(path) = located(file, places) else { return false };
        !settings.list(List::Deny).any(|rule| match &rule.what {
            What::Path(pattern) => pattern.covers(&path, false, places),
            _ => false,
        })
    };
    split.commands.iter().all(stays)
        && reads.iter().chain(&writes).filter(|file| file.place != Place::Here).all(is_free)
}

/// Does a command that reads files name only such as lie in the session's directories? Of others the client wants the path
/// approved, whatever allows the command.
fn stays_inside(command: &Simple, settings: &Settings, places: &Places) -> bool {
    let Some((program, arguments)) = command.innermost().split_first() else { return true };
    let says = |what| programs::says(Known::Programs, program, what);
    let of_subcommand = || {
        let first = arguments.iter().find(|argument| !argument.starts_with('-'));
        says("subcommands") && first.is_some_and(|first| programs::says_of(program, first, "reads"))
    };
    if !(says("reads") || says("searches") || of_subcommand()) {
        return true;
    }
    let Some(directory) = directory(&command.place, places) else { return false };
    arguments.iter().all(|argument| {
        let path = match argument.strip_prefix("--") {
            Some(option) => option.split_once('=').map_or("", |(_, value)| value),
            None if argument.starts_with('-') => argument.get(2..).unwrap_or_default(),
            None => argument,
        };
        let bare = path.replace("$PWD/", "").replace("${PWD}/", "");
        if bare.contains('$') || (bare.starts_with('~') && bare != "~" && !bare.starts_with("~/")) {
            return false;
        }
        let leaves = bare.starts_with(['/', '~']) || bare.split('/').any(|part| part == "..");
        !leaves || is_within(&from(path, &directory, places), settings, places)
    })
}

/// The directory of a place; `None` where it can't be known.
fn directory(place: &Place, places: &Places) -> Option<String> {
    match place {
        Place::Here => Some(places.cwd.clone()),
        Place::Gone(steps) => {
            Some(steps.iter().fold(places.cwd.clone(), |directory, step| from(step, &directory, places)))
        }
        Place::Unknown => None,
    }
}

/// The file from the root, where it is named.
fn located(file: &File, places: &Places) -> Option<String> {
    Some(from(&file.path, &directory(&file.place, places)?, places))
}

fn below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path from the root, dots resolved.
pub(crate) fn absolute(path: &str, places: &Places) -> String {
    from(path, &places.cwd, places)
}

/// The path from the root as it is meant in a directory, dots resolved.
fn from(path: &str, directory: &str, places: &Places) -> String {
    let joined = match path.strip_prefix("~/") {
        Some(rest) => format!("{}/{rest}", places.home),
        None if path == "~" => places.home.clone(),
        None if path.starts_with('/') => path.to_owned(),
        None => format!("{directory}/{}", path.replace("$PWD/", "").replace("${PWD}/", "")),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The host of an address, in lower case.
pub(crate) fn host(url: &str) -> String {
    let behind = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = behind.split(['/', '?', '#']).next().unwrap_or("");
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    host.trim_end_matches('.').to_ascii_lowercase()
}

/// `example.com`, `*.example.com` (what is below it only), `api.*.com` (one label).
pub(crate) fn domain_matches(pattern: &str, host: &str) -> bool {
    if let Some(parent) = pattern.strip_prefix("*.").filter(|parent| !parent.contains('*')) {
        return host.strip_suffix(parent).is_some_and(|below| below.len() > 1 && below.ends_with('.'));
    }
    let (mut labels, mut patterns) = (host.split('.'), pattern.split('.'));
    loop {
        match (patterns.next(), labels.next()) {
            (None, None) => return true,
            (Some("*"), Some(_)) => {}
            (Some(pattern), Some(label)) if pattern == label => {}
            _ => return false,
        }
    }
}

/// The files that the client sees commands read and change.
fn files(split: &Split) -> (Vec<File>, Vec<File>) {
    let (mut reads, mut writes) = (split.inputs.clone(), split.outputs.clone());
    for command in &split.commands {
        // `sudo` and its like are no commands that it knows.
        let hides = |first: &String| programs::says(Known::Wrappers, first, "no-files");
        if command.is_nested || command.words.first().is_some_and(hides) {
            continue;
        }
        let Some((program, arguments)) = command.innermost().split_first() else { continue };
        let file = |path: &String| File { path: path.clone(), place: command.place.clone() };
        let operands: Vec<File> =
            arguments.iter().filter(|argument| !argument.starts_with('-')).map(file).collect();
        let says = |what| programs::says(Known::Programs, program, what);
        if says("changes") || programs::has_option(Known::InPlaceOptions, program, arguments) {
            writes.extend(operands.iter().cloned());
        }
        if says("reads") {
            reads.extend(operands);
        } else if says("subcommands")
            && let Some(subcommand) = operands.first()
            && programs::says_of(program, &subcommand.path, "reads")
        {
            reads.extend(operands.into_iter().skip(1));
        }
    }
    (reads, writes)
}

/// Does the client want the path of this command approved, whatever rule allows the command?
fn changes_files(words: &[String]) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    programs::says(Known::Programs, program, "changes")
        || programs::has_option(Known::ChangingOptions, program, arguments)
}

/// Is it one of the commands that the client runs without a rule?
pub(crate) fn is_harmless(command: &Simple) -> bool {
    // Only the plainest wrappers are looked behind, and a path is no name.
    if command.word.contains('/')
        || !command.variables.iter().all(|name| name == "LANG" || name == "NODE_ENV")
    {
        return false;
    }
    let Some((program, rest)) = command.plainly_unwrapped().split_first() else { return false };
    let says = |what| programs::says(Known::Programs, program, what);
    if says("harmless") {
        let has_operand = rest.iter().any(|argument| !argument.starts_with('-'));
        return !programs::has_option(Known::ChangingOptions, program, rest)
            && programs::stays_harmless(program, rest)
            && !(says("no-operands") && has_operand);
    }
    says("subcommands")
        && rest.split_first().is_some_and(|(subcommand, more)| {
            let says = |what| programs::says_of(program, subcommand, what);
            let is_known = || programs::stays_harmless(&format!("{program}:{subcommand}"), more);
            (says("harmless") && is_known()) || (more.is_empty() && says("alone"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_stand_for_hosts_labels_and_what_is_below_them() {
        assert!(domain_matches("example.com", "example.com"));
        assert!(!domain_matches("example.com", "a.example.com"));
        assert!(domain_matches("*.example.com", "a.b.example.com"));
        assert!(!domain_matches("*.example.com", "example.com"));
        assert!(domain_matches("api.*.com", "api.x.com") && !domain_matches("api.*.com", "api.x.y.com"));
        assert_eq!(host("https://u@Example.COM:8443/x?y"), "example.com");
    }
}
