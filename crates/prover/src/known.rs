//! Calls of programs whose own knowledge file was reviewed: every option and operand by the role that the file gives it.

use hookgate_knowledge::{
    Change, Kind, Matched, Program, Role, Unlisted, ValueForm, Word, assign_operands, match_call, shipped,
};
use hookgate_shell::Span;

use crate::calls::Argument;
use crate::state::Value;
use crate::statements::{Input, Prover};
use crate::{Proven, refuse};

/// An argument, as the knowledge matches it.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    value: Value,
    at: Span,
}

impl Word for Known {
    fn written(&self) -> &str {
        &self.value.text
    }

    fn text(&self) -> Option<&str> {
        self.value.known()
    }

    fn is(&self, text: &str) -> bool {
        self.value.known() == Some(text)
    }

    fn after(&self, count: usize) -> Self {
        let text = self.value.text.get(count..).unwrap_or_default().to_owned();
        Known { value: Value { text, ..self.value.clone() }, at: self.at }
    }
}

/// The program of that name, if its file was reviewed.
pub(crate) fn reviewed(name: &str) -> Option<Program<'static>> {
    shipped().program(name).filter(|program| program.specification().reviewed().is_some())
}

impl Prover<'_> {
    /// A call of a program whose file was reviewed.
    pub(crate) fn known(&mut self, program: Program<'_>, arguments: &[Argument], span: Span) -> Proven<()> {
        let name = program.name();
        if let Some((_, at)) = arguments.iter().find(|(value, _)| !value.exact && value.can_be_option()) {
            return refuse(format!("a word that may turn into an option of `{name}`"), *at);
        }
        let word = Known { value: Value::of(name), at: span };
        let words: Vec<Known> =
            arguments.iter().map(|(value, at)| Known { value: value.clone(), at: *at }).collect();
        let call = match_call(program, &word, &words, span);
        if let Some(unlisted) = call.unlisted.first() {
            return refuse(format!("`{}` of `{name}` is not reviewed", unlisted.value.text), unlisted.at);
        }
        // A short entry for subcommands takes any option; here each has to be listed.
        let listed = |index: usize| call.options.iter().any(|option| option.index == index);
        let loose = words.iter().enumerate().find(|(index, word)| {
            word.value.text.len() > 1
                && word.value.text.starts_with('-')
                && word.value.text != "--"
                && !listed(*index)
                && !call.options.iter().any(|option| option.index + 1 == *index && option.value.is_some())
        });
        if let Some((_, word)) = loose {
            return refuse(format!("`{}` of `{name}` is not reviewed", word.value.text), word.at);
        }
        if call.handler.is_some() || program.specification().unlisted() != Unlisted::Unknown {
            return refuse(format!("`{name}` is only reviewed in part"), span);
        }
        let fed = self.input != Input::Own;
        let stdin = program.specification().standard_input();
        if fed && matches!(stdin, None | Some(hookgate_knowledge::StandardInput::Program)) {
            return refuse(format!("`{name}` may take its standard input for more than data"), span);
        }
        self.known_parts(&call, span)
    }

    fn known_parts(&mut self, call: &Matched<'_, Known>, span: Span) -> Proven<()> {
        let mut kinds: Vec<Kind> = call.specification.effects().map(|effect| effect.kind).collect();
        for option in &call.options {
            for change in option.specification.changes() {
                match change {
                    Change::Add(kind) => kinds.push(kind),
                    // A dry run counts for what the other key makes of it; here everything else still has to be known.
                    Change::Remove(_) | Change::RemoveAll | Change::Nothing => {}
                }
            }
            let value = option.specification.value();
            if let (
                ValueForm::Required(role) | ValueForm::Optional(role) | ValueForm::Attached(role),
                Some(value),
            ) = (value, &option.value)
            {
                self.known_role(call.program, role, value)?;
            }
        }
        let roles = assign_operands(call);
        for (operand, role) in call.operands.iter().zip(roles) {
            match role {
                Some(role) => {
                    kinds.extend(role.effect);
                    self.known_role(call.program, role.role, operand)?;
                }
                None if call.specification.has_operands() => {
                    return refuse(format!("more words than `{}` is reviewed for", call.program), operand.at);
                }
                None => self.known_role(call.program, Role::Text, operand)?,
            }
        }
        if let Some(kind) = kinds.iter().find(|kind| !is_plain(**kind)) {
            return refuse(format!("`{}` does more than read ({})", call.program, kind.name()), span);
        }
        if kinds.contains(&Kind::RemoteRead) {
            if let Some(word) = call.arguments.iter().find(|word| !word.value.exact) {
                return refuse(format!("`{}` sends a word that is computed", call.program), word.at);
            }
            if self.input != Input::Own {
                return refuse(format!("`{}` is fed and talks to a service", call.program), span);
            }
        }
        Ok(())
    }

    fn known_role(&mut self, program: &str, role: Role, word: &Known) -> Proven<()> {
        match role {
            Role::Number | Role::Text | Role::Name | Role::Format => Ok(()),
            Role::Branch
            | Role::Resource
            | Role::Service
            | Role::Process
            | Role::Container
            | Role::Image
            | Role::Package
                if word.value.exact =>
            {
                Ok(())
            }
            Role::Read => self.reads(&word.value, word.at),
            _ => refuse(format!("what `{program}` does with this word is not for a grant"), word.at),
        }
    }
}

/// May a grant rest on an effect of that kind, in a program that was reviewed as a whole?
fn is_plain(kind: Kind) -> bool {
    matches!(kind, Kind::Read | Kind::RemoteRead | Kind::DatabaseRead)
}
