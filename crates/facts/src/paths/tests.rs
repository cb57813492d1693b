//! Classes of paths.

use super::*;
use crate::world::Entry;

struct Linked(&'static [(&'static str, &'static str)]);

impl World for Linked {
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    fn read(&self, _path: &str, _limit: usize) -> Option<Vec<u8>> {
        None
    }
    fn entry(&self, _path: &str) -> Option<Entry> {
        None
    }
    fn resolve(&self, path: &str) -> Option<String> {
        let (link, target) = self.0.iter().find(|(link, _)| is_within(path, link))?;
        Some(path.replacen(link, target, 1))
    }
    fn list(&self, _path: &str, _limit: usize) -> Vec<String> {
        Vec::new()
    }
}

fn places() -> Places {
    Places {
        cwd: "/home/dev/project".into(),
        home: "/home/dev".into(),
        project: "/home/dev/project".into(),
        also_project: vec!["/home/dev/worktree".into()],
        temporary: vec!["/tmp".into(), "/home/dev/project/.scratch".into()],
        gate: vec!["/home/dev/project/.hookgate.toml".into(), "/home/dev/.config/hookgate".into()],
        agent_settings: vec!["/home/dev/.claude/settings.json".into()],
    }
}

fn classed(path: &str) -> PathFact {
    fact(path.to_owned(), Spelling::of(path.contains(['*', '?', '[']), false), &places(), &Linked(&[]), &[])
}

#[test]
fn normalising_takes_dots_and_doubled_slashes_away() {
    assert_eq!(normalise("/a//b/./c/../d/"), "/a/b/d");
    assert_eq!(normalise("/../.."), "/");
    assert_eq!(absolute("x/../../y", Some("/a/b")).as_deref(), Some("/a/y"));
    assert_eq!(absolute("x", None), None);
    assert_eq!(absolute("C:\\Windows\\x", None).as_deref(), Some("/c/Windows/x"));
}

#[test]
fn places_are_told_apart() {
    for (path, place) in [
        ("/dev/null", Place::Null),
        ("/dev/stdout", Place::Null),
        ("/dev/sda", Place::Device),
        ("/tmp/x", Place::Temporary),
        ("/dev/shm/x", Place::Temporary),
        ("/home/dev/project/src", Place::Project),
        ("/home/dev/worktree/src", Place::Project),
        ("/home/dev/project/.scratch/x", Place::Temporary),
        ("/home/dev/other", Place::Home),
        ("/home/somebody/x", Place::Home),
        ("/home/dev/project-two", Place::Home),
        ("/data/x", Place::Elsewhere),
        ("/etc/hosts", Place::System),
        ("/", Place::System),
        ("/*", Place::System),
        ("/mnt/c/Windows/x", Place::System),
    ] {
        assert_eq!(classed(path).place, place, "{path}");
    }
}

#[test]
fn roots_are_home_project_and_what_is_above_them() {
    for path in [
        "/",
        "/home",
        "/home/dev",
        "/home/dev/project",
        "/home/dev/*",
        "/home/dev/project/*",
        "/home/eve",
        "/root",
        "/*",
    ] {
        assert!(classed(path).traits.contains(Traits::ROOT), "{path}");
    }
    for path in [
        "/home/dev/project/src",
        "/home/dev/project/*.log",
        "/home/dev/project/src/*",
        "/tmp/*",
        "/home/dev/x",
    ] {
        assert!(!classed(path).traits.contains(Traits::ROOT), "{path}");
    }
}

#[test]
fn secrets_are_known_by_name_and_directory() {
    for path in [
        "/home/dev/project/.env",
        "/home/dev/project/.ENV",
        "/home/dev/project/.env.production",
        "/home/dev/project/prod.env",
        "/home/dev/.ssh/id_ed25519",
        "/home/dev/.ssh/config",
        "/home/dev/.ssh",
        "/home/dev/.ssh/*",
        "/home/dev/project/.e*",
        "/home/dev/.aws/credentials",
        "/home/dev/.aws/c*",
        "/home/dev/.netrc",
        "/home/dev/.npmrc",
        "/home/dev/.docker/config.json",
        "/home/dev/.config/gh/hosts.yml",
        "/home/dev/.gnupg/private.gpg",
        "/etc/shadow",
        "/srv/tls/server.key",
        "/srv/tls/server.pem",
        "/proc/self/environ",
        "/home/dev/Library/Keychains/login.keychain-db",
        "/home/dev/Library/Application Support/com.vercel.cli/auth.json",
        "/home/dev/.local/share/com.vercel.cli/auth.json",
        "/home/dev/.railway/config.json",
        "/home/dev/.kube/config",
        "/home/dev/.kube/staging.yaml",
        "/home/dev/project/infra/kubeconfig",
        "/home/dev/project/android/key.properties",
    ] {
        assert!(classed(path).traits.contains(Traits::SECRET), "{path}");
    }
    for path in [
        "/home/dev/project/.env.example",
        "/home/dev/project/.env.local.sample",
        "/home/dev/project/.env.template",
        "/home/dev/project/.npmrc",
        "/home/dev/.kube",
        "/home/dev/.kube/cache/discovery/one.json",
        "/home/dev/project/local.properties",
        "/home/dev/project/.envoy",
        "/home/dev/project/src/env.rs",
        "/home/dev/.ssh/id_rsa.pub",
        "/home/dev/.ssh/known_hosts",
        "/home/dev/project/*",
        "/home/dev/project/*.json",
        "/home/dev/project/cert.pem",
        "/home/dev/project/keys.ts",
    ] {
        assert!(!classed(path).traits.contains(Traits::SECRET), "{path}");
    }
}

#[test]
fn gate_agent_settings_git_and_startup_files_are_known() {
    for (path, traits) in [
        ("/home/dev/project/.hookgate.toml", Traits::GATE),
        ("/srv/other/.hookgate.local.toml", Traits::GATE),
        ("/home/dev/project/.hook*", Traits::GATE),
        ("/home/dev/.config/hookgate/hookgate.toml", Traits::GATE),
        ("/etc/hookgate/policy.toml", Traits::GATE),
        ("/home/dev/.cargo/bin/hookgate", Traits::GATE),
        ("/home/dev/.claude/settings.json", Traits::AGENT_SETTINGS),
        ("/home/dev/project/.claude/settings.local.json", Traits::AGENT_SETTINGS),
        ("/home/dev/project/.claude/hooks/x.sh", Traits::AGENT_SETTINGS),
        ("/home/dev/project/.git/hooks/pre-commit", Traits::GIT_HOOK),
        ("/home/dev/project/.git/config", Traits::GIT_HOOK),
        ("/home/dev/.gitconfig", Traits::GIT_HOOK),
        ("/home/dev/project/.git/index", Traits::GIT),
        ("/home/dev/.bashrc", Traits::STARTUP),
        ("/etc/cron.d/x", Traits::STARTUP),
        ("/home/dev/.config/systemd/user/x.service", Traits::STARTUP),
        ("/home/dev/Library/LaunchAgents/x.plist", Traits::STARTUP),
        ("/usr/local/bin/x", Traits::PROGRAMS),
        ("/home/dev/.local/bin/x", Traits::PROGRAMS),
    ] {
        assert!(classed(path).traits.contains(traits), "{path}");
    }
    for path in
        ["/home/dev/project/src/hookgate.rs", "/home/dev/project/hookgate/x", "/home/dev/project/.gitignore"]
    {
        assert_eq!(classed(path).traits, Traits::default(), "{path}");
    }
    assert!(tree_traits("/home/dev/.config", &places()).contains(Traits::GATE));
    for name in
        [".claude", ".Claude", ".claude*", ".cl*", ".claud?", ".[c]laude", ".qwen", ".windsurf", ".c*"]
    {
        let path = format!("/home/dev/project/{name}");
        assert!(tree_traits(&path, &places()).contains(Traits::AGENT_SETTINGS), "{name}");
    }
    for name in [".cache", ".git*", ".github", ".config", ".local", "claude*", ".x*", ".eslint*", ".*rc"] {
        let path = format!("/home/dev/project/{name}");
        assert!(!tree_traits(&path, &places()).contains(Traits::AGENT_SETTINGS), "{name}");
    }
    assert!(tree_traits("/home/dev/x/.aw*", &places()).contains(Traits::SECRET));
}

#[test]
fn what_is_hidden_below_a_home_is_settings_unless_it_is_data() {
    for path in [
        "/home/dev/.vimrc",
        "/home/dev/.emacs.d/lisp/x.el",
        "/home/dev/.config/nvim/init.lua",
        "/root/.wezterm.lua",
        "/home/other/.pyenv/shims/python",
        "/Users/dev/.zsh/plugins/x.zsh",
        "/home/dev/.local/lib/python3.12/site-packages/x.pth",
        "/home/dev/.local/share/bash-completion/completions/git",
        "/home/dev/project/.vscode/tasks.json",
        "/usr/lib/python3/dist-packages/sitecustomize.py",
    ] {
        assert!(classed(path).traits.contains(Traits::SETTINGS), "{path}");
    }
    for path in [
        "/home/dev/.cache/pip/x",
        "/home/dev/.local/share/Trash/files/x",
        "/home/dev/notes/.hidden",
        "/home/dev/project/.eslintrc",
        "/home/dev/.claude/plans/x.md",
        "/home/dev/.npm/_logs/x.log",
    ] {
        assert!(!classed(path).traits.contains(Traits::SETTINGS), "{path}");
    }
}

#[test]
fn a_path_is_as_bad_as_what_its_links_lead_to() {
    let world = Linked(&[("/home/dev/project/out", "/etc")]);
    let found = fact("/home/dev/project/out/passwd".into(), Spelling::Plain, &places(), &world, &[]);
    assert_eq!((found.place, found.real.as_deref()), (Place::System, Some("/etc/passwd")));
    let made = [("/tmp/k".to_owned(), "/home/dev/.ssh".to_owned())];
    let found = fact("/tmp/k/id_rsa".into(), Spelling::Plain, &places(), &Linked(&[]), &made);
    assert!(found.traits.contains(Traits::SECRET));
}

#[test]
fn quoted_globs_name_one_file() {
    let of = |path: &str, spelling| fact(path.into(), spelling, &places(), &Linked(&[]), &[]);
    assert_eq!(of("/et?", Spelling::Pattern).place, Place::System);
    assert_eq!(of("/et?", Spelling::Plain).place, Place::System);
    assert_eq!(of("/et?", Spelling::Literal).place, Place::Elsewhere);
    assert_eq!(of("/etc/x?", Spelling::Literal).place, Place::System);
}

#[test]
fn a_glob_of_directories_means_those_of_agents_where_it_says_hidden_ones() {
    for path in ["*/*", "src/*/*", "packages/*/*.json", "*/settings.json", "*/*/*"] {
        let found = classed(&format!("/home/dev/project/{path}"));
        assert!(!found.traits.contains(Traits::AGENT_SETTINGS), "{path}");
    }
    for path in [".*/*.json", ".cl*/*.json", ".claude/*.json", ".*/settings.json"] {
        let found = classed(&format!("/home/dev/project/{path}"));
        assert!(found.traits.contains(Traits::AGENT_SETTINGS), "{path}");
    }
    assert!(classed("/etc/claude-code/managed-settings.json").traits.contains(Traits::AGENT_SETTINGS));
}

#[test]
fn globs_match_as_a_shell_matches() {
    assert!(glob_matches(".e*", ".env"));
    assert!(!glob_matches("*env", ".env"));
    assert!(glob_matches("id_[re]*", "id_rsa"));
    assert!(!glob_matches("id_[!r]*", "id_rsa"));
    assert!(glob_matches("a*b*c", "axxbyyc"));
    assert!(!glob_matches("[", "x"));
}

#[test]
fn a_glob_that_stands_for_a_key_is_secret() {
    let classed_as_secret = |glob: &str| {
        let path = format!("/srv/{glob}");
        secrets::is_secret(&path, known::Known::of(&path), true, &Places::default())
    };
    for glob in ["certs/tls.*", "a/secrets/@(tls.key|ca.txt)", "certs/*"] {
        assert!(classed_as_secret(glob), "{glob}");
    }
    for glob in ["certs/*.crt", "docs/*", "notes/@(a.txt|b.txt)"] {
        assert!(!classed_as_secret(glob), "{glob}");
    }
}

#[test]
fn what_is_odd_in_a_path_is_seen_wherever_it_stands() {
    for length in 3..70 {
        let plain = format!("/{}", "a".repeat(length));
        assert_eq!(normalise(&plain), plain);
        for at in 1..length {
            let (before, after) = plain.split_at(at);
            let (parent, rest) = (before.trim_end_matches('/'), after.trim_end_matches('/'));
            assert_eq!(
                normalise(&format!("{before}//{after}")),
                format!("{parent}/{rest}"),
                "{at} of {length}"
            );
            assert_eq!(
                normalise(&format!("{before}/./{after}")),
                format!("{parent}/{rest}"),
                "{at} of {length}"
            );
            assert_eq!(normalise(&format!("{before}/../{after}")), format!("/{rest}"), "{at} of {length}");
            assert_eq!(classed(&format!("{before}/.ENV")).traits, Traits::SECRET, "{at} of {length}");
        }
    }
}
