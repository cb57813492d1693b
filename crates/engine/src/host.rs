//! What the engine may ask of the machine. The `host` crate answers for real; tests answer with [`Fake`](crate::fake::Fake).

use hookgate_effects::World;

/// The machine, as far as a decision needs it. Every answer is bounded in time and size by the implementor.
pub trait Host: World {
    /// Milliseconds since the Unix epoch.
    fn now(&self) -> u64;
    /// A short identifier that no other decision of this machine has.
    fn decision_id(&self) -> String;
    /// The branch that is checked out in `directory`; `None` outside a repository or on a detached head.
    fn branch(&self, directory: &str) -> Option<String>;
    /// Notes `key` for the session; true the first time. Where nothing can be stored, true every time.
    fn first_time(&self, session: &str, key: &str) -> bool;
}
