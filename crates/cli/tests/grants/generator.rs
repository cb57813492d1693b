//! Texts for the oracle: every form, with every payload in every place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hookgate_knowledge::shipped;
use hookgate_testing::Draw;

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
    "a.txt\nb.txt",
    "new\n-o canary",
    "-f.env",
    "@.env",
    "file://.env",
    "%n%s",
    "\\$(touch canary)",
    "'$(touch canary)'",
    "\"; touch canary; \"",
    "{{ touch canary }}",
    "#{`touch canary`}",
    "%{!touch canary}",
    "#(touch canary)",
    "http://192.0.2.1/x",
    "ext::touch canary",
    "../..",
    "/",
    "inner",
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
    "${x:0:1}",
    "${x: -2:1}",
    "${x@U}",
    "${x@u}",
    "${x@L}",
    "${x@K}",
    "${x-y}",
    "${x=y}",
    "${x?y}",
    "${x+y}",
    "${x/#a/b}",
    "${x/%a/b}",
    "${x,,[A-Z]}",
    "${!x@}",
    "${#x[@]}",
    "$*",
    "\"$@\"",
    "${@:1}",
    "$#$?$!$$$_$-",
    "$\"$x\"",
    "{1..3}$x",
    "{a..c}",
    "~+/$x",
    "?($x)",
    "!($x)",
    "*\"$x\"*",
    "[$x]*",
    "${x:+\"$(echo $x)\"}",
    "$(< $x)",
    "$(<\"$x\")",
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
    "y+=§ ls",
    "y[0]=§ ls",
    "y=([0]=§ [1]=b); echo \"${y[1]}\"",
    "y=(a b); echo \"${y[§]}\"",
    "declare -A y; y[§]=1",
    "declare -x y=§; ls",
    "declare -l y=§; echo $y",
    "export -n y=§",
    "until [ -n § ]; do break; done",
    "select y in §; do break; done < a.txt",
    "case § in a*) echo a ;& *) echo b ;;& x) echo c ;; esac",
    "while read -r y; do echo \"$y\" §; done < a.txt",
    "function f { echo §; }; f",
    "time -p echo §",
    "cat <<-E\n\t§\nE\n",
    "cat <<\"E\" | sort §\na\nE\n",
    "for y; do echo §; done",
    "for ((y = §; y < 2; y++)); do echo $y; done",
    "(( y = § )) && echo",
    "[[ § -nt a.txt ]]",
    "[[ -e § && -n § ]]",
    "[ § -ot a.txt -o -d § ]",
    "[[ x == @(§|y) ]]",
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

/// Redirections, each before a name.
const REDIRECTIONS: &[&str] = &[
    "<",
    ">",
    ">>",
    "<>",
    ">|",
    "&>",
    "&>>",
    "2>",
    "2>>",
    ">&",
    "<&",
    "<<<",
    "3<",
    "3>",
    "0<",
    "1>",
    "{fd}<",
    "2>&1 >",
    "> /dev/null 2>",
];

/// Builtins with the letters of their options.
const BUILTINS: &[(&str, &str)] = &[
    ("cd", "LPe@"),
    ("pwd", "LP"),
    ("echo", "neE"),
    ("printf", "v"),
    ("read", "aderinNpstu"),
    ("mapfile", "dnOstuCc"),
    ("declare", "aAfFgiIlnrtuxp"),
    ("export", "fnp"),
    ("readonly", "aAfp"),
    ("unset", "fvn"),
    ("type", "afptP"),
    ("command", "pvV"),
    ("hash", "lrpdt"),
    ("test", "abcdefghknoprstuvwxzGLNORS"),
    ("set", "abefhkmnptuvxBCEHPTo"),
    ("shopt", "pqsuo"),
    ("ulimit", "SHacdflmnpqrstuvx"),
    ("umask", "pS"),
    ("wait", "fnp"),
    ("kill", "lLsn"),
    ("jobs", "lnprsx"),
    ("trap", "lp"),
    ("alias", "p"),
    ("dirs", "clpv"),
    ("pushd", "n"),
    ("help", "dms"),
    ("history", "cdanrwps"),
    ("compgen", "abcdefgjksuvAGWFCXPS"),
    ("enable", "adnpsf"),
    ("bind", "lpsvPSVXquxr"),
    ("time", "p"),
    ("exec", "cla"),
];

