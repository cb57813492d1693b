#!/usr/bin/env bash
# The table "beside the alternatives" of the README: this project's own attacks and harmless texts (crates/cli/tests/suite/bypass)
# through hookgate and through other tools' hooks, as released to npm, PyPI and crates.io, with their own defaults. It is our suite:
# it shows what we thought of. hookgate runs twice, the second time with the presets that grant. `alternatives.sh 3` takes every third row;
# `alternatives.sh 1 FILE` takes somebody else's rows: JSON lines {"command", "dangerous"}. Takes a quarter of an hour or more, half of
# it building.
set -euo pipefail
cd "$(dirname "$0")/.."
every=${1:-1}
rows=${2:-}
target=${CARGO_TARGET_DIR:-$PWD/target}
place=$target/alternatives
rm -rf "$place/home"
mkdir -p "$place/home/.config/hookgate" "$place/granting/hookgate"
# The suite is about these two.
echo 'presets = ["recommended", "infra"]' >"$place/home/.config/hookgate/hookgate.toml"
echo 'presets = ["recommended", "infra", "readonly", "develop"]' >"$place/granting/hookgate/hookgate.toml"
if [ -z "$rows" ]; then
    cargo test --quiet --package hookgate --test suite -- nothing_is_both_dangerous_and_harmless
    rows=$target/tmp/bypass.jsonl
fi
cargo xtask dist >/dev/null
npm install --silent --prefix "$place/npm" cc-safety-net@2.4.5
[ -x "$place/python/bin/nah" ] || { python3 -m venv "$place/python" && "$place/python/bin/pip" install --quiet nah==0.11.0; }
for crate in longline@0.21.3 cc-toolgate@0.6.3; do
    cargo install --quiet --root "$place/cargo" "$crate"
done
awk -v every="$every" 'NR % every == 0' "$rows" >"$place/suite.jsonl"
cargo run --quiet --package hookgate-lab -- alternatives "$place/suite.jsonl" \
    "hookgate, recommended and infra=$target/dist/hookgate hook" \
    "hookgate, with readonly and develop=env XDG_CONFIG_HOME=$place/granting $target/dist/hookgate hook" \
    "cc-safety-net 2.4.5=$place/npm/node_modules/.bin/cc-safety-net hook --claude-code" \
    "nah 0.11.0=$place/python/bin/nah _claude-hook" \
    "longline 0.21.3=$place/cargo/bin/longline" \
    "cc-toolgate 0.6.3=$place/cargo/bin/cc-toolgate" \
    "/bin/true=/bin/true"
