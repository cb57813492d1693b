//! Globs, against examples and against `globset`.

use globset::GlobBuilder;
use hookgate_policy::{ArgumentPattern, Base, Glob, PathPattern, RunPattern};
use proptest::prelude::*;

#[test]
fn a_path_glob_matches_component_by_component() {
    for (glob, path, expected) in [
        ("a/b", "a/b", true),
        ("a/*", "a/b", true),
        ("a/*", "a/b/c", false),
        ("a/**", "a/b/c", true),
        ("a/**", "a", false),
        ("**/a", "a", true),
        ("**/a", "x/y/a", true),
        ("a/**/b", "a/b", true),
        ("a/**/b", "a/x/y/b", true),
        ("**", "a/b", true),
        ("*.{rs,toml}", "x.toml", true),
        ("{a/b,c}/d", "a/b/d", true),
        ("{a/b,c}/d", "c/d", true),
        ("[!a-c]x", "dx", true),
        ("[!a-c]x", "bx", false),
        ("[]a]", "]", true),
        ("\\*", "*", true),
        ("\\*", "a", false),
        ("a?c", "aüc", true),
        ("*a*b*c", "xxaxxbxxc", true),
        ("*a*b*c", "xxaxxcxxb", false),
    ] {
        assert_eq!(Glob::parse(glob).unwrap().matches_path(path), expected, "{glob} {path}");
    }
}

#[test]
fn a_text_glob_does_not_stop_at_slashes() {
    let glob = Glob::parse("origin/*").unwrap();
    assert!(glob.matches_text("origin/feature/x"));
    assert!(!glob.matches_text("upstream/x"));
}

#[test]
fn errors_say_where() {
    for (glob, offset, message) in [
        ("ab[c", 2, "`[` is never closed"),
        ("a{b,c", 1, "`{` is never closed"),
        ("ab}", 2, "unmatched `}`; write `\\}` for the character"),
        ("[z-a]", 0, "a range in `[...]` is reversed"),
        ("a\\", 1, "nothing follows the `\\`"),
    ] {
        let error = Glob::parse(glob).unwrap_err();
        assert_eq!((error.offset, error.message), (offset, message), "{glob}");
    }
    let many = "{a,b}".repeat(7);
    assert_eq!(Glob::parse(&many).unwrap_err().message, "expands to more than 63 globs");
}

#[test]
fn two_globs_overlap_where_one_path_is_in_both() {
    for (glob, path, expected) in [
        ("src/*.rs", "src/m*", true),
        ("src/*.rs", "src/*.toml", false),
        ("src/**/x.rs", "src/*", true),
        ("src/a/x.rs", "src/*", false),
        ("src/**", "*/a", true),
        ("important.txt", "*.log", false),
        ("a[bc]d", "a?d", true),
        ("a[bc]d", "ad*", false),
        ("*b*", "a*c", true),
    ] {
        assert_eq!(Glob::parse(glob).unwrap().may_overlap(path), expected, "{glob} {path}");
    }
}

#[test]
fn a_tree_is_known_from_its_directory() {
    let glob = Glob::parse("src/gen/**").unwrap();
    assert!(glob.may_match_below("src"));
    assert!(glob.may_match_below("src/gen/deep"));
    assert!(!glob.may_match_below("docs"));
    assert!(glob.covers_below("src/gen"));
    assert!(glob.covers_below("src/gen/deep"));
    assert!(!glob.covers_below("src"));
    assert!(!Glob::parse("src/gen/*").unwrap().covers_below("src/gen"));
}

#[test]
fn a_path_pattern_reads_like_a_line_of_a_gitignore() {
    for (pattern, base, glob) in [
        ("Cargo.lock", Base::Project, "**/Cargo.lock"),
        ("./Cargo.lock", Base::Project, "Cargo.lock"),
        ("db/*.rb", Base::Project, "db/*.rb"),
        ("secrets/", Base::Project, "{**/secrets,**/secrets/**}"),
        ("a/b/", Base::Project, "{a/b,a/b/**}"),
        ("~/.ssh/*", Base::Home, ".ssh/*"),
        ("/etc/", Base::Root, "{etc,etc/**}"),
        ("/", Base::Root, "**"),
        ("**", Base::Project, "**"),
    ] {
        let read = PathPattern::parse(pattern).unwrap();
        assert_eq!((read.base, read.glob.as_str()), (base, glob), "{pattern}");
    }
    assert!(PathPattern::parse("../x").unwrap_err().message.starts_with("`..` is not followed"));
    assert_eq!(PathPattern::parse("").unwrap_err().message, "names no path");
}

