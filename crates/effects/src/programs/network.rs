//! Programs that reach other machines: ssh and its kin, curl, wget, netcat.

use super::requests::Request;
use super::unread::has_part;
use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Matched};
use crate::texts::joined;

/// How an effect that sends one says what it sends.
pub(crate) const ARCHIVE: &str = "an archive or a dump, which may hold anything";

/// Options of ssh that run commands here.
fn ssh_options(context: &mut Context<'_>, call: &Matched<'_>) {
    for option in call.values("-o") {
        let (name, value) = option.written.split_once(['=', ' ']).unwrap_or((&option.written, ""));
        match name.to_ascii_lowercase().as_str() {
            "proxycommand" | "localcommand" | "knownhostscommand" | "pkcs11provider" | "proxyusefdpass"
                if !matches!(value, "none" | "") =>
            {
                context.run_shell(&option.after(name.len() + 1));
            }
            "localforward" | "remoteforward" | "dynamicforward" => context.effect(Kind::Listen),
            _ => {}
        }
    }
    if let Some(file) = call.value("-F") {
        context.path(Kind::Read, file);
    }
}

/// `sftp HOST`, which connects by ssh.
pub(crate) fn sftp(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    ssh_options(context, call);
}

/// `ssh HOST COMMAND`. The command runs elsewhere; what it would do is judged as if its paths were here.
pub(crate) fn ssh(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    ssh_options(context, call);
    let Some((_, words)) = call.operands.split_first() else { return };
    if !words.is_empty() {
        let home = Field::of(context.places().home.clone(), call.span);
        let text = joined(words);
        context.in_directory(&home, |context| context.run_shell(&text));
    } else if let Data::Text(text) = context.input().clone() {
        context.run_shell_text(&text);
    }
}

/// `ansible HOSTS -m shell -a COMMAND`: judged like the command of `ssh`.
pub(crate) fn ansible(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let module = call.value("--module-name").map_or("command", Field::shown);
    let module = module.rsplit('.').next().unwrap_or(module);
    if call.has("--check") {
        return;
    }
    if matches!(module, "reboot" | "win_reboot") {
        context.effect(Kind::System);
    }
    // A module's arguments are `name=value`.
    let arguments = call.value("--args").map_or("", |text| text.written.as_str());
    let set = |name: &str| arguments.split_whitespace().find_map(|word| word.strip_prefix(name));
    match set("state=") {
        Some("absent" | "removed" | "destroyed") => context.effect(Kind::RemoteDelete),
        Some("stopped") => {
            let name = set("name=").unwrap_or("a service").to_owned();
            context.effect_on(Kind::Service, Target::Name(name));
        }
        _ => {}
    }
    if let (Some(text), "command" | "shell" | "raw") = (call.value("--args"), module) {
        let home = Field::of(context.places().home.clone(), call.span);
        context.in_directory(&home, |context| context.run_shell(text));
    }
}

/// `host:path`, `user@host:path`, `rsync://host/path`; no drive letters, no paths with a slash before the colon.
fn is_remote(field: &Field) -> bool {
    let written = field.written.as_str();
    match written.split_once(':') {
        Some((host, _)) => !host.is_empty() && !host.contains('/') && !written.starts_with('.'),
        None => false,
    }
}

/// Is it a directory that by its name holds keys, or all that is in one?
fn names_keys(source: &Field) -> bool {
    let path = source.written.trim_end_matches('/');
    let path = path.strip_suffix("/*").unwrap_or(path);
    let name = crate::paths::file_name(path);
    matches!(
        name,
        "certs" | "certificates" | "keys" | "private-keys" | "secrets" | "credentials" | "tls" | "pki"
    )
}

