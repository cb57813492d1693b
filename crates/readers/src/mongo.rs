//! The mongo shell: JavaScript in which methods of `db` do the work.

use super::Code;
use super::javascript::{self, JAVASCRIPT};
use super::reader::{Dialect, read};
use super::value::Act;
use hookgate_facts::Kind;
use hookgate_knowledge::{Library, shipped};

static MONGO: Dialect = Dialect { library: "mongo", called, ..JAVASCRIPT };

/// What a text does.
pub(super) fn analyse(text: &str) -> Code {
    let mut code = read(&MONGO, text);
    let lower = text.trim().to_ascii_lowercase();
    if lower.starts_with("show ") || lower.starts_with("use ") || lower == "help" {
        code = Code::new();
        code.push(Kind::DatabaseRead, None, 0, text.len());
    }
    // A command by its name: `db.runCommand({drop: "x"})`.
    if let Some((_, commands)) = text.split_once("runCommand(").or_else(|| text.split_once("adminCommand(")) {
        let first: String = commands
            .trim_start_matches(|character: char| {
                character.is_whitespace() || matches!(character, '{' | '\'' | '"')
            })
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        if let Some((Act::Does(kind), _)) = Library::of(shipped(), MONGO.library).command(&first) {
            code.push(kind, None, 0, text.len());
        }
    }
    code
}

fn called(library: &Library<'static>, name: &str) -> Option<Act> {
    match name.strip_prefix("db.") {
        Some(rest) => library.collection(rest.rsplit('.').next().unwrap_or(rest)),
        None => javascript::called(library, name),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Mongo;

    #[test]
    fn methods_of_collections_are_sorted_by_what_they_lose() {
        check(Mongo, "db.users.find({name: 'drop'}).limit(5)", &["database-read"], true);
        check(Mongo, "db.users.drop()", &["database-destroy"], true);
        check(Mongo, "db.dropDatabase()", &["database-destroy"], true);
        check(Mongo, "db.users.deleteMany({})", &["database-destroy"], true);
        check(Mongo, "db.users.insertOne({a: 1})", &["database-change"], true);
        check(Mongo, "db.getCollection('x').updateOne({a:1},{$set:{b:2}})", &["database-change"], true);
        check(Mongo, "show collections", &["database-read"], true);
        check(Mongo, "db.adminCommand({shutdown: 1})", &["service"], false);
        check(Mongo, "db.runCommand({ 'drop': 'visits' })", &["database-destroy"], false);
        check(Mongo, "db.runCommand({ping: 1})", &[], false);
        check(Mongo, "rs.remove('a:27017')", &["database-destroy"], true);
    }
}
