//! What a statement does, by its first words.

use super::Word;
use crate::Code;
use hookgate_facts::Kind;

/// One statement.
pub(super) fn judge(words: &[Word], code: &mut Code, depth: usize) {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    let (start, end) = (first.start, last.end);
    let mut words = words;
    // EXPLAIN shows a plan; with ANALYZE the statement runs.
    if matches!(first.upper.as_str(), "EXPLAIN" | "DESC" | "DESCRIBE") {
        let analyses = words.iter().take(12).any(|word| word.upper == "ANALYZE" || word.upper == "ANALYSE");
        let inner = words.iter().position(|word| {
            matches!(
                word.upper.as_str(),
                "SELECT"
                    | "INSERT"
                    | "UPDATE"
                    | "DELETE"
                    | "WITH"
                    | "CREATE"
                    | "MERGE"
                    | "REPLACE"
                    | "EXECUTE"
            )
        });
        match inner {
            Some(at) if analyses => words = words.get(at..).unwrap_or_default(),
            _ => return code.push(Kind::DatabaseRead, None, start, end),
        }
    }
    // A setting has no verb in it: somebody forgot where it ends, or means that the client takes the line's end for it.
    if matches!(first.upper.as_str(), "SET" | "USE" | "BEGIN")
        && let Some(at) = words.iter().position(|word| matches!(word.upper.as_str(), "TRUNCATE" | "DROP"))
        && at > 1
    {
        return judge(words.get(at..).unwrap_or_default(), code, depth);
    }
    // Comments between brackets and opening brackets do not matter.
    let plain: Vec<&Word> = words.iter().filter(|word| word.upper != "(" || word.quoted).collect();
    let word = |index: usize| plain.get(index).map_or("", |word| word.upper.as_str());
    let has = |name: &str| plain.iter().any(|word| word.upper == name && !word.quoted);
    let target = |index: usize| name_at(&plain, index);
    functions(&plain, code, start, end);
    let (kind, target) = match word(0) {
        "" if plain.is_empty() => return,
        "SELECT" | "TABLE" | "VALUES" => {
            if has("OUTFILE") || has("DUMPFILE") {
                let file = plain.iter().skip_while(|w| w.upper != "OUTFILE" && w.upper != "DUMPFILE").nth(1);
                code.push(Kind::Write, file.map(|w| w.raw.clone()), start, end);
            }
            let into = plain.windows(2).any(|pair| {
                matches!(pair, [a, b] if a.upper == "INTO" && !matches!(b.upper.as_str(), "OUTFILE" | "DUMPFILE" | "@"))
            });
            (if into { Kind::DatabaseChange } else { Kind::DatabaseRead }, None)
        }
        "WITH" => {
            let writes = [("DELETE", "WHERE"), ("UPDATE", "WHERE")]
                .iter()
                .any(|(verb, condition)| has(verb) && !has(condition));
            if writes || drops_unmatched(&plain) {
                (Kind::DatabaseDestroy, None)
            } else if has("INSERT") || has("UPDATE") || has("DELETE") || has("MERGE") {
                (Kind::DatabaseChange, None)
            } else {
                (Kind::DatabaseRead, None)
            }
        }
        "SHOW" | "USE" | "HELP" | "LIST" | "DESC" | "DESCRIBE" => (Kind::DatabaseRead, None),
        "PRAGMA" => {
            (if has("=") && !has("TABLE_INFO") { Kind::DatabaseChange } else { Kind::DatabaseRead }, None)
        }
        // The logs are what a backup and the replicas go by.
        "RESET" if matches!(word(1), "MASTER" | "SLAVE" | "REPLICA" | "BINARY") => {
            (Kind::DatabaseDestroy, None)
        }
        "STOP" if matches!(word(1), "SLAVE" | "REPLICA" | "GROUP_REPLICATION") => (Kind::Service, None),
        "BEGIN" | "COMMIT" | "ROLLBACK" | "START" | "END" | "SAVEPOINT" | "RELEASE" | "SET" | "RESET"
        | "DEALLOCATE" | "DISCARD" | "FETCH" | "CLOSE" | "DECLARE" | "LISTEN" | "UNLISTEN" | "LOCK"
        | "UNLOCK" | "ABORT" | "GO" => {
            if word(0) == "SET" && word(1) == "PASSWORD" {
                code.push(Kind::Credential, None, start, end);
            }
            if word(0) == "SET" && matches!(word(1), "GLOBAL" | "PERSIST") {
                code.push(Kind::DatabaseChange, None, start, end);
            }
            return;
        }
        // What was in the table goes.
        "INSERT" if word(1) == "OVERWRITE" => (Kind::DatabaseDestroy, target(2)),
        "MERGE" if drops_unmatched(&plain) => (Kind::DatabaseDestroy, None),
        "INSERT" | "MERGE" | "UPSERT" | "IMPORT" => (Kind::DatabaseChange, None),
        "REPLACE" => (Kind::DatabaseChange, None),
        "UPDATE" => (if bounded(&plain) { Kind::DatabaseChange } else { Kind::DatabaseDestroy }, target(1)),
        "DELETE" => (
            if bounded(&plain) { Kind::DatabaseChange } else { Kind::DatabaseDestroy },
            target(if word(1) == "FROM" { 2 } else { 1 }),
        ),
        "TRUNCATE" => (Kind::DatabaseDestroy, target(if word(1) == "TABLE" { 2 } else { 1 })),
        "DROP" => match word(1) {
            "INDEX" | "VIEW" | "TRIGGER" | "FUNCTION" | "PROCEDURE" | "POLICY" | "RULE" | "SEQUENCE"
            | "AGGREGATE"
                if !has("CASCADE") =>
            {
                (Kind::DatabaseDestroy, target(2))
            }
            _ => (Kind::DatabaseDestroy, target(2)),
        },
        "ALTER" => {
            if matches!(word(1), "USER" | "ROLE" | "LOGIN") {
                (Kind::Credential, target(2))
            } else if word(1) == "SYSTEM" {
                (Kind::DatabaseChange, None)
            } else if has("DISABLE") && has("ROW") && has("SECURITY") {
                (Kind::Credential, target(2))
            } else {
                // A column goes with its data; a constraint or a default holds none.
                let loses = plain.windows(2).any(|pair| {
                    matches!(pair, [drop, what] if drop.upper == "DROP" && !matches!(
                        what.upper.as_str(),
                        "CONSTRAINT" | "DEFAULT" | "NOT" | "INDEX" | "KEY" | "CHECK" | "PRIMARY" | "FOREIGN"
                            | "IDENTITY" | "EXPRESSION"
                    ))
                });
                // A partition with all its rows; a deletion in the clothes of a change, as ClickHouse has it.
                let loses = loses
                    || plain.windows(2).any(|pair| {
                        matches!(pair, [verb, what] if verb.upper == "TRUNCATE" && what.upper == "PARTITION")
                    })
                    || (has("DELETE") && has("WHERE") && !bounded(&plain));
                (if loses { Kind::DatabaseDestroy } else { Kind::DatabaseChange }, target(2))
            }
        }
        "CREATE" => {
            if plain.iter().any(|word| word.upper == "$$") {
                code.lose();
            }
            match (word(1), word(2), word(3)) {
                ("USER" | "ROLE" | "LOGIN", ..) => (Kind::Credential, target(2)),
                ("EXTENSION", ..) => {
                    code.lose();
                    (Kind::DatabaseChange, None)
                }
                _ if has("FUNCTION") || has("PROCEDURE") || has("TRIGGER") => {
                    code.lose();
                    (Kind::DatabaseChange, None)
                }
                ("OR", "REPLACE", "TABLE") => (Kind::DatabaseDestroy, target(4)),
                _ => (Kind::DatabaseChange, None),
            }
        }
        // ClickHouse forgets the table until somebody attaches it again; to SQLite it is a second file.
        "DETACH" if matches!(word(1), "TABLE" | "VIEW" | "DICTIONARY") => (Kind::DatabaseDestroy, target(2)),
        "GRANT" | "REVOKE" => (Kind::Credential, None),
        "VACUUM" | "ANALYZE" | "REINDEX" | "OPTIMIZE" | "CHECK" | "REPAIR" | "CLUSTER" | "REFRESH"
        | "COMMENT" | "FLUSH" | "NOTIFY" | "ATTACH" | "DETACH" | "RENAME" | "CHECKPOINT" | "REASSIGN"
        | "SECURITY" => {
            if word(0) == "ATTACH" || (word(0) == "VACUUM" && word(1) == "INTO") {
                let file = plain.iter().find(|word| word.quoted).map(|word| word.raw.clone());
                code.push(Kind::Write, file, start, end);
            }
            (Kind::DatabaseChange, None)
        }
        "COPY" => {
            let after = |name: &str| plain.iter().skip_while(|word| word.upper != name || word.quoted).nth(1);
            let reads = has("FROM") && !has("TO");
            let file = after(if reads { "FROM" } else { "TO" });
            match file.map(|word| (word.upper.as_str(), word)) {
                Some(("PROGRAM", _)) => {
                    let text = after("PROGRAM").map(|word| word.raw.clone());
                    code.shell.push((text, start, end));
                }
                Some((_, word)) if word.quoted => {
                    code.push(
                        if reads { Kind::Read } else { Kind::Write },
                        Some(word.raw.clone()),
                        start,
                        end,
                    );
                }
                // DuckDB takes a path without quotes.
                Some((name, _)) if !reads && !name.starts_with("STD") => {
                    code.push(Kind::Write, None, start, end);
                }
                _ => {}
            }
            (if reads { Kind::DatabaseChange } else { Kind::DatabaseRead }, None)
        }
        // What was in the table goes; the files are in a cloud.
        "LOAD" if has("OVERWRITE") => (Kind::DatabaseDestroy, None),
        "LOAD" => {
            if has("DATA") || has("XML") {
                let file = plain.iter().find(|word| word.quoted).map(|word| word.raw.clone());
                code.push(Kind::Read, file, start, end);
            } else {
                code.lose();
            }
            (Kind::DatabaseChange, None)
        }
        "KILL" => (Kind::Kill, None),
        "SHUTDOWN" | "RESTART" => (Kind::Service, None),
        "PURGE" => (Kind::DatabaseDestroy, None),
        // A procedure can do anything to the database, and on some servers to the machine.
        "CALL" | "EXEC" | "EXECUTE" | "DO" | "PREPARE" => {
            // A block that runs at once: what it says openly can be read.
            for body in plain
                .iter()
                .filter(|word| word.upper == "$$" && words.first().is_some_and(|w| w.upper == "DO"))
            {
                let text = body.raw.as_str();
                let at = text.to_ascii_uppercase().find("BEGIN").map_or(0, |at| at + "BEGIN".len());
                let inner = super::statements(text.get(at..).unwrap_or_default(), depth + 1);
                code.effects.extend(inner.effects.into_iter().filter(|effect| {
                    matches!(effect.kind, Kind::DatabaseDestroy | Kind::Credential | Kind::Unknown(_))
                }));
            }
            code.lose();
            (Kind::DatabaseChange, None)
        }
        _ => {
            code.lose();
            return;
        }
    };
    code.push(kind, target, start, end);
}

