//! What a linter printed, as findings.

use std::fmt;

use regex_lite::Regex;
use serde_json::Value;

use crate::Finding;

/// How a linter's output is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Its form; `None` where that is not known.
    pub shape: Option<Shape>,
    /// Where the fields of a finding are.
    pub fields: Fields,
    /// What is put in front of the code: shellcheck says `2086` for `SC2086`.
    pub prefix: String,
}

/// The form of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One JSON document.
    Json,
    /// One JSON document a line, of which those count that have this text in this field (if one is named).
    JsonLines(Option<(String, String)>),
    /// SARIF 2.1.
    Sarif,
    /// The XML of checkstyle.
    Checkstyle,
    /// Text: each match of a regular expression with the groups `file`, `line`, `column`, `code` and `message`.
    Pattern(String),
}

/// Where the fields of a finding are in JSON: names with dots, numbers for places in lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The findings: `Issues`. A list on the way is gone through. Empty where the document is a list of them.
    pub items: String,
    /// The file. What a finding does not have is taken from what is around it.
    pub file: String,
    /// The line.
    pub line: String,
    /// The column.
    pub column: String,
    /// The code.
    pub code: String,
    /// The message.
    pub message: String,
}

/// Why an output can't be read: lowercase, no full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputError(pub String);

impl fmt::Display for OutputError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The most findings that are kept of one run.
const MOST: usize = 2_000;

impl Output {
    /// From the words that rows or a policy give for each of its keys.
    pub fn of(get: impl Fn(&str) -> Option<Vec<String>>) -> Output {
        let text = |key: &str| get(key).map(|words| words.join(" ")).unwrap_or_default();
        let shape = match text("shape").as_str() {
            "json" => Some(Shape::Json),
            "json-lines" => {
                let only = get("only").unwrap_or_default();
                Some(Shape::JsonLines(match only.as_slice() {
                    [field, value] => Some((field.clone(), value.clone())),
                    _ => None,
                }))
            }
            "sarif" => Some(Shape::Sarif),
            "checkstyle" => Some(Shape::Checkstyle),
            "pattern" => Some(Shape::Pattern(text("pattern"))),
            _ => None,
        };
        let fields = Fields {
            items: text("items"),
            file: text("file"),
            line: text("line"),
            column: text("column"),
            code: text("code"),
            message: text("message"),
        };
        Output { shape, fields, prefix: text("prefix") }
    }

    /// What is wrong with the description itself.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        match &self.shape {
            None => Some("no form of output is named".to_owned()),
            Some(Shape::Pattern(pattern)) => match Regex::new(pattern) {
                Err(error) => Some(format!("the pattern can't be read: {error}")),
                Ok(regex) if !regex.capture_names().flatten().any(|name| name == "message") => {
                    Some("the pattern has no group `message`: write `(?<message>.+)`".to_owned())
                }
                Ok(_) => None,
            },
            Some(Shape::Json | Shape::JsonLines(_)) if self.fields.message.is_empty() => {
                Some("no field is named that holds the message".to_owned())
            }
            Some(_) => None,
        }
    }

    /// Reads what a linter of that name printed. An empty output has no findings.
    ///
    /// # Errors
    /// Where the output is not in the form that it should have.
    pub fn read(&self, tool: &str, text: &str) -> Result<Vec<Finding>, OutputError> {
        let error = |what: String| OutputError(what);
        let mut found = match &self.shape {
            None => return Err(error("no form of output is named".to_owned())),
            _ if text.trim().is_empty() => Vec::new(),
            Some(Shape::Json) => {
                let document: Value = serde_json::from_str(text.trim())
                    .map_err(|problem| error(format!("printed what isn't JSON ({problem})")))?;
                self.items(&document)
            }
            Some(Shape::JsonLines(only)) => {
                let documents = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
                let matching = documents.filter(|document| match only {
                    Some((field, value)) => at(document, field).and_then(Value::as_str) == Some(value),
                    None => true,
                });
                matching.flat_map(|document| self.items(&document)).take(MOST).collect()
            }
            Some(Shape::Sarif) => sarif(text)?,
            Some(Shape::Checkstyle) => checkstyle(text)?,
            Some(Shape::Pattern(pattern)) => by_pattern(pattern, text)?,
        };
        found.truncate(MOST);
        for finding in &mut found {
            tool.clone_into(&mut finding.tool);
            if !finding.code.is_empty() {
                finding.code.insert_str(0, &self.prefix);
            }
        }
        Ok(found)
    }

    /// The findings of a document, each looked for in what is around it too.
    fn items(&self, document: &Value) -> Vec<Finding> {
        let mut around = vec![vec![document]];
        for name in self.fields.items.split('.').filter(|name| !name.is_empty()) {
            around = spread(around);
            around.retain_mut(|path| match path.last().and_then(|last| last.get(name)) {
                Some(next) => {
                    path.push(next);
                    true
                }
                None => false,
            });
        }
        spread(around).iter().filter_map(|path| self.finding(path)).take(MOST).collect()
    }

    fn finding(&self, path: &[&Value]) -> Option<Finding> {
        let find = |field: &str| {
            let found = path.iter().rev().find_map(|value| at(value, field).filter(|found| !found.is_null()));
            found.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        let number = |field: &str| find(field).and_then(|text| text.parse().ok()).unwrap_or(0);
        let fields = &self.fields;
        Some(Finding {
            file: find(&fields.file).unwrap_or_default(),
            line: number(&fields.line),
            column: number(&fields.column),
            code: find(&fields.code).unwrap_or_default(),
            message: find(&fields.message)?,
            tool: String::new(),
        })
    }
}

