//! Cmdlets of PowerShell, as `knowledge/windows/powershell.toml` lists them.

use hookgate_knowledge::{Row, shipped};

/// A cmdlet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cmdlet {
    /// Its name in full.
    pub(super) name: &'static str,
    row: Row<'static>,
}

/// A parameter of a cmdlet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    names: &'static str,
    /// What its value is.
    pub(super) role: &'static str,
    /// It can be given without its name.
    pub(super) positional: bool,
    /// It takes all values that follow.
    pub(super) repeats: bool,
}

/// The cmdlet of that name or alias.
pub(super) fn cmdlet(name: &str) -> Option<Cmdlet> {
    let row = shipped().table("windows/powershell/cmdlets").find(&name.to_ascii_lowercase())?;
    Some(Cmdlet { name: row.cell(0)?, row })
}

impl Cmdlet {
    /// What it does besides what its parameters say.
    pub(super) fn effects(self) -> impl Iterator<Item = &'static str> {
        self.row.cell(1).unwrap_or_default().split(' ').filter(|name| !name.is_empty())
    }

    /// Its parameters, in the order of their positions.
    pub(super) fn parameters(self) -> impl Iterator<Item = Parameter> {
        self.row.cells().skip(2).filter_map(|text| {
            let (names, role) = text.split_once('=')?;
            let (positional, names) = names.strip_prefix('-').map_or((true, names), |names| (false, names));
            let (repeats, role) = role.strip_suffix("...").map_or((false, role), |role| (true, role));
            Some(Parameter { names, role, positional, repeats })
        })
    }

    /// The parameter that a name or the beginning of one means.
    pub(super) fn parameter(self, name: &str) -> Option<Parameter> {
        let exact = |known: &str| known.eq_ignore_ascii_case(name);
        self.parameters().find(|parameter| parameter.names.split(',').any(exact)).or_else(|| {
            self.parameters().find(|parameter| parameter.names.split(',').any(|known| begins(known, name)))
        })
    }
}

/// How a parameter that is not the cmdlet's own goes on; `None` where it is not known.
pub(super) fn takes_value(name: &str) -> Option<bool> {
    let [switches, values] =
        ["windows/powershell/switches", "windows/powershell/values"].map(|table| shipped().table(table));
    let exact = |row: Row<'_>| row.key().eq_ignore_ascii_case(name);
    if switches.rows().any(exact) {
        return Some(false);
    }
    if values.rows().any(exact) {
        return Some(true);
    }
    if switches.rows().any(|row| begins(row.key(), name)) {
        return Some(false);
    }
    values.rows().any(|row| begins(row.key(), name)).then_some(true)
}

/// Is it a name that the beginning stands for?
pub(super) fn begins(name: &str, beginning: &str) -> bool {
    name.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}
