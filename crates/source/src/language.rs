//! Which language a file is in.

use hookgate_knowledge::shipped;

/// A language whose syntax can be checked here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// JSON.
    Json,
    /// JSON with comments and commas at the end of lists.
    CommentedJson,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
    /// XML.
    Xml,
    /// Sections with `name = value`.
    Ini,
    /// bash, or what it can read.
    Shell,
    /// A Dockerfile.
    Docker,
}

/// The languages with their lists of names. What names more comes first.
const NAMED: [(Language, &str); 8] = [
    (Language::CommentedJson, "paths/sources/commented-json"),
    (Language::Json, "paths/sources/json"),
    (Language::Toml, "paths/sources/toml"),
    (Language::Yaml, "paths/sources/yaml"),
    (Language::Xml, "paths/sources/xml"),
    (Language::Ini, "paths/sources/ini"),
    (Language::Shell, "paths/sources/shell"),
    (Language::Docker, "paths/sources/docker"),
];

impl Language {
    /// The language of a file, by its name, and by its first line where that names an interpreter.
    #[must_use]
    pub fn of(path: &str, text: &str) -> Option<Language> {
        if let Some(interpreter) = interpreter(text) {
            let is_shell = shipped().table("paths/sources/shell-interpreters").contains(interpreter);
            return is_shell.then_some(Language::Shell);
        }
        let name = file_name(path).to_ascii_lowercase();
        // Whole names first: `tsconfig.json` is no plain JSON.
        let named = |key: &str| NAMED.iter().find(|(_, list)| shipped().table(list).contains(key));
        let found = named(&name).or_else(|| {
            let ending = name.rsplit_once('.').map(|(_, ending)| ending)?;
            named(ending).or_else(|| {
                // `Dockerfile.dev`
                let docker = shipped().table("paths/sources/docker").contains(name.split('.').next()?);
                NAMED.iter().find(|(language, _)| docker && *language == Language::Docker)
            })
        });
        found.map(|(language, _)| *language)
    }

    /// Its name, for messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Json => "JSON",
            Language::CommentedJson => "JSON with comments",
            Language::Toml => "TOML",
            Language::Yaml => "YAML",
            Language::Xml => "XML",
            Language::Ini => "INI",
            Language::Shell => "a shell script",
            Language::Docker => "a Dockerfile",
        }
    }
}

/// Is it Markdown?
#[must_use]
pub fn is_markdown(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    shipped().table("paths/sources/markdown").contains(ending)
}

/// Is it a workflow of GitHub's, or an action that workflows use?
#[must_use]
pub fn is_workflow(path: &str) -> bool {
    let is_yaml = [".yml", ".yaml"].iter().any(|ending| path.ends_with(ending));
    let is_action = matches!(file_name(path), "action.yml" | "action.yaml");
    let in_workflows = path.rsplit_once('/').is_some_and(|(above, _)| above.ends_with(".github/workflows"));
    is_yaml && (in_workflows || (is_action && path.contains(".github/actions/")))
}

/// Does the file lie where files are kept for tests?
#[must_use]
pub fn is_sample(path: &str) -> bool {
    let directories = shipped().table("paths/sources/sample-directories");
    path.rsplit('/').skip(1).any(|name| directories.contains(&name.to_ascii_lowercase()))
}

/// The program that the first line names: `bash` of `#!/usr/bin/env bash`.
fn interpreter(text: &str) -> Option<&str> {
    let line = text.lines().next()?.strip_prefix("#!")?.trim();
    let mut words = line.split_ascii_whitespace();
    let first = file_name(words.next()?);
    if first == "env" {
        words.find(|word| !word.starts_with('-') && !word.contains('='))
    } else {
        Some(first)
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_an_ending_or_the_first_line_says_the_language() {
        for (path, text, expected) in [
            ("/p/a.json", "", Some(Language::Json)),
            ("/p/tsconfig.json", "", Some(Language::CommentedJson)),
            ("/p/Cargo.toml", "", Some(Language::Toml)),
            ("/p/run", "#!/usr/bin/env -S bash -e\n", Some(Language::Shell)),
            ("/p/run.sh", "#!/usr/bin/env fish\n", None),
            ("/p/run.sh", "", Some(Language::Shell)),
            ("/p/Dockerfile.dev", "", Some(Language::Docker)),
            ("/p/web.Dockerfile", "", Some(Language::Docker)),
            ("/p/app.csproj", "", Some(Language::Xml)),
            ("/p/main.rs", "", None),
            ("/p/README", "", None),
        ] {
            assert_eq!(Language::of(path, text), expected, "{path}");
        }
    }

    #[test]
    fn workflows_and_samples_are_known_by_their_directory() {
        assert!(is_workflow("/p/.github/workflows/test.yml"));
        assert!(is_workflow("/p/.github/actions/my/action.yaml"));
        assert!(!is_workflow("/p/.github/actions/my/README.md") && !is_workflow("/p/ci/test.yml"));
        assert!(is_sample("/p/tests/fixtures/a.json") && !is_sample("/p/fixtures.json"));
    }
}
