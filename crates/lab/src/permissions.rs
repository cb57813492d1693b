//! What the real client does with commands under permission rules, without a gate: the measure that
//! `hookgate-clients`'s reading of the rules is held to.
//!
//! Every set of rules is tried in two modes with the same commands, one call a turn: in the default mode a call runs
//! only if the client allows it, in bypass mode only a deny or ask rule stops it. The rules stand in the person's, the
//! project's or the local settings; the person trusts the project, except in two sets of it.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{Lab, Turn};

/// How long the calls of one session may take.
const DEADLINE: Duration = Duration::from_secs(400);

/// Permission rules, as settings have them, and the calls that are tried under them.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Whose settings they are in.
    pub place: Place,
    /// `permissions` of these settings.
    pub permissions: Value,
    /// Commands for the Bash tool. None of them does harm.
    pub commands: Vec<String>,
}

/// The settings that rules are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The person's.
    User,
    /// The project's, of this person only.
    Local,
    /// The project's, which the person trusts.
    Project,
    /// The project's, about which the person has said nothing.
    Stranger,
}

impl Place {
    const ALL: [Self; 4] = [Self::User, Self::Local, Self::Project, Self::Stranger];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Local => "local",
            Self::Project => "project",
            Self::Stranger => "stranger",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|place| place.name() == name)
    }
}

/// Commands that do no harm in the folder of a run, each as its words.
pub(crate) const BASES: [&[&str]; 16] = [
    &["touch", "one.txt"],
    &["touch", "two.txt"],
    &["mkdir", "-p", "deep/er"],
    &["chmod", "u+r", "notes.txt"],
    &["date", "-u"],
    &["seq", "3"],
    &["echo", "hello"],
    &["printf", "word"],
    &["ls", "-la"],
    &["cat", "notes.txt"],
    &["head", "-n", "1", "notes.txt"],
    &["git", "status"],
    &["git", "add", "notes.txt"],
    &["cp", "notes.txt", "copy.txt"],
    &["ln", "-sf", "notes.txt", "link.txt"],
    &["true"],
];

/// What is done with a command: `@` stands for it, `%` for another one, `~` for its first word, `^` for the others.
const FORMS: [&str; 118] = [
    "@",
    " @",
    "~  ^",
    "@ ",
    "~\t^",
    "@ extra",
    "@ && %",
    "% && @",
    "@; %",
    "%; @",
    "@ | %",
    "% | @",
    "@ || %",
    "% || @",
    "@ & %",
    "@\n%",
    "%\n@",
    "@ |& %",
    "(@)",
    "{ @; }",
    "FOO=1 @",
    "FOO=1 BAR='a b' @",
    "PATH=/usr/bin:/bin @",
    "NODE_ENV=test @",
    "LANG=C @",
    "FOO=$(true) @",
    "env @",
    "env FOO=1 @",
    "sudo @",
    "timeout 5 @",
    "timeout -k 1 5 @",
    "timeout --signal=TERM 5s @",
    "timeout 5 nice @",
    "time @",
    "time -p @",
    "nice @",
    "nice -n 5 @",
    "nohup @",
    "stdbuf -o0 @",
    "stdbuf -oL -eL @",
    "command @",
    "command -v ~",
    "builtin @",
    "noglob @",
    "nocorrect @",
    "echo x | xargs @",
    "echo x | xargs -n 1 @",
    "bash -c '@'",
    "sh -c \"@\"",
    "eval '@'",
    "echo $(@)",
    "echo \"$(@)\"",
    "echo `@`",
    "cat <(@)",
    "@ > out.txt",
    "@ >> log.txt",
    "@ >/dev/null",
    "@ 2>/dev/null",
    "@ 2>&1",
    "@ < notes.txt",
    "> out.txt @",
    "'~' ^",
    "\"~\" ^",
    "\\~ ^",
    "''~ ^",
    "/usr/bin/~ ^",
    "@ # a comment",
    "# a comment\n@",
    "if true; then @; fi",
    "for i in 1; do @; done",
    "while false; do @; done",
    "case x in x) @;; esac",
    "! @",
    "~ \\\n^",
    "cat <<EOF\n@\nEOF",
    "bash <<EOF\n@\nEOF",
    "f() { @; }; f",
    "[[ -f notes.txt ]] && @",
    "setsid @",
    "ionice @",
    "flock lock.txt @",
    "find . -maxdepth 0 -exec @ \\;",
    "exec @",
    "X=~; $X ^",
    "~ \"^\"",
    "~ '^'",
    "~ *.none",
    "~ {^,two}.txt",
    "cd . && @",
    "cd deep; @",
    "echo '@'",
    "@ || true",
    "true && FOO=1 timeout 5 @",
    "FOO=1; @",
    "@ &",
    "@;",
    "nice -n5 @",
    "nice --5 @",
    "nice --adjustment=5 @",
    "timeout inf @",
    "timeout .5m @",
    "timeout 0x5 @",
    "timeout $((5)) @",
    "timeout --sig=TERM 5 @",
    "timeout --fore 5 @",
    "stdbuf -o L @",
    "stdbuf --output=L @",
    "stdbuf -o1M @",
    "echo x | xargs nice @",
    "$'~' ^",
    "$\"~\" ^",
    "T=~; ${T} ^",
    "< notes.txt @",
    "TIMEFORMAT=x; time @",
    "time ~ ^",
    "env -i @",
    "env -u HOME @",
    "command -p @",
];

