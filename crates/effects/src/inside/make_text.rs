//! Texts of a makefile, with its variables and those of its functions filled in that say which words come out.

use hookgate_knowledge::shipped;

/// So many bytes of variables and texts are filled in, for a whole file: each can name others many times.
const MOST: usize = 1 << 20;
/// Variables within variables.
const DEEPEST: u32 = 16;

/// Names and what they stand for, the last of a name first.
pub(super) type Variables = [(String, String)];

/// Fills in, up to a limit.
#[derive(Debug)]
pub(super) struct Filler {
    left: usize,
    /// What `$@` stands for.
    target: Option<String>,
}

impl Filler {
    pub(super) fn new() -> Self {
        Self { left: MOST, target: None }
    }

    /// Was something left out, because it would have been too much?
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Replaces `$(NAME)`, `${NAME}`, `$(shell ...)`, `$$` and calls of functions. What make alone knows stays a variable that nobody
    /// sets.
    pub(super) fn fill(&mut self, text: &str, variables: &Variables) -> String {
        self.fill_at(text, variables, 0)
    }

    /// The same for a line of a rule.
    pub(super) fn fill_for(&mut self, target: &str, text: &str, variables: &Variables) -> String {
        self.target = Some(target.to_owned());
        let filled = self.fill(text, variables);
        self.target = None;
        filled
    }

    fn fill_at(&mut self, text: &str, variables: &Variables, depth: u32) -> String {
        self.left = self.left.saturating_sub(text.len() + 1);
        let mut result = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            result.push_str(before);
            if self.is_spent() {
                return result;
            }
            if let Some(after) = after.strip_prefix('$') {
                result.push('$');
                rest = after;
                continue;
            }
            let close = match after.chars().next() {
                Some('(') => ')',
                Some('{') => '}',
                Some(one) => {
                    let (name, behind) = after.split_at_checked(one.len_utf8()).unwrap_or((after, ""));
                    // `$<`, `$^`: paths that the rule names.
                    let value = self.variable(name, variables, depth);
                    result.push_str(value.as_deref().unwrap_or("$MAKE_AUTOMATIC"));
                    rest = behind;
                    continue;
                }
                None => break,
            };
            let Some((name, behind)) = balanced(after, close) else {
                result.push('$');
                rest = after;
                continue;
            };
            rest = behind;
            let called = self.called(name, variables, depth);
            match called.or_else(|| self.variable(name, variables, depth)) {
                Some(value) => result.push_str(&value),
                None => {
                    let plain =
                        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
                    result.push('$');
                    result.push_str(if plain { name } else { "MAKE_FUNCTION" });
                }
            }
        }
        result.push_str(rest);
        result
    }

    /// What a variable of the file, or one of make's own, stands for.
    fn variable(&mut self, name: &str, variables: &Variables, depth: u32) -> Option<String> {
        if let Some((_, value)) = variables.iter().rev().find(|(known, _)| known == name) {
            return (depth < DEEPEST).then(|| self.fill_at(value, variables, depth + 1));
        }
        if name == "@" {
            return self.target.clone();
        }
        let row = shipped().table("make/variables").find(name)?;
        Some(row.cells().collect::<Vec<_>>().join(" "))
    }

    /// What a function of make gives: `$(addprefix ../,a b)`.
    fn called(&mut self, call: &str, variables: &Variables, depth: u32) -> Option<String> {
        let (name, given) = call.split_once([' ', '\t']).filter(|_| depth < DEEPEST)?;
        let fill = |filler: &mut Self, text: &str| filler.fill_at(text, variables, depth + 1);
        let given = given.trim_start();
        let parts = arguments(given);
        Some(match (name, parts.as_slice()) {
            ("shell", _) => format!("$({})", fill(self, given)),
            _ if gives_the_same(name) => fill(self, given),
            ("addprefix" | "addsuffix", [with, words]) => {
                let (with, words) = (fill(self, with), fill(self, words));
                let joined = |word: &str| match name {
                    "addprefix" => format!("{with}{word}"),
                    _ => format!("{word}{with}"),
                };
                self.left = self.left.saturating_sub(with.len() * words.split_whitespace().count());
                if self.is_spent() {
                    return Some(String::new());
                }
                words.split_whitespace().map(joined).collect::<Vec<_>>().join(" ")
            }
            ("if", [condition, chosen @ ..]) => {
                let condition = fill(self, condition);
                if condition.contains('$') {
                    return None;
                }
                let chosen = if condition.trim().is_empty() { chosen.get(1) } else { chosen.first() };
                chosen.map(|text| fill(self, text)).unwrap_or_default()
            }
            ("foreach", [variable, words, text]) => {
                let (variable, words) = (fill(self, variable).trim().to_owned(), fill(self, words));
                let each = words.split_whitespace().map(|word| {
                    let own = with(variables, [(variable.clone(), word.to_owned())]);
                    self.fill_at(text, &own, depth + 1)
                });
                each.collect::<Vec<_>>().join(" ")
            }
            ("call", [function, values @ ..]) => {
                let function = fill(self, function);
                let (_, body) = variables.iter().rev().find(|(known, _)| known == function.trim())?;
                let numbered = values.iter().enumerate().map(|(at, value)| {
                    ((at + 1).to_string(), self.fill_at(value.trim(), variables, depth + 1))
                });
                let own = with(variables, numbered.collect::<Vec<_>>());
                self.fill_at(body, &own, depth + 1)
            }
            _ => return None,
        })
    }
}

