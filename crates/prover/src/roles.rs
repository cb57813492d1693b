//! Roles of words that are written out: what each takes.

use crate::table::{is_listed, is_public_service};
use crate::{places, texts};

/// May a word of that role be computed?
pub(crate) fn is_computable(role: &str) -> bool {
    matches!(role, "awk-variable" | "plain-text" | "staged")
}

/// Does the role take the word? Says in words why not.
pub(crate) fn takes(role: &str, text: &str) -> Result<(), String> {
    let plain = |extra: &[u8]| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || extra.contains(&byte));
    let fits = match role {
        "literal" | "plain-text" | "awk-variable" => true,
        "awk" | "sed" | "jq" | "yaml-query" | "sql-read" | "sql-plain" => return texts::prove(role, text),
        "format" => !names_a_variable(text),
        "plain" => plain(b"_-.,:/@=+%"),
        "word" => plain(b"_-.:+@"),
        "file-name" => !places::names_a_secret(text),
        // What is put into the repository: no file that keeps secrets, by its own name.
        "staged" => {
            let leaf = text.rsplit('/').next().unwrap_or(text);
            let environment = leaf.starts_with(".env") && !is_listed("known-hidden", leaf);
            !environment && !places::names_a_secret(leaf)
        }
        "maven-setting" => {
            ["skipTests", "test=", "skipITs", "maven.test.skip", "failIfNoTests", "surefire."]
                .iter()
                .any(|name| text.starts_with(name))
                && plain(b"_-.=*#,+")
        }
        "own-host" => plain(b"_-./") && text.matches('/').count() <= 1,
        "fetched-url" => is_local(text) || is_public(text),
        "git-setting" => {
            is_listed("git-settings", text)
                || text.starts_with("user.name=")
                || text.starts_with("user.email=")
        }
        "git-key" => {
            is_listed("git-keys", text)
                || (text.starts_with("branch.") || text.starts_with("alias.")) && !text.contains('|')
        }
        "git-remote" => plain(b"_-.") && !text.starts_with('.'),
        "git-ref" => plain(b"_-./") && !text.contains(".."),
        "plain-variable" => is_listed("readable-variables", text) || text == "HOME" || text == "PWD",
        "date-format" => text.starts_with('+'),
        "charset" => plain(b"_-.") || text.strip_suffix("//TRANSLIT").is_some_and(|rest| !rest.contains('/')),
        // A letter `e` without a dash adds the environment of each process.
        // A capital one does so on macOS.
        "ps-flags" => text.starts_with('-') || !text.contains(['e', 'E']),
        "ps-format" => !text.split(|c: char| !c.is_alphanumeric()).any(|name| name.starts_with("env")),
        "tmux-format" => expands_only_names(text) && !text.ends_with(';'),
        // A `;` at the end of a word ends the command.
        "tmux-word" => !text.ends_with(';'),
        "word-alone" => plain(b"-,"),
        // Values of `file://` are read and sent.
        "service-name" => {
            let name = ["s3://", "gs://"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text);
            // A name with a slash could end the host that it becomes a part of.
            let long =
                ["/subscriptions/", "projects/", "arn:", "/aws/"].iter().any(|start| text.starts_with(start));
            let slashed = name.contains('/') && name.len() == text.len() && !long;
            plain(b"_-.:+@=,*/")
                && !name.contains("://")
                && !slashed
                && !text.starts_with('@')
                && !text.contains("=@")
        }
        "fzf-bind" => text.split(',').all(|bind| {
            bind.split_once(':')
                .is_some_and(|(_, actions)| actions.split('+').all(|action| is_listed("fzf-actions", action)))
        }),
        "label" => plain(b"_-"),
        "chart" => !text.contains("://"),
        // One of an installed tap: a path is Ruby code, and a tap that is named is fetched.
        "formula" => plain(b"_-+@.") && !text.ends_with(".rb"),
        // One of the registry: an address or `owner/name` is a repository that is cloned.
        "npm-package" => {
            let scoped = text.strip_prefix('@').is_some_and(|rest| rest.matches('/').count() == 1);
            plain(b"_-./@")
                && !text.starts_with('.')
                && (scoped || !text.contains('/'))
                && !text.ends_with(".tgz")
        }
        "cov-report" => !text.contains(':') || text == "term-missing:skip-covered",
        "make-target" => plain(b"_-./:%+"),
        "clippy-argument" => matches!(text, "-D" | "-W" | "-A" | "-F") || is_lint(text),
        "go-package" => plain(b"_-./") && !text.contains("..") || text == "all",
        "go-ldflags" => is_linker_flags(text),
        "python-module" => is_listed("python-modules", text),
        "gh-header" => text.starts_with("Accept:") || text.starts_with("X-GitHub-Api-Version:"),
        "gh-query" => text.split_once('=').is_some_and(|(_, value)| {
            !value.starts_with('@')
                && !value.split(|c: char| !c.is_alphanumeric()).any(|word| word == "mutation")
        }),
        "gh-path" => !text.contains("://") && !is_secret_path(text),
        "header" => !text.starts_with('@') && !text.contains(char::is_control),
        "user-agent" => !text.contains(char::is_control),
        "curl-format" => !text.starts_with('@') && !text.contains("%output") && !text.contains("%{header"),
        "kubectl-resource" => {
            !text.split([',', '/', '.']).any(|word| word.starts_with("secret")) && plain(b"_-.,/")
        }
        "plain-output" => !text.contains("file=") && !text.contains("-file"),
        "glob" if finds_hidden_names(text) => false,
        "glob" => !text.split(['/', '{', ',']).any(|part| {
            let name = part.trim_start_matches('!');
            name.starts_with('.')
                && !name.trim_matches('.').is_empty()
                && !is_listed("known-hidden", name)
                && !part.starts_with('!')
                || places::names_a_secret(name)
        }),
        role => role.strip_prefix("one-of:").is_some_and(|list| list.split('|').any(|known| known == text)),
    };
    if fits { Ok(()) } else { Err(format!("`{}` is not a word that is reviewed here", shown(text))) }
}