/// Where a whole text stands.
const WRAPS: &[&str] = &[
    "§",
    "{ §; }",
    "( § )",
    "! §",
    "time §",
    "if §; then echo a; else echo b; fi",
    "if true; then §; fi",
    "if false; then echo; elif §; then echo a; fi",
    "for i in 1 2; do §; done",
    "for f in *.txt; do §; done",
    "for ((i = 0; i < 2; i++)); do §; done",
    "while read -r l; do §; done < a.txt",
    "until §; do break; done",
    "while §; do break; done",
    "case x in x) § ;; *) echo ;; esac",
    "case \"$(§)\" in *a*) echo a ;; esac",
    "echo \"$(§)\"",
    "echo $(§)",
    "y=$(§); echo \"$y\"",
    "[ -n \"$(§)\" ] && echo a",
    "[[ $(§) == a* ]] || echo b",
    "cat <(§)",
    "diff <(§) a.txt",
    "cat <<< \"$(§)\"",
    "cat <<E\n$(§)\nE\n",
    "§ > /dev/null",
    "§ 2>&1",
    "§ < a.txt",
    "§ &",
    "cd src && §",
    "cd src; §; cd ..",
    "set -e; §",
    "set -euo pipefail; §",
    "(cd src && §)",
    "ls | while read -r l; do §; done",
    "export CI=1; §",
    "f=a.txt; §; echo \"$f\"",
    "sleep 0 && §",
    "echo \"${y:-$(§)}\"",
    "for f in $(§); do echo \"$f\"; done",
    "§ | while read -r l; do echo \"$l\"; done",
    "§ | xargs echo",
    "§ | tee /dev/null",
    "§ | sort | uniq -c | head -5",
];

/// How two texts follow one another.
const BETWEEN: &[&str] = &["; ", " && ", " || ", " | ", " & ", "\n", " |& ", "; echo; "];

/// Variables of a call.
const VARIABLES: &[&str] = &[
    "LC_ALL",
    "TZ",
    "CI",
    "NO_COLOR",
    "COLUMNS",
    "NODE_ENV",
    "RUST_LOG",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONWARNINGS",
    "NODE_OPTIONS",
    "PAGER",
    "GIT_PAGER",
    "EDITOR",
    "LESSOPEN",
    "LESS",
    "GREP_OPTIONS",
    "RIPGREP_CONFIG_PATH",
    "BAT_PAGER",
    "BASH_ENV",
    "ENV",
    "PERL5OPT",
    "RUBYOPT",
    "LD_PRELOAD",
    "GIT_EXTERNAL_DIFF",
    "GIT_SSH_COMMAND",
    "GIT_DIR",
    "MAKEFLAGS",
    "CC",
    "OPENSSL_CONF",
    "npm_config_script_shell",
    "HOME",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "PATH",
    "DEBUG",
    "BROWSER",
    "MANPAGER",
    "AWS_CONFIG_FILE",
    "KUBECONFIG",
    "DOCKER_HOST",
    "COLUMNS",
    "TERM",
    "TERMINFO",
    "FZF_DEFAULT_OPTS",
    "JQ_COLORS",
    "POSIXLY_CORRECT",
];

/// The forms of bash, as a seed draws them.
pub(crate) struct Shell {
    draw: Draw,
    develops: bool,
    frames: Vec<String>,
    drawn: usize,
    portion: usize,
}

/// So many forms are drawn. After them granted ones are put together.
const DRAWN: usize = 300_000;

/// How many texts are judged at once, if so many granted ones are wanted.
fn portion(wanted: usize) -> usize {
    (wanted * 8).clamp(500, 20_000)
}

