//! Commands of a Redis client: one a line.

use super::Code;
use super::value::Act;
use hookgate_facts::Kind;
use hookgate_knowledge::{Library, shipped};

/// Commands in a script that lose data; the short ones only as a text of their own.
const DESTROYS: [&str; 5] = ["flushall", "flushdb", "'del'", "\"del\"", "'unlink'"];

/// What the commands do.
pub(super) fn analyse(text: &str) -> Code {
    let library = Library::of(shipped(), "redis");
    let mut code = Code::new();
    let mut at = 0;
    for line in text.split('\n') {
        let (start, end) = (at, at + line.len());
        at = end + 1;
        let mut words = line.split_whitespace().map(str::to_ascii_lowercase);
        let Some(command) = words.next() else { continue };
        let next = words.next().unwrap_or_default();
        // A script is a text that hides what it calls.
        let scripted = command.starts_with("eval")
            && DESTROYS.iter().any(|name| line.to_ascii_lowercase().contains(name));
        let row = if scripted { None } else { library.command(&format!("{command}.{next}")) };
        let (kind, doubt) = match row.or_else(|| library.command(&command)) {
            _ if scripted => (Kind::DatabaseDestroy, true),
            Some((Act::Does(kind), doubt)) => (kind, doubt),
            _ => (Kind::DatabaseChange, true),
        };
        if doubt {
            code.lose();
        }
        code.push(kind, None, start, end);
    }
    code
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Redis;

    #[test]
    fn commands_are_sorted_by_what_they_lose() {
        check(Redis, "GET flushall", &["database-read"], true);
        check(Redis, "SET a 1\nFLUSHALL", &["database-change", "database-destroy"], true);
        check(Redis, "config set dir /home/dev/.ssh", &["service"], false);
        check(Redis, "eval 'return 1' 0", &["database-change"], false);
        check(Redis, "eval \"redis.call('flushall')\" 0", &["database-destroy"], false);
        check(Redis, "script flush", &["database-destroy"], false);
        check(Redis, "replicaof no one", &["service"], false);
    }
}
