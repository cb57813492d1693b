//! How much a call of git throws away or rewrites.

use hookgate_effects::{Argument, Call, Effect, Effects, Kind, Manner, Target};

use hookgate_text::{Message, Quoted, say};

use crate::Host;
use crate::host::{Count, GitQuestion, Untracked};

/// The call that an effect belongs to, where it runs, and what there is to count before it does.
pub(super) fn questions(effect: &Effect, effects: &Effects) -> Option<(usize, String, Vec<GitQuestion>)> {
    let asked =
        matches!(effect.kind, Kind::GitDiscard | Kind::GitRewrite | Kind::GitForcePush | Kind::GitDeleteRef);
    let index = effect.call.filter(|_| asked)?;
    let call = effects.calls.get(index).filter(|call| call.program == "git")?;
    let words = Words::of(call)?;
    let has = |kind| effects.effects.iter().any(|effect| effect.call == Some(index) && effect.kind == kind);
    let name = call.subcommand.first()?.as_str();
    if effect.kind == Kind::GitDeleteRef {
        let question = words.delete_branches(name, effects)?;
        return Some((index, words.directory, vec![question]));
    }
    let mut questions = Vec::new();
    if has(Kind::GitForcePush) && name == "push" {
        questions.push(words.push());
    }
    if has(Kind::GitDiscard) {
        match name {
            "clean" => questions.push(words.clean()),
            "reset" => {
                questions.push(GitQuestion::Changed { paths: Vec::new(), since_commit: true });
            }
            "merge" if words.has("--abort") => questions.push(GitQuestion::BesideMerge),
            "checkout" | "restore" | "switch" => {
                let written = written(effects, index);
                questions.extend(written.map(|written| words.restore(name, &written)));
            }
            _ if effects
                .effects
                .iter()
                .any(|one| one.call == Some(index) && one.manner.contains(Manner::KEPT)) =>
            {
                questions.push(words.remove());
            }
            _ => {}
        }
    }
    if has(Kind::GitDiscard) || has(Kind::GitRewrite) {
        let target = words.operands.first().filter(|_| name == "reset");
        questions.extend(target.map(|target| GitQuestion::Dropped { target: (*target).to_owned() }));
    }
    if has(Kind::GitRewrite) {
        questions.extend(words.rewrite(name));
    }
    Some((index, words.directory, questions))
}

/// What of a tree git can't give back: changes since the last commit, and files that it neither knows nor ignores.
pub(super) fn about_tree(root: &str) -> Vec<GitQuestion> {
    let paths = vec![root.to_owned()];
    let what = Untracked { ignored: false, others: true, directories: true };
    vec![
        GitQuestion::Untracked { paths: paths.clone(), what },
        GitQuestion::Changed { paths, since_commit: true },
    ]
}

/// The paths that a call writes; `None` where they are not known one by one.
fn written(effects: &Effects, call: usize) -> Option<Vec<String>> {
    let writes =
        effects.effects.iter().filter(|effect| effect.call == Some(call) && effect.kind == Kind::Write);
    writes
        .map(|effect| match &effect.target {
            Some(Target::Path(fact)) if !fact.pattern => Some(fact.path.clone()),
            _ => None,
        })
        .collect()
}

/// A call's words behind the subcommand.
struct Words<'a> {
    directory: String,
    options: Vec<&'a str>,
    operands: Vec<&'a str>,
}

/// Options of `git rebase` and `git push` with a value in the next word, but for `--onto`.
const VALUED: [&str; 12] = [
    "-x",
    "--exec",
    "-s",
    "--strategy",
    "-X",
    "--strategy-option",
    "-C",
    "-o",
    "--push-option",
    "--repo",
    "-S",
    "-m",
];

