//! Our own words, with foreign text in its places.

use std::fmt;
use std::ops::Deref;

use crate::Quoted;
use crate::quoted::escaped;

/// One line that is read by somebody: our own words, made by [`say!`](crate::say), in which foreign text stands only quoted.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message(String);

/// The longest text that a person or a program of theirs may say for themselves, in characters.
const LONGEST_SAID: usize = 2_000;

impl Message {
    /// What a person wrote in a policy that they trust, or what a program of theirs said: in their own words, but on one line,
    /// bounded and with nothing hidden in it.
    #[must_use]
    pub fn in_their_words(text: &str) -> Message {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let text = lines.join(" | ");
        Message(escaped(text.trim_end_matches('.')).chars().take(LONGEST_SAID).collect())
    }

    /// Adds what follows.
    pub fn push(&mut self, more: &Message) {
        self.0.push_str(&more.0);
    }

    /// Not for direct use: [`say!`](crate::say) has looked at what is filled in.
    #[doc(hidden)]
    #[must_use]
    pub fn from_template(text: fmt::Arguments<'_>) -> Message {
        Message(text.to_string())
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Message {
        Message(text.to_owned())
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<String> for Message {
    fn eq(&self, other: &String) -> bool {
        &self.0 == other
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// What may stand in a message: our own words, numbers, and foreign text in quotes.
pub trait Said: fmt::Display {}

impl Said for Quoted<'_> {}
impl Said for Message {}
impl Said for &Message {}
impl Said for &'static str {}
impl Said for usize {}
impl Said for u64 {}
impl Said for u32 {}

/// Compiles only for what may stand in a message.
#[doc(hidden)]
pub const fn check_said<T: Said>(_: &T) {}

/// Does a template name no variable? One that it named would not be looked at.
#[doc(hidden)]
#[must_use]
pub const fn is_plain(template: &str) -> bool {
    let bytes = template.as_bytes();
    let mut at = 0;
    let mut open = false;
    while at < bytes.len() {
        #[expect(clippy::indexing_slicing, reason = "checked by the loop, when it is compiled")]
        let byte = bytes[at];
        if open && !matches!(byte, b'}' | b'{') {
            return false;
        }
        open = byte == b'{' && !open;
        at += 1;
    }
    true
}

/// A message: a template, and what is filled in, which may only be [`Said`]. A string that isn't `'static` does not compile.
///
/// ```
/// # use hookgate_text::{Quoted, say};
/// let file = String::from("a\nb");
/// assert_eq!(say!("deletes {}", Quoted::new(&file)), r"deletes `a\nb`");
/// ```
///
/// ```compile_fail
/// # use hookgate_text::say;
/// let file = String::from("a");
/// say!("deletes {}", file.as_str());
/// ```
///
/// ```compile_fail
/// # use hookgate_text::say;
/// let file = String::from("a");
/// say!("deletes {file}");
/// ```
#[macro_export]
macro_rules! say {
    ($template:literal $(, $said:expr)* $(,)?) => {{
        const _: () = assert!($crate::is_plain($template), "name nothing in the template: give it as an argument");
        $( $crate::check_said(&$said); )*
        $crate::Message::from_template(format_args!($template $(, $said)*))
    }};
}
