//! The tools of Codex. Its shell is always `Bash` to hooks, and the directory that the model names is not passed on.

use crate::Shell;
use crate::tool::{Kind, Row, row};

pub(super) const TOOLS: &[Row] = &[
    row("Bash", Kind::ShellElsewhere(Shell::Bash), &["command"]),
    row("apply_patch", Kind::Patch, &["command"]),
    row("view_image", Kind::Read, &["path"]),
    row("update_plan", Kind::Own, &[]),
    row("create_goal", Kind::Own, &[]),
    row("request_user_input", Kind::Person, &[]),
];
