//! What only looks like a secret: examples of documentation, placeholders, references.

/// Words that stand in examples and in no secret that was drawn at random.
const EXAMPLES: [&str; 16] = [
    "example",
    "sample",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "redacted",
    "dummy",
    "fake",
    "foobar",
    "your",
    "xxxx",
    "****",
    "....",
    "insert",
    "replace",
];

/// Does the secret only stand for one? `random` is the part of it that a provider draws.
pub(crate) fn is_placeholder(secret: &str, random: &str) -> bool {
    is_example(secret) || runs(random) || entropy(random) < least_entropy(random)
}

/// Does it speak of an example, or of what the reader is to put there?
pub(crate) fn is_example(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    EXAMPLES.iter().any(|word| lower.contains(word))
}

/// The entropy per byte that drawn text of this length and alphabet exceeds practically always, in bits.
pub(crate) fn least_entropy(random: &str) -> f64 {
    let hexadecimal = random.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    match (random.len(), hexadecimal) {
        (0..=15, _) => 2.0,
        (16..=23, true) => 2.3,
        (16..=23, false) => 2.8,
        (_, true) => 2.7,
        (_, false) => 3.2,
    }
}

/// Shannon's entropy per byte, in bits.
pub(crate) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let all = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let bits = |count: &u32| {
        let share = f64::from(*count) / all;
        -share * share.log2()
    };
    counts.iter().filter(|count| **count > 0).map(bits).sum()
}

/// Six bytes that follow each other (`123456`, `abcdef`, `aaaaaa`).
fn runs(text: &str) -> bool {
    let bytes = text.as_bytes();
    let steps = bytes.iter().zip(bytes.iter().skip(1)).map(|(one, next)| next.wrapping_sub(*one));
    let mut last = u8::MAX;
    let mut length = 1;
    for step in steps {
        let follows = step <= 1;
        length = match () {
            () if !follows => 1,
            () if step == last => length + 1,
            () => 2,
        };
        last = step;
        if length >= 6 {
            return true;
        }
    }
    false
}
