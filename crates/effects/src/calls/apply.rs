//! What the table says about a call.

use std::borrow::Cow;

use super::leaving::{address, manages};
use super::said::said;
use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Change, EffectSpecification, Facet, Manner, Matched, Operand, Role, ValueForm};
use crate::knowledge::{assign_operands, listed_operands};
use crate::programs::agents::is_the_gate;
use crate::programs::unread::{spoken, written_by_text};
use crate::texts::joined;

impl Context<'_> {
    /// Says what the table says: the call's effects, those of its options, and those of operands and values by role.
    pub(crate) fn standard(&mut self, call: &Matched<'_>) {
        let recursive = call.options.iter().any(|option| option.specification.recursive());
        let listed = listed_operands(call);
        let operands = assign_operands(call);
        let takes_away = Taken::of(call);

        // `+stdin`: what a listing brings is what the operands would be.
        if call.options.iter().any(|option| option.specification.standard_input())
            && let (Data::Paths(glob), Some(operand)) = (self.input(), listed.first())
        {
            let field = Field { pattern: true, ..Field::of(glob.clone(), call.span) };
            self.by_role(operand.role, &field, recursive, &takes_away);
        }
        for said in said(call, self) {
            self.says(said);
        }
        self.option_values(call, recursive, &takes_away);

        let named = with_kind(call, &operands);
        let mut names: Vec<&Field> = Vec::new();
        let mut hosts: Vec<&Field> = Vec::new();
        for (field, operand) in named.iter().zip(&operands) {
            match operand.map(|operand| operand.role) {
                Some(role) if role.names_target() && !is_only_kind(role, &named) => names.push(field),
                Some(Role::Url | Role::Host) => hosts.push(field),
                _ => {}
            }
        }
        for effect in call.specification.effects() {
            if !takes_away.own(effect.kind) {
                self.call_effect(effect, &names, &hosts);
            }
        }
        for option in &call.options {
            for change in option.specification.changes() {
                if let Change::Add(kind) = change {
                    if takes_away.kind(kind) {
                        continue;
                    }
                    match (option.value.as_ref(), option.specification.value()) {
                        (
                            Some(value),
                            ValueForm::Required(role) | ValueForm::Optional(role) | ValueForm::Attached(role),
                        ) if role.names_target() || matches!(role, Role::Url | Role::Host) => {
                            self.target_by_role(kind, role, value);
                        }
                        _ => self.call_effect(EffectSpecification { kind, target: None }, &names, &hosts),
                    }
                }
            }
        }

        self.untargeted_changes(call, &takes_away);

        let mut rest: Vec<Field> = Vec::new();
        let mut rest_role = None;
        for (field, operand) in named.iter().zip(&operands) {
            let Some(operand) = operand else { continue };
            if is_only_kind(operand.role, &named) {
                continue;
            }
            if let Some(kind) = operand.effect.filter(|kind| !takes_away.own(*kind)) {
                self.target_by_role(kind, operand.role, field);
            }
            if matches!(operand.role, Role::Command | Role::Shell) {
                rest_role = Some(operand.role);
                rest.push(field.clone());
            } else {
                self.by_role(operand.role, field, recursive, &takes_away);
            }
        }
        self.searched_here(call, &operands);
        match rest_role {
            // `pipx run https://...`: no registry knows what it runs.
            Some(Role::Command) => match rest.first().and_then(address).filter(|_| manages(call.program)) {
                Some(host) => self.effect_on(Kind::RemoteCode, Target::Host(host.to_owned())),
                None => self.run_command(&rest),
            },
            Some(_) => self.run_shell(&joined(&rest)),
            None => {}
        }
        if listed.iter().any(|operand| operand.role == Role::Script) {
            // The words behind a script are the script's own.
        } else if operands.iter().any(Option::is_none) && call.unlisted.is_empty() {
            self.unknown_about(Unknown::Program, Some(Target::Name(call.program.to_owned())), call.span);
            self.annotate("has more operands than are known");
        }
    }

    /// A search without a path reads where it is called, unless it reads what it is fed.
    fn searched_here(&mut self, call: &Matched<'_>, operands: &[Option<Operand>]) {
        let marked = call.options.iter().any(|option| option.specification.recursive());
        let (here, all) = match call.specification.facet(Facet::Searches) {
            Some("always") => (*self.input() == Data::Nothing, true),
            Some("visible") => (*self.input() == Data::Nothing, marked),
            Some(_) => (marked, true),
            None => (false, false),
        };
        let named = || operands.iter().flatten().any(|operand| !operand.role.file_effects().is_empty());
        let looks_for = !call.operands.is_empty() || call.has("--regexp");
        if here && looks_for && !named() {
            self.path_text(Kind::Read, ".", all);
        }
    }

    /// A change without a target may be one of what the call names. That matters where a guard is among it: its files, or
    /// its package.
    fn untargeted_changes(&mut self, call: &Matched<'_>, takes_away: &Taken) {
        let own = call.specification.effects().filter(|effect| effect.target.is_none());
        let own = own.map(|effect| effect.kind).filter(|kind| !takes_away.own(*kind));
        let options = call.options.iter().flat_map(|option| option.specification.changes());
        let added = options.filter_map(|change| match change {
            Change::Add(kind) if !takes_away.kind(kind) => Some(kind),
            _ => None,
        });
        let kinds: Vec<Kind> = own.chain(added).collect();
        let file = kinds.iter().find_map(|kind| match kind {
            Kind::Write | Kind::Append | Kind::Delete | Kind::Destroy | Kind::Move => Some(*kind),
            Kind::GitConfig => Some(Kind::Write),
            _ => None,
        });
        let package = kinds
            .into_iter()
            .find(|kind| matches!(kind, Kind::Install | Kind::InstallGlobal | Kind::Uninstall));
        if file.is_none() && package.is_none() {
            return;
        }
        let values = call.options.iter().filter_map(|option| option.value.as_ref());
        for field in call.operands.iter().chain(values) {
            if let Some(kind) = file.filter(|_| self.is_guarded(field) || self.is_file_of_project(field)) {
                self.possibly(|context| context.path(kind, field));
            }
            let text = field.text().unwrap_or_default();
            let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
            if let (Some(kind), Some(name)) = (package, parts.into_iter().find(|part| is_the_gate(part))) {
                self.effect_on(kind, Target::Name(name.to_owned()));
            }
        }
    }

    /// What the values of the options are, by their roles.
    fn option_values(&mut self, call: &Matched<'_>, recursive: bool, takes_away: &Taken) {
        for option in &call.options {
            // What an option takes away is not what its own value says: `-o FILE` instead of a change in place.
            let instead = option
                .specification
                .changes()
                .any(|change| matches!(change, Change::Remove(_) | Change::RemoveAll));
            let taken = if instead { &Taken::NOTHING } else { takes_away };
            self.option_value(option.specification.value(), option.value.as_ref(), recursive, taken);
            let lists = |name: &str| knowledge::is_listed("commands/words/lists-of-files", name);
            if let Some(file) = option.value.as_ref().filter(|_| option.specification.names().any(lists)) {
                // Beside what it finds by them, and whatever of that it shows.
                self.without_call(|context| context.path(Kind::Read, file));
            }
        }
    }

    fn option_value(&mut self, form: ValueForm, value: Option<&Field>, recursive: bool, taken: &Taken) {
        let (ValueForm::Required(role) | ValueForm::Optional(role) | ValueForm::Attached(role)) = form else {
            return;
        };
        let Some(value) = value else { return };
        match role {
            Role::Command | Role::Shell => self.run_shell(value),
            _ => self.by_role(role, value, recursive, taken),
        }
    }

    fn by_role(&mut self, role: Role, field: &Field, recursive: bool, taken: &Taken) {
        let first = self.found.effects.len();
        for kind in role.file_effects() {
            if !taken.own(*kind) {
                self.file_effect(*kind, field, recursive);
            }
        }
        if role == Role::Settings {
            for effect in self.found.effects.iter_mut().skip(first) {
                effect.manner = effect.manner.and(Manner::USED);
            }
            // Settings name commands, which the program runs (`ProxyCommand`).
            if let Some(text) = written_by_text(self, field) {
                self.possibly(|context| spoken(context, &text, field));
            }
        }
        match role {
            Role::Program => self.run_program(field),
            Role::Script => self.run_script(field),
            Role::Python
            | Role::JavaScript
            | Role::Perl
            | Role::Ruby
            | Role::Php
            | Role::Awk
            | Role::Sed
            | Role::Sql => {
                self.run_code(role, field);
            }
            Role::Variable => self.set_for_call(field),
            // No file is meant: `-o '|COMMAND'` is a program's input.
            Role::Write | Role::Append => {
                let piped = field.text().filter(|text| text.starts_with(['|', '!']) && text.len() > 1);
                if piped.is_some() {
                    let command = field.after(1);
                    self.possibly(|context| context.run_shell(&command));
                }
            }
            _ => {}
        }
    }

    /// An effect of the whole call, on each of its targets.
    fn call_effect(&mut self, effect: EffectSpecification<'_>, names: &[&Field], hosts: &[&Field]) {
        if let Some(target) = effect.target {
            if effect.kind.is_about_file() {
                let path = match target.strip_prefix("~/") {
                    Some(rest) => format!("{}/{rest}", self.places().home),
                    None => target.to_owned(),
                };
                // `DIR/**` is that directory with all that it holds.
                let tree = path.strip_suffix("/**");
                self.path_text(effect.kind, tree.unwrap_or(&path), tree.is_some());
            } else {
                self.effect_on(effect.kind, Target::Name(target.to_owned()));
            }
            return;
        }
        if effect.kind.is_about_host() && !hosts.is_empty() {
            for host in hosts {
                self.host(effect.kind, host);
            }
        } else if names.is_empty() {
            self.effect(effect.kind);
        } else {
            for name in names {
                self.named(effect.kind, name);
            }
        }
    }

    fn target_by_role(&mut self, kind: Kind, role: Role, field: &Field) {
        match role {
            Role::Url | Role::Host => self.host(kind, field),
            _ if kind.is_about_file() => self.path(kind, field),
            _ => self.named(kind, field),
        }
    }
}

