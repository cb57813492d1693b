//! `adb`: what a command that runs on a device does.

use crate::context::Context;
use crate::effect::Kind;
use crate::field::Field;
use crate::knowledge::{Matched, is_listed, shipped};

/// `adb shell COMMAND`, `adb exec-out COMMAND`
pub(crate) fn adb_shell(context: &mut Context<'_>, call: &Matched<'_>) {
    let words: Option<Vec<&str>> = call.operands.iter().map(Field::text).collect();
    // The device's own shell reads the words again, in one line.
    let text = words.map(|words| words.join(" "));
    let plain = |text: &str| !text.contains([';', '&', '<', '>', '$', '`', '(', '\'', '"', '\\', '\n']);
    if text.as_deref().is_some_and(|text| plain(text) && text.split('|').all(shows)) {
        return context.effect(Kind::RemoteRead);
    }
    context.effect(Kind::RemoteShell);
    if let Some(text) = text {
        // Its files are the device's.
        context.possibly(|context| context.run_shell_text(&text));
    }
}

/// Does one command of a pipeline only show something?
fn shows(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let Some(name) = words.next() else { return false };
    let rest: Vec<&str> = words.collect();
    match name {
        "dumpsys" => match rest.split_first() {
            Some((service, [])) => !service.starts_with('-'),
            Some((service, _)) => is_listed("adb/services", service),
            None => true,
        },
        // With a value they set it.
        "wm" => matches!(rest.as_slice(), ["size" | "density"]),
        // Without `-d` it goes on for ever; the others clear the log or write it to a file.
        "logcat" => {
            rest.contains(&"-d") && !rest.iter().any(|word| word.starts_with("-c") || word.starts_with("-f"))
        }
        name => shipped().table("adb/shows").find(name).is_some_and(|row| {
            let (said, mut following) = (rest.join(" "), row.cells().peekable());
            following.peek().is_none()
                || following.any(|words| {
                    said.strip_prefix(words).is_some_and(|after| after.is_empty() || after.starts_with(' '))
                })
        }),
    }
}
