//! What each call becomes: own cases, one table per pair of managers.

use hookgate_policy::PackageManager::{self, Bun, Npm, Pip, Pipenv, Pnpm, Poetry, Uv, Yarn};

use super::dialect::{Flag, Verb};
use super::parse::parse;
use super::translate::{Project, translate};
use super::words::Word;

const PROJECT: Project = Project { has_manifest: true, is_modern_yarn: false, has_program: false };

fn command(from: PackageManager, text: &str, to: PackageManager, project: Project) -> String {
    let words = text.split(' ').filter(|word| !word.is_empty()).map(Word::plain).collect();
    let parsed = parse(from, words);
    if parsed.asks || parsed.verb == Some(Verb::Itself) {
        return "free".to_owned();
    }
    match translate(&parsed, to, project) {
        None => "unlisted".to_owned(),
        Some(one) if one.missing.is_empty() => one.command,
        Some(one) => format!("{} [{}]", one.command, one.missing.join(", ")),
    }
}

fn check(from: PackageManager, to: PackageManager, table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in table {
        let found = command(from, text, to, PROJECT);
        if found != *expected {
            wrong.push(format!("{} {text}\n  found    {found}\n  expected {expected}", from.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pip_becomes_uv() {
    check(
        Pip,
        Uv,
        &[
            ("install httpx", "uv add httpx"),
            ("install httpx>=0.27 rich", "uv add 'httpx>=0.27' rich"),
            ("install -U --no-cache-dir httpx", "uv add --upgrade --no-cache httpx"),
            ("install -r dev.txt", "uv pip install -r dev.txt"),
            ("install -rdev.txt x>=2", "uv pip install -r dev.txt 'x>=2'"),
            ("install --requirement=dev.txt -c pins.txt", "uv pip install -r dev.txt -c pins.txt"),
            ("install -e .[dev]", "uv pip install -e '.[dev]'"),
            ("install .", "uv pip install ."),
            ("install --no-deps httpx", "uv pip install --no-deps httpx"),
            ("install -q --disable-pip-version-check httpx", "uv add httpx"),
            ("install --user httpx", "uv pip install httpx [--user]"),
            ("uninstall -y httpx", "uv remove httpx"),
            ("freeze", "uv pip freeze"),
            ("list --outdated", "uv pip list --outdated"),
            ("show httpx", "uv pip show httpx"),
            ("check", "uv pip check"),
            ("download httpx", "unlisted"),
            ("config set global.index-url https://x", "unlisted"),
            ("venv .venv", "uv venv .venv"),
            (
                "venv --python 3.11 --system-site-packages env",
                "uv venv --python 3.11 --system-site-packages env",
            ),
            ("help install", "free"),
            ("--version", "free"),
            ("", "free"),
        ],
    );
    let bare = Project { has_manifest: false, ..PROJECT };
    assert_eq!(command(Pip, "install httpx", Uv, bare), "uv pip install httpx");
    assert_eq!(command(Pip, "uninstall -y httpx", Uv, bare), "uv pip uninstall httpx");
}

#[test]
fn poetry_becomes_uv() {
    check(
        Poetry,
        Uv,
        &[
            ("add httpx", "uv add httpx"),
            ("add --group docs mkdocs", "uv add --group docs mkdocs"),
            ("add -D pytest", "uv add --dev pytest"),
            ("add -G dev pytest", "uv add --dev pytest"),
            ("add --source internal httpx", "uv add internal httpx [--source]"),
            ("remove httpx", "uv remove httpx"),
            ("install", "uv sync"),
            ("install --no-root --no-interaction", "uv sync --no-install-project"),
            ("install --only main", "uv sync --no-dev"),
            ("install --with docs --extras aws", "uv sync --group docs --extra aws"),
            ("update", "uv sync --upgrade"),
            ("update httpx rich", "uv sync --upgrade-package httpx --upgrade-package rich"),
            ("lock --no-update", "uv lock"),
            ("run pytest -k fast --maxfail=1", "uv run pytest -k fast --maxfail=1"),
            ("show", "uv pip list"),
            ("show httpx", "uv pip show httpx"),
            ("show --tree", "uv tree"),
            ("build", "uv build"),
            ("init", "uv init"),
            ("add httpx@^2", "uv add httpx@^2 [httpx@^2]"),
            (
                "add git+https://x/y.git#main",
                "uv add 'git+https://x/y.git#main' ['git+https://x/y.git#main']",
            ),
            ("show --tree httpx", "uv tree [httpx]"),
            ("shell", "unlisted"),
            ("publish", "unlisted"),
            ("--version", "free"),
        ],
    );
    check(
        Uv,
        Poetry,
        &[
            ("sync --group docs", "poetry install [--group]"),
            ("lock", "poetry lock"),
            ("export", "unlisted"),
            ("add --group docs mkdocs", "poetry add --group docs mkdocs"),
        ],
    );
}

#[test]
fn pipenv_becomes_uv() {
    check(
        Pipenv,
        Uv,
        &[
            ("install", "uv sync"),
            ("install httpx", "uv add httpx"),
            ("install --dev pytest", "uv add --dev pytest"),
            ("install -r requirements.txt", "uv add -r requirements.txt"),
            ("install --deploy", "uv sync --locked"),
            ("sync --dev", "uv sync --locked --dev"),
            ("uninstall httpx", "uv remove httpx"),
            ("run python -m app --help", "uv run python -m app --help"),
            ("lock", "uv lock"),
            ("graph", "uv tree"),
            ("requirements", "uv export"),
            ("shell", "unlisted"),
        ],
    );
}

#[test]
fn python_managers_become_each_other() {
    check(
        Uv,
        Poetry,
        &[
            ("add httpx", "poetry add httpx"),
            ("add --dev pytest", "poetry add --group=dev pytest"),
            ("sync", "poetry install"),
            ("sync --locked", "poetry sync"),
            ("run pytest -x", "poetry run pytest -x"),
            ("lock", "poetry lock"),
            ("pip install httpx", "poetry add httpx"),
            ("pip install -r dev.txt", "unlisted"),
            ("tool install ruff", "free"),
        ],
    );
    check(
        Pip,
        Poetry,
        &[("install httpx", "poetry add httpx"), ("uninstall -y httpx", "poetry remove httpx")],
    );
    check(
        Uv,
        Pip,
        &[
            ("pip install -r dev.txt", "pip install -r dev.txt"),
            ("add httpx", "pip install httpx"),
            ("venv .venv", "python -m venv .venv"),
            ("sync", "unlisted"),
        ],
    );
    check(Poetry, Pipenv, &[("add httpx", "pipenv install httpx"), ("run app", "pipenv run app")]);
}

#[test]
fn npm_becomes_bun() {
    check(
        Npm,
        Bun,
        &[
            ("install", "bun install"),
            ("i", "bun install"),
            ("ci", "bun install --frozen-lockfile"),
            ("install left-pad", "bun add left-pad"),
            ("i -D vitest @types/node@22", "bun add --dev vitest @types/node@22"),
            ("install --save-exact left-pad", "bun add --exact left-pad"),
            ("install -DE vitest", "bun add --dev --exact vitest"),
            ("-g install serve", "bun add --global serve"),
            ("install serve --global", "bun add --global serve"),
            ("install --no-audit --no-fund", "bun install"),
            ("ci --omit=dev", "bun install --frozen-lockfile --production"),
            ("install --install-links", "bun install [--install-links]"),
            ("uninstall left-pad", "bun remove left-pad"),
            ("uninstall -D left-pad", "bun remove left-pad [--save-dev]"),
            ("--prefix web install", "bun install --cwd web"),
            ("update left-pad", "bun update left-pad"),
            ("run build", "bun run build"),
            ("run build -- --watch", "bun run build --watch"),
            ("run --silent build", "bun run build"),
            ("--prefix web run build", "bun run --cwd web build"),
            ("run build -w web", "bun run --filter web build"),
            ("test", "bun run test"),
            ("t -- --watch", "bun run test --watch"),
            ("start", "bun run start"),
            ("exec -- tsc --noEmit", "bunx tsc --noEmit"),
            ("x prettier --version", "bunx prettier --version"),
            ("x -y create-thing demo -y", "bunx create-thing demo -y"),
            ("init -y", "bun init -y"),
            ("create vite@latest demo -- --template vue", "bun create vite@latest demo --template vue"),
            ("init vite demo", "bun create vite demo"),
            ("ls", "bun pm ls"),
            ("audit", "bun audit"),
            ("publish", "unlisted"),
            ("config get registry", "unlisted"),
            ("", "free"),
            ("-v", "free"),
            ("help", "free"),
        ],
    );
}

#[test]
fn npm_becomes_pnpm_and_yarn() {
    check(
        Npm,
        Pnpm,
        &[
            ("ci", "pnpm install --frozen-lockfile"),
            ("i -D vitest", "pnpm add --save-dev vitest"),
            ("i -g serve", "pnpm add --global serve"),
            ("run build -- --watch", "pnpm run build --watch"),
            ("--prefix web ci", "pnpm --dir web install --frozen-lockfile"),
            ("x cowsay hello", "pnpm dlx cowsay hello"),
            ("test", "pnpm test"),
            ("dedupe", "unlisted"),
        ],
    );
    check(
        Npm,
        Yarn,
        &[
            ("install", "yarn install"),
            ("ci", "yarn install --frozen-lockfile"),
            ("i -D -E vitest", "yarn add --dev --exact vitest"),
            ("i -g serve", "yarn global add serve"),
            ("rm left-pad", "yarn remove left-pad"),
            ("run build -w web", "yarn workspace web run build"),
            ("x cowsay hello", "unlisted"),
            ("init -y", "yarn init -y"),
            ("i -g", "unlisted"),
            ("ls", "yarn list"),
            ("update", "yarn upgrade"),
        ],
    );
    let modern = Project { is_modern_yarn: true, ..PROJECT };
    assert_eq!(command(Npm, "x cowsay hello", Yarn, modern), "yarn dlx cowsay hello");
    assert_eq!(command(Npm, "ls", Yarn, modern), "unlisted");
    assert_eq!(command(Npm, "audit", Yarn, modern), "yarn npm audit");
    assert_eq!(command(Npm, "ci", Yarn, modern), "yarn install --immutable");
    assert_eq!(command(Npm, "update", Yarn, modern), "yarn up");
    assert_eq!(command(Npm, "i -g serve", Yarn, modern), "yarn add serve [--global]");
    let local = Project { has_program: true, ..PROJECT };
    assert_eq!(command(Npm, "x tsc --noEmit", Pnpm, local), "pnpm exec tsc --noEmit");
    assert_eq!(command(Npm, "x tsc --noEmit", Yarn, local), "yarn exec tsc --noEmit");
}

#[test]
fn yarn_pnpm_and_bun_become_npm() {
    check(
        Yarn,
        Npm,
        &[
            ("", "npm install"),
            ("--frozen-lockfile", "npm ci"),
            ("install --immutable", "npm ci"),
            ("add -D vitest", "npm install --save-dev vitest"),
            ("global add serve", "npm install --global serve"),
            ("build --watch", "npm run build -- --watch"),
            ("run build", "npm run build"),
            ("workspace web add left-pad", "npm install --workspace web left-pad"),
            ("dlx cowsay hello", "npx cowsay hello"),
            ("upgrade", "npm update"),
            ("dedupe", "unlisted"),
            ("--version", "free"),
        ],
    );
    check(
        Pnpm,
        Npm,
        &[
            ("i", "npm install"),
            ("install --frozen-lockfile", "npm ci"),
            ("add -DE vitest", "npm install --save-dev --save-exact vitest"),
            ("-C web run build", "npm --prefix web run build"),
            ("test --watch", "npm test -- --watch"),
            ("exec tsc --noEmit", "npx tsc --noEmit"),
            ("dlx cowsay hello", "npx cowsay hello"),
            ("-r build", "npm run --workspaces build"),
            ("store prune", "unlisted"),
        ],
    );
    check(
        Bun,
        Npm,
        &[
            ("install", "npm install"),
            ("add -d vitest", "npm install --save-dev vitest"),
            ("run build --watch", "npm run build -- --watch"),
            ("x cowsay hello", "npx cowsay hello"),
            ("pm cache", "unlisted"),
            ("pm ls", "npm ls"),
            ("test", "free"),
            ("src/index.ts", "free"),
            ("run src/index.ts", "free"),
        ],
    );
    check(
        Bun,
        Pnpm,
        &[("add -E left-pad", "pnpm add --save-exact left-pad"), ("x cowsay", "pnpm dlx cowsay")],
    );
    check(Pnpm, Yarn, &[("add -D vitest", "yarn add --dev vitest"), ("build", "yarn run build")]);
}

#[test]
fn every_manager_can_install_add_remove_and_its_names_are_plain() {
    for manager in PackageManager::ALL {
        let dialect = super::dialect::of(*manager);
        let has = |verb: Verb| dialect.subcommand(verb).is_some();
        assert!(has(Verb::Add) && has(Verb::Remove), "{}", manager.name());
        for row in dialect.subcommands.rows() {
            let known = Verb::ALL.iter().any(|(_, name)| *name == row.key());
            assert!(known && row.cells().count() > 0, "{}: {}", manager.name(), row.key());
        }
        for row in dialect.options.rows() {
            let known = Flag::ALL.iter().any(|(_, name)| *name == row.key());
            let plain = row.cells().all(|name| name.starts_with('-'));
            assert!(known && plain, "{}: {}", manager.name(), row.key());
        }
    }
}
