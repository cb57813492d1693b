//! `[commit]`, `[pull-request]`, `[issue]`, `[branch]`, `[push]` and `[add]`.

use toml::de::DeTable;

use super::reader::{Check, Item, Reader};
use crate::conventions::{
    AddConvention, BranchConvention, CommitConvention, Followed, IssueConvention, PullRequestConvention,
    PushConvention, References, ScopeUse, TitleStyle,
};
use crate::glob::Glob;
use crate::keys;
use crate::pattern::{PathPattern, TextPattern};

const STYLES: [TitleStyle; 3] = [TitleStyle::Any, TitleStyle::Conventional, TitleStyle::Scoped];
const SCOPES: [ScopeUse; 3] = [ScopeUse::Optional, ScopeUse::Required, ScopeUse::Forbidden];
const FOLLOWED: [Followed; 4] =
    [Followed::Commitlint, Followed::Commitizen, Followed::SemanticRelease, Followed::Cocogitto];
const REFERENCES: [References; 3] = [References::Any, References::Forbidden, References::Required];

impl Reader<'_> {
    pub(super) fn commit_convention(&mut self, item: &Item<'_>) -> Option<CommitConvention> {
        let mut one = CommitConvention::default();
        for (name, item) in self.table(item, "commit")? {
            match name.get_ref().as_ref() {
                "sign-off" => one.sign_off = self.boolean(item, "commit.sign-off"),
                "signature" => one.signature = self.boolean(item, "commit.signature"),
                "style" => one.style = self.choice(item, "commit.style", keys::TITLE_STYLES, &STYLES),
                "types" => one.types = self.words(item, "commit.types"),
                "scope" => one.scope = self.choice(item, "commit.scope", keys::SCOPE_USES, &SCOPES),
                "misplaced-scopes" => one.misplaced_scopes = self.words(item, "commit.misplaced-scopes"),
                "title" => one.title = self.matching(item, "commit.title"),
                "title-max" => one.title_max = self.count(item, "commit.title-max"),
                "body-max" => one.body_max = self.count(item, "commit.body-max"),
                "list-spacing" => one.list_spacing = self.boolean(item, "commit.list-spacing"),
                "forbid" => one.forbid = self.words(item, "commit.forbid"),
                "references" => {
                    one.references = self.choice(item, "commit.references", keys::REFERENCES, &REFERENCES);
                }
                "no-attribution" => one.no_attribution = self.boolean(item, "commit.no-attribution"),
                "identity" => one.identity = self.owned(item, "commit.identity"),
                "staged" => one.staged = self.boolean(item, "commit.staged"),
                "no-substitution" => one.no_substitution = self.boolean(item, "commit.no-substitution"),
                "follow" => {
                    let mut tools = Vec::new();
                    for (_, item) in self.texts(item, "commit.follow").unwrap_or_default() {
                        tools.extend(self.choice(item, "commit.follow", keys::FOLLOWED, &FOLLOWED));
                    }
                    one.follow = Some(tools);
                }
                other => self.unknown_key(name.span(), "commit", other),
            }
        }
        Some(one)
    }

    pub(super) fn pull_request_convention(&mut self, item: &Item<'_>) -> Option<PullRequestConvention> {
        let mut one = PullRequestConvention::default();
        for (name, item) in self.table(item, "pull-request")? {
            match name.get_ref().as_ref() {
                "style" => one.style = self.choice(item, "pull-request.style", keys::TITLE_STYLES, &STYLES),
                "types" => one.types = self.words(item, "pull-request.types"),
                "scope" => one.scope = self.choice(item, "pull-request.scope", keys::SCOPE_USES, &SCOPES),
                "misplaced-scopes" => {
                    one.misplaced_scopes = self.words(item, "pull-request.misplaced-scopes");
                }
                "title-max" => one.title_max = self.count(item, "pull-request.title-max"),
                "forbid" => one.forbid = self.words(item, "pull-request.forbid"),
                "body" => one.body = self.boolean(item, "pull-request.body"),
                "sections" => one.sections = self.words(item, "pull-request.sections"),
                "unlabelled-bases" => {
                    one.unlabelled_bases = self.words(item, "pull-request.unlabelled-bases");
                }
                "no-attribution" => one.no_attribution = self.boolean(item, "pull-request.no-attribution"),
                other => self.unknown_key(name.span(), "pull-request", other),
            }
        }
        Some(one)
    }

    pub(super) fn issue_convention(&mut self, item: &Item<'_>) -> Option<IssueConvention> {
        let mut one = IssueConvention::default();
        for (name, item) in self.table(item, "issue")? {
            match name.get_ref().as_ref() {
                "body" => one.body = self.boolean(item, "issue.body"),
                "sections" => one.sections = self.words(item, "issue.sections"),
                other => self.unknown_key(name.span(), "issue", other),
            }
        }
        Some(one)
    }

    pub(super) fn branch_convention(&mut self, item: &Item<'_>) -> Option<BranchConvention> {
        let mut one = BranchConvention::default();
        for (name, item) in self.table(item, "branch")? {
            match name.get_ref().as_ref() {
                "types" => one.types = self.words(item, "branch.types"),
                "plain" => one.plain = self.boolean(item, "branch.plain"),
                "name" => one.name = self.matching(item, "branch.name"),
                other => self.unknown_key(name.span(), "branch", other),
            }
        }
        Some(one)
    }

    pub(super) fn push_convention(&mut self, item: &Item<'_>) -> Option<PushConvention> {
        let mut one = PushConvention::default();
        for (name, item) in self.table(item, "push")? {
            match name.get_ref().as_ref() {
                "known-remote" => one.known_remote = self.boolean(item, "push.known-remote"),
                "remotes" => one.remotes = self.words(item, "push.remotes"),
                "forbid-remotes" => one.forbid_remotes = self.words(item, "push.forbid-remotes"),
                "protected" => {
                    let mut globs = Vec::new();
                    for (text, item) in self.texts(item, "push.protected").unwrap_or_default() {
                        match Glob::parse(text) {
                            Ok(glob) => globs.push(glob),
                            Err(error) => self.inside(item, "push.protected", "glob", text, &error),
                        }
                    }
                    one.protected = Some(globs);
                }
                "no-tags" => one.no_tags = self.boolean(item, "push.no-tags"),
                other => self.unknown_key(name.span(), "push", other),
            }
        }
        Some(one)
    }

    pub(super) fn add_convention(&mut self, item: &Item<'_>) -> Option<AddConvention> {
        let mut one = AddConvention::default();
        let table: &DeTable<'_> = self.table(item, "add")?;
        for (name, item) in table {
            match name.get_ref().as_ref() {
                "forbid" => {
                    let mut patterns = Vec::new();
                    for (text, item) in self.texts(item, "add.forbid").unwrap_or_default() {
                        match PathPattern::parse(text) {
                            Ok(pattern) => patterns.push(pattern),
                            Err(error) => self.inside(item, "add.forbid", "path pattern", text, &error),
                        }
                    }
                    one.forbid = Some(patterns);
                }
                "max-size" => one.max_size = self.size(item, "add.max-size"),
                other => self.unknown_key(name.span(), "add", other),
            }
        }
        Some(one)
    }

    /// Texts, none of them blank.
    fn words(&mut self, item: &Item<'_>, key: &'static str) -> Option<Vec<String>> {
        let mut words = Vec::new();
        for (text, item) in self.texts(item, key)? {
            if text.trim().is_empty() {
                self.error(item.span(), key, format!("`{key}` has an empty text"), "", None);
            } else {
                words.push(text.trim().to_owned());
            }
        }
        Some(words)
    }

    /// A piece of text or a regular expression.
    fn matching(&mut self, item: &Item<'_>, key: &'static str) -> Option<TextPattern> {
        let text = self.text(item, key)?;
        let pattern = TextPattern::parse(text);
        if let TextPattern::Expression(_) = &pattern
            && self.check != Check::Quick
            && let Err(message) = pattern.matches("")
        {
            self.bad_expression(item, key, text, &message);
        }
        Some(pattern)
    }
}
