#!/usr/bin/env bash
# The oracle of grants: what `readonly` and `develop` grant is really run, in a namespace without network, with everything but a
# throw-away home read-only, under strace. None of it may run a planted text, change a file outside of the project, call a host or
# open a planted secret. HOOKGATE_GRANTS_SEED=N takes other texts of the generator.
#
# Before them, texts that do such things are planted between harmless ones, and each has to be found.
#
#   scripts/grants.sh                quick: 600 texts of bash and 300 calls of programs, within two minutes
#   scripts/grants.sh long [N [M]]   N texts of bash (100,000) and M calls of programs (half as many), with those of `install`
#   scripts/grants.sh install [DIR]  programs of Debian, PyPI and npm into a directory of their own (target/grants)
set -euo pipefail
cd "$(dirname "$0")/.."
tools="$PWD/target/grants"

install() {
    local to="${1:-$tools}"
    mkdir -p "$to/deb" "$to/bin"
    # Unpacked, not installed: the machine stays as it is.
    local packages=(
        ripgrep fd-find bat fzf jq yq tree colordiff diffstat bind9-dnsutils bind9-host htop lsof sysstat plocate ncal units zsh zsh-common dash ksh
        iputils-ping usbutils pciutils uuid-runtime mariadb-client-core postgresql-client-15 sqlite3 cmake-data ninja-build shellcheck shfmt
        libarchive-tools p7zip-full screen tmux gawk mawk moreutils attr finger traceroute rsync zip unzip file xxd bc less man-db
        psmisc procps iproute2 net-tools netcat-openbsd curl wget git-absorb just rename dos2unix hexyl exa gron miller datamash
        silversearcher-ag ack parallel entr pv tig lz4 zstd xz-utils bzip2 gzip binutils diffutils patch patchutils wdiff time sed grep
        findutils coreutils util-linux bsdextrautils bsdmainutils hostname strace ltrace gdb make m4 bison flex lua5.4 tcl
        php8.2-cli ruby3.1 libruby3.1 ruby ruby-rubygems rake bundler ruby-bundler cmake librhash0 libjsoncpp25 ncat rpm librpm9 librpmio9
        xattr gojq most locate jsonlint golang-1.19-go golang-1.19-src golang-golang-x-tools iputils-tracepath
    )
    (cd "$to/deb" && for package in "${packages[@]}"; do apt-get download -qq "$package" 2>/dev/null || true; done)
    local file
    for file in "$to"/deb/*.deb; do dpkg -x "$file" "$to/root"; done
    ln -sf "$to/root/usr/bin/fdfind" "$to/bin/fd"
    ln -sf "$to/root/usr/bin/batcat" "$to/bin/bat"
    # What an installation links to by itself.
    local link
    for link in nc=bin/nc.openbsd traceroute=usr/bin/traceroute.db php=usr/bin/php8.2 go=usr/lib/go-1.19/bin/go gofmt=usr/lib/go-1.19/bin/gofmt; do
        ln -sf "$to/root/${link#*=}" "$to/bin/${link%%=*}"
    done
    python3 -m venv "$to/venv"
    "$to/venv/bin/pip" -q install ruff black isort mypy flake8 pylint pytest coverage yamllint tox nox pdm hatch pipenv pre-commit uv ansible-core \
        pyright basedpyright pip-audit safety poetry invoke ty podman-compose duckdb-cli awscli
    npm --prefix "$to/npm" install --silent --no-audit --no-fund eslint prettier typescript jest mocha @biomejs/biome oxlint \
        markdownlint-cli markdownlint-cli2 ts-node tsx esbuild rollup webpack webpack-cli turbo knip pnpm yarn vitest svelte-check \
        @taplo/cli
}

run() {
    unshare -r -n -m bash -c true || { echo "needs user namespaces: unshare -r -n -m" >&2; exit 1; }
    export HOOKGATE_GRANTS="$1" HOOKGATE_GRANTS_PROGRAMS="$2"
    if [ -d "$tools/root" ]; then
        case "$tools" in
            /tmp/* | /run/* | /dev/shm/*) echo "a room hides $tools: move the checkout out of /tmp" >&2; exit 1 ;;
        esac
        local root="$tools/root"
        export HOOKGATE_GRANTS_PATH="$tools/bin:$tools/venv/bin:$tools/npm/node_modules/.bin:$root/usr/bin:$root/bin:$root/usr/sbin:$root/sbin"
        export HOOKGATE_GRANTS_LIBRARIES="$root/usr/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu"
    fi
    nice cargo test -p hookgate --test grants --locked ${3:+--profile "$3"} -- --ignored --nocapture
}

case "${1:-quick}" in
    quick) run 600 300 ;;
    long) run "${2:-100000}" "${3:-$((${2:-100000} / 2))}" quick ;;
    install) install "${2:-$tools}" ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
esac
