//! Names of commits: branches, tags, `HEAD~2`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::regular::read_text;

use super::objects::{Kind, Objects, identifier};
use super::{Id, LARGEST_NAME, Repository, head_of};
use hookgate_rules::own::Branch;

/// How many names may stand for one another.
const MOST_STEPS: u32 = 5;
/// The largest file of packed references, or of settings, that is read.
const LARGEST: u64 = 4 * 1024 * 1024;
/// The furthest that `~` goes.
const FURTHEST: u32 = 10_000;
/// How many commits that have names are looked at, in how many folders, with how many names each.
const MOST_NAMED: usize = 128;
const MOST_FOLDERS: usize = 64;
const MOST_NAMES: usize = 1_024;

/// A commit, as far as its history needs it.
pub(super) struct Commit {
    pub(super) tree: Option<Id>,
    pub(super) parents: Vec<Id>,
    /// Seconds since the Unix epoch.
    pub(super) time: u64,
}

impl Commit {
    pub(super) fn read(objects: &Objects, id: &Id) -> Option<Commit> {
        let (kind, bytes) = objects.read(id)?;
        if kind == Kind::Tag {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let target = text.lines().next()?.strip_prefix("object ")?.to_owned();
            let (Kind::Commit, bytes) = objects.read(&identifier(&target)?)? else { return None };
            return Some(Commit::parse(&bytes));
        }
        (kind == Kind::Commit).then(|| Commit::parse(&bytes))
    }

    fn parse(bytes: &[u8]) -> Commit {
        let text = String::from_utf8_lossy(bytes);
        let mut commit = Commit { tree: None, parents: Vec::new(), time: 0 };
        for line in text.lines().take_while(|line| !line.is_empty()) {
            match line.split_once(' ') {
                Some(("tree", id)) => commit.tree = identifier(id),
                Some(("parent", id)) => commit.parents.extend(identifier(id)),
                Some(("committer", rest)) => {
                    let time = rest.rsplit(' ').nth(1).and_then(|time| time.parse().ok());
                    commit.time = time.unwrap_or_default();
                }
                _ => {}
            }
        }
        commit
    }
}

impl Repository {
    /// The branch that is checked out.
    pub(super) fn branch(&self) -> Option<String> {
        match head_of(read_text(&self.own.join("HEAD"), LARGEST_NAME)?.trim()) {
            Branch::Named(name) => Some(name),
            Branch::None | Branch::Unknown => None,
        }
    }

    /// The commit at a full reference (`refs/heads/main`) or `HEAD`.
    pub(super) fn reference(&self, name: &str) -> Option<Id> {
        let mut name = name.to_owned();
        for _ in 0..MOST_STEPS {
            if name.split('/').any(|part| part == "..") || name.starts_with('/') {
                return None;
            }
            let folder = if name.starts_with("refs/") { &self.common } else { &self.own };
            let Some(text) = read_text(&folder.join(&name), LARGEST_NAME) else { return self.packed(&name) };
            match text.trim().strip_prefix("ref: ") {
                Some(next) => name = next.to_owned(),
                // `FETCH_HEAD` says more behind the first.
                None => return identifier(text.split_whitespace().next()?),
            }
        }
        None
    }