impl<'a> Words<'a> {
    /// `None` where a word is computed, or the repository is another.
    fn of(call: &'a Call) -> Option<Words<'a>> {
        let texts: Option<Vec<&str>> =
            call.arguments.iter().map(|argument: &Argument| argument.text.as_deref()).collect();
        let name = call.subcommand.first()?;
        let texts = texts?;
        let at = texts.iter().position(|text| text == name)?;
        let (before, after) = texts.split_at_checked(at)?;
        let mut directory = call.cwd.clone()?;
        let mut before = before.iter();
        while let Some(option) = before.next() {
            match *option {
                "-C" => {
                    let path = before.next()?;
                    directory = if path.starts_with('/') {
                        (*path).to_owned()
                    } else {
                        format!("{directory}/{path}")
                    };
                }
                "-c" => {
                    before.next();
                }
                text if text.starts_with("--git-dir") || text.starts_with("--work-tree") => return None,
                _ => {}
            }
        }
        let (mut options, mut operands) = (Vec::new(), Vec::new());
        let mut words = after.iter().skip(1);
        while let Some(word) = words.next() {
            match *word {
                "--" => {
                    operands.extend(words);
                    break;
                }
                option if option.len() > 1 && option.starts_with('-') => {
                    options.push(option);
                    let valued = VALUED.contains(&option) && matches!(name.as_str(), "rebase" | "push");
                    if valued || option == "--onto" {
                        words.next();
                    }
                }
                operand => operands.push(operand),
            }
        }
        Some(Words { directory, options, operands })
    }

    fn has(&self, name: &str) -> bool {
        self.options.contains(&name)
    }

    /// Is the letter among the short options?
    fn has_letter(&self, letter: char) -> bool {
        self.options.iter().any(|option| !option.starts_with("--") && option.contains(letter))
    }

    fn push(&self) -> GitQuestion {
        let reference = self.operands.get(1).map(|text| text.trim_start_matches('+'));
        let (source, branch) = match reference.map(|text| text.split_once(':').unwrap_or((text, text))) {
            Some(("HEAD", "HEAD")) | None => (None, None),
            Some((source, branch)) => {
                (Some(source), Some(branch.strip_prefix("refs/heads/").unwrap_or(branch)))
            }
        };
        GitQuestion::Overwritten { branch: branch.map(str::to_owned), source: source.map(str::to_owned) }
    }

    fn rewrite(&self, name: &str) -> Option<GitQuestion> {
        let base = match name {
            "commit" => Some("HEAD~1".to_owned()),
            "rebase" if self.has("--root") => None,
            // What comes behind the commit that the branch is set to, or that its commits are put on.
            "reset" | "rebase" => Some((*self.operands.first()?).to_owned()),
            "filter-branch" | "filter-repo" => None,
            _ => return None,
        };
        Some(GitQuestion::Published { base })
    }

    /// `None` where something else in the same text may take what keeps the branches' commits.
    fn delete_branches(&self, name: &str, effects: &Effects) -> Option<GitQuestion> {
        let has = |kinds: &[Kind]| effects.effects.iter().any(|effect| kinds.contains(&effect.kind));
        let remote = self.has("--remotes") || self.has_letter('r');
        if name != "branch" || remote || has(&[Kind::GitRewrite, Kind::GitPrune]) {
            return None;
        }
        let deleted = effects.effects.iter().filter(|effect| effect.kind == Kind::GitDeleteRef);
        let gone = deleted.map(|effect| match &effect.target {
            Some(Target::Name(name)) => Some(name.clone()),
            _ => None,
        });
        Some(GitQuestion::Unmerged {
            branches: self.operands.iter().map(|name| (*name).to_owned()).collect(),
            gone: gone.collect::<Option<_>>()?,
            // Fetching may drop them, or put them elsewhere.
            remotes: !has(&[Kind::GitFetch, Kind::GitDeleteRemote, Kind::GitForcePush]),
        })
    }

    fn clean(&self) -> GitQuestion {
        let only = self.has_letter('X');
        let what = Untracked {
            ignored: only || self.has_letter('x'),
            others: !only,
            directories: self.has_letter('d') || !self.operands.is_empty(),
        };
        GitQuestion::Untracked { paths: self.paths(), what }
    }

    /// It takes files that git knows, and no others. What a pattern stands for is not looked up: all are asked about.
    fn remove(&self) -> GitQuestion {
        let plain = |path: &&str| !path.starts_with(':') && !path.contains(['*', '?', '[', '\\']);
        let paths = if self.operands.iter().all(plain) { self.paths() } else { Vec::new() };
        GitQuestion::Changed { paths, since_commit: true }
    }

    fn paths(&self) -> Vec<String> {
        let absolute = |path: &&str| match path.trim_start_matches("./").trim_end_matches('/') {
            "" | "." => self.directory.clone(),
            path if path.starts_with('/') => path.to_owned(),
            path => format!("{}/{path}", self.directory),
        };
        self.operands.iter().map(absolute).collect()
    }

    fn restore(&self, name: &str, written: &[String]) -> GitQuestion {
        let from_commit = match name {
            "restore" => self.options.iter().any(|option| {
                option.starts_with("--source") || option.starts_with("--staged") || option.starts_with("-s")
            }),
            // A commit before the paths; without paths all of it is given up.
            _ => written.is_empty() || self.operands.len() > written.len(),
        };
        GitQuestion::Changed { paths: written.to_vec(), since_commit: from_commit }
    }
}

/// What is counted, in words.
pub(super) fn describe(directory: &str, questions: &[GitQuestion], host: &dyn Host) -> Option<Message> {
    let mut said = questions.iter().filter_map(|question| answer(directory, question, host));
    let mut all = said.next()?;
    for more in said {
        all.push(&say!(", {}", more));
    }
    Some(all)
}

fn answer(directory: &str, question: &GitQuestion, host: &dyn Host) -> Option<Message> {
    let count = host.git_count(directory, question)?;
    let about = count.about.as_deref().map_or("the remote".into(), |name| say!("{}", Quoted::new(name)));
    Some(match question {
        // Nothing was found, and not everything was looked at.
        _ if count.number == 0 && count.more => return None,
        GitQuestion::Changed { .. } | GitQuestion::BesideMerge if count.number == 0 => return None,
        GitQuestion::Changed { .. } | GitQuestion::BesideMerge => number(&count, "file"),
        GitQuestion::Untracked { .. } if count.number == 0 => "there is nothing to delete".into(),
        GitQuestion::Untracked { .. } => say!("deletes {}", number(&count, "untracked file")),
        _ if count.number == 0 => return None,
        GitQuestion::Unmerged { .. } => {
            say!("{} that no other branch or tag has", number(&count, "commit"))
        }
        GitQuestion::Published { .. } => {
            let are = if count.number == 1 { "is" } else { "are" };
            say!("rewrites {} that {} already on {}", number(&count, "commit"), are, about)
        }
        GitQuestion::Dropped { .. } => {
            say!("takes {} off the branch, the newest {}", number(&count, "commit"), about)
        }
        GitQuestion::Overwritten { .. } => say!("removes {} from {}", number(&count, "commit"), about),
    })
}

fn number(count: &Count, what: &'static str) -> Message {
    match count.number {
        number if count.more => say!("at least {} {}s", number, what),
        1 => say!("1 {}", what),
        number => say!("{} {}s", number, what),
    }
}