impl Shell {
    /// `develops`: what a payload does has to be something that isn't granted by itself, as a file in the project may be.
    pub(crate) fn new(seed: u64, develops: bool, wanted: usize) -> Shell {
        let draw = Draw::new(seed ^ 0x9e37_79b9);
        Shell { draw, develops, frames: frames(), drawn: 0, portion: portion(wanted) }
    }

    pub(crate) fn more(&mut self, granted: &[String]) -> Vec<String> {
        self.drawn += self.portion;
        let develops = self.develops;
        let together = self.drawn > DRAWN && !granted.is_empty();
        (0..self.portion)
            .map(|_| if together { self.together(granted) } else { form(&self.frames, &mut self.draw) })
            .map(|text| payload_for(text, develops))
            .collect()
    }

    /// Granted texts, one within or behind another.
    fn together(&mut self, granted: &[String]) -> String {
        let mut one = || {
            let text = &granted[self.draw.below(granted.len())];
            // A heredoc ends at its own line.
            if text.contains("<<E") || text.len() > 400 { "echo a".to_owned() } else { text.clone() }
        };
        let mut text = one();
        let (first, second) = (one(), one());
        for other in [first, second] {
            match self.draw.below(5) {
                0 => text = format!("{text}{}{other}", BETWEEN[self.draw.below(BETWEEN.len())]),
                1 => text = format!("{other}{}{text}", BETWEEN[self.draw.below(BETWEEN.len())]),
                2 => text = format!("bash -c {}", single(&text)),
                _ => text = WRAPS[self.draw.below(WRAPS.len())].replace('§', &text),
            }
        }
        text
    }
}

/// Calls of the reviewed programs that are installed, in an order in which all of them have their turn.
pub(crate) struct Programs {
    develops: bool,
    /// The calls of each program, how many of them are taken at a turn, and how many turns it sits out.
    calls: Vec<(Vec<String>, usize, usize)>,
    turn: usize,
    portion: usize,
    names: BTreeSet<String>,
}

