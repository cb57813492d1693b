#!/usr/bin/env bash
# Start-up times of the hook beside other processes, in one run: writes target/times.md, which the README quotes.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
# Distributions ship releases without --input, so the script brings its own.
[ -x "$target/tools/bin/hyperfine" ] || cargo install --quiet --locked --root "$target/tools" hyperfine@1.20.0
cargo xtask dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/home/.local/state/hookgate" "$work/project/.git"
printf 'ref: refs/heads/main\n' > "$work/project/.git/HEAD"
cat > "$work/event.json" <<EVENT
{"session_id":"s","transcript_path":"/t","cwd":"$work/project","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status"},"tool_use_id":"toolu_1"}
EVENT
others=()
for program in 'jq .tool_name' 'python3 -c pass' 'node -e 0'; do
    command -v "${program%% *}" >/dev/null && others+=(--command-name "$program" "$program")
done
cd "$work/project"
HOME=$work/home CLAUDE_PROJECT_DIR=$work/project "$target/tools/bin/hyperfine" --shell=none --warmup 20 --runs 300 --input "$work/event.json" \
    --export-markdown "$target/times.md" \
    --command-name 'hookgate hook (git status)' "$target/dist/hookgate hook --event PreToolUse" \
    --command-name 'a bare Rust process' "$target/dist/bare" \
    --command-name '/bin/true' /bin/true \
    --command-name 'bash -c true' 'bash -c true' \
    "${others[@]}"
cat "$target/times.md"