/// A list becomes its entries.
fn spread(around: Vec<Vec<&Value>>) -> Vec<Vec<&Value>> {
    let mut out = Vec::new();
    for path in around {
        match path.last() {
            Some(Value::Array(list)) => out.extend(list.iter().take(MOST).map(|entry| {
                let mut path = path.clone();
                path.push(entry);
                path
            })),
            _ => out.push(path),
        }
    }
    out
}

/// The value at a place; an empty place is none.
fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    if path.is_empty() {
        return None;
    }
    path.split('.').try_fold(value, |value, name| match value {
        Value::Array(list) => list.get(name.parse::<usize>().ok()?),
        value => value.get(name),
    })
}

fn sarif(text: &str) -> Result<Vec<Finding>, OutputError> {
    let output = Output {
        shape: Some(Shape::Json),
        fields: Fields {
            items: "runs.results".to_owned(),
            file: "locations.0.physicalLocation.artifactLocation.uri".to_owned(),
            line: "locations.0.physicalLocation.region.startLine".to_owned(),
            column: "locations.0.physicalLocation.region.startColumn".to_owned(),
            code: "ruleId".to_owned(),
            message: "message.text".to_owned(),
        },
        prefix: String::new(),
    };
    let mut found = output.read("", text)?;
    for finding in &mut found {
        if let Some(path) = finding.file.strip_prefix("file://") {
            finding.file = path.to_owned();
        }
    }
    Ok(found)
}

fn checkstyle(text: &str) -> Result<Vec<Finding>, OutputError> {
    let document = roxmltree::Document::parse(text)
        .map_err(|problem| OutputError(format!("the output isn't XML ({problem})")))?;
    let files = document.descendants().filter(|node| node.has_tag_name("file"));
    let found = files.flat_map(|file| {
        file.children().filter(|node| node.has_tag_name("error")).map(move |node| {
            let text = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
            let number = |name: &str| node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(0);
            Finding {
                file: file.attribute("name").unwrap_or_default().to_owned(),
                line: number("line"),
                column: number("column"),
                code: text("source").rsplit('.').next().unwrap_or_default().to_owned(),
                message: text("message"),
                tool: String::new(),
            }
        })
    });
    Ok(found.take(MOST).collect())
}

