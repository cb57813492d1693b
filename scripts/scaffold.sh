#!/usr/bin/env bash
# Adding a rule touches one folder and one registry row, and a command makes both: tried on a copy of the tree.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
copy=$target/scaffold
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z | xargs -0 tar cf - | tar xf - -C "$copy"
cd "$copy"
git init -q . && git add -A
CARGO_TARGET_DIR=$target cargo xtask new-rule file scaffold-trial
# Against the index, not a commit: the copy has none.
changed=$( (git diff --name-only; git ls-files --others --exclude-standard) | grep -v '^crates/rules/src/rules/file/' || true)
[ "$(printf '%s' "$changed" | grep -c .)" -le 1 ] || { echo "$changed"; echo "a new rule touched more than its folder and one row"; exit 1; }
CARGO_TARGET_DIR=$target cargo test -q -p hookgate-rules
