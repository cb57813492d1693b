//! What a file holds after a tool has changed it.

use crate::{Map, Tool, ToolCall, Value};

/// The names under which tools take a file's whole new text.
const CONTENT: &[&str] = &["content", "contents", "file_text", "text", "new_content"];
/// The names under which tools take the text that is replaced, and the text that replaces it.
const OLD: &[&str] = &["old_string", "oldString", "old_str", "old_text", "oldText"];
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

fn text<'m>(input: &'m Map, names: &[&str]) -> Option<&'m str> {
    names.iter().find_map(|name| input.get(*name)?.as_str())
}

fn replaced(edit: &Map, before: &str) -> Option<String> {
    let (old, new) = (text(edit, OLD)?, text(edit, NEW)?);
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