/// `scp` and `rsync`: copies, some of them to or from another machine.
fn copy(context: &mut Context<'_>, call: &Matched<'_>, deletes: bool) {
    let Some((destination, sources)) = call.operands.split_last() else { return };
    if sources.is_empty() {
        // A listing.
        if is_remote(destination) {
            context.host(Kind::RemoteRead, destination);
        } else {
            context.path(Kind::Read, destination);
        }
        return;
    }
    for source in sources {
        if is_remote(source) {
            context.host(Kind::Download, source);
        } else {
            context.tree(Kind::Read, source);
            if call.has("--remove-source-files") {
                context.tree(Kind::Delete, source);
            }
        }
    }
    if is_remote(destination) {
        context.host(Kind::Upload, destination);
        if sources.iter().any(|source| !is_remote(source) && names_keys(source)) {
            context.host(Kind::Exfiltrate, destination);
            context.annotate("a directory that holds keys");
        }
        // As with `ssh`, a system directory over there is judged like one here; below `/opt` is what was brought there.
        if let Some((_, path)) = destination.text().and_then(|text| text.split_once(":/"))
            && !path.starts_with("opt/")
        {
            context.path_text(Kind::Write, &format!("/{}", path.trim_start_matches('/')), false);
        }
        if deletes {
            context.host(Kind::RemoteDelete, destination);
        }
    } else {
        // What is sent keeps its names.
        context.tree(Kind::Write, destination);
        for source in sources.iter().filter(|source| !is_remote(source)) {
            super::copies::synchronised(context, source, destination);
        }
        if deletes {
            context.tree(Kind::Delete, destination);
        }
    }
}

/// `scp A HOST:B`
pub(crate) fn scp(context: &mut Context<'_>, call: &Matched<'_>) {
    ssh_options(context, call);
    if let Some(program) = call.value("-S") {
        context.run_program(program);
    }
    copy(context, call, false);
}

/// `rsync -a --delete A HOST:B`
pub(crate) fn rsync(context: &mut Context<'_>, call: &Matched<'_>) {
    if let Some(shell) = call.value("--rsh") {
        let text = shell.text().unwrap_or_default();
        let plain =
            text.starts_with("ssh") && !text.contains("ProxyCommand") && !text.contains([';', '|', '`', '$']);
        if !plain {
            context.run_shell(shell);
        }
    }
    if let Some(path) = call.value("--rsync-path") {
        let home = Field::of(context.places().home.clone(), call.span);
        context.in_directory(&home, |context| context.run_shell(path));
    }
    for file in
        call.values("--files-from").chain(call.values("--exclude-from")).chain(call.values("--include-from"))
    {
        context.path(Kind::Read, file);
    }
    for file in call.values("--log-file").chain(call.values("--backup-dir")) {
        context.path(Kind::Write, file);
    }
    let deletes =
        call.options.iter().any(|option| option.name.starts_with("--delete") || option.name == "--del");
    copy(context, call, deletes);
}

/// `nc HOST PORT`, `nc -l`, `nc -e COMMAND`.
pub(crate) fn netcat(context: &mut Context<'_>, call: &Matched<'_>) {
    let carried = ["-e", "-c", "--sh-exec", "--lua-exec"].iter().find_map(|name| call.value(name));
    if call.has("-l") {
        context.effect(Kind::Listen);
    } else if let Some(host) = call.operands.first() {
        if call.has("-z") {
            context.host(Kind::RemoteRead, host);
        } else {
            sends_input(context, host);
        }
    }
    if let Some(command) = carried {
        if !command.text().is_some_and(only_prints) {
            context.effect(Kind::RemoteShell);
        }
        context.run_shell(command);
    }
}

/// Does a command that a connection is tied to only pass text on?
fn only_prints(command: &str) -> bool {
    let word = command.split_whitespace().next().unwrap_or_default();
    let name = word.rsplit('/').next().unwrap_or(word);
    !command.contains([';', '|', '&', '`', '$', '(', '\n'])
        && knowledge::is_listed("commands/words/passers", name)
}

