//! The compiled base: what is written is read again, and bytes that are no base are empty.

use hookgate_knowledge::{
    Act, Change, Compiler, Count, Facet, Kind, Knowledge, Library, RECEIVER, Role, Specification,
    StandardInput, ValueForm, shipped,
};

fn compile(files: &[(&str, &str)]) -> Result<Vec<u8>, Vec<String>> {
    let mut compiler = Compiler::new();
    for (path, text) in files {
        compiler.add(path, text);
    }
    compiler.finish().map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect())
}

const COPY: &str = r#"
summary = "copy files"
aliases = ["gcopy"]
reviewed = "copy 9.4, 2026-01-31"
stdin = "data"
options = """
-f --force, -n, --level <number>
-t --target-directory <write>   +last
--color[=<text>]                => nothing
--purge                         => delete !write
"""
operands = ["read...", "write => write"]
effects = ["write /etc/x"]

[subs]
options = "--json <text>"
remote-read = "pr.list pr.view"

[sub.pr]
aliases = ["p"]

[sub.pr.sub.close]
handler = "close"
"#;

#[test]
fn what_is_written_is_read_again() {
    let bytes = compile(&[("copy.toml", COPY)]).unwrap();
    let base = Knowledge::new(&bytes).unwrap();
    assert!(base.program("cop").is_none());
    let program = base.program("gcopy").unwrap();
    assert_eq!((program.name(), program.file()), ("copy", "copy.toml"));
    let copy = program.specification();
    assert_eq!(copy.reviewed(), Some("copy 9.4, 2026-01-31"));
    assert_eq!(copy.standard_input(), Some(StandardInput::Data));
    assert!(copy.has_facet(Facet::Reviewed));

    let options: Vec<_> = copy.options().collect();
    assert_eq!(options.len(), 6);
    assert_eq!(options[0].names().collect::<Vec<_>>(), ["-f", "--force"]);
    assert_eq!(options[1].names().collect::<Vec<_>>(), ["-n"]);
    assert_eq!(options[2].value(), ValueForm::Required(Role::Number));
    let options = &options[2..];
    assert_eq!(options[1].value(), ValueForm::Required(Role::Write));
    assert!(options[1].last() && !options[1].first());
    assert_eq!(options[2].value(), ValueForm::Optional(Role::Text));
    assert_eq!(options[2].changes().collect::<Vec<_>>(), [Change::Nothing]);
    let changes: Vec<_> = options[3].changes().collect();
    assert_eq!(changes, [Change::Add(Kind::Delete), Change::Remove(Kind::Write)]);

    let operands = copy.operands();
    assert_eq!((operands[0].role, operands[0].count, operands[0].effect), (Role::Read, Count::Some, None));
    assert_eq!(operands[1].effect, Some(Kind::Write));
    let effect = copy.effects().next().unwrap();
    assert_eq!((effect.kind, effect.target), (Kind::Write, Some("/etc/x")));

    let pr = copy.subcommand("p").unwrap();
    assert_eq!((pr.spelled, pr.name), ("p", "pr"));
    assert_eq!(pr.specification.subcommand("close").unwrap().specification.handler(), Some("close"));
    assert!(pr.specification.lists("list"), "an entry of [subs] beside [sub.pr] is found in it");
}

#[test]
fn rows_are_found_by_key() {
    let rows = r#"
        summary = "places"
        reviewed = "2026-01-31"
        files = ["/.aws/credentials", "/a b"]
        [places]
        "/x /y" = "public below"
        "/z" = ["one 0", "two 1"]
    "#;
    let own = "summary = \"x\"\n[rows.inert]\n\"log show\" = \"--oneline -p\"\n";
    let bytes = compile(&[("places/x.toml", rows), ("git.toml", own)]).unwrap();
    let base = Knowledge::new(&bytes).unwrap();
    assert_eq!(
        base.tables().collect::<Vec<_>>(),
        ["git/inert", "places/x", "places/x/files", "places/x/places"]
    );
    let places = base.table("places/x/places");
    assert_eq!(places.len(), 3);
    assert_eq!(places.find("/y").unwrap().cells().collect::<Vec<_>>(), ["public", "below"]);
    assert_eq!(places.find("/z").unwrap().cell(1), Some("two 1"));
    assert!(places.find("/").is_none());
    assert!(base.table("places/x/files").contains("/a b"));
    assert_eq!(base.table("places/x").find("reviewed").unwrap().cell(0), Some("2026-01-31"));
    assert_eq!(base.table("git/inert").find("show").unwrap().cell(1), Some("-p"));
    assert!(base.table("places/y/places").is_empty());
}

