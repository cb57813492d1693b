//! Private keys: a PEM header with a body behind it. The header alone, as code that looks for keys has it, is none.

use crate::{Certainty, Found};

/// The least that a body has, in base64 digits: an Ed25519 key has 64.
const LEAST_BODY: usize = 40;
/// The most bytes that a key has.
const LONGEST: usize = 64 * 1024;

/// The key whose header begins at `start`.
pub(crate) fn at(text: &str, start: usize) -> Option<Found<'static>> {
    let rest = text.get(start..)?.strip_prefix("-----BEGIN ")?;
    let kind = rest.get(..rest.find('\n').unwrap_or(rest.len()).min(64).min(rest.len()))?;
    let kind = kind.split("-----").next()?;
    if !kind.ends_with("PRIVATE KEY") && !kind.ends_with("PRIVATE KEY BLOCK") {
        return None;
    }
    let body_start = start + "-----BEGIN ".len() + kind.len() + "-----".len();
    let body = text.get(body_start..)?;
    let body = body.get(..body.find("-----")?).filter(|body| body.len() <= LONGEST)?;
    // `\n` is written out where the key stands in a literal or in JSON.
    let digits = body.replace("\\n", "").replace("\\r", "");
    let digits = digits.bytes().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    let (mut count, mut seen) = (0_usize, [false; 256]);
    for digit in digits {
        count += 1;
        if let Some(seen) = seen.get_mut(usize::from(digit)) {
            *seen = true;
        }
    }
    let different = seen.iter().filter(|seen| **seen).count();
    (count >= LEAST_BODY && different >= 16).then(|| Found {
        name: "private-key",
        range: start..body_start + body.len(),
        certainty: Certainty::Certain,
    })
}