/// Has a format of `printf` an `%n`, which writes into the variable that a word names, and zsh evaluates its subscript?
fn names_a_variable(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        let letter = conversion.trim_start_matches(|c: char| !c.is_ascii_alphabetic() && c != '%');
        let letter = letter.trim_start_matches(['h', 'l', 'q', 'L', 'j', 'z', 't']);
        if letter.starts_with('n') {
            return true;
        }
        rest = conversion.strip_prefix('%').unwrap_or(conversion);
    }
    false
}

/// May a pattern of names match `.env` without saying so? A `*` matches a leading dot, and what is named is searched though hidden.
pub(crate) fn may_match_hidden(part: &str) -> bool {
    let rest = part.trim_start_matches('*');
    part.starts_with(['?', '[']) || rest.len() < part.len() && !rest.is_empty() && !rest.contains('.')
}

/// Formats that ask for plain names: a modifier (`E:`) expands what a program wrote into a title, with its `#(command)`.
fn expands_only_names(format: &str) -> bool {
    !format.contains("#(")
        && format.split("#{").skip(1).all(|rest| {
            rest.split_once('}').is_some_and(|(name, _)| {
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            })
        })
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A glob of ripgrep's finds hidden files too, unless it begins with a letter or ends in an ending of code or data.
fn finds_hidden_names(glob: &str) -> bool {
    let leaf = glob.trim_end_matches('/').rsplit('/').next().unwrap_or(glob);
    let begins_plainly = leaf.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    let ending = leaf.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut endings = ending.trim_start_matches('{').trim_end_matches('}').split(',');
    let ends_plainly =
        endings.all(|ending| is_listed("code-endings", ending) || is_listed("plain-endings", ending));
    !(glob.starts_with('!') || begins_plainly || ends_plainly)
}

fn is_lint(text: &str) -> bool {
    let name = ["-D", "-W", "-A", "-F"].iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text);
    name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b':')
}

fn is_secret_path(text: &str) -> bool {
    text.split(['/', '?', '&', '='])
        .any(|word| matches!(word, "secrets" | "keys" | "tokens" | "public-key" | "installation"))
}

/// `http://localhost:3000/x`
pub(crate) fn is_local(url: &str) -> bool {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")).unwrap_or(url);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = if authority == "[::1]" || authority.starts_with("[::1]:") {
        "localhost"
    } else {
        authority.split_once(':').map_or(authority, |(name, _)| name)
    };
    let plain = !authority.contains(['@', '\\']) && !rest.contains(['{', '}']) && !rest.contains("://");
    plain && matches!(host, "localhost" | "127.0.0.1" | "0.0.0.0")
}

/// `https://crates.io/api/v1/crates/serde`: of a service that shows nobody else what it was asked for.
pub(crate) fn is_public(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = !rest.contains(['{', '}', '\\']) && !rest.contains("://");
    plain && is_public_service(authority)
}

/// `Accept: application/json`: says nothing of who asks, and not which host is meant.
pub(crate) fn is_plain_header(header: &str) -> bool {
    let name = header.split_once(':').map_or(header, |(name, _)| name);
    is_listed("plain-headers", &name.to_ascii_lowercase())
}

/// `-s -w -X main.version=1`. Quotes would put other words together.
fn is_linker_flags(text: &str) -> bool {
    let mut defines = false;
    text.split_whitespace().all(|word| {
        let sets = word.contains('=') && word.starts_with(|c: char| c.is_ascii_alphabetic());
        let fits = if defines { sets } else { matches!(word, "-s" | "-w" | "-X") };
        defines = !defines && word == "-X";
        fits && !word.contains(['"', '\''])
    }) && !defines
}
