//! Names of branches.

use hookgate_policy::BranchConvention;
use hookgate_text::{Message, Quoted, say};

/// Branches that exist in every repository under that name.
const MAIN: [&str; 2] = ["main", "master"];

/// What is wrong with the name of a new branch, and what to do.
pub(crate) fn problem(name: &str, convention: &BranchConvention) -> Option<(Message, Message)> {
    if MAIN.contains(&name) {
        return None;
    }
    let named = Quoted::new(name);
    if let Some(types) = &convention.types {
        let kind = name.split_once('/').map(|(kind, _)| kind);
        if !kind.is_some_and(|kind| types.iter().any(|known| known == kind)) {
            let list = Message::in_their_words(&types.join(", "));
            let fix = say!("call it `type/what-it-is-about` with one of the types {}", list);
            return Some((say!("makes the branch {}, whose name has no known type", named), fix));
        }
    }
    if convention.plain == Some(true) {
        let rest = name.split_once('/').map_or(name, |(_, rest)| rest);
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if rest.is_empty() || !rest.chars().all(fits) || name.chars().any(|c| c.is_ascii_uppercase()) {
            let plain: String =
                name.to_lowercase().chars().map(|c| if fits(c) || c == '/' { c } else { '-' }).collect();
            let fix = say!("use small letters, digits and dashes: {}", Quoted::new(&plain));
            return Some((say!("makes the branch {}, which has other signs in its name", named), fix));
        }
    }
    // A pattern that doesn't compile is an error of the policy, which says so itself.
    let fits = convention.name.as_ref().is_none_or(|pattern| pattern.matches(name).unwrap_or(true));
    (!fits).then(|| {
        let what = say!("makes the branch {}, whose name doesn't match the policy's pattern", named);
        (what, "choose a name that matches `branch.name` in the policy".into())
    })
}
