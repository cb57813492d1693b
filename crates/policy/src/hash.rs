//! Names for texts.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The SHA-256 of a policy file's text, in hexadecimal: what `hookgate trust` binds a person's trust to.
#[must_use]
pub fn digest(text: &str) -> String {
    Sha256::digest(text).iter().fold(String::with_capacity(64), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// A short name for a text (64-bit FNV-1a), cheap enough for every start. It tells policies apart in records; it
/// protects nothing.
#[must_use]
pub fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
