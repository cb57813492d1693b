//! Patches: the files that one brings are written, where it can be read.

use super::brought;
use crate::context::Context;
use crate::effect::Kind;
use crate::field::{Data, Field};
use crate::inside::MAXIMUM_SCRIPT;
use crate::knowledge::Matched;

/// How many files of one patch are named.
const MOST: usize = 64;
/// What stands before the mode that a file has from then on, in a patch of git's.
const MODES: [&str; 2] = ["new file mode ", "new mode "];
/// The mode of a link; the one line that it gets says where it leads.
const LINK: &str = "120000";

/// `patch -pN < FILE`, `patch -i FILE`.
pub(crate) fn patch(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let strip = call.value("-p").and_then(Field::text).and_then(|text| text.parse().ok()).unwrap_or(0);
    let named = call.value("-i").or_else(|| call.operands.get(1)).cloned();
    let text = text(context, named.as_ref());
    if text.is_none() {
        match context.input() {
            // Nobody knows the names of what comes.
            Data::Network(_) => context.possibly(|context| context.path_text(Kind::Write, ".", true)),
            _ => brought::patched(context, call),
        }
    }
    if let Some(text) = text {
        bring(context, &text, strip);
        // A script of `ed` runs commands.
        for line in text.lines().filter_map(|line| line.strip_prefix('!')) {
            if line.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/') {
                context.possibly(|context| context.run_shell_text(line));
            }
        }
    }
}

/// `git apply FILES`, `git am FILES`.
pub(super) fn git(context: &mut Context<'_>, call: &Matched<'_>) {
    let shows = ["--stat", "--numstat", "--summary", "--check", "--abort"].iter().any(|name| call.has(name));
    if shows && !call.has("--apply") {
        return;
    }
    let strip = call.value("-p").and_then(Field::text).and_then(|text| text.parse().ok()).unwrap_or(1);
    let below = call.value("--directory").cloned();
    if call.operands.is_empty() {
        match text(context, None) {
            Some(text) => below_directory(context, below.as_ref(), |context| bring(context, &text, strip)),
            // Whatever the one before it in the pipe says.
            None if *context.input() != Data::Nothing => {
                if !matches!(context.input(), Data::Network(_)) {
                    brought::patched(context, call);
                }
                context.possibly(|context| context.path_text(Kind::Write, ".", true));
            }
            None => {}
        }
        return;
    }
    let files: Vec<Field> = call.operands.iter().flat_map(|file| brought::meant(context, file)).collect();
    for file in &files {
        match text(context, Some(file)) {
            Some(text) => below_directory(context, below.as_ref(), |context| bring(context, &text, strip)),
            None => brought::patched(context, call),
        }
    }
}

/// `git apply --directory=DIR`: the names are below that one.
fn below_directory(context: &mut Context<'_>, below: Option<&Field>, run: impl FnOnce(&mut Context<'_>)) {
    match below {
        Some(directory) => context.in_directory(directory, run),
        None => run(context),
    }
}

/// The text of a patch: of a file, or of standard input.
fn text(context: &mut Context<'_>, file: Option<&Field>) -> Option<String> {
    let data = match file.filter(|file| !file.is("-")) {
        Some(file) => match &file.process {
            Some(data) => (**data).clone(),
            None => Data::File(context.resolve_one(file)?),
        },
        None => context.input().clone(),
    };
    match data {
        Data::Text(text) | Data::Partial(text) => Some(text),
        Data::File(path) => context.look(&path, MAXIMUM_SCRIPT).text(),
        _ => None,
    }
}

/// Notes the files that a patch writes or removes.
fn bring(context: &mut Context<'_>, text: &str, strip: usize) {
    let mut named = 0;
    let mut before = None;
    // The name of the file that the lines are about, and whether it becomes a link.
    let (mut whose, mut is_link) = (String::new(), false);
    for line in text.lines() {
        let name = |line: &str| line.split('\t').next().unwrap_or(line).trim().trim_matches('"').to_owned();
        if let Some(names) = line.strip_prefix("diff --git ") {
            whose = names
                .rsplit(" b/")
                .next()
                .map(|path| format!("b/{}", path.trim_matches('"')))
                .unwrap_or_default();
            is_link = false;
        }
        let mode = MODES.iter().find_map(|mark| line.strip_prefix(mark));
        is_link |= mode.is_some_and(|mode| mode.trim_start().starts_with(LINK));
        let (kind, path) = if let Some(path) = line.strip_prefix("--- ") {
            before = Some(name(path));
            continue;
        } else if let Some(target) = line.strip_prefix('+').filter(|line| is_link && !line.starts_with("++ "))
        {
            let stripped = whose.splitn(strip + 1, '/').nth(strip).unwrap_or(&whose).to_owned();
            context.link_to(&stripped, target);
            continue;
        } else if mode.is_some() && !whose.is_empty() {
            (Kind::Permission, whose.clone())
        } else if let Some(path) = line.strip_prefix("rename from ") {
            (Kind::Move, format!("{}{path}", "x/".repeat(strip)))
        } else if let Some(path) = line.strip_prefix("+++ ") {
            match (name(path), before.take()) {
                (path, Some(before)) if path == "/dev/null" => (Kind::Delete, before),
                (path, _) => (Kind::Write, path),
            }
        } else if let Some(path) = ["rename to ", "copy to "].iter().find_map(|mark| line.strip_prefix(mark))
        {
            // These have no prefix to take off.
            (Kind::Write, format!("{}{path}", "x/".repeat(strip)))
        } else {
            continue;
        };
        if named >= MOST {
            return context.doubt(context.scope().span, "a patch of more files than are named");
        }
        named += 1;
        let stripped = path.splitn(strip + 1, '/').nth(strip).unwrap_or(&path);
        context.path_text(kind, stripped, false);
    }
}
