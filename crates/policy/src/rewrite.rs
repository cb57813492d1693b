//! Rewrites: which commands become which.

use std::fmt;

use crate::date::Date;
use crate::pattern::{ArgumentPattern, RunPattern};
use crate::source::LayerKind;

/// A `[[rewrite]]` of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// Its code, for findings.
    pub code: String,
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// The line of its file where it starts, from 1.
    pub line: usize,
    /// The commands that it is about.
    pub run: Vec<RunPattern>,
    /// Those among them that stay as they are.
    pub unless: Vec<RunPattern>,
    /// Environment variables that keep a command as it is, if the command or the session sets one.
    pub unless_env: Vec<String>,
    /// What they become.
    pub to: Template,
    /// What the new command gets.
    pub then: RewriteDecision,
    /// What the old command gets where it can't be rewritten.
    pub otherwise: RewriteFallback,
    /// Also where the agent does not read the output itself.
    pub anywhere: bool,
    /// The codes of what is found about the old command that the new one is the answer to. Everything else that was found
    /// stands beside what is found about the new one.
    pub answers: Vec<String>,
    /// The programs without which nothing is rewritten.
    pub requires: Vec<Requirement>,
    /// Why; empty if nobody said it.
    pub reason: String,
    /// Judged and recorded, but without effect on the answer.
    pub shadow: bool,
    /// The last day on which it applies.
    pub until: Option<Date>,
}

impl Rewrite {
    /// The code of a rewrite that names none.
    pub const CODE: &'static str = "REWRITE";

    /// What messages call it: its code, or where it is.
    #[must_use]
    pub fn name(&self) -> String {
        if self.code == Rewrite::CODE {
            format!("the rewrite on line {}", self.line)
        } else {
            self.code.clone()
        }
    }
}

/// What a rewritten command gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RewriteDecision {
    /// A grant for the new command, and for nothing beside it.
    Allow,
    /// A person is asked.
    Ask,
    /// No opinion.
    #[default]
    Pass,
    /// What the old command would have got, from the agent's own rules too.
    Inherit,
}

/// What a command gets that should have been rewritten and can't be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RewriteFallback {
    /// It stays as it is.
    #[default]
    Pass,
    /// A person is asked.
    Ask,
    /// Refused.
    Deny,
}

/// A program that must be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Its name, as `PATH` finds it.
    pub program: String,
    /// The oldest version that will do; any, if there is none.
    pub minimum: Option<Version>,
}

/// A version: up to three numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 3]);

impl Version {
    /// Reads `1.2.3`, `1.2` or `1`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Version> {
        let mut version = Version::default();
        let mut parts = text.split('.');
        for slot in &mut version.0 {
            let Some(part) = parts.next() else { break };
            *slot = part.parse().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        }
        (parts.next().is_none() && !text.is_empty()).then_some(version)
    }

    /// The first version in what a program says about itself: `tool 1.2.3 (abc)`, `v1.2`.
    #[must_use]
    pub fn find_in(text: &str) -> Option<Version> {
        text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
            let word = word.trim_matches('.');
            let three: Vec<&str> = word.splitn(4, '.').take(3).collect();
            Version::parse(&three.join(".")).filter(|_| three.len() > 1)
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// What a command becomes: words, some of which stand for words of the old command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The words; the first one is never empty.
    pub words: Vec<TemplateWord>,
}

/// A word of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateWord {
    /// This text.
    Literal(String),
    /// `{command}`: the old command, word for word.
    Command,
    /// `{args}`: the arguments that the pattern's only `**` matched, as they were written.
    Arguments,
    /// `{1}`: the arguments that this wildcard of the pattern matched, as they were written. Counted from 0.
    Wildcard(usize),
    /// `--lines={1}`: a word put together from texts and single arguments.
    Joined(Vec<TemplatePiece>),
}

/// A piece of a word that is put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePiece {
    /// This text.
    Literal(String),
    /// The argument that this wildcard matched. Counted from 0.
    Wildcard(usize),
}

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The byte of the template where it is.
    pub offset: usize,
    /// What: lowercase, no full stop.
    pub message: String,
}

