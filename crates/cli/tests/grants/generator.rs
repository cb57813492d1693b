//! Texts for the oracle: every form, with every payload in every place.

use std::collections::BTreeSet;

use hookgate_knowledge::shipped;

/// Texts that leave the canary where something evaluates them.
const PAYLOADS: &[&str] = &[
    "$(touch canary)",
    "`touch canary`",
    "a[$(touch canary)]",
    "a[$(touch canary)]=1",
    "x[`touch canary`]",
    "; touch canary",
    "| touch canary",
    "\n touch canary\n",
    "!touch canary",
    "1;touch canary",
    "touch canary",
    "touch canary #",
    "system(\"touch canary\")",
    "BEGIN{system(\"touch canary\")}",
    "1e touch canary",
    "s/.*/touch canary/e",
    "w canary",
    "w canary\n",
    "-exec touch canary ;",
    "-o canary",
    "-ocanary",
    "--output=canary",
    "--compress-program=touch",
    "@(touch canary)",
    "${x:=$(touch canary)}",
    "env",
    "$ENV",
    "ENVIRON",
    "/dev/fd/0",
    ".env",
    "~/.ssh/id_rsa",
    "../../../../../etc/shadow",
    "a.txt",
    "-",
    "--",
    "*",
    "{a,b}.txt",
    "3",
    "x",
];

/// What is done to a variable that holds the payload.
const EXPANSIONS: &[&str] = &[
    "$x",
    "\"$x\"",
    "${x}",
    "${x:-y}",
    "${x:=y}",
    "${x:+y}",
    "${x:?y}",
    "${#x}",
    "${!x}",
    "${!x*}",
    "${x#a}",
    "${x##*a}",
    "${x%a}",
    "${x%%a*}",
    "${x/a/b}",
    "${x//a/b}",
    "${x^}",
    "${x^^}",
    "${x,}",
    "${x,,}",
    "${x~}",
    "${x@Q}",
    "${x@P}",
    "${x@E}",
    "${x@A}",
    "${x@a}",
    "${x:1}",
    "${x:1:2}",
    "${x:x}",
    "${x: -1}",
    "${x[0]}",
    "${x[@]}",
    "${x[$x]}",
    "${y:-$x}",
    "${y:-${x@P}}",
    "$((x))",
    "$((x + 1))",
    "$[x]",
    "$(echo $x)",
    "$(echo \"$x\")",
    "`echo $x`",
    "<(echo $x)",
    "{$x,b}",
    "~$x",
    "${x/$x/$x}",
    "${x#$x}",
    "$(($x))",
    "$(( ${#x} ))",
];