/// Patterns for a command: `@` stands for it, `~` for its first word.
const PATTERNS: [&str; 12] =
    ["@", "~:*", "~ *", "~*", "@:*", "@ *", "* @", "*@*", "~ * extra", "~ *.txt", "~:* extra", "*"];

/// The same pseudo-random numbers every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % limit.max(1) as u64).unwrap_or_default()
    }

    fn pick<'t, T: ?Sized>(&mut self, from: &[&'t T]) -> Option<&'t T> {
        from.get(self.below(from.len())).copied()
    }
}

fn fill(form: &str, base: &[&str], other: &[&str]) -> String {
    let mut text = String::new();
    for character in form.chars() {
        match character {
            '@' => text.push_str(&base.join(" ")),
            '%' => text.push_str(&other.join(" ")),
            '~' => text.push_str(base.first().copied().unwrap_or_default()),
            '^' => text.push_str(&base.get(1..).unwrap_or_default().join(" ")),
            plain => text.push(plain),
        }
    }
    text
}

/// The trials: the same ones on every machine for the same seed.
#[must_use]
pub fn trials(seed: u64) -> Vec<Trial> {
    let mut numbers = Numbers(seed);
    let mut trials: Vec<Trial> = (0..24).map(|index| generated(index, &mut numbers)).collect();
    trials.extend(Place::ALL.map(paths));
    trials.extend(Place::ALL.map(spaced));
    trials.push(unruled());
    trials
}

/// Commands that the client may run without a rule: with options, and with paths in and outside of the session's directories.
fn unruled() -> Trial {
    let commands = [
        "cat /etc/hosts",
        "cat notes.txt",
        "cat $HOME/x",
        "cat ~/x",
        "head -c 5 /etc/hosts",
        "ls /tmp",
        "ls ..",
        "ls ~",
        "ls -la deep",
        "find /srv -name x",
        "find .. -name x",
        "find . -name x",
        "stat /etc/hosts",
        "file /etc/hosts",
        "strings /etc/hosts",
        "nl /etc/hosts",
        "du -s /srv",
        "realpath /etc/hosts",
        "wc -l /etc/hosts",
        "wc -l notes.txt",
        "sort /etc/hosts",
        "sort -o out.txt notes.txt",
        "sort --compress-program=sh notes.txt",
        "sort -u notes.txt",
        "uniq notes.txt",
        "uniq notes.txt out.txt",
        "cat notes.txt | uniq",
        "diff /etc/hosts notes.txt",
        "grep -r x /etc",
        "grep -f /etc/hosts notes.txt",
        "grep --file=/etc/hosts notes.txt",
        "grep -n x notes.txt",
        "cut -c1 /etc/hosts",
        "printf -v X a",
        "pwd -P",
        "git log --output=x",
        "git log -p --ext-diff",
        "git log --oneline -3",
        "git log --word-diff",
        "git log --of-tomorrow",
        "git show --output=x",
        "git show --ext-diff",
        "git show --textconv",
        "git show --stat",
        "git diff --output=x",
        "git diff --ext-diff",
        "git diff -O/etc/hosts",
        "git diff /etc/hosts notes.txt",
        "git diff --no-index /etc/hosts notes.txt",
        "git diff --stat",
        "git diff --color=never",
        "git status -uno",
        "git status --short",
        "git blame --contents /etc/hosts notes.txt",
        "git --no-pager log",
        "git -P diff",
        "git -C /srv log",
        "git branch -a",
        "git describe --all",
        "git rev-parse --all",
    ]
    .map(str::to_owned);
    Trial { place: Place::User, permissions: json!({}), commands: commands.to_vec() }
}

