//! Texts that only try whether modules load: imports, and prints of texts and of what the modules hold.

/// Does the text do nothing but import, and print literals and names with dots?
pub(super) fn only_imports(text: &str) -> bool {
    let mut scan = Scan { rest: text };
    let mut imports = 0_u32;
    loop {
        scan.skip(&[' ', '\t', '\n', '\r', ';']);
        if scan.rest.is_empty() {
            return imports > 0;
        }
        let read = match scan.word() {
            "import" => {
                imports += 1;
                scan.imported()
            }
            "from" => {
                imports += 1;
                scan.dotted().is_some() && scan.word() == "import" && scan.names()
            }
            "print" => scan.printed(),
            _ => false,
        };
        scan.skip(&[' ', '\t']);
        if !read || !(scan.rest.is_empty() || scan.rest.starts_with([';', '\n', '\r'])) {
            return false;
        }
    }
}

struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    fn skip(&mut self, characters: &[char]) {
        self.rest = self.rest.trim_start_matches(characters);
    }

    fn take(&mut self, mark: char) -> bool {
        self.skip(&[' ', '\t']);
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// The next name, empty where there is none.
    fn word(&mut self) -> &'a str {
        self.skip(&[' ', '\t']);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        word
    }

    /// `a.b.c`, `.b`
    fn dotted(&mut self) -> Option<()> {
        self.skip(&[' ', '\t', '.']);
        loop {
            let word = self.word();
            if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            if !self.rest.starts_with('.') {
                return Some(());
            }
            self.rest = self.rest.get(1..)?;
        }
    }

    /// `as name`, if it is there.
    fn alias(&mut self) -> bool {
        let before = self.rest;
        if self.word() == "as" {
            return !self.word().is_empty();
        }
        self.rest = before;
        true
    }

    /// What follows `import`.
    fn imported(&mut self) -> bool {
        loop {
            if self.dotted().is_none() || !self.alias() {
                return false;
            }
            if !self.take(',') {
                return true;
            }
        }
    }

    /// What follows `from a import`.
    fn names(&mut self) -> bool {
        let bracket = self.take('(');
        loop {
            if bracket {
                self.skip(&[' ', '\t', '\n', '\r']);
            }
            if self.word().is_empty() || !self.alias() {
                return false;
            }
            if !self.take(',') {
                return !bracket || self.take(')');
            }
        }
    }

    /// `("text", f"text {a.b}", a.b)`
    fn printed(&mut self) -> bool {
        if !self.take('(') {
            return false;
        }
        loop {
            if self.take(')') {
                return true;
            }
            if !(self.text() || self.dotted().is_some()) {
                return false;
            }
            if !self.take(',') {
                return self.take(')');
            }
        }
    }

    /// A text in quotes of one line; with `f` before them, names with dots in braces.
    fn text(&mut self) -> bool {
        self.skip(&[' ', '\t']);
        let formatted = self.rest.starts_with(['f', 'F']);
        let after = self.rest.strip_prefix(['f', 'F', 'r', 'b', 'u']).unwrap_or(self.rest);
        let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return false };
        let inner = after.get(1..).unwrap_or_default();
        let Some(end) = inner
            .find([quote, '\\', '\n'])
            .filter(|end| inner.get(*end..).is_some_and(|rest| rest.starts_with(quote)))
        else {
            return false;
        };
        let (text, rest) = inner.split_at_checked(end).unwrap_or((inner, ""));
        self.rest = rest.get(1..).unwrap_or_default();
        !formatted || only_names_in_braces(text)
    }
}

/// Is there nothing but names with dots in the braces?
fn only_names_in_braces(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((inner, behind)) = after.split_once('}') else { return false };
        let mut scan = Scan { rest: inner };
        if scan.dotted().is_none() || !scan.rest.is_empty() {
            return false;
        }
        rest = behind;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::only_imports;

    #[test]
    fn a_trial_loads_modules_and_says_so() {
        for text in [
            "import torch; print(torch.__version__)",
            "import a.b as c, d\nfrom .e import (f, g as h)\nprint('fine', c.version, f\"{h.x} of {d}\")\n",
            "from app.main import app; print(\"OK\")",
            "import one",
        ] {
            assert!(only_imports(text), "{text}");
        }
        for text in [
            "print('x')",
            "import a; a.run()",
            "from a import *",
            "import a; print(a.run())",
            "import a; print(f'{a.run()}')",
            "import a; print(a['x'])",
            "import a; print('x' + a.y)",
            "import a; print('x') if a else a.run()",
            "import a\nfor x in a.y: x.z",
            "import a; x = a.y",
            "import a; print('''x''')",
            "import a; print('\\x41')",
            "import a; print(end='')",
        ] {
            assert!(!only_imports(text), "{text}");
        }
    }
}