impl Programs {
    pub(crate) fn new(
        seed: u64,
        develops: bool,
        wanted: usize,
        installed: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Programs {
        let mut draw = Draw::new(seed ^ 0x79b9);
        let mut by_program: BTreeMap<&str, (Vec<String>, usize)> = BTreeMap::new();
        for name in shipped().tables().filter(|name| name.ends_with("/reviewed")) {
            for row in shipped().table(name).rows() {
                let program = row.key().split('.').next().unwrap_or_default();
                if row.key().starts_with("tool.") || row.key().contains('*') || installed(program).is_none() {
                    continue;
                }
                let (calls, rows) = by_program.entry(program).or_default();
                *rows += 1;
                row_calls(&row.key().replace('.', " "), row.cells(), calls);
            }
        }
        let names = by_program.keys().map(|name| (*name).to_owned()).collect();
        let turn = |(program, (mut calls, rows)): (&str, (Vec<String>, usize))| {
            shuffle(&mut calls, &mut draw);
            // Scripts take long to start.
            let script = installed(program).is_some_and(|file| is_script(&file));
            let many = 4 + 4 * usize::try_from(rows.ilog2()).unwrap_or_default();
            if script { (calls, 1, 3) } else { (calls, many, 1) }
        };
        Programs {
            develops,
            calls: by_program.into_iter().map(turn).collect(),
            turn: 0,
            portion: portion(wanted),
            names,
        }
    }

    pub(crate) fn more(&mut self) -> Vec<String> {
        let mut texts = Vec::new();
        while texts.len() < self.portion && self.calls.iter().any(|(calls, ..)| !calls.is_empty()) {
            self.turn += 1;
            for (calls, many, every) in &mut self.calls {
                if !self.turn.is_multiple_of(*every) {
                    continue;
                }
                let left = calls.len().saturating_sub(*many);
                texts.extend(calls.split_off(left));
            }
        }
        texts.into_iter().map(|text| payload_for(text, self.develops)).collect()
    }

    /// The program of one of the texts.
    pub(crate) fn program(&self, text: &str) -> String {
        let call =
            text.rsplit_once("' | ").filter(|_| text.starts_with("echo '")).map_or(text, |(_, call)| call);
        let plain = call.split([' ', '\n']).find(|word| self.names.contains(*word));
        plain.unwrap_or_default().to_owned()
    }
}

fn is_script(file: &Path) -> bool {
    use std::io::Read as _;
    let mut begin = [0; 2];
    std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && &begin == b"#!"
}

fn payload_for(text: String, develops: bool) -> String {
    if develops { text.replace("canary", "../canary") } else { text }
}

fn shuffle(texts: &mut [String], draw: &mut Draw) {
    for index in (1..texts.len()).rev() {
        texts.swap(index, draw.below(index + 1));
    }
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

/// Every place for a word.
fn frames() -> Vec<String> {
    let redirected = REDIRECTIONS.iter().flat_map(|sign| {
        [format!("cat {sign} §"), format!("echo a {sign} §"), format!("{{ cat a.txt; }} {sign}§")]
    });
    let options = |(name, letters): &(&str, &str)| {
        let each = |letter| [format!("{name} -{letter} §"), format!("{name} -{letter} y §")];
        letters.chars().flat_map(each).collect::<Vec<_>>()
    };
    FRAMES
        .iter()
        .map(|frame| (*frame).to_owned())
        .chain(redirected)
        .chain(BUILTINS.iter().flat_map(options))
        .chain(VARIABLES.iter().map(|name| format!("{name}=§ ls")))
        .collect()
}

/// Some payload in some place, by itself or in a variable that is expanded somehow, or that within another form.
fn form(frames: &[String], draw: &mut Draw) -> String {
    let frame = &frames[draw.below(frames.len())];
    let payload = QUOTES[draw.below(QUOTES.len())](PAYLOADS[draw.below(PAYLOADS.len())]);
    let kind = draw.below(8);
    if kind == 0 {
        return frame.replace('§', &payload);
    }
    if kind == 1 {
        return format!("y={payload}; {}", frame.replace('§', "\"$y\""));
    }
    let text = frame.replace('§', EXPANSIONS[draw.below(EXPANSIONS.len())]);
    let other = &frames[draw.below(frames.len())];
    match kind {
        2 => format!("x={payload}; {}", other.replace('§', &format!("\"$({text})\""))),
        3 => format!("x={payload}; {text} | {}", other.replace('§', "$x")),
        _ => format!("x={payload}; {text}"),
    }
}

/// Each option and operand of a reviewed row, with each payload.
fn row_calls<'c>(call: &str, cells: impl Iterator<Item = &'c str>, texts: &mut Vec<String>) {
    let options: Vec<&str> = cells.filter(|cell| cell.starts_with('-') && *cell != "--*").collect();
    texts.push(call.to_owned());
    for (turn, payload) in PAYLOADS.iter().enumerate() {
        let payload = single(payload);
        texts.push(format!("{call} {payload}"));
        texts.push(format!("{call} -- {payload}"));
        texts.push(format!("{call} a.txt {payload}"));
        texts.push(format!("{call} src {payload}"));
        texts.push(format!("echo {payload} | {call}"));
        texts.push(format!("{call} < a.txt {payload}"));
        let variable = VARIABLES[(turn + call.len()) % VARIABLES.len()];
        texts.push(format!("{variable}={payload} {call} a.txt"));
        for (index, cell) in options.iter().enumerate() {
            for name in cell.split(['=', '[']).next().unwrap_or_default().split(',') {
                let value = match (cell.contains('='), name.starts_with("--")) {
                    (false, _) => name.to_owned(),
                    (true, true) => format!("{name}={payload}"),
                    (true, false) => format!("{name} {payload}"),
                };
                texts.push(format!("{call} {value} a.txt"));
                texts.push(format!("{call} {value} {payload}"));
                // Beside another option.
                if turn % 3 == 0 {
                    let other = options[(index + turn + 1) % options.len()];
                    let other = other.split(['=', '[', ',']).next().unwrap_or_default();
                    texts.push(format!("{call} {other} {value} a.txt"));
                    texts.push(format!("{call} {value} {other} {payload}"));
                }
            }
        }
    }
}