/// `socat ADDRESS ADDRESS`
pub(crate) fn socat(context: &mut Context<'_>, call: &Matched<'_>) {
    for (index, address) in call.operands.iter().enumerate() {
        let written = address.written.as_str();
        let (kind, rest) = written.split_once(':').unwrap_or((written, ""));
        let value = address.after(kind.len() + 1);
        match kind.to_ascii_uppercase().as_str() {
            "EXEC" | "SYSTEM" | "SHELL" => {
                let text = rest.split(',').next().unwrap_or_default();
                if !only_prints(text) {
                    context.effect(Kind::RemoteShell);
                }
                match value.text() {
                    Some(_) => context.run_shell_text(text),
                    None => context.run_shell(&value),
                }
            }
            kind if kind.contains("LISTEN") || kind.contains("RECV") => context.effect(Kind::Listen),
            "STDIO" | "-" | "STDIN" | "STDOUT" | "STDERR" | "FD" | "PTY" | "PIPE" => {}
            "OPEN" | "FILE" | "CREATE" | "CREAT" | "GOPEN" => {
                let path = rest.split(',').next().unwrap_or_default().trim_matches('"');
                let reads = index == 0 && !kind.eq_ignore_ascii_case("CREATE");
                context.path_text(if reads { Kind::Read } else { Kind::Write }, path, false);
            }
            kind if kind.starts_with("UNIX") || written.ends_with(".sock") => socket(context, address),
            kind if kind.starts_with("TCP")
                || kind.starts_with("UDP")
                || kind.contains("SSL")
                || kind.contains("CONNECT") =>
            {
                sends_input(context, &value);
            }
            _ => context.unknown_about(Unknown::Program, Some(Target::Name(kind.to_owned())), address.span),
        }
    }
}

/// Commands that go to a service by its socket, as far as they can be seen.
fn socket(context: &mut Context<'_>, address: &Field) {
    let reads = |line: &str| {
        let command = line.split_whitespace().next().unwrap_or_default();
        matches!(command, "" | "show" | "get" | "help" | "prompt" | "info" | "status" | "quit" | "ping")
    };
    let only_reads = match context.input() {
        Data::Text(text) => text.split(['\n', ';']).all(reads),
        _ => return context.unknown_about(Unknown::Program, None, address.span),
    };
    context.named(if only_reads { Kind::RemoteRead } else { Kind::Service }, address);
}

/// Whole trees and dumps that are sent to an address may hold anything.
fn sent_input(context: &mut Context<'_>, file: &Field) {
    let is_archive = if file.is("-") || file.is(".") {
        *context.input() == Data::Archive
    } else {
        let path = context.resolve_one(file);
        path.and_then(|path| context.state.remembered(&path)) == Some(&Data::Archive)
    };
    if is_archive {
        context.effect(Kind::Exfiltrate);
        context.annotate(ARCHIVE);
    }
}

/// What is read from standard input goes to that host.
fn sends_input(context: &mut Context<'_>, host: &Field) {
    context.host(Kind::Upload, host);
    if *context.input() == Data::Archive {
        context.host(Kind::Exfiltrate, host);
        context.annotate(ARCHIVE);
    }
}

/// A file of the system says who lives on the machine and how it is set up.
fn sent_file(context: &mut Context<'_>, file: &Field) {
    if let Some(path) = context.resolve_one(file)
        && path.starts_with("/etc/")
    {
        context.path(Kind::Exfiltrate, file);
    }
}

/// Is the whole of what is sent a variable with the name of a secret?
fn sends_a_secret(value: &Field) -> bool {
    let name = value.written.strip_prefix('$').map(|name| name.trim_matches(['{', '}']));
    value.text().is_none() && name.is_some_and(hookgate_secrets::names_a_secret)
}

/// `--form NAME=@FILE`, `--form NAME=<FILE;type=TYPE`
fn form_part(context: &mut Context<'_>, part: &Field) {
    let at = part.written.find('=').map_or(0, |at| at + 1);
    let content = part.after(at);
    if content.written.starts_with(['@', '<']) {
        let path = content.after(1);
        let path = path.before(path.written.find(';').unwrap_or(path.written.len()));
        context.path(Kind::Read, &path);
        sent_input(context, &path);
    }
}

/// A value that may name a file: `@file`.
fn file_in(field: &Field) -> Option<Field> {
    field.written.starts_with('@').then(|| field.after(1))
}

