//! The words that keys take.

/// The levels, from the loosest to the strictest.
pub(crate) const LEVELS: &[&str] = &["allow", "off", "note", "warn", "ask", "deny", "halt"];
/// What an undecidable thing may get, from the loosest to the strictest.
pub(crate) const UNKNOWN_LEVELS: &[&str] = &["pass", "warn", "ask", "deny"];
/// Modes, from the loosest to the strictest.
pub(crate) const MODES: &[&str] = &["off", "shadow", "enforce"];
/// What a failure may get, from the loosest to the strictest.
pub(crate) const ON_ERROR: &[&str] = &["pass", "ask", "deny"];
/// What an ask may become where nobody can answer, from the loosest to the strictest.
pub(crate) const UNATTENDED: &[&str] = &["handoff", "deny"];
/// How much of a call the audit record holds.
pub(crate) const AUDIT_CONTENT: &[&str] = &["full", "redacted", "digest"];
/// What a rewritten command may get.
pub(crate) const REWRITE_DECISIONS: &[&str] = &["allow", "ask", "pass", "inherit"];
/// What a command may get that can't be rewritten, from the loosest to the strictest.
pub(crate) const REWRITE_FALLBACKS: &[&str] = &["pass", "ask", "deny"];
/// What a call of another package manager may get, from the loosest to the strictest.
pub(crate) const PACKAGE_LEVELS: &[&str] = &["off", "warn", "rewrite", "ask", "deny"];
/// What a subcommand without counterpart may get, from the loosest to the strictest.
pub(crate) const UNLISTED_LEVELS: &[&str] = &["off", "warn", "ask", "deny"];
/// Python's package managers.
pub(crate) const PYTHON_MANAGERS: &[&str] = &["detect", "uv", "poetry", "pipenv", "pip"];
/// JavaScript's package managers.
pub(crate) const JAVASCRIPT_MANAGERS: &[&str] = &["detect", "bun", "pnpm", "yarn", "npm"];
/// The forms of a title.
pub(crate) const TITLE_STYLES: &[&str] = &["any", "conventional", "scoped"];
/// Whether a conventional title names a scope.
pub(crate) const SCOPE_USES: &[&str] = &["optional", "required", "forbidden"];
/// References to issues and pull requests.
pub(crate) const REFERENCES: &[&str] = &["any", "forbidden", "required"];
/// Tools whose settings say how a commit is written.
pub(crate) const FOLLOWED: &[&str] = &["commitlint", "commitizen", "semantic-release", "cocogitto"];
/// What a case may expect.
pub(crate) const DECISIONS: &[&str] = &["pass", "handoff", "allow", "ask", "deny", "halt"];
/// The agent's permission modes.
pub(crate) const PERMISSION_MODES: &[&str] =
    &["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"];
/// What the failure of a supervised hook may get, from the loosest to the strictest.
pub(crate) const HOOK_FAILURES: &[&str] = &["pass", "notice", "ask", "deny"];
/// What a judge that can't judge gives an ending, from the loosest to the strictest.
pub(crate) const JUDGE_FAILURES: &[&str] = &["pass", "deny"];
/// The events on which work ends.
pub(crate) const ENDINGS: &[&str] = &["Stop", "SubagentStop", "TaskCompleted"];
/// What a gate checks.
pub(crate) const GATE_CHECKS: &[&str] =
    &["background", "subagents", "tests", "lint", "marks", "protected", "clean", "command"];
/// What a judge's model reads.
pub(crate) const EVIDENCE: &[&str] = &["messages", "commands", "edits", "changes"];
/// How a notification may be sent.
pub(crate) const NOTIFIERS: &[&str] = &["terminal", "bell", "desktop", "command", "webhook"];
/// The control sequences that terminals turn into notifications.
pub(crate) const TERMINAL_FORMS: &[&str] = &["osc9", "osc777", "osc99"];
/// What a change of a protected file may get, from the loosest to the strictest.
pub(crate) const PROTECT_LEVELS: &[&str] = &["warn", "ask", "deny"];
/// What becomes of what is tried again and again after a denial, from the loosest to the strictest.
pub(crate) const RETRIED: &[&str] = &["ask", "halt"];
/// What open findings of linters may get, from the loosest to the strictest.
pub(crate) const LINT_LEVELS: &[&str] = &["note", "warn", "deny"];
/// The events that linters run on.
pub(crate) const LINT_EVENTS: &[&str] = &["PostToolUse", "PostToolBatch"];
/// What linters run for.
pub(crate) const LINT_PHASES: &[&str] = &["format", "fix", "check"];
/// The forms of a linter's output.
pub(crate) const LINT_SHAPES: &[&str] = &["sarif", "checkstyle", "json", "json-lines", "pattern"];
/// The agents that findings can be delegated to by name.
pub(crate) const LINT_DELEGATES: &[&str] = &["claude-code"];
/// The agents.
pub(crate) const AGENTS: &[&str] = &["claude-code", "codex", "other"];
/// What an elicitation may be answered with.
pub(crate) const ELICITATION_ACTIONS: &[&str] = &["accept", "decline", "cancel"];
