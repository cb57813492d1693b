//! The mongo shell: JavaScript in which methods of `db` do the work.

use super::{Code, javascript};
use crate::Kind;

/// What a text does.
pub(super) fn analyse(text: &str) -> Code {
    let mut code = javascript::analyse_with_shell(text);
    let lower = text.trim().to_ascii_lowercase();
    if lower.starts_with("show ") || lower.starts_with("use ") || lower == "help" {
        code = Code::new();
        code.push(Kind::DatabaseRead, None, 0, text.len());
    }
    code
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::languages::Language::Mongo;

    #[test]
    fn methods_of_collections_are_sorted_by_what_they_lose() {
        check(Mongo, "db.users.find({name: 'drop'}).limit(5)", &["database-read"], true);
        check(Mongo, "db.users.drop()", &["database-destroy"], true);
        check(Mongo, "db.dropDatabase()", &["database-destroy"], true);
        check(Mongo, "db.users.deleteMany({})", &["database-destroy"], true);
        check(Mongo, "db.users.insertOne({a: 1})", &["database-change"], true);
        check(Mongo, "db.getCollection('x').updateOne({a:1},{$set:{b:2}})", &["database-change"], true);
        check(Mongo, "show collections", &["database-read"], true);
        check(Mongo, "db.adminCommand({shutdown: 1})", &[], false);
    }
}
