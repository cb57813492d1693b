//! Secrets that never were: drawn by a counter from the shapes of real ones.

/// Numbers that look drawn and are the same on every run.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// A row of its own for each seed.
    #[must_use]
    pub fn new(seed: u64) -> Draw {
        Draw(seed)
    }

    /// A number below `bound`.
    ///
    /// # Panics
    /// Where `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % bound
    }

    /// Characters of a class, by the name that it has in a shape.
    pub fn text(&mut self, class: &str, count: usize) -> String {
        let alphabet: Vec<char> = match class {
            "digit" => ('0'..='9').collect(),
            "hex" => "0123456789abcdef".chars().collect(),
            "upper" => ('A'..='Z').chain('0'..='9').collect(),
            "lower" => ('a'..='z').chain('0'..='9').collect(),
            "alpha" => ('a'..='z').chain('A'..='Z').collect(),
            "base32" => ('A'..='Z').chain('2'..='7').collect(),
            "unreserved" => ('a'..='z').chain('A'..='Z').chain('0'..='9').chain("-._~".chars()).collect(),
            _ => ('a'..='z').chain('A'..='Z').chain('0'..='9').collect(),
        };
        (0..count).filter_map(|_| alphabet.get(self.below(alphabet.len())).copied()).collect()
    }

    /// A token of a shape such as `ghp_{alnum:36}`.
    pub fn token(&mut self, shape: &str) -> String {
        let mut token = String::new();
        let mut rest = shape;
        while let Some((literal, after)) = rest.split_once('{') {
            token.push_str(literal);
            let (piece, after) = after.split_once('}').unwrap_or_default();
            let (class, count) = piece.split_once(':').unwrap_or_default();
            let least = count.split('-').next().unwrap_or_default().parse().unwrap_or_default();
            token.push_str(&self.text(class, least));
            rest = after;
        }
        token + rest
    }
}
