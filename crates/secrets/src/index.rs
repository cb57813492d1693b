//! The index of the shapes, built with the crate, so that no process spends time on it.

/// The least length of an anchor, in bytes.
pub const ANCHOR: usize = 2;

/// The bytes of an anchor that the index goes by.
pub(crate) const WINDOW: usize = 3;

/// The slots of the index of anchors.
pub(crate) const SLOTS: usize = 1024;

/// What a byte is to the search, as bits: an anchor begins with it that begins a token, one that stands inside of a token, the
/// sign of an assignment or of a URL, a letter of a word, the beginning of an escape.
pub(crate) const FIRST: u8 = 1;
pub(crate) const INNER: u8 = 2;
pub(crate) const SIGN: u8 = 4;
pub(crate) const WORD: u8 = 8;
pub(crate) const ESCAPE: u8 = 16;

/// The shapes by the first bytes of their anchors.
pub(crate) struct Index {
    /// What each byte is.
    pub(crate) bytes: [u8; 256],
    /// For each slot the first entry with such an anchor, plus one.
    pub(crate) heads: [u16; SLOTS],
    /// An entry for each first bytes that an anchor can have.
    pub(crate) entries: &'static [Entry],
    /// The names and the shapes.
    pub(crate) text: &'static str,
}

/// Where a row's parts end in [`Index::text`], one behind the other from `start`.
pub(crate) struct Entry {
    /// The next entry in its slot, plus one.
    pub(crate) next: u16,
    pub(crate) start: u16,
    /// The end of the row's name.
    pub(crate) name: u16,
    /// The end of what stands before the anchor.
    pub(crate) before: u16,
    pub(crate) anchor: u16,
    /// The end of what stands behind it.
    pub(crate) after: u16,
}

impl Index {
    /// The head of the entries of which an anchor may stand at the beginning of the bytes: a number plus one.
    pub(crate) fn head(&self, bytes: &[u8]) -> u16 {
        let head = bytes.first_chunk::<WINDOW>().and_then(|window| self.heads.get(slot(*window)));
        head.copied().unwrap_or_default()
    }
}

/// Can the anchor stand behind a letter?
pub(crate) fn is_inner(before: &str, anchor: &str) -> bool {
    !before.is_empty() || !anchor.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Does the byte belong to a word, so that a token can't begin behind it?
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The slot of an anchor, by its first bytes.
pub(crate) fn slot([one, two, three]: [u8; WINDOW]) -> usize {
    (usize::from(one) ^ usize::from(two) << 2 ^ usize::from(three) << 5) % SLOTS
}
