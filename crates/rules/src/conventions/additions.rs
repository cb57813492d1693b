//! What calls stage, file by file.

use hookgate_effects::{Kind, Part};
use hookgate_shell::Span;

use super::{calls, repository};
use crate::repositories::Addition;
use crate::scene::Scene;

/// A file that a call stages.
pub(crate) struct Staged {
    /// Its absolute path.
    pub(crate) path: String,
    /// Bytes, where they are known.
    pub(crate) size: Option<u64>,
    /// The word that names it, or a directory above it.
    pub(crate) span: Span,
    /// A directory above it was named.
    pub(crate) found: bool,
}

/// The calls that stage something: the index of the effect, and the files. What a directory holds is looked up where that is
/// possible; otherwise the directory itself stands there.
pub(crate) fn staged(scene: &Scene<'_>) -> Vec<(usize, Vec<Staged>)> {
    let mut all = Vec::new();
    for (index, call) in calls(scene, &[Kind::GitChange, Kind::GitCommit]) {
        let said = || call.said().iter().filter(|said| said.part == Part::Staged);
        let known = call.said().iter().any(|said| said.part == Part::Known);
        let directory = repository(&call);
        let is_named = said().any(|said| said.text.as_deref().is_some_and(|path| !path.is_empty()));
        let mut files = Vec::new();
        for said in said() {
            let Some(path) = &said.text else { continue };
            // `--all` is about all of the repository only where nothing is named.
            if path.is_empty() && is_named {
                continue;
            }
            let paths = if path.is_empty() { Vec::new() } else { vec![path.clone()] };
            let found = scene
                .repositories()
                .zip(directory)
                .and_then(|(repositories, directory)| repositories.additions(directory, &paths, known));
            files.extend(found.into_iter().flatten().map(|Addition { path: file, size }| Staged {
                found: file != *path,
                path: file,
                size: Some(size),
                span: said.span,
            }));
            if !path.is_empty() && !files.iter().any(|file| file.path == *path) {
                files.push(Staged { path: path.clone(), size: None, span: said.span, found: false });
            }
        }
        all.push((index, files));
    }
    all
}

/// The path as seen from the project, where it lies in it.
pub(crate) fn below_project<'p>(path: &'p str, scene: &Scene<'_>) -> &'p str {
    let below = path.strip_prefix(&scene.places().project).and_then(|rest| rest.strip_prefix('/'));
    below.unwrap_or(path)
}
