//! The machine: files, clock, git, the audit log, session state. Lock-safe, bounded, and the only crate that does
//! input and output for a decision.

mod alongside;
mod archive;
mod audit;
mod exceptions;
mod fake;
mod feeder;
mod git;
mod identifier;
mod links;
mod locate;
mod machine;
mod names;
mod overrides;
mod program;
mod record;
mod regular;
mod running;
mod session;
mod trust;

pub use audit::Audit;
pub use fake::Fake;
pub use git::{branch, repository_root};
pub use identifier::decision_id;
pub use locate::{Directories, LayerFile, places, policy_files, project_directory, settings_files};
pub use machine::{Machine, Runner};
pub use names::is_below;
pub use overrides::{GrantLength, LONGEST_OVERRIDE, ONCE, Overrides};
pub use program::{find_program, record_version, recorded_version};
pub use record::note_measure;
pub use regular::{RegularFile, read_regular};
pub use running::{Crashed, Running, crashed};
pub use session::first_time;
pub use trust::Trust;
