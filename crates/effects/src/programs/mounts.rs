//! `umount` and its kind: what is taken out of the tree of files.

use crate::context::Context;
use crate::effect::{Kind, Place};
use crate::field::Field;
use crate::knowledge::Matched;
use crate::paths;

/// `umount -f PATH`, `diskutil unmount force PATH`. A mount below somebody's home, or in the project, is a person's own, and
/// nothing of the machine's depends on it.
pub(crate) fn unmount(context: &mut Context<'_>, call: &Matched<'_>) {
    let forced = |field: &&Field| field.is("force");
    let points: Vec<&Field> = call.operands.iter().filter(|field| !forced(field)).collect();
    let own = !points.is_empty()
        && points.iter().all(|field| {
            context.resolve_one(field).is_some_and(|path| {
                let place = paths::place_of(&path, context.places());
                path != context.places().home
                    && matches!(place, Place::Home | Place::Project | Place::Temporary)
            })
        });
    if own && !call.has("-a") {
        for point in points {
            context.path(Kind::Write, point);
        }
        return;
    }
    // Where people mount things by hand: what lies there is left alone.
    let by_hand = !points.is_empty()
        && points.iter().all(|field| {
            let roots = ["/mnt/", "/media/", "/run/media/", "/Volumes/"];
            let path = context.resolve_one(field);
            path.is_some_and(|path| roots.iter().any(|root| path.starts_with(root)))
        });
    if by_hand && call.options.is_empty() && call.program == "umount" {
        return context.effect(Kind::Write);
    }
    context.standard(call);
    if call.operands.iter().any(|field| forced(&field)) {
        context.effect(Kind::System);
    }
}
