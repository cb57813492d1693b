//! The words that a word with braces stands for. Braces side by side multiply, so they are counted before anything is built.

use hookgate_shell::{Part, Word};

/// The words that a word stands for.
pub(super) struct Alternatives<'w> {
    word: &'w Word,
    /// All of them.
    product: usize,
    /// So many that each alternative occurs in one of them.
    each: usize,
}

impl<'w> Alternatives<'w> {
    /// `None` where the word has no braces that can be listed.
    pub(super) fn of(word: &'w Word) -> Option<Self> {
        let listed = |part: &Part| matches!(part, Part::Brace(words) if !words.is_empty());
        word.parts.iter().any(listed).then(|| Self {
            word,
            product: product(&word.parts),
            each: each(&word.parts),
        })
    }

    /// How many words there are.
    pub(super) fn count(&self) -> usize {
        self.product
    }

    /// All words, in the shell's order.
    pub(super) fn all(&self) -> impl Iterator<Item = Word> {
        (0..self.product).map(|index| self.word_of(index, &every))
    }

    /// Fewer words, among which each alternative occurs.
    pub(super) fn cover(&self) -> impl Iterator<Item = Word> {
        (0..self.each).map(|index| self.word_of(index, &some))
    }

    fn word_of(&self, index: usize, choose: &Choose) -> Word {
        let mut parts = Vec::with_capacity(self.word.parts.len());
        choose(&self.word.parts, index, &mut parts);
        Word { parts, span: self.word.span }
    }
}

type Choose = dyn Fn(&[Part], usize, &mut Vec<Part>);

/// How many words the parts stand for.
fn product(parts: &[Part]) -> usize {
    parts.iter().map(choices).fold(1, usize::saturating_mul)
}

fn choices(part: &Part) -> usize {
    match part {
        Part::Brace(words) if !words.is_empty() => {
            words.iter().map(|word| product(&word.parts)).fold(0, usize::saturating_add)
        }
        _ => 1,
    }
}

/// How many words name each alternative once.
fn each(parts: &[Part]) -> usize {
    parts.iter().map(mentions).max().unwrap_or(1)
}

fn mentions(part: &Part) -> usize {
    match part {
        Part::Brace(words) if !words.is_empty() => {
            words.iter().map(|word| each(&word.parts)).fold(0, usize::saturating_add)
        }
        _ => 1,
    }
}

/// The parts of the word with this number: the last brace changes first.
fn every(parts: &[Part], index: usize, out: &mut Vec<Part>) {
    let mut left = product(parts);
    let mut index = index;
    for part in parts {
        left /= choices(part).max(1);
        let (here, rest) = (index / left.max(1), index % left.max(1));
        index = rest;
        pick(part, here, |word| product(&word.parts), &every, out);
    }
}

/// The parts of one word of the cover: all braces change together.
fn some(parts: &[Part], index: usize, out: &mut Vec<Part>) {
    for part in parts {
        pick(part, index % mentions(part).max(1), |word| each(&word.parts), &some, out);
    }
}

/// Adds the alternative that this number falls into.
fn pick(part: &Part, index: usize, size: impl Fn(&Word) -> usize, choose: &Choose, out: &mut Vec<Part>) {
    let Part::Brace(words) = part else { return out.push(part.clone()) };
    let mut index = index;
    for word in words {
        let size = size(word);
        if index < size {
            return choose(&word.parts, index, out);
        }
        index -= size;
    }
    // Too many to list.
    out.push(part.clone());
}