fn by_pattern(pattern: &str, text: &str) -> Result<Vec<Finding>, OutputError> {
    let regex = Regex::new(pattern)
        .map_err(|problem| OutputError(format!("the pattern can't be read: {problem}")))?;
    let found = regex.captures_iter(text).take(MOST).map(|groups| {
        let text =
            |name: &str| groups.name(name).map(|group| group.as_str().trim().to_owned()).unwrap_or_default();
        let number = |name: &str| text(name).parse().unwrap_or(0);
        Finding {
            file: text("file"),
            line: number("line"),
            column: number("column"),
            code: text("code"),
            message: text("message"),
            tool: String::new(),
        }
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Linter;

    fn read(linter: &str, text: &str) -> Vec<String> {
        let output = Linter::named(linter).unwrap().output();
        let shown =
            |one: &Finding| format!("{}:{}:{} {} {}", one.file, one.line, one.column, one.code, one.message);
        output.read(linter, text).unwrap().iter().map(shown).collect()
    }

    #[test]
    fn outputs_of_real_linters_become_findings() {
        for (linter, text, expected) in [
            (
                "ruff",
                r#"[{"code":"F401","filename":"/p/a.py","location":{"row":1,"column":8},"message":"`os` imported but unused"}]"#,
                "/p/a.py:1:8 F401 `os` imported but unused",
            ),
            (
                "shellcheck",
                r#"{"comments":[{"file":"a.sh","line":2,"column":6,"level":"info","code":2086,"message":"Double quote"}]}"#,
                "a.sh:2:6 SC2086 Double quote",
            ),
            (
                "eslint",
                r#"[{"filePath":"/p/a.js","messages":[{"ruleId":"eqeqeq","line":3,"column":1,"message":"Expected '==='"}]},{"filePath":"/p/b.js","messages":[]}]"#,
                "/p/a.js:3:1 eqeqeq Expected '==='",
            ),
            (
                "biome",
                "::error title=lint/suspicious/noDebugger,file=/p/a.js,line=2,endLine=2,col=15,endColumn=23::This is unexpected.\n",
                "/p/a.js:2:15 lint/suspicious/noDebugger This is unexpected.",
            ),
            (
                "oxlint",
                r#"{"diagnostics":[{"message":"`debugger` is not allowed","code":"eslint(no-debugger)","filename":"a.js","labels":[{"span":{"line":2,"column":15}}]}]}"#,
                "a.js:2:15 eslint(no-debugger) `debugger` is not allowed",
            ),
            (
                "tsc",
                "a.ts(1,7): error TS2322: Type 'string' is wrong.\n",
                "a.ts:1:7 TS2322 Type 'string' is wrong.",
            ),
            (
                "mypy",
                "a.py:2:9: error: Incompatible types in assignment  [assignment]\na.py:2: note: x\n",
                "a.py:2:9 assignment Incompatible types in assignment",
            ),
            (
                "ty",
                "a.py:2:9: error[invalid-assignment] Object is not assignable\nFound 1 diagnostic\n",
                "a.py:2:9 invalid-assignment Object is not assignable",
            ),
            (
                "yamllint",
                "a.yml:2:9: [warning] truthy value should be one of [false, true] (truthy)\n",
                "a.yml:2:9 truthy truthy value should be one of [false, true]",
            ),
            ("taplo", "error: invalid TOML\n  ┌─ /p/a.toml:3:5\n  │  \n", "/p/a.toml:3:5  invalid TOML"),
            (
                "markdownlint-cli2",
                "a.md:3 error MD001/heading-increment Heading levels [Expected: h2; Actual: h3]\n",
                "a.md:3:0 MD001 Heading levels [Expected: h2; Actual: h3]",
            ),
            (
                "clippy",
                "{\"reason\":\"compiler-artifact\"}\n{\"reason\":\"compiler-message\",\"message\":{\"code\":{\"code\":\"clippy::len_zero\"},\"message\":\"length\",\"spans\":[{\"file_name\":\"src/lib.rs\",\"line_start\":4,\"column_start\":5}]}}\n",
                "src/lib.rs:4:5 clippy::len_zero length",
            ),
            (
                "golangci-lint",
                r#"{"Issues":[{"FromLinter":"errcheck","Text":"unchecked","Pos":{"Filename":"a.go","Line":7,"Column":2}}]}"#,
                "a.go:7:2 errcheck unchecked",
            ),
            (
                "sqlfluff",
                r#"[{"filepath":"a.sql","violations":[{"start_line_no":1,"start_line_pos":9,"code":"LT01","description":"one space"}]}]"#,
                "a.sql:1:9 LT01 one space",
            ),
            (
                "stylelint",
                r#"[{"source":"/p/a.css","warnings":[{"line":1,"column":2,"rule":"color-no-hex","text":"no hex"}]}]"#,
                "/p/a.css:1:2 color-no-hex no hex",
            ),
            (
                "tflint",
                r#"{"issues":[{"rule":{"name":"terraform_x"},"message":"m","range":{"filename":"a.tf","start":{"line":3,"column":1}}}]}"#,
                "a.tf:3:1 terraform_x m",
            ),
        ] {
            assert_eq!(read(linter, text), [expected], "{linter}");
            assert_eq!(read(linter, ""), Vec::<String>::new());
        }
    }

    #[test]
    fn sarif_and_checkstyle_are_read_for_any_tool() {
        let sarif = Output { shape: Some(Shape::Sarif), ..Output::default() };
        let text = r#"{"runs":[{"results":[{"ruleId":"R1","message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///p/a"},"region":{"startLine":2,"startColumn":3}}}]}]}]}"#;
        let found = sarif.read("semgrep", text).unwrap();
        assert_eq!(
            found.first().map(|one| (one.file.as_str(), one.line, one.code.as_str())),
            Some(("/p/a", 2, "R1"))
        );
        let checkstyle = Output { shape: Some(Shape::Checkstyle), ..Output::default() };
        let text = "<?xml version='1.0'?><checkstyle><file name='/p/a'><error line='4' column='1' message='m &lt;' source='a.b.C1'/></file></checkstyle>";
        let found = checkstyle.read("ktlint", text).unwrap();
        let shown: Vec<(u32, &str, &str)> =
            found.iter().map(|one| (one.line, one.code.as_str(), one.message.as_str())).collect();
        assert_eq!(shown, [(4, "C1", "m <")]);
    }

    #[test]
    fn a_broken_output_is_an_error_and_never_a_clean_file() {
        let json = Linter::named("ruff").unwrap().output();
        assert!(
            json.read("ruff", "error: no such file")
                .unwrap_err()
                .to_string()
                .starts_with("printed what isn't JSON")
        );
        let bad = Output { shape: Some(Shape::Pattern("(".to_owned())), ..Output::default() };
        assert!(bad.problem().is_some() && bad.read("x", "y").is_err());
        assert!(Output { shape: Some(Shape::Checkstyle), ..Output::default() }.read("x", "<a>").is_err());
    }
}