/// Where an expansion or a payload stands.
const FRAMES: &[&str] = &[
    "echo §",
    "echo -e §",
    "echo -n §",
    "printf §",
    "printf '%s\\n' §",
    "printf '%d' §",
    "printf -v y §",
    "printf -v § y",
    "test §",
    "[ § ]",
    "[ -n § ]",
    "[ -v § ]",
    "[ -f § ]",
    "[ § = § ]",
    "[ § -eq 1 ]",
    "[ 1 -lt § ]",
    "[ -t § ]",
    "[ -o § ]",
    "[[ § ]]",
    "[[ -n § ]]",
    "[[ -v § ]]",
    "[[ § == § ]]",
    "[[ § =~ § ]]",
    "[[ § -eq 1 ]]",
    "[[ § < § ]]",
    "[[ -R § ]]",
    "case § in §) echo;; *) ;; esac",
    "for y in §; do echo $y; done",
    "for y in §; do echo $((y)); done",
    "for ((i=0; i<§; i++)); do echo; break; done",
    "while [ § = y ]; do echo; break; done",
    "if [ -n § ]; then echo; fi",
    "((§))",
    "let §",
    "let y=§",
    "y=§",
    "y=§; echo $y",
    "y+=§",
    "y=(§)",
    "y=(§); echo ${y[0]}",
    "y[§]=1",
    "declare y=§",
    "declare -i y=§",
    "declare -a y=§",
    "declare -n y=§",
    "declare §",
    "local y=§",
    "readonly y=§",
    "export y=§",
    "typeset -i y=§",
    "export §",
    "unset §",
    "unset -v §",
    "read § <<< a",
    "read y <<< §",
    "read -r y <<< §; echo $((y))",
    "mapfile § < a.txt",
    "mapfile -C § -c 1 y < a.txt",
    "readarray -t y <<< §",
    "cd §",
    "cd § && ls",
    "pushd §",
    "pwd §",
    "type §",
    "hash §",
    "command §",
    "command -v §",
    "builtin §",
    "eval §",
    "exec §",
    "source §",
    ". §",
    "trap § EXIT",
    "trap § DEBUG; echo",
    "alias y=§",
    "set §",
    "set -- §; echo $1",
    "shift §",
    "getopts § y",
    "wait §",
    "kill §",
    "jobs §",
    "disown §",
    "umask §",
    "ulimit §",
    "times §",
    "true §",
    "false §",
    ": §",
    "exit §",
    "return §",
    "break §",
    "compgen -W §",
    "compgen -C §",
    "complete -C § y",
    "bind §",
    "enable §",
    "enable -f § y",
    "history §",
    "fc §",
    "caller §",
    "shopt -s §",
    "suspend §",
    "help §",
    "logout §",
    "dirs §",
    "popd §",
    "cat §",
    "cat < §",
    "cat <<< §",
    "cat <<E\n§\nE\n",
    "cat <<'E'\nS\nE\n",
    "echo > §",
    "echo >> §",
    "echo 2> §",
    "cat 3< §",
    "cat <> §",
    "echo >& §",
    "bash -c §",
    "bash -c 'echo' §",
    "bash §",
    "bash -n §",
    "sh -c §",
    "bash <<< §",
    "echo § | bash",
    "echo § | cat",
    "echo § | sort",
    "echo § | xargs",
    "echo § | xargs echo",
    "echo § | xargs cat",
    "echo § | xargs -I{} echo {}",
    "echo § | xargs -n1 ls",
    "echo § | sed p",
    "echo § | awk 1",
    "echo § | jq -R .",
    "env §",
    "env y=§ echo",
    "timeout 1 §",
    "nice §",
    "nohup §",
    "xargs -a § echo",
    "y=§ echo a",
    "LC_ALL=§ ls",
    "CI=§ ls",
    "PATH=§ ls",
    "PAGER=§ git log -1",
    "IFS=§; echo a",
    "PS4=§; set -x; echo",
    "BASH_ENV=§ bash -c echo",
    "PROMPT_COMMAND=§; echo",
    "time §",
    "! §",
    "{ §; }",
    "( § )",
    "§",
    "§ a.txt",
    "coproc §",
    "f() { §; }; f",
    "f() { echo §; }; f",
    "ls §",
    "ls -I §",
    "grep § a.txt",
    "grep -e § a.txt",
    "grep -f § a.txt",
    "grep -r § .",
    "grep --include=§ one .",
    "rg §",
    "rg --pre § x",
    "rg -g § one",
    "find . -name §",
    "find §",
    "find . -exec § \\;",
    "find . -exec echo § \\;",
    "find . -newer §",
    "find . -printf §",
    "find . -fprintf § x",
    "fdfind §",
    "fdfind -x §",
    "sed § a.txt",
    "sed -n § a.txt",
    "sed -e p -e § a.txt",
    "sed -f § a.txt",
    "awk § a.txt",
    "awk -v y=§ 1 a.txt",
    "awk -f §",
    "awk 1 §",
    "jq § data.json",
    "jq --arg a § . data.json",
    "jq -n §",
    "sort §",
    "sort -k § a.txt",
    "sort -T § a.txt",
    "sort -o § a.txt",
    "sort --compress-program=§ a.txt",
    "uniq §",
    "uniq a.txt §",
    "cut -d § -f1 a.txt",
    "tr § y < a.txt",
    "head -n § a.txt",
    "tail -n § a.txt",
    "wc §",
    "nl §",
    "od §",
    "diff § a.txt",
    "diff a.txt b.txt §",
    "cmp § a.txt",
    "file §",
    "file -m § a.txt",
    "stat -c § a.txt",
    "stat §",
    "date +§",
    "date -d §",
    "date §",
    "du §",
    "df §",
    "basename §",
    "dirname §",
    "realpath §",
    "readlink §",
    "seq §",
    "tee §",
    "which §",
    "printenv §",
    "hostname §",
    "uname §",
    "column -t §",
    "git log --format=§",
    "git log §",
    "git log --grep=§",
    "git diff §",
    "git diff --output=§",
    "git show §",
    "git show :§",
    "git grep §",
    "git grep -O § one",
    "git branch §",
    "git branch --list §",
    "git -c § log",
    "git -c core.pager=§ log",
    "git -C § status",
    "git rev-parse §",
    "git cat-file -p §",
    "git ls-files §",
    "git blame § a.txt",
    "git config --get §",
    "git config §",
    "git stash §",
    "git status §",
    "git tag §",
    "git tag -l §",
    "git remote §",
    "git describe §",
    "git for-each-ref --format=§",
    "git help §",
    "tar tf §",
    "tar -tf a.txt §",
    "unzip -l §",
    "sqlite3 :memory: §",
    "sqlite3 §",
    "man §",
    "less §",
    "bc <<< §",
    "xxd §",
    "strings §",
    "tree §",
    "ps §",
    "python3 -c §",
    "node -e §",
    "perl -e §",
    "make §",
    "base64 §",
    "md5sum §",
    "comm § a.txt",
    "join § a.txt",
    "paste §",
    "fold §",
    "split §",
    "tac §",
    "rev §",
    "expr §",
    "cat $(find . -name §)",
    "cat $(ls §)",
    "wc -l $(git ls-files §)",
    "for f in $(find . -type f -name §); do head -1 $f; done",
    "for f in $(ls §); do cat \"$f\"; done",
    "find . -name § | while read -r f; do cat \"$f\"; done",
    "find . -type f | grep § | xargs cat",
    "find § -exec cat {} +",
    "find . -execdir § {} \\;",
    "find . -name § -exec cat {} \\;",
    "ls | xargs -I% §",
    "ls | xargs -I§ echo x",
    "ls | xargs --replace=% echo §",
    "ls | xargs -I% sh -c §",
    "watch §",
    "watch -n 1 echo §",
    "read -p § y",
    "read -d § y < a.txt",
    "IFS=§ read -r y z < a.txt",
    "echo a | tee >(§)",
    "echo a | tee >(cat §)",
    "echo $1 §",
    "bash -c 'echo $1' x §",
    "bash -c 'cat $1' x §",
    "bash -c 'echo \"$@\"' x §",
    "git --git-dir=§ log",
    "git --work-tree=§ status",
    "git archive § HEAD",
    "git add -n §",
    "git clean -n §",
    "git -c user.name=§ log -1",
    "tar -tf § a.txt",
    "tar cf - §",
    "rsync -n § x",
    "command -v §",
    "cd § && cat *",
    "env PATH=§ ls",
    "mktemp -u §",
    "xargs -0 -a a.txt §",
    "gzip -c §",
    "rgrep §",
    "yum list §",
    "nc -z § 1",
    "fzf --bind §",
    "psql -c §",
    "mysql -e §",
    "duckdb :memory: §",
    "factor §",
    "numfmt §",
    "shuf -e §",
    "cal §",
    "look §",
];

