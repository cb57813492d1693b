#!/usr/bin/env bash
# Real package managers for the test that has them parse what hookgate writes in the place of other managers' calls
# (crates/rules/src/packages/real_test.rs), below target/managers: uv and poetry by pip; bun, npm, pnpm and both yarns by npm. Nothing that
# ships needs any of it, and the test runs none of them with network.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x target/managers/bin/yarn4 ] && { echo "package managers are in $PWD/target/managers"; exit 0; }
mkdir -p target
part=$(mktemp -d target/managers-XXXXXX)
trap 'rm -rf "$part"' EXIT
python3 -m venv --copies "$part/venv"
"$part/venv/bin/pip" install --quiet --disable-pip-version-check uv==0.13.9 poetry==2.5.1
npm install --silent --no-fund --no-audit --no-save --prefix "$part/node" \
    bun@1.4.5 npm@11.6.2 pnpm@12.21.0 yarn@1.22.22 yarn4@npm:@yarnpkg/cli-dist@4.18.1
chmod 755 "$part"
mkdir "$part/bin"
for name in uv poetry; do
    # A virtual environment keeps the place that it was made in: its programs are started by name.
    printf '#!/bin/sh\nhere=$(dirname "$(dirname "$0")")\nexec "$here/venv/bin/python3" -m %s "$@"\n' "$name" >"$part/bin/$name"
done
for name in bun bunx npm npx pnpm; do
    printf '#!/bin/sh\nhere=$(dirname "$(dirname "$0")")\nexec "$here/node/node_modules/.bin/%s" "$@"\n' "$name" >"$part/bin/$name"
done
printf '#!/bin/sh\nhere=$(dirname "$(dirname "$0")")\nexec node "$here/node/node_modules/yarn/bin/yarn.js" "$@"\n' >"$part/bin/yarn1"
printf '#!/bin/sh\nhere=$(dirname "$(dirname "$0")")\nexec node "$here/node/node_modules/yarn4/bin/yarn.js" "$@"\n' >"$part/bin/yarn4"
chmod 755 "$part"/bin/*
rm -rf target/managers
mv "$part" target/managers
trap - EXIT
echo "package managers are in $PWD/target/managers"
