//! Lines that name an agent as the author.

use hookgate_knowledge::{Row, Table, shipped};

use super::message::find_word;

/// Does the line name an agent as the author? What merely mentions one doesn't.
pub(crate) fn names_agent(line: &str) -> bool {
    let line = line.to_lowercase();
    let agent = |text: &str| rows("names").any(|name| find_word(text, name));
    if let Some((trailer, value)) = line.split_once(':')
        && table("trailers").contains(trailer.trim())
    {
        return agent(value) || rows("mails").any(|mail| value.contains(mail));
    }
    rows("phrases").any(|phrase| {
        line.match_indices(phrase).any(|(at, found)| {
            let behind = line.get(at + found.len()..).unwrap_or_default();
            // The name follows at once, maybe as a link or behind a sign.
            let name = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
            behind.starts_with(|c: char| !c.is_alphanumeric())
                && rows("names").any(|known| {
                    name.strip_prefix(known)
                        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
                })
        })
    })
}

fn table(name: &str) -> Table<'static> {
    shipped().table(&["people/authors/", name].concat())
}

fn rows(name: &str) -> impl Iterator<Item = &'static str> {
    table(name).rows().map(Row::key)
}
