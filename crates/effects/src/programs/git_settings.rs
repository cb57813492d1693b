//! git's configuration: which keys run programs, and which turn protections off.

use super::git_reach::{self, Purpose};
use crate::context::Context;
use crate::effect::{Kind, Target};
use crate::field::Field;
use crate::knowledge::{Matched, Row, shipped};
use crate::world::Places;

/// The largest file of settings that is read.
pub(crate) const MAXIMUM_FILE: usize = 256 * 1024;

/// Where git looks for its settings, those of the project first.
pub(crate) fn files(places: &Places) -> [String; 5] {
    let Places { project, home, .. } = places;
    [
        format!("{project}/.git/config.worktree"),
        format!("{project}/.git/config"),
        format!("{home}/.gitconfig"),
        format!("{home}/.config/git/config"),
        "/etc/gitconfig".to_owned(),
    ]
}

/// What a setting means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// It runs nothing.
    Harmless,
    /// It turns hooks or signatures off.
    Bypass,
    /// git runs this command line, which is not one of those that everybody uses.
    Runs(String),
    /// It makes every push overwrite or delete what is at the remote.
    Forces,
    /// It makes git throw away what no branch holds, at once.
    Prunes,
    /// It makes git run, or trust, something that is not in the value itself.
    Hijacks,
    /// It changes which repositories are trusted, or what is sent with a request.
    Steers,
}

/// What `key = value` does to the call that it is set for.
pub(super) fn apply(context: &mut Context<'_>, call: &Matched<'_>, key: &str, value: &str) {
    let hijack = |context: &mut Context<'_>| {
        context.effect_on(Kind::Hijack, Target::Name(key.to_owned()));
    };
    let meaning = meaning(key, value);
    if matches!(meaning, Setting::Runs(_) | Setting::Hijacks)
        && purpose(key).is_some_and(|purpose| !git_reach::reaches(call, purpose))
    {
        return context.possibly(hijack);
    }
    match meaning {
        Setting::Bypass => context.effect(Kind::GitBypass),
        Setting::Forces if call.subcommand.first().is_some_and(|name| name == "push") => {
            context.effect(Kind::GitForcePush);
        }
        Setting::Harmless if is_address(key) => super::git_hosts::set(context, &Field::of(value, call.span)),
        // `gc` looks itself at what is set for it.
        Setting::Harmless | Setting::Forces | Setting::Prunes => {}
        Setting::Runs(command) => {
            hijack(context);
            context.run_shell_text(&command);
        }
        Setting::Hijacks => hijack(context),
        Setting::Steers => context.possibly(hijack),
    }
}

/// The meaning of `key = value`.
pub(super) fn meaning(key: &str, value: &str) -> Setting {
    let key = key.to_ascii_lowercase();
    let (section, name) =
        (key.split('.').next().unwrap_or_default(), key.rsplit('.').next().unwrap_or_default());
    let off = matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "0");
    match (section, name) {
        ("core", "hookspath") => {
            return if matches!(value, "/dev/null" | "") { Setting::Bypass } else { Setting::Hijacks };
        }
        ("commit" | "tag" | "push", "gpgsign") => {
            return if off { Setting::Bypass } else { Setting::Harmless };
        }
        ("alias", _) => {
            return match value.strip_prefix('!') {
                Some(_) => Setting::Hijacks,
                None => alias(value),
            };
        }
        ("lfs", _) if key.starts_with("lfs.extension.") => return Setting::Hijacks,
        _ => {}
    }
    let row = row(section, name);
    let says = |what| row.is_some_and(|row| row.cells().any(|cell| cell == what));
    if says("hijacks") {
        return Setting::Hijacks;
    }
    if says("steers") {
        return Setting::Steers;
    }
    if section == "remote"
        && ((name == "mirror" && !off) || (name == "push" && value.starts_with(['+', ':'])))
    {
        return Setting::Forces;
    }
    if expires(&key, value) {
        return Setting::Prunes;
    }
    if section == "remote" && matches!(name, "url" | "pushurl") {
        return if value.starts_with("ext::") { Setting::Hijacks } else { Setting::Harmless };
    }
    let runs = match section {
        "sendemail" if name.ends_with("cmd") => true,
        "submodule" => name == "update" && value.starts_with('!'),
        "lfs" => key.contains("customtransfer") || key.contains("extension."),
        _ => says("runs"),
    };
    if runs { command(name, value) } else { Setting::Harmless }
}

/// Does the key say where a remote is?
pub(super) fn is_address(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key.starts_with("remote.") && (key.ends_with(".url") || key.ends_with(".pushurl"))
}