/// The options of curl that hold what is sent.
const BODIES: [&str; 5] = ["--data", "--data-ascii", "--data-binary", "--data-raw", "--json"];

/// `curl`
pub(crate) fn curl(context: &mut Context<'_>, call: &Matched<'_>) {
    let mut sends = false;
    for option in &call.options {
        let Some(value) = option.value.as_ref() else { continue };
        let name = option.specification.names().find(|name| name.starts_with("--")).unwrap_or(option.name);
        // `--expand-data` is `--data`, with variables in its value.
        let plain = name.strip_prefix("--expand-").map(|plain| format!("--{plain}"));
        match plain.as_deref().unwrap_or(name) {
            "--variable" => {
                if let Some(at) = value.written.find('@').filter(|_| !value.written.contains('=')) {
                    let file = value.after(at + 1);
                    context.path(Kind::Read, &file);
                    sent_file(context, &file);
                }
            }
            "--data" | "--data-ascii" | "--data-binary" | "--json" => {
                sends = true;
                if let Some(file) = file_in(value) {
                    context.path(Kind::Read, &file);
                    sent_file(context, &file);
                    sent_input(context, &file);
                } else if sends_a_secret(value) {
                    context.effect(Kind::Exfiltrate);
                }
            }
            "--data-raw" => sends = true,
            "--data-urlencode" | "--url-query" => {
                sends |= plain.as_deref().unwrap_or(name) == "--data-urlencode";
                if let Some(at) = value.written.find('@') {
                    context.path(Kind::Read, &value.after(at + 1));
                }
            }
            "--form" => {
                sends = true;
                form_part(context, value);
            }
            "--form-string" => sends = true,
            "--upload-file" => {
                sends = true;
                context.path(Kind::Read, value);
                sent_input(context, value);
            }
            "--header" | "--proxy-header" | "--write-out" => {
                if let Some(file) = file_in(value) {
                    context.path(Kind::Read, &file);
                }
            }
            "--cookie" if !value.written.contains('=') => context.path(Kind::Read, value),
            "--config" => {
                context.path(Kind::Read, value);
                context.unknown_about(
                    Unknown::Program,
                    Some(Target::Name("--config".to_owned())),
                    value.span,
                );
            }
            "--output" => context.path(Kind::Write, value),
            "--unix-socket" | "--abstract-unix-socket" => {
                sends = true;
                context.named(Kind::ContainerChange, value);
                let opens = |body: &Field| has_part("commands/words/escaping-containers", &body.written);
                if BODIES.iter().flat_map(|name| call.values(name)).any(opens) {
                    context.named(Kind::ContainerEscape, value);
                }
            }
            _ => {}
        }
    }
    if call.has("--get") {
        sends = false;
    }
    let method = call
        .value("--request")
        .map(|method| method.shown().to_ascii_uppercase())
        .map(|method| overridden(call).unwrap_or(method));
    match method.as_deref() {
        None => {}
        Some("GET" | "HEAD" | "OPTIONS") => sends = sends && !call.has("--get"),
        Some(_) => sends = true,
    }
    context.standard(call);
    let sent: Vec<&Field> = BODIES.iter().flat_map(|name| call.values(name)).collect();
    let bodies: Vec<&str> = sent.iter().map(|field| field.shown()).collect();
    let request = Request { method: method.as_deref().unwrap_or_default(), sends, bodies: &bodies };
    let directory = call.value("--output-dir");
    for url in call.operands.iter().chain(call.values("--url")) {
        request.apply(context, url);
        // What is sent to a path of this machine is written there.
        let file = url.written.strip_prefix("file://").filter(|_| call.has("--upload-file"));
        if let Some(path) = file.and_then(|rest| rest.find('/').and_then(|at| rest.get(at..))) {
            context.path_text(Kind::Write, path, false);
        }
        if sends && !sent.is_empty() {
            super::remote::request_said(context, url, &sent);
        }
        if call.has("--remote-name") || call.has("--remote-name-all") {
            saved(context, url, directory);
        }
    }
}