/// Commands in every form, under rules for about half of the programs in them.
fn generated(index: usize, numbers: &mut Numbers) -> Trial {
    let mut lists: [Vec<String>; 3] = Default::default();
    for (turn, list) in lists.iter_mut().enumerate() {
        for _ in 0..4 {
            let Some(base) = numbers.pick(&BASES) else { continue };
            // `*` alone would leave nothing to see, so that it is left to one set, as an allow.
            let last = PATTERNS.len() - usize::from(index != 7 || turn != 2);
            let Some(pattern) = PATTERNS.get(numbers.below(last)) else { continue };
            list.push(format!("Bash({})", fill(pattern, base, &[])));
        }
    }
    let place = match index {
        // Two of the 24 are a stranger's.
        11 | 23 => Place::Stranger,
        _ => *[Place::User, Place::Local, Place::Project].get(index % 3).unwrap_or(&Place::User),
    };
    let [deny, ask, allow] = lists;
    let commands = FORMS
        .iter()
        .filter_map(|form| Some(fill(form, numbers.pick(&BASES)?, numbers.pick(&BASES)?)))
        .collect();
    Trial { place, permissions: json!({"deny": deny, "ask": ask, "allow": allow}), commands }
}

/// Rules with blanks where none belong, or with nothing in them.
fn spaced(place: Place) -> Trial {
    let permissions = json!({
        "deny": [" Bash(touch:*) ", "Bash (mkdir:*)", "Bash( seq:*)", "Bash(date -u )", "Bash(chmod  u+r:*)"],
        "ask": ["bash(printf:*)", "Bash(ln:*) x", "Bash(git  status)"],
        "allow": [" Bash(cp:*)", "Bash(git add :*)", "Bash(head:* )"],
    });
    let commands = BASES.iter().map(|base| base.join(" ")).collect();
    Trial { place, permissions, commands }
}

/// Rules about files, and commands that name files.
fn paths(place: Place) -> Trial {
    let permissions = json!({
        "deny": ["Read(./.env)", "Read(secrets/**)", "Edit(locked.txt)", "Edit(/gen/**)"],
        "ask": ["Edit(slow.txt)", "Read(asked.txt)"],
        "allow": ["Bash(touch *)", "Bash(cp *)", "Bash(python3 *)", "Edit(out.txt)"],
    });
    let commands = [
        "cat .env",
        "cat ./.env",
        "cat  .env",
        "cat deep/.env",
        "cat '.env'",
        "cat \"$PWD/.env\"",
        "cat .e*",
        "head -n 1 .env",
        "tail .env",
        "less .env",
        "grep x .env",
        "grep -r x .",
        "sed -n 1p .env",
        "awk 1 .env",
        "wc -l .env",
        "sort .env",
        "cp .env copy.txt",
        "python3 -c \"open('.env')\"",
        "cat < .env",
        "cat notes.txt .env",
        "cat notes.txt && cat .env",
        "bash -c 'cat .env'",
        "sudo cat .env",
        "timeout 5 cat .env",
        "FOO=1 cat .env",
        "echo $(cat .env)",
        "ls .env",
        "stat .env",
        "diff .env notes.txt",
        "cat secrets/key",
        "ls secrets",
        "cat asked.txt",
        "head asked.txt",
        "echo x > locked.txt",
        "echo x >> locked.txt",
        "echo x > ./locked.txt",
        "echo x | tee locked.txt",
        "touch locked.txt",
        "cp notes.txt locked.txt",
        "mv notes.txt locked.txt",
        "sed -i s/a/b/ locked.txt",
        "echo x > gen/a.txt",
        "echo x 2> locked.txt",
        "echo x &> locked.txt",
        "echo x > slow.txt",
        "touch slow.txt",
        "echo x > out.txt",
        "echo x > other.txt",
        "echo x > \"locked.txt\"",
        "echo x > $F",
        "echo x > ~/x.txt",
        "cd secrets && cat key",
        "cd deep && cat ../.env",
        "tee locked.txt < notes.txt",
        "mkdir -p gen/sub",
        "chmod u+r .env",
        "file .env",
        "strings .env",
        "xxd .env",
        "base64 .env",
        "nl .env",
        "tac .env",
        "rev .env",
        "cut -c1 .env",
        "jq . .env",
        "git diff .env",
        "git show HEAD:.env",
        "git add .env",
        "dd if=.env of=copy.txt",
        "ln -s .env link.txt",
        "node -e \"require('fs').readFileSync('.env')\"",
    ];
    Trial { place, permissions, commands: commands.map(str::to_owned).to_vec() }
}