/// How the payload gets there.
const QUOTES: &[fn(&str) -> String] = &[single, double_escaped, ansi];

fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn double_escaped(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        if matches!(letter, '"' | '\\' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('"');
    quoted
}

fn ansi(text: &str) -> String {
    format!("$'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

/// Texts in a mixed order that is the same each time; enough that as many as wanted can be granted.
///
/// `shell` adds the forms of bash; without it only the reviewed programs are called.
pub(crate) fn texts(wanted: usize, shell: bool) -> Vec<String> {
    let mut texts = rows();
    if shell {
        forms(&mut texts);
    }
    mix(&mut texts, wanted);
    texts
}

/// The names of programs with a row that says so, by itself or by a row that it includes.
pub(crate) fn names_with(word: &str) -> BTreeSet<&'static str> {
    let rows = || {
        let tables = shipped().tables().filter(|name| name.ends_with("/reviewed"));
        tables.flat_map(|name| shipped().table(name).rows())
    };
    let includes: BTreeSet<String> = rows()
        .filter(|row| row.cells().any(|cell| cell == word))
        .map(|row| format!("@{}", row.key()))
        .collect();
    rows()
        .filter(|row| row.cells().any(|cell| cell == word || includes.contains(cell)))
        .map(|row| row.key().split('.').next().unwrap_or_default())
        .collect()
}

/// Every form of bash with every payload.
fn forms(texts: &mut Vec<String>) {
    for frame in FRAMES {
        for payload in PAYLOADS {
            for quote in QUOTES {
                texts.push(frame.replace('§', &quote(payload)));
                texts.push(format!("y={}; {}", quote(payload), frame.replace('§', "\"$y\"")));
            }
        }
    }
    for frame in FRAMES {
        for expansion in EXPANSIONS {
            for (index, payload) in PAYLOADS.iter().enumerate() {
                let quote = QUOTES.get(index % QUOTES.len()).copied().unwrap_or(single);
                let text = frame.replace('§', expansion);
                texts.push(format!("x={}; {text}", quote(payload)));
                // The same within another form.
                let other = FRAMES.get((index * 7 + text.len()) % FRAMES.len()).copied().unwrap_or("§");
                if index % 4 == 0 {
                    texts.push(format!(
                        "x={}; {}",
                        quote(payload),
                        other.replace('§', &format!("\"$({text})\""))
                    ));
                }
                if index % 4 == 1 {
                    texts.push(format!("x={}; {text} | {}", quote(payload), other.replace('§', "$x")));
                }
            }
        }
    }
}

/// Each option and operand of the reviewed rows, with each payload.
fn rows() -> Vec<String> {
    let mut texts = Vec::new();
    for name in shipped().tables().filter(|name| name.ends_with("/reviewed")) {
        for row in shipped().table(name).rows() {
            let call = row.key().replace('.', " ");
            if row.key().starts_with("tool.") || row.key().contains('*') {
                continue;
            }
            for payload in PAYLOADS {
                let payload = single(payload);
                texts.push(format!("{call} {payload}"));
                texts.push(format!("{call} a.txt {payload}"));
                texts.push(format!("echo {payload} | {call}"));
                for cell in row.cells().filter(|cell| cell.starts_with('-') && *cell != "--*") {
                    let name = cell.split(['=', '[', ',']).next().unwrap_or_default();
                    let long = name.starts_with("--");
                    let value = if cell.contains('=') && long {
                        format!("{name}={payload}")
                    } else {
                        format!("{name} {payload}")
                    };
                    texts.push(format!("{call} {value} a.txt"));
                }
            }
        }
    }
    texts
}

/// An order that mixes all forms, and keeps of it what is needed for so many grants; `HOOKGATE_GRANTS_SEED` asks for another order.
fn mix(texts: &mut Vec<String>, wanted: usize) {
    let chosen = std::env::var("HOOKGATE_GRANTS_SEED").ok().and_then(|text| text.parse::<u64>().ok());
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64 ^ chosen.unwrap_or_default();
    for index in (1..texts.len()).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = usize::try_from(seed >> 33).unwrap_or_default() % (index + 1);
        texts.swap(index, other);
    }
    texts.truncate(wanted.saturating_mul(40));
}
