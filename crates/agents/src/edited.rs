//! What a file holds after a tool has changed it.

use crate::{Map, Tool, ToolCall, Value};

/// The names under which tools take a file's whole new text.
const CONTENT: &[&str] = &["content", "contents", "file_text", "text", "new_content"];
/// The names under which tools take the text that is replaced.
pub const OLD_TEXT: &[&str] = &["old_string", "oldString", "old_str", "old_text", "oldText"];
/// The names under which they take the text that replaces it.
const NEW: &[&str] = &["new_string", "newString", "new_str", "new_text", "newText"];

impl ToolCall {
    /// The text of its file after the call, if the file holds `before` now (`None`: it isn't there). `None` where that can't be
    /// told: the tool changes no single file, or finds the place in a way of its own.
    #[must_use]
    pub fn text_after(&self, before: Option<&str>) -> Option<String> {
        match self.tool() {
            Tool::Write(Some(_)) => text(&self.input, CONTENT).map(str::to_owned),
            Tool::Edit(Some(_)) => match self.input.get("edits").and_then(Value::as_array) {
                Some(edits) => edits.iter().try_fold(before.unwrap_or_default().to_owned(), |now, edit| {
                    replaced(edit.as_object()?, &now)
                }),
                None => replaced(&self.input, before.unwrap_or_default()),
            },
            _ => None,
        }
    }
}

/// A cell of a notebook as a call would leave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its name in the notebook; `None` for one that is new.
    pub id: Option<String>,
    /// It holds text for people, no code.
    pub is_text: bool,
    /// What it holds now; `None` for one that is new, or isn't found.
    pub before: Option<String>,
    /// What it holds then.
    pub after: String,
}

impl ToolCall {
    /// The cell that an edit of a notebook leaves, if the notebook holds `before` now. `None` for other calls, and where a cell is
    /// taken out.
    #[must_use]
    pub fn cell_after(&self, before: Option<&str>) -> Option<Cell> {
        let Tool::Edit(Some(_)) = self.tool() else { return None };
        let after = text(&self.input, &["new_source"])?.to_owned();
        let mode = text(&self.input, &["edit_mode"]).unwrap_or("replace");
        if mode == "delete" {
            return None;
        }
        let kind = text(&self.input, &["cell_type"]);
        let id = text(&self.input, &["cell_id"]).filter(|_| mode == "replace").map(str::to_owned);
        let notebook: Option<Value> = before.and_then(|text| serde_json::from_str(text).ok());
        let cells = notebook.as_ref().and_then(|notebook| notebook.get("cells")?.as_array());
        let known = id.as_deref().zip(cells).and_then(|(id, cells)| {
            let named = |cell: &&Value| cell.get("id").and_then(Value::as_str) == Some(id);
            // Notebooks of older forms have no names: the cells are numbered.
            let number = id.strip_prefix("cell-").and_then(|number| number.parse::<usize>().ok());
            cells.iter().find(named).or_else(|| cells.get(number?))
        });
        let kind = kind.or_else(|| known.and_then(|cell| cell.get("cell_type")?.as_str()));
        Some(Cell {
            id,
            is_text: kind.is_some_and(|kind| kind != "code"),
            before: known.and_then(|cell| source_of(cell.get("source")?)),
            after,
        })
    }
}

