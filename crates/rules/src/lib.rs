//! The built-in rules. One folder per rule: the rule, its page, its cases. A rule is a filter over facts.

mod alongside;
mod check;
mod conventions;
mod kinds;
pub mod lookup;
pub mod own;
mod packages;
mod pattern;
mod protected;
mod regenerated;
mod repositories;
mod rule;
mod rules;
mod scene;
mod seen;
mod sources;

pub use check::check;
pub use conventions::followed::with_followed;
pub use conventions::names::telling;
pub use kinds::Kinds;
pub use packages::PackageFacts;
pub use protected::{Guarded, ProtectedFacts, guarded, listed};
pub use repositories::{Addition, Repositories, RepositoryFacts};
pub use rule::{Check, Facts, Hit, Remedy, Replacement, Rule};
pub use scene::{Deed, Scene};
pub use seen::Seen;
pub use sources::Sources;
