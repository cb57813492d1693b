#!/usr/bin/env bash
# What the linters of an edit take, alone and in a project of 2,000 files: writes target/linters.md, which docs/files.md quotes.
# The linters are those of scripts/install-linters.sh, and Clippy.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-linters.sh
cargo xtask dist
target=${CARGO_TARGET_DIR:-$PWD/target}
linters=$PWD/target/linters
PATH=$linters/venv/bin:$linters/node_modules/.bin:$PATH python3 - "$target" <<'PYTHON'
import json, os, pathlib, statistics, subprocess, sys, tempfile, time

target = pathlib.Path(sys.argv[1])
EDITS = [
    ("ruff", "a.py", "x = 1\n", "import os\nx = 1\nprint( undefined )\n"),
    ("shellcheck", "a.sh", "#!/bin/bash\n", "#!/bin/bash\nls $1\n"),
    ("biome", "a.js", "", "if (a == 2) { debugger }\n"),
    ("taplo", "a.toml", "", "a = \n"),
    ("yamllint", "a.yml", "---\na: 1\n", "---\na: yes\n"),
    ("clippy", "tool/src/main.rs", "fn main() {}\n", "fn main() {\n    let list = vec![1];\n    if list.len() == 0 {}\n}\n"),
]
RUNS = 7
SHORT_RUNS = 200

def measure(linter, name, old, new, files, findings=True):
    with tempfile.TemporaryDirectory() as folder:
        home, project = pathlib.Path(folder, "home"), pathlib.Path(folder, "project")
        policy = home / ".config/hookgate/hookgate.toml"
        for path in (policy, project / ".git/HEAD", project / "tool/src/main.rs"):
            path.parent.mkdir(parents=True)
        policy.write_text(f'[[lint]]\n{linter}\ndeadline = "60s"\n')
        os.utime(policy, (1, 1))
        (project / ".git/HEAD").write_text("ref: refs/heads/main\n")
        (project / "tool/Cargo.toml").write_text('[package]\nname = "tool"\nversion = "0.1.0"\nedition = "2021"\n')
        (project / "tool/src/main.rs").write_text("fn main() {}\n")
        for index in range(files):
            other = project / f"package{index % 50}" / f"module{index}{pathlib.Path(name).suffix}"
            other.parent.mkdir(exist_ok=True)
            other.write_text(old)
        path = project / name
        fields = {"filePath": str(path), "oldString": old, "newString": new, "originalFile": old, "structuredPatch": []}
        event = {
            "session_id": "s", "transcript_path": "", "cwd": str(project), "permission_mode": "default",
            "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "t",
            "tool_input": {"file_path": str(path), "old_string": old, "new_string": new}, "tool_response": fields,
        }
        whole, linting, process = [], [], []
        for run in range(RUNS if findings else SHORT_RUNS):
            start = time.monotonic()
            subprocess.run(["/bin/true"], input=b"", stdout=subprocess.PIPE, check=True)
            process.append((time.monotonic() - start) * 1000)
            path.write_text(new)
            # What hookgate remembers as told isn't told again.
            event["session_id"] = f"s{run}"
            environment = {**os.environ, "HOME": str(home)}
            environment.setdefault("CARGO_HOME", os.path.expanduser("~/.cargo"))
            environment.setdefault("RUSTUP_HOME", os.path.expanduser("~/.rustup"))
            start = time.monotonic()
            output = subprocess.run([target / "dist/hookgate", "hook", "--event", "PostToolUse", "--deadline", "60s"],
                input=json.dumps(event).encode(), stdout=subprocess.PIPE, env=environment, check=True).stdout
            whole.append((time.monotonic() - start) * 1000)
            if (b'"block"' in output) != findings:
                sys.exit(f"{linter}: {output!r}")
            log = (home / ".local/state/hookgate/audit.jsonl").read_text().splitlines()
            record = next(record for record in map(json.loads, reversed(log)) if "linters" in record)
            linting.append(" ".join(f"{phase['phase']} {phase['millis']}" for phase in record["linters"]))
        return statistics.median(whole), linting[-1], statistics.median(process)

lines = ["| linter | its phases, ms | the whole hook, ms | in a project of 2,000 files |", "|---|---|---|---|"]
for linter, *edit in EDITS:
    (alone, phases, _), (among, _, _) = measure(f'use = "{linter}"', *edit, 0), measure(f'use = "{linter}"', *edit, 2000)
    lines.append(f"| {linter} | {phases} | {alone:.0f} | {among:.0f} |")
# A linter that does nothing: what is left without its process is hookgate's own.
hook, _, process = measure('files = "*.py"\nrun = ["/bin/true", "{files}"]\noutput = { shape = "sarif" }', "a.py", "x = 1\n", "x = 2\n", 2000, findings=False)
lines += ["", f"With a linter that does nothing the hook takes {hook:.1f} ms, and `/bin/true` alone {process:.1f} ms."]
(target / "linters.md").write_text("\n".join(lines) + "\n")
print("\n".join(lines))
PYTHON
