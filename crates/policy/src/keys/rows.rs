//! The rows: every key with what it takes, what holds without it, who may say it, what it is for, and an example.

use super::words::{
    AGENTS, AUDIT_CONTENT, DECISIONS, ELICITATION_ACTIONS, ENDINGS, EVIDENCE, FOLLOWED, GATE_CHECKS,
    HOOK_FAILURES, JAVASCRIPT_MANAGERS, JUDGE_FAILURES, LEVELS, LINT_DELEGATES, LINT_EVENTS, LINT_LEVELS,
    LINT_PHASES, LINT_SHAPES, MODES, NOTIFIERS, ON_ERROR, PACKAGE_LEVELS, PERMISSION_MODES, PROTECT_LEVELS,
    PYTHON_MANAGERS, REFERENCES, RETRIED, REWRITE_DECISIONS, REWRITE_FALLBACKS, SCOPE_USES, TERMINAL_FORMS,
    TITLE_STYLES, UNATTENDED, UNKNOWN_LEVELS, UNLISTED_LEVELS,
};
use super::{Key, Shape, Strictness};

use Shape::{
    Boolean, Condition, Conditions, Count, Date, Json, JsonList, JsonTable, Levels, OneOf, Size, SomeOf,
    Table, Tables, Text, TextOrJsonTable, Texts, TextsByName, VersionsByName,
};
use Strictness::{Entry, Order, Part, Trust, Union};

macro_rules! keys {
    ($($path:literal, $shape:expr, $default:literal, $strictness:expr, $summary:literal, $example:literal;)+) => {
        /// Every key, in the order of the reference page.
        pub const KEYS: &[Key] = &[$(Key {
            path: $path, shape: $shape, default: $default, strictness: $strictness,
            summary: $summary, example: $example,
        }),+];
    };
}

