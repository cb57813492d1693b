#!/bin/sh
# Builds hookgate and runs every scenario of crates/lab against the real client.
set -eu
cd "$(dirname "$0")/.."
cargo build --quiet --profile quick --package hookgate
cargo run --quiet --package hookgate-lab -- claude --gate "${CARGO_TARGET_DIR:-target}/quick/hookgate" "$@"
