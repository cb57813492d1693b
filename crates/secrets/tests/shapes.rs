//! Every shape finds what is drawn from it, and nothing in what only looks alike. No token in here was ever real: all are
//! drawn by a counter.

#![expect(clippy::string_slice, reason = "a test may panic, and says where")]

use hookgate_secrets::{
    ANCHOR, Certainty, MAXIMUM_CERTAIN, MAXIMUM_LIKELY, fingerprint, known_names, mask, scan, scan_named,
    table,
};
use hookgate_testing::Draw;

#[test]
fn there_are_at_least_eighty_shapes_and_each_can_be_searched_for() {
    assert!(table().len() >= 80, "{}", table().len());
    for row in table().rows() {
        let shape = row.cell(0).unwrap();
        let behind = shape.strip_prefix('{').map_or(shape, |rest| rest.split_once('}').unwrap().1);
        let anchor = behind.split('{').next().unwrap();
        assert!(anchor.len() >= ANCHOR, "{}: \"{shape}\" has no literal piece to search for", row.key());
        assert_eq!(row.cells().count(), 1, "{}: a shape has no blanks", row.key());
    }
}

#[test]
fn tokens_are_found_in_every_place_that_they_turn_up_in() {
    let places = [
        ("", ""),
        ("curl -H 'Authorization: Bearer ", "' https://api.example.com"),
        ("export TOKEN=", "\n"),
        ("{\"key\": \"", "\"}"),
        ("const key = `", "`;"),
        ("https://x.example/?k=", "&a=b"),
        ("a\n", "\nb"),
        ("(", ")"),
    ];
    let mut draw = Draw::new(7);
    let (mut all, mut missed) = (0_usize, Vec::new());
    for row in table().rows() {
        let missed_before = missed.len();
        for (before, after) in places {
            let token = draw.token(row.cell(0).unwrap());
            let text = format!("{before}{token}{after}");
            let found = scan(&text);
            all += 1;
            let hit = found.iter().any(|one| {
                one.certainty == Certainty::Certain
                    && text[one.range.clone()].contains(token.trim_start_matches("https://"))
            });
            if !hit {
                missed.push(format!("{}: {text:?} -> {found:?}", row.key()));
            }
        }
        assert!(missed.len() - missed_before < places.len() / 2, "{}: {missed:#?}", row.key());
    }
    assert!(all >= 1_000, "{all}");
    let share = missed.len() * 100 / all;
    assert!(share < 2, "{} of {all} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn what_only_stands_for_a_token_is_not_one() {
    for text in [
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "ghp_0123456789012345678901234567890123456",
        "npm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "sk-ant-api03-YOUR_KEY",
        "export GITHUB_TOKEN=ghp_...",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "password = os.getenv(\"DATABASE_PASSWORD\")",
        "const password = process.env.DATABASE_PASSWORD",
        "password: $DATABASE_PASSWORD",
        "postgres://postgres:postgres@localhost:5432/app",
        "postgres://user:password@db.acme.dev/app",
        "redis://:${REDIS_PASSWORD}@cache.acme.dev",
        "https://user:<token>@github.com/acme/app",
        "-----BEGIN PRIVATE KEY-----",
        "if line.startswith('-----BEGIN RSA PRIVATE KEY-----'):",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEr8ZUvYdRqNq\n-----END PUBLIC KEY-----",
        "secret_key = get_secret_value_from_store(name)",
        "api_key: string;",
        "let token = tokenizer.next_token_of_kind();",
        "csrf_token = generateCsrfTokenForSession",
        "SECRET_TOKEN_HEADER = 'X-Secret-Token-Header'",
        "integrity sha512-9kZQ3xJt0pV8yHs2mN4bRc7wLd5fGa1uTe6iXo==",
    ] {
        assert_eq!(scan(text), Vec::new(), "{text}");
    }
}

#[test]
fn keys_urls_and_assignments_are_found() {
    let mut draw = Draw::new(11);
    let body = draw.text("alnum", 64);
    let key = format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----");
    let escaped = key.replace('\n', "\\n");
    let password = draw.text("alnum", 20);
    let url = format!("DATABASE_URL=postgres://app:{password}@db.acme.dev:5432/app");
    let assigned = format!("DEPLOY_ACCESS_KEY={}", draw.text("alnum", 40));
    let quoted = format!("\"client_secret\": \"{}\"", draw.text("alnum", 32));
    for (text, name) in [
        (key.as_str(), "private-key"),
        (escaped.as_str(), "private-key"),
        (url.as_str(), "url-password"),
        (assigned.as_str(), "assigned-secret"),
        (quoted.as_str(), "assigned-secret"),
    ] {
        let found: Vec<&str> = scan(text).iter().map(|one| one.name).collect();
        assert_eq!(found, [name], "{text}");
    }
}

#[test]
fn a_token_begins_behind_an_escape() {
    let token = Draw::new(21).token("ghp_{alnum:36}");
    for before in [
        "\u{1b}[31m",
        "\u{1b}[1;38;5;196m",
        "\u{1b}[K",
        "\u{1b}(B",
        "\\x1b[31m",
        "\\u001b[0m",
        "\\033[1m",
        "\\e[31m",
        "l\\n",
        "l\\t",
        "l\\r",
        "l\\b",
        "l\\f",
        "l\\u000a",
        "l\\\\n",
    ] {
        let text = format!("{before}{token}\u{1b}[0m");
        let found: Vec<&str> = scan(&text).iter().map(|one| &text[one.range.clone()]).collect();
        assert_eq!(found, [token.as_str()], "{text:?}");
    }
    for before in ["n", "31m", "[31m", "\\un", "\\q"] {
        assert_eq!(scan(&format!("x{before}{token}")), [], "{before}");
    }
}

#[test]
fn guesses_take_no_room_from_what_is_certain() {
    let mut draw = Draw::new(22);
    let guesses: String =
        (0..2 * MAXIMUM_LIKELY).map(|_| format!("deploy_access_key={}\n", draw.text("alnum", 40))).collect();
    let token = draw.token("ghp_{alnum:36}");
    let found = scan(&format!("{guesses}{token}\n")).pop().unwrap();
    assert_eq!((found.name, found.certainty), ("github-personal-token", Certainty::Certain));
    let last = format!("deploy_access_key={}", draw.text("alnum", 40));
    let text = format!("{guesses}{token}\n{last}\nnothing");
    let found = scan(&text);
    assert_eq!(found.len(), MAXIMUM_LIKELY + 2, "those that are not told apart are in the last of them");
    let masked = mask(&text).unwrap();
    let guessed = guesses.lines().chain([last.as_str()]).filter(|line| !scan(line).is_empty());
    let values = guessed.filter_map(|line| line.split_once('='));
    assert_eq!(values.filter(|(_, value)| masked.contains(value)).count(), 0);
    assert!(masked.ends_with("\nnothing"), "{masked}");

    let tokens: Vec<String> = (0..600).map(|_| draw.token("ghp_{alnum:36}")).collect();
    assert_eq!(scan(&tokens.join("\n")).len(), tokens.len());
}

#[test]
fn behind_too_many_secrets_all_the_rest_is_masked() {
    let mut draw = Draw::new(23);
    let tokens: Vec<String> = (0..MAXIMUM_CERTAIN + 10).map(|_| draw.token("ghp_{alnum:36}")).collect();
    let text = tokens.join("\n");
    assert_eq!(scan(&text).len(), MAXIMUM_CERTAIN);
    let masked = mask(&text).unwrap();
    let shown = tokens.iter().skip(MAXIMUM_CERTAIN).find(|token| masked.contains(token.as_str()));
    assert_eq!(shown, None);
    assert_eq!(masked.matches('\n').count(), text.matches('\n').count());
}

#[test]
fn a_name_outside_of_the_text_tells_what_a_value_is() {
    let mut draw = Draw::new(25);
    let value = draw.text("alnum", 40);
    let names = |name: &str| -> Vec<(&str, std::ops::Range<usize>)> {
        scan_named(name, &value).into_iter().map(|one| (one.name, one.range)).collect()
    };
    assert_eq!(names("AWS_SECRET_ACCESS_KEY"), [("aws-secret-key", 0..40)]);
    assert_eq!(names("clientSecret"), [("assigned-secret", 0..40)]);
    assert_eq!(names("command"), []);
    assert_eq!(scan_named("PASSWORD", "$DATABASE_PASSWORD_OF_ACME"), []);
}

#[test]
fn a_key_that_was_cut_off_is_one() {
    let mut draw = Draw::new(24);
    let lines: Vec<String> = (0..5).map(|_| draw.text("alnum", 64)).collect();
    let body = lines.join("\n");
    for (front, behind) in
        [("", ""), ("", "\n"), ("Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n", "\n")]
    {
        let text = format!("-----BEGIN RSA PRIVATE KEY-----\n{front}{body}{behind}");
        for text in [text.clone(), text.replace('\n', "\\n"), text.replace('\n', "\r\n")] {
            let found = scan(&text);
            let [one] = found.as_slice() else { panic!("{text}: {found:?}") };
            assert_eq!(one.name, "private-key");
            assert!(text[one.range.clone()].ends_with(&lines[4]), "{text}");
        }
    }
    let text = format!("-----BEGIN PRIVATE KEY-----\n{body}\nabcd==\nand some prose behind it");
    assert!(mask(&text).unwrap().ends_with("\nand some prose behind it"), "{:?}", mask(&text));
    let prose =
        "-----BEGIN PRIVATE KEY----- is how the header of such a file begins, and nothing else does so\n";
    assert_eq!(scan(prose), []);
}

#[test]
fn a_value_that_only_its_name_tells_is_certain_in_every_spelling_of_the_name() {
    let mut draw = Draw::new(5);
    for row in known_names().rows() {
        let (name, shape) = (row.cell(0).unwrap(), row.cell(1).unwrap());
        let (front, end) = name.split_at(name.len() - 3);
        let spelled = format!("{front}_{end}").to_uppercase();
        for assigned in [format!("export {spelled}="), format!("\"{name}\": \""), format!("my.{name} = '")] {
            let token = draw.token(shape);
            let text =
                format!("{assigned}{token}{}", assigned.chars().last().filter(|c| *c != '=').unwrap_or('\n'));
            let found = scan(&text);
            let [one] = found.as_slice() else { panic!("{text}: {found:?}") };
            assert_eq!((one.name, &text[one.range.clone()]), (row.key(), token.as_str()), "{text}");
            assert_eq!(one.certainty, Certainty::Certain, "{text}");
        }
    }
    assert_eq!(scan("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), []);
}

#[test]
fn what_is_masked_keeps_its_lines() {
    let body = Draw::new(9).text("alnum", 64);
    let text = format!("a\n-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\nb\n");
    let masked = mask(&text).unwrap();
    assert_eq!(masked.lines().count(), text.lines().count(), "{masked}");
    assert!(masked.starts_with("a\n[redacted private-key]\n") && masked.ends_with("\nb\n"), "{masked}");
    assert!(!masked.contains(&body), "{masked}");
}

#[test]
fn a_masked_text_tells_the_kind_and_keeps_the_rest() {
    let token = Draw::new(3).token("ghp_{alnum:36}");
    let masked = mask(&format!("git clone https://x:{token}@github.com/acme/app"));
    assert_eq!(
        masked.as_deref(),
        Some("git clone https://x:[redacted github-personal-token]@github.com/acme/app")
    );
    assert_eq!(mask("git status"), None);
    assert_eq!(fingerprint(&token).len(), 16);
    assert_ne!(fingerprint(&token), fingerprint("other"));
}

#[test]
fn hostile_texts_take_linear_time() {
    let repeated = [
        "password=",
        "a://",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----a",
        "aws_secret_access_key=a",
        "re_",
        "SKa",
        "sk-proj-",
        "eyJ-",
        "=",
        ":",
        "ghp_a",
        "-",
        "{",
        "a.atlasv1.",
        "https://a:b@",
        "8Q~",
        "eyJaaaaaaaaaaaaaaaaa.",
    ];
    for piece in repeated {
        let text = piece.repeat(100_000 / piece.len());
        let start = std::time::Instant::now();
        let _ = scan(&text);
        assert!(start.elapsed().as_secs() < 5, "{piece}: {:?}", start.elapsed());
    }
}
