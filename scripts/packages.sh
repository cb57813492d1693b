#!/usr/bin/env bash
# Builds the files of a release for this machine, installs each the way its users do, in throw-away folders, judges a command
# with it, and takes it out again. `scripts/packages.sh arm64` builds for 64-bit ARM as well and runs that with qemu.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
made=${CARGO_TARGET_DIR:-target}/package
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)

step() { printf '\n== %s\n' "$*"; }
fail() { echo "packages.sh: $1" >&2; exit 1; }
# The first verdict: an irreversible command is denied, with its code.
judges() {
    local said status=0
    said=$("$@" check --isolated 'rm -rf /etc' 2>&1) || status=$?
    [ "$status" = 1 ] && grep -q FILE002 <<<"$said" || fail "'$*' doesn't judge (status $status): $said"
}
taken() { printf '%s ms from installing to the first verdict: %s\n' "$((($(date +%s%N) / 1000000 - began)))" "$1"; }
begin() { began=$(($(date +%s%N) / 1000000)); }

step build
rm -rf "$made"
cargo xtask package
[ "${1:-}" != arm64 ] || cargo xtask package aarch64-unknown-linux-gnu
cargo xtask release
made=$(cd "$made" && pwd)
(cd "$made" && sha256sum --check --quiet SHA256SUMS)
# What follows is what a person does who has nothing of ours, and no cargo.
export HOME=$work/home
mkdir -p "$HOME"

step installer
mkdir "$work/site" && ln -s "$made" "$work/site/v$version"
python3 -m http.server --bind 127.0.0.1 --directory "$work/site" 0 >"$work/server" 2>&1 &
server=$!
for _ in $(seq 100); do port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$work/server") && [ -n "$port" ] && break; sleep 0.1; done
export HOOKGATE_RELEASES=http://127.0.0.1:$port
begin
sh "$made/install.sh" --to "$work/bin"
judges "$work/bin/hookgate"
taken install.sh
mkdir "$work/site/v9.9.9" && cp "$made"/hookgate-"$version"-*.tar.gz "$work/site/v9.9.9/"
(cd "$work/site/v9.9.9" && for file in *.gz; do mv "$file" "${file/$version/9.9.9}"; done; sha256sum ./*.gz | sed 's,\./,,; s/^..../0000/' >SHA256SUMS)
if said=$(sh "$made/install.sh" --version 9.9.9 --to "$work/wrong" 2>&1); then fail "an archive with another checksum was installed"; fi
grep -q "nothing was installed" <<<"$said" || fail "a wrong checksum is told as: $said"
[ ! -e "$work/wrong" ] || fail "a wrong checksum left something behind"

step npm
if command -v npm >/dev/null; then
    node=$(node -p '`${process.platform}-${process.arch}`')
    mkdir "$work/npm"
    begin
    # The platform's package comes from the registry once it is published; here it is named beside the main one.
    npm install --silent --no-audit --no-fund --offline --prefix "$work/npm" "$made/hookgate-$node-$version.tgz" "$made/hookgate-$version.tgz"
    judges "$work/npm/node_modules/.bin/hookgate"
    taken npm
    # To the end: a reader that leaves early would end it.
    "$work/npm/node_modules/.bin/hookgate" demo >"$work/demo" && grep -q deny "$work/demo" || fail "npm's hookgate plays no demo"
    npm uninstall --silent --prefix "$work/npm" hookgate "@hookgate/$node"
    # npm keeps the empty folder of a scope.
    left=$(find "$work/npm/node_modules" ! -type d ! -name .package-lock.json)
    [ -z "$left" ] || fail "npm uninstall leaves $left"
else
    echo "npm is not installed: skipped"
fi

step debian
if command -v dpkg >/dev/null && [ "$(id -u)" = 0 ]; then
    root=$work/debian
    mkdir -p "$root/var/lib/dpkg"/{info,updates,triggers} && touch "$root/var/lib/dpkg"/{status,available}
    begin
    dpkg --root="$root" --force-not-root --force-script-chrootless --install "$made/hookgate_${version}_$(dpkg --print-architecture).deb"
    judges "$root/usr/bin/hookgate"
    taken deb
    dpkg --root="$root" --force-not-root --force-script-chrootless --purge hookgate
    left=$(cd "$root" && find . -type f -path '*hookgate*')
    [ -z "$left" ] || fail "dpkg --purge leaves $left"
else
    echo "dpkg or root is missing: skipped"
fi

step formula
if command -v ruby >/dev/null; then ruby -c "$made/hookgate.rb"; else echo "ruby is not installed: skipped"; fi

if [ "${1:-}" = arm64 ]; then
    step arm64
    judges qemu-aarch64 "$made/tree/hookgate-$version-aarch64-unknown-linux-gnu/hookgate"
fi

step plugin
# Its hooks are those that `init` writes into settings that a team shares.
mkdir "$work/project" && git -C "$work/project" init --quiet
(cd "$work/project" && PATH=$work/bin:$PATH hookgate init --scope project --require --yes --client-version 2.1.330 >/dev/null)
python3 - "$work/project/.claude/settings.json" <<'END'
import json, sys
written = json.load(open(sys.argv[1]))["hooks"]
plugin = json.load(open("plugins/hookgate/hooks/hooks.json"))["hooks"]
def call(hook):
    # Hooks of a project say so, to stand aside for the user's; a plugin is nobody's project.
    arguments = " ".join(hook.get("args", [])).replace(" --scope project", "")
    return {**hook, "args": arguments}
for event, groups in written.items():
    calls = [call(hook) for group in plugin.get(event, []) for hook in group["hooks"]]
    for hook in (hook for group in groups for hook in group["hooks"]):
        assert call(hook) in calls, f"the plugin lacks {call(hook)} at {event}"
for path in (".claude-plugin/marketplace.json", "plugins/hookgate/.claude-plugin/plugin.json"):
    assert json.load(open(path))["name"] == "hookgate", path
END
echo "packages: every way in judged, and left nothing"
