//! The agent's own permission rules: what the client does with them by itself, and which of them a call breaks all the
//! same without the client noticing.
//!
//! The texts of the settings come in, nothing is read here. [`reading`] follows the client, as it was measured
//! (docs/native-permissions.md); [`missed`] goes by what the call does.

mod command;
mod meaning;
mod path;
mod reading;
mod rule;
mod settings;
mod split;
mod trust;

pub use meaning::{Missed, missed};
pub use reading::{Reading, reading};
pub use rule::{List, Rule, Scope};
pub use settings::{Problem, Settings, Source};
pub use trust::trusts;
