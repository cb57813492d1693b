#!/usr/bin/env bash
# The suites that are too long for every change: the real client in every scenario, a minute of fuzzing for each door,
# and the table of start-up times.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-tools.sh
scripts/lab.sh
scripts/fuzz.sh 60
scripts/times.sh
