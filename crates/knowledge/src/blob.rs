//! Bounds-checked reading of the compiled base. Whatever the bytes are, reading ends and nothing panics: what lies outside
//! is empty.

use std::cmp::Ordering;

use crate::format::{MAGIC, header};

/// The bytes of a compiled base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blob<'k>(&'k [u8]);

impl<'k> Blob<'k> {
    pub(crate) const EMPTY: Blob<'static> = Blob(&[]);

    /// The base in these bytes; `None` where they are something else.
    pub(crate) fn new(bytes: &'k [u8]) -> Option<Blob<'k>> {
        (bytes.len() >= header::SIZE && bytes.starts_with(MAGIC)).then_some(Blob(bytes))
    }

    #[inline]
    pub(crate) fn u8(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or_default()
    }

    #[inline]
    fn u16(self, at: usize) -> u16 {
        self.array(at).map_or(0, u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(self, at: usize) -> u32 {
        self.array(at).map_or(0, u32::from_le_bytes)
    }

    #[inline]
    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..)?.first_chunk().copied()
    }

    /// The reference to a list or record that stands at that place.
    #[inline]
    pub(crate) fn place(self, at: usize) -> usize {
        usize::try_from(self.u32(at)).unwrap_or_default()
    }

    /// The text to which the reference at that place leads.
    #[inline]
    pub(crate) fn text(self, at: usize) -> Text<'k> {
        let reference = self.place(at);
        let (start, length) = (reference >> 8, reference & 0xff);
        Text(self.0.get(start..start + length).unwrap_or_default())
    }

    /// Is that the text to which the reference at that place leads? Most aren't, which their lengths tell.
    pub(crate) fn is_text(self, at: usize, text: &str) -> bool {
        self.u8(at) == u8::try_from(text.len()).unwrap_or(u8::MAX) && self.text(at).is(text)
    }

    /// The list to which the reference at that place leads.
    #[inline]
    pub(crate) fn list(self, at: usize, size: usize) -> List<'k> {
        match self.place(at) {
            0 => List { blob: self, start: 0, count: 0, size },
            place => {
                let start = place + 2;
                let room = self.0.len().saturating_sub(start) / size.max(1);
                List { blob: self, start, count: usize::from(self.u16(place)).min(room), size }
            }
        }
    }

    /// Are both the same bytes in memory?
    pub(crate) fn is(self, other: Blob<'_>) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

/// A text of the base, not yet looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Text<'k>(&'k [u8]);

impl<'k> Text<'k> {
    pub(crate) fn is(self, text: &str) -> bool {
        self.0 == text.as_bytes()
    }

    pub(crate) fn starts_with(self, text: &str) -> bool {
        self.0.starts_with(text.as_bytes())
    }

    #[inline]
    pub(crate) fn compare(self, text: &str) -> Ordering {
        self.0.cmp(text.as_bytes())
    }

    pub(crate) fn bytes(self) -> &'k [u8] {
        self.0
    }

    pub(crate) fn get(self) -> &'k str {
        std::str::from_utf8(self.0).unwrap_or_default()
    }

    /// The text, unless there is none.
    pub(crate) fn some(self) -> Option<&'k str> {
        (!self.0.is_empty()).then(|| self.get())
    }
}

/// Entries of one size, one behind the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<'k> {
    blob: Blob<'k>,
    start: usize,
    count: usize,
    size: usize,
}

impl<'k> List<'k> {
    pub(crate) fn is_empty(self) -> bool {
        self.count == 0
    }

    pub(crate) fn len(self) -> usize {
        self.count
    }

    /// The place of an entry.
    pub(crate) fn place(self, index: usize) -> Option<usize> {
        (index < self.count).then(|| self.start + index * self.size)
    }

    /// The places of all entries.
    pub(crate) fn places(self) -> impl DoubleEndedIterator<Item = usize> + Clone + 'k {
        (0..self.count).map(move |index| self.start + index * self.size)
    }

    /// The text with which an entry begins.
    pub(crate) fn text(self, index: usize) -> Option<Text<'k>> {
        self.place(index).map(|place| self.blob.text(place))
    }

    /// The first entry that begins with exactly this text.
    pub(crate) fn named(self, text: &str) -> Option<Text<'k>> {
        let mut places = self.places();
        places.find(|at| self.blob.is_text(*at, text)).map(|at| self.blob.text(at))
    }

    /// The texts with which the entries begin.
    pub(crate) fn texts(self) -> impl DoubleEndedIterator<Item = Text<'k>> + Clone + 'k {
        self.places().map(move |at| self.blob.text(at))
    }

    /// The index of the first entry that does not come before what `compare` looks for, in a sorted list.
    pub(crate) fn lower_bound(self, mut compare: impl FnMut(Text<'k>) -> Ordering) -> usize {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match compare(self.blob.text(self.start + middle * self.size)) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal | Ordering::Greater => high = middle,
            }
        }
        low
    }

    /// The place of the first entry for which `compare` says equal, in a sorted list.
    pub(crate) fn find(self, mut compare: impl FnMut(Text<'k>) -> Ordering) -> Option<usize> {
        let place = self.place(self.lower_bound(&mut compare))?;
        (compare(self.blob.text(place)) == Ordering::Equal).then_some(place)
    }
}
