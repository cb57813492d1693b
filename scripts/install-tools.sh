#!/usr/bin/env bash
# What tests and budgets need from outside: valgrind (instructions), strace (the hot path's list of files). Nothing that ships
# needs any of it.
set -euo pipefail
missing=()
for tool in valgrind strace; do
    command -v "$tool" >/dev/null || missing+=("$tool")
done
[ "${#missing[@]}" -eq 0 ] && exit 0
if command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq "${missing[@]}"
elif command -v brew >/dev/null; then
    brew install "${missing[@]}"
else
    echo "install these by hand: ${missing[*]}" >&2
    exit 1
fi
