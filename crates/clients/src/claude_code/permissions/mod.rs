//! The client's own permission rules: what it does with them by itself, and which of them a call breaks all the same without
//! the client noticing.
//!
//! [`reading`] follows the client, as it was measured (docs/native-permissions.md); [`missed`] goes by what the call does.

mod command;
mod meaning;
mod path;
mod programs;
mod reading;
mod rule;
mod settings;
mod split;

pub(crate) use meaning::missed;
pub(crate) use reading::reading;

pub use meaning::Missed;
pub use reading::Reading;
pub use rule::{List, Rule, Scope};
pub use settings::{Problem, Settings, Source};
