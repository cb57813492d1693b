//! Which projects the person has told the client to trust.
//!
//! The client keeps that in `.claude.json` of the home (or of `CLAUDE_CONFIG_DIR`), by directory: `{"projects": {"/p":
//! {"hasTrustDialogAccepted": true}}}`. Trust holds below a directory as well.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt;

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow, default)]
    projects: Projects<'a>,
}

/// The directories that are trusted.
#[derive(Default)]
struct Projects<'a>(Vec<Cow<'a, str>>);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Project {
    #[serde(default)]
    has_trust_dialog_accepted: bool,
}

/// Does the text of the client's own file say that the person trusts the project, or a directory above it? `None` where it
/// can't be read.
#[must_use]
pub(super) fn trusts(text: &str, project: &str) -> Option<bool> {
    let file: File<'_> = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let project = std::path::Path::new(project);
    Some(file.projects.0.iter().any(|trusted| project.starts_with(trusted.as_ref())))
}

impl<'de: 'a, 'a> Deserialize<'de> for Projects<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ProjectsVisitor)
    }
}

struct ProjectsVisitor;

impl<'de> Visitor<'de> for ProjectsVisitor {
    type Value = Projects<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("projects by directory")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut trusted = Vec::new();
        while let Some((directory, project)) = fields.next_entry::<Directory<'de>, Project>()? {
            if project.has_trust_dialog_accepted && directory.0.starts_with('/') {
                trusted.push(directory.0);
            }
        }
        Ok(Projects(trusted))
    }
}

#[derive(Deserialize)]
struct Directory<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::trusts;

    #[test]
    fn trust_is_by_directory_and_holds_below() {
        let text = r#"{"numStartups": 3, "projects": {"/p/a": {"hasTrustDialogAccepted": true, "history": [{}]},
            "/p/b": {"hasTrustDialogAccepted": false}, "/p/c": {}, "": {"hasTrustDialogAccepted": true}}}"#;
        assert_eq!(trusts(text, "/p/a"), Some(true));
        assert_eq!(trusts(text, "/p/a/web"), Some(true));
        for project in ["/p/b", "/p/c", "/p/ab", "/p", "/"] {
            assert_eq!(trusts(text, project), Some(false), "{project}");
        }
        assert_eq!(trusts("{}", "/p/a"), Some(false));
        assert_eq!(trusts("{broken", "/p/a"), None);
        assert_eq!(trusts(r#"{"projects": []}"#, "/p/a"), None);
    }
}
