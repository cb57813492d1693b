//! The form of a title.

use hookgate_knowledge::{Row, Table, shipped};
use hookgate_policy::{ScopeUse, TitleStyle};
use hookgate_text::{Message, Quoted, say};

use super::names::telling;

/// What a title must look like.
pub(crate) struct Form<'a> {
    pub(crate) style: TitleStyle,
    pub(crate) types: Option<&'a [String]>,
    pub(crate) scope: ScopeUse,
}

/// The parts of `type(scope)!: text`.
pub(crate) struct Conventional<'t> {
    pub(crate) kind: &'t str,
    pub(crate) scope: Option<&'t str>,
}

/// Reads a conventional title.
pub(crate) fn conventional(title: &str) -> Option<Conventional<'_>> {
    let (head, text) = title.split_once(':')?;
    let head = head.strip_suffix('!').unwrap_or(head);
    let (kind, scope) = match head.split_once('(') {
        Some((kind, rest)) => (kind, Some(rest.strip_suffix(')')?)),
        None => (head, None),
    };
    let word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let starts = text.strip_prefix(' ').is_some_and(|text| !text.trim().is_empty());
    (word(kind) && scope.is_none_or(|scope| !scope.trim().is_empty()) && starts)
        .then_some(Conventional { kind, scope })
}

impl Form<'_> {
    /// What is wrong with a title, and what to do.
    pub(crate) fn problem(&self, title: &str) -> Option<(Message, Message)> {
        match self.style {
            TitleStyle::Any => None,
            TitleStyle::Scoped => self.scoped(title),
            TitleStyle::Conventional => self.conventional(title),
        }
    }

    fn scoped(&self, title: &str) -> Option<(Message, Message)> {
        let form = title.split_once(": ").is_some_and(|(scope, text)| {
            !scope.is_empty() && !scope.contains(char::is_whitespace) && !text.trim().is_empty()
        });
        (!form).then(|| {
            let what = say!("writes the title {} without a scope", Quoted::new(title));
            (what, "begin the title with what it is about: `scope: text`".into())
        })
    }

    fn conventional(&self, title: &str) -> Option<(Message, Message)> {
        let wanted = match self.scope {
            ScopeUse::Required => "`type(scope): text`",
            ScopeUse::Optional => "`type: text` or `type(scope): text`",
            ScopeUse::Forbidden => "`type: text`",
        };
        let fix = match self.list().as_str() {
            "" => say!("write the title as {} with one of the policy's types", wanted),
            types => {
                say!("write the title as {} with one of the types {}", wanted, Message::in_their_words(types))
            }
        };
        let Some(found) = conventional(title) else {
            return Some((say!("writes the title {}, which isn't conventional", Quoted::new(title)), fix));
        };
        if !self.allows(found.kind) {
            return Some((
                say!("writes a title of the type {}, which isn't one", Quoted::new(found.kind)),
                fix,
            ));
        }
        match (self.scope, found.scope) {
            (ScopeUse::Required, None) => {
                Some((say!("writes the title {} without a scope", Quoted::new(title)), fix))
            }
            (ScopeUse::Forbidden, Some(scope)) => {
                Some((say!("writes a title with the scope {}", Quoted::new(scope)), fix))
            }
            _ => None,
        }
    }

    fn allows(&self, kind: &str) -> bool {
        match self.types {
            Some(types) => types.iter().any(|known| known == kind),
            None => rows("types").contains(kind),
        }
    }

    fn list(&self) -> String {
        match self.types {
            Some(types) => telling(types).join(", "),
            None => rows("types").rows().map(Row::key).collect::<Vec<_>>().join(", "),
        }
    }
}

/// The scope of a feature or a fix that is a type of its own, where the title has one.
pub(crate) fn misplaced<'t>(title: &'t str, scopes: &[String]) -> Option<(&'t str, &'t str)> {
    let found = conventional(title)?;
    let scope = found.scope.filter(|scope| scopes.iter().any(|known| known == scope))?;
    rows("noticed").contains(found.kind).then_some((found.kind, scope))
}

fn rows(name: &str) -> Table<'static> {
    shipped().table(&["people/titles/", name].concat())
}