/// `MERGE ... WHEN NOT MATCHED BY SOURCE THEN DELETE`: every row that the other table doesn't have.
fn drops_unmatched(words: &[&Word]) -> bool {
    words.windows(4).any(|four| {
        matches!(four, [by, source, then, delete]
            if by.upper == "BY" && source.upper == "SOURCE" && then.upper == "THEN" && delete.upper == "DELETE")
    })
}

/// Is there a condition that can be false?
fn bounded(words: &[&Word]) -> bool {
    let Some(at) = words.iter().position(|word| word.upper == "WHERE" && !word.quoted) else {
        return words.iter().any(|word| word.upper == "LIMIT");
    };
    let condition: Vec<&str> = words
        .iter()
        .skip(at + 1)
        .filter(|word| word.upper != ")")
        .map(|word| if word.quoted { word.raw.as_str() } else { word.upper.as_str() })
        .collect();
    match condition.as_slice() {
        ["1" | "TRUE" | "'1'"] => false,
        [a, "=", b] => a != b,
        ["NOT", "FALSE"] => false,
        [] => false,
        _ => true,
    }
}

/// The table's name at a place, words such as `IF EXISTS` and `ONLY` left out.
fn name_at(words: &[&Word], index: usize) -> Option<String> {
    let mut words = words.iter().skip(index).skip_while(|word| {
        matches!(word.upper.as_str(), "IF" | "EXISTS" | "ONLY" | "CONCURRENTLY" | "TABLE" | "NOT")
    });
    let mut name = words.next()?.raw.clone();
    while let (Some(dot), Some(next)) = (words.next(), words.next()) {
        if dot.upper != "." {
            break;
        }
        name = format!("{name}.{}", next.raw);
    }
    Some(name)
}

