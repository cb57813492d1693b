//! What a call says to people: the words that the knowledge base marks with `says:`.

use crate::effect::{Part, Said};
use crate::field::Field;
use crate::knowledge::{Change, Matched, Role, ValueForm, assign_operands};

/// Where words are found that don't stand in the call.
pub(crate) trait Words {
    /// The text of a file that holds a message; `-` is standard input.
    fn of_file(&self, file: &Field) -> Option<String>;

    /// The absolute path of a word.
    fn path(&self, word: &Field) -> Option<String>;
}

/// What the options and operands of a call say.
pub(crate) fn said(call: &Matched<'_>, words: &impl Words) -> Vec<Said> {
    let mut all = Vec::new();
    for (field, operand) in call.operands.iter().zip(&assign_operands(call)) {
        let Some(part) = operand.and_then(|operand| operand.says) else { continue };
        let text = if part == Part::Staged { words.path(field) } else { field.text.clone() };
        all.push(Said { part, text, span: field.span });
    }
    for option in &call.options {
        for change in option.specification.changes() {
            let Change::Says(part) = change else { continue };
            let is_file = matches!(option.specification.value(), ValueForm::Required(Role::Read));
            let (text, span) = match &option.value {
                Some(value) if is_file => (words.of_file(value), value.span),
                Some(value) => (value.text.clone(), value.span),
                None => (Some(String::new()), call.span),
            };
            all.push(Said { part, text, span });
        }
    }
    all
}