#[test]
fn a_command_pattern_counts_arguments() {
    let matches = |pattern: &str, command: &[&str]| {
        let (program, arguments) = command.split_first().unwrap();
        let arguments: Vec<_> = arguments.iter().map(|text| Some(*text)).collect();
        RunPattern::parse(pattern).unwrap().matches(program, &arguments, true)
    };
    assert!(matches("rails db:migrate **", &["rails", "db:migrate"]));
    assert!(matches("rails db:migrate **", &["rails", "db:migrate", "-v", "x"]));
    assert!(!matches("rails db:migrate", &["rails", "db:migrate", "-v"]));
    assert!(matches("git push * main", &["git", "push", "origin", "main"]));
    assert!(!matches("git push * main", &["git", "push", "main"]));
    assert!(matches("git push ** --force*", &["git", "push", "origin", "--force-with-lease"]));
    assert!(matches("python{,3} -m 'a b'", &["python3", "-m", "a b"]));
    assert!(!matches("make \"**\"", &["make", "a", "b"]));
    assert!(matches("** x", &["make", "x"]));
}

#[test]
fn a_computed_argument_is_anything_to_a_restriction_and_nothing_to_a_grant() {
    let pattern = RunPattern::parse("git push * --force").unwrap();
    assert!(pattern.matches("git", &[Some("push"), None], false));
    assert!(!pattern.matches("git", &[Some("push"), None], true));
    assert!(!pattern.matches("git", &[Some("pull"), None], false));
    let open = RunPattern::parse("echo **").unwrap();
    assert!(open.matches("echo", &[None, Some("x")], true));
    assert_eq!(open.arguments, [ArgumentPattern::Any]);
}

fn pattern() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[abc]".prop_map(|text| text),
        2 => Just("*".to_owned()),
        1 => Just("?".to_owned()),
        1 => Just("[ab]".to_owned()),
        // Without `[!a]`: in globset it matches a slash.
        1 => Just("{a,bc}".to_owned()),
        1 => Just("{a/b,c}".to_owned()),
    ];
    let component = prop_oneof![
        4 => prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat()),
        1 => Just("**".to_owned()),
    ];
    // A run of stars inside a component is not in the language that both define.
    prop::collection::vec(component, 1..4)
        .prop_map(|components| components.join("/"))
        .prop_filter("stars beside stars", |glob| {
            !glob.split('/').any(|component| component != "**" && component.contains("**"))
        })
        // Six pairs are 64 globs, which is one more than one may stand for.
        .prop_filter("more globs than one may stand for", |glob| glob.matches('{').count() < 6)
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec("[abc]{1,3}", 1..4).prop_map(|components| components.join("/"))
}

proptest! {
    #[test]
    fn path_globs_agree_with_globset(glob in pattern(), path in path()) {
        let oracle = GlobBuilder::new(&glob).literal_separator(true).build().unwrap().compile_matcher();
        // `**/**` is a corner where globset's answer depends on how many there are.
        prop_assume!(!glob.contains("**/**"));
        prop_assert_eq!(Glob::parse(&glob).unwrap().matches_path(&path), oracle.is_match(&path), "{} {}", glob, path);
    }

    #[test]
    fn what_matches_a_path_overlaps_with_it(glob in pattern(), path in path()) {
        let glob = Glob::parse(&glob).unwrap();
        if glob.matches_path(&path) {
            prop_assert!(glob.may_overlap(&path));
            if let Some((directory, _)) = path.rsplit_once('/') {
                prop_assert!(glob.may_match_below(directory));
            }
        }
        if glob.covers_below(&path) {
            let below = format!("{path}/x/y");
            prop_assert!(glob.matches_path(&below));
        }
    }

    #[test]
    fn any_text_is_a_glob_or_an_error_with_a_place(text in ".{0,40}", other in ".{0,40}") {
        match Glob::parse(&text) {
            Ok(glob) => {
                let _ = glob.matches_path(&other);
                let _ = glob.matches_text(&other);
                let _ = glob.may_overlap(&other);
                let _ = glob.covers_below(&other);
            }
            Err(error) => prop_assert!(error.offset <= text.len()),
        }
        let _ = RunPattern::parse(&text);
        let _ = PathPattern::parse(&text);
    }
}
