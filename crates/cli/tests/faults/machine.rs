//! Faults of the machine: files that are something else, folders that are gone, limits, and a policy that is being saved.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::Ground;
use crate::{DENIED, Dice, Fault, POLICY, Rule, held, hook, log};

pub(crate) fn faults() -> Vec<Fault> {
    vec![
        Fault { name: "a file is something else", run: something_else },
        Fault { name: "the home is something else", run: home },
        Fault { name: "a limit", run: limit },
        Fault { name: "the log cannot grow", run: small_files },
        Fault { name: "a torn log", run: torn },
        Fault { name: "a policy that is being saved", run: saved },
        Fault { name: "a broken policy", run: broken },
        Fault { name: "the state is gone", run: no_state },
    ]
}

/// Puts something else in the place of a file.
fn replace(path: &Path, dice: &mut Dice) -> String {
    let _ = fs::remove_dir_all(path);
    let _ = fs::remove_file(path);
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    let kind = dice.below(9);
    match kind {
        0 => drop(Command::new("mkfifo").arg(path).status()),
        1 => symlink("/dev/zero", path).unwrap(),
        2 => symlink("/dev/full", path).unwrap(),
        3 => fs::create_dir(path).unwrap(),
        4 => symlink("/no/such/file", path).unwrap(),
        5 => symlink(path, path).unwrap(),
        6 => fs::File::create(path).unwrap().set_len(1 << 30).unwrap(),
        7 => fs::write(path, b"\xff\xfe\0garbage [[").unwrap(),
        _ => symlink("/proc/self/mem", path).unwrap(),
    }
    format!("{} is {kind}", path.display())
}

fn something_else(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let names = [
        ".local/state/hookgate/audit.jsonl",
        ".local/state/hookgate/good",
        ".local/state/hookgate/sessions",
        ".local/state/hookgate/pause",
        ".local/state/hookgate",
        ".config/hookgate/hookgate.toml",
        "project/.hookgate.toml",
        "project/.hookgate.local.toml",
        "project/.git",
        "project/.git/HEAD",
        "project/.git/index",
        "project/.git/config",
        "project/.git/packed-refs",
        "project/.git/commondir",
        "project/.claude/settings.json",
        ".claude/settings.json",
    ];
    let name = *dice.one_of(&names);
    let what = replace(&ground.home().join(name), dice);
    // A policy that leads nowhere at all is plainly not there.
    let gone = name == ".config/hookgate/hookgate.toml" && !ground.home().join(name).exists();
    let rule = if gone { Rule::Shape } else { Rule::Stopped };
    for command in [DENIED, "touch denied.txt; git reset --hard; git push --force"] {
        held(hook(ground, "PreToolUse", "", ""), &ground.bash(command), rule)
            .map_err(|problem| format!("{what}, {command}: {problem}"))?;
    }
    Ok(())
}

fn home(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let homes = ["", "relative", "/no/such/home", "/etc/hostname", "/dev/null", "/proc/self/mem"];
    let home = *dice.one_of(&homes);
    let mut command = hook(ground, "PreToolUse", "", "");
    command.env("HOME", home);
    held(command, &ground.bash(DENIED), Rule::Stopped).map_err(|problem| format!("{home}: {problem}"))?;
    Ok(())
}

fn limit(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let limits = [
        "ulimit -n 12",
        "ulimit -s 256",
        "ulimit -s 64",
        "ulimit -v 300000",
        "ulimit -v 150000",
        "ulimit -u 1",
        "ulimit -c 0",
        "ulimit -l 0",
        "ulimit -x 0",
        "nice -n 19 true",
        "umask 777",
        "cd /; cd /proc",
    ];
    let limit = *dice.one_of(&limits);
    held(
        hook(ground, "PreToolUse", &format!("{limit} 2>/dev/null"), ""),
        &ground.bash(DENIED),
        Rule::Stopped,
    )
    .map_err(|problem| format!("{limit}: {problem}"))?;
    Ok(())
}

fn small_files(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let limit = format!("ulimit -f {}", dice.below(4));
    held(hook(ground, "PreToolUse", &limit, ""), &ground.bash(DENIED), Rule::Stopped)
        .map_err(|problem| format!("{limit}: {problem}"))?;
    Ok(())
}

/// The log ends within a line: the next record is whole.
fn torn(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(DENIED), Rule::Stopped)?;
    let mut bytes = fs::read(ground.audit()).unwrap();
    let before = log(ground).0.len();
    let cut = dice.below(bytes.len());
    let record = bytes.clone();
    bytes.extend_from_slice(&record[..cut]);
    fs::write(ground.audit(), &bytes).unwrap();
    let whole = log(ground).0.len();
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(DENIED), Rule::Stopped)?;
    let after = log(ground).0.len();
    if after == whole + 1 && whole >= before { Ok(()) } else { Err(format!("{whole} records, then {after}")) }
}

fn saved(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    while_it_is_saved(ground, dice.below(WAYS), 6)
}

/// How many ways of saving there are.
pub(crate) const WAYS: usize = 5;

/// An editor saves the same policy again and again, in one of five ways, while so many calls are judged.
pub(crate) fn while_it_is_saved(ground: &Ground, way: usize, calls: usize) -> Result<(), String> {
    let path = ground.home().join(".config/hookgate/hookgate.toml");
    let done = AtomicBool::new(false);
    let save = || {
        let aside = path.with_extension("new");
        let half = POLICY.len() / 2;
        match way {
            0 => fs::write(&path, POLICY).unwrap(),
            1 => {
                fs::write(&path, "").unwrap();
                thread::sleep(Duration::from_millis(2));
                fs::write(&path, POLICY).unwrap();
            }
            2 => {
                fs::write(&path, &POLICY[..half]).unwrap();
                thread::sleep(Duration::from_millis(1));
                fs::write(&path, POLICY).unwrap();
            }
            3 => {
                let _ = fs::remove_file(&path);
                thread::sleep(Duration::from_millis(1));
                fs::write(&path, POLICY).unwrap();
            }
            _ => {
                fs::write(&aside, POLICY).unwrap();
                fs::rename(&aside, &path).unwrap();
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                save();
                thread::sleep(Duration::from_micros(300));
            }
        });
        let results: Result<Vec<_>, String> = (0..calls)
            .map(|_| held(hook(ground, "PreToolUse", "", ""), &ground.bash(DENIED), Rule::Stopped))
            .collect();
        done.store(true, Ordering::SeqCst);
        results.map(drop).map_err(|problem| format!("way {way}: {problem}"))
    })
}

/// A policy with an error in it: the last good one holds, and where there is none it is asked.
fn broken(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let cut = dice.below(POLICY.len() - 1) + 1;
    let mut text = POLICY.as_bytes()[..cut].to_vec();
    text.extend_from_slice(b"\n[[\n");
    if dice.below(2) == 0 {
        let _ = fs::remove_dir_all(ground.home().join(".local"));
    }
    ground.policy("");
    fs::write(ground.home().join(".config/hookgate/hookgate.toml"), &text).unwrap();
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(DENIED), Rule::Stopped).map(drop)
}

fn no_state(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let state = ground.home().join(".local");
    fs::remove_dir_all(&state).unwrap();
    match dice.below(3) {
        0 => {}
        1 => fs::write(&state, "").unwrap(),
        _ => symlink("/no/such/place", &state).unwrap(),
    }
    held(hook(ground, "PreToolUse", "", ""), &ground.bash(DENIED), Rule::Stopped).map(drop)
}
