//! What may hold after either of several courses of a text.

use super::{Ended, MAXIMUM_VALUES, State, Value, Variable, Variables};
use crate::field::Data;

impl State {
    /// What of another shell's state outlasts that shell: files and links.
    pub(crate) fn keep_files_of(&mut self, other: State) {
        self.files = other.files;
        self.more_files = other.more_files;
        self.links = other.links;
    }

    /// What holds after one of two courses: this one, or the other.
    pub(crate) fn merge(&mut self, other: State) {
        if self.stashed != other.stashed {
            self.stashed = None;
        }
        if self.ended != Ended::No && other.ended == Ended::No {
            let files = std::mem::take(&mut self.files);
            *self = other;
            for file in files {
                if self.remembered(&file.path).is_none() {
                    self.remember(file.path, file.data, file.call);
                }
            }
            return;
        }
        if other.ended == Ended::No {
            for (name, variable) in &mut self.variables {
                if other.variable(name).is_none() {
                    variable.doubt();
                }
            }
            merge_directories(&mut self.directories, other.directories);
            self.merge_variables(other.variables);
        }
        for (name, body) in other.functions {
            if self.function(&name).is_none() {
                self.functions.push((name, body));
            }
        }
        for (name, text) in other.aliases {
            if self.alias(&name).is_none() {
                self.aliases.push((name, text));
            }
        }
        self.keywords |= other.keywords;
        for directory in other.searched {
            if !self.searched.contains(&directory) {
                self.searched.push(directory);
            }
        }
        for link in other.links {
            if !self.links.contains(&link) {
                self.links.push(link);
            }
        }
        self.more_files |= other.more_files;
        for file in other.files {
            match self.remembered(&file.path).cloned() {
                None => self.remember(file.path, file.data, file.call),
                Some(known) if known != file.data => {
                    self.remember(file.path, worse(known, file.data), file.call);
                }
                Some(_) => {}
            }
        }
    }

    /// What has another value than it had before is only there if a condition held.
    pub(crate) fn doubt_changes(&mut self, before: &State) {
        for (name, variable) in &mut self.variables {
            if before.variable(name) != Some(variable) {
                variable.doubt();
            }
        }
    }

    /// What the shell holds after a trap ran: before each command from here on, its variables may become that.
    pub(crate) fn assign_by_trap(&mut self, after: &State) {
        let changed = |(name, variable): &&(String, Variable)| self.variable(name) != Some(variable);
        self.assigned_by_trap = after.variables.iter().filter(changed).cloned().collect();
    }

    /// Those variables may hold as well what they hold there.
    pub(crate) fn merge_variables(&mut self, other: Variables) {
        for (name, variable) in other {
            self.merge_variable(&name, variable);
        }
    }

    fn merge_variable(&mut self, name: &str, mut other: Variable) {
        let room = self.has_room_for(name);
        match self.variables.iter_mut().find(|(known, _)| known == name) {
            Some((_, variable)) => {
                for value in other.values {
                    if variable.values.contains(&value) {
                        continue;
                    }
                    let room = variable.values.len() < MAXIMUM_VALUES;
                    let value = if room { value } else { Value::computed() };
                    if !variable.values.contains(&value) {
                        variable.values.push(value);
                    }
                }
                if variable.elements != other.elements {
                    let mut elements = variable.elements.take().unwrap_or_default();
                    elements.extend(other.elements.unwrap_or_default());
                    elements.truncate(MAXIMUM_VALUES);
                    variable.elements = (!elements.is_empty()).then_some(elements);
                }
                variable.exported |= other.exported;
                if variable.values.iter().any(Value::is_unassigned) {
                    variable.doubt();
                }
            }
            None if room => {
                other.doubt();
                self.variables.push((name.to_owned(), other));
            }
            None => {}
        }
    }
}

fn merge_directories(directories: &mut Vec<String>, other: Vec<String>) {
    if directories.is_empty() || other.is_empty() {
        directories.clear();
        return;
    }
    for directory in other {
        if !directories.contains(&directory) {
            directories.push(directory);
        }
    }
    if directories.len() > 4 {
        directories.clear();
    }
}

/// Of two contents that a file may have, the one to judge by.
fn worse(one: Data, other: Data) -> Data {
    match (&one, &other) {
        (Data::Network(_), _) => one,
        (_, Data::Network(_)) => other,
        (Data::Decoded, _) | (_, Data::Decoded) => Data::Decoded,
        (Data::Secret, _) | (_, Data::Secret) => Data::Secret,
        (Data::Encoded, _) | (_, Data::Encoded) => Data::Encoded,
        _ => Data::Unknown,
    }
}
