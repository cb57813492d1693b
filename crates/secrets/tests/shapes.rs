//! Every shape finds what is drawn from it, and nothing in what only looks alike. No token in here was ever real: all are
//! drawn by a counter.

#![expect(clippy::string_slice, reason = "a test may panic, and says where")]

use hookgate_secrets::{ANCHOR, Certainty, fingerprint, known_names, mask, scan, table};
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
