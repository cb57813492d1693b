//! `[commit]`, `[pull-request]`, `[issue]`, `[branch]`, `[push]` and `[add]`: how a team writes and names things.
//!
//! What files say stands side by side: a commit must satisfy each of them, so a file in the repository can only add to
//! what the person's own file asks. Only over a preset a file has its way: a key that it states replaces the preset's.

use crate::glob::Glob;
use crate::pattern::{PathPattern, TextPattern};

/// What holds: one entry for each file that says something, after those of presets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conventions {
    /// `[commit]`.
    pub commits: Vec<CommitConvention>,
    /// `[pull-request]`.
    pub pull_requests: Vec<PullRequestConvention>,
    /// `[issue]`.
    pub issues: Vec<IssueConvention>,
    /// `[branch]`.
    pub branches: Vec<BranchConvention>,
    /// `[push]`.
    pub pushes: Vec<PushConvention>,
    /// `[add]`.
    pub additions: Vec<AddConvention>,
}

impl Conventions {
    /// None.
    pub const NONE: Conventions = Conventions {
        commits: Vec::new(),
        pull_requests: Vec::new(),
        issues: Vec::new(),
        branches: Vec::new(),
        pushes: Vec::new(),
        additions: Vec::new(),
    };

    /// Does the rule of that code look at one of them? Such a rule denies where `[rules]` doesn't say otherwise.
    #[must_use]
    pub fn have_rule(&self, code: &str) -> bool {
        match crate::code::group_of(code) {
            "COMMIT" => !self.commits.is_empty(),
            "PR" => !self.pull_requests.is_empty(),
            "ISSUE" => !self.issues.is_empty(),
            "BRANCH" => !self.branches.is_empty(),
            "PUSH" => !self.pushes.is_empty(),
            "ADD" => !self.additions.is_empty(),
            _ => false,
        }
    }

    /// Does no file say anything?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Conventions::NONE
    }

    /// Puts what each file says beside what the others say. `presets` comes first and is replaced key by key.
    pub(crate) fn join<'f>(
        presets: impl Iterator<Item = Conventions>,
        files: impl Iterator<Item = &'f Conventions>,
    ) -> Conventions {
        let mut all = Conventions::NONE;
        for preset in presets {
            all.add(preset);
        }
        for file in files {
            all.replace_by(file);
        }
        all
    }
}