/// Does the setting make git forget lost commits at once?
pub(super) fn expires(key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let name = key.rsplit('.').next().unwrap_or_default();
    key.starts_with("gc.")
        && matches!(name, "pruneexpire" | "reflogexpire" | "reflogexpireunreachable")
        && is_recent(value)
}

/// Is an age less than weeks?
pub(super) fn is_recent(text: &str) -> bool {
    let far = ["week", "month", "year", "never", "false"].iter().any(|unit| text.contains(unit));
    let days: Option<u32> =
        text.split(|c: char| !c.is_ascii_digit()).next().and_then(|days| days.parse().ok());
    let long = days.is_some_and(|days| days >= 7) && text.contains("day");
    (!far && !long) || text.starts_with('0')
}

/// What git runs the setting's program for, where that is one thing.
pub(super) fn purpose(key: &str) -> Option<Purpose> {
    let key = key.to_ascii_lowercase();
    let (section, name) = key.split_once('.')?;
    let row = row(section.split('.').next()?, name.rsplit('.').next()?)?;
    row.cells().find_map(|cell| match cell {
        "remote" => Some(Purpose::Remote),
        "difference" => Some(Purpose::Difference),
        "signature" => Some(Purpose::Signature),
        _ => None,
    })
}

/// What the rows say about a setting, or else about all of its section.
fn row(section: &str, name: &str) -> Option<Row<'static>> {
    let settings = shipped().table("git/settings");
    settings.find(&format!("{section}.{name}")).or_else(|| settings.find(&format!("{section}.*")))
}

/// An alias without `!` is a git command line.
fn alias(value: &str) -> Setting {
    if value.contains("-c ") || value.contains("--exec") || value.contains("--upload-pack") {
        Setting::Hijacks
    } else {
        Setting::Harmless
    }
}

/// A value that is run; the ones that everybody uses are nothing. An editor that waits for a person is none of these.
fn command(name: &str, value: &str) -> Setting {
    let value = value.trim();
    let first = value.split_whitespace().next().unwrap_or_default();
    let plain = !value.contains([';', '|', '`', '$']);
    let row = shipped().table("git/harmless-commands").find(first);
    let harmless = match row.and_then(|row| row.cell(0)) {
        Some("plain") => plain && !value.contains(['&', '>', '<', '\n']),
        Some("connects") => plain && name == "sshcommand" && !value.contains("ProxyCommand"),
        Some("alone") => first == value,
        _ => first.is_empty(),
    };
    if harmless {
        return Setting::Harmless;
    }
    if name == "helper" && !value.starts_with(['!', '/']) {
        return Setting::Harmless;
    }
    Setting::Runs(value.strip_prefix('!').unwrap_or(value).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Setting, meaning};

    #[test]
    fn keys_that_run_programs_are_known() {
        assert_eq!(meaning("core.pager", "cat"), Setting::Harmless);
        assert_eq!(meaning("safe.directory", "*"), Setting::Steers);
        assert_eq!(meaning("remote.origin.url", "ext::sh"), Setting::Hijacks);
        assert_eq!(meaning("core.pager", "less; rm x"), Setting::Runs("less; rm x".to_owned()));
        assert_eq!(meaning("diff.jpg.textconv", "rm -rf /"), Setting::Runs("rm -rf /".to_owned()));
        assert_eq!(meaning("core.HooksPath", "/tmp/h"), Setting::Hijacks);
        assert_eq!(meaning("core.hookspath", "/dev/null"), Setting::Bypass);
        assert_eq!(meaning("commit.gpgSign", "false"), Setting::Bypass);
        assert_eq!(meaning("user.email", "a@b"), Setting::Harmless);
        assert_eq!(meaning("alias.st", "status"), Setting::Harmless);
        assert_eq!(meaning("alias.x", "!rm"), Setting::Hijacks);
        assert_eq!(meaning("core.bare", "true"), Setting::Hijacks);
        assert_eq!(meaning("remote.origin.url", "https://example.com/x"), Setting::Harmless);
        assert_eq!(meaning("remote.origin.url", "ext::sh -c x"), Setting::Hijacks);
        assert_eq!(meaning("remote.origin.mirror", "true"), Setting::Forces);
        assert_eq!(meaning("remote.origin.push", "+refs/heads/*:refs/heads/*"), Setting::Forces);
        assert_eq!(meaning("remote.origin.push", "refs/heads/main"), Setting::Harmless);
        assert_eq!(meaning("gc.pruneExpire", "now"), Setting::Prunes);
        assert_eq!(meaning("gc.reflogExpire", "30 days"), Setting::Harmless);
        assert_eq!(meaning("core.editor", "true"), Setting::Harmless);
        assert_eq!(meaning("core.editor", "vim"), Setting::Runs("vim".to_owned()));
    }
}
