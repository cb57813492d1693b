//! The text of a message: a title and a body, in lines.

use hookgate_shell::Span;

/// A message that is known.
pub(crate) struct Text {
    lines: Vec<String>,
    /// The place of its first part in the command text.
    pub(crate) span: Span,
}

impl Text {
    /// Blank lines at both ends and blanks at the ends of lines don't count, as git cleans a message.
    pub(crate) fn new(text: &str, span: Span) -> Text {
        let lines = text.trim().lines().map(|line| line.trim_end().to_owned()).collect();
        Text { lines, span }
    }

    /// Is there nothing in it?
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Its first line.
    pub(crate) fn title(&self) -> &str {
        self.lines.first().map_or("", String::as_str)
    }

    /// Every line with its number, from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines.iter().enumerate().map(|(index, line)| (index + 1, line.as_str()))
    }

    /// The lines below the title, with their numbers.
    pub(crate) fn body(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines().skip(1)
    }

    /// Has the title a form of git's own (`Revert "..."`, `fixup! ...`, `Merge ...`)?
    pub(crate) fn is_of_git(&self) -> bool {
        let title = self.title();
        ["Revert \"", "Reapply \"", "fixup! ", "squash! ", "amend! ", "Merge "]
            .into_iter()
            .any(|start| title.starts_with(start))
    }
}

/// Does the text hold the word, in any case, with no letter or digit right before or after it? Returns where.
pub(crate) fn find_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let plain = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    text.match_indices(&word).any(|(at, found)| {
        let (before, after) = (text.get(..at), text.get(at + found.len()..));
        plain(before.and_then(|before| before.chars().next_back()))
            && plain(after.and_then(|after| after.chars().next()))
    })
}

/// Does a line refer to an issue or a pull request: `#12`, or the URL of one?
pub(crate) fn reference(line: &str) -> Option<&str> {
    line.split([' ', '\t', '(', ')', '[', ']', ',', ';']).find(|word| {
        let word = word.trim_end_matches(['.', ':']);
        let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let hash = word.rsplit_once('#').is_some_and(|(before, after)| {
            number(after) && !before.contains('=') && (before.is_empty() || before.contains('/'))
        });
        let parts: Vec<&str> = word.split('/').collect();
        let named = parts.windows(2).any(|pair| match pair {
            [kind, name] => {
                matches!(*kind, "pull" | "issues" | "merge_requests")
                    && number(name.split(['#', '?']).next().unwrap_or_default())
            }
            _ => false,
        });
        let url = (word.starts_with("https:") || word.starts_with("http:")) && named;
        hash || url
    })
}