#[test]
fn a_library_says_what_functions_methods_and_modules_do() {
    let python = r#"
        summary = "a library"
        keywords = "if else"
        modules = "os requests"
        computes = "json os.path sys.std*"
        programs = "sh.* tools.rm"
        [stands-for]
        builtins = ""
        posix = "os"
        [functions]
        nothing = "print"
        "delete 0" = "os.remove os.unlink"
        "move 0, write 1" = "os.rename"
        "delete 0 +recursive" = "shutil.rmtree"
        "delete 0..." = "remove_all"
        "upload 1" = "requests.request"
        kill = "os.kill"
        [methods]
        "move self, write 0" = "rename/1"
        nothing = "rename"
        "query 0" = "run/1+"
        [commands]
        "service +doubt" = "config.set"
    "#;
    let other = "summary = \"like it\"\nlike = \"python\"\n[functions]\nunknown = \"print\"\n";
    let bytes = compile(&[("libraries/python.toml", python), ("libraries/other.toml", other)]).unwrap();
    let base = Knowledge::new(&bytes).unwrap();
    let library = Library::of(base, "python");
    assert_eq!(library.function("os.unlink"), Some(Act::On(Kind::Delete, 0)));
    assert_eq!(library.function("posix.unlink"), library.function("os.unlink"));
    assert_eq!(library.function("builtins.print"), Some(Act::Nothing));
    assert_eq!(library.function("os.rename"), Some(Act::Two(Kind::Move, 0, Kind::Write, 1)));
    assert_eq!(library.function("shutil.rmtree"), Some(Act::Tree(Kind::Delete, 0)));
    assert_eq!(library.function("remove_all"), Some(Act::Each(Kind::Delete)));
    assert_eq!(library.function("requests.request"), Some(Act::Web(Kind::Upload, 1)));
    assert_eq!(library.function("os.kill"), Some(Act::Does(Kind::Kill)));
    assert_eq!(library.function("os.remov"), None);
    assert_eq!(library.method("rename", 1), Some(Act::Two(Kind::Move, RECEIVER, Kind::Write, 0)));
    assert_eq!(library.method("rename", 2), Some(Act::Nothing));
    assert_eq!((library.method("run", 0), library.method("run", 3)), (None, Some(Act::Query(0))));
    assert_eq!(library.command("config.set"), Some((Act::Does(Kind::Service), true)));
    assert!(library.keyword("if") && !library.keyword("os"));
    let computing = ["json", "json.dumps", "os.path.join", "sys.stdin"].map(|name| library.computes(name));
    assert_eq!(computing, [true; 4]);
    assert!(!library.computes("jsonish") && !library.computes("os.remove"));
    assert!(library.module("os") && library.module("posix") && library.module("builtins.os"));
    assert!(!library.module("oss"));
    assert_eq!(library.program("sh.git.status"), Some("git.status"));
    assert_eq!((library.program("tools.rm"), library.program("tools.x")), (Some("rm"), None));

    let other = Library::of(base, "other");
    assert_eq!(other.function("print"), Some(Act::Unknown));
    assert_eq!(other.function("os.remove"), Some(Act::On(Kind::Delete, 0)));
    let none = Library::of(base, "none");
    assert_eq!((none.function("print"), none.method("rename", 1)), (None, None));
}

#[test]
fn mistakes_in_a_library_have_their_place_and_the_nearest_name() {
    let text = "summary = \"x\"\nlike = \"pyton\"\n[function]\n[functions]\n\"delte 0\" = \"a\"\n\"shell x\" = \"b\"\nnothing = \"\"\"\nc\nd a\n\"\"\"\n";
    let mistakes = compile(&[("libraries/x.toml", text)]).unwrap_err();
    let expected = [
        "libraries/x.toml:3:2: key \"function\" is unknown; did you mean \"functions\"?",
        "libraries/x.toml:5:1: functions.delte 0: \"delte\" is not what a call does; did you mean \"delete\"?",
        "libraries/x.toml:6:1: functions.shell x: \"x\" is not what a call does",
        "libraries/x.toml:9:3: functions.nothing: \"a\" is there twice; it is in `delte 0` as well",
        "libraries/x.toml:2:8: like: there is no knowledge/libraries/pyton.toml",
    ];
    assert_eq!(mistakes, expected);
}

#[test]
fn commands_of_windows_are_found_by_any_name_in_any_case() {
    let text = "summary = \"x\"\nswitches = \"Recurse Force\"\n[cmdlets]\n\"Remove-Item ri\" = \"Path=delete... => kill\"\n";
    let bytes = compile(&[("windows/powershell.toml", text)]).unwrap();
    let base = Knowledge::new(&bytes).unwrap();
    let row = base.table("windows/powershell/cmdlets").find("ri").unwrap();
    assert_eq!(row.cells().collect::<Vec<_>>(), ["Remove-Item", "kill", "Path=delete..."]);
    assert_eq!(base.table("windows/powershell/switches").len(), 2);

    let text = "summary = \"x\"\n[commands]\n\"del rd\" = \"delte...\"\nRD = \"text => kil\"\n[cmdlet]\n";
    let mistakes = compile(&[("windows/cmd.toml", text)]).unwrap_err();
    let expected = [
        "windows/cmd.toml:3:1: commands.del rd: \"rd\" is there twice; it is in `commands.RD` as well",
        "windows/cmd.toml:3:12: commands.del rd: \"delte\" is not what a value can be; did you mean \"delete\"?",
        "windows/cmd.toml:4:6: commands.RD: \"kil\" is not a kind of effect; did you mean \"kill\"?",
        "windows/cmd.toml:5:2: key \"cmdlet\" is unknown; did you mean \"cmdlets\"?",
    ];
    assert_eq!(mistakes, expected);
}