/// Asks the client, and writes one line for each pair: the rules, the command, what it did in each mode, its words.
///
/// # Errors
/// Where a session can't be run or the file can't be written.
pub fn measure(lab: &Lab, seed: u64, file: &Path) -> Result<(), String> {
    let trials = trials(seed);
    let count = trials.len();
    let mut lines = String::new();
    for (index, trial) in trials.into_iter().enumerate() {
        eprintln!("trial {} of {count}: {} commands", index + 1, trial.commands.len());
        let (plain, bypassed) = std::thread::scope(|scope| {
            let bypassed = scope.spawn(|| ask(lab, &trial, &["--permission-mode", "bypassPermissions"]));
            let plain = ask(lab, &trial, &[]);
            (plain, bypassed.join().unwrap_or_else(|_| Err("a session ended early".to_owned())))
        });
        for (command, (plain, bypassed)) in trial.commands.iter().zip(plain?.into_iter().zip(bypassed?)) {
            let line = json!({
                "set": index, "place": trial.place.name(), "permissions": trial.permissions, "command": command,
                "client": did(&plain, &bypassed), "default": plain.text, "bypass": bypassed.text,
            });
            let _ = writeln!(lines, "{line}");
        }
        std::fs::write(file, &lines).map_err(|error| format!("can't write {}: {error}", file.display()))?;
    }
    Ok(())
}

/// The client's words on every command of a trial.
fn ask(lab: &Lab, trial: &Trial, arguments: &[&str]) -> Result<Vec<Answer>, String> {
    let turns = trial
        .commands
        .iter()
        .enumerate()
        .map(|(index, command)| {
            Turn::call(
                &format!("toolu_{index:04}"),
                "Bash",
                &json!({"command": command, "description": "scripted"}),
            )
        })
        .collect();
    let settings = json!({"permissions": trial.permissions});
    let session = lab.session("mode = \"off\"\n", turns)?.without_gate(DEADLINE);
    let session = match trial.place {
        Place::User => session.trusted()?.personal_settings(&settings)?,
        Place::Local => session.trusted()?.local_settings(&settings)?,
        Place::Project => session.trusted()?.project_settings(&settings)?,
        Place::Stranger => session.project_settings(&settings)?,
    };
    let outcome = session.file("notes.txt", "a note\n")?.file(".env", "A=1\n")?.arguments(arguments).run()?;
    Ok((0..trial.commands.len())
        .map(|index| {
            let id = format!("toolu_{index:04}");
            let text = outcome.result_of(&id);
            let is_refused = text.is_none() || outcome.refused(&id);
            let text: String = text.unwrap_or_default().chars().take(300).collect();
            Answer { by_rule: text.contains("has been denied"), is_refused, text }
        })
        .collect())
}

/// The client's answer to one call.
struct Answer {
    /// Refused in the words of a deny rule.
    by_rule: bool,
    /// Refused for whatever reason.
    is_refused: bool,
    /// The beginning of what the model read.
    text: String,
}

/// What the client did by itself, from its answers in the default mode and in bypass mode.
fn did(plain: &Answer, bypassed: &Answer) -> &'static str {
    match (plain.is_refused, bypassed.is_refused) {
        (true, _) if plain.by_rule => "deny",
        (_, true) => "ask",
        (true, false) => "nothing",
        (false, false) => "allow",
    }
}