/// The method that a header asks the server to take instead.
fn overridden(call: &Matched<'_>) -> Option<String> {
    call.values("--header").find_map(|header| {
        let (name, value) = header.written.split_once(':')?;
        let name = name.trim();
        let names = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"];
        names.iter().any(|known| name.eq_ignore_ascii_case(known)).then(|| value.trim().to_ascii_uppercase())
    })
}

/// The file that a download is saved as: the last part of the URL.
fn saved(context: &mut Context<'_>, url: &Field, directory: Option<&Field>) {
    let path = url.written.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, rest)| rest);
    let name = path.rsplit_once('/').map_or("", |(_, name)| name);
    let name = if name.is_empty() { "index.html" } else { name };
    let Some(directory) = directory else {
        if url.text().is_none() && name.contains(['$', '`']) {
            return context.path_text(Kind::Write, ".", false);
        }
        return context.path_text(Kind::Write, name, false);
    };
    match directory.text() {
        Some(text) => {
            let path = format!("{}/{name}", text.trim_end_matches('/'));
            context.path_text(Kind::Write, &path, false);
        }
        None => context.path(Kind::Write, directory),
    }
}

/// `wget`
pub(crate) fn wget(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    for file in call.values("--post-file").chain(call.values("--body-file")) {
        context.path(Kind::Read, file);
    }
    let method = call.value("--method").and_then(Field::text).map(str::to_ascii_uppercase);
    let sends =
        ["--post-data", "--post-file", "--body-data", "--body-file"].iter().any(|name| call.has(name))
            || method.as_deref().is_some_and(|method| !matches!(method, "GET" | "HEAD"));
    if call.operands.is_empty() && call.has("--input-file") {
        context.effect(if sends { Kind::Upload } else { Kind::Download });
    }
    let bodies: Vec<&str> =
        call.values("--post-data").chain(call.values("--body-data")).map(Field::shown).collect();
    let request = Request { method: method.as_deref().unwrap_or_default(), sends, bodies: &bodies };
    for url in &call.operands {
        request.apply(context, url);
        if !call.has("--output-document") && !call.has("--spider") {
            saved(context, url, call.value("--directory-prefix"));
        }
    }
}

fn is_method(word: &str) -> bool {
    ["get", "head", "options", "post", "put", "patch", "delete"]
        .iter()
        .any(|method| word.eq_ignore_ascii_case(method))
}

/// `http POST URL name=value file@path` (HTTPie and xh).
pub(crate) fn httpie(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let mut operands = call.operands.as_slice();
    let mut method = String::new();
    if let Some(first) = operands.first().and_then(Field::text)
        && first.len() > 1
        && first.bytes().all(|byte| byte.is_ascii_alphabetic())
        // In small letters as well, where an address follows; alone it is a host.
        && (first.bytes().all(|byte| byte.is_ascii_uppercase())
            || (operands.len() > 1 && is_method(first)))
    {
        method = first.to_ascii_uppercase();
        operands = operands.get(1..).unwrap_or_default();
    }
    let Some((url, items)) = operands.split_first() else { return };
    let mut sends = !matches!(method.as_str(), "" | "GET" | "HEAD" | "OPTIONS");
    for item in items {
        let written = item.written.as_str();
        let separator = written.find(['=', ':', '@']);
        let Some(at) = separator else { continue };
        let rest = written.get(at..).unwrap_or_default();
        if rest.starts_with("==") || (rest.starts_with(':') && !rest.starts_with(":=")) {
            continue;
        }
        sends |= method.is_empty() || sends;
        let skip = ["=@", ":=@", "@"].iter().find(|mark| rest.starts_with(**mark)).map(|mark| mark.len());
        if let Some(skip) = skip {
            context.path(Kind::Read, &item.after(at + skip));
        }
    }
    let bodies: Vec<&str> = items.iter().map(Field::shown).collect();
    Request { method: &method, sends, bodies: &bodies }.apply(context, url);
    if call.has("--download") && !call.has("--output") {
        saved(context, url, None);
    }
}
