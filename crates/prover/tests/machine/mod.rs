//! A file system that is made up: what lies around the calls of the cases.

use hookgate_prover::{Files, Ground, prove_shell};

/// A project with links, hidden files, settings and repositories in directories that say so.
pub(crate) struct Machine;

impl Files for Machine {
    fn resolve(&self, path: &str) -> Option<String> {
        if path == "/home/dev/project/linked/out" {
            return Some("/etc/shadow".to_owned());
        }
        if path == "/home/dev/project/wide/tree/key.rs" {
            return Some("/home/dev/.ssh/id_rsa".to_owned());
        }
        if path == "/home/dev/project/x.gz" {
            return Some("/home/dev/project/.env".to_owned());
        }
        // What `go` leads to.
        if path == "/home/dev/project/go" || path == "/home/dev/project/away" {
            return Some("/srv/x/y".to_owned());
        }
        if path == "/home/dev/project/inner" {
            return Some("/home/dev/project/bare/refs".to_owned());
        }
        path.strip_prefix("/home/dev/project/out").map(|rest| format!("/etc{rest}"))
    }

    fn names(&self, path: &str, most: usize) -> Vec<String> {
        self.list(path).into_iter().take(most).collect()
    }

    fn list(&self, path: &str) -> Vec<String> {
        let names: &[&str] = match path {
            "/home/dev/project/app" => &[".env", "main.rs"],
            "/home/dev/project/linked" => &["out"],
            "/home/dev/project/dashed" => &["-r"],
            "/home/dev/project/shadowed" => &["enum.py"],
            "/home/dev/project/blanks" => &["a b.txt"],
            "/home/dev/project/lines" => &["a\n.env\nb.txt"],
            "/home/dev/project/underlined" => &["_colorize.py", "__init__.py"],
            "/home/dev/project/hidden" => &[".env", "a.txt"],
            "/home/dev/project/blank" => &["a .env.txt"],
            "/home/dev/project/shown" => &[".env", ".ignore", "a.txt"],
            "/home/dev/project/kept" => &[".env", ".gitignore", "a.rs"],
            "/" => &["etc"],
            "/home/dev/project/src" => &["lib"],
            "/home/dev/project/src/lib" => &["a.rs"],
            // Deeper than anybody looks.
            path if path.starts_with("/home/dev/project/large") => &["k"],
            "/home/dev/project/wide" => &["tree"],
            "/home/dev/project/tokens" => &["token.json"],
            "/home/dev/project/deep" | "/home/dev/project/checked" => &["sub"],
            "/home/dev/project/over" => &["shown"],
            "/home/dev/project/checked/sub" => &["a.sh", ".shellcheckrc"],
            "/home/dev/project/over/shown" => &[".env", ".ignore", "a.txt"],
            "/home/dev/project/deep/sub" => &[".env"],
            "/home/dev/project/wide/tree" => &["key.rs"],
            path if path.ends_with(".rs")
                || path.ends_with(".py")
                || path.ends_with(".txt")
                || path.ends_with(".json")
                || path.ends_with(".env")
                || path.ends_with("ignore")
                || path.ends_with(".sh")
                || path.ends_with("rc") =>
            {
                &[]
            }
            _ => &["main.rs"],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn knows_dashes(&self, directory: &str) -> bool {
        directory == "/home/dev/project/dashed"
    }

    fn staged(&self, directory: &str, paths: &[String], known: bool) -> Option<Vec<String>> {
        let all =
            ["/home/dev/project/secretive/token.json", "/home/dev/project/src/main.rs"].map(str::to_owned);
        let meant = |path: &String| {
            path.starts_with(directory)
                && (paths.is_empty() || paths.iter().any(|place| path.starts_with(place.as_str())))
        };
        let few = directory != "/home/dev/project/vast";
        // In the project as a whole nothing keeps secrets, or there would be no grant for it.
        let whole = directory == "/home/dev/project" && paths.iter().all(|path| path == "/home/dev/project");
        few.then(|| all.into_iter().filter(|path| !whole && !known && meant(path)).collect())
    }

    fn can_enter(&self, path: &str) -> bool {
        !path.contains("nosuch")
            && !path.ends_with(".txt")
            && !path.ends_with(".json")
            && !path.ends_with(' ')
    }

    fn is_link(&self, path: &str) -> bool {
        matches!(path, "/home/dev/project/wide/tree/key.rs" | "/home/dev/project/link.json")
    }

    fn has_hook(&self, directory: &str, name: Option<&str>) -> bool {
        let hook = match directory {
            "/home/dev/project/husky" => "post-index-change",
            "/home/dev/project/checked" => "pre-commit",
            "/home/dev/project/left" => "post-checkout",
            _ => return false,
        };
        name.is_none_or(|name| name == hook)
    }

    fn text(&self, path: &str) -> Option<String> {
        let text = match path {
            "/home/dev/project/extended/ruff.toml" => "extend = \"other.toml\"",
            "/home/dev/project/shown/.ignore" | "/home/dev/project/over/shown/.ignore" => {
                "# what the agent reads\n!.env\n"
            }
            "/home/dev/project/kept/.gitignore" => "*\n!*.rs\n!.env.example\n!src/\n",
            "/home/dev/project/checked/sub/.shellcheckrc" => "external-sources=true",
            "/home/dev/project/composed/compose.yaml" => "include:\n  - path: other.yaml\n",
            _ => "",
        };
        Some(text.to_owned())
    }

    fn holds_repositories(&self, directory: &str) -> bool {
        directory == "/home/dev/project/nested"
    }

    fn is_there(&self, path: &str) -> bool {
        if path == "/home/dev/project/tokens/token.json" {
            return true;
        }
        let bare = ["/home/dev/project/bare/HEAD", "/home/dev/project/bare/commondir"];
        path == "/home/dev/project/fixture/.git"
            || path == "/home/dev/project/data.db"
            || path == "/home/dev/project/compiled/yaml.pyc"
            || path.ends_with("/ruff.toml")
            || path == "/home/dev/project/pointer.txt"
            || path.ends_with("/shown/.ignore")
            || path == "/home/dev/project/kept/.gitignore"
            || path == "/home/dev/project/composed/compose.yaml"
            || path == "/home/dev/project/checked/sub/.shellcheckrc"
            || path == "/home/dev/project/stated/.terraform/terraform.tfstate"
            || path == "/home/dev/project/played/ansible.cfg"
            || path == "/home/dev/project/pinned/rust-toolchain.toml"
            || path == "/home/dev/project/registry/.npmrc"
            || path == "/home/dev/project/jujutsu/.jj/repo/config.toml"
            || path.starts_with("/home/dev/project/node_modules/.bin/") && !path.ends_with("/pytest")
            || path == "/usr/bin/ls"
            || path == "/home/dev/project/a.txt"
            || path == "/home/dev/project/x.gz"
            || bare.contains(&path)
    }
}

/// Why the text isn't granted; `code`: with the project's code.
pub(crate) fn reason(text: &str, code: bool) -> Option<String> {
    let temporary = ["/tmp".to_owned()];
    prove_shell(text, &ground(&temporary, code)).err().map(|refusal| refusal.reason)
}

/// The project of the cases.
pub(crate) fn ground(temporary: &[String], code: bool) -> Ground<'_> {
    Ground {
        cwd: "/home/dev/project",
        home: "/home/dev",
        project: "/home/dev/project",
        also_project: &[],
        temporary,
        path: &[],
        named_exist: false,
        code,
        granted: &[],
        files: &Machine,
    }
}