keys! {
    "presets", SomeOf(&[]), "[\"recommended\"]", Union,
    "The built-in policies to start from. They add to `recommended`; `strict` replaces it, and `[]` and `unguarded` leave it out.",
    "presets = [\"recommended\", \"strict\"]";

    "mode", OneOf(MODES), "enforce", Order(MODES),
    "Whether the policy is in force. `shadow` judges and records but doesn't answer, whatever `on-error` says; `off` doesn't judge. hookgate guards itself in every mode.",
    "mode = \"shadow\"";

    "on-error", OneOf(ON_ERROR), "ask", Order(ON_ERROR),
    "What a tool call gets when hookgate itself fails or runs out of time. Events that can't be blocked always pass. In the modes `shadow` and `off` a failure stops nothing, but for what had been found by then about hookgate itself.",
    "on-error = \"deny\"";

    "unknown", Table, "", Part,
    "What each kind of *undecidable* gets. None of them counts as harmless.",
    "unknown = { program = \"ask\", target = \"deny\" }";
    "unknown.program", OneOf(UNKNOWN_LEVELS), "pass", Order(UNKNOWN_LEVELS),
    "A program, subcommand, option or inline program text that hookgate doesn't know.",
    "[unknown]\nprogram = \"ask\"";
    "unknown.target", OneOf(UNKNOWN_LEVELS), "ask", Order(UNKNOWN_LEVELS),
    "A harmful effect on a computed target: `rm -rf \"$X\"`.",
    "[unknown]\ntarget = \"deny\"";
    "unknown.command", OneOf(UNKNOWN_LEVELS), "ask", Order(UNKNOWN_LEVELS),
    "The command word, or a text run by a shell, is computed: `eval \"$(...)\"`.",
    "[unknown]\ncommand = \"deny\"";
    "unknown.unparsed", OneOf(UNKNOWN_LEVELS), "ask", Order(UNKNOWN_LEVELS),
    "Text that can't be parsed.",
    "[unknown]\nunparsed = \"deny\"";

    "brief", Boolean, "false", Trust,
    "At the start of a session the agent gets the policy as a text of at most 2,000 characters, as `hookgate brief` prints it.",
    "brief = true";

    "unattended", Table, "", Part,
    "What happens when no one can answer.",
    "unattended = { ask = \"handoff\" }";
    "unattended.ask", OneOf(UNATTENDED), "deny", Order(UNATTENDED),
    "What an ask becomes: a denial, or left to the agent's own permission rules.",
    "[unattended]\nask = \"handoff\"";

    "ask", Table, "", Part,
    "How often hookgate asks.",
    "ask = { once = [\"FILE\"] }";
    "ask.once", Texts, "", Trust,
    "Codes and groups (`*`: all) that ask once per session: what a person agreed to isn't asked again, as long as the call, its directory and its effects are the same. hookgate learns the answer from the call's outcome (`PostToolUse`); without one it asks again. Rules that guard hookgate always ask.",
    "[ask]\nonce = [\"FILE\", \"GIT007\"]";

    "audit", Table, "", Part,
    "The record of decisions.",
    "audit = { content = \"digest\" }";
    "audit.content", OneOf(AUDIT_CONTENT), "redacted", Trust,
    "What a record contains of a command or path: everything, everything but secrets, or a digest.",
    "[audit]\ncontent = \"digest\"";
    "audit.path", Text, "", Trust,
    "The file for records, absolute or below `~/`. Default: a file in the state directory.",
    "[audit]\npath = \"~/.local/state/hookgate/work.jsonl\"";
    "audit.max-size", Size, "10MB", Trust,
    "The size at which a new file is started.",
    "[audit]\nmax-size = \"50MB\"";

    "knowledge", Texts, "", Trust,
    "Files that teach hookgate programs of your own, in the format of its knowledge base, below the policy's directory; `*` stands for part of a name. They may add programs that nobody knows and effects to those that are known, and never take an effect away. A file in the repository counts only while it is trusted itself (`hookgate trust FILE`).",
    "knowledge = [\"tools/*.toml\"]";

    "agent-exceptions", Table, "", Part,
    "How many exceptions agents may take by a comment in a command (`# hookgate: allow CODE because REASON`), where `[rules]` lets them: `CODE = { agent-exceptions = true }`. [More](exceptions.md)",
    "[rules]\nCOMMIT = { agent-exceptions = true }\n\n[agent-exceptions]\nper-hour = 5\nper-day = 20";
    "agent-exceptions.per-hour", Count, "10", Trust,
    "In an hour, all agents of this user together.",
    "[agent-exceptions]\nper-hour = 3";
    "agent-exceptions.per-day", Count, "50", Trust,
    "In a day.",
    "[agent-exceptions]\nper-day = 10";

    "retries", Table, "", Part,
    "What becomes of a call that does what was denied in the session before, by whatever way (rule SESS001, which is off unless `[rules]` says otherwise). [More](exceptions.md#what-is-tried-again)",
    "[rules]\nSESS001 = \"warn\"\n\n[retries]\nafter = 2\nthen = \"halt\"";
    "retries.after", Count, "3", Trust,
    "How often it may be tried again before that.",
    "[retries]\nafter = 5";
    "retries.then", OneOf(RETRIED), "ask", Trust,
    "What it gets then: a person is asked, or the turn ends.",
    "[retries]\nthen = \"halt\"";

    "secrets", Table, "", Part,
    "What is no secret (rules SECRET101 to SECRET103).",
    "secrets = { allow = [\"sha256:35e2c8ed2175fe45\"] }";
    "secrets.allow", Texts, "", Trust,
    "Fingerprints of values that only look like secrets, or that may be seen: `sha256:` and 16 hexadecimal digits, as findings and `hookgate secrets scan` name them.",
    "[secrets]\nallow = [\"sha256:35e2c8ed2175fe45\"]";

    "packages", Table, "", Part,
    "Which package manager a project uses, and what calls to others get (rules PKG001 and PKG002).",
    "packages = { python = { use = \"uv\" }, javascript = { use = \"detect\", level = \"ask\" } }";
    "packages.python", Table, "not judged", Part,
    "Python's package managers.",
    "[packages.python]\nuse = \"uv\"";
    "packages.python.use", OneOf(PYTHON_MANAGERS), "detect", Entry,
    "The project's package manager. `detect` reads it from the lockfiles of the nearest directory that has any; without one nothing is judged. The file of highest authority that names one wins.",
    "[packages.python]\nuse = \"uv\"";
    "packages.python.level", OneOf(PACKAGE_LEVELS), "deny", Order(PACKAGE_LEVELS),
    "What a call to another one gets, if the project's has an equivalent. `rewrite` runs the equivalent instead; if that isn't possible, and without trust, the call is denied and the equivalent named.",
    "[packages.python]\nlevel = \"ask\"";
    "packages.python.unlisted", OneOf(UNLISTED_LEVELS), "ask", Order(UNLISTED_LEVELS),
    "What a call to another one gets if no equivalent is known.",
    "[packages.python]\nuse = \"uv\"\nunlisted = \"warn\"";
    "packages.python.allow", Texts, "", Trust,
    "Calls to others that stay allowed: the program, then its first arguments.",
    "[packages.python]\nuse = \"uv\"\nallow = [\"pip download\"]";
    "packages.javascript", Table, "not judged", Part,
    "JavaScript's package managers.",
    "[packages.javascript]\nuse = \"bun\"";
    "packages.javascript.use", OneOf(JAVASCRIPT_MANAGERS), "detect", Entry,
    "The project's package manager. `detect` reads it from the lockfiles of the nearest directory that has any; without one nothing is judged. The file of highest authority that names one wins.",
    "[packages.javascript]\nuse = \"bun\"";
    "packages.javascript.level", OneOf(PACKAGE_LEVELS), "deny", Order(PACKAGE_LEVELS),
    "What a call to another one gets, if the project's has an equivalent. `rewrite` runs the equivalent instead; if that isn't possible, and without trust, the call is denied and the equivalent named.",
    "[packages.javascript]\nlevel = \"ask\"";
    "packages.javascript.unlisted", OneOf(UNLISTED_LEVELS), "ask", Order(UNLISTED_LEVELS),
    "What a call to another one gets if no equivalent is known.",
    "[packages.javascript]\nuse = \"bun\"\nunlisted = \"warn\"";
    "packages.javascript.allow", Texts, "", Trust,
    "Calls to others that stay allowed: the program, then its first arguments.",
    "[packages.javascript]\nuse = \"bun\"\nallow = [\"npm publish\", \"npm view\"]";

    "commit", Table, "", Part,
    "What a commit must look like (rules COMMIT001 to COMMIT013). Each file's table holds beside those of other files; a key replaces the same key of a preset.",
    "[commit]\nstyle = \"conventional\"\ntitle-max = 72";
    "commit.sign-off", Boolean, "false", Part,
    "It is signed off (`git commit --signoff`).",
    "[commit]\nsign-off = true";
    "commit.signature", Boolean, "false", Part,
    "It is signed (`git commit --gpg-sign`).",
    "[commit]\nsignature = true";
    "commit.style", OneOf(TITLE_STYLES), "any", Part,
    "The form of the title: `conventional` is `type(scope)!: text`, `scoped` is `scope: text`. What git writes itself (`Revert \"...\"`, `fixup!`, `squash!`, `Merge ...`) has any form.",
    "[commit]\nstyle = \"conventional\"";
    "commit.types", Texts, "build, chore, ci, docs, feat, fix, perf, refactor, revert, style, test", Part,
    "The types of a conventional title.",
    "[commit]\nstyle = \"conventional\"\ntypes = [\"feat\", \"fix\", \"docs\"]";
    "commit.scope", OneOf(SCOPE_USES), "optional", Part,
    "Whether a conventional title names a scope.",
    "[commit]\nscope = \"required\"";
    "commit.misplaced-scopes", Texts, "", Part,
    "Scopes that a `feat` or a `fix` doesn't have, because they are types of their own.",
    "[commit]\nmisplaced-scopes = [\"ci\", \"test\"]";
    "commit.title", Text, "", Part,
    "What the title must match: a piece of text, or `/a regular expression/`.",
    "[commit]\ntitle = \"/^[A-Z]+-[0-9]+: ./\"";
    "commit.title-max", Count, "", Part,
    "The most characters of a title.",
    "[commit]\ntitle-max = 72";
    "commit.body-max", Count, "", Part,
    "The most characters of a line of the body. A line with a URL may be longer.",
    "[commit]\nbody-max = 72";
    "commit.list-spacing", Boolean, "false", Part,
    "A list in the body has a blank line above it.",
    "[commit]\nlist-spacing = true";
    "commit.forbid", Texts, "", Part,
    "Words that a message doesn't hold, in any case.",
    "[commit]\nforbid = [\"wip\", \"tmp\"]";
    "commit.references", OneOf(REFERENCES), "any", Part,
    "References to issues and pull requests (`#12`, or a URL of one).",
    "[commit]\nreferences = \"forbidden\"";
    "commit.no-attribution", Boolean, "false", Part,
    "Lines that name an agent as the author are refused.",
    "[commit]\nno-attribution = true";
    "commit.identity", Text, "", Part,
    "Who signs off, where a message has a `Signed-off-by` line: `Name <mail>`.",
    "[commit]\nidentity = \"Ada Lovelace <ada@example.com>\"";
    "commit.staged", Boolean, "false", Part,
    "Something is staged, where a commit takes nothing else and nothing is staged before it in the same command.",
    "[commit]\nstaged = true";
    "commit.no-substitution", Boolean, "false", Part,
    "The texts of commits, pull requests and issues are written out: no command in backquotes or `$(...)` writes a part of them. A heredoc is written out.",
    "[commit]\nno-substitution = true";
    "commit.follow", SomeOf(FOLLOWED), "", Part,
    "Tools whose settings in the project say how a commit is written; what they say holds beside what the policy says. What can't be read (a program such as `commitlint.config.js`) says nothing.",
    "[commit]\nfollow = [\"commitlint\", \"commitizen\"]";

    "pull-request", Table, "", Part,
    "What a pull request must look like when it is opened or edited (rules PR001 to PR004).",
    "[pull-request]\nbody = true\nsections = [\"Motivation\"]";
    "pull-request.style", OneOf(TITLE_STYLES), "any", Part,
    "The form of its title, as in `commit.style`.",
    "[pull-request]\nstyle = \"conventional\"";
    "pull-request.types", Texts, "as `commit.types`", Part,
    "The types of a conventional title.",
    "[pull-request]\ntypes = [\"feat\", \"fix\"]";
    "pull-request.scope", OneOf(SCOPE_USES), "optional", Part,
    "Whether a conventional title names a scope.",
    "[pull-request]\nscope = \"required\"";
    "pull-request.misplaced-scopes", Texts, "", Part,
    "Scopes that a `feat` or a `fix` doesn't have.",
    "[pull-request]\nmisplaced-scopes = [\"ci\"]";
    "pull-request.title-max", Count, "", Part,
    "The most characters of a title.",
    "[pull-request]\ntitle-max = 72";
    "pull-request.forbid", Texts, "", Part,
    "Words that neither title nor body hold.",
    "[pull-request]\nforbid = [\"wip\"]";
    "pull-request.body", Boolean, "false", Part,
    "It has a body.",
    "[pull-request]\nbody = true";
    "pull-request.sections", Texts, "", Part,
    "Headings that the body has.",
    "[pull-request]\nsections = [\"Motivation\", \"How it was tested\"]";
    "pull-request.unlabelled-bases", Texts, "", Part,
    "The branches into which it goes without a label of the branch's name. Any other base needs one.",
    "[pull-request]\nunlabelled-bases = [\"main\"]";
    "pull-request.no-attribution", Boolean, "false", Part,
    "Lines that name an agent as the author are refused.",
    "[pull-request]\nno-attribution = true";

    "issue", Table, "", Part,
    "What a new issue must look like (rule ISSUE001).",
    "[issue]\nbody = true";
    "issue.body", Boolean, "false", Part,
    "It has a body.",
    "[issue]\nbody = true";
    "issue.sections", Texts, "", Part,
    "Headings that the body has.",
    "[issue]\nsections = [\"Steps to reproduce\"]";

    "branch", Table, "", Part,
    "What a new branch is called (rule BRANCH001). `main` and `master` may be made.",
    "[branch]\ntypes = [\"feat\", \"fix\"]\nplain = true";
    "branch.types", Texts, "", Part,
    "The types that its name may begin with, before a slash.",
    "[branch]\ntypes = [\"feat\", \"fix\"]";
    "branch.plain", Boolean, "false", Part,
    "Only lowercase letters, digits and hyphens, besides the slash after the type.",
    "[branch]\nplain = true";
    "branch.name", Text, "", Part,
    "What a name must match: a piece of text, or `/a regular expression/`.",
    "[branch]\nname = \"/^[a-z]+-[0-9]+-/\"";

    "push", Table, "", Part,
    "Where is pushed to, and what (rules PUSH001 to PUSH004).",
    "[push]\nprotected = [\"main\", \"release/*\"]";
    "push.known-remote", Boolean, "false", Part,
    "The remote of a push, fetch or pull is one that the repository has, or an address.",
    "[push]\nknown-remote = true";
    "push.remotes", Texts, "", Part,
    "The only remotes that are pushed to, such as one's own fork.",
    "[push]\nremotes = [\"origin\"]";
    "push.forbid-remotes", Texts, "", Part,
    "Remotes that aren't pushed to.",
    "[push]\nforbid-remotes = [\"upstream\"]";
    "push.protected", Texts, "", Part,
    "Branches that aren't pushed to, as globs.",
    "[push]\nprotected = [\"main\", \"release/*\"]";
    "push.no-tags", Boolean, "false", Part,
    "No tags are pushed: neither `--tags` nor a name that is one.",
    "[push]\nno-tags = true";

    "add", Table, "", Part,
    "What isn't staged (rules ADD001 and ADD002).",
    "[add]\nforbid = [\"tmp/\", \"*.log\"]";
    "add.forbid", Texts, "", Part,
    "Paths that aren't staged, as in a rule's `write`. What `git add .` takes is looked up.",
    "[add]\nforbid = [\"tmp/\", \"*.log\"]";
    "add.max-size", Size, "", Part,
    "The size from which a file isn't staged.",
    "[add]\nmax-size = \"5MB\"";

    "rules", Levels, "", Order(LEVELS),
    "The level of a rule (`GIT007`) or of a whole group (`GIT`); a rule's own entry wins over its group's. A file never loosens what a file above it says.",
    "[rules]\nGIT = \"deny\"\nGIT007 = \"off\"";

    "rule", Tables, "", Entry,
    "Your own rule.",
    "[[rule]]\ncode = \"ACME001\"\nwhen = { run = \"rails db:migrate **\", env = { RAILS_ENV = \"production\" } }\nthen = \"ask\"\nreason = \"migrations on production need a second look\"";
    "rule.code", Text, "", Part,
    "Its code: capital letters, then digits; not a built-in code.",
    "[[rule]]\ncode = \"ACME001\"\nwhen = { tool = \"WebFetch\" }\nthen = \"ask\"";
    "rule.on", SomeOf(&[]), "[\"PreToolUse\"], and \"PermissionRequest\" too if `then` is allow or deny", Part,
    "The events that it applies to.",
    "[[rule]]\ncode = \"ACME002\"\non = \"UserPromptSubmit\"\nwhen = { prompt = \"deploy\" }\nthen = \"warn\"\nreason = \"deploys are frozen until Monday\"";
    "rule.when", Condition, "always", Part,
    "The condition. All keys have to match the same effect of the same command; several values in a list mean any of them.",
    "[[rule]]\ncode = \"ACME003\"\nwhen = { write = \"migrations/**\", branch = \"main\" }\nthen = \"deny\"";
    "rule.when.run", Texts, "", Part,
    "A command by its program and arguments: `*` is one argument, `**` any number, anything else a glob inside one argument. The program's directory and wrappers (`sudo`, `env`, `xargs`) are removed first.",
    "[[rule]]\ncode = \"ACME004\"\nwhen = { run = [\"terraform apply **\", \"tofu apply **\"] }\nthen = \"ask\"";
    "rule.when.effect", Texts, "", Part,
    "A kind of effect: `delete`, `git-push`, `download`, `database-destroy`, ...",
    "[[rule]]\ncode = \"ACME005\"\nwhen = { effect = [\"publish\", \"install-global\"] }\nthen = \"ask\"";
    "rule.when.read", Texts, "", Part,
    "A path that is read. Relative to the project, `~/...` or absolute; without a slash at any depth; `dir/` is the directory and all below.",
    "[[rule]]\ncode = \"ACME006\"\nwhen = { read = [\"secrets/\", \"*.pem\"] }\nthen = \"deny\"";
    "rule.when.write", Texts, "", Part,
    "A path that is created or changed, by any tool or command. For a rule that restricts, moving and deleting count too.",
    "[[rule]]\ncode = \"ACME007\"\nwhen = { write = \"db/schema.rb\" }\nthen = \"ask\"";
    "rule.when.delete", Texts, "", Part,
    "A path that is deleted or whose content is destroyed.",
    "[[rule]]\ncode = \"ACME008\"\nwhen = { delete = \"**/fixtures/**\" }\nthen = \"deny\"";
    "rule.when.host", Texts, "", Part,
    "The host that an effect reaches: a glob.",
    "[[rule]]\ncode = \"ACME009\"\nwhen = { host = \"*.internal.example.com\" }\nthen = \"ask\"";
    "rule.when.url", Texts, "", Part,
    "The address that an effect reaches, as `HOST/PATH`: a glob, in which `*` stands for slashes too. Scheme, login, port, query and fragment are left out.",
    "[[rule]]\ncode = \"ACME026\"\nwhen = { url = \"api.example.com/v1/payments*\" }\nthen = \"ask\"";
    "rule.when.content", Texts, "", Part,
    "Part of the lines that a call adds to a file, whatever tool or command writes it, ignoring case, or a regular expression between slashes. What a program computes can't be seen, and isn't matched.",
    "[[rule]]\ncode = \"ACME027\"\nwhen = { write = \"src/**\", content = \"console.log(\" }\nthen = \"warn\"";
    "rule.when.message", Texts, "", Part,
    "Part of the message of a commit, a merge or a tag, ignoring case, or a regular expression between slashes.",
    "[[rule]]\ncode = \"ACME028\"\nwhen = { message = \"/^(wip|fixup!)/i\" }\nthen = \"deny\"";
    "rule.when.input", TextsByName, "", Part,
    "The tool's input by its own names, such as an MCP tool's arguments: globs. `a.b` is `b` inside `a`; a list matches if one of its items does.",
    "[[rule]]\ncode = \"ACME029\"\nwhen = { mcp-server = \"github\", input = { owner = \"acme\", repo = \"billing*\" } }\nthen = \"ask\"";
    "rule.when.tool", Texts, "", Part,
    "The tool's name: a glob.",
    "[[rule]]\ncode = \"ACME010\"\nwhen = { tool = [\"Edit\", \"Write\"] }\nthen = \"note\"";
    "rule.when.mcp-server", Texts, "", Part,
    "The MCP server of the tool: a glob.",
    "[[rule]]\ncode = \"ACME011\"\nwhen = { mcp-server = \"github\" }\nthen = \"ask\"";
    "rule.when.mcp-tool", Texts, "", Part,
    "The MCP tool's name without its server: a glob.",
    "[[rule]]\ncode = \"ACME012\"\nwhen = { mcp-server = \"github\", mcp-tool = \"delete_*\" }\nthen = \"deny\"";
    "rule.when.prompt", Texts, "", Part,
    "Part of the user's prompt, ignoring case, or a regular expression between slashes.",
    "[[rule]]\ncode = \"ACME013\"\non = \"UserPromptSubmit\"\nwhen = { prompt = \"/\\\\bAKIA[0-9A-Z]{16}\\\\b/\" }\nthen = \"deny\"\nreason = \"the prompt holds an access key\"";
    "rule.when.last-message", Texts, "", Part,
    "Part of the agent's last message when it stops, ignoring case, or a regular expression between slashes.",
    "[[rule]]\ncode = \"ACME014\"\non = \"Stop\"\nwhen = { last-message = \"should work\" }\nthen = \"deny\"\nreason = \"run it and say what it printed\"";
    "rule.when.permission-mode", SomeOf(PERMISSION_MODES), "", Part,
    "The agent's permission mode.",
    "[[rule]]\ncode = \"ACME015\"\nwhen = { effect = \"git-push\", permission-mode = \"bypassPermissions\" }\nthen = \"deny\"";
    "rule.when.attended", Boolean, "", Part,
    "Whether a person is available to answer.",
    "[[rule]]\ncode = \"ACME016\"\nwhen = { effect = \"publish\", attended = false }\nthen = \"deny\"";
    "rule.when.agent-type", Texts, "", Part,
    "The subagent's type: a glob.",
    "[[rule]]\ncode = \"ACME017\"\nwhen = { effect = \"write\", agent-type = \"reviewer\" }\nthen = \"deny\"";
    "rule.when.agent", SomeOf(AGENTS), "", Part,
    "The agent that fires the hook.",
    "[[rule]]\ncode = \"ACME018\"\nwhen = { agent = \"claude-code\", effect = \"schedule\" }\nthen = \"ask\"";
    "rule.when.branch", Texts, "", Part,
    "The branch that is checked out: a glob.",
    "[[rule]]\ncode = \"ACME019\"\nwhen = { effect = \"git-commit\", branch = \"{main,release/*}\" }\nthen = \"ask\"";
    "rule.when.env", TextsByName, "", Part,
    "Environment variables, as set by the command or else the session: globs.",
    "[[rule]]\ncode = \"ACME020\"\nwhen = { run = \"rake **\", env = { RAILS_ENV = \"prod*\" } }\nthen = \"ask\"";
    "rule.when.field", TextsByName, "", Part,
    "Any other field of the event, by the agent's own name for it: globs.",
    "[[rule]]\ncode = \"ACME021\"\non = \"SessionStart\"\nwhen = { field = { source = \"resume\" } }\nthen = \"note\"\ncontext = \"read NOTES.md first\"";
    "rule.when.subagent", Boolean, "", Part,
    "Whether a subagent makes the call.",
    "[[rule]]\ncode = \"ACME022\"\nwhen = { subagent = true, effect = \"git-push\" }\nthen = \"deny\"";
    "rule.when.all", Conditions, "", Part,
    "All of these conditions.",
    "[[rule]]\ncode = \"ACME023\"\nwhen = { all = [{ write = \"src/**\" }, { not = { write = \"src/generated/**\" } }] }\nthen = \"note\"";
    "rule.when.any", Conditions, "", Part,
    "One of these conditions.",
    "[[rule]]\ncode = \"ACME024\"\nwhen = { any = [{ write = \"infra/**\" }, { effect = \"infrastructure-change\" }] }\nthen = \"ask\"";
    "rule.when.not", Condition, "", Part,
    "Not this condition.",
    "[[rule]]\ncode = \"ACME025\"\nwhen = { effect = \"download\", not = { host = \"*.example.com\" } }\nthen = \"ask\"";
    "rule.then", OneOf(LEVELS), "note if the rule only gives context, a notice or fields; otherwise required", Part,
    "The level. `allow` skips the user's prompt: it needs a reason, and trust in a repository's file.",
    "[[rule]]\ncode = \"ACME026\"\nwhen = { run = \"make test\" }\nthen = \"allow\"\nreason = \"the tests only write below target/\"";
    "rule.reason", Text, "", Trust,
    "Why: shown in the question or the denial. Without trust, hookgate shows its own text instead.",
    "[[rule]]\ncode = \"ACME027\"\nwhen = { effect = \"publish\" }\nthen = \"deny\"\nreason = \"releases are made by the pipeline\"";
    "rule.fix", Text, "", Trust,
    "What to do instead.",
    "[[rule]]\ncode = \"ACME028\"\nwhen = { run = \"yarn add **\" }\nthen = \"deny\"\nfix = \"pnpm add\"";
    "rule.context", Text, "", Trust,
    "A fact for the agent whenever the rule applies.",
    "[[rule]]\ncode = \"ACME029\"\nwhen = { write = \"api/**\" }\ncontext = \"run `make openapi` after changing the interface\"";
    "rule.tell-user", Text, "", Trust,
    "A notice for the user whenever the rule applies.",
    "[[rule]]\ncode = \"ACME030\"\nwhen = { effect = \"infrastructure-change\" }\nthen = \"ask\"\ntell-user = \"check the plan first\"";
    "rule.updated-permissions", JsonList, "", Trust,
    "Permission updates that go with an allow of a PermissionRequest, in the agent's own form.",
    "[[rule]]\ncode = \"ACME031\"\non = \"PermissionRequest\"\nwhen = { run = \"make test\" }\nthen = \"allow\"\nreason = \"tests are harmless\"\nupdated-permissions = [{ type = \"setMode\", mode = \"acceptEdits\", destination = \"session\" }]";
    "rule.updated-input", JsonTable, "", Trust,
    "The complete new input of the tool. It is judged as if the agent had sent it, together with the findings about the old one; if the rule allows, it allows the new input.",
    "[[rule]]\ncode = \"ACME032\"\nwhen = { run = \"make deploy\" }\nthen = \"ask\"\nupdated-input = { command = \"make deploy DRY_RUN=1\" }";
    "rule.shadow", Boolean, "false", Part,
    "Judge and record only, without effect on the answer.",
    "[[rule]]\ncode = \"ACME033\"\nwhen = { effect = \"download\" }\nthen = \"ask\"\nshadow = true";
    "rule.until", Date, "", Part,
    "The last day on which it applies.",
    "[[rule]]\ncode = \"ACME034\"\nwhen = { effect = \"publish\" }\nthen = \"deny\"\nuntil = 2099-12-31";
    "rule.set", Table, "", Trust,
    "Fields of single events.",
    "[[rule]]\ncode = \"ACME035\"\non = \"SessionStart\"\nset = { session-title = \"payments\" }";
    "rule.set.session-title", Text, "", Trust,
    "The session's title (SessionStart, UserPromptSubmit).",
    "[[rule]]\ncode = \"ACME036\"\non = \"SessionStart\"\nset = { session-title = \"payments\" }";
    "rule.set.initial-message", Text, "", Trust,
    "A first message in the user's name (SessionStart).",
    "[[rule]]\ncode = \"ACME037\"\non = \"SessionStart\"\nset = { initial-message = \"read NOTES.md\" }";
    "rule.set.watch-paths", Texts, "", Trust,
    "Absolute paths whose changes fire FileChanged (SessionStart, CwdChanged, FileChanged).",
    "[[rule]]\ncode = \"ACME038\"\non = \"SessionStart\"\nset = { watch-paths = [\"/srv/app/schema.json\"] }";
    "rule.set.reload-skills", Boolean, "false", Trust,
    "Whether skills are read again (SessionStart).",
    "[[rule]]\ncode = \"ACME039\"\non = \"SessionStart\"\nset = { reload-skills = true }";
    "rule.set.tool-output", Json, "", Trust,
    "What the model reads instead of a built-in tool's output (PostToolUse), as a table of that output's fields. A field that is left out is empty.",
    "[[rule]]\ncode = \"ACME040\"\non = \"PostToolUse\"\nwhen = { tool = \"Bash\", effect = \"secret-read\" }\nset = { tool-output = { stdout = \"(withheld)\" } }";
    "rule.set.mcp-tool-output", Json, "", Trust,
    "What the agent sees instead of an MCP tool's output (PostToolUse).",
    "[[rule]]\ncode = \"ACME041\"\non = \"PostToolUse\"\nwhen = { mcp-server = \"crm\" }\nset = { mcp-tool-output = \"(withheld)\" }";
    "rule.set.classifier-context", Text, "", Trust,
    "A fact for the agent's own classifier (PostToolUse).",
    "[[rule]]\ncode = \"ACME042\"\non = \"PostToolUse\"\nset = { classifier-context = \"this machine is a throw-away container\" }";
    "rule.set.suppress-prompt", Boolean, "false", Trust,
    "Whether a refused prompt is withheld (UserPromptSubmit, UserPromptExpansion). Only beside `then = \"ask\"`, `deny` or `halt`.",
    "[[rule]]\ncode = \"ACME043\"\non = \"UserPromptSubmit\"\nwhen = { prompt = \"password\" }\nthen = \"deny\"\nreason = \"the prompt has a password in it\"\nset = { suppress-prompt = true }";
    "rule.set.retry", Boolean, "false", Trust,
    "Whether the agent may try again (PermissionDenied).",
    "[[rule]]\ncode = \"ACME044\"\non = \"PermissionDenied\"\nwhen = { run = \"make test\" }\nset = { retry = true }";
    "rule.set.elicitation", Table, "", Trust,
    "The answer to an MCP server's question (Elicitation, ElicitationResult).",
    "[[rule]]\ncode = \"ACME045\"\non = \"Elicitation\"\nset = { elicitation = { action = \"decline\" } }";
    "rule.set.elicitation.action", OneOf(ELICITATION_ACTIONS), "", Trust,
    "Accept, decline or cancel.",
    "[[rule]]\ncode = \"ACME046\"\non = \"Elicitation\"\nset = { elicitation = { action = \"cancel\" } }";
    "rule.set.elicitation.content", JsonTable, "", Trust,
    "The fields of the form.",
    "[[rule]]\ncode = \"ACME047\"\non = \"Elicitation\"\nset = { elicitation = { action = \"accept\", content = { region = \"eu\" } } }";
    "rule.set.display", Text, "", Trust,
    "What the screen shows instead of the agent's text (MessageDisplay).",
    "[[rule]]\ncode = \"ACME048\"\non = \"MessageDisplay\"\nset = { display = \"(hidden while sharing the screen)\" }";
    "rule.set.worktree-path", Text, "", Trust,
    "Where the worktree is (WorktreeCreate). Once hookgate is asked, the agent makes no worktree itself, so a policy with rules for that event needs one without `when` that names a path or refuses.",
    "[[rule]]\ncode = \"ACME049\"\non = \"WorktreeCreate\"\nset = { worktree-path = \"/srv/worktrees/next\" }";
    "rule.set.compact-instructions", Text, "", Trust,
    "Additional instructions for compaction (PreCompact).",
    "[[rule]]\ncode = \"ACME050\"\non = \"PreCompact\"\nset = { compact-instructions = \"keep the list of open questions\" }";
    "rule.set.terminal-sequence", Text, "", Trust,
    "A control sequence for the terminal: OSC 0, 1, 2, 9, 99, 777 or a bell.",
    "[[rule]]\ncode = \"ACME051\"\non = \"Stop\"\nset = { terminal-sequence = \"\\u0007\" }";
    "rule.set.interrupt", Boolean, "false", Trust,
    "Whether a denial ends the turn (PermissionRequest).",
    "[[rule]]\ncode = \"ACME052\"\non = \"PermissionRequest\"\nwhen = { effect = \"publish\" }\nthen = \"deny\"\nset = { interrupt = true }";

    "rewrite", Tables, "", Trust,
    "Replaces a command with another one. Only the matched command's own bytes change, and only if the agent reads its output directly; the result is judged like any other command. The first match wins.",
    "[[rewrite]]\nrun = \"git status **\"\nto = \"rtk git status {args}\"\nthen = \"inherit\"\nrequires = { rtk = \">=0.23.0\" }";
    "rewrite.code", Text, "REWRITE", Part,
    "Its code, for records: capital letters, then digits; not in a built-in group.",
    "[[rewrite]]\ncode = \"ACME060\"\nrun = \"yarn **\"\nto = \"pnpm {args}\"";
    "rewrite.run", Texts, "", Part,
    "The command by its program and arguments, as in `rule.when.run`. Options between the program and its subcommand are allowed, and stay after the program's name.",
    "[[rewrite]]\nrun = [\"pytest\", \"pytest **\"]\nto = \"{command} -q\"";
    "rewrite.unless", Texts, "", Part,
    "Which of these commands stay as they are.",
    "[[rewrite]]\nrun = \"git status **\"\nunless = \"git status ** --porcelain **\"\nto = \"rtk git status {args}\"";
    "rewrite.unless-env", Texts, "", Part,
    "Environment variables that keep a command as it is if the command or the session sets one of them.",
    "[[rewrite]]\nrun = \"git status **\"\nunless-env = \"RTK_DISABLED\"\nto = \"rtk {command}\"";
    "rewrite.to", Text, "", Part,
    "The new command: words, including `{command}` (the old command), `{args}` (what the pattern's only `**` matched) and `{1}`, `{2}`, ... (what each wildcard matched). Arguments are kept as they were written.",
    "[[rewrite]]\nrun = \"git push ** {-f,--force} **\"\nto = \"git push {1} --force-with-lease {3}\"\nelse = \"ask\"";
    "rewrite.then", OneOf(REWRITE_DECISIONS), "pass", Part,
    "What the new command gets. `allow` skips the user's prompt for it, and needs a reason; `inherit` is what the agent's own permission rules would have decided about the old one; `pass` lets them decide about the new one.",
    "[[rewrite]]\nrun = \"cargo test **\"\nto = \"cargo test -q {args}\"\nthen = \"allow\"\nreason = \"the tests only write below target/\"";
    "rewrite.else", OneOf(REWRITE_FALLBACKS), "pass", Part,
    "What the old command gets if it can't be rewritten: in a pipe, in a nested text, or if the result would parse differently.",
    "[[rewrite]]\nrun = \"rm **\"\nto = \"trash {args}\"\nelse = \"ask\"\nanywhere = true";
    "rewrite.anywhere", Boolean, "false", Part,
    "Also rewrite if a program, a file, a substitution or a condition reads the output instead of the agent.",
    "[[rewrite]]\nrun = \"rm **\"\nto = \"trash {args}\"\nanywhere = true";
    "rewrite.answers", Texts, "", Part,
    "Codes of what is found about the old command that the new one is the answer to. Everything else that was found about the old command stands, beside what is found about the new one.",
    "[[rewrite]]\nrun = \"git push ** {-f,--force} **\"\nto = \"git push {1} --force-with-lease {3}\"\nanswers = \"ACME061\"\n\n[[rule]]\ncode = \"ACME061\"\nwhen = { effect = \"git-force-push\" }\nthen = \"deny\"";
    "rewrite.requires", VersionsByName, "", Part,
    "Required programs and their oldest versions. If one is missing, nothing is rewritten, and hookgate says so.",
    "[[rewrite]]\nrun = \"ls **\"\nto = \"eza {args}\"\nrequires = { eza = \"*\" }";
    "rewrite.reason", Text, "", Part,
    "Why: shown in the question and the grant.",
    "[[rewrite]]\nrun = \"npm install **\"\nto = \"npm install --ignore-scripts {args}\"\nthen = \"ask\"\nreason = \"install scripts run foreign code\"";
    "rewrite.shadow", Boolean, "false", Part,
    "Judge and record only, without effect on the answer.",
    "[[rewrite]]\nrun = \"yarn **\"\nto = \"pnpm {args}\"\nshadow = true";
    "rewrite.until", Date, "", Part,
    "The last day on which it applies.",
    "[[rewrite]]\nrun = \"yarn **\"\nto = \"pnpm {args}\"\nuntil = 2099-12-31";

    "hook", Tables, "", Trust,
    "Your own hook program, supervised: it runs in parallel with others, under a deadline, and its answer is read tolerantly and joined with the rules' findings. Only from files that a person trusts, because it runs a program.",
    "[[hook]]\non = \"PreToolUse\"\nrun = \"./.claude/hooks/old-check.sh\"\ndeadline = \"2s\"";
    "hook.code", Text, "`HOOK001`, ...", Part,
    "The code of its findings.",
    "[[hook]]\ncode = \"ACME070\"\non = \"PreToolUse\"\nrun = \"./check.sh\"";
    "hook.on", SomeOf(&[]), "", Part,
    "The events that it runs on.",
    "[[hook]]\non = [\"PreToolUse\", \"Stop\"]\nrun = \"./check.sh\"";
    "hook.run", Texts, "", Part,
    "What to run: a text for `sh -c`, or a list of a program and its arguments. The event is on its standard input; it runs in the session's directory, with the agent's environment.",
    "[[hook]]\non = \"PreToolUse\"\nrun = [\"python3\", \"check.py\", \"--strict\"]";
    "hook.when", Condition, "always", Part,
    "When to run it: the keys of `rule.when`.",
    "[[hook]]\non = \"PreToolUse\"\nrun = \"./check.sh\"\nwhen = { tool = [\"Edit\", \"Write\"] }";
    "hook.requires", VersionsByName, "", Part,
    "Required programs and their oldest versions. If one is missing, the hook doesn't run, and hookgate says so.",
    "[[hook]]\non = \"PreToolUse\"\nrun = \"./check.sh\"\nrequires = { jq = \">=1.6\" }";
    "hook.deadline", Text, "3s", Part,
    "When it is killed, with everything that it started; never later than hookgate's own deadline allows.",
    "[[hook]]\non = \"PreToolUse\"\nrun = \"./check.sh\"\ndeadline = \"500ms\"";
    "hook.on-error", OneOf(HOOK_FAILURES), "notice", Part,
    "What a failure gets: an exit code other than 0 and 2, a missed deadline, an unreadable answer.",
    "[[hook]]\non = \"PreToolUse\"\nrun = \"./check.sh\"\non-error = \"deny\"";
    "hook.imported", JsonTable, "", Part,
    "Where `hookgate init --import` took it from, for `--export`.",
    "[[hook]]\non = \"PreToolUse\"\nrun = \"./check.sh\"\nimported = { settings = \"/home/dev/.claude/settings.json\" }";

    "protect", Tables, "", Entry,
    "Files and tables of files that an agent may not weaken (CONF001): compared by meaning before and after the call, whatever tool or command changes them. When the agent stops they are compared with what they were when the session began.",
    "[[protect]]\npaths = [\"ruff.toml\", \"pyproject.toml#tool.ruff\"]";
    "protect.paths", Texts, "", Part,
    "Files, as in `rule.when.write`, and tables of files: `FILE#TABLE`, the table's names with dots.",
    "[[protect]]\npaths = [\"biome.json\", \"package.json#eslintConfig\", \"Cargo.toml#lints\"]";
    "protect.linters", SomeOf(&[]), "", Part,
    "The settings of these linters, wherever they are in the project; `*` stands for every linter that hookgate knows. A new file counts if the linter has settings there already.",
    "[[protect]]\nlinters = [\"ruff\", \"mypy\"]";
    "protect.level", OneOf(PROTECT_LEVELS), "deny", Part,
    "What a change gets.",
    "[[protect]]\npaths = \"tsconfig.json\"\nlevel = \"ask\"";
    "protect.stricter", Boolean, "true", Part,
    "Whether a change passes that only makes the settings stricter. What is stricter is known for the linters' own settings; of anything else every change counts.",
    "[[protect]]\nlinters = \"*\"\nstricter = false";

    "lint", Tables, "", Trust,
    "Linters and formatters that run on the files that a call has changed: they format, correct what they can, and report what is new. Only from files that a person trusts, because it runs programs.",
    "[[lint]]\nfiles = \"*.py\"\nuse = [\"ruff\", \"ty\"]";
    "lint.on", SomeOf(LINT_EVENTS), "PostToolUse", Part,
    "When: after each call, or once after all calls of a message.",
    "[[lint]]\nuse = \"clippy\"\non = \"PostToolBatch\"";
    "lint.files", Texts, "the files that the linters read", Part,
    "Which files, as in `rule.when.write`.",
    "[[lint]]\nfiles = \"src/**\"\nuse = \"biome\"";
    "lint.use", SomeOf(&[]), "", Part,
    "Linters that hookgate knows, by name. A program in the project (`node_modules/.bin`, `.venv/bin`) comes before one on `PATH`; nothing is downloaded.",
    "[[lint]]\nuse = [\"shellcheck\", \"shfmt\"]";
    "lint.run", Texts, "", Part,
    "Any other linter: a list of a program and its arguments, with `{file}` or `{files}` for what it runs on, or a text for `sh -c`. It runs in the project's directory.",
    "[[lint]]\nfiles = \"*.rb\"\nrun = [\"rubocop\", \"--format\", \"json\", \"{files}\"]\noutput = { shape = \"json\", items = \"files.offenses\", file = \"path\", line = \"location.line\", code = \"cop_name\", message = \"message\" }";
    "lint.output", Table, "", Part,
    "How that one's output is read.",
    "[[lint]]\nfiles = \"*.py\"\nrun = [\"semgrep\", \"--sarif\", \"--quiet\", \"{files}\"]\noutput = { shape = \"sarif\" }";
    "lint.output.shape", OneOf(LINT_SHAPES), "", Part,
    "Its form.",
    "[[lint]]\nfiles = \"*.kt\"\nrun = [\"ktlint\", \"--reporter=checkstyle\", \"{files}\"]\noutput = { shape = \"checkstyle\" }";
    "lint.output.pattern", Text, "", Part,
    "For `pattern`: a regular expression with the groups `file`, `line`, `column`, `code` and `message`.",
    "[[lint]]\nfiles = \"*.lua\"\nrun = [\"luacheck\", \"--formatter\", \"plain\", \"{files}\"]\noutput = { shape = \"pattern\", pattern = '(?m)^(?<file>[^:]+):(?<line>\\d+):(?<column>\\d+): (?<message>.+)$' }";
    "lint.output.items", Text, "", Part,
    "For `json`: where the findings are, names with dots; lists on the way are gone through.",
    "[[lint]]\nfiles = \"*.x\"\nrun = [\"xlint\", \"{files}\"]\noutput = { shape = \"json\", items = \"results\", message = \"text\" }";
    "lint.output.file", Text, "", Part,
    "The field of a finding, or of what is around it, with its file.",
    "[[lint]]\nfiles = \"*.x\"\nrun = [\"xlint\", \"{files}\"]\noutput = { shape = \"json\", file = \"path\", message = \"text\" }";
    "lint.output.line", Text, "", Part,
    "The field with its line.",
    "[[lint]]\nfiles = \"*.x\"\nrun = [\"xlint\", \"{files}\"]\noutput = { shape = \"json\", line = \"start.line\", message = \"text\" }";
    "lint.output.column", Text, "", Part,
    "The field with its column.",
    "[[lint]]\nfiles = \"*.x\"\nrun = [\"xlint\", \"{files}\"]\noutput = { shape = \"json\", column = \"start.column\", message = \"text\" }";
    "lint.output.code", Text, "", Part,
    "The field with its code.",
    "[[lint]]\nfiles = \"*.x\"\nrun = [\"xlint\", \"{files}\"]\noutput = { shape = \"json\", code = \"rule\", message = \"text\" }";
    "lint.output.message", Text, "", Part,
    "The field with its message.",
    "[[lint]]\nfiles = \"*.x\"\nrun = [\"xlint\", \"{files}\"]\noutput = { shape = \"json-lines\", message = \"text\" }";
    "lint.phases", SomeOf(LINT_PHASES), "[\"format\", \"fix\", \"check\"]", Part,
    "What the linters run for.",
    "[[lint]]\nuse = \"ruff\"\nphases = \"check\"";
    "lint.level", OneOf(LINT_LEVELS), "deny", Part,
    "What new findings get: `deny` shows them to the agent as what it has to correct, `warn` as context, `note` only records them. The call itself has run in every case.",
    "[[lint]]\nuse = \"yamllint\"\nlevel = \"warn\"";
    "lint.deadline", Text, "20s", Part,
    "When its programs are killed. What was found until then counts.",
    "[[lint]]\nuse = \"mypy\"\ndeadline = \"45s\"";
    "lint.delegate", Tables, "", Part,
    "A headless agent that works on findings that the linters can't correct, before the agent hears of them. The first entry whose conditions hold is asked, once; then the linters check again.",
    "[[lint]]\nuse = \"ruff\"\ndelegate = [{ agent = \"claude-code\", model = \"haiku\", codes = \"D1*\" }]";
    "lint.delegate.agent", OneOf(LINT_DELEGATES), "", Part,
    "An agent that hookgate knows how to start without hooks and with few tools.",
    "[[lint]]\nuse = \"ruff\"\ndelegate = [{ agent = \"claude-code\" }]";
    "lint.delegate.run", Texts, "", Part,
    "Any other: a list of a program and its arguments. It reads the task from standard input.",
    "[[lint]]\nuse = \"ruff\"\ndelegate = [{ run = [\"./tools/fixer.sh\"] }]";
    "lint.delegate.model", Text, "haiku", Part,
    "The model, by the agent's name for it.",
    "[[lint]]\nuse = \"ruff\"\ndelegate = [{ agent = \"claude-code\", model = \"sonnet\", at-least = 6 }, { agent = \"claude-code\" }]";
    "lint.delegate.turns", Count, "10", Part,
    "How many turns it may take.",
    "[[lint]]\nuse = \"ruff\"\ndelegate = [{ agent = \"claude-code\", turns = 5 }]";
    "lint.delegate.codes", Texts, "all", Part,
    "Globs of the codes that it is asked about; one of the findings has to match.",
    "[[lint]]\nuse = \"ruff\"\ndelegate = [{ agent = \"claude-code\", codes = [\"C901\", \"PLR*\"] }]";
    "lint.delegate.at-least", Count, "1", Part,
    "How many findings there have to be.",
    "[[lint]]\nuse = \"ruff\"\ndelegate = [{ agent = \"claude-code\", at-least = 3 }]";
    "lint.delegate.deadline", Text, "2m", Part,
    "When it is killed.",
    "[[lint]]\nuse = \"ruff\"\ndelegate = [{ agent = \"claude-code\", deadline = \"60s\" }]";
    "gate", Tables, "", Entry,
    "What must be so before the agent may end its work, as far as hookgate can know it for certain: from its own record of the session, never from what a tool printed. Holds the ending back until it is so, at most `max-blocks` times. [More](stop.md)",
    "[[gate]]\ncheck = \"tests\"";
    "gate.code", Text, "`DONE001`, ...", Part,
    "The code of its findings.",
    "[[gate]]\ncode = \"ACME080\"\ncheck = \"tests\"";
    "gate.on", SomeOf(ENDINGS), "Stop", Part,
    "The events that it is checked on.",
    "[[gate]]\ncheck = \"tests\"\non = [\"Stop\", \"SubagentStop\"]";
    "gate.when", Condition, "always", Part,
    "When it is checked: the keys of `rule.when`.",
    "[[gate]]\ncheck = \"clean\"\nwhen = { branch = \"main\" }";
    "gate.check", SomeOf(GATE_CHECKS), "`command`, if there is `run`", Part,
    "What must be so: `tests` ran after the last edit and passed; no `lint` finding is open; no `marks` such as TODO were added; no `protected` file was changed; the work tree is `clean`; `background` tasks and `subagents` have ended; a `command` that hookgate runs passes.",
    "[[gate]]\ncheck = [\"tests\", \"marks\", \"clean\"]";
    "gate.run", Texts, "", Trust,
    "The command that must pass: a text for `sh -c`, or a list of a program and its arguments. It runs in the project's directory.",
    "[[gate]]\nrun = [\"make\", \"check\"]\ndeadline = \"2m\"";
    "gate.deadline", Text, "60s", Part,
    "How long the command may take. `hookgate init` gives the agent's hook the time that the longest one needs.",
    "[[gate]]\nrun = \"make check\"\ndeadline = \"5m\"";
    "gate.counts", Texts, "", Trust,
    "Calls that count as tests, besides those that the knowledge base lists: the patterns of `rule.when.run`.",
    "[[gate]]\ncheck = \"tests\"\ncounts = [\"./scripts/verify.sh **\"]";
    "gate.files", Texts, "all of the project", Part,
    "The files whose edits count for `tests` and `marks`: the patterns of `rule.when.write`.",
    "[[gate]]\ncheck = \"tests\"\nfiles = [\"src/\", \"tests/\"]";
    "gate.reason", Text, "", Trust,
    "What the agent reads beside what hookgate found out.",
    "[[gate]]\ncheck = \"tests\"\nreason = \"run `make test`; the suite takes two minutes\"";
    "gate.max-blocks", Count, "3", Part,
    "How often it may hold back after one prompt. Then the ending passes, and the user reads that the gate gave up.",
    "[[gate]]\ncheck = \"tests\"\nmax-blocks = 5";
    "gate.shadow", Boolean, "false", Part,
    "Record what it finds, and hold nothing back.",
    "[[gate]]\ncheck = \"tests\"\nshadow = true";

    "judge", Tables, "", Trust,
    "What a model is asked before the agent may end its work. Only a verdict of `not-met` with a quote that occurs in the evidence, confirmed by a second sample, holds back. Only from files that a person trusts, because it sends parts of the session. [More](stop.md#judges)",
    "[[judge]]\nmodel = \"anthropic:claude-haiku-4-5\"\ncriteria = [{ id = \"asked\", ask = \"Did the agent do everything that the user asked for?\" }]";
    "judge.code", Text, "`JUDGE001`, ...", Part,
    "The code of its findings.",
    "[[judge]]\ncode = \"ACME081\"\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.on", SomeOf(ENDINGS), "Stop", Part,
    "The events that it is asked on.",
    "[[judge]]\non = \"SubagentStop\"\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.when", Condition, "always", Part,
    "When it is asked: the keys of `rule.when`.",
    "[[judge]]\nwhen = { branch = \"main\" }\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.criteria", Tables, "", Part,
    "What is asked, all in one call.",
    "[[judge]]\nmodel = \"agent:claude\"\ncriteria = [\n  { id = \"asked\", ask = \"Did the agent do everything that the user asked for?\" },\n  { id = \"honest\", ask = \"Does its last message say what isn't done?\" },\n]";
    "judge.criteria.id", Text, "", Part,
    "The criterion's name, for findings and records.",
    "[[judge]]\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.criteria.ask", Text, "", Part,
    "The question, so that yes means that all is well.",
    "[[judge]]\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.model", Text, "", Part,
    "The provider and its model: `anthropic:MODEL` (Messages API), `openai:MODEL` (chat completions, of any server with `url`), or `agent:PROGRAM` (an agent that is logged in, run without tools and hooks; `agent:PROGRAM@MODEL` names its model).",
    "[[judge]]\nmodel = \"openai:qwen3-coder\"\nurl = \"http://127.0.0.1:11434/v1\"\nkey = \"none\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.url", Text, "the provider's own", Part,
    "The address of the API, up to and including its version.",
    "[[judge]]\nmodel = \"openai:gpt-5-mini\"\nurl = \"https://llm.example.com/v1\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.key", Json, "the provider's usual variable", Part,
    "Where the key comes from: `{ variable = \"NAME\" }`, `{ run = [...] }` (what the program prints), or `\"none\"`. The key itself is never in a policy, a record or a process's arguments.",
    "[[judge]]\nmodel = \"anthropic:claude-haiku-4-5\"\nkey = { run = [\"pass\", \"show\", \"anthropic\"] }\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.evidence", SomeOf(EVIDENCE), "all of it", Part,
    "What the model reads, gathered by hookgate, bounded, and marked with where it came from.",
    "[[judge]]\nevidence = [\"messages\", \"commands\"]\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.deadline", Text, "30s", Part,
    "How long all of it may take, retries and the second sample included.",
    "[[judge]]\ndeadline = \"20s\"\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.on-error", OneOf(JUDGE_FAILURES), "pass", Part,
    "What an ending gets that couldn't be judged: `pass`, marked as not verified, or `deny`, within the caps.",
    "[[judge]]\non-error = \"deny\"\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.max-blocks", Count, "3", Part,
    "How often it may hold back after one prompt.",
    "[[judge]]\nmax-blocks = 1\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.max-calls", Count, "100", Part,
    "How often its model may be asked in a session.",
    "[[judge]]\nmax-calls = 20\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.shadow", Boolean, "false", Part,
    "Record the verdicts, and hold nothing back.",
    "[[judge]]\nshadow = true\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.unmeasured", Boolean, "false", Part,
    "Let it hold back before `hookgate judge eval` has measured it on at least 50 labelled cases with an agreement of 0.85 or more. Without either it only records.",
    "[[judge]]\nunmeasured = true\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";
    "judge.imported", JsonTable, "", Part,
    "Where `hookgate init --import` took it from, for `--export`.",
    "[[judge]]\nimported = { settings = \"/home/dev/.claude/settings.json\" }\nmodel = \"agent:claude\"\ncriteria = [{ id = \"asked\", ask = \"Is everything done?\" }]";

    "notify", Tables, "", Trust,
    "A notification besides the answer: to the terminal, the desktop, a program or a URL. A separate process sends it, so no answer waits; its text has the codes and a rule's message, with secrets removed. Without any, nothing is sent.",
    "[[notify]]\non = [\"Notification\", \"ask\"]\nby = \"terminal\"";
    "notify.on", SomeOf(&[]), "", Part,
    "The events that send it, and the decisions `ask` (hookgate asks) and `deny` (hookgate denied something). For `Stop` it is sent when the agent really stops.",
    "[[notify]]\non = [\"Stop\", \"deny\"]\nby = \"bell\"";
    "notify.when", Condition, "always", Part,
    "When to send it: the keys of `rule.when`.",
    "[[notify]]\non = \"Notification\"\nwhen = { field = { notification_type = \"permission_prompt\" } }\nby = \"desktop\"";
    "notify.by", OneOf(NOTIFIERS), "", Part,
    "How: a control sequence that the agent passes to the terminal, the terminal's bell, the desktop's notifications (`notify-send`; `osascript` on macOS), a command (`run`), or a URL (`url`, with `curl`). With `run` or `url` it can be omitted.",
    "[[notify]]\non = \"Stop\"\nby = \"desktop\"";
    "notify.run", Texts, "", Part,
    "What to run: a text for `sh -c`, or a list of a program and its arguments. It reads the notification as JSON (`title`, `text`, `event`, `decision`, `codes`, `session`, `cwd`); hookgate doesn't wait for it.",
    "[[notify]]\non = \"Stop\"\nrun = [\"say\", \"the agent is done\"]";
    "notify.url", Text, "", Part,
    "The URL to post the same JSON to.",
    "[[notify]]\non = \"deny\"\nurl = \"https://hooks.example.com/agent\"";
    "notify.form", OneOf(TERMINAL_FORMS), "osc9", Part,
    "Which control sequence the terminal understands.",
    "[[notify]]\non = \"ask\"\nby = \"terminal\"\nform = \"osc777\"";
    "notify.text", Text, "", Part,
    "The text to send instead of hookgate's own.",
    "[[notify]]\non = \"Stop\"\nby = \"desktop\"\ntext = \"come back\"";

    "exception", Tables, "", Trust,
    "A covered finding is shown to the agent as `EXC:CODE` and decides nothing.",
    "[[exception]]\ncode = \"GIT007\"\nwhen = { branch = \"scratch/*\" }\nreason = \"scratch branches are nobody else's\"";
    "exception.code", Text, "", Trust,
    "The code of the rule.",
    "[[exception]]\ncode = \"GIT007\"\nreason = \"we rewrite our own branches\"";
    "exception.when", Condition, "always", Trust,
    "What every effect of the finding has to match: the keys of `rule.when`.",
    "[[exception]]\ncode = \"FILE004\"\nwhen = { delete = \"/srv/cache/**\" }\nreason = \"the cache is rebuilt every night\"";
    "exception.reason", Text, "", Trust,
    "Why; required.",
    "[[exception]]\ncode = \"GIT007\"\nreason = \"we rewrite our own branches\"";
    "exception.until", Date, "", Trust,
    "The last day on which it applies.",
    "[[exception]]\ncode = \"GIT007\"\nreason = \"clean-up week\"\nuntil = 2099-12-31";

    "case", Tables, "", Part,
    "A test of the policy, run by `hookgate test`.",
    "[[case]]\ncommand = \"git push --force\"\nexpect = \"deny\"";
    "case.name", Text, "", Part,
    "What it shows.",
    "[[case]]\nname = \"status is free\"\ncommand = \"git status\"\nexpect = \"pass\"";
    "case.command", Text, "", Part,
    "A shell command.",
    "[[case]]\ncommand = \"git status\"\nexpect = \"pass\"";
    "case.event", TextOrJsonTable, "", Part,
    "An event as the agent would send it: a table, or the name of a JSON file next to the policy.",
    "[[case]]\nevent = { hook_event_name = \"UserPromptSubmit\", prompt = \"hello\" }\nexpect = \"pass\"";
    "case.cwd", Text, "the project", Part,
    "The directory that it is judged in, relative to the project.",
    "[[case]]\ncommand = \"rm -rf build\"\ncwd = \"web\"\nexpect = \"pass\"";
    "case.expect", OneOf(DECISIONS), "", Part,
    "The decision.",
    "[[case]]\ncommand = \"git push --force\"\nexpect = \"deny\"";
    "case.codes", Texts, "any", Part,
    "The codes to find, at least.",
    "[[case]]\ncommand = \"git push --force\"\nexpect = \"deny\"\ncodes = [\"GIT002\"]";
    "case.exactly", Boolean, "false", Part,
    "No other codes than those may be found.",
    "[[case]]\ncommand = \"git status\"\nexpect = \"pass\"\ncodes = []\nexactly = true";
    "case.branch", Text, "the one that is checked out", Part,
    "The branch that is taken to be checked out.",
    "[[case]]\ncommand = \"git push\"\nbranch = \"main\"\nexpect = \"pass\"";
    "case.env", TextsByName, "", Part,
    "Environment variables of the session.",
    "[[case]]\ncommand = \"rails db:migrate\"\nenv = { RAILS_ENV = \"production\" }\nexpect = \"pass\"";
    "case.permission-mode", OneOf(PERMISSION_MODES), "\"default\"", Part,
    "The agent's permission mode.",
    "[[case]]\ncommand = \"git status\"\npermission-mode = \"dontAsk\"\nexpect = \"pass\"";
}
