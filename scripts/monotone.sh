#!/bin/sh
# Does a wrapper ever make a verdict milder? Judges every command of a corpus bare and inside every wrapper of
# crates/cli/tests/suite/bypass/wrappers.toml, under recommended, infra and readonly.
# usage: scripts/monotone.sh BINARY CORPUS [SHOWN]      CORPUS: JSON lines with "command"; SHOWN: examples per wrapper (3)
set -eu
wrappers="$(dirname "$0")/../crates/cli/tests/suite/bypass/wrappers.toml"
exec python3 - "$1" "$2" "$wrappers" "${3:-3}" <<'PYTHON'
import base64, json, os, re, shlex, subprocess, sys, tempfile, tomllib

binary, corpus, wrappers, shown = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
ORDER = ["allow", "pass", "handoff", "ask", "deny", "halt"]
SIMPLE = re.compile(r"[A-Za-z0-9_./~@:,%+='\" -]+")
WORDS = set("if then else for while until case do done esac fi time function select coproc cd pushd popd export set "
            "unset alias source eval exec trap read local declare typeset readonly shift return exit let builtin "
            "command type hash test true false wait umask ulimit shopt printf echo . : [ [[ ! {".split())


def judge(commands):
    # Not below a temporary directory: paths there are judged more mildly.
    with tempfile.TemporaryDirectory(dir=os.path.dirname(binary)) as home:
        project = os.path.join(home, "project")
        os.makedirs(os.path.join(project, ".git"))
        arguments = [binary, "check", "--batch", "--isolated", "--cwd", project]
        for preset in ("recommended", "infra", "readonly"):
            arguments += ["--preset", preset]
        lines = "".join(json.dumps({"command": command}) + "\n" for command in commands)
        output = subprocess.run(arguments, input=lines, text=True, capture_output=True, cwd=project,
                                env={"HOME": home, "PATH": os.environ["PATH"]}, check=True).stdout
        return [ORDER.index(json.loads(line)["decision"]) for line in output.splitlines()]


def is_simple(command):
    words = command.split()
    return bool(SIMPLE.fullmatch(command)) and words[0] not in WORDS and "=" not in words[0]


def wrapped(wrapper, command):
    encoded = base64.b64encode(command.encode()).decode()
    quoted = "'" + command.replace("'", "'\\''") + "'"
    # A hole of a wrapper is filled in one pass, so that a command's own braces stay.
    return re.sub(r"\{(quoted|base64|)\}",
                  lambda hole: {"quoted": quoted, "base64": encoded, "": command}[hole[1]], wrapper)


commands = sorted({json.loads(line)["command"].strip() for line in open(corpus)} - {""})
bare = judge(commands)
table = tomllib.load(open(wrappers, "rb"))
checked = milder = 0
for kind in ("around-text", "around-command"):
    rows = [(c, d) for c, d in zip(commands, bare) if kind == "around-text" or is_simple(c)]
    everything = rows
    for wrapper in table[kind]:
        # A pipe, list or line without its end goes on in the wrapper's next line.
        rows = [(c, d) for c, d in everything if not ("{}\n" in wrapper and c.endswith(("|", "&&", "\\")))]
        texts = [wrapped(wrapper, command) for command, _ in rows]
        wrong = [(ORDER[before], ORDER[after], text)
                 for (_, before), after, text in zip(rows, judge(texts), texts) if after < before]
        checked += len(rows)
        milder += len(wrong)
        if wrong:
            print(f"{len(wrong)} of {len(rows)} milder: {wrapper!r}")
            for before, after, text in wrong[:shown]:
                print(f"    {before} -> {after}: {text[:300]!r}")
print(f"{milder} of {checked} wrapped commands are milder")
sys.exit(1 if milder else 0)
PYTHON