/// Are its words the same to a shell as what the function makes of them: globs, paths that are written another way?
fn gives_the_same(function: &str) -> bool {
    shipped().table("make/functions").find(function).is_some_and(|row| row.cell(0) == Some("same"))
}

fn with(variables: &Variables, more: impl IntoIterator<Item = (String, String)>) -> Vec<(String, String)> {
    variables.iter().cloned().chain(more).collect()
}

/// The arguments of a function: commas in brackets separate nothing.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_u32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..));
    found
}

/// What stands between the first character and the closing one that belongs to it, and what is behind.
pub(super) fn balanced(text: &str, close: char) -> Option<(&str, &str)> {
    let open = text.chars().next()?;
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        if character == open {
            depth += 1;
        } else if character == close {
            depth -= 1;
            if depth == 0 {
                let inner = text.get(open.len_utf8()..at)?;
                return Some((inner, text.get(at + close.len_utf8()..)?));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> String {
        let variables = [("OUT", "build/$(NAME)"), ("NAME", "x"), ("each", "rm -rf $(1)/$2"), ("V", "a b")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Filler::new().fill(text, &variables)
    }

    #[test]
    fn variables_and_functions_are_filled_in() {
        for (text, expected) in [
            ("rm -rf $(OUT) ${NAME}", "rm -rf build/x x"),
            ("$(RM) -r $(V)", "rm -f -r a b"),
            ("$(MAKE) -C $(V) $$HOME $V", "make -C a b $HOME a b"),
            ("$(call each,a,$(NAME))", "rm -rf a/x"),
            ("$(foreach d,$(V),rm -rf $(d);)", "rm -rf a; rm -rf b;"),
            ("rm $(addprefix ../,$(V)) $(addsuffix .o,$(V))", "rm ../a ../b a.o b.o"),
            ("$(if $(V),yes,no) $(if ,yes,no) $(if ,yes)", "yes no "),
            ("rm $(wildcard $(OUT)/*.o) $(abspath ../x)", "rm build/x/*.o ../x"),
            (
                "$(if $(shell uname),a,b) $(patsubst %.c,%.o,$(V)) $@",
                "$MAKE_FUNCTION $MAKE_FUNCTION $MAKE_AUTOMATIC",
            ),
            ("$(UNSET) $(call none,a) $(", "$UNSET $MAKE_FUNCTION $("),
        ] {
            assert_eq!(filled(text), expected, "{text}");
        }
    }

    #[test]
    fn what_names_itself_or_others_many_times_is_left_out() {
        let level = |at: usize| (format!("A{at}"), format!("$(A{})", at + 1).repeat(2_000));
        for variables in [
            (0..8).map(level).collect::<Vec<_>>(),
            vec![
                ("A0".to_owned(), "$(foreach a,$(A1),$(A2))".to_owned()),
                ("A1".to_owned(), "x ".repeat(50_000)),
                ("A2".to_owned(), "$(foreach b,$(A1),$(foreach c,$(A1),))".to_owned()),
            ],
            vec![
                ("A0".to_owned(), "$(addprefix $(A1),$(A2))".to_owned()),
                ("A1".to_owned(), "x".repeat(100_000)),
                ("A2".to_owned(), "y ".repeat(100_000)),
            ],
        ] {
            let mut filler = Filler::new();
            assert!(filler.fill("$(A0)", &variables).len() <= 2 * MOST);
            assert!(filler.is_spent());
        }
        let mut filler = Filler::new();
        assert_eq!(filler.fill("$(X)", &[("X".to_owned(), "a$(X)".to_owned())]).len(), 16 + 2);
        assert!(!filler.is_spent());
    }
}
