#!/usr/bin/env bash
# A second opinion about secrets: draws tokens from the patterns of detect-secrets (a public package, installed into target/),
# and counts how many of them `hookgate secrets scan` finds. Fails below 98 %.
# Usage: scripts/secret-oracle.sh [HOOKGATE]
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
gate=${1:-$target/quick/hookgate}
[ -x "$gate" ] || cargo build --quiet --profile quick --package hookgate
room=$target/detect-secrets
[ -x "$room/bin/python" ] || python3 -m venv "$room"
"$room/bin/python" -c 'import detect_secrets' 2>/dev/null || "$room/bin/pip" install --quiet detect-secrets==1.5.0
"$room/bin/python" - "$(realpath "$gate")" <<'PYTHON'
import importlib, json, pkgutil, random, subprocess, sys, tempfile, pathlib
try:
    import re._parser as parser
except ImportError:
    import sre_parse as parser
import detect_secrets.plugins
from detect_secrets.plugins.base import RegexBasedDetector

# What hookgate takes for no secret, or tells by a name that other services have as well.
LEFT = {
    "IPPublicDetector": "an address is no secret",
    "ArtifactoryDetector": "two or three letters and any word: no shape of its own",
    "CloudantDetector": "lower-case letters behind a word such as `cl` and `key`",
    "IbmCloudIamDetector": "any word such as `key` before 44 letters",
    "IbmCosHmacDetector": "48 digits behind `secret_access_key`, of which AWS has 40",
    "SoftlayerDetector": "a service that was closed",
    "PrivateKeyDetector": "the header alone: code that looks for keys has it",
    "JwtTokenDetector": "a token that expires, and stands in every test of a login",
    "DiscordBotTokenDetector": "no letter that all of them have: hookgate goes by the name that it is assigned to",
}
# Patterns that let more through than the provider draws, by how they begin, and what it does draw.
NARROWER = {
    "AC[a-z0-9]{32}": (None, "the name of an account"),
    "(?:A3T": ("(?:ABIA|ACCA|AKIA|ASIA)[A-Z2-7]{16}", "the letters of base 32"),
    "aws.{0,20}": ("aws_secret_access_key = '[0-9a-zA-Z/+]{40}'", "the name that AWS gives it"),
    "://[^:/": ("https://[a-z]{6}:[A-Za-z0-9]{16}@[a-z]{8}[.]dev", "with a scheme and a host"),
    "[0-9a-z]{32}-us": ("[0-9a-f]{32}-us[0-9]{1,2}", "digits of base 16"),
    "\\/\\/.+\\/:_authToken": ("//npm.acme.dev/:_authToken=(npm_[A-Za-z0-9]{36}|[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12})", "the length of a token"),
    "sk-[A-Za-z0-9-_]*": ("sk-(proj-[A-Za-z0-9]{20,70}|[A-Za-z0-9]{20}|svcacct-[A-Za-z0-9]{40,70})T3BlbkFJ[A-Za-z0-9]{20}", "the length of a key"),
    "xox(?:": ("xox(b-[1-9][0-9]{10,12}-[0-9]{11,12}-[A-Za-z0-9]{24}|p-[0-9]{11,12}-[0-9]{11,12}-[0-9]{11,12}-[a-f0-9]{32}|s-[0-9]{11}-[0-9]{11}-[0-9]{11}-[a-f0-9]{10})", "the length of a token"),
    "https://hooks": ("https://hooks[.]slack[.]com/services/T[A-Z0-9]{8,11}/B[A-Z0-9]{8,11}/[A-Za-z0-9]{24}", "the length of its parts"),
    "\\d{8,10}:": ("[0-9]{8,10}:AA[0-9A-Za-z_-]{33}", "its first letters"),
    "SK[a-z0-9]{32}": ("SK[0-9a-f]{32}", "digits of base 16"),
    "glcbt-": ("glcbt-([0-9a-f]{2}_)?[A-Za-z0-9_-]{20}", "without a wrong letter before `_`"),
}
EACH = 50
draw = random.Random(13)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def members(items):
    every = set()
    negated = False
    for kind, value in items:
        kind = str(kind)
        if kind == "NEGATE":
            negated = True
        elif kind == "LITERAL":
            every.add(chr(value))
        elif kind == "RANGE":
            every.update(chr(c) for c in range(value[0], value[1] + 1))
        elif str(value) == "CATEGORY_DIGIT":
            every.update("0123456789")
        elif str(value) == "CATEGORY_WORD":
            every.update(LETTERS)
        elif str(value) == "CATEGORY_SPACE":
            every.add(" ")
    chosen = set(LETTERS) - every if negated else every
    return sorted(chosen & set(LETTERS)) or sorted(chosen)


def drawn(tree):
    text = ""
    for kind, value in tree:
        kind = str(kind)
        if kind == "LITERAL":
            text += chr(value)
        elif kind == "IN":
            text += draw.choice(members(value))
        elif kind == "ANY":
            text += draw.choice(LETTERS)
        elif kind in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, inner = value
            most = min(int(most), max(least, 24))
            text += "".join(drawn(inner) for _ in range(draw.randint(least, most)))
        elif kind == "SUBPATTERN":
            text += drawn(value[-1])
        elif kind == "BRANCH":
            text += drawn(draw.choice(value[1]))
        elif kind not in ("AT", "ASSERT", "ASSERT_NOT"):
            raise ValueError(kind)
    return text


patterns = []
for module in pkgutil.iter_modules(detect_secrets.plugins.__path__):
    module = importlib.import_module("detect_secrets.plugins." + module.name)
    for name, found in vars(module).items():
        is_own = isinstance(found, type) and found.__module__ == module.__name__ and not getattr(found, "__abstractmethods__", None)
        if is_own and issubclass(found, RegexBasedDetector) and name not in LEFT:
            patterns += [(name, one) for one in found().denylist]

all_drawn, all_found = 0, 0
with tempfile.TemporaryDirectory() as room:
    narrowed = 0
    for number, (name, pattern) in enumerate(patterns):
        narrower = [new for start, (new, _) in NARROWER.items() if pattern.pattern.startswith(start)]
        if narrower == [None]:
            continue
        narrowed += len(narrower)
        tree = parser.parse(*narrower) if narrower else parser.parse(pattern.pattern, pattern.flags & ~32)
        texts = []
        while len(texts) < EACH:
            text = drawn(tree)
            if pattern.search(text):
                texts.append(text)
        path = pathlib.Path(room, f"{number}.txt")
        path.write_text("".join(f"value = {text}\n" for text in texts))
        said = subprocess.run([sys.argv[1], "secrets", "scan", "--json", str(path)], capture_output=True, text=True, cwd=room)
        lines = {one["line"] for one in json.loads(said.stdout)}
        all_drawn += EACH
        all_found += len(lines)
        if len(lines) < EACH:
            missed = next(text for at, text in enumerate(texts, 1) if at not in lines)
            print(f"{len(lines):3} of {EACH}  {name}  {pattern.pattern[:80]!r}  such as {missed[:100]!r}")
share = 100 * all_found / all_drawn
print(f"{all_found} of {all_drawn} drawn from {len(patterns)} patterns of detect-secrets, {narrowed} of them narrowed, were found: {share:.1f} %; {len(LEFT)} detectors left out")
sys.exit(share < 98)
PYTHON