/// Functions with effects of their own, anywhere in a statement.
fn functions(words: &[&Word], code: &mut Code, start: usize, end: usize) {
    for (index, word) in words.iter().enumerate().filter(|(_, word)| !word.quoted) {
        let text = words.get(index + 1).filter(|word| word.quoted).map(|word| word.raw.clone());
        match word.upper.as_str() {
            "PG_READ_FILE" | "PG_READ_BINARY_FILE" | "PG_LS_DIR" | "LOAD_FILE" | "READFILE" | "LO_IMPORT" => {
                code.push(Kind::Read, text, start, end);
            }
            // In SQLite's terminal the second argument is a command, which the text is shown in.
            "EDIT" => {
                let behind = words.get(index + 1..).unwrap_or_default();
                let command = behind.iter().skip_while(|word| word.upper != ",").nth(1);
                if let Some(command) = command.filter(|word| word.quoted) {
                    code.shell.push((Some(command.raw.clone()), start, end));
                }
                code.lose();
            }
            "WRITEFILE" | "LO_EXPORT" | "PG_FILE_WRITE" => code.push(Kind::Write, text, start, end),
            "PG_DROP_REPLICATION_SLOT" | "LO_UNLINK" => {
                code.push(Kind::DatabaseDestroy, text, start, end);
            }
            "PG_TERMINATE_BACKEND" | "PG_CANCEL_BACKEND" => code.push(Kind::Kill, None, start, end),
            "SYS_EXEC" | "SYS_EVAL" => code.shell.push((text, start, end)),
            "XP_CMDSHELL" => code.shell.push((text, start, end)),
            "LOAD_EXTENSION" | "DBLINK" | "DBLINK_EXEC" | "QUERY_TO_XML" => code.lose(),
            "SETVAL" | "NEXTVAL" | "SET_CONFIG" | "PG_RELOAD_CONF" => {
                code.push(Kind::DatabaseChange, None, start, end);
            }
            _ => {}
        }
    }
}
