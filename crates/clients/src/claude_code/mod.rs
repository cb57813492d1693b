//! Claude Code.

mod altered;
mod faults;
mod files;
mod hooks;
pub(crate) mod permissions;
mod trust;

use crate::Client;

/// Claude Code.
pub static CLAUDE_CODE: Client = Client {
    agent: &hookgate_agents::CLAUDE_CODE,
    folder_variable: "CLAUDE_CONFIG_DIR",
    files: files::settings,
    trust_file: files::trust,
    trusts: trust::trusts,
    install: hooks::install,
    remove: hooks::remove,
    registrations: hooks::registrations,
    handlers: hooks::handlers,
    take: hooks::take,
    put_back: hooks::put_back,
    entry: hooks::entry,
    faults: faults::of,
    shuts_hooks_out: faults::shuts_hooks_out,
    sets: faults::sets,
    reading: permissions::reading,
    missed: permissions::missed,
};
