//! Programs that show a setting of the machine, or set it, by their words.

use crate::context::Context;
use crate::effect::Kind;
use crate::field::Field;
use crate::knowledge::Matched;

/// `date 061316272026`, `sysctl NAME=VALUE`: a word that sets what the others ask for.
pub(crate) fn setting_words(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let dated = call.program == "date";
    if dated && call.operands.iter().any(|word| word.text().is_none()) {
        context.doubt(call.span, "a word that can set the clock as well as say how to show it");
    }
    let sets = |word: &Field| match word.text() {
        // What begins otherwise is no date, and refused.
        Some(text) if dated => text.starts_with(|c: char| c.is_ascii_digit()) && !call.has("-j"),
        _ => !dated && word.written.contains('='),
    };
    if call.operands.iter().any(sets) {
        context.effect(Kind::System);
    }
}
