//! The commands that a client keeps to itself: they work on this machine, not on the database.

use super::Scanner;
use crate::Code;
use hookgate_facts::Kind;

impl Scanner<'_> {
    /// A client's own command at the start of a statement.
    pub(super) fn client_command(&mut self, code: &mut Code) -> bool {
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
        let before = code.effects.len();
        let went = code.directory.clone();
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
                code.scripts.push(argument.clone());
                code.push(Kind::Read, Some(argument), start, end);
                code.lose();
            }
            Some("gexec" | "e" | "edit" | "ef" | "ev") => code.lose(),
            Some("cd") => code.directory = Some(argument),
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
                    code.scripts.push(argument.clone());
                    code.push(Kind::Read, Some(argument), start, end);
                    code.lose();
                }
            },
        }
        // What it names lies where it went before.
        for effect in code.effects.iter_mut().skip(before).filter(|effect| effect.kind.is_about_file()) {
            if let (Some(went), Some(target)) = (&went, &effect.target)
                && !target.starts_with(['/', '~'])
            {
                effect.target = Some(format!("{}/{target}", went.trim_end_matches('/')));
            }
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
    // In quotes a pipe is one as well.
    let piped = rest.strip_prefix('|').or_else(|| argument.strip_prefix('|'));
    match command.trim_start_matches('.') {
        "shell" | "system" => code.shell.push((Some(rest.to_owned()), start, end)),
        "output" | "once" | "log" | "excel" | "trace" => {
            if let Some(text) = piped {
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
                code.scripts.push(argument.to_owned());
                code.push(Kind::Read, path(), start, end);
            }
            code.lose();
        }
        "open" => code.push(Kind::Write, path(), start, end),
        "cd" => code.directory = path(),
        "load" | "recover" => code.lose(),
        "tables" | "schema" | "indexes" | "indices" | "dump" | "databases" | "fullschema" | "dbinfo"
        | "lint" | "sha3sum" | "stats" | "expert" => code.push(Kind::DatabaseRead, None, start, end),
        "mode" | "headers" | "header" | "width" | "separator" | "nullvalue" | "timer" | "echo" | "print"
        | "quit" | "exit" | "help" | "show" | "timeout" | "bail" | "changes" | "eqp" | "explain"
        | "limit" | "prompt" | "parameter" | "version" | "vfslist" | "binary" | "connection" => {}
        _ => code.lose(),
    }
}
