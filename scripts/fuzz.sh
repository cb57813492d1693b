#!/bin/sh
# Fuzz every target for a minute (or the seconds given): scripts/fuzz.sh [SECONDS] [TARGET]...
# A target is one of fuzz/fuzz_targets, or the language of a program text: `python`, `sql`.
# A plain libFuzzer build: the coverage passes are those of the stable compiler, so neither cargo-fuzz nor a nightly
# compiler is needed; a C++ compiler is. With cargo-fuzz: `cargo +nightly fuzz run TARGET`.
set -eu
cd "$(dirname "$0")/../fuzz"
seconds=${1:-60}
[ $# -eq 0 ] || shift
languages="python javascript perl ruby php lua statistics awk sed sql mongo redis"
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- answer command decision event knowledge native policy transcript wrapped $languages

# The target is named so that build scripts and macros are built without coverage.
host=$(rustc -vV | sed -n 's/^host: //p')
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
coverage="$coverage -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
coverage="$coverage -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
export RUSTFLAGS="--cfg fuzzing -Ccodegen-units=1 $coverage"

# Every language is read by one program, which hears its name.
program() {
    case " $languages " in *" $1 "*) echo program ;; *) echo "$1" ;; esac
}

bins=
for target in "$@"; do bins="$bins --bin $(program "$target")"; done
# shellcheck disable=SC2086
cargo build --quiet --release --target "$host" $bins

# What a hook has: inputs as long as texts that are read, the memory that a judgement is held to, and the smallest stack that it takes.
memory=64
ulimit -s 8192

for target in "$@"; do
    mkdir -p "corpus/$target" "artifacts/$target"
    echo "fuzzing $target for $seconds seconds"
    log="artifacts/$target.log"
    HOOKGATE_LANGUAGE="$target" "${CARGO_TARGET_DIR:-target}/$host/release/$(program "$target")" "corpus/$target" "seeds/$target" -max_total_time="$seconds" -timeout=5 \
        -rss_limit_mb=$memory -max_len=262144 -artifact_prefix="artifacts/$target/" -print_final_stats=1 \
        -verbosity=0 > "$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
    grep -E "^stat::(number_of_executed_units|average_exec_per_sec|slowest_unit_time_sec|peak_rss_mb)" "$log"
done