#[test]
fn cases_are_one_call_a_line() {
    let text = "summary = \"x\"\n[[case]]\ncalls = \'\'\'\nx a => dlete a, read b\n# why\nx b\n\'\'\'\neffects = []\n";
    let mistakes = compile(&[("x.toml", text)]).unwrap_err();
    let expected = [
        "x.toml:4:1: case 1 (`x a => dlete a, read b`): \"dlete\" is not a kind of effect; did you mean \"delete\"?",
        "x.toml:6:1: case 1: `x b`: a call is `COMMAND => EFFECTS`, or `=> nothing`",
        "x.toml:8:11: case 1: `effects` and `calls` exclude each other",
    ];
    assert_eq!(mistakes, expected);
}

#[test]
fn every_mistake_has_its_place_and_the_nearest_name() {
    let text = "summary = \"x\"\noptons = \"\"\noptions = \"\"\"\n-a <red>\n-b, -c => dlete\n\"\"\"\noperands = [\n  \"wrte\",\n]\nstdin = \"progam\"\n";
    let mistakes = compile(&[("x.toml", text)]).unwrap_err();
    let expected = [
        "x.toml:2:1: key \"optons\" is unknown; did you mean \"options\"?",
        "x.toml:4:1: options: `-a <red>`: \"red\" is not a role; did you mean \"read\"?",
        "x.toml:5:1: options: `-b, -c => dlete`: \"dlete\" is not a kind of effect; did you mean \"delete\"?",
        "x.toml:5:1: options: `-b, -c => dlete`: \"dlete\" is not a kind of effect; did you mean \"delete\"?",
        "x.toml:8:3: operands: \"wrte\" is not a role; did you mean \"write\"?",
        "x.toml:10:9: stdin: is one of \"program\", \"data\", \"none\"; did you mean \"program\"?",
    ];
    assert_eq!(mistakes, expected);
}

#[test]
fn a_name_has_one_file() {
    let text = "summary = \"x\"\naliases = [\"b\"]\n";
    let mistakes = compile(&[("a.toml", text), ("b.toml", "summary = \"x\"\n")]).unwrap_err();
    assert_eq!(mistakes, ["b.toml: \"b\" is also a name of knowledge/a.toml; a name has one file"]);
}

#[test]
fn broken_toml_is_a_mistake_with_a_place() {
    let mistakes = compile(&[("a.toml", "summary = \"x\"\noptions = [\n")]).unwrap_err();
    assert!(mistakes[0].starts_with("a.toml:"), "{mistakes:?}");
}

/// Reads all that a specification says; how much that is.
fn walk(specification: Specification<'_>, depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    let options: usize = specification
        .options()
        .map(|option| option.names().filter(|name| !name.is_empty()).count() + option.changes().count())
        .sum();
    let inner: usize = specification
        .subcommands()
        .map(|sub| walk(sub.specification, depth - 1))
        .chain(specification.short_subcommands().map(|short| walk(short.specification, depth - 1)))
        .chain(specification.default().map(|default| walk(default, depth - 1)))
        .sum();
    let effects = specification.effects().count() + specification.operands().len();
    options + inner + effects + usize::from(specification.handler().is_some())
}

#[test]
fn the_shipped_base_is_whole() {
    let names: Vec<_> = shipped().programs().map(|(name, _)| name).collect();
    assert!(names.len() > 3000 && names.is_sorted_by(|one, next| one < next));
    for (name, program) in shipped().programs() {
        assert!(!program.name().is_empty() && !program.file().is_empty(), "{name}");
        assert_eq!(shipped().exact_program(name).unwrap().name(), program.name());
        for (sub, next) in
            program.specification().subcommands().zip(program.specification().subcommands().skip(1))
        {
            assert!(sub.spelled < next.spelled, "{name} {}", sub.spelled);
        }
    }
    let said: usize = shipped().programs().map(|(_, program)| walk(program.specification(), 16)).sum();
    assert!(said > 100_000, "{said}");
}

#[test]
fn other_bytes_are_no_base_and_broken_ones_end() {
    assert!(Knowledge::new(b"").is_none());
    assert!(Knowledge::new(b"something else entirely").is_none());
    let bytes = compile(&[("copy.toml", COPY)]).unwrap();
    for at in 8..bytes.len() {
        for value in [0, 3, 0xff] {
            let mut broken = bytes.clone();
            broken[at] = value;
            let Some(base) = Knowledge::new(&broken) else { continue };
            for (_, program) in base.programs().take(5) {
                walk(program.specification(), 2);
            }
        }
    }
}