macro_rules! conventions {
    ($($(#[doc = $doc:literal])+ $field:ident: $name:ident { $($(#[doc = $key_doc:literal])+ $key:ident: $type:ty,)+ })+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug, Default, PartialEq)]
            pub struct $name {
                /// It comes from a preset.
                pub(crate) shipped: bool,
                $($(#[doc = $key_doc])+ pub $key: Option<$type>,)+
            }

            impl $name {
                /// Forgets what `stated` says itself.
                fn yield_to(&mut self, stated: &$name) {
                    $(if stated.$key.is_some() { self.$key = None; })+
                }
            }
        )+

        impl Conventions {
            fn add(&mut self, other: Conventions) {
                $(self.$field.extend(other.$field.into_iter().map(|one| $name { shipped: true, ..one }));)+
            }

            fn replace_by(&mut self, file: &Conventions) {
                $(for stated in &file.$field {
                    for shipped in self.$field.iter_mut().filter(|one| one.shipped) {
                        shipped.yield_to(stated);
                    }
                    self.$field.push(stated.clone());
                })+
            }
        }
    };
}

conventions! {
    /// `[commit]`: what a commit must look like.
    commits: CommitConvention {
        /// It is signed off.
        sign_off: bool,
        /// It is signed.
        signature: bool,
        /// The form of its title.
        style: TitleStyle,
        /// The types that a title may begin with.
        types: Vec<String>,
        /// Whether a title names a scope.
        scope: ScopeUse,
        /// Scopes that are types of their own: a feature or a fix doesn't have them.
        misplaced_scopes: Vec<String>,
        /// What a title must match, besides its style.
        title: TextPattern,
        /// The most characters of a title.
        title_max: usize,
        /// The most characters of a line of the body; a line with a URL may be longer.
        body_max: usize,
        /// A list in the body has a blank line above it.
        list_spacing: bool,
        /// Words that a message doesn't hold.
        forbid: Vec<String>,
        /// References to issues and pull requests.
        references: References,
        /// Lines that name an agent as the author are refused.
        no_attribution: bool,
        /// Who signs off: `Name <mail>`.
        identity: String,
        /// Something is staged.
        staged: bool,
        /// The texts of commits, pull requests and issues are written out, not put together by a command.
        no_substitution: bool,
        /// Tools whose settings in the project say how a commit is written.
        follow: Vec<Followed>,
    }
    /// `[pull-request]`: what a pull request must look like.
    pull_requests: PullRequestConvention {
        /// The form of its title.
        style: TitleStyle,
        /// The types that a title may begin with.
        types: Vec<String>,
        /// Whether a title names a scope.
        scope: ScopeUse,
        /// Scopes that are types of their own: a feature or a fix doesn't have them.
        misplaced_scopes: Vec<String>,
        /// The most characters of a title.
        title_max: usize,
        /// Words that neither title nor body hold.
        forbid: Vec<String>,
        /// It has a body.
        body: bool,
        /// Headings that the body has, in any order.
        sections: Vec<String>,
        /// The branches into which one goes without a label of that branch's name.
        unlabelled_bases: Vec<String>,
        /// Lines that name an agent as the author are refused.
        no_attribution: bool,
    }
    /// `[issue]`: what an issue must look like.
    issues: IssueConvention {
        /// It has a body.
        body: bool,
        /// Headings that the body has, in any order.
        sections: Vec<String>,
    }
    /// `[branch]`: what a new branch is called.
    branches: BranchConvention {
        /// The types that its name may begin with, before a slash.
        types: Vec<String>,
        /// Only small letters, digits, dashes and the slash behind the type.
        plain: bool,
        /// What a name must match.
        name: TextPattern,
    }
    /// `[push]`: where is pushed to, and what.
    pushes: PushConvention {
        /// A remote that is named is one that the repository has.
        known_remote: bool,
        /// The only remotes that are pushed to.
        remotes: Vec<String>,
        /// Remotes that aren't pushed to.
        forbid_remotes: Vec<String>,
        /// Branches that aren't pushed to.
        protected: Vec<Glob>,
        /// No tags are pushed.
        no_tags: bool,
    }
    /// `[add]`: what isn't staged.
    additions: AddConvention {
        /// Paths that aren't staged.
        forbid: Vec<PathPattern>,
        /// The size in bytes from which a file isn't staged.
        max_size: u64,
    }
}

/// A tool whose settings say how commits are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// commitlint: `.commitlintrc`, `commitlint.config.*`, `commitlint` in `package.json`.
    Commitlint,
    /// commitizen: `.cz.toml`, `.cz.json`, `tool.commitizen` in `pyproject.toml`.
    Commitizen,
    /// semantic-release: `.releaserc`, `release` in `package.json`, `tool.semantic_release` in `pyproject.toml`.
    SemanticRelease,
    /// cocogitto: `cog.toml`.
    Cocogitto,
}

/// The form of a title.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TitleStyle {
    /// Any.
    #[default]
    Any,
    /// `type(scope)!: text`.
    Conventional,
    /// `scope: text`.
    Scoped,
}

/// Whether a conventional title names a scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScopeUse {
    /// It may.
    #[default]
    Optional,
    /// It must.
    Required,
    /// It doesn't.
    Forbidden,
}

/// References to issues and pull requests in a message: `#12`, or the URL of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum References {
    /// They may stand there.
    #[default]
    Any,
    /// They don't.
    Forbidden,
    /// There is one.
    Required,
}
