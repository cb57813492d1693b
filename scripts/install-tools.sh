#!/usr/bin/env bash
# What tests and budgets need from outside: valgrind (instructions), strace (system calls), git and curl (their own
# behaviour), bash 5 (the parser's oracle), rustfmt and clippy, and the linters of scripts/install-linters.sh. Nothing that ships needs any of it.
set -euo pipefail
missing=()
for tool in valgrind strace git curl; do
    command -v "$tool" >/dev/null || missing+=("$tool")
done
bash --norc -c '[ "${BASH_VERSINFO[0]}" -ge 5 ]' || missing+=(bash)
for component in rustfmt clippy; do
    cargo "${component/rust/}" --version >/dev/null 2>&1 || rustup component add "$component"
done
if command -v npm >/dev/null && command -v python3 >/dev/null; then scripts/install-linters.sh; else missing+=(npm python3-venv); fi
[ "${#missing[@]}" -eq 0 ] && exit 0
if command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq "${missing[@]}"
elif command -v brew >/dev/null; then
    # valgrind and strace are not to be had on macOS.
    tools=()
    for tool in "${missing[@]}"; do
        case $tool in valgrind | strace) echo "not available here: $tool" >&2 ;; *) tools+=("$tool") ;; esac
    done
    [ "${#tools[@]}" -eq 0 ] || brew install "${tools[@]}"
else
    echo "install these by hand: ${missing[*]}" >&2
    exit 1
fi