/// The source of a cell: a text, or its lines with their ends.
fn source_of(source: &Value) -> Option<String> {
    match source {
        Value::String(text) => Some(text.clone()),
        Value::Array(lines) => Some(lines.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

impl ToolCall {
    /// The text of the file at an absolute path after a call that patches several, if the file holds `before` now. `None` where the
    /// patch doesn't name it, or doesn't fit.
    #[must_use]
    pub fn patched(&self, path: &str, before: Option<&str>) -> Option<String> {
        let Tool::Patch(Some(patch)) = self.tool() else { return None };
        let is_meant = |name: &str| {
            let name = name.trim().trim_start_matches("./");
            path == name || path.strip_suffix(name).is_some_and(|above| above.ends_with('/'))
        };
        let mut lines = patch.lines();
        loop {
            let line = lines.next()?;
            if line.strip_prefix("*** Add File: ").is_some_and(is_meant) {
                let added = lines.map_while(|line| line.strip_prefix('+'));
                return Some(added.flat_map(|line| [line, "\n"]).collect());
            }
            if line.strip_prefix("*** Update File: ").is_some_and(is_meant) {
                let body: Vec<&str> = lines.take_while(|line| !is_file_header(line)).collect();
                return apply(&body, before?);
            }
        }
    }
}

/// Does the line end what is said about a file? A file that is moved keeps its hunks.
fn is_file_header(line: &str) -> bool {
    ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** End Patch"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// The text with the hunks of one file applied, each behind the one before it.
fn apply(body: &[&str], before: &str) -> Option<String> {
    let old: Vec<&str> = before.lines().collect();
    let mut new: Vec<&str> = Vec::new();
    let mut at = 0;
    for hunk in body.split(|line| line.starts_with("@@")) {
        let hunk = hunk.iter().filter(|line| !line.starts_with("***"));
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for line in hunk {
            match line.split_at_checked(1) {
                Some(("-", rest)) => from.push(rest),
                Some(("+", rest)) => to.push(rest),
                Some((" ", rest)) => {
                    from.push(rest);
                    to.push(rest);
                }
                _ => {
                    from.push("");
                    to.push("");
                }
            }
        }
        if from.is_empty() && to.is_empty() {
            continue;
        }
        let rest = old.get(at..)?;
        let found = if from.is_empty() {
            rest.len()
        } else {
            rest.windows(from.len()).position(|window| window == from.as_slice())?
        };
        new.extend(rest.iter().take(found));
        new.extend(to);
        at += found + from.len();
    }
    new.extend(old.get(at..)?);
    Some(new.into_iter().flat_map(|line| [line, "\n"]).collect())
}

fn text<'m>(input: &'m Map, names: &[&str]) -> Option<&'m str> {
    names.iter().find_map(|name| input.get(*name)?.as_str())
}

fn replaced(edit: &Map, before: &str) -> Option<String> {
    let (old, new) = (text(edit, OLD_TEXT)?, text(edit, NEW)?);
    let all = ["replace_all", "replaceAll"].iter().any(|name| edit.get(*name) == Some(&Value::Bool(true)));
    match (old.is_empty(), all) {
        // A new file.
        (true, _) => before.is_empty().then(|| new.to_owned()),
        _ if !before.contains(old) => None,
        (false, true) => Some(before.replace(old, new)),
        (false, false) => Some(before.replacen(old, new, 1)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{CLAUDE_CODE, ToolCall, Value};

    fn after(name: &str, input: Value, before: Option<&str>) -> Option<String> {
        ToolCall::new(&CLAUDE_CODE, name, serde_json::from_value(input).unwrap()).text_after(before)
    }

    #[test]
    fn a_patch_is_applied_to_each_of_its_files() {
        let patch = "*** Begin Patch\n*** Update File: src/a.txt\n@@\n one\n-two\n+2\n@@\n-five\n*** Add File: b.txt\n+new\n+\n+file\n*** End Patch";
        let input = json!({"command": patch});
        let call = ToolCall::new(&crate::CODEX, "apply_patch", serde_json::from_value(input).unwrap());
        assert_eq!(
            call.patched("/p/src/a.txt", Some("zero\none\ntwo\nthree\nfive\n")).unwrap(),
            "zero\none\n2\nthree\n"
        );
        assert_eq!(call.patched("/p/b.txt", None).unwrap(), "new\n\nfile\n");
        assert_eq!(call.patched("/p/src/a.txt", Some("nothing of it\n")), None);
        assert_eq!(call.patched("/p/c.txt", Some("x")), None);
    }

    #[test]
    fn a_cell_is_found_by_its_name_or_number() {
        let notebook = json!({ "cells": [
            { "id": "a1", "cell_type": "code", "source": ["x = 1\n", "y = 2"] },
            { "cell_type": "markdown", "source": "# Title" },
        ] });
        let notebook = notebook.to_string();
        let cell = |input: Value| {
            let call = ToolCall::new(&CLAUDE_CODE, "NotebookEdit", serde_json::from_value(input).unwrap());
            call.cell_after(Some(&notebook)).map(|cell| (cell.id, cell.is_text, cell.before))
        };
        let named = json!({"notebook_path": "/p/a.ipynb", "cell_id": "a1", "new_source": "x"});
        assert_eq!(cell(named), Some((Some("a1".to_owned()), false, Some("x = 1\ny = 2".to_owned()))));
        let numbered = json!({"notebook_path": "/p/a.ipynb", "cell_id": "cell-1", "new_source": "x"});
        assert_eq!(cell(numbered), Some((Some("cell-1".to_owned()), true, Some("# Title".to_owned()))));
        let new = json!({"notebook_path": "/p/a.ipynb", "cell_id": "a1", "new_source": "x", "edit_mode": "insert", "cell_type": "code"});
        assert_eq!(cell(new), Some((None, false, None)));
        let gone =
            json!({"notebook_path": "/p/a.ipynb", "cell_id": "a1", "new_source": "", "edit_mode": "delete"});
        assert_eq!(cell(gone), None);
    }

    #[test]
    fn writes_and_edits_are_applied_to_the_text() {
        let path = "/p/a";
        assert_eq!(after("Write", json!({"file_path": path, "content": "x"}), Some("y")).unwrap(), "x");
        let edit = json!({"file_path": path, "old_string": "a", "new_string": "b"});
        assert_eq!(after("Edit", edit.clone(), Some("aa")).unwrap(), "ba");
        assert_eq!(after("Edit", edit, Some("c")), None);
        let all = json!({"file_path": path, "old_string": "a", "new_string": "b", "replace_all": true});
        assert_eq!(after("Edit", all, Some("aa")).unwrap(), "bb");
        let new = json!({"file_path": path, "old_string": "", "new_string": "b"});
        assert_eq!(after("Edit", new, None).unwrap(), "b");
        let several = json!({"file_path": path, "edits": [
            {"old_string": "a", "new_string": "b"}, {"old_string": "b", "new_string": "c"}]});
        assert_eq!(after("MultiEdit", several, Some("a")).unwrap(), "c");
        assert_eq!(after("Bash", json!({"command": "x"}), Some("a")), None);
        assert_eq!(after("Write", json!({"file_path": path}), Some("a")), None);
    }
}
