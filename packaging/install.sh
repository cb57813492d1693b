#!/bin/sh
# Installs the released binary of hookgate for this machine, if its checksum is that of the release.
#
#   sh install.sh [--version VERSION] [--to DIRECTORY]
#
# HOOKGATE_RELEASES names another place with the files of releases; a folder `vVERSION` is expected there.
set -eu

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

version=0.1.0
to=${HOME:-}/.local/bin
while [ $# -gt 0 ]; do
    case $1 in
        --version) version=${2:?--version needs a version}; shift 2 ;;
        --to) to=${2:?--to needs a directory}; shift 2 ;;
        *) fail "unknown option: $1; the options are --version VERSION and --to DIRECTORY" ;;
    esac
done
releases=${HOOKGATE_RELEASES:-https://github.com/hookgate/hookgate/releases/download}

case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-amd64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) fail "there is no binary for $(uname -s) on $(uname -m); build it with: cargo install hookgate" ;;
esac

if command -v curl >/dev/null 2>&1; then
    fetch() { curl --fail --silent --show-error --location --output "$2" "$1"; }
elif command -v wget >/dev/null 2>&1; then
    fetch() { wget --quiet --output-document="$2" "$1"; }
else
    fail "neither curl nor wget is here"
fi
if command -v sha256sum >/dev/null 2>&1; then
    sum() { sha256sum "$1"; }
elif command -v shasum >/dev/null 2>&1; then
    sum() { shasum -a 256 "$1"; }
else
    fail "neither sha256sum nor shasum is here, so the download can't be checked"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=hookgate-$version-$target
fetch "$releases/v$version/SHA256SUMS" "$work/SHA256SUMS" || fail "can't fetch $releases/v$version/SHA256SUMS"
fetch "$releases/v$version/$name.tar.gz" "$work/$name.tar.gz" || fail "can't fetch $releases/v$version/$name.tar.gz"
wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
[ -n "$wanted" ] || fail "SHA256SUMS doesn't name $name.tar.gz"
is=$(sum "$work/$name.tar.gz" | cut -d ' ' -f 1)
[ "$is" = "$wanted" ] || fail "the checksum of $name.tar.gz is $is and should be $wanted; nothing was installed"

tar -xzf "$work/$name.tar.gz" -C "$work"
mkdir -p "$to"
# A hook may be starting the old binary at this moment: the new one takes its place in one step.
cp "$work/$name/hookgate" "$to/.hookgate.new"
chmod 755 "$to/.hookgate.new"
mv -f "$to/.hookgate.new" "$to/hookgate"
echo "installed $("$to/hookgate" --version) as $to/hookgate"
case :$PATH: in
    *":$to:"*) echo "next: hookgate init" ;;
    *) echo "next: add $to to PATH, then: hookgate init" ;;
esac
