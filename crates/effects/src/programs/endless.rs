//! Output without an end, and what becomes of it.

use crate::context::Context;
use crate::effect::{Kind, Output};
use crate::knowledge::{Facet, Matched, Role, ValueForm};

/// The most bytes of a device that a file is filled with without a word.
const MAXIMUM_FILL: u64 = 10 << 30;

/// Devices that never end.
const DEVICES: &[&str] = &["/dev/zero", "/dev/urandom", "/dev/random"];

impl Context<'_> {
    /// A file that something without an end is written to fills the disk.
    pub(crate) fn endless_output(&mut self, call: &Matched<'_>) {
        let into_a_file = self
            .scope()
            .call
            .and_then(|index| self.found.calls.get(index))
            .is_some_and(|call| call.output == Output::File);
        if !into_a_file {
            return;
        }
        let endless = call.specification.has_facet(Facet::Endless);
        let device =
            call.operands.iter().any(|field| field.text().is_some_and(|text| DEVICES.contains(&text)));
        let bounded = call.options.iter().any(|option| {
            let number = matches!(
                option.specification.value(),
                ValueForm::Required(Role::Number)
                    | ValueForm::Optional(Role::Number)
                    | ValueForm::Attached(Role::Number)
            );
            let value = option.value.as_ref().filter(|_| number);
            value.is_some_and(|value| value.text().is_none_or(|text| size(text) <= MAXIMUM_FILL))
        });
        if endless || (device && !bounded) {
            self.effect(Kind::Exhaust);
            self.annotate("endless output written to a file");
        }
    }
}

/// `100G` in bytes; what is no number is taken for small.
fn size(text: &str) -> u64 {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let power = match unit.chars().next().map(|c| c.to_ascii_uppercase()) {
        Some('K') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some('P' | 'E' | 'Z' | 'Y') => 50,
        _ => 0,
    };
    number.parse::<u64>().unwrap_or(0).saturating_mul(1 << power)
}
