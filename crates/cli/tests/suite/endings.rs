//! Ends of work before a model that misbehaves in every way that was seen, through the binary: each is answered validly and in time,
//! and none is held back that is done.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Ground, document, feed};

#[path = "../../../judge/tests/misbehaving/wild.rs"]
mod wild;

/// What the judge may take, and what the hook may.
const JUDGE: Duration = Duration::from_secs(2);
const HOOK: Duration = Duration::from_secs(10);
/// Ends at once. Most of them wait.
const AT_ONCE: u64 = 24;

/// A model that knows from the evidence what is true. Of its answers below `/every/`, each way of misbehaving spoils 30 of 100, and else
/// one way, each time another.
fn model() -> u16 {
    static ANSWERS: AtomicU64 = AtomicU64::new(1);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A connection that breaks is what the client is there for.
            std::thread::spawn(move || drop(answered(stream, ANSWERS.fetch_add(1, Ordering::SeqCst))));
        }
    });
    port
}

fn answered(mut stream: TcpStream, number: u64) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let only = (!first.contains("/every/")).then_some(number as usize % wild::WAYS);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        let line = line.to_ascii_lowercase();
        length =
            line.strip_prefix("content-length:").map_or(length, |count| count.trim().parse().unwrap_or(0));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let done = String::from_utf8_lossy(&body).contains("test result: ok");
    let sent = wild::answer(&mut wild::Numbers::of(number), done, only);
    if sent.hangs {
        // Until the client goes.
        return reader.read(&mut [0]).map(drop);
    }
    if sent.status == 0 {
        return stream.shutdown(std::net::Shutdown::Both);
    }
    let length = sent.body.len();
    write!(
        stream,
        "HTTP/1.1 {} Status\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n",
        sent.status
    )?;
    stream.write_all(&sent.body.as_bytes()[..sent.cut.unwrap_or(length)])
}

#[derive(Debug, Default)]
struct Ends {
    held: u64,
    wrongly: u64,
    passed: u64,
    unverified: u64,
    longest: Duration,
}

/// One end; a session of its own, so that nothing is remembered of others.
fn end(ground: &Ground, number: u64, ends: &mut Ends) {
    let done = number.is_multiple_of(2);
    let said =
        if done { "I ran them: test result: ok" } else { "I ran them: 2 tests failed, the rest follows" };
    let fields = json!({ "session_id": format!("s{number}"), "stop_hook_active": false, "last_assistant_message": said });
    let mut command = ground.command();
    command.args(["hook", "--event", "Stop", "--deadline", &format!("{}s", HOOK.as_secs())]);
    let start = Instant::now();
    let output = feed(command, &ground.event("Stop", &fields));
    ends.longest = ends.longest.max(start.elapsed());
    // At most one whole document, and exit code 0.
    let Some(answer) = document(&output) else {
        ends.passed += 1;
        return;
    };
    let known = ["decision", "reason", "systemMessage"];
    assert!(answer.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{answer}");
    if answer.get("decision").is_none() {
        assert!(answer["systemMessage"].as_str().unwrap().contains("couldn't verify"), "{answer}");
        ends.unverified += 1;
        return;
    }
    assert!(
        answer["reason"].as_str().unwrap().starts_with("[JUDGE001] doesn't meet the criterion"),
        "{answer}"
    );
    ends.held += 1;
    ends.wrongly += u64::from(done);
}

#[test]
fn a_model_that_misbehaves_spoils_no_answer_and_delays_none() {
    let count = std::env::var("HOOKGATE_ENDS").ok().and_then(|count| count.parse().ok()).unwrap_or(AT_ONCE);
    let port = model();
    for ways in ["one", "every"] {
        let all = ends(count / 2, &format!("http://127.0.0.1:{port}/{ways}/v1"));
        println!("{} ends, {ways} of the ways at once: {all:?}", count / 2);
        assert_eq!(all.wrongly, 0, "{all:?}");
        assert_eq!(all.held + all.passed + all.unverified, count / 2, "{all:?}");
        // What the process itself takes to start and end on a busy machine comes on top of its own deadline.
        assert!(all.longest < HOOK + Duration::from_secs(20), "{all:?}");
    }
}

/// So many ends, several at once.
fn ends(count: u64, url: &str) -> Ends {
    let next = AtomicU64::new(0);
    let some = || {
        let ground = Ground::new();
        ground.policy(&format!(
            "[[judge]]\nmodel = \"anthropic:mock\"\nurl = \"{url}\"\nkey = \"none\"\nunmeasured = true\n\
             deadline = \"{}s\"\ncriteria = [{{ id = \"tested\", ask = \"Did the tests pass?\" }}, {{ id = \"asked\", ask = \"Is all done?\" }}]",
            JUDGE.as_secs()
        ));
        let mut ends = Ends::default();
        loop {
            let number = next.fetch_add(1, Ordering::SeqCst);
            if number >= count {
                return ends;
            }
            end(&ground, number, &mut ends);
        }
    };
    let mut all = Ends::default();
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..AT_ONCE.min(count)).map(|_| scope.spawn(some)).collect();
        for ends in running.into_iter().map(|thread| thread.join().unwrap()) {
            all.held += ends.held;
            all.wrongly += ends.wrongly;
            all.passed += ends.passed;
            all.unverified += ends.unverified;
            all.longest = all.longest.max(ends.longest);
        }
    });
    all
}
