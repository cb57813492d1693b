//! Calls that their program refuses, whatever is there.

use super::Matched;
use crate::context::Context;
use crate::field::Field;
use crate::paths;

/// `mv /srv/* /srv`: each source is the same file as its destination.
pub(super) fn moves_nothing(context: &Context<'_>, call: &Matched<'_>) -> bool {
    let (sources, target) = match (call.value("--target-directory"), call.operands.split_last()) {
        (Some(target), _) => (call.operands.as_slice(), target),
        (None, Some((target, sources))) => (sources, target),
        (None, None) => return false,
    };
    let target = context.resolve_one(target).filter(|_| !call.has("--no-target-directory"));
    let lies_there = |source: &Field| {
        let found = context.resolve(source).unwrap_or_default();
        !found.is_empty()
            && found.iter().all(|path| {
                let directory = paths::parent(path);
                path != "/" && Some(directory) == target.as_deref() && !directory.contains(['*', '?', '['])
            })
    };
    !sources.is_empty() && call.unlisted.is_empty() && sources.iter().all(lies_there)
}

/// `mkfs.ext4 /dev/sd`: no device has such a name.
pub(crate) fn mkfs(context: &mut Context<'_>, call: &Matched<'_>) {
    let is_nothing = |field: &Field| {
        let name = field.text().and_then(|text| text.strip_prefix("/dev/"));
        name.is_some_and(|name| !field.pattern && is_no_device(name))
    };
    if call.operands.is_empty() || !call.operands.iter().all(is_nothing) {
        context.standard(call);
    }
}

/// A family of disks without a letter or number, or with a letter where a number belongs.
fn is_no_device(name: &str) -> bool {
    match name {
        "sd" | "hd" | "vd" | "xvd" | "nvme" | "mmcblk" | "loop" | "md" => true,
        _ => match name.strip_prefix("nvme") {
            // `nvme0`, `nvme0n1`, `nvme0c1n1p2`
            Some(rest) => {
                !rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'c' | b'n' | b'p'))
            }
            None => false,
        },
    }
}