    /// The commits that have a name here, those that were fetched or left last first.
    pub(super) fn names(&self) -> BTreeSet<Id> {
        let special = ["FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "refs/stash"];
        let special = special.iter().filter_map(|name| self.reference(name));
        special.chain(self.references().into_values()).collect()
    }

    /// Branches, tags and what is known of remotes' branches, by their full names. Of very many some are left out.
    pub(super) fn references(&self) -> BTreeMap<String, Id> {
        let mut found = BTreeMap::new();
        let mut folders = vec!["refs/tags".to_owned(), "refs/remotes".to_owned(), "refs/heads".to_owned()];
        let mut seen = 0;
        while let Some(folder) = folders.pop().filter(|_| seen < MOST_FOLDERS && !self.is_late()) {
            seen += 1;
            let Ok(entries) = fs::read_dir(self.common.join(&folder)) else { continue };
            for entry in entries.flatten().take(MOST_NAMES) {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = format!("{folder}/{name}");
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if found.len() < MOST_NAMED
                    && let Some(id) = self.reference(&path)
                {
                    found.insert(path, id);
                }
            }
        }
        let packed = read_text(&self.common.join("packed-refs"), LARGEST).unwrap_or_default();
        let packed = packed.lines().filter_map(|line| line.split_once(' '));
        for (id, name) in packed.filter_map(|(id, name)| Some((identifier(id)?, name))).take(MOST_NAMED) {
            // A file of its own says where it is by now.
            found.entry(name.to_owned()).or_insert(id);
        }
        found
    }

    fn packed(&self, name: &str) -> Option<Id> {
        let text = read_text(&self.common.join("packed-refs"), LARGEST)?;
        let line = text.lines().find(|line| line.split_once(' ').is_some_and(|(_, known)| known == name))?;
        identifier(line.split_once(' ')?.0)
    }

    /// Where the branch is at the remote, as far as it is known here: `refs/remotes/origin/main`.
    pub(super) fn upstream(&self, branch: &str) -> Option<String> {
        let text = read_text(&self.common.join("config"), LARGEST).unwrap_or_default();
        let (mut inside, mut remote, mut merge) = (false, None, None);
        let section = format!("[branch \"{branch}\"]");
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                inside = line == section;
            } else if inside && let Some((key, value)) = line.split_once('=') {
                match key.trim() {
                    "remote" => remote = Some(value.trim()),
                    "merge" => merge = value.trim().strip_prefix("refs/heads/"),
                    _ => {}
                }
            }
        }
        let known = remote.zip(merge).map(|(remote, merge)| format!("refs/remotes/{remote}/{merge}"));
        let guesses = [branch, "HEAD"].map(|name| format!("refs/remotes/origin/{name}"));
        known.into_iter().chain(guesses).find(|name| self.reference(name).is_some())
    }

    /// The commit that a revision names: `HEAD~2`, `main`, `origin/main^`, `1a2b3c4`.
    pub(super) fn revision(&self, objects: &Objects, text: &str) -> Option<Id> {
        let end = text.find(['~', '^', '@']).unwrap_or(text.len());
        let (mut name, mut steps) = text.split_at_checked(end)?;
        let upstream;
        if let Some(rest) = steps.strip_prefix('@') {
            let about_upstream = ["{u}", "{upstream}"].iter().find_map(|mark| rest.strip_prefix(mark));
            match about_upstream {
                Some(rest) => {
                    let branch = if name.is_empty() { self.branch()? } else { name.to_owned() };
                    upstream = self.upstream(&branch)?;
                    (name, steps) = (&upstream, rest);
                }
                None if name.is_empty() && !rest.starts_with('{') => (name, steps) = ("HEAD", rest),
                None => return None,
            }
        }
        let forms = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
        let mut id = if name == "HEAD" || name.ends_with("_HEAD") || name.starts_with("refs/") {
            self.reference(name)?
        } else {
            let named = forms.iter().skip(1).find_map(|form| self.reference(&format!("{form}{name}")));
            let digits =
                name.len() >= 4 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            let by_name = || identifier(name).or_else(|| objects.abbreviated(name));
            named.or_else(|| digits.then(by_name).flatten())?
        };
        while let Some(sign) = steps.chars().next() {
            let rest = steps.get(1..)?;
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = rest.split_at_checked(length)?;
            steps = rest;
            let number: u32 = if number.is_empty() { 1 } else { number.parse().ok()? };
            match (sign, number) {
                ('~', 0..=FURTHEST) => {
                    for _ in 0..number {
                        if self.is_late() {
                            return None;
                        }
                        id = *Commit::read(objects, &id)?.parents.first()?;
                    }
                }
                ('^', 0) => {}
                ('^', number) => {
                    let parents = Commit::read(objects, &id)?.parents;
                    id = *parents.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
                }
                _ => return None,
            }
        }
        Some(id)
    }
}
