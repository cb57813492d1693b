//! What is wrong with a settings file.

/// Something in a settings file that keeps the gate from being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What was looked at, in a word or two.
    pub check: &'static str,
    /// What is wrong, with the file's name.
    pub text: String,
    /// What to do.
    pub fix: &'static str,
}
