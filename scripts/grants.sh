#!/usr/bin/env bash
# The oracle of grants, long form: 100,000 texts that `readonly` grants are really run, without network; none may do anything.
set -euo pipefail
cd "$(dirname "$0")/.."
unshare -r -n -m bash -c true || { echo "needs user namespaces: unshare -r -n -m" >&2; exit 1; }
HOOKGATE_GRANTS="${1:-100000}" cargo test -p hookgate --test grants --profile quick -- --ignored --nocapture