/// The operands, each resource behind a word for its kind with that word before it: `ns prod` is `ns/prod`.
fn with_kind<'a>(call: &'a Matched<'_>, operands: &[Option<Operand>]) -> Cow<'a, [Field]> {
    let kind = match (operands, call.operands.as_slice()) {
        ([Some(first), ..], [kind, _, ..]) if first.role == Role::Kind && !kind.shown().contains('/') => kind,
        _ => return Cow::Borrowed(&call.operands),
    };
    let named = call.operands.iter().skip(1).map(|field| Field {
        text: kind.text().zip(field.text()).map(|(kind, name)| format!("{kind}/{name}")),
        written: format!("{}/{}", kind.written, field.written),
        ..field.clone()
    });
    Cow::Owned(std::iter::once(kind.clone()).chain(named).collect())
}

/// Is it the word for a kind, with the resources behind it?
fn is_only_kind(role: Role, operands: &[Field]) -> bool {
    role == Role::Kind && matches!(operands, [kind, _, ..] if !kind.shown().contains('/'))
}

/// What options take away from a call.
struct Taken {
    all: bool,
    kinds: Vec<Kind>,
}

impl Taken {
    const NOTHING: Taken = Taken { all: false, kinds: Vec::new() };

    fn of(call: &Matched<'_>) -> Taken {
        let changes = || call.options.iter().flat_map(|option| option.specification.changes());
        Taken {
            all: changes().any(|change| change == Change::RemoveAll),
            kinds: changes()
                .filter_map(|change| match change {
                    Change::Remove(kind) => Some(kind),
                    _ => None,
                })
                .collect(),
        }
    }

    /// Is an effect of the call itself taken away?
    fn own(&self, kind: Kind) -> bool {
        (self.all && kind != Kind::Read) || self.kind(kind)
    }

    fn kind(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }
}