impl Template {
    /// Reads a template: words separated by blanks.
    ///
    /// # Errors
    /// A character that means something to a shell, an unknown placeholder, or nothing in it.
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        let mut words = Vec::new();
        let mut offset = 0;
        for word in text.split([' ', '\t', '\n']) {
            if !word.is_empty() {
                words.push(template_word(word).map_err(|error| TemplateError {
                    offset: offset + error.offset,
                    message: error.message,
                })?);
            }
            offset += word.len() + 1;
        }
        let problem = match words.first() {
            None => "is empty",
            Some(TemplateWord::Literal(word)) if word.contains('=') => "starts with an assignment",
            Some(TemplateWord::Literal(_) | TemplateWord::Command) => return Ok(Template { words }),
            Some(_) => "doesn't start with a program",
        };
        Err(TemplateError { offset: 0, message: problem.to_owned() })
    }

    /// The program that it starts with, unless that is the old command's.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        match self.words.first()? {
            TemplateWord::Literal(program) => Some(program),
            _ => None,
        }
    }

    /// Does it fit a pattern: does the pattern have every wildcard that the template names?
    ///
    /// # Errors
    /// What it lacks.
    pub fn fits(&self, pattern: &RunPattern) -> Result<(), String> {
        let wildcards: Vec<&ArgumentPattern> =
            pattern.arguments.iter().filter(|argument| argument.is_wildcard()).collect();
        let rests = wildcards.iter().filter(|wildcard| ***wildcard == ArgumentPattern::Any).count();
        let exists = |number: usize| {
            wildcards.get(number).ok_or_else(|| match wildcards.len() {
                0 => format!("`{{{}}}` refers to a wildcard, but the pattern has none", number + 1),
                count => {
                    format!("`{{{}}}` refers to a wildcard, but the pattern has only {count}", number + 1)
                }
            })
        };
        for word in &self.words {
            match word {
                TemplateWord::Literal(_) | TemplateWord::Command => {}
                TemplateWord::Arguments if rests == 1 => {}
                TemplateWord::Arguments if rests == 0 => {
                    return Err("`{args}` needs a `**` in the pattern".to_owned());
                }
                TemplateWord::Arguments => {
                    return Err(format!("`{{args}}` could be any of {rests} `**`: use its number"));
                }
                TemplateWord::Wildcard(number) => {
                    exists(*number)?;
                }
                TemplateWord::Joined(pieces) => {
                    for piece in pieces {
                        if let TemplatePiece::Wildcard(number) = piece
                            && *exists(*number)? == &ArgumentPattern::Any
                        {
                            return Err(format!(
                                "`{{{}}}` is a `**` and can't be part of a word",
                                number + 1
                            ));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl ArgumentPattern {
    /// Does it stand for more than one text?
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        match self {
            ArgumentPattern::Any => true,
            ArgumentPattern::One(glob) => glob.as_str().contains(['*', '?', '[', '{']),
        }
    }
}

fn template_word(word: &str) -> Result<TemplateWord, TemplateError> {
    match word {
        "{command}" => return Ok(TemplateWord::Command),
        "{args}" => return Ok(TemplateWord::Arguments),
        _ => {}
    }
    let mut pieces = Vec::new();
    let (mut rest, mut offset) = (word, 0);
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else {
            let message = "`{` is never closed".to_owned();
            return Err(TemplateError { offset: offset + before.len(), message });
        };
        literal(before, offset, &mut pieces)?;
        let at = offset + before.len();
        let number = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number {
            Some(number) => pieces.push(TemplatePiece::Wildcard(number)),
            None if matches!(name, "args" | "command") => {
                return Err(TemplateError {
                    offset: at,
                    message: format!("`{{{name}}}` stands for whole words, not part of one"),
                });
            }
            None => {
                return Err(TemplateError {
                    offset: at,
                    message: format!(
                        "unknown placeholder `{{{name}}}`; use {{command}}, {{args}}, {{1}}, {{2}}, ..."
                    ),
                });
            }
        }
        offset = at + name.len() + 2;
        rest = behind;
    }
    literal(rest, offset, &mut pieces)?;
    Ok(match pieces.as_slice() {
        [TemplatePiece::Wildcard(number)] => TemplateWord::Wildcard(*number),
        [TemplatePiece::Literal(text)] => TemplateWord::Literal(text.clone()),
        _ => TemplateWord::Joined(pieces),
    })
}

/// Text that is the same to every shell, quoted or not.
fn literal(text: &str, offset: usize, pieces: &mut Vec<TemplatePiece>) -> Result<(), TemplateError> {
    let plain = |c: char| c.is_alphanumeric() || "_./:=@%+,^-".contains(c);
    if let Some((at, odd)) = text.char_indices().find(|(_, c)| !plain(*c)) {
        let message = format!("`{odd}` is special to the shell: a template is one plain command");
        return Err(TemplateError { offset: offset + at, message });
    }
    if !text.is_empty() {
        pieces.push(TemplatePiece::Literal(text.to_owned()));
    }
    Ok(())
}
