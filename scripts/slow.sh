#!/usr/bin/env bash
# The suites that are too long for every change: the real client in every scenario, program texts nested however deep,
# deletions put into real programs, the options of installed programs against those listed, 20,000 faults, 10,000 calls while
# a policy is saved, 100,000 granted texts really run, a million wraps of two and three, 1,600,000 damaged commands, a
# transcript of 1 GB, 10,000 ends of work before a model that misbehaves, a minute of fuzzing for each door, the files of a release installed and removed, 100 MB searched for secrets, tokens drawn from another tool's patterns, and the table of
# start-up times.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-tools.sh
scripts/lab.sh
cargo test --locked --profile quick -p hookgate-readers -- --ignored
HOOKGATE_FAULTS=20000 HOOKGATE_SAVED=10000 cargo test --locked --profile quick -p hookgate --test faults -- --nocapture
HOOKGATE_WRAPS=1000000 HOOKGATE_MUTATIONS=1600000 cargo test --locked --profile quick -p hookgate --test suite -- --nocapture volume::
HOOKGATE_TRANSCRIPT=1024 cargo test --locked --profile quick -p hookgate --test suite -- --nocapture a_transcript_of_any_length
cargo test --locked --profile quick -p hookgate-judge --test misbehaving -- --ignored --nocapture
HOOKGATE_ENDS=10000 cargo test --locked --profile quick -p hookgate --test suite -- --nocapture a_model_that_misbehaves
scripts/fuzz.sh 60
scripts/grants.sh long
cargo test --locked --release -p hookgate-secrets --test speed -- --ignored --nocapture
scripts/secret-oracle.sh
cargo xtask help-options
scripts/packages.sh
scripts/times.sh
