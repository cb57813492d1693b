//! The mongo shell: JavaScript in which methods of `db` do the work.

use super::Code;
use super::javascript::JAVASCRIPT;
use super::reader::{Dialect, read};
use super::value::Act;
use hookgate_facts::Kind;

static MONGO: Dialect = Dialect { method, function, module, ..JAVASCRIPT };

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
        match first.as_str() {
            "drop" | "dropDatabase" | "dropIndexes" | "delete" | "deleteIndexes" | "removeShard" => {
                code.push(Kind::DatabaseDestroy, None, 0, text.len());
            }
            "shutdown" | "replSetStepDown" | "fsync" => code.push(Kind::Service, None, 0, text.len()),
            "dropUser" | "dropAllUsersFromDatabase" | "dropRole" | "createUser" | "grantRolesToUser" => {
                code.push(Kind::Credential, None, 0, text.len());
            }
            _ => {}
        }
    }
    code
}

fn module(name: &str) -> bool {
    name == "db" || name == "rs" || name == "sh" || (JAVASCRIPT.module)(name)
}

fn function(name: &str) -> Option<Act> {
    let Some(rest) = name.strip_prefix("db.") else {
        return match name {
            "print" | "printjson" | "ObjectId" | "ISODate" | "NumberInt" | "NumberLong" | "quit" | "exit" => {
                Some(Act::Nothing)
            }
            "load" => Some(Act::Eval(0)),
            "rs.status" | "rs.conf" | "sh.status" => Some(Act::Does(Kind::DatabaseRead)),
            "rs.remove" | "sh.removeShard" | "sh.removeShardFromZone" | "sh.removeTagRange" => {
                Some(Act::Does(Kind::DatabaseDestroy))
            }
            "rs.stepDown" | "rs.freeze" | "rs.reconfig" | "sh.stopBalancer" | "sh.disableBalancing" => {
                Some(Act::Does(Kind::Service))
            }
            "Mongo" | "connect" => Some(Act::Nothing),
            _ => (JAVASCRIPT.function)(name),
        };
    };
    let method = rest.rsplit('.').next().unwrap_or(rest);
    match method {
        "getCollection" | "getSiblingDB" | "getName" => Some(Act::Nothing),
        "shutdownServer" | "fsyncLock" => Some(Act::Does(Kind::Service)),
        "createUser" | "dropUser" | "dropAllUsers" | "dropRole" | "dropAllRoles" | "updateUser"
        | "changeUserPassword" | "grantRolesToUser" => Some(Act::Does(Kind::Credential)),
        _ => collection_method(method),
    }
}

fn method(name: &str, arguments: usize) -> Option<Act> {
    match name {
        "limit" | "pretty" | "skip" | "project" | "toArray" | "itcount" | "hint" | "batchSize"
        | "hasNext" | "getIndexes" => Some(Act::Nothing),
        _ => (JAVASCRIPT.method)(name, arguments).or_else(|| collection_method(name)),
    }
}

fn collection_method(name: &str) -> Option<Act> {
    Some(Act::Does(match name {
        "find"
        | "findOne"
        | "count"
        | "countDocuments"
        | "estimatedDocumentCount"
        | "distinct"
        | "stats"
        | "explain"
        | "getIndexes"
        | "getCollectionNames"
        | "getCollectionInfos"
        | "serverStatus"
        | "version"
        | "currentOp"
        | "listCollections"
        | "hostInfo"
        | "getUsers"
        | "dataSize"
        | "isCapped"
        | "latencyStats" => Kind::DatabaseRead,
        "drop" | "dropDatabase" | "deleteMany" | "remove" | "dropIndexes" | "dropIndex"
        | "dropSearchIndex" | "dropCollection" => Kind::DatabaseDestroy,
        "insertOne" | "insertMany" | "insert" | "updateOne" | "updateMany" | "update" | "replaceOne"
        | "deleteOne" | "findOneAndUpdate" | "findOneAndDelete" | "findOneAndReplace" | "findAndModify"
        | "save" | "createIndex" | "createIndexes" | "createCollection" | "createView"
        | "renameCollection" | "bulkWrite" => Kind::DatabaseChange,
        _ => return None,
    }))
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
